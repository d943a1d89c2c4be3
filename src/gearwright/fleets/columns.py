"""Which column of a table is what: by a short file, by our own names, or as sources of operating data are known to write them.

A mapping file has a line for each quantity::

    time: {column: Date_time, zone: Europe/Paris}     # a zone for stamps without one
    turbine: Wind_turbine_name
    generator_speed: {column: Ds_avg, unit: rpm}
    power: P_avg [kW]
    status: {column: State, codes: {run: [100, 101], stop: 8, trip: [31, 32], emergency stop: 40, grid fault: 25}}
"""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gearwright.errors import InputError, listed, nearest
from gearwright.interchange.delimited import names_and_units
from gearwright.remarks import Remark, warning
from gearwright.schema.read import parse_file

from .stream_rows import STATES

Columns = Mapping[str, NDArray[np.generic]]

#: quantities of a table and what a number without a unit is in
QUANTITIES = {
    "time": "s, or stamps of ISO 8601",
    "turbine": "a name",
    "generator_speed": "rad/s",
    "generator_torque": "N m, positive when generating",
    "power": "W",
    "pitch": "rad",
    "wind_speed": "m/s",
    "brake": "0 open to 1 closed",
    "energy": "J, a counter",
    "status": "run, stop, trip, emergency stop or grid fault; or codes of these",
    "generator_speed_std": "rad/s",
    "generator_speed_min": "rad/s",
    "generator_speed_max": "rad/s",
    "generator_torque_std": "N m",
    "power_std": "W",
    "pitch_std": "rad",
    "wind_speed_std": "m/s",
}


