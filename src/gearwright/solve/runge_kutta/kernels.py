"""Compiled loop of the explicit engine: steps that land on switches, jumps and the end of a chunk.

The right-hand side and the step are called by address: they are compiled on their own, which keeps this loop
quick to compile, and a system with multipliers brings another right-hand side and nothing else changes.
"""

from __future__ import annotations

import numpy as np

from gearwright.kernels import START, fused, hot, kernel
from gearwright.kernels.law_functions import law_guard
from gearwright.kernels.pointers import f8, i8, noinline, shift
from gearwright.solve.companion import call_beside

from . import table as T
from .between import follow, rebase, sample
from .pointers import call_evaluate, call_stages
from .step import SAMPLE, SIDE, SLOTS, book, book_at, dense, evaluate, weigh_loads
from .together import foresee_together

#: Part of a step within which a bend that a law foresees counts as reached, and the power of the tolerance below 1e-4 with which it
#: shrinks: what such a step errs by is not of its order.
PASSED, CLOSER = 0.06, 0.4
#: What the loop returns.
OK, SMALL_STEP, MANY_STEPS, CHATTER = 0, 1, 2, 3
#: Instants closer than this are one [s].
NEAR = 1e-12


@hot
def scan(H, t, y, r, g, rate):  # type: ignore[no-untyped-def]
    """Margins of all monitors at the state that was evaluated last, and what follows where one reaches zero."""
    noinline()
    m = H[T.M]
    d, s, z = f8(H[T.ROW]), shift(r, 2 * m), shift(y, 2 * H[T.N])
    listed, address, lrow, lp, lz = i8(H[T.GLAW]), i8(H[T.LGUARD]), i8(H[T.LROW]), i8(H[T.LP]), i8(H[T.LZ])
    par, modes, following, pair = f8(H[T.PAR]), i8(H[T.MODES]), i8(H[T.NEXT]), f8(H[T.MARGIN])
    for i in range(H[T.GUARDED]):
        j = listed[i]
        row = lrow[j]
        following[i] = law_guard(
            address[j], t, shift(d, row), shift(r, row), shift(par, lp[j]), shift(z, lz[j]), s, modes[j], pair
        )
        g[i] = pair[0]
        rate[i] = pair[1]
    if H[T.MARGINS] != 0:
        call_evaluate(H[T.MARGINS], H, t, t, shift(g, H[T.GUARDED]), shift(rate, H[T.GUARDED]), r)


@hot
def decide_modes(H, t, y, r):  # type: ignore[no-untyped-def]
    """Let every law that has not decided its mode do so."""
    noinline()
    m = H[T.M]
    d, s, z = f8(H[T.ROW]), shift(r, 2 * m), shift(y, 2 * H[T.N])
    listed, address, lrow, lp, lz = i8(H[T.GLAW]), i8(H[T.LGUARD]), i8(H[T.LROW]), i8(H[T.LP]), i8(H[T.LZ])
    par, modes, pair = f8(H[T.PAR]), i8(H[T.MODES]), f8(H[T.MARGIN])
    for i in range(H[T.GUARDED]):
        j = listed[i]
        if modes[j] == START:
            row = lrow[j]
            modes[j] = law_guard(
                address[j], t, shift(d, row), shift(r, row), shift(par, lp[j]), shift(z, lz[j]), s, START, pair
            )


@hot
def predict(H):  # type: ignore[no-untyped-def]
    """Time to the first margin that is running out, by its value, rate and last curvature."""
    noinline()
    g, rate, curve = f8(H[T.G0]), f8(H[T.GR0]), f8(H[T.GCURVE])
    first = np.inf
    for i in range(H[T.GUARDED]):
        if rate[i] < 0.0 and g[i] > 0.0:
            under = rate[i] * rate[i] - 2.0 * curve[i] * g[i]
            if under >= 0.0:
                first = min(first, 2.0 * g[i] / (np.sqrt(under) - rate[i]))
    return first


