"""Stepping loop of the exact engine, which calls its parts by address."""

from __future__ import annotations

import numpy as np

from gearwright.kernels import hot, kernel, summed
from gearwright.kernels.pointers import i8, shift
from gearwright.solve.companion import call_beside

from . import places as at
from .arrays import DONE, FULL, JUMPED, NOT_FINITE, STUCK, UNKNOWN, arrays
from .events import phase_margins
from .kernels import input_at, product, theta_at
from .pointers import call_part, part


@hot
def write_inputs(H, slot, row, tau, angle):
    """Complete a sample row (``w`` and the free rigid motions are there already) with theta and inputs."""
    A = arrays(H)
    n, free, nu = A.size[at.N_STATES], A.size[at.N_FREE], A.size[at.N_INPUTS]
    b = row * (n + free + 1 + nu) + n + free
    A.samples[b] = angle
    for i in range(nu):
        A.samples[b + 1 + i] = input_at(H, i, tau)
    A.sample_slot[row] = slot


@hot
def turn(cr, ci, er, ei, o, n):
    """The homogeneous part of n modes one sample on."""
    for j in range(n):
        a = cr[j]
        b = ci[j]
        cr[j] = a * er[o + j] - b * ei[o + j]
        ci[j] = a * ei[o + j] + b * er[o + j]


@summed
def overlap(ar, ai, o, zr, r, zi, i, n, m):
    """Real part of ``a . z`` over n modes, of which the first m are complex."""
    total = 0.0
    for j in range(n):
        total += ar[o + j] * zr[r + j]
    for j in range(m):
        total -= ai[o + j] * zi[i + j]
    return total


@hot
def regular_sample(H, slot, degree, b, tau):
    """Modes and integrals at ``tau``, written from ``samples[b]`` on, where neither sines nor special modes act."""
    A = arrays(H)
    n, nq = A.size[at.N_STATES], A.size[at.N_INTEGRALS]
    nm, nc, released = A.modes[4 * slot], A.modes[4 * slot + 1], A.modes[4 * slot + 2]
    if degree == 0:
        for j in range(nm):
            A.samples[b + j] = A.cr[j] + A.pr[j]
        for j in range(nc):
            A.samples[b + nm + j] = A.ci[j] + A.pi[j]
    else:
        n2, n3 = 2 * n, 3 * n
        for j in range(nm):
            A.samples[b + j] = A.cr[j] + (A.pr[j] + tau * (A.pr[n + j] + tau * (A.pr[n2 + j] + tau * A.pr[n3 + j])))
        for j in range(nc):
            A.samples[b + nm + j] = A.ci[j] + (
                A.pi[j] + tau * (A.pi[n + j] + tau * (A.pi[n2 + j] + tau * A.pi[n3 + j]))
            )
    for a in range(released + A.size[at.N_FREE]):
        i = 5 * a
        total = A.ipoly[i] + tau * (
            A.ipoly[i + 1] + tau * (A.ipoly[i + 2] + tau * (A.ipoly[i + 3] + tau * A.ipoly[i + 4]))
        )
        total += overlap(A.qr, A.qi, (slot * nq + a) * n, A.samples, b, A.samples, b + nm, nm, nc)
        A.samples[b + nm + nc + a] = total


