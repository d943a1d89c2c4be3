"""The reference of all keys of a drivetrain file: pages by section, made from the schema that reads the file.

Every key has a sentence, a unit or a kind, a range, a default and an example. Sentence, unit, range and default come from the schema;
examples come from the shipped files, and from ``key_examples.yaml`` for keys that no shipped file has.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import key_sections
from ruamel.yaml import YAML

#: longest example that is shown on one line [characters]
LONGEST = 72

_QUANTITY = re.compile(
    r"(?P<name>[^;]*); a number(?: in (?P<unit>[^,]*))?, or a string such as '(?P<example>[^']*)'"
    r"(?:; or (?P<words>[^;]*))?; (?P<bounds>[^;(]*(?:\([^)]*\))?)"
)
_UNITS_IN_WORDS = re.compile(r"\[([^\[\]]*)\](?=$|[,;])| in (mm\^2/s|degrees|cycles|V\^2/P)$")


class Facts(NamedTuple):
    """What a value may be: its units or kinds, and its ranges."""

    kinds: tuple[str, ...]
    ranges: tuple[str, ...] = ()


@cache
def schema() -> dict[str, Any]:
    """The JSON Schema of a file."""
    from gearwright.schema.file import json_schema

    return json_schema()


def title_of(part: str) -> str:
    """Name of a section of the schema without the dimension that it holds: ``Step`` of ``Step_of_torque``."""
    return part.rsplit("values__", 1)[-1].partition("_of_")[0]


@cache
def sections() -> dict[str, dict[str, Any]]:
    """The sections of a file by name: the schema of each written as a mapping."""
    made = {"Drivetrain": schema()}
    for name, part in schema()["$defs"].items():
        # of sections for several dimensions the one of any value is shown
        if (mapping := as_mapping(part)) and (title_of(name) not in made or name.endswith("_of_any")):
            made[title_of(name)] = mapping
    return made


def as_mapping(part: dict[str, Any]) -> dict[str, Any] | None:
    """The form of a section that is a mapping; None for what has none."""
    return next((form for form in part.get("anyOf", [part]) if form.get("properties")), None)


def referred(node: dict[str, Any]) -> dict[str, Any]:
    """What a reference stands for."""
    return schema()["$defs"][node["$ref"].rsplit("/", 1)[-1]] if "$ref" in node else node


# --- units, kinds, ranges ----------------------------------------------------------------------------


def facts(node: dict[str, Any]) -> Facts:
    """What may be written for a key."""
    if "$ref" in node:
        return _of_section(node)
    if quantity := _quantity(node):
        bounds = quantity["bounds"].strip()
        words = tuple(f"`{word.strip()}`" for word in (quantity["words"] or "").split(",") if word.strip())
        return Facts((quantity["unit"] or "number",), (bounds, *words))
    if forms := node.get("anyOf", node.get("oneOf")):
        return _joined([facts(form) for form in forms if form.get("type") != "null"])
    if "enum" in node or "const" in node:
        values = node.get("enum", [node.get("const")])
        return Facts(
            ("one of these words" if isinstance(values[0], str) else "one of these",),
            (", ".join(f"`{v}`" for v in values),),
        )
    if node.get("type") == "array":
        return _of_list(node)
    if node.get("type") == "object":
        return _of_names(node)
    kind = {"string": "text", "boolean": "true or false", "integer": "whole number", "number": "number"}
    return Facts((kind.get(node.get("type", ""), "anything"),), tuple(_bounds(node)))


def _of_section(node: dict[str, Any]) -> Facts:
    part = referred(node)
    title = title_of(node["$ref"].rsplit("/", 1)[-1])
    if as_mapping(part) is None:
        return facts(part)
    link = Facts((key_sections.link(title),))
    short = [form for form in part.get("anyOf", []) if not form.get("properties")]
    return _joined([*map(facts, short), link])


def _quantity(node: dict[str, Any]) -> dict[str, str | None] | None:
    """The parts of the sentence of a quantity; None for what is none."""
    forms = node.get("anyOf", [])
    if not any("pattern" in form for form in forms):
        return None
    found = _QUANTITY.search(node.get("description", ""))
    return found.groupdict() if found else None


def _of_list(node: dict[str, Any]) -> Facts:
    if items := node.get("prefixItems"):
        inner = _joined([facts(item) for item in items])
        return Facts((f"{len(items)} values: {', '.join(inner.kinds)}",), inner.ranges)
    items = node.get("items")
    if not isinstance(items, dict) or not items:
        return Facts(("list",))
    inner = facts(items)
    few = node.get("minItems")
    count = f"{few} of: " if few and few == node.get("maxItems") else "list of "
    return Facts((count + " or ".join(inner.kinds),), inner.ranges)


def _of_names(node: dict[str, Any]) -> Facts:
    inner = node.get("additionalProperties")
    if not isinstance(inner, dict) or not inner:
        return Facts(("names with values",))
    found = facts(inner)
    return Facts((f"names with {' or '.join(found.kinds)}",), found.ranges)


def _bounds(node: dict[str, Any]) -> Iterator[str]:
    """The range of a plain number."""
    low, high = node.get("minimum"), node.get("maximum")
    above, below = node.get("exclusiveMinimum"), node.get("exclusiveMaximum")
    first = f"{low:g}" if low is not None else f"above {above:g}" if above is not None else ""
    last = f"{high:g}" if high is not None else f"below {below:g}" if below is not None else ""
    if first and last:
        yield f"{first} to {last}"
    elif first or last:
        yield f"{first} or more" if low is not None else first or f"up to {last}"


def _joined(found: list[Facts]) -> Facts:
    """Alternatives, each said once."""
    return Facts(
        tuple(dict.fromkeys(kind for one in found for kind in one.kinds)),
        tuple(dict.fromkeys(words for one in found for words in one.ranges)),
    )


def meaning(node: dict[str, Any]) -> tuple[str, str]:
    """The sentence of a key as it stands before unit, range and default; and the unit that it names itself."""
    text = node.get("description", "")
    text = re.sub(r"(^|; )default [^;]*$", "", text)
    text = re.sub(r"(^|; )" + _QUANTITY.pattern + r".*$", "", text)
    found = _UNITS_IN_WORDS.search(text)
    unit = (found.group(1) or found.group(2)) if found else ""
    text = text.replace("``", "`").strip()
    return (text[:1].upper() + text[1:] if not re.match(r"[a-z_]+:", text) else text) + (
        "." if text[-1:] not in ".)" else ""
    ), unit


def default_of(node: dict[str, Any], quantity: Facts) -> str:
    """The default, in the unit of the key."""
    usual = node.get("default")
    if usual is None or usual in ([], {}, ""):
        return "none"
    if isinstance(usual, dict):
        return "its defaults"
    if isinstance(usual, bool):
        return f"`{str(usual).lower()}`"
    if isinstance(usual, (int, float)) and quantity.kinds:
        unit = next(
            (
                kind
                for kind in quantity.kinds
                if kind and kind[0] not in "[" and " " not in kind and kind not in ("number", "text")
            ),
            "",
        )
        if unit == "rad" and usual:
            return f"`{math.degrees(usual):g} deg`"
        unit = unit or next(
            (
                kind
                for kind in quantity.kinds
                if re.fullmatch(r"[NmkgsradJWAVHz^0-9/ ().Ω-]+", kind) and kind != "number"
            ),
            "",
        )
        return f"`{usual:g}{' ' + unit if unit and usual else ''}`"
    return f"`{flow(usual)}`"


# --- examples ----------------------------------------------------------------------------------------


@cache
def examples() -> dict[tuple[str, str], Any]:
    """The example of every key, by section and key: the shortest one of shipped files, else one that stands in ``key_examples.yaml``."""
    from gearwright.schema.read import example_path, parse_file
    from gearwright.schema.read import examples as shipped

    found: dict[tuple[str, str], list[Any]] = {}
    for name in shipped():
        _collect(parse_file(example_path(name)), schema(), "Drivetrain", found)
    written = YAML(typ="safe", pure=True).load(Path(__file__).parent / "key_examples.yaml")
    made: dict[tuple[str, str], Any] = {
        (section, key): value for section, keys in written.items() for key, value in keys.items()
    }
    for place, values in found.items():
        best = min(values, key=_clumsiness)
        if len(flow(best)) <= LONGEST:
            made.setdefault(place, best)
    # a key that several sections share has the example of any of them; of words and yes or no, one that is not the default
    alike = {
        (key, sections()[section]["properties"][key].get("description")): value
        for (section, key), value in made.items()
    }
    for section, part in sections().items():
        for key, node in part["properties"].items():
            other = alike.get((key, node.get("description")), _another_word(node))
            if (section, key) not in made and other is not None:
                made[section, key] = other
    return made


def _another_word(node: dict[str, Any]) -> Any:
    """A word, or yes or no, that is not the default; None where other values stand."""
    for form in [node, *node.get("anyOf", [])]:
        if form.get("type") == "boolean":
            return not node.get("default")
        words = form.get("enum", [form["const"]] if "const" in form else [])
        if words:
            return next((word for word in words if word != node.get("default")), words[0])
        if "enum" in form.get("items", {}):
            return form["items"]["enum"][:1]
    return None


def _clumsiness(value: Any) -> tuple[float, ...]:
    """Examples with a unit and of middle length come first."""
    text = flow(value)
    plain = isinstance(value, (int, float)) and not isinstance(value, bool)
    return (
        len(text) > LONGEST,
        isinstance(value, (dict, list)),
        plain and value == 0,
        plain and isinstance(value, float),
        len(text),
    )


def _collect(value: Any, node: dict[str, Any], section: str, found: dict[tuple[str, str], list[Any]]) -> None:
    """Note what a shipped file says for each key of a section, and go on into what that holds."""
    if "$ref" in node:
        section, node = title_of(node["$ref"].rsplit("/", 1)[-1]), referred(node)
    forms = node.get("anyOf", node.get("oneOf"))
    if forms:
        for form in forms:
            if _fits(value, form):
                _collect(value, form, section, found)
                return
        return
    if isinstance(value, dict) and node.get("properties"):
        for key, inner in value.items():
            if key in node["properties"]:
                found.setdefault((section, key), []).append(inner)
                _collect(inner, node["properties"][key], section, found)
    elif isinstance(value, dict) and isinstance(node.get("additionalProperties"), dict):
        for inner in value.values():
            _collect(inner, node["additionalProperties"], section, found)
    elif isinstance(value, list):
        items = node.get("prefixItems") or [node.get("items") or {}] * len(value)
        for inner, item in zip(value, items, strict=False):
            _collect(inner, item, section, found)


def _fits(value: Any, node: dict[str, Any]) -> bool:
    """Whether a form of a section has the shape of a value."""
    node = referred(node)
    if forms := node.get("anyOf", node.get("oneOf")):
        return any(_fits(value, form) for form in forms)
    if "enum" in node or "const" in node:
        return value in node.get("enum", [node.get("const")])
    kind = node.get("type")
    if isinstance(value, dict):
        known = node.get("properties")
        if known is None:
            return kind == "object"
        word = known.get("type", {}) if "type" in value else {}
        allowed = word.get("enum", [word["const"]] if "const" in word else [value.get("type")])
        return set(value) <= set(known) and value.get("type") in allowed
    shapes = {list: "array", str: "string", bool: "boolean", int: ("integer", "number"), float: "number"}
    return kind == shapes.get(type(value)) or (isinstance(kind, str) and kind in (shapes.get(type(value)) or ()))


def flow(value: Any) -> str:
    """A value as it stands in a file, on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {flow(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(flow, value)) + "]"
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, (int, float)):
        return f"{value:.12g}"
    text = " ".join(str(value).split())
    return f"'{text}'" if re.search(r"[:#\[\]{}]|, |^[\d.]+$", text) else text


