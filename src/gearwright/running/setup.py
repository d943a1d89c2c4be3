"""Set-ups: a drivetrain file with a turbine; its cases are wind and events.

What a set-up adds to a drivetrain: aerodynamics act on the rotor body (split into hub and flexible blades), the
machine follows the torque reference of the controller, a brake acts on the machine's shaft, the voltage of the grid
scales what the machine can do. The gearbox at any fidelity with constant stiffness stands in the same compiled loop.
"""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gearwright.assembly import Inputs, Load, assemble
from gearwright.errors import DrivetrainError, listed
from gearwright.interchange.openfast_deck import read_deck
from gearwright.machines import Dfig, Grid, Induction, Pmsg
from gearwright.machines.facts import (
    MachineError,
    check,
    law_of,
    machine_assumed,
    machine_data,
    model_of,
    sub_steps,
)
from gearwright.remarks import Remark
from gearwright.schema.case_lookup import case_warnings, find_case, with_case
from gearwright.schema.machines import IdealParameters
from gearwright.schema.read import from_mapping
from gearwright.schema.setup import Rotor, TurbineController, TurbineFacts, Wind
from gearwright.system import Channel, Law, Signal, Source, System, signals
from gearwright.train.expand import expand
from gearwright.train.train import Machine, Train
from gearwright.turbine import Schedule, Turbine, bem, load
from gearwright.turbine import wind as air
from gearwright.turbine.linear import refusal
from gearwright.turbine.wind_section import wind_of

from .grid import grid_of, third_order
from .inputs import CaseInputs, body_named
from .intervals import discarded
from .overtime import Recordings
from .rolling import with_rolling
from .setup_assumed import density_of, taken
from .setup_events import schedule_of, too_late
from .turbine_fit import by_table, fitted, held_torque

#: names of the inputs of the loop
INPUTS = ("rotor torque", "machine torque", "brake torque")
#: body of the flexible part of the rotor
BLADES = "blades"

#: machines that a turbine can drive
MACHINES = ("ideal", "dfig", "pmsg", "induction")


@dataclass(frozen=True)
class SetUp:
    """A case of a set-up made ready: all that the loop needs."""

    drivetrain: Any
    train: Train
    case: Any
    system: System
    inputs: CaseInputs
    duration: float
    turbine: Turbine
    wind: air.Wind
    schedule: Schedule
    grid: Grid
    machine: Machine
    rotor_body: str
    hub_body: str
    ratio: float
    rotor: Rotor
    notes: tuple[str, ...] = ()
    #: body on which the brake acts, and its element where an engine steps the drivetrain
    brake_body: str = ""
    brake_element: str | None = None
    #: gear ratio of the turbine's own data: what a controller outside is made for
    turbine_ratio: float = 1.0


def moving(value: float = 0.0, expected: float | None = None) -> Signal:
    """A signal that the loop rewrites: one piece that holds for all times, and one that never comes, with the size that is to be
    ``expected`` (None: the value), by which engines measure errors."""
    later = value if expected is None else expected
    return Signal(np.array([0.0, 1e12]), np.array([[value, 1e-30, 0.0, 0.0], [later, 1e-30, 0.0, 0.0]]))


def is_setup(drivetrain: Any) -> bool:
    """Whether a drivetrain file has a turbine."""
    return drivetrain.turbine is not None


