"""Wind files: TurbSim full fields (``.bts``), Mann boxes (``.bin``), hub-height winds (``.wnd``), TurbSim time series.

A full field has the variables ``u, v, w`` [m/s] (time, y, z): u downwind, y and v to the left looking downwind, z and w
upward. The head of a ``.bts`` file states sizes, spacings and the scale of its int16 values (TurbSim user's guide,
appendix E); a Mann box is single-precision numbers without a head: x slowest, then y from the left side of the box to the right (from
plus to minus here, as InflowWind and openfast_toolbox read it too), then z upward.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .bladed import native_order
from .dataset import EAGER, FieldInFile
from .record import Float, Grid, ReadError, Record, Variable, columns, distinct, lines_of, load_bytes
from .source import Source

_HEAD = struct.Struct("<h4i12fi")
_COMPONENTS = ("u", "v", "w")
_TEXTS = ("along the wind", "to the left, looking downwind", "upward")
_MOST = 10_000
_POINTS = re.compile(r"(\d+)[x_](\d+)[x_](\d+)")
#: columns of a hub-height wind file of AeroDyn and InflowWind
_HUB = (
    ("WindSpeed", "m/s"),
    ("WindDir", "deg"),
    ("VerticalSpeed", "m/s"),
    ("HorizontalShear", "-"),
    ("VerticalShear", "-"),
    ("LinearVerticalShear", "-"),
    ("GustSpeed", "m/s"),
    ("UpflowAngle", "deg"),
)


def read_bts(path: Path, wanted: Sequence[str] | None) -> Grid:
    """A TurbSim field: ``u, v, w`` (time, y, z), and ``u_tower`` and so on (time, z_tower) where it has tower points."""
    source = Source(path)
    with source as file:
        v = _HEAD.unpack(file.read(_HEAD.size, "the head"))
        kind, nz, ny, towers, samples = v[:5]
        # single precision: the decimals that were meant
        dz, dy, dt, mean, hub, bottom = (float(str(np.float32(x))) for x in v[5:11])
        scale, shift, text = np.array(v[11:17:2]), np.array(v[12:17:2]), v[17]
        if kind not in (7, 8):
            raise ReadError(f"is not a TurbSim field: its identifier is {kind}, TurbSim writes 7 or 8", path)
        if not (0 < nz <= _MOST and 0 < ny <= _MOST and 0 <= towers <= _MOST and samples > 0 and text >= 0):
            raise ReadError(f"damaged header: {samples} x {ny} x {nz} points, {towers} on the tower", path)
        steps = np.array([dz, dy, dt, mean, hub, bottom, *scale, *shift])
        if not np.isfinite(steps).all() or min(dz, dy, dt) <= 0.0 or (scale == 0.0).any():
            raise ReadError("damaged header: spacings and scales must be positive numbers", path)
        description = file.words(1, text, "the description")[0]
        start, width = file.at, 3 * (ny * nz + towers)
        if file.size != start + 2 * samples * width:
            what = "truncated" if file.size < start + 2 * samples * width else "does not fit its header"
            raise ReadError(
                f"{what}: its header promises {start + 2 * samples * width} bytes, it has {file.size}", path
            )

    def part(component: int, tower: bool, first: int, last: int) -> Float:
        with source.again() as file:
            file.at = start + 2 * first * width
            raw = file.array("<i2", max(last - first, 0) * width, "the values").reshape(-1, width)
        table = (
            raw[:, 3 * ny * nz :].reshape(len(raw), towers, 3)
            if tower
            else raw[:, : 3 * ny * nz].reshape(len(raw), nz, ny, 3).swapaxes(1, 2)
        )
        return (table[..., component].astype(float) - shift[component]) / scale[component]

    eager = 24 * samples * ny * nz <= EAGER
    y = (np.arange(ny) - 0.5 * (ny - 1)) * dy
    z = bottom + dz * np.arange(nz)
    variables: dict[str, Variable] = {}
    coordinates = {
        "time": Variable(("time",), dt * np.arange(samples), "s"),
        "y": Variable(("y",), y, "m"),
        "z": Variable(("z",), z, "m"),
    }
    if towers:
        coordinates["z_tower"] = Variable(("z_tower",), bottom - dz * np.arange(1, towers + 1), "m")
    for tower in (False, True) if towers else (False,):
        for i, name in enumerate(_COMPONENTS):
            shape = (samples, towers) if tower else (samples, ny, nz)

            def get(first: int, last: int, i: int = i, tower: bool = tower) -> Float:
                return part(i, tower, first, last)

            values = get(0, samples) if eager else FieldInFile(shape, get)
            dimensions = ("time", "z_tower") if tower else ("time", "y", "z")
            variables[f"{name}_tower" if tower else name] = Variable(dimensions, values, "m/s", name, _TEXTS[i])
    return Grid(
        path,
        "field",
        coordinates,
        _kept(variables, wanted, path),
        {
            "format": "TurbSim field",
            "description": description,
            "mean_wind_speed": mean,
            "hub_height": hub,
            "periodic": int(kind == 8),
        },
    )


def _kept(variables: dict[str, Variable], wanted: Sequence[str] | None, path: Path) -> dict[str, Variable]:
    names = list(variables)
    return {names[i]: variables[names[i]] for i in columns(names, wanted, path)}


def read_mann(
    path: Path,
    wanted: Sequence[str] | None,
    points: Sequence[int] | None = None,
    spacing: Sequence[float] | None = None,
) -> Grid:
    """A Mann box (x, y, z) of one component, named by the end of the file's name (``_u``, ``_v``, ``_w``)."""
    source = Source(path)
    if points is None:
        found = _POINTS.search(path.stem)
        if found is None:
            raise ReadError(
                "is taken for a Mann box, whose size stands nowhere in it: give points (x, y, z), or name it like "
                "box_1024x32x32_u.bin",
                path,
            )
        points = [int(n) for n in found.groups()]
    if len(points) != 3 or min(points) < 1:
        raise ReadError(f"points are three whole numbers (x, y, z), got {list(points)}", path)
    if spacing is not None and (len(spacing) != 3 or not all(np.isfinite(d) and d > 0.0 for d in spacing)):
        raise ReadError(f"spacing is three positive distances (x, y, z) [m], got {list(spacing)}", path)
    nx, ny, nz = (int(n) for n in points)
    with source as file:
        if file.size != 4 * nx * ny * nz:
            raise ReadError(f"{file.size} bytes are not {nx} x {ny} x {nz} single-precision numbers", path)
        native_order(file.array("<f4", min(nx * ny * nz, 4096), "the values"), path)

    def part(first: int, last: int) -> Float:
        with source.again() as file:
            file.at = 4 * first * ny * nz
            raw = file.array("<f4", max(last - first, 0) * ny * nz, "the values").reshape(-1, ny, nz)
        return raw[:, ::-1].astype(float)

    end = re.search(r"(?:^|[_.\-])([uvw])$", path.stem.lower())
    name = end[1] if end else "fluctuation"
    dx, dy, dz = spacing if spacing is not None else (1.0, 1.0, 1.0)
    unit = "m" if spacing is not None else "1"
    values = part(0, nx) if 8 * nx * ny * nz <= EAGER else FieldInFile((nx, ny, nz), part)
    text = "" if spacing is not None else "coordinates count points; give spacing for metres"
    return Grid(
        path,
        "field",
        {
            "x": Variable(("x",), dx * np.arange(nx), unit),
            "y": Variable(("y",), (np.arange(ny) - 0.5 * (ny - 1)) * dy, unit),
            "z": Variable(("z",), (np.arange(nz) - 0.5 * (nz - 1)) * dz, unit),
        },
        _kept({name: Variable(("x", "y", "z"), values, "m/s", name, "fluctuation")}, wanted, path),
        {"format": "Mann box", "description": text},
    )


