"""A case's loads, speeds and events on a train become the inputs of a system."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gearwright.assembly import Control, Drive, Inputs, Load, Push
from gearwright.assembly.machines import BREAKERS, electric_facts, reference_torque
from gearwright.errors import DrivetrainError, listed, nearest
from gearwright.machines import Dfig, Induction, Pmsg
from gearwright.machines.facts import ELECTRIC
from gearwright.schema.cases import StartSpeed
from gearwright.schema.machines import SeriesParameters
from gearwright.system import Signal, signals
from gearwright.train.train import Train

from .grid import GRID_EVENTS, grid_of, grid_signals, third_order
from .overtime import Recordings, to_signal


@dataclass(frozen=True)
class CaseInputs:
    """What a case applies, which recorded series it used, and what a reader should know of it."""

    inputs: Inputs
    recordings: Recordings
    notes: tuple[str, ...] = ()


def body_named(train: Train, name: str, where: str) -> str:
    """Full name of a body from its own or a short, unique one (machines stand for their body).

    Raises DrivetrainError with the nearest names.
    """
    if name in train.bodies:
        return name
    if name in train.alias:
        return train.alias[name]
    if name in train.machines:
        return train.machines[name].body
    tails = [b for b in train.bodies if b.rsplit(".", 1)[-1] == name]
    if len(tails) == 1:
        return tails[0]
    known = [*train.bodies, *train.machines]
    meant = nearest(name, known)
    hint = f" Did you mean '{meant}'?" if meant else ""
    raise DrivetrainError(f"{where}: there is no body '{name}'. Bodies: {listed(known, 20)}.{hint}")


def case_inputs(train: Train, case: Any, recordings: Recordings, duration: float) -> CaseInputs:
    """Inputs of a case.

    Torques follow the case's loads; the machine of a loaded body is replaced by the load. Speeds prescribe the
    rotation of a body. Events edit a load (``<body>.torque``) or a machine's torque at a time.
    """
    where = f"case '{case.name}'"
    reference = train.speed or 0.0
    loads: list[Load] = []
    pushes: list[Push] = []
    own_ratio = _own_ratio(train)
    for load in case.loads:
        if load.of_mechanism:
            raise DrivetrainError(
                f"case '{case.name}': a load on '{load.on}' has a direction, axes, point or reference, which only "
                f"fidelity multibody knows"
            )
        body = body_named(train, load.on, where)
        torque = signals.constant(0.0)
        if load.torque is not None:
            torque = to_signal(load.torque, recordings, own_ratio=own_ratio, dimension="torque", duration=duration,
                               what=f"torque on {body}")  # fmt: skip
        torque = _edited(torque, case, {load.on, body}, recordings, own_ratio, duration)
        pushes += _pushes(load, body, len(pushes), recordings, own_ratio, duration)
        if load.torque is None and load.slope == 0.0 and load.control is None:
            continue  # non-torque loads alone leave the machine of the body as it is
        speed = reference * train.ratios.get(body, 0.0)
        control = None
        if load.control is not None:
            c = load.control
            wanted = to_signal(
                c.speed,
                recordings,
                own_ratio=own_ratio,
                dimension="rotational speed",
                duration=duration,
                what=f"wanted speed of {body}",
            )
            control = Control(wanted, c.proportional, c.integral, c.derivative, c.filter_time, c.limit or 0.0)
        loads.append(Load(body, torque, load.slope, speed, f"torque on {body} {len(loads) + 1}", control))
    drives = []
    for name, value in case.speeds.items():
        body = body_named(train, name, where)
        speed_signal = to_signal(
            value,
            recordings,
            own_ratio=own_ratio,
            dimension="rotational speed",
            duration=duration,
            what=f"speed of {body}",
        )
        drives.append(Drive(body, speed_signal))
    loads += _series_machines(
        train, {load.body for load in loads} | {d.body for d in drives}, recordings, own_ratio, duration
    )
    _refuse_unknown_events(train, case, where)
    capacities = _capacities(train, case, recordings, duration)
    engaged = _engaged(train, case)
    taken = {load.body for load in loads} | {drive.body for drive in drives}
    grid, references, notes = _electrics(train, case, taken, recordings, own_ratio, duration)
    pedals = _pedals(train, case, recordings, duration)
    speeds, vehicles = _initial(train, case, where)
    return CaseInputs(
        Inputs(
            tuple(loads),
            tuple(drives),
            speeds,
            tuple(pushes),
            capacities,
            grid,
            references,
            pedals,
            vehicles,
            engaged,
            case.start == "rest" and bool(speeds or vehicles),
        ),
        recordings,
        notes,
    )


def _initial(train: Train, case: Any, where: str) -> tuple[dict[str, float], dict[str, float]]:
    """Speeds at the start, of bodies [rad/s] and of vehicles [m/s]."""
    speeds, vehicles = {}, {}
    if case.initial and case.start == "periodic":
        raise DrivetrainError(
            f"{where}: start: periodic begins with the speeds of the periodic motion; take initial out"
        )
    for key, said in case.initial.items():
        name = key.removesuffix(".speed")
        value = said.speed if isinstance(said, StartSpeed) else said
        if value is None or (isinstance(said, StartSpeed) and said.model_fields_set != {"speed"}):
            raise DrivetrainError(
                f"{where}.initial.{key}: a speed about the axis is wanted, such as '20 rpm'; velocity and spin belong to a mechanism"
            )
        if name in train.machines and train.machines[name].type == "tracked_chassis":
            vehicles[name] = float(value)
            continue
        body = body_named(train, name, f"{where}.initial")
        if body in {body_named(train, n, f"{where}.speeds") for n in case.speeds}:
            raise DrivetrainError(
                f"{where}.initial.{key}: the case prescribes the speed of '{body}' (speeds), which it has from the start on; take one out"
            )
        speeds[body] = float(value)
    return speeds, vehicles


def _pushes(load: Any, body: str, count: int, recordings: Recordings, own_ratio: float, duration: float) -> list[Push]:
    """Non-torque parts of a load."""
    parts = [("force", m, v) for m, v in zip(("x", "y", "z"), load.force or (), strict=False)]
    parts += [("torque", m, v) for m, v in zip(("tilt_y", "tilt_z"), load.moment or (), strict=False)]
    made: list[Push] = []
    for dimension, motion, value in parts:
        what = f"{'force' if dimension == 'force' else 'moment'} on {body} in {motion}"
        signal = to_signal(value, recordings, own_ratio=own_ratio, dimension=dimension, duration=duration, what=what)
        made.append(Push(body, motion, signal, f"{what} {count + len(made) + 1}"))
    return made


def _series_machines(
    train: Train, taken: set[str], recordings: Recordings, own_ratio: float, duration: float
) -> list[Load]:
    """Loads of machines that follow a series; machines that no part of this version runs are refused."""
    made = []
    for machine in train.machines.values():
        if machine.type in ("engine_map", "tracked_chassis") or machine.body in taken:
            continue  # assembled with the train; or the case says what the machine does
        if isinstance(machine.parameters, SeriesParameters):
            torque = to_signal(
                machine.parameters.torque,
                recordings,
                own_ratio=own_ratio,
                dimension="torque",
                duration=duration,
                what=f"torque of {machine.name}",
            )
            made.append(Load(machine.body, torque, name=f"torque of {machine.name}"))
        elif machine.type not in ("constant", "slip", "table", *ELECTRIC):
            raise DrivetrainError(
                f"machine '{machine.name}' is of type {machine.type}, which this version cannot run; use constant, slip, "
                f"table, series, {', '.join(ELECTRIC)}, or let the case give the torque on '{machine.body}' (loads)"
            )
    return made


def _electrics(
    train: Train, case: Any, taken: set[str], recordings: Recordings, own_ratio: float, duration: float
) -> tuple[tuple[Signal, Signal, Signal] | None, dict[str, Signal], tuple[str, ...]]:
    """Grid and torque references of the electrical machines of a case, from its events, and what holds of the machines in it."""
    machines = [m for m in train.machines.values() if m.type in ELECTRIC and m.body not in taken]
    where = f"case '{case.name}'"
    if not machines:
        if any(event.type in GRID_EVENTS for event in case.events):
            raise DrivetrainError(
                f"{where}: events of a grid need a machine of type {', '.join(ELECTRIC)} that no load replaces"
            )
        return None, {}, ()
    if case.start == "rest":
        raise DrivetrainError(f"{where}: an electrical machine starts from its operating point, not from rest")
    data = [electric_facts(m) for m in machines]
    frequencies = [d.frequency for d in data if not isinstance(d, Pmsg)]
    grid = grid_of(case, frequencies[0] if frequencies else 0.0, where)
    if grid.negative.any() and any(isinstance(d, Induction) and d.order < 5 for d in data):
        raise DrivetrainError(f"{where}: an asymmetric fault of an induction machine needs parameters: {{order: 5}}")
    if grid.voltage[0] != 1.0:
        raise DrivetrainError(
            f"{where}: the voltage starts at {grid.voltage[0]:g} p.u., machines at the operating point of nominal voltage; let "
            f"it change later than 0 s"
        )
    references = {}
    for machine, one in zip(machines, data, strict=True):
        if isinstance(one, Induction):
            continue
        torque = signals.constant(reference_torque(train, machine))
        for event in sorted(
            (e for e in case.events if e.set == f"{machine.name}.torque_reference"), key=lambda e: e.at
        ):
            value = to_signal(
                event.to, recordings, own_ratio=own_ratio, dimension="torque", duration=duration - event.at
            )
            torque = torque.replaced_from(event.at, delayed(value, event.at))
        references[machine.name] = torque
    notes = [
        n
        for m, d in zip(machines, data, strict=True)
        if isinstance(d, Dfig) and d.order == 3
        for n in third_order(m.name, grid)
    ]
    return grid_signals(grid), references, tuple(notes)


def _own_ratio(train: Train) -> float:
    if train.input and train.output and train.ratios.get(train.input):
        return train.ratios[train.output] / train.ratios[train.input]
    return 1.0


def _edited(
    torque: Signal, case: Any, names: set[str], recordings: Recordings, own_ratio: float, duration: float
) -> Signal:
    """The torque with the events that set it; an event's value counts its time from the event."""
    for event in sorted((e for e in case.events if e.set is not None), key=lambda e: e.at):
        if event.set.removesuffix(".torque") in names and event.set.endswith(".torque"):
            value = to_signal(
                event.to, recordings, own_ratio=own_ratio, dimension="torque", duration=duration - event.at
            )
            torque = torque.replaced_from(event.at, delayed(value, event.at))
    return torque


