"""One pair of teeth on one flank: how far the teeth overlap, and what force that takes.

Compiled functions of :mod:`gearwright.laws.tooth_contact`, on its parameters. Everything is a function of position
alone (but for damping), so that the force is the gradient of a stored energy and pairs that come and go create none.

Overlap of the pair whose contact stands at arc ``s1`` of wheel 1 and ``s2`` of wheel 2::

    delta = delta_0 - g1(s1) - g2(s2) - slice + errors

``g`` is what a wheel lacks at an arc: tip relief, profile crowning and, beyond its tip, the distance at which its
tip corner waits (physics notes 7). Force of Roark's cylinder pair in series with the teeth's own compliance c::

    delta = K F ln(F0/F) + c(s1) F      F = -delta / (K w),  w = W_-1(-x),  ln x = ln(delta/(K F0)) - c/K

with the lower branch of Lambert's function as a table over ``ln x``; without contact data ``F = delta / c``.
Source: S2 (17) to (19), its digest section 6; numerics page 2, section 1.
"""

import math

import numpy as np
from scipy.special import lambertw

from gearwright.system import hot

# --- parameters of the law, by number ---------------------------------------------------------------------------
# K [m/N] of one slice (0: no contact data), ln(K F0) [ln m], damping [s/m], normal backlash [m],
# largest error by which a flank can stand out [m], 1/(pi L C_E) [Pa^2 m/N] of one slice
K, LN, CHI, GAP, REACH, PRESS = range(6)
# base radius of wheel 1, centre distance, length of the line of action between the base circles, rb2 +- rb1 [m],
# +1 external -1 internal, +1/-1 flank of wheel 1 that is the drive flank
RB1, A0, L0, R, KIND, SIGMA = range(6, 12)
# path of contact on wheel 1 [m], base pitch [m], +1 where the arc of the drive flank rises with the phase, phase of
# the coast flank less that of the drive flank [cycles], arc beyond the ends at which pairs are still looked for [m]
START, END, PITCH, RISING, COAST, BEYOND = range(12, 18)
# rows of the centre (0: none), number of slices, overlap [cycles], lead crowning [m]
PLANAR, SLICES, OVERLAP, CROWN = range(18, 22)
# compliance of the teeth of a slice over K (without contact data: over 1): polynomial of x = (s1 - C_MID) C_SCALE
C_MID, C_SCALE, C_FIRST = 22, 23, 24
DEGREE = 6
# what each wheel lacks: +1 tip at the larger arc, arc of the tip, of the begin of relief, depth at the tip over
# (tip - begin)^n, n, height of profile crowning, its middle, its half length, e/x^2 of the corner: 3 coefficients
WHEEL1 = C_FIRST + DEGREE + 1
SIDE, TIP, BEGIN, DEPTH, POWER, HEIGHT, MIDDLE, HALF, CORNER = range(9)
WHEEL = 12
WHEEL2 = WHEEL1 + WHEEL
# teeth of each wheel, tooth of phase zero of each wheel, on the coast flank; where their data begin (0: none)
TEETH1 = WHEEL2 + WHEEL
TEETH2, OFFSET1, OFFSET2, COAST1, COAST2, DATA = range(TEETH1 + 1, TEETH1 + 7)
# number of the phase among the rows; of the first row that tilts and of the first that rubs (0: none), face width whose
# slices resist a tilt like the whole face [m],
# coefficient of friction between flanks, sliding speed about which the friction changes its sign [m/s]
SENSE, TILT, RUB, FACE, MU, CREEP = range(TEETH1 + 7, TEETH1 + 13)
#: number of fixed parameters; then, per tooth of both wheels: deviation [m], compliance over K, pit depth [m]; then
#: begin and end of the pits of each wheel [m of its arc]
COUNT = TEETH1 + 13

# --- -1/W_-1(-exp(y)) over y: cubic through values and slopes -----------------------------------------------------
_LOW, _HIGH, _CELLS = -160.0, -1.02, 2048
_STEP = (_HIGH - _LOW) / _CELLS


def _lambert(y: np.ndarray) -> np.ndarray:
    """``-1/W_-1(-exp(y))`` by SciPy, where the exponential is far from underflow by Newton's method on logarithms."""
    w = np.real(lambertw(-np.exp(np.maximum(y, -600.0)), -1))
    for _ in range(3):  # w + ln(-w) = y
        w = w - (w + np.log(-w) - y) * w / (1.0 + w)
    return np.asarray(-1.0 / w)


