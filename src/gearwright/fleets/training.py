"""From the campaign ``fleet`` of a set-up to the table that slow data are corrected by."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gearwright._version import __version__
from gearwright.analyses.base import Analysis, Column, Table
from gearwright.arrays import Float
from gearwright.campaigns import Folder, Plan, run_campaign
from gearwright.campaigns.fleet_design import RUNS, SETTLING
from gearwright.campaigns.plan import fleet_plan
from gearwright.campaigns.workers import Workers
from gearwright.errors import InputError
from gearwright.progress import each
from gearwright.rating.equivalent import damage_equivalent_range
from gearwright.results import Result
from gearwright.results.rainflow import rainflow
from gearwright.schema.file import Drivetrain
from gearwright.train.open import load

from .assets import Gearbox, gearbox_of_drivetrain
from .event_runs import event_damage
from .observer import HIGHEST, Observer
from .stream import EXPONENTS
from .stream_rows import SIGNALS
from .surrogate import FAST, LEVELS, SLOW, Checked, Surrogate
from .ten_minutes import Rows, of_samples

#: samples a second of the stored series that are used, and the corner of the filter [Hz]
_CORNER = 8.0


@dataclass(frozen=True, repr=False, eq=False)
class Trained(Analysis):
    """A surrogate and how well it knows what it was not shown: ``slow`` from ten-minute statistics, ``fast`` from samples of a second."""

    name: str
    runs: int
    surrogate_file: Path
    slow: dict[str, Checked]
    fast: dict[str, Checked]
    card: dict[str, str]

    def shown(self) -> Iterator[Table | str]:
        """Errors of left-out runs."""
        heads = [
            Column("target"),
            Column("10 min: error", "%", 3),
            Column("damage", "%", 3),
            Column("band", "%", 3),
            Column("in 95 %", "%", 3),
            Column("1 s: error", "%", 3),
            Column("damage", "%", 3),
            Column("band", "%", 3),
            Column("in 95 %", "%", 3),
        ]
        rows = []
        for target, a in self.slow.items():
            b = self.fast[target]
            name = target.replace("range2_", "range, m = ").replace("level_", "duration, p = ")
            rows.append(
                [name, a.error, a.damage, a.band_error, a.coverage, b.error, b.damage, b.band_error, b.coverage]
            )
        yield Table(f"Surrogate of {self.name}, {self.runs} runs: errors of runs left out", heads, rows)
        yield from (f"{key}: {value}" for key, value in self.card.items())


def surrogate(
    setup: str | os.PathLike[str] | Drivetrain,
    output: str | os.PathLike[str],
    *,
    folder: str | os.PathLike[str] | None = None,
    runs: int = RUNS,
    jobs: int = 1,
    workers: Workers | None = None,
    events: str | os.PathLike[str] | None = None,
    overrides: Sequence[str] = (),
) -> Trained:
    """Make the surrogate of a set-up: run its campaign ``fleet`` and learn from it.

    Parameters
    ----------
    setup : file, example or Drivetrain with a turbine
    output : the surrogate (.csv)
    folder : of the campaign, gone on with where it is there; None: beside the output
    runs : of the campaign; jobs, workers : as of a campaign
    events : write what starts, stops, trips, emergency stops and grid faults do into this file (.csv) too
    """
    made = (
        setup
        if isinstance(setup, Drivetrain) and not overrides
        else load(setup if isinstance(setup, Drivetrain) else str(setup), overrides)
    )
    if runs < 24:
        raise InputError(f"runs = {runs}: fewer than 24 teach nothing", where="runs", allowed="24 or more, usual 192")
    plan = fleet_plan(made, runs)
    place = Path(folder) if folder is not None else Path(output).with_suffix("")
    run_campaign(plan, place, jobs=jobs, workers=workers)
    found = learned(plan, Folder(place))
    found.write(output)
    if events is not None:
        event_damage(made).write(events, EXPONENTS)
    slow, fast = (found.fitted(names).checks for names in (SLOW, FAST))
    return Trained(found.name, len(found.rows), Path(output), dict(slow), dict(fast), dict(found.card))


def learned(plan: Plan, folder: Folder) -> Surrogate:
    """The table of the finished runs of a folder. Raises InputError where there are too few."""
    box = gearbox_of_drivetrain(plan.drivetrain)
    lines = list(folder.finished(plan))
    if len(lines) < 24:
        raise InputError(
            f"{folder.path}: {len(lines)} runs are finished; 24 or more are needed", where=str(folder.path)
        )
    rows, ranges, levels = [], [], []
    for line in each("run", lines):
        row, own, level = _of_run(folder.results / f"{line['id']}.nc", box)
        rows.append(row)
        ranges.append(own)
        levels.append(level)
    made: Rows = np.concatenate(rows)
    values = {path: [item[path] for item in (dict(line["values"]) for line in lines)] for path in plan.paths}
    card = {
        "setup": plan.drivetrain.name,
        "gearwright": __version__,
        "model": f"fidelity {plan.options.fidelity}, law linear, {len(lines)} runs of 600 s of normal production",
        "varied": ", ".join(f"{path} {_span(own)}" for path, own in values.items() if not path.endswith("seed")),
        "not in it": "wakes, yaw errors, icing, faults, starts and stops, other controllers, mesh excitation",
        "truth": "the same turbine in simulation; nothing here was compared with a measured load",
    }
    inertias = box.sections.inertias
    return Surrogate(
        plan.drivetrain.name,
        made,
        np.array(ranges),
        np.array(levels),
        (float(inertias[0]), float(inertias[-1])),
        box.torque,
        box.speed,
        card,
    )


def _span(values: Sequence[object]) -> str:
    numbers = [float(str(v).split()[0]) for v in values]
    unit = str(values[0]).partition(" ")[2]
    return f"{min(numbers):.4g} to {max(numbers):.4g} {unit}".strip()


def _of_run(path: Path, box: Gearbox) -> tuple[Rows, Float, Float]:
    """Ten-minute row, true ranges (2, exponents) and levels (3,) of a run."""
    with Result.open(path) as result:
        keep = result.time > SETTLING
        time = result.time[keep]
        series = {
            name: np.asarray(result.series(channel).values, float)[keep]
            for name, channel in (
                ("speed", "generator.speed"),
                ("torque", "generator.torque"),
                ("pitch", "turbine.pitch"),
                ("wind", "turbine.wind_speed"),
            )
        }
    sense = np.sign(series["speed"].mean())
    speed, torque = sense * series["speed"], -sense * series["torque"]
    interval = float(time[1] - time[0])
    samples = np.full((len(time), len(SIGNALS)), np.nan)
    for name, values in (
        ("generator_speed", speed),
        ("generator_torque", torque),
        ("power", torque * speed),
        ("pitch", series["pitch"]),
        ("wind_speed", series["wind"]),
    ):
        samples[:, SIGNALS.index(name)] = values
    every = round(1.0 / interval)
    inertias = box.sections.inertias
    row = of_samples(np.column_stack([time, samples])[::every], 0.0, 600.0, float(inertias[-1]))
    observer = Observer.design(interval, min(_CORNER, HIGHEST / interval))
    seen = observer.observe(torque, speed)
    length = len(seen.torque) * observer.step
    ranges = []
    for inertia in (inertias[0], inertias[-1]):
        cycles = rainflow(seen.torque + inertia * seen.acceleration)
        ranges.append([damage_equivalent_range(cycles, m, duration=length) for m in EXPONENTS])
    load = np.abs(seen.torque + inertias[-1] * seen.acceleration) / box.torque
    levels = [float(np.mean(load**p * np.abs(seen.speed)) / box.speed) for p in LEVELS]
    return row, np.array(ranges), np.array(levels)
