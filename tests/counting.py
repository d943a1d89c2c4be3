"""Whether what a run counts depends on how often it counts: ``python -m tests.counting [NAME ...]``.

Every case of the shipped drivetrains is run shortly, with samples at a quarter of its own counting interval. All of them are counted,
and every fourth by itself: damage equivalent ranges and extremes of loads have to agree within 2 %. What leaps between samples is
counted by both its limits, and what swings is sampled finely enough.

Both counts see one motion. Another run at the interval of the case is compared too: where loads rattle, two runs part
whatever the tolerance, as steps are a little different; that is told, and no fault of counting.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import numpy as np

import gearwright as gw
from gearwright.errors import GearwrightError
from gearwright.results.store import Recorder
from gearwright.schema.case_lookup import find_case
from gearwright.system import Block, joined

#: seconds that are run beyond what a case discards, agreement that is wanted, and damage equivalent ranges below which a load does not change (parts of its largest)
SECONDS, WITHIN, STILL = 0.4, 0.02, 0.01
#: longest time before the first event of a case [s]
EVENT = 0.2
#: samples of a counting interval
FINER = 4
#: tolerance of files that tell none
TOLERANCE = 1e-6
#: cases that turn without any load: what they count is the rounding of their motion, which is no swing
UNLOADED = {("geared-rotors", "turning"), ("planetary-joints", "spin")}
#: exponents of the ranges that are compared: higher ones are extremes again
EXPONENTS = (3.0, 4.0, 6.0)
KINDS = ("mesh", "bearing", "shaft")
#: of loads; lost powers, which are products of others, are none
UNITS = ("N", "N m")
#: where a run is recorded
RECORDERS = ("gearwright.running.record.Recorder", "gearwright.running.mechanism_result.Recorder")

Figures = dict[str, dict[str, float]]


class Counted(NamedTuple):
    """Counting interval [s], interval of the series [s], and figures of every load of a run."""

    interval: float
    storing: float
    loads: Figures


class Twice(Recorder):
    """A recorder beside which another one counts every fourth sample, with all that leaps between them."""

    def __init__(
        self,
        path: Path,
        channels: Any,
        derived: Any = (),
        interval: float = 1e-3,
        store: float | None = None,
        **how: Any,
    ):
        super().__init__(path, channels, derived, interval, store, **how)
        self.coarse = Recorder(coarse_of(path), channels, derived, FINER * interval, store, **how)
        self.rest: Block | None = None
        self.first = FINER - 1

    def append(self, block: Block) -> None:
        """Take one chunk."""
        super().append(block)
        whole = block if self.rest is None else joined(self.rest, block)
        if self.rest is None and abs(block.time[0]) < 1e-9 * self.interval:
            self.first = 0  # mechanisms count the instant of the begin
        end = len(whole.time) // FINER * FINER
        fourth = slice(self.first, end, FINER)
        leaps = rest = None
        if whole.leaps is not None:
            leaps, rest = whole.leaps.part(0, end, 0), whole.leaps.part(end, len(whole.time), 0)
            leaps = leaps._replace(at=leaps.at // FINER)
        self.coarse.append(Block(whole.time[fourth], np.ascontiguousarray(whole.lines[fourth]), leaps))
        self.rest = Block(whole.time[end:], whole.lines[end:], rest) if end < len(whole.time) else None

    def finish(self, *args: Any, **facts: Any) -> Path:
        """Write both files."""
        if self.rest is not None and len(self.rest.time) > self.first:
            last = slice(self.first, self.first + 1)
            self.coarse.append(Block(self.rest.time[last], np.ascontiguousarray(self.rest.lines[last])))
        self.coarse.finish()
        return super().finish(*args, **facts)


def coarse_of(path: Path) -> Path:
    """File of the count of every fourth sample."""
    return Path(path).with_suffix(".coarse.nc")


def shipped() -> list[tuple[str, str]]:
    """(drivetrain, case) of every case of every shipped drivetrain with loads over time."""
    return [(name, case.name) for name in sorted(gw.examples()) for case in gw.load(name).cases]


def figures(path: Path) -> Counted:
    """What a file counted of all loads above the tolerance of its run, of which smaller ones are the error of a balance."""
    with gw.Result.open(path) as result:
        rows = [row for row in result.table() if row.kind in KINDS and row.unit in UNITS and row.equivalents]
        told = result.attributes
        largest: dict[str, float] = {}
        for row in rows:
            largest[row.unit] = max(largest.get(row.unit, 0.0), abs(row.minimum), abs(row.maximum))
        least = float(told.get("tolerance", TOLERANCE))
        return Counted(
            float(told["count_interval_s"]),
            float(told["store_interval_s"]),
            {
                row.name: {
                    "minimum": row.minimum,
                    "maximum": row.maximum,
                    **{f"del {m:g}": row.equivalents[m] for m in EXPONENTS if m in row.equivalents},
                }
                for row in rows
                if max(abs(row.minimum), abs(row.maximum)) > least * largest[row.unit]
            },
        )


def short_run(name: str, case: str, sets: list[str], path: Path) -> None:
    """A short run of a case; what happens later happens soon in it."""
    told = find_case(gw.load(name), case)
    early = max(min((event.at for event in told.events), default=0.0) - EVENT, 0.0)
    sets = [*sets, *(f"events.{i}.at={event.at - early!r} s" for i, event in enumerate(told.events) if early)]
    sets += ["discard=0 s"] if told.events else []
    length = SECONDS + (EVENT if told.events else told.discard or 0.0)
    gw.simulate(gw.load(name, sets, case), case, duration=length, output=path)


def counts(name: str, case: str, folder: Path) -> tuple[Counted, Counted, Counted]:
    """Figures of a case: of every fourth sample of a motion, of all of them, and of another run at the interval of the case."""
    path = folder / "run.nc"
    short_run(name, case, [], path)
    own = figures(path)
    with mock.patch(RECORDERS[0], Twice), mock.patch(RECORDERS[1], Twice):
        finer = [f"counting_interval={own.interval / FINER!r} s", f"output_interval={own.storing!r} s"]
        short_run(name, case, finer, path)
    return figures(coarse_of(path)), figures(path), own


def apart(coarse: Figures, fine: Figures) -> Iterator[tuple[float, str]]:
    """By how much figures depend on the interval, and a sentence for each that does."""
    for load, one in coarse.items():
        other = fine.get(load, one)
        largest = max(abs(other["minimum"]), abs(other["maximum"]))
        for figure, value in one.items():
            size = other[figure] if figure.startswith("del") else largest
            if size > STILL * largest > 0.0 and abs(value - other[figure]) > WITHIN * size:
                part = abs(value - other[figure]) / size
                yield part, f"{figure} of {load} {value:.6g}, {other[figure]:.6g} at a quarter of the interval"


def differences(name: str, case: str, folder: Path) -> list[str]:
    """A sentence for every figure that depends on the counting interval."""
    coarse, fine, _ = counts(name, case, folder)
    return [f"{name}, {case}: {said}" for _, said in apart(coarse.loads, fine.loads)]


def main() -> None:
    """Print what differs; exit 1 where anything does."""
    wanted, bad = sys.argv[1:], 0
    with tempfile.TemporaryDirectory() as folder:
        for name, case in shipped():
            if (wanted and name not in wanted) or (name, case) in UNLOADED:
                continue
            try:
                coarse, fine, own = counts(name, case, Path(folder))
            except GearwrightError as error:  # cases of another file's kind of run, such as loads beside a turbine
                print(f"{name}, {case}: not run, {str(error)[:120]}", flush=True)
                continue
            found = sorted(apart(coarse.loads, fine.loads), reverse=True)
            parted = max((part for part, _ in apart(own.loads, fine.loads)), default=0.0)
            also = f"; another run parts by {100.0 * parted:.2g} %" if parted and not found else ""
            bad += len(found)
            said = f"{name}, {case}: every {coarse.interval:g} s {len(found) or 'same'}{also}"
            print(said, *(figure for _, figure in found[:4]), sep="\n  ", flush=True)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
