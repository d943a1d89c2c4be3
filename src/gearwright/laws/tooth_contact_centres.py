"""What displaced centres do to a pair of involutes: exact to the fourth order of the displacement.

With the centres at distance ``a = a0 + x`` apart and ``y`` across, the direction ``chi = arctan(y/(a0 + x))``, the
pressure angle ``cos(alpha) = r/a`` with ``r = rb2 +- rb1`` and the line of action ``l = sqrt(a^2 - r^2)`` change, and
with them the deflection beyond the linear row, ``l - l0 - r (alpha - alpha0) - l0/a0 x`` and ``chi - y/a0``. All are
polynomials here, and their derivatives those of the polynomials, so that forces stay the gradient of an energy; what is
left out is of the order of ``(x/a)^5`` of the radii, below a picometre where centres move by a thousandth.
"""

from __future__ import annotations

import math

import numpy as np

from gearwright.kernels import fused
from gearwright.kernels.pointers import always_inline

from . import tooth_contact_pair as P

_DEGREE = 4


@fused
def place(p, coast, x, y):  # type: ignore[no-untyped-def]
    """Where a flank stands with the centres displaced: deflection beyond the linear row, lift of ``s1``, length of the
    line of action; then the derivatives of each of the three by the radial and by the across displacement."""
    always_inline()
    rb1, kind = p[P.RB1], p[P.KIND]
    sg = -p[P.SIGMA] if coast else p[P.SIGMA]
    y2 = y * y
    o1, o2, o3, o4, o5 = p[P.ASIDE], p[P.ASIDE + 1], p[P.ASIDE + 2], p[P.ASIDE + 3], p[P.ASIDE + 4]
    odd, cross = x * (o1 + x * (o2 + x * o3)), o4 + x * o5
    aside = y * (odd + y2 * cross)
    aside_x = y * (o1 + x * (2.0 * o2 + x * 3.0 * o3) + y2 * o5)
    aside_y = odd + 3.0 * y2 * cross
    e1, e2, e3, e4 = p[P.BEND], p[P.BEND + 1], p[P.BEND + 2], p[P.BEND + 3]
    e5, e6, e7 = p[P.BEND + 4], p[P.BEND + 5], p[P.BEND + 6]
    side = e4 + x * (e5 + x * e6)
    bend = x * x * (e1 + x * (e2 + x * e3)) + y2 * (side + y2 * e7)
    bend_x = x * (2.0 * e1 + x * (3.0 * e2 + x * 4.0 * e3)) + y2 * (e5 + 2.0 * x * e6)
    bend_y = 2.0 * y * (side + 2.0 * y2 * e7)
    t1, t2, t3, t4, t5 = p[P.TURN], p[P.TURN + 1], p[P.TURN + 2], p[P.TURN + 3], p[P.TURN + 4]
    turn = x * (t1 + x * (t2 + x * t3)) + y2 * (t4 + x * t5)
    turn_x = t1 + x * (2.0 * t2 + x * 3.0 * t3) + y2 * t5
    turn_y = 2.0 * y * (t4 + x * t5)
    l1, l2, l3, l4, l5 = p[P.LONG], p[P.LONG + 1], p[P.LONG + 2], p[P.LONG + 3], p[P.LONG + 4]
    length = p[P.L0] + x * (l1 + x * (l2 + x * l3)) + y2 * (l4 + x * l5)
    length_x = l1 + x * (2.0 * l2 + x * 3.0 * l3) + y2 * l5
    length_y = 2.0 * y * (l4 + x * l5)
    once = 1.0 / p[P.A0]
    sr = sg * p[P.R]
    return (
        -kind * (sr * aside + bend),
        rb1 * (turn - sg * (aside + y * once)),
        length,
        -kind * (sr * aside_x + bend_x),
        -kind * (sr * aside_y + bend_y),
        rb1 * (turn_x - sg * aside_x),
        rb1 * (turn_y - sg * (aside_y + once)),
        length_x,
        length_y,
    )


def centre_terms(distance: float, r: float) -> list[float]:
    """The polynomials of :func:`place` for a centre distance and ``r = rb2 +- rb1`` [m]."""
    # in s = ln(a/a0): l^2 = a0^2 exp(2 s) - r^2, d(l - r alpha)/ds = l, d(alpha)/ds = r/l
    n = _DEGREE + 1
    square = np.array([distance**2 * 2.0**k / math.factorial(k) for k in range(n)])
    square[0] -= r * r
    line, inverse = np.zeros(n), np.zeros(n)
    line[0] = math.sqrt(square[0])
    inverse[0] = 1.0 / line[0]
    for k in range(1, n):
        line[k] = (square[k] - line[1:k] @ line[k - 1 : 0 : -1]) / (2.0 * line[0])
        inverse[k] = -(line[1 : k + 1] @ inverse[k - 1 :: -1][:k]) / line[0]
    rolled = np.concatenate([[0.0], line[: n - 1] / np.arange(1, n)])
    turn = np.concatenate([[0.0], r * inverse[: n - 1] / np.arange(1, n)])
    # s = Re ln(1 + (x + i y)/a0), chi its imaginary part
    s, chi = np.zeros((n, n)), np.zeros((n, n))
    for k in range(1, n):
        for j in range(k + 1):  # (x + i y)^k: binomial terms of i^j
            term = (-1.0) ** (k + 1) / k * math.comb(k, j) / distance**k
            (s if j % 2 == 0 else chi)[k - j, j] += term * (-1.0) ** (j // 2)
    bend, angle, long = (_composed(series, s) for series in (rolled, turn, line))
    return [
        *(chi[i, j] for i, j in ((1, 1), (2, 1), (3, 1), (0, 3), (1, 3))),
        *(bend[i, j] for i, j in ((2, 0), (3, 0), (4, 0), (0, 2), (1, 2), (2, 2), (0, 4))),
        *(values[i, j] for values in (angle, long) for i, j in ((1, 0), (2, 0), (3, 0), (0, 2), (1, 2))),
    ]


def _composed(series: np.ndarray, s: np.ndarray) -> np.ndarray:
    """A power series of a polynomial in x and y, up to the degree that is kept."""
    result = np.zeros_like(s)
    for value in series[::-1]:
        result = _product(result, s)
        result[0, 0] += value
    return result


def _product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    out = np.zeros_like(a)
    n = len(a)
    for i, j in zip(*np.nonzero(a), strict=True):
        for k, m in zip(*np.nonzero(b), strict=True):
            if i + j + k + m < n:
                out[i + k, j + m] += a[i, j] * b[k, m]
    return out
