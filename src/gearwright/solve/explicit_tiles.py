"""Products of sparse matrices and vectors, four lines at a time: the rows and the accelerations of the explicit engine.

A tile is four lines of a matrix with the union of their columns; a column of a tile is one vector register. A line for
itself costs more in loops of changing length and in look-ups of places than in arithmetic; lines that follow each other
belong to the same element and share most of their columns. Tiles of equal length follow each other, so that loops end
when they are expected to.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.system.compiled import Late, intrinsic, ir, types

cgutils: Any = Late("numba.core.cgutils")


def _four_numbers() -> Any:
    """Type of a vector register."""
    return ir.VectorType(ir.DoubleType(), 4)


def _vector(builder: Any, pointer: Any, offset: Any) -> Any:
    """Address of four numbers that begin at an offset."""
    return builder.bitcast(builder.gep(pointer, [offset]), _four_numbers().as_pointer())


def _four(builder: Any, value: Any) -> Any:
    """One number in all four places."""
    lane = builder.insert_element(ir.Constant(_four_numbers(), ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), 4), [0] * 4)
    return builder.shuffle_vector(lane, ir.Constant(_four_numbers(), ir.Undefined), zeros)


def _add_product(context: Any, builder: Any, sums: Any, column: Any, value: Any) -> None:
    """``sums += column * value`` in the place where the sums are kept."""
    kind = ir.FunctionType(_four_numbers(), [_four_numbers()] * 3)
    multiply = cgutils.get_or_insert_function(builder.module, kind, "llvm.fmuladd.v4f64")
    builder.store(builder.call(multiply, [column, _four(builder, value), builder.load(sums)]), sums)


@intrinsic
def motion_tile(typingctx, values, columns, first, last, y, v, base, d, dv):  # type: ignore[no-untyped-def]
    """``d = base + A y, dv = A v`` for four lines whose entries are ``first`` to ``last``."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        values_, columns_, first_, last_, y_, v_, base_, d_, dv_ = args
        zero, four = ir.Constant(first_.type, 0), ir.Constant(first_.type, 4)
        places, rates = (cgutils.alloca_once(builder, _four_numbers()) for _ in range(2))
        builder.store(builder.load(_vector(builder, base_, zero), align=8), places)
        builder.store(ir.Constant(_four_numbers(), [0.0] * 4), rates)
        with cgutils.for_range_slice(builder, first_, last_, ir.Constant(first_.type, 1)) as (entry, _):
            at = builder.load(builder.gep(columns_, [entry]))
            column = builder.load(_vector(builder, values_, builder.mul(entry, four)), align=8)
            _add_product(context, builder, places, column, builder.load(builder.gep(y_, [at])))
            _add_product(context, builder, rates, column, builder.load(builder.gep(v_, [at])))
        builder.store(builder.load(places), _vector(builder, d_, zero), align=8)
        builder.store(builder.load(rates), _vector(builder, dv_, zero), align=8)
        return context.get_dummy_value()

    word, real = types.int64, types.CPointer(types.float64)
    return types.void(real, types.CPointer(word), word, word, real, real, real, real, real), codegen


@intrinsic
def force_tile(typingctx, values, columns, first, last, f, base, out):  # type: ignore[no-untyped-def]
    """``out = base + A f`` for four lines whose entries are ``first`` to ``last``, an even number of them."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        values_, columns_, first_, last_, f_, base_, out_ = args
        zero, one, four = (ir.Constant(first_.type, i) for i in (0, 1, 4))
        sums = [cgutils.alloca_once(builder, _four_numbers()) for _ in range(2)]
        builder.store(builder.load(_vector(builder, base_, zero), align=8), sums[0])
        builder.store(ir.Constant(_four_numbers(), [0.0] * 4), sums[1])
        with cgutils.for_range_slice(builder, first_, last_, ir.Constant(first_.type, 2)) as (entry, _):
            for kept, place in zip(sums, (entry, builder.add(entry, one)), strict=True):
                at = builder.load(builder.gep(columns_, [place]))
                column = builder.load(_vector(builder, values_, builder.mul(place, four)), align=8)
                _add_product(context, builder, kept, column, builder.load(builder.gep(f_, [at])))
        total = builder.fadd(builder.load(sums[0]), builder.load(sums[1]))
        builder.store(total, _vector(builder, out_, zero), align=8)
        return context.get_dummy_value()

    word, real = types.int64, types.CPointer(types.float64)
    return types.void(real, types.CPointer(word), word, word, real, real, real), codegen


def tiles(matrix: Any, even: bool) -> dict[str, NDArray[Any]]:
    """Tiles of the lines of a sparse matrix (CSR, without explicit zeros), the last one filled up with zero lines.

    Returns ``order`` of the tiles by length, ``sizes`` (length, number of tiles) of every group, ``columns`` and
    ``values`` (entries, 4) in that order. With ``even`` every tile has an even number of entries.
    """
    lines = matrix.shape[0]
    found = []
    for first in range(0, lines, 4):
        part = matrix[first : min(first + 4, lines)].toarray()
        columns = np.flatnonzero(part.any(axis=0))
        block = np.zeros((len(columns), 4))
        block[:, : len(part)] = part[:, columns].T
        if even and len(columns) % 2:
            # a coefficient of nothing must meet a number that the tile has anyway: another may be not-a-number
            columns, block = np.append(columns, columns[0]), np.vstack([block, np.zeros(4)])
        found.append((columns, block))
    length = np.array([len(columns) for columns, _ in found], np.int64)
    order = np.argsort(length, kind="stable")
    sizes, counts = np.unique(length, return_counts=True)
    return {
        "order": order,
        "sizes": np.column_stack([sizes, counts]),
        "columns": np.concatenate([found[i][0] for i in order] or [np.zeros(0)]).astype(np.int64),
        "values": np.concatenate([found[i][1] for i in order] or [np.zeros((0, 4))]),
    }


def alike(matrix: Any) -> NDArray[np.int64]:
    """Order of the lines of a sparse matrix in which fours have many columns in common."""
    pattern = matrix.toarray() != 0.0
    left = list(np.argsort(-pattern.sum(axis=1), kind="stable"))
    order: list[int] = []
    while left:
        union = pattern[left[0]].copy()
        group = [left.pop(0)]
        while left and len(group) < 4:
            more = [int((pattern[i] & ~union).sum()) for i in left]
            best = int(np.argmin(more))
            union |= pattern[left[best]]
            group.append(left.pop(best))
        order += group
    return np.array(order, np.int64)
