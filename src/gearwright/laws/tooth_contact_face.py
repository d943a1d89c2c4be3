"""Teeth that are all alike across a face that tilts, without friction: what nearly every wide mesh is, written for speed.

The same sums as :func:`gearwright.laws.tooth_contact_wide.any_teeth`. All slices of a spur tooth stand at the same place of the path, so what the wheels lack there is found once a pair and the
slices differ by ``x_k tilt`` alone. The force of a slice is a smooth function of that, so its sum over the slices, and
the sum of its moments, follow from four of them: a Lobatto rule for the slices, exact for polynomials of the fifth
degree, with both end slices among its points, which carry the most and the least. Where a pair lifts off on a
part of the face, every slice is taken by itself.
"""

from __future__ import annotations

import numpy as np

from gearwright.kernels import fused
from gearwright.kernels.pointers import always_inline, noinline

from . import tooth_contact_pair as P
from .tooth_contact_centres import place
from .tooth_contact_pair import phi
from .tooth_contact_plain import eased, lacks

#: least part of the largest overlap that the smallest one may be for the rule: 4e-6 of the force there, nothing where the
#: face touches evenly
EVEN = 0.2
#: least part of the elastic force that damping may leave of any slice for the rule: it never pulls
PUSHED = 0.1


def face_rule(slices: int, width: float) -> tuple[float, float, float, float]:
    """Rule for sums over slices ``k`` of a polynomial of ``x_k = width ((k + 1/2)/slices - 1/2)``: place of the end slice
    and of the inner points [m], weights of both (each counts twice). Zeros for too few slices: there is nothing to save."""
    if slices < 5:
        return 0.0, 0.0, 0.0, 0.0
    x = (np.arange(slices) + 0.5) / slices - 0.5
    end = float(x[-1])
    zeroth, second, fourth = (float((x**power).sum()) / 2.0 for power in (0, 2, 4))
    inner = (fourth - second * end**2) / (second - zeroth * end**2)
    weight = (second - zeroth * inner) / (end**2 - inner)
    return width * end, width * inner**0.5, weight, zeroth - weight


@fused
def slice_force(p, size, unit, ease, over):  # type: ignore[no-untyped-def]
    """Elastic force of a slice [N] at an overlap above zero."""
    always_inline()
    if unit == 0.0:
        return size * over
    if ease == 1.0:
        return size * phi(over * unit)
    return size / ease * phi(over * unit * ease)


@fused
def slanted(p, coast, phase, delta, bent, speed, bend, lift, length, rate1, rate_length):  # type: ignore[no-untyped-def]
    """Slices one by one, each at its own place of the path: sums of the force and of its moment, force on ``s1`` and on
    ``length``, heat, largest ``F/(s1 s2)``, and the force of the slice that carries most."""
    noinline()
    total, moment, along, stretch, heat, top, most = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    pitch, kind, chi, unit, size = p[P.PITCH], p[P.KIND], p[P.CHI], p[P.UNIT], p[P.SIZE]
    rising, start, end, beyond = p[P.RISING], p[P.START], p[P.END], p[P.BEYOND]
    slices, width, overlap, crown = int(p[P.SLICES]), p[P.FACE], p[P.OVERLAP], 4.0 * p[P.CROWN]
    rate2 = rate_length - kind * rate1
    if coast:
        rising = -rising
    step = rising * pitch
    origin = (start if rising > 0.0 else end) + lift
    side1, side2 = p[P.WHEEL1 + P.SIDE], p[P.WHEEL2 + P.SIDE]
    x1, dx1 = side1 * (origin - p[P.WHEEL1 + P.TIP]), side1 * step
    x2, dx2 = side2 * (length - kind * origin - p[P.WHEEL2 + P.TIP]), -side2 * kind * step
    r1, r2 = side1 * rate1, side2 * rate2
    course = int(p[P.CURVE])
    once, part = 1.0 / pitch, 1.0 / slices
    furthest = (end - start + beyond) * once
    phase += beyond * once
    for k in range(slices):
        middle = (k + 0.5) * part - 0.5
        off = width * middle
        deep = delta + off * bent - crown * middle * middle
        if deep <= 0.0:
            continue
        rate0 = speed + off * bend
        here = 0.0
        w = phase + middle * overlap
        w -= np.floor(w) + beyond * once
        while w <= furthest:
            g1, h1 = lacks(p, P.WHEEL1, x1 + dx1 * w)
            g2, h2 = lacks(p, P.WHEEL2, x2 + dx2 * w)
            over = deep - g1 - g2
            s1 = origin + step * w
            w += 1.0
            if over <= 0.0:
                continue
            ease, slope = 1.0, 0.0
            if course > 0:
                ease, slope = eased(p, course, s1)
            elastic = slice_force(p, size, unit, ease, over)
            rate = rate0 - h1 * r1 - h2 * r2
            force = max(elastic + elastic * chi * rate, 0.0)
            heat += (force - elastic) * rate
            here += force
            along += 0.5 * elastic * elastic * slope / ease - force * (side1 * h1 - kind * side2 * h2)
            stretch -= force * side2 * h2
            s2 = length - kind * s1
            if s1 > 0.0 and s2 > 0.0:
                top = max(top, force / (s1 * s2))
        total += here
        moment += here * off
        most = max(most, here)
    return total, moment, along, stretch, heat, top, most


