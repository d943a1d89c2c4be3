"""Expansion of a drivetrain: names, derived values, flanks, phases, kinematics, against formulas and tables."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gearwright.analyses.describe import describe
from gearwright.errors import DrivetrainError
from gearwright.train.expand import expand
from gearwright.train.kinematics import motion, rows_of, torque_flow
from gearwright.train.open import load
from gearwright.train.train import HOUSING, Train

DEG = math.pi / 180.0


def planetary(zs: int = 20, zp: int = 40, zr: int = 100, planets: object = 3, **more: object) -> dict:
    """A planetary stage with module 10 mm and solid discs 0.1 m thick."""
    stage = {
        "name": "s", "type": "planetary", "planets": planets, "module": "10 mm", "pressure_angle": "20 deg",
        "face_width": "100 mm", "material": "steel", "sun": {"teeth": zs}, "planet": {"teeth": zp},
        "ring": {"teeth": zr, "fixed": True}, "carrier": {"inertia": 0.15, "inertia_includes_planets": False},
        "meshes": {"sun_planet": {"stiffness": 500.0}, "ring_planet": {"stiffness": 500.0}}, **more,
    }  # fmt: skip
    return {"name": "small", "materials": {"steel": {"density": "7850 kg/m^3"}}, "stages": [stage]}


def test_names_of_the_expansion() -> None:
    train = expand(load("grc-750kw"))
    assert [b for b in train.bodies if b.startswith("stage1")] == [
        "stage1.carrier", "stage1.sun", "stage1.planet1", "stage1.planet2", "stage1.planet3", "stage1.ring",
    ]  # fmt: skip
    assert set(train.meshes) == {
        *(f"stage1.{kind}_planet{i}" for kind in ("sun", "ring") for i in (1, 2, 3)), "stage2.mesh", "stage3.mesh",
    }  # fmt: skip
    assert {"stage1.planet2_bearing", "stage1.sun_bearing", "stage2.wheel_bearing"} <= set(train.bearings)
    assert train.bearings["stage1.planet2_bearing"].between == ("stage1.planet2", "stage1.carrier")
    assert train.bearings["stage2.wheel_bearing"].between == ("stage2.wheel", HOUSING)
    assert train.meshes["stage1.ring_planet1"].between == ("stage1.planet1", "stage1.ring")
    assert train.bodies["generator"].role == "machine"


def test_grc_geometry() -> None:
    """S1 digest section 9: base diameters 369.26, 198.83, 937.35, 652.79, 183.10, 424.58, 106.14 mm, pins 302.58 mm."""
    train = expand(load("grc-750kw"))
    sun, planet = train.meshes["stage1.sun_planet1"].base_radius
    ring = train.meshes["stage1.ring_planet1"].base_radius[1]
    rest = [r for n in ("stage2.mesh", "stage3.mesh") for r in train.meshes[n].base_radius]
    found = [2e3 * r for r in (planet, sun, ring, *rest)]
    assert found == pytest.approx([369.26, 198.83, 937.35, 652.79, 183.10, 424.58, 106.14], abs=0.006)
    assert 1e3 * train.bodies["stage1.planet1"].pin_radius == pytest.approx(302.582, abs=1e-3)
    assert train.meshes["stage1.sun_planet1"].pressure_angle / DEG == pytest.approx(20.158, abs=5e-4)
    assert train.ratios["generator"] == pytest.approx(5.714286 * 3.565217 * 4.0, rel=1e-6)
    planets = train.members("planet", "stage1")
    assert [p.angle / DEG for p in planets] == pytest.approx([0.0, 120.0, 240.0])
    distance = math.dist(train.bodies["stage2.wheel"].place, train.bodies["stage2.pinion"].place)
    assert distance == pytest.approx(0.5 * (82 + 23) * 8.25e-3 / math.cos(14 * DEG), rel=1e-9)


def test_discs_of_the_small_stage() -> None:
    """S0 section 4.3: solid discs of 0.1/0.2 m: 24.66/98.65 kg, 0.12331/1.97292 kg m²; ring held."""
    train = expand(load(planetary()))
    sun, planet = train.bodies["s.sun"], train.bodies["s.planet3"]
    assert (sun.mass, planet.mass) == pytest.approx((24.66, 98.65), abs=0.01)
    assert (sun.inertia, planet.inertia) == pytest.approx((0.12331, 1.97292), abs=1e-5)
    assert planet.pin_radius == pytest.approx(0.3)
    assert train.bodies["s.ring"].fixed and train.stages["s"].inertia_includes_planets is False
    assert train.ratios["s.sun"] == pytest.approx(6.0) and train.ratios["s.planet1"] == pytest.approx(-1.5)
    assert sum("kg m² of a disc" in n.message for n in train.notes if n.level == "derived") == 2


def test_lin_parker_equivalent_masses() -> None:
    """Equivalent mass times base radius², pin radius from base radii and the working angle; the misfit is told."""
    train = expand(load("lin-parker-1999"))
    pin = (0.0387 + 0.05015) / math.cos(24.6 * DEG)
    assert train.bodies["stage.planet1"].pin_radius == pytest.approx(pin, rel=1e-12)
    assert train.bodies["stage.carrier"].inertia == pytest.approx(6.29 * pin**2, rel=1e-12)
    assert train.bodies["stage.sun"].inertia == pytest.approx(0.39 * 0.0387**2, rel=1e-12)
    assert train.bearings["stage.ring_bearing"].torsional == pytest.approx(1e9 * 0.1375**2, rel=1e-12)
    assert {m.pressure_angle for m in train.meshes.values()} == {24.6 * DEG}
    assert any("96.0697" in n.message for n in train.notes if n.level == "warning")


def test_500_kw_stage_flanks_and_phases() -> None:
    """decisions: turbine sun -1, planet at the ring +1; phases 0, 1/3, 2/3 rising, ring 0.070 after sun."""
    train = expand(load("nordtank-500kw-two-level"))
    sun = [train.meshes[f"stage1.sun_planet{i}"] for i in (1, 2, 3)]
    ring = [train.meshes[f"stage1.ring_planet{i}"] for i in (1, 2, 3)]
    assert [m.sigma for m in sun] == [-1] * 3 and [m.sigma for m in ring] == [1] * 3
    assert [m.phase for m in sun] == pytest.approx([0.0, 1 / 3, 2 / 3], abs=1e-9)
    assert [m.phase - s.phase for m, s in zip(ring, sun, strict=True)] == pytest.approx([0.070] * 3, abs=5e-4)
    assert {m.phase_source for m in (*sun, *ring)} == {"teeth"}
    # forward, the carrier turns at +1, the sun at 5.55: the phase row of every mesh rises at the same rate
    for mesh in (*sun, *ring):
        relative = train.ratios[mesh.between[0]] - 1.0
        assert mesh.phase_direction * mesh.teeth[0] * relative == pytest.approx(91.0, rel=1e-9)
    found = describe(train)
    assert found.meshes["stage1.sun_planet1"].contact_ratio_derived == pytest.approx(
        1.4713,
        abs=5e-4,  # of the table, whose centre distance is 5 um larger than the installed one
    )
    assert found.meshes["stage1.sun_planet1"].contact_ratio_given == 1.4713
    assert found.mesh_frequencies_hz["stage1.ring_planet3"] == pytest.approx(41.42, abs=5e-3)


def test_phases_between_planets_follow_from_teeth_where_base_circles_do_not_fit() -> None:
    """Every planet of 21/39/99 meets the same phase: 21 and 99 teeth divide by three. The file's printed base circles fit
    its teeth to 3e-4 only, which times seven teeth from planet to planet would be 0.002 cycles."""
    train = expand(load("nrel-5mw-gallego"))
    for kind in ("sun", "ring"):
        first, *others = [train.meshes[f"stage1.{kind}_planet{i}"] for i in (1, 2, 3)]
        for mesh in others:
            for mine, its in ((first.phase, mesh.phase), (first.coast_phase, mesh.coast_phase)):
                assert (its - mine + 0.5) % 1.0 == pytest.approx(0.5, abs=1e-9)


def test_500_kw_mesh_force_per_planet() -> None:
    """S0 section 8: 141.86 kN m at the carrier is 272 kN in all, 90.7 kN per planet, at sun and ring alike."""
    train = expand(load("nordtank-500kw-two-level"))
    turning = motion(train.bodies, rows_of(train.meshes, train.shafts, train.couplings), train.held)
    force, left = torque_flow(turning, "stage1.carrier", ["stage1.sun"])
    assert left < 1e-12
    for name, f in force.items():
        assert train.meshes[name].sigma * f * 141.86e3 == pytest.approx(90.67e3, rel=1e-4), name


@pytest.mark.parametrize(
    ("input", "output", "held", "ratio"),
    [
        ("s", "r", "c", lambda i0: i0), ("r", "s", "c", lambda i0: 1 / i0), ("s", "c", "r", lambda i0: 1 - i0),
        ("c", "s", "r", lambda i0: 1 / (1 - i0)), ("r", "c", "s", lambda i0: 1 - 1 / i0),
        ("c", "r", "s", lambda i0: 1 / (1 - 1 / i0)),
    ],
)  # fmt: skip
def test_six_inversions(input: str, output: str, held: str, ratio) -> None:
    """S3 digest section 6: ratios of the basic set, i0 = -z_r/z_s."""
    names = {"s": "sun", "r": "ring", "c": "carrier"}
    data = planetary(30, 21, 72)
    data["stages"][0]["ring"] = {"teeth": 72}
    data["operating"] = {"input": names[input], "output": names[output], "fixed": names[held]}
    train = expand(load(data), "rigid")
    assert describe(train).ratio == pytest.approx(ratio(-72 / 30), rel=1e-12)
    assert train.held == (f"s.{names[held]}",)


RAVIGNEAUX = {
    "name": "ravigneaux",
    "bodies": [
        {"name": "small_sun"}, {"name": "large_sun"}, {"name": "carrier"}, {"name": "ring"},
        {"name": "short_planet", "on": "carrier", "count": 3}, {"name": "long_planet", "on": "carrier", "count": 3},
    ],
    "elements": [
        {"name": "m1", "type": "mesh", "between": ["small_sun", "short_planet"], "teeth": [30, 18], "on": "carrier"},
        {"name": "m2", "type": "mesh", "between": ["short_planet", "long_planet"], "teeth": [18, 19], "on": "carrier"},
        {"name": "m3", "type": "mesh", "between": ["large_sun", "long_planet"], "teeth": [36, 19], "on": "carrier"},
        {"name": "m4", "type": "mesh", "between": ["ring", "long_planet"], "teeth": [72, 19], "internal": True,
         "on": "carrier"},
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("input", "fixed", "ratio"),
    [
        ("small_sun", "carrier", 72 / 30), ("small_sun", "large_sun", (1 + 36 / 30) / (1 + 36 / 72)),
        ("carrier", "large_sun", 1 / (1 + 36 / 72)), ("large_sun", "carrier", -72 / 36),
    ],
)  # fmt: skip
def test_ravigneaux_gears(input: str, fixed: str, ratio: float) -> None:
    """S3 digest section 6, closed forms; published 2.40, 1.47, 0.67, -2.00."""
    data = {**RAVIGNEAUX, "operating": {"input": input, "output": "ring", "fixed": fixed}}
    train = expand(load(data), "rigid")
    assert describe(train).ratio == pytest.approx(ratio, rel=1e-12)
    assert train.meshes["m4"].between == ("long_planet", "ring")
    assert train.bodies["short_planet"].count == 3


def test_steering_gear_with_one_brake_locked() -> None:
    """S3 section 9: A_L/A_R = 81/49 with the brake of one side locked (z_G/z_H = 60/20, z_A/z_B = 40/20)."""
    names = ["G", "H", "A_L", "A_R", "C_L", "C_R", "BF_L", "BF_R", "ED_L", "ED_R"]
    meshes = [("G", "H", 60, 20, None), ("A_L", "BF_L", 40, 20, None), ("A_R", "BF_R", 40, 20, None),
              ("BF_L", "ED_L", 45, 18, "G"), ("BF_R", "ED_R", 45, 18, "G"), ("C_L", "ED_L", 24, 39, "G"),
              ("C_R", "ED_R", 24, 39, "G"), ("ED_L", "ED_R", 18, 18, "G")]  # fmt: skip
    data = {
        "name": "steering",
        "bodies": [{"name": n, **({"on": "G"} if n.startswith("ED") else {})} for n in names],
        "elements": [
            {"name": f"{a}{b}", "type": "mesh", "between": [a, b], "teeth": [i, j], **({"on": on} if on else {})}
            for a, b, i, j, on in meshes
        ],
        "operating": {"input": "H", "output": "A_L", "fixed": "C_L"},
    }
    ratios = expand(load(data), "rigid").ratios
    left, right = ratios["A_L"], ratios["A_R"]
    assert max(left / right, right / left) == pytest.approx(81 / 49, rel=1e-12)
    free = expand(load({**data, "operating": {"input": "H", "output": "A_L"}}), "rigid")
    assert free.ratios == {} and any("2 independent motions" in n.message for n in free.notes)


@settings(max_examples=40, deadline=None)
@given(st.integers(17, 40), st.integers(17, 50), st.integers(1, 5))
def test_a_block_rotation_satisfies_every_row_on_a_carrier(zs: int, zp: int, planets: int) -> None:
    zr = zs + 2 * zp
    steps = [round((zs + zr) * i / planets) for i in range(planets)]
    angles = [f"{360.0 / (zs + zr) * k} deg" for k in steps]
    train = expand(load(planetary(zs, zp, zr, angles)))
    for row in rows_of(train.meshes, train.shafts, train.couplings).values():
        assert sum(row.values()) == pytest.approx(0.0, abs=1e-12)
    assert train.ratios["s.sun"] == pytest.approx(1 + zr / zs, rel=1e-9)
    assert train.ratios["s.planet1"] == pytest.approx(1 - zr / zp, rel=1e-9)


def test_working_angles_differ_per_mesh() -> None:
    """S1 section 9, 5 MW chapter 4: 30/45/117 at one pin radius works at 22.5 and 27.5 deg."""
    data = planetary(30, 45, 117, pressure_angle=None, module=None)
    stage = data["stages"][0]
    for key in ("module", "pressure_angle"):
        del stage[key]
    stage["sun"] = {"teeth": 30, "base_radius": "420 mm", "inertia": 1}
    stage["planet"] = {"teeth": 45, "base_radius": "630 mm", "inertia": 1}
    stage["ring"] = {"teeth": 117, "base_radius": "1638 mm", "fixed": True}
    stage["carrier"]["pin_radius"] = 1.05 / math.cos(22.5 * DEG)
    train = expand(load(data))
    assert 1e3 * train.bodies["s.planet1"].pin_radius == pytest.approx(1136.5, abs=0.1)
    assert train.meshes["s.sun_planet1"].pressure_angle / DEG == pytest.approx(22.5, abs=1e-9)
    assert train.meshes["s.ring_planet1"].pressure_angle / DEG == pytest.approx(27.5, abs=0.02)


def test_given_base_circle_wins_and_is_told() -> None:
    """The last pinion of the 5 MW box: 88/4.7618 teeth by its base radius, 22 teeth by name."""
    train = expand(load("nrel-5mw-gallego-source"))
    assert train.ratios["generator"] == pytest.approx(97.014, abs=1e-3)
    assert any("stage3.pinion" in n.where and "is given" in n.message for n in train.notes if n.level == "warning")
    found = describe(train)
    speed = train.speed * abs(train.ratios["stage3.wheel"])
    assert found.mesh_frequencies_hz["stage3.mesh"] == pytest.approx(88 * speed / (2 * math.pi), rel=1e-12)


def test_places_and_internal_pairs() -> None:
    data = {
        "name": "x",
        "stages": [
            {"name": "a", "type": "parallel", "module": 0.01, "pressure_angle": "20 deg", "azimuth": "90 deg",
             "wheel": {"teeth": 60, "inertia": 1}, "pinion": {"teeth": 20, "inertia": 1}, "mesh": {"stiffness": 1e9}},
            {"name": "b", "type": "parallel", "module": 0.01, "pressure_angle": "20 deg", "azimuth": "180 deg",
             "internal": True, "wheel": {"teeth": 90, "inertia": 1}, "pinion": {"teeth": 30, "inertia": 1},
             "mesh": {"stiffness": 1e9}},
            {"name": "d", "type": "direct", "shaft": {"inertia": 2}, "bearings": {"stiffness": 1e8}},
        ],
        "shafts": [
            {"name": "one", "between": ["a.pinion", "b.wheel"], "torsional_stiffness": 1e6},
            {"name": "two", "between": ["b.pinion", "d.shaft"], "torsional_stiffness": 1e6},
        ],
    }  # fmt: skip
    train = expand(load(data))
    assert train.bodies["a.pinion"].place == pytest.approx((0.0, 0.4))
    assert train.bodies["b.pinion"].place == pytest.approx((-0.3, 0.4))
    assert train.bodies["d.shaft"].place == pytest.approx((-0.3, 0.4))
    assert train.meshes["b.mesh"].between == ("b.pinion", "b.wheel") and train.meshes["b.mesh"].internal
    assert (train.input, train.output) == ("a.wheel", "d.shaft")
    assert train.ratios["d.shaft"] == pytest.approx(-3.0 * 3.0)  # external turns round, internal does not


def test_rigid_shafts_join_bodies() -> None:
    data = load("grc-750kw").raw
    shafts = [{"name": "ISS", "between": ["stage1.sun", "stage2.wheel"], "rigid": True}]
    shafts += [s for s in data["shafts"] if s["name"] != "ISS"]
    train, old = expand(load({**data, "shafts": shafts})), expand(load("grc-750kw"))
    joined = train.bodies["stage1.sun"]
    assert "stage2.wheel" not in train.bodies and train.alias == {"stage2.wheel": "stage1.sun"}
    assert joined.inertia == pytest.approx(old.bodies["stage1.sun"].inertia + old.bodies["stage2.wheel"].inertia)
    assert joined.mass == pytest.approx(old.bodies["stage1.sun"].mass + old.bodies["stage2.wheel"].mass)
    assert train.meshes["stage2.mesh"].between[0] == "stage1.sun"
    assert train.bearings["stage2.wheel_bearing"].between[0] == "stage1.sun"
    assert train.stages["stage2"].members["wheel"] == "stage1.sun"
    assert train.ratios["generator"] == pytest.approx(old.ratios["generator"], rel=1e-12)


def test_shaft_elements_keep_stiffness_and_inertia() -> None:
    """Drill string of the literature page section 2.5: G = 75e9, rho = 8000, 0.78/0.65 m, 800 m."""
    data = {
        "name": "string", "materials": {"pipe": {"shear": "75 GPa", "density": "8000 kg/m^3"}},
        "bodies": [{"name": "top", "inertia": 200}, {"name": "bit", "inertia": 10}],
        "shafts": [{"name": "pipe", "between": ["top", "bit"], "length": "800 m", "diameter": "0.78 m", "bore": "0.65 m",
                    "material": "pipe", "elements": 5}],
    }  # fmt: skip
    train = expand(load(data))
    polar = math.pi / 32 * (0.78**4 - 0.65**4)
    assert list(train.shafts) == [f"pipe.part{i}" for i in range(1, 6)]
    assert 1.0 / sum(1.0 / s.torsional for s in train.shafts.values()) == pytest.approx(75e9 * polar / 800, rel=1e-12)
    assert sum(s.consistent for s in train.shafts.values()) == pytest.approx(8000 * polar * 800, rel=1e-12)
    ends = [s.between for s in train.shafts.values()]
    assert (
        ends[0][0] == "top" and ends[-1][1] == "bit" and all(a[1] == b[0] for a, b in zip(ends, ends[1:], strict=False))
    )
    data["shafts"][0]["elements"] = None
    assert list(expand(load(data)).shafts) == ["pipe"]


def test_normal_stiffness_becomes_transverse() -> None:
    """k_t = k_n cos² of the base helix: 0.948 at 14 deg (physics notes, helical row)."""
    data = planetary(helix_angle="14 deg")
    data["stages"][0]["meshes"]["sun_planet"]["stiffness"] = {"mean": 1e9, "direction": "normal"}
    train = expand(load(data))
    assert train.meshes["s.sun_planet1"].stiffness.mean / 1e9 == pytest.approx(0.948, abs=5e-4)
    assert train.meshes["s.ring_planet1"].stiffness.mean == 500.0


def test_flanks_follow_the_direction_of_power() -> None:
    """A stage that steps down (sun drives) loads the other flanks; a torque at an idle body loads none."""
    data = planetary()
    data["operating"] = {"input": "sun", "output": "carrier"}
    train = expand(load(data))
    assert {m.sigma for n, m in train.meshes.items() if "sun" in n} == {1}
    assert {m.sigma for n, m in train.meshes.items() if "ring" in n} == {-1}


def test_pin_errors_bearings_and_given_phases() -> None:
    data = planetary()
    stage = data["stages"][0]
    stage["pin_errors"] = [["10 um", 0], [0, "-20 um"], [0, 0]]
    stage["bearings"] = {
        "planet": {"stiffness": 3e9, "clearance": "5 um"},
        "carrier": [{"name": "A", "stiffness": [1e9, 2e9]}, {"name": "B", "stiffness": [[2.0, 0.5], [0.5, 1.0]]}],
    }
    stage["meshes"]["ring_planet"] |= {"phase": 0.25, "coast_phase": 0.5}
    train = expand(load(data))
    errors = [e for i in (1, 2, 3) for e in train.bearings[f"s.planet{i}_bearing"].pin_error]
    assert errors == pytest.approx([1e-5, 0, 0, -2e-5, 0, 0], rel=1e-12)
    assert train.bearings["s.carrier_A"].stiffness == ((1e9, 0.0), (0.0, 2e9))
    assert train.bearings["s.carrier_B"].stiffness == ((2.0, 0.5), (0.5, 1.0))
    ring = [train.meshes[f"s.ring_planet{i}"] for i in (1, 2, 3)]
    assert (ring[0].phase, ring[0].coast_phase, ring[0].phase_source) == (0.25, 0.5, "given")
    assert (ring[1].phase - 0.25) % 1.0 == pytest.approx(1 / 3) and (ring[1].coast_phase - 0.5) % 1.0 == pytest.approx(
        1 / 3
    )


def test_planar_asks_for_places_by_name() -> None:
    data = {
        "name": "pair",
        "bodies": [{"name": "A", "inertia": 1, "mass": 1}, {"name": "B", "inertia": 1, "mass": 1}],
        "elements": [{"name": "m", "type": "mesh", "between": ["A", "B"], "base_radius": [0.3, 0.1], "stiffness": 1e6}],
    }
    expand(load(data), "torsional")
    with pytest.raises(DrivetrainError, match="elements.m: .*planar needs azimuth and pressure_angle"):
        expand(load(data), "planar")
    data["elements"][0] |= {"azimuth": "0 deg", "pressure_angle": "20 deg"}  # type: ignore[operator]
    placed = expand(load(data), "planar")
    assert math.dist(placed.bodies["A"].place, placed.bodies["B"].place) == pytest.approx(0.4 / math.cos(20 * DEG))


def test_describe_warns_and_is_json() -> None:
    found = describe(expand(load("grc-750kw")))
    data = found.to_dict()
    assert json.loads(json.dumps(data)) == data
    assert found.speed_ratio == pytest.approx(81.49, abs=2e-3) and found.ratio == pytest.approx(1 / 81.491, rel=1e-5)
    assert data["stages"]["stage1"]["assembly"] == {"sum": 120, "per_planet": 40.0, "whole": True}
    assert found.stages["stage1"].in_phase is True  # LIT 3.4: 99/3 and 21/3 are whole
    assert any("no hunting tooth, 88 and 22" in n for n in found.notes)
    assert any("base radius" in d for d in found.derived)
    poor = planetary()
    poor["stages"][0]["sun"]["tip_diameter"] = "201 mm"
    poor["stages"][0]["planet"]["tip_diameter"] = "401 mm"
    assert any("contact ratio" in w and "below 1" in w for w in describe(expand(load(poor))).warnings)


def test_train_has_what_readers_of_notes_need() -> None:
    train = expand(load("dtu-10mw"))
    assert isinstance(train, Train)
    assert all(n.level in ("derived", "assumed", "warning") and n.where and n.message for n in train.notes)
