"""REXS: the open example of the FVA against closed forms; what is refused."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import gearwright as gw
from gearwright.cli import app
from gearwright.errors import DrivetrainError
from gearwright.interchange import ReadError, read
from gearwright.interchange.rexs import _ring_shift, _Teeth, read_rexs, write_rexs_drivetrain
from gearwright.schema.read import from_mapping
from gearwright.train.expand import expand
from gearwright.train.open import load

pytestmark = pytest.mark.slow

SAMPLE = Path(__file__).parents[1] / "data" / "FVA-Industriegetriebe_2stufig_1-4.rexs"


def involute(angle: float) -> float:
    return math.tan(angle) - angle


@pytest.mark.parametrize(
    ("stage", "module", "helix", "shift", "teeth"), [(0, 4.5, 21.0, 0.231415, 78), (1, 6.5, 10.0, 0.15074, 57)]
)
def test_the_printed_centre_distance_follows_from_what_was_read(
    stage: int, module: float, helix: float, shift: float, teeth: int
) -> None:
    """ISO 21771: inv(alpha_wt) = inv(alpha_t) + 2 sum(x) tan(alpha_n)/sum(z); the file prints 190 mm and both shifts."""
    s = read_rexs(SAMPLE)["stages"][stage]
    z = s["wheel"]["teeth"] + s["pinion"]["teeth"]
    assert (
        z == teeth
        and s["module"] == pytest.approx(module * 1e-3)
        and s["helix_angle"] == pytest.approx(math.radians(helix))
    )
    assert s["wheel"]["profile_shift"] == s["pinion"]["profile_shift"] == shift
    transverse = math.atan(math.tan(s["pressure_angle"]) / math.cos(s["helix_angle"]))
    wanted = involute(transverse) + 2.0 * (2 * shift) * math.tan(s["pressure_angle"]) / z
    low, high = 0.1, 1.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if involute(middle) < wanted else (low, middle)
    distance = 0.5 * z * s["module"] / math.cos(s["helix_angle"]) * math.cos(transverse) / math.cos(low)
    # the file's shifts have six digits
    assert distance == pytest.approx(s["centre_distance"], rel=1e-5) and s["centre_distance"] == 0.19


def test_ratio_shaft_inertia_and_load(tmp_path: Path) -> None:
    data = read_rexs(SAMPLE)
    train = expand(from_mapping(data))
    assert train.ratios["stage2.wheel"] == pytest.approx(27 / 51 * 23 / 34)
    # the second shaft between its gears: 33 mm of 90 mm, 75 mm of 80 mm; 105 - 72 and 180 - 105
    assert [(s["length"], s["diameter"]) for s in data["shafts"][0]["sections"]] == [
        (pytest.approx(0.033), 0.09), (pytest.approx(0.075), 0.08)]  # fmt: skip
    shear = 210e9 / 2.6
    compliance = sum(32.0 * length / (math.pi * shear * d**4) for length, d in ((0.033, 0.09), (0.075, 0.08)))
    (shaft,) = train.shafts.values()
    assert shaft.torsional == pytest.approx(1.0 / compliance)
    pitch = 27 * 4.5e-3 / math.cos(math.radians(21.0))
    disc = math.pi * 7850.0 * 0.05 * (pitch**4 - 0.06**4) / 32.0
    own = math.pi * 7850.0 * (0.08 * 0.05**4 + 0.08 * 0.06**4 + 0.03 * 0.05**4) / 32.0
    assert data["stages"][0]["pinion"]["inertia"] == pytest.approx(disc + own)
    assert data["operating"]["torque"] == 567.0 and data["operating"]["speed"] == pytest.approx(543 * math.pi / 30)
    assert (data["operating"]["input"], data["operating"]["output"]) == ("stage1.pinion", "stage2.wheel")


def test_a_planetary_stage() -> None:
    data = read_rexs(SAMPLE.with_name("FVA_Planetary_stage_-_Minus_gearing_1.1.rexs"))
    (stage,) = data["stages"]
    assert [stage[r]["teeth"] for r in ("sun", "planet", "ring")] == [17, 22, 61] and stage["planets"] == 3
    assert stage["ring"]["fixed"] and stage["carrier"]["pin_radius"] == 0.078
    train = expand(from_mapping(data))
    assert train.ratios["stage1.carrier"] == pytest.approx(17 / (17 + 61))  # Willis, ring held
    assert (train.input, train.output) == ("stage1.sun", "stage1.carrier")
    # 250 kW at 1500 rpm
    assert data["operating"]["torque"] == pytest.approx(250e3 / (1500 * math.pi / 30))
    pitch, outer = 61 * 4e-3, 61 * 4e-3 + 40e-3
    assert stage["ring"]["inertia"] == pytest.approx(math.pi * 7850.0 * 0.05 * (outer**4 - pitch**4) / 32.0, rel=1e-3)


@pytest.mark.parametrize("written", [-0.84, 0.84])
def test_the_ring_s_shift_takes_the_sign_that_its_centre_distance_asks_for(written: float) -> None:
    """S0's stage: 35 and 91 teeth of 10 mm, planet shifted by 0.419, ring by -0.84 at 284 mm."""
    planet = _Teeth(35, 10e-3, 0.1, 0.0, math.radians(20.0), 0.419, 0.0)
    ring = planet._replace(teeth=91, shift=written)
    assert _ring_shift(planet, ring, 0.284, SAMPLE) == -0.84
    with pytest.raises(ReadError, match="does not fit its centre distance"):
        _ring_shift(planet, ring._replace(shift=0.3), 0.284, SAMPLE)


