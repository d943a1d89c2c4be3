"""Steady power flow against closed forms worked out by hand, and its refusals."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from gearwright.analyses.power_flow import efficiency_map, power_flow
from gearwright.assembly import AssemblyError
from gearwright.cli import app
from gearwright.errors import DrivetrainError
from gearwright.solve.steady.powerflow import PowerFlowError
from gearwright.train.open import load

ZS, ZP, ZR, DR = 30.0, 21.0, 72.0, 0.15


def _basic() -> dict[tuple[str, str], tuple[float, float, str]]:
    """(input, fixed) -> ratio, efficiency, output; Willis and the torque balance in the carrier's frame."""
    sun_planet = (1 - DR / ZP) / (1 + DR / ZS)
    planet_sun = (1 - DR / ZS) / (1 + DR / ZP)
    planet_ring = (1 + DR / ZR) / (1 + DR / ZP)
    ring_planet = (1 - DR / ZP) / (1 - DR / ZR)
    sr, rs, i0 = sun_planet * planet_ring, ring_planet * planet_sun, -ZR / ZS
    return {
        ("sun", "carrier"): (i0, sr, "ring"),
        ("ring", "carrier"): (1 / i0, rs, "sun"),
        ("sun", "ring"): (1 - i0, (i0 * sr - 1) / (i0 - 1), "carrier"),
        ("carrier", "ring"): (1 / (1 - i0), (i0 - 1) / (i0 / rs - 1), "sun"),
        ("ring", "sun"): (1 - 1 / i0, (i0 - rs) / (i0 - 1), "carrier"),
        ("carrier", "sun"): (1 / (1 - 1 / i0), (i0 - 1) / (i0 - 1 / sr), "ring"),
    }


@pytest.mark.parametrize(("input", "fixed"), list(_basic()))
def test_six_inversions(input: str, fixed: str) -> None:
    ratio, efficiency, output = _basic()[input, fixed]
    found = power_flow("simple-planetary", overrides=[f"operating.input={input}", f"operating.fixed={fixed}"])
    assert found.output == f"set.{output}"
    assert found.ratio == pytest.approx(ratio, rel=1e-12)
    assert found.efficiency == pytest.approx(efficiency, abs=1e-12)
    # torques from outside add up to nothing on a train whose meshes all ride on carriers
    assert abs(found.balance["torque_sum"] or 0.0) < 1e-12 * 100.0
    assert (found.balance["power"] or 0.0) < 1e-13


def test_torques_without_loss_are_one_to_ring_over_sun() -> None:
    found = power_flow("simple-planetary", overrides=["model.loss=none", "operating.torque=1 N m"])
    torques = [found.torque(f"set.{n}") for n in ("sun", "ring", "carrier")]
    np.testing.assert_allclose(torques, [1.0, 2.4, -3.4], atol=1e-13)


def _ravigneaux(s: float, l: float, r: float, e: float = 0.98, i: float = 0.99) -> dict[str, tuple[float, float]]:
    second = (1 + l / s) / (1 + l / r)
    # the long planet in balance: short sun drives it through two external meshes, it drives ring and, in second
    # gear, the held sun drives it; torque on the ring per unit input torque over the ratio
    eta2 = (e * e / s + 1 / (l * e)) / (1 / (l * e) + 1 / (r * i)) / second
    # carrier drives, the sun on the long planets is held: planet on the sun gives, ring receives
    i0 = -r / l
    return {
        "first": (r / s, e * e * i), "second": (second, eta2), "reverse": (-r / l, e * i), "third": (1.0, 1.0),
        "overdrive": (1 / (1 + l / r), (i0 - 1) / (i0 - 1 / (e * i))),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "teeth"), [("ravigneaux", (30, 36, 72)), ("zf-4hp14", (34, 29, 82)), ("zf-4hp18", (38, 34, 98))]
)
def test_ravigneaux_gears(name: str, teeth: tuple[float, float, float]) -> None:
    for gear, (ratio, efficiency) in _ravigneaux(*teeth).items():
        found = power_flow(name, gear)
        assert found.ratio == pytest.approx(ratio, rel=1e-12), gear
        assert found.efficiency == pytest.approx(efficiency, abs=1e-12), gear


