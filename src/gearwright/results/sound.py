"""Whether a result file is what it was written as, and one sentence where it is not.

A file may have lost an attribute, hold a flipped bit in a compressed block, or be cut off. What every result has is looked
for when it is opened; numbers are read when they are used, and what cannot be read then is named.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from .file import ResultFile
from .layout import KINDS, ResultError

#: numbers that every run writes, as attributes
NUMBERS = ("store_interval_s", "count_interval_s", "discard_s", "counted_duration_s", "reference_frequency_hz")
#: what belongs to every series
PARTS = ("_statistic", "_low", "_average", "_high")


@contextmanager
def reading(path: str | os.PathLike[str], error: type[Exception] = ResultError) -> Iterator[None]:
    """What is done with the content of a result: whatever that makes impossible is one ``error`` that names the file.

    Errors of this program pass, and everything where the environment asks for the trace (``GEARWRIGHT_TRACEBACK=1``).
    """
    try:
        yield
    except Exception as problem:
        ours = type(problem).__module__.startswith("gearwright")
        of_others = isinstance(problem, OSError) and problem.filename not in (None, str(path))
        if ours or of_others or isinstance(problem, MemoryError) or os.environ.get("GEARWRIGHT_TRACEBACK"):
            raise
        words = " ".join(str(problem).split())[:160]
        raise error(
            f"{path}: the result is damaged ({type(problem).__name__}{': ' if words else ''}{words}); run it again. If it is a sound one, "
            "this is a fault of the program: GEARWRIGHT_TRACEBACK=1 shows where"
        ) from None


def check(file: ResultFile) -> None:
    """Raise ResultError where something is missing that every result has."""
    path = file.path

    def damaged(what: str) -> ResultError:
        return ResultError(f"{path}: {what}: the result is damaged or not as this program writes one; run it again")

    for name in NUMBERS:
        value = file.attributes.get(name)
        if not isinstance(value, (int, float, np.number)) or not math.isfinite(value) or value < 0.0:
            raise damaged(
                f"attribute {name} is {'missing' if value is None else repr(value)[:40]}, not a time or frequency"
            )
    if "time" in file.sizes:
        time = file.values("time") if "time" in file.variables else None
        if time is None or time.dtype.kind != "f" or not np.isfinite(time).all() or not (np.diff(time) > 0.0).all():
            raise damaged(
                "the times of its series do not rise" if time is not None else "the times of its series are missing"
            )
    for name, variable in file.variables.items():
        kind = name.partition("_")[0]
        if kind not in KINDS or variable.dims != (kind, "time"):
            continue
        for lost in (p for p in (kind, *(f"{name}{part}" for part in PARTS)) if p not in file.variables):
            raise damaged(f"'{lost}' is missing beside '{name}'")
