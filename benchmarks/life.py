"""Counting of a million points, the life of a gearbox from a campaign of 66 runs, and FORM."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

import numpy as np

from .common import Figure, timed

TITLE = "Rainflow counting, the life of a gearbox from 66 runs of ten minutes, reliability"

# one run of ten recorded minutes stands for all: its copies have ids, wind speeds (here the reference cycles) and seeds
_CAMPAIGN = """
include: [nrel-5mw-medium-speed-gearbox]
name: copies
campaigns:
  - name: copies
    case: recorded-18ms
    grid:
      reference_cycles: [5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25]
      description: [a, b, c, d, e, f]
life:
  wind: {class: II}
  wind_speed: reference_cycles
  bearings: [{on: stage?.*, dynamic_rating: 2000 kN, required: 1e5 h}]
  shafts: [{on: main, diameter: 700 mm, strength: {points: [[1, 900 MPa], [1e6, 200 MPa]]}}]
"""


def measure(quick: bool = False) -> list[Figure]:
    """Milliseconds of a count and its ratio to the pure Python package; seconds of a life and of FORM."""
    from gearwright.rating.limit_state import read_limit_states
    from gearwright.rating.reliability import form
    from gearwright.results.rainflow import rainflow

    points = 20_000 if quick else 1_000_000
    series = np.random.default_rng(0).standard_normal(points)
    rainflow(series[:1000])
    own, cycles = timed(lambda: rainflow(series), 5)
    figures = [Figure(f"rainflow of {points:g} points", 1e3 * own, "ms", None if quick else 20.0)]
    try:
        import rainflow as package
    except ImportError:
        figures.append(Figure("ratio to the package rainflow", float("nan"), note="not installed"))
    else:
        part = series[: points // 10]
        theirs, counted = timed(lambda: package.count_cycles(part))
        mine, _ = timed(lambda: rainflow(part), 5)
        figures.append(Figure("ratio to the package rainflow", theirs / mine, "times", None if quick else 50.0, ">",
                              f"{sum(n for _, n in counted):g} cycles there, {rainflow(part).total:g} here"))  # fmt: skip
    seconds, runs = _life(quick)
    figures.append(Figure(f"life of the gearbox from {runs} runs", seconds, "s", 60.0))
    state = read_limit_states("planet-bearing").states[0]
    figures.append(Figure("FORM of the planet bearing", timed(lambda: form(state), 2)[0], "s"))
    return figures


def _life(quick: bool) -> tuple[float, int]:
    from gearwright.analyses.life import life_of
    from gearwright.campaigns import Folder, campaign_plan
    from gearwright.campaigns.folder import file_checksum
    from gearwright.campaigns.work import figures
    from gearwright.running.run import simulate
    from gearwright.train.open import load

    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "copies.yaml"
        file.write_text(_CAMPAIGN)
        plan = campaign_plan(file, only=["copies-*s5-[ab]", "copies-*s7-[ab]"] if quick else ())
        folder = Folder(Path(place) / "copies")
        folder.begin(plan)
        first = folder.results / f"{next(iter(plan.items))}.nc"
        simulate(load("nrel-5mw-medium-speed-gearbox"), "recorded-18ms", duration=70.0 if quick else None, output=first)
        line = {
            "status": "done",
            "values": {},
            **figures(first),
            "result": first.name,
            "checksum": file_checksum(first),
        }
        for identifier in plan.items:
            target = folder.results / f"{identifier}.nc"
            if target != first:
                shutil.copyfile(first, target)
            (folder.lines / f"{identifier}.json").write_text(json.dumps({**line, "id": identifier}))
        seconds, data = timed(lambda: life_of(folder.path))
        return seconds, int(data.runs)
