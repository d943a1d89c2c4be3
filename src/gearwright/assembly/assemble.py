"""``assemble(train, ...) -> System``: bodies and elements become coordinates, rows, acts and channels."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from gearwright.geometry.gear import GeometryError
from gearwright.laws.gyroscopic import gyroscopic
from gearwright.laws.registry import REGISTRY, Asked, asked
from gearwright.laws.speed_control import speed_control
from gearwright.laws.turning import turning_gravity
from gearwright.remarks import assumed
from gearwright.schema.mesh_laws import LAWS, OWN, laws_at
from gearwright.stiffness.resolve import resolved
from gearwright.system import Channel, Provenance, Row, Source, Spring, System, constant
from gearwright.train.teeth import refuse_no_gear
from gearwright.train.train import Body, Train

from .allowance import with_backlash
from .assumptions import bottoming, undamped, without_backlash
from .inputs import Inputs, coasting
from .losses import in_series, sliding_friction
from .machines import machines, settled
from .mesh_rows import add_meshes
from .motion import KEPT, AssemblyError, Motions, add
from .rigid import bearing_friction, completed_speeds, massless
from .spatial import (
    TILT_SCALE,
    apply_pushes,
    gyroscopic_moments,
    magnetic_pulls,
    note_followers,
    refuse_loose,
    spatial_inertia,
)
from .spatial_beams import beam_inertia, hung_weights
from .spatial_carriers import flexible_carriers
from .spatial_reduced import add_nodes, is_node, reduced_coordinates, reduced_inertias, reduced_rows, reduced_weights
from .spatial_shafts import divide_shafts
from .supports import add_bearing, add_couplings, add_reaction, add_shafts
from .vehicles import is_vehicle, vehicle_coordinates, wheel_speeds
from .work import Assembly


def assemble(train: Train, fidelity: str | None = None, law: Any = None, inputs: Inputs | None = None) -> System:
    """Make a system of a train.

    Parameters
    ----------
    train : the expanded drivetrain
    fidelity : ``rigid``, ``torsional``, ``planar`` or ``spatial``; default from the file
    law : ``rigid``, ``linear``, ``periodic`` or ``tooth_contact`` for every mesh, a :class:`Law` or a function that makes one of
        :class:`MeshProperties`; default from the file. Fidelity ``rigid`` is ``torsional`` with law ``rigid``, with members that may be
        without inertia
    inputs : loads, prescribed speeds and initial speeds; default: none, machines at their operating point

    Raises AssemblyError with what is missing or does not fit.
    """
    laws = asked(law)
    said = _unsaid(train, fidelity, laws.name)
    fidelity = fidelity or train.model.fidelity or "torsional"
    train, law = laws_of(train, fidelity, laws)
    inputs = inputs or Inputs()
    only_gears(train)
    _refuse_losses(train, fidelity, law)
    train = train if law == "tooth_contact" else _in_numbers(train)
    train, moved = settled(train, {load.body for load in inputs.loads} | {drive.body for drive in inputs.drives})
    train, allowed = with_backlash(train, law)
    train = coasting(train, inputs, law, fidelity)
    divided: list[str] = []
    if fidelity == "spatial":
        train, divided = divide_shafts(add_nodes(train))
        train = flexible_carriers(train)
    work = Assembly(
        train, Motions.of(train, fidelity), law, inputs, notes=[*said, *moved, *allowed, *divided], laws=laws
    )
    _coordinates(work)
    _say_masses(work)
    _inertias(work)
    add_meshes(work)
    for bearing in train.bearings.values():
        add_bearing(work, bearing)
        bearing_friction(work, bearing)
    for name in train.bodies:
        add_reaction(work, name)
    add_shafts(work)
    add_couplings(work)
    machines(work)
    _applied(work)
    apply_pushes(work)
    if fidelity == "spatial":
        reduced_rows(work)
        magnetic_pulls(work)
        note_followers(work)
    _gravity(work)
    if train.model.gyroscopic:
        _gyroscopic(work)
    _modal_damping(work)
    _body_channels(work)
    for remark in (*undamped(train, fidelity, law), *without_backlash(train, law), *bottoming(train, fidelity)):
        work.note(remark)
    return _build(work)


def laws_of(train: Train, fidelity: str, laws: Asked) -> tuple[Train, str]:
    """The law of a model, and the train whose meshes have a law of their own only where the file's laws count.

    Raises AssemblyError for laws that a fidelity does not take, are not known or not allowed.
    """
    law = laws.name
    if fidelity == "rigid" and law in (None, "rigid"):
        law = "rigid"
    if law is not None:
        train = replace(train, meshes={name: replace(mesh, law=None) for name, mesh in train.meshes.items()})
    law = law or train.model.law or "linear"
    taken = laws_at(fidelity)
    if fidelity in KEPT and not (fidelity in (LAWS.get(law) or OWN).fidelities and (law in LAWS or ":" in law)):
        listed = f"{', '.join(taken[:-1])} or {taken[-1]}" if len(taken) > 1 else taken[0]
        raise AssemblyError(f"law '{law}' cannot be assembled at fidelity {fidelity}; choose {listed}")
    laws.law(law)
    for mesh in train.meshes.values():
        if mesh.law is not None and laws.law(mesh.law) and REGISTRY.get(law, laws.law(mesh.law)).rows != "flanks":
            raise AssemblyError(
                f"mesh '{mesh.name}' has law {mesh.law}, and the model law {law}: a mesh has a law of its own beside linear, periodic or "
                f"another own one; choose that law for the model, or take 'law' out of the mesh"
            )
    return train, law


def _unsaid(train: Train, fidelity: str | None, law: str | None) -> list[str]:
    """Fidelity and law that neither the call nor the file names."""
    said: list[str] = []
    if not (fidelity or train.model.fidelity):
        said.append(assumed("fidelity torsional: bodies turn and do not move sideways"))
    if train.meshes and "rigid" not in (fidelity, train.model.fidelity) and not (law or train.model.law):
        said.append(assumed("law linear: every mesh has its mean stiffness, and its flanks never part"))
    return said


def _in_numbers(train: Train) -> Train:
    """The train with ``stiffness: {from: ...}`` computed; raises AssemblyError naming what that misses."""
    if not any(mesh.stiffness.source for mesh in train.meshes.values()):
        return train
    try:
        return resolved(train)
    except ValueError as error:  # impossible gears, missing data
        raise AssemblyError(str(error)) from None


def only_gears(train: Train) -> None:
    """Refuse meshes whose teeth make no gear."""
    try:
        refuse_no_gear(train)
    except GeometryError as error:
        raise AssemblyError(str(error)) from None


def _refuse_losses(train: Train, fidelity: str, law: str) -> None:
    """Friction that a fidelity does not compute: refused, never left out silently."""
    if train.model.loss == "none" or fidelity != "spatial":
        return
    rubs = law == "tooth_contact"
    lossy = [
        f"loss of mesh '{m.name}'"
        for m in train.meshes.values()
        if m.loss and not in_series(m) and not (rubs and sliding_friction(m) is not None)
    ]
    lossy += [f"friction of bearing '{b.name}'" for b in train.bearings.values() if b.friction]
    if lossy:
        raise AssemblyError(
            f"fidelity spatial does not compute friction losses: {', '.join(lossy[:4])}; choose torsional or planar, take "
            f"them out of the file, or --set model.loss=none to run it without loss"
        )


def _say_references(work: Assembly) -> None:
    """The torque that laws of meshes are linear about."""
    torque, body = work.train.torque, work.train.input
    if work.references and torque is not None:
        work.note(
            f"the meshes are linear about their loads at the operating torque of {1e-3 * torque:.6g} kN m on '{body}'; model.mesh_form: "
            f"table follows any load"
        )


def _build(work: Assembly) -> System:
    speeds = _initial_speeds(work)
    used = {law.name: law for law in (work.laws.law(work.law), *map(work.law_of, work.train.meshes.values()))}
    own = {name: law.text for name, law in used.items() if law.own}
    _say_references(work)
    provenance = Provenance(work.train.name, work.motions.fidelity, work.law, work.said(), own, dict(work.references))
    system = work.builder.build(provenance, speeds)
    if work.motions.fidelity == "spatial":
        refuse_loose(system)
    return replace(
        system,
        channels=system.channels
        + tuple(_angles(work, system))
        + tuple(_reaction_torques(work, system))
        + tuple(_phases(work, system)),
    )


def _angles(work: Assembly, system: System) -> list[Channel]:
    """Rotation of every body, the rigid motion included: known once the rigid motions are."""
    channels = []
    for name in work.train.bodies:
        if work.motions.keeps(name, "rotation"):
            i = system.coordinates.index(f"{name}.rotation")
            terms = [(Source.POSITION, i, 1.0)]
            terms += [(Source.RIGID, r, float(u[i])) for r, u in enumerate(system.u) if u[i] != 0.0]
            channels.append(Channel("body", name, "angle", "rad", "positive about +x", tuple(terms)))
    return channels


def _phases(work: Assembly, system: System) -> list[Channel]:
    """Phase of every mesh in contact, and how its centres have moved: what its pairs follow from."""
    channels = []
    for name in work.contacts:
        for row, quantity, unit, sign in (
            ("phase", "phase", "1", "mesh cycles, whole where a pair enters on the drive flank"),
            ("radial", "centre_distance_change", "m", "positive: the centres are further apart"),
            ("across", "centre_shift", "m", "across the line of centres"),
            ("tilt_drive", "face_tilt_drive", "1", "change of the drive flanks' deflection across the face"),
            ("tilt_coast", "face_tilt_coast", "1", "change of the coast flanks' deflection across the face"),
        ):
            full = f"{name}.{row}"
            if full in system.rows:
                terms = system.deflection_terms(system.rows.index(full))
                channels.append(Channel("mesh", name, quantity, unit, sign, terms))
        if f"{name}.tilt_drive" in system.rows:
            terms = system.deflection_terms(system.rows.index(f"{name}.coast"))
            sign = "positive where the coast flanks are pressed"
            channels.append(Channel("mesh", name, "coast_deflection", "m", sign, terms))
    return channels


def _reaction_torques(work: Assembly, system: System) -> list[Channel]:
    """Torque that drives a prescribed body: its inertia times acceleration and what its rows take."""
    channels = []
    names = {m.body: m.name for m in work.train.machines.values()}
    # what a law writes into its sense rows is a report, not a force
    read = {k for block in range(len(system.laws)) for k in range(*system.sense_rows(block).indices(len(system.rows)))}
    for drive in work.inputs.drives:
        p = system.coordinates.index(f"{drive.body}.rotation")
        terms: list[tuple[Source, int, float]] = []
        mass = system.mass[p]
        terms += [(Source.ACCELERATION, int(j), float(m)) for j, m in zip(mass.indices, mass.data, strict=True)]
        column = system.D.T[p]
        pushing = [(int(i), float(v)) for i, v in zip(column.indices, column.data, strict=True) if i not in read]
        terms += [(Source.FORCE, i, v) for i, v in pushing]
        element = names.get(drive.body, drive.body)
        sign = (
            "torque that drives the body, positive about +x; reaction of the prescribed speed: what the train takes and the inertia of the "
            "body times its acceleration"
        )
        channels.append(Channel("machine", element, "torque", "N m", sign, tuple(terms), True))
        speed = ((Source.SPEED, p, 1.0),)
        channels.append(Channel("machine", element, "speed", "rad/s", "positive about +x", speed))
    return channels


def _initial_speeds(work: Assembly) -> dict[str, float]:
    """Rigid motion of the whole train at its operating speed, translations of carried planets included."""
    train = work.train
    speeds = {f"{name}.forward": value for name, value in work.inputs.vehicles.items()}
    said = {**wheel_speeds(work), **work.inputs.speeds}
    reference = 0.0 if work.inputs.at_rest else train.speed or 0.0
    if work.inputs.drives and train.ratios and not work.inputs.at_rest:
        drive = work.inputs.drives[0]
        ratio = train.ratios.get(drive.body, 0.0)
        if ratio:
            reference = float(drive.speed(0.0)) / ratio
    for body in train.bodies.values():
        value = said.get(body.name, reference * train.ratios.get(body.name, 0.0))
        if work.motions.keeps(body.name, "rotation"):
            speeds[f"{body.name}.rotation"] = value
        if work.motions.keeps(body.name, "y") and body.on is not None and body.pin_radius is not None:
            w = said.get(body.on, reference * train.ratios.get(body.on, 0.0))
            speeds[f"{body.name}.y"] = -body.pin_radius * math.sin(body.angle) * w
            speeds[f"{body.name}.z"] = body.pin_radius * math.cos(body.angle) * w
    if work.hard and said:
        given = {f"{name}.rotation": value for name, value in said.items()}
        speeds.update(completed_speeds(work.hard, {c: v for c, v in given.items() if c in speeds}))
    return speeds


def _coordinates(work: Assembly) -> None:
    for body in work.train.bodies.values():
        for motion in work.motions.kept[body.name]:
            scale = work.motions.scale(body.name) if motion == "rotation" else 1.0
            scale = TILT_SCALE if motion.startswith("tilt") else scale
            work.builder.coordinate(f"{body.name}.{motion}", scale)
    if work.motions.fidelity == "spatial":
        reduced_coordinates(work)
    for machine in work.train.machines.values():
        if is_vehicle(machine):
            vehicle_coordinates(work, machine)


def _carrier_inertia(train: Train, body: Body, fidelity: str) -> float:
    """Carrier inertia that goes with the coordinates: planets are counted once (decisions, planet mass)."""
    inertia = body.inertia or 0.0
    planets = [b for b in train.bodies.values() if b.on == body.name and b.mass and b.pin_radius]
    stage = train.stages.get(body.stage or "")
    if stage is not None and stage.inertia_includes_planets and planets:
        inertia -= sum(p.mass * p.pin_radius**2 * p.count for p in planets if p.mass and p.pin_radius)
        if inertia <= 0.0:
            raise AssemblyError(
                f"'{body.name}': inertia {body.inertia:g} kg m^2 is said to include the planets, but they alone "
                f"have {(body.inertia or 0.0) - inertia:g} kg m^2; "
                f"set inertia_includes_planets: false or correct the inertia"
            )
    return inertia


def _say_masses(work: Assembly) -> None:
    """Say of which bodies the mass has no effect where bodies move sideways: nothing holds them there."""
    if work.motions.fidelity not in ("planar", "spatial"):
        return
    for body in work.train.bodies.values():
        free = not body.fixed and body.on is None and not work.motions.keeps(body.name, "y")
        if body.mass and free and work.motions.rotation(body.name):
            work.note(
                f"the mass of '{body.name}' has no effect: nothing holds it in y and z (no bearing, and its shafts do not bend), so it only "
                f"turns"
            )


def _inertias(work: Assembly) -> None:
    put, spatial = work.put, work.motions.fidelity == "spatial"
    beams = {n for s in work.train.shafts.values() if spatial and s.segments for n in s.between}
    for body in work.train.bodies.values():
        rotation = work.motions.rotation(body.name)
        inertia = _carrier_inertia(work.train, body, work.motions.fidelity) * body.count
        if rotation:
            carried = (
                body.name in beams
                or (spatial and is_node(work.train, body.name))
                or any(body.name in s.between and s.consistent for s in work.train.shafts.values())
            )
            if inertia <= 0.0 and not carried and work.law == "rigid":
                inertia = massless(work)
                work.note(
                    assumed(
                        f"'{body.name}' has no inertia: {inertia:.3g} kg m^2 stand for it, a millionth of the smallest given"
                    )
                )
            if inertia <= 0.0 and not carried:
                raise AssemblyError(
                    f"'{body.name}' has no inertia; give 'inertia' (kg m^2), or its dimensions and density"
                )
            put(inertia, rotation)
        if body.mass and (work.motions.keeps(body.name, "y") or (body.on is not None and body.pin_radius is not None)):
            for terms in work.motions.translation(body.name):
                if terms:
                    put(body.mass * body.count, terms)
        if spatial:
            spatial_inertia(work, body)
    for shaft in work.train.shafts.values():
        if shaft.consistent:
            first, second = (work.motions.rotation(name) for name in shaft.between)
            # J/6 [[2, 1], [1, 2]] as two rows: J/4 (a + b)^2 + J/12 (a - b)^2
            put(shaft.consistent / 4.0, add(dict(first), second))
            put(shaft.consistent / 12.0, add(dict(first), second, -1.0))
        if spatial and shaft.segments:
            beam_inertia(work, shaft)
    if spatial:
        hung_weights(work)
        reduced_inertias(work)


def _applied(work: Assembly) -> None:
    builder = work.builder
    for i, load in enumerate(work.inputs.loads):
        if not work.motions.keeps(load.body, "rotation"):
            raise AssemblyError(f"a torque on '{load.body}', which does not turn")
        signal = builder.signal(load.name or f"load {i + 1} on {load.body}", load.torque)
        coordinate = f"{load.body}.rotation"
        builder.input(coordinate, signal)
        terms = [(Source.SIGNAL, signal, 1.0)]
        if load.slope:
            if load.slope > 0.0:
                raise AssemblyError(
                    f"the torque on '{load.body}' rises with speed (slope {load.slope:g} N m s/rad): that drives "
                    f"itself away; a machine that holds its speed has a negative slope"
                )
            row = builder.row(f"{load.body}.slope{i + 1}", {coordinate: 1.0}, Spring(0.0, -load.slope, load.reference))
            terms.append((Source.FORCE, row, -1.0))
        if load.control is not None:
            c = load.control
            wanted = builder.signal(f"wanted speed of {load.body} {i + 1}", c.speed)
            row = f"{load.body}.control{i + 1}"
            law = speed_control(
                c.proportional, c.integral, c.derivative, c.filter_time, c.limit, builder.signal_number(wanted)
            )
            builder.block(row, [Row(row, {coordinate: 1.0})], law)
            terms.append((Source.FORCE, row, -1.0))
        work.machine_torque.setdefault(load.body, []).extend(terms)
    for drive in work.inputs.drives:
        if not work.motions.keeps(drive.body, "rotation"):
            raise AssemblyError(f"a speed for '{drive.body}', which does not turn")
        signal = builder.signal(f"speed of {drive.body}", drive.speed)
        builder.prescribe(f"{drive.body}.rotation", signal)


def _gravity(work: Assembly) -> None:
    """Weight of bodies; that of beams was added with their rows, all of it becomes signals here."""
    if work.gravity is None or work.motions.fidelity not in ("planar", "spatial"):
        return
    gx, gy, gz = work.gravity
    if work.motions.fidelity == "spatial":
        reduced_weights(work, (gx, gy, gz))
    elif any(shaft.segments for shaft in work.train.shafts.values()):
        work.note(
            assumed("the weight of shafts is left out at fidelity planar, where they are springs; spatial has it")
        )
    for body in work.train.bodies.values():
        mass = (body.mass or 0.0) * body.count + work.hung.get(body.name, 0.0)
        if not (work.motions.keeps(body.name, "y") and mass):
            continue
        if work.motions.keeps(body.name, "x"):
            add(work.weights, {f"{body.name}.x": mass * gx})
        frame = work.motions.frame[body.name]
        if frame is None:
            add(work.weights, {f"{body.name}.y": mass * gy, f"{body.name}.z": mass * gz})
        else:
            y, z = work.motions.translation(body.name)
            sense = Row(f"{body.name}.weight_angle", work.motions.rotation(frame))
            rows = [Row(f"{body.name}.weight_y", y), Row(f"{body.name}.weight_z", z)]
            work.builder.block(f"{body.name}.weight", rows, turning_gravity(mass * gy, mass * gz), [sense])
    largest = max(map(abs, work.weights.values()), default=0.0)
    for coordinate, weight in work.weights.items():
        if abs(weight) > 1e-12 * largest:
            work.builder.input(coordinate, work.builder.signal(f"weight on {coordinate}", constant(weight)))


def _gyroscopic(work: Assembly) -> None:
    """Coriolis and centripetal forces in the frames of carriers: all parts or none."""
    if work.motions.fidelity not in ("planar", "spatial"):
        return
    if work.motions.fidelity == "spatial":
        gyroscopic_moments(work)
    for body in work.train.bodies.values():
        frame = work.motions.frame[body.name]
        if frame is None or not (work.motions.keeps(body.name, "y") and body.mass):
            continue
        y, z = (dict(terms) for terms in work.motions.translation(body.name))
        rows = [Row(f"{body.name}.inertia_y", dict(y)), Row(f"{body.name}.inertia_z", dict(z))]
        pin = (0.0, 0.0)
        if body.on == frame and body.pin_radius is not None:
            pin = (body.pin_radius * math.cos(body.angle), body.pin_radius * math.sin(body.angle))
            add(y, work.motions.rotation(frame), pin[1])
            add(z, work.motions.rotation(frame), -pin[0])
        senses = [
            Row(f"{body.name}.inertia_dy", y),
            Row(f"{body.name}.inertia_dz", z),
            Row(f"{body.name}.inertia_angle", work.motions.rotation(frame)),
        ]
        work.builder.block(f"{body.name}.inertia", rows, gyroscopic(body.mass, *pin), senses)


def _modal_damping(work: Assembly) -> None:
    """Damping by mode: modal ratios or mass-proportional, as one damper row per elastic mode.

    A row ``phi^T M`` with damping 2 zeta omega adds exactly that ratio to its mode and nothing to the others;
    the rigid motion is orthogonal to it and stays undamped.
    """
    damping = work.train.damping
    ratios, alpha = (None, None) if damping is None else (damping.modal, damping.mass_proportional)
    if not ratios and not alpha:
        return
    import scipy.linalg as la

    bare = _build(work)
    mass, stiffness, _ = bare.linear()
    values, shapes = la.eigh(stiffness, mass)
    floor = 1e-9 * float(values[-1])
    elastic = 0
    for value, shape in zip(values, shapes.T, strict=True):
        if value <= floor:
            continue
        omega = math.sqrt(float(value))
        zeta = float(ratios[min(elastic, len(ratios) - 1)]) if ratios else 0.0
        elastic += 1
        c = 2.0 * zeta * omega + float(alpha or 0.0)
        row = {name: float(x) for name, x in zip(bare.coordinates, mass @ shape, strict=True) if x != 0.0}
        work.builder.row(f"mode{elastic}.damping", row, Spring(0.0, c))


def _body_channels(work: Assembly) -> None:
    train, builder = work.train, work.builder
    for body in train.bodies.values():
        if not work.motions.keeps(body.name, "rotation"):
            continue
        coordinate = f"{body.name}.rotation"
        sense = "positive about +x, seen from the rotor towards the machine"
        builder.channel("body", body.name, "speed", "rad/s", sense, [(Source.SPEED, coordinate, 1.0)])
        builder.channel("body", body.name, "acceleration", "rad/s^2", sense, [(Source.ACCELERATION, coordinate, 1.0)])
        builder.channel(
            "body", body.name, "deviation", "rad", "elastic part of the rotation", [(Source.POSITION, coordinate, 1.0)]
        )
        if work.motions.keeps(body.name, "y"):
            frame = work.motions.frame[body.name]
            where = f"in the frame of '{frame}'" if frame else "+y left looking downwind, +z up"
            for axis in [m for m in ("x", "y", "z") if work.motions.keeps(body.name, m)]:
                c = f"{body.name}.{axis}"
                builder.channel("body", body.name, axis, "m", where, [(Source.POSITION, c, 1.0)])
                builder.channel("body", body.name, f"speed_{axis}", "m/s", where, [(Source.SPEED, c, 1.0)])
                builder.channel(
                    "body", body.name, f"acceleration_{axis}", "m/s^2", where, [(Source.ACCELERATION, c, 1.0)]
                )
        for axis in [m for m in ("tilt_y", "tilt_z") if work.motions.keeps(body.name, m)]:
            sense = f"about {axis[-1]}"
            builder.channel("body", body.name, axis, "rad", sense, [(Source.POSITION, f"{body.name}.{axis}", 1.0)])
    names = {m.body: m.name for m in train.machines.values() if not is_vehicle(m)}
    for name, terms in work.machine_torque.items():
        if terms:
            element = names.get(name, name)
            builder.channel(
                "machine", element, "torque", "N m", "torque on the body, positive about +x", terms, counted=True
            )
            builder.channel(
                "machine", element, "speed", "rad/s", "positive about +x", [(Source.SPEED, f"{name}.rotation", 1.0)]
            )
