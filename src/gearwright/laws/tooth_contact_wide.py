"""Tooth contact with more rows: slices across a face that tilts, and friction between the flanks of every pair.

Rows beyond those of :mod:`gearwright.laws.tooth_contact`, in this order, each group only where asked for:

- ``tilt_drive``, ``tilt_coast`` [m/m]: how a flank's deflection changes across the face, so that slice ``k`` at place
  ``x_k`` from the middle has ``delta + x_k tilt``; their forces are the moments of the load about the middle of the
  face [N m]. ``line_load``: nothing moves along it, its force is the largest load of a slice per width [N/m]. What the
  law reports in its sense is that load over the mean one, the instantaneous face load factor. Places are a little wider
  apart than the middles of the slices, so that their stiffness against a tilt is the ``k b^2/12`` of the whole face.
- ``rolling``: the arc of wheel 2's base circle on the drive flank, as ``travel`` is that of wheel 1; ``friction``:
  nothing moves along it, its force is the power that the flanks rub away [W].

Friction of a pair: ``mu F w/sqrt(w^2 + w0^2)`` against the sliding speed of its flanks at its place on the path::

    w = u1 s1/rb1 + u2 s2/rb2 +- (cos(alpha) vx - sigma sin(alpha) vy)

with ``u1, u2`` the rates of travel and rolling (external: of opposite signs, so that w is zero at the pitch point and
the friction turns there), ``vx, vy`` those of the centres. The same row carries the force back: torques ``F_t s1`` and
``F_t s2`` on the wheels, ``F_t`` across the line of action on their bearings, and heat that is never negative.
"""

import math

import numpy as np

from gearwright.kernels import force, hot
from gearwright.kernels.pointers import noinline

from . import tooth_contact_pair as P
from .tooth_contact_centres import place
from .tooth_contact_face import alike, face
from .tooth_contact_pair import pair, pairs, pressure


@hot
def slide(p, coast, s1, s2, u1, u2, vx, vy):  # type: ignore[no-untyped-def]
    """Sliding speed of a pair on a flank [m/s], then its derivatives by u1, u2, vx, vy."""
    kind, r = p[P.KIND], p[P.R]
    rb1 = p[P.RB1]
    rb2 = r - kind * rb1
    sign = -1.0 if coast else 1.0
    ca = r / p[P.A0]
    sa = p[P.L0] / p[P.A0]
    a, b = sign * s1 / rb1, sign * s2 / rb2
    x, y = kind * ca, -kind * sign * p[P.SIGMA] * sa
    return a * u1 + b * u2 + x * vx + y * vy, a, b, x, y


@force
def tooth_contact_wide_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters as numbered in :mod:`.tooth_contact_pair`; rows as in this module's text."""
    if p[P.PLAIN] != 0.0 and p[P.TILT] > 0.0 and p[P.RUB] == 0.0:
        heat = face(p, d, dv, f, alike)
        if p[P.CHI] != 0.0:
            zd[0] = heat
        return
    any_teeth(d, dv, p, f, zd)


