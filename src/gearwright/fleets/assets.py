"""The turbines of a fleet: which gearbox stands where and since when, and what failed."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from gearwright.errors import FileError, InputError, listed, nearest
from gearwright.interchange.delimited import names_and_units
from gearwright.schema.file import Drivetrain
from gearwright.train.expand import expand
from gearwright.train.open import load
from gearwright.train.train import Train
from gearwright.units import DIMENSIONS, UnitError, factor_to

from .sections import GENERATOR, Sections, sections_of
from .torque_map import TorqueMap, torque_map

#: columns of the table of turbines: dimension of a number, or none for a word
COLUMNS = {
    "turbine": "",
    "from": "",
    "drivetrain": "",
    "files": "",
    "rated_power": "power",
    "rated_speed": "rotational speed",
    "efficiency": "number",
    "interval": "time",
    "corner": "frequency",
    "surrogate": "",
}
#: columns of the table of failures
FAILURES = ("turbine", "date", "part", "failed")


@dataclass(frozen=True)
class Asset:
    """A gearbox in its place: from ``begin`` [s since 1970] on.

    ``drivetrain`` a file or an example, empty where nobody described it: then ``rated_power`` [W], and ``rated_speed`` [rad/s] of the generator, stand
    for it. ``files`` pattern of its files, empty: those with the turbine's name; ``interval`` [s] of its rows where they do not tell, ``corner`` [Hz];
    ``surrogate`` file of corrections, empty: that of the set-up where there is one.
    """

    turbine: str
    begin: float = -math.inf
    drivetrain: str = ""
    files: str = ""
    rated_power: float = math.nan
    rated_speed: float = math.nan
    efficiency: float = math.nan
    interval: float = math.nan
    corner: float = math.nan
    surrogate: str = ""


@dataclass(frozen=True)
class Failure:
    """What happened to a part [s since 1970]: it ``failed``, or was replaced while it ran."""

    turbine: str
    date: float
    part: str
    failed: bool


@dataclass(frozen=True)
class Gearbox:
    """What is known of a gearbox: its map and train, or None; rated torque and speed of the generator [N m, rad/s]."""

    sections: Sections
    torque: float
    speed: float
    first_mode: float
    drivetrain: Drivetrain | None = None
    train: Train | None = None
    map: TorqueMap | None = None
    remarks: tuple[str, ...] = ()


def gearbox_of(asset: Asset) -> Gearbox:
    """The gearbox of an asset. Raises InputError where neither a drivetrain nor a rated power is given."""
    if asset.drivetrain:
        return _described(asset.drivetrain)
    if not asset.rated_power > 0.0:
        raise InputError(
            f"turbine {asset.turbine}: neither a drivetrain nor a rated_power",
            where="turbines",
            allowed="drivetrain, or rated_power",
        )
    speed = asset.rated_speed if asset.rated_speed > 0.0 else 1.0
    return Gearbox(GENERATOR, asset.rated_power / speed, speed, math.inf)


@lru_cache(maxsize=32)
def _described(name: str) -> Gearbox:
    return gearbox_of_drivetrain(load(name))


def gearbox_of_drivetrain(made: Drivetrain) -> Gearbox:
    """The gearbox of a drivetrain, torsional. Raises InputError where its rated point is not given."""
    train = expand(made, "torsional")
    found = torque_map(train, "torsional")
    if not (train.torque and train.speed):
        raise InputError(f"{made.name}: a fleet needs the rated point (operating.speed and torque)", where="operating")
    return Gearbox(
        sections_of(found),
        abs(train.torque / train.ratios[found.generator]),
        abs(train.speed) * found.ratio,
        found.first_mode,
        made,
        train,
        found,
        tuple(found.remarks),
    )


def read_assets(path: str | os.PathLike[str]) -> dict[str, tuple[Asset, ...]]:
    """Gearboxes by turbine, in the order of their dates, from a table (.csv) with one row for each gearbox.

    Columns: ``turbine``; ``drivetrain`` or ``rated_power`` (and ``rated_speed``); ``from`` (a date; empty for the first gearbox), ``efficiency``, ``files``,
    ``interval``, ``corner``, ``surrogate``. Headings may name units. Raises FileError and InputError.
    """
    place = Path(path)
    found: dict[str, list[Asset]] = {}
    for number, row in enumerate(_rows(place, COLUMNS, ("turbine",)), start=2):
        where = f"{place}, line {number}"
        facts = {key: _value(text, key, unit, where) for key, (text, unit) in row.items() if text}
        begin = facts.pop("from", -math.inf)
        drivetrain = str(facts.get("drivetrain", ""))
        beside = place.parent / drivetrain
        if drivetrain and beside.is_file():
            facts["drivetrain"] = str(beside.resolve())
        asset = Asset(begin=float(begin), **facts)  # type: ignore[arg-type]
        found.setdefault(asset.turbine, []).append(asset)
    made = {name: tuple(sorted(own, key=lambda a: a.begin)) for name, own in found.items()}
    for name, own in made.items():
        if len({a.begin for a in own}) < len(own):
            raise InputError(f"{place}: two gearboxes of turbine {name} begin at the same date", where=str(place))
    if not made:
        raise InputError(f"{place}: the table names no turbine", where=str(place))
    return made


def read_failures(path: str | os.PathLike[str], turbines: Sequence[str]) -> tuple[Failure, ...]:
    """Failures and replacements: ``turbine``, ``date``, ``part`` (an element, or ``gearbox``) and ``failed`` (yes or no)."""
    place = Path(path)
    found = []
    for number, row in enumerate(_rows(place, dict.fromkeys(FAILURES, ""), FAILURES), start=2):
        where = f"{place}, line {number}"
        words = {key: text for key, (text, _) in row.items()}
        if words["turbine"] not in turbines:
            meant = nearest(words["turbine"], turbines)
            hint = f" Did you mean '{meant}'?" if meant else ""
            raise InputError(f"{where}: no turbine '{words['turbine']}'.{hint}", where=where, meant=meant)
        if words["failed"].casefold() not in ("yes", "no"):
            raise InputError(
                f"{where}: failed is '{words['failed']}'",
                where=where,
                allowed="yes (it failed), no (it was replaced running)",
            )
        found.append(
            Failure(words["turbine"], _date(words["date"], where), words["part"], words["failed"].casefold() == "yes")
        )
    return tuple(sorted(found, key=lambda f: f.date))


def _rows(path: Path, known: Mapping[str, str], needed: Sequence[str]) -> list[dict[str, tuple[str, str]]]:
    """Rows of a table by our names: text and unit of the heading."""
    import csv

    try:
        lines = [
            line
            for line in path.read_text(encoding="utf-8-sig").splitlines()
            if line.strip() and not line.startswith("#")
        ]
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(f"{path}: cannot be read ({error})", where=str(path)) from None
    if not lines:
        raise FileError(f"{path}: is empty", where=str(path))
    separator = ";" if ";" in lines[0] else ","
    table = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=separator)]
    names, units = names_and_units(table[0])
    for name in names:
        if name not in known:
            meant = nearest(name, list(known))
            hint = f" Did you mean '{meant}'?" if meant else ""
            raise InputError(
                f"{path}: no column '{name}' is known. Allowed: {listed(list(known), 20)}.{hint}",
                where=str(path),
                meant=meant,
            )
    for name in needed:
        if name not in names:
            raise InputError(f"{path}: the column {name} is missing; there are {listed(names)}", where=str(path))
    return [{n: (cell, u) for n, u, cell in zip(names, units, row, strict=False)} for row in table[1:]]


def _value(text: str, key: str, unit: str, where: str) -> str | float:
    if key == "from":
        return _date(text, where)
    dimension = COLUMNS[key]
    if not dimension:
        return text
    try:
        value = float(text) * (factor_to(unit, DIMENSIONS[dimension]) if unit else 1.0)
    except (ValueError, UnitError) as error:
        raise InputError(f"{where}: {key} '{text}': {error}", where=where) from None
    if not (value > 0.0 and math.isfinite(value)) or (key == "efficiency" and value > 1.0):
        raise InputError(
            f"{where}: {key} = {text}: has to be positive{' and at most 1' if key == 'efficiency' else ''}", where=where
        )
    return value


def _date(text: str, where: str) -> float:
    """Seconds since 1970 of a date or stamp, UTC where it names no zone."""
    try:
        return float(np.datetime64(text.removesuffix("Z"), "ms").astype(np.int64)) / 1e3
    except ValueError:
        raise InputError(
            f"{where}: '{text}' is no date", where=where, allowed="2026-03-29, or 2026-03-29T12:00:00 (UTC)"
        ) from None
