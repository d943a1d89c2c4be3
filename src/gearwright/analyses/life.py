"""The life of every rated part from a result or the folder of a campaign: damage by wind speed and run, margins."""

from __future__ import annotations

import glob
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import numpy as np

from gearwright.campaigns import Folder
from gearwright.errors import DrivetrainError, listed, nearest
from gearwright.figures.format import finite, power_of_ten
from gearwright.progress import each
from gearwright.rating.components import Bearing, Dose
from gearwright.rating.gear_rating import Flank
from gearwright.rating.lifetime import Lifetime, Spectrum, Weights, joined, lifetime_equivalent, weigh
from gearwright.rating.ratings import LifeInputError, rated, supports
from gearwright.rating.records import Record, RecordError, read_record
from gearwright.rating.simulated import Simulated, simulated
from gearwright.rating.weibull import Climate, Measured, Weibull
from gearwright.remarks import assumed, sorted_remarks, warning
from gearwright.results import Result
from gearwright.results.file import Attribute
from gearwright.schema.case_lookup import find_case
from gearwright.schema.complaints import problems_of
from gearwright.schema.file import Drivetrain
from gearwright.schema.life import Life, WindClimate
from gearwright.schema.places import Values
from gearwright.schema.read import examples, from_mapping, parse_file
from gearwright.train.expand import expand
from gearwright.train.open import load
from gearwright.train.train import Train
from gearwright.units import DIMENSIONS, UnitError, to_si

from .base import OPTIONAL, Analysis, Column, Picture, Table, result_file_of
from .picture import Curve

#: longest life [years, h] and smallest damage that a number is worth
MOST_YEARS, MOST_HOURS, LEAST_DAMAGE = 1e6, 1e10, 1e-9
#: records joined into one spectrum before it is binned again
_MOST_LEVELS = 20_000
#: resamples of the seeds for the interval of a damage
_RESAMPLES = 1000


@dataclass
class Part:
    """A rated part and what every record did to it."""

    component: Any
    doses: dict[str, Dose] = field(default_factory=dict)
    largest: float = 0.0
    stress: float = 0.0
    static: float = 0.0


@dataclass
class Source:
    """Where the records come from: paths by name, mean wind speed by name (empty for a single result), group words."""

    name: str
    drivetrain: Drivetrain
    paths: dict[str, Path]
    speeds: dict[str, float]
    planned: int
    campaign: bool


@dataclass(frozen=True)
class PartLife:
    """Life of one part in one mode: ``damage`` over the life (and its 90 % interval), ``life_years``, ``life_hours``, load ``cycles``,
    the damage by wind speed and of the ten runs that damage most, ``margin`` and what it is a margin of; SI."""

    element: str
    name: str
    mode: str
    damage: float
    damage_low: float | None
    damage_high: float | None
    life_years: float
    life_hours: float
    cycles: float
    largest_load: float
    by_wind: Sequence[float]
    by_run: Mapping[str, float]
    margin: float
    margin_of: str


@dataclass(frozen=True)
class BearingPart(PartLife):
    """Of a bearing: equivalent load and rating [N], mean speed [rad/s], the ``factor`` a_1 a_ISO, and what stands beside its life."""

    equivalent_load: float
    dynamic_rating: float
    mean_speed: float
    factor: float | None
    basic_life_hours: float
    count: int
    share: float
    source: str
    required_hours: float | None
    load_margin: float
    static_safety: float | None = field(default=None, metadata=OPTIONAL)
    largest_pressure: float | None = field(default=None, metadata=OPTIONAL)
    allowed_pressure: float | None = field(default=None, metadata=OPTIONAL)


@dataclass(frozen=True)
class ToothPart(PartLife):
    """Of a flank or a root: safety, the one that is wanted, the largest stress and the endurance limit [Pa]."""

    safety: float
    safety_wanted: float
    largest_stress: float
    endurance: float


@dataclass(frozen=True)
class LoadRange:
    """Largest load of an element and its lifetime equivalent ranges by exponent."""

    element: str
    kind: str
    unit: str
    largest: float
    equivalent: Mapping[str, float]


