"""``assemble(train, ...) -> System``: bodies and elements become coordinates, rows, acts and channels."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np
import scipy.linalg as la

from gearwright.drivetrain.train import HOUSING, Bearing, Body, Damping, Mesh, Train
from gearwright.laws.clearance import clearance
from gearwright.laws.floating import floating
from gearwright.laws.gyroscopic import gyroscopic
from gearwright.laws.speed_control import speed_control
from gearwright.laws.tooth_contact import tooth_contact
from gearwright.laws.turning import turning_coupling, turning_gravity, turning_support
from gearwright.system import Builder, Channel, Provenance, Row, Source, Spring, System, constant

from .contact import Contact, contact, contact_rows
from .elastic import around_the_wheels, in_series, series_mesh
from .inputs import Inputs
from .machines import machines, settled
from .meshes import LAWS, MeshAct, flank_row, mesh_act, phase_row, stiffness_curve
from .motion import AssemblyError, Motions, Terms, add
from .rigid import (
    bearing_friction,
    check_joints,
    check_losses,
    check_rank,
    completed_speeds,
    compliances,
    hold,
    joint,
    loss_rows,
    massless,
    rigid_mesh,
)
from .rolling import rolling_block
from .spatial import (
    TILT_SCALE,
    apply_pushes,
    gyroscopic_moments,
    magnetic_pulls,
    note_followers,
    refuse_loose,
    spatial_inertia,
)
from .spatial_beams import beam_inertia, beam_rows, beam_weights
from .spatial_bearings import spatial_bearing
from .spatial_meshes import spatial_mesh
from .spatial_reduced import add_nodes, is_node, reduced_coordinates, reduced_inertias, reduced_rows
from .spatial_shafts import divide_shafts
from .vehicles import is_vehicle, vehicle_coordinates, wheel_speeds

G = 9.81  # m/s^2, standard of the sources (S0 digest section 2)

_MESH_SIGN = "positive on the drive flank, the one loaded when power flows from input to output"
_BEARING_SIGN = "force of the body on its support, positive along +y (left looking downwind) or +z (up)"
_SHAFT_SIGN = "positive when the first end drives the second in the positive sense (from rotor to machine)"


@dataclass
class Assembly:
    """A system being assembled: the builder and what the parts have to know of each other."""

    train: Train
    motions: Motions
    law: str
    inputs: Inputs
    builder: Builder = field(default_factory=Builder)
    mass: dict[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    #: force rows acting on a body's translation: body -> list of (row name, terms of the row)
    pushes: dict[str, list[tuple[str, float, float]]] = field(default_factory=dict)
    machine_torque: dict[str, list[tuple[Source, str, float]]] = field(default_factory=dict)
    #: gauges of shafts that have a channel: (shaft, element)
    gauged: list[tuple[str, str]] = field(default_factory=list)

    #: meshes in contact pair by pair
    contacts: dict[str, Contact] = field(default_factory=dict)
    #: rows of rigid meshes, by mesh
    hard: dict[str, Terms] = field(default_factory=dict)

    def put(self, value: float, row: Terms) -> None:
        """Add kinetic energy ``value/2 (row . v)^2`` and remember it per coordinate."""
        self.builder.inertia(value, row)
        for name, c in row.items():
            self.mass[name] = self.mass.get(name, 0.0) + value * c * c

    def damping(self, damping: Damping, stiffness: float, row: Terms) -> float:
        """Damping of a row [N s/m or N m s/rad] from its facts, or from the model's, which replace those of elements."""
        if self.train.damping:
            return float(self.train.damping.get("stiffness_proportional") or 0.0) * stiffness
        if damping.value is not None:
            return damping.value
        if damping.stiffness_proportional is not None:
            return damping.stiffness_proportional * stiffness
        if damping.ratio is not None:
            inverse = sum(c * c / self.mass[name] for name, c in row.items())
            return 2.0 * damping.ratio * math.sqrt(stiffness / inverse)
        return 0.0

    def note(self, text: str) -> None:
        """Remember something the reader should know of this assembly."""
        if text not in self.notes:
            self.notes.append(text)


