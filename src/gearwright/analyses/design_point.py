"""The work on one evaluation of a design, wherever it happens: its measures and their changes in one line."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from pathlib import Path

from gearwright.campaigns.folder import Folder, file_checksum
from gearwright.campaigns.line import Line
from gearwright.campaigns.plan import Options, Plan, campaign_plan
from gearwright.campaigns.run import run_campaign
from gearwright.campaigns.table import read_table
from gearwright.campaigns.work import figures
from gearwright.campaigns.workers import Workers
from gearwright.errors import DrivetrainError, GearwrightError, RunError, listed, nearest
from gearwright.running.run import simulate
from gearwright.schema.file import Drivetrain
from gearwright.schema.numbers import number_at
from gearwright.train.open import load

from .life import MOST_HOURS, life_of
from .measures import measure
from .wishes import simulated

#: place of the function below, for the workers of a campaign
POINT = "gearwright.analyses.design_point:work_on_design"


def work_on_design(plan: Plan, identifier: str, folder: Path) -> Line:
    """Evaluate a design of a plan; a line with ``measures`` and ``slopes``, or why it cannot be made or judged."""
    begin = time.perf_counter()
    values = plan.items[identifier]
    line: Line = {"id": identifier, "values": dict(values), "status": "done"}
    try:
        drivetrain = load(plan.drivetrain, dict(values))
        still = [name for name in plan.outputs if not simulated(name)]
        groups = plan.facts.get("free", [])
        smooth = len(still) == len(plan.outputs)
        free = [[number_at(drivetrain.raw, path) for path in group] for group in groups] if smooth else []
        found = measure(drivetrain, free, still, plan.options.fidelity)
        measures = dict(found.values)
        if any(name.startswith("run.") for name in plan.outputs):
            line = {**line, **_run(plan, identifier, folder, drivetrain, measures)}
        line["measures"] = {name: measures[name] for name in plan.outputs if name in measures}
        line["slopes"] = {name: list(row) for name, row in found.slopes.items()}
        line["numbers"] = hashlib.sha256(json.dumps(line["measures"], sort_keys=True).encode()).hexdigest()
    except GearwrightError as error:
        line = {**line, "status": "failed", "error": str(error), "kind": type(error).__name__}
    line["run"] = {
        "wall_s": time.perf_counter() - begin,
        "finished": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }
    return line


def with_campaign(plan: Plan, line: Line, folder: Path, jobs: int, workers: Workers | None) -> Line:
    """A line with the measures of a campaign of its design, whose runs are worked on by ``jobs`` processes or ``workers`` and kept in
    ``campaigns/ID`` of the folder; as it is where no measure is of a campaign or the design could not be judged."""
    wanted = [name for name in plan.outputs if name.startswith("campaign.")]
    if not wanted or line["status"] != "done":
        return line
    place = folder / "campaigns" / line["id"]
    try:
        drivetrain = load(plan.drivetrain, dict(line["values"]))
        options = Options(fidelity=plan.options.fidelity, duration=plan.options.duration)
        outcome = run_campaign(
            campaign_plan(drivetrain, plan.facts["campaign"], options=options), place, jobs=jobs, workers=workers
        )
        if outcome.failed:
            name, why = next(iter(outcome.failed.items()))
            raise RunError(f"{len(outcome.failed)} runs of the campaign failed, first {name}: {why}")
        known = _of_campaign(place, any(name.startswith("campaign.life.") for name in wanted))
        found = {name: _known(known, name, "the campaign") for name in wanted}
    except GearwrightError as error:
        return {**line, "status": "failed", "error": str(error), "kind": type(error).__name__}
    measures = {**line["measures"], **found}
    numbers = hashlib.sha256(json.dumps(measures, sort_keys=True).encode()).hexdigest()
    return {**line, "measures": {name: measures[name] for name in plan.outputs}, "numbers": numbers}


def _of_campaign(place: Path, lives: bool) -> dict[str, float]:
    """Least and largest value of every channel over the runs of a campaign, and lives of its parts under the wind [h]."""
    known: dict[str, float] = {}
    for name, column in read_table(place).items():
        channel, _, figure = name.rpartition("|")
        if channel and figure in ("min", "max"):
            key = f"campaign.{channel}.{figure}"
            known[key] = float(min(column) if figure == "min" else max(column))
    return {**known, **(_lives(place, "campaign") if lives else {})}


def _lives(place: Path, head: str) -> dict[str, float]:
    """Least life of every part of a result or a campaign [h]; what nothing damages lives longer than any machine."""
    known: dict[str, float] = {}
    for part in life_of(place).components:
        key = f"{head}.life.{part.element}"
        known[key] = min(known.get(key, MOST_HOURS), part.life_hours)
    return known


def _known(known: Mapping[str, float], name: str, what: str) -> float:
    """A figure by its name. Raises DrivetrainError for one that is not there."""
    if name not in known:
        raise DrivetrainError(
            f"wish '{name}': {what} has no such figure; did you mean '{nearest(name, list(known))}'? There are {listed(list(known), 6)}"
        )
    return known[name]


def _run(plan: Plan, identifier: str, folder: Path, drivetrain: Drivetrain, measures: dict[str, float]) -> Line:
    """Run the case of a design and read what is wished of it; the facts of its result."""
    place = Folder(folder).results / f"{identifier}.nc"
    options = plan.options
    run = simulate(
        drivetrain, plan.case, fidelity=options.fidelity, law=options.law, duration=options.duration, output=place
    )
    channels, _ = figures(place)
    known: dict[str, float] = {}
    for name, row in channels.items():
        known |= {f"run.{name}.{figure}": row[figure] for figure in ("min", "max", "mean", "std")}  # type: ignore[literal-required]
        known |= {f"run.{name}.del_{m}": x for m, x in row.get("del", {}).items()}
    wanted = [name for name in plan.outputs if name.startswith("run.")]
    if any(name.startswith("run.life.") for name in wanted):
        known |= _lives(place, "run")
    measures |= {name: _known(known, name, "the run") for name in wanted}
    return {
        "id": identifier,
        "status": "done",
        "method": run.method,
        "duration_s": run.duration_s,
        "energy_error": run.energy_error,
        "assumed": run.assumed,
        "notes": run.notes,
        "warnings": run.warnings,
        "result": place.name,
        "checksum": file_checksum(place),
    }
