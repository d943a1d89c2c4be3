"""Recorded turbine runs: shaft torque computed against the recorded one."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from .common import Figure, child

TITLE = "Ten minutes of a recorded run at 18 m/s: torque of the main shaft against the record"
#: drivetrain, case, lower bound of the correlation (decisions), duration of a quick run
RUNS = (
    ("nrel-5mw-two-mass", "recorded-18ms", 0.99),
    ("nrel-5mw-gallego", "recorded-18ms", 0.99),
    ("nrel-5mw-gallego", "recorded-18ms-source-shaft", None),
)


def measure(quick: bool = False) -> list[Figure]:
    """Correlation, standard deviations and wall time, as ``run --json`` prints them."""
    figures = []
    for name, case, bound in RUNS[:1] if quick else RUNS:
        with tempfile.TemporaryDirectory() as folder:
            arguments = ["run", name, "--case", case, "--json", "-o", str(Path(folder) / "run.nc")]
            data = json.loads(child(arguments).output)
        label = f"`{name}`, {case}"
        figures += [
            Figure(f"{label}: correlation", data["recorded_torque_correlation"], "", bound, ">"),
            Figure(f"{label}: standard deviation", data["computed_torque_std"] / 1e3, "kN m"),
            Figure(f"{label}: wall time of the run", data["wall_s"], "s"),
        ]
    figures.append(Figure("recorded standard deviation", data["recorded_torque_std"] / 1e3, "kN m"))
    return figures
