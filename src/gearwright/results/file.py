"""Result files below the library: each one open once in a process, and the library entered by one thread at a time.

HDF5 shares what it knows of a file among its handles, and keeps with it which of them read the names of its elements (text of
any length). A file that is opened twice and closed once can therefore end the process with a segmentation fault when it is
opened again (netCDF4-python issue 1444, xarray issue 9093). So all readers of a file share one handle, which is closed with
the last of them; and neither HDF5 nor netCDF may be entered by two threads.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gearwright.remarks import remarks_in
from gearwright.system.former import NOTE, present_variables

from .layout import ResultError

#: held by whoever is in the library
LIBRARY = RLock()
Key = tuple[int, int]
#: value of an attribute: text (often JSON), a number, or several
Attribute: TypeAlias = str | int | float | NDArray[Any]


class Stored(NamedTuple):
    """A variable of a file; ``dtype`` is ``object`` for text."""

    dims: tuple[str, ...]
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    attributes: Mapping[str, Attribute]


class _Handle:
    """The one handle of a file, and how many use it."""

    def __init__(self, file: Any):
        self.file = file
        self.users = 0


_HANDLES: dict[Key, _Handle] = {}


def identity(path: str | os.PathLike[str]) -> Key:
    """What stays the same of a file whatever it is called: device and number on it."""
    found = os.stat(path)
    return found.st_dev, found.st_ino


def take(path: Path) -> Key:
    """Open a file for reading, or join those who have it open; :func:`give` it back."""
    import netCDF4

    with LIBRARY:
        key = identity(path)
        if key not in _HANDLES:
            file = netCDF4.Dataset(path)
            file.set_auto_mask(False)
            _HANDLES[key] = _Handle(file)
        _HANDLES[key].users += 1
        return key


def give(key: Key) -> None:
    """Give a handle back; the last one closes the file."""
    with LIBRARY:
        handle = _HANDLES[key]
        handle.users -= 1
        if not handle.users:
            del _HANDLES[key]
            handle.file.close()


@contextmanager
def opened(path: Path, key: Key | None = None) -> Iterator[Any]:
    """The ``netCDF4.Dataset`` of a file, for one thread at a time; closed again where nobody else has it open.

    Raises ResultError where the file is another one than ``key`` says.
    """
    with LIBRARY:
        if key not in _HANDLES:
            found = take(path)
        else:
            found = key
            _HANDLES[key].users += 1
        try:
            if key not in (None, found):
                raise ResultError(f"{path}: another file has taken its place since it was opened; open it again")
            yield _HANDLES[found].file
        finally:
            give(found)


@contextmanager
def changing(path: Path) -> Iterator[Any]:
    """The ``netCDF4.Dataset`` of a whole file, to add to it. Raises ResultError where this process has it open."""
    import netCDF4

    with LIBRARY:
        if identity(path) in _HANDLES:
            raise ResultError(f"{path}: it is open for reading, nothing can be added; close its Result first")
        with netCDF4.Dataset(path, "a") as file:
            yield file


def is_result(path: Path) -> bool:
    """Whether a file is a result of this program."""
    if path.suffix.lower() != ".nc" or not path.is_file():
        return False
    try:
        with opened(path) as file:
            return "gearwright_format" in file.ncattrs()
    except (OSError, RuntimeError):
        return False


class ResultFile:
    """What a file holds: attributes, sizes of dimensions, variables; values are read when they are asked for."""

    def __init__(self, path: Path, key: Key):
        self.path, self.key = path, key
        with opened(path, key) as file:
            self.attributes: dict[str, Attribute] = {name: file.getncattr(name) for name in file.ncattrs()}
            self.sizes: dict[str, int] = {name: len(dimension) for name, dimension in file.dimensions.items()}
            #: what the file itself calls its variables
            self.own = present_variables(file.variables)
            self.variables: dict[str, Stored] = {n: _stored(file.variables[own]) for n, own in self.own.items()}
        if any(name != own for name, own in self.own.items()):
            self.attributes["notes"] = json.dumps([*remarks_in({"notes": self.attributes.get("notes")}), NOTE])

    def values(self, name: str, index: Any = ...) -> NDArray[Any]:
        """Values of a variable, or a part of them. Raises ResultError where they cannot be read."""
        try:
            with opened(self.path, self.key) as file:
                return np.asarray(file[self.own.get(name, name)][index])
        except ResultError:
            raise
        except (OSError, RuntimeError, ValueError, IndexError) as error:
            raise ResultError(
                f"{self.path}: '{name}' cannot be read ({error}): the result is damaged; run it again"
            ) from None


def _stored(variable: Any) -> Stored:
    attributes = {name: variable.getncattr(name) for name in variable.ncattrs() if name != "_FillValue"}
    dtype = np.dtype(object if variable.dtype is str else variable.dtype)
    return Stored(tuple(variable.dimensions), tuple(variable.shape), dtype, attributes)
