"""Which files a quantity passes on its way from the drivetrain file to the page: python -m tests.walks [WALK]...

A run and its report are traced. A file counts where a line that ran, inside a function or as the declaration of a field, names the
quantity by one of its words. With ``PYTHONPATH`` another version of the sources is walked; ``python -m tests.walks --markdown FOLDER``
walks those of another version in a folder too, and prints the last section of ``docs/design.md``.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from typer.testing import CliRunner

#: rooms whose declarations of fields are part of a walk
DECLARING = ("schema/", "train/", "drivetrain/", "system/")
PAIR = str(Path(__file__).parent / "data" / "version-0.1.0" / "small-pair.yaml")


class Walk(NamedTuple):
    """Words of the quantity, words of others that share them, and the run."""

    words: str
    others: str
    run: str


WALKS = {
    "mesh stiffness": Walk(
        r"stiffness|two_pairs|one_pair|two_level|_curve\b|\bpieces\b",
        r"bearing|radial|tilt|axial|torsion|bend|proportional|shaft|support|front",
        f"{PAIR} --case swing --law periodic",
    ),
    "tooth count": Walk(
        r"\bteeth\b", r'"[^"]* teeth|teeth [^"]*"|\("teeth"|gw-teeth|facts.get', f"{PAIR} --case swing --law periodic"
    ),
    "voltage sag": Walk(
        r"voltage|\bsags?\b|\bdips?\b", r"$^", "nrel-5mw --case lvrt-quebec-25ms-seed1 --duration 3 --set discard=0s"
    ),
    "planet bearing force": Walk(
        r"""force_[yz]|force_\{|_bearing\b|["']force["']""",
        r"rolling|\bdef |load\.force",
        "nrel-5mw-gallego --case recorded-18ms --duration 61 --fidelity planar --law linear",
    ),
}


NEW_LAW = "new law"
#: the word of a law of meshes as a text: who names it has to know of a new one too
LAW = r"""["']tooth_contact["']"""


def main(names: list[str]) -> None:
    """Print the files of the walks."""
    if names[:1] == ["--markdown"]:
        print(markdown(Path(names[1])))
        return
    if len(names) != 1:  # a process each: declarations run when a module is imported
        for name in names or [*WALKS, NEW_LAW]:
            subprocess.run([sys.executable, "-m", "tests.walks", name], check=True)
        return
    found = passed(WALKS[names[0]]) if names[0] in WALKS else naming(LAW)
    print(f"{names[0]}: {len(found)} files")
    for file, lines in sorted(found.items()):
        print(f"  {file}: {lines[0]}" if os.environ.get("WALK_LINES") else f"  {file}")


def markdown(before: Path) -> str:
    """The section of the design page: how many files each walk passes, before and now, and which."""
    found = {name: (_walked(name, before), _walked(name, None)) for name in [*WALKS, NEW_LAW]}
    lines = ["| walk | 0.1.0 | now |", "|---|---|---|"]
    lines += [f"| {name} | {len(old)} | {len(new)} |" for name, (old, new) in found.items()]
    for name, (old, new) in found.items():
        shown = [
            f"- {when} ({len(files)}): {', '.join(f'`{f}`' for f in files)}"
            for when, files in (("0.1.0", old), ("now", new))
        ]
        lines += ["", f"### {name.capitalize()}", "", *shown]
    return "\n".join(lines)


def _walked(name: str, sources: Path | None) -> list[str]:
    """Files of a walk, in a process of its own."""
    environment = os.environ | ({} if sources is None else {"PYTHONPATH": str(sources)})
    environment.pop("WALK_LINES", None)
    words = [sys.executable, "-m", "tests.walks", name]
    text = subprocess.run(words, env=environment, check=True, capture_output=True, text=True).stdout
    return [line.strip() for line in text.splitlines() if line.startswith("  ")]


def naming(words: str) -> dict[str, list[str]]:
    """Files outside of the laws that name a law by its word, whether they run or not."""
    import gearwright

    root = Path(gearwright.__file__).parent
    found = {}
    for path in sorted(root.rglob("*.py")):
        hits = [line.strip() for line in path.read_text(encoding="utf-8").splitlines() if re.search(words, line)]
        if hits and path.parent.name != "laws":
            found[str(path.relative_to(root))] = hits
    return found


def passed(walk: Walk) -> dict[str, list[str]]:
    """Files of the walk, each with the lines that name the quantity."""
    seen = _traced(walk.run)
    found: dict[str, list[str]] = {}
    for path, ran in seen.items():
        text, name = Path(path).read_text(encoding="utf-8"), path.rpartition("/gearwright/")[2]
        lines = text.splitlines()
        counted = _statements(text, name.startswith(DECLARING))
        hits = [
            lines[n - 1].strip()
            for n in sorted(ran & counted)
            if re.search(walk.words, lines[n - 1]) and not re.search(walk.others, lines[n - 1])
        ]
        if hits:
            found[name] = hits
    return found


def _traced(run: str) -> dict[str, set[int]]:
    """Lines of our sources that ran in a run and its report, by file."""
    from gearwright.cli import app

    seen: dict[str, set[int]] = {}

    def line(frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            seen.setdefault(frame.f_code.co_filename, set()).add(frame.f_lineno)
        return line

    def call(frame: FrameType, event: str, argument: Any) -> Any:
        file = frame.f_code.co_filename
        return (
            line(frame, "line", None)
            if "/src/gearwright/" in file and file.endswith(".py") and "/commands/" not in file
            else None
        )

    with tempfile.TemporaryDirectory() as folder:
        result, page = f"{folder}/walk.nc", f"{folder}/walk.html"
        threading.settrace(call)
        sys.settrace(call)
        try:
            for command in (["run", *run.split(), "-o", result], ["report", result, "-o", page]):
                done = CliRunner().invoke(app, command)
                if done.exit_code:
                    raise SystemExit(done.output)
        finally:
            sys.settrace(None)
            threading.settrace(None)  # type: ignore[arg-type]
    return seen


def _statements(text: str, fields: bool) -> set[int]:
    """Lines of statements inside functions, docstrings and imports apart, and where asked for of fields that classes declare."""
    found: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for statement in node.body:
                if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
                    found |= set(range(statement.lineno, (statement.end_lineno or statement.lineno) + 1))
        elif isinstance(node, ast.ClassDef) and fields:
            found |= {statement.lineno for statement in node.body if isinstance(statement, ast.AnnAssign)}
    return found - {node.lineno for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.Import, ast.ImportFrom))}


if __name__ == "__main__":
    main(sys.argv[1:])
