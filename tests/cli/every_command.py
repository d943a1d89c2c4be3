"""Runs every command of the program as a person meets it: under a pseudo-terminal, without colours, dumb, piped, closed.

One process reads the program and its machine code once; every call is then a fork of it, with streams, terminal, environment
and folder of its own, that enters at the program's entry point. As a script it writes what came as JSON.

Every command is met on a terminal and through a pipe, and in one more way that :data:`SEED` draws; with ``--every-way`` in all.
"""

from __future__ import annotations

import fcntl
import io
import json
import os
import pty
import random
import select
import shutil
import signal
import struct
import sys
import termios
import time
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parents[1] / "data"
COLUMNS = 80
#: of the draw of the third way for every command
SEED = 18

TRAIN = """
name: quick
bodies: [{name: rotor, inertia: 4e7 kg m^2}, {name: generator, inertia: 5e6 kg m^2}]
shafts: [{name: main, between: [rotor, generator], torsional_stiffness: 8.7e8 N m/rad, damping: 6e6 N m s/rad}]
machines: [{name: machine, type: constant, drives: generator, parameters: {torque: 0 N m}}]
model: {fidelity: torsional, law: linear}
operating: {input: rotor, output: generator, speed: 12 rpm, torque: 0 N m}
cases:
  - {name: base, duration: 5 s, discard: 1 s, exponents: [4], counting_interval: 0.01 s, output_interval: 0.01 s,
     loads: [{on: rotor, torque: {step: {from: 0 N m, to: 1 MN m, at: 2 s}}}]}
  - {name: stepped, base: base}
  - {name: up, duration: 20 s, output_interval: 5 ms, counting_interval: 5 ms, speeds: {rotor: {ramp: {from: 6 rpm, to: 30 rpm, at: 0 s, over: 20 s}}},
     record: [shafts, bodies]}
campaigns:
  - {name: steps, case: stepped, grid: {loads.0.torque.step.to: [1 MN m, 2 MN m]}}
"""
STUDY = """
name: damping
drivetrain: quick.yaml
case: base
vary: {shafts.main.damping: {uniform: [3e6 N m s/rad, 9e6 N m s/rad]}}
method: latin_hypercube
samples: 4
outputs: [main.torque.max]
"""

#: arguments of every command, and the exit code that is right for them; ``{data}``: folder of the tests' files
CALLS: dict[str, tuple[str, int]] = {
    "run": ("nordtank-500kw --duration 0.2 -o again.nc", 0),
    "new": ("--power 500kW --rotor-speed 30rpm --generator-speed 1000rpm --layout 3+par -o new.yaml --page new.html", 0),
    "describe": ("nrel-5mw-nejad", 0),
    "modes": ("nrel-5mw-nejad-ideal --fidelity torsional -o campbell.html", 0),
    "whirl": ("geared-rotors --speeds '500 rpm to 1500 rpm in 2' --factors '1, 2' -o whirl.html", 0),
    "powerflow": ("zf-4hp22 --cases -o flow.html", 0),
    "schema": ("", 0),
    "report": ("base.nc -o base.html", 0),
    "orders": ("up.nc --channel main.torque -o orders.html", 0),
    "examples list": ("", 0),
    "examples show": ("nordtank-500kw", 0),
    "examples copy": ("nordtank-500kw mine.yaml", 0),
    "verify": ("S0.two_gear", 0),
    "campaign": ("quick.yaml -o steps", 0),
    "study": ("study.yaml -o damping", 0),
    "design": ("quick.yaml --free 'shafts.main.damping=0.5 x..2 x' --wish 'damping.1 >= 0.06' --evaluations 8 -o moved", 0),
    "compare": ("run.nc run.nc -o compared.html", 0),
    "turbine list": ("", 0),
    "turbine import": ("{data}/turbine/deck/nrel-5mw.fst --power '5 MW' --speed '12.1 rpm' -o mine.json", 0),
    "turbine steady": ("nrel-5mw", 0),
    "gear": ("nordtank-500kw --stage stage1 -o outline.svg --page teeth.html", 0),
    "stiffness": ("nordtank-500kw --stage stage1 --method analytic", 0),
    "ste": ("nordtank-500kw --stage stage1 --method analytic --torque '5 kN m'", 0),
    "modify": ("spur-pair-hertz --method analytic --form linear --torque '200 N m' --duration 0.01 -o quiet.yaml --page quiet.html", 0),
    "sweep": ("kahraman-oscillator --case c --from '820 Hz' --to '920 Hz' --steps 2 --settle 5 --measure 5", 0),
    "view": ("nordtank-500kw -o view.html", 0),
    "render": ("nordtank-500kw --size huge", 2),
    "inspect": ("{data}/FASTOutBin.outb", 0),
    "export": ("run.nc --channel main.torque -o torque.csv", 0),
    "rexs": ("{data}/FVA-Industriegetriebe_2stufig_1-4.rexs -o rexs.yaml", 0),
    "life": ("run.nc --ratings {data}/steady-life.yaml", 0),
    "tooth-stress": ("run.nc p.sun_planet1", 0),
    "reliability": ("planet-bearing --samples 1000 --engine hlrf", 0),
    "identify": ("base.nc --channel main.torque --from 2.05 --to 4.5", 0),
    "bearing": ("{data}/bearing-6206.yaml -o bearing.html", 0),
    "envelope": ("run.nc --channel main.torque", 0),
    "fmu export": ("quick.yaml -o train.fmu", 0),
    "fmu show": ("train.fmu", 0),
    "couple openfast": ("{data}/turbine/deck/nrel-5mw.fst --prepare-only --folder deck", 0),
    "couple hawc2": ("quick.yaml -o libgearbox.so", 0),
    "couple fmu": ("train.fmu --drivetrain quick.yaml --torque main.torque --duration 0.1 -o coupled.nc", 0),
    "machine": ("nrel-5mw", 0),
    "loads-from": ("signals.csv quick.yaml -o books.nc", 0),
    "fleet": ("signals.csv --turbines turbines.csv -o fleet", 0),
    "surrogate": ("quick.yaml -o surrogate.csv", 2),
}  # fmt: skip

