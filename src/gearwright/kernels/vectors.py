"""Loops over vectors of numbers that the compiler does not find by itself, written in its intermediate code.

Vectors are as long as is handy; the compiler makes of them as many instructions as the processor at hand needs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import native
from .compiled import hot, intrinsic, ir, kernel, types

#: columns of a tile: samples that are formed side by side, of one channel or some; a multiple of eight
WIDTH = 40
#: most rows of a tile
MOST = 4
#: rows of samples that :func:`weighted` sums at a time, and what the number of their weights is a multiple of
ROWS, TAPS = 4, 16
#: numbers that :func:`extremes` compares at a time: four vectors of eight
STRIDE = 32


def _data(context: Any, builder: Any, sig: Any, args: Any, i: int) -> Any:
    """Address of the first number of an array among the arguments."""
    if sig.args[i].layout != "C":
        raise TypeError("vectors are read from arrays whose numbers lie side by side")
    return context.make_array(sig.args[i])(context, builder, args[i]).data


def _load(builder: Any, pointer: Any, length: int) -> Any:
    vector = ir.VectorType(ir.DoubleType(), length)
    return builder.load(builder.bitcast(pointer, vector.as_pointer()), align=8)


def _spread(builder: Any, number: Any, length: int) -> Any:
    """A vector of equal numbers."""
    vector = ir.VectorType(number.type, length)
    nothing = ir.Constant(vector, ir.Undefined)
    first = builder.insert_element(nothing, number, ir.IntType(32)(0))
    return builder.shuffle_vector(first, nothing, ir.Constant(ir.VectorType(ir.IntType(32), length), None))


class _Loop:
    """A loop that counts from zero in steps while below ``stop`` and carries vectors; at least one round."""

    def __init__(self, builder: Any, step: int, stop: Any, start: list[Any]):
        self.builder, self.step, self.stop = builder, step, stop
        before, self.block = builder.block, builder.append_basic_block("vectors")
        builder.branch(self.block)
        builder.position_at_end(self.block)
        self.index = builder.phi(ir.IntType(64))
        self.index.add_incoming(ir.IntType(64)(0), before)
        self.carried = [builder.phi(value.type) for value in start]
        for phi, value in zip(self.carried, start, strict=True):
            phi.add_incoming(value, before)

    def close(self, values: list[Any]) -> None:
        """End of a round, with what is carried to the next; the code that follows comes after the loop."""
        builder = self.builder
        following = builder.add(self.index, ir.IntType(64)(self.step))
        self.index.add_incoming(following, self.block)
        for phi, value in zip(self.carried, values, strict=True):
            phi.add_incoming(value, self.block)
        done = builder.append_basic_block("vectors_done")
        builder.cbranch(builder.icmp_signed("<", following, self.stop), self.block, done)
        builder.position_at_end(done)


# --- products of matrices --------------------------------------------------------------------------------


def _rows() -> int:
    """Rows of a tile: as many as the registers hold sums of, beside a row of the right and a number of the left."""
    return MOST if "+avx512f" in native.processor()[1] else 1


@intrinsic
def _tile_rows(typingctx):  # type: ignore[no-untyped-def]
    """Number of rows of a tile on this processor."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return ir.IntType(64)(_rows())

    return types.int64(), codegen


