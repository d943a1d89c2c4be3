"""Lines of a matrix eight at a time, times a vector: what a tile of :mod:`gearwright.solve.runge_kutta.tiles` is for.

A column of a tile is one vector register, or two where the processor's are shorter.
"""

from __future__ import annotations

from typing import Any

from .code import counted, instruction, place
from .compiled import intrinsic, ir, types

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
    multiply = instruction(builder, f"llvm.fmuladd.v{WIDE}f64", _numbers(), *[_numbers()] * 3)
    builder.store(builder.call(multiply, [column, _everywhere(builder, value), builder.load(sums)]), sums)


@intrinsic
def motion_tile(typingctx, values, columns, first, last, y, v, base, d, dv):  # type: ignore[no-untyped-def]
    """``d = base + A y, dv = A v`` for the lines of a tile whose entries are ``first`` to ``last``."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        values_, columns_, first_, last_, y_, v_, base_, d_, dv_ = args
        zero, wide = ir.Constant(first_.type, 0), ir.Constant(first_.type, WIDE)
        places, rates = (place(builder, _numbers()) for _ in range(2))
        builder.store(builder.load(_vector(builder, base_, zero), align=8), places)
        builder.store(ir.Constant(_numbers(), [0.0] * WIDE), rates)
        with counted(builder, first_, last_, 1) as entry:
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
        sums = [place(builder, _numbers()) for _ in range(2)]
        builder.store(builder.load(_vector(builder, base_, zero), align=8), sums[0])
        builder.store(ir.Constant(_numbers(), [0.0] * WIDE), sums[1])
        with counted(builder, first_, last_, 2) as entry:
            for kept, here in zip(sums, (entry, builder.add(entry, one)), strict=True):
                at = builder.load(builder.gep(columns_, [here]))
                column = builder.load(_vector(builder, values_, builder.mul(here, wide)), align=8)
                _add_product(context, builder, kept, column, builder.load(builder.gep(f_, [at])))
        total = builder.fadd(builder.load(sums[0]), builder.load(sums[1]))
        builder.store(total, _vector(builder, out_, zero), align=8)
        return context.get_dummy_value()

    word, real = types.int64, types.CPointer(types.float64)
    return types.void(real, types.CPointer(word), word, word, real, real, real), codegen