@dataclass(frozen=True, repr=False, eq=False)
class LifeRating(Analysis):
    """The life of every rated part.

    ``components`` have by part ``damage`` over ``years``, ``life_years``, ``margin`` and what it is ``margin_of``, ``by_wind`` and
    ``by_run``, the largest damage first; ``elements`` their governing mode; ``loads`` lifetime equivalent ranges; ``bins`` of the
    wind; ``missing`` ratings; ``spectra`` seconds at level over the life, by element.
    """

    name: str
    source: str
    campaign: bool
    runs: int
    planned: int
    years: float
    availability: float
    wind: str | None
    covered: float | None
    hours: float
    idle_hours: float
    bins: Sequence[Mapping[str, float]]
    transients: Sequence[Mapping[str, str | float]]
    components: Sequence[PartLife]
    elements: Sequence[Mapping[str, str | float]]
    loads: Sequence[LoadRange]
    missing: Sequence[Mapping[str, str]]
    spectra: Mapping[str, Spectrum]
    equivalent_cycles: float
    residue: str
    count_interval_s: float
    reference_frequency_hz: float

    def shown(self) -> Iterator[Table | str]:
        """Damage, life and margin of every part, equivalent torques of shafts, the wind, and what is not rated."""
        rows = [_life_row(r) for r in self.components]
        if rows:
            columns = [
                "part",
                "mode",
                Column("damage", "", 3),
                Column("life years", "", 3),
                Column("life hours"),
                "margin",
                "on",
            ]
            yield Table(f"Life of {self.name}: {self.years:g} years, {self.runs} records", columns, rows, mark=0)
        if any(r.margin < 1.0 for r in self.components):
            yield "* below 1: not enough"
        shafts = [r for r in self.loads if r.kind == "shaft"]
        if shafts:
            exponents = list(shafts[0].equivalent)
            rows = [[r.element, *(1e-3 * r.equivalent[m] for m in exponents)] for r in shafts]
            yield Table(
                f"Shaft torques: lifetime equivalent ranges for {self.equivalent_cycles:.3g} cycles [kN m]",
                ["shaft", *(f"m = {m}" for m in exponents)],
                rows,
            )
        if self.bins and self.covered is not None:
            yield f"wind: {self.wind}; bins hold {100 * self.covered:.1f} % of the time, {self.idle_hours:.0f} h idle"
        reasons: dict[tuple[str, str], list[str]] = {}
        for m in self.missing:
            reasons.setdefault((m["what"], m["where"]), []).append(m["element"])
        for (what, where), elements in reasons.items():
            yield f"not rated, {what} is missing: {', '.join(elements)}\n  {where}"

    def picture(self) -> Picture | str:
        """Damage of every part."""
        damaged = [r for r in self.components if r.damage > 0.0]
        if not damaged:
            return "no part has any damage"
        bars = Curve("damage", [f"{label(r)}, {r.mode}" for r in damaged], [r.damage for r in damaged], "bars")
        return Picture("part", f"damage over {self.years:g} years", [bars], logarithmic=True)


def label(row: PartLife) -> str:
    """Element and variant of a component."""
    return f"{row.element} ({row.name})" if row.name else str(row.element)


def _life_row(r: PartLife) -> list[Any]:
    """A part as a person reads it: what is beyond all use as less or more than a power of ten."""
    damage = f"< {power_of_ten(LEAST_DAMAGE)}" if 0.0 < r.damage < LEAST_DAMAGE else r.damage
    hours = r.life_hours
    margin = r.margin
    cell = f"> {power_of_ten(MOST_YEARS)}" if margin > MOST_YEARS else "" if math.isnan(margin) else f"{margin:.3g}"
    return [
        label(r),
        r.mode,
        damage,
        f"> {power_of_ten(MOST_YEARS)}" if r.life_years > MOST_YEARS else r.life_years,
        f"> {power_of_ten(MOST_HOURS)}" if hours is not None and hours > MOST_HOURS else hours,
        cell + " *" * (margin < 1.0),
        r.margin_of,
    ]


@dataclass(frozen=True, repr=False, eq=False)
class LifeByValue(Analysis):
    """Lives for every value of what a campaign varies: ``groups`` of a value and its :class:`LifeRating`."""

    by: str
    groups: Sequence[tuple[Any, LifeRating]]

    def to_dict(self) -> dict[str, Any]:
        """As the command prints it."""
        groups = []
        for value, found in self.groups:
            data = found.to_dict()
            del data["spectra"]
            groups.append({"value": finite(value), **data})
        return {"by": self.by, "groups": groups, **sorted_remarks(self.remarks)}

    @property
    def title(self) -> str:
        """What varies."""
        return self.by

    def shown(self) -> Iterator[Table | str]:
        """The damage of every part for every value."""
        rows: dict[tuple[str, str], dict[str, float]] = {}
        for value, found in self.groups:
            for row in found.components:
                rows.setdefault((label(row), row.mode), {})[str(value)] = row.damage
        heads = [str(value) for value, _ in self.groups]
        yield Table(
            f"Damage over {self.groups[0][1].years:g} years by {self.by}",
            ["part", "mode", *(Column(h, "", 3) for h in heads)],
            [[name, mode, *(values.get(h) for h in heads)] for (name, mode), values in rows.items()],
        )

    def picture(self) -> Picture:
        """The damage of every part over the values."""
        table = self.tables[0]
        heads = [str(value) for value, _ in self.groups]
        curves = [Curve(f"{row[0]}, {row[1]}", heads, row[2:], "points") for row in table.rows]
        return Picture(self.by, "damage", curves, logarithmic=True)