@fused
def straight(p, coast, phase, delta, bent, speed, bend, lift, length, rate1, rate_length):  # type: ignore[no-untyped-def]
    """The same for spur teeth without crowning, whose slices stand at one place of the path: four of them stand for all."""
    noinline()
    total, moment, along, stretch, top, heat, first_end, last_end = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    slices = int(p[P.SLICES])
    width = p[P.FACE]
    x_end, x_in, w_end, w_in = p[P.RULE], p[P.RULE + 1], p[P.RULE + 2], p[P.RULE + 3]
    far = 0.5 * width * abs(bent)
    pitch, kind, chi, unit, size = p[P.PITCH], p[P.KIND], p[P.CHI], p[P.UNIT], p[P.SIZE]
    rising, start, end, beyond = p[P.RISING], p[P.START], p[P.END], p[P.BEYOND]
    rate2 = rate_length - kind * rate1
    if coast:
        rising = -rising
    step = rising * pitch
    origin = (start if rising > 0.0 else end) + lift
    side1, side2 = p[P.WHEEL1 + P.SIDE], p[P.WHEEL2 + P.SIDE]
    x1, dx1 = side1 * (origin - p[P.WHEEL1 + P.TIP]), side1 * step
    x2, dx2 = side2 * (length - kind * origin - p[P.WHEEL2 + P.TIP]), -side2 * kind * step
    r1, r2 = side1 * rate1, side2 * rate2
    course = int(p[P.CURVE])
    once = 1.0 / pitch
    w = phase - np.floor(phase + beyond * once)
    furthest = (end - start + beyond) * once
    sway_end, sway_in = x_end * bent, x_in * bent
    while w <= furthest:
        g1, h1 = lacks(p, P.WHEEL1, x1 + dx1 * w)
        g2, h2 = lacks(p, P.WHEEL2, x2 + dx2 * w)
        s1 = origin + step * w
        w += 1.0
        over = delta - g1 - g2
        if over + far <= 0.0:
            continue
        ease, slope = 1.0, 0.0
        if course > 0:
            ease, slope = eased(p, course, s1)
        rate = speed - h1 * r1 - h2 * r2
        square = 0.0
        edge = abs(sway_end)
        swing = x_end * bend
        if over - edge > EVEN * (over + edge) and 1.0 + chi * (rate - abs(swing)) > PUSHED:
            e1 = slice_force(p, size, unit, ease, over + sway_end)
            e2 = slice_force(p, size, unit, ease, over - sway_end)
            e3 = slice_force(p, size, unit, ease, over + sway_in)
            e4 = slice_force(p, size, unit, ease, over - sway_in)
            inner = x_in * bend
            v1, v2, v3, v4 = rate + swing, rate - swing, rate + inner, rate - inner
            l1, l2, l3, l4 = e1 * chi * v1, e2 * chi * v2, e3 * chi * v3, e4 * chi * v4
            first, final = e2 + l2, e1 + l1
            q3, q4 = e3 + l3, e4 + l4
            force = w_end * (first + final) + w_in * (q3 + q4)
            moment += w_end * x_end * (final - first) + w_in * x_in * (q3 - q4)
            heat += w_end * (l1 * v1 + l2 * v2) + w_in * (l3 * v3 + l4 * v4)
            if slope != 0.0:
                square = w_end * (e1 * e1 + e2 * e2) + w_in * (e3 * e3 + e4 * e4)
        else:
            force, first, final = 0.0, 0.0, 0.0
            part = 1.0 / slices
            for k in range(slices):
                off = width * ((k + 0.5) * part - 0.5)
                here = over + off * bent
                if here <= 0.0:
                    continue
                elastic = slice_force(p, size, unit, ease, here)
                there = rate + off * bend
                pushed = max(elastic + elastic * chi * there, 0.0)
                force += pushed
                moment += pushed * off
                heat += (pushed - elastic) * there
                square += elastic * elastic
                first = pushed if k == 0 else first
                final = pushed if k == slices - 1 else final
        total += force
        along += 0.5 * square * slope / ease - force * (side1 * h1 - kind * side2 * h2)
        stretch -= force * side2 * h2
        first_end += first
        last_end += final
        s2 = length - kind * s1
        if s1 > 0.0 and s2 > 0.0:
            top = max(top, max(first, final) / (s1 * s2))
    return total, moment, along, stretch, heat, top, max(first_end, last_end)


