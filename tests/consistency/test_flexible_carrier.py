"""Carriers that bend at fidelity spatial: pins and walls against closed forms of beams, reduced bodies on a carrier."""

import copy
import math

import numpy as np
import pytest

import gearwright as gw
from gearwright.assembly import AssemblyError
from gearwright.errors import DrivetrainError
from gearwright.schema.read import from_mapping
from gearwright.stiffness.beam import Beam, beam_mass, beam_stiffness

BEARING, RADIUS = 5e8, 0.3


def stage(carrier=None, model=None, planet=None, **top):
    """A planetary stage of spur gears whose planets float on one bearing each; sun and carrier in soft seats."""
    held = {"stiffness": 1e9, "axial_stiffness": 1e8, "tilt_stiffness": 1e7}
    return from_mapping({
        "name": "flexible",
        "materials": {"light": {"density": 1e-3}},
        "stages": [{
            "name": "s", "type": "planetary", "planets": 3, "module": "10 mm", "pressure_angle": "20 deg", "face_width": 0.1,
            "sun": {"teeth": 20, "mass": 25.0, "inertia": 0.12}, "planet": {"teeth": 40, "mass": 90.0, "inertia": 1.9},
            "ring": {"teeth": 100, "mass": 300.0, "inertia": 70.0, "fixed": True},
            "carrier": {"mass": 200.0, "inertia": 9.0, "inertia_includes_planets": False, **(carrier or {})},
            "meshes": {"sun_planet": {"stiffness": 1e9}, "ring_planet": {"stiffness": 1.2e9}},
            "bearings": {"sun": held, "carrier": held,
                         "planet": planet or {"stiffness": BEARING, "axial_stiffness": 1e8, "tilt_stiffness": 1e7}},
        }],
        "machines": [{"name": "generator", "type": "constant", "drives": ["s.sun"], "parameters": {"torque": 0.0}}],
        "operating": {"input": "s.carrier", "output": "s.sun", "speed": 1.0, "torque": 1e4},
        "model": {"fidelity": "spatial", "law": "linear", "frames": "frozen", **(model or {})}, **top,
    })  # fmt: skip


PINS = {"length": 0.24, "diameter": 0.08, "material": "light"}
PIN = Beam(0.24, 0.08, density=1e-3)


def bent(length):
    """12 E I / (L^3 (1 + Phi)) of a piece of the pin whose ends keep their slopes."""
    part = Beam(length, PIN.diameter, density=1e-3)
    return 12.0 * part.young * part.second_moment / length**3 / (1.0 + part.phi)


def planar_bearing(k):
    return {"stiffness": k}


@pytest.mark.parametrize("walls", [1, 2])
def test_pins_are_springs_in_series_with_the_bearings(walls):
    """A massless pin under a seat in its middle: 2 x 12 EI/(L/2)^3/(1 + Phi) between two walls; free at the far end, with
    the seat at L/2 from the wall, (L/2)^3/(3 EI) and the shear. The frequencies are those of softer bearings."""
    half = Beam(0.12, PIN.diameter)
    pin = 2.0 * bent(0.12)
    if walls == 1:
        shear = half.shear_coefficient * half.shear * half.area
        pin = 1.0 / (0.12**3 / (3.0 * half.young * half.second_moment) + 0.12 / shear)
    soft = 1.0 / (1.0 / BEARING + 1.0 / pin)
    assert soft < 0.97 * BEARING  # the pin is felt
    flexible = gw.modes(stage({"pins": {**PINS, "walls": walls}}, planet=planar_bearing(BEARING))).frequencies_hz
    plain = gw.modes(stage(planet=planar_bearing(soft))).frequencies_hz
    # what is left: the pins' own inertia (density 1e-3 kg/m^3) and, above all, modes of the pins themselves
    assert flexible[: len(plain)] == pytest.approx(plain, rel=1e-5, abs=1e-3)


def test_stout_pins_and_walls_are_the_rigid_carrier():
    """Everything of the carrier very stiff, the second wall without weight: the error falls with the pins' compliance (by
    shear, as they are stout, so with the square of the diameter)."""
    plain = gw.modes(stage()).frequencies_hz
    errors = []
    for d in (0.4, 0.8):
        wall = {"mass": 1e-3, "inertia": 1e-3, "stiffness": 1e14, "axial_stiffness": 1e14, "tilt_stiffness": 1e14,
                "torsional_stiffness": 1e14}  # fmt: skip
        found = gw.modes(stage({"pins": {**PINS, "diameter": d}, "second_wall": wall})).frequencies_hz[: len(plain)]
        errors.append(np.abs(found[1:] / plain[1:] - 1.0).max())
    assert errors[1] < 0.35 * errors[0] and errors[1] < 1e-3


