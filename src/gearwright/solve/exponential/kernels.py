"""The stepping loop of the exponential engine (method: :mod:`gearwright.solve.exponential.engine`).

All functions take the table of addresses ``H`` (see :mod:`exponential_slots`).
"""

from __future__ import annotations

from math import inf

from gearwright.kernels import START, fused, hot, kernel
from gearwright.kernels.pointers import f8, i8, noalias, noinline, shift
from gearwright.solve.companion import call_beside

from . import slots as T
from .books import keep_books
from .jumps import deflection_at, find_leaps, keep_leaps, rise, take_out
from .laws import ask_guard, end_deviation, forces_at
from .linear import AGAIN, FIRST, FRESH, end_of, end_slope, moments
from .pointers import call_fill, call_inner, call_product, call_products, call_project, call_signals
from .samples import emit, fill_level, rebase
from .state import INSIDE, inputs, missed_inputs, prescribed_at, propagate, push, watch
from .tables import place_of, to_node

_START = START
#: Passes of the fixed point before a step is halved.
PASSES = 14
#: A step whose indicator is so much below what is allowed is followed by one of twice the length.
QUIET = 60.0
#: Part of the largest size of all forces that a smaller one counts as.
LEAST = 0.01
#: Share of what a quintic misses of the rate at the end that the second coefficient of the force misses: measured.
BEND = 0.02
#: What a leap of a force bends that a quintic misses, wherever in the step it is, over what a constant force of its height does. The
#: integral of what is missed, (t - x)^2/2 beyond a leap at x, by the time that is left is 3e-5 for its own row; rows beside it are lighter,
#: and leaps add up where little damps them. Measured: forces of two levels err by less than five tolerances.
LEAPT = 1.5e-3


@fused
def quadratics(e0, values, n, c0, c1, c2):  # type: ignore[no-untyped-def]
    """Parabolas through the start and the ``values`` in the middle and at the end."""
    noinline()
    noalias()
    ends = shift(values, n)
    for i in range(n):
        bend = 2.0 * (ends[i] + e0[i] - 2.0 * values[i])
        c0[i] = e0[i]
        c2[i] = bend
        c1[i] = ends[i] - e0[i] - bend


@hot
def turn_phases(H, slot):  # type: ignore[no-untyped-def]
    """Phases of linear laws over the step under the present force polynomials."""
    lines, phases, forces = H[T.LINES], H[T.PHASES], H[T.FORCES]
    turn = shift(f8(H[T.TURN]), slot * 2 * T.LOOP * forces * phases)
    call_product(H[T.PRODUCT], f8(H[T.DP]), f8(H[T.FREEP]), turn, 2 * phases, f8(H[T.W]), T.LOOP * forces)
    c0, c1, c2 = shift(f8(H[T.C0]), lines), shift(f8(H[T.C1]), lines), shift(f8(H[T.C2]), lines)
    quadratics(shift(f8(H[T.E0]), lines), f8(H[T.DP]), phases, c0, c1, c2)


@hot
def undisturbed(H, slot, h, curved):  # type: ignore[no-untyped-def]
    """Rows at the nodes of the step without the force polynomials."""
    noinline()
    blocks, lines, phases, stride = H[T.BLOCKS], H[T.LINES], H[T.PHASES], H[T.YS]
    a, y, yh = f8(H[T.A]), f8(H[T.STATE]), f8(H[T.YH])
    b0, b1, b2 = f8(H[T.B0]), f8(H[T.B1]), f8(H[T.B2])
    nodes = H[T.NODES]
    for q in range(nodes):
        propagate(a, blocks, to_node(H, slot, q), y, b0, b1, b2, curved, shift(yh, q * stride))
    if H[T.FORCES] == 0:
        return
    base, free, turned = f8(H[T.BASE]), f8(H[T.FREE]), f8(H[T.FREEP])
    call_products(H[T.PRODUCTS], free, lines, base, f8(H[T.C]), lines, lines, yh, stride, H[T.Y], nodes)
    if phases > 0:
        call_products(
            H[T.PRODUCTS], turned, phases, shift(base, lines), f8(H[T.CP]), phases, phases, yh, stride, H[T.Y], 2
        )
    for k in range(H[T.PRESCRIBED]):
        line = shift(f8(H[T.ZX]), k * H[T.ZS])
        for q in range(nodes):
            u = prescribed_at(H, k, place_of(q), h)
            for i in range(lines):
                free[q * lines + i] += line[i] * u
            if q < 2:
                for i in range(phases):
                    turned[q * phases + i] += line[lines + i] * u


