"""Polars on an even grid, so that a look-up is one multiply and one blend; and what dynamic stall needs of them.

Dynamic stall follows Oye (1991): lift is blended between fully attached and fully separated flow by a degree of
attachment that lags behind its steady value by ``4 c/V``. The two lifts and the steady attachment come from
the static polar by Kirchhoff's formula, so that a blade at rest has the polar of its file.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .model import Turbine

Float = NDArray[np.floating]

#: points of the grid: half a degree over -180..180
POINTS = 721


class Tables(NamedTuple):
    """All polars of a turbine on the grid, flattened by (polar, point)."""

    names: tuple[str, ...]
    lift: Float
    drag: Float
    attached: Float
    separated: Float
    attachment: Float


def grid() -> Float:
    """The angles of attack of the grid [deg]."""
    return np.linspace(-180.0, 180.0, POINTS)


def tables(turbine: Turbine) -> Tables:
    """Resample the polars of a turbine."""
    names = tuple(dict.fromkeys(turbine.element_polar))
    at = grid()
    parts: list[list[Float]] = [[] for _ in range(5)]
    for name in names:
        polar = turbine.polars[name]
        lift, drag = np.interp(at, polar.angle, polar.lift), np.interp(at, polar.angle, polar.drag)
        for store, values in zip(parts, (lift, drag, *_stall(at, lift)), strict=True):
            store.append(values)
    return Tables(names, *(np.concatenate(p) for p in parts))


def _stall(angle: Float, lift: Float) -> tuple[Float, Float, Float]:
    """Attached lift, separated lift and steady attachment of one polar."""
    near = np.abs(angle) <= 20.0
    if np.abs(lift[near]).max() < 0.05:  # a cylinder has nothing that could stall
        return lift.copy(), lift.copy(), np.ones_like(lift)
    window = np.flatnonzero((angle >= -8.0) & (angle <= 5.0))
    crossing = window[:-1][(lift[window][:-1] <= 0.0) & (lift[window][1:] > 0.0)]
    i = int(crossing[0]) if len(crossing) else int(np.argmin(np.abs(angle)))
    rise = lift[i + 1] - lift[i]
    zero = angle[i] - lift[i] / rise * (angle[i + 1] - angle[i]) if rise else 0.0
    linear = near & (angle > zero + 1.0) & (angle < zero + 9.0)
    slope = float(np.max(lift[linear] / (angle[linear] - zero)))
    attached = slope * (angle - zero)
    with np.errstate(divide="ignore", invalid="ignore"):
        root = np.sqrt(np.maximum(np.where(attached == 0.0, 1.0, lift / attached), 0.0))
    attachment = np.clip((2.0 * root - 1.0) ** 2, 0.0, 1.0)
    attachment[root < 0.5] = 0.0
    # beyond the first point of full separation on either side the flow stays separated
    middle = int(np.argmin(np.abs(angle - zero)))
    above = np.flatnonzero(attachment[middle:] < 1e-6)
    below = np.flatnonzero(attachment[: middle + 1] < 1e-6)
    if len(above):
        attachment[middle + above[0] :] = 0.0
    if len(below):
        attachment[: below[-1] + 1] = 0.0
    part = np.minimum(attachment, 1.0 - 1e-9)
    separated = np.where(attachment > 0.999, 0.5 * lift, (lift - attached * part) / (1.0 - part))
    attached = np.where(attachment == 0.0, np.clip(attached, -5.0, 5.0), attached)
    return attached, separated, attachment