def life(
    source: Any,
    ratings: str | Path | None = None,
    *,
    years: float | None = None,
    transients: Mapping[str, float] | None = None,
    by: str | None = None,
) -> LifeRating | LifeByValue:
    """Life of every rated part: ``gearwright life``.

    Parameters
    ----------
    source : a result (path, Result or Run; its record then stands for the whole life), or the folder of a campaign, whose runs are
        weighted by the wind
    ratings : file or example whose section ``life`` (or whole content) replaces that of the drivetrain
    years : of the life; None: of the section
    transients : further records by path pattern and how often each happens in a year
    by : path that a campaign varies (turbulence class, a stiffness): a life of its own for the runs of every value

    Raises LifeInputError, RecordError, LifetimeError, ClimateError, StrengthError, CampaignError or DrivetrainError.
    """
    folder = result_file_of(source)
    if by is None:
        return life_of(folder, ratings, years=years, transients=transients)
    items = _items(_source(folder), folder, by)
    values = list(dict.fromkeys(v[by] for v in items.values() if by in v))
    groups = [(v, life_of(folder, ratings, years=years, transients=transients, only=(by, v))) for v in values]
    return LifeByValue(by, groups, remarks=[note for _, found in groups for note in found.remarks])


@dataclass
class Book:
    """What the records say of the loads of one element: its unit, equivalent ranges by run and exponent, the largest magnitude."""

    unit: str
    runs: dict[str, Mapping[float, float]] = field(default_factory=dict)
    largest: float = 0.0


@dataclass
class Read:
    """What is kept of the records while they are read: loads by (kind, element), seconds and turns at level, least and largest load with
    the record that has it, durations."""

    books: dict[tuple[str, str], Book] = field(default_factory=dict)
    spectra: dict[str, list[tuple[str, Spectrum]]] = field(default_factory=dict)
    turns: dict[str, list[tuple[str, Spectrum]]] = field(default_factory=dict)
    extremes: dict[str, tuple[tuple[float, str], tuple[float, str]]] = field(default_factory=dict)
    durations: dict[str, float] = field(default_factory=dict)

    def take(self, name: str, record: Record) -> None:
        """Keep the loads of a record."""
        self.durations[name] = record.duration
        for element, own in record.loads.items():
            book = self.books.setdefault((own.kind, element), Book(own.unit))
            book.runs[name] = own.equivalent
            book.largest = max(book.largest, own.largest)
            self.spectra.setdefault(element, []).append((name, Spectrum(own.levels, own.seconds)))
            if own.kind in ("mesh", "bearing"):
                turned = Spectrum(own.levels, own.seconds * own.speed / (2.0 * math.pi))
                self.turns.setdefault(element, []).append((name, turned))
            low, high = (own.extremes[0], name), (own.extremes[1], name)
            known = self.extremes.get(element, (low, high))
            self.extremes[element] = min(known[0], low), max(known[1], high)


@dataclass
class Collected:
    """What was read of the records of a source, before it is weighted and printed."""

    place: Source
    facts: Life
    train: Train
    notes: list[str]
    finished: int
    before: dict[str, float]
    events: dict[str, tuple[Path, float]]
    run: Simulated
    scale: float
    parts: list[Part]
    missing: list[dict[str, str]]
    read: Read
    first: Record
    paths: dict[str, Path]
    climate: Climate | None
    weights: Weights