def assemble(train: Train, fidelity: str | None = None, law: str | None = None, inputs: Inputs | None = None) -> System:
    """Make a system of a train.

    Parameters
    ----------
    train : the expanded drivetrain
    fidelity : ``rigid``, ``torsional``, ``planar`` or ``spatial``; default from the file
    law : ``rigid``, ``linear``, ``periodic`` or ``tooth_contact`` for every mesh; default from the file. Fidelity ``rigid`` is
        ``torsional`` with law ``rigid``, with members that may be without inertia
    inputs : loads, prescribed speeds and initial speeds; default: none, machines at their operating point

    Raises AssemblyError with what is missing or does not fit.
    """
    fidelity = fidelity or train.model.get("fidelity") or "torsional"
    if fidelity == "rigid" and law in (None, "rigid"):
        law = "rigid"
    law = law or train.model.get("law") or "linear"
    if (
        law not in LAWS
        or (fidelity == "rigid") > (law == "rigid")
        or (law == "rigid" and fidelity in ("planar", "spatial"))
        or (law == "tooth_contact" and fidelity == "spatial")
    ):
        allowed = {
            "rigid": "rigid", "planar": "linear, periodic or tooth_contact", "spatial": "linear or periodic",
        }.get(fidelity, "rigid, linear, periodic or tooth_contact")  # fmt: skip
        raise AssemblyError(f"law '{law}' cannot be assembled at fidelity {fidelity}; choose {allowed}")
    inputs = inputs or Inputs()
    _refuse_losses(train, fidelity)
    train = train if law == "tooth_contact" else _in_numbers(train)
    train, moved = settled(train, {load.body for load in inputs.loads} | {drive.body for drive in inputs.drives})
    train, divided = divide_shafts(add_nodes(train)) if fidelity == "spatial" else (train, [])
    work = Assembly(train, Motions.of(train, fidelity), law, inputs, notes=[*moved, *divided])
    _coordinates(work)
    _inertias(work)
    _meshes(work)
    for bearing in train.bearings.values():
        _bearing(work, bearing)
        bearing_friction(work, bearing)
    for name in train.bodies:
        _reaction(work, name)
    _shafts(work)
    _couplings(work)
    machines(work)
    _applied(work)
    apply_pushes(work)
    if fidelity == "spatial":
        reduced_rows(work)
        magnetic_pulls(work)
        note_followers(work)
    if train.model.get("gravity"):
        _gravity(work)
    if train.model.get("gyroscopic"):
        _gyroscopic(work)
    _modal_damping(work)
    _body_channels(work)
    return _build(work)


def _in_numbers(train: Train) -> Train:
    """The train with ``stiffness: {from: ...}`` computed; raises AssemblyError naming what that misses."""
    if not any(mesh.stiffness.source for mesh in train.meshes.values()):
        return train
    from gearwright.stiffness.resolve import resolved

    try:
        return resolved(train)
    except ValueError as error:  # impossible gears, missing data
        raise AssemblyError(str(error)) from None


def _refuse_losses(train: Train, fidelity: str) -> None:
    """Friction that a fidelity does not compute: refused, never left out silently."""
    if train.model.get("loss") == "none" or fidelity != "spatial":
        return
    lossy = [f"loss of mesh '{m.name}'" for m in train.meshes.values() if m.loss and not in_series(m)]
    lossy += [f"friction of bearing '{b.name}'" for b in train.bearings.values() if b.friction]
    if lossy:
        raise AssemblyError(
            f"fidelity spatial does not compute friction losses: {', '.join(lossy[:4])}; choose torsional or planar, take "
            f"them out of the file, or --set model.loss=none to run it without loss"
        )


def _build(work: Assembly) -> System:
    speeds = _initial_speeds(work)
    provenance = Provenance(work.train.name, work.motions.fidelity, work.law, tuple(work.notes))
    system = work.builder.build(provenance, speeds)
    if work.motions.fidelity == "spatial":
        refuse_loose(system)
    return replace(
        system,
        channels=system.channels + tuple(_angles(work, system)) + tuple(_reaction_torques(work, system))
        + tuple(_phases(work, system)),
    )  # fmt: skip


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
        ):
            full = f"{name}.{row}"
            if full in system.rows:
                terms = system.deflection_terms(system.rows.index(full))
                channels.append(Channel("mesh", name, quantity, unit, sign, terms))
    return channels


