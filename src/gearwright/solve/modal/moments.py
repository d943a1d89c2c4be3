"""Parts of the exact engine: moments of a step for the energy book."""

from __future__ import annotations

import numpy as np

from gearwright.kernels import hot
from gearwright.kernels.pointers import f8, i8

from . import places as at
from .kernels import input_at
from .pointers import call_part, part


@hot
def _cross(H, s, other, h):
    """Integral of ``exp(i x_s) sin(x_other)`` over the step."""
    gauss = f8(H[at.GAUSS])
    sines = f8(H[at.SINES])
    total = 0.0j
    for q in range(12):
        tau = h * gauss[q]
        wave = np.sin(sines[4 * other + 1] * tau + sines[4 * other + 2])
        total += np.exp(1j * (sines[4 * s + 1] * tau + sines[4 * s + 2])) * (wave * h * gauss[12 + q])
    return total


@part
def add_sine_moments(H, slot, degree, h):
    """What sines add: to the moments of powers (through the forcing) and the moments of the sines themselves."""
    size = i8(H[at.SIZE])
    sine_input = i8(H[at.SINE_INPUT])
    gauss = f8(H[at.GAUSS])
    modes = i8(H[at.MODES])
    lr = f8(H[at.LR])
    li = f8(H[at.LI])
    ir = f8(H[at.IR])
    ii = f8(H[at.II])
    br = f8(H[at.BR])
    bi = f8(H[at.BI])
    R = f8(H[at.R])
    zr = f8(H[at.ZR])
    zi = f8(H[at.ZI])
    z0r = f8(H[at.Z0R])
    z0i = f8(H[at.Z0I])
    gr = f8(H[at.GR])
    gi = f8(H[at.GI])
    mr = f8(H[at.MR])
    mi = f8(H[at.MI])
    sines = f8(H[at.SINES])
    n, nu, ns = size[at.N_STATES], size[at.N_INPUTS], size[at.N_SINES]
    nm = modes[4 * slot]
    for s in range(ns):
        amplitude = sines[4 * s]
        if amplitude == 0.0:
            continue
        omega, phase = sines[4 * s + 1], sines[4 * s + 2]
        # integrals over the step of exp(i x) tau^k and exp(i x) sin(x of another sine)
        b = (slot * nu + sine_input[s]) * n
        row = (slot * nu + sine_input[s]) * 2 * n
        q0 = q1 = q2 = q3 = 0.0j
        for q in range(12):
            tau = h * gauss[q]
            e = np.exp(1j * (omega * tau + phase)) * (h * gauss[12 + q])
            q0 += e
            q1 += e * tau
            q2 += e * tau * tau
            q3 += e * tau * tau * tau
        first = np.exp(1j * phase)
        last = np.exp(1j * (omega * h + phase))
        for j in range(nm):
            if ir[slot * n + j] == 0.0 and ii[slot * n + j] == 0.0:
                continue
            lam = complex(lr[slot * n + j], li[slot * n + j])
            z0 = complex(z0r[j], z0i[j])
            z1 = complex(zr[j], zi[j])
            g0, g1 = complex(gr[j], gi[j]), complex(gr[n + j], gi[n + j])
            g2 = complex(gr[2 * n + j], gi[2 * n + j])
            g3 = complex(gr[3 * n + j], gi[3 * n + j])
            up = last * z1 - first * z0 - (g0 * q0 + g1 * q1 + g2 * q2 + g3 * q3)
            down = np.conj(last) * z1 - np.conj(first) * z0
            down -= g0 * np.conj(q0) + g1 * np.conj(q1) + g2 * np.conj(q2) + g3 * np.conj(q3)
            for other in range(ns):
                if sines[4 * other] == 0.0:
                    continue
                c = (slot * nu + sine_input[other]) * n
                push = complex(br[c + j], bi[c + j]) * sines[4 * other]
                cross = _cross(H, s, other, h)
                up -= push * cross
                down -= push * np.conj(cross)
            both = (up / (lam + 1j * omega) - down / (lam - 1j * omega)) / 2j * amplitude
            R[row + j] += both.real
            R[row + n + j] += both.imag
        # moments of powers: forcing by this sine
        for k in range(degree + 1):
            moment = (q0 if k == 0 else (q1 if k == 1 else (q2 if k == 2 else q3))).imag * amplitude
            for j in range(nm):
                mr[k * n + j] += br[b + j] * moment
                mi[k * n + j] += bi[b + j] * moment
    return 0