@fused
def alike(p, coast, phase, delta, bent, speed, bend, lift, length, rate1, rate_length):  # type: ignore[no-untyped-def]
    """Sums over the slices of a flank by the rule, where there is one, or one by one."""
    always_inline()
    if p[P.RULE] != 0.0:
        return straight(p, coast, phase, delta, bent, speed, bend, lift, length, rate1, rate_length)
    return slanted(p, coast, phase, delta, bent, speed, bend, lift, length, rate1, rate_length)


@fused
def face(p, d, dv, f, across_face):  # type: ignore[no-untyped-def]
    """Forces of all rows; ``across_face`` sums the slices of a flank. Returns the heat [W]."""
    tilts, last, planar = int(p[P.TILT]), int(p[P.SENSE]), p[P.PLANAR] != 0.0
    slices, width = int(p[P.SLICES]), p[P.FACE]
    x, y, vx, vy, radial, across = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    if planar:
        x, y, vx, vy = d[5], d[6], dv[5], dv[6]
    # what displaced centres add to a deflection is of second order: a flank further apart needs no look
    slack = p[P.SECOND] * (x * x + y * y)
    along, heat, top, most = 0.0, 0.0, 0.0, 0.0
    for side in range(2):
        coast = side == 1
        f[side] = 0.0
        f[tilts + side] = 0.0
        bent, bend = d[tilts + side], dv[tilts + side]
        delta, speed, phase = d[side], dv[side], d[last]
        if coast:
            delta -= p[P.GAP]
            phase += p[P.COAST]
        if delta + slack + 0.5 * width * abs(bent) <= 0.0:
            continue
        if not abs(phase) < 1e12:
            f[side] = np.nan
            continue
        sign = -1.0 if coast else 1.0
        rate1, rate_length, lift, length = sign * dv[2], 0.0, 0.0, p[P.L0]
        mx, my, sx, sy, lx, ly = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        if planar:
            more, lift, length, mx, my, sx, sy, lx, ly = place(p, coast, x, y)
            delta += more
            speed += mx * vx + my * vy
            rate1 += sx * vx + sy * vy
            rate_length = lx * vx + ly * vy
        total, moment, on_arc, on_length, lost, peak, widest = across_face(
            p, coast, phase, delta, bent, speed, bend, lift, length, rate1, rate_length
        )
        f[side] = total
        f[tilts + side] = moment
        along += sign * on_arc
        radial += total * mx + on_arc * sx + on_length * lx
        across += total * my + on_arc * sy + on_length * ly
        heat += lost
        top = max(top, peak * length)
        most = max(most, widest)
    most *= slices
    whole = f[0] + f[1]
    f[2] = along
    f[3] = 1e-6 * np.sqrt(top * p[P.PRESS])
    f[4] = min(f[0], f[1])
    if planar:
        f[5] = radial
        f[6] = across
    f[tilts + 2] = most / (width * np.sqrt(1.0 - 1.0 / (slices * slices)) if slices > 1 else width)
    f[last] = most / whole if whole > 0.0 else 0.0
    return heat
