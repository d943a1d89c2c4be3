"""Readers of recorded series: one run in two forms, files written here by hand, and damage."""

from __future__ import annotations

import gzip
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gearwright.interchange import ReadError, inspect, read, select, series, write
from gearwright.interchange.record import distinct, unit

DATA = Path(__file__).parents[1] / "data"


def outb(
    kind: int,
    values: np.ndarray,
    *,
    names: list[str] | None = None,
    units: list[str] | None = None,
    time: tuple[float, float] = (10.0, 0.5),
    length: int = 10,
) -> bytes:
    """An .outb file written from the layout of OpenFAST (``WrBinFAST``), independent of the reader."""
    samples, channels = values.shape
    names = ["Time", *(names or [f"Chan{i}" for i in range(channels)])]
    units = ["(s)", *(units or ["(kN·m)"] * channels)]
    head = struct.pack("<h", kind)
    if kind == 4:
        head += struct.pack("<h", length)
    head += struct.pack("<ii", channels, samples)
    packed_time = b""
    if kind == 1:  # packed = value * scale + offset
        head += struct.pack("<dd", 1000.0, -5.0)
        ticks = np.round((time[0] + time[1] * np.arange(samples)) * 1000.0 - 5.0)
        packed_time = ticks.astype("<i4").tobytes()
    else:
        head += struct.pack("<dd", *time)
    if kind == 3:
        body = values.astype("<f8").tobytes()
    else:
        low, high = values.min(axis=0), values.max(axis=0)
        scale = np.where(high > low, 65535.0 / np.where(high > low, high - low, 1.0), 1.0).astype("<f4")
        offset = (-32768.0 - low * scale).astype("<f4")
        head += scale.tobytes() + offset.tobytes()
        body = np.clip(np.round(values * scale + offset), -32768, 32767).astype("<i2").tobytes()
    text = b"written by a test"
    head += struct.pack("<i", len(text)) + text
    for word in names + units:
        head += word.encode("latin-1").ljust(length)[:length]
    return head + packed_time + body


def table(samples: int = 40, channels: int = 3) -> np.ndarray:
    return np.random.default_rng(1).normal(size=(samples, channels)) * np.array([1.0, 1e3, 1e6])[:channels]


# ---------------------------------------------------------------- the same run in two forms


def test_text_and_binary_of_one_run_agree() -> None:
    text, binary = read(DATA / "AOC_WSt.out.gz"), read(DATA / "AOC_WSt.outb")
    assert list(text.data_vars) == list(binary.data_vars)
    assert len(text.data_vars) == 27 and text.sizes["time"] == 601
    np.testing.assert_allclose(text.time, binary.time, atol=1e-9)
    for name in text.data_vars:  # text has four significant digits
        np.testing.assert_allclose(text[name], binary[name], rtol=5.1e-4, atol=1e-30)
        assert text[name].attrs["units"] == binary[name].attrs["units"]


def test_sampling_units_and_names_are_kept() -> None:
    record = read(DATA / "DLC2.3_1_head.out")
    assert len(record.data_vars) == 132
    assert record.attrs["sampling"] == pytest.approx(0.05)
    assert record.attrs["uniform_sampling"] == 1
    assert float(record.time[0]) == 30.0
    torque = select(record, "GenTq")
    assert torque.attrs["units"] == "kN m"
    assert torque.attrs["original_units"] == "(kN·m)"
    assert torque.attrs["original_name"] == "GenTq"
    assert torque.attrs["source"] == "DLC2.3_1_head.out"
    assert float(torque[0]) == 24.2  # the file's first row: 2.42E+01
    assert select(record, "NcIMUTAxs").attrs["units"] == "m/s^2"


def test_small_samples_of_the_binary_form() -> None:
    packed = read(DATA / "FASTOutBin.outb")
    assert packed.sizes["time"] == 201 and len(packed.data_vars) == 10
    assert packed.attrs["sampling"] == pytest.approx(0.005)
    long = read(DATA / "FASTOutBin_ID4.outb")
    assert long.sizes["time"] == 11 and len(long.data_vars) == 235
    assert read(DATA / "FASTOut.out")["GenSpeed"].values[:3].tolist() == [944.1, 945.9, 951.9]


# ---------------------------------------------------------------- files written here


