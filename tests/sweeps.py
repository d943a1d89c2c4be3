"""Sweeps: many cases of one truth. ``make fast`` runs some of them, ``make test`` all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def sweep(cases: Iterable[Any], every: int, first: int = 0) -> list[Any]:
    """The cases, of which all but every so many, from ``first`` on, bear the mark ``slow``."""
    made = []
    for i, case in enumerate(cases):
        kept = i >= first and (i - first) % every == 0
        values = case if isinstance(case, tuple) else (case,)
        made.append(pytest.param(*values, marks=() if kept else pytest.mark.slow))
    return made