@part
def interior_samples(H, slot, degree, h):
    """Samples strictly inside the step."""
    A = arrays(H)
    n, free, nu = A.size[at.N_STATES], A.size[at.N_FREE], A.size[at.N_INPUTS]
    interval = A.real[0]
    nm, released = A.modes[4 * slot], A.modes[4 * slot + 2]
    width = n + free + 1 + nu
    k = A.number[at.SAMPLE]
    stop = A.number[at.STOP]
    o = slot * n
    t0, edge, first = A.motion[at.TIME], A.motion[at.SLACK], A.number[at.FIRST]
    begun = False
    plain = A.modes[4 * slot + 3] == 0
    for s in range(A.size[at.N_SINES]):
        plain = plain and A.sines[4 * s] == 0.0
    while k < stop and (k + 1) * interval < t0 + h - edge:
        tau = (k + 1) * interval - t0
        if begun:
            turn(A.cr, A.ci, A.er, A.ei, o, nm)
        else:
            A.motion[at.REACHED] = 0.0
            call_part(A.do_move, H, slot, degree, tau)
            begun = True
        row = (k - first) * width
        angle, _ = theta_at(H, tau)
        if plain:
            # what most samples of most runs are: straight to their place
            regular_sample(H, slot, degree, row, tau)
        else:
            call_part(A.do_values, H, slot, degree, tau)
            for j in range(n):
                A.samples[row + j] = A.w[j]
            for a in range(free):
                A.samples[row + n + a] = A.integrals[released + a]
        write_inputs(H, slot, k - first, tau, angle)
        k += 1
    A.number[at.SAMPLE] = k
    return 0


@part
def call_companion(H, slot, degree, edge):
    """Let the companion see where the train is; it rewrites signals."""
    A = arrays(H)
    n = A.size[at.N_STATES]
    x = shift(A.seen, 3)
    product(A.to_state, slot * n * n, n, n, A.w, x)
    for k in range(3):
        A.seen[k] = 0.0
        for i in range(n):
            A.seen[k] += A.sight_of[k * n + i] * x[i]
    call_beside(A.beside[0], i8(A.beside[1]), A.motion[at.ORIGIN] + A.motion[at.TIME], A.seen)
    A.beside[3] += A.beside[2]
    return 0


@hot
def combination_key(H):
    """Number of the present combination."""
    A = arrays(H)
    key = 0
    for k in range(A.size[at.N_PHASES]):
        key += A.pieces[k] * A.pmul[k]
    for g in range(A.size[at.N_GAPS]):
        if A.contacts[g] == 0:
            key += A.gmul[g]
    for k in range(A.size[at.N_PHASES]):
        open_rows = 0
        for g in range(A.size[at.N_GAPS]):
            if A.gphase[g] == k and A.contacts[g] == 0:
                open_rows += 1
        if 0 < A.poptional[k] == open_rows:
            key -= A.pieces[k] * A.pmul[k]
    return key


@hot
def find_slot(H, mask, key):
    """Slot of a combination, -1 if it is not in the pool."""
    A = arrays(H)
    h = (key * 0x9E3779B97F4A7C1) & mask
    while A.hkey[h] != -1:
        if A.hkey[h] == key:
            return A.hslot[h]
        h = (h + 1) & mask
    return -1


@hot
def close_visit(H, slot):
    """Record the values of ``w`` at both ends of the visit of a combination."""
    A = arrays(H)
    n = A.size[at.N_STATES]
    r = A.number[at.RECORDED]
    for i in range(n):
        A.record[2 * n * r + i] = A.begun_at[i]
        A.record[2 * n * r + n + i] = A.w[i]
    A.record_slot[r] = slot
    A.number[at.RECORDED] = r + 1


@hot
def open_visit(H, slot):
    """Enter a combination with the state ``x``."""
    A = arrays(H)
    n = A.size[at.N_STATES]
    product(A.to_modes, slot * n * n, n, n, A.state, A.w)
    for i in range(n):
        A.begun_at[i] = A.w[i]
    A.number[at.VISITS] += 1
    A.used[slot] = A.number[at.VISITS]


@hot
def leap_row(H, slot, after):  # type: ignore[no-untyped-def]
    """Keep what a sample would be at a switch: before it with ``w``, and after it, where motions and inputs are the same."""
    A = arrays(H)
    n = A.size[at.N_STATES]
    width = n + A.size[at.N_FREE] + 1 + A.size[at.N_INPUTS]
    q = A.number[at.LEAPS]
    row = shift(A.leap, (2 * q + after) * width)
    for i in range(n):
        row[i] = A.w[i]
    A.leap_slot[2 * q + after] = slot
    if after == 1:
        before = shift(A.leap, 2 * q * width)
        for i in range(n, width):
            row[i] = before[i]
        A.number[at.WAITING] = 0
        A.number[at.LEAPS] = q + 1
        return
    tau = A.motion[at.LENGTH]
    for a in range(A.size[at.N_FREE]):
        row[n + a] = A.psi[a]
    row[n + A.size[at.N_FREE]] = A.motion[at.ANGLE]
    for i in range(A.size[at.N_INPUTS]):
        row[n + A.size[at.N_FREE] + 1 + i] = input_at(H, i, tau)
    A.leap_at[q] = A.number[at.SAMPLE]
    A.number[at.WAITING] = 1


