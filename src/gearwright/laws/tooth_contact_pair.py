"""One pair of teeth on one flank: how far the teeth overlap, and what force that takes.

Compiled functions of :mod:`gearwright.laws.tooth_contact`, on its parameters. Everything is a function of position
alone (but for damping), so that the force is the gradient of a stored energy and pairs that come and go create none.

Overlap of the pair whose contact stands at arc ``s1`` of wheel 1 and ``s2`` of wheel 2::

    delta = delta_0 - g1(s1) - g2(s2) - slice + errors

``g`` is what a wheel lacks at an arc: tip relief, profile crowning and, beyond its tip, the distance at which its
tip corner waits (physics notes 7). Force of Roark's cylinder pair in series with the teeth's own compliance c::

    delta = K F ln(F0/F) + c(s1) F      F = F0 exp(c/K) phi(u),  u = delta exp(-c/K)/(K F0),  phi ln(1/phi) = u

so that one table of ``phi`` (cubic, its cells parts of an octave of ``u``, found from the bits of the number) serves
every mesh; without contact data ``F = delta / c``. Source: S2 (17) to (19), its digest section 6; numerics page 2,
section 1.
"""

import math

import numpy as np

from gearwright.kernels import fused, hot
from gearwright.kernels.places import cell_of, whole_of
from gearwright.kernels.pointers import always_inline, bits_of, number_of

# --- parameters of the law, by number ---------------------------------------------------------------------------
# K [m/N] of one slice (0: no contact data), u over the overlap [1/m], damping [s/m], normal backlash [m],
# largest error by which a flank can stand out [m], 1/(pi L C_E) [Pa^2 m/N] of one slice
K, UNIT, CHI, GAP, REACH, PRESS = range(6)
# base radius of wheel 1, centre distance, length of the line of action between the base circles, rb2 +- rb1 [m],
# +1 external -1 internal, +1/-1 flank of wheel 1 that is the drive flank
RB1, A0, L0, R, KIND, SIGMA = range(6, 12)
# path of contact on wheel 1 [m], base pitch [m], +1 where the arc of the drive flank rises with the phase, phase of
# the coast flank less that of the drive flank [cycles], arc beyond the ends at which pairs are still looked for [m]
START, END, PITCH, RISING, COAST, BEYOND = range(12, 18)
# rows of the centre (0: none), number of slices, overlap [cycles], lead crowning [m]
PLANAR, SLICES, OVERLAP, CROWN = range(18, 22)
# teeth: force over phi(u) [N] of a slice at the compliance of reference (without contact data: its stiffness [N/m]);
# course of exp(-(c - c_ref)/K) along the path: first parameter of its cells (0: one compliance everywhere; there their
# number, then four coefficients each), cells over the arc [1/m]
SIZE, CURVE, CELLS = range(22, 25)
# what each wheel lacks over x, the arc beyond its tip: +1 with the tip at the larger arc (-1: a ring), arc of the tip, x
# where relief begins; polynomials below relief and in it (3 coefficients each), beyond the tip (5 coefficients)
WHEEL1 = CELLS + 1
# bias: missing at the tip of the end at larger x [m], and its slope over x there
SIDE, TIP, EDGE, FLANK, RELIEF, CORNER, BIAS = 0, 1, 2, 3, 6, 9, 14
WHEEL = 16
WHEEL2 = WHEEL1 + WHEEL
# teeth of each wheel, tooth of phase zero of each wheel, on the coast flank; where their data begin (0: none)
TEETH1 = WHEEL2 + WHEEL
TEETH2, OFFSET1, OFFSET2, COAST1, COAST2, DATA = range(TEETH1 + 1, TEETH1 + 7)
# number of the phase among the rows; of the first row that tilts and of the first that rubs (0: none), face width whose
# slices resist a tilt like the whole face [m],
# coefficient of friction between flanks, sliding speed about which the friction changes its sign [m/s]
SENSE, TILT, RUB, FACE, MU, CREEP = range(TEETH1 + 7, TEETH1 + 13)
# what displaced centres change, as polynomials (see tooth_contact_centres): 5 terms of the direction, 7 of the deflection
# beyond the linear row, 5 of the pressure angle, 5 of the length of the line of action
ASIDE = TEETH1 + 13
BEND, TURN, LONG = ASIDE + 5, ASIDE + 12, ASIDE + 17
# bound of what they add to a deflection, over the square of the displacement [1/m]; one where the teeth are plain: all
# alike, and one slice or rows of a face
SECOND, PLAIN = ASIDE + 22, ASIDE + 23
# sums across the face of spur teeth that are all alike (see tooth_contact_face): place of the end slice, of the inner points
# [m], weights of both
RULE = ASIDE + 24
#: number of fixed parameters; then, per tooth of both wheels: deviation [m], extra compliance as exp(-c/K) (without
#: contact data: itself [m/N]), pit depth [m]; then begin and end of the pits of each wheel [m of its arc]; then cells
COUNT = ASIDE + 28

