"""Every reader on damaged files: one clear message or a sound Dataset, in memory that the size of the file bounds.

``GEARWRIGHT_FUZZ=5000`` runs that many cases; by default as many as CI has time for. HDF5 is read in a process of its own, which
takes half a second: a few cases here, its failures by hand below.
"""

from __future__ import annotations

import os
import struct
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gearwright.interchange import ReadError, child, inspect, read, write

DATA = Path(__file__).parents[1] / "data"
CASES = int(os.environ.get("GEARWRIGHT_FUZZ", "400"))
T = np.arange(60) * 0.05


def _written(folder: Path) -> dict[str, bytes]:
    """Files of the formats that no sample stands for, by other libraries where there are any."""
    import xarray
    from scipy.io import savemat

    data = xarray.Dataset({"Mx": ("time", np.sin(T), {"units": "kN m"}), "n": ("time", 3 + T)}, {"time": ("time", T)})
    made = [write(data, folder / f"made{s}") for s in (".outb", ".csv", ".parquet", ".mat")]
    savemat(folder / "plain.mat", {"time": T, "Mx": np.sin(T), "rec": {"n": 3 + T}})
    savemat(folder / "four.mat", {"time": T, "Mx": np.sin(T)}, format="4")
    made += [folder / "plain.mat", folder / "four.mat"]
    asammdf, nptdms, pyuff = (pytest.importorskip(m) for m in ("asammdf", "nptdms", "pyuff"))
    for compression in (0, 2):
        file = asammdf.MDF(version="4.10")
        file.append(
            [asammdf.Signal(np.sin(T), T, name="Mx", unit="Nm"), asammdf.Signal((9 * T).astype("i2"), T, name="n")]
        )
        file.append([asammdf.Signal(T[:9] ** 2, T[:9], name="slow")])
        made.append(Path(file.save(folder / f"c{compression}.mf4", overwrite=True, compression=compression)))
    with nptdms.TdmsWriter(folder / "a.tdms") as writer:
        writer.write_segment([nptdms.ChannelObject("b", "Mx", np.sin(T), properties={"wf_increment": 0.05})])
    made.append(folder / "a.tdms")
    for binary in (0, 1):
        path = folder / f"u{binary}.uff"
        pyuff.UFF(str(path)).write_sets(pyuff.prepare_58(
            func_type=1, rsp_node=1, rsp_dir=3, ref_node=1, ref_dir=1, abscissa_spacing=1, abscissa_min=0.0, abscissa_inc=0.05,
            data=np.sin(T), x=T, num_pts=60, ord_data_type=4, orddenom_spec_data_type=0, z_axis_spec_data_type=0, binary=binary,
            id1="run"), "add")  # fmt: skip
        made.append(path)
    return {path.name: path.read_bytes() for path in made}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    names = [
        "FASTOut.out", "FASTOutBin.outb", "FASTOutBin_ID4.outb", "HAWC2_out_bin.sel", "HAWC2_out_bin.dat", "BHAWC_out_ascii.sel",
        "BHAWC_out_ascii.dat", "Bladed_out_ascii.%04", "Bladed_out_ascii.$04", "Bladed_out_binary.%04", "Bladed_out_binary.$04",
        "FLEXOutBinV0.int", "FLEXOutBinV3.res", "FASTWnd.wnd", "TurbSimTS.txt", "HAWCStab2.pwr", "RoscoPerformance_CpCtCq.txt",
        "openfast_linearization_3mps.lin", "turbine/TurbSim_WithTwr.bts", "turbine/MannBox_2x4x8.bin",
        "turbine/deck/NRELOffshrBsline5MW_Onshore_ElastoDyn.dat", "turbine/deck/NRELOffshrBsline5MW_AeroDyn_blade.dat",
    ]  # fmt: skip
    found = {Path(name).name: (DATA / name).read_bytes() for name in names}
    return {**found, **_written(tmp_path_factory.mktemp("sound"))}