def prepare_setup(
    drivetrain: Any,
    case: str | None = None,
    *,
    fidelity: str | None = None,
    law: Any = None,
    duration: float | None = None,
    stepped: bool = False,
) -> SetUp:
    """Read a case of a set-up and assemble its drivetrain.

    ``stepped``: an engine steps the drivetrain even where its modes could be taken.

    Raises DrivetrainError, TurbineError or AssemblyError for anything a user can mend.
    """
    chosen = find_case(drivetrain, case)
    applied = with_case(drivetrain, case)
    where = f"case '{chosen.name}'"
    assert applied.turbine is not None
    facts = applied.turbine
    length = _length(chosen, duration, where)
    notes: list[str] = case_warnings(drivetrain, chosen.name)
    rotor = facts.rotor or Rotor.silent()
    turbine = by_table(turbine_of(applied), rotor, applied.resolve)
    rotor, flexible = _flexible_parts(turbine, rotor)
    brake: Any = next((e for e in chosen.events if e.type == "brake"), None)
    raw, hub = _with_rotor(applied, turbine, flexible, rotor, brake and brake.on)
    made = from_mapping(raw, applied.file, applied.text, applied.overrides)
    train = with_rolling(expand(made, fidelity), fidelity)
    machine = _machine(train)
    ratio = train.ratios[machine.body] / train.ratios[hub]
    data = _machine_data(machine)
    notes += _machine_remarks(machine)
    turbine_ratio = turbine.gear_ratio
    turbine = fitted(turbine, abs(ratio), facts.controller or TurbineController.silent(), data, notes)
    blowing = _wind(applied, chosen.wind, turbine, length, where)
    schedule = schedule_of(applied, chosen, turbine, where)
    grid = _grid(chosen, data, where)
    notes += [*turbine.notes, *taken(facts, chosen), *too_late(schedule, grid, blowing, length)]
    notes += [*_rated(machine, data, turbine, grid), *(_hard_touches(train) if chosen.events else ())]
    body = BLADES if flexible else hub
    recordings = Recordings(applied.resolve)
    braked = _brake_body(applied, train, brake, machine)
    loads = [Load(b, moving(), name=name) for b, name in zip((body, machine.body, braked), INPUTS, strict=True)]
    inputs = CaseInputs(Inputs(tuple(loads)), recordings)
    system = _without_brake(assemble(train, fidelity, law, inputs.inputs))
    element = None
    if schedule.brake is not None and schedule.brake_slope <= 0.0 and (stepped or refusal(system) is not None):
        # an engine takes the brake as what it is, a set-valued row; one by tanh stays a torque
        element = str((brake and brake.on) or "brake")
        raw["elements"].append(_brake_facts(element, braked, schedule))
        made = from_mapping(raw, applied.file, applied.text, applied.overrides)
        train = with_rolling(expand(made, fidelity), fidelity)
        inputs = CaseInputs(Inputs(tuple(loads[:2]), capacities={element: _brake_capacity(schedule)}), recordings)
        system = _with_brake(assemble(train, fidelity, law, inputs.inputs), element)
    chosen, begun = discarded(system, chosen, length, True)
    return SetUp(
        drivetrain=made,
        train=train,
        case=chosen,
        system=system,
        inputs=inputs,
        duration=length,
        turbine=turbine,
        wind=blowing,
        schedule=schedule,
        grid=grid,
        machine=machine,
        rotor_body=body,
        hub_body=hub,
        ratio=ratio,
        rotor=rotor,
        notes=(*notes, *begun),
        brake_body=braked,
        brake_element=element,
        turbine_ratio=turbine_ratio,
    )


def _machine_remarks(machine: Machine) -> list[Remark]:
    """What is assumed of a machine, with its name."""
    found = machine_assumed(machine.type, machine.parameters)
    return [Remark(f"machine '{machine.name}': {said}", said.kind) for said in found]


def _length(case: Any, duration: float | None, where: str) -> float:
    """How long a case lasts [s]. Raises DrivetrainError for no time, or a case that drives by more than wind and events."""
    length = duration if duration is not None else case.duration
    if length is None or not length > 0.0:
        raise DrivetrainError(f"{where} needs a positive duration; give one in the file or with --duration")
    for what in ("loads", "speeds", "trim", "compare"):
        if getattr(case, what):
            raise DrivetrainError(f"{where}: '{what}' does not go with a turbine; wind and events drive a set-up")
    return float(length)


def _wind(drivetrain: Any, facts: Wind | None, turbine: Turbine, length: float, where: str) -> air.Wind:
    """The wind of a case, for as long as it lasts [s]."""
    if facts is None:
        raise DrivetrainError(
            f"{where} has no wind; for instance wind: {{type: ntm, class: IIA, mean: 12 m/s, seed: 1}}"
        )
    blowing = wind_of(turbine, facts, length, drivetrain.file.parent if drivetrain.file is not None else None)
    blowing.covers(length)
    return blowing


def _flexible_parts(turbine: Turbine, rotor: Rotor) -> tuple[Rotor, bool]:
    """The rotor with its tower settled, and whether the blades bend. Raises DrivetrainError for what the turbine's data lack."""
    if rotor.tower is None:
        rotor = rotor.model_copy(update={"tower": turbine.fore_aft is not None})
    if rotor.tower and turbine.fore_aft is None:
        raise DrivetrainError(f"turbine '{turbine.name}' gives no tower modes; set turbine.rotor.tower: false")
    flexible = turbine.edge is not None if rotor.flexible_blades is None else rotor.flexible_blades
    if flexible and turbine.edge is None:
        raise DrivetrainError(
            f"turbine '{turbine.name}' gives no edgewise mode; set turbine.rotor.flexible_blades: false"
        )
    return rotor, flexible


def _brake_facts(element: str, body: str, schedule: Schedule) -> dict[str, str | float | bool | list[str] | None]:
    """A brake of the schedule as an element of the file."""
    return {
        "name": element,
        "type": "brake",
        "between": [body, "housing"],
        "capacity": schedule.brake_torque,
        "engaged": False,
    }


