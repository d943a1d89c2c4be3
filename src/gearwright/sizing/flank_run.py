"""A case run with the flanks before and after: what the forces of the meshes do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gearwright.analyses.base import ASIDE, Column, Table
from gearwright.errors import DrivetrainError
from gearwright.figures.reading import mesh_frequency
from gearwright.running.run import simulate
from gearwright.schema.case_lookup import find_case
from gearwright.schema.file import Drivetrain
from gearwright.stiffness.resolve import blind
from gearwright.train.expand import expand
from gearwright.train.open import load
from gearwright.train.train import Mesh

from .flank_file import Value

#: samples of a stored series in a mesh cycle, as long as a run has not more than these in all
_PER_CYCLE, _MOST = 64, 400_000
#: mesh cycles at the end of the run that are drawn
CYCLES = 4.0


def given_way(where: str, method: str) -> dict[str, Value]:
    """Edit by which what stands at a path gives way by its teeth."""
    return {f"{where}.stiffness": {"from": method}}


@dataclass(frozen=True)
class MeshForce:
    """Force of a mesh [N] over a run: mean, standard deviation, largest over mean, before and after."""

    mesh: str
    mean_before: float
    mean_after: float
    deviation_before: float
    deviation_after: float
    peak_before: float
    peak_after: float


@dataclass(frozen=True)
class Moved:
    """Two runs of a ``case`` under a ``law`` for a ``duration`` [s], and the forces over the last mesh cycles."""

    case: str
    fidelity: str
    law: str
    duration: float
    meshes: Sequence[MeshForce]
    time: Any = field(default=None, metadata=ASIDE)
    before: Any = field(default=None, metadata=ASIDE)
    after: Any = field(default=None, metadata=ASIDE)

    def table(self) -> Table:
        """Forces before and after."""
        rows = [
            [m.mesh, m.mean_after, m.deviation_before, m.deviation_after, m.peak_before, m.peak_after]
            for m in self.meshes
        ]
        columns = [
            "mesh",
            Column("mean", "kN"),
            *(Column(k, "N", 3) for k in ("deviation before", "deviation after")),
            *(Column(k) for k in ("peak/mean before", "peak/mean after")),
        ]
        where = f"{self.fidelity}, {self.law}"
        return Table(f"Mesh force in case {self.case}, {self.duration:g} s ({where})", columns, rows)


def moved(
    before: Drivetrain,
    after: Drivetrain,
    case: str | None,
    duration: float,
    meshes: Sequence[Mesh],
    method: str,
    skew: Mapping[str, float],
    remarks: list[str],
) -> Moved:
    """Run a case with the flanks before and after, skew by [m] by mesh. A law that knows no flanks gives way to ``periodic``, which is said.

    Raises DrivetrainError for a file without cases.
    """
    if not before.cases:
        raise DrivetrainError("the file has no case to run; leave --duration out, or give the file a case")
    name = find_case(before, case).name
    fidelity, law = before.model.fidelity or "torsional", before.model.law or "linear"
    if fidelity in ("rigid", "multibody"):
        fidelity = "torsional"
        remarks.append(f"run: fidelity {before.model.fidelity} knows no flanks of its own; fidelity torsional is taken")
    if law not in ("periodic", "tooth_contact"):
        remarks.append(f"run: law {law} knows no flanks; law periodic is taken")
        law = "periodic"
    edits = {**_fine(before, name, duration, meshes), **_soft(meshes, method, remarks)}
    if any(skew.values()):
        edits |= {f"{_where(m)}.misalignment": m.misalignment + skew[m.name] for m in meshes}
        told = ", ".join(dict.fromkeys(f"{1e6 * (m.misalignment + skew[m.name]):.3g} um" for m in meshes))
        remarks.append(
            f"run: the flanks are skew by {told}, the largest misalignment of the search at the operating torque"
        )
    runs = [
        simulate(load(one, edits) if edits else one, name, fidelity=fidelity, law=law, duration=duration)
        for one in (before, after)
    ]
    found, series = [], []
    for mesh in meshes:
        pair = [run.channels[f"{mesh.name}.force"] for run in runs]
        found.append(MeshForce(mesh.name, *_both(pair, "mean"), *_both(pair, "std"), *(_peak(c) for c in pair)))  # type: ignore[arg-type]
        series.append([np.asarray(run.result.series(f"{mesh.name}.force")) for run in runs])
    time = np.asarray(runs[0].result.series(f"{meshes[0].name}.force").time)
    kept = _last(time, before, meshes)
    return Moved(
        name,
        fidelity,
        law,
        duration,
        found,
        time[kept],
        {m.name: s[0][kept] for m, s in zip(meshes, series, strict=True)},
        {m.name: s[1][kept] for m, s in zip(meshes, series, strict=True)},
    )


def _both(pair: Sequence[Any], what: str) -> tuple[float, float]:
    return float(pair[0][what]), float(pair[1][what])


def _peak(channel: Any) -> float:
    low, high, mean = (float(channel[k]) for k in ("min", "max", "mean"))
    return max(abs(low), abs(high)) / abs(mean) if mean else float("nan")


def _cycle(drivetrain: Drivetrain, meshes: Sequence[Mesh]) -> float | None:
    """Time [s] of a mesh cycle at the operating speed."""
    train = expand(drivetrain)
    if train.speed is None:
        return None
    found = mesh_frequency(meshes[0], train, train.speed)
    return 1.0 / abs(found) if found else None


def _fine(drivetrain: Drivetrain, case: str, duration: float, meshes: Sequence[Mesh]) -> dict[str, Value]:
    """Edits by which the stored series show the mesh cycle."""
    cycle = _cycle(drivetrain, meshes)
    own = {c.name: c for c in drivetrain.cases}
    if cycle is None or case not in own or drivetrain.turbine is not None or duration * _PER_CYCLE / cycle > _MOST:
        return {}
    given = own[case].output_interval
    step = cycle / _PER_CYCLE
    return {} if given is not None and given <= step else {f"cases.{case}.output_interval": step}


def _soft(meshes: Sequence[Mesh], method: str, remarks: list[str]) -> dict[str, Value]:
    """Edits by which meshes whose stiffness is given as levels or as a course give way by their teeth instead."""
    found: dict[str, Value] = {}
    for mesh in meshes:
        if blind(mesh):
            found |= given_way(_where(mesh), method)
            remarks.append(
                f"run: the stiffness of {mesh.name} is given as levels or a course, which know no flanks; that of its teeth by "
                f"{method} is taken"
            )
    return found


def _where(mesh: Mesh) -> str:
    """Path of a mesh in the file."""
    kind = mesh.name.removeprefix(f"{mesh.stage}.")
    return f"stages.{mesh.stage}." + (kind if mesh.on is None else f"meshes.{kind.rstrip('0123456789')}")


def _last(time: Any, drivetrain: Drivetrain, meshes: Sequence[Mesh]) -> Any:
    """The last mesh cycles of a series."""
    cycle = _cycle(drivetrain, meshes)
    return time >= time[0] if cycle is None else time >= time[-1] - CYCLES * cycle
