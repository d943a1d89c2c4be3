"""The stepping loop of the exponential engine (method: :mod:`gearwright.solve.exponential`)."""

from __future__ import annotations

from math import floor, inf, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gearwright.system.compiled import START, call_force, call_guard, hot, kernel
from gearwright.system.signals import evaluate

from .exponential_tables import fill_step, fill_weights

F8 = NDArray[np.float64]
I8 = NDArray[np.int64]

#: Passes of the fixed point before a step is halved, pieces of a law within one step, numbers in ``count``.
PASSES, PIECES, COUNTS = 14, 24, 6

#: How a law is cut within a step: not at all, at declared phases and gaps, or by walking along its guard.
SMOOTH, DECLARED, WALK = 0, 1, 2

_X3, _W3 = 0.7745966692414834, (0.5555555555555556, 0.8888888888888888)
_X4, _W4 = (0.8611363115940526, 0.3399810435848563), (0.3478548451374538, 0.6521451548625461)
_MARK = START


class Model(NamedTuple):
    """What a step reads. Y block coordinates, F force rows and R rows of laws, Z watched values, P prescribed.

    The watched values at the end of a step are: deflections then rates of the R rows, rates of the damped
    springs, positions then speeds of the coordinates that inputs or mass couplings touch, deflections then
    rates of the springs on prescribed coordinates.
    """

    a: F8  # (blocks, 4)
    b: F8  # (F, Y) forcing by a unit of row force
    c: F8  # (Y, R) deflections of the rows of laws
    z: F8  # (Y, Z)
    zx: F8  # (P, Z) by prescribed positions
    zv: F8  # (P, Z) by prescribed speeds
    zrho: F8  # (r, Z) by rigid motions of the state
    forcing: F8  # (sources, Y) sources: signals, one, prescribed positions
    own: I8  # (F) row of every force row
    laddr: I8
    lguard: I8
    lrow: I8
    lnf: I8
    lns: I8
    lp: I8
    par: F8
    kind: I8  # (L)
    points: I8  # (L) Gauss points where a law is not cut
    kref: F8  # reference stiffness of each law, square, one after the other
    cref: F8
    kptr: I8  # (L + 1)
    cut: I8  # (L + 1) into the following: a row, the level it crosses, the period of the levels (0: one level)
    cutrow: I8
    cutlevel: F8
    cutperiod: F8
    sptr: NDArray[np.uint32]
    sstart: F8
    scoef: F8
    ssin: F8
    sdt: F8
    varying: I8  # signals that are not constant
    speed: I8  # (P) signals of prescribed speed
    rigid: F8  # (free rigid motions, Y)
    from_rigid: F8  # (Y, free rigid motions)
    free_rigid: F8  # (r, free rigid motions)
    held: F8  # (r, P)
    rest: F8  # (P, P)


class Book(NamedTuple):
    """What the energy book reads (places are in the watched values) and where it adds up."""

    chat_springs: I8  # (damped springs) marks only, their number counts
    inputs: I8  # (inputs) watched coordinate, -1: not booked
    signal: I8
    coefficient: F8
    reaction_row: I8  # force row of laws >= 0, or -1 - (spring on a prescribed coordinate)
    reaction_of: I8  # prescribed coordinate (0..P-1)
    reaction_by: F8  # coefficient of the row
    reaction_k: F8
    reaction_c: F8
    reaction_f: F8
    own_mass: F8  # (P, P)
    couple_of: I8
    couple_with: I8  # watched coordinate
    couple_mass: F8
    acceleration: I8  # (P) signals
    law_work: F8  # (F)
    law_heat: F8  # (F) integral of dv^2
    spring_heat: F8  # (damped springs) integral of dv^2
    input_work: F8
    reaction: F8  # (P)


class Tables(NamedTuple):
    """Level tables; the last of each is rewritten for odd steps."""

    steps: F8
    half: F8
    full: F8
    response: F8
    third: F8
    weight: F8
    dense: F8  # (points, blocks, 8), see :func:`dense_place`


class Output(NamedTuple):
    """Channels as a linear map of y, row forces, signals, prescribed positions, rigid motions and one."""

    y: F8
    f: F8
    s: F8
    x: F8
    phi: F8
    one: F8


@hot
def _guard_at(x, h, t, row, n, c0, c1, c2, d, dv, address, par, ip, z, s, mode, g):  # type: ignore[no-untyped-def]
    """Guard of one law at place ``x`` of the step."""
    for i in range(row, row + n):
        d[i] = c0[i] + x * (c1[i] + x * c2[i])
        dv[i] = (c1[i] + 2.0 * x * c2[i]) / h
    return call_guard(address, t + x * h, d, dv, row, par, ip, z, 0, s, mode, g)


