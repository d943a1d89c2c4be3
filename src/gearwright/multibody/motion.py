"""Compiled motion: forces, multipliers, one step, the loop. Every model runs through this one loop.

Equations (S0 chapter 3): ``M a = Q + J^T lambda``, ``J a = gamma``; eliminated to ``(J M^-1 J^T) lambda =
gamma - J M^-1 Q`` since M is diagonal (principal axes). The matrix is factorised by columns within its envelope.
Rotations advance on the group (Runge-Kutta-Munthe-Kaas, order 4): a shaft at constant speed is turned exactly,
however fast it is.
"""

from __future__ import annotations

import math

from gearwright.system import START, hot, kernel
from gearwright.system.calls import call_force, call_guard

from .rows import DAMPING, FLANK, OFFSET, PHASE, SIGN, STIFFNESS, cross, evaluate, row_speed


@hot
def matrices(p, R, v, W, count):
    """Rotation matrices from Euler parameters, and angular velocities in global axes."""
    for b in range(count):
        e0, e1, e2, e3 = p[b, 0], p[b, 1], p[b, 2], p[b, 3]
        R[b, 0] = 1.0 - 2.0 * (e2 * e2 + e3 * e3)
        R[b, 1] = 2.0 * (e1 * e2 - e0 * e3)
        R[b, 2] = 2.0 * (e1 * e3 + e0 * e2)
        R[b, 3] = 2.0 * (e1 * e2 + e0 * e3)
        R[b, 4] = 1.0 - 2.0 * (e1 * e1 + e3 * e3)
        R[b, 5] = 2.0 * (e2 * e3 - e0 * e1)
        R[b, 6] = 2.0 * (e1 * e3 - e0 * e2)
        R[b, 7] = 2.0 * (e2 * e3 + e0 * e1)
        R[b, 8] = 1.0 - 2.0 * (e1 * e1 + e2 * e2)
        for c in range(3):
            W[b, c] = R[b, 3 * c] * v[b, 3] + R[b, 3 * c + 1] * v[b, 4] + R[b, 3 * c + 2] * v[b, 5]


@hot
def turn_by(p, b, q, u0, u1, u2):
    """q[b] = p[b] * exp(u / 2), normalised; u in body axes."""
    angle = math.sqrt(u0 * u0 + u1 * u1 + u2 * u2)
    c, s = math.cos(0.5 * angle), 0.5
    if angle > 1e-8:
        s = math.sin(0.5 * angle) / angle
    x, y, z = s * u0, s * u1, s * u2
    e0, e1, e2, e3 = p[b, 0], p[b, 1], p[b, 2], p[b, 3]
    a = e0 * c - e1 * x - e2 * y - e3 * z
    d = e0 * x + e1 * c + e2 * z - e3 * y
    f = e0 * y - e1 * z + e2 * c + e3 * x
    g = e0 * z + e1 * y - e2 * x + e3 * c
    n = 1.0 / math.sqrt(a * a + d * d + f * f + g * g)
    q[b, 0], q[b, 1], q[b, 2], q[b, 3] = a * n, d * n, f * n, g * n


@hot
def table_value(times, values, start, stop, t, left):
    """Value of a table at t, constant outside; at a jump the value before it when ``left``."""
    if t < times[start] or (left and t <= times[start]):
        return values[start]
    k = start
    while k + 1 < stop and (times[k + 1] < t or (not left and times[k + 1] <= t)):
        k += 1
    if k + 1 == stop:
        return values[k]
    width = times[k + 1] - times[k]
    if width <= 0.0:
        return values[k]
    return values[k] + (values[k + 1] - values[k]) * (t - times[k]) / width


