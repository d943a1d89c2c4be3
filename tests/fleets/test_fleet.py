"""A fleet from files: sums that other programs made of the same rows, growth, restarts, workers; nothing is lost or counted twice."""

import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import netCDF4
import numpy as np
import pandas
import pytest
from typer.testing import CliRunner

import gearwright as gw
from gearwright import pages
from gearwright.cli import app
from gearwright.errors import InputError
from gearwright.fleets.assets import read_assets, read_failures
from gearwright.fleets.follow import Order, advance

SCADA = Path(__file__).resolve().parents[1] / "data" / "scada"
BORNE = "turbine,rated_power [kW]\n" + "".join(f"{n},2050\n" for n in ("R80711", "R80721", "R80736", "R80790"))


@pytest.fixture
def borne(tmp_path):
    (tmp_path / "data").mkdir()
    shutil.copy(SCADA / "la_haute_borne_2014.csv.gz", tmp_path / "data")
    (tmp_path / "turbines.csv").write_text(BORNE)
    return tmp_path


def test_la_haute_borne(borne):
    """Rows that are accepted, conflicts at the change of clocks, and the sum of (P / 2050 kW)^(10/3) in hours, by another program;
    bins of a 64th of rated torque take 3e-4 of it."""
    found = gw.fleet(borne / "data", borne / "turbines.csv", borne / "out")
    wanted = {
        "R80711": (4975, 24.0710),
        "R80721": (4975, 14.7683),
        "R80736": (4973, 19.2652),
        "R80790": (4964, 20.5580),
    }
    for t in found.turbines:
        accepted, hours = wanted[t.turbine]
        assert (t.faults["accepted"], t.faults["conflicts"]) == (accepted, 6)
        assert t.exposures["bearings"].hours == pytest.approx(hours, rel=5e-4)
    assert [t.turbine for t in found.turbines] == ["R80711", "R80790", "R80736", "R80721"]
    first = pages.fleet_report(found, borne / "out")[0].read_text()
    assert "R80711" in first and "White etching cracks" in first
    again = gw.fleet(borne / "data", borne / "turbines.csv", borne / "out")
    assert "0 rows were new" in again.notes and again.turbines[0].exposures == found.turbines[0].exposures


def test_a_public_extract_with_speeds(tmp_path):
    """Nine turbines, T = P / omega, rated at 1.9 MW and 1550 rpm, rows above 800 rpm: sum of (T/T_r)^p omega/omega_r in hours of means alone, and
    with their deviations as a normal distribution; made by another program. Bins and rows below 800 rpm leave 0.1 percent."""
    frame = pandas.read_parquet(SCADA / "wind_up_marge_20200227.parquet")
    frame = frame[frame["GenRpmMean"] > 800.0]
    (tmp_path / "t.csv").write_text(
        "turbine,rated_power [kW],rated_speed [rpm]\n" + "".join(f"MRG_T0{i},1900,1550\n" for i in range(1, 10))
    )
    for name, columns, bearings, roots in (
        ("with", frame, 377.11, 372.62),
        ("without", frame.drop(columns="ActivePowerSD"), 365.21, 296.89),
    ):
        (tmp_path / name).mkdir()
        columns.to_parquet(tmp_path / name / "farm.parquet")
        found = gw.fleet(tmp_path / name, tmp_path / "t.csv", tmp_path / f"out-{name}")
        assert sum(t.exposures["bearings"].hours for t in found.turbines) == pytest.approx(bearings, rel=1e-3)
        assert sum(t.exposures["roots"].hours for t in found.turbines) == pytest.approx(roots, rel=2e-3)


def states(folder: Path) -> dict[str, dict[str, bytes]]:
    """Everything that a fleet keeps, by turbine: arrays as bytes, positions apart."""
    kept = {}
    for place in sorted(folder.glob("turbines/*")):
        with np.load(place / "state.npz") as file:
            kept[place.name] = {n: file[n].tobytes() for n in file.files if n != "facts"}
        kept[place.name] |= {p.name: p.read_bytes() for p in place.glob("minutes-*.npy")}
    return kept


def books(folder: Path) -> dict[str, bytes | str]:
    """All that stands in the books, by turbine, book and variable."""
    kept = {}
    for path in sorted((folder / "books").glob("*.nc")):
        with netCDF4.Dataset(path) as file:
            for book, group in {"": file, **file.groups}.items():
                kept |= {
                    f"{path.stem}/{book}/{n}": " ".join(v[:]) if v.dtype is str else v[:].tobytes()
                    for n, v in group.variables.items()
                }
    return kept


