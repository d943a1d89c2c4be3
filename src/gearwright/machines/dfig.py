"""Doubly-fed induction generator with rotor-side control, third or fifth order.

Synchronous frame with the stator voltage on +q, so that d lies along the stator flux: d carries reactive power, q
torque. Motor convention for currents, rotor quantities referred to the stator; the generator torque is positive when it
brakes. The third order neglects stator transients: what holds of it in a dip, by kind of fault and quantity, is on the machines page.
Source: machines and faults page, section 1; data of J. F. Gallego-Calderon (2015), Table 5.4.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gearwright.kernels import START, force, guard
from gearwright.kernels.places import whole_of
from gearwright.system import Law

from .circuit import Circuit
from .limits import going_on

Complex = NDArray[np.complex128]

#: the generator of the 5 MW turbine; rated current of its rotor referred to the stator [A, peak]
NREL_5MW = {
    "line_voltage": 480.0,
    "frequency": 60.0,
    "pole_pairs": 3,
    "stator_resistance": 2.55e-4,
    "rotor_resistance": 4.35e-4,
    "stator_reactance": 4.5e-3,
    "rotor_reactance": 6.0e-3,
    "magnetising_reactance": 0.19584,
    "rated_current": 9581.3,
    "current_limit": 1.2 * 9581.3,
    "voltage_limit": 0.5,
    "current_bandwidth": 200.0,
    "torque_bandwidth": 40.0,
    "reactive_bandwidth": 20.0,
}


#: places of the parameters
(VOLTAGE, REFERENCE, SENSE, ORDER, VN, WS, POLES, RS, RR, LS, LR, LM, KP, KI, RA, AC, KPT, KIT, KPQ, KIQ, IMAX, UMAX,
 QREF, FREQUENCY, NEGATIVE, DIRECT, HOLD, SUPPORT, BAND, CROWBAR, RCB, CBTIME, FLUX_R, FLUX_I, CURRENT_R, CURRENT_I,
 NUMBER) = range(37)  # fmt: skip


@dataclass(frozen=True)
class Dfig(Circuit):
    """Data and control of a DFIG; SI, phase quantities at peak.

    The bandwidths [1/s] are those of the three loops, from which the gains follow by pole placement; a gain that is given
    (``current_kp`` [V/A], ``current_ki`` [V/(A s)], ``active_resistance`` [ohm], ``torque_kp`` [A/(N m)], ``torque_ki``,
    ``reactive_kp`` [A/var], ``reactive_ki``) replaces its own. ``current_limit`` [A] bounds the references,
    ``voltage_limit`` [p.u.] the rotor voltage; infinity: none. ``rated_current`` [A] is the base of the crowbar's
    threshold and of the reactive support.

    Options: ``direct_torque`` sets the torque current from the reference without an integrator; ``hold_below`` [p.u.]
    freezes the outer loops while the voltage is lower; ``crowbar`` shorts the rotor through ``crowbar_resistance`` [ohm]
    for ``crowbar_time`` [s] when its current passes ``crowbar_current`` [A]; ``reactive_support`` [p.u. of rated current
    per p.u. of voltage] feeds the grid where the voltage is more than ``support_band`` away from nominal, before torque.
    ``unchecked`` lets through what is known to be unstable.

    The circuit and the limits have no default; :meth:`nrel_5mw` is a whole machine.
    """

    rated_current: float
    current_limit: float
    voltage_limit: float
    order: int = 3
    current_bandwidth: float = 200.0
    torque_bandwidth: float = 40.0
    reactive_bandwidth: float = 20.0
    reactive_power: float = 0.0
    current_kp: float | None = None
    current_ki: float | None = None
    active_resistance: float | None = None
    torque_kp: float | None = None
    torque_ki: float | None = None
    reactive_kp: float | None = None
    reactive_ki: float | None = None
    direct_torque: bool = False
    hold_below: float = 0.0
    crowbar: bool = False
    crowbar_current: float | None = None
    crowbar_resistance: float | None = None
    crowbar_time: float = 0.1
    reactive_support: float = 0.0
    support_band: float = 0.1
    unchecked: bool = False

    def __post_init__(self) -> None:
        if self.order not in (3, 5):
            raise ValueError(f"a DFIG has order 3 or 5, not {self.order}")
        self._positive(
            "current_bandwidth",
            "torque_bandwidth",
            "reactive_bandwidth",
            "rated_current",
            "current_limit",
            "voltage_limit",
            "crowbar_time",
        )
        for name in ("stator_resistance", "reactive_support", "support_band", "hold_below"):
            if not getattr(self, name) >= 0.0:
                raise ValueError(f"{name} must not be negative, got {getattr(self, name):g}")
        if self.order == 5 and self.current_bandwidth > 300.0 and not self.unchecked:
            raise ValueError(
                f"a current loop of {self.current_bandwidth:g} 1/s undamps the stator flux (its real part changes sign "
                f"near 400 1/s); stay at 300 1/s or below, take the third order, or ask for it with unchecked: true"
            )

    @classmethod
    def nrel_5mw(cls, **changes: Any) -> Dfig:
        """The generator of the 5 MW turbine (S1 Table 5.4; magnetising reactance 0.19584 ohm), with changes."""
        return cls(**{**NREL_5MW, **changes})

    @cached_property
    def gains(self) -> dict[str, float]:
        """Gains of the three loops, by pole placement where they are not given.

        The plant of the rotor current is 1/(s L_t + R_r); ``active_resistance`` moves its pole to the bandwidth, so that
        reference and disturbance see first-order and double poles there. The outer plants are a_c g/(s + a_c).
        """
        ls, lr, lm = self.inductances
        lt = (ls * lr - lm * lm) / ls
        gain_t = 1.5 * self.pole_pairs * lm / ls * self.voltage / self.speed
        gain_q = 1.5 * self.voltage * lm / ls
        ac = self.current_bandwidth
        placed = {
            "current_kp": ac * lt,
            "current_ki": ac * ac * lt,
            "active_resistance": ac * lt - self.rotor_resistance,
            "torque_kp": self.torque_bandwidth / (ac * gain_t),
            "torque_ki": self.torque_bandwidth / gain_t,
            "reactive_kp": self.reactive_bandwidth / (ac * gain_q),
            "reactive_ki": self.reactive_bandwidth / gain_q,
        }
        return {k: v if getattr(self, k) is None else float(getattr(self, k)) for k, v in placed.items()}

    def parameters(
        self,
        sense: float = 1.0,
        voltage: int = 0,
        reference: int = 1,
        frequency: int = 2,
        negative: int = 3,
        speed: float | None = None,
    ) -> list[float]:
        """Numbers for the law: indices of the signals of voltage [p.u.], torque reference [N m], frequency [p.u.] and
        negative sequence [p.u.], then data, gains, options. ``speed`` [rad/s] is that of the negative sequence's response.
        """
        ls, lr, lm = self.inductances
        g = self.gains
        crowbar = math.inf
        if self.crowbar:
            crowbar = 2.0 * self.rated_current if self.crowbar_current is None else self.crowbar_current
        short = 20.0 * self.rotor_resistance if self.crowbar_resistance is None else self.crowbar_resistance
        flux, current = self.negative_sequence(self.speed / self.pole_pairs if speed is None else speed)
        return [
            float(voltage), float(reference), sense, float(self.order), self.voltage, self.speed, float(self.pole_pairs),
            self.stator_resistance, self.rotor_resistance, ls, lr, lm, g["current_kp"], g["current_ki"], g["active_resistance"],
            self.current_bandwidth, g["torque_kp"], g["torque_ki"], g["reactive_kp"], g["reactive_ki"], self.current_limit,
            self.voltage_limit * self.voltage, self.reactive_power, float(frequency), float(negative), float(self.direct_torque),
            self.hold_below, self.reactive_support * self.rated_current, self.support_band, crowbar, short, self.crowbar_time,
            flux.real, flux.imag, current.real, current.imag,
        ]  # fmt: skip

    def negative_sequence(self, speed: float) -> tuple[complex, complex]:
        """Stator flux [Wb/V] and stator current [A/V] per negative-sequence voltage, at steady state.

        In the synchronous frame that voltage turns backwards at twice the grid's frequency. Stator, rotor and current
        loop answer it with the outer loops at rest: the model of an asymmetric fault for the third order.
        """
        ls, lr, lm = self.inductances
        det, g, w = ls * lr - lm * lm, self.gains, self.speed
        s = -2j * w
        slip = w - self.pole_pairs * speed
        turn = 1j * slip
        # unknowns: stator flux, rotor flux, integrator of the current loop (per volt)
        i_s = np.array([lr, -lm, 0.0]) / det
        i_r = np.array([-lm, ls, 0.0]) / det
        own = np.eye(3)
        given = own[2] - (g["current_kp"] + g["active_resistance"]) * i_r + turn * own[1]
        rows = np.array(
            [
                (s + 1j * w) * own[0] + self.stator_resistance * i_s,
                s * own[1] + self.rotor_resistance * i_r + turn * own[1] - given,
                s * own[2] + g["current_ki"] * i_r,
            ]
        )
        x = np.linalg.solve(rows, np.array([1.0, 0.0, 0.0]))
        return complex(x[0]), complex(i_s @ x)

    def fluxes(self, rotor_flux: complex, voltage: float = 1.0) -> tuple[complex, complex, complex]:
        """Stator flux without transients, stator and rotor current."""
        ls, lr, lm = self.inductances
        d = ls * lr - lm * lm
        us = 1j * voltage * self.voltage
        flux = (us + self.stator_resistance * lm / d * rotor_flux) / (1j * self.speed + self.stator_resistance * lr / d)
        return flux, (lr * flux - lm * rotor_flux) / d, (ls * rotor_flux - lm * flux) / d

    def rotor_voltage(self, rotor_flux: complex, speed: float) -> complex:
        """Rotor voltage at rest [V], referred to the stator."""
        current = self.fluxes(rotor_flux)[2]
        return self.rotor_resistance * current + 1j * (self.speed - self.pole_pairs * speed) * rotor_flux

    def steady(self, torque: float, speed: float) -> list[float]:
        """States at rest under a generator torque [N m] at a speed [rad/s], nominal voltage.

        Raises ValueError if the machine or its converter cannot hold that torque.
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
            raise ValueError(f"the machine cannot give {torque / 1e3:.6g} kN m at {speed:.5g} rad/s")
        rotor = complex(x[0], x[1])
        flux, _, current = self.fluxes(rotor)
        if abs(current) > self.current_limit:
            raise ValueError(
                f"{torque / 1e3:.5g} kN m needs a rotor current of {abs(current):.5g} A, above the limit of "
                f"{self.current_limit:.5g} A (current_limit)"
            )
        needed = abs(self.rotor_voltage(rotor, speed)) / self.voltage
        if needed > self.voltage_limit:
            raise ValueError(
                f"{speed:.5g} rad/s is a slip of {1.0 - self.pole_pairs * speed / self.speed:.3g} and needs a rotor voltage "
                f"of {needed:.3g} p.u., above the limit of {self.voltage_limit:.3g} p.u. (voltage_limit)"
            )
        x_u = (self.rotor_resistance + self.gains["active_resistance"]) * current
        states = [rotor.real, rotor.imag, x_u.real, x_u.imag, current.imag, current.real]
        return [*states, flux.real, flux.imag] if self.order == 5 else states

    def quantities(
        self, states: ArrayLike, voltage: ArrayLike = 1.0, frequency: ArrayLike = 1.0
    ) -> dict[str, NDArray[np.float64]]:
        """Currents [A, peak], power [W, var; + out of the machine] and torque [N m] of states (..., 6 or 8).

        ``rotor_power`` is that of the current and rotor voltage at rest; transients of the rotor flux are left out of it.
        """
        z, v = np.asarray(states, float), np.asarray(voltage, float) * self.voltage
        ls, lr, lm = self.inductances
        det, w = ls * lr - lm * lm, self.speed * np.asarray(frequency, float)
        rotor: Complex = z[..., 0] + 1j * z[..., 1]
        rest = (1j * v + self.stator_resistance * lm / det * rotor) / (1j * w + self.stator_resistance * lr / det)
        flux = z[..., 6] + 1j * z[..., 7] if self.order == 5 else rest
        i_s, i_r = (lr * flux - lm * rotor) / det, (ls * rotor - lm * flux) / det
        power = -1.5 * 1j * v * i_s.conjugate()
        return {
            "stator_current": np.abs(i_s),
            "rotor_current": np.abs(i_r),
            "stator_power": power.real,
            "reactive_power": power.imag,
            "torque": -1.5 * self.pole_pairs * (flux.conjugate() * i_s).imag,
        }


