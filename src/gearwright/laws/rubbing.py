"""Dry and viscous friction of a joint in fixed steps: a capacity over time, smoothed about standstill.

    f = T(t) tanh(v / creep) + c v

Below the speed ``creep`` the joint does not stick but creeps: under a torque M < T it turns with
``creep artanh(M / T)``. Engines with events stick instead (act ``Friction``); a mechanism in fixed steps cannot.
"""

import math
from collections.abc import Sequence

from gearwright.kernels import force
from gearwright.system import Law


@force
def rubbing_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters: creep, viscous part, number of table rows, then times and capacities."""
    n = int(p[2])
    value = p[3 + n]
    if n > 1:
        low, high = 0, n
        while high - low > 1:
            middle = (low + high) // 2
            if p[3 + middle] <= t:
                low = middle
            else:
                high = middle
        value = p[3 + n + low]
        if low + 1 < n and t > p[3 + low]:
            width = p[4 + low] - p[3 + low]
            if width > 0.0:
                value += (p[4 + n + low] - value) * (t - p[3 + low]) / width
    f[0] = value * math.tanh(dv[0] / p[0]) + p[1] * dv[0]


def rubbing(times: Sequence[float], capacities: Sequence[float], creep: float, viscous: float = 0.0) -> Law:
    """Friction of a capacity given as a table [s, N m], linear between rows (a time given twice is a jump).

    creep [rad/s]: speed of the transition; viscous [N m s/rad]. One force row. Raises ValueError for a capacity
    below zero, a creep that is not positive, and times that fall.
    """
    if creep <= 0.0 or viscous < 0.0 or min(capacities) < 0.0:
        raise ValueError("friction needs a capacity and a viscous part of zero or more, and a positive creep speed")
    if len(times) != len(capacities) or any(b < a for a, b in zip(times, times[1:], strict=False)):
        raise ValueError("a capacity over time needs times that do not fall, one for each value")
    return Law(
        force=rubbing_force,
        parameters=(creep, viscous, float(len(times)), *map(float, times), *map(float, capacities)),
        mean=((0.0,), (max(capacities) / creep + viscous,)),
        label="friction of a joint",
        source="regularised Coulomb friction",
    )
