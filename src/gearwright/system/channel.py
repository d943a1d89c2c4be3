"""Channels: named loads and motions as linear combinations of what an engine knows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .channels import CHANNELS

#: what a sign convention ends in where the axes of a load turn with a body
TURNING = "; axes turn with '{}'"


class Source(IntEnum):
    """What a channel is a combination of."""

    FORCE = 0  # f, by row
    POSITION = 1  # q, elastic deviation, by coordinate
    SPEED = 2  # v, by coordinate
    ACCELERATION = 3  # dv/dt, by coordinate
    STATE = 4  # z
    SIGNAL = 5  # s
    RIGID = 6  # phi, amount of each rigid motion
    ONE = 7  # constant 1


@dataclass(frozen=True)
class Channel:
    """``value = sum coef * source[index]`` with unit, sign convention and the element it belongs to.

    ``kind`` is one of mesh, bearing, shaft, machine, body: the dimension of the result; ``element`` is its
    label on that dimension and ``quantity`` the name of the variable.
    """

    kind: str
    element: str
    quantity: str
    unit: str
    sign: str
    terms: tuple[tuple[Source, int, float], ...]
    #: counted in the loop (extremes, cycles): loads are, motions are not
    counted: bool = False

    @property
    def name(self) -> str:
        """``element.quantity``, unique within a system."""
        return f"{self.element}.{self.quantity}"

    @property
    def stored(self) -> bool:
        """Whether results have it; what is not stored the loop watches."""
        known = CHANNELS.get(self.kind, {}).get(self.quantity)
        return known is None or known.stored

    @property
    def turns_with(self) -> str:
        """The body with which the axes of a load turn; empty where they stand."""
        before, _, after = TURNING.partition("{}")
        return self.sign.partition(before)[2].partition(after)[0]


class Lines(NamedTuple):
    """Channels as CSR over the stacked vector ``[f, q, v, a, z, s, phi, 1]``.

    ``base`` holds where each source starts in that vector (8 entries and the total length).
    """

    ptr: NDArray[np.uint32]
    idx: NDArray[np.uint32]
    coef: NDArray[np.float64]
    base: NDArray[np.int64]

    @property
    def number(self) -> int:
        """Number of lines."""
        return len(self.ptr) - 1
