"""Loads and life of gearboxes in the field, from the signals that operators have."""

from typing import TYPE_CHECKING

from gearwright.lazy import face

if TYPE_CHECKING:
    from .run import fleet, follow
    from .stream import SIGNALS, Setting, Spectra, Stream

_MODULES = {
    "run": ("fleet", "follow"),
    "stream": ("SIGNALS", "Setting", "Spectra", "Stream"),
}

__getattr__, __dir__ = face(__name__, _MODULES)

__all__ = ["SIGNALS", "Setting", "Spectra", "Stream", "fleet", "follow"]