#: as printed, to the last digit (encyclopaedia article on the ZF 4HP family; suppliers' data for the AOD)
PUBLISHED = {
    "zf-4hp22": {"first": "2.4795", "second": "1.4795", "third": "1.0000", "fourth": "0.7281", "reverse": "-2.0857"},
    "zf-4hp14": {"first": "2.412", "second": "1.369", "third": "1.000", "overdrive": "0.739", "reverse": "-2.828"},
    "zf-4hp18": {"first": "2.579", "second": "1.407", "third": "1.000", "overdrive": "0.742", "reverse": "-2.882"},
    "ravigneaux": {"first": "2.40", "second": "1.47", "third": "1.00", "overdrive": "0.67", "reverse": "-2.00"},
}


@pytest.mark.parametrize("name", list(PUBLISHED))
def test_published_ratios_to_the_last_digit(name: str) -> None:
    for gear, printed in PUBLISHED[name].items():
        ratio = power_flow(name, gear).ratio
        assert ratio is not None
        assert f"{ratio:.{len(printed.split('.')[1])}f}" == printed


def test_simpson_closed_forms() -> None:
    a = b = 35.0
    ring, e = 73.0, 0.98 * 0.99
    first = 1 + (a / ring) * (1 + ring / b)
    found = power_flow("simpson", "first")
    assert found.ratio == pytest.approx(first, rel=1e-12)
    assert found.efficiency == pytest.approx((1 + a / ring * e + a / ring * ring / b * e * e) / first, abs=1e-12)
    i0 = -ring / a
    second = power_flow("simpson", "second")
    assert second.ratio == pytest.approx(1 + a / ring, rel=1e-12)
    assert second.efficiency == pytest.approx((i0 - e) / (i0 - 1), abs=1e-12)
    reverse = power_flow("simpson", "reverse")
    assert (reverse.ratio, reverse.efficiency) == pytest.approx((-ring / b, e), abs=1e-12)


@pytest.mark.parametrize(("p2", "r2"), [(27.0, 78.0), (33.0, 84.0)])
def test_wolfrom_both_directions(p2: float, r2: float) -> None:
    zs, p1, r1, e1, e2, e3 = 21.0, 30.0, 81.0, 0.99, 0.995, 0.995
    i1, i2 = r1 / zs, r1 * p2 / (p1 * r2)
    if i2 < 1:
        forward = (1 + e1 * e2 * i1) * (1 - i2) / ((1 + i1) * (1 - e2 * e3 * i2))
        backward = (1 + i1) * (1 - i2 / (e2 * e3)) / ((1 + i1 / (e1 * e2)) * (1 - i2))
    else:  # ring 1 feeds the planet
        forward = (1 + e1 / e2 * i1) * (i2 - 1) / ((1 + i1) * (i2 / (e2 * e3) - 1))
        backward = (1 + i1) * (i2 * e2 * e3 - 1) / ((i2 - 1) * (e2 / e1 * i1 + 1))
    teeth = [f"elements.planet_ring2.teeth=[{p2:.0f}, {r2:.0f}]"]
    found = power_flow(load("wolfrom", teeth), "forward")
    assert found.ratio == pytest.approx((1 + i1) / (1 - i2), rel=1e-11)
    assert found.efficiency == pytest.approx(forward, abs=1e-10)
    back = power_flow(load("wolfrom", teeth), "backward")
    assert back.efficiency == pytest.approx(backward, abs=1e-10)


def test_split_ring_is_lossy_forward_and_locks_backward() -> None:
    e0, i = 0.993**2, 256.0
    found = power_flow("split-ring-256", "forward")
    assert found.ratio == pytest.approx(i, rel=1e-10)
    assert found.efficiency == pytest.approx(1 / (1 + (i - 1) * (1 - e0)), abs=1e-10)
    assert found.circulation  # the rolling power is many times the throughput
    back = power_flow("split-ring-256", "backward")
    assert back.self_locking and back.efficiency is None
    assert back.formal_efficiency == pytest.approx(1 - (i - 1) * (1 / e0 - 1), rel=1e-9)
    assert any("self-locking" in sentence for sentence in back.words)


