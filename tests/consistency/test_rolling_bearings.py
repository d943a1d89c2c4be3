"""Rolling bearings in drivetrains: operating point, nonlinear law in a run, the command and its bad input."""

import json
import math

import numpy as np
import pytest
import yaml
from typer.testing import CliRunner

from gearwright.analyses.bearings import bearing
from gearwright.analyses.modes import modes
from gearwright.analyses.static_loads import static_loads
from gearwright.bearings.types import BearingGeometry
from gearwright.cli import app
from gearwright.errors import DrivetrainError, InputError
from gearwright.results import Result
from gearwright.running.rolling import operating_points, with_rolling
from gearwright.running.run import simulate
from gearwright.train.expand import expand
from gearwright.train.open import load

ROLLER = {"type": "cylindrical", "element_diameter": "10 mm", "pitch_diameter": "50 mm", "elements": 14,
          "element_length": "12 mm", "play": "10 um", "dynamic_rating": "58 kN"}  # fmt: skip
BALL = {"type": "deep_groove", "bore": "25 mm", "outside_diameter": "52 mm", "width": "15 mm",
        "static_rating": "7.8 kN", "dynamic_rating": "14 kN"}  # fmt: skip
SLIGHT = {"stiffness_proportional": "1e-5 s"}


def pair(law="linear", wheel=None, pinion=None, **model):
    bearings = {
        "wheel": {"damping": SLIGHT, "rolling": {**ROLLER, "law": law, **(wheel or {})}},
        "pinion": {"damping": SLIGHT, "rolling": {**BALL, "law": law, **(pinion or {})}},
    }
    stage = {
        "name": "stage", "type": "parallel", "module": "4 mm", "pressure_angle": "20 deg", "azimuth": "0 deg",
        "wheel": {"teeth": 40, "mass": "8 kg", "inertia": "0.03 kg m^2"},
        "pinion": {"teeth": 20, "mass": "2 kg", "inertia": "0.004 kg m^2"},
        "mesh": {"stiffness": "3e8 N/m", "contact_ratio": 1.6, "damping": SLIGHT}, "bearings": bearings,
    }  # fmt: skip
    shaft = {"torsional_stiffness": "1e5 N m/rad", "damping": SLIGHT}
    return {
        "name": "pair-on-rollers", "stages": [stage],
        "bodies": [{"name": "motor", "inertia": "0.05 kg m^2"}, {"name": "brake", "inertia": "0.2 kg m^2"}],
        "shafts": [{"name": "in", "between": ["motor", "stage.pinion"], **shaft},
                   {"name": "out", "between": ["stage.wheel", "brake"], **shaft}],
        "model": {"fidelity": "planar", "law": "linear", **model},
        "operating": {"input": "motor", "output": "brake", "speed": "1200 rpm", "torque": "80 N m"},
        "cases": [{"name": "steady", "duration": "0.2 s",
                   "record": ["bearings", "bodies"],
                   "loads": [{"on": "motor", "torque": "80 N m"}, {"on": "brake", "torque": "160 N m"}]}],
    }  # fmt: skip


MESH_FORCE = 80 / (0.04 * math.cos(math.radians(20)))  # torque over the pinion's base radius


def test_operating_point_carries_the_mesh_force_and_is_the_tangent():
    train = expand(load(pair()))
    points = operating_points(train, "planar")
    for name in ("stage.wheel_bearing", "stage.pinion_bearing"):
        point = points[name]
        # mean over places of the cage, and the equilibrium holds on average: some tenths of a per cent apart
        assert np.hypot(*point.load[1:3]) == pytest.approx(MESH_FORCE, rel=2e-3)
        assert point.loaded
    solved = with_rolling(train)
    k = np.array(solved.bearings["stage.wheel_bearing"].stiffness)
    # with five rollers loaded, the mean at one displacement and at one load differ by some per cent;
    # an independent way: displacement under the same force, its tangent turned into the direction of the force
    geometry = BearingGeometry("cylindrical", 10e-3, 50e-3, 14, 12e-3, play=10e-6)
    alone = geometry.bearing()
    along, across = [], []
    for i in range(16):
        from dataclasses import replace

        turned = replace(alone, rows=(replace(alone.rows[0], first_angle=i / 16 * 2 * math.pi / 14),))
        m = turned.stiffness(turned.under_load([0, MESH_FORCE, 0, 0, 0, 0]))
        along.append(m[1, 1])
        across.append(m[2, 2])
    values = np.sort(np.linalg.eigvalsh(k))
    np.testing.assert_allclose(values, sorted([np.mean(across), np.mean(along)]), rtol=0.1)


