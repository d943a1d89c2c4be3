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
#: A step is sudden below this part of a sample interval and of the steps before it, of which the usual one fades by this factor a step.
SUDDEN, FADES = 0.25, 0.9


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
def foresee(H, t, event, slot, least):  # type: ignore[no-untyped-def]
    """Time to the next bend that a law foresees at the state that was evaluated last (in ``slot``), later than ``least``."""
    noinline()
    m = H[T.M]
    y, r = f8(H[T.YSTAGE] if event else H[T.YEND]), shift(f8(H[T.RS]), slot * H[T.NR])
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
def first_undershoot(H, h):  # type: ignore[no-untyped-def]
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
def companion(H, t, slot):  # type: ignore[no-untyped-def]
    """Let the companion see where the train is; it rewrites signals."""
    noinline()
    y, r = f8(H[T.Y]), shift(f8(H[T.RS]), slot * H[T.NR])
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


@hot
def _open(H, start, h, one):  # type: ignore[no-untyped-def]
    """Evaluate where a chunk begins, and let laws decide their modes; False if these never settle."""
    noinline()
    y, ks, rs = f8(H[T.Y]), f8(H[T.KS]), f8(H[T.RS])
    if H[T.PRESCRIBED] > 0:
        follow(H, start, start + SIDE * h, y, rs)
    rebase(H, y)
    evaluate(H, start, start + SIDE * h, y, ks, rs)
    decide_modes(H, start, y, rs)
    if not restart(H, start, h, one):
        return False
    weigh_loads(H, shift(rs, one * H[T.NR] + H[T.M]), True)
    return True


@hot
def _fitted(step, target):  # type: ignore[no-untyped-def]
    """A step that ends at its target or leaves half of the way to it."""
    # margins that run out together (planets in phase) differ by rounding: the later ones are stepped over
    if step >= 0.999 * target:
        return target
    return 0.5 * target if step > 0.5 * target else step


@hot
def _book_step(H, step, theta, event, one, last, spare):  # type: ignore[no-untyped-def]
    """Energy of a step, or of the part of it before an event."""
    if not event:
        book(H, step, one, f8(H[T.YEND]))
        return
    # a trapezium over what is left of the whole step, or over the little of it that was made
    whole = theta > 0.5
    book(H, step if whole else 0.0, one, f8(H[T.YSTAGE]))
    half = 0.5 * (theta - 1.0 if whole else theta) * step
    book_at(H, half, last if whole else one)
    book_at(H, half, spare)


@hot
def _hidden(H, now, step, one, last, spare):  # type: ignore[no-untyped-def]
    """Part of the step, whose ends show no event, in which a margin dips below zero nevertheless; 0 if none does."""
    noinline()
    g0, r0, g1, r1 = f8(H[T.G0]), f8(H[T.GR0]), f8(H[T.G1]), f8(H[T.GR1])
    low = first_undershoot(H, step)
    if low == 0.0 and H[T.MARGINS] != 0:
        low = first_slip(H, now)
    if not low > 0.0:
        return 0.0
    ys, k, r = f8(H[T.YSTAGE]), shift(f8(H[T.KS]), spare * H[T.NY]), shift(f8(H[T.RS]), spare * H[T.NR])
    dense(H, low, step, one, last, ys)
    evaluate(H, now + low * step, now + low * step, ys, k, r)
    scan(H, now + low * step, ys, r, g1, r1)
    for i in range(H[T.MONITORS]):
        if g1[i] < 0.0 and not returning(g0[i], r0[i], g1[i], r1[i]):
            return low
    dense(H, 1.0, step, one, last, ys)
    evaluate(H, now + step, now + (1.0 - SIDE) * step, ys, k, r)
    scan(H, now + step, ys, r, g1, r1)
    return 0.0


