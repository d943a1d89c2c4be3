"""From a train to a system: coordinates, rows, mass, channels, by fidelity and law."""

from .assemble import assemble
from .inputs import Control, Drive, Inputs, Load, Push
from .motion import AssemblyError

__all__ = ["AssemblyError", "Control", "Drive", "Inputs", "Load", "Push", "assemble"]
