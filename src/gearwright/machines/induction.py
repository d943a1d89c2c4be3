"""Squirrel-cage induction machine: slip curve, third or fifth order.

The equations are those of the DFIG with a shorted rotor: synchronous frame, stator voltage on +q, motor convention for
currents, rotor referred to the stator, torque positive when it brakes. Order 1 is the slip curve (all flux transients
gone), 3 keeps the rotor flux, 5 also the stator flux.
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

from .circuit import Circuit


@dataclass(frozen=True)
class Induction(Circuit):
    """Equivalent circuit of an induction machine; SI, phase quantities at peak, rotor referred to the stator."""

    order: int = 3

    def __post_init__(self) -> None:
        if self.order not in (1, 3, 5):
            raise ValueError(f"an induction machine has order 1 (slip curve), 3 or 5, not {self.order}")
        self._positive()

    @classmethod
    def rated(
        cls,
        power: float,
        synchronous_speed: float,
        slip: float,
        *,
        breakdown: float = 2.2,
        line_voltage: float = 690.0,
        frequency: float | None = None,
        magnetising: float = 3.5,
        resistance: float = 0.008,
        order: int = 3,
    ) -> Induction:
        """A machine from its plate: mechanical ``power`` [W] as a generator at a ``slip`` (positive number).

        ``breakdown`` is the largest generator torque over the rated one; it and the slip settle leakage (halves on both
        sides) and rotor resistance. ``magnetising`` and ``resistance`` (stator) are in units of V^2/P. The frequency
        defaults to the one of 50 and 60 Hz that gives a whole number of pole pairs. Raises ValueError where no
        circuit has these figures.
        """
        from scipy.optimize import fsolve

        speed = abs(synchronous_speed)
        if not (power > 0.0 and speed > 0.0 and 0.0 < slip < 0.2 and breakdown > 1.05):
            raise ValueError(
                f"a machine needs positive power and speed, a slip between 0 and 0.2 and a breakdown torque above 1.05 "
                f"times rated; got {power:g} W, {speed:g} rad/s, {slip:g}, {breakdown:g}"
            )
        if frequency is None:
            fits = [
                f for f in (50.0, 60.0) if abs(round(2 * math.pi * f / speed) * speed / (2 * math.pi * f) - 1) < 1e-3
            ]
            if not fits:
                raise ValueError(f"{speed:.5g} rad/s is no synchronous speed at 50 or 60 Hz; give the frequency")
            frequency = fits[0]
        pairs = max(round(2.0 * math.pi * frequency / speed), 1)
        # the frequency that belongs to exactly this synchronous speed
        frequency = pairs * speed / (2.0 * math.pi)
        base = line_voltage**2 / power
        torque = power / (speed * (1.0 + slip))

        def circuit(leakage: float, rotor: float) -> Induction:
            return cls(
                line_voltage,
                float(frequency or 0.0),
                pairs,
                resistance * base,
                abs(rotor) * base,
                0.5 * abs(leakage) * base,
                0.5 * abs(leakage) * base,
                magnetising * base,
                order,
            )

        def off(x: Float) -> list[float]:
            machine = circuit(*x)
            return [float(machine.torque(-slip)) / torque - 1.0, machine.breakdown() / torque / breakdown - 1.0]

        found, _, good, _ = fsolve(off, [0.45 / breakdown, slip], full_output=True)
        if good != 1:
            raise ValueError(
                f"no circuit has {breakdown:g} times rated torque at most and {slip:.3g} rated slip; lower breakdown or resistance"
            )
        return circuit(*found)

    def _rest(self, slip: ArrayLike, voltage: ArrayLike) -> tuple[Any, Any, Any]:
        """Rotor flux, stator flux and stator current at rest."""
        ls, lr, lm = self.inductances
        det, w = ls * lr - lm * lm, self.speed
        us = 1j * np.asarray(voltage, float) * self.voltage
        below = 1j * w + self.stator_resistance * lr / det
        # lam_s = a + b lam_r and 0 = -R_r i_r - j slip w lam_r
        a, b = us / below, self.stator_resistance * lm / det / below
        rotor = self.rotor_resistance * lm * a / det
        rotor = rotor / (self.rotor_resistance * (ls - lm * b) / det + 1j * np.asarray(slip, float) * w)
        flux = a + b * rotor
        return rotor, flux, (lr * flux - lm * rotor) / det

    def torque(self, slip: ArrayLike, voltage: ArrayLike = 1.0) -> Any:
        """Steady braking torque [N m] over slip (negative: generator); voltage [p.u.]."""
        _, flux, current = self._rest(slip, voltage)
        return -1.5 * self.pole_pairs * (flux.conjugate() * current).imag

    def breakdown(self) -> float:
        """Largest braking torque of the generator [N m]."""
        from scipy.optimize import minimize_scalar

        found = minimize_scalar(lambda x: -float(self.torque(-math.exp(x))), bounds=(-8.0, 0.0), method="bounded")
        return float(-found.fun)

    def slip_at(self, torque: float) -> float:
        """Slip at which the machine brakes with a torque [N m] at rest; negative for a generator.

        Raises ValueError beyond the breakdown torque.
        """
        from scipy.optimize import brentq, minimize_scalar

        sign = -1.0 if torque >= 0.0 else 1.0
        found = minimize_scalar(
            lambda x: sign * float(self.torque(sign * math.exp(x))), bounds=(-8.0, 0.0), method="bounded"
        )
        top, most = math.exp(found.x), -sign * found.fun
        if abs(torque) >= abs(most):
            raise ValueError(
                f"{torque / 1e3:.5g} kN m is beyond the breakdown torque of the machine, {most / 1e3:.5g} kN m"
            )
        return sign * float(brentq(lambda x: float(self.torque(sign * x)) - torque, 0.0, top, xtol=1e-15))

    def slope(self, speed: float) -> float:
        """Slope of the steady torque over speed [N m s/rad] at a speed of the shaft [rad/s]."""
        slip, h = 1.0 - self.pole_pairs * speed / self.speed, 1e-6
        return float(self.torque(slip - h) - self.torque(slip + h)) / (2 * h) * self.pole_pairs / self.speed

    def steady(self, speed: float) -> list[float]:
        """States at rest at a speed of the shaft [rad/s] and nominal voltage."""
        if self.order == 1:
            return []
        rotor, flux, _ = self._rest(1.0 - self.pole_pairs * speed / self.speed, 1.0)
        states = [rotor.real, rotor.imag]
        return [float(x) for x in ([*states, flux.real, flux.imag] if self.order == 5 else states)]

    def parameters(self, sense: float = 1.0, voltage: int = 0, frequency: int = 2, negative: int = 3) -> list[float]:
        """Numbers for the law: indices of the signals of voltage, frequency and negative sequence [p.u.], then data."""
        ls, lr, lm = self.inductances
        return [
            float(voltage),
            float(frequency),
            float(negative),
            sense,
            float(self.order),
            self.voltage,
            self.speed,
            float(self.pole_pairs),
            self.stator_resistance,
            self.rotor_resistance,
            ls,
            lr,
            lm,
        ]

    def quantities(
        self, states: ArrayLike, voltage: ArrayLike = 1.0, frequency: ArrayLike = 1.0
    ) -> dict[str, NDArray[np.float64]]:
        """Stator current [A, peak], powers [W, var; + out of the machine] and torque of states (..., 2 or 4)."""
        z, v = np.asarray(states, float), np.asarray(voltage, float) * self.voltage
        ls, lr, lm = self.inductances
        det, w = ls * lr - lm * lm, self.speed * np.asarray(frequency, float)
        rotor = z[..., 0] + 1j * z[..., 1]
        rest = (1j * v + self.stator_resistance * lm / det * rotor) / (1j * w + self.stator_resistance * lr / det)
        flux = z[..., 2] + 1j * z[..., 3] if self.order == 5 else rest
        current = (lr * flux - lm * rotor) / det
        power = -1.5 * 1j * v * current.conjugate()
        return {
            "stator_current": np.abs(current),
            "stator_power": power.real,
            "reactive_power": power.imag,
            "torque": -1.5 * self.pole_pairs * (flux.conjugate() * current).imag,
        }


@force
def _induction(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    v, w, sense, pairs = s[int(p[0])] * p[5], p[6] * s[int(p[1])], p[3], p[7]
    rs, rr, ls, lr, lm = p[8], p[9], p[10], p[11], p[12]
    det = ls * lr - lm * lm
    slip = w - pairs * sense * dv[0]
    us = complex(0.0, v)
    below = complex(rs * lr / det, w)
    share = rs * lm / det / below
    if p[4] > 4.0:
        unbalance = s[int(p[2])] * p[5]
        if unbalance != 0.0:
            us += 1j * unbalance * (np.cos(2.0 * p[6] * t) - 1j * np.sin(2.0 * p[6] * t))
        rotor, flux = complex(z[0], z[1]), complex(z[2], z[3])
    elif p[4] > 2.0:
        rotor = complex(z[0], z[1])
        flux = us / below + share * rotor
    else:
        rotor = rr * lm / det * us / below / (rr * (ls - lm * share) / det + complex(0.0, slip))
        flux = us / below + share * rotor
    current = (lr * flux - lm * rotor) / det
    if p[4] > 2.0:
        change = -rr * (ls * rotor - lm * flux) / det - complex(0.0, slip) * rotor
        zd[0], zd[1] = change.real, change.imag
    if p[4] > 4.0:
        stator = us - rs * current - complex(0.0, w) * flux
        zd[2], zd[3] = stator.real, stator.imag
    f[0] = -sense * 1.5 * pairs * (flux.real * current.imag - flux.imag * current.real)


def induction(
    data: Induction, speed: float, *, sense: float = 1.0, voltage: int = 0, frequency: int = 2, negative: int = 3
) -> Law:
    """An induction machine as a law on the rotation of its rotor, at rest at a ``speed`` [rad/s] of its shaft.

    ``sense`` is the sense of rotation; ``voltage``, ``frequency`` and ``negative`` are the numbers of the signals it
    reads. Linear analyses take the slope of the slip curve.
    """
    return Law(
        _induction,
        tuple(data.parameters(sense, voltage, frequency, negative)),
        states=tuple(data.steady(speed)),
        mean=((0.0,), (data.slope(speed),)),
        label=f"induction machine, order {data.order}",
        source="machines page 1, u_r = 0",
    )
