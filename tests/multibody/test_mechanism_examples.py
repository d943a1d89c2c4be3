"""Shipped mechanisms against printed tables, through the command line and ``verify``."""

import json
from dataclasses import astuple

import numpy as np
import pytest
from typer.testing import CliRunner

import gearwright
from gearwright.cli import app
from gearwright.targets.run import run_targets


@pytest.mark.parametrize("prefix", ["S0.two_gear", "S0.three_body", "S0.p3.rigid", "S1.pendulum_rod_period_45_90",
                                    "S1.pendulum_point_period_45_90", "S1.slider_45deg", "S1.spring_mass_frequency",
                                    "S1.slider_crank_period", "S1.slider_crank_crank_limits",
                                    "S1.planetary_joint_speeds", "S1.slider_crank_constraint_count"])  # fmt: skip
def test_targets_pass(prefix):
    rows = run_targets([prefix])
    assert rows and all(row.status in ("pass", "not reproducible") for row in rows), [r.to_dict() for r in rows]


def run(tmp_path, *arguments):
    result = CliRunner().invoke(app, ["run", *arguments, "--json", "-o", str(tmp_path / "run.nc")])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_run_prints_reactions(tmp_path):
    found = run(tmp_path, "two-gears-fixed")["reactions"]
    assert found["joint1"]["wheel"]["force"][:2] == pytest.approx([181.99, 2677.36], abs=0.01)
    assert found["gear"]["pinion"]["moment"][2] == pytest.approx(-75.0)


def test_eight_bodies(tmp_path):
    """App. B: 47 rows of rank 47, one freedom, ratio 55.80621; equilibrium of the whole box in the mean."""
    data = run(tmp_path, "nordtank-8-bodies", "--duration", "10")
    assert (data["rows"], data["rank"], data["degrees_of_freedom"]) == (47, 47, 1)
    assert max(data["constraint_error"].values()) < 1e-10
    speeds = data["speeds_end"]
    ratio = speeds["generator"][5] / speeds["main_shaft"][5]
    assert abs(ratio) == pytest.approx((1 + 91 / 20) * (81 / 20) * (72 / 29), rel=1e-9)
    # bearings carry the weight (-x) of all bodies but for the small accelerations
    end = data["reactions_end"]
    held = sum(part["housing"]["force"][0] for part in end.values() if "housing" in part)
    weight = 9.81 * (1759 + 122 + 3 * 163 + 145 + 31 + 1180)
    assert -held == pytest.approx(weight, rel=2e-2)
    assert np.isfinite(data["real_time_factor"])


def test_options_of_other_fidelities_are_refused():
    result = CliRunner().invoke(app, ["run", "two-gears-fixed", "--method", "exact"])
    assert result.exit_code == 2 and "method" in result.output


@pytest.mark.parametrize("name, setting", [("two-gears-fixed", "model.tolerance=1e-6"), ("two-gears-fixed", "model.law=periodic"),
                                           ("lin-parker-1999", "model.step=1 ms")])  # fmt: skip
def test_settings_of_other_fidelities_are_refused(name, setting, tmp_path):
    key = setting.partition("=")[0]
    result = CliRunner().invoke(app, ["run", name, "--set", setting, "--duration", "0.1", "-o", str(tmp_path / "a.nc")])
    assert result.exit_code == 2 and key in result.output
    assert not list(tmp_path.iterdir())


def test_describe_says_what_the_mechanism_is():
    result = CliRunner().invoke(app, ["describe", "slider-crank"])
    assert "1 degrees of freedom, 17 rows of rank 17" in result.output and "translational" in result.output
    data = json.loads(CliRunner().invoke(app, ["describe", "nordtank-8-bodies", "--json"]).stdout)["model"]
    assert (data["degrees_of_freedom"], data["rows"], data["rank"]) == (1, 47, 47)
    assert sum(j["rows"] for j in data["joints"]) == 47


def test_a_mode_of_a_mechanism_swings_in_the_view(tmp_path):
    from gearwright.errors import DrivetrainError
    from gearwright.pages.viewer.view import view

    scene = view("spring-damper-masses", mode=3).scene
    assert "mode 3, 1.233 Hz" in scene["case"] and len(scene["bodies"]) == 3
    with pytest.raises(DrivetrainError, match="no mode 9; there are 1 to 3"):
        view("spring-damper-masses", mode=9)
    with pytest.raises(DrivetrainError, match="for mechanisms"):
        view("lin-parker-1999", mode=1)


