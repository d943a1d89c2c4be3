"""The drive flank of plain teeth: what nearly every evaluation of law `tooth_contact` is, written for speed.

One slice, teeth that are all alike. The same sums as :func:`gearwright.laws.tooth_contact_pair.flank`, with
what all pairs share taken out of the loop: a mesh costs some 40 ns, most of it the chain from the phase to the force.
"""

import numpy as np

from gearwright.kernels import fused, guard
from gearwright.kernels.places import cell_of
from gearwright.kernels.pointers import always_inline

from . import tooth_contact_pair as P
from .tooth_contact_centres import place
from .tooth_contact_pair import phi


@fused
def plain(p, d, dv, planar, x, y, f):  # type: ignore[no-untyped-def]
    """Forces of the drive, travel, pressure and centre rows with the coast flank free; returns the heat [W]."""
    always_inline()
    delta, speed, rate1, rate_length = d[0], dv[0], dv[2], 0.0
    lift, length, phase = 0.0, p[P.L0], d[5]
    mx, my, sx, sy, lx, ly = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    if planar:
        vx, vy = dv[5], dv[6]
        phase = d[7]
        more, lift, length, mx, my, sx, sy, lx, ly = place(p, False, x, y)
        delta += more
        speed += mx * vx + my * vy
        rate1 += sx * vx + sy * vy
        rate_length = lx * vx + ly * vy
    total, along, stretch, top, heat = 0.0, 0.0, 0.0, 0.0, 0.0
    if not abs(phase) < 1e12:
        total = np.nan
    elif delta > 0.0:
        pitch, kind, chi, unit, size = p[P.PITCH], p[P.KIND], p[P.CHI], p[P.UNIT], p[P.SIZE]
        rising, start, end, beyond = p[P.RISING], p[P.START], p[P.END], p[P.BEYOND]
        rate2 = rate_length - kind * rate1
        step = rising * pitch
        origin = (start if rising > 0.0 else end) + lift
        side1, side2, edge1, edge2 = p[_SIDE1], p[_SIDE2], p[_EDGE1], p[_EDGE2]
        x1, dx1 = side1 * (origin - p[_TIP1]), side1 * step
        x2, dx2 = side2 * (length - kind * origin - p[_TIP2]), -side2 * kind * step
        r1, r2 = side1 * rate1, side2 * rate2
        first = int(p[P.CURVE])
        once = 1.0 / pitch
        w = phase - np.floor(phase + beyond * once)
        last = (end - start + beyond) * once
        while w <= last:
            a, b = x1 + dx1 * w, x2 + dx2 * w
            g1, h1 = _lack(p, a, edge1, _TOP1, _RELIEF1, _FLANK1)
            g2, h2 = _lack(p, b, edge2, _TOP2, _RELIEF2, _FLANK2)
            s1 = origin + step * w
            w += 1.0
            over = delta - g1 - g2
            if over <= 0.0:
                continue
            side = 0.0
            if unit == 0.0:
                force = size * over
            elif first == 0:
                force = size * phi(over * unit)
            else:
                ease, slope = eased(p, first, s1)
                force = size / ease * phi(over * unit * ease)
                side = 0.5 * force * force * slope / ease
            rate = speed - h1 * r1 - h2 * r2
            elastic = force
            force = max(force + force * chi * rate, 0.0)
            heat += (force - elastic) * rate
            total += force
            along += side - force * (side1 * h1 - kind * side2 * h2)
            stretch -= force * side2 * h2
            s2 = length - kind * s1
            if s1 > 0.0 and s2 > 0.0:
                top = max(top, force / (s1 * s2))
    f[0] = total
    f[2] = along
    f[3] = 1e-6 * np.sqrt(top * length * p[P.PRESS])
    if planar:
        f[5] = total * mx + along * sx + stretch * lx
        f[6] = total * my + along * sy + stretch * ly
    return heat


@fused
def _lack(p, x, edge, top, relief, flank):  # type: ignore[no-untyped-def]
    """As :func:`lacks`, with the numbers of the parameters known when it is compiled."""
    always_inline()
    if x > 0.0:
        return (
            p[top] + x * (p[top + 1] + x * (p[top + 2] + x * (p[top + 3] + x * p[top + 4]))),
            p[top + 1] + x * (2.0 * p[top + 2] + x * (3.0 * p[top + 3] + x * (4.0 * p[top + 4]))),
        )
    if x > edge:
        return p[relief] + x * (p[relief + 1] + x * p[relief + 2]), p[relief + 1] + x * (2.0 * p[relief + 2])
    return p[flank] + x * (p[flank + 1] + x * p[flank + 2]), p[flank + 1] + x * (2.0 * p[flank + 2])


@fused
def lacks(p, b, x):  # type: ignore[no-untyped-def]
    """What a wheel lacks at ``x`` beyond its tip [m], and its derivative by ``x``; its data begin at parameter ``b``."""
    always_inline()
    if x > 0.0:
        b += P.CORNER
        return (
            p[b] + x * (p[b + 1] + x * (p[b + 2] + x * (p[b + 3] + x * p[b + 4]))),
            p[b + 1] + x * (2.0 * p[b + 2] + x * (3.0 * p[b + 3] + x * (4.0 * p[b + 4]))),
        )
    b += P.RELIEF if x > p[b + P.EDGE] else P.FLANK
    return p[b] + x * (p[b + 1] + x * p[b + 2]), p[b + 1] + x * (2.0 * p[b + 2])


