"""Every command of the program as a person meets it (A1, A2, B17), and tables that cut nothing at any width (A2)."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from every_command import CALLS, COLUMNS, ways
from hypothesis import given, settings
from hypothesis import strategies as st
from test_help import COMMANDS

import gearwright
from gearwright.console import table_lines

#: what prints a file as it is: its lines are as wide as they are
FILES = {"schema", "examples show"}


def test_no_command_is_left_out() -> None:
    """A new command is named in CALLS, with arguments that take a moment."""
    assert set(CALLS) == set(COMMANDS)


def too_wide(text: str) -> list[str]:
    """Pictures of lines wider than the terminal; a single word, such as a path, may be."""
    pictures = (p for line in text.replace("\r\n", "\n").split("\n") for p in line.split("\r"))
    plain = (re.sub(r"\x1b\[[0-9;]*m", "", p) for p in pictures)
    return [p for p in plain if len(p) > COLUMNS and max(map(len, p.split())) < COLUMNS - 2]


def faults(name: str, how: str, seen: dict[str, Any]) -> list[str]:
    """What is wrong with what came."""
    everything = seen["out"] + seen["err"]
    found = {
        f"exit {seen['code']} instead of {CALLS[name][1]}": seen["code"] != CALLS[name][1],
        "does not end": seen["slow"],
        "a trace": "Traceback" in everything or "Exception ignored" in everything,
        "a cut word or number": "…" in everything,
        "codes of a terminal": how in ("dumb", "piped", "closed") and ("\x1b" in everything or "\r" in everything.replace("\r\n", "")),
        "colours": how == "no colours" and "\x1b" in everything,
        "a line too wide": how in ("terminal", "no colours", "dumb") and name not in FILES and bool(too_wide(everything)),
        "no bar": how in ("terminal", "no colours") and name not in FILES and "━" not in everything,
    }  # fmt: skip
    return [f"{name}, {how}: {what}\n{everything[-600:]}" for what, is_so in found.items() if is_so]


#: commands that one process runs
GROUPS = [list(CALLS)[first::6] for first in range(6)]


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.long)], ids=["drawn ways", "every way"])
@pytest.mark.parametrize("group", GROUPS, ids=[names[0] for names in GROUPS])
def test_every_command_on_terminals_and_pipes(group: list[str], every: bool, tmp_path: Path) -> None:
    """Exit codes, no trace, nothing cut, nothing too wide, no codes where nobody reads them; the same figures everywhere."""
    script = [sys.executable, str(Path(__file__).with_name("every_command.py")), str(tmp_path)]
    done = subprocess.run(
        [*script, *["--every-way"] * every, *group],
        capture_output=True,
        text=True,
        timeout=900,
        env={**os.environ, "PYTHONPATH": str(Path(gearwright.__file__).parents[1])},
    )
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    found = [f for name in seen for how in seen[name] for f in faults(name, how, seen[name][how])]
    assert not found, "\n\n".join(found)
    assert {name: list(seen[name]) for name in seen} == {name: ways(every)[name] for name in group}


words = st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=24)


@settings(max_examples=200, deadline=None)
@given(data=st.data(), width=st.integers(20, 200))
def test_tables_fold_and_cut_nothing(data: st.DataObject, width: int) -> None:
    """Every cell is in the lines of a table, whole, at every width; no line is wider than it, but for a single cell."""
    columns = data.draw(st.integers(2, 9))
    head = data.draw(st.lists(words, min_size=columns, max_size=columns))
    rows = data.draw(st.lists(st.lists(words, min_size=columns, max_size=columns), min_size=1, max_size=4))
    lines = [line for line, _ in table_lines("Title", head, rows, None, width)]
    there = " ".join(lines).replace(";", " ").split()
    for row in rows:
        for cell in row:
            assert there.count(cell) >= sum(r.count(cell) for r in rows) or cell in head
    for line in lines:
        assert len(line) <= width or max(map(len, line.split())) > width - 4
    # the values of a part stand under their names, right-aligned
    if sum(max(len(x) for x in c) + 2 for c in zip(head, *rows, strict=True)) <= width:
        assert [len(line) for line in lines[1:]] == [len(lines[1])] * (len(rows) + 1)


def test_the_life_table_of_a_terminal_of_eighty_columns() -> None:
    """A2: damage 227 stood as ``2…``, hours as ``748…``, heads as ``mo…``."""
    head = ["part", "mode", "damage", "life years", "life hours", "margin", "on"]
    row = [
        "gearbox.intermediate_stage.planet1_bearing",
        "modified reference life",
        "227",
        "0.0881",
        "748.3",
        "0.188",
        "load",
    ]
    lines = [line for line, _ in table_lines("Life", head, [row], None, 79)]
    assert max(map(len, lines)) <= 79
    for cell in (*head, *row):
        assert any(cell in line for line in lines), cell


@pytest.mark.parametrize("kind", ["full", "none"])
def test_a_stream_that_cannot_be_written_is_named(kind: str) -> None:
    """B17: ``> /dev/full`` printed a trace of another library and exit 1."""
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    source = str(Path(gearwright.__file__).parents[1])
    with open("/dev/full" if kind == "full" else os.devnull, "w") as out:
        done = subprocess.run([sys.executable, "-m", "gearwright", "schema"], stdout=out, stderr=subprocess.PIPE, text=True,
                              env={**os.environ, "PYTHONPATH": source})  # fmt: skip
    if kind == "none":
        assert (done.returncode, done.stderr) == (0, "")
    else:
        assert done.returncode == 2
        assert done.stderr.strip() == "gearwright: 'standard output': no space left on device"


def test_a_pager_that_closes_leaves_the_exit_code(tmp_path: Path) -> None:
    """B17: ``verify ... | head -1``: the verdict is the exit code, whoever reads the table."""
    source = str(Path(gearwright.__file__).parents[1])
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {sys.executable} -m gearwright verify S0.two_gear | head -1"],
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": source}, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
