"""Doubly-fed induction generator with rotor-side control, third or fifth order.

Synchronous frame with the stator voltage on +q, so that d lies along the stator flux: d carries reactive power, q
torque. Motor convention for currents, rotor quantities referred to the stator; the generator torque is positive when it
brakes. The third order neglects stator transients: in deep dips with control its torque is conservative by up to half.
Source: machines and faults page, section 1; data of J. F. Gallego-Calderon (2015), Table 5.4.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gearwright.system import Law, force

#: places of the parameters
(VOLTAGE, REFERENCE, SENSE, ORDER, VN, WS, POLES, RS, RR, LS, LR, LM, KP, KI, RA, AC, KPT, KIT, KPQ, KIQ, IMAX, UMAX,
 QREF, NUMBER) = range(24)  # fmt: skip


@dataclass(frozen=True)
class Dfig:
    """Data and control of a DFIG; SI, phase quantities at peak.

    The bandwidths [1/s] are those of the three loops, from which the gains follow by pole placement.
    ``current_limit`` [A] bounds the references, ``voltage_limit`` [p.u.] the rotor voltage; infinity: none.
    """

    line_voltage: float = 480.0
    frequency: float = 60.0
    pole_pairs: int = 3
    stator_resistance: float = 2.55e-4
    rotor_resistance: float = 4.35e-4
    stator_reactance: float = 4.5e-3
    rotor_reactance: float = 6.0e-3
    magnetising_reactance: float = 0.19584
    order: int = 3
    current_bandwidth: float = 200.0
    torque_bandwidth: float = 40.0
    reactive_bandwidth: float = 20.0
    current_limit: float = 1.2 * 9581.3
    voltage_limit: float = 0.5
    reactive_power: float = 0.0

    def __post_init__(self) -> None:
        if self.order not in (3, 5):
            raise ValueError(f"a DFIG has order 3 or 5, not {self.order}")
        if self.order == 5 and self.current_bandwidth > 300.0:
            raise ValueError(
                f"a current loop of {self.current_bandwidth:g} 1/s undamps the stator flux (its real part changes sign near 400 1/s); "
                f"stay at 300 1/s or below, or take the third order"
            )

    @property
    def voltage(self) -> float:
        """Nominal phase voltage, peak [V]."""
        return self.line_voltage * math.sqrt(2.0 / 3.0)

    @property
    def speed(self) -> float:
        """Synchronous electrical speed [rad/s]."""
        return 2.0 * math.pi * self.frequency

    @property
    def inductances(self) -> tuple[float, float, float]:
        """Stator, rotor and magnetising inductance [H]."""
        m = self.magnetising_reactance / self.speed
        return self.stator_reactance / self.speed + m, self.rotor_reactance / self.speed + m, m

    def parameters(self, sense: float = 1.0, voltage: int = 0, reference: int = 1) -> list[float]:
        """Numbers for the law: indices of the signals of voltage [p.u.] and torque reference [N m], then data, gains."""
        ls, lr, lm = self.inductances
        d = ls * lr - lm * lm
        lt = d / ls
        gain_t = 1.5 * self.pole_pairs * lm / ls * self.voltage / self.speed
        gain_q = 1.5 * self.voltage * lm / ls
        ac = self.current_bandwidth
        return [
            float(voltage), float(reference), sense, float(self.order), self.voltage, self.speed, float(self.pole_pairs),
            self.stator_resistance, self.rotor_resistance, ls, lr, lm, ac * lt, ac * ac * lt, ac * lt - self.rotor_resistance,
            ac, self.torque_bandwidth / (ac * gain_t), self.torque_bandwidth / gain_t, self.reactive_bandwidth / (ac * gain_q), self.reactive_bandwidth / gain_q,
            self.current_limit, self.voltage_limit * self.voltage, self.reactive_power,
        ]  # fmt: skip

    def fluxes(self, rotor_flux: complex, voltage: float = 1.0) -> tuple[complex, complex, complex]:
        """Stator flux without transients, stator and rotor current."""
        ls, lr, lm = self.inductances
        d = ls * lr - lm * lm
        us = 1j * voltage * self.voltage
        flux = (us + self.stator_resistance * lm / d * rotor_flux) / (1j * self.speed + self.stator_resistance * lr / d)
        return flux, (lr * flux - lm * rotor_flux) / d, (ls * rotor_flux - lm * flux) / d

    def steady(self, torque: float, speed: float) -> list[float]:
        """States at rest under a generator torque [N m] at a speed [rad/s], nominal voltage.

        Raises ValueError if the machine cannot give that torque.
        """
        x = np.array([self.voltage / self.speed, 0.25])

        def missing(v: np.ndarray) -> np.ndarray:
            flux, i_s, _ = self.fluxes(complex(v[0], v[1]))
            made = -1.5 * self.pole_pairs * (flux.conjugate() * i_s).imag
            q = (1.5 * 1j * self.voltage * i_s.conjugate()).imag
            return np.array([(made - torque) / 1e4, (q - self.reactive_power) / 1e6])

        for _ in range(50):
            r = missing(x)
            if np.abs(r).max() < 1e-12:
                break
            step = 1e-7
            jacobian = np.column_stack(
                [(missing(x + step * e) - missing(x - step * e)) / (2 * step) for e in np.eye(2)]
            )
            x = x - np.linalg.solve(jacobian, r)
        else:
            raise ValueError(f"the machine cannot give {torque:.6g} N m at {speed:.5g} rad/s")
        rotor = complex(x[0], x[1])
        flux, _, current = self.fluxes(rotor)
        if abs(current) > self.current_limit:
            raise ValueError(
                f"{torque / 1e3:.5g} kN m needs a rotor current of {abs(current):.5g} A, above the limit of "
                f"{self.current_limit:.5g} A"
            )
        *_, _, ra = self.parameters()[:15]
        x_u = (self.rotor_resistance + ra) * current
        states = [rotor.real, rotor.imag, x_u.real, x_u.imag, current.imag, current.real]
        return [*states, flux.real, flux.imag] if self.order == 5 else states


@force
def _dfig(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    v = s[int(p[0])] * p[4]
    reference = s[int(p[1])]
    sense, ws, pairs = p[2], p[5], p[6]
    rs, rr, ls, lr, lm = p[7], p[8], p[9], p[10], p[11]
    slip = ws - pairs * sense * dv[0]
    det = ls * lr - lm * lm
    rotor = complex(z[0], z[1])
    us = complex(0.0, v)
    algebraic = (us + rs * lm / det * rotor) / complex(rs * lr / det, ws)
    flux = complex(z[6], z[7]) if p[3] > 4.0 else algebraic
    i_s = (lr * flux - lm * rotor) / det
    i_r = (ls * rotor - lm * flux) / det
    torque = -1.5 * pairs * (flux.real * i_s.imag - flux.imag * i_s.real)
    # u_s conj(i_s) with u_s = jV: imaginary part V Re i_s
    q = 1.5 * v * i_s.real
    # outer loops
    error_t, error_q = reference - torque, p[22] - q
    iq, id_ = z[4] + p[16] * error_t, z[5] - p[18] * error_q
    rate_t, rate_q = p[17] * error_t, -p[19] * error_q
    most = p[20]
    if iq > most:
        iq = most
        rate_t = min(rate_t, 0.0)
    elif iq < -most:
        iq = -most
        rate_t = max(rate_t, 0.0)
    room = np.sqrt(max(most * most - iq * iq, 0.0)) if most < 1e30 else most
    if id_ > room:
        id_ = room
        rate_q = min(rate_q, 0.0)
    elif id_ < -room:
        id_ = -room
        rate_q = max(rate_q, 0.0)
    # current loop
    error = complex(id_, iq) - i_r
    x = complex(z[2], z[3])
    turning = complex(0.0, slip) * rotor
    wanted = p[12] * error + x - p[14] * i_r + turning
    size = abs(wanted)
    given = wanted * (p[21] / size) if size > p[21] else wanted
    back = p[13] * error + p[15] * (given - wanted)
    change = given - rr * i_r - turning
    zd[0], zd[1] = change.real, change.imag
    zd[2], zd[3] = back.real, back.imag
    zd[4], zd[5] = rate_t, rate_q
    if p[3] > 4.0:
        stator = us - rs * i_s - complex(0.0, ws) * flux
        zd[6], zd[7] = stator.real, stator.imag
    f[0] = sense * torque


def dfig(data: Dfig, torque: float, speed: float, *, sense: float = 1.0, voltage: int = 0, reference: int = 1) -> Law:
    """A DFIG as a law on the rotation of its rotor, at rest under ``torque`` [N m] and ``speed`` [rad/s].

    ``sense`` is the sense of rotation, ``voltage`` and ``reference`` the numbers of the signals it reads.
    """
    return Law(_dfig, tuple(data.parameters(sense, voltage, reference)), states=tuple(data.steady(torque, speed)))
