"""Which gearbox of a fleet lives hardest, by which part, why, and what is left: from what was kept of every turbine."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from gearwright.analyses.base import ASIDE, Analysis, Column, Picture, Table
from gearwright.analyses.picture import Curve
from gearwright.errors import InputError
from gearwright.remarks import Remark, assumed, warning

from .assets import Asset, Gearbox
from .corrections import Corrected, corrected
from .doses import write_books
from .events import KINDS, EventDamage, Events, counted, read_events
from .follow import Order
from .guard import HOUR, twice
from .keep import Kept
from .parts_left import NINETY, YEAR, PartLeft, parts_left
from .remaining import SLOPE, gain_spread
from .stream import EXPONENTS, Spectra
from .surrogate import Surrogate, read_surrogate, shipped_for
from .ten_minutes import Rows

#: exponents of damage by level: rolling bearings, tooth flanks, tooth roots
EXPOSURES = {"bearings": 10.0 / 3.0, "flanks": 6.61, "roots": 8.70}
#: coefficient of variation of all loads of a gearbox, where nobody says, and of the rate of failures before anything failed
LOAD_ERROR, PRIOR = 0.05, 1.0
#: corner of the filter over the first torsional mode above which cycles are seen; what surrogate and gearbox may differ by in rated torque and inertia
SEEN, ALIKE = 1.05, 0.02


@dataclass(frozen=True)
class Exposure:
    """Hours at rated torque and speed that do the same damage to what has one exponent: in the record, and per year in it, with a 90 % interval."""

    hours: float
    per_year: float
    low: float
    high: float


@dataclass(frozen=True)
class TurbineFigures:
    """A turbine: record from ``begin`` to ``end`` [s since 1970], ``hours`` counted, ``coverage`` of the time between; exposures by kind, equivalent
    ranges at 1 Hz by channel and exponent, none where rows are too slow for cycles: then ``corrected`` has them, or None; parts; ``why`` in words; faults of the record in rows, sentences on its ``clock``; ``events`` by kind, and damage (sum of n R^m at the main history, over that of the whole record)
    of each kind by exponent where a campaign of events says it."""

    turbine: str
    drivetrain: str
    interval: float
    begin: float
    end: float
    hours: float
    coverage: float
    mean_power: float
    capacity: float
    producing: float
    near_rated: float
    exposures: Mapping[str, Exposure]
    equivalent: Mapping[str, Mapping[str, float]]
    corrected: Corrected | None
    parts: Sequence[PartLeft]
    why: str
    faults: Mapping[str, float]
    clock: Sequence[str]
    events: Mapping[str, int]
    event_damage: Mapping[str, Mapping[str, float]]
    books: int
    remarks: Sequence[str]
    days: Rows = field(metadata=ASIDE)
    spectra: Spectra = field(metadata=ASIDE)
    minutes: Rows = field(metadata=ASIDE)

    @property
    def first(self) -> PartLeft | None:
        """The part that has the shortest median to go."""
        return self.parts[0] if self.parts else None


@dataclass(frozen=True, repr=False, eq=False)
class FleetFigures(Analysis):
    """The turbines of a fleet, the hardest exposed first; ``failures`` that were given, ``load_error`` (coefficient of variation) of all loads of a gearbox."""

    folder: Path
    turbines: Sequence[TurbineFigures]
    failures: int
    load_error: float

    @property
    def title(self) -> str:
        """How many turbines."""
        return f"{len(self.turbines)} turbines"

    def shown(self) -> Iterator[Table | str]:
        """The ranking."""
        heads = [
            Column("turbine"),
            Column("days", digits=3),
            Column("covered", "%", 3),
            Column("bearings", digits=3),
            Column("low", digits=3),
            Column("high", digits=3),
            Column("flanks", digits=3),
            Column("first part"),
            Column("years 10 %", digits=3),
        ]
        rows = []
        for t in self.turbines:
            e, first = t.exposures["bearings"], t.first
            rows.append(
                [
                    t.turbine,
                    (t.end - t.begin) / 86400.0,
                    t.coverage,
                    e.per_year,
                    e.low,
                    e.high,
                    t.exposures["flanks"].per_year,
                    "" if first is None else first.element,
                    None if first is None else first.years["10"],
                ]
            )
        yield Table("Fleet: hours a year at rated load that do the same damage", heads, rows)
        if self.turbines:
            yield f"{self.turbines[0].turbine} lives hardest: {self.turbines[0].why}"

    def picture(self) -> Picture:
        """Exposure of bearings by rank."""
        y = [t.exposures["bearings"].per_year for t in self.turbines]
        return Picture("rank", "rated hours a year, bearings", [Curve("bearings", list(range(1, len(y) + 1)), y)])


def figures(
    order: Order, ratings: str | None = None, load_error: float = LOAD_ERROR, prior: float = PRIOR
) -> FleetFigures:
    """Everything that the states of a fleet say, and its books as files.

    Parameters
    ----------
    ratings : file or example whose section ``life`` rates the parts; None: that of each drivetrain
    load_error : coefficient of variation of a factor common to all loads of a gearbox
    prior : coefficient of variation of the rate of failures before anything failed
    """
    said: list[str] = []
    kept = {name: order.opened(name) for name in order.assets}
    every = {name: {n: s.spectra() for n, s in sorted(one.streams.items())} for name, one in kept.items()}
    counting = {name: {n: s for n, s in own.items() if s.time > 0.0} for name, own in every.items()}
    spectra = {name: own for name, own in counting.items() if own}
    begun = {name: kept[name] for name in spectra}
    for name in kept.keys() - begun.keys():
        said.append(warning(f"turbine {name}: no row was counted"))
    parts = parts_left(order, begun, spectra, ratings, load_error, prior, said)
    found = [_turbine(one, spectra[name], parts[name], load_error, said) for name, one in begun.items()]
    found.sort(key=lambda t: (-t.exposures["bearings"].per_year, t.turbine))
    found = _reasons(found)
    for name, one in begun.items():
        sections = {n: one.gearbox(n).sections for n in spectra[name]}
        write_books(order.root / "books" / f"{one.folder.name}.nc", name, sections, spectra[name])
    for one in begun.values():
        said += one.told()
        for number in spectra[one.name]:
            said += one.gearbox(number).remarks
    said += _common(order, load_error, prior, any(t.parts for t in found))
    return FleetFigures(order.root, found, len(order.failures), load_error, remarks=said)


def _common(order: Order, load_error: float, prior: float, rated: bool) -> Iterator[str]:
    yield assumed(
        f"an error of all loads of a gearbox with a coefficient of variation of {load_error:g}, common to all time (--load-error)"
    )
    if rated:
        yield assumed(
            f"Weibull slope {SLOPE:g}; rate of failures with a coefficient of variation of {prior:g} before anything failed (--prior)"
        )
        if not order.failures:
            yield Remark("no failures are given: remaining life rests on ratings and survivals alone")


# --- turbines ------------------------------------------------------------------------------------------------


def _turbine(
    one: Kept, books: Mapping[int, Spectra], parts: Sequence[PartLeft], load_error: float, said: list[str]
) -> TurbineFigures:
    begin = min(s.begin for s in books.values())
    end = max(s.end for s in books.values())
    hours = sum(s.time for s in books.values()) / 3600.0
    span = max((end - begin + one.interval) / 3600.0, 1e-9)
    minutes = one.minutes()
    last = max(books)
    box = one.gearbox(last)
    seen = books[last].setting.corner >= SEEN * box.first_mode or not box.map
    setting = books[last].setting
    rated = setting.torque * setting.speed
    seconds = sum(s.time for s in books.values())
    work = 2.0 * np.pi * sum(float(s.sums[-1].sum()) for s in books.values())
    own = [(s.seconds[-1], s.levels[-1] / s.setting.torque) for s in books.values()]
    faults = {key: sum(s.tally[key] for s in books.values()) for key in books[last].tally}
    days = _days(minutes, setting.torque, setting.speed)
    fixed = None if seen else _corrected(one, last, minutes, said)
    happened = one.events()
    exposures = {}
    for kind, exponent in EXPOSURES.items():
        value = sum(s.rated_hours(exponent) for s in books.values())
        rate = value / max(hours, 1e-9) * YEAR
        spread = math.hypot(gain_spread(load_error, exponent), _sampling(days, kind))
        exposures[kind] = Exposure(value, rate, rate * math.exp(-NINETY * spread), rate * math.exp(NINETY * spread))
    return TurbineFigures(
        one.name,
        one.asset(last).drivetrain.rpartition("/")[2] or "rated power alone",
        one.interval,
        begin,
        end,
        hours,
        min(hours / span, 1.0),
        work / max(seconds, 1e-9),
        work / max(seconds, 1e-9) / rated,
        sum(float(time[level > 0.02].sum()) for time, level in own) / max(seconds, 1e-9),
        sum(float(time[level > 0.9].sum()) for time, level in own) / max(seconds, 1e-9),
        exposures,
        _equivalent(books[last], box) if seen else {},
        fixed,
        parts,
        "",
        faults,
        _clock(books.values()),
        counted(happened),
        _event_damage(happened, _events_of(one.asset(last), box), box, books[last], fixed),
        len(books),
        [str(r) for r in one.told()],
        days,
        books[last],
        minutes,
    )


def _corrected(one: Kept, number: int, minutes: Rows, said: list[str]) -> Corrected | None:
    """Corrections of rows too slow for cycles, where there is a surrogate of the gearbox."""
    asset, box = one.asset(number), one.gearbox(number)
    name = box.drivetrain.name if box.drivetrain is not None else ""
    if asset.surrogate:
        found = read_surrogate(asset.surrogate)
    elif name and shipped_for(name):
        found = read_surrogate(name)
    else:
        said.append(
            warning(
                f"rows this slow hold no cycles of {name}: no equivalent ranges. 'gearwright surrogate {asset.drivetrain} -o FILE' makes corrections of it, the "
                "column surrogate of the table of turbines names them"
            )
        )
        return None
    unlike = _unlike(found, box)
    if unlike:
        said.append(warning(f"turbine {one.name}: surrogate {found.name} is of another train ({unlike}): not used"))
        return None
    try:
        return corrected(found, minutes, box.sections, not one.streams[number].setting.means)
    except InputError as error:
        said.append(warning(f"turbine {one.name}: no corrections: {error}"))
        return None


def _clock(books: Iterable[Spectra]) -> list[str]:
    """What looks like a change of clocks, with its date."""
    said = []
    for spectra in books:
        step = spectra.setting.interval
        for begin, rows in twice(np.sort(np.array(spectra.clashes)), step) if step < HOUR else ():
            said.append(
                f"one hour has two sets of values ({rows} rows from {stamp(begin)} on), as at a change of clocks: times from there to the next are an hour in doubt"
            )
        said += [f"one hour is missing before {stamp(at)}, as at a change of clocks" for at in spectra.hours]
    return said


def stamp(seconds: float) -> str:
    """Date and time, UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")


