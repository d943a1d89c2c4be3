"""Everything a person meets on a terminal: commands in real processes under a pseudo-terminal of 80 columns (A1)."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

import gearwright

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
def test_a_run_on_a_terminal_shows_a_bar_and_ends_with_a_result(tmp_path: Path, kind: str) -> None:
    """A1: the bar formatted a total that is not known before the first chunk; every run on a terminal died."""
    given = {"colours": {}, "no colours": {"NO_COLOR": "1"}, "dumb": {"TERM": "dumb"}}[kind]
    seen = on_terminal(["run", "spur-pair-hertz", "-o", "p.nc"], tmp_path, **given)
    assert seen.code == 0, seen.text
    assert "Traceback" not in seen.text
    assert (tmp_path / "p.nc").exists()
    assert ("simulated" in seen.text) == (kind != "dumb")
    if kind == "dumb":
        assert "\x1b" not in seen.text


def test_help_on_a_terminal(tmp_path: Path) -> None:
    seen = on_terminal(["--help"], tmp_path)
    assert seen.code == 0 and "campaign" in seen.text, seen.text
