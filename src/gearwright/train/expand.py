"""Spells a drivetrain out: stages, shafts and machines become bodies and elements, and everything is derived
that follows from what the file states. Nothing is invented silently: each derived value has a note."""

from __future__ import annotations

import copy
import dataclasses
import math
from typing import Any

from pydantic_core import PydanticCustomError

from gearwright.errors import DrivetrainError, Problem, listed, nearest
from gearwright.schema.campaigns import grid_problems
from gearwright.schema.case_lookup import whole_case, with_case
from gearwright.schema.cases import Case
from gearwright.schema.file import DirectStage, Drivetrain, ParallelStage, PlanetaryStage
from gearwright.schema.places import group, groups
from gearwright.schema.read import placed
from gearwright.schema.setup import TURBINE_EVENTS, wind_problems
from gearwright.units import ODD, Quantity

from .assumptions import assumptions
from .bench import Bench, connected
from .elements import body, element, machine, machine_body, ride, shaft
from .flexible import reduced
from .kinematics import Motion, motion, rows_of, torque_flow
from .parallel import direct, parallel
from .planetary import planetary
from .train import HOUSING, Body, Train
from .unused import say_unused

#: Fidelities that move bodies by their inertia.
_INERTIAL = ("torsional", "multibody", "planar", "spatial")
_PLACED = ("planar", "multibody", "spatial")


def expand(drivetrain: Drivetrain, fidelity: str | None = None) -> Train:
    """The drivetrain spelled out in bodies and elements, everything in SI.

    ``fidelity`` (default: the file's) decides which facts must be there: inertias from ``torsional`` on, places
    and pressure angles from ``planar`` on. Raises :class:`DrivetrainError` with all problems at once.
    """
    bench = _spell_out(drivetrain)
    _discards(bench)
    say_unused(bench)
    train = _train(bench) if not bench.problems else None
    if train is not None:
        _facts_for(bench, train, fidelity or drivetrain.model.fidelity)
    _complain(bench)
    assert train is not None
    for where, sentence in assumptions(drivetrain, train, fidelity):
        bench.note("assumed", where, sentence)
    return dataclasses.replace(train, notes=tuple(bench.notes))


def check(drivetrain: Drivetrain) -> None:
    """Report everything that is wrong with a file whatever the fidelity: names, references, assembly, cases."""
    bench = _spell_out(drivetrain)
    if not bench.problems:
        _train(bench)
    _cases(bench)
    _complain(bench)


def _complain(bench: Bench) -> None:
    if bench.problems:
        file = bench.drivetrain.file
        found = [placed(p, bench.drivetrain) for p in bench.problems]
        raise DrivetrainError.of(found, None if file is None else str(file))


def _spell_out(drivetrain: Drivetrain) -> Bench:
    bench = Bench(drivetrain)
    if not (drivetrain.bodies or drivetrain.stages or drivetrain.machines):
        bench.wrong("a drivetrain has bodies or stages", "", allowed="stages: [...], or bodies: and elements:")
        return bench
    _unique_stages(bench)
    for facts in drivetrain.bodies:
        body(bench, facts)
    for i, stage in enumerate(drivetrain.stages):
        name = drivetrain.stage_name(i)
        if isinstance(stage, PlanetaryStage):
            planetary(bench, stage, name)
        elif isinstance(stage, ParallelStage):
            parallel(bench, stage, name)
        elif isinstance(stage, DirectStage):
            direct(bench, stage, name)
    if bench.problems:
        return bench  # what refers to a stage that could not be made would only repeat its problems
    for m in drivetrain.machines:
        machine_body(bench, m)
    for facts in drivetrain.bodies:
        ride(bench, facts)
    for e in drivetrain.elements:
        element(bench, e)
    for s in drivetrain.shafts:
        shaft(bench, s)
    for m in drivetrain.machines:
        machine(bench, m)
    for r in drivetrain.reduced_bodies:
        reduced(bench, r)
    if not bench.problems:
        _join_rigid(bench)
        _connected(bench)
        _place(bench)
    return bench


