"""Run-up and coast-down: order map of a channel, and the resonances with their modes."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gearwright.errors import InputError, listed, nearest
from gearwright.system.former import known_channel

from .file import Attribute
from .order_tracks import resonances, turns_to_pass
from .orders import order_map
from .result import Result
from .sound import reading

if TYPE_CHECKING:
    from .order_tracks import Resonance

RPM = 30.0 / math.pi
#: how far a mode may lie from a peak (a fast sweep is behind its mode), as a part of the peak's frequency
FARTHEST = 0.25


class OrderError(InputError):
    """A result that cannot be looked at by orders; the message says what is missing."""


#: kinds and quantities that stand for the load of a train, most telling first
_LOADS = (
    ("mesh", ("force", "drive_force", "torque")),
    ("shaft", ("torque",)),
    ("bearing", ("force",)),
    ("machine", ("torque",)),
)


@dataclass(frozen=True)
class Peak:
    """A resonance: order and line of the shaft, its speed [rpm], frequency [Hz] and amplitude, ``factor`` of the amplitude over that
    beside it, ``at``: ``start`` or ``end`` where it lies at an end of the run; the mode that it meets (number and frequency [Hz]),
    ``energy_share`` of that mode's strain energy in what the line shakes, and ``margin``: speed / operating speed - 1."""

    order: float
    line: str
    speed_rpm: float
    frequency_hz: float
    amplitude: float
    factor: float
    at: str | None
    mode: int | None
    mode_frequency_hz: float | None
    energy_share: float | None
    margin: float | None


@dataclass(frozen=True)
class OrderTable:
    """Amplitude [``unit``] of a channel by block of revolutions (its speed [rpm] and time [s]) and ``order`` of a shaft, and the resonances."""

    channel: str
    unit: str
    shaft: str
    method: str
    revolutions_per_block: int
    order: NDArray[np.float64]
    speed_rpm: NDArray[np.float64]
    time: NDArray[np.float64]
    amplitude: NDArray[np.float64]
    resonances: Sequence[Peak]


def governing_channel(path: str | Path) -> str:
    """The channel of a result with the largest tooth load, else the largest shaft torque, bearing force or machine torque.

    Raises OrderError for a result without any.
    """
    with Result.open(path) as result:
        rows = result.table()
    for kind, quantities in _LOADS:
        for quantity in quantities:
            found = [r for r in rows if r.kind == kind and r.quantity == quantity]
            if found:
                return max(found, key=lambda r: max(abs(r.minimum), abs(r.maximum))).name
    raise OrderError(f"{path}: it has no load of a mesh, shaft, bearing or machine; name a channel")


def orders_of_result(
    path: str | Path,
    channel: str | None = None,
    shaft: str | None = None,
    revolutions: int | None = None,
    model: Mapping[str, Attribute] | None = None,
) -> OrderTable:
    """Order map of a channel over a shaft's turns, and a table of resonances.

    Parameters
    ----------
    path : result of a run whose speed changes (a run-up or coast-down); what the case discards is left out
    channel : ``element.quantity``; default: the largest tooth load of the run, or what :func:`governing_channel` finds
    shaft : body whose turns count; default: the train's input
    revolutions : turns per block of the map; default: as many as the lowest mesh order passes a mode in, 2 to 16
    model : ``modes_json`` and ``campbell_json`` where the result does not hold them (only older ones do)

    Peaks come from blocks that follow the sweep (:mod:`.order_tracks`), not from the map, whose blocks of even revolutions
    smear them.

    Raises OrderError for a channel, shaft or speed that is not there, or a shaft that hardly changes its speed.
    """
    with reading(path):
        return _order_table(path, channel, shaft, revolutions, model or {})


