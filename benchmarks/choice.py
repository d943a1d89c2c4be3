"""What every method costs where more than one may run: the table that the choice among them is held against.

``python -m benchmarks.choice [NAME...] [--write]``. For each shipped example, fidelity and law that at least two engines take:
processor seconds per simulated second at four tolerances, with the channels and the sample interval of a run, and the error. The
error is that of the worst load: its rms difference over its rms, to the exact engine where that runs (it has none but round-off), else to
the same engine at a tolerance a hundred times smaller. Times are the least of three, taken in turns, of the calling thread. ``--write``
puts what was measured into ``benchmarks/choice.json``, one line a model; other lines stay. An engine that takes
:data:`HOPELESS` times as long as another one is not followed: its line says what it took where it was left.

A set-up is stepped with its turbine beside it, as in a run. Left out: ``tooth-wedging`` in the plane with linear meshes, whose rattle no error
measures.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from .common import machine, undiscarded

Float = NDArray[np.float64]

TABLE = Path(__file__).parent / "choice.json"
TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6)
#: what the errors need as well
FINER = (1e-7, 1e-8)
#: processor seconds that the fastest engine shall take per measurement, and the bounds of what is simulated [s]
WORTH, SHORTEST, LONGEST = 0.04, 0.02, 10.0
#: times the seconds of the fastest engine above which one is not followed
HOPELESS = 15.0
REPEATS = 3
#: simulated time [s] after which the exact engine has met its combinations of levels
SEEN = 0.3
#: rms of a load over the largest of its unit, and of all, below which its error does not count
COUNTS, ROUNDING = 1e-3, 1e-9


@dataclass(frozen=True)
class Model:
    """One example as a run takes it."""

    name: str
    fidelity: str | None = None
    law: str | None = None
    case: str | None = None
    #: of samples [s]; None: what a run counts with
    interval: float | None = None
    overrides: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """Name, and what differs from the file's own first case."""
        more = "" if self.interval is None else f"every {1e3 * self.interval:g} ms"
        return " ".join(x for x in (self.name, self.case, self.fidelity, self.law, *self.overrides, more) if x)


#: planets at their places: no law but the meshes
FROZEN = ("model.frames=frozen",)

