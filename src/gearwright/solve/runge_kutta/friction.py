"""Sticking and slipping: margins of friction rows, and the decision which rows at zero rate stick.

``FSTATE`` holds -1, 0, +1 (slips backward, sticks, slips forward), ``CSIGN`` the sign of each hard multiplier that
presses a slipping row; for a switched row ``FSTATE`` is the sign of its power, with hysteresis. Rows at zero rate are settled together by a warm-started active set, with least-index
pivots after eight passes and projected Gauss-Seidel as fallback, which is counted (numerics page 2, section 6), and
counted again (``unsettled``) should it end before its forces stand still.
"""

from __future__ import annotations

from gearwright.kernels import hot
from gearwright.kernels.pointers import f8, i8, noinline, shift

from . import table as T
from .multiplier_pattern import STALE, row_times
from .multipliers import demand, move
from .pointers import call_evaluate, evaluator
from .rhs import capacity, coefficient

#: Passes before only the first inconsistent row changes.
ALL_AT_ONCE = 8
#: Relative accuracy of a multiplier: differences below it decide nothing.
NOISE = 1e-10


@hot
def friction_capacity(H, r, f, s, toward, rate):  # type: ignore[no-untyped-def]
    """Capacity of friction row ``r`` at a rate under the present normal force, for motion towards the sign of ``toward``."""
    noinline()
    cap = capacity(H, r, s)
    normal = i8(H[T.FNORM])[r]
    if normal >= 0:
        press = f[normal]
        cap += coefficient(H, r, rate, press * toward) * abs(press)
    else:
        cap += coefficient(H, r, rate, toward)
    return cap


def _margins(H, t, side, g, rate, r):  # type: ignore[no-untyped-def]
    """Margins of the candidates: sign of a multiplier that presses, direction of slip, capacity left."""
    m, hard = H[T.M], H[T.HARD]
    f, s = shift(r, m), shift(r, 2 * m)
    rows, state, sign, normal = i8(H[T.CROW]), i8(H[T.FSTATE]), i8(H[T.CSIGN]), i8(H[T.CNORM])
    kind, zero, gain, half = i8(H[T.FKIND]), f8(H[T.CZERO]), f8(H[T.CWEIGHT]), f8(H[T.FHYS])
    slip = f8(H[T.CSLIP])
    fnorm, noise = i8(H[T.FNORM]), f8(H[T.CNOISE])[0]
    for c in range(H[T.CANDIDATES]):
        g[c] = 1.0
        rate[c] = 0.0
    for q in range(H[T.FRICTIONS]):
        c = hard + q
        row = rows[c]
        if kind[q] == T.STICK:
            if state[q] == 0:
                g[c] = friction_capacity(H, q, f, s, f[row], 0.0) - abs(f[row])
            else:
                g[c] = state[q] * r[row] + 0.01 * zero[c]
        elif kind[q] == T.SWITCHED:
            power = f[fnorm[q]] * r[row]
            g[c] = half[q] + state[q] * power if state[q] != 0 else half[q] - abs(power)
            continue
        p = normal[q]
        # watched also while the press has no sign yet (a start without load), and so gives no gain
        if (
            p >= 0
            and slip[q] != 0.0
            and (gain[c] != 0.0 or coefficient(H, q, r[row], 1.0) > 0.0 or coefficient(H, q, r[row], -1.0) > 0.0)
        ):
            # a force that is nothing but round-off (a set that turns as a block) has no sign to change
            g[p] = sign[p] * f[rows[p]] + noise if sign[p] != 0 else noise - abs(f[rows[p]])


@hot
def noise_of(H, r, k):  # type: ignore[no-untyped-def]
    """Size of the forces on the candidates; a part :data:`NOISE` of it decides nothing."""
    noinline()
    m = H[T.M]
    rows, base, nc = i8(H[T.CROW]), f8(H[T.CBASE]), H[T.CANDIDATES]
    ptr, idx, val = i8(H[T.PTR]), i8(H[T.IDX]), f8(H[T.VAL])
    a, force = shift(k, H[T.N]), 0.0
    for c in range(nc):
        row = rows[c]
        force = max(force, abs(r[m + row]))
        total = 0.0
        for e in range(ptr[row], ptr[row + 1]):
            total += abs(val[e] * a[idx[e]])
        force = max(force, total / base[c * nc + c])
    return NOISE * force


