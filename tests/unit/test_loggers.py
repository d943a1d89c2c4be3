"""Tables as loggers and spreadsheets write them: absolute times, heads of their own, cells without a value, no time at all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from gearwright.cli import app
from gearwright.interchange import ReadError, inspect, read, series


def table(folder: Path, text: str, name: str = "log.csv", encoding: str = "utf-8") -> Path:
    """A file with a text."""
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize(
    ("stamp", "text"),
    [
        ("ISO 8601", "time,a [kN]\n2026-03-01T23:59:59.5,1\n2026-03-02T00:00:00.0,2\n2026-03-02 00:00:00.5,3\n"),
        ("ISO with zone", "timestamp,a [kN]\n2026-03-01T23:59:59.500Z,1\n2026-03-02T00:00:00Z,2\n2026-03-02T00:00:00.500Z,3\n"),
        ("month by name", "time,a [kN]\n01-Mar-2026 23:59:59.5,1\n02-Mar-2026 00:00:00.0,2\n02-Mar-2026 00:00:00.5,3\n"),
        ("two columns", "Date;Time;a [kN]\n01.03.2026;23:59:59.5;1\n02.03.2026;00:00:00.0;2\n02.03.2026;00:00:00.5;3\n"),
    ],
)  # fmt: skip
def test_absolute_times_over_midnight(tmp_path: Path, stamp: str, text: str) -> None:
    data = read(table(tmp_path, text))
    assert data.time.values.tolist() == [0.0, 0.5, 1.0], stamp
    assert data["a"].values.tolist() == [1.0, 2.0, 3.0] and data["a"].attrs["units"] == "kN"
    assert data.attrs["begin"] == "2026-03-01T23:59:59.500000"


def test_rows_without_a_time_are_left_out_and_said(tmp_path: Path) -> None:
    data = read(table(tmp_path, "time,a\nNaT,NaN\n26-Apr-2017 16:07:29,1.8\n26-Apr-2017 16:18:29,20.1\n"))
    assert data.time.values.tolist() == [0.0, 660.0] and data.attrs["unread"] == "1 rows without a time are not read"


def test_an_empty_cell_is_said_and_bars_nothing_but_itself(tmp_path: Path) -> None:
    path = table(tmp_path, "time,a,b\n0,1,5\n1,,6\n2,3,7\n")
    data = read(path)
    np.testing.assert_array_equal(data["a"], [1.0, np.nan, 3.0])
    assert data["b"].values.tolist() == [5.0, 6.0, 7.0]
    assert data.attrs["not_finite"].startswith("a: 1 of 3 values are not finite, the first in row 2 of 3 (line 3)")
    assert inspect(path).facts["said"] == ["a: 1 values are not finite"]
    with pytest.raises(ReadError, match=r"channel a is nan in row 2 of 3 \(line 3\)"):
        series(path, "a")
    with pytest.raises(ReadError, match="channel time has no value in line 3"):
        read(table(tmp_path, "time,a\n0,1\n,2\n2,3\n"))


@pytest.mark.parametrize(
    ("what", "text", "encoding"),
    [
        ("a separator at the end of each line", "time;a;\n0;1,5;\n1;2,5;\n2;3,5;\n", "utf-8"),
        ("of each row alone", "time,a\n0,1.5,\n1,2.5,\n2,3.5,\n", "utf-8"),
        ("a line that names the separator", "sep=;\ntime;a\n0;1,5\n1;2,5\n2;3,5\n", "utf-8"),
        (
            "lines above the names",
            "Test bench 3\nOperator: N. N., shift 2\n\ntime,a,b,c\n0,1.5,0,0\n1,2.5,0,0\n2,3.5,0,0\n",
            "utf-8",
        ),
        ("UTF-16", "time,a\n0,1.5\n1,2.5\n2,3.5\n", "utf-16"),
        ("UTF-16, tabs, big-endian", "\ufefftime\ta\n0\t1,5\n1\t2,5\n2\t3,5\n", "utf-16-be"),
    ],
)
def test_tables_of_spreadsheets(tmp_path: Path, what: str, text: str, encoding: str) -> None:
    data = read(table(tmp_path, text, encoding=encoding))
    assert data.time.values.tolist() == [0.0, 1.0, 2.0] and data["a"].values.tolist() == [1.5, 2.5, 3.5], what
    if "above" in what:
        assert data.attrs["unread"] == "2 lines above the names are not read"


def test_campbell_toa5(tmp_path: Path) -> None:
    """Campbell Scientific's table oriented ASCII, format 5: environment, names, units, how each was made (LoggerNet manual, appendix B)."""
    text = (
        '"TOA5","Bench","CR1000","E1234","CR1000.Std.27.05","CPU:bench.CR1","62915","Fast"\n'
        '"TIMESTAMP","RECORD","Torque","Temp_C"\n"TS","RN","kN-m","Deg C"\n"","","Smp","Avg"\n'
        '"2026-03-01 12:00:00",0,1.5,20.1\n"2026-03-01 12:00:00.05",1,1.75,"NAN"\n"2026-03-01 12:00:00.1",2,2,20.3\n'
    )
    data = read(table(tmp_path, text, "bench.dat"))
    np.testing.assert_allclose(data.time, [0.0, 0.05, 0.1], rtol=1e-12)
    assert data["Torque"].values.tolist() == [1.5, 1.75, 2.0] and data["Torque"].attrs["units"] == "kN m"
    assert "Temp_C" in data.attrs["not_finite"] and data["Temp_C"][0] == 20.1


