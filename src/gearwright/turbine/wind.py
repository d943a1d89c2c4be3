"""Wind as the rotor meets it: a mean over time, a profile over height, and a turbulent field on a polar grid.

A :class:`Wind` is what every source of wind becomes: the models of IEC 61400-1, a user's series, fields of
other programs. The speed along the wind at a point is::

    U(t, y, z) = base(t) profile(z) + vertical(t) (z - hub height)/D + horizontal(t) y/D + field(t, r, azimuth)

with ``direction(t)`` turning it about the vertical and ``lateral(t)``, ``upward(t)`` the other two components,
uniform over the rotor. Source: turbine and load-case specification, section 3.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gearwright.kernels import hot
from gearwright.kernels.places import cell_of, whole_of

from . import turbulence
from .model import Turbine, TurbineError

Float = NDArray[np.floating]

#: reference speed [m/s] and turbulence intensity of the wind turbine classes (IEC 61400-1)
REFERENCE_SPEED = {"I": 50.0, "II": 42.5, "III": 37.5}
INTENSITY = {"A+": 0.18, "A": 0.16, "B": 0.14, "C": 0.12}


@dataclass(frozen=True)
class WindClass:
    """A wind turbine class such as ``IIA``: reference speed and turbulence category."""

    reference_speed: float
    intensity: float
    name: str = ""

    @property
    def average_speed(self) -> float:
        """Annual average at hub height [m/s]."""
        return 0.2 * self.reference_speed


def wind_class(name: str | WindClass) -> WindClass:
    """Class by name (``IA`` to ``IIIC``, ``IIA+``); raises TurbineError with the known names."""
    if isinstance(name, WindClass):
        return name
    text = str(name).strip()
    for roman in ("III", "II", "I"):
        if text.startswith(roman) and text[len(roman) :] in INTENSITY:
            return WindClass(REFERENCE_SPEED[roman], INTENSITY[text[len(roman) :]], text)
    raise TurbineError(f"no wind class '{name}'; a class is I, II or III followed by A+, A, B or C, such as IIA")


def length_scale(hub_height: float) -> float:
    """Turbulence scale parameter Lambda_1 [m]."""
    return 0.7 * min(hub_height, 60.0)


def normal_deviation(mean: float, wind: str | WindClass) -> float:
    """Standard deviation s1 of the normal turbulence model [m/s]."""
    return wind_class(wind).intensity * (0.75 * mean + 5.6)


def extreme_deviation(mean: float, wind: str | WindClass) -> float:
    """Standard deviation s1 of the extreme turbulence model [m/s]."""
    c = wind_class(wind)
    return 2.0 * c.intensity * (0.072 * (c.average_speed / 2.0 + 3.0) * (mean / 2.0 - 4.0) + 10.0)


@dataclass(frozen=True)
class Wind:
    """Wind over time; see the module. ``field`` is (time, ring, azimuth) or None, rings from the hub outward.

    Attributes
    ----------
    mean : mean speed at the hub [m/s], for names and start values
    interval, series : spacing [s] and (6, n) values of base, direction [rad], vertical, horizontal, lateral, upward
    profile : (height [m], factor) of the vertical profile
    field, field_interval, ring_spacing : turbulence along the wind [m/s], on rings at multiples of the spacing
    length : time that is covered [s]; a periodic field (``periodic``) covers any
    gust_start : when the gust begins [s]; None of a wind without one
    """

    mean: float
    interval: float
    series: Float
    profile: tuple[Float, Float]
    field: Float | None = None
    field_interval: float = 0.1
    ring_spacing: float = 10.0
    length: float = math.inf
    periodic: bool = False
    description: str = ""
    gust_start: float | None = None

    def covers(self, duration: float) -> None:
        """Raise TurbineError if the wind ends before a run of ``duration`` seconds."""
        if duration > self.length + 1e-9:
            raise TurbineError(
                f"the wind ({self.description}) ends at {self.length:g} s, the run lasts {duration:g} s; give a longer "
                f"field or a shorter run"
            )

    def hub(self, time: ArrayLike) -> Float:
        """Speed along the wind at the hub [m/s]."""
        t = np.asarray(time, float)
        at = self.interval * np.arange(self.series.shape[1])
        value = np.interp(t, at, self.series[0])
        if self.field is not None:
            n = len(self.field)
            x = t / self.field_interval
            i = np.floor(x).astype(int)
            w = x - i
            series = self.field[:, 0, 0]
            value = value + (1 - w) * series[i % n] + w * series[(i + 1) % n]
        return value

    def arrays(self) -> Air:
        """The wind as compiled code sees it."""
        z, factor = self.profile
        step = 1.0
        grid = np.arange(0.0, float(z[-1]) + step, step)
        flow = np.zeros(2) if self.field is None else np.ascontiguousarray(self.field, float).ravel()
        shape = (0, 0, 0) if self.field is None else self.field.shape
        par = np.array([self.interval, self.field_interval, self.ring_spacing, step])
        size = np.array([self.series.shape[1], *shape, len(grid)], np.int64)
        return Air(np.ascontiguousarray(self.series).ravel(), flow, np.interp(grid, z, factor), par, size)


class Air(NamedTuple):
    """Arrays of a wind: six series, the field (time, ring, azimuth), the profile by metres; intervals; sizes."""

    series: Float
    flow: Float
    profile: Float
    par: Float
    size: NDArray[np.int64]


@hot
def sample_series(air, t, out):  # type: ignore[no-untyped-def]
    """The six series at a time into ``out[0:6]``; held at the end."""
    series, par, size = air.series, air.par, air.size
    n = size[0]
    x = t / par[0]
    i = cell_of(x, n)
    if i >= n - 1:
        for k in range(6):
            out[k] = series[k * n + n - 1]
        return
    w = max(x - i, 0.0)
    for k in range(6):
        b = k * n + i
        out[k] = series[b] + w * (series[b + 1] - series[b])


@hot
def sample_profile(profile, step, n, z):  # type: ignore[no-untyped-def]
    """Factor of the vertical profile at a height."""
    x = max(z, 0.0) / step
    i = cell_of(x, n - 1)
    w = min(x - i, 1.0)
    return profile[i] + w * (profile[i + 1] - profile[i])


@hot
def sample_field(flow, par, size, t, r, azimuth):  # type: ignore[no-untyped-def]
    """Turbulence at a point of the rotor: linear in time, radius and azimuth, periodic in time."""
    nt, nr, na = size[1], size[2], size[3]
    if nt == 0:
        return 0.0
    x = t / par[1]
    i = whole_of(x)
    wt = x - i
    i0 = i % nt
    i1 = (i + 1) % nt
    x = r / par[2]
    j = cell_of(x, nr - 1)
    wr = min(x - j, 1.0)
    x = azimuth / (2.0 * np.pi)
    x = (x - np.floor(x)) * na
    k = cell_of(x, na)
    wk = x - k
    k0 = k % na
    k1 = (k + 1) % na
    total = 0.0
    for side in range(2):
        b = ((i0 if side == 0 else i1) * nr + j) * na
        inner = flow[b + k0] + wk * (flow[b + k1] - flow[b + k0])
        outer = flow[b + na + k0] + wk * (flow[b + na + k1] - flow[b + na + k0])
        value = inner + wr * (outer - inner)
        total += value * ((1.0 - wt) if side == 0 else wt)
    return total


@hot
def hub_wind(air, t, series):  # type: ignore[no-untyped-def]
    """Speed along the wind at the hub; ``series`` is scratch of six."""
    sample_series(air, t, series)
    return series[0] + sample_field(air.flow, air.par, air.size, t, 0.0, 0.0)


# --- profiles and simple winds ---------------------------------------------------------------------------------


def power_profile(hub_height: float, exponent: float, top: float = 400.0) -> tuple[Float, Float]:
    """(z/z_hub)^exponent."""
    z = np.linspace(0.0, top, 801)
    return z, np.where(z > 0.0, (np.maximum(z, 1e-9) / hub_height) ** exponent, 0.0 if exponent > 0 else 1.0)


def log_profile(hub_height: float, roughness: float, top: float = 400.0) -> tuple[Float, Float]:
    """ln(z/z0)/ln(z_hub/z0), zero below the roughness length [m]."""
    z = np.linspace(0.0, top, 801)
    return z, np.log(np.maximum(z, roughness) / roughness) / math.log(hub_height / roughness)


def _profile(turbine: Turbine, shear: float, roughness: float | None) -> tuple[Float, Float]:
    if roughness is not None:
        return log_profile(turbine.hub_height, roughness)
    return power_profile(turbine.hub_height, shear)


def _rows(base: Float, **others: Float | float) -> Float:
    names = ("direction", "vertical", "horizontal", "lateral", "upward")
    rows = np.zeros((6, len(base)))
    rows[0] = base
    for name, values in others.items():
        rows[1 + names.index(name)] = values
    return rows


def steady(
    turbine: Turbine, mean: float, *, shear: float = 0.2, roughness: float | None = None, direction: float = 0.0
) -> Wind:
    """Wind that does not change; ``direction`` [rad] is the yaw error."""
    rows = _rows(np.full(2, float(mean)), direction=direction)
    return Wind(mean, 1.0, rows, _profile(turbine, shear, roughness), description=f"steady {mean:g} m/s")


def series(
    turbine: Turbine,
    time: ArrayLike,
    speed: ArrayLike,
    *,
    shear: float = 0.2,
    roughness: float | None = None,
    direction: ArrayLike | None = None,
) -> Wind:
    """A hub-height series of a user; linear between its points. Raises TurbineError for times that do not ascend."""
    t, v = np.asarray(time, float), np.asarray(speed, float)
    if t.ndim != 1 or t.shape != v.shape or len(t) < 2 or (np.diff(t) <= 0).any():
        raise TurbineError("a wind series needs ascending times and as many speeds, at least two")
    if not (np.isfinite(v).all() and (v >= 0).all()):
        raise TurbineError("a wind series needs speeds that are finite and not negative")
    if t[0] > 0:
        raise TurbineError(f"the wind series begins at {t[0]:g} s; it has to begin at 0 s or before")
    step = min(0.05, float(np.diff(t).min()))
    at = np.arange(0.0, t[-1] + 0.5 * step, step)
    rows = _rows(np.interp(at, t, v))
    if direction is not None:
        rows[1] = np.interp(at, t, np.asarray(direction, float))
    return Wind(
        float(np.mean(rows[0])),
        step,
        rows,
        _profile(turbine, shear, roughness),
        length=float(t[-1]),
        description=f"series of {len(t)} points",
    )


def steps(
    turbine: Turbine, speeds: Sequence[float], *, each: float = 60.0, rise: float = 1.0, shear: float = 0.2
) -> Wind:
    """Speeds one after another, ``each`` seconds long, with a linear ``rise`` between."""
    t, v = [0.0], [float(speeds[0])]
    for i, (before, after) in enumerate(zip(speeds[:-1], speeds[1:], strict=True)):
        t += [(i + 1) * each, (i + 1) * each + rise]
        v += [float(before), float(after)]
    t.append(len(speeds) * each)
    v.append(float(speeds[-1]))
    return replace(series(turbine, t, v, shear=shear), description=f"steps of {each:g} s", mean=float(speeds[0]))


def turbulent(turbine: Turbine, mean: float, seed: int, *, wind: str | WindClass = "IIA", model: str = "ntm",
              duration: float = 660.0, shear: float = 0.2, roughness: float | None = None,
              deviation: float | None = None, spectrum: str = "kaimal", scaled: bool = False, key: str = "",
              interval: float = 0.1, rings: int = 8, azimuths: int = 24) -> Wind:  # fmt: skip
    """Normal (``ntm``) or extreme (``etm``) turbulence, or of a given ``deviation`` [m/s].

    The field depends on (key, mean, seed) alone, whatever else is computed before or beside it. ``scaled`` gives
    the hub point exactly the standard deviation. See :mod:`gearwright.turbine.turbulence`.
    """
    if deviation is None:
        if model not in ("ntm", "etm"):
            raise TurbineError(f"turbulence model '{model}' is not one of ntm, etm")
        deviation = normal_deviation(mean, wind) if model == "ntm" else extreme_deviation(mean, wind)
    spacing = turbine.tip_radius / rings
    made = turbulence.make_field(
        mean,
        deviation,
        length_scale(turbine.hub_height),
        duration + 60.0,
        interval,
        spacing,
        rings,
        azimuths,
        generator(key or model, mean, seed),
        spectrum,
        scaled,
    )
    n = made.field.shape[0]
    rows = _rows(
        np.full(n + 1, float(mean)),
        lateral=np.append(made.lateral, made.lateral[0]),
        upward=np.append(made.upward, made.upward[0]),
    )
    name = wind_class(wind).name
    return Wind(
        float(mean),
        interval,
        rows,
        _profile(turbine, shear, roughness),
        made.field,
        interval,
        spacing,
        length=n * interval,
        periodic=True,
        description=f"{model} {name} {mean:g} m/s seed {seed}",
    )


def generator(key: str, mean: float, seed: int) -> np.random.Generator:
    """Random numbers of a (key, mean speed, seed), independent of order and process."""
    if seed < 0 or seed != int(seed):
        raise TurbineError(f"a seed is a whole number from 0, got {seed}")
    word = int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big")
    return np.random.default_rng(np.random.SeedSequence([word, round(mean * 1000), int(seed)]))