def _unique_stages(bench: Bench) -> None:
    names = [bench.drivetrain.stage_name(i) for i in range(len(bench.drivetrain.stages))]
    for name in dict.fromkeys(n for n in names if names.count(n) > 1):
        bench.wrong("this name is given twice", "stages", name)


# --- joining and placing -----------------------------------------------------------------------------------


def _join_rigid(bench: Bench) -> None:
    """Make one body of the ends of every rigid shaft; the first end keeps its name, the other is its alias."""
    for first, second, path in bench.rigid:
        a, b = bench.alias.get(first, first), bench.alias.get(second, second)
        if a == b:
            bench.wrong("this rigid shaft closes a ring of rigid shafts", path)
            return
        one, two = bench.bodies[a], bench.bodies[b]
        if one.on != two.on:
            bench.wrong("a rigid shaft cannot join a body on a carrier with one that is not", path)
            return
        bench.bodies[a] = dataclasses.replace(
            one,
            inertia=_sum(one.inertia, two.inertia),
            mass=_sum(one.mass, two.mass),
            fixed=one.fixed or two.fixed,
            floating=one.floating and two.floating,
            role=two.role if one.role in ("body", "shaft") else one.role,
            stage=one.stage or two.stage,
        )
        del bench.bodies[b]
        for old, new in [*bench.alias.items()]:
            if new == b:
                bench.alias[old] = a
        bench.alias[b] = a
        bench.note("derived", path, f"{a} and {b} are one body, '{a}'")
    if not bench.alias:
        return
    new_name = bench.alias.get

    def ends(between: tuple[str, str]) -> tuple[str, str]:
        return new_name(between[0], between[0]), new_name(between[1], between[1])

    for name, mesh in bench.meshes.items():
        on = mesh.on and new_name(mesh.on, mesh.on)
        bench.meshes[name] = dataclasses.replace(mesh, between=ends(mesh.between), on=on)
    for name, bar in bench.shafts.items():
        on = bar.on and new_name(bar.on, bar.on)
        bench.shafts[name] = dataclasses.replace(bar, between=ends(bar.between), on=on)
    for name, held in bench.bearings.items():
        bench.bearings[name] = dataclasses.replace(held, between=ends(held.between))
    for name, coupling in bench.couplings.items():
        bench.couplings[name] = dataclasses.replace(coupling, between=ends(coupling.between))
    for name, rider in bench.bodies.items():
        if rider.on:
            bench.bodies[name] = dataclasses.replace(rider, on=new_name(rider.on, rider.on))
    for name, m in bench.machines.items():
        bench.machines[name] = dataclasses.replace(m, body=new_name(m.body, m.body))
    bench.coaxial = [(*ends((a, b)), offset) for a, b, offset in bench.coaxial]
    bench.places = {new_name(name, name): place for name, place in bench.places.items()}
    for name, stage in bench.stages.items():
        members = {role: new_name(member, member) for role, member in stage.members.items()}
        planets = tuple(new_name(n, n) for n in stage.planets)
        bench.stages[name] = dataclasses.replace(stage, members=members, planets=planets)


def _sum(a: float | None, b: float | None) -> float | None:
    return a if b is None else b if a is None else a + b


def _connected(bench: Bench) -> None:
    links = [
        e.between
        for table in (bench.meshes, bench.bearings, bench.shafts, bench.couplings)
        for e in table.values()  # type: ignore[attr-defined]
    ]
    links += [(b.name, b.on) for b in bench.bodies.values() if b.on]
    links += [(m.on, m.between[0]) for m in bench.meshes.values() if m.on]
    links += [(m.body, other) for m in bench.machines.values() for other in m.drives]
    groups = connected(bench.bodies, links)
    if len(groups) > 1 and bench.drivetrain.model.fidelity != "multibody":
        shown = "; ".join(listed(group, 4) for group in groups)
        bench.wrong(
            f"the bodies fall into {len(groups)} parts that nothing connects: {shown}",
            "",
            allowed="one connected train: a shaft, mesh or coupling between the parts",
        )


