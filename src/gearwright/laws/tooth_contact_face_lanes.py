"""Eight meshes of alike spur teeth whose faces tilt: :mod:`.tooth_contact_face` without branches, for eight meshes at once.

Four slices stand for all of a pair. A mesh one of whose pairs lifts off on a part of the face is left to the law itself.
"""

from gearwright.kernels import force, fused
from gearwright.kernels.law_functions import together
from gearwright.kernels.pointers import always_inline, noinline, shift
from gearwright.kernels.simd import (
    added,
    bits,
    blocks,
    choose,
    largest,
    numbers,
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
from .tooth_contact_face import EVEN, PUSHED, face
from .tooth_contact_lanes import FAR, flanks, lacking_of_eight, phi_of_eight

_SIDE1, _TIP1 = P.WHEEL1 + P.SIDE, P.WHEEL1 + P.TIP
_SIDE2, _TIP2 = P.WHEEL2 + P.SIDE, P.WHEEL2 + P.TIP


@fused
def _larger(a, b):  # type: ignore[no-untyped-def]
    always_inline()
    return choose(a > b, a, b)


@fused
def faces(p, coast, phase, lift, length, delta, bent, speed, bend, rate1, rate_length, curved, reports):  # type: ignore[no-untyped-def]
    """:func:`gearwright.laws.tooth_contact_face.straight` of eight flanks; then which of them it does not hold for, as bits."""
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
    sway, sway_in = p[P.RULE] * bent, p[P.RULE + 1] * bent
    swing, swing_in = p[P.RULE] * bend, p[P.RULE + 1] * bend
    edge, whirl = size(sway), size(swing)
    nothing = choose(w > 0.0, 0.0, 0.0)
    total, moment, along, stretch, heat, top = nothing, nothing, nothing, nothing, nothing, nothing
    first_end, last_end = nothing, nothing
    left = 0
    while True:
        here = (w <= last) & (delta + edge > 0.0)
        if bits(here) == 0:
            break
        read_anew()
        g1, h1, _ = lacking_of_eight(p, P.WHEEL1, x1 + dx1 * w)
        g2, h2, _ = lacking_of_eight(p, P.WHEEL2, x2 + dx2 * w)
        over = delta - g1 - g2
        touches = here & (over + edge > 0.0)
        if bits(touches) != 0:
            rate = speed - h1 * r1 - h2 * r2
            even = (over - edge > EVEN * (over + edge)) & (1.0 + chi * (rate - whirl) > PUSHED)
            left |= bits(touches & ~even)
            o1, o2, o3, o4 = over - sway, over + sway, over - sway_in, over + sway_in
            if curved:
                bent_teeth = unit > 0.0
                o1, o2 = (
                    choose(bent_teeth, phi_of_eight(o1 * unit), o1),
                    choose(bent_teeth, phi_of_eight(o2 * unit), o2),
                )
                o3, o4 = (
                    choose(bent_teeth, phi_of_eight(o3 * unit), o3),
                    choose(bent_teeth, phi_of_eight(o4 * unit), o4),
                )
            w_end = choose(touches, weight * p[P.RULE + 2], 0.0)
            w_in = choose(touches, weight * p[P.RULE + 3], 0.0)
            v1, v2, v3, v4 = rate - swing, rate + swing, rate - swing_in, rate + swing_in
            l1, l2, l3, l4 = o1 * chi * v1, o2 * chi * v2, o3 * chi * v3, o4 * chi * v4
            q1, q2, q3, q4 = o1 + l1, o2 + l2, o3 + l3, o4 + l4
            carried = w_end * (q1 + q2) + w_in * (q3 + q4)
            moment += w_end * p[P.RULE] * (q2 - q1) + w_in * p[P.RULE + 1] * (q4 - q3)
            heat += w_end * (l1 * v1 + l2 * v2) + w_in * (l3 * v3 + l4 * v4)
            total += carried
            along -= carried * (side1 * h1 - kind * side2 * h2)
            stretch -= carried * side2 * h2
            if reports != 0:
                a, b = choose(touches, weight * q1, 0.0), choose(touches, weight * q2, 0.0)
                first_end += a
                last_end += b
                s1 = origin + step * w
                s2 = length - kind * s1
                top = _larger(choose((s1 > 0.0) & (s2 > 0.0), _larger(a, b) / (s1 * s2), 0.0), top)
        w += 1.0
    return total, moment, along, stretch, heat, top, _larger(first_end, last_end), left


@fused
def slanted_eight(p, coast, phase, delta, bent, speed, bend, lift, length, rate1, rate_length):  # type: ignore[no-untyped-def]
    """As :func:`gearwright.laws.tooth_contact_face.slanted`, eight slices of one flank at once; teeth without a course."""
    noinline()
    total, moment, along, stretch, heat, top, most = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    count, first, width = p[P.SLICES], 0.0, p[P.FACE]
    far = delta + 0.5 * width * abs(bent)
    while first < count and far > 0.0:
        number = first + numbers()
        there = (number + 0.5) / count - 0.5
        off = width * there
        # slices that there are not have no overlap
        over = choose(number < count, delta + off * bent - p[P.CROWN] * 4.0 * there * there, -1.0)
        pushed, arc, reach, lost, peak = flanks(
            p,
            coast,
            phase + there * p[P.OVERLAP],
            lift,
            length,
            over,
            speed + off * bend,
            rate1,
            rate_length,
            p[P.UNIT] > 0.0,
            1,
        )
        total += added(pushed)
        moment += added(pushed * off)
        along += added(arc)
        stretch += added(reach)
        heat += added(lost)
        top = max(top, largest(peak))
        most = max(most, largest(pushed))
        first += 8.0
    return total, moment, along, stretch, heat, top, most


@together
def tooth_contact_faces(places, states, first, t, d, dv, parameters, every, f, zd, reports):  # type: ignore[no-untyped-def]
    """Forces of eight meshes with rows of the centres and of a face that tilts; returns those that are left to the law."""
    p = rows(parameters)
    d0, d1, _, _, _, x, y, bent = blocks(d, places)
    v0, v1, v2, _, _, vx, vy, bend = blocks(dv, places)
    _, _, _, _, _, bent_back, _, phase = blocks(shift(d, 3), places)
    _, _, _, _, _, bend_back, _, _ = blocks(shift(dv, 3), places)
    curved = bits(p[P.UNIT] > 0.0) != 0
    more, lift, length, mx, my, sx, sy, lx, ly = place(p, False, x, y)
    total, moment, along, stretch, heat, top, most, left = faces(
        p,
        False,
        phase,
        lift,
        length,
        d0 + more,
        bent,
        v0 + (mx * vx + my * vy),
        bend,
        v2 + (sx * vx + sy * vy),
        lx * vx + ly * vy,
        curved,
        reports,
    )
    radial = total * mx + along * sx + stretch * lx
    across = total * my + along * sy + stretch * ly
    nothing = choose(x > 0.0, 0.0, 0.0)
    back, turned, pressure, wedged = nothing, nothing, top * length, nothing
    # what displaced centres add to a deflection is of second order: flanks further apart need no look
    nearest = d1 + (p[P.SECOND] * (x * x + y * y) + p[P.RULE] * size(bent_back))
    if bits(nearest > p[P.GAP]) != 0:
        more, lift, length, mx, my, sx, sy, lx, ly = place(p, True, x, y)
        back, turned, arc, stretch, lost, top, widest, uneven = faces(
            p,
            True,
            phase + p[P.COAST],
            lift,
            length,
            d1 + more - p[P.GAP],
            bent_back,
            v1 + (mx * vx + my * vy),
            bend_back,
            (sx * vx + sy * vy) - v2,
            lx * vx + ly * vy,
            curved,
            reports,
        )
        radial += back * mx + arc * sx + stretch * lx
        across += back * my + arc * sy + stretch * ly
        along -= arc
        heat += lost
        left |= uneven
        most = _larger(widest, most)
        pressure = _larger(top * length, pressure)
        wedged = choose(total < back, total, back)
    pressure = 1e-6 * root(pressure * p[P.PRESS])
    line, factor = nothing, nothing
    if reports != 0:
        count = p[P.SLICES]
        most *= count
        line = most / (p[P.FACE] * root(1.0 - 1.0 / (count * count)))
        carried = total + back
        factor = choose(carried > 0.0, most / choose(carried > 0.0, carried, 1.0), 0.0)
    put_blocks(f, places, (total, back, along, pressure, wedged, radial, across, moment))
    put_blocks(shift(f, 3), places, (pressure, wedged, radial, across, moment, turned, line, factor))
    if bits(p[P.CHI] > 0.0) != 0:
        put_each(zd, states, heat)
    return left | bits(~((size(phase) < FAR) & (size(d0) < FAR)))


@force
def tooth_contact_slanted_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Force of a face of slices that stand at different places of the path, or that is crowned; teeth without a course."""
    heat = face(p, d, dv, f, slanted_eight)
    if p[P.CHI] != 0.0:
        zd[0] = heat
