"""The animation of a report: the drivetrain of the result in three dimensions, moved by its series."""

from __future__ import annotations

from gearwright.figures.book import Book

from .blocks import Block, View, Words, missing
from .viewer.scene import REPORT_BYTES, scene_of_run


def animation(book: Book) -> list[Block]:
    """The view's place with its data, or what is missing for it."""
    if book.run.train is None and book.run.attribute("fidelity") != "multibody":
        return [missing("No animation: the result does not hold the expanded drivetrain (describe_json).")]
    try:
        scene = scene_of_run(book.run, REPORT_BYTES)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        book.run.problems.append(f"the drivetrain cannot be drawn in three dimensions: {error!r}")
        return [missing("No animation: the drivetrain of this result cannot be drawn (see Versions and inputs).")]
    if scene is None:
        return [missing("No animation: the result does not hold its bodies over time.")]
    block = scene["play"]["block"]
    kept = "" if block == 1 else f" One value of {block} is kept, of loads the lowest and highest in turn."
    lead = (
        "The drivetrain under the loads of this result: teeth in contact and arrows of their forces by colour, loads over "
        f"time below. Drag turns it, the wheel brings it nearer.{kept}"
    )
    return [Words(lead), View(scene)]
