"""``run --loads``: the case made from a record is the hand-written one; frames, units and mappings are what they say."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
import xarray
from typer.testing import CliRunner

from gearwright.cases.recorded import mapping_of, with_loads
from gearwright.cli import app
from gearwright.drivetrain import DrivetrainError, load
from gearwright.interchange import ReadError, quantity_series, read_mapping, write

RECORD = Path(str(files("gearwright.drivetrain") / "examples" / "data" / "nrel-5mw-18ms.outb"))


def made(folder: Path, *, turning: bool = True) -> Path:
    """A record with constant forces of the standing frame, seen from the rotor: 100 kN m about y, 30 about z."""
    t = np.arange(0.0, 20.0, 0.05)
    psi = 1.2 * t
    data = {
        "Omega": (1.2 + 0 * t, "rad/s"), "n_gen": (1.2 * 97 * 30 / np.pi + 0 * t, "rpm"), "Tgen": (40e3 + 100 * np.sin(t), "N m"),
        "psi": (np.degrees(psi), "deg"), "thrust": (500.0 + 0 * t, "kN"),
        "MyR": (100 * np.cos(psi) + 30 * np.sin(psi), "kN m"), "MzR": (-100 * np.sin(psi) + 30 * np.cos(psi), "kN m"),
        "Fy": (0 * t, "kN"), "Fz": (-900 + 0 * t, "kN"),
    }  # fmt: skip
    names = data if turning else {k: v for k, v in data.items() if k not in ("MyR", "MzR")}
    return write(
        xarray.Dataset({k: ("time", v, {"units": u}) for k, (v, u) in names.items()}, {"time": ("time", t)}),
        folder / "bench.csv",
    )


MAPPING = """\
rotor_speed: Omega
generator_speed: n_gen
generator_torque: {channel: Tgen, scale: 1.0}
rotor_azimuth: psi
hub_force_x: thrust
hub_force_y: Fy
hub_force_z: Fz
hub_moment_y: {channel: MyR, frame: rotating}
hub_moment_z: {channel: MzR, frame: rotating}
"""


def test_the_case_is_the_hand_written_one() -> None:
    drivetrain = load("nrel-5mw-gallego")
    hand = drivetrain.case("recorded-18ms")
    record = with_loads(drivetrain, RECORD, "recorded-18ms")
    case = record.drivetrain.case(record.case)
    own, theirs = case.speeds["rotor"].value, hand.speeds["rotor"].value
    assert (own.channel, own.scale, own.interpolation) == (theirs.channel, theirs.scale, theirs.interpolation)
    own, theirs = case.loads[0].torque.value, hand.loads[0].torque.value
    assert (own.channel, own.scale) == (theirs.channel, theirs.scale)
    # the record's own speeds give 97 within the resolution of its int16
    assert own.recorded_ratio == pytest.approx(97.0, rel=1e-3)
    assert (case.compare.shaft, case.compare.channel) == ("main", "RotTorq")
    assert case.discard == hand.discard and case.set == hand.set
    assert case.duration == pytest.approx(600.0, abs=0.2)
    assert record.channels == {"rotor_speed": "RotSpeed", "generator_torque": "GenTq", "rotor_torque": "RotTorq"}


def test_a_generator_that_turns_the_other_way_is_braked_the_other_way() -> None:
    record = with_loads(load("nrel-5mw-nejad"), RECORD)
    assert record.drivetrain.case(record.case).loads[0].torque.value.scale == 1.0


def test_rotating_moments_become_standing_ones(tmp_path: Path) -> None:
    path = made(tmp_path)
    (tmp_path / "map.yaml").write_text(MAPPING)
    entries, _ = read_mapping(tmp_path / "map.yaml")
    for quantity, value in (("hub_moment_y", 100.0), ("hub_moment_z", 30.0)):
        _, values, unit = quantity_series(path, quantity, entries)
        np.testing.assert_allclose(values, value, rtol=1e-12)
        assert unit == "kN m"


def test_hub_loads_reach_the_spatial_model(tmp_path: Path) -> None:
    path = made(tmp_path)
    entries, _ = mapping_of(read_yaml(MAPPING))
    from gearwright.cases.run import prepare

    record = with_loads(load("nrel-5mw-nejad"), path, fidelity="spatial", mapping=entries, duration=10.0)
    prepared = prepare(record.drivetrain, record.case, fidelity="spatial")
    signals = {p.motion: p.value for p in prepared.inputs.inputs.pushes}
    wanted = {"x": 500e3, "y": 0.0, "z": -900e3, "tilt_y": 100e3, "tilt_z": 30e3}
    for motion, value in wanted.items():
        for t in (1.0, 3.33, 9.0):
            assert signals[motion](t) == pytest.approx(value, rel=1e-9, abs=1e-6)
    assert any("rotating frame" in note for note in record.notes)
    torque = prepared.inputs.inputs.loads[0].torque
    own = abs(prepared.train.ratios[prepared.train.output] / prepared.train.ratios[prepared.train.input])
    # power is kept: torque of the record times its ratio over the own one
    assert abs(torque(0.0)) == pytest.approx(40e3 * 97.0 / own, rel=1e-6)


def read_yaml(text: str) -> dict:
    from ruamel.yaml import YAML

    return dict(YAML(typ="safe").load(text))


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = made(tmp_path, turning=False)
    words = ["run", "nrel-5mw-two-mass", "--loads", str(path), "--duration", "5", "--json"]
    refused = CliRunner().invoke(app, words)
    assert refused.exit_code == 2 and "known to be rotor_speed" in refused.output + (refused.stderr or "")
    pairs = ["--map", "rotor_speed=Omega", "--map", "generator_torque=Tgen", "--map", "generator_speed=n_gen"]
    done = CliRunner().invoke(app, [*words, *pairs])
    assert done.exit_code == 0, done.output
    data = json.loads(done.output)
    assert data["recorded_channels"] == {"rotor_speed": "Omega", "generator_torque": "Tgen"}
    # the two masses stand on the slow side: the record's torque times its ratio (sine of 100 N m: 0.1 %)
    assert data["channels"]["machine.torque"]["mean"] == pytest.approx(-40e3 * 97, rel=0.005)
    for extra, message in (
        (["--map", "rotor_sped=Omega"], "Did you mean 'rotor_speed'?"),
        (["--map", "rotor_speed"], "is no quantity=channel"),
        ([*pairs, "--drive", "sideways"], "speed or torque"),
        ([*pairs, "--drive", "torque"], "known to be aerodynamic_torque"),
    ):
        refused = CliRunner().invoke(app, [*words, *extra])
        assert refused.exit_code == 2 and message in refused.output + (refused.stderr or ""), extra
    refused = CliRunner().invoke(app, ["run", "nrel-5mw-two-mass", "--drive", "torque"])
    assert refused.exit_code == 2 and "belong to --loads" in refused.output + (refused.stderr or "")


def test_bad_mappings(tmp_path: Path) -> None:
    for text, message in (
        ("- a\n", "is not a mapping"), ("rotor_speed: {chanel: a}\n", "no key 'chanel'"), ("a: [\n", "is not YAML"),
        ("hub_force_x: {channel: a, frame: rotating}\n", "only hub_force_y"), ("rotor_speed: {channel: a, scale: x}\n", "scale is a number"),
        ("rotor_speed: {channel: a, frame: round}\n", "'standing' or 'rotating'"), ("rotor_speed: {unit: rpm}\n", "name of a channel"),
    ):  # fmt: skip
        (tmp_path / "m.yaml").write_text(text)
        with pytest.raises(ReadError, match=message):
            read_mapping(tmp_path / "m.yaml")
    path = made(tmp_path)
    entries, _ = read_mapping({"hub_moment_y": {"channel": "MyR", "frame": "rotating"}})
    with pytest.raises(ReadError, match="hub_moment_z is wanted too"):
        quantity_series(path, "hub_moment_y", entries)
    with pytest.raises(DrivetrainError, match="do not go with a turbine"):
        with_loads(load("nrel-5mw"), RECORD)