def collect(
    source: str | Path,
    ratings: str | Path | None = None,
    *,
    years: float | None = None,
    transients: Mapping[str, float] | None = None,
    only: tuple[str, Any] | None = None,
) -> Collected:
    """Read every record of a result or a campaign and dose all rated parts. Raises as :func:`life`."""
    place = _source(Path(source))
    if only is not None:
        place = _only(place, Path(source), *only)
    facts, said = _facts(place, ratings)
    if years is not None:
        facts = facts.model_copy(update={"years": years})
    train = expand(place.drivetrain)
    place = _speeds(place, facts)
    notes = [*said, *_taken(facts, years, place.campaign)]
    before = dict(place.speeds)
    finished = len(place.paths)
    events = _transients(place, {**facts.transients, **dict(transients or {})})
    paths = {**place.paths, **{n: p for n, (p, _) in events.items()}}
    reference, scale = speed_reference(train)
    run = _seen(train, place.paths.values())  # events say nothing of the nominal load
    read = Read()
    parts: list[Part] | None = None
    missing: list[dict[str, str]] = []
    first: Record | None = None
    for name, path in each("record", list(paths.items())):
        with Result.open(path) as result:
            record = read_record(result, reference)
        if record.incomplete:
            notes.append(warning(f"{name} ended early ({record.incomplete}); what was counted before is used"))
        first = _same(first, record, train)
        read.take(name, record)
        if parts is None:
            components, missing, said = rated(train, facts, record, scale, run)
            notes += said
            parts = [Part(c) for c in components]
        for part in parts:
            names = part.component.elements
            if all(n in record.loads for n in names):
                part.doses[name] = part.component.dose(record.loads, name)
                _note_largest(part, record)
    assert parts is not None and first is not None
    parts = _with_load(parts, notes)
    notes += _of_bearings([p.component for p in parts if isinstance(p.component, Bearing)], facts, train)
    climate, weights = _weights(place, facts, read.durations, events, notes)
    return Collected(
        place,
        facts,
        train,
        notes,
        finished,
        before,
        events,
        run,
        scale,
        parts,
        missing,
        read,
        first,
        paths,
        climate,
        weights,
    )


def _seen(train: Train, paths: Iterable[Path]) -> Simulated:
    """What the record with the largest mean mesh force says of dynamics, sharing and the face."""
    found: Simulated | None = None
    for path in paths:
        with Result.open(path) as result:
            one = simulated(result, train)
        if found is None or one.level > found.level:
            found = one
    assert found is not None
    return found


def life_of(
    source: str | Path,
    ratings: str | Path | None = None,
    *,
    years: float | None = None,
    transients: Mapping[str, float] | None = None,
    only: tuple[str, Any] | None = None,
) -> LifeRating:
    """As :func:`life`; ``only`` is (path, value) of a campaign: runs with another value are left out."""
    return rating_of(collect(source, ratings, years=years, transients=transients, only=only), str(source))


def rating_of(c: Collected, source: str) -> LifeRating:
    """The ratings of what was collected."""
    place, facts, weights, climate, notes = c.place, c.facts, c.weights, c.climate, list(c.notes)
    rows = [_part(part, weights, place, facts, c.read.durations) for part in c.parts]
    # planets that differ by rounding alone keep their order
    rows.sort(key=lambda row: (-float(f"{row.damage:.6g}"), row.element, row.name))
    loads = [
        _equivalents(kind, element, book, weights, c.read.durations, c.first.reference_frequency, facts)
        for (kind, element), book in c.read.books.items()
    ]
    gone = sorted(set(c.before.values()) - set(place.speeds.values()))
    if climate is not None and gone:
        notes.append(
            warning(
                f"all runs at {listed([f'{v:g}' for v in gone])} m/s are taken as transients: no record stands for operation "
                "in this wind, its time counts as idle"
            )
        )
    if place.campaign and c.finished < place.planned:
        notes.append(
            warning(
                f"{place.planned - c.finished} of {place.planned} runs are not finished: the others of their "
                "wind speeds stand for them"
            )
        )
    shortest = min(c.read.durations[name] for name in place.paths)
    if shortest < 60.0:
        notes.append(warning(f"records of {shortest:g} s stand for a whole life: slow cycles are not in them"))
    with_wind = climate is not None
    return LifeRating(
        place.name, source, place.campaign, len(place.paths), place.planned, facts.years, facts.availability,
        climate.words if climate is not None else None, weights.covered if with_wind else None, sum(weights.hours.values()),
        weights.idle_hours, _bins(weights, place) if with_wind else [],
        [{"name": n, "per_year": per} for n, (_, per) in c.events.items()], rows, _elements(rows), loads, c.missing,
        {element: _spectrum(pairs, weights) for element, pairs in c.read.spectra.items()}, facts.equivalent_cycles, c.first.residue,
        c.first.interval, c.first.reference_frequency, remarks=notes,
    )  # fmt: skip


# --- sources -----------------------------------------------------------------------------------------------


def _source(path: Path) -> Source:
    if path.is_dir():
        folder = Folder(path)
        plan = folder.plan()
        finished = [i for i in plan.items if (folder.lines / f"{i}.json").is_file()]
        paths = {i: folder.results / f"{i}.nc" for i in finished}
        if not paths:
            raise LifeInputError(f"{path}: no run of this campaign is finished")
        lost = [i for i, file in paths.items() if not file.is_file()]
        if lost:
            raise LifeInputError(
                f"{path}: results are not here ({listed(lost, 3)}); run the campaign again with "
                "--return-results, or on a common file system"
            )
        return Source(plan.name, plan.drivetrain, paths, {}, len(plan.items), True)
    if not path.is_file():
        raise LifeInputError(f"{path}: neither a result file nor the folder of a campaign")
    with Result.reading(path) as result:
        attributes = dict(result.attributes)
    return Source(path.stem, drivetrain_of(path, attributes), {path.stem: path}, {}, 1, False)