def test_efficiency_by_direction_and_over_speed() -> None:
    """Two efficiencies by direction: the ring drives through the second of each pair."""
    both = [
        "stages.set.meshes.sun_planet.loss={efficiency: [0.9, 0.8]}",
        "stages.set.meshes.ring_planet.loss={efficiency: [0.95, 0.7]}",
    ]
    forward = power_flow("simple-planetary", overrides=[*both, "operating.fixed=carrier"])
    assert forward.efficiency == pytest.approx(0.9 * 0.95, abs=1e-12)
    back = power_flow("simple-planetary", overrides=[*both, "operating.input=ring", "operating.fixed=carrier"])
    assert back.efficiency == pytest.approx(0.8 * 0.7, abs=1e-12)
    table = ["stages.set.meshes.sun_planet.loss={efficiency: {table: [[0, 0.8], [100, 0.9]]}}", "stages.set.meshes.ring_planet.loss={fraction: 0}",
             "operating.fixed=carrier"]  # fmt: skip
    found = efficiency_map(load("simple-planetary", table), [25.0, 200.0], [1.0, 2.0])
    # the table holds (1 - eta)/(1 + eta), linear between its points
    kappa = 0.75 * (0.2 / 1.8) + 0.25 * (0.1 / 1.9)
    np.testing.assert_allclose(found.efficiency, [[(1 - kappa) / (1 + kappa)] * 2, [0.9] * 2], rtol=1e-12)


def test_loss_fraction_of_one_pair_is_the_loss_over_the_pitch_power() -> None:
    d = {
        "name": "pair", "bodies": [{"name": "a"}, {"name": "b"}],
        "elements": [
            {"name": "m", "type": "mesh", "between": ["a", "b"], "teeth": [20, 50], "loss": {"fraction": 0.02}},
            {"name": "drag", "type": "drag", "between": ["b", "housing"], "torque": "3 N m"},
        ],
        "model": {"fidelity": "rigid", "law": "rigid"},
        "operating": {"input": "a", "output": "b", "speed": "10 rad/s", "torque": "10 N m"},
    }  # fmt: skip
    from gearwright.schema.read import from_mapping

    found = power_flow(from_mapping(d))
    dr = 0.02 / (1 / 20 + 1 / 50)
    torque_b = 10.0 * (50 - dr) / (20 + dr) - 3.0
    assert found.torque("b") == pytest.approx(torque_b, rel=1e-12)
    assert found.drags["drag"] == pytest.approx(3.0 * 4.0, rel=1e-12)
    # lost on the pitch power of the force itself
    force = 10.0 / (20 + dr)
    assert found.meshes[0].loss == pytest.approx(0.02 * force * 20 * 10.0, rel=1e-12)


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        (["operating.fixed=[ring, carrier]", "operating.input=sun"], "contradict"),
        (["operating.torques={carrier: 3 N m}"], "too many torques"),
        (["operating.reactions=[sun, carrier]", "operating.torque=null", "operating.speeds={sun: 1 rad/s}"], "torque"),
        (["stages.set.meshes.sun_planet.loss={efficiency: -0.1}"], "efficiency = -0.1: .* must be positive"),
        (["stages.set.meshes.sun_planet.loss={efficiency: 1.2}"], "above 0 up to 1"),
        (["stages.set.meshes.sun_planet.loss={force_pole_offset: 25}"], "set.sun_planet1"),
        (["operating.input=ring"], "held"),
    ],
)
def test_bad_operating_points_say_what_is_wrong(overrides: list[str], words: str) -> None:
    with pytest.raises((PowerFlowError, AssemblyError, DrivetrainError), match=words):
        power_flow("simple-planetary", overrides=overrides)


def test_missing_speeds_are_counted_and_the_free_bodies_named() -> None:
    with pytest.raises(PowerFlowError, match=r"1 more speed .* can still turn by themselves: .*sun"):
        power_flow("simpson", overrides=["operating.fixed=[]"])


def test_clutch_beyond_its_capacity_is_named() -> None:
    found = power_flow("zf-4hp22", "second", overrides=["elements.A.capacity=100 N m"])
    assert [j.name for j in found.joints if j.slips] == ["A"]
    assert any("clutch A would slip" in sentence for sentence in found.words)


