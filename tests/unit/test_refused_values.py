"""What a person can get wrong is refused when the file is read, with file, line, range and what was probably meant."""

from __future__ import annotations

import math
import time
from pathlib import Path

import numpy as np
import pytest

import gearwright as gw
from gearwright.assembly import AssemblyError, assemble
from gearwright.errors import DrivetrainError
from gearwright.train.expand import expand
from gearwright.train.open import load

DATA = Path(__file__).parents[1] / "data"


def refused(example: str, *overrides: str) -> str:
    with pytest.raises(DrivetrainError) as caught:
        load(example, overrides)
    message = str(caught.value)
    assert message.count("\n") < 40 and len(message) < 4000
    return message


# ---------------------------------------------------------------- B13: ranges


@pytest.mark.parametrize(
    ("example", "override", "said"),
    [
        ("grc-750kw", "stages.0.pressure_angle=20", ["20 rad is outside of the range 0 to 45 deg", "Did you mean '20 deg'?"]),
        ("grc-750kw", "stages.0.pressure_angle=-20 deg", ["outside of the range 0 to 45 deg"]),
        ("grc-750kw", "stages.0.pressure_angle=46 deg", ["outside of the range 0 to 45 deg"]),
        ("grc-750kw", "stages.0.helix_angle=1000000", ["outside of the range -60 to 60 deg"]),
        ("grc-750kw", "stages.0.helix_angle=15", ["Did you mean '15 deg'?"]),
        ("spur-pair-hertz", "stages.0.mesh.damping={ratio: 500000 %}", ["5000 is outside of the range 0 to 1"]),
        ("spur-pair-hertz", "stages.0.mesh.damping={ratio: 5}", ["Did you mean '5 %'?"]),
        ("spur-pair-hertz", "stages.0.pinion.profile_shift=-840000", ["outside of the range -2 to 2"]),
        ("spur-pair-hertz", "stages.0.mesh.contact_ratio=1e-15", ["outside of the range 1 to 6"]),
        ("spur-pair-hertz", "stages.0.pinion.tip_diameter=1e17", ["1e+17 m is too large for a length"]),
        ("grc-750kw", "shafts.0.torsional_stiffness=1e308", ["too large for a torsional stiffness"]),
        ("grc-750kw", "stages.0.planets=100000", ["more than 64 planets"]),
        ("grc-750kw", "stages.0.planets=1000000000", ["more than 64 planets"]),
        ("grc-750kw", "model.damping={modal: 3}", ["3 is outside of the range 0 to 1", "Did you mean '3 %'?"]),
        ("grc-750kw", "gravity={acceleration: 9.81 m/s^2, tilt: 5}", ["outside of the range -90 to 90 deg", "Did you mean '5 deg'?"]),
        ("nrel-5mw", "cases.0.wind={type: ntm, mean: 900 m/s, seed: 1}", ["outside of the range 0 to 150 m/s"]),
        ("nrel-5mw", "cases.0.initial={azimuth: 90}", ["90", "angle"]),
    ],
)  # fmt: skip
def test_a_quantity_out_of_its_range_is_refused(example: str, override: str, said: list[str]) -> None:
    message = refused(example, override)
    for part in said:
        assert part in message, message


def test_what_is_at_the_end_of_a_range_is_taken() -> None:
    assert load("grc-750kw", ["stages.0.helix_angle=60 deg"]).stages[0].helix_angle == pytest.approx(math.pi / 3)
    assert load("spur-pair-hertz", ["stages.0.mesh.damping={ratio: 100 %}"]).stages[0].mesh.damping.ratio == 1.0


def test_what_the_description_calls_no_gear_no_model_takes() -> None:
    """B13: tips that do not reach each other make no contact: at a centre distance 10 % above that of the teeth."""
    d = load("spur-pair-hertz")
    pair = next(iter(expand(d).meshes.values()))
    far = 1.1 * pair.centre_distance
    train = expand(load("spur-pair-hertz", [f"stages.0.centre_distance={far} m"]))
    assert any("do not reach" in n.message or "no path" in n.message or "below 1" in n.message for n in train.notes)
    for law in ("linear", "rigid"):
        with pytest.raises(AssemblyError, match="no gear"):
            assemble(train, "torsional", law)