@hot
def foresee(H, t, y, r, least):  # type: ignore[no-untyped-def]
    """Time to the next bend that a law foresees at the state that was evaluated last, later than ``least``."""
    noinline()
    m = H[T.M]
    d, s, z = f8(H[T.ROW]), shift(r, 2 * m), shift(y, 2 * H[T.N])
    listed, address, lrow, lp, lz = i8(H[T.AHEAD_LAW]), i8(H[T.AHEAD_ADDR]), i8(H[T.LROW]), i8(H[T.LP]), i8(H[T.LZ])
    par, modes, pair = f8(H[T.PAR]), i8(H[T.MODES]), f8(H[T.MARGIN])
    first = foresee_together(H, d, r, least)
    for i in range(H[T.AHEADS]):
        j = listed[i]
        row = lrow[j]
        pair[0] = least
        law_guard(address[i], t, shift(d, row), shift(r, row), shift(par, lp[j]), shift(z, lz[j]), s, modes[j], pair)
        first = min(first, pair[0])
    return first


@hot
def first_dip(H, h):  # type: ignore[no-untyped-def]
    """Part of the step at which some margin, positive at both ends, may have been negative; 0 if none."""
    noinline()
    g0, r0, g1, r1 = f8(H[T.G0]), f8(H[T.GR0]), f8(H[T.G1]), f8(H[T.GR1])
    found = 0.0
    for i in range(H[T.GUARDED]):
        if r0[i] < 0.0 and r1[i] > 0.0 and g0[i] > 0.0 and g1[i] > 0.0:
            a = 2.0 * (g0[i] - g1[i]) + h * (r0[i] + r1[i])
            b = 3.0 * (g1[i] - g0[i]) - h * (2.0 * r0[i] + r1[i])
            c = h * r0[i]
            under = b * b - 3.0 * a * c
            if under > 0.0:
                x = -c / (b + np.sqrt(under)) if b > 0.0 else (np.sqrt(under) - b) / (3.0 * a)
                if 0.0 < x < 1.0 and g0[i] + x * (c + x * (b + x * a)) <= 0.0:
                    found = x
    return found


@hot
def first_slip(H, t):  # type: ignore[no-untyped-def]
    """Part of the step at which a stage saw a row beyond its capacity or reversed, fine again at the end; else 0.

    Of the four stages inside a step two are looked at, at 0.3 and 0.8 of it: the others stand close to them.
    """
    noinline()
    m, nr, first = H[T.MONITORS], H[T.NR], H[T.GUARDED]
    g, rate, g0, rs = f8(H[T.GLOW]), f8(H[T.GHIGH]), f8(H[T.G0]), f8(H[T.RS])
    for stage in range(2, 4):
        call_evaluate(H[T.MARGINS], H, t, t, shift(g, first), shift(rate, first), shift(rs, stage * nr))
        for i in range(first, m):
            if g[i] < 0.0 and g0[i] > 0.0:
                return 0.3 if stage == 2 else 0.8
    return 0.0


@fused
def returning(g0, rate0, g, rate):  # type: ignore[no-untyped-def]
    """Whether a margin below zero was so before the step and has been on its way back ever since: as of teeth that a damper let go
    while they still overlap, which switches only if they turn."""
    return g < 0.0 and g0 < 0.0 and rate0 >= 0.0 and rate >= 0.0


