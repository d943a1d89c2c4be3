"""Loads of an unbroken or broken record into one result file: counted, rated and shown as those of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypedDict

import numpy as np

from gearwright.arrays import Float
from gearwright.results import Recorder, Result, changing
from gearwright.results.derive import Derived
from gearwright.system import Block, Channel
from gearwright.system.channels import CHANNELS

from .observer import Observed
from .torque_map import TorqueMap

#: what a file is told of its record
Fact = str | float | list[str] | None
#: samples that are worked on at a time
_PIECE = 65_536
#: longest series that is kept at the rate of the signals [samples]; beyond it is filtered down to one value per second
KEPT = 200_000


#: what is told of a channel: moments and extremes in ``unit``, equivalent ranges by exponent
ChannelFigures = TypedDict(
    "ChannelFigures",
    {"mean": float, "std": float, "min": float, "max": float, "unit": str, "del": Mapping[str, float]},
)


def write_books(
    path: Path,
    found: TorqueMap,
    parts: Sequence[Observed],
    interval: float,
    exponents: Sequence[float],
    attributes: Mapping[str, Fact],
) -> dict[str, ChannelFigures]:
    """Count the loads of all parts in their order, as one series, and write the file.

    The time of the file is counted time: gaps are left out of it. Cycles go on over a gap, since what a load was before it and is behind it
    are two ends of one swing.
    """
    machine = _machine(found.generator)
    every = 1 if sum(len(p.speed) for p in parts) <= KEPT else max(round(1.0 / interval), 1)
    recorder = Recorder(
        path,
        (*found.channels, *machine),
        (*found.derived, _power(found.generator)),
        interval,
        every * interval,
        exponents=tuple(exponents),
        attributes=attributes,
    )
    done = 0
    with recorder:
        for part in parts:
            for begin in range(0, len(part.speed), _PIECE):
                piece = slice(begin, begin + _PIECE)
                torque, slope = part.torque[piece], part.acceleration[piece]
                loads = np.outer(torque, found.torque) + np.outer(slope, found.slope)
                signals = found.sense * np.stack([-torque, part.speed[piece]], axis=1)
                times = np.asarray((done + 1 + np.arange(len(torque))) * interval, float)
                recorder.append(Block(times, np.asarray(np.hstack([loads, signals]), float)))
                done += len(torque)
    _add_revolutions(path, found, parts, interval)
    return _figures(path, recorder, exponents)


def _machine(generator: str) -> tuple[Channel, Channel]:
    made = []
    for quantity, sign in (("torque", "positive when the machine feeds the train"), ("speed", "positive about x")):
        known = CHANNELS["machine"][quantity]
        made.append(Channel("machine", generator, quantity, known.unit, sign, (), known.counted))
    return made[0], made[1]


def _power(generator: str) -> Derived:
    known, sign = CHANNELS["machine"]["power"], "positive when the machine feeds the train"
    inputs = (f"{generator}.torque", f"{generator}.speed")
    return Derived("machine", generator, "power", known.unit, "product", inputs, sign, known.counted)


def _add_revolutions(path: Path, found: TorqueMap, parts: Sequence[Observed], interval: float) -> None:
    """Load revolutions: turns of the generator that each level of a load lasted, in the bins of its duration."""
    torque = np.concatenate([p.torque for p in parts])
    slope = np.concatenate([p.acceleration for p in parts])
    turns = np.abs(np.concatenate([p.speed for p in parts])) * interval / (2.0 * np.pi)
    column = {c.name: i for i, c in enumerate(found.channels)}

    def load(name: str) -> Float:
        return np.asarray(found.torque[column[name]] * torque + found.slope[column[name]] * slope)

    loads: dict[tuple[str, str], dict[str, Float]] = {}
    for c in found.channels:
        loads.setdefault((c.kind, c.quantity), {})[c.element] = load(c.name)
    for d in found.derived:
        if d.operation == "norm" and d.counted:
            size = d.factor * np.sqrt(np.sum([load(name) ** 2 for name in d.inputs], axis=0))
            loads.setdefault((d.kind, d.quantity), {})[d.element] = size
    with changing(path) as file:
        for (kind, quantity), own in loads.items():
            name = f"{kind}_{quantity}"
            edges, elements = np.asarray(file[f"{name}_duration_edge"][:]), [str(e) for e in file[kind][:]]
            values = np.full((len(elements), edges.shape[1] - 1), np.nan)
            for element, series in own.items():
                row = elements.index(element)
                if np.ptp(edges[row]) > 0.0:
                    values[row] = np.histogram(
                        np.clip(series, edges[row][0], edges[row][-1]), edges[row], weights=turns
                    )[0]
            variable = file.createVariable(f"{name}_revolutions", "f8", (kind, "level_bin"), fill_value=np.nan)
            variable.setncatts({"units": "1", "long_name": "turns of the generator at level"})
            variable[:] = values


def _figures(path: Path, recorder: Recorder, exponents: Sequence[float]) -> dict[str, ChannelFigures]:
    """Statistics and equivalent ranges of every channel, by name."""
    summary = recorder.summary()
    made: dict[str, ChannelFigures] = {}
    with Result.open(path) as result:
        for name, own in summary.items():
            variable, row, _ = result.place(name)
            ranges = (
                result.values(f"{variable}_del", row)
                if f"{variable}_del" in result.file.variables
                else np.full(len(exponents), np.nan)
            )
            equivalent = {f"{m:g}": float(r) for m, r in zip(exponents, ranges, strict=True) if np.isfinite(r)}
            mean, std, least, most = own["mean"], own["std"], own["min"], own["max"]
            made[name] = {
                "mean": mean,
                "std": std,
                "min": least,
                "max": most,
                "unit": str(own["unit"]),
                "del": equivalent,
            }
    return made
