"""Ratios of the stages: those of least gear volume, their limits, and the layouts that suit a ratio.

Load intensity ``K = F_t/(b d_1) (u + 1)/u`` of the smaller wheel of a mesh. The volume ``sum b d^2`` over the wheels, the ring
weighted with :data:`RING`, is

    planetary (ring fixed, torque T_s of the sun, N planets, ratio U, m = U/2 - 1):
        (2 T_s/K) (1 + 1/m) (1 + N m^2 + RING (U - 1)^2) / N
    parallel (torque T_p of the pinion, ratio u):  (2 T_p/K) (1 + 1/u) (1 + u^2)

Source: R. J. Willis, Lightest-weight gears, Product Engineering 34 (1963) 64-75; the form with K derived anew.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from gearwright.errors import DrivetrainError

from .ratings import MESH_LOAD, words_of

#: volume of a ring over that of a disc of its reference circle
RING = 0.4
#: below it the planets are smaller than 0.8 of the sun and have no room for their bearings
LEAST_PLANETARY = 3.6
#: ratios of a parallel stage that are built
PARALLEL = (1.5, 5.6)
#: teeth of a sun when ratios are bounded, and the room between two planets [modules]
_SUN, _ROOM = 21, 1.0


def planetary_volume(ratio: float, planets: int) -> float:
    """Volume of a planetary stage over ``2 T_s/K``; ``ratio`` above 2."""
    m = 0.5 * ratio - 1.0
    return (1.0 + 1.0 / m) * (1.0 + planets * m**2 + RING * (ratio - 1.0) ** 2) / planets


def parallel_volume(ratio: float) -> float:
    """Volume of a parallel stage over ``2 T_p/K``."""
    return (1.0 + 1.0 / ratio) * (1.0 + ratio**2)


def neighbours_limit(planets: int, sun: int = _SUN, room: float = _ROOM) -> float:
    """Largest ratio of a planetary stage whose planets stay ``room`` modules apart at their tips, without shifts.

    From ``(z_p + 2) + room < (z_s + z_p) sin(pi/N)`` with ``z_p = z_s (U/2 - 1)``.
    """
    s = math.sin(math.pi / planets)
    planet = (sun * s - 2.0 - room) / (1.0 - s)
    return 2.0 * (planet / sun + 1.0)


def limits(planets: int) -> tuple[float, float]:
    """Least and largest ratio of a stage; 0 planets: a parallel one."""
    if planets == 0:
        return PARALLEL
    # between three planets there is room for any ratio; a thick ring of many teeth bounds it instead
    return LEAST_PLANETARY, min(neighbours_limit(planets), 8.0) if planets <= 3 else neighbours_limit(planets)


def volume(ratios: Sequence[float], layout: Sequence[int], intensity: Sequence[float] | None = None) -> float:
    """Volume of all wheels over ``2 T/K`` of the rotor's torque; ``intensity`` scales K stage by stage."""
    torque, total = 1.0, 0.0
    for i, (u, n) in enumerate(zip(ratios, layout, strict=True)):
        torque /= u
        k = 1.0 if intensity is None else intensity[i]
        total += torque / k * (planetary_volume(u, n) if n else parallel_volume(u))
    return total


def least_volume(
    ratio: float, layout: Sequence[int], intensity: Sequence[float] | None = None, bounded: bool = True
) -> tuple[float, ...]:
    """Ratios of the stages with the product ``ratio`` and the least volume of all wheels.

    ``bounded`` keeps each within :func:`limits`. Raises DrivetrainError where the layout cannot make the ratio, with what it can.
    """
    from scipy.optimize import minimize

    if len(layout) == 1 and not bounded:
        return (ratio,)
    ends = [limits(n) for n in layout] if bounded else [(2.05 if n else 1.01, 40.0) for n in layout]
    low, high = math.prod(e[0] for e in ends), math.prod(e[1] for e in ends)
    if not low <= ratio <= high:
        raise DrivetrainError(
            f"layout {words_of(tuple(layout))} makes ratios from {low:.3g} to {high:.3g}, not {ratio:.4g}; "
            f"choose another layout, or leave it out"
        )
    if len(layout) == 1:
        return (ratio,)
    bounds = np.log(np.array(ends))

    def whole(x: np.ndarray) -> np.ndarray:
        return np.append(x, math.log(ratio) - x.sum())

    def cost(x: np.ndarray) -> float:
        y = whole(x)
        outside = float(np.sum(np.maximum(bounds[:, 0] - y, 0.0) + np.maximum(y - bounds[:, 1], 0.0)))
        inside = np.exp(np.clip(y, bounds[:, 0], bounds[:, 1]))
        return math.log(volume(inside.tolist(), layout, intensity)) + 100.0 * outside

    share = (math.log(ratio) - bounds[:, 0].sum()) / (bounds[:, 1] - bounds[:, 0]).sum()
    start = bounds[:, 0] + share * (bounds[:, 1] - bounds[:, 0])
    found = minimize(cost, start[:-1], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12, "maxiter": 4000})
    return tuple(float(u) for u in np.exp(whole(found.x)))


def intensity_of(layout: Sequence[int]) -> tuple[float, ...]:
    """K of every stage over that of a parallel one: unequal sharing among planets (K_gamma) takes its part."""
    return tuple(1.0 / MESH_LOAD[n] if n else 1.0 for n in layout)


#: layouts that are built, the usual ones first
LAYOUTS = (
    (3,),
    (0,),
    (3, 0),
    (3, 3),
    (3, 0, 0),
    (3, 3, 0),
    (4, 3),
    (4, 3, 0),
    (5, 3),
    (5, 3, 0),
    (0, 0),
    (4, 0),
    (0, 0, 0),
)


def layouts_for(ratio: float) -> list[tuple[int, ...]]:
    """Layouts that can make a ratio with stages inside :func:`limits`."""
    found: list[tuple[int, ...]] = []
    for layout in LAYOUTS:
        ends = [limits(n) for n in layout]
        if math.prod(e[0] for e in ends) <= ratio <= math.prod(e[1] for e in ends):
            found.append(layout)
    return found


def usual_layout(ratio: float, power: float) -> tuple[int, ...]:
    """The layout that is usual for a ratio and a power [W]: one planetary stage as long as it reaches, a parallel stage behind
    it below 1 MW, two planetary stages for medium speed and above 3 MW. Raises DrivetrainError."""
    fits = layouts_for(ratio)
    if not fits:
        raise DrivetrainError(
            f"no layout of up to three stages makes a ratio of {ratio:.4g}; possible are {PARALLEL[0]:g} to "
            f"{limits(3)[1] ** 2 * PARALLEL[1]:.0f}"
        )
    order: list[tuple[int, ...]] = [(3,), (0,)]
    if power < 1e6:
        order += [(0, 0), (3, 0), (3, 0, 0)]
    order += [(3, 3), (3, 0), (3, 0, 0), (3, 3, 0)] if ratio < 45.0 else [(3, 3, 0) if power >= 3e6 else (3, 0, 0)]
    return next((layout for layout in [*order, *fits] if layout in fits), fits[0])
