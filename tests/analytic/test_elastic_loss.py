"""The elastic mesh that sticks against an event-driven machine with SciPy, closed forms and conservation."""

import ctypes
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from gearwright.laws.elastic_loss import elastic_loss
from gearwright.laws.profile import sine_profile, tooth_profile
from gearwright.solve.runge_kutta.engine import ExplicitEngine
from gearwright.system import Builder, Provenance, Row, Source, Spring, State, sine

RA, RB, JA, JB, K, C = 0.3, 0.1, 4e-3, 1e-3, 1e6, 10.0  # S4, Fig. 7


def pair(efficiency, torque=None, speeds=None, load=1.0, profiles=((), ()), k=K, c=C):
    b = Builder()
    for name, j in (("A", JA), ("B", JB)):
        b.coordinate(name, 0.1)
        b.inertia(j, {name: 1.0})
    rows = [Row("mesh", {"A": RA, "B": -RB}), Row("roll", {"A": 0.5 * RA, "B": 0.5 * RB})]
    senses = [Row(f"report_{i}", rows[1].coefficients) for i in range(3)]
    senses += [Row(f"turn_{n}", {n: 0.5 / math.pi}) for n in "AB"] if any(map(len, profiles)) else []
    b.block("mesh", rows, elastic_loss(k, c, efficiency, profiles=profiles), senses)
    if load:
        b.row("load", {"B": 1.0}, Spring(load))
    if torque is not None:
        b.signal("drive", torque)
        b.input("A", "drive")
    for name in "AB":
        b.channel("body", name, "speed", "rad/s", "", [(Source.SPEED, name, 1.0)])
    for name in ("mesh", "roll"):
        b.channel("mesh", name, "force", "N", "", [(Source.FORCE, name, 1.0)])
    return b.build(Provenance("pair"), speeds)


def run(system, interval, steps, tolerance=1e-6):
    engine = ExplicitEngine()
    plan = engine.prepare(system, system.channels, interval, tolerance)
    state = State.start(system)
    return engine.advance(plan, state, steps), state


def machine(x, eta, torque):
    """S4 (27)-(34): contact speed and rates from half springs, written as the cone rule of the stuck contact.

    Independent of the law: it asks first whether the contact sticks, from the quotient of the two side forces.
    """
    wa, wb, ta, tb, y = x
    k, c = 2 * K, 2 * C
    fa, fb = k * (y - RA * ta) - c * RA * wa, k * (RB * tb - y) + c * RB * wb
    if fa * fb > 0 and abs(fb) >= eta[0] * abs(fa) and abs(fa) >= eta[1] * abs(fb):
        v = 0.0
    else:
        # moving: side forces in the ratio of the driving quadrant; both are tried against their power
        v = 0.0
        for ratio, sign in ((eta[0], -1), (1 / eta[1], 1)):  # F_B / F_A
            w = (fb - ratio * fa) / (c * (1 + ratio))
            if sign * (fa + c * w + fb - c * w) * w > 0:
                v = w
    fa, fb = fa + c * v, fb - c * v
    return [(torque + RA * fa) / JA, (-1.0 * tb - RB * fb) / JB, wa, wb, v], fa, fb


def test_fig_7_against_scipy():
    # drive and load of the digest's choice; the first 0.25 s hold sliding, sticking (from 0.18 s) and ringing
    eta = (0.5, 0.5)
    system = pair(eta, sine(10.0, 1.0))
    block, _ = run(system, 1e-3, 250, 1e-7)
    wave = lambda t: 10.0 * math.sin(2 * math.pi * t)  # noqa: E731
    grid = np.arange(1, 251) * 1e-3
    found = solve_ivp(
        lambda t, x: machine(x, eta, wave(t))[0], (0, 0.25), np.zeros(5), "LSODA", grid, rtol=1e-9, atol=1e-12
    )
    peak = np.abs(found.y[:2]).max()
    # both land within their own error of a right-hand side with kinks: 1e-4 of the peak leaves ten times that
    lines = block.lines[-250:]
    np.testing.assert_allclose(lines[:, 0], found.y[0], atol=1e-4 * peak)
    np.testing.assert_allclose(lines[:, 1], found.y[1], atol=1e-4 * peak)


