"""What a tolerance is worth: the error of every load of the shipped examples over the tolerance, for both stepping engines.

``python -m benchmarks.tolerance [NAME...] [--write]``. The error of a load is the rms difference to the same engine at a tolerance a
hundred times smaller, over the rms of the load. Loads that are round-off, below :data:`NOTHING` of the largest of their unit, do
not count. Left out: ``kahraman-oscillator`` and ``tooth-wedging``, which lose contact in resonance or rattle (paths part at any
tolerance); with the exponential engine also what bends where it does not say (``two-shaft-outer-ring-defect``: rolling elements): the
choice leaves it to the explicit engine, and a run that asks for it all the same says that the error is not held; turbine set-ups, whose
exchange of torques errs by more; examples of fidelity multibody, whose engine is another. Durations are short: without damping
(``cooley-parker-2012``) errors in phase add up, and the explicit engine's grow with time. ``--write`` keeps what was found in
``benchmarks/tolerance.json``, which the documentation quotes; ``tests/consistency/test_tolerance.py`` measures all but :data:`SLOW`.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .common import undiscarded

Float = NDArray[np.float64]

ENGINES = ("explicit", "exponential")
TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6)
#: rms of a load over the largest of its unit below which it is what rounding leaves, as the axial force of a spur gear
NOTHING = 1e-7
#: rms error over rms of the load, of this size, that no tolerance removes: positions of 1 rad are known to 1e-16, of which a deflection
#: is a thousandth or less, and speeds and places of switches carry that on
FLOOR = 1e-10


@dataclass(frozen=True)
class Model:
    """One example as it is stepped here."""

    name: str
    duration: float
    case: str | None = None
    fidelity: str | None = None
    law: str | None = None
    overrides: tuple[str, ...] = ()
    #: of samples [s]; None: what a run counts with
    interval: float | None = None

    @property
    def label(self) -> str:
        """Name, and what differs from the file's own first case."""
        return " ".join([self.name, *(x for x in (self.case, self.fidelity, self.law) if x), *self.overrides])


MODELS = (
    Model("cooley-parker-2012", 0.1),
    Model("cracked-tooth", 0.05),
    Model("dtu-10mw", 10.0),
    Model("elastic-lossy-1dof", 0.5),
    Model("elastic-lossy-3dof", 0.5),
    Model("elastic-lossy-profile", 0.05),
    Model("four-flywheels", 2.0),
    Model("grc-750kw-source", 0.1, law="tooth_contact"),
    Model("grc-750kw-source", 0.1, fidelity="spatial", law="tooth_contact"),
    Model("lin-parker-1999", 0.1),
    Model("lin-parker-1999", 0.1, fidelity="torsional"),
    Model("nordtank-500kw-source", 0.5),
    Model("nordtank-500kw-two-level", 0.5),
    Model("nordtank-500kw-full-source", 0.5),
    Model("nordtank-500kw-full-source", 0.2, law="tooth_contact"),
    Model("nrel-5mw-gallego-source", 1.0, case="rated", law="periodic"),
    Model("nrel-5mw-gallego-source", 0.3, case="rated", fidelity="planar", law="periodic"),
    Model("nrel-5mw-gallego-source", 0.3, case="rated", fidelity="spatial", law="periodic"),
    Model("nrel-5mw-medium-speed-gearbox-source", 0.5, law="periodic"),
    Model("nrel-5mw-medium-speed-gearbox-source", 0.1, fidelity="planar", law="periodic"),
    Model("nrel-5mw-nejad-source", 0.5, law="periodic"),
    Model("nrel-5mw-nejad-source", 0.2, fidelity="planar", law="periodic"),
    Model("nrel-5mw-nejad-source", 0.2, fidelity="planar", law="tooth_contact"),
    Model("nrel-5mw-nejad-source", 0.2, fidelity="spatial", law="periodic"),
    Model("nrel-5mw-nejad-source", 0.2, fidelity="spatial"),
    Model("nrel-5mw-nejad-source", 0.1, fidelity="spatial", law="periodic", overrides=("model.frames=frozen",)),
    Model("nrel-5mw-two-mass", 1.0),
    Model("ravigneaux", 0.5),
    Model("s0-small-planetary", 0.5),
    Model("simple-planetary", 1.0),
    Model("spur-pair-hertz", 0.05),
    Model("tracked-steering", 3.0),
    Model("two-shaft-outer-ring-defect", 0.2),
    Model("wind-gearbox-hertz", 0.2),
    Model("wolfrom", 0.5),
    Model("simpson", 0.5),
    Model("split-ring-256", 0.2),
    Model("zf-4hp14", 0.5),
    Model("zf-4hp18", 0.5),
    Model("zf-4hp22", 0.5),
)

