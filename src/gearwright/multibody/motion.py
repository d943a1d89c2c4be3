"""Compiled motion: forces, multipliers, one step, the loop. Every model runs through this one loop.

Equations (S0 chapter 3): ``M a = Q + J^T lambda``, ``J a = gamma``; eliminated to ``(J M^-1 J^T) lambda =
gamma - J M^-1 Q`` since M is diagonal (principal axes). The matrix is factorised by columns within its envelope.
Rotations advance on the group (Runge-Kutta-Munthe-Kaas, order 4): a shaft at constant speed is turned exactly,
however fast it is.

``H`` is the table of :mod:`.slots`. Rows, factor and accelerations are called by address, so that each compiles once.
"""

from __future__ import annotations

import math

from gearwright.kernels import by_address, hot, kernel
from gearwright.kernels.pointers import f8, i8, noinline, shift

from . import slots as T
from .forces import elastic, outer
from .rows import FLANK, OFFSET, PARAMETERS, cross, evaluate, row_speed

#: repetitions in which losses of rigid meshes settle
TURNS = 200

#: ``(H, t, left, r, p, v)``
_seer, call_see = by_address("nothing(words, real, word, reals, reals, reals)")
#: ``(H) -> 0 or the row that fails``
_factoriser, call_factorise = by_address("word(words)")
#: ``(H, t, left, v, states)``
_responder, call_respond = by_address("nothing(words, real, word, reals, reals)")


@hot
def matrices(p, R, v, W, count):
    """Rotation matrices from Euler parameters, and angular velocities in global axes."""
    for b in range(count):
        e, M, w, out = shift(p, 4 * b), shift(R, 9 * b), shift(v, 6 * b + 3), shift(W, 3 * b)
        e0, e1, e2, e3 = e[0], e[1], e[2], e[3]
        M[0] = 1.0 - 2.0 * (e2 * e2 + e3 * e3)
        M[1] = 2.0 * (e1 * e2 - e0 * e3)
        M[2] = 2.0 * (e1 * e3 + e0 * e2)
        M[3] = 2.0 * (e1 * e2 + e0 * e3)
        M[4] = 1.0 - 2.0 * (e1 * e1 + e3 * e3)
        M[5] = 2.0 * (e2 * e3 - e0 * e1)
        M[6] = 2.0 * (e1 * e3 - e0 * e2)
        M[7] = 2.0 * (e2 * e3 + e0 * e1)
        M[8] = 1.0 - 2.0 * (e1 * e1 + e2 * e2)
        for c in range(3):
            out[c] = M[3 * c] * w[0] + M[3 * c + 1] * w[1] + M[3 * c + 2] * w[2]


@hot
def turn_by(e, q, u0, u1, u2):
    """q = e * exp(u / 2), normalised; u in body axes."""
    angle = math.sqrt(u0 * u0 + u1 * u1 + u2 * u2)
    c, s = math.cos(0.5 * angle), 0.5
    if angle > 1e-8:
        s = math.sin(0.5 * angle) / angle
    x, y, z = s * u0, s * u1, s * u2
    e0, e1, e2, e3 = e[0], e[1], e[2], e[3]
    a = e0 * c - e1 * x - e2 * y - e3 * z
    d = e0 * x + e1 * c + e2 * z - e3 * y
    f = e0 * y - e1 * z + e2 * c + e3 * x
    g = e0 * z + e1 * y - e2 * x + e3 * c
    n = 1.0 / math.sqrt(a * a + d * d + f * f + g * g)
    q[0], q[1], q[2], q[3] = a * n, d * n, f * n, g * n


@_seer
def see(H, t, left, r, p, v):
    """Values and Jacobian of the rows in a state."""
    matrices(p, f8(H[T.MATRIX]), v, f8(H[T.SPIN]), H[T.BODIES])
    evaluate(H, t, left != 0, r, v)


@hot
def substitute(n, first, S, x):
    """x := S^-1 x, with the factor of :func:`factorise`."""
    for a in range(n):
        line, total = shift(S, a * n), x[a]
        for c in range(first[a], a):
            total -= line[c] * x[c]
        x[a] = total / line[a]
    for a in range(n - 1, -1, -1):
        line = shift(S, a * n)
        x[a] /= line[a]
        for c in range(first[a], a):
            x[c] -= line[c] * x[a]


