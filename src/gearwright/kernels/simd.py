"""Eight numbers at once: how a law that a system has many times over is evaluated for eight of its blocks together.

In a compiled function ``rows(p)`` is a table of eight columns, ``rows(p)[i]`` its line ``i``; lines add, multiply and
compare like numbers, so that a formula written for one block serves eight. What differs from block to block is not
branched on but chosen: ``choose(where, a, b)``.
"""

from __future__ import annotations

from typing import Any

from .code import instruction
from .compiled import Late, hot, intrinsic, ir, types
from .pointers import always_inline

_KNOWN: Any = Late("gearwright.kernels.simd_types")
_WIDE = 8


def _reals(count: int = _WIDE) -> Any:
    return ir.VectorType(ir.DoubleType(), count)


def _pattern(places: Any) -> Any:
    places = list(places)
    return ir.Constant(ir.VectorType(ir.IntType(32), len(places)), places)


def _load(builder: Any, pointer: Any, offset: Any, count: int) -> Any:
    return builder.load(builder.bitcast(builder.gep(pointer, [offset]), _reals(count).as_pointer()), align=8)


def _called(builder: Any, name: str, kind: Any, *arguments: Any) -> Any:
    """Call an instruction of the compiler by its name."""
    return builder.call(instruction(builder, name, kind, *(a.type for a in arguments)), arguments)


@intrinsic
def rows(typingctx, pointer):  # type: ignore[no-untyped-def]
    """A pointer as a table of eight columns."""
    return _KNOWN.ROWS(pointer), lambda context, builder, sig, args: args[0]


@intrinsic
def put(typingctx, pointer, line, values):  # type: ignore[no-untyped-def]
    """Write line number ``line`` of a table of eight columns."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        at = builder.gep(args[0], [builder.mul(args[1], ir.Constant(ir.IntType(64), _WIDE))])
        builder.store(args[2], builder.bitcast(at, _reals().as_pointer()), align=8)
        return context.get_dummy_value()

    return types.void(pointer, types.int64, _KNOWN.EIGHT), codegen


@intrinsic
def choose(typingctx, where, one, other):  # type: ignore[no-untyped-def]
    """``one`` where it is true, else ``other``; each of the three may be one value for all."""
    eight = _KNOWN.EIGHT

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        spread = [_KNOWN.everywhere(context, builder, t, a) for t, a in zip(sig.args[1:], args[1:], strict=True)]
        return builder.select(args[0], *spread)

    return eight(types.unliteral(where), types.unliteral(one), types.unliteral(other)), codegen


@intrinsic
def bits(typingctx, where):  # type: ignore[no-untyped-def]
    """Truth values as the bits of a number."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.zext(builder.bitcast(args[0], ir.IntType(_WIDE)), ir.IntType(64))

    return types.int64(_KNOWN.TRUTHS), codegen


def _one_argument(name: str) -> Any:
    def definition(typingctx, x):  # type: ignore[no-untyped-def]
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return _called(builder, f"llvm.{name}.v8f64", _reals(), args[0])

        return _KNOWN.EIGHT(_KNOWN.EIGHT), codegen

    return definition


#: largest whole number that is not above; square root; magnitude
whole, root, size = (intrinsic(_one_argument(name)) for name in ("floor", "sqrt", "fabs"))


def _halving(join: Any) -> Any:
    def definition(typingctx, x):  # type: ignore[no-untyped-def]
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            value = args[0]
            for half in (4, 2, 1):
                nothing = ir.Constant(value.type, ir.Undefined)
                low = builder.shuffle_vector(value, nothing, _pattern(range(half)))
                high = builder.shuffle_vector(value, nothing, _pattern(range(half, 2 * half)))
                value = join(builder, low, high)
            return builder.extract_element(value, ir.Constant(ir.IntType(32), 0))

        return types.float64(_KNOWN.EIGHT), codegen

    return definition


#: the smallest, the largest and the sum of eight numbers
least = intrinsic(_halving(lambda b, x, y: b.select(b.fcmp_ordered("<", y, x), y, x)))
largest = intrinsic(_halving(lambda b, x, y: b.select(b.fcmp_ordered(">", y, x), y, x)))
added = intrinsic(_halving(lambda b, x, y: b.fadd(x, y)))


