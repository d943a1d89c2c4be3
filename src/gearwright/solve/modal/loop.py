"""Stepping loop of the exact engine, which calls its parts by address."""

from __future__ import annotations

import numpy as np

from gearwright.kernels import hot, kernel, summed
from gearwright.kernels.pointers import f8, i8, shift
from gearwright.solve.companion import call_beside

from . import places as at
from .arrays import DONE, FULL, JUMPED, NOT_FINITE, STUCK, UNKNOWN
from .events import phase_margins
from .kernels import input_at, product, theta_at
from .pointers import call_part, part


@hot
def write_inputs(H, slot, row, tau, angle):
    """Complete a sample row (``w`` and the free rigid motions are there already) with theta and inputs."""
    size = i8(H[at.SIZE])
    samples = f8(H[at.SAMPLES])
    sample_slot = i8(H[at.SAMPLE_SLOT])
    n, free, nu = size[at.N_STATES], size[at.N_FREE], size[at.N_INPUTS]
    b = row * (n + free + 1 + nu) + n + free
    samples[b] = angle
    for i in range(nu):
        samples[b + 1 + i] = input_at(H, i, tau)
    sample_slot[row] = slot


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
    size = i8(H[at.SIZE])
    modes = i8(H[at.MODES])
    qr = f8(H[at.QR])
    qi = f8(H[at.QI])
    cr = f8(H[at.CR])
    ci = f8(H[at.CI])
    pr = f8(H[at.PR])
    pi = f8(H[at.PI])
    ipoly = f8(H[at.IPOLY])
    samples = f8(H[at.SAMPLES])
    n, nq = size[at.N_STATES], size[at.N_INTEGRALS]
    nm, nc, released = modes[4 * slot], modes[4 * slot + 1], modes[4 * slot + 2]
    if degree == 0:
        for j in range(nm):
            samples[b + j] = cr[j] + pr[j]
        for j in range(nc):
            samples[b + nm + j] = ci[j] + pi[j]
    else:
        n2, n3 = 2 * n, 3 * n
        for j in range(nm):
            samples[b + j] = cr[j] + (pr[j] + tau * (pr[n + j] + tau * (pr[n2 + j] + tau * pr[n3 + j])))
        for j in range(nc):
            samples[b + nm + j] = ci[j] + (pi[j] + tau * (pi[n + j] + tau * (pi[n2 + j] + tau * pi[n3 + j])))
    for a in range(released + size[at.N_FREE]):
        i = 5 * a
        total = ipoly[i] + tau * (ipoly[i + 1] + tau * (ipoly[i + 2] + tau * (ipoly[i + 3] + tau * ipoly[i + 4])))
        total += overlap(qr, qi, (slot * nq + a) * n, samples, b, samples, b + nm, nm, nc)
        samples[b + nm + nc + a] = total


@part
def interior_samples(H, slot, degree, h):
    """Samples strictly inside the step."""
    size = i8(H[at.SIZE])
    real = f8(H[at.REAL])
    modes = i8(H[at.MODES])
    er = f8(H[at.ER])
    ei = f8(H[at.EI])
    sines = f8(H[at.SINES])
    number = i8(H[at.NUMBER])
    motion = f8(H[at.MOTION])
    w = f8(H[at.W])
    cr = f8(H[at.CR])
    ci = f8(H[at.CI])
    integrals = f8(H[at.INTEGRALS])
    samples = f8(H[at.SAMPLES])
    n, free, nu = size[at.N_STATES], size[at.N_FREE], size[at.N_INPUTS]
    interval = real[0]
    nm, released = modes[4 * slot], modes[4 * slot + 2]
    width = n + free + 1 + nu
    k = number[at.SAMPLE]
    stop = number[at.STOP]
    o = slot * n
    t0, edge, first = motion[at.TIME], motion[at.SLACK], number[at.FIRST]
    begun = False
    plain = modes[4 * slot + 3] == 0
    for s in range(size[at.N_SINES]):
        plain = plain and sines[4 * s] == 0.0
    while k < stop and (k + 1) * interval < t0 + h - edge:
        tau = (k + 1) * interval - t0
        if begun:
            turn(cr, ci, er, ei, o, nm)
        else:
            motion[at.REACHED] = 0.0
            call_part(H[at.DO_MOVE], H, slot, degree, tau)
            begun = True
        row = (k - first) * width
        angle, _ = theta_at(H, tau)
        if plain:
            # what most samples of most runs are: straight to their place
            regular_sample(H, slot, degree, row, tau)
        else:
            call_part(H[at.DO_VALUES], H, slot, degree, tau)
            for j in range(n):
                samples[row + j] = w[j]
            for a in range(free):
                samples[row + n + a] = integrals[released + a]
        write_inputs(H, slot, k - first, tau, angle)
        k += 1
    number[at.SAMPLE] = k
    return 0


