"""Electrical machines, grid codes and gusts: S1.pmsg_*, S1.dfig_*, S1.lvrt_*, S1.eog_*, S1.brake_*."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from scipy.linalg import expm
from scipy.optimize import bisect

import gearwright as gw
from gearwright.machines import Dfig, Pmsg, pmsg
from gearwright.running.grid import grid_profile
from gearwright.turbine import gusts, load
from gearwright.turbine import wind as air

from .registry import computes, computes_each
from .shared import call_law
from .target import Value

_SPEED = 122.909
_PMSG_SPEED, _PMSG_TORQUE = 750.0 * math.pi / 30.0, 65_530.0


@dataclass(frozen=True)
class _Point:
    """A steady state of the doubly fed machine at 122.909 rad/s under a torque [N m], as phasors of peak values."""

    data: Dfig
    torque: float

    @property
    def rotor(self) -> complex:
        return complex(*self.data.steady(self.torque, _SPEED)[:2])

    @property
    def slip(self) -> float:
        return self.data.speed - self.data.pole_pairs * _SPEED

    def values(self) -> dict[str, float]:
        """Torque, powers [W] and rms currents [A]."""
        rotor = self.rotor
        _, i_s, i_r = self.data.fluxes(rotor)
        stator = 1.5 * (1j * self.data.voltage * i_s.conjugate()).real
        power = 1.5 * (self.rotor_voltage() * i_r.conjugate()).real
        currents = {"Is": abs(i_s) / math.sqrt(2), "Ir": abs(i_r) / math.sqrt(2)}
        return {"T": -self.torque, "Pm": self.torque * _SPEED, "Ps": stator, "Pr": power} | currents

    def rotor_voltage(self) -> complex:
        rotor = self.rotor
        return complex(self.data.rotor_resistance * self.data.fluxes(rotor)[2] + 1j * self.slip * rotor)


@cache
def _point(magnetising: float) -> _Point:
    """The machine at 5 MW into the grid without reactive power."""
    data = Dfig.nrel_5mw(magnetising_reactance=magnetising)

    def missing(torque: float) -> float:
        found = _Point(data, torque).values()
        return found["Ps"] + found["Pr"] + 5e6

    return _Point(data, float(bisect(missing, 38_000.0, 43_000.0, xtol=1e-12, rtol=1e-15)))


@computes_each("S1.dfig_xm_*")
def _dfig(name: str) -> float:
    unit, _, what = name.partition("_")
    return _point({"pu": 0.19584, "ohm": 4.25}[unit]).values()[what]


@computes("S1.dfig_*", "rotor_flux_aex", "stator_flux")
def _fluxes() -> dict[str, Value]:
    rotor = _point(4.25).rotor
    return {"rotor_flux_aex": [rotor.real, rotor.imag], "stator_flux": abs(_point(4.25).data.fluxes(rotor)[0])}


def _rotor_flux(point: _Point, voltage: float) -> tuple[complex, complex]:
    """Pole and forcing of the rotor flux with the rotor voltage frozen: lam' = pole lam + force + u_r."""

    def rate(rotor: complex) -> complex:
        current = point.data.fluxes(rotor, voltage)[2]
        return complex(-point.data.rotor_resistance * current - 1j * point.slip * rotor)

    force = rate(0j)
    return rate(1 + 0j) - force, force


@computes("S1.dfig_rotor_flux_pole")
def _pole() -> list[float]:
    pole, _ = _rotor_flux(_point(0.19584), 1.0)
    return [pole.real, pole.imag]


@computes_each("S1.dfig_dip_torque_ratio_*")
def _dip(depth: str) -> list[float]:
    """Torque at the beginning of a dip, at its end after 0.15 s, and when the voltage is back, over that before."""
    point, voltage = _point(0.19584), 1.0 - float(depth) / 100.0

    def torque(rotor: complex, voltage: float) -> float:
        flux, i_s, _ = point.data.fluxes(rotor, voltage)
        return float(-1.5 * point.data.pole_pairs * (flux.conjugate() * i_s).imag)

    pole, force = _rotor_flux(point, voltage)
    rest = -(force + point.rotor_voltage()) / pole
    after = rest + (point.rotor - rest) * np.exp(pole * 0.15)
    before = torque(point.rotor, 1.0)
    return [torque(*x) / before for x in ((point.rotor, voltage), (after, voltage), (after, 1.0))]


