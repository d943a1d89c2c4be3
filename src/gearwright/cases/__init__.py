"""A case or a campaign: load, assemble, choose, run, store. The only room that knows all the others."""

from .analyse import ModalAnalysis, modes, static_loads
from .run import Run, RunError, prepare, simulate, write_report

__all__ = ["ModalAnalysis", "modes", "static_loads", "Run", "RunError", "prepare", "simulate", "write_report"]
