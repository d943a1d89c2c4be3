"""Tables of docs/fleet.md on how well two signals tell the load of the main shaft: against records of OpenFAST, and by rate and noise.

``python -m benchmarks.fleet_tables records`` needs the records of ``tests/data`` and the shipped one; ``runs`` simulates 22 times ten minutes first (some minutes
of processor time), ``periodic`` one short run with varying mesh stiffness. Each prints its table as it stands in the page.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path

import numpy as np
import pandas
from numpy.typing import NDArray

import gearwright as gw
from gearwright.campaigns.work import figures
from gearwright.fleets.observer import Observer, corner_for, noise_of
from gearwright.fleets.torque_map import torque_map
from gearwright.rating.equivalent import damage_equivalent_range
from gearwright.results.rainflow import rainflow

Float = NDArray[np.float64]
DATA = Path(__file__).resolve().parents[1] / "tests" / "data"
EXPONENTS = (3.0, 4.0, 8.0)
#: ratio and inertia of the reference turbine's generator [kg m^2], its first torsional mode [Hz]
RATIO, INERTIA, MODE = 97.0, 534.116, 2.0
#: turbine, gearbox and law of the reference; winds and seeds
SETUP, EDITS = "nrel-5mw", ["model.fidelity=torsional"]
WINDS, SEEDS = range(5, 26, 2), (1, 2)
#: standard deviation and step of the speed [rpm], of the torque over the rated one
NOISES = {"clean": (0.0, 0.0, 0.0), "noise 1": (0.05, 0.1, 0.001), "noise 2": (0.5, 1.0, 0.005)}
RPM = np.pi / 30.0


def records() -> Iterator[tuple[str, float, Float, Float, Float]]:
    """Name, interval [s], speed [rad/s] and torque of the generator [N m], torque of the main shaft [N m] of the records."""
    for name, path in (
        ("Test2, 12 m/s", DATA / "openfast-test2.csv.gz"),
        ("Test3, 18 m/s", None),
        ("DLC 2.3, gust and grid loss", DATA / "openfast-dlc23.csv.gz"),
    ):
        if path is None:
            own = gw.read(str(files("gearwright") / "examples" / "data" / "nrel-5mw-18ms.outb"))
            time, columns = (
                np.asarray(own.time.values, float),
                {n: np.asarray(own[n].values, float) for n in ("GenSpeed", "GenTq", "RotTorq")},
            )
        else:
            table = pandas.read_csv(path, comment="#")
            time, columns = table["Time"].to_numpy(), {n: table[n].to_numpy() for n in ("GenSpeed", "GenTq", "RotTorq")}
        step = round(float(np.median(np.diff(time))), 6)
        yield name, step, columns["GenSpeed"] * RPM, 1e3 * columns["GenTq"], 1e3 * columns["RotTorq"]


def filtered(
    torque: Float, speed: Float, interval: float, inertia: float, between: bool, mode: float = MODE
) -> tuple[Float, int]:
    """Load at the generator behind an inertia, at the samples alone or between them too, and the samples left out at the begin."""
    corner = corner_for(interval, noise_of(speed), inertia, float(np.sqrt(np.mean(torque**2))), mode)
    observer = Observer.design(interval, corner) if between else Observer.design(interval, corner, 1.0 / interval)
    seen = observer.observe(torque, speed)
    return seen.torque + inertia * seen.acceleration, observer.reach - 1


def errors(own: Float, true: Float, own_step: float, true_step: float) -> list[float]:
    """Error of the equivalent ranges by exponent [%]."""
    ranges = [
        [damage_equivalent_range(cycles, m, duration=duration) for m in EXPONENTS]
        for cycles, duration in ((rainflow(own), len(own) * own_step), (rainflow(true), len(true) * true_step))
    ]
    return [100.0 * (a / b - 1.0) for a, b in zip(*ranges, strict=True)]


def _percent(values: list[float]) -> str:
    return " ".join(f"{v:+.1f}" for v in values)


def table_of_records() -> None:
    """Load of the main shaft from the signals of the generator, n = 97, J = 534.116 kg m^2, nothing fitted."""
    print("| record | samples a second | r | deviation, ratio | range, m = 3, 4, 8 [%] |\n|---|---:|---:|---:|---:|")
    for name, step, speed, torque, true in records():
        alone = RATIO * torque
        r = np.corrcoef(alone, true)[0, 1] if np.ptp(alone) > 1e-6 * abs(alone.mean()) else float("nan")
        print(
            f"| {name}: torque times ratio | {1 / step:.0f} | {r:.4f} | {alone.std() / true.std():.3f} | {_percent(errors(alone, true, step, step))} |"
        )
        for rate in (20, 10, 5, 1):
            every = round(1.0 / step / rate)
            if every < 1 or abs(every * step * rate - 1.0) > 1e-6:
                continue
            load, lost = filtered(torque[::every], speed[::every], every * step, INERTIA, between=False)
            at = true[::every][lost : lost + len(load)]
            whole = true[lost * every : (lost + len(load)) * every]
            between, _ = filtered(torque[::every], speed[::every], every * step, INERTIA, between=True)
            fine = every * step * len(load) / len(between)
            print(
                f"| {name} | {rate} | {np.corrcoef(RATIO * load, at)[0, 1]:.4f} | {RATIO * load.std() / at.std():.3f} | "
                f"{_percent(errors(RATIO * (load if every == 1 else between), whole, every * step if every == 1 else fine, step))} |"
            )


def runs(
    winds: range = WINDS, seeds: tuple[int, ...] = SEEDS, duration: float = 660.0, edits: list[str] = EDITS
) -> Iterator[Mapping[str, Float]]:
    """Time, speed and torque of the generator and the main shaft's torque of production in class IIA, 50 a second."""
    for wind in winds:
        for seed in seeds:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "run.nc"
                own = [
                    f"cases.normal.wind.mean={wind} m/s",
                    f"cases.normal.wind.seed={seed}",
                    "cases.normal.output_interval=0.02 s",
                    "cases.normal.record=[shafts, machines]",
                ]
                gw.simulate(gw.load(SETUP, [*edits, *own]), "normal", duration=duration, output=path)
                with gw.Result.open(path) as result:
                    names = {"speed": "generator.speed", "torque": "generator.torque", "main": "main.torque"}
                    series = {k: np.asarray(result.series(n).values, float) for k, n in names.items()}
                    keep = result.time > 60.0
            yield {"speed": series["speed"][keep], "torque": -series["torque"][keep], "main": series["main"][keep]}


