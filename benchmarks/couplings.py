"""What the bridge to OpenFAST costs per step, and what a step of an exported drivetrain costs."""

from __future__ import annotations

from .common import Figure, timed

TITLE = "Couplings: the bridge per step against OpenFAST's own step, steps of an exported drivetrain"

#: OpenFAST's own time per step of 12.5 ms on the 5 MW deck [us]: 8.8 s for 30 s, measured with OpenFAST built from source
OPENFAST_STEP = 8.8 / 30.0 * 0.0125 * 1e6


def measure(quick: bool = False) -> list[Figure]:
    """Processor time of both sides of a call of the real library, and of steps of 10 ms."""
    from gearwright.couplings.library import LibraryStepper
    from gearwright.couplings.plant import make_plant
    from gearwright.couplings.self_test import run_self_test

    found = run_self_test(duration=1.0 if quick else 25.0)
    both = found.host_us + found.caller_us
    figures = [
        Figure("a call of the bridge, host's side (controller, gearbox)", found.host_us, "us"),
        Figure("a call of the bridge, caller's side", found.caller_us, "us"),
        Figure("share of OpenFAST's own step", 100.0 * both / OPENFAST_STEP, "%", None if quick else 15.0,
               note=f"{OPENFAST_STEP:.0f} us, 5 MW deck, steps of 12.5 ms"),
    ]  # fmt: skip
    for name, fidelity, law, tolerance, count in (
        ("nrel-5mw-gallego", "torsional", "linear", 1e-3, 2000),
        ("nrel-5mw-gallego", "planar", "linear", 1e-3, 1000),
        ("nrel-5mw-gallego", "torsional", "periodic", 1e-3, 200),
        ("nrel-5mw-gallego-source", "torsional", "periodic", 1e-3, 200),
        ("nrel-5mw-gallego-source", "torsional", "periodic", 1e-6, 100),
    ):
        plant = make_plant(name, fidelity, law)
        stepper = LibraryStepper(plant, tolerance)
        values = [p.start for p in plant.ports]
        number = 3 if quick else count

        def steps(stepper: LibraryStepper = stepper, values: list[float] = values, number: int = number) -> None:
            for _ in range(number):
                stepper.step(values, 0.01)

        # maps of step sizes are made when they are first met
        for _ in range(5):
            stepper.step(values, 0.01)
        seconds, _ = timed(steps)
        goal = 200.0 if law == "periodic" and tolerance == 1e-3 and name.endswith("source") and not quick else None
        figures.append(
            Figure(
                f"a step of 10 ms, {name}, {fidelity} {law}, tolerance {tolerance:g}",
                1e6 * seconds / number,
                "us",
                goal,
            )
        )
    return figures
