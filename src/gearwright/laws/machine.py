"""Torque of a machine over its speed, as a table; of one that an event trips, times a signal.

    torque = T(w),  f = -T(w) on the machine's rotation row

Linear slip needs no law, unless it is tripped: it is a damper row. Source: decisions (machines of the first examples).
"""

import numpy as np

from gearwright.kernels import force, hot
from gearwright.kernels.places import cell_of, whole_of
from gearwright.system import Law


@hot
def _braking(w, p):  # type: ignore[no-untyped-def]
    """Minus the torque of a table at a speed. Parameters: first speed, cell width, cells, then 4 coefficients a cell over its
    local coordinate."""
    x = (w - p[0]) / p[1]
    cells = p[2]
    if x <= 0.0:
        return -p[3]
    if x >= cells:
        i = 3 + 4 * int(cells - 1.0)
        return -(p[i] + p[i + 1] + p[i + 2] + p[i + 3])
    cell = cell_of(x, cells)
    x -= cell
    i = 3 + 4 * cell
    return -(p[i] + x * (p[i + 1] + x * (p[i + 2] + x * p[i + 3])))


@force
def torque_table_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters: those of the table."""
    f[0] = _braking(dv[0], p)


@force
def tripped_table_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters: those of the table, then the signal of what is connected."""
    f[0] = s[whole_of(p[3 + 4 * whole_of(p[2])])] * _braking(dv[0], p)


@force
def tripped_slip_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters: slope [N m s/rad], synchronous speed [rad/s], signal of what is connected."""
    f[0] = s[whole_of(p[2])] * p[0] * (dv[0] - p[1])


def tripped_slip(slope: float, synchronous: float, signal: int, connected: float) -> Law:
    """A linear slip curve times a signal (1 connected, 0 tripped; ``connected`` is its value at the start)."""
    return Law(
        force=tripped_slip_force,
        parameters=(slope, synchronous, float(signal)),
        rows=1,
        mean=((0.0,), (slope * connected,)),
        label="slip curve with a breaker",
        source="decisions",
    )


def torque_table(speed: list[float], torque: list[float], at: float, signal: int | None = None) -> Law:
    """Torque [N m] on the machine's body over its speed [rad/s], monotone cubic through the points, held outside.

    ``signal``: number of a signal by which it is multiplied (1 connected, 0 tripped).

    ``at`` is the operating speed, whose slope serves linear analyses. One force row: the rotation of the body.
    Raises ValueError if speeds do not ascend.
    """
    from scipy.interpolate import PchipInterpolator

    x, y = np.asarray(speed, float), np.asarray(torque, float)
    if len(x) < 2 or (np.diff(x) <= 0).any():
        raise ValueError("a torque table needs at least two ascending speeds")
    curve = PchipInterpolator(x, y)
    n = max(256, 8 * len(x))
    edges = np.linspace(x[0], x[-1], n + 1)
    h = edges[1] - edges[0]
    value, slope = curve(edges), curve(edges, 1) * h
    rise = np.diff(value)
    cells = np.column_stack(
        [value[:-1], slope[:-1], 3 * rise - 2 * slope[:-1] - slope[1:], slope[:-1] + slope[1:] - 2 * rise]
    )
    gradient = -float(curve(np.clip(at, x[0], x[-1]), 1))
    return Law(
        force=torque_table_force if signal is None else tripped_table_force,
        parameters=(
            float(x[0]),
            float(h),
            float(n),
            *cells.ravel().tolist(),
            *(() if signal is None else (float(signal),)),
        ),
        rows=1,
        mean=((0.0,), (gradient,)),
        label="torque over speed",
        source="decisions",
    )