def _reaction_torques(work: Assembly, system: System) -> list[Channel]:
    """Torque that drives a prescribed body: its inertia times acceleration and what its rows take."""
    channels = []
    names = {m.body: m.name for m in work.train.machines.values()}
    for drive in work.inputs.drives:
        p = system.coordinates.index(f"{drive.body}.rotation")
        terms: list[tuple[Source, int, float]] = []
        mass = system.mass[p]
        terms += [(Source.ACCELERATION, int(j), float(m)) for j, m in zip(mass.indices, mass.data, strict=True)]
        column = system.D[:, p].tocoo()
        terms += [(Source.FORCE, int(i), float(v)) for i, v in zip(column.row, column.data, strict=True)]
        element = names.get(drive.body, drive.body)
        sign = "torque that drives the body, positive about +x; reaction of the prescribed speed"
        channels.append(Channel("machine", element, "torque", "N m", sign, tuple(terms), True))
        speed = ((Source.SPEED, p, 1.0),)
        channels.append(Channel("machine", element, "speed", "rad/s", "positive about +x", speed))
    return channels


def _initial_speeds(work: Assembly) -> dict[str, float]:
    """Rigid motion of the whole train at its operating speed, translations of carried planets included."""
    train = work.train
    speeds = {f"{name}.forward": value for name, value in work.inputs.vehicles.items()}
    said = {**wheel_speeds(work), **work.inputs.speeds}
    reference = train.speed or 0.0
    if work.inputs.drives and train.ratios:
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
    includes = train.stages.get(body.stage or "", {}).get("inertia_includes_planets")
    if includes and planets:
        inertia -= sum(p.mass * p.pin_radius**2 * p.count for p in planets if p.mass and p.pin_radius)
        if inertia <= 0.0:
            raise AssemblyError(
                f"'{body.name}': inertia {body.inertia:g} kg m^2 is said to include the planets, but they alone "
                f"have {(body.inertia or 0.0) - inertia:g} kg m^2; "
                f"set inertia_includes_planets: false or correct the inertia"
            )
    return inertia


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
                    f"'{body.name}' has no inertia: {inertia:.3g} kg m^2 stand for it, a millionth of the smallest given"
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
        reduced_inertias(work)


def _push(work: Assembly, body: str, row: str, y: float, z: float) -> None:
    work.pushes.setdefault(body, []).append((row, y, z))


def _remember_pushes(work: Assembly, mesh: Mesh, row: str, flank: int) -> None:
    """Entries of a flank row on both bodies' translations, kept or not: what their bearings have to carry."""
    from .meshes import _direction, working_angle

    alpha = working_angle(work.motions, mesh)
    if mesh.angle is None or alpha is None:
        return
    ey, ez = _direction(mesh.angle - flank * alpha)
    for sign, name in ((flank, mesh.between[0]), (-flank, mesh.between[1])):
        _push(work, name, row, sign * ey, sign * ez)


def _rigid_meshes(work: Assembly) -> None:
    weights = compliances(work)
    for mesh in work.train.meshes.values():
        row = rigid_mesh(work, mesh, weights[mesh.name])
        work.hard[mesh.name] = dict(row.coefficients)
        _remember_pushes(work, mesh, row.name, mesh.sigma)
        _mesh_channels(work, mesh, row, False)
        loss_rows(work, mesh, {row.name: mesh.sigma})
    for body in work.train.holds:
        hold(work, body)
    check_rank(work, work.hard)
    check_joints(work, work.hard)
    if work.train.model.get("loss") != "none":
        check_losses(work)


