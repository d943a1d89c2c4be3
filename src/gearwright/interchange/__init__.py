"""Readers of other programs' files as labelled Datasets: results, winds, tables, input files, measured data."""

from .by_quantity import quantity_series
from .names import QUANTITIES, known_names, read_mapping
from .openfast_inputs import drivetrain_values
from .read import inspect, read, select, series
from .record import ReadError
from .write import write

__all__ = [
    "QUANTITIES",
    "ReadError",
    "drivetrain_values",
    "inspect",
    "known_names",
    "quantity_series",
    "read",
    "read_mapping",
    "select",
    "series",
    "write",
]
