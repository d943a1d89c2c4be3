"""A drivetrain ready to be coupled: torque or speed in at the rotor, torque in at the machine, everything else out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.assembly import Drive, Inputs, Load, assemble
from gearwright.assembly.machines import GRID, settled
from gearwright.errors import CouplingError, listed, nearest
from gearwright.machines.facts import ELECTRIC
from gearwright.remarks import train_remarks
from gearwright.schema.file import Drivetrain
from gearwright.solve.choose import choose
from gearwright.solve.exponential import slots as slots
from gearwright.solve.steady.static import equilibrium
from gearwright.stiffness.resolve import resolved
from gearwright.system import Channel, Signal, Source, State, System, constant
from gearwright.system.former import known_channel
from gearwright.train.expand import expand
from gearwright.train.open import load

Float = NDArray[np.float64]


@dataclass(frozen=True)
class Port:
    """An input: ``factor`` times its value acts as the signal number ``signal`` [N m about +x, or rad/s]; ``rate`` is
    the number of the signal's derivative where the engine needs it. ``start`` is the value at the operating point."""

    name: str
    unit: str
    description: str
    signal: int
    rate: int | None
    factor: float
    start: float


@dataclass(frozen=True)
class Plant:
    """A system whose inputs are ports.

    Attributes
    ----------
    system : signals of the ports hold one piece for all times, which the stepper rewrites
    ports : in the order ``rotor_torque`` or ``rotor_speed``, then ``generator_torque``, or of an electrical machine inside
        ``voltage``, ``frequency`` and ``torque_reference`` (not of an induction machine)
    state : loaded equilibrium at the operating point
    rotor, machine : bodies at both ends
    ratio : speed of the machine over that of the rotor, with its sign
    """

    drivetrain: Any
    system: System
    ports: tuple[Port, ...]
    state: State
    rotor: str
    machine: str
    ratio: float
    #: what the train and its assembly assumed, noted and warn of
    remarks: tuple[str, ...] = ()

    def channel(self, name: str) -> int:
        """Number of a channel by ``element.quantity``. Raises CouplingError with the nearest names."""
        names = [c.name for c in self.system.channels]
        name = known_channel(name, names)
        if name in names:
            return names.index(name)
        meant = nearest(name, names)
        hint = f" Did you mean '{meant}'?" if meant else ""
        raise CouplingError(f"there is no channel '{name}'; there are {listed(names, 12)}.{hint}")


def moving(value: float) -> Signal:
    """A signal that a stepper rewrites: one piece that holds for all times, and one that never comes."""
    return Signal(np.array([0.0, 1e12]), np.array([[value, 1e-30, 0.0, 0.0]] * 2))