@fused
def eased(p, first, s1):  # type: ignore[no-untyped-def]
    """Course of the teeth's compliance at an arc: ``exp(-(c - c_ref)/K)`` and ``K`` times its derivative."""
    always_inline()
    x = (s1 - p[P.START]) * p[P.CELLS]
    cells = p[first]
    if x <= 0.0:
        return p[first + 1], 0.0
    if x >= cells:
        return p[first + 1 + 4 * int(cells)], 0.0
    i = cell_of(x, cells)
    x -= i
    i = first + 1 + 4 * i
    return (
        p[i] + x * (p[i + 1] + x * (p[i + 2] + x * p[i + 3])),
        (p[i + 1] + x * (2.0 * p[i + 2] + x * (3.0 * p[i + 3]))) * p[P.CELLS] * p[P.K],
    )


@fused
def _bends(p, b, x, rate, least):  # type: ignore[no-untyped-def]
    """What a wheel lacks at ``x`` beyond its tip, its two derivatives by ``x``, and the time to where its slope jumps."""
    always_inline()
    edge = p[b + P.EDGE]
    relief, top = b + P.RELIEF, b + P.CORNER
    when = np.inf
    if edge < 0.0 and rate != 0.0:
        for place in (0.0, edge):
            t = (place - x) / rate
            if least < t < when:
                when = t
    if x > 0.0:
        b = top
        return (
            p[b] + x * (p[b + 1] + x * (p[b + 2] + x * (p[b + 3] + x * p[b + 4]))),
            p[b + 1] + x * (2.0 * p[b + 2] + x * (3.0 * p[b + 3] + x * (4.0 * p[b + 4]))),
            2.0 * p[b + 2] + x * (6.0 * p[b + 3] + x * 12.0 * p[b + 4]),
            when,
        )
    b = relief if x > edge else b + P.FLANK
    return p[b] + x * (p[b + 1] + x * p[b + 2]), p[b + 1] + x * 2.0 * p[b + 2], 2.0 * p[b + 2], when


@guard
def tooth_contact_ahead(t, d, dv, p, z, s, mode, g):  # type: ignore[no-untyped-def]
    """Time to where the next pair of the drive flank touches or lets go, or runs over the begin or end of its relief."""
    least = g[0]
    g[0] = np.inf
    delta, speed, rate1, rate_length = d[0], dv[0], dv[2], 0.0
    lift, length, phase = 0.0, p[P.L0], d[5]
    if p[P.PLANAR] != 0.0:
        phase = d[7]
        more, lift, length, mx, my, sx, sy, lx, ly = place(p, False, d[5], d[6])
        delta += more
        speed += mx * dv[5] + my * dv[6]
        rate1 += sx * dv[5] + sy * dv[6]
        rate_length = lx * dv[5] + ly * dv[6]
    if p[P.PLAIN] == 0.0 or not (delta > 0.0 and abs(phase) < 1e12):
        return 0
    pitch, kind, beyond = p[P.PITCH], p[P.KIND], p[P.BEYOND]
    step = p[P.RISING] * pitch
    origin = (p[P.START] if step > 0.0 else p[P.END]) + lift
    r1, r2 = p[_SIDE1] * rate1, p[_SIDE2] * (rate_length - kind * rate1)
    w = phase - np.floor(phase + beyond / pitch)
    last = (p[P.END] - p[P.START] + beyond) / pitch
    while w <= last:
        s1 = origin + step * w
        w += 1.0
        g1, h1, k1, first1 = _bends(p, P.WHEEL1, p[_SIDE1] * (s1 - p[_TIP1]), r1, least)
        g2, h2, k2, first2 = _bends(p, P.WHEEL2, p[_SIDE2] * (length - kind * s1 - p[_TIP2]), r2, least)
        over = delta - g1 - g2
        rate = speed - h1 * r1 - h2 * r2
        bow = -0.5 * (k1 * r1 * r1 + k2 * r2 * r2)
        under = rate * rate - 4.0 * bow * over
        if over > 0.0:
            g[0] = min(g[0], min(first1, first2))
        if under < 0.0:
            continue
        # both roots of over + rate t + bow t^2, without cancellation
        half = -0.5 * (rate + (np.sqrt(under) if rate >= 0.0 else -np.sqrt(under)))
        one = over / half if half != 0.0 else np.inf
        two = half / bow if bow != 0.0 else np.inf
        if least < one < g[0]:
            g[0] = one
        if least < two < g[0]:
            g[0] = two
    return 0


_SIDE1, _TIP1, _EDGE1 = P.WHEEL1 + P.SIDE, P.WHEEL1 + P.TIP, P.WHEEL1 + P.EDGE
_SIDE2, _TIP2, _EDGE2 = P.WHEEL2 + P.SIDE, P.WHEEL2 + P.TIP, P.WHEEL2 + P.EDGE
_FLANK1, _RELIEF1, _TOP1 = P.WHEEL1 + P.FLANK, P.WHEEL1 + P.RELIEF, P.WHEEL1 + P.CORNER
_FLANK2, _RELIEF2, _TOP2 = P.WHEEL2 + P.FLANK, P.WHEEL2 + P.RELIEF, P.WHEEL2 + P.CORNER
