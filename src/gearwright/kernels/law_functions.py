"""The compiled functions of a law and of a moving row, and how engines call them by address."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .compiled import Compiled, Signature, by_address, caller, signature
from .refusals import KernelError

FORCE = signature("nothing(real, reals, reals, reals, reals, reals, word, reals, reals)")
GUARD = signature("word(real, reals, reals, reals, reals, reals, word, reals)")
GEOMETRY = signature("nothing(reals, reals, reals, reals, reals, reals)")

#: ``(address, t, d, dv, p, z, s, mode, f, zd)``: call a law's force with pointers to its own rows, parameters and states
law_force = caller(FORCE)
#: ``(address, t, d, dv, p, z, s, mode, g)``: call a law's guard; writes the margin and its rate, returns the next mode
law_guard = caller(GUARD)
#: ``(address, q, v, p, val, gamma, phi)``: call a geometry function with pointers to its own coefficients and residuals
move_rows = caller(GEOMETRY)

#: a law for eight of its blocks at once: ``(places, states, first, t, d, dv, p, all, f, zd, reports) -> blocks left``.
#:
#: ``places, states`` and ``first`` hold the first row, first state and first parameter of each block, ``p`` its parameters in
#: columns (as many as :attr:`gearwright.system.Law.columns` says), ``all`` those of all laws; ``d, dv, f, zd`` belong to the
#: whole system. Rows that only report are written where ``reports`` is not zero. Blocks whose bits are set in what it returns
#: are left to the force of the law itself.
together, call_together = by_address("word(words, words, words, real, reals, reals, reals, reals, reals, reals, word)")
#: ``Law.ahead`` for eight blocks at once: ``(places, least, d, dv, p) -> time`` to the first bend of them all
foreseer, call_foreseer = by_address("real(words, real, reals, reals, reals)")


#: Mode in which a guard is called at the start: it returns the mode that the present values belong to.
START = -(1 << 62)


def force(function: Callable[..., Any]) -> Compiled:
    """Make the force function of a law: ``(t, d*, dv*, p*, z*, s*, mode, f*, zd*) -> None``.

    ``d, dv`` hold the deflections and rates of the block's force rows followed by its sense rows, ``p`` its
    parameters, ``z`` its own first-order states, ``s`` all signals at ``t``. Writes the forces ``f`` of the
    force rows [N or N m] and the rates ``zd`` of the states. It allocates nothing and raises nothing;
    not-a-number means "cannot". Raises KernelError for another number of parameters.
    """
    return _made(function, FORCE, "force of a law", "t, d, dv, p, z, s, mode, f, zd")


def guard(function: Callable[..., Any]) -> Compiled:
    """Make the guard of a law: ``(t, d*, dv*, p*, z*, s*, mode, g*) -> next_mode``.

    Writes ``g[0]``, the margin (>= 0 while the piece ``mode`` is valid), and ``g[1]``, its rate [1/s]; returns
    the mode to take when the margin reaches zero. Called with ``mode == START`` it returns the mode that the
    present values belong to. Raises KernelError for another number of parameters.
    """
    return _made(function, GUARD, "guard of a law", "t, d, dv, p, z, s, mode, g")


def geometry(function: Callable[..., Any]) -> Compiled:
    """Make a geometry function: ``(q*, v*, p*, val*, gamma*, phi*) -> None``.

    Writes the coefficients of its moving rows in storage order, ``gamma = -(dD/dt) v`` and, for rows with a
    position form, the residual ``phi``. Raises KernelError for another number of parameters.
    """
    return _made(function, GEOMETRY, "geometry function", "q, v, p, val, gamma, phi")


def _made(function: Callable[..., Any], wanted: Signature, what: str, parameters: str) -> Compiled:
    """A C function of a Python function that has the parameters of its signature."""
    code = getattr(function, "__code__", None)
    name = getattr(function, "__name__", str(function))
    if code is None:
        raise KernelError(
            f"{name} is no plain Python function; the {what} is written as def {what.split()[0]}({parameters})"
        )
    count = code.co_argcount + code.co_kwonlyargcount
    if count != len(wanted.arguments) or code.co_flags & 0x0C or code.co_kwonlyargcount:
        have = ", ".join(code.co_varnames[:count])
        raise KernelError(
            f"'{name}' has the parameters ({have}); the {what} has these {len(wanted.arguments)}: ({parameters}) "
            f"({code.co_filename}, line {code.co_firstlineno})"
        )
    return Compiled(function, wanted)
