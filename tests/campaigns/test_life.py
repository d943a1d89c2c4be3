"""The life of a gearbox from results: constant loads have a closed form, a campaign weighs them."""

import json
import math

import numpy as np
import pytest
from typer.testing import CliRunner

from gearwright.analyses.life import LifeInputError, ToothPart, life, life_of
from gearwright.analyses.rating_sheet import rating_sheet
from gearwright.campaigns import Folder, campaign_plan, run_campaign
from gearwright.cli import app
from gearwright.errors import DrivetrainError
from gearwright.rating.records import RecordError
from gearwright.running.run import simulate
from gearwright.train.open import load

GEARBOX = "nrel-5mw-medium-speed-gearbox"
LIFE = """
years: 20
wind: {class: II}
bin_width: 2 m/s
wind_speed: duration
bearings:
  - {name: cylindrical, on: stage1.planet?_bearing, dynamic_rating: 1980 kN, count: 2, required: 1e5 h}
  - {name: tapered, on: stage1.planet?_bearing, dynamic_rating: 2090 kN, count: 2, required: 1e5 h, static_rating: 3000 kN}
shafts:
  - {on: main, diameter: 700 mm, concentration: 2, strength: {points: [[1, 400 MPa], [1e6, 100 MPa]]}}
"""
# what the runs of the campaign vary stands for the wind speed: their durations, 5, 7 and 9 s
CAMPAIGN = """
include: [nrel-5mw-medium-speed-gearbox]
name: constant
model: {fidelity: planar, law: linear}
campaigns:
  - {name: speeds, case: rated, grid: {duration: [5, 7, 9]}}
"""


@pytest.fixture(scope="module")
def ratings(tmp_path_factory):
    file = tmp_path_factory.mktemp("ratings") / "life.yaml"
    file.write_text(LIFE)
    return file


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    place = tmp_path_factory.mktemp("life") / "rated.nc"
    simulate(load(GEARBOX), "rated", fidelity="planar", duration=5.0, output=place)
    return place


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("campaign")
    file = place / "constant.yaml"
    file.write_text(CAMPAIGN)
    run_campaign(campaign_plan(file), place / "runs")
    return place / "runs"


def closed_form(rating):
    """L10 hours of a planet bearing of two at rated torque: P = 2 T cos(a_c) / (3 r_c cos ...) from the base radii.

    The planet's pin carries T/(3 r_c) at the working pin radius; with base radii r_bs, r_bp, r_br the sum of the tangential
    mesh forces is F_s + F_r with F r_b = torque: each mesh force is T/(3 (r_bs + r_br)) and the pin takes the resultant of
    the two, which lie at the angles of their meshes.
    """
    d = load(GEARBOX)
    rbs, rbp = 0.4304, 0.63
    force = d.operating.torque / 3 / (rbs + rbs + 2 * rbp)
    # both mesh forces act along lines tilted by the working pressure angle from the tangent; radial parts cancel
    pin = 2 * force * math.cos(math.radians(22.5))
    speed = d.operating.speed * (rbs + 2 * rbp) / rbp  # planet against carrier: r_br / r_bp
    return 1e6 / (60 * speed * 30 / math.pi) * (2 * rating / pin) ** (10 / 3)


def test_constant_load_has_the_life_of_its_closed_form(result, ratings):
    data = life_of(result, ratings)
    rows = {(r.element, r.name): r for r in data.components}
    for name, rating in (("cylindrical", 1980e3), ("tapered", 2090e3)):
        row = rows["stage1.planet1_bearing", name]
        # the run starts in equilibrium: what is left is the rounding of level bins (a 256th) to the power 10/3
        assert row.life_hours == pytest.approx(closed_form(rating), rel=0.01)
        assert row.margin == pytest.approx(row.life_hours / 1e5)
    lives = [rows["stage1.planet1_bearing", n].life_hours for n in ("cylindrical", "tapered")]
    assert lives[1] / lives[0] == pytest.approx((2090 / 1980) ** (10 / 3), rel=1e-9)
    # nothing swings: no cycles, no damage of the shaft
    assert rows["main", ""].damage < 1e-12
    assert rows["stage1.planet1_bearing", "tapered"].static_safety > 4
    assert {m["element"] for m in data.missing} >= {"stage2.wheel_bearing", "stage3.pinion_bearing"}


