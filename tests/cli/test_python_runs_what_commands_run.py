"""Python runs what the commands run, and takes quantities as text as files do (B3, B4, B5)."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import gearwright as gw
from gearwright.cli import app
from gearwright.multibody import MultibodyError
from gearwright.schema.read import example_path

MECHANISMS = [name for name in gw.examples() if "fidelity: multibody" in example_path(name).read_text(encoding="utf-8")]


def told(*given):
    """Exit code and JSON of a command, or its message."""
    done = CliRunner().invoke(app, [*map(str, given), "--json"])
    return done.exit_code, json.loads(done.stdout) if done.exit_code == 0 else done.output


def test_all_twelve_mechanisms_are_here():
    assert len(MECHANISMS) == 12
    assert all(gw.load(name).model.fidelity == "multibody" for name in MECHANISMS)


@pytest.mark.parametrize("name", MECHANISMS)
def test_modes_of_a_mechanism(name):
    code, data = told("modes", name)
    if code:
        with pytest.raises(MultibodyError) as found:
            gw.modes(name)
        assert str(found.value) in data
        return
    found = gw.modes(name)
    assert np.allclose(found.frequencies_hz, data["frequencies_hz"], rtol=1e-9)
    assert list(found.kinds) == data["kinds"] and found.assumed == data["assumed"]
    assert found.shapes.shape == (6 * len(found.bodies), len(found.frequencies_hz))


@pytest.mark.parametrize("name", MECHANISMS)
def test_a_run_of_a_mechanism(name, tmp_path):
    code, data = told("run", name, "--duration", "0.02", "-o", tmp_path / "command.nc")
    assert code == 0, data
    run = gw.simulate(name, duration="20 ms", output=tmp_path / "python.nc")
    assert run.method == data["method"] == "multibody" and run.duration_s == pytest.approx(0.02)
    assert [run.assumed, run.notes, run.warnings] == [data["assumed"], data["notes"], data["warnings"]]
    with gw.Result.open(run.result_file) as one, gw.Result.open(tmp_path / "command.nc") as other:
        assert set(one.channels) == set(other.channels) == set(run.channels)
        for channel in list(one.channels)[:6]:
            assert np.array_equal(one.series(channel).values, other.series(channel).values)
            assert run.channels[channel]["max"] >= one.series(channel).values.max() - 1e-12


def test_a_train_as_a_mechanism_carries_the_torque_that_it_is_given(tmp_path):
    """Fidelity multibody from Python: the shaft in front of the gearbox carries the rated torque of the case."""
    run = gw.simulate("grc-750kw", "rated", fidelity="multibody", duration="0.05 s", output=tmp_path / "r.nc")
    torque = next(c for name, c in run.channels.items() if name == "LSS.moment_x")
    assert abs(torque["mean"]) == pytest.approx(322.628e3, rel=0.02)
    assert gw.modes("grc-750kw", fidelity="multibody").frequencies_hz[1] == pytest.approx(
        gw.modes("grc-750kw", fidelity="planar").frequencies_hz[1], rel=1e-3
    )


def test_what_a_mechanism_does_not_take_is_refused(tmp_path):
    with pytest.raises(gw.DrivetrainError, match="method and tolerance mean nothing"):
        gw.simulate("slider-crank", duration=0.1, method="exact", output=tmp_path / "r.nc")
    with pytest.raises(gw.DrivetrainError, match="held and speed mean nothing"):
        gw.modes("pendulum-revolute", speed="10 rpm")


@pytest.mark.parametrize("name", ["grc-750kw", "slider-crank", "nrel-5mw-two-mass"])
def test_describe_takes_a_drivetrain_a_name_and_a_train(name):
    """B4. As the command says; a train has no assembled model."""
    _, data = told("describe", name)
    assert gw.describe(gw.load(name)).to_dict() == data == gw.describe(name).to_dict()
    train = gw.describe(gw.expand(gw.load(name)))
    assert train.bodies.keys() == data["bodies"].keys() and train.model is None


def same(text, number):
    """Two calls give the same numbers."""
    assert np.allclose(list(text), list(number), rtol=1e-12, atol=0.0)


def test_quantities_have_units_in_python_as_in_files(tmp_path):
    """B5: every pair is one quantity written as text and as a number in SI; 60 rpm are 2 pi rad/s, 1 min is 60 s."""
    rpm = 2.0 * np.pi
    same(
        gw.static_loads("nrel-5mw-two-mass", {"rotor": "4 MN m"}).values(),
        gw.static_loads("nrel-5mw-two-mass", {"rotor": 4e6}).values(),
    )
    forces, moments = {"rotor": ("800 kN", 0.0, "-1079 kN")}, {"rotor": ("1 MN m", "2 kN m")}
    plain = {"rotor": (8e5, 0.0, -1.079e6)}, {"rotor": (1e6, 2e3)}
    loads = [gw.static_loads("nrel-5mw-nejad-source", {"rotor": 3.946e6}, fidelity="spatial", forces=f, moments=m).values()
             for f, m in ((forces, moments), plain)]  # fmt: skip
    same(*loads)
    same(gw.modes("grc-750kw", speed="60 rpm").frequencies_hz, gw.modes("grc-750kw", speed=rpm).frequencies_hz)
    same(
        [gw.power_flow("zf-4hp22", "first", speed="60 rpm", torque="1 kN m").loss],
        [gw.power_flow("zf-4hp22", "first", speed=rpm, torque=1e3).loss],
    )
    run = gw.simulate("nrel-5mw-two-mass", overrides=["discard=0 s"], duration="0.01 min", output=tmp_path / "r.nc")
    assert run.duration_s == pytest.approx(0.6)
    with gw.Result.open(run.result_file) as result:
        same(result.psd("main.torque", segment="200 ms").value, result.psd("main.torque", segment=0.2).value)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda p: gw.simulate("nrel-5mw-two-mass", duration="1 kN", output=p), "duration = 1 kN"),
        (lambda p: gw.simulate("nrel-5mw-two-mass", duration="-1 s", output=p), "positive duration"),
        (lambda p: gw.simulate("slider-crank", duration=True, output=p), "duration = True"),
        (lambda p: gw.static_loads("nrel-5mw-two-mass", {"rotor": "4 MN"}), "torques['rotor'] = 4 MN"),
        (lambda p: gw.static_loads("nrel-5mw-two-mass", {"rotor": None}), "torques['rotor'] = None"),
        (lambda p: gw.modes("grc-750kw", speed="12 m"), "speed = 12 m"),
        (lambda p: gw.power_flow("zf-4hp22", "first", torque="10 rpm"), "torque = 10 rpm"),
    ],
)
def test_a_quantity_of_another_kind_is_refused_with_its_name(call, words, tmp_path):
    with pytest.raises(gw.DrivetrainError) as found:
        call(tmp_path / "r.nc")
    assert words in str(found.value)
