"""C13, C44: resonances of runs of a motor rig against the swing of the recorded series themselves."""

from pathlib import Path

import numpy as np
import pytest

import gearwright as gw
from gearwright.analyses.modes import blades_of
from gearwright.analyses.orders import orders

RIG = Path(__file__).parent.parent / "data" / "run-up.yaml"
RPM = 30.0 / np.pi


@pytest.mark.parametrize("case", ["slow", "fast", "coast"])
def test_resonance_of_a_run_is_the_swing_of_its_series(tmp_path, case):
    """The first mode (28.8 Hz with the motor's speed given) meets the mesh order near 78 rpm, up and down, slowly and fast."""
    done = gw.simulate(str(RIG), case, output=tmp_path / "r.nc")
    for channel in ("out.torque", "pair.mesh.force"):
        with gw.Result.open(done.result_file) as result:
            series = np.asarray(result.series(channel), float)
            speed = np.asarray(result.series("motor.speed"), float) * RPM
            interval = result.interval
        near = np.flatnonzero((speed > 68.0) & (speed < 100.0))
        turn = int(2.0 / 28.8 / interval)  # two periods
        swings = [0.5 * np.ptp(series[i : i + turn]) for i in range(near[0], near[-1] - turn, turn // 4)]
        k = int(np.argmax(swings))
        table = orders(done.result_file, channel).resonances
        assert [r.line for r in table if 68.0 < r.speed_rpm < 100.0] == ["mesh pair"]
        found = next(r for r in table if 68.0 < r.speed_rpm < 100.0)
        assert found.amplitude == pytest.approx(swings[k], rel=0.1)
        assert found.speed_rpm == pytest.approx(speed[near[0] + k * (turn // 4) + turn // 2], rel=0.03)
        assert found.mode == 1 and found.mode_frequency_hz == pytest.approx(28.8, rel=0.01)
        # nothing of round-off, no blades on a motor
        assert all(r.amplitude > 1e-3 * swings[k] for r in table)
        assert not any(r.line.endswith("P") for r in table)


def test_blades_are_known_from_the_turbine_assumed_of_a_rotor_and_absent_elsewhere():
    motor, rotor, turbine = gw.load(str(RIG)), gw.load("grc-750kw"), gw.load("nrel-5mw")
    assert blades_of(motor, gw.expand(motor)) == (None, [])
    assert blades_of(turbine, gw.expand(turbine)) == (3, [])
    number, said = blades_of(rotor, gw.expand(rotor))
    assert number == 3 and said[0].kind == "assumed"
    assert any("three blades" in text for text in gw.modes("grc-750kw", fidelity="torsional").assumed)
