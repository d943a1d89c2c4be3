"""The turbine: TURBINE.* of the turbine and load-case specification. Stops and dampers are in ``stops``."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
from scipy.linalg import eigh

from gearwright.turbine import Schedule, bem, gusts, load, simulate, turbulence
from gearwright.turbine import wind as air

from .registry import computes, computes_each
from .target import given

_RPM = 30.0 / math.pi


@cache
def _turbine() -> Any:
    return load("nrel-5mw")


@cache
def _point(wind: float) -> Any:
    return bem.operating_point(_turbine(), wind)


# --- steady states ---------------------------------------------------------------------------------------------------


@computes("TURBINE.cp_max")
def _cp() -> list[float]:
    """Power coefficient and tip speed ratio of the best point in their bands."""
    cp, ratio, _ = bem.best_point(_turbine())
    return [_share(x, *band) for x, band in zip((cp, ratio), given("TURBINE.cp_max"), strict=True)]


def _share(value: float, low: float, high: float) -> float:
    """Place of a value in a band: -1 and 1 are its ends."""
    return (2.0 * value - low - high) / (high - low)


@computes("TURBINE.rated_wind")
def _rated() -> float:
    return bem.rated_wind(_turbine())


@computes_each("TURBINE.pitch.*")
def _pitch(wind: str) -> float:
    return math.degrees(_point(float(wind)).pitch)


@computes_each("TURBINE.thrust.*")
def _thrust(wind: str) -> float:
    return float(_point(float(wind)).thrust) / 1e3


@computes_each("TURBINE.sensitivity.*")
def _sensitivity(wind: str) -> float:
    return bem.pitch_sensitivity(_turbine(), float(wind)) / 1e6


@computes_each("TURBINE.below_rated.*")
def _below(wind: str) -> list[float]:
    point = _point(float(wind))
    return [point.speed * _RPM, point.power / 1e3, point.thrust / 1e3]


@computes("TURBINE.modes.two_mass")
def _two() -> list[float]:
    t = _turbine()
    geared = t.generator_inertia * t.gear_ratio**2
    squares = (t.shaft_stiffness / t.rotor_inertia, t.shaft_stiffness * (1 / t.rotor_inertia + 1 / geared))
    return [math.sqrt(x) / 2 / math.pi for x in squares]


@computes("TURBINE.modes.three_mass")
def _three() -> list[float]:
    t = _turbine()
    kf, ks = t.edge_stiffness, t.shaft_stiffness
    m = np.diag([t.flexible_inertia, t.rotor_inertia - t.flexible_inertia, t.generator_inertia * t.gear_ratio**2])
    k = np.array([[kf, -kf, 0.0], [-kf, kf + ks, -ks], [0.0, -ks, ks]])
    locked, free = eigh(k[:2, :2], m[:2, :2], eigvals_only=True), eigh(k, m, eigvals_only=True)[1:]
    return [*(np.sqrt(locked) / 2 / np.pi), *(np.sqrt(np.abs(free)) / 2 / np.pi)]


# --- wind --------------------------------------------------------------------------------------------------------------


@computes("TURBINE.eog")
def _eog() -> list[float]:
    base = gusts.operating_gust(_turbine(), 9.4, wind="IIB").series[0]
    return [float(base.min()), float(base.max())]


@computes("TURBINE.ntm")
def _ntm() -> list[float]:
    return [air.normal_deviation(v, c) for c in ("IIA", "IIB") for v in (5, 9.4, 11.4, 13.4, 18, 25)]


@computes("TURBINE.coherence")
def _coherence() -> list[float]:
    """Mean difference of measured and given coherence at two distances, the larger one."""
    from scipy.signal import csd, welch  # takes a second to load

    worst = 0.0
    fields = [np.asarray(air.turbulent(_turbine(), 18.0, s, deviation=2.0).field) for s in range(10)]
    for ring, shift in ((4, 2), (8, 2)):
        cross, one, two = 0.0, 0.0, 0.0
        for field in fields:
            for k in range(0, 24, 4):
                a, b = field[:, ring, k], field[:, ring, (k + shift) % 24]
                f, c = csd(a, b, 10.0, nperseg=600)
                cross, one, two = cross + c, one + welch(a, 10.0, nperseg=600)[1], two + welch(b, 10.0, nperseg=600)[1]
        distance = 2 * _turbine().tip_radius / 8 * ring * math.sin(math.pi * shift / 24)
        band = (f >= 0.05) & (f <= 0.5)
        measured = np.abs(cross) / np.sqrt(one * two)
        worst = max(worst, float(np.mean(np.abs(measured - turbulence.coherence(f, distance, 18.0, 42.0))[band])))
    return [worst]


# --- runs in turbulence --------------------------------------------------------------------------------------------------


@computes_each("TURBINE.closed_loop.*")
def _closed(wind: str) -> list[float]:
    """Means and deviations of six seeds against the printed ones, in tolerances."""
    speed = float(wind)
    winds = (air.turbulent(_turbine(), speed, seed, wind="IIB") for seed in range(1, 7))
    runs = [simulate(_turbine(), made).after(60.0) for made in winds]
    got: list[Any] = []
    for name, scale in (("electrical_power", 1e-3), ("rotor_speed", _RPM), ("low_speed_shaft_torque", 1e-3)):
        got += [np.mean([r[name].mean() for r in runs]) * scale, np.mean([r[name].std() for r in runs]) * scale]
    del got[4]  # the mean torque follows from power and speed
    want = given(f"TURBINE.closed_loop.{wind}")
    allowed = want * (0.05, 0.25, 0.01, 0.25, 0.25)
    allowed[1] = max(allowed[1], 0.02 * want[0])
    return [float(x) for x in (np.array(got) - want) / allowed]


@cache
def _spectrum(wind: float) -> tuple[Any, Any]:
    """Mean spectrum of the shaft torque of 6 seeds as FAST's runs have it: shear 0.14, no tower shadow."""
    from scipy.signal import welch

    total: Any = 0.0
    for seed in range(1, 7):
        made = air.turbulent(_turbine(), wind, seed, wind="IIB", shear=0.14)
        run = simulate(_turbine(), made, shadow=False).after(60.0)
        f, p = welch(run["low_speed_shaft_torque"] / 1e3, 20.0, nperseg=2048)
        total = total + p / 6
    return f, total


