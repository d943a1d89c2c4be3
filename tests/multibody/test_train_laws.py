"""Losses, machines, brakes, rolling elements and true teeth in mechanisms: against fidelity planar, torsional, and closed forms."""

import math

import numpy as np
import pytest

from gearwright.errors import DrivetrainError
from gearwright.multibody import MultibodyError, equilibrium, simulate
from gearwright.multibody.reactions import reactions_over_time
from gearwright.results import Result
from gearwright.running.mechanism import mechanism_of, step_of
from gearwright.running.run import simulate as simulate_case
from gearwright.train.open import load

RADII = (
    0.04 * math.cos(math.radians(20)),
    0.08 * math.cos(math.radians(20)),
)  # base circles of 20 and 40 teeth of 4 mm
DRIVEN = {"speeds": {"pair.pinion": "600 rpm"}, "loads": [{"on": "pair.wheel", "torque": "400 N m"}]}
FREE = {
    "loads": [{"on": "pair.pinion", "torque": "200 N m"}, {"on": "pair.wheel", "torque": "300 N m"}], "start": "operating",
}  # fmt: skip
CYLINDRICAL = {
    "type": "cylindrical", "element_diameter": "12 mm", "pitch_diameter": "60 mm", "elements": 12, "element_length": "12 mm",
    "play": "20 um", "law": "nonlinear",
}  # fmt: skip


def tabled(speed):
    """Efficiency between 0.9 at rest and 0.98 at 100 rad/s: (1 - eta)/(1 + eta) is linear between."""
    low, high = ((1.0 - x) / (1.0 + x) for x in (0.9, 0.98))
    kappa = low + (high - low) * speed / 100.0
    return (1.0 - kappa) / (1.0 + kappa)


def pair(law="linear", mesh=None, case=DRIVEN, bearing=None, duration=0.04):
    """A spur pair 20/40, the wheel above and beside the pinion, on bearings."""
    bearing = {"stiffness": 2e8, "damping": {"ratio": 0.05}} if bearing is None else bearing
    stage = {
        "name": "pair", "type": "parallel", "module": "4 mm", "pressure_angle": "20 deg", "azimuth": "35 deg", "material": "steel",
        "pinion": {"teeth": 20, "face_width": "40 mm", "mass": 2, "inertia": 0.01, "bore": "30 mm"},
        "wheel": {"teeth": 40, "face_width": "40 mm", "mass": 6, "inertia": 0.02, "bore": "60 mm"},
        "mesh": {"stiffness": {"from": "analytic"}, "damping": {"ratio": 0.05}, **(mesh or {})},
        "bearings": {"pinion": bearing, "wheel": bearing},
    }  # fmt: skip
    return load({
        "name": "pair", "materials": {"steel": {"young": "206 GPa", "poisson": 0.3}}, "stages": [stage],
        "model": {"fidelity": "multibody", "law": law},
        "operating": {"input": "pair.pinion", "output": "pair.wheel", "speed": "600 rpm", "torque": "200 N m"},
        "cases": [{"name": "steady", "duration": duration, "start": "equilibrium", "output_interval": 1e-4, "counting_interval": 1e-4, **case}],
    })  # fmt: skip


def as_mechanism(file):
    """Motion of the mechanism of a file."""
    made, drivetrain, case, length = mechanism_of(file, None, ())
    run = simulate(made, length, step_of(made, drivetrain), case.output_interval)
    assert max(run.position_error, run.velocity_error) < 1e-10
    return run


def torque(run, body="pair.pinion"):
    """Torque of the motor that drives a body, over time."""
    joint = f"{body}_speed"
    _, moment, _ = reactions_over_time(run, [joint], [])
    return moment[1:, 0, 0]


def normal(run, mesh="pair.mesh"):
    """Tooth force over time, on both flanks together."""
    _, _, teeth = reactions_over_time(run, [mesh], [mesh])
    return np.abs(teeth[1:, 0, 0])