@intrinsic
def _tile(typingctx, left, begin, stride, right, at, inner, out):  # type: ignore[no-untyped-def]
    """Rows of ``left`` from entry ``begin`` on, ``stride`` apart, times ``right[at:]`` (inner, WIDTH), into ``out``."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        word, parts = ir.IntType(64), range(0, WIDTH, 8)
        first = builder.gep(_data(context, builder, sig, args, 0), [args[1]])
        lines = [builder.gep(first, [builder.mul(args[2], word(r))]) for r in range(_rows())]
        row = builder.gep(_data(context, builder, sig, args, 3), [args[4]])
        room = _data(context, builder, sig, args, 6)
        nothing = ir.Constant(ir.VectorType(ir.DoubleType(), 8), None)
        loop = _Loop(builder, 1, args[5], [nothing] * (len(lines) * len(parts)))
        here = builder.gep(row, [builder.mul(loop.index, word(WIDTH))])
        b = [_load(builder, builder.gep(here, [word(p)]), 8) for p in parts]
        sums: list[Any] = []
        for line in lines:
            a = _spread(builder, builder.load(builder.gep(line, [loop.index])), 8)
            for one in b:
                total = loop.carried[len(sums)]
                sums.append(builder.fadd(total, builder.fmul(a, one, flags=("contract",)), flags=("contract",)))
        loop.close(sums)
        for k, total in enumerate(sums):
            builder.store(total, builder.bitcast(builder.gep(room, [word(8 * k)]), total.type.as_pointer()), align=8)
        return context.get_dummy_value()

    whole = types.int64
    return types.void(left, whole, whole, right, whole, whole, out), codegen


@intrinsic
def _move(typingctx, source, i, target, j):  # type: ignore[no-untyped-def]
    """Copy eight numbers."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        value = _load(builder, builder.gep(_data(context, builder, sig, args, 0), [args[1]]), 8)
        place = builder.gep(_data(context, builder, sig, args, 2), [args[3]])
        builder.store(value, builder.bitcast(place, value.type.as_pointer()), align=8)
        return context.get_dummy_value()

    return types.void(source, types.int64, target, types.int64), codegen


@hot
def _copy(source, i, target, j, count):  # type: ignore[no-untyped-def]
    """Copy a short stretch: in eights, of which the last may overlap the one before."""
    if count < 8:
        for k in range(count):
            target[j + k] = source[i + k]
        return
    for k in range(0, count - 8, 8):
        _move(source, i + k, target, j + k)
    _move(source, i + count - 8, target, j + count - 8)


