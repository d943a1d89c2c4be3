"""The fillet that the rounded tip of a rack tool leaves, and where it meets the involute of an undercut tooth.

The rack (f, g) in transverse modules, its tip towards the gear's centre, rolls on the reference circle; a curve
of the tool leaves the envelope (S0 digest section 7, P2 appendix)::

    theta = (2/z) [ (g'/f') (g - x) + f ],    point = m R(theta) (f - theta z/2, g - z/2 - x)

Along the envelope ``t`` runs from 0 at the root circle to 1 where the tool's rounding ends and its straight flank begins.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gearwright.arrays import Float


class Tool(NamedTuple):
    """The rack that cuts a gear.

    Attributes
    ----------
    teeth, shift : of the gear: number of teeth, profile shift of the cut flank in modules
    module : transverse module [m]
    pressure_angle, helix_angle : normal pressure angle of the rack, helix at the reference circle [rad]
    dedendum, rounding, straight : height of the tip, radius of its rounding, height up to which the flank is straight, in modules
    """

    teeth: int
    shift: float
    module: float
    pressure_angle: float
    helix_angle: float
    dedendum: float
    rounding: float
    straight: float


def envelope(tool: Tool, t: ArrayLike) -> tuple[Float, Float]:
    """Radius [m] and half tooth angle [rad] of the fillet at ``t`` (n,) between 0 and 1."""
    t = np.asarray(t, float)
    a, c = tool.pressure_angle, math.cos(tool.helix_angle)
    z, x, m = tool.teeth, tool.shift * c, tool.module
    rho, high = tool.rounding, tool.straight
    flat = 0.25 * math.pi - high * math.tan(a) - rho * math.cos(a)  # half width of the tool's flat tip
    centre = tool.dedendum - rho
    if rho > 1e-9:
        turn = 0.5 * math.pi + (a - 0.5 * math.pi) * t
        f = flat + rho * np.cos(turn)
        g = (centre + rho * np.sin(turn)) * c
        slope = -c * np.cos(turn) / np.sin(turn)  # g'/f' of an ellipse: the normal section's circle seen transversely
        theta = (2.0 / z) * (slope * (g - x) + f)
    else:  # a sharp corner: the angle itself is the parameter
        f, g = np.full(t.shape, flat), np.full(t.shape, tool.dedendum * c)
        theta = (2.0 / z) * (flat - t * c / math.tan(a) * (g - x))
    along, height = f - 0.5 * z * theta, g - 0.5 * z - x
    px = np.cos(theta) * along - np.sin(theta) * height
    py = np.sin(theta) * along + np.cos(theta) * height
    return m * np.hypot(px, py), math.pi / z - np.arctan2(px, -py)


def undercut_end(tool: Tool, base_radius: float, base_half_angle: float) -> tuple[float, float]:
    """Where the fillet of an undercut tooth leaves its involute: ``t`` of the envelope and radius [m].

    ``base_half_angle`` [rad] is the half angle of the tooth at its base circle, whose radius is ``base_radius`` [m].

    At the base circle the fillet lies inside the tooth that the involute alone would bound, at ``t`` = 1, on the other
    branch of the involute, outside of it: between the two it crosses the flank, however little it cuts away. Where the
    two differ by rounding alone, the flank begins at its base circle.
    """
    rb, half = base_radius, base_half_angle

    def beyond(t: float) -> float:
        return float(envelope(tool, t)[0]) - rb

    def gap(t: float) -> float:
        radius, angle = envelope(tool, t)
        alpha = math.acos(min(rb / float(radius), 1.0))
        return float(angle) - half + math.tan(alpha) - alpha

    if beyond(1.0) <= 0.0:
        return 1.0, rb
    low = _crossing(beyond, 0.0, 1.0)
    if gap(low) >= 0.0 or gap(1.0) <= 0.0:
        return 1.0, rb
    t = _crossing(gap, low, 1.0)
    return t, float(envelope(tool, t)[0])


def _crossing(value: Callable[[float], float], low: float, high: float) -> float:
    """Where a function that is not positive at ``low`` and positive at ``high`` becomes positive, by bisection."""
    for _ in range(60):
        middle = 0.5 * (low + high)
        if value(middle) > 0.0:
            high = middle
        else:
            low = middle
    return high
