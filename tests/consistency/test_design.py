"""Designs: measures and their slopes against formulas and differences, optima that are known, the same whatever works on them."""

import json
import math
import shutil
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import gearwright as gw
from gearwright.analyses.design_file import design_examples, design_file
from gearwright.analyses.lanes import side_by_side
from gearwright.analyses.measures import measure
from gearwright.analyses.wishes import free_of, wish_of
from gearwright.campaigns.dask_workers import connect
from gearwright.cli import app
from gearwright.schema.numbers import number_at

distributed = pytest.importorskip("distributed")

DATA = Path(__file__).parents[1] / "data"
RHO = 7850.0
#: two inertias on two bars in a row: lightest for a frequency with equal stress per stiffness, by hand
BARS = {
    "name": "bars",
    "bodies": [
        {"name": "one", "inertia": "5 kg m^2"},
        {"name": "middle", "inertia": "1e-3 kg m^2"},
        {"name": "two", "inertia": "2 kg m^2"},
    ],
    "materials": {"steel": {"young": "206 GPa", "poisson": 0.3, "density": "7850 kg/m^3"}},
    "shafts": [
        {"name": "a", "between": ["one", "middle"], "material": "steel", "diameter": "50 mm", "length": "400 mm"},
        {"name": "b", "between": ["middle", "two"], "material": "steel", "diameter": "50 mm", "length": "400 mm"},
    ],
    "model": {"fidelity": "torsional", "law": "linear"},
    "operating": {"input": "one", "output": "two", "speed": "600 rpm", "torque": "1 kN m"},
}
FREE = ["shafts.a.diameter = 30 mm .. 80 mm", "shafts.b.diameter = 0.6 x .. 1.6 x"]


def volume_of(values):
    return math.pi / 4.0 * sum((1e-3 * float(str(values[f"shafts.{s}.diameter"]).split()[0])) ** 2 for s in "ab") * 0.4


def test_the_lightest_bars_for_a_frequency_are_equal(tmp_path):
    """Mass ~ d_a^2 + d_b^2 with 1/d_a^4 + 1/d_b^4 given by the frequency: least for d_a = d_b, whatever the start."""
    found = gw.design({**BARS, "shafts": [{**BARS["shafts"][0], "diameter": "70 mm"}, BARS["shafts"][1]]}, FREE,
                      ["mass least", "frequency.1 >= 20 Hz"], tmp_path / "d")  # fmt: skip
    (best,) = found.curve
    j = 5.0 * 2.0 / 7.0
    k = 2.0 * (206e9 / 2.6) * math.pi / 32.0 / 0.4  # of each bar over d^4, twice, as two in a row have half
    diameter = ((2.0 * math.pi * 20.0) ** 2 * j / (k / 4.0)) ** 0.25
    for shaft in "ab":
        assert float(str(best.values[f"shafts.{shaft}.diameter"]).split()[0]) == pytest.approx(1e3 * diameter, rel=2e-3)
    assert best.measures["frequency.1"] == pytest.approx(20.0, rel=1e-3)
    assert best.measures["mass"] == pytest.approx(RHO * volume_of(best.values), rel=1e-9)


def test_a_trade_off_lies_on_the_curve_of_the_equal_bars(tmp_path):
    """Least mass for each frequency: f ~ d^2 ~ mass, so that every point of the trade-off has the same ratio of both."""
    found = gw.design(BARS, FREE, ["mass least", "frequency.1 most"], tmp_path / "d", evaluations=60, points=5)
    ratios = [c.measures["mass"] / c.measures["frequency.1"] for c in found.curve]
    inner = [c for c in found.curve if 1.05 * ratios[0] > c.measures["mass"] / c.measures["frequency.1"]]
    assert len(inner) >= 5
    assert min(ratios) == pytest.approx(np.median(ratios), rel=0.01)
    assert found.evaluations <= 60


def test_the_same_whatever_works_on_it_and_after_an_interruption(tmp_path):
    """Two processes, one, workers of a Dask cluster, and one that goes on from half the lines: the same designs with the same numbers."""
    wishes = ["mass least", "frequency.1 >= 20 Hz"]
    one = gw.design(BARS, FREE, wishes, tmp_path / "one", evaluations=8)
    two = gw.design(BARS, FREE, wishes, tmp_path / "two", evaluations=8, jobs=2)
    assert one.candidates == two.candidates and one.computed == two.computed == len(one.candidates)
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
        ) as cluster,
        connect(cluster.scheduler_address) as workers,
    ):
        far = gw.design(BARS, FREE, wishes, tmp_path / "far", evaluations=8, workers=workers)
    assert far.candidates == one.candidates and far.computed == len(one.candidates)
    shutil.copytree(tmp_path / "one", tmp_path / "half")
    lines = sorted((tmp_path / "half" / "lines").glob("*.json"))
    for file in lines[::2]:
        file.unlink()
    again = gw.design(BARS, FREE, wishes, tmp_path / "half", evaluations=8)
    assert again.candidates == one.candidates and again.computed == len(lines[::2])
    with pytest.raises(gw.FileError, match="another campaign"):
        gw.design(BARS, FREE[:1], wishes, tmp_path / "one", evaluations=8)