@hot
def _walk(a, h, t, row, n, c0, c1, c2, d, dv, address, par, ip, z, s, mode, g):  # type: ignore[no-untyped-def]
    """From place ``a`` along the piece ``mode``: ``(end of the piece or 1, mode after it)``."""
    following = _guard_at(a, h, t, row, n, c0, c1, c2, d, dv, address, par, ip, z, s, mode, g)
    margin, rate = g[0], g[1] * h
    if margin < 0.0 and rate <= 0.0:
        return a, following
    low, at_low = a, margin
    high = 1.0
    after = _guard_at(high, h, t, row, n, c0, c1, c2, d, dv, address, par, ip, z, s, mode, g)
    at_high = g[0]
    if at_high >= 0.0:
        # a margin that bends like a parabola can dip below zero in between
        width = 1.0 - a
        bend = at_high - margin - rate * width
        if rate >= 0.0 or bend <= 0.0 or margin < 0.0:
            return 1.0, mode
        dip = a - 0.5 * rate * width * width / bend
        if dip <= a or dip >= 1.0:
            return 1.0, mode
        after = _guard_at(dip, h, t, row, n, c0, c1, c2, d, dv, address, par, ip, z, s, mode, g)
        if g[0] >= 0.0:
            return 1.0, mode
        high, at_high = dip, g[0]
    elif margin < 0.0:
        # still outside but on its way back: if it turns before the end, the piece ends where it turns
        return (1.0, mode) if g[1] >= 0.0 else (0.5 * (a + 1.0), after)
    # regula falsi (Illinois) on a bracket: margin >= 0 at low, < 0 at high
    side = 0
    for _ in range(40):
        x = (low * at_high - high * at_low) / (at_high - at_low)
        if not low < x < high:
            x = 0.5 * (low + high)
        now = _guard_at(x, h, t, row, n, c0, c1, c2, d, dv, address, par, ip, z, s, mode, g)
        if g[0] < 0.0:
            high, at_high, after = x, g[0], now
            if side < 0:
                at_low *= 0.5
            side = -1
        else:
            low, at_low = x, g[0]
            if side > 0:
                at_high *= 0.5
            side = 1
        if high - low < 1e-12 or g[0] == 0.0:
            break
    return high, after


@hot
def _cuts(row, level, period, c0, c1, c2, x, count):  # type: ignore[no-untyped-def]
    """Add the places in (0, 1) where a quadratic crosses its levels to the sorted ``x``; returns the new count."""
    p0, p1, p2 = c0[row] - level, c1[row], c2[row]
    low = min(p0, p0 + p1 + p2)
    high = max(p0, p0 + p1 + p2)
    if p2 != 0.0:
        turn = -0.5 * p1 / p2
        if 0.0 < turn < 1.0:
            extreme = p0 + turn * (p1 + turn * p2)
            low, high = min(low, extreme), max(high, extreme)
    if period > 0.0:
        first = floor(low / period)
        last = floor(high / period)
        if first == last:
            return count
        first += 1
    else:
        if not low < 0.0 < high:
            return count
        first, last = 0, 0
    for k in range(int(first), int(last) + 1):
        q = p0 - k * period
        discriminant = p1 * p1 - 4.0 * p2 * q
        if discriminant < 0.0:
            continue
        root = -0.5 * (p1 + (sqrt(discriminant) if p1 >= 0.0 else -sqrt(discriminant)))
        for which in range(2):
            if which == 0:
                if root == 0.0:
                    continue
                place = q / root
            else:
                if p2 == 0.0:
                    continue
                place = root / p2
            if 1e-12 < place < 1.0 - 1e-12:
                if count >= x.shape[0]:
                    return count + 1
                i = count
                while i > 0 and x[i - 1] > place:
                    x[i] = x[i - 1]
                    i -= 1
                x[i] = place
                count += 1
    return count


@hot
def _propagate(a, table, y, b0, b1, b2, out):  # type: ignore[no-untyped-def]
    """``out = E y + sum_l Gamma_l b_l`` block by block."""
    for k in range(a.shape[0]):
        p1, p2 = table[k, 0] * y[2 * k], table[k, 0] * y[2 * k + 1]
        q1, q2 = table[k, 1] * y[2 * k], table[k, 1] * y[2 * k + 1]
        p1 += table[k, 2] * b0[2 * k] + table[k, 4] * b1[2 * k] + table[k, 6] * b2[2 * k]
        p2 += table[k, 2] * b0[2 * k + 1] + table[k, 4] * b1[2 * k + 1] + table[k, 6] * b2[2 * k + 1]
        q1 += table[k, 3] * b0[2 * k] + table[k, 5] * b1[2 * k] + table[k, 7] * b2[2 * k]
        q2 += table[k, 3] * b0[2 * k + 1] + table[k, 5] * b1[2 * k + 1] + table[k, 7] * b2[2 * k + 1]
        out[2 * k] = p1 + a[k, 0] * q1 + a[k, 1] * q2
        out[2 * k + 1] = p2 + a[k, 2] * q1 + a[k, 3] * q2


