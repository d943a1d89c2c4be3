"""From the section ``life`` and the catalogue data of a drivetrain to rated components, and what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatch
from typing import Any

from gearwright.drivetrain.errors import listed, nearest
from gearwright.drivetrain.schema_life import BearingLife, Life, LineContactFacts
from gearwright.drivetrain.train import Bearing as Support
from gearwright.drivetrain.train import Train
from gearwright.life.components import Bearing, Component, Shaft
from gearwright.life.contact_stress import LineContact
from gearwright.life.miner import Strength
from gearwright.life.records import Record


class LifeInputError(ValueError):
    """Ratings, weights or records that do not fit together; the message says what is missing and where to get it."""


def rated(train: Train, facts: Life, record: Record, scale: float) -> tuple[list[Component], list[dict[str, str]]]:
    """Components of a record that can be rated, and what is missing for the others.

    ``scale`` is the ratio of the body whose speed the records hold. Raises LifeInputError for patterns that match nothing
    and speeds that are not known.
    """
    components: list[Component] = []
    components += _bearings(train, facts, record, scale)
    components += _shafts(facts, record)
    done = {c.element for c in components}
    missing = []
    for name in record.loads:
        if name in train.bearings and name not in done:
            missing.append({
                "element": name, "what": "dynamic_rating",
                "where": "the maker's catalogue; put it into life.bearings, or as data: {dynamic_rating: ...} at the bearing",
            })  # fmt: skip
    return components, missing


def _matching(patterns: Sequence[str], known: Sequence[str], where: str) -> list[str]:
    found = [name for name in known if any(fnmatch(name, p) for p in patterns)]
    if not found:
        meant = nearest(patterns[0], known)
        raise LifeInputError(f"{where}: no element of the record matches {listed(patterns)}; there are {listed(known, 20)}"
                             + (f"; did you mean '{meant}'?" if meant else ""))  # fmt: skip
    return found


def _bearings(train: Train, facts: Life, record: Record, scale: float) -> list[Bearing]:
    known = [name for name, load in record.loads.items() if load.kind == "bearing" and name in train.bearings]
    made: list[Bearing] = []
    given: set[str] = set()
    for i, entry in enumerate(facts.bearings):
        for name in _matching(entry.on, known, f"life.bearings.{entry.name or i}"):
            made.append(_bearing(train, train.bearings[name], entry, scale, record))
            given.add(name)
    for name in known:
        data = train.bearings[name].facts
        if name not in given and "dynamic_rating" in data:
            entry = BearingLife(
                on=[name], name=str(data.get("type", "")), dynamic_rating=float(data["dynamic_rating"]),
                static_rating=float(data["static_rating"]) if "static_rating" in data else None,
                contact="ball" if "ball" in str(data.get("type", "")).lower() or data.get("contact") == "ball" else "roller",
            )  # fmt: skip
            made.append(_bearing(train, train.bearings[name], entry, scale, record, "data of the bearing"))
    return made


def _bearing(
    train: Train, support: Support, entry: BearingLife, scale: float, record: Record, source: str = ""
) -> Bearing:
    ratios = [train.ratios.get(body, 0.0) for body in support.between]
    if not train.ratios:
        raise LifeInputError(
            f"bearing '{support.name}': the train has no ratios (operating.fixed), so its speed is not known"
        )
    if not record.mean_speed > 0.0:
        raise LifeInputError(
            f"bearing '{support.name}': the record holds no speed and the drivetrain no operating.speed"
        )
    m = entry.modification
    return Bearing(
        support.name, entry.name or "", (ratios[0] - ratios[1]) / scale, entry.dynamic_rating, entry.contact, entry.count,
        entry.radial_factor, entry.axial_factor, entry.static_rating,
        entry.required / 3600.0 if entry.required is not None else None, entry.reliability,
        m.viscosity if m else None, m.pitch_diameter if m else None, m.contamination if m else None,
        m.fatigue_limit if m else None, _line(entry.line_contact),
        entry.line_contact.allowed if entry.line_contact else None, source or "section life",
    )  # fmt: skip


def _line(facts: LineContactFacts | None) -> LineContact | None:
    if facts is None:
        return None
    values: dict[str, Any] = facts.model_dump(exclude={"allowed"})
    return LineContact(**values)


def _shafts(facts: Life, record: Record) -> list[Shaft]:
    known = [name for name, load in record.loads.items() if load.kind == "shaft"]
    made = []
    for i, entry in enumerate(facts.shafts):
        strength = Strength(tuple(p[0] for p in entry.strength.points), tuple(p[1] for p in entry.strength.points),
                            entry.strength.beyond)  # fmt: skip
        for name in _matching(entry.on, known, f"life.shafts.{i}"):
            made.append(Shaft(name, entry.diameter, entry.bore, entry.concentration, strength))
    return made


__all__ = ["LifeInputError", "rated"]
