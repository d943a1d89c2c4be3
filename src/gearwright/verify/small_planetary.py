"""The small planetary stage of S0 (P3 section 3.1): flexible columns and periods."""

from __future__ import annotations

import math
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from .framework import REGISTRY


def carrier_angle(planets: int, stiffness: float, damping: float) -> float:
    """Carrier angle [deg] after 5 s: torque -4 N m for 2 s, then none, from rest."""
    angle, _ = _run(planets, stiffness, damping)
    return math.degrees(float(angle[-1]))


def _run(planets: int, stiffness: float, damping: float) -> tuple[Any, dict[str, Any]]:
    import gearwright as gw

    meshes = ("sun_planet", "ring_planet")
    overrides = [
        f"stages.0.planets={planets}",
        *(f"stages.0.meshes.{m}.stiffness={stiffness:g}" for m in meshes),
        *(f"stages.0.meshes.{m}.damping={damping:g}" for m in meshes),
    ]
    if planets == 1:
        # with one planet the carrier is a bar of 11.775 kg with its centre at half the arm (S0 digest 4.3)
        overrides.append("stages.0.carrier.inertia=0.4112375")
    with tempfile.TemporaryDirectory() as folder:
        run = gw.simulate("s0-small-planetary", overrides=overrides, output=Path(folder) / "run.nc",
                          fidelity="torsional", law="linear")  # fmt: skip
        with gw.Result.open(run.result_file) as result:
            data = result.dataset.load()
    carrier = next(str(b) for b in data["body"].values if str(b).endswith("carrier"))
    forces = {str(m): data["mesh_normal_force"].sel(mesh=m).values for m in data["mesh"].values}
    return data["body_angle"].sel(body=carrier).values, {"time": data["time"].values, **forces}


@REGISTRY.computes("S0.p3.flex.n1", "S0.p3.flex.n2", "S0.p3.flex.n3", "S0.p3.flex.n4")
def _flexible() -> dict[str, float]:
    return {f"S0.p3.flex.n{n}": carrier_angle(n, 500.0, 0.0) for n in (1, 2, 3, 4)}


def _period(stiffness: float) -> float:
    import gearwright as gw

    overrides = [
        "stages.0.planets=3",
        *(f"stages.0.meshes.{m}.stiffness={stiffness:g}" for m in ("sun_planet", "ring_planet")),
    ]
    found = gw.modes(gw.load("s0-small-planetary", overrides), fidelity="torsional", law="linear")
    lowest = min(f for f in found.frequencies_hz if f > 0)
    return 1.0 / lowest


@REGISTRY.computes("S0.p3.period.k500")
def _period_500() -> float:
    return _period(500.0)


@REGISTRY.computes("S0.p3.period.k5000")
def _period_5000() -> float:
    return _period(5000.0)


@REGISTRY.computes(*(f"S0.p3.damp.{d}" for d in range(0, 70, 10)))
def _damping() -> dict[str, float]:
    return {f"S0.p3.damp.{d}": carrier_angle(3, 5000.0, float(d)) for d in range(0, 70, 10)}


@REGISTRY.computes("S0.p3.area.sp", "S0.p3.area.pr")
def _impulse() -> dict[str, float]:
    """Time integral of the mesh forces over 5 s, flexible over rigid, minus one, in percent (one planet).

    The rigid forces are those of the digest's table: constant while the torque lasts, zero after.
    """
    _, series = _run(1, 500.0, 0.0)
    found = {}
    for key, mesh, rigid in (("sp", "sun_planet1", 1.7335), ("pr", "ring_planet1", 5.2004)):
        name = next(m for m in series if m.endswith(mesh))
        impulse = float(np.trapezoid(series[name], series["time"]))
        found[f"S0.p3.area.{key}"] = abs(100.0 * (abs(impulse) / (2.0 * rigid) - 1.0))
    return found
