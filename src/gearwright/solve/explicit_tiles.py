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

from gearwright.system.compiled import Late, intrinsic, ir, types

cgutils: Any = Late("numba.core.cgutils")

#: lines of a tile
WIDE = 8


def _numbers() -> Any:
    """Type of a column of a tile."""
    return ir.VectorType(ir.DoubleType(), WIDE)


def _vector(builder: Any, pointer: Any, offset: Any) -> Any:
    """Address of the numbers of a column that begin at an offset."""
    return builder.bitcast(builder.gep(pointer, [offset]), _numbers().as_pointer())


def _everywhere(builder: Any, value: Any) -> Any:
    """One number in all places of a column."""
    lane = builder.insert_element(ir.Constant(_numbers(), ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), WIDE), [0] * WIDE)
    return builder.shuffle_vector(lane, ir.Constant(_numbers(), ir.Undefined), zeros)


def _add_product(context: Any, builder: Any, sums: Any, column: Any, value: Any) -> None:
    """``sums += column * value`` in the place where the sums are kept."""
    kind = ir.FunctionType(_numbers(), [_numbers()] * 3)
    multiply = cgutils.get_or_insert_function(builder.module, kind, f"llvm.fmuladd.v{WIDE}f64")
    builder.store(builder.call(multiply, [column, _everywhere(builder, value), builder.load(sums)]), sums)


@intrinsic
def motion_tile(typingctx, values, columns, first, last, y, v, base, d, dv):  # type: ignore[no-untyped-def]
    """``d = base + A y, dv = A v`` for the lines of a tile whose entries are ``first`` to ``last``."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        values_, columns_, first_, last_, y_, v_, base_, d_, dv_ = args
        zero, wide = ir.Constant(first_.type, 0), ir.Constant(first_.type, WIDE)
        places, rates = (cgutils.alloca_once(builder, _numbers()) for _ in range(2))
        builder.store(builder.load(_vector(builder, base_, zero), align=8), places)
        builder.store(ir.Constant(_numbers(), [0.0] * WIDE), rates)
        with cgutils.for_range_slice(builder, first_, last_, ir.Constant(first_.type, 1)) as (entry, _):
            at = builder.load(builder.gep(columns_, [entry]))
            column = builder.load(_vector(builder, values_, builder.mul(entry, wide)), align=8)
            _add_product(context, builder, places, column, builder.load(builder.gep(y_, [at])))
            _add_product(context, builder, rates, column, builder.load(builder.gep(v_, [at])))
        builder.store(builder.load(places), _vector(builder, d_, zero), align=8)
        builder.store(builder.load(rates), _vector(builder, dv_, zero), align=8)
        return context.get_dummy_value()

    word, real = types.int64, types.CPointer(types.float64)
    return types.void(real, types.CPointer(word), word, word, real, real, real, real, real), codegen


@intrinsic
def force_tile(typingctx, values, columns, first, last, f, base, out):  # type: ignore[no-untyped-def]
    """``out = base + A f`` for the lines of a tile whose entries are ``first`` to ``last``, an even number of them."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        values_, columns_, first_, last_, f_, base_, out_ = args
        zero, one, wide = (ir.Constant(first_.type, i) for i in (0, 1, WIDE))
        sums = [cgutils.alloca_once(builder, _numbers()) for _ in range(2)]
        builder.store(builder.load(_vector(builder, base_, zero), align=8), sums[0])
        builder.store(ir.Constant(_numbers(), [0.0] * WIDE), sums[1])
        with cgutils.for_range_slice(builder, first_, last_, ir.Constant(first_.type, 2)) as (entry, _):
            for kept, place in zip(sums, (entry, builder.add(entry, one)), strict=True):
                at = builder.load(builder.gep(columns_, [place]))
                column = builder.load(_vector(builder, values_, builder.mul(place, wide)), align=8)
                _add_product(context, builder, kept, column, builder.load(builder.gep(f_, [at])))
        total = builder.fadd(builder.load(sums[0]), builder.load(sums[1]))
        builder.store(total, _vector(builder, out_, zero), align=8)
        return context.get_dummy_value()

    word, real = types.int64, types.CPointer(types.float64)
    return types.void(real, types.CPointer(word), word, word, real, real, real), codegen


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
