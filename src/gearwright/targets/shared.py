"""What several computations do alike: modes, ratios, power flow, short runs, stepping by hand, a law by its address."""

from __future__ import annotations

import ctypes
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import gearwright as gw
from gearwright.analyses.modes import ModalAnalysis
from gearwright.analyses.power_flow import PowerFlow, power_flow
from gearwright.running.prepare import prepare
from gearwright.running.setup import prepare_setup
from gearwright.running.start import initial_state
from gearwright.running.turbine_run import CoupledRun
from gearwright.schema.read import example_path
from gearwright.solve.runge_kutta.engine import ExplicitEngine
from gearwright.system import Law, State, System

Array = NDArray[np.float64]
Overrides = Sequence[str] | Mapping[str, Any]


def own(name: str) -> Path:
    """A drivetrain file of this folder, for models that are no shipped examples."""
    return Path(__file__).parent / "drivetrains" / f"{name}.yaml"


def modal(source: Any, fidelity: str, overrides: Overrides = (), held: Sequence[str] = ()) -> ModalAnalysis:
    """Modes of a file with linear meshes."""
    found = gw.modes(gw.load(source, overrides), fidelity=fidelity, law="linear", held=held)
    assert isinstance(found, ModalAnalysis)
    return found


def frequencies(source: Any, fidelity: str, overrides: Overrides = (), held: Sequence[str] = ()) -> list[float]:
    """Natural frequencies [Hz]."""
    return [float(f) for f in modal(source, fidelity, overrides, held).frequencies_hz]


def system_of(source: Any, fidelity: str | None = None, law: str | None = None, overrides: Overrides = ()) -> System:
    """The assembled system of a file."""
    return gw.assemble(gw.expand(gw.load(source, overrides)), fidelity, law)


def speed_ratio(name: str) -> float:
    """Output over input speed of an example, without sign."""
    return abs(gw.describe(gw.expand(gw.load(name))).speed_ratio or 0.0)


def flow(name: str, case: str | None = None, *overrides: str) -> PowerFlow:
    """Speeds, torques and powers of a train in steady motion."""
    return power_flow(name, case, overrides=list(overrides))


def record(source: Any, case: str | None = None, overrides: Overrides = (), **options: Any) -> Any:
    """Data of a run: the dataset of its result file."""
    with tempfile.TemporaryDirectory() as folder:
        made = gw.load(source, overrides, case)
        run = gw.simulate(made, case, output=Path(folder) / "run.nc", **options)
        with gw.Result.open(run.result_file) as result:
            return result.dataset.load()


def series(data: Any, quantity: str, **where: str) -> Array:
    """A recorded quantity of one body, mesh, shaft or machine: ``series(data, "body_speed", body="A")``."""
    return np.asarray(data[quantity].sel(**where).values, float)


class Stepping:
    """A case made ready, carried on by the explicit engine step by step."""

    def __init__(self, source: Any, case: str | None = None, overrides: Overrides = ()):
        self.prepared = prepare(gw.load(source, overrides), case)
        self.system = self.prepared.system
        self.engine = ExplicitEngine()
        self.state: State = initial_state(self.prepared)

    def plan(self, interval: float, tolerance: float, channels: Sequence[Any] = ()) -> Any:
        """A plan of the engine for samples at an interval [s]."""
        return self.engine.prepare(self.system, tuple(channels), interval, tolerance)

    def advance(self, interval: float, steps: int, tolerance: float, channels: Sequence[Any] = ()) -> Any:
        """Carry the state on; the block that the engine gives."""
        return self.engine.advance(self.plan(interval, tolerance, channels), self.state, steps)

    def hard_rates(self) -> Array:
        """Rates of the rigid rows, which are zero but for drift."""
        return np.asarray(self.system.D[self.system.arrays.hard.astype(int)] @ self.state.v)


def call_law(law: Law, d: Any, dv: Any, z: Any = (), signals: Sequence[float] = (0.0,)) -> tuple[Array, Array]:
    """Forces, with what the law reports behind them, and rates of its states, as the engines get them."""
    size, states = law.rows + law.senses, max(len(law.states), 1)
    given = [
        np.zeros(size),
        np.zeros(size),
        np.array(law.parameters, float),
        np.zeros(states),
        np.array(signals, float),
    ]
    for array, values in ((given[0], d), (given[1], dv), (given[3], z)):
        array[: len(values)] = values
    force, rates = np.zeros(size), np.zeros(states)
    pointer = ctypes.POINTER(ctypes.c_double)
    first, last = ([x.ctypes.data_as(pointer) for x in xs] for xs in (given, (force, rates)))
    law.force.ctypes(0.0, *first, 0, *last)
    return force, rates[: len(law.states)]


def on_source(name: str, overrides: Sequence[str] = ()) -> Any:
    """The shipped set-up ``name`` with NAME-source in place of the gearbox NAME that it includes: what a page computed from that data is held
    against it, not against the shipped gearbox, whose damping, teeth and backlash are this package's own choice."""
    text = example_path(name).read_text(encoding="utf-8")
    (line,) = (line for line in text.splitlines() if line.startswith("include: ["))
    gearbox = line.removeprefix("include: [").removesuffix("]")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{name}.yaml"
        file.write_text(text.replace(line, f"include: [{gearbox}-source]"), encoding="utf-8")
        return gw.load(str(file), overrides)


def coupled(
    name: str, wind: float, seed: int, duration: float, channels: Sequence[str], overrides: Sequence[str] = ()
) -> Any:
    """A turbine and its torsional train in turbulence of a mean wind [m/s], in steps of 1 ms, to be advanced."""
    sets = [f"cases.normal.wind.mean={wind} m/s", f"cases.normal.wind.seed={seed}", *overrides]
    setup = prepare_setup(on_source(name, sets), "normal", fidelity="torsional", law="linear", duration=duration)
    found = {c.name: c for c in setup.system.channels}
    return CoupledRun(setup, 1e-3, tuple(found[name] for name in channels))
