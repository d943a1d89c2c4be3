"""Electrical machines, grid codes and gusts: S1.pmsg_*, S1.dfig_*, S1.lvrt_*, S1.eog_*, S1.brake_*."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from .framework import REGISTRY

computes = REGISTRY.computes

_SPEED = 122.909
_PMSG_SPEED, _PMSG_TORQUE = 750.0 * math.pi / 30.0, 65_530.0


@cache
def _dfig_point(magnetising: float) -> dict[str, Any]:
    """The machine at 5 MW into the grid without reactive power, 122.909 rad/s."""
    from gearwright.machines import Dfig

    data = Dfig.nrel_5mw(magnetising_reactance=magnetising)

    def at(torque: float) -> tuple[float, dict[str, Any]]:
        z = data.steady(torque, _SPEED)
        rotor = complex(z[0], z[1])
        flux, i_s, i_r = data.fluxes(rotor)
        slip = data.speed - data.pole_pairs * _SPEED
        u_r = data.rotor_resistance * i_r + 1j * slip * rotor
        ps = 1.5 * (1j * data.voltage * i_s.conjugate()).real
        pr = 1.5 * (u_r * i_r.conjugate()).real
        return ps + pr + 5e6, {
            "T": -torque, "Pm": torque * _SPEED, "Ps": ps, "Pr": pr, "Is": abs(i_s) / math.sqrt(2),
            "Ir": abs(i_r) / math.sqrt(2), "rotor": rotor, "flux": flux, "u_r": u_r, "data": data,
        }  # fmt: skip

    low, high = 38_000.0, 43_000.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        if at(middle)[0] > 0.0:
            low = middle
        else:
            high = middle
    return at(0.5 * (low + high))[1]


@computes(*(f"S1.dfig_xm_{unit}_{what}" for unit in ("pu", "ohm") for what in ("T", "Pm", "Ps", "Pr", "Is", "Ir")))
def _dfig() -> dict[str, float]:
    found = {}
    for unit, xm in (("pu", 0.19584), ("ohm", 4.25)):
        point = _dfig_point(xm)
        found.update({f"S1.dfig_xm_{unit}_{what}": point[what] for what in ("T", "Pm", "Ps", "Pr", "Is", "Ir")})
    return found


@computes("S1.dfig_rotor_flux_aex", "S1.dfig_stator_flux")
def _fluxes() -> dict[str, Any]:
    point = _dfig_point(4.25)
    return {
        "S1.dfig_rotor_flux_aex": [point["rotor"].real, point["rotor"].imag],
        "S1.dfig_stator_flux": abs(point["flux"]),
    }


def _rotor_flux(data: Any, voltage: float) -> tuple[complex, complex]:
    """Pole and forcing of the rotor flux with the rotor voltage frozen: lam' = pole lam + force + u_r."""
    slip = data.speed - data.pole_pairs * _SPEED

    def rate(rotor: complex) -> complex:
        return complex(-data.rotor_resistance * data.fluxes(rotor, voltage)[2] - 1j * slip * rotor)

    force = rate(0j)
    return rate(1 + 0j) - force, force


@computes("S1.dfig_rotor_flux_pole")
def _pole() -> list[float]:
    pole, _ = _rotor_flux(_dfig_point(0.19584)["data"], 1.0)
    return [pole.real, pole.imag]


@computes(*(f"S1.dfig_dip_torque_ratio_{depth}" for depth in (75, 85, 100)))
def _dips() -> dict[str, list[float]]:
    point = _dfig_point(0.19584)
    data, found = point["data"], {}

    def torque(rotor: complex, voltage: float) -> float:
        flux, i_s, _ = data.fluxes(rotor, voltage)
        return float(-1.5 * data.pole_pairs * (flux.conjugate() * i_s).imag)

    before = torque(point["rotor"], 1.0)
    for depth in (75, 85, 100):
        v = 1.0 - depth / 100.0
        pole, force = _rotor_flux(data, v)
        rest = -(force + point["u_r"]) / pole
        after = rest + (point["rotor"] - rest) * np.exp(pole * 0.15)
        found[f"S1.dfig_dip_torque_ratio_{depth}"] = [
            torque(point["rotor"], v) / before, torque(after, v) / before, torque(after, 1.0) / before
        ]  # fmt: skip
    return found


@computes("S1.pmsg_power_at_65_53", "S1.pmsg_rated_torque_implemented", "S1.pmsg_iq_at_65_53", "S1.pmsg_voltages_dq_at_65_53",
          "S1.pmsg_open_loop_pole")  # fmt: skip
def _pmsg() -> dict[str, Any]:
    from gearwright.machines import Pmsg

    data = Pmsg.nrel_5mw(d_current=0.0)
    i_q = data.steady(_PMSG_TORQUE, _PMSG_SPEED)[1]
    we = data.pole_pairs * _PMSG_SPEED
    torque = 1.5 * data.pole_pairs * data.flux * i_q
    return {
        "S1.pmsg_power_at_65_53": torque * _PMSG_SPEED * 0.99, "S1.pmsg_rated_torque_implemented": torque,
        "S1.pmsg_iq_at_65_53": i_q,
        "S1.pmsg_voltages_dq_at_65_53": [we * data.inductance * i_q, we * data.flux - data.resistance * i_q],
        "S1.pmsg_open_loop_pole": [-data.resistance / data.inductance, we],
    }  # fmt: skip


