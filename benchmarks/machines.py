"""Electrical machines in the loop: seconds of work per 600 s simulated, and the error of their sub-steps through a dip."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from .common import Figure, timed

TITLE = "Electrical machines, exchange steps of 1 ms, per 600 s simulated"


def measure(quick: bool = False) -> list[Figure]:
    """Time of each machine at a given speed; torque error (of its fluctuation) against sub-steps eight times as short."""
    from gearwright.machines import Dfig, Grid, Induction, Pmsg, run_alone
    from gearwright.machines.facts import law_of, sub_steps
    from gearwright.running.grid import grid_profile

    length = 1.0 if quick else 20.0
    time, voltage = grid_profile("denmark")
    grid = Grid.through([0.0, 0.1, *(0.1 + t for t in time)], [1.0, 1.0, *voltage])
    found = []
    for name, data, torque, speed in (
        ("DFIG, third order", Dfig.nrel_5mw(), 43_093.55, 122.909), ("DFIG, fifth order", Dfig.nrel_5mw(order=5), 43_093.55, 122.909),
        ("PMSG", Pmsg.nrel_5mw(), 64_310.0, 78.53), ("induction machine, third order", Induction.rated(750e3, 60 * math.pi, 0.005), 0.0, 189.4),
    ):  # fmt: skip
        law, parts = law_of(data, torque, speed), sub_steps(data)
        run_alone(law, speed, reference=torque, duration=0.01, parts=parts)
        seconds, _ = timed(partial(run_alone, law, speed, reference=torque, duration=length, parts=parts), 2)
        found.append(
            Figure(f"{name}, {parts} sub-steps", seconds * 600.0 / length, "s", None if "fifth" in name else 5.0)
        )
        plain, fine = (
            run_alone(law, speed, reference=torque, grid=grid, duration=1.0, parts=p).torque for p in (parts, 8 * parts)
        )
        found.append(
            Figure(
                f"{name}: error of the torque through Denmark's dip",
                float(np.abs(plain - fine).max() / fine.std()),
                "",
                5e-3,
            )
        )
    return found
