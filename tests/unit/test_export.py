"""Writers: what is written is read again, by this program and by independent readers of the layout."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest
import xarray
from typer.testing import CliRunner

from gearwright.cli import app
from gearwright.interchange import ReadError, read, write

DATA = Path(__file__).parents[1] / "data"
T = 5.0 + np.arange(400) * 0.02
NAMES = ["stage1.sun_planet1.force", "WSP gl. coo.,Vy", "speed (hub)", "level"]
UNITS = ["N", "m/s", "rpm", "1"]
VALUES = np.array([1e6 + 5e4 * np.sin(T), np.cos(3 * T), 12.0 + 0 * T, 1e9 + np.arange(400.0)])


def dataset() -> xarray.Dataset:
    return xarray.Dataset(
        {n: ("time", v, {"units": u}) for n, u, v in zip(NAMES, UNITS, VALUES, strict=True)},
        {"time": ("time", T, {"units": "s"})},
    )


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".mat", ".nc"])
def test_exact_round_trip(tmp_path: Path, suffix: str) -> None:
    path = write(dataset(), tmp_path / f"run{suffix}")
    back = read(path)
    assert list(back.data_vars) == NAMES
    assert [v.attrs["units"] for v in back.data_vars.values()] == UNITS
    np.testing.assert_array_equal(back.time, T)
    for name, values in zip(NAMES, VALUES, strict=True):
        np.testing.assert_array_equal(back[name], values)


def unpack(content: bytes) -> tuple[list[str], np.ndarray]:
    """An independent reading of OpenFAST's binary form, id 4, straight from the layout of ``ReadFASTbinary``."""
    kind, length, channels, samples, first, step = struct.unpack_from("<hhiidd", content)
    assert kind == 4
    at = 2 + 2 + 8 + 16
    scale = np.frombuffer(content, "<f4", channels, at).astype(float)
    offset = np.frombuffer(content, "<f4", channels, at + 4 * channels).astype(float)
    at += 8 * channels
    (size,) = struct.unpack_from("<i", content, at)
    at += 4 + size
    names = [content[at + length * i : at + length * (i + 1)].decode().strip() for i in range(channels + 1)]
    at += 2 * length * (channels + 1)
    packed = np.frombuffer(content, "<i2", channels * samples, at).reshape(samples, channels)
    return names, np.c_[first + step * np.arange(samples), (packed - offset) / scale]


def test_outb_holds_its_promised_resolution(tmp_path: Path) -> None:
    path = write(dataset(), tmp_path / "run.outb")
    names, table = unpack(path.read_bytes())
    assert names == ["Time", *NAMES]
    back = read(path)
    np.testing.assert_allclose(table[:, 0], T, rtol=1e-12)
    for j, values in enumerate(VALUES):
        # half a step of int16, and the rounding of the offset in single precision
        step = max(np.ptp(values) / 65535.0, 1.2e-7 * np.abs(values).max())
        np.testing.assert_allclose(table[:, j + 1], values, rtol=0, atol=0.6 * step)
        np.testing.assert_array_equal(back[NAMES[j]], table[:, j + 1])
    assert back[NAMES[0]].attrs["units"] == "N"


def test_outb_in_double(tmp_path: Path) -> None:
    data = dataset().rename({NAMES[0]: "force", NAMES[1]: "wind", NAMES[2]: "speed"})
    back = read(write(data, tmp_path / "run.outb", double=True))
    for name in data.data_vars:
        np.testing.assert_array_equal(back[name], data[name])
    with pytest.raises(ReadError, match="names of ten letters"):
        write(dataset(), tmp_path / "run.outb", double=True)


def test_what_cannot_be_written(tmp_path: Path) -> None:
    uneven = dataset().assign_coords(time=("time", T**2))
    with pytest.raises(ReadError, match="uniform time"):
        write(uneven, tmp_path / "a.outb")
    with pytest.raises(ReadError, match=r"\.xls is not one of"):
        write(dataset(), tmp_path / "a.xls")
    with pytest.raises(ReadError, match="cannot be written: "):
        write(dataset(), tmp_path / "none" / "a.csv")
    with pytest.raises(ReadError, match="not over time alone"):
        write(read(DATA / "turbine" / "TurbSim_NoTwr.bts"), tmp_path / "a.csv")


def test_the_command_and_its_tables(tmp_path: Path) -> None:
    def export(*words: object) -> dict:
        done = CliRunner().invoke(app, ["export", *map(str, words), "--json"])
        assert done.exit_code == 0, done.output
        return json.loads(done.output)

    source = DATA / "HAWC2_out_bin.sel"
    done = export(source, "-o", tmp_path / "a.outb")
    assert (done["rows"], done["columns"]) == (800, 28)
    assert read(tmp_path / "a.outb").sizes["time"] == 800
    cut = export(
        DATA / "FASTOutBin.outb", "-o", tmp_path / "a.csv", "--channel", "RotSpeed", "--from", 0.1, "--to", 0.2
    )
    assert cut["rows"] == 21

    # one sine of 20 periods in 10 s: 20 cycles of range 2, so that the equivalent range at 1 Hz is 2 (20/10)^(1/m)
    t = np.linspace(0.0, 10.0, 2001)
    wave = xarray.Dataset({"Mx": ("time", np.sin(4 * np.pi * t), {"units": "kN m"})}, {"time": ("time", t)})
    path = write(wave, tmp_path / "wave.parquet")
    export(path, "-o", tmp_path / "del.csv", "--table", "del", "--exponent", 3, "--exponent", 10)
    head, row = (line.split(",") for line in (tmp_path / "del.csv").read_text().splitlines())
    figures = dict(zip([h.strip('"') for h in head], row, strict=True))
    assert figures["unit"].strip('"') == "kN m"
    for m in (3, 10):
        # the first and last quarter wave are not full ranges: one cycle of 20 is smaller
        assert float(figures[f"del_m{m}"]) == pytest.approx(2.0 * 2.0 ** (1.0 / m), rel=0.03)
    export(path, "-o", tmp_path / "r.parquet", "--table", "rainflow", "--bins", 10)
    import pyarrow.parquet as pq

    table = pq.read_table(tmp_path / "r.parquet").to_pydict()
    assert table["cycles_above"][0] == pytest.approx(sum(table["cycles"])) and 19.0 <= sum(table["cycles"]) <= 21.0
    assert table["range_to"][-1] == pytest.approx(2.0, abs=1e-4)
    export(path, "-o", tmp_path / "m.mat", "--table", "markov", "--bins", 4)
    for words, message in (
        (["--table", "ldd"], "there is no table 'ldd'"),
        (["--channel", "Mq"], "no channel 'Mq'"),
        (["--from", 50], "no samples between"),
    ):
        refused = CliRunner().invoke(app, ["export", str(path), "-o", str(tmp_path / "x.csv"), *map(str, words)])
        assert refused.exit_code == 2 and message in refused.output + (refused.stderr or "")
