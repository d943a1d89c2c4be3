"""Run-up and coast-down: order map of a channel, and the resonances with their modes."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from gearwright.drivetrain.errors import listed, nearest

from .sound import reading


class OrderError(ValueError):
    """A result that cannot be looked at by orders; the message says what is missing."""


#: kinds and quantities that stand for the load of a train, most telling first
_LOADS = (
    ("mesh", ("normal_force", "drive_force", "force", "torque")), ("shaft", ("torque",)), ("bearing", ("force",)),
    ("machine", ("torque",)),
)  # fmt: skip


def governing_channel(path: str | Path) -> str:
    """The channel of a result with the largest tooth load, else the largest shaft torque, bearing force or machine torque.

    Raises OrderError for a result without any.
    """
    from .result import Result

    with Result.open(path) as result:
        rows = result.table()
    for kind, quantities in _LOADS:
        for quantity in quantities:
            found = [r for r in rows if r["kind"] == kind and r["quantity"] == quantity]
            if found:
                return str(max(found, key=lambda r: max(abs(r["minimum"]), abs(r["maximum"])))["name"])
    raise OrderError(f"{path}: it has no load of a mesh, shaft, bearing or machine; name a channel")


def orders_of_result(
    path: str | Path, channel: str | None = None, shaft: str | None = None, revolutions: int | None = None
) -> dict[str, Any]:
    """Order map of a channel over a shaft's turns, and a table of resonances.

    Parameters
    ----------
    path : result of a run whose speed changes (a run-up or coast-down)
    channel : ``element.quantity``; default: the largest tooth load of the run, or what :func:`governing_channel` finds
    shaft : body whose turns count; default: the train's input
    revolutions : turns per block of the map; default: one that resolves the lowest mesh order in 16 lines

    Returns
    -------
    A dict with ``channel, unit, shaft, method``, the map (``order, speed_rpm, amplitude``) and ``resonances``: one
    entry per peak with ``order, line, speed_rpm, frequency_hz, amplitude, factor, mode, mode_frequency_hz,
    energy_share, margin``. ``energy_share`` is that of the mode's strain energy in what the line shakes; ``margin`` is
    speed / operating speed - 1.

    Raises OrderError for a channel, shaft or speed that is not there, or a shaft that hardly changes its speed.
    """
    with reading(path):
        return _order_table(path, channel, shaft, revolutions)


def _order_table(path: str | Path, channel: str | None, shaft: str | None, revolutions: int | None) -> dict[str, Any]:
    from .orders import order_map, resonance_peaks
    from .result import Result

    channel = channel or governing_channel(path)
    with Result.open(path) as result:
        if channel not in result.channels:
            meant = nearest(channel, result.channels)
            hint = f" Did you mean '{meant}'?" if meant else ""
            raise OrderError(f"{path}: no channel '{channel}'.{hint} There are {listed(sorted(result.channels), 30)}")
        series = np.asarray(result.series(channel), float)
        attributes = dict(result.attributes)
        described = json.loads(attributes.get("describe_json", "{}")).get("train", {})
        shaft = shaft or described.get("input")
        if shaft is None:
            raise OrderError(f"{path}: name the shaft whose turns count (the train has no input)")
        speed_name = f"{shaft}.speed"
        if speed_name not in result.channels:
            raise OrderError(f"{path}: the speed of '{shaft}' was not recorded; add 'bodies' to the case's record")
        speed = np.asarray(result.series(speed_name), float)
        interval = result.interval
        unit = str(
            result.dataset[f"{result.channels[channel][0]}_{result.channels[channel][2]}"].attrs.get("units", "")
        )
    ratio = _ratio(described, shaft)
    lines = json.loads(attributes.get("campbell_json", "{}")).get("lines", [])
    orders = {line["name"]: line["order"] / ratio for line in lines}
    if np.ptp(speed) < 0.05 * np.abs(speed).max():
        raise OrderError(
            f"{path}: '{shaft}' changes its speed by less than 5 %; an order map needs a run-up or coast-down"
        )
    moving = np.abs(speed) > 0.05 * np.abs(speed).max()
    first, last = int(np.argmax(moving)), len(moving) - int(np.argmax(moving[::-1]))
    series, speed = series[first:last], speed[first:last]
    highest = 1.0 / (2.0 * interval) / (np.abs(speed).max() / (2 * math.pi))
    wanted = {name: order for name, order in orders.items() if 0.5 < order < 0.8 * highest}
    turns = float(np.abs(speed).sum() * interval / (2 * math.pi))
    if revolutions is None:
        revolutions = int(max(1, min(16, turns // 24)))
    top = max([*wanted.values(), 8.0])
    samples = 1 << math.ceil(math.log2(2.5 * top))
    try:
        found = order_map(series, speed, interval, revolutions=revolutions, samples_per_revolution=samples)
    except ValueError as error:  # too short, or a shaft that reverses
        raise OrderError(f"{path}: {error}") from None
    peaks = resonance_peaks(found, list(wanted.values()))
    rpm = 30.0 / math.pi
    return {
        "channel": channel, "unit": unit, "shaft": shaft, "method": found.method, "revolutions_per_block": revolutions,
        "order": found.order, "speed_rpm": found.speed * rpm, "time": found.time, "amplitude": found.amplitude,
        "resonances": [_row(p, wanted, attributes, described, ratio) for p in peaks],
    }  # fmt: skip


def _ratio(described: dict[str, Any], shaft: str) -> float:
    """Turns of the shaft per turn of the input."""
    ratios = described.get("ratios", {})
    own, base = ratios.get(shaft), ratios.get(described.get("input"), 1.0)
    return abs(own / base) if own and base else 1.0


def _row(
    peak: Any, wanted: dict[str, float], attributes: dict[str, Any], described: dict[str, Any], ratio: float
) -> dict[str, Any]:
    line = min(wanted, key=lambda name: abs(wanted[name] - peak.order))
    modes = json.loads(attributes.get("modes_json", "{}")).get("frequencies_hz", [])
    mode = min(range(len(modes)), key=lambda i: abs(modes[i] - peak.frequency)) if modes else None
    share = None
    for crossing in json.loads(attributes.get("campbell_json", "{}")).get("crossings", []):
        if crossing["line"] == line and mode is not None and crossing["mode"] == mode + 1:
            share = crossing["share"]
    operating = described.get("speed")
    margin = abs(peak.speed) / (abs(operating) * ratio) - 1.0 if operating else None
    return {
        "order": peak.order, "line": line, "speed_rpm": peak.speed * 30.0 / math.pi, "frequency_hz": peak.frequency,
        "amplitude": peak.amplitude, "factor": peak.factor, "mode": None if mode is None else mode + 1,
        "mode_frequency_hz": None if mode is None else modes[mode], "energy_share": share, "margin": margin,
    }  # fmt: skip
