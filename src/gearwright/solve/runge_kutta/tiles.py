"""Products of sparse matrices and vectors, eight lines at a time: the rows and the accelerations of the explicit engine.

A tile is eight lines of a matrix with the union of their columns; a column of a tile is one vector register, or two where
the processor's are shorter. A line for
itself costs more in loops of changing length and in look-ups of places than in arithmetic; lines that follow each other
belong to the same element and share most of their columns. Tiles of equal length follow each other, so that loops end
when they are expected to.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.kernels.tiles import WIDE


def tiles(matrix: Any, even: bool) -> dict[str, NDArray[Any]]:
    """Tiles of the lines of a sparse matrix (CSR, without explicit zeros), the last one filled up with zero lines.

    Returns ``order`` of the tiles by length, ``sizes`` (length, number of tiles) of every group, ``columns`` and
    ``values`` (entries, WIDE) in that order. With ``even`` every tile has an even number of entries.
    """
    lines = matrix.shape[0]
    found = []
    for first in range(0, lines, WIDE):
        part = matrix[first : min(first + WIDE, lines)].toarray()
        columns = np.flatnonzero(part.any(axis=0))
        block = np.zeros((len(columns), WIDE))
        block[:, : len(part)] = part[:, columns].T
        if even and len(columns) % 2:
            # a coefficient of nothing must meet a number that the tile has anyway: another may be not-a-number
            columns, block = np.append(columns, columns[0]), np.vstack([block, np.zeros(WIDE)])
        found.append((columns, block))
    length = np.array([len(columns) for columns, _ in found], np.int64)
    order = np.argsort(length, kind="stable")
    sizes, counts = np.unique(length, return_counts=True)
    return {
        "order": order,
        "sizes": np.column_stack([sizes, counts]),
        "columns": np.concatenate([found[i][0] for i in order] or [np.zeros(0)]).astype(np.int64),
        "values": np.concatenate([found[i][1] for i in order] or [np.zeros((0, WIDE))]),
    }


def alike(matrix: Any) -> NDArray[np.int64]:
    """Order of the lines of a sparse matrix in which those of a tile have many columns in common."""
    pattern = matrix.toarray() != 0.0
    left = list(np.argsort(-pattern.sum(axis=1), kind="stable"))
    order: list[int] = []
    while left:
        union = pattern[left[0]].copy()
        group = [left.pop(0)]
        while left and len(group) < WIDE:
            more = [int((pattern[i] & ~union).sum()) for i in left]
            best = int(np.argmin(more))
            union |= pattern[left[best]]
            group.append(left.pop(best))
        order += group
    return np.array(order, np.int64)