# --- pages -------------------------------------------------------------------------------------------


def pages() -> dict[str, str]:
    """Path in the site to the Markdown text, for the pages of keys."""
    made = {f"reference/keys/{page.slug}.md": _page(page) for page in key_sections.PAGES}
    made["reference/keys/index.md"] = _start()
    return made


def _start() -> str:
    lines = [
        "# Keys of a drivetrain file", "",
        "All sections and keys of a file, made from the schema that reads it, so that this reference and the program never differ. "
        "How the sections work together is told in [the drivetrain file](../../drivetrain-file.md). `gearwright schema > "
        "drivetrain.schema.json` writes the same for editors that complete and check YAML.", "",
        "A value with a unit is a text such as `10 mm` or `20 deg`; a plain number is in the SI unit that stands beside the key, angles in "
        "rad. Keys that a section does not know are refused with the one that was probably meant.", "",
        "| page | sections |", "|---|---|",
    ]  # fmt: skip
    for page in key_sections.PAGES:
        names = ", ".join(
            f"[{heading}]({page.slug}.md#{key_sections.anchor(heading)})" for heading in page.sections.values()
        )
        lines.append(f"| [{page.title}]({page.slug}.md) | {names} |")
    return "\n".join([*lines, ""])


def _page(page: key_sections.Page) -> str:
    lines = ["---", "hide: [toc]", "---", "", f"# {page.title}", "", page.text, ""]
    lines += [" · ".join(f"[{heading}](#{key_sections.anchor(heading)})" for heading in page.sections.values()), ""]
    for name, heading in page.sections.items():
        lines += [f"## {heading}", "", *_section(name)]
    return "\n".join(lines)


