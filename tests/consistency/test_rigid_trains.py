"""Rigid trains from the file in the time domain: against Newton's law by hand, the power flow and published events."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gearwright as gw
from gearwright.analyses.power_flow import power_flow
from gearwright.schema.read import from_mapping
from gearwright.train.open import load


def _run(drivetrain: Any, case: str, folder: Path, **options: Any) -> tuple[Any, Any]:
    done = gw.simulate(drivetrain, case, output=folder / "r.nc", **options)
    with gw.Result.open(done.result_file) as result:
        return done, result.dataset.load()


def _speed(data: Any, body: str) -> np.ndarray:
    return np.asarray(data["body_speed"].sel(body=body).values)


def test_two_wheels_accelerate_as_newton_says(tmp_path: Path) -> None:
    """Pair 20/50 with 3 % loss by efficiency: J1 + eta (20/50)^2 J2 turns under the torque of wheel 1."""
    d = {
        "name": "pair",
        "bodies": [{"name": "a", "inertia": "0.1 kg m^2"}, {"name": "b", "inertia": "2 kg m^2"}],
        "elements": [{"name": "m", "type": "mesh", "between": ["a", "b"], "teeth": [20, 50], "loss": {"efficiency": 0.97}}],
        "model": {"fidelity": "rigid", "law": "rigid"}, "operating": {"input": "a", "output": "b", "speed": "0 rad/s"},
        "cases": [{"name": "c", "duration": "1 s", "start": "rest", "loads": [{"on": "a", "torque": "5 N m"}],
                   "record": ["meshes", "bodies"], "output_interval": "0.01 s", "counting_interval": "0.01 s"}],
    }  # fmt: skip
    done, data = _run(from_mapping(d), "c", tmp_path)
    # wheel 2 gets eta F r2, wheel 1 gives F r1: J2 a2 = eta F r2, a2 = -(20/50) a1
    a1 = 5.0 / (0.1 + 2.0 * 0.4**2 / 0.97)
    np.testing.assert_allclose(_speed(data, "a"), a1 * data["time"].values, rtol=3e-7)  # stored in single precision
    np.testing.assert_allclose(
        _speed(data, "b"), -0.4 * a1 * data["time"].values, rtol=3e-7
    )  # stored in single precision
    assert done.energy_error < 1e-12


@pytest.mark.parametrize("gear", ["first", "second", "third", "fourth", "reverse"])
def test_steady_running_ends_where_the_power_flow_is(gear: str, tmp_path: Path) -> None:
    """A load that holds the speed: in the end the output torque is that of the power flow."""
    change = ["cases.drive.duration=30 s", "cases.drive.output_interval=0.01 s", "cases.drive.counting_interval=0.01 s"]
    drivetrain = load("zf-4hp22", change)
    _, data = _run(drivetrain, gear, tmp_path)
    steady = power_flow(drivetrain, gear, torque=150.0)
    torque = data["machine_torque"].sel(machine="output").values
    # the time constant is J/slope < 7 s in every gear
    assert torque[-1] == pytest.approx(steady.torque("output"), rel=3e-3)
    ratio = _speed(data, "turbine")[-1] / _speed(data, "output")[-1]
    assert ratio == pytest.approx(steady.ratio, rel=1e-6)


def test_shifting_sequence_locks_every_gear_and_closes_its_energy(tmp_path: Path) -> None:
    """1-2-3-4-3 with overlapping elements: ratios of the tooth numbers, slipping elements heat, the sum is closed.

    With sticking losses: in third gear both sets turn as blocks, so that losses hold beside locked clutches.
    """
    done, data = _run(load("zf-4hp22"), "shifts", tmp_path)
    ratio = _speed(data, "turbine") / _speed(data, "output")
    expected = {3.9: 2 + 35 / 73, 7.9: 1 + 35 / 73, 11.9: 1.0, 15.9: 1 / (1 + 31 / 83), 19.9: 1.0}
    for time, value in expected.items():
        # single precision in the file
        assert ratio[np.searchsorted(data["time"].values, time - 1e-9)] == pytest.approx(value, rel=1e-6)
    assert done.energy_error < 1e-12
    energy = {str(k): float(v) for k, v in zip(data["energy_term"].values, data["energy"].values, strict=True)}
    heat = {name: energy[f"friction {name}"] for name in "BCDEF"}
    assert all(value < -100.0 for value in heat.values())  # supplied to the motion is positive
    # heat from the stored power: samples every 5 ms of slips that last 0.1 s and more, so some percent
    power = data["shaft_loss_power"].sel(shaft="C").values
    assert -heat["C"] == pytest.approx(float(power.sum()) * 5e-3, rel=0.05)


def test_split_ring_does_not_move_backwards(tmp_path: Path) -> None:
    """Self-locking: 100 N m on ring 2 from rest move nothing; with 0.01 % per mesh they do."""
    _, data = _run(load("split-ring-256"), "stuck", tmp_path)
    assert np.abs(data["body_speed"].values).max() < 1e-9
    free = [f"elements.{m}.loss={{efficiency: 0.9999}}" for m in ("planet_ring1", "planet_ring2")]
    _, data = _run(load("split-ring-256", free), "stuck", tmp_path)
    assert abs(_speed(data, "carrier")[-1]) > 1.0


def test_one_way_clutch_overruns_and_catches(tmp_path: Path) -> None:
    """Wheel driven forth and back by a sine: the housing clutch lets it turn forward only."""
    d = {
        "name": "ratchet",
        "bodies": [{"name": "a", "inertia": "1 kg m^2"}, {"name": "b", "inertia": "1 kg m^2"}],
        "elements": [
            {"name": "m", "type": "mesh", "between": ["a", "b"], "teeth": [20, 20]},
            {"name": "free", "type": "one_way", "between": ["a", "housing"]},
        ],
        "model": {"fidelity": "rigid", "law": "rigid"}, "operating": {"input": "a", "output": "b", "speed": "0 rad/s"},
        "cases": [{"name": "c", "duration": "2 s", "start": "rest", "record": ["bodies", "shafts"], "output_interval": "0.01 s", "counting_interval": "0.01 s",
                   "loads": [{"on": "a", "torque": {"sine": {"amplitude": "-2 N m", "frequency": "1 Hz"}}}]}],
    }  # fmt: skip
    _, data = _run(from_mapping(d), "c", tmp_path)
    t = data["time"].values
    # held in the first half period; then w = (A/J)(1 + cos(2 pi t))/(2 pi) with A/J = 1, at rest again at t = 1.5
    half = (t >= 0.5) & (t <= 1.5)
    expected = (1.0 + np.cos(2 * np.pi * t[half])) / (2 * np.pi)
    np.testing.assert_allclose(_speed(data, "a")[half], expected, atol=2e-6)
    assert np.abs(_speed(data, "a")[t <= 0.5]).max() < 1e-7
    assert _speed(data, "a").min() > -1e-7
    torque = data["shaft_torque"].sel(shaft="free").values
    np.testing.assert_allclose(torque[t <= 0.49], -2.0 * np.sin(2 * np.pi * t[t <= 0.49]), atol=1e-6)


#: LossyGearDemo1 of the Modelica Standard Library (reference results of the Modelica Association)
DEMO1 = {
    "name": "demo1",
    "bodies": [{"name": "a", "inertia": "1 kg m^2"}, {"name": "b", "inertia": "1.5 kg m^2"}],
    "elements": [{"name": "m", "type": "mesh", "between": ["a", "b"], "teeth": [20, 40], "same_sense": True, "loss": {"efficiency": 0.5}}],
    "model": {"fidelity": "rigid", "law": "rigid"}, "operating": {"input": "a", "output": "b", "speed": "0 rad/s"},
    "cases": [{"name": "c", "duration": "0.5 s", "start": "rest", "record": ["bodies", "meshes"], "output_interval": "0.001 s", "counting_interval": "0.001 s",
               "loads": [{"on": "a", "torque": {"sine": {"amplitude": "10 N m", "frequency": "1 Hz"}}},
                         {"on": "b", "torque": {"ramp": {"from": "-10 N m", "to": "-8.75 N m", "at": "0 s", "over": "0.5 s"}}}]}],
}  # fmt: skip


def test_lossy_gear_demo_1(tmp_path: Path) -> None:
    done, data = _run(from_mapping(DEMO1), "c", tmp_path)
    t, w = data["time"].values, _speed(data, "b")
    angle = data["body_angle"].sel(body="b").values

    def at(series: np.ndarray, time: float) -> float:
        return float(series[np.searchsorted(t, time - 1e-9)])

    assert at(angle, 0.1) == pytest.approx(-0.00111688794644722, rel=1e-5)
    assert at(w, 0.25) == pytest.approx(0.00569809, rel=1e-4)
    assert at(w, 0.3) == pytest.approx(0.0131812, rel=1e-4)
    assert at(angle, 0.4) == pytest.approx(0.000208358, rel=1e-4)
    assert at(w, 0.5) == pytest.approx(-0.0162619240385781, rel=1e-5)
    assert np.abs(w[(t > 0.0806) & (t < 0.1994)]).max() < 1e-9
    assert done.energy_error < 1e-9


def test_lossy_gear_demo_2_gear_and_bearing_stick(tmp_path: Path) -> None:
    """Bearing friction 0.5 N m at rest, 1 N m at 1 rad/s on side a, besides the loss of the gear."""
    d = dict(DEMO1, name="demo2")
    friction = {
        "name": "f",
        "type": "bearing",
        "between": ["a", "housing"],
        "friction": {"torque": 0.5, "viscous": 0.5},
    }
    d["elements"] = [*DEMO1["elements"], friction]  # type: ignore[misc]
    _, data = _run(from_mapping(d), "c", tmp_path)
    t, w = data["time"].values, _speed(data, "b")
    for time, value in ((0.05, -0.00876991), (0.25, 0.000420504), (0.5, -0.00962428)):
        assert float(w[np.searchsorted(t, time - 1e-9)]) == pytest.approx(value, rel=3e-4)
    assert np.abs(w[(t > 0.0638) & (t < 0.2302)]).max() < 1e-9


def test_lossy_gear_demo_3_driving_side_not_obvious(tmp_path: Path) -> None:
    """Both flanges only brake: 500 rad/s^2 down from 10 rad/s, at rest at 0.02 s after 0.1 rad, stuck for good."""
    d = {
        "name": "demo3",
        "bodies": [{"name": "a", "inertia": "0.001 kg m^2"}, {"name": "b", "inertia": "0.001 kg m^2"}],
        "elements": [
            {"name": "m", "type": "mesh", "between": ["a", "b"], "teeth": [20, 20], "same_sense": True, "loss": {"efficiency": 0.25}},
            # the library's bearing friction acts on side a of the gear: 0.625 N m backwards, 2.5 N m driving
            {"name": "f", "type": "bearing", "between": ["a", "housing"], "friction": {"torque": 0.625}},
        ],
        "model": {"fidelity": "rigid", "law": "rigid"}, "operating": {"input": "a", "output": "b", "speed": "10 rad/s"},
        "cases": [{"name": "c", "duration": "1 s", "start": "operating", "record": ["bodies"], "output_interval": "0.001 s", "counting_interval": "0.001 s",
                   "loads": [{"on": "b", "torque": {"step": {"from": "0 N m", "to": "1 N m", "at": "0.5 s"}}}]}],
    }  # fmt: skip
    _, data = _run(from_mapping(d), "c", tmp_path)
    t, w = data["time"].values, _speed(data, "a")
    # side b drives: its inertia pushes with eta = 0.25, so (J + 0.25 J) a = 0.625
    np.testing.assert_allclose(w[t <= 0.02], 10.0 - 500.0 * t[t <= 0.02], atol=1e-6)
    assert np.abs(w[t >= 0.021]).max() < 1e-9
    assert float(data["body_angle"].sel(body="a").values[-1]) == pytest.approx(0.1, rel=1e-6)


def test_inconsistent_initial_speeds_are_projected_and_reported(tmp_path: Path) -> None:
    d = dict(DEMO1)
    d["cases"] = [{**DEMO1["cases"][0], "start": "operating", "initial": {"a": "4 rad/s", "b": "1 rad/s"}}]  # type: ignore[index]
    done, _ = _run(from_mapping(d), "c", tmp_path)
    assert any("projected" in note and "impact" in note for note in done.attributes["notes"])
    d["cases"] = [{**DEMO1["cases"][0], "start": "operating", "initial": {"a": "4 rad/s"}}]  # type: ignore[index]
    done, data = _run(from_mapping(d), "c", tmp_path)
    assert not any("projected" in note for note in done.attributes["notes"])
    assert float(_speed(data, "b")[0]) == pytest.approx(2.0, abs=0.1)


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        (
            {"name": "m2", "type": "mesh", "between": ["a", "b"], "teeth": [20, 41], "same_sense": True},
            r"m, m2 contradict",
        ),
        ({"name": "k", "type": "clutch", "between": ["a", "c"], "capacity": "3 N m"}, r"lock together already"),
    ],
)
def test_contradictions_name_their_parts(extra: dict[str, Any], words: str) -> None:
    d = dict(DEMO1)
    d["bodies"] = [*DEMO1["bodies"], {"name": "c", "inertia": "1 kg m^2"}]  # type: ignore[misc]
    same = {"name": "m3", "type": "mesh", "between": ["b", "c"], "teeth": [40, 20], "same_sense": True}
    d["elements"] = [*DEMO1["elements"], same, extra]  # type: ignore[misc]
    with pytest.raises(gw.AssemblyError, match=words):
        gw.assemble(gw.expand(from_mapping(d), "rigid"))


def test_events_engage_a_brake_with_its_rise(tmp_path: Path) -> None:
    d = {
        "name": "brake", "bodies": [{"name": "a", "inertia": "2 kg m^2"}],
        "elements": [{"name": "b", "type": "brake", "between": ["a", "housing"], "capacity": {"torque": "4 N m", "rise": "1 s"}, "engaged": False}],
        "model": {"fidelity": "rigid", "law": "rigid"}, "operating": {"input": "a", "speed": "10 rad/s"},
        "cases": [{"name": "c", "duration": "8 s", "start": "operating", "record": ["bodies", "shafts"], "output_interval": "0.01 s", "counting_interval": "0.01 s",
                   "initial": {"a": "10 rad/s"}, "events": [{"at": "1 s", "set": "b.engaged", "to": True}]}],
    }  # fmt: skip
    _, data = _run(from_mapping(d), "c", tmp_path)
    t, w = data["time"].values, _speed(data, "a")
    # 10 - 1 (t-1)^2 in the rise, then -2 rad/s^2: 9 rad/s at 2 s, at rest at 6.5 s
    np.testing.assert_allclose(w[t <= 1.0], 10.0, rtol=1e-6)
    np.testing.assert_allclose(w[(t > 1) & (t < 2)], 10.0 - (t[(t > 1) & (t < 2)] - 1.0) ** 2, rtol=1e-6)
    np.testing.assert_allclose(w[(t > 2) & (t < 6.5)], 9.0 - 2.0 * (t[(t > 2) & (t < 6.5)] - 2.0), atol=1e-6, rtol=1e-6)
    assert np.abs(w[t > 6.51]).max() < 1e-9