@hot
def forces(m, t, left, R, v, Q):
    """Q: gravity, gyroscopic term and loads."""
    bodies = len(m.mass)
    for b in range(bodies):
        for c in range(3):
            Q[b, c] = m.mass[b, c] * m.gravity[c]
        h0, h1, h2 = m.mass[b, 3] * v[b, 3], m.mass[b, 4] * v[b, 4], m.mass[b, 5] * v[b, 5]
        g0, g1, g2 = cross(v[b, 3], v[b, 4], v[b, 5], h0, h1, h2)
        Q[b, 3], Q[b, 4], Q[b, 5] = -g0, -g1, -g2
    for k in range(len(m.load_body)):
        b = m.load_body[k]
        f = table_value(m.times, m.values, m.load_table[k, 0], m.load_table[k, 1], t, left)
        x = m.load_vector
        if m.load_slope[k, 0] != 0.0:
            spin = x[k, 3] * v[b, 3] + x[k, 4] * v[b, 4] + x[k, 5] * v[b, 5]
            f += m.load_slope[k, 0] * (spin - m.load_slope[k, 1])
        if m.load_global[k]:
            for c in range(3):
                Q[b, c] += f * x[k, c]
                Q[b, 3 + c] += f * (R[b, c] * x[k, 3] + R[b, 3 + c] * x[k, 4] + R[b, 6 + c] * x[k, 5])
            f0 = f * (R[b, 0] * x[k, 0] + R[b, 3] * x[k, 1] + R[b, 6] * x[k, 2])
            f1 = f * (R[b, 1] * x[k, 0] + R[b, 4] * x[k, 1] + R[b, 7] * x[k, 2])
            f2 = f * (R[b, 2] * x[k, 0] + R[b, 5] * x[k, 1] + R[b, 8] * x[k, 2])
        else:
            f0, f1, f2 = f * x[k, 0], f * x[k, 1], f * x[k, 2]
            for c in range(3):
                Q[b, c] += R[b, 3 * c] * f0 + R[b, 3 * c + 1] * f1 + R[b, 3 * c + 2] * f2
                Q[b, 3 + c] += f * x[k, 3 + c]
        n0, n1, n2 = cross(m.load_point[k, 0], m.load_point[k, 1], m.load_point[k, 2], f0, f1, f2)
        Q[b, 3] += n0
        Q[b, 4] += n1
        Q[b, 5] += n2


@hot
def elastic(m, t, v, w):
    """Forces of rows with a stiffness or a law, as multipliers ``w.lam`` and in ``w.Q``."""
    bodies, jac, lam = len(m.mass), w.jac, w.lam
    for k in range(m.rigid, len(m.kind)):
        w.dv[k] = row_speed(jac, m.body, v, k) + w.rate[k]
        lam[k] = -m.par[k, STIFFNESS] * w.phi[k] - m.par[k, DAMPING] * w.dv[k]
    for q in range(len(m.couple)):
        a, b = m.couple[q, 0], m.couple[q, 1]
        lam[a] -= m.couple_value[q, 0] * w.phi[b] + m.couple_value[q, 1] * w.dv[b]
    for q in range(len(m.law)):
        first, count, at = m.law[q, 2], m.law[q, 3], m.law[q, 4]
        for k in range(first, first + count):
            w.d[k] = m.par[k, SIGN] * w.phi[k]
            w.dv[k] *= m.par[k, SIGN]
        mode = 0
        if m.law[q, 1] != 0:
            # fixed steps: the piece is that of the present values
            mode = call_guard(  # type: ignore[call-arg]
                m.law[q, 1], t, w.d, w.dv, first, m.law_par, at, w.none, 0, w.none, START, w.none
            )
        call_force(m.law[q, 0], t, w.d, w.dv, w.f, first, m.law_par, at, w.none, w.none, 0, w.none, mode)  # type: ignore[call-arg]
        for k in range(first, first + count):
            if m.law[q, 5] != 0 and w.f[k] < 0.0:
                w.f[k] = 0.0
            lam[k] = -m.par[k, SIGN] * w.f[k]
            if m.kind[k] == PHASE:
                lam[k] = 0.0
    for k in range(m.rigid, len(m.kind)):
        for slot in range(3):
            b = m.body[k, slot]
            if b < bodies:
                for c in range(6):
                    w.Q[b, c] += jac[k, 6 * slot + c] * lam[k]