def _rates(law: Any, speed: float, reference: float, z: Any) -> tuple[float, Any]:
    """Torque and rates of a machine's law at nominal voltage."""
    import ctypes

    pointer = ctypes.POINTER(ctypes.c_double)
    keep = [np.ascontiguousarray(x, float) for x in ([0.0], [speed], law.parameters, z, [1.0, reference])]
    f, zd = np.zeros(1), np.zeros(len(keep[3]))
    arguments = [x.ctypes.data_as(pointer) for x in keep]
    law.force.ctypes(0.0, *arguments, 0, f.ctypes.data_as(pointer), zd.ctypes.data_as(pointer))
    return float(f[0]), zd


@computes("S1.pmsg_closed_loop_poles_A", "S1.pmsg_controller_overshoot", "S1.pmsg_controller_settling_2pct")
def _cascade() -> dict[str, Any]:
    """Linear closed loop at rated speed (the law is linear there): poles and the step of the torque reference."""
    from scipy.linalg import expm

    from gearwright.machines import Pmsg, pmsg

    law = pmsg(Pmsg.nrel_5mw(), _PMSG_TORQUE, _PMSG_SPEED)
    z = np.array(law.states)
    base_torque, base = _rates(law, _PMSG_SPEED, _PMSG_TORQUE, z)
    n = len(z)
    a, c = np.zeros((n, n)), np.zeros(n)
    for j in range(n):
        t, zd = _rates(law, _PMSG_SPEED, _PMSG_TORQUE, z + np.eye(n)[j])
        a[:, j], c[j] = zd - base, t - base_torque
    b = _rates(law, _PMSG_SPEED, 0.8 * _PMSG_TORQUE, z)[1] - base
    values = np.linalg.eigvals(a)
    # one of each pair, the slowest first
    poles = sorted((v for v in values if v.imag >= 0.0), key=lambda v: -v.real)
    wide = np.zeros((n + 1, n + 1))
    wide[:n, :n], wide[:n, n] = a, b
    step, x = expm(wide * 1e-4), np.append(np.zeros(n), 1.0)
    done = []
    for _ in range(12_000):
        x = step @ x
        done.append(c @ x[:n] / (-0.2 * _PMSG_TORQUE))
    response = np.array(done)
    outside = np.flatnonzero(np.abs(response - 1.0) > 0.02)
    return {
        "S1.pmsg_closed_loop_poles_A": [[v.real, v.imag] for v in poles],
        "S1.pmsg_controller_overshoot": float(response.max() - 1.0),
        "S1.pmsg_controller_settling_2pct": (float(outside[-1]) + 2.0) * 1e-4,
    }  # fmt: skip


@computes(
    *(f"S1.lvrt_{what}_{code}" for what in ("profile", "area") for code in ("quebec", "ireland", "usa", "denmark"))
)
def _codes() -> dict[str, Any]:
    from gearwright.cases.grid import grid_profile

    found: dict[str, Any] = {}
    for code in ("quebec", "ireland", "usa", "denmark"):
        time, voltage = grid_profile(code)
        found[f"S1.lvrt_profile_{code}"] = [[round(t, 12), v] for t, v in zip(time, voltage, strict=True)]
        found[f"S1.lvrt_area_{code}"] = float(np.trapezoid(1.0 - np.array(voltage), time))
    return found


@computes(*(f"S1.eog_A_{v}" for v in ("9.4", "11.4", "13.4", "25")), "S1.eog_peak_25_s1", "S1.eog_fault_times")
def _gusts() -> dict[str, Any]:
    from gearwright.turbine import gusts, load
    from gearwright.turbine import wind as air

    turbine = load("nrel-5mw")
    found: dict[str, Any] = {}
    for v in ("9.4", "11.4", "13.4", "25"):
        base = gusts.operating_gust(turbine, float(v), wind="IIA").series[0]
        found[f"S1.eog_A_{v}"] = [
            air.normal_deviation(float(v), "IIA"), gusts.gust_size(turbine, float(v), "IIA"), float(base.max())
        ]  # fmt: skip
    found["S1.eog_peak_25_s1"] = found["S1.eog_A_25"][2]
    # lowest, steepest and peak of -0.37 sin(3 pi x)(1 - cos(2 pi x)) in the first half of the gust
    t = np.linspace(0.0, 5.5, 550_001)
    shape = -0.37 * np.sin(3 * np.pi * t / 10.5) * (1 - np.cos(2 * np.pi * t / 10.5))
    found["S1.eog_fault_times"] = [float(t[x]) for x in (shape.argmin(), np.gradient(shape).argmax(), shape.argmax())]
    return found


@computes("S1.brake_torque_ratio")
def _brake() -> float:
    import gearwright as gw

    brake: Any = next(e for e in gw.load("nrel-5mw").elements if e.name == "hss_brake")
    return float(brake.capacity.torque) * 97.014 / (97.014 * 43_093.55)