def _capacities(train: Train, case: Any, recordings: Recordings, duration: float) -> dict[str, Signal]:
    """Capacity over time of every brake and clutch: from its facts, and from events that set it or engage it.

    ``<name>.engaged`` true or false takes the capacity of the file, reached within its ``rise``.
    """
    made = {}
    for coupling in train.couplings.values():
        if coupling.type not in ("brake", "clutch"):
            continue
        p = coupling.parameters
        full, rise = float(p["capacity"]), float(p.get("rise") or 0.0)
        signal = signals.constant(full if p.get("engaged", True) else 0.0)
        for event in sorted((e for e in case.events if e.set is not None), key=lambda e: e.at):
            name, _, what = event.set.rpartition(".")
            if name != coupling.name:
                continue
            if what == "capacity":
                value = to_signal(event.to, recordings, dimension="torque", duration=duration - event.at)
                signal = signal.replaced_from(event.at, delayed(value, event.at))
            elif what == "engaged":
                now = float(signal(event.at))
                wanted = full if truth_of(event, case) else 0.0
                over = rise * abs(wanted - now) / full if wanted > now and full else 0.0
                signal = signal.replaced_from(event.at, signals.ramp(now, wanted, event.at, over))
        made[coupling.name] = signal
    return made


def _engaged(train: Train, case: Any) -> dict[str, Signal]:
    """What is connected of machines that events trip (1, or 0 tripped), over time; none for the others."""
    made: dict[str, Signal] = {}
    for event in sorted((e for e in case.events if e.set is not None), key=lambda e: e.at):
        name, _, what = event.set.rpartition(".")
        if what == "engaged" and name in train.machines and train.machines[name].type in BREAKERS:
            now = made.get(name, signals.constant(1.0))
            made[name] = now.replaced_from(event.at, signals.constant(1.0 if truth_of(event, case) else 0.0))
    return made