def test_files_that_grow_give_the_same_as_whole_ones_and_only_what_is_new_is_read(borne):
    text = gzip.decompress((SCADA / "la_haute_borne_2014.csv.gz").read_bytes())
    whole, part = borne / "whole", borne / "part"
    for folder in (whole, part):
        folder.mkdir()
    (whole / "farm.csv").write_bytes(text)
    gw.fleet(whole, borne / "turbines.csv", borne / "one")
    for share in (0.1, 0.35, 0.3501, 1.0):
        (part / "farm.csv").write_bytes(text[: int(len(text) * share)])
        last = gw.fleet(part, borne / "turbines.csv", borne / "two")
    assert states(borne / "one") == states(borne / "two")
    rows = int(next(n for n in last.notes if "were new" in n).split()[0])
    assert 0.6 * 20160 < rows < 0.66 * 20160
    (part / "farm.csv").write_bytes(text.replace(b"R80711", b"R80712"))
    with pytest.raises(InputError, match="is another file"):
        gw.fleet(part, borne / "turbines.csv", borne / "two")


def test_the_same_wherever_the_work_is_done(borne):
    """This process, two others, the workers of a Dask cluster, one file of all turbines: the same states and books to the last bit."""
    distributed = pytest.importorskip("distributed")
    frame = pandas.read_csv(SCADA / "la_haute_borne_2014.csv.gz")
    (borne / "each").mkdir()
    for name, own in frame.groupby("Wind_turbine_name"):
        own.drop(columns="Wind_turbine_name").to_csv(borne / "each" / f"{name}.csv", index=False)
    order = [Order(borne / name, read_assets(borne / "turbines.csv")) for name in ("parallel", "shared")]
    advance(order[0], sorted((borne / "each").glob("*.csv")), jobs=2)
    advance(order[1], sorted((borne / "data").glob("*")))
    gw.fleet(borne / "each", borne / "turbines.csv", borne / "serial")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
    ) as cluster:
        gw.fleet(borne / "each", borne / "turbines.csv", borne / "far", scheduler=cluster.scheduler_address)
    assert states(borne / "serial") == states(borne / "parallel") == states(borne / "shared") == states(borne / "far")
    assert books(borne / "far") == books(borne / "serial") and len(books(borne / "far")) > 30


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_a_process_that_is_killed_loses_and_doubles_nothing(borne):
    """Killed a few times wherever it is, the next call goes on; in the end all is as if nothing had happened."""
    frame = pandas.read_csv(SCADA / "la_haute_borne_2014.csv.gz")
    (borne / "many").mkdir()
    for k in range(6):
        frame[k * 1680 : (k + 1) * 1680].to_csv(borne / "many" / f"{k:02d}.csv", index=False)
    code = (
        "import sys, gearwright.fleets.tables as t; t.PIECE = 30_000\n"
        "from gearwright.fleets.follow import Order, advance\nfrom gearwright.fleets.assets import read_assets\nfrom pathlib import Path\n"
        f"p = Path({str(borne)!r}); advance(Order(p / 'killed', read_assets(p / 'turbines.csv')), sorted((p / 'many').glob('*.csv')))\n"
    )
    state = borne / "killed" / "turbines"
    for _ in range(3):
        process = subprocess.Popen([sys.executable, "-c", code])
        before = sorted(p.stat().st_mtime_ns for p in state.glob("*/state.npz")) if state.is_dir() else []
        end = time.monotonic() + 60.0
        while time.monotonic() < end and process.poll() is None:
            now = sorted(p.stat().st_mtime_ns for p in state.glob("*/state.npz")) if state.is_dir() else []
            if now != before:
                break
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.wait()
    order = Order(borne / "killed", read_assets(borne / "turbines.csv"))
    advance(order, sorted((borne / "many").glob("*.csv")))
    advance(Order(borne / "sound", read_assets(borne / "turbines.csv")), sorted((borne / "many").glob("*.csv")))
    assert states(borne / "killed") == states(borne / "sound")


def simulated(folder: Path, hours: float = 2.0) -> None:
    """1 Hz of a turbine with the 5 MW train as built, which has ratings."""
    t = np.arange(round(hours * 3600.0))
    rng = np.random.default_rng(7)
    torque = 3e4 + 8e3 * np.sin(2 * np.pi * t / 700.0) + 500.0 * rng.normal(size=len(t))
    speed = 115.0 + 5.0 * np.sin(2 * np.pi * t / 700.0) + 0.05 * rng.normal(size=len(t))
    stamps = pandas.Timestamp("2026-01-01") + pandas.to_timedelta(t, unit="s")
    pandas.DataFrame({"time": stamps, "generator_speed": speed, "generator_torque": torque}).to_csv(
        folder / "A1.csv", index=False
    )