@hot
def _watch(z, base, zx, zv, y, x, v, out):  # type: ignore[no-untyped-def]
    """Watched values of a state."""
    n = z.shape[1]
    for i in range(n):
        out[i] = base[i]
    for k in range(0, z.shape[0], 2):
        y1, y2 = y[k], y[k + 1]
        for i in range(n):
            out[i] += z[k, i] * y1 + z[k + 1, i] * y2
    for k in range(zx.shape[0]):
        for i in range(n):
            out[i] += zx[k, i] * x[k] + zv[k, i] * v[k]


@hot
def _emit(out, place, lines_y, lines_f, lines_s, lines_x, lines_phi, lines_one, y, f, s, x, phi):  # type: ignore[no-untyped-def]
    n = lines_one.shape[0]
    for i in range(n):
        out[place, i] = lines_one[i]
    for k in range(lines_y.shape[0]):
        for i in range(n):
            out[place, i] += lines_y[k, i] * y[k]
    for k in range(lines_f.shape[0]):
        for i in range(n):
            out[place, i] += lines_f[k, i] * f[k]
    for k in range(lines_s.shape[0]):
        for i in range(n):
            out[place, i] += lines_s[k, i] * s[k]
    for k in range(lines_x.shape[0]):
        for i in range(n):
            out[place, i] += lines_x[k, i] * x[k]
    for k in range(lines_phi.shape[0]):
        for i in range(n):
            out[place, i] += lines_phi[k, i] * phi[k]


@hot
def dense_place(finer, index):  # type: ignore[no-untyped-def]
    """Place in the dense tables of inner point ``index`` (1, 2, ..) of a step of ``2 ** finer`` samples."""
    return (1 << finer) - finer - 1 + index - 1