def _place(bench: Bench) -> None:
    """Places (y, z) of all axes that follow from given ones: shafts keep the axis, parallel meshes move it."""
    links: dict[str, list[tuple[str, tuple[float, float]]]] = {}
    for a, b, (dy, dz) in bench.coaxial:
        links.setdefault(a, []).append((b, (dy, dz)))
        links.setdefault(b, []).append((a, (-dy, -dz)))
    places = dict(bench.places)
    queue = list(places)
    starts = [bench.alias.get(n, n) for s in bench.stages.values() for n in s.members.values()]
    pending = [name for name in (*starts, *links) if name in bench.bodies]
    while queue or pending:
        if not queue:
            name = pending.pop(0)
            if name in places or not links.get(name):
                continue
            places[name] = (0.0, 0.0)
            queue.append(name)
        here = queue.pop(0)
        for there, (dy, dz) in links.get(here, ()):
            place = (places[here][0] + dy, places[here][1] + dz)
            if there not in places:
                places[there] = place
                queue.append(there)
            elif abs(place[0] - places[there][0]) + abs(place[1] - places[there][1]) > 1e-6:
                one, other = (f"{1e3 * y:.4g}, {1e3 * z:.4g} mm" for y, z in (places[there], place))
                bench.note("warning", there, f"its axis is at {one} one way and {other} another: the first is used")
    for name, place in places.items():
        if name in bench.bodies and bench.bodies[name].on is None:
            bench.bodies[name] = dataclasses.replace(bench.bodies[name], place=place)


# --- operating point, flanks, phases -----------------------------------------------------------------------


def _train(bench: Bench) -> Train:
    d = bench.drivetrain
    operating = d.operating
    given_in = bench.body(operating.input, "operating.input") if operating.input else None
    given_out = bench.body(operating.output, "operating.output") if operating.output else None
    held = [name for f in operating.fixed if (name := bench.body(f, "operating.fixed")) is not None]
    attach = d.turbine.attach if d.turbine is not None else None
    rotor = bench.body(attach, "turbine.attach") if attach else None
    moving = [b for b in bench.bodies.values() if not b.fixed and b.name not in held]
    input = given_in or rotor or _default_input(bench, moving)
    output = given_out or _default_output(bench, moving, input)
    _check_ends(bench, given_in, given_out, held)
    if input is not None and (given_in is None or given_out is None) and bench.meshes:
        bench.note("assumed", "operating", f"input {input}, output {output}")
    turning = _turning(bench, input, output, held)
    ratios = turning.ratios(input) if input is not None else {}
    if input is not None:
        if not ratios:
            _no_ratios(bench, turning, input)
        _flanks(bench, turning, ratios, input, output)
    for set_phases in bench.phases:
        set_phases(bench.meshes)
    _plain_numbers(bench, input)
    return Train(
        name=d.name,
        bodies=bench.bodies,
        meshes=bench.meshes,
        bearings=bench.bearings,
        shafts=bench.shafts,
        couplings=bench.couplings,
        machines=bench.machines,
        input=input,
        output=output,
        held=turning.held,
        holds=tuple(held),
        speed=operating.speed,
        torque=operating.torque,
        ratios=ratios,
        model=d.model,
        damping=d.model.damping,
        gravity=_gravity(d),
        notes=tuple(bench.notes),
        stages=bench.stages,
        alias=bench.alias,
        reduced=bench.reduced,
    )


def _check_ends(bench: Bench, given_in: str | None, given_out: str | None, held: list[str]) -> None:
    """Say what is wrong with an input and output of the file."""
    for what, end in (("input", given_in), ("output", given_out)):
        if end is not None and end in held:
            bench.wrong(f"the {what} is also held", f"operating.{what}", end, "a body that operating.fixed leaves free")
    if given_in is not None and given_in == given_out:
        bench.wrong("input and output are the same body", "operating", given_in)