def test_replaced_parts_begin_new_books_and_failures_move_the_rate(tmp_path):
    """Damage of two books is that of one (they add); a part that failed half-way has what it did since; another one's is whole."""
    (tmp_path / "data").mkdir()
    simulated(tmp_path / "data")
    (tmp_path / "t.csv").write_text("turbine,drivetrain\nA1,nrel-5mw-nejad\n")
    whole = gw.fleet(tmp_path / "data", tmp_path / "t.csv", tmp_path / "whole").turbines[0]
    part = whole.parts[0]
    (tmp_path / "f.csv").write_text(f"turbine,date,part,failed\nA1,2026-01-01T01:00:00,{part.element},yes\n")
    cut = gw.fleet(tmp_path / "data", tmp_path / "t.csv", tmp_path / "cut", failures=tmp_path / "f.csv").turbines[0]
    of = {(p.element, p.name, p.mode): p for p in cut.parts}
    assert cut.books == 2 and whole.books == 1
    for p in whole.parts:
        own = of[p.element, p.name, p.mode]
        if p.element == part.element:
            assert 0.3 * p.damage < own.damage < 0.7 * p.damage and own.within_year > p.within_year
        else:
            assert own.damage == pytest.approx(p.damage, rel=0.02)
    with pytest.raises(InputError, match="no turbine 'A1'"):
        read_failures(tmp_path / "f.csv", ["A2"])


def test_damage_of_a_planet_bearing_is_that_of_its_formula(tmp_path):
    """By hand from the rows: a third of the carrier's torque over the pins' radius, half of it to each of two bearings of 5500 kN, turns of the planet on its
    carrier over L10 with p = 10/3. 2 percent: the base radii of the file make forces half a percent larger than the pins' radius does."""
    (tmp_path / "data").mkdir()
    simulated(tmp_path / "data")
    (tmp_path / "t.csv").write_text("turbine,drivetrain\nA1,nrel-5mw-nejad\n")
    found = gw.fleet(tmp_path / "data", tmp_path / "t.csv", tmp_path / "out").turbines[0]
    train = gw.expand(gw.load("nrel-5mw-nejad"))
    rows = pandas.read_csv(tmp_path / "data" / "A1.csv")
    ratio = train.ratios["generator"]
    force = rows["generator_torque"] * abs(ratio) / 3.0 / train.bodies["stage1.planet1"].pin_radius / 2.0
    turns = rows["generator_speed"] * abs((train.ratios["stage1.planet1"] - 1.0) / ratio) / (2 * np.pi)
    wanted = float(np.sum(turns * (force / 5.5e6) ** (10 / 3))) / 1e6
    part = next(p for p in found.parts if p.element == "stage1.planet1_PL_A")
    assert part.damage == pytest.approx(wanted * found.hours / 2.0, rel=0.02)


def test_a_record_shorter_than_the_window_of_disorder_is_counted(tmp_path):
    """Twenty seconds at 20 Hz wait for rows that might still come; the figures have them: rated hours at a constant half of the torque, (1/2)^(10/3) of the time."""
    t = np.arange(400) * 0.05
    speed = 100.0 + 1e-4 * np.sin(t)
    table = pandas.DataFrame({"time": t, "generator_speed": speed, "generator_torque": 5e3})
    table.to_csv(tmp_path / "A1.csv", index=False)
    (tmp_path / "t.csv").write_text("turbine,rated_power [kW],rated_speed [rad/s]\nA1,1000,100\n")
    found = gw.fleet(tmp_path / "A1.csv", tmp_path / "t.csv", tmp_path / "out").turbines[0]
    assert found.exposures["bearings"].hours == pytest.approx(0.5 ** (10 / 3) * found.hours, rel=1e-5)
    assert 16.0 < 3600.0 * found.hours < 20.0


def test_the_command_prints_a_ranking_and_json(borne):
    words = ["fleet", str(borne / "data"), "--turbines", str(borne / "turbines.csv"), "-o", str(borne / "out")]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0 and "R80711 lives hardest" in done.output and (borne / "out" / "r80721.html").is_file()
    data = json.loads(CliRunner().invoke(app, [*words, "--json"]).output)
    assert data["turbines"][0]["turbine"] == "R80711" and data["turbines"][0]["exposures"]["bearings"]["low"] > 0.0


@pytest.mark.parametrize(
    "table, words",
    [
        ("turbine,drivetran\nA,x\n", "Did you mean 'drivetrain'"),
        ("name\nA\n", "no column 'name'"),
        ("turbine,rated_power [kW]\nA,-5\n", "has to be positive"),
        ("turbine,from,rated_power\nA,yesterday,5\n", "is no date"),
        ("turbine,efficiency\nA,1.2\n", "at most 1"),
        ("turbine,rated_power\nA,5\nA,6\n", "same date"),
    ],
)
def test_a_table_of_turbines_that_cannot_be_used_is_refused(tmp_path, table, words):
    (tmp_path / "t.csv").write_text(table)
    with pytest.raises(InputError, match=words):
        read_assets(tmp_path / "t.csv")
