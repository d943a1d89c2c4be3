"""Readers of other programs' results: samples of those programs, their own header figures, and files written by other libraries."""

from __future__ import annotations

import re
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gearwright.interchange import ReadError, inspect, read
from gearwright.interchange.bladed import unit_of
from gearwright.interchange.read import records_of
from gearwright.interchange.source import Later

DATA = Path(__file__).parents[1] / "data"
T = np.arange(200) * 0.01


def stays_in_the_file(path: Path) -> None:
    """Opened lazily, a file gives the same values, and only of the channel that is asked for."""
    whole, later = read(path, lazy=False), read(path, lazy=True)
    assert list(later.data_vars) == list(whole.data_vars)
    asked: list[list[str]] = []
    for record in records_of(path, lazy=True):
        assert isinstance(record.values, Later) and record.values.shape == (len(record.names), len(record.time))
        before = record.values.read
        record.values.read = lambda names, before=before: asked.append(names) or before(names)  # type: ignore[func-returns-value]
        np.testing.assert_array_equal(record.values.one(0, 2, 5), whole[record.names[0]][2:5])
        assert asked.pop() == [record.names[0]] and not asked
        pieces = np.concatenate([x for _, x in record.values.parts()], axis=1)
        np.testing.assert_array_equal(pieces, np.array([whole[n] for n in record.names]).T)
        asked.clear()
    for name in whole.data_vars:
        np.testing.assert_array_equal(later[name][1::3], whole[name][1::3])
        assert later[name].attrs == whole[name].attrs and later[name].dims == whole[name].dims


# ---------------------------------------------------------------- HAWC2, BHAWC


def test_hawc2_text_and_binary_of_one_run_agree() -> None:
    text, binary = read(DATA / "HAWC2_out_ascii.sel"), read(DATA / "HAWC2_out_bin.dat")
    assert list(text.data_vars) == list(binary.data_vars) and len(text.data_vars) == 27
    np.testing.assert_allclose(text.time, 0.025 * np.arange(1, 801), rtol=1e-6)
    # the binary time is rounded to 20 s / 32000; an even one is put in its place
    np.testing.assert_allclose(binary.time, text.time, atol=1e-6)
    factors = [float(x) for x in (DATA / "HAWC2_out_bin.sel").read_text().split("Scale factors:")[1].split()][1:]
    for name, factor in zip(text.data_vars, factors, strict=True):
        # half a step of the int16, and half a digit of the six that the text has
        error = np.abs(text[name] - binary[name])
        assert float(error.max()) <= 0.51 * factor + 5e-6 * float(np.abs(text[name]).max())
        assert text[name].attrs["units"] == "m/s"


def test_hawc2_channels_by_description() -> None:
    wanted = "Free wind speed Vy, gl. coo, of gl. pos    0.00,   0.00, -50.00"
    one = read(DATA / "HAWC2_out_ascii.dat", [wanted])
    (name,) = one.data_vars
    assert one[name].attrs["description"] == wanted and one[name].attrs["original_name"] == "WSP gl. coo.,Vy"
    everything = read(DATA / "HAWC2_out_ascii.dat")
    np.testing.assert_array_equal(one[name], everything[name])


def test_bhawc() -> None:
    record = read(DATA / "BHAWC_out_ascii.dat")
    assert list(record.data_vars) == ["ang_azi", "Ft_x  e.1n1", "uB1_y n14", "av_brk_dsk."]
    assert [v.attrs["units"] for v in record.data_vars.values()] == ["deg", "kN", "m", "rpm"]
    assert record.time.values.tolist() == pytest.approx([0.04 * i for i in range(11)])
    assert float(record["av_brk_dsk."][0]) == 2273.5  # first row: 2.2735E+3


def hawc2(folder: Path, values: np.ndarray, factors: list[float]) -> Path:
    """A HAWC2 pair written from the layout of the format."""
    scans, width = values.shape
    lines = ["_" * 40, "  Version ID : HAWC2MB 12.9", "_" * 40, "   Scans    Channels    Time [sec]      Format",
             f"      {scans}      {width}        {scans * 0.1:.3f}       BINARY", "", "  Channel   Variable Description", ""]  # fmt: skip
    for j in range(width):
        name, unit = ("Time", "s") if j == 0 else (f"MomentMx{j}", "kNm")
        lines.append(f"{j + 1:6d}      {name:<30s} {unit:<10s} moment {j}")
    lines += ["_" * 40, "Scale factors:", *(f"  {f:.5E}" for f in factors)]
    (folder / "run.sel").write_text("\n".join(lines) + "\n")
    (folder / "run.dat").write_bytes(np.round(values / factors).astype("<i2").T.tobytes())
    return folder / "run.sel"


