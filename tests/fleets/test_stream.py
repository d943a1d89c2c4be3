"""Counting that goes on: a state at any row, the same to the last bit for any pieces; against the record counted whole."""

import numpy as np
import pytest

from gearwright.errors import InputError
from gearwright.fleets.observer import Observer
from gearwright.fleets.stream import EXPONENTS, Setting, Stream, normal_shares
from gearwright.results.rainflow import rainflow

INERTIAS = (500.0, 540.0)
BEGIN = 1.4e9


def record(seconds: float, interval: float, seed: int = 0) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    rng = np.random.default_rng(seed)
    t = BEGIN + np.arange(round(seconds / interval)) * interval
    n = len(t)
    speed = 120.0 + 0.02 * np.sqrt(interval) * np.cumsum(rng.normal(size=n)) + 0.2 * np.sin(2 * np.pi * 0.3 * t)
    torque = 4e4 + 50.0 * np.cumsum(rng.normal(size=n)) * np.sqrt(interval)
    return t, {
        "generator_speed": speed,
        "generator_torque": torque,
        "power": 0.95 * torque * speed,
        "wind_speed": 10.0 + rng.normal(size=n),
    }


def spoiled(t, signals, seed: int = 1):
    """Rows within 20 s in any order, one in twenty twice, one in a hundred with other values too, a gap, frozen sensors, missing values."""
    rng = np.random.default_rng(seed)
    signals = {name: x.copy() for name, x in signals.items()}
    n = len(t)
    step = t[1] - t[0]
    signals["generator_speed"][n // 5] = np.nan
    frozen = slice(n // 4, n // 4 + max(int(40 / step), 12))
    for x in signals.values():
        x[frozen] = x[n // 4]
    keep = np.r_[0 : n // 2, n // 2 + 30 : n]
    extra = np.r_[keep, keep[::20]]
    extra = extra[np.argsort(extra * step + rng.uniform(0.0, 20.0, len(extra)), kind="stable")]
    t, signals = t[extra], {name: x[extra] for name, x in signals.items()}
    again = slice(100, None, 100)
    return np.insert(t, np.arange(n)[again][:5] + 1, t[again][:5]), {
        name: np.insert(x, np.arange(n)[again][:5] + 1, x[again][:5] * (1.001 if name == "power" else 1.0))
        for name, x in signals.items()
    }


def counted(setting, t, signals, cuts, saved=False):
    stream, begin, rows = Stream(setting), 0, []
    for size in cuts:
        part = slice(begin, begin + size)
        stream.add(t[part], {name: x[part] for name, x in signals.items()})
        begin += size
        if saved:
            rows.append(stream.taken())
            state = stream.state()
            stream = Stream(setting)
            stream.restore(state)
        if begin >= len(t):
            break
    return stream, np.concatenate([*rows, stream.taken()])


@pytest.mark.parametrize("interval, seconds", [(0.05, 900.0), (1.0, 9000.0), (600.0, 600.0 * 1500)])
def test_any_pieces_with_the_state_saved_between_them_give_the_same_bits(interval, seconds):
    t, signals = record(seconds, interval)
    if interval < 10.0:
        t, signals = spoiled(t, signals)
    setting = Setting.made(interval, 43093.0, 122.9, INERTIAS, 2.0)
    cuts = np.random.default_rng(2).integers(1, 400 if interval < 10 else 90, len(t))
    whole, rows = counted(setting, t, signals, [len(t)])
    parts, other = counted(setting, t, signals, cuts, saved=True)
    one, two = whole.state(), parts.state()
    assert set(one) == set(two)
    for name, values in one.items():
        assert np.array_equal(values, two[name], equal_nan=values.dtype.kind == "f"), name
    assert rows.tobytes() == other.tobytes() and len(rows)
    a, b = whole.spectra(), parts.spectra()
    assert a.damage.tobytes() == b.damage.tobytes() and a.turns.tobytes() == b.turns.tobytes()
    if interval < 10.0:
        assert a.tally["conflicts"] == 5 and a.tally["gaps"] >= 1 and a.tally["frozen"] > 10 and a.tally["missing"] >= 1


def test_sums_are_those_of_the_record_counted_whole():
    """A sound record through the same filters, cycles by the four-point rule of the whole series, duration by its mean.

    Bins hold the mean of their loads; what is lost is p (p - 1) / 24 times the square of their width over the load, 8e-4 for p = 8.7.
    """
    t, signals = record(400.0, 0.05, seed=3)
    setting = Setting.made(0.05, 43093.0, 122.9, INERTIAS, 2.0)
    stream = Stream(setting)
    stream.add(t, signals, end=True)
    found = stream.spectra()
    seen = Observer.design(0.05, setting.corner, 8.0 * setting.corner).observe(
        signals["generator_torque"], signals["generator_speed"]
    )
    for group, inertia in enumerate(INERTIAS):
        load = seen.torque + inertia * seen.acceleration
        cycles = rainflow(load)
        assert found.time == pytest.approx(len(load) * stream.step)
        for m, total in zip(EXPONENTS, found.damage[group], strict=True):
            assert total == pytest.approx(np.sum(cycles.counts * cycles.ranges**m), rel=1e-9)
        for p, limit in ((10 / 3, 1e-4), (6.61, 5e-4), (8.70, 9e-4)):
            true = np.mean((np.abs(load) / 43093.0) ** p * seen.speed / 122.9) * found.time / 3600.0
            assert found.rated_hours(p, group) == pytest.approx(true, rel=limit)
    assert found.turns.sum(axis=1) == pytest.approx(seen.speed.sum() * stream.step / (2 * np.pi))


def test_ten_minutes_are_those_of_the_clock():
    t, signals = record(1800.0, 1.0, seed=4)
    stream = Stream(Setting.made(1.0, 43093.0, 122.9, INERTIAS))
    stream.add(t, signals, end=True)
    rows = stream.taken()
    assert [r["begin"] % 600.0 for r in rows] == [0.0] * len(rows) and rows["seconds"].sum() == 1800.0
    for row in rows:
        own = (t >= row["begin"]) & (t < row["begin"] + 600.0)
        assert row["speed"] == pytest.approx(signals["generator_speed"][own].mean())
        assert row["torque_std"] == pytest.approx(signals["generator_torque"][own].std())


def test_means_with_a_deviation_are_a_normal_distribution():
    """Moments of the shares against closed forms: E T^2 = mean^2 + s^2."""
    setting = Setting.made(600.0, 4e4, 120.0, (1.0,))
    shares, loads = (x[0] for x in normal_shares(np.array([3e4]), np.array([4e3]), 4e4, len(setting.levels)))
    assert shares.sum() == pytest.approx(1.0)
    assert loads.sum() == pytest.approx(3e4)
    used = shares > 0.0
    # the variance that is left inside a bin is that of its width, w^2 / 12
    inside = (4e4 / 64) ** 2 / 12
    assert (loads[used] ** 2 / shares[used]).sum() == pytest.approx(3e4**2 + 4e3**2 - inside, rel=1e-5)


def test_a_state_of_another_train_is_refused():
    one = Stream(Setting.made(1.0, 4e4, 120.0, (500.0,)))
    other = Stream(Setting.made(1.0, 4e4, 120.0, (501.0,)))
    with pytest.raises(InputError, match="another train"):
        other.restore(one.state())
    with pytest.raises(InputError, match="generator_torque"):
        one.add([0.0], {"generator_speed": [1.0]})


def test_rows_that_come_too_late_are_counted_and_left_out():
    t = BEGIN + np.arange(300.0)
    stream = Stream(Setting.made(1.0, 4e4, 120.0, (0.0,)))
    rng = np.random.default_rng(5)
    signals = {"generator_speed": 120.0 + rng.normal(size=300), "generator_torque": 4e4 + rng.normal(size=300)}
    stream.add(t, signals)
    stream.add(t[10:12], {n: x[:2] for n, x in signals.items()}, end=True)
    assert stream.spectra().tally["late"] == 2 and stream.spectra().tally["accepted"] == 300
