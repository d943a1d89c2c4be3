"""Eight meshes of plain teeth at once: the sums of :mod:`.tooth_contact_plain`, written without branches.

Nearly all that a gearbox in tooth contact costs is this. Parameters are those of the law, eight meshes side by side. Slices
across the face of one mesh are taken eight at once in the same way.
"""

import numpy as np

from gearwright.kernels import fused
from gearwright.kernels.law_functions import foreseer, together
from gearwright.kernels.pointers import always_inline, f8
from gearwright.kernels.simd import (
    added,
    bits,
    blocks,
    choose,
    largest,
    least,
    numbers,
    octave_cells,
    put_blocks,
    put_each,
    read_anew,
    root,
    rows,
    size,
    whole,
)

from . import tooth_contact_pair as P
from .tooth_contact_centres import place
from .tooth_contact_pair import PHI_COUNT, PHI_FIRST, PHI_SHIFT, PHI_TABLE

FAR = 1e12


@fused
def phi_of_eight(u):  # type: ignore[no-untyped-def]
    """:func:`gearwright.laws.tooth_contact_pair.phi` of eight numbers."""
    always_inline()
    c0, c1, c2, c3, x, cell = octave_cells(f8(PHI_TABLE.ctypes.data), u, PHI_SHIFT, PHI_FIRST, PHI_COUNT)
    value = c0 + x * (c1 + x * (c2 + x * c3))
    return choose(cell < 0.0, 0.0, choose(cell < PHI_COUNT, value, np.nan))


@fused
def lacking_of_eight(p, b, x):  # type: ignore[no-untyped-def]
    """What a wheel lacks at ``x`` beyond its tip, and its derivative by ``x``; its data begin at parameter ``b``."""
    always_inline()
    beyond, relieved = x > 0.0, x > p[b + P.EDGE]
    f, r, c = b + P.FLANK, b + P.RELIEF, b + P.CORNER
    c0 = choose(beyond, p[c], choose(relieved, p[r], p[f]))
    c1 = choose(beyond, p[c + 1], choose(relieved, p[r + 1], p[f + 1]))
    c2 = choose(beyond, p[c + 2], choose(relieved, p[r + 2], p[f + 2]))
    c3, c4 = choose(beyond, p[c + 3], 0.0), choose(beyond, p[c + 4], 0.0)
    return (
        c0 + x * (c1 + x * (c2 + x * (c3 + x * c4))),
        c1 + x * (2.0 * c2 + x * (3.0 * c3 + x * (4.0 * c4))),
        2.0 * c2 + x * (6.0 * c3 + x * (12.0 * c4)),
    )


@fused
def flanks(p, coast, phase, lift, length, delta, speed, rate1, rate_length, curved, reports):  # type: ignore[no-untyped-def]
    """:func:`gearwright.laws.tooth_contact_pair.flank` of eight flanks or slices; every argument eight times or once for all.
    Force, force on the arc, on the length, heat and, with ``reports``, the largest ``F/(s1 s2)``."""
    always_inline()
    pitch, kind, chi, unit, weight = p[P.PITCH], p[P.KIND], p[P.CHI], p[P.UNIT], p[P.SIZE]
    up = -p[P.RISING] if coast else p[P.RISING]
    rate2 = rate_length - kind * rate1
    step = up * pitch
    origin = choose(up > 0.0, p[P.START], p[P.END]) + lift
    side1, side2 = p[_SIDE1], p[_SIDE2]
    x1, dx1 = side1 * (origin - p[_TIP1]), side1 * step
    x2, dx2 = side2 * (length - kind * origin - p[_TIP2]), -side2 * kind * step
    r1, r2 = side1 * rate1, side2 * rate2
    share = p[P.BEYOND] / pitch
    w = phase - whole(phase + share)
    last = (p[P.END] - p[P.START]) / pitch + share
    total = choose(w > 0.0, 0.0, 0.0)
    along, stretch, top, heat = total, total, total, total
    while True:
        here = (w <= last) & (delta > 0.0)
        if bits(here) == 0:
            break
        read_anew()
        g1, h1, _ = lacking_of_eight(p, P.WHEEL1, x1 + dx1 * w)
        g2, h2, _ = lacking_of_eight(p, P.WHEEL2, x2 + dx2 * w)
        over = delta - g1 - g2
        touches = here & (over > 0.0)
        if bits(touches) != 0:
            elastic = over
            if curved:
                elastic = choose(unit > 0.0, phi_of_eight(over * unit), over)
            elastic = choose(touches, weight * elastic, 0.0)
            rate = speed - h1 * r1 - h2 * r2
            force = elastic + elastic * chi * rate
            force = choose(force < 0.0, 0.0, force)
            heat += (force - elastic) * rate
            total += force
            along -= force * (side1 * h1 - kind * side2 * h2)
            stretch -= force * side2 * h2
            if reports != 0:
                s1 = origin + step * w
                s2 = length - kind * s1
                squeezed = choose((s1 > 0.0) & (s2 > 0.0), force / (s1 * s2), 0.0)
                top = choose(squeezed > top, squeezed, top)
        w += 1.0
    return total, along, stretch, heat, top


