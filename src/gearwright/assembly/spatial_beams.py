"""Shafts as beams: consistent mass, rows of axial and bending deformation, section loads."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gearwright.drivetrain.train import HOUSING, Damping, Shaft, Train
from gearwright.laws.turning import turning_beam
from gearwright.stiffness.beam import MOTIONS, beam_deformations, beam_mass, mass_rows
from gearwright.system import Row, Source, Spring

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


def beam_weights(train: Train) -> dict[str, tuple[float, float, float]]:
    """Per body what the beams at it add: mass [kg], polar and transverse inertia [kg m^2], half of each beam."""
    found: dict[str, tuple[float, float, float]] = {}
    for shaft in train.shafts.values():
        if shaft.segments:
            beam = beam_of(shaft)
            half = 0.5 * beam.density * beam.length
            m, polar = half * beam.area, 2.0 * half * beam.second_moment
            for name in shaft.between:
                if name != HOUSING:
                    a, b, c = found.get(name, (0.0, 0.0, 0.0))
                    found[name] = (a + m, b + polar, c + 0.5 * polar)
    return found


def beam_rows(work: Assembly, shaft: Shaft) -> None:
    """Axial and bending rows of a beam (its torsion is the shaft's row), and its section loads."""
    motions, beam = work.motions, beam_of(shaft)
    first, second = shaft.between
    ends = [dict(zip(MOTIONS, end, strict=True)) for end in _ends(motions, shaft)]
    frames = [None if name == HOUSING else motions.frame[name] for name in shaft.between]
    if shaft.on is not None:
        frames = [frames[1], frames[1]]  # a pin and the carrier that holds it turn together
    damping = replace(shaft.damping, value=None)  # a value [N m s/rad] is that of the twist
    on_second: Forces = {m: [] for m in MOTIONS}
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
                ("z", "y", "tilt_z", one.chord, shaft.offset[0]), ("y", "z", "tilt_y", -one.chord, shaft.offset[1]),
            ):  # fmt: skip
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
    _section_channels(work, shaft, on_second, frames[1])


def _turning_beam(work: Assembly, shaft: Shaft, ends: list[dict[str, Terms]], frames: list[str | None],
                  damping: Damping, on_second: Forces) -> None:  # fmt: skip
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
    senses = [Row(f"{shaft.name}.frame{i + 1}", motions.rotation(f) if f else {some: 1e-300})
              for i, f in enumerate(frames)]  # fmt: skip
    parts = [(d.stiffness, d.chord, d.first, d.second) for d in beam_deformations(beam, shaft.spline)]
    # one damping over stiffness, that of the chord's deformation, serves both
    stiff = parts[-1][0]
    row = add(add({}, ends[1]["y"], -1.0 / beam.length), ends[0]["y"], 1.0 / beam.length)
    beta = work.damping(damping, stiff, row) / stiff
    work.builder.block(shaft.name, rows, turning_beam(beam.length, parts, beta), senses)
    for motion in ("y", "z", "tilt_y", "tilt_z"):
        on_second[motion].append((Source.FORCE, f"{shaft.name}.{motion}2", -1.0))


def _section_channels(work: Assembly, shaft: Shaft, on_second: Forces, frame: str | None) -> None:
    """Section loads at gauges, and at the first end of the whole shaft: constant shear, linear moment in a part."""
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
        work.builder.channel("shaft", parent, "twist", "rad", "first end against the second, about +x",
                             [(Source.POSITION, c, v) for c, v in twist.items()])  # fmt: skip
    where = f"; axes turn with '{frame}'" if frame else ", +x downwind, +y left looking downwind, +z up"
    torque = [(Source.FORCE, f"{shaft.name}.torsion", 1.0)]
    for element, s in places:
        rest = length - s
        at = f"{1e3 * s:.4g} mm from the beginning of '{shaft.name}'"
        loads: list[tuple[str, str, list[tuple[Source, str, float]]]] = [
            ("force_x", "N", on_second["x"]), ("shear_y", "N", on_second["y"]), ("shear_z", "N", on_second["z"]),
            ("moment_y", "N m", [*on_second["tilt_y"], *((a, b, -rest * c) for a, b, c in on_second["z"])]),
            ("moment_z", "N m", [*on_second["tilt_z"], *((a, b, rest * c) for a, b, c in on_second["y"])]),
        ]  # fmt: skip
        loads.append(("torque", "N m", torque))
        for quantity, unit, terms in loads:
            if terms:
                sign = ("force " if unit == "N" else "moment ") + _SECTION_SIGN.format(at) + where
                work.builder.channel("shaft", element, quantity, unit, sign, terms, counted=True)