def as_other(file, fidelity, tmp_path, *channels, tolerance=1e-6):
    """Channels of the same file at another fidelity."""
    run = simulate_case(file, fidelity=fidelity, output=tmp_path / "other.nc", tolerance=tolerance)
    with Result.open(run.result_file) as result:
        return [np.asarray(result.series(*c).values, float) for c in channels]


def spin(run, body):
    """Speed of a body about x over time."""
    k = next(i for i, b in enumerate(run.mechanism.bodies) if b.name == body)
    return run.velocity[1:, k, 3]


@pytest.mark.parametrize(("mesh", "wanted"), [
    ({"efficiency": 0.97}, 200.0 / 0.97),
    ({"efficiency": [0.9, 0.97]}, 200.0 / 0.97),  # the wheel is first in this mesh, and is driven
    ({"efficiency": 0.97, "compliance": "series"}, 200.0 / 0.97),
    ({"efficiency": {"table": [[0.0, 0.9], [100.0, 0.98]]}}, 200.0 / tabled(10.0 * math.pi)),
])  # fmt: skip
def test_efficiency_of_a_mesh(mesh, wanted):
    """At constant speed the pinion brings what the wheel takes, over the efficiency."""
    run = as_mechanism(pair(mesh={"loss": mesh}))
    assert torque(run)[-50:].mean() == pytest.approx(wanted, rel=1e-8)


def test_a_driven_pinion_loses_the_other_way():
    run = as_mechanism(
        pair(
            mesh={"loss": {"efficiency": [0.9, 0.97]}}, case={**DRIVEN, "loads": [{"on": "pair.wheel", "torque": -400}]}
        )
    )
    assert torque(run)[-50:].mean() == pytest.approx(-200.0 * 0.9, rel=1e-8)


@pytest.mark.parametrize(("loss", "law"), [
    ({"fraction": 0.02}, "linear"), ({"friction_coefficient": 0.05}, "linear"), ({"efficiency": 0.97}, "tooth_contact"),
    ({"sliding_friction": 0.06}, "tooth_contact"), ({"efficiency": 0.95, "compliance": "series"}, "linear"),
])  # fmt: skip
def test_losses_are_those_of_planar(loss, law, tmp_path):
    """The same loss through the true line of centres here and through rows in fixed axes there: the centres move by 1e-4 of their
    distance. In tooth contact the means are of samples that do not meet the same instants."""
    file = pair(law, {"loss": loss})
    run = as_mechanism(file)
    force, drive = as_other(file, "planar", tmp_path, ("pair.mesh", "force"), ("pair.pinion", "torque"), tolerance=1e-5)
    late = slice(200, len(drive))
    close = 2e-4 if law == "tooth_contact" else 5e-5
    assert normal(run)[late].mean() == pytest.approx(np.abs(force)[late].mean(), rel=close)
    assert torque(run)[late].mean() == pytest.approx(drive[late].mean(), rel=close)


@pytest.mark.parametrize("loss", [{"efficiency": 0.97}, {"fraction": 0.15}])
def test_losses_of_rigid_meshes(loss, tmp_path):
    """The tooth force of rigid rows depends on its own friction: against the engine that solves for both at once."""
    file = pair("rigid", {"loss": loss}, FREE, {}, 0.2)
    run = as_mechanism(file)
    (want,) = as_other(file, "torsional", tmp_path, ("pair.pinion", "speed"), tolerance=1e-9)
    assert spin(run, "pair.pinion")[: len(want)] == pytest.approx(want, rel=1e-6)  # files keep seven digits


def test_losses_of_rigid_planets_share(tmp_path):
    """Redundant rigid meshes of three planets share by the least norm at both fidelities."""
    file = _planetary()
    run = as_mechanism(file)
    (want,) = as_other(file, "torsional", tmp_path, ("stage.sun", "speed"), tolerance=1e-9)
    # the start of a mechanism and of a train differ by nothing: rigid rows, centres fixed to the pins
    assert spin(run, "stage.sun")[: len(want)] == pytest.approx(want, rel=2e-6)


