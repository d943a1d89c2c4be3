"""Rolling bearing with every element at every instant: clearance, preload, load zone, moving elements, defects.

    Q_j = K_n delta_j^n (1 + n beta delta_j' / delta_j),   force on the inner ring: the sum of -Q_j along the contacts

Elements move with the cage, so the stiffness varies with their passing. Damage of a raceway or an element lets elements
dip by ``min(depth, r - sqrt(r^2 - s^2))`` with the distance s from its nearer edge: a roller turns about the edge as it
enters and leaves. A prescribed push acts while an element passes. Sources: digest S1 section 5 (Lim and Singh), digest S2
section 11, ISO/TS 16281:2008 (slices).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gearwright.bearings.ratings import dynamic_rating
from gearwright.bearings.types import BearingGeometry
from gearwright.kernels import force, hot
from gearwright.system import Law

_PLACES = {"outer": 0.0, "inner": 1.0, "element": 2.0}


@dataclass(frozen=True)
class BearingDefect:
    """Damage ``on`` the ``outer`` or ``inner`` ring or an ``element`` (its ``number`` from 0).

    ``angle`` [rad] of its middle (on a ring where it stands at the start, on an element of its rotation), ``width`` [m]
    along the raceway, and either ``depth`` [m] or ``force`` [N], the largest push of a half-sine on the inner ring.
    """

    on: str
    width: float
    angle: float = 0.0
    depth: float = 0.0
    force: float = 0.0
    number: int = 0


@hot
def _damage(p, damage, defects, j, psi, d, rows):  # type: ignore[no-untyped-def]
    """How far element ``j`` at the angle ``psi`` drops into defects [m], and their push on the inner ring [N]."""
    drop, push = 0.0, 0.0
    for k in range(defects):
        b = damage + 8 * k
        half = p[b + 2]
        if p[b] < 1.5:
            turned = psi - p[b + 1] - (d[rows + 2] if p[b] < 0.5 else d[rows + 1])
            away = abs(turned - 2.0 * math.pi * np.floor(turned / (2.0 * math.pi) + 0.5))
        else:
            if j != int(p[b + 7]):
                continue
            # a mark on the element meets the outer ring and, half a turn later, the inner one
            turned = d[rows + 3] + p[b + 1]
            away = abs(turned - math.pi * np.floor(turned / math.pi + 0.5))
        if away < half:
            edge = min((half - away) * p[b + 3], p[b + 6])
            drop += min(p[b + 4], p[b + 6] - math.sqrt(p[b + 6] * p[b + 6] - edge * edge))
            push += p[b + 5] * math.cos(0.5 * math.pi * away / half)
    return drop, push


@force
def roller_bearing_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters: 15 numbers, 2 per track, 2 per slice, 8 per defect, laid out in :func:`roller_bearing`; rows y, z or x, y, z, tilt_y, tilt_z; senses: cage [pitches],
    inner ring, outer ring, spin of the elements [rad]."""
    rows = int(p[0])
    sense, beta, n, constant = p[1], p[3], p[4], p[5]
    count = int(p[6])
    gap, radius, first, distance = p[7], p[8], p[9], p[10]
    tracks, slices, defects = int(p[11]), int(p[12]), int(p[13])
    x = y = h = ty = tz = vx = vy = vh = wy = wz = 0.0
    if rows == 2:
        y, h, vy, vh = sense * d[0], sense * d[1], sense * dv[0], sense * dv[1]
    else:
        x, y, h, ty, tz = sense * d[0], sense * d[1], sense * d[2], sense * d[3], sense * d[4]
        vx, vy, vh, wy, wz = sense * dv[0], sense * dv[1], sense * dv[2], sense * dv[3], sense * dv[4]
    fx = fy = fh = my = mz = 0.0
    place = 15 + 2 * tracks
    lowered = place + slices
    damage = lowered + slices
    pitch = 2.0 * math.pi / count
    share = constant / slices
    begin = first + pitch * d[rows]
    for track in range(tracks):
        angle, offset = p[15 + 2 * track], p[16 + 2 * track]
        ca, sa = math.cos(angle), math.sin(angle)
        lever = radius * sa - offset * ca
        for j in range(count):
            psi = begin + pitch * j
            c, w = math.cos(psi), math.sin(psi)
            drop, push = _damage(p, damage, defects, j, psi, d, rows) if track == 0 else (0.0, 0.0)
            lean, sway = ty * w - tz * c, wy * w - wz * c
            if push > 0.0:
                fy += push * c
                fh += push * w
            if distance > 0.0:
                radial = distance * ca + y * c + h * w - gap - drop - offset * lean
                axial = distance * sa + x + radius * lean
                now = math.sqrt(radial * radial + axial * axial)
                delta = now - distance
                if delta <= 0.0:
                    continue
                cr, sx = radial / now, axial / now
                rate = sx * (vx + radius * sway) + cr * (vy * c + vh * w - offset * sway)
                load = constant * delta**n * (1.0 + n * beta * rate / delta)
                if load <= 0.0:
                    continue
                near = radius * sx - offset * cr
                fx += load * sx
                fy += load * cr * c
                fh += load * cr * w
                my += load * near * w
                mz -= load * near * c
                continue
            middle = (y * c + h * w - gap - drop) * ca + x * sa
            speed = (vy * c + vh * w) * ca + vx * sa
            for k in range(slices):
                arm = lever - p[place + k]
                delta = middle + arm * lean - p[lowered + k]
                if delta <= 0.0:
                    continue
                load = share * delta**n * (1.0 + n * beta * (speed + arm * sway) / delta)
                if load <= 0.0:
                    continue
                fx += load * sa
                fy += load * ca * c
                fh += load * ca * w
                my += load * arm * w
                mz -= load * arm * c
    total = sense * p[14]
    if rows == 2:
        f[0] = total * fy + p[2] * dv[0]
        f[1] = total * fh + p[2] * dv[1]
    else:
        f[0] = total * fx
        f[1] = total * fy + p[2] * dv[1]
        f[2] = total * fh + p[2] * dv[2]
        f[3] = total * my
        f[4] = total * mz