@pytest.mark.parametrize("kind", [1, 2, 3, 4])
def test_each_binary_form(tmp_path: Path, kind: int) -> None:
    values = table()
    path = tmp_path / "run.outb"
    path.write_bytes(outb(kind, values, length=24 if kind == 4 else 10))
    record = read(path)
    np.testing.assert_allclose(record.time, 10.0 + 0.5 * np.arange(40), rtol=1e-12)
    resolution = 0.0 if kind == 3 else 1.0 / 65535.0  # one step of the packing
    for j, name in enumerate(("Chan0", "Chan1", "Chan2")):
        span = np.ptp(values[:, j])
        np.testing.assert_allclose(record[name], values[:, j], atol=(resolution + 1e-6) * span, rtol=0)
        assert record[name].attrs["units"] == "kN m"


def test_only_wanted_channels_and_gzip(tmp_path: Path) -> None:
    path = tmp_path / "run.outb.gz"
    path.write_bytes(gzip.compress(outb(2, table())))
    record = read(path, ["Chan2", "Chan0"])
    assert list(record.data_vars) == ["Chan2", "Chan0"]


def test_a_damaged_channel_does_not_bar_the_others(tmp_path: Path) -> None:
    values = table()
    values[7, 1] = np.nan
    path = tmp_path / "run.outb"
    path.write_bytes(outb(3, values))
    record = read(path)
    assert record.attrs["not_finite"] == "Chan1: 1 of 40 values are not finite, the first in row 8 of 40, time 13.5 s"
    np.testing.assert_array_equal(record["Chan0"], values[:, 0])
    facts = inspect(path)
    assert facts.channels["Chan1"]["not_finite"] == 1 and "Chan1: 1 values" in facts.facts["said"][0]
    rest = np.delete(values[:, 1], 7)
    assert facts.channels["Chan1"]["mean"] == pytest.approx(rest.mean(), rel=1e-12)
    assert facts.channels["Chan1"]["std"] == pytest.approx(rest.std(), rel=1e-12)
    with pytest.raises(ReadError, match=r"run\.outb: channel Chan1 is nan in row 8 of 40, time 13\.5 s"):
        series(path, "Chan1")  # what drives a run
    with pytest.raises(ReadError, match="'Chan1' has values that are not finite, which .outb cannot hold"):
        write(record, tmp_path / "again.outb")
    again = read(write(record, tmp_path / "again.csv"))
    np.testing.assert_array_equal(again["Chan1"], values[:, 1])
    assert float(read(path, ["Chan2"])["Chan2"][7]) == values[7, 2]


def test_repeated_names_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "run.outb"
    path.write_bytes(outb(3, table(), names=["Wind", "Wind", "time"]))
    record = read(path)
    assert list(record.data_vars) == ["Wind", "Wind_2", "time_2"]
    assert record["Wind_2"].attrs["original_name"] == "Wind"
    assert distinct(["a", "a", "a_2"]) == ["a", "a_2_", "a_2"]


def test_fortran_numbers(tmp_path: Path) -> None:
    path = tmp_path / "run.out"
    path.write_text("head\n\nTime A\n(s) (kN-m)\n0.0 1.5D+02\n0.1 1.0-105\n0.2 -2.5E+00\n")
    assert read(path)["A"].values.tolist() == [150.0, 1e-105, -2.5]


def test_a_text_file_with_a_closing_line(tmp_path: Path) -> None:
    """As HydroDyn's stand-alone driver ends its file."""
    path = tmp_path / "run.out"
    path.write_text("\nhead\n\n    Time            Wave1Elev\n   (sec)                  (m)\n    0.0           0.0e+01\n"
                    "    1.0           1.0e+01\n\nThis output file was closed on 19-Oct-2018 at 10:15:16.\n")  # fmt: skip
    record = read(path)
    assert record["Wave1Elev"].values.tolist() == [0.0, 10.0] and "closed on 19-Oct" in record.attrs["unread"]


