"""Laws, matrices, prescribed motions and flanks of rows, against closed forms and independent integrations."""

import json
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from typer.testing import CliRunner

from gearwright.cli import app
from gearwright.errors import DrivetrainError
from gearwright.multibody import Body, Joint, Load, Mechanism, MultibodyError, equilibrium, linearise, simulate
from gearwright.running.mechanism import mechanism_of
from gearwright.schema.read import from_mapping

X = (1.0, 0.0, 0.0)
RADIUS = (0.1, 0.2)
POLAR = (0.02, 0.3)


def pair_file(gear, case, **model):
    """Two wheels on fixed axes, x along them, joined by one gear element."""
    bodies = [
        {"name": n, "mass": 5.0, "inertia": [POLAR[i], 0.6 * POLAR[i], 0.6 * POLAR[i]]} for i, n in enumerate("ab")
    ]
    joints = [{"name": f"{n}_joint", "type": "revolute", "between": [n, "housing"], "axis": "x"} for n in "ab"]
    mesh = {"name": "mesh", "type": "gear", "between": ["a", "b"], "axis": "x", "radius": list(RADIUS),
            "pressure_angle": "20 deg", **gear}  # fmt: skip
    return from_mapping({
        "name": "pair", "bodies": bodies, "assembly": {"b": {"at": [0.0, 0.3, 0.0]}}, "elements": [*joints, mesh],
        "model": {"fidelity": "multibody", **model}, "cases": [{"name": "run", "start": "rest", **case}],
    })  # fmt: skip


def test_the_flank_follows_the_torque():
    """The tangential force is set by the torques alone; the radial one must part the wheels whichever way it points:
    F_r = |F_t| tan(alpha). With the flank kept it has the wrong sign in one half."""
    swing = {"on": "a", "torque": {"sine": {"amplitude": 30.0, "frequency": 1.0}}}
    for flank, sign in ((0, None), (1, 1.0)):
        made, _, _, length = mechanism_of(pair_file({"flank": flank}, {"duration": 1.0, "loads": [swing]}))
        run = simulate(made, length, 1e-3, 0.05)
        assert max(run.position_error, run.velocity_error) < 1e-10
        teeth = [run.reactions(i)["mesh"].teeth for i in range(1, 20) if i != 10]
        t = np.array([0.05 * i for i in range(1, 20) if i != 10])
        # a alone: I_a w' = T - r_a F, and w_b = -w_a r_a / r_b
        inertia = POLAR[0] + POLAR[1] * (RADIUS[0] / RADIUS[1]) ** 2
        want = 30.0 * np.sin(2 * np.pi * t) * (1 - POLAR[0] / inertia) / RADIUS[0]
        tangential = np.array([x.tangential for x in teeth])
        assert np.abs(tangential) == pytest.approx(np.abs(want), rel=1e-6)
        radial = np.array([x.radial for x in teeth])
        assert np.abs(radial) == pytest.approx(np.abs(want) * math.tan(math.radians(20)), rel=1e-6)
        # on the first wheel, along the line to the second: away from it is negative
        assert (radial < 0).all() if sign is None else len(set(np.sign(radial))) == 2


def test_flank_of_moving_centres_turns_without_a_jump():
    """A planet on a swinging arm: rows stay met while the torque reverses several times."""
    a, b = Body("a", 5.0, (0.02, 0.02, 0.02)), Body("b", 5.0, (0.1, 0.1, 0.1), (0.0, 0.3, 0.0))
    arm = Body("arm", 2.0, (0.05, 0.05, 0.05), (0.0, 0.15, 0.0), points={"pin": (0.0, 0.15, 0.0)})
    joints = [
        Joint("revolute", "sun", "a", "housing", axis=X), Joint("revolute", "arm", "arm", "housing", axis=X, through=(0, 0, 0)),
        Joint("revolute", "pin", "b", "arm.pin", axis=X),
        Joint("gear", "mesh", "a", "b", axis=X, radius=RADIUS, pressure_angle=0.35),
    ]  # fmt: skip
    t = np.linspace(0.0, 2.0, 401)
    load = Load("a", t.tolist(), (5.0 * np.sin(9.0 * t)).tolist(), moment=X)
    run = simulate(Mechanism([a, b, arm], joints, [load], gravity=(0, 0, -9.81)), 2.0, 1e-3, 0.02)
    assert max(run.position_error, run.velocity_error) < 1e-10
    radial = [run.reactions(i)["mesh"].teeth.radial for i in range(1, 100)]
    assert max(radial) < 1e-6  # away from the planet at all times


def independent(stiffness, torque, backlash=None, damping=0.0):
    """Right-hand side of two wheels, written from the geometry of involute teeth on fixed centres."""
    rb = [r * math.cos(math.radians(20)) for r in RADIUS]

    def slope(t, y):
        d = rb[0] * y[0] + rb[1] * y[1]
        v = rb[0] * y[2] + rb[1] * y[3]
        k = stiffness(y[0])
        if backlash is None:
            force = k * d + damping * v
        else:
            press = max(-k * d - damping * v, 0.0) if d < 0 else 0.0  # flank -1: the drive flank is pressed at d < 0
            back = max(k * (d - backlash) + damping * v, 0.0) if d > backlash else 0.0
            force = back - press
        return [y[2], y[3], (torque(t) - rb[0] * force) / POLAR[0], -rb[1] * force / POLAR[1]]

    return slope


