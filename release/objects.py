"""Machine code for a wheel: short runs of shipped drivetrains with every engine, law and fidelity, so that all is compiled once.

    GEARWRIGHT_OBJECTS=src/gearwright/kernels/objects python release/objects.py

The object files are those of a family of processors (x86-64-v3, or arm64), named by a hash of their sources: installed
anywhere, with numba or without, the first run finds them. On each system (Linux, macOS, Windows; x86-64, arm64) the same
command makes that system's own: object files, symbols and the C library differ. ``make wheel`` runs it and builds the wheel.
"""

from __future__ import annotations

import itertools
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gearwright as gw
from gearwright.schema.case_lookup import find_case

#: seconds of each run: enough for every kernel of an engine to be called
LENGTH = 0.02
LAWS = ("linear", "periodic", "tooth_contact")
ENGINES = ("exact", "explicit", "exponential")
#: trains that between them have every kind of element and act
TRAINS = (
    "nordtank-500kw",
    "nordtank-500kw-full",
    "nordtank-500kw-two-level",
    "grc-750kw",
    "nrel-5mw-nejad-source",
    "spur-pair-hertz",
)


def runs() -> Iterator[tuple[str, dict[str, Any]]]:
    """Drivetrain and options of every run: each shipped case as it stands, then trains by fidelity, law and engine."""
    for name in gw.examples():
        for case in gw.load(name).cases:
            yield name, {"case": case.name}
    for name, fidelity, law, method in itertools.product(TRAINS, ("torsional", "planar", "spatial"), LAWS, ENGINES):
        yield name, {"fidelity": fidelity, "law": law, "method": method}
    for name, law in itertools.product(TRAINS, LAWS):
        yield name, {"fidelity": "multibody", "law": law}


def make(folder: Path) -> int:
    """Run all; what a combination refuses is no fault. Returns the number of runs that were made."""
    done = 0
    with tempfile.TemporaryDirectory() as place:
        for name, options in runs():
            case = options.pop("case", None)
            try:
                discard = float(find_case(gw.load(name), case).discard or 0.0)
                gw.simulate(name, case, duration=discard + LENGTH, output=Path(place) / "run.nc", **options)
                done += 1
            except (ValueError, RuntimeError) as refused:
                print(f"{name} {case or ''} {options or ''}: {' '.join(str(refused).split())[:100]}", file=sys.stderr)
    return done


def main() -> int:
    """Make the files; exit code 2 without a folder for them."""
    folder = os.environ.get("GEARWRIGHT_OBJECTS")
    if not folder:
        print("say where: GEARWRIGHT_OBJECTS=src/gearwright/kernels/objects", file=sys.stderr)
        return 2
    done = make(Path(folder))
    files = [p for p in Path(folder).rglob("*") if p.is_file() and p.suffix != ".lock"]
    for lock in Path(folder).rglob("*.lock"):
        lock.unlink()
    print(f"{done} runs, {len(files)} object files, {sum(p.stat().st_size for p in files) / 1e6:.2f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
