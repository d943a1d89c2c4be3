"""Compiled functions: the only room that knows numba and llvmlite. Imports nothing of ours but what lies at the bottom."""

from .compiled import Compiled, Function, Signature, by_address, caller, fused, hot, kernel, signature, summed
from .law_functions import START, force, geometry, guard

__all__ = [
    "START",
    "Compiled",
    "Function",
    "Signature",
    "by_address",
    "caller",
    "force",
    "fused",
    "geometry",
    "guard",
    "hot",
    "kernel",
    "signature",
    "summed",
]
