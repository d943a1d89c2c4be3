"""Stepping loop of the exact engine: moments for the energy book, event search, samples."""

from __future__ import annotations

import numpy as np

from gearwright.system import hot, kernel

from .exact_arrays import (
    AT_BEGUN_AT,
    AT_BI,
    AT_BOUNDS,
    AT_BR,
    AT_CI,
    AT_CONTACTS,
    AT_CR,
    AT_CYCLES,
    AT_EI,
    AT_ER,
    AT_EVENTS,
    AT_EVENTS0,
    AT_EVENTS1,
    AT_GAUSS,
    AT_GI,
    AT_GR,
    AT_GROW,
    AT_HI,
    AT_HR,
    AT_II,
    AT_INTEGRALS,
    AT_INTEGRALS0,
    AT_IR,
    AT_LI,
    AT_LR,
    AT_MI,
    AT_MODES,
    AT_MOTION,
    AT_MR,
    AT_NUMBER,
    AT_PCOUNT,
    AT_PIECES,
    AT_PROW,
    AT_PSI,
    AT_R,
    AT_REAL,
    AT_RECORD,
    AT_RECORD_SLOT,
    AT_SAMPLE_SLOT,
    AT_SAMPLES,
    AT_SCRATCH,
    AT_SINE_INPUT,
    AT_SINE_OF,
    AT_SINES,
    AT_SIZE,
    AT_SPECIAL,
    AT_STATE,
    AT_T,
    AT_TO_MODES,
    AT_TO_STATE,
    AT_U,
    AT_USED,
    AT_W,
    AT_XI,
    AT_XR,
    AT_Z0I,
    AT_Z0R,
    AT_ZI,
    AT_ZR,
    DONE,
    FULL,
    NOT_FINITE,
    STUCK,
    UNKNOWN,
)  # fmt: skip
from .exact_kernels import (
    begin_step,
    combination_key,
    events_at,
    exponentials,
    find_slot,
    gap_margin,
    local_inputs,
    move,
    phase_margins,
    product,
    special_mode,
    theta_at,
    values_at,
)
from .explicit_pointers import apart, f8, i8

#: A phase counts as on its boundary within this many cycles (relative beyond one cycle).
PHASE_SLACK = 4e-15


@hot
def input_at(H, i, tau):
    """Input ``i`` of the step at ``tau``."""
    sine_of = i8(H[AT_SINE_OF])
    u = f8(H[AT_U])
    sines = f8(H[AT_SINES])
    b = 4 * i
    value = u[b] + tau * (u[b + 1] + tau * (u[b + 2] + tau * u[b + 3]))
    s = sine_of[i]
    if s >= 0:
        value += sines[4 * s] * np.sin(sines[4 * s + 1] * tau + sines[4 * s + 2])
    return value