MODELS = (
    Model("cooley-parker-2012", "planar", "linear"),
    Model("cooley-parker-2012", "torsional", "linear"),
    Model("dtu-10mw", "torsional", "linear"),
    Model("grc-750kw-source", "planar", "linear"),
    Model("grc-750kw-source", "torsional", "linear"),
    Model("grc-750kw-source", "spatial", "linear"),
    Model("kahraman-oscillator", "torsional", "linear", "a"),
    Model("kahraman-oscillator", "torsional", "linear", "b"),
    Model("kahraman-oscillator", "torsional", "periodic", "a"),
    Model("kahraman-oscillator", "torsional", "periodic", "c"),
    Model("kahraman-oscillator", "torsional", "tooth_contact", "a"),
    Model("lin-parker-1999", "planar", "linear"),
    Model("lin-parker-1999", "torsional", "linear"),
    Model("nordtank-500kw-source", "torsional", "linear"),
    Model("nordtank-500kw-source", "torsional", "periodic"),
    Model("nordtank-500kw-source", "torsional", "periodic", interval=1e-3),
    Model("nordtank-500kw-full-source", "torsional", "linear"),
    Model("nordtank-500kw-full-source", "torsional", "two_level"),
    Model("nordtank-500kw-two-level", "torsional", "two_level"),
    Model("nordtank-500kw-two-level", "torsional", "two_level", interval=1e-3),
    Model("nordtank-500kw-turbine", "torsional", "two_level"),
    Model("nrel-5mw", "torsional", "two_level"),
    Model("nrel-5mw", "planar", "two_level"),
    Model("nrel-5mw", "planar", "two_level", interval=1e-4),
    Model("nrel-5mw-gallego-source", "torsional", "linear"),
    Model("nrel-5mw-gallego-source", "torsional", "two_level"),
    Model("nrel-5mw-gallego-source", "torsional", "two_level", interval=1e-4),
    Model("nrel-5mw-gallego-source", "planar", "linear"),
    Model("nrel-5mw-gallego-source", "planar", "two_level"),
    Model("nrel-5mw-gallego-source", "planar", "two_level", interval=1e-4),
    Model("nrel-5mw-gallego-source", "spatial", "linear"),
    Model("nrel-5mw-gallego-source", "spatial", "two_level"),
    Model("nrel-5mw-medium-speed", "torsional", "two_level"),
    Model("nrel-5mw-medium-speed", "planar", "two_level"),
    Model("nrel-5mw-medium-speed-gearbox-source", "torsional", "linear"),
    Model("nrel-5mw-medium-speed-gearbox-source", "torsional", "two_level"),
    Model("nrel-5mw-medium-speed-gearbox-source", "planar", "linear"),
    Model("nrel-5mw-medium-speed-gearbox-source", "planar", "two_level"),
    Model("nrel-5mw-medium-speed-gearbox-source", "spatial", "linear"),
    Model("nrel-5mw-medium-speed-gearbox-source", "spatial", "two_level"),
    Model("nrel-5mw-nejad-source", "torsional", "linear"),
    Model("nrel-5mw-nejad-source", "torsional", "two_level"),
    Model("nrel-5mw-nejad-source", "planar", "linear"),
    Model("nrel-5mw-nejad-source", "planar", "two_level"),
    Model("nrel-5mw-nejad-source", "spatial", "linear"),
    Model("nrel-5mw-nejad-source", "spatial", "two_level"),
    Model("nrel-5mw-nejad-source", "planar", "two_level", interval=1e-3, overrides=FROZEN),
    Model("nrel-5mw-nejad-source", "spatial", "two_level", interval=1e-3, overrides=FROZEN),
    Model("nrel-5mw-nejad-source", "spatial", "two_level", overrides=FROZEN),
    Model("nrel-5mw-two-mass", "torsional", "linear"),
    Model("s0-small-planetary", "torsional", "linear"),
    Model("s0-small-planetary", "torsional", "two_level"),
    Model("s0-small-planetary", "torsional", "tooth_contact"),
    Model("spur-pair-hertz", "torsional", "linear"),
    Model("spur-pair-hertz", "torsional", "two_level"),
    Model("tooth-wedging", "torsional", "linear"),
    Model("two-shaft-outer-ring-defect", "torsional", "linear"),
    Model("two-shaft-outer-ring-defect", "torsional", "two_level"),
    Model("two-shaft-outer-ring-defect", "planar", "linear"),
    Model("two-shaft-outer-ring-defect", "planar", "two_level"),
    Model("two-shaft-outer-ring-defect", "spatial", "linear"),
    Model("two-shaft-outer-ring-defect", "spatial", "two_level"),
)


@dataclass(frozen=True)
class Case:
    """A model made ready: what is to be stepped, its samples, how an engine begins (:meth:`begun`)."""

    system: Any
    interval: float
    channels: tuple[Any, ...]
    #: (engine, tolerance) -> a function that steps so many samples and returns channels by lines
    begun: Callable[[str, float], Callable[[int], Float]]
    #: samples come in multiples of this
    per: int = 1
    #: whether a turbine is stepped beside it
    accompanied: bool = False


def prepared(model: Model, duration: float = 1.0) -> Case:
    """A model as a run takes it; set-ups with their turbine."""
    drivetrain = undiscarded(model.name, model.overrides, model.case)
    return (_with_turbine if drivetrain.turbine is not None else _alone)(model, drivetrain, duration)


