"""Channel values of samples in which different combinations hold: sorted by combination, one product each."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from gearwright.arrays import Float
from gearwright.kernels import kernel


@kernel
def gather(samples, order, out):  # type: ignore[no-untyped-def]
    """Rows of ``samples`` in an order."""
    for i in range(order.shape[0]):
        row = order[i]
        for j in range(samples.shape[1]):
            out[i, j] = samples[row, j]


@kernel
def scatter(values, order, columns):  # type: ignore[no-untyped-def]
    """Sorted values (channels, samples) back to their samples."""
    for c in range(values.shape[0]):
        for i in range(order.shape[0]):
            columns[c, order[i]] = values[c, i]


def fill(columns: Float, samples: Float, slots: Any, matrix: Any) -> None:
    """Write channels (channels, samples) of ``samples``; ``matrix(slot)`` gives the channels of a combination over a sample."""
    order = np.argsort(slots.astype(np.uint16), kind="stable")  # sorts by counting
    sorted_ = np.empty(samples.shape)
    gather(samples, order, sorted_)
    kinds = slots[order]
    values = np.empty((len(columns), len(order)))
    for begin, end in pairwise([0, *(np.flatnonzero(np.diff(kinds)) + 1), len(order)]):
        np.matmul(matrix(int(kinds[begin])).T, sorted_[begin:end].T, out=values[:, begin:end])
    scatter(values, order, columns)


def compiled() -> list[tuple[Any, tuple[Any, ...]]]:
    """Compiled functions of :func:`fill`, with arguments of the kinds that they are called with."""
    rows, order = np.zeros((1, 1)), np.zeros(1, np.int64)
    return [(gather, (rows, order, rows)), (scatter, (rows, order, np.zeros((2, 2))[:, :1]))]