@hot
def product(H, q):
    """Term of J M^-1 J^T of a pair of rows by the body that they share."""
    one, jac = shift(i8(H[T.PAIRS]), 6 * q), f8(H[T.JAC])
    x, y, inverse = (
        shift(jac, 18 * one[0] + one[2]),
        shift(jac, 18 * one[1] + one[3]),
        shift(f8(H[T.INVERSE]), 6 * one[4]),
    )
    total = 0.0
    for c in range(one[5], 6):  # rows of directions have no part along the axes
        total += x[c] * y[c] * inverse[c]
    return total


@_factoriser
def factorise(H):
    """S = L L^T of J M^-1 J^T (+ shift on the diagonal), within the envelope; 0 where it is singular."""
    n, first, S, pairs = H[T.RIGID], i8(H[T.FIRST]), f8(H[T.S]), i8(H[T.PAIRS])
    more = f8(H[T.SHIFT])[0]
    for a in range(n):
        for b in range(first[a], a + 1):
            S[a * n + b] = 0.0
    for k in range(H[T.PAIR_COUNT]):
        S[pairs[6 * k] * n + pairs[6 * k + 1]] += product(H, k)
    good = 1
    for a in range(n):
        line, begin = shift(S, a * n), first[a]
        line[a] += more
        for b in range(begin, a):
            other, total = shift(S, b * n), line[b]
            for c in range(max(begin, first[b]), b):
                total -= line[c] * other[c]
            line[b] = total / other[b]
        total = line[a]
        for c in range(begin, a):
            total -= line[c] * line[c]
        if not total > 1e-14 * line[a]:
            good = 0
            total = 1.0
        line[a] = math.sqrt(total)
    return good


@hot
def spread(H, x, out, scale):
    """out += scale M^-1 J^T x."""
    jac, body, inverse, bodies = f8(H[T.JAC]), i8(H[T.BODY]), f8(H[T.INVERSE]), H[T.BODIES]
    for k in range(H[T.RIGID]):
        for slot in range(3):
            b = body[3 * k + slot]
            if b < bodies:
                for c in range(6):
                    out[6 * b + c] += scale * inverse[6 * b + c] * jac[18 * k + 6 * slot + c] * x[k]


@hot
def solve(H, x):
    """x := multipliers with J M^-1 J^T x = x; redundant rows (shift > 0) share by the least norm."""
    n, first, S = H[T.RIGID], i8(H[T.FIRST]), f8(H[T.S])
    if f8(H[T.SHIFT])[0] == 0.0:
        substitute(n, first, S, x)
        return
    rest, move, pairs = f8(H[T.REST]), f8(H[T.MOVE]), i8(H[T.PAIRS])
    for k in range(n):
        rest[k] = x[k]
        move[k] = x[k]
        x[k] = 0.0
    for turn in range(4):
        substitute(n, first, S, move)
        for k in range(n):
            x[k] += move[k]
        if turn == 3:
            break
        # rest - (J M^-1 J^T) x from the pairs: the factor is that of the shifted matrix
        for k in range(n):
            move[k] = rest[k]
        for q in range(H[T.PAIR_COUNT]):
            a, b, total = pairs[6 * q], pairs[6 * q + 1], product(H, q)
            move[a] -= total * x[b]
            if a != b:
                move[b] -= total * x[a]


@hot
def answer(H, t, left, v, states):
    """Accelerations and multipliers of a state that has been seen and factorised."""
    noinline()
    Q, acc, inverse, lam, jac, body = (
        f8(H[T.Q]),
        f8(H[T.ACC]),
        f8(H[T.INVERSE]),
        f8(H[T.LAM]),
        f8(H[T.JAC]),
        i8(H[T.BODY]),
    )
    gamma, phi, rate, hold = f8(H[T.GAMMA]), f8(H[T.PHI]), f8(H[T.RATE]), f8(H[T.STABILISE])
    outer(H, t, left, v, Q)
    if H[T.ROWS] > H[T.RIGID]:
        elastic(H, t, left, v, states, f8(H[T.CHANGE]), Q)
    for b in range(6 * H[T.BODIES]):
        acc[b] = Q[b] * inverse[b]
    for k in range(H[T.RIGID]):
        J, on = shift(jac, 18 * k), shift(body, 3 * k)
        x = gamma[k] - row_speed(J, on, acc)
        if hold[0] != 0.0 or hold[1] != 0.0:
            x -= 2.0 * hold[0] * (row_speed(J, on, v) + rate[k]) + hold[1] * hold[1] * phi[k]
        lam[k] = x
    solve(H, lam)
    spread(H, lam, acc, 1.0)


