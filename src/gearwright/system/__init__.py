"""The contract between assembly, laws and solvers: arrays, builder, compiled signatures. Imports nothing of ours."""

from .arrays import Arrays, Shape
from .builder import Builder, BuildError, Friction, Hard, Row, Spring
from .channel import Channel, Lines, Source
from .law import Course, Law, Pieces
from .signals import Signal, constant, ramp, sine, step, table
from .state import Block, Diverged, Leaps, State, in_order, joined
from .system import Provenance, System

__all__ = [
    "Arrays", "Block", "BuildError", "Builder", "Channel", "Course", "Diverged", "Friction", "Hard",
    "Law", "Leaps", "Lines", "Pieces", "Provenance", "Row", "Shape", "Signal", "Source", "Spring", "State", "System",
    "constant", "in_order", "joined", "ramp", "sine", "step", "table",
]  # fmt: skip
