"""Samples of the exponential engine: channels at and inside steps, and the rigid motion moved into phi."""

from __future__ import annotations

from gearwright.system.compiled import hot

from . import exponential_slots as T
from .explicit_pointers import apart, f8, i8, shift
from .exponential_laws import forces_at
from .exponential_pointers import call_product, call_signals, sampler
from .exponential_state import add_lines, propagate, watch


@hot
def emit(H, place, y, s, x):  # type: ignore[no-untyped-def]
    """Write one sample of all channels."""
    apart()
    n = H[T.CS]
    out = f8(H[T.DD])  # free between steps, and as long as a line needs
    call_product(H[T.PRODUCT], out, f8(H[T.LINE_ONE]), f8(H[T.LINE_Y]), n, y, H[T.Y])
    add_lines(out, f8(H[T.LINE_F]), n, f8(H[T.FL]), 1, H[T.FORCES])
    add_lines(out, f8(H[T.LINE_S]), n, s, 1, H[T.SIGNALS])
    add_lines(out, f8(H[T.LINE_X]), n, x, 1, H[T.PRESCRIBED])
    add_lines(out, f8(H[T.LINE_PHI]), n, f8(H[T.PHI]), 1, H[T.RIGID])
    channels = H[T.CHANNELS]
    target = shift(f8(H[T.OUT]), place * channels)
    for i in range(channels):
        target[i] = out[i]


@sampler
def inner_samples(H, place, finer, t, h):  # type: ignore[no-untyped-def]
    """Samples inside a step of ``2 ** finer`` sample intervals, by the exact formula."""
    blocks, lines = H[T.BLOCKS], H[T.YS]
    b0, b1, b2 = f8(H[T.B0]), f8(H[T.B1]), f8(H[T.B2])
    f0, f1, f2 = f8(H[T.F0]), f8(H[T.F1]), f8(H[T.F2])
    if H[T.ACTIVE] == 0:
        for k in range(lines):
            b1[k], b2[k] = 0.0, 0.0
    for k in range(lines):
        b0[k] += f0[k]
        b1[k] += f1[k]
        b2[k] += f2[k]
    sig0, sig1, sig2, speed = f8(H[T.SIG0]), f8(H[T.SIG1]), f8(H[T.SIG2]), i8(H[T.SPEED])
    xp, x, v, s, yh = f8(H[T.XP]), f8(H[T.XMID]), f8(H[T.PSI]), f8(H[T.SONE]), f8(H[T.YH])
    first = (1 << finer) - finer - 2
    for i in range(1, 1 << finer):
        table = shift(f8(H[T.DENSE]), (first + i) * 8 * blocks)
        propagate(f8(H[T.A]), blocks, table, f8(H[T.STATE]), b0, b1, b2, True, yh)
        at = i / (1 << finer)
        call_signals(H[T.READ], H, t + at * h, t + 0.5 * h, s)
        for k in range(H[T.PRESCRIBED]):
            j = speed[k]
            x[k] = xp[k] + h * at * (sig0[j] + (at - 1.0) * (sig1[j] + (2.0 * at - 1.0) * sig2[j]))
            v[k] = s[j]
        watch(H, yh, x, v, f8(H[T.EZ]))
        forces_at(H, f8(H[T.EZ]), t + at * h, s, i8(H[T.NEWMODES]), True)
        emit(H, place + i - 1, yh, s, x)


@hot
def rebase(H):  # type: ignore[no-untyped-def]
    """Move the rigid motion of the blocks and of the prescribed coordinates into phi, compensated."""
    apart()
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