@hot
def _add_polynomials(H, slot, degree, h):
    """The part of the modes, under inputs that are polynomials of ``degree`` and sines."""
    size = i8(H[at.SIZE])
    modes = i8(H[at.MODES])
    ir = f8(H[at.IR])
    ii = f8(H[at.II])
    R = f8(H[at.R])
    zr = f8(H[at.ZR])
    zi = f8(H[at.ZI])
    z0r = f8(H[at.Z0R])
    z0i = f8(H[at.Z0I])
    gr = f8(H[at.GR])
    gi = f8(H[at.GI])
    mr = f8(H[at.MR])
    mi = f8(H[at.MI])
    u = f8(H[at.U])
    n, nu, ns = size[at.N_STATES], size[at.N_INPUTS], size[at.N_SINES]
    nm, o = modes[4 * slot], slot * n
    first = h
    for k in range(degree + 1):
        for j in range(nm):
            mr[k * n + j] = gr[j] * (first / (k + 1))
            mi[k * n + j] = gi[j] * (first / (k + 1))
        power = first
        for d in range(1, degree + 1):
            power *= h
            f = power / (d + k + 1)
            for j in range(nm):
                mr[k * n + j] += gr[d * n + j] * f
                mi[k * n + j] += gi[d * n + j] * f
        first *= h
    if ns > 0:
        call_part(H[at.DO_SINES], H, slot, degree, h)
    power = 1.0
    for k in range(degree + 1):
        for j in range(nm):
            xr = power * zr[j] - mr[k * n + j]
            xi = power * zi[j] - mi[k * n + j]
            if k == 0:
                xr -= z0r[j]
                xi -= z0i[j]
            else:
                xr -= k * mr[(k - 1) * n + j]
                xi -= k * mi[(k - 1) * n + j]
            mr[k * n + j] = xr * ir[o + j] - xi * ii[o + j]
            mi[k * n + j] = xr * ii[o + j] + xi * ir[o + j]
        power *= h
    for i in range(nu):
        b = (slot * nu + i) * 2 * n
        for k in range(degree + 1):
            c = u[4 * i + k]
            if c != 0.0:
                for j in range(nm):
                    R[b + j] += c * mr[k * n + j]
                    R[b + n + j] += c * mi[k * n + j]


@part
def add_moments(H, slot, degree, h):
    """Add the integrals over the step of ``u_i z`` and ``u_i theta'`` to the slot's sums, exact.

    For a mode with ``z' = lam z + g``: ``M_k = int tau^k z = (h^k z(h) - [k=0] z(0) - k M_(k-1) - int tau^k g) / lam``.
    """
    size = i8(H[at.SIZE])
    gauss = f8(H[at.GAUSS])
    modes = i8(H[at.MODES])
    special = i8(H[at.SPECIAL])
    ir = f8(H[at.IR])
    ii = f8(H[at.II])
    R = f8(H[at.R])
    T = f8(H[at.T])
    zr = f8(H[at.ZR])
    zi = f8(H[at.ZI])
    z0r = f8(H[at.Z0R])
    z0i = f8(H[at.Z0I])
    gr = f8(H[at.GR])
    gi = f8(H[at.GI])
    u = f8(H[at.U])
    motion = f8(H[at.MOTION])
    n, nu, ns, itheta = size[at.N_STATES], size[at.N_INPUTS], size[at.N_SINES], size[at.THETA_INPUT]
    nm, nspecial = modes[4 * slot], modes[4 * slot + 3]
    o = slot * n
    if degree == 0 and ns == 0:  # constant inputs: one loop
        for j in range(nm):
            xr = zr[j] - z0r[j] - gr[j] * h
            xi = zi[j] - z0i[j] - gi[j] * h
            yr = xr * ir[o + j] - xi * ii[o + j]
            yi = xr * ii[o + j] + xi * ir[o + j]
            for i in range(nu):
                b = (slot * nu + i) * 2 * n + j
                R[b] += u[4 * i] * yr
                R[b + n] += u[4 * i] * yi
    else:
        _add_polynomials(H, slot, degree, h)
    for e in range(nspecial):
        j = special[o + e]
        for q in range(12):
            tau = h * gauss[q]
            call_part(H[at.DO_SPECIAL], H, slot, j, tau)
            for i in range(nu):
                f = h * gauss[12 + q] * input_at(H, i, tau)
                R[(slot * nu + i) * 2 * n + j] += f * motion[at.Z_REAL]
                R[(slot * nu + i) * 2 * n + n + j] += f * motion[at.Z_IMAG]
    if itheta >= 0:
        for q in range(12):
            tau = h * gauss[q]
            f = h * gauss[12 + q] * input_at(H, itheta, tau)
            for i in range(nu):
                T[slot * nu + i] += f * input_at(H, i, tau)
    return 0