def test_campaign_weighs_its_runs_by_the_wind(folder, ratings, result):
    one, many = life_of(result, ratings), life_of(folder, ratings)
    assert [b["speed"] for b in many.bins] == [5.0, 7.0, 9.0]
    # Rayleigh of mean 8.5 m/s: shares of 4 to 10 m/s
    scale = 2 * 8.5 / math.sqrt(math.pi)
    covered = math.exp(-((4 / scale) ** 2)) - math.exp(-((10 / scale) ** 2))
    assert many.covered == pytest.approx(covered)
    assert many.hours + many.idle_hours == pytest.approx(20 * 8766)
    first = {r.element: r for r in one.components if r.name == "tapered"}
    for row in many.components:
        if row.name == "tapered":
            # the same load in every bin: the damage of the hours covered, and the same life in hours of operation
            assert row.damage == pytest.approx(covered * first[row.element].damage, rel=1e-3)
            assert row.life_hours == pytest.approx(first[row.element].life_hours, rel=1e-3)
            assert sum(row.by_wind) == pytest.approx(row.damage)


def test_spectra_hold_every_hour(folder, ratings):
    data = life_of(folder, ratings)
    for spectrum in data.spectra.values():
        assert spectrum.amounts.sum() == pytest.approx(3600 * data.hours)


def test_lifetime_load_of_a_sine(tmp_path, ratings):
    """A torque that swings quasi-statically by a known range: DEL = range (n / N_eq)^(1/m) over the whole life."""
    d = load(GEARBOX, [
        "cases.rated.loads.0.torque={sine: {amplitude: 400 kN m, frequency: 0.05 Hz, mean: 3985.8448 kN m}}",
        "cases.rated.loads.1.slope=0",
        "cases.rated.loads.1.torque={sine: {amplitude: -6.43618 kN m, frequency: 0.05 Hz, mean: -64.133939 kN m}}",
    ])  # fmt: skip
    place = tmp_path / "sine.nc"
    simulate(d, "rated", fidelity="torsional", duration=100.0, output=place)
    data = life_of(place, ratings_without_bearings(tmp_path))
    main = next(r for r in data.loads if r.element == "main")
    # five cycles of 2 x 400 kN m in 100 s; inertia torques of so slow a swing are below 1 %
    cycles = 5 / 100 * 20 * 8766 * 3600
    for m in (3.0, 4.0, 6.0, 9.0):
        assert main.equivalent[f"{m:g}"] == pytest.approx(8e5 * (cycles / 1e7) ** (1 / m), rel=0.03)
    # Basquin line through the points: m = 6 / log10(4); amplitude of the stress 2 x 16 T / (pi d^3)
    shaft = next(r for r in data.components if r.element == "main")
    stress = 2 * 16 * 4e5 / (math.pi * 0.7**3)
    assert shaft.damage == pytest.approx(cycles / (1e6 * (1e8 / stress) ** (6 / math.log10(4))), rel=0.25)


def ratings_without_bearings(tmp_path):
    file = tmp_path / "shafts.yaml"
    file.write_text(
        "shafts:\n  - {on: main, diameter: 700 mm, concentration: 2, strength: {points: [[1, 400 MPa], [1e6, 100 MPa]]}}\n"
    )
    return file


def test_transients_count_by_the_year(folder, result, ratings):
    base = life_of(folder, ratings)
    data = life_of(folder, ratings, transients={str(result): 1000})
    rows = [next(r for r in d.components if r.name == "tapered") for d in (base, data)]
    alone = life_of(result, ratings)
    per_pass = next(r for r in alone.components if r.name == "tapered").damage / (20 * 8766 * 3600 / 5)
    assert rows[1].damage - rows[0].damage == pytest.approx(20_000 * per_pass, rel=1e-6)
    taken = life_of(folder, ratings, transients={"speeds-duration9": 10})
    assert taken.runs == 2
    # C58: it is finished and counted; its wind is told to have no record of operation any more
    assert not any("not finished" in text for text in taken.warnings)
    assert any("taken as transients" in text for text in taken.warnings)