@hot
def fixed_point(H, slot, t, h, curved, settle):  # type: ignore[no-untyped-def]
    """Iterate the force polynomials of a step; returns passes, negative (and the worst force) where it fails."""
    noinline()
    undisturbed(H, slot, h, curved)
    forces, lines, phases, nodes = H[T.FORCES], H[T.LINES], H[T.PHASES], H[T.NODES]
    if forces == 0:
        return 1, 0
    response = shift(f8(H[T.RESPONSE]), slot * T.LOOP * nodes * forces * lines)
    weight = shift(f8(H[T.WEIGHT]), slot * forces)
    w, wn, wend = f8(H[T.W]), f8(H[T.WN]), f8(H[T.WEND])
    for j in range(forces):
        w[j] = wend[j]
    for j in range(forces, T.LOOP * forces):
        w[j] = 0.0
    scale = 0.0
    before = inf
    worst = 0
    for passes in range(1, PASSES + 1):
        call_product(
            H[T.PRODUCT],
            f8(H[T.DD]),
            f8(H[T.FREE]),
            response,
            nodes * lines,
            w,
            forces if passes == 1 else T.LOOP * forces,
        )
        quadratics(f8(H[T.E0]), f8(H[T.DD]), lines, f8(H[T.C0]), f8(H[T.C1]), f8(H[T.C2]))
        if passes == 1:
            if phases > 0:
                turn_phases(H, slot)
            moments(H, weight, h, FIRST if H[T.CURVES] > 0 else FRESH, 0.0)
        elif passes == 2 and H[T.CURVES] > 0:
            # a curve feels the phase in every step: better now than after the forces have settled
            turn_phases(H, slot)
            moments(H, weight, h, AGAIN, settle * scale)
        failed = call_project(H[T.PROJECT], H, t, h)
        if failed >= 0:
            return -passes, failed
        if passes == 1:
            scale = load_scale(H, weight)
        change = 0.0
        for j in range(forces):
            d = 0.0
            for l in range(j, T.LOOP * forces, forces):
                d += abs(wn[l] - w[l])
            d *= weight[j]
            if not d <= change:
                change = d
                worst = j
        for j in range(T.LOOP * forces):
            w[j] = wn[j]
        # what is left after a pass that changed little, from the rate at which the changes shrink
        rate = change / before if passes > 1 else 1.0
        if change <= settle * scale or (rate < 0.5 and change * rate <= (1.0 - rate) * settle * scale):
            if phases == 0:
                return passes, worst
            turn_phases(H, slot)
            if moments(H, weight, h, AGAIN, settle * scale) == 0:
                return passes, worst
            change = inf
        elif not change < inf:
            return -passes, worst
        before = change
    return -PASSES, worst


@hot
def load_scale(H, weight):  # type: ignore[no-untyped-def]
    """Largest law force at the start of the step, weighted."""
    noinline()
    e0, wn = f8(H[T.E0]), f8(H[T.WN])
    rows = H[T.ROWS]
    scale = 1e-300
    for l in range(H[T.LAWS]):
        law = shift(i8(H[T.LAW]), l * T.RECORD)
        kref, cref, row, nf = f8(law[T.KREF]), f8(law[T.CREF]), law[T.ROW], law[T.NF]
        for j in range(nf):
            f = law[T.FIRST] + j
            load = wn[f]
            for i in range(nf):
                load += kref[j * nf + i] * e0[row + i] + cref[j * nf + i] * e0[rows + row + i]
            scale = max(scale, abs(load) * weight[f])
    return scale