def read_hub_wind(path: Path, wanted: Sequence[str] | None) -> Record:
    """A hub-height wind file: time, speed, direction, vertical speed, three shears, gust, perhaps upflow."""
    rows: list[list[float]] = []
    places: list[int] = []
    lines = lines_of(load_bytes(path))
    if not any(line.strip() for line in lines):
        raise ReadError("is empty", path)
    for number, line in enumerate(lines, 1):
        words = line.split()
        if not words or words[0][0] in "!#":
            continue
        try:
            values = [float(word) for word in words[: len(_HUB) + 1]]
        except ValueError:
            if not rows:
                continue  # a line of names
            raise ReadError(f"line {number}: {line.strip()[:40]!r} is not a row of numbers", path) from None
        if len(values) < 8 or (rows and len(values) != len(rows[0])):
            raise ReadError(f"line {number} has {len(values)} numbers; 8 or 9 are wanted, the same in all lines", path)
        rows.append(values)
        places.append(number)
    if not rows:
        raise ReadError("has no row of numbers", path)
    table = np.array(rows)
    heads = _HUB[: table.shape[1] - 1]
    names = [name for name, _ in heads]
    chosen = columns(names, wanted, path)
    return Record(
        path,
        table[:, 0],
        [names[j] for j in chosen],
        [names[j] for j in chosen],
        [heads[j][1] for j in chosen],
        table[:, [j + 1 for j in chosen]].T.copy(),
        place=places,
        information={"format": "hub-height wind (AeroDyn)", "description": lines[0].strip("! ").strip()},
    )


def read_turbsim_series(path: Path, wanted: Sequence[str] | None) -> Record:
    """Time series of points that TurbSim takes as input; where the points are stands in the description."""
    lines = lines_of(load_bytes(path))
    at = next((i for i, line in enumerate(lines) if line.strip().lower().startswith("elapsed time")), None)
    if at is None or at + 2 >= len(lines):
        raise ReadError("is no time series of TurbSim: there is no line 'Elapsed Time ...' with values below", path)
    names = lines[at].split()[2:]
    units = lines[at + 1].split()[1:]
    if len(units) != len(names):
        raise ReadError(f"{len(names)} names in line {at + 1}, {len(units)} units in line {at + 2}", path)
    body = [(i + 1, line.split()) for i, line in enumerate(lines) if i > at + 1 and line.strip()]
    width = len(names) + 1
    for number, words in body:
        if len(words) != width:
            raise ReadError(f"line {number} has {len(words)} values, {width} are named", path)
    try:
        table = np.array([[float(w) for w in words] for _, words in body]).reshape(len(body), width)
    except ValueError as error:
        raise ReadError(f"holds what is not a number ({error})", path) from None
    fresh = distinct(names)
    chosen = columns(fresh, wanted, path)
    points = [line.split() for line in lines[:at] if re.match(r"^\s*[-+\d.]+\s+[-+\d.]+\s*$", line)]
    return Record(
        path,
        table[:, 0],
        [fresh[j] for j in chosen],
        [names[j] for j in chosen],
        [units[j] for j in chosen],
        table[:, [j + 1 for j in chosen]].T.copy(),
        place=[number for number, _ in body],
        information={
            "format": "TurbSim time series",
            "description": "points (y, z) [m]: " + "; ".join(", ".join(p) for p in points),
        },
    )
