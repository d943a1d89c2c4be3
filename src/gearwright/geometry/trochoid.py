"""The fillet that the rounded tip of a rack tool leaves, and where it meets the involute of an undercut tooth.

The rack (f, g) in transverse modules, its tip towards the gear's centre, rolls on the reference circle; a curve
of the tool leaves the envelope (S0 digest section 7, P2 appendix)::

    theta = (2/z) [ (g'/f') (g - x) + f ],    point = m R(theta) (f - theta z/2, g - z/2 - x)

Along the envelope ``t`` runs from 0 at the root circle to 1 where the tool's rounding ends and its straight flank begins.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from .gear import Gear

Array = NDArray[np.float64]


def envelope(gear: Gear, t: ArrayLike) -> tuple[Array, Array]:
    """Radius [m] and half tooth angle [rad] of the fillet at ``t`` (n,) between 0 and 1."""
    t = np.asarray(t, float)
    a, c = gear.pressure_angle, math.cos(gear.helix_angle)
    z, x, m = gear.teeth, gear.cut_shift * c, gear.transverse_module
    rho, high = gear.rounding, gear.straight
    flat = 0.25 * math.pi - high * math.tan(a) - rho * math.cos(a)  # half width of the tool's flat tip
    centre = gear.dedendum - rho
    if rho > 1e-9:
        turn = 0.5 * math.pi + (a - 0.5 * math.pi) * t
        f = flat + rho * np.cos(turn)
        g = (centre + rho * np.sin(turn)) * c
        slope = -c * np.cos(turn) / np.sin(turn)  # g'/f' of an ellipse: the normal section's circle seen transversely
        theta = (2.0 / z) * (slope * (g - x) + f)
    else:  # a sharp corner: the angle itself is the parameter
        f, g = np.full(t.shape, flat), np.full(t.shape, gear.dedendum * c)
        theta = (2.0 / z) * (flat - t * c / math.tan(a) * (g - x))
    along, height = f - 0.5 * z * theta, g - 0.5 * z - x
    px = np.cos(theta) * along - np.sin(theta) * height
    py = np.sin(theta) * along + np.cos(theta) * height
    return m * np.hypot(px, py), math.pi / z - np.arctan2(px, -py)


def undercut_end(gear: Gear) -> tuple[float, float]:
    """Where the fillet of an undercut tooth leaves its involute: ``t`` of the envelope and arc ``s`` of the flank [m].

    At the base circle the fillet lies inside the tooth that the involute alone would bound, at ``t`` = 1, on the other
    branch of the involute, outside of it: between the two it crosses the flank, however little it cuts away. Where the
    two differ by rounding alone, the flank begins at its base circle.
    """
    rb, half = gear.base_radius, gear.base_half_angle

    def beyond(t: float) -> float:
        return float(envelope(gear, t)[0]) - rb

    def gap(t: float) -> float:
        radius, angle = envelope(gear, t)
        alpha = math.acos(min(rb / float(radius), 1.0))
        return float(angle) - half + math.tan(alpha) - alpha

    if beyond(1.0) <= 0.0:
        return 1.0, 0.0
    low = _crossing(beyond, 0.0, 1.0)
    if gap(low) >= 0.0 or gap(1.0) <= 0.0:
        return 1.0, 0.0
    t = _crossing(gap, low, 1.0)
    return t, gear.arc(float(envelope(gear, t)[0]))


def _crossing(value: Callable[[float], float], low: float, high: float) -> float:
    """Where a function that is not positive at ``low`` and positive at ``high`` becomes positive, by bisection."""
    for _ in range(60):
        middle = 0.5 * (low + high)
        if value(middle) > 0.0:
            high = middle
        else:
            low = middle
    return high


__all__ = ["envelope", "undercut_end"]