def beside(folder: Path, name: str) -> None:
    """The other file of a pair, undamaged."""
    pairs = {".sel": ".dat", ".dat": ".sel", ".$04": ".%04", ".%04": ".$04"}
    other = name[:-4] + pairs.get(name[-4:], "")
    if name[-4:] in pairs and (DATA / other).is_file():
        (folder / other).write_bytes((DATA / other).read_bytes())


def check(path: Path, size: int) -> None:
    """A clear error, or a sound Dataset; memory bounded by the size of the files."""
    tracemalloc.start()
    try:
        data = read(path).load()
    except ReadError as error:
        assert "\n" not in error.message and len(error.message) < 8000
        return
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        # texts take most: 60 bytes for each of a line's pieces, and again as numbers; imports on first use
        assert peak < 16e6 + 150 * size, peak
    assert data.nbytes <= 1e5 + 64 * size
    for values in (*data.data_vars.values(), *data.coords.values()):
        assert values.dtype.kind != "f" or "not_finite" in values.attrs or np.isfinite(values.values).all()
    if data.attrs["kind"] == "series":
        for name in data.coords:
            assert (np.diff(data[name]) > 0.0).all()


fuzz = settings(max_examples=CASES, deadline=None, suppress_health_check=list(HealthCheck))


@fuzz
@given(data=st.data())
def test_damage(sound: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(sound)))
    content = bytearray(sound[name])
    size = len(content)
    # half of the damage hits the first kilobyte, where heads are
    place = st.one_of(st.integers(0, min(size, 1024) - 1), st.integers(0, size - 1))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(place)
        how = data.draw(st.sampled_from(("flip", "cut", "insert", "remove", "huge", "high")))
        if how == "flip" and at < len(content):
            content[at] ^= data.draw(st.integers(1, 255))
        elif how == "cut":
            del content[at:]
        elif how == "insert":
            content[at:at] = data.draw(st.binary(min_size=1, max_size=9))
        elif how == "remove":
            del content[at : at + data.draw(st.integers(1, 64))]
        elif how == "huge":
            content[at : at + 4] = struct.pack("<i", data.draw(st.sampled_from((2**31 - 1, -1, -(2**31), 2**24))))
        else:
            content[at : at + 8] = bytes(b | 0x80 for b in content[at : at + 8])  # no UTF-8 any more
    if bytes(content) == sound[name]:  # A10: a value put over itself is no damage
        content[0] ^= 0xFF
    folder = tmp_path_factory.mktemp("f", numbered=True)
    beside(folder, name)
    (folder / name).write_bytes(bytes(content))
    check(folder / name, sum(p.stat().st_size for p in folder.iterdir()))