@pytest.mark.parametrize(
    "text",
    [
        "time,torque [kN m],speed (rpm)\n0,1.5,10\n0.1,2.5,11\n",
        "# a comment\ntime;torque;speed\ns;kNm;RPM\n0;1,5;10\n0,1;2,5;11\n",
        "t [ms]\ttorque [kN·m]\tspeed [rpm]\n0\t1.5\t10\n100\t2.5\t11\n",
        "Time torque speed\n(s) (kN-m) (rpm)\n0 1.5 10\n0.1 2.5 11",
        '\ufeff"time [s]","torque [kN*m]","speed [rpm]"\r\n0,1.5,10\r\n0.1,2.5,11\r\n',
    ],
)
def test_tables_in_the_spellings_of_the_trade(tmp_path: Path, text: str) -> None:
    path = tmp_path / "run.csv"
    path.write_text(text, encoding="utf-8", newline="")
    record = read(path)
    np.testing.assert_allclose(record.time, [0.0, 0.1])
    assert record["torque"].values.tolist() == [1.5, 2.5]
    assert record["torque"].attrs["units"] == "kN m"
    assert record["speed"].attrs["units"] == "rpm"


def test_named_time_column(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text("clock,load\n1,5\n2,6\n")
    assert read(path, time_column="clock").time.values.tolist() == [1.0, 2.0]
    with pytest.raises(ReadError, match="no column is called time"):
        read(path)
    with pytest.raises(ReadError, match=r"no time column: no channel 'clok'; did you mean clock\?"):
        read(path, time_column="clok")


@pytest.mark.parametrize(
    ("spelled", "wanted"),
    [
        ("(kN·m)", "kN m"),
        ("(kN-m)", "kN m"),
        ("kNm", "kN m"),
        ("Nm", "N m"),
        ("(m/sec^2)", "m/s^2"),
        ("[m/s2]", "m/s^2"),
        ("m/s²", "m/s^2"),
        ("(deg/sec^2", "deg/s^2"),  # cut at ten characters
        ("(sec)", "s"),
        ("RPM", "rpm"),
        ("(-)", "1"),
        ("", "1"),
        ("°", "deg"),
        ("(deg C)", "degC"),
        ("(N-m/(rad/s))", "N m/(rad/s)"),
        ("N-m/(rad/s)", "N m/(rad/s)"),
        ("INVALID", "INVALID"),
    ],
)
def test_units_have_one_spelling(spelled: str, wanted: str) -> None:
    assert unit(spelled) == wanted


# ---------------------------------------------------------------- what is refused, and in which words


def test_channel_that_is_not_there() -> None:
    record = read(DATA / "AOC_WSt.outb")
    with pytest.raises(ReadError, match=r"no channel 'RotSped'; did you mean RotSpeed") as caught:
        select(record, "RotSped")
    assert "HSShftTq" in str(caught.value)  # lists what is
    with pytest.raises(ReadError, match=r"did you mean LSShftTq"):  # the same quantity, another name
        read(DATA / "AOC_WSt.outb", ["RotTorq"])


def test_channel_marked_invalid(tmp_path: Path) -> None:
    path = tmp_path / "run.outb"
    path.write_bytes(outb(3, table(), units=["(m)", "INVALID", "(m)"]))
    with pytest.raises(ReadError, match="Chan1 was marked INVALID"):
        select(read(path), "Chan1")


def refused(path: Path, content: bytes | str, message: str, name: str) -> None:
    target = path / name
    target.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(ReadError, match=message) as caught:
        read(target)
    assert str(caught.value).startswith(str(target)) and "\n" not in str(caught.value)


def test_wrong_or_cut_binary(tmp_path: Path) -> None:
    sound = outb(2, table())
    refused(tmp_path, b"", "is empty", "a.outb")
    refused(tmp_path, b"Time (s)\n0 1\n", "not an OpenFAST binary file", "a.outb")
    refused(tmp_path, sound[:-1], "truncated", "a.outb")
    refused(tmp_path, sound[:20], "truncated", "a.outb")
    (tmp_path / "longer.outb").write_bytes(sound + b"\0\0")
    assert read(tmp_path / "longer.outb").attrs["unread"] == "2 bytes behind its last sample are not read"
    refused(tmp_path, gzip.compress(sound)[:-20], "truncated|sound gzip", "a.outb.gz")
    refused(tmp_path, b"no gzip at all", "not a sound gzip", "a.outb.gz")
    # a header that asks for 2^31 samples of 2^31 channels is an error before anything is allocated
    vast = struct.pack("<hii", 2, 2**31 - 1, 2**31 - 1) + sound[10:]
    refused(tmp_path, vast, "header is damaged", "a.outb")
    refused(tmp_path, struct.pack("<hii", 2, -5, 40) + sound[10:], "number of channels is -5", "a.outb")
    refused(tmp_path, outb(3, table(), time=(0.0, 0.0)), "time does not rise", "a.outb")
    refused(tmp_path, outb(3, table(), time=(0.0, np.nan)), "time is not finite", "a.outb")
    with pytest.raises(ReadError, match="no such file"):
        read(tmp_path / "none.outb")
    with pytest.raises(ReadError, match="no such file"):
        read(tmp_path / "none.mat")


def test_wrong_or_cut_text(tmp_path: Path) -> None:
    head = "a\nTime A B\n(s) (m) (m)\n"
    refused(tmp_path, " \n", "is empty", "a.out")
    refused(tmp_path, "no header\n1 2\n", "no line of names", "a.out")
    refused(tmp_path, head, "holds a header and no samples", "a.out")
    refused(tmp_path, head + "0 1 2\n1 1\n", "truncated: line 5, the last, has 2 of 3 values", "a.out")
    refused(tmp_path, head + "0 1.00 2.00\n1 1.00 2.", "ends within a number", "a.out")
    refused(tmp_path, head + "0 1\n1 1 2\n", "line 4 has 2 values", "a.out")
    refused(tmp_path, head + "0 1 2\n1 1 ****\n", r"channel B is '\*{4}', not a number, in line 5", "a.out")
    (tmp_path / "nan.out").write_text(head + "0 1 2\n1 NaN 2\n")
    assert (
        read(tmp_path / "nan.out")
        .attrs["not_finite"]
        .startswith("A: 1 of 2 values are not finite, the first in row 2 of 2 (line 5)")
    )
    refused(tmp_path, head + "0 1 2\n0 1 2\n", "time does not rise", "a.out")
    refused(tmp_path, "Time A B\n(s) (m)\n0 1 2\n", "3 names in line 1, 2 units in line 2", "a.out")


def test_wrong_or_cut_table(tmp_path: Path) -> None:
    refused(tmp_path, "", "is empty", "a.csv")
    refused(tmp_path, "# only\n", "comments and no table", "a.csv")
    refused(tmp_path, "0,1\n1,2\n", "names of the channels are wanted", "a.csv")
    refused(tmp_path, "time,a\n", "no samples", "a.csv")
    refused(tmp_path, "time,a\n0,1\n1\n", "truncated: line 3 has 1 values, the header 2", "a.csv")
    refused(tmp_path, "time,a\n0,1\n1,x\n", "channel a is 'x', not a number, in line 3", "a.csv")
    refused(tmp_path, "time [furlong],a\n0,1\n", "time is in 'furlong'", "a.csv")
    refused(tmp_path, b"PK\0\0", "not a text table", "a.csv")


# ---------------------------------------------------------------- damage at random


SOUND = {
    "a.outb": outb(2, table(12)),
    "b.outb": outb(1, table(12)),
    "c.outb": outb(4, table(12), length=12),
    "d.outb": (DATA / "FASTOutBin.outb").read_bytes(),
    "a.out": (DATA / "FASTOut.out").read_bytes(),
    "a.csv": b"time,torque [kN m],speed (rpm)\n" + b"".join(b"%d,1.5,2\n" % i for i in range(12)),
    "a.out.gz": gzip.compress((DATA / "FASTOut.out").read_bytes()),
}


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=st.sampled_from(sorted(SOUND)),
    cut=st.floats(0.0, 1.0),
    flips=st.lists(st.tuples(st.floats(0.0, 0.999), st.integers(1, 255)), max_size=4),
    early=st.booleans(),
)
def test_damage_is_a_clear_error_or_a_sound_record(
    tmp_path: Path, name: str, cut: float, flips: list[tuple[float, int]], early: bool
) -> None:
    content = bytearray(SOUND[name])
    if not flips:
        del content[int(cut * len(content)) :]
    for place, mask in flips:  # half of the cases hit the header
        content[int(place * (64 if early else len(content)))] ^= mask
    path = tmp_path / name
    path.write_bytes(bytes(content))
    try:
        record = read(path)
    except ReadError as error:
        assert "\n" not in error.message and error.path == str(path)
        return
    assert record.sizes["time"] >= 1
    assert all(np.isfinite(series).all() for series in record.data_vars.values() if "not_finite" not in series.attrs)
    assert (np.diff(record.time) > 0).all()
    assert record.nbytes <= 64 * max(len(content), 4096)
