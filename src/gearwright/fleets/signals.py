"""Recorded speed and torque (or power) of a generator, from a file or from arrays, in SI, as they were written: faults are left in."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gearwright.arrays import Float
from gearwright.errors import FileError, InputError, listed, nearest
from gearwright.interchange.dataset import loaded
from gearwright.interchange.delimited import names_and_units
from gearwright.interchange.names import known_names
from gearwright.interchange.read import records_of
from gearwright.interchange.record import ReadError
from gearwright.remarks import Remark, assumed, warning
from gearwright.results import is_result
from gearwright.units import DIMENSIONS, UnitError, factor_to

from .columns import Column, canonical, restarts

if TYPE_CHECKING:
    import pandas


#: quantities: their dimension, and the meaning that a message tells
QUANTITIES = {
    "generator_speed": ("rotational speed", "rad/s"),
    "generator_torque": ("torque", "N m, positive when generating"),
    "power": ("power", "W"),
    "brake": ("number", "0 open to 1 closed"),
    "energy": ("energy", "J, a counter"),
}
TIME = ("time", "t", "timestamp")
#: what others call the power of a generator
_POWER = ("GenPwr", "ElecPwr")
#: text tables
TABLES = (".csv", ".tsv", ".txt")
_ZONE = re.compile(r"(Z|[+-]\d\d:?\d\d)$")


@dataclass(frozen=True)
class Signals:
    """A record as it was written: (rows,) each, not-a-number where a value is missing.

    Attributes
    ----------
    source : name of the file, or ``data``
    time : [s] from the earliest row on
    begin : stamp of that row, UTC, or None where time is a number
    speed : of the generator [rad/s]
    torque : [N m], positive when generating; None where only the power is there
    power : [W], or None
    brake : how far the brake is closed [0 to 1], or None
    """

    source: str
    time: Float
    begin: str | None
    speed: Float
    torque: Float | None
    power: Float | None
    brake: Float | None = None
    remarks: tuple[str, ...] = ()


def read_signals(
    data: str | os.PathLike[str] | Mapping[str, ArrayLike] | pandas.DataFrame,
    mapping: Mapping[str, str] | Mapping[str, Column] | None = None,
) -> Signals:
    """The record of a file, a table or arrays by heading.

    ``mapping`` names columns by quantity (``{"generator_speed": "Omega [rpm]"}``, the unit from its heading), or is that of a mapping file
    (:func:`gearwright.fleets.columns.read_mapping`). Raises FileError or InputError:
    no file, no such column, no unit where the name is none of ours, no time.
    """
    if isinstance(data, str | os.PathLike):
        path = Path(data)
        ends = "".join(path.suffixes[-2:]).lower().removesuffix(".gz")
        if ends.endswith(TABLES):
            return _of_columns(_table(path), path.name, mapping or {})
        columns = _recorded(path)
        if is_result(path) and not mapping:
            return _of_run(columns, path.name)
        return _of_columns(columns, path.name, mapping or {})
    return _of_columns({str(name): np.asarray(values) for name, values in data.items()}, "data", mapping or {})


def _table(path: Path) -> dict[str, NDArray[np.generic]]:
    """Columns of a text table by heading; comma, semicolon (with decimal comma) or tab parts them."""
    import pandas

    if not path.is_file():
        raise FileError(f"{path}: no such file", where=str(path))
    try:
        with pandas.io.common.get_handle(path, "r", compression="infer", encoding="utf-8-sig") as opened:
            head = next((line for line in opened.handle if line.strip() and not line.startswith("#")), "")  # type: ignore[union-attr]
        separator = next((sign for sign in (";", "\t", ",") if sign in head), None)
        if separator is None:
            raise FileError(
                f"{path}: the first line names no columns parted by comma, semicolon or tab", where=str(path)
            )
        frame = pandas.read_csv(
            path,
            sep=separator,
            comment="#",
            decimal="," if separator == ";" else ".",
            skipinitialspace=True,
            encoding="utf-8-sig",
            low_memory=False,
        )
    except (OSError, UnicodeDecodeError, pandas.errors.ParserError, pandas.errors.EmptyDataError) as error:
        raise FileError(
            f"{path}: cannot be read as a table: {' '.join(str(error).split())[:200]}", where=str(path)
        ) from None
    return {str(name).strip(): frame[name].to_numpy() for name in frame.columns}


def _recorded(path: Path) -> dict[str, NDArray[np.generic]]:
    """Columns of a file of another program, or of a result of this one, by heading with unit."""
    records = [r for r in records_of(path) if len(r.time)]
    if not records:
        raise ReadError("holds no series over time", path)
    record = loaded(max(records, key=lambda r: len(r.time)), False)
    values = np.asarray(record.values)
    own = {f"{name} [{unit}]": row for name, unit, row in zip(record.names, record.units, values, strict=True)}
    return {"time": record.time, **own}


def _of_run(columns: Mapping[str, NDArray[np.generic]], source: str) -> Signals:
    """The machine of a result of this program: its torque drives the train where it is positive, in the sense of its speed."""
    machines = [h.removesuffix(".speed [rad/s]") for h in columns if h.endswith(".speed [rad/s]")]
    machines = [m for m in machines if f"{m}.torque [N m]" in columns]
    if not machines or ("generator" not in machines and len(machines) > 1):
        raise InputError(
            f"{source}: the result holds {listed(machines) or 'no machine'} with torque and speed; signals of one generator are "
            "wanted",
            where=source,
        )
    name = "generator" if "generator" in machines else machines[0]
    speed = np.asarray(columns[f"{name}.speed [rad/s]"], float)
    torque = np.asarray(columns[f"{name}.torque [N m]"], float)
    time = np.asarray(columns["time"], float)
    sense = -1.0 if np.nanmean(speed) < 0.0 else 1.0
    said = Remark(f"speed and torque are those of the machine '{name}' of a run")
    return Signals(source, time - time[0], None, sense * speed, -sense * torque, None, remarks=(said,))


def _of_columns(
    columns: Mapping[str, NDArray[np.generic]], source: str, given: Mapping[str, str] | Mapping[str, Column]
) -> Signals:
    said: list[str] = []
    whole = {name: one for name, one in given.items() if isinstance(one, Column)}
    mapping = {name: one for name, one in given.items() if isinstance(one, str)}
    if not mapping:
        columns = canonical(columns, whole or None, source, said)
    heads = list(columns)
    shapes = {head: np.shape(values) for head, values in columns.items()}
    if any(len(shape) != 1 for shape in shapes.values()) or len(set(shapes.values())) > 1:
        told = ", ".join(f"{head} {shape}" for head, shape in shapes.items())
        raise InputError(f"{source}: columns of one dimension and one length are wanted, not {told}", where=source)
    names, units = names_and_units(heads)
    clock = _time_column(names, heads, source, mapping)
    time, begin = _times(columns[heads[clock]], units[clock], source, said)
    found: dict[str, Float] = {}
    places = _places(names, heads, source, mapping)
    for quantity, place in places.items():
        own = names[place].casefold() == quantity
        factor = _factor(units[place], quantity, heads[place], own, source)
        found[quantity] = factor * _numbers(columns[heads[place]], heads[place], said)
        if not own:
            said.append(Remark(f"{quantity} is the column '{heads[place]}'"))
    if "energy" in found:
        said += _counter(found["energy"], found.get("power"), time)
    if "generator_speed" not in found:
        raise _absent("generator_speed", names, source)
    if "generator_torque" not in found and "power" not in found:
        raise _absent("generator_torque", names, source)
    return Signals(
        source,
        time,
        begin,
        found["generator_speed"],
        found.get("generator_torque"),
        found.get("power"),
        found.get("brake"),
        tuple(said),
    )


def _counter(energy: Float, power: Float | None, time: Float) -> list[str]:
    """What a counter of energy says: restarts, and whether it agrees with the power."""
    anew, total = restarts(energy)
    said: list[str] = []
    if anew:
        said.append(warning(f"the counter of energy falls {anew} times: it began anew from zero"))
    if power is not None and len(time) > 1:
        steps = np.diff(time)
        usual = (steps > 0.0) & (steps < 1.5 * np.median(steps))
        made = float(np.nansum((power[1:] * steps)[usual]))
        said.append(
            Remark(f"energy by its counter {total / 3.6e6:.5g} kWh, by power over the rows {made / 3.6e6:.5g} kWh")
        )
    return said


def _absent(quantity: str, names: Sequence[str], source: str) -> InputError:
    meant = nearest(quantity, names)
    hint = f" Did you mean '{meant}'?" if meant else ""
    more = ", or power with an efficiency" if quantity == "generator_torque" else ""
    return InputError(
        f"{source}: no column {quantity} ({QUANTITIES[quantity][1]}{more}); there are {listed(names)}.{hint} Other names go with "
        f"--map {quantity}=COLUMN",
        where=source,
        allowed=", ".join(["time", *QUANTITIES]),
        meant=meant,
    )


def _time_column(names: Sequence[str], heads: Sequence[str], source: str, mapping: Mapping[str, str]) -> int:
    if "time" in mapping:
        return _mapped(mapping["time"], names, heads, source)
    for i, name in enumerate(names):
        if name.casefold() in TIME:
            return i
    raise InputError(
        f"{source}: no column is called time; there are {listed(names)}. Another name goes with --map time=COLUMN",
        where=source,
        allowed="time in s, or stamps of ISO 8601",
    )


def _mapped(column: str, names: Sequence[str], heads: Sequence[str], source: str) -> int:
    for spelled in (heads, names):
        if column in spelled:
            return list(spelled).index(column)
    meant = nearest(column, names)
    hint = f" Did you mean '{meant}'?" if meant else ""
    raise InputError(f"{source}: no column '{column}'; there are {listed(names)}.{hint}", where=source, meant=meant)


def _places(names: Sequence[str], heads: Sequence[str], source: str, mapping: Mapping[str, str]) -> dict[str, int]:
    """Columns by quantity: as mapped, by our own names, by those of other programs."""
    for quantity in mapping:
        if quantity not in (*QUANTITIES, "time"):
            meant = nearest(quantity, QUANTITIES)
            hint = f" Did you mean '{meant}'?" if meant else ""
            raise InputError(
                f"--map {quantity}: no such quantity. Allowed: time, {', '.join(QUANTITIES)}.{hint}",
                where="--map",
                meant=meant,
            )
    folded = [name.casefold() for name in names]
    others = known_names(names)
    for name in _POWER:
        if name.casefold() in folded:
            others.setdefault("power", names[folded.index(name.casefold())])
    found = {}
    for quantity in QUANTITIES:
        if quantity in mapping:
            found[quantity] = _mapped(mapping[quantity], names, heads, source)
        elif quantity in folded:
            found[quantity] = folded.index(quantity)
        elif quantity in others:
            found[quantity] = list(names).index(others[quantity])
    return found


def _factor(unit: str, quantity: str, head: str, own: bool, source: str) -> float:
    dimension, wanted = QUANTITIES[quantity]
    if not unit and own:
        return 1.0
    if not unit:
        raise InputError(
            f"{source}: column '{head}' names no unit; write it in the heading, such as '{head} [rpm]'"
            if quantity == "generator_speed"
            else f"{source}: column '{head}' names no unit; write it in the heading, such as '{head} [{wanted.split(',')[0]}]'",
            where=source,
        )
    try:
        return factor_to(unit, DIMENSIONS[dimension])
    except UnitError as error:
        raise InputError(f"{source}: column '{head}': {error}{error.hint}", where=source) from None


def _numbers(values: NDArray[np.generic], head: str, said: list[str]) -> Float:
    """Values as numbers; what is none is missing, and said."""
    if values.dtype.kind in "fiub":
        return np.asarray(values, float)
    import pandas

    made = pandas.to_numeric(pandas.Series(values), errors="coerce").to_numpy(float)
    wrong = np.flatnonzero(np.isnan(made) & ~pandas.isna(values))
    if len(wrong):
        said.append(
            warning(
                f"{len(wrong)} values of '{head}' are no numbers, the first is '{values[wrong[0]]}' in row {wrong[0] + 1}: "
                "taken as missing"
            )
        )
    return made


def _times(values: NDArray[np.generic], unit: str, source: str, said: list[str]) -> tuple[Float, str | None]:
    """Seconds from the earliest row on, and its stamp."""
    time, dated = instants(values, unit, source, said)
    first = float(np.nanmin(time))
    if not dated:
        return time - first, None
    stamp = datetime.fromtimestamp(first, UTC)
    # seconds since 1970 are known to a quarter of a microsecond
    return np.round(time - first, 6), stamp.strftime("%Y-%m-%dT%H:%M:%SZ")


def instants(values: NDArray[np.generic], unit: str, source: str, said: list[str]) -> tuple[Float, bool]:
    """Times [s], since 1970 in UTC where they are stamps, which the second value says; not-a-number where there is none.

    Raises InputError where no row has a time.
    """
    if values.dtype.kind in "fiu":
        time = np.asarray(values, float)
        if unit:
            try:
                time = time * factor_to(unit, DIMENSIONS["time"])
            except UnitError as error:
                raise InputError(f"{source}: time: {error}{error.hint}", where=source) from None
        known = time[np.isfinite(time)]
        if not len(known):
            raise InputError(f"{source}: no row has a time", where=source)
        return time, False
    import pandas

    stamps = pandas.Series(values)
    if values.dtype.kind != "M":
        # words such as now are times for the library
        stamps = stamps.where(stamps.isna() | stamps.astype(str).str.match(r"\s*\d"), "?")
    made = pandas.to_datetime(stamps, utc=True, errors="coerce", format=None if values.dtype.kind == "M" else "ISO8601")
    wrong = np.flatnonzero(made.isna().to_numpy() & stamps.notna().to_numpy())
    if made.isna().all():
        raise InputError(
            f"{source}: time '{values[0]}' is neither a number nor a stamp of ISO 8601, such as 2026-03-29T01:50:00+01:00",
            where=source,
        )
    if len(wrong):
        said.append(
            warning(
                f"{len(wrong)} times are no stamps of ISO 8601, the first is '{values[wrong[0]]}' in row {wrong[0] + 1}: "
                "left out"
            )
        )
    if values.dtype.kind != "M" and not _ZONE.search(str(stamps[made.first_valid_index()]).strip()):
        said.append(assumed("the stamps name no time zone, taken as UTC"))
    return (made - pandas.Timestamp(0, tz="UTC")).dt.total_seconds().to_numpy(float), True