@part
def call_companion(H, slot, degree, edge):
    """Let the companion see where the train is; it rewrites signals."""
    size, beside = i8(H[at.SIZE]), i8(H[at.BESIDE])
    motion, sight, seen = f8(H[at.MOTION]), f8(H[at.SIGHT_OF]), f8(H[at.SEEN])
    n = size[at.N_STATES]
    x = shift(seen, 3)
    product(f8(H[at.TO_STATE]), slot * n * n, n, n, f8(H[at.W]), x)
    for k in range(3):
        seen[k] = 0.0
        for i in range(n):
            seen[k] += sight[k * n + i] * x[i]
    call_beside(beside[0], i8(beside[1]), motion[at.ORIGIN] + motion[at.TIME], seen)
    beside[3] += beside[2]
    return 0


@hot
def combination_key(H):
    """Number of the present combination."""
    size = i8(H[at.SIZE])
    pmul = i8(H[at.PMUL])
    poptional = i8(H[at.POPTIONAL])
    gphase = i8(H[at.GPHASE])
    gmul = i8(H[at.GMUL])
    pieces = i8(H[at.PIECES])
    contacts = i8(H[at.CONTACTS])
    key = 0
    for k in range(size[at.N_PHASES]):
        key += pieces[k] * pmul[k]
    for g in range(size[at.N_GAPS]):
        if contacts[g] == 0:
            key += gmul[g]
    for k in range(size[at.N_PHASES]):
        open_rows = 0
        for g in range(size[at.N_GAPS]):
            if gphase[g] == k and contacts[g] == 0:
                open_rows += 1
        if 0 < poptional[k] == open_rows:
            key -= pieces[k] * pmul[k]
    return key


@hot
def find_slot(H, mask, key):
    """Slot of a combination, -1 if it is not in the pool."""
    hkey = i8(H[at.HKEY])
    hslot = i8(H[at.HSLOT])
    h = (key * 0x9E3779B97F4A7C1) & mask
    while hkey[h] != -1:
        if hkey[h] == key:
            return hslot[h]
        h = (h + 1) & mask
    return -1


@hot
def close_visit(H, slot):
    """Record the values of ``w`` at both ends of the visit of a combination."""
    size = i8(H[at.SIZE])
    number = i8(H[at.NUMBER])
    w = f8(H[at.W])
    begun_at = f8(H[at.BEGUN_AT])
    record = f8(H[at.RECORD])
    record_slot = i8(H[at.RECORD_SLOT])
    n = size[at.N_STATES]
    r = number[at.RECORDED]
    for i in range(n):
        record[2 * n * r + i] = begun_at[i]
        record[2 * n * r + n + i] = w[i]
    record_slot[r] = slot
    number[at.RECORDED] = r + 1


@hot
def open_visit(H, slot):
    """Enter a combination with the state ``x``."""
    size = i8(H[at.SIZE])
    to_modes = f8(H[at.TO_MODES])
    used = i8(H[at.USED])
    state = f8(H[at.STATE])
    number = i8(H[at.NUMBER])
    w = f8(H[at.W])
    begun_at = f8(H[at.BEGUN_AT])
    n = size[at.N_STATES]
    product(to_modes, slot * n * n, n, n, state, w)
    for i in range(n):
        begun_at[i] = w[i]
    number[at.VISITS] += 1
    used[slot] = number[at.VISITS]


@hot
def leap_row(H, slot, after):  # type: ignore[no-untyped-def]
    """Keep what a sample would be at a switch: before it with ``w``, and after it, where motions and inputs are the same."""
    size, number, w = i8(H[at.SIZE]), i8(H[at.NUMBER]), f8(H[at.W])
    n = size[at.N_STATES]
    width = n + size[at.N_FREE] + 1 + size[at.N_INPUTS]
    q = number[at.LEAPS]
    row = shift(f8(H[at.LEAP]), (2 * q + after) * width)
    for i in range(n):
        row[i] = w[i]
    i8(H[at.LEAP_SLOT])[2 * q + after] = slot
    if after == 1:
        before = shift(f8(H[at.LEAP]), 2 * q * width)
        for i in range(n, width):
            row[i] = before[i]
        number[at.WAITING] = 0
        number[at.LEAPS] = q + 1
        return
    psi, tau = f8(H[at.PSI]), f8(H[at.MOTION])[at.LENGTH]
    for a in range(size[at.N_FREE]):
        row[n + a] = psi[a]
    row[n + size[at.N_FREE]] = f8(H[at.MOTION])[at.ANGLE]
    for i in range(size[at.N_INPUTS]):
        row[n + size[at.N_FREE] + 1 + i] = input_at(H, i, tau)
    i8(H[at.LEAP_AT])[q] = number[at.SAMPLE]
    number[at.WAITING] = 1


