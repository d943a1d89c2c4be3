"""Tooth stresses of a result: every tooth of a wheel over all its meshes, and the page with the stress surface."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from gearwright.errors import DrivetrainError, listed, nearest
from gearwright.geometry.gear import GeometryError
from gearwright.rating.miner import Strength
from gearwright.rating.tooth_stress import (
    Passes,
    ToothError,
    mesh_phase,
    points_of_interest,
    stress_surface,
    tooth_passes,
    worst_teeth,
)
from gearwright.remarks import assumed, warning
from gearwright.results import Result
from gearwright.results.sound import reading
from gearwright.stiffness.resolve import mesh_pair_stiffness
from gearwright.train.expand import expand
from gearwright.train.teeth import tooth_pair
from gearwright.train.train import Mesh, Train
from gearwright.units import DIMENSIONS, UnitError, to_si

from .base import ASIDE, BESIDE, Analysis, Column, Picture, Table, result_file_of
from .life import drivetrain_of
from .picture import Curve


@dataclass(frozen=True)
class PointStress:
    """Stresses at a point of the path, at the arc ``s`` [m]: of all passes, and the largest pressure of Hertz [Pa]."""

    name: str
    s: float
    mean: float
    largest: float
    smallest: float
    pressure: float


@dataclass(frozen=True)
class ToothRow:
    """A tooth (from 0): its passes, mean and largest stress and pressure of Hertz at the pitch point [Pa], damage if it is rated."""

    tooth: int
    passes: int
    mean: float
    largest: float
    damage: float | None
    pressure: float


@dataclass(frozen=True, repr=False, eq=False)
class ToothStress(Analysis):
    """Stress [Pa] of every tooth of a wheel of a mesh.

    ``own`` are the passes of the mesh itself, ``surface`` the stress over path and pass; ``meaning`` says which stress it is.
    """

    mesh: str
    wheel: str
    teeth_of_wheel: int
    meshes: Sequence[str]
    passes: int
    hunting: int
    duration_s: float
    tooth_time_s: float
    offsets: Mapping[str, int]
    offsets_exact: bool
    method: str
    sharing: str
    factor: float
    points: Sequence[PointStress]
    teeth: Sequence[ToothRow]
    meaning: str = field(metadata=ASIDE)
    own: Passes = field(metadata=BESIDE)
    surface: Any = field(metadata=ASIDE)

    @property
    def title(self) -> str:
        """Wheel and mesh."""
        return f"{self.wheel} in {self.mesh}"

    def shown(self) -> Iterator[Table | str]:
        """Four points of the path, the worst teeth, how long the record is for a tooth."""
        stress = [Column(k, "MPa") for k in ("smallest", "mean", "largest", "Hertz")]
        rows = [[p.name, p.s, p.smallest, p.mean, p.largest, p.pressure] for p in self.points]
        yield Table(
            f"{self.mesh}: {self.meaning}, {self.factor:.4g} of the pressure of Hertz",
            ["point", Column("arc s", "mm"), *stress],
            rows,
        )
        rated = any(t.damage is not None for t in self.teeth)
        worst = sorted(self.teeth, key=lambda t: -(t.largest if t.damage is None else t.damage))[:10]
        rows = [[t.tooth + 1, t.passes, t.mean, t.largest, t.pressure, t.damage] for t in worst]
        shown = "all teeth"
        if len(rows) < len(self.teeth):
            shown = f"the {len(rows)} of {len(self.teeth)} teeth with the largest {'damage' if rated else 'stress'}"
        yield Table(
            f"Teeth of {self.wheel} (pitch point), {shown}",
            ["tooth", "passes", *stress[1:], Column("damage", "", 3)],
            rows,
        )
        yield (
            f"{self.duration_s:.4g} s of {self.teeth_of_wheel} teeth stand for {self.tooth_time_s:.5g} s of one; the same two "
            f"teeth meet every {self.hunting} passes"
        )
        yield f"force shared among the pairs in contact: {self.sharing}"

    def picture(self) -> Picture:
        """Mean and largest stress of every tooth."""
        numbers = [t.tooth + 1 for t in self.teeth]
        curves = [Curve(k, numbers, [getattr(t, k) for t in self.teeth], "points") for k in ("mean", "largest")]
        return Picture("tooth", "stress at the pitch point [Pa]", curves)


def tooth_stress(
    result: Any,
    mesh: str,
    wheel: str | None = None,
    *,
    factor: float | None = None,
    strength: Strength | str | None = None,
    method: str = "passes",
    sharing: str | None = None,
) -> ToothStress:
    """Stress of every tooth of a wheel of a mesh, from the stored force and speed of a result.

    Parameters
    ----------
    result : a path, Result or Run
    mesh : name of one of its meshes; ``wheel`` one of the two bodies of it (None: the first)
    factor : stress over the pressure of Hertz; None: von Mises without friction (0.5575)
    strength : S-N curve of the teeth [Pa] for damages, or as text ``"STRESS,CYCLES,EXPONENT[,LIMIT]"``, such as
        ``"1200 MPa,5e7,13,800 MPa"``; None: none
    method : ``passes`` or ``ranges``
    sharing : how the pairs in contact share the force: by their stiffness (``analytic``, ``fe``) or ``even``; None:
        ``analytic`` where the file describes the teeth, else ``even``

    The flank is the one that the mean force of the mesh is on, whichever way the train turns. Raises ToothError, GeometryError
    or ResultError.
    """
    path = result_file_of(result)
    curve = _strength(strength) if isinstance(strength, str) else strength
    with reading(path):
        return _stresses(path, mesh, wheel, factor, curve, method, sharing)


def _strength(text: str) -> Strength:
    parts = [part.strip() for part in text.split(",")]
    wanted = "STRESS,CYCLES,EXPONENT[,LIMIT] is wanted, such as '1200 MPa,5e7,13,800 MPa'"
    if len(parts) not in (3, 4):
        raise DrivetrainError(f"--strength {text}: {wanted}")
    try:
        kinds = ("pressure", "number", "number", "pressure")
        numbers = [to_si(part, DIMENSIONS[kind]) for part, kind in zip(parts, kinds, strict=False)]
    except UnitError as error:
        raise DrivetrainError(f"--strength {text}: {error}{error.hint}; {wanted}") from None
    return Strength.slope(numbers[0], numbers[1], numbers[2], limit=numbers[3] if len(numbers) == 4 else None)


def _stresses(path: str | Path, mesh: str, wheel: str | None, factor: float | None, strength: Strength | None, method: str,
              sharing: str | None) -> ToothStress:  # fmt: skip

    with Result.open(path) as result:
        train = expand(drivetrain_of(Path(path), result.attributes))
        if mesh not in train.meshes:
            meant = nearest(mesh, train.meshes)
            raise ToothError(
                f"no mesh '{mesh}'; there are {listed(train.meshes, 12)}"
                + (f"; did you mean '{meant}'?" if meant else "")
            )
        chosen = train.meshes[mesh]
        body = wheel or chosen.between[0]
        if body not in chosen.between:
            raise ToothError(f"mesh '{mesh}' is between {' and '.join(chosen.between)}, not '{body}'")
        which = chosen.between.index(body)
        family = {
            n: m
            for n, m in train.meshes.items()
            if body in m.between and m.internal == chosen.internal and m.between.index(body) == which
        }
        keep = result.time > result.time[0] - result.interval + float(result.attributes.get("discard_s", 0.0)) + 1e-9
        time = result.time[keep]
        pairs = {n: tooth_pair(m) for n, m in family.items()}
        forces = {n: np.asarray(result.series(n, "force").values, float)[keep] for n in family}
        flank = -1 if forces[mesh].mean() < 0.0 else 1
        speeds = {n: _speed(result, train, n) for n in family}
        turning = -1 if speeds[mesh][keep].mean() * chosen.phase_direction < 0.0 else 1
        phases = {n: _phase(pairs[n], m, speeds[n], result.interval, flank, turning)[keep] for n, m in family.items()}
    pair = pairs[mesh]
    notes = _flank_notes(mesh, forces[mesh], flank, turning)
    rising = chosen.sigma * chosen.phase_direction * flank * turning > 0
    points = points_of_interest(pair, rising=rising)
    share, shared = _share(chosen, train, sharing, notes)
    notes += [
        assumed(f"{gear.name}: no material is given, taken as steel (E 206 GPa, Poisson's ratio 0.3)")
        for gear in (pair.one, pair.two)
        if gear.material is None
    ]
    passes = {
        n: tooth_passes(pairs[n], time, phases[n], flank * forces[n], list(points.values()), factor=factor, share=share,
                        rising=rising)
        for n in family
    }  # fmt: skip
    offsets, exact = _offsets(train, family, which, chosen.name, flank, turning)
    at = list(points).index("pitch point")
    damage = worst_teeth(passes, which, offsets, at, strength, method) if strength is not None else {}
    total = (pair.one, pair.two)[which].teeth
    stresses: dict[int, list[float]] = {k: [] for k in range(total)}
    for name, one in passes.items():
        for tooth, value in zip(one.tooth(which, offsets[name]), one.stress[:, at], strict=True):
            if math.isfinite(value):
                stresses[int(tooth)].append(float(value))
    own = passes[mesh]
    teeth = []
    for tooth, values in stresses.items():
        mean, top = float(np.mean(values)) if values else math.nan, max(values, default=math.nan)
        teeth.append(ToothRow(tooth, len(values), mean, top, damage.get(tooth), top / own.factor))

    def along(s: Any) -> Passes:
        return tooth_passes(
            pair, time, phases[mesh], flank * forces[mesh], s, factor=factor, share=share, rising=rising
        )

    duration = float(time[-1] - time[0])
    return ToothStress(
        mesh, body, total, list(family), len(own.number), own.hunting, duration, duration * total, offsets, exact, method, shared,
        own.factor, _at_points(points, own), teeth, "von Mises below the surface" if factor is None else "stress", own, stress_surface(along, pair),
        remarks=notes,
    )  # fmt: skip


def _at_points(points: Mapping[str, float], own: Passes) -> list[PointStress]:
    """Stresses of the passes of a mesh at the points of its path."""
    return [
        PointStress(
            name,
            float(s),
            _of(np.nanmean, own.stress[:, i]),
            _of(np.nanmax, own.stress[:, i]),
            _of(np.nanmin, own.stress[:, i]),
            _of(np.nanmax, own.pressure[:, i]),
        )
        for i, (name, s) in enumerate(points.items())
    ]


def _flank_notes(mesh: str, force: Any, flank: int, turning: int) -> list[str]:
    """What is worth a word about the flank that is looked at."""
    found = []
    if flank * turning < 0:
        found.append(f"{mesh}: its mean force is negative, these are the stresses of its other flank")
    other = float(np.mean(flank * force < 0.0))
    if other > 0.01:
        found.append(
            warning(
                f"{mesh}: during {100.0 * other:.0f} % of the record the force is on the other flank, whose passes "
                "are not in these figures"
            )
        )
    return found


def _share(
    mesh: Any, train: Train, sharing: str | None, notes: list[str]
) -> tuple[Callable[[float], float] | None, str]:
    """Part of the force on a pair by its place, and how it was found."""
    if sharing not in (None, "even", "analytic", "fe"):
        raise ToothError(f"sharing must be even, analytic or fe, got '{sharing}'")
    if sharing == "even":
        return None, "even"
    try:
        return mesh_pair_stiffness(mesh, train, sharing or "analytic")[0].share, sharing or "analytic"
    except GeometryError as error:
        if sharing is not None:
            raise ToothError(f"sharing by {sharing}: {error}") from None
        notes.append(
            assumed(
                f"pairs in contact share the force evenly: the file does not say enough for the stiffness of teeth ({error})"
            )
        )
        return None, "even"


def _of(function: Any, values: Any) -> float:
    return float(function(values)) if np.isfinite(values).any() else math.nan


def _speed(result: Any, train: Train, name: str) -> Any:
    """Speed [rad/s] of wheel one of a mesh against its carrier, from the stored speed of a machine or a body by the ratios."""
    mesh = train.meshes[name]
    ratio = train.ratios.get(mesh.between[0], 0.0) - (train.ratios.get(mesh.on, 0.0) if mesh.on else 0.0)
    turning = {m.name: m.body for m in train.machines.values()} | {name: name for name in train.bodies}
    for name, of in turning.items():
        reference = train.ratios.get(of, 0.0)
        if f"{name}.speed" in result.channels and reference:
            return np.asarray(result.series(name, "speed").values, float) * (ratio / reference)
    raise ToothError(
        "the result holds no speed of a machine or body (record: [machines] or [bodies]), so its teeth are not known"
    )


def _phase(pair: Any, mesh: Any, speed: Any, interval: float, flank: int, turning: int) -> Any:
    """Mesh phase over time on a flank, rising whichever way the train turns: a pair enters at every whole number.

    ``mesh.phase`` and ``coast_phase`` belong to a train that turns forward. Backwards, pair n leaves where it came in, at the
    phase n, and comes in where it left, at n plus the contact ratio.
    """
    start = mesh.phase if flank > 0 else mesh.coast_phase
    if turning < 0:
        start = pair.contact_ratio - start
    return mesh_phase(speed, interval, mesh.teeth[0] if mesh.teeth is not None else 0, start)


def _offsets(
    train: Train, family: Mapping[str, Mesh], which: int, first: str, flank: int = 1, turning: int = 1
) -> tuple[dict[str, int], bool]:
    """Tooth of pair 0 in every mesh of a wheel, from the places of the planets and the phases of the meshes; and whether
    these agree (phases that are assumed need not)."""
    base = train.meshes[first]
    found, exact = {}, True
    for name, mesh in family.items():
        if mesh.teeth is None or mesh.angle is None or base.angle is None:
            found[name] = 0
            exact = exact and name == first
            continue
        z = mesh.teeth[which]
        ahead = mesh.phase - base.phase if flank > 0 else mesh.coast_phase - base.coast_phase
        value = turning * (-mesh.phase_direction * z * (mesh.angle - base.angle) / (2.0 * math.pi) - ahead)
        found[name] = round(value) % z
        exact = exact and abs(value - round(value)) < 0.02
    return found, exact