def test_wind_up_of_the_walls():
    """Torque T on the carrier: planets push F = T/(N r) on the middles of the pins. A pin clamped in two walls, of which
    one turns by d = r theta, passes R = F/2 - 12 EI d/(L^3 (1 + Phi)) on to it, and the web turns it: N r R = k theta."""
    web = 2e8
    wall = {"mass": 80.0, "inertia": 3.0, "torsional_stiffness": web, "stiffness": 1e12, "axial_stiffness": 1e12,
            "tilt_stiffness": 1e12}  # fmt: skip
    file = stage({"pins": PINS, "second_wall": wall}, planet=planar_bearing(BEARING))
    torque = 1e4
    loads = gw.static_loads(file, {"s.carrier": torque})
    force = torque / (3 * RADIUS)
    twist = 2 * PIN.shear * PIN.second_moment / 0.24
    theta = 3 * RADIUS * force / 2 / (web + 3 * twist + 3 * RADIUS**2 * bent(0.24))
    assert abs(loads["s.carrier_web.moment_x"]) == pytest.approx(web * theta, rel=1e-5)
    # pin 1 points to +y: its force is along z; at the first wall it is the rest of F, and the clamped end's moment
    rest = force / 2 + bent(0.24) * RADIUS * theta
    assert abs(loads["s.pin1.shear_z"]) == pytest.approx(rest, rel=1e-5)
    moment = force * 0.24 / 8 + bent(0.24) * RADIUS * theta * 0.12
    assert abs(loads["s.pin1.moment_y"]) == pytest.approx(moment, rel=1e-4)
    tilt = [loads[f"s.planet{i}_bearing.force_z"] for i in (1, 2, 3)]
    assert tilt[0] == pytest.approx(-force, rel=1e-6) or tilt[0] == pytest.approx(force, rel=1e-6)


def test_wind_up_tilts_planets_with_two_bearings():
    """Two seats on each pin: the far wall lags, so the planets lean and one end of the face carries more."""
    seats = [{"name": "a", "stiffness": BEARING, "x": -0.04}, {"name": "b", "stiffness": BEARING, "x": 0.04}]
    base = {"mass": 80.0, "inertia": 3.0, "stiffness": 1e12, "axial_stiffness": 1e12, "tilt_stiffness": 1e12}
    leaning = []
    for web in (1e12, 1e8):
        file = stage({"pins": PINS, "second_wall": {**base, "torsional_stiffness": web}}, planet=seats)
        loads = gw.static_loads(file, {"s.carrier": 1e4})
        one, other = (math.hypot(loads[f"s.planet1_{b}.force_y"], loads[f"s.planet1_{b}.force_z"]) for b in "ab")
        leaning.append(other - one)
        assert abs(loads["s.sun_planet1.force"]) == pytest.approx(
            abs(loads["s.sun_planet2.force"]), rel=1e-6)  # fmt: skip
    assert abs(leaning[0]) < 1e-3 * 1e4 and abs(leaning[1]) > 20 * abs(leaning[0])


def fe_carrier(tmp_path, pins=3, grounded=0.0):
    """A carrier of beams: a hub node and three arms to the pins, as another program would reduce it."""
    size = 6 * (pins + 1)
    k, m = grounded * np.eye(size), 1e-3 * np.eye(size)
    beam = Beam(RADIUS, 0.15)
    for i in range(pins):
        a = 2 * math.pi * i / pins
        # the element's x along the arm (direction y turned by a), its z along the train's x
        t = np.array([[0.0, math.cos(a), math.sin(a)], [0.0, -math.sin(a), math.cos(a)], [1.0, 0.0, 0.0]])
        both = np.kron(np.eye(4), t)
        place = np.r_[0:6, 6 * (i + 1) : 6 * (i + 2)]
        k[np.ix_(place, place)] += both.T @ beam_stiffness(beam) @ both
        m[np.ix_(place, place)] += both.T @ beam_mass(beam) @ both
    np.savez(tmp_path / "carrier.npz", mass=m, stiffness=k)
    names = ["hub", *(f"pin{i + 1}" for i in range(pins))]
    places = [[0.0, 0.0, 0.0]] + [
        [0.0, RADIUS * math.cos(2 * math.pi * i / pins), RADIUS * math.sin(2 * math.pi * i / pins)] for i in range(pins)
    ]
    rigid = {"stiffness": 1e12, "axial_stiffness": 1e12, "tilt_stiffness": 1e12, "torsional_stiffness": 1e12}
    return {"reduced_bodies": [{"name": "arms", "matrices": str(tmp_path / "carrier.npz"), "nodes": names, "on": "s.carrier",
                                "places": places, "mounts": [{"node": "hub", **rigid}]}]}  # fmt: skip