@hot
def _just_behind(H, now, step, theta, which, one, last, spare, eps):  # type: ignore[no-untyped-def]
    """Whether the margin that is about to reach zero behind the step does so at ``theta``; if not, the end of the step is again that
    which was evaluated last."""
    noinline()
    ys, ks, rs = f8(H[T.YSTAGE]), f8(H[T.KS]), f8(H[T.RS])
    g1, r1, trigger = f8(H[T.G1]), f8(H[T.GR1]), i8(H[T.TRIGGER])
    dense(H, theta, step, one, last, ys)
    k, r = shift(ks, spare * H[T.NY]), shift(rs, spare * H[T.NR])
    evaluate(H, now + theta * step, now + (1.0 - SIDE) * step, ys, k, r)
    scan(H, now + theta * step, ys, r, g1, r1)
    for i in range(H[T.MONITORS]):
        trigger[i] = 0
    if g1[which] <= 10.0 * eps * abs(r1[which]):
        trigger[which] = 1
        return True
    k, r = shift(ks, last * H[T.NY]), shift(rs, last * H[T.NR])
    evaluate(H, now + step, now + (1.0 - SIDE) * step, f8(H[T.YEND]), k, r)
    scan(H, now + step, f8(H[T.YEND]), r, g1, r1)
    return False


@hot
def _find_event(H, now, step, one, last, spare):  # type: ignore[no-untyped-def]
    """Where an event ends the step that begins at ``now``, as a part of it, and whether there is one."""
    noinline()
    g0, r0, g1, r1 = f8(H[T.G0]), f8(H[T.GR0]), f8(H[T.G1]), f8(H[T.GR1])
    scan(H, now + step, f8(H[T.YEND]), shift(f8(H[T.RS]), last * H[T.NR]), g1, r1)
    top = 0.0
    soon, which = 1e300, 0
    for i in range(H[T.MONITORS]):
        if g1[i] < 0.0:
            if not returning(g0[i], r0[i], g1[i], r1[i]):
                top = 1.0
        elif r1[i] < 0.0 and g1[i] < -r1[i] * soon:
            soon = g1[i] / -r1[i]
            which = i
    eps = _instant(now, step)
    if top == 0.0:
        top = _hidden(H, now, step, one, last, spare)
    if top > 0.0:
        return locate(H, now, step, one, last, spare, top, eps), True
    if soon <= 0.01 * step:
        theta = 1.0 + soon / step
        if _just_behind(H, now, step, theta, which, one, last, spare, eps):
            return theta, True
    return 1.0, False


@hot
def _instant(now, step):  # type: ignore[no-untyped-def]
    """How close two events of a step are one [s]."""
    return max(1e-9 * step, 1e-15 * now)


@hot
def _trigger(H, now, step):  # type: ignore[no-untyped-def]
    """Mark all monitors that switch at an event that was found."""
    g0, g1, r1, trigger = f8(H[T.G0]), f8(H[T.G1]), f8(H[T.GR1]), i8(H[T.TRIGGER])
    eps = _instant(now, step)
    for i in range(H[T.MONITORS]):
        over = g1[i] <= 0.0 and not (g0[i] <= 0.0 and r1[i] > 0.0)
        if over or (r1[i] < 0.0 and g1[i] <= eps * -r1[i]):
            trigger[i] = 1


@hot
def _samples(H, lines, done, count, interval, start, t, here, step, theta, one, last):  # type: ignore[no-untyped-def]
    """Write the samples that fall into the step; returns how many are done."""
    while done < count and (done + 1) * interval <= here + 1e-9 * step:
        part = min(((done + 1) * interval - t) / step, theta)
        side = start + t + min(part, 1.0 - SIDE) * step
        sample(H, start + t + part * step, side, part, step, one, last, shift(lines, done * H[T.CHANNELS]))
        done += 1
    return done


