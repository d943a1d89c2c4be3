"""Readers against the readers of other programs: ``python -m tests.peers`` writes the table of docs/files.md.

Samples are files that other programs wrote (tests/data, with their sources), or are written here by the peer's own writer. A row
compares every channel, its times and its count. The figure is the largest difference over the largest value of its channel, as the next power of ten
above it, since its digits belong to the libraries at hand.
"""

from __future__ import annotations

import gzip
import math
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas

import gearwright as gw

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests" / "data"
SAMPLES = DATA / "samples"
DECKS = DATA / "turbine"
BEGIN, END = "<!-- peers: python -m tests.peers -->", "<!-- end of peers -->"

#: the name of a file, and of each channel what is read here and there
Pairs = Iterator[tuple[str, list[tuple[Any, Any]]]]
T = 0.01 * np.arange(200)


@dataclass(frozen=True)
class Row:
    """A format, where its samples are from, the peer, and how far the two may be apart, with the reason in the docstring of ``pairs``."""

    format: str
    samples: str
    peer: str
    bound: float
    pairs: Callable[[Path], Pairs]


ROWS: list[Row] = []


def row(
    format: str, samples: str, peer: str, bound: float = 0.0
) -> Callable[[Callable[[Path], Pairs]], Callable[[Path], Pairs]]:
    def add(pairs: Callable[[Path], Pairs]) -> Callable[[Path], Pairs]:
        ROWS.append(Row(format, samples, peer, bound, pairs))
        return pairs

    return add


@dataclass(frozen=True)
class Found:
    """What a comparison found: files, channels and the largest relative difference."""

    files: int
    channels: int
    difference: float

    @property
    def words(self) -> str:
        return "0" if self.difference == 0.0 else f"below 1e{math.ceil(math.log10(self.difference))}"


def compare(row: Row, folder: Path) -> Found:
    """Run one row; files that a peer writes go into the folder. Raises AssertionError where shapes or counts differ."""
    files = channels = 0
    largest = 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, pairs in row.pairs(folder):
            assert pairs, name
            files, channels = files + 1, channels + len(pairs)
            for ours, theirs in pairs:
                a, b = np.asarray(ours, float), np.asarray(theirs, float)
                assert a.shape == b.shape, (row.format, name, a.shape, b.shape)
                assert np.array_equal(np.isfinite(a), np.isfinite(b)), (row.format, name)
                there = np.isfinite(b)
                size = np.abs(b[there]).max(initial=0.0)
                largest = max(largest, np.abs(a - b)[there].max(initial=0.0) / (size or 1.0))
    return Found(files, channels, largest)


def table(found: dict[str, Found]) -> str:
    """The table of docs/files.md from what each row found."""
    lines = ["| format | samples | peer | largest difference |", "|---|---|---|---|"]
    for r in ROWS:
        f = found[r.format]
        counts = ", ".join(f"{n} {word}{'s' * (n != 1)}" for n, word in ((f.files, "file"), (f.channels, "channel")))
        lines.append(f"| {r.format} | {r.samples}: {counts} | {r.peer} | {f.words} |")
    return "\n".join(lines)


def series(path: Path, frame: pandas.DataFrame, **options: Any) -> list[tuple[Any, Any]]:
    """Channels of a series by their order, and the times, against a table of a peer whose first column is the time."""
    data = gw.read(path, **options)
    theirs = frame.to_numpy(float).T
    assert len(theirs) == len(data.data_vars) + 1, (path.name, len(theirs), len(data.data_vars))
    return [(data.time, theirs[0]), *((data[n], x) for n, x in zip(data.data_vars, theirs[1:], strict=True))]


def weio_series(reader: Callable[[str], Any], paths: list[Path]) -> Pairs:
    for path in paths:
        yield path.name, series(path, reader(str(path)).toDataFrame())


# ---------------------------------------------------------------- programs of wind turbines