def test_the_command(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["rexs", str(SAMPLE), "-o", str(tmp_path / "a.yaml"), "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.output)["stages"][0]["wheel"]["teeth"] == 51
    assert expand(load(tmp_path / "a.yaml")).ratios["stage2.wheel"] == pytest.approx(27 / 51 * 23 / 34)
    with pytest.raises(ReadError, match="gearwright rexs makes a drivetrain file"):
        read(SAMPLE)


def test_refusals(tmp_path: Path) -> None:
    text = SAMPLE.read_text()

    def refused(changed: str, message: str) -> None:
        (tmp_path / "a.rexs").write_text(changed)
        with pytest.raises(ReadError, match=message) as caught:
            read_rexs(tmp_path / "a.rexs")
        assert "\n" not in str(caught.value)

    refused("", "is empty")
    refused(text[:5000], "is no XML file")
    refused("<a/>", "is no REXS model")
    refused(text.replace('type="cylindrical_stage"', 'type="bevel_stage"'), "has bevel_stage")
    refused(text.replace('type="cylindrical_stage"', 'type="planetary_stage"'), "has 0 suns, 0 rings and 0 planets")
    refused(text.replace("<model", '<!DOCTYPE x [<!ENTITY a "b">]><model', 1), "defines entities")
    refused(
        text.replace('id="normal_module" unit="mm"', 'id="normal_module" unit="furlong"'),
        "'furlong', which is not a known unit",
    )
    refused(text.replace('id="number_of_teeth"', 'id="teeth"'), "has no number_of_teeth")
    refused(text.replace('role="gear_2"', 'role="gear_3"'), "has 1 gears; two are wanted")


def test_json_and_archive_hold_the_same_model() -> None:
    """The three forms of one model, as the FVA's own programs wrote them: one drivetrain."""
    data = SAMPLE.parent
    name = "FVA_Planetary_stage_-_Minus_gearing_1.1"
    plain = read_rexs(data / f"{name}.rexs")
    for other in (f"{name}.rexsj.gz", f"{name}.rexsz"):
        found = read_rexs(data / other)
        assert {**found, "name": "", "source": ""} == {**plain, "name": "", "source": ""}, other


def test_a_model_runs_at_its_first_load_case(tmp_path: Path) -> None:
    """567 N m at 543 rpm (the file's first load case) on the pinion of 27 teeth; behind 51/27 and 34/23 teeth, power is kept."""
    write_rexs_drivetrain(SAMPLE, tmp_path / "made.yaml")
    run = gw.simulate(tmp_path / "made.yaml", "rated")
    ratio = 51.0 * 34.0 / (27.0 * 23.0)
    mean = {name: channel["mean"] for name, channel in run.channels.items()}
    assert mean["stage1.pinion.speed"] == pytest.approx(543.0 * math.pi / 30.0, rel=1e-6)
    assert mean["stage2.wheel.speed"] == pytest.approx(543.0 * math.pi / 30.0 / ratio, rel=1e-6)
    assert mean["stage1.pinion.torque"] == pytest.approx(567.0, rel=1e-6)
    assert mean["stage2.wheel.torque"] == pytest.approx(-567.0 * ratio, rel=1e-6)
    assert mean["shaft2.torque"] == pytest.approx(-567.0 * 51.0 / 27.0, rel=1e-6)


def test_archives_that_are_none(tmp_path: Path) -> None:
    import zipfile

    path = tmp_path / "a.rexsz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", "nothing")
    with pytest.raises(ReadError, match="holds 0 models"):
        read_rexs(path)
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(ReadError, match="no sound archive"):
        read_rexs(path)
    path.write_text('{"model": {"components": []}}')
    with pytest.raises(ReadError, match="is no REXS model"):
        read_rexs(path)
    path.write_text('{"model": ')
    with pytest.raises(ReadError, match="is no JSON file"):
        read_rexs(path)


@settings(max_examples=60, deadline=None)
@given(
    at=st.integers(0, 44000),
    text=st.sampled_from(("", "0", "-1", "1e300", "nan", '"', "<", "&", "\0", "ü")),
    cut=st.integers(0, 40),
)
def test_damage_is_one_message(tmp_path_factory: pytest.TempPathFactory, at: int, text: str, cut: int) -> None:
    content = SAMPLE.read_text()
    path = tmp_path_factory.mktemp("rexs") / "a.rexs"
    path.write_text(content[:at] + text + content[at + cut :], encoding="utf-8")
    try:
        train = expand(from_mapping(read_rexs(path)))
    except (ReadError, DrivetrainError) as error:
        assert str(error).strip()
    else:
        assert train.bodies


# ---------------------------------------------------------------- bearings

SEW = SAMPLE.with_name("SEW_3-stage_cylindrical_gearbox_1.0.rexs.gz")
PLANETARY = SAMPLE.with_name("FVA_Planetary_stage_-_Minus_gearing_1.1.rexs")


def test_bearings_come_with_their_ratings() -> None:
    """The nine catalogue bearings of SEW's gearbox, as its file prints them: 6305-2Z has 25 x 62 x 17 mm, C 22.4 kN, C_0 11.4 kN."""
    data = read_rexs(SEW)
    found = {(s["name"], role): b for s in data["stages"] for role, b in s["bearings"].items()}
    assert sum(len(b) for b in found.values()) == 9
    first, second = found["stage1", "pinion"]
    rolling = first["rolling"]
    assert (rolling["type"], rolling["designation"]) == ("deep_groove", "6305-2Z")
    sizes = ("bore", "outside_diameter", "width", "dynamic_rating", "static_rating", "fatigue_limit")
    assert [rolling[k] for k in sizes] == pytest.approx([25e-3, 62e-3, 17e-3, 22.4e3, 11.4e3, 750.0])
    # both beside the pinion, which hangs over: 46.3 mm from one another
    assert second["x"] - first["x"] == pytest.approx(46.3e-3, abs=1e-4) and second["x"] < 0.0
    assert found["stage3", "pinion"][0]["rolling"]["type"] == "cylindrical"  # NUP204
    assert not any("bearing" in text for text in data["not_claimed"])


def test_what_a_bearing_lacks_is_listed_by_name() -> None:
    industrial, planetary = read_rexs(SAMPLE)["not_claimed"], read_rexs(PLANETARY)["not_claimed"]
    assert sum("is left out" in text for text in industrial) == 6
    assert any("6210-2Z" in t and "has no bore, outside diameter, width, static rating" in t for t in industrial)
    assert any("K 50x58x25" in t and "neither a catalogue line nor a radial stiffness" in t for t in industrial)
    assert sum("is rigid (1e+20 N/m)" in text for text in planetary) == 10


def test_an_overhung_pinion_by_statics_and_lives_by_hand(tmp_path: Path) -> None:
    """The made file runs at planar and spatial. Spatial: the two bearings beside the first pinion carry its tooth force by the lever, with
    the couple of the axial force on its working pitch radius. Planar: ISO 281, L_10 = (C/P)^p million turns."""
    import numpy as np
    import xarray

    data = write_rexs_drivetrain(SEW, tmp_path / "made.yaml")
    run = gw.simulate(tmp_path / "made.yaml", "rated", fidelity="spatial", output=tmp_path / "s.nc")
    stage = data["stages"][0]
    near, far = (abs(b["x"]) for b in reversed(stage["bearings"]["pinion"]))
    with xarray.open_dataset(run.result_file) as found:
        one, two = (
            np.array([float(found[f"bearing_force_{a}"].sel(bearing=f"stage1.pinion_b{i}")[-1]) for a in "yz"])
            for i in (1, 2)
        )
    force, axial = run.channels["stage1.mesh.force"]["mean"], run.channels["stage1.mesh.axial_force"]["mean"]
    assert np.hypot(*(one + two)) == pytest.approx(force, rel=1e-3)
    teeth = stage["pinion"]["teeth"], stage["wheel"]["teeth"]
    radius = stage["centre_distance"] * teeth[0] / sum(teeth)
    # what the lever of the tooth force leaves is the couple, but for the 2 % of that lever's moment that the balls hold against tilting
    left = two * (far - near) - (one + two) * far
    assert np.hypot(*left) == pytest.approx(abs(axial) * radius, abs=0.025 * force * far)

    run = gw.simulate(tmp_path / "made.yaml", "rated", fidelity="planar", output=tmp_path / "p.nc")
    (tmp_path / "life.yaml").write_text("life: {years: 20}\n")
    done = CliRunner().invoke(app, ["life", str(tmp_path / "p.nc"), "--ratings", str(tmp_path / "life.yaml"), "--json"])
    assert done.exit_code == 0, done.output
    lives = {p["element"]: p["life_hours"] for p in json.loads(done.stdout)["components"]}
    for name, rating, exponent, wheel in (
        ("stage3.wheel_b1", 25.5e3, 3.0, "stage3.wheel"),
        ("stage3.pinion_b1", 32.5e3, 10.0 / 3.0, "stage3.pinion"),
    ):
        turns = abs(expand(load(tmp_path / "made.yaml")).ratios[wheel]) * data["operating"]["speed"] / (2.0 * math.pi)
        by_hand = 1e6 * (rating / run.channels[f"{name}.force"]["mean"]) ** exponent / (3600.0 * turns)
        assert lives[name] == pytest.approx(by_hand, rel=0.01), name


def test_bearings_of_a_planetary_stage(tmp_path: Path) -> None:
    """The FVA's stage with bearings that give way: a pin carries the carrier's torque over planets and pin radius, half in each of its two
    bearings; one of the carrier's is made a catalogue bearing."""
    text = PLANETARY.read_text().replace(
        'id="radial_stiffness" unit="N / m">1.0E20<', 'id="radial_stiffness" unit="N / m">5.0E8<'
    )
    at = text.index('<component id="59" name="Steglager [59]" type="concept_bearing">')
    text = text[:at] + text[at:].replace(
        'type="concept_bearing">',
        'type="rolling_bearing_with_catalog_geometry">\n<attribute id="bearing_type" unit="none">radial_roller_bearing</attribute>'
        '<attribute id="inner_diameter" unit="mm">120</attribute><attribute id="outer_diameter" unit="mm">180</attribute>'
        '<attribute id="width" unit="mm">28</attribute><attribute id="radial_static_load_rating" unit="kN">200</attribute>'
        '<attribute id="radial_dynamic_load_rating" unit="kN">140</attribute>', 1)  # fmt: skip
    (tmp_path / "a.rexs").write_text(text)
    data = write_rexs_drivetrain(tmp_path / "a.rexs", tmp_path / "made.yaml")
    held = data["stages"][0]["bearings"]
    assert {role: len(b) for role, b in held.items()} == {"planet": 2, "sun": 2, "carrier": 2}
    assert [b.get("rolling", {}).get("dynamic_rating") for b in held["carrier"]] == [140e3, None]
    run = gw.simulate(tmp_path / "made.yaml", "rated", fidelity="planar")
    torque = 250e3 / (1500 * math.pi / 30) * (17 + 61) / 17
    for planet in (1, 2, 3):
        for bearing in ("b1", "b2"):
            found = run.channels[f"stage1.planet{planet}_{bearing}.force"]["mean"]
            assert found == pytest.approx(torque / (3 * 0.078) / 2.0, rel=0.01), (planet, bearing)