@hot
def _samples_now(H, slot, first, width, edge):
    """Samples that fall on the begin of a step."""
    A = arrays(H)
    n, free = A.size[at.N_STATES], A.size[at.N_FREE]
    interval, t0 = A.real[0], A.motion[at.TIME]
    while A.number[at.SAMPLE] < A.number[at.STOP] and (A.number[at.SAMPLE] + 1) * interval <= t0 + edge:
        row = A.number[at.SAMPLE] - first
        for i in range(n):
            A.samples[row * width + i] = A.w[i]
        for a in range(free):
            A.samples[row * width + n + a] = A.psi[a]
        write_inputs(H, slot, row, 0.0, A.motion[at.ANGLE])
        A.number[at.SAMPLE] += 1


@hot
def _begin(H, slot):
    """States and integrals that a step begins with; how many of them are of modes without stiffness."""
    A = arrays(H)
    free = A.size[at.N_FREE]
    nm, nc = A.modes[4 * slot], A.modes[4 * slot + 1]
    released = A.modes[4 * slot + 2]
    for j in range(nm):
        A.z0r[j] = A.w[j]
        A.z0i[j] = A.w[nm + j] if j < nc else 0.0
    for a in range(released):
        A.integrals0[a] = A.w[nm + nc + a]
    for a in range(free):
        A.integrals0[released + a] = A.psi[a]
    return released


@hot
def _look_ahead(H):
    """When the first phase meets a limit at its speed of now, and the margins that a step begins with."""
    A = arrays(H)
    soonest = np.inf
    for k in range(A.size[at.N_PHASES]):
        phase, rate = A.events[2 * k], A.events[2 * k + 1]
        up, down = phase_margins(H, k, phase)
        if rate > 0.0:
            soonest = min(soonest, max(up, 0.0) / rate)
        elif rate < 0.0:
            soonest = min(soonest, max(down, 0.0) / -rate)
    A.motion[at.SOONEST] = soonest
    for k in range(A.size[at.N_EVENTS]):
        A.events0[k] = A.events[k]


@hot
def _finish(H, slot, degree, h, released):
    """Moments, blocks or samples of a step, which use the same workspace as its end; the sum of all states, to see whether it is finite."""
    A = arrays(H)
    n, free, t0 = A.size[at.N_STATES], A.size[at.N_FREE], A.motion[at.TIME]
    angle, speed = theta_at(H, h)
    for i in range(n):
        A.scratch[i] = A.w[i]
    for a in range(free):
        A.scratch[n + a] = A.integrals[released + a]
    call_part(A.do_moments, H, slot, degree, h)
    call_part(A.do_blocks if A.size[at.BLOCK_SAMPLES] > 0 else A.do_samples, H, slot, degree, h)
    total = 0.0
    for i in range(n):
        A.w[i] = A.scratch[i]
        total += A.w[i]
    for a in range(free):
        A.psi[a] = A.scratch[n + a]
        total += A.psi[a]
    A.motion[at.TIME] = t0 + h
    A.motion[at.ANGLE] = angle
    A.motion[at.SPEED] = speed
    return total


@hot
def _close(H, slot):
    """End the visit of a combination of contacts and pieces; the state in coordinates of the model."""
    A = arrays(H)
    n = A.size[at.N_STATES]
    close_visit(H, slot)
    product(A.to_state, slot * n * n, n, n, A.w, A.state)


