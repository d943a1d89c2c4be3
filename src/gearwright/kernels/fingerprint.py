"""What the machine code of a function outside this package depends on: a user's law is recompiled when it changes, and only then.

Functions of this package are known by their files (:mod:`.sources`). A function of somebody else may lie in a notebook, use
constants and helpers of other modules, and be defined twice in one session: what counts is what the compiler sees of it.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from gearwright.errors import InputError

from .sources import PACKAGE, source_digest

_HERE = tuple(f"{folder}{os.sep}" for folder in {PACKAGE, Path(__file__).parents[1]})
_NUMBERS = (int, float, complex, str, bytes, bool, type(None), type(...), np.generic)


class Unknown(InputError):
    """Something whose content cannot be told, so that no file of machine code may stand for it."""


def own(function: Callable[..., Any]) -> bool:
    """Whether a function lies outside this package."""
    return not function.__code__.co_filename.startswith(_HERE)


def fingerprint(function: Callable[..., Any], *more: Any) -> str | None:
    """Hash of all that machine code of a function depends on: its instructions, constants, what it closes over, the globals it names
    and the functions it calls; None where something of that cannot be told."""
    parts: list[str] = [repr(more)]
    try:
        _follow(function, parts, set())
    except Unknown:
        return None
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _follow(value: Any, parts: list[str], seen: set[int]) -> None:
    """Add what tells a value from others. Compiled functions of ours and of numba hold a Python function."""
    held = (getattr(value, key, None) for key in ("py_func", "python", "definition"))
    inner = next((f for f in held if isinstance(f, FunctionType)), None)
    if isinstance(value, _NUMBERS):
        parts.append(f"{type(value).__name__} {value!r}")
    elif isinstance(value, (tuple, frozenset)):
        parts.append(f"{type(value).__qualname__} of {len(value)}")
        for item in value if isinstance(value, tuple) else sorted(value, key=repr):
            _follow(item, parts, seen)
    elif isinstance(value, np.ndarray) and not value.dtype.hasobject:
        parts.append(f"{value.dtype.str} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}")
    elif isinstance(value, FunctionType):
        _function(value, parts, seen)
    elif inner is not None:
        parts.append(f"{sorted(getattr(value, 'fastmath', ()))} {getattr(value, 'signature', '')}")
        _function(inner, parts, seen)
    elif isinstance(value, (type, BuiltinFunctionType, np.ufunc)):
        parts.append(f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', value.__name__)}")
    else:
        raise Unknown


def _function(function: FunctionType, parts: list[str], seen: set[int]) -> None:
    if id(function) in seen:
        return
    seen.add(id(function))
    parts.append(f"{function.__module__}.{function.__qualname__}")
    if not own(function):
        parts.append(source_digest(Path(function.__code__.co_filename)))
        for cell in function.__closure__ or ():
            _follow(cell.cell_contents, parts, seen)
        return
    _code(function, function.__code__, parts, seen)
    for value in (*(cell.cell_contents for cell in function.__closure__ or ()), *(function.__defaults__ or ())):
        _follow(value, parts, seen)


def _code(function: FunctionType, code: CodeType, parts: list[str], seen: set[int]) -> None:
    parts += [code.co_code.hex(), repr((code.co_names, code.co_varnames, code.co_freevars))]
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            _code(function, constant, parts, seen)
        else:
            _follow(constant, parts, seen)
    for name in code.co_names:
        value = function.__globals__.get(name)
        if not isinstance(value, ModuleType):
            if name in function.__globals__:
                _follow(value, parts, seen)
            continue
        parts.append(f"module {value.__name__}")
        for attribute in code.co_names:
            if attribute in vars(value):
                found = vars(value)[attribute]
                _follow(found.__name__ if isinstance(found, ModuleType) else found, parts, seen)
