"""Rolling bearings: load and stiffness matrix, and a run with every element at every instant."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

from .common import Figure

TITLE = "Bearings: 6 x 6 stiffness, and `two-shaft-outer-ring-defect` with 46 elements in motion"


def measure(quick: bool = False) -> list[Figure]:
    """Microseconds of one matrix, milliseconds of a displacement under a load, seconds of a run of 1.2 s (0.05 s)."""
    import gearwright as gw
    from gearwright.bearings.types import BearingGeometry

    cylindrical = BearingGeometry("cylindrical", 37.5e-3, 0.31, 21, 0.138, play=3.5e-6).bearing().rows[0]
    sliced = BearingGeometry("tapered", 37.5e-3, 0.31, 21, 0.138, 0.24, slices=31, profile="logarithmic").bearing()
    ball = BearingGeometry("angular_contact", 20e-3, 0.15, 18, contact_angle=0.6).bearing().rows[0]
    d = np.array([1e-5, 2.5e-5, 1e-5, 0.0, 1e-5, 2e-5])

    def microseconds(function: object, calls: int) -> float:
        call = function.evaluate  # type: ignore[attr-defined]
        call(d)
        best = np.inf
        for _ in range(3):
            begin = time.perf_counter()
            for _ in range(calls):
                call(d)
            best = min(best, (time.perf_counter() - begin) / calls)
        return 1e6 * float(best)

    calls = 20 if quick else 2000
    cylindrical.under_load([0.0, 5e5, 0.0, 0.0, 0.0, 0.0])
    begin = time.perf_counter()
    for _ in range(5):
        cylindrical.under_load([0.0, 6e5, 1e5, 0.0, 0.0, 0.0])
    solved = (time.perf_counter() - begin) / 5
    duration = 0.3 if quick else 1.2

    def run() -> float:
        with tempfile.TemporaryDirectory() as folder:
            return gw.simulate("two-shaft-outer-ring-defect", duration=duration, output=Path(folder) / "run.nc").wall_s

    run()
    best = min(run() for _ in range(1 if quick else 3))
    return [
        Figure("load and stiffness matrix, 21 rollers", microseconds(cylindrical, calls), "us", 50.0),
        Figure("the same, 18 balls", microseconds(ball, calls), "us", 50.0),
        Figure("the same, 21 rollers of 31 slices", microseconds(sliced, max(calls // 10, 5)), "us"),
        Figure("displacement under a load", 1e3 * solved, "ms"),
        Figure(f"run of {duration:g} s, wall time of the engine", best, "s", None if quick else 5.0),
    ]
