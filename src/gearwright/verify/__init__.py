"""The targets of the literature, computed through the public API when asked for."""

from .framework import Row, Target, print_rows, run_targets

__all__ = ["Row", "Target", "print_rows", "run_targets"]
