"""Wind: statistics, gusts of IEC 61400-1, fields of other programs, reproducible seeds."""

import multiprocessing
from pathlib import Path

import numpy as np
import pytest
from scipy.signal import welch

from gearwright.schema.setup import Wind
from gearwright.turbine import TurbineError, gusts, load, turbulence
from gearwright.turbine import fields as readers
from gearwright.turbine import wind as air
from gearwright.turbine.wind_section import wind_of

DATA = Path(__file__).parent.parent / "data" / "turbine"
TURBINE = load("nrel-5mw")


def test_same_seed_same_field_bit_for_bit():
    one = air.turbulent(TURBINE, 12.0, 3, duration=60.0)
    air.turbulent(TURBINE, 15.0, 9, duration=60.0)
    two = air.turbulent(TURBINE, 12.0, 3, duration=60.0)
    assert one.field.tobytes() == two.field.tobytes()
    assert not np.allclose(one.field, air.turbulent(TURBINE, 12.0, 4, duration=60.0).field)


def _sum(seed):
    return float(np.abs(air.turbulent(TURBINE, 12.0, seed, duration=30.0).field).sum())


@pytest.mark.slow
def test_seeds_do_not_depend_on_the_process():
    here = [_sum(s) for s in (1, 2)]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(_sum, [2, 1]) == here[::-1]


@pytest.mark.slow
def test_variance_and_spectrum():
    # 8 seeds of 720 s: the part below 1/720 Hz is missing, 6 % of the deviation; the rest is sampling scatter
    deviation, total = [], 0.0
    for seed in range(8):
        field = air.turbulent(TURBINE, 18.0, seed, deviation=2.0).field
        deviation.append(field.std(axis=0).mean())
        for k in range(0, 24, 6):
            f, p = welch(field[:, 5, k], 10.0, nperseg=1200)
            total = total + p / 32
    assert np.mean(deviation) == pytest.approx(1.87, abs=0.08)
    for low, high in ((0.015, 0.05), (0.05, 0.15), (0.15, 0.4), (0.4, 1.0)):
        band = (f >= low) & (f < high)
        given = turbulence.spectrum(f[band], 18.0, 2.0, 42.0).mean()
        assert total[band].mean() == pytest.approx(given, rel=0.12)


def test_spectra_hold_the_variance():
    f = np.geomspace(1e-6, 1e3, 400_000)
    for kind, parts in (("kaimal", (1.0, 0.8, 0.5)), ("karman", (1.0, 1.0, 1.0))):
        for component, part in enumerate(parts):
            s = turbulence.spectrum(f, 12.0, 2.0, 42.0, kind, component)
            assert np.trapezoid(s, f) == pytest.approx((2.0 * part) ** 2, rel=0.02)


def test_scaled_field_has_the_deviation_at_the_hub():
    made = air.turbulent(TURBINE, 18.0, 1, deviation=2.0, scaled=True, duration=120.0)
    assert made.field[:, 0, 0].std() == pytest.approx(2.0, rel=1e-12)
    assert np.ptp(made.field[:, 0], axis=1).max() < 5e-3  # the hub is one point: all azimuths alike


def test_hub_series_is_mean_plus_field():
    made = air.turbulent(TURBINE, 12.0, 1, duration=60.0)
    assert made.hub([0.0, 0.1, 0.25]) == pytest.approx(
        12.0 + np.array([made.field[0, 0, 0], made.field[1, 0, 0], made.field[2:4, 0, 0].mean()])
    )


@pytest.mark.parametrize(("mean", "size"), [(5, 3.32), (9.4, 4.50), (11.4, 5.03), (13.4, 5.56), (18, 6.79), (25, 8.65)])
def test_gust_sizes_of_class_b(mean, size):
    assert gusts.gust_size(TURBINE, mean, "IIB") == pytest.approx(size, abs=0.006)


