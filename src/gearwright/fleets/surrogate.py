"""What slow data lack, learned from a campaign: equivalent ranges and load duration of ten minutes from their statistics.

A surrogate is a table of simulated ten minutes (campaign ``fleet``) of one set-up: their ten-minute row, as the field has it, and what the loads truly were.
Processes are fitted to the features that the data have, when they are asked for; rows outside of the table's domain get no figure.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gearwright.arrays import Float
from gearwright.errors import FileError, InputError
from gearwright.parts import whole

from .gaussian import Process, Shape, best_shape
from .stream import EXPONENTS
from .ten_minutes import FIELDS, ROW, Rows

#: exponents of load duration: bearings, flanks, roots
LEVELS = (10.0 / 3.0, 6.61, 8.70)
#: features of rows that are ten-minute statistics, and of rows made of samples of a second
SLOW = ("power", "speed", "power_std", "speed_std", "speed_range", "pitch", "pitch_std")
FAST = ("power", "speed", "pitch", "speed_step", "torque_step", "range_3")
#: fewest features that say anything
LEAST = 3
#: below this share of rated power a row is not one of production
IDLE = 0.02
#: what of a feature's range a row may lie beyond it, and the neighbour whose distance tells a row that no run resembles
_BEYOND, _NEIGHBOUR, _QUANTILE = 0.05, 3, 0.99
#: part of the rows of production outside of the domain beyond which no figure is given
MOST_OUTSIDE = 0.2
#: bands of wind speed, and the widest error bar over the root mean square of left-out errors
_FOLDS, _WIDEST = 8, 1.5
#: exponents up to which ranges go by many small cycles
_LOW = 4.0


@dataclass(frozen=True)
class Checked:
    """How well a target is known, by runs that were left out: mean absolute error of ten minutes and error of the sum of damage, one run and one eighth of wind speeds left out
    at a time; share of runs in their own 95 % interval."""

    error: float
    damage: float
    band_error: float
    band_damage: float
    coverage: float


@dataclass(frozen=True)
class Surrogate:
    """Simulated ten minutes of a set-up.

    ``rows`` (n,) as the field has them; ``ranges`` (n, 2, exponents) true equivalent ranges [N m of the generator] with the least and the most inertia behind
    them (``inertias`` [kg m^2]); ``levels`` (n, 3) mean of (T / T_r)^p omega / omega_r; ``torque``, ``speed`` rated [N m, rad/s]; ``card`` what it was trained on.
    """

    name: str
    rows: Rows
    ranges: Float
    levels: Float
    inertias: tuple[float, float]
    torque: float
    speed: float
    card: Mapping[str, str]

    def write(self, path: str | os.PathLike[str]) -> None:
        """The table with its card as comments: text, that anybody may read."""
        head = {"name": self.name, "inertias": self.inertias, "torque": self.torque, "speed": self.speed, **self.card}
        names = [*FIELDS, *(f"range{g}_{m:g}" for g in (1, 2) for m in EXPONENTS), *(f"level_{p:.3g}" for p in LEVELS)]
        table = np.column_stack([*(self.rows[f] for f in FIELDS), self.ranges.reshape(len(self.rows), -1), self.levels])
        text = io.StringIO()
        for key, value in head.items():
            text.write(f"# {key}: {json.dumps(value)}\n")
        text.write(",".join(names) + "\n")
        np.savetxt(text, table, fmt="%.6g", delimiter=",")
        with whole(Path(path)) as part:
            part.write_text(text.getvalue(), encoding="utf-8")

    def features(self, rows: Rows, names: Sequence[str]) -> Float:
        """Features (n, d) of rows; what is not there is not-a-number."""
        rated = self.torque * self.speed
        power = rows["torque"] * np.abs(rows["speed"])
        scale = np.divide(power, rows["power"], out=np.ones(len(rows)), where=np.nan_to_num(rows["power"]) > 0.0)
        swing = np.where(
            np.isfinite(rows["power_std"]), rows["power_std"] * scale, rows["torque_std"] * np.abs(rows["speed"])
        )
        degrees = np.degrees(rows["pitch"])
        with np.errstate(invalid="ignore", divide="ignore"):
            found = {
                "power": power / rated,
                "speed": np.abs(rows["speed"]) / self.speed,
                "power_std": _logarithm(swing / rated),
                "speed_std": _logarithm(rows["speed_std"] / self.speed),
                "speed_range": _logarithm((rows["speed_max"] - rows["speed_min"]) / self.speed),
                "pitch": np.arcsinh(degrees),
                "pitch_std": np.arcsinh(np.degrees(rows["pitch_std"])),
                "speed_step": _logarithm(rows["speed_step"] / self.speed),
                "torque_step": _logarithm(rows["torque_step"] / self.torque),
                "range_3": _logarithm(rows["range_3"] / self.torque),
            }
        return np.column_stack([found[name] for name in names])

    def estimated(self, rows: Rows) -> Float:
        """Mean of (T / T_r)^p omega / omega_r (n, 3) by a normal distribution with the deviation that is there, or none: what levels are corrected from."""
        nodes, weights = np.polynomial.hermite_e.hermegauss(32)
        mean = np.nan_to_num(rows["torque"])[:, None] / self.torque
        swing = np.nan_to_num(rows["torque_std"])[:, None] / self.torque
        load = np.abs(mean + swing * nodes)
        share = np.abs(rows["speed"]) / self.speed
        return np.column_stack([share * (load**p @ weights) / np.sqrt(2.0 * np.pi) for p in LEVELS])

    def known(self, rows: Rows, fast: bool) -> tuple[str, ...]:
        """Features that most rows of production have. Raises InputError where there are too few."""
        names = FAST if fast else SLOW
        producing = self.producing(rows)
        there = np.isfinite(self.features(rows[producing], names))
        have = [bool(producing.any()) and float(column.mean()) > 0.5 for column in there.T]
        found = tuple(n for n, own in zip(names, have, strict=True) if own)
        if len(found) < LEAST or "power" not in found:
            raise InputError(
                f"the data have {', '.join(found) or 'none'} of the features {', '.join(names)}: too few for corrections",
                where="data",
            )
        return found

    def producing(self, rows: Rows) -> NDArray[np.bool_]:
        """Rows in which the turbine feeds the grid."""
        return np.asarray(np.nan_to_num(rows["torque"] * np.abs(rows["speed"])) > IDLE * self.torque * self.speed)

    def fitted(self, names: tuple[str, ...]) -> Fitted:
        """Processes of the features; the same object for the same table and names."""
        return _fitted(self, names)

    def __hash__(self) -> int:
        return hash((self.name, len(self.rows), self.torque, float(self.ranges.sum())))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Surrogate)
            and self.rows.tobytes() == other.rows.tobytes()
            and self.ranges.tobytes() == other.ranges.tobytes()
        )


def _logarithm(values: Float) -> Float:
    return np.asarray(np.log(np.maximum(values, 1e-6)))


@dataclass(frozen=True)
class Fitted:
    """A surrogate for the features that are there: standardised points, processes by target, how well each is known."""

    surrogate: Surrogate
    names: tuple[str, ...]
    middle: Float
    spread: Float
    points: Float
    reach: float
    processes: Mapping[str, Process]
    bounds: Mapping[str, tuple[float, float, float]]
    checks: Mapping[str, Checked]

    def inside(self, rows: Rows) -> NDArray[np.bool_]:
        """Rows that the campaign covers: within the range of every feature, and not farther from their third neighbour than runs are from theirs."""
        z = (self.surrogate.features(rows, self.names) - self.middle) / self.spread
        low, high = self.points.min(axis=0), self.points.max(axis=0)
        margin = _BEYOND * (high - low)
        known = np.asarray(np.isfinite(z).all(axis=1))
        z = np.where(known[:, None], z, 0.0)
        box = ((z >= low - margin) & (z <= high + margin)).all(axis=1)
        return np.asarray(known & box & (_third(z, self.points, _NEIGHBOUR - 1) <= self.reach))

    def ranges(self, rows: Rows, inertia: float) -> tuple[Float, Float]:
        """Mean of R^m (n, exponents) per second [(N m)^m] of a history with an inertia [kg m^2], and the standard deviation of the logarithm of R."""
        z = (self.surrogate.features(rows, self.names) - self.middle) / self.spread
        low, high = self.surrogate.inertias
        share = float(np.clip((inertia - low) / (high - low), 0.0, 1.0)) if high > low else 1.0
        power, error = np.empty((len(rows), len(EXPONENTS))), np.empty((len(rows), len(EXPONENTS)))
        for j, m in enumerate(EXPONENTS):
            (a, s), (b, t) = (self._predicted(f"range{g}_{m:g}", z) for g in (1, 2))
            mean, error[:, j] = (1.0 - share) * a + share * b, (1.0 - share) * s + share * t
            power[:, j] = np.exp(m * mean + 0.5 * (m * error[:, j]) ** 2)
        return power, error

    def _predicted(self, target: str, z: Float) -> tuple[Float, Float]:
        """Mean and deviation of a target's logarithm, within what was learned."""
        return bounded(*self.processes[target].predict(z), *self.bounds[target])

    def levels(self, rows: Rows) -> Float:
        """Mean of (T / T_r)^p omega / omega_r (n, 3)."""
        z = (self.surrogate.features(rows, self.names) - self.middle) / self.spread
        found = []
        for p in LEVELS:
            mean, error = self._predicted(f"level_{p:.3g}", z)
            found.append(np.exp(mean + 0.5 * error**2))
        return np.column_stack(found) * self.surrogate.estimated(rows)