@computes(
    "S1.pmsg_*", "power_at_65_53", "rated_torque_implemented", "iq_at_65_53", "voltages_dq_at_65_53", "open_loop_pole"
)
def _pmsg() -> dict[str, Value]:
    data = Pmsg.nrel_5mw(d_current=0.0)
    i_q = data.steady(_PMSG_TORQUE, _PMSG_SPEED)[1]
    we = data.pole_pairs * _PMSG_SPEED
    torque = 1.5 * data.pole_pairs * data.flux * i_q
    return {
        "power_at_65_53": torque * _PMSG_SPEED * 0.99,
        "rated_torque_implemented": torque,
        "iq_at_65_53": i_q,
        "voltages_dq_at_65_53": [we * data.inductance * i_q, we * data.flux - data.resistance * i_q],
        "open_loop_pole": [-data.resistance / data.inductance, we],
    }


@computes("S1.pmsg_*", "closed_loop_poles_A", "controller_overshoot", "controller_settling_2pct")
def _cascade() -> dict[str, Value]:
    """Linear closed loop at rated speed (the law is linear there): poles and the step of the torque reference."""
    law = pmsg(Pmsg.nrel_5mw(), _PMSG_TORQUE, _PMSG_SPEED)

    def rates(z: Any, reference: float = _PMSG_TORQUE) -> Any:
        """Rates of the states, and the torque behind them, at nominal voltage."""
        force, found = call_law(law, [0.0], [_PMSG_SPEED], z, [1.0, reference])
        return np.append(found, force[0])

    z = np.array(law.states)
    n, base = len(z), rates(z)
    columns = np.array([rates(z + e) - base for e in np.eye(n)]).T
    a, c = columns[:n], columns[n]
    wide = np.zeros((n + 1, n + 1))
    wide[:n, :n], wide[:n, n] = a, (rates(z, 0.8 * _PMSG_TORQUE) - base)[:n]
    step, x = expm(wide * 1e-4), np.append(np.zeros(n), 1.0)
    done = []
    for _ in range(12_000):
        x = step @ x
        done.append(c @ x[:n] / (-0.2 * _PMSG_TORQUE))
    response = np.array(done)
    outside = np.flatnonzero(np.abs(response - 1.0) > 0.02)
    # one of each pair of poles, the slowest first
    poles = sorted((v for v in np.linalg.eigvals(a) if v.imag >= 0.0), key=lambda v: -v.real)
    return {
        "closed_loop_poles_A": [[v.real, v.imag] for v in poles],
        "controller_overshoot": float(response.max() - 1.0),
        "controller_settling_2pct": (float(outside[-1]) + 2.0) * 1e-4,
    }


@computes_each("S1.lvrt_profile_*")
def _profile(code: str) -> list[list[float]]:
    return [[round(t, 12), v] for t, v in zip(*grid_profile(code), strict=True)]


@computes_each("S1.lvrt_area_*")
def _area(code: str) -> float:
    time, voltage = grid_profile(code)
    return float(np.trapezoid(1.0 - np.array(voltage), time))


@computes_each("S1.eog_A_*")
def _gust(speed: str) -> list[float]:
    """Standard deviation, size of the gust, and largest wind [m/s]."""
    turbine, v = load("nrel-5mw"), float(speed)
    base = gusts.operating_gust(turbine, v, wind="IIA").series[0]
    return [air.normal_deviation(v, "IIA"), gusts.gust_size(turbine, v, "IIA"), float(base.max())]


@computes("S1.eog_peak_25_s1")
def _gust_peak() -> float:
    return _gust("25")[2]


@computes("S1.eog_fault_times")
def _fault_times() -> list[float]:
    """Lowest, steepest and peak of -0.37 sin(3 pi x)(1 - cos(2 pi x)) in the first half of the gust."""
    t = np.linspace(0.0, 5.5, 550_001)
    shape = -0.37 * np.sin(3 * np.pi * t / 10.5) * (1 - np.cos(2 * np.pi * t / 10.5))
    return [float(t[x]) for x in (shape.argmin(), np.gradient(shape).argmax(), shape.argmax())]


@computes("S1.brake_torque_ratio")
def _brake() -> float:
    brake: Any = next(e for e in gw.load("nrel-5mw").elements if e.name == "hss_brake")
    return float(brake.capacity.torque) * 97.014 / (97.014 * 43_093.55)
