"""Two sources of loads side by side: results or campaigns, fidelities, drivetrains; or two channels of one source."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import ClassVar

import numpy as np

from gearwright.errors import listed, nearest
from gearwright.rating.extremes import mean_equivalent
from gearwright.remarks import warning
from gearwright.results import Result
from gearwright.schema.places import Values
from gearwright.system.former import present

from .folder import CampaignError, Folder
from .line import Figures
from .work import figures

#: figures of every run by channel
Runs = dict[str, list[Figures]]


@dataclass(frozen=True)
class Loads:
    """Loads of a source: by group (JSON of the grid's values, seeds left out) and channel the figures of every run."""

    name: str
    paths: tuple[str, ...]
    groups: dict[str, Runs]
    case: str = ""
    model: str = ""
    #: counted time [s] of every run
    counted: tuple[float, ...] = ()

    @property
    def channels(self) -> list[str]:
        """Names of the channels."""
        return list(dict.fromkeys(name for channels in self.groups.values() for name in channels))


@dataclass(frozen=True)
class Ratio:
    """A load of two sources: ``figure`` is ``mean``, ``std``, ``max`` (mean of the largest magnitudes) or ``del_m``;
    ``ratio`` is second over first, not-a-number where one of both is no more than ``least``, the round-off of the
    largest load of its unit."""

    group: Values
    first_channel: str
    second_channel: str
    unit: str
    figure: str
    first: float
    second: float
    runs: tuple[int, int]
    least: float = 0.0
    #: what else is told of it as JSON
    TOLD: ClassVar = ("ratio",)

    @property
    def ratio(self) -> float:
        """Second over first."""
        return self.second / self.first if min(abs(self.first), abs(self.second)) > self.least else float("nan")


def loads_of(source: str | Path) -> Loads:
    """Loads of a result file or of a campaign's folder.

    Raises CampaignError or ResultError for anything else.
    """
    place = Path(source)
    if place.is_dir():
        folder = Folder(place)
        plan = folder.plan()
        groups: dict[str, Runs] = {}
        counted = []
        for line in folder.finished(plan):
            counted.append(float(line.get("duration_s") or math.nan))
            key = json.dumps([str(line["values"].get(path)) for path in plan.group])
            for name, channel in line["channels"].items():
                groups.setdefault(key, {}).setdefault(name, []).append(channel)
        if not groups:
            raise CampaignError(f"{place}: no run of this campaign is finished")
        return Loads(
            place.name, tuple(plan.group), groups, plan.case, str(plan.facts.get("drivetrain", "")), tuple(counted)
        )
    with Result.reading(place) as result:
        facts = result.attributes
        model = f"{facts.get('drivetrain', '')}, {facts.get('fidelity', '')} {facts.get('law', '')}".strip(", ")
        channels = {name: [channel] for name, channel in figures(place)[0].items()}
    own = float(facts.get("counted_duration_s", math.nan))
    return Loads(place.stem, (), {"[]": channels}, str(facts.get("case", "")), model, (own,))


#: longest over shortest counted time above which extremes of two sources are not to be compared
MOST_LONGER = 1.5


def doubts(a: Loads, b: Loads) -> list[str]:
    """Warnings on a comparison: lengths that differ much."""
    lengths = [float(np.nanmean(x.counted)) if x.counted and np.isfinite(x.counted).any() else math.nan for x in (a, b)]
    if not min(lengths) > 0.0 or max(lengths) < MOST_LONGER * min(lengths):
        return []
    return [
        warning(
            f"{a.name} counts {lengths[0]:.4g} s a run and {b.name} {lengths[1]:.4g} s: maxima grow with the length of a run, and equivalent "
            f"ranges are those of different stretches"
        )
    ]


def compare(
    first: str | Path,
    second: str | Path | None = None,
    channels: Sequence[str] = (),
    *,
    against: str | None = None,
    arm: float | None = None,
) -> tuple[Loads, Loads, list[Ratio]]:
    """Compare the loads of two sources, group by group.

    Parameters
    ----------
    first, second : result files or folders of campaigns; without ``second``, ``against`` names a channel of ``first``
    channels : shell patterns; none: all forces and torques that both have
    against : compare each of ``channels`` (second) with this channel (first), such as the planet bearings with the
        kinematic estimate ``stage1.planet_bearing_kinematic.force``
    arm : length [m] over which the torque ``against`` is compared with forces: for planet bearings N r_c (S1 eq. 4.4)

    Groups are matched by the values that both grids vary. Raises CampaignError for a channel or group that is missing.
    """
    a = loads_of(first)
    b = a if second is None else loads_of(second)
    if second is None and against is None:
        raise CampaignError("a comparison needs two sources, or one source and --against CHANNEL")
    if against is not None and against not in a.channels:
        raise CampaignError(_no_channel(a, against))
    if arm is not None and (against is None or not 0.0 < arm < math.inf):
        raise CampaignError("an arm is a positive length [m] and goes with --against CHANNEL, a torque")
    names = _chosen(a, b, channels, against)
    least = _round_off(a)
    rows: list[Ratio] = []
    for group, ours, theirs in _matched(a, b):
        for name in names:
            base = against or name
            if base in ours and name in theirs:
                found = _forces(ours[base], theirs[name], base, name, arm)
                rows += _ratios(group, base, name, found, theirs[name], least)
    if not rows:
        raise CampaignError(
            f"{a.name} and {b.name} have no group of runs in common: {', '.join(a.paths)} and {', '.join(b.paths)} vary"
        )
    return a, b, rows


def _forces(base: list[Figures], other: list[Figures], base_name: str, name: str, arm: float | None) -> list[Figures]:
    """Figures of a channel as it is compared with another: a torque over its arm where that is a force."""
    units = base[0]["unit"], other[0]["unit"]
    if arm is None and units[0] == units[1]:
        return base
    if units != ("N m", "N"):
        raise CampaignError(
            f"{name} [{units[1]}] is not to be compared with {base_name} [{units[0]}]"
            + (", whatever the arm" if arm is not None else "")
        )
    if arm is None:
        raise CampaignError(
            f"{base_name} is a torque and {name} a force: give --arm, for planet bearings their number times "
            f"the radius of their pins [m]"
        )
    made = []
    for run in base:
        low, high = sorted((abs(run["min"]), abs(run["max"])))
        low = 0.0 if run["min"] < 0.0 < run["max"] else low
        changed: Figures = {
            **run,
            "min": low / arm,
            "max": high / arm,
            "mean": abs(run["mean"]) / arm,
            "std": run["std"] / arm,
            "unit": "N",
            "del": {m: v / arm for m, v in run.get("del", {}).items()},
        }
        made.append(changed)
    return made


def _chosen(a: Loads, b: Loads, patterns: Sequence[str], against: str | None) -> list[str]:
    both = [n for n in b.channels if against is not None or n in a.channels]
    patterns = [p if any(fnmatch(n, p) for n in both) else present(p) for p in patterns]
    if patterns:
        for pattern in patterns:
            if not any(fnmatch(n, pattern) for n in both):
                raise CampaignError(_no_channel(b, pattern))
        return [n for n in both if any(fnmatch(n, p) for p in patterns)]
    units = {n: c[0]["unit"] for channels in b.groups.values() for n, c in channels.items()}
    if against is not None:
        raise CampaignError("--against needs --channel: which channels are compared with it")
    return [n for n in both if units[n] in ("N", "N m")]


def _no_channel(loads: Loads, name: str) -> str:
    meant = nearest(name, loads.channels)
    hint = f" Did you mean '{meant}'?" if meant else ""
    return f"{loads.name} has no channel '{name}'; there are {listed(loads.channels, 12)}.{hint}"


def _matched(a: Loads, b: Loads) -> Iterator[tuple[Values, Runs, Runs]]:
    common = [p for p in a.paths if p in b.paths]

    def keyed(loads: Loads) -> dict[str, Runs]:
        found: dict[str, Runs] = {}
        for key, channels in loads.groups.items():
            values = dict(zip(loads.paths, json.loads(key), strict=True))
            joined = found.setdefault(json.dumps([values[p] for p in common]), {})
            for name, runs in channels.items():
                joined.setdefault(name, []).extend(runs)
        return found

    ours, theirs = keyed(a), keyed(b)
    for key, channels in ours.items():
        if key in theirs:
            yield dict(zip(common, json.loads(key), strict=True)), channels, theirs[key]


def _round_off(loads: Loads) -> dict[str, float]:
    """What is no load but round-off, by unit: 1e-9 of the largest one (a steady run has such standard deviations)."""
    largest: dict[str, float] = {}
    for channels in loads.groups.values():
        for one in (one for runs in channels.values() for one in runs):
            largest[one["unit"]] = max(largest.get(one["unit"], 0.0), abs(one["max"]), abs(one["min"]))
    return {unit: 1e-9 * value for unit, value in largest.items()}


def _ratios(
    group: Values, base: str, name: str, ours: list[Figures], theirs: list[Figures], least: dict[str, float]
) -> Iterator[Ratio]:
    unit, runs = ours[0]["unit"], (len(ours), len(theirs))

    def of(kind: str, runs_of: list[Figures]) -> float:
        if kind == "mean":
            return float(np.mean([c["mean"] for c in runs_of]))
        if kind == "std":
            return float(np.sqrt(np.mean([c["std"] ** 2 for c in runs_of])))
        if kind == "max":
            return float(np.mean([max(abs(c["max"]), abs(c["min"])) for c in runs_of]))
        m = kind.removeprefix("del_")
        return float(mean_equivalent([c["del"][m] for c in runs_of], float(m)))

    exponents = [m for m in ours[0].get("del", {}) if all(m in c.get("del", {}) for c in [*ours, *theirs])]
    for kind in ("mean", "std", "max", *(f"del_{m}" for m in exponents)):
        yield Ratio(group, base, name, unit, kind, of(kind, ours), of(kind, theirs), runs, least.get(unit, 0.0))