def tiles(right: Any) -> Any:
    """Matrices (channels, inner, length) for :func:`multiply_out`: as many side by side as fit in a tile, rest zero."""
    channels, inner, length = right.shape
    each = WIDTH // length
    number = -(-channels // each)
    made = np.zeros((number * each, inner, length))
    made[:channels] = right
    out = np.zeros((number, inner, WIDTH))
    side_by_side = made.reshape(number, each, inner, length).transpose(0, 2, 1, 3)
    out[:, :, : each * length] = side_by_side.reshape(number, inner, each * length)
    return out


@kernel
def multiply_out(left, stride, right, where, first, length, room, columns):  # type: ignore[no-untyped-def]
    """Row b of ``left`` times the matrix of channel c, for all b and c, into ``columns[c]`` from ``first + where[b, 0]`` on.

    The linear-algebra library packs its matrices first and leaves the product in a matrix of its own, which has to be
    taken apart; for some hundred rows that costs as much as the product.

    Parameters
    ----------
    left : rows one after the other, ``stride`` apart, of which the first numbers are used; memory of MOST more follows
        the last
    right : :func:`tiles` of the matrices, ``length`` columns each
    where : (rows, 2) first sample and number of samples, ``length`` at most
    room : workspace, MOST * WIDTH
    columns : (channels, samples)
    """
    rows, inner, each = _tile_rows(), right.shape[1], WIDTH // length
    for t in range(len(right)):
        channels = min(each, len(columns) - t * each)
        for b in range(0, len(where), rows):
            _tile(left, b * stride, stride, right, t * inner * WIDTH, inner, room)
            for r in range(min(rows, len(where) - b)):
                begin, count = first + where[b + r, 0], where[b + r, 1]
                for c in range(channels):
                    _copy(room, WIDTH * r + length * c, columns[t * each + c], begin, count)


@kernel
def hold(values, each, columns):  # type: ignore[no-untyped-def]
    """``values`` (rows, channels), every one ``each`` times, into ``columns`` (channels, rows each)."""
    for c in range(len(columns)):
        for b in range(len(values)):
            for i in range(each):
                columns[c, b * each + i] = values[b, c]


@intrinsic
def weighted(typingctx, weights, x, at, step):  # type: ignore[no-untyped-def]
    """ROWS weighted sums of the numbers of ``x`` from ``at`` on, every one begun ``step`` later than the one before.

    The number of weights is a multiple of TAPS.
    """

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        word, half = ir.IntType(64), TAPS // 2
        weight = _data(context, builder, sig, args, 0)
        number = context.make_array(sig.args[0])(context, builder, args[0]).nitems
        first = builder.gep(_data(context, builder, sig, args, 1), [args[2]])
        lines = [builder.gep(first, [builder.mul(args[3], word(r))]) for r in range(ROWS)]
        nothing = ir.Constant(ir.VectorType(ir.DoubleType(), half), None)
        loop = _Loop(builder, TAPS, number, [nothing] * (2 * ROWS))
        sums: list[Any] = []
        for part in (0, half):
            place = builder.add(loop.index, word(part))
            w = _load(builder, builder.gep(weight, [place]), half)
            for line, total in zip(lines, loop.carried[len(sums) :], strict=False):
                x = _load(builder, builder.gep(line, [place]), half)
                sums.append(builder.fadd(total, builder.fmul(w, x, flags=("contract",)), flags=("contract",)))
        loop.close(sums)
        return context.make_tuple(
            builder, sig.return_type, [_total(builder, builder.fadd(sums[r], sums[ROWS + r])) for r in range(ROWS)]
        )

    return types.UniTuple(types.float64, ROWS)(weights, x, types.int64, types.int64), codegen


def _total(builder: Any, vector: Any) -> Any:
    """Sum of the numbers of a vector, in pairs of halves."""
    length = vector.type.count
    while length > 1:
        length //= 2
        nothing = ir.Constant(vector.type, ir.Undefined)
        kind = ir.VectorType(ir.IntType(32), length)
        low, high = (ir.Constant(kind, list(range(begin, begin + length))) for begin in (0, length))
        vector = builder.fadd(
            builder.shuffle_vector(vector, nothing, low), builder.shuffle_vector(vector, nothing, high)
        )
    return builder.extract_element(vector, ir.IntType(32)(0))


# --- comparisons -----------------------------------------------------------------------------------------


@intrinsic
def _extremes(typingctx, x, stop):  # type: ignore[no-untyped-def]
    """Least and greatest of the first ``stop`` numbers, a multiple of STRIDE and not zero."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        x = _data(context, builder, sig, args, 0)
        parts = range(0, STRIDE, 8)
        start = [_load(builder, builder.gep(x, [ir.IntType(64)(i)]), 8) for i in parts]
        loop = _Loop(builder, STRIDE, args[1], start * 2)
        here = [_load(builder, builder.gep(x, [builder.add(loop.index, ir.IntType(64)(i))]), 8) for i in parts]

        def better(sign: str, a: Any, b: Any) -> Any:
            return builder.select(builder.fcmp_ordered(sign, a, b), a, b)

        low = [better("<", new, old) for new, old in zip(here, loop.carried[:4], strict=True)]
        high = [better(">", new, old) for new, old in zip(here, loop.carried[4:], strict=True)]
        loop.close(low + high)
        found = []
        for sign, vectors in (("<", low), (">", high)):
            vector = vectors[0]
            for other in vectors[1:]:
                vector = better(sign, other, vector)
            lanes = [builder.extract_element(vector, ir.IntType(32)(i)) for i in range(8)]
            while len(lanes) > 1:
                lanes = [better(sign, a, b) for a, b in zip(lanes[::2], lanes[1::2], strict=True)]
            found.append(lanes[0])
        return context.make_tuple(builder, sig.return_type, found)

    return types.UniTuple(types.float64, 2)(x, types.int64), codegen


@hot
def extremes(x):  # type: ignore[no-untyped-def]
    """Least and greatest value of a contiguous array; numbers only."""
    whole = len(x) // STRIDE * STRIDE
    least = most = x[0]
    if whole > 0:
        least, most = _extremes(x, whole)
    for i in range(whole, len(x)):
        least = x[i] if x[i] < least else least
        most = x[i] if x[i] > most else most
    return least, most


@intrinsic
def above(typingctx, x, a, b):  # type: ignore[no-untyped-def]
    """Word whose bit k, from the lowest, says whether ``x[a + k] > x[b + k]``: of 64 numbers of a contiguous array."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        x = _data(context, builder, sig, args, 0)
        one, two = (_load(builder, builder.gep(x, [place]), 64) for place in args[1:])
        return builder.bitcast(builder.fcmp_ordered(">", one, two), ir.IntType(64))

    return types.int64(x, types.int64, types.int64), codegen


@intrinsic
def lowest(typingctx, word):  # type: ignore[no-untyped-def]
    """Number of the lowest bit of a word that is set; the word is not zero."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.IntType(1)(1))

    return types.int64(types.int64), codegen
