"""Tables of a life: damage ranking, bearing lives, safeties of teeth, and what could not be rated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from gearwright.analyses.life import (
    LEAST_DAMAGE,
    MOST_HOURS,
    MOST_YEARS,
    BearingPart,
    LifeRating,
    PartLife,
    ToothPart,
    label,
)
from gearwright.figures.format import number, power_of_ten
from gearwright.figures.tables import Column, Table, numbers, words

# no unit for the screen to change: an hour and a year stay
_LIFE = [Column("Life [years]", most=MOST_YEARS)]


def in_years(years: float) -> str:
    """A life in words: ``12.3 years``, ``more than 1e6 years``."""
    return f"{number(years, 3)} years" if years <= MOST_YEARS else f"more than {power_of_ten(MOST_YEARS)} years"


def below(
    rows: Sequence[Sequence[Any]], column: int, limits: Sequence[float | None] | None = None
) -> set[tuple[int, int]]:
    """Cells (row, column) below a limit: 1, or that of each row."""
    found = set()
    for i, row in enumerate(rows):
        limit, value = 1.0 if limits is None else limits[i], row[column]
        if limit is not None and value is not None and value < limit:
            found.add((i, column))
    return found


def finite_or_nan(value: float | None) -> float:
    """The value, or not a number where there is none or it is endless: a table shows a dash for both."""
    return math.nan if value is None or not math.isfinite(value) else float(value)


def ranking_table(rows: Sequence[PartLife]) -> Table | None:
    """Parts by damage; None without any."""
    if not rows:
        return None
    damage = numbers("Damage", "from", "to", least=LEAST_DAMAGE)
    columns = [*words("Part", "Mode"), *damage, *_LIFE, *numbers("Margin", most=MOST_YEARS), *words("on")]
    body = [
        [
            label(r),
            r.mode,
            r.damage,
            finite_or_nan(r.damage_low),
            finite_or_nan(r.damage_high),
            r.life_years,
            r.margin,
            r.margin_of,
        ]
        for r in rows
    ]
    note = (
        "Damage: Palmgren-Miner sum over the life, 1 fails; the interval holds it with 90 % (seeds of every wind speed "
        "drawn again). Margin: above 1 is enough; ▼ below 1."
    )
    return Table("ranking", "Parts by damage", columns, body, governing=0, note=note, short=frozenset(below(body, 6)))


def bearing_table(rows: Sequence[PartLife]) -> Table | None:
    """Rating lives of bearings; None without any."""
    chosen = [r for r in rows if isinstance(r, BearingPart)]
    if not chosen:
        return None
    columns = [
        *words("Bearing"),
        *numbers("C [N]", "Equivalent load [N]", "Speed [rad/s]"),
        Column("Life [h]", most=MOST_HOURS),
        Column("Required [h]"),
        *numbers("Life margin", "Load margin", most=MOST_YEARS),
        *numbers("Static safety"),
        *numbers("Largest pressure", "allowed", unit="Pa"),
    ]
    body = [
        [
            label(r),
            r.dynamic_rating,
            r.equivalent_load,
            r.mean_speed,
            r.life_hours,
            finite_or_nan(r.required_hours),
            r.margin,
            r.load_margin,
            finite_or_nan(r.static_safety),
            finite_or_nan(r.largest_pressure),
            finite_or_nan(r.allowed_pressure),
        ]
        for r in chosen
    ]
    note = (
        "Per bearing: loads of a support are shared by its bearings. Equivalent load over the revolutions of the life "
        "(time at load of every run, speed at that load); life in hours of operation. ▼ not enough."
    )
    short = below(body, 6) | below(body, 7)
    short |= {(i, 9) for i, r in enumerate(chosen) if (r.largest_pressure or 0.0) > (r.allowed_pressure or math.inf)}
    return Table("bearing-lives", "Rating life of bearings (ISO 281)", columns, body, note=note, short=frozenset(short))


def tooth_table(rows: Sequence[PartLife]) -> Table | None:
    """Safeties of teeth; None without any."""
    chosen = [r for r in rows if isinstance(r, ToothPart)]
    if not chosen:
        return None
    columns = [
        *words("Wheel", "Mode"),
        *numbers("Damage", least=LEAST_DAMAGE),
        *_LIFE,
        *numbers("Safety", "asked for", "Largest stress [Pa]", "Load cycles"),
    ]
    body = [
        [
            label(r),
            r.mode,
            r.damage,
            r.life_years,
            finite_or_nan(r.safety),
            finite_or_nan(r.safety_wanted),
            finite_or_nan(r.largest_stress),
            r.cycles,
        ]
        for r in chosen
    ]
    note = "Safety: the factor on all stresses at which the damage over the life is 1 (ISO 6336-6), S_H and S_F."
    note += " ▼ less than asked for."
    short = frozenset(below(body, 4, [r.safety_wanted for r in chosen]))
    return Table("tooth-safeties", "Pitting and root bending (ISO 6336)", columns, body, note=note, short=short)


def missing_table(found: LifeRating) -> Table | None:
    """What could not be rated; None where all could."""
    if not found.missing:
        return None
    reasons: dict[tuple[str, str], list[str]] = {}
    for m in found.missing:
        reasons.setdefault((m["what"], m["where"]), []).append(m["element"])
    rows = [[what, where, ", ".join(elements)] for (what, where), elements in reasons.items()]
    return Table("not-rated", "Elements that could not be rated", words("Missing", "Where to get it", "Elements"), rows)