def test_operating_gust_extremes_and_times():
    # closed form of IEC 61400-1: lowest -0.2681, peak +0.74 of the gust size
    made = gusts.operating_gust(TURBINE, 25.0, wind="IIA", start=60.0)
    t = made.interval * np.arange(made.series.shape[1])
    size = gusts.gust_size(TURBINE, 25.0, "IIA")
    assert made.series[0].max() == pytest.approx(25 + 0.74 * size, abs=0.01)
    assert made.series[0].min() == pytest.approx(25 - 0.2681 * size, abs=0.01)
    assert t[made.series[0].argmax()] - 60 == pytest.approx(gusts.PEAK, abs=0.02)
    assert t[made.series[0].argmin()] - 60 in (pytest.approx(2.458, abs=0.02), pytest.approx(8.042, abs=0.02))
    steepest = t[np.argmax(np.gradient(made.series[0]))] - 60
    assert steepest == pytest.approx(gusts.STEEPEST, abs=0.03)


def test_coherent_gust_and_direction_change_end_where_the_standard_says():
    ecd = gusts.coherent_gust(TURBINE, 12.0)
    assert ecd.series[0, -1] == pytest.approx(27.0)
    assert np.degrees(ecd.series[1, -1]) == pytest.approx(60.0)
    edc = gusts.direction_change(TURBINE, 12.0, wind="IA", sign=-1)
    s1 = 0.16 * (0.75 * 12 + 5.6)
    assert edc.series[1, -1] == pytest.approx(-4 * np.arctan(s1 / (12 * (1 + 0.1 * 126 / 42))))
    ews = gusts.wind_shear(TURBINE, 12.0, wind="IA", plane="horizontal")
    assert ews.series[3].max() == pytest.approx(2 * (2.5 + 0.2 * 6.4 * s1 * (126 / 42) ** 0.25), rel=1e-4)
    assert ews.series[2].max() == 0.0


def test_profiles():
    z, factor = air.power_profile(90.0, 0.2)
    assert np.interp(90.0, z, factor) == pytest.approx(1.0, abs=1e-4)
    assert np.interp(27.0, z, factor) == pytest.approx(0.3**0.2, rel=1e-4)
    z, factor = air.log_profile(90.0, 0.03)
    assert np.interp(45.0, z, factor) == pytest.approx(np.log(45 / 0.03) / np.log(90 / 0.03), rel=1e-4)


def test_turbsim_files():
    # the sample's header: 8 m/s at the hub, 3 x 3 and 3 x 4 points from 65 to 115 m, 0.05 s
    for name, nz in (("TurbSim_NoTwr", 3), ("TurbSim_WithTwr", 4)):
        data = readers.read_bts(DATA / f"{name}.bts")
        assert data["u"].shape == (3, 100, 3, nz)
        assert data["mean"] == 8.0
        assert data["dt"] == pytest.approx(0.05)
        assert data["z"][0] == 65.0
        assert data["z"][-1] == pytest.approx(115.0, abs=1e-4)
        assert data["u"][0].mean() == pytest.approx(8.0, abs=0.1)
    with pytest.raises(TurbineError, match=r"rotor needs -63..63 m"):
        readers.turbsim(TURBINE, DATA / "TurbSim_NoTwr.bts")


def test_field_of_a_grid_is_met_at_its_points():
    # a plane speed field is interpolated exactly by bilinear weights
    y = z = np.linspace(-70.0, 70.0, 8)
    u = np.zeros((3, 4, 8, 8))
    u[0] = 10.0 + 0.01 * y[:, None] + 0.02 * z[None, :] + np.arange(4)[:, None, None]
    made = readers._from_grid(TURBINE, u, y, z + 90.0, 0.5, 10.0, "made", False)
    r = made.ring_spacing * 3
    assert made.field[2, 3, 6] == pytest.approx(2.0 - 0.01 * r)  # azimuth 90 deg: to the right
    assert made.field[1, 3, 0] == pytest.approx(1.0 + 0.02 * r)
    assert made.length == 1.5