@hot
def _sudden_end(H, done, interval, start, t, here, step, theta, one, last):  # type: ignore[no-untyped-def]
    """Keep all channels at the end of a sudden step: what holds the steps down is over between two samples."""
    if H[T.END_ROOM] == 0:
        return
    carry, count = f8(H[T.CARRY]), i8(H[T.END_COUNT])
    sudden = theta * step < SUDDEN * min(interval, carry[6])
    carry[6] = max(step, FADES * carry[6])
    before = done + 1 if (done + 1) * interval <= here + 1e-9 * step else done
    if not sudden or count[0] >= H[T.END_ROOM] or abs(before * interval - here) <= 1e-9 * interval:
        return
    out = shift(f8(H[T.END_LINES]), count[0] * H[T.CHANNELS])
    sample(H, start + here, start + t + min(theta, 1.0 - SIDE) * step, theta, step, one, last, out)
    i8(H[T.END_AT])[count[0]] = before
    count[0] += 1


@hot
def _keep_end(H, step, event):  # type: ignore[no-untyped-def]
    """The end of a step is the begin of the next: state and margins."""
    y, end = f8(H[T.Y]), f8(H[T.YSTAGE] if event else H[T.YEND])
    g0, r0, g1, r1, curve = f8(H[T.G0]), f8(H[T.GR0]), f8(H[T.G1]), f8(H[T.GR1]), f8(H[T.GCURVE])
    for i in range(H[T.NY]):
        y[i] = end[i]
    for i in range(H[T.MONITORS]):
        curve[i] = (r1[i] - r0[i]) / step
        g0[i] = g1[i]
        r0[i] = r1[i]


@hot
def _refresh(H, now, step, one, event, sampled):  # type: ignore[no-untyped-def]
    """Begin the counting of rotations and the weights of errors anew after a sample; project onto the constraints where there are any."""
    y, k, r = f8(H[T.Y]), shift(f8(H[T.KS]), one * H[T.NY]), shift(f8(H[T.RS]), one * H[T.NR])
    if sampled:
        rebase(H, y)
        weigh_states(H)
        weigh_loads(H, shift(f8(H[T.RS]), SAMPLE * H[T.NR] + H[T.M]), False)
    if H[T.PROJECT] != 0 and (sampled or H[T.MOVING] > 0):
        call_evaluate(H[T.PROJECT], H, now, now - SIDE * step, y, k, r)
        if not event and H[T.MOVING] > 0:
            evaluate(H, now, now - SIDE * step, y, k, r)


@hot
def _cross(H, now, h, one, event, jump, done):  # type: ignore[no-untyped-def]
    """Behind an event or a jump: modes switch, prescribed rows follow, evaluate anew; False if modes never settle."""
    noinline()
    r = shift(f8(H[T.RS]), one * H[T.NR])
    trigger, modes, following, listed = i8(H[T.TRIGGER]), i8(H[T.MODES]), i8(H[T.NEXT]), i8(H[T.GLAW])
    if H[T.LEAP_ROOM] > 0:
        keep_forces(H, done, r, False)
    if event:
        i8(H[T.STATS])[T.EVENTS] += 1
        for i in range(H[T.GUARDED]):
            if trigger[i] != 0:
                modes[listed[i]] = following[i]
    if jump and H[T.PRESCRIBED] > 0:
        follow(H, now, now + SIDE * h, f8(H[T.Y]), r)
    if not restart(H, now, h, one):
        return False
    if H[T.LEAP_ROOM] > 0:
        keep_forces(H, done, r, True)
    return True


@hot
def _hopeless(H, step, limit):  # type: ignore[no-untyped-def]
    """What ends a run whose step is too small, or which took too many, with the row that is worst; else OK."""
    stats = i8(H[T.STATS])
    if not step > 1e-13:
        stats[T.BAD_ROW] = worst_row(H, np.int64(SLOTS - 1))
        return SMALL_STEP
    if stats[T.STEPS] + stats[T.REJECTED] > limit:
        stats[T.BAD_ROW] = worst_row(H, np.int64(1))
        return MANY_STEPS
    return OK


@hot
def _next_length(h, step, error, previous):  # type: ignore[no-untyped-def]
    """Length of the next step by the errors of this and the one before, and the logarithm of this one's error."""
    e = np.log(max(error, 1e-6))
    wanted = step * min(5.0, max(0.2, 0.9 * np.exp(0.08 * previous - 0.14 * e)))
    return max(h, wanted) if step < 0.9 * h else wanted, max(e, -9.2)