def _only(place: Source, folder: Path, path: str, value: Any) -> Source:
    items = _items(place, folder, path)
    place.paths = {name: file for name, file in place.paths.items() if items[name].get(path) == value}
    place.planned = sum(values.get(path) == value for values in items.values())
    if not place.paths:
        raise LifeInputError(f"no finished run has {path} = {value}")
    return place


def _items(place: Source, folder: Path, path: str) -> Mapping[str, Values]:
    if not place.campaign:
        raise LifeInputError(f"'{path}' tells the runs of a campaign apart; this is one result")

    plan = Folder(folder).plan()
    if path not in plan.paths:
        meant = nearest(path, plan.paths)
        raise LifeInputError(
            f"the campaign does not vary '{path}'; it varies {listed(plan.paths)}"
            + (f"; did you mean '{meant}'?" if meant else "")
        )
    return plan.items


def drivetrain_of(path: Path, attributes: Mapping[str, Attribute]) -> Drivetrain:
    """The drivetrain that a result holds. Raises LifeInputError for a result of an older version."""
    import json

    raw = attributes.get("drivetrain_json")
    if raw is None:
        raise LifeInputError(
            f"{path}: the result does not hold its drivetrain (it was made by an older version); run it again"
        )
    return from_mapping(json.loads(str(raw)), None, str(attributes.get("drivetrain_text", "")))


def _speeds(place: Source, facts: Life) -> Source:
    """Mean wind speed of every run of a campaign, from the values of its plan or from its case."""
    if not place.campaign:
        return place

    file = next(iter(place.paths.values())).parent.parent
    plan = Folder(file).plan()
    for name in place.paths:
        value = plan.items[name].get(facts.wind_speed, plan.items[name].get("mean_wind"))
        if value is None and facts.wind_speed.startswith("wind."):
            value = getattr(find_case(plan.drivetrain, plan.case).wind, facts.wind_speed.split(".", 1)[1], None)
        try:
            speed = to_si(value, DIMENSIONS["speed"])
        except UnitError:
            known = listed(plan.paths) or "none"
            raise LifeInputError(
                f"run '{name}' has no mean wind speed at '{facts.wind_speed}'; the campaign varies {known} "
                "(life.wind_speed names the path)"
            ) from None
        place.speeds[name] = float(speed)
    return place


def _facts(place: Source, ratings: str | Path | None) -> tuple[Life, list[str]]:
    """The section ``life``: of ``ratings``, of what was run, or of the file as it is now."""
    from pydantic import ValidationError

    if ratings is not None:
        file = Path(ratings).expanduser()
        raw = parse_file(file) if file.is_file() else {}
        if str(ratings) in examples() or "stages" in raw or "bodies" in raw or "include" in raw:
            found = load(ratings).life
            if found is None:
                raise LifeInputError(f"{ratings} has no section 'life'")
            return found, [f"ratings of {ratings}"]
        if not file.is_file():
            raise DrivetrainError(f"--ratings {ratings}: neither a file nor an example")
        content = raw["life"] if set(raw) == {"life"} else raw
        try:
            return Life.model_validate(content), [f"ratings of {ratings}"]
        except ValidationError as error:
            raise DrivetrainError.of(problems_of(error, content, Life), str(file)) from None
    if place.drivetrain.life is not None:
        return place.drivetrain.life, []
    file_now = place.drivetrain.file
    if file_now is not None and file_now.is_file():
        now = load(file_now).life
        if now is not None:
            return now, [f"section 'life' of {file_now.name} as it is now; the campaign was run without one"]
    return Life(), ["the drivetrain has no section 'life': catalogue data of its bearings only"]


def _taken(facts: Life, years: float | None, campaign: bool) -> list[str]:
    """What the section ``life`` does not say of the life itself and of the shafts."""
    said = []
    given = facts.model_fields_set
    if years is None and "years" not in given:
        said.append(f"a life of {facts.years:g} years")
    if "availability" not in given:
        said.append(f"an availability of {facts.availability:g}")
    if "equivalent_cycles" not in given:
        said.append(f"lifetime equivalent loads for {facts.equivalent_cycles:g} cycles")
    if campaign and facts.wind is not None and not {"shape", "class_", "edges"} & facts.wind.model_fields_set:
        said.append(f"wind: a Weibull shape of {facts.wind.shape:g}")
    for shaft in facts.shafts:
        if "concentration" not in shaft.model_fields_set:
            said.append(f"shafts {listed(shaft.on)}: no stress concentration (factor 1)")
    return [assumed(sentence) for sentence in said]


