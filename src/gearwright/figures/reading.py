"""What the report reads from a result file: series, statistics, counts, and the facts in its attributes."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.results import Result
from gearwright.results.file import Attribute
from gearwright.train.train import Mesh, Train

from .format import normal_unit
from .record import train_from_record

Array = NDArray[np.float64]
#: Which quantity of a kind stands for its load, most telling first.
MAIN = {
    "mesh": ("force", "drive_force", "torque_first"),
    "bearing": ("force", "force_y", "force_z"),
    "shaft": ("torque",),
    "machine": ("torque",),
    "body": ("speed",),
}


@dataclass(frozen=True)
class Extreme:
    """The largest absolute value of a quantity: element, signed value [SI], time [s]."""

    element: str
    value: float
    time: float
    unit: str
    quantity: str


class Run:
    """What pages and figures show of a :class:`~gearwright.results.Result`. ``problems`` collects what could not be read, for
    the reader of the page.

    Parameters
    ----------
    result : open while the view is used
    more : facts beside the attributes of the file, such as the modes of its model
    part : samples of the stored series that are shown; None: all
    """

    def __init__(self, result: Result, more: Mapping[str, str] | None = None, part: slice | None = None):
        self.result, self.path = result, result.path
        self.attributes: dict[str, Attribute] = {**result.attributes, **(more or {})}
        self.part = slice(None) if part is None else part
        self.problems: list[str] = []

    def attribute(self, name: str, default: Any = None) -> Any:
        """An attribute of the file, or the default."""
        return self.attributes.get(name, default)

    def has(self, variable: str) -> bool:
        """Whether the file holds a variable."""
        return variable in self.result.file.variables

    def json(self, name: str) -> Any:
        """A JSON attribute, or None; text that is not JSON is noted as a problem."""
        raw = self.attribute(name)
        if raw is None or raw == "":
            return None
        try:
            return json.loads(raw)
        except (TypeError, ValueError) as error:
            note = f"attribute {name} is not JSON: {error}"
            if note not in self.problems:
                self.problems.append(note)
            return None

    def listed(self, name: str) -> list[str]:
        """An attribute that is a list of sentences (JSON, or one string)."""
        raw = self.attribute(name)
        if isinstance(raw, str) and raw.startswith("["):
            raw = self.json(name)
        if raw is None or isinstance(raw, str) or not hasattr(raw, "__iter__"):
            return [raw] if raw else []
        return [str(entry) for entry in raw]

    @cached_property
    def train(self) -> Train | None:
        """The train of ``describe_json``, or None."""
        record = (self.json("describe_json") or {}).get("train")
        if record is None:
            return None
        try:
            return train_from_record(record)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            self.problems.append(f"the train in describe_json cannot be read: {error!r}")
            return None

    @cached_property
    def times(self) -> Array:
        """Times of the stored series [s]; empty without one."""
        return self.result.time[self.part] if self.has("time") else np.empty(0)

    def quantities(self, kind: str) -> list[str]:
        """Stored series of a kind."""
        return list(self.result.quantities.get(kind, ()))

    def measured(self, kind: str) -> list[str]:
        """Quantities of a kind with statistics, magnitudes before components."""
        names = [
            name[len(kind) + 1 : -len("_statistic")]
            for name in self.result.file.variables
            if name.startswith(f"{kind}_") and name.endswith("_statistic")
        ]
        main = MAIN[kind]
        return sorted(names, key=lambda name: main.index(name) if name in main else len(main))

    def elements(self, kind: str) -> list[str]:
        """Labels on the dimension of a kind."""
        return list(self.result.elements(kind)) if self.has(kind) else []

    def unit(self, kind: str, quantity: str) -> str:
        """Unit of a quantity in the file."""
        for name in (f"{kind}_{quantity}", f"{kind}_{quantity}_statistic"):
            if self.has(name):
                return normal_unit(self.result.unit(name))
        return ""

    def sign(self, kind: str, quantity: str) -> str:
        """What a positive value of a quantity means."""
        stored = self.result.file.variables.get(f"{kind}_{quantity}")
        return "" if stored is None else str(stored.attributes.get("sign", ""))

    def series(self, kind: str, quantity: str, element: str) -> Array | None:
        """One stored series, or None if it is not there or nowhere finite."""
        name = f"{kind}_{quantity}"
        labels = self.elements(kind)
        if quantity not in self.quantities(kind) or element not in labels:
            return None
        values = np.asarray(self.result.values(name, (labels.index(element), self.part)), dtype=float)
        return values if np.isfinite(values).any() else None

    def density(self, kind: str, quantity: str, element: str) -> tuple[Array, Array, str] | None:
        """Lines [Hz], power spectral density at the counting rate [SI] and how it was made, or None if the case asked for none."""
        name, labels = f"{kind}_{quantity}_density", self.elements(kind)
        if not self.has(name) or element not in labels:
            return None
        values = np.asarray(self.result.values(name, labels.index(element)), dtype=float)
        if not np.isfinite(values).all():
            return None
        return self.result.values("frequency"), values, str(self.attribute("spectra_method", ""))

    def statistics(self, kind: str, quantity: str) -> dict[str, dict[str, float]]:
        """Statistics by element, at the counting rate; elements without any are left out."""
        name = f"{kind}_{quantity}_statistic"
        if not self.has(name):
            return {}
        keys = [str(label) for label in self.result.values("statistic")]
        values = np.asarray(self.result.values(name), dtype=float)
        return {
            element: dict(zip(keys, (float(value) for value in row), strict=True))
            for element, row in zip(self.elements(kind), values, strict=True)
            if np.isfinite(row[: min(4, len(row))]).any()
        }

    def equivalents(self, kind: str, quantity: str) -> tuple[list[float], dict[str, list[float]]]:
        """Exponents, and damage-equivalent ranges by element."""
        name = f"{kind}_{quantity}_del"
        if not self.has(name):
            return [], {}
        exponents = [float(value) for value in self.result.values("exponent")]
        rows = np.asarray(self.result.values(name), dtype=float)
        return exponents, {e: list(map(float, r)) for e, r in zip(self.elements(kind), rows, strict=True)}

    def histogram(self, kind: str, quantity: str, what: str, element: str) -> tuple[Array, Array] | None:
        """Edges and contents of ``cycles`` or ``duration`` of one element."""
        name = f"{kind}_{quantity}_{what}"
        if not self.has(name) or not self.has(f"{name}_edge"):
            return None
        row = self.elements(kind).index(element)
        content = np.asarray(self.result.values(name, row), dtype=float)
        edges = np.asarray(self.result.values(f"{name}_edge", row), dtype=float)
        if len(edges) != len(content) + 1 or not np.nansum(content) > 0.0 or not np.isfinite(edges).all():
            return None
        return edges, np.nan_to_num(content)

    def envelope(self, kind: str, quantity: str, element: str) -> tuple[Array, Array, Array] | None:
        """Block times, lows and highs at the counting rate."""
        names = [f"{kind}_{quantity}_{end}" for end in ("low", "high")]
        if not self.has("block_time") or not all(map(self.has, names)):
            return None
        row = self.elements(kind).index(element)
        low, high = (np.asarray(self.result.values(name, row), dtype=float) for name in names)
        return self.result.values("block_time"), low, high

    def range_mean(self, kind: str, quantity: str, element: str) -> Array | None:
        """Counted cycles of one element by range (rows) and mean (columns)."""
        name = f"{kind}_{quantity}_range_mean"
        if not self.has(name):
            return None
        return np.nan_to_num(np.asarray(self.result.values(name, self.elements(kind).index(element)), float))

    def largest(self, kind: str) -> Extreme | None:
        """The largest absolute value of a kind's load, of what was counted or else of what was stored."""
        for quantity in MAIN[kind]:
            best: Extreme | None = None
            for element in self.elements(kind):
                found = None if estimated(element) else self.extreme(kind, quantity, element)
                if found is not None and (best is None or abs(found.value) > abs(best.value)):
                    best = found
            if best is not None:
                return best
        return None

    def extreme(self, kind: str, quantity: str, element: str) -> Extreme | None:
        """The largest absolute value of one channel."""
        row = self.statistics(kind, quantity).get(element)
        unit = self.unit(kind, quantity)
        if row is not None:
            high, low = row.get("maximum", math.nan), row.get("minimum", math.nan)
            end = "maximum" if not abs(low) > abs(high) else "minimum"
            return Extreme(element, row.get(end, math.nan), row.get(f"time_of_{end}", math.nan), unit, quantity)
        values = self.series(kind, quantity, element)
        if values is None:
            return None
        at = int(np.nanargmax(np.abs(values)))
        return Extreme(element, float(values[at]), float(self.times[at]), unit, quantity)

    def low_speed_shaft(self) -> str | None:
        """The shaft with the largest mean torque: that of the low-speed side."""
        best, largest = None, -1.0
        for element in self.elements("shaft"):
            row = self.statistics("shaft", "torque").get(element)
            if row is not None:
                mean = abs(row.get("mean", 0.0))
            elif (values := self.series("shaft", "torque", element)) is not None:
                mean = abs(float(np.nanmean(values)))
            else:
                continue
            if mean > largest:
                best, largest = element, mean
        return best

    def speed(self, body: str) -> Array | None:
        """Stored speed of a body [rad/s], its own or that of the machine on it."""
        if (found := self.series("body", "speed", body)) is not None:
            return found
        machines = {} if self.train is None else self.train.machines
        names = [body, *(name for name, machine in machines.items() if machine.body == body)]
        found_ = (self.series("machine", "speed", name) for name in names)
        return next((values for values in found_ if values is not None), None)

    def input_speed(self) -> float | None:
        """Mean speed of the train's input over the run [rad/s], or its operating speed."""
        train = self.train
        if train is None:
            return None
        if train.input is not None and (w := self.speed(train.input)) is not None:
            return float(np.nanmean(w))
        return train.speed

    def mesh_frequencies(self) -> dict[str, float]:
        """Mesh frequency of each stage (or mesh outside stages) at the mean speed of the run [Hz]."""
        train, speed = self.train, self.input_speed()
        if train is None or speed is None or not train.ratios:
            return {}
        found: dict[str, float] = {}
        for mesh in train.meshes.values():
            frequency = mesh_frequency(mesh, train, speed)
            if frequency:
                found.setdefault(mesh.stage or mesh.name, frequency)
        return found


def mesh_frequency(mesh: Mesh, train: Train, speed: float) -> float | None:
    """Tooth mesh frequency [Hz] at an input speed [rad/s]; None without tooth numbers or ratios."""
    if mesh.teeth is None:
        return None
    first = train.ratios.get(mesh.between[0])
    carrier = 0.0 if mesh.on is None else train.ratios.get(mesh.on)
    if first is None or carrier is None:
        return None
    return abs(mesh.teeth[0] * (first - carrier) * speed) / (2.0 * math.pi)


def estimated(element: str) -> bool:
    """Whether an element is a model's estimate counted beside the real ones (planet bearings from ``T / (N r_c)``)."""
    return element.endswith("_kinematic")


def family(element: str) -> str:
    """``stage1.sun_planet2`` as ``stage1.sun_planet``: elements that differ by the planet only."""
    return re.sub(r"planet\d+", "planet", element)
