"""From a train to a system: coordinates, rows, mass, channels, by fidelity and law."""

from .assemble import assemble
from .inputs import Drive, Inputs, Load
from .motion import AssemblyError

__all__ = ["AssemblyError", "Drive", "Inputs", "Load", "assemble"]