@hot
def add_sine_moments(H, slot, degree, h):
    """What sines add: to the moments of powers (through the forcing) and the moments of the sines themselves."""
    apart()
    size = i8(H[AT_SIZE])
    sine_input = i8(H[AT_SINE_INPUT])
    gauss = f8(H[AT_GAUSS])
    modes = i8(H[AT_MODES])
    lr = f8(H[AT_LR])
    li = f8(H[AT_LI])
    ir = f8(H[AT_IR])
    ii = f8(H[AT_II])
    br = f8(H[AT_BR])
    bi = f8(H[AT_BI])
    R = f8(H[AT_R])
    zr = f8(H[AT_ZR])
    zi = f8(H[AT_ZI])
    z0r = f8(H[AT_Z0R])
    z0i = f8(H[AT_Z0I])
    gr = f8(H[AT_GR])
    gi = f8(H[AT_GI])
    mr = f8(H[AT_MR])
    mi = f8(H[AT_MI])
    sines = f8(H[AT_SINES])
    n, nu, ns = size[0], size[2], size[3]
    nm = modes[4 * slot]
    for s in range(ns):
        amplitude = sines[4 * s]
        if amplitude == 0.0:
            continue
        omega, phase = sines[4 * s + 1], sines[4 * s + 2]
        # integrals over the step of exp(i x) tau^k and exp(i x) sin(x of another sine)
        b = (slot * nu + sine_input[s]) * n
        row = (slot * nu + sine_input[s]) * 2 * n
        q0 = q1 = q2 = q3 = 0.0j
        for q in range(12):
            tau = h * gauss[q]
            e = np.exp(1j * (omega * tau + phase)) * (h * gauss[12 + q])
            q0 += e
            q1 += e * tau
            q2 += e * tau * tau
            q3 += e * tau * tau * tau
        first = np.exp(1j * phase)
        last = np.exp(1j * (omega * h + phase))
        for j in range(nm):
            if ir[slot * n + j] == 0.0 and ii[slot * n + j] == 0.0:
                continue
            lam = complex(lr[slot * n + j], li[slot * n + j])
            z0 = complex(z0r[j], z0i[j])
            z1 = complex(zr[j], zi[j])
            g0, g1 = complex(gr[j], gi[j]), complex(gr[n + j], gi[n + j])
            g2 = complex(gr[2 * n + j], gi[2 * n + j])
            g3 = complex(gr[3 * n + j], gi[3 * n + j])
            up = last * z1 - first * z0 - (g0 * q0 + g1 * q1 + g2 * q2 + g3 * q3)
            down = np.conj(last) * z1 - np.conj(first) * z0
            down -= g0 * np.conj(q0) + g1 * np.conj(q1) + g2 * np.conj(q2) + g3 * np.conj(q3)
            for other in range(ns):
                if sines[4 * other] == 0.0:
                    continue
                c = (slot * nu + sine_input[other]) * n
                push = complex(br[c + j], bi[c + j]) * sines[4 * other]
                cross = _cross(H, s, other, h)
                up -= push * cross
                down -= push * np.conj(cross)
            both = (up / (lam + 1j * omega) - down / (lam - 1j * omega)) / 2j * amplitude
            R[row + j] += both.real
            R[row + n + j] += both.imag
        # moments of powers: forcing by this sine
        for k in range(degree + 1):
            moment = (q0 if k == 0 else (q1 if k == 1 else (q2 if k == 2 else q3))).imag * amplitude
            for j in range(nm):
                mr[k * n + j] += br[b + j] * moment
                mi[k * n + j] += bi[b + j] * moment


@hot
def _cross(H, s, other, h):
    """Integral of ``exp(i x_s) sin(x_other)`` over the step."""
    gauss = f8(H[AT_GAUSS])
    sines = f8(H[AT_SINES])
    total = 0.0j
    for q in range(12):
        tau = h * gauss[q]
        wave = np.sin(sines[4 * other + 1] * tau + sines[4 * other + 2])
        total += np.exp(1j * (sines[4 * s + 1] * tau + sines[4 * s + 2])) * (wave * h * gauss[12 + q])
    return total


