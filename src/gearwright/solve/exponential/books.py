"""The energy book of the exponential engine.

Work of laws and inputs is the product of polynomials; the heat of constant damping is summed over the ends of the
steps, which for smooth motion has no error that grows.
"""

from __future__ import annotations

from gearwright.kernels import hot
from gearwright.kernels.pointers import f8, i8, noinline, shift

from . import slots as T
from .linear import SLOPES, of_deflection
from .pointers import bookkeeper, call_book


@hot
def moved(H, place, s0, s1, s2, h):  # type: ignore[no-untyped-def]
    """Integral over the step of a polynomial times the speed of a watched coordinate."""
    noinline()
    coordinates = H[T.COORDINATES]
    i = H[T.ROWS] + H[T.LINES] + H[T.SPRINGS] + place
    e0, e1 = f8(H[T.E0]), f8(H[T.E1])
    u0 = (e1[i] - e0[i]) / h
    va, vb = e0[coordinates + i], e1[coordinates + i]
    return h * (s0 * u0 + s1 * (vb - va) / 6.0 + s2 * (0.5 * (va + vb) - u0) / 5.0)


@hot
def keep_linear(H, law, h):  # type: ignore[no-untyped-def]
    """Work and heat of a linear law over one step: its polynomials times the slope of the quintic, which is of the fourth degree."""
    noinline()
    e0, e1, w, rest, slopes = f8(H[T.E0]), f8(H[T.E1]), f8(H[T.W]), f8(H[T.WREST]), f8(H[T.BASIS])
    forces = H[T.FORCES]
    for j in range(law[T.NF]):
        i, f = law[T.ROW] + j, law[T.FIRST] + j
        at = j * law[T.NF] + j
        work, heat = 0.0, 0.0
        for l in range(T.LOOP + 1):
            slope = of_deflection(H, shift(slopes, T.MOMENTS * SLOPES + 6 * l), i, h)
            force = w[l * forces + f] if l < T.LOOP else rest[f]
            work += force * slope / (2 * l + 1)
            heat += slope * slope / (2 * l + 1)
        heat /= h
        work += 0.5 * f8(law[T.KREF])[at] * (e1[i] * e1[i] - e0[i] * e0[i]) + f8(law[T.CREF])[at] * heat
        f8(H[T.LAW_WORK])[f] += work
        f8(H[T.LAW_HEAT])[f] += heat


@hot
def keep_books(H, h):  # type: ignore[no-untyped-def]
    """Energy over one step: products of polynomials for laws and inputs, end-point sums for constant damping."""
    noinline()
    rows, springs = H[T.ROWS], H[T.SPRINGS]
    e0, e1, w = f8(H[T.E0]), f8(H[T.E1]), f8(H[T.W])
    c0, c1, c2 = f8(H[T.C0]), f8(H[T.C1]), f8(H[T.C2])
    work, warm = f8(H[T.LAW_WORK]), f8(H[T.LAW_HEAT])
    for l in range(H[T.LAWS]):
        law = shift(i8(H[T.LAW]), l * T.RECORD)
        if law[T.KIND] == T.LINEAR:
            keep_linear(H, law, h)
            continue
        kref, cref, row, nf = f8(law[T.KREF]), f8(law[T.CREF]), law[T.ROW], law[T.NF]
        for j in range(nf):
            i = row + j
            f = law[T.FIRST] + j
            p0, p1 = w[f], w[H[T.FORCES] + f]
            heat = 0.0
            for q in range(nf):
                m = row + q
                k = kref[j * nf + q]
                p0 += k * (c0[m] + 0.5 * c1[m] + c2[m] * (1.0 / 3.0))
                p1 += 0.5 * k * (c1[m] + c2[m])
                heat += cref[j * nf + q] * (e0[rows + i] * e0[rows + m] + e1[rows + i] * e1[rows + m])
            work[f] += p0 * (c1[i] + c2[i]) + p1 * c2[i] * (1.0 / 3.0) + 0.5 * h * heat
            warm[f] += 0.5 * h * (e0[rows + i] * e0[rows + i] + e1[rows + i] * e1[rows + i])
    heat_of = f8(H[T.SPRING_HEAT])
    r0, r1 = shift(e0, rows + H[T.LINES]), shift(e1, rows + H[T.LINES])
    for j in range(springs):
        heat_of[j] += 0.5 * h * (r0[j] * r0[j] + r1[j] * r1[j])
    sig0, sig1, sig2 = f8(H[T.SIG0]), f8(H[T.SIG1]), f8(H[T.SIG2])
    place, which, by, done = i8(H[T.BIN]), i8(H[T.BSIG]), f8(H[T.BCOEF]), f8(H[T.INPUT_WORK])
    for j in range(H[T.INPUTS]):
        if place[j] >= 0:
            s = which[j]
            done[j] += by[j] * moved(H, place[j], sig0[s], sig1[s], sig2[s], h)
    if H[T.PRESCRIBED] > 0:
        call_book(H[T.REACT], H, h)


