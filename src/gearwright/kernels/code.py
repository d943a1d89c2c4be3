"""Pieces of intermediate code that functions written by hand share: instructions by name, memory, loops."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .compiled import ir


def instruction(builder: Any, name: str, result: Any, *arguments: Any) -> Any:
    """An instruction of the compiler by its name, such as ``llvm.fmuladd.v8f64``, as a function to call."""
    module = builder.module
    return module.globals.get(name) or ir.Function(module, ir.FunctionType(result, arguments), name)


def place(builder: Any, kind: Any) -> Any:
    """Memory for a value of the function at hand; outside of all its loops."""
    with builder.goto_entry_block():
        return builder.alloca(kind)


@contextmanager
def counted(builder: Any, first: Any, last: Any, step: int) -> Iterator[Any]:
    """A loop over ``first, first + step, ...`` below ``last``: gives the number, and the code inside is its body."""
    before = builder.block
    test = builder.append_basic_block("counted")
    body, done = builder.append_basic_block("counted_body"), builder.append_basic_block("counted_done")
    builder.branch(test)
    builder.position_at_end(test)
    index = builder.phi(first.type)
    index.add_incoming(first, before)
    builder.cbranch(builder.icmp_signed("<", index, last), body, done)
    builder.position_at_end(body)
    yield index
    index.add_incoming(builder.add(index, ir.Constant(first.type, step)), builder.block)
    builder.branch(test)
    builder.position_at_end(done)
