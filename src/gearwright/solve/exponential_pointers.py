"""Compiled parts of the exponential engine that call each other by address.

A function that is inlined into five others is optimised five times. The parts below are compiled once, each on
its own, and called through their addresses in the table, which costs as much as any call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gearwright.system.compiled import Compiled, caller, intrinsic, signature, types

#: ``(out, base, matrix, n, x, lines)``
_PRODUCT = signature("nothing(reals, reals, reals, word, reals, word)")
#: ``(out, ostride, base, matrix, width, n, x, xstride, lines, count)``
_PRODUCTS = signature("nothing(reals, word, reals, reals, word, word, reals, word, word, word)")
#: ``(H, slot, h)``
_FILL = signature("nothing(words, word, real)")
#: ``(H, t, h) -> force that fails or -1``
_PROJECT = signature("word(words, real, real)")
#: ``(H, law, t, h) -> force that fails or -1``
_GENERAL = signature("word(words, word, real, real)")
#: ``(H, law, h)``
_CURVED = signature("nothing(words, word, real)")
#: ``(H, place, power, t, h)``
_INNER = signature("nothing(words, word, word, real, real)")
#: ``(H, h)``
_BOOK = signature("nothing(words, real)")
#: ``(H, t, side, s)``
_SIGNALS = signature("nothing(words, real, real, reals)")


def multiplier(function: Callable[..., Any]) -> Compiled:
    """A matrix product that other parts call by address."""
    return Compiled(function, _PRODUCT)


def multipliers(function: Callable[..., Any]) -> Compiled:
    """Several matrix products at a time that other parts call by address."""
    return Compiled(function, _PRODUCTS)


def filler(function: Callable[..., Any]) -> Compiled:
    """The tables of one step length."""
    return Compiled(function, _FILL)


def projector(function: Callable[..., Any]) -> Compiled:
    """The force polynomials of all laws."""
    return Compiled(function, _PROJECT)


def general(function: Callable[..., Any]) -> Compiled:
    """The force polynomials of one law that needs calls."""
    return Compiled(function, _GENERAL)


def liner(function: Callable[..., Any]) -> Compiled:
    """The moments of one linear law whose stiffness varies within the step."""
    return Compiled(function, _CURVED)


def sampler(function: Callable[..., Any]) -> Compiled:
    """Samples inside a step."""
    return Compiled(function, _INNER)


def bookkeeper(function: Callable[..., Any]) -> Compiled:
    """Work over one step."""
    return Compiled(function, _BOOK)


def reader(function: Callable[..., Any]) -> Compiled:
    """The signals at a time."""
    return Compiled(function, _SIGNALS)


@intrinsic
def call_product(typingctx, address, out, base, matrix, n, x, lines):  # type: ignore[no-untyped-def]
    """Call a :func:`multiplier`."""
    return types.void(address, out, base, matrix, n, x, lines), caller(_PRODUCT)


@intrinsic
def call_products(typingctx, address, out, ostride, base, matrix, width, n, x, xstride, lines, count):  # type: ignore[no-untyped-def]
    """Call :func:`multipliers`."""
    return types.void(address, out, ostride, base, matrix, width, n, x, xstride, lines, count), caller(_PRODUCTS)


@intrinsic
def call_fill(typingctx, address, table, slot, h):  # type: ignore[no-untyped-def]
    """Call a :func:`filler`."""
    return types.void(address, table, slot, h), caller(_FILL)


@intrinsic
def call_project(typingctx, address, table, t, h):  # type: ignore[no-untyped-def]
    """Call a :func:`projector`."""
    return types.int64(address, table, t, h), caller(_PROJECT)


@intrinsic
def call_signals(typingctx, address, table, t, side, s):  # type: ignore[no-untyped-def]
    """Call a :func:`reader`."""
    return types.void(address, table, t, side, s), caller(_SIGNALS)


@intrinsic
def call_general(typingctx, address, table, law, t, h):  # type: ignore[no-untyped-def]
    """Call a :func:`general`."""
    return types.int64(address, table, law, t, h), caller(_GENERAL)


@intrinsic
def call_curved(typingctx, address, table, law, h):  # type: ignore[no-untyped-def]
    """Call a :func:`liner`."""
    return types.void(address, table, law, h), caller(_CURVED)


@intrinsic
def call_inner(typingctx, address, table, place, power, t, h):  # type: ignore[no-untyped-def]
    """Call a :func:`sampler`."""
    return types.void(address, table, place, power, t, h), caller(_INNER)


@intrinsic
def call_book(typingctx, address, table, h):  # type: ignore[no-untyped-def]
    """Call a :func:`bookkeeper`."""
    return types.void(address, table, h), caller(_BOOK)
