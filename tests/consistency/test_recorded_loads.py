"""``run --loads``: the case made from a record is the hand-written one; frames, units and mappings are what they say."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
import xarray
from typer.testing import CliRunner

from gearwright.cli import app
from gearwright.errors import DrivetrainError
from gearwright.interchange import ReadError, quantity_series, read_mapping, write
from gearwright.running.recorded import mapping_of, with_loads
from gearwright.schema.case_lookup import find_case
from gearwright.train.open import load

RECORD = Path(str(files("gearwright") / "examples" / "data" / "nrel-5mw-18ms.outb"))


def made(folder: Path, *, turning: bool = True) -> Path:
    """A record with constant forces of the standing frame, seen from the rotor: 100 kN m about y, 30 about z."""
    t = np.arange(0.0, 20.0, 0.05)
    psi = 1.2 * t
    data = {
        "Omega": (1.2 + 0 * t, "rad/s"), "n_gen": (1.2 * 97 * 30 / np.pi + 0 * t, "rpm"), "Tgen": (40e3 + 100 * np.sin(t), "N m"),
        "psi": (np.degrees(psi), "deg"), "thrust": (500.0 + 0 * t, "kN"),
        "MyR": (100 * np.cos(psi) + 30 * np.sin(psi), "kN m"), "MzR": (-100 * np.sin(psi) + 30 * np.cos(psi), "kN m"),
        "Fy": (0 * t, "kN"), "Fz": (-900 + 0 * t, "kN"),
    }  # fmt: skip
    names = data if turning else {k: v for k, v in data.items() if k not in ("MyR", "MzR")}
    return write(
        xarray.Dataset({k: ("time", v, {"units": u}) for k, (v, u) in names.items()}, {"time": ("time", t)}),
        folder / "bench.csv",
    )


MAPPING = """\
rotor_speed: Omega
generator_speed: n_gen
generator_torque: {channel: Tgen, scale: 1.0}
rotor_azimuth: psi
hub_force_x: thrust
hub_force_y: Fy
hub_force_z: Fz
hub_moment_y: {channel: MyR, frame: rotating}
hub_moment_z: {channel: MzR, frame: rotating}
"""


def test_the_case_is_the_hand_written_one() -> None:
    drivetrain = load("nrel-5mw-gallego")
    hand = find_case(drivetrain, "recorded-18ms")
    record = with_loads(drivetrain, RECORD, "recorded-18ms")
    case = find_case(record.drivetrain, record.case)
    own, theirs = case.speeds["rotor"].value, hand.speeds["rotor"].value
    assert (own.channel, own.scale, own.interpolation) == (theirs.channel, theirs.scale, theirs.interpolation)
    own, theirs = case.loads[0].torque.value, hand.loads[0].torque.value
    assert (own.channel, own.scale) == (theirs.channel, theirs.scale)
    # the record's own speeds give 97 within the resolution of its int16
    assert own.recorded_ratio == pytest.approx(97.0, rel=1e-3)
    assert (case.compare.shaft, case.compare.channel) == ("main", "RotTorq")
    assert case.discard == hand.discard and case.set == hand.set
    assert case.duration == pytest.approx(600.0, abs=0.2)
    assert record.channels == {"rotor_speed": "RotSpeed", "generator_torque": "GenTq", "rotor_torque": "RotTorq"}


def test_a_generator_that_turns_the_other_way_is_braked_the_other_way() -> None:
    record = with_loads(load("nrel-5mw-nejad-source"), RECORD)
    assert find_case(record.drivetrain, record.case).loads[0].torque.value.scale == 1.0


def test_rotating_moments_become_standing_ones(tmp_path: Path) -> None:
    path = made(tmp_path)
    (tmp_path / "map.yaml").write_text(MAPPING)
    entries, _ = read_mapping(tmp_path / "map.yaml")
    for quantity, value in (("hub_moment_y", 100.0), ("hub_moment_z", 30.0)):
        _, values, unit = quantity_series(path, quantity, entries)
        np.testing.assert_allclose(values, value, rtol=1e-12)
        assert unit == "kN m"


def test_hub_loads_reach_the_spatial_model(tmp_path: Path) -> None:
    path = made(tmp_path)
    entries, _ = mapping_of(read_yaml(MAPPING))
    from gearwright.running.prepare import prepare

    record = with_loads(load("nrel-5mw-nejad-source"), path, fidelity="spatial", mapping=entries, duration=10.0)
    prepared = prepare(record.drivetrain, record.case, fidelity="spatial")
    signals = {p.motion: p.value for p in prepared.inputs.inputs.pushes}
    wanted = {"x": 500e3, "y": 0.0, "z": -900e3, "tilt_y": 100e3, "tilt_z": 30e3}
    for motion, value in wanted.items():
        for t in (1.0, 3.33, 9.0):
            assert signals[motion](t) == pytest.approx(value, rel=1e-9, abs=1e-6)
    assert any("rotating frame" in note for note in record.notes)
    torque = prepared.inputs.inputs.loads[0].torque
    own = abs(prepared.train.ratios[prepared.train.output] / prepared.train.ratios[prepared.train.input])
    # power is kept: torque of the record times its ratio over the own one
    assert abs(torque(0.0)) == pytest.approx(40e3 * 97.0 / own, rel=1e-6)


def read_yaml(text: str) -> dict:
    from ruamel.yaml import YAML

    return dict(YAML(typ="safe").load(text))


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = made(tmp_path, turning=False)
    words = ["run", "nrel-5mw-two-mass", "--loads", str(path), "--duration", "5", "--json"]
    refused = CliRunner().invoke(app, words)
    assert refused.exit_code == 2 and "known to be rotor_speed" in refused.output + (refused.stderr or "")
    pairs = ["--map", "rotor_speed=Omega", "--map", "generator_torque=Tgen", "--map", "generator_speed=n_gen"]
    done = CliRunner().invoke(app, [*words, *pairs])
    assert done.exit_code == 0, done.output
    data = json.loads(done.output)
    assert data["recorded_channels"] == {"rotor_speed": "Omega", "generator_torque": "Tgen"}
    # the two masses stand on the slow side: the record's torque times its ratio (sine of 100 N m: 0.1 %)
    assert data["channels"]["machine.torque"]["mean"] == pytest.approx(-40e3 * 97, rel=0.005)
    for extra, message in (
        (["--map", "rotor_sped=Omega"], "Did you mean 'rotor_speed'?"),
        (["--map", "rotor_speed"], "is no quantity=channel"),
        ([*pairs, "--drive", "sideways"], "speed or torque"),
        ([*pairs, "--drive", "torque"], "known to be aerodynamic_torque"),
    ):
        refused = CliRunner().invoke(app, [*words, *extra])
        assert refused.exit_code == 2 and message in refused.output + (refused.stderr or ""), extra
    refused = CliRunner().invoke(app, ["run", "nrel-5mw-two-mass", "--drive", "torque"])
    assert refused.exit_code == 2 and "belong to --loads" in refused.output + (refused.stderr or "")


def test_bad_mappings(tmp_path: Path) -> None:
    for text, message in (
        ("- a\n", "is not a mapping"), ("rotor_speed: {chanel: a}\n", "no key 'chanel'"), ("a: [\n", "is not YAML"),
        ("hub_force_x: {channel: a, frame: rotating}\n", "only hub_force_y"), ("rotor_speed: {channel: a, scale: x}\n", "scale is a number"),
        ("rotor_speed: {channel: a, frame: round}\n", "'standing' or 'rotating'"), ("rotor_speed: {unit: rpm}\n", "name of a channel"),
    ):  # fmt: skip
        (tmp_path / "m.yaml").write_text(text)
        with pytest.raises(ReadError, match=message):
            read_mapping(tmp_path / "m.yaml")
    path = made(tmp_path)
    entries, _ = read_mapping({"hub_moment_y": {"channel": "MyR", "frame": "rotating"}})
    with pytest.raises(ReadError, match="hub_moment_z is wanted too"):
        quantity_series(path, "hub_moment_y", entries)
    for name, message in (
        ("nrel-5mw", "do not go with a turbine"), ("slider-crank", "turns at a ratio to its input"),
        ("simple-planetary", "has nothing to compute"),
    ):  # fmt: skip
        with pytest.raises(DrivetrainError, match=message):
            with_loads(load(name), RECORD)


# ---------------------------------------------------------------- one record in the forms of five programs


def _bladed(folder: Path, time: np.ndarray, values: dict[str, np.ndarray]) -> Path:
    (folder / "run.%05").write_text(
        f"FILE run.$05\nACCESS D\nFORMAT R*8\nNDIMENS 2\nDIMENS {len(values)} {len(time)}\nGENLAB 'Drive train'\nVARIAB "
        + " ".join(f"'{n}'" for n in ("Rotor speed", "Generator speed", "Generator torque", "LSS torque"))
        + f"\nVARUNIT A/T A/T FL FL\nAXISLAB 'Time'\nAXIUNIT T\nAXIMETH 2\nMIN {time[0]}\nSTEP {time[1] - time[0]}\n"
    )
    (folder / "run.$05").write_bytes(np.array(list(values.values())).T.astype("<f8").tobytes())
    return folder / "run.%05"


def _hawc2(folder: Path, time: np.ndarray, values: dict[str, np.ndarray]) -> Path:
    heads = [("Time", "s", "Time"), ("shaft_rot angle speed", "rad/s", "rotor"), ("Gen speed", "rad/s", "generator"),
             ("DLL inp 1", "Nm", "generator torque"), ("MomentMz Mbdy:shaft", "Nm", "shaft")]  # fmt: skip
    table = np.vstack([time, *values.values()])
    factors = np.abs(table).max(axis=1) / 32000
    lines = ["  Version ID : HAWC2", "   Scans    Channels    Time [sec]      Format",
             f"      {len(time)}      5        {time[-1]:.3f}       BINARY", ""]  # fmt: skip
    lines += [f"{j + 1:6d}      {n:<30s} {u:<10s} {d}" for j, (n, u, d) in enumerate(heads)]
    lines += ["Scale factors:", *(f"  {f:.9E}" for f in factors)]
    (folder / "h.sel").write_text("\n".join(lines) + "\n")
    (folder / "h.dat").write_bytes(np.round(table / factors[:, None]).astype("<i2").tobytes())
    return folder / "h.dat"


def _bhawc(folder: Path, time: np.ndarray, values: dict[str, np.ndarray]) -> Path:
    lines = [" BHawC channel reference file (sel):", "  Scans    Channels    Time [sec]                Coordinate convention: Siemens",
             f"   {len(time)}        5        {time[-1]:.3f}", "", f"{'Channel   Variable description':<60s}{'Label':<22s}Unit", ""]  # fmt: skip
    for j, (label, unit) in enumerate(
        (("t", "s"), ("av_rotor", "rad/s"), ("av_gen", "rad/s"), ("M_gen", "Nm"), ("M_lss", "Nm")), 1
    ):
        lines.append(f"   {j:<3d}{'a sensor':<54s}{label:<22s}[{unit}]")
    (folder / "b.sel").write_text("\n".join(lines) + "\n")
    np.savetxt(folder / "b.dat", np.vstack([time, *values.values()]).T, fmt="%.9E")
    return folder / "b.sel"


def _flex(folder: Path, time: np.ndarray, values: dict[str, np.ndarray]) -> Path:
    import struct

    table = np.array(list(values.values()))
    factors = (np.abs(table).max(axis=1) / 32000).astype("<f4")
    head = struct.pack("<ii", 0, 0) + b"test".ljust(60) + struct.pack("<iii", 0, 0, 4) + struct.pack("<4i", 1, 2, 3, 4)
    head += struct.pack("<iiff", 0, 0, time[0], time[1] - time[0]) + factors.tobytes()
    (folder / "f.int").write_bytes(head + np.round(table / factors[:, None].astype(float)).astype("<i2").T.tobytes())
    rows = [f"{i} 1.00 0.00 1.00 0.00 {u} {n} text" for i, (n, u) in enumerate(
        (("RotSpeed", "(rad/s)"), ("GenSpeed", "(rad/s)"), ("GenTq", "(Nm)"), ("RotTorq", "(Nm)")), 1)]  # fmt: skip
    (folder / "sensor").write_text(
        "Sensor list\n No forst offset korr. c Volt Unit Navn Beskrivelse\n" + "\n".join(rows) + "\n"
    )
    return folder / "f.int"


@pytest.mark.parametrize(
    ("writer", "pairs"),
    [
        (_bladed, []),
        (_hawc2, ["generator_speed=Gen speed", "generator_torque=DLL inp 1", "rotor_torque=MomentMz Mbdy:shaft"]),
        (_bhawc, ["generator_speed=av_gen", "generator_torque=M_gen", "rotor_torque=M_lss"]),
        (_flex, []),
    ],
)
def test_a_record_drives_the_same_whatever_program_wrote_it(tmp_path: Path, writer, pairs: list[str]) -> None:
    from gearwright.interchange import series

    time, speed, _ = series(RECORD, "RotSpeed")
    keep = slice(0, 601)
    rpm = np.pi / 30.0
    values = {"speed": speed[keep] * rpm, "generator": series(RECORD, "GenSpeed")[1][keep] * rpm,
              "torque": series(RECORD, "GenTq")[1][keep] * 1e3, "shaft": series(RECORD, "RotTorq")[1][keep] * 1e3}  # fmt: skip
    path = writer(tmp_path, time[keep], values)
    entries, _ = mapping_of(None, pairs)
    from gearwright.running.prepare import prepare

    record = with_loads(load("nrel-5mw-gallego"), path, mapping=entries)
    assert set(record.channels) == {"rotor_speed", "generator_torque", "rotor_torque"}
    prepared = prepare(record.drivetrain, record.case)
    own = prepare(*(lambda r: (r.drivetrain, r.case))(with_loads(load("nrel-5mw-gallego"), RECORD)))
    start = prepared.inputs.recordings.used[0].start_s - own.inputs.recordings.used[0].start_s
    for t in np.linspace(0.5, 55.0, 40):
        one, two = (p.inputs.inputs.drives[0].speed(t + s) for p, s in ((prepared, 0.0), (own, start)))
        assert one == pytest.approx(two, rel=1e-4)  # int16 of HAWC2 and FLEX5: half of 1/32000
        one, two = (p.inputs.inputs.loads[0].torque(t + s) for p, s in ((prepared, 0.0), (own, start)))
        # the ratio of the record is that of the medians of its rounded speeds
        assert one == pytest.approx(two, rel=3e-4)


def test_recorded_torque_turns_the_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Constant torques of the two ends that balance: the shaft carries them, the trim does nothing."""
    monkeypatch.chdir(tmp_path)
    t = np.arange(0.0, 20.0, 0.05)
    data = xarray.Dataset({"RtAeroMxh": ("time", 4180e3 + 0 * t, {"units": "N m"}), "GenTq": ("time", 4180e3 + 0 * t, {"units": "N m"})},
                          {"time": ("time", t)})  # fmt: skip
    path = write(data, tmp_path / "a.parquet")
    words = ["run", "nrel-5mw-two-mass", "--loads", str(path), "--drive", "torque", "--duration", "10", "--json"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    torque = json.loads(done.output)["channels"]["main.torque"]
    assert torque["mean"] == pytest.approx(4180e3, rel=1e-6) and torque["std"] < 1e-6 * 4180e3


# ---------------------------------------------------------------- gaps, and records without a time


def bench(folder: Path, name: str, *, gap: bool = False, lost: bool = False, clock: bool = True) -> Path:
    """Twenty seconds at 20 samples a second: speed stands, torque rises along a line; ``gap``: rows of 8 to 10 s are missing,
    ``lost``: those of 12 s have no torque; without ``clock`` there is no time."""
    lines = [("time [s]," if clock else "") + "RotSpeed [rad/s],GenTq [kN m]"]
    for i in range(401):
        t = 0.05 * i
        if gap and 8.0 < t < 10.0:
            continue
        torque = "nan" if lost and abs(t - 12.0) < 0.2 else f"{3000.0 + 50.0 * t:.6f}"
        lines.append((f"{t:.2f}," if clock else "") + f"1.267,{torque}")
    path = folder / name
    path.write_text("\n".join(lines) + "\n")
    return path


def loaded(path: Path, *more: str, code: int = 0) -> str:
    """What ``run --loads`` of the two masses answers."""
    words = ["run", "nrel-5mw-two-mass", "--loads", str(path), "--duration", "19", "--map", "rotor_speed=RotSpeed"]
    done = CliRunner().invoke(app, [*words, "--map", "generator_torque=GenTq", *more, "--json"])
    assert done.exit_code == code, done.output
    return done.stdout if code == 0 else " ".join((done.output + (done.stderr or "")).split())


def test_a_run_over_a_gap_refuses_or_bridges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over a gap of a straight line the bridge is what was lost: the run is the one without a gap."""
    monkeypatch.chdir(tmp_path)
    whole = json.loads(loaded(bench(tmp_path, "whole.csv")))["channels"]
    gap = bench(tmp_path, "gap.csv", gap=True)
    said = loaded(gap, code=2)
    assert "gap.csv: has no samples between 8 and 10 s" in said and "--gaps bridge" in said
    lost = bench(tmp_path, "lost.csv", lost=True)
    said = loaded(lost, code=2)
    assert "channel GenTq is nan in row 237 of 401 (line 238), time 11.8 s" in said and "--gaps bridge" in said
    assert "gaps of a record refuse or bridge, not 'jump'" in loaded(gap, "--gaps", "jump", code=2)
    for path in (gap, lost):
        made = json.loads(loaded(path, "--gaps", "bridge"))["channels"]
        for name in ("main.torque", "machine.torque", "main.twist"):
            for figure in ("mean", "std", "min", "max"):
                assert made[name][figure] == pytest.approx(whole[name][figure], rel=1e-6), (path.name, name, figure)
    # the line at its middle, 1.9 s being discarded; the first sample stands one interval of 1 ms behind
    assert whole["machine.torque"]["mean"] == pytest.approx(-1e3 * (3000.0 + 50.0 * 0.5 * (1.9 + 19.0)), rel=1e-5)


def test_a_rate_gives_the_time_of_a_record_without_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    bare = bench(tmp_path, "bare.csv", clock=False)
    said = loaded(bare, code=2)
    assert "no column is called time" in said and "--rate" in said
    assert "fast: --rate is samples per second, such as 50 Hz" in loaded(bare, "--rate", "fast", code=2)
    timed = json.loads(loaded(bench(tmp_path, "timed.csv")))["channels"]
    rated = json.loads(loaded(bare, "--rate", "20 Hz"))["channels"]
    for name in ("main.torque", "machine.torque"):
        for figure in ("mean", "std", "min", "max"):
            assert rated[name][figure] == pytest.approx(timed[name][figure], rel=1e-9), (name, figure)