def _turning(bench: Bench, input: str | None, output: str | None, held: list[str]) -> Motion:
    """How the train turns with what is held; rings that nothing else turns are held for it, which is noted."""
    rings = [b.name for b in bench.bodies.values() if b.role == "ring" and b.name not in (input, output)]
    rows = rows_of(bench.meshes, bench.shafts, bench.couplings)
    fixed = [b.name for b in bench.bodies.values() if b.fixed]
    turning = motion(bench.bodies, rows, [*fixed, *held, *(name for name in rings if _supported(bench, name))])
    if turning.freedom > 1 and rings and not bench.drivetrain.operating.fixed:
        trial = motion(bench.bodies, rows, [*turning.held, *rings])
        if trial.freedom == 1:
            why = f"{listed(rings)} held for ratios and flanks (operating.fixed says otherwise)"
            bench.note("assumed", "operating", why)
            return trial
    return turning


def _no_ratios(bench: Bench, turning: Motion, input: str) -> None:
    """Warn why a train that is no mechanism has no ratios."""
    if bench.drivetrain.model.fidelity == "multibody" or any(b.principal for b in bench.bodies.values()):
        return
    why = f"the train has {turning.freedom} independent motions; operating.fixed names what is held"
    if turning.freedom < 2:
        why = "nothing can turn" if turning.freedom == 0 else f"{input} does not turn"
    bench.note("warning", "operating", f"no ratios: {why}")


#: speed of a rotor [rad/s], given as a plain number, from which on rpm were probably meant: 48 rpm
_FAST_ROTOR = 5.0


def _plain_numbers(bench: Bench, input: str | None) -> None:
    """Warn of plain numbers that are odd as SI: metres where millimetres, rad/s of a rotor where rpm are usual."""
    d = bench.drivetrain
    for where, sentence in d._odd[:10]:
        bench.note("warning", where, sentence)
    operating, cases = group(d.raw.get("operating")), groups(d.raw.get("cases"))
    said = [("operating.speed", input, operating.get("speed"))]
    said += [(f"operating.speeds.{b}", b, v) for b, v in group(operating.get("speeds")).items()]
    said += [(f"cases.{c.get('name')}.speeds.{b}", b, v) for c in cases for b, v in group(c.get("speeds")).items()]
    for where, name, value in said:
        body = bench.bodies.get(bench.alias.get(name or "", name or ""))
        if isinstance(value, bool) or not isinstance(value, (int, float)) or body is None or body.role != "rotor":
            continue
        if _FAST_ROTOR < abs(value) < ODD["rotational speed"]:
            bench.note(
                "warning",
                where,
                f"the plain number {value:g} is read in rad/s: {value * 30.0 / math.pi:.4g} rpm, fast for a rotor; '{value:g} rpm' was perhaps meant",
            )


def _supported(bench: Bench, name: str) -> bool:
    """Whether a body has a torsional support to the housing."""
    return any(b.torsional and set(b.between) == {name, HOUSING} for b in bench.bearings.values())


def _default_input(bench: Bench, moving: list[Body]) -> str | None:
    """The driving side: the rotor or an engine; else the first stage's carrier, wheel or shaft; else the first body."""
    for b in moving:
        if b.role == "rotor":
            return b.name
    for m in bench.machines.values():
        if m.type == "engine_map":
            return m.body
    for stage in bench.stages.values():
        for role in ("carrier", "wheel", "shaft", "sun"):
            name = stage.members.get(role)
            if name and bench.bodies[name] in moving:
                return str(name)
    return moving[0].name if moving else None


def _default_output(bench: Bench, moving: list[Body], input: str | None) -> str | None:
    """The other end: the first machine; else the last stage's sun, pinion or shaft; else the last body."""
    for m in bench.machines.values():
        if m.body != input:
            return m.body
    for stage in reversed(bench.stages.values()):
        for role in ("sun", "pinion", "shaft", "wheel", "carrier"):
            name = stage.members.get(role)
            if name and name != input and bench.bodies[name] in moving:
                return str(name)
    rest = [b.name for b in moving if b.name != input]
    return rest[-1] if rest else None


