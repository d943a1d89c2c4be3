"""Whether a result file is what it was written as, and one sentence where it is not.

A file may have lost an attribute, hold a flipped bit in a compressed block, or be cut off. What every result has is looked
for when it is opened; numbers are read when they are used, and what cannot be read then is named.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

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


def guarded(dataset: Any, path: Path) -> Any:
    """The dataset with its values read as before, when they are used; what cannot be read raises ResultError.

    Raises ResultError at once where something is missing that every result has.
    """
    import xarray
    from xarray.core.indexing import LazilyIndexedArray

    _check(dataset, path)
    with reading(path):
        made = {
            name: variable if name in dataset.dims or not variable.ndim else
            xarray.Variable(variable.dims, LazilyIndexedArray(_array(variable, f"{path}: '{name}'")), variable.attrs)
            for name, variable in dataset.variables.items()
        }  # fmt: skip
        coordinates = {name: made.pop(name) for name in dataset.coords}
        whole = xarray.Dataset(made, coordinates, dataset.attrs)
    whole.set_close(dataset.close)
    return whole


def _array(variable: Any, where: str) -> Any:
    from xarray.backends import BackendArray
    from xarray.core import indexing

    class Guarded(BackendArray):
        """Values of a variable; names it where they cannot be read."""

        def __init__(self) -> None:
            self.shape, self.dtype = variable.shape, variable.dtype

        def __getitem__(self, key: Any) -> Any:
            return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.OUTER, self._get)

        def _get(self, key: tuple[Any, ...]) -> Any:
            try:
                return np.asarray(variable[key].values)
            except (OSError, RuntimeError, ValueError) as error:
                raise ResultError(f"{where} cannot be read ({error}): the result is damaged; run it again") from None

    return Guarded()


def _check(dataset: Any, path: Path) -> None:
    def damaged(what: str) -> ResultError:
        return ResultError(f"{path}: {what}: the result is damaged or not as this program writes one; run it again")

    for name in NUMBERS:
        value = dataset.attrs.get(name)
        if not isinstance(value, (int, float, np.number)) or not math.isfinite(value) or value < 0.0:
            raise damaged(
                f"attribute {name} is {'missing' if value is None else repr(value)[:40]}, not a time or frequency"
            )
    if "time" in dataset.dims:
        time = dataset["time"].values if "time" in dataset.variables else None
        if time is None or time.dtype.kind != "f" or not np.isfinite(time).all() or not (np.diff(time) > 0.0).all():
            raise damaged(
                "the times of its series do not rise" if time is not None else "the times of its series are missing"
            )
    for name, variable in dataset.variables.items():
        kind = str(name).partition("_")[0]
        if kind not in KINDS or variable.dims != (kind, "time"):
            continue
        for lost in (p for p in (kind, *(f"{name}{part}" for part in PARTS)) if p not in dataset.variables):
            raise damaged(f"'{lost}' is missing beside '{name}'")


__all__ = ["guarded", "reading"]
