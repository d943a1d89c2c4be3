"""The bridge to OpenFAST: the real library, called by a program that plays OpenFAST, through every end of either side."""

from __future__ import annotations

import json
import math
import os
import shutil
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm

from gearwright.controllers.swap import LENGTH, Demand, Measured, Swap, write_demand
from gearwright.couplings.bridge import BridgeHost, bridge_library
from gearwright.couplings.cp_rotor import CpRotor
from gearwright.couplings.gearbox_host import GearboxHost
from gearwright.couplings.openfast import couple_openfast, prepare_deck
from gearwright.couplings.plant import make_plant
from gearwright.couplings.played_rotor import PlayedRotor, march
from gearwright.couplings.self_test import player, run_self_test, settings_of
from gearwright.couplings.step_check import called, check_steps
from gearwright.errors import CouplingError
from gearwright.interchange.openfast_deck import turbine_of

pytestmark = [
    pytest.mark.skipif(shutil.which("cc") is None and shutil.which("gcc") is None, reason="no C compiler"),
    pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no local sockets"),
]

DECK = Path(__file__).parents[1] / "data" / "turbine" / "deck" / "nrel-5mw.fst"
FLAT = CpRotor(np.array([0.0, 20.0]), np.array([-1.0, 2.0]), np.full((2, 2), 0.4), 63.0)


def test_bridge_equals_one_loop() -> None:
    """Two programs that exchange once per step against the same system stepped as one at a twentieth of the step."""
    found = run_self_test(duration=12.0)
    one, two = found.one_loop, found.bridge
    # what the controller asks for is held over 12.5 ms in both, but the one loop renews pitch at the begin of a step
    assert two.rotor_speed_rpm == pytest.approx(one.rotor_speed_rpm, rel=2e-4)
    assert two.shaft_torque_kNm == pytest.approx(one.shaft_torque_kNm, rel=5e-4)
    assert two.shaft_torque_std_kNm == pytest.approx(one.shaft_torque_std_kNm, rel=0.02)
    assert two.pitch_deg == pytest.approx(one.pitch_deg, abs=0.01)
    assert found.last_call_leaves_outputs


class Constant:
    """A controller that asks for one torque."""

    def __init__(self, torque: float, pitch: float = 0.0):
        self.torque, self.pitch = torque, pitch
        self.closed = False

    def step(self, measured: Measured) -> Demand:
        return Demand((self.pitch,) * 3, self.torque)

    def close(self, measured: Measured | None = None) -> None:
        self.closed = True


def test_the_exchange_keeps_the_mode() -> None:
    """Blades on springs, hub, shaft, generator across the exchange, in both ways that OpenFAST steps: frequency, damping and amplitude of
    the lowest mode against the eigenvalues of the three masses, at the steps that decks have."""
    found = check_steps("nrel-5mw-two-mass", steps=(0.0125, 0.02))
    a, _, _ = three_masses(found.rotor)
    mode = min((x for x in np.linalg.eigvals(a) if x.imag > 1.0), key=abs)
    assert found.frequency_hz == pytest.approx(abs(mode) / (2 * math.pi), rel=1e-6)
    assert found.damping_ratio == pytest.approx(-mode.real / abs(mode), rel=1e-6)
    assert len(found.rows) == 4
    for row in found.rows:
        allowed = 0.02 if row.step_s == 0.0125 else 0.05
        assert (
            abs(row.frequency_error) < 0.002
        )  # (w h)^2 / 12 of the trapezoidal rule at 20 ms is 4e-3, less the part of the hub
        assert abs(row.damping_error) < allowed and abs(row.amplitude_error) < allowed