@hot
def factorise(m, jac, S):
    """S = L L^T of J M^-1 J^T (+ m.shift on the diagonal), within the envelope; False where it is singular."""
    n = m.rigid
    for a in range(n):
        for b in range(m.first[a], a + 1):
            S[a, b] = 0.0
    for k in range(len(m.pairs)):
        a, b, x, y, body = m.pairs[k, 0], m.pairs[k, 1], m.pairs[k, 2], m.pairs[k, 3], m.pairs[k, 4]
        total = 0.0
        for c in range(m.pairs[k, 5], 6):  # rows of directions have no part along the axes
            total += jac[a, x + c] * jac[b, y + c] * m.inverse[body, c]
        S[a, b] += total
    good = True
    for a in range(n):
        S[a, a] += m.shift
        for b in range(m.first[a], a + 1):
            total = S[a, b]
            for c in range(max(m.first[a], m.first[b]), b):
                total -= S[a, c] * S[b, c]
            if b < a:
                S[a, b] = total / S[b, b]
            else:
                if not total > 1e-14 * S[a, a]:
                    good = False
                    total = 1.0
                S[a, a] = math.sqrt(total)
    return good


@hot
def substitute(m, S, x):
    """x := S^-1 x, with the factor of :func:`factorise`."""
    n = m.rigid
    for a in range(n):
        total = x[a]
        for c in range(m.first[a], a):
            total -= S[a, c] * x[c]
        x[a] = total / S[a, a]
    for a in range(n - 1, -1, -1):
        x[a] /= S[a, a]
        for c in range(m.first[a], a):
            x[c] -= S[a, c] * x[a]


@hot
def spread(m, jac, x, out, scale):
    """out += scale M^-1 J^T x."""
    for k in range(m.rigid):
        for slot in range(3):
            b = m.body[k, slot]
            if b < len(m.mass):
                for c in range(6):
                    out[b, c] += scale * m.inverse[b, c] * jac[k, 6 * slot + c] * x[k]


@hot
def solve(m, jac, S, x, rest, move):
    """x := multipliers with J M^-1 J^T x = x; redundant rows (m.shift > 0) share by the least norm."""
    n = m.rigid
    if m.shift == 0.0:
        substitute(m, S, x)
        return
    for k in range(n):
        rest[k] = x[k]
        x[k] = 0.0
    for k in range(n):
        move[k] = rest[k]
    for turn in range(4):
        substitute(m, S, move)
        for k in range(n):
            x[k] += move[k]
        if turn == 3:
            break
        # rest - (J M^-1 J^T) x from the pairs: the factor is that of the shifted matrix
        for k in range(n):
            move[k] = rest[k]
        for q in range(len(m.pairs)):
            a, b = m.pairs[q, 0], m.pairs[q, 1]
            total = 0.0
            for c in range(6):
                total += jac[a, m.pairs[q, 2] + c] * jac[b, m.pairs[q, 3] + c] * m.inverse[m.pairs[q, 4], c]
            move[a] -= total * x[b]
            if a != b:
                move[b] -= total * x[a]


@hot
def see(m, t, left, r, p, v, last, w):
    """Values and Jacobian of a state."""
    matrices(p, w.R, v, w.W, len(m.mass))
    evaluate(m.kind, m.body, m.local, m.par, m.times, m.values, m.angles, t, left, r, w.R, v, w.W, last, w.phi, w.jac,
             w.gamma, w.rate, w.psi)  # fmt: skip


@hot
def respond(m, t, left, v, w, acc):
    """Accelerations and multipliers of a state that has been seen and factorised."""
    forces(m, t, left, w.R, v, w.Q)
    elastic(m, t, v, w)
    for b in range(len(m.mass)):
        for c in range(6):
            acc[b, c] = w.Q[b, c] * m.inverse[b, c]
    for k in range(m.rigid):
        x = w.gamma[k] - row_speed(w.jac, m.body, acc, k)
        if m.stabilise[0] != 0.0 or m.stabilise[1] != 0.0:
            x -= 2.0 * m.stabilise[0] * (row_speed(w.jac, m.body, v, k) + w.rate[k])
            x -= m.stabilise[1] * m.stabilise[1] * w.phi[k]
        w.lam[k] = x
    solve(m, w.jac, w.S, w.lam, w.rest, w.move)
    spread(m, w.jac, w.lam, acc, 1.0)


@hot
def flush(s, bodies):
    """Decaying round-off must not end in denormal numbers: they are ten times slower."""
    for b in range(bodies):
        for c in range(3):
            if abs(s.r[b, c]) < 1e-60:
                s.r[b, c] = 0.0
        for c in range(4):
            if abs(s.p[b, c]) < 1e-60:
                s.p[b, c] = 0.0
        for c in range(6):
            if abs(s.v[b, c]) < 1e-60:
                s.v[b, c] = 0.0