@_responder
def respond(H, t, left, v, states):
    """Accelerations and multipliers; losses of rigid meshes follow the forces that they change, so on until both agree."""
    answer(H, t, left != 0, v, states)
    if H[T.PRESSES] == 0:
        return
    pressed, press, lam, acc = i8(H[T.PRESSED]), f8(H[T.PRESS]), f8(H[T.LAM]), f8(H[T.ACC])
    close = 1e-13 if f8(H[T.SHIFT])[0] == 0.0 else 1e-9  # shared loads carry the round-off of their shift
    for _turn in range(TURNS):
        size, change = 0.0, 0.0
        for q in range(H[T.PRESSES]):
            k = pressed[q]
            size, change = max(size, abs(lam[k])), max(change, abs(lam[k] - press[k]))
            press[k] = lam[k]
        if change <= close * size + 1e-300:
            return
        answer(H, t, left != 0, v, states)
    for b in range(6 * H[T.BODIES]):
        acc[b] = math.nan  # no one force agrees with its own friction


@hot
def flush(x, count):
    """Decaying round-off must not end in denormal numbers: they are ten times slower."""
    for k in range(count):
        if abs(x[k]) < 1e-60:
            x[k] = 0.0


@hot
def gap(H):
    """Largest value of a rigid row."""
    error, phi = 0.0, f8(H[T.PHI])
    for k in range(H[T.RIGID]):
        error = max(error, abs(phi[k]))
        if phi[k] != phi[k]:
            error = math.inf
    return error


@hot
def displace(H, u):
    """Move the state by small motions u."""
    r, p = f8(H[T.R]), f8(H[T.P])
    for b in range(H[T.BODIES]):
        for c in range(3):
            r[3 * b + c] += u[6 * b + c]
        e = shift(p, 4 * b)
        turn_by(e, e, u[6 * b + 3], u[6 * b + 4], u[6 * b + 5])


@hot
def settle(H, t, limit, mend, known):
    """See and factorise the state, brought back onto the rows; the largest errors left are kept.

    ``known``: the factor of a state nearby is at hand, which serves for the first correction. Without ``mend``
    nothing is moved: the errors are only looked at. Returns 0: good, 1: singular, 2: no convergence.
    """
    n, bodies, r, p, v = H[T.RIGID], H[T.BODIES], f8(H[T.R]), f8(H[T.P]), f8(H[T.V])
    lam, phi, rate, jac, body, Q = f8(H[T.LAM]), f8(H[T.PHI]), f8(H[T.RATE]), f8(H[T.JAC]), i8(H[T.BODY]), f8(H[T.Q])
    worst = f8(H[T.WORST])
    flush(r, 3 * bodies)
    flush(p, 4 * bodies)
    flush(v, 6 * bodies)
    call_see(H[T.SEE], H, t, 0, r, p, v)
    error = gap(H)
    for turn in range(12):
        if not mend or error <= limit or not error < 1e100:
            break
        if turn > 0 or not known:
            call_factorise(H[T.FACTORISE], H)
        for k in range(n):
            lam[k] = phi[k]
        solve(H, lam)
        for c in range(6 * bodies):
            Q[c] = 0.0
        spread(H, lam, Q, -1.0)
        displace(H, Q)
        call_see(H[T.SEE], H, t, 0, r, p, v)
        error = gap(H)
    good = call_factorise(H[T.FACTORISE], H)
    speed, before = 0.0, 0.0
    for turn in range(3):
        speed = 0.0
        for k in range(n):
            lam[k] = row_speed(shift(jac, 18 * k), shift(body, 3 * k), v) + rate[k]
            speed = max(speed, abs(lam[k]))
        before = max(before, speed)
        if speed <= limit or turn == 2 or not mend:
            break
        solve(H, lam)
        spread(H, lam, v, -1.0)
    if mend and before > limit:
        if before > 1e-7:  # gamma is quadratic in the speeds: below this it does not feel the correction
            call_see(H[T.SEE], H, t, 0, r, p, v)
        else:
            matrices(p, f8(H[T.MATRIX]), v, f8(H[T.SPIN]), bodies)
    worst[0] = max(worst[0], error)
    worst[1] = max(worst[1], speed)
    if not error < 1e100 or (mend and error > max(10.0 * limit, 1e-9)):
        return 2
    return 1 - good