def test_efficiency_is_that_of_the_meshes_and_says_nothing_without_losses():
    """A pair at fidelity rigid loses what its mesh loses, whatever its ratio; a train without losses has no efficiency to wish for."""
    mesh = {"name": "m", "type": "mesh", "between": ["one", "two"], "teeth": [20, 41], "loss": {"efficiency": 0.97}}
    pair = {
        "name": "pair",
        "bodies": [{"name": n, "inertia": "1 kg m^2"} for n in ("one", "two")],
        "elements": [mesh],
        "model": {"fidelity": "rigid"},
        "operating": {"input": "one", "output": "two", "speed": "600 rpm", "torque": "1 kN m"},
    }
    assert measure(gw.load(pair), [], ["efficiency"]).values["efficiency"] == pytest.approx(0.97, rel=1e-12)
    with pytest.raises(gw.DrivetrainError, match="no mesh of the file loses anything"):
        measure(gw.load("nrel-5mw-gallego"), [], ["efficiency"])


#: two discs on a mesh of 20 and 40 teeth: one mode, by hand
DISCS = {
    "name": "discs",
    "bodies": [{"name": "one", "inertia": "0.02 kg m^2"}, {"name": "two", "inertia": "0.5 kg m^2"}],
    "elements": [{"name": "m", "type": "mesh", "between": ["one", "two"], "teeth": [20, 40], "base_radius": ["100 mm", "200 mm"],
                  "stiffness": "2e7 N/m"}],
    "model": {"fidelity": "torsional", "law": "linear"},
    "operating": {"input": "one", "output": "two", "speed": "600 rpm", "torque": "1 kN m"},
}  # fmt: skip


def test_a_margin_is_the_distance_of_the_mode_of_two_discs_from_what_shakes_it(tmp_path):
    """f = sqrt(k (r1^2/J1 + r2^2/J2))/2pi = 542 Hz lies between the second and third of the mesh frequency, 20 teeth ten times a second. The third
    is nearer: m = 1 - f/600, whose slopes by the logarithms of k and J1 are -(1 - m)/2 and half of it times the share of J1. As high
    a mode as a margin of 0.12 allows is at 528 Hz, with a stiffness by hand."""
    parts = 0.1**2 / 0.02, 0.2**2 / 0.5
    f = math.sqrt(2e7 * sum(parts)) / (2.0 * math.pi)
    drivetrain = gw.load(DISCS)
    free = [[number_at(drivetrain.raw, p)] for p in ("elements.m.stiffness", "bodies.one.inertia")]
    found = measure(drivetrain, free, ["frequency.1", "margin"])
    assert found.values["frequency.1"] == pytest.approx(f, rel=1e-9)
    assert found.values["margin"] == pytest.approx(1.0 - f / 600.0, rel=1e-9)
    by_hand = [-0.5 * f / 600.0, 0.5 * f / 600.0 * parts[0] / sum(parts)]
    assert found.slopes["margin"] == pytest.approx(by_hand, rel=1e-6)
    (best,) = gw.design(
        DISCS,
        ["elements.m.stiffness = 0.7 x .. 1.3 x"],
        ["frequency.1 most", "margin >= 0.12"],
        tmp_path / "d",
        evaluations=12,
    ).curve
    assert best.measures["frequency.1"] == pytest.approx(528.0, rel=1e-3)
    stiffness = float(str(best.values["elements.m.stiffness"]).split()[0])
    assert stiffness == pytest.approx((2.0 * math.pi * 528.0) ** 2 / sum(parts), rel=2e-3)


@pytest.fixture(scope="module")
def made():
    """A made gearbox of a planetary and a parallel stage."""
    return gw.new(power="500 kW", rotor_speed="30 rpm", generator_speed="1000 rpm", layout="3+par")


