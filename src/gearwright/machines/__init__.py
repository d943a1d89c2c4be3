"""Machines as laws: electrical ones and engines on the rotation of their rotor, a vehicle on its driven wheels."""

from .alone import Alone, Grid, Linear, at_rest, linearise, run_alone, unstable
from .dfig import Dfig, dfig, sequences
from .engine import EngineMap, engine
from .induction import Induction, induction
from .pmsg import Pmsg, pmsg
from .vehicle import TrackedChassis, vehicle

__all__ = [
    "Alone", "Dfig", "EngineMap", "Grid", "Induction", "Linear", "Pmsg", "TrackedChassis", "at_rest", "dfig", "engine", "induction",
    "linearise", "pmsg", "run_alone", "sequences", "unstable", "vehicle",
]  # fmt: skip