def _planetary():
    stage = {
        "name": "stage", "type": "planetary", "planets": 3, "module": "4 mm", "pressure_angle": "20 deg",
        "sun": {"teeth": 21, "inertia": 0.01, "mass": 2}, "planet": {"teeth": 21, "inertia": 0.01, "mass": 2},
        "ring": {"teeth": 63, "fixed": True}, "carrier": {"inertia": 0.2, "inertia_includes_planets": False},
        "meshes": {"sun_planet": {"loss": {"efficiency": 0.97}}, "ring_planet": {"loss": {"efficiency": 0.98}}},
    }  # fmt: skip
    return load({
        "name": "stage", "stages": [stage], "model": {"fidelity": "multibody", "law": "rigid"},
        "operating": {"input": "stage.carrier", "output": "stage.sun", "speed": "60 rpm", "torque": "400 N m"},
        "cases": [{"name": "run", "duration": 0.5, "start": "operating", "output_interval": 1e-3,
                   "loads": [{"on": "stage.carrier", "torque": "400 N m"}, {"on": "stage.sun", "torque": "-60 N m"}]}],
    })  # fmt: skip


@pytest.mark.parametrize("friction", [
    {"torque": 5.0, "viscous": 0.02}, {"stribeck": {"breakaway": 8.0, "coulomb": 4.0, "speed": 20.0}},
])  # fmt: skip
def test_friction_of_bearings(friction, tmp_path):
    """Run up against friction in both bearings, from the operating speed: never near standstill, where steps cannot stick."""
    file = pair(case=FREE, bearing={"stiffness": 2e8, "damping": {"ratio": 0.05}, "friction": friction}, duration=0.1)
    run = as_mechanism(file)
    (want,) = as_other(file, "planar", tmp_path, ("pair.pinion", "speed"))
    # planar begins unwound, this with its springs under load: half the twist of 2e-5 m away in speed for a moment
    assert spin(run, "pair.pinion")[len(want) - 1] == pytest.approx(want[-1], rel=1e-5)


@pytest.mark.parametrize("rolling", [
    CYLINDRICAL,
    {**CYLINDRICAL, "type": "deep_groove", "elements": 9, "play": 0.0, "element_length": None,
     "defects": [{"on": "outer", "angle": "30 deg", "width": "2 mm", "depth": "5 um"}]},
])  # fmt: skip
def test_rolling_bearings_are_those_of_planar(rolling, tmp_path):
    """Elements that pass under the load, clearance, a pit: tooth force to a thousandth of its swing."""
    file = pair(bearing={"damping": {"value": 2e4}, "rolling": {k: v for k, v in rolling.items() if v is not None}})
    run = as_mechanism(file)
    (want,) = as_other(file, "planar", tmp_path, ("pair.mesh", "force"))
    want, late = np.abs(want), slice(200, len(want))
    assert np.abs(normal(run)[late] - want[late]).max() < 2e-2 * np.ptp(want[late])


@pytest.mark.parametrize("mesh", [
    {"profile": {"pinion": {"sine": {"periods": 1, "amplitude": 0.3}}}},
    {"excitation": [{"base": "first", "order": 2, "amplitude": 1e-5}]},
    {"excitation": [{"base": "mesh", "order": 1, "amplitude": 1e-6}]},
])  # fmt: skip
def test_errors_over_the_circumference(mesh, tmp_path):
    file = pair(mesh=mesh)
    run = as_mechanism(file)
    (want,) = as_other(file, "planar", tmp_path, ("pair.mesh", "force"))
    want, late = np.abs(want), slice(200, len(want))
    assert np.ptp(normal(run)[late]) == pytest.approx(np.ptp(want[late]), rel=2e-2)
    assert normal(run)[late].mean() == pytest.approx(want[late].mean(), rel=1e-4)


# --- machines, controllers, brakes -----------------------------------------------------------------------------------