def test_slopes_of_lives_safeties_and_masses_against_differences(made):
    """Two numbers together: central differences of the measures themselves, at a larger step."""
    drivetrain = made.drivetrain
    paths = [f"stages.stage1.{wheel}.face_width" for wheel in ("sun", "planet", "ring")]
    names = ["mass", "life.stage1.planet1_bearing", "safety.stage1.sun.pitting", "safety.bending", "frequency.1",
             "damping.2", "load.stage1.sun_planet1.force", "rim.stage1.planet1"]  # fmt: skip
    step = 4e-3
    found = measure(drivetrain, [[number_at(drivetrain.raw, p) for p in paths]], names)
    low, high = (
        measure(gw.load(drivetrain, {p: number_at(drivetrain.raw, p).times(f) for p in paths}), [], names)
        for f in (1.0 - step, 1.0 + step)
    )
    for name in names:
        difference = (high.values[name] - low.values[name]) / (2.0 * step)
        scale = abs(found.values[name])
        assert found.slopes[name][0] == pytest.approx(difference, abs=2e-3 * scale, rel=2e-3), name
    # contact stress falls with the root of the width, and a little more where the overlap grows with it
    name = "safety.stage1.sun.pitting"
    assert 0.5 <= found.slopes[name][0] / found.values[name] < 0.65


def test_life_of_the_rated_load_is_the_basic_life(made):
    """L10 = (C/P)^(10/3) 1e6 turns, of the planet's speed against the carrier and its share of the pin force."""
    life = measure(made.drivetrain, [], ["life.stage1.planet1_bearing"]).values["life.stage1.planet1_bearing"]
    bearing, stage = made.box.planet_bearings[0], made.box.stages[0]
    force = made.torque / (3.0 * stage.distance) / bearing.count
    sun, planet, _ = (z for _, z in stage.wheels)
    turns = 30.0 * 60.0 * (stage.ratio - 1.0) * sun / planet
    by_hand = (bearing.dynamic / force) ** (10.0 / 3.0) * 1e6 / turns
    assert life == pytest.approx(by_hand, rel=0.05)  # weight of the planet on one of three pins, unequal shares


def test_a_wish_of_a_run_is_searched_without_derivatives(tmp_path):
    """The swing of the torque after a step falls with damping: the search ends at the most damping that is allowed."""
    file = tmp_path / "step.yaml"
    file.write_text(
        """
name: step
bodies: [{name: rotor, inertia: 4e7 kg m^2}, {name: generator, inertia: 5e6 kg m^2}]
shafts: [{name: main, between: [rotor, generator], torsional_stiffness: 8.7e8 N m/rad, damping: 3e6 N m s/rad}]
machines: [{name: machine, type: constant, drives: generator, parameters: {torque: 0 N m}}]
model: {fidelity: torsional, law: linear}
operating: {input: rotor, output: generator, speed: 12 rpm, torque: 0 N m}
cases:
  - {name: base, duration: 2 s, counting_interval: 0.01 s, output_interval: 0.01 s,
     loads: [{on: rotor, torque: {step: {from: 0 N m, to: 1 MN m, at: 0.5 s}}}]}
"""
    )
    found = gw.design(
        file, ["shafts.main.damping = 0.5 x .. 2 x"], ["run.main.torque.max least"], tmp_path / "d", evaluations=9
    )
    (best,) = found.curve
    assert best.measures["run.main.torque.max"] < found.start["run.main.torque.max"]
    assert float(str(best.values["shafts.main.damping"]).split()[0]) > 4.5e6


