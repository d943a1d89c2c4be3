"""Bearings with every term at fidelity spatial."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gearwright.laws.clearance import is_even, radial_clearance
from gearwright.laws.turning import turning_seat, turning_support
from gearwright.system import Row, Source, Spring
from gearwright.system.channel import TURNING
from gearwright.train.train import HOUSING, Bearing, Damping

from .motion import BETWEEN, UNEVEN, AssemblyError, Motions, Terms, add
from .rolling import rolling_block

if TYPE_CHECKING:
    from .work import Assembly

Forces = dict[str, list[tuple[Source, str, float]]]

_BEARING_SIGN = "{} of the body on its support"


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
        _between_frames(work, bearing, body, support)
        return
    terms = _relative(motions, bearing, body, support)
    where = TURNING.format(frame) if frame else ", +x downwind, +y left looking downwind, +z up"
    if bearing.by_elements:
        forces = rolling_block(work, bearing, body, support, terms, _offset(work, bearing, body))
    elif bearing.matrix is not None:
        forces = _matrix_rows(work, bearing, terms, frame is not None and support == HOUSING)
    else:
        forces = _term_rows(work, bearing, terms, frame if support == HOUSING else None)
    if (bearing.by_elements or bearing.matrix is not None) and (bearing.axial or bearing.tilt):
        # a stiffness given along x or against tilting stands beside the rolling elements
        beside = replace(
            bearing, name=f"{bearing.name}.beside", stiffness=None, matrix=None, clearance=None, rolling=None
        )
        for motion, more in _term_rows(work, beside, terms, frame if support == HOUSING else None).items():
            forces.setdefault(motion, []).extend(more)
    _channels(work, bearing.name, forces, where)


def _channels(work: Assembly, name: str, forces: Forces, where: str) -> None:
    """Forces and moments of a bearing as channels; ``where`` says in which axes."""
    for motion, parts in forces.items():
        if parts:
            quantity = f"force_{motion}" if motion in "xyz" else f"moment_{motion[-1]}"
            unit = "N" if motion in "xyz" else "N m"
            sign = _BEARING_SIGN.format("force" if unit == "N" else "moment") + where
            work.builder.channel("bearing", name, quantity, unit, sign, parts, counted=True)


def _between_frames(work: Assembly, bearing: Bearing, body: str, support: str) -> None:
    """A bearing between frames that turn against each other: a ring, carrier or sun on a housing that moves.

    Along x and about it nothing turns. Across, the bearing has its directions in the frame of the support.
    """
    motions = work.motions
    radial = bearing.stiffness or ((0.0, 0.0), (0.0, 0.0))
    special = [
        what
        for what, there in (
            ("rolling elements", bearing.by_elements),
            ("a full matrix", bearing.matrix is not None),
            ("a clearance", bearing.clearance is not None),
            ("a pin error", any(bearing.pin_error)),
        )
        if there
    ]
    if special:
        raise AssemblyError(
            f"bearing '{bearing.name}' has {special[0]} and joins '{body}' and '{support}', which are described in frames that "
            f"turn against each other: give it stiffness, axial_stiffness and tilt_stiffness, or choose model.frames: frozen"
        )
    dx = bearing.x
    along = dx if bearing.support_x is None else bearing.support_x
    mine = dict(zip(("x", "y", "z"), motions.place(body, dx), strict=True))
    theirs = dict(zip(("x", "y", "z"), motions.place(support, along), strict=True))
    for motion, a, b in zip(("tilt_y", "tilt_z"), motions.tilts(body), motions.tilts(support), strict=True):
        mine[motion], theirs[motion] = a, b
    forces: Forces = {motion: [] for motion in mine}
    row = add(dict(mine["x"]), theirs["x"], -1.0)
    if bearing.axial and row:
        damping = bearing.damping
        if damping.value is not None and bearing.stiffness is not None:
            damping = Damping(value=damping.value * bearing.axial / max(radial[0][0], radial[1][1]))
        name = f"{bearing.name}.x"
        work.builder.row(name, row, Spring(bearing.axial, work.damping(damping, bearing.axial, row)))
        forces["x"].append((Source.FORCE, name, 1.0))
    angle: Terms = {}
    for name, factor in ((body, 1.0), (support, -1.0)):
        frame = motions.frame[name]
        add(angle, motions.rotation(frame) if frame else {}, factor)
    tilt = bearing.tilt or (0.0, 0.0)
    for tag, pair, (aa, ab, bb), damping in (
        ("", ("y", "z"), (radial[0][0], radial[0][1], radial[1][1]), bearing.damping),
        (".tilt", ("tilt_y", "tilt_z"), (tilt[0], 0.0, tilt[1]), bearing.torsional_damping),
    ):
        if not (aa or bb):
            continue
        ca, cb = (
            work.damping(damping, k, add(dict(mine[m]), theirs[m], -1.0)) for k, m in zip((aa, bb), pair, strict=True)
        )
        rows = [Row(f"{bearing.name}.{m}", mine[m]) for m in pair]
        rows += [Row(f"{bearing.name}.support_{m}", theirs[m]) for m in pair]
        rows.append(Row(f"{bearing.name}{tag}.angle", angle))
        work.builder.block(f"{bearing.name}{tag}", rows, turning_seat(aa, ab, bb, ca, cb))
        for m in pair:
            forces[m].append((Source.FORCE, f"{bearing.name}.support_{m}", -1.0))
    work.note_of(bearing.name, BETWEEN)
    frame = motions.frame[support]
    _channels(
        work,
        bearing.name,
        forces,
        TURNING.format(frame) if frame else ", +x downwind, +y left looking downwind, +z up",
    )


def _relative(motions: Motions, bearing: Bearing, body: str, support: str) -> dict[str, Terms]:
    """Motions of the body at the bearing less those of its support there."""
    dx = bearing.x
    x, y, z = (dict(t) for t in motions.place(body, dx))
    ty, tz = (dict(t) for t in motions.tilts(body))
    if support != HOUSING:
        item = motions.train.bodies[body]
        ry, rz, along = 0.0, 0.0, dx
        if support == item.on and item.pin_radius is not None:
            ry, rz = item.pin_radius * math.cos(item.angle), item.pin_radius * math.sin(item.angle)
        carrier = motions.train.bodies[support]
        if bearing.support_x is not None:
            along = bearing.support_x
        elif item.x and carrier.x:
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
            c = (work.damping(bearing.damping, yy, pair[0]), work.damping(bearing.damping, zz, pair[1]))
            rows = [Row(f"{bearing.name}.{m}", p, o) for m, p, o in zip("yz", pair, off, strict=True)]
            loose(work, bearing, rows, (yy, yz, zz), c, frame)
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


def loose(
    work: Assembly,
    bearing: Bearing,
    rows: list[Row],
    stiffness: tuple[float, float, float],
    damping: tuple[float, float],
    frame: str | None,
) -> None:
    """A bearing with radial clearance on its rows y and z; ``frame``: the turning one of a body on a standing support."""
    assert bearing.clearance is not None
    turning = frame is not None and not is_even(stiffness)
    senses = [Row(f"{bearing.name}.angle", work.motions.rotation(frame))] if turning and frame is not None else []
    if turning:
        work.note_of(bearing.name, UNEVEN)
    work.builder.block(bearing.name, rows, radial_clearance(stiffness, damping, bearing.clearance, turning), senses)


def _pair(
    work: Assembly,
    bearing: Bearing,
    motions: tuple[str, str],
    rows: tuple[Terms, Terms],
    block: tuple[tuple[float, float], tuple[float, float]],
    off: tuple[float, float],
    damping: Damping,
    frame: str | None,
    forces: Forces,
) -> None:
    """Two directions across the axis, (y, z) or the tilts: springs, eigen-rows, or a law in a turning frame."""
    (aa, ab), (_, bb) = block
    names = tuple(f"{bearing.name}.{m}" for m in motions)
    even = is_even((aa, ab, bb))
    if not (rows[0] and rows[1]):
        return
    if frame is not None and not even:
        work.note_of(bearing.name, UNEVEN)
        ca, cb = work.damping(damping, aa, rows[0]), work.damping(damping, bb, rows[1])
        tag = "" if motions[0] == "y" else ".tilt"
        sense = Row(f"{bearing.name}{tag}.angle", work.motions.rotation(frame))
        made = [Row(name, row) for name, row in zip(names, rows, strict=True)]
        work.builder.block(f"{bearing.name}{tag}", made, turning_support(aa, ab, bb, ca, cb), [sense])
        for m, name in zip(motions, names, strict=True):
            forces[m].append((Source.FORCE, name, 1.0))
        return
    values, vectors = np.linalg.eigh(np.array(block)) if ab and not even else (np.array([aa, bb]), np.eye(2))
    for i in (0, 1):
        if values[i] <= 0.0:
            continue
        row = add(add({}, rows[0], float(vectors[0, i])), rows[1], float(vectors[1, i]))
        row = {c: v for c, v in row.items() if v != 0.0}
        name = f"{bearing.name}.axis{i + 1}" if ab and not even else names[i]
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