@row("OpenFAST text", "FAST 6 to OpenFAST 3", "weio")
def _(folder: Path) -> Pairs:
    """Both read the digits of a text."""
    from weio.fast_output_file import FASTOutputFile

    text = folder / "AOC_WSt.out"
    text.write_bytes(gzip.decompress((DATA / "AOC_WSt.out.gz").read_bytes()))
    yield from weio_series(
        FASTOutputFile, [DATA / "FASTOut.out", DATA / "DLC2.3_1_head.out", SAMPLES / "FASTOut_V7.elm", text]
    )


@row("OpenFAST binary, ids 2 and 4", "FAST 7 to OpenFAST 3", "weio")
def _(folder: Path) -> Pairs:
    """Both unpack int16 by the scales of the head."""
    from weio.fast_output_file import FASTOutputFile

    shipped = ROOT / "src" / "gearwright" / "examples" / "data" / "nrel-5mw-18ms.outb"
    yield from weio_series(FASTOutputFile, [DATA / "FASTOutBin.outb", DATA / "FASTOutBin_ID4.outb", shipped])


@row("OpenFAST binary, id 3", "OpenFAST", "weio, from the text of the same run", 1e-3)
def _(folder: Path) -> Pairs:
    """The text has four significant digits; weio 2.0 fails at this id."""
    from weio.fast_output_file import FASTOutputFile

    text = folder / "AOC_WSt.out"
    text.write_bytes(gzip.decompress((DATA / "AOC_WSt.out.gz").read_bytes()))
    yield "AOC_WSt.outb", series(DATA / "AOC_WSt.outb", FASTOutputFile(str(text)).toDataFrame())


@row("OpenFAST input files", "OpenFAST 2 to 5, ROSCO", "weio")
def _(folder: Path) -> Pairs:
    """Every number and flag that both know by a name."""
    from weio.fast_input_file import FASTInputFile

    files = [*SAMPLES.glob("FASTIn*.dat"), SAMPLES / "Elliptic_OLAF.dat", *(DECKS / "deck").glob("NREL*.dat"),
             *(DECKS / "deck" / "Airfoils").glob("*.dat"), *(DECKS / "deck-5").glob("*.*")]  # fmt: skip
    for path in sorted(files):
        theirs, ours = FASTInputFile(str(path)), gw.read(path)
        plain = {k: theirs[k] for k in theirs.keys() if isinstance(theirs[k], (int, float, np.floating))}  # noqa: SIM118
        assert {k for k in plain if k not in ours and k != "re"} == set(), path.name
        yield path.name, [(ours[k], v) for k, v in plain.items() if k in ours and not ours[k].dims]


@row("ROSCO `DISCON.IN`", "ROSCO", "weio")
def _(folder: Path) -> Pairs:
    """Every number and list of numbers."""
    from weio.rosco_discon_file import ROSCODISCONFile

    path = SAMPLES / "RoscoDISCON_PowerTracking.in"
    theirs, ours = ROSCODISCONFile(str(path)), gw.read(path)
    numbers = {k: np.asarray(v) for k, v in theirs.items() if np.asarray(v).dtype.kind in "iuf"}
    yield path.name, [(np.ravel(ours[k]), np.ravel(v)) for k, v in numbers.items() if k in ours]


@row("OpenFAST linear model", "FAST 8 to OpenFAST 2.5", "weio")
def _(folder: Path) -> Pairs:
    """Matrices and operating points."""
    from weio.fast_linearization_file import FASTLinearizationFile

    for path in (SAMPLES / "FASTLin.lin", SAMPLES / "FASTLin_EDM.lin", DATA / "openfast_linearization_3mps.lin"):
        theirs, ours = FASTLinearizationFile(str(path)), gw.read(path)
        names = {"x": "state_value", "xdot": "derivative_value", "u": "input_value", "y": "output_value"}
        yield path.name, [(ours[names.get(k, k)], theirs[k]) for k in (*names, *"ABCD") if k in theirs]


