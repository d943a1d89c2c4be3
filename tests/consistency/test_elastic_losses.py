"""Elastic meshes that lose, from the file: heat by kind, sticking, profiles on every law, efficiency over speed."""

import ctypes
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import gearwright as gw
from gearwright.analyses.power_flow import power_flow
from gearwright.assembly import AssemblyError, assemble
from gearwright.laws.backlash import backlash
from gearwright.laws.profile import profiled, sine_profile, spring_law, tooth_profile
from gearwright.laws.two_level import two_level
from gearwright.train.expand import expand
from gearwright.train.open import load


def run(tmp_path, drivetrain, *overrides, case=None, **more):
    done = gw.simulate(drivetrain, case, output=tmp_path / "run.nc", overrides=list(overrides), **more)
    with gw.Result.open(done.result_file) as result:
        return done, result.dataset.load()


def channel(data, quantity, element="mesh", kind="mesh"):
    return np.asarray(data[f"{kind}_{quantity}"].sel({kind: element}).values, float)


def book(data):
    return dict(zip(data["energy_term"].values.tolist(), data["energy"].values.tolist(), strict=True))


SAMPLED = ("cases.sine.output_interval=1e-4 s", "cases.sine.counting_interval=1e-4 s")


@pytest.mark.parametrize("name", ["elastic-lossy-1dof", "elastic-lossy-3dof"])
def test_heat_by_kind_and_sticking(tmp_path, name):
    done, data = run(tmp_path, name, *SAMPLED, duration=0.5)
    t, state, loss = data["time"].values, channel(data, "contact_state"), channel(data, "loss_power")
    force, speed, friction = (channel(data, q) for q in ("force", "contact_speed", "loss_force"))
    # nothing is left over: works are integrated by the weights of the method, whose error is below 1e-8 of the sum here
    assert done.energy_error < 1e-8
    terms = book(data)
    heat = -terms["friction mesh"]
    # the book integrates with the method's steps, the sum here over samples of 1e-4 s: the trapezoidal rule on a
    # power with kinks where the contact starts and stops
    assert heat == pytest.approx(np.trapezoid(loss, t), rel=2e-3)
    assert 0.0 < -terms["damping mesh"] < heat
    # stuck: no speed, no loss; moving: the loss force is 2 (1 - eta)/(1 + eta) of the normal force, eta = 0.5
    stuck = state == 0.0
    assert 0.3 < stuck.mean() < 0.9
    assert not speed[stuck].any() and not loss[stuck].any()
    moving = ~stuck & (np.abs(force) > 10.0)
    np.testing.assert_allclose(np.abs(friction[moving]), 2.0 / 3.0 * np.abs(force[moving]), rtol=1e-6)
    assert (np.sign(speed) == state).all() and (loss >= 0.0).all()
    # which holds whether it sticks: the loss force of a stuck contact stays below
    assert (np.abs(friction[stuck]) <= 2.0 / 3.0 * np.abs(force[stuck]) * (1.0 + 1e-9) + 1e-9).all()


def test_one_and_three_directions_move_alike(tmp_path):
    # S4: the motions are similar; the digest measured 0.7 % of the peak
    speeds = []
    for name in ("elastic-lossy-1dof", "elastic-lossy-3dof"):
        _, data = run(tmp_path, name, "cases.sine.record=[meshes, bodies]", *SAMPLED, duration=1.0)
        speeds.append([channel(data, "speed", b, "body") for b in "AB"])
    a, b = map(np.array, speeds)
    assert 1e-4 < np.abs(a - b).max() / np.abs(a).max() < 0.02


def test_a_cracked_tooth_is_felt_once_per_turn(tmp_path):
    _, data = run(tmp_path, "cracked-tooth", "cases.constant-speed.record=[meshes, bodies]",
                  "cases.constant-speed.output_interval=2e-5 s", duration=0.15)  # fmt: skip
    turn = channel(data, "angle", "A", "body") / (2.0 * math.pi)
    deflection = channel(data, "deflection")
    usual = np.median(deflection)
    for n in range(1, 5):  # the first turn holds the start
        here = (turn >= n) & (turn < n + 1)
        at = turn[here][np.argmax(deflection[here])] - n
        # 40 % less stiffness for 1.6 teeth of 60 at 2000 rpm (0.8 ms, a tenth of the lowest period): tooth 7 and what
        # rings after it within a tooth
        assert at * 60.0 == pytest.approx(7.0, abs=1.0)
        assert deflection[here].max() > 1.1 * usual


