"""The energy error of a run: what the book leaves over, over the largest energy or work between (C16)."""

from pathlib import Path

import numpy as np
import pytest

from gearwright.multibody import simulate as move
from gearwright.results import EnergyBook
from gearwright.results.result import Result
from gearwright.running.mechanism import mechanism_of
from gearwright.running.run import simulate

DATA = Path(__file__).parent.parent / "data"
#: J: of 0.03 kg m^2 at 1 rad/s and of 0.05 kg m^2 at -0.6 rad/s
BEGUN = 0.5 * 0.03 * 1.0**2 + 0.5 * 0.05 * 0.6**2


@pytest.mark.parametrize("method", ["explicit", "exponential"])
def test_inertias_that_rattle_without_loss_err_by_what_their_energy_changes(method: str, tmp_path: Path) -> None:
    """No work, no heat: the error is of the size of what kinetic and spring energy stray by, over what there is, in both engines
    that take such a gap."""
    done = simulate(DATA / "free-rattle.yaml", method=method, output=tmp_path / "run.nc")
    with Result.open(tmp_path / "run.nc") as result:
        a, b = (np.asarray(result.series("body", "speed", name).values) for name in ("a", "b"))
        torque = np.asarray(result.series("shaft", "torque", "gap").values)
    energy = 0.5 * 0.03 * a**2 + 0.5 * 0.05 * b**2 + 0.5 * torque**2 / 3000.0
    strayed = np.abs(energy - BEGUN).max() / BEGUN
    assert done.energy_error < 3.0 * strayed + 2e-7  # series are stored in single precision


def test_the_size_of_an_error_is_the_largest_energy_or_work() -> None:
    assert EnergyBook({"kinetic": 1e-3}, largest=10.0).error == pytest.approx(1e-4)
    assert EnergyBook({"input": 20.0, "damping": -19.0}, largest=10.0).error == pytest.approx(1.0 / 20.0)
    assert EnergyBook({}).error == 0.0


@pytest.mark.parametrize("name, case, step, interval",
                         [("pendulum-revolute", "from90", "100 ms", "0.2 s"), ("free-rigid-body", "tumble", "400 ms", "0.4 s")])  # fmt: skip
def test_a_mechanism_errs_by_what_its_energy_changes(
    name: str, case: str, step: str, interval: str, tmp_path: Path
) -> None:
    """Nothing is lost in a pendulum or a tumbling body; steps are so long that the method's own error shows. Work is integrated and
    height is known, so that the two agree in size, not in digits."""
    changed = (f"model.step={step}", f"cases.0.output_interval={interval}", f"cases.1.output_interval={interval}")
    changed = changed[: 3 if case == "from90" else 2]
    said = simulate(name, case, overrides=changed, duration=4.0, output=tmp_path / "run.nc")
    made, drivetrain, chosen, _ = mechanism_of(name, case, changed, 4.0)
    done = move(made, 4.0, drivetrain.model.step, chosen.output_interval)
    total = done.energy()
    moving = max(made.kinetic_energy(v) for v in done.velocity)
    assert said.energy_error == pytest.approx(abs(total[-1] - total[0]) / moving, rel=0.6)
    assert said.energy_error > 1e-8
    with Result.open(tmp_path / "run.nc") as result:
        assert result.attributes["energy_error"] == pytest.approx(said.energy_error)


@pytest.mark.parametrize("method", ["explicit", "exponential"])
@pytest.mark.parametrize("tolerance", [1e-3, 1e-4, 1e-6])
def test_a_gap_gives_no_energy_at_its_edges(method: str, tolerance: float, tmp_path: Path) -> None:
    """C17: the peak is 12 N m whenever the inertias meet (1.6 rad/s times the root of 3000 N m/rad and the reduced inertia), errors
    are about the tolerance, and no energy is gained."""
    peak = 1.6 * np.sqrt(3000.0 * 0.03 * 0.05 / 0.08)
    done = simulate(DATA / "free-rattle.yaml", method=method, tolerance=tolerance, output=tmp_path / "run.nc")
    assert peak == pytest.approx(12.0)
    with Result.open(tmp_path / "run.nc") as result:
        torque = np.asarray(result.series("shaft", "torque", "gap").values)
    sampled = 1e-5  # of a peak between samples 0.1 ms apart, 400 rad/s: (0.02)^2/2, met closer in one of many beats
    assert abs(np.abs(torque).max() / peak - 1.0) < 10.0 * tolerance + sampled
    assert done.energy_error < 10.0 * tolerance