# --- phi(u): cells of a sixteenth of an octave, cubic through values and slopes --------------------------------------
_PART = 4
_SHIFT = 52 - _PART
_FIRST, _LAST = -230, -2
_BASE = (1023 + _FIRST) << _PART
_NUMBER = (_LAST - _FIRST) << _PART


def _octaves() -> np.ndarray:
    octave, part = np.divmod(np.arange(_NUMBER + 1), 1 << _PART)
    u = np.ldexp(1.0 + part / (1 << _PART), octave + _FIRST)
    y = np.log(u)
    w = y - np.log(-y)  # the branch below -1 of Lambert's W, at -u
    for _ in range(6):  # w + ln(-w) = y, to the last digit
        w = w - (w + np.log(-w) - y) * w / (1.0 + w)
    value = -u / w
    slope = -1.0 / (1.0 + w)
    h = np.diff(u)
    rise = np.diff(value) / h
    m, n = slope[:-1], slope[1:]
    return np.stack([value[:-1], m, (3.0 * rise - 2.0 * m - n) / h, (m + n - 2.0 * rise) / h / h], axis=1).ravel()


_PHI = _octaves()
#: the same for :mod:`.tooth_contact_lanes`
PHI_TABLE, PHI_SHIFT, PHI_FIRST, PHI_COUNT = _PHI, _SHIFT, _BASE, _NUMBER


@fused
def phi(u):  # type: ignore[no-untyped-def]
    """The root of ``phi ln(1/phi) = u`` below 1/e; not-a-number where there is none (far beyond elastic)."""
    always_inline()
    bits = bits_of(u)
    i = (bits >> _SHIFT) - _BASE
    if i < 0:
        return 0.0
    if i >= _NUMBER:
        return np.nan
    x = u - number_of((bits >> _SHIFT) << _SHIFT)
    i *= 4
    return _PHI[i] + x * (_PHI[i + 1] + x * (_PHI[i + 2] + x * _PHI[i + 3]))


@fused
def lacking(p, b, s):  # type: ignore[no-untyped-def]
    """What a wheel lacks at an arc [m], and its derivative; its data begin at parameter ``b``."""
    always_inline()
    side = p[b + SIDE]
    x = side * (s - p[b + TIP])
    if x > 0.0:
        b += CORNER
        g = p[b] + x * (p[b + 1] + x * (p[b + 2] + x * (p[b + 3] + x * p[b + 4])))
        return g, side * (p[b + 1] + x * (2.0 * p[b + 2] + x * (3.0 * p[b + 3] + x * 4.0 * p[b + 4])))
    b += RELIEF if x > p[b + EDGE] else FLANK
    return p[b] + x * (p[b + 1] + x * p[b + 2]), side * (p[b + 1] + x * 2.0 * p[b + 2])


@fused
def twisted(p, b, s, side):  # type: ignore[no-untyped-def]
    """What the bias of a wheel takes off at an arc, and its derivative; ``side`` from -1 to 1 over the face. Beyond the tip as at it."""
    always_inline()
    x = p[b + SIDE] * (s - p[b + TIP])
    if x > 0.0:
        return side * p[b + BIAS], 0.0
    return side * (p[b + BIAS] + x * p[b + BIAS + 1]), side * p[b + SIDE] * p[b + BIAS + 1]


@hot
def toothnumber_of(n, offset, teeth):  # type: ignore[no-untyped-def]
    """Tooth of a wheel in pair ``n``: never counted, always computed."""
    i = n + offset
    return cell_of(i - teeth * np.floor(i / teeth), teeth)


@hot
def pit(p, at, begin, s):  # type: ignore[no-untyped-def]
    """Depth missing at an arc in a pit [m] and its derivative: a raised cosine from ``begin`` on."""
    depth = p[at]
    low, high = p[begin], p[begin + 1]
    if depth == 0.0 or s <= low or s >= high:
        return 0.0, 0.0
    w = 2.0 * math.pi / (high - low)
    return 0.5 * depth * (1.0 - math.cos(w * (s - low))), 0.5 * depth * w * math.sin(w * (s - low))


