"""Values over time of a file become signals; recorded series become SI, on the time of the run."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright import units
from gearwright.errors import DrivetrainError
from gearwright.system import Signal, signals

Float = NDArray[np.float64]


@dataclass(frozen=True)
class UsedSeries:
    """A recorded series that a case uses, for ``what``; how it was sampled, and the time of the record at which the run starts [s]."""

    what: str
    path: str
    channel: str
    scale: float
    sampling_s: float
    nyquist_hz: float
    start_s: float


@dataclass
class Recordings:
    """Recorded series of a case, each read once; remembers how long they last."""

    resolve: Callable[[str], Path]
    _open: dict[tuple[str, ...], tuple[Float, Float, str]] = field(default_factory=dict)
    used: list[UsedSeries] = field(default_factory=list)

    def series(
        self,
        path: str,
        channel: str,
        *,
        unit: str | None = None,
        time_column: str | None = None,
        dimension: str = "",
        mapping: Any = None,
        gaps: str = "refuse",
    ) -> tuple[Float, Float]:
        """Times [s, as in the file] and values [SI] of one channel.

        Raises DrivetrainError for a file or channel that is not there, a unit of another dimension, and
        values that are not finite.
        """
        from gearwright.interchange import QUANTITIES, ReadError, quantity_series, read_mapping, series

        key = (path, channel, str(time_column), str(mapping), gaps)
        try:
            if key not in self._open:
                file = self.resolve(path)
                if mapping is not None or channel in QUANTITIES:
                    given = self.resolve(mapping) if isinstance(mapping, str) else mapping
                    entries, clock = read_mapping(given) if given is not None else ({}, None)
                    self._open[key] = quantity_series(file, channel, entries, time_column or clock, gaps)
                else:
                    self._open[key] = series(file, channel, time_column=time_column, gaps=gaps)
        except ReadError as error:
            raise DrivetrainError(str(error)) from None
        time, values, spelled = self._open[key]
        written = unit or spelled
        factor, known = 1.0, units.DIMENSIONS.get(dimension)
        if written not in ("", "1", "-"):
            try:
                factor = units.factor_to(written, known) if known is not None else units.unit(written)[0]
            except units.UnitError as error:
                wanted = f" Allowed: {known.one}, such as in {known.unit}." if known and known.unit else ""
                meant = f" Did you mean '{error.meant}'?" if error.meant else ""
                raise DrivetrainError(f"{path}: channel {channel}: {error}.{wanted}{meant}") from None
        return time, values * factor


def band_limited(time: Float, value: Float, factor: int = 8) -> Signal:
    """The trigonometric interpolant of a uniform series, mirrored at its ends so that they stay put.

    Its values and slopes on a grid ``factor`` times finer, joined by cubics: at the highest frequency that the
    samples hold, the cubics leave (pi / factor)^4 / 384 of the amplitude.
    """
    mirrored = np.concatenate([value, value[-2:0:-1]])
    count = len(mirrored)
    spectrum = np.fft.rfft(mirrored)
    spectrum[-1] *= 0.5  # the highest frequency stands for itself and its mirror image
    turn = 2j * math.pi / (count * (time[1] - time[0])) * np.arange(len(spectrum))
    fine, slope = (
        factor * np.fft.irfft(part, factor * count)[: factor * (len(value) - 1) + 1]
        for part in (spectrum, turn * spectrum)
    )
    return signals.hermite(time[0] + np.arange(len(fine)) * (time[1] - time[0]) / factor, fine, slope)


def to_signal(
    value: Any,
    recordings: Recordings,
    *,
    own_ratio: float = 1.0,
    dimension: str = "",
    duration: float | None = None,
    what: str = "",
) -> Signal:
    """A signal from a value over time (``OverTime`` of the drivetrain file).

    ``own_ratio`` is the train's ratio output speed over input speed, for recorded torques and speeds of another
    train; ``duration`` is what a recorded series has to cover.

    Raises DrivetrainError for a series shorter than the run or one that cannot be read.
    """
    form, item = value.form, value.value
    if form == "constant":
        return signals.constant(float(item))
    if form == "step":
        return signals.step(item.at, item.before, item.to)
    if form == "ramp":
        return signals.ramp(item.before, item.to, item.at, item.over)
    if form == "sine":
        start = -math.inf if item.start is None else item.start
        return signals.sine(item.amplitude, item.frequency, item.phase, item.mean, start)
    if form == "table":
        return _table(item)
    return _file(item, recordings, own_ratio, dimension, duration, what)


def _table(item: Any) -> Signal:
    rows = item.rows
    kind = {"step": "hold"}.get(item.interpolation, item.interpolation)
    # a time given twice is a jump: the table is cut there and its parts follow each other
    parts: list[list[Any]] = [[rows[0]]]
    for before, row in zip(rows, rows[1:], strict=False):
        if row[0] == before[0]:
            parts.append([])
        parts[-1].append(row)
    made = [signals.table([r[0] for r in part], [r[1] for r in part], kind) for part in parts if part]
    result = made[0]
    for part, signal in zip([p for p in parts if p][1:], made[1:], strict=True):
        result = result.replaced_from(part[0][0], signal)
    return result


def _file(
    item: Any, recordings: Recordings, own_ratio: float, dimension: str, duration: float | None, what: str
) -> Signal:
    time, recorded = recordings.series(
        item.path,
        item.channel,
        unit=item.unit,
        time_column=item.time_column,
        dimension=dimension,
        mapping=item.channels,
        gaps=item.gaps,
    )
    start = float(time[0]) if item.start is None else item.start
    if duration is not None and time[-1] - start < duration - 1e-9 * max(duration, 1.0):
        raise DrivetrainError(
            f"{item.path}: channel {item.channel} covers {time[-1] - start:g} s from {start:g} s on, but the run lasts "
            f"{duration:g} s; shorten the duration or give a longer record"
        )
    scale = item.scale
    if item.recorded_ratio is not None:
        factor = item.recorded_ratio / abs(own_ratio)
        scale *= factor if dimension == "torque" else 1.0 / factor
    value = item.offset + scale * recorded
    local = time - start
    kind = {"step": "hold"}.get(item.interpolation, item.interpolation)
    steps = np.diff(time)
    uniform = len(steps) > 1 and np.allclose(steps, np.median(steps), rtol=0.02, atol=1.1e-4)
    if uniform:
        # printed times are rounded; the sampling is uniform
        local = local[0] + np.arange(len(time)) * (time[-1] - time[0]) / (len(time) - 1)
    if kind == "band_limited" and not uniform:
        raise DrivetrainError(
            f"{item.path}: channel {item.channel} is sampled at {steps.min():g} to {steps.max():g} s; interpolation "
            "band_limited needs a uniform series, cubic or linear do not"
        )
    recordings.used.append(
        UsedSeries(what, item.path, item.channel, scale, float(np.median(steps)), float(0.5 / np.median(steps)), start)
    )
    return band_limited(local, value) if kind == "band_limited" else signals.table(local, value, kind)
