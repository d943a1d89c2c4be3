"""Sweeps: many cases of one truth. ``make fast`` runs some of them, ``make test`` more, ``make long`` all."""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import cache
from typing import Any

import pytest

import gearwright as gw

#: of the draws of what ``make test`` runs of a sweep
SEED = 18


def sweep(cases: Iterable[Any], every: int, first: int = 0) -> list[Any]:
    """The cases, of which all but every so many, from ``first`` on, bear the mark ``slow``."""
    made = []
    for i, case in enumerate(cases):
        kept = i >= first and (i - first) % every == 0
        made.append(_marked(case, () if kept else pytest.mark.slow))
    return made


def sample(cases: Iterable[Any], take: int, seed: int = SEED) -> list[Any]:
    """The cases, of which all but ``take`` that ``seed`` draws bear the mark ``long``: only ``make long`` runs those."""
    given = list(cases)
    drawn = set(random.Random(seed).sample(range(len(given)), min(take, len(given))))
    return [_marked(case, () if i in drawn else pytest.mark.long) for i, case in enumerate(given)]


def _marked(case: Any, marks: Any) -> Any:
    if hasattr(case, "marks") and hasattr(case, "values"):
        kept = marks if isinstance(marks, tuple) else (marks,)
        return pytest.param(*case.values, marks=[*case.marks, *kept], id=case.id)
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=marks)


@cache
def shipped(name: str) -> Any:
    """A shipped drivetrain as it is, read once for all tests of a process, which leave it as it is."""
    return gw.load(name)
