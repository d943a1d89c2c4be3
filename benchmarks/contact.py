"""Tooth contact: one pair, S0's stage, S2's wind gearbox, the GRC gearbox in the plane with contact at all its meshes."""

from __future__ import annotations

from typing import Any

import numpy as np

from .common import Figure, timed

TITLE = "Tooth contact, every pair by itself"
#: runs of parts of a second: the least of so many is taken, as a neighbour on the machine doubles one of them
REPEATS = 5
#: error of the mesh forces that is allowed, by their size; tolerances are set for it and the error is printed
ERROR = 5e-3
_FE = [f"stages.stage1.meshes.{m}.stiffness={{from: fe}}" for m in ("sun_planet", "ring_planet")]


def _run(name: str, seconds: float, tolerance: float, **more: Any) -> tuple[float, Any]:
    """Processor seconds of stepping a case (after a first step), and the mesh forces every millisecond."""
    from gearwright.running.prepare import prepare
    from gearwright.running.start import initial_state
    from gearwright.solve.runge_kutta.engine import ExplicitEngine
    from gearwright.train.open import load

    prepared = prepare(
        load(name, more.pop("edits", [])), more.pop("case", None), law="tooth_contact", duration=seconds, **more
    )
    forces = tuple(c for c in prepared.system.channels if c.quantity == "force")
    engine = ExplicitEngine()
    plan = engine.prepare(prepared.system, forces, 1e-3, tolerance)
    state = initial_state(prepared)
    engine.advance(plan, state, 1)
    took, block = timed(lambda: engine.advance(plan, state.copy(), round(1e3 * seconds)), REPEATS)
    return took, block.lines


def _periodic(seconds: float, tolerance: float) -> tuple[float, Any]:
    """Processor seconds of the periodic stage, by the engine that is chosen, and its mesh forces every millisecond."""
    from gearwright.running.prepare import prepare
    from gearwright.running.start import initial_state
    from gearwright.solve.choose import choose
    from gearwright.train.open import load

    prepared = prepare(load("nordtank-500kw", _FE), None, law="periodic", duration=seconds)
    forces = tuple(c for c in prepared.system.channels if c.quantity == "force")
    engine, _ = choose(prepared.system, 1e-3, tolerance)
    plan = engine.prepare(prepared.system, forces, 1e-3, tolerance)
    state = initial_state(prepared)
    engine.advance(plan, state, 1)
    took, block = timed(lambda: engine.advance(plan, state.copy(), round(1e3 * seconds)), REPEATS)
    return took, block.lines


def _difference(coarse: Any, fine: Any) -> float:
    """Largest root mean square difference of a mesh force, by its size."""
    n = len(fine)
    return float(np.sqrt(np.mean((coarse[:n] - fine) ** 2, axis=0) / np.mean(fine**2, axis=0)).max())


def measure(quick: bool = False) -> list[Figure]:
    """Processor seconds and real time factors; goals are those of the plan, figures on one core."""
    part = 0.05 if quick else 1.0

    def goal(value: float) -> float | None:
        return None if quick else value

    spur, _ = _run("spur-pair-hertz", 4.0 * part, 1e-3)
    stage, _ = _run("nordtank-500kw", 30.0 * part, 1e-3, edits=_FE)
    gearbox, _ = _run("wind-gearbox-hertz", 1.0 * part, 1e-3)
    more: dict[str, Any] = {"case": "rated", "fidelity": "planar", "edits": ["model.helical=spur"]}
    # steps end where pairs touch and let go, so that a loose tolerance is accurate enough; the error is printed
    grc, coarse = _run("grc-750kw", 4.0 * part, 3e-2, **more)
    _, fine = _run("grc-750kw", 0.2 * part, 1e-6, **more)
    table, forces = _periodic(30.0 * part, ERROR)
    _, near = _periodic(1.0 * part, 1e-7)
    return [
        Figure("`nordtank-500kw`, periodic stiffness from elements, 30 s", table / part, "s", goal(0.2)),
        Figure("largest error of its mesh forces, by their size", _difference(forces, near), "", goal(ERROR), "<",
               "against tolerance 1e-7, 1 s"),
        Figure("`spur-pair-hertz`, real time factor", 4.0 * part / spur, "", goal(50.0), ">"),
        Figure("`nordtank-500kw`, elements, contact at all six meshes, 30 s", stage / part, "s", goal(3.0)),
        Figure("`wind-gearbox-hertz` at 1500 rpm, real time factor", part / gearbox, "", goal(1.0), ">"),
        Figure("planar GRC gearbox, contact at 8 meshes, 600 s", 150.0 * grc / part, "s", goal(40.0)),
        Figure("largest error of its mesh forces, by their size", _difference(coarse, fine), "", goal(ERROR), "<",
               "against tolerance 1e-6, 0.2 s"),
    ]  # fmt: skip