@lru_cache(maxsize=8)
def _fitted(surrogate: Surrogate, names: tuple[str, ...]) -> Fitted:
    raw = surrogate.features(surrogate.rows, names)
    middle, spread = raw.mean(axis=0), np.maximum(raw.std(axis=0), 1e-9)
    points = (raw - middle) / spread
    distances = _third(points, points, _NEIGHBOUR)
    shapes: dict[str, Shape] = {}
    processes: dict[str, Process] = {}
    checks: dict[str, Checked] = {}
    bounds: dict[str, tuple[float, float, float]] = {}
    estimated = surrogate.estimated(surrogate.rows)
    weights = {f"level_{p:.3g}": estimated[:, k] for k, p in enumerate(LEVELS)}
    bands = np.argsort(np.argsort(surrogate.rows["wind"])) * _FOLDS // len(points)
    for target, values, exponent in _targets(surrogate):
        # ranges of low and of high exponents, and levels, are each alike enough for one shape
        key = "level" if target.startswith("level") else "range" if exponent <= _LOW else "high range"
        if key not in shapes:
            shapes[key] = best_shape(points, values)
        processes[target] = Process.fitted(points, values, shapes[key])
        mean, _ = processes[target].left_out(values)
        bounds[target] = (
            float(values.min()),
            float(values.max()),
            _WIDEST * float(np.sqrt(np.mean((mean - values) ** 2))),
        )
        if not target.startswith("range1"):
            checks[target] = _checked(
                points, values, processes[target], bounds[target], exponent, weights.get(target), bands
            )
    return Fitted(
        surrogate, names, middle, spread, points, float(np.quantile(distances, _QUANTILE)), processes, bounds, checks
    )


