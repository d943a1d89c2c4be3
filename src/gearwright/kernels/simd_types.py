"""Eight numbers at once as a type of compiled functions: what numba has to know of :mod:`.simd`."""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, lower_cast, models, register_model, type_callable

_REAL, _WORD, _TRUTH = (ir.VectorType(kind, 8) for kind in (ir.DoubleType(), ir.IntType(64), ir.IntType(1)))

#: multiply and add may be one instruction, as in :func:`gearwright.kernels.fused`
FUSED = ("contract",)


class Eight(types.Type):
    """Eight double precision numbers in one register."""


class Truths(types.Type):
    """Eight truth values."""


class Rows(types.Type):
    """Pointer to rows of eight numbers each."""


EIGHT, TRUTHS, ROWS = Eight("eight"), Truths("truths"), Rows("rows")


def _model(kind: Any, value: Any) -> None:
    @register_model(kind)
    class _Model(models.PrimitiveModel):  # type: ignore[name-defined,misc]
        def __init__(self, manager: Any, fe_type: Any):
            super().__init__(manager, fe_type, value)


_model(Eight, _REAL)
_model(Truths, _TRUTH)
_model(Rows, ir.DoubleType().as_pointer())


def everywhere(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """A number in all eight places; eight numbers as they are."""
    if kind == EIGHT:
        return value
    value = context.cast(builder, value, kind, types.float64)
    lane = builder.insert_element(ir.Constant(_REAL, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), 8), [0] * 8)
    return builder.shuffle_vector(lane, ir.Constant(_REAL, ir.Undefined), zeros)


@lower_cast(types.Number, Eight)  # type: ignore[untyped-decorator]
def _spread(context: Any, builder: Any, given: Any, wanted: Any, value: Any) -> Any:
    return everywhere(context, builder, given, value)


def _two(operation: Any, result: Any, make: Any) -> None:
    """An operation on eight numbers and eight others, or one for all."""

    @type_callable(operation)  # type: ignore[untyped-decorator]
    def _typing(context: Any) -> Any:
        def typer(one: Any, other: Any) -> Any:
            args = one, other
            if EIGHT in args and all(a == EIGHT or isinstance(a, types.Number) for a in args):
                return result(*(types.unliteral(a) for a in args))
            return None

        return typer

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        one, two = (everywhere(context, builder, t, a) for t, a in zip(sig.args, args, strict=True))
        return make(builder, one, two)

    for first, second in ((Eight, Eight), (Eight, types.Number), (types.Number, Eight)):
        lower_builtin(operation, first, second)(lower)


for _names, _make in (
    ((operator.add, operator.iadd), lambda b, x, y: b.fadd(x, y, flags=FUSED)),
    ((operator.sub, operator.isub), lambda b, x, y: b.fsub(x, y, flags=FUSED)),
    ((operator.mul, operator.imul), lambda b, x, y: b.fmul(x, y, flags=FUSED)),
    ((operator.truediv, operator.itruediv), lambda b, x, y: b.fdiv(x, y)),
):
    for _name in _names:
        _two(_name, EIGHT, _make)
for _name, _sign in ((operator.lt, "<"), (operator.le, "<="), (operator.gt, ">"), (operator.ge, ">=")):
    _two(_name, TRUTHS, lambda b, x, y, sign=_sign: b.fcmp_ordered(sign, x, y))


def _truths(operation: Any, count: int, make: Any) -> None:
    @type_callable(operation)  # type: ignore[untyped-decorator]
    def _typing(context: Any) -> Any:
        def two(one: Any, other: Any) -> Any:
            return TRUTHS if one == other == TRUTHS else None

        return two if count == 2 else lambda one: TRUTHS if one == TRUTHS else None

    lower_builtin(operation, *[Truths] * count)(lambda context, builder, sig, args: make(builder, *args))


_truths(operator.and_, 2, lambda b, x, y: b.and_(x, y))
for _name in (operator.or_, operator.ior):
    _truths(_name, 2, lambda b, x, y: b.or_(x, y))
_truths(operator.invert, 1, lambda b, x: b.not_(x))


@type_callable(operator.neg)  # type: ignore[untyped-decorator]
def _negative_type(context: Any) -> Any:
    return lambda one: EIGHT if one == EIGHT else None


@lower_builtin(operator.neg, Eight)  # type: ignore[untyped-decorator]
def _negative(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.fneg(args[0])


@type_callable(operator.getitem)  # type: ignore[untyped-decorator]
def _item_type(context: Any) -> Any:
    def typer(table: Any, line: Any) -> Any:
        return EIGHT(ROWS, types.int64) if table == ROWS and isinstance(line, types.Integer) else None

    return typer


@lower_builtin(operator.getitem, Rows, types.int64)  # type: ignore[untyped-decorator]
def _item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    place = builder.gep(args[0], [builder.mul(args[1], ir.Constant(ir.IntType(64), 8))])
    return builder.load(builder.bitcast(place, _REAL.as_pointer()), align=8)
