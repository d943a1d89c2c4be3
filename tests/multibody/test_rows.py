"""Rows against finite differences of their own values, motion against closed forms, refusals."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk

from gearwright.multibody import (
    Body,
    Joint,
    Load,
    Mechanism,
    MultibodyError,
    equilibrium,
    inverse_dynamics,
    kinematic,
    linearise,
    simulate,
)
from gearwright.multibody.elements import matrix
from gearwright.multibody.table import look

Z = (0.0, 0.0, 1.0)
INERTIA = (0.2, 0.25, 0.3)
KINDS = ["spherical", "revolute", "cylindrical", "translational", "universal", "fixed", "point_on_line", "radial",
         "axial", "parallel", "planar", "distance", "lock", "motor"]  # fmt: skip


def pair(kind: str, **more) -> Mechanism:
    """Two free bodies with one joint, in general position."""
    first = Body("a", 1.0, INERTIA, (0.1, 0.2, 0.3), points={"p": (0.3, -0.1, 0.2)})
    second = Body("b", 2.0, INERTIA, (0.5, 0.1, 0.4), points={"p": (-0.1, 0.0, 0.1)})
    return Mechanism(
        [first, second], [Joint(kind, "j", "a.p", "b" if kind == "distance" else "b.p", axis=(0.3, -0.2, 1.0), **more)]
    )


def differences(m: Mechanism, v: np.ndarray, t: float = 0.0) -> tuple[float, float]:
    """Largest errors of J v against d phi/dt, and of -gamma against d(J v)/dt at constant v, by differences in time."""
    h, count = 1e-4, m.arrays.rigid
    place = m.copy()
    place.v[:-1] = v
    work = m.work()
    seen = []
    for s in (-1.0, 0.0, 1.0):
        moved = type(place)(*(x.copy() for x in place))
        m.move(moved, s * h * v.ravel())  # v constant: the exponential moves the rotations exactly
        look(m.arrays, moved, work, t + s * h, False)
        J = m.dense(work)
        seen.append((work.phi[:count].copy(), (J @ v.ravel() + work.rate)[:count], work.gamma[:count].copy()))
    rate = (seen[2][0] - seen[0][0]) / (2 * h)
    second = (seen[2][1] - seen[0][1]) / (2 * h)
    return float(np.abs(rate - seen[1][1]).max()), float(np.abs(second + seen[1][2]).max())


@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_the_derivatives_of_their_values(kind):
    m = pair(kind, speed=1.5, acceleration=0.4) if kind == "motor" else pair(kind)
    v = np.random.default_rng(1).normal(size=(2, 6))
    if kind in ("lock", "motor"):  # an angle between bodies is one about the common axis
        v[:, :3], axis = 0.0, np.array([0.3, -0.2, 1.0]) / np.linalg.norm([0.3, -0.2, 1.0])
        v[:, 3:] = np.outer([0.7, -1.2], axis)
    first, second = differences(m, v, 0.3)
    # central differences of step 1e-4: third derivatives of up to 1e3 leave 2e-6
    assert first < 1e-5 and second < 1e-5


@pytest.mark.parametrize("internal", [False, True])
@pytest.mark.parametrize("helix", [0.0, 0.3])
@pytest.mark.parametrize("flank", [-1, 1])
def test_gear_row_with_moving_centres(internal, helix, flank):
    """Planar motion of both wheels, the centre distance changing: the digest's position form has that very row."""
    radius, distance = ((0.2, 0.5), 0.3) if internal else ((0.2, 0.1), 0.3)
    wheels = [Body("i", 1.0, INERTIA, (distance, 0.05, 0.0)), Body("j", 2.0, INERTIA)]
    m = Mechanism(wheels, [Joint("gear", "g", "i", "j", axis=Z, radius=radius, pressure_angle=0.35, helix_angle=helix,
                                 internal=internal, flank=flank)])  # fmt: skip
    v = np.array([[0.1, -0.2, 0.15, 0, 0, 2.0], [0.05, 0.3, -0.1, 0, 0, -1.0]])
    first, second = differences(m, v)
    assert first < 1e-6 and second < 1e-6