def test_mann_box(tmp_path):
    box = readers.read_mann(DATA / "MannBox_2x4x8.bin", (2, 4, 8))
    assert box.shape == (2, 4, 8)
    assert np.isfinite(box).all()
    with pytest.raises(TurbineError, match="single-precision"):
        readers.read_mann(DATA / "MannBox_2x4x8.bin", (2, 4, 9))
    rng = np.random.default_rng(0)
    big = rng.standard_normal((32, 8, 8)).astype("<f4")
    (tmp_path / "u.bin").write_bytes(big.tobytes())
    made = readers.mann(TURBINE, [tmp_path / "u.bin"], 10.0, (32, 8, 8), (5.0, 20.0, 20.0), deviation=1.5)
    assert made.field_interval == 0.5
    assert made.field.shape == (32, 9, 24)
    with pytest.raises(TurbineError, match="one Mann box"):
        readers.mann(TURBINE, [tmp_path / "u.bin"] * 2, 10.0, (32, 8, 8), (5.0, 20.0, 20.0))


def test_a_gust_on_the_left_of_a_mann_box_meets_the_left_of_the_rotor(tmp_path):
    # the first of the rows in y lies at plus y, left looking downwind (InflowWind's HAWC reader reverses y)
    box = np.zeros((32, 8, 8), "<f4")
    box[:, :4] = 1.0
    (tmp_path / "u.bin").write_bytes(box.tobytes())
    made = readers.mann(TURBINE, [tmp_path / "u.bin"], 10.0, (32, 8, 8), (5.0, 20.0, 20.0))
    # azimuth 90 degrees is the right of the rotor seen from upwind of it, as in the grid above
    assert made.field[0, 6, 6] == pytest.approx(0.0) and made.field[0, 6, 18] == pytest.approx(1.0)


def test_wind_that_ends_before_the_run():
    made = air.series(TURBINE, [0.0, 10.0], [8.0, 9.0])
    assert made.mean == pytest.approx(8.5, rel=1e-9) and made.length == 10.0  # from 0 to 10 s, nothing behind
    made.covers(10.0)
    with pytest.raises(TurbineError, match="ends at 10 s, the run lasts 20 s"):
        made.covers(20.0)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"type": "ntm", "mean": 12.0}, "needs 'seed'"),
        ({"type": "steady", "mean": 12.0, "seed": 1}, "knows no 'seed'"),
        ({"type": "ntm", "mean": 0.0, "seed": 1}, "mean is a number from 0.5"),
        ({"type": "steps", "speeds": [8, 9], "each": 1.0, "rise": 2.0}, "does not end within a step"),
        ({"type": "series", "time": [0, 0], "speed": [1, 2]}, "ascending"),
        ({"type": "bts", "path": "none.bts"}, "cannot be read"),
    ],
)
def test_refusals_say_what_is_wrong(data, message):
    with pytest.raises(TurbineError, match=message):
        wind_of(TURBINE, Wind.model_validate(data), 60.0)


def test_damaged_turbsim_file(tmp_path):
    content = (DATA / "TurbSim_NoTwr.bts").read_bytes()
    (tmp_path / "short.bts").write_bytes(content[:500])
    with pytest.raises(TurbineError, match="truncated"):
        readers.read_bts(tmp_path / "short.bts")
    (tmp_path / "other.bts").write_bytes(b"\x01\x00" + content[2:])
    with pytest.raises(TurbineError, match="not a TurbSim field"):
        readers.read_bts(tmp_path / "other.bts")


@pytest.mark.parametrize(
    "make", [gusts.operating_gust, gusts.coherent_gust, gusts.direction_change, gusts.wind_shear, air.steady]
)
def test_wind_over_height_has_the_normal_exponent(make):
    """IEC 61400-1, normal wind profile: V(z) = V_hub (z/z_hub)^0.2 where nothing else is given, and with the exponent that is."""
    for given, exponent in (({}, 0.2), ({"shear": 0.11}, 0.11)):
        height, factor = make(TURBINE, 12.0, **given).profile
        want = (np.asarray(height) / TURBINE.hub_height) ** exponent
        np.testing.assert_allclose(np.asarray(factor)[1:], want[1:], rtol=1e-9)