@kernel
def advance(model, tables, book, output, landings, start, y, base, phi, phi_low, xp, modes, control, count, out):  # type: ignore[no-untyped-def]
    """Step ``out.shape[0]`` sample intervals on; returns 0, or 1 if no step is short enough.

    ``start`` (t, interval), ``control`` (deepest, coarsest, first level as powers of two of the shortest step,
    error per step, tolerance of the fixed point; the shortest step is the interval over two to the deepest), ``count`` receives
    steps, passes, rejected steps, largest error indicator, time and force row of a failure.
    """
    a, b, c, z, zx, zv, zrho, forcing, own = (
        model.a, model.b, model.c, model.z, model.zx, model.zv, model.zrho, model.forcing, model.own)  # fmt: skip
    laddr, lguard, lrow, lnf, lns, lp, par, kind, points = (
        model.laddr, model.lguard, model.lrow, model.lnf, model.lns, model.lp, model.par, model.kind, model.points)  # fmt: skip
    kref, cref, kptr, cut, cutrow, cutlevel, cutperiod = (
        model.kref, model.cref, model.kptr, model.cut, model.cutrow, model.cutlevel, model.cutperiod)  # fmt: skip
    sptr, sstart, scoef, ssin, sdt, varying, speed = (
        model.sptr, model.sstart, model.scoef, model.ssin, model.sdt, model.varying, model.speed)  # fmt: skip
    rigid, from_rigid, free_rigid, held, rest = model.rigid, model.from_rigid, model.free_rigid, model.held, model.rest
    level_half, level_full, level_response, level_third, level_weight, dense = (
        tables.half, tables.full, tables.response, tables.third, tables.weight, tables.dense)  # fmt: skip
    steps = tables.steps
    lines_y, lines_f, lines_s, lines_x, lines_phi, lines_one = (
        output.y, output.f, output.s, output.x, output.phi, output.one)  # fmt: skip
    law_work, law_heat, spring_heat, input_work, reaction = (
        book.law_work, book.law_heat, book.spring_heat, book.input_work, book.reaction)  # fmt: skip
    book_input, book_signal, book_coefficient = book.inputs, book.signal, book.coefficient

    laws = laddr.shape[0]
    nb = a.shape[0]
    ny = 2 * nb
    forces = b.shape[0]
    rows = c.shape[1]
    nz = z.shape[1]
    np_ = speed.shape[0]
    ns = sptr.shape[0] - 1
    springs = spring_heat.shape[0]
    first_spring = 2 * rows
    first_coordinate = first_spring + springs
    coordinates = book.chat_springs[0]
    first_reaction = first_coordinate + 2 * coordinates
    reactions = book.chat_springs[1]
    deepest, coarsest, level = int(control[0]), int(control[1]), int(control[2])
    allowed, settle = control[3], control[4]
    slots = steps.shape[0] - 1
    t0, interval = start[0], start[1]

    one = ns
    sources = forcing.shape[0]
    sig0, sig1, sig2 = np.zeros(sources), np.zeros(sources), np.zeros(sources)
    snow, sone = np.zeros(max(ns, 1)), np.zeros(max(ns, 1))
    b0, b1, b2, steady = np.zeros(ny), np.zeros(ny), np.zeros(ny), np.zeros(ny)
    f0, f1, f2 = np.zeros(ny), np.zeros(ny), np.zeros(ny)
    yh, yf, yn = np.zeros(ny), np.zeros(ny), np.zeros(ny)
    e0, e1, ez = np.zeros(nz), np.zeros(nz), np.zeros(nz)
    free, dd = np.zeros(2 * rows), np.zeros(2 * rows)
    c0, c1, c2 = np.zeros(rows), np.zeros(rows), np.zeros(rows)
    dw, dvw, fw = np.zeros(rows + 1), np.zeros(rows + 1), np.zeros(rows + 1)
    w, wn, w3 = np.zeros(3 * forces), np.zeros(3 * forces), np.zeros(forces)
    wend = np.zeros(forces)
    fl = np.zeros(forces)
    zl, zd, g = np.zeros(1), np.zeros(1), np.zeros(2)
    xs = np.zeros(PIECES)
    new_modes = np.zeros(laws, np.int64)
    xone, vnow, vone, xmid = np.zeros(np_), np.zeros(np_), np.zeros(np_), np.zeros(np_)
    psi = np.zeros(rigid.shape[0])
    gx3 = (-_X3, 0.0, _X3)
    gw3 = (0.5 * _W3[0], 0.5 * _W3[1], 0.5 * _W3[0])
    gx4 = (-_X4[0], -_X4[1], _X4[1], _X4[0])
    gw4 = (0.5 * _W4[0], 0.5 * _W4[1], 0.5 * _W4[1], 0.5 * _W4[0])

    ticks = 1 << deepest
    total = out.shape[0] * ticks
    pos = 0
    tau = 0.0
    cap = inf
    landing = 0
    odd_step = 0.0

    # constant sources once
    evaluate(sptr, sstart, scoef, ssin, sdt, t0, t0 + 1e-9 * interval, snow)
    for i in range(ns):
        sig0[i] = snow[i]
    sig0[one] = 1.0
    moving = np.zeros(sources, np.bool_)
    for i in range(varying.shape[0]):
        moving[varying[i]] = True
    for i in range(np_):
        moving[one + 1 + i] = True
        vnow[i] = snow[speed[i]]
    # sources that force anything, constant ones summed up
    active = np.zeros(sources, np.int64)
    n_active = 0
    for e in range(sources):
        used = False
        for k in range(ny):
            used = used or forcing[e, k] != 0.0
        if used and moving[e]:
            active[n_active] = e
            n_active += 1
        elif used:
            for k in range(ny):
                steady[k] += forcing[e, k] * sig0[e]
    _watch(z, base, zx, zv, y, xp, vnow, e0)
    for i in range(laws):
        if modes[i] == _MARK:
            modes[i] = 0
            if lguard[i] != 0:
                for k in range(lrow[i], lrow[i] + lnf[i] + lns[i]):
                    dw[k], dvw[k] = e0[k], e0[rows + k]
                modes[i] = call_guard(lguard[i], t0, dw, dvw, lrow[i], par, lp[i], zl, 0, snow, _MARK, g)

    while pos < total:
        t = t0 + interval * (pos / ticks) + tau
        while landing < landings.shape[0] and landings[landing] <= t + 1e-9 * interval:
            landing += 1
        # the step: a level that fits, or the way to a landing
        while (pos & ((1 << level) - 1)) != 0 or pos + (1 << level) > total:
            level -= 1
        target = t0 + interval * ((pos + (1 << level)) / ticks)
        if landing < landings.shape[0] and landings[landing] < target - 1e-9 * interval and level > deepest:
            level = deepest
            continue
        odd = tau != 0.0 or (landing < landings.shape[0] and landings[landing] < target - 1e-9 * interval)
        if odd:
            h = target - t
            if landing < landings.shape[0] and landings[landing] < target - 1e-9 * interval:
                h = landings[landing] - t
            if cap < h:
                h = cap
            slot = slots
            if h != odd_step:
                fill_step(a, b, c, h, level_half[slot], level_full[slot], level_response[slot], level_third[slot], level_weight[slot])
                fill_weights(a, b, c, own, h, level_response[slot], level_third[slot], level_weight[slot])
                odd_step = h
        else:
            slot = coarsest - level
            h = steps[slot]
        middle = t + 0.5 * h

        # --- inputs as polynomials
        if varying.shape[0] > 0:
            for i in range(varying.shape[0]):
                s = varying[i]
                sig0[s], sig1[s], sig2[s] = 0.0, 0.0, 0.0
            for q in range(3):
                x = gx3[q]
                evaluate(sptr, sstart, scoef, ssin, sdt, middle + 0.5 * h * x, middle, sone)
                for i in range(varying.shape[0]):
                    s = varying[i]
                    sig0[s] += gw3[q] * sone[s]
                    sig1[s] += 3.0 * gw3[q] * x * sone[s]
                    sig2[s] += 5.0 * gw3[q] * (1.5 * x * x - 0.5) * sone[s]
        for i in range(np_):
            s = speed[i]
            e = one + 1 + i
            sig0[e] = xp[i] + h * (0.5 * sig0[s] - sig1[s] / 6.0)
            sig1[e] = h * (0.5 * sig0[s] - 0.1 * sig2[s])
            sig2[e] = h * sig1[s] / 6.0
            xmid[i] = xp[i] + h * (0.5 * sig0[s] - 0.25 * sig1[s])
            xone[i] = xp[i] + h * sig0[s]
        for k in range(ny):
            b0[k], b1[k], b2[k] = steady[k], 0.0, 0.0
        for i in range(n_active):
            e = active[i]
            for k in range(ny):
                b0[k] += forcing[e, k] * sig0[e]
                b1[k] += forcing[e, k] * sig1[e]
                b2[k] += forcing[e, k] * sig2[e]

        # --- motion without the deviation of the laws
        half, full, response = level_half[slot], level_full[slot], level_response[slot]
        third, weight = level_third[slot], level_weight[slot]
        _propagate(a, half, y, b0, b1, b2, yh)
        _propagate(a, full, y, b0, b1, b2, yf)
        for i in range(rows):
            free[i] = base[i]
            free[rows + i] = base[i]
        for k in range(0, ny, 2):
            h1, h2, g1, g2 = yh[k], yh[k + 1], yf[k], yf[k + 1]
            for i in range(rows):
                free[i] += c[k, i] * h1 + c[k + 1, i] * h2
            for i in range(rows):
                free[rows + i] += c[k, i] * g1 + c[k + 1, i] * g2
        for k in range(np_):
            for i in range(rows):
                free[i] += zx[k, i] * xmid[k]
                free[rows + i] += zx[k, i] * xone[k]

        # --- fixed point of the force polynomials
        scale = 1e-300
        for j in range(forces):
            w[3 * j], w[3 * j + 1], w[3 * j + 2] = wend[j], 0.0, 0.0
        settled = False
        passes = 0
        worst = 0
        while passes < PASSES and not settled:
            passes += 1
            for i in range(2 * rows):
                dd[i] = free[i]
            for j in range(forces):
                u0, u1, u2 = w[3 * j], w[3 * j + 1], w[3 * j + 2]
                for i in range(2 * rows):
                    dd[i] += response[3 * j, i] * u0 + response[3 * j + 1, i] * u1 + response[3 * j + 2, i] * u2
            for i in range(rows):
                c0[i] = e0[i]
                c2[i] = 2.0 * (dd[rows + i] + e0[i] - 2.0 * dd[i])
                c1[i] = dd[rows + i] - e0[i] - c2[i]
            for j in range(3 * forces):
                wn[j] = 0.0
            for j in range(forces):
                w3[j] = 0.0
            failed = False
            force = 0
            for l in range(laws):
                row, nf = lrow[l], lnf[l]
                n = nf + lns[l]
                cuts = 0
                if kind[l] == DECLARED:
                    for i in range(cut[l], cut[l + 1]):
                        cuts = _cuts(cutrow[i], cutlevel[i], cutperiod[i], c0, c1, c2, xs, cuts)
                    if cuts > PIECES:
                        failed = True
                        break
                mode = modes[l]
                following = mode
                begin = 0.0
                pieces = 0
                while begin < 1.0:
                    end = 1.0
                    if kind[l] == WALK:
                        end, following = _walk(begin, h, t, row, n, c0, c1, c2, dw, dvw, lguard[l], par, lp[l], zl, snow, mode, g)
                    else:
                        if pieces < cuts:
                            end = xs[pieces]
                        if lguard[l] != 0:
                            mode = _guard_at(0.5 * (begin + end), h, t, row, n, c0, c1, c2, dw, dvw, lguard[l], par, lp[l], zl, snow, _MARK, g)
                    pieces += 1
                    if pieces > PIECES:
                        failed = True
                        break
                    width = end - begin
                    if width > 0.0:
                        many = 3
                        if width == 1.0:
                            many = points[l]
                        for q in range(many):
                            if many == 3:
                                x = begin + 0.5 * width * (1.0 + gx3[q])
                                share = width * gw3[q]
                            else:
                                x = begin + 0.5 * width * (1.0 + gx4[q])
                                share = width * gw4[q]
                            for i in range(row, row + n):
                                dw[i] = c0[i] + x * (c1[i] + x * c2[i])
                                dvw[i] = (c1[i] + 2.0 * x * c2[i]) / h
                            p = 2.0 * x - 1.0
                            for i in range(varying.shape[0]):
                                s = varying[i]
                                snow[s] = sig0[s] + p * sig1[s] + (1.5 * p * p - 0.5) * sig2[s]
                            call_force(laddr[l], t + x * h, dw, dvw, fw, row, par, lp[l], zl, zd, 0, snow, mode)
                            p1, p2, p3 = 3.0 * p, 5.0 * (1.5 * p * p - 0.5), 7.0 * p * (2.5 * p * p - 1.5)
                            for j in range(nf):
                                deviation = fw[row + j]
                                at = kptr[l] + j * nf
                                for i in range(nf):
                                    deviation -= kref[at + i] * dw[row + i] + cref[at + i] * dvw[row + i]
                                deviation *= share
                                wn[3 * (force + j)] += deviation
                                wn[3 * (force + j) + 1] += p1 * deviation
                                wn[3 * (force + j) + 2] += p2 * deviation
                                w3[force + j] += p3 * deviation
                    if kind[l] == WALK and end < 1.0:
                        mode = following
                    begin = end
                if failed:
                    worst = force
                    break
                new_modes[l] = mode
                if passes == 1:
                    for j in range(nf):
                        load = wn[3 * (force + j)]
                        at = kptr[l] + j * nf
                        for i in range(nf):
                            load += kref[at + i] * e0[row + i] + cref[at + i] * e0[rows + row + i]
                        load = abs(load) * weight[force + j]
                        if load > scale:
                            scale = load
                force += nf
            if failed:
                break
            change = 0.0
            for j in range(forces):
                d = abs(wn[3 * j] - w[3 * j]) + abs(wn[3 * j + 1] - w[3 * j + 1]) + abs(wn[3 * j + 2] - w[3 * j + 2])
                d *= weight[j]
                if not d <= change:
                    change = d
                    worst = j
            for j in range(3 * forces):
                w[j] = wn[j]
            if not change < inf:
                break
            settled = change <= settle * scale
        count[1] += passes

        indicator = 0.0
        if settled:
            # --- the new state
            for k in range(ny):
                f0[k], f1[k], f2[k] = 0.0, 0.0, 0.0
            for j in range(forces):
                u0, u1, u2 = w[3 * j], w[3 * j + 1], w[3 * j + 2]
                for k in range(ny):
                    f0[k] += b[j, k] * u0
                    f1[k] += b[j, k] * u1
                    f2[k] += b[j, k] * u2
            for k in range(nb):
                p1 = full[k, 2] * f0[2 * k] + full[k, 4] * f1[2 * k] + full[k, 6] * f2[2 * k]
                p2 = full[k, 2] * f0[2 * k + 1] + full[k, 4] * f1[2 * k + 1] + full[k, 6] * f2[2 * k + 1]
                q1 = full[k, 3] * f0[2 * k] + full[k, 5] * f1[2 * k] + full[k, 7] * f2[2 * k]
                q2 = full[k, 3] * f0[2 * k + 1] + full[k, 5] * f1[2 * k + 1] + full[k, 7] * f2[2 * k + 1]
                yn[2 * k] = yf[2 * k] + p1 + a[k, 0] * q1 + a[k, 1] * q2
                yn[2 * k + 1] = yf[2 * k + 1] + p2 + a[k, 2] * q1 + a[k, 3] * q2
            if np_ > 0:
                evaluate(sptr, sstart, scoef, ssin, sdt, t + h, middle, sone)
                for i in range(np_):
                    vone[i] = sone[speed[i]]
            _watch(z, base, zx, zv, yn, xone, vone, e1)
            # --- error: what the third coefficient and the bend of the deflection would have moved
            size = 1e-300
            error = 0.0
            force = 0
            for l in range(laws):
                nf = lnf[l]
                for j in range(nf):
                    i = lrow[l] + j
                    f = force + j
                    k = kref[kptr[l] + j * nf + j]
                    left_out = abs(w3[f] * third[f])
                    if k > 0.0:
                        size = max(size, abs(dd[rows + i]) / weight[f])
                        bend = h * (e0[rows + i] + e1[rows + i]) - 2.0 * (c1[i] + c2[i])
                        mean = abs(c0[i] + 0.5 * c1[i] + c2[i] / 3.0)
                        secant = min(abs(w[3 * f]) / (mean + 1e-300), k)
                        left_out += 0.05 * abs(bend * response[3 * f + 1, rows + i]) * secant
                    else:
                        size = max(size, abs(w[3 * f]) * weight[f])
                    error = max(error, left_out / weight[f])
                force += nf
            indicator = error / size if forces > 0 else 0.0
        if (not settled or indicator > allowed) and (h > 1.0000001 * steps[slots - 1]):
            # back, with half the step
            count[2] += 1
            if odd:
                cap = 0.5 * h
            else:
                level -= 1
            continue
        if not settled:
            count[4], count[5] = t, worst
            return 1
        finite = True
        for k in range(ny):
            finite = finite and abs(yn[k]) < inf
        if not finite:
            count[4], count[5] = t, worst
            return 1
        cap = inf
        count[0] += 1
        count[3] = max(count[3], indicator)

        # --- energy book
        force = 0
        for l in range(laws):
            nf, row = lnf[l], lrow[l]
            for j in range(nf):
                i = row + j
                f = force + j
                at = kptr[l] + j * nf
                p0, p1 = w[3 * f], w[3 * f + 1]
                heat = 0.0
                for q in range(nf):
                    m = row + q
                    k = kref[at + q]
                    p0 += k * (c0[m] + 0.5 * c1[m] + c2[m] / 3.0)
                    p1 += 0.5 * k * (c1[m] + c2[m])
                    heat += cref[at + q] * (e0[rows + i] * e0[rows + m] + e1[rows + i] * e1[rows + m])
                law_work[f] += p0 * (c1[i] + c2[i]) + p1 * c2[i] / 3.0 + 0.5 * h * heat
                law_heat[f] += 0.5 * h * (e0[rows + i] * e0[rows + i] + e1[rows + i] * e1[rows + i])
            force += nf
        for j in range(springs):
            i = first_spring + j
            spring_heat[j] += 0.5 * h * (e0[i] * e0[i] + e1[i] * e1[i])
        for j in range(book_input.shape[0]):
            if book_input[j] >= 0:
                i = first_coordinate + book_input[j]
                s = book_signal[j]
                u0 = (e1[i] - e0[i]) / h
                va, vb = e0[coordinates + i], e1[coordinates + i]
                work = sig0[s] * u0 + sig1[s] * (vb - va) / 6.0 + sig2[s] * (0.5 * (va + vb) - u0) / 5.0
                input_work[j] += book_coefficient[j] * h * work
        if np_ > 0:
            _book_reactions(book, model, speed, sig0, sig1, sig2, w, e0, e1, c0, c1, c2, vnow, vone, h, rows,
                            first_coordinate, coordinates, first_reaction, reactions, reaction)  # fmt: skip

        # --- samples within the step and at its end
        if not odd and level > deepest:
            finer = level - deepest
            for k in range(ny):
                b0[k] += f0[k]
                b1[k] += f1[k]
                b2[k] += f2[k]
            for i in range(1, 1 << finer):
                at = t + interval * i
                _propagate(a, dense[dense_place(finer, i)], y, b0, b1, b2, yh)
                x = i / (1 << finer)
                evaluate(sptr, sstart, scoef, ssin, sdt, at, middle, sone)
                for k in range(np_):
                    s = speed[k]
                    xmid[k] = xp[k] + h * x * (sig0[s] + (x - 1.0) * (sig1[s] + (2.0 * x - 1.0) * sig2[s]))
                    vone[k] = sone[s]
                _watch(z, base, zx, zv, yh, xmid, vone, ez)
                force = 0
                for l in range(laws):
                    for k in range(lrow[l], lrow[l] + lnf[l] + lns[l]):
                        dw[k], dvw[k] = ez[k], ez[rows + k]
                    mode = new_modes[l]
                    if lguard[l] != 0 and mode != modes[l]:
                        mode = call_guard(lguard[l], at, dw, dvw, lrow[l], par, lp[l], zl, 0, sone, _MARK, g)
                    call_force(laddr[l], at, dw, dvw, fw, lrow[l], par, lp[l], zl, zd, 0, sone, mode)
                    for k in range(lnf[l]):
                        fl[force + k] = fw[lrow[l] + k]
                    force += lnf[l]
                _emit(out, pos // ticks + i - 1, lines_y, lines_f, lines_s, lines_x, lines_phi, lines_one, yh, fl, sone, xmid, phi)
            if np_ > 0:
                evaluate(sptr, sstart, scoef, ssin, sdt, t + h, middle, sone)
                for i in range(np_):
                    vone[i] = sone[speed[i]]
        for k in range(ny):
            y[k] = yn[k]
        for k in range(nz):
            e0[k] = e1[k]
        for k in range(np_):
            xp[k], vnow[k] = xone[k], vone[k]
        for l in range(laws):
            modes[l] = new_modes[l]
        for j in range(forces):
            wend[j] = w[3 * j] + w[3 * j + 1] + w[3 * j + 2]
        tau += h
        if not odd or t + h >= target - 1e-9 * interval:
            pos += 1 << level
            tau = 0.0
        if tau == 0.0 and (pos & (ticks - 1)) == 0:
            at = t0 + interval * (pos / ticks)
            evaluate(sptr, sstart, scoef, ssin, sdt, at, middle, sone)
            force = 0
            for l in range(laws):
                for k in range(lrow[l], lrow[l] + lnf[l] + lns[l]):
                    dw[k], dvw[k] = e0[k], e0[rows + k]
                call_force(laddr[l], at, dw, dvw, fw, lrow[l], par, lp[l], zl, zd, 0, sone, modes[l])
                for k in range(lnf[l]):
                    fl[force + k] = fw[lrow[l] + k]
                force += lnf[l]
            _emit(out, pos // ticks - 1, lines_y, lines_f, lines_s, lines_x, lines_phi, lines_one, y, fl, sone, xp, phi)
            # --- rebase: the rigid motion goes to phi
            for k in range(psi.shape[0]):
                psi[k] = 0.0
                for i in range(ny):
                    psi[k] += rigid[k, i] * y[i]
            for k in range(psi.shape[0]):
                for i in range(ny):
                    y[i] -= from_rigid[i, k] * psi[k]
            for k in range(phi.shape[0]):
                move = -phi_low[k]
                for i in range(psi.shape[0]):
                    move += free_rigid[k, i] * psi[i]
                for i in range(np_):
                    move += held[k, i] * xp[i]
                after = phi[k] + move
                phi_low[k] = (after - phi[k]) - move
                moved = after - phi[k]
                phi[k] = after
                for i in range(nz):
                    base[i] += zrho[k, i] * moved
            for k in range(np_):
                xmid[k] = 0.0
                for i in range(np_):
                    xmid[k] += rest[k, i] * xp[i]
            for k in range(np_):
                xp[k] = xmid[k]
            _watch(z, base, zx, zv, y, xp, vnow, e0)
        # --- a quiet step may be followed by a longer one
        if tau == 0.0 and level < coarsest and indicator < allowed / 30.0 and (pos & ((2 << level) - 1)) == 0:
            level += 1
    return 0


@hot
def _book_reactions(book, model, speed, sig0, sig1, sig2, w, e0, e1, c0, c1, c2, vnow, vone, h, rows,
                    first_coordinate, coordinates, first_reaction, reactions, reaction):  # type: ignore[no-untyped-def]  # fmt: skip
    """Work of the reactions at prescribed coordinates over one step: forces of rows and inertia times speed."""
    for j in range(book.reaction_row.shape[0]):
        p = book.reaction_of[j]
        s = speed[p]
        if book.reaction_row[j] >= 0:
            f = book.reaction_row[j]
            r0, r1, r2 = w[3 * f], w[3 * f + 1], w[3 * f + 2]
            l = 0
            first = 0
            while f >= first + model.lnf[l]:
                first += model.lnf[l]
                l += 1
            nf = model.lnf[l]
            at = model.kptr[l] + (f - first) * nf
            for q in range(nf):
                m = model.lrow[l] + q
                k, d = model.kref[at + q], model.cref[at + q] / h
                r0 += k * (c0[m] + 0.5 * c1[m] + c2[m] / 3.0) + d * (c1[m] + c2[m])
                r1 += 0.5 * k * (c1[m] + c2[m]) + d * c2[m]
                r2 += k * c2[m] / 6.0
        else:
            i = first_reaction - 1 - book.reaction_row[j]
            k, d = book.reaction_k[j], book.reaction_c[j]
            da, db, va, vb = e0[i], e1[i], e0[reactions + i], e1[reactions + i]
            r0 = k * (0.5 * (da + db) + h * (va - vb) / 12.0) + d * (db - da) / h + book.reaction_f[j]
            r1 = 0.5 * (k * (db - da) + d * (vb - va))
            r2 = 0.5 * (k * (da + db) + d * (va + vb)) + book.reaction_f[j] - r0
        reaction[p] += book.reaction_by[j] * h * (r0 * sig0[s] + r1 * sig1[s] / 3.0 + r2 * sig2[s] / 5.0)
    n = speed.shape[0]
    for p in range(n):
        for q in range(n):
            # half of the change of v_p M_pq v_q belongs to p as far as the work of both together goes
            reaction[p] += 0.5 * book.own_mass[p, q] * (vone[p] * vone[q] - vnow[p] * vnow[q])
    for j in range(book.couple_of.shape[0]):
        p = book.couple_of[j]
        i = first_coordinate + book.couple_with[j]
        s = book.acceleration[p]
        va, vb = e0[coordinates + i], e1[coordinates + i]
        u0 = (e1[i] - e0[i]) / h
        moved = sig0[s] * u0 + sig1[s] * (vb - va) / 6.0 + sig2[s] * (0.5 * (va + vb) - u0) / 5.0
        reaction[p] += book.couple_mass[j] * (vone[p] * vb - vnow[p] * va - h * moved)
