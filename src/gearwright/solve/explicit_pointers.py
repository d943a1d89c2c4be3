"""Functions that the explicit engine calls by address. The right-hand side of a small drivetrain costs 50 ns, so a call with
thirty arrays would cost as much as the work: see :mod:`gearwright.system.pointers`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gearwright.system.compiled import _GEOMETRY, Compiled, caller, intrinsic, signature, types
from gearwright.system.pointers import apart, f8, i8, law_force, law_guard, lone, shift, within

__all__ = [
    "apart", "call_evaluate", "call_foreseer", "call_stages", "call_together", "evaluator", "f8", "foreseer", "i8",
    "law_force", "law_guard", "lone", "move_rows", "shift", "stepper", "together", "within",
]  # fmt: skip

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


@intrinsic
def call_together(typingctx, address, places, states, t, d, dv, p, f, zd, reports):  # type: ignore[no-untyped-def]
    """Call a law for eight blocks, made by :func:`together`, by address."""
    return types.int64(address, places, states, t, d, dv, p, f, zd, reports), caller(_TOGETHER)


@intrinsic
def call_foreseer(typingctx, address, places, least, d, dv, p):  # type: ignore[no-untyped-def]
    """Call a :func:`foreseer` by address."""
    return types.float64(address, places, least, d, dv, p), caller(_FORESEER)


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
