"""S1's study: 314 runs of the turbine with its planar gearbox, on two cores; a sample of them unless all are asked for."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from .common import Figure

TITLE = "S1's study: four campaigns of nrel-5mw with the planar gearbox, two processes"

CAMPAIGNS = ("normal", "lvrt", "gust-grid-loss", "emergency-stop")
#: every how many-th run of a campaign a sample takes: winds, codes and seeds all vary along the ids
EVERY = {"normal": 13, "lvrt": 37, "gust-grid-loss": 11, "emergency-stop": 9}
#: hours that S1 needed: about 30 minutes per 600 s, 163 000 s simulated
HOURS = 130.0


def measure(quick: bool = False, whole: bool = False) -> list[Figure]:
    """Wall time of the campaigns; extrapolated from a sample (start of the processes once) unless ``whole``."""
    found: list[Figure] = []
    total, seconds, runs = 0.0, 0.0, 0
    for name in CAMPAIGNS:
        wall, simulated, count, worked = _campaign(name, quick, whole)
        total += wall
        seconds += simulated
        runs += count
        note = "all of it" if worked == count else f"extrapolated from {worked} of its runs"
        goal = 300.0 if name == "normal" else None
        found.append(Figure(f"campaign {name}: {count} runs, {simulated:.0f} s simulated ({note})", wall, "s", goal))
    found.append(Figure(f"the whole study: {runs} runs, {seconds:.0f} s simulated", total, "s", 900.0))
    found.append(Figure(f"S1's {HOURS:g} hours over it", HOURS * 3600.0 / total))
    return found


def _campaign(name: str, quick: bool, whole: bool) -> tuple[float, float, int, int]:
    """Wall time and simulated time of all runs, their number, and how many were made."""
    from gearwright.campaigns import Options, campaign_plan, run_campaign

    plan: Any = campaign_plan(
        name, options=Options(duration=3.0) if quick else None, overrides=["discard=0 s"] if quick else []
    )
    every = list(plan.items)
    only = every if whole and not quick else every[:: EVERY[name] if not quick else len(every)]
    some = campaign_plan(
        name, only=only, options=Options(duration=3.0) if quick else None, overrides=["discard=0 s"] if quick else []
    )
    lines: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        outcome = run_campaign(some, Path(folder) / name, jobs=2, progress=lambda *now: lines.append(now[3]))
        wall = time.perf_counter() - begin
    if outcome.failed:
        raise RuntimeError(f"campaign {name}: {outcome.failed}")
    share = len(every) / len(only)
    jobs = min(2, len(only))
    busy = sum(line["run"]["wall_s"] for line in lines) / jobs
    started = max(wall - busy, 0.0)
    return started + busy * share * jobs / 2, outcome.simulated_s * share, len(every), len(only)