def _section(name: str) -> list[str]:
    """What a section is, where it stands, and its keys."""
    part = sections()[name]
    text = key_sections.TEXTS.get(name) or part.get("description", "")
    text = re.sub(r":\w+:`~?(?:[\w.]*\.)?(\w+)`", r"`\1`", text).replace("``", "`")
    lines = [line.strip() for line in text.splitlines()]
    if places := _places(name):
        lines += ["", f"Stands at {places}."]
    lines += [
        "",
        '<div class="keys" markdown>',
        "",
        "| key | meaning | unit or kind | range | default | example |",
        "|---|---|---|---|---|---|",
    ]
    required = set(part.get("required", []))
    for key, node in sorted(part["properties"].items(), key=lambda item: item[0] not in ("type", "name")):
        found, (sentence, unit) = facts(node), meaning(node)
        kinds = [f"{kind} [{unit}]" if unit and kind in ("number", "list of number") else kind for kind in found.kinds]
        default = "required" if key in required else default_of(node, found)
        example = examples().get((name, key))
        shown = f"`{flow(example)}`" if example is not None else ""
        cells = (f"`{key}`", sentence, " or ".join(kinds), "; ".join(found.ranges), default, shown)
        lines.append("| " + " | ".join(_cell(cell) for cell in cells) + " |")
    return [*lines, "", "</div>", ""]


def _places(name: str) -> str:
    """The keys at which a section stands, of all sections that have it."""
    found: dict[str, list[str]] = {}
    for holder, part in sections().items():
        for key, node in part["properties"].items():
            if name in {title_of(ref) for ref in _references(node)}:
                found.setdefault(holder, []).append(f"`{key}`")
    return "; ".join(
        ", ".join(keys) + (f" of {key_sections.link(holder)}" if holder != "Drivetrain" else " of the file")
        for holder, keys in found.items()
    )


def _references(node: Any) -> Iterator[str]:
    """Names of the sections that a value may be."""
    if isinstance(node, dict):
        if "$ref" in node:
            yield node["$ref"].rsplit("/", 1)[-1]
        for key, inner in node.items():
            if key not in ("default", "discriminator"):
                yield from _references(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from _references(inner)


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
