"""Bridge overhead per step, and what a step of an exported drivetrain costs.

OpenFAST's own step of the 5 MW deck took 3.67 ms in the measured case (8.8 s for 30 s at 12.5 ms, one core): the bridge
with a torsional gearbox has to stay below 15 % of that.
"""

from __future__ import annotations

import time
from typing import Any

#: OpenFAST's own time per step of 12.5 ms [us], measured once on the 5 MW deck
OPENFAST_STEP_US = 8.8 / 30.0 * 0.0125 * 1e6


def bridge() -> dict[str, Any]:
    """Calls of the real bridge library by a program that plays OpenFAST."""
    from gearwright.couplings.self_test import self_test

    found = self_test(duration=25.0)
    return {"call_us": found["call_us"], "host_us": found["host_us"], "share": found["call_us"] / OPENFAST_STEP_US,
            "calls": found["calls"]}  # fmt: skip


def steps() -> dict[str, float]:
    """Microseconds per step of 10 ms: torsional and planar, springs and periodic meshes."""
    from gearwright.couplings.library import LibraryStepper
    from gearwright.couplings.plant import make_plant

    made = {}
    for fidelity, law, count in (
        ("torsional", "linear", 2000),
        ("planar", "linear", 1000),
        ("torsional", "periodic", 50),
    ):
        plant = make_plant("nrel-5mw-gallego", fidelity, law)
        stepper = LibraryStepper(plant)
        values = [p.start for p in plant.ports]
        stepper.step(values, 0.01)
        begin = time.perf_counter()
        for _ in range(count):
            stepper.step(values, 0.01)
        made[f"{fidelity} {law}"] = 1e6 * (time.perf_counter() - begin) / count
    return made


def main() -> None:
    """Print both."""
    found = bridge()
    print(f"bridge: {found['call_us']:.0f} us per call ({found['host_us']:.0f} us in the host), {100 * found['share']:.1f} % of "
          f"OpenFAST's step of {OPENFAST_STEP_US:.0f} us")  # fmt: skip
    for name, us in steps().items():
        print(f"step of 10 ms, {name}: {us:.1f} us")


if __name__ == "__main__":
    main()