def _flanks(bench: Bench, turning: Any, ratios: dict[str, float], input: str, output: str | None) -> None:
    machines = [n for m in bench.machines.values() for n in (m.body, *m.drives)]
    reacting = [n for n in ([output] if output else machines) if n != input] or machines
    force, left = torque_flow(turning, input, reacting)
    if left > 1e-6 and len(reacting) < len(machines):
        force, left = torque_flow(turning, input, [output or "", *machines])
    for name, mesh in bench.meshes.items():
        relative = 1.0
        if ratios:
            carrier = ratios.get(mesh.on, 0.0) if mesh.on else 0.0
            relative = ratios.get(mesh.between[0], 1.0) - carrier
        bench.meshes[name] = dataclasses.replace(
            mesh, sigma=-1 if force.get(name, 0.0) < 0.0 else 1, phase_direction=-1 if relative < -1e-12 else 1
        )


def _gravity(d: Drivetrain) -> tuple[float, float, float] | None:
    """Gravity as a vector in the frame of the train (x along the shafts, z up, rotor end tilted up)."""
    if d.gravity is None:
        return (0.0, 0.0, -9.81) if d.model.gravity else None
    g = d.gravity
    return g.vector or (g.acceleration * math.sin(g.tilt), 0.0, -g.acceleration * math.cos(g.tilt))


# --- facts and cases ---------------------------------------------------------------------------------------


def _facts_for(bench: Bench, train: Train, fidelity: str | None) -> None:
    """Ask for the facts a fidelity needs, by name."""
    if fidelity in _INERTIAL:
        for b in train.bodies.values():
            if b.inertia is None and not b.fixed:
                where = _path_of(bench, b)
                bench.wrong(
                    f"missing: fidelity {fidelity} needs the inertia of '{b.name}'",
                    where,
                    allowed="inertia: 12 kg m^2, equivalent_mass, or dimensions of a disc; fidelity rigid needs none",
                )
        for m in train.meshes.values():
            # a rigid mesh carries torques by its teeth alone; a run by another law asks for the module itself
            if m.by_teeth and train.model.law != "rigid":
                where = f"stages.{m.stage}" if m.stage else f"elements.{m.name}"
                said = f"missing: fidelity {fidelity} needs the module (or base circles) of '{m.name}'"
                bench.wrong(said, where, allowed="module: 8 mm, or model: {law: rigid}, which does without")
    if fidelity in _PLACED:
        for m in train.meshes.values():
            placed = any(train.bodies[n].mass is not None for n in m.between)
            if placed and (m.angle is None or m.pressure_angle is None):
                missing = " and ".join(
                    key for key, value in (("azimuth", m.angle), ("pressure_angle", m.pressure_angle)) if value is None
                )
                where = f"stages.{m.stage}" if m.stage else f"elements.{m.name}"
                bench.wrong(f"missing: fidelity {fidelity} needs {missing} of '{m.name}'", where)


def _path_of(bench: Bench, b: Body) -> str:
    if b.stage:
        return f"stages.{b.stage}.{'planet' if b.role == 'planet' else b.role}"
    return f"machines.{b.name}" if b.role == "machine" else f"bodies.{b.name}"


def _discards(bench: Bench) -> None:
    """Warn of cases that discard all that they last: a call may let them run longer."""
    for case in bench.drivetrain.cases:
        if case.duration is not None and case.discard is not None and case.discard >= case.duration:
            bench.note(
                "warning",
                f"cases.{case.name}",
                f"discard ({case.discard:g} s) leaves nothing of the duration ({case.duration:g} s): "
                "it runs only with a longer --duration",
            )