@hot
def within(x, cells):  # type: ignore[no-untyped-def]
    """:func:`gearwright.kernels.places.within_cells` of eight numbers."""
    always_inline()
    last = cells - 1.0
    x = choose(x > 0.0, x, 0.0)
    return choose(x < last, x, last)


@intrinsic
def numbers(typingctx):  # type: ignore[no-untyped-def]
    """The numbers 0 to 7."""
    return _KNOWN.EIGHT(), lambda context, builder, sig, args: ir.Constant(_reals(), [float(i) for i in range(_WIDE)])


def _turned(builder: Any, lines: list[Any]) -> list[Any]:
    """Eight lines of eight numbers as the columns that they make."""
    for span in (4, 2, 1):
        made: list[Any] = [None] * _WIDE
        low = [i if i & span == 0 else i - span + _WIDE for i in range(_WIDE)]
        high = [i + span if i & span == 0 else i + _WIDE for i in range(_WIDE)]
        for i in range(_WIDE):
            if i & span == 0:
                made[i] = builder.shuffle_vector(lines[i], lines[i + span], _pattern(low))
                made[i + span] = builder.shuffle_vector(lines[i], lines[i + span], _pattern(high))
        lines = made
    return lines


@intrinsic
def read_anew(typingctx):  # type: ignore[no-untyped-def]
    """What was read from memory is read again when it is used again: in a loop over many parameters, keeping them all would
    only move them from one place of memory to another."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.asm(ir.FunctionType(ir.VoidType(), []), "", "~{memory}", [], True)
        return context.get_dummy_value()

    return types.void(), codegen


@intrinsic
def blocks(typingctx, pointer, places):  # type: ignore[no-untyped-def]
    """Eight blocks of eight numbers that begin at ``places``: all their first numbers, all their second ones, ..."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        lines = []
        for i in range(_WIDE):
            at = builder.load(builder.gep(args[1], [ir.Constant(ir.IntType(64), i)]))
            lines.append(_load(builder, args[0], at, _WIDE))
        return context.make_tuple(builder, sig.return_type, _turned(builder, lines))

    return types.UniTuple(_KNOWN.EIGHT, _WIDE)(pointer, places), codegen


@intrinsic
def put_blocks(typingctx, pointer, places, values):  # type: ignore[no-untyped-def]
    """Write eight blocks of eight numbers, given as :func:`blocks` returns them."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        lines = _turned(builder, [builder.extract_value(args[2], i) for i in range(_WIDE)])
        for i, line in enumerate(lines):
            at = builder.load(builder.gep(args[1], [ir.Constant(ir.IntType(64), i)]))
            builder.store(line, builder.bitcast(builder.gep(args[0], [at]), _reals().as_pointer()), align=8)
        return context.get_dummy_value()

    return types.void(pointer, places, types.UniTuple(_KNOWN.EIGHT, _WIDE)), codegen


@intrinsic
def put_each(typingctx, pointer, places, values):  # type: ignore[no-untyped-def]
    """Write eight numbers, each to its own place."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        for i in range(_WIDE):
            at = builder.load(builder.gep(args[1], [ir.Constant(ir.IntType(64), i)]))
            builder.store(builder.extract_element(args[2], ir.Constant(ir.IntType(32), i)), builder.gep(args[0], [at]))
        return context.get_dummy_value()

    return types.void(pointer, places, _KNOWN.EIGHT), codegen


def _four_columns(builder: Any, fours: list[Any]) -> list[Any]:
    """Eight lines of four numbers as the four columns that they make."""
    pairs = [builder.shuffle_vector(fours[i], fours[i + 4], _pattern(range(_WIDE))) for i in range(4)]
    # each line: four numbers of block i, then of block i + 4
    low = [0, 8, 2, 10, 4, 12, 6, 14]
    high = [1, 9, 3, 11, 5, 13, 7, 15]
    a, b = (builder.shuffle_vector(pairs[0], pairs[1], _pattern(p)) for p in (low, high))
    c, d = (builder.shuffle_vector(pairs[2], pairs[3], _pattern(p)) for p in (low, high))
    front, back = [0, 1, 8, 9, 4, 5, 12, 13], [2, 3, 10, 11, 6, 7, 14, 15]
    return [builder.shuffle_vector(one, other, _pattern(p)) for p in (front, back) for one, other in ((a, c), (b, d))]


