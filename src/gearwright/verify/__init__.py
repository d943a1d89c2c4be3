"""The targets of the literature, computed through the public API when asked for."""

from .framework import Row, Target, markdown, print_rows, run_targets

__all__ = ["Row", "Target", "markdown", "print_rows", "run_targets"]