def test_searches_side_by_side_get_whole_batches():
    """Three searches of different lengths: every batch has a question of each that still runs."""
    batches = []

    def evaluate(batch):
        batches.append(list(batch))
        return [q * q for q in batch]

    seen = {}

    def search(name, length):
        def run(ask):
            seen[name] = [ask(i) for i in range(length)]

        return run

    side_by_side([search("a", 3), search("b", 1), search("c", 9)], [9, 9, 5], evaluate)
    assert batches == [[0, 0, 0], [1, 1], [2, 2], [3], [4]]
    assert seen == {"a": [0, 1, 4], "b": [0]}  # the third was stopped at its five
    with pytest.raises(ZeroDivisionError):
        side_by_side([lambda ask: ask(1)], [3], lambda batch: [1 // 0 for _ in batch])


@pytest.mark.parametrize(
    ("free", "wish", "said"),
    [
        ("shafts.a.diametre = 30 mm .. 80 mm", "mass least", "shafts.a.diameter"),
        ("shafts.a.diameter = 80 mm .. 30 mm", "mass least", "low end must lie below"),
        ("shafts.a.diameter = 30 kg .. 80 kg", "mass least", "measure different things"),
        ("shafts.a.diameter", "mass least", "write PATH=LOW..HIGH"),
        ("shafts.a.diameter, shafts.b.diameter = 30 mm .. 80 mm", "mass least", "take factors"),
        ("shafts.a.diameter = 0.9 x .. 1.1 x", "mas least", "did you mean 'mass'"),
        ("shafts.a.diameter = 0.9 x .. 1.1 x", "frequency.1 >= 3 kg", "wrong dimension"),
        ("shafts.a.diameter = 0.9 x .. 1.1 x", "frequency.9 most", "number of an elastic mode, 1 to 2"),
        ("shafts.a.diameter = 0.9 x .. 1.1 x", "life.bearing most", "there is no such life"),
        ("shafts.a.diameter = 0.9 x .. 1.1 x", "run.a.torque.max least", "needs a case to run"),
    ],
)  # fmt: skip
def test_what_cannot_be_moved_or_wished_says_why(free, wish, said, tmp_path):
    with pytest.raises(gw.DrivetrainError, match=said):
        gw.design(BARS, [free], [wish], tmp_path / "d", evaluations=2)


def test_wishes_and_free_numbers_in_words():
    assert wish_of("life.stage1.planet1_bearing >= 20 h").bound == 20.0
    assert wish_of("life.x >= 7200 s").bound == 2.0
    free = free_of("shafts.a.diameter=30 mm..0.08 m", BARS)
    assert (free.low, free.high) == pytest.approx((0.6, 1.6))
    assert free.factor(free.start) == pytest.approx(1.0)


def test_the_command_says_what_blocks_and_the_shipped_design_reads(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bars.yaml").write_text(json.dumps(BARS))
    (tmp_path / "lighter.yaml").write_text(json.dumps({"name": "lighter", "drivetrain": "bars.yaml", "free": FREE,
                                                       "wishes": ["mass <= 6 kg", "frequency.1 >= 40 Hz"], "evaluations": 6}))  # fmt: skip
    result = CliRunner().invoke(app, ["design", "lighter.yaml"])
    assert result.exit_code == 3, result.output
    assert "no design keeps all bounds" in result.output and "blocks" in result.output
    assert (
        (tmp_path / "lighter" / "table.csv")
        .read_text()
        .startswith("id,shafts.a.diameter,shafts.b.diameter,mass,frequency.1")
    )
    for name in design_examples():
        made, drivetrain = design_file(name)
        assert all(free_of(f, drivetrain.raw) for f in made.free) and all(wish_of(w) for w in made.wishes)


def test_a_wish_of_a_campaign_is_met_where_the_formula_says(tmp_path):
    """The life of a planet's bearing over the runs of a campaign goes with the rating to the power of 10/3, whatever the winds weigh: twice the life of the
    file wants a rating larger by 2^0.3. The runs go to processes or the workers of a cluster, and what is there is not run again."""
    shutil.copy(DATA / "steady-life.yaml", tmp_path)
    (tmp_path / "many.yaml").write_text(
        "include: [steady-life.yaml]\nname: many\ncampaigns: [{name: speeds, case: c, grid: {duration: [2, 3]}}]\n"
        "life: {wind: {class: II}, wind_speed: duration}\n"
    )
    free, part = ["life.bearings.0.dynamic_rating = 0.5 x .. 2 x"], "p.planet1_bearing"
    own = gw.design(tmp_path / "many.yaml", free, [f"campaign.life.{part} most"], tmp_path / "own", evaluations=1)
    life = own.start[f"campaign.life.{part}"]
    wishes = [f"life.{part} least", f"campaign.life.{part} >= {2.0 * life} h"]
    one = gw.design(tmp_path / "many.yaml", free, wishes, tmp_path / "one", evaluations=10)
    (best,) = one.curve
    assert float(str(best.values["life.bearings.0.dynamic_rating"]).split()[0]) == pytest.approx(
        300.0 * 2.0**0.3, rel=0.01
    )
    two = gw.design(tmp_path / "many.yaml", free, wishes, tmp_path / "two", evaluations=3, jobs=2)
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
        ) as cluster,
        connect(cluster.scheduler_address) as workers,
    ):
        far = gw.design(tmp_path / "many.yaml", free, wishes, tmp_path / "far", evaluations=3, workers=workers)
    assert two.candidates == far.candidates == one.candidates[: len(far.candidates)]
    line = sorted((tmp_path / "two" / "lines").glob("*.json"))[0]
    before = {p: p.stat().st_mtime_ns for p in (tmp_path / "two" / "campaigns").glob("*/results/*.nc")}
    line.unlink()
    again = gw.design(tmp_path / "many.yaml", free, wishes, tmp_path / "two", evaluations=3)
    assert again.candidates == two.candidates and again.computed == 1
    assert before == {p: p.stat().st_mtime_ns for p in before} and len(before) == 2 * len(two.candidates)
