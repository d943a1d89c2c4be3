"""Gearboxes from ratings: whatever the layout, the file reads, the teeth hold, the ratio is met; one of them runs."""

import itertools
import json
import math
import random

import pytest

import gearwright as gw
from gearwright.campaigns import Options, campaign_plan, read_table, run_campaign
from gearwright.errors import DrivetrainError
from gearwright.figures.markup import unpacked
from gearwright.sizing.gearbox import gearbox
from gearwright.sizing.new import new
from gearwright.sizing.ratings import Ratings, layout_of
from gearwright.sizing.turbine import scaled
from gearwright.sizing.write import allowance, main_damping, relief
from gearwright.train.teeth import tooth_pair
from gearwright.turbine.bem import performance
from gearwright.turbine.model import load as load_turbine
from gearwright.turbine.tower import fore_aft

RPM = math.pi / 30.0
WISHES = [
    ("100 kW", "60 rpm", "1500 rpm", "par+par"),
    ("2 MW", "18 rpm", "1500 rpm", "3+par+par"),
    ("6 MW", "12 rpm", "400 rpm", "3+3"),
    ("15 MW", "7.56 rpm", "480 rpm", "3+3+par"),
    ("10 MW", "9.6 rpm", "480 rpm", "5+3+par"),
    ("10 MW", "9.6 rpm", "480 rpm", "4+3+par"),
]


@pytest.fixture(scope="module", params=WISHES, ids=lambda w: w[3])
def designed(request):
    power, slow, fast, layout = request.param
    return new(power=power, rotor_speed=slow, generator_speed=fast, layout=layout)


def test_teeth_hold_and_the_ratio_is_met(designed):
    box = designed.box
    assert abs(box.ratio / designed.wanted_ratio - 1.0) < 2e-3
    for stage in box.stages:
        assert stage.pitting >= 1.25 and stage.bending >= 1.56
        assert not [c for pair in stage.pairs for c in pair.checks()]
    assert all(b is None or b.life >= 67_000.0 for b in box.planet_bearings)
    for seat in box.seats:  # weights load main shaft and carriers at every power, torque loads the wheels
        assert seat.bearing.life >= (175_200.0 if seat.body == "main" or seat.body.endswith("carrier") else 67_000.0)


def test_the_file_reads_and_its_teeth_have_the_backlash_of_the_rule(designed):
    train = gw.expand(designed.drivetrain)
    for mesh in train.meshes.values():
        pair = tooth_pair(mesh)
        assert not pair.checks()
        stage = next(
            s for s, size in zip(designed.box.stages, designed.stages, strict=True) if size.stage == mesh.stage
        )
        assert pair.backlash >= 0.97 * 2.0 / 3.0 * (60e-6 + 0.0005 * stage.distance + 0.03 * stage.rack.module)


def test_loads_by_the_ratings_alone():
    """Force of a mesh times its base radius and number of planets is the torque of the sun; relief and backlash by rule."""
    box = gearbox(Ratings("x", 2e6, 18 * RPM, 1500 * RPM, layout_of("3+par+par")))
    stage = box.stages[0]
    assert 3.0 * stage.force * stage.pairs[0].one.reference_radius * stage.ratio == pytest.approx(2e6 / (18 * RPM))
    assert 20e-6 < relief(stage) < 200e-6
    j = 2.0 / 3.0 * (0.06 + 0.0005 * 1e3 * stage.distance + 0.03 * 1e3 * stage.rack.module)
    assert -2e3 * allowance(stage) * math.cos(math.radians(20.0)) == pytest.approx(j, abs=2e-3)


def test_the_main_shaft_damps_as_that_of_the_nrel_turbine():
    """5 % of critical of 38.76e6 and 534.116 97^2 kg m^2 on 8.676e8 N m/rad is the printed 6.215e6 N m s/rad."""
    k, one, two = 8.676e8, 38.76e6, 534.116 * 97.0**2
    assert 0.1 * math.sqrt(k * one * two / (one + two)) == pytest.approx(6.215e6, rel=1e-3)
    box = gearbox(
        Ratings(
            "x", 5e6, 12.1 * RPM, 1173.7 * RPM, layout_of("3+3+par"), inertia_constant=38.76e6 * (12.1 * RPM) ** 2 / 1e7
        )
    )
    main = box.shafts[0]
    stiffness = 206e9 / 2.6 * math.pi * main.diameter**4 / (32.0 * main.length)
    assert stiffness == pytest.approx(8.676e8, rel=0.2)  # the rule against the turbine's shaft
    assert main_damping(box) == pytest.approx(6.215e6 * 0.01 / 0.05, rel=0.15)  # of which the rule takes a fifth


