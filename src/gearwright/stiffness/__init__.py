"""Stiffness of parts: beams; teeth by finite elements, ISO 6336 and formulas; transmission error under load."""

from .beam import Beam, beam_deformations, beam_mass, beam_stiffness
from .cycle import Cycle, PairStiffness, pair_stiffness
from .iso6336 import IsoStiffness, iso_stiffness
from .resolve import resolve, resolved
from .ste import TransmissionError, corner_gap, transmission_error
from .tooth import ToothStiffness, tooth_stiffness

__all__ = [
    "Beam",
    "Cycle",
    "IsoStiffness",
    "PairStiffness",
    "ToothStiffness",
    "TransmissionError",
    "beam_deformations",
    "beam_mass",
    "beam_stiffness",
    "corner_gap",
    "iso_stiffness",
    "pair_stiffness",
    "resolve",
    "resolved",
    "tooth_stiffness",
    "transmission_error",
]
