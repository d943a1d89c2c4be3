"""The animation of a report: the drivetrain of the result in three dimensions, moved by its series."""

from __future__ import annotations

from . import viewer
from .book import Book, missing
from .viewer.scene import REPORT_BYTES, scene_of_run


def animation(book: Book) -> str:
    """The view's place with its data, or what is missing for it."""
    if book.run.train is None and book.run.attribute("fidelity") != "multibody":
        return missing("No animation: the result does not hold the expanded drivetrain (describe_json).")
    try:
        scene = scene_of_run(book.run, REPORT_BYTES)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        book.run.problems.append(f"the drivetrain cannot be drawn in three dimensions: {error!r}")
        return missing("No animation: the drivetrain of this result cannot be drawn (see Versions and inputs).")
    if scene is None:
        return missing("No animation: the result does not hold its bodies over time.")
    book.animated = True
    block = scene["play"]["block"]
    kept = "" if block == 1 else f" One value of {block} is kept, of loads the lowest and highest in turn."
    return (
        "<p>The drivetrain under the loads of this result: teeth in contact and arrows of their forces by colour, "
        f"loads over time below. Drag turns it, the wheel brings it nearer.{kept}</p>" + viewer.figure(scene)
    )


def assets(book: Book) -> tuple[list[str], str]:
    """Scripts and styles that the page needs for it; nothing without an animation."""
    return ([viewer.script()], viewer.style()) if book.animated else ([], "")


__all__ = ["animation", "assets"]
