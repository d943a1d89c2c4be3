"""Loads between hub and shaft from recorded runs: main bearings by statics, places and frames as OpenFAST documents them, a folder of runs as a campaign."""

from __future__ import annotations

import json
import math
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
import xarray
from typer.testing import CliRunner

import gearwright as gw
from gearwright.campaigns import record_plan
from gearwright.cli import app
from gearwright.errors import DrivetrainError
from gearwright.interchange import ReadError, quantity_series, read_mapping, write
from gearwright.interchange.by_quantity import gage_moments
from gearwright.running.recorded import Reading, with_loads
from gearwright.train.open import load

#: ten minutes of the 5 MW turbine by FAST, loads at the strain gages 1.912 m behind the apex (ShftGagL of its ElastoDyn file)
RECORD = Path(str(files("gearwright") / "examples" / "data" / "nrel-5mw-18ms.outb"))
DATA = Path(__file__).parents[1] / "data"
GAGE = 1.912
A, B = 0.3, 1.7  # m behind the apex: the main bearings

TRAIN = """\
name: main-shaft
bodies:
  - {name: rotor, inertia: [38.76e6 kg m^2, 19.5e6 kg m^2, 19.5e6 kg m^2], mass: 110000 kg}
  - {name: machine, inertia: [5000000 kg m^2, 3000000 kg m^2, 3000000 kg m^2], mass: 10 kg}
shafts:
  - name: main
    between: [rotor, machine]
    diameter: 700 mm
    length: 2000 mm
    damping: 5e6 N m s/rad
    bending_damping: {ratio: 5 %}
    bearings:
      - {name: A, stiffness: 1.5e10 N/m, x: 300 mm, damping: {ratio: 5 %}}
      - {name: B, stiffness: 1.5e10 N/m, axial_stiffness: 4e8 N/m, x: 1700 mm, damping: {ratio: 5 %}}
machines:
  - {name: machine, type: constant, parameters: {torque: 4 MN m}}
operating: {input: rotor, output: machine, speed: 12.1 rpm, torque: 4 MN m}
model: {fidelity: spatial, law: linear}
"""


def by_hand(path: Path) -> dict[str, np.ndarray]:
    """Forces of a shaft on two bearings: those of the hub at its end, no other support. Moments about the apex: a force up at x turns about
    -y, one to the left at x about +z."""
    known = gage_moments(path, GAGE)
    time, fx, _ = quantity_series(path, "hub_force_x", known)
    fy, fz, my, mz = (
        quantity_series(path, q, known)[1] for q in ("hub_force_y", "hub_force_z", "hub_moment_y", "hub_moment_z")
    )
    bz, by = (-my - A * fz) / (B - A), (mz - A * fy) / (B - A)
    return {"t": time, "B.x": fx, "B.y": by, "B.z": bz, "A.y": fy - by, "A.z": fz - bz}


def test_main_bearings_by_statics(tmp_path: Path) -> None:
    """A determinate shaft under the recorded loads: the reactions over time are those of statics, though rotor and shaft are elastic and
    turn; the rotor's own 110 t and 19 500 t m^2 are in the record and count once."""
    (tmp_path / "train.yaml").write_text(TRAIN)
    record = with_loads(load(tmp_path / "train.yaml"), RECORD, gage=GAGE, duration=30.0)
    assert any(
        "mass and inertia of 'rotor' are left out" in note and "damping of the air" not in note for note in record.notes
    )
    run = gw.simulate(record.drivetrain, record.case, output=tmp_path / "r.nc")
    hand = by_hand(RECORD)
    with xarray.open_dataset(run.result_file) as data:
        t = data["time"].values
        # at the samples of the record, ten a second: between them the course is the run's own
        seen = np.searchsorted(t, hand["t"][60:290] - hand["t"][0] - 1e-6)
        for name in ("A.y", "A.z", "B.x", "B.y", "B.z"):
            bearing, axis = name.split(".")
            had = data[f"bearing_force_{axis}"].sel(bearing=f"main_{bearing}").values[seen] / 1e3
            want = hand[name][60:290]
            size = np.sqrt(np.mean(want**2))
            assert had.mean() == pytest.approx(want.mean(), abs=0.01 * size), name
            assert np.sqrt(np.mean((had - want) ** 2)) < 0.01 * size, name


