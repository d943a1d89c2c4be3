"""How far a long piece of work is: told by what works, shown by whoever listens (the bar of a terminal).

What works says so with :func:`stage` or :func:`each`, one inside another where work is made of work; nothing is shown,
and nothing costs time, where nobody listens. :mod:`gearwright.console` listens for the commands.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


class Stage:
    """A piece of work: ``words`` that name it, ``done`` of ``total`` (None where nobody knows how much there is), ``unit``."""

    __slots__ = ("done", "total", "unit", "words")

    def __init__(self, words: str, total: float | None = None, unit: str = ""):
        self.words, self.done, self.total, self.unit = words, 0.0, total, unit

    def at(self, done: float, words: str | None = None) -> None:
        """So much is done. Raises KeyboardInterrupt once the process was told to stop: an interrupt that another library has
        caught is not lost."""
        if stopping[0]:
            raise KeyboardInterrupt
        self.done = done
        if words is not None:
            self.words = words

    def line(self) -> str:
        """Words and numbers: ``simulated 3.2 of 60 s``."""
        if not self.total:
            return self.words
        done = f"{self.done:.1f}" if self.unit else f"{self.done:.0f}"
        return f"{self.words} {done} of {self.total:g}{' ' * bool(self.unit)}{self.unit}"


#: the stages at work, outermost first
stages: list[Stage] = []
#: whether the process was told to stop
stopping = [False]


@contextmanager
def stage(words: str, total: float | None = None, unit: str = "") -> Iterator[Stage]:
    """Name the work inside: ``with stage("simulated", 60.0, "s") as going: ... going.at(3.2)``."""
    made = Stage(words, total, unit)
    stages.append(made)
    try:
        yield made
    finally:
        if made in stages:
            del stages[stages.index(made) :]


def each(words: str, items: Sequence[T]) -> Iterator[T]:
    """The items one after the other, counted: ``for target in each("target", targets): ...``."""
    with stage(words, len(items)) as going:
        for i, item in enumerate(items):
            going.at(i)
            yield item


def share(at_work: Sequence[Stage]) -> float | None:
    """Part of the outermost work that is done, 0 to 1, with what is done of the stages inside it; None where unknown."""
    part: float | None = None
    for one in reversed(at_work):
        if one.total:
            part = min((one.done + (part or 0.0) * bool(one.unit == "")) / one.total, 1.0)
        elif part is not None:
            continue
    return part


def line(at_work: Sequence[Stage]) -> str:
    """Words of the outermost and of the innermost work: ``run 3 of 12: simulated 3.2 of 60 s``."""
    outer, inner = at_work[0], at_work[-1]
    shown = [inner] if outer is inner or (outer.total and not outer.done) else [outer, inner]
    return ": ".join(one.line() for one in shown)


#: takes the sentences of :func:`tell`; :mod:`gearwright.console` puts itself here
teller: Callable[[str], None] | None = None


def tell(sentence: str) -> None:
    """Say what concerns this program as a whole and no result of it, such as where it keeps things: once, by who says it."""
    if teller is None:
        warnings.warn(sentence, stacklevel=2)
    else:
        teller(sentence)
