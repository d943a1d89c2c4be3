"""From the true teeth of a mesh to the numbers of law `tooth_contact`, and its rows.

A pair of teeth gives way by its contact (Roark, Hertz) and by the teeth themselves. What ``stiffness`` says is the
whole of both under the operating load, so the contact is taken out of it: ``c = 1/K_pair - K ln(F0/F_a)`` with
``F_a`` the load under which the whole holds. ``hertz`` is the contact alone, as in S2. Source: S2 digest 6.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from gearwright.geometry.gear import Gear, GeometryError
from gearwright.geometry.pair import GearPair
from gearwright.laws.mesh_properties import mean_stiffness
from gearwright.laws.tooth_contact import ContactData, Lack, Teeth, look, tooth_contact
from gearwright.remarks import assumed
from gearwright.stiffness.iso6336 import iso_stiffness
from gearwright.stiffness.resolve import ASSUMED_LOAD, mesh_pair_stiffness, nominal_force, rising
from gearwright.stiffness.ste import corner_gap
from gearwright.system import Law, Row
from gearwright.train.pair import tooth_numbers
from gearwright.train.teeth import tooth_pair
from gearwright.train.train import Mesh, Train

from .allowance import allowed_backlash
from .face_rows import slice_row
from .losses import CREEP, sliding_friction
from .meshes import _direction, flank_row, phase_row
from .motion import AssemblyError, Motions, Terms, add

#: corners are followed until they are this many deflections under the operating load away [-], but not beyond this
#: part of the base pitch
FAR, PART = 8.0, 0.4
#: slices per cycle of overlap, or of a face that tilts, and at least
SLICES, LEAST = 9, 5
#: coefficient of a row along which nothing moves: its force is a result, not a load
NOTHING = 1e-300
_FREE = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Contact:
    """A mesh in contact: its true teeth, the law's data, the load [N] they are made for, mean tangent stiffness of the
    drive flank under it [N/m], largest deflection over the cycle [m], and what was assumed."""

    pair: GearPair
    data: ContactData
    load: float
    stiffness: float
    deflection: float
    notes: tuple[str, ...]


def contact(mesh: Mesh, train: Train, law_damping: Any = None, tilts: bool = False) -> Contact:
    """Contact of a mesh; ``law_damping(stiffness)`` gives the damping [N s/m] along the line of action, ``tilts`` says
    that the face is cut into slices because it tilts.

    Raises AssemblyError naming what is missing, or what makes the teeth impossible.
    """
    try:
        pair = tooth_pair(mesh)
        pair.refuse_impossible()
        return _contact(mesh, train, pair, law_damping, tilts)
    except (GeometryError, ValueError) as error:
        text = str(error)
        raise AssemblyError(text if text.startswith("mesh ") else f"mesh '{mesh.name}': {text}") from None
    except ArithmeticError:
        raise AssemblyError(
            f"mesh '{mesh.name}': its teeth cannot be computed with: a dimension, a torque or a material is far too large or small"
        ) from None


def _contact(mesh: Mesh, train: Train, pair: GearPair, law_damping: Any, tilts: bool) -> Contact:
    notes: list[str] = []
    where = f"mesh '{mesh.name}'"
    width, p = pair.face_width, pair.path
    steels = pair.one.material, pair.two.material
    if mesh.excitation:
        raise AssemblyError(
            f"{where}: law tooth_contact computes the transmission error from the teeth; take 'excitation' out, and say "
            f"what is wrong with the teeth by tip_relief, crowning, pitch_error or defects"
        )
    load = nominal_force(mesh, train)
    if load is None:
        load = ASSUMED_LOAD * (width or 1e-2)
        notes.append(
            assumed(f"{where}: no operating torque reaches it; its teeth are taken under {1e-3 * load:.4g} kN")
        )
    roark, scale = None, 0.0
    if width is not None and steels[0] is not None and steels[1] is not None:
        ce = steels[0].plane + steels[1].plane
        line = pair.distance * math.sin(pair.working_angle)
        roark, scale = (ce / (math.pi * width), line * math.exp(2.0 / 3.0)), 1.0 / (math.pi * width * ce)
    compliance = _compliance(mesh, train, pair, load, roark, notes)
    spur = train.model.helical == "spur"
    helical = bool(mesh.helix_angle) and not spur
    crown = pair.one.lead_crowning + pair.two.lead_crowning
    overlap = mesh.overlap_ratio if helical else 0.0
    slices = 1
    if overlap or crown or tilts or pair.one.bias or pair.two.bias:
        least = SLICES if tilts else LEAST
        slices = int(train.model.face_slices or max(least, math.ceil(SLICES * overlap)))
    # towards +x a right-hand wheel one is ahead in its positive sense of turning
    hand = mesh.hand or (-1 if mesh.internal else 1)
    friction, creep = sliding_friction(mesh) or (0.0, CREEP)
    if train.model.loss == "none":
        friction = 0.0
    backlash = mesh.backlash if mesh.backlash is not None else allowed_backlash(mesh, pair)
    raw = ContactData(
        base_radii=pair.base_radii, distance=pair.distance, internal=pair.internal, sigma=mesh.sigma,
        rising=rising(mesh), coast_shift=mesh.coast_phase - mesh.phase, path=(p.start, p.end), pitch=p.base_pitch,
        contact=roark, pressure_scale=scale, compliance=tuple(compliance), lack=(_lack(pair.one), _lack(pair.two)),
        slices=slices, overlap=overlap * hand * mesh.phase_direction, crown=crown,
        teeth=(pair.one.teeth, pair.two.teeth), offsets=tooth_numbers(mesh, train, pair), backlash=backlash,
        face_width=width or 0.0, friction=friction, creep=creep,
    )  # fmt: skip
    stiffness, deflection = _under_load(raw, load)
    cut = train.model.tip_contact == "cut"
    one, two, beyond = (
        (_FREE, _FREE, 0.0)
        if cut
        else _beyond_tips(pair, FAR * deflection + sum(w.amount + abs(w.bias) for w in raw.lack))
    )
    few = max(math.floor(pair.contact_ratio), 1)
    raw = replace(raw, different=_different(mesh, pair, few * deflection / load))
    damping = law_damping(stiffness) if law_damping is not None else 0.0
    lack = replace(raw.lack[0], corner=one), replace(raw.lack[1], corner=two)
    data = replace(raw, lack=lack, beyond=beyond, chi=damping / load, corners=_corners(mesh, pair, beyond))
    stiffness, deflection = _under_load(data, load)
    return Contact(pair, data, load, stiffness, deflection, tuple(notes))


def _compliance(
    mesh: Mesh, train: Train, pair: GearPair, load: float, roark: tuple[float, float] | None, notes: list[str]
) -> list[float]:
    """Compliance of the teeth without their contact [m/N], a polynomial along the path."""
    s, where = mesh.stiffness, f"mesh '{mesh.name}'"
    width, p = pair.face_width, pair.path

    def rest(whole: float) -> list[float]:
        """Constant compliance beside the contact, where a pair is given as a whole."""
        if roark is None:
            return [whole]
        k, kf0 = roark
        part = k * math.log(kf0 / (k * load))
        if part >= whole:
            raise AssemblyError(
                f"{where}: the contact of a pair alone gives way by {part:.4g} m/N under {1e-3 * load:.4g} kN, more than "
                f"the whole pair by its stiffness ({1.0 / whole:.4g} N/m): give a smaller stiffness, the true face_width "
                f"and material, or stiffness: {{from: fe}}"
            )
        return [whole - part]

    if s.source in ("hertz", "fe", "analytic") and (missing := pair.lacking()):
        raise AssemblyError(f"{where}: {missing} (stiffness from {s.source})")
    if s.source == "hertz":
        return [0.0]
    if s.source in ("fe", "analytic"):
        stiff, _ = mesh_pair_stiffness(mesh, train, s.source)
        assert roark is not None and width is not None
        x = np.cos(np.pi * (np.arange(33) + 0.5) / 33)
        arc = 0.5 * (p.start + p.end) + 0.5 * (p.end - p.start) * x
        whole = np.asarray(stiff.compliance(arc)) / width
        s2 = np.asarray(stiff.mate(arc))
        radius = arc * s2 / (s2 - arc if pair.internal else arc + s2)
        k = roark[0]
        at = width * stiff.half_width**2 / (4.0 * k * width * radius)  # F_a = pi L a^2 / (4 C_E R)
        part = whole - k * np.log(roark[1] / (k * at))
        if not part.min() > 0.0:
            raise AssemblyError(f"{where}: the teeth by {s.source} are stiffer than their contact alone")
        return list(np.polynomial.polynomial.polyfit(x, part, 6))
    if s.source == "iso6336":
        if width is None:
            raise AssemblyError(f"{where}: missing 'face_width' (stiffness from iso6336)")
        return rest(1.0 / (iso_stiffness(pair, mesh.contact_ratio).single * width))
    if s.one_pair is not None:
        return rest(1.0 / s.one_pair)
    mean = mean_stiffness(mesh)
    ratio = mesh.contact_ratio or pair.contact_ratio
    kind = where.rstrip("0123456789'") + "'" if mesh.on else where  # the meshes of all planets are alike
    notes.append(
        f"{kind}: every pair of teeth has the mean stiffness over the contact ratio, {mean:.4g} / {ratio:.4g} N/m; "
        f"stiffness: {{from: fe}} computes the course"
    )
    return rest(ratio / mean)


def _lack(gear: Gear) -> Lack:
    tip = gear.tip_arc
    relief = gear.relief
    flank = tuple(sorted((gear.form_arc, tip)))
    return Lack(
        side=-1.0 if gear.ring else 1.0,
        tip=tip,
        begin=gear.arc(relief.start) if relief is not None else tip,
        amount=relief.amount if relief is not None else 0.0,
        power=2 if relief is not None and relief.shape == "parabolic" else 1,
        crowning=gear.profile_crowning,
        flank=(flank[0], flank[1]),
        bias=gear.bias,
    )


def _beyond_tips(pair: GearPair, gap: float) -> tuple[Any, Any, float]:
    """Corner coefficients of both wheels, fitted to the true flanks, and how far beyond the tips they are followed."""
    p = pair.path
    most = PART * p.base_pitch
    found, reach = [], 0.0
    for end, sign in ((p.end, 1.0), (p.start, -1.0)):
        x = most * np.arange(1, 401) / 400.0
        e = np.asarray(corner_gap(pair, end + sign * x), float)
        bad = np.flatnonzero(~np.isfinite(e) | (e > gap))
        last = int(bad[0]) if len(bad) else len(x)
        last = max(last, 8)
        x, e = x[:last], e[:last]
        if not np.isfinite(e).all():
            raise GeometryError("the tip corner runs below the base circle of the mate at once")
        top = x[-1]
        u = x / top
        basis = np.stack([u**2, u**3, u**4], axis=1)
        weight = 1.0 / (e + 0.02 * e[-1])
        c, *_ = np.linalg.lstsq(basis * weight[:, None], e * weight, rcond=None)
        found.append((float(c[0] / top**2), float(c[1] / top**3), float(c[2] / top**4)))
        reach = max(reach, float(top))
    return found[0], found[1], reach


def _under_load(data: ContactData, load: float) -> tuple[float, float]:
    """Mean tangent stiffness [N/m] and largest deflection [m] over a cycle under a load, without errors of teeth."""
    return _cycle(
        replace(data, different=None, chi=0.0, offsets=(0, 0, 0, 0), coast_shift=0.0, corners=(), friction=0.0), load
    )


@cache
def _cycle(data: ContactData, load: float) -> tuple[float, float]:
    law = tooth_contact(data, False, 1.0, 0.0)
    tangent, deepest, guess = 0.0, 0.0, 1e-6
    points = 48
    for phase in (np.arange(points) + 0.5) / points:
        guess, slope = balance(law, load, float(phase), guess)
        tangent += slope / points
        deepest = max(deepest, guess)
    return tangent, deepest


def balance(law: Law, load: float, phase: float, guess: float = 1e-6) -> tuple[float, float]:
    """Deflection [m] of a torsional contact law that carries a load at a phase, and its tangent stiffness [N/m]."""
    from scipy.optimize import brentq

    def left(d: float) -> float:
        return float(look(law, d, phase).force.sum()) - load

    high = 2.0 * abs(guess)
    for _ in range(60):
        if left(high) > 0.0:
            break
        high *= 2.0
    else:
        raise ValueError(f"no deflection carries {1e-3 * load:.4g} kN: the contact gives way beyond elastic")
    d = float(brentq(left, 0.0, high, xtol=1e-16, rtol=1e-13))
    step = 1e-4 * max(d, 1e-9)
    return d, (left(d + step) - left(d - step)) / (2.0 * step)


def _corners(mesh: Mesh, pair: GearPair, beyond: float) -> tuple[float, ...]:
    """Phases between which the course of the drive flank is smooth: entry, exit and begin of relief, and marks where a
    tip corner comes and goes, so that means over the cycle are exact enough to balance torques."""
    p = pair.path
    arcs = [p.start, p.end]
    for gear, one in ((pair.one, True), (pair.two, False)):
        if gear.relief is not None and gear.relief.amount:
            s = gear.arc(gear.relief.start)
            arcs.append(s if one else (s - p.s_c if pair.internal else p.s_c - s))
    arcs = [s for s in arcs if p.start <= s <= p.end]
    arcs += [at for part in (0.25, 0.6, 1.0) for at in (p.start - part * beyond, p.end + part * beyond)]
    up = rising(mesh)
    phases = [((s - p.start) if up else (p.end - s)) / p.base_pitch for s in arcs]
    return tuple(sorted({round(x % 1.0, 12) for x in phases}))


# --- teeth by number -------------------------------------------------------------------------------------------------


def _different(mesh: Mesh, pair: GearPair, whole: float) -> tuple[Teeth, Teeth] | None:
    """Deviations, cracks and pits of single teeth, by wheel; None where all teeth are alike. ``whole`` is the compliance of
    a sound pair under load [m/N]: a crack that takes the share ``x`` of its stiffness adds ``x/(1 - x)`` of it."""
    facts = mesh.teeth_different
    if not facts:
        return None
    made = []
    for gear, one in zip((pair.one, pair.two), facts, strict=True):
        z = gear.teeth
        deviation, compliance, depth = [0.0] * z, [0.0] * z, [0.0] * z
        low = high = 0.0
        given = [] if one is None else one.deviations
        if given and len(given) != z:
            raise GeometryError(f"{gear.name} has {z} teeth, pitch_error gives {len(given)} deviations")
        for i, value in enumerate(given):
            deviation[i] += value
        for tooth in [] if one is None else one.teeth:
            i = tooth.tooth
            if i >= z:
                raise GeometryError(f"{gear.name} has teeth 0 to {z - 1}; pitch_error names tooth {i}")
            deviation[i] += tooth.deviation
            if tooth.crack:
                compliance[i] += whole * tooth.crack / (1.0 - tooth.crack)
            if tooth.pit and tooth.pit.depth:
                depth[i] = tooth.pit.depth
                arcs = sorted(gear.arc(0.5 * d) for d in (tooth.pit.start, tooth.pit.end))
                if high > low and (low, high) != (arcs[0], arcs[1]):
                    raise GeometryError(f"{gear.name}: the pits of all its teeth lie between the same diameters")
                low, high = arcs[0], arcs[1]
        made.append(Teeth(tuple(deviation), tuple(compliance), tuple(depth), (low, high)))
    return made[0], made[1]


# --- rows ------------------------------------------------------------------------------------------------------------


def face_rows(motions: Motions, mesh: Mesh) -> tuple[Terms, Terms, float] | None:
    """How the deflection of the drive and the coast flank changes across the face [m/m], and the change that the mesh's
    misalignment makes of it; None where nothing tilts and nothing is misaligned."""
    found = []
    for flank in (mesh.sigma, -mesh.sigma):
        middle, there = (slice_row(motions, mesh, flank, at) for at in (0.0, 1.0))
        terms = {c: v - middle.get(c, 0.0) for c, v in there.items()} if motions.fidelity == "spatial" else {}
        found.append({c: v for c, v in terms.items() if abs(v) > 1e-12})
    off = -mesh.skew
    if not (found[0] or found[1] or off):
        return None
    if not mesh.face_width:
        raise AssemblyError(
            f"mesh '{mesh.name}': missing 'face_width': its face tilts, or has a misalignment or lead_slope"
        )
    return found[0], found[1], off / mesh.face_width


def contact_rows(
    motions: Motions, mesh: Mesh, data: ContactData, face: tuple[Terms, Terms, float] | None = None
) -> tuple[list[Row], list[Row], bool]:
    """Force rows and the sense of a mesh, and whether the centres move against each other; ``face`` by
    :func:`face_rows`."""
    spatial = motions.fidelity == "spatial"
    drive, coast = (
        slice_row(motions, mesh, flank, 0.0) if spatial else flank_row(motions, mesh, flank)
        for flank in (mesh.sigma, -mesh.sigma)
    )
    phase = phase_row(motions, mesh)
    along = data.pitch if data.rising else -data.pitch
    travel = {name: along * value for name, value in phase.items()}
    nothing = {next(iter(drive)): NOTHING}
    rows = [
        Row(f"{mesh.name}.drive", drive),
        Row(f"{mesh.name}.coast", coast),
        Row(f"{mesh.name}.travel", travel),
        Row(f"{mesh.name}.pressure", dict(nothing)),
        Row(f"{mesh.name}.wedge", dict(nothing)),
    ]
    radial, across = _centre_rows(motions, mesh, data.distance)
    if radial or across:
        some = next(iter(drive))
        rows += [
            Row(f"{mesh.name}.radial", radial or {some: NOTHING}),
            Row(f"{mesh.name}.across", across or {some: NOTHING}),
        ]
    if face is not None:
        some = next(iter(drive))
        rows += [
            Row(f"{mesh.name}.tilt_drive", face[0] or {some: NOTHING}, face[2]),
            # the flanks face each other: what opens one closes the other
            Row(f"{mesh.name}.tilt_coast", face[1] or {some: NOTHING}, -face[2]),
            Row(f"{mesh.name}.line_load", dict(nothing)),
        ]
    if data.friction:
        second = -1.0 if mesh.internal or mesh.same_sense else 1.0
        rolling: Terms = {}
        add(rolling, motions.rotation(mesh.between[1]), mesh.sigma * second * mesh.base_radius[1])
        if mesh.on is not None:
            add(rolling, motions.rotation(mesh.on), -mesh.sigma * second * mesh.base_radius[1])
        rows += [Row(f"{mesh.name}.rolling", rolling or dict(nothing)), Row(f"{mesh.name}.friction", dict(nothing))]
    return rows, [Row(f"{mesh.name}.phase", phase, mesh.phase)], bool(radial or across)


def centre_pushes(mesh: Mesh) -> list[tuple[str, float, float]]:
    """Rows of the displacement of the centres: name, and entries on (y, z) of the first wheel; those of the second are opposite."""
    assert mesh.angle is not None
    sign = 1.0 if mesh.internal else -1.0
    ty, tz = _direction(mesh.angle)
    return [("radial", sign * math.cos(mesh.angle), sign * math.sin(mesh.angle)), ("across", sign * ty, sign * tz)]


def _centre_rows(motions: Motions, mesh: Mesh, distance: float) -> tuple[Terms, Terms]:
    """Displacement of the centres against each other along the line of centres (positive: further apart) and across
    it, seen from the carrier."""
    if mesh.angle is None:
        return {}, {}
    radial: Terms = {}
    across: Terms = {}
    for terms, (_, a, b) in zip((radial, across), centre_pushes(mesh), strict=True):
        for sign, name in zip((1.0, -1.0), mesh.between, strict=True):
            y, z = motions.translation(name)
            add(terms, y, sign * a)
            add(terms, z, sign * b)
    if mesh.on is not None:
        add(across, motions.rotation(mesh.on), -distance)
    small = 1e-9

    def clean(terms: Terms) -> Terms:
        return {n: v for n, v in terms.items() if abs(v) > small * (distance if n.endswith("rotation") else 1.0)}

    return clean(radial), clean(across)
