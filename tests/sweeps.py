"""Sweeps: many cases of one truth. ``make fast`` runs some of them, ``make test`` all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def sweep(cases: Iterable[Any], every: int, first: int = 0) -> list[Any]:
    """The cases, of which all but every so many, from ``first`` on, bear the mark ``slow``."""
    return [
        case
        if i >= first and (i - first) % every == 0
        else pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow)
        for i, case in enumerate(cases)
    ]
