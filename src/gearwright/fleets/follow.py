"""From files to states: what is new in them is counted, turbine by turbine, wherever the work is done; the states are the same for any order of the work."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from fnmatch import fnmatch
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from gearwright.campaigns.dask_workers import RETRIES, connect
from gearwright.errors import InputError, listed
from gearwright.progress import stage

from .assets import Asset, Failure
from .columns import Mapped
from .keep import Kept, books_of
from .tables import batches, signature

#: rows from which the usual step of a turbine is found, in the order in which they came
FIRST = 21


@dataclass(frozen=True)
class Unit:
    """Work that belongs together: turbines and the files that hold their rows. ``shared``: the files name the turbine of every row."""

    turbines: tuple[str, ...]
    files: tuple[Path, ...]
    shared: bool


@dataclass(frozen=True)
class Order:
    """What every worker needs to know: the fleet's folder, gearboxes, dates at which books end, names of columns."""

    root: Path
    assets: Mapping[str, tuple[Asset, ...]]
    failures: tuple[Failure, ...] = ()
    mapping: Mapped | None = None

    def cuts(self, turbine: str) -> tuple[float, ...]:
        """Dates at which books of a turbine end."""
        return books_of(self.assets, turbine, [f.date for f in self.failures if f.turbine == turbine])

    def opened(self, turbine: str) -> Kept:
        """What is kept of a turbine."""
        return Kept.opened(self.root, turbine, self.assets[turbine], self.cuts(turbine))


@dataclass
class Done:
    """What a unit tells: rows read, names of turbines that the table does not have, remarks."""

    rows: int = 0
    unknown: dict[str, int] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)


def units_of(files: Sequence[Path], order: Order) -> list[Unit]:
    """Which files belong to which turbines: by the pattern of the table, by a turbine's name in the path, else by a column of the file.

    Raises InputError where a turbine has no file, or a file no turbine.
    """
    own: dict[str, list[Path]] = {}
    shared: list[Path] = []
    for path in files:
        names = [
            n
            for n, a in order.assets.items()
            if a[0].files and (fnmatch(path.name, a[0].files) or fnmatch(str(path), a[0].files))
        ]
        names = names or sorted((n for n in order.assets if n in path.stem or n in path.parent.name), key=len)[-1:]
        if names:
            own.setdefault(names[-1], []).append(path)
        else:
            shared.append(path)
    found = [Unit((name,), tuple(paths), False) for name, paths in own.items()]
    rest = tuple(name for name in order.assets if name not in own)
    if shared and not rest:
        raise InputError(
            f"{shared[0].name}: whose rows are these? No turbine's name is part of the file's, and every turbine has files of its own",
            where=str(shared[0]),
            allowed="the turbine's name in the file's name, the column files in the table of turbines, or a column turbine",
        )
    if rest and shared:
        found.append(Unit(rest, tuple(shared), True))
    elif rest:
        raise InputError(
            f"no files for {listed(list(rest))}: their names are in no file's name",
            where="turbines",
            allowed="the column files names a pattern",
        )
    return found


def work(order: Order, unit: Unit) -> Done:
    """Count what is new in the files of a unit. Raises InputError for a file that was replaced by another one instead of growing."""
    done = Done()
    kept = {name: order.opened(name) for name in unit.turbines}
    _probe(order, unit, kept)
    known = {name: one for name, one in kept.items() if np.isfinite(one.interval)}
    for name in kept.keys() - known.keys():
        done.said.append(f"turbine {name}: fewer than {FIRST} rows so far, not begun")
    for path in unit.files:
        if known:
            _read(order, unit, path, known, done)
    return done