def _meshes(work: Assembly) -> None:
    if work.law == "rigid":
        _rigid_meshes(work)
        return
    contacts = work.law == "tooth_contact"
    condensed = set() if contacts else _floating_members(work)
    for mesh in work.train.meshes.values():
        if contacts:
            _contact_mesh(work, mesh)
            continue
        if in_series(mesh):
            if work.motions.fidelity == "spatial":
                raise AssemblyError(
                    f"mesh '{mesh.name}' loses in series with its stiffness (loss: compliance), which fidelity spatial does "
                    f"not compute; choose torsional or planar"
                )
            series_mesh(work, mesh, mesh.name in condensed)
            continue
        around = bool(mesh.facts.get("circumference"))
        if around and (mesh.name in condensed or work.motions.fidelity == "spatial"):
            what = "with a floating member" if mesh.name in condensed else "at fidelity spatial"
            raise AssemblyError(
                f"mesh '{mesh.name}' takes no profile over the circumference {what}; choose fidelity planar"
            )
        if mesh.name in condensed:
            continue
        spur = work.train.model.get("helical") == "spur"
        if work.motions.fidelity == "spatial":
            spatial_mesh(work, mesh, spur, _remember_pushes)
            continue
        row = flank_row(work.motions, mesh, mesh.sigma)
        reference = _reference_stiffness(mesh)
        act = mesh_act(work.motions, mesh, work.law, work.damping(mesh.damping, reference, row), spur)
        _add_mesh(work, mesh, around_the_wheels(work, mesh, act) if around else act)


def _contact_mesh(work: Assembly, mesh: Mesh) -> None:
    """A mesh whose tooth pairs touch one by one."""
    if in_series(mesh) or mesh.facts.get("circumference"):
        raise AssemblyError(
            f"mesh '{mesh.name}': a loss in series with the stiffness and a profile over the circumference belong to laws "
            f"linear and periodic; law tooth_contact takes losses as efficiency, friction or force pole offset"
        )
    floats = [n for n in mesh.between if work.train.bodies[n].floating and not work.train.bodies[n].fixed]
    if floats and work.motions.fidelity == "torsional":
        work.note(
            f"'{floats[0]}' floats: at fidelity torsional law tooth_contact keeps it in place; planar lets it float"
        )
    row = flank_row(work.motions, mesh, mesh.sigma)
    made = contact(mesh, work.train, lambda k: work.damping(mesh.damping, k, row))
    for note in made.notes:
        work.note(note)
    rows, senses, planar = contact_rows(work.motions, mesh, made.data)
    law = tooth_contact(made.data, planar, made.stiffness, made.data.chi * made.load)
    work.builder.block(mesh.name, rows, law, senses)
    work.contacts[mesh.name] = made
    for r, flank in ((rows[0], mesh.sigma), (rows[1], -mesh.sigma)):
        _remember_pushes(work, mesh, r.name, flank)
    _mesh_channels(work, mesh, rows[0], True)
    channel = work.builder.channel
    if made.data.contact is not None:
        channel("mesh", mesh.name, "contact_pressure", "Pa", "largest Hertz pressure of all pairs",
                [(Source.FORCE, rows[3].name, 1e6)], counted=True)  # fmt: skip
    channel("mesh", mesh.name, "wedging_force", "N", "smaller of both flank forces: above zero a tooth is wedged",
            [(Source.FORCE, rows[4].name, 1.0)], counted=True)  # fmt: skip
    loss_rows(work, mesh, {rows[0].name: mesh.sigma, rows[1].name: -mesh.sigma})


def _reference_stiffness(mesh: Mesh) -> float:
    from .meshes import mean_stiffness

    return mean_stiffness(mesh)


def _add_mesh(work: Assembly, mesh: Mesh, act: MeshAct) -> None:
    drive = Row(f"{mesh.name}.drive", flank_row(work.motions, mesh, mesh.sigma))
    rows = [drive]
    if act.two_flanks:
        rows.append(Row(f"{mesh.name}.coast", flank_row(work.motions, mesh, -mesh.sigma)))
    if act.spring is not None:
        work.builder.row(drive.name, drive.coefficients, act.spring)
    else:
        assert act.law is not None
        work.builder.block(mesh.name, rows, act.law, act.senses)
    _remember_pushes(work, mesh, drive.name, mesh.sigma)
    if act.two_flanks:
        _remember_pushes(work, mesh, rows[1].name, -mesh.sigma)
    _mesh_channels(work, mesh, drive, act.two_flanks)
    flanks = {row.name: mesh.sigma * sign for row, sign in zip(rows, (1, -1), strict=False)}
    loss_rows(work, mesh, flanks)