@hot
def guess_states(H, r):  # type: ignore[no-untyped-def]
    """First guess of all states from the rates, the last states and the monitors that triggered."""
    noinline()
    m, hard = H[T.M], H[T.HARD]
    rows, state, sign = i8(H[T.CROW]), i8(H[T.FSTATE]), i8(H[T.CSIGN])
    kind, zero, trigger = i8(H[T.FKIND]), f8(H[T.CZERO]), shift(i8(H[T.TRIGGER]), H[T.GUARDED])
    still = i8(H[T.CNEAR])
    for c in range(H[T.CANDIDATES]):
        row = rows[c]
        if c < hard:
            if trigger[c] != 0:
                sign[c] = -sign[c] if sign[c] != 0 else (1 if r[m + row] > 0.0 else -1)
        elif kind[c - hard] == T.SWITCHED:
            still[c - hard] = 0
            if state[c - hard] == 2:
                state[c - hard] = 0
        elif kind[c - hard] == T.STICK:
            q = c - hard
            # a row whose slip has just come to its end is at rest, though the instant is found with a tolerance only
            ended = trigger[c] != 0 and (state[q] == 1 or state[q] == -1)
            still[q] = 1 if ended or abs(r[row]) <= zero[c] else 0
            if still[q] == 0:
                state[q] = 1 if r[row] > 0.0 else -1
            elif state[q] == 2:
                state[q] = 0
            elif trigger[c] != 0:
                state[q] = (1 if r[m + row] > 0.0 else -1) if state[q] == 0 else 0
        trigger[c] = 0


@hot
def relax(H, t, side, y, k, r):  # type: ignore[no-untyped-def]
    """Fallback: projected Gauss-Seidel over all candidates from the last point; reads the states off the forces."""
    noinline()
    n, m, nc, hard = H[T.N], H[T.M], H[T.CANDIDATES], H[T.HARD]
    rows, state, sign, still = i8(H[T.CROW]), i8(H[T.FSTATE]), i8(H[T.CSIGN]), i8(H[T.CNEAR])
    base, columns, kind, fnorm = f8(H[T.CBASE]), f8(H[T.CVAL]), i8(H[T.FKIND]), i8(H[T.FNORM])
    f, s, a = shift(r, m), shift(r, 2 * m), shift(k, n)
    done = False
    for _ in range(20000):  # slow, but nearly never needed
        change, size = 0.0, 1e-300
        for c in range(nc):
            row = rows[c]
            if c >= hard and kind[c - hard] == T.SMOOTHED:
                continue
            x = f[row]
            if c >= hard and kind[c - hard] == T.SWITCHED:
                side = float(state[c - hard])
                x = side * coefficient(H, c - hard, r[row], side) * f[fnorm[c - hard]]
            elif c >= hard and still[c - hard] == 0:
                x = state[c - hard] * friction_capacity(H, c - hard, f, s, float(state[c - hard]), r[row])
            else:
                x += (row_times(H, row, a) - demand(H, c, t, side)) / base[c * nc + c]
                if c >= hard:
                    cap = friction_capacity(H, c - hard, f, s, x, 0.0)
                    x = min(max(x, -cap), cap)
            step = x - f[row]
            f[row] = x
            for i in range(n):
                a[i] -= columns[c * n + i] * step
            change = max(change, abs(step))
            size = max(size, abs(x))
        if change <= 1e-10 * size:
            done = True
            break
    if not done:
        i8(H[T.STATS])[T.UNSETTLED] += 1
    for c in range(nc):
        x = f[rows[c]]
        if c < hard:
            sign[c] = 1 if x > 0.0 else -1
        elif kind[c - hard] == T.STICK and still[c - hard] != 0:
            cap = friction_capacity(H, c - hard, f, s, x, 0.0)
            state[c - hard] = 0 if abs(x) < cap * (1.0 - 1e-9) else (1 if x > 0.0 else -1)