@hot
def add_moments(H, slot, degree, h):
    """Add the integrals over the step of ``u_i z`` and ``u_i theta'`` to the slot's sums, exact.

    For a mode with ``z' = lam z + g``: ``M_k = int tau^k z = (h^k z(h) - [k=0] z(0) - k M_(k-1) - int tau^k g) / lam``.
    """
    apart()
    size = i8(H[AT_SIZE])
    gauss = f8(H[AT_GAUSS])
    modes = i8(H[AT_MODES])
    special = i8(H[AT_SPECIAL])
    ir = f8(H[AT_IR])
    ii = f8(H[AT_II])
    R = f8(H[AT_R])
    T = f8(H[AT_T])
    zr = f8(H[AT_ZR])
    zi = f8(H[AT_ZI])
    z0r = f8(H[AT_Z0R])
    z0i = f8(H[AT_Z0I])
    gr = f8(H[AT_GR])
    gi = f8(H[AT_GI])
    mr = f8(H[AT_MR])
    mi = f8(H[AT_MI])
    u = f8(H[AT_U])
    n, nu, ns, itheta = size[0], size[2], size[3], size[8]
    nm, nspecial = modes[4 * slot], modes[4 * slot + 3]
    o = slot * n
    for k in range(degree + 1):
        for j in range(nm):
            mr[k * n + j] = 0.0
            mi[k * n + j] = 0.0
        power = h ** (k + 1)
        for d in range(degree + 1):
            f = power / (d + k + 1)
            power *= h
            for j in range(nm):
                mr[k * n + j] += gr[d * n + j] * f
                mi[k * n + j] += gi[d * n + j] * f
    if ns > 0:
        add_sine_moments(H, slot, degree, h)
    power = 1.0
    for k in range(degree + 1):
        for j in range(nm):
            xr = power * zr[j] - mr[k * n + j]
            xi = power * zi[j] - mi[k * n + j]
            if k == 0:
                xr -= z0r[j]
                xi -= z0i[j]
            else:
                xr -= k * mr[(k - 1) * n + j]
                xi -= k * mi[(k - 1) * n + j]
            mr[k * n + j] = xr * ir[o + j] - xi * ii[o + j]
            mi[k * n + j] = xr * ii[o + j] + xi * ir[o + j]
        power *= h
    for i in range(nu):
        b = (slot * nu + i) * 2 * n
        for k in range(degree + 1):
            c = u[4 * i + k]
            if c != 0.0:
                for j in range(nm):
                    R[b + j] += c * mr[k * n + j]
                    R[b + n + j] += c * mi[k * n + j]
    for e in range(nspecial):
        j = special[o + e]
        for q in range(12):
            tau = h * gauss[q]
            z, _ = special_mode(H, slot, j, tau)
            for i in range(nu):
                f = h * gauss[12 + q] * input_at(H, i, tau)
                R[(slot * nu + i) * 2 * n + j] += f * z.real
                R[(slot * nu + i) * 2 * n + n + j] += f * z.imag
    if itheta >= 0:
        for q in range(12):
            tau = h * gauss[q]
            f = h * gauss[12 + q] * input_at(H, itheta, tau)
            for i in range(nu):
                T[slot * nu + i] += f * input_at(H, i, tau)


@hot
def write_sample(H, slot, row, tau, angle):
    """Complete a sample row (``w`` is there already) with free rigid motions, theta and inputs."""
    size = i8(H[AT_SIZE])
    psi = f8(H[AT_PSI])
    samples = f8(H[AT_SAMPLES])
    sample_slot = i8(H[AT_SAMPLE_SLOT])
    n, free, nu = size[0], size[1], size[2]
    width = n + free + 1 + nu
    b = row * width + n
    for a in range(free):
        samples[b + a] = psi[a]
    samples[b + free] = angle
    for i in range(nu):
        samples[b + free + 1 + i] = input_at(H, i, tau)
    sample_slot[row] = slot


@hot
def interior_samples(H, slot, degree, t0, h, edge, first):
    """Samples strictly inside the step."""
    apart()
    size = i8(H[AT_SIZE])
    real = f8(H[AT_REAL])
    modes = i8(H[AT_MODES])
    bounds = f8(H[AT_BOUNDS])
    lr = f8(H[AT_LR])
    li = f8(H[AT_LI])
    er = f8(H[AT_ER])
    ei = f8(H[AT_EI])
    psi = f8(H[AT_PSI])
    number = i8(H[AT_NUMBER])
    hr = f8(H[AT_HR])
    hi = f8(H[AT_HI])
    xr = f8(H[AT_XR])
    xi = f8(H[AT_XI])
    mr = f8(H[AT_MR])
    mi = f8(H[AT_MI])
    integrals = f8(H[AT_INTEGRALS])
    samples = f8(H[AT_SAMPLES])
    n, free, nu = size[0], size[1], size[2]
    interval = real[0]
    nm, released = modes[4 * slot], modes[4 * slot + 2]
    width = n + free + 1 + nu
    k = number[0]
    stop = number[1]
    o = slot * n
    begun = False
    while k < stop and (k + 1) * interval < t0 + h - edge:
        tau = (k + 1) * interval - t0
        if begun:
            for j in range(nm):
                a = mr[j]
                b = mi[j]
                mr[j] = a * er[o + j] - b * ei[o + j]
                mi[j] = a * ei[o + j] + b * er[o + j]
        else:
            exponentials(lr, li, o, nm, bounds[2 * slot], tau, xr, xi)
            for j in range(nm):
                mr[j] = hr[j] * xr[j] - hi[j] * xi[j]
                mi[j] = hr[j] * xi[j] + hi[j] * xr[j]
            begun = True
        row = k - first
        values_at(H, slot, degree, tau, mr, mi, samples, row * width)
        for a in range(free):
            psi[a] = integrals[released + a]
        angle, _ = theta_at(H, tau)
        write_sample(H, slot, row, tau, angle)
        k += 1
    number[0] = k