@bookkeeper
def book_reactions(H, h):  # type: ignore[no-untyped-def]
    """Work of the reactions at prescribed coordinates over one step: forces of rows and inertia times speed."""
    coordinates = H[T.COORDINATES]
    e0, e1, w = f8(H[T.E0]), f8(H[T.E1]), f8(H[T.W])
    c0, c1, c2 = f8(H[T.C0]), f8(H[T.C1]), f8(H[T.C2])
    sig0, sig1, sig2 = f8(H[T.SIG0]), f8(H[T.SIG1]), f8(H[T.SIG2])
    vnow, vone, speed, reaction = f8(H[T.VNOW]), f8(H[T.VONE]), i8(H[T.SPEED]), f8(H[T.REACTION])
    first = H[T.ROWS] + H[T.LINES] + H[T.SPRINGS] + 2 * coordinates
    rrow, of, by, rk, rc, rf = i8(H[T.RROW]), i8(H[T.ROF]), f8(H[T.RBY]), f8(H[T.RK]), f8(H[T.RC]), f8(H[T.RF])
    for j in range(H[T.TERMS]):
        p = of[j]
        s = speed[p]
        if rrow[j] >= 0:
            f = rrow[j]
            r0, r1, r2 = w[f], w[H[T.FORCES] + f], w[2 * H[T.FORCES] + f]
            l = 0
            law = i8(H[T.LAW])
            while f >= law[T.FIRST] + law[T.NF]:
                l += 1
                law = shift(i8(H[T.LAW]), l * T.RECORD)
            nf = law[T.NF]
            at = (f - law[T.FIRST]) * nf
            for q in range(nf):
                m = law[T.ROW] + q
                k, d = f8(law[T.KREF])[at + q], f8(law[T.CREF])[at + q] / h
                r0 += k * (c0[m] + 0.5 * c1[m] + c2[m] * (1.0 / 3.0)) + d * (c1[m] + c2[m])
                r1 += 0.5 * k * (c1[m] + c2[m]) + d * c2[m]
                r2 += k * c2[m] / 6.0
        else:
            i = first - 1 - rrow[j]
            k, d = rk[j], rc[j]
            da, db, va, vb = e0[i], e1[i], e0[H[T.REACTIONS] + i], e1[H[T.REACTIONS] + i]
            r0 = k * (0.5 * (da + db) + h * (va - vb) / 12.0) + d * (db - da) / h + rf[j]
            r1 = 0.5 * (k * (db - da) + d * (vb - va))
            r2 = 0.5 * (k * (da + db) + d * (va + vb)) + rf[j] - r0
        reaction[p] += by[j] * h * (r0 * sig0[s] + r1 * sig1[s] / 3.0 + r2 * sig2[s] / 5.0)
    n = H[T.PRESCRIBED]
    mass = f8(H[T.RMASS])
    for p in range(n):
        for q in range(n):
            # half of the change of v_p M_pq v_q belongs to p as far as the work of both together goes
            reaction[p] += 0.5 * mass[p * n + q] * (vone[p] * vone[q] - vnow[p] * vnow[q])
    couple, partner, inertia, acceleration = i8(H[T.COF]), i8(H[T.CWITH]), f8(H[T.CMASS]), i8(H[T.ACCELERATION])
    speeds = H[T.ROWS] + H[T.LINES] + H[T.SPRINGS] + coordinates
    for j in range(H[T.COUPLED]):
        p = couple[j]
        s = acceleration[p]
        va, vb = e0[speeds + partner[j]], e1[speeds + partner[j]]
        felt = moved(H, partner[j], sig0[s], sig1[s], sig2[s], h)
        reaction[p] += inertia[j] * (vone[p] * vb - vnow[p] * va - felt)
