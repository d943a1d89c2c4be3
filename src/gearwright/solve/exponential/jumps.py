"""Jumps of stiffness within a step: the force of a linear law is a continuous rest and leaps at the corners,

    f(t) = g(t) + sum_q J_q H(t - t_q),     J_q = (k_after - k_before) d(t_q)

Polynomials give the moments of the leaps, which is all that slow modes feel at the end of a step. A strongly damped mode follows the
force at once, so that its rate leaps as well, and samples within a step feel where the force leapt: the answer to a leap is known in
closed form, so leaps are taken out of the polynomials and answered exactly.
"""

from __future__ import annotations

from math import cos, exp, sin, sqrt

from gearwright.kernels import fused, hot
from gearwright.kernels.pointers import f8, i8, noinline, shift

from . import slots as T
from .cuts import PIECES
from .linear import cardinals, piece_at, stiffness_at
from .state import propagate
from .tables import legendre, matrix_functions


@hot
def deflection_at(H, i, x, h):  # type: ignore[no-untyped-def]
    """Deflection of a row of a law at a place of the step that is settled."""
    e0, dd, lines, rows = f8(H[T.E0]), f8(H[T.DD]), H[T.LINES], H[T.ROWS]
    start, rate, middle, end, early, late = cardinals(x)
    d = start * e0[i] + rate * h * e0[rows + i] + middle * dd[i] + end * dd[lines + i]
    return d + early * dd[2 * lines + i] + late * dd[3 * lines + i]


@hot
def find_leaps(H, h):  # type: ignore[no-untyped-def]
    """List the leaps of the step that is settled (place, force, height); returns how many."""
    noinline()
    leap = f8(H[T.LEAP])
    found = 0
    for l in range(H[T.LAWS]):
        law = shift(i8(H[T.LAW]), l * T.RECORD)
        if law[T.KIND] != T.LINEAR:
            continue
        nf = law[T.NF]
        jumps = f8(law[T.JUMP])
        for q in range(int(f8(law[T.USED])[2])):
            one = shift(jumps, q * (1 + nf))
            x = one[0]
            for j in range(nf):
                entry = shift(leap, 3 * found)
                entry[0], entry[1] = x, law[T.FIRST] + j
                entry[2] = one[1 + j] * deflection_at(H, law[T.ROW] + j, x, h)
                found += 1
    return found


@hot
def keep_leaps(H, tau, h):  # type: ignore[no-untyped-def]
    """Keep both limits of all forces of linear laws that jump within the step that is settled, which begins at ``tau``."""
    noinline()
    c0, c1, c2, count = f8(H[T.C0]), f8(H[T.C1]), f8(H[T.C2]), i8(H[T.LEAP_COUNT])
    kept = f8(H[T.LEAPS])
    for l in range(H[T.LAWS]):
        law = shift(i8(H[T.LAW]), l * T.RECORD)
        if law[T.KIND] != T.LINEAR or law[T.PHASE] < 0:
            continue
        nf, phase = law[T.NF], law[T.PHASE]
        for q in range(int(f8(law[T.USED])[2])):
            one = shift(f8(law[T.JUMP]), q * (1 + nf))
            x = one[0]
            if count[0] + nf > H[T.LEAP_ROOM]:
                return
            turned = c1[phase] + 2.0 * c2[phase] * x
            place = c0[phase] + x * (c1[phase] + c2[phase] * x) + (1e-9 if turned > 0.0 else -1e-9)
            piece_at(law, place)
            for j in range(nf):
                d = deflection_at(H, law[T.ROW] + j, x, h)
                near = 1e-4
                rate = deflection_at(H, law[T.ROW] + j, x + near, h) - deflection_at(H, law[T.ROW] + j, x - near, h)
                damping = f8(law[T.CREF])[j * nf + j] + f8(law[T.DAMP])[j]
                entry = shift(kept, 4 * count[0])
                entry[0], entry[1] = tau + x * h, law[T.FIRST] + j
                entry[3] = stiffness_at(law, j, place) * d + damping * rate / (2.0 * near * h)
                entry[2] = entry[3] - one[1 + j] * d
                count[0] += 1