@hot
def finish(H, slot, t, h):  # type: ignore[no-untyped-def]
    """State at the end of the step from the settled polynomials, and its watched values.

    The coefficient beyond the fixed point moves only the end, and so does one more that makes the polynomial end where the
    force of a linear law does: strongly damped rows follow the force at once, and feel where it is, not only its moments.
    """
    noinline()
    blocks, forces, lines = H[T.BLOCKS], H[T.FORCES], H[T.YS]
    w, rest, u = f8(H[T.W]), f8(H[T.WREST]), f8(H[T.US])
    last = shift(u, (T.ALL - 1) * forces)
    for j in range(T.LOOP * forces):
        u[j] = w[j]
    for j in range(forces):
        u[T.LOOP * forces + j], last[j] = rest[j], 0.0
    for l in range(H[T.LAWS]):
        law = shift(i8(H[T.LAW]), l * T.RECORD)
        if law[T.KIND] == T.LINEAR:
            for i in range(law[T.NF]):
                last[law[T.FIRST] + i] = end_of(H, law, i, h)
    leaps = find_leaps(H, h)
    f8(H[T.COUNT])[6] = leaps
    take_out(H, leaps)
    for l in range(H[T.LAWS]):
        law = shift(i8(H[T.LAW]), l * T.RECORD)
        if law[T.KIND] == T.LINEAR:
            for j in range(law[T.FIRST], law[T.FIRST] + law[T.NF]):
                for l in range(T.LOOP + 1):
                    last[j] -= u[l * forces + j]
        elif law[T.KIND] != T.WALK and law[T.GUARD_OF] == 0 and law[T.CUT] == 0:
            end_deviation(H, law, t, h)
            ends = shift(f8(H[T.FW]), law[T.ROW])
            for i in range(law[T.NF]):
                j = law[T.FIRST] + i
                last[j] = ends[i]
                for l in range(T.LOOP):
                    last[j] -= u[l * forces + j]
    f, yn, yf = f8(H[T.FS]), f8(H[T.NEXT]), shift(f8(H[T.YH]), lines)
    call_products(H[T.PRODUCTS], f, lines, f8(H[T.ZERO]), f8(H[T.B]), lines, lines, u, forces, forces, T.ALL)
    for k in range(lines):
        yn[k] = yf[k]
    push(f8(H[T.A]), blocks, to_node(H, slot, 1), f, lines, yn)
    leap = f8(H[T.LEAP])
    for q in range(leaps):
        rise(H, (1.0 - leap[3 * q]) * h, int(leap[3 * q + 1]), leap[3 * q + 2], yn)
    watch(H, yn, f8(H[T.XONE]), f8(H[T.VONE]), f8(H[T.E1]))


@hot
def leapt_of(H, law, j, h):  # type: ignore[no-untyped-def]
    """Sum of the heights by which the force of a row of a linear law leaps within the step."""
    total = 0.0
    for q in range(int(f8(law[T.USED])[2])):
        one = shift(f8(law[T.JUMP]), q * (1 + law[T.NF]))
        total += abs(one[1 + j] * deflection_at(H, law[T.ROW] + j, one[0], h))
    return total