def _mesh_channels(work: Assembly, mesh: Mesh, drive: Row, two_flanks: bool) -> None:
    terms = [(Source.FORCE, drive.name, 1.0)]
    if two_flanks:
        terms.append((Source.FORCE, f"{mesh.name}.coast", -1.0))
    channel = work.builder.channel
    channel("mesh", mesh.name, "normal_force", "N", _MESH_SIGN, terms, counted=True)
    if two_flanks:
        for flank in ("drive", "coast"):
            row = f"{mesh.name}.{flank}"
            channel("mesh", mesh.name, f"{flank}_force", "N", "pressing is positive", [(Source.FORCE, row, 1.0)])
    deflection = [(Source.POSITION, name, value) for name, value in drive.coefficients.items()]
    channel("mesh", mesh.name, "deflection", "m", "positive where the drive flanks are pressed", deflection)


def _floating_members(work: Assembly) -> set[str]:
    """Meshes of members that float (torsional): one law for all of a member's meshes, or none to condense."""
    condensed: set[str] = set()
    if work.motions.fidelity != "torsional":
        return condensed
    for body in work.train.bodies.values():
        if not body.floating or body.fixed:
            continue
        meshes = [m for m in work.train.meshes.values() if body.name in m.between and m.angle is not None and m.on]
        if len(meshes) < 2:
            continue
        condensed.update(m.name for m in meshes)
        _condense(work, body, meshes)
    return condensed


def _condense(work: Assembly, body: Body, meshes: list[Mesh]) -> None:
    from .meshes import _direction, _value_at, mean_stiffness, working_angle

    if any(m.backlash is not None or m.excitation for m in meshes):
        raise AssemblyError(
            f"'{body.name}' floats: its meshes cannot have backlash or transmission error at fidelity torsional; "
            f"choose planar"
        )
    spur = work.train.model.get("helical") == "spur"
    directions, rows = [], []
    for mesh in meshes:
        alpha = working_angle(work.motions, mesh)
        assert mesh.angle is not None and alpha is not None
        ey, ez = _direction(mesh.angle - mesh.sigma * alpha)
        sign = mesh.sigma if mesh.between[0] == body.name else -mesh.sigma
        directions.append((sign * ey, sign * ez))
        rows.append(Row(f"{mesh.name}.drive", flank_row(work.motions, mesh, mesh.sigma)))
    first = meshes[0]
    senses = Row(f"{body.name}.phase", phase_row(work.motions, first), first.phase) if work.law == "periodic" else None
    if work.law == "linear":
        edges, levels = [0.0], np.array([[mean_stiffness(m) for m in meshes]])
        senses = Row(f"{body.name}.phase", {next(iter(rows[0].coefficients)): 1.0})
    else:
        curves = [stiffness_curve(m, spur) for m in meshes]
        if any(len(cells) > 1 for curve in curves for _, _, cells in curve):
            raise AssemblyError(
                f"'{body.name}' floats: its meshes need stiffness in levels at fidelity torsional; choose planar"
            )
        shift = [m.phase - first.phase for m in meshes]
        edges = sorted({round((s - d) % 1.0, 12) for curve, d in zip(curves, shift, strict=True) for s, _, _ in curve})
        middle = [0.5 * (a + b) for a, b in zip(edges, [*edges[1:], edges[0] + 1.0], strict=True)]
        levels = np.array([[_value_at(c, x + d) for c, d in zip(curves, shift, strict=True)] for x in middle])
    assert senses is not None
    c = work.damping(first.damping, float(levels.mean()), dict(rows[0].coefficients))
    work.builder.block(f"{body.name}.floating", rows, floating(edges, levels, c, np.array(directions)), [senses])
    for mesh, row in zip(meshes, rows, strict=True):
        _remember_pushes(work, mesh, row.name, mesh.sigma)
        _mesh_channels(work, mesh, row, False)


