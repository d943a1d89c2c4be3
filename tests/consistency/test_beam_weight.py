"""C43: a beam's own weight acts along it. Truth: statics of the free part by hand, and closed forms of uniformly loaded beams."""

import math

import pytest

import gearwright as gw
from gearwright.assembly import assemble
from gearwright.stiffness.beam import Beam, uniform_load

G = 9.81
#: the shaft of the tests: 3 m of 500 mm steel
LINE = 7850.0 * math.pi / 4 * 0.5**2 * G  # N/m


def shaft_file(*, ends=None, gravity=True, gauges=(0.4, 1.5), elements=(), link=None, **shaft):
    """A rotor of 20 t and a disc of 500 kg on a shaft with bearings at 0.8 and 2.6 m."""
    bodies = ends or [
        {"name": "rotor", "inertia": [1e5, 5e4, 5e4], "mass": 20000.0},
        {"name": "disc", "inertia": [100.0, 50.0, 50.0], "mass": 500.0},
    ]
    held = [
        {"name": "A", "stiffness": 1e10, "x": 0.8},
        {"name": "B", "stiffness": 1e10, "axial_stiffness": 1e9, "x": 2.6},
    ]
    return gw.load({
        "name": "shaft-weight", "bodies": bodies,
        "shafts": [
            {"name": "main", "between": ["rotor", "disc"], "diameter": 0.5, "length": 3.0, "bearings": held, "gauges": list(gauges), **shaft},
            {"name": "coupling", "between": ["disc", "generator"], **(link or {"torsional_stiffness": 1e7})},
        ],
        "elements": list(elements),
        "machines": [{"name": "generator", "type": "constant", "inertia": 10.0, "parameters": {"torque": 1e3}}],
        "model": {"fidelity": "spatial", "law": "linear", "gravity": gravity},
        "operating": {"input": "rotor", "output": "generator", "speed": 1.0, "torque": 1e3},
        "cases": [{"name": "c", "duration": 0.1, "loads": [{"on": "rotor", "torque": 1e3}]}],
    })  # fmt: skip


def left_of(section, loads):
    """Force and moment about y of forces (place, z force) left of a section, and of the shaft's weight there."""
    force = sum(f for x, f in loads if x < section) - LINE * section
    moment = -sum((x - section) * f for x, f in loads if x < section) - 0.5 * LINE * section**2
    return force, moment


@pytest.mark.parametrize("section", [0.4, 0.8 + 1e-6, 1.5, 2.5999, 2.9])
def test_section_loads_of_a_shaft_under_its_own_weight(section):
    """Hub loads (300, 20, -50) kN, 400 and -150 kN m: at 1.5 m 125.71 kN m about y, shear -108.85 kN."""
    loads = gw.static_loads(shaft_file(gauges=[section]), {"rotor": 0.0}, forces={"rotor": (300e3, 20e3, -50e3)},
                            moments={"rotor": (400e3, -150e3)})  # fmt: skip
    front, disc = -50e3 - 20000.0 * G, -500.0 * G
    # moments about the first bearing, in the sense of a slope of z (the opposite of a moment about y)
    b = -(-0.8 * front + 0.7 * -3.0 * LINE + 2.2 * disc - 400e3) / 1.8
    a = -(front - 3.0 * LINE + disc + b)
    shear, moment = left_of(section, [(0.0, front), (0.8, a), (2.6, b)])
    if section == 1.5:
        assert (shear, moment + 400e3) == pytest.approx((-108.85e3, 125.71e3), rel=1e-4)
    assert loads["main_A.force_z"] == pytest.approx(-a, rel=1e-9) and loads["main_B.force_z"] == pytest.approx(
        -b, rel=1e-9
    )
    assert loads["main.gauge1.shear_z"] == pytest.approx(shear, rel=1e-9)
    assert loads["main.gauge1.moment_y"] == pytest.approx(moment + 400e3, rel=1e-6)


def test_a_tilted_shaft_hangs_on_its_axial_bearing():
    """Gravity with a part along x: the pull grows along the shaft by its weight."""
    tilt = math.radians(6.0)
    given = gw.load(shaft_file(gauges=[1.5]), [f"gravity={{vector: [{G * math.sin(tilt)}, 0, {-G * math.cos(tilt)}]}}"])
    loads = gw.static_loads(given, {"rotor": 0.0})
    assert loads["main.gauge1.force_x"] == pytest.approx((20000.0 * G + 1.5 * LINE) * math.sin(tilt), rel=1e-9)
    assert loads["main_B.force_x"] == pytest.approx((20500.0 * G + 3.0 * LINE) * math.sin(tilt), rel=1e-9)