@hot
def _turning_point(event0, event, e, h, contact):
    """Where in (0, h) the cubic between the ends of a step crosses its gap although both ends do not; else inf."""
    d0, rate0, d, rate = event0[e], event0[e + 1], event[e], event[e + 1]
    turns = rate0 > 0.0 > rate if contact == 0 else rate0 < 0.0 < rate
    if not turns:
        return np.inf
    x = rate0 / (rate0 - rate)
    y = 1.0 - x
    cubic = (1.0 + 2.0 * x) * y * y * d0 + x * y * y * h * rate0 + x * x * (1.0 + 2.0 * y) * d - x * x * y * h * rate
    leaves = cubic > 0.0 if contact == 0 else cubic < 0.0
    return x * h if leaves and 1e-3 < x < 0.999 else np.inf


@hot
def search(H, slot, degree, limit, soonest):
    """Length of the step: to ``limit`` or to the earliest event before it; leaves the values at its end.

    A bracket is kept: ``good`` is the longest step known to pass no event, ``bad`` the shortest known to have
    passed one. Inside it Newton steps on phases and secant steps on gaps, halving when they leave it. Where a
    gap may be crossed twice between the ends of a step, or a phase turns back, the step is shortened.
    Returns the length and whether an event is there.
    """
    apart()
    size = i8(H[AT_SIZE])
    real = f8(H[AT_REAL])
    prow = i8(H[AT_PROW])
    grow = i8(H[AT_GROW])
    modes = i8(H[AT_MODES])
    motion = f8(H[AT_MOTION])
    number = i8(H[AT_NUMBER])
    contacts = i8(H[AT_CONTACTS])
    w = f8(H[AT_W])
    cr = f8(H[AT_CR])
    ci = f8(H[AT_CI])
    events = f8(H[AT_EVENTS])
    events0 = f8(H[AT_EVENTS0])
    events1 = f8(H[AT_EVENTS1])
    n, np_, ng = size[0], size[4], size[5]
    nm = modes[4 * slot]
    before = events1  # events at the last try, h = last
    for i in range(2 * np_ + 2 * ng):
        before[i] = events0[i]
    good, bad, now, last = 0.0, np.inf, 0.0, 0.0
    h = min(limit, soonest)
    calm = real[2]
    enough = 1e-15 + 2e-16 * motion[0]
    for _ in range(100):
        move(H, n, nm, slot, now, h)
        now = h
        values_at(H, slot, degree, h, cr, ci, w, 0)
        if np_ + ng == 0:
            return h, False
        angle, speed = theta_at(H, h)
        events_at(H, slot, angle, speed, events)
        passed = touched = reversing = False
        back = 0.0  # how long ago the earliest events was
        ahead = look = np.inf  # how far the next one is; where to look for one between the ends
        for k in range(np_):
            phase, rate = events[2 * k], events[2 * k + 1]
            up, down = phase_margins(H, k, phase)
            slack = PHASE_SLACK * max(abs(phase), 1.0)
            pace = max(abs(rate), 1e-300)
            worst = min(up, down)
            reversing = reversing or rate * events0[2 * k + 1] < 0.0
            if worst < -slack:
                passed = True
                if -worst / pace > back:
                    back = -worst / pace
                    number[6] = prow[k]
            elif (rate > 0.0 and up <= slack) or (rate < 0.0 and down <= slack):
                touched = True
                number[6] = prow[k]
            elif rate != 0.0:
                ahead = min(ahead, (up if rate > 0.0 else down) / pace)
        for g in range(ng):
            margin = gap_margin(H, g, events)
            slope = margin - gap_margin(H, g, before)
            if margin < 0.0:
                passed = True
                gone = margin / slope * (h - last) if slope * (h - last) < 0.0 else 0.5 * (h - good)
                if gone > back:
                    back = gone
                    number[6] = grow[g]
            else:
                if bad < np.inf and slope * (h - last) < 0.0:
                    ahead = min(ahead, -margin / slope * (h - last) * 1.000001 + 0.1 * enough)
                look = min(look, _turning_point(events0, events, 2 * np_ + 2 * g, h, contacts[g]))
        for i in range(2 * np_ + 2 * ng):
            before[i] = events[i]
        last = h
        if passed:
            bad = h
            if back <= enough or bad - good <= enough:
                return h, True
            h -= back
            if not good < h < bad:
                h = 0.5 * (good + bad)
        elif touched:
            return h, True
        else:
            if bad == np.inf and (look < h or (reversing and h > calm)):
                limit = look if look < h else max(calm, 0.5 * h)
                h = limit
                continue
            good = h
            if h >= limit:
                return h, False
            h = min(limit, good + max(ahead, 0.5 * enough))
            if h >= bad:
                h = 0.5 * (good + bad)
    return h, True