def _bearing(work: Assembly, bearing: Bearing) -> None:
    body, support = bearing.between
    if body == HOUSING:
        body, support = support, body
    train, motions = work.train, work.motions
    rotation = add(dict(motions.rotation(body)), motions.rotation(support) if support != HOUSING else {}, -1.0)
    if bearing.torsional and rotation:
        name = f"{bearing.name}.rotation"
        c = work.damping(bearing.torsional_damping, bearing.torsional, rotation)
        work.builder.row(name, rotation, Spring(bearing.torsional, c))
        work.builder.channel("bearing", bearing.name, "moment_x", "N m", "moment of the body on its support about +x",
                             [(Source.FORCE, name, 1.0)], counted=True)  # fmt: skip
    if motions.fidelity == "spatial":
        spatial_bearing(work, bearing)
        return
    if (bearing.stiffness is None and not bearing.by_elements) or not motions.keeps(body, "y"):
        return
    y, z = (dict(terms) for terms in motions.translation(body))
    if support != HOUSING:
        sy, sz = motions.support_point(body, support)
        add(y, sy, -1.0)
        add(z, sz, -1.0)
    item = train.bodies[body]
    radial, tangential = bearing.pin_error
    a = item.angle
    offset = (-(radial * math.cos(a) - tangential * math.sin(a)), -(radial * math.sin(a) + tangential * math.cos(a)))
    frame = motions.frame[body]
    where = f"; axes turn with '{frame}'" if frame else ""
    if bearing.stiffness is None:
        forces = rolling_block(work, bearing, body, support, {"y": y, "z": z}, offset)
        for motion, parts in forces.items():
            work.builder.channel(
                "bearing", bearing.name, f"force_{motion}", "N", _BEARING_SIGN + where, parts, counted=True
            )
        return
    (kyy, kyz), (_, kzz) = bearing.stiffness
    names = (f"{bearing.name}.y", f"{bearing.name}.z")
    turning = frame is not None and support == HOUSING and (abs(kyy - kzz) > 1e-9 * max(kyy, kzz) or abs(kyz) > 0.0)
    cy, cz = work.damping(bearing.damping, kyy, y), work.damping(bearing.damping, kzz, z)
    terms_y, terms_z = [(Source.FORCE, names[0], 1.0)], [(Source.FORCE, names[1], 1.0)]
    if bearing.clearance is not None:
        if abs(kyy - kzz) > 1e-9 * max(kyy, kzz) or kyz:
            raise AssemblyError(
                f"bearing '{bearing.name}': clearance needs one radial stiffness, not {kyy:g} and {kzz:g} N/m"
            )
        rows = [Row(names[0], y, offset[0]), Row(names[1], z, offset[1])]
        work.builder.block(bearing.name, rows, clearance(kyy, cy, bearing.clearance))
    elif turning:
        work.note(
            f"the support '{bearing.name}' is not the same in y and z ({kyy:g}, {kzz:g} N/m) and its body is described "
            f"in the turning frame of '{frame}': its stiffness there has the period of half a turn; modes use the mean"
        )
        assert frame is not None
        sense = Row(f"{bearing.name}.angle", motions.rotation(frame))
        rows = [Row(names[0], y), Row(names[1], z)]
        work.builder.block(bearing.name, rows, turning_support(kyy, kyz, kzz, cy, cz), [sense])
    elif kyz:
        # a full block becomes two independent springs along its principal axes
        values, vectors = la.eigh(np.array([[kyy, kyz], [kyz, kzz]]))
        terms_y, terms_z = [], []
        for i in (0, 1):
            row = add(add({}, y, vectors[0, i]), z, vectors[1, i])
            name = f"{bearing.name}.axis{i + 1}"
            off = float(vectors[0, i] * offset[0] + vectors[1, i] * offset[1])
            work.builder.row(
                name, row, Spring(float(values[i]), work.damping(bearing.damping, float(values[i]), row)), off
            )
            terms_y.append((Source.FORCE, name, float(vectors[0, i])))
            terms_z.append((Source.FORCE, name, float(vectors[1, i])))
    else:
        work.builder.row(names[0], y, Spring(kyy, cy), offset[0])
        work.builder.row(names[1], z, Spring(kzz, cz), offset[1])
    work.builder.channel("bearing", bearing.name, "force_y", "N", _BEARING_SIGN + where, terms_y, counted=True)
    work.builder.channel("bearing", bearing.name, "force_z", "N", _BEARING_SIGN + where, terms_z, counted=True)