def _cases(bench: Bench) -> None:
    d = bench.drivetrain
    names = [case.name for case in d.cases]
    for name in dict.fromkeys(n for n in names if names.count(n) > 1):
        bench.wrong("this name is given twice", "cases", name)
    things = [
        *bench.bodies,
        *bench.alias,
        *bench.machines,
        *bench.couplings,
        *bench.shafts,
        *bench.meshes,
        *bench.bearings,
    ]
    complete = bool(bench.bodies) and not bench.problems
    for case in d.cases:
        path = f"cases.{case.name}"
        try:
            full = whole_case(d, case.name)  # one that contradicts itself blocks itself alone
        except DrivetrainError as error:
            bench.problems += [
                Problem(p.message, p.path or path, p.value, p.allowed, p.meant, p.line) for p in error.problems
            ]
            continue
        if not complete:
            continue
        for i, load in enumerate(case.loads):
            bench.body(load.on, f"{path}.loads.{i}.on")
        for name in case.speeds:
            bench.body(name, f"{path}.speeds")
        if case.trim is not None:
            bench.body(case.trim.on, f"{path}.trim.on")
        shafts = list({s.parent or s.name for s in bench.shafts.values()})
        if full.compare is not None and full.compare.shaft not in shafts:
            bench.wrong(
                "there is no such shaft",
                f"{path}.compare.shaft",
                full.compare.shaft,
                listed(shafts),
                nearest(full.compare.shaft, shafts),
            )
        for i, event in enumerate(case.events):
            target = event.set if event.set is not None else None
            if target is not None and not any(target.startswith(thing + ".") for thing in things):
                bench.wrong(
                    "this event sets nothing that is in the train",
                    f"{path}.events.{i}.set",
                    target,
                    "element.value, brake.capacity",
                    nearest(target.rsplit(".", 1)[0], things),
                )
        _events(bench, case, path)
        _initial(bench, case, path)
        for key, message, allowed, meant in wind_problems(full.wind) if full.wind else ():
            bench.wrong(message, f"{path}.wind.{key}".rstrip("."), allowed=allowed, meant=meant)
        if case.set:
            _case_set(bench, case.name, path)
    for campaign in d.campaigns:
        if campaign.case not in names:
            bench.wrong(
                "unknown case",
                f"campaigns.{campaign.name}.case",
                campaign.case,
                listed(names),
                nearest(campaign.case, names),
            )
        elif not bench.problems:
            bench.problems += grid_problems(d, campaign)


def _events(bench: Bench, case: Case, path: str) -> None:
    """Events of a turbine need one; a brake that acts is in the file."""
    for i, event in enumerate(case.events):
        if event.type in TURBINE_EVENTS and bench.drivetrain.turbine is None:
            bench.wrong(
                f"an event of type {event.type} needs a turbine",
                f"{path}.events.{i}.type",
                event.type,
                "grid_fault, grid_voltage, frequency_step; or set and to",
            )


def _initial(bench: Bench, case: Case, path: str) -> None:
    """Speeds at the start are those of bodies, the azimuth that of a turbine, each in its unit."""
    cases = groups(bench.drivetrain.raw["cases"])
    written = next((c.get("initial") for c in cases if c.get("name") == case.name), None)
    for key, said in group(written).items():
        name = key.removesuffix(".speed")
        if key == "azimuth" and bench.drivetrain.turbine is not None:
            kind = "angle"
        elif name in bench.machines and bench.machines[name].type == "tracked_chassis":
            kind = "speed"
        elif bench.body(name, f"{path}.initial") is None:
            continue
        else:
            kind = "rotational speed"
        value = said.get("speed") if isinstance(said, dict) else said
        try:
            if value is not None:
                Quantity(kind).read(value)
        except PydanticCustomError as error:
            told = error.context or {}
            bench.wrong(told["message"], f"{path}.initial.{key}", value, told["allowed"], meant=told["meant"])


def _case_set(bench: Bench, name: str, path: str) -> None:
    """The values a case sets must lead somewhere and leave the file valid."""
    changed = copy.copy(bench.drivetrain)
    try:
        other = with_case(changed, name)
    except DrivetrainError as error:
        bench.problems += [dataclasses.replace(p, path=f"{path}.set.{p.path}") for p in error.problems]
        return
    bench.problems += [dataclasses.replace(p, path=f"{path}.set: {p.path}") for p in _spell_out(other).problems]
