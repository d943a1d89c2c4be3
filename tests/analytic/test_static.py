"""Loaded equilibrium against closed forms."""

import numpy as np
import pytest

from gearwright.kernels import force
from gearwright.laws.backlash import backlash
from gearwright.laws.two_level import two_level
from gearwright.solve.steady.static import NoEquilibrium, Unbalanced, equilibrium
from gearwright.system import Builder, Friction, Hard, Law, Provenance, Row, Spring, constant, ramp


def pair(first, second, act=None, law=None, j=(3.0, 2.0), off=0.0):
    """Two inertias on one row, with torques on both."""
    b = Builder()
    for name, inertia in zip("ab", j, strict=True):
        b.coordinate(name)
        b.inertia(inertia, {name: 1})
    for name, torque in (("a", first), ("b", second)):
        b.input(name, b.signal(f"T{name}", constant(torque)))
    if law:
        b.block("mesh", [Row("mesh.drive", {"a": 1, "b": -1}, off), *law[1]], law[0])
    else:
        b.row("shaft.torsion", {"a": 1, "b": -1}, act, off)
    return b


def test_unbalanced_torques_are_refused_with_what_would_balance():
    system = pair(100.0, -90.0, Spring(1e6)).build(Provenance())
    with pytest.raises(Unbalanced) as caught:
        equilibrium(system)
    error = caught.value
    assert error.motion == "a"
    assert error.unbalanced == pytest.approx(10.0)
    assert error.acceleration == pytest.approx(2.0)
    assert error.proposals == pytest.approx({"a <- Ta": 90.0, "b <- Tb": -100.0})
    assert "b <- Tb = -100" in str(error)


def test_unbalanced_torques_as_acceleration():
    """Both masses accelerate with 10/5; the shaft carries what the second needs: 2 * 2 + 90."""
    found = equilibrium(pair(100.0, -90.0, Spring(1e6), off=1e-5).build(Provenance()), allow_acceleration=True)
    assert found.acceleration == pytest.approx([2.0])
    assert found.unbalanced == pytest.approx([10.0])
    assert found.relative == pytest.approx(10 / 190)
    assert found.force("shaft.torsion") == pytest.approx(94.0, rel=1e-12)
    assert found.q[0] - found.q[1] + 1e-5 == pytest.approx(94e-6, rel=1e-12)
    assert 3.0 * found.q[0] + 2.0 * found.q[1] == pytest.approx(0.0, abs=1e-18)


def test_prescribed_speed_carries_the_inertia_of_what_follows():
    b = pair(0.0, -90.0, Spring(1e6))
    b.prescribe("a", b.signal("speed", ramp(1.0, 5.0, 0.0, 2.0)))
    found = equilibrium(b.build(Provenance()), t=1.0)
    assert found.v == pytest.approx([3.0, 3.0])
    assert found.acceleration == pytest.approx([2.0])
    assert found.force("shaft.torsion") == pytest.approx(2.0 * 2.0 + 90.0, rel=1e-12)
    assert found.q[0] == 0.0
    assert found.reaction == pytest.approx([3.0 * 2.0 + 94.0, 0.0])
    assert found.relative == 0.0


def test_speed_settles_on_the_slope_of_a_machine():
    b = pair(100.0, 0.0, Spring(1e6))
    b.row("machine.slope", {"b": 1}, Spring(0.0, 50.0, 7.0))
    system = b.build(Provenance(), {"a": 7.0, "b": 7.0})
    with pytest.raises(Unbalanced):
        equilibrium(system)
    found = equilibrium(system, settle_speed=True)
    assert found.v == pytest.approx([9.0, 9.0])
    assert found.acceleration == pytest.approx([0.0], abs=1e-12)
    assert found.force("shaft.torsion") == pytest.approx(100.0, rel=1e-12)