def _of_bearings(bearings: Sequence[Bearing], facts: Life, train: Train) -> list[str]:
    """Lubrication and survival of bearing lives that nobody gave."""
    said = []
    dry = list(dict.fromkeys(b.element for b in bearings if b.viscosity is None))
    if dry:
        said.append(
            f"bearing lives without the influence of lubrication and contamination (a_ISO = 1): {listed(dry, 4)}"
        )
    given = any("reliability" in entry.model_fields_set for entry in facts.bearings) or any(
        b.rolling is not None and "reliability" in b.rolling.model_fields_set for b in supports(train).values()
    )
    if bearings and not given:
        said.append("bearing lives that 90 % of the bearings survive")
    return [assumed(sentence) for sentence in said]


def _transients(place: Source, wanted: Mapping[str, float]) -> dict[str, tuple[Path, float]]:
    """Records that happen a number of times a year; runs of the campaign that match leave the wind bins."""
    found: dict[str, tuple[Path, float]] = {}
    for pattern, per_year in wanted.items():
        own = [name for name in place.paths if fnmatch(name, pattern)]
        files = [place.paths.pop(name) for name in own]
        names = list(own)
        for name in own:
            place.speeds.pop(name, None)
        if not own:
            files = [Path(p) for p in sorted(glob.glob(str(Path(pattern).expanduser())))]
            names = [p.stem for p in files]
        if not files:
            raise LifeInputError(f"transients: nothing matches '{pattern}', neither a run of the campaign nor a file")
        for name, path in zip(names, files, strict=True):
            found[name] = (path, per_year / len(files))
    if not place.paths:
        raise LifeInputError("every record is a transient: nothing is left for the time between them")
    return found


def speed_reference(train: Train) -> tuple[tuple[str, float] | None, float]:
    """Machine whose stored speed stands for all others, with its speed at the operating point; its ratio."""
    known = train.speed or 0.0
    for machine in train.machines.values():
        ratio = train.ratios.get(machine.body, 0.0)
        if ratio:
            return (machine.name, abs(known * ratio)), abs(ratio)
    if train.input is not None and train.ratios.get(train.input):
        return (train.input, abs(known)), abs(train.ratios[train.input])
    return None, 1.0


def _same(first: Record | None, record: Record, train: Train) -> Record:
    """Refuse records that were not counted alike, or hold other parts of the train; a brake or clutch that only some have is none."""
    if first is None:
        return record
    for what, one, two in (
        ("counted every", first.interval, record.interval),
        ("reference frequency", first.reference_frequency, record.reference_frequency),
    ):
        if abs(one - two) > 1e-9 * max(abs(one), abs(two)):
            raise RecordError(
                f"mixed sampling: {first.name} has {what} {one:g}, {record.name} has {two:g}; loads counted "
                "in different ways cannot be added"
            )
    if first.residue != record.residue:
        raise RecordError(f"mixed residues: {first.name} has '{first.residue}', {record.name} has '{record.residue}'")
    for element, load_ in record.loads.items():
        if element in first.loads and first.loads[element].unit != load_.unit:
            raise RecordError(
                f"mixed units: {element} is in {first.loads[element].unit} in {first.name} and in {load_.unit} "
                f"in {record.name}"
            )
    lost = sorted((set(first.loads) ^ set(record.loads)) & {*train.meshes, *supports(train), *train.shafts})
    if lost:
        raise RecordError(
            f"{first.name} and {record.name} hold different elements ({listed(lost, 4)}): not one campaign"
        )
    return first


def _note_largest(part: Part, record: Record) -> None:
    """Keep the largest load of a part, of a flank that on it and its stress."""
    if isinstance(part.component, Flank):
        load, stress = part.component.largest(record.loads)
        part.stress = max(part.stress, stress)
    else:
        load = max(record.loads[name].largest for name in part.component.elements)
        if isinstance(part.component, Bearing):
            part.static = max(part.static, part.component.static_load(record.loads[part.component.elements[0]]))
    part.largest = max(part.largest, load)


def _with_load(parts: list[Part], notes: list[str]) -> list[Part]:
    """Without back flanks that nothing ever loads; a note for those that are loaded."""
    kept = [p for p in parts if not (isinstance(p.component, Flank) and p.component.back and not p.component.loaded)]
    turned = [p.component.element for p in kept if isinstance(p.component, Flank) and p.component.back]
    if turned:
        notes.append(
            assumed(
                f"{listed(list(dict.fromkeys(turned)), 6)}: teeth are loaded on both flanks, each flank and its root is rated for its own "
                "cycles, with the full strength of a root bent one way (reversed_bending is for planets and idlers)"
            )
        )
    return kept