def three_masses(rotor: PlayedRotor) -> tuple[np.ndarray, np.ndarray, float]:
    """``A`` over (twist of the blades, twist of the shaft, speeds of blades, hub, generator), written out; the column of the air; the
    generator's inertia."""
    from gearwright.train.expand import expand
    from gearwright.train.open import load

    train = expand(load("nrel-5mw-two-mass"))
    (shaft,) = train.shafts.values()
    k, c = shaft.torsional, shaft.damping.value
    c = (shaft.damping.stiffness_proportional or 0.0) * k if c is None else c
    machine = train.bodies[train.output].inertia
    kb, cb, b, h = rotor.stiffness, rotor.damping, rotor.blades, rotor.hub
    a = np.array([[0, 0, 1, -1, 0], [0, 0, 0, 1, -1], [-kb / b, 0, -cb / b, cb / b, 0],
                  [kb / h, -k / h, cb / h, -(cb + c) / h, c / h], [0, k / machine, 0, c / machine, -c / machine]])  # fmt: skip
    return a, np.array([0, 0, 1 / b, 0, 0]), machine


@pytest.mark.parametrize(("way", "order"), [("loose", 2), ("loose", 1), ("tight", 2)])
def test_the_exchange_is_of_second_order(way: Any, order: int) -> None:
    """A gust on the blades: torque of the shaft over 4 s against the exact solution of the three masses. Half the step, a quarter of the
    error, and less than 1 % of the swing at 12.5 ms."""
    rotor = PlayedRotor.of_turbine(turbine_of("nrel-5mw"))
    plant = make_plant("nrel-5mw-two-mass", rotor="speed")
    speed, mean = (port.start for port in plant.ports)
    a, air, machine = three_masses(rotor)
    push, begin, end = 2e5, 0.2, 1.2  # N m, s: a ramp
    wide = np.zeros((7, 7))
    wide[:5, :5], wide[:5, 5], wide[5, 6] = a, air, 1.0
    errors = []
    for step in (0.025, 0.0125, 0.00625):
        host = GearboxHost("nrel-5mw-two-mass", Constant(mean), told="line" if order == 1 else "parabola")
        made = march(rotor, called(host, step), lambda t, s: mean + push * float(np.clip((t - begin) / (end - begin), 0.0, 1.0)),
                     rotor.start(speed, mean), step, round(4.2 / step), way, order)  # fmt: skip
        exact, x, torque = expm(wide * step), np.zeros(7), []
        for i in range(len(made)):
            rising = begin - 1e-9 < i * step < end - 1e-9
            x[6] = push / (end - begin) if rising else 0.0
            x = exact @ x
            torque.append(machine * (a[4] @ x[:5]))  # what turns the generator beside the mean
        errors.append(np.abs(made[:, 2] - mean - torque).max() / np.abs(torque).max())
    assert errors[1] < 0.01
    # numbers of single precision go between the programs: a hundredth of the error at the smallest step
    assert math.log2(errors[0] / errors[2]) / 2.0 > 1.85


GEARED = """\
name: geared
bodies: [{name: rotor, inertia: 3.876e7 kg m^2}]
stages: [{name: gearbox, type: parallel, wheel: {teeth: 970, inertia: 1 kg m^2}, pinion: {teeth: 10, inertia: 1e-3 kg m^2}}]
shafts:
  - {name: main, between: [rotor, gearbox.wheel], MAIN}
  - {name: high_speed, between: [gearbox.pinion, generator], rigid: true}
machines: [{name: generator, type: constant, inertia: 534.116 kg m^2, parameters: {torque: 43 kN m}}]
operating: {input: rotor, output: generator, speed: 12.1 rpm, torque: 4.171 MN m}
model: {fidelity: torsional, law: rigid}
"""


