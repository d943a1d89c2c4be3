"""What stands still, seen from a turning frame.

Members of a planetary stage move in the frame of their carrier. Gravity, and a support whose stiffness is not
the same in y and z, turn backwards in that frame; both are laws on the (y, z) rows of the member that read
the carrier's angle as a sense row [rad]. Source: physics notes 1 and 21.
"""

import math

from gearwright.kernels import force
from gearwright.kernels.law_functions import together
from gearwright.kernels.pointers import shift
from gearwright.kernels.simd import bits, fours, put_each, rows, size
from gearwright.system import Law

from .lanes import FAR, turned


@force
def turning_gravity_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters: weight (W_y, W_z) in the standing frame [N]; the law resists, so f is the weight's negative."""
    c, w = math.cos(d[2]), math.sin(d[2])
    f[0] = -(c * p[0] + w * p[1])
    f[1] = -(c * p[1] - w * p[0])


@together
def turning_gravity_together(places, states, first, t, d, dv, parameters, every, f, zd, reports):  # type: ignore[no-untyped-def]
    """Eight weights at once; returns those whose angle is left to the law."""
    p = rows(parameters)
    _, _, angle, _ = fours(d, places, 0.0)
    c, w = turned(angle)
    put_each(f, places, -(c * p[0] + w * p[1]))
    put_each(shift(f, 1), places, -(c * p[1] - w * p[0]))
    return bits(~(size(angle) < FAR))


def turning_gravity(weight_y: float, weight_z: float) -> Law:
    """Weight [N] in the standing frame's y and z (mass times gravity) of a body described in a turning frame.

    Rows y and z of the body in that frame; one sense row: the angle of the frame [rad].
    """
    return Law(
        force=turning_gravity_force,
        parameters=(weight_y, weight_z),
        rows=2,
        senses=1,
        mean=((0.0, 0.0), (0.0, 0.0)),
        smooth=True,
        together=(turning_gravity_together,),
        period=0.0,
        label="gravity in a turning frame",
        source="physics notes 21",
    )


@force
def turning_support_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters: kyy, kyz, kzz, cyy, czz in the standing frame."""
    c, w = math.cos(d[2]), math.sin(d[2])
    y, h = c * d[0] - w * d[1], w * d[0] + c * d[1]
    vy, vz = c * dv[0] - w * dv[1], w * dv[0] + c * dv[1]
    fy = p[0] * y + p[1] * h + p[3] * vy
    fz = p[1] * y + p[2] * h + p[4] * vz
    f[0] = c * fy + w * fz
    f[1] = -w * fy + c * fz


def turning_support(kyy: float, kyz: float, kzz: float, cyy: float, czz: float) -> Law:
    """A support that is stiffer one way than the other, under a member described in a turning frame.

    Stiffness [N/m] and damping [N s/m] in the standing frame. The stiffness seen has the period of half a
    turn, so modes take its mean over one turn: (kyy + kzz)/2 both ways. Rows y, z; sense: frame angle [rad].
    """
    k, c = 0.5 * (kyy + kzz), 0.5 * (cyy + czz)

    def energy(d, dv, z, mode):  # type: ignore[no-untyped-def]
        a, b = math.cos(d[2]), math.sin(d[2])
        y, h = a * d[0] - b * d[1], b * d[0] + a * d[1]
        return 0.5 * (kyy * y * y + 2 * kyz * y * h + kzz * h * h)

    return Law(
        force=turning_support_force,
        parameters=(kyy, kyz, kzz, cyy, czz),
        rows=2,
        senses=1,
        mean=((k, k), (c, c)),
        energy=energy,
        smooth=True,
        period=0.0,
        label="anisotropic support of a turning member",
        source="physics notes 1",
    )


@force
def turning_coupling_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters: k, c. Rows: y, z of the first body, y, z of the second, each in its own frame."""
    ca, wa = math.cos(d[4]), math.sin(d[4])
    cb, wb = math.cos(d[5]), math.sin(d[5])
    ey = ca * d[0] - wa * d[1] - cb * d[2] + wb * d[3]
    ez = wa * d[0] + ca * d[1] - wb * d[2] - cb * d[3]
    vy = ca * dv[0] - wa * dv[1] - cb * dv[2] + wb * dv[3]
    vz = wa * dv[0] + ca * dv[1] - wb * dv[2] - cb * dv[3]
    fy = p[0] * ey + p[1] * vy
    fz = p[0] * ez + p[1] * vz
    f[0] = ca * fy + wa * fz
    f[1] = -wa * fy + ca * fz
    f[2] = -cb * fy - wb * fz
    f[3] = wb * fy - cb * fz