def _alone(model: Model, drivetrain: Any, duration: float) -> Case:
    from gearwright.results.channels import recorded_channels
    from gearwright.running.intervals import intervals
    from gearwright.running.prepare import prepare
    from gearwright.running.start import initial_state
    from gearwright.solve.choose import engine as by_name

    made = prepare(drivetrain, model.case, fidelity=model.fidelity, law=model.law, duration=duration)
    system = made.system
    interval = model.interval or intervals(system, made.case, duration)[0]
    channels = tuple(recorded_channels(system, made.case.record))

    def begun(engine: str, tolerance: float) -> Callable[[int], Float]:
        chosen, state = by_name(engine), initial_state(made)
        plan = chosen.prepare(system, channels, interval, tolerance)
        return lambda samples: np.asarray(chosen.advance(plan, state, samples).lines)

    return Case(system, interval, channels, begun)


def _with_turbine(model: Model, drivetrain: Any, duration: float) -> Case:
    from gearwright.results.channels import recorded_channels
    from gearwright.running.intervals import intervals
    from gearwright.running.setup import prepare_setup
    from gearwright.running.turbine_engine import EXCHANGE, EngineRun

    def made() -> Any:
        return prepare_setup(drivetrain, model.case, fidelity=model.fidelity, law=model.law, duration=100.0)

    first = made()
    interval = model.interval or min(intervals(first.system, first.case, 100.0)[0], EXCHANGE)
    channels = tuple(recorded_channels(first.system, first.case.record))
    # exchanges as a multiple of samples that every engine takes
    per = 2 ** round(np.log2(max(round(EXCHANGE / interval), 1)))

    def begun(engine: str, tolerance: float) -> Callable[[int], Float]:
        run = EngineRun(made(), interval, channels, engine, tolerance, per * interval)
        return lambda samples: np.asarray(run.advance(samples // per)[0].lines)

    return Case(first.system, interval, channels, begun, per, True)


def able(system: Any) -> list[str]:
    """Engines that take a system."""
    from gearwright.solve.choose import NAMES, engine

    return [name for name in NAMES if engine(name).refuses(system) is None]


def timed(case: Case, engine: str, tolerance: float, samples: int) -> tuple[float, Float]:
    """Processor seconds per simulated second, and the channels; as much was stepped before, by the exact engine rather more, so
    that what is made once is made."""
    go = case.begun(engine, tolerance)
    go(max(samples, round(SEEN / case.interval / case.per) * case.per) if engine == "exact" else samples)
    begin = time.thread_time()
    lines = go(samples)
    return (time.thread_time() - begin) / (samples * case.interval), lines


def error(got: Float, reference: Float, units: list[str]) -> float:
    """Of the worst load that counts: rms difference over rms."""
    size = np.sqrt((reference**2).mean(axis=0))
    largest = [max(s for s, u in zip(size, units, strict=True) if u == unit) for unit in units]
    counts = size > np.maximum(COUNTS * np.array(largest), ROUNDING * size.max(initial=0.0))
    if not counts.any():
        return 0.0
    return float((np.sqrt(((got - reference) ** 2).mean(axis=0))[counts] / size[counts]).max())


def measured(model: Model) -> dict[str, Any] | None:
    """A line of the table; None where only one engine may run."""
    case = prepared(model)
    names = able(case.system)
    if len(names) < 2:
        return None

    def whole(seconds: float) -> int:
        return max(round(seconds / case.interval / case.per), 1) * case.per

    # compile, then a first figure of each
    rate = dict.fromkeys(names, np.inf)
    for tolerance in (1e-3, TOLERANCES[-1]):
        least = min(rate.values())
        few = {n: min(timed(case, n, tolerance, whole(SHORTEST))[0] for _ in range(2)) for n in names
               if not HOPELESS * least < rate[n] < np.inf}  # fmt: skip
        rate |= few
    followed = [n for n in names if rate[n] < HOPELESS * min(rate.values())]
    duration = float(np.clip(WORTH / min(rate.values()), SHORTEST, LONGEST))
    samples = whole(duration)
    sure = "exact" in names
    made = TOLERANCES if sure else (*TOLERANCES, *FINER)
    cost = {n: np.full(len(made), np.inf) for n in followed}
    lines: dict[tuple[str, int], Float] = {}
    for turn in range(REPEATS):
        for i, tolerance in enumerate(made):
            for name in followed:
                if (turn and i >= len(TOLERANCES)) or (name == "exact" and i):
                    continue
                seconds, lines[name, i] = timed(case, name, tolerance, samples)
                cost[name][i] = min(cost[name][i], seconds)
    if sure:
        go = case.begun("exact", 1e-6)
        go(samples)
        truth = go(samples)
    kinds = ("mesh", "bearing", "shaft")
    loads = [i for i, c in enumerate(case.channels) if c.kind in kinds and c.counted and c.unit in ("N", "N m")]
    row: dict[str, Any] = {
        "model": model.label, "simulated_s": round(samples * case.interval, 9), "interval_s": case.interval,
        "engines": {},
    }  # fmt: skip
    for name in names:
        if name not in followed:
            row["engines"][name] = {"more_than_ms": [_short(1e3 * rate[name])]}
            continue
        took, wrong = cost[name][: len(TOLERANCES)], [0.0] * len(TOLERANCES)
        if name == "exact":
            took = np.full(len(TOLERANCES), cost[name][0])
        else:
            for i in range(len(TOLERANCES)):
                reference = truth if sure else lines[name, i + 2]
                wrong[i] = error(lines[name, i][:, loads], reference[:, loads], [case.channels[k].unit for k in loads])
        row["engines"][name] = {"ms": [_short(1e3 * x) for x in took], "error": [_short(x) for x in wrong]}
    return row


def at_error(line: dict[str, Any], wanted: float) -> float:
    """Processor milliseconds per simulated second that an engine needs for an error, by its entry in a line of the table.

    Between tolerances by powers; at an error above that of the loosest tolerance what this takes; below that of the tightest by
    the power of the whole entry, the time growing between the 0.1th and the 0.5th power of the error. An engine that was not followed:
    what it took where it was left, which is less than it needs.
    """
    if "more_than_ms" in line:
        return float(line["more_than_ms"][0])
    took, wrong = line["ms"], [max(e, 1e-12) for e in line["error"]]
    for i in range(len(took)):
        if max(wrong[i:]) <= wanted:
            if i == 0:
                return float(took[0])
            part = np.log(wrong[i - 1] / wanted) / np.log(wrong[i - 1] / wrong[i])
            return float(took[i - 1] ** (1.0 - part) * took[i] ** part)
    power = np.log(took[-1] / took[0]) / np.log(wrong[0] / wrong[-1]) if wrong[0] > wrong[-1] else 0.5
    return float(took[-1] * (wrong[-1] / wanted) ** np.clip(power, 0.1, 0.5))


def _short(x: float) -> float:
    return float(f"{x:.3g}")


def _written(rows: dict[str, dict[str, Any]]) -> None:
    text = ",\n".join(json.dumps(rows[m.label]) for m in MODELS if m.label in rows)
    head = f'"machine": {json.dumps(machine())}, "tolerances": {json.dumps(TOLERANCES)}'
    TABLE.write_text(f'{{{head}, "rows": [\n{text}\n]}}\n')


def main(arguments: list[str]) -> int:
    """Measure, show, and write where asked."""
    threadpool_limits(1)
    names = [a for a in arguments if not a.startswith("--")]
    rows = {r["model"]: r for r in json.loads(TABLE.read_text())["rows"]} if TABLE.exists() else {}
    for model in MODELS:
        if names and not any(n in model.label for n in names):
            continue
        row = measured(model)
        if row is None:
            print(f"{model.label}: one method only", flush=True)
            continue
        print(json.dumps(row), flush=True)
        rows[model.label] = row
        if "--write" in arguments:
            _written(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
