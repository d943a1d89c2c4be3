"""Readers of other programs' files: OpenFAST results and plain tables, as labelled series."""

from .read import inspect, read, select, series
from .record import ReadError

__all__ = ["ReadError", "inspect", "read", "select", "series"]
