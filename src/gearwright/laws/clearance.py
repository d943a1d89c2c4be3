"""Bearing with radial clearance: no force inside, a spring on the excess outside.

    r = |(dy, dz)|, n = (dy, dz)/r;   F = [k (r - g) + c r'] n for r > g where that pushes, else 0

Stiffer one way than the other, with k(n) = n . K n the potential (r - g)^2 k(n)/2 has the force

    F = [k(n) (r - g) + c(n) r'] n + (r - g)^2/r [K n - k(n) n]

which is K d without clearance, and the first form for equal stiffnesses. Under a member that is described in a turning
frame, K and the damping stay with the standing one.

Source: physics notes (bearings); S1 section 3.3 without the rollers.
"""

import math

from gearwright.kernels import force, fused, hot
from gearwright.kernels.law_functions import together
from gearwright.kernels.pointers import always_inline, shift
from gearwright.kernels.simd import bits, choose, fours, put_each, root, rows, size
from gearwright.system import Law

from .lanes import FAR, turned


@force
def clearance_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters: stiffness k, damping c, radial clearance g."""
    f[0] = 0.0
    f[1] = 0.0
    r = math.sqrt(d[0] * d[0] + d[1] * d[1])
    if r > p[2]:
        rate = (d[0] * dv[0] + d[1] * dv[1]) / r
        load = p[0] * (r - p[2]) + p[1] * rate
        if load > 0.0:
            f[0] = load * d[0] / r
            f[1] = load * d[1] / r


@together
def clearance_together(places, states, first, t, d, dv, parameters, every, f, zd, reports):  # type: ignore[no-untyped-def]
    """Eight bearings at once."""
    p = rows(parameters)
    y, h, _, _ = fours(d, places, 0.0)
    vy, vh, _, _ = fours(dv, places, 0.0)
    r = root(y * y + h * h)
    inside = ~(r > p[2])
    part = 1.0 / choose(inside, 1.0, r)
    load = p[0] * (r - p[2]) + p[1] * ((y * vy + h * vh) * part)
    load = choose(inside, 0.0, choose(load > 0.0, load, 0.0)) * part
    put_each(f, places, load * y)
    put_each(shift(f, 1), places, load * h)
    return 0


def clearance(stiffness: float, damping: float, gap: float) -> Law:
    """Radial clearance ``gap`` [m] (half the diametral play), ``stiffness`` [N/m] and ``damping`` [N s/m] beyond it.

    Two force rows: y and z. Raises ValueError for a stiffness that is not positive or a negative gap.
    """
    if not (stiffness > 0 and damping >= 0 and gap >= 0):
        raise ValueError(f"a bearing with clearance needs a positive stiffness, got {stiffness:g}, gap {gap:g}")

    def energy(d, dv, z, mode):  # type: ignore[no-untyped-def]
        return 0.5 * stiffness * max(math.hypot(d[0], d[1]) - gap, 0.0) ** 2

    return Law(
        force=clearance_force,
        parameters=(stiffness, damping, gap),
        rows=2,
        mean=((stiffness, stiffness), (damping, damping)),
        energy=energy,
        together=(clearance_together,),
        label="bearing with clearance",
        source="physics notes",
    )


@hot
def _uneven(y, h, vy, vz, p):  # type: ignore[no-untyped-def]
    """Force (y, z) of a clearance with parameters kyy, kyz, kzz, cyy, czz, g."""
    r = math.sqrt(y * y + h * h)
    if r <= p[5] or r == 0.0:
        return 0.0, 0.0
    ny, nz = y / r, h / r
    ky, kz = p[0] * ny + p[1] * nz, p[1] * ny + p[2] * nz
    k = ny * ky + nz * kz
    over = r - p[5]
    load = k * over + (p[3] * ny * ny + p[4] * nz * nz) * (vy * ny + vz * nz)
    if load <= 0.0:
        return 0.0, 0.0
    side = over * over / r
    return load * ny + side * (ky - k * ny), load * nz + side * (kz - k * nz)


@force
def uneven_clearance_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters: kyy, kyz, kzz, cyy, czz, radial clearance g."""
    f[0], f[1] = _uneven(d[0], d[1], dv[0], dv[1], p)


