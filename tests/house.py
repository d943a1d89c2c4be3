"""How the house stands: counts of the sources, each beside what it may be today and the goal.

    python -m tests.house            the table
    python -m tests.house --list X   where the findings of the row are whose name holds X
    python -m tests.house --markdown FOLDER
                                     the table of docs/design.md, beside the counts of another version's ``src``

A count may only fall: :data:`ROWS` has the numbers that :mod:`tests.unit.test_house` holds, in one place. Sources are read as
syntax trees, nothing is imported.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import gc
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1] / "src" / "gearwright"
LONGEST, MOST_BRANCHES = 80, 30


def walk(root: ast.AST, inside: bool = True) -> list[ast.AST]:
    """All nodes of a tree but the marks of loads and stores: ``ast.walk`` in a third of its time; without those of functions inside it."""
    todo, found = [root], []
    while todo:
        node = todo.pop()
        found.append(node)
        for value in node.__dict__.values():
            for child in value if type(value) is list else (value,):
                wanted = isinstance(child, ast.AST) and not isinstance(child, ast.expr_context)
                if wanted and (inside or not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef))):
                    todo.append(child)
    return found


@dataclass(frozen=True)
class Source:
    """One module: its name below the package ('' is the package itself), its file, text and syntax tree."""

    name: str
    path: Path

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        on = gc.isenabled()
        gc.disable()  # a million nodes, none of which is garbage
        try:
            return ast.parse(self.text)
        finally:
            gc.enable() if on else None

    def inside(self, node: ast.stmt | ast.expr) -> bool:
        """Whether a statement stands inside a function."""
        return any(f.lineno < node.lineno <= (f.end_lineno or 0) for f in self.functions)

    @cached_property
    def imports(self) -> list[tuple[ast.stmt | ast.expr, str]]:
        """Statements that import modules of ours, with the module."""
        return list(_imports(self))

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return walk(self.tree)

    @cached_property
    def functions(self) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
        return [n for n in self.nodes if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]

    @cached_property
    def words(self) -> list[set[str]]:
        """Names in every function, method, field and statement."""
        pieces = [n for node in self.tree.body for n in (node.body if isinstance(node, ast.ClassDef) else [node])]
        return [_words(piece) for piece in pieces]

    def at(self, node: ast.stmt | ast.expr, more: str = "") -> str:
        """Place of a finding."""
        return f"{self.path.relative_to(ROOT)}:{node.lineno} {more}".rstrip()


def sources() -> dict[str, Source]:
    """All modules by name; those of a folder are read once."""
    return _sources(ROOT)


@cache
def _sources(root: Path) -> dict[str, Source]:
    found = {}
    for path in sorted(root.rglob("*.py")):
        name = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix("__init__").removesuffix(".")
        found[name] = Source(name, path)
    return found


# --- imports ----------------------------------------------------------------------------------------------


def _imports(source: Source) -> Iterator[tuple[ast.stmt | ast.expr, str]]:
    """Imports of ours anywhere in a module, those for type checking and by ``import_module`` too: node and module."""
    package = source.name if source.path.name == "__init__.py" else source.name.rpartition(".")[0]
    for node in source.nodes:
        if isinstance(node, ast.Import):
            yield from ((node, a.name.partition(".")[2]) for a in node.names if a.name.split(".")[0] == "gearwright")
        elif isinstance(node, ast.ImportFrom):
            base = _base(package, node.level, node.module or "")
            if base is None:
                continue
            for name in node.names:
                inner = f"{base}.{name.name}".lstrip(".")
                yield node, inner if inner in sources() else base
        elif isinstance(node, ast.Call) and _called(node) in ("import_module", "__import__") and node.args:
            for word in ast.walk(node.args[0]):
                if isinstance(word, ast.Constant) and isinstance(word.value, str):
                    text = word.value
                    level = len(text) - len(text.lstrip("."))
                    base = _base(package, level, text.lstrip("."))
                    if base is not None:
                        yield node, base


def _base(package: str, level: int, module: str) -> str | None:
    """Module below our package that an import names; None for a foreign one."""
    if level:
        above = package.split(".") if package else []
        return ".".join([*above[: len(above) - level + 1], *filter(None, [module])])
    return module.partition(".")[2] if module.split(".")[0] == "gearwright" else None


def _called(node: ast.Call) -> str:
    """Last word of what a call calls."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def imported(module: str) -> Iterator[str]:
    """Modules of ours that a module imports anywhere in its text."""
    for _, name in sources()[module].imports:
        yield name


def circles() -> list[list[str]]:
    """Strongly connected sets of more than one module (Tarjan), each sorted."""
    edges = {m: sorted(set(imported(m)) & sources().keys() - {m}) for m in sources()}
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(m: str) -> None:
        number[m] = low[m] = len(number)
        stack.append(m)
        for other in edges[m]:
            if other not in number:
                visit(other)
                low[m] = min(low[m], low[other])
            elif other in stack:
                low[m] = min(low[m], number[other])
        if low[m] == number[m]:
            ring = [stack.pop()]
            while ring[-1] != m:
                ring.append(stack.pop())
            if len(ring) > 1:
                found.append(sorted(ring))

    for m in sources():
        if m not in number:
            visit(m)
    return found