@row("HAWC2 and BHAWC", "HAWC2 12, BHAWC", "weio", 1e-6)
def _(folder: Path) -> Pairs:
    """Times of a packed file are rounded to 1/32000 of its length; they are put in their places here, the peer leaves them."""
    from weio.hawc2_dat_file import HAWC2DatFile

    for path in (
        DATA / "HAWC2_out_ascii.dat",
        DATA / "HAWC2_out_bin.dat",
        DATA / "BHAWC_out_ascii.dat",
        SAMPLES / "BHAWC_out_ascii1.dat",
    ):
        frame = HAWC2DatFile(str(path)).toDataFrame()
        yield path.name, series(path, frame)


@row("Bladed", "Bladed 4", "weio")
def _(folder: Path) -> Pairs:
    """Text, float32, sections of a tower, names over two lines. The peer reads the integers of a table (%55) as floats: not compared."""
    from weio.bladed_out_file import BladedFile

    paths = [DATA / "Bladed_out_ascii.$04", DATA / "Bladed_out_binary.$04"]
    yield from weio_series(
        BladedFile, [*paths, *(SAMPLES / f"Bladed_out_binary_case2.${n}" for n in ("06", "25", "46"))]
    )


@row("FLEX5", "FLEX5, versions 0 and 3", "weio", 1e-6)
def _(folder: Path) -> Pairs:
    """The peer multiplies in single precision."""
    from weio.flex_out_file import FLEXOutFile

    yield from weio_series(FLEXOutFile, [DATA / "FLEXOutBinV0.int", DATA / "FLEXOutBinV3.res"])


@row("TurbSim field", "TurbSim", "weio", 1e-6)
def _(folder: Path) -> Pairs:
    """The peer keeps single precision."""
    from weio.turbsim_file import TurbSimFile

    for path in (SAMPLES / "TurbSim_FAST.bts", DECKS / "TurbSim_NoTwr.bts", DECKS / "TurbSim_WithTwr.bts"):
        theirs, ours = TurbSimFile(str(path)), gw.read(path)
        yield (
            path.name,
            [
                *((ours[c], theirs["u"][i]) for i, c in enumerate("uvw")),
                (ours.z, theirs["z"]),
                (ours.time, theirs["t"]),
            ],
        )


@row("Mann box", "the toolbox's sample", "weio")
def _(folder: Path) -> Pairs:
    """The file counts y from plus to minus, as InflowWind reads it; both count from minus to plus."""
    from weio.mannbox_file import MannBoxFile

    path = DECKS / "MannBox_2x4x8.bin"
    yield path.name, [(gw.read(path)["fluctuation"], MannBoxFile(str(path), N=(2, 4, 8))["field"])]


@row("Hub-height wind, TurbSim series", "AeroDyn, TurbSim", "weio")
def _(folder: Path) -> Pairs:
    """Digits of a text."""
    from weio.fast_wind_file import FASTWndFile
    from weio.turbsim_ts_file import TurbSimTSFile

    yield from weio_series(FASTWndFile, [DATA / "FASTWnd.wnd"])
    yield (
        "TurbSimTS.txt",
        series(DATA / "TurbSimTS.txt", TurbSimTSFile(str(DATA / "TurbSimTS.txt")).toDataFrame()["TimeSeries"]),
    )


@row("Tables of HAWCStab2 and ROSCO", "HAWCStab2, ROSCO", "weio")
def _(folder: Path) -> Pairs:
    """Digits of a text."""
    from weio.hawcstab2_pwr_file import HAWCStab2PwrFile
    from weio.rosco_performance_file import ROSCOPerformanceFile

    ours = gw.read(DATA / "HAWCStab2.pwr")
    frame = HAWCStab2PwrFile(str(DATA / "HAWCStab2.pwr")).toDataFrame()
    yield "HAWCStab2.pwr", [(ours[n], frame.iloc[:, j]) for j, n in enumerate(ours.data_vars, 1)]
    path = DATA / "RoscoPerformance_CpCtCq.txt"
    yield path.name, [(gw.read(path)[n], ROSCOPerformanceFile(str(path))[n.upper()]) for n in ("Cp", "Ct", "Cq")]


