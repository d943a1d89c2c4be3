"""Rigid trains with losses: one evaluation and one step against NumPy, the shifting sequence of a transmission."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from gearwright.results import energy_book
from gearwright.running.intervals import intervals
from gearwright.running.prepare import prepare
from gearwright.running.run import simulate
from gearwright.running.start import initial_state
from gearwright.schema.read import from_mapping
from gearwright.solve.runge_kutta import table as T
from gearwright.solve.runge_kutta.engine import ExplicitEngine
from gearwright.train.open import load

from .common import Figure, timed

TITLE = "Rigid trains (fidelity `rigid`)"
#: evaluations of the right-hand side in a step of the method
STAGES = 6
#: steps between two samples: the cost wanted is that of a step
STEPS = 10


def measure(quick: bool = False) -> list[Figure]:
    """Times of steps with all losses sliding, of a dense KKT solution in NumPy, and of the 4HP22 with its shifts."""
    return [*_sliding(200 if quick else 20_000), *_shifts()]


def _train() -> Any:
    """Ten members, eight meshes: two planetary sets of four meshes on a common sun, two planets each."""
    names = ["arm1", "arm2", "sun", "p1", "p2", "p3", "p4", "ring1", "ring2", "ring3"]
    meshes = [("sun", "p1", "arm1", 30, 20, False), ("p1", "ring1", "arm1", 20, 70, True), ("sun", "p2", "arm1", 30, 24, False),
              ("p2", "ring2", "arm1", 24, 78, True), ("sun", "p3", "arm2", 30, 18, False), ("p3", "ring3", "arm2", 18, 66, True),
              ("sun", "p4", "arm2", 30, 18, False), ("p4", "ring3", "arm2", 18, 66, True)]  # fmt: skip
    on = {"p1": "arm1", "p2": "arm1", "p3": "arm2", "p4": "arm2"}
    return from_mapping({
        "name": "ten", "bodies": [{"name": n, "inertia": 0.1, **({"on": on[n]} if n in on else {})} for n in names],
        "elements": [
            {"name": f"m{k}", "type": "mesh", "between": [i, j], "on": arm, "teeth": [zi, zj], "internal": inner,
             "loss": {"force_pole_offset": 0.15}}
            for k, (i, j, arm, zi, zj, inner) in enumerate(meshes)
        ],
        "model": {"fidelity": "rigid", "law": "rigid"}, "operating": {"input": "sun", "speed": 200.0},
        "cases": [{"name": "c", "duration": 10.0, "start": "operating", "initial": {"sun": 200.0, "arm1": 90.0, "arm2": -40.0},
                   "loads": [{"on": "sun", "torque": 5.0}, {"on": "arm1", "torque": -8.0}, {"on": "ring3", "torque": 3.0}],
                   "record": ["bodies"]}],
    })  # fmt: skip


def _sliding(steps: int) -> list[Figure]:
    prepared = prepare(_train(), "c")
    system, engine, step = prepared.system, ExplicitEngine(), 1e-4
    plan = engine.prepare(system, (), STEPS * step, 1e-6)
    plan.table.arrays[T.CARRY][3] = step  # no longer steps: the cost of a step, not of few
    state = initial_state(prepared)
    engine.advance(plan, state, 10)
    before = plan.statistics["steps"], plan.statistics["events"]
    seconds, _ = timed(lambda: engine.advance(plan, state, steps // STEPS), 5)
    made, events = plan.statistics["steps"] - before[0], plan.statistics["events"] - before[1]
    one = 1e6 * seconds / (made / 5)
    # the same linear algebra once, dense, in NumPy: matrix with the losses of the present signs, one solution
    a = system.arrays
    hard, n = a.hard.astype(int), system.shape.coordinates
    c = system.D[hard].toarray()
    loss = system.D[a.fric.astype(int)].toarray()
    signs = np.array(state.friction, float)
    felt = c.copy()
    for row, normal, mu, s in zip(loss, a.fnorm, a.fmu1, signs, strict=True):
        felt[list(hard).index(int(normal))] += s * mu * row
    mass = np.asarray(system.mass.toarray())
    load_ = np.concatenate([np.asarray(system.input_force(0.0)), np.zeros(len(hard))])

    def kkt(times: int) -> Any:
        x = None
        for _ in range(times):
            matrix = np.block([[mass, felt.T], [c, np.zeros((len(hard), len(hard)))]])
            x = np.linalg.lstsq(matrix, load_, rcond=None)[0] if singular else np.linalg.solve(matrix, load_)
        return x

    singular = np.linalg.matrix_rank(c) < len(hard)
    kkt(5)
    peer, _ = timed(lambda: kkt(500), 5)
    one_peer = 1e6 * peer / 500
    label = f"{n} members, {len(hard)} meshes with losses, all sliding"
    return [
        Figure(f"{label}: one step (six evaluations, error control, energy book)", one, "µs", 3.0),
        Figure(f"{label}: a part of it, one evaluation with multipliers", one / STAGES, "µs"),
        Figure(
            f"{label}: one dense KKT solution in NumPy over one evaluation", one_peer / (one / STAGES), "", 20.0, ">"
        ),
        Figure(f"{label}: one dense KKT solution in NumPy over a whole step", one_peer / one, "", 20.0, ">"),
        Figure(f"{label}: events in {made} steps", events),
    ]


def _shifts() -> list[Figure]:
    prepared = prepare(load("zf-4hp22"), "shifts")
    system, engine = prepared.system, ExplicitEngine()
    counting, _ = intervals(system, prepared.case, prepared.duration)
    steps = round(prepared.duration / counting)

    def run() -> Any:
        plan, state = engine.prepare(system, system.channels, counting, 1e-6), initial_state(prepared)
        start = state.copy()
        engine.advance(plan, state, steps)
        return plan.statistics, energy_book(system, start, state)

    run()
    seconds, (statistics, book) = timed(run, 3)
    label = f"`zf-4hp22`, shifts, {prepared.duration:g} s"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "shifts.nc"
        whole, done = timed(lambda: simulate("zf-4hp22", "shifts", output=path), 3)
    return [
        Figure(f"{label}: times real time, engine with every channel", prepared.duration / seconds, "", 100.0, ">"),
        Figure(f"{label}: ... with counting and storing, as `run` prints it", done.real_time_factor, "", 100.0, ">"),
        Figure(f"{label}: ... from the file to the result file, process warm", prepared.duration / whole, ""),
        Figure(f"{label}: energy left over", book.error, "", 1e-9),
        Figure(f"{label}: events", statistics["events"]),
    ]