def test_a_small_gearbox_has_shifts_that_its_ring_can_be_cut_with():
    """23 kW in one stage of modules of some 2.5 mm: a centre distance in whole millimetres would move the ring's shift by 0.4."""
    stage = new(power="23.2 kW", rotor_speed="30.9 rpm", generator_speed="188.6 rpm", layout="3").box.stages[0]
    assert stage.rack.module < 4e-3 and abs(stage.shifts[-1]) <= 0.75
    assert 1e4 * stage.distance == pytest.approx(round(1e4 * stage.distance), abs=1e-6)


def test_given_ratios_and_reserve_are_kept():
    wishes = {"power": 5e6, "rotor_speed": 12.1 * RPM, "generator_speed": 12.1 * 96.354 * RPM, "layout": "3+3+par"}
    plain, strong = (
        new(**wishes, ratios=[3.947, 6.167, 3.958]),
        new(**wishes, ratios=[3.947, 6.167, 3.958], reserve=1.13),
    )
    for s, given in zip(plain.stages, (3.947, 6.167, 3.958), strict=True):
        assert s.ratio == pytest.approx(given, rel=0.03)
    assert strong.mass > 1.05 * plain.mass and all(s.pitting >= 1.13 * 1.25 for s in strong.stages)


@pytest.mark.parametrize(
    ("wishes", "said"),
    [
        ({"power": "2 MW", "rotor_speed": "18 rpm", "generator_speed": "19 rpm"}, "needs no gearbox"),
        (
            {"power": "2 MW", "rotor_speed": "18 rpm", "generator_speed": "1500 rpm", "layout": "3+par"},
            "makes ratios from",
        ),
        (
            {"power": "2 MW", "rotor_speed": "18 rpm", "generator_speed": "1500 rpm", "layout": "3+parr"},
            "'parr' is no stage",
        ),
        ({"power": "2 MW", "rotor_speed": "18 rpm"}, "generator_speed"),
        ({"power": "-2 MW", "rotor_speed": "18 rpm", "generator_speed": "1500 rpm"}, "power"),
        (
            {"power": "2 MW", "rotor_speed": "18 rpm", "generator_speed": "1500 rpm", "hours": "1e12 h"},
            "hours|holds|hold",
        ),
    ],
)
def test_wishes_that_cannot_be_met_end_with_the_one_that_blocks(wishes, said):
    with pytest.raises(DrivetrainError, match=said):
        new(**wishes)


def test_a_file_of_ratings_and_the_command(tmp_path, monkeypatch):
    from typer.testing import CliRunner

    from gearwright.cli import app

    monkeypatch.chdir(tmp_path)
    (tmp_path / "ratings.yaml").write_text(
        "name: mine\nratings:\n  power: 500 kW\n  rotor_speed: 30 rpm\n  generator_speed: 1000 rpm\n  layout: 3+par\n"
    )
    result = CliRunner().invoke(app, ["new", "ratings.yaml", "-o", "mine.yaml", "--page", "mine.html", "--json"])
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert data["layout"] == "3+par" and len(data["stages"]) == 2
    assert gw.load("mine.yaml").name == "mine"
    assert "mesh frequency" in unpacked((tmp_path / "mine.html").read_text(), "data")
    shown = CliRunner().invoke(app, ["new", "ratings.yaml"]).output
    for said in (shown, data["notes"], (tmp_path / "mine.yaml").read_text(), (tmp_path / "mine.html").read_text()):
        assert "lower bound" in str(said)  # whoever reads only one of them is told
    wrong = CliRunner().invoke(app, ["new", "--power", "2 MW"])
    assert wrong.exit_code == 2


