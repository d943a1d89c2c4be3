"""What teeth do, counted in the loop: how long and how often flanks part, wedge or pull, tips meet roots, and the worst of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gearwright.system import Channel

from .derive import Derived

Float = NDArray[np.float64]
Kind = Literal["wedge", "lift_off", "below", "above", "bottom"]
#: part of the largest force of a mesh so far below which both flanks may carry, and a force change its sign: damping and rounding
LITTLE = 1e-3


@dataclass(frozen=True)
class FlankCount:
    """How often the teeth of a mesh did one thing: time [s] and its share of what was counted, events, and the worst: the force [N],
    of lift-off the longest time [s], of bottoming the depth [m]; when that began or was [s]."""

    time_s: float
    share: float
    events: int
    worst: float
    at_s: float


class FlankWatch:
    """Counts of the meshes among channels, sample by sample.

    Of a mesh with a row for each flank: ``wedge``, both carry at once, with the lesser force of the two; ``lift_off``, neither does.
    Of a mesh whose one row serves both flanks: its force is ``below`` zero, or ``above``. Of a mesh whose tip clearance is among
    ``watched``, perhaps at both ends of its face: ``bottom``, it is below zero, with how far.
    """

    def __init__(self, channels: Sequence[Channel | Derived], watched: Sequence[Channel] = ()):
        rows = {(c.element, c.quantity): i for i, c in enumerate(channels) if c.kind == "mesh"}
        names = [name for name, quantity in rows if quantity == "force"]
        self._two = [n for n in names if (n, "drive_force") in rows and (n, "coast_force") in rows]
        self._one = [n for n in names if n not in self._two]
        self._drive = np.array([rows[n, "drive_force"] for n in self._two], int)
        self._coast = np.array([rows[n, "coast_force"] for n in self._two], int)
        self._force = np.array([rows[n, "force"] for n in self._one], int)
        self._largest = np.zeros(len(self._two)), np.zeros(len(self._one))
        self._tips: dict[str, list[int]] = {}
        for i, c in enumerate(watched):
            if c.quantity.startswith("tip_clearance"):
                self._tips.setdefault(c.element, []).append(i)
        two, one = len(self._two), len(self._one)
        self._courses: dict[Kind, _Course] = {
            "wedge": _Course(two),
            "lift_off": _Course(two),
            "below": _Course(one),
            "above": _Course(one),
            "bottom": _Course(len(self._tips)),
        }
        self._bottomed = False
        self._seen = 0

    def add(self, values: Float, watched: Float, first: int) -> None:
        """Count samples: ``values`` (channels, samples) and ``watched`` ones, of which the first one has the number ``first``."""
        if not values.shape[1]:
            return
        self._seen += values.shape[1]
        if self._two:
            drive, coast = values[self._drive], values[self._coast]
            least = np.minimum(drive, coast)
            bound = _raised(self._largest[0], np.maximum(drive, coast))
            self._courses["wedge"].add(least > bound, least, first)
            self._courses["lift_off"].add((drive <= 0.0) & (coast <= 0.0), None, first)
        if self._one:
            force = values[self._force]
            bound = _raised(self._largest[1], np.abs(force))
            self._courses["below"].add(force < -bound, -force, first)
            self._courses["above"].add(force > bound, force, first)
        if self._tips and (self._bottomed or watched.min() < 0.0):
            depth = -np.array([watched[rows].min(axis=0) for rows in self._tips.values()])
            self._courses["bottom"].add(depth > 0.0, depth, first)
            self._bottomed = True

    def counts(self, interval: float, start: float) -> dict[str, dict[Kind, FlankCount]]:
        """What was counted by mesh and kind, of samples ``interval`` [s] apart, the first of number 0 at ``start`` [s]."""
        found: dict[str, dict[Kind, FlankCount]] = {}
        names = {"wedge": self._two, "lift_off": self._two, "bottom": list(self._tips)}
        for kind, course in self._courses.items():
            for k, name in enumerate(names.get(kind, self._one)):
                if course.samples[k]:
                    worst = course.worst[k] if kind != "lift_off" else course.longest[k] * interval
                    at = course.worst_at[k] if kind != "lift_off" else course.longest_at[k]
                    found.setdefault(name, {})[kind] = FlankCount(
                        float(course.samples[k] * interval),
                        float(course.samples[k] / self._seen),
                        int(course.events[k]),
                        float(worst),
                        float(start + at * interval),
                    )
        return found


def _raised(largest: Float, values: Float) -> Float:
    """Raise the largest forces so far, in place; bounds (meshes, 1) below which a force counts as none."""
    np.maximum(largest, values.max(axis=1), out=largest)
    return LITTLE * largest[:, None]


class _Course:
    """A condition of n meshes over the samples: how many, how many times it began, the longest time, the worst value."""

    def __init__(self, n: int):
        self.samples, self.events, self.longest = np.zeros(n, int), np.zeros(n, int), np.zeros(n, int)
        self.longest_at, self.worst_at, self.worst = np.zeros(n, int), np.zeros(n, int), np.zeros(n)
        self._begun = np.full(n, -1)  # number of the sample with which it began, -1: it does not hold

    def add(self, holds: NDArray[np.bool_], values: Float | None, first: int) -> None:
        """Count samples from the number ``first`` on; ``values`` are those whose largest counts."""
        for k in np.flatnonzero(holds.any(axis=1) | (self._begun >= 0)).tolist():
            row = holds[k]
            self.samples[k] += int(row.sum())
            edges = np.flatnonzero(np.diff(row, prepend=self._begun[k] >= 0)) + first
            for edge in edges.tolist():
                if self._begun[k] < 0:
                    self._begun[k] = edge
                    self.events[k] += 1
                else:
                    self._ended(k, edge)
            if row[-1]:
                self._longer(k, first + len(row))
            if values is not None and row.any():
                among = np.where(row, values[k], -np.inf)
                at = int(among.argmax())
                if among[at] > self.worst[k]:
                    self.worst[k], self.worst_at[k] = among[at], first + at

    def _longer(self, k: int, end: int) -> None:
        if end - self._begun[k] > self.longest[k]:
            self.longest[k], self.longest_at[k] = end - self._begun[k], self._begun[k]

    def _ended(self, k: int, end: int) -> None:
        self._longer(k, end)
        self._begun[k] = -1