@hot
def take_out(H, leaps):  # type: ignore[no-untyped-def]
    """Take the moments of the leaps out of the polynomials."""
    u, forces, leap = f8(H[T.US]), H[T.FORCES], f8(H[T.LEAP])
    for q in range(leaps):
        x, f, height = leap[3 * q], int(leap[3 * q + 1]), leap[3 * q + 2]
        # (2 l + 1) int_x^1 P_l = (P_(l-1)(x) - P_(l+1)(x))/2
        u[f] -= height * (1.0 - x)
        for l in range(1, T.LOOP + 1):
            u[l * forces + f] -= 0.5 * height * (legendre(l - 1, x) - legendre(l + 1, x))
        u[(T.ALL - 1) * forces + f] -= height


@hot
def rise(H, time, force, height, out):  # type: ignore[no-untyped-def]
    """Add to the block coordinates what a leap of a force leaves after some time."""
    noinline()
    blocks, a, work = H[T.BLOCKS], f8(H[T.A]), f8(H[T.WORK])
    b = shift(f8(H[T.B]), force * H[T.YS])
    for k in range(blocks):
        b1, b2 = height * b[k], height * b[blocks + k]
        if b1 == 0.0 and b2 == 0.0:
            continue
        a11, a12, a21, a22 = a[k], a[blocks + k], a[2 * blocks + k], a[3 * blocks + k]
        mean = 0.5 * (a11 + a22)
        square = 0.25 * (a11 - a22) * (a11 - a22) + a12 * a21
        root = sqrt(abs(square))
        if (abs(mean) + root) * time < 0.5:
            # slow: powers of the matrix by its trace and determinant
            alpha, beta, p, q, factor = time, 0.0, 1.0, 0.0, time
            for n in range(2, 8):
                p, q = (square - mean * mean) * q, p + 2.0 * mean * q
                factor *= time / n
                alpha += factor * p
                beta += factor * q
        elif square < 0.0:
            # conjugate eigenvalues: (exp(lambda t) - 1)/lambda by its parts
            e = exp(mean * time) if mean * time > -40.0 else 0.0
            real, imag = -1.0, 0.0
            if e > 0.0:
                real, imag = e * cos(root * time) - 1.0, e * sin(root * time)
            size = 1.0 / (mean * mean + root * root)
            if root * time > 0.01:
                beta = (imag * mean - real * root) * size / root
                alpha = (real * mean + imag * root) * size - beta * mean
            else:
                matrix_functions(a11, a12, a21, a22, time, work)
                alpha, beta = time * work[1], time * work[8]
        else:
            one, two = mean + root, mean - root
            if root * time > 0.01 and abs(one * time) > 1e-3 and abs(two * time) > 1e-3:
                first = ((exp(one * time) if one * time > -40.0 else 0.0) - 1.0) / one
                second = ((exp(two * time) if two * time > -40.0 else 0.0) - 1.0) / two
                beta = (first - second) / (2.0 * root)
                alpha = first - beta * one
            else:
                matrix_functions(a11, a12, a21, a22, time, work)
                alpha, beta = time * work[1], time * work[8]
        out[k] += alpha * b1 + beta * (a11 * b1 + a12 * b2)
        out[blocks + k] += alpha * b2 + beta * (a21 * b1 + a22 * b2)


@fused
def leap_on(H, leaps, at, points, h, force, risen, scratch):  # type: ignore[no-untyped-def]
    """Answer to the leaps of a step from inner place ``at - 1`` of ``points`` to the next; ``force`` are those before."""
    noinline()
    blocks, n, leap = H[T.BLOCKS], H[T.Y], f8(H[T.LEAP])
    slot = H[T.COARSEST] - H[T.DEEPEST]
    table = shift(f8(H[T.FULL]), slot * T.PROPAGATOR * blocks)
    propagate(f8(H[T.A]), blocks, table, risen, force, force, force, False, scratch)
    for k in range(n):
        risen[k] = scratch[k]
    for q in range(leaps):
        x = leap[3 * q] * points
        if at - 1 <= x < at:
            f, height = int(leap[3 * q + 1]), leap[3 * q + 2]
            rise(H, (at - x) / points * h, f, height, risen)
            b = shift(f8(H[T.B]), f * H[T.YS])
            for k in range(n):
                force[k] += height * b[k]


@hot
def height_at(H, leaps, at, force):  # type: ignore[no-untyped-def]
    """What has leapt in a force up to a place of the step."""
    leap = f8(H[T.LEAP])
    total = 0.0
    for q in range(leaps):
        if leap[3 * q] <= at and int(leap[3 * q + 1]) == force:
            total += leap[3 * q + 2]
    return total


def room(rows: int) -> int:
    """Numbers that a law keeps for its jumps: place, and change of stiffness per row."""
    return PIECES * (1 + rows)
