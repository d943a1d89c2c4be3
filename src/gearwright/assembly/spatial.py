"""Bodies with six motions: inertia, bearings with every term, helical meshes across the face, beams, non-torque loads.

Displacements are small about the rotating train; rows and acts are those of the other fidelities with more
entries, so ``planar`` is what is left when nothing moves along x or tilts.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gearwright.drivetrain.train import HOUSING, Bearing, Body, Damping, Mesh, Shaft, Stiffness, Train
from gearwright.geometry import involute
from gearwright.laws.clearance import clearance
from gearwright.laws.gyroscopic import gyroscopic_tilt
from gearwright.laws.turning import turning_beam, turning_support
from gearwright.stiffness.beam import MOTIONS, beam_deformations, beam_mass, mass_rows
from gearwright.system import Row, Source, Spring

from .meshes import _direction, flank_row, working_angle
from .motion import AssemblyError, Motions, Terms, add
from .spatial_shafts import beam_of

if TYPE_CHECKING:
    from gearwright.system import System

    from .assemble import Assembly

_BEARING_SIGN = "{} of the body on its support"
_SECTION_SIGN = "of the part towards the first end on the other, at {}"

#: scale that makes a tilt a length, for tolerances [m]
TILT_SCALE = 0.1


# --- inertia -------------------------------------------------------------------------------------------


def transverse_inertia(body: Body) -> tuple[float, float]:
    """Inertias about y and z [kg m^2]: the principal ones given, or those of a cylinder of its length."""
    if body.principal is not None:
        return body.principal[1], body.principal[2]
    value = 0.5 * (body.inertia or 0.0) + (body.mass or 0.0) * (body.length or 0.0) ** 2 / 12.0
    return value, value


def check_inertia(body: Body) -> None:
    """Raise AssemblyError for principal inertias that no mass distribution has (triangle inequality)."""
    if body.principal is None:
        return
    a, b, c = body.principal
    if min(a, b, c) <= 0.0 or max(a, b, c) > 0.5 * (a + b + c) * (1.0 + 1e-9):
        raise AssemblyError(
            f"'{body.name}': principal inertias {a:g}, {b:g}, {c:g} kg m^2 belong to no body; each must be positive "
            f"and at most the sum of the other two"
        )


def spatial_inertia(work: Assembly, body: Body) -> None:
    """Inertia of the motions along x and of the tilts (rotation, y, z are put by all fidelities)."""
    check_inertia(body)
    if body.mass and work.motions.keeps(body.name, "x"):
        work.put(body.mass * body.count, {f"{body.name}.x": 1.0})
    if body.mass and work.motions.keeps(body.name, "tilt_y"):
        for motion, value in zip(("tilt_y", "tilt_z"), transverse_inertia(body), strict=True):
            work.put(value * body.count, {f"{body.name}.{motion}": 1.0})


def beam_inertia(work: Assembly, shaft: Shaft) -> None:
    """Consistent mass of a beam on the motions of its ends."""
    ends = [_end_motions(work.motions, name) for name in shaft.between]
    terms = [*ends[0], *ends[1]]
    for value, row in mass_rows(beam_mass(beam_of(shaft))):
        total: Terms = {}
        for c, one in zip(row, terms, strict=True):
            if abs(c) > 1e-12 * np.abs(row).max():
                add(total, one, float(c))
        if total:
            work.put(value, total)


def _end_motions(motions: Motions, name: str) -> list[Terms]:
    """The six motions of a beam's end, in the body's own frame."""
    if name == HOUSING:
        return [{} for _ in MOTIONS]
    x, y, z = motions.place(name)
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


# --- meshes --------------------------------------------------------------------------------------------


def base_helix(mesh: Mesh) -> float:
    """Helix angle at the base circle [rad], positive for a right-hand wheel 1.

    From the basic rack where the file has one, else from the working pressure angle. Without a hand the first wheel
    (the sun) counts as right-handed and a planet in its ring as left-handed; the assembly notes it.
    """
    if not mesh.helix_angle:
        return 0.0
    hand = float(mesh.hand) or (-1.0 if mesh.internal else 1.0)
    rack = mesh.facts.get("rack_angle")
    if rack is not None:
        return hand * involute.base_helix(float(rack), mesh.helix_angle)
    return hand * math.atan(math.tan(mesh.helix_angle) * math.cos(mesh.pressure_angle or 0.0))


def slices(work: Assembly, mesh: Mesh) -> list[tuple[float, float]]:
    """Places across the face [m] and weights (sum 1) of a mesh's rows.

    Two slices stand at the Gauss points, which gives the exact stiffness against a rigid tilt, ``k b^2 / 12``;
    other numbers are of equal width. One row in the middle where nothing tilts or the face width is not known.
    """
    tilting = any(t for name in mesh.between for t in work.motions.tilts(name))
    count = int(work.train.model.get("face_slices") or 2)
    if not tilting or not mesh.face_width or count == 1:
        return [(0.0, 1.0)]
    if count == 2:
        reach = 0.5 * mesh.face_width / math.sqrt(3.0)
        return [(-reach, 0.5), (reach, 0.5)]
    step = mesh.face_width / count
    return [(-0.5 * mesh.face_width + (i + 0.5) * step, 1.0 / count) for i in range(count)]


def slice_row(motions: Motions, mesh: Mesh, flank: int, place: float) -> Terms:
    """Row of one flank at ``place`` [m] from the middle of the face (towards +x), transverse normalisation.

    The planar row is joined by what moves along x and tilts. With n the outward normal of the flank of wheel 1
    divided by cos(beta_b), so that its transverse part is a unit vector and its axial part tan(beta_b),

        delta = s [ n . (u_1 - u_2) ] at the pitch point,   u = x + theta x r

    A right-hand wheel has ``n_x = -tan(beta_b)`` on its flank that faces the positive sense. With this row the
    transverse stiffness acts: ``k_t d^2 = k_n (d cos beta_b)^2``.
    """
    row = flank_row(motions, mesh, flank)
    alpha = working_angle(motions, mesh)
    if mesh.angle is None or alpha is None:
        return row
    ny, nz = (flank * e for e in _direction(mesh.angle - flank * alpha))
    nx = -flank * math.tan(base_helix(mesh))
    for sign, (name, (ry, rz)) in zip((1.0, -1.0), _pitch_points(mesh, alpha), strict=True):
        ty, tz = motions.tilts(name)
        axial = add(add(motions.axial(name) if name != HOUSING else {}, ty, rz), tz, -ry)
        add(row, axial, sign * nx)
        add(row, tz, sign * ny * place)
        add(row, ty, -sign * nz * place)
    return {c: v for c, v in row.items() if v != 0.0}


def _pitch_points(mesh: Mesh, alpha: float) -> list[tuple[str, tuple[float, float]]]:
    """Pitch point seen from the centre of each wheel [m]."""
    assert mesh.angle is not None
    c, s = math.cos(mesh.angle), math.sin(mesh.angle)
    r1, r2 = (r / math.cos(alpha) for r in mesh.base_radius)
    other = r2 if mesh.internal else -r2
    return [(mesh.between[0], (r1 * c, r1 * s)), (mesh.between[1], (other * c, other * s))]


def scaled(mesh: Mesh, weight: float) -> Mesh:
    """The mesh with a share of its stiffness, for one slice."""
    if weight == 1.0:
        return mesh
    s = mesh.stiffness

    def times(value: float | None) -> float | None:
        return None if value is None else weight * value

    part = Stiffness(
        mean=times(s.mean), two_pairs=times(s.two_pairs), one_pair=times(s.one_pair),
        table=None if s.table is None else tuple((f, weight * k) for f, k in s.table),
        fourier=None if s.fourier is None else tuple((o, weight * a, p) for o, a, p in s.fourier),
        source=s.source, corners=s.corners,
    )  # fmt: skip
    damping = mesh.damping
    if damping.value is not None:
        damping = Damping(value=weight * damping.value)
    return replace(mesh, stiffness=part, damping=damping)


# --- bearings ------------------------------------------------------------------------------------------


def spatial_bearing(work: Assembly, bearing: Bearing) -> None:
    """A bearing with every term: rows along x, y, z, about y and z, or the eigen-rows of a full matrix.

    It acts at ``x`` beside the body's centre, so a radial row has the lever of the tilt. What it holds of the
    rotation is a row of its own, as at every fidelity.
    """
    body, support = bearing.between
    if body == HOUSING:
        body, support = support, body
    motions = work.motions
    if not motions.keeps(body, "y"):
        return
    frame = motions.frame[body]
    if support != HOUSING and motions.frame[support] != frame:
        raise AssemblyError(
            f"bearing '{bearing.name}' joins '{body}' and '{support}', whose frames turn against each other; only a "
            f"shaft can do that"
        )
    terms = _relative(motions, bearing, body, support)
    where = f"; axes turn with '{frame}'" if frame else ", +x downwind, +y left looking downwind, +z up"
    if bearing.matrix is not None:
        forces = _matrix_rows(work, bearing, terms, frame is not None and support == HOUSING)
    else:
        forces = _term_rows(work, bearing, terms, frame if support == HOUSING else None)
    for motion, parts in forces.items():
        if parts:
            quantity = f"force_{motion}" if motion in "xyz" else f"moment_{motion[-1]}"
            unit = "N" if motion in "xyz" else "N m"
            sign = _BEARING_SIGN.format("force" if unit == "N" else "moment") + where
            work.builder.channel("bearing", bearing.name, quantity, unit, sign, parts, counted=True)


def _relative(motions: Motions, bearing: Bearing, body: str, support: str) -> dict[str, Terms]:
    """Motions of the body at the bearing less those of its support there."""
    dx = float(bearing.facts.get("x", 0.0))
    x, y, z = (dict(t) for t in motions.place(body, dx))
    ty, tz = (dict(t) for t in motions.tilts(body))
    if support != HOUSING:
        item = motions.train.bodies[body]
        ry, rz, along = 0.0, 0.0, dx
        if support == item.on and item.pin_radius is not None:
            ry, rz = item.pin_radius * math.cos(item.angle), item.pin_radius * math.sin(item.angle)
        carrier = motions.train.bodies[support]
        if item.x and carrier.x:
            along += item.x - carrier.x
        for mine, theirs in zip((x, y, z), motions.place(support, along, ry, rz), strict=True):
            add(mine, theirs, -1.0)
        for mine, theirs in zip((ty, tz), motions.tilts(support), strict=True):
            add(mine, theirs, -1.0)
    made = {"x": x, "y": y, "z": z, "tilt_y": ty, "tilt_z": tz}
    return {motion: {c: v for c, v in t.items() if v != 0.0} for motion, t in made.items()}


def _offset(work: Assembly, bearing: Bearing, body: str) -> tuple[float, float]:
    radial, tangential = bearing.pin_error
    a = work.train.bodies[body].angle
    return (
        -(radial * math.cos(a) - tangential * math.sin(a)),
        -(radial * math.sin(a) + tangential * math.cos(a)),
    )


Forces = dict[str, list[tuple[Source, str, float]]]


def _term_rows(work: Assembly, bearing: Bearing, terms: dict[str, Terms], frame: str | None) -> Forces:
    """Rows of a bearing whose directions stand alone; anisotropic ones under a turning member are laws."""
    forces: Forces = {motion: [] for motion in terms}
    body = bearing.between[0] if bearing.between[0] != HOUSING else bearing.between[1]
    radial = bearing.stiffness
    if radial is not None:
        (yy, yz), (_, zz) = radial
        off = _offset(work, bearing, body)
        pair = (terms["y"], terms["z"])
        if bearing.clearance is not None:
            if abs(yy - zz) > 1e-9 * max(yy, zz) or yz:
                raise AssemblyError(
                    f"bearing '{bearing.name}': clearance needs one radial stiffness, not {yy:g} and {zz:g} N/m"
                )
            c = work.damping(bearing.damping, yy, pair[0])
            rows = [Row(f"{bearing.name}.{m}", p, o) for m, p, o in zip("yz", pair, off, strict=True)]
            work.builder.block(bearing.name, rows, clearance(yy, c, bearing.clearance))
            for m in ("y", "z"):
                forces[m].append((Source.FORCE, f"{bearing.name}.{m}", 1.0))
        else:
            _pair(work, bearing, ("y", "z"), pair, ((yy, yz), (yz, zz)), off, bearing.damping, frame, forces)
    if bearing.tilt is not None:
        ky, kz = bearing.tilt
        pair = (terms["tilt_y"], terms["tilt_z"])
        block = ((ky, 0.0), (0.0, kz))
        damping = bearing.torsional_damping
        _pair(work, bearing, ("tilt_y", "tilt_z"), pair, block, (0.0, 0.0), damping, frame, forces)
    if bearing.axial and terms["x"]:
        name = f"{bearing.name}.x"
        damping = bearing.damping
        if damping.value is not None and radial is not None:
            # a value of damping is that of the radial directions; along x it is in proportion to the stiffness
            damping = Damping(value=damping.value * bearing.axial / max(radial[0][0], radial[1][1]))
        work.builder.row(name, terms["x"], Spring(bearing.axial, work.damping(damping, bearing.axial, terms["x"])))
        forces["x"].append((Source.FORCE, name, 1.0))
    return forces


def _pair(work: Assembly, bearing: Bearing, motions: tuple[str, str], rows: tuple[Terms, Terms],
          block: tuple[tuple[float, float], tuple[float, float]], off: tuple[float, float], damping: Damping,
          frame: str | None, forces: Forces) -> None:  # fmt: skip
    """Two directions across the axis, (y, z) or the tilts: springs, eigen-rows, or a law in a turning frame."""
    (aa, ab), (_, bb) = block
    names = tuple(f"{bearing.name}.{m}" for m in motions)
    even = abs(aa - bb) <= 1e-9 * max(aa, bb) and not ab
    if not (rows[0] and rows[1]):
        return
    if frame is not None and not even:
        work.note(
            f"the support '{bearing.name}' is not the same in y and z ({aa:g}, {bb:g}) and its body is described "
            f"in the turning frame of '{frame}': its stiffness there has the period of half a turn; modes use the mean"
        )
        ca, cb = work.damping(damping, aa, rows[0]), work.damping(damping, bb, rows[1])
        tag = "" if motions[0] == "y" else ".tilt"
        sense = Row(f"{bearing.name}{tag}.angle", work.motions.rotation(frame))
        made = [Row(name, row) for name, row in zip(names, rows, strict=True)]
        work.builder.block(f"{bearing.name}{tag}", made, turning_support(aa, ab, bb, ca, cb), [sense])
        for m, name in zip(motions, names, strict=True):
            forces[m].append((Source.FORCE, name, 1.0))
        return
    values, vectors = np.linalg.eigh(np.array(block)) if ab else (np.array([aa, bb]), np.eye(2))
    for i in (0, 1):
        if values[i] <= 0.0:
            continue
        row = add(add({}, rows[0], float(vectors[0, i])), rows[1], float(vectors[1, i]))
        row = {c: v for c, v in row.items() if v != 0.0}
        name = f"{bearing.name}.axis{i + 1}" if ab else names[i]
        shift = float(vectors[:, i] @ np.array(off))
        work.builder.row(name, row, Spring(float(values[i]), work.damping(damping, float(values[i]), row)), shift)
        for m, part in zip(motions, vectors[:, i], strict=True):
            if part:
                forces[m].append((Source.FORCE, name, float(part)))


def _matrix_rows(work: Assembly, bearing: Bearing, terms: dict[str, Terms], turning: bool) -> Forces:
    """Eigen-rows of the full matrix without its rotation, scaled so that lengths and angles count alike."""
    assert bearing.matrix is not None
    k = np.array(bearing.matrix)[np.ix_([0, 1, 2, 4, 5], [0, 1, 2, 4, 5])]
    if np.abs(np.array(bearing.matrix)[3, [0, 1, 2, 4, 5]]).max() > 0.0:
        raise AssemblyError(f"bearing '{bearing.name}': its matrix couples the rotation about x, which turns freely")
    if turning:
        # a quarter turn about x must leave it as it is
        quarter = np.zeros((5, 5))
        quarter[0, 0] = quarter[2, 1] = quarter[4, 3] = 1.0
        quarter[1, 2] = quarter[3, 4] = -1.0
        if np.abs(quarter.T @ k @ quarter - k).max() > 1e-9 * np.abs(k).max():
            raise AssemblyError(
                f"bearing '{bearing.name}': its matrix is not the same in all directions and its body is described in a "
                f"turning frame; give stiffness and tilt_stiffness instead, or model.frames: frozen"
            )
    size = np.sqrt(np.where(np.diag(k) > 0.0, np.diag(k), 1.0))
    values, vectors = np.linalg.eigh(k / np.outer(size, size))
    forces: Forces = {motion: [] for motion in terms}
    for i, value in enumerate(values):
        if value <= 1e-12 * values[-1]:
            continue
        direction = vectors[:, i] * size
        row: Terms = {}
        for c, motion in zip(direction, terms, strict=True):
            add(row, terms[motion], float(c))
        row = {c: v for c, v in row.items() if v != 0.0}
        if not row:
            continue
        # row in units of the square root of a stiffness: value and row make value * row^T row
        length = float(np.abs(direction).max())
        stiff, unit = float(value) * length**2, {c: v / length for c, v in row.items()}
        name = f"{bearing.name}.axis{i + 1}"
        damping = bearing.damping
        if damping.value is not None:
            damping = Damping(value=damping.value * stiff / float(np.diag(k).max()))
        work.builder.row(name, unit, Spring(stiff, work.damping(damping, stiff, unit)))
        for c, motion in zip(direction, terms, strict=True):
            if abs(c) > 1e-14 * length:
                forces[motion].append((Source.FORCE, name, float(c / length)))
    return forces


# --- beams ---------------------------------------------------------------------------------------------


def beam_rows(work: Assembly, shaft: Shaft) -> None:
    """Axial and bending rows of a beam (its torsion is the shaft's row), and its section loads."""
    motions, beam = work.motions, beam_of(shaft)
    first, second = shaft.between
    ends = [dict(zip(MOTIONS, _end_motions(motions, name), strict=True)) for name in shaft.between]
    frames = [None if name == HOUSING else motions.frame[name] for name in shaft.between]
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
    work.note(f"the bending of shaft '{shaft.name}' joins two frames that turn against each other; modes take them aligned")
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
        if element != parent:
            loads.append(("torque", "N m", torque))
        for quantity, unit, terms in loads:
            if terms:
                sign = ("force " if unit == "N" else "moment ") + _SECTION_SIGN.format(at) + where
                work.builder.channel("shaft", element, quantity, unit, sign, terms, counted=True)


def note_followers(work: Assembly) -> None:
    """Say which bodies follow their support along x or in tilt, and which helical meshes have no hand."""
    motions = work.motions
    moving = [b for b in work.train.bodies.values() if motions.keeps(b.name, "y")]
    for label, motion in (("along x", "x"), ("in tilt", "tilt_y")):
        names = [b.name for b in moving if not motions.keeps(b.name, motion)]
        if names:
            shown = ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
            work.note(
                f"{label} these follow their support, since no bearing or beam of theirs has a stiffness there: {shown}"
            )
    free = sorted({
        m.stage or m.name for m in work.train.meshes.values()
        if m.helix_angle and not m.hand and any(motions.keeps(n, "x") or motions.keeps(n, "tilt_y") for n in m.between)
    })  # fmt: skip
    if free:
        work.note(f"the hand of the helical teeth of {', '.join(free)} is not given: sun or first wheel right-handed")


# --- loads ---------------------------------------------------------------------------------------------


def apply_pushes(work: Assembly) -> None:
    """Non-torque loads on bodies in the standing frame."""
    for i, push in enumerate(work.inputs.pushes):
        if work.motions.fidelity != "spatial":
            raise AssemblyError(
                f"the load on '{push.body}' has a force or moment across its rotation; that needs fidelity spatial"
            )
        if not work.motions.keeps(push.body, push.motion):
            kept = ", ".join(work.motions.kept[push.body]) or "nothing"
            raise AssemblyError(
                f"a load on '{push.body}' in {push.motion}, which it does not keep (it keeps {kept}): give it a mass, and "
                f"a bearing or a shaft with dimensions that holds it there"
            )
        frame = work.motions.frame[push.body]
        if frame is not None and push.motion != "x":
            raise AssemblyError(
                f"a load on '{push.body}', which is described in the turning frame of '{frame}': give it to a body of the "
                f"standing frame, such as the rotor at the other end of its shaft, or model.frames: frozen"
            )
        signal = work.builder.signal(push.name or f"load {i + 1} on {push.body} in {push.motion}", push.value)
        work.builder.input(f"{push.body}.{push.motion}", signal)


def magnetic_pulls(work: Assembly) -> None:
    """Unbalanced magnetic pull: the force on a rotor grows with its displacement, a spring that pushes."""
    for machine in work.train.machines.values():
        pull = machine.parameters.get("magnetic_pull")
        if not pull:
            continue
        if not work.motions.keeps(machine.body, "y"):
            raise AssemblyError(
                f"machine '{machine.name}' has a magnetic pull, but '{machine.body}' cannot move sideways: give it a mass "
                f"and a bearing or a shaft with dimensions"
            )
        for motion, terms in zip("yz", work.motions.translation(machine.body), strict=True):
            name = f"{machine.name}.pull_{motion}"
            work.builder.row(name, terms, Spring(-float(pull), 0.0, pull=True))
            sign = "pull of the stator on the rotor"
            work.builder.channel("machine", machine.name, f"pull_{motion}", "N", sign, [(Source.FORCE, name, -1.0)])


def gyroscopic_moments(work: Assembly) -> None:
    """Gyroscopic moments of all bodies that tilt, beams by half of each at their ends."""
    beams = beam_weights(work.train)
    for body in work.train.bodies.values():
        if not work.motions.keeps(body.name, "tilt_y"):
            continue
        _, polar, transverse = beams.get(body.name, (0.0, 0.0, 0.0))
        if body.mass:
            a, b = transverse_inertia(body)
            transverse += 0.5 * (a + b) * body.count
            polar += (body.inertia or 0.0) * body.count
        frame = work.motions.frame[body.name]
        spin = work.motions.rotation(body.name)
        if not polar or not spin:
            continue
        rows = [Row(f"{body.name}.gyro_{m}", {f"{body.name}.{m}": 1.0}) for m in ("tilt_y", "tilt_z")]
        senses = [Row(f"{body.name}.gyro_spin", spin),
                  Row(f"{body.name}.gyro_frame", work.motions.rotation(frame) if frame else
                      {f"{body.name}.rotation": 1e-300})]  # fmt: skip
        work.builder.block(f"{body.name}.gyro", rows, gyroscopic_tilt(transverse, polar), senses)


def refuse_loose(system: System) -> None:
    """Refuse a model in which something besides the train's rotation moves without resistance."""
    for u in system.u:
        loose = [c for c, v in zip(system.coordinates, u, strict=True)
                 if abs(v) > 1e-9 and c.endswith((".x", ".tilt_y", ".tilt_z"))]  # fmt: skip
        turning = any(abs(v) > 1e-12 for c, v in zip(system.coordinates, u, strict=True) if c.endswith(".rotation"))
        if not turning:
            loose = loose or [c for c, v in zip(system.coordinates, u, strict=True) if abs(v) > 1e-9]
        if loose:
            shown = ", ".join(loose[:6]) + (", ..." if len(loose) > 6 else "")
            raise AssemblyError(
                f"nothing holds {shown}: give a bearing there an axial_stiffness or tilt_stiffness, or a second bearing "
                f"beside it (x)"
            )