# ---------------------------------------------------------------- B6, B7: at once, one message


@pytest.mark.parametrize(
    "text",
    [
        "name: x\nbodies: [{name: a, inertia: " + "9" * 200_000 + "}]",
        "name: x\nbodies: [{name: a, inertia: 0x" + "F" * 100_000 + "}]",
        "name: x\nbodies: " + "[" * 900 + "]" * 900,
        "name: x\nbodies: " + "{a: " * 5000 + "}" * 5000,
        "name: x\nbodies: &a [*a]",
        "name: x\na: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
        "d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]",
        "name: x\nbodies: [{name: a, inertia: 1 kg^(10**10**10) m^2}]",
        "name: x\nbodies: [{name: a, inertia: 1 " + "(" * 5000 + "kg" + ")" * 5000 + " m^2}]",
        pytest.param("name: x\nbodies: [{name: a, inertia: 1 " + "m " * 1_500_000 + "}]", marks=pytest.mark.slow),
        "name: x\ninclude: [[]]\nbodies: [{name: a, inertia: 1}]",
        "name: x\ninclude: 1e308\nbodies: [{name: a, inertia: 1}]",
        'name: x\ninclude: "\\0"\nbodies: [{name: a, inertia: 1}]',
        "name: x\ninclude: [" + "a" * 5000 + "]\nbodies: [{name: a, inertia: 1}]",
        "name: x\nbodies: [{name: a, inertia: {? [b] : c}}]",
        "name: x\nbodies: !!set {a, b}",
        "name: x\nbodies: [{name: a, inertia: !!float x}]",
    ],
    ids=range(16),
)  # fmt: skip
def test_a_file_beyond_all_bounds_is_refused_at_once(text: str, tmp_path: Path) -> None:
    file = tmp_path / "odd.yaml"
    file.write_text(text)
    begin = time.process_time()
    with pytest.raises(DrivetrainError) as caught:
        load(file)
    assert time.process_time() - begin < 30.0, "evaluating or expanding any of these would take minutes and more"
    message = str(caught.value)
    assert "odd.yaml" in message and message.count("\n") < 40 and len(message) < 3000


def test_a_flood_of_problems_is_cut(tmp_path: Path) -> None:
    """B18: a message stays below 40 lines."""
    bodies = ", ".join(f"{{name: b{i}, inertia: -1}}" for i in range(500))
    file = tmp_path / "many.yaml"
    file.write_text(f"name: x\nbodies: [{bodies}]\n")
    with pytest.raises(DrivetrainError) as caught:
        load(file)
    assert str(caught.value).count("\n") < 40 and "500 problems" in str(caught.value)
    assert len(caught.value.problems) == 500


# ---------------------------------------------------------------- C22, B17, B18: sections are typed, all cases are read