@pytest.mark.parametrize("changes, said", [
    # bodies that cannot be assembled: the joint with the largest gap, and by how much
    ({"distance": "0.1 m"}, r"cannot be closed up: joint 'short' keeps a gap of 2\.4 m"),
    ({"axis": ["0", "0", "0"]}, r"joint 'hinge': its axis has no length; allowed: x, y, z"),
    ({"axis": None}, r"joint 'hinge' of kind revolute needs an axis; allowed: x, y, z"),
    ({"at": "rod.ende"}, r"body 'rod' has no point 'ende' \(it has end\); did you mean 'end'\?"),
    ({"inertia": ["1 kg m^2", "1 kg m^2", "3 kg m^2"]}, r"not those of a body.*allowed: at most 2 kg m\^2"),
    ({"inertia": ["-1 kg m^2", "1 kg m^2", "1 kg m^2"]}, "inertia"),
    ({"euler": [0, 0, 0, 0]}, "euler is a direction, not zero"),
])  # fmt: skip
def test_bad_mechanisms_are_refused_with_the_place(changes, said, tmp_path):
    """Section 5 of the plan, through a file and the command line."""
    rod = {"name": "rod", "mass": "1 kg", "inertia": changes.get("inertia", ["0.1 kg m^2", "0.001 kg m^2", "0.1 kg m^2"]),
           "points": {"end": ["0 m", "0.5 m", "0 m"]}}  # fmt: skip
    elements = [{"name": "hinge", "type": "revolute", "between": [changes.get("at", "rod"), "housing"],
                 "axis": changes.get("axis", "x")}]  # fmt: skip
    if "distance" in changes:
        elements.append({"name": "short", "type": "distance", "between": ["rod.end", "housing"],
                         "through": ["0 m", "0 m", "3 m"], "length": changes["distance"]})  # fmt: skip
    data = {"name": "bad", "bodies": [rod], "elements": elements, "model": {"fidelity": "multibody"},
            "cases": [{"name": "run", "duration": "0.1 s", "start": "rest"}]}  # fmt: skip
    if "euler" in changes:
        data["assembly"] = {"rod": {"euler": changes["euler"]}}
    path = tmp_path / "bad.yaml"
    path.write_text(json.dumps(data))
    result = CliRunner().invoke(app, ["run", str(path), "-o", str(tmp_path / "a.nc")])
    assert result.exit_code == 2, result.output
    import re

    assert re.search(said, " ".join(result.output.split())), result.output


def test_euler_parameters_of_another_length_are_normalised_and_reported(tmp_path):
    path = tmp_path / "free.yaml"
    text = CliRunner().invoke(app, ["examples", "show", "free-rigid-body"]).stdout
    path.write_text(text + "\nassembly: {body: {euler: [2, 0, 0, 0]}}\n")
    assert any("had length 2" in note for note in run(tmp_path, str(path), "--duration", "0.1")["notes"])


def test_a_singular_configuration_is_named():
    """A four-bar chain in a line, driven through its dead point by a motor: the rows lose their rank there."""
    from gearwright.multibody import Body, Joint, Mechanism, MultibodyError

    x = (1.0, 0.0, 0.0)
    bars = [Body(n, 1.0, (0.1, 0.01, 0.1), (0.0, 0.5 + i, 0.0), points={"a": (0, -0.5, 0), "b": (0, 0.5, 0)})
            for i, n in enumerate(("one", "two"))]  # fmt: skip
    joints = [
        Joint("revolute", "base", "one.a", "housing", axis=x), Joint("revolute", "knee", "two.a", "one.b", axis=x),
        Joint("motor", "drive", "one", "housing", axis=x, speed=1.0),
        Joint("distance", "tie", "two.b", "housing", through=(0.0, 0.0, 0.0), length=2.0),
    ]  # fmt: skip
    with pytest.raises(MultibodyError, match=r"singular position: .* tie\.distance follows"):
        Mechanism(bars, joints)