def test_a_train_with_a_ratio_needs_no_teeth_that_give(folder: Path) -> None:
    """A gear of 970 to 10 teeth without module, its mesh rigid, behind the shaft of the two masses: the torque that OpenFAST gets is
    theirs, the generator's being 97 times smaller. Where nothing twists there is no torque to compute."""
    shaft = "torsional_stiffness: 8.67637e8 N m/rad, damping: 6.215e6 N m s/rad"
    (folder / "geared.yaml").write_text(GEARED.replace("MAIN", shaft))
    torques = []
    for train, torque in ((folder / "geared.yaml", 43e3), ("nrel-5mw-two-mass", 43e3 * 97.0)):
        host = GearboxHost(train, Constant(torque))
        made = march(PlayedRotor(3.876e7), called(host, 0.0125), lambda t, s: 4.171e6 * (1.1 if t > 0.1 else 1.0), np.array([1.26711]),
                     0.0125, 160)  # fmt: skip
        torques.append(made[:, 2])
    # the wheels' own 10 kg m^2 of 5e6
    assert np.abs(torques[0] - torques[1]).max() < 1e-4 * np.ptp(torques[1])
    (folder / "stiff.yaml").write_text(GEARED.replace("MAIN", "rigid: true"))
    with pytest.raises(CouplingError, match="stands on no spring"):
        GearboxHost(folder / "stiff.yaml", Constant(43e3))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def play(host: BridgeHost, folder: Path, **more: Any) -> subprocess.Popen[str]:
    facts: dict[str, Any] = {"inertia": 4e7, "speed": 1.2, "pitch": 0.0, "interval": 0.0125, "duration": 0.5, **more}
    return player(settings_of(FLAT, host, folder, **facts))


def echo(status: int, swap: Swap) -> tuple[int, str]:
    if status >= 0:
        write_demand(swap, Demand((0.1, 0.1, 0.1), 4e6))
    return 0, ""


def ended(child: subprocess.Popen[str]) -> int:
    try:
        return child.wait(20.0)
    finally:
        child.kill()


def told(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / "played.json").read_text()))


def test_a_whole_run(folder: Path) -> None:
    with BridgeHost(first=60.0, patience=20.0) as host:
        child = play(host, folder)
        host.serve(echo, child)
        assert ended(child) == 0
        assert host.calls == 42  # at the begin, at 40 steps, the last
        kept = host.path
    assert not kept.exists() and not kept.parent.exists()
    played = told(folder)
    assert np.allclose(np.array(played["rows"])[:, 3], 4e6) and played["last_call_leaves_outputs"]


def test_the_caller_dies(folder: Path) -> None:
    with BridgeHost(first=60.0, patience=20.0) as host:
        child = play(host, folder, die=10)
        begin = time.monotonic()
        with pytest.raises(CouplingError, match=r"ended \(code 9\) in the middle of the run, at 0.1125 s"):
            host.serve(echo, child)
        assert time.monotonic() - begin < 40.0


def test_the_caller_is_silent(folder: Path) -> None:
    with BridgeHost(first=60.0, patience=1.0) as host:
        child = play(host, folder, hang=10, hang_s=30.0)
        try:
            with pytest.raises(CouplingError, match="has not called for 1 s, after 0.1125 s"):
                host.serve(echo, child)
        finally:
            child.kill()


def test_nobody_calls() -> None:
    with BridgeHost(first=0.3) as host, pytest.raises(CouplingError, match="nobody called within 0.3 s"):
        host.serve(echo)


def test_the_program_ends_before_it_calls() -> None:
    with BridgeHost(first=60.0) as host:
        child = subprocess.Popen([sys.executable, "-c", "raise SystemExit(3)"], text=True)
        with pytest.raises(CouplingError, match=r"ended \(code 3\) before it called"):
            host.serve(echo, child)