def _reaction(work: Assembly, name: str) -> None:
    """Bearing load of a body whose translations are not coordinates: what its rows push, and its inertia."""
    motions, train = work.motions, work.train
    pushes = work.pushes.get(name)
    if not pushes or motions.keeps(name, "y"):
        return
    body = train.bodies[name]
    bearings = [b.name for b in train.bearings.values() if b.between[0] == name]
    element = bearings[0] if bearings else f"{name}_bearing"
    carried = motions.translation(name)
    for axis, which in ((0, "y"), (1, "z")):
        terms = [(Source.FORCE, row, -(y, z)[axis]) for row, y, z in pushes]
        if body.mass and carried[axis]:
            terms += [(Source.ACCELERATION, c, -body.mass * value) for c, value in carried[axis].items()]
        where = f"; axes turn with '{body.on or _carrier_of(train, body)}'" if _carrier_of(train, body) else ""
        sign = _BEARING_SIGN + where + "; reaction of a motion that this fidelity leaves out"
        work.builder.channel("bearing", element, f"force_{which}", "N", sign, terms, counted=True)


def _carrier_of(train: Train, body: Body) -> str | None:
    if body.on:
        return body.on
    if body.role in ("sun", "ring", "carrier") and body.stage:
        found = [b.name for b in train.bodies.values() if b.stage == body.stage and b.role == "carrier"]
        return found[0] if found else None
    return None


def _shafts(work: Assembly) -> None:
    motions = work.motions
    for shaft in work.train.shafts.values():
        first, second = shaft.between
        row = add(dict(motions.rotation(first) if first != HOUSING else {}),
                  motions.rotation(second) if second != HOUSING else {}, -1.0)  # fmt: skip
        if not row:
            raise AssemblyError(f"shaft '{shaft.name}' joins '{first}' and '{second}', and neither of them turns")
        name = f"{shaft.name}.torsion"
        work.builder.row(name, row, Spring(shaft.torsional, work.damping(shaft.damping, shaft.torsional, row)))
        if motions.fidelity == "spatial" and shaft.segments:
            beam_rows(work, shaft)
            continue
        channel = work.builder.channel
        channel("shaft", shaft.name, "torque", "N m", _SHAFT_SIGN, [(Source.FORCE, name, 1.0)], counted=True)
        twist = [(Source.POSITION, c, v) for c, v in row.items()]
        channel("shaft", shaft.name, "twist", "rad", _SHAFT_SIGN, twist)
        if shaft.lateral and all(n != HOUSING and motions.keeps(n, "y") for n in shaft.between):
            _shaft_bending(work, shaft.name, shaft.between, shaft.lateral, shaft.damping)


def _shaft_bending(work: Assembly, name: str, between: tuple[str, str], stiffness: float, damping: Damping) -> None:
    motions = work.motions
    (y1, z1), (y2, z2) = (motions.translation(n) for n in between)
    frames = [motions.frame[n] for n in between]
    names = (f"{name}.bending_y", f"{name}.bending_z")
    if frames[0] == frames[1]:
        for row_name, a, b in zip(names, (y1, z1), (y2, z2), strict=True):
            row = add(dict(a), b, -1.0)
            work.builder.row(row_name, row, Spring(stiffness, work.damping(damping, stiffness, row)))
    else:
        work.note(
            f"the bending of shaft '{name}' joins two frames that turn against each other; modes take them aligned"
        )
        rows = [Row(names[0], y1), Row(names[1], z1), Row(f"{name}.bending_y2", y2), Row(f"{name}.bending_z2", z2)]
        some = next(iter(motions.rotation(between[0]) or motions.rotation(between[1])))
        senses = [
            Row(f"{name}.frame{i + 1}", motions.rotation(f) if f else {some: 1e-300}) for i, f in enumerate(frames)
        ]
        c = work.damping(damping, stiffness, add(dict(y1), y2, -1.0))
        work.builder.block(f"{name}.bending", rows, turning_coupling(stiffness, c), senses)
    for axis, row_name in zip(("y", "z"), names, strict=True):
        work.builder.channel("shaft", name, f"shear_{axis}", "N", "force of the first end on the second",
                             [(Source.FORCE, row_name, 1.0)], counted=True)  # fmt: skip


