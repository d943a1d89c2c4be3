"""Every command and every Python block of the README and the documentation runs, and shows what the page says."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
import typer
from claims import CLAIMS, COMPUTED, INLINE, SHORTER
from typer.testing import CliRunner

from gearwright.cli import app

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
#: pages whose blocks build on each other, as the cells of a notebook
NOTEBOOKS = {"python.md"}


def blocks_of(page):
    """Python blocks of a page; those of a notebook as one."""
    found = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    return ["\n".join(found)] if page.name in NOTEBOOKS else found


def write_files(page, folder):
    """Blocks that begin with the name of a file, as the reader writes them before the commands that need them."""
    for block in blocks_of(page):
        if found := re.match(r"# (\w+\.py)\n", block):
            (folder / found[1]).write_text(block, encoding="utf-8")


BLOCKS = [(page.name, i, block) for page in PAGES for i, block in enumerate(blocks_of(page))]


def test_there_are_blocks():
    assert {name for name, _, _ in BLOCKS} >= {"README.md", "write-a-law.md"}


@pytest.mark.parametrize("name, number, block", BLOCKS, ids=[f"{n}-{i}" for n, i, _ in BLOCKS])
def test_block_runs(name, number, block, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for page in PAGES:
        if page.name == name:
            write_files(page, tmp_path)
    file = tmp_path / "block.py"  # compiled laws are cached beside a file
    file.write_text(block)
    space = {"__name__": "block", "__file__": str(file)}
    exec(compile(block, str(file), "exec"), space)
    assert len(space) > 3
    for words, holds in COMPUTED.get(name, ()):
        assert any(words in " ".join(p.read_text(encoding="utf-8").split()) for p in PAGES if p.name == name)
        assert holds(space), words


COMMANDS = [(page, re.findall(r"```bash\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)) for page in PAGES]


def test_no_page_runs_a_whole_campaign(page_blocks=COMMANDS):
    """Campaigns of hours stand as text; what is marked bash is run here and names the runs it wants."""
    for page, blocks in page_blocks:
        for line in "\n".join(blocks).splitlines():
            assert "gearwright campaign" not in line or "--only" in line, f"{page.name}: {line}"


def commands(blocks):
    """Lines of blocks, those that go on joined."""
    return [line for block in blocks for line in block.replace("\\\n", " ").splitlines() if line.strip()]


def called(line, page, more=()):
    """Output of a command that ends well."""
    words = shlex.split(line, comments=True)
    assert words[0] == "gearwright", f"{page.name}: '{line}' is no command of ours"
    result = CliRunner().invoke(app, [*words[1:], *more])
    assert result.exit_code == 0, f"{page.name}: {line}\n{result.output}"
    return result.output


@pytest.mark.parametrize("page, blocks", [c for c in COMMANDS if c[1]], ids=[p.stem for p, b in COMMANDS if b])
def test_commands_run_and_show_what_the_page_says(page, blocks, tmp_path, monkeypatch):
    """Every command of a page, in order, in one folder, as a reader would type them; then what the page says of them."""
    monkeypatch.chdir(tmp_path)
    write_files(page, tmp_path)
    words = " ".join(page.read_text(encoding="utf-8").split())
    claims = list(CLAIMS.get(page.stem, ()))
    for line in commands(blocks):
        output = called(line, page)
        for claim in [c for c in claims if line.startswith(c.command)]:
            assert claim.words in words, f"{page.name} does not say '{claim.words}' any more"
            found = claim.found
            holds = re.search(found, output) if isinstance(found, str) else found(output, tmp_path)
            assert holds, f"{page.name} says '{claim.words}'; {line} shows\n{output}"
            claims.remove(claim)
    assert not claims, f"{page.name}: no command begins with {[c.command for c in claims]}"


def test_every_tutorial_is_held_to_what_it_says():
    assert {page.stem for page in PAGES if page.parent.name == "tutorials"} | {"README"} == set(CLAIMS)


LONG = [
    (page, blocks)
    for page in PAGES
    if page.name == "README.md" or page.parent.name == "tutorials"
    if (blocks := re.findall(r"```text\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL))
]


@pytest.mark.parametrize("page, blocks", LONG, ids=[page.stem for page, _ in LONG])
def test_long_commands_run_when_they_are_made_short(page, blocks, tmp_path, monkeypatch):
    """Campaigns of hours, with one run of two seconds; what a reader brings along is made first."""
    monkeypatch.chdir(tmp_path)
    for line in commands(blocks):
        known = [start for start in SHORTER if line.startswith(start)]
        assert known, f"{page.name}: say in claims.py how '{line}' is made short"
        if "compare normal other" in line:
            called(
                "gearwright campaign normal --setup nrel-5mw-medium-speed -o other", page, SHORTER[next(iter(SHORTER))]
            )
        called(line, page, SHORTER[known[0]])


def test_commands_in_the_running_text_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for page in PAGES:
        if page.name != "README.md" and page.parent.name != "tutorials":
            continue
        for line in re.findall(r"`(gearwright [a-z][^`]*)`", page.read_text(encoding="utf-8")):
            line = " ".join(line.split())
            if len(line.split()) < 3 and line not in INLINE:
                continue  # the name of a command
            assert line in INLINE, f"{page.name}: say in claims.py whether '{line}' is to be run"
            if INLINE[line] and not ("fmu" in line and shutil.which("cc") is None):
                called(line, page)


def test_commands_that_read_a_drivetrain_file_take_set_and_json():
    """A5. The README says so; which commands read one, their own help says."""
    checked = 0
    for name, command in leaves(typer.main.get_command(app)):
        options = {option for parameter in command.params for option in parameter.opts}
        reads = [p for p in command.params if "drivetrain file" in (getattr(p, "help", None) or "").lower()
                 and p.opts[0] not in ("-o", "--output")]  # fmt: skip
        if reads:
            checked += 1
            assert {"--set", "--json"} <= options, name
    assert checked > 12


def leaves(command, name=()):
    """Commands of the program with their names."""
    if not hasattr(command, "commands"):
        yield " ".join(name), command
        return
    for word, one in command.commands.items():
        yield from leaves(one, (*name, word))


def test_the_ten_lines_of_python_print_what_stands_beside_them(tmp_path, monkeypatch, capsys):
    """A11 too: damage equivalent loads with the names of meshes and exponents."""
    monkeypatch.chdir(tmp_path)
    block = next(b for n, _, b in BLOCKS if n == "README.md")
    exec(compile(block.replace("duration=60", "duration=10"), "readme.py", "exec"), {"__name__": "readme"})
    shown = capsys.readouterr().out
    first = [float(x) for x in re.search(r"\[([^\]]+)\]", shown).group(1).split()]
    assert all(abs(a - b) < 0.006 * max(b, 1e-3) + 1e-3 for a, b in zip(first, (0.0, 2.03, 93.1, 126.4), strict=True))
    assert "'mean'" in shown and "'std'" in shown
    assert re.search(r"stage3\.mesh +[\d.e+]+", shown) and re.search(r"exponent +3\.0 +4\.0", shown)


MENTIONED = [
    (page, line)
    for page in PAGES
    for line in re.findall(r"gearwright ((?:[a-z]+-?)+[^`\n]*)", re.sub(r"```python.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL))
]  # fmt: skip


def test_every_command_that_is_mentioned_exists_with_its_options():
    """What stands as text, because it takes hours or names a file of the reader, is spelled right all the same."""
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


LAW = next(page for page in PAGES if page.name == "write-a-law.md")


def test_the_law_of_the_documentation_is_law_linear_where_it_does_not_stiffen(tmp_path, monkeypatch):
    """With the deflection d0 at infinity nothing but the built-in law with backlash is left: every load of the page's run with its
    blows, to 1e-12. Then the page's d0: the book of energy closes, and file and command give what Python gives."""
    import gearwright as gw

    monkeypatch.chdir(tmp_path)
    write_files(LAW, tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    import stiffening

    faster = ["cases.0.loads.0.torque.sine.frequency=1100 Hz"]
    common = {"duration": 0.2, "overrides": faster, "method": "explicit"}
    usual = gw.simulate("kahraman-oscillator", law="linear", output="usual.nc", **common)
    limit = gw.simulate(
        "kahraman-oscillator", law=lambda m: stiffening.mesh(m, d0=float("1e200")), output="limit.nc", **common
    )
    largest = usual.channels["pair.mesh.force"]["max"]
    for name, values in usual.channels.items():
        for key in ("mean", "std", "min", "max"):
            assert limit.channels[name][key] == pytest.approx(values[key], rel=1e-12, abs=1e-12 * largest)
    for line in commands(COMMANDS[PAGES.index(LAW)][1]):
        called(line, LAW)
    own = gw.simulate("kahraman-oscillator", law="stiffening:mesh", allow_code=True, output="own.nc", **common)
    assert own.energy_error < 1e-6 and own.channels["pair.mesh.force"]["max"] > 1.5 * largest
    for file in ("command.nc", "file.nc"):
        with gw.Result.open(file) as result, gw.Result.open("own.nc") as python:
            assert (result.series("pair.mesh.force") == python.series("pair.mesh.force")).all()
            assert result.attributes["law"] == "stiffening:mesh"