def test_end_loads_of_a_uniformly_loaded_beam():
    """Clamped ends: q L^2/12. A hinge: a cantilever on a prop, q L (3/8 + Phi/8)/(1 + Phi/4), from deflections written here."""
    beam = Beam(1.3, 0.4, 0.1)
    assert uniform_load(beam) == (pytest.approx((0.65, 1.3**2 / 12)), pytest.approx((0.65, -(1.3**2) / 12)))
    bend, shear = beam.young * beam.second_moment, beam.shear_coefficient * beam.shear * beam.area
    length = beam.length
    prop = (length**4 / (8 * bend) + length**2 / (2 * shear)) / (length**3 / (3 * bend) + length / shear)
    first, second = uniform_load(beam, "first")
    assert first == pytest.approx((prop, 0.0), rel=1e-12)
    assert second == pytest.approx((length - prop, -(0.5 * length**2 - prop * length)), rel=1e-12)
    mirrored = uniform_load(beam, "second")
    assert mirrored == (pytest.approx((second[0], -second[1])), pytest.approx(first))


def test_a_splined_shaft_carries_its_weight_to_both_sides():
    """A spline passes no moment: the section there carries force only, and both bearings together all the weight."""
    stand = {
        "type": "bearing",
        "name": "stand",
        "between": ["disc", "housing"],
        "stiffness": 1e10,
        "axial_stiffness": 1e9,
        "tilt_stiffness": 1e9,
    }
    given = shaft_file(spline="second", gauges=[2.6 + 1e-9, 2.8, 3.0], elements=[stand])
    loads = gw.static_loads(given, {"rotor": 0.0})
    whole = 20500.0 * G + 3.0 * LINE
    assert sum(loads[f"{name}.force_z"] for name in ("main_A", "main_B", "stand")) == pytest.approx(-whole, rel=1e-6)
    assert abs(loads["main.gauge3.moment_y"]) < 1e-6 * whole
    # between bearing and spline the shear falls by the weight of 0.4 m
    assert loads["main.gauge1.shear_z"] - loads["main.gauge2.shear_z"] == pytest.approx(0.2 * LINE, rel=1e-6)
    assert loads["main.gauge2.shear_z"] - loads["main.gauge3.shear_z"] == pytest.approx(0.2 * LINE, rel=1e-6)


def test_a_shaft_with_an_end_without_mass_weighs_too():
    """It only twists, a link between its ends: half of its weight rests on the end with mass, and the model says so."""
    plain, long = shaft_file(), shaft_file(link={"diameter": 0.4, "length": 1.0})
    link = 7850.0 * math.pi / 4 * 0.4**2 * G
    total = [sum(v for k, v in gw.static_loads(d, {"rotor": 0.0}).items() if k in ("main_A.force_z", "main_B.force_z"))
             for d in (plain, long)]  # fmt: skip
    assert total[0] == pytest.approx(-(20500.0 * G + 3.0 * LINE), rel=1e-9)
    assert total[1] - total[0] == pytest.approx(-0.5 * link, rel=1e-6)
    notes = gw.modes(long).system.provenance.notes
    said = [n for n in notes if "half of its" in n]
    assert said and said[0].kind == "assumed"


def test_weight_of_a_shaft_on_a_turning_carrier():
    """The main shaft of a planetary gearbox ends on a member of a turning frame: the rotor's side is in balance all the same."""
    loads = gw.static_loads(gw.load("nrel-5mw-nejad-source", ["model.gravity=true", "shafts.main.gauges=[1 m, 1.9 m]"]),
                            {"rotor": 0.0}, fidelity="spatial")  # fmt: skip
    line = 7850.0 * math.pi / 4 * 0.7**2 * G
    a, b = loads["main_INP_A.force_z"], loads["main_INP_B.force_z"]
    front = -110000.0 * G
    assert loads["main.gauge1.shear_z"] == pytest.approx(front - a - 1.0 * line, rel=1e-9)
    assert loads["main.gauge2.shear_z"] == pytest.approx(front - a - b - 1.9 * line, rel=1e-6)
    # r x F about the section, r along x; the first bearing also holds the tilt, and a little the spring beside the damper of the air
    tilt = loads["main_INP_A.moment_y"] + loads["main_air.moment_y"]
    about = 1.9 * front - 1.6 * a - 0.2 * b - 0.5 * 1.9**2 * line - tilt
    assert loads["main.gauge2.moment_y"] == pytest.approx(about, rel=1e-6)


def test_signs_of_section_loads_say_what_they_are():
    system = assemble(gw.expand(shaft_file()), "spatial", "linear")
    signs = {c.name: c.sign for c in system.channels if c.name.startswith("main.gauge1.")}
    assert all(signs[f"main.gauge1.{q}"].startswith("force ") for q in ("force_x", "shear_y", "shear_z"))
    assert all(signs[f"main.gauge1.{q}"].startswith("moment ") for q in ("moment_y", "moment_z", "torque"))