def test_stuck_wheels_ring_on_their_own():
    # both sides pressed by 100 N and let go: while the forces stay in the cone each wheel swings on its own half
    # spring against a contact that stands still, at 1067.64 and 711.76 Hz (ratio 1.5, S4 Fig. 7)
    system = pair((0.3, 0.3), load=0.0)
    engine = ExplicitEngine()
    plan = engine.prepare(system, system.channels, 1e-5, 1e-8)
    state = State.start(system)
    force, n = 100.0, 12
    state.q[:] = force / (2 * K) / RA, -force / (2 * K) / RB
    lines = engine.advance(plan, state, n).lines[-n:]
    t = np.arange(1, n + 1) * 1e-5
    for i, (r, j, hertz, q0) in enumerate(((RA, JA, 1067.64, state_of(RA)), (RB, JB, 711.76, -state_of(RB)))):
        w, decay = math.sqrt(2 * K) * r / math.sqrt(j), C * r * r / j
        assert w / (2 * math.pi) == pytest.approx(hertz, abs=0.01)
        wd = math.sqrt(w * w - decay * decay)
        speed = -q0 * w * w / wd * np.exp(-decay * t) * np.sin(wd * t)
        np.testing.assert_allclose(lines[:, i], speed, atol=1e-5 * np.abs(speed).max())


def state_of(radius):
    """Angle that presses one half spring by 100 N."""
    return 100.0 / (2 * K) / radius


@pytest.mark.parametrize(("forward", "drives"), [(1, "A"), (1, "B"), (-1, "A"), (-1, "B")])
def test_efficiency_of_each_quadrant(forward, drives):
    # side forces of the moving contact: F_A = -(N + R/2), F_B = -(N - R/2); driven over driving is eta, exactly
    eta = (0.8, 0.6)
    law = elastic_loss(K, C, eta)
    pressed = (1 if drives == "A" else -1) * forward * 1e-4
    f, z = _steady(law, pressed, forward * 2.0)
    fa, fb = f[0] + f[1] / 2, f[0] - f[1] / 2
    ratio = fb / fa if drives == "A" else fa / fb
    assert ratio == pytest.approx(eta[0] if drives == "A" else eta[1], rel=1e-9)
    assert f[1] * forward > 0  # the loss opposes the motion
    assert f[0] == pytest.approx(K * pressed, rel=1e-9)  # series stiffness is the same with and without loss


def _call(law, d, dv, z):
    """The compiled law by its address, as the engines call it."""
    f, zd, s = np.zeros(5), np.zeros(3), np.zeros(1)
    p = np.array(law.parameters)
    pointer = ctypes.c_void_p
    types = [ctypes.c_double, *[pointer] * 5, ctypes.c_int64, pointer, pointer]
    function = ctypes.CFUNCTYPE(None, *types)(law.force.address)
    d, dv = np.ascontiguousarray(d, float), np.ascontiguousarray(dv, float)
    function(0.0, *(x.ctypes.data for x in (d, dv, p, z, s)), 0, f.ctypes.data, zd.ctypes.data)
    return f, zd


def _steady(law, delta, speed):
    """Forces once the contact keeps up with the wheels (its own time constant is c/k = 1e-5 s)."""
    z = np.zeros(1)
    d, dv = np.array([delta, 0.0]), np.array([0.0, speed])
    for _ in range(400):
        f, zd = _call(law, d, dv, z)
        z += 1e-6 * zd[:1]
    return f, z


def test_loss_is_never_negative_and_the_cone_decides():
    rng = np.random.default_rng(1)
    seen = set()
    for _ in range(3000):
        eta = rng.uniform(0.2, 0.99, 2)
        law = elastic_loss(K, C, tuple(eta))
        d, dv = np.array([rng.normal() * 1e-4, 0.0]), rng.normal(size=2) * np.array([0.1, 3.0])
        z = rng.normal(size=1) * 0.5e-4
        f, zd = _call(law, d, dv, z)
        v = zd[0] + dv[1]
        assert f[1] * v >= 0.0
        # S4's cone, from the side forces that a standing contact would have
        fa = 2 * K * (z[0] - d[0] / 2) - 2 * C * (dv[1] + dv[0] / 2)
        fb = -2 * K * (z[0] + d[0] / 2) + 2 * C * (dv[1] - dv[0] / 2)
        stuck = fa * fb > 0 and fb / fa >= eta[0] and fa / fb >= eta[1]
        assert stuck == (v == 0.0)
        seen.add(int(np.sign(v)))
    assert seen == {-1, 0, 1}


