"""Why a Python function cannot become machine code, in plain words: what it does, in which line, what to do instead."""

from __future__ import annotations

import dis
import re
from collections.abc import Callable
from typing import Any

from gearwright.errors import InputError


class KernelError(InputError):
    """A function that cannot become machine code; the message says what it does and what to write instead."""


_RAISES = "it raises an error (raise or assert), and nobody could catch it: write not-a-number (float('nan')) instead"
_CATCHES = "it catches an error (try or with), and machine code knows none: ask for the case with if instead"
_OPERATIONS = {
    "RAISE_VARARGS": _RAISES,
    "LOAD_ASSERTION_ERROR": _RAISES,
    "PUSH_EXC_INFO": _CATCHES,
    "CHECK_EXC_MATCH": _CATCHES,
    "YIELD_VALUE": "it yields: a compiled function runs to its end in one call",
}

#: what numba says, and what that means
_MEANINGS = (
    (r"No conversion from none to (\w+)", "it ends without a value on some path: it has to return a number"),
    (r"No conversion from \S+ to none", "it returns a value: it writes what it finds into its arguments and returns nothing"),
    (r"No conversion from (\S+) to (\w+)", r"it returns \1 where \2 is wanted"),
    (r"(?:NameError: name|Untyped global name) '(\w+)'(?: is not defined|:.*NameError)", r"it uses '\1', which is not defined"),
    (r"reflected list.*?assigned to variable '(\w+)'", r"it uses the list '\1': make it a tuple, or its numbers parameters of the law"),
    (r"Untyped global name '(\w+)':.*<class 'function'>", r"it calls the Python function '\1': mark that with gearwright.kernels.hot, so that it is compiled too"),
    (r"Untyped global name '(\w+)':.*?<class '([^']*)'>", r"it uses '\1', an object of class \2: only numbers, tuples of them and compiled functions are known"),
    (r"getitem\(\w+\*, slice", "it takes a slice of its arguments: they are read number by number, d[0], d[1]"),
    (r">>> (\w+)\(\w+\*\)", r"it calls \1() of one of its arguments: they are read number by number, d[0], d[1]"),
    (r">>> (\w+\(.*\))", r"it does what machine code cannot: \1"),
    (r"Use of unsupported opcode \((\w+)\)", r"it does what machine code cannot (\1)"),
)  # fmt: skip


def refuse_statements(function: Callable[..., Any]) -> None:
    """Refuse statements that a function called by address may not have: they would be passed over silently.

    Raises KernelError with the line.
    """
    line = function.__code__.co_firstlineno
    for step in dis.get_instructions(function):
        line = step.starts_line if type(step.starts_line) is int else getattr(step, "line_number", None) or line
        if step.opname in _OPERATIONS:
            raise KernelError(sentence(function, _OPERATIONS[step.opname], line))


def plain(function: Callable[..., Any], error: Exception) -> KernelError:
    """The error of the compiler in plain words."""
    text = re.sub(r"\x1b\[\d*m", "", str(error))
    found = re.search(r"File \"[^\"]*\", line (\d+)", text)
    for pattern, meaning in _MEANINGS:
        match = re.search(pattern, text, re.DOTALL if "list" in pattern else 0)
        if match:
            return KernelError(sentence(function, match.expand(meaning), int(found[1]) if found else None))
    lines = [line.strip() for line in text.splitlines()]
    said = next((line for line in lines if line and not line.startswith(("Failed in", "During:", "File "))), text)
    return KernelError(sentence(function, said, int(found[1]) if found else None))


def sentence(function: Callable[..., Any], what: str, line: int | None = None) -> str:
    """What is wrong with a function, with the place where it stands."""
    code = function.__code__
    where = f"{code.co_filename}, line {line if line is not None else code.co_firstlineno}"
    return f"'{function.__name__}' cannot be compiled: {what} ({where})"