@hot
def locate(H, t, h, one, last, spare, top, eps):  # type: ignore[no-untyped-def]
    """First instant of the step at which a margin is zero: Illinois on every margin that is negative at ``top``.

    ``G1`` holds the margins at ``top``. Returns the part of the step; state, stage ``spare`` and ``G1`` are
    those of that instant and TRIGGER tells which monitors switch there.
    """
    noinline()
    n_mon, ny, nr = H[T.MONITORS], H[T.NY], H[T.NR]
    g0, g1, low, high = f8(H[T.G0]), f8(H[T.G1]), f8(H[T.GLOW]), f8(H[T.GHIGH])
    rate0, rate = f8(H[T.GR0]), f8(H[T.GR1])
    ys = f8(H[T.YSTAGE])
    k, r = shift(f8(H[T.KS]), spare * ny), shift(f8(H[T.RS]), spare * nr)
    trigger = i8(H[T.TRIGGER])
    for i in range(n_mon):
        low[i] = -g0[i] if returning(g0[i], rate0[i], g0[i], rate0[i]) else g0[i]
        high[i] = -g1[i] if returning(g0[i], rate0[i], g1[i], rate[i]) else g1[i]
        trigger[i] = 0
    bottom, theta, gap = 0.0, top, eps / h
    weight_low, weight_high, side, same = 1.0, 1.0, 0, 0
    which = 0
    for _ in range(120):
        theta = top
        for i in range(n_mon):
            if high[i] <= 0.0:
                x = 0.5 * (bottom + top)
                if low[i] > 0.0:
                    x = bottom + (top - bottom) * weight_low * low[i] / (weight_low * low[i] - weight_high * high[i])
                if x <= theta:
                    theta = x
                    which = i
        if top - bottom <= gap:
            theta = top  # beyond the zero, so that time goes on whatever the margins do there
            break
        # a margin that is no straight line (slip that begins as t^2) may be zero far from where the chord is
        if same >= 3:
            theta = 0.5 * (bottom + top)
            same = 0
        theta = min(max(theta, bottom + 0.5 * gap), top - 0.5 * gap)
        dense(H, theta, h, one, last, ys)
        evaluate(H, t + theta * h, t + min(theta, 1.0 - SIDE) * h, ys, k, r)
        scan(H, t + theta * h, ys, r, g1, rate)
        negative = False
        for i in range(n_mon):
            if returning(g0[i], rate0[i], g1[i], rate[i]):
                g1[i] = -g1[i]
            negative = negative or (g1[i] < 0.0 and not (low[i] < 0.0 and high[i] > 0.0))
        if negative:
            for i in range(n_mon):
                if not (low[i] < 0.0 and high[i] > 0.0):
                    high[i] = g1[i]
            top = theta
            weight_low = 0.5 * weight_low if side == 1 else 1.0
            weight_high = 1.0
            same = same + 1 if side == 1 else 0
            side = 1
        else:
            for i in range(n_mon):
                low[i] = g1[i]
            bottom = theta
            weight_high = 0.5 * weight_high if side == -1 else 1.0
            weight_low = 1.0
            same = same + 1 if side == -1 else 0
            side = -1
    dense(H, theta, h, one, last, ys)
    evaluate(H, t + theta * h, t + min(theta, 1.0 - SIDE) * h, ys, k, r)
    scan(H, t + theta * h, ys, r, g1, rate)
    trigger[which] = 1
    return theta


@hot
def weigh_states(H):  # type: ignore[no-untyped-def]
    """Scale the weights of the laws' states: relative to the largest value met so far."""
    noinline()
    n, w, y, carry = H[T.N], f8(H[T.WEIGHT]), f8(H[T.Y]), f8(H[T.CARRY])
    for i in range(2 * n, 2 * n + H[T.NZ]):
        w[i] = min(w[i], 1.0 / (carry[2] * max(abs(y[i]), 1e-6)))


@hot
def restart(H, t, h, slot):  # type: ignore[no-untyped-def]
    """Evaluate at the start of a step and let modes change until every margin is fine; False if they never are."""
    noinline()
    ny, nr, n_mon = H[T.NY], H[T.NR], H[T.MONITORS]
    y = f8(H[T.Y])
    k, r = shift(f8(H[T.KS]), slot * ny), shift(f8(H[T.RS]), slot * nr)
    g, rate, curve = f8(H[T.G0]), f8(H[T.GR0]), f8(H[T.GCURVE])
    modes, following, listed = i8(H[T.MODES]), i8(H[T.NEXT]), i8(H[T.GLAW])
    stats = i8(H[T.STATS])
    for i in range(n_mon):
        curve[i] = 0.0
    for _ in range(4 * n_mon + 8):
        if H[T.SETTLE] != 0:
            call_evaluate(H[T.SETTLE], H, t, t + SIDE * h, y, k, r)
        evaluate(H, t, t + SIDE * h, y, k, r)
        stats[T.EVALUATIONS] += 1
        scan(H, t, y, r, g, rate)
        changed = False
        for i in range(H[T.GUARDED]):
            if rate[i] < 0.0 and g[i] <= 1e-9 * h * -rate[i]:
                modes[listed[i]] = following[i]
                changed = True
        if not changed:
            return True
        stats[T.EVENTS] += 1
    return False