@pytest.mark.parametrize(
    ("example", "override", "said"),
    [
        ("nrel-5mw", "cases.lvrt.wind.mean=17 kg", "a speed is wanted"),
        ("nrel-5mw", "cases.lvrt.wind.mean=.nan", "not finite"),
        ("nrel-5mw", "cases.lvrt.wind.tipe=ntm", "Did you mean 'type'?"),
        ("nrel-5mw", "cases.lvrt.wind.direction=5 deg", "wind of type ntm knows no 'direction'"),
        ("nrel-5mw", "cases.lvrt.wind={type: breeze}", "not one of the known words"),
        ("nrel-5mw", "cases.lvrt.initial={azimuth: 30 kg}", "is wanted"),
        ("nrel-5mw", "cases.lvrt.initial={azimuth: 5 rpm}", "an angle is wanted"),
        ("nrel-5mw", "cases.lvrt.initial={rotr: 5 rpm}", "Did you mean 'rotor'"),
        ("nrel-5mw", "cases.lvrt.events=[{at: 1 s, type: brake, delay: 1 kN}]", "a time is wanted"),
        ("nrel-5mw", "cases.lvrt.events=[{at: 1 s, type: grid_voltage, level: 0.6 s}]", "a number is wanted"),
        ("nrel-5mw", "cases.lvrt.events=[{at: 1 s, type: grid_fault, code: nowhere}]", "quebec, ireland, usa, denmark"),
        ("nrel-5mw", "cases.lvrt.events=[{at: 1 s, type: grid_falt}]", "Did you mean 'grid_fault'?"),
        ("nrel-5mw", "cases.lvrt.events=[{at: 1 s, type: grid_loss, code: usa}]", "does not belong to an event of type grid_loss"),
        ("nrel-5mw", "cases.lvrt.events=[{at: 1 s, set: hss_brake.capacity, to: 3 kg}]", "a torque is wanted"),
        ("nrel-5mw", "turbine.rotor.aero_step=3 m", "a time is wanted"),
        ("nrel-5mw", "turbine.controller.rated_power=5 kg", "a power is wanted"),
        ("nrel-5mw", "turbine.controler={}", "Did you mean 'controller'?"),
        ("nrel-5mw", "machines.generator.parameters.oder=3", "Did you mean 'order'?"),
        ("nrel-5mw", "machines.generator.parameters.line_voltage=3 kg", "a voltage is wanted"),
        ("nrel-5mw", "campaigns={}", "a list is wanted"),
        ("grc-750kw", "machines.0.efficiency=-0.98", "must be positive"),
        ("grc-750kw", "machines.0.parameters.rated_power=5 kg", "a power is wanted"),
        ("grc-750kw", "cases.0.events=[{at: 1 s, type: grid_loss}]", "needs a turbine"),
        ("wolfrom", "elements.0.loss.efficiency=-0.98", "must be positive"),
        ("wolfrom", "elements.0.loss={eficiency: 0.98}", "Did you mean 'efficiency'?"),
        ("spur-pair-joints", "assembly.wheel.at=text", "a list is wanted"),
        ("spur-pair-joints", "assembly.wheel.at=[0 m, nan m, 0 m]", "does not start with a number"),
        ("spur-pair-joints", "assembly.wheel.at=[0 m, 5 kg, 0 m]", "a length is wanted"),
        ("spur-pair-joints", "assembly.wheel.att=[0, 0, 0]", "Did you mean 'at'?"),
        ("free-rigid-body", "cases.0.initial={body: {spin: text}}", "a list is wanted"),
        ("free-rigid-body", "cases.0.initial={body: {spin: [1 kg, 0, 0]}}", "a rotational speed is wanted"),
        ("tracked-steering", "machines.vehicle.parameters.mass=3 m", "a mass is wanted"),
    ],
)  # fmt: skip
def test_a_wrong_kind_key_or_name_is_refused_when_read(example: str, override: str, said: str) -> None:
    assert said in refused(example, override)


def test_values_of_a_campaign_are_read_with_the_file() -> None:
    assert "a speed is wanted" in refused("nrel-5mw", "campaigns.0.grid={wind.mean: [5 m/s, 7 kg]}")
    assert "more than 1000000 runs" in refused(
        "nrel-5mw", f"campaigns.0.grid={{wind.mean: {list(range(2, 1100))}, wind.seed: {list(range(1100))}}}"
    )


def test_file_and_line_are_those_of_the_included_file(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "base.yaml").write_text(
        "name: base\nbodies:\n  - {name: a, inertia: 2 kg m^2}\n  - {name: b, inertia: 3 N}\n"
    )
    top = tmp_path / "top.yaml"
    top.write_text("name: top\ninclude: [a/base.yaml]\nbodies:\n  - {name: a, mass: 5 kg}\n")
    with pytest.raises(DrivetrainError, match=r"base\.yaml:4: bodies\.b\.inertia.* = 3 N"):
        load(top)
    top.write_text("name: top\ninclude: [a/base.yaml]\nbodies:\n  - {name: a, mass: 5 N}\n  - {name: b, inertia: 3}\n")
    with pytest.raises(DrivetrainError, match=r"top\.yaml:4: bodies\.a\.mass = 5 N"):
        load(top)


# ---------------------------------------------------------------- C32, C53: includes


