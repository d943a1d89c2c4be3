"""Electrical machines as laws on the rotation of their rotor: torque and own states, read by any engine and loop."""

from .alone import Alone, Grid, Linear, at_rest, linearise, run_alone, unstable
from .dfig import Dfig, dfig, sequences
from .induction import Induction, induction
from .pmsg import Pmsg, pmsg

__all__ = ["Alone", "Dfig", "Grid", "Induction", "Linear", "Pmsg", "at_rest", "dfig", "induction", "linearise", "pmsg",
           "run_alone", "sequences", "unstable"]  # fmt: skip
