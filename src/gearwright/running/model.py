"""What is run and what a run leaves behind: one protocol, whether a train, a train with its turbine, or a mechanism."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from gearwright.records import dataclass
from gearwright.remarks import remarks_in, sorted_remarks

Progress = Callable[[float, float], None]


class Options(NamedTuple):
    """What the caller of a run sets in place of the file: ``duration`` [s], relative ``tolerance`` on loads."""

    fidelity: str | None = None
    law: str | None = None
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
class Run:
    """What a run left behind."""

    result_file: Path
    method: str
    reason: str
    duration_s: float
    wall_s: float
    energy_error: float
    channels: dict[str, dict[str, Any]]
    attributes: dict[str, Any]

    @property
    def wedged(self) -> dict[str, float]:
        """Meshes in which both flanks of a tooth carried at once (law tooth_contact), with the largest force [N] that
        both had: above a thousandth of the mesh's largest force, which damping alone may leave."""
        found = {}
        for name, values in self.channels.items():
            mesh, _, quantity = name.rpartition(".")
            force = self.channels.get(f"{mesh}.normal_force")
            if quantity != "wedging_force" or force is None:
                continue
            if values["max"] > 1e-3 * max(abs(force["min"]), abs(force["max"])):
                found[mesh] = values["max"]
        return found

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
        return float(self.attributes.get("compile_s", 0.0))

    @property
    def real_time_factor(self) -> float:
        """Simulated time over wall time, compilation left out."""
        return self.duration_s / self.wall_s if self.wall_s > 0 else math.inf


__all__ = ["Model", "Options", "Progress", "Run"]