@hot
def switch(H):
    """Change the pieces and contacts whose margins are used up; returns how many changed."""
    apart()
    size = i8(H[AT_SIZE])
    pcount = i8(H[AT_PCOUNT])
    pieces = i8(H[AT_PIECES])
    cycles = i8(H[AT_CYCLES])
    contacts = i8(H[AT_CONTACTS])
    events = f8(H[AT_EVENTS])
    np_, ng = size[4], size[5]
    changed = 0
    for g in range(ng):
        margin = gap_margin(H, g, events)
        if margin < 0.0:
            contacts[g] = 1 - contacts[g]
            changed += 1
    for k in range(np_):
        phase, rate = events[2 * k], events[2 * k + 1]
        slack = PHASE_SLACK * max(abs(phase), 1.0)
        up, down = phase_margins(H, k, phase)
        if up < -slack or (rate > 0.0 and up <= slack):
            pieces[k] += 1
            if pieces[k] == pcount[k]:
                pieces[k] = 0
                cycles[k] += 1
            changed += 1
        elif down < -slack or (rate < 0.0 and down <= slack):
            pieces[k] -= 1
            if pieces[k] < 0:
                pieces[k] = pcount[k] - 1
                cycles[k] -= 1
            changed += 1
    return changed


@hot
def close_visit(H, slot):
    """Record the values of ``w`` at both ends of the visit of a combination."""
    apart()
    size = i8(H[AT_SIZE])
    number = i8(H[AT_NUMBER])
    w = f8(H[AT_W])
    begun_at = f8(H[AT_BEGUN_AT])
    record = f8(H[AT_RECORD])
    record_slot = i8(H[AT_RECORD_SLOT])
    n = size[0]
    r = number[7]
    for i in range(n):
        record[2 * n * r + i] = begun_at[i]
        record[2 * n * r + n + i] = w[i]
    record_slot[r] = slot
    number[7] = r + 1


@hot
def open_visit(H, slot):
    """Enter a combination with the state ``x``."""
    size = i8(H[AT_SIZE])
    to_modes = f8(H[AT_TO_MODES])
    used = i8(H[AT_USED])
    state = f8(H[AT_STATE])
    number = i8(H[AT_NUMBER])
    w = f8(H[AT_W])
    begun_at = f8(H[AT_BEGUN_AT])
    n = size[0]
    product(to_modes, slot * n * n, n, n, state, w)
    for i in range(n):
        begun_at[i] = w[i]
    number[3] += 1
    used[slot] = number[3]


