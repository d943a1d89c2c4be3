"""What a design may move and what it shall reach, from the words of a command or a file."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gearwright.errors import DrivetrainError, nearest
from gearwright.schema.numbers import FileNumber, number_at
from gearwright.schema.places import Values
from gearwright.units import DIMENSIONS, Dimension, UnitError, in_one_unit, to_si

from .measures import NAMED, WORDS

Float = NDArray[np.float64]

#: dimensions of bounds by the head of a measure
_DIMENSIONS = {"mass": "mass", "life": "time", "frequency": "frequency"}
#: heads of measures that come from a run of a case, and from the runs of a campaign
RUNS = ("run", "campaign")
_BOUND = re.compile(r"^\s*(\S+)\s*(>=|<=|least|most)\s*(.*?)\s*$")


@dataclass(frozen=True)
class Free:
    """Numbers of a file that move together, and the factors on what the file has there, from ``low`` to ``high``."""

    numbers: tuple[FileNumber, ...]
    low: float
    high: float

    @property
    def name(self) -> str:
        """The first path, with how many follow it."""
        more = f" and {len(self.numbers) - 1} more" if len(self.numbers) > 1 else ""
        return f"{self.numbers[0].path}{more}"

    def factor(self, place: float) -> float:
        """Factor at a place from 0 (low) to 1 (high), even in the logarithm."""
        return float(self.low * (self.high / self.low) ** place)

    @property
    def start(self) -> float:
        """Place of the file's own value, or of the bound beside it."""
        return float(np.clip(-math.log(self.low) / self.span, 0.0, 1.0))

    @property
    def span(self) -> float:
        """Logarithm of the largest over the least factor."""
        return math.log(self.high / self.low)


@dataclass(frozen=True)
class Wish:
    """A measure and what is wanted of it: ``least`` or ``most`` as far as it goes, or a ``bound`` that it keeps."""

    measure: str
    kind: Literal["least", "most", ">=", "<="]
    bound: float = 0.0

    @property
    def words(self) -> str:
        """As it was asked for, in SI."""
        return f"{self.measure} {self.kind}" + (f" {self.bound:.6g}" if self.kind in (">=", "<=") else "")

    def size(self, value: float) -> float:
        """What the search sees of a value: its logarithm where it is positive by nature, turned so that small is good."""
        seen = value if self.measure == "margin" else math.log(max(value, 1e-300))
        return seen if self.kind in ("least", "<=") else -seen

    def slope(self, value: float, change: float) -> float:
        """Change of :meth:`size` with that of the value."""
        seen = change if self.measure == "margin" else change / max(value, 1e-300)
        return seen if self.kind in ("least", "<=") else -seen

    def room(self, value: float) -> float:
        """How far a value keeps the bound, positive where it does."""
        return self.size(self.bound) - self.size(value)


def free_of(text: str, raw: Values) -> Free:
    """A free number from ``PATH=LOW..HIGH``, or several that move by one factor from ``PATH,PATH=LOW x..HIGH x``.

    Raises DrivetrainError.
    """
    paths, equals, ends = text.partition("=")
    low, dots, high = ends.partition("..")
    if not (equals and dots and paths.strip()):
        raise DrivetrainError(
            f"free '{text}': write PATH=LOW..HIGH, such as 'shafts.main.diameter=600 mm..800 mm', or factors on what the file has, "
            f"'PATH,PATH=0.9 x..1.1 x'"
        )
    numbers = tuple(number_at(raw, p.strip()) for p in paths.split(","))
    factors = [_factor(end.strip(), numbers, text) for end in (low, high)]
    if not 0.0 < factors[0] < factors[1]:
        raise DrivetrainError(
            f"free '{text}': the low end must lie below the high one, both on the side of what the file has "
            f"({', '.join(n.shown for n in numbers)})"
        )
    return Free(numbers, factors[0], factors[1])


def _factor(end: str, numbers: Sequence[FileNumber], text: str) -> float:
    """An end of a range as a factor on the file's value."""
    if found := re.fullmatch(r"([\d.eE+-]+)\s*x", end):
        return float(found[1])
    first = numbers[0]
    if len(numbers) > 1:
        raise DrivetrainError(f"free '{text}': numbers that move together take factors, such as 0.9 x..1.1 x")
    if first.value == 0.0:
        raise DrivetrainError(f"free '{text}': the file has 0 there; --set a value first")
    try:
        (own, given), _ = in_one_unit([first.written(first.value), end if first.unit else float(end)])
    except (UnitError, ValueError) as error:
        raise DrivetrainError(f"free '{text}': {error}; the file has {first.shown} there") from None
    return given / own


def wish_of(text: str) -> Wish:
    """A wish from ``MEASURE least``, ``MEASURE most``, ``MEASURE >= VALUE`` or ``MEASURE <= VALUE``. Raises DrivetrainError."""
    found = _BOUND.match(text)
    allowed = [
        *WORDS,
        *(f"{n}.NAME" for n in NAMED),
        "run.CHANNEL.FIGURE",
        "campaign.life.NAME",
        "campaign.CHANNEL.max",
    ]
    if found is None or (found[2] in (">=", "<=")) != bool(found[3]):
        raise DrivetrainError(
            f"wish '{text}': write MEASURE least, MEASURE most, MEASURE >= VALUE or MEASURE <= VALUE; measures: {', '.join(allowed)}"
        )
    head, _, rest = found[1].partition(".")
    if (head in WORDS and rest) or (head in (*NAMED, *RUNS) and not rest) or head not in (*WORDS, *NAMED, *RUNS):
        meant = nearest(head, [*WORDS, *NAMED, *RUNS])
        raise DrivetrainError(
            f"wish '{text}': '{found[1]}' is no measure; there are {', '.join(allowed)}"
            + (f"; did you mean '{meant}'?" if meant else "")
        )
    if not found[3]:
        return Wish(found[1], "least" if found[2] == "least" else "most")
    return Wish(found[1], ">=" if found[2] == ">=" else "<=", _bound(head, rest, found[3], text))


def _bound(head: str, rest: str, value: str, text: str) -> float:
    """A bound in the unit of its measure: SI, lives in hours."""
    dimension: Dimension = DIMENSIONS[_DIMENSIONS.get(head, "number")]
    if head == "load":
        dimension = DIMENSIONS["torque" if rest.endswith(".torque") else "force"]
    try:
        plain = re.fullmatch(r"[+-]?[\d.]+(?:[eE][+-]?\d+)?", value)
        if plain:
            return float(value)
        if head in RUNS and rest.startswith("life."):
            head, dimension = "life", DIMENSIONS["time"]
        if head in RUNS:
            return float(value)
        found = to_si(value, dimension)
    except (UnitError, ValueError) as error:
        raise DrivetrainError(f"wish '{text}': {error}") from None
    return found / 3600.0 if head == "life" else found


def simulated(measure: str) -> bool:
    """Whether a measure comes from runs, and so has no derivatives."""
    return measure.partition(".")[0] in RUNS
