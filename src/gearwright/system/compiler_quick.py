"""What numba does again and again although it knows the answer: done once. The machine code stays the same.

Numba is held at one minor version, so that its inner functions may be replaced. What is replaced for all functions gives
the same answers; what leaves something out does so for functions of ours alone, which neither allocate nor yield.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from numba import types
from numba.core import base, byteflow, ir, ssa, typeinfer
from numba.core.errors import ForceLiteralArg, TypingError
from numba.core.postproc import PostProcessor
from numba.core.transforms import canonicalize_cfg
from numba.core.typing.context import BaseContext as Typing
from numba.core.utils import chain_exception

#: code of the functions that our own passes compile
ours: set[Any] = set()


class _Silent:
    """A log that nobody reads: numba would tell it of every statement in every pass."""

    def debug(self, *message: Any, **details: Any) -> None:
        """Nothing."""

    def isEnabledFor(self, level: int) -> bool:
        """Never."""
        return False


def _put(owner: Any, name: str, ours_instead: Any) -> Any:
    """Replace something of numba's; returns what was there."""
    before = getattr(owner, name)
    setattr(owner, name, ours_instead)
    return before


_put(ssa, "_logger", _Silent())
_put(byteflow, "_logger", _Silent())


# --- lives of variables ----------------------------------------------------------------------------------


def _short_after_pass(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """What follows each of numba's passes: the lives of all variables anew, and at last a statement at the end of each
    life. Where nothing is allocated, nothing ends."""
    if self.func_ir.is_generator or self.func_ir.func_id.code not in ours:
        _after_pass(self, emit_dels, extend_lifetimes)
        return
    self.func_ir.blocks = canonicalize_cfg(self.func_ir.blocks)
    self.func_ir.generator_info = None


_after_pass = _put(PostProcessor, "run", _short_after_pass)


# --- variables of a statement ----------------------------------------------------------------------------

#: classes of parts without variables
_PLAIN = (ir.Loc, str, int, float, type(None), type(len), type)


def _variables(part: Any, found: list[Any]) -> None:
    """Variables in a part of a statement; numba asks five questions of every part, most of which hold none."""
    if part.__class__ is ir.Var:
        found.append(part)
    elif isinstance(part, _PLAIN):
        return
    elif isinstance(part, ir.Var):
        found.append(part)
    elif isinstance(part, ir.Inst):
        found.extend(part.list_vars())
    elif isinstance(part, (list, tuple)):
        for item in part:
            _variables(item, found)
    elif isinstance(part, dict):
        for item in part.values():
            _variables(item, found)


def _of_statement(self: Any) -> list[Any]:
    found: list[Any] = []
    _variables(self.__dict__, found)
    return found


def _of_expression(self: Any) -> list[Any]:
    found: list[Any] = []
    _variables(self._kws, found)
    return found


_put(ir.Stmt, "list_vars", _of_statement)
_put(ir.Expr, "list_vars", _of_expression)


# --- types -----------------------------------------------------------------------------------------------


def _call_type(function: Any, context: Any, arguments: Any, named: Any) -> Any:
    """Type of a call of something built in, found once for these arguments: numba would try all definitions of ``+`` at
    every ``a + b``, which is the larger part of its time."""
    if named:
        return _definitions(function, context, arguments, named)
    known = function.__dict__.setdefault("_gearwright_known", {})
    found = known.get((context, arguments))
    if found is None:
        found = known[context, arguments] = _definitions(function, context, arguments, named)
    return found


_definitions = _put(types.BaseFunction, "get_call_type", _call_type)


def _quick_round(self: Any, inference: Any) -> list[Any]:
    """Type all statements; returns the errors of those that cannot be typed yet. Numba does this two or three times.

    What a statement does follows from the types of the variables that it asks for: where those are as they were after
    it was typed, it is not typed again. Lists and the like, whose types a later statement refines, are none of ours.
    """
    if inference.func_ir.func_id.code not in ours:
        return _round(self, inference)
    known, variables = self.__dict__.setdefault("_gearwright_known", {}), inference.typevars
    errors: list[Any] = []
    for number, constraint in enumerate(self.constraints):
        asked, found = known.get(number, ((), None))
        if found is None or any(variable.type is not kind for variable, kind in asked):
            found, variables.asked = [], set()
            try:
                constraint(inference)
            except ForceLiteralArg as error:
                found.append(error)
            except TypingError as error:
                again = TypingError(str(error), loc=constraint.loc, highlighting=False)
                found.append(chain_exception(again, error))
            asked, variables.asked = variables.asked, None
            known[number] = [(variable, variable.type) for variable in asked], found
        errors.extend(found)
    return errors


def _noted(self: Any, name: str) -> Any:
    found = _variable(self, name)
    if self.asked is not None:
        self.asked.add(found)
    return found


setattr(typeinfer.TypeVarMap, "asked", None)  # noqa: B010  a name of ours in a class of numba's
_variable = _put(typeinfer.TypeVarMap, "__getitem__", _noted)
_round = _put(typeinfer.ConstraintNetwork, "propagate", _quick_round)

_kinds: dict[Any, Any] = {}


def _quick_kind(self: Any, value: Any) -> Any:
    """Type of a constant: of numbers found once for all of them that are equal and of one class."""
    if value.__class__ not in (int, float, bool):
        return _kind_of_value(self, value)
    key = value.__class__, value
    found = _kinds.get(key)
    if found is None:
        found = _kinds[key] = _kind_of_value(self, value)
    return found


_kind_of_value = _put(Typing, "resolve_value_type", _quick_kind)


# --- intermediate code -----------------------------------------------------------------------------------

# looks through the arguments of a function of numba's, at each of its uses
_put(base, "_has_loc", cache(base._has_loc))


def _quick_size(self: Any, kind: Any) -> Any:
    """Bytes of a type, asked of LLVM once instead of at each variable."""
    known = self.__dict__.setdefault("_gearwright_sizes", {})
    found = known.get(kind)
    if found is None:
        found = known[kind] = _size(self, kind)
    return found


_size = _put(base.BaseContext, "get_abi_sizeof", _quick_size)


# --- definitions -----------------------------------------------------------------------------------------

#: while a function of ours is compiled: by context, what there was to be found when numba last looked for new definitions
_seen: dict[int, tuple[int, ...]] | None = None
#: by context and number of its tables: the lists in them
_lists: dict[tuple[int, int], list[list[Any]]] = {}


@contextmanager
def looking_once() -> Iterator[None]:
    """While a function of ours is compiled, new definitions are looked for at its begin and where there are any.

    Numba looks through all its tables whenever it calls something for which no definition fits exactly.
    """
    global _seen
    outer, _seen = _seen, {}
    try:
        yield
    finally:
        _seen = outer


def _offered(context: Any) -> tuple[int, ...]:
    """Number of modules, which may bring tables, and of entries in the tables of a context: typing a call adds some."""
    tables = context._registries
    lists = _lists.get((id(context), len(tables)))
    if lists is None:
        lists = [entries for table in tables for entries in vars(table).values() if isinstance(entries, list)]
        _lists[id(context), len(tables)] = lists
    below = getattr(context, "typing_context", None)
    return (len(sys.modules), sum(map(len, lists)), *(_offered(below) if below is not None else ()))


def _rarely(owner: Any) -> None:
    def refresh(self: Any) -> None:
        if _seen is None:
            often(self)
        elif _seen.get(id(self)) != _offered(self):
            often(self)
            _seen[id(self)] = _offered(self)

    often = _put(owner, "refresh", refresh)


_rarely(base.BaseContext)
_rarely(Typing)

__all__ = ["looking_once", "ours"]
