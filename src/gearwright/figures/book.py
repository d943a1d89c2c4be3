"""What the sections of a run's page share: the run, the store of its series, names of quantities."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from .campbell import Campbell
from .reading import Run
from .series import Store
from .sharing import Sharing, sharing_of

TITLES = {
    "mesh": "Tooth meshes",
    "bearing": "Bearings",
    "shaft": "Shafts",
    "machine": "Machines",
    "body": "Bodies",
}
NAMES = {
    ("mesh", "force"): "Tooth force",
    ("mesh", "drive_force"): "Tooth force, drive flank",
    ("mesh", "coast_force"): "Tooth force, coast flank",
    ("mesh", "torque_first"): "Torque of the teeth on wheel 1",
    ("mesh", "torque_second"): "Torque of the teeth on wheel 2",
    ("mesh", "contact_pressure"): "Contact pressure of teeth",
    ("bearing", "force"): "Bearing force",
    ("shaft", "torque"): "Shaft torque",
    ("machine", "torque"): "Machine torque",
    ("machine", "power"): "Machine power",
    ("machine", "speed"): "Machine speed",
    ("body", "speed"): "Speed",
}
#: What the page draws over time, in order; a load's first quantity that the file holds stands for it.
SERIES = (
    ("mesh", ("force", "drive_force")),
    ("mesh", ("coast_force",)),
    ("mesh", ("torque_first",)),
    ("mesh", ("torque_second",)),
    ("mesh", ("contact_pressure",)),
    ("bearing", ("force",)),
    ("bearing", ("force_y",)),
    ("bearing", ("force_z",)),
    ("shaft", ("torque",)),
    ("machine", ("torque",)),
    ("machine", ("power",)),
    ("machine", ("speed",)),
    ("body", ("speed",)),
)


@dataclass
class Book:
    """One run on its way to a page. ``ratings`` are a :class:`gearwright.analyses.rating_sheet.RatingSheet`, or a sentence why there are none."""

    run: Run
    store: Store
    ratings: object = None

    @cached_property
    def sharing(self) -> dict[str, Sharing | str]:
        """How planets share the load, by stage; in words where that is not known."""
        return sharing_of(self.run)

    @cached_property
    def campbell(self) -> Campbell | str:
        """The Campbell diagram, or why there is none."""
        data = self.run.json("campbell_json")
        if not data:
            return (
                self.run.attribute("modes_problem") or "The result holds no Campbell diagram (attribute campbell_json)."
            )
        try:
            return Campbell.read(data)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            return f"The Campbell diagram in the result cannot be read ({error!r})."


def title_of(kind: str, name: str) -> str:
    """``Bearing force y`` for a bearing's ``force_y``."""
    return NAMES.get((kind, name), f"{kind.capitalize()} {name.replace('_', ' ')}")


def chosen_series(run: Run) -> list[tuple[str, str]]:
    """Kind and quantity of every time figure."""
    found = []
    for kind, names in SERIES:
        there = run.quantities(kind)
        name = next((name for name in names if name in there), None)
        if name is not None and not (name in ("force_y", "force_z") and "force" in there):
            found.append((kind, name))
    return found
