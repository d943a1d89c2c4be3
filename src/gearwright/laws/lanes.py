"""Sine and cosine of eight angles at once, for laws that see what stands still from a turning frame."""

from gearwright.kernels import fused
from gearwright.kernels.pointers import always_inline
from gearwright.kernels.simd import choose, whole

#: angle [rad] beyond which :func:`turned` does not hold
FAR = 1e6
#: a right angle in three parts, whole multiples of the first two of which are exact up to there
RIGHT1, RIGHT2, RIGHT3 = 1.57079632673412561417e00, 6.07710050630396597660e-11, 2.02226624879595063154e-21


@fused
def turned(x):  # type: ignore[no-untyped-def]
    """Cosine and sine of eight angles within ``FAR``, to a unit or so of the last place: the remainder by right angles, and the
    polynomials of FDLIBM (Sun Microsystems, 1993) over an eighth of a turn to either side."""
    always_inline()
    k = whole(x * 0.6366197723675814 + 0.5)
    r = ((x - k * RIGHT1) - k * RIGHT2) - k * RIGHT3
    z = r * r
    odd = -1.66666666666666324348e-01 + z * (
        8.33333333332248946124e-03
        + z
        * (
            -1.98412698298579493134e-04
            + z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))
        )
    )
    even = 4.16666666666666019037e-02 + z * (
        -1.38888888888741095749e-03
        + z
        * (
            2.48015872894767294178e-05
            + z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 - z * 1.13596475577881948265e-11))
        )
    )
    sine, cosine = r + r * z * odd, 1.0 - (0.5 * z - z * z * even)
    quarter = k - 4.0 * whole(0.25 * k)
    across = quarter - 2.0 * whole(0.5 * quarter) > 0.5
    c, s = choose(across, sine, cosine), choose(across, cosine, sine)
    return choose((quarter > 0.5) & (quarter < 2.5), -c, c), choose(quarter > 1.5, -s, s)
