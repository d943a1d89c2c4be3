"""Turbine alone and with a gearbox: processor time of ten minutes, warm, counters at 10 kHz included."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from .common import Figure, timed

TITLE = "Turbine, alone and with a planar gearbox in one loop (660 s, counters at 10 kHz)"

#: the turbine with a gearbox whose teeth are known: S1's has no tooth geometry
TOOTHED = """
name: nrel-5mw-toothed
source: the reference turbine with the gearbox of nrel-5mw-nejad-source
include: [nrel-5mw-nejad-source]
turbine: {data: nrel-5mw, attach: rotor, rotor: {flexible_blades: true, tower: true}, controller: {type: reference}}
machines:
  - {name: generator, type: dfig, parameters: {data: nrel-5mw}}
model: {fidelity: planar, law: tooth_contact, tolerance: 2e-2}
cases:
  - name: normal
    duration: 660 s
    discard: 60 s
    wind: {type: ntm, class: IIA, mean: 17 m/s, shear: 0.2, seed: 1}
    record: [meshes, bearings, shafts, machines, turbine]
"""
#: counting at 10 kHz, series stored at 50 Hz
FINE = ["cases.normal.counting_interval=0.1 ms", "cases.normal.output_interval=20 ms"]


def measure(quick: bool = False) -> list[Figure]:
    """Measured figures against the goals of the specification (one core, warm); ``quick`` runs seconds only."""
    import gearwright as gw
    from gearwright.turbine import load, simulate
    from gearwright.turbine import wind as air

    turbine = load("nrel-5mw")
    field, wind = timed(lambda: air.turbulent(turbine, 17.0, 1))
    simulate(turbine, wind, duration=1.0)
    length = 6.0 if quick else 600.0
    alone, _ = timed(lambda: simulate(turbine, wind, duration=length), 2)
    found = [
        Figure("turbulence field, 660 s", field, "s"),
        Figure("turbine alone, 600 s", alone, "s", 1.0),
    ]
    with tempfile.TemporaryDirectory() as folder:
        toothed = Path(folder) / "toothed.yaml"
        toothed.write_text(TOOTHED, encoding="utf-8")
        runs: list[tuple[str, Any, str, float | None]] = [
            ("constant stiffness, counters at 1 kHz", gw.load("nrel-5mw"), "linear", None),
            ("constant stiffness", gw.load("nrel-5mw", FINE), "linear", 8.0),
            (
                "periodic stiffness (tolerance 1e-3)",
                gw.load("nrel-5mw", [*FINE, "model.tolerance=1e-3"]),
                "periodic",
                25.0,
            ),
            (
                "tooth contact (gearbox of nrel-5mw-nejad-source, tolerance 2e-2)",
                gw.load(toothed, FINE),
                "tooth_contact",
                60.0,
            ),
        ]
        for name, drivetrain, law, goal in runs:
            found += _run(name, drivetrain, law, goal, Path(folder), quick)
        found.append(_contact_error(toothed, 0.05 if quick else 1.0))
    return found


def _contact_error(toothed: Path, seconds: float) -> Figure:
    """Largest error of a mesh force of the turbine in tooth contact, against a run at tolerance 1e-6."""
    import numpy as np

    import gearwright as gw
    from gearwright.results.result import Result

    forces = []
    for more in ([], ["model.tolerance=1e-6"]):
        edits = [
            *more,
            "cases.normal.discard=0 s",
            "cases.normal.counting_interval=0.1 ms",
            "cases.normal.output_interval=0.2 ms",
        ]
        run = gw.simulate(gw.load(toothed, edits), "normal", duration=seconds, output=toothed.with_suffix(".nc"))
        with Result.open(run.result_file) as result:
            forces.append(np.array(result.series("mesh", "force").values, float))
    error = np.sqrt(np.mean((forces[0] - forces[1]) ** 2, axis=1) / np.mean(forces[1] ** 2, axis=1))
    return Figure("tooth contact: largest error of its mesh forces, by their size", float(error.max()), "", 5e-3, "<",
                  "against tolerance 1e-6")  # fmt: skip


def _run(name: str, drivetrain: Any, law: str, goal: float | None, folder: Path, quick: bool) -> list[Figure]:
    import gearwright as gw

    target = folder / "run.nc"
    drivetrain = gw.load(drivetrain, ["cases.normal.discard=0 s"] if quick else [])
    gw.simulate(
        gw.load(drivetrain, ["cases.normal.discard=0 s"]),
        "normal",
        law=law,
        fidelity="planar",
        duration=0.5,
        output=target,
    )
    one, both = time.thread_time(), time.process_time()
    run = gw.simulate(drivetrain, "normal", law=law, fidelity="planar", duration=2.0 if quick else 660.0, output=target)
    one, both = time.thread_time() - one, time.process_time() - both
    channels = len(run.channels)
    return [
        Figure(name, both, "s", goal, note=f"processor time of both threads, {channels} channels; method {run.method}"),
        Figure(f"{name}: without counters", one, "s", note="thread of the engine, reading and assembly included"),
        Figure(f"{name}: wall, counters on a second thread", run.wall_s, "s"),
    ]