@hot
def flip(H, t):
    """Change the flank of gear rows whose force has turned round, without a jump of the row; whether one has."""
    follow, lam, phi, par, rest, move = (
        i8(H[T.FOLLOW]),
        f8(H[T.LAM]),
        f8(H[T.PHI]),
        f8(H[T.PAR]),
        f8(H[T.REST]),
        f8(H[T.MOVE]),
    )
    found = False
    for q in range(H[T.FOLLOWS]):
        k = follow[q]
        c = shift(par, PARAMETERS * k)
        rest[k] = 0.0
        if lam[k] * c[FLANK] > 0.0:
            found = True
            rest[k] = 1.0
            move[k] = phi[k]
            c[FLANK] = -c[FLANK]
    if found:
        call_see(H[T.SEE], H, t, 0, f8(H[T.R]), f8(H[T.P]), f8(H[T.V]))
        for q in range(H[T.FOLLOWS]):
            k = follow[q]
            if rest[k] > 0.0:
                par[PARAMETERS * k + OFFSET] += phi[k] - move[k]
                phi[k] = move[k]
    return found


@hot
def stage(H, at, k):
    """State at time ``at`` into the step, from the slopes of stage k."""
    r, p, v, states, n = f8(H[T.R]), f8(H[T.P]), f8(H[T.V]), f8(H[T.STATES]), H[T.STATE_COUNT]
    rs, ps, vs, own = f8(H[T.STAGE_R]), f8(H[T.STAGE_P]), f8(H[T.STAGE_V]), f8(H[T.STAGE_STATES])
    slope, change = shift(f8(H[T.SLOPE]), 12 * (H[T.BODIES] + 1) * k), shift(f8(H[T.STATE_SLOPE]), n * k)
    for b in range(H[T.BODIES]):
        x = shift(slope, 12 * b)
        for c in range(3):
            rs[3 * b + c] = r[3 * b + c] + at * x[c]
        turn_by(shift(p, 4 * b), shift(ps, 4 * b), at * x[3], at * x[4], at * x[5])
        for c in range(6):
            vs[6 * b + c] = v[6 * b + c] + at * x[6 + c]
    for q in range(n):
        own[q] = states[q] + at * change[q]


@hot
def slopes(H, k, v, at_h):
    """Slopes of stage k; the rotation's by the inverse of the tangent map at u = at_h * slope of the stage before."""
    all_, acc, size, n = f8(H[T.SLOPE]), f8(H[T.ACC]), 12 * (H[T.BODIES] + 1), H[T.STATE_COUNT]
    change, rates = f8(H[T.CHANGE]), f8(H[T.STATE_SLOPE])
    for b in range(H[T.BODIES]):
        out = shift(all_, size * k + 12 * b)
        w0, w1, w2 = v[6 * b + 3], v[6 * b + 4], v[6 * b + 5]
        if k > 0:
            x = shift(all_, size * (k - 1) + 12 * b)
            u0, u1, u2 = at_h * x[3], at_h * x[4], at_h * x[5]
            c0, c1, c2 = cross(u0, u1, u2, w0, w1, w2)
            d0, d1, d2 = cross(u0, u1, u2, c0, c1, c2)
            w0, w1, w2 = w0 + 0.5 * c0 + d0 / 12.0, w1 + 0.5 * c1 + d1 / 12.0, w2 + 0.5 * c2 + d2 / 12.0
        out[3], out[4], out[5] = w0, w1, w2
        for c in range(3):
            out[c] = v[6 * b + c]
        for c in range(6):
            out[6 + c] = acc[6 * b + c]
    for q in range(n):
        rates[n * k + q] = change[q]


@hot
def energy(H, v):
    """Kinetic energy."""
    mass, total = f8(H[T.MASS]), 0.0
    for c in range(6 * H[T.BODIES]):
        total += 0.5 * mass[c] * v[c] * v[c]
    return total


@hot
def power(H, v):
    """Power of all forces at the accelerations that they have just given."""
    mass, acc, total = f8(H[T.MASS]), f8(H[T.ACC]), 0.0
    for c in range(6 * H[T.BODIES]):
        total += mass[c] * v[c] * acc[c]
    return total


