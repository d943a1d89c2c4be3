"""What a person writes: drivetrain files, their cases, campaigns, mechanisms, studies and limit states."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path
from typing import Any

from tests.fuzz import ROOT, Format, register
from tests.fuzz.yaml_damage import damaged_yaml

EXAMPLES = ROOT / "src" / "gearwright" / "examples"
_CASE_KEYS = ("cases", "campaigns", "operating", "model", "machines", "turbine", "grid")
#: share of mutants that are started
STARTED = 0.05


def _files(want: Any) -> dict[str, bytes]:
    return {f.name: f.read_bytes() for f in sorted(EXAMPLES.glob("*.yaml")) if want(f.read_text())}


def _trains() -> dict[str, bytes]:
    sketches = {
        f"sketch-{f.name}": f.read_bytes() for f in sorted((ROOT / "tests" / "data" / "sketches").glob("*.yaml"))
    }
    return {**_files(lambda text: "multibody" not in text), **sketches}


def _beside(folder: Path, name: str) -> None:
    data = folder / "data"
    if not data.exists():
        data.symlink_to(EXAMPLES / "data")


def describe(path: Path, draw: random.Random) -> Any:
    """``gearwright describe``: load, expand, assemble."""
    from gearwright.analyses.describe import describe

    return describe(path).to_dict()


def case(path: Path, draw: random.Random) -> Any:
    """Every case made ready, members of campaigns too; few are started for a moment."""
    from gearwright.running.prepare import prepare
    from gearwright.running.setup import is_setup, prepare_setup
    from gearwright.running.start import initial_state
    from gearwright.schema.campaigns import members
    from gearwright.train.open import load, with_member

    drivetrain = load(str(path))
    names = [c.name for c in drivetrain.cases]
    for campaign in drivetrain.campaigns:
        for identifier, values in islice(members(campaign), 2):
            with_member(drivetrain, campaign.case, identifier, values)
    made = (prepare_setup if is_setup(drivetrain) else prepare)(drivetrain, draw.choice(names) if names else None)
    if not is_setup(drivetrain):
        initial_state(made)
    if draw.random() < STARTED and not is_setup(drivetrain):
        from gearwright.running.run import simulate

        duration = min(made.duration, 2e-3)
        run = simulate(drivetrain, made.case.name, duration=duration, output=path.with_suffix(".nc"))
        return {"channels": run.channels, "notes": list(made.notes)}
    return {"notes": list(made.notes), "duration": made.duration}


def mechanism(path: Path, draw: random.Random) -> Any:
    """A mechanism described; few are started."""
    from gearwright.running.run import simulate

    data = describe(path, draw)
    if draw.random() < 2 * STARTED:
        run = simulate(str(path), duration=1e-3, fidelity="multibody", output=path.with_suffix(".nc"))
        return {"channels": run.channels, **run.attributes}
    return data


def study(path: Path, draw: random.Random) -> Any:
    """A study read, its samples drawn and its plan made."""
    from gearwright.campaigns.study import read_study, samples_of, study_plan

    rows = samples_of(read_study(path))
    study_plan(path)
    return rows[:2]


def limits(path: Path, draw: random.Random) -> Any:
    """A file of limit states, and one of them at the means."""
    from gearwright.rating.limit_state import read_limit_states

    found = read_limit_states(path)
    return {"name": found.name, "states": [s.name for s in found.states], "sweep": dict(found.sweep)}


def _studies() -> dict[str, bytes]:
    more = b"""name: damping
drivetrain: spur-pair-hertz
case: constant
vary:
  cases.constant.duration: {uniform: [0.1 s, 0.2 s]}
  bodies.0.inertia: {lognormal: [1 kg m^2, 0.1]}
method: latin_hypercube
samples: 4
seed: 1
outputs: [main.torque.max]
"""
    shipped = {f.name: f.read_bytes() for f in (ROOT / "src/gearwright/campaigns/examples").glob("*.yaml")}
    return {**shipped, "more.yaml": more}


def _limit_files() -> dict[str, bytes]:
    return {f.name: f.read_bytes() for f in (ROOT / "src/gearwright/rating/examples").glob("*.yaml")}


register(Format("drivetrain", _trains, damaged_yaml, describe, _beside))
register(
    Format("case", _trains, lambda draw, content: damaged_yaml(draw, content, _CASE_KEYS), case, _beside, patience=60.0)
)
register(
    Format(
        "mechanism", lambda: _files(lambda text: "multibody" in text), damaged_yaml, mechanism, _beside, patience=60.0
    )
)
register(Format("study", _studies, damaged_yaml, study))
register(Format("limits", _limit_files, damaged_yaml, limits))
