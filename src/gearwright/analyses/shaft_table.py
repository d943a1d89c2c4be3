"""Shafts on the rating sheet: torque of all records, and the safeties of DIN 743 where a section is given."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatch

from gearwright.rating import din743
from gearwright.rating.iso6336_rating import RatingError
from gearwright.rating.shaft_bending import at_bearings, at_gauge
from gearwright.rating.sheet_rows import SheetTable
from gearwright.results import Result
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
    "M_b by",
    "τ_max in MPa",
    "S_D",
    "S_F",
    "Asked",
)
_NOTE = (
    "Given: d, notch, steel. Derived: T_m, T_a between the extremes of all records, on the safe side; M_b, which turns with the shaft, the largest of "
    "the stored series at a place that is given, or as given under the mean torque (a blank one is not counted). Standard: S_D, S_F by DIN 743."
)


@dataclass(frozen=True)
class Bending:
    """Bending moment [N m] of a section at fatigue and at the largest load, and where it comes from; None where nothing says it."""

    amplitude: float | None = None
    peak: float = 0.0
    words: str | None = None


def shaft_tables(c: Collected) -> list[SheetTable]:
    """The table of all sections of shafts with a counted torque; none without shafts. Raises LifeInputError for a section that has no place."""
    names = [element for kind, element in c.read.books if kind == "shaft" and element in c.train.shafts]
    rows: list[list[float | str | None]] = []
    failed = set()
    for element in names:
        (low, _), (high, _) = c.read.extremes[element]
        own: list[ShaftLife | None] = [
            e for e in c.facts.shafts if e.din743 is not None and any(fnmatch(element, p) for p in e.on)
        ]
        for section in own or [None]:
            row, fails = _row(c, element, (low, high), section)
            if fails:
                failed.add(len(rows))
            rows.append(row)
    if not rows:
        return []
    blank = "din743 (diameter, notch, steel), and bending or at, of shafts; at a gauge or first end bending follows from a spatial run alone"
    return [SheetTable("Shafts, DIN 743", _HEADS, rows, _NOTE, blank, frozenset(failed))]


def _bending(c: Collected, element: str, own: ShaftLife, ratio: float) -> Bending:
    """Of the run where a place is given, else as given, growing with the torque to ``ratio`` of it."""
    if own.at is None:
        given = None if own.din743 is None else own.din743.bending
        return Bending() if given is None else Bending(given, given * ratio, "given")
    largest = 0.0
    for path in c.paths.values():
        with Result.open(path) as result:
            if own.of is None:
                found = at_gauge(result, c.train, element, own.at)
            else:
                found = at_bearings(result, c.train, own.of, own.at)
            keep = result.time > float(result.attributes.get("discard_s", 0.0)) + 1e-9
            if found is None or not keep.any():
                return Bending()
            largest = max(largest, float(found[keep].max()))
    words = f"run, {1e3 * own.at:g} mm" + (f" of {own.of}" if own.of else " gauge" if own.at else " first end")
    return Bending(largest, largest, words)


def _row(
    c: Collected, element: str, extremes: tuple[float, float], own: ShaftLife | None
) -> tuple[list[float | str | None], bool]:
    """A section between the extremes of its torque [N m], and whether it falls short."""
    low, high = extremes
    mean, half, largest = 0.5 * (high + low), 0.5 * (high - low), max(abs(high), abs(low))
    torques: list[float | str | None] = [1e-3 * mean, 1e-3 * half, 1e-3 * largest]
    if own is None or own.din743 is None:
        return [element, None, None, *torques, None, None, None, None, None, din743.LEAST], False
    facts = own.din743
    bent = _bending(c, element, own, largest / abs(mean) if mean else 1.0)
    try:
        s = din743.shaft_safety(
            _notch(own, facts),
            din743.ShaftSteel(facts.tensile, facts.yield_point, facts.kind),
            din743.ShaftLoads(bending=(0.0, bent.amplitude or 0.0, bent.peak), torsion=(abs(mean), half, largest)),
            treated=facts.treated or own.diameter,
            roughness=facts.roughness,
            constant_mean=facts.constant_mean,
            hard_layer=facts.hard_layer,
            hollow=own.bore > 0.0,
        )
    except RatingError as error:
        return [element, None, str(error), *torques, None, None, None, None, None, din743.LEAST], False
    named: list[float | str | None] = [element, 1e3 * own.diameter, facts.notch.type.replace("_", " ")]
    moment = None if bent.amplitude is None else 1e-3 * bent.amplitude
    found: list[float | str | None] = [moment, bent.words, 1e-6 * s.largest[2], min(s.fatigue, 1e3), s.yielding]
    return [*named, *torques, *found, facts.safety], min(s.fatigue, s.yielding) < facts.safety


def _notch(entry: ShaftLife, facts: Din743Facts) -> din743.Notch:
    d, n = entry.diameter, facts.notch
    if n.type in ("shoulder", "groove"):
        return din743.Filleted(d, entry.bore, n.radius or 0.0, n.depth or 0.0, n.type == "groove")
    if n.type == "cross_hole":
        return din743.CrossHole(d, entry.bore, n.radius or 0.0)
    return din743.Measured(d, entry.bore, n.type)