def _settle(H, t, side, y, k, r):  # type: ignore[no-untyped-def]
    """Decide together which rows at zero rate stick, and the signs that losses take; project the speeds."""
    n, m, hard = H[T.N], H[T.M], H[T.HARD]
    rows, state, sign, still = i8(H[T.CROW]), i8(H[T.FSTATE]), i8(H[T.CSIGN]), i8(H[T.CNEAR])
    kind, flags, stats = i8(H[T.FKIND]), i8(H[T.CFLAGS]), i8(H[T.STATS])
    f, s, a = shift(r, m), shift(r, 2 * m), shift(k, n)
    nc = H[T.CANDIDATES]
    stats[T.SETTLES] += 1
    for i in range(n):
        k[i] = y[n + i]
    if H[T.MOVING] > 0:
        move(H, y)
    ptr, idx, val = i8(H[T.PTR]), i8(H[T.IDX]), f8(H[T.VAL])
    for c in range(nc):
        r[rows[c]] = row_times(H, rows[c], k)
    guess_states(H, r)
    call_evaluate(H[T.PROJECT], H, t, side, y, k, r)
    settled = False
    for turn in range(ALL_AT_ONCE + 4 * nc + 8):
        flags[STALE] = 1
        call_evaluate(H[T.EVALUATE], H, t, side, y, k, r)
        tiny = noise_of(H, r, k)
        f8(H[T.CNOISE])[0] = tiny
        changed = 0
        for c in range(nc):
            row = rows[c]
            if turn >= ALL_AT_ONCE and changed > 0:
                break
            if c < hard:
                if abs(f[row]) > tiny and sign[c] * f[row] <= 0.0:
                    sign[c] = 1 if f[row] > 0.0 else -1
                    if presses(H, c):
                        changed += 1
                continue
            q = c - hard
            if kind[q] == T.SWITCHED:
                changed += switch(H, q, f, r)
                continue
            if kind[q] == T.SMOOTHED or still[q] == 0:
                continue
            if state[q] == 0:
                if abs(f[row]) > friction_capacity(H, q, f, s, f[row], 0.0) * (1.0 + 1e-9) + tiny:
                    state[q] = 1 if f[row] > 0.0 else -1
                    changed += 1
            else:
                total = 0.0
                for e in range(ptr[row], ptr[row + 1]):
                    total += abs(val[e] * a[idx[e]])
                noise = NOISE * total + tiny * f8(H[T.CBASE])[c * nc + c]
                if state[q] * (row_times(H, row, a) - demand(H, c, t, side)) < -noise:
                    state[q] = 0
                    changed += 1
        if changed == 0:
            settled = True
            break
    if not settled:
        stats[T.FALLBACKS] += 1
        relax(H, t, side, y, k, r)
    flags[STALE] = 1
    call_evaluate(H[T.PROJECT], H, t, side, y, k, r)


@hot
def switch(H, q, f, r):  # type: ignore[no-untyped-def]
    """Let the machine of a switched row take one of its steps, -1 to 0 to +1 or back; 1 if it did."""
    noinline()
    state, half = i8(H[T.FSTATE]), f8(H[T.FHYS])[q]
    power = f[i8(H[T.FNORM])[q]] * r[i8(H[T.FRIC])[q]]
    if power < -half and state[q] >= 0:
        state[q] -= 1
        return 1
    if power > half and state[q] <= 0:
        state[q] += 1
        return 1
    return 0


@hot
def presses(H, c):  # type: ignore[no-untyped-def]
    """Whether a slipping row takes its capacity, by the sign of its force, from hard row ``c``."""
    noinline()
    normal, slip, kind = i8(H[T.CNORM]), f8(H[T.CSLIP]), i8(H[T.FKIND])
    found = False
    for q in range(H[T.FRICTIONS]):
        found = found or (normal[q] == c and slip[q] != 0.0 and kind[q] != T.SWITCHED)
    return found


#: Margins of all candidates, called by address.
MARGINS = evaluator(_margins)
#: Decision of all states, called by address.
SETTLE = evaluator(_settle)
