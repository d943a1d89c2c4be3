"""Shafts on the rating sheet: torque of all records, and the safeties of DIN 743 where a section is given."""

from __future__ import annotations

from fnmatch import fnmatch

from gearwright.rating import din743
from gearwright.rating.iso6336_rating import RatingError
from gearwright.rating.sheet_rows import SheetTable
from gearwright.schema.life import Din743Facts, ShaftLife

from .life import Collected

_HEADS = (
    "Shaft",
    "d in mm",
    "Notch",
    "T_m in kN m",
    "T_a in kN m",
    "T_max in kN m",
    "M_b in kN m",
    "τ_max in MPa",
    "S_D",
    "S_F",
    "Asked",
)
_NOTE = (
    "Torsion: mean and amplitude between the extremes of all records, on the safe side. M_b: bending of the section under the mean torque, as given; "
    "a blank one is not counted."
)


def shaft_tables(c: Collected) -> list[SheetTable]:
    """The table of all shafts with a counted torque; none without shafts."""
    names = [element for kind, element in c.read.books if kind == "shaft"]
    entries: dict[str, ShaftLife] = {}
    for entry in c.facts.shafts:
        entries |= {e: entry for e in names if any(fnmatch(e, p) for p in entry.on)}
    rows: list[list[float | str | None]] = []
    failed = set()
    for element in names:
        (low, _), (high, _) = c.read.extremes[element]
        row, fails = _row(element, low, high, entries.get(element))
        if fails:
            failed.add(len(rows))
        rows.append(row)
    if not rows:
        return []
    blank = "din743 (diameter, notch, steel, bending) of shafts"
    return [SheetTable("Shafts, DIN 743", _HEADS, rows, _NOTE, blank, frozenset(failed))]


def _row(element: str, low: float, high: float, own: ShaftLife | None) -> tuple[list[float | str | None], bool]:
    """A shaft between its extremes of torque [N m], and whether it falls short."""
    mean, half, largest = 0.5 * (high + low), 0.5 * (high - low), max(abs(high), abs(low))
    torques: list[float | str | None] = [1e-3 * mean, 1e-3 * half, 1e-3 * largest]
    if own is None or own.din743 is None:
        return [element, None, None, *torques, None, None, None, None, din743.LEAST], False
    facts = own.din743
    bent = facts.bending or 0.0  # turns with the shaft: all amplitude; grows with the torque
    peak = bent * largest / abs(mean) if mean else bent
    try:
        s = din743.shaft_safety(
            _notch(own, facts),
            din743.ShaftSteel(facts.tensile, facts.yield_point, facts.kind),
            din743.ShaftLoads(bending=(0.0, bent, peak), torsion=(abs(mean), half, largest)),
            treated=facts.treated or own.diameter,
            roughness=facts.roughness,
            constant_mean=facts.constant_mean,
            hard_layer=facts.hard_layer,
            hollow=own.bore > 0.0,
        )
    except RatingError as error:
        return [element, None, str(error), *torques, None, None, None, None, din743.LEAST], False
    named: list[float | str | None] = [element, 1e3 * own.diameter, facts.notch.type.replace("_", " ")]
    moment = None if facts.bending is None else 1e-3 * bent
    found: list[float | str | None] = [moment, 1e-6 * s.largest[2], min(s.fatigue, 1e3), s.yielding, facts.safety]
    return [*named, *torques, *found], min(s.fatigue, s.yielding) < facts.safety


def _notch(entry: ShaftLife, facts: Din743Facts) -> din743.Notch:
    d, n = entry.diameter, facts.notch
    if n.type in ("shoulder", "groove"):
        return din743.Filleted(d, entry.bore, n.radius or 0.0, n.depth or 0.0, n.type == "groove")
    if n.type == "cross_hole":
        return din743.CrossHole(d, entry.bore, n.radius or 0.0)
    return din743.Measured(d, entry.bore, n.type)


__all__ = ["shaft_tables"]