PLATE = {"rated_power": 1.585e5, "synchronous_speed": 157.08, "rated_slip": 0.01}


def two(machine=None, case=None, speed="158.6 rad/s", elements=()):
    """Two masses on a shaft."""
    return load({
        "name": "two", "bodies": [{"name": "a", "inertia": 100.0}, {"name": "b", "inertia": 20.0}],
        "shafts": [{"name": "s", "between": ["a", "b"], "torsional_stiffness": 1e5, "damping": 50.0}],
        "machines": [] if machine is None else [{"name": "g", "drives": ["b"], **machine}], "elements": list(elements),
        "model": {"fidelity": "multibody", "law": "linear"},
        "operating": {"input": "a", "output": "b", "speed": speed, "torque": 1000.0},
        "cases": [{"name": "run", "duration": 1.0, "start": "equilibrium", "output_interval": 1e-3, **(case or {})}],
    })  # fmt: skip


STEP = {"loads": [{"on": "a", "torque": {"step": {"from": 1000.0, "to": 1500.0, "at": 0.2}}}]}
FAULT = {
    "loads": [{"on": "a", "torque": 1000.0}],
    "events": [{"type": "grid_fault", "at": 0.3, "profile": [[0, 0.3], [0.15, 0.3], [0.2, 1.0]]}],
}  # fmt: skip
HELD = {"loads": [
    {"on": "a", "torque": {"step": {"from": 0.0, "to": 1500.0, "at": 0.2}}},
    {"on": "b", "control": {"speed": "157 rad/s", "proportional": 200.0, "integral": 1000.0, "derivative": 1.0, "filter_time": 0.005,
                            "limit": 2000.0}},
]}  # fmt: skip


@pytest.mark.parametrize(("machine", "case", "speed"), [
    ({"type": "induction", "parameters": PLATE}, STEP, "158.6 rad/s"),
    ({"type": "induction", "parameters": {**PLATE, "order": 5}}, FAULT, "158.6 rad/s"),
    (None, HELD, "157 rad/s"),
    ({"type": "engine_map", "parameters": {"full_load": [[0, -900], [100, -950], [157, -1000], [200, -1100]]}}, STEP, "157 rad/s"),
])  # fmt: skip
def test_machines_are_those_of_torsional(machine, case, speed, tmp_path):
    """Flux transients, a fault of the grid, a controller with its integral and limit: the same law under another method."""
    file = two(machine, case, speed)
    run = as_mechanism(file)
    (want,) = as_other(file, "torsional", tmp_path, ("a", "speed"), tolerance=1e-9)
    assert np.ptp(want) > 0.3
    assert spin(run, "a")[: len(want)] == pytest.approx(want, abs=1e-5 + 1e-6 * np.ptp(want), rel=1e-7)


def test_a_brake_stops_a_shaft():
    """J w / T from the instant the capacity is there; the shaft's swing and the rise of the capacity are counted by momentum:
    J w = int T dt. Then it stands, but for the creep of a brake that holds nothing."""
    brake = {
        "name": "brake",
        "type": "brake",
        "between": ["b", "housing"],
        "capacity": {"torque": 5000.0, "rise": 0.05},
        "engaged": False,
    }
    case = {"start": "operating", "loads": [{"on": "a", "torque": 0.0}], "duration": 6.0,
            "events": [{"at": 0.5, "set": "brake.engaged", "to": True}]}  # fmt: skip
    run = as_mechanism(two(None, case, "157 rad/s", [brake]))
    speed = (100.0 * spin(run, "a") + 20.0 * spin(run, "b")) / 120.0
    t = run.time[1:]
    assert speed[t < 0.5] == pytest.approx(np.full((t < 0.5).sum(), 157.0), rel=1e-9)
    stop = 0.5 + 0.025 + 120.0 * 157.0 / 5000.0
    going = (t > 0.6) & (t < stop - 0.3)
    assert speed[going] == pytest.approx(5000.0 / 120.0 * (stop - t[going]), rel=1e-6)
    assert np.abs(spin(run, "b")[t > stop + 1.0]).max() < 1e-2 * 157.0