@cache
def sources() -> dict[str, dict[str, str]]:
    """Headings of sources of operating data by quantity, with the units they are in (``columns.csv``); a source is known by its time column
    and one more."""
    made: dict[str, dict[str, str]] = {}
    with Path(__file__).with_suffix(".csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            made.setdefault(row["source"], {})[row["quantity"]] = row["heading"]
    return made


@dataclass(frozen=True)
class Column:
    """A column by its heading, the unit it is in where the heading has none, the time zone of stamps without one, and what the codes of a
    status mean: pairs of a code and one of :data:`gearwright.fleets.stream_rows.STATES`."""

    column: str
    unit: str = ""
    zone: str = ""
    codes: tuple[tuple[str, str], ...] = ()


Mapped = Mapping[str, Column]


def read_mapping(path: str | os.PathLike[str]) -> dict[str, Column]:
    """The mapping of a file. Raises InputError for a quantity or key that is unknown; FileError for what is no such file."""
    raw = parse_file(Path(path))
    found = {}
    for quantity, given in raw.items():
        _known(str(quantity), QUANTITIES, f"{path}: {quantity}")
        entry = given if isinstance(given, Mapping) else {"column": given}
        for key in entry:
            allowed = ("column", "codes") if quantity == "status" else ("column", "unit", "zone")
            _known(str(key), allowed, f"{path}: {quantity}.{key}")
        if "column" not in entry:
            raise InputError(f"{path}: {quantity} names no column", where=f"{path}: {quantity}", allowed="column")
        (name,), (unit,) = names_and_units([str(entry["column"])])
        whole = str(entry["column"])
        own = str(entry.get("unit") or "")
        found[str(quantity)] = Column(
            whole if own or not unit else name,
            own or unit,
            str(entry.get("zone") or ""),
            _codes(entry.get("codes") or {}, path),
        )
    return found


def _codes(given: object, path: str | os.PathLike[str]) -> tuple[tuple[str, str], ...]:
    """Codes of a status and what they mean. Raises InputError for a meaning that is none, and for a code with two."""
    if not isinstance(given, Mapping):
        raise InputError(
            f"{path}: status.codes: write what each code means, such as {{run: [100, 101], stop: 8}}",
            where=f"{path}: status",
        )
    found: dict[str, str] = {}
    for state, codes in given.items():
        _known(str(state), STATES, f"{path}: status.codes.{state}")
        for code in codes if isinstance(codes, Sequence) and not isinstance(codes, str) else [codes]:
            if found.setdefault(_word(code), str(state)) != state:
                raise InputError(
                    f"{path}: status.codes: {code} is {found[_word(code)]} and {state}", where=f"{path}: status.codes"
                )
    return tuple(found.items())


def _word(code: object) -> str:
    """A code as it is compared: whole numbers without a point, words without regard to case."""
    text = str(code).strip().casefold()
    return text.removesuffix(".0") if text.removesuffix(".0").lstrip("-").isdigit() else text


def states(values: NDArray[np.generic], source: str, said: list[str]) -> NDArray[np.float64]:
    """Numbers of the states that words say, not-a-number for what is none, which is said."""
    number = {state: float(k) for k, state in enumerate(STATES)}
    words, places = np.unique(np.array([_word(v) for v in values.tolist()], dtype=str), return_inverse=True)
    strange = [str(w) for w in words if w not in number and w not in ("", "nan", "none", "<na>")]
    if strange:
        said.append(
            warning(
                f"a status of {listed(strange, 6)} means nothing that is known ({', '.join(STATES)}): events there are looked for in speed "
                "and torque; a mapping file says what codes mean (status.codes)"
            )
        )
    return np.array([number.get(str(w), np.nan) for w in words])[places]


def _known(word: str, allowed: Sequence[str] | Mapping[str, str], where: str) -> None:
    if word not in allowed:
        meant = nearest(word, list(allowed))
        hint = f" Did you mean '{meant}'?" if meant else ""
        raise InputError(f"{where}: not known. Allowed: {listed(list(allowed), 20)}.{hint}", where=where, meant=meant)


def canonical(columns: Columns, mapping: Mapped | None, source: str, said: list[str]) -> Columns:
    """The columns under our names, units in the heads, stamps of a zone as UTC; those that are mapped alone, if any are.

    Without a mapping a table of a known source is mapped by its headings, unless it has names of ours.
    """
    if mapping is None:
        own = {n.casefold() for n in names_and_units(list(columns))[0]}
        if own & {"generator_speed", "generator_torque"}:
            return columns
        mapping = _recognised(columns, said)
        if mapping is None:
            return columns
    made: dict[str, NDArray[np.generic]] = {}
    for quantity, one in mapping.items():
        head = _head(one.column, columns, source, quantity)
        values = columns[head]
        if quantity == "time" and one.zone:
            values = _in_zone(values, one.zone, source, said)
        if quantity == "status" and one.codes:
            means = dict(one.codes)
            values = np.array([means.get(_word(v), str(v)) for v in values.tolist()], object)
        unit = "" if quantity == "status" else one.unit or names_and_units([head])[1][0]
        made[f"{quantity} [{unit}]" if unit else quantity] = values
    return made


def _recognised(columns: Columns, said: list[str]) -> dict[str, Column] | None:
    folded = {str(head).casefold(): str(head) for head in columns}
    best: dict[str, Column] = {}
    word = ""
    for name, heads in sources().items():
        mapped = {}
        for quantity, head in heads.items():
            unit = names_and_units([head])[1][0]
            column = head.rpartition(" [")[0] if head.endswith("]") else head
            if column.casefold().lstrip("# ") in {k.lstrip("# ") for k in folded}:
                exact = next(v for k, v in folded.items() if k.lstrip("# ") == column.casefold().lstrip("# "))
                mapped[quantity] = Column(exact, unit)
        if "time" in mapped and len(mapped) > max(len(best), 1):
            best, word = mapped, name
    if not best:
        return None
    said.append(
        Remark(f"columns are known as those of {word}: {', '.join(f'{q} is {c.column}' for q, c in best.items())}")
    )
    return best


def _head(column: str, columns: Columns, source: str, quantity: str) -> str:
    heads = list(columns)
    names, _ = names_and_units(heads)
    for spelled in (heads, names):
        if column in spelled:
            return heads[list(spelled).index(column)]
    meant = nearest(column, heads)
    hint = f" Did you mean '{meant}'?" if meant else ""
    raise InputError(
        f"{source}: no column '{column}' for {quantity}; there are {listed(heads)}.{hint}", where=source, meant=meant
    )


def _in_zone(values: NDArray[np.generic], zone: str, source: str, said: list[str]) -> NDArray[np.generic]:
    """Local stamps as UTC; those that a change of clocks leaves in doubt are no times."""
    import pandas

    stamps = pandas.to_datetime(
        pandas.Series(values), errors="coerce", format=None if values.dtype.kind == "M" else "ISO8601"
    )
    if stamps.dt.tz is not None:
        return np.asarray(stamps.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy())
    try:
        try:
            local = stamps.dt.tz_localize(zone, ambiguous="infer", nonexistent="NaT")
        except ValueError:
            local = stamps.dt.tz_localize(zone, ambiguous="NaT", nonexistent="NaT")
    except (KeyError, ValueError, OSError) as error:
        raise InputError(
            f"{source}: time zone '{zone}' is not known ({error}); a zone is like Europe/Paris or UTC", where=source
        ) from None
    lost = int((local.isna() & stamps.notna()).sum())
    if lost:
        said.append(
            warning(
                f"{lost} stamps lie in an hour that a change of clocks in {zone} repeats or leaves out: they have no time, left out"
            )
        )
    return np.asarray(local.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy())


def restarts(counter: NDArray[np.float64]) -> tuple[int, float]:
    """How often a counter falls, which means that it began anew, and what it counted in all, its restarts bridged from zero."""
    known = counter[np.isfinite(counter)]
    steps = np.diff(known)
    fallen = steps < 0.0
    return int(fallen.sum()), float(np.where(fallen, known[1:], steps).sum())
