"""The targets of the literature, computed through the public API when asked for.

``target`` has the types and reads the data, ``registry`` knows which function computes what, ``compare`` has the rules,
``run`` computes and judges, ``table`` prints. The other modules compute, one subject each.
"""

from .run import run_targets, verify
from .table import Verification, markdown
from .target import Outcome, Target

__all__ = ["Outcome", "Target", "Verification", "markdown", "run_targets", "verify"]
