"""Passes of teeth through a mesh: counts, times and stresses of made-up records with a closed form."""

import math
from dataclasses import replace

import numpy as np
import pytest

from gearwright.geometry.gear import Gear, Steel
from gearwright.geometry.pair import GearPair
from gearwright.rating.miner import Strength
from gearwright.rating.tooth_stress import (
    ToothError,
    mesh_phase,
    points_of_interest,
    tooth_damage,
    tooth_passes,
    worst_teeth,
)

A20 = math.radians(20)
PAIR = GearPair.closed(
    Gear(20, 10e-3, A20, 0.0, 0.582, face_width=0.21), Gear(35, 10e-3, A20, 0.0, 0.419, face_width=0.21)
)
T = np.linspace(0.0, 20.0, 20_001)
PHASE = 7.3 + 4.0 * T  # four pairs a second
FORCE = 8e4 + 1e3 * T


def test_points_are_those_of_the_source():
    """Table 5.1 of S0: 24.3 (entry), 38.2 (single contact), 42.8 (pitch), 53.8 mm (end), moved in by less than 1 mm."""
    found = points_of_interest(PAIR)
    for name, printed in zip(found, (24.3, 38.2, 42.8, 53.8), strict=True):
        assert 1e3 * found[name] == pytest.approx(printed, abs=0.7)


def test_every_pass_has_its_time_force_and_stress():
    passes = tooth_passes(PAIR, T, PHASE, FORCE, factor=0.65)
    points = list(points_of_interest(PAIR).values())
    path = PAIR.path
    modulus = 206e9 / (2 * (1 - 0.3**2))
    for i, s in enumerate(points):
        want = (passes.number + (s - path.start) / path.base_pitch - 7.3) / 4.0
        seen = np.isfinite(passes.time[:, i])
        assert passes.time[seen, i] == pytest.approx(want[seen], abs=1e-9)
        part = 0.5 if i == 0 else 1.0  # two pairs at the entry, one in the single region
        force = part * (8e4 + 1e3 * want[seen])
        assert passes.force[seen, i] == pytest.approx(force, rel=1e-9)
        hertz = np.sqrt(force / 0.21 * modulus / (math.pi * PAIR.curvature(s)))
        assert passes.stress[seen, i] == pytest.approx(0.65 * hertz, rel=1e-9)
    # the record holds 80 mesh cycles
    assert np.isfinite(passes.time).sum(axis=0) == pytest.approx([80] * 4, abs=1)


def test_pairs_share_the_force_by_their_stiffness():
    """Shares of the pairs that touch at one instant add up to one; a pair that is alone has all of it."""
    from gearwright.stiffness import pair_stiffness

    solid = replace(
        PAIR, one=replace(PAIR.one, material=Steel(), rim=0.06), two=replace(PAIR.two, material=Steel(), rim=0.1)
    )
    stiff, path = pair_stiffness(solid, "analytic", 1e-4), solid.path
    for s in np.linspace(path.start, path.end - path.base_pitch, 5):
        assert stiff.share(s) + stiff.share(s + path.base_pitch) == pytest.approx(1.0, abs=1e-12)
        k = stiff.single(s), stiff.single(s + path.base_pitch)
        assert stiff.share(s) == pytest.approx(k[0] / sum(k), rel=1e-12)
    assert stiff.share(path.pitch_point) == 1.0
    points = list(points_of_interest(PAIR).values())
    even, shared = tooth_passes(PAIR, T, PHASE, FORCE), tooth_passes(PAIR, T, PHASE, FORCE, share=stiff.share)
    ratio = shared.force[5] / even.force[5]
    assert ratio == pytest.approx([2.0 * stiff.share(points[0]), 1.0, 1.0, 1.0], rel=1e-12)


def test_teeth_come_in_turn_and_hunt():
    passes = tooth_passes(PAIR, T, PHASE, FORCE)
    sun, planet = passes.tooth(0), passes.tooth(1)
    assert set(sun) == set(range(20)) and set(planet) == set(range(35))
    assert passes.hunting == 140  # least common multiple of 20 and 35
    met = set(zip(sun.tolist(), planet.tolist(), strict=True))
    assert len(met) == len(passes.number)  # 80 passes: no two teeth meet twice
    held = np.isfinite(passes.stress[:, 2])
    assert set(np.bincount(sun[held], minlength=20)) == {4}


def test_phase_is_the_integral_of_the_speed():
    w = 2 + np.sin(T)
    phase = mesh_phase(w, T[1] - T[0], 20, 0.25)
    assert phase[-1] == pytest.approx(0.25 + 20 * (2 * 20 + 1 - math.cos(20)) / (2 * math.pi), rel=1e-7)


def test_a_pass_is_a_cycle_from_zero_or_a_range_to_the_next():
    curve = Strength.slope(1000.0, 1e6, 5.0)
    stress = np.array([400.0, 600.0, 400.0, 600.0, 400.0])
    per = lambda s: (s / 1000.0) ** 5 / 1e6  # noqa: E731
    assert tooth_damage(stress, curve) == pytest.approx(3 * per(400.0) + 2 * per(600.0))
    # the ranges are all 200: four half cycles
    assert tooth_damage(stress, curve, "ranges") == pytest.approx(2 * per(200.0))
    with pytest.raises(ToothError, match="passes or ranges"):
        tooth_damage(stress, curve, "both")


def test_teeth_of_a_sun_add_up_over_its_planets():
    passes = {n: tooth_passes(PAIR, T, PHASE + d, FORCE, factor=0.65) for n, d in (("a", 0.0), ("b", 1 / 3))}
    curve = Strength.slope(1e9, 1e6, 5.0)
    both = worst_teeth(passes, 0, {"a": 0, "b": 7}, 2, curve)
    single = [worst_teeth({n: p}, 0, {n: o}, 2, curve) for (n, p), o in zip(passes.items(), (0, 7), strict=True)]
    for tooth in both:
        assert both[tooth] == pytest.approx(single[0].get(tooth, 0.0) + single[1].get(tooth, 0.0))


@pytest.mark.parametrize(("change", "message"), [
    ({"phase": PHASE[::-1]}, "must rise"),
    ({"phase": 2000 * PHASE}, "samples a mesh cycle"),
    ({"s": [0.5]}, "leave the path of contact"),
    ({"force": FORCE[:-1]}, "one length"),
])  # fmt: skip
def test_refusals(change, message):
    with pytest.raises(ToothError, match=message):
        tooth_passes(PAIR, **{"time": T, "phase": PHASE, "force": FORCE, **change})
