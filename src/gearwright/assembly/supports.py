"""Bearings, shafts and couplings of a train as rows and channels."""

from __future__ import annotations

import math

import numpy as np

from gearwright.laws.clearance import is_even
from gearwright.laws.play import play
from gearwright.laws.turning import turning_coupling, turning_support
from gearwright.system import Row, Source, Spring
from gearwright.system.channel import TURNING
from gearwright.train.train import HOUSING, Bearing, Body, Damping, Train

from .motion import BETWEEN, UNEVEN, AssemblyError, add
from .rigid import joint
from .rolling import rolling_block
from .spatial_beams import beam_rows
from .spatial_bearings import loose, spatial_bearing
from .work import Assembly

_BEARING_SIGN = "force of the body on its support, positive along +y (left looking downwind) or +z (up)"
_SHAFT_SIGN = "positive when the first end drives the second in the positive sense (from rotor to machine)"


def add_bearing(work: Assembly, bearing: Bearing) -> None:
    """Rows of a bearing along the motions its bodies have, its channels, and its friction."""
    body, support = bearing.between
    if body == HOUSING:
        body, support = support, body
    train, motions = work.train, work.motions
    rotation = add(dict(motions.rotation(body)), motions.rotation(support) if support != HOUSING else {}, -1.0)
    if bearing.torsional and rotation:
        name = f"{bearing.name}.rotation"
        c = work.damping(bearing.torsional_damping, bearing.torsional, rotation)
        work.builder.row(name, rotation, Spring(bearing.torsional, c))
        work.builder.channel(
            "bearing",
            bearing.name,
            "moment_x",
            "N m",
            "moment of the body on its support about +x",
            [(Source.FORCE, name, 1.0)],
            counted=True,
        )
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
    where = TURNING.format(frame) if frame else ""
    if bearing.stiffness is None:
        forces = rolling_block(work, bearing, body, support, {"y": y, "z": z}, offset)
        for motion, parts in forces.items():
            work.builder.channel(
                "bearing", bearing.name, f"force_{motion}", "N", _BEARING_SIGN + where, parts, counted=True
            )
        return
    (kyy, kyz), (_, kzz) = bearing.stiffness
    names = (f"{bearing.name}.y", f"{bearing.name}.z")
    turning = frame is not None and support == HOUSING and not is_even((kyy, kyz, kzz))
    cy, cz = work.damping(bearing.damping, kyy, y), work.damping(bearing.damping, kzz, z)
    terms_y, terms_z = [(Source.FORCE, names[0], 1.0)], [(Source.FORCE, names[1], 1.0)]
    if bearing.clearance is not None:
        rows = [Row(names[0], y, offset[0]), Row(names[1], z, offset[1])]
        loose(work, bearing, rows, (kyy, kyz, kzz), (cy, cz), frame if turning else None)
    elif turning:
        work.note_of(bearing.name, UNEVEN)
        assert frame is not None
        sense = Row(f"{bearing.name}.angle", motions.rotation(frame))
        rows = [Row(names[0], y), Row(names[1], z)]
        work.builder.block(bearing.name, rows, turning_support(kyy, kyz, kzz, cy, cz), [sense])
    elif kyz and not is_even((kyy, kyz, kzz)):
        # a full block becomes two independent springs along its principal axes
        values, vectors = np.linalg.eigh(np.array([[kyy, kyz], [kyz, kzz]]))
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


def add_reaction(work: Assembly, name: str) -> None:
    """Bearing load of a body whose translations are not coordinates: what its rows push, and its inertia."""
    motions, train = work.motions, work.train
    pushes = work.pushes.get(name)
    if not pushes or motions.keeps(name, "y"):
        return
    body = train.bodies[name]
    carried = motions.translation(name)
    frozen = motions.fidelity == "spatial" and train.model.frames == "frozen"
    turning = None if frozen else _carrier_of(train, body)
    sign = _BEARING_SIGN + (TURNING.format(turning) if turning else "")
    sign += "; reaction of a motion that this fidelity leaves out"
    shares = _shares([b for b in train.bearings.values() if b.between[0] == name], turning is not None)
    if len(shares) > 1:
        sign += ", shared by radial stiffness"
    for element, share in (shares or {f"{name}_bearing": np.eye(2)}).items():
        for axis, which in ((0, "y"), (1, "z")):
            terms = [(Source.FORCE, row, float(-share[axis] @ (y, z))) for row, y, z in pushes]
            for other in (0, 1):
                part = (body.mass or 0.0) * float(share[axis, other])
                terms += [(Source.ACCELERATION, c, -part * value) for c, value in carried[other].items() if part]
            work.builder.channel("bearing", element, f"force_{which}", "N", sign, terms, counted=True)