def _pair(tmp_path: Path, machine: str) -> str:
    return (
        f"name: pair\nbodies: [{{name: rotor, inertia: 2 kg m^2}}, {{name: gen, inertia: 1 kg m^2}}]\n"
        f"shafts: [{{name: s, between: [rotor, gen], torsional_stiffness: 1e6 N m/rad}}]\nmachines: [{machine}]\n"
    )


def test_another_type_of_machine_drops_what_it_does_not_know(tmp_path: Path) -> None:
    """C32."""
    base = "{name: g, type: constant, drives: [gen], parameters: {torque: -5 kN m}}"
    (tmp_path / "base.yaml").write_text(_pair(tmp_path, base))
    top = tmp_path / "top.yaml"
    slip = "{synchronous_speed: 1500 rpm, rated_slip: 1 %, rated_power: 5 kW}"
    top.write_text(f"name: top\ninclude: base.yaml\nmachines: [{{name: g, type: slip, parameters: {slip}}}]\n")
    machine = load(top).machines[0]
    assert machine.parameters.said == {"synchronous_speed", "rated_slip", "rated_power"} and machine.drives == ["gen"]
    # as an override: what the new type knows too stays, the plate of a slip machine is one of an induction machine
    found = load(top, ["machines.g.type=induction"]).machines[0]
    assert found.type == "induction" and found.parameters.said == machine.parameters.said
    assert load(top, ["machines.g.type=ideal"]).machines[0].parameters.said == set()


