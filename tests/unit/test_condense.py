"""Coordinates that follow: static loads stay, low modes stay, what is touched stays."""

import numpy as np
import pytest

from gearwright.running.prepare import prepare
from gearwright.solve.steady.condense import condensed
from gearwright.solve.steady.modes import modes
from gearwright.solve.steady.reduce import reduce_system
from gearwright.solve.steady.static import equilibrium
from gearwright.system import Builder, Provenance, Source, Spring, constant
from gearwright.train.open import load

K, C, J = 1e9, 6e6, (4e7, 10.0, 20.0, 1e4)


def chain(damping=C, last_damping=None, held=False):
    """Two large inertias with two small ones between them, joined by springs 2 K, 4 K, 5 K that damp in proportion."""
    builder = Builder()
    for i, inertia in enumerate(J):
        builder.inertia(inertia, {builder.coordinate(f"n{i}.rotation"): 1.0})
    for i, part in enumerate((2.0, 4.0, 5.0)):
        c = damping if last_damping is None or i < 2 else last_damping
        row = {f"n{i}.rotation": 1.0, f"n{i + 1}.rotation": -1.0}
        builder.row(f"part{i}", row, Spring(part * K, part * c), 1e-4 * i)
    for i, torque in ((0, 1e6), (3, -1e6)):
        builder.input(f"n{i}.rotation", builder.signal(f"torque {i}", constant(torque)))
    if held:
        builder.input("n1.rotation", builder.signal("there too", constant(0.0)))
    builder.channel("body", "inner", "speed", "rad/s", "forward", [(Source.SPEED, "n1.rotation", 1.0)])
    return builder.build(Provenance("chain", "torsional", "linear"), {"n0.rotation": 1.0, "n1.rotation": 1.0,
                         "n2.rotation": 1.0, "n3.rotation": 1.0})  # fmt: skip


def test_inner_nodes_of_a_strongly_damped_shaft_follow_its_ends():
    """Springs in series and their dampers in series: closed forms of stiffness, frequency and decay."""
    whole = chain()
    fewer = condensed(whole)
    assert fewer.coordinates == ("n0.rotation", "n3.rotation")
    assert "n1.rotation, n2.rotation follow" in fewer.provenance.notes[-1]
    before, after = equilibrium(whole, tolerance=1.0), equilibrium(fewer, tolerance=1.0)
    assert after.forces == pytest.approx(before.forces, rel=1e-9)
    # a strained shaft carries the torque of its ends in every part all the same
    assert after.forces == pytest.approx([1e6] * 3, rel=1e-9)
    series = K / (1 / 2 + 1 / 4 + 1 / 5)
    # the twist divides as the compliances: node 1 at (1/2)/(0.95) of the way, node 2 at (3/4)/(0.95)
    share = np.array([0.5, 0.75]) / 0.95
    ends = np.array([[J[0], 0.0], [0.0, J[3]]]) + sum(
        j * np.outer([1.0 - s, s], [1.0 - s, s]) for j, s in zip(J[1:3], share, strict=True)
    )
    assert fewer.mass.toarray() == pytest.approx(ends, rel=1e-12)
    pair = np.array([[1.0, -1.0], [-1.0, 1.0]])
    square = np.linalg.eigvals(np.linalg.solve(ends, series * pair)).real.max()
    found = modes(fewer)
    assert found.frequencies_hz[-1] == pytest.approx(square**0.5 / (2 * np.pi), rel=1e-9)
    # the inertia of what follows is a thousandth of the smaller end's: so much of the frequency and of its decay may differ
    slow = min(modes(whole).frequencies_hz[1:])
    assert slow == pytest.approx(found.frequencies_hz[-1], rel=1e-3)
    # its channel is that of the two ends
    line = fewer.lines(tuple(c for c in fewer.channels if c.element == "inner"))
    assert sorted(line.coef) == pytest.approx(sorted([1.0 - share[0], share[0]]), rel=1e-12)
    assert fewer.v0 == pytest.approx([1.0, 1.0])


@pytest.mark.parametrize("more", [{"damping": 10.0}, {"last_damping": 0.1 * C}, {"held": True}])
def test_what_swings_or_is_damped_otherwise_or_is_loaded_stays(more):
    fewer = condensed(chain(**more))
    assert "n1.rotation" in fewer.coordinates or "n2.rotation" in fewer.coordinates
    if "held" not in more:
        assert len(fewer.coordinates) == 4


@pytest.mark.slow
def test_nodes_that_swing_above_what_is_wanted_follow():
    """The 5 MW gearbox wanted to 500 Hz: static loads as before, modes below 500 Hz to 1e-3 of their frequency."""
    whole = prepare(load("nrel-5mw-nejad-source", ["model.frames=frozen"]), "rotor-loads", law="tooth_contact").system
    fewer = condensed(whole, 1250.0)
    assert len(fewer.coordinates) < len(whole.coordinates)
    assert all(name.startswith("main.node") for name in set(whole.coordinates) - set(fewer.coordinates))
    before, after = equilibrium(whole, tolerance=1e-3), equilibrium(fewer, tolerance=1e-3)
    size = np.abs(before.forces).max()
    assert after.forces == pytest.approx(before.forces, rel=1e-7, abs=1e-9 * size)
    old, new = (np.sort(f[f > 0.1]) for f in (modes(whole).frequencies_hz, modes(fewer).frequencies_hz))
    low = old[old < 500.0]
    assert len(low) > 30
    assert new[: len(low)] == pytest.approx(low, rel=1e-3)
    assert new.max() < 0.5 * old.max()


def test_modes_and_attachment_vectors_only_where_they_save():
    whole = prepare(load("nrel-5mw-nejad-source", ["model.frames=frozen"]), fidelity="spatial", law="periodic").system
    assert reduce_system(whole, 1250.0) is whole