def _shares(bearings: list[Bearing], turning: bool) -> dict[str, np.ndarray]:
    """What each bearing of a body takes of a force on it: ``K_i (sum K)^-1``, as where its centre moves.

    In a turning frame a support that differs between y and z counts with its mean, as in modes. Where a stiffness is
    not known here (rolling elements make it, or none is given), all that may hold the body take the same.
    """
    known = {b.name: _radial(b) for b in bearings if b.stiffness is not None or b.matrix is not None}
    if turning:
        known = {name: np.eye(2) * np.trace(k) / 2.0 for name, k in known.items()}
    total = sum(known.values(), np.zeros((2, 2)))
    if not known or any(b.by_elements for b in bearings) or np.linalg.matrix_rank(total) < 2:
        holding = [b for b in bearings if b.name in known or b.by_elements] or bearings
        return {b.name: np.eye(2) / len(holding) for b in holding}
    return {name: k @ np.linalg.inv(total) for name, k in known.items()}


def _radial(bearing: Bearing) -> np.ndarray:
    """Its (y, z) block [N/m]."""
    return np.array(bearing.stiffness if bearing.matrix is None else np.array(bearing.matrix)[1:3, 1:3], dtype=float)


def _carrier_of(train: Train, body: Body) -> str | None:
    if body.on:
        return body.on
    if body.role in ("sun", "ring", "carrier") and body.stage:
        found = [b.name for b in train.bodies.values() if b.stage == body.stage and b.role == "carrier"]
        return found[0] if found else None
    return None


def add_shafts(work: Assembly) -> None:
    """Every shaft as a torsion spring, a rigid row, or beams."""
    motions = work.motions
    for shaft in work.train.shafts.values():
        first, second = shaft.between
        row = add(
            dict(motions.rotation(first) if first != HOUSING else {}),
            motions.rotation(second) if second != HOUSING else {},
            -1.0,
        )
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
        work.note_of(name, BETWEEN)
        rows = [Row(names[0], y1), Row(names[1], z1), Row(f"{name}.bending_y2", y2), Row(f"{name}.bending_z2", z2)]
        some = next(iter(motions.rotation(between[0]) or motions.rotation(between[1])))
        senses = [
            Row(f"{name}.frame{i + 1}", motions.rotation(f) if f else {some: 1e-300}) for i, f in enumerate(frames)
        ]
        c = work.damping(damping, stiffness, add(dict(y1), y2, -1.0))
        work.builder.block(f"{name}.bending", rows, turning_coupling(stiffness, c), senses)
    for axis, row_name in zip(("y", "z"), names, strict=True):
        work.builder.channel(
            "shaft",
            name,
            f"shear_{axis}",
            "N",
            "force of the first end on the second",
            [(Source.FORCE, row_name, 1.0)],
            counted=True,
        )


def add_couplings(work: Assembly) -> None:
    """Springs, dampers, brakes and clutches between any two bodies."""
    for coupling in work.train.couplings.values():
        if coupling.type in ("brake", "clutch", "one_way", "drag"):
            joint(work, coupling)
            continue
        p = coupling.parameters
        first, second = coupling.between
        row = add(
            dict(work.motions.rotation(first) if first != HOUSING else {}),
            work.motions.rotation(second) if second != HOUSING else {},
            -1.0,
        )
        if coupling.type not in ("spring", "damper"):
            raise AssemblyError(
                f"element '{coupling.name}' of type {coupling.type} is a joint: choose --fidelity multibody; "
                f"at {work.motions.fidelity} there are spring, damper, brake, clutch, one_way and drag"
            )
        if not row:
            raise AssemblyError(f"element '{coupling.name}' joins '{first}' and '{second}', and neither of them turns")
        k = float(p.get("torsional_stiffness") or 0.0)
        given = p.get("torsional_damping")
        c = work.damping(given, k, row) if isinstance(given, Damping) else float(given or 0.0)
        name = f"{coupling.name}.torsion"
        if p.get("play"):
            work.builder.block(coupling.name, [Row(name, row)], play(k, c, float(p["play"])))
        else:
            work.builder.row(name, row, Spring(k, c))
        work.builder.channel(
            "shaft", coupling.name, "torque", "N m", _SHAFT_SIGN, [(Source.FORCE, name, 1.0)], counted=True
        )
