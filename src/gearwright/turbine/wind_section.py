"""The wind of a case, from its section in a file: ``{type: ntm, class: IIA, mean: 17, seed: 1}``; plain numbers are SI."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

import numpy as np

from gearwright.schema.setup import Wind as Section
from gearwright.schema.setup import wind_problems

from . import fields, gusts
from .model import Turbine, TurbineError
from .wind import Wind, series, steady, steps, turbulent

T = TypeVar("T")


def wind_of(turbine: Turbine, section: Section, duration: float, folder: Path | None = None) -> Wind:
    """Wind of a case of a duration [s]; relative paths start at ``folder``.

    Raises TurbineError for a key that the type does not know and for what is missing.
    """
    for _, message, allowed, _ in wind_problems(section):
        raise TurbineError(f"{message}; it knows {allowed}")
    return _MAKERS[section.type](turbine, _Given(section, duration, folder))


@dataclass(frozen=True)
class _Given:
    """The section of one wind, and what the run adds to it."""

    section: Section
    duration: float
    folder: Path | None

    def need(self, value: T | None, name: str) -> T:
        """A value that must be there."""
        if value is None:
            raise TurbineError(f"wind of type {self.section.type} needs '{name}'")
        return value

    def mean(self, least: float = 0.0) -> float:
        """Mean speed [m/s]; a spectrum, one over f mean/length, needs wind that moves."""
        found = self.need(self.section.mean, "mean")
        if found < least:
            raise TurbineError(f"wind of type {self.section.type}: mean is a number from {least:g}, not '{found:g}'")
        return found

    def path(self, name: str | Path) -> Path:
        """A file, beside the one with the section where its path is relative."""
        p = Path(name).expanduser()
        return p if p.is_absolute() or self.folder is None else Path(self.folder) / p

    @property
    def shear(self) -> float:
        """Exponent of the power profile."""
        return 0.2 if self.section.shear is None else self.section.shear

    @property
    def wind_class(self) -> str:
        """Class of IEC 61400-1."""
        return self.section.class_ or "IIA"


def _steady(turbine: Turbine, given: _Given) -> Wind:
    s = given.section
    return steady(turbine, given.mean(), direction=s.direction or 0.0, shear=given.shear, roughness=s.roughness)


def _steps(turbine: Turbine, given: _Given) -> Wind:
    s = given.section
    each = 60.0 if s.each is None else s.each
    rise = min(1.0, 0.5 * each) if s.rise is None else s.rise
    if rise >= each:
        raise TurbineError(f"wind of type steps: a rise of {rise:g} s does not end within a step of {each:g} s")
    return steps(turbine, given.need(s.speeds, "speeds"), each=each, rise=rise, shear=given.shear)


def _series(turbine: Turbine, given: _Given) -> Wind:
    s = given.section
    if s.path is not None:
        columns = s.time_column or 0, 1 if s.speed_column is None else s.speed_column
        time, speed = fields.read_series(given.path(s.path), *columns)
    else:
        time, speed = np.array(given.need(s.time, "time")), np.array(given.need(s.speed, "speed"))
    return series(turbine, time, speed, shear=given.shear, roughness=s.roughness)


def _turbulent(turbine: Turbine, given: _Given) -> Wind:
    s = given.section
    return turbulent(
        turbine,
        given.mean(0.5),
        given.need(s.seed, "seed"),
        wind=given.wind_class,
        model=s.type,
        duration=given.duration,
        deviation=s.deviation,
        shear=given.shear,
        roughness=s.roughness,
        spectrum=s.spectrum or "kaimal",
        scaled=bool(s.scaled),
        key=s.key or "",
        rings=s.rings or 8,
        azimuths=s.azimuths or 24,
    )


def _bts(turbine: Turbine, given: _Given) -> Wind:
    return fields.turbsim(turbine, given.path(given.need(given.section.path, "path")))


def _mann(turbine: Turbine, given: _Given) -> Wind:
    s = given.section
    return fields.mann(
        turbine,
        [given.path(p) for p in given.need(s.paths, "paths")],
        given.mean(0.5),
        tuple(given.need(s.points, "points")),
        tuple(given.need(s.spacing, "spacing")),
        deviation=s.deviation,
        shear=given.shear,
        roughness=s.roughness,
    )


def _gust(function: Callable[..., Wind], *options: Literal["sign", "plane"]) -> Callable[[Turbine, _Given], Wind]:
    def made(turbine: Turbine, given: _Given) -> Wind:
        s = given.section
        more = {key: value for key in options if (value := getattr(s, key)) is not None}
        return function(
            turbine,
            given.mean(0.5),
            wind=given.wind_class,
            start=60.0 if s.start is None else s.start,
            shear=given.shear,
            **more,
        )

    return made


_MAKERS: dict[str, Callable[[Turbine, _Given], Wind]] = {
    "steady": _steady,
    "steps": _steps,
    "series": _series,
    "ntm": _turbulent,
    "etm": _turbulent,
    "bts": _bts,
    "mann": _mann,
    "eog": _gust(gusts.operating_gust),
    "ecd": _gust(gusts.coherent_gust),
    "edc": _gust(gusts.direction_change, "sign"),
    "ews": _gust(gusts.wind_shear, "sign", "plane"),
}