def table_of_rates() -> None:
    """Mean error over the runs (worst), by rate and noise; torque times ratio alone beside it."""
    drivetrain = gw.load(SETUP, EDITS)
    found = torque_map(gw.expand(drivetrain), "torsional")
    factor, slope = found.two_numbers()["main.torque"]
    rng = np.random.default_rng(1)
    made: dict[tuple[str, int], list[list[float]]] = {}
    for one in runs():
        for rate in (50, 20, 10, 5, 2, 1):
            every = 50 // rate
            rated = 43093.55
            made.setdefault(("torque times ratio", rate), []).append(
                errors(factor * one["torque"][::every], one["main"], every * 0.02, 0.02)
            )
            for word, (spread, step, share) in NOISES.items():
                speed = one["speed"][::every] + RPM * spread * rng.normal(size=len(one["speed"][::every]))
                speed = np.round(speed / (RPM * step)) * RPM * step if step else speed
                torque = one["torque"][::every] + share * rated * rng.normal(size=len(speed))
                load, lost = filtered(torque, speed, every * 0.02, INERTIA + slope / factor, True, found.first_mode)
                parts = round(len(load) / (len(speed) - 2 * (lost + 1) + 1))
                whole = one["main"][lost * every : lost * every + len(load) // parts * every]
                made.setdefault((word, rate), []).append(errors(factor * load, whole, every * 0.02 / parts, 0.02))
    words = ("torque times ratio", *NOISES)
    print("| samples a second | " + " | ".join(words) + " |\n|---|" + "---:|" * len(words))
    for rate in (50, 20, 10, 5, 2, 1):
        cells = []
        for word in words:
            own = np.array(made[word, rate])
            worst = own[np.abs(own).argmax(axis=0), range(3)]
            cells.append(", ".join(f"{m:+.1f} ({w:+.0f})" for m, w in zip(own.mean(axis=0), worst, strict=True)))
        print(f"| {rate} | " + " | ".join(cells) + " |")


def table_of_meshes() -> None:
    """What varying mesh stiffness adds to the loads that two signals tell: one run at 15 m/s, planar."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.nc"
        own = [
            "cases.normal.wind.mean=15 m/s",
            "cases.normal.output_interval=0.02 s",
            "cases.normal.record=[shafts, machines, meshes, bearings]",
        ]
        gw.simulate(gw.load(SETUP, own), "normal", law="periodic", duration=120.0, output=path)
        with gw.Result.open(path) as result:
            signals = {
                "time": result.time,
                "generator_speed": np.asarray(result.series("generator.speed").values, float),
                "generator_torque": -np.asarray(result.series("generator.torque").values, float),
            }
        keep = signals["time"] > 60.0
        truth, _ = figures(path)
        found = gw.loads_from({n: v[keep] for n, v in signals.items()}, SETUP)
    print("| load | mean | range, m = 3, 4, 8 [%] |\n|---|---:|---:|")
    for name in (
        "main.torque",
        "sun.torque",
        "high_speed.torque",
        "stage1.planet1_bearing.force",
        "stage1.sun_planet1.force",
        "stage2.mesh.force",
        "stage3.mesh.force",
    ):
        true, seen = truth[name], found.channels[name]
        ranges = [100.0 * (seen["del"][m] / true["del"][m] - 1.0) for m in ("3", "4", "8") if m in true["del"]]
        print(f"| {name} | {100.0 * (seen['mean'] / true['mean'] - 1.0):+.2f} | {_percent(ranges)} |")


if __name__ == "__main__":
    {"records": table_of_records, "runs": table_of_rates, "periodic": table_of_meshes}[sys.argv[1]]()