def _targets(surrogate: Surrogate) -> Iterator[tuple[str, Float, float]]:
    """Name, logarithm of the values, and the exponent that makes damage of them."""
    estimated = surrogate.estimated(surrogate.rows)
    for g in (2, 1):
        for j, m in enumerate(EXPONENTS):
            yield f"range{g}_{m:g}", np.log(surrogate.ranges[:, g - 1, j]), m
    for k, p in enumerate(LEVELS):
        yield f"level_{p:.3g}", np.log(surrogate.levels[:, k] / estimated[:, k]), 1.0


def bounded(mean: Float, deviation: Float, low: float, high: float, widest: float) -> tuple[Float, Float]:
    """Predictions within the values that were learned, error bars within those of left-out runs: damage takes high powers of both."""
    return np.clip(mean, low, high), np.minimum(deviation, widest)


def _checked(
    points: Float,
    values: Float,
    process: Process,
    bounds: tuple[float, float, float],
    exponent: float,
    weights: Float | None,
    bands: NDArray[np.int64],
) -> Checked:
    mean, deviation = process.left_out(values)
    coverage = float((np.abs(mean - values) < 1.96 * deviation).mean())
    band, band_deviation = mean.copy(), deviation.copy()
    for fold in range(1, _FOLDS - 1):  # outermost ones would be extrapolation, which is refused
        own = bands == fold
        other = Process.fitted(points[~own], values[~own], process.shape)
        band[own], band_deviation[own] = other.predict(points[own])
    size = np.ones(len(values)) if weights is None else weights
    true = (size * np.exp(exponent * values)).sum()

    def damage(m: Float, s: Float) -> float:
        m, s = bounded(m, s, *bounds)
        return float((size * np.exp(exponent * m + 0.5 * (exponent * s) ** 2)).sum() / true - 1.0)

    inner = (bands > 0) & (bands < _FOLDS - 1)
    return Checked(
        float(np.abs(np.expm1(mean - values)).mean()),
        damage(mean, deviation),
        float(np.abs(np.expm1(band - values))[inner].mean()),
        damage(band, band_deviation),
        coverage,
    )