@hot
def _longest(H, slot):
    """The longest step from here: to the end of the batch, the next piece of an input, the next call of a companion."""
    A = arrays(H)
    interval, t0 = A.real[0], A.motion[at.TIME]
    limit = min(A.number[at.STOP] * interval, A.motion[at.NEXT_PIECE]) - t0
    if A.beside[2] > 0:
        limit = min(limit, A.beside[3] * interval - t0)
    return min(max(limit, 0.0), A.bounds[2 * slot + 1])


@hot
def _free_step(H, slot, degree, h):
    """A step without anything that could happen in it."""
    A = arrays(H)
    A.motion[at.REACHED] = 0.0
    call_part(A.do_move, H, slot, degree, h)
    call_part(A.do_values, H, slot, degree, h)
    return h


@kernel
def run(table, batch, patience):
    """Go on until the samples of this batch are done, a combination is missing, or the records are full."""
    H = i8(table.ctypes.data)
    A = arrays(H)
    n, free = A.size[at.N_STATES], A.size[at.N_FREE]
    np_, ng = A.size[at.N_PHASES], A.size[at.N_GAPS]
    width = n + free + 1 + A.size[at.N_INPUTS]
    first = A.number[at.FIRST] = A.number[at.SAMPLE]
    A.number[at.FILLED] = 0
    A.number[at.STOP] = min(A.number[at.STOP], first + batch)
    A.number[at.KEY] = combination_key(H)
    slot = find_slot(H, A.size[at.HASH_MASK], A.number[at.KEY])
    if slot < 0:
        return UNKNOWN
    open_visit(H, slot)
    if A.number[at.WAITING] != 0:
        leap_row(H, slot, 1)
    seen = False  # phases and deflections do not jump: those at the end of a step begin the next
    while True:
        t0 = A.motion[at.TIME]
        edge = A.motion[at.SLACK] = 1e-13 * max(1.0, abs(A.motion[at.ORIGIN]) + t0)
        degree = call_part(A.do_inputs, H, slot, 0, edge)
        if A.size[at.THETA_INPUT] >= 0 and A.motion[at.SPEED_JUMP] != 0.0:
            _close(H, slot)
            return JUMPED
        _samples_now(H, slot, first, width, edge)
        if A.number[at.SAMPLE] >= A.number[at.STOP]:
            _close(H, slot)
            return DONE
        if A.beside[2] > 0 and A.number[at.SAMPLE] >= A.beside[3]:
            call_part(A.do_beside, H, slot, degree, edge)
            degree = call_part(A.do_inputs, H, slot, 0, edge)
        released = _begin(H, slot)
        call_part(A.do_begin, H, slot, degree, 0.0)
        limit = _longest(H, slot)
        happened = 0
        if np_ + ng > 0:
            if not seen:
                for a in range(released + free):
                    A.integrals[a] = A.integrals0[a]
                call_part(A.do_events, H, slot, degree, 0.0)
                seen = True
            _look_ahead(H)
            happened = call_part(A.do_search, H, slot, degree, min(limit, A.real[1]) if ng > 0 else limit)
            h = A.motion[at.LENGTH]
        else:
            h = _free_step(H, slot, degree, limit)
        # what the end of the step leaves, before samples use the same workspace
        total = _finish(H, slot, degree, h, released)
        if not np.isfinite(total):
            return NOT_FINITE
        if happened == 0:
            continue
        if h > edge:
            A.number[at.STALLED] = 0
        else:
            A.number[at.STALLED] += 1
            if A.number[at.STALLED] > patience:
                return STUCK
        if call_part(A.do_switch, H, slot, degree, 0.0) == 0:
            continue
        leap_row(H, slot, 0)
        _close(H, slot)
        A.number[at.KEY] = combination_key(H)
        slot = find_slot(H, A.size[at.HASH_MASK], A.number[at.KEY])
        if slot < 0:
            return UNKNOWN
        if A.number[at.RECORDED] + 1 >= A.size[at.N_RECORDS]:
            return FULL
        open_visit(H, slot)
        leap_row(H, slot, 1)
