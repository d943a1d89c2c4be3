"""Results: counting in the loop, the file of a run, spectra, orders, derived quantities, the energy book."""

from .derive import Derived, LoadSharing, load_sharing
from .energy import EnergyBook, energy_book
from .file import changing, is_result
from .result import Result
from .store import Recorder, ResultError

__all__ = [
    "Derived",
    "EnergyBook",
    "LoadSharing",
    "Recorder",
    "Result",
    "ResultError",
    "changing",
    "energy_book",
    "is_result",
    "load_sharing",
]