@hot
def gap(m, w):
    """Largest value of a rigid row."""
    error = 0.0
    for k in range(m.rigid):
        error = max(error, abs(w.phi[k]))
        if w.phi[k] != w.phi[k]:
            error = math.inf
    return error


@hot
def settle(m, t, left, s, w, limit, mend, known, worst):
    """See and factorise a state, brought back onto the rows; the errors left go to ``worst``.

    ``known``: the factor of a state nearby is at hand, which serves for the first correction. Without ``mend``
    nothing is moved: the errors are only looked at. Returns 0: good, 1: singular, 2: no convergence.
    """
    flush(s, len(m.mass))
    see(m, t, left, s.r, s.p, s.v, s.last, w)
    error = gap(m, w)
    for turn in range(12):
        if not mend or error <= limit or not error < 1e100:
            break
        if turn > 0 or not known:
            factorise(m, w.jac, w.S)
        for k in range(m.rigid):
            w.lam[k] = w.phi[k]
        solve(m, w.jac, w.S, w.lam, w.rest, w.move)
        for b in range(len(m.mass)):
            for c in range(6):
                w.Q[b, c] = 0.0
        spread(m, w.jac, w.lam, w.Q, -1.0)
        for b in range(len(m.mass)):
            for c in range(3):
                s.r[b, c] += w.Q[b, c]
            turn_by(s.p, b, s.p, w.Q[b, 3], w.Q[b, 4], w.Q[b, 5])
        see(m, t, left, s.r, s.p, s.v, s.last, w)
        error = gap(m, w)
    good = factorise(m, w.jac, w.S)
    speed, before = 0.0, 0.0
    for turn in range(3):
        speed = 0.0
        for k in range(m.rigid):
            w.lam[k] = row_speed(w.jac, m.body, s.v, k) + w.rate[k]
            speed = max(speed, abs(w.lam[k]))
        before = max(before, speed)
        if speed <= limit or turn == 2 or not mend:
            break
        solve(m, w.jac, w.S, w.lam, w.rest, w.move)
        spread(m, w.jac, w.lam, s.v, -1.0)
    if mend and before > limit:
        if before > 1e-7:  # gamma is quadratic in the speeds: below this it does not feel the correction
            see(m, t, left, s.r, s.p, s.v, s.last, w)
        else:
            matrices(s.p, w.R, s.v, w.W, len(m.mass))
    worst[0] = max(worst[0], error)
    worst[1] = max(worst[1], speed)
    if not error < 1e100 or (mend and error > max(10.0 * limit, 1e-9)):
        return 2
    return 0 if good else 1


@hot
def flip(m, t, left, s, w):
    """Change the flank of gear rows whose force has turned round, without a jump of the row; whether one has."""
    found = False
    for q in range(len(m.follow)):
        k = m.follow[q]
        w.rest[k] = 0.0
        if w.lam[k] * m.par[k, FLANK] > 0.0:
            found = True
            w.rest[k] = 1.0
            w.move[k] = w.phi[k]
            m.par[k, FLANK] = -m.par[k, FLANK]
    if found:
        see(m, t, left, s.r, s.p, s.v, s.last, w)
        for q in range(len(m.follow)):
            k = m.follow[q]
            if w.rest[k] > 0.0:
                m.par[k, OFFSET] += w.phi[k] - w.move[k]
                w.phi[k] = w.move[k]
    return found


@hot
def stage(s, w, m, at, k):
    """State at time ``at`` into the step, from the slopes of stage k."""
    for b in range(len(m.mass)):
        for c in range(3):
            w.r[b, c] = s.r[b, c] + at * w.slope[k, b, c]
        turn_by(s.p, b, w.p, at * w.slope[k, b, 3], at * w.slope[k, b, 4], at * w.slope[k, b, 5])
        for c in range(6):
            w.v[b, c] = s.v[b, c] + at * w.slope[k, b, 6 + c]


