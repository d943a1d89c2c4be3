"""What slow data lack: processes against functions that are known, the shipped surrogate against runs that it never saw, refusals."""

from pathlib import Path

import numpy as np
import pandas
import pytest

import gearwright as gw
from gearwright import pages
from gearwright.errors import FileError, InputError
from gearwright.fleets.corrections import corrected
from gearwright.fleets.gaussian import Process, Shape, best_shape, kernel
from gearwright.fleets.sections import Section, Sections
from gearwright.fleets.surrogate import FAST, LEVELS, SLOW, read_surrogate
from gearwright.fleets.ten_minutes import ROW

RUNS = Path(__file__).resolve().parents[1] / "data" / "scada" / "nrel-5mw-198-runs.csv"
RATIO = 97.01407


def test_a_process_finds_length_and_noise_of_what_it_is_drawn_from():
    """Two features, one of which says nothing; noise a tenth: 400 points give length and noise within a quarter, and 95 % intervals that hold."""
    rng = np.random.default_rng(1)
    x = rng.uniform(-2.0, 2.0, (400, 2))
    covariance = kernel(x, x, np.array([0.8, 1e6])) + 1e-8 * np.eye(400)
    y = 3.0 + np.linalg.cholesky(covariance) @ rng.normal(size=400) + 0.1 * rng.normal(size=400)
    shape = best_shape(x[:300], y[:300])
    assert shape.lengths[0] == pytest.approx(0.8, rel=0.25) and shape.lengths[1] > 8.0
    assert shape.noise == pytest.approx(0.1, rel=0.5)
    mean, deviation = Process.fitted(x[:300], y[:300], shape).predict(x[300:])
    assert (np.abs(mean - y[300:]) < 1.96 * deviation).mean() == pytest.approx(0.95, abs=0.05)


def test_left_out_points_are_those_of_a_process_without_them():
    """The closed form against refitting, with a mean that one point in forty moves little."""
    rng = np.random.default_rng(2)
    x = rng.uniform(-1.0, 1.0, (40, 1))
    y = np.sin(3.0 * x[:, 0]) + 0.05 * rng.normal(size=40)
    shape = Shape(np.array([0.5]), 0.1)
    mean, deviation = Process.fitted(x, y, shape).left_out(y)
    for i in (0, 7, 21):
        keep = np.arange(40) != i
        m, s = Process.fitted(x[keep], y[keep], shape).predict(x[i : i + 1])
        assert mean[i] == pytest.approx(m[0], abs=0.01) and deviation[i] == pytest.approx(s[0], rel=0.15)


@pytest.fixture(scope="module")
def runs():
    """198 runs of another campaign and another version, as rows of the field; true figures of the main shaft."""
    t = pandas.read_csv(RUNS)
    rows = np.full(len(t), np.nan, ROW)
    rows["begin"], rows["seconds"] = 600.0 * np.arange(len(t)), 600.0
    for field, column, factor in (
        ("speed", "speed_mean", RATIO), ("speed_std", "speed_std", RATIO), ("speed_min", "speed_min", RATIO), ("speed_max", "speed_max", RATIO),
        ("torque", "torque_mean", 1 / RATIO), ("torque_std", "torque_std", 1 / RATIO), ("power", "power_mean", 1.0), ("power_std", "power_std", 1.0),
        ("pitch", "pitch_mean", 1.0), ("pitch_std", "pitch_std", 1.0), ("wind", "wind_mean", 1.0),
        ("speed_step", "hz1_speed_dstd", RATIO), ("torque_step", "hz1_torque_dstd", 1 / RATIO), ("range_3", "hz1_delI_3", 1 / RATIO),
    ):  # fmt: skip
        rows[field] = factor * t[column]
    return t, rows


@pytest.mark.parametrize("names, error", [(SLOW, {3: 0.12, 4: 0.11, 8: 0.12}), (FAST, {3: 0.08, 4: 0.07, 8: 0.07})])
def test_ranges_of_runs_that_it_never_saw(runs, names, error):
    """Classes A, B and C, whose turbulence follows wind speed: mean error of ten minutes, and intervals that know it. A model of one class alone was found to err by 25 and
    17 percent (m = 3) on another one, with 5 to 26 percent of the runs in their 95 % intervals; 85 are asked for here."""
    t, rows = runs
    surrogate = read_surrogate("nrel-5mw")
    fitted = surrogate.fitted(names)
    power, deviation = fitted.ranges(rows, surrogate.inertias[1])
    assert fitted.inside(rows).mean() > 0.85
    for j, m in ((0, 3), (1, 4), (3, 8)):
        true = t[f"target_main_del_{m}"].to_numpy() / RATIO
        found = power[:, j] ** (1.0 / m)
        for turbulence in ("IIA", "IIB", "IIC"):
            own = (t["turbulence_class"] == turbulence).to_numpy()
            assert np.abs(found / true - 1.0)[own].mean() < error[m], (m, turbulence)
            assert (np.abs(np.log(found / true))[own] < 1.96 * deviation[own, j]).mean() > 0.85, (m, turbulence)


