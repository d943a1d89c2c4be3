"""Runs as a user makes them: what a case asks for happens, and the books close."""

import numpy as np
import pytest

import gearwright as gw
from gearwright.analyses.orders import orders
from gearwright.results.order_table import OrderError


def run(tmp_path, drivetrain, **options):
    return gw.simulate(drivetrain, output=tmp_path / "run.nc", **options)


def two_mass(**case):
    return gw.load({
        "name": "two", "bodies": [{"name": "a", "inertia": 2.0}, {"name": "b", "inertia": 3.0}],
        "shafts": [{"name": "s", "between": ["a", "b"], "torsional_stiffness": 4000.0}],
        "operating": {"input": "a", "output": "b", "speed": 10.0},
        "cases": [{"name": "c", "duration": 2.0, "start": "operating", "output_interval": 1e-3, "counting_interval": 1e-3,
                   "record": ["shafts", "machines", "bodies"], **case}],
    })  # fmt: skip


def test_step_of_torque_gives_the_closed_form(tmp_path):
    """Free two-mass train, torque T on a from rest of the spring: twist torque T J_b/(J_a+J_b) (1 - cos w t)."""
    done = run(tmp_path, two_mass(loads=[{"on": "a", "torque": 5.0}]))
    with gw.Result.open(done.result_file) as result:
        torque = np.asarray(result.series("s.torque"))
        t = result.time
    w = np.sqrt(4000.0 * (1 / 2.0 + 1 / 3.0))
    want = 5.0 * 3.0 / 5.0 * (1 - np.cos(w * t))
    assert np.abs(torque - want).max() < 1e-5
    assert done.energy_error < 1e-9


def test_an_event_changes_the_torque_when_it_says(tmp_path):
    done = run(tmp_path, two_mass(
        loads=[{"on": "a", "torque": 5.0}], events=[{"at": 1.0, "set": "a.torque", "to": -5.0}]
    ))  # fmt: skip
    with gw.Result.open(done.result_file) as result:
        torque, t = np.asarray(result.series("a.torque")), result.time
    assert (torque[t < 0.9995] == 5.0).all() and (torque[t > 1.0005] == -5.0).all()
    # +5 N m for one second and -5 N m for one: the mean speed is that of the start again
    speeds = {b: done.channels[f"{b}.speed"] for b in ("a", "b")}
    with gw.Result.open(done.result_file) as result:
        last = [float(np.asarray(result.series(f"{b}.speed"))[-1]) for b in ("a", "b")]
    assert (2.0 * last[0] + 3.0 * last[1]) / 5.0 == pytest.approx(10.0, abs=1e-5)
    assert speeds["a"]["max"] > 10.0


def test_a_prescribed_speed_is_followed_and_its_work_is_booked(tmp_path):
    done = run(tmp_path, two_mass(speeds={"a": {"sine": {"mean": 10.0, "amplitude": 1.0, "frequency": 2.0}}},
                                  loads=[{"on": "b", "torque": -3.0}], start="equilibrium"))  # fmt: skip
    with gw.Result.open(done.result_file) as result:
        speed, t = np.asarray(result.series("a.speed")), result.time
    assert np.abs(speed - 10.0 - np.sin(4 * np.pi * t)).max() < 1e-5
    assert done.energy_error < 1e-8


def test_a_machine_that_follows_a_series(tmp_path):
    drivetrain = gw.load({
        "name": "series", "bodies": [{"name": "a", "inertia": 2.0}, {"name": "b", "inertia": 3.0}],
        "shafts": [{"name": "s", "between": ["a", "b"], "torsional_stiffness": 4000.0}],
        "machines": [{"name": "m", "type": "series", "drives": "b", "parameters": {"torque": {"ramp": {"from": 0, "to": -5, "over": 1}}}}],
        "operating": {"input": "a", "output": "b", "speed": 10.0},
        "cases": [{"name": "c", "duration": 2.0, "start": "operating", "output_interval": 1e-3, "counting_interval": 1e-3}],
    })  # fmt: skip
    done = run(tmp_path, drivetrain)
    with gw.Result.open(done.result_file) as result:
        torque, t = np.asarray(result.series("m.torque")), result.time
    assert np.abs(torque + 5.0 * np.minimum(t, 1.0)).max() < 1e-5


def test_unbalanced_torques_at_both_ends_need_a_booked_trim(tmp_path):
    free = two_mass(loads=[{"on": "a", "torque": 5.0}, {"on": "b", "torque": -4.0}], start="equilibrium")
    with pytest.raises(ValueError, match="balance"):
        run(tmp_path, free)
    trimmed = two_mass(loads=[{"on": "a", "torque": 5.0}, {"on": "b", "torque": -4.0}],
                       trim={"on": "b", "time_constant": 0.2}, start="operating", duration=4.0)  # fmt: skip
    done = run(tmp_path, trimmed)
    # the trim holds a speed off by torque over slope: 1 N m / (5 kg m2 / 0.2 s)
    with gw.Result.open(done.result_file) as result:
        speed = np.asarray(result.series("b.speed"))
    assert speed[-500:].mean() == pytest.approx(10.0 + 1.0 / 25.0, abs=2e-3)


def test_run_up_finds_the_resonance_where_the_mesh_order_meets_the_mode(tmp_path):
    done = gw.simulate("nordtank-500kw-two-level", "run-up", output=tmp_path / "u.nc")
    found = orders(done.result_file, "stage1.sun_planet1.force")
    # teeth lose contact: the third harmonic passes the same mode at a third of the speed, and is the larger one
    first = next(r for r in found.resonances if r.order == pytest.approx(91.0))
    # the order meets the mode (mean stiffness) at f / 91; stiffness in levels shifts the peak by a few percent
    assert first.speed_rpm == pytest.approx(60.0 * first.mode_frequency_hz / 91.0, rel=0.04)
    assert first.energy_share > 0.9 and -0.2 < first.margin < 0.0
    with pytest.raises(OrderError, match="sun_planet1.force"):
        orders(done.result_file, "stage1.sun_planet1.normal_forc")


def test_interrupted_runs_keep_what_was_computed(tmp_path):
    def stop(t, duration):
        if t > 20.0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gw.simulate("nrel-5mw-two-mass", "recorded-18ms", output=tmp_path / "r.nc", progress=stop)
    with gw.Result.open(tmp_path / "r.nc") as result:
        assert "interrupted" in result.incomplete and result.time[-1] > 10.0


def test_a_rigid_train_under_a_prescribed_speed_runs(tmp_path):
    """Nothing is free to swing: no modes, but speeds, torques and a report. The wheel of half the radius turns twice as fast."""
    import gearwright as gw

    file = tmp_path / "rigid.yaml"
    file.write_text(
        """
name: rigid
bodies: [{name: a, inertia: 2 kg m^2}, {name: b, inertia: 1 kg m^2}]
elements:
  - {name: mesh, type: mesh, between: [a, b], azimuth: 0 deg, pressure_angle: 20 deg, base_radius: [0.2 m, 0.1 m]}
model: {fidelity: rigid}
operating: {input: a, output: b}
cases: [{name: turn, duration: 0.5 s, start: rest, record: [meshes, bodies], speeds: {a: {constant: 10 rad/s}}}]
"""
    )
    run = gw.simulate(gw.load(str(file)), output=tmp_path / "rigid.nc")
    assert run.channels["b.speed"]["mean"] == pytest.approx(-20.0)
    gw.write_report(run.result_file, tmp_path / "rigid.html")
