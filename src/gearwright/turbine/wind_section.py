"""The wind of a case, from its section in a file: ``{type: ntm, class: IIA, mean: 17, seed: 1}``; plain numbers are SI."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gearwright.schema.setup import WIND_COMMON, WIND_KEYS

from . import fields, gusts
from .model import Turbine, TurbineError
from .wind import Wind, series, steady, steps, turbulent


def wind_of(turbine: Turbine, data: Mapping[str, Any], duration: float, folder: Path | None = None) -> Wind:
    """Wind of a case of a duration [s]; relative paths start at ``folder``.

    Raises TurbineError for an unknown type or key and for what is missing.
    """
    kind = str(data.get("type", "steady"))
    if kind not in WIND_KEYS:
        raise TurbineError(f"wind of type '{kind}' is not one of {', '.join(WIND_KEYS)}")
    wrong = sorted(set(data) - WIND_COMMON - WIND_KEYS[kind])
    if wrong:
        raise TurbineError(
            f"wind of type {kind} knows no '{wrong[0]}'; it knows {', '.join(sorted(WIND_COMMON | WIND_KEYS[kind]))}"
        )
    return _MAKERS[kind](turbine, _Section(kind, data, duration, folder))


@dataclass(frozen=True)
class _Section:
    """The section of one wind: its values, checked where they are read."""

    kind: str
    data: Mapping[str, Any]
    duration: float
    folder: Path | None

    def need(self, name: str) -> Any:
        """A value that must be there."""
        if name not in self.data:
            raise TurbineError(f"wind of type {self.kind} needs '{name}'")
        return self.data[name]

    def number(self, name: str, default: float | None = None, least: float = 0.0) -> float:
        """A finite number from ``least``; without a default it must be there."""
        value = self.need(name) if default is None else self.data.get(name, default)
        try:
            found = math.nan if isinstance(value, bool) else float(value)
        except (TypeError, ValueError):
            found = math.nan
        if not least <= found < math.inf:
            raise TurbineError(f"wind of type {self.kind}: {name} is a number from {least:g}, not '{value}'")
        return found

    def whole(self, name: str, least: int = 0) -> int:
        """A whole number from ``least`` that must be there."""
        found = self.number(name, None, least)
        if found != int(found):
            raise TurbineError(f"wind of type {self.kind}: {name} is a whole number, not {found:g}")
        return int(found)

    def numbers(self, name: str) -> list[float]:
        """A list of finite numbers that must be there."""
        try:
            found = [float(x) for x in self.need(name)]
        except (TypeError, ValueError):
            found = []
        if not found or not all(math.isfinite(x) for x in found):
            raise TurbineError(f"wind of type {self.kind}: {name} is a list of numbers, not '{self.data[name]}'")
        return found

    def path(self, name: str | Path) -> Path:
        """A file, beside the one with the section where its path is relative."""
        p = Path(name).expanduser()
        return p if p.is_absolute() or self.folder is None else Path(self.folder) / p

    @property
    def shear(self) -> dict[str, Any]:
        """Exponent of the power profile and roughness length [m] of the logarithmic one (None: the power profile)."""
        rough = None if self.data.get("roughness") is None else self.number("roughness", least=1e-6)
        return {"shear": self.number("shear", 0.2, least=-1.0), "roughness": rough}

    @property
    def deviation(self) -> float | None:
        """Standard deviation [m/s]; None where the section has none."""
        return None if self.data.get("deviation") is None else self.number("deviation")


def _steady(turbine: Turbine, section: _Section) -> Wind:
    shear = section.shear
    return steady(turbine, section.number("mean"), direction=section.number("direction", 0.0, -math.pi), **shear)


def _steps(turbine: Turbine, section: _Section) -> Wind:
    shear = section.shear["shear"]
    each = section.number("each", 60.0, least=1e-3)
    rise = section.number("rise", min(1.0, 0.5 * each), least=1e-3)
    if rise >= each:
        raise TurbineError(f"wind of type steps: a rise of {rise:g} s does not end within a step of {each:g} s")
    return steps(turbine, section.numbers("speeds"), each=each, rise=rise, shear=shear)


def _series(turbine: Turbine, section: _Section) -> Wind:
    shear, data = section.shear, section.data
    if "path" in data:
        columns = int(data.get("time_column", 0)), int(data.get("speed_column", 1))
        time, speed = fields.read_series(section.path(data["path"]), *columns)
    else:
        time, speed = np.array(section.numbers("time")), np.array(section.numbers("speed"))
    return series(turbine, time, speed, **shear)


def _turbulent(turbine: Turbine, section: _Section) -> Wind:
    shear, data = section.shear, section.data
    options = {k: data[k] for k in ("spectrum", "scaled", "key") if k in data}
    options.update({k: section.whole(k, least=2) for k in ("rings", "azimuths") if k in data})
    deviation = section.deviation
    # the spectrum is one over f mean/length: it needs wind that moves
    return turbulent(turbine, section.number("mean", least=0.5), section.whole("seed"), wind=str(data.get("class", "IIA")),
                     model=section.kind, duration=section.duration, deviation=deviation, **shear, **options)  # fmt: skip


def _bts(turbine: Turbine, section: _Section) -> Wind:
    section.shear  # noqa: B018 - checked, though the file has its own
    return fields.turbsim(turbine, section.path(section.need("path")))


def _mann(turbine: Turbine, section: _Section) -> Wind:
    shear = section.shear
    return fields.mann(
        turbine, [section.path(p) for p in section.need("paths")], section.number("mean", least=0.5),
        tuple(int(n) for n in section.numbers("points")), tuple(section.numbers("spacing")),
        deviation=section.deviation, **shear,
    )  # fmt: skip


def _gust(function: Callable[..., Wind]) -> Callable[[Turbine, _Section], Wind]:
    def made(turbine: Turbine, section: _Section) -> Wind:
        shear, data = section.shear["shear"], section.data
        options = {k: data[k] for k in ("sign", "plane") if k in data}
        return function(turbine, section.number("mean", least=0.5), wind=str(data.get("class", "IIA")),
                        start=section.number("start", 60.0), shear=shear, **options)  # fmt: skip

    return made


_MAKERS: dict[str, Callable[[Turbine, _Section], Wind]] = {
    "steady": _steady, "steps": _steps, "series": _series, "ntm": _turbulent, "etm": _turbulent, "bts": _bts, "mann": _mann,
    "eog": _gust(gusts.operating_gust), "ecd": _gust(gusts.coherent_gust), "edc": _gust(gusts.direction_change),
    "ews": _gust(gusts.wind_shear),
}  # fmt: skip