@force
def turning_clearance_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters as of the standing one; the sense is the angle of the frame."""
    c, w = math.cos(d[2]), math.sin(d[2])
    y, h = c * d[0] - w * d[1], w * d[0] + c * d[1]
    vy, vz = c * dv[0] - w * dv[1], w * dv[0] + c * dv[1]
    fy, fz = _uneven(y, h, vy, vz, p)
    f[0] = c * fy + w * fz
    f[1] = -w * fy + c * fz


@fused
def _uneven_of_eight(y, h, vy, vz, p):  # type: ignore[no-untyped-def]
    """:func:`_uneven` of eight bearings."""
    always_inline()
    r = root(y * y + h * h)
    inside = (r <= p[5]) | ~(r > 0.0)
    part = 1.0 / choose(inside, 1.0, r)
    ny, nz = y * part, h * part
    ky, kz = p[0] * ny + p[1] * nz, p[1] * ny + p[2] * nz
    k, over = ny * ky + nz * kz, r - p[5]
    load = k * over + (p[3] * ny * ny + p[4] * nz * nz) * (vy * ny + vz * nz)
    out, side = inside | ~(load > 0.0), over * over * part
    return choose(out, 0.0, load * ny + side * (ky - k * ny)), choose(out, 0.0, load * nz + side * (kz - k * nz))


@together
def turning_clearance_together(places, states, first, t, d, dv, parameters, every, f, zd, reports):  # type: ignore[no-untyped-def]
    """Eight bearings of members in turning frames at once; returns those whose angle is left to the law."""
    d0, d1, angle, _ = fours(d, places, 0.0)
    v0, v1, _, _ = fours(dv, places, 0.0)
    c, w = turned(angle)
    y, h = c * d0 - w * d1, w * d0 + c * d1
    fy, fz = _uneven_of_eight(y, h, c * v0 - w * v1, w * v0 + c * v1, rows(parameters))
    put_each(f, places, c * fy + w * fz)
    put_each(shift(f, 1), places, c * fz - w * fy)
    return bits(~(size(angle) < FAR))


def uneven_clearance(
    stiffness: tuple[float, float, float], damping: tuple[float, float], gap: float, turning: bool = False
) -> Law:
    """Radial clearance ``gap`` [m] of a bearing that is stiffer one way than the other.

    ``stiffness`` (kyy, kyz, kzz) [N/m], ``damping`` (cyy, czz) [N s/m] in the standing frame. Two force rows, y and z; with
    ``turning`` they are those of a member in a turning frame, and one sense row is the frame's angle [rad]. Modes take the
    closed clearance. Raises ValueError for a stiffness that is not positive or a negative gap.
    """
    kyy, kyz, kzz = stiffness
    if not (kyy > 0 and kzz > 0 and kyy * kzz > kyz * kyz and min(damping) >= 0 and gap >= 0):
        raise ValueError(f"a bearing with clearance needs a positive stiffness, got {stiffness}, gap {gap:g}")
    k, c = 0.5 * (kyy + kzz), 0.5 * sum(damping)

    def energy(d, dv, z, mode):  # type: ignore[no-untyped-def]
        a, b = (math.cos(d[2]), math.sin(d[2])) if turning else (1.0, 0.0)
        y, h = a * d[0] - b * d[1], b * d[0] + a * d[1]
        r = math.hypot(y, h)
        if r <= gap or r == 0.0:
            return 0.0
        return 0.5 * (r - gap) ** 2 * (kyy * y * y + 2.0 * kyz * y * h + kzz * h * h) / r**2

    return Law(
        force=turning_clearance_force if turning else uneven_clearance_force,
        parameters=(*stiffness, *damping, gap),
        rows=2,
        senses=1 if turning else 0,
        mean=((k, k), (c, c)) if turning else ((kyy, kzz), damping),
        energy=energy,
        together=(turning_clearance_together,) if turning else None,
        period=0.0 if turning else 1.0,
        label="bearing with clearance, stiffer one way",
        source="this module's head",
    )


def radial_clearance(
    stiffness: tuple[float, float, float], damping: tuple[float, float], gap: float, turning: bool = False
) -> Law:
    """The law of a bearing with clearance, alike in all directions or not; arguments as of :func:`uneven_clearance`. It has a
    sense row, the frame's angle, only where it is uneven and the frame turns."""
    if is_even(stiffness):
        return clearance(stiffness[0], damping[0], gap)
    return uneven_clearance(stiffness, damping, gap, turning)


def is_even(stiffness: tuple[float, float, float]) -> bool:
    """Whether a radial stiffness (kyy, kyz, kzz) is the same in all directions, to round-off."""
    kyy, kyz, kzz = stiffness
    return max(abs(kyy - kzz), abs(kyz)) <= 1e-9 * max(kyy, kzz)