@together
def tooth_contact_together(places, states, first, t, d, dv, parameters, every, f, zd, reports):  # type: ignore[no-untyped-def]
    """Forces of eight planar meshes; returns those, as bits, that are left to the law."""
    p = rows(parameters)
    d0, d1, _, _, _, x, y, phase = blocks(d, places)
    v0, v1, v2, _, _, vx, vy, _ = blocks(dv, places)
    curved = bits(p[P.UNIT] > 0.0) != 0
    more, lift, length, mx, my, sx, sy, lx, ly = place(p, False, x, y)
    total, along, stretch, heat, top = flanks(
        p,
        False,
        phase,
        lift,
        length,
        d0 + more,
        v0 + (mx * vx + my * vy),
        v2 + (sx * vx + sy * vy),
        lx * vx + ly * vy,
        curved,
        reports,
    )
    radial = total * mx + along * sx + stretch * lx
    across = total * my + along * sy + stretch * ly
    back, pressure, wedged = choose(total < 0.0, 0.0, 0.0), top * length, choose(total < 0.0, 0.0, 0.0)
    # what displaced centres add to a deflection is of second order: flanks further apart need no look
    if bits(d1 + (p[P.REACH] + p[P.SECOND] * (x * x + y * y)) > p[P.GAP]) != 0:
        more, lift, length, mx, my, sx, sy, lx, ly = place(p, True, x, y)
        back, arc, stretch, lost, top = flanks(
            p,
            True,
            phase + p[P.COAST],
            lift,
            length,
            d1 + more - p[P.GAP],
            v1 + (mx * vx + my * vy),
            (sx * vx + sy * vy) - v2,
            lx * vx + ly * vy,
            curved,
            reports,
        )
        radial += back * mx + arc * sx + stretch * lx
        across += back * my + arc * sy + stretch * ly
        along -= arc
        heat += lost
        pressure = choose(top * length > pressure, top * length, pressure)
        wedged = choose(total < back, total, back)
    pressure = 1e-6 * root(pressure * p[P.PRESS])
    put_blocks(f, places, (total, back, along, pressure, wedged, radial, across, choose(total < 0.0, 0.0, 0.0)))
    if bits(p[P.CHI] > 0.0) != 0:
        put_each(zd, states, heat)
    return bits(~(size(phase) < FAR))


@fused
def sliced(p, coast, phase, lift, length, delta, speed, rate1, rate_length):  # type: ignore[no-untyped-def]
    """As :func:`flanks`, for one flank whose face is cut into slices of plain teeth."""
    always_inline()
    total, along, stretch, heat, top = 0.0, 0.0, 0.0, 0.0, 0.0
    count, first = p[P.SLICES], 0.0
    while first < count and delta > 0.0:
        number = first + numbers()
        there = (number + 0.5) / count - 0.5
        # slices that there are not have no overlap
        over = choose(number < count, delta - p[P.CROWN] * 4.0 * there * there, -1.0)
        eight = flanks(
            p, coast, phase + there * p[P.OVERLAP], lift, length, over, speed, rate1, rate_length, p[P.UNIT] > 0.0, 1
        )
        total += added(eight[0])
        along += added(eight[1])
        stretch += added(eight[2])
        heat += added(eight[3])
        top = max(top, largest(eight[4]))
        first += 8.0
    return total, along, stretch, heat, top


