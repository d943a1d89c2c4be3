"""Permanent-magnet synchronous generator in dq with its cascade of five loops.

Currents positive out of the machine. Level 4 compares the power asked, torque reference times measured speed, with the
power made, so that the machine is a source of torque. A fault reaches it through its torque reference, which the voltage
scales; with ``chopper`` the converter burns what the grid does not take and the torque stays.
Source: J. F. Gallego-Calderon (2015), section 3.4, in the consistent form of the machines page, section 3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gearwright.arrays import Float
from gearwright.kernels import force
from gearwright.system import Law

from .limits import going_on

#: the generator of 750 rpm of the 5 MW turbine: 65.53 kN m at 5402.8 A, 872.2 V (peak values)
NREL_5MW = {
    "pole_pairs": 4,
    "resistance": 0.00125,
    "inductance": 0.111974 / 314.15926535897933,
    "flux": 2.0215,
    "d_current": 0.1,
    "kp_1": 0.224,
    "kp_2": 0.025,
    "ki_2": 7.2765,
    "kp_3": 0.04044,
    "ki_3": 11.844,
    "kp_4": 4.3181e-4,
    "ki_4": 0.026125,
    "rated_torque": 65_530.0,
    "rated_power": 5.0e6,
    "current_limit": 1.2 * 5402.8,
    "voltage_limit": 1.25 * 872.2,
    "link_energy": 50_000.0,
}


@dataclass(frozen=True)
class Pmsg:
    """Data, gains and limits of a PMSG; SI, phase quantities at peak.

    ``rated_torque`` [N m] is what it may be asked for at rest. ``current_limit`` [A] bounds the reference of the torque
    current, ``voltage_limit`` [V] the modulus of the voltage; infinity: none. ``chopper`` [W] is the power that the
    chopper of the DC link can burn, 0: none and the torque reference falls with the voltage. With a chopper the grid side
    takes at most ``grid_current`` [p.u. of rated power per p.u. of voltage]; the link of ``link_energy`` [J] at
    nominal voltage feeds the chopper from ``chopper_on`` to ``chopper_full`` [p.u. of voltage], above which the torque
    reference is taken back and is gone at ``link_limit``. Circuit, gains and limits have no default; :meth:`nrel_5mw` is a
    whole machine.
    """

    pole_pairs: int
    resistance: float
    inductance: float
    flux: float
    kp_1: float
    kp_2: float
    ki_2: float
    kp_3: float
    ki_3: float
    kp_4: float
    ki_4: float
    rated_torque: float
    rated_power: float
    current_limit: float
    voltage_limit: float
    link_energy: float
    d_current: float = 0.0
    chopper: float = 0.0
    grid_current: float = 1.1
    chopper_on: float = 1.05
    chopper_full: float = 1.15
    link_limit: float = 1.25

    def __post_init__(self) -> None:
        for name in (
            "pole_pairs",
            "resistance",
            "inductance",
            "flux",
            "ki_2",
            "ki_3",
            "ki_4",
            "rated_torque",
            "current_limit",
            "voltage_limit",
            "rated_power",
            "grid_current",
            "link_energy",
        ):
            if not getattr(self, name) > 0.0:
                raise ValueError(f"{name} has to be positive, got {getattr(self, name):g}")
        if not self.chopper >= 0.0:
            raise ValueError(f"chopper is a power that is not negative (0: none), got {self.chopper:g}")
        if not 1.0 <= self.chopper_on < self.chopper_full < self.link_limit:
            raise ValueError(
                f"1 <= chopper_on < chopper_full < link_limit is needed, got {self.chopper_on:g}, {self.chopper_full:g}, "
                f"{self.link_limit:g}"
            )

    @classmethod
    def nrel_5mw(cls, **changes: Any) -> Pmsg:
        """The generator of 750 rpm of the 5 MW turbine (S1 section 3.4), with changes."""
        return cls(**{**NREL_5MW, **changes})

    def parameters(self, sense: float = 1.0, voltage: int = 0, reference: int = 1) -> list[float]:
        """Numbers for the law: indices of the signals of voltage [p.u.] and torque reference [N m], then data, gains."""
        return [
            float(voltage), float(reference), sense, float(self.pole_pairs), self.resistance, self.inductance, self.flux,
            self.d_current, self.kp_1, self.kp_2, self.ki_2, self.kp_3, self.ki_3, self.kp_4, self.ki_4,
            self.current_limit, self.voltage_limit, self.chopper, self.rated_power, self.grid_current, self.link_energy,
            self.chopper_on, self.chopper_full, self.link_limit,
        ]  # fmt: skip

    def steady(self, torque: float, speed: float) -> list[float]:
        """States (i_d, i_q, integrators 2, 3, 4; energy of the link) at rest under a torque [N m] and speed [rad/s].

        Raises ValueError if machine or converter cannot hold that torque.
        """
        we, i_d = self.pole_pairs * speed, self.d_current
        i_q = torque / (1.5 * self.pole_pairs * self.flux)
        u_q = -self.resistance * i_q - we * self.inductance * i_d + we * self.flux
        u_d = -self.resistance * i_d + we * self.inductance * i_q
        if torque > self.rated_torque * (1.0 + 1e-9):
            raise ValueError(
                f"{torque / 1e3:.5g} kN m is above the rated torque of the machine, {self.rated_torque / 1e3:.5g} kN m (rated_torque)"
            )
        if abs(i_q) > self.current_limit:
            raise ValueError(
                f"{torque / 1e3:.5g} kN m needs {abs(i_q):.5g} A, above the limit of {self.current_limit:.5g} A (current_limit)"
            )
        if math.hypot(u_d, u_q) > self.voltage_limit:
            raise ValueError(
                f"{torque / 1e3:.5g} kN m at {speed:.5g} rad/s needs {math.hypot(u_d, u_q):.5g} V, above the limit of "
                f"{self.voltage_limit:.5g} V (voltage_limit)"
            )
        states = [i_d, i_q, (self.kp_1 * i_q - u_q) / self.ki_2, -u_d / self.ki_3, i_q / self.ki_4]
        return [*states, self.link_energy] if self.chopper > 0.0 else states

    def linear(self, torque: float, speed: float) -> tuple[Float, Float, Float, Float]:
        """Machine and cascade linearised at a point: ``x' = A x + B u``, ``y = C x + D u``.

        Deviations of (i_d, i_q, integrators 2, 3, 4); inputs: torque reference [N m], speed [rad/s]; outputs: torque
        [N m], power of the shaft [W]. The machine's part is S1 (3.75) with its last diagonal entry -R/L_q; the
        cascade closes it. Limits and chopper do not act.
        """
        p, r, ell, psi = self.pole_pairs, self.resistance, self.inductance, self.flux
        we, k_t = p * speed, 1.5 * p * self.flux
        i_d, i_q = self.d_current, torque / k_t
        # e_P = (T_ref - T) w; at the point T_ref = T, so that speed does not enter to first order
        power = np.array([0.0, -k_t * speed, 0.0, 0.0, 0.0])
        asked = self.kp_4 * power + self.ki_4 * np.eye(5)[4]
        error_q = asked - np.eye(5)[1]
        u_q = -self.kp_2 * error_q - self.ki_2 * np.eye(5)[2] + self.kp_1 * np.eye(5)[1]
        u_d = self.kp_3 * np.eye(5)[0] - self.ki_3 * np.eye(5)[3]
        a = np.zeros((5, 5))
        a[0] = (np.array([-r, we * ell, 0.0, 0.0, 0.0]) - u_d) / ell
        a[1] = (np.array([-we * ell, -r, 0.0, 0.0, 0.0]) - u_q) / ell
        a[2], a[3], a[4] = error_q, -np.eye(5)[0], power
        b = np.zeros((5, 2))
        step = self.kp_4 * speed
        b[1, 0], b[2, 0], b[4, 0] = self.kp_2 * step / ell, step, speed
        b[0, 1], b[1, 1] = p * i_q, p * (psi / ell - i_d)
        c = np.zeros((2, 5))
        c[:, 1] = k_t, k_t * speed
        return a, b, c, np.array([[0.0, 0.0], [0.0, torque]])

    def quantities(
        self, states: ArrayLike, voltage: ArrayLike = 1.0, frequency: ArrayLike = 1.0
    ) -> dict[str, NDArray[np.float64]]:
        """Current [A, peak], torque [N m] and voltage of the DC link [p.u.] of states (..., 5 or 6)."""
        z = np.asarray(states, float)
        found = {
            "stator_current": np.hypot(z[..., 0], z[..., 1]),
            "torque": 1.5 * self.pole_pairs * self.flux * z[..., 1],
        }
        if z.shape[-1] > 5:
            found["link_voltage"] = np.sqrt(np.maximum(z[..., 5], 0.0) / self.link_energy)
        return found


@force
def _pmsg(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    sense, pairs, r, l, psi = p[2], p[3], p[4], p[5], p[6]
    speed = sense * dv[0]
    we = pairs * speed
    i_d, i_q = z[0], z[1]
    torque = 1.5 * pairs * psi * i_q
    voltage, reference = s[int(p[0])], s[int(p[1])]
    if p[17] > 0.0:
        level = np.sqrt(max(z[5], 0.0) / p[20])
        # a link that the chopper cannot hold takes the torque back
        reference *= min(max((p[23] - level) / (p[23] - p[22]), 0.0), 1.0)
    else:
        reference *= voltage
    power_error = (reference - torque) * speed
    asked = p[13] * power_error + p[14] * z[4]
    rate = power_error * going_on(asked, power_error, p[15], p[15])
    asked = min(max(asked, -p[15]), p[15])
    error_q = asked - i_q
    error_d = p[7] - i_d
    u_q = -p[9] * error_q - p[10] * z[2] + p[8] * i_q
    u_d = -p[11] * error_d - p[12] * z[3]
    size = np.sqrt(u_d * u_d + u_q * u_q)
    zd[2], zd[3] = error_q, error_d
    if size > p[16]:
        # the integrators follow what the converter can give
        share = p[16] / size
        zd[2] += 200.0 * (1.0 - share) * u_q / p[10]
        zd[3] += 200.0 * (1.0 - share) * u_d / p[12]
        u_d, u_q = share * u_d, share * u_q
    zd[0] = (-r * i_d + we * l * i_q - u_d) / l
    zd[1] = (-r * i_q - we * l * i_d + we * psi - u_q) / l
    zd[4] = rate
    if p[17] > 0.0:
        made = 1.5 * (u_d * i_d + u_q * i_q)
        # the grid side holds the link where it may (20 1/s) and gives what its current and the voltage allow
        wanted = made + 20.0 * (z[5] - p[20])
        most = p[19] * p[18] * voltage
        burnt = p[17] * min(max((level - p[21]) / (p[22] - p[21]), 0.0), 1.0)
        zd[5] = made - min(max(wanted, -most), most) - burnt
    f[0] = sense * torque


def pmsg(data: Pmsg, torque: float, speed: float, *, sense: float = 1.0, voltage: int = 0, reference: int = 1) -> Law:
    """A PMSG as a law on the rotation of its rotor, at rest under ``torque`` [N m] and ``speed`` [rad/s]."""
    return Law(
        _pmsg,
        tuple(data.parameters(sense, voltage, reference)),
        states=tuple(data.steady(torque, speed)),
        mean=((0.0,), (0.0,)),
        label="PMSG with cascade",
        source="S1 section 3.4; machines page 3",
    )