def test_names_of_files_are_relative_to_the_file_that_says_them(tmp_path: Path) -> None:
    """C53: the series beside the included file, though another of the same name lies beside the top file."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "b").mkdir()
    (tmp_path / "a" / "b" / "t.csv").write_text("time,T [N m]\n0,1\n10,1\n")
    (tmp_path / "b" / "t.csv").write_text("time,T [N m]\n0,7\n10,7\n")
    case = "cases: [{name: c, duration: 1 s, start: rest, loads: [{on: rotor, torque: {file: {path: b/t.csv, channel: T}}}]}]\n"
    (tmp_path / "a" / "base.yaml").write_text(_pair(tmp_path, "") + case)
    (tmp_path / "top.yaml").write_text("name: top\ninclude: [a/base.yaml]\n")
    from gearwright.running.prepare import prepare

    for file, value in ((tmp_path / "a" / "base.yaml", 1.0), (tmp_path / "top.yaml", 1.0)):
        load_ = prepare(load(file), "c").inputs.inputs.loads[0]
        assert float(load_.torque(0.5)) == value
    (tmp_path / "top.yaml").write_text(f"name: top\ninclude: [a/base.yaml]\n{case}")
    assert float(prepare(load(tmp_path / "top.yaml"), "c").inputs.inputs.loads[0].torque(0.5)) == 7.0


# ---------------------------------------------------------------- C38: a plain number that is odd


@pytest.mark.parametrize(
    ("example", "override", "said"),
    [
        ("spur-pair-hertz", "stages.0.face_width=560", "the plain number 560 is read in SI; '560 mm' was perhaps meant"),
        ("nrel-5mw-gallego", "operating.speed=18", "171.9 rpm, fast for a rotor; '18 rpm' was perhaps meant"),
        ("nrel-5mw-two-mass", "cases.0.speeds={rotor: 18}", "'18 rpm' was perhaps meant"),
        ("grc-750kw", "operating.speed=1800", "'1800 rpm' was perhaps meant"),
    ],
)  # fmt: skip
def test_a_plain_number_that_is_odd_as_si_is_warned_of(example: str, override: str, said: str) -> None:
    notes = [n for n in expand(load(example, [override])).notes if n.level == "warning"]
    assert any(said in n.message and n.where == override.partition("=")[0].replace("stages.0", "stages.pair").replace(
        "cases.0.speeds", "cases.recorded-18ms.speeds.rotor") for n in notes), notes  # fmt: skip
    assert not [n for n in expand(load(example)).notes if "plain number" in n.message]


# ---------------------------------------------------------------- C18, C56: speeds at the start


@pytest.mark.parametrize("initial", ["{a: 5 rad/s}", "{a: {speed: 5 rad/s}}", "{a.speed: 5 rad/s}"])
def test_a_start_from_rest_with_the_speed_of_one_body(tmp_path: Path, initial: str) -> None:
    """Two inertias 10 and 20 kg m^2 on a spring of 20 kN m/rad and a damper of 20 N m s/rad; a starts with 5 rad/s, b stands.
    The twist x follows J x'' + c x' + k x = 0 with J = 10 * 20 / 30 and x'(0) = 5; the common speed 10 * 5 / 30 stays."""
    d = load(DATA / "faults" / "initial-at-rest.yaml", [f"cases.c.initial={initial}", "cases.c.output_interval=1 ms"])
    run = gw.simulate(d, "c", output=tmp_path / "i.nc")
    inertia, c, k = 200.0 / 30.0, 20.0, 20e3
    decay = 0.5 * c / inertia
    w = math.sqrt(k / inertia - decay**2)
    with gw.Result.open(run.result_file) as result:
        t, torque = np.asarray(result.time), np.asarray(result.series("s.torque"))
        a, b = np.asarray(result.series("a.speed")), np.asarray(result.series("b.speed"))
    x = 5.0 / w * np.exp(-decay * t) * np.sin(w * t)
    rate = 5.0 * np.exp(-decay * t) * (np.cos(w * t) - decay / w * np.sin(w * t))
    # stored series are filtered before they are thinned: a thousandth of the amplitude in the inside
    inside = (t > 0.05) & (t < 1.9)
    assert np.abs(np.abs(torque) - np.abs(k * x + c * rate))[inside].max() < 2e-3 * 1826.0
    assert (10.0 * a + 20.0 * b)[inside] == pytest.approx(50.0, rel=1e-6)
    assert run.energy_error < 1e-9


@pytest.mark.parametrize(
    ("initial", "said"),
    [
        ("{a: {velocity: [1, 0, 0]}}", "belong to a mechanism"), ("{c: 5 rpm}", "no body 'c'"), ("{a: 5 m/s}", "a rotational speed is wanted"),
        ("{a: text}", "does not start with a number"), ("{a: {spd: 5}}", "Did you mean 'speed'?"), ("{a: [1, 2]}", "this does not stand here"),
    ],
)  # fmt: skip
def test_a_start_that_cannot_be_is_refused(initial: str, said: str) -> None:
    with pytest.raises(DrivetrainError, match=said):
        from gearwright.running.prepare import prepare

        prepare(load(DATA / "faults" / "initial-at-rest.yaml", [f"cases.c.initial={initial}"]), "c")


def test_a_periodic_start_has_its_own_speeds() -> None:
    from gearwright.running.prepare import prepare

    d = load(DATA / "faults" / "initial-at-rest.yaml", ["cases.c.start=periodic"])
    with pytest.raises(DrivetrainError, match="take initial out"):
        prepare(d, "c")


def test_an_interval_that_stores_nothing_is_refused(tmp_path: Path) -> None:
    """B7: 1e12 ms of a run of seconds."""
    d = load("spur-pair-hertz", ["cases.0.output_interval=1e12 ms"])
    with pytest.raises(DrivetrainError, match="output_interval of 1e.09 s stores nothing"):
        gw.simulate(d, output=tmp_path / "x.nc")


# ---------------------------------------------------------------- C1 through a file


def test_a_speed_in_inverse_minutes_is_rpm_everywhere(tmp_path: Path) -> None:
    """C1: 900 1/min of a file, of an override, of a case and of a record are 30 pi rad/s."""
    (tmp_path / "s.csv").write_text("time [s],n [1/min]\n0,900\n10,900\n")
    file = tmp_path / "m.yaml"
    file.write_text(
        _pair(tmp_path, "") + "operating: {input: rotor, output: gen, speed: 900 1/min}\ncases:\n"
        "  - {name: c, duration: 1 s, speeds: {rotor: 900 min^-1}}\n"
        "  - {name: f, duration: 1 s, speeds: {rotor: {file: {path: s.csv, channel: n}}}}\n"
    )
    from gearwright.running.prepare import prepare

    d = load(file)
    assert d.operating.speed == pytest.approx(30.0 * math.pi)
    for case in ("c", "f"):
        assert float(prepare(d, case).inputs.inputs.drives[0].speed(0.5)) == pytest.approx(30.0 * math.pi)