@pytest.mark.parametrize(("torque", "drive", "coast", "twist"), [(50.0, 50.0, 0.0, 5e-5), (-50.0, 0.0, 50.0, -2.5e-4)])
def test_backlash_finds_its_flank(torque, drive, coast, twist):
    """Gap 2e-4 between the flanks: on the coast flank the deflection is the gap and the spring."""
    law = backlash(1e6, 0.0, 2e-4), [Row("mesh.coast", {"a": -1, "b": 1})]
    found = equilibrium(pair(torque, -torque, law=law).build(Provenance()))
    assert found.force("mesh.drive") == pytest.approx(drive, rel=1e-10, abs=1e-9)
    assert found.force("mesh.coast") == pytest.approx(coast, rel=1e-10, abs=1e-9)
    assert found.q[0] - found.q[1] == pytest.approx(twist, rel=1e-10)


def test_no_torque_leaves_a_mesh_with_backlash_loose():
    law = backlash(1e6, 0.0, 2e-4), [Row("mesh.coast", {"a": -1, "b": 1})]
    system = pair(0.0, 0.0, law=law, off=-1e-4).build(Provenance())
    with pytest.raises(NoEquilibrium, match="a, b lie loose") as caught:
        equilibrium(system)
    assert caught.value.coordinates == ("a", "b")
    assert equilibrium(system, allow_loose=True).loose == ("a", "b")


def planets(errors, gap=False, torque=9000.0):
    """A sun against N planets held by the housing: row deflection theta + error, radius 1."""
    b = Builder()
    b.coordinate("sun")
    b.inertia(1.0, {"sun": 1})
    b.input("sun", b.signal("T", constant(torque)))
    for i, error in enumerate(errors):
        row = Row(f"mesh{i}.drive", {"sun": 1}, error)
        if gap:
            b.block(f"mesh{i}", [row, Row(f"mesh{i}.coast", {"sun": -1}, -error)], backlash(1e8, 0.0, 1.0))
        else:
            b.row(row.name, row.coefficients, Spring(1e8), error)
    return b.build(Provenance())


def test_pin_errors_share_the_load():
    """F_i = T/N + k (e_i - mean e)."""
    errors = np.array([10e-6, -5e-6, 1e-6])
    found = equilibrium(planets(errors))
    np.testing.assert_allclose(found.forces, 3000.0 + 1e8 * (errors - errors.mean()), rtol=1e-12)


def test_a_large_pin_error_opens_a_contact():
    """The third planet lags by more than the others deflect: two carry, F = T/2 +- k de/2."""
    errors = np.array([10e-6, 0.0, -90e-6])
    found = equilibrium(planets(errors, gap=True))
    shares = [found.force(f"mesh{i}.drive") for i in range(3)]
    np.testing.assert_allclose(shares, [5000.0, 4000.0, 0.0], rtol=1e-9, atol=1e-6)


@force
def power_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    f[0] = p[0] * d[0] ** 1.5 if d[0] > 0.0 else 0.0


def test_curved_law_without_slope_at_zero():
    """F = k d^1.5 starts without stiffness; d = (F / k)^(2/3)."""
    law = Law(power_force, (2e9,), label="power")
    found = equilibrium(pair(1e4, -1e4, law=(law, [])).build(Provenance()))
    assert found.q[0] - found.q[1] == pytest.approx((1e4 / 2e9) ** (2 / 3), rel=1e-9)
    assert found.force("mesh.drive") == pytest.approx(1e4, rel=1e-9)


def test_rigid_meshes_share_by_compliance():
    """Two hard rows in parallel, the second four times as compliant, before an elastic shaft."""
    b = pair(100.0, -100.0, Spring(1e6))
    b.coordinate("c")
    b.inertia(1.0, {"c": 1})
    b.row("h1.x", {"c": 1, "a": -1}, Hard(compliance=1.0))
    b.row("h2.x", {"c": 1, "a": -1}, Hard(compliance=4.0))
    b.input("c", b.signal("Tc", constant(30.0)))
    b.input("b", b.signal("Tb2", constant(-30.0)))
    found = equilibrium(b.build(Provenance()))
    assert found.force("shaft.torsion") == pytest.approx(130.0, rel=1e-12)
    assert found.force("h1.x") == pytest.approx(24.0, rel=1e-10)
    assert found.force("h2.x") == pytest.approx(6.0, rel=1e-10)
    assert found.q[2] == pytest.approx(found.q[0], rel=1e-12)


