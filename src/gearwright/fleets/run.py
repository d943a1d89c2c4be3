"""A fleet from its files: read once or followed as they grow, counted, ranked."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from gearwright.errors import InputError, listed
from gearwright.remarks import Remark, warning

from .assets import read_assets, read_failures
from .columns import read_mapping
from .follow import Done, Order, advance
from .ranking import LOAD_ERROR, PRIOR, FleetFigures, figures
from .tables import data_files

#: how often a folder is looked at [s]
LOOK = 10.0


def fleet(
    data: str | os.PathLike[str],
    turbines: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    mapping: str | os.PathLike[str] | None = None,
    failures: str | os.PathLike[str] | None = None,
    ratings: str | None = None,
    load_error: float = LOAD_ERROR,
    prior: float = PRIOR,
    jobs: int = 1,
    scheduler: str | None = None,
) -> FleetFigures:
    """Loads, damage and remaining life of the gearboxes of a fleet from its operating data.

    Parameters
    ----------
    data : folder, pattern or file: .csv (also .gz), .parquet; of one turbine (its name in the file's name) or of several (a column turbine)
    turbines : table (.csv) of the gearboxes: turbine, drivetrain or rated_power, efficiency, from, ...
    output : the fleet's folder; one that is there is gone on with: only what is new in the files is read
    mapping : mapping file of the columns
    failures : table of what failed or was replaced: turbine, date, part, failed
    ratings : file or example whose section ``life`` rates the parts; None: that of every drivetrain
    load_error : coefficient of variation of an error common to all loads of a gearbox
    prior : coefficient of variation of the rate of failures before anything failed
    jobs, scheduler : processes of this machine, or the address of a Dask scheduler whose workers see the same folders

    Raises InputError and FileError: no files, files without a turbine, a file that was replaced, a folder begun for other gearboxes.
    """
    order = _order(turbines, output, mapping, failures)
    _check(load_error, prior)
    done = advance(order, data_files(os.fspath(data)), jobs, scheduler)
    return _told(figures(order, ratings, load_error, prior), done)


def follow(
    data: str | os.PathLike[str],
    turbines: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    mapping: str | os.PathLike[str] | None = None,
    failures: str | os.PathLike[str] | None = None,
    ratings: str | None = None,
    load_error: float = LOAD_ERROR,
    prior: float = PRIOR,
    jobs: int = 1,
    scheduler: str | None = None,
    look: float = LOOK,
) -> Iterator[FleetFigures]:
    """As :func:`fleet`, again whenever files have grown or come; looks every ``look`` seconds, without end."""
    order = _order(turbines, output, mapping, failures)
    _check(load_error, prior)
    before: dict[Path, int] = {}
    while True:
        files = data_files(os.fspath(data))
        sizes = {path: path.stat().st_size for path in files}
        if sizes != before:
            done = advance(order, files, jobs, scheduler)
            yield _told(figures(order, ratings, load_error, prior), done)
            before = sizes
        else:
            time.sleep(look)


def _order(
    turbines: str | os.PathLike[str],
    output: str | os.PathLike[str],
    mapping: str | os.PathLike[str] | None,
    failures: str | os.PathLike[str] | None,
) -> Order:
    assets = read_assets(turbines)
    events = read_failures(failures, list(assets)) if failures is not None else ()
    return Order(Path(output), assets, events, read_mapping(mapping) if mapping is not None else None)


def _check(load_error: float, prior: float) -> None:
    for name, value in (("load_error", load_error), ("prior", prior)):
        if not 0.0 < value < 10.0:
            raise InputError(f"{name} = {value:g}: a coefficient of variation", where=name, allowed="above 0, below 10")


def _told(found: FleetFigures, done: list[Done]) -> FleetFigures:
    """The figures with what the reading had to say."""
    rows = sum(one.rows for one in done)
    said: list[str] = [Remark(f"{rows} rows were new")]
    unknown: dict[str, int] = {}
    for one in done:
        said += one.said
        for name, count in one.unknown.items():
            unknown[name] = unknown.get(name, 0) + count
    if unknown:
        said.append(
            warning(
                f"rows of turbines that the table does not have are left out: {listed([f'{n} ({c})' for n, c in sorted(unknown.items())], 6)}"
            )
        )
    return replace(found, remarks=[*found.remarks, *said])
