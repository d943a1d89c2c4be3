"""Parts of the exact engine: moments of a step for the energy book."""

from __future__ import annotations

import numpy as np

from gearwright.kernels import hot

from . import places as at
from .arrays import arrays
from .kernels import input_at
from .pointers import call_part, part


@hot
def _cross(H, s, other, h):
    """Integral of ``exp(i x_s) sin(x_other)`` over the step."""
    A = arrays(H)
    total = 0.0j
    for q in range(12):
        tau = h * A.gauss[q]
        wave = np.sin(A.sines[4 * other + 1] * tau + A.sines[4 * other + 2])
        total += np.exp(1j * (A.sines[4 * s + 1] * tau + A.sines[4 * s + 2])) * (wave * h * A.gauss[12 + q])
    return total


@part
def add_sine_moments(H, slot, degree, h):
    """What sines add: to the moments of powers (through the forcing) and the moments of the sines themselves."""
    A = arrays(H)
    n, nu, ns = A.size[at.N_STATES], A.size[at.N_INPUTS], A.size[at.N_SINES]
    nm = A.modes[4 * slot]
    for s in range(ns):
        amplitude = A.sines[4 * s]
        if amplitude == 0.0:
            continue
        omega, phase = A.sines[4 * s + 1], A.sines[4 * s + 2]
        # integrals over the step of exp(i x) tau^k and exp(i x) sin(x of another sine)
        b = (slot * nu + A.sine_input[s]) * n
        row = (slot * nu + A.sine_input[s]) * 2 * n
        q0 = q1 = q2 = q3 = 0.0j
        for q in range(12):
            tau = h * A.gauss[q]
            e = np.exp(1j * (omega * tau + phase)) * (h * A.gauss[12 + q])
            q0 += e
            q1 += e * tau
            q2 += e * tau * tau
            q3 += e * tau * tau * tau
        first = np.exp(1j * phase)
        last = np.exp(1j * (omega * h + phase))
        for j in range(nm):
            if A.ir[slot * n + j] == 0.0 and A.ii[slot * n + j] == 0.0:
                continue
            lam = complex(A.lr[slot * n + j], A.li[slot * n + j])
            z0 = complex(A.z0r[j], A.z0i[j])
            z1 = complex(A.zr[j], A.zi[j])
            g0, g1 = complex(A.gr[j], A.gi[j]), complex(A.gr[n + j], A.gi[n + j])
            g2 = complex(A.gr[2 * n + j], A.gi[2 * n + j])
            g3 = complex(A.gr[3 * n + j], A.gi[3 * n + j])
            up = last * z1 - first * z0 - (g0 * q0 + g1 * q1 + g2 * q2 + g3 * q3)
            down = np.conj(last) * z1 - np.conj(first) * z0
            down -= g0 * np.conj(q0) + g1 * np.conj(q1) + g2 * np.conj(q2) + g3 * np.conj(q3)
            for other in range(ns):
                if A.sines[4 * other] == 0.0:
                    continue
                c = (slot * nu + A.sine_input[other]) * n
                push = complex(A.br[c + j], A.bi[c + j]) * A.sines[4 * other]
                cross = _cross(H, s, other, h)
                up -= push * cross
                down -= push * np.conj(cross)
            both = (up / (lam + 1j * omega) - down / (lam - 1j * omega)) / 2j * amplitude
            A.R[row + j] += both.real
            A.R[row + n + j] += both.imag
        # moments of powers: forcing by this sine
        for k in range(degree + 1):
            moment = (q0 if k == 0 else (q1 if k == 1 else (q2 if k == 2 else q3))).imag * amplitude
            for j in range(nm):
                A.mr[k * n + j] += A.br[b + j] * moment
                A.mi[k * n + j] += A.bi[b + j] * moment
    return 0


@hot
def _add_polynomials(H, slot, degree, h):
    """The part of the modes, under inputs that are polynomials of ``degree`` and sines."""
    A = arrays(H)
    n, nu, ns = A.size[at.N_STATES], A.size[at.N_INPUTS], A.size[at.N_SINES]
    nm, o = A.modes[4 * slot], slot * n
    first = h
    for k in range(degree + 1):
        for j in range(nm):
            A.mr[k * n + j] = A.gr[j] * (first / (k + 1))
            A.mi[k * n + j] = A.gi[j] * (first / (k + 1))
        power = first
        for d in range(1, degree + 1):
            power *= h
            f = power / (d + k + 1)
            for j in range(nm):
                A.mr[k * n + j] += A.gr[d * n + j] * f
                A.mi[k * n + j] += A.gi[d * n + j] * f
        first *= h
    if ns > 0:
        call_part(A.do_sines, H, slot, degree, h)
    power = 1.0
    for k in range(degree + 1):
        for j in range(nm):
            xr = power * A.zr[j] - A.mr[k * n + j]
            xi = power * A.zi[j] - A.mi[k * n + j]
            if k == 0:
                xr -= A.z0r[j]
                xi -= A.z0i[j]
            else:
                xr -= k * A.mr[(k - 1) * n + j]
                xi -= k * A.mi[(k - 1) * n + j]
            A.mr[k * n + j] = xr * A.ir[o + j] - xi * A.ii[o + j]
            A.mi[k * n + j] = xr * A.ii[o + j] + xi * A.ir[o + j]
        power *= h
    for i in range(nu):
        b = (slot * nu + i) * 2 * n
        for k in range(degree + 1):
            c = A.u[4 * i + k]
            if c != 0.0:
                for j in range(nm):
                    A.R[b + j] += c * A.mr[k * n + j]
                    A.R[b + n + j] += c * A.mi[k * n + j]


@part
def add_moments(H, slot, degree, h):
    """Add the integrals over the step of ``u_i z`` and ``u_i theta'`` to the slot's sums, exact.

    For a mode with ``z' = lam z + g``: ``M_k = int tau^k z = (h^k z(h) - [k=0] z(0) - k M_(k-1) - int tau^k g) / lam``.
    """
    A = arrays(H)
    n, nu, ns, itheta = A.size[at.N_STATES], A.size[at.N_INPUTS], A.size[at.N_SINES], A.size[at.THETA_INPUT]
    nm, nspecial = A.modes[4 * slot], A.modes[4 * slot + 3]
    o = slot * n
    if degree == 0 and ns == 0:  # constant inputs: one loop
        for j in range(nm):
            xr = A.zr[j] - A.z0r[j] - A.gr[j] * h
            xi = A.zi[j] - A.z0i[j] - A.gi[j] * h
            yr = xr * A.ir[o + j] - xi * A.ii[o + j]
            yi = xr * A.ii[o + j] + xi * A.ir[o + j]
            for i in range(nu):
                b = (slot * nu + i) * 2 * n + j
                A.R[b] += A.u[4 * i] * yr
                A.R[b + n] += A.u[4 * i] * yi
    else:
        _add_polynomials(H, slot, degree, h)
    for e in range(nspecial):
        j = A.special[o + e]
        for q in range(12):
            tau = h * A.gauss[q]
            call_part(A.do_special, H, slot, j, tau)
            for i in range(nu):
                f = h * A.gauss[12 + q] * input_at(H, i, tau)
                A.R[(slot * nu + i) * 2 * n + j] += f * A.motion[at.Z_REAL]
                A.R[(slot * nu + i) * 2 * n + n + j] += f * A.motion[at.Z_IMAG]
    if itheta >= 0:
        for q in range(12):
            tau = h * A.gauss[q]
            f = h * A.gauss[12 + q] * input_at(H, itheta, tau)
            for i in range(nu):
                A.T[slot * nu + i] += f * input_at(H, i, tau)
    return 0
