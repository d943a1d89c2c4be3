"""Machines of a train as acts on the rotation of their bodies: constant torque, slip line, curve, electrical machine."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gearwright.laws.machine import torque_table, tripped_slip
from gearwright.machines import Dfig, Induction, Pmsg
from gearwright.machines.facts import ELECTRIC, MachineError, check, law_of, machine_assumed, machine_data, model_of
from gearwright.remarks import Remark
from gearwright.schema.machines import (
    ConstantParameters,
    DfigParameters,
    PmsgParameters,
    SlipParameters,
    TableParameters,
)
from gearwright.system import Law, Row, Source, Spring, constant
from gearwright.train.train import Machine, Train

from .motion import AssemblyError
from .vehicles import add_engine, add_vehicle, is_vehicle

if TYPE_CHECKING:
    from .work import Assembly

#: types of machine that an event trips and connects (``NAME.engaged``)
BREAKERS = ("constant", "slip", "table")
#: names of the signals of the grid, shared by all machines
GRID = ("grid voltage", "grid frequency", "grid negative sequence")


def machines(work: Assembly) -> None:
    """Attach the machines that no load or drive of the case stands for.

    Raises AssemblyError for facts that an electrical machine does not know and for a point that it cannot hold.
    """
    train = work.train
    loaded = {load.body for load in work.inputs.loads}
    driven = {drive.body for drive in work.inputs.drives}
    for machine in train.machines.values():
        if machine.body not in loaded and machine.body not in driven:
            say_assumed(work, machine)
        if is_vehicle(machine):
            add_vehicle(work, machine)
            continue
        work.machine_torque.setdefault(machine.body, [])
        if machine.body in loaded or machine.body in driven:
            if machine.type not in ("series", "ideal"):  # a series is a load itself
                what = "load" if machine.body in loaded else "speed"
                work.note(
                    f"machine '{machine.name}': the case's {what} of '{machine.body}' stands for it, its own torque is left out"
                )
            continue
        speed = (train.speed or 0.0) * train.ratios.get(machine.body, 0.0)
        if machine.type in BREAKERS:
            _by_speed(work, machine, speed)
        elif machine.type == "engine_map":
            add_engine(work, machine)
        elif machine.type in ELECTRIC:
            _electric(work, machine, speed)


def _by_speed(work: Assembly, machine: Machine, speed: float) -> None:
    """A machine whose torque is constant or follows from its speed alone; times what is connected, where an event trips it."""
    p, builder, rotation = machine.parameters, work.builder, work.motions.rotation(machine.body)
    engaged = work.inputs.engaged.get(machine.name)
    breaker: int | None = None
    if engaged is not None and machine.type != "constant":
        breaker = builder.signal_number(builder.signal(f"{machine.name}.engaged", engaged))
    if isinstance(p, ConstantParameters) and p.torque is not None:
        torque = p.torque
        course = constant(torque) if engaged is None else engaged.scaled(torque)
        signal = builder.signal(f"{machine.name}.torque", course)
        builder.input(f"{machine.body}.rotation", signal)
        work.machine_torque[machine.body].append((Source.SIGNAL, signal, 1.0))
        return
    if isinstance(p, SlipParameters):
        slope, synchronous = _slip_line(p, speed)
        row = f"{machine.name}.slope"
        if breaker is None or engaged is None:
            builder.row(row, rotation, Spring(0.0, slope, synchronous))
        else:
            law = tripped_slip(slope, synchronous, breaker, float(engaged(0.0)))
            builder.block(machine.name, [Row(row, rotation)], law)
    elif isinstance(p, TableParameters) and p.table:
        points = np.array(p.table, float)
        row = f"{machine.name}.curve"
        law = torque_table(points[:, 0].tolist(), points[:, 1].tolist(), speed, breaker)
        builder.block(machine.name, [Row(row, rotation)], law)
    else:
        return
    work.machine_torque[machine.body].append((Source.FORCE, row, -1.0))


def say_assumed(work: Assembly, machine: Machine) -> None:
    """Note what is taken for a machine that its file does not say."""
    for said in machine_assumed(machine.type, machine.parameters, machine.pedal):
        work.note(Remark(f"machine '{machine.name}': {said}", said.kind))


def _slip_line(p: SlipParameters, speed: float) -> tuple[float, float]:
    """Slope [N m s/rad] and synchronous speed (with the sign of the train's) of a linear slip curve."""
    assert p.synchronous_speed and p.rated_power is not None and p.rated_slip  # the train asks for them
    synchronous = p.synchronous_speed
    if speed < 0.0:
        synchronous = -synchronous
    rated = p.rated_power / (abs(synchronous) * (1.0 + p.rated_slip))
    return rated / (abs(synchronous) * p.rated_slip), synchronous


def electric_facts(machine: Machine) -> Dfig | Pmsg | Induction:
    """Data of an electrical machine of a train; its torque reference is not part of them.

    Raises AssemblyError.
    """
    try:
        return machine_data(machine.parameters)
    except MachineError as error:
        raise AssemblyError(f"machine '{machine.name}': {error}") from None


def reference_torque(train: Train, machine: Machine) -> float:
    """Braking torque [N m] that a machine is asked for: ``torque`` of its parameters, or that of the operating point.

    Raises AssemblyError if the file has neither.
    """
    p = machine.parameters
    if isinstance(p, (DfigParameters, PmsgParameters)) and p.torque is not None:
        return abs(p.torque)
    ratio = train.ratios.get(machine.body, 0.0) / (train.ratios.get(train.input or "", 1.0) or 1.0)
    if train.torque is None or not ratio:
        raise AssemblyError(
            f"machine '{machine.name}': a {machine.type} follows a torque reference; give parameters.torque, or "
            f"operating.torque from which it follows"
        )
    return abs(train.torque / ratio)


def settled(train: Train, taken: set[str]) -> tuple[Train, list[str]]:
    """The train at the speed at which its induction machine gives the operating torque, and a note if that moved it.

    ``taken`` are bodies whose machines a load or drive replaces. The operating speed of a file is rarely that of the
    machine's curve to the last digit, and a run starts from balance.
    Raises AssemblyError where the two differ by more than 3 %, or where the machine cannot give the torque.
    """
    for machine in train.machines.values():
        ratio = train.ratios.get(machine.body, 0.0)
        if machine.type != "induction" or machine.body in taken or not train.speed or not ratio or train.torque is None:
            continue
        data = electric_facts(machine)
        assert isinstance(data, Induction)
        # positive operating torque at positive speed drives a generator; at negative speed it is driven
        torque = train.torque / abs(ratio) * (1.0 if train.speed > 0.0 else -1.0)
        if machine.body == train.input:
            torque = -torque
        try:
            speed = (1.0 - data.slip_at(torque)) * data.speed / data.pole_pairs / abs(ratio)
        except ValueError as error:
            raise AssemblyError(f"machine '{machine.name}' at the operating torque: {error}") from None
        off = abs(train.speed) / speed - 1.0
        if abs(off) > 0.03:
            raise AssemblyError(
                f"machine '{machine.name}' gives the operating torque at {speed:.6g} rad/s of '{train.input}', but operating.speed "
                f"is {abs(train.speed):.6g} rad/s; set operating.speed to that, or operating.torque to the machine's"
            )
        if abs(off) > 1e-9:
            factor = speed / abs(train.speed)
            text = f"'{train.input}' starts at {speed:.7g} rad/s, where the curve of machine '{machine.name}' gives the operating torque"
            return replace(train, speed=train.speed * factor), [text]
    return train, []


def electric_law(
    machine: Machine,
    data: Dfig | Pmsg | Induction,
    torque: float,
    speed: float,
    reference: int,
    grid: tuple[int, int, int],
) -> tuple[Law, str]:
    """The law of an electrical machine at rest at its operating point, by the numbers of its signals, and what is said of it.

    Raises AssemblyError where it has no such point, or cannot hold it.
    """
    try:
        poles = check(data, torque, abs(speed))
        law = law_of(data, torque, abs(speed), math.copysign(1.0, speed), (grid[0], reference, grid[1], grid[2]))
    except MachineError as error:
        raise AssemblyError(f"machine '{machine.name}': {error}") from None
    slowest = f"; slowest pole {poles[0].real:.4g} 1/s" if poles else ""
    return law, f"machine '{machine.name}': {model_of(data)}{slowest}"


def _electric(work: Assembly, machine: Machine, speed: float) -> None:
    train, builder = work.train, work.builder
    data = electric_facts(machine)
    if not speed:
        raise AssemblyError(f"machine '{machine.name}': a {machine.type} needs operating.speed, from which it starts")
    for name, signal in zip(GRID, work.inputs.grid or (constant(1.0), constant(1.0), constant(0.0)), strict=True):
        if not builder.has_signal(name):
            builder.signal(name, signal)
    reference, torque, name = 0, 0.0, f"{machine.name}.torque_reference"
    if not isinstance(data, Induction):
        torque = reference_torque(train, machine)
        builder.signal(name, work.inputs.references.get(machine.name, constant(torque)))
        reference = builder.signal_number(name)
        torque = float(work.inputs.references.get(machine.name, constant(torque))(0.0))
    of = builder.signal_number
    grid = of(GRID[0]), of(GRID[1]), of(GRID[2])
    law, said = electric_law(machine, data, torque, speed, reference, grid)
    rotation = work.motions.rotation(machine.body)
    row = f"{machine.name}.electric"
    builder.block(machine.name, [Row(row, rotation)], law)
    work.machine_torque[machine.body].append((Source.FORCE, row, -1.0))
    work.note(said)
    channel = builder.channel
    channel("machine", machine.name, "voltage", "1", "positive sequence, p.u.", [(Source.SIGNAL, GRID[0], 1.0)])
    if not isinstance(data, Induction):
        channel("machine", machine.name, "torque_reference", "N m", "braking", [(Source.SIGNAL, name, 1.0)])
    if isinstance(data, Pmsg) or law.states:
        quantity, unit, words = (
            ("current", "A", "out of the machine, peak")
            if isinstance(data, Pmsg)
            else ("rotor_flux", "Wb", "d along the stator's flux, peak")
        )
        for i, axis in enumerate("dq"):
            channel(
                "machine", machine.name, f"{quantity}_{axis}", unit, words, [(Source.STATE, f"{machine.name}:{i}", 1.0)]
            )