@force
def _dfig(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    level = s[int(p[0])]
    v = level * p[4]
    reference = s[int(p[1])]
    sense, ws, pairs = p[2], p[5] * s[int(p[23])], p[6]
    rs, rr, ls, lr, lm = p[7], p[8], p[9], p[10], p[11]
    slip = ws - pairs * sense * dv[0]
    det = ls * lr - lm * lm
    rotor = complex(z[0], z[1])
    us = complex(0.0, v)
    back = complex(0.0, 0.0)
    unbalance = s[int(p[24])] * p[4]
    if unbalance != 0.0:
        # the negative sequence turns backwards at twice the grid's frequency
        back = 1j * unbalance * (np.cos(2.0 * p[5] * t) - 1j * np.sin(2.0 * p[5] * t))
    algebraic = (us + rs * lm / det * rotor) / complex(rs * lr / det, ws)
    flux = complex(z[6], z[7]) if p[3] > 4.0 else algebraic
    i_s = (lr * flux - lm * rotor) / det
    i_r = (ls * rotor - lm * flux) / det
    torque = -1.5 * pairs * (flux.real * i_s.imag - flux.imag * i_s.real)
    more_flux, more_current = complex(p[32], p[33]) * back, complex(p[34], p[35]) * back
    if p[3] < 5.0 and unbalance != 0.0:
        # the negative sequence with itself: a mean torque, which the outer loop takes back as any other
        torque -= 1.5 * pairs * (more_flux.real * more_current.imag - more_flux.imag * more_current.real)
    # u_s conj(i_s) with u_s = jV: imaginary part V Re i_s
    q = 1.5 * v * i_s.real
    # outer loops
    error_t, error_q = reference - torque, p[22] - q
    held = level < p[26] or mode > 0
    iq = z[4] + (0.0 if held else p[16] * error_t)
    id_ = z[5] - (0.0 if held else p[18] * error_q)
    rate_t, rate_q = (0.0, 0.0) if held else (p[17] * error_t, -p[19] * error_q)
    if p[25] > 0.0:
        size = max(np.sqrt(flux.real * flux.real + flux.imag * flux.imag), 0.1 * p[4] / ws)
        iq, rate_t = reference / (1.5 * pairs * lm / ls * size), 0.0
    most = p[20]
    away = 1.0 - level
    first = p[27] > 0.0 and abs(away) > p[28]
    if first:
        # grid first: reactive current by the depth of the dip, torque with what is left
        id_, rate_q = z[5] + p[27] * (away - (p[28] if away > 0.0 else -p[28])), 0.0
        id_ = min(max(id_, -most), most)
        top = np.sqrt(max(most * most - id_ * id_, 0.0)) if most < 1e30 else most
    else:
        top = most
    # an integrator stops while its reference is limited and its error pushes further
    rate_t *= going_on(iq, rate_t, top, most)
    iq = min(max(iq, -top), top)
    if not first:
        room = np.sqrt(max(most * most - iq * iq, 0.0)) if most < 1e30 else most
        rate_q *= going_on(id_, rate_q, room, most)
        id_ = min(max(id_, -room), room)
    # current loop
    error = complex(id_, iq) - i_r
    x = complex(z[2], z[3])
    turning = complex(0.0, slip) * rotor
    if mode > 0:
        # crowbar: the rotor is shorted through a resistance, the integrators run empty
        given = -p[30] * i_r
        moved = -1e3 * x
    else:
        wanted = p[12] * error + x - p[14] * i_r + turning
        size = abs(wanted)
        given = wanted * (p[21] / size) if size > p[21] else wanted
        moved = p[13] * error + p[15] * (given - wanted)
    change = given - rr * i_r - turning
    zd[0], zd[1] = change.real, change.imag
    zd[2], zd[3] = moved.real, moved.imag
    zd[4], zd[5] = rate_t, rate_q
    if p[3] > 4.0:
        stator = us + back - rs * i_s - complex(0.0, ws) * flux
        zd[6], zd[7] = stator.real, stator.imag
    elif unbalance != 0.0:
        # and with the positive one: twice the grid's frequency in the torque, which the outer loop does not see
        torque -= 1.5 * pairs * (flux.real * more_current.imag - flux.imag * more_current.real)
        torque -= 1.5 * pairs * (more_flux.real * i_s.imag - more_flux.imag * i_s.real)
    f[0] = sense * torque


@guard
def _crowbar(t, d, dv, p, z, s, mode, g):  # type: ignore[no-untyped-def]
    """Mode 0: control; otherwise the instant of the short circuit in microseconds, plus one."""
    g[0], g[1] = 1.0, -1e-3
    if mode == START:
        return 0
    if mode > 0:
        g[0], g[1] = (mode - 1) * 1e-6 + p[31] - t, -1.0
        return 0
    ws, rs, ls, lr, lm = p[5] * s[int(p[23])], p[7], p[9], p[10], p[11]
    det = ls * lr - lm * lm
    rotor = complex(z[0], z[1])
    if p[3] > 4.0:
        flux = complex(z[6], z[7])
    else:
        flux = (complex(0.0, s[int(p[0])] * p[4]) + rs * lm / det * rotor) / complex(rs * lr / det, ws)
    g[0] = 1.0 - abs(ls * rotor - lm * flux) / det / p[29]
    return whole_of(t * 1e6) + 1


def dfig(
    data: Dfig,
    torque: float,
    speed: float,
    *,
    sense: float = 1.0,
    voltage: int = 0,
    reference: int = 1,
    frequency: int = 2,
    negative: int = 3,
) -> Law:
    """A DFIG as a law on the rotation of its rotor, at rest under ``torque`` [N m] and ``speed`` [rad/s].

    ``sense`` is the sense of rotation; ``voltage``, ``reference``, ``frequency`` and ``negative`` (sequence) are the
    numbers of the signals it reads.
    """
    return Law(
        _dfig,
        tuple(data.parameters(sense, voltage, reference, frequency, negative, speed)),
        states=tuple(data.steady(torque, speed)),
        guard=_crowbar if data.crowbar else None,
        mean=((0.0,), (0.0,)),
        label=f"DFIG, order {data.order}",
        source="machines page 1; S1 Table 5.4",
    )


def sequences(residual: float, phases: int) -> tuple[float, float]:
    """Voltages of positive and negative sequence [p.u.] when ``phases`` of three fall to ``residual`` without a jump of
    phase: symmetrical components of (V, 1, 1), (V, V, 1) or (V, V, V)."""
    a = cmath.exp(2j * math.pi / 3.0)
    size = [residual] * phases + [1.0] * (3 - phases)
    turned = [size[0], size[1] * a * a, size[2] * a]
    return abs(turned[0] + a * turned[1] + a * a * turned[2]) / 3.0, abs(
        turned[0] + a * a * turned[1] + a * turned[2]
    ) / 3.0