def test_the_host_dies(folder: Path) -> None:
    """A host in another process ends without a word after ten calls; the caller stops with a message."""
    script = folder / "host.py"
    script.write_text(
        "import os, sys\n"
        "from pathlib import Path\n"
        "sys.path[:0] = [sys.argv[2]]\n"
        "from test_openfast_bridge import echo, play\n"
        "from gearwright.couplings.bridge import BridgeHost\n"
        "calls = 0\n"
        "def once(status, swap):\n"
        "    global calls\n"
        "    calls += 1\n"
        "    if calls > 10: os._exit(7)\n"
        "    return echo(status, swap)\n"
        "host = BridgeHost(60.0, 20.0)\n"
        "child = play(host, Path(sys.argv[1]))\n"
        "print(child.pid, flush=True)\n"
        "host.serve(once, child)\n"
    )
    begun = subprocess.run([sys.executable, str(script), str(folder), str(Path(__file__).parent)], capture_output=True,
                           text=True, timeout=90, check=False)  # fmt: skip
    assert begun.returncode == 7, begun.stderr
    for _ in range(200):
        if (folder / "played.json").exists() and (folder / "played.json").read_text().endswith("}"):
            break
        time.sleep(0.05)
    played = told(folder)
    assert played["failed"] == -1 and "the host has ended" in played["message"]
    assert played["at"] == pytest.approx(10 * 0.0125)


def test_the_host_is_silent(folder: Path) -> None:
    def slow(status: int, swap: Swap) -> tuple[int, str]:
        if swap[1] > 0.1:
            time.sleep(2.5)
        return echo(status, swap)

    with BridgeHost(first=60.0, patience=1.0) as host:
        child = play(host, folder)
        with pytest.raises(CouplingError, match="in the middle of the run"):
            host.serve(slow, child)
        assert ended(child) == 1
    assert "does not answer (timeout)" in told(folder)["message"]


def test_what_the_handler_raises_reaches_both(folder: Path) -> None:
    def bad(status: int, swap: Swap) -> tuple[int, str]:
        if swap[1] > 0.1:
            raise CouplingError("the gearbox is out of oil")
        return echo(status, swap)

    with BridgeHost(first=60.0, patience=20.0) as host:
        child = play(host, folder)
        with pytest.raises(CouplingError, match="out of oil"):
            host.serve(bad, child)
        assert ended(child) == 1
    played = told(folder)
    assert played["failed"] == -1 and "out of oil" in played["message"]


@pytest.mark.parametrize("status", [-8, -9, -5, 77])
def test_statuses_that_cannot_be_served(folder: Path, status: int) -> None:
    """Checkpoint, restart and unknown statuses end the run with a message, in both programs."""
    gearbox = GearboxHost("nrel-5mw-two-mass", Constant(4e6))
    with BridgeHost(first=60.0, patience=20.0) as host:
        child = play(host, folder, status=[[5, status]])
        with pytest.raises(CouplingError, match=f"status {status}"):
            host.serve(gearbox, child)
        assert ended(child) == 1
    assert f"status {status}" in told(folder)["message"]


def test_only_the_user_can_call(folder: Path) -> None:
    with BridgeHost(first=1.0) as host:
        assert stat.S_IMODE(host.path.parent.stat().st_mode) == 0o700
        assert stat.S_IMODE(host.path.stat().st_mode) == 0o600
        infile = host.write_infile(folder / "bridge.in")
        assert stat.S_IMODE(infile.stat().st_mode) == 0o600
        with BridgeHost() as other:
            assert other.path != host.path and other.token != host.token and len(host.token) == 32
        stranger = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        stranger.connect(str(host.path))
        stranger.sendall(b"0" * 32)
        with pytest.raises(CouplingError, match="nobody called"):
            host.serve(echo)
        stranger.settimeout(5.0)
        assert stranger.recv(10) == b""
        stranger.close()


