"""Pages that are made while the site is built: command, file and API reference, shipped examples, gallery.

They come from the program itself, so they cannot fall behind it.
"""

from __future__ import annotations

import ast
import importlib
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS))

import key_reference  # noqa: E402
import python_reference  # noqa: E402


def on_files(files: Any, config: Any) -> Any:
    """Add the generated pages to the files of the site."""
    from mkdocs.structure.files import File

    for path, text in pages().items():
        files.append(File.generated(config, path, content=text))
    for name, picture in pictures().items():
        files.append(File.generated(config, f"gallery/{name}.png", content=picture))
    return files


def pages() -> dict[str, str]:
    """Path in the site to the Markdown text, for every generated page."""
    return {
        "reference/commands.md": commands(),
        **key_reference.pages(),
        **python_reference.pages(),
        "reference/channels.md": channels(),
        "reference/laws.md": laws(),
        "reference/examples.md": examples(),
        "gallery.md": gallery(),
    }


# --- commands ----------------------------------------------------------------------------------------


def commands() -> str:
    """The command reference, from the program."""
    import typer

    from gearwright.cli import app
    from gearwright.commands import EXAMPLES

    root = typer.main.get_command(app)
    lines = [
        "# Commands", "",
        "`-o FILE` is the first output of every command, its suffix says what is written; `--page FILE` is a second one. "
        "`gearwright --install-completion` lets the shell complete commands and options. What takes longer than a moment shows a "
        "bar on a terminal, with the errors; `NO_COLOR` and `TERM=dumb` are obeyed. Tables fold on narrow terminals, nothing is cut.", "",
        "Exit codes: 0 done, 2 the input (or the place to write to) has to be mended, in one message; 3 a run diverged; 130 "
        "interrupted by Ctrl-C, 143 terminated, 129 hung up, as by a scheduler's limit or a dropped line; in these cases what was "
        "computed is kept. `verify` ends with 1 where a target fails. 70 is a fault of the program, in one message; please report it "
        "with the trace, which `GEARWRIGHT_TRACEBACK=1` in the environment shows. A closed pipe (`| head`) ends nothing and changes "
        "no exit code.", "",
    ]  # fmt: skip
    for name, command in _walk(root, "gearwright"):
        lines += [f"## `{name}`", "", *_help(command), ""]
        rows = [_parameter(p) for p in command.params if p.name != "help" and not getattr(p, "hidden", False)]
        if rows:
            lines += [
                '<div class="options" markdown>',
                "",
                "| argument or option | meaning |",
                "|---|---|",
                *rows,
                "",
                "</div>",
                "",
            ]
        lines += ["Example:", "", f"    {EXAMPLES[name.removeprefix('gearwright ')]}", ""]
    return "\n".join(lines)


def _walk(command: Any, name: str) -> Any:
    children = getattr(command, "commands", None)
    if children is None:
        yield name, command
        return
    for child in sorted(children):
        yield from _walk(children[child], f"{name} {child}")


def _help(command: Any) -> list[str]:
    return [line.strip() for line in (command.help or "").splitlines()]


