"""The work on one evaluation of a design, wherever it happens: its measures and their changes in one line."""

from __future__ import annotations

import hashlib
import json
import time
from pathlib import Path

from gearwright.campaigns.folder import Folder, file_checksum
from gearwright.campaigns.line import Line
from gearwright.campaigns.plan import Plan
from gearwright.campaigns.work import figures
from gearwright.errors import DrivetrainError, GearwrightError, listed, nearest
from gearwright.running.run import simulate
from gearwright.schema.file import Drivetrain
from gearwright.schema.numbers import number_at
from gearwright.train.open import load

from .life import life_of
from .measures import measure

#: place of the function below, for the workers of a campaign
POINT = "gearwright.analyses.design_point:work_on_design"


def work_on_design(plan: Plan, identifier: str, folder: Path) -> Line:
    """Evaluate a design of a plan; a line with ``measures`` and ``slopes``, or why it cannot be made or judged."""
    begin = time.perf_counter()
    values = plan.items[identifier]
    line: Line = {"id": identifier, "values": dict(values), "status": "done"}
    try:
        drivetrain = load(plan.drivetrain, dict(values))
        still = [name for name in plan.outputs if not name.startswith("run.")]
        groups = plan.facts.get("free", [])
        smooth = len(still) == len(plan.outputs)
        free = [[number_at(drivetrain.raw, path) for path in group] for group in groups] if smooth else []
        found = measure(drivetrain, free, still, plan.options.fidelity)
        measures = dict(found.values)
        if not smooth:
            line = {**line, **_run(plan, identifier, folder, drivetrain, measures)}
        line["measures"] = {name: measures[name] for name in plan.outputs}
        line["slopes"] = {name: list(row) for name, row in found.slopes.items()}
        line["numbers"] = hashlib.sha256(json.dumps(line["measures"], sort_keys=True).encode()).hexdigest()
    except GearwrightError as error:
        line = {**line, "status": "failed", "error": str(error), "kind": type(error).__name__}
    line["run"] = {
        "wall_s": time.perf_counter() - begin,
        "finished": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }
    return line


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
        known |= {
            f"{name}.min": row["min"],
            f"{name}.max": row["max"],
            f"{name}.mean": row["mean"],
            f"{name}.std": row["std"],
        }
    known.update({f"{n}.del_{m}": x for n, row in channels.items() for m, x in row.get("del", {}).items()})
    wanted = [name.removeprefix("run.") for name in plan.outputs if name.startswith("run.")]
    if any(name.startswith("life.") for name in wanted):
        parts = life_of(place).components
        for part in parts:
            key = f"life.{part.element}"
            known[key] = min(known.get(key, float("inf")), part.life_hours)
    for name in wanted:
        if name not in known:
            raise DrivetrainError(
                f"wish 'run.{name}': the run has no such figure; did you mean 'run.{nearest(name, list(known))}'? There are "
                f"{listed(list(known), 6)}"
            )
        measures[f"run.{name}"] = known[name]
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


__all__ = ["POINT", "work_on_design"]
