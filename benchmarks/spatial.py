"""Ten minutes of the 5 MW gearbox with six motions per body: constant and periodic stiffness, turning frames."""

from __future__ import annotations

from typing import Any

from .common import Figure, timed

TITLE = "Spatial `nrel-5mw-nejad` (89 degrees of freedom)"
CHUNK = 8192


def measure(quick: bool = False) -> list[Figure]:
    """Engine time, preparation included, meshes, bearings, shafts and machines recorded at 1 kHz."""
    whole, window = (2.0, 0.05) if quick else (600.0, 2.0)
    return [
        _figure("constant stiffness, planets at their places, exact engine", whole, 10.0, "linear", "frozen", "exact"),
        _figure("periodic stiffness, planets at their places", window, window / 10.0, "periodic", "frozen", None),
        _figure("constant stiffness, turning frames", window, None, "linear", "turning", None),
    ]


def _prepared(law: str, frames: str) -> tuple[Any, Any, Any]:
    from gearwright.cases.run import initial_state, prepare, recorded_channels
    from gearwright.drivetrain import load

    prepared = prepare(load("nrel-5mw-nejad", [f"model.frames={frames}"]), "rated", fidelity="spatial", law=law)
    return prepared.system, recorded_channels(prepared.system, prepared.case.record), initial_state(prepared)


def _figure(name: str, duration: float, goal: float | None, law: str, frames: str, method: str | None) -> Figure:
    from gearwright.solve.choose import choose

    system, channels, start = _prepared(law, frames)
    stepper, _ = choose(system, 1e-3, 1e-3, method)

    def run(length: float) -> None:
        plan, state = stepper.prepare(system, channels, 1e-3, 1e-3), start.copy()
        left = round(length / 1e-3)
        while left:
            steps = min(CHUNK, left)
            stepper.advance(plan, state, steps)
            left -= steps

    run(0.01)
    return Figure(f"{name} ({stepper.name}): {duration:g} s", timed(lambda: run(duration))[0], "s", goal)