def _events_of(asset: Asset, box: Gearbox) -> EventDamage | None:
    """The campaign of events beside the surrogate of an asset, or that of its set-up, or None."""
    if asset.surrogate:
        place = Path(asset.surrogate)
        return read_events(str(place.with_name(f"{place.stem}-events.csv")))
    return read_events(box.drivetrain.name) if box.drivetrain is not None else None


def _event_damage(
    events: Events, table: EventDamage | None, box: Gearbox, spectra: Spectra, fixed: Corrected | None
) -> dict[str, dict[str, float]]:
    """Damage of the events of every kind over that of the record, at the history with all of the train behind it; empty where no campaign of events is known."""
    if table is None or not len(events):
        return {}
    total = spectra.damage[-1]
    if fixed is not None and fixed.equivalent:
        main = max(box.sections.members.values(), key=lambda m: (m.group, m.kind == "shaft"))
        label = f"{main.element}.{main.quantity}"
        own = np.array(list(fixed.equivalent[label].values())) / abs(main.factor)
        total = own ** np.array(EXPONENTS) * spectra.time
    made = {}
    for k, kind in enumerate(KINDS):
        sums = [table.of(k, float(event["wind"]))[1] for event in events[events["kind"] == k]]
        if sums:
            made[kind] = {f"{m:g}": float(x) for m, x in zip(EXPONENTS, np.sum(sums, axis=0) / total, strict=True)}
    return made


