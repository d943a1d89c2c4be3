"""The section ``ratings`` of a file from which a drivetrain is designed: what is known before there is a gearbox."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from gearwright.errors import DrivetrainError
from gearwright.units import odd_numbers
from gearwright.units.fields import (
    Duration,
    HelixAngle,
    PositiveNumber,
    PositivePower,
    Pressure,
    Quantity,
)

from .base import Section
from .complaints import problems_of
from .read import find, parsed

#: a speed above zero
Turning = Annotated[float, Quantity("rotational speed", "positive")]


class RatingsFacts(Section):
    """Ratings of a drivetrain to be designed.

    ``power``, ``rotor_speed``, ``generator_speed``: the operating point. ``layout``: planets of each stage from the rotor on, or
    par for a parallel one, '3+par+par' (default: the usual one). ``ratios`` of the stages (default: those of least volume).
    ``helix_planetary``, ``helix_parallel``: helix angles. ``application``, ``dynamic``, ``face_load``: K_A, K_v, K_Hbeta.
    ``safety_pitting``, ``safety_bending``: least S_H and S_F; ``reserve`` multiplies both. ``hours``: life at rated torque.
    ``pitting_limit``, ``bending_limit``: sigma_Hlim, sigma_Flim of the steel. ``inertia_constant`` of the rotor.
    """

    power: PositivePower
    rotor_speed: Turning
    generator_speed: Turning
    layout: str | None = None
    ratios: list[PositiveNumber] | None = None
    helix_planetary: HelixAngle | None = None
    helix_parallel: HelixAngle | None = None
    application: PositiveNumber | None = None
    dynamic: PositiveNumber | None = None
    face_load: PositiveNumber | None = None
    safety_pitting: PositiveNumber | None = None
    safety_bending: PositiveNumber | None = None
    reserve: PositiveNumber | None = None
    hours: Duration | None = None
    pitting_limit: Pressure | None = None
    bending_limit: Pressure | None = None
    inertia_constant: Duration | None = None


class RatingsFile(Section):
    """A file with the section ``ratings`` and nothing else but a name."""

    name: str | None = Field(default=None, min_length=1)
    ratings: RatingsFacts


def ratings_file(data: Any, file: Path | None = None) -> RatingsFile:
    """Validate the mapping of a file of ratings. Raises DrivetrainError that names the key and its line."""
    odd_numbers()
    try:
        return RatingsFile.model_validate(data)
    except ValidationError as error:
        raise DrivetrainError.of(problems_of(error, data, RatingsFile), None if file is None else file.name) from None


def read_ratings(source: str | Path) -> RatingsFile:
    """Read a file of ratings. Raises DrivetrainError."""
    file = find(source)
    return ratings_file(parsed(file), file)
