"""Pointers for the explicit engine: why its inner functions see addresses instead of arrays.

A compiled function that takes thirty arrays receives seven words for each of them at every call. The right-hand
side of a small drivetrain costs 50 ns, so the call would cost as much as the work. The engine therefore keeps
the addresses of all its arrays in one table of integers and its inner functions take that table; a pointer is
one word, and a part of an array is a pointer moved by some entries. The plan owns the arrays and outlives
every call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gearwright.system.compiled import (
    _FORCE,
    _GEOMETRY,
    _GUARD,
    Compiled,
    caller,
    intrinsic,
    signature,
    types,
)  # fmt: skip

#: ``(H, t, side, y, k, r)``: evaluate derivative and rows
_EVALUATE = signature("nothing(words, real, real, reals, reals, reals)")
#: ``(H, t, h, one, last) -> error``: one step
_STAGES = signature("real(words, real, real, word, word)")

#: ``(places, states, t, d, dv, p, f, zd, reports) -> blocks left``: see :func:`together`
_TOGETHER = signature("word(words, words, real, reals, reals, reals, reals, reals, word)")
#: ``(places, least, d, dv, p) -> time``
_FORESEER = signature("real(words, real, reals, reals, reals)")


def evaluator(function: Callable[..., Any]) -> Compiled:
    """A right-hand side that the loop calls by address: compiled on its own, never inlined."""
    return Compiled(function, _EVALUATE)


def stepper(function: Callable[..., Any]) -> Compiled:
    """A step of the method that the loop calls by address."""
    return Compiled(function, _STAGES)


def together(function: Callable[..., Any]) -> Compiled:
    """A law for eight of its blocks at once: ``(places, states, t, d, dv, p, f, zd, reports) -> blocks left``.

    ``places`` and ``states`` hold the first row and first state of each block, ``p`` its parameters in columns; ``d, dv, f,
    zd`` belong to the whole system. Rows that only report are written where ``reports`` is not zero. Blocks whose bits are
    set in what it returns are left to the force of the law itself.
    """
    return Compiled(function, _TOGETHER)


def foreseer(function: Callable[..., Any]) -> Compiled:
    """``Law.ahead`` for eight blocks at once: ``(places, least, d, dv, p) -> time`` to the first bend of them all."""
    return Compiled(function, _FORESEER)


def _as_pointer(target: Any) -> Any:
    signature = target(types.int64)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(target))

    return signature, codegen


@intrinsic
def f8(typingctx, address):  # type: ignore[no-untyped-def]
    """Pointer to double precision numbers at an address."""
    return _as_pointer(types.CPointer(types.float64))


@intrinsic
def i8(typingctx, address):  # type: ignore[no-untyped-def]
    """Pointer to 64-bit integers at an address."""
    return _as_pointer(types.CPointer(types.int64))


@intrinsic
def shift(typingctx, pointer, entries):  # type: ignore[no-untyped-def]
    """The pointer moved by a number of entries."""
    signature = pointer(pointer, entries)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        offset = context.cast(builder, args[1], sig.args[1], types.intp)
        return builder.gep(args[0], [offset])

    return signature, codegen


@intrinsic
def apart(typingctx):  # type: ignore[no-untyped-def]
    """Keep the function that contains this from being inlined: loops that call it compile faster."""
    signature = types.void()

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.function.attributes.add("noinline")
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def within(typingctx):  # type: ignore[no-untyped-def]
    """Have the function that contains this inlined wherever it is called: for small ones that a law calls per pair."""
    signature = types.void()

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.function.attributes.add("alwaysinline")
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def law_force(typingctx, address, t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Call a law's force by address with pointers to its own rows, parameters and states."""
    return types.void(address, t, d, dv, p, z, s, mode, f, zd), caller(_FORCE)


@intrinsic
def call_together(typingctx, address, places, states, t, d, dv, p, f, zd, reports):  # type: ignore[no-untyped-def]
    """Call a law for eight blocks, made by :func:`together`, by address."""
    return types.int64(address, places, states, t, d, dv, p, f, zd, reports), caller(_TOGETHER)


@intrinsic
def call_foreseer(typingctx, address, places, least, d, dv, p):  # type: ignore[no-untyped-def]
    """Call a :func:`foreseer` by address."""
    return types.float64(address, places, least, d, dv, p), caller(_FORESEER)


@intrinsic
def law_guard(typingctx, address, t, d, dv, p, z, s, mode, g):  # type: ignore[no-untyped-def]
    """Call a law's guard by address; writes the margin and its rate, returns the next mode."""
    return types.int64(address, t, d, dv, p, z, s, mode, g), caller(_GUARD)


@intrinsic
def move_rows(typingctx, address, q, v, p, val, gamma, phi):  # type: ignore[no-untyped-def]
    """Call a geometry function by address with pointers to its own coefficients and residuals."""
    return types.void(address, q, v, p, val, gamma, phi), caller(_GEOMETRY)


@intrinsic
def call_evaluate(typingctx, address, table, t, side, y, k, r):  # type: ignore[no-untyped-def]
    """Call an :func:`evaluator` by address."""
    return types.void(address, table, t, side, y, k, r), caller(_EVALUATE)


@intrinsic
def call_stages(typingctx, address, table, t, h, one, last):  # type: ignore[no-untyped-def]
    """Call a :func:`stepper` by address."""
    return types.float64(address, table, t, h, one, last), caller(_STAGES)