def test_hawc2_written_here(tmp_path: Path) -> None:
    values = np.c_[0.1 * np.arange(1, 51), np.linspace(-3, 3, 50), np.cos(np.arange(50))]
    path = hawc2(tmp_path, values, [1e-3, 1e-4, 1e-4])
    record = read(path)
    np.testing.assert_allclose(record["MomentMx1"], values[:, 1], atol=0.51e-4)
    np.testing.assert_allclose(record["MomentMx2"], values[:, 2], atol=0.51e-4)
    assert record["MomentMx1"].attrs["units"] == "kN m"
    np.testing.assert_allclose(read(path, ["MomentMx2"])["MomentMx2"], record["MomentMx2"])
    np.testing.assert_allclose(read(path, lazy=True)["MomentMx2"][3:7], record["MomentMx2"][3:7])


# ---------------------------------------------------------------- Bladed


def test_bladed_unit_letters() -> None:
    letters = {"T": "s", "A/T": "rad/s", "FL": "N m", "L/TT": "m/s^2", "N": "", "P": "W", "VI": "VA", "A/TT": "rad/s^2",
               "1/T": "1/s", "M": "kg", "Q": "Q"}  # fmt: skip
    assert {k: unit_of(k) for k in letters} == letters


@pytest.mark.parametrize("form", ["ascii", "binary"])
def test_bladed_against_the_figures_of_its_head(form: str) -> None:
    head = (DATA / f"Bladed_out_{form}.%04").read_text()
    record = read(DATA / f"Bladed_out_{form}.$04")
    figures = inspect(DATA / f"Bladed_out_{form}.%04").channels
    assert len(record.data_vars) == 9 and record.sizes["time"] == (200 if form == "ascii" else 600)
    assert record["Measured shaft power"].attrs["units"] == "W"
    assert record.attrs["sampling"] == pytest.approx(0.05)
    mean = [float(x) for x in re.search(r"^MEAN(.*)$", head, re.MULTILINE)[1].split()]  # written by Bladed
    for name, wanted in zip(figures, mean, strict=True):
        # Bladed sums in single precision: 600 roundings of 6e-8
        assert figures[name]["mean"] == pytest.approx(wanted, rel=3.6e-5, abs=1e-12)
        np.testing.assert_allclose(record[name].mean(), figures[name]["mean"], rtol=1e-12, atol=1e-12)


def test_bladed_with_sections(tmp_path: Path) -> None:
    values = np.arange(2 * 3 * 4, dtype="<f4")
    (tmp_path / "run.%05").write_text(
        "FILE run.$05\nACCESS D\nFORM F\nRECL 4\nFORMAT R*4\nNDIMENS 3\nDIMENS 2 3 4\nGENLAB 'Blade'\nVARIAB 'Blade Mx' 'Blade My'\n"
        "VARUNIT FL FL\nAXISLAB 'Distance along blade'\nAXIUNIT L\nAXIMETH 3\nAXIVAL 0.0 10.0 20.0\nAXISLAB 'Time'\nAXIUNIT T\n"
        "AXIMETH 2\nMIN 5.0\nSTEP 0.5\n"
    )
    (tmp_path / "run.$05").write_bytes(values.tobytes())
    record = read(tmp_path / "run.%05")
    assert record.time.values.tolist() == [5.0, 5.5, 6.0, 6.5]
    # variables fastest, then sections, then time
    assert record["Blade My at 10.0 m"].values.tolist() == [3.0, 9.0, 15.0, 21.0]
    assert record["Blade Mx at 20.0 m"].values.tolist() == [4.0, 10.0, 16.0, 22.0]


