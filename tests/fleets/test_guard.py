"""Faults of records: each is put in, found, counted and said; what is left is what was sound."""

from pathlib import Path

import numpy as np
import pandas
import pytest

from gearwright.errors import InputError
from gearwright.fleets.guard import guard

DATA = Path(__file__).resolve().parents[1] / "data"


def record(rows: int = 1000, step: float = 0.05) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    return np.arange(rows) * step, np.stack([120.0 + rng.normal(size=rows), 4e4 + rng.normal(size=rows)])


def test_a_sound_record_passes_whole():
    t, x = record()
    found = guard(t, x)
    assert np.array_equal(found.time, t) and np.array_equal(found.values, x)
    assert not list(found.findings.remarks()) and found.findings.interval == pytest.approx(0.05)
    assert [tuple(s) for s in found.stretches] == [(0, 1000)]


def test_rows_out_of_order_and_given_twice_make_no_difference():
    t, x = record()
    order = np.random.default_rng(2).permutation(np.concatenate([np.arange(1000), np.arange(0, 1000, 20)]))
    found = guard(t[order], x[:, order])
    assert np.array_equal(found.time, t) and np.array_equal(found.values, x)
    assert found.findings.repeated == 50 and found.findings.conflicts == 0 and found.findings.out_of_order > 900


def test_other_values_at_a_time_that_is_taken_are_conflicts():
    t, x = record()
    found = guard(np.append(t, t[10:13]), np.hstack([x, x[:, 10:13] + 1.0]))
    assert np.array_equal(found.values, x)
    assert found.findings.conflicts == 3 and found.findings.repeated == 0


def test_gaps_are_left_open():
    t, x = record()
    keep = np.ones(1000, bool)
    keep[300:340] = False
    x[1, 700] = np.nan
    found = guard(t[keep], x[:, keep])
    f = found.findings
    assert (f.gaps, f.missing) == (2, 1)
    assert f.gap_time == pytest.approx(41 * 0.05) and f.longest_gap == pytest.approx(2.0)
    assert [s.end - s.begin for s in found.stretches] == [300, 360, 299]
    assert any("2 gaps" in line for line in f.remarks())


def test_a_frozen_sensor_is_left_out_but_constant_torque_is_not():
    t, x = record()
    x[1] = 43093.0  # above rated power many controllers keep the torque
    x[0, 400:500] = x[0, 400]
    found = guard(t, x)
    assert found.findings.frozen == 99 and found.findings.gaps == 1
    assert [s.end - s.begin for s in found.stretches] == [401, 500]


def test_a_steady_record_is_kept_and_said():
    t = np.arange(600) * 0.05
    found = guard(t, np.stack([np.full(600, 122.9), np.full(600, 43093.0)]))
    assert found.findings.accepted == 600 and found.findings.frozen == 0
    assert any("steady state" in line for line in found.findings.remarks())


def test_standing_still_is_no_frozen_sensor():
    t, x = record()
    x[:, 200:800] = 0.0
    assert guard(t, x).findings.frozen == 0


def test_uneven_steps_are_said():
    t, x = record()
    t[1::4] += 0.02
    assert guard(t, x).findings.uneven == 500


def test_nothing_left_is_refused():
    with pytest.raises(InputError, match="1 rows"):
        guard(np.array([0.0, np.nan]), np.ones((2, 2)))


def test_the_clock_of_la_haute_borne():
    """ENGIE's wind farm, turbine R80711, 2014: stamps carry their offset, and yet six in March have two values and six in October are
    missing. Counts and the sum of (P / 2050 kW)^(10/3) [h] were made by another program on the same rows."""
    table = pandas.read_csv(DATA / "scada" / "la_haute_borne_2014.csv.gz")
    table = table[table["Wind_turbine_name"] == "R80711"]
    stamps = pandas.to_datetime(table["Date_time"], utc=True)
    time = (stamps - stamps.iloc[0]).dt.total_seconds().to_numpy()
    found = guard(time, table[["P_avg"]].to_numpy().T)
    f = found.findings
    assert (f.rows, f.accepted, f.conflicts, f.repeated) == (5040, 4975, 6, 0)
    assert f.interval == 600.0
    assert (
        sum("two sets of values" in s for s in f.clock) == 1 and sum("one hour is missing" in s for s in f.clock) == 1
    )
    assert ((np.maximum(found.values[0], 0.0) / 2050.0) ** (10 / 3)).sum() / 6.0 == pytest.approx(24.0710, abs=1e-3)
