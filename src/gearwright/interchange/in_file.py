"""Values that stay in a file until they are used."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float64]


class InFile(ABC):
    """Values (channels, samples) that stay in a file until they are used."""

    shape: tuple[int, int]

    @abstractmethod
    def one(self, row: int, first: int = 0, last: int | None = None) -> Float:
        """Values of channel ``row`` from sample ``first`` up to before ``last``."""

    @abstractmethod
    def all(self) -> Float:
        """Every channel, (channels, samples)."""

    @abstractmethod
    def parts(self) -> Iterator[tuple[slice, Float]]:
        """Rows and their values (samples, rows), in pieces of bounded size."""