@hot
def worst_row(H, slots):  # type: ignore[no-untyped-def]
    """Number of the row whose force is not finite in any stage, else of the largest force in the first."""
    noinline()
    m, nr = H[T.M], H[T.NR]
    rs = f8(H[T.RS])
    for slot in range(slots):
        for i in range(m):
            x = rs[slot * nr + m + i]
            if not abs(x) < 1e300:
                return i
    found, largest = 0, -1.0
    for i in range(m):
        if abs(rs[m + i]) > largest:
            largest = abs(rs[m + i])
            found = i
    return found


@hot
def companion(H, t, y, r):  # type: ignore[no-untyped-def]
    """Let the companion see where the train is; it rewrites signals."""
    noinline()
    sight, seen, n = f8(H[T.SIGHT]), f8(H[T.SEEN]), 2 * H[T.N]
    for k in range(3):
        seen[k] = 0.0
        for i in range(n):
            seen[k] += sight[k * n + i] * y[i]
    if H[T.FORCE_SEEN] >= 0:
        seen[2] += r[H[T.M] + H[T.FORCE_SEEN]]
    call_beside(H[T.BESIDE], i8(H[T.BESIDE_DATA]), t, seen)


@hot
def keep_forces(H, done, r, after):  # type: ignore[no-untyped-def]
    """Keep the forces that may jump, before an event between samples ``done - 1`` and ``done``, or after it."""
    noinline()
    count, many, m = i8(H[T.LEAP_COUNT]), H[T.LEAP_MANY], H[T.M]
    if count[0] >= H[T.LEAP_ROOM]:
        return
    rows, out = i8(H[T.LEAP_ROWS]), shift(f8(H[T.LEAP_FORCES]), 2 * many * count[0] + (many if after else 0))
    for i in range(many):
        out[i] = r[m + rows[i]]
    if after:
        i8(H[T.LEAP_AT])[count[0]] = done
        count[0] += 1


