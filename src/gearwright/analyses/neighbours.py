"""A model and its neighbours: the same file with one number a little smaller and a little larger, assembled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatch

import numpy as np
from numpy.typing import NDArray

from gearwright.assembly import Drive, Inputs, Load, assemble
from gearwright.errors import DrivetrainError, GearwrightError
from gearwright.running.rolling import with_rolling
from gearwright.schema.file import Drivetrain
from gearwright.schema.numbers import FileNumber, number_at, numbers_of
from gearwright.schema.places import Values
from gearwright.schema.read import read_drivetrain
from gearwright.solve.steady.modes import held_rows
from gearwright.solve.steady.sensitivity import Matrices
from gearwright.solve.steady.static import Equilibrium, equilibrium, moved_equilibria
from gearwright.system import System, constant
from gearwright.train.expand import expand
from gearwright.train.train import Train

from .static_loads import channel_values

Float = NDArray[np.float64]

#: relative step to both sides; what is left of the curvature of a file's numbers is of its square
STEP = 1e-4


@dataclass(frozen=True)
class Model:
    """A drivetrain without its cases, and how it is assembled: ``fidelity`` and ``law`` (None: the file's)."""

    drivetrain: Drivetrain
    fidelity: str | None
    law: str | None

    @classmethod
    def of(cls, drivetrain: Drivetrain, fidelity: str | None, law: str | None) -> Model:
        """The model of a drivetrain; cases and campaigns, which no linear analysis reads, are left out."""
        raw = {key: value for key, value in drivetrain.raw.items() if key not in ("cases", "campaigns")}
        bare = replace_raw(drivetrain, raw)
        return cls(bare, fidelity, law)

    def moved(self, numbers: Sequence[FileNumber], factor: float) -> Model:
        """The model with numbers times a factor. Raises DrivetrainError where the file does not allow it."""
        moved = read_drivetrain(self.drivetrain, {n.path: n.times(factor) for n in numbers})
        return replace(self, drivetrain=moved)

    def train(self) -> Train:
        """The train, with the stiffness of its rolling bearings at the operating point."""
        return with_rolling(expand(self.drivetrain, self.fidelity), self.fidelity, linear=True)


def replace_raw(drivetrain: Drivetrain, raw: Values) -> Drivetrain:
    """A drivetrain with another mapping; names of files beside it keep their meaning."""
    made = read_drivetrain(raw)
    made._file = drivetrain.file
    return made


def chosen_numbers(drivetrain: Drivetrain, of: Sequence[str]) -> list[FileNumber]:
    """The numbers that are asked for: by path, by the path of a group, by a pattern; all of the model without any.

    Raises DrivetrainError for a path that leads to no number.
    """
    known = numbers_of(drivetrain.raw)
    if not of:
        return known
    found: dict[str, FileNumber] = {}
    for path in of:
        mine = [n for n in known if n.path == path or n.path.startswith(f"{path}.") or fnmatch(n.path, path)]
        if not mine:
            one = number_at(drivetrain.raw, path)
            if one.value == 0.0:
                raise DrivetrainError(f"'{path}' is 0, which has no relative change: give it a value first")
            mine = [one]
        found.update((n.path, n) for n in mine)
    return list(found.values())


@dataclass(frozen=True)
class Assembled:
    """A model as a system: of its train, free, and with the output held under the operating torque (None without one)."""

    drivetrain: Drivetrain
    train: Train
    free: System
    loaded: System | None


def assembled(model: Model, loads: bool = True) -> Assembled:
    """Assemble a model; ``loads``: also under its operating torque."""
    train = model.train()
    free = assemble(train, model.fidelity, model.law)
    torque = train.torque if loads else None
    if torque is None or train.output is None or train.input is None:
        return Assembled(model.drivetrain, train, free, None)
    inputs = Inputs(
        (Load(train.input, constant(torque), name="operating torque"),), (Drive(train.output, constant(0.0)),)
    )
    return Assembled(model.drivetrain, train, free, assemble(train, model.fidelity, model.law, inputs))


def matrices_of(system: System) -> Matrices:
    """Mass, damping and stiffness of a system about its unloaded position."""
    mass, stiffness, damping = system.linear()
    return Matrices(mass, damping, stiffness)


@dataclass(frozen=True)
class Pair:
    """Both neighbours of a model for a number (or some that move together), and the relative distance of each from it."""

    numbers: tuple[FileNumber, ...]
    low: Assembled
    high: Assembled
    step: float

    @property
    def number(self) -> FileNumber:
        """The first of the numbers."""
        return self.numbers[0]

    def matrices(self) -> Matrices:
        """Change of the matrices per relative change of the number."""
        low, high = matrices_of(self.low.free), matrices_of(self.high.free)
        per = 0.5 / self.step
        return Matrices(
            per * (high.mass - low.mass), per * (high.damping - low.damping), per * (high.stiffness - low.stiffness)
        )


def neighbours(model: Model, base: Assembled, numbers: Sequence[FileNumber]) -> Pair:
    """Neighbours of a model. Raises DrivetrainError where the numbers cannot move, or move what is rigid."""
    number = numbers[0]
    loads = base.loaded is not None
    try:
        low, high = (assembled(model.moved(numbers, 1.0 + way * STEP), loads) for way in (-1.0, 1.0))
    except GearwrightError as error:
        first = str(error).strip().splitlines()[-1].strip()
        raise DrivetrainError(f"{number.path} cannot move alone: {first}") from None
    for one in (low, high):
        if one.free.coordinates != base.free.coordinates or one.free.rows != base.free.rows:
            raise DrivetrainError(f"{number.path} changes what the model is made of")
        if not np.allclose(held_rows(one.free), held_rows(base.free), rtol=1e-12, atol=0.0):
            raise DrivetrainError(f"{number.path} moves rows that are held rigidly; take another law")
    return Pair(tuple(numbers), low, high, STEP)


def loads_of(system: System, found: Equilibrium) -> dict[str, float]:
    """Loads by name: forces of meshes, radial forces of bearings, torques of shafts."""
    values = channel_values(system, found)
    out: dict[str, float] = {}
    for channel in system.channels:
        name, value = channel.name, values[channel.name]
        if channel.kind in ("mesh", "shaft") and channel.quantity in ("force", "torque"):
            out[name] = value
        elif channel.kind == "bearing" and channel.quantity == "force_y":
            out[f"{channel.element}.force"] = float(np.hypot(value, values[f"{channel.element}.force_z"]))
    return out


def static_of(base: Assembled) -> Equilibrium | None:
    """The equilibrium under the operating torque; None without one."""
    return None if base.loaded is None else equilibrium(base.loaded)


def load_changes(base: Assembled, found: Equilibrium, pair: Pair) -> dict[str, float]:
    """Change of every load per relative change of the number."""
    assert base.loaded is not None and pair.low.loaded is not None and pair.high.loaded is not None
    ends = moved_equilibria(base.loaded, found, pair.low.loaded, pair.high.loaded)
    low, high = loads_of(pair.low.loaded, ends[0]), loads_of(pair.high.loaded, ends[1])
    return {name: (high[name] - low[name]) / (2.0 * pair.step) for name in low}
