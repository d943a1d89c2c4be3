"""C2: what is counted does not depend on how often: forces that jump are counted by both limits, by every engine."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gearwright as gw
from gearwright.bearings.types import BearingGeometry
from gearwright.errors import InputError
from gearwright.laws.backlash import backlash
from gearwright.laws.roller_bearing import roller_bearing
from gearwright.laws.two_level import two_level
from gearwright.results.counters import Counters
from gearwright.results.derive import Derived, Extension
from gearwright.solve.choose import engine
from gearwright.system import (
    Block,
    Builder,
    Leaps,
    Provenance,
    Row,
    Source,
    Spring,
    State,
    System,
    constant,
    in_order,
    joined,
)
from tests.counting import UNLOADED, differences

ENGINES = ("exact", "explicit", "exponential")
K, RATIO = 9e3, 0.55


def pair(damping: float = 3.0) -> System:
    """Two wheels on a mesh of two levels that turn evenly: seven switches up and seven down in a second."""
    b = Builder()
    for name, mass in (("a", 2.0), ("b", 1.0)):
        b.coordinate(name)
        b.inertia(mass, {name: 1.0})
    b.block(
        "mesh", [Row("mesh", {"a": 1.0, "b": -1.0})], two_level(K, RATIO * K, damping, 0.4), [Row("phase", {"a": 7.0})]
    )
    b.row("drag", {"b": 1.0}, Spring(0.0, 40.0))
    b.signal("load", constant(40.0))
    b.input("a", "load")
    b.channel("mesh", "mesh", "force", "N", "", [(Source.FORCE, "mesh", 1.0)], True)
    b.channel("mesh", "mesh", "deflection", "m", "", [(Source.POSITION, "a", 1.0), (Source.POSITION, "b", -1.0)])
    return b.build(Provenance("pair"), {"a": 1.0, "b": 1.0})


def run(name: str, system: System, interval: float, steps: int, chunks: int = 1) -> Block:
    """Samples of a system from rest of its springs, in chunks."""
    method = engine(name)
    plan, state = method.prepare(system, system.channels, interval, 1e-6), State.start(system)
    blocks = [method.advance(plan, state, steps // chunks) for _ in range(chunks)]
    whole = blocks[0]
    for block in blocks[1:]:
        whole = joined(whole, block)
    return whole


@pytest.mark.parametrize("name", ENGINES)
def test_both_limits_of_a_switch_stand_in_the_ratio_of_the_levels(name: str) -> None:
    """Without damping the force is k d, and d cannot jump: F(t+)/F(t-) = k_after/k_before, seven times up, seven times down."""
    block = run(name, pair(0.0), 0.01, 200, chunks=4)
    leaps = block.leaps
    assert leaps is not None and len(leaps.at) == pytest.approx(28, abs=2) and (leaps.column == 0).all()
    ratio = leaps.after / leaps.before
    assert np.where(ratio < 1.0, ratio, 1.0 / ratio) == pytest.approx(
        RATIO, rel=1e-4
    )  # the exponential engine draws d by a quintic
    assert (np.diff(leaps.at) >= 0).all() and leaps.at[0] >= 0 and leaps.at[-1] < 200


def test_all_engines_hand_over_the_same_limits() -> None:
    """Exact to round-off, explicit to its tolerance, exponential to its polynomials."""
    found = {name: run(name, pair(), 0.01, 200).leaps for name in ENGINES}
    exact = found["exact"]
    assert exact is not None
    for name, tolerance in (("explicit", 1e-5), ("exponential", 1e-3)):
        other = found[name]
        assert other is not None
        assert (other.at == exact.at).all()
        for one, two in ((other.before, exact.before), (other.after, exact.after)):
            assert one == pytest.approx(two, rel=tolerance, abs=tolerance * np.abs(exact.after).max())


@pytest.mark.parametrize("name", ENGINES)
def test_chunks_do_not_change_what_leaps(name: str) -> None:
    """A switch right at the border of two chunks is one switch."""
    whole, parts = run(name, pair(), 0.01, 200).leaps, run(name, pair(), 0.01, 200, chunks=10).leaps
    assert whole is not None and parts is not None
    assert (whole.at == parts.at).all()
    assert parts.after == pytest.approx(whole.after, rel=1e-4)


@pytest.mark.parametrize("name", ["exact", "explicit"])
def test_the_touch_of_a_damped_play_is_a_jump(name: str) -> None:
    """A flank that touches with speed v is damped at once: F(t+) = c v, whatever the stiffness."""
    b = Builder()
    b.coordinate("a")
    b.inertia(2.0, {"a": 1.0})
    b.block("mesh", [Row("drive", {"a": 1.0}), Row("coast", {"a": -1.0})], backlash(8e3, 5.0, 0.1))
    b.channel("mesh", "mesh", "force", "N", "", [(Source.FORCE, "drive", 1.0)], True)
    system = b.build(Provenance("play"), {"a": 0.3})
    state = State.start(system)
    state.q[:] = -0.05
    method = engine(name)
    plan = method.prepare(system, system.channels, 0.05, 1e-8)
    leaps = method.advance(plan, state, 6).leaps
    assert leaps is not None
    # free flight over 0.05 m at 0.3 m/s: the touch at 1/6 s, between samples 3 (0.15 s) and 4
    assert leaps.at[0] == 3 and leaps.before[0] == 0.0 and leaps.after[0] == pytest.approx(5.0 * 0.3, rel=1e-6)


def test_counters_count_leaps_as_if_they_were_samples() -> None:
    """Extremes, envelope and cycles are those of the series with both limits between its samples; moments and levels are not."""
    rng = np.random.default_rng(5)
    x = rng.normal(size=(5000, 3))
    at = np.sort(rng.integers(0, 5000, 400))
    column = rng.integers(0, 3, 400)
    before, after = rng.normal(size=(2, 400)) * 3.0
    leaps = Leaps(at.astype(np.int64), column.astype(np.int64), before, after)
    exponents = (3.0, 4.0)
    counters, plain = (Counters(3, (0, 1, 2), exponents) for _ in range(2))
    for start, end in ((0, 1500), (1500, 1501), (1501, 5000)):
        counters.leap(leaps.part(start, end, 0))
        counters.add(x[start:end])
        plain.add(x[start:end])
    found, bare = counters.counts(), plain.counts()
    for j in range(3):
        series: list[float] = []
        mine = [(a, b, c) for a, k, b, c in zip(at, column, before, after, strict=True) if k == j]
        for i, value in enumerate(x[:, j]):
            series += [y for a, b, c in mine if a == i for y in (b, c)] + [value]
        assert (found.minimum[j], found.maximum[j]) == (min(series), max(series))
        assert (found.block_low[:, j].min(), found.block_high[:, j].max()) == (min(series), max(series))
        ranges, counts = damage_terms(series)
        for e, m in enumerate(exponents):
            assert found.damage[j, e] == pytest.approx(float((counts * ranges**m).sum()), rel=1e-9)
    assert found.mean == pytest.approx(bare.mean) and found.standard_deviation == pytest.approx(bare.standard_deviation)
    assert found.samples_at_level.sum(axis=1) == pytest.approx(5000.0)
    assert (found.damage > 1.2 * bare.damage).all()  # the case is one


def damage_terms(series: list[float]) -> Any:
    """Ranges and counts of a series by the package rainflow."""
    import rainflow

    found = np.array([(low, count) for low, _, count, _, _ in rainflow.extract_cycles(series)])
    return found[:, 0], found[:, 1]


@pytest.mark.parametrize("chunks", [1, 7])
def test_a_magnitude_that_passes_by_zero_is_counted_down_to_it(chunks: int) -> None:
    """A force that swings along a line past the origin at a distance of 3 has |F| = sqrt(x^2 + 9): its least value lies on the line,
    however far samples are apart; where it does not pass there is nothing between them."""
    x = 100.0 * np.cos(0.9 + 2.0 * np.arange(70))
    values = np.column_stack([x, np.full(70, 3.0), 200.0 + x])
    extension = Extension(
        ["b.y", "b.z", "c.y"],
        [
            Derived("bearing", "b", "force", "N", "norm", ("b.y", "b.z")),
            Derived("bearing", "c", "force", "N", "norm", ("c.y",)),
        ],
    )
    found = None
    for part in np.array_split(np.arange(70), chunks):
        room = np.zeros((5, len(part)))
        room[:3] = values[part].T
        extension.extend(room, 0, len(part))
        new = extension.between(room, 0, len(part))
        found = in_order(found, None if new is None else new._replace(at=new.at + part[0]))
    assert found is not None
    crossings = np.flatnonzero(x[1:] * x[:-1] < 0.0) + 1
    assert found.at.tolist() == crossings.tolist() and (found.column == 3).all()
    assert found.before == pytest.approx(3.0) and found.after == pytest.approx(3.0)


def test_what_is_derived_of_a_leap_leaps() -> None:
    """|F| of (3, 4) is 5 and of (6, 8) 10; where the speed stays, power leaps with the torque; the share of one of two even loads that doubles
    is 2/3 of both, 4/3 of its even share."""
    names = ["b.y", "b.z", "m.torque", "m.speed", "one.force", "two.force"]
    derived = [
        Derived("bearing", "b", "force", "N", "norm", ("b.y", "b.z")),
        Derived("machine", "m", "power", "W", "product", ("m.torque", "m.speed")),
        Derived("mesh", "one", "share", "1", "share", ("one.force", "two.force")),
    ]
    room = np.zeros((9, 4))
    room[:6] = np.array([6.0, 8.0, 50.0, 7.0, 1.0, 1.0])[:, None]
    at, column = np.full(4, 2), np.array([0, 1, 2, 4])
    leaps = Leaps(at, column, np.array([3.0, 4.0, 20.0, 1.0]), np.array([6.0, 8.0, 50.0, 2.0]))
    found = Extension(names, derived).leaping(leaps, room)
    assert found is not None and (found.at == 2).all()
    limits = {int(c): (b, a) for c, b, a in zip(found.column, found.before, found.after, strict=True)}
    assert limits[6] == pytest.approx((5.0, 10.0))
    assert limits[7] == pytest.approx((140.0, 350.0))
    assert limits[8] == pytest.approx((1.0, 4.0 / 3.0))
    assert set(limits) == {0, 1, 2, 4, 6, 7, 8}


def test_an_impact_between_two_samples_is_counted() -> None:
    """A mass that flies against a roller on its raceways with F = K d^n: where m v^2/2 = K d^(n+1)/(n+1) the force is greatest, whatever the
    interval; here the impact lasts a tenth of it. Its law has no guard that would tell the touch."""
    geometry = BearingGeometry("cylindrical", 10e-3, 50e-3, 8, 12e-3, play=2e-3)
    law, mass, speed = roller_bearing(geometry), 0.5, 0.1
    track = geometry.bearing().rows[0]
    constant, n = track.constant, track.exponent
    b = Builder()
    for name in ("y", "z", "turn"):
        b.coordinate(name)
        b.inertia(mass, {name: 1.0})
    b.block("ball", [Row("y", {"y": 1.0}), Row("z", {"z": 1.0})], law, [Row("cage", {"turn": 1.0})])
    b.channel("bearing", "ball", "force_y", "N", "", [(Source.FORCE, "y", 1.0)], True)
    system = b.build(Provenance("impact"), {"y": speed})
    method, state = engine("explicit"), State.start(system)
    interval = 4e-3
    plan = method.prepare(system, system.channels, interval, 1e-6)
    block = method.advance(plan, state, 4)
    assert block.leaps is not None and np.abs(block.lines).max() < 1.0
    wanted = constant * (0.5 * (n + 1.0) * mass * speed**2 / constant) ** (n / (n + 1.0))
    assert block.leaps.before.max() == pytest.approx(wanted, rel=0.02)
    assert (block.leaps.at == 2).all()  # the gap of 1 mm is flown through in 10 ms


def test_a_turbine_counts_what_it_begins_with(tmp_path: Path) -> None:
    """Its teeth let go at once where it begins to stop: the largest force of the ring's support is that of the begin, which falls by 3 %
    within a sample."""
    found = []
    for interval in ("0.05 ms", "0.2 ms"):
        sets = [f"counting_interval={interval}", "output_interval=1 ms", "discard=0 s", "events.0.at=0.2 s"]
        drivetrain = gw.load("nrel-5mw-nejad-turbine", sets, "emergency-stop")
        run = gw.simulate(drivetrain, "emergency-stop", duration=0.01, output=tmp_path / "r.nc")
        found.append(run.channels["stage2.ring_bearing.force"]["max"])
    assert found[0] == pytest.approx(found[1], rel=1e-3)


SAMPLE = random.Random(19).sample([name for name in gw.examples() if name not in {name for name, _ in UNLOADED}], 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLE)
def test_a_quarter_of_the_interval_counts_the_same(name: str, tmp_path: Path) -> None:
    """A sample of the shipped drivetrains, a case of each; all of them: ``make long``."""
    cases = [case.name for case in gw.load(name).cases]
    if not cases:
        pytest.skip("no case")
    case = random.Random(19).choice(cases)
    try:
        found = differences(name, case, tmp_path)
    except InputError as error:
        pytest.skip(str(error))
    assert not found


def test_the_begin_of_a_run_that_discards_nothing_counts(tmp_path: Path) -> None:
    """Losses of a gearbox that starts from rest fall within milliseconds: a first sample an interval after the start found a tenth less
    range at 1 ms than at 1/16 ms."""
    found = []
    for interval in ("1 ms", "0.0625 ms"):
        sets = [f"cases.second.counting_interval={interval}", "cases.second.output_interval=1 ms"]
        run = gw.simulate(gw.load("ravigneaux", sets), "second", duration=0.4, output=tmp_path / "r.nc")
        with gw.Result.open(run.result_file) as result:
            row = next(r for r in result.table() if r.name == "s_short.friction_torque")
            found.append((row.minimum, row.maximum, row.equivalents[4.0]))
    assert found[0] == pytest.approx(found[1], rel=1e-4)


def test_a_mechanism_counts_at_its_counting_interval(tmp_path: Path) -> None:
    """Its file stores every 50 ms, in which the generator's wheel turns once, and counts every 5 ms."""
    run = gw.simulate("nordtank-8-bodies", duration=0.4, output=tmp_path / "r.nc")
    with gw.Result.open(run.result_file) as result:
        assert float(result.attributes["count_interval_s"]) == pytest.approx(0.005)
        assert float(result.attributes["store_interval_s"]) == pytest.approx(0.05)
        assert len(result.time) == 8