# --- gears with true teeth and rolling bearings among joints ---------------------------------------------------------


def joints(law, gear=None, bearing=None, **pair_facts):
    """The pair of :func:`pair` spelled out in joints."""
    azimuth, distance = math.radians(35.0), 0.12
    bodies = [
        {"name": "w", "mass": 6, "inertia": [0.02, 0.011, 0.011]}, {"name": "p", "mass": 2, "inertia": [0.01, 0.006, 0.006]},
    ]  # fmt: skip
    bearing = bearing or {"stiffness": 2e8, "damping": 3e4}
    elements = [{"name": f"{n}_plane", "type": "planar", "between": [n, "housing"], "axis": "x"} for n in "wp"]
    elements += [
        {"name": f"{n}_bearing", "type": "radial", "between": [n, "housing"], "axis": "x", **bearing} for n in "wp"
    ]
    teeth = {
        "module": "4 mm", "pressure_angle": "20 deg", "material": "steel", "torque": "400 N m",
        "first": {"teeth": 40, "face_width": "40 mm", "bore": "60 mm"}, "second": {"teeth": 20, "face_width": "40 mm", "bore": "30 mm"},
        **pair_facts,
    }  # fmt: skip
    elements.append({"name": "mesh", "type": "gear", "between": ["w", "p"], "axis": "x", "law": law, "pair": teeth,
                     "stiffness": {"from": "analytic"}, "damping": 2000.0, **(gear or {})})  # fmt: skip
    return load({
        "name": "joints", "materials": {"steel": {"young": "206 GPa", "poisson": 0.3}}, "bodies": bodies, "elements": elements,
        "assembly": {"p": {"at": [0.0, distance * math.cos(azimuth), distance * math.sin(azimuth)]}},
        "model": {"fidelity": "multibody"},
        "cases": [{"name": "steady", "duration": 0.06, "start": "rest", "output_interval": 1e-4, "speeds": {"p": "600 rpm"},
                   "loads": [{"on": "w", "torque": "400 N m"}], "initial": {"w": {"spin": [-10.0 * math.pi, None, None]}}}],
    })  # fmt: skip


@pytest.mark.parametrize(("law", "loss"), [
    ("tooth_contact", {}), ("tooth_contact", {"sliding_friction": 0.06}), ("linear", {"efficiency": 0.97}),
    ("periodic", {"fraction": 0.02}),
])  # fmt: skip
def test_a_gear_of_joints_with_true_teeth(law, loss, tmp_path):
    """Joints, and a stage at fidelity planar: the same teeth. The mechanism begins unloaded, and both are looked at once their
    swings have died down; tooth 0 stands elsewhere, so spectra of the mesh harmonics are compared, not instants. Samples at 10 kHz
    of edges that ring to 5 kHz: a few per cent of the harmonics."""
    facts = {"mesh": {"loss": loss}} if loss else {}
    run = as_mechanism(joints(law, **facts))
    mesh = {"damping": {"value": 2000.0}, **({"loss": loss} if loss else {})}
    file = pair(law, mesh, bearing={"stiffness": 2e8, "damping": {"value": 3e4}}, duration=0.06)
    force, drive = as_other(file, "planar", tmp_path, ("pair.mesh", "force"), ("pair.pinion", "torque"), tolerance=1e-5)
    mine, want = normal(run, "mesh")[-200:], np.abs(force)[-200:]  # four mesh cycles of 5 ms
    assert mine.mean() == pytest.approx(want.mean(), rel=2e-3)
    assert torque(run, "p")[-200:].mean() == pytest.approx(drive[-200:].mean(), rel=2e-3)
    if law == "periodic":
        return  # its force jumps with the stiffness: samples at 10 kHz say little of the harmonics
    orders = [np.abs(np.fft.rfft(x))[4:17:4] for x in (mine, want)]
    assert orders[0] == pytest.approx(orders[1], rel=0.05, abs=2e-3 * np.abs(np.fft.rfft(want))[0])