def test_bladed_with_names_over_two_lines_and_ticks(tmp_path: Path) -> None:
    """As Bladed writes water particle kinematics (%46): names go on in the next line, stations are named and not placed."""
    values = np.arange(4 * 2 * 3, dtype="<f4")
    (tmp_path / "run.%46").write_text(
        "FILE     run.$46\nACCESS    D\nFORM      U\nRECL               4\nFORMAT    R*4\nNDIMENS  3\nDIMENS             4          2         3\n"
        "GENLAB   'Water particle kinematics'\nVARIAB     'Velocity in X direction' 'Velocity in Y direction' \n"
        "'Acceleration in X direction' 'Acceleration in Y direction' \nVARUNIT  L/T L/T L/TT L/TT\nAXISLAB  'Tower station height'\n"
        "AXIUNIT  L\nAXIMETH  3\nAXITICK\t'Node 1' 'Node 2' \nAXISLAB  'Time'\nAXIUNIT  T\nAXIMETH  2\nMIN        0.00000000E+00\n"
        "STEP       0.50000001E-01\nNVARS    0\n"
    )
    (tmp_path / "run.$46").write_bytes(values.tobytes())
    record = read(tmp_path / "run.$46")
    assert record["Acceleration in Y direction at Node 2"].values.tolist() == [7.0, 15.0, 23.0]
    assert record["Acceleration in X direction at Node 1"].attrs["units"] == "m/s^2"


def test_bladed_table_over_another_axis_than_time(tmp_path: Path) -> None:
    """As Bladed writes its step sizes (%55): the only axis is a list of values, and no time."""
    (tmp_path / "run.%55").write_text(
        "FILE\trun.$55\nACCESS\tD\nFORM\tF\nRECL\t4\nFORMAT\tI*4\nCONTENT\t'POWPROD'\nCONFIG\t'TABLE'\nNDIMENS\t2\nDIMENS\t1\t3\n"
        "GENLAB\t'Step size distribution'\nVARIAB\t'Step size histogram'\nVARUNIT\tN\nAXISLAB\t'Bin maximum time step'\nAXIUNIT\tT\n"
        "AXIMETH\t3\nAXIVAL\t1e-007 1.38038e-007 1.90546e-007\nNVARS\t0\n"
    )
    (tmp_path / "run.$55").write_bytes(np.array([7, 0, 1270], "<i4").tobytes())
    table = read(tmp_path / "run.%55")
    assert table.attrs["kind"] == "table" and table["Bin maximum time step"].attrs["units"] == "s"
    assert table["Step size histogram"].values.tolist() == [7.0, 0.0, 1270.0]
    assert table["Bin maximum time step"].values.tolist() == [1e-7, 1.38038e-7, 1.90546e-7]


# ---------------------------------------------------------------- FLEX5


def test_flex_against_its_bytes() -> None:
    content = (DATA / "FLEXOutBinV0.int").read_bytes()
    record = read(DATA / "FLEXOutBinV0.int")
    assert record.attrs["description"].startswith("test") and len(record.data_vars) == 7
    factor = struct.unpack_from("<7f", content, 76 + 4 + 28 + 8 + 8)
    first = struct.unpack_from("<7h", content, 76 + 4 + 28 + 8 + 8 + 28)
    for j, (f, n) in enumerate(zip(factor, first, strict=True)):
        assert float(record[f"sensor_{j + 1}"][0]) == pytest.approx(f * n)
    assert record.time.values[:3].tolist() == pytest.approx([0.025, 0.05, 0.075])


def test_flex_by_sensor_and_its_list(tmp_path: Path) -> None:
    record = read(DATA / "FLEXOutBinV3.res")
    # version 3 keeps the samples of a sensor together: the first holds 10 (32000 times the factor) throughout
    np.testing.assert_allclose(record["sensor_1"], 10.0, rtol=1e-6)
    assert float(np.ptp(record["sensor_2"].values)) > 0.0
    listed = tmp_path / "sensor"
    rows = "\n".join(f"{n} 1.00 0.00 1.00 0.00 {u} {s} {d}" for n, u, s, d in
                     ((1, "(m/s)", "Vhub", "wind at hub"), (2, "kNm", "Mx", "torque"), (3, "rpm", "n", "speed")))  # fmt: skip
    listed.write_text("Sensor list\n No  forst  offset  korr. c  Volt  Unit  Navn  Beskrivelse\n" + rows + "\n")
    named = read(DATA / "FLEXOutBinV3.res", sensor_file=listed)
    assert list(named.data_vars) == ["Vhub", "Mx", "n"] and named["Mx"].attrs["units"] == "kN m"
    np.testing.assert_array_equal(named["Mx"], record["sensor_2"])
    listed.write_text("a\nb\n1 1 0 1 0 - x y\n")
    with pytest.raises(ReadError, match="has no sensor 2"):
        read(DATA / "FLEXOutBinV3.res", sensor_file=listed)