def _read(order: Order, unit: Unit, path: Path, kept: Mapping[str, Kept], done: Done) -> None:
    key, sign = path.name if len({p.name for p in unit.files}) == len(unit.files) else str(path), signature(path)
    at = {}
    for name, one in kept.items():
        position, before = one.positions.get(key, (0, sign))
        if before != sign:
            raise InputError(
                f"{path}: is another file than the one of this name that was counted for turbine {name}; files may grow, not change. Put the new rows into "
                "a new file, or begin a new folder",
                where=str(path),
            )
        at[name] = position
    start = min(at.values())
    said: list[str] = []
    for batch in batches(path, start, order.mapping, said, sorted(set(at.values()))):
        done.rows += len(batch.time)
        names = batch.turbines if unit.shared else None
        if unit.shared and names is None:
            raise InputError(
                f"{path.name}: no column is called turbine, and no turbine's name is part of the file's",
                where=str(path),
            )
        if names is not None:
            for name, count in zip(*np.unique(names.astype(str), return_counts=True), strict=True):
                if name not in order.assets:
                    done.unknown[str(name)] = done.unknown.get(str(name), 0) + int(count)
        for name, one in kept.items():
            if at[name] < batch.position:
                one.take(batch, slice(None) if names is None else names == name)
                one.positions[key] = (batch.position, sign)
                at[name] = batch.position
                for word in said:
                    one.note(word)
                one.save()


def _probe(order: Order, unit: Unit, kept: Mapping[str, Kept]) -> None:
    """Find the step of turbines that are begun: given, or the median one of their first rows."""
    for one in kept.values():
        if not np.isfinite(one.interval) and np.isfinite(one.assets[0].interval):
            one.interval = one.assets[0].interval
    wanted = {name: np.zeros(0) for name, one in kept.items() if not np.isfinite(one.interval)}
    for path in unit.files if wanted else ():
        for batch in batches(path, 0, order.mapping, []):
            for name in list(wanted):
                rows = slice(None) if batch.turbines is None or not unit.shared else batch.turbines == name
                time = np.concatenate([wanted[name], batch.time[rows]])
                wanted[name] = time[np.isfinite(time)][:FIRST]
                if len(wanted[name]) == FIRST:
                    steps = np.diff(np.unique(wanted.pop(name)))
                    if len(steps):
                        # stamps since 1970 are known to a quarter of a microsecond
                        kept[name].interval = float(f"{np.median(steps):.5g}")
            if not wanted:
                return


def advance(order: Order, files: Sequence[Path], jobs: int = 1, scheduler: str | None = None) -> list[Done]:
    """Count what is new in all files: in this process, in ``jobs`` processes, or on the workers of a Dask scheduler, which see the same folders.

    A worker that dies loses nothing: what it had counted since its last state is counted again by the next call.
    """
    units = units_of(files, order)
    with stage("turbine", len(units)) as going:
        found = []
        for done in _done(order, units, jobs, scheduler):
            found.append(done)
            going.at(len(found))
    return found


def _done(order: Order, units: Sequence[Unit], jobs: int, scheduler: str | None) -> Iterator[Done]:
    if scheduler is not None:
        yield from _on_dask(order, units, scheduler)
    elif jobs <= 1 or len(units) <= 1:
        yield from (work(order, unit) for unit in units)
    else:
        with ProcessPoolExecutor(min(jobs, len(units)), get_context("spawn")) as pool:
            flying = [pool.submit(work, order, unit) for unit in units]
            try:
                for future in as_completed(flying):
                    yield future.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


def _on_dask(order: Order, units: Sequence[Unit], scheduler: str) -> Iterator[Done]:
    """A task for each unit; a worker that is lost is stood in for by another, which goes on from the last state."""
    with connect(scheduler) as workers:
        from distributed import as_completed

        flying = [workers.client.submit(work, order, unit, pure=False, retries=RETRIES) for unit in units]
        for future in as_completed(flying):
            yield future.result()


def growth(files: Sequence[Path]) -> dict[str, int]:
    """Sizes of files [bytes]; what differs has grown."""
    return {str(path): path.stat().st_size for path in files}
