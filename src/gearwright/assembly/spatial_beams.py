"""Shafts as beams: consistent mass, rows of axial and bending deformation, section loads."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gearwright.laws.gyroscopic import gyroscopic_tilt
from gearwright.laws.turning import turning_beam, turning_gravity
from gearwright.stiffness.beam import MOTIONS, Beam, beam_deformations, beam_mass, beam_slopes, mass_rows, uniform_load
from gearwright.system import Row, Source, Spring
from gearwright.system.channel import TURNING
from gearwright.train.train import HOUSING, Damping, Shaft

from .motion import BETWEEN, AssemblyError, Motions, Terms, add
from .spatial_shafts import beam_of

if TYPE_CHECKING:
    from .work import Assembly

Forces = dict[str, list[tuple[Source, str, float]]]

_SECTION_SIGN = "of the part towards the first end on the other, at {}"


def beam_inertia(work: Assembly, shaft: Shaft) -> None:
    """Consistent mass of a beam on the motions of its ends."""
    ends = _ends(work.motions, shaft)
    terms = [*ends[0], *ends[1]]
    for value, row in mass_rows(beam_mass(beam_of(shaft))):
        total: Terms = {}
        for c, one in zip(row, terms, strict=True):
            if abs(c) > 1e-12 * np.abs(row).max():
                add(total, one, float(c))
        if total:
            work.put(value, total)


def _ends(motions: Motions, shaft: Shaft) -> list[list[Terms]]:
    """The six motions of both ends of a beam, each in the own frame of its body."""
    points = shaft.eccentric or ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    return [_end_motions(motions, name, point) for name, point in zip(shaft.between, points, strict=True)]


def _end_motions(motions: Motions, name: str, point: tuple[float, float, float]) -> list[Terms]:
    if name == HOUSING:
        return [{} for _ in MOTIONS]
    x, y, z = motions.place(name, *point)
    return [x, y, z, motions.rotation(name), *motions.tilts(name)]


def hung_weights(work: Assembly) -> None:
    """Mass and weight of shafts that only twist: half of each rests on an end with mass (see ``divide_shafts``)."""
    for shaft in work.train.shafts.values():
        for name, mass in zip(shaft.between, shaft.hung, strict=True):
            if not mass or not work.motions.keeps(name, "y"):
                continue
            x, (y, z) = work.motions.axial(name), work.motions.translation(name)
            for terms in (x, y, z):
                if terms:
                    work.put(mass, terms)
            work.hung[name] = work.hung.get(name, 0.0) + mass


def gyroscopic_beams(work: Assembly) -> dict[str, tuple[float, float]]:
    """Gyroscopic moments of beams, spread along them by their shape functions.

    Returned are, by body, polar and transverse inertia [kg m^2] of half of each beam whose ends are described in frames that
    turn against each other: it stands at its ends.
    """
    found: dict[str, tuple[float, float]] = {}
    for shaft in work.train.shafts.values():
        if not shaft.segments:
            continue
        beam = beam_of(shaft)
        bodies = [name for name in shaft.between if name != HOUSING]
        frames = {work.motions.frame[name] for name in bodies}
        spin = work.motions.rotation(bodies[0])
        if len(frames) == 1 and spin:
            _spinning_beam(work, shaft, beam, spin, frames.pop())
            continue
        polar = beam.density * beam.length * beam.second_moment
        for name in bodies:
            b, c = found.get(name, (0.0, 0.0))
            found[name] = (b + polar, c + 0.5 * polar)
    return found


def _spinning_beam(work: Assembly, shaft: Shaft, beam: Beam, spin: Terms, frame: str | None) -> None:
    """A beam as thin discs that tilt as its cross-sections do."""
    ends = [dict(zip(MOTIONS, end, strict=True)) for end in _ends(work.motions, shaft)]
    some = next(iter(spin))
    for i, (inertia, row) in enumerate(beam_slopes(beam), start=1):
        tilts: dict[str, Terms] = {}
        # dz/dx is -tilt_y
        for tilt, across, sign in (("tilt_y", "z", -1.0), ("tilt_z", "y", 1.0)):
            terms: Terms = {}
            for j, end in enumerate(ends):
                add(add(terms, end[across], sign * float(row[2 * j])), end[tilt], float(row[2 * j + 1]))
            tilts[tilt] = {c: v for c, v in terms.items() if v != 0.0}
        if not all(tilts.values()):
            continue
        name = f"{shaft.name}.gyro{i}"
        rows = [Row(f"{name}_{tilt}", terms) for tilt, terms in tilts.items()]
        senses = [
            Row(f"{name}_spin", spin),
            Row(f"{name}_frame", work.motions.rotation(frame) if frame else {some: 1e-300}),
        ]
        work.builder.block(name, rows, gyroscopic_tilt(inertia, 2.0 * inertia), senses)


class LineLoad(NamedTuple):
    """Weight of a beam per length: terms of a channel for its x, y and z [N/m], and what 1 N/m does to the body at its second
    end: force along x, force and moment across [m, m, m^2]."""

    along: dict[str, list[tuple[Source, str, float]]]
    axial: float
    force: float
    moment: float


def _own_weight(
    work: Assembly, shaft: Shaft, ends: list[dict[str, Terms]], frames: list[str | None]
) -> LineLoad | None:
    """Weight of a beam, spread along it: forces and moments on its ends, and what its sections need to know of it."""
    if work.gravity is None:
        return None
    beam, motions = beam_of(shaft), work.motions
    mass = beam.density * beam.area
    x, y, z = (mass * g for g in work.gravity)
    along: dict[str, list[tuple[Source, str, float]]] = {
        "x": [(Source.ONE, "", x)],
        "y": [(Source.ONE, "", y)],
        "z": [(Source.ONE, "", z)],
    }
    loads = uniform_load(beam, shaft.spline)
    # a spline slides: the other end holds the beam along x
    half = 0.5 * beam.length
    axial = {None: (half, half), "first": (0.0, beam.length), "second": (beam.length, 0.0)}[shaft.spline]
    for i, (end, frame, (force, moment)) in enumerate(zip(ends, frames, loads, strict=True), start=1):
        add(work.weights, end["x"], axial[i - 1] * x)
        if frame is None:
            for motion, value in (("y", force * y), ("z", force * z), ("tilt_z", moment * y), ("tilt_y", -moment * z)):
                add(work.weights, end[motion], value)
            continue
        name, sense = f"{shaft.name}.weight", motions.rotation(frame)
        if end["y"] and end["z"]:
            rows = [Row(f"{name}_{axis}{i}", end[axis]) for axis in "yz"]
            law = turning_gravity(force * y, force * z)
            work.builder.block(f"{name}{i}", rows, law, [Row(f"{name}_angle{i}", sense)])
            if frame == frames[1]:  # the law resists: its force is the negative of a weight
                along |= {axis: [(Source.FORCE, f"{name}_{axis}{i}", -1.0 / force)] for axis in "yz"}
        if moment and end["tilt_y"] and end["tilt_z"]:
            rows = [Row(f"{name}_tilt_{axis}{i}", end[f"tilt_{axis}"]) for axis in "yz"]
            law = turning_gravity(-moment * z, moment * y)
            work.builder.block(f"{name}_tilt{i}", rows, law, [Row(f"{name}_tilt_angle{i}", sense)])
    return LineLoad(along, axial[1], *loads[1])


def beam_rows(work: Assembly, shaft: Shaft) -> None:
    """Axial and bending rows of a beam (its torsion is the shaft's row), and its section loads."""
    motions, beam = work.motions, beam_of(shaft)
    first, second = shaft.between
    ends = [dict(zip(MOTIONS, end, strict=True)) for end in _ends(motions, shaft)]
    frames = [None if name == HOUSING else motions.frame[name] for name in shaft.between]
    if shaft.on is not None:
        frames = [frames[1], frames[1]]  # a pin and the carrier that holds it turn together
    # a value [N m s/rad] of the shaft's damping is that of the twist alone
    damping = shaft.bending_damping or replace(shaft.damping, value=None)
    on_second: Forces = {m: [] for m in MOTIONS}
    weight = _own_weight(work, shaft, ends, frames)
    if shaft.spline is None:
        row = add(dict(ends[1]["x"]), ends[0]["x"], -1.0)
        if row:
            k = beam.young * beam.area / beam.length
            work.builder.row(f"{shaft.name}.axial", row, Spring(k, work.damping(damping, k, row)))
            on_second["x"].append((Source.FORCE, f"{shaft.name}.axial", -1.0))
    parts = beam_deformations(beam, shaft.spline)
    if frames[0] == frames[1] or HOUSING in shaft.between:
        for one in parts:
            for axis, across, tilt, chord, o in (
                ("z", "y", "tilt_z", one.chord, shaft.offset[0]),
                ("y", "z", "tilt_y", -one.chord, shaft.offset[1]),
            ):
                row = add(add({}, ends[1][across], chord / beam.length), ends[0][across], -chord / beam.length)
                add(add(row, ends[0][tilt], one.first), ends[1][tilt], one.second)
                row = {c: v for c, v in row.items() if v != 0.0}
                if not row:
                    continue
                name = f"{shaft.name}.{one.name}_{axis}"
                crooked = shaft.angle[1 if axis == "z" else 0]
                off = chord / beam.length * o + one.second * crooked
                work.builder.row(name, row, Spring(one.stiffness, work.damping(damping, one.stiffness, row)), off)
                on_second[across].append((Source.FORCE, name, -chord / beam.length))
                if one.second:
                    on_second[tilt].append((Source.FORCE, name, -one.second))
    else:
        _turning_beam(work, shaft, ends, frames, damping, on_second)
    _section_channels(work, shaft, on_second, frames[1], weight)


def _turning_beam(
    work: Assembly,
    shaft: Shaft,
    ends: list[dict[str, Terms]],
    frames: list[str | None],
    damping: Damping,
    on_second: Forces,
) -> None:
    beam, motions = beam_of(shaft), work.motions
    if any(shaft.offset) or any(shaft.angle):
        raise AssemblyError(f"shaft '{shaft.name}': misalignment between members that turn against each other")
    work.note_of(shaft.parent or shaft.name, BETWEEN)
    rows = []
    for i, end in enumerate(ends):
        for motion in ("y", "z", "tilt_y", "tilt_z"):
            if not end[motion]:
                raise AssemblyError(
                    f"shaft '{shaft.name}' bends between turning frames, but '{shaft.between[i]}' has no motion {motion}"
                )
            rows.append(Row(f"{shaft.name}.{motion}{i + 1}", end[motion]))
    some = next(iter(motions.rotation(shaft.between[0]) or motions.rotation(shaft.between[1])))
    senses = [
        Row(f"{shaft.name}.frame{i + 1}", motions.rotation(f) if f else {some: 1e-300}) for i, f in enumerate(frames)
    ]
    parts = [(d.stiffness, d.chord, d.first, d.second) for d in beam_deformations(beam, shaft.spline)]
    # one damping over stiffness, that of the chord's deformation, serves both
    stiff = parts[-1][0]
    row = add(add({}, ends[1]["y"], -1.0 / beam.length), ends[0]["y"], 1.0 / beam.length)
    beta = work.damping(damping, stiff, row) / stiff
    work.builder.block(shaft.name, rows, turning_beam(beam.length, parts, beta), senses)
    for motion in ("y", "z", "tilt_y", "tilt_z"):
        on_second[motion].append((Source.FORCE, f"{shaft.name}.{motion}2", -1.0))


def _weigh(loads: list[tuple[str, str, list[tuple[Source, str, float]]]], weight: LineLoad, rest: float) -> None:
    """Add the weight of a beam to loads of the section ``rest`` [m] before its second end."""
    across, turn = weight.force - rest, weight.moment + rest * weight.force - 0.5 * rest**2
    shares = {
        "force_x": ("x", weight.axial - rest),
        "shear_y": ("y", across),
        "shear_z": ("z", across),
        "moment_y": ("z", -turn),
        "moment_z": ("y", turn),
    }
    for quantity, _, terms in loads:
        axis, share = shares[quantity]
        terms += [(source, name, factor * share) for source, name, factor in weight.along[axis]]


def _section_channels(
    work: Assembly, shaft: Shaft, on_second: Forces, frame: str | None, weight: LineLoad | None
) -> None:
    """Section loads at gauges, and at the first end of the whole shaft: in a part constant shear and linear moment, and what
    the weight of the part between section and second end takes off."""
    length = shaft.segments[0].length
    parent = shaft.parent or shaft.name
    number = sum(1 for c in work.gauged if c[0] == parent)
    places = [(f"{parent}.gauge{number + i + 1}", g) for i, g in enumerate(shaft.gauges)]
    work.gauged += [(parent, name) for name, _ in places]
    if shaft.name in (parent, f"{parent}.part1"):
        places.append((parent, 0.0))
        parts = [s for s in work.train.shafts.values() if s.name == parent or (s.parent == parent and s.segments)]
        ends = parts[0].between[0], parts[-1].between[1]
        twist: Terms = {}
        for name, factor in zip(ends, (1.0, -1.0), strict=True):
            add(twist, work.motions.rotation(name) if name != HOUSING else {}, factor)
        work.builder.channel(
            "shaft",
            parent,
            "twist",
            "rad",
            "first end against the second, about +x",
            [(Source.POSITION, c, v) for c, v in twist.items()],
        )
    where = TURNING.format(frame) if frame else ", +x downwind, +y left looking downwind, +z up"
    torque = [(Source.FORCE, f"{shaft.name}.torsion", 1.0)]
    for element, s in places:
        rest = length - s
        at = f"{1e3 * s:.4g} mm from the beginning of '{shaft.name}'"
        loads: list[tuple[str, str, list[tuple[Source, str, float]]]] = [
            ("force_x", "N", [*on_second["x"]]),
            ("shear_y", "N", [*on_second["y"]]),
            ("shear_z", "N", [*on_second["z"]]),
            ("moment_y", "N m", [*on_second["tilt_y"], *((a, b, -rest * c) for a, b, c in on_second["z"])]),
            ("moment_z", "N m", [*on_second["tilt_z"], *((a, b, rest * c) for a, b, c in on_second["y"])]),
        ]
        if weight is not None:
            _weigh(loads, weight, rest)
        loads.append(("torque", "N m", torque))
        for quantity, unit, terms in loads:
            if terms:
                sign = ("force " if unit == "N" else "moment ") + _SECTION_SIGN.format(at) + where
                work.builder.channel("shaft", element, quantity, unit, sign, terms, counted=True)