@hot
def _samples_now(H, slot, first, width, edge):
    """Samples that fall on the begin of a step."""
    size = i8(H[at.SIZE])
    real = f8(H[at.REAL])
    psi = f8(H[at.PSI])
    motion = f8(H[at.MOTION])
    number = i8(H[at.NUMBER])
    w = f8(H[at.W])
    samples = f8(H[at.SAMPLES])
    n, free = size[at.N_STATES], size[at.N_FREE]
    interval, t0 = real[0], motion[at.TIME]
    while number[at.SAMPLE] < number[at.STOP] and (number[at.SAMPLE] + 1) * interval <= t0 + edge:
        row = number[at.SAMPLE] - first
        for i in range(n):
            samples[row * width + i] = w[i]
        for a in range(free):
            samples[row * width + n + a] = psi[a]
        write_inputs(H, slot, row, 0.0, motion[at.ANGLE])
        number[at.SAMPLE] += 1


@hot
def _begin(H, slot):
    """States and integrals that a step begins with; how many of them are of modes without stiffness."""
    size = i8(H[at.SIZE])
    modes = i8(H[at.MODES])
    psi = f8(H[at.PSI])
    w = f8(H[at.W])
    z0r = f8(H[at.Z0R])
    z0i = f8(H[at.Z0I])
    integrals0 = f8(H[at.INTEGRALS0])
    free = size[at.N_FREE]
    nm, nc = modes[4 * slot], modes[4 * slot + 1]
    released = modes[4 * slot + 2]
    for j in range(nm):
        z0r[j] = w[j]
        z0i[j] = w[nm + j] if j < nc else 0.0
    for a in range(released):
        integrals0[a] = w[nm + nc + a]
    for a in range(free):
        integrals0[released + a] = psi[a]
    return released


@hot
def _look_ahead(H):
    """When the first phase meets a limit at its speed of now, and the margins that a step begins with."""
    size = i8(H[at.SIZE])
    motion = f8(H[at.MOTION])
    events = f8(H[at.EVENTS])
    events0 = f8(H[at.EVENTS0])
    soonest = np.inf
    for k in range(size[at.N_PHASES]):
        phase, rate = events[2 * k], events[2 * k + 1]
        up, down = phase_margins(H, k, phase)
        if rate > 0.0:
            soonest = min(soonest, max(up, 0.0) / rate)
        elif rate < 0.0:
            soonest = min(soonest, max(down, 0.0) / -rate)
    motion[at.SOONEST] = soonest
    for k in range(size[at.N_EVENTS]):
        events0[k] = events[k]


@hot
def _finish(H, slot, degree, h, released):
    """Moments, blocks or samples of a step, which use the same workspace as its end; the sum of all states, to see whether it is finite."""
    size = i8(H[at.SIZE])
    psi = f8(H[at.PSI])
    motion = f8(H[at.MOTION])
    w = f8(H[at.W])
    integrals = f8(H[at.INTEGRALS])
    scratch = f8(H[at.SCRATCH])
    n, free, t0 = size[at.N_STATES], size[at.N_FREE], motion[at.TIME]
    angle, speed = theta_at(H, h)
    for i in range(n):
        scratch[i] = w[i]
    for a in range(free):
        scratch[n + a] = integrals[released + a]
    call_part(H[at.DO_MOMENTS], H, slot, degree, h)
    call_part(H[at.DO_BLOCKS] if size[at.BLOCK_SAMPLES] > 0 else H[at.DO_SAMPLES], H, slot, degree, h)
    total = 0.0
    for i in range(n):
        w[i] = scratch[i]
        total += w[i]
    for a in range(free):
        psi[a] = scratch[n + a]
        total += psi[a]
    motion[at.TIME] = t0 + h
    motion[at.ANGLE] = angle
    motion[at.SPEED] = speed
    return total


@hot
def _close(H, slot):
    """End the visit of a combination of contacts and pieces; the state in coordinates of the model."""
    n = i8(H[at.SIZE])[at.N_STATES]
    close_visit(H, slot)
    product(f8(H[at.TO_STATE]), slot * n * n, n, n, f8(H[at.W]), f8(H[at.STATE]))


