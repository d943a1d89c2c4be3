"""The automatic choice of an engine: counts by hand, refusals honoured, the same answer every time."""

from __future__ import annotations

import numpy as np
import pytest

from gearwright.kernels import force
from gearwright.laws.clearance import clearance
from gearwright.laws.mesh_cycle import fourier_curve, level_curve, mesh_cycle
from gearwright.laws.two_level import two_level
from gearwright.solve.choose import Counts, EngineError, choose, costs, operations
from gearwright.system import Builder, Friction, Hard, Law, Provenance, Row, Spring, constant


@force
def stiffening_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    f[0] = p[0] * d[0] + p[1] * d[0] ** 3


TWO = two_level(4e8, 2e8, 4e3, 0.4)


def chain(masses: int = 6, law: Law | None = TWO, laws: int = 3, beta: float = 1e-6, speed: float = 10.0) -> Builder:
    """Equal wheels of 10 kg m^2 joined by springs of 3e8 N m and, every so often, by a law."""
    b = Builder()
    for i in range(masses):
        b.coordinate(f"w{i}")
        b.inertia(10.0, {f"w{i}": 1.0})
    b.signal("torque", constant(100.0))
    b.input("w0", "torque")
    every = max((masses - 1) // max(laws, 1), 1)
    for i in range(masses - 1):
        row = {f"w{i}": 1.0, f"w{i + 1}": -1.0}
        if law is not None and i % every == 0 and i // every < laws:
            forces = [Row(f"m{i}", row), Row(f"n{i}", {f"w{i}": 1.0})][: law.rows]
            b.block(f"m{i}", forces, law, [Row(f"p{i}", {f"w{i}": speed})] if law.senses else [])
        else:
            b.row(f"s{i}", row, Spring(3e8, beta * 3e8))
    return b


def build(b: Builder, masses: int = 6):  # type: ignore[no-untyped-def]
    return b.build(Provenance(), {f"w{i}": 5.0 for i in range(masses)})


def test_switches_come_from_the_kinematics() -> None:
    counts = operations(build(chain()))
    assert counts.switches == pytest.approx(3 * 2 * 10.0 * 5.0)
    assert counts.coordinates == 6
    assert counts.rows == 5


def test_the_largest_eigenvalue_is_that_of_the_linear_model() -> None:
    system = build(chain())
    mass, stiffness, damping = system.linear()
    first = np.block([[np.zeros((6, 6)), np.eye(6)], [-stiffness / 10.0, -damping / 10.0]])
    assert operations(system).eigenvalue == pytest.approx(np.abs(np.linalg.eigvals(first)).max(), rel=1e-6)


def test_counts_by_hand() -> None:
    """The 500 kW stage in levels, 7 rows that carry and 5 coordinates, 497 switches per second, sampled at 10 kHz; its step of
    0.87 ms is 8 intervals."""
    counts = Counts(5, 7, 497.0, 4600.0, 8.7e-4, False, "")
    found = costs(counts, 1e-4, 1e-3)
    assert 1e6 * found["exact"] == pytest.approx(497.0 * (4.0 + 1.5 + 0.125) + 5000.0)
    beside = costs(counts._replace(accompanied=True), 1e-4, 1e-3)
    assert 1e6 * beside["exact"] == pytest.approx(497.0 * 5.625 + (0.8 + 0.0016 * 25.0) * 1e4)
    assert beside["explicit"] == found["explicit"]
    assert 1e6 * found["exponential"] == pytest.approx((0.3 + 0.75) / 8e-4 + 497.0 * 14.25 + 5600.0)
    assert 1e6 * found["explicit"] == pytest.approx(0.2665 * 4600.0 + 497.0 * 11.82 + 3210.0)
    tight = costs(counts, 1e-4, 1e-6)
    assert tight["exact"] == found["exact"] and tight["explicit"] > found["explicit"]


def test_samples_count() -> None:
    counts = Counts(5, 7, 0.0, 4600.0, 8.7e-4, False, "")
    often, seldom = costs(counts, 1e-4, 1e-3), costs(counts, 1e-3, 1e-3)
    assert all(often[name] > seldom[name] for name in often)


def test_gaps_are_looked_for_sixteen_times_a_period() -> None:
    """Two wheels of 10 kg m^2 at a mesh of 3e8 N m with backlash: 7746 rad/s."""
    law = two_level(3e8, 3e8, 4e3, 0.5)
    assert operations(build(chain(2, law, laws=1), 2)).looks == 0.0
    free = law._replace(pieces=law.pieces._replace(gap=(1e-5, *law.pieces.gap[1:])))
    frequency = np.sqrt(3e8 * 2.0 / 10.0) / (2.0 * np.pi)
    counts = operations(build(chain(2, free, laws=1), 2))
    assert counts.looks == pytest.approx(16.0 * frequency, rel=1e-6)
    assert costs(counts, 1e-3, 1e-4)["exact"] > costs(counts._replace(looks=0.0), 1e-3, 1e-4)["exact"] + 0.01


def test_no_law_is_exact() -> None:
    found, reason = choose(build(chain(law=None)), 1e-3, 1e-4)
    assert found.name == "exact" and "linear" in reason


def test_two_levels_are_exact() -> None:
    found, reason = choose(build(chain()), 1e-3, 1e-4)
    assert found.name == "exact" and "300 switches" in reason and "explicit" in reason


def test_a_small_model_with_another_law_is_explicit() -> None:
    law = Law(force=stiffening_force, parameters=(3e8, 1e20), mean=((3e8,), (0.0,)))
    found, _ = choose(build(chain(law=law)), 1e-3, 1e-4)
    assert found.name == "explicit"


def test_strong_damping_makes_it_exponential() -> None:
    law = Law(force=stiffening_force, parameters=(3e8, 1e20), mean=((3e8,), (0.0,)), corners=(0.0,), senses=1)
    found, reason = choose(build(chain(12, law, beta=1e-2), 12), 1e-3, 1e-3)
    assert found.name == "exponential" and "damping" in reason


def test_many_coordinates_that_switch_often_are_exponential() -> None:
    found, _ = choose(build(chain(90, laws=8, beta=2e-3, speed=40.0), 90), 1e-3, 1e-3)
    assert found.name == "exponential"


def test_a_law_that_hides_its_kinks_is_explicit() -> None:
    found, reason = choose(build(chain(law=clearance(3e8, 1e3, 1e-6), laws=1)), 1e-3, 1e-4)
    assert found.name == "explicit" and "clearance" in reason


def test_a_law_that_is_smooth_has_none_to_hide() -> None:
    """A floating 5 MW box on supports that are softer one way: the frame turns, nothing switches."""
    from gearwright.running.prepare import prepare
    from gearwright.train.open import load

    system = prepare(load("nrel-5mw-nejad-source"), fidelity="planar", law="linear").system
    assert operations(system).undeclared == ""
    assert "bends" not in choose(system, 1e-3, 1e-6)[1]


def test_a_smooth_course_has_no_kinks_to_hide() -> None:
    smooth = mesh_cycle(fourier_curve(3e8, [(1, 3e7, 0.0)]), 4e3)
    assert operations(build(chain(law=smooth))).undeclared == ""
    jumping = mesh_cycle(level_curve(4e8, 2e8, 0.4), 4e3)
    assert not jumping.smooth and jumping.corners


@pytest.mark.parametrize("act", [Hard(), Friction(cap=10.0)])
def test_rigid_and_friction_rows_leave_the_explicit_engine(act) -> None:  # type: ignore[no-untyped-def]
    b = chain()
    b.row("brake", {"w5": 1.0}, act)
    found, reason = choose(build(b), 1e-3, 1e-4)
    assert found.name == "explicit" and "only" in reason and "brake" in reason


def test_a_named_engine_is_honoured_or_refused() -> None:
    system = build(chain())
    for name in ("exact", "explicit", "exponential"):
        found, reason = choose(system, 1e-3, 1e-4, name)
        assert found.name == name and reason == "as asked for"
    with pytest.raises(EngineError, match="there is no method 'magic'"):
        choose(system, 1e-3, 1e-4, "magic")
    b = chain()
    b.row("brake", {"w5": 1.0}, Friction(cap=10.0))
    with pytest.raises(EngineError, match=r"'exponential'.*brake.*explicit"):
        choose(build(b), 1e-3, 1e-4, "exponential")


def test_the_choice_repeats() -> None:
    reasons = {choose(build(chain()), 1e-3, 1e-4)[1] for _ in range(3)}
    assert len(reasons) == 1