def test_baumgarte_holds_the_error_without_removing_it(tmp_path):
    """S1 Table 3.4's behaviour: more of zeta leaves a larger gap in the rows and asks more of the step; projection leaves
    1e-11 at any setting. Errors of the stage by joints at 5 ms: they rise with zeta, by theory as 2 zeta h^4 (stiff decay)."""
    errors = {}
    for pair in ("[1, 1]", "[10, 1]", "[100, 1]"):
        data = run(tmp_path, "planetary-joints", "--duration", "10", "--set", f"model.stabilisation={pair}")
        errors[pair] = data["constraint_error"]
        assert data["constraint_error"]["position"] < 1e-5
    values = [errors[p]["velocity"] for p in errors]
    assert values[0] < values[1] < values[2]
    assert run(tmp_path, "planetary-joints", "--duration", "10")["constraint_error"]["velocity"] < 1e-10


def test_reactions_over_a_run_are_those_of_its_samples():
    """Two ways to the same sums: sample by sample from a fresh Jacobian, and all at once from a compiled loop."""
    from gearwright.multibody import simulate
    from gearwright.multibody.reactions import held, reactions_over_time
    from gearwright.running.mechanism import mechanism_of

    made, _, _, length = mechanism_of("nordtank-8-bodies", None, (), 0.5)
    run = simulate(made, length, 1e-2, 0.05)
    joints = list(dict.fromkeys(row.joint for row in made.rows))
    gears = ["ring_planet2", "sun_planet1", "stage3"]
    force, moment, teeth = reactions_over_time(run, joints, gears)
    names = [*(b.name for b in made.bodies), "housing"]
    for s in (0, 4, 9):
        found = run.reactions(s)
        for k, name in enumerate(joints):
            part = found[name].bodies[names[held(made, name)]]
            assert force[s, k] == pytest.approx(part.force, rel=1e-9, abs=1e-6)
            assert moment[s, k] == pytest.approx(part.moment, rel=1e-9, abs=1e-6)
        for k, name in enumerate(gears):
            want = astuple(found[name].teeth)
            assert teeth[s, k] == pytest.approx(want, rel=1e-9, abs=1e-6)


def test_a_run_goes_on_from_its_end():
    """Ten seconds are two times five, to the round-off that the projection leaves: angles of wheels are counted on."""
    from gearwright.multibody import simulate
    from gearwright.running.mechanism import mechanism_of

    made, _, _, _ = mechanism_of("planetary-joints", None, (), 10.0)
    whole = simulate(made, 10.0, 5e-3, 0.1)
    rest = simulate(made, 5.0, 5e-3, 0.1, start=simulate(made, 5.0, 5e-3, 0.1).place())
    assert rest.position[-1] == pytest.approx(whole.position[-1], abs=1e-9)


def test_a_long_table_costs_no_more_than_a_short_one():
    """Values are found by halving: between, at the ends, and both sides of a jump, against numpy."""
    from gearwright.multibody.forces import table_value

    times = np.array([0.0, 1.0, 1.0, 2.0, 4.0])
    values = np.array([1.0, 2.0, 5.0, 6.0, -2.0])
    value = table_value.py_func  # the compiled one takes pointers
    for t, left, want in ((-1.0, False, 1.0), (0.5, False, 1.5), (1.0, True, 2.0), (1.0, False, 5.0), (1.5, True, 5.5),
                          (3.0, False, 2.0), (4.0, True, -2.0), (4.0, False, -2.0), (9.0, False, -2.0), (0.0, True, 1.0)):  # fmt: skip
        assert value(times, values, 0, 5, t, left) == pytest.approx(want), (t, left)


def test_a_pair_with_true_teeth(tmp_path):
    """The force along the line of action carries the torque, over whole mesh cycles; the result says which law it was."""
    run(tmp_path, "spur-pair-joints")
    with gearwright.Result.open(tmp_path / "run.nc") as result:
        assert result.attributes["law"] == "tooth_contact"
        force = np.asarray(result.dataset["mesh_force"]).ravel()[-300:]  # three cycles of 5 ms, every 50 us
    base = 0.5 * 40 * 0.004 * np.cos(np.radians(20.0))
    # cycles repeat to some 1e-4 after 15 ms
    assert np.abs(force).mean() == pytest.approx(400.0 / base, rel=3e-4)
    page = gearwright.write_report(tmp_path / "run.nc", tmp_path / "run.html").read_text(encoding="utf-8")
    tables = {
        name: page[page.index(f'id="table-loads-bearing-{name}"') :].partition("</table>")[0]
        for name in ("force", "moment-y")
    }
    assert 'class="governing"' in tables["force"]
    assert 'class="governing"' not in tables["moment-y"]  # nothing turns a spur pair about y
