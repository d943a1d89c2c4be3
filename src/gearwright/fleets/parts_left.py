"""The parts of every gearbox of a fleet: damage since each was put in, and what is left by ratings, failures and survivals."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from .assets import Failure, Gearbox
from .doses import Dosed, doses, ratings_of
from .follow import Order
from .keep import Kept
from .remaining import FleetRate, gain_spread
from .stream import Spectra

#: quantile of a 90 % interval, hours of a year, and probabilities of remaining life
NINETY, YEAR, QUANTILES = 1.6449, 8766.0, (0.1, 0.5, 0.9)
#: furthest life that a number is worth [years]
MOST_YEARS = 1000.0


@dataclass(frozen=True)
class PartLeft:
    """A part: ``damage`` since it was put in (a Miner sum of 1 fails a tenth) with the interval of the load's error, its growth ``per_year``, years until
    it has failed with probabilities of 10, 50 and 90 %, and the probability to fail within a year."""

    element: str
    name: str
    mode: str
    since: float
    damage: float
    low: float
    high: float
    per_year: float
    years: Mapping[str, float]
    within_year: float


def parts_left(
    order: Order,
    kept: Mapping[str, Kept],
    spectra: Mapping[str, Mapping[int, Spectra]],
    ratings: str | None,
    load_error: float,
    prior: float,
    said: list[str],
) -> dict[str, list[PartLeft]]:
    """Parts of every turbine with what is left of them, the shortest first: of all turbines together, since failures of one tell of the others."""
    now: dict[str, dict[tuple[str, str, str], tuple[float, float, float]]] = {}
    running: dict[tuple[str, str, str], list[float]] = {}
    failed: dict[tuple[str, str, str], list[float]] = {}
    exponents: dict[tuple[str, str, str], float] = {}
    for name, one in kept.items():
        dosed = _dosed(one, spectra[name], ratings, said)
        now[name] = {}
        for key, by_book in dosed.items():
            exponents[key] = by_book[1]
            since, damage, ended = _since(order, name, one, key, by_book[0])
            failed.setdefault(key, []).extend(ended)
            hours = sum(s.end - s.begin for s in spectra[name].values()) / 3600.0
            whole = sum(by_book[0].values())
            now[name][key] = (since, damage, whole / max(hours, 1e-9) * YEAR)
            running.setdefault(key, []).append(damage)
    made: dict[str, list[PartLeft]] = {}
    for name, own in now.items():
        rows = []
        for key, (since, damage, rate) in own.items():
            fleet = FleetRate.prior(prior).updated(failed.get(key, []), running[key])
            spread = math.exp(NINETY * gain_spread(load_error, exponents[key]))
            years = {f"{100 * q:g}": _capped(fleet.damage_to_go(damage, q), rate) for q in QUANTILES}
            rows.append(
                PartLeft(
                    *key,
                    since,
                    damage,
                    damage / spread,
                    damage * spread,
                    rate,
                    years,
                    fleet.failing(damage, damage + rate),
                )
            )
        made[name] = sorted(rows, key=lambda p: (p.years["50"], -p.damage, p.element, p.name))
    return made


def _capped(damage: float, rate: float) -> float:
    return MOST_YEARS if damage > MOST_YEARS * rate else damage / rate


def _dosed(
    one: Kept, books: Mapping[int, Spectra], ratings: str | None, said: list[str]
) -> dict[tuple[str, str, str], tuple[dict[int, float], float]]:
    """Damage by book of every rated part, with its exponent."""
    found: dict[tuple[str, str, str], tuple[dict[int, float], float]] = {}
    for number, spectra in books.items():
        box: Gearbox = one.gearbox(number)
        facts, words = ratings_of(box, ratings)
        said += words
        rows: list[Dosed] = [] if facts is None else doses(box, facts, [spectra], said)[0]
        for row in rows:
            by_book, _ = found.setdefault((row.element, row.name, row.mode), ({}, row.exponent))
            by_book[number] = row.damage
    return found


def _since(
    order: Order, turbine: str, one: Kept, key: tuple[str, str, str], by_book: Mapping[int, float]
) -> tuple[float, float, list[float]]:
    """Since when a part runs, its damage since then, and the damages at which its forerunners failed."""
    bounds = [-math.inf, *one.cuts, math.inf]
    touching = [f for f in order.failures if f.turbine == turbine and _touches(f, key)]
    swaps = {a.begin for a in one.assets[1:]}
    ends = {f.date: f.failed for f in touching} | {
        date: False for date in swaps if date not in {f.date for f in touching}
    }
    since, damage, failed = -math.inf, 0.0, []
    for number in range(len(bounds) - 1):
        damage += by_book.get(number, 0.0)
        end = bounds[number + 1]
        if end in ends:
            if ends[end]:
                failed.append(damage)
            since, damage = end, 0.0
    return since, damage, failed


def _touches(failure: Failure, key: tuple[str, str, str]) -> bool:
    element, name, _ = key
    return failure.part in ("gearbox", element, name, f"{element}.{name}")