def test_free_body_follows_the_elliptic_functions():
    """S1 A.4.2: torque-free rotation, spins by Jacobi's functions, Euler parameters of length one."""
    I1, I2, I3 = 1.0, 2.0, 2.5
    w = np.array([0.4, 0.3, 0.9])
    m = Mechanism([Body("b", 1.0, (I1, I2, I3))], [])
    m.set_speeds({"b": ([None] * 3, list(w))})
    run = simulate(m, 30.0, 5e-3, 0.05)
    T2, L2 = I1 * w[0] ** 2 + I2 * w[1] ** 2 + I3 * w[2] ** 2, (I1 * w[0]) ** 2 + (I2 * w[1]) ** 2 + (I3 * w[2]) ** 2
    assert L2 > T2 * I2  # the case written below (rotation about the third axis)
    tau = math.sqrt((I3 - I2) * (L2 - T2 * I1) / (I1 * I2 * I3))
    k2 = (I2 - I1) * (T2 * I3 - L2) / ((I3 - I2) * (L2 - T2 * I1))
    amplitude = np.sqrt([(T2 * I3 - L2) / (I1 * (I3 - I1)), (T2 * I3 - L2) / (I2 * (I3 - I2)),
                         (L2 - T2 * I1) / (I3 * (I3 - I1))])  # fmt: skip
    start = np.arcsin(w[1] / amplitude[1])
    u0 = solve_ivp(lambda a, u: 1 / np.sqrt(1 - k2 * np.sin(a) ** 2), (0, start), [0.0], rtol=1e-12, atol=1e-14).y[
        0, -1
    ]
    best = min(
        np.abs(
            run.velocity[:, 0, 3:] - np.stack([amplitude[0] * cn * a, amplitude[1] * sn * b, amplitude[2] * dn], 1)
        ).max()
        for sign in (1, -1)
        for u in (u0, 2 * ellipk(k2) - u0)
        for sn, cn, dn, _ in [ellipj(sign * tau * run.time + u, k2)]
        for a in (1, -1)
        for b in (1, -1)
    )
    assert best < 1e-8
    assert np.abs(np.linalg.norm(run.euler, axis=2) - 1).max() < 1e-13
    momentum = np.array([
        matrix(p) @ (np.array([I1, I2, I3]) * v[3:]) for p, v in zip(run.euler[:, 0], run.velocity[:, 0], strict=True)
    ])  # fmt: skip
    assert np.abs(momentum - momentum[0]).max() < 1e-8
    assert np.ptp(run.energy()) < 1e-9


def rod(angle: float, joints: list[Joint], loads=()) -> Mechanism:
    half = 0.5 * (angle - 0.5 * math.pi)
    body = Body("rod", 2.0, (2 / 12, 1e-4, 2 / 12), (0.0, 0.5 * math.sin(angle), -0.5 * math.cos(angle)),
                (math.cos(half), math.sin(half), 0.0, 0.0), {"start": (0.0, -0.5, 0.0)})  # fmt: skip
    hinge = Joint("revolute", "hinge", "rod.start", "housing", axis=(1.0, 0.0, 0.0))
    return Mechanism([body], [hinge, *joints], loads, gravity=(0.0, 0.0, -9.81))


def test_pendulum_against_scipy():
    run = simulate(rod(2.0, []), 5.0, 1e-3, 0.05)

    def slope(t, y):
        return [y[1], -1.5 * 9.81 * math.sin(y[0])]

    want = solve_ivp(slope, (0, 5), [2.0, 0.0], t_eval=run.time, rtol=1e-11, atol=1e-12).y
    assert np.abs(run.velocity[:, 0, 3] - want[1]).max() < 1e-7
    assert run.position_error < 1e-10 and run.velocity_error < 1e-10
    # tension at the hinge: m g cos + m w^2 l / 2 along the rod
    force = run.reactions(-1)["hinge"].bodies["rod"].force
    a, w = want[:, -1]
    along = np.array([0, math.sin(a), -math.cos(a)])
    assert -force @ along == pytest.approx(2 * 9.81 * math.cos(a) + 2 * w * w * 0.5, rel=1e-6)


