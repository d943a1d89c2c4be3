"""Sparse matrices of a model: what assembling and reading a model needs, without SciPy, which takes longer to import.

A matrix of a drivetrain has a few hundred rows with a few entries each. Sums are formed in the order of the columns,
as SciPy forms them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.arrays import Float

Whole = NDArray[np.int64]


class Sparse:
    """A sparse matrix of real numbers by rows: the entries of row i are ``indptr[i]`` to ``indptr[i + 1]``, by column.

    It multiplies vectors and matrices from the left and from the right; rows and columns are picked as from an array,
    but ``S[i]`` is a matrix of one row. For everything else there is :attr:`scipy`.
    """

    def __init__(self, data: Any, indices: Any, indptr: Any, shape: tuple[int, int]):
        self.data: Float = np.asarray(data, np.float64)
        self.indices: Whole = np.asarray(indices, np.int64)
        self.indptr: Whole = np.asarray(indptr, np.int64)
        self.shape = shape

    @classmethod
    def of(cls, entries: Mapping[tuple[int, int], float], shape: tuple[int, int]) -> Sparse:
        """A matrix of entries by (row, column)."""
        places = sorted(entries)
        rows = np.array([i for i, _ in places], np.int64)
        return cls.of_rows([entries[p] for p in places], [j for _, j in places], rows, shape)

    @classmethod
    def of_rows(cls, data: Any, indices: Any, rows: Whole, shape: tuple[int, int]) -> Sparse:
        """A matrix of entries in order, by their row."""
        count = np.bincount(rows, minlength=shape[0])
        return cls(data, indices, np.concatenate([[0], np.cumsum(count)]), shape)

    @cached_property
    def rows(self) -> Whole:
        """Row of every entry."""
        return np.repeat(np.arange(self.shape[0]), np.diff(self.indptr))

    @property
    def T(self) -> Sparse:
        """The transposed matrix."""
        order = np.argsort(self.indices, kind="stable")
        return self.of_rows(self.data[order], self.rows[order], self.indices[order], self.shape[::-1])

    @property
    def scipy(self) -> Any:
        """SciPy's matrix of the same entries."""
        from scipy.sparse import csr_matrix

        return csr_matrix((self.data, self.indices.astype(np.int32), self.indptr.astype(np.int32)), shape=self.shape)

    def __matmul__(self, right: Any) -> Any:
        right = np.asarray(right)
        if right.shape[:1] != self.shape[1:]:
            raise ValueError(f"a matrix of {self.shape[1]} columns cannot multiply one of shape {right.shape}")
        terms = (self.data * right[self.indices].T).T
        if right.ndim == 1 and terms.dtype == np.float64:
            return np.bincount(self.rows, terms, minlength=self.shape[0])
        out = np.zeros((self.shape[0], *right.shape[1:]), terms.dtype)
        np.add.at(out, self.rows, terms)
        return out

    def __rmatmul__(self, left: Any) -> Any:
        return (self.T @ np.asarray(left).T).T

    def __array_ufunc__(self, function: Any, method: str, *operands: Any) -> Any:
        """What NumPy does with a sparse matrix: ``array @ S`` and ``numpy.abs(S)``."""
        if function is np.matmul and method == "__call__" and operands[1] is self:
            return self.__rmatmul__(operands[0])
        if function is np.absolute and method == "__call__":
            return abs(self)
        return NotImplemented

    def __abs__(self) -> Sparse:
        return Sparse(np.abs(self.data), self.indices, self.indptr, self.shape)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple):
            rows, columns = key
            if isinstance(rows, (int, np.integer)) and isinstance(columns, (int, np.integer)):
                return float(self[rows].toarray()[0, columns])
            return self[rows].T[columns].T
        number = np.arange(self.shape[0])[key]
        wanted = np.atleast_1d(number)
        size = self.indptr[wanted + 1] - self.indptr[wanted]
        pointers = np.concatenate([[0], np.cumsum(size)]).astype(np.int64)
        entries = np.repeat(self.indptr[wanted] - pointers[:-1], size) + np.arange(pointers[-1])
        return Sparse(self.data[entries], self.indices[entries], pointers, (len(wanted), self.shape[1]))

    def toarray(self) -> Float:
        """The matrix with all its zeros."""
        out = np.zeros(self.shape)
        out[self.rows, self.indices] = self.data
        return out

    def diagonal(self) -> Float:
        """The entries with equal row and column."""
        out = np.zeros(min(self.shape))
        own = self.rows == self.indices
        out[self.indices[own]] = self.data[own]
        return out

    def __repr__(self) -> str:
        return f"<sparse {self.shape[0]} x {self.shape[1]}, {len(self.data)} entries>"


def groups(linked: Any) -> tuple[int, Whole]:
    """Number of the parts that links join, and the part of every member; ``linked``: a square matrix, dense or sparse."""
    pairs = zip(linked.rows, linked.indices, strict=True) if isinstance(linked, Sparse) else np.argwhere(linked)
    parent = list(range(linked.shape[0]))

    def head(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for i, j in pairs:
        a, b = head(int(i)), head(int(j))
        parent[max(a, b)] = min(a, b)  # the first member leads, so that parts are numbered in its order
    heads = [head(i) for i in range(len(parent))]
    number = {h: k for k, h in enumerate(sorted(set(heads)))}
    return len(number), np.array([number[h] for h in heads], np.int64)