def _pedals(train: Train, case: Any, recordings: Recordings, duration: float) -> dict[str, Signal]:
    """Pedal over time of every engine (0..1): from its facts, and from events that set it."""
    made = {}
    for machine in train.machines.values():
        if machine.type != "engine_map":
            continue
        signal = signals.constant(1.0 if machine.pedal is None else machine.pedal)
        for event in sorted((e for e in case.events if e.set == f"{machine.name}.pedal"), key=lambda e: e.at):
            value = to_signal(event.to, recordings, dimension="number", duration=duration - event.at)
            seen = value(np.linspace(0.0, duration - event.at, 257)) if duration > event.at else np.zeros(1)
            if seen.min() < 0.0 or seen.max() > 1.0:
                raise DrivetrainError(f"case '{case.name}': '{event.set}' is a share between 0 and 1")
            signal = signal.replaced_from(event.at, delayed(value, event.at))
        made[machine.name] = signal
    return made


def truth_of(event: Any, case: Any) -> bool:
    """Truth value that an event sets. Raises DrivetrainError for anything else."""
    value = event.to.value if event.to.form == "constant" else None
    if value not in (True, False, 0, 1, "true", "false"):
        raise DrivetrainError(f"case '{case.name}': '{event.set}' is set to true or false")
    return value in (True, 1, "true")


