"""Help and words of the command line (A8, A9): groups, an example each, one word for one thing, former words, completion."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import gearwright
from gearwright.cli import app
from gearwright.commands import EXAMPLES, FORMER, GROUPS

runner = CliRunner()
TREE: Any = typer.main.get_command(app)
SOURCE = str(Path(gearwright.__file__).parents[1])


def leaves(command: Any = TREE, words: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Every command with its words: ``fmu export``."""
    for name, one in command.commands.items():
        if hasattr(one, "commands"):
            yield from leaves(one, (*words, name))
        else:
            yield " ".join((*words, name)), one


COMMANDS = dict(leaves())


def options(command: Any) -> list[Any]:
    return [p for p in command.params if p.param_type_name == "option"]


def test_every_command_stands_in_one_group_and_has_an_example() -> None:
    grouped = [name for members in GROUPS.values() for name in members]
    assert sorted(grouped) == sorted(TREE.commands)
    assert set(EXAMPLES) == set(COMMANDS)


def test_help_in_groups_fits_eighty_columns_and_cuts_nothing() -> None:
    text = runner.invoke(app, ["--help"]).output
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text and "..." not in text.replace("[ARGS]...", "")
    places = [text.index(f"\n{title}:") for title in GROUPS]
    assert places == sorted(places)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_help_of_a_command(name: str) -> None:
    """Whole sentences, values with names instead of types, the example last."""
    text = runner.invoke(app, [*name.split(), "--help"]).output
    assert max(map(len, text.splitlines())) <= 80
    assert not re.search(r"<(str|int|float|bool|path|list)|\bTEXT\b|\bINTEGER\b|\bFLOAT\b", text), text
    assert text.rstrip().endswith(EXAMPLES[name])
    command = COMMANDS[name]
    first = command.help.split("\n\n")[0].strip()
    assert first[0].isupper() and first.endswith(".")
    for option in options(command):
        if option.name != "help":
            assert re.fullmatch(r"[A-Z0-9.'].*\.", option.help, re.DOTALL), (name, option.opts, option.help)


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_examples_are_spelled_right(name: str) -> None:
    words = shlex.split(EXAMPLES[name].partition(" > ")[0])
    count = len(name.split())
    assert words[0] == "gearwright" and " ".join(words[1 : 1 + count]) == name
    command = COMMANDS[name]
    context = command.make_context(name, words[1 + count :], resilient_parsing=True)
    known = {o for p in options(command) for o in p.opts}
    given = {w for w in words[1 + count :] if w.startswith("-")}
    assert given <= known, (given - known, context)


def test_one_word_for_one_thing() -> None:
    """``-o`` everywhere, with ``--output``; the same option has the same kind of value and the same former words nowhere."""
    for name, command in COMMANDS.items():
        for option in options(command):
            both = {"-o", "--output"} & set(option.opts)
            assert both in (set(), {"-o", "--output"}), (name, option.opts)
        words = {o for p in options(command) for o in p.opts}
        assert not words & (set(FORMER.get(name, {})) - words), name
        if "--page" in words:
            assert "-o" in words, f"{name}: --page is a second output"
        for former, now in FORMER.get(name, {}).items():
            assert former not in words and now in words, (name, former)


def test_a_former_word_does_what_the_new_one_does_with_a_note(tmp_path: Path) -> None:
    for word in ("--page", "-o"):
        done = runner.invoke(app, ["powerflow", "wolfrom", word, str(tmp_path / f"{word.strip('-')}.html")])
        assert done.exit_code == 0, done.output
        assert ("--page is now -o" in done.stderr) == (word == "--page")
        assert "now" not in done.stdout
    one, two = ((tmp_path / f"{x}.html").read_text() for x in ("page", "o"))
    assert len(one) == len(two)
    equal = runner.invoke(app, ["modes", "wolfrom", "--fidelity", "rigid", f"--campbell={tmp_path}/c.txt"])
    assert equal.exit_code == 2 and ".html" in equal.output


def test_the_suffix_says_what_gear_writes(tmp_path: Path) -> None:
    done = runner.invoke(app, ["gear", "nordtank-500kw", "--stage", "stage1", "-o", str(tmp_path / "g.html")])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "g.html").read_text().lstrip().lower().startswith("<!doctype html")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_shown_for_a_shell(shell: str, tmp_path: Path) -> None:
    """What ``--show-completion`` prints completes commands: the script is sourced by its own mechanism for bash."""
    env = {**os.environ, "PYTHONPATH": SOURCE, "_GEARWRIGHT_COMPLETE": f"complete_{shell}", "HOME": str(tmp_path)}
    words = {"bash": {"COMP_WORDS": "gearwright tooth", "COMP_CWORD": "1"},
             "zsh": {"_TYPER_COMPLETE_ARGS": "gearwright tooth"},
             "fish": {"_TYPER_COMPLETE_ARGS": "gearwright tooth", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}}[shell]  # fmt: skip
    done = subprocess.run([sys.executable, "-m", "gearwright"], env={**env, **words}, capture_output=True, text=True)
    assert "tooth-stress" in done.stdout, done.stderr
    further = {k: v.replace("tooth", "describe nordtank").replace("1", "2") for k, v in words.items()}
    done = subprocess.run([sys.executable, "-m", "gearwright"], env={**env, **further}, capture_output=True, text=True)
    assert "nordtank-500kw" in done.stdout, done.stderr


def test_completion_is_installed_in_the_shell_at_hand(tmp_path: Path) -> None:
    """A8: ``gearwright --install-completion`` in bash: a script in the home folder, read by its start file."""
    env = {**os.environ, "PYTHONPATH": SOURCE, "HOME": str(tmp_path), "SHELL": "/bin/bash"}
    for option in ("--install-completion", "--show-completion"):
        line = f"{sys.executable} -m gearwright {option}; exit $?"
        done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, env=env)
        assert done.returncode == 0, done.stderr
    assert "_gearwright_completion" in done.stdout
    (script,) = tmp_path.rglob("gearwright.sh")
    assert str(script) in (tmp_path / ".bashrc").read_text()
    check = f"source {script}; complete -p gearwright"
    told = subprocess.run(["bash", "-c", check], capture_output=True, text=True)
    assert "_gearwright_completion" in told.stdout