def test_equilibrium_modes_and_inverse_dynamics_of_a_rod():
    m = rod(0.4, [])
    place, _ = equilibrium(m)
    assert abs(place.r[0, 1]) < 1e-8 and place.r[0, 2] == pytest.approx(-0.5)
    assert linearise(m, place).frequencies_hz[0] == pytest.approx(math.sqrt(1.5 * 9.81) / (2 * math.pi), rel=1e-6)
    driven = rod(0.4, [Joint("motor", "m", "rod", "housing", axis=(1.0, 0.0, 0.0), speed=1.0, acceleration=2.0)])
    times = [0.0, 0.5, 1.0]
    k = next(k for k, row in enumerate(driven.rows) if row.joint == "m")
    for t, lam, (state, acc) in zip(times, inverse_dynamics(driven, times), kinematic(driven, times), strict=True):
        angle = 0.4 + t + t * t
        assert lam[k] == pytest.approx(2 / 3 * 2.0 + 9.81 * math.sin(angle), rel=1e-9)
        assert state.v[0, 3] == pytest.approx(1 + 2 * t) and acc[0, 3] == pytest.approx(2.0)


def test_elastic_rows_are_springs():
    """A torsion spring against gravity-free closed form, and a bushing as six springs."""
    body = Body("b", 2.0, INERTIA)
    bushing = Joint("bushing", "e", "b", "housing", stiffness=800.0, angular_stiffness=50.0)
    found = linearise(Mechanism([body], [bushing])).frequencies_hz
    want = sorted([math.sqrt(800 / 2)] * 3 + [math.sqrt(50 / i) for i in INERTIA])
    assert found * 2 * math.pi == pytest.approx(want, rel=1e-6)


def stage(redundant: str) -> Mechanism:
    from gearwright.running.mechanism import mechanism_of

    more = {f"ring_planet{k}": Joint("gear", f"ring_planet{k}", f"planet{k}", "ring", axis=(1.0, 0, 0),
                                     radius=(0.175, 0.46), internal=True) for k in (2, 3)}  # fmt: skip
    m = mechanism_of("planetary-joints")[0]
    loads = [
        Load("carrier", [0], [100.0], moment=(1.0, 0, 0)),
        Load("sun", [0], [-100.0 * 22 / 114], moment=(1.0, 0, 0)),
    ]
    return Mechanism(m.bodies, [*m.joints, *more.values()], loads, redundant=redundant)


def test_redundant_meshes_are_named_dropped_or_shared():
    dropped = stage("drop")
    assert dropped.degrees_of_freedom == 1 and dropped.redundant == ("ring_planet2.mesh", "ring_planet3.mesh")
    shared = stage("share")
    forces = simulate(shared, 0.01, 5e-3).reactions(0)
    teeth = [abs(forces[f"sun_planet{k}"].teeth.tangential) for k in (1, 2, 3)]
    # equal share: torque of the sun over three meshes at its pitch radius
    assert teeth == pytest.approx([100 * 22 / 114 / 3 / 0.11] * 3, rel=1e-6)


def test_baumgarte_leaves_more_than_projection():
    """S1 Table 3.4: without stabilisation rows drift, with it the error is held but not removed; projection removes it."""
    errors = {}
    for name, pair_ in (("none", (0.0, 0.0)), ("held", (10.0, 10.0)), ("projected", None)):
        m = rod(2.0, [])
        m = Mechanism(m.bodies, m.joints, gravity=(0, 0, -9.81), stabilise=pair_)
        errors[name] = simulate(m, 10.0, 1e-2).position_error
    assert errors["projected"] < 1e-10 < errors["held"] < errors["none"]


def test_refusals():
    with pytest.raises(MultibodyError, match="not those of a body"):
        Body("x", 1.0, (1.0, 1.0, 3.0))
    with pytest.raises(MultibodyError, match="no length"):
        pair("revolute").__class__([Body("a", 1, INERTIA)], [Joint("revolute", "j", "a", "housing", axis=(0, 0, 0))])
    with pytest.raises(MultibodyError, match="did you mean 'rod'"):
        Mechanism([Body("rod", 1, INERTIA)], [Joint("spherical", "j", "rd", "housing")])
    far = [Joint("distance", "short", "a", "housing", through=(0, 0, 0), length=1.0),
           Joint("distance", "long", "a", "housing", through=(5, 0, 0), length=1.0)]  # fmt: skip
    with pytest.raises(MultibodyError, match="cannot be closed up: joint '(short|long)'"):
        Mechanism([Body("a", 1, INERTIA, (1.0, 0.1, 0))], far)
    scaled = Mechanism([Body("a", 1, INERTIA, euler=(2.0, 0, 0, 0))], [])
    assert "normalised" in scaled.notes[0]
