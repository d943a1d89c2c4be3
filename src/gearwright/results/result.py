"""A result file, opened: labelled series, statistics, cycles, energy."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.remarks import remarks_in, sorted_remarks
from gearwright.units import optional

from .derive import LoadSharing, load_sharing
from .energy import EnergyBook
from .layout import KINDS, ResultError
from .sound import guarded, reading
from .spectra import Spectrum, power_spectral_density
from .store import FORMAT, STATISTICS

Float = NDArray[np.float64]


def _check_version(dataset: Any, path: Path) -> None:
    version = dataset.attrs.get("gearwright_format")
    if version is None:
        raise ResultError(f"{path}: not a result of Gearwright (no attribute gearwright_format)")
    if not isinstance(version, (int, float, np.number)) or not np.isfinite(version):
        raise ResultError(f"{path}: the result is damaged: gearwright_format is {str(version)[:40]!r}")
    if int(version) != FORMAT:
        age = "newer" if int(version) > FORMAT else "older"
        raise ResultError(f"{path}: layout {int(version)} is {age} than layout {FORMAT}, which this version reads")


class Result:
    """One run. Made by :meth:`open`; ``dataset`` is the xarray Dataset below it, read when it is used."""

    def __init__(self, dataset: Any, path: Path):
        self.dataset = dataset
        self.path = path

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Result:
        """Open a result file.

        Raises ResultError if it does not exist, is cut off or no netCDF file, was not written by Gearwright, or
        has a newer or older layout than this version reads.
        """
        import xarray

        place = Path(path)
        if not place.is_file():
            beside = sorted(p.name for p in place.parent.glob("*.nc"))
            near = get_close_matches(place.name, beside, 1)
            hint = f". Did you mean '{place.with_name(near[0])}'?" if near else ""
            raise ResultError(f"{place}: there is no such file{hint}")
        try:
            dataset = xarray.open_dataset(place, engine="netcdf4", decode_times=False, decode_cf=True)
        except Exception as error:
            what = f"it is cut off or of another kind ({error})"
            if place.suffix.lower() in (".yaml", ".yml"):
                what = f"if it is a drivetrain, 'gearwright run {place.name}' makes one"
            raise ResultError(f"{place}: not a readable result file; {what}") from None
        try:
            _check_version(dataset, place)
            return cls(guarded(dataset, place), place)
        except BaseException:
            dataset.close()
            raise

    @classmethod
    @contextmanager
    def reading(cls, path: str | os.PathLike[str]) -> Iterator[Result]:
        """Open a result for work that knows what it holds: whatever is not as a run writes it is one ResultError."""
        with cls.open(path) as result, reading(path):
            yield result

    def close(self) -> None:
        """Close the file."""
        self.dataset.close()

    def __enter__(self) -> Result:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:  # fmt: skip
        self.close()

    # --- what there is -------------------------------------------------------------------------------

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Facts about the run, as plain Python numbers and strings (arrays where a list of numbers was given)."""
        return {k: v.item() if isinstance(v, np.generic) else v for k, v in self.dataset.attrs.items()}

    @property
    def incomplete(self) -> str | None:
        """Why the run ended early, or None."""
        return self.dataset.attrs.get("incomplete")

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
        return sorted_remarks(remarks_in(self.dataset.attrs))

    @property
    def time(self) -> Float:
        """Times of the stored series [s]."""
        return np.asarray(self.dataset["time"].values)

    @property
    def interval(self) -> float:
        """Interval of the stored series [s]."""
        return float(self.dataset.attrs["store_interval_s"])

    @cached_property
    def quantities(self) -> dict[str, tuple[str, ...]]:
        """Quantities of every kind of element."""
        found: dict[str, list[str]] = {}
        for name, variable in self.dataset.data_vars.items():
            kind = str(name).split("_", 1)[0]
            if kind in KINDS and variable.dims == (kind, "time"):
                found.setdefault(kind, []).append(str(name).split("_", 1)[1])
        return {kind: tuple(q) for kind, q in found.items()}

    @cached_property
    def channels(self) -> dict[str, tuple[str, str, str]]:
        """Every channel by its name ``element.quantity``: kind, element, quantity."""
        found: dict[str, tuple[str, str, str]] = {}
        for kind, quantities in self.quantities.items():
            for quantity in quantities:
                # an element that has no such quantity has no statistics and no envelope
                present = np.isfinite(self.dataset[f"{kind}_{quantity}_high"].values).any(axis=1)
                for element, there in zip(self.elements(kind), present, strict=True):
                    if there:
                        name = f"{element}.{quantity}"
                        found[name if name not in found else f"{kind}.{name}"] = (kind, element, quantity)
        return found

    def elements(self, kind: str) -> tuple[str, ...]:
        """Elements of a kind (mesh, bearing, shaft, machine, body)."""
        if kind not in self.dataset.dims:
            raise ResultError(f"{self.path}: nothing of kind '{kind}'; there are {', '.join(self.quantities)}")
        return tuple(str(e) for e in self.dataset[kind].values)

    # --- series --------------------------------------------------------------------------------------

    def series(self, name: str, quantity: str | None = None, element: str | None = None) -> Any:
        """A stored series as an xarray DataArray.

        ``series("stage1.sun_planet1.normal_force")`` and ``series("stage1.sun_planet1", "normal_force")`` give
        one channel over time; ``series("mesh", "normal_force")`` all elements of a kind (element, time);
        ``series("mesh", "normal_force", "stage1.sun_planet1")`` one of them. Raises ResultError for a name
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
        full = name if quantity is None else f"{name}.{quantity}"
        if full not in self.channels:
            raise ResultError(f"{self.path}: no channel '{full}'; there are {', '.join(self.channels)}")
        kind, of, what = self.channels[full]
        return self.dataset[f"{kind}_{what}{suffix}"].sel({kind: of})

    # --- meaning -------------------------------------------------------------------------------------

    def table(self) -> list[dict[str, Any]]:
        """One row per channel: name, kind, element, quantity, unit, statistics, and ``del`` by exponent if counted."""
        rows: list[dict[str, Any]] = []
        cache: dict[str, Any] = {}
        for name, (kind, element, quantity) in self.channels.items():
            variable = f"{kind}_{quantity}"
            for ending in ("_statistic", "_del"):
                if variable + ending in self.dataset and variable + ending not in cache:
                    cache[variable + ending] = self.dataset[variable + ending].values
            i = self.elements(kind).index(element)
            row: dict[str, Any] = {"name": name, "kind": kind, "element": element, "quantity": quantity,
                                   "unit": self.dataset[variable].attrs.get("units", "")}  # fmt: skip
            row.update(zip(STATISTICS, (float(x) for x in cache[f"{variable}_statistic"][i]), strict=True))
            values = cache.get(f"{variable}_del")
            if values is not None and np.isfinite(values[i]).any():
                slopes = self.dataset["exponent"].values
                row["del"] = {float(m): float(x) for m, x in zip(slopes, values[i], strict=True)}
            rows.append(row)
        return rows

    def range_mean(self, name: str) -> Any:
        """Counted cycles of a channel by range (rows) and mean (columns), with their edges: a
        :class:`gearwright.results.rainflow.Matrix`.

        Raises ResultError for a channel that was not counted, or a result of an older version.
        """
        from gearwright.results.rainflow import Matrix

        if name not in self.channels:
            raise ResultError(f"{self.path}: no channel '{name}'; there are {', '.join(self.channels)}")
        kind, element, quantity = self.channels[name]
        variable = f"{kind}_{quantity}"
        if f"{variable}_range_mean" not in self.dataset:
            raise ResultError(f"{self.path}: the cycles of '{name}' were not counted by range and mean")
        rows = self.dataset.sel({kind: element})
        counts = np.asarray(rows[f"{variable}_range_mean"].values, float)
        if not np.isfinite(counts).all():
            raise ResultError(f"{self.path}: the cycles of '{name}' were not counted")
        edges = []
        for suffix, bins in (("cycles_edge", counts.shape[0]), ("duration_edge", counts.shape[1])):
            all_edges = np.asarray(rows[f"{variable}_{suffix}"].values, float)
            edges.append(all_edges[:: (len(all_edges) - 1) // bins])
        return Matrix(counts, edges[0], edges[1])

    def plot(self, *names: str, backend: str = "matplotlib", axes: Any = None) -> Any:
        """Channels over time, in units a person reads: matplotlib axes, or with ``backend="plotly"`` a figure.

        Raises ResultError for unknown channels or channels of several units.
        """
        from .plots import plot

        return plot(self, names, backend, axes)

    def _repr_html_(self) -> str:
        from .plots import html

        return html(self)

    def psd(self, name: str, quantity: str | None = None, *, segment: float | str | None = None,
            window: str = "hann") -> Spectrum:  # fmt: skip
        """One-sided power spectral density of a stored channel, the discarded part left out. ``segment``: length of the
        averaged pieces [s], or text with a unit."""
        segment = optional(segment, "time", "segment")
        series = self.series(name, quantity)
        keep = self.time > self.time[0] - self.interval + float(self.attributes.get("discard_s", 0.0)) + 1e-9
        return power_spectral_density(series.values[..., keep], self.interval, segment, window)

    def density(self, name: str, quantity: str | None = None) -> Spectrum:
        """One-sided power spectral density of a channel at the counting rate, where the case asked for it (``spectra``)."""
        full = name if quantity is None else f"{name}.{quantity}"
        if full not in self.channels:
            raise ResultError(f"{self.path}: no channel '{full}'; there are {', '.join(self.channels)}")
        kind, element, what = self.channels[full]
        variable = f"{kind}_{what}_density"
        if variable not in self.dataset:
            raise ResultError(f"{self.path}: no density of '{full}' was formed; a case asks for it with 'spectra'")
        value = np.asarray(self.dataset[variable].sel({kind: element}).values, float)
        return Spectrum(np.asarray(self.dataset["frequency"].values), value, str(self.attributes["spectra_method"]))

    def load_sharing(self, prefix: str, quantity: str = "normal_force") -> LoadSharing:
        """Load sharing of planets: of a group of :attr:`planet_groups` by its name (a stage, or a carrier whose planets are spelled
        out), or of the meshes whose names begin with ``prefix``, such as ``stage1.sun_planet``."""
        groups = self.planet_groups
        names = list(groups.get(prefix, ())) or [e for e in self.elements("mesh") if e.startswith(prefix)]
        if not names:
            known = [*groups, *self.elements("mesh")]
            raise ResultError(f"{self.path}: no planets share a load as '{prefix}'; there are {', '.join(known)}")
        if (
            quantity == "normal_force"
            and f"mesh_{quantity}" not in self.dataset
            and "mesh_torque_first" in self.dataset
        ):
            quantity = "torque_first"  # wheels known by their teeth alone
        return load_sharing(self.dataset[f"mesh_{quantity}"].sel(mesh=names).values)

    @cached_property
    def planet_groups(self) -> dict[str, tuple[str, ...]]:
        """Meshes of planets that share a load, by stage or carrier: found by what rides on what, whatever the names."""
        from gearwright.errors import DrivetrainError
        from gearwright.schema.read import from_mapping
        from gearwright.train.expand import expand
        from gearwright.train.kinematics import planet_groups

        raw = self.attributes.get("drivetrain_json")
        if raw is None:
            return {}
        try:
            train = expand(from_mapping(json.loads(str(raw)), None, ""))
        except (DrivetrainError, ValueError):
            return {}  # of an older version, in words that are not read any more
        stored = set(self.elements("mesh"))
        return {name: meshes for name, (_, meshes) in planet_groups(train).items() if stored.issuperset(meshes)}

    @cached_property
    def energy(self) -> EnergyBook | None:
        """The energy book [J], or None if the run kept none."""
        if "energy" not in self.dataset:
            return None
        book = self.dataset["energy"]
        terms = zip(self.dataset["energy_term"].values, book.values, strict=True)
        largest = float(book.attrs.get("largest", 0.0))
        return EnergyBook({str(name): float(value) for name, value in terms}, largest)

    def __repr__(self) -> str:
        sizes = ", ".join(f"{self.dataset.sizes[k]} {k}" for k in KINDS if k in self.dataset.sizes)
        time = self.dataset["time"]
        span = f"{float(time[0]):g} to {float(time[-1]):g} s every {self.interval:g} s" if time.size else "no samples"
        note = f", incomplete: {self.incomplete}" if self.incomplete else ""
        return f"Result({self.path.name}: {span}; {sizes}{note})"