# --- weights -----------------------------------------------------------------------------------------------


def climate_of(wind: WindClimate | None) -> Climate | None:
    """The distribution that a file describes. Raises ClimateError."""
    if wind is None:
        return None
    if wind.class_ is not None:
        return Weibull.of_class(wind.class_)
    if wind.mean is not None:
        return Weibull.of_mean(wind.mean, wind.shape)
    if wind.scale is not None:
        return Weibull(wind.scale, wind.shape)
    return Measured.of(wind.edges or (), wind.counts or ())


def _weights(
    place: Source,
    facts: Life,
    durations: Mapping[str, float],
    events: Mapping[str, tuple[Path, float]],
    notes: list[str],
) -> tuple[Climate | None, Weights]:
    life = Lifetime(facts.years, facts.availability)
    counts = {name: per_year for name, (_, per_year) in events.items()}
    if not place.campaign:
        name = next(iter(place.paths))
        hours = life.hours * life.availability
        notes.append(assumed("one record repeats through the whole life; a campaign weights many by the wind"))
        empty = np.zeros(0)
        repetitions = {name: 3600.0 * hours / durations[name], **{n: c * life.years for n, c in counts.items()}}
        return None, Weights(
            repetitions, {name: hours, **dict.fromkeys(counts, 0.0)}, empty, empty, empty, empty, life.hours - hours
        )
    climate = climate_of(facts.wind)
    if climate is None:
        roman = (getattr(find_case(place.drivetrain).wind, "class_", "") or "").upper().rstrip("ABCS+")
        climate = Weibull.of_class(roman) if roman in ("I", "II", "III") else Weibull.of_class("II")
        notes.append(assumed(f"wind: {climate.words}, of the class {roman or 'II'} (section 'life' gives none)"))
    weights = weigh(
        place.speeds,
        {n: durations[n] for n in place.speeds},
        climate,
        life,
        width=facts.bin_width,
        events=counts,
        renormalise=facts.renormalise,
    )
    between = float(climate.below(weights.high[-1]) - climate.below(weights.low[0])) - float(
        np.sum(climate.below(weights.high) - climate.below(weights.low))
    )
    if between > 1e-6:
        notes.append(
            warning(
                f"bins of {facts.bin_width:g} m/s leave out winds between the speeds of the runs, {100 * between:.3g} % of the "
                "time, which counts as idle; without 'bin_width' the edges lie midway between the speeds"
            )
        )
    return climate, weights


def _bins(weights: Weights, place: Source) -> list[dict[str, float]]:
    runs = [sum(abs(v - s) < 1e-6 for v in place.speeds.values()) for s in weights.speeds]
    hours = [sum(weights.hours[n] for n, v in place.speeds.items() if abs(v - s) < 1e-6) for s in weights.speeds]
    return [
        {"speed": float(s), "share": float(p), "hours": h, "runs": int(r)}
        for s, p, h, r in zip(weights.speeds, weights.shares, hours, runs, strict=True)
    ]


# --- results -----------------------------------------------------------------------------------------------


def _part(part: Part, weights: Weights, place: Source, facts: Life, durations: Mapping[str, float]) -> PartLife:
    component = part.component
    by_run = {name: weights.repetitions[name] * dose.damage for name, dose in part.doses.items()}
    damage = sum(by_run.values())
    cycles = sum(weights.repetitions[name] * dose.cycles for name, dose in part.doses.items())
    hours = sum(weights.hours.values()) or 1.0
    low, high = _interval(by_run, place)
    row = PartLife(
        component.element,
        getattr(component, "name", ""),
        component.mode,
        damage,
        low,
        high,
        facts.years / damage if damage > 0.0 else math.inf,
        hours / damage if damage > 0.0 else math.inf,
        cycles,
        part.largest,
        _by_wind(by_run, place, weights),
        dict(sorted(by_run.items(), key=lambda item: -item[1])[:10]),
        1.0 / damage if damage > 0.0 else math.inf,
        "damage",
    )
    if isinstance(component, Bearing):
        return _bearing(component, part, weights, hours, row)
    if isinstance(component, Flank):
        safety = component.safety({n: weights.repetitions[n] for n in part.doses})
        common = {**vars(row), "margin": safety / component.wanted, "margin_of": "safety"}
        return ToothPart(
            **common,
            safety=safety,
            safety_wanted=component.wanted,
            largest_stress=part.stress,
            endurance=component.strength.limit,
        )
    return row


