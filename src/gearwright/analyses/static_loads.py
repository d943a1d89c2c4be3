"""Loads of the static equilibrium of a drivetrain under given torques, forces and moments."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gearwright.assembly import Drive, Inputs, Load, Push, assemble
from gearwright.errors import DrivetrainError
from gearwright.remarks import train_remarks
from gearwright.running.inputs import body_named
from gearwright.running.rolling import with_rolling
from gearwright.solve.steady.static import equilibrium
from gearwright.system import System, constant
from gearwright.system.sparse import Sparse
from gearwright.train.expand import expand
from gearwright.train.train import Train
from gearwright.units import in_si

from .base import ASIDE, Analysis, Column, Picture, Table, drivetrain_of
from .picture import Curve


@dataclass(frozen=True, repr=False, eq=False)
class StaticLoads(Analysis, Mapping[str, float]):
    """Loads by channel name (``element.quantity``), in SI; the object is a mapping of them."""

    name: str
    fidelity: str
    law: str
    loads: Mapping[str, float]
    units: Mapping[str, str] = field(metadata=ASIDE)

    def __getitem__(self, channel: str) -> float:
        return self.loads[channel]

    def __iter__(self) -> Iterator[str]:
        return iter(self.loads)

    def __len__(self) -> int:
        return len(self.loads)

    def shown(self) -> Iterator[Table | str]:
        """A table for every unit."""
        for unit in dict.fromkeys(self.units.values()):
            rows = [[name, self.loads[name]] for name, own in self.units.items() if own == unit]
            yield Table(f"Static loads of {self.name}", ["channel", Column("load", unit, 6)], rows)

    def picture(self) -> Picture:
        """Forces of meshes and bearings."""
        forces = {name: value for name, value in self.loads.items() if self.units[name] == "N" and value}
        return Picture("channel", "force [N]", [Curve("force", list(forces), list(forces.values()), "bars")])


def static_loads(
    drivetrain: Any,
    torques: Mapping[str, float | str],
    *,
    fidelity: str | None = None,
    law: str | None = None,
    forces: Mapping[str, Sequence[float | str]] | None = None,
    moments: Mapping[str, Sequence[float | str]] | None = None,
    overrides: Sequence[str] = (),
) -> StaticLoads:
    """Loads of the static equilibrium under torques by body [N m], by channel name (``element.quantity``).

    What bearings carry to the housing is given in standing axes, also of members that turn with a carrier, which stands as far
    round as the torques twist it: these forces add up to what acts on the train. ``forces`` (x, y, z) [N] and ``moments`` (about y,
    about z) [N m] by body are the non-torque loads of fidelity spatial, in the standing frame. Numbers are SI; text has a unit
    (``"4 MN m"``). What is out of balance is taken by the output (the machine): its torque is the balancing one. Raises
    DrivetrainError if the train has no output.
    """
    made = drivetrain_of(drivetrain, overrides)
    train = with_rolling(expand(made, fidelity), fidelity)
    if train.output is None:
        raise DrivetrainError(f"{train.name}: static loads need operating.output, the body that takes the torque")
    loads = tuple(
        Load(body_named(train, b, "static loads"), constant(in_si(t, "torque", f"torques['{b}']")))
        for b, t in torques.items()
    )
    # the output held at rest takes the balance
    pushes = tuple(
        Push(body_named(train, body, "static loads"), motion, constant(value))
        for what, given, motions in (
            ("force", forces or {}, ("x", "y", "z")),
            ("torque", moments or {}, ("tilt_y", "tilt_z")),
        )
        for body, values in given.items()
        for motion, value in zip(motions, (in_si(v, what, f"{body}: {what}") for v in values), strict=True)
        if value
    )
    system = assemble(train, fidelity, law, Inputs(loads, (Drive(train.output, constant(0.0)),), pushes=pushes))
    found = equilibrium(system)
    values = _standing(system, train, found, channel_values(system, found))
    said = [*train_remarks(train.notes), *system.provenance.notes]
    units = {c.name: c.unit for c in system.channels}
    return StaticLoads(train.name, system.provenance.fidelity, system.provenance.law, values, units, remarks=said)


def _standing(system: System, train: Train, found: Any, values: dict[str, float]) -> dict[str, float]:
    """Loads on the housing whose axes turn with a body, brought into standing axes from where it stands; what a carrier holds
    keeps the axes of the carrier."""
    held = tuple(f"{b.name}_" for b in train.bodies.values() if b.on is not None)
    by = {c.name: c for c in system.channels if c.kind == "bearing" and not c.element.startswith(held)}
    place = found.q + found.phi @ system.u if len(found.phi) else found.q
    for name, channel in by.items():
        other = f"{name[:-1]}z"
        coordinate = f"{channel.turns_with}.rotation"
        if channel.turns_with and name.endswith("_y") and other in by and coordinate in system.coordinates:
            angle = float(place[system.coordinates.index(coordinate)])
            turned = complex(values[name], values[other]) * complex(math.cos(angle), math.sin(angle))
            values[name], values[other] = turned.real, turned.imag
    return values


def channel_values(system: System, found: Any) -> dict[str, float]:
    """Values of all channels of a system in an equilibrium."""
    sizes = system.shape
    stacked = np.concatenate(
        [
            found.forces,
            found.q,
            system.v0,
            np.zeros(sizes.coordinates),
            system.z0,
            [float(s(0.0)) for s in system.signals],
            np.zeros(sizes.rigid),
            [1.0],
        ]
    )
    lines = system.lines()
    values = Sparse(lines.coef, lines.idx, lines.ptr, (len(lines.ptr) - 1, len(stacked))) @ stacked
    return {c.name: float(v) for c, v in zip(system.channels, values, strict=True)}
