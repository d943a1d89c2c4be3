"""Every mistake ends with one message that says what, where and what to do; exit code 2; nothing written."""

import netCDF4
import numpy as np
import pytest
from typer.testing import CliRunner

from gearwright.cli import app
from gearwright.schema.read import example_path

runner = CliRunner()


def refused(*arguments, code=2):
    result = runner.invoke(app, [str(a) for a in arguments], catch_exceptions=False)
    assert result.exit_code == code, (result.exit_code, result.output)
    assert "Traceback" not in result.output
    return result.stderr


def edited(tmp_path, name, old, new):
    text = example_path(name).read_text()
    assert old in text
    path = tmp_path / "edited.yaml"
    path.write_text(text.replace(old, new, 1))
    return path


def test_unknown_file_offers_the_nearest_example():
    assert "nrel-5mw-gallego" in refused("modes", "nrel-5mw-galego")


def test_unknown_key_offers_the_nearest_known_one(tmp_path):
    message = refused("modes", edited(tmp_path, "lin-parker-1999", "pressure_angle", "presure_angle"))
    assert "presure_angle" in message and "pressure_angle" in message and "edited.yaml" in message


def test_missing_tooth_numbers_for_the_periodic_law():
    message = refused("run", "lin-parker-1999", "--law", "periodic", "--duration", "1")
    assert "stage" in message and ("tooth" in message or "contact_ratio" in message)


@pytest.mark.parametrize(
    "change, words",
    [
        ("bodies.rotor.inertia=-1", "inertia"),
        ("bodies.rotor.inertia=0", "inertia"),
        ("stages.stage1.meshes.sun_planet.stiffness=0", "stiffness"),
        ("shafts.main.torsional_stiffness=20 mm", "stiffness"),
        ("shafts.main.between=[rotor, nowhere]", "nowhere"),
        ("stages.stage1.planets=7", "planets"),
        ("model.law=periodical", "periodic"),
        ("cases.0.speeds.rotor.file.channel=RotSped", "RotSpeed"),
        ("cases.0.duration=700 s", "600"),
    ],
)
def test_wrong_values_are_named(change, words, tmp_path):
    target = tmp_path / "x.nc"
    message = refused("run", "nrel-5mw-gallego", "--set", change, "-o", target)
    assert words in message
    assert not target.exists() and not list(tmp_path.glob(".*"))


def test_unbalanced_torques_are_refused_with_the_balance():
    message = refused("run", "nrel-5mw-gallego", "--case", "rated", "--set", "cases.rated.loads.1.slope=0",
                      "--set", "cases.rated.loads.1.torque=-30 kN m", "--duration", "1")  # fmt: skip
    assert "balance" in message.lower() and "43" in message


def test_disconnected_bodies_are_named(tmp_path):
    path = tmp_path / "two.yaml"
    path.write_text(
        "name: two\nbodies:\n  - {name: a, inertia: 1}\n  - {name: b, inertia: 1}\n  - {name: c, inertia: 1}\n"
        "shafts:\n  - {name: s, between: [a, b], torsional_stiffness: 1e5}\n"
    )
    assert "c" in refused("modes", path)


def test_not_finite_recorded_values_are_named(tmp_path):
    time = np.arange(200) * 0.1
    speed = np.full(200, 12.0)
    speed[77] = np.nan
    (tmp_path / "r.csv").write_text(
        "time [s],RotSpeed [rpm],GenTq [kN m],RotTorq [kN m]\n"
        + "\n".join(f"{t},{v},43.0,4180.0" for t, v in zip(time, speed, strict=True))
    )
    path = tmp_path / "edited.yaml"
    path.write_text(example_path("nrel-5mw-two-mass").read_text().replace("data/nrel-5mw-18ms.outb", "r.csv"))
    message = refused("run", path, "--duration", "5", "--set", "discard=0 s", "-o", tmp_path / "x.nc")
    assert "RotSpeed" in message and "78" in message


def test_cut_off_result_file(tmp_path):
    runner.invoke(
        app, ["run", "nrel-5mw-two-mass", "--duration", "2", "--set", "discard=0 s", "-o", str(tmp_path / "a.nc")]
    )
    whole = (tmp_path / "a.nc").read_bytes()
    (tmp_path / "cut.nc").write_bytes(whole[: len(whole) // 2])
    message = refused("report", tmp_path / "cut.nc", "-o", tmp_path / "a.html")
    assert "cut" in message and not (tmp_path / "a.html").exists()


def test_divergence_keeps_what_was_computed(tmp_path):
    """A torque that drives the more the faster its light body turns: 1e4 N m s/rad on 1e-3 kg m^2 take 0.2 us from 10 to 100 rad/s;
    beyond, another hundred times as much leaves no step that is short enough."""
    path = tmp_path / "run-away.yaml"
    path.write_text(
        "name: run-away\nbodies:\n  - {name: a, inertia: 1}\n  - {name: b, inertia: 1e-3}\n"
        "shafts:\n  - {name: s, between: [a, b], torsional_stiffness: 1e3}\n"
        "machines:\n  - {name: m, type: table, drives: b, parameters: {table: [[0, 0], [100, 1e6], [1e6, 1e12]]}}\n"
        "operating: {input: a, output: b, speed: 10}\n"
        "cases:\n  - {name: c, duration: 10 us, start: operating, counting_interval: 10 ns, output_interval: 10 ns,"
        " loads: [{on: a, torque: 100}]}\n"
    )
    target = tmp_path / "x.nc"
    message = refused("run", path, "-o", target, "--method", "explicit", code=3)
    assert "diverged" in message and "x.nc" in message
    with netCDF4.Dataset(target) as file:
        assert "incomplete" in file.ncattrs() and len(file["time"]) > 2


def test_a_joint_asks_for_the_fidelity_that_has_it():
    assert "'hinge' of type revolute is a joint: choose --fidelity multibody" in refused(
        "modes", "pendulum-revolute", "--fidelity", "planar"
    )