def test_library_without_host(folder: Path) -> None:
    """Missing file, file without a socket, socket without a host: failure -1 and a message within the room given."""
    import ctypes

    library: Any = ctypes.CDLL(str(bridge_library()))
    library.DISCON.restype = None
    (folder / "empty.in").write_text("nothing\n")
    (folder / "stale.in").write_text(f"socket {folder}/none\ntoken {'a' * 32}\ntimeout 1\n")
    for name, said in (
        ("missing.in", "cannot be read"),
        ("empty.in", "names no socket"),
        ("stale.in", "no host listens"),
    ):
        swap = np.zeros(LENGTH, np.float32)
        path = str(folder / name).encode()
        swap[48], swap[49] = 60, len(path)
        message, failure = ctypes.create_string_buffer(b"x" * 99, 100), ctypes.c_int(5)
        pointer = swap.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
        room = ctypes.create_string_buffer(path, 600)
        library.DISCON(pointer, ctypes.byref(failure), room, room, message)
        assert failure.value == -1 and (said in message.value.decode() or len(message.value) == 59)
        assert message.raw[60:98] == b"x" * 38
        swap[0] = -1
        library.DISCON(pointer, ctypes.byref(failure), room, room, message)
        assert failure.value == 0


def test_prepared_deck(folder: Path) -> None:
    before = {p.name: p.read_bytes() for p in DECK.parent.iterdir() if p.is_file()}
    made = prepare_deck(DECK, folder / "copy")
    assert {p.name: p.read_bytes() for p in DECK.parent.iterdir() if p.is_file()} == before
    from gearwright.interchange.openfast_file import InputFile

    main = InputFile(made.fst)
    elasto, servo = (InputFile(folder / "copy" / main.text(n)) for n in ("EDFile", "ServoFile"))
    assert [elasto.number(n) for n in ("GBRatio", "GBoxEff", "GenIner")] == [1.0, 100.0, 0.0]
    assert elasto.text("DrTrDOF") == "False" and servo.text("VSContrl") == "5"
    assert Path(servo.text("DLL_FileName")).is_file() and servo.text("DLL_InFile").endswith("gearwright-bridge.in")
    assert made.gear_ratio == 97.0 and made.efficiency == pytest.approx(0.944)
    # what the deck refers to is found from the new place
    for path in (main.text("AeroFile"), elasto.text("BldFile(1)"), elasto.text("TwrFile")):
        assert Path(path).is_absolute() and Path(path).is_file()
    with pytest.raises(CouplingError, match="stand beside"):
        prepare_deck(DECK, DECK.parent)
    with pytest.raises(CouplingError, match="no deck"):
        prepare_deck(folder / "none.fst", folder / "x")


STUB = """#!{python}
import json, sys
from pathlib import Path
import numpy as np
from gearwright.interchange.openfast_file import InputFile
from gearwright.couplings.play_openfast import Settings, play
main = InputFile(Path(sys.argv[1]))
servo = InputFile(Path(main.text("ServoFile")))
settings = json.loads(Path({settings!r}).read_text())
settings["library"], settings["infile"] = servo.text("DLL_FileName"), servo.text("DLL_InFile")
made = play(Settings(**settings))
rows = np.array(made.rows)
with open(Path(sys.argv[1]).with_suffix(".out"), "w") as out:
    out.write("made by a stub\\n\\nTime\\tRotSpeed\\tRotTorq\\n(s)\\t(rpm)\\t(kN-m)\\n")
    for t, w, p, q in rows:
        out.write(f"{{t:.6f}}\\t{{w * 30 / np.pi:.6f}}\\t{{q / 1e3:.6f}}\\n")
sys.exit(0 if made.failed >= 0 else 1)
"""


