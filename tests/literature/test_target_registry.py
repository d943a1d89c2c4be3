"""The targets as data, and the registry of their computations."""

import math
from collections import Counter

import numpy as np
import pytest

from gearwright.stiffness.beam import Beam
from gearwright.targets import registry, run
from gearwright.targets.registry import COMPUTATIONS, Computation, claims
from gearwright.targets.target import DATA, FAMILIES, Target, Tolerance, chosen, target


def test_every_target_has_one_computation_or_a_reason():
    found = [(one, [c.pattern for c in claims(one)]) for one in chosen()]
    assert not [one.id for one, patterns in found if len(patterns) > 1]
    assert not [one.id for one, patterns in found if not patterns and not (one.status and one.note)]


def test_every_computation_is_for_a_target():
    ids = {one.id for one in chosen()}
    for c in COMPUTATIONS:
        assert any(c.name(id) is not None for id in ids), c.pattern
        assert {c.pattern.replace("*", name) for name in c.names} <= ids


def test_ids_stand_in_the_file_of_their_family_once():
    ids = [one.id for one in chosen()]
    assert max(Counter(ids).values()) == 1
    assert {id.split(".")[0] for id in ids} == set(FAMILIES) == {file.stem for file in DATA.glob("*.yaml")}
    assert all(target(id).id == id for id in ids)


def test_a_value_from_memory_is_compared_and_never_fails(monkeypatch):
    """decisions.md: `not checked` is shown and never decides about the exit code."""
    made = Computation("X.a", (), lambda: 2.0, each=False)
    monkeypatch.setattr(registry, "COMPUTATIONS", [made])
    counted = Target("X.a", 1.0, "m", "a book", tolerance=Tolerance(rel=0.1))
    remembered = Target("X.a", 1.0, "m", "a book", status="not checked", tolerance=Tolerance(rel=0.1))
    assert run.judge(counted).status == "fail"
    outcome = run.judge(remembered)
    assert (outcome.status, outcome.got, outcome.error) == ("not checked", 2.0, 1.0) and "memory" in outcome.note


def test_a_computation_that_breaks_is_a_failure(monkeypatch):
    monkeypatch.setattr(registry, "COMPUTATIONS", [Computation("X.a", (), lambda: 1 / 0, each=False)])
    outcome = run.judge(Target("X.a", 1.0, "m", "a book"))
    assert outcome.status == "fail" and "ZeroDivisionError" in outcome.note


def test_a_star_stands_for_a_name():
    family = Computation("X.one_*", (), lambda: {"a": 1.0, "b.c": 2.0}, each=False)
    assert (family.value("X.one_a"), family.value("X.one_b.c"), family.value("X.one_d")) == (1.0, 2.0, None)
    each = Computation("X.*", ("5",), float, each=True)
    assert (each.name("X.5"), each.name("X.6"), Computation("X.a", (), float, False).name("X.ab")) == ("5", None, None)


# --- values of the data that follow from a closed form ---------------------------------------------------------------


@pytest.mark.parametrize("order", [1, 2])
def test_thick_beam_on_two_supports(order):
    """``E I b^4 - rho A w^2 - rho I (1 + E/kG) b^2 w^2 + rho^2 I/(kG) w^4 = 0`` with ``b = n pi/L``: sine shapes."""
    beam = Beam(2.0, 0.3)
    b, rho, e = order * math.pi / beam.length, beam.density, beam.young
    kg, i = beam.shear_coefficient * beam.shear, beam.second_moment
    a2 = rho * beam.area + rho * i * (1.0 + e / kg) * b**2
    root = math.sqrt(a2**2 - 4.0 * rho**2 * i / kg * e * i * b**4)
    frequency = math.sqrt((a2 - root) / (2.0 * rho**2 * i / kg)) / (2.0 * math.pi)
    assert target(f"SPACE.beam.{order}").value == pytest.approx(frequency, rel=1e-9)


def test_whirl_of_a_disc_at_the_end_of_a_massless_shaft():
    """``(k11 - m w^2)(k22 - J_t w^2 + J_p W w) = k12^2``; forward positive, backward negative."""
    shaft, m, jp, jt, speed = Beam(0.5, 0.05), 20.0, 0.4, 0.22, 400.0
    length, c = shaft.length, shaft.young * shaft.second_moment / shaft.length**3 / (1.0 + shaft.phi)
    k11, k12, k22 = 12.0 * c, -6.0 * length * c, (4.0 + shaft.phi) * length**2 * c
    product = np.polymul([-m, 0.0, k11], [-jt, jp * speed, k22])
    whirls = np.sort(np.roots(np.polysub(product, [k12**2])).real) / (2.0 * math.pi)
    np.testing.assert_allclose(target("SPACE.whirl").value, whirls, rtol=1e-9)


def test_cylinders_on_a_turning_bearing():
    """Both as one inertia on the slow shaft, ratio 10, torque 2 sin(2 pi t) N m on the fast one, after 0.7 s."""
    fast, slow = (0.5 * 7700.0 * math.pi * r**4 * 0.4 for r in (0.05, 0.1))
    speed = 10.0 * 2.0 / (2.0 * math.pi * (100.0 * fast + slow)) * (1.0 - math.cos(2.0 * math.pi * 0.7))
    assert target("LIT.5.5").value == pytest.approx([10.0 * speed, speed, 0.0], rel=1e-9)