def test_a_file_passes_describe_modes_run_and_life_without_a_warning(tmp_path):
    """As the other powers of docs/new.md do; a run of a second warns that it is short, and of nothing else.

    At rated torque a mesh carries its share of the torque, by hand, and its safety against pitting is that of the sizing."""
    found = new(power="100 kW", rotor_speed="60 rpm", generator_speed="1500 rpm", layout="3+par")
    file = found.write(tmp_path / "mine.yaml")
    assert gw.describe(file).warnings == []
    assert gw.modes(file).warnings == []
    run = gw.simulate(
        gw.load(file, ["cases.rated.discard=0.2 s"]), duration="1 s", law="linear", output=tmp_path / "mine.nc"
    )
    assert run.warnings == []
    assert not [
        said for said in run.result.notes if "half a turn" in said
    ]  # rollers around a carrier are the same in y and z
    stage = found.box.stages[0]
    by_hand = found.torque / stage.ratio / 3.0 / stage.pairs[0].one.base_radius
    forces = [run.result.series(f"stage1.sun_planet{k}.force").to_numpy().mean() for k in (1, 2, 3)]
    assert sum(forces) / 3.0 == pytest.approx(by_hand, rel=1e-3)
    speeds = [run.result.series(f"{body}.speed").to_numpy().mean() for body in ("generator", "rotor")]
    assert abs(speeds[0] / speeds[1]) == pytest.approx(found.ratio, rel=1e-6)
    rating = gw.life(tmp_path / "mine.nc")
    assert not rating.missing and {"stage1.carrier_C1A", "stage1.carrier_C1B"} <= {p.element for p in rating.components}
    assert [w for w in rating.warnings if not w.startswith("records of")] == []
    least = min(s.pitting for s in found.box.stages)
    pitting = [p.safety for p in rating.components if p.mode == "pitting"]
    assert min(pitting) == pytest.approx(least, rel=0.03)  # the run's own swing of the load


def test_main_and_carrier_bearings_carry_less_than_they_were_chosen_for(tmp_path):
    """The equilibrium at rated torque of the spatial model, in which weights lie where they are, against the loads of the rules."""
    found = new(power="2 MW", rotor_speed="18 rpm", generator_speed="1500 rpm", layout="3+par+par")
    loads = gw.static_loads(found.drivetrain, {"rotor": found.torque}, fidelity="spatial", law="linear")
    names = {"main": ("main_MB_A", "main_MB_B"), "stage1.carrier": ("stage1.carrier_C1A", "stage1.carrier_C1B")}
    carried = 0.0
    for body, both in names.items():
        for name, seat in zip(both, (s for s in found.box.seats if s.body == body), strict=True):
            assert math.hypot(loads[f"{name}.force_y"], loads[f"{name}.force_z"]) < seat.bearing.load
            carried += loads[f"{name}.force_z"]
    main, carrier = found.box.shafts[0], found.box.carriers[0]
    planets = (
        3
        * math.pi
        / 4.0
        * 7830.0
        * found.box.stages[0].rack.width
        * (2.0 * found.box.stages[0].pairs[0].two.reference_radius) ** 2
    )
    weight = 9.81 * math.cos(math.radians(5.0)) * (44_000.0 + main.mass + carrier.mass + planets)
    assert -carried == pytest.approx(weight, rel=0.05)  # sun and the shaft behind it hang on both sides


@pytest.fixture(scope="module")
def around(tmp_path_factory):
    """A turbine around a made gearbox: what was made and the set-up's file."""
    folder = tmp_path_factory.mktemp("turbine")
    found = new(power="500 kW", rotor_speed="30 rpm", generator_speed="1000 rpm", layout="3+par")
    found.write(folder / "mine.yaml")
    data, target = found.write_turbine(folder / "mine.yaml")
    return found, load_turbine(data), target


