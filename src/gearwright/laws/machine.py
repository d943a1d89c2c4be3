"""Torque of a machine over its speed, as a table.

    torque = T(w),  f = -T(w) on the machine's rotation row

Linear slip needs no law: it is a damper row. Source: decisions (machines of the first examples).
"""

import numpy as np

from gearwright.system import Law, force
from gearwright.system.places import cell_of


@force
def torque_table_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters: first speed, cell width, cells, then 4 coefficients a cell over its local coordinate."""
    x = (dv[0] - p[0]) / p[1]
    cells = p[2]
    if x <= 0.0:
        f[0] = -p[3]
        return
    if x >= cells:
        i = 3 + 4 * int(cells - 1.0)
        f[0] = -(p[i] + p[i + 1] + p[i + 2] + p[i + 3])
        return
    cell = cell_of(x, cells)
    x -= cell
    i = 3 + 4 * cell
    f[0] = -(p[i] + x * (p[i + 1] + x * (p[i + 2] + x * p[i + 3])))


def torque_table(speed: list[float], torque: list[float], at: float) -> Law:
    """Torque [N m] on the machine's body over its speed [rad/s], monotone cubic through the points, held outside.

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
        force=torque_table_force,
        parameters=(float(x[0]), float(h), float(n), *cells.ravel().tolist()),
        rows=1,
        mean=((0.0,), (gradient,)),
        label="torque over speed",
        source="decisions",
    )