def _cells() -> np.ndarray:
    y = _LOW + _STEP * np.arange(_CELLS + 1)
    value = _lambert(y)
    slope = _STEP * value * value / (1.0 - value)  # dw/dy = w/(1 + w)
    a, b, m, n = value[:-1], value[1:], slope[:-1], slope[1:]
    return np.stack([a, m, 3.0 * (b - a) - 2.0 * m - n, 2.0 * (a - b) + m + n], axis=1).ravel()


_TABLE = _cells()


@hot
def secant(y):  # type: ignore[no-untyped-def]
    """``-1/W_-1(-exp(y))``; not-a-number where the contact has no solution (far beyond elastic)."""
    u = (y - _LOW) / _STEP
    if u < 0.0:
        return 0.0
    i = int(u)
    if i >= _CELLS:
        return np.nan
    u -= i
    i *= 4
    return _TABLE[i] + u * (_TABLE[i + 1] + u * (_TABLE[i + 2] + u * _TABLE[i + 3]))


@hot
def place(p, coast, x, y):  # type: ignore[no-untyped-def]
    """Where a flank stands with the centres displaced: deflection beyond the linear row, lift of ``s1``, length of the
    line of action; then the derivatives of each of the three by the radial and by the across displacement."""
    rb1, a0, l0, r, kind = p[RB1], p[A0], p[L0], p[R], p[KIND]
    sg = -p[SIGMA] if coast else p[SIGMA]
    ax = a0 + x
    a = math.sqrt(ax * ax + y * y)
    length = math.sqrt(a * a - r * r)
    q = y / ax
    chi = q * (1.0 - q * q * (1.0 / 3.0 - q * q * 0.2))  # arctan, exact to 1e-16 below 5e-3
    w = r * (length - l0) / (a * a0)
    turn = w * (1.0 + w * w * (1.0 / 6.0 + w * w * 0.075))  # alpha - alpha_0 by arcsin
    ca, sa = ax / a, y / a
    sin_a = length / a
    cx, cy = -y / (a * a), ax / (a * a)
    tx = r / (a * length)
    return (
        -kind * (sg * r * (chi - y / a0) + (length - l0) - r * turn - l0 / a0 * x), rb1 * (turn - sg * chi), length,
        -kind * (sg * r * cx + sin_a * ca - l0 / a0), -kind * (sg * r * (cy - 1.0 / a0) + sin_a * sa),
        rb1 * (tx * ca - sg * cx), rb1 * (tx * sa - sg * cy), a / length * ca, a / length * sa,
    )  # fmt: skip


@hot
def lacking(p, b, s):  # type: ignore[no-untyped-def]
    """What a wheel lacks at an arc [m], and its derivative; its data begin at parameter ``b``."""
    side = p[b + SIDE]
    beyond = side * (s - p[b + TIP])
    g, slope = 0.0, 0.0
    at = s
    if beyond > 0.0:
        c0, c1, c2 = p[b + CORNER], p[b + CORNER + 1], p[b + CORNER + 2]
        g = beyond * beyond * (c0 + beyond * (c1 + beyond * c2))
        slope = side * beyond * (2.0 * c0 + beyond * (3.0 * c1 + beyond * 4.0 * c2))
        at = p[b + TIP]
    if p[b + DEPTH] != 0.0:
        x = side * (at - p[b + BEGIN])
        if x > 0.0:
            if p[b + POWER] == 1.0:
                g += p[b + DEPTH] * x
                if beyond <= 0.0:
                    slope += side * p[b + DEPTH]
            else:
                g += p[b + DEPTH] * x * x
                if beyond <= 0.0:
                    slope += side * 2.0 * p[b + DEPTH] * x
    if p[b + HEIGHT] != 0.0:
        x = (at - p[b + MIDDLE]) / p[b + HALF]
        g += p[b + HEIGHT] * x * x
        if beyond <= 0.0:
            slope += 2.0 * p[b + HEIGHT] * x / p[b + HALF]
    return g, slope


@hot
def tooth_number(n, offset, teeth):  # type: ignore[no-untyped-def]
    """Tooth of a wheel in pair ``n``: never counted, always computed."""
    i = n + offset
    return int(i - teeth * math.floor(i / teeth))


