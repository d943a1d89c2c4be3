"""Samples of the exponential engine: channels at and inside steps, and the rigid motion moved into phi."""

from __future__ import annotations

from gearwright.kernels import hot
from gearwright.kernels.pointers import f8, i8, noinline, shift

from . import slots as T
from .jumps import height_at, leap_on
from .laws import forces_at
from .pointers import call_fill, call_product, call_products, call_signals, sampler
from .state import add_lines, prescribed_at, propagate, push, watch
from .tables import legendre


@hot
def emit(H, place, out, s, x):  # type: ignore[no-untyped-def]
    """Write one sample of all channels: ``out`` has what the block coordinates give."""
    noinline()
    n, one = H[T.CS], f8(H[T.LINE_ONE])
    call_product(H[T.PRODUCT], out, out, f8(H[T.LINE_F]), n, f8(H[T.FL]), H[T.FORCES])
    add_lines(out, f8(H[T.LINE_S]), n, s, 1, H[T.SIGNALS])
    add_lines(out, f8(H[T.LINE_X]), n, x, 1, H[T.PRESCRIBED])
    add_lines(out, f8(H[T.LINE_PHI]), n, f8(H[T.PHI]), 1, H[T.RIGID])
    channels = H[T.CHANNELS]
    target = shift(f8(H[T.OUT]), place * channels)
    for i in range(channels):
        target[i] = out[i] + one[i]


@hot
def follow(H, slot, at, leaps, e, out):  # type: ignore[no-untyped-def]
    """What answers at once to the forces beside their polynomials, at a place of the step: rates, forces, channels."""
    noinline()
    forces, rows, lines, n = H[T.FORCES], H[T.ROWS], H[T.LINES], H[T.CS]
    fl, u, rest = f8(H[T.FL]), f8(H[T.US]), f8(H[T.FEND])
    p = 2.0 * at - 1.0
    second, third, fourth = legendre(2, at), legendre(3, at), legendre(4, at)
    for l in range(H[T.LAWS]):
        law = shift(i8(H[T.LAW]), l * T.RECORD)
        kref, cref, row, nf = f8(law[T.KREF]), f8(law[T.CREF]), law[T.ROW], law[T.NF]
        for j in range(nf):
            f = law[T.FIRST] + j
            rest[f] = fl[f] - u[f] - p * u[forces + f] - second * u[2 * forces + f] - third * u[3 * forces + f]
            rest[f] -= fourth * u[4 * forces + f] + height_at(H, leaps, at, f)
            for i in range(nf):
                rest[f] -= kref[j * nf + i] * e[row + i] + cref[j * nf + i] * e[rows + row + i]
    rates = f8(H[T.DVW])
    slip = shift(f8(H[T.SLIP]), slot * forces * lines)
    call_product(H[T.PRODUCT], rates, f8(H[T.ZERO]), slip, lines, rest, forces)
    for l in range(H[T.LAWS]):
        law = shift(i8(H[T.LAW]), l * T.RECORD)
        cref, row, nf = f8(law[T.CREF]), law[T.ROW], law[T.NF]
        for j in range(nf):
            for i in range(nf):
                fl[law[T.FIRST] + j] += cref[j * nf + i] * rates[row + i]
    call_product(H[T.PRODUCT], out, out, shift(f8(H[T.RESIDUE]), slot * forces * n), n, rest, forces)


@hot
def fill_level(H, level):  # type: ignore[no-untyped-def]
    """Fill the tables of a level where that has not been done."""
    filled = f8(H[T.FILLED])
    if filled[level] == 0.0:
        call_fill(H[T.FILL], H, level, f8(H[T.STEP])[level])
        filled[level] = 1.0


