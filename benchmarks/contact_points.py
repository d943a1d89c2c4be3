"""How the cost of planar runs grows with contact points: planets of a stage, slices of a helical face.

python -m benchmarks.contact_points prints processor milliseconds per simulated second of the explicit engine at one tolerance, the least of
some runs, and the evaluations in them: what is left when one is divided by the other is the price of an evaluation.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import gearwright as gw
from gearwright.running.prepare import prepare
from gearwright.running.start import CONTACT_BALANCE
from gearwright.solve.runge_kutta.engine import ExplicitEngine
from gearwright.solve.steady.static import equilibrium

#: a planetary stage that three to six planets fit into
STAGE = """
name: stage-of-planets
operating: {input: carrier, output: sun, speed: 100 rpm, torque: 20 kN m}
materials: {steel: {young: 206 GPa, poisson: 0.3, density: 7850 kg/m^3}}
stages:
  - name: stage
    type: planetary
    planets: 3
    module: 6 mm
    pressure_angle: 20 deg
    material: steel
    sun:     {teeth: 60, face_width: 80 mm, mass: 60 kg, inertia: 1 kg m^2, floating: true}
    planet:  {teeth: 30, face_width: 80 mm, mass: 15 kg, inertia: 0.06 kg m^2}
    ring:    {teeth: 120, face_width: 80 mm, mass: 80 kg, inertia: 12 kg m^2, fixed: true}
    carrier: {mass: 100 kg, inertia: 6 kg m^2, inertia_includes_planets: false}
    meshes:
      sun_planet:  {stiffness: {from: iso6336}, backlash: 0.2 mm, damping: {ratio: 5 %}, pitch_error: {sun: {grade: 5, seed: 1}, planet: {grade: 5, seed: 1}}}
      ring_planet: {stiffness: {from: iso6336}, backlash: 0.2 mm, damping: {ratio: 5 %}, pitch_error: {planet: {grade: 5, seed: 1}, ring: {grade: 6, seed: 1}}}
    bearings:
      carrier: {stiffness: 1e9 N/m, damping: 1e5 N s/m}
      planet:  {stiffness: 1e9 N/m, damping: 1e5 N s/m}
model: {fidelity: planar, law: periodic}
cases:
  - name: rated
    duration: 10 s
    loads: [{on: carrier, torque: 20 kN m}, {on: sun, torque: -6.6666667 kN m, slope: -5 N m s/rad}]
"""
TOLERANCE, INTERVAL = 1e-3, 1e-3


class Measured(NamedTuple):
    """Milliseconds and evaluations of a simulated second, samples included."""

    cost: float
    evaluations: float


def measure(file: str, law: str, edits: Sequence[str] = (), seconds: float = 0.5, times: int = 4) -> Measured:
    """Step a planar model under its rated load."""
    system = prepare(gw.load(file, edits), "rated", fidelity="planar", law=law).system
    engine, start = ExplicitEngine(), equilibrium(system, tolerance=CONTACT_BALANCE).state(system)
    channels = [c for c in system.channels if c.kind == "mesh" and c.quantity == "force"]
    best, evaluations = float("inf"), 0.0
    for _ in range(times):
        plan, state = engine.prepare(system, channels, INTERVAL, TOLERANCE), start.copy()
        engine.advance(plan, state, 10)
        before = plan.statistics["evaluations"]
        begin = time.thread_time()
        engine.advance(plan, state, round(seconds / INTERVAL))
        best = min(best, (time.thread_time() - begin) / seconds * 1e3)
        evaluations = (plan.statistics["evaluations"] - before) / seconds + 1.0 / INTERVAL
    return Measured(best, evaluations)


def line(name: str, found: Measured) -> None:
    """One row of the table."""
    price = found.cost / found.evaluations * 1e3
    print(f"| {name} | {found.cost:.1f} | {found.evaluations:.0f} | {price:.2f} |", flush=True)


def main() -> None:
    """Print the table."""
    print("| planar model | ms per s | evaluations per s | us each |\n|---|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        stage = Path(folder) / "stage.yaml"
        stage.write_text(STAGE, encoding="utf-8")
        for law in ("periodic", "tooth_contact"):
            for planets in (3, 4, 5, 6):
                name = f"{planets} planets, {2 * planets} meshes, law `{law}`"
                line(name, measure(str(stage), law, [f"stages.stage.planets={planets}"]))
    for slices in (1, 8, 16, 32):
        edits = [f"model.face_slices={slices}"]
        line(f"`nrel-5mw-nejad-source`, {slices} slices of the helical face, law `tooth_contact`",
             measure("nrel-5mw-nejad-source", "tooth_contact", edits))  # fmt: skip


if __name__ == "__main__":
    main()