@pytest.mark.parametrize("mesh", [Spring(1e9), Hard()])
@pytest.mark.parametrize(("turn", "wanted"), [(1.0, -180.0), (-1.0, -220.0)])
def test_slipping_friction_takes_its_part(mesh, turn, wanted):
    """Radii 1 and 2: without loss T_b = -2 T_a. A roll row of mu 0.05 and rate w (1 + 1) takes T_a = F (1 + mu)
    and leaves T_b = -2 F (1 - mu) forward; backward mu changes its sign."""
    mu = 1 / 19  # (1 - mu) / (1 + mu) = 0.9 forward
    b = Builder()
    for name in "ab":
        b.coordinate(name)
        b.inertia(1.0, {name: 1})
    b.row("mesh.drive", {"a": 1, "b": 2}, mesh)
    b.row("mesh.roll", {"a": 1, "b": -2}, Friction("mesh.drive", mu, mu))
    out = -200.0 * (1 - mu) / (1 + mu) if turn > 0 else -200.0 * (1 + mu) / (1 - mu)
    b.input("a", b.signal("Ta", constant(100.0)))
    b.input("b", b.signal("Tb", constant(-out)))
    system = b.build(Provenance(), {"a": turn, "b": -turn / 2})
    found = equilibrium(system)
    if turn > 0:
        assert out == pytest.approx(wanted)
    assert found.force("mesh.drive") == pytest.approx(100.0 / (1 + turn * mu), rel=1e-9)
    assert found.force("mesh.roll") == pytest.approx(turn * mu * found.force("mesh.drive"), rel=1e-9)


def periodic_pair(phase):
    b = pair(60.0, -60.0, Spring(1e12))
    b.coordinate("c")
    b.inertia(1.0, {"c": 1})
    b.input("c", b.signal("Tc", constant(-100.0)))
    b.input("b", b.signal("Tb2", constant(100.0)))
    sense = Row("mesh.phase", {"b": 5 / (2 * np.pi)}, phase)
    b.block("mesh", [Row("mesh.drive", {"b": 1, "c": -1})], two_level(4e8, 2e8, 0.0, 0.3), [sense])
    return b.build(Provenance())


def test_periodic_stiffness_mean_and_place():
    """Mean 0.3 * 4e8 + 0.7 * 2e8 = 2.6e8; at phase 0.1 two pairs, at 0.5 one."""
    for phase in (0.1, 0.5):
        found = equilibrium(periodic_pair(phase))
        assert found.q[1] - found.q[2] == pytest.approx(100.0 / 2.6e8, rel=1e-9)
        found = equilibrium(periodic_pair(phase), average=False)
        assert found.q[1] - found.q[2] == pytest.approx(100.0 / (4e8 if phase < 0.3 else 2e8), rel=1e-9)


def test_coordinates_that_nothing_holds_are_named():
    """A contact law whose two bodies are pulled apart: nothing carries the load."""
    law = Law(power_force, (2e9,), label="power")
    with pytest.raises(NoEquilibrium, match="a, b"):
        equilibrium(pair(-1e4, 1e4, law=(law, [])).build(Provenance()))


def test_state_starts_at_rest_relative_to_the_rigid_motion():
    system = pair(100.0, -100.0, Spring(1e6)).build(Provenance(), {"a": 4.0, "b": 4.0})
    state = equilibrium(system).state(system)
    np.testing.assert_allclose(state.v, [4.0, 4.0], rtol=1e-15)
    d, dv = state.deflections(system)
    np.testing.assert_allclose(d, [1e-4], rtol=1e-12)
    np.testing.assert_allclose(dv, [0.0], atol=1e-15)