def turning_coupling(stiffness: float, damping: float) -> Law:
    """A shaft whose bending joins two members described in different frames.

    ``stiffness`` [N/m], ``damping`` [N s/m], the same in every direction. Four force rows (y, z of both
    members in their own frames), two senses (angles of the frames [rad]; zero for the standing one). Linear
    analyses take the frames aligned, which needs all four rows together, so this law has no diagonal mean.
    """

    def energy(d, dv, z, mode):  # type: ignore[no-untyped-def]
        a = complex(d[0], d[1]) * complex(math.cos(d[4]), math.sin(d[4]))
        b = complex(d[2], d[3]) * complex(math.cos(d[5]), math.sin(d[5]))
        return 0.5 * stiffness * abs(a - b) ** 2

    return Law(
        force=turning_coupling_force,
        parameters=(stiffness, damping),
        rows=4,
        senses=2,
        energy=energy,
        smooth=True,
        period=0.0,
        label="shaft bending between two frames",
        source="physics notes 1",
    )


@force
def turning_seat_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters: kyy, kyz, kzz, cyy, czz in the second frame. Rows: y, z of the first body, y, z of the second, each in
    its own frame, and the angle of the first frame seen from the second."""
    c, w = math.cos(d[4]), math.sin(d[4])
    y, h = c * d[0] - w * d[1], w * d[0] + c * d[1]
    vy = c * dv[0] - w * dv[1] - dv[4] * h - dv[2]
    vz = w * dv[0] + c * dv[1] + dv[4] * y - dv[3]
    ey, ez = y - d[2], h - d[3]
    fy = p[0] * ey + p[1] * ez + p[3] * vy
    fz = p[1] * ey + p[2] * ez + p[4] * vz
    f[0], f[1] = c * fy + w * fz, -w * fy + c * fz
    f[2], f[3] = -fy, -fz
    f[4] = y * fz - h * fy


def turning_seat(kyy: float, kyz: float, kzz: float, cyy: float, czz: float) -> Law:
    """A bearing between two bodies described in frames that turn against each other, such as a ring on a housing that moves.

    With ``R`` the turn of the first frame seen from the second, ``e = R u_1 - u_2`` and ``f = K e + C e'``; every row
    carries ``f`` times the change of ``e`` with it, the angle too, so a spring gives back over a turn what it took.
    Stiffness [N/m] and damping [N s/m] in the second frame, or per radian for tilts. Five force rows (y, z of both
    bodies, the angle [rad]), no diagonal mean: linear analyses take the frames where they stand.
    """

    def energy(d, dv, z, mode):  # type: ignore[no-untyped-def]
        e = complex(d[0], d[1]) * complex(math.cos(d[4]), math.sin(d[4])) - complex(d[2], d[3])
        return 0.5 * (kyy * e.real**2 + 2.0 * kyz * e.real * e.imag + kzz * e.imag**2)

    return Law(
        force=turning_seat_force,
        parameters=(kyy, kyz, kzz, cyy, czz),
        rows=5,
        energy=energy,
        smooth=True,
        period=0.0,
        holds=(True, True, True, True, False),
        label="bearing between two frames",
        source="physics notes 1",
    )


@force
def turning_beam_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters: length, damping over stiffness, then twice k, chord, first, second. Rows y, z, tilt_y, tilt_z of
    the first end, of the second, each in its own frame; senses: the two angles."""
    ca, wa = math.cos(d[8]), math.sin(d[8])
    cb, wb = math.cos(d[9]), math.sin(d[9])
    length, beta = p[0], p[1]
    for i in range(8):
        f[i] = 0.0
    # what the ends feel in the standing frame
    ya, za, ta, ua = 0.0, 0.0, 0.0, 0.0
    yb, zb, tb, ub = 0.0, 0.0, 0.0, 0.0
    hy = (cb * d[4] - wb * d[5] - ca * d[0] + wa * d[1]) / length
    hz = (wb * d[4] + cb * d[5] - wa * d[0] - ca * d[1]) / length
    gy = (cb * dv[4] - wb * dv[5] - ca * dv[0] + wa * dv[1]) / length
    gz = (wb * dv[4] + cb * dv[5] - wa * dv[0] - ca * dv[1]) / length
    a_y, a_z = ca * d[2] - wa * d[3], wa * d[2] + ca * d[3]
    b_y, b_z = cb * d[6] - wb * d[7], wb * d[6] + cb * d[7]
    e_y, e_z = ca * dv[2] - wa * dv[3], wa * dv[2] + ca * dv[3]
    h_y, h_z = cb * dv[6] - wb * dv[7], wb * dv[6] + cb * dv[7]
    for j in range(2):
        k, chord, one, two = p[2 + 4 * j], p[3 + 4 * j], p[4 + 4 * j], p[5 + 4 * j]
        mz = k * (chord * hy + one * a_z + two * b_z + beta * (chord * gy + one * e_z + two * h_z))
        my = k * (-chord * hz + one * a_y + two * b_y + beta * (-chord * gz + one * e_y + two * h_y))
        ya -= mz * chord / length
        yb += mz * chord / length
        za += my * chord / length
        zb -= my * chord / length
        ua += mz * one
        ub += mz * two
        ta += my * one
        tb += my * two
    f[0], f[1] = ca * ya + wa * za, -wa * ya + ca * za
    f[2], f[3] = ca * ta + wa * ua, -wa * ta + ca * ua
    f[4], f[5] = cb * yb + wb * zb, -wb * yb + cb * zb
    f[6], f[7] = cb * tb + wb * ub, -wb * tb + cb * ub


