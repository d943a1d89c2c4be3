"""Envelope spectrum and shock pulses of a channel of a result, against the passing frequencies of its bearings."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.bearings.orders import passing_orders
from gearwright.bearings.ratings import estimate_of, geometry_of
from gearwright.errors import InputError, listed, nearest
from gearwright.figures.campbell import Campbell, Line
from gearwright.figures.record import train_from_record
from gearwright.remarks import assumed
from gearwright.results import Result
from gearwright.results.envelope import diagnose, envelope_spectrum, judge, shock_pulses
from gearwright.results.envelope import envelope as envelope_of
from gearwright.results.sound import reading
from gearwright.system.former import known_channel
from gearwright.train.train import HOUSING, Train
from gearwright.units import in_si, optional

from .base import ASIDE, Analysis, Column, Picture, Table, result_file_of
from .modes_of_result import modal_of_result
from .picture import Curve

Float = NDArray[np.float64]


class EnvelopeError(InputError):
    """A result that cannot be looked at in this way; the message says what is missing."""


@dataclass(frozen=True)
class Comb:
    """A comb of lines: passing frequency by name, nominal and in the record, ``strength`` over the background, ``level``, ``what`` it is
    taken for, amplitudes of its lines."""

    name: str
    nominal_hz: float
    frequency_hz: float
    strength: float
    level: float
    what: str
    amplitudes: Float


@dataclass(frozen=True)
class Pulses:
    """Shock pulses above ``threshold`` times the median of the envelope: how many come in a second, when and how high."""

    per_second: float
    times: Float
    heights: Float
    threshold: float
    median_interval: float | None


@dataclass(frozen=True, repr=False, eq=False)
class EnvelopeAnalysis(Analysis):
    """Envelope of a channel against the passing frequencies of bearings, shafts and meshes.

    ``combs`` are sorted, found ones first; ``found`` names those; ``passes`` are instants of elements passing outer defects; ``frequency`` and ``amplitude`` are the envelope spectrum, ``time``,
    ``series`` and ``envelope`` the record.
    """

    channel: str
    unit: str
    method: str
    begin: float
    duration: float
    level: float
    found: Sequence[str]
    root_mean_square: float
    crest_factor: float | None
    kurtosis: float | None
    combs: Sequence[Comb]
    pulses: Pulses
    passes: Mapping[str, Float]
    time: Float = field(metadata=ASIDE)
    series: Float = field(metadata=ASIDE)
    envelope: Float = field(metadata=ASIDE)
    frequency: Float
    amplitude: Float

    @property
    def title(self) -> str:
        """The channel."""
        return self.channel

    @property
    def verdict(self) -> str:
        """One sentence: which combs were found, or that nothing was."""
        combs = {c.name: c for c in self.combs}
        if not self.found:
            top = max(self.combs, key=lambda c: c.level, default=None)
            most = "no comb is resolved" if top is None else f"the largest comb, {top.name}, has {top.level:.3g}"
            return f"nothing found: {most}, a comb counts from {self.level:.3g} {self.unit} on"
        shown = [f"{n} at {combs[n].frequency_hz:.5g} Hz, level {combs[n].level:.3g} {self.unit}" for n in self.found]
        return "found: " + "; ".join(shown)

    def shown(self) -> Iterator[Table | str]:
        """Combs, what was found, pulses, and figures of the record."""
        columns = [
            "name",
            Column("nominal", "Hz", 6),
            Column("in the record", "Hz", 6),
            "strength",
            Column("level", self.unit, 3),
            "what",
        ]
        rows = [[c.name, c.nominal_hz, c.frequency_hz, c.strength, c.level, c.what] for c in self.combs]
        yield Table(f"Combs in the envelope of {self.channel}", columns, rows)
        yield self.verdict
        between = self.pulses.median_interval
        yield (
            f"{self.pulses.per_second:.4g} pulses per second above {self.pulses.threshold:g} times the median of the envelope, "
            f"median interval {'' if between is None else f'{1e3 * between:.5g}'} ms"
        )
        crest, kurtosis = ("" if x is None else f"{x:.4g}" for x in (self.crest_factor, self.kurtosis))
        yield (
            f"root mean square {self.root_mean_square:.4g} {self.unit}, crest factor {crest}, "
            f"kurtosis {kurtosis}; {self.method}"
        )

    def picture(self) -> Picture:
        """The envelope spectrum."""
        return Picture(
            "frequency [Hz]", f"envelope [{self.unit}]", [Curve("envelope spectrum", self.frequency, self.amplitude)]
        )


def envelope(
    result: Any,
    channel: str,
    *,
    band: tuple[float | str, float | str] | None = None,
    begin: float | str | None = None,
    threshold: float = 3.0,
    level: float | None = None,
) -> EnvelopeAnalysis:
    """Envelope of a channel of a result: combs by name, found ones first, pulses per second, series and spectrum.

    A comb is found where its own lines stand five times over the background and their root of summed squares reaches ``level``: a
    sound bearing shows its passing frequencies too, since its stiffness varies as elements pass, and in a computed record there is
    no noise to hide them. Beside a found comb another counts from a tenth of its level on; multiples of a found comb are named as that.

    Parameters
    ----------
    result, channel : a path, Result or Run, and ``element.quantity`` in it, an acceleration by preference
    band : part of the spectrum whose envelope is taken [Hz]; default: all of it
    begin : time from which on it counts [s]; default: what the case discards
    threshold : of a pulse, as a multiple of the envelope's median
    level : of a comb that counts [unit of the channel]; default: 0.1 m/s^2 of an acceleration (a hundredth of gravity, what a
        machine in good order shows without any damage), else 2 % of the channel's mean amount

    Raises EnvelopeError for a channel that is not there or a band or time outside the record.
    """
    path = result_file_of(result)
    low_high = None if band is None else (in_si(band[0], "frequency", "band"), in_si(band[1], "frequency", "band"))
    at = optional(begin, "time", "begin")
    with reading(path):
        return _envelope_of_result(path, channel, low_high, at, threshold, level)


def _envelope_of_result(
    path: str | Path,
    channel: str,
    band: tuple[float, float] | None,
    begin: float | None,
    threshold: float,
    level: float | None,
) -> EnvelopeAnalysis:

    with Result.open(path) as result:
        channel = known_channel(channel, result.channels)
        if channel not in result.channels:
            meant = nearest(channel, result.channels)
            hint = f" Did you mean '{meant}'?" if meant else ""
            raise EnvelopeError(
                f"{path}: no channel '{channel}'.{hint} There are {listed(sorted(result.channels), 30)}"
            )
        unit = result.place(channel)[2]
        begin = float(result.attributes.get("discard_s", 0.0)) if begin is None else begin
        keep = result.time >= begin
        if keep.sum() < 16:
            raise EnvelopeError(
                f"{path}: {int(keep.sum())} samples from {begin:g} s on; the record runs from {result.time[0]:g} to {result.time[-1]:g} s, and "
                f"an envelope needs 16"
            )
        series, time, interval = np.asarray(result.series(channel), float)[keep], result.time[keep], result.interval
        described = json.loads(str(result.attributes.get("describe_json", "{}"))).get("train")
        train = None if described is None else train_from_record(described)
        known = {**modal_of_result(result.attributes), **result.attributes}
        lines = Campbell.read(json.loads(str(known.get("campbell_json", "{}")))).lines
        recorded = {
            name: float(np.mean(np.asarray(result.series(f"{name}.speed"), float)[keep]))
            for name in (train.bodies if train else ())
            if f"{name}.speed" in result.channels
        }
    try:
        enveloped = envelope_of(series, interval, band)
        spectrum = envelope_spectrum(series, interval, band)
        wanted, passes, notes = _frequencies(train, lines, recorded, time)
        found = diagnose(spectrum, wanted)
        shortest = min((1.0 / f for n, f in wanted.items() if "BPF" in n), default=0.0)
        pulses, heights = shock_pulses(series, interval, band, threshold, 0.5 * shortest)
    except ValueError as error:
        raise EnvelopeError(f"{path}: {error}") from None
    duration = len(series) * interval
    rms = float(series.std())
    least, said = _least_level(series, unit, level)
    verdicts = judge(spectrum, found, least)
    order = sorted(
        found,
        key=lambda name: (
            not verdicts[name].found,
            -found[name].level if verdicts[name].found else -found[name].strength,
        ),
    )
    combs = [
        Comb(name, wanted[name], c.frequency, c.strength, c.level, verdicts[name].words, c.lines)
        for name in order
        for c in [found[name]]
    ]
    between = float(np.median(np.diff(pulses))) if len(pulses) > 1 else None
    return EnvelopeAnalysis(
        channel, unit, spectrum.method, begin, duration, least, [name for name in order if verdicts[name].found], rms,
        float(np.abs(series - series.mean()).max() / rms) if rms else None,
        float(np.mean((series - series.mean()) ** 4) / rms**4) if rms else None, combs,
        Pulses(len(pulses) / duration, pulses + begin, heights, threshold, between),
        passes, time, series, enveloped, spectrum.frequency, spectrum.value, remarks=[*notes, *said],
    )  # fmt: skip


def _least_level(series: Float, unit: str, level: float | None) -> tuple[float, list[str]]:
    """Level from which on a comb counts, and what was assumed for it."""
    if level is not None:
        if not 0.0 <= level < math.inf:
            raise EnvelopeError(f"a level is an amplitude of 0 or more in {unit or '1'}, got {level:g}")
        return level, []
    if unit == "m/s^2":
        return 0.1, [assumed("a comb counts from 0.1 m/s^2 on (--level)")]
    least = 0.02 * float(np.abs(series).mean())
    return least, [assumed(f"a comb counts from {least:.3g} {unit} on, 2 % of the channel's mean amount (--level)")]


def _frequencies(
    train: Train | None, lines: Sequence[Line], recorded: Mapping[str, float], time: Float
) -> tuple[dict[str, float], dict[str, Float], list[str]]:
    """Passing frequencies [Hz] of bearings, shafts and meshes by name, instants of elements passing outer defects, and what
    was assumed for them."""
    reference = 0.0 if train is None else recorded.get(train.input or "", train.speed or 0.0)
    wanted: dict[str, float] = {}
    notes: list[str] = []
    passes: dict[str, Float] = {}

    def speed(name: str) -> float:
        ratio = train.ratios.get(name, 0.0) if train else 0.0
        return 0.0 if name == HOUSING else recorded.get(name, reference * ratio)

    held = [b for s in train.shafts.values() for b in s.bearings] if train else []
    for bearing in [*(train.bearings.values() if train else ()), *held]:
        facts = bearing.rolling
        if facts is None:
            continue
        geometry = geometry_of(facts)[0]
        body = next(b for b in bearing.between if b != HOUSING)
        other = next((b for b in bearing.between if b != body), HOUSING)
        on = train.bodies[body].on if train and body in train.bodies else None
        inner = (facts.inner or ("support" if on is not None and on in bearing.between else "body")) == "body"
        rings = (speed(body), speed(other)) if inner else (speed(other), speed(body))
        orders = passing_orders(
            geometry.per_row, geometry.element_diameter, geometry.pitch_diameter, geometry.contact_angle
        )
        f = orders.frequencies(*rings)
        if f["bpfo"] == 0.0:
            continue
        name = bearing.name
        if estimate := estimate_of(facts, geometry):
            notes.append(assumed(f"{name}: {estimate}"))
        wanted |= {
            f"{name} BPFO": f["bpfo"],
            f"{name} BPFI": f["bpfi"],
            f"{name} 2 BSF": 2.0 * f["bsf"],
            f"{name} FTF": f["ftf"],
        }
        cage = orders.cage * rings[0] + (1.0 - orders.cage) * rings[1]
        for defect in facts.defects:
            if defect.on == "outer" and rings[1] == 0.0:
                pitch = 2.0 * math.pi / geometry.per_row
                first = (defect.angle - facts.first_angle) % pitch
                period, start = pitch / abs(cage), (first if cage > 0.0 else pitch - first) / abs(cage)
                k = np.arange(math.ceil((time[0] - start) / period), math.floor((time[-1] - start) / period) + 1)
                passes[name] = start + k * period
    for line in lines:
        if line.name.startswith(("shaft", "mesh")):
            wanted[line.name] = line.order * abs(reference) / (2.0 * math.pi)
    return {name: f for name, f in wanted.items() if f > 0.0}, passes, notes
