"""HTML of a room comes from its templates, where everything is escaped; SVG is built of elements, escaped too."""

from __future__ import annotations

import base64
import gzip
import hashlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from .format import breakable, embedded_json, slug, words
from .palette import COLOURS, FILL_SUN

#: the templates of this room
FOLDER = Path(__file__).parent / "templates"


def templates(*folders: Path) -> Environment:
    """Templates of some folders and of this room; what is put into them is escaped, a name that is missing is an error."""
    made = Environment(
        loader=FileSystemLoader([*folders, FOLDER]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(slug=slug, words=words, breakable=lambda name: Markup(breakable(name)))
    made.globals.update(json=lambda value: Markup(embedded_json(value)), packed=packed)
    return made


def element(tag: str, content: str | Iterable[Markup] = "", /, **attributes: object) -> Markup:
    """One SVG element. ``_`` in the name of an attribute is a hyphen (``class_`` is ``class``), None leaves it out."""
    given = Markup("").join(
        Markup(' {}="{}"').format(name.rstrip("_").replace("_", "-"), shown(value))
        for name, value in attributes.items()
        if value is not None
    )
    inner = escape(content) if isinstance(content, str) else Markup("").join(content)
    return Markup(f"<{tag}{given}>{inner}</{tag}>")


def svg(box: tuple[float, float, float, float], label: str, parts: Iterable[Markup], **attributes: object) -> Markup:
    """A picture: ``box`` is x, y, width and height of what it shows, ``label`` says it in words."""
    view = " ".join(shown(value) for value in box)
    named = {"viewBox": view, "role": "img", "aria_label": label}
    return element("svg", parts, **attributes, xmlns="http://www.w3.org/2000/svg", **named)


def shown(value: object) -> str:
    """A number of a drawing, three decimals at most; other values as they are."""
    return f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def polyline(points: Iterable[Sequence[float]], closed: bool = False) -> str:
    """The data of a path through points."""
    return "M" + "L".join(f"{shown(float(x))} {shown(float(y))}" for x, y in points) + ("Z" if closed else "")


def asset(folder: Path, name: str) -> Markup:
    """A script or style sheet that goes into a page."""
    body = (folder / name).read_text(encoding="utf-8")
    return Markup(body.replace("\r\n", "\n").replace("</script", "<\\/script"))


def unpack() -> Markup:
    """The script that a page with packed parts needs, as its last one."""
    return asset(FOLDER, "unpack.js")


@lru_cache(maxsize=16)
def packed(body: str, kind: str = "text/javascript", key: str = "") -> Markup:
    """A script or data of a page in a third of its length: gzip in base64, which :func:`unpack` puts back with ``key`` as its id."""
    text = base64.b64encode(gzip.compress(body.encode(), 9, mtime=0)).decode()
    named = Markup(' id="{}"').format(key) if key else ""
    return Markup('<script type="application/gzip" data-kind="{}"{}>{}</script>').format(kind, named, text)


def unpacked(page: str, key: str) -> str:
    """The text of a packed part of a page. Raises LookupError where the page has none of that id."""
    _, found, rest = page.partition(f' id="{key}">')
    if not found:
        raise LookupError(f"the page has no packed part {key!r}")
    return gzip.decompress(base64.b64decode(rest[: rest.index("<")])).decode()


def policy(scripts: Iterable[str]) -> Markup:
    """No connection, no script but those of the page, by their hashes."""
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    return Markup(
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )


def colours(names: Iterable[str] = COLOURS, more: dict[str, tuple[str, str]] | None = None) -> Markup:
    """The style that names the colours of a page, light and dark."""
    chosen = (
        {f"--c-{name}": COLOURS[name] for name in names} | {"--f-sun": (FILL_SUN, COLOURS["sun"][1])} | (more or {})
    )
    light, dark = ("".join(f"{name}:{pair[side]};" for name, pair in chosen.items()) for side in (0, 1))
    return Markup(f":root{{{light}}}@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}")


def render(environment: Environment, name: str, **values: Any) -> Markup:
    """A template with its values; ``str`` of it is a page."""
    return Markup(environment.get_template(name).render(**values))
