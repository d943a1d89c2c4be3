"""Wind of other programs: TurbSim full fields (``.bts``), Mann boxes (``.bin``) and hub-height series.

A rectangular field is put on the polar grid of the rotor by bilinear interpolation. Sizes stated in a header are
compared with the size of the file before anything is allocated.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .model import Turbine, TurbineError
from .wind import Wind, log_profile, power_profile

Float = NDArray[np.floating]

RINGS, AZIMUTHS = 8, 24


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise TurbineError(f"{path}: cannot be read: {error.strerror}") from None


def read_bts(path: str | Path) -> dict[str, Float | float]:
    """A TurbSim file as ``u (3, time, y, z)`` [m/s], ``y, z`` [m], ``dt``, ``mean``, ``hub_height``.

    ``y`` is positive to the left looking downwind, as everywhere here (TurbSim's own sense). Raises TurbineError
    for what is not such a file.
    """
    path = Path(path)
    content = _bytes(path)
    head = struct.Struct("<h4l12fl")
    if len(content) < head.size:
        raise TurbineError(f"{path}: not a TurbSim field: {len(content)} bytes are less than its header")
    v = head.unpack_from(content)
    kind, nz, ny, ntower, nt = v[:5]
    dz, dy, dt, mean, hub, bottom = v[5:11]
    scale, shift, text = np.array(v[11:17:2]), np.array(v[12:17:2]), v[17]
    if kind not in (7, 8) or not (0 < nz < 10_000 and 0 < ny < 10_000 and nt > 0 and 0 <= ntower < 10_000):
        raise TurbineError(f"{path}: not a TurbSim field (its identifier is {kind}, TurbSim writes 7 or 8)")
    start = head.size + text
    count = nt * 3 * (ny * nz + ntower)
    if text < 0 or len(content) < start + 2 * count:
        raise TurbineError(f"{path}: truncated: its header promises {start + 2 * count} bytes, it has {len(content)}")
    raw = np.frombuffer(content, "<i2", count, start).reshape(nt, 3 * (ny * nz + ntower))
    grid = raw[:, : 3 * ny * nz].reshape(nt, nz, ny, 3).transpose(3, 0, 2, 1).astype(float)
    u = (grid - shift[:, None, None, None]) / scale[:, None, None, None]
    y = (np.arange(ny) - 0.5 * (ny - 1)) * dy
    z = bottom + dz * np.arange(nz)
    return {"u": u, "y": y, "z": z, "dt": float(dt), "mean": float(mean), "hub_height": float(hub)}


def turbsim(turbine: Turbine, path: str | Path) -> Wind:
    """A TurbSim field as wind of a turbine; raises TurbineError if it does not cover the rotor."""
    data = read_bts(path)
    u = np.asarray(data["u"])
    y, z = np.asarray(data["y"]), np.asarray(data["z"])
    return _from_grid(
        turbine, u, y, z, float(data["dt"]), float(data["mean"]), f"TurbSim field {Path(path).name}", False
    )


def read_mann(path: str | Path, points: tuple[int, ...]) -> Float:
    """A Mann box (float32, x slowest) as (nx, ny, nz); raises TurbineError if the size does not fit."""
    path = Path(path)
    content = _bytes(path)
    if len(points) != 3 or min(points) < 1:
        raise TurbineError(f"points of a Mann box are three whole numbers (x, y, z), got {points}")
    if len(content) != 4 * points[0] * points[1] * points[2]:
        raise TurbineError(
            f"{path}: {len(content)} bytes are not {points[0]} x {points[1]} x {points[2]} single-precision numbers"
        )
    return np.frombuffer(content, "<f4").reshape(points)[:, ::-1].astype(float)


def mann(
    turbine: Turbine,
    paths: Sequence[str | Path],
    mean: float,
    points: tuple[int, ...],
    spacing: tuple[float, ...],
    *,
    deviation: float | None = None,
    shear: float = 0.2,
    roughness: float | None = None,
) -> Wind:
    """Mann boxes of u (and v, w) carried past the rotor with the mean speed.

    ``spacing`` [m] in x, y, z; y grows to the left looking downwind and z upward, the box is centred at the hub.
    ``deviation`` scales the u box to that standard deviation (v and w by the same factor).
    """
    boxes = [read_mann(p, points) for p in paths]
    if len(boxes) not in (1, 3):
        raise TurbineError(f"give one Mann box (u) or three (u, v, w), not {len(boxes)}")
    while len(boxes) < 3:
        boxes.append(np.zeros_like(boxes[0]))
    u = np.stack(boxes)
    if deviation is not None:
        u *= deviation / float(u[0].std())
    u[0] += mean
    y = (np.arange(points[1]) - 0.5 * (points[1] - 1)) * spacing[1]
    z = turbine.hub_height + (np.arange(points[2]) - 0.5 * (points[2] - 1)) * spacing[2]
    made = _from_grid(turbine, u, y, z, spacing[0] / mean, mean, f"Mann box {Path(paths[0]).name}", True)
    profile = (
        power_profile(turbine.hub_height, shear) if roughness is None else log_profile(turbine.hub_height, roughness)
    )
    return Wind(**{**made.__dict__, "profile": profile})


def _from_grid(
    turbine: Turbine, u: Float, y: Float, z: Float, dt: float, mean: float, text: str, periodic: bool
) -> Wind:
    radius, hub = turbine.tip_radius, turbine.hub_height
    if min(-y[0], y[-1], z[-1] - hub, hub - z[0]) < 0.95 * radius:
        raise TurbineError(
            f"{text} covers y {y[0]:g}..{y[-1]:g} m and z {z[0]:g}..{z[-1]:g} m; the rotor needs {-radius:g}..{radius:g} m and "
            f"{hub - radius:g}..{hub + radius:g} m"
        )
    spacing = radius / RINGS
    r = spacing * np.arange(RINGS + 1)[:, None]
    angle = 2.0 * np.pi / AZIMUTHS * np.arange(AZIMUTHS)
    py, pz = -r * np.sin(angle), hub + r * np.cos(angle)

    def places(grid: Float, at: Float) -> tuple[NDArray[np.int64], Float]:
        x = np.clip((at - grid[0]) / (grid[1] - grid[0]), 0.0, len(grid) - 1.0)
        i = np.minimum(x.astype(int), len(grid) - 2)
        return i, x - i

    iy, wy = places(y, py)
    iz, wz = places(z, pz)
    v = u[0]
    flow = (
        (1 - wy) * (1 - wz) * v[:, iy, iz]
        + wy * (1 - wz) * v[:, iy + 1, iz]
        + (1 - wy) * wz * v[:, iy, iz + 1]
        + wy * wz * v[:, iy + 1, iz + 1]
    ) - mean
    nt = len(v)
    jy, jz = len(y) // 2, int(np.argmin(np.abs(z - hub)))
    rows = np.zeros((6, nt + 1))
    rows[0] = mean
    for k, component in ((4, 1), (5, 2)):
        rows[k] = np.append(u[component, :, jy, jz], u[component, 0, jy, jz])
    flat = power_profile(hub, 0.0)  # the profile is in the field
    length = nt * dt if periodic else (nt - 1) * dt
    return Wind(mean, dt, rows, flat, np.ascontiguousarray(flow), dt, spacing, length, periodic, text)


def read_series(path: str | Path, time_column: int = 0, speed_column: int = 1) -> tuple[Float, Float]:
    """Time and speed from a text file (``.csv``, ``.txt``, hub-height ``.wnd``): comments by ``!`` or ``#``."""
    path = Path(path)
    rows: list[tuple[float, float]] = []
    for number, line in enumerate(_bytes(path).decode("latin-1").splitlines(), 1):
        text = line.strip()
        if not text or text[0] in "!#":
            continue
        words = text.replace(",", " ").replace(";", " ").split()
        try:
            values = [float(w) for w in words]
        except ValueError:
            if rows:
                raise TurbineError(f"{path}, line {number}: '{text[:40]}' is not a row of numbers") from None
            continue
        if len(values) <= max(time_column, speed_column):
            raise TurbineError(f"{path}, line {number}: {len(values)} columns, column {speed_column} was asked for")
        rows.append((values[time_column], values[speed_column]))
    if len(rows) < 2:
        raise TurbineError(f"{path}: no rows of numbers")
    table = np.array(rows)
    return table[:, 0], table[:, 1]