#: how a person, a script or a pager meets the program
ENVIRONMENTS: dict[str, dict[str, str]] = {
    "terminal": {"TERM": "xterm-256color"},
    "no colours": {"TERM": "xterm-256color", "NO_COLOR": "1"},
    "dumb": {"TERM": "dumb"},
    "piped": {},
    "closed": {},
}


def ways(every: bool) -> dict[str, list[str]]:
    """How every command is met: on a terminal, through a pipe and in one way that is drawn, or in every way."""
    draw = random.Random(SEED)
    more = {name: draw.choice([how for how in ENVIRONMENTS if how not in ("terminal", "piped")]) for name in CALLS}
    return {name: list(ENVIRONMENTS) if every else ["terminal", "piped", more[name]] for name in CALLS}


def prepare(folder: Path, chosen: list[str]) -> None:
    """Files that the chosen calls read; runs only for those that read their result."""
    (folder / "quick.yaml").write_text(TRAIN)
    (folder / "study.yaml").write_text(STUDY)
    rows = "".join(f"{0.05 * i:.2f},{1.25 + 0.01 * (i % 7)},{1e6 + 1e3 * (i % 5)}\n" for i in range(400))
    (folder / "signals.csv").write_text(f"time,generator_speed,generator_torque\n{rows}")
    (folder / "turbines.csv").write_text(
        "turbine,rated_power [kW],rated_speed [rad/s],files\nA1,1250,1.25,signals.csv\n"
    )
    for words in (
        ["run", str(DATA / "steady-life.yaml"), "--duration", "1.5 s", "-o", "run.nc"],
        ["run", "quick.yaml", "--case", "base", "-o", "base.nc"],
        ["run", "quick.yaml", "--case", "up", "-o", "up.nc"],
        ["fmu", "export", "quick.yaml", "-o", "train.fmu"],
    ):
        if any(words[-1] in CALLS[name][0].split() for name in chosen):
            seen = call(words, "piped", folder)
            assert seen["code"] == 0, seen


def words_of(name: str) -> list[str]:
    """Arguments of a call, as a shell parts them."""
    import shlex

    return [*name.split(), *shlex.split(CALLS[name][0].format(data=DATA))]


