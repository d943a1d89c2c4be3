"""Exact engine, linear models: channels of many samples at once, by one product of matrices.

Where nothing switches, the channels at ``K`` samples from ``tau`` on are a linear function of what stands at ``tau``::

    y(tau + k interval) = M_k [homogeneous modes, polynomials of inputs and integrals about tau]

so modes move once per block of ``K`` samples, and all channels of all blocks are one product. It is the solution that
single samples are formed from, no approximation of it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gearwright.arrays import Float
from gearwright.kernels import hot
from gearwright.kernels.vectors import MOST, WIDTH, multiply_out, tiles

from . import places as at
from .arrays import BLOCK, LEAST, arrays
from .pointers import call_part, part

if TYPE_CHECKING:
    from .plan import Plan


@hot
def _begin_block(H, slot, degree, tau):
    """What a block begins with, ``tau`` after the begin of the step: modes, inputs and integrals with their slopes."""
    A = arrays(H)
    n, free, nu, itheta = A.size[at.N_STATES], A.size[at.N_FREE], A.size[at.N_INPUTS], A.size[at.THETA_INPUT]
    nq, width, o = A.size[at.N_INTEGRALS], A.size[at.BLOCK_NUMBERS], slot * n
    nm, nc, released = A.modes[4 * slot], A.modes[4 * slot + 1], A.modes[4 * slot + 2]
    p = A.number[at.FILLED] * width
    for j in range(nm):
        A.blocks[p + j] = A.cr[j]
    for j in range(nc):
        A.blocks[p + nm + j] = A.ci[j]
    begin = p
    p += nm + nc
    angle = A.motion[at.ANGLE]
    for i in range(nu):
        b = 4 * i
        if i == itheta:
            angle += tau * (A.u[b] + tau * (A.u[b + 1] / 2.0 + tau * (A.u[b + 2] / 3.0 + tau * A.u[b + 3] / 4.0)))
        A.blocks[p] = A.u[b] + tau * (A.u[b + 1] + tau * (A.u[b + 2] + tau * A.u[b + 3]))
        p += 1
        if A.signal[i] >= 0:
            A.blocks[p] = A.u[b + 1] + tau * (2.0 * A.u[b + 2] + 3.0 * tau * A.u[b + 3])
            A.blocks[p + 1] = A.u[b + 2] + 3.0 * tau * A.u[b + 3]
            A.blocks[p + 2] = A.u[b + 3]
            p += 3
    for a in range(released + free):
        b = 5 * a
        c1, c2, c3, c4 = A.ipoly[b + 1], A.ipoly[b + 2], A.ipoly[b + 3], A.ipoly[b + 4]
        A.blocks[p] = A.ipoly[b] + tau * (c1 + tau * (c2 + tau * (c3 + tau * c4)))
        A.blocks[p + 1] = c1 + tau * (2.0 * c2 + tau * (3.0 * c3 + tau * 4.0 * c4))
        A.blocks[p + 2] = c2 + tau * (3.0 * c3 + tau * 6.0 * c4)
        A.blocks[p + 3] = c3 + 4.0 * tau * c4
        A.blocks[p + 4] = c4
        p += 5
    A.blocks[p] = angle
    # special modes begin with what they are, not with a homogeneous part
    for e in range(A.modes[4 * slot + 3]):
        j = A.special[o + e]
        call_part(A.do_special, H, slot, j, tau)
        A.blocks[begin + j] = A.motion[at.Z_REAL]
        if j < nc:
            A.blocks[begin + nm + j] = A.motion[at.Z_IMAG]
        for a in range(released + free):
            b = (slot * nq + a) * n + j
            A.blocks[p - 5 * (released + free - a)] += (
                A.tr[b] * A.motion[at.TOTAL_REAL] - A.ti[b] * A.motion[at.TOTAL_IMAG]
            )


@part
def interior_blocks(H, slot, degree, h):
    """Samples strictly inside the step, as the numbers that blocks of them begin with."""
    A = arrays(H)
    for s in range(A.size[at.N_SINES]):
        if A.sines[4 * s] != 0.0:
            return call_part(A.do_samples, H, slot, degree, h)
    interval = A.real[0]
    k, stop, first = A.number[at.SAMPLE], A.number[at.STOP], A.number[at.FIRST]
    t0, end = A.motion[at.TIME], A.motion[at.TIME] + h - A.motion[at.SLACK]
    inside = 0
    while k + inside < stop and (k + inside + 1) * interval < end:
        inside += 1
    if inside < LEAST:
        return call_part(A.do_samples, H, slot, degree, h)
    length, nm, o = A.size[at.BLOCK_SAMPLES], A.modes[4 * slot], slot * A.size[at.N_STATES]
    stop = k + inside
    begun = False
    while k < stop:
        count = min(length, stop - k)
        tau = (k + 1) * interval - t0
        if begun:
            for j in range(nm):
                a, b = A.cr[j], A.ci[j]
                A.cr[j] = a * A.fr[o + j] - b * A.fi[o + j]
                A.ci[j] = a * A.fi[o + j] + b * A.fr[o + j]
        else:
            A.motion[at.REACHED] = 0.0
            call_part(A.do_move, H, slot, degree, tau)
            begun = True
        _begin_block(H, slot, degree, tau)
        A.block_at[2 * A.number[at.FILLED]] = k - first
        A.block_at[2 * A.number[at.FILLED] + 1] = count
        A.number[at.FILLED] += 1
        for i in range(count):
            A.sample_slot[k - first + i] = -1
        k += count
    A.number[at.SAMPLE] = k
    return 0


def _phi(x: NDArray[np.complex128], count: int) -> NDArray[np.complex128]:
    """Functions ``phi_k(x) = integral of exp((1 - s) x) s^(k-1) / (k-1)!`` over [0, 1], k < count; ``phi_0 = exp``."""
    small = np.abs(x) < 1.0
    safe = np.where(small, 1.0, x)
    out = [np.exp(x)]
    for k in range(1, count):
        series = np.zeros_like(x)
        for m in range(20, -1, -1):
            series = series * x + 1.0 / math.factorial(k + m)
        out.append(np.where(small, series, (out[-1] - 1.0 / math.factorial(k - 1)) / safe))
    return np.array(out)


def block_matrix(plan: Plan, slot: int, lines: Float) -> Float:
    """What a block begins with to its channels: tiles of (channels, numbers in use, BLOCK).

    ``lines`` (row of a sample, channels) are the channels over one sample.
    """
    made, model = plan.combinations[slot], plan.model
    assert made is not None
    lam, nc, nm = made.lam, made.complex_modes, made.modes
    special = np.zeros(nm, bool)
    special[plan.pool.special[slot * model.n :][: plan.pool.modes[4 * slot + 3]]] = True
    lift = np.vstack([made.lift, made.lift_psi])
    over = np.where(special, 0.0, lift / np.where(special, 1.0, lam))
    ordinary = np.where(special, 1.0, lam)
    constant = model.signal < 0
    columns = nm + nc + int(np.where(constant, 1, 4).sum()) + 5 * len(lift) + 1
    out = np.zeros((columns, lines.shape[1], BLOCK))
    for k in range(BLOCK):
        t = k * plan.interval
        z = np.zeros((nm, columns), complex)
        inputs = np.zeros((model.ni, columns))
        integrals = np.zeros((len(lift), columns))
        theta = np.zeros(columns)
        total = np.zeros((nm, columns), complex)  # integrals of special modes since the begin of the block
        turn = np.diag(np.exp(lam * t))
        phi = _phi(lam * t, 6)
        z[:, :nm], z[:, nm : nm + nc] = turn, 1j * turn[:, :nc]
        total[:, :nm] = np.diag(t * phi[1])
        total[:, nm : nm + nc] = 1j * total[:, :nc]
        p = nm + nc
        for i in range(model.ni):
            for degree in range(1 if constant[i] else 4):
                # the polynomial that answers a power: its highest term first
                term = -made.beta[:, i] / ordinary
                z[:, p] = term * t**degree
                for d in range(degree, 0, -1):
                    term = d * term / ordinary
                    z[:, p] += term * t ** (d - 1)
                # special modes: the whole answer to it
                push = made.beta[:, i] * (math.factorial(degree) * t ** (degree + 1))
                z[special, p] = (push * phi[degree + 1])[special]
                total[:, p] = push * t * phi[degree + 2]
                inputs[i, p] = t**degree
                if i == model.theta_input:
                    theta[p] = t ** (degree + 1) / (degree + 1)
                p += 1
        for a in range(len(lift)):
            integrals[a, p : p + 5] = t ** np.arange(5)
            p += 5
        integrals += (over @ z + lift[:, special] @ total[special]).real
        theta[p] = 1.0
        released = len(made.lift)
        w = np.vstack([z.real, z[:nc].imag, integrals[:released]])
        out[:, :, k] = np.vstack([w, integrals[released:], theta[None], inputs]).T @ lines
    used = np.flatnonzero(out.reshape(columns, -1).any(axis=1))
    last = int(used[-1]) + 1 if len(used) else 1
    return np.asarray(tiles(out[:last].transpose(1, 0, 2)))


def fill_blocks(plan: Plan, matrix: Float, columns: Any, first: int) -> None:
    """Channels ``columns`` (channels, samples) of all blocks of a batch whose first sample is ``first``."""
    work = plan.work
    count, width = int(work.number[at.FILLED]), int(plan.layout.size[at.BLOCK_NUMBERS])
    where = work.block_at[: 2 * count].reshape(count, 2)
    multiply_out(work.blocks, width, matrix, where, first, BLOCK, np.empty(MOST * WIDTH), columns)
