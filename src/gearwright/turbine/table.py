"""A rotor by its table: power and thrust coefficient over tip speed ratio and pitch, for quick studies and for rotors
whose blades nobody has published.

The wind of the table is what the three blades meet at their azimuths, weighted by radius as the torque is: shear, tower
shadow and turbulence at the blade passing frequency act, moments on the hub do not. There is no wake memory and no stall
hysteresis: a table is a steady rotor.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gearwright.errors import InputError
from gearwright.kernels import hot
from gearwright.kernels.places import cell_of
from gearwright.schema.places import JSON, Values

Float = NDArray[np.floating]

#: step of the tip speed ratio in the compiled table
_STEP = 0.02


class TableError(InputError):
    """A table of coefficients that has to be mended."""


@dataclass(frozen=True, eq=False)
class Performance:
    """Power coefficient over tip speed ratio (rows) and pitch [rad] (columns), and thrust coefficient; linear between.

    Raises TableError for axes that do not ascend, shapes that do not fit and numbers no rotor has.
    """

    ratios: Float
    pitches: Float
    cp: Float
    ct: Float

    def __post_init__(self) -> None:
        for what in ("ratios", "pitches", "cp", "ct"):
            object.__setattr__(self, what, np.asarray(getattr(self, what), float))
        shape = (len(self.ratios), len(self.pitches))
        for what in ("cp", "ct"):
            if getattr(self, what).shape != shape:
                raise TableError(
                    f"{what} is a table of {getattr(self, what).shape} for {shape[0]} tip speed ratios and "
                    f"{shape[1]} pitch angles"
                )
            if not np.isfinite(getattr(self, what)).all():
                raise TableError(f"{what} has values that are not numbers")
        if shape[0] < 3 or (np.diff(self.ratios) <= 0.0).any() or (np.diff(self.pitches) <= 0.0).any():
            raise TableError("tip speed ratios (three or more) and pitch angles must ascend")
        if self.ratios[0] < 0.0 or self.cp.max() > 16.0 / 27.0 or self.cp.max() <= 0.0:
            raise TableError(
                f"tip speed ratios are not negative and the largest cp lies between 0 and Betz' 0.593, not "
                f"{self.cp.max():.3g}"
            )

    @property
    def largest_pitch(self) -> float:
        """Last pitch angle [rad]; the first one if the blades are fixed."""
        return float(self.pitches[-1])

    def at(self, ratio: float, pitch: float) -> tuple[float, float]:
        """Torque coefficient cp/ratio and thrust coefficient; cp is held above the last ratio, cp/ratio below the first."""
        out = np.zeros(2)
        _look(*arrays(self), float(ratio), float(pitch), out)
        return float(out[0]), float(out[1])

    def loads(self, radius: float, density: float, wind: float, speed: float, pitch: float) -> tuple[float, float]:
        """Torque [N m] and thrust [N] of a rotor of a ``radius`` [m] in a wind [m/s] at a speed [rad/s] and pitch [rad]."""
        if wind <= 0.0:
            return 0.0, 0.0
        cq, ct = self.at(speed * radius / wind, pitch)
        force = 0.5 * density * math.pi * radius**2 * wind**2
        return force * radius * cq, force * ct


class Table(NamedTuple):
    """A performance table on even grids, flattened by (ratio, pitch); ``par`` = [on, ratios, pitches, first pitch, step
    of the pitch, tip radius, density, ratio below which cp/ratio is held]."""

    torque: Float
    thrust: Float
    par: Float


def off() -> Table:
    """What stands in place of a table where a rotor has blade elements."""
    return Table(np.zeros(1), np.zeros(1), np.zeros(8))


def make(performance: Performance, radius: float, density: float) -> Table:
    """The compiled form of a table."""
    torque, thrust, par = arrays(performance)
    return Table(torque, thrust, np.array([1.0, par[1], par[2], par[3], par[4], radius, density, par[7]]))


def arrays(performance: Performance) -> tuple[Float, Float, Float]:
    """Torque and thrust coefficients on even grids, and ``par`` of :class:`Table`."""
    p = performance
    ratios = np.arange(0.0, p.ratios[-1] + _STEP, _STEP)
    pitches = p.pitches
    if len(pitches) > 1:
        count = round(float((pitches[-1] - pitches[0]) / np.diff(pitches).min())) + 1
        pitches = np.linspace(pitches[0], pitches[-1], min(count, 721))

    def even(values: Float) -> Float:
        rows = np.array([np.interp(pitches, p.pitches, row) for row in values])
        return np.array([np.interp(ratios, p.ratios, column) for column in rows.T]).T

    first = float(p.ratios[0] if p.ratios[0] > 0.0 else p.ratios[1])
    torque = even(p.cp) / np.maximum(ratios, first)[:, None]
    at_first = np.array([np.interp(pitches, p.pitches, p.cp[0 if p.ratios[0] > 0.0 else 1])]) / first
    torque[ratios < first] = at_first
    step = float(pitches[1] - pitches[0]) if len(pitches) > 1 else 1.0
    par = np.array([1.0, len(ratios), len(pitches), float(pitches[0]), step, 0.0, 0.0, first])
    return np.ascontiguousarray(torque.ravel()), np.ascontiguousarray(even(p.ct).ravel()), par


@hot
def _look(torque, thrust, par, ratio, pitch, out):  # type: ignore[no-untyped-def]
    """Torque and thrust coefficient into ``out[0:2]``; pitch is held at the ends of the table."""
    n, m = np.int64(par[1]), np.int64(par[2])
    last = (n - 1) * 0.02
    x = max(ratio, 0.0) / 0.02
    share = 1.0
    if x >= n - 1:
        x = n - 1.0
        share = last / max(ratio, last)
    i = cell_of(x, n - 1)
    a = x - i
    j, b, right = np.int64(0), 0.0, np.int64(0)
    if m > 1:
        y = min(max((pitch - par[3]) / par[4], 0.0), m - 1.0)
        j = cell_of(y, m - 1)
        b = y - j
        right = np.int64(1)
    k = i * m + j
    low = (1.0 - a) * torque[k] + a * torque[k + m]
    high = (1.0 - a) * torque[k + right] + a * torque[k + m + right]
    out[0] = share * ((1.0 - b) * low + b * high)
    low = (1.0 - a) * thrust[k] + a * thrust[k + m]
    high = (1.0 - a) * thrust[k + right] + a * thrust[k + m + right]
    out[1] = (1.0 - b) * low + b * high


@hot
def table_loads(table, wind, speed, pitch, out):  # type: ignore[no-untyped-def]
    """Torque and thrust [N m, N] of a rotor by table into ``out[0:2]``; no load against the wind."""
    par = table.par
    radius = par[5]
    u = max(wind, 0.0)
    _look(table.torque, table.thrust, par, max(speed, 0.0) * radius / max(u, 1e-3), pitch, out)
    force = 0.5 * par[6] * np.pi * radius * radius * u * u
    out[0] *= force * radius
    out[1] *= force


def from_mapping(data: Values, where: str) -> Performance:
    """A table from ``tip_speed_ratio``, ``pitch`` [deg] (0 if left out), ``cp`` and ``ct`` (rows by ratio).

    Raises TableError naming what is missing or unknown.
    """
    known = {"tip_speed_ratio", "pitch", "cp", "ct"}
    wrong, missing = sorted(set(data) - known), sorted(known - {"pitch"} - set(data))
    if wrong or missing:
        raise TableError(
            f"{where}: " + "; ".join([f"unknown key '{k}'" for k in wrong] + [f"'{k}' is missing" for k in missing])
        )

    def table(name: str) -> Float:
        try:
            rows = np.array(data[name], float)
        except (TypeError, ValueError):
            raise TableError(f"{where}.{name}: rows of numbers of one length, please") from None
        return rows[:, None] if rows.ndim == 1 else rows

    try:
        ratios: ArrayLike = np.array(data["tip_speed_ratio"], float)
        pitches = np.radians(np.atleast_1d(np.array(data.get("pitch", 0.0), float)))
    except (TypeError, ValueError):
        raise TableError(f"{where}: tip_speed_ratio and pitch are lists of numbers") from None
    try:
        return Performance(np.asarray(ratios), pitches, table("cp"), table("ct"))
    except TableError as error:
        raise TableError(f"{where}: {error}") from None


def to_mapping(performance: Performance) -> dict[str, JSON]:
    """The form of a file."""
    return {
        "tip_speed_ratio": performance.ratios.tolist(),
        "pitch": np.round(np.degrees(performance.pitches), 10).tolist(),
        "cp": performance.cp.tolist(),
        "ct": performance.ct.tolist(),
    }


def read_rosco(path: str | Path) -> Performance:
    """ROSCO's performance table (``Cp_Ct_Cq``): vectors of pitch [deg] and tip speed ratio, then blocks of cp and ct.

    Raises TableError for a file that is not of this form.
    """
    try:
        lines = Path(path).read_text(encoding="latin-1").splitlines()
    except OSError as error:
        raise TableError(f"{path}: cannot be read: {error.strerror}") from None

    def after(word: str) -> int:
        found = [i for i, line in enumerate(lines) if line.startswith("#") and word in line.lower()]
        if not found:
            raise TableError(f"{path}: is no performance table of ROSCO: it has no '# {word}'")
        return found[0] + 1

    def block(word: str, rows: int) -> Float:
        return np.array([x.split() for x in lines[after(word) :] if x.strip()][:rows], float)

    try:
        pitches = np.radians(np.array(lines[after("pitch angle")].split(), float))
        ratios = np.array(lines[after("tsr")].split(), float)
        cp, ct = block("power coefficient", len(ratios)), block("thrust coefficient", len(ratios))
    except ValueError as error:
        raise TableError(f"{path}: a number of the table cannot be read: {error}") from None
    if cp.shape != (len(ratios), len(pitches)):
        raise TableError(f"{path}: {cp.shape} power coefficients for {len(ratios)} ratios and {len(pitches)} angles")
    return Performance(ratios, pitches, cp, ct)