def test_duration_of_runs_that_it_never_saw(runs):
    """Over a Rayleigh year of 8.5 m/s: bearings within 1 percent, flanks within 6; means alone are 8.5 and 19 percent too low."""
    t, rows = runs
    surrogate = read_surrogate("nrel-5mw")
    levels = surrogate.fitted(SLOW).levels(rows)
    wind = t["wind_mps"].to_numpy()
    below = [np.exp(-((wind + d) ** 2) * np.pi / 4.0 / 8.5**2) for d in (-1.0, 1.0)]
    weight = below[0] - below[1]
    for j, (p, limit) in enumerate(((3.33, 0.01), (6.61, 0.06))):
        true = (
            t[f"target_main_ldd_{p}"].to_numpy() / (surrogate.torque * RATIO) ** LEVELS[j] / (surrogate.speed / RATIO)
        )
        for turbulence in ("IIA", "IIC"):
            own = (t["turbulence_class"] == turbulence).to_numpy()
            assert (weight * levels[:, j])[own].sum() == pytest.approx((weight * true)[own].sum(), rel=limit)


def test_a_fleet_of_ten_minute_rows_gets_ranges_with_their_domain(runs, tmp_path):
    """Class B as a turbine with speed, power and pitch every ten minutes: the main shaft's range (m = 4) of all rows, by their own counters, within 15 percent. The page
    has the errors beside."""
    t, rows = runs
    own = (t["turbulence_class"] == "IIB").to_numpy()
    table = pandas.DataFrame({
        "time": pandas.Timestamp("2026-01-01") + pandas.to_timedelta(600.0 * np.arange(own.sum()), unit="s"),
        **{name: rows[field][own] for name, field in (
            ("generator_speed", "speed"), ("generator_speed_std", "speed_std"), ("generator_speed_min", "speed_min"), ("generator_speed_max", "speed_max"),
            ("power", "power"), ("power_std", "power_std"), ("pitch", "pitch"), ("pitch_std", "pitch_std"))},
    })  # fmt: skip
    (tmp_path / "data").mkdir()
    table.to_csv(tmp_path / "data" / "A1.csv", index=False)
    (tmp_path / "t.csv").write_text("turbine,drivetrain,efficiency\nA1,nrel-5mw,0.944\n")
    found = gw.fleet(tmp_path / "data", tmp_path / "t.csv", tmp_path / "out")
    c = found.turbines[0].corrected
    assert c is not None and not c.refused and c.inside > 0.9
    true = np.mean(t["target_main_del_4"][own] ** 4) ** 0.25
    fast = c.equivalent["main.torque"]["4"] * (1.0 - c.slow["4"]) ** 0.25
    assert fast == pytest.approx(true, rel=0.15)
    assert "How well the surrogate knows" in pages.fleet_report(found, tmp_path / "out")[1].read_text()


def test_beyond_its_campaign_there_are_no_figures(runs):
    _, rows = runs
    surrogate = read_surrogate("nrel-5mw")
    sections = Sections(
        np.array(surrogate.inertias), {"main.torque": Section("shaft", "main", "torque", "N m", RATIO, 1)}
    )
    wild = rows.copy()
    wild["power_std"] *= 4.0
    found = corrected(surrogate, wild, sections, fast=False)
    assert "outside of the campaign's domain" in found.refused and not found.equivalent
    still = rows.copy()
    still["torque"] = 0.0
    with pytest.raises(InputError, match="too few"):
        corrected(surrogate, still, sections, fast=False)
    bare = rows.copy()
    for field in ("speed_std", "speed_min", "speed_max", "power_std", "torque_std", "pitch", "pitch_std"):
        bare[field] = np.nan
    with pytest.raises(InputError, match="too few"):
        corrected(surrogate, bare, sections, fast=False)
    with pytest.raises(FileError, match="gearwright surrogate"):
        read_surrogate("grc-750kw")


def test_a_surrogate_is_a_text_that_is_read_as_it_was_written(tmp_path):
    one = read_surrogate("nrel-5mw")
    one.write(tmp_path / "s.csv")
    other = read_surrogate(tmp_path / "s.csv")
    assert other.rows.tobytes() == one.rows.tobytes() and other.card == one.card and other == one
    assert {"varied", "truth", "not in it"} <= set(one.card)