def test_stiffness_over_the_mesh_cycle():
    """A smooth course (one harmonic) against an integration by scipy; the spline through 64 points of it leaves 1e-7."""
    gear = {"stiffness": {"mean": 2e6, "fourier": [{"order": 1, "amplitude": 5e5}]}, "teeth": [20, 40], "phase": 0.3}
    case = {"duration": 0.04, "loads": [{"on": "a", "torque": 40.0}], "initial": {"a": {"spin": [20.0, None, None]},
                                                                              "b": {"spin": [-10.0, None, None]}}}  # fmt: skip
    made, _, _, length = mechanism_of(pair_file(gear, case, step=1e-5))
    run = simulate(made, length, 1e-5, 1e-3)

    def stiffness(angle):
        return 2e6 + 5e5 * math.cos(2 * math.pi * (20 * angle / (2 * math.pi) + 0.3))

    want = solve_ivp(independent(stiffness, lambda t: 40.0), (0, length), [0, 0, 20.0, -10.0], t_eval=run.time, rtol=1e-11,
                     atol=1e-12, max_step=1e-3).y  # fmt: skip
    assert np.abs(run.velocity[:, 0, 3] - want[2]).max() < 1e-6
    assert np.abs(run.velocity[:, 1, 3] - want[3]).max() < 1e-6


def test_backlash_and_levels():
    """Both flanks one-sided under a torque that reverses; fixed steps meet edges to the order of a step."""
    gear = {"stiffness": {"two_pairs": 2.5e6, "one_pair": 1.5e6}, "teeth": [20, 40], "contact_ratio": 1.6, "flank": -1,
            "backlash": 2e-4, "damping": 200.0}  # fmt: skip
    case = {"duration": 0.4, "loads": [{"on": "a", "torque": {"sine": {"amplitude": 20.0, "frequency": 5.0}}}]}
    made, _, _, length = mechanism_of(pair_file(gear, case, step=1e-5))
    run = simulate(made, length, 1e-5, 1e-2)

    def stiffness(angle):
        return 2.5e6 if (20 * angle / (2 * math.pi)) % 1.0 < 0.6 else 1.5e6

    slope = independent(stiffness, lambda t: 20.0 * math.sin(10 * math.pi * t), 2e-4, 200.0)
    want = solve_ivp(slope, (0, length), [0.0] * 4, t_eval=run.time, rtol=1e-9, atol=1e-11, max_step=2e-5).y
    assert np.abs(run.velocity[:, 0, 3] - want[2]).max() < 2e-3 * np.abs(want[2]).max()
    assert not made.degrees_of_freedom - 2


def test_matrix_of_a_bushing():
    """Six by six with every term: frequencies of M^-1 K."""
    rng = np.random.default_rng(3)
    half = rng.normal(size=(6, 6)) * np.array([1.0, 1.0, 1.0, 0.2, 0.2, 0.2])
    k = 1e4 * half.T @ half + 1e3 * np.eye(6)
    body = Body("b", 2.0, (0.2, 0.25, 0.3))
    found = linearise(Mechanism([body], [Joint("bushing", "e", "b", "housing", matrix=k)])).frequencies_hz
    values = np.linalg.eigvals(np.linalg.solve(np.diag([2.0, 2.0, 2.0, 0.2, 0.25, 0.3]), k))
    assert found == pytest.approx(np.sort(np.sqrt(values.real)) / (2 * np.pi), rel=1e-6)
    with pytest.raises(MultibodyError, match="symmetric"):
        Mechanism([body], [Joint("bushing", "e", "b", "housing", matrix=k + np.triu(k, 1))])
    with pytest.raises(MultibodyError, match="push"):
        Mechanism([body], [Joint("bushing", "e", "b", "housing", matrix=-k)])


def test_radial_clearance_sags_by_gap_and_load():
    """m g / k below the clearance."""
    from gearwright.laws.clearance import clearance

    body = Body("b", 2.0, (0.2, 0.2, 0.2), (0.0, 0.0, -3e-4))
    joints = [
        Joint("radial", "r", "b", "housing", axis=X, through=(0, 0, 0), law=clearance(1e6, 0.0, 1e-4)),
        Joint("axial", "x", "b", "housing", axis=X), Joint("fixed", "turn", "b", "housing", stiffness=1.0,
                                                            angular_stiffness=1e3),
    ]  # fmt: skip
    place, _ = equilibrium(Mechanism([body], joints, gravity=(0.0, 0.0, -9.81)))
    assert place.r[0, 2] == pytest.approx(-1e-4 - 2 * 9.81 / 1e6, rel=1e-3)