def roller_bearing(
    geometry: BearingGeometry,
    *,
    spatial: bool = False,
    inner: bool = True,
    damping: float = 0.0,
    proportional: float = 0.0,
    first_angle: float = 0.0,
    defects: Sequence[BearingDefect] = (),
    mean: Sequence[float] | None = None,
) -> Law:
    """Law of a rolling bearing.

    Parameters
    ----------
    geometry : the bearing
    spatial : rows x, y, z, tilt_y, tilt_z instead of y, z
    inner : the deflection of the rows is that of the inner ring against the outer one, otherwise the other way round
    damping : radial dashpot [N s/m] beside the elements
    proportional : damping in proportion to the tangent of every contact [s]; contacts never pull
    first_angle : place of the first element [rad] where the cage sense is zero
    defects : of the raceways and elements of the first row
    mean : tangent stiffness per row about the operating point, for modes and step sizes; default: under a radial load of a
        tenth of the dynamic rating

    Senses: rotation of the cage in pitches of the elements; with defects also rotation of the inner ring, of the outer
    ring, and spin of the elements against the cage [rad]. All of them as seen in the frame of the rows.

    Raises ValueError for negative damping or a defect wider than its track.
    """
    if not (damping >= 0.0 and proportional >= 0.0):
        raise ValueError(f"damping of a bearing must not be negative, got {damping:g} and {proportional:g}")
    set_ = geometry.bearing()
    first = set_.rows[0]
    n = first.exponent
    rows = 5 if spatial else 2
    parameters = [
        rows, 1.0 if inner else -1.0, damping, proportional, n, first.constant, first.elements, first.clearance,
        first.pitch_radius, first_angle, first.centre_distance, len(set_.rows), first.slices, len(defects), set_.count,
    ]  # fmt: skip
    for row in set_.rows:
        parameters += [row.contact_angle, row.offset]
    parameters += [*first.slice_places, *first.slice_profile]
    for defect in defects:
        parameters += _defect(defect, geometry)
    kept = [0, 1, 2, 4, 5] if spatial else [1, 2]
    means = tuple(float(k) for k in (estimated_mean(geometry)[kept] if mean is None else mean))
    dashpot = [damping if name in "yz" else 0.0 for name in ("xyzab" if spatial else "yz")]

    def energy(d, dv, z, mode):  # type: ignore[no-untyped-def]
        sign = 1.0 if inner else -1.0
        place = np.zeros(6)
        place[kept] = sign * np.asarray(d[:rows])
        turned = first_angle + 2.0 * math.pi / first.elements * d[rows]
        share = first.constant / first.slices
        loads = [replace(r, first_angle=turned).in_slices(place)[2] for r in set_.rows]
        return set_.count * sum(float(np.sum(q ** ((n + 1) / n))) for q in loads) * share ** (-1 / n) / (n + 1)

    return Law(
        force=roller_bearing_force,
        parameters=tuple(float(x) for x in parameters),
        rows=rows,
        senses=4 if defects else 1,
        mean=(means, tuple(c + proportional * k for c, k in zip(dashpot, means, strict=True))),
        damping=tuple(dashpot),
        # a pit takes and gives energy that is no function of the position alone
        energy=None if defects else energy,
        label=f"{geometry.word} bearing",
        source="Lim and Singh (1990); ISO/TS 16281",
    )


def estimated_mean(geometry: BearingGeometry) -> np.ndarray:
    """Tangent stiffness (6) of the motions under a radial load of a tenth of the dynamic rating, mean of y and z."""
    set_ = geometry.bearing()
    load = 0.1 * dynamic_rating(geometry) * geometry.count
    k = np.diag(set_.stiffness(set_.under_load([0.0, load, 0.0, 0.0, 0.0, 0.0]))).copy()
    k[1] = k[2] = 0.5 * (k[1] + k[2])
    k[4] = k[5] = 0.5 * (k[4] + k[5])
    return k


def _defect(defect: BearingDefect, geometry: BearingGeometry) -> list[float]:
    if defect.on not in _PLACES:
        raise ValueError(f"a defect is on {', '.join(_PLACES)}, not on '{defect.on}'")
    radius = 0.5 * geometry.element_diameter
    track = {
        "outer": 0.5 * geometry.pitch_diameter + radius * math.cos(geometry.contact_angle),
        "inner": 0.5 * geometry.pitch_diameter - radius * math.cos(geometry.contact_angle),
        "element": radius,
    }[defect.on]
    half = 0.5 * defect.width / track
    if not 0.0 < half < (0.5 * math.pi if defect.on == "element" else math.pi):
        raise ValueError(
            f"a defect of {1e3 * defect.width:g} mm does not fit on its track of radius {1e3 * track:g} mm"
        )
    if defect.on == "element" and not 0 <= defect.number < geometry.per_row:
        raise ValueError(f"there is no element {defect.number}: they count from 0 to {geometry.per_row - 1}")
    return [_PLACES[defect.on], defect.angle, half, track, defect.depth, defect.force, radius, float(defect.number)]
