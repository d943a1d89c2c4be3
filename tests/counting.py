"""Whether what a run counts depends on how often it counts: ``python -m tests.counting [NAME ...]``.

Every case of the shipped drivetrains is run shortly at its own counting interval and at a quarter of it. Damage equivalent
ranges and extremes of loads have to agree within 2 %: what leaps between samples is counted by both its limits, and what swings is
sampled finely enough.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import gearwright as gw
from gearwright.errors import GearwrightError
from gearwright.schema.case_lookup import find_case

#: seconds that are run beyond what a case discards, agreement that is wanted, and damage equivalent ranges below which a load does not change (parts of its largest)
SECONDS, WITHIN, STILL = 0.4, 0.02, 0.01
#: longest time before the first event of a case [s]
EVENT = 0.2
#: exponents of the ranges that are compared: higher ones are extremes again
EXPONENTS = (3.0, 4.0, 6.0)
#: loads below this part of the largest of their unit are the rounding of a balance, to the tolerance of a run
ROUNDING = 1e-4
KINDS = ("mesh", "bearing", "shaft")
#: of loads; lost powers, which are products of others, are none
UNITS = ("N", "N m")


#: cases of which some figure still depends on the interval: the flagship where its clearances close (2 to 5 %; twenty samples of a period
#: of its highest mode would nearly double the price of a run), rollers that fall into a pit within microseconds (15 %), and motions that
#: part at any tolerance: rattle without a load, and a dip in which teeth strike both flanks
OPEN = {
    ("nrel-5mw-nejad", "rotor-loads"),
    ("nrel-5mw-nejad", "recorded-18ms"),
    ("nrel-5mw-nejad-turbine", "emergency-stop"),
    ("nrel-5mw-nejad-turbine", "voltage-dip"),
    ("two-shaft-outer-ring-defect", "pit"),
    ("tooth-wedging", "idle"),
}


def shipped() -> list[tuple[str, str]]:
    """(drivetrain, case) of every case of every shipped drivetrain with loads over time."""
    found = []
    for name in sorted(gw.examples()):
        found += [(name, case.name) for case in gw.load(name).cases]
    return found


def counted(name: str, case: str, interval: float | None, folder: Path) -> tuple[float, dict[str, dict[str, float]]]:
    """Counting interval [s] and figures of every load of a short run."""
    told = find_case(gw.load(name), case)
    # what happens later happens soon here
    early = max(min((event.at for event in told.events), default=0.0) - EVENT, 0.0)
    sets = [f"events.{i}.at={event.at - early!r} s" for i, event in enumerate(told.events) if early]
    sets += ["discard=0 s"] if told.events else []
    sets += [] if interval is None else [f"counting_interval={interval!r} s"]
    drivetrain = gw.load(name, sets, case)
    length = SECONDS + (EVENT if told.events else told.discard or 0.0)
    run = gw.simulate(drivetrain, case, duration=length, output=folder / f"{name}-{case}.nc")
    with gw.Result.open(run.result_file) as result:
        rows = [row for row in result.table() if row.kind in KINDS and row.unit in UNITS and row.equivalents]
        largest: dict[str, float] = {}
        for row in rows:
            largest[row.unit] = max(largest.get(row.unit, 0.0), abs(row.minimum), abs(row.maximum))
        return float(result.attributes["count_interval_s"]), {
            row.name: {
                "minimum": row.minimum,
                "maximum": row.maximum,
                **{f"del {m:g}": row.equivalents[m] for m in EXPONENTS if m in row.equivalents},
            }
            for row in rows
            if max(abs(row.minimum), abs(row.maximum)) > ROUNDING * largest[row.unit]
        }


def differences(name: str, case: str, folder: Path) -> Iterator[str]:
    """A sentence for every figure that depends on the counting interval."""
    interval, coarse = counted(name, case, None, folder)
    _, fine = counted(name, case, interval / 4.0, folder)
    for load, one in coarse.items():
        other = fine.get(load, one)
        largest = max(abs(other["minimum"]), abs(other["maximum"]))
        for figure, value in one.items():
            size = other[figure] if figure.startswith("del") else largest
            if abs(value - other[figure]) > WITHIN * size and size > STILL * largest > 0.0:
                yield f"{name}, {case}: {figure} of {load} {value:.6g} every {interval:g} s, {other[figure]:.6g} at a quarter"


def main() -> None:
    """Print what differs; exit 1 where anything does."""
    import tempfile

    wanted, bad = sys.argv[1:], 0
    with tempfile.TemporaryDirectory() as folder:
        for name, case in shipped():
            if wanted and name not in wanted:
                continue
            try:
                found = list(differences(name, case, Path(folder)))
            except GearwrightError as error:  # cases of another file's kind of run, such as loads beside a turbine
                print(f"{name}, {case}: not run, {str(error)[:120]}", flush=True)
                continue
            bad += len(found) * ((name, case) not in OPEN)
            print(f"{name}, {case}: {'same' if not found else len(found)}", *found[:4], sep="\n  ", flush=True)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