def test_all_supports_of_the_gearbox_carry_the_hub(tmp_path: Path) -> None:
    """The 5 MW gearbox: what hub and housing exchange is the hub's load, whatever the bearings and meshes between share."""
    record = with_loads(
        load("nrel-5mw-nejad-ideal"), RECORD, fidelity="spatial", law="linear", gage=GAGE, duration=20.0
    )
    assert any("so is the damping of the air against the tilting of 'rotor'" in note for note in record.notes)
    run = gw.simulate(
        gw.load(record.drivetrain, ["model.frames=frozen"], record.case), record.case, fidelity="spatial", law="linear",
        output=tmp_path / "g.nc",
    )  # fmt: skip
    hand = by_hand(RECORD)
    within = (hand["t"] - hand["t"][0] > 2.0) & (hand["t"] - hand["t"][0] < 20.0)
    want = {"x": hand["B.x"], "y": hand["A.y"] + hand["B.y"], "z": hand["A.z"] + hand["B.z"]}
    with xarray.open_dataset(run.result_file) as data:
        t = data["time"].values
        # planets stand on pins of the carrier, not in the housing; what the generator's side takes along y and z ends in its bearings
        held = [str(b) for b in data["bearing"].values if "planet" not in str(b)]
        for axis in "xyz":
            had = data[f"bearing_force_{axis}"].sel(bearing=held).values[:, t > 2.0]
            total = np.nansum(had, axis=0).mean() / 1e3
            assert total == pytest.approx(want[axis][within].mean(), abs=0.01 * 1052.0), axis
        # the shaft's own two bearings are within what the carrier's take, a tenth of the weight
        first = float(data["bearing_force_z"].sel(bearing="main_INP_B").values[t > 2.0].mean()) / 1e3
        assert first == pytest.approx(hand["B.z"][within].mean(), rel=0.3) and first < 0.0
        radial = np.hypot(*(data[f"bearing_force_{axis}"].sel(bearing="main_INP_B").values[t > 2.0] for axis in "yz"))
    the_life_of_a_main_bearing(
        tmp_path / "g.nc", radial, np.radians(6.0 * quantity_series(RECORD, "rotor_speed")[1][20:200].mean())
    )


def the_life_of_a_main_bearing(result: Path, radial: np.ndarray, speed: float) -> None:
    """ISO 281 by hand on the stored course: L_10 = (C/P)^(10/3) million turns with P the mean of order 10/3; on the page beside loads."""
    page = result.with_suffix(".html")
    done = CliRunner().invoke(app, ["life", str(result), "--ratings", "nrel-5mw-nejad", "-o", str(page), "--json"])
    assert done.exit_code == 0, done.output
    parts = {p["element"]: p for p in json.loads(done.stdout)["components"]}
    assert {"main_INP_A", "main_INP_B", "stage1.planet1_PL_A", "stage3.pinion_HS_A"} <= set(parts)
    turns = 1e6 * (16518e3 / np.mean(radial ** (10.0 / 3.0)) ** 0.3) ** (10.0 / 3.0)  # C of the file, N
    # the course is filtered to what is stored, and its speed is that of each level
    assert parts["main_INP_B"]["life_hours"] == pytest.approx(turns * 2.0 * np.pi / speed / 3600.0, rel=0.03)
    text = page.read_text()
    assert "main_INP_B" in text and "rolling contact fatigue" in text and "equivalent ranges" in text


def test_frames_and_places_of_a_real_file(tmp_path: Path) -> None:
    """OpenFAST's own record of both frames: what turns, turned back by the azimuth, is what stands. Moments at the gages go to the apex by
    ``M_y - L F_z`` and ``M_z + L F_y`` (ElastoDyn: ``LSSGagMya = LSSTipMya + ShftGagL LSShftFza``): L from one component, the rest follow."""
    path = DATA / "FASTOutBin_ID4.outb"
    names = {"hub_moment_y": "LSSTipMya", "hub_moment_z": "LSSTipMza"}
    turned, _ = read_mapping({q: {"channel": name, "frame": "rotating"} for q, name in names.items()})
    data = gw.read(path)
    length = float(np.median((data["LSSGagMya"] - data["LSSTipMya"]) / data["LSSGagFza"]))
    gage = gage_moments(path, length)
    assert {q: (e.channel, e.rotating) for q, e in gage.items()} == {
        "hub_moment_y": ("LSSGagMya", True),
        "hub_moment_z": ("LSSGagMza", True),
    }
    for quantity, standing in (("hub_moment_y", "LSSTipMys"), ("hub_moment_z", "LSSTipMzs")):
        tip = quantity_series(path, quantity, read_mapping({quantity: standing})[0])[1]
        # what the file keeps of moments of some thousand kN m
        assert np.allclose(quantity_series(path, quantity, turned)[1], tip, atol=2e-3 * np.abs(tip).max())
        assert np.allclose(quantity_series(path, quantity, gage)[1], tip, atol=1e-2 * np.abs(tip).max())


