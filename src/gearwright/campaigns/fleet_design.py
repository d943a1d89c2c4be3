"""The campaign ``fleet``: ten minutes of every kind of weather and operation that a turbine in the field may meet.

Wind speed, turbulence, shear, density of the air and curtailment vary independently of each other: where turbulence follows from wind speed,
as in one class of IEC 61400-1, nothing can be learned of it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gearwright.errors import DrivetrainError
from gearwright.schema.file import Drivetrain
from gearwright.schema.places import Values
from gearwright.turbine import load as turbine_of

NAME = "fleet"
#: runs where nobody says how many
RUNS = 192
#: turbulence intensity at 15 m/s [-], shear exponent, density of the air [kg/m^3]: least and most
INTENSITY, SHEAR, DENSITY = (0.04, 0.18), (0.0, 0.35), (0.98, 1.30)
#: part of the runs that are curtailed, and the least share of rated power that is left
CURTAILED, LEAST_SHARE = 0.3, 0.4
#: from cut-in and to cut-out wind the outermost means keep off [m/s]
MARGIN = 0.5
#: S-N slopes that are learned
EXPONENTS = (3, 4, 6, 8, 10, 12)
#: seconds that set the run in, and that are learned from
SETTLING, LENGTH = 60.0, 600.0


class Design(NamedTuple):
    """The case that is varied, edits of the file, and values by path of every run, by id."""

    case: str
    edits: list[str]
    items: dict[str, Values]


def fleet_design(setup: Drivetrain, runs: int = RUNS) -> Design:
    """So many runs of a set-up; the first ones of a longer design are those of a shorter one.

    Raises DrivetrainError for a file without a turbine that is controlled, or without a case of turbulent wind.
    """
    case = _case(setup)
    facts = setup.turbine
    if facts is None or facts.deck:
        raise DrivetrainError(f"{setup.name}: campaign {NAME} needs a turbine with data of its own (turbine.data)")
    machine = turbine_of(facts.data or "nrel-5mw")
    if machine.controller.fixed_speed:
        raise DrivetrainError(f"{setup.name}: campaign {NAME} curtails by the controller, which a fixed speed has not")
    own = facts.controller.rated_power if facts.controller else None
    rated = own or machine.controller.rated_power
    edits = [
        f"cases.{case}.record=[shafts, machines, turbine]",
        f"cases.{case}.exponents={list(EXPONENTS)}",
        f"cases.{case}.output_interval=0.05 s",
        f"cases.{case}.duration={SETTLING + LENGTH:g} s",
        f"cases.{case}.discard={SETTLING:g} s",
    ]
    speeds = machine.cut_in_wind + MARGIN, machine.cut_out_wind - MARGIN
    return Design(case, edits, {f"{NAME}-{i + 1:04d}": v for i, v in enumerate(_drawn(runs, speeds, rated))})


def _case(setup: Drivetrain) -> str:
    """The case that is varied: ``normal``, or the first one of normal turbulence without events."""
    fit = [c.name for c in setup.cases if c.wind is not None and c.wind.type == "ntm" and not c.events]
    if not fit:
        raise DrivetrainError(f"{setup.name}: campaign {NAME} needs a case with wind of type ntm and no events")
    return "normal" if "normal" in fit else fit[0]


def _drawn(runs: int, speeds: tuple[float, float], rated: float) -> list[Values]:
    """Values by path of every run, from a sequence of low discrepancy that can be prolonged."""
    from scipy.stats import qmc  # takes a second to load

    points = qmc.Halton(6, scramble=True, seed=23).random(runs)
    low, high = (np.array(ends) for ends in zip(speeds, INTENSITY, SHEAR, DENSITY, strict=True))
    found: list[Values] = []
    for number, point in enumerate(points):
        mean, intensity, shear, density = low + point[:4] * (high - low)
        share = 1.0 if point[4] >= CURTAILED else LEAST_SHARE + (1.0 - LEAST_SHARE) * point[5]
        found.append(
            {
                "wind.mean": f"{mean:.4f} m/s",
                "wind.deviation": f"{intensity * (0.75 * mean + 5.6) / (0.75 * 15.0 + 5.6) * 15.0:.4f} m/s",
                "wind.shear": round(float(shear), 4),
                "turbine.rotor.air_density": f"{density:.4f} kg/m^3",
                "turbine.controller.rated_power": f"{rated * share:.1f} W",
                "wind.seed": number + 1,
            }
        )
    return found