@hot
def _longest(H, slot):
    """The longest step from here: to the end of the batch, the next piece of an input, the next call of a companion."""
    beside = i8(H[at.BESIDE])
    motion = f8(H[at.MOTION])
    interval, t0 = f8(H[at.REAL])[0], motion[at.TIME]
    limit = min(i8(H[at.NUMBER])[at.STOP] * interval, motion[at.NEXT_PIECE]) - t0
    if beside[2] > 0:
        limit = min(limit, beside[3] * interval - t0)
    return min(max(limit, 0.0), f8(H[at.BOUNDS])[2 * slot + 1])


@hot
def _free_step(H, slot, degree, h):
    """A step without anything that could happen in it."""
    f8(H[at.MOTION])[at.REACHED] = 0.0
    call_part(H[at.DO_MOVE], H, slot, degree, h)
    call_part(H[at.DO_VALUES], H, slot, degree, h)
    return h


@kernel
def run(table, batch, patience):
    """Go on until the samples of this batch are done, a combination is missing, or the records are full."""
    H = i8(table[at.SELF])
    size = i8(H[at.SIZE])
    real = f8(H[at.REAL])
    motion = f8(H[at.MOTION])
    number = i8(H[at.NUMBER])
    integrals = f8(H[at.INTEGRALS])
    integrals0 = f8(H[at.INTEGRALS0])
    beside = i8(H[at.BESIDE])
    n, free = size[at.N_STATES], size[at.N_FREE]
    np_, ng = size[at.N_PHASES], size[at.N_GAPS]
    width = n + free + 1 + size[at.N_INPUTS]
    first = number[at.FIRST] = number[at.SAMPLE]
    number[at.FILLED] = 0
    number[at.STOP] = min(number[at.STOP], first + batch)
    number[at.KEY] = combination_key(H)
    slot = find_slot(H, size[at.HASH_MASK], number[at.KEY])
    if slot < 0:
        return UNKNOWN
    open_visit(H, slot)
    if number[at.WAITING] != 0:
        leap_row(H, slot, 1)
    seen = False  # phases and deflections do not jump: those at the end of a step begin the next
    while True:
        t0 = motion[at.TIME]
        edge = motion[at.SLACK] = 1e-13 * max(1.0, abs(motion[at.ORIGIN]) + t0)
        degree = call_part(H[at.DO_INPUTS], H, slot, 0, edge)
        if size[at.THETA_INPUT] >= 0 and motion[at.SPEED_JUMP] != 0.0:
            _close(H, slot)
            return JUMPED
        _samples_now(H, slot, first, width, edge)
        if number[at.SAMPLE] >= number[at.STOP]:
            _close(H, slot)
            return DONE
        if beside[2] > 0 and number[at.SAMPLE] >= beside[3]:
            call_part(H[at.DO_BESIDE], H, slot, degree, edge)
            degree = call_part(H[at.DO_INPUTS], H, slot, 0, edge)
        released = _begin(H, slot)
        call_part(H[at.DO_BEGIN], H, slot, degree, 0.0)
        limit = _longest(H, slot)
        happened = 0
        if np_ + ng > 0:
            if not seen:
                for a in range(released + free):
                    integrals[a] = integrals0[a]
                call_part(H[at.DO_EVENTS], H, slot, degree, 0.0)
                seen = True
            _look_ahead(H)
            happened = call_part(H[at.DO_SEARCH], H, slot, degree, min(limit, real[1]) if ng > 0 else limit)
            h = motion[at.LENGTH]
        else:
            h = _free_step(H, slot, degree, limit)
        # what the end of the step leaves, before samples use the same workspace
        total = _finish(H, slot, degree, h, released)
        if not np.isfinite(total):
            return NOT_FINITE
        if happened == 0:
            continue
        if h > edge:
            number[at.STALLED] = 0
        else:
            number[at.STALLED] += 1
            if number[at.STALLED] > patience:
                return STUCK
        if call_part(H[at.DO_SWITCH], H, slot, degree, 0.0) == 0:
            continue
        leap_row(H, slot, 0)
        _close(H, slot)
        number[at.KEY] = combination_key(H)
        slot = find_slot(H, size[at.HASH_MASK], number[at.KEY])
        if slot < 0:
            return UNKNOWN
        if number[at.RECORDED] + 1 >= size[at.N_RECORDS]:
            return FULL
        open_visit(H, slot)
        leap_row(H, slot, 1)
