"""The three-dimensional view: a scene as plain data, and the page that draws and moves it.

``assets/three.js`` is three.js bundled once (MIT, ``three-LICENSE.txt``); nothing is loaded from a network.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment
from markupsafe import Markup

from gearwright.figures.markup import asset, colours, policy, render, templates

from .mechanism import scene_of_mechanism
from .records import Scene
from .scene import scene_of_run, scene_of_train

_FOLDER = Path(__file__).parent
#: Scripts in the order they run.
_SCRIPTS = ("three.js", "shapes.js", "data.js", "viewer.js", "mechanism.js", "controls.js", "export.js")


def script() -> Markup:
    """The viewer as one script; it mounts every ``.gw-viewer`` of its page."""
    return Markup("\n").join(_asset(name) for name in _SCRIPTS) + Markup("\nGearwrightExport.start();")


def style() -> Markup:
    """The viewer's style sheet."""
    return _asset("viewer.css")


def figure(scene: Scene, key: str = "scene", view: str = "overview", now: bool = False) -> Markup:
    """HTML of a view's place with its data; the page needs :func:`script` and :func:`style` once.

    ``now``: drawn at once, not when it is scrolled to, from a scene that is not packed.
    """
    return render(_templates(), "place.html", scene=scene, key=key, view=view, now=now)


def view_page(scene: Scene, view: str = "overview") -> str:
    """A page of its own, one file that opens from disk."""
    code = script()
    facts = " · ".join(part for part in (scene.get("case"), scene.get("fidelity")) if part)
    return (
        str(
            render(
                _templates(),
                "view.html",
                scene=scene,
                facts=facts,
                code=code,
                policy=policy([code]),
                style=style(),
                colours=colours(("paper", "ink", "muted", "grid", "wheel")),
                place=figure(scene, view=view, now=True),
            )
        )
        + "\n"
    )


def _asset(name: str) -> Markup:
    return asset(_FOLDER / "assets", name)


@cache
def _templates() -> Environment:
    return templates(_FOLDER / "templates")


__all__ = ["figure", "scene_of_mechanism", "scene_of_run", "scene_of_train", "script", "style", "view_page"]