def _order_table(
    path: str | Path, channel: str | None, shaft: str | None, revolutions: int | None, model: Mapping[str, Attribute]
) -> OrderTable:
    channel = channel or governing_channel(path)
    run = _read(path, channel, shaft, model)
    orders = {line.name: line.order / run.ratio for line in run.lines}
    fastest = np.abs(run.speed).max()
    if np.ptp(run.speed) < 0.05 * fastest:
        raise OrderError(
            f"{path}: '{run.shaft}' changes its speed by less than 5 %; an order map needs a run-up or coast-down"
        )
    moving = np.abs(run.speed) > 0.05 * fastest
    first, last = int(np.argmax(moving)), len(moving) - int(np.argmax(moving[::-1]))
    series, speed, interval = run.series[first:last], run.speed[first:last], run.interval
    highest = 1.0 / (2.0 * interval) / (fastest / (2 * math.pi))
    wanted = {name: order for name, order in orders.items() if 0.0 < order < 0.8 * highest}
    if revolutions is None:
        turns = float(np.abs(speed).sum() * interval / (2 * math.pi))
        meshes = [order for name, order in wanted.items() if "mesh" in name]
        passing = 2.0 * turns_to_pass(speed, interval, min(meshes or wanted.values() or [1.0]))
        revolutions = int(max(1, min(16, turns // 24, max(2, passing))))
    samples = 1 << math.ceil(math.log2(2.5 * max([*wanted.values(), 8.0])))
    try:
        found = order_map(series, speed, interval, revolutions=revolutions, samples_per_revolution=samples)
        peaks = resonances(series, speed, interval, list(wanted.values()))
    except ValueError as error:  # too short, or a shaft that reverses
        raise OrderError(f"{path}: {error}") from None
    return OrderTable(
        channel,
        run.unit,
        run.shaft,
        found.method,
        revolutions,
        found.order,
        found.speed * RPM,
        found.time,
        found.amplitude,
        [_met(p, wanted, run) for p in peaks],
    )


class _Line(NamedTuple):
    """A line of the Campbell diagram: order per turn of the input, and the elements that it shakes (None in older results)."""

    name: str
    order: float
    elements: Sequence[str] | None


class _Read(NamedTuple):
    """What a result holds for an order table: series [unit], speed [rad/s] of the shaft, its turns per turn of the input."""

    series: NDArray[np.float64]
    speed: NDArray[np.float64]
    interval: float
    unit: str
    shaft: str
    ratio: float
    operating: float | None
    lines: Sequence[_Line]
    shares: Sequence[tuple[str, int, float]]  # line, number of a mode, part of its energy in what the line shakes
    frequencies: Sequence[float]
    energies: Sequence[Mapping[str, float]]


def _read(path: str | Path, channel: str, shaft: str | None, model: Mapping[str, Attribute]) -> _Read:
    with Result.open(path) as result:
        channel = known_channel(channel, result.channels)
        if channel not in result.channels:
            meant = nearest(channel, result.channels)
            hint = f" Did you mean '{meant}'?" if meant else ""
            raise OrderError(f"{path}: no channel '{channel}'.{hint} There are {listed(sorted(result.channels), 30)}")
        series = np.asarray(result.series(channel), float)
        attributes = {**model, **result.attributes}
        described = _parsed(attributes, "describe_json").get("train", {})
        shaft = shaft or described.get("input")
        if shaft is None:
            raise OrderError(f"{path}: name the shaft whose turns count (the train has no input)")
        if f"{shaft}.speed" not in result.channels:
            raise OrderError(f"{path}: the speed of '{shaft}' was not recorded; add 'bodies' to the case's record")
        speed = np.asarray(result.series(f"{shaft}.speed"), float)
        kept = result.time >= float(attributes.get("discard_s", 0.0))
        unit = result.place(channel)[2]
        interval = result.interval
    campbell, modes = _parsed(attributes, "campbell_json"), _parsed(attributes, "modes_json")
    ratios = described.get("ratios", {})
    own, base = ratios.get(shaft), ratios.get(described.get("input"), 1.0)
    return _Read(
        series[kept],
        speed[kept],
        interval,
        unit,
        shaft,
        abs(own / base) if own and base else 1.0,
        described.get("speed"),
        [_Line(line["name"], line["order"], line.get("elements")) for line in campbell.get("lines", [])],
        [(c["line"], c["mode"], c["share"]) for c in campbell.get("crossings", [])],
        modes.get("frequencies_hz", []),
        modes.get("energies", []),
    )


def _parsed(attributes: Mapping[str, Attribute], name: str) -> Any:
    """The mapping that an attribute holds as JSON, empty where there is none."""
    return json.loads(str(attributes.get(name, "{}")))


def _met(peak: Resonance, wanted: dict[str, float], run: _Read) -> Peak:
    """A resonance with the names of its lines and the mode that it meets."""
    lines = [name for order in (peak.order, *peak.merged) for name, o in wanted.items() if o == order]
    modes = run.frequencies
    mode = min(range(len(modes)), key=lambda i: abs(modes[i] - peak.frequency)) if modes else None
    if mode is not None and abs(modes[mode] - peak.frequency) > FARTHEST * peak.frequency:
        mode = None
    margin = abs(peak.speed) / (abs(run.operating) * run.ratio) - 1.0 if run.operating else None
    return Peak(
        peak.order,
        " or ".join(lines),
        peak.speed * RPM,
        peak.frequency,
        peak.amplitude,
        peak.factor,
        peak.at,
        None if mode is None else mode + 1,
        None if mode is None else modes[mode],
        _share(lines, mode, run),
        margin,
    )


def _share(lines: list[str], mode: int | None, run: _Read) -> float | None:
    """Share of a mode's strain energy in what a line shakes, the largest of several lines."""
    if mode is None:
        return None
    shaken = [line.elements for line in run.lines if line.name in lines and line.elements is not None]
    if shaken and mode < len(run.energies):
        energies = run.energies[mode]
        return max(sum(float(energies.get(name, 0.0)) for name in elements) for elements in shaken)
    return max((share for line, n, share in run.shares if line in lines and n == mode + 1), default=None)
