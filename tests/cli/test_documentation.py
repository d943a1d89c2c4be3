"""Every Python block of the README and the documentation runs."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCKS = [
    (page.name, i, block)
    for page in PAGES
    for i, block in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL))
]


def test_there_are_blocks():
    assert {name for name, _, _ in BLOCKS} >= {"README.md", "write-a-law.md"}


@pytest.mark.parametrize("name, number, block", BLOCKS, ids=[f"{n}-{i}" for n, i, _ in BLOCKS])
def test_block_runs(name, number, block, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "block.py"  # compiled laws are cached beside a file
    file.write_text(block)
    space = {"__name__": "block", "__file__": str(file)}
    exec(compile(block, str(file), "exec"), space)
    assert len(space) > 3


COMMANDS = [(page, re.findall(r"```bash\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)) for page in PAGES]


def test_no_page_runs_a_whole_campaign(page_blocks=COMMANDS):
    """Campaigns of hours stand as text; what is marked bash is run here and names the runs it wants."""
    for page, blocks in page_blocks:
        for line in "\n".join(blocks).splitlines():
            assert "gearwright campaign" not in line or "--only" in line, f"{page.name}: {line}"


@pytest.mark.parametrize("page, blocks", [c for c in COMMANDS if c[1]], ids=[p.stem for p, b in COMMANDS if b])
def test_commands_run(page, blocks, tmp_path, monkeypatch):
    """Every command of a page, in order, in one folder, as a reader would type them."""
    import shlex

    from typer.testing import CliRunner

    from gearwright.cli import app

    monkeypatch.chdir(tmp_path)
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines() if line.strip()]
    for line in lines:
        words = shlex.split(line, comments=True)
        assert words[0] == "gearwright", f"{page.name}: '{line}' is no command of ours"
        result = CliRunner().invoke(app, words[1:])
        assert result.exit_code == 0, f"{page.name}: {line}\n{result.output}"


MENTIONED = [
    (page, line)
    for page in PAGES
    for line in re.findall(r"gearwright ((?:[a-z]+-?)+[^`\n]*)", re.sub(r"```python.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL))
]  # fmt: skip


def test_every_command_that_is_mentioned_exists_with_its_options():
    """What stands as text, because it takes hours or names a file of the reader, is spelled right all the same."""
    import typer

    from gearwright.cli import app

    tree = typer.main.get_command(app)
    checked = 0
    for page, line in MENTIONED:
        command, names = tree, []
        for word in line.split():
            if not hasattr(command, "commands"):
                break
            word = word.strip(".,;:()")
            if word not in command.commands:
                break
            command, names = command.commands[word], [*names, word]
        if not names:
            continue  # "gearwright is ..."
        known = {o for parameter in command.params for o in (*parameter.opts, *parameter.secondary_opts)} | {"--help"}
        for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", line.split("#")[0]):
            if not hasattr(command, "commands"):
                assert option in known, f"{page.name}: gearwright {' '.join(names)} has no {option}"
        checked += 1
    assert checked > 100


def test_the_law_of_the_documentation_does_what_it_says(tmp_path, monkeypatch):
    import numpy as np

    from gearwright.system import Builder, Provenance, Row

    block = next(b for n, _, b in BLOCKS if n == "write-a-law.md")
    file = tmp_path / "law.py"
    file.write_text(block)
    space = {"__name__": "law", "__file__": str(file)}
    exec(compile(block, str(file), "exec"), space)
    builder = Builder()
    builder.coordinate("x")
    builder.inertia(1.0, {"x": 1.0})
    builder.block("law", [Row("r", {"x": 1.0})], space["law"])
    force = builder.build(Provenance()).law_force(0, np.array([2e-5]), np.zeros(1), np.zeros(1))
    assert force[0] == pytest.approx(1e8 * 2e-5 * 5.0)
