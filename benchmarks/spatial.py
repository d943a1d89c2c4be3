"""Ten minutes of the 5 MW gearbox with six motions per body: constant and periodic stiffness, turning frames, tooth contact."""

from __future__ import annotations

from typing import Any

from threadpoolctl import threadpool_limits

from .common import Figure, timed

TITLE = "Spatial `nrel-5mw-nejad-source` (89 degrees of freedom)"
CHUNK = 8192


#: what runs in tooth contact are asked for: loads up to a frequency; error of the mesh forces that is allowed
CONTACT, ERROR = ("model.highest_frequency=500 Hz",), 5e-3
#: tolerance of contact: of deflections per step; the error of the forces over a run is printed and is less
STEP = 2e-2


def measure(quick: bool = False) -> list[Figure]:
    """Engine time, preparation included, meshes, bearings, shafts and machines recorded at 1 kHz."""
    whole, window = (2.0, 0.05) if quick else (600.0, 2.0)
    short = 0.1 if quick else 0.2
    return [
        _figure("constant stiffness, planets at their places, exact engine", whole, 10.0, "linear", "frozen", "exact"),
        _figure("periodic stiffness, planets at their places", whole, 60.0, "periodic", "frozen", None, ERROR),
        _error(short, "periodic", (), ERROR),
        _figure("constant stiffness, turning frames", window, None, "linear", "turning", None),
        _start(),
        _figure("tooth contact slice by slice, loads to 500 Hz, planets at their places", whole, 90.0, "tooth_contact", "frozen",
                None, STEP, CONTACT),
        _error(short, "tooth_contact", CONTACT, STEP),
    ]  # fmt: skip


def _prepared(law: str, frames: str, more: tuple[str, ...] = ()) -> tuple[Any, Any, Any]:
    from gearwright.results.channels import recorded_channels
    from gearwright.running.prepare import prepare
    from gearwright.running.start import initial_state
    from gearwright.train.open import load

    made = load("nrel-5mw-nejad-source", [f"model.frames={frames}", *more])
    prepared = prepare(made, "rated", fidelity="spatial", law=law)
    return prepared.system, recorded_channels(prepared.system, prepared.case.record), initial_state(prepared)


def _figure(name: str, duration: float, goal: float | None, law: str, frames: str, method: str | None,
            tolerance: float = 1e-3, more: tuple[str, ...] = ()) -> Figure:  # fmt: skip
    from gearwright.solve.choose import choose

    system, channels, start = _prepared(law, frames, more)
    stepper, _ = choose(system, 1e-3, tolerance, method)

    def run(length: float) -> None:
        plan, state = stepper.prepare(system, channels, 1e-3, tolerance), start.copy()
        left = round(length / 1e-3)
        while left:
            steps = min(CHUNK, left)
            stepper.advance(plan, state, steps)
            left -= steps

    with threadpool_limits(1):  # as a run of the program has it: matrices are small, threads would wait for each other
        run(0.1)  # long enough for everything to be compiled
        took, _ = timed(lambda: run(duration))
    return Figure(f"{name} ({stepper.name}): {duration:g} s", took, "s", goal)


def _start() -> Figure:
    """Equilibrium of 13 meshes in contact, slices and cycles averaged."""
    from gearwright.running.prepare import prepare
    from gearwright.running.start import initial_state
    from gearwright.train.open import load

    made = load("nrel-5mw-nejad-source", ["model.frames=frozen"])
    prepared = prepare(made, "rotor-loads", fidelity="spatial", law="tooth_contact")
    initial_state(prepared)
    name = "tooth contact under rotor loads: equilibrium of the start"
    return Figure(name, timed(lambda: initial_state(prepared))[0], "s", 3.0)


def _error(length: float, law: str, more: tuple[str, ...], loose: float) -> Figure:
    """Largest root mean square error of a mesh force over its mean, against the whole model at a tight tolerance."""
    import numpy as np

    from gearwright.solve.choose import choose

    interval, found = 2.5e-4, []
    for tolerance, edits in ((1e-7, ()), (loose, more)):
        system, _, start = _prepared(law, "frozen", edits)
        forces = tuple(c for c in system.channels if c.quantity == "force")
        stepper, _ = choose(system, interval, tolerance)
        plan = stepper.prepare(system, forces, interval, tolerance)
        lines = stepper.advance(plan, start, round(length / interval)).lines
        found.append(lines[len(lines) // 4 :])
    error = np.sqrt(np.mean((found[1] - found[0]) ** 2, axis=0)) / np.abs(found[0].mean(axis=0))
    return Figure(f"the same: error of mesh forces over {length:g} s", float(error.max()), "of the mean", ERROR)