@computes("TURBINE.peaks.18")
def _peaks() -> list[float]:
    f, p = _spectrum(18.0)
    bands = [(f >= low) & (f <= high) for low, high in ((0.45, 0.8), (1.4, 2.2))]
    return [float(f[band][np.argmax(p[band])]) for band in bands]


@computes_each("TURBINE.bands.*")
def _bands(wind: str) -> list[float]:
    """Rms at 3P and free-free over that of FAST [octaves]."""
    f, p = _spectrum(float(wind))
    ratio = []
    for (low, high), value in zip(((0.4, 0.8), (1.4, 2.4)), given(f"TURBINE.bands.{wind}"), strict=True):
        band = (f >= low) & (f < high)
        ratio.append(math.log2(math.sqrt(float(np.sum(p[band])) * float(f[1])) / value))
    return ratio


# --- loss of the grid and emergency stop ------------------------------------------------------------------------------


@computes("TURBINE.grid_loss")
def _grid_loss() -> list[float]:
    gust = gusts.operating_gust(_turbine(), 9.4, wind="IIB")
    run = simulate(_turbine(), gust, duration=80.0, schedule=Schedule(trip=60.05, feather=60.25))
    return [float(np.interp(t, run.time, run["rotor_speed"])) * _RPM for t in np.arange(62.5, 75.1, 2.5)]


def _emergency_stop(wind: float, rise: float) -> tuple[float, float]:
    """Largest shaft torque over rated, and time to standstill [s], of a brake of 8.6 MN m with a rise [s]."""
    made = air.turbulent(_turbine(), wind, 1, wind="IIB", duration=130.0)
    torque = 8.6e6 / _turbine().gear_ratio
    pitch = {"trip": 100.0, "feather": 100.0, "feather_rate": math.radians(9.0)}
    plan = Schedule(**pitch, brake=100.0, brake_torque=torque, brake_rise=rise)
    run = simulate(_turbine(), made, duration=120.0, schedule=plan, interval=0.02)
    after = run.time > 100.0
    still = np.flatnonzero(after & (np.abs(run["generator_speed"]) < 1e-3))
    stop = float(run.time[still[0]]) - 100.0 if len(still) else math.inf
    return float(run["low_speed_shaft_torque"][after].max()) / 4.1807e6, stop


@computes("TURBINE.emergency_stop")
def _stop() -> list[float]:
    """Least and largest of peaks and of times over four winds and two brakes, in their bands."""
    found = [_emergency_stop(v, rise) for v in (9.4, 11.4, 13.4, 25.0) for rise in (0.0, 0.6)]
    bands = given("TURBINE.emergency_stop")
    return [
        _share(x, *band) for xs, band in zip(zip(*found, strict=True), bands, strict=True) for x in (min(xs), max(xs))
    ]
