"""Against Exudyn: two-level stiffness as its Python user function, and a linear train without user functions."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from .common import Figure, Float, relative_error, timed
from .twolevel import TwoLevel

TITLE = "Against Exudyn (explicit Runge-Kutta of fourth order), per simulated second"


def measure(quick: bool = False) -> list[Figure]:
    """P1 with two levels, then the planar 750 kW gearbox with constant stiffness during a start under load."""
    try:
        import exudyn
    except ImportError:
        return [Figure("Exudyn is not installed", np.nan)]
    window = 0.02 if quick else 1.0
    return [
        *_compare(exudyn, "nordtank-500kw-two-level", True, window, (1e-4, 5e-5, 2.5e-5), 50.0),
        *_compare(exudyn, "grc-750kw", False, window / 5, (5e-5,), None),
    ]


def _compare(exudyn: Any, name: str, switching: bool, window: float, steps: tuple[float, ...],
             goal: float | None) -> list[Figure]:  # fmt: skip
    from gearwright.running.prepare import prepare
    from gearwright.solve.choose import engine
    from gearwright.solve.steady.static import equilibrium
    from gearwright.system import State
    from gearwright.train.open import load

    system = prepare(load(name), "torque-ramp" if name == "grc-750kw" else None).system
    # from the loaded equilibrium where stiffness switches; a linear train starts unloaded, so that it moves
    start = State.start(system, q=equilibrium(system).q) if switching else State.start(system)
    problem = TwoLevel(system)
    y = problem.start(start)
    interval = 1e-3
    times = np.linspace(interval, window, round(window / interval))
    reference = problem.deflections(problem.reference(y, times))
    channels = tuple(c for c in system.channels if c.kind == "mesh" and c.quantity == "deflection")
    exact = engine("exact")

    def whole() -> Float:
        plan = exact.prepare(system, channels, interval, 0.0)
        return np.asarray(exact.advance(plan, start.copy(), 20 * len(times)).lines)

    whole()
    own, lines = timed(whole, 3)
    own /= 20 * window
    kind = "two levels as a Python user function" if switching else "constant stiffness, no user function"
    label = f"`{name}`, {kind}"
    figures = [Figure(f"{label}: error of ours", relative_error(lines[: len(times)], reference), "", 1e-6)]
    for step in steps:
        seconds, got = timed(partial(_exudyn, exudyn, problem, y, times, step, switching))
        figures += [
            Figure(
                f"{label}: Exudyn, step {1e6 * step:g} us, error", relative_error(problem.deflections(got), reference)
            ),
            Figure(f"{label}: Exudyn, step {1e6 * step:g} us, time over ours", seconds / window / own, "", goal, ">"),
        ]
    return figures


def _exudyn(exu: Any, problem: TwoLevel, y: Float, times: Float, step: float, switching: bool) -> Float:
    """Positions at ``times`` by one generic second-order object that has the train's matrices."""
    import exudyn.itemInterface as item

    n = problem.n
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    node = mbs.AddNode(
        item.NodeGenericODE2(
            referenceCoordinates=[0.0] * n, initialCoordinates=y[:n].tolist(), initialCoordinates_t=y[n:].tolist(),
            numberOfODE2Coordinates=n,
        )
    )  # fmt: skip
    springs, rows = problem.k, problem.rows
    constant = problem.input - rows.T @ (problem.f0 + springs * problem.offset)
    law_rows, back = rows[: problem.laws], rows[: problem.laws].T.copy()
    options: dict[str, Any] = {}
    if switching:
        phase, phase0, edge = problem.phase, problem.phase0, problem.switch
        first, second = problem.first, problem.second

        def force(_mbs: Any, _t: float, _number: int, q: Any, _v: Any) -> Float:
            q = np.asarray(q)
            x = phase @ q + phase0
            return constant - back @ (np.where(x - np.floor(x) < edge, first, second) * (law_rows @ q))

        options["forceUserFunction"] = force
    else:
        options["forceVector"] = constant
    mbs.AddObject(
        item.ObjectGenericODE2(
            nodeNumbers=[node], massMatrix=problem.mass, stiffnessMatrix=(rows.T * springs) @ rows,
            dampingMatrix=(rows.T * problem.c) @ rows, **options,
        )
    )  # fmt: skip
    sensor = mbs.AddSensor(
        item.SensorNode(
            nodeNumber=node,
            storeInternal=True,
            writeToFile=False,
            outputVariableType=exu.OutputVariableType.Coordinates,
        )
    )
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = round(times[-1] / step)
    settings.timeIntegration.endTime = float(times[-1])
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.explicitIntegration.dynamicSolverType = exu.DynamicSolverType.RK44
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = float(times[1] - times[0])
    settings.displayStatistics = False
    mbs.SolveDynamic(settings, solverType=exu.DynamicSolverType.RK44)
    stored = np.asarray(mbs.GetSensorStoredData(sensor))
    at = np.searchsorted(stored[:, 0], times - 1e-9)
    return stored[at, 1 : 1 + n]
