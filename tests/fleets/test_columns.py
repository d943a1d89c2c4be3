"""Mapping of columns: units, time zones, sources that are known; counters that begin anew; brakes that a signal closes."""

import numpy as np
import pandas
import pytest

import gearwright as gw
from gearwright.errors import InputError
from gearwright.fleets.columns import canonical, read_mapping, restarts
from gearwright.fleets.signals import read_signals


def table(path, zone_stamps, unit=1.0):
    n = len(zone_stamps)
    t = np.arange(n) * 0.05
    frame = pandas.DataFrame({"Stamp": zone_stamps, "n_gen": unit * (120.0 + np.sin(t)), "Moment": 40.0 + np.cos(t)})
    frame.to_csv(path, index=False)
    return t


def test_a_mapping_file_has_columns_units_and_a_zone(tmp_path):
    """20 Hz on a winter's noon in Paris, one hour before UTC; rpm and kN m."""
    begin = pandas.Timestamp("2026-01-15 12:00:00")
    t = table(tmp_path / "a.csv", [begin + pandas.Timedelta(seconds=0.05 * k) for k in range(400)], 30 / np.pi)
    (tmp_path / "map.yaml").write_text(
        "time: {column: Stamp, zone: Europe/Paris}\ngenerator_speed: {column: n_gen, unit: rpm}\ngenerator_torque: {column: Moment, unit: kN m}\n"
    )
    found = read_signals(tmp_path / "a.csv", read_mapping(tmp_path / "map.yaml"))
    assert found.begin == "2026-01-15T11:00:00Z"
    assert found.speed == pytest.approx(120.0 + np.sin(t)) and found.torque == pytest.approx(1e3 * (40.0 + np.cos(t)))


def test_the_hour_that_a_change_of_clocks_repeats_has_no_time_unless_both_are_there():
    """26 October 2025 in Paris: 02:00 to 03:00 comes twice. Both courses are told apart, one alone is not."""
    both = (
        pandas.date_range("2025-10-26 00:00", "2025-10-26 02:00", freq="10min", tz="UTC")
        .tz_convert("Europe/Paris")
        .tz_localize(None)
    )
    said: list[str] = []
    mapping = {"time": read_mapping_of("time: {column: s, zone: Europe/Paris}")["time"]}
    found = canonical({"s": both.to_numpy()}, mapping, "data", said)["time"]
    assert np.array_equal(np.diff(found.astype("M8[s]").astype(float)), np.full(12, 600.0)) and not said
    one = pandas.to_datetime(["2025-10-26 01:50", "2025-10-26 02:10", "2025-10-26 03:10"]).to_numpy()
    found = canonical({"s": one}, mapping, "data", said)["time"]
    assert list(np.isnat(found)) == [False, True, False] and "1 stamps lie in an hour" in said[0]


def read_mapping_of(text):
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "m.yaml").write_text(text)
        return read_mapping(Path(folder) / "m.yaml")


@pytest.mark.parametrize(
    "text, words",
    [
        ("generator_sped: a", "Did you mean 'generator_speed'"),
        ("generator_speed: {colum: a}", "Did you mean 'column'"),
        ("generator_speed: {unit: rpm}", "names no column"),
    ],
)
def test_a_mapping_that_cannot_be_used_is_refused(text, words):
    with pytest.raises(InputError, match=words):
        read_mapping_of(text)


def test_a_column_that_is_not_there_is_refused():
    mapping = read_mapping_of("generator_speed: n_gn")
    with pytest.raises(InputError, match="Did you mean 'n_gen'"):
        canonical({"n_gen": np.ones(3)}, mapping, "data", [])


def test_tables_of_known_sources_need_no_mapping():
    heads = {"# Date and time": np.arange(3.0), "Generator RPM (RPM)": np.ones(3), "Power (kW)": np.ones(3)}
    said: list[str] = []
    found = canonical(heads, None, "data", said)
    assert set(found) == {"time", "generator_speed [rpm]", "power [kW]"} and "Greenbyte" in said[0]


def test_a_counter_that_begins_anew_is_bridged():
    """10, 20, 5 (began anew, counted 5), 15: 10 + 5 + 10."""
    assert restarts(np.array([10.0, 20.0, np.nan, 5.0, 15.0])) == (1, 25.0)
    t = np.arange(0.0, 20.0, 0.05)
    counter = np.where(t < 10.0, t, t - 10.0) * 5e6
    signals = {
        "time": t,
        "generator_speed": 120.0 + np.sin(t),
        "generator_torque": 4e4 + np.cos(t),
        "energy": counter,
        "power": np.full(len(t), 4.8e6),
    }
    assert any("falls 1 times" in w for w in gw.loads_from(signals, "nrel-5mw-gallego").warnings)


def test_a_closed_brake_adds_its_torque_while_the_train_turns():
    """88.66 kN m at the generator's shaft while it turns at a constant speed: the main shaft carries 97.014 times torque and brake."""
    t = np.arange(0.0, 30.0, 0.05)
    speed = 100.0 + 1e-3 * np.sin(t)
    signals = {"time": t, "generator_speed": speed, "generator_torque": np.full(len(t), 1e4)}
    closed = gw.loads_from({**signals, "brake": np.ones(len(t))}, "nrel-5mw")
    assert closed.channels["main.torque"]["mean"] == pytest.approx(97.01407 * (1e4 + 88660.0), rel=1e-4)
    opened = gw.loads_from({**signals, "brake": np.zeros(len(t))}, "nrel-5mw")
    assert opened.channels["main.torque"]["mean"] == pytest.approx(97.01407 * 1e4, rel=1e-4)
    with pytest.raises(InputError, match="needs one brake"):
        gw.loads_from({**signals, "brake": np.ones(len(t))}, "nrel-5mw-gallego")