@hot
def error_of(H, slot, h):  # type: ignore[no-untyped-def]
    """What the coefficients left out of the fixed point and the bend of the deflections would have moved: of every force over the
    largest that it has been, or a part of the largest of all.
    """
    noinline()
    forces, lines, rows, nodes = H[T.FORCES], H[T.LINES], H[T.ROWS], H[T.NODES]
    response = shift(f8(H[T.RESPONSE]), slot * T.LOOP * nodes * forces * lines)
    left, weight = shift(f8(H[T.LEFT]), slot * 5 * forces), shift(f8(H[T.WEIGHT]), slot * forces)
    e0, e1, dd, w, u = f8(H[T.E0]), f8(H[T.E1]), f8(H[T.DD]), f8(H[T.W]), f8(H[T.US])
    c0, c1, c2 = f8(H[T.C0]), f8(H[T.C1]), f8(H[T.C2])
    met, error, least = f8(H[T.MET]), 0.0, 1e-300
    for l in range(H[T.LAWS]):
        law = shift(i8(H[T.LAW]), l * T.RECORD)
        nf = law[T.NF]
        for j in range(nf):
            f = law[T.FIRST] + j
            size = (
                abs(dd[lines + law[T.ROW] + j]) / weight[f]
                if f8(law[T.KREF])[j * nf + j] > 0.0
                else abs(w[f]) * weight[f]
            )
            met[f] = max(met[f], size)
            least = max(least, LEAST * met[f])
    for l in range(H[T.LAWS]):
        law = shift(i8(H[T.LAW]), l * T.RECORD)
        nf = law[T.NF]
        for j in range(nf):
            i = law[T.ROW] + j
            f = law[T.FIRST] + j
            k = f8(law[T.KREF])[j * nf + j]
            # own deflection at the end by the polynomials of this force
            own = shift(response, (f * nodes + 1) * lines + i)
            last = abs(u[(T.ALL - 1) * forces + f])
            inside = 0.0
            if law[T.KIND] == T.LINEAR:
                highest = abs(u[T.LOOP * forces + f] * left[f])
                inside = (abs(u[T.LOOP * forces + f]) + last) * abs(left[4 * forces + f])
            else:
                highest = abs(w[3 * forces + f] * own[3 * forces * nodes * lines])
            left_out = highest
            leapt = 0.0
            if k > 0.0:
                if law[T.KIND] == T.LINEAR:
                    # the rate at the end shows what the quintic through the nodes misses; what is left out of the fixed
                    # point, as after a jump of stiffness, is missed by the deflection inside the step
                    bend = BEND * abs(h * e1[rows + i] - end_slope(H, i, h)) + inside
                    leapt = LEAPT * leapt_of(H, law, j, h) * weight[f] * weight[f]
                else:
                    # x (x - 1/2) (x - 1) is what a quadratic through three points misses: P3/20 - P1/20
                    bend = 0.05 * (h * (e0[rows + i] + e1[rows + i]) - 2.0 * (c1[i] + c2[i]))
                mean = abs(c0[i] + 0.5 * c1[i] + c2[i] * (1.0 / 3.0))
                secant = min(abs(w[f]) / (mean + 1e-300), k)
                left_out = last * abs(left[forces + f]) + highest * min(1.0, secant * weight[f] * weight[f])
                left_out += abs(bend * own[forces * nodes * lines]) * secant + leapt * weight[f] * weight[f] * k
                # a strongly damped row shows the rest of the force in its rate, at this end or a sample before it
                left_out += 0.1 * last * abs(left[3 * forces + f]) * f8(law[T.CREF])[j * nf + j] / k
            error = max(error, left_out / (weight[f] * max(met[f], least)))
    return error


@hot
def begin(H, t):  # type: ignore[no-untyped-def]
    """Watched values at the start of a call, and the modes of laws that have not decided."""
    noinline()
    s = f8(H[T.S])
    call_signals(H[T.READ], H, t, t, s)
    e0 = f8(H[T.E0])
    watch(H, f8(H[T.STATE]), f8(H[T.XP]), f8(H[T.VNOW]), e0)
    d, dv, modes = f8(H[T.DW]), f8(H[T.DVW]), i8(H[T.MODES])
    for l in range(H[T.LAWS]):
        law = shift(i8(H[T.LAW]), l * T.RECORD)
        if modes[l] == _START and law[T.KIND] != T.LINEAR:
            modes[l] = 0
            if law[T.GUARD_OF] != 0:
                for i in range(law[T.ROW], law[T.ROW] + law[T.NROWS]):
                    d[i], dv[i] = e0[i], e0[H[T.ROWS] + i]
                modes[l] = ask_guard(H, law, t, s, _START)


@hot
def jump(H, t):  # type: ignore[no-untyped-def]
    """Set prescribed speeds to their signals: no force but that of coupled inertia acts in no time."""
    noinline()
    n, size = H[T.PRESCRIBED], H[T.Y]
    s, vnow, speed = f8(H[T.S]), f8(H[T.VNOW]), i8(H[T.SPEED])
    y, kick, impulse, reaction = f8(H[T.STATE]), f8(H[T.KICK]), f8(H[T.IMPULSE]), f8(H[T.REACTION])
    call_signals(H[T.READ], H, t, t, s)
    for p in range(n):
        change = s[speed[p]] - vnow[p]
        for k in range(size):
            y[k] += kick[p * size + k] * change
        felt = 0.0
        for q in range(n):
            felt += impulse[p * n + q] * (s[speed[q]] - vnow[q])
        reaction[p] += felt * 0.5 * (s[speed[p]] + vnow[p])
    for p in range(n):
        vnow[p] = s[speed[p]]
    watch(H, y, f8(H[T.XP]), vnow, f8(H[T.E0]))