def make_plant(
    drivetrain: Any,
    fidelity: str | None = None,
    law: str | None = None,
    *,
    rotor: str = "torque",
    generator: str = "torque",
    speed: float | None = None,
    torque: float | None = None,
    overrides: Sequence[str] = (),
) -> Plant:
    """Read a drivetrain and give it ports.

    Parameters
    ----------
    drivetrain : a Drivetrain, a path, or the name of a shipped example
    rotor : ``torque`` or ``speed``, what comes in at the rotor. A rotor whose speed comes in has no inertia that matters
    generator : what comes in at the machine: ``torque``, or ``grid``: the electrical machine of the file stays inside, in
        come voltage, frequency and torque reference
    speed, torque : of the rotor at the start [rad/s, N m]; default: the operating point of the file
    overrides : edits of the file, ``path=value``

    Raises CouplingError, DrivetrainError or AssemblyError for what a user can mend.
    """
    if rotor not in ("torque", "speed"):
        raise CouplingError(f"what comes in at the rotor is 'torque' or 'speed', not '{rotor}'")
    if generator not in ("torque", "grid"):
        raise CouplingError(f"what comes in at the generator is its 'torque' or the 'grid', not '{generator}'")
    if not isinstance(drivetrain, Drivetrain):
        drivetrain = load(drivetrain, overrides)
    train = resolved(expand(drivetrain, fidelity))
    first, last = train.input, train.output
    if first is None or last is None or not train.ratios.get(first):
        raise CouplingError(
            f"'{train.name}' has no operating input and output; a coupling needs both ends (operating: {{input: rotor, "
            f"output: generator, speed: 12.1 rpm, torque: 4.18 MN m}})"
        )
    ratio = train.ratios[last] / train.ratios[first]
    if ratio == 0.0:
        raise CouplingError(f"'{last}' does not turn with '{first}'")
    at_speed = float(train.speed or 0.0) if speed is None else speed
    at_torque = float(train.torque or 0.0) if torque is None else torque
    train = replace(train, speed=at_speed)
    sense = math.copysign(1.0, ratio * (at_speed or 1.0))
    braking = at_torque / abs(ratio) * math.copysign(1.0, at_speed or 1.0)
    push = Load(first, moving(at_torque), name="rotor torque")
    brake = Load(last, moving(-sense * braking), name="generator torque")
    drives = (Drive(first, moving(at_speed)),) if rotor == "speed" else ()
    loads = tuple(x for x, there in ((push, rotor == "torque"), (brake, generator == "torque")) if there)
    inputs = Inputs(loads, drives)
    if generator == "grid":
        train, machine = _electric(train, last)
        still = (moving(1.0), moving(1.0), moving(0.0))
        inputs = replace(inputs, grid=still, references={machine.name: moving(abs(braking))})
    system = assemble(train, fidelity, law, inputs)
    names = list(system.signal_names)
    if generator == "grid":
        ends = _grid_ports(names, machine.name, abs(braking))
    else:
        said = f"torque of the generator, positive when it brakes: about {'-' if sense > 0.0 else '+'}x"
        at = names.index("generator torque")
        ends = (Port("generator_torque", "N.m", said, at, None, -sense, braking),)
    end = _rotor_port(names, first, rotor, at_torque if rotor == "torque" else at_speed)
    remarks = (*train_remarks(train.notes), *system.provenance.notes)
    return Plant(drivetrain, system, (end, *ends), _start(system, (end, *ends)), first, last, ratio, remarks)


def _rotor_port(names: list[str], body: str, rotor: str, start: float) -> Port:
    """The port at the rotor: its torque or its speed."""
    if rotor == "torque":
        said = "torque on the rotor, positive about +x, from rotor to machine"
        return Port("rotor_torque", "N.m", said, names.index("rotor torque"), None, 1.0, start)
    signal, said = f"speed of {body}", "speed of the rotor, positive about +x"
    return Port("rotor_speed", "rad/s", said, names.index(signal), names.index(f"rate of {signal}"), 1.0, start)


def at_the_joint(plant: Plant) -> Plant:
    """A plant driven by the speed of its rotor, whose torque channel there is what goes through the joint: the rotor's own inertia
    belongs to the program that keeps the rotor."""
    hub = plant.system.coordinates.index(f"{plant.rotor}.rotation")
    own = (Source.ACCELERATION, hub)

    def joint(channel: Channel) -> Channel:
        if channel.kind != "machine" or "reaction" not in channel.sign or channel.element != reaction_of(plant):
            return channel
        return replace(
            channel,
            terms=tuple(t for t in channel.terms if t[:2] != own),
            sign="torque that goes from the rotor into the drivetrain, positive about +x",
        )

    return replace(plant, system=replace(plant.system, channels=tuple(joint(c) for c in plant.system.channels)))


def reaction_of(plant: Plant) -> str:
    """Name under which the torque that drives the rotor is recorded: its machine's, or its own. Raises CouplingError."""
    found = [
        c for c in plant.system.channels if c.kind == "machine" and c.quantity == "torque" and c.element == plant.rotor
    ]
    found += [
        c for c in plant.system.channels if c.kind == "machine" and c.quantity == "torque" and "reaction" in c.sign
    ]
    if not found:
        raise CouplingError("the rotor's torque is not among the channels")
    return found[0].element