@hot
def advance(H, t, h):
    """One step from a state whose accelerations are known; False where a stage is singular."""
    bodies, r, p, v = H[T.BODIES], f8(H[T.R]), f8(H[T.P]), f8(H[T.V])
    rs, ps, vs, states, own = (
        f8(H[T.STAGE_R]),
        f8(H[T.STAGE_P]),
        f8(H[T.STAGE_V]),
        f8(H[T.STATES]),
        f8(H[T.STAGE_STATES]),
    )
    all_, size, rates, n = f8(H[T.SLOPE]), 12 * (bodies + 1), f8(H[T.STATE_SLOPE]), H[T.STATE_COUNT]
    work = 0.0
    for k in range(4):
        at = 0.5 * h * ((k + 1) // 2)  # 0, h/2, h/2, h
        if k > 0:
            stage(H, at, k - 1)
            left = 1 if k == 3 else 0
            call_see(H[T.SEE], H, t + at, left, rs, ps, vs)
            if call_factorise(H[T.FACTORISE], H) == 0:
                return False
            call_respond(H[T.RESPOND], H, t + at, left, vs, own)
        slopes(H, k, vs if k > 0 else v, at)
        work += (1.0 if k == 0 or k == 3 else 2.0) * power(H, vs if k > 0 else v)
    f8(H[T.WORST])[2] += work * h / 6.0
    for b in range(bodies):
        x = shift(all_, 12 * b)
        for c in range(12):
            x[c] = (x[c] + 2.0 * (x[size + c] + x[2 * size + c]) + x[3 * size + c]) * h / 6.0
        for c in range(3):
            r[3 * b + c] += x[c]
        e = shift(p, 4 * b)
        turn_by(e, e, x[3], x[4], x[5])
        for c in range(6):
            v[6 * b + c] += x[6 + c]
    for q in range(n):
        states[q] += (rates[q] + 2.0 * (rates[n + q] + rates[2 * n + q]) + rates[3 * n + q]) * h / 6.0
    return True


@hot
def copy(source, target, first, count):
    """Copy to the entries of ``target`` from ``first`` on."""
    for k in range(count):
        target[first + k] = source[k]


@kernel
def loop(table, t0, h, steps, every, limit, mend):
    """``steps`` steps of h, a sample before each ``every``-th one. Returns the steps done.

    ``limit``: errors that the projection leaves; ``mend``: project, or leave the rows to their stabilisation.
    """
    H = i8(table.ctypes.data)
    bodies, count, v, last, psi, lam = H[T.BODIES], H[T.ROWS], f8(H[T.V]), f8(H[T.LAST]), f8(H[T.PSI]), f8(H[T.LAM])
    sample, worst = 0, f8(H[T.WORST])
    for step in range(steps + 1):
        t = t0 + step * h
        state = settle(H, t, limit, mend, step > 0)
        if state == 2:
            return step - 1
        call_respond(H[T.RESPOND], H, t, 0, v, f8(H[T.STATES]))
        if H[T.FOLLOWS] > 0 and flip(H, t):
            if call_factorise(H[T.FACTORISE], H) == 0:
                state = 1
            call_respond(H[T.RESPOND], H, t, 0, v, f8(H[T.STATES]))
        copy(psi, last, 0, 2 * count)
        worst[3] = max(worst[3], energy(H, v))
        if step % every == 0:
            copy(f8(H[T.R]), f8(H[T.OUT_R]), 3 * bodies * sample, 3 * bodies)
            copy(f8(H[T.P]), f8(H[T.OUT_P]), 4 * bodies * sample, 4 * bodies)
            copy(v, f8(H[T.OUT_V]), 6 * bodies * sample, 6 * bodies)
            copy(f8(H[T.ACC]), f8(H[T.OUT_ACC]), 6 * bodies * sample, 6 * bodies)
            copy(lam, f8(H[T.OUT_LAM]), count * sample, count)
            sample += 1
        if step == steps or state == 1:
            return step
        if not advance(H, t, h):
            return step
    return steps


@kernel
def seen(table, t, left):
    """Values, Jacobian, forces of a state (in the workspace); False where the rows are singular."""
    H = i8(table.ctypes.data)
    call_see(H[T.SEE], H, t, left, f8(H[T.R]), f8(H[T.P]), f8(H[T.V]))
    good = call_factorise(H[T.FACTORISE], H)
    call_respond(H[T.RESPOND], H, t, left, f8(H[T.V]), f8(H[T.STATES]))
    return good


@kernel
def moved(table, change):
    """Displace a state by small motions (bodies x 6, rotations in body axes)."""
    displace(i8(table.ctypes.data), f8(change.ctypes.data))