@sampler
def inner_samples(H, place, finer, t, h):  # type: ignore[no-untyped-def]
    """Samples inside a step of ``2 ** finer`` units from unit ``place`` on, by the exact formula, four at a time."""
    blocks, lines, forces = H[T.BLOCKS], H[T.YS], H[T.FORCES]
    b0, b1, b2, f = f8(H[T.B0]), f8(H[T.B1]), f8(H[T.B2]), f8(H[T.FS])
    curved = H[T.ACTIVE] > 0
    for k in range(lines):
        f[(T.ALL - 1) * lines + k] = 0.0  # a correction of the end
    x, v, s, speed = f8(H[T.XMID]), f8(H[T.PSI]), f8(H[T.SONE]), i8(H[T.SPEED])
    shots, seen, values = f8(H[T.SHOTS]), f8(H[T.EZ]), f8(H[T.LINE_OUT])
    width, n = H[T.ROWS] + H[T.LINES], H[T.CS]
    slot = H[T.COARSEST] - H[T.DEEPEST] - finer
    first = (1 << finer) - finer - 2
    points = 1 << finer
    brisk = forces > 0 and f8(H[T.BRISK])[slot * (forces + 1) + forces] > 0.0
    leaps = int(f8(H[T.COUNT])[6])
    if leaps > 0:
        fill_level(H, H[T.COARSEST] - H[T.DEEPEST])
    leapt, risen = shift(shots, 4 * lines), shift(shots, 5 * lines)
    for k in range(2 * lines):
        leapt[k] = 0.0
    units = H[T.UNITS]
    i = units - place % units
    passed = 0
    while i < points:
        many = min(4, (points - i + units - 1) // units)
        for q in range(many):
            unit = i + units * q
            table = shift(f8(H[T.DENSE]), (first + unit) * T.PROPAGATOR * blocks)
            y = shift(shots, q * lines)
            propagate(f8(H[T.A]), blocks, table, f8(H[T.STATE]), b0, b1, b2, curved, y)
            push(f8(H[T.A]), blocks, table, f, lines, y)
            if leaps > 0:
                while passed < unit:
                    passed += 1
                    leap_on(H, leaps, passed, points, h, leapt, risen, shift(risen, lines))
                for k in range(H[T.Y]):
                    y[k] += risen[k]
        call_products(H[T.PRODUCTS], values, n, f8(H[T.ZERO]), f8(H[T.LINE_Y]), n, n, shots, lines, H[T.Y], many)
        call_products(H[T.PRODUCTS], seen, width, f8(H[T.BASE]), f8(H[T.Z]), width, H[T.ZS], shots, lines, H[T.Y], many)
        for q in range(many):
            e, out = shift(seen, q * width), shift(values, q * n)
            at = (i + units * q) / points
            call_signals(H[T.READ], H, t + at * h, t + at * h, s)
            for k in range(H[T.PRESCRIBED]):
                j = speed[k]
                x[k] = prescribed_at(H, k, at, h)
                v[k] = s[j]
                zx, zv = shift(f8(H[T.ZX]), k * H[T.ZS]), shift(f8(H[T.ZV]), k * H[T.ZS])
                for m in range(width):
                    e[m] += zx[m] * x[k] + zv[m] * v[k]
            forces_at(H, e, t + at * h, s, i8(H[T.NEWMODES]), True)
            if brisk:
                follow(H, slot, at, leaps, e, out)
            emit(H, (place + i) // units + q - 1, out, s, x)
        i += units * many


@hot
def rebase(H):  # type: ignore[no-untyped-def]
    """Move the rigid motion of the blocks and of the prescribed coordinates into phi, compensated."""
    noinline()
    ny, q, n = H[T.Y], H[T.FREE_RIGID], H[T.PRESCRIBED]
    y, psi, xp, xmid = f8(H[T.STATE]), f8(H[T.PSI]), f8(H[T.XP]), f8(H[T.XMID])
    by, back = f8(H[T.PSI_BY]), f8(H[T.BACK])
    phi, low, base = f8(H[T.PHI]), f8(H[T.PHILOW]), f8(H[T.BASE])
    for k in range(q):
        psi[k] = 0.0
        for i in range(ny):
            psi[k] += by[k * ny + i] * y[i]
    for k in range(q):
        for i in range(ny):
            y[i] -= back[k * H[T.YS] + i] * psi[k]
    for k in range(H[T.RIGID]):
        move = -low[k]
        for i in range(q):
            move += f8(H[T.PHI_BY])[k * q + i] * psi[i]
        for i in range(n):
            move += f8(H[T.HELD])[k * n + i] * xp[i]
        after = phi[k] + move
        step = after - phi[k]
        low[k] = step - move
        phi[k] = after
        line = shift(f8(H[T.ZRHO]), k * H[T.ZS])
        for i in range(H[T.ZS]):
            base[i] += line[i] * step
    for k in range(n):
        xmid[k] = 0.0
        for i in range(n):
            xmid[k] += f8(H[T.REST])[k * n + i] * xp[i]
    for k in range(n):
        xp[k] = xmid[k]
    watch(H, y, xp, f8(H[T.VNOW]), f8(H[T.E0]))
