"""Books of a gearbox against the ratings of its parts: the same damage as of a run, from spectra that were counted in the field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gearwright.errors import DrivetrainError
from gearwright.parts import whole
from gearwright.rating.components import Component
from gearwright.rating.ratings import LifeInputError, rated
from gearwright.rating.records import QUANTITY, Load, Record
from gearwright.remarks import Remark, assumed
from gearwright.schema.life import Life
from gearwright.train.open import load

from .assets import Gearbox
from .sections import Section, Sections
from .stream import EXPONENTS, Spectra


@dataclass(frozen=True)
class Dosed:
    """Damage of a part (Miner, 1 fails a tenth) in one book."""

    element: str
    name: str
    mode: str
    exponent: float
    damage: float


def ratings_of(box: Gearbox, ratings: str | None) -> tuple[Life | None, list[str]]:
    """The ratings of a gearbox: of ``ratings`` (a file or an example), or of its own file; None where there are none."""
    if box.drivetrain is None:
        return None, []
    if ratings is not None:
        found = load(ratings).life
        if found is None:
            raise LifeInputError(f"{ratings} has no section 'life'")
        return found, [Remark(f"ratings of {ratings}")]
    return box.drivetrain.life, []


def record_of(spectra: Spectra, sections: Sections, name: str) -> Record:
    """The loads of a book as those of a result: what lives by levels needs no cycles, what lives by cycles gets none of means."""
    loads: dict[str, Load] = {}
    for section in sections.members.values():
        if QUANTITY.get(section.kind) == section.quantity:
            loads[section.element] = _load(spectra, section)
    turns = float(spectra.turns[-1].sum())
    mean = 2.0 * np.pi * turns / spectra.time if spectra.time else 0.0
    return Record(name, loads, spectra.time, 1.0, spectra.setting.interval, "half", mean, None)


def _load(spectra: Spectra, section: Section) -> Load:
    group, factor = section.group, section.factor
    seconds, turns = spectra.seconds[group], spectra.turns[group]
    used = seconds > 0.0
    levels = factor * spectra.levels[group][used]
    if section.kind == "bearing":
        levels = np.abs(levels)
    speed = 2.0 * np.pi * turns[used] / seconds[used]
    nothing = np.zeros(0)
    ranges, counts, extremes = nothing, nothing, (float(levels.min(initial=0.0)), float(levels.max(initial=0.0)))
    if spectra.counts is not None and not spectra.setting.means:
        cycles = spectra.counts.cycles[group]
        swings = cycles > 0.0
        ranges, counts = abs(factor) * spectra.counts.cycle_range[group][swings], cycles[swings]
        both = sorted((factor * spectra.counts.minimum[group], factor * spectra.counts.maximum[group]))
        extremes = (float(both[0]), float(both[1]))
    equivalent = abs(factor) * spectra.equivalent()[group]
    return Load(
        section.kind,
        section.unit,
        levels,
        seconds[used],
        speed,
        ranges,
        counts,
        dict(zip(EXPONENTS, equivalent.tolist(), strict=True)),
        extremes,
    )


def doses(box: Gearbox, facts: Life, books: Sequence[Spectra], said: list[str]) -> list[list[Dosed]]:
    """Damage of every rated part in every book of a gearbox; what cannot be rated is said."""
    if box.train is None or box.map is None or not books:
        return [[] for _ in books]
    records = [record_of(spectra, box.sections, f"book {i}") for i, spectra in enumerate(books)]
    scale = abs(box.train.ratios[box.map.generator])
    try:
        components, missing, notes = rated(box.train, facts, records[0], scale)
    except (LifeInputError, DrivetrainError) as error:
        said.append(Remark(f"nothing is rated: {error}"))
        return [[] for _ in books]
    said += notes
    if missing:
        said.append(Remark(f"not rated for want of data: {', '.join(sorted({m['element'] for m in missing})[:6])}"))
    slow = books[0].setting.means
    if slow and any(c.mode == "torsional fatigue" for c in components):
        said.append(assumed("shafts are not rated: rows this slow hold no cycles"))
        components = [c for c in components if c.mode != "torsional fatigue"]
    return [[_dosed(c, record) for c in components if all(n in record.loads for n in c.elements)] for record in records]


def _dosed(component: Component, record: Record) -> Dosed:
    damage = component.dose(record.loads, record.name).damage
    exponent = float(getattr(component, "exponent", 0.0) or 0.0)
    name = str(getattr(component, "name", "") or "")
    return Dosed(component.element, name, component.mode, exponent or 6.61, damage)


def write_books(path: Path, turbine: str, sections: Mapping[int, Sections], books: Mapping[int, Spectra]) -> None:
    """The books of a turbine as one netCDF file: for every section seconds and turns at level, cycles by range, sums of ranges."""
    import xarray as xr

    made = {}
    for number, spectra in books.items():
        members = sections[number].members
        rows = [(m.factor, m.group) for m in members.values()]
        factor, group = np.array([r[0] for r in rows]), [r[1] for r in rows]
        damage = spectra.damage[group] * np.abs(factor)[:, None] ** np.array(EXPONENTS)
        variables = {
            "level": (
                ("section", "level_bin"),
                factor[:, None] * spectra.levels[group],
                {"long_name": "mean load of a level"},
            ),
            "seconds": (("section", "level_bin"), spectra.seconds[group], {"units": "s", "long_name": "time at level"}),
            "revolutions": (
                ("section", "level_bin"),
                spectra.turns[group],
                {"units": "1", "long_name": "turns of the generator at level"},
            ),
            "damage_sum": (("section", "exponent"), damage, {"long_name": "sum of n R^m over all cycles"}),
        }
        if spectra.counts is not None:
            variables["cycles"] = (
                ("section", "range_bin"),
                spectra.counts.cycles[group],
                {"units": "1", "long_name": "cycles by range"},
            )
            ranges = np.abs(factor)[:, None] * spectra.counts.cycle_range[group]
            variables["cycle_range"] = (
                ("section", "range_bin"),
                ranges,
                {"long_name": "mean range of the cycles of a bin"},
            )
        coordinates = {
            "section": list(members),
            "exponent": np.array(EXPONENTS),
            "unit": ("section", [m.unit for m in members.values()]),
        }
        facts = {
            "turbine": turbine,
            "book": number,
            "begin_s": spectra.begin,
            "end_s": spectra.end,
            "counted_s": spectra.time,
        }
        made[f"book{number}"] = xr.Dataset(
            variables, coordinates, {**facts, **{f"rows_{k}": v for k, v in spectra.tally.items()}}
        )
    with whole(path) as part:
        for i, (group_name, dataset) in enumerate(made.items()):
            dataset.to_netcdf(part, mode="a" if i else "w", group=group_name, engine="netcdf4")
