"""C30, C55: intervals of counting and storing are obeyed, what they cannot see is said, a discard is compared with the run."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gearwright as gw
from gearwright.errors import DrivetrainError
from gearwright.remarks import sorted_remarks, train_remarks
from gearwright.running.intervals import missed_of
from gearwright.schema.read import from_mapping
from gearwright.system import signals
from gearwright.train.expand import expand


def _swing(**case: Any) -> Any:
    """Two flywheels on a shaft; a torque of 7 Hz twists it far below its own 15.9 Hz sqrt(2)."""
    return from_mapping({
        "name": "two", "bodies": [{"name": "a", "inertia": 1.0}, {"name": "b", "inertia": 1.0}],
        "shafts": [{"name": "s", "between": ["a", "b"], "torsional_stiffness": 1e4, "damping": {"ratio": 0.05}}],
        "model": {"fidelity": "torsional"},
        "cases": [{"name": "c", "duration": "2 s", "start": "rest", "record": ["shafts"],
                   "loads": [{"on": "a", "torque": {"sine": {"amplitude": 10.0, "frequency": "7 Hz"}}},
                             {"on": "b", "torque": {"sine": {"amplitude": -10.0, "frequency": "7 Hz"}}}], **case}],
    })  # fmt: skip


def _run(tmp_path: Path, d: Any, **more: Any) -> tuple[Any, Any]:
    done = gw.simulate(d, "c", output=tmp_path / "r.nc", **more)
    return done, sorted_remarks(done.attributes["notes"]) | {
        k: done.attributes[k] for k in ("assumed", "warnings") if k in done.attributes
    }


def test_a_load_that_falls_between_the_samples_is_warned_of(tmp_path: Path) -> None:
    """Samples of 7 Hz once a second are all alike: standard deviation and equivalent loads of nothing."""
    _, said = _run(tmp_path, _swing(counting_interval="1 s", duration="20 s"))
    warned = " ".join(said["warnings"])
    assert "counting_interval 1 s misses" in warned and "torque on a" in warned
    assert "first elastic mode (22.51 Hz)" in warned  # sqrt(2 k/J)/2 pi
    _, quiet = _run(tmp_path, _swing(counting_interval="1 ms"))
    assert not any("counting_interval" in text for text in quiet["warnings"])


def test_what_is_missed_of_a_sine() -> None:
    """Lines through n samples of a period lose about (pi/n)^2/2 x 0.73 of its rms, and all of it with one; a ramp nothing."""
    sine, ramp = signals.sine(1.0, 7.0), signals.ramp(0.0, 1.0, 0.0, 2.0)
    assert missed_of({"sine": sine, "ramp": ramp}, 1.0, 20.0)["sine"] == pytest.approx(1.0, abs=0.01)
    assert missed_of({"sine": sine, "ramp": ramp}, 1e-3, 2.0) == {}
    assert set(missed_of({"sine": sine}, 1.0 / 28.0, 2.0)) == {"sine"}


@pytest.mark.parametrize(
    ("case", "samples"),
    [
        ({"counting_interval": "5 ms", "output_interval": "0.5 ms"}, 4000),
        ({"output_interval": "0.05 ms"}, 40_000),  # finer than counting would be by itself
        ({"output_interval": "10 ms"}, 200),
        ({"output_interval": "3 ms"}, 667),
    ],
)
def test_the_stored_series_has_the_samples_asked_for(tmp_path: Path, case: dict[str, Any], samples: int) -> None:
    done, _ = _run(tmp_path, _swing(**case))
    with gw.Result.open(done.result_file) as result:
        time = np.asarray(result.series("s.torque").time)
    assert abs(len(time) - samples) <= 1
    step = {"0.5 ms": 5e-4, "0.05 ms": 5e-5, "10 ms": 1e-2, "3 ms": 3e-3}[case["output_interval"]]
    np.testing.assert_allclose(np.diff(time), step, rtol=1e-6)


def test_a_discard_is_compared_with_the_duration_that_runs(tmp_path: Path) -> None:
    d = _swing(duration="1 s", discard="1.5 s")
    assert any("leaves nothing" in text for text in sorted_remarks(train_remarks(expand(d).notes))["warnings"])
    with pytest.raises(DrivetrainError, match=r"discard \(1.5 s\) leaves nothing of the duration \(1 s\)"):
        _run(tmp_path, d)
    done, _ = _run(tmp_path, d, duration=2.0)  # half a second is left
    assert done.duration_s == pytest.approx(2.0)


def test_a_discard_that_leaves_no_samples_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DrivetrainError, match=r"leaves 0.0001 s of 1 s, less than 10 counting intervals"):
        _run(tmp_path, _swing(duration="1 s", discard="0.9999 s"))
