"""Real processes under a pseudo-terminal of 80 columns: the demo, bars, signals (A1, B14, B17)."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

import gearwright
from gearwright import progress, terminal
from tests.sweeps import sample

#: where the code under test is, for processes that start in another folder
SOURCE = str(Path(gearwright.__file__).parents[1])


@dataclass(frozen=True)
class Seen:
    """What came to the terminal, as written, and how the process ended."""

    text: str
    code: int


def on_terminal(
    arguments: list[str], folder: Path, columns: int = 80, timeout: float = 300.0, **environment: str
) -> Seen:
    """Run the program with a pseudo-terminal for input, output and errors, as in a person's window."""
    main, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "LINES", "FORCE_COLOR", "CI")}
    process = subprocess.Popen(
        [sys.executable, "-m", "gearwright", *arguments], cwd=folder, stdin=other, stdout=other, stderr=other,
        env={**kept, "PYTHONPATH": SOURCE, "TERM": "xterm-256color", **environment}, start_new_session=True,
    )  # fmt: skip
    os.close(other)
    parts, limit = [], time.monotonic() + timeout
    try:
        while time.monotonic() < limit:
            if main in select.select([main], [], [], 1.0)[0]:
                try:
                    part = os.read(main, 65536)
                except OSError:  # the other end is closed: the process is gone
                    break
                if not part:
                    break
                parts.append(part)
        code = process.wait(timeout=max(limit - time.monotonic(), 1.0))
    finally:
        process.kill()
        os.close(main)
    return Seen(b"".join(parts).decode(), code)


@pytest.mark.parametrize("kind", ["colours", "no colours", "dumb"])
def test_a_run_on_a_terminal_ends_with_a_result(tmp_path: Path, kind: str) -> None:
    """A1: the bar formatted a total that is not known before the first chunk; every run on a terminal died."""
    given = {"colours": {}, "no colours": {"NO_COLOR": "1"}, "dumb": {"TERM": "dumb"}}[kind]
    seen = on_terminal(["run", "spur-pair-hertz", "-o", "p.nc"], tmp_path, **given)
    assert seen.code == 0, seen.text
    assert "Traceback" not in seen.text
    assert (tmp_path / "p.nc").exists()
    assert "force" in seen.text
    if kind == "dumb":
        assert "\x1b" not in seen.text and "\r" not in seen.text.replace("\r\n", "")
    if kind == "no colours":
        assert "\x1b" not in seen.text


def test_help_on_a_terminal(tmp_path: Path) -> None:
    seen = on_terminal(["--help"], tmp_path)
    assert seen.code == 0 and "campaign" in seen.text, seen.text


MAKEFILE = Path(__file__).resolve().parents[2] / "Makefile"


def test_the_demo_on_a_terminal(tmp_path: Path) -> None:
    """A1: the two commands of ``make demo``, as the Makefile has them, but for the duration and what is discarded; a bar moves on
    the way."""
    recipe = MAKEFILE.read_text().split("\ndemo:")[1].split("\n\n")[0]
    lines = re.findall(r"\$\(BIN\)/gearwright (.*)", recipe)
    assert [line.split()[0] for line in lines] == ["run", "report"]
    for line in lines:
        words = line.replace("$(OUT)", str(tmp_path)).split()
        short = ["--duration", "8", "--set", "discard=2 s"] if words[0] == "run" else []
        seen = on_terminal([*words, *short], tmp_path)
        assert seen.code == 0, seen.text
        assert "Traceback" not in seen.text and "…" not in seen.text
    page = tmp_path / Path(lines[1].split("-o ")[1].replace("$(OUT)/", "")).name
    assert "<html" in page.read_text()[:400]