def _couplings(work: Assembly) -> None:
    for coupling in work.train.couplings.values():
        if coupling.type in ("brake", "clutch", "one_way", "drag"):
            joint(work, coupling)
            continue
        p = coupling.parameters
        first, second = coupling.between
        row = add(dict(work.motions.rotation(first) if first != HOUSING else {}),
                  work.motions.rotation(second) if second != HOUSING else {}, -1.0)  # fmt: skip
        if coupling.type not in ("spring", "damper"):
            raise AssemblyError(
                f"element '{coupling.name}' of type {coupling.type} needs fidelity multibody, which this version "
                f"does not have; spring, damper, brake, clutch, one_way and drag work at {work.motions.fidelity}"
            )
        if not row:
            raise AssemblyError(f"element '{coupling.name}' joins '{first}' and '{second}', and neither of them turns")
        k = float(p.get("torsional_stiffness") or 0.0)
        given = p.get("torsional_damping")
        c = work.damping(given, k, row) if isinstance(given, Damping) else float(given or 0.0)
        name = f"{coupling.name}.torsion"
        if p.get("play"):
            from gearwright.laws.play import play

            work.builder.block(coupling.name, [Row(name, row)], play(k, c, float(p["play"])))
        else:
            work.builder.row(name, row, Spring(k, c))
        work.builder.channel(
            "shaft", coupling.name, "torque", "N m", _SHAFT_SIGN, [(Source.FORCE, name, 1.0)], counted=True
        )


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
    if work.motions.fidelity not in ("planar", "spatial"):
        return
    gx, gy, gz = (work.train.gravity or {}).get("vector", (0.0, 0.0, -G))
    beams = beam_weights(work.train) if work.motions.fidelity == "spatial" else {}
    for body in work.train.bodies.values():
        mass = (body.mass or 0.0) * body.count + beams.get(body.name, (0.0, 0.0, 0.0))[0]
        if not (work.motions.keeps(body.name, "y") and mass):
            continue
        if gx and work.motions.keeps(body.name, "x"):
            signal = work.builder.signal(f"weight of {body.name} in x", constant(mass * gx))
            work.builder.input(f"{body.name}.x", signal)
        frame = work.motions.frame[body.name]
        if frame is None:
            for axis, g in (("y", gy), ("z", gz)):
                if g:
                    signal = work.builder.signal(f"weight of {body.name} in {axis}", constant(mass * g))
                    work.builder.input(f"{body.name}.{axis}", signal)
        else:
            y, z = work.motions.translation(body.name)
            sense = Row(f"{body.name}.weight_angle", work.motions.rotation(frame))
            rows = [Row(f"{body.name}.weight_y", y), Row(f"{body.name}.weight_z", z)]
            work.builder.block(f"{body.name}.weight", rows, turning_gravity(mass * gy, mass * gz), [sense])


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
    facts = work.train.damping
    ratio, alpha = facts.get("modal_ratio"), facts.get("mass_proportional")
    if not ratio and not alpha:
        return
    bare = _build(work)
    mass, stiffness, _ = bare.linear()
    values, shapes = la.eigh(stiffness, mass)
    floor = 1e-9 * float(values[-1])
    ratios = ratio if isinstance(ratio, (list, tuple)) else None
    elastic = 0
    for value, shape in zip(values, shapes.T, strict=True):
        if value <= floor:
            continue
        omega = math.sqrt(float(value))
        zeta = 0.0
        if ratios:
            zeta = float(ratios[min(elastic, len(ratios) - 1)])
        elif ratio:
            zeta = float(ratio)
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