def _bearing(component: Bearing, part: Part, weights: Weights, hours: float, row: PartLife) -> BearingPart:
    turns = row.cycles
    weighted = sum(weights.repetitions[name] * dose.weighted for name, dose in part.doses.items())
    equivalent = (weighted / turns) ** (1.0 / component.exponent) if turns > 0.0 else 0.0
    speed = turns * 2.0 * math.pi / (3600.0 * hours)
    factor = component.modification(equivalent, speed) if equivalent > 0.0 and speed > 0.0 else None
    life = row.life_hours * (factor if factor is not None else 1.0)
    common = {**vars(row), "life_hours": life}
    if factor is not None:
        low, high = (None if x is None else x / factor for x in (row.damage_low, row.damage_high))
        common |= {
            "damage": row.damage / factor,
            "damage_low": low,
            "damage_high": high,
            "life_years": row.life_years * factor,
            "by_wind": [d / factor for d in row.by_wind],
            "by_run": {k: d / factor for k, d in row.by_run.items()},
        }
    wanted = component.required_hours if component.required_hours is not None else hours
    margin = life / wanted if math.isfinite(life) else math.inf
    margin_of = "required life" if component.required_hours is not None else "hours of operation"
    common |= {"margin": margin, "margin_of": margin_of}
    static = component.static_rating if part.static > 0.0 else None
    line = component.line
    return BearingPart(
        **common,
        equivalent_load=equivalent,
        dynamic_rating=component.rating,
        mean_speed=speed,
        factor=factor,
        basic_life_hours=row.life_hours,
        count=component.count,
        share=component.share,
        source=component.source,
        required_hours=component.required_hours,
        load_margin=margin ** (1.0 / component.exponent),
        static_safety=None if static is None else static / part.static,
        largest_pressure=None
        if line is None
        else line.largest_pressure(part.largest * component.share / component.count),
        allowed_pressure=None if line is None else component.allowed_pressure,
    )


def _interval(by_run: Mapping[str, float], place: Source) -> tuple[float | None, float | None]:
    """90 % interval of a damage by drawing the seeds of every wind speed again; None with fewer than three anywhere."""
    groups: dict[float, list[float]] = {}
    for name, value in by_run.items():
        if name in place.speeds:
            groups.setdefault(round(place.speeds[name], 6), []).append(value)
    if not groups or min(len(v) for v in groups.values()) < 3:
        return None, None
    rng = np.random.default_rng(0)
    total = np.full(_RESAMPLES, sum(v for n, v in by_run.items() if n not in place.speeds))
    for values in groups.values():
        x = np.asarray(values)
        total = total + x[rng.integers(0, len(x), (_RESAMPLES, len(x)))].sum(axis=1)
    low, high = np.quantile(total, [0.05, 0.95])
    return float(low), float(high)


def _by_wind(by_run: Mapping[str, float], place: Source, weights: Weights) -> list[float]:
    return [
        float(sum(d for n, d in by_run.items() if n in place.speeds and abs(place.speeds[n] - s) < 1e-6))
        for s in weights.speeds
    ]


def _elements(rows: Sequence[PartLife]) -> list[dict[str, str | float]]:
    """One row an element: the mode with the largest damage of its worst variant, and its margin."""
    worst: dict[str, PartLife] = {}
    for row in rows:
        worst.setdefault(row.element, row)
    return [
        {
            "element": e,
            "governing_mode": r.mode,
            "name": r.name,
            "damage": r.damage,
            "life_years": r.life_years,
            "margin": r.margin,
            "margin_of": r.margin_of,
        }
        for e, r in worst.items()
    ]


def _equivalents(
    kind: str, element: str, book: Book, weights: Weights, durations: Mapping[str, float], frequency: float, facts: Life
) -> LoadRange:
    names = list(book.runs)
    references = [frequency * durations[n] for n in names]
    repetitions = [weights.repetitions[n] for n in names]
    equivalent = {
        f"{m:g}": lifetime_equivalent(
            [book.runs[n][m] for n in names], references, repetitions, m, facts.equivalent_cycles
        )
        for m in book.runs[names[0]]
    }
    return LoadRange(element, kind, book.unit, book.largest, equivalent)


def _spectrum(pairs: Sequence[tuple[str, Spectrum]], weights: Weights) -> Spectrum:
    """Seconds at level over the life, in 200 bins."""
    total: list[Spectrum] = []
    factors: list[float] = []
    for name, one in pairs:
        total.append(one)
        factors.append(weights.repetitions[name])
        if sum(len(s.levels) for s in total) > _MOST_LEVELS:
            total, factors = [joined(total, factors).binned(1000)], [1.0]
    return joined(total, factors).binned(200)
