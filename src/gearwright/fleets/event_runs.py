"""The campaign of events: what a start, a stop, a trip, an emergency stop and a grid fault of a set-up do to its gearbox."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gearwright.errors import InputError, listed
from gearwright.progress import each
from gearwright.results import Result
from gearwright.results.rainflow import rainflow
from gearwright.running.run import simulate
from gearwright.schema.file import Drivetrain
from gearwright.train.open import load

from .assets import gearbox_of_drivetrain
from .events import EventDamage
from .stream import EXPONENTS

#: instant of an event behind a steady begin, how long a run lasts, and what is counted before the event [s]
_AT, _LENGTH, _BEFORE = 80.0, 160.0, 5.0
#: winds of starts and stops, of what happens in production [m/s]; seeds of each
_GENTLE, _HARD, _SEEDS = (5.0, 11.4, 25.0), (9.4, 11.4, 25.0), (1, 2)


@dataclass(frozen=True)
class Script:
    """Events of a kind, as a case has them, its winds, and the instant from which it is counted [s]."""

    events: str
    winds: tuple[float, ...]
    begin: float = _AT - _BEFORE


def _scripts(brake: str) -> Mapping[str, Script]:
    loss = f"{{at: {_AT:g} s, type: grid_loss, pitch_delay: 0 s, pitch_rate: 9 deg/s}}"
    return {
        "start": Script("[{at: 10 s, type: start, rate: 2 deg/s}]", _GENTLE, 0.0),
        "stop": Script(f"[{{at: {_AT:g} s, type: stop, rate: 2 deg/s}}]", _GENTLE),
        "trip": Script(f"[{loss}]", _HARD),
        "emergency stop": Script(f"[{loss}, {{at: {_AT:g} s, type: brake, on: {brake}}}]", _HARD),
        "grid fault": Script(f"[{{at: {_AT:g} s, type: grid_fault, code: quebec}}]", _HARD),
    }


def event_damage(setup: Drivetrain) -> EventDamage:
    """Run every kind of event in three winds with two seeds, and count its loads from five seconds before it to the end of the run.

    Raises InputError for a set-up without a case of turbulent wind, or without one brake.
    """
    box = gearbox_of_drivetrain(setup)
    case = next((c.name for c in setup.cases if c.wind is not None and c.wind.type == "ntm" and not c.events), None)
    brakes = [c.name for c in (box.train.couplings.values() if box.train else ()) if c.type == "brake"]
    if case is None or len(brakes) != 1:
        raise InputError(
            f"{setup.name}: events need a case of turbulent wind without events, and one brake; there are {listed(brakes) or 'no brakes'}",
            where="events",
        )
    ends = [min(box.sections.members.items(), key=lambda m: (m[1].group, m[1].kind != "shaft"))]
    ends += [max(box.sections.members.items(), key=lambda m: (m[1].group, m[1].kind == "shaft"))]
    runs = [(kind, wind, seed, s) for kind, s in _scripts(brakes[0]).items() for wind in s.winds for seed in _SEEDS]
    kinds, winds, sums = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for kind, wind, seed, script in each("event", runs):
            path = Path(folder) / "run.nc"
            edits = {
                "duration": f"{_LENGTH:g} s",
                "discard": "0 s",
                "output_interval": "0.02 s",
                "record": "[shafts, machines]",
                "wind.mean": f"{wind} m/s",
                "wind.seed": str(seed),
                "events": script.events,
            }
            made = load(setup, [f"cases.{case}.{key}={value}" for key, value in edits.items()])
            simulate(made, case, fidelity="torsional", output=path)
            with Result.open(path) as result:
                keep = result.time > script.begin
                own = []
                for name, section in ends:
                    cycles = rainflow(np.asarray(result.series(name).values, float)[keep] / section.factor)
                    own.append([float(np.sum(cycles.counts * cycles.ranges**m)) for m in EXPONENTS])
            kinds.append(kind)
            winds.append(wind)
            sums.append(own)
    return EventDamage(setup.name, tuple(kinds), np.array(winds), np.array(sums))