def _third(points: Float, known: Float, place: int) -> Float:
    """Distance of points from their neighbour number ``place`` (from 0) among the known ones."""
    found = np.empty(len(points))
    for begin in range(0, len(points), 2000):
        part = slice(begin, begin + 2000)
        squares = ((points[part, None, :] - known[None, :, :]) ** 2).sum(axis=2)
        found[part] = np.sqrt(np.partition(squares, place, axis=1)[:, place])
    return found


def read_surrogate(source: str | os.PathLike[str]) -> Surrogate:
    """A surrogate from its file, or that of a set-up that is shipped. Raises FileError."""
    place = Path(source)
    if not place.is_file():
        shipped = files("gearwright") / "fleets" / "data" / f"{source}.csv"
        if not shipped.is_file():
            raise FileError(
                f"{source}: neither a file nor a set-up with a shipped surrogate; 'gearwright surrogate {source} -o FILE' makes one",
                where=str(source),
            )
        place = Path(str(shipped))
    lines = place.read_text(encoding="utf-8").splitlines()
    head = {}
    for line in lines:
        if not line.startswith("#"):
            break
        key, _, value = line[1:].partition(":")
        head[key.strip()] = json.loads(value)
    try:
        names = lines[len(head)].split(",")
        table = np.loadtxt(lines[len(head) + 1 :], delimiter=",", ndmin=2)
        rows: Rows = np.zeros(len(table), ROW)
        for field in FIELDS:
            rows[field] = table[:, names.index(field)]
        ranges = np.stack([[table[:, names.index(f"range{g}_{m:g}")] for m in EXPONENTS] for g in (1, 2)]).transpose(
            2, 0, 1
        )
        levels = np.column_stack([table[:, names.index(f"level_{p:.3g}")] for p in LEVELS])
        low, high = head.pop("inertias")
        return Surrogate(
            head.pop("name"), rows, ranges, levels, (low, high), head.pop("torque"), head.pop("speed"), head
        )
    except (KeyError, ValueError, IndexError) as error:
        raise FileError(f"{place}: no surrogate ({error})", where=str(place)) from None


def shipped_for(setup: str) -> bool:
    """Whether a surrogate of a set-up is shipped."""
    return (files("gearwright") / "fleets" / "data" / f"{setup}.csv").is_file()