def _parameter(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        spelled = f"`{(parameter.metavar or parameter.name).strip('[]')}`"
        text = getattr(parameter, "help", "") or ""
        return f"| {spelled} | {_cell(text)} |"
    spelled = ", ".join(f"`{o}`" for o in [*parameter.opts, *parameter.secondary_opts])
    if not parameter.is_flag:
        spelled += f" `{parameter.metavar or (parameter.name or '').strip('_').upper()}`"
    text = parameter.help or ""
    default = parameter.default
    if default not in (None, False, (), []) and not callable(default):
        text += f" Default: `{default}`."
    return f"| {spelled} | {_cell(text)} |"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


# --- channels, examples, gallery -----------------------------------------------------------------------


def channels() -> str:
    """Every quantity of a channel, from the table that results are written by."""
    from gearwright.system.channels import CHANNELS

    lines = [
        "# Channels of results", "",
        "A channel is called `<element>.<quantity>`: `stage1.planet1_bearing.force`, `main.torque`. In a result file it is a row of the "
        "variable `<kind>_<quantity>`. *Counted* ones have extremes, cycles, levels and damage equivalent loads from every counting step; "
        "the attribute `sign` of a variable says what is positive, and in which axes.", "",
    ]  # fmt: skip
    for kind, quantities in CHANNELS.items():
        lines += [f"## {kind.capitalize()}", "", "| quantity | what it is | unit | |", "|---|---|---|---|"]
        for name, quantity in quantities.items():
            lines.append(
                f"| `{name}` | {_cell(quantity.long_name)} | {quantity.unit} | {'counted' if quantity.counted else ''} |"
            )
        lines.append("")
    return "\n".join(lines)


def laws() -> str:
    """Every law of meshes, from the table that schema, assembly and commands read."""
    from gearwright.schema.mesh_laws import LAWS, OWN

    lines = [
        "# Laws of meshes", "",
        "`model: {law: ...}` or `--law` for all meshes; `mesh: {law: ...}` of a stage for one, beside those of the model: `linear`, "
        "`periodic` or your own.", "",
        "| law | how teeth mesh | what it needs of a mesh | fidelities | methods |", "|---|---|---|---|---|",
    ]  # fmt: skip
    for word, law in {**LAWS, "module:name": OWN}.items():
        help_, more = (
            (law.help, "")
            if word in LAWS
            else ("[your own law](../write-a-law.md)", "; exact where it is linear in pieces")
        )
        lines.append(
            f"| `{word}` | {help_} | {law.needs} | {', '.join(law.fidelities)} | {', '.join(law.methods)}{more} |"
        )
    return "\n".join([*lines, ""])


def examples() -> str:
    """Every shipped drivetrain with its description and source."""
    from gearwright.schema.read import examples as shipped
    from gearwright.train.open import load

    lines = ["# Shipped examples", "", "`gearwright examples copy NAME FILE` gives you one to edit.", ""]
    for name in shipped():
        drivetrain = load(name)
        lines += [f"## {name}", ""]
        for label in ("source", "claims", "not_claimed", "assumed"):
            value = getattr(drivetrain, label, None)
            if value:
                title = label.replace("_", " ").capitalize()
                listed = [f"- {' '.join(str(v).split())}" for v in value] if isinstance(value, list) else []
                lines += [f"**{title}**", "", *listed, ""] if listed else [f"**{title}**: {str(value).strip()}", ""]
    return "\n".join(lines)


def scripts() -> list[Path]:
    """The scripts of the gallery."""
    return sorted((DOCS / "gallery").glob("*.py"))


def gallery() -> str:
    """A picture and the script that makes it, for every script."""
    lines = [
        "# Gallery",
        "",
        "Every picture is made by the script under it while this site is built; the scripts are tested.",
        "",
    ]
    for script in scripts():
        source = script.read_text(encoding="utf-8")
        tree = ast.parse(source)
        doc = ast.get_docstring(tree) or script.stem
        title, _, text = doc.partition("\n")
        body = source.split('"""', 2)[2].strip()
        lines += [f"## {title.rstrip('.')}", "", text.strip(), "", f"![{title}](gallery/{script.stem}.png)", "",
                  '??? note "Script"', "", "    ```python", *(f"    {line}" for line in body.splitlines()), "    ```", ""]  # fmt: skip
    return "\n".join(lines)


def picture(script: Path, folder: Path) -> Path:
    """Run a script of the gallery; it has a function ``draw(path)``."""
    space: dict[str, Any] = {"__name__": script.stem, "__file__": str(script)}
    exec(compile(script.read_text(encoding="utf-8"), str(script), "exec"), space)
    path = folder / f"{script.stem}.png"
    before = Path.cwd()
    os.chdir(folder)  # result files of the script stay here
    try:
        space["draw"](path)
    finally:
        os.chdir(before)
    return path


def pictures() -> dict[str, bytes]:
    """All pictures of the gallery."""
    importlib.import_module("matplotlib").use("Agg")
    with tempfile.TemporaryDirectory() as folder:
        return {script.stem: picture(script, Path(folder)).read_bytes() for script in scripts()}