@hot
def slopes(w, m, k, v, at_h):
    """Slopes of stage k; the rotation's by the inverse of the tangent map at u = at_h * slope of the stage before."""
    for b in range(len(m.mass)):
        w0, w1, w2 = v[b, 3], v[b, 4], v[b, 5]
        if k > 0:
            u0, u1, u2 = at_h * w.slope[k - 1, b, 3], at_h * w.slope[k - 1, b, 4], at_h * w.slope[k - 1, b, 5]
            c0, c1, c2 = cross(u0, u1, u2, w0, w1, w2)
            d0, d1, d2 = cross(u0, u1, u2, c0, c1, c2)
            w0, w1, w2 = w0 + 0.5 * c0 + d0 / 12.0, w1 + 0.5 * c1 + d1 / 12.0, w2 + 0.5 * c2 + d2 / 12.0
        w.slope[k, b, 3], w.slope[k, b, 4], w.slope[k, b, 5] = w0, w1, w2
        for c in range(3):
            w.slope[k, b, c] = v[b, c]
        for c in range(6):
            w.slope[k, b, 6 + c] = w.acc[b, c]


@kernel
def run(m, s, w, t0, h, steps, every, limit, mend, out_r, out_p, out_v, out_acc, out_lam, out_worst):
    """The loop: ``steps`` steps of h, a sample before each ``every``-th one. Returns the steps done.

    ``limit``: errors that the projection leaves; ``mend``: project, or leave the rows to their stabilisation.
    """
    bodies = len(m.mass)
    sample = 0
    for step in range(steps + 1):
        t = t0 + step * h
        before = step < 0  # never: a step begins after a jump of a load
        state = settle(m, t, before, s, w, limit, mend, step > 0, out_worst)
        if state == 2:
            return step - 1
        respond(m, t, before, s.v, w, w.acc)
        if len(m.follow) > 0 and flip(m, t, before, s, w):
            if not factorise(m, w.jac, w.S):
                state = 1
            respond(m, t, before, s.v, w, w.acc)
        for k in range(len(m.kind)):
            s.last[k, 0] = w.psi[k, 0]
            s.last[k, 1] = w.psi[k, 1]
        if step % every == 0:
            for b in range(bodies):
                for c in range(3):
                    out_r[sample, b, c] = s.r[b, c]
                for c in range(4):
                    out_p[sample, b, c] = s.p[b, c]
                for c in range(6):
                    out_v[sample, b, c] = s.v[b, c]
                    out_acc[sample, b, c] = w.acc[b, c]
            for q in range(len(m.kind)):
                out_lam[sample, q] = w.lam[q]
            sample += 1
        if step == steps or state == 1:
            return step
        for b in range(bodies):
            for c in range(6):
                w.v[b, c] = s.v[b, c]
        slopes(w, m, 0, w.v, 0.0)
        for k in range(1, 4):
            at = 0.5 * h * ((k + 1) // 2)  # h/2, h/2, h
            stage(s, w, m, at, k - 1)
            see(m, t + at, k == 3, w.r, w.p, w.v, s.last, w)
            if not factorise(m, w.jac, w.S):
                return step
            respond(m, t + at, k == 3, w.v, w, w.acc)
            slopes(w, m, k, w.v, at)
        for b in range(bodies):
            for c in range(12):
                x = w.slope[0, b, c] + 2.0 * (w.slope[1, b, c] + w.slope[2, b, c]) + w.slope[3, b, c]
                w.slope[0, b, c] = x * h / 6.0
            for c in range(3):
                s.r[b, c] += w.slope[0, b, c]
            turn_by(s.p, b, s.p, w.slope[0, b, 3], w.slope[0, b, 4], w.slope[0, b, 5])
            for c in range(6):
                s.v[b, c] += w.slope[0, b, 6 + c]
    return steps


@kernel
def look(m, s, w, t, left):
    """Values, Jacobian, forces of a state (in the workspace); False where the rows are singular."""
    see(m, t, left, s.r, s.p, s.v, s.last, w)
    good = factorise(m, w.jac, w.S)
    respond(m, t, left, s.v, w, w.acc)
    return good


@kernel
def move(m, s, change):
    """Displace a state by small motions (bodies x 6, rotations in body axes)."""
    for b in range(len(m.mass)):
        for c in range(3):
            s.r[b, c] += change[b, c]
        turn_by(s.p, b, s.p, change[b, 3], change[b, 4], change[b, 5])
