"""What a user declares: the drivetrain file, its schema, units, reading, and its expansion to a train.

``load`` reads a file or a shipped example, ``expand`` spells it out, ``describe`` says what was given and derived.
"""

from .describe import describe
from .errors import DrivetrainError, Problem
from .expand import expand
from .read import edit, example_path, examples, load
from .schema import Drivetrain, json_schema
from .schema_cases import Case
from .train import Train
from .values import OverTime

__all__ = [
    "Case", "Drivetrain", "DrivetrainError", "OverTime", "Problem", "Train", "describe", "edit", "example_path",
    "examples", "expand", "json_schema", "load",
]  # fmt: skip
