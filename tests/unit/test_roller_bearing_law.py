"""The law of a rolling bearing: equal to the static sums, frequencies of passing elements, defects, damping."""

import math

import numpy as np
import pytest

from gearwright.bearings.types import BearingGeometry
from gearwright.laws.roller_bearing import BearingDefect, roller_bearing
from gearwright.system import Builder, Provenance, Row

CYLINDRICAL = BearingGeometry("cylindrical", 10e-3, 50e-3, 14, 12e-3, play=4e-6)
GEOMETRIES = {
    "cylindrical": CYLINDRICAL,
    "sliced": BearingGeometry("cylindrical", 10e-3, 50e-3, 14, 12e-3, play=-4e-6, slices=7, profile="logarithmic"),
    "tapered pair": BearingGeometry(
        "tapered", 10e-3, 50e-3, 14, 12e-3, math.radians(15), -6e-6, rows=2, spread=0.02, count=2
    ),
    "spherical": BearingGeometry("spherical", 10e-3, 50e-3, 14, 8e-3, math.radians(10)),
    "deep groove": BearingGeometry("deep_groove", 10e-3, 50e-3, 9, play=8e-6),
    "angular": BearingGeometry(
        "angular_contact", 10e-3, 50e-3, 11, contact_angle=math.radians(30), rows=2, spread=0.02
    ),
}
MOTIONS = [0, 1, 2, 4, 5]


def system_of(law):
    builder = Builder()
    names = [f"shaft.{m}" for m in ("x", "y", "z", "rotation", "tilt_y", "tilt_z")]
    for name in names:
        builder.coordinate(name)
        builder.inertia(1.0, {name: 1.0})
    kept = [1, 2] if law.rows == 2 else MOTIONS
    rows = [Row(f"b.{names[i]}", {names[i]: 1.0}) for i in kept]
    turn = {"shaft.rotation": 1.0}
    senses = [Row(f"b.sense{i}", turn) for i in range(law.senses)]
    builder.block("b", rows, law, senses)
    return builder.build(Provenance())


def load_of(system, d, senses, dv=None):
    values = np.array([*d, *senses])
    rates = np.zeros(len(values)) if dv is None else np.array([*dv, *np.zeros(len(senses))])
    return system.law_force(0, values, rates, np.zeros(1))


@pytest.mark.parametrize("name", GEOMETRIES)
@pytest.mark.parametrize("inner", [True, False])
def test_spatial_law_is_the_static_sum(name, inner):
    geometry = GEOMETRIES[name]
    system = system_of(roller_bearing(geometry, spatial=True, inner=inner))
    d = np.array([1.2e-5, 2e-5, -1.3e-5, 0.0, 8e-5, -5e-5])
    sign = 1.0 if inner else -1.0
    wanted = sign * geometry.bearing().load(sign * d)[MOTIONS]
    np.testing.assert_allclose(load_of(system, d[MOTIONS], [0.0]), wanted, rtol=1e-10, atol=1e-9)


def test_planar_law_turns_with_the_cage():
    import dataclasses

    system = system_of(roller_bearing(CYLINDRICAL))
    row = dataclasses.replace(CYLINDRICAL.bearing().rows[0], first_angle=0.3 * 2 * math.pi / 14)
    wanted = row.load([0, 2e-5, 1e-5, 0, 0, 0])[1:3]
    np.testing.assert_allclose(load_of(system, [2e-5, 1e-5], [0.3]), wanted, rtol=1e-12)
    # one pitch further it is the same bearing
    np.testing.assert_allclose(load_of(system, [2e-5, 1e-5], [7.3]), wanted, rtol=1e-9)


def test_proportional_damping_is_the_tangent_times_the_rate():
    beta, h = 1e-5, 1e-9
    plain = system_of(roller_bearing(CYLINDRICAL))
    damped = system_of(roller_bearing(CYLINDRICAL, proportional=beta, damping=50.0))
    d, v = np.array([2e-5, 1e-5]), np.array([1e-2, -2e-2])
    tangent = (load_of(plain, d + h * v, [0.0]) - load_of(plain, d - h * v, [0.0])) / (2 * h)
    found = load_of(damped, d, [0.0], v) - load_of(plain, d, [0.0])
    np.testing.assert_allclose(found, beta * tangent + 50.0 * v, rtol=1e-5)


def test_energy_is_the_integral_of_the_force():
    law = roller_bearing(CYLINDRICAL)
    system = system_of(law)
    from scipy.integrate import quad

    a, b = np.array([0.0, 0.0]), np.array([2e-5, -1e-5])
    work = quad(lambda x: load_of(system, a + x * (b - a), [0.2]) @ (b - a), 0, 1, epsrel=1e-9, limit=200)[0]
    energy = law.energy(np.array([*b, 0.2]), np.zeros(3), np.zeros(0), 0)
    assert energy == pytest.approx(work, rel=1e-6)


