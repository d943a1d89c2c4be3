"""Controllers as libraries: any Bladed-style DISCON, ROSCO first, one private copy of the library for each instance.

A library is the user's code and runs with the user's rights: it is loaded only when named.
"""

from __future__ import annotations

import ctypes
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from gearwright.errors import CouplingError

from .swap import (
    INFILE_LENGTH,
    LENGTH,
    LOG_NAME_ROOM,
    LOG_RECORD,
    LOG_ROOM,
    MESSAGE_ROOM,
    OUTNAME_LENGTH,
    Demand,
    Measured,
    Swap,
    fill,
    read_demand,
)

#: room for messages and names [characters]
ROOM = 1024


class BladedController:
    """A controller library with its input file.

    Parameters
    ----------
    library : shared library; a private copy is loaded, so that instances share nothing
    infile : its input file (``DISCON.IN``), or None
    procedure : name of the function
    tell : called with every message of the controller; default: kept in :attr:`messages`

    Raises CouplingError for a file that cannot be loaded, a function that is missing, and what the controller reports.
    """

    def __init__(
        self,
        library: str | Path,
        infile: str | Path | None = None,
        procedure: str = "DISCON",
        tell: Callable[[str], None] | None = None,
    ):
        path = Path(library)
        if not path.is_file():
            raise CouplingError(f"there is no controller library '{path}'")
        if infile is not None and not Path(infile).is_file():
            raise CouplingError(f"there is no input file '{infile}' for the controller")
        self.path, self.infile = path, Path(infile).resolve() if infile is not None else None
        self._folder = Path(tempfile.mkdtemp(prefix="gearwright-controller-"))
        # a copy beside its own folder's links, so that libraries it was built against are still found
        copy = self._folder / f"{self._folder.name}-{path.name}"
        shutil.copyfile(path, copy)
        try:
            self._handle: Any = _load(path, copy)
            self._function: Any = getattr(self._handle, procedure, None)
        except OSError as error:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise CouplingError(f"'{path}' is no library that can be loaded here: {error}") from None
        if self._function is None:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise CouplingError(f"'{path}' has no function {procedure}; is it a Bladed-style controller?")
        self._function.restype = None
        self.swap: Swap = np.zeros(LENGTH, np.float32)
        self._message = ctypes.create_string_buffer(ROOM)
        self._in = ctypes.create_string_buffer(str(self.infile or "").encode() + b"\0", max(ROOM, 2))
        self._out = ctypes.create_string_buffer(str(self._folder / "case").encode(), ROOM)
        self._failure = ctypes.c_int(0)
        self.messages: list[str] = []
        self._tell = tell
        self._begun = self._ended = False

    def step(self, measured: Measured) -> Demand:
        """One call: what is measured in, what is wanted out. The first call initialises the controller.

        Raises CouplingError with its message if it reports a failure or asks for something that is not a number.
        """
        demand = self._call(1 if self._begun else 0, measured)
        self._begun = True
        return demand

    def _call(self, status: int, measured: Measured) -> Demand:
        swap = self.swap
        fill(swap, status, measured)
        swap[MESSAGE_ROOM - 1] = ROOM
        swap[INFILE_LENGTH - 1] = len(self._in.value)
        swap[OUTNAME_LENGTH - 1] = len(self._out.value)
        swap[LOG_ROOM - 1] = 300
        swap[LOG_RECORD - 1] = 3000
        swap[LOG_NAME_ROOM - 1] = ROOM
        self._message.raw = b"\0" * ROOM
        self._failure.value = 0
        self._function(
            swap.ctypes.data_as(ctypes.POINTER(ctypes.c_float)),
            ctypes.byref(self._failure),
            self._in,
            self._out,
            self._message,
        )
        said = self._message.value.decode("utf-8", "replace").strip()
        if said and (not self.messages or self.messages[-1] != said):
            self.messages.append(said)
            if self._tell is not None:
                self._tell(said)
        if self._failure.value < 0:
            raise CouplingError(
                f"controller '{self.path.name}' stopped at {measured.time:.6g} s: {said or 'it gives no reason'}"
            )
        demand = read_demand(swap, said)
        if not (np.isfinite(demand.torque) and np.isfinite(demand.pitch).all()):
            raise CouplingError(
                f"controller '{self.path.name}' asks for torque {demand.torque} and pitch {demand.pitch} at "
                f"{measured.time:.6g} s"
            )
        return demand

    def close(self, measured: Measured | None = None) -> None:
        """The last call (status -1), if there was a first; the private copy is removed."""
        if self._begun and not self._ended:
            self._ended = True
            try:
                self._call(-1, measured or Measured(time=float(self.swap[1]), interval=float(self.swap[2])))
            except CouplingError as error:
                self.messages.append(str(error))
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> BladedController:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _load(original: Path, copy: Path) -> Any:
    """The private copy; libraries that lie relative to the original are loaded before, from there."""
    try:
        return ctypes.CDLL(str(copy))
    except OSError:
        # a copy does not find what its original finds beside itself: load that first, then the names are known
        ctypes.CDLL(str(original.resolve()))
        return ctypes.CDLL(str(copy))