def test_efficiency_over_speed(tmp_path):
    table = "elements.mesh.loss.efficiency={table: [[0 rad/s, 0.8], [4000 rpm, 1.0]]}"
    done, data = run(tmp_path, "elastic-lossy-profile", "elements.mesh.profile=null", table,
                     "cases.constant-speed.record=[meshes, shafts]", duration=0.3)  # fmt: skip
    # kappa = (1 - eta)/(1 + eta) is linear between: half of 1/9 at 2000 rpm
    eta = (1.0 - 1.0 / 18.0) / (1.0 + 1.0 / 18.0)
    late = data["time"].values > 0.25
    torque = channel(data, "torque", "coupling", "shaft")[late].mean()
    # the start rings out with the damping of the coupling: below 1e-6 after 0.25 s
    assert abs(torque) == pytest.approx(20.0 / eta, rel=1e-6)
    # the same table in the power flow of the rigid train: one meaning
    rigid = load({
        "name": "rigid", "bodies": [{"name": n, "inertia": 1.0} for n in "AB"],
        "elements": [{"name": "mesh", "type": "mesh", "between": ["A", "B"], "teeth": [20, 20], "same_sense": True,
                      "loss": {"efficiency": {"table": [["0 rad/s", 0.8], ["4000 rpm", 1.0]]}}}],
        "operating": {"input": "A", "output": "B", "speed": "2000 rpm", "torque": 1.0},
        "model": {"fidelity": "rigid", "law": "rigid"},
    })  # fmt: skip
    assert power_flow(rigid).efficiency == pytest.approx(eta, rel=1e-12)


# --- profiles on other laws ---------------------------------------------------------------------------------


def call(law, d, dv, mode=0):
    size = law.rows + law.senses
    f, arrays = np.zeros(size), [np.zeros(size), np.zeros(size), np.array(law.parameters), np.zeros(1), np.zeros(1)]
    arrays[0][: len(d)], arrays[1][: len(dv)] = d, dv
    pointer = ctypes.POINTER(ctypes.c_double)
    zd = np.zeros(1)
    law.force.ctypes(
        0.0, *(x.ctypes.data_as(pointer) for x in arrays), mode, *(x.ctypes.data_as(pointer) for x in (f, zd))
    )
    return f[: law.rows]


def test_a_profile_multiplies_the_elastic_force_of_any_law():
    around = (tooth_profile(20, {3: 0.5}).tolist(), sine_profile(5, 0.1).tolist())
    at = lambda x, y: 0.5 * (1.0 + 0.1 * math.sin(2 * math.pi * 5 * y)) if x == 3 / 20 else math.nan  # noqa: E731
    x, y = 3 / 20, 0.123
    scale = at(x, y)
    spring = profiled(spring_law(1e8, 500.0), around)
    # splines of 32 points a tooth and 64 a period: below 1e-6 of the profile
    assert call(spring, [1e-5, x, y], [1e-3])[0] == pytest.approx(scale * 1e3 + 0.5, rel=1e-6)
    levels = profiled(two_level(2e8, 1e8, 500.0, 0.6), around)
    assert call(levels, [1e-5, 0.7, x, y], [1e-3], mode=1)[0] == pytest.approx(scale * 1e3 + 0.5, rel=1e-6)
    # with a gap the damping is scaled with the stiffness, so that the flank leaves where its force is zero
    gap = profiled(backlash(1e8, 500.0, 1e-4), around)
    force = call(gap, [1e-5, -2e-5, x, y], [1e-3], mode=1)
    assert force[0] == pytest.approx(scale * 1000.5, rel=1e-6) and force[1] == 0.0


PLAIN = (
    "elements.mesh.loss=null",
    "cases.constant-speed.record=[meshes]",
    "cases.constant-speed.output_interval=2e-5 s",
)


