"""Law periodic by its table beside two levels: processor time of the explicit engine and error of mesh forces, by tolerance.

python -m benchmarks.mesh_forms prints one line for every law and tolerance; the reference is the same law at 1e-7.
"""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import gearwright as gw
from gearwright.running.prepare import prepare
from gearwright.solve.runge_kutta.engine import ExplicitEngine
from gearwright.solve.steady.static import equilibrium

SECONDS, INTERVAL, REFERENCE = 2.0, 1e-3, 1e-7
TOLERANCES = (1e-2, 1e-3, 1e-4)


class Measured(NamedTuple):
    """Processor milliseconds per simulated second, and mesh forces (samples, meshes) [N]."""

    cost: float
    force: NDArray[np.float64]


def measure(name: str, law: str, tolerance: float) -> Measured:
    """Step the planar model at rated load; the first samples compile and settle."""
    system = prepare(gw.load(name), "rated", fidelity="planar", law=law).system
    state, engine = equilibrium(system).state(system), ExplicitEngine()
    channels = [c for c in system.channels if c.kind == "mesh" and c.quantity == "force"]
    plan = engine.prepare(system, channels, INTERVAL, tolerance)
    engine.advance(plan, state, 10)
    begin = time.process_time()
    block = engine.advance(plan, state, round(SECONDS / INTERVAL))
    return Measured((time.process_time() - begin) / SECONDS * 1e3, np.asarray(block.lines))


def main() -> None:
    """Print times and errors."""
    for law in ("two_level", "periodic"):
        late = round(0.25 * SECONDS / INTERVAL)
        reference = measure("nrel-5mw-nejad-source", law, REFERENCE).force[late:]
        for tolerance in TOLERANCES:
            found = min((measure("nrel-5mw-nejad-source", law, tolerance) for _ in range(2)), key=lambda one: one.cost)
            force = found.force[late:]
            off = np.sqrt(((force - reference) ** 2).mean(axis=0)) / reference.mean(axis=0)
            std = np.abs(force.std(axis=0) / reference.std(axis=0) - 1.0)
            print(
                f"{law} {tolerance:g}: {found.cost:.1f} ms/s, rms {off.max():.1e}, standard deviation {std.max():.1e}"
            )
    print(f"as built: {measure('nrel-5mw-nejad', 'periodic', 1e-3).cost:.1f} ms/s")


if __name__ == "__main__":
    main()