def _unlike(found: Surrogate, box: Gearbox) -> str:
    """What parts a surrogate from a gearbox, or nothing."""
    pairs = (
        ("rated torque", found.torque, box.torque),
        ("rated speed", found.speed, box.speed),
        ("inertia", found.inertias[1], float(box.sections.inertias[-1])),
    )
    return ", ".join(f"{what} {a:.4g} for {b:.4g}" for what, a, b in pairs if abs(a / b - 1.0) > ALIKE)


def _equivalent(spectra: Spectra, box: Gearbox) -> dict[str, dict[str, float]]:
    """Equivalent ranges at 1 Hz of every channel; none of rows that are means."""
    if spectra.setting.means:
        return {}
    base = spectra.equivalent()
    return {
        name: {f"{m:g}": abs(s.factor) * float(base[s.group, i]) for i, m in enumerate(EXPONENTS)}
        for name, s in box.sections.members.items()
    }


#: a day of a turbine: begin [s], seconds with data, exposures of bearings, flanks and roots [rated hours], mean wind
DAY = np.dtype(
    [("begin", float), ("seconds", float), ("bearings", float), ("flanks", float), ("roots", float), ("wind", float)]
)


def _days(minutes: Rows, torque: float, speed: float) -> Rows:
    """Days of a record from its ten-minute rows, means alone: enough to tell how days differ."""
    if not len(minutes):
        return np.zeros(0, DAY)
    day = np.floor(minutes["begin"] / 86400.0)
    numbers, place = np.unique(day, return_inverse=True)
    made: Rows = np.zeros(len(numbers), DAY)
    made["begin"] = numbers * 86400.0
    made["seconds"] = np.bincount(place, minutes["seconds"])
    turns = np.abs(minutes["speed"]) / speed * minutes["seconds"] / 3600.0
    for kind, exponent in EXPOSURES.items():
        made[kind] = np.bincount(place, np.nan_to_num(turns * np.abs(minutes["torque"] / torque) ** exponent))
    known = np.isfinite(minutes["wind"])
    seconds = np.bincount(place[known], minutes["seconds"][known], len(numbers))
    wind = np.bincount(place[known], (minutes["wind"] * minutes["seconds"])[known], len(numbers))
    made["wind"] = np.divide(wind, seconds, out=np.full(len(numbers), np.nan), where=seconds > 0)
    return made