def call(words: list[str], how: str, folder: Path, patience: float = 120.0) -> dict[str, Any]:
    """Fork, become the program, and tell what came: ``out``, ``err`` (on a terminal both are ``out``) and ``code``."""
    readers: list[int] = []
    (folder / "mine.yaml").unlink(missing_ok=True)
    if how in ("piped", "closed"):
        out, out_w = os.pipe()
        err, err_w = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(out_w, 1)
            os.dup2(err_w, 2)
            for end in (out, err, out_w, err_w):
                os.close(end)
            _become(words, how, folder)
        os.close(out_w)
        os.close(err_w)
        readers = [out, err]
        if how == "closed":
            os.close(out)
            readers = [err]
    else:
        pid, terminal = pty.fork()
        if pid == 0:
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
            _become(words, how, folder)
        readers = [terminal]
    taken, slow = _read(readers, patience)
    if slow:
        os.kill(pid, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    for reader in readers:
        os.close(reader)
    texts = [b.decode("utf-8", "replace") for b in taken]
    out_text, err_text = (texts[0], "") if len(texts) == 1 else (texts[0], texts[1])
    if how == "closed":
        out_text, err_text = "", texts[0]
    return {"out": out_text, "err": err_text, "code": code, "slow": slow}


def _read(readers: list[int], patience: float) -> tuple[list[bytes], bool]:
    """What comes until all ends are closed; whether it took too long."""
    parts: dict[int, list[bytes]] = {reader: [] for reader in readers}
    there, limit = set(readers), time.monotonic() + patience
    while there:
        for reader in select.select(list(there), [], [], 1.0)[0]:
            try:
                part = os.read(reader, 65536)
            except OSError:  # a terminal whose program has gone
                part = b""
            parts[reader].append(part)
            if not part:
                there.discard(reader)
        if time.monotonic() > limit:
            return [b"".join(x) for x in parts.values()], True
    return [b"".join(x) for x in parts.values()], False


def _become(words: list[str], how: str, folder: Path) -> None:
    """The rest of a child's life: the program with these arguments, and its end as the interpreter does it."""
    code = 99
    try:
        os.chdir(folder)
        for name in ("NO_COLOR", "COLUMNS", "LINES", "FORCE_COLOR", "TERM"):
            os.environ.pop(name, None)
        os.environ.update(ENVIRONMENTS[how])
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), encoding="utf-8")
        sys.stdout = _stream(1, "strict", os.isatty(1))
        sys.stderr = _stream(2, "backslashreplace", True)
        sys.argv = ["gearwright", *words]
        from gearwright import terminal
        from gearwright.cli import main

        terminal.DELAY, terminal.REDRAW, terminal.PLAIN = 0.0, 0.01, 0.05  # a bar on everything
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        except BaseException:
            import traceback

            os.write(2, traceback.format_exc().encode())
            code = 1
        try:
            sys.stdout.flush()
        except OSError as error:
            os.write(2, f"Exception ignored on flushing sys.stdout: {error}\n".encode())
            code = 120
    finally:
        os._exit(code)


def _stream(number: int, errors: str, lines: bool) -> Any:
    raw = io.BufferedWriter(io.FileIO(number, "w", closefd=False))
    return io.TextIOWrapper(raw, encoding="utf-8", errors=errors, line_buffering=lines)


def main() -> None:
    """``python every_command.py FOLDER [--every-way] [NAME ...]``: all calls, or those named; prints JSON."""
    every, folder = "--every-way" in sys.argv, Path(sys.argv[1])
    chosen = [name for name in sys.argv[2:] if name != "--every-way"] or list(CALLS)
    from typer.testing import CliRunner

    from gearwright.cli import app

    prepare(folder, chosen)
    found: dict[str, dict[str, Any]] = {}
    for name in chosen:
        begin = time.process_time() + sum(os.times()[2:4])
        os.chdir(folder)
        CliRunner().invoke(app, words_of(name))  # reads the modules and machine code, for all children
        found[name] = {how: call(words_of(name), how, folder) for how in ways(every)[name]}
        shutil.rmtree(folder / "steps", ignore_errors=True)
        shutil.rmtree(folder / "damping", ignore_errors=True)
        sys.stderr.write(f"{name} {time.process_time() + sum(os.times()[2:4]) - begin:.2f} s\n")
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