@hot
def flank_sums(p, coast, delta, phase, bent, bend, speed, rate1, rate_length, lift, length, arc, roll, vx, vy):  # type: ignore[no-untyped-def]
    """Sums over the slices and pairs of one flank: force, moment, largest force of a slice, forces on the travel and on the
    distance of centres, heat of the contact, pressure; of friction: heat, and forces on arc 1, arc 2, radially and across.

    The force is not a number where a phase is out of bounds.
    """
    noinline()
    pitch, start, end, beyond, kind, face = p[P.PITCH], p[P.START], p[P.END], p[P.BEYOND], p[P.KIND], p[P.FACE]
    slices, rubs = int(p[P.SLICES]), int(p[P.RUB])
    up = -p[P.RISING] if coast else p[P.RISING]
    origin = start if up > 0.0 else end
    total, moment, widest, on_arc, stretch, lost, top = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    rubbed, along, turned, radial, across = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(slices):
        middle = (k + 0.5) / slices - 0.5
        off = face * middle
        at = phase + middle * p[P.OVERLAP]
        dk = delta + off * bent - p[P.CROWN] * 4.0 * middle * middle
        n = np.ceil(at - (end - start + beyond) / pitch)
        count = pairs(p, at, n)
        if count < 0:
            total = np.nan
            break
        here = 0.0
        for _ in range(count):
            s1 = origin + up * (at - n) * pitch + lift
            s2 = length - s1 if kind > 0.0 else length + s1
            _, e, h1, h2, dc = pair(p, coast, n, s1, s2, dk, 2.0 * middle)
            n += 1.0
            if e == 0.0:
                continue
            pushed = e
            if p[P.CHI] != 0.0:
                rate = speed + off * bend - h1 * rate1 - h2 * (rate_length - kind * rate1)
                pushed = max(e * (1.0 + p[P.CHI] * rate), 0.0)
                lost += (pushed - e) * rate
            here += pushed
            on_arc += -0.5 * e * e * dc - pushed * (h1 - kind * h2)
            stretch -= pushed * h2
            if p[P.PRESS] != 0.0:
                top = max(top, pressure(p, s1, s2, pushed))
            if rubs > 0:
                w, by1, by2, byx, byy = slide(p, coast, s1, s2, arc, roll, vx, vy)
                rub = p[P.MU] * pushed * w / math.sqrt(w * w + p[P.CREEP] * p[P.CREEP])
                rubbed += rub * w
                along += rub * by1
                turned += rub * by2
                radial += rub * byx
                across += rub * byy
        total += here
        moment += here * off
        widest = max(widest, here)
    return total, moment, widest, on_arc, stretch, lost, top, rubbed, along, turned, radial, across


@hot
def any_teeth(d, dv, p, f, zd):  # type: ignore[no-untyped-def]
    """Forces and heat of teeth of any kind, both flanks."""
    noinline()
    length = p[P.L0]
    planar, tilts, rubs = p[P.PLANAR] != 0.0, int(p[P.TILT]), int(p[P.RUB])
    last = int(p[P.SENSE])
    x, y, vx, vy, radial, across = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    if planar:
        x, y, vx, vy = d[5], d[6], dv[5], dv[6]
    roll = dv[rubs] if rubs > 0 else 0.0
    face, slices = p[P.FACE], int(p[P.SLICES])
    along, top, lost, rubbed, turned, widest, whole = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    slack = p[P.REACH] + 40.0 * (x * x + y * y) / p[P.A0]
    for side in range(2):
        coast = side == 1
        sign = -1.0 if coast else 1.0
        f[side] = 0.0
        bent, bend = 0.0, 0.0
        if tilts > 0:
            f[tilts + side] = 0.0
            bent, bend = d[tilts + side], dv[tilts + side]
        if d[side] + slack + 0.5 * face * abs(bent) <= (p[P.GAP] if coast else 0.0):
            continue
        more, lift, mx, my, sx, sy, lx, ly = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        if planar:
            more, lift, length, mx, my, sx, sy, lx, ly = place(p, coast, x, y)
        delta = d[side] + more
        phase = d[last]
        if coast:
            delta -= p[P.GAP]
            phase += p[P.COAST]
        speed = dv[side] + mx * vx + my * vy
        rate1 = sign * dv[2] + sx * vx + sy * vy
        rate_length = lx * vx + ly * vy
        total, moment, most, on_arc, stretch, warm, near, rub, by1, by2, byx, byy = flank_sums(
            p, coast, delta, phase, bent, bend, speed, rate1, rate_length, lift, length, dv[2], roll, vx, vy
        )
        if not total < np.inf:
            f[side] = np.nan
            return
        lost += warm
        top, widest = max(top, near), max(widest, most)
        rubbed += rub
        turned += by2
        f[side] = total
        whole += total
        if tilts > 0:
            f[tilts + side] = moment
        along += by1 + sign * on_arc
        radial += byx + total * mx + on_arc * sx + stretch * lx
        across += byy + total * my + on_arc * sy + stretch * ly
    i = 0
    if p[P.CHI] != 0.0:
        zd[0] = lost
        i = 1
    f[2] = along
    f[3] = 1e-6 * top
    f[4] = min(f[0], f[1])
    if planar:
        f[5] = radial
        f[6] = across
    f[last] = 0.0
    if tilts > 0:
        f[tilts + 2] = widest * slices / (face * math.sqrt(1.0 - 1.0 / (slices * slices)) if slices > 1 else face)
        if whole > 0.0:
            f[last] = widest * slices / whole
    if rubs > 0:
        zd[i] = rubbed
        f[rubs] = turned
        f[rubs + 1] = rubbed