def delayed(signal: Signal, by: float) -> Signal:
    """The same course, later by ``by`` [s]."""
    a, w, p, t0 = signal.sine
    return Signal(signal.start + by, signal.coefficients, (a, w, p, max(t0, 0.0) + by), signal.landings + by)


def _refuse_unknown_events(train: Train, case: Any, where: str) -> None:
    names = {load.on for load in case.loads} | {body_named(train, load.on, where) for load in case.loads}
    joints = [
        f"{c.name}.{what}"
        for c in train.couplings.values()
        if c.type in ("brake", "clutch")
        for what in ("capacity", "engaged")
    ]
    joints += [
        f"{m.name}.engaged"
        for m in train.machines.values()
        if m.type in BREAKERS and m.body not in {body_named(train, n, where) for n in names}
    ]
    joints += [f"{m.name}.torque_reference" for m in train.machines.values() if m.type in ("dfig", "pmsg")]
    joints += [f"{m.name}.pedal" for m in train.machines.values() if m.type == "engine_map"]
    for event in case.events:
        if event.type in GRID_EVENTS:
            continue
        if event.set is None:
            raise DrivetrainError(
                f"{where}: an event of type '{event.type}' needs a turbine; without one there are {', '.join(GRID_EVENTS)}, and an "
                f"event can set '<body>.torque' of a load of the case, and '<name>.capacity' or '<name>.engaged' of a brake "
                f"or clutch"
            )
        if event.set in joints:
            continue
        if not event.set.endswith(".torque") or event.set.removesuffix(".torque") not in names:
            known = listed([f"{n}.torque" for n in sorted(names)] + joints)
            raise DrivetrainError(f"{where}: an event cannot set '{event.set}'; it can set {known or 'nothing here'}")


def trim_load(train: Train, case: Any, inertia: float) -> Load | None:
    """The speed trim of a case driven by torques at both ends: a weak slope that holds the operating speed.

    Its work is booked like that of any load. ``inertia`` [kg m^2] is that of the whole train at the body.
    """
    if case.trim is None:
        return None
    body = body_named(train, case.trim.on, f"case '{case.name}'.trim")
    speed = (train.speed or 0.0) * train.ratios.get(body, 0.0)
    return Load(body, signals.constant(0.0), -inertia / case.trim.time_constant, speed, f"trim on {body}")