def test_given_stiffness_wins_and_nonlinear_excludes_it():
    facts = pair()
    facts["stages"][0]["bearings"]["wheel"]["stiffness"] = "1e8 N/m"
    solved = with_rolling(expand(load(facts)))
    assert solved.bearings["stage.wheel_bearing"].stiffness[0][0] == 1e8
    facts["stages"][0]["bearings"]["wheel"]["rolling"]["law"] = "nonlinear"
    with pytest.raises(DrivetrainError, match="leave stiffness and matrix away"):
        load(facts)


def test_nonlinear_run_carries_the_load_with_varying_compliance(tmp_path):
    run = simulate(load(pair("nonlinear")), output=tmp_path / "a.nc")
    assert run.energy_error < 1e-9
    with Result.open(run.result_file) as result:
        force = np.asarray(result.series("stage.wheel_bearing.force"))
        z = np.asarray(result.series("stage.wheel.z"))
        y = np.asarray(result.series("stage.wheel.y"))
    tail = slice(len(force) // 2, None)
    assert force[tail].mean() == pytest.approx(MESH_FORCE, rel=1e-3)
    moved = np.hypot(y, z)[tail]
    # displacement along the force: half the play and the approach of the rollers; it varies as they pass
    alone = BearingGeometry("cylindrical", 10e-3, 50e-3, 14, 12e-3, play=10e-6).bearing()
    assert moved.mean() == pytest.approx(alone.under_load([0, MESH_FORCE, 0, 0, 0, 0])[1], rel=0.05)
    assert moved.std() > 0


def test_modes_use_the_tangent_whatever_the_law():
    linear, live = (modes(load(pair(law))).table.modes.frequencies_hz for law in ("linear", "nonlinear"))
    np.testing.assert_allclose(linear, live, rtol=1e-9, atol=1e-6)
    assert len(linear) == 8


def test_spatial_gets_the_full_matrix():
    facts = pair()
    stage = facts["stages"][0]
    for part, width in (("wheel", "30 mm"), ("pinion", "30 mm")):
        stage[part]["face_width"] = width
    both = {"type": "tapered", "element_diameter": "8 mm", "pitch_diameter": "40 mm", "elements": 15,
            "element_length": "12 mm", "contact_angle": "15 deg", "rows": 2, "spread": "30 mm", "play": "-8 um"}  # fmt: skip
    for part in ("wheel", "pinion"):
        stage["bearings"][part]["rolling"] = both
    facts["model"]["fidelity"] = "spatial"
    solved = with_rolling(expand(load(facts), "spatial"), "spatial")
    matrix = np.array(solved.bearings["stage.wheel_bearing"].matrix)
    assert matrix.shape == (6, 6)
    np.testing.assert_allclose(matrix, matrix.T, atol=1e-9 * abs(matrix).max())
    assert matrix[0, 0] > 0 and matrix[4, 4] > 0 and not matrix[3].any()
    forces = static_loads(load(facts), {"motor": 80.0})
    assert math.hypot(forces["stage.wheel_bearing.force_y"], forces["stage.wheel_bearing.force_z"]) == pytest.approx(
        MESH_FORCE, rel=1e-6
    )
    for part in ("wheel", "pinion"):
        stage["bearings"][part]["rolling"] = {**both, "law": "nonlinear"}
    live = static_loads(load(facts), {"motor": 80.0})
    assert math.hypot(live["stage.wheel_bearing.force_y"], live["stage.wheel_bearing.force_z"]) == pytest.approx(
        MESH_FORCE, rel=1e-6
    )


def test_rollers_of_a_shaft_that_is_a_spring_wait_for_the_fidelity_that_bends_it():
    """Planar has no beams: bearings along a shaft are in no model there, and those of the wheels are what they were."""
    file = pair()
    bar = {"name": "in", "between": ["motor", "stage.pinion"], "material": "steel", "diameter": "30 mm", "length": "100 mm",
           "damping": SLIGHT}  # fmt: skip
    file["shafts"][0], file["materials"] = (
        bar,
        {"steel": {"young": "206 GPa", "poisson": 0.3, "density": "7830 kg/m^3"}},
    )
    plain = with_rolling(expand(load(file)))
    bar["bearings"] = [{"name": "seat", "x": "20 mm", "rolling": ROLLER, "damping": SLIGHT}]
    held = with_rolling(expand(load(file)))
    assert {n: b.stiffness for n, b in held.bearings.items()} == {n: b.stiffness for n, b in plain.bearings.items()}
    assert held.shafts["in"].bearings[0].stiffness is None


def test_unloaded_bearing_is_said():
    facts = pair()
    facts["operating"]["torque"] = "0 N m"
    solved = with_rolling(expand(load(facts)))
    notes = [n.message for n in solved.notes if n.where == "stage.wheel_bearing"]
    assert any("unloaded" in n for n in notes)
    del facts["operating"]["torque"]
    with pytest.raises(DrivetrainError, match=r"operating\.input, output and torque"):
        with_rolling(expand(load(facts)))


# --- the command -----------------------------------------------------------------------------------------------------

FILE = {
    "name": "crb", "load": {"radial": "633 kN", "speed": "31.46 rpm"},
    "bearing": {"type": "cylindrical", "element_diameter": "37.5 mm", "element_length": "138 mm",
                "pitch_diameter": "310 mm", "elements": 25, "dynamic_rating": "1980 kN", "contact": {"limit": "2000 MPa"}},
}  # fmt: skip


def write(tmp_path, facts, name="bearing.yaml"):
    file = tmp_path / name
    file.write_text(yaml.safe_dump(facts))
    return str(file)


def test_bearing_file(tmp_path):
    result = CliRunner().invoke(app, ["bearing", write(tmp_path, FILE), "--json"])
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)["bearings"]["crb"]
    # digest S1 section 12: 23 712 h; section 13: 270 sqrt(Q / L_we sum rho / 2)
    assert data["life"]["basic_life_hours"] == pytest.approx(23712, rel=1e-3)
    q = 4 * 633e3 / 25
    assert data["contact"]["iec_61400_4"]["largest_pressure"] == pytest.approx(
        270e6 * math.sqrt(0.5 * q / 138 * 0.060673), rel=1e-4
    )
    assert np.array(data["stiffness"]["matrix"]).shape == (6, 6)
    assert sum(data["contact"]["element_loads"]) > 633e3
    shown = CliRunner().invoke(app, ["bearing", write(tmp_path, FILE), "--matrix", "--radial", "500 kN"])
    assert shown.exit_code == 0 and "L10h" in shown.stdout and "0.56" in shown.stdout.replace("0.567", "0.56")


