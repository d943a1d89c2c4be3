"""Turbine alone and with a gearbox: processor time of ten minutes, warm."""

from __future__ import annotations

import tempfile
from pathlib import Path

from .common import Figure, timed

TITLE = "Turbine, alone and with a planar gearbox"


def measure(quick: bool = False) -> list[Figure]:
    """Measured figures against the goals of the specification (one core, warm); ``quick`` runs seconds only."""
    import gearwright as gw
    from gearwright.cases.setup import prepare_setup
    from gearwright.cases.turbine_run import CoupledRun, turbine_channels
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
        gw.simulate("nrel-5mw", "normal", duration=1.0, output=Path(folder) / "w.nc")
        fine = gw.load("nrel-5mw", ["cases.normal.counting_interval=0.1 ms", "cases.normal.output_interval=20 ms"])
        for name, drivetrain in (("own interval", gw.load("nrel-5mw")), ("10 kHz", fine)):
            setup = prepare_setup(drivetrain, "normal", fidelity="planar")
            h = setup.case.counting_interval or 1e-3
            channels = tuple(c for c in setup.system.channels if c.kind in ("mesh", "bearing", "shaft", "machine"))
            loop = CoupledRun(setup, h, channels)
            loop.advance(64)

            def steps(loop: CoupledRun = loop) -> None:
                for _ in range(1 if quick else 66):
                    loop.advance(10_000 // 10)

            seconds, _ = timed(steps)
            found.append(Figure(f"loop with planar gearbox, 66 s, {name}", seconds, "s", note="without counters"))
            run = gw.simulate(drivetrain, "normal", fidelity="planar", duration=6.0 if quick else 660.0,
                              output=Path(folder) / f"{h}.nc")  # fmt: skip
            goal = 8.0
            found.append(Figure(f"run with planar gearbox and counters, 660 s, {name}", run.wall_s, "s", goal,
                                note=f"{len(channels) + len(turbine_channels())} channels; wall, counters on a second thread"))  # fmt: skip
    return found