@hot
def pit(p, at, begin, s):  # type: ignore[no-untyped-def]
    """Depth missing at an arc in a pit [m] and its derivative: a raised cosine from ``begin`` on."""
    depth = p[at]
    low, high = p[begin], p[begin + 1]
    if depth == 0.0 or s <= low or s >= high:
        return 0.0, 0.0
    w = 2.0 * math.pi / (high - low)
    return 0.5 * depth * (1.0 - math.cos(w * (s - low))), 0.5 * depth * w * math.sin(w * (s - low))


@hot
def pair(p, coast, n, s1, s2, delta):  # type: ignore[no-untyped-def]
    """Pair ``n`` of a flank: overlap [m], elastic force [N] of a slice, slopes of what both wheels lack, and the
    derivative of the teeth's compliance by ``s1`` [1/N]."""
    g1, h1 = lacking(p, WHEEL1, s1)
    g2, h2 = lacking(p, WHEEL2, s2)
    delta -= g1 + g2
    extra = 0.0
    data = int(p[DATA])
    if data > 0:
        z1, z2 = p[TEETH1], p[TEETH2]
        i1 = tooth_number(n, p[COAST1] if coast else p[OFFSET1], z1)
        i2 = tooth_number(n, p[COAST2] if coast else p[OFFSET2], z2)
        b1 = data + 3 * i1
        b2 = data + 3 * (int(z1) + i2)
        extra = p[b1 + 1] + p[b2 + 1]
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
    c, dc = p[C_FIRST] + extra, 0.0
    if p[C_FIRST + 2] != 0.0:  # not the same everywhere
        x = (s1 - p[C_MID]) * p[C_SCALE]
        outside = x * x > 1.0
        if outside:
            x = 1.0 if x > 0.0 else -1.0
        c = p[C_FIRST + DEGREE]
        for i in range(DEGREE - 1, -1, -1):
            dc = dc * x + c
            c = c * x + p[C_FIRST + i]
        c += extra
        dc = 0.0 if outside else dc * p[C_SCALE]
    k = p[K]
    if k > 0.0:
        return delta, delta * secant(math.log(delta) - p[LN] - c) / k, h1, h2, dc * k
    return delta, delta / c, h1, h2, dc


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
    return int(math.floor(at + p[BEYOND] / p[PITCH]) - first) + 1


@hot
def flank(p, coast, phase, lift, length, delta, speed, rate1, rate_length):  # type: ignore[no-untyped-def]
    """All pairs of one flank: force [N], force on ``s1``, force on ``length``, energy [J], largest pressure [Pa], heat [W].

    ``phase`` of the flank, ``lift`` the change of ``s1`` by the centres [m], ``length`` the present line of action,
    ``delta`` its deflection less the backlash; ``speed`` the rate of ``delta``, ``rate1`` that of ``s1``,
    ``rate_length`` that of ``length``.
    """
    total, along, stretch, stored, top, heat = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    if delta + p[REACH] <= 0.0:
        return total, along, stretch, stored, top, heat
    pitch, start, end, beyond = p[PITCH], p[START], p[END], p[BEYOND]
    up = p[RISING]
    if coast:
        up = -up
    origin = start if up > 0.0 else end
    kind = p[KIND]
    slices = int(p[SLICES])
    for k in range(slices):
        place = (k + 0.5) / slices - 0.5
        at = phase + place * p[OVERLAP]
        crown = p[CROWN] * 4.0 * place * place
        n = math.ceil(at - (end - start + beyond) / pitch)
        count = pairs(p, at, n)
        if count < 0:
            return np.nan, along, stretch, stored, top, heat
        for _ in range(count):
            s1 = origin + up * (at - n) * pitch + lift
            s2 = length - s1 if kind > 0.0 else length + s1
            d, f, h1, h2, dc = pair(p, coast, n, s1, s2, delta - crown)
            n += 1.0
            if f == 0.0:
                continue
            stored += pair_energy(p, d, f)
            side = -0.5 * f * f * dc
            if p[CHI] != 0.0:
                rate2 = rate_length - kind * rate1
                rate = speed - h1 * rate1 - h2 * rate2
                elastic = f
                f *= 1.0 + p[CHI] * rate
                if f < 0.0:
                    f = 0.0
                heat += (f - elastic) * rate
            total += f
            along += side - f * (h1 - kind * h2)
            stretch -= f * h2
            if p[PRESS] != 0.0:
                top = max(top, pressure(p, s1, s2, f))
    return total, along, stretch, stored, top, heat
