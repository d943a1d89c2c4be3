"""A folder of recorded runs as a campaign: every record drives the drivetrain once, and stands for its mean wind speed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gearwright import units
from gearwright.errors import DrivetrainError, listed
from gearwright.interchange import ReadError, quantity_series
from gearwright.interchange.by_quantity import resolve
from gearwright.progress import each, tell
from gearwright.running.recorded import Reading, with_loads
from gearwright.schema.file import Drivetrain
from gearwright.schema.places import Values, groups

from .plan import Options, Plan, kept

#: of two files of one run the first of these is taken
_FIRST = (".outb", ".out", ".sel", ".nc")
_SAFE = re.compile(r"[^A-Za-z0-9._-]+")


def record_plan(
    drivetrain: Drivetrain,
    folder: Path,
    reading: Reading,
    case: str | None = None,
    *,
    wind_bin: float = 1.0,
    options: Options | None = None,
    only: Sequence[str] = (),
) -> Plan:
    """The plan of a campaign of recorded runs.

    Parameters
    ----------
    folder : of the records; what is no record of a turbine in it is left out, and said
    reading : how each is read, as of :func:`gearwright.running.recorded.with_loads`
    case : of the drivetrain, whose other keys are taken over
    wind_bin : mean wind speeds are rounded to multiples of it [m/s]; runs of one speed share its time in a life
    options, only : as of :func:`gearwright.campaigns.campaign_plan`

    Raises DrivetrainError for a folder without records, a record without a wind speed, and what no record can drive.
    """
    chosen = options or Options()
    if not wind_bin > 0.0:
        raise DrivetrainError(f"--wind-bin is a speed above 0, not {wind_bin:g} m/s")
    found, left = _records(folder, reading)
    if not found:
        raise DrivetrainError(
            f"{folder}: no file there is a record with a rotor speed ({listed(left, 5) or 'it is empty'})"
        )
    if left:
        tell(f"{folder}: {len(left)} files are no records and left out: {listed(left, 5)}")
    first: Values = {}
    name = _SAFE.sub("", folder.resolve().name) or "records"
    items: dict[str, Values] = {}
    made = drivetrain
    for path in each("record", found):
        one = with_loads(
            drivetrain, path, case, fidelity=chosen.fidelity, law=chosen.law, duration=chosen.duration, **vars(reading)
        )
        raw = groups(one.drivetrain.raw["cases"])[-1]
        if not first:
            first, made = raw, one.drivetrain
        wind = round(_mean_wind(path, reading) / wind_bin) * wind_bin
        values: Values = {
            "mean_wind": f"{wind:.6g} m/s",
            **dict(_changed(first, raw, "")),
            "description": raw["description"],
        }
        items[f"{name}-{wind:.6g}ms-{_SAFE.sub('', path.stem)}"] = values
    plan = Plan(
        name,
        str(first["name"]),
        made.raw,
        items,
        str(made.file) if made.file else None,
        made.text,
        made.overrides,
        chosen,
        facts={
            "drivetrain": made.name,
            "description": f"{len(items)} records of {folder.name}, mean wind speeds in steps of {wind_bin:g} m/s",
        },
    )
    plan = kept(plan, only)
    plan.check()
    return plan


def _records(folder: Path, reading: Reading) -> tuple[list[Path], list[str]]:
    """Files of a folder that have a rotor speed, one for each run; names of the others."""
    if not folder.is_dir():
        raise DrivetrainError(f"there is no folder '{folder}'")
    order = {suffix: i for i, suffix in enumerate(_FIRST)}
    files = sorted(
        (p for p in folder.iterdir() if p.is_file() and not p.name.startswith(".")),
        key=lambda p: (p.stem, order.get(p.suffix.lower(), len(order)), p.name),
    )
    found: list[Path] = []
    left: list[str] = []
    for path in files:
        if any(p.stem == path.stem for p in found):
            continue
        try:
            known = resolve(path, reading.mapping, reading.time_column)
        except ReadError:
            known = {}
        if "rotor_speed" in known or "aerodynamic_torque" in known:
            found.append(path)
        else:
            left.append(path.name)
    return found, left


def _mean_wind(path: Path, reading: Reading) -> float:
    """Mean wind speed of a record [m/s]. Raises DrivetrainError."""
    try:
        _, values, unit = quantity_series(path, "wind_speed", reading.mapping, reading.time_column, reading.gaps)
        return float(np.mean(values)) * units.factor_to(unit, units.DIMENSIONS["speed"])
    except (ReadError, units.UnitError) as error:
        raise DrivetrainError(
            f"{error}; a campaign of records weighs each by its mean wind speed, --map wind_speed=CHANNEL names it"
        ) from None


def _changed(first: Any, other: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Paths and values in which a case differs from the first."""
    if isinstance(first, Mapping) and isinstance(other, Mapping) and set(first) == set(other):
        for key in first:
            yield from _changed(first[key], other[key], f"{path}.{key}" if path else key)
    elif isinstance(first, list) and isinstance(other, list) and len(first) == len(other):
        for i, (a, b) in enumerate(zip(first, other, strict=True)):
            yield from _changed(a, b, f"{path}.{i}")
    elif first != other:
        yield path, other
