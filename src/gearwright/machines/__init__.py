"""Electrical machines as laws on the rotation of their rotor: torque and own states, read by any engine and loop."""

from .dfig import Dfig, dfig
from .pmsg import Pmsg, pmsg

__all__ = ["Dfig", "Pmsg", "dfig", "pmsg"]
