"""The reference of ``gearwright`` in Python: public functions and the objects that they give, with the docstrings beside the code."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import key_sections

#: parts of the reference, a page each; functions and classes that none of them names are analyses, and objects that functions give
PARTS: dict[str, tuple[str, ...]] = {
    "Read and write": ("load", "examples", "copy_example", "json_schema", "read", "write", "expand"),
    "Runs": ("simulate",),
    "Analyses": (),
    "Pages and views": ("write_report", "view", "render"),
    "Other programs": ("export_fmu", "show_fmu", "run_with_fmu", "couple_openfast", "write_rexs_drivetrain"),
    "Own laws": ("force", "guard", "Law", "MeshProperties"),
    "Models without a file": ("assemble", "Inputs", "Drive", "Load"),
    "Drivetrain, run and result": ("Drivetrain", "Run", "Result"),
    "Objects": (),
    "Errors": (),
}

_SECTION = re.compile(r"^(Parameters|Returns|Raises|Yields|Notes|Examples)\n-+\n", re.MULTILINE)


def pages() -> dict[str, str]:
    """Path in the site to the Markdown text: an overview, and a page for every part."""
    parts = public_parts()
    titles = {id(item): name for names in parts.values() for name, item in names.items()}
    places = {name: f"{_file(title)}#{key_sections.anchor(name)}" for title, names in parts.items() for name in names}
    lines = [
        "---", "hide: [toc]", "---", "", "# Python", "",
        "`import gearwright as gw`; names are loaded when they are first used. Whatever takes a drivetrain takes a file, the name of "
        "a shipped example, or what `gw.load` gave. Times, speeds, torques and forces are SI numbers, or texts with a unit "
        '(`"10 min"`, `"4 MN m"`). `gw.__version__` is the version.', "",
    ]  # fmt: skip
    for title, names in parts.items():
        lines += [
            f"## [{title}]({_file(title)})",
            "",
            '<div class="overview" markdown>',
            "",
            "| name | what it is | gives |",
            "|---|---|---|",
        ]
        for name, item in names.items():
            gives = ", ".join(f"[{titles[id(c)]}]({places[titles[id(c)]]})" for c in given(item) if id(c) in titles)
            lines.append(f"| [{name}]({places[name]}) | {_cell(first_sentence(item))} | {gives} |")
        lines += ["", "</div>", ""]
    made = {"reference/python/index.md": "\n".join(lines)}
    for title, names in parts.items():
        page = [f"# {title}", ""]
        for name, item in names.items():
            page += [f"## {name}", "", *(_class(item) if isinstance(item, type) else _function(item)), ""]
        made[f"reference/python/{_file(title)}"] = "\n".join(page)
    return made


def _file(title: str) -> str:
    return f"{key_sections.anchor(title)}.md"


def public_parts() -> dict[str, dict[str, Any]]:
    """Public names with what they are, by part of the page, with the classes that they give."""
    import gearwright as gw

    public = {f"gw.{name}": getattr(gw, name) for name in gw.__all__ if not name.startswith("_")}
    public = {name: item for name, item in public.items() if hasattr(item, "__qualname__")}
    parts = {
        title: {f"gw.{n}": public[f"gw.{n}"] for n in names if f"gw.{n}" in public} for title, names in PARTS.items()
    }
    placed = {name for names in parts.values() for name in names}
    for name, item in public.items():
        if name not in placed:
            parts["Errors" if name.endswith("Error") else "Objects" if isinstance(item, type) else "Analyses"][name] = (
                item
            )
    for item in list(public.values()):
        for one in given(item):
            if all(one is not other for other in public.values()):
                # first what all analyses have
                parts["Objects"] |= {base.__name__: base for base in one.__mro__[1:] if base.__name__ == "Analysis"}
                parts["Objects"].setdefault(one.__name__, one)
    return parts


def given(item: Any) -> list[type]:
    """Classes of this package that a function returns."""
    if isinstance(item, type) or not hasattr(item, "__annotations__"):
        return []
    returned = item.__annotations__.get("return", "")
    words = returned if isinstance(returned, str) else getattr(returned, "__name__", "")
    known = _names_of(item.__module__)
    found = [known.get(word) for word in re.findall(r"\w+", words)]
    return [c for c in found if isinstance(c, type) and c.__module__.startswith("gearwright") and c.__doc__]


def _names_of(name: str) -> dict[str, Any]:
    """Names of a module, those too that only type checkers import."""
    module = importlib.import_module(name)
    known = dict(vars(module))
    for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for line in node.body:
                if isinstance(line, ast.ImportFrom) and (line.level or (line.module or "").startswith("gearwright")):
                    source = importlib.import_module("." * line.level + (line.module or ""), module.__package__)
                    known |= {n.asname or n.name: getattr(source, n.name, None) for n in line.names}
    return known


# --- one function, one class -------------------------------------------------------------------------


def _function(item: Any, name: str = "") -> list[str]:
    """Signature and docstring."""
    return [*_signature(item, name or f"gw.{item.__name__}"), *markdown(item.__doc__ or "")]


def _signature(item: Any, name: str) -> list[str]:
    try:
        signature = inspect.signature(item)
    except (TypeError, ValueError):
        return []
    shown = []
    for parameter in signature.parameters.values():
        if parameter.name in ("self", "cls"):
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in shown and not any(s.startswith("*") for s in shown):
            shown.append("*")
        shown.append(str(parameter))
    text = f"{name}({', '.join(shown)})"
    returned = signature.return_annotation
    if returned is not signature.empty:
        text += f" -> {returned if isinstance(returned, str) else inspect.formatannotation(returned)}"
    text = re.sub(r"\b(?:gearwright|pathlib|collections|typing)\.(?:\w+\.)*", "", text).replace("'", "")
    if len(text) > 100:
        text = re.sub(
            r"\((.*)\)(?= ->|$)", lambda m: "(\n    " + ",\n    ".join(_arguments(m.group(1))) + ",\n)", text, count=1
        )
    return ["```python", text, "```", ""]


def _arguments(text: str) -> Iterator[str]:
    """Arguments of a signature, which commas between brackets do not part."""
    depth = start = 0
    for i, letter in enumerate(text):
        depth += (letter in "[({") - (letter in "])}")
        if letter == "," and depth == 0:
            yield text[start:i].strip()
            start = i + 1
    yield text[start:].strip()


def _class(item: type) -> list[str]:
    """Docstring, fields, and what the class does."""
    lines = markdown(item.__doc__ or "")
    fields = {} if issubclass(item, BaseException) or _from_file(item) else _fields(item)
    if _from_file(item):
        lines += ["", "Its attributes are [the sections of a file](../keys/file.md#the-whole-file), in SI."]
    if fields:
        lines += ["", '<div class="options" markdown>', "", "| field | type |", "|---|---|"]
        lines += [f"| `{name}` | `{_cell(kind.replace(' | ', ' or '))}` |" for name, kind in fields.items()]
        lines += ["", "</div>"]
    if any(base.__name__ == "Analysis" for base in item.__mro__[1:]):
        lines += ["", "It has what every [Analysis](objects.md#analysis) has: tables, a picture, plain data."]
    for name, member in _members(item):
        if isinstance(member, (property, functools.cached_property)):
            source = member.fget if isinstance(member, property) else member.func
            lines += ["", f"**`.{name}`** {_inline(first_paragraph(source))}"]
        else:
            function = getattr(member, "__func__", member)
            lines += [
                "",
                *_signature(function, f"{item.__name__ if isinstance(member, classmethod) else ''}.{name}"),
                *markdown(function.__doc__ or ""),
            ]
    return lines


def _from_file(item: type) -> bool:
    """Whether the fields of a class are keys of a file."""
    return hasattr(item, "model_fields")


def _fields(item: type) -> dict[str, str]:
    """Public fields of a dataclass or named tuple with their types."""
    if not (hasattr(item, "_fields") or hasattr(item, "__dataclass_fields__")):
        return {}
    found: dict[str, str] = {}
    for kind in reversed(item.__mro__):
        if kind.__module__.startswith("gearwright"):
            found |= kind.__dict__.get("__annotations__", {})
    return {
        name: str(getattr(kind, "__name__", kind))
        for name, kind in found.items()
        if not name.startswith("_") and "ClassVar" not in str(kind)
    }


def _members(item: type) -> Iterator[tuple[str, Any]]:
    """Public methods and properties with a docstring, of the class and those of this package that it is made of."""
    seen: set[str] = set()
    for kind in item.__mro__:
        if not kind.__module__.startswith("gearwright") or kind.__name__ == "Section":
            continue
        if kind.__name__ == "Analysis" and kind is not item:
            seen |= set(vars(kind))
            continue
        for name, member in list(vars(kind).items()):  # records make methods when they are used
            function = (
                getattr(member, "fget", None) or getattr(member, "func", None) or getattr(member, "__func__", member)
            )
            if (
                name.startswith("_")
                or name in seen
                or not callable(function)
                or not function.__doc__
                or isinstance(member, type)
            ):
                continue
            seen.add(name)
            yield name, member


# --- docstrings --------------------------------------------------------------------------------------


def markdown(text: str) -> list[str]:
    """A docstring in Markdown: its parameters are a list."""
    text = inspect.cleandoc(text)
    pieces = _SECTION.split(text)
    lines = [_inline(pieces[0].strip())]
    for title, body in zip(pieces[1::2], pieces[2::2], strict=True):
        # what follows a blank line without indent is no item any more
        entries, _, rest = body.partition("\n\n") if title == "Parameters" else (body, "", "")
        lines += ["", f"**{title}**", ""]
        lines += [_inline(entries.strip())] if title == "Returns" else list(_entries(entries))
        lines += ["", _inline(rest.strip())]
    return lines


def _entries(body: str) -> Iterator[str]:
    """Items ``name : text`` of a section; deeper lines go on."""
    items: list[str] = []
    for line in body.splitlines():
        if line.strip() and (not line.startswith(" ") or not items):
            items.append(line.strip())
        elif line.strip():
            items[-1] += " " + line.strip()
    for item in items:
        name, colon, text = item.partition(" : ")
        yield f"- `{name}`: {_inline(text)}" if colon else f"- {_inline(item)}"


def first_paragraph(item: Any) -> str:
    """The first paragraph of a docstring on one line."""
    return " ".join((getattr(item, "__doc__", "") or "").split("\n\n")[0].split())


def first_sentence(item: Any) -> str:
    """The first sentence of a docstring."""
    return _inline(first_paragraph(item)).partition(". ")[0].rstrip(".") + "."


def _inline(text: str) -> str:
    """Roles and double backquotes of a docstring in Markdown."""
    return re.sub(r":\w+:`~?(?:[\w.]*\.)?(\w+)`", r"`\1`", text).replace("``", "`")


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
