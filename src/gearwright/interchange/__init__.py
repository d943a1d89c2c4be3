"""Readers of other programs' files: OpenFAST results and plain tables, as labelled series."""

from .read import read, select, series
from .record import ReadError

__all__ = ["ReadError", "read", "select", "series"]