@kernel
def advance(table, start, count, interval, landings, out):  # type: ignore[no-untyped-def]
    """Advance by ``count`` sample intervals from the absolute time ``start``.

    ``landings`` are times relative to ``start``, ``out`` is (count, channels). Time inside is relative, so that
    a late hour costs no precision. Returns a status and the relative time reached.
    """
    H = i8(table.ctypes.data)
    ny, nr = H[T.NY], H[T.NR]
    n_mon = H[T.MONITORS]
    y, end, ys = f8(H[T.Y]), f8(H[T.YEND]), f8(H[T.YSTAGE])
    ks, rs = f8(H[T.KS]), f8(H[T.RS])
    g0, r0, g1, r1, curve = f8(H[T.G0]), f8(H[T.GR0]), f8(H[T.G1]), f8(H[T.GR1]), f8(H[T.GCURVE])
    trigger, modes, following, listed = i8(H[T.TRIGGER]), i8(H[T.MODES]), i8(H[T.NEXT]), i8(H[T.GLAW])
    stats, carry = i8(H[T.STATS]), f8(H[T.CARRY])
    lines = f8(out.ctypes.data)
    width = H[T.CHANNELS]
    # np.int64 keeps the compiler from making a second form of every function for literal numbers
    one, last, spare = np.int64(0), np.int64(6), np.int64(7)
    h, previous = carry[0], carry[1]
    largest = carry[3]
    t, finish = 0.0, count * interval
    done, landed = 0, 0
    tries, redone = 0, 0
    limit = 500_000 + 20_000 * count
    begin = stats[T.STEPS] + stats[T.REJECTED]
    passed = PASSED * min(1.0, 1e4 * carry[2]) ** CLOSER

    if H[T.PRESCRIBED] > 0:
        follow(H, start, start + SIDE * h, y, rs)
    rebase(H, y)
    evaluate(H, start, start + SIDE * h, y, ks, rs)
    decide_modes(H, start, y, rs)
    if not restart(H, start, h, one):
        return CHATTER, t
    weigh_loads(H, shift(rs, one * nr + H[T.M]), True)
    aimed = 0.0
    bend = np.inf
    call = 0.0 if H[T.EVERY] > 0 else finish
    calls = 0
    while done < count:
        if t >= call - NEAR and call < finish:
            companion(H, start + t, y, shift(rs, one * nr))
            while landed < landings.shape[0] and landings[landed] <= t + NEAR:
                landed += 1
            calls += H[T.EVERY]
            call = min(calls * interval, finish)
            if not restart(H, start + t, h, one):
                return CHATTER, t
        stop = call
        if landed < landings.shape[0] and landings[landed] < stop:
            stop = landings[landed]
        room = stop - t
        if aimed > 0.0:
            step = aimed
        else:
            step = min(h, largest)
            # margins that run out together (planets in phase) differ by rounding: the later ones are stepped over
            target = min(room, max(predict(H), 2e-13), bend)
            if step >= 0.999 * target:
                step = target
            elif step > 0.5 * target:
                step = 0.5 * target
        aimed = 0.0
        if not step > 1e-13:
            stats[T.BAD_ROW] = worst_row(H, np.int64(SLOTS - 1))
            return SMALL_STEP, t
        if stats[T.STEPS] + stats[T.REJECTED] - begin > limit:
            stats[T.BAD_ROW] = worst_row(H, np.int64(1))
            return MANY_STEPS, t
        error = call_stages(H[T.STAGES], H, start + t, step, one, last)
        stats[T.EVALUATIONS] += H[T.PER_STEP]
        if not error <= 1.0:
            stats[T.REJECTED] += 1
            h = step * (max(0.2, 0.9 * error**-0.2) if error < 1e10 else 0.1)
            tries += 1
            redone = 0
            continue
        # --- margins -----------------------------------------------------------------------------------
        theta = 1.0
        event = False
        if n_mon > 0:
            k, r = shift(ks, last * ny), shift(rs, last * nr)
            scan(H, start + t + step, end, r, g1, r1)
            top = 0.0
            soon, which = 1e300, 0
            for i in range(n_mon):
                if g1[i] < 0.0:
                    if not returning(g0[i], r0[i], g1[i], r1[i]):
                        top = 1.0
                elif r1[i] < 0.0 and g1[i] < -r1[i] * soon:
                    soon = g1[i] / -r1[i]
                    which = i
            eps = max(1e-9 * step, 1e-15 * (start + t))
            if top == 0.0:
                dip = first_dip(H, step)
                if dip == 0.0 and H[T.MARGINS] != 0:
                    dip = first_slip(H, start + t)
                if dip > 0.0:
                    dense(H, dip, step, one, last, ys)
                    k, r = shift(ks, spare * ny), shift(rs, spare * nr)
                    evaluate(H, start + t + dip * step, start + t + dip * step, ys, k, r)
                    scan(H, start + t + dip * step, ys, r, g1, r1)
                    for i in range(n_mon):
                        if g1[i] < 0.0 and not returning(g0[i], r0[i], g1[i], r1[i]):
                            top = dip
                    if top == 0.0:
                        dense(H, 1.0, step, one, last, ys)
                        evaluate(H, start + t + step, start + t + (1.0 - SIDE) * step, ys, k, r)
                        scan(H, start + t + step, ys, r, g1, r1)
            if top > 0.0:
                theta = locate(H, start + t, step, one, last, spare, top, eps)
                event = True
                # the step is made anew to end there; hardly after its start the dense output is as good
                if 1e-6 < theta < 0.99 and redone < 4:
                    aimed = max(theta * step, 2e-13)
                    redone += 1
                    continue
            elif soon <= 0.01 * step:
                theta = 1.0 + soon / step
                dense(H, theta, step, one, last, ys)
                k, r = shift(ks, spare * ny), shift(rs, spare * nr)
                evaluate(H, start + t + theta * step, start + t + (1.0 - SIDE) * step, ys, k, r)
                scan(H, start + t + theta * step, ys, r, g1, r1)
                for i in range(n_mon):
                    trigger[i] = 0
                if g1[which] <= 10.0 * eps * abs(r1[which]):
                    event = True
                    trigger[which] = 1
                else:
                    theta = 1.0
                    k, r = shift(ks, last * ny), shift(rs, last * nr)
                    evaluate(H, start + t + step, start + t + (1.0 - SIDE) * step, end, k, r)
                    scan(H, start + t + step, end, r, g1, r1)
            if event:
                for i in range(n_mon):
                    over = g1[i] <= 0.0 and not (g0[i] <= 0.0 and r1[i] > 0.0)
                    if over or (r1[i] < 0.0 and g1[i] <= eps * -r1[i]):
                        trigger[i] = 1
        redone, tries = 0, 0
        stats[T.STEPS] += 1
        if H[T.AHEADS] + H[T.TOGETHERS] > 0:
            k = spare if event else last
            bend = foresee(H, start + t + theta * step, ys if event else end, shift(rs, k * nr), passed * step)
        # --- energy, samples, end of the step ------------------------------------------------------------
        if event:
            # a trapezium over what is left of the whole step, or over the little of it that was made
            whole = theta > 0.5
            book(H, step if whole else 0.0, one, ys)
            half = 0.5 * (theta - 1.0 if whole else theta) * step
            book_at(H, half, last if whole else one)
            book_at(H, half, spare)
        else:
            book(H, step, one, end)
        here = t + theta * step
        if stop - here <= 1e-9 * step:
            here = stop
        sampled = False
        while done < count and (done + 1) * interval <= here + 1e-9 * step:
            part = min(((done + 1) * interval - t) / step, theta)
            sample(
                H, start + t + part * step, start + t + min(part, 1.0 - SIDE) * step, part, step, one, last,
                shift(lines, done * width),
            )  # fmt: skip
            done += 1
            sampled = True
        if event:
            for i in range(ny):
                y[i] = ys[i]
            one, spare = spare, one
        else:
            for i in range(ny):
                y[i] = end[i]
            one, last = last, one
        t = here
        for i in range(n_mon):
            curve[i] = (r1[i] - r0[i]) / step
            g0[i] = g1[i]
            r0[i] = r1[i]
        if sampled:
            rebase(H, y)
            weigh_states(H)
            weigh_loads(H, shift(rs, SAMPLE * nr + H[T.M]), False)
        if H[T.PROJECT] != 0 and (sampled or H[T.MOVING] > 0):
            k, r = shift(ks, one * ny), shift(rs, one * nr)
            call_evaluate(H[T.PROJECT], H, start + t, start + t - SIDE * step, y, k, r)
            if not event and H[T.MOVING] > 0:
                evaluate(H, start + t, start + t - SIDE * step, y, k, r)
        # --- next step -----------------------------------------------------------------------------------
        e = np.log(max(error, 1e-6))
        wanted = step * min(5.0, max(0.2, 0.9 * np.exp(0.08 * previous - 0.14 * e)))
        previous = max(e, -9.2)
        h = max(h, wanted) if step < 0.9 * h else wanted
        jump = t == stop and stop < call
        watched = H[T.LEAP_ROOM] > 0 and (event or jump)
        if watched:
            keep_forces(H, done, shift(rs, one * nr), False)
        if event:
            stats[T.EVENTS] += 1
            for i in range(H[T.GUARDED]):
                if trigger[i] != 0:
                    modes[listed[i]] = following[i]
        if jump:
            landed += 1
            if H[T.PRESCRIBED] > 0:
                follow(H, start + t, start + t + SIDE * h, y, shift(rs, one * nr))
        if (event or jump) and not restart(H, start + t, h, one):
            return CHATTER, t
        if watched:
            keep_forces(H, done, shift(rs, one * nr), True)
    carry[0] = h
    carry[1] = previous
    return OK, t