@pytest.mark.parametrize(("on", "turn"), [("outer", (0.0, 0.0)), ("inner", (0.4, 0.0))])
def test_raceway_pit_takes_load_from_the_element_above_it(on, turn):
    """An element in a pit of known depth loses ``depth`` of its deflection; beside the pit nothing changes."""
    depth, width = 3e-6, 2e-3
    angle = turn[0] if on == "inner" else 0.0
    pit = BearingDefect(on, width, angle=0.0, depth=depth)
    whole, damaged = system_of(roller_bearing(CYLINDRICAL)), system_of(roller_bearing(CYLINDRICAL, defects=[pit]))
    d = [2e-5, 0.0]
    # cage such that element 0 stands over the middle of the defect
    cage = angle * 14 / (2 * math.pi)
    senses = [cage, angle if on == "inner" else 0.0, 0.0, 0.0]
    k = CYLINDRICAL.contact_constant
    c = math.cos(angle)
    free = 2e-5 * c - 2e-6
    lost = k * (free ** (10 / 9) - (free - depth) ** (10 / 9))
    change = load_of(whole, d, [cage])[0] - load_of(damaged, d, senses)[0]
    # the widths allow a dip of r - sqrt(r^2 - 1 mm^2) = 101 um: the depth limits
    assert change == pytest.approx(lost * c, rel=1e-9)
    assert load_of(damaged, d, [cage + 0.3, *senses[1:]])[0] == load_of(whole, d, [cage + 0.3])[0]
    # entry: 0.1 mm behind the edge a roller of 5 mm has dipped by r - sqrt(r^2 - s^2) = 1.0 um
    track = 0.5 * 50e-3 + (0.5 if on == "outer" else -0.5) * 10e-3
    step = (0.5 * width - 1e-4) / track * 14 / (2 * math.pi)
    psi = angle + (0.5 * width - 1e-4) / track
    free, dip = 2e-5 * math.cos(psi) - 2e-6, 5e-3 - math.sqrt(25e-6 - 1e-8)
    lost = k * (free ** (10 / 9) - (free - dip) ** (10 / 9)) * math.cos(psi)
    change = load_of(whole, d, [cage + step])[0] - load_of(damaged, d, [cage + step, *senses[1:]])[0]
    assert change == pytest.approx(lost, rel=1e-6)


def test_element_defect_meets_both_rings_once_per_spin():
    damaged = system_of(roller_bearing(CYLINDRICAL, defects=[BearingDefect("element", 0.5e-3, depth=3e-6, number=0)]))
    whole = system_of(roller_bearing(CYLINDRICAL))
    hit = [load_of(damaged, [2e-5, 0.0], [0.0, 0.0, 0.0, s])[0] < load_of(whole, [2e-5, 0.0], [0.0])[0] for s in
           (0.0, 0.5, math.pi / 2, math.pi, 3 * math.pi / 2, -math.pi, 20 * math.pi)]  # fmt: skip
    assert hit == [True, False, False, True, False, True, True]


def test_prescribed_push_is_a_half_sine():
    pushed = system_of(roller_bearing(CYLINDRICAL, defects=[BearingDefect("outer", 1e-3, math.pi / 2, force=200.0)]))
    still = [0.0, 0.0]
    # 14 elements: element 3.5 pitches after the first stands at 90 degrees
    assert load_of(pushed, still, [0.5, 0, 0, 0])[1] == pytest.approx(200.0)
    half = 0.5e-3 / 30e-3 * 14 / (2 * math.pi)
    assert load_of(pushed, still, [0.5 + 0.5 * half, 0, 0, 0])[1] == pytest.approx(
        200 * math.cos(math.pi / 4), rel=1e-3
    )
    assert load_of(pushed, still, [0.5 + 1.01 * half, 0, 0, 0])[1] == 0.0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: roller_bearing(CYLINDRICAL, damping=-1.0), "must not be negative"),
        (lambda: roller_bearing(CYLINDRICAL, defects=[BearingDefect("cage", 1e-3, depth=1e-6)]), "not on 'cage'"),
        (lambda: roller_bearing(CYLINDRICAL, defects=[BearingDefect("outer", 0.3, depth=1e-6)]), "does not fit"),
        (lambda: roller_bearing(CYLINDRICAL, defects=[BearingDefect("element", 1e-3, depth=1e-6, number=14)]), "no element"),
    ],
)  # fmt: skip
def test_wrong_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
