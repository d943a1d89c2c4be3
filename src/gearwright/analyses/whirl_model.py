"""A train as a rotor on bearings: what turns how fast, and the names of its whirling modes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gearwright.assembly import assemble
from gearwright.errors import DrivetrainError
from gearwright.remarks import assumed, train_remarks
from gearwright.running.rolling import with_rolling
from gearwright.schema.file import Drivetrain
from gearwright.solve.steady.whirl import Rotor, circles, rotor
from gearwright.train.expand import expand
from gearwright.train.open import load
from gearwright.train.train import Train

from .campbell import Excitation, excitation_lines

Float = NDArray[np.float64]
Complex = NDArray[np.complex128]

Sense = Literal["forward", "backward", "mixed", "straight", "torsional", "axial"]

#: difference of the circles of an orbit, of their sum of squares, below which it is a straight line
STRAIGHT = 0.02
#: orbit of a body, of the largest one, below which it does not count for the name of a mode
SMALL = 0.05


@dataclass(frozen=True)
class Station:
    """A body, or a node of a shaft, that moves across its axis: numbers of its coordinates, and how fast it turns per unit speed
    of the input."""

    name: str
    y: int
    z: int
    tilts: tuple[int, int] | None
    ratio: float


@dataclass(frozen=True)
class WhirlModel:
    """The rotor of a train, its stations, excitation lines, and what was said on the way."""

    train: Train
    rotor: Rotor
    stations: tuple[Station, ...]
    lines: tuple[Excitation, ...]
    operating: float | None
    remarks: tuple[str, ...]

    def named(self, shape: Complex) -> tuple[Sense, float, str]:
        """Whirl of a shape (n,), its share of forward less backward motion (-1 to 1), and the body that moves most.

        Shares count with mass and inertia. Forward is the sense in which the body itself turns.
        """
        y, z, ty, tz, tilting, ahead, across, weight = self._places
        energy = weight * np.abs(shape) ** 2
        if energy[across].sum() < 0.5 * energy.sum():
            rest = np.setdiff1d(np.arange(len(shape)), across)
            top = self.rotor.system.coordinates[int(rest[energy[rest].argmax()])]
            return ("axial" if top.endswith(".x") else "torsional"), 0.0, top.rpartition(".")[0]
        with_x, against = circles(shape[y], shape[z])
        tilt_with, tilt_against = circles(shape[ty], shape[tz])
        mass, inertia = 0.5 * (weight[y] + weight[z]), 0.5 * (weight[ty] + weight[tz]) * tilting
        one, other = mass * with_x**2 + inertia * tilt_with**2, mass * against**2 + inertia * tilt_against**2
        forward, backward = np.where(ahead, one, other), np.where(ahead, other, one)
        both, size = forward + backward, with_x + against
        share = float((forward - backward).sum() / both.sum())
        where = self.stations[int(size.argmax())].name
        telling = (both > SMALL**2 * both.max()) & (size > SMALL * size.max())
        own = (forward - backward)[telling] / both[telling]
        if abs(share) < STRAIGHT and np.abs(own).max(initial=0.0) < STRAIGHT:
            return "straight", share, where
        if own.min(initial=1.0) < -STRAIGHT and own.max(initial=-1.0) > STRAIGHT:
            return "mixed", share, where
        return ("forward" if share > 0.0 else "backward"), share, where

    @cached_property
    def _places(self) -> tuple[NDArray[Any], ...]:
        """Coordinates y, z and tilts of all stations, which of them tilt and which turn forward, all these coordinates, and the
        diagonal of the mass matrix."""
        pairs = [s.tilts or (s.y, s.z) for s in self.stations]
        y, z = np.array([s.y for s in self.stations]), np.array([s.z for s in self.stations])
        tilting = np.array([s.tilts is not None for s in self.stations])
        ahead = np.array([s.ratio >= 0.0 for s in self.stations])
        ty, tz = (np.array([p[i] for p in pairs]) for i in (0, 1))
        across = np.unique(np.concatenate([y, z, ty, tz]))
        return y, z, ty, tz, tilting, ahead, across, self.rotor.system.mass.toarray().diagonal()

    def station(self, name: str) -> Station:
        """A station by its name."""
        return next(s for s in self.stations if s.name == name)


def whirl_model(made: Drivetrain, rotating_damping: bool, harmonics: int, speed: float | None) -> WhirlModel:
    """The rotor of a drivetrain at fidelity spatial, law linear, with its planets where they stand.

    ``speed``: of the input, for laws that are taken by their tangents, where the file has none. Raises DrivetrainError for a train
    without an input, one that nothing turns, and one in which nothing moves across its axis.
    """
    planets = any(b.on is not None for b in expand(made, "spatial").bodies.values())
    made = load(made, ["model.gyroscopic=true", *(["model.frames=frozen"] if planets else [])])
    train = with_rolling(expand(made, "spatial"), "spatial", linear=True)
    if not train.ratios or train.input is None:
        raise DrivetrainError(
            f"'{train.name}' has no input, or no speed ratios to it: whirl needs operating: {{input: BODY, speed: ...}} in the file"
        )
    operating = abs(train.speed) if train.speed else None
    at = operating or speed
    if not at:
        raise DrivetrainError(
            f"'{train.name}' has no operating speed: give operating: {{input: {train.input}, speed: ...}} in the file, or speeds"
        )
    system = assemble(train, "spatial", "linear")
    number = {name: i for i, name in enumerate(system.coordinates)}
    turning = np.zeros(len(number))
    for name, ratio in train.ratios.items():
        if f"{name}.rotation" in number:
            turning[number[f"{name}.rotation"]] = ratio
    of_nodes = {name.rpartition(".")[0] for name in number} - set(train.ratios)
    reference = f"{train.input}.rotation"
    for name in of_nodes:  # nodes of shafts turn as the rigid train does
        if system.shape.rigid and f"{name}.rotation" in number and reference in number:
            u = system.u[0]
            turning[number[f"{name}.rotation"]] = u[number[f"{name}.rotation"]] / u[number[reference]]
    stations = tuple(
        Station(
            name,
            number[f"{name}.y"],
            number[f"{name}.z"],
            (number[f"{name}.tilt_y"], number[f"{name}.tilt_z"]) if f"{name}.tilt_y" in number else None,
            float(turning[number[f"{name}.rotation"]]) if f"{name}.rotation" in number else 0.0,
        )
        for name in dict.fromkeys(c.rpartition(".")[0] for c in system.coordinates)
        if f"{name}.y" in number and f"{name}.z" in number
    )
    if not stations:
        raise DrivetrainError(
            f"in '{train.name}' nothing moves across its axis: whirl needs masses, bearings with a stiffness, or shafts with dimensions"
        )
    pairs = list(_damped_pairs(system, train, turning, number))
    said = [*train_remarks(train.notes), *system.provenance.notes]
    if planets:
        said.append(assumed("planets stay where they stand while everything turns (model.frames: frozen)"))
    if pairs and not rotating_damping:
        said.append(
            assumed("the damping of shafts in bending acts as if they stood still; rotating damping turns with them")
        )
    said += [
        f"bearing '{b.name}' has a clearance and is taken unloaded, where it holds nothing"
        for b in train.bearings.values()
        if b.clearance
    ]
    model = rotor(system, turning, at, pairs if rotating_damping else ())
    lines = excitation_lines(train, harmonics)
    return WhirlModel(train, model, stations, lines, operating, tuple(said))


def _damped_pairs(
    system: Any, train: Train, turning: Float, number: dict[str, int]
) -> Sequence[tuple[int, int, float]]:
    """Rows about y and about z of every bending deformation of a shaft that is damped, and how fast the shaft turns."""
    place = {name: i for i, name in enumerate(system.rows)}
    first = system.spring_rows.start
    found = []
    parts = [name.removesuffix("_y") for name in system.rows if name.endswith((".bending_y", ".shear_y"))]
    for part in parts:
        y, z = place[f"{part}_y"], place.get(f"{part}_z")
        if z is None or y < first or z < first or not system.arrays.c[y - first]:
            continue
        ends = [c for c in system.D[y].indices if system.D[y].data is not None]
        body = system.coordinates[int(ends[0])].rpartition(".")[0]
        rate = float(turning[number[f"{body}.rotation"]]) if f"{body}.rotation" in number else 0.0
        if rate:
            found.append((y, z, rate))
    return found


def degrees(value: Complex) -> Float:
    """Phases [deg] between -180 and 180, -180 as 180."""
    angle = np.degrees(np.angle(value))
    return np.where(angle <= -180.0 + 1e-12, 180.0, angle)


def decrement(pole: complex) -> float:
    """Logarithmic decrement of a pole: the logarithm of the ratio of one swing to the next."""
    return -2.0 * math.pi * pole.real / pole.imag
