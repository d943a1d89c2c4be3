"""Deterministic gusts of IEC 61400-1: operating gust, coherent gust with direction change, direction change, shear."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .model import Turbine, TurbineError
from .wind import Wind, WindClass, length_scale, normal_deviation, power_profile, wind_class

Float = NDArray[np.floating]

#: spacing of the series [s]: the gust is met within a millimetre per second
INTERVAL = 0.02

#: instants of the operating gust after its start [s]: lowest wind, steepest rise, peak
LOWEST, STEEPEST, PEAK = 2.458, 3.973, 5.25


def gust_size(turbine: Turbine, mean: float, wind: str | WindClass = "IIA") -> float:
    """Size of the extreme operating gust [m/s]."""
    c = wind_class(wind)
    first = 1.35 * (0.8 * 1.4 * c.reference_speed - mean)
    second = 3.3 * normal_deviation(mean, c) / (1.0 + 0.1 * turbine.diameter / length_scale(turbine.hub_height))
    return min(first, second)


def operating_gust(
    turbine: Turbine, mean: float, *, wind: str | WindClass = "IIA", start: float = 60.0, shear: float = 0.2
) -> Wind:
    """Extreme operating gust: dip, rise and dip within 10.5 s."""
    size, period = gust_size(turbine, mean, wind), 10.5
    time, x = _time(start, period)
    base = mean - 0.37 * size * np.sin(3.0 * math.pi * x) * (1.0 - np.cos(2.0 * math.pi * x))
    return _made(turbine, mean, base, start, shear, f"eog {mean:g} m/s")


def coherent_gust(
    turbine: Turbine, mean: float, *, wind: str | WindClass = "IIA", start: float = 60.0, shear: float = 0.2
) -> Wind:
    """Extreme coherent gust of 15 m/s with direction change."""
    _, x = _time(start, 10.0)
    turn = math.pi if mean < 4.0 else math.radians(720.0) / mean
    rise = 0.5 * (1.0 - np.cos(math.pi * x))
    made = _made(turbine, mean, mean + 15.0 * rise, start, shear, f"ecd {mean:g} m/s")
    made.series[1] = turn * rise
    return made


def direction_change(
    turbine: Turbine,
    mean: float,
    *,
    wind: str | WindClass = "IIA",
    start: float = 60.0,
    shear: float = 0.2,
    sign: int = 1,
) -> Wind:
    """Extreme direction change within 6 s; ``sign`` +1 or -1."""
    _, x = _time(start, 6.0)
    s1 = normal_deviation(mean, wind)
    turn = 4.0 * math.atan(s1 / (mean * (1.0 + 0.1 * turbine.diameter / length_scale(turbine.hub_height))))
    made = _made(turbine, mean, np.full_like(x, mean), start, shear, f"edc {mean:g} m/s")
    made.series[1] = _sign(sign) * 0.5 * turn * (1.0 - np.cos(math.pi * x))
    return made


def wind_shear(
    turbine: Turbine,
    mean: float,
    *,
    wind: str | WindClass = "IIA",
    start: float = 60.0,
    shear: float = 0.2,
    sign: int = 1,
    plane: str = "vertical",
) -> Wind:
    """Extreme wind shear within 12 s, ``plane`` vertical or horizontal, either sign."""
    if plane not in ("vertical", "horizontal"):
        raise TurbineError(f"the plane of a wind shear is vertical or horizontal, not '{plane}'")
    _, x = _time(start, 12.0)
    ratio = turbine.diameter / length_scale(turbine.hub_height)
    size = 2.5 + 0.2 * 6.4 * normal_deviation(mean, wind) * ratio**0.25
    made = _made(turbine, mean, np.full_like(x, mean), start, shear, f"ews {plane} {mean:g} m/s")
    made.series[2 if plane == "vertical" else 3] = _sign(sign) * size * (1.0 - np.cos(2.0 * math.pi * x))
    return made


def _sign(sign: float) -> int:
    if sign not in (1, -1):
        raise TurbineError(f"the sign of a gust is 1 or -1, not {sign}")
    return int(sign)


def _time(start: float, period: float) -> tuple[Float, Float]:
    """Times of the series and the gust's own time from 0 to 1, held at both ends."""
    time = INTERVAL * np.arange(math.ceil((start + period) / INTERVAL) + 2)
    return time, np.clip((time - start) / period, 0.0, 1.0)


def _made(turbine: Turbine, mean: float, base: Float, start: float, shear: float, text: str) -> Wind:
    rows = np.zeros((6, len(base)))
    rows[0] = base
    return Wind(mean, INTERVAL, rows, power_profile(turbine.hub_height, shear), description=text, gust_start=start)