def _brake_capacity(schedule: Schedule) -> Signal:
    """Torque that the brake of a schedule can hold over time."""
    torque, rise = float(schedule.brake_torque or 0.0), float(schedule.brake_rise or 0.0)
    return signals.ramp(0.0, torque, float(schedule.brake or 0.0), rise)


def turbine_of(drivetrain: Any) -> Turbine:
    """The turbine that a file names: a deck, a data file beside it, or a shipped one. Raises TurbineError."""
    facts: TurbineFacts = drivetrain.turbine
    if facts.deck:
        return read_deck(drivetrain.resolve(facts.deck))
    name = facts.data or "nrel-5mw"
    found = drivetrain.resolve(name)
    return load(str(found) if found.is_file() else name)


def _hard_touches(train: Train) -> list[str]:
    """A note where meshes with backlash are damped so strongly that their first touch is an artefact."""
    beta = float((train.damping and train.damping.stiffness_proportional) or 0.0)
    hard = [
        m.name
        for m in train.meshes.values()
        if m.backlash is not None and (beta or float(m.damping.stiffness_proportional or 0.0)) > 2e-4
    ]
    if not hard:
        return []
    return [
        f"meshes with backlash ({listed(hard, 4)}) have stiffness-proportional damping above 2e-4 s: the force at first touch is "
        f"then that of the damper, not of the teeth; 4e-5 s is about 5 % of a mesh mode"
    ]


def _brake_body(drivetrain: Any, train: Train, event: Any, machine: Machine) -> str:
    """Body on which the brake of an event acts: that of its element, or the machine's."""
    if event is None or event.on is None:
        return machine.body
    facts = next(e for e in drivetrain.elements if e.name == event.on)
    return body_named(train, next(b for b in facts.between if b != "housing"), f"brake '{event.on}'")


def _with_rotor(
    drivetrain: Any, turbine: Turbine, flexible: bool, rotor: Rotor, brake: str | None
) -> tuple[dict[str, Any], str]:
    """The file with the turbine's rotor: its inertia split into hub and blades; ``brake`` and brakes on machines, which an
    event sets, belong to the loop."""
    raw = copy.deepcopy(drivetrain.raw)
    hub = str(drivetrain.turbine.attach or raw.get("operating", {}).get("input") or "rotor")
    bodies = raw.setdefault("bodies", [])
    found = [b for b in bodies if b.get("name") == hub]
    if not found:
        names = [b.get("name", "") for b in bodies]
        raise DrivetrainError(f"turbine.attach: there is no body '{hub}'; bodies of the file: {listed(names, 20)}")
    inertia = turbine.rotor_inertia if rotor.inertia is None else rotor.inertia
    if flexible:
        rest = inertia - turbine.flexible_inertia
        if rest <= 0.0:
            raise DrivetrainError(
                f"the rotor inertia {inertia:g} kg m^2 is less than that of the edgewise mode, {turbine.flexible_inertia:g}"
            )
        found[0]["inertia"] = rest
        bodies.append({"name": BLADES, "inertia": turbine.flexible_inertia})
        raw.setdefault("shafts", []).insert(
            0,
            {
                "name": "blade_edge",
                "between": [BLADES, hub],
                "torsional_stiffness": turbine.edge_stiffness,
                "damping": {"value": turbine.edge_damping},
            },
        )
    else:
        found[0]["inertia"] = inertia
    machines = {m.get("name") for m in raw.get("machines", [])}
    raw["elements"] = [
        e
        for e in raw.get("elements", [])
        if not (e.get("type") == "brake" and (e.get("name") == brake or set(e.get("between", ())) & machines))
    ]
    return raw, hub


def _machine(train: Train) -> Machine:
    if len(train.machines) != 1:
        raise DrivetrainError(
            f"a set-up has one machine; this one has {len(train.machines)}: {', '.join(train.machines)}"
        )
    machine = next(iter(train.machines.values()))
    if machine.type not in MACHINES:
        raise DrivetrainError(
            f"machine '{machine.name}' is of type {machine.type}; a turbine drives one of {', '.join(MACHINES)}"
        )
    return machine


def _machine_data(machine: Machine) -> Dfig | Pmsg | Induction | None:
    """Data of the machine; None for ``ideal``, whose torque follows the reference with a lag."""
    if machine.type == "ideal":
        return None
    try:
        return machine_data(machine.parameters)
    except MachineError as error:
        raise DrivetrainError(f"machine '{machine.name}': {error}") from None


def electric_machine(machine: Machine, torque: float, speed: float, sense: float) -> tuple[Law | None, int, float]:
    """The machine as a law at rest at a torque [N m] and speed [rad/s], its sub-steps per millisecond, and its lag [s].

    ``ideal`` has no law: its torque follows the reference with a lag. Raises DrivetrainError for facts that it does not
    know, and for an operating point that it cannot hold.
    """
    data = _machine_data(machine)
    if data is None:
        lag = machine.parameters.lag if isinstance(machine.parameters, IdealParameters) else None
        return None, 1, 0.02 if lag is None else lag
    try:
        return law_of(data, torque, speed, sense), sub_steps(data), 0.0
    except MachineError as error:
        raise DrivetrainError(f"machine '{machine.name}': {error}") from None


