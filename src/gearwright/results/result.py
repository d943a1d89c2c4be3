"""A result file, opened: labelled series, statistics, cycles, energy."""

from __future__ import annotations

import hashlib
import json
import os
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.errors import DrivetrainError
from gearwright.remarks import remarks_in, sorted_remarks
from gearwright.schema.read import from_mapping
from gearwright.system.former import known_channel
from gearwright.train import kinematics
from gearwright.train.expand import expand
from gearwright.units import optional

from .derive import LoadSharing, load_sharing
from .energy import EnergyBook
from .file import Attribute, ResultFile, give, take
from .layout import KINDS, ChannelRow, ResultError
from .plots import html, plot
from .rainflow import Matrix
from .sound import check, reading
from .spectra import Spectrum, power_spectral_density
from .store import FORMAT

Float = NDArray[np.float64]


def _check_version(attributes: Mapping[str, Attribute], path: Path) -> None:
    version = attributes.get("gearwright_format")
    if version is None:
        raise ResultError(f"{path}: not a result of Gearwright (no attribute gearwright_format)")
    if not isinstance(version, (int, float, np.number)) or not np.isfinite(version):
        raise ResultError(f"{path}: the result is damaged: gearwright_format is {str(version)[:40]!r}")
    if int(version) != FORMAT:
        age = "newer" if int(version) > FORMAT else "older"
        raise ResultError(f"{path}: layout {int(version)} is {age} than layout {FORMAT}, which this version reads")


