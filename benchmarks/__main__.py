"""``python -m benchmarks [NAME...] [--list] [--quick] [--write FILE]``."""

from __future__ import annotations

import argparse
import sys
import time
from importlib import import_module
from pathlib import Path

from .common import Figure, lines, machine

#: Modules in the order of the report.
NAMES = (
    "p1", "planar", "spatial", "start", "exudyn_peer", "recorded", "teeth", "contact", "turbine", "study", "machines", "interchange",
    "multibody", "life", "elastic_lossy", "bearings",
    "rigid_trains", "couplings", "fleets",
)  # fmt: skip


def main(arguments: list[str] | None = None) -> int:
    """Run benchmarks; exit code 1 if a goal was missed, 2 for a name that is not known."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure the figures of speed.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one or more of {', '.join(NAMES)}; default: all")
    parser.add_argument("--list", action="store_true", help="list the benchmarks")
    parser.add_argument("--quick", action="store_true", help="a tiny run of each: shows that it works, not how fast")
    parser.add_argument("--whole", action="store_true", help="study: all 314 runs instead of a sample (many minutes)")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the results into this page, below its marker")
    chosen = parser.parse_args(arguments)
    unknown = [name for name in chosen.names if name not in NAMES]
    if unknown:
        parser.error(f"there is no benchmark '{unknown[0]}'; there are {', '.join(NAMES)}")
    if chosen.list:
        for name in NAMES:
            print(f"{name:12s} {import_module(f'benchmarks.{name}').TITLE}")
        return 0
    stamp = time.strftime("%Y-%m-%d", time.gmtime())
    page = [f"Measured on {stamp}: {machine()}."]
    figures: list[Figure] = []
    print(page[0], flush=True)
    for name in chosen.names or NAMES:
        module = import_module(f"benchmarks.{name}")
        found = (
            module.measure(chosen.quick, whole=True)
            if chosen.whole and name == "study"
            else module.measure(chosen.quick)
        )
        section = ["", f"## {module.TITLE}", "", *lines(found)]
        print("\n".join(section), flush=True)
        page += section
        figures += found
    if chosen.write is not None:
        _write(chosen.write, page)
    missed = [f.name for f in figures if f.met is False]
    if missed and not chosen.quick:
        print("\nmissed: " + "; ".join(missed))
    return 1 if missed and not chosen.quick else 0


#: What stands below this line of a page is replaced by the results.
MARKER = "<!-- results: python -m benchmarks --write docs/performance.md -->"


def _write(path: Path, page: list[str]) -> None:
    head = path.read_text(encoding="utf-8").split(MARKER)[0].rstrip() if path.exists() else "# Performance"
    path.write_text("\n".join([head, "", MARKER, "", *page]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