def _electric(train: Any, body: str) -> tuple[Any, Any]:
    """The train at the speed of its electrical machine at ``body``, and that machine."""
    found = [m for m in train.machines.values() if m.body == body]
    if not found or found[0].type not in ELECTRIC:
        kind = f"is of type {found[0].type}" if found else "has no machine"
        raise CouplingError(
            f"'{body}' {kind}: the grid comes in at an electrical machine (type {', '.join(ELECTRIC)}), "
            f"machines.{found[0].name if found else body}.type"
        )
    return settled(train, set())[0], found[0]


def _grid_ports(names: list[str], machine: str, torque: float) -> tuple[Port, ...]:
    said = "voltage of the grid at the machine, positive sequence, p.u."
    made = [Port("voltage", "1", said, names.index(GRID[0]), None, 1.0, 1.0)]
    made.append(Port("frequency", "1", "frequency of the grid, p.u.", names.index(GRID[1]), None, 1.0, 1.0))
    reference = f"{machine}.torque_reference"
    if reference in names:
        said = "torque that the machine is asked for, braking"
        made.append(Port("torque_reference", "N.m", said, names.index(reference), None, 1.0, torque))
    return tuple(made)


def _start(system: System, ports: tuple[Port, ...]) -> State:
    if not system.row_stiffness().any():
        return State.start(system)
    held = {p.signal: constant(p.factor * p.start) for p in ports}
    held.update({p.rate: constant(0.0) for p in ports if p.rate is not None})
    still = replace(system, signals=tuple(held.get(i, x) for i, x in enumerate(system.signals)))
    return State.start(system, q=equilibrium(still).q)


class Stepper:
    """Steps a plant from outside: set inputs, step, read channels. The native twin of the exported engine.

    Inputs hold over a step; a rate lets them move linearly. ``method`` names the engine; default: the one that a run
    would take.
    """

    def __init__(
        self,
        plant: Plant,
        step: float,
        tolerance: float = 1e-6,
        channels: Sequence[int] | None = None,
        method: str | None = None,
    ):
        self.plant, self.step_size = plant, step
        system = plant.system
        chosen = system.channels if channels is None else tuple(system.channels[i] for i in channels)
        self.engine, self.reason = choose(system, step, tolerance, method)
        self.state = plant.state.copy()
        self._write([(p.start, 0.0) for p in plant.ports], 0.0)
        self.plan = self.engine.prepare(system, chosen, step, tolerance)
        if self.engine.name == "exponential":
            # this engine keeps a copy of the signals; the stepper rewrites them, so it has to read the system's own
            self.plan.table.bind(slots.SSTART, system.arrays.sstart)
            self.plan.table.bind(slots.SCOEF, system.arrays.scoef)

    def _write(self, inputs: Sequence[tuple[float, float]], t: float) -> None:
        a = self.plant.system.arrays
        for port, (value, rate) in zip(self.plant.ports, inputs, strict=True):
            for signal, first, slope in ((port.signal, value, rate), (port.rate, rate, 0.0)):
                if signal is not None:
                    piece = int(a.sptr[signal])
                    a.scoef[4 * piece], a.scoef[4 * piece + 1] = port.factor * first, port.factor * slope
                    a.sstart[piece] = t

    def step(self, values: Sequence[float], rates: Sequence[float] | None = None) -> Float:
        """One step with the inputs given; the channels at its end.

        Raises Diverged from the engine.
        """
        self._write(list(zip(values, rates or [0.0] * len(values), strict=True)), self.state.t)
        number = round(self.state.t / self.step_size)
        block = self.engine.advance(self.plan, self.state, 1)
        self.state.t = (number + 1) * self.step_size
        return block.lines[0]


def is_linear(system: System) -> bool:
    """Whether a system is made of springs alone: the exported engine's steps are exact whatever their size."""
    s = system.shape
    return not (s.laws or s.hard or s.friction or len(system.arrays.grow))


def model_name(name: str) -> str:
    """A name that C, XML and files take: letters, digits, underscores."""
    made = "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in Path(name).stem)
    return made if made and not made[0].isdigit() else f"m_{made}"