class Result:
    """One run. Made by :meth:`open`, and the one reader of result files: values are read when they are used.

    All Results of a file share one handle (:mod:`gearwright.results.file`), and any thread may use them. What was taken from a
    Result can be used after it was closed, and leaves no file open.
    """

    def __init__(self, file: ResultFile):
        self.file = file
        self.path = file.path
        #: what has to live as long as this does: the folder of a temporary result
        self.keeper: object = None
        self._release = weakref.finalize(self, give, file.key)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Result:
        """Open a result file.

        Raises ResultError if it does not exist, is cut off or no netCDF file, was not written by Gearwright, or
        has a newer or older layout than this version reads.
        """
        place = Path(path)
        if not place.is_file():
            beside = sorted(p.name for p in place.parent.glob("*.nc"))
            near = get_close_matches(place.name, beside, 1)
            hint = f". Did you mean '{place.with_name(near[0])}'?" if near else ""
            raise ResultError(f"{place}: there is no such file{hint}")
        try:
            key = take(place)
            file = ResultFile(place, key)
        except Exception as error:
            what = f"it is cut off or of another kind ({error})"
            if place.suffix.lower() in (".yaml", ".yml"):
                what = f"if it is a drivetrain, 'gearwright run {place.name}' makes one"
            raise ResultError(f"{place}: not a readable result file; {what}") from None
        result = cls(file)
        try:
            _check_version(file.attributes, place)
            check(file)
        except BaseException:
            result.close()
            raise
        return result

    @classmethod
    @contextmanager
    def reading(cls, path: str | os.PathLike[str]) -> Iterator[Result]:
        """Open a result for work that knows what it holds: whatever is not as a run writes it is one ResultError."""
        with cls.open(path) as result, reading(path):
            yield result

    def close(self) -> None:
        """Close the file."""
        self._release()

    def __enter__(self) -> Result:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @cached_property
    def _known_labels(self) -> dict[str, tuple[str, ...]]:
        return {}

    @cached_property
    def dataset(self) -> Any:
        """The file as an xarray Dataset, its values read when they are used."""
        from .labelled import labelled

        return labelled(self.file)

    # --- what there is -------------------------------------------------------------------------------

    @property
    def attributes(self) -> Mapping[str, Attribute]:
        """Facts about the run, as plain Python numbers and strings (arrays where a list of numbers was given)."""
        return {k: v.item() if isinstance(v, np.generic) else v for k, v in self.file.attributes.items()}

    @property
    def incomplete(self) -> str | None:
        """Why the run ended early, or None."""
        reason = self.file.attributes.get("incomplete")
        return None if reason is None else str(reason)

    @property
    def assumed(self) -> list[str]:
        """Values with a physical meaning that nobody gave and the run took, a sentence each."""
        return self._remarks["assumed"]

    @property
    def notes(self) -> list[str]:
        """What else is worth a sentence."""
        return self._remarks["notes"]

    @property
    def warnings(self) -> list[str]:
        """What is likely wrong, a sentence each."""
        return self._remarks["warnings"]

    @cached_property
    def _remarks(self) -> dict[str, list[str]]:
        return sorted_remarks(remarks_in(self.file.attributes))

    @property
    def time(self) -> Float:
        """Times of the stored series [s]."""
        return self.file.values("time")

    @property
    def interval(self) -> float:
        """Interval of the stored series [s]."""
        return float(self.file.attributes["store_interval_s"])

    @cached_property
    def quantities(self) -> dict[str, tuple[str, ...]]:
        """Quantities of every kind of element."""
        found: dict[str, list[str]] = {}
        for name, variable in self.file.variables.items():
            kind, _, quantity = name.partition("_")
            if kind in KINDS and variable.dims == (kind, "time"):
                found.setdefault(kind, []).append(quantity)
        return {kind: tuple(q) for kind, q in found.items()}

    @cached_property
    def channels(self) -> dict[str, tuple[str, str, str]]:
        """Every channel by its name ``element.quantity``: kind, element, quantity."""
        found: dict[str, tuple[str, str, str]] = {}
        for kind, quantities in self.quantities.items():
            for quantity in quantities:
                # an element that has no such quantity has no statistics and no envelope
                present = np.isfinite(self.values(f"{kind}_{quantity}_high")).any(axis=1)
                for element, there in zip(self.elements(kind), present, strict=True):
                    if there:
                        name = f"{element}.{quantity}"
                        found[name if name not in found else f"{kind}.{name}"] = (kind, element, quantity)
        return found

    def elements(self, kind: str) -> tuple[str, ...]:
        """Elements of a kind (mesh, bearing, shaft, machine, body)."""
        if kind not in self.file.sizes:
            raise ResultError(f"{self.path}: nothing of kind '{kind}'; there are {', '.join(self.quantities)}")
        return self._labels(kind)

    def _labels(self, dimension: str) -> tuple[str, ...]:
        if dimension not in self._known_labels:
            self._known_labels[dimension] = tuple(str(e) for e in self.file.values(dimension))
        return self._known_labels[dimension]

    def place(self, name: str) -> tuple[str, int, str]:
        """Variable of a channel in the file, number of its element, unit. Raises ResultError for a name that is not there."""
        name = known_channel(name, self.channels)
        if name not in self.channels:
            raise ResultError(f"{self.path}: no channel '{name}'; there are {', '.join(self.channels)}")
        kind, element, quantity = self.channels[name]
        return f"{kind}_{quantity}", self._labels(kind).index(element), self.unit(f"{kind}_{quantity}")

    def unit(self, variable: str) -> str:
        """Unit of a variable of the file."""
        return str(self.file.variables[variable].attributes.get("units", ""))

    def values(self, variable: str, index: Any = ...) -> NDArray[Any]:
        """Values of a variable of the file, or a part of them."""
        return self.file.values(variable, index)

    # --- series --------------------------------------------------------------------------------------

    def series(self, name: str, quantity: str | None = None, element: str | None = None) -> Any:
        """A stored series as an xarray DataArray.

        ``series("stage1.sun_planet1.force")`` and ``series("stage1.sun_planet1", "force")`` give
        one channel over time; ``series("mesh", "force")`` all elements of a kind (element, time);
        ``series("mesh", "force", "stage1.sun_planet1")`` one of them. Raises ResultError for a name
        that is not there and lists what is.
        """
        return self._labelled(name, quantity, element, "")

    def envelope(self, name: str, quantity: str | None = None, element: str | None = None) -> tuple[Any, Any, Any]:
        """Lowest, mean and highest value per block of time at the counting rate: no peak is lost in a plot."""
        return tuple(self._labelled(name, quantity, element, s) for s in ("_low", "_average", "_high"))  # type: ignore[return-value]

    def _labelled(self, name: str, quantity: str | None, element: str | None, suffix: str) -> Any:
        if name in self.quantities:
            if quantity is None:
                raise ResultError(f"{self.path}: name a quantity of {name}: {', '.join(self.quantities[name])}")
            quantity = known_channel(quantity, self.quantities[name])
            if quantity not in self.quantities[name]:
                raise ResultError(
                    f"{self.path}: {name} has no '{quantity}'; there are {', '.join(self.quantities[name])}"
                )
            array = self.dataset[f"{name}_{quantity}{suffix}"]
            if element is None:
                return array
            if element not in self.elements(name):
                raise ResultError(f"{self.path}: no {name} '{element}'; there are {', '.join(self.elements(name))}")
            return array.sel({name: element})
        full = known_channel(name if quantity is None else f"{name}.{quantity}", self.channels)
        if full not in self.channels:
            raise ResultError(f"{self.path}: no channel '{full}'; there are {', '.join(self.channels)}")
        kind, of, what = self.channels[full]
        return self.dataset[f"{kind}_{what}{suffix}"].sel({kind: of})

    # --- meaning -------------------------------------------------------------------------------------

    def table(self) -> list[ChannelRow]:
        """One row per channel: names, unit, statistics, and damage equivalents where it was counted."""
        rows: list[ChannelRow] = []
        cache: dict[str, NDArray[Any]] = {}
        slopes = [float(m) for m in self.values("exponent")] if "exponent" in self.file.variables else []
        for name, (kind, element, quantity) in self.channels.items():
            variable = f"{kind}_{quantity}"
            for stored in (f"{variable}_statistic", f"{variable}_del"):
                if stored in self.file.variables and stored not in cache:
                    cache[stored] = self.values(stored)
            i = self._labels(kind).index(element)
            low, high, mean, deviation, at_low, at_high = map(float, cache[f"{variable}_statistic"][i])
            values = cache.get(f"{variable}_del")
            counted = values is not None and np.isfinite(values[i]).any()
            equivalents = dict(zip(slopes, map(float, values[i]), strict=True)) if counted else {}  # type: ignore[index]
            who = (name, kind, element, quantity, self.unit(variable))
            rows.append(ChannelRow(*who, low, high, mean, deviation, at_low, at_high, equivalents))
        return rows

    def range_mean(self, name: str) -> Any:
        """Counted cycles of a channel by range (rows) and mean (columns), with their edges: a
        :class:`gearwright.results.rainflow.Matrix`.

        Raises ResultError for a channel that was not counted, or a result of an older version.
        """
        variable, row, _ = self.place(name)
        if f"{variable}_range_mean" not in self.file.variables:
            raise ResultError(f"{self.path}: the cycles of '{name}' were not counted by range and mean")
        counts = np.asarray(self.values(f"{variable}_range_mean", row), float)
        if not np.isfinite(counts).all():
            raise ResultError(f"{self.path}: the cycles of '{name}' were not counted")
        edges = []
        for suffix, bins in (("cycles_edge", counts.shape[0]), ("duration_edge", counts.shape[1])):
            all_edges = np.asarray(self.values(f"{variable}_{suffix}", row), float)
            edges.append(all_edges[:: (len(all_edges) - 1) // bins])
        return Matrix(counts, edges[0], edges[1])

    def plot(self, *names: str, backend: str = "matplotlib", axes: Any = None) -> Any:
        """Channels over time, in units a person reads: matplotlib axes, or with ``backend="plotly"`` a figure.

        Raises ResultError for unknown channels or channels of several units.
        """
        if not names:
            raise ResultError(f"name a channel to plot; there are {', '.join(self.channels)}")
        series = {name: self.series(name) for name in names}
        return plot(self.time, series, self.channels[names[0]][2], backend, axes)

    def _repr_html_(self) -> str:
        facts = [str(self.attributes.get(k, "")) for k in ("drivetrain", "case", "fidelity", "law", "method")]
        time = self.time
        if len(time):
            facts.append(f"{time[0]:g} to {time[-1]:g} s every {self.interval:g} s")
        if self.incomplete:
            facts.append(f"incomplete: {self.incomplete}")
        return html(facts, self.table())

    def psd(
        self, name: str, quantity: str | None = None, *, segment: float | str | None = None, window: str = "hann"
    ) -> Spectrum:
        """One-sided power spectral density of a stored channel, the discarded part left out. ``segment``: length of the
        averaged pieces [s], or text with a unit."""
        segment = optional(segment, "time", "segment")
        series = self.series(name, quantity)
        keep = self.time > self.time[0] - self.interval + float(self.attributes.get("discard_s", 0.0)) + 1e-9
        return power_spectral_density(series.values[..., keep], self.interval, segment, window)

    def density(self, name: str, quantity: str | None = None) -> Spectrum:
        """One-sided power spectral density of a channel at the counting rate, where the case asked for it (``spectra``)."""
        full = name if quantity is None else f"{name}.{quantity}"
        variable, row, _ = self.place(full)
        if f"{variable}_density" not in self.file.variables:
            raise ResultError(f"{self.path}: no density of '{full}' was formed; a case asks for it with 'spectra'")
        value = np.asarray(self.values(f"{variable}_density", row), float)
        return Spectrum(self.values("frequency"), value, str(self.attributes["spectra_method"]))

    def load_sharing(self, prefix: str, quantity: str = "force") -> LoadSharing:
        """Load sharing of planets: of a group of :attr:`planet_groups` by its name (a stage, or a carrier whose planets are spelled
        out), or of the meshes whose names begin with ``prefix``, such as ``stage1.sun_planet``."""
        groups = self.planet_groups
        names = list(groups.get(prefix, ())) or [e for e in self.elements("mesh") if e.startswith(prefix)]
        if not names:
            known = [*groups, *self.elements("mesh")]
            raise ResultError(f"{self.path}: no planets share a load as '{prefix}'; there are {', '.join(known)}")
        if (
            quantity == "force"
            and f"mesh_{quantity}" not in self.file.variables
            and "mesh_torque_first" in self.file.variables
        ):
            quantity = "torque_first"  # wheels known by their teeth alone
        return load_sharing(self.values(f"mesh_{quantity}")[[self._labels("mesh").index(n) for n in names]])

    @cached_property
    def planet_groups(self) -> dict[str, tuple[str, ...]]:
        """Meshes of planets that share a load, by stage or carrier: found by what rides on what, whatever the names."""
        raw = self.attributes.get("drivetrain_json")
        if raw is None:
            return {}
        try:
            train = expand(from_mapping(json.loads(str(raw)), None, ""))
        except (DrivetrainError, ValueError):
            return {}  # of an older version, in words that are not read any more
        stored = set(self.elements("mesh"))
        return {
            name: meshes for name, (_, meshes) in kinematics.planet_groups(train).items() if stored.issuperset(meshes)
        }

    @cached_property
    def energy(self) -> EnergyBook | None:
        """The energy book [J], or None if the run kept none."""
        if "energy" not in self.file.variables or "energy_term" not in self.file.variables:
            return None
        terms = zip(self._labels("energy_term"), map(float, self.values("energy")), strict=True)
        return EnergyBook(dict(terms), float(self.file.variables["energy"].attributes.get("largest", 0.0)))

    def digest(self) -> str:
        """SHA-256 of all variables: two runs are the same when it is."""
        found = hashlib.sha256()
        for name, variable in sorted(self.file.variables.items()):
            values = self.values(name)
            found.update(name.encode())
            found.update(np.ascontiguousarray(values.astype("U") if variable.dtype == object else values).tobytes())
        return found.hexdigest()

    def __repr__(self) -> str:
        sizes = ", ".join(f"{self.file.sizes[k]} {k}" for k in KINDS if k in self.file.sizes)
        time = self.time if "time" in self.file.variables else np.empty(0)
        span = f"{time[0]:g} to {time[-1]:g} s every {self.interval:g} s" if len(time) else "no samples"
        note = f", incomplete: {self.incomplete}" if self.incomplete else ""
        return f"Result({self.path.name}: {span}; {sizes}{note})"