def test_one_way_clutch_locks_or_overruns() -> None:
    """A one-way clutch instead of the brake of first gear: it locks when driven, overruns with the brake C."""
    change = ["elements.D={name: D, type: one_way, between: [carrier_b, housing]}", "cases=[]"]
    first = power_flow(load("zf-4hp22", change))
    assert first.ratio == pytest.approx(1 + 35 / 73 * (1 + 73 / 35), rel=1e-12)
    second = power_flow(load("zf-4hp22", [*change, "elements.C.engaged=true"]))
    assert second.ratio == pytest.approx(1 + 35 / 73, rel=1e-12)
    assert second.speed("carrier_b") > 0.0


def test_command_prints_ratio_and_efficiency() -> None:
    ratio, efficiency, _ = _basic()["sun", "ring"]
    arguments = ["powerflow", "simple-planetary", "--set", "operating.input=sun", "--set", "operating.fixed=ring"]
    done = CliRunner().invoke(app, [*arguments, "--json"])
    assert done.exit_code == 0, done.output
    data = json.loads(done.output)
    assert data["ratio"] == pytest.approx(ratio, abs=1e-10)
    assert data["efficiency"] == pytest.approx(efficiency, abs=1e-10)
    assert "efficiency" in CliRunner().invoke(app, arguments).output
    assert "overdrive" in CliRunner().invoke(app, ["powerflow", "zf-4hp18", "--cases"]).output
    shown = CliRunner().invoke(app, ["powerflow", "wolfrom", "--speeds", "10 rpm, 20 rpm", "--torques", "1 N m"])
    assert shown.output.count("86.482 %") == 2


def test_efficiency_over_speed_has_one_meaning():
    # ring named first: the table's speed is that of the ring; the planet, which becomes wheel 1, turns z_r/z_p faster
    from gearwright.assembly.losses import mesh_loss
    from gearwright.train.expand import expand
    from gearwright.train.open import load

    def made(between, teeth, table):
        train = expand(load({
            "name": "t", "bodies": [{"name": "p", "inertia": 1.0}, {"name": "r", "inertia": 1.0}],
            "elements": [{"name": "m", "type": "mesh", "between": between, "teeth": teeth, "internal": True,
                          "loss": {"efficiency": {"table": table}}}],
            "model": {"fidelity": "rigid", "law": "rigid"},
        }))  # fmt: skip
        return mesh_loss(train.meshes["m"])

    ring_first = made(["r", "p"], [60, 20], [["0 rad/s", 0.9, 0.8], ["10 rad/s", 0.98, 0.95]])
    planet_first = made(["p", "r"], [20, 60], [["0 rad/s", 0.8, 0.9], ["30 rad/s", 0.95, 0.98]])
    assert ring_first == planet_first
    kappa = lambda eta: (1 - eta) / (1 + eta)  # noqa: E731
    assert planet_first.at(-15.0) == pytest.approx(((kappa(0.8) + kappa(0.95)) / 2, (kappa(0.9) + kappa(0.98)) / 2))


@pytest.mark.parametrize(
    ("name", "case"), [("simple-planetary", None), ("wolfrom", None), ("zf-4hp22", "first"), ("zf-4hp22", "fourth")]
)
def test_powers_of_elements_and_bodies_are_balanced(name: str, case: str | None) -> None:
    """What an element gives to the bodies it touches is minus its loss; what a body gets is what it hands out."""
    overrides = ["operating.fixed=ring"] if name == "simple-planetary" else []
    found = power_flow(name, case, overrides=overrides)
    scale = found.input_power
    for mesh in found.meshes:
        assert sum(mesh.powers.values()) == pytest.approx(-mesh.loss, abs=1e-10 * scale)
    for member in found.members:
        inside = sum(e.powers.get(member.name, 0.0) for e in (*found.meshes, *found.joints))
        assert inside == pytest.approx(-member.power, abs=1e-9 * scale)


def test_page_has_a_picture_for_every_gear(tmp_path) -> None:
    page = tmp_path / "flow.html"
    done = CliRunner().invoke(app, ["powerflow", "zf-4hp22", "--cases", "-o", str(page)])
    assert done.exit_code == 0, done.output
    html = page.read_text(encoding="utf-8")
    assert html.count("<svg width") == 5
    for gear in ("first", "second", "third", "fourth", "reverse"):
        assert f"Power flow of zf-4hp22, {gear}" in html