@kernel
def run(H, sptr, sstart, scoef, ssin, sdt, origin, batch, patience):
    """Go on until the samples of this batch are done, a combination is missing, or the records are full."""
    size = i8(H[AT_SIZE])
    real = f8(H[AT_REAL])
    modes = i8(H[AT_MODES])
    bounds = f8(H[AT_BOUNDS])
    to_state = f8(H[AT_TO_STATE])
    state = f8(H[AT_STATE])
    psi = f8(H[AT_PSI])
    motion = f8(H[AT_MOTION])
    number = i8(H[AT_NUMBER])
    w = f8(H[AT_W])
    z0r = f8(H[AT_Z0R])
    z0i = f8(H[AT_Z0I])
    integrals = f8(H[AT_INTEGRALS])
    integrals0 = f8(H[AT_INTEGRALS0])
    events0 = f8(H[AT_EVENTS0])
    scratch = f8(H[AT_SCRATCH])
    samples = f8(H[AT_SAMPLES])
    n, free = size[0], size[1]
    np_, ng = size[4], size[5]
    width = n + free + 1 + size[2]
    interval = real[0]
    first = number[0]
    number[1] = min(number[1], first + batch)
    slot = find_slot(H, size[9], combination_key(H))
    if slot < 0:
        return UNKNOWN
    open_visit(H, slot)
    while True:
        t0 = motion[0]
        edge = 1e-13 * max(1.0, abs(origin) + t0)
        degree, following = local_inputs(H, sptr, sstart, scoef, ssin, sdt, origin, edge)
        while number[0] < number[1] and (number[0] + 1) * interval <= t0 + edge:
            row = number[0] - first
            for i in range(n):
                samples[row * width + i] = w[i]
            write_sample(H, slot, row, 0.0, motion[1])
            number[0] += 1
        if number[0] >= number[1]:
            close_visit(H, slot)
            product(to_state, slot * n * n, n, n, w, state)
            return DONE
        nm, nc = modes[4 * slot], modes[4 * slot + 1]
        released = modes[4 * slot + 2]
        for j in range(nm):
            z0r[j] = w[j]
            z0i[j] = w[nm + j] if j < nc else 0.0
        for a in range(released):
            integrals0[a] = w[nm + nc + a]
        for a in range(free):
            integrals0[released + a] = psi[a]
        begin_step(H, slot, degree)
        limit = min(number[1] * interval, following) - t0
        limit = min(max(limit, 0.0), bounds[2 * slot + 1])
        soonest = np.inf
        if np_ + ng > 0:
            for a in range(released + free):
                integrals[a] = integrals0[a]
            angle, speed = theta_at(H, 0.0)
            events_at(H, slot, angle, speed, events0)
            for k in range(np_):
                phase, rate = events0[2 * k], events0[2 * k + 1]
                up, down = phase_margins(H, k, phase)
                if rate > 0.0:
                    soonest = min(soonest, max(up, 0.0) / rate)
                elif rate < 0.0:
                    soonest = min(soonest, max(down, 0.0) / -rate)
            if ng > 0:
                limit = min(limit, real[1])
        h, happened = search(H, slot, degree, limit, soonest)
        # what the end of the step leaves, before samples use the same workspace
        angle, speed = theta_at(H, h)
        for i in range(n):
            scratch[i] = w[i]
        for a in range(free):
            scratch[n + a] = integrals[released + a]
        add_moments(H, slot, degree, h)
        interior_samples(H, slot, degree, t0, h, edge, first)
        total = 0.0
        for i in range(n):
            w[i] = scratch[i]
            total += w[i]
        for a in range(free):
            psi[a] = scratch[n + a]
            total += psi[a]
        motion[0] = t0 + h
        motion[1] = angle
        motion[2] = speed
        if not np.isfinite(total):
            return NOT_FINITE
        if not happened:
            continue
        if h > edge:
            number[5] = 0
        else:
            number[5] += 1
            if number[5] > patience:
                return STUCK
        if switch(H) == 0:
            continue
        close_visit(H, slot)
        product(to_state, slot * n * n, n, n, w, state)
        slot = find_slot(H, size[9], combination_key(H))
        if slot < 0:
            return UNKNOWN
        if number[7] + 1 >= size[10]:
            return FULL
        open_visit(H, slot)