def test_profile_of_the_linear_law_against_the_series_form(tmp_path):
    # without loss both are the same mesh; the series form scales its damping too, by 5 % of a damping ratio of 1 %
    forces = []
    for changes in (PLAIN, ("elements.mesh.loss.efficiency=1.0", *PLAIN[1:])):
        _, data = run(tmp_path, "elastic-lossy-profile", *changes, duration=0.1)
        forces.append(channel(data, "force"))
    late = [f[len(f) // 2 :] for f in forces]  # what rings at the start decays with the damping
    np.testing.assert_allclose(late[0], late[1], atol=2e-2 * np.ptp(late[1]))


def test_engines_agree_on_a_profile_with_backlash(tmp_path):
    # a missing tooth lets the flanks part: contact and loss of contact at places that only the profile knows
    changes = (
        "elements.mesh.backlash=1e-4 m",
        "elements.mesh.profile={A: {teeth: {7: 0.02}, count: 60, width: 1.6}}",
        *PLAIN,
    )
    forces = []
    for method in ("explicit", "exponential"):
        _, data = run(tmp_path, "cracked-tooth", *changes, duration=0.05, method=method, tolerance=1e-7)
        forces.append(channel(data, "force"))
    scale = np.abs(forces[0]).max()
    # impacts multiply the errors of both methods (each below 1e-5 before the first)
    assert np.abs(forces[0] - forces[1]).max() < 3e-3 * scale
    assert np.ptp(forces[0]) > 0.2 * scale


def test_a_profile_where_it_cannot_be():
    changes = {"elements.mesh.loss": None}
    with pytest.raises(AssemblyError, match="no profile over the circumference at fidelity spatial"):
        assemble(expand(load("cracked-tooth", changes)), "spatial")


def test_bearings_and_contact_stick_at_once(tmp_path):
    # Coulomb friction in both bearings of the 1-DOF gear: three things that stick on their own. SciPy has the machine of
    # the contact written out and friction as a steep tanh (full torque at 1e-4 rad/s, a thousandth of the speeds here)
    from benchmarks import elastic_lossy as peer

    torque = (1.0, 0.3)
    overrides = [f"elements.bearing_{n}.friction={{torque: {x} N m}}" for n, x in zip("AB", torque, strict=True)]
    done, data = run(tmp_path, "elastic-lossy-1dof", *overrides, "cases.sine.record=[meshes, bearings, bodies]", *SAMPLED,
                     duration=0.6)  # fmt: skip
    t = data["time"].values

    def rates(time, x):
        rubs = [torque[i] * math.tanh(x[i] / 1e-4) / inertia for i, inertia in enumerate((peer.JA, peer.JB))]
        free = peer.rates(time, x)
        return [free[0] - rubs[0], free[1] - rubs[1], *free[2:]]

    found = solve_ivp(rates, (0.0, 0.6), np.zeros(5), "LSODA", t, rtol=1e-8, atol=1e-11)
    peak = np.abs(found.y[:2]).max()
    for i, name in enumerate("AB"):
        np.testing.assert_allclose(channel(data, "speed", name, "body"), found.y[i], atol=5e-3 * peak)
    stuck = channel(data, "contact_state") == 0.0
    held = [np.abs(channel(data, "slip_speed", f"bearing_{n}", "bearing")) < 1e-9 for n in "AB"]
    assert (stuck & held[0] & held[1]).mean() > 0.02  # all three at once
    assert (stuck & ~held[0]).any() and (~stuck & ~held[0]).any()
    for i, n in enumerate("AB"):
        assert np.abs(channel(data, "friction_torque", f"bearing_{n}", "bearing")).max() <= torque[i] * (1 + 1e-6)
    terms = book(data)
    assert terms["friction bearing_A"] < 0.0 and terms["friction mesh"] < 0.0 and done.energy_error < 1e-6


@pytest.mark.parametrize(("forces", "published"), [(None, None), ("printed", 220.0)])
def test_sliding_frequencies_with_bearings(forces, published):
    """3-DOF train of S4 while its contact moves: ringing of a run against the eigenvalues of the equations by hand.

    A drives forward: F_A = -(1 + kappa) k d, F_B = -(1 - kappa) k d, with d the approach of the wheels. The centres feel
    their mean (equal and opposite), or, as S4 prints it, each its own; then the lowest bearing mode is at 220 Hz.
    """
    from gearwright.running.prepare import prepare
    from gearwright.running.start import initial_state
    from gearwright.solve.runge_kutta.engine import ExplicitEngine
    from gearwright.train.open import load

    torque = {"table": [[0.0, 0.0], [0.02, 10.0], [0.04, 10.0], [0.0401, 9.5], [1.0, 9.5]]}
    case = {
        "name": "push",
        "duration": 0.1,
        "start": "rest",
        "loads": [{"on": "A", "torque": torque}],
        "record": ["meshes", "bodies"],
    }
    edits = {"cases": [case], **({"elements.mesh.loss.forces": forces} if forces else {})}
    prepared = prepare(load("elastic-lossy-3dof", edits), "push")
    system, engine = prepared.system, ExplicitEngine()
    plan = engine.prepare(system, system.channels, 1e-4, 1e-8)
    t, lines, _ = engine.advance(plan, initial_state(prepared), 1000)
    got = {c.name: lines[:, i] for i, c in enumerate(system.channels)}
    window = (t > 0.045) & (t < 0.085)
    assert (got["mesh.contact_state"][window] == 1.0).all()

    # by hand: rotations of A and B, displacements along the line of action
    ra, rb, k, kappa, bearing = 0.3, 0.1, 1e6, (1 - 0.5) / (1 + 0.5), 1e6
    away = np.array([ra, -rb, 1.0, -1.0])
    own = (1 + kappa, 1 - kappa) if forces else (1.0, 1.0)
    felt = np.array([(1 + kappa) * ra, -(1 - kappa) * rb, own[0], -own[1]])
    stiffness = k * np.outer(felt, away) + np.diag([0.0, 1.0, bearing, bearing])
    mass = np.array([4e-3, 1e-3, 0.3, 0.5])
    by_hand = np.sort(np.sqrt(np.linalg.eigvals(stiffness / mass[:, None]).real)) / (2 * np.pi)
    if published:
        assert by_hand[1] == pytest.approx(published, abs=0.5)

    # frequencies in the ringing: matrix pencil, two more than there are (the mesh mode is damped by some percent)
    x = got["A.speed"][window]
    n = len(x) // 2
    hankel = np.array([x[i : i + n] for i in range(len(x) - n)])
    u, s, v = np.linalg.svd(hankel[:-1], full_matrices=False)
    roots = np.linalg.eigvals((u[:, :10].T @ hankel[1:] @ v[:10].T) / s[:10, None])
    found = np.abs(np.log(roots.astype(complex)).imag) / 1e-4 / (2 * np.pi)
    for wanted in by_hand[:3]:
        # damping of 5 N s/m in the bearings shifts them by less than 1e-5
        assert np.abs(found - wanted).min() < 1e-4 * wanted