def test_ratings_do_not_make_another_campaign(folder):
    """The section is used after the runs: a folder goes on when only it changed."""
    plan = Folder(folder).plan()
    other = campaign_plan(load(plan.drivetrain.file, ["life={years: 25}"]))
    assert other.fingerprint == plan.fingerprint and other.raw != plan.raw


def test_command_prints_json_and_writes_a_page(folder, ratings, tmp_path):
    page = tmp_path / "life.html"
    done = CliRunner().invoke(app, ["life", str(folder), "--ratings", str(ratings), "-o", str(page), "--json"])
    assert done.exit_code == 0, done.output
    data = json.loads(done.output)
    assert data["components"][0]["name"] == "cylindrical" and data["elements"][0]["governing_mode"]
    text = page.read_text()
    assert "What fails first" in text and "cylindrical" in text
    plain = CliRunner().invoke(app, ["life", str(folder), "--ratings", str(ratings)])
    assert plain.exit_code == 0 and "rolling contact fatigue" in plain.output and "not rated" in plain.output


@pytest.mark.parametrize(("content", "message"), [
    ("{wind_speed: duration, bearings: [{on: stage9.*, dynamic_rating: 1 kN}]}", "no element of the record matches"),
    ("bearings: [{on: stage1.*, dynamic_rating: 0 kN}]", "must be positive"),
    ("bearings: [{on: stage1.*}]", "dynamic_rating"),
    ("bearing: []", "Did you mean 'bearings'"),
    ("wind: {class: II, mean: 8 m/s}", "given in one way"),
    ("availability: 2", "at most 1"),
    ("wind_speed: wind.speed", "has no mean wind speed at"),
    ("{wind_speed: duration, transients: {nothing*: 3}}", "nothing matches"),
    ("{wind_speed: duration, wind: {edges: [0 m/s, 5 m/s], counts: [0]}}", "one of them positive"),
    ("shafts: [{on: main, diameter: 1 m, strength: {points: [[1e6, 1 MPa], [1e3, 2 MPa]]}}]", "cycles rise"),
])  # fmt: skip
def test_refusals_name_place_and_cure(folder, tmp_path, content, message):
    file = tmp_path / "life.yaml"
    file.write_text(content + "\n")
    with pytest.raises((LifeInputError, DrivetrainError, ValueError), match=message):
        life_of(folder, file)


def test_what_is_no_result_is_refused(tmp_path, folder):
    (tmp_path / "x.nc").write_text("nothing")
    with pytest.raises(ValueError, match="neither a result"):
        life_of(tmp_path / "y.nc")
    with pytest.raises(Exception, match="not a readable result"):
        life_of(tmp_path / "x.nc")


def test_mixed_sampling_is_refused(result, folder, ratings, tmp_path):
    other = tmp_path / "other.nc"
    simulate(
        load(GEARBOX, ["cases.rated.counting_interval=0.004"]), "rated", fidelity="planar", duration=5.0, output=other
    )
    with pytest.raises(RecordError, match="mixed sampling"):
        life_of(folder, ratings, transients={str(other): 10})


def test_uncertainty_needs_three_seeds_of_every_speed(folder, ratings):
    assert all(r.damage_low is None for r in life_of(folder, ratings).components)
    assert np.isfinite(life_of(folder, ratings).components[0].damage)