def test_a_scaled_turbine_keeps_what_shapes_its_loads(around):
    """The rotor gives the rated power at 11.4 m/s and 30 rpm; frequencies over the rotor's speed are those of the reference."""
    found, turbine, target = around
    reference = load_turbine("nrel-5mw")
    ratio = 30.0 * RPM * turbine.tip_radius / 11.4
    cp = float(performance(reference, [ratio], [0.0])[0][0, 0])
    assert 0.5 * 1.225 * math.pi * turbine.tip_radius**2 * cp * 11.4**3 == pytest.approx(5e5, rel=1e-3)
    assert float(performance(turbine, [ratio], [0.0])[0][0, 0]) == pytest.approx(cp, rel=1e-6)  # similar blades
    assert fore_aft(turbine).frequency_hz / 30.0 == pytest.approx(fore_aft(reference).frequency_hz / 12.1, rel=1e-4)
    own, old = turbine.edge, reference.edge
    assert math.sqrt(own.stiffness / own.mass) / 30.0 == pytest.approx(
        math.sqrt(old.stiffness / old.mass) / 12.1, rel=1e-4
    )
    assert turbine.rotor_inertia == pytest.approx(2.0 * 6.0 * 5e5 / (30.0 * RPM) ** 2, rel=1e-4)  # H = 6 s
    c = turbine.controller
    assert c.rated_torque == pytest.approx(found.torque / found.ratio, rel=2e-3)
    # at its best tip speed ratio the torque of region 2 is that of the rotor: k w^2 = P_aero/w, as for the reference
    for one, r in ((turbine, turbine.tip_radius), (reference, 63.0)):
        gain = one.controller.region_2_gain * one.gear_ratio**3
        assert gain / r**5 == pytest.approx(2.332287 * 97.0**3 / 63.0**5, rel=1e-6)
    head = target.read_text().partition("name:")[0]
    assert all(f"#   {rule[0]}: " in head for rule in scaled(found.box).rules)


def test_pitch_loop_of_a_scaled_turbine_is_damped_as_that_of_the_reference(around):
    """J W p'' + (-dP/dtheta) N (kp p' + ki p) = 0: frequency over the rotor's speed and damping are those of 0.6 rad/s and 0.7."""
    found, turbine, _ = around
    reference = load_turbine("nrel-5mw")
    loops = []
    for one, power in ((turbine, 5e5), (reference, 5296610.0)):
        c, n = one.controller, one.gear_ratio
        speed = c.pitch_speed / n
        inertia = one.rotor_inertia + one.generator_inertia * n**2
        pull = power / reference.controller.rated_power * 25.5e6  # NREL/TP-500-38060: -25.5 MW/rad at rated wind
        w = math.sqrt(pull * n * c.pitch_ki / (inertia * speed))
        loops.append((w / speed, pull * n * c.pitch_kp / (inertia * speed) / (2.0 * w)))
    assert loops[0] == pytest.approx(loops[1], rel=1e-6)
    assert loops[1][0] * 12.1 * RPM == pytest.approx(0.6, rel=0.05) and loops[1][1] == pytest.approx(0.7, rel=0.05)


def test_a_campaign_of_the_scaled_turbine_runs_at_once(around, tmp_path):
    """Above rated wind the controller holds rated speed and torque."""
    found, _, target = around
    plan = campaign_plan(target, "normal", only=["normal-17ms-seed1"], options=Options(duration=30.0),
                         overrides=["cases.normal.discard=20 s"])  # fmt: skip
    outcome = run_campaign(plan, tmp_path / "out")
    assert outcome.done == 1, outcome.failed
    line = read_table(outcome.folder)
    assert line["generator.speed|mean"][0] == pytest.approx(-30.0 * RPM * found.ratio, rel=0.1)
    assert abs(line["main.torque|mean"][0]) == pytest.approx(found.torque, rel=0.1)


PAIRS = [
    ("rigid", "rigid"),
    *itertools.product(("torsional", "planar", "spatial"), ("linear", "periodic", "tooth_contact")),
]
CASES = ("rated", "part-load", "backwards")


def short_run(found, fidelity, law, case):
    """Warnings of a quarter of a second of a made gearbox."""
    made = gw.load(found.drivetrain, [f"cases.{case}.discard=0.05 s"])
    return gw.simulate(made, case, duration=0.25, fidelity=fidelity, law=law).warnings


@pytest.mark.parametrize("designed", WISHES[:2], indirect=True, ids=lambda w: w[3])
def test_a_made_gearbox_runs_at_some_pair_without_a_warning(designed):
    """At rated load, a tenth of it and backwards; which fidelity and law is drawn by the layout, all of them in the long suite."""
    draw = random.Random(str(designed.layout))
    for case in draw.sample(CASES, 2):
        assert short_run(designed, *draw.choice(PAIRS), case) == []


@pytest.mark.long
@pytest.mark.parametrize(("fidelity", "law"), PAIRS)
@pytest.mark.parametrize("case", CASES)
def test_a_made_gearbox_runs_at_every_pair_without_a_warning(designed, fidelity, law, case):
    assert short_run(designed, fidelity, law, case) == []