def imports_inside() -> Iterator[str]:
    """Statements inside functions that import modules of ours."""
    for source in sources().values():
        for node in {id(n): n for n, _ in source.imports if source.inside(n)}.values():
            yield source.at(node, ast.unparse(node))


# --- types ------------------------------------------------------------------------------------------------

_MAPPINGS = {"dict", "Dict", "Mapping", "MutableMapping"}


def _is_open(node: ast.AST) -> bool:
    """Whether a type is a mapping of text to anything (``dict[str, Any]``, ``Mapping[str, object]``)."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Tuple) or len(node.slice.elts) != 2:
        return False
    base = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
    key, value = (getattr(x, "id", "") for x in node.slice.elts)
    return base in _MAPPINGS and key == "str" and value in ("Any", "object")


def _annotations(source: Source) -> Iterator[ast.expr]:
    """Annotations of arguments, results and variables; a text among them is parsed."""
    for node in source.nodes:
        for found in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if isinstance(found, ast.Constant) and isinstance(found.value, str):
                found = ast.parse(found.value, mode="eval").body
            if isinstance(found, ast.expr):
                yield found


def _aliases() -> set[str]:
    return _aliases_of(ROOT)


@cache
def _aliases_of(root: Path) -> set[str]:
    """Names that stand for an open mapping: ``Facts = dict[str, Any]`` at the top of a module."""
    found: set[str] = set()
    for source in sources().values():
        for node in source.tree.body:
            value = getattr(node, "value", None)
            if isinstance(node, ast.Assign) and isinstance(value, ast.Subscript) and _is_open(value):
                found |= {t.id for t in node.targets if isinstance(t, ast.Name)}
            if isinstance(node, ast.AnnAssign) and value is not None and _is_open(value):
                found |= {node.target.id} if isinstance(node.target, ast.Name) else set()
    return found


def open_mappings() -> Iterator[str]:
    """Uses of ``dict[str, Any]`` and what stands for it in annotations."""
    for source in sources().values():
        for annotation in _annotations(source):
            for node in ast.walk(annotation):
                if _is_open(node) or (isinstance(node, ast.Name) and node.id in _aliases()):
                    yield source.at(annotation, ast.unparse(annotation))


def errors_without_base() -> Iterator[str]:
    """Classes of exceptions that do not come from ``GearwrightError``."""
    bases: dict[str, set[str]] = {}
    places: dict[str, str] = {}
    for source in sources().values():
        for node in source.nodes:
            if isinstance(node, ast.ClassDef):
                words = {b.attr if isinstance(b, ast.Attribute) else getattr(b, "id", "") for b in node.bases}
                bases.setdefault(node.name, set()).update(words)
                places[node.name] = source.at(node, node.name)

    def above(name: str) -> set[str]:
        return {name}.union(*(above(b) for b in bases.get(name, ()) if b != name))

    for name in bases:
        family = above(name)
        raised = any(isinstance(k := getattr(builtins, b, None), type) and issubclass(k, Exception) for b in family)
        if raised and "GearwrightError" not in family and name != "GearwrightError":
            yield places[name]


# --- functions and lines -----------------------------------------------------------------------------------


def long_functions() -> Iterator[str]:
    """Functions above 80 lines."""
    for source in sources().values():
        for f in source.functions:
            if (f.end_lineno or 0) - f.lineno + 1 > LONGEST:
                yield source.at(f, f"{f.name} {(f.end_lineno or 0) - f.lineno + 1}")


_BRANCHES = (ast.If, ast.For, ast.While, ast.ExceptHandler, ast.IfExp, ast.comprehension, ast.match_case)


def branched_functions() -> Iterator[str]:
    """Functions of more than 30 branches (ifs, loops, handlers, cases, ``and`` and ``or``), those inside them not counted."""
    for source in sources().values():
        for f in source.functions:
            own = walk(f, inside=False)[1:]  # what stands in it and in none inside it
            count = 1 + sum(isinstance(n, _BRANCHES) for n in own)
            count += sum(len(n.values) - 1 for n in own if isinstance(n, ast.BoolOp))
            if count > MOST_BRANCHES:
                yield source.at(f, f"{f.name} {count}")


def unformatted() -> Iterator[str]:
    """Marks that keep the formatter off: ``fmt: skip``, and every line between ``fmt: off`` and ``fmt: on``."""
    for source in sources().values():
        off = False
        for number, line in enumerate(source.text.splitlines(), 1):
            off = (off or "# fmt: off" in line) and "# fmt: on" not in line
            if off or "# fmt: skip" in line:
                yield f"{source.path.relative_to(ROOT)}:{number}"


def numba_private() -> Iterator[str]:
    """Names of private parts of numba, and functions or fields replaced, in files that import it."""
    pattern = re.compile(r"numba\.(core|np|cpython|misc|typed)\b|_dynfunc|\bsetattr\(|\b_put\(|numba\._")
    for source in sources().values():
        if re.search(r"^\s*(import|from) numba", source.text, re.MULTILINE):
            for number, line in enumerate(source.text.splitlines(), 1):
                yield from (f"{source.path.relative_to(ROOT)}:{number} {m[0]}" for m in pattern.finditer(line))


def lines() -> Iterator[str]:
    """Lines of Python."""
    for source in sources().values():
        yield from (f"{source.path.relative_to(ROOT)}:{i}" for i in range(1, source.text.count("\n") + 1))


# --- files that a quantity passes ---------------------------------------------------------------------------


def _words(tree: ast.AST) -> set[str]:
    """Names of a piece of code: variables, fields, arguments, keywords, functions, and texts of one word that are no docstring."""
    out: set[str] = set()
    nodes = walk(tree)
    texts = {id(n.value) for n in nodes if isinstance(n, ast.Expr)}
    for n in nodes:
        own = n.__dict__
        for field in ("id", "attr", "arg", "name"):
            word = own.get(field)
            if isinstance(word, str):
                out.add(word)
        if isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in texts and n.value.isidentifier():
            out.add(n.value)
    return out


def passed(*patterns: str) -> Callable[[], Iterable[str]]:
    """Files with a function, class field or statement whose names match all patterns.

    The names say what is read, passed on or renamed; what a file does with a quantity under another name is not seen, and a
    function that has the words of the quantity and another meaning is counted too.
    """

    def found() -> Iterable[str]:
        wanted = [re.compile(p) for p in patterns]
        return [
            str(source.path.relative_to(ROOT))
            for source in sources().values()
            if any(all(any(p.search(word) for word in words) for p in wanted) for words in source.words)
        ]

    return found


class Row(NamedTuple):
    """A count: what it may be today, what it shall be, what finds it."""

    limit: int
    goal: int
    find: Callable[[], Iterable[object]]


#: What is counted. A limit is lowered by who lowers the count, and raised by nobody without a reason in the commit
ROWS: dict[str, Row] = {
    "lines of Python": Row(127_960, 68_000, lines),
    "circles of modules": Row(0, 0, circles),
    "imports of ours inside functions": Row(20, 40, imports_inside),
    "dict[str, Any] in annotations": Row(16, 60, open_mappings),
    "private parts of numba": Row(0, 0, numba_private),
    "functions above 80 lines": Row(0, 0, long_functions),
    "functions of more than 30 branches": Row(0, 0, branched_functions),
    "fmt: skip": Row(88, 100, unformatted),
    "error classes without the common base": Row(0, 0, errors_without_base),
    "files that a mesh stiffness passes": Row(
        48, 20, passed(r"stiffness", r"(^|_)(mesh|meshes|tooth|teeth)(_|$)")
    ),
    "files that a tooth count passes": Row(88, 15, passed(r"(^|_)teeth$|^tooth_count$")),
    "files that a voltage sag passes": Row(
        26, 12, passed(r"(^|_)(voltages?|dips?|sag|grid_fault|grid_profile|grid_value)(_|$)")
    ),
}  # fmt: skip


def markdown(older: Path) -> Iterator[str]:
    """The table of docs/design.md: an older version, counted in the same way, the goal, what is reached."""
    global ROOT
    now, counts = ROOT, []
    for root in (older / "gearwright", now):
        ROOT = root
        counts.append([len(list(row.find())) for row in ROWS.values()])
    yield "| | before | goal | reached |"
    yield "|---|---:|---:|---:|"
    for name, row, before, reached in zip(ROWS, ROWS.values(), *counts, strict=True):
        yield f"| {name} | {before} | {row.goal} | {reached} |"


def main() -> None:
    """Print the table, or where the findings of a row are."""
    parser = argparse.ArgumentParser(prog="python -m tests.house", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--list", metavar="WORD", help="places of the findings of the rows whose name holds a word")
    parser.add_argument(
        "--markdown", type=Path, metavar="FOLDER", help="the table of docs/design.md, beside another version's src"
    )
    given = parser.parse_args()
    if given.markdown:
        print("\n".join(markdown(given.markdown)))
        return
    if given.list:
        for name, row in ROWS.items():
            if given.list in name:
                print("\n".join([f"{name}:", *(f"  {x}" for x in row.find())]))
        return
    print(f"{'':40}{'now':>8}{'limit':>8}{'goal':>8}")
    for name, row in ROWS.items():
        print(f"{name:40}{len(list(row.find())):8}{row.limit:8}{row.goal:8}")


if __name__ == "__main__":
    main()
