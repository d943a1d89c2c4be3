"""Stiffness and mass of parts from their dimensions."""

from .beam import Beam, beam_deformations, beam_mass, beam_stiffness

__all__ = ["Beam", "beam_deformations", "beam_mass", "beam_stiffness"]