# ---------------------------------------------------------------- wind


@pytest.mark.parametrize("name", ["TurbSim_NoTwr.bts", "TurbSim_WithTwr.bts"])
def test_turbsim_field_against_the_turbine_s_own_reader(name: str) -> None:
    from gearwright.turbine.fields import read_bts

    other = read_bts(DATA / "turbine" / name)
    field = read(DATA / "turbine" / name)
    assert field.attrs["kind"] == "field" and field["u"].dims == ("time", "y", "z")
    for i, component in enumerate("uvw"):
        np.testing.assert_allclose(field[component], other["u"][i], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(field.z, other["z"], rtol=1e-6)
    assert field.attrs["mean_wind_speed"] == pytest.approx(other["mean"]) and "u_tower" in field
    part = read(DATA / "turbine" / name, ["w"])
    assert list(part.data_vars) == ["w"]


def test_a_large_field_stays_in_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    from gearwright.interchange import winds

    whole = read(DATA / "turbine" / "TurbSim_WithTwr.bts")
    monkeypatch.setattr(winds, "EAGER", 0)
    lazy = read(DATA / "turbine" / "TurbSim_WithTwr.bts")
    np.testing.assert_array_equal(lazy["v"][10:20:3, 1], whole["v"][10:20:3, 1])
    np.testing.assert_array_equal(lazy["u"][-1], whole["u"][-1])
    box = read(DATA / "turbine" / "MannBox_2x4x8.bin")
    assert box["fluctuation"].shape == (2, 4, 8)


def test_mann_box() -> None:
    path = DATA / "turbine" / "MannBox_2x4x8.bin"
    box = read(path, spacing=(3.0, 5.0, 6.0))
    raw = np.fromfile(path, "<f4")
    # z fastest, then y from plus to minus (InflowWind reads Z(1:N), Y(N:1)), then x
    assert float(box["fluctuation"][1, 2, 3]) == raw[1 * 32 + (3 - 2) * 8 + 3]
    assert float(box["fluctuation"].sel(x=0.0, y=7.5)[0]) == raw[0]
    assert box.x.values.tolist() == [0.0, 3.0] and box.y.values.tolist() == [-7.5, -2.5, 2.5, 7.5]
    assert read(path, points=(4, 4, 4))["fluctuation"].shape == (4, 4, 4)
    with pytest.raises(ReadError, match="256 bytes are not 3 x 4 x 8"):
        read(path, points=(3, 4, 8))


def test_hub_height_wind_and_turbsim_series() -> None:
    wind = read(DATA / "FASTWnd.wnd")
    assert wind.time.values.tolist() == [0.0, 20.05, 20.1, 40.05, 999.99]
    assert wind["WindSpeed"].values.tolist() == [6.0, 6.0, 8.0, 8.0, 8.0] and wind.attrs["uniform_sampling"] == 0
    series = read(DATA / "TurbSimTS.txt")
    assert series["Point01v"].values.tolist() == [-0.863171203, -0.787680428, -0.870045789, -0.903012754, -0.751390609]


# ---------------------------------------------------------------- tables, input files, linear models


def test_tables() -> None:
    power = read(DATA / "HAWCStab2.pwr")
    assert power["P"].dims == ("V",) and power["P"].attrs["units"] == "kW"
    assert float(power["Cp"].sel(V=4.0)) == 0.3606593633 and power["J_rot"].attrs["units"] == "kg m^2"
    rotor = read(DATA / "RoscoPerformance_CpCtCq.txt")
    assert float(rotor["Ct"].sel(tip_speed_ratio=3.5, pitch=0.5)) == 0.294960
    # by definition Cp = Cq times the tip speed ratio; ROSCO made them in two ways that differ by up to 0.1 %
    np.testing.assert_allclose(rotor["Cp"], rotor["Cq"] * rotor.tip_speed_ratio, rtol=1.1e-3)


def test_openfast_input_files() -> None:
    deck = DATA / "turbine" / "deck"
    elasto = read(deck / "NRELOffshrBsline5MW_Onshore_ElastoDyn.dat")
    assert elasto.attrs["kind"] == "parameters"
    assert (float(elasto["GBRatio"]), float(elasto["DTTorSpr"])) == (97.0, 8.67637e8)
    assert elasto["DTTorDmp"].attrs["units"] == "N m/(rad/s)" and elasto["ShftTilt"].attrs["units"] == "deg"
    blade = read(deck / "NRELOffshrBsline5MW_AeroDyn_blade.dat")
    assert blade["BlChord"].shape == (19,) and float(blade["BlChord"][2]) == 3.854
    polar = read(deck / "Airfoils" / "DU21_A17.dat")
    assert polar["Cl"].shape == (142,) and float(polar["NumAlf"]) == 142.0

    from gearwright.interchange import drivetrain_values

    values = drivetrain_values(
        deck / "NRELOffshrBsline5MW_Onshore_ElastoDyn.dat", deck / "NRELOffshrBsline5MW_Onshore_ServoDyn.dat"
    )
    # Jonkman et al. 2009, tables 1-1 and 5-1
    assert values["generator_inertia"] == (534.116, "kg m^2") and values["gearbox_ratio"] == (97.0, "1")
    assert values["generator_efficiency"] == (pytest.approx(0.944), "1")
    assert values["brake_torque"] == (28116.2, "N m") and "rated_generator_torque" not in values


def test_linear_model() -> None:
    model = read(DATA / "openfast_linearization_3mps.lin")
    assert model["A"].dims == ("derivative", "state") and model["A"].shape == (30, 30)
    assert model.attrs["wind_speed"] == 3.0 and model.attrs["rotor_speed"] == 0.7301
    # displacements lead: the upper right corner of A says that their rates are the velocities
    np.testing.assert_array_equal(model["A"][:15, 15:], np.eye(15))
    assert "DOF_DrTr" in str(model.state.values[5])


def test_linear_model_with_inputs(tmp_path: Path) -> None:
    """The head of a table of inputs begins with Column, as OpenFAST writes it (Glue's ``WrLinFile_txt_Table``), where those of states
    and outputs begin with Row: one mass on a spring, whose matrices are known."""
    rule = (
        "   ---------- ---------------                                    --------------- ----------------  -----------"
    )
    head = " Operating Point                                    Rotating Frame? Derivative Order  Description"

    def rows(kind: str, texts: list[str], order: int) -> str:
        body = "".join(
            f"{i:>11}    {0.5 * i:.8E}{'F':>44}{order:>16}         {text}\n" for i, text in enumerate(texts, 1)
        )
        return f"{kind:>13}{head}\n{rule}\n{body}\n"

    states = ["ED 1st tower fore-aft bending mode DOF (internal DOF index = DOF_TFA1), m"]
    states += [f"First time derivative of {states[0]}/s"]
    path = tmp_path / "main.1.lin"
    path.write_text(
        "\nLinearized model: Predictions were generated on 01-Jan-2026 at 00:00:00 using OpenFAST\n\nSimulation information:\n"
        "   Simulation time:                   100.0000 s\n   Rotor Speed:                         1.2367 rad/s\n\n"
        "Order of continuous states:\n" + rows("Row/Column", states, 2)
        + "Order of continuous state derivatives:\n" + rows("Row/Column", states, 2)
        + "Order of inputs:\n" + rows("Column  ", ["ED Blade 1 pitch command, rad", "ED Generator torque, Nm"], 0)
        + "Order of outputs:\n" + rows("Row  ", ["ED TTDspFA, (m)"], 0)
        + "\nLinearized state matrices:\n\nA: 2 x 2\n    0.0  1.0\n   -4.0 -0.2\nB: 2 x 2\n    0.0  0.0\n    3.0  7.0\n\nC: 1 x 2\n"
        "    1.0  0.0\n\nD: 1 x 2\n    0.0  0.0\n"
    )  # fmt: skip
    model = read(path)
    assert model["B"].dims == ("derivative", "input") and model["D"].dims == ("output", "input")
    assert float(model["B"].sel(input="ED Generator torque, Nm")[1]) == 7.0
    np.testing.assert_allclose(np.linalg.eigvals(model["A"].values).imag.max(), np.sqrt(4.0 - 0.01), rtol=1e-12)
    assert float(model["input_value"][1]) == 1.0


# ---------------------------------------------------------------- measured data, written by other libraries


def test_mdf_against_asammdf(tmp_path: Path) -> None:
    asammdf = pytest.importorskip("asammdf")
    slow = np.arange(20) * 0.1
    for version, compression in (("4.00", 0), ("4.10", 0), ("4.10", 1), ("4.10", 2)):
        file = asammdf.MDF(version=version)
        file.append(
            [asammdf.Signal(np.sin(T), T, name="Torque", unit="Nm", comment="shaft"),
             asammdf.Signal((100 * np.cos(T)).astype("<i2"), T, name="Temp", unit="degC", conversion={"a": 0.01, "b": 20.0}),
             asammdf.Signal((np.arange(200) % 2).astype("u1"), T, name="Flag"),
             asammdf.Signal(np.arange(200, dtype=">f4"), T, name="Big")])  # fmt: skip
        file.append([asammdf.Signal(slow**2, slow, name="Slow", unit="m")])
        path = tmp_path / f"{version}-{compression}.mf4"
        file.save(path, overwrite=True, compression=compression)
        record = read(path)
        assert record["Slow"].dims == ("time_2",) and record["Torque"].dims == ("time",)
        with asammdf.MDF(path) as other:
            for name in ("Torque", "Temp", "Flag", "Big", "Slow"):
                signal = other.get(name)
                np.testing.assert_array_equal(record[name], np.asarray(signal.samples, float))
                np.testing.assert_array_equal(record[record[name].dims[0]], signal.timestamps)
        assert record["Temp"].attrs["units"] == "degC" and record["Torque"].attrs["description"] == "shaft"
        assert list(read(path, ["Slow"]).dims) == ["time"]
        stays_in_the_file(path)


def test_tdms_by_nptdms(tmp_path: Path) -> None:
    nptdms = pytest.importorskip("nptdms")
    path = tmp_path / "a.tdms"
    wave = {"wf_increment": 0.01, "wf_start_offset": 2.0}
    with nptdms.TdmsWriter(path) as writer:
        writer.write_segment([
            nptdms.ChannelObject("bench", "Torque", np.sin(T), properties={"unit_string": "Nm", **wave}),
            nptdms.ChannelObject("bench", "Speed", np.arange(200, dtype="i4"), properties={"unit_string": "rpm", **wave}),
            nptdms.ChannelObject("slow", "Time", np.arange(5.0)), nptdms.ChannelObject("slow", "Level", np.arange(5.0) ** 2),
        ])  # fmt: skip
    record = read(path)
    np.testing.assert_array_equal(record["Torque"], np.sin(T))
    np.testing.assert_allclose(record.time, 2.0 + T)
    assert record["Speed"].attrs["units"] == "rpm" and record["Level"].dims == ("time_2",)
    stays_in_the_file(path)
    cut = tmp_path / "b.tdms"
    cut.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(ReadError, match="truncated"):
        read(cut)


@pytest.mark.parametrize("binary", [0, 1])
def test_uff_by_pyuff(tmp_path: Path, binary: int) -> None:
    pyuff = pytest.importorskip("pyuff")
    path = tmp_path / "a.uff"
    common = {"orddenom_spec_data_type": 0, "z_axis_spec_data_type": 0, "binary": binary, "id1": "run-up"}
    for node in (1, 2):
        pyuff.UFF(str(path)).write_sets(pyuff.prepare_58(
            func_type=1, rsp_node=node, rsp_dir=3, ref_node=1, ref_dir=1, ordinate_axis_units_lab="m/s^2",
            abscissa_axis_units_lab="s", abscissa_spacing=1, abscissa_min=0.5, abscissa_inc=0.01, data=np.sin(node * T), x=T + 0.5,
            num_pts=200, ord_data_type=4, **common), "add")  # fmt: skip
    record = read(path)
    # text has eleven digits after the point
    np.testing.assert_allclose(record["node 2+Z"], np.sin(2 * T), atol=1e-11)
    np.testing.assert_allclose(record.time, 0.5 + T)
    assert record["node 1+Z"].attrs["units"] == "m/s^2"
    spectrum = tmp_path / "b.uff"
    pyuff.UFF(str(spectrum)).write_sets(pyuff.prepare_58(
        func_type=4, rsp_node=7, rsp_dir=-1, ref_node=1, ref_dir=1, ordinate_axis_units_lab="m/N", abscissa_axis_units_lab="Hz",
        abscissa_spacing=1, abscissa_min=0.0, abscissa_inc=2.0, data=np.exp(1j * T), x=2.0 * np.arange(200), num_pts=200,
        ord_data_type=6, **common), "add")  # fmt: skip
    table = read(spectrum)
    np.testing.assert_allclose(table["node 7-X imaginary"], np.sin(T), atol=1e-11)
    assert table.frequency.values[1] == 2.0


def test_mat_by_scipy(tmp_path: Path) -> None:
    from scipy.io import savemat

    held = {
        "time": T,
        "Torque": np.sin(T),
        "Torque_unit": "kNm",
        "rec": {"speed": np.cos(T)},
        "M": np.c_[T, 2 * T],
        "x": 3.0,
    }
    for form, packed in (("5", False), ("5", True), ("4", False)):
        path = tmp_path / f"{form}{packed}.mat"
        savemat(path, held if form == "5" else {"t": T, "Torque": np.sin(T)}, format=form, do_compression=packed)
        record = read(path)
        np.testing.assert_array_equal(record["Torque"], np.sin(T))
        np.testing.assert_array_equal(record.time, T)
    record = read(tmp_path / "5True.mat")
    assert list(record.data_vars) == ["Torque", "rec.speed", "M_1", "M_2"] and record["Torque"].attrs["units"] == "kN m"


@pytest.mark.slow
def test_hdf5_and_mat73_by_h5py(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "run.hdf5"
    values = np.c_[np.sin(T), 3.0 + T]
    offsets = values.min(axis=0)
    gains = np.ptp(values, axis=0) / 65534  # the layout of gtsdf: 65535 stands for no value
    with h5py.File(path, "w") as file:
        file.attrs.update(
            {"type": "General time series data format", "no_blocks": 2, "no_attributes": 2, "description": "run"}
        )
        for what, words in (("names", ["Mx", "n"]), ("units", ["kNm", "rpm"]), ("descriptions", ["moment", "speed"])):
            file.create_dataset(f"attribute_{what}", data=np.array([w.encode() for w in words]))
        for i, part in enumerate((slice(0, 120), slice(120, 200))):
            block = file.create_group(f"block{i:04d}")
            # HAWC2 itself writes lists of one
            step, begin = (0.01, T[part][0]) if i else (np.array([0.01]), np.array([T[part][0]]))
            block.attrs.update({"time_step": step, "time_start": begin})
            block["gains"], block["offsets"] = gains, offsets
            block["data"] = np.round((values[part] - offsets) / gains).astype("u2")
    record = read(path)
    np.testing.assert_allclose(record["Mx"], values[:, 0], atol=0.51 * gains[0])
    np.testing.assert_allclose(record.time, T, atol=1e-12)
    assert record["Mx"].attrs["units"] == "kN m" and record["n"].attrs["description"] == "speed"
    stays_in_the_file(path)
    mat = tmp_path / "run.mat"
    with h5py.File(mat, "w", userblock_size=512) as file:
        for name, x in (("time", T[None]), ("Torque", np.sin(T)[None]), ("M", np.array([T, 2 * T]))):
            file.create_dataset(name, data=x).attrs["MATLAB_class"] = np.bytes_("double")
    with open(mat, "r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(124) + b"\0\2IM")
    np.testing.assert_array_equal(read(mat)["Torque"], np.sin(T))
    np.testing.assert_array_equal(read(mat)["M_2"], 2 * T)
    stays_in_the_file(mat)


@pytest.mark.slow
def test_parquet_and_netcdf(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq
    import xarray

    speed = pa.field("Speed", pa.float32(), metadata={b"unit": b"rpm"})
    table = pa.table([pa.array(T), pa.array(np.sin(T)), pa.array(np.arange(200, dtype="f4"))],
                     schema=pa.schema([pa.field("time", pa.float64()), pa.field("Torque [kN m]", pa.float64()), speed]))  # fmt: skip
    pq.write_table(table, tmp_path / "a.parquet")
    record = read(tmp_path / "a.parquet")
    np.testing.assert_array_equal(record["Torque"], np.sin(T))
    assert record["Torque"].attrs["units"] == "kN m" and record["Speed"].attrs["units"] == "rpm"
    xarray.Dataset({"Torque": ("time", np.sin(T), {"units": "kN m"})}, {"time": ("time", T, {"units": "s"})}).to_netcdf(
        tmp_path / "a.nc"
    )
    np.testing.assert_array_equal(read(tmp_path / "a.nc")["Torque"], np.sin(T))
    stays_in_the_file(tmp_path / "a.parquet")
    stays_in_the_file(tmp_path / "a.nc")


# ---------------------------------------------------------------- what is refused


def test_refusals(tmp_path: Path) -> None:
    def refused(name: str, content: bytes | str, message: str) -> None:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        with pytest.raises(ReadError, match=message) as caught:
            read(path)
        assert "\n" not in str(caught.value)

    import pickle

    refused("a.pkl", pickle.dumps({"time": [1.0]}), "pickles are never read")
    refused("b.dat", pickle.dumps([1.0, 2.0]), "pickles are never read")
    refused("a.npy", b"\x93NUMPY\x01\x00", "is a NumPy file")
    refused("a.xlsx", b"PK\x03\x04abc", "ZIP archive")
    refused("a.csv.x", b"\x1f\x8b\x08", "gzipped, but its name")
    refused("a.dat", b"\0\1\2\3", r"without a \.sel file")
    refused("a.sel", "nothing\n", "no line 'Scans Channels")
    refused("a.bin", b"\0" * 64, "size stands nowhere in it")
    refused("a.bts", b"\x00\x07" + b"\0" * 100, "identifier is 1792")
    refused("a.wnd", b"\x9d\xff\0\0", "binary wind file")
    refused("a.xyz", b"\0\1", "unknown kind of file '.xyz'")
    refused("a.mat", b"", "is empty")
    refused("a.mat", b"MATLAB 5.0 MAT-file".ljust(124) + b"\1\0MI", "other order")
    refused("a.mf4", b"MDF     3.30    ".ljust(64, b"\0"), "version 3.30")
    refused("a.lin", "Linearized model: x\n", "has no matrix")
    refused("LICENSE.txt", "Apache License\nVersion 2.0\n", "is no table|called time")
    (tmp_path / "x.$04").write_bytes(b"")
    with pytest.raises(ReadError, match=r"has no file x\.%04 beside it"):
        read(tmp_path / "x.$04")
    with pytest.raises(ReadError, match="points does not belong to a file of this kind"):
        read(DATA / "FASTOut.out", points=(1, 2, 3))
    with pytest.raises(ReadError, match="is a folder"):
        read(tmp_path)


def test_mislabelled_files_are_read_as_what_they_are(tmp_path: Path) -> None:
    for name, wrong in (("FASTOutBin.outb", "a.out"), ("FASTOut.out", "a.outb"), ("FASTOut.out", "a.txt"),
                        ("FASTOut.out", "noname"), ("RoscoPerformance_CpCtCq.txt", "cp.dat")):  # fmt: skip
        (tmp_path / wrong).write_bytes((DATA / name).read_bytes())
        assert read(tmp_path / wrong).equals(read(DATA / name)), wrong


def test_wrong_byte_order_is_told(tmp_path: Path) -> None:
    for name in ("Bladed_out_binary.$04", "Bladed_out_binary.%04"):
        (tmp_path / name).write_bytes((DATA / name).read_bytes())
    raw = np.fromfile(DATA / "Bladed_out_binary.$04", "<f4")
    (tmp_path / "Bladed_out_binary.$04").write_bytes(raw.astype(">f4").tobytes())
    with pytest.raises(ReadError, match="other order"):
        read(tmp_path / "Bladed_out_binary.$04")
    box = np.fromfile(DATA / "turbine" / "MannBox_2x4x8.bin", "<f4")
    (tmp_path / "box_2x4x8.bin").write_bytes(box.astype(">f4").tobytes())
    with pytest.raises(ReadError, match="other order"):
        read(tmp_path / "box_2x4x8.bin")


@pytest.mark.parametrize("suffix", [".h5", ".mat"])
def test_h5py_is_loaded_by_the_child_alone(tmp_path, suffix):
    """The library can end its process on a damaged file: the one that asks never loads it, nor those of MDF and universal files."""
    h5py = pytest.importorskip("h5py")
    path = tmp_path / f"run{suffix}"
    with h5py.File(path, "w", userblock_size=512 if suffix == ".mat" else 0) as file:
        file["time"], file["x"] = np.arange(5.0), np.arange(5.0) ** 2
    if suffix == ".mat":
        with path.open("r+b") as raw:
            raw.write(b"MATLAB 7.3 MAT-file".ljust(124) + b"\x00\x02IM")
    ask = (
        "import sys\nfrom gearwright.interchange import series\n"
        f"print(series({str(path)!r}, 'x')[1].tolist(), {{'h5py', 'asammdf', 'pyuff'}} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[0.0, 1.0, 4.0, 9.0, 16.0] set()"