# ---------------------------------------------------------------- measured data


@row("Tables of text", "pyDatView's samples", "pandas")
def _(folder: Path) -> Pairs:
    """Digits of a text."""
    path = SAMPLES / "CSVAutoCommentChar.txt"
    yield path.name, series(path, pandas.read_csv(path, comment="#"))
    path = SAMPLES / "CSVTwoLinesHeaders.txt"
    yield path.name, series(path, pandas.read_csv(path, comment="#").iloc[1:])
    path = SAMPLES / "CSVDateNaN.csv"
    frame = pandas.read_csv(path).dropna()
    stamps = pandas.to_datetime(frame["time"], format="%d-%b-%Y %H:%M:%S")
    frame["time"] = (stamps - stamps.iloc[0]).dt.total_seconds()
    yield path.name, series(path, frame)


@row("TDMS", "the toolbox's sample", "npTDMS")
def _(folder: Path) -> Pairs:
    """Values as they are stored; times from the waveform's step."""
    import nptdms

    path = SAMPLES / "TDMS_1Grp2Chan_TimeTrack.tdms"
    found = nptdms.TdmsFile.read(path)["default"].channels()
    ours = gw.read(path)
    yield path.name, [(ours.time, found[0].time_track()), *((ours[c.name], c[:]) for c in found)]


@row("MDF 4", "asammdf's writer", "asammdf")
def _(folder: Path) -> Pairs:
    """Versions 4.00 and 4.10, plain, deflated and transposed; integers with a conversion, a flag, big-endian floats, two rates."""
    import asammdf

    slow = 0.1 * np.arange(20)
    for version, packed in (("4.00", 0), ("4.10", 0), ("4.10", 1), ("4.10", 2)):
        file = asammdf.MDF(version=version)
        file.append([asammdf.Signal(np.sin(T), T, name="Torque", unit="Nm"),
                     asammdf.Signal((100 * np.cos(T)).astype("<i2"), T, name="Temp", unit="degC", conversion={"a": 0.01, "b": 20.0}),
                     asammdf.Signal((np.arange(200) % 2).astype("u1"), T, name="Flag"),
                     asammdf.Signal(np.arange(200, dtype=">f4"), T, name="Big")])  # fmt: skip
        file.append([asammdf.Signal(slow**2, slow, name="Slow", unit="m")])
        path = folder / f"{version}-{packed}.mf4"
        file.save(path, overwrite=True, compression=packed)
        ours = gw.read(path)
        with asammdf.MDF(path) as other:
            signals = {n: other.get(n) for n in ("Torque", "Temp", "Flag", "Big", "Slow")}
            yield (
                path.name,
                [p for n, s in signals.items() for p in ((ours[n], s.samples), (ours[ours[n].dims[0]], s.timestamps))],
            )


@row("Universal files, set 58", "pyuff's writer", "pyuff")
def _(folder: Path) -> Pairs:
    """Text and binary."""
    import pyuff

    for binary in (0, 1):
        path = folder / f"set58-{binary}.uff"
        for node in (1, 2):
            pyuff.UFF(str(path)).write_sets(pyuff.prepare_58(
                func_type=1, rsp_node=node, rsp_dir=3, ref_node=1, ref_dir=1, ordinate_axis_units_lab="m/s^2", id1="run-up", binary=binary,
                abscissa_axis_units_lab="s", abscissa_spacing=1, abscissa_min=0.5, abscissa_inc=0.01, data=np.sin(node * T), x=T + 0.5,
                num_pts=200, ord_data_type=4, orddenom_spec_data_type=0, z_axis_spec_data_type=0), "add")  # fmt: skip
        ours, theirs = gw.read(path), pyuff.UFF(str(path)).read_sets()
        yield path.name, [(ours[f"node {s['rsp_node']}+Z"], s["data"]) for s in theirs] + [(ours.time, theirs[0]["x"])]