@fused
def _sooner(when, time, where, most):  # type: ignore[no-untyped-def]
    """The earlier of two times, the new one only where it holds and is later than ``most``."""
    always_inline()
    return choose(where & (time > most) & (time < when), time, when)


@foreseer
def tooth_contact_foresee(places, least_time, d, dv, parameters):  # type: ignore[no-untyped-def]
    """Time to the next bend of eight meshes, as :func:`gearwright.laws.tooth_contact_plain.tooth_contact_ahead`."""
    p = rows(parameters)
    d0, _, _, _, _, x, y, phase = blocks(d, places)
    v0, _, v2, _, _, vx, vy, _ = blocks(dv, places)
    more, lift, length, mx, my, sx, sy, lx, ly = place(p, False, x, y)
    delta = d0 + more
    speed = v0 + (mx * vx + my * vy)
    rate1 = v2 + (sx * vx + sy * vy)
    rate_length = lx * vx + ly * vy
    pitch, kind = p[P.PITCH], p[P.KIND]
    step = p[P.RISING] * pitch
    origin = choose(step > 0.0, p[P.START], p[P.END]) + lift
    r1, r2 = p[_SIDE1] * rate1, p[_SIDE2] * (rate_length - kind * rate1)
    share = p[P.BEYOND] / pitch
    w = phase - whole(phase + share)
    last = (p[P.END] - p[P.START]) / pitch + share
    loaded = (delta > 0.0) & (size(phase) < FAR)
    relieved1, relieved2 = p[_EDGE1] < 0.0, p[_EDGE2] < 0.0
    any_relief = bits(relieved1 | relieved2) != 0
    when = choose(loaded, np.inf, np.inf)
    while True:
        here = loaded & (w <= last)
        if bits(here) == 0:
            break
        read_anew()
        s1 = origin + step * w
        w += 1.0
        a, b = p[_SIDE1] * (s1 - p[_TIP1]), p[_SIDE2] * (length - kind * s1 - p[_TIP2])
        g1, h1, k1 = lacking_of_eight(p, P.WHEEL1, a)
        g2, h2, k2 = lacking_of_eight(p, P.WHEEL2, b)
        over = delta - g1 - g2
        if any_relief:
            on = here & (over > 0.0)
            when = _sooner(when, -a / r1, on & relieved1, least_time)
            when = _sooner(when, (p[_EDGE1] - a) / r1, on & relieved1, least_time)
            when = _sooner(when, -b / r2, on & relieved2, least_time)
            when = _sooner(when, (p[_EDGE2] - b) / r2, on & relieved2, least_time)
        rate = speed - h1 * r1 - h2 * r2
        bow = -0.5 * (k1 * r1 * r1 + k2 * r2 * r2)
        under = rate * rate - 4.0 * bow * over
        there = here & (under >= 0.0)
        # both roots of over + rate t + bow t^2, without cancellation
        turn = root(choose(there, under, 0.0))
        half = -0.5 * (rate + choose(rate >= 0.0, turn, -turn))
        when = _sooner(when, over / half, there, least_time)
        when = _sooner(when, half / bow, there, least_time)
    return least(when)


_SIDE1, _TIP1, _EDGE1 = P.WHEEL1 + P.SIDE, P.WHEEL1 + P.TIP, P.WHEEL1 + P.EDGE
_SIDE2, _TIP2, _EDGE2 = P.WHEEL2 + P.SIDE, P.WHEEL2 + P.TIP, P.WHEEL2 + P.EDGE
