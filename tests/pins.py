"""Pinned results: what the shipped examples and the files of the tests give, to twelve digits, before and after a rebuilding.

    python -m tests.pins                 run everything and compare with tests/pins.csv
    python -m tests.pins --write         make that file anew (a commit says why)
    python -m tests.pins --only nejad    files whose name holds a word (with --write: only their lines are made anew)

One line a channel: file, case, name, mean, standard deviation, least and largest value, and for counted loads the damage
equivalent load at the second exponent of the case; the first sixteen frequencies of modes. Cases are cut to their first
second behind what they discard. Other processors differ in the last digits, and chaotic motion in more: compare
on the machine on which the file was made. Exit code 1 where a value differs by more than ``--tolerance`` of the largest value of its
quantity in the case.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
PINS = HERE / "pins.csv"
STATISTICS = ("mean", "standard_deviation", "minimum", "maximum")
HEAD = ("file", "case", "name", *STATISTICS, "del")
#: seconds that are run behind what a case discards
SECONDS = 1.0

Line = tuple[str, ...]


def files() -> list[str]:
    """Names of the shipped examples, then the drivetrain files in ``tests/data``."""
    import gearwright as gw

    found = sorted(str(p.relative_to(HERE)) for p in (HERE / "data").rglob("*.yaml"))
    return [*gw.examples(), *found]


def _number(x: float) -> str:
    return f"{x:.12g}"


def _pins_of_modes(drivetrain: object) -> Iterator[Line]:
    import gearwright as gw

    for k, f in enumerate(gw.modes(drivetrain).frequencies_hz[:16]):
        yield ("modes", f"frequency {k}", _number(float(f)))


def _pins_of_case(drivetrain: object, case: object, folder: str) -> Iterator[Line]:
    import gearwright as gw

    discard = float(getattr(case, "discard", 0.0) or 0.0)
    duration = min(float(getattr(case, "duration", SECONDS) or SECONDS), discard + SECONDS)
    name = str(case.name)  # type: ignore[attr-defined]
    with contextlib.redirect_stderr(io.StringIO()):
        run = gw.simulate(drivetrain, name, duration=duration, output=Path(folder) / f"{name}.nc")
    with gw.Result.open(run.result_file) as result:
        for row in result.table():
            loads = [row.equivalents[m] for m in sorted(row.equivalents)][1:2]
            yield (name, row.name, *(_number(float(x)) for x in (*(getattr(row, s) for s in STATISTICS), *loads)))


def pins_of(file: str) -> Iterator[Line]:
    """Lines of one file; a refusal is a line too."""
    import gearwright as gw

    path = HERE / file
    try:
        drivetrain = gw.load(str(path) if path.suffix == ".yaml" else file)
    except Exception as error:
        yield (file, "", "refused", type(error).__name__)
        return
    with tempfile.TemporaryDirectory() as folder:
        parts = [("modes", lambda: _pins_of_modes(drivetrain))]
        parts += [(c.name, lambda c=c: _pins_of_case(drivetrain, c, folder)) for c in drivetrain.cases]  # type: ignore[misc]
        for name, part in parts:
            try:
                for line in list(part()):
                    yield (file, *line)
            except Exception as error:
                yield (file, name, "refused", " ".join(str(error).split())[:60].replace(str(HERE), "tests"))


def _run(file: str) -> list[Line]:
    """In a process of its own, so that files do not meet each other's caches."""
    here = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE.parent), os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run(
        [sys.executable, "-m", "tests.pins", "--file", file], capture_output=True, text=True, env=here
    )
    if done.returncode:
        return [(file, "", "crashed", done.stderr.strip().splitlines()[-1])]
    return [tuple(line) for line in csv.reader(io.StringIO(done.stdout))]


def _kind(key: Line) -> Line:
    """Channels of one case that have the same quantity: a value is compared with the largest of its kind."""
    return (*key[:2], key[2].rpartition(".")[2] if key[1] != "modes" else key[2])


def _is_number(text: str) -> bool:
    with contextlib.suppress(ValueError):
        return math.isfinite(float(text))
    return False


def compare(old: list[Line], new: list[Line], tolerance: float) -> list[str]:
    """What differs: missing and new lines, values by more than ``tolerance`` of the largest value of the same quantity in the case."""
    before, after = {line[:3]: line[3:] for line in old}, {line[:3]: line[3:] for line in new}
    largest: dict[tuple[str, ...], float] = {}
    for key, values in before.items():
        largest[_kind(key)] = max([largest.get(_kind(key), 0.0), *(abs(float(v)) for v in values if _is_number(v))])
    found = [f"gone: {' '.join(k)}" for k in before if k not in after]
    found += [f"new: {' '.join(k)}" for k in after if k not in before]
    for key in before.keys() & after.keys():
        a, b = before[key], after[key]
        try:
            x, y = [float(v) for v in a], [float(v) for v in b]
        except ValueError:
            if a != b:
                found.append(f"{' '.join(key)}: {a} became {b}")
            continue
        size = largest[_kind(key)] or 1.0
        worst = max(
            (abs(p - q) for p, q in zip(x, y, strict=True) if not (math.isnan(p) and math.isnan(q))), default=0.0
        )
        if not worst <= tolerance * size:
            found.append(f"{' '.join(key)}: differs by {worst / size:.2g} ({a} became {b})")
    return sorted(found)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--tolerance", type=float, default=1e-11)
    parser.add_argument("--file", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.file:
        csv.writer(sys.stdout).writerows(pins_of(options.file))
        return 0
    chosen = [f for f in files() if options.only in f]
    with ThreadPoolExecutor(2) as pool:
        lines = [line for part in pool.map(_run, chosen) for line in part]
    if options.write:
        if options.only:
            with PINS.open(newline="") as file:
                kept = [tuple(line) for line in list(csv.reader(file))[1:] if line[0] not in chosen]
            order = {name: i for i, name in enumerate(files())}
            lines = sorted([*kept, *lines], key=lambda line: order.get(line[0], -1))
        with PINS.open("w", newline="") as out:
            csv.writer(out, lineterminator="\n").writerows([HEAD, *lines])
        print(f"{len(lines)} lines written to {PINS}")
        return 0
    with PINS.open(newline="") as file:
        old = [tuple(line) for line in csv.reader(file) if line[0] in chosen]
    found = compare(old, lines, options.tolerance)
    print("\n".join([*found, f"{len(lines)} lines, {len(found)} differ"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