@pytest.mark.parametrize("frames", ["frozen", "turning"])
def test_reduced_carrier_turns_with_the_train(tmp_path, frames):
    """Arms of beams between hub and pins, in the carrier's frame: the mount at the hub passes the whole torque, the first
    mode turns with the train, and the tangential compliance of the arms is in the first elastic mode."""
    extra = fe_carrier(tmp_path)
    file = stage(planet={"stiffness": BEARING, "support": "arms.pin"}, model={"frames": frames}, **extra)
    loads = gw.static_loads(file, {"s.carrier": 1e4})
    # the mount at the hub passes the whole torque
    assert abs(loads["arms_hub.moment_x"]) == pytest.approx(1e4, rel=1e-6)
    system = gw.modes(file)
    assert system.frequencies_hz[0] == pytest.approx(0.0, abs=1e-2)  # it turns freely with the train
    plain = gw.modes(stage(planet={"stiffness": BEARING})).frequencies_hz
    assert 1.0 < system.frequencies_hz[1] < plain[1]


def test_a_carrier_that_is_held_is_refused(tmp_path):
    extra = fe_carrier(tmp_path, grounded=1e9)
    with pytest.raises(DrivetrainError, match="resists a rigid motion"):
        gw.modes(stage(planet={"stiffness": BEARING, "support": "arms.pin"}, **extra))


@pytest.mark.parametrize("carrier, said", [
    ({"pins": {**PINS, "bore": 0.1}}, "bore of a pin"),
    ({"second_wall": {"mass": 80.0, "inertia": 3.0}}, "the place of the second wall"),
    ({"pins": {**PINS, "walls": 1}, "second_wall": {"mass": 80.0, "inertia": 3.0}}, "do not reach a second one"),
    ({"pins": PINS, "second_wall": {"mass": 800.0, "inertia": 3.0}}, "its second wall alone"),
])  # fmt: skip
def test_what_cannot_be_is_refused(carrier, said):
    with pytest.raises((DrivetrainError, AssemblyError), match=said):
        gw.modes(stage(carrier))


def test_seats_outside_the_pins_are_refused():
    with pytest.raises(AssemblyError, match="must lie between"):
        gw.modes(stage({"pins": PINS}, planet={"stiffness": BEARING, "x": 0.3}))


def test_pins_leave_the_other_fidelities_alone():
    plain = copy.deepcopy(stage({"pins": PINS}))
    assert gw.modes(plain, fidelity="planar").frequencies_hz == pytest.approx(
        gw.modes(stage(), fidelity="planar").frequencies_hz, rel=1e-12, abs=1e-9)  # fmt: skip


@pytest.mark.parametrize("bearings", [1, 2])
def test_three_and_four_point_suspension(bearings):
    """A gearbox on torque arms, a rotor on one main bearing (three points) or two (four): the arms take the torque of the
    ring, T (1 - 1/6), and bearings and arms together carry the weight of the rotor; with one bearing more of it reaches
    the arms, with two the moment of the overhang stays in them."""
    seat = {"stiffness": 1e10, "axial_stiffness": 1e10, "tilt_stiffness": 1e9}
    held = [{"name": "front", "x": 0.4, "stiffness": 5e9, "axial_stiffness": 1e9}]
    if bearings == 2:
        held.append({"name": "rear", "x": 1.6, "stiffness": 5e9})
    file = stage(
        bodies=[{"name": "rotor", "mass": 1000.0, "inertia": [5e3, 2.5e3, 2.5e3]},
                {"name": "box", "mass": 900.0, "inertia": [200.0, 150.0, 150.0]}],
        shafts=[{"name": "main", "between": ["rotor", "s.carrier"], "sections": [{"length": 2.0, "diameter": 0.25}],
                 "bearings": held}],
        elements=[
            {"name": "ring_seat", "type": "bearing", "between": ["s.ring", "box"], "torsional_stiffness": 1e9, **seat},
            {"name": "carrier_seat", "type": "bearing", "between": ["s.carrier", "box"], **seat},
            {"name": "sun_seat", "type": "bearing", "between": ["s.sun", "box"], **seat},
            {"name": "arms", "type": "bearing", "between": ["box", "housing"], "stiffness": [1e8, 1e8],
             "axial_stiffness": 1e8, "tilt_stiffness": 1e6, "torsional_stiffness": 1e7},
        ],
        operating={"input": "rotor", "output": "s.sun", "speed": 1.0, "torque": 1e4},
    )  # fmt: skip
    raw = file.raw
    raw["stages"][0]["ring"].pop("fixed")
    raw["stages"][0]["bearings"] = {"planet": raw["stages"][0]["bearings"]["planet"]}
    weight = 9810.0
    loads = gw.static_loads(from_mapping(raw), {"rotor": 1e4}, forces={"rotor": (0.0, 0.0, -weight)})
    assert abs(loads["arms.moment_x"]) == pytest.approx(1e4 * 5.0 / 6.0, rel=1e-6)
    main = [loads[f"main_{name}.force_z"] for name in ("front", "rear")[:bearings]]
    assert sum(main) + loads["arms.force_z"] == pytest.approx(-weight, rel=1e-6)
    if bearings == 1:
        # moments about the bearing: the arms lift the rear end, held by their tilt too
        assert loads["arms.force_z"] > 0.0 and main[0] < -weight
    else:
        assert main[1] > 0.0 and abs(loads["arms.force_z"]) < 0.1 * weight