def _rated(machine: Machine, data: Dfig | Pmsg | Induction | None, turbine: Turbine, grid: Grid) -> list[str]:
    """Refuse a machine that cannot hold the turbine's rated point or is unstable there; what a reader should know of it."""
    if data is None:
        return []
    c = turbine.controller
    torque, speed = c.rated_torque, c.pitch_speed
    try:
        if isinstance(data, Induction):
            speed = (1.0 - data.slip_at(torque)) * data.speed / data.pole_pairs
        poles = check(data, torque, speed)
    except ValueError as error:
        raise DrivetrainError(
            f"machine '{machine.name}' at the rated point of the turbine ({c.rated_power / 1e6:.5g} MW mechanical at "
            f"{speed * 30 / math.pi:.5g} rpm): {error}. A smaller turbine.controller.rated_power asks for less torque"
        ) from None
    if not poles:
        return [f"machine '{machine.name}': {model_of(data)}"]
    slowest = f"{poles[0].real:.4g}" + (f" +- {abs(poles[0].imag):.4g}i" if poles[0].imag else "")
    notes = [f"machine '{machine.name}': {model_of(data)}; slowest pole at rated {slowest} 1/s"]
    if isinstance(data, Dfig) and data.order == 3:
        notes += third_order(machine.name, grid)
    return notes


def _grid(case: Any, data: Dfig | Pmsg | Induction | None, where: str) -> Grid:
    """The grid of a case; instants of faults are drawn by the seed of the wind."""

    def drawn(low: float, high: float, place: str) -> float:
        if case.wind.seed is None:
            raise DrivetrainError(f"{place}: drawn_between needs wind with a seed")
        # the same instant for all codes, so that they are compared in pairs
        generator = air.generator("fault", case.wind.mean or 0.0, case.wind.seed)
        return round(float(generator.uniform(low, high)), 3)

    grid = grid_of(case, data.frequency if isinstance(data, (Dfig, Induction)) else 0.0, where, drawn)
    if grid.voltage[0] != 1.0:
        raise DrivetrainError(
            f"{where}: the voltage starts at {grid.voltage[0]:g} p.u., the machine at the operating point of nominal voltage; let "
            f"it change later than 0 s"
        )
    return grid


def starting_point(setup: SetUp) -> bem.OperatingPoint:
    """The steady point of turbine and machine in the mean wind, at which a run starts.

    Raises TurbineError if there is none.
    """
    machine = held_torque(_machine_data(setup.machine))
    return bem.operating_point(setup.turbine, setup.wind.mean, density_of(setup.rotor), machine=machine)


def _without_brake(system: System) -> System:
    """The machine's torque is that of the machine alone; the brake has a channel of its own."""
    number = system.signal_names.index(INPUTS[2])
    made, brake, bare = [], None, set()
    for channel in system.channels:
        hit = [t for t in channel.terms if t[0] == Source.SIGNAL and t[1] == number]
        if hit and channel.quantity == "torque":
            channel = replace(channel, terms=tuple(t for t in channel.terms if t not in hit))
            sign = "torque on the shaft, positive about +x"
            brake = Channel("machine", "brake", "torque", "N m", sign, tuple(hit), True)
            if not channel.terms:
                bare.add(channel.element)  # nothing but the brake acts there
        made.append(channel)
    made = [c for c in made if not (c.kind == "machine" and c.element in bare)]
    return replace(system, channels=(*made, *([brake] if brake else [])))


def _with_brake(system: System, element: str) -> System:
    """The channel of the brake by the name that the modal loop has, whatever the element is called."""
    row = system.rows.index(f"{element}.torsion")
    sign = "torque on the shaft, positive about +x"
    channel = Channel("machine", "brake", "torque", "N m", sign, ((Source.FORCE, row, -1.0),), True)
    return replace(system, channels=(*system.channels, channel))


def initial_azimuth(setup: SetUp, speed: float) -> float:
    """Azimuth of blade 1 at the begin [rad], so that ``initial.azimuth`` is met when the gust starts."""
    wanted = setup.case.initial
    if other := sorted(set(wanted) - {"azimuth"}):
        raise DrivetrainError(f"case '{setup.case.name}'.initial knows no '{other[0]}'; of a turbine it knows azimuth")
    at = setup.wind.gust_start or 0.0
    return float(np.mod(wanted.get("azimuth", 0.0) - speed * at, 2.0 * math.pi))
