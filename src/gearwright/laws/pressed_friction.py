"""Friction of a mesh in fixed steps: a share of the tooth force against the rotation of the wheels, smoothed about standstill.

    f = mu |N| tanh(v / creep),    creep = max(creep_0, mu |N| c)

``mu`` is that of the wheel which drives, over ``|v|`` where it is a table. Steps cannot stick: below ``creep``, which grows with the
force so that a step can follow, friction is viscous. Engines with events stick instead (act ``Friction``).
"""

import math
from collections.abc import Sequence

from gearwright.kernels import force
from gearwright.system import Law


@force
def pressed_friction_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters: creep_0, c, rows of the table, then triples (rate, mu where wheel 1 drives, mu where wheel 2 does).
    Rows: the rate; sense: the tooth force."""
    rows, rate = int(p[2]), abs(dv[0])
    k = 0
    while k < rows - 1 and rate > p[3 + 3 * (k + 1)]:
        k += 1
    i = 3 + 3 * k
    # the force on wheel 1 holds it back where it drives
    side = 1 if d[1] * dv[0] <= 0.0 else 2
    mu = p[i + side]
    if k < rows - 1 and rate > p[i]:
        mu += (p[i + 3 + side] - mu) * (rate - p[i]) / (p[i + 3] - p[i])
    most = mu * abs(d[1])
    f[0] = most * math.tanh(dv[0] / max(p[0], p[1] * most))


def pressed_friction(table: Sequence[tuple[float, float, float]], creep: float, follow: float) -> Law:
    """Loss of a mesh: ``table`` of (rate, coefficient where wheel 1 drives, where wheel 2 drives), constant beyond.

    creep : least speed of the transition, in the unit of the rate; follow : creep per force [rate/N] that steps can follow.
    Raises ValueError for coefficients below zero, rates that do not rise, a creep that is not positive.
    """
    rates = [row[0] for row in table]
    if creep <= 0.0 or follow < 0.0 or not table or min(min(row) for row in table) < 0.0:
        raise ValueError("friction of a mesh needs coefficients of zero or more and a positive creep speed")
    if any(b <= a for a, b in zip(rates, rates[1:], strict=False)):
        raise ValueError("rates of a table of friction rise")
    return Law(
        force=pressed_friction_force,
        parameters=(creep, follow, float(len(table)), *(float(x) for row in table for x in row)),
        rows=1,
        senses=1,
        mean=((0.0,), (0.0,)),
        label="friction of a mesh",
        source="S3 digest 4; regularised",
    )
