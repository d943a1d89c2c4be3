"""Damage of YAML files: of values, of keys, of the text."""

from __future__ import annotations

import json
import math
import random
from functools import cache
from typing import Any

from tests.fuzz import damaged_bytes


class Raw(str):
    """Text that goes into the file as it stands."""


_WORDS = ["", " ", "nan", "nan m", "inf kN", "-inf", "true", "none", "5 flurbs", "1e999 m", "1e-320 m", "twelve", "ä", "\u2028", "a" * 300,
          "1 kg^(10**10**10) m^2", "1 kg^99999999999 m", "1 " + "(" * 3000 + "kg" + ")" * 3000, "1 " + "m " * 5000, "2 m**2**2**9999", "1 m^-1e9",
          "1,5 m", "5 N m; rm", "__import__('os')", "../../x", "/dev/zero", "housing", "1 m/0", "0x10 m", "1_000 mm", "5 %%", "1 m^0.5"]  # fmt: skip
_UNITS = [
    "m",
    "mm",
    "kg",
    "s",
    "rpm",
    "1/min",
    "deg",
    "rad",
    "N",
    "kN m",
    "Pa",
    "Hz",
    "%",
    "kg m^2",
    "N m/rad",
    "N/m",
    "W",
    "V",
    "m/s",
    "1/s",
]
_NUMBERS = [
    0,
    -1,
    1,
    2,
    1e-300,
    5e-324,
    -1e-9,
    1e9,
    1e17,
    1e300,
    1.7e308,
    -1e308,
    math.nan,
    math.inf,
    -math.inf,
    100_000,
    10**9,
    10**18,
    -5,
    0.5,
]
_STRANGE: list[Any] = [
    None, True, False, [], {}, [[]], [None], {"a": {"b": {}}}, [1, 2], [1, 2, 3, 4, 5, 6, 7], Raw("9" * 200_000), Raw("0x" + "F" * 5000), Raw("0o777"),
    Raw("-" + "1" * 5000), Raw("[" * 900 + "]" * 900), Raw("{a: " * 900 + "}" * 900), Raw("2001-01-01"), Raw("12:30:45"), Raw("!!python/object:os.x {}"),
    Raw("!!binary aGk="), Raw("&a [*a]"), Raw("*nothing"), Raw("1e1000"), Raw("!!set {a, b}"), Raw("!!float x"), Raw("? [a]: b"), Raw("|\n  x"),
    Raw("[&a [x,x,x,x,x,x,x,x], &b [*a,*a,*a,*a,*a,*a,*a,*a], &c [*b,*b,*b,*b,*b,*b,*b,*b], &d [*c,*c,*c,*c,*c,*c,*c,*c], "
        "&e [*d,*d,*d,*d,*d,*d,*d,*d], &f [*e,*e,*e,*e,*e,*e,*e,*e], &g [*f,*f,*f,*f,*f,*f,*f,*f]]"),
]  # fmt: skip