def test_efficiency_map_has_a_picture_and_takes_ranges(tmp_path) -> None:
    """Drag of 1.5 N m + 0.01 N m s/rad before a pair of 97 %: eta = 0.97 (T - drag)/T, none where drag takes it all."""
    from gearwright.analyses.base import quantities
    from gearwright.pages.efficiency_page import efficiency_figure

    file = tmp_path / "axle.yaml"
    file.write_text(
        "name: axle\nbodies: [{name: motor}, {name: axle}]\nelements:\n"
        "  - {name: final, type: mesh, between: [motor, axle], teeth: [11, 43], loss: {efficiency: 0.97}}\n"
        "  - {name: seals, type: drag, between: [motor, housing], torque: 1.5 N m, viscous: 0.01 N m s/rad}\n"
        "model: {fidelity: rigid, law: rigid}\noperating: {input: motor, output: axle}\n"
    )
    page = tmp_path / "map.html"
    arguments = ["powerflow", str(file), "--speeds", "10 rad/s to 30 rad/s in 3", "--torques", "1 N m, 4 N m"]
    done = CliRunner().invoke(app, [*arguments, "--json", "-o", str(page)])
    assert done.exit_code == 0, done.output
    data = json.loads(done.output)
    assert data["speeds_rad_s"] == pytest.approx([10.0, 20.0, 30.0])
    for w, (light, heavy) in zip(data["speeds_rad_s"], data["efficiency"], strict=True):
        assert light is None and heavy == pytest.approx(0.97 * (4.0 - 1.5 - 0.01 * w) / 4.0, rel=1e-12)
    html = page.read_text()
    assert "efficiency-map" in html and "Efficiency of axle" in html and "input motor" in html
    trace = efficiency_figure(efficiency_map(str(file), "10 rad/s to 30 rad/s in 3", ["1 N m", 4.0])).spec["data"][0]
    assert trace["type"] == "heatmap" and trace["z"][0] == [None] * 3
    assert trace["z"][1] == pytest.approx([100 * line[1] for line in data["efficiency"]], abs=1e-5)
    assert quantities("1 N m, 2 N m to 4 N m in 2", "torque", "--torques") == pytest.approx([1.0, 2.0, 4.0])
    for wrong in ("1 N m to 4 N m", "1 N m to 2 N m to 3 N m in 4", ""):
        with pytest.raises(DrivetrainError, match="--torques"):
            quantities(wrong, "torque", "--torques")


def test_degrees_of_freedom_are_those_that_are_left() -> None:
    """Steering gear of S3: ten members, rank 8, two motions; a planetary set with six redundant meshes has two."""
    from gearwright.assembly import assemble
    from gearwright.train.expand import expand

    assert assemble(expand(load("tracked-steering", ["machines=[]", "cases=[]"]))).degrees_of_freedom == 2
    system = assemble(
        expand(load("simple-planetary", ["operating.fixed=[]", "operating.speeds={set.sun: 1, set.ring: 0}"]))
    )
    assert (system.shape.coordinates, system.shape.hard, system.degrees_of_freedom) == (6, 6, 2)


@pytest.mark.filterwarnings("error")
def test_a_train_of_shafts_carries_its_torque_through() -> None:
    """Without a mesh nothing shares a load: every shaft has the torque that comes in, and no warning of numerics is printed."""
    bodies, shafts = ("a", "b", "c"), {"s": ["a", "b"], "t": ["b", "c"]}
    line = {
        "name": "line",
        "bodies": [{"name": name, "inertia": 1.0} for name in bodies],
        "shafts": [{"name": name, "between": ends, "torsional_stiffness": 1e4} for name, ends in shafts.items()],
        "operating": {"input": "a", "output": "c", "speed": 100.0, "torque": 5.0},
    }
    found = power_flow(load(line))
    assert [abs(joint.torque) for joint in found.joints] == pytest.approx([5.0, 5.0])
    assert found.efficiency == pytest.approx(1.0)