@kernel
def advance(table, start, count, interval, landings, out):  # type: ignore[no-untyped-def]
    """Advance by ``count`` sample intervals from the absolute time ``start``.

    ``landings`` are times relative to ``start``, ``out`` is (count, channels). Time inside is relative, so that
    a late hour costs no precision. Returns a status and the relative time reached.
    """
    H = i8(table.ctypes.data)
    stats, carry, lines = i8(H[T.STATS]), f8(H[T.CARRY]), f8(out.ctypes.data)
    # np.int64 keeps the compiler from making a second form of every function for literal numbers
    one, last, spare = np.int64(0), np.int64(6), np.int64(7)
    h, previous, largest = carry[0], carry[1], carry[3]
    t, finish = 0.0, count * interval
    done, landed, redone = 0, 0, 0
    limit = 500_000 + 20_000 * count + stats[T.STEPS] + stats[T.REJECTED]
    passed = PASSED * min(1.0, 1e4 * carry[2]) ** CLOSER
    if not _open(H, start, h, one):
        return CHATTER, t
    aimed, bend = 0.0, np.inf
    call, calls = 0.0 if H[T.EVERY] > 0 else finish, 0
    while done < count:
        if t >= call - NEAR and call < finish:
            companion(H, start + t, one)
            while landed < landings.shape[0] and landings[landed] <= t + NEAR:
                landed += 1
            calls += H[T.EVERY]
            call = min(calls * interval, finish)
            if not restart(H, start + t, h, one):
                return CHATTER, t
        stop = min(call, landings[landed]) if landed < landings.shape[0] else call
        step = aimed
        if not aimed > 0.0:
            step = _fitted(min(h, largest), min(stop - t, max(predict(H), 2e-13), bend))
        aimed = 0.0
        status = _hopeless(H, step, limit)
        if status != OK:
            return status, t
        error = call_stages(H[T.STAGES], H, start + t, step, one, last)
        stats[T.EVALUATIONS] += H[T.PER_STEP]
        if not error <= 1.0:
            stats[T.REJECTED] += 1
            h = step * (max(0.2, 0.9 * error**-0.2) if error < 1e10 else 0.1)
            redone = 0
            continue
        # --- margins -----------------------------------------------------------------------------------
        theta, event = 1.0, False
        if H[T.MONITORS] > 0:
            theta, event = _find_event(H, start + t, step, one, last, spare)
            # the step is made anew to end there; hardly after its start the dense output is as good
            if event and 1e-6 < theta < 0.99 and redone < 4:
                aimed = max(theta * step, 2e-13)
                redone += 1
                continue
            if event:
                _trigger(H, start + t, step)
        redone = 0
        stats[T.STEPS] += 1
        if H[T.AHEADS] + H[T.TOGETHERS] > 0:
            bend = foresee(H, start + t + theta * step, event, spare if event else last, passed * step)
        # --- energy, samples, end of the step ------------------------------------------------------------
        _book_step(H, step, theta, event, one, last, spare)
        here = t + theta * step
        if stop - here <= 1e-9 * step:
            here = stop
        before = done
        _sudden_end(H, done, interval, start, t, here, step, theta, one, last)
        done = _samples(H, lines, done, count, interval, start, t, here, step, theta, one, last)
        _keep_end(H, step, event)
        one, last, spare = (spare, last, one) if event else (last, one, spare)
        t = here
        _refresh(H, start + t, step, one, event, done > before)
        # --- next step -----------------------------------------------------------------------------------
        h, previous = _next_length(h, step, error, previous)
        jump = t == stop and stop < call
        if jump:
            landed += 1
        if (event or jump) and not _cross(H, start + t, h, one, event, jump, done):
            return CHATTER, t
    carry[0] = h
    carry[1] = previous
    return OK, t