def test_a_rolling_bearing_among_joints(tmp_path):
    bearing = {"damping": 2e4, "rolling": CYLINDRICAL}
    run = as_mechanism(joints("linear", bearing=bearing))
    file = pair(
        mesh={"damping": {"value": 2000.0}}, bearing={"damping": {"value": 2e4}, "rolling": CYLINDRICAL}, duration=0.06
    )
    (want,) = as_other(file, "planar", tmp_path, ("pair.mesh", "force"))
    late = slice(400, len(want))
    assert np.abs(normal(run, "mesh")[late] - np.abs(want)[late]).max() < 0.1 * np.ptp(want[late])


def test_a_rolling_bearing_in_space():
    """A rotor on an angular contact bearing under a thrust and a weight, at rest: the bearing carries just these, and at the
    place where it rests the sum over its elements (stiffness of parts) is the same load."""
    from gearwright.bearings.ratings import geometry_of

    rolling = {"type": "angular_contact", "element_diameter": "20 mm", "pitch_diameter": "100 mm", "elements": 12,
               "contact_angle": "25 deg", "law": "nonlinear"}  # fmt: skip
    file = load({
        "name": "rotor", "bodies": [{"name": "rotor", "mass": 100.0, "inertia": [2.0, 4.0, 4.0]}],
        "elements": [{"name": "front", "type": "revolute", "between": ["rotor", "housing"], "axis": "x", "damping": {"stiffness_proportional": 1e-3}, "rolling": rolling}],
        "model": {"fidelity": "multibody", "step": 5e-6},
        "cases": [{"name": "run", "duration": 0.5, "start": "rest",
                   "loads": [{"on": "rotor", "force": [20000.0, 0.0, -5000.0]}]}],
    })  # fmt: skip
    made = mechanism_of(file, None, ())[0]
    rest, forces = equilibrium(made)
    reaction = made.reactions(rest, forces)["front"].bodies["rotor"]
    assert reaction.force == pytest.approx([-20000.0, 0.0, 5000.0], abs=1e-3)
    assert reaction.moment == pytest.approx([0.0, 0.0, 0.0], abs=1e-3)
    found = geometry_of(file.elements[0].rolling)[0].bearing()
    place = np.zeros(6)
    place[:3], place[4:] = rest.r[0], 2.0 * rest.p[0, 2:]  # small turns of Euler parameters
    # rotations of 1e-3 rad: the square of them is 1e-6 of the load
    assert found.evaluate(place)[0][[0, 1, 2, 4, 5]] == pytest.approx([20000.0, 0.0, -5000.0, 0.0, 0.0], abs=1.0)


@pytest.mark.parametrize(("change", "said"), [
    ({"law": "tooth_contact", "first": None}, "pair.first = None"),
    ({"centre_distance": "121 mm"}, "stand 120 mm apart, the teeth of its pair belong to 121 mm"),
    ({"module": None}, "module"),
    ({"first": {"teeth": 40, "face_with": "40 mm"}}, "face_with"),
])  # fmt: skip
def test_pairs_that_do_not_fit(change, said):
    law = change.pop("law", "tooth_contact")
    with pytest.raises((MultibodyError, DrivetrainError), match=said):
        mechanism_of(joints(law, **change))


@pytest.mark.parametrize(("element", "said"), [
    ({"law": "tooth_contact", "radius": [0.08, 0.04]}, "needs the teeth"),
    ({"law": "periodic", "radius": [0.08, 0.04], "stiffness": 1e9}, "over the mesh cycle"),
    ({}, "pitch radii"),
])  # fmt: skip
def test_gears_without_teeth(element, said):
    with pytest.raises(DrivetrainError, match=said):
        load({"name": "x", "bodies": [{"name": "a"}, {"name": "b"}],
              "elements": [{"name": "g", "type": "gear", "between": ["a", "b"], "axis": "x", **element}]})  # fmt: skip
