"""Modified flanks of a stage: what ``gearwright modify`` and ``gw.modify`` return."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gearwright.analyses.base import ASIDE, Analysis, Column, Picture, Table
from gearwright.analyses.picture import Curve
from gearwright.errors import DrivetrainError
from gearwright.parts import whole
from gearwright.schema.file import Drivetrain
from gearwright.stiffness.flanks import Carried, Shape
from gearwright.stiffness.quietest import Scene
from gearwright.train.open import load

from .flank_file import Value, including
from .flank_run import Moved
from .flank_stage import Stage


@dataclass(frozen=True)
class Flank:
    """Modifications of a wheel: relief ``amount`` [m] from the ``start`` diameter [m] on, over ``length`` of the arc [m], its ``form``,
    lead ``crowning``, lead ``slope`` and ``bias`` [m]."""

    wheel: str
    amount: float
    start: float
    length: float
    form: str
    crowning: float
    slope: float
    bias: float


@dataclass(frozen=True)
class Loaded:
    """A mesh under a load: ``torque`` on its first wheel [N m], ``tilt`` of the flanks [m]; swing of the transmission error [m] and
    K_Hbeta ``without`` what is free, as the file ``before`` has it, and ``after``; largest Hertz pressure [Pa]."""

    mesh: str
    torque: float
    tilt: float
    swing_without: float
    swing_before: float
    swing_after: float
    face_without: float
    face_before: float
    face_after: float
    pressure_before: float
    pressure_after: float


@dataclass(frozen=True)
class Cost:
    """What a deviation [m] of a made amount does: largest swing [m] and K_Hbeta of all meshes and loads."""

    what: str
    deviation: float
    swing: float
    face: float


@dataclass(frozen=True)
class Form:
    """A form of relief that was tried: largest swing [m], K_Hbeta, cost, evaluations of the search."""

    form: str
    swing: float
    face: float
    cost: float
    evaluations: int


@dataclass(frozen=True, repr=False, eq=False)
class Modification(Analysis):
    """Modifications of a stage: by wheel, what they do at every load, what a tolerance costs, the forms that were tried; runs before
    and after where asked for."""

    name: str
    stage: str
    method: str
    free: Sequence[str]
    wheels: Sequence[Flank]
    loads: Sequence[Loaded]
    tolerance: Sequence[Cost]
    forms: Sequence[Form]
    runs: Moved | None = None
    changes: Mapping[str, Value] = field(default_factory=dict)
    source: Any = field(default=None, metadata=ASIDE)
    read: Drivetrain | None = field(default=None, metadata=ASIDE)
    flanks: Stage | None = field(default=None, metadata=ASIDE)
    before: Mapping[str, Shape] = field(default_factory=dict, metadata=ASIDE)
    after: Mapping[str, Shape] = field(default_factory=dict, metadata=ASIDE)

    @property
    def title(self) -> str:
        """Train and stage."""
        return f"{self.name}, {self.stage}"

    @property
    def drivetrain(self) -> Drivetrain:
        """The drivetrain with the modifications."""
        assert self.read is not None
        return load(self.read, self.changes)

    def write(self, path: str | Path) -> Path:
        """Write a file that includes the one it began with and says the modifications; it appears whole.

        Raises DrivetrainError where the drivetrain was no file.
        """
        target = Path(path)
        assert self.read is not None
        if isinstance(self.source, Drivetrain | Mapping):
            raise DrivetrainError(
                "a file with modifications includes the file it began with: begin with a path or an example's name"
            )
        largest = max(x.swing_after for x in self.loads)
        heads = [
            f"Made by gearwright modify: flanks of {self.stage}, stiffness of teeth by {self.method}",
            f"Largest swing of the transmission error {1e6 * largest:.3g} um up to "
            f"{max(x.torque for x in self.loads):.6g} N m on the first wheel of the mesh",
        ]
        text = including(self.source, target, self.read, self.changes, heads)
        with whole(target) as part:
            part.write_text(text, encoding="utf-8")
        return target

    def shown(self) -> Iterator[Table | str]:
        """Modifications, what they do, what a tolerance costs."""
        columns = [
            "wheel",
            *(Column(k, u, d) for k, u, d in (("relief", "um", 4), ("from diameter", "mm", 7))),
            "form",
            *(Column(k, "um", 3) for k in ("crowning", "lead slope", "bias")),
        ]
        rows = [
            [f.wheel, f.amount, f.start if f.amount else None, f.form if f.amount else "", f.crowning, f.slope, f.bias]
            for f in self.wheels
        ]
        yield Table(f"Modifications of {self.stage}", columns, rows)
        yield from self._loads()
        rows = [[c.what, c.deviation if c.what != "as designed" else None, c.swing, c.face] for c in self.tolerance]
        columns = ["what is off", Column("by", "um", 3), Column("largest swing", "um"), Column("K_Hbeta")]
        yield Table("What a tolerance costs", columns, rows)
        if len(self.forms) > 1:
            rows = [[f.form, f.swing, f.face, f.evaluations] for f in self.forms]
            yield Table(
                "Forms of relief", ["form", Column("largest swing", "um"), Column("K_Hbeta"), "evaluations"], rows
            )
        if self.runs is not None:
            yield self.runs.table()

    def _loads(self) -> Iterator[Table | str]:
        tilted = any(x.tilt for x in self.loads)
        for mesh in dict.fromkeys(x.mesh for x in self.loads):
            rows = [
                [
                    f"{x.torque:.5g}",
                    *([x.tilt] if tilted else []),
                    x.swing_without,
                    x.swing_before,
                    x.swing_after,
                    x.face_before,
                    x.face_after,
                    x.pressure_before,
                    x.pressure_after,
                ]
                for x in self.loads
                if x.mesh == mesh
            ]
            columns = [
                Column("N m"),
                *([Column("skew", "um", 3)] if tilted else []),
                *(Column(k, "um", 3) for k in ("plain", "before", "after")),
                *(Column(k, "", 4) for k in ("K before", "K after")),
                *(Column(k, "MPa") for k in ("Hertz before", "Hertz after")),
            ]
            yield Table(f"Swing of the transmission error, K_Hbeta and pressure of {mesh}", columns, rows)
        yield "plain: swing without what is free; before: as the file has it; K: K_Hbeta of the load per width, mean over the mesh cycle"

    def picture(self) -> Picture:
        """Swing over torque, before and after."""
        curves = []
        for mesh in dict.fromkeys(x.mesh for x in self.loads):
            of = [x for x in self.loads if x.mesh == mesh]
            for name, values in (
                ("plain", [x.swing_without for x in of]),
                ("before", [x.swing_before for x in of]),
                ("after", [x.swing_after for x in of]),
            ):
                curves.append(Curve(f"{mesh}, {name}", [x.torque for x in of], values))
        return Picture("torque on the first wheel [N m]", "swing of the transmission error [m]", curves)

    def scenes(self) -> list[tuple[Scene, Carried, Carried]]:
        """Meshes under their loads with the flanks before and after, for pictures."""
        assert self.flanks is not None
        return [(s, s.carry(self.before), s.carry(self.after)) for s in self.flanks.shown]