#: (model, engine) that take more than a second of processor time, left to this sweep; and what takes minutes: explicit steps where the
#: largest eigenvalue is 1e8 1/s, for which every choice is another engine
SLOW = {
    ("nrel-5mw-gallego-source rated periodic", "explicit"), ("nrel-5mw-gallego-source rated planar periodic", "explicit"),
    ("nrel-5mw-gallego-source rated spatial periodic", "explicit"), ("nrel-5mw-medium-speed-gearbox-source periodic", "explicit"),
    ("nrel-5mw-nejad-source periodic", "exponential"), ("nrel-5mw-nejad-source planar tooth_contact", "explicit"),
    ("nrel-5mw-nejad-source spatial periodic", "exponential"), ("nrel-5mw-nejad-source spatial periodic", "explicit"),
    ("nrel-5mw-nejad-source spatial", "explicit"), ("nordtank-500kw-full-source tooth_contact", "explicit"),
    ("two-shaft-outer-ring-defect", "explicit"), ("wind-gearbox-hertz", "explicit"),
    ("grc-750kw-source spatial tooth_contact", "explicit"), ("nrel-5mw-medium-speed-gearbox-source planar periodic", "explicit"),
    ("nrel-5mw-nejad-source spatial periodic model.frames=frozen", "explicit"), ("split-ring-256", "explicit"),
}  # fmt: skip
HOPELESS = {("nrel-5mw-medium-speed-gearbox-source planar periodic", "explicit")}


def prepared(model: Model) -> tuple[Any, Any, float, int]:
    """System, start, sample interval and number of samples."""
    from gearwright.running.intervals import intervals
    from gearwright.running.prepare import prepare
    from gearwright.running.start import initial_state

    drivetrain = undiscarded(model.name, model.overrides, model.case)
    made = prepare(drivetrain, model.case, fidelity=model.fidelity, law=model.law, duration=model.duration)
    interval = model.interval or intervals(made.system, made.case, made.duration)[0]
    return made.system, initial_state(made), interval, max(round(model.duration / interval), 1)


def loads(system: Any) -> tuple[Any, ...]:
    """Channels of loads: forces and torques of meshes, bearings and shafts."""
    kinds = ("mesh", "bearing", "shaft")
    return tuple(c for c in system.channels if c.kind in kinds and c.counted and c.unit in ("N", "N m"))


def stepped(system: Any, start: Any, interval: float, samples: int, engine: str, tolerance: float) -> Float:
    """Loads (samples, channels)."""
    from gearwright.solve.choose import engine as by_name

    chosen = by_name(engine)
    plan = chosen.prepare(system, loads(system), interval, tolerance)
    return np.asarray(chosen.advance(plan, start.copy(), samples).lines)


def errors(got: Float, reference: Float, channels: Any) -> Float:
    """Error of every load; NaN for what is round-off. Components of a force or moment are measured by the whole of it, which does
    not depend on how its axes lie."""
    units = [c.unit for c in channels]
    whole = [c.name[:-2] if c.name.endswith(("_x", "_y", "_z")) else c.name for c in channels]
    square = (reference**2).mean(axis=0)
    size = np.sqrt([sum(s for s, name in zip(square, whole, strict=True) if name == one) for one in whole])
    largest = {unit: max(s for s, u in zip(size, units, strict=True) if u == unit) for unit in set(units)}
    least = np.array([max(NOTHING * largest[unit], 1e-300) for unit in units])
    return np.where(size > least, np.sqrt(((got - reference) ** 2).mean(axis=0)) / np.maximum(size, least), np.nan)


def measured(model: Model, engine: str, tolerances: tuple[float, ...] = TOLERANCES) -> list[dict[str, Any]]:
    """Rows of the table: worst load at every tolerance."""
    from gearwright.solve.choose import engine as by_name
    from gearwright.solve.choose import operations

    system, start, interval, samples = prepared(model)
    if (
        not loads(system)
        or by_name(engine).refuses(system)
        or (engine == "exponential" and operations(system).undeclared)
    ):
        return []
    names = [c.name for c in loads(system)]
    runs: dict[float, Float] = {}
    rows = []
    for tolerance in tolerances:
        for one in (tolerance, tolerance / 100.0):
            key = float(f"{one:.3g}")
            if key not in runs:
                runs[key] = stepped(system, start, interval, samples, engine, one)
        found = errors(runs[float(f"{tolerance:.3g}")], runs[float(f"{tolerance / 100.0:.3g}")], loads(system))
        if np.isnan(found).all():
            continue
        worst = int(np.nanargmax(found))
        rows.append({"model": model.label, "engine": engine, "tolerance": tolerance, "error": float(found[worst]),
                     "load": names[worst], "median": float(np.nanmedian(found))})  # fmt: skip
    return rows


def main(arguments: list[str]) -> int:
    """Measure; exit code 1 where an error is ten tolerances or more."""
    names = [a for a in arguments if not a.startswith("--")]
    rows: list[dict[str, Any]] = []
    for model in MODELS:
        if names and not any(n in model.label for n in names):
            continue
        for engine in ENGINES:
            if (model.label, engine) in HOPELESS:
                continue
            found = measured(model, engine)
            rows += found
            text = "  ".join(f"{r['tolerance']:.0e}: {r['error'] / r['tolerance']:8.3g} ({r['load']})" for r in found)
            print(f"{model.label:50s} {engine:12s} {text or 'does not take it'}", flush=True)
    if "--write" in arguments:
        text = ",\n".join(
            json.dumps(row | {"error": float(f"{row['error']:.3g}"), "median": float(f"{row['median']:.3g}")})
            for row in rows
        )
        (Path(__file__).parent / "tolerance.json").write_text(f"[\n{text}\n]\n")
    return int(any(r["error"] > 10.0 * r["tolerance"] and r["error"] > FLOOR for r in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
