"""Strength of gear steels by treatment and grade (ISO 6336-5): sigma_Hlim and sigma_Flim as lines over the hardness.

The numbers are from memory of ISO 6336-5:2003/2016 and have to be checked against the standard before they decide anything;
``life.gears`` of a file replaces them (``pitting_limit``, ``bending_limit``). Hardness is that of the surface in HV (HB for
steels that are not surface-hardened).
"""

from __future__ import annotations

from typing import NamedTuple

from .iso6336_rating import MPA, TREATMENTS, RatingError

GRADES = ("ML", "MQ", "ME")


class Line(NamedTuple):
    """``slope * hardness + base`` [MPa], for hardnesses from ``least`` to ``most`` [HV]."""

    slope: float
    base: float
    least: float
    most: float


class Steel(NamedTuple):
    """Lines of sigma_Hlim and sigma_Flim by grade, in the order ML, MQ, ME."""

    flank: tuple[Line, Line, Line]
    root: tuple[Line, Line, Line]


def _level(ml: float, mq: float, me: float, hardness: tuple[float, float]) -> tuple[Line, Line, Line]:
    a, b, c = (Line(0.0, value, *hardness) for value in (ml, mq, me))
    return a, b, c


#: material family -> its lines; a treatment names its family below
STEELS: dict[str, Steel] = {
    "case_hardened": Steel(_level(1300, 1500, 1650, (600, 800)), _level(312, 461, 525, (600, 800))),
    "induction_hardened": Steel(
        (Line(0.740, 602, 485, 615), Line(0.541, 882, 500, 615), Line(0.505, 1013, 500, 615)),
        (Line(0.305, 76, 485, 615), Line(0.138, 290, 500, 570), Line(0.271, 237, 500, 615)),
    ),
    "nitrided": Steel(_level(1125, 1250, 1450, (650, 900)), _level(270, 420, 468, (650, 900))),
    "nitrided_through_hardened": Steel(_level(788, 998, 1217, (450, 650)), _level(258, 363, 432, (450, 650))),
    "through_hardened": Steel(
        (Line(1.313, 188, 200, 360), Line(1.313, 373, 200, 360), Line(2.213, 260, 200, 390)),
        (Line(0.423, 104, 200, 360), Line(0.425, 187, 200, 360), Line(0.358, 231, 200, 390)),
    ),
    "through_hardened_carbon": Steel(
        (Line(0.963, 283, 135, 210), Line(0.925, 360, 135, 210), Line(0.838, 432, 135, 210)),
        (Line(0.250, 108, 115, 215), Line(0.240, 163, 115, 215), Line(0.283, 202, 115, 215)),
    ),
    "cast_iron": Steel(
        (Line(1.434, 211, 175, 300), Line(1.434, 211, 175, 300), Line(1.500, 250, 200, 300)),
        (Line(0.350, 119, 175, 300), Line(0.350, 119, 175, 300), Line(0.380, 134, 200, 300)),
    ),
}
#: sigma_Flim [MPa] of case-hardened steel of grade MQ by its core: below 25 HRC, from 25 HRC, and with a proven hardenability
CASE_MQ_BY_CORE = (425.0, 461.0, 500.0)
#: what a reader is told of every number of this table
SOURCE = "ISO 6336-5, from memory: to be checked against the standard"


class Limits(NamedTuple):
    """sigma_Hlim and sigma_Flim [Pa] of a steel, and in words what they follow from."""

    pitting: float
    bending: float
    words: str


def limits(treatment: str, grade: str, hardness: float | None = None, core: float | None = None) -> Limits:
    """Strength of a treatment and a grade.

    Parameters
    ----------
    hardness : of the surface [HV]; wanted where the strength depends on it
    core : of the core [HRC], for case-hardened steel of grade MQ; None: 25 HRC at least

    Raises RatingError for a treatment without a table, or a hardness that is missing or out of the table's range.
    """
    family = _family(treatment)
    if grade not in GRADES:
        raise RatingError(f"grade '{grade}': there are {', '.join(GRADES)}")
    at = GRADES.index(grade)
    steel = STEELS[family]
    words = f"{family.replace('_', '-')}, {grade}"
    found = []
    for line in (steel.flank[at], steel.root[at]):
        if line.slope and hardness is None:
            raise RatingError(
                f"strength of {words} depends on the hardness ({line.least:g} to {line.most:g} HV): give "
                "surface_hardness, or pitting_limit and bending_limit"
            )
        if hardness is not None and line.slope and not line.least <= hardness <= line.most:
            raise RatingError(
                f"a surface of {hardness:g} HV is outside the table of {words} ({line.least:g} to {line.most:g} HV); "
                "give pitting_limit and bending_limit"
            )
        found.append(line.slope * (hardness or 0.0) + line.base)
    if family == "case_hardened" and grade == "MQ" and core is not None and core < 25.0:
        found[1] = CASE_MQ_BY_CORE[0]
    if hardness is not None and steel.flank[at].slope:
        words += f", {hardness:g} HV"
    return Limits(MPA * found[0], MPA * found[1], words)


def _family(treatment: str) -> str:
    """Row of STEELS of a treatment."""
    for family in (treatment, treatment.removesuffix("_pitting")):
        if family in STEELS:
            return family
    known = [t for t in TREATMENTS if t.removesuffix("_pitting") in STEELS]
    raise RatingError(
        f"there is no table of the strength of '{treatment}' (there is one of {', '.join(known)}); give "
        "pitting_limit and bending_limit"
    )