def test_bins_add_their_damage(tmp_path):
    bins = [
        {"radial": "400 kN", "speed": "20 rpm", "share": 0.7},
        {"radial": "700 kN", "speed": "30 rpm", "share": 0.3},
    ]
    data = bearing(write(tmp_path, {**{k: v for k, v in FILE.items() if k != "load"}, "bins": bins}))
    life = data.bearings["crb"].life.basic_life_hours
    damage = sum(
        s * 60 * n / (1e6 * (1980 / p) ** (10 / 3)) for p, n, s in ((400, 20, 0.7), (700, 30, 0.3))
    )  # share of the life used in one hour
    assert life == pytest.approx(1 / damage, rel=1e-9)


def test_modified_life_with_oil(tmp_path):
    facts = {**FILE, "bearing": {**FILE["bearing"], "fatigue_limit": "300 kN", "reliability": 0.95,
                                 "lubrication": {"viscosity": 120, "contamination": 0.7}}}  # fmt: skip
    life = bearing(write(tmp_path, facts)).bearings["crb"].life
    assert life.viscosity_ratio == pytest.approx(120 / (45000 * 31.46**-0.83 / math.sqrt(310)), rel=1e-6)
    assert life.modified_life_hours == pytest.approx(0.64 * life.life_modification * life.basic_life_hours)