def _sampling(days: Rows, kind: str) -> float:
    """Standard error of the logarithm of a mean rate over days, which follow each other with a correlation; wide for a few days."""
    full = days[days["seconds"] > 43200.0]
    if len(full) < 3:
        return 1.0
    rate = full[kind] / full["seconds"]
    mean = rate.mean()
    if mean <= 0.0:
        return 0.0
    about = rate - mean
    correlation = float(np.clip(about[1:] @ about[:-1] / max(about @ about, 1e-300), 0.0, 0.9))
    effective = max(len(rate) * (1.0 - correlation) / (1.0 + correlation), 1.0)
    return float(math.sqrt(math.log1p((rate.std(ddof=1) / mean) ** 2 / effective)))


def _reasons(turbines: Sequence[TurbineFigures]) -> list[TurbineFigures]:
    """Each with the words that part it from the median of the fleet."""
    if not turbines:
        return []
    middle = {
        key: float(np.median([getattr(t, key) for t in turbines])) for key in ("capacity", "near_rated", "producing")
    }
    usual = float(np.median([t.exposures["bearings"].per_year for t in turbines]))
    made = []
    for t in turbines:
        ratio = t.exposures["bearings"].per_year / usual if usual > 0.0 else 1.0
        words = (
            f"{ratio:.2f} times the median of the fleet; {100 * t.near_rated:.0f} % of its time above nine tenths of rated torque (median "
            f"{100 * middle['near_rated']:.0f} %), capacity factor {100 * t.capacity:.0f} % ({100 * middle['capacity']:.0f} %)"
        )
        made.append(replace(t, why=words))
    return made