def driven(case):
    return from_mapping({
        "name": "wheel", "bodies": [{"name": "wheel", "mass": 10.0, "inertia": [2.0, 1.0, 1.0]}],
        "elements": [{"name": "hinge", "type": "revolute", "between": ["wheel", "housing"], "axis": "x"},
                     {"name": "brake", "type": "brake", "between": ["wheel", "housing"], "engaged": False,
                      "capacity": {"torque": 10.0, "rise": "0.1 s"}}],
        "model": {"fidelity": "multibody", "step": 1e-3}, "cases": [{"name": "run", "start": "rest", **case}],
    })  # fmt: skip


def test_prescribed_speed_of_a_case():
    """0, ramp of one second to 10 rad/s, hold: the motor's torque is I times the acceleration, the angle the integral."""
    ramp = {"ramp": {"at": "0.5 s", "over": "1 s", "from": "0 rad/s", "to": "10 rad/s"}}
    made, _, _, length = mechanism_of(driven({"duration": 2.0, "speeds": {"wheel": ramp}}))
    run = simulate(made, length, 1e-3, 0.1)
    assert made.degrees_of_freedom == 0 and max(run.position_error, run.velocity_error) < 1e-10
    want = np.clip(10.0 * (run.time - 0.5), 0.0, 10.0)
    assert run.velocity[:, 0, 3] == pytest.approx(want, abs=1e-9)
    torque = [run.reactions(i)["wheel_speed"].bodies["wheel"].moment[0] for i in (2, 10, 18)]
    assert torque == pytest.approx([0.0, 20.0, 0.0], abs=1e-8)
    half = 2.0 * np.arctan2(run.euler[-1, 0, 1], run.euler[-1, 0, 0])
    assert math.sin(0.5 * (half - (5.0 + 5.0))) == pytest.approx(0.0, abs=1e-8)
    with pytest.raises(DrivetrainError, match="jumps"):
        mechanism_of(driven({"duration": 2.0, "speeds": {"wheel": {"step": {"at": 1.0, "from": 0.0, "to": 3.0}}}}))


def test_a_brake_is_engaged_by_an_event():
    """10 rad/s, brake from 1 s on within 0.1 s: w falls by T/I (t - 1.05 s) until it stands at 3.05 s."""
    file = driven({"duration": 4.0, "initial": {"wheel": {"spin": [10.0, None, None]}},
                   "events": [{"at": "1 s", "set": "brake.engaged", "to": True}]})  # fmt: skip
    made, _, _, length = mechanism_of(file)
    run = simulate(made, length, 1e-3, 0.1)
    want = np.clip(10.0 - 5.0 * np.clip(run.time - 1.05, 0.0, None), 0.0, 10.0)
    off = np.abs(run.velocity[:, 0, 3] - want)
    assert off[run.time > 1.15].max() < 0.01  # the transition about standstill is 2.5 mrad/s wide
    with pytest.raises(DrivetrainError, match="it can set brake.capacity"):
        mechanism_of(driven({"duration": 1.0, "events": [{"at": "1 s", "set": "brke.engaged", "to": True}]}))


def test_steps_too_long_for_an_elastic_row_are_refused():
    made, _, _, _ = mechanism_of(pair_file({"stiffness": 1e9}, {"duration": 1.0}))
    with pytest.raises(MultibodyError, match="joint 'mesh' is too stiff for steps of 0.001 s"):
        simulate(made, 0.1, 1e-3)


@pytest.mark.parametrize("gear, said", [
    ({"backlash": 1e-4}, "needs its stiffness"),
    ({"stiffness": {"two_pairs": 2e6, "one_pair": 1e6}}, "needs the teeth"),
    ({"stiffness": {"two_pairs": 2e6, "one_pair": 1e6}, "teeth": [20, 40]}, "contact_ratio"),
    ({"stiffness": 1e6, "damping": {"ratio": "5 %"}}, "no meaning in a mechanism"),
])  # fmt: skip
def test_gears_that_say_too_little(gear, said, tmp_path):
    with pytest.raises((DrivetrainError, MultibodyError), match=said):
        mechanism_of(pair_file(gear, {"duration": 1.0}))


def test_events_and_speeds_on_the_command_line(tmp_path):
    text = """
name: braked
bodies: [{name: wheel, mass: 10 kg, inertia: [2 kg m^2, 1 kg m^2, 1 kg m^2]}]
elements:
  - {name: hinge, type: revolute, between: [wheel, housing], axis: x, friction: {torque: 1 N m, viscous: 0.1 N m s/rad}}
model: {fidelity: multibody, step: 1 ms}
cases: [{name: run, duration: 0.5 s, start: rest, initial: {wheel: {spin: [10 rad/s, null, null]}}}]
"""
    path = tmp_path / "braked.yaml"
    path.write_text(text)
    result = CliRunner().invoke(app, ["run", str(path), "--json", "-o", str(tmp_path / "a.nc")])
    assert result.exit_code == 0, result.output
    # 2 w' = -1 - 0.1 w
    want = (10.0 + 10.0) * math.exp(-0.05 * 0.5) - 10.0
    assert json.loads(result.stdout)["speeds_end"]["wheel"][3] == pytest.approx(want, rel=1e-6)