def test_bearings_of_a_drivetrain():
    data = bearing("nrel-5mw-medium-speed-gearbox", fidelity="planar")
    assert len(data.bearings) == 3
    one = data.bearings["stage1.planet1_bearing"]
    # statics: pin force T / (3 r_c) = 3985.8 kN m / (3 (430.4 + 630) / cos 22.5) -> 1157.5 kN, two bearings
    assert one.load.radial == pytest.approx(3985.8448e3 / (3 * 1.0604 / math.cos(math.radians(22.5))), rel=1e-3)
    assert one.life.equivalent_load == pytest.approx(0.5 * one.load.radial)
    assert one.stiffness_source == "given"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (["--set", "bearing.type=conical"], "Did you mean 'cylindrical'"),
        (["--set", "bearing.elements=31"], "do not fit"),
        (["--radial", "5 m"], "a force is wanted"),
        (["--set", "bearing.lubrication={viscosity: 100, contamination: 3}"], "contamination"),
        (["--axial", "5 kN"], "takes no axial load"),
        (["--set", "bearing.rollers=3"], "rollers"),
    ],
)
def test_bad_bearing_file(tmp_path, change, words):
    result = CliRunner().invoke(app, ["bearing", write(tmp_path, FILE), *change])
    assert result.exit_code == 2
    assert words in result.stderr


def test_missing_data_is_named(tmp_path):
    result = CliRunner().invoke(app, ["bearing", "grc-750kw"])
    assert result.exit_code == 2 and "no bearing says what it is" in result.stderr
    facts = {k: v for k, v in FILE.items() if k != "load"}
    result = CliRunner().invoke(app, ["bearing", write(tmp_path, facts)])
    assert result.exit_code == 2 and "needs a load" in result.stderr
    facts = {**FILE, "bearing": {"type": "cylindrical", "bore": "200 mm"}}
    result = CliRunner().invoke(app, ["bearing", write(tmp_path, facts)])
    assert result.exit_code == 2 and "outside_diameter, width" in result.stderr
    facts = pair("nonlinear")
    facts["stages"][0]["bearings"]["wheel"]["damping"] = {"ratio": "5 %"}
    with pytest.raises(InputError, match="damping"):
        simulate(load(facts), output=tmp_path / "x.nc")


def test_page_of_bearings_has_the_load_zone_and_equal_bearings_once(tmp_path):
    page = tmp_path / "bearings.html"
    result = CliRunner().invoke(app, ["bearing", "nrel-5mw-medium-speed-gearbox", "--json", "-o", str(page)])
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    text = page.read_text(encoding="utf-8")
    # three planets alike: one section, with the elements that the numbers have, before what was assumed
    assert (
        text.count("<h2") == 2 and "Assumed, notes, warnings" in text and "stage1.planet1_bearing and 2 alike" in text
    )
    loads = data["bearings"]["stage1.planet1_bearing"]["contact"]["element_loads"]
    assert f"{sum(q > 0 for q in loads)} of {len(loads)} elements carry load" in text
    assert "needs lubrication, fatigue_limit" in text


def test_a_stiffness_beside_the_rolling_elements_counts():
    """Cylindrical rollers hold nothing along x; an axial stiffness given beside them does, with both laws of the bearing:
    the row along x is that value, and the wheel's mode along x has its frequency."""
    for law in ("linear", "nonlinear"):
        facts = pair(law)
        bearings = facts["stages"][0]["bearings"]
        bearings["wheel"] |= {"axial_stiffness": "2e8 N/m", "damping": {"stiffness_proportional": "1e-5 s"}}
        bearings["pinion"] = {"stiffness": "1e9 N/m"}
        train = with_rolling(expand(load(facts), "spatial"), "spatial")
        from gearwright.assembly import assemble

        system = assemble(train, "spatial")
        assert "stage.wheel_bearing.beside.x" in system.rows
        names = [c.name for c in system.channels if c.element == "stage.wheel_bearing"]
        assert any(n.endswith("force_x") for n in names)
        found = modes(load(facts), fidelity="spatial")
        # 8 kg on 2e8 N/m, alone along x since the wheels are spur
        assert np.abs(found.frequencies_hz - math.sqrt(2e8 / 8) / (2 * math.pi)).min() < 1e-3
