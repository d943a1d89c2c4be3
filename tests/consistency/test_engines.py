"""Three engines, one model: they share no method, so where they agree the number is right."""

import numpy as np
import pytest

import gearwright as gw
from gearwright.running.prepare import prepare
from gearwright.running.start import initial_state
from gearwright.solve.choose import EngineError, choose, engine


def series(prepared, name, tolerance, steps=300, interval=1e-3):
    channels = [c for c in prepared.system.channels if c.quantity == "force"]
    one = engine(name)
    plan = one.prepare(prepared.system, channels, interval, tolerance)
    return one.advance(plan, initial_state(prepared), steps).lines


@pytest.mark.parametrize(
    "example, pairs, allowed",
    [
        # tabulated stiffness with jumps: 300 ms hold some 75 switches
        ("nordtank-500kw", (("explicit", 1e-6), ("exponential", 1e-5)), 1e-3),
        ("nordtank-500kw-two-level", (("exact", 0.0), ("explicit", 1e-6)), 1e-4),
        ("nordtank-500kw-two-level", (("exact", 0.0), ("exponential", 1e-5)), 1e-3),
    ],
)
def test_engines_agree_through_switches(example, pairs, allowed):
    prepared = prepare(gw.load(example), duration=1.0)
    first, second = (series(prepared, name, tolerance) for name, tolerance in pairs)
    assert np.abs(first - second).max() < allowed * first.std()


def test_planets_in_phase_switch_together():
    """Three meshes switch at one instant but for rounding, some 18 times a second: the explicit engine steps over
    what is left between them. It once gave up at 6.1 s, where the rest was shorter than its shortest step."""
    drivetrain = gw.load("grc-750kw", ["model.helical=spur"])
    prepared = prepare(drivetrain, duration=8.0, law="two_level")
    exact, explicit = (series(prepared, name, 1e-4, steps=640, interval=1e-2) for name in ("exact", "explicit"))
    assert np.abs(exact - explicit).max() < 1e-2 * exact.std()


def test_a_named_engine_is_taken_or_refused():
    system = prepare(gw.load("nordtank-500kw"), duration=1.0).system
    with pytest.raises(EngineError, match="exact.*pieces"):
        choose(system, 1e-3, 1e-4, "exact")
    with pytest.raises(EngineError, match="exact, explicit, exponential"):
        choose(system, 1e-3, 1e-4, "exakt")