def flow(value: Any) -> str:
    """A tree as YAML in flow style."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, dict):
        return (
            "{"
            + ", ".join(f"{flow(k) if isinstance(k, Raw) else json.dumps(str(k))}: {flow(v)}" for k, v in value.items())
            + "}"
        )
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(flow(v) for v in value) + "]"
    if isinstance(value, float) and not math.isfinite(value):
        return ".nan" if math.isnan(value) else (".inf" if value > 0 else "-.inf")
    return json.dumps(value, ensure_ascii=False)


@cache
def tree_of(content: bytes) -> Any:
    """The tree of a sound file."""
    from ruamel.yaml import YAML

    return json.loads(json.dumps(YAML(typ="safe", pure=True).load(content.decode())))


def _places(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, item in items:
        found += _places(item, (*path, key))
    return found


def _at(tree: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        tree = tree[key]
    return tree


def _value(draw: random.Random, old: Any) -> Any:
    """Something in place of a value: near it, or nothing like it."""
    how = draw.randrange(16)
    if how == 0:
        return draw.choice(_STRANGE)
    if how == 1:
        return draw.choice(_WORDS)
    if how == 2:
        return draw.choice(_NUMBERS)
    if how == 3:
        return f"{draw.choice(_NUMBERS)} {draw.choice(_UNITS)}"
    number, _, unit = str(old).partition(" ") if isinstance(old, str) else (str(old), "", "")
    try:
        number_ = float(number)
    except ValueError:
        return draw.choice([f"{old}x", [old], {"value": old}, str(old)[:-1], str(old) * 3, draw.choice(_NUMBERS)])
    changed = draw.choice(
        [
            -number_,
            0.0,
            number_ * 10.0 ** draw.randint(-18, 18),
            *(number_ * x for x in (0.1, 0.5, 0.9, 1.1, 2.0, 10.0, 100.0)),
            number_ * -1e6,
            draw.choice(_NUMBERS),
            int(min(max(number_, -1e9), 1e9)) if number_ == number_ else 0,
            number_,
        ]
    )
    if not unit:
        return draw.choice(
            [changed, changed, int(changed) if abs(changed) < 1e15 else changed, f"{changed} {draw.choice(_UNITS)}"]
        )
    return draw.choice(
        [
            f"{changed} {unit}",
            f"{changed} {unit}",
            changed,
            f"{changed} {draw.choice(_UNITS)}",
            [f"{changed} {unit}"],
            f"{changed} {unit}²",
        ]
    )


def damaged_tree(draw: random.Random, tree: Any, under: tuple[str, ...] = ()) -> Any:
    """One to three damages of values and keys of a copy; ``under``: top keys that are damaged."""
    made = json.loads(json.dumps(tree))
    for _ in range(draw.choice([1, 1, 1, 2, 3])):
        places = [p for p in _places(made) if not under or p[0] in under]
        if not places:
            break
        leaves = [p for p in places if not isinstance(_at(made, p), (dict, list))]
        path = draw.choice(leaves if leaves and draw.random() < 0.6 else places)
        holder, key = _at(made, path[:-1]), path[-1]
        how = draw.randrange(10)
        if how < 6 or not isinstance(holder, dict):
            holder[key] = _value(draw, holder[key])
        elif how == 6:
            del holder[key]
        elif how == 7:
            new = draw.choice(
                [f"{key}s", key[:-1] or "x", draw.choice(places)[-1], Raw(".nan"), Raw("5"), Raw("[a]"), "", "ü"]
            )
            holder[new if isinstance(new, Raw) else str(new)] = holder.pop(key)
        elif how == 8:
            holder[str(draw.choice(places)[-1])] = json.loads(json.dumps(_plain(_at(made, draw.choice(places)))))
        else:
            holder[key] = json.loads(json.dumps(_plain(_at(made, draw.choice(places)))))
    return made


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def damaged_yaml(draw: random.Random, content: bytes, under: tuple[str, ...] = ()) -> bytes:
    """A damaged YAML file: mostly its values and keys, sometimes its lines or bytes."""
    how = draw.random()
    if how < 0.8:
        return flow(damaged_tree(draw, tree_of(content), under)).encode(errors="replace")
    if how < 0.9:
        return damaged_bytes(draw, content)
    lines = content.decode().splitlines()
    for _ in range(draw.randint(1, 3)):
        at = draw.randrange(len(lines))
        change = draw.randrange(5)
        if change == 0:
            del lines[at]
        elif change == 1:
            lines.insert(at, lines[draw.randrange(len(lines))])
        elif change == 2:
            lines[at] = draw.choice([" ", "\t", "  ", "- ", "? ", ": ", "#", "&a ", "%"]) + lines[at]
        elif change == 3:
            lines[at] = lines[at].lstrip()
        else:
            lines[at] = lines[at].replace(
                draw.choice(": -[]{},"), draw.choice(["", ":", ",", "[", "}", "\0", "'", '"']), 1
            )
        lines = lines or [""]
    return "\n".join(lines).encode(errors="replace")
