"""Static transmission error of a stage's meshes over torque."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gearwright.errors import DrivetrainError
from gearwright.progress import each
from gearwright.stiffness.curves import ErrorCurve, errors_over_torque
from gearwright.stiffness.resolve import nominal_force, usual_method

from .base import Analysis, Column, Picture, Table, quantities
from .gear import stage_meshes
from .picture import Curve


@dataclass(frozen=True, repr=False, eq=False)
class TransmissionError(Analysis):
    """Static transmission error of the meshes of a stage: by mesh ``torque`` on the first ``wheel``, ``force``, ``mean``,
    ``peak_to_peak`` and ``harmonics`` [m], ``largest_pressure``, and the ``error`` over ``phase`` at every torque."""

    name: str
    stage: str
    method: str
    unit: str
    meshes: Mapping[str, ErrorCurve]

    @property
    def title(self) -> str:
        """Train and stage."""
        return f"{self.name}, {self.stage}"

    def shown(self) -> Iterator[Table | str]:
        """Mean, swing and mesh harmonics over torque."""
        harmonics = [Column(k, "um", 3) for k in ("1st", "2nd", "3rd", "4th")]
        columns = [
            Column("", "kN m", 5),
            Column("force", "kN", 5),
            Column("mean", "um"),
            Column("peak-peak", "um"),
            *harmonics,
            Column("Hertz", "MPa"),
        ]
        for name, found in self.meshes.items():
            e = found
            given = zip(e.torque, e.force, e.mean, e.peak_to_peak, e.harmonics, e.largest_pressure, strict=True)
            rows = [[t, f, m, p, *[*map(float, hs[:4]), *[None] * 4][:4], q] for t, f, m, p, hs, q in given]
            yield Table(f"Transmission error of {name}, torque on {found.wheel}", columns, rows)

    def picture(self) -> Picture:
        """The error over the mesh cycle, a curve a torque."""
        curves = [
            Curve(f"{name}, {1e-3 * float(t):.4g} kN m", found.phase, error)
            for name, found in self.meshes.items()
            for t, error in zip(found.torque, found.error, strict=True)
        ]
        return Picture("position in the mesh cycle", "transmission error [m]", curves)


def transmission_error(
    drivetrain: Any,
    stage: str | None = None,
    *,
    torques: str | float | Sequence[str | float] = (),
    method: str | None = None,
    mesh: str | None = None,
    overrides: Sequence[str] = (),
) -> TransmissionError:
    """Static transmission error under load, with modifications: mean, swing and mesh harmonics over torque.

    Parameters
    ----------
    drivetrain : a Drivetrain, a path or the name of an example
    stage : needed where there are several
    torques : on the first wheel of the mesh, of one mesh: N m, or text such as ``"25 kN m"``; none: eight steps up to twice the
        operating load
    method : where the stiffness comes from, ``fe`` or ``analytic``; None: ``fe``, or ``analytic`` for gears without a bore or outer diameter
    mesh : one of the stage (``sun_planet``, ``ring_planet``); default: all

    Raises DrivetrainError or GeometryError.
    """
    if method not in (None, "fe", "analytic"):
        raise DrivetrainError(
            f"a transmission error needs the stiffness of teeth: --method fe or analytic, not '{method}'"
        )
    given = (
        []
        if not isinstance(torques, str | float | int) and not len(torques)
        else quantities(torques, "torque", "--torque")
    )
    bad = [t for t in given if t <= 0.0]
    if bad:
        raise DrivetrainError(f"--torque: {bad[0]:g} N m is not positive; the loaded flank is the working one")
    train, meshes = stage_meshes(drivetrain, stage, overrides, mesh)
    remarks: list[str] = []
    method = method or usual_method(meshes, remarks)
    found = {}
    for one in each("mesh", meshes):
        if not given and nominal_force(one, train) is None:
            raise DrivetrainError("this train has no operating torque: give --torque, such as --torque '25 kN m'")
        found[one.name] = errors_over_torque(one, train, method, given)
    return TransmissionError(train.name, str(meshes[0].stage), method, "m, N m, N, Pa", found, remarks=remarks)