def _places(context: Any, builder: Any, places: Any, kind: Any, at: Any) -> list[Any]:
    """Where eight things stand: ``at`` entries, whole numbers within the table, behind the places."""
    words = ir.VectorType(ir.IntType(64), _WIDE)
    found = builder.load(builder.bitcast(places, words.as_pointer()), align=8)
    found = builder.add(found, builder.fptosi(_KNOWN.everywhere(context, builder, kind, at), words))
    return [builder.extract_element(found, ir.Constant(ir.IntType(32), i)) for i in range(_WIDE)]


@intrinsic
def fours(typingctx, pointer, places, at):  # type: ignore[no-untyped-def]
    """Four numbers each, ``at`` entries (:func:`within` the table) behind the places: all their first ones, all their second ones, ..."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        where = _places(context, builder, args[1], sig.args[2], args[2])
        lines = [_load(builder, args[0], place, 4) for place in where]
        return context.make_tuple(builder, sig.return_type, _four_columns(builder, lines))

    return types.UniTuple(_KNOWN.EIGHT, 4)(pointer, places, types.unliteral(at)), codegen


@intrinsic
def mixed(typingctx, pointer, places, at, step, a, b, c):  # type: ignore[no-untyped-def]
    """As :func:`fours` of the sum of three lines ``step`` entries apart, weighted by ``a``, ``b`` and ``c``."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        four, lane = _reals(4), [ir.Constant(ir.IntType(32), i) for i in range(_WIDE)]
        where = _places(context, builder, args[1], sig.args[2], args[2])
        steps = builder.fptosi(args[3], ir.VectorType(ir.IntType(64), _WIDE))
        lines = []
        for i, at in enumerate(where):
            total = ir.Constant(four, [0.0] * 4)
            for weight in args[4:]:
                one = builder.insert_element(total, builder.extract_element(weight, lane[i]), lane[0])
                spread = builder.shuffle_vector(one, one, _pattern([0] * 4))
                total = _called(builder, "llvm.fmuladd.v4f64", four, spread, _load(builder, args[0], at, 4), total)
                at = builder.add(at, builder.extract_element(steps, lane[i]))
            lines.append(total)
        return context.make_tuple(builder, sig.return_type, _four_columns(builder, lines))

    eight = _KNOWN.EIGHT
    return types.UniTuple(eight, 4)(pointer, places, eight, eight, eight, eight, eight), codegen


@intrinsic
def octave_cells(typingctx, table, x, shift, first, count):  # type: ignore[no-untyped-def]
    """Cells of a table by parts of octaves: four coefficients, the distance from the begin of the cell, and the number of
    the cell as a real one (it may lie outside; the coefficients are then those of the nearest cell).

    ``shift`` bits of a number tell its place within a cell, ``first`` is what the others are in cell 0.
    """

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        table_, x_, shift_, first_, count_ = args
        words = ir.VectorType(ir.IntType(64), _WIDE)

        def spread(word: Any) -> Any:
            lane = builder.insert_element(ir.Constant(words, ir.Undefined), word, ir.Constant(ir.IntType(32), 0))
            return builder.shuffle_vector(lane, ir.Constant(words, ir.Undefined), _pattern([0] * _WIDE))

        upper = builder.ashr(builder.bitcast(x_, words), spread(shift_))
        begin = builder.bitcast(builder.shl(upper, spread(shift_)), _reals())
        cell = builder.sub(upper, spread(first_))
        number = builder.sitofp(cell, _reals())
        zero, top = ir.Constant(words, [0] * _WIDE), spread(builder.sub(count_, ir.Constant(ir.IntType(64), 1)))
        cell = builder.select(builder.icmp_signed("<", cell, zero), zero, cell)
        cell = builder.select(builder.icmp_signed(">", cell, top), top, cell)
        fours = []
        for i in range(_WIDE):
            number_i = builder.extract_element(cell, ir.Constant(ir.IntType(32), i))
            fours.append(_load(builder, table_, builder.shl(number_i, ir.Constant(ir.IntType(64), 2)), 4))
        found = _four_columns(builder, fours)
        return context.make_tuple(builder, sig.return_type, [*found, builder.fsub(x_, begin), number])

    word = types.int64
    return types.UniTuple(_KNOWN.EIGHT, 6)(table, _KNOWN.EIGHT, word, word, word), codegen
