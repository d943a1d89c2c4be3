"""A plant as a library in this process: the exported engine, stepped through ctypes. Quick for springs alone."""

from __future__ import annotations

import ctypes
import hashlib
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.errors import CouplingError

from .compiler import SOURCES, kept
from .model_source import HEADERS, Model, build_model, write_model
from .plant import Plant

Float = NDArray[np.float64]
_REAL, _POINTER = ctypes.c_double, ctypes.POINTER(ctypes.c_double)


def built(model: Model) -> Path:
    """The library of a model, from the user's cache if it was built before."""
    digest = hashlib.sha256(model.source.encode())
    for name in sorted(model.objects):
        digest.update(model.objects[name])
    for source in (*model.parts, *HEADERS):
        digest.update((SOURCES / source).read_bytes())
    digest.update(platform.machine().encode())
    return kept(f"plant-{digest.hexdigest()[:16]}", lambda path: build_model(model, path, (), ("gw_*",)))


class LibraryStepper:
    """Steps a plant as :class:`~gearwright.couplings.plant.Stepper` does, in machine code, at steps of any size."""

    def __init__(
        self, plant: Plant, tolerance: float = 1e-6, channels: Sequence[int] | None = None, interval: float = 1e-3
    ):
        numbers = tuple(range(len(plant.system.channels))) if channels is None else tuple(channels)
        self.plant, self.numbers = plant, numbers
        self._library: Any = ctypes.CDLL(str(built(write_model(plant, tolerance, interval, numbers))))
        self._library.gw_create.restype = ctypes.c_void_p
        self._library.gw_failure.restype = ctypes.c_char_p
        self._library.gw_state_size.restype = ctypes.c_size_t
        for name in ("gw_destroy", "gw_failure", "gw_state_size"):
            getattr(self._library, name).argtypes = [ctypes.c_void_p]
        for name in ("gw_save", "gw_load"):
            getattr(self._library, name).argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        self._library.gw_exchange.argtypes = [ctypes.c_void_p, _REAL, _REAL, _POINTER, _POINTER, _POINTER]
        self._engine = self._library.gw_create()
        if not self._engine:
            raise CouplingError("no memory for the drivetrain")
        self.t = 0.0
        self._kept = ctypes.create_string_buffer(self._library.gw_state_size(self._engine))
        self._kept_at = 0.0
        self._outputs = np.zeros(len(numbers))
        self._in, self._rates = np.zeros(len(plant.ports)), np.zeros(len(plant.ports))
        self.start()

    def start(self, values: Sequence[float] | None = None, t: float = 0.0) -> Float:
        """Begin at a time with inputs (default: those of the operating point); the outputs there."""
        return self._exchange(t, 0.0, [p.start for p in self.plant.ports] if values is None else values, None)

    def step(self, values: Sequence[float], step: float, rates: Sequence[float] | None = None) -> Float:
        """One step with the inputs given (constant, or with rates); the outputs at its end."""
        return self._exchange(self.t, step, values, rates)

    def keep(self) -> None:
        """Keep the whole state, error control included; :meth:`back` returns to it."""
        self._library.gw_save(self._engine, self._kept)
        self._kept_at = self.t

    def back(self) -> None:
        """Return to the state that was kept last."""
        self._library.gw_load(self._engine, self._kept)
        self.t = self._kept_at

    def _exchange(self, t: float, h: float, values: Sequence[float], rates: Sequence[float] | None) -> Float:
        self._in[:] = values
        self._rates[:] = 0.0 if rates is None else rates
        status = self._library.gw_exchange(
            self._engine, t, h, *(a.ctypes.data_as(_POINTER) for a in (self._in, self._rates, self._outputs))
        )
        if status:
            raise CouplingError(self._library.gw_failure(self._engine).decode())
        self.t = t + h
        return self._outputs.copy()

    def close(self) -> None:
        """Free the memory of the drivetrain."""
        if self._engine:
            self._library.gw_destroy(self._engine)
            self._engine = None

    def __del__(self) -> None:
        if getattr(self, "_engine", None):
            self.close()