def test_profile_is_the_product_of_both_wheels():
    a = sine_profile(60, 0.025)
    law = elastic_loss(1e8, 50.0, profiles=(a, a))
    for turn in (0.0, 0.1234, 0.77, -3.3):
        f, _ = _call(law, np.array([1e-5, 0.0, 0.0, 0.0, 0.0, turn, turn]), np.zeros(7), np.zeros(1))
        factor = (1 + 0.025 * math.sin(2 * math.pi * 60 * turn)) ** 2
        # spline of 64 points per period: below 1e-7 of the amplitude
        assert f[0] == pytest.approx(1e3 * factor, rel=1e-7)


def test_a_cracked_tooth_is_a_local_dip():
    p = tooth_profile(20, {7: 0.6})
    assert p[7 * 32] == pytest.approx(0.6)
    assert np.all(p[: 6 * 32] == 1.0) and np.all(p[8 * 32 :] == 1.0)
    with pytest.raises(ValueError, match="from 0 to 19"):
        tooth_profile(20, {20: 0.5})


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"damping": 0.0}, "positive stiffness and damping"),
        ({"efficiency": (1.2, 0.9)}, "in \\(0, 1\\]"),
        ({"table": [(1.0, 0.9, 0.9), (0.5, 0.9, 0.9)]}, "rise"),
        ({"profiles": ([1.0, 0.0, 1.0, 1.0], ())}, "positive"),
    ],
)
def test_refusals(change, says):
    with pytest.raises(ValueError, match=says):
        elastic_loss(**({"stiffness": K, "damping": C} | change))


# --- from the file -----------------------------------------------------------------------------------


def made(name, fidelity, **changes):
    from gearwright.assembly import assemble
    from gearwright.train.expand import expand
    from gearwright.train.open import load

    return assemble(expand(load(name, changes)), fidelity)


@pytest.mark.parametrize("forces", ["equal", "printed"])
def test_centre_forces(forces):
    # columns of the rows on the translations: the drive row pushes both centres alike, the roll row only as printed
    system = made("elastic-lossy-3dof", "planar", **{"elements.mesh.loss.forces": forces})
    matrix = system.row_matrix().toarray() if hasattr(system, "row_matrix") else dense(system)
    rows = {name: matrix[i] for i, name in enumerate(system.rows)}
    at = {c: i for i, c in enumerate(system.coordinates)}
    for axis in "yz":
        a, b = at[f"A.{axis}"], at[f"B.{axis}"]
        assert rows["mesh.drive"][a] == pytest.approx(-rows["mesh.drive"][b], abs=1e-15)
        half = 0.5 * rows["mesh.drive"][a] if forces == "printed" else 0.0
        assert rows["mesh.roll"][a] == pytest.approx(half, abs=1e-15)
        assert rows["mesh.roll"][b] == pytest.approx(half, abs=1e-15)
    # u_A + u_B = r_A th_A + r_B th_B (one sense of rotation), half of it
    assert [abs(rows["mesh.roll"][at[f"{n}.rotation"]]) for n in "AB"] == pytest.approx([0.15, 0.05])


def dense(system):
    a, n = system.arrays, system.shape.coordinates
    matrix = np.zeros((system.shape.rows, n))
    for i in range(system.shape.rows):
        for j in range(a.ptr[i], a.ptr[i + 1]):
            matrix[i, a.idx[j]] += a.val[j]
    return matrix


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"elements.mesh.loss.efficiency": 1.5}, "above 0 up to 1"),
        ({"elements.mesh.loss.forces": "both"}, "Allowed: equal, printed"),
        ({"elements.mesh.profile": {"C": {"sine": {"periods": 3, "amplitude": 0.1}}}}, "wheels are A and B"),
        ({"elements.mesh.profile": {"A": {"teeth": {"99": 0.5}, "count": 20}}}, "from 0 to 19"),
        ({"elements.mesh.backlash": 1e-4}, "does not take backlash"),
    ],
)
def test_files_that_do_not_fit(changes, says):
    from gearwright.assembly.motion import AssemblyError
    from gearwright.errors import DrivetrainError

    with pytest.raises((AssemblyError, DrivetrainError), match=says):
        made("elastic-lossy-1dof", "torsional", **changes)


def test_other_fidelities_are_refused():
    from gearwright.assembly.motion import AssemblyError

    with pytest.raises(AssemblyError, match="loses in series.*which fidelity spatial does not compute"):
        made("elastic-lossy-3dof", "spatial")
