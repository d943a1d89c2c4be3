"""Design files: a drivetrain, what of it may move, what it shall reach.

A design file::

    name: lighter
    drivetrain: mine.yaml                     # beside this file, or an example
    free: [shafts.main.diameter = 600 mm .. 800 mm]
    wishes: [mass least, frequency.1 >= 1.8 Hz]
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from gearwright.errors import DrivetrainError
from gearwright.schema.base import Section
from gearwright.schema.complaints import problems_of
from gearwright.schema.file import Drivetrain
from gearwright.schema.read import examples, find, parse_file
from gearwright.train.open import load

_SHIPPED = Path(__file__).parent / "designs"
Words = Annotated[list[str], Field(min_length=1)]


class DesignFile(Section):
    """A design file."""

    name: str = Field(min_length=1, pattern=r"^[A-Za-z0-9._-]+$")
    drivetrain: str
    description: str | None = None
    case: str | None = None
    campaign: str | None = None
    set: dict[Any, Any] = {}
    free: Words
    wishes: Words
    evaluations: int | None = Field(None, ge=1, le=100_000)
    points: int | None = Field(None, ge=2, le=100)


def design_examples() -> list[str]:
    """Names of the shipped designs."""
    return sorted(file.stem for file in _SHIPPED.glob("*.yaml"))


def design_file(source: str | Path) -> tuple[DesignFile, Drivetrain] | None:
    """A design file (or the name of a shipped one) and its drivetrain; None for what is none. Raises DrivetrainError."""
    file = Path(source).expanduser()
    if not file.is_file():
        if str(source) in examples() or str(source) not in design_examples():
            return None
        file = _SHIPPED / f"{source}.yaml"
    raw = parse_file(file)
    if not {"free", "wishes"} & raw.keys():
        return None
    try:
        made = DesignFile.model_validate(raw)
    except ValidationError as error:
        raise DrivetrainError.of(problems_of(error, raw, DesignFile), str(file)) from None
    return made, load(find(made.drivetrain, file.parent), made.set, made.case)
