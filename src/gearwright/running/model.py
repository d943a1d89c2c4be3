"""What is run and what a run leaves behind: one protocol, whether a train, a train with its turbine, or a mechanism."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from gearwright.figures.format import finite
from gearwright.laws.registry import Asked
from gearwright.remarks import remarks_in, sharing_sentence, sorted_remarks
from gearwright.results import Result
from gearwright.results.store import Summary
from gearwright.schema.places import JSON

from .run_folder import RunFolder

if TYPE_CHECKING:
    from gearwright.multibody.mechanism import Reaction, ToothForces

Progress = Callable[[float, float], None]


class Options(NamedTuple):
    """What the caller of a run sets in place of the file: ``duration`` [s], relative ``tolerance`` on loads; with the law the users'
    own laws that may be used."""

    fidelity: str | None = None
    law: Asked = Asked()
    duration: float | None = None
    method: str | None = None
    tolerance: float | None = None


class Model(Protocol):
    """A case made ready to run. Its constructor takes drivetrain, name of the case and :class:`Options`, and refuses what a user
    can mend."""

    #: result file, unless the caller names another
    path: Path

    def run(self, output: Path | None, progress: Progress | None) -> Run:
        """Run the case and write its result file. Raises RunError where it diverges; KeyboardInterrupt passes through.
        What was computed is kept in both cases."""


@dataclass(frozen=True)
class MeanReaction:
    """Mean force [N] and moment [N m] of a joint on a body, global axes, moment about the mass centre."""

    on: str
    force: Sequence[float]
    moment: Sequence[float]


@dataclass(frozen=True)
class ConstraintError:
    """Largest error of the rows of a mechanism: place [m] and speed [m/s]."""

    position: float
    velocity: float


@dataclass(frozen=True)
class MechanismFigures:
    """What a mechanism (fidelity multibody) gave beside its channels: rows and their errors, energies [J], speeds at the end, reactions
    by joint at the start, at the end and in the mean, by body and of gears under ``teeth``."""

    duration_s: float
    wall_s: float
    real_time_factor: float
    compile_s: float
    step_s: float
    result_file: Path
    degrees_of_freedom: int
    rows: int
    rank: int
    redundant_rows: Sequence[str]
    constraint_error: ConstraintError
    energy_error: float
    energy_start_j: float
    energy_end_j: float
    reactions: Mapping[str, Mapping[str, Reaction | ToothForces]]
    reactions_end: Mapping[str, Mapping[str, Reaction | ToothForces]]
    reactions_mean: Mapping[str, MeanReaction]
    speeds_end: Mapping[str, Sequence[float]]
    method: str = "multibody"


@dataclass(frozen=True)
class Run:
    """What a run left behind."""

    result_file: Path
    method: str
    reason: str
    duration_s: float
    wall_s: float
    energy_error: float
    channels: dict[str, Summary]
    attributes: dict[str, JSON]
    mechanism: MechanismFigures | None = None
    folder: RunFolder | None = None

    @cached_property
    def result(self) -> Result:
        """The result, opened when it is first asked for."""
        opened = Result.open(self.result_file)
        # a file in a folder of its own stays as long as somebody reads it
        opened.keeper = self.folder
        return opened

    def to_dict(self) -> dict[str, Any]:
        """What ``gearwright run --json`` prints, as plain data."""
        if self.mechanism is not None:
            return {**finite(self.mechanism), "flanks": self.flanks, **sorted_remarks(remarks_in(self.attributes))}
        facts = {k: v for k, v in self.attributes.items() if k.endswith(("_correlation", "_torque_std"))}
        return {
            "duration_s": self.duration_s,
            "wall_s": self.wall_s,
            "compile_s": self.compile_s,
            "real_time_factor": self.real_time_factor,
            "method": self.method,
            "method_reason": self.reason,
            "result_file": str(self.result_file),
            "energy_error": self.energy_error,
            "channels": self.channels,
            "wedged": self.wedged,
            "pulling": self.pulling,
            "flanks": self.flanks,
            "load_sharing": self.load_sharing,
            **facts,
            **sorted_remarks(remarks_in(self.attributes)),
        }

    def to_dataframe(self) -> Any:
        """Unit and statistics of every channel as a pandas DataFrame in SI."""
        import pandas

        return pandas.DataFrame.from_dict(self.channels, orient="index")

    def plot(self, *names: str, backend: str = "matplotlib", axes: Any = None) -> Any:
        """Channels over time; see :meth:`gearwright.Result.plot`."""
        return self.result.plot(*names, backend=backend, axes=axes)

    def _repr_html_(self) -> str:
        return str(self.result._repr_html_())

    def __repr__(self) -> str:
        facts = f"{self.attributes.get('drivetrain', '')}, {self.attributes.get('case', '')}"
        return f"<Run of {facts}: {self.duration_s:g} s, method {self.method}, {len(self.channels)} channels>"

    @cached_property
    def flanks(self) -> dict[str, dict[str, dict[str, float]]]:
        """What flanks of meshes did beside carrying on one side, by mesh: ``pulls`` (a mesh without backlash whose force went through
        zero), ``wedges`` (both flanks of a tooth carried at once), ``lifts_off`` (none did), ``bottoms`` (tips touched roots); each with
        ``time_s``, its ``share`` of the counted time, ``events``, the ``worst`` force [N] (of lift-off the longest time [s], of
        bottoming the depth [m]) and when that was, ``at_s``."""
        return dict(json.loads(str(self.attributes.get("flanks_json", "{}"))))

    @property
    def wedged(self) -> dict[str, float]:
        """Meshes in which both flanks of a tooth carried at once, with the largest force [N] that both had: above a thousandth of
        the mesh's largest force, which damping alone may leave."""
        return {name: kinds["wedges"]["worst"] for name, kinds in self.flanks.items() if "wedges" in kinds}

    @cached_property
    def load_sharing(self) -> Any:
        """Shares of the planets by stage: mean by planet and by bearing row, largest per carrier turn, table of the standard."""
        return json.loads(str(self.attributes.get("load_sharing", "{}")))

    def sharing_lines(self) -> list[str]:
        """The load sharing of every stage, a sentence each."""
        return [sharing_sentence(stage, shares) for stage, shares in self.load_sharing.items()]

    @property
    def pulling(self) -> dict[str, dict[str, float]]:
        """Meshes without backlash whose force went through zero: ``time_s`` on the lesser side, ``worst_n`` there."""
        return {
            name: {"time_s": kinds["pulls"]["time_s"], "worst_n": kinds["pulls"]["worst"]}
            for name, kinds in self.flanks.items()
            if "pulls" in kinds
        }

    @property
    def assumed(self) -> list[str]:
        """Values with a physical meaning that nobody gave and the run took, a sentence each."""
        return sorted_remarks(remarks_in(self.attributes))["assumed"]

    @property
    def notes(self) -> list[str]:
        """What else is worth a sentence."""
        return sorted_remarks(remarks_in(self.attributes))["notes"]

    @property
    def warnings(self) -> list[str]:
        """What is likely wrong, a sentence each."""
        return sorted_remarks(remarks_in(self.attributes))["warnings"]

    @property
    def compile_s(self) -> float:
        """Time that machine code took which was not on disk [s]; ``wall_s`` leaves it out."""
        return float(str(self.attributes.get("compile_s", 0.0)))

    @property
    def real_time_factor(self) -> float:
        """Simulated time over wall time, compilation left out."""
        return self.duration_s / self.wall_s if self.wall_s > 0 else math.inf