def turning_beam(length: float, deformations: list[tuple[float, float, float, float]], beta: float) -> Law:
    """A round beam whose ends are described in frames that turn against each other.

    ``deformations``: (stiffness [N m/rad], chord, first, second), one or two, the same in both bending planes;
    ``beta`` [s] damping over stiffness. Eight force rows (y, z, tilt_y, tilt_z of both ends in their own frames),
    two senses (angles of the frames [rad]). Linear analyses take the frames where they are (aligned at the start).
    """
    facts = [*deformations, (0.0, 0.0, 0.0, 0.0)][:2]

    def energy(d, dv, z, mode):  # type: ignore[no-untyped-def]
        a, b = complex(math.cos(d[8]), math.sin(d[8])), complex(math.cos(d[9]), math.sin(d[9]))
        chord = (complex(d[4], d[5]) * b - complex(d[0], d[1]) * a) / length
        first, second = complex(d[2], d[3]) * a, complex(d[6], d[7]) * b
        total = 0.0
        for k, h, one, two in facts:
            about_z = h * chord.real + one * first.imag + two * second.imag
            about_y = -h * chord.imag + one * first.real + two * second.real
            total += 0.5 * k * (about_z**2 + about_y**2)
        return total

    return Law(
        force=turning_beam_force,
        parameters=(length, beta, *(x for one in facts for x in one)),
        rows=8,
        senses=2,
        energy=energy,
        smooth=True,
        period=0.0,
        label="beam between two frames",
        source="physics notes 1",
    )
