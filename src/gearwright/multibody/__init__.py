"""Constrained multibody dynamics with large rotations: bodies, joints, gear rows, reactions (docs/multibody.md)."""

from .analysis import Linearised, carried, equilibrium, inverse_dynamics, kinematic, linearise
from .elements import Body, Joint, Load, MultibodyError
from .mechanism import Mechanism
from .simulate import Motion, simulate

__all__ = [
    "Body",
    "Joint",
    "Linearised",
    "Load",
    "Mechanism",
    "Motion",
    "MultibodyError",
    "carried",
    "equilibrium",
    "inverse_dynamics",
    "kinematic",
    "linearise",
    "simulate",
]