@settings(max_examples=max(CASES // 4, 20), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_wrong_labels_and_swapped_bytes(
    sound: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    content = sound[data.draw(st.sampled_from(sorted(sound)))]
    label = data.draw(st.sampled_from(sorted(sound) + ["a.xyz", "noname", "a.lin", "a.fst", "a.tsv", "a.hh", "a.unv"]))
    width = data.draw(st.sampled_from((1, 2, 4, 8)))
    if width > 1:
        whole = len(content) // width * width
        content = np.frombuffer(content[:whole], f"<u{width}").byteswap().tobytes() + content[whole:]
    folder = tmp_path_factory.mktemp("w", numbered=True)
    beside(folder, label)
    (folder / label).write_bytes(content)
    check(folder / label, sum(p.stat().st_size for p in folder.iterdir()))


@settings(max_examples=max(CASES // 4, 20), deadline=None, suppress_health_check=list(HealthCheck))
@given(content=st.binary(max_size=400), label=st.sampled_from(("a.outb", "a.csv", "a.int", "a.bts", "a.txt", "a.mat", "a.uff", "a.sel",
                                                               "a.wnd", "a.pwr", "a.lin", "a.out", "a.fst", "a_1x1x4.bin")))  # fmt: skip
def test_noise(tmp_path_factory: pytest.TempPathFactory, content: bytes, label: str) -> None:
    path = tmp_path_factory.mktemp("n", numbered=True) / label
    path.write_bytes(content)
    check(path, len(content))


# ---------------------------------------------------------------- HDF5, in its own process


def _hdf5(folder: Path) -> Path:
    h5py = pytest.importorskip("h5py")
    path = folder / "a.h5"
    with h5py.File(path, "w") as file:
        file["time"], file["Mx"] = T, np.sin(T)
        file["Mx"].attrs["units"] = "kN m"
    return path


def test_hdf5_failures_become_messages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _hdf5(tmp_path)
    np.testing.assert_array_equal(read(path)["Mx"], np.sin(T))
    content = path.read_bytes()
    generator = np.random.default_rng(3)
    for _ in range(3):
        damaged = bytearray(content)
        for at in generator.integers(8, 1200, 6):
            damaged[at] ^= int(generator.integers(1, 256))
        path.write_bytes(bytes(damaged))
        try:
            read(path)
        except ReadError as error:
            assert "\n" not in error.message
    path.write_bytes(content)
    monkeypatch.setattr(child, "PATIENCE", 1e-3)
    with pytest.raises(ReadError, match="does not come to an end"):
        read(path)
    monkeypatch.setattr(child, "PATIENCE", 20.0)
    monkeypatch.setattr(child.sys, "executable", "/bin/false")
    with pytest.raises(ReadError, match="ended its process"):
        read(path)
    monkeypatch.setattr(child.sys, "executable", "/no/such/python")
    with pytest.raises(ReadError, match="could not be started"):
        read(path)


# ---------------------------------------------------------------- large files stay in the file


def test_a_large_record_is_read_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening takes no memory, one channel takes its own and one piece; figures of inspect are those of the values."""
    from gearwright.interchange import dataset, source

    samples, channels = 200_000, 20
    values = np.random.default_rng(1).normal(size=(samples, channels)) + np.arange(channels)
    names = [b"Time", *(f"C{i}".encode() for i in range(channels))]
    words = b"".join(n.ljust(10) for n in names) + b"(s)".ljust(10) + b"(kN)".ljust(10) * channels
    path = tmp_path / "big.outb"
    path.write_bytes(
        struct.pack("<hiiddi", 3, channels, samples, 0.0, 0.01, 0) + words + values.astype("<f8").tobytes()
    )
    monkeypatch.setattr(source, "_BLOCK", 2**20)
    monkeypatch.setattr(dataset, "EAGER", 2**20)
    tracemalloc.start()
    data = read(path)
    opened = tracemalloc.get_traced_memory()[1]
    column = data["C7"].values
    one = tracemalloc.get_traced_memory()[1]
    figures = inspect(path).channels
    everything = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    np.testing.assert_array_equal(column, values[:, 7])
    np.testing.assert_array_equal(data["C7"][1000:50_000:7], values[1000:50_000:7, 7])
    for j in (0, 7, 19):
        assert figures[f"C{j}"]["mean"] == pytest.approx(values[:, j].mean(), rel=1e-12, abs=1e-12)
        assert figures[f"C{j}"]["std"] == pytest.approx(values[:, j].std(), rel=1e-12)
        assert figures[f"C{j}"]["max"] == values[:, j].max()
    whole = values.nbytes
    # the time axis is a twentieth of the file; imports are not counted against it
    assert opened < 0.2 * whole + 8e6 and one < 0.35 * whole + 8e6 and everything < 0.5 * whole + 8e6
    broken = values.copy()
    broken[150_000, 3] = np.nan
    with open(path, "r+b") as file:
        file.seek(path.stat().st_size - broken.nbytes)
        file.write(broken.astype("<f8").tobytes())
    lazy = read(path)
    np.testing.assert_array_equal(lazy["C2"], values[:, 2])
    with pytest.raises(ReadError, match=r"channel C3 is nan in row 150001 of 200000"):
        lazy["C3"].load()
    facts = inspect(path).channels
    assert facts["C3"]["not_finite"] == 1 and "not_finite" not in facts["C2"]
    assert facts["C3"]["mean"] == pytest.approx(np.nanmean(broken[:, 3]), rel=1e-12, abs=1e-12)