@pytest.fixture
def program(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program named openfast that reads the deck and plays a rotor."""
    settings = {
        "inertia": 4e7, "speed": 1.267, "pitch": 0.1, "interval": 0.0125, "duration": 1.0, "wind": [[0.0, 14.0]],
        "ratios": FLAT.ratios.tolist(), "pitches": FLAT.pitches.tolist(), "cp": FLAT.cp.tolist(), "radius": 63.0,
    }  # fmt: skip
    (folder / "settings.json").write_text(json.dumps(settings))
    program = folder / "openfast"
    program.write_text(STUB.format(python=sys.executable, settings=str(folder / "settings.json")))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def test_the_name_of_a_procedure_is_no_file(folder: Path) -> None:
    """A ``DISCON.IN`` beside the deck does not make a path of the procedure called DISCON."""
    copy = folder / "deck"
    shutil.copytree(DECK.parent, copy)
    (copy / "DISCON.IN").write_text("")
    made = prepare_deck(copy / DECK.name, folder / "copy")
    assert "DLL_ProcName" not in made.changes
    assert '"DISCON"      DLL_ProcName' in (folder / "copy" / "NRELOffshrBsline5MW_Onshore_ServoDyn.dat").read_text()


def test_a_checkpoint_within_the_run_is_refused_before_it(folder: Path) -> None:
    """As OpenFAST 3 to 5 spell the line in the main file; behind the end none is written, and the deck is taken."""
    copy = folder / "deck"
    shutil.copytree(DECK.parent, copy)
    main = copy / DECK.name
    plain = main.read_text()
    head = "         60   TMax            - Total run time (s)\n      {every}   ChkptTime       - Amount of time between checkpoint files (s)\n"
    main.write_text(plain + head.format(every=30))
    with pytest.raises(CouplingError, match=r"line \d+: ChkptTime 30 s lies within TMax 60 s.*'99999   ChkptTime'"):
        prepare_deck(main, folder / "copy")
    main.write_text(plain + head.format(every=99999))
    assert prepare_deck(main, folder / "copy").gear_ratio == 97.0


def test_a_controller_made_for_the_deck_sees_its_gear_ratio(folder: Path, program: None) -> None:
    """C23: a train of ratio 1 behind a deck of 97:1; the speed it sees is rotor speed x 97, and it brakes as before."""

    class Seeing(Constant):
        seen: list[tuple[float, float]] = []

        def step(self, measured: Measured) -> Demand:
            self.seen.append((measured.rotor_speed, measured.generator_speed))
            return super().step(measured)

    control = Seeing(43094.0)
    found = couple_openfast(
        DECK, "nrel-5mw-two-mass", controller=control, folder=folder / "one", output=folder / "one.nc"
    )
    rotor, machine = np.array(control.seen).T
    # the shaft between them swings a little about the same speed
    assert machine.mean() == pytest.approx(97.0 * rotor.mean(), rel=5e-3)
    import xarray as xr

    with xr.open_dataset(folder / "one.nc") as result:
        assert result["turbine_torque_reference"].values.mean() == pytest.approx(97.0 * 43094.0, rel=1e-6)
    assert any("made for the turbine's gear ratio 97" in text for text in found.to_dict()["assumed"])


def test_couple_with_a_program_that_reads_the_deck(folder: Path, program: None) -> None:
    """The whole command but OpenFAST itself: prepared deck, program started by name, one result on one time axis."""
    found = couple_openfast(DECK, "nrel-5mw-gallego", folder=folder / "copy", output=folder / "run.nc")
    assert found.steps == 81 and found.openfast_channels
    assert not (folder / "copy" / "gearwright-bridge.in").exists()  # the token goes with the run
    import xarray as xr

    with xr.open_dataset(folder / "run.nc") as result, xr.open_dataset(folder / "run.nc", group="openfast") as other:
        torque = result["shaft_torque"].sel(shaft="main").values
        assert result.sizes["time"] == other.sizes["time"] == 80
        # what the program was braked with is what our shaft had, but for what the exchange foresaw in the first steps
        name = next(n for n in other.data_vars if "RotTorq" in str(n) or "torq" in str(n).lower())
        factor = 1e3 if other[name].attrs["units"] in ("kN m", "kN.m", "kN-m") else 1.0
        assert np.allclose(other[name].values[5:] * factor, torque[5:], rtol=1e-4)
        assert {"turbine_pitch", "turbine_rotor_speed", "machine_torque"} <= set(result.data_vars)
    with pytest.raises(CouplingError, match="not found"):
        couple_openfast(DECK, "nrel-5mw-gallego", folder=folder / "copy2", openfast="no-such-openfast")