LONG = """
name: long
bodies: [{name: rotor, inertia: 4e7 kg m^2}, {name: generator, inertia: 5e6 kg m^2}]
shafts: [{name: main, between: [rotor, generator], torsional_stiffness: 8.7e8 N m/rad, damping: 6e6 N m s/rad}]
machines: [{name: machine, type: constant, drives: generator, parameters: {torque: 0 N m}}]
model: {fidelity: torsional, law: linear}
operating: {input: rotor, output: generator, speed: 12 rpm, torque: 0 N m}
cases: [{name: base, duration: 500000 s, counting_interval: 0.01 s, output_interval: 0.1 s,
         loads: [{on: rotor, torque: {step: {from: 0 N m, to: 1 MN m, at: 2 s}}}]}]
"""


@pytest.mark.parametrize("name, code", sample([("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)], 1))
def test_a_run_that_is_stopped_keeps_what_was_computed(tmp_path: Path, name: str, code: int) -> None:
    """B14: a scheduler's limit and a dropped line lost the run and left its hidden part behind; they are as Ctrl-C."""
    (tmp_path / "long.yaml").write_text(LONG)
    ignored = signal.signal(signal.SIGINT, signal.SIG_DFL)  # by a shell that runs the tests in the background
    process = subprocess.Popen(
        [sys.executable, "-m", "gearwright", "run", "long.yaml", "-o", "long.nc"], cwd=tmp_path, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": SOURCE},
    )  # fmt: skip
    signal.signal(signal.SIGINT, ignored)
    for _ in range(1200):  # until samples are in the file
        if any(p.stat().st_size > 100_000 for p in tmp_path.glob(".long.nc.*.part")) or process.poll() is not None:
            break
        time.sleep(0.05)
    process.send_signal(getattr(signal, name))
    out, err = process.communicate(timeout=60)
    assert process.returncode == code, err
    assert "Traceback" not in err and "what was computed is in long.nc" in err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["long.nc", "long.yaml"]
    result = gearwright.Result.open(tmp_path / "long.nc")
    assert "interrupted at" in result.attributes["incomplete"]
    assert 0.0 < float(result.dataset.time[-1]) < 500_000.0


def test_a_campaign_that_is_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    """B14: finished runs are kept, said, and no worker of a campaign stays behind; the same command then does the rest."""
    grid = "campaigns: [{name: steps, case: base, grid: {loads.0.torque.step.to: [1 MN m, 2 MN m, 3 MN m, 4 MN m]}}]"
    (tmp_path / "long.yaml").write_text(LONG.replace("500000 s", "8000 s") + grid)
    words = [sys.executable, "-m", "gearwright", "campaign", "long.yaml", "-o", "steps", "--jobs", "2"]
    given = {"cwd": tmp_path, "env": {**os.environ, "PYTHONPATH": SOURCE}, "text": True}
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, **given)
    for _ in range(2400):
        if list((tmp_path / "steps" / "lines").glob("*.json")) or process.poll() is not None:
            break
        time.sleep(0.05)
    process.terminate()
    _, err = process.communicate(timeout=60)
    kept = len(list((tmp_path / "steps" / "lines").glob("*.json")))
    if process.returncode == 0:
        pytest.skip("the campaign was faster than the signal")
    assert process.returncode == 143, err
    assert "Traceback" not in err and "leaked" not in err
    assert f"{kept} of 4 runs are kept in steps" in err
    done = subprocess.run(words, capture_output=True, timeout=120, **given)
    assert done.returncode == 0, done.stderr
    assert f"4 of 4 runs done, {kept} of them before" in done.stdout
    assert not list((tmp_path / "steps" / "results").glob(".*.part"))


def test_an_interrupt_that_a_library_catches_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """B14: one that came while the netCDF library looked for a dimension was caught there, and the campaign went on."""
    monkeypatch.setattr(progress, "stopping", [True])
    with progress.stage("simulated", 10.0, "s") as going, pytest.raises(KeyboardInterrupt):
        going.at(1.0)


def test_json_is_json_while_a_bar_is_on_the_terminal(tmp_path: Path) -> None:
    """The bar goes to the error stream: figures in a file or a pipe are untouched."""
    program = (
        "import sys; from gearwright import cli, terminal; terminal.DELAY, terminal.REDRAW = 0.0, 0.01\n"
        "sys.argv = ['gearwright', 'turbine', 'steady', '--json']; cli.main()"
    )
    main, other = pty.openpty()
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=other, cwd=tmp_path,
                               env={**os.environ, "PYTHONPATH": SOURCE, "TERM": "xterm"})  # fmt: skip
    os.close(other)
    parts: list[bytes] = []

    def read() -> None:
        with contextlib.suppress(OSError):  # the other end is closed
            while part := os.read(main, 65536):
                parts.append(part)

    reader = threading.Thread(target=read)
    reader.start()  # a terminal that nobody reads is full after a page, and who writes to it waits
    out, _ = process.communicate(timeout=120)
    reader.join(10.0)
    seen = b"".join(parts)
    os.close(main)
    assert process.returncode == 0
    assert len(json.loads(out)) > 10
    assert "wind speed" in seen.decode() and "━" in seen.decode()


def test_parts_of_dead_processes_are_swept(tmp_path: Path) -> None:
    """B14: what a killed process left is removed by the next one that writes there; what a living one writes is not."""
    from gearwright.parts import part_of, sweep

    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    mine = part_of(tmp_path / "a.nc")
    machine = mine.name.partition("@")[2]
    dead, foreign = tmp_path / f".a.nc.{gone.pid}@{machine}", tmp_path / f".a.nc.{gone.pid}@elsewhere.part"
    for path in (mine, dead, foreign, tmp_path / "a.part"):
        path.write_text("")
    sweep(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted([mine, foreign, tmp_path / "a.part"])
    old = time.time() - 2 * 86400.0
    os.utime(foreign, (old, old))
    sweep(tmp_path)
    assert not foreign.exists() and mine.exists()


def test_a_fault_of_the_program_is_one_message(tmp_path: Path) -> None:
    """B17: exit 70; the trace comes where it is asked for."""
    program = (
        "import sys; from gearwright import cli, terminal\n"
        "def fault(): raise ValueError('Too many bins\\nfor data range')\n"
        "sys.exit(terminal.run(fault))"
    )
    env = {**os.environ, "PYTHONPATH": SOURCE}
    for extra, traced in (({}, False), ({"GEARWRIGHT_TRACEBACK": "1"}, True)):
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env={**env, **extra})
        assert done.returncode == 70
        assert ("Traceback" in done.stderr) == traced
        assert "ValueError: Too many bins" in done.stderr
        assert traced or "GEARWRIGHT_TRACEBACK=1" in done.stderr


def test_a_bar_says_what_how_far_and_how_long() -> None:
    """Words whole, in the width; the part of nested work counts: two of four runs and half of the third are 62 %."""
    progress.stages.clear()
    with progress.stage("run", 4) as runs:
        runs.at(2)
        with progress.stage("simulated", 10.0, "s") as going:
            going.at(5.0)
            assert progress.share(progress.stages) == pytest.approx(2.5 / 4)
            assert progress.line(progress.stages) == "run 2 of 4: simulated 5.0 of 10 s"
            with progress.stage("compiling machine code"):
                assert progress.share(progress.stages) == pytest.approx(2.5 / 4)
    assert progress.stages == []
    for width in (30, 40, 80, 200):
        for part, left in ((None, None), (0.0, None), (0.625, 90.0), (1.0, 0.0)):
            line = terminal.bar_line("run 2 of 4: simulated 5.0 of 10 s", part, 12.0, left, width, turn=7)
            assert len(line) < width
            if width >= 80:
                assert line.startswith("run 2 of 4: simulated 5.0 of 10 s")
    assert terminal.bar_line("a", 0.625, 12.0, 90.0, 80).endswith(" 62 %, 2 min left")
    assert list(progress.each("item", "abc")) == ["a", "b", "c"]
