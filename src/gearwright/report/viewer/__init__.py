"""The three-dimensional view: a scene as plain data, and the page that draws and moves it.

``assets/three.js`` is three.js bundled once (MIT, ``three-LICENSE.txt``); nothing is loaded from a network.
"""

from __future__ import annotations

import base64
import hashlib
from importlib import resources
from typing import Any

from ..format import embedded_json, text
from ..palette import COLOURS
from .mechanism import scene_of_mechanism
from .scene import scene_of_run, scene_of_train

#: Scripts in the order they run.
_SCRIPTS = ("three.js", "shapes.js", "data.js", "viewer.js", "mechanism.js", "controls.js", "export.js")


def script() -> str:
    """The viewer as one script; it mounts every ``.gw-viewer`` of its page."""
    return "\n".join(_asset(name) for name in _SCRIPTS) + "\nGearwrightExport.start();"


def style() -> str:
    """The viewer's style sheet."""
    return _asset("viewer.css")


def figure(scene: dict[str, Any], key: str = "scene", view: str = "overview", now: bool = False) -> str:
    """HTML of a view's place with its data; the page needs :func:`script` and :func:`style` once.

    ``now``: drawn at once, not when it is scrolled to.
    """
    at_once = " data-now" if now else ""
    return (
        f'<div class="gw-viewer" data-scene="{text(key)}" data-view="{text(view)}"{at_once}></div>'
        f'<script type="application/json" id="{text(key)}">{embedded_json(scene)}</script>'
    )


def view_page(scene: dict[str, Any], view: str = "overview") -> str:
    """A page of its own, one file that opens from disk."""
    code = script()
    digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )
    names = ("paper", "ink", "muted", "grid", "wheel")
    light, dark = ("".join(f"--c-{n}:{COLOURS[n][i]};" for n in names) for i in (0, 1))
    facts = " · ".join(part for part in (scene.get("case"), scene.get("fidelity")) if part)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">'
        f"<title>{text(scene['name'])}</title><style>:root{{{light}}}"
        f"@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}"
        "*{box-sizing:border-box}body{margin:0 auto;max-width:1600px;padding:8px 16px;background:var(--c-paper);"
        "color:var(--c-ink);font:15px/1.5 system-ui,sans-serif}h1{font-size:20px;margin:8px 0 0}"
        "p.facts{margin:0;color:var(--c-muted)}"
        f"{style()}.gw-stage{{height:max(280px,calc(100vh - 380px))}}</style></head><body>"
        f'<h1>{text(scene["name"])}</h1><p class="facts">{text(facts)}</p>{figure(scene, view=view, now=True)}'
        "<noscript><p>The three-dimensional view needs JavaScript.</p></noscript>"
        f"<script>{code}</script></body></html>\n"
    )


def _asset(name: str) -> str:
    body = resources.files(__package__).joinpath("assets", name).read_text(encoding="utf-8")
    return body.replace("\r\n", "\n").replace("</script", "<\\/script")


__all__ = ["figure", "scene_of_mechanism", "scene_of_run", "scene_of_train", "script", "style", "view_page"]