@hot
def accept(H):  # type: ignore[no-untyped-def]
    """The end of the step becomes the start of the next."""
    noinline()
    y, yn, e0, e1 = f8(H[T.STATE]), f8(H[T.NEXT]), f8(H[T.E0]), f8(H[T.E1])
    for k in range(H[T.Y]):
        y[k] = yn[k]
    for k in range(H[T.ZS]):
        e0[k] = e1[k]
    for k in range(H[T.PRESCRIBED]):
        f8(H[T.XP])[k] = f8(H[T.XONE])[k]
        f8(H[T.VNOW])[k] = f8(H[T.VONE])[k]
    modes, new_modes = i8(H[T.MODES]), i8(H[T.NEWMODES])
    for l in range(H[T.LAWS]):
        if i8(H[T.LAW])[l * T.RECORD + T.KIND] != T.LINEAR:
            modes[l] = new_modes[l]
    u, wend, n = f8(H[T.US]), f8(H[T.WEND]), H[T.FORCES]
    for j in range(n):
        wend[j] = 0.0
        for l in range(T.ALL):
            wend[j] += u[l * n + j]
    leap = f8(H[T.LEAP])
    for q in range(int(f8(H[T.COUNT])[6])):
        wend[int(leap[3 * q + 1])] += leap[3 * q + 2]


@hot
def attempt(H, slot, t, h, settle, limit):  # type: ignore[no-untyped-def]
    """One step without keeping it: passes (negative: failed), worst force, error indicator, which ``limit`` is meant for."""
    noinline()
    curved = inputs(H, t, h)
    missed = limit * missed_inputs(H, t, h) if H[T.BENT] > 0 else 0.0
    passes, worst = fixed_point(H, slot, t, h, curved, settle)
    if passes < 0:
        return passes, worst, inf
    s, vone, speed = f8(H[T.SONE]), f8(H[T.VONE]), i8(H[T.SPEED])
    if H[T.PRESCRIBED] > 0:
        call_signals(H[T.READ], H, t + h, t + INSIDE * h, s)
        for i in range(H[T.PRESCRIBED]):
            vone[i] = s[speed[i]]
    finish(H, slot, t, h)
    yn = f8(H[T.NEXT])
    total = 0.0
    for k in range(H[T.Y]):
        total += abs(yn[k])
    if not total < inf:
        return -passes, worst, inf
    indicator = error_of(H, slot, h) if H[T.FORCES] > 0 else 0.0
    return passes, worst, max(indicator, missed)


@hot
def companion(H, t):  # type: ignore[no-untyped-def]
    """Let the companion see where the train is; it rewrites signals."""
    noinline()
    y, sight, seen, n = f8(H[T.STATE]), f8(H[T.SIGHT]), f8(H[T.SEEN]), H[T.Y]
    for k in range(3):
        seen[k] = 0.0
        for i in range(n):
            seen[k] += sight[k * n + i] * y[i]
    call_beside(H[T.BESIDE], i8(H[T.BESIDE_DATA]), t, seen)


@hot
def _land(H, landings, landing, t, check):  # type: ignore[no-untyped-def]
    """The first landing behind ``t``; where one was reached, or on demand, prescribed rows jump."""
    while landing < landings.shape[0] and landings[landing] <= t:
        landing += 1
        check = H[T.PRESCRIBED] > 0
    if check:
        jump(H, t)
    return landing


@hot
def _odd_step(H, h, before):  # type: ignore[no-untyped-def]
    """The tables of a step that is none of the levels, unless they are those of the step before; returns its length."""
    if h != before:
        call_fill(H[T.FILL], H, H[T.LEVELS], h)
    return h