@fused
def pair(p, coast, n, s1, s2, delta, side):  # type: ignore[no-untyped-def]
    """Pair ``n`` of a flank, at ``side`` from -1 to 1 over the face: overlap [m], elastic force [N] of a slice, slopes of what both wheels
    lack, and the derivative of the teeth's compliance by ``s1`` [1/N]."""
    always_inline()
    g1, h1 = lacking(p, WHEEL1, s1)
    g2, h2 = lacking(p, WHEEL2, s2)
    delta -= g1 + g2
    if side != 0.0:
        g1, t1 = twisted(p, WHEEL1, s1, side)
        g2, t2 = twisted(p, WHEEL2, s2, side)
        delta -= g1 + g2
        h1 += t1
        h2 += t2
    extra = 0.0
    data = int(p[DATA])
    if data > 0:
        z1, z2 = p[TEETH1], p[TEETH2]
        i1 = toothnumber_of(n, p[COAST1] if coast else p[OFFSET1], z1)
        i2 = toothnumber_of(n, p[COAST2] if coast else p[OFFSET2], z2)
        b1 = data + 3 * i1
        b2 = data + 3 * (int(z1) + i2)
        extra = p[b1 + 1] * p[b2 + 1] if p[K] > 0.0 else p[b1 + 1] + p[b2 + 1]
        if coast:
            delta -= p[b1] + p[b2]
        else:
            delta += p[b1] + p[b2]
            limits = data + 3 * int(z1 + z2)
            g1, t1 = pit(p, b1 + 2, limits, s1)
            g2, t2 = pit(p, b2 + 2, limits + 2, s2)
            delta -= g1 + g2
            h1 += t1
            h2 += t2
    if delta <= 0.0:
        return delta, 0.0, h1, h2, 0.0
    if p[K] == 0.0:
        return delta, delta * p[SIZE] / (1.0 + extra * p[SIZE]), h1, h2, 0.0
    ease, dc = 1.0, 0.0
    first = int(p[CURVE])
    if first > 0:
        x = (s1 - p[START]) * p[CELLS]
        cells = int(p[first])
        if x <= 0.0:
            ease = p[first + 1]
        elif x >= cells:
            ease = p[first + 1 + 4 * cells]
        else:
            i = cell_of(x, cells)
            x -= i
            i = first + 1 + 4 * i
            ease = p[i] + x * (p[i + 1] + x * (p[i + 2] + x * p[i + 3]))
            dc = -(p[i + 1] + x * (2.0 * p[i + 2] + x * 3.0 * p[i + 3])) * p[CELLS] * p[K] / ease
    if data > 0:
        ease *= extra
    if ease == 1.0:
        return delta, p[SIZE] * phi(delta * p[UNIT]), h1, h2, dc
    return delta, p[SIZE] * phi(delta * p[UNIT] * ease) / ease, h1, h2, dc


@hot
def pair_energy(p, delta, force):  # type: ignore[no-untyped-def]
    """Energy stored in a pair [J]: the integral of the force over the overlap."""
    return 0.5 * delta * force - 0.25 * p[K] * force * force


@hot
def pressure(p, s1, s2, force):  # type: ignore[no-untyped-def]
    """Largest Hertz pressure [Pa] of a slice under a force; 0 without contact data or on a base circle."""
    r = s1 * s2 / (s1 + s2) if p[KIND] > 0.0 else s1 * s2 / (s2 - s1)
    if not (r > 0.0 and s1 > 0.0 and force > 0.0):
        return 0.0
    return math.sqrt(force * p[PRESS] / r)


@hot
def pairs(p, at, first):  # type: ignore[no-untyped-def]
    """Number of pairs from ``first`` on that are near the path of contact; -1 at a phase that is no number any more."""
    if not abs(at) < 1e12:
        return -1
    return whole_of(np.floor(at + p[BEYOND] / p[PITCH]) - first) + 1


@fused
def flank(p, coast, phase, lift, length, delta, speed, rate1, rate_length):  # type: ignore[no-untyped-def]
    """All pairs of one flank: force [N], force on ``s1``, force on ``length``, heat [W], and ``F/(s1 s2)`` where it is
    largest, whose root is the pressure.

    ``phase`` of the flank, ``lift`` the change of ``s1`` by the centres [m], ``length`` the present line of action,
    ``delta`` its deflection less the backlash; ``speed`` the rate of ``delta``, ``rate1`` that of ``s1``,
    ``rate_length`` that of ``length``.
    """
    total, along, stretch, top, heat = 0.0, 0.0, 0.0, 0.0, 0.0
    if delta + p[REACH] <= 0.0:
        return total, along, stretch, heat, top
    pitch, beyond, chi, kind = p[PITCH], p[BEYOND], p[CHI], p[KIND]
    up = p[RISING]
    if coast:
        up = -up
    origin = p[START] if up > 0.0 else p[END]
    rate2 = rate_length - kind * rate1
    slices = int(p[SLICES])
    one = 1.0 / pitch
    before = (p[END] - p[START] + beyond) * one
    for k in range(slices):
        at, crown, place = phase, 0.0, 0.0
        if slices > 1:
            place = (k + 0.5) / slices - 0.5
            at += place * p[OVERLAP]
            crown = p[CROWN] * 4.0 * place * place
        n = np.ceil(at - before)
        count = pairs(p, at, n)
        if count < 0:
            return np.nan, along, stretch, heat, top
        for _ in range(count):
            s1 = origin + up * (at - n) * pitch + lift
            s2 = length - s1 if kind > 0.0 else length + s1
            d, f, h1, h2, dc = pair(p, coast, n, s1, s2, delta - crown, 2.0 * place)
            n += 1.0
            if f == 0.0:
                continue
            side = -0.5 * f * f * dc
            if chi != 0.0:
                rate = speed - h1 * rate1 - h2 * rate2
                elastic = f
                f *= 1.0 + chi * rate
                if f < 0.0:
                    f = 0.0
                heat += (f - elastic) * rate
            total += f
            along += side - f * (h1 - kind * h2)
            stretch -= f * h2
            if s1 > 0.0 and s2 > 0.0:
                top = max(top, f / (s1 * s2))
    return total, along, stretch, heat, top
