"""Teeth: elements of a pair, their result from disk, and a run with the stiffness they give."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from .common import Figure

TITLE = "Teeth: `nordtank-500kw` with stiffness from finite elements"
EDITS = [f"stages.stage1.meshes.{m}.stiffness={{from: fe}}" for m in ("sun_planet", "ring_planet")]


def measure(quick: bool = False) -> list[Figure]:
    """Seconds of a pair computed and read, and of a whole run of 30 s (1 s if quick) with their stiffness."""
    import gearwright as gw
    from gearwright.stiffness import pair_stiffness
    from gearwright.train.teeth import tooth_pair

    pair = tooth_pair(gw.expand(gw.load("nordtank-500kw")).meshes["stage1.sun_planet1"])
    pair_stiffness(pair, "analytic", 1e-4)

    def seconds(function: Any) -> float:
        begin = time.perf_counter()
        function()
        return time.perf_counter() - begin

    computed = seconds(lambda: pair_stiffness(pair, "fe", 1e-4, cache=False, fine=0.5 if quick else None))
    pair_stiffness(pair, "fe", 1e-4)
    read = min(seconds(lambda: pair_stiffness(pair, "fe", 1e-4)) for _ in range(5))
    duration = 1.0 if quick else 30.0

    def run(edits: list[str]) -> float:
        with tempfile.TemporaryDirectory() as folder:
            return gw.simulate(
                "nordtank-500kw", duration=duration, overrides=edits, output=Path(folder) / "run.nc"
            ).wall_s

    run(EDITS)
    best = min(run(EDITS) for _ in range(1 if quick else 3))
    return [
        Figure("both gears of sun and planet by elements", computed, "s", 10.0),
        Figure("the same from disk", read, "s", 0.1),
        # the engine by itself, at the tolerance that a load needs, is in the set ``contact``
        Figure(f"run of {duration:g} s with their stiffness at the default tolerance, counted and written", best, "s"),
    ]