@hot
def _sample(H, number, at, inside):  # type: ignore[no-untyped-def]
    """Write a sample: channels at the end of a step, with signals as they are ``inside`` it."""
    noinline()
    sone, out = f8(H[T.SONE]), f8(H[T.LINE_OUT])
    call_signals(H[T.READ], H, at, inside, sone)
    forces_at(H, f8(H[T.E0]), at, sone, i8(H[T.MODES]), False)
    call_product(H[T.PRODUCT], out, f8(H[T.ZERO]), f8(H[T.LINE_Y]), H[T.CS], f8(H[T.STATE]), H[T.Y])
    emit(H, number, out, sone, f8(H[T.XP]))
    rebase(H)


@kernel
def advance(table, landings, t0, interval, samples, allowed, settle):  # type: ignore[no-untyped-def]
    """Step ``samples`` sample intervals on; returns 0, or 1 if no step is short enough.

    ``allowed`` is the error per step, ``settle`` the tolerance of the fixed point. The shortest step is the interval
    over UNITS times two to the DEEPEST; the level of a step is its length as a power of two of that.
    """
    H = i8(table.ctypes.data)
    deepest, coarsest, slots = H[T.DEEPEST], H[T.COARSEST], H[T.LEVELS]
    steps, count = f8(H[T.STEP]), f8(H[T.COUNT])
    shortest = 1.0000001 * steps[slots - 1]
    near = 1e-9 * interval
    ticks = H[T.UNITS] << deepest
    total = samples * ticks
    level = coarsest
    pos = 0
    tau = 0.0
    cap = inf
    landing = 0
    odd_step = 0.0
    call, fence = 0, total
    begin(H, t0)
    check = H[T.PRESCRIBED] > 0
    even = H[T.NODES] > 2 and allowed < inf
    while pos < total:
        if H[T.EVERY] > 0 and pos == call and tau == 0.0:
            companion(H, t0 + interval * (pos / ticks))
            call = pos + H[T.EVERY] * ticks
            fence = min(total, call)
        t = t0 + interval * (pos / ticks) + tau
        landing, check = _land(H, landings, landing, t + near, check), False
        stop = landings[landing] if landing < landings.shape[0] else inf
        # the step: the longest level that fits, or the way to a landing
        while (pos & ((1 << level) - 1)) != 0 or pos + (1 << level) > fence:
            level -= 1
        target = t0 + interval * ((pos + (1 << level)) / ticks)
        if stop < target - near and level > deepest:
            level = deepest
            continue
        cut = stop < target - near
        odd = tau != 0.0 or cut
        if odd:
            h = odd_step = _odd_step(H, min(min(target, stop) - t if cut else target - t, cap), odd_step)
        else:
            h = steps[coarsest - level]
            fill_level(H, coarsest - level)
        slot = slots if odd else coarsest - level
        # errors add up: where longer steps are accurate, a short one may err in proportion to its length
        limit = allowed * (h / steps[0] if even else 1.0)
        passes, worst, indicator = attempt(H, slot, t, h, settle, limit)
        count[1] += abs(passes)
        if (passes < 0 or indicator > limit) and h > shortest:
            count[2] += 1
            if odd:
                cap = 0.5 * h
            else:
                level -= 1
            continue
        if passes < 0:
            count[4], count[5] = t, worst
            return 1
        cap = inf
        count[0] += 1
        count[3] = max(count[3], indicator)
        keep_books(H, h)
        if H[T.LEAP_ROOM] > 0:
            keep_leaps(H, t - t0, h)
        if not odd and level > deepest:
            call_inner(H[T.INNER], H, pos >> deepest, level - deepest, t, h)
        accept(H)
        tau += h
        if not odd or t + h >= target - near:
            pos += 1 << level
            tau = 0.0
            if pos % ticks == 0:
                _sample(H, pos // ticks - 1, t0 + interval * (pos / ticks), t + INSIDE * h)
            # a quiet step may be followed by a longer one
            if level < coarsest and indicator < limit / QUIET and (pos & ((2 << level) - 1)) == 0:
                level += 1
    return 0