@row("MATLAB 4 and 5", "SciPy's writer", "SciPy")
def _(folder: Path) -> Pairs:
    """Vectors, a structure, columns of a matrix; packed or not."""
    from scipy.io import loadmat, savemat

    held = {"time": T, "Torque": np.sin(T), "rec": {"speed": np.cos(T)}, "M": np.c_[T, 2 * T]}
    for form, packed in (("5", False), ("5", True), ("4", False)):
        path = folder / f"{form}-{packed}.mat"
        savemat(
            path,
            held if form == "5" else {k: held[k] for k in ("time", "Torque", "M")},
            format=form,
            do_compression=packed,
        )
        ours, theirs = gw.read(path), loadmat(path, squeeze_me=True)
        pairs = [
            (ours.time, theirs["time"]),
            (ours["Torque"], theirs["Torque"]),
            *((ours[f"M_{i + 1}"], theirs["M"][:, i]) for i in (0, 1)),
        ]
        yield path.name, pairs + ([(ours["rec.speed"], theirs["rec"]["speed"].item())] if form == "5" else [])


@row("MATLAB 7.3", "h5py's writer", "h5py")
def _(folder: Path) -> Pairs:
    """As MATLAB lays it out: transposed data sets behind a head of 512 bytes."""
    import h5py

    path = folder / "run.mat"
    with h5py.File(path, "w", userblock_size=512) as file:
        for name, x in (("time", T[None]), ("Torque", np.sin(T)[None]), ("M", np.array([T, 2 * T]))):
            file.create_dataset(name, data=x).attrs["MATLAB_class"] = np.bytes_("double")
    with path.open("r+b") as raw:
        raw.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(124) + b"\0\2IM")
    ours = gw.read(path)
    with h5py.File(path) as file:
        yield (
            path.name,
            [(ours.time, file["time"][0]), (ours["Torque"], file["Torque"][0]), (ours["M_2"], file["M"][1])],
        )


@row("Parquet", "wind-up's sample, pandas' writer", "pandas")
def _(folder: Path) -> Pairs:
    """The sample has no even series: its columns are compared by the rows of one turbine."""
    path = DATA / "scada" / "wind_up_marge_20200227.parquet"
    frame = pandas.read_parquet(path).reset_index()
    one = frame[frame["TurbineName"] == frame["TurbineName"].iloc[0]]
    numbers = one.select_dtypes("number").copy()
    made = folder / "one.parquet"
    numbers.insert(0, "time", 600.0 * np.arange(len(one)))
    numbers.to_parquet(made)
    yield made.name, series(made, pandas.read_parquet(made))


@row("netCDF", "xarray's writer", "xarray")
def _(folder: Path) -> Pairs:
    """Values as they are stored."""
    import xarray

    path = folder / "run.nc"
    xarray.Dataset({"Torque": ("time", np.sin(T), {"units": "kN m"})}, {"time": ("time", T, {"units": "s"})}).to_netcdf(
        path
    )
    ours = gw.read(path)
    with xarray.open_dataset(path, decode_times=False) as theirs:
        yield path.name, [(ours.time, theirs.time), (ours["Torque"], theirs["Torque"])]


def main() -> None:
    """Write the table into docs/files.md."""
    page = ROOT / "docs" / "files.md"
    text = page.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    with tempfile.TemporaryDirectory() as folder:
        made = table({row.format: compare(row, Path(folder)) for row in ROWS})
    page.write_text(f"{before}{BEGIN}\n\n{made}\n\n{END}{rest.split(END)[1]}", encoding="utf-8")
    sys.stdout.write(made + "\n")


if __name__ == "__main__":
    main()