@pytest.mark.parametrize("own", ["One", "No"])
def test_labview_measurement(tmp_path: Path, own: str) -> None:
    """A text file of LabVIEW's "Write to Measurement File" (NI's specification of the format), with and without a time column."""
    text = (
        f"LabVIEW Measurement\t\nWriter_Version\t2\nReader_Version\t2\nSeparator\tTab\nDecimal_Separator\t.\nMulti_Headings\tNo\n"
        f"X_Columns\t{own}\nTime_Pref\tRelative\nOperator\tbench\nDate\t2026/03/01\nTime\t12:00:00.5\n***End_of_Header***\t\n\t\n"
        "Channels\t2\t\t\nSamples\t3\t3\t\nDate\t2026/03/01\t2026/03/01\t\nY_Unit_Label\tNm\trpm\t\nX_Dimension\tTime\tTime\t\n"
        "X0\t1.0E+0\t1.0E+0\t\nDelta_X\t0.010000\t0.010000\t\n***End_of_Header***\t\t\t\nX_Value\tTorque\tSpeed\tComment\n"
    )
    for i, (torque, speed) in enumerate(((0.5, 900), (0.75, 901), (1.0, 902))):
        text += f"{1.0 + 0.01 * i if own == 'One' else ''}\t{torque}\t{speed}\n"
    data = read(table(tmp_path, text, "bench.lvm"))
    np.testing.assert_allclose(data.time, [1.0, 1.01, 1.02], rtol=1e-12)
    assert data["Torque"].values.tolist() == [0.5, 0.75, 1.0] and data["Speed"].attrs["units"] == "rpm"


def test_a_rate_stands_for_a_time_column(tmp_path: Path) -> None:
    from scipy.io import savemat

    path = table(tmp_path, "a,b\n1,5\n2,6\n3,7\n")
    with pytest.raises(
        ReadError, match=r"no column is called time; name it with time_column, or give the rate of its samples \(--rate"
    ):
        read(path)
    data = read(path, time_column="50 Hz")
    np.testing.assert_allclose(data.time, [0.0, 0.02, 0.04], rtol=1e-12)
    assert data["b"].values.tolist() == [5.0, 6.0, 7.0]
    matrix = tmp_path / "run.mat"
    savemat(matrix, {"torque": np.array([1.0, 2.0, 4.0])})
    np.testing.assert_allclose(read(matrix, time_column="2 kHz").time, [0.0, 5e-4, 1e-3], rtol=1e-12)
    done = CliRunner().invoke(app, ["inspect", str(path), "--rate", "50 Hz"])
    assert done.exit_code == 0 and "every 0.02 s" in done.output
    done = CliRunner().invoke(app, ["inspect", str(path), "--rate", "fast"])
    assert done.exit_code != 0 and "samples per second, such as 50 Hz" in " ".join(done.output.split())


def test_a_gap_refuses_or_is_bridged_by_word(tmp_path: Path) -> None:
    """A straight line is the same line over its gap, whatever is missing of it."""
    time = np.delete(0.5 * np.arange(40), [7, 20, 21, 22])
    rows = "".join(f"{t},{'' if t == 15.0 else 3.0 + 2.0 * t}\n" for t in time)
    path = table(tmp_path, "time,a\n" + rows)
    assert inspect(path).facts["said"] == [
        "a: 1 values are not finite",
        "no samples between 3 and 4 s",
        "no samples between 9.5 and 11.5 s",
    ]
    with pytest.raises(ReadError, match="channel a is nan"):
        series(path, "a")
    whole = table(tmp_path, "time,a\n" + "".join(f"{t},{3.0 + 2.0 * t}\n" for t in time), "whole.csv")
    with pytest.raises(ReadError, match=r"no samples between 3 and 4 s \(and 1 more gaps\).*--gaps bridge"):
        series(whole, "a")
    for each in (path, whole):
        filled, values, _ = series(each, "a", gaps="bridge")
        np.testing.assert_allclose(filled, 0.5 * np.arange(40), rtol=1e-12)
        np.testing.assert_allclose(values, 3.0 + 2.0 * filled, rtol=1e-12)


def test_an_uneven_record_has_no_gaps(tmp_path: Path) -> None:
    """Times of events, or of a solver with steps of its own, are no missing samples."""
    time = np.cumsum(np.random.default_rng(1).uniform(0.1, 2.0, 60))
    path = table(tmp_path, "time,a\n" + "".join(f"{t},1\n" for t in time))
    assert inspect(path).facts["said"] == [] and len(series(path, "a")[0]) == 60
