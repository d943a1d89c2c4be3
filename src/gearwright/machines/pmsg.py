"""Permanent-magnet synchronous generator in dq with its cascade of five loops.

Currents positive out of the machine. Level 4 compares the power asked, torque reference times measured speed, with the
power made, so that the machine is a source of torque. A fault reaches it through its torque reference, which the voltage
scales. Source: J. F. Gallego-Calderon (2015), section 3.4, in the consistent form of the machines page, section 3.
"""

from __future__ import annotations

from dataclasses import dataclass

from gearwright.system import Law, force


@dataclass(frozen=True)
class Pmsg:
    """Data and gains of a PMSG; SI, phase quantities at peak."""

    pole_pairs: int = 4
    resistance: float = 0.00125
    inductance: float = 0.111974 / 314.15926535897933
    flux: float = 2.0215
    d_current: float = 0.1
    kp_1: float = 0.224
    kp_2: float = 0.025
    ki_2: float = 7.2765
    kp_3: float = 0.04044
    ki_3: float = 11.844
    kp_4: float = 4.3181e-4
    ki_4: float = 0.026125

    def parameters(self, sense: float = 1.0, voltage: int = 0, reference: int = 1) -> list[float]:
        """Numbers for the law: indices of the signals of voltage [p.u.] and torque reference [N m], then data, gains."""
        return [
            float(voltage), float(reference), sense, float(self.pole_pairs), self.resistance, self.inductance, self.flux,
            self.d_current, self.kp_1, self.kp_2, self.ki_2, self.kp_3, self.ki_3, self.kp_4, self.ki_4,
        ]  # fmt: skip

    def steady(self, torque: float, speed: float) -> list[float]:
        """States (i_d, i_q, integrators 2, 3, 4) at rest under a generator torque [N m] and speed [rad/s]."""
        we, i_d = self.pole_pairs * speed, self.d_current
        i_q = torque / (1.5 * self.pole_pairs * self.flux)
        u_q = -self.resistance * i_q - we * self.inductance * i_d + we * self.flux
        u_d = -self.resistance * i_d + we * self.inductance * i_q
        return [i_d, i_q, (self.kp_1 * i_q - u_q) / self.ki_2, -u_d / self.ki_3, i_q / self.ki_4]


@force
def _pmsg(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    sense, pairs, r, l, psi = p[2], p[3], p[4], p[5], p[6]
    speed = sense * dv[0]
    we = pairs * speed
    i_d, i_q = z[0], z[1]
    torque = 1.5 * pairs * psi * i_q
    power_error = s[int(p[1])] * s[int(p[0])] * speed - torque * speed
    error_q = p[13] * power_error + p[14] * z[4] - i_q
    u_q = -p[9] * error_q - p[10] * z[2] + p[8] * i_q
    error_d = p[7] - i_d
    u_d = -p[11] * error_d - p[12] * z[3]
    zd[0] = (-r * i_d + we * l * i_q - u_d) / l
    zd[1] = (-r * i_q - we * l * i_d + we * psi - u_q) / l
    zd[2], zd[3], zd[4] = error_q, error_d, power_error
    f[0] = sense * torque


def pmsg(data: Pmsg, torque: float, speed: float, *, sense: float = 1.0, voltage: int = 0, reference: int = 1) -> Law:
    """A PMSG as a law on the rotation of its rotor, at rest under ``torque`` [N m] and ``speed`` [rad/s]."""
    return Law(_pmsg, tuple(data.parameters(sense, voltage, reference)), states=tuple(data.steady(torque, speed)))
