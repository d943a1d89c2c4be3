"""Gearwright: dynamics, loads and life of geared drivetrains."""

__version__ = "0.1.0"