def test_teeth_of_a_planetary_gearbox(tmp_path):
    """Rated torque without swing: cycles of every flank follow from the ratios, safety from the stress by hand."""
    place, file = tmp_path / "nejad.nc", tmp_path / "gears.yaml"
    simulate(load("nrel-5mw-nejad-source"), "rated", duration=2.0, output=place)
    file.write_text(
        "gears: [{on: 'stage[12].*', pitting_limit: 1500 MPa, bending_limit: 500 MPa, K_Hbeta: 1.2, K_Halpha: 1, K_gamma: 1, K_v: 1, safety_pitting: 1, safety_bending: 1}]"
    )
    data = life_of(place, file)
    rows = {(r.element, r.name, r.mode): r for r in data.components if isinstance(r, ToothPart)}
    turns = 12.1 / 60 * 20 * 8766 * 3600  # of the carrier
    # sun against carrier 1 + 56/19 - 1 per turn, three planets; planet against carrier 56/17; ring once a planet
    for key, per_turn in (
        (("stage1.sun", "", "pitting"), 3 * 56 / 19), (("stage1.planet1", "sun flank", "pitting"), 56 / 17),
        (("stage1.planet1", "ring flank", "root bending"), 56 / 17), (("stage1.ring", "", "pitting"), 3.0),
    ):  # fmt: skip
        assert rows[key].cycles == pytest.approx(per_turn * turns, rel=1e-3)
        assert rows[key].margin == rows[key].safety > 1
    assert [m["element"] for m in data.missing if "strength of the teeth" in m["what"]] == ["stage3.mesh"]
    # a constant stress: the safety is the life curve at the cycles of the life over the stress (0.5 % of level bins)
    from gearwright.rating.iso6336_rating import life_factor

    row = rows["stage1.sun", "", "pitting"]
    reference = row.endurance / 0.85
    want = reference * life_factor(row.cycles, "case_hardened") / row.largest_stress
    assert row.safety == pytest.approx(want, rel=0.005)


def test_life_by_a_value_of_the_campaign(tmp_path, ratings, folder):
    """Half of the runs have another slope of the generator, which does nothing at constant load: equal lives, each whole."""
    file = tmp_path / "slopes.yaml"
    slopes = "loads.1.slope: [-250 N m s/rad, -500 N m s/rad]"
    file.write_text(CAMPAIGN.replace("grid: {duration: [5, 7, 9]}", "grid: {duration: [5, 7, 9], " + slopes + "}"))
    run_campaign(campaign_plan(file), tmp_path / "runs")
    groups = life(tmp_path / "runs", ratings, by="loads.1.slope").groups
    assert [value for value, _ in groups] == ["-250 N m s/rad", "-500 N m s/rad"]
    whole = life_of(folder, ratings).components[0].damage
    for _, data in groups:
        assert data.runs == data.planned == 3
        assert data.components[0].damage == pytest.approx(whole, rel=1e-4)
    page = tmp_path / "by.html"
    done = CliRunner().invoke(
        app, ["life", str(tmp_path / "runs"), "--by", "loads.1.slope", "--ratings", str(ratings), "-o", str(page)]
    )
    assert done.exit_code == 0 and "-250 N m" in done.output and "over loads.1.slope" in page.read_text()
    with pytest.raises(LifeInputError, match="does not vary 'wind.class'"):
        life(tmp_path / "runs", ratings, by="wind.class")


def test_a_bearing_drawn_by_its_rollers_is_rated_from_them():
    from gearwright.bearings.ratings import dynamic_rating, geometry_of
    from gearwright.rating.ratings import _of_rolling
    from gearwright.schema.bearing import Rolling

    facts = {
        "type": "cylindrical",
        "element_diameter": 20e-3,
        "pitch_diameter": 150e-3,
        "elements": 20,
        "element_length": 20e-3,
    }
    drawn, given = (_of_rolling("a", Rolling(**facts, **more))[0] for more in ({}, {"dynamic_rating": 3e5}))
    assert (
        drawn.dynamic_rating == pytest.approx(dynamic_rating(geometry_of(Rolling(**facts))[0]))
        and drawn.contact == "roller"
    )
    assert given.dynamic_rating == 3e5


def test_the_sheet_of_a_campaign_names_its_runs(folder, ratings):
    """Hours of the load duration are those of operation; every extreme names a run of the campaign."""
    found = rating_sheet(folder, ratings)
    runs = {path.stem for path in (folder / "results").glob("*.nc")}
    extremes = next(t for t in found.loads if t.title.startswith("Extreme"))
    assert extremes.rows and {row[extremes.heads.index("Case")] for row in extremes.rows} <= runs
    duration = next(t for t in found.loads if t.title.startswith("Load duration"))
    assert sum(row[duration.heads.index("Hours")] for row in duration.rows) == pytest.approx(
        found.rating.hours, rel=1e-6
    )
    lives = {f.part: f.value for f in found.findings if f.mode == "rating life"}
    assert lives and all(any(v == pytest.approx(r.life_hours) for r in found.rating.components) for v in lives.values())
    assert f"{len(runs)} of {len(runs)} runs" in found.title_block["Loads"]