def test_a_place_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(DrivetrainError, match=r"strain gages of the shaft alone \(LSSGagMya\).*--gage '1.912 m'"):
        with_loads(load("nrel-5mw-nejad-ideal"), RECORD, fidelity="spatial")
    with pytest.raises(ReadError, match="only hub_moment_y and hub_moment_z have a place"):
        read_mapping({"hub_force_y": {"channel": "a", "at": 1.0}})
    with pytest.raises(ReadError, match="hub_moment_y: at"):
        read_mapping({"hub_moment_y": {"channel": "a", "at": "1 kg"}})


def test_a_folder_of_runs_is_a_campaign_and_has_a_life(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three records at two wind speeds: one command runs them, ``life`` weighs each by the time of its wind, and says the same damage as
    the sum by hand of the damage of each alone."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    t = np.arange(0.0, 12.0, 0.05)
    for name, wind, torque in (("a", 7.9, 20e3), ("b", 8.2, 20e3), ("c", 12.1, 40e3)):
        columns = {
            "RotSpeed": (12.1 + 0 * t, "rpm"), "GenSpeed": (12.1 * 97 + 0 * t, "rpm"), "Wind1VelX": (wind + 0 * t, "m/s"),
            "GenTq": (torque + 0.1 * torque * np.sin(3.0 * t), "N m"),
        }  # fmt: skip
        write(
            xarray.Dataset({k: ("time", v, {"units": u}) for k, (v, u) in columns.items()}, {"time": ("time", t)}),
            tmp_path / "runs" / f"{name}.csv",
        )
    (tmp_path / "runs" / "notes.txt").write_text("nothing\n")
    words = ["campaign", "nrel-5mw-two-mass", "--loads", "runs", "-o", "out", "--json"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    from gearwright.campaigns import Folder

    plan = Folder(tmp_path / "out").plan()
    assert {k: v["mean_wind"] for k, v in plan.items.items()} == {
        "runs-8ms-a": "8 m/s",
        "runs-8ms-b": "8 m/s",
        "runs-12ms-c": "12 m/s",
    }
    (tmp_path / "life.yaml").write_text(
        "life:\n  years: 20\n  wind: {class: II}\n  shafts:\n    - {on: main, diameter: 400 mm, strength: {points: [[1e4, 400 MPa], [1e9, 40 MPa]], beyond: continue}}\n"
    )
    asked = CliRunner().invoke(app, ["life", "out", "--ratings", "life.yaml", "--json"])
    assert asked.exit_code == 0, asked.output
    found = json.loads(asked.stdout)
    # class II: Weibull of shape 2 and mean 8.5 m/s; the bins are 6 to 10 and 10 to 14 m/s
    scale = 8.5 / math.gamma(1.5)
    below = [1.0 - math.exp(-((v / scale) ** 2)) for v in (6.0, 10.0, 14.0)]
    shares = [below[1] - below[0], below[2] - below[1]]
    assert [(b["speed"], b["runs"]) for b in found["bins"]] == [(8.0, 2), (12.0, 1)]
    assert [b["share"] for b in found["bins"]] == pytest.approx(shares, rel=1e-9)
    # a record alone stands for the whole life; in the campaign for its share of it, two of one wind for half of theirs each
    (part,) = found["components"]
    for name, share in (("runs-8ms-a", 0.5 * shares[0]), ("runs-8ms-b", 0.5 * shares[0]), ("runs-12ms-c", shares[1])):
        alone = CliRunner().invoke(app, ["life", f"out/results/{name}.nc", "--ratings", "life.yaml", "--json"])
        assert part["by_run"][name] == pytest.approx(
            share * json.loads(alone.stdout)["components"][0]["damage"], rel=1e-9
        )
    page = CliRunner().invoke(app, ["life", "out", "--ratings", "life.yaml", "-o", "life.html"])
    assert page.exit_code == 0 and "torsional fatigue" in (tmp_path / "life.html").read_text()


def test_what_a_folder_must_have(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing\n")
    drivetrain = load("nrel-5mw-two-mass")
    with pytest.raises(DrivetrainError, match=r"no file there is a record with a rotor speed \(notes.txt\)"):
        record_plan(drivetrain, tmp_path, Reading())
    with pytest.raises(DrivetrainError, match="there is no folder"):
        record_plan(drivetrain, tmp_path / "none", Reading())
    said = CliRunner().invoke(app, ["run", "nrel-5mw-two-mass", "--loads", str(tmp_path)])
    assert said.exit_code == 2 and "gearwright campaign nrel-5mw-two-mass --loads" in " ".join(said.output.split())
    said = CliRunner().invoke(app, ["campaign", "nrel-5mw-two-mass", "--gage", "1 m"])
    assert said.exit_code == 2 and "belong to --loads FOLDER" in " ".join(said.output.split())
