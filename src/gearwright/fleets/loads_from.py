"""Loads of every mesh, bearing and shaft of a gearbox from recorded speed and torque of its generator."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike

from gearwright._version import __version__
from gearwright.analyses.base import Analysis, Column, Picture, Table, drivetrain_of
from gearwright.analyses.picture import Curve
from gearwright.arrays import Float
from gearwright.errors import InputError, listed
from gearwright.figures.record import train_record
from gearwright.remarks import Remark, assumed, train_remarks, warning
from gearwright.schema.case_lookup import find_case
from gearwright.schema.file import Drivetrain
from gearwright.train.expand import expand
from gearwright.train.train import Train
from gearwright.units import optional

from .books import ChannelFigures, Fact, write_books
from .columns import Column as FieldColumn
from .columns import read_mapping
from .guard import Findings, Guarded, guard
from .kalman import WHITE, TwoMasses, observed, proved, tuned
from .observer import HIGHEST, Observed, Observer, corner_for, noise_of
from .signals import Signals, read_signals
from .torque_map import TorqueMap, torque_map

if TYPE_CHECKING:
    import pandas


#: slopes of S-N lines of the equivalent ranges
EXPONENTS = (3.0, 4.0, 6.0, 8.0, 10.0, 12.0)
#: longest step [s] from which the slope of speed says anything
LONGEST = 1.0
#: the corner has to lie so many times above the first torsional mode for its cycles to be seen
_ABOVE_MODE = 1.05
#: parts of the operating speed beyond which a speed is likely in another unit, below which power says nothing of torque
_TOO_FAST, _STANDING = 3.0, 0.02
#: what a Kalman filter needs to set in [s]
_SETTLING = 20.0


@dataclass(frozen=True)
class Coefficient:
    """The two numbers of a load: ``a``, load per torque of the generator, and ``J``, inertia referred to the generator [kg m^2]."""

    a: float
    J: float


@dataclass(frozen=True, repr=False, eq=False)
class LoadsFrom(Analysis):
    """Loads from signals.

    ``channels`` by name of a run; ``coefficients`` the two numbers of every load; ``findings`` what was wrong with the record;
    ``counted_s`` [s] that loads were counted for, ``interval_s`` and ``corner_hz`` of the observer, ``first_mode_hz`` of the train; ``revolutions`` of
    the generator; ``result_file`` the books, None where none were kept.
    """

    name: str
    source: str
    begin: str | None
    fidelity: str
    counted_s: float
    interval_s: float
    corner_hz: float
    first_mode_hz: float
    speed_noise: float
    revolutions: float
    result_file: Path | None
    findings: Findings
    coefficients: Mapping[str, Coefficient]
    channels: Mapping[str, ChannelFigures]

    def shown(self) -> Iterator[Table | str]:
        """Loads by unit with their equivalent ranges, the time that was counted."""
        f = self.findings
        yield f"{self.source}: {f.accepted} of {f.rows} rows every {self.interval_s:.6g} s; {self.counted_s:.6g} s counted, {self.revolutions:.6g} turns of the generator"
        shown = {"N": "kN", "N m": "kN m"}
        for unit, on_screen in shown.items():
            rows = [
                [
                    name,
                    c["mean"],
                    c["std"],
                    c["min"],
                    c["max"],
                    c["del"].get("3"),
                    c["del"].get("4"),
                    c["del"].get("10"),
                ]
                for name, c in self.channels.items()
                if c["unit"] == unit and c["max"] > c["min"] and not name.endswith((".force_y", ".force_z"))
            ]
            heads = [
                Column(what, "" if what == "channel" else on_screen)
                for what in ("channel", "mean", "std", "min", "max", "del 3", "del 4", "del 10")
            ]
            if rows:
                yield Table(f"Loads of {self.name} [{on_screen}], equivalent ranges at 1 Hz", heads, rows)
        yield f"signals up to {self.corner_hz:.3g} Hz; first torsional mode {self.first_mode_hz:.3g} Hz"

    def picture(self) -> Picture:
        """Equivalent ranges of the shafts' torques over their exponents."""
        shafts = [(n, c) for n, c in self.channels.items() if n.endswith(".torque") and c["del"]]
        curves = [Curve(n, [float(m) for m in c["del"]], list(c["del"].values())) for n, c in shafts]
        return Picture("exponent", "equivalent range at 1 Hz [N m]", curves)


def loads_from(
    data: str | os.PathLike[str] | Mapping[str, ArrayLike] | pandas.DataFrame,
    drivetrain: str | os.PathLike[str] | Drivetrain,
    output: str | os.PathLike[str] | None = None,
    *,
    efficiency: float | None = None,
    corner: float | str | None = None,
    observer: Literal["fir", "kalman"] = "fir",
    mapping: Mapping[str, str] | Mapping[str, FieldColumn] | str | os.PathLike[str] | None = None,
    fidelity: str | None = None,
    exponents: Sequence[float] = EXPONENTS,
    overrides: Sequence[str] = (),
) -> LoadsFrom:
    """Loads of every mesh, bearing and shaft from recorded speed and torque of the generator.

    Parameters
    ----------
    data : a file (.csv, .tsv, .txt, also .gz; a result of a run; what :func:`gearwright.read` reads), or columns by heading: ``time`` [s, or
        stamps of ISO 8601], ``generator_speed`` [rad/s], ``generator_torque`` [N m, positive when generating], optionally ``power`` [W]. A heading
        may name its unit: ``generator_speed [rpm]``. 10 to 50 samples a second
    drivetrain : file, name of an example, or a Drivetrain; its ``operating.output`` is the generator
    output : result file (.nc) with series, cycles, duration and revolutions at level, as of a run; None keeps none
    efficiency : of the generator, power over mechanical power; needed where there is power and no torque
    corner : frequency [Hz] up to which speed and torque are used; by default 20 Hz for a clean speed, less for a noisy one
    observer : ``fir``, a centred filter of speed and torque; or ``kalman``, two masses with a torque of the rotor that wanders, whose innovation is tested
    mapping : names of columns by quantity, where they are others; or a mapping file, with units and a time zone
    exponents : S-N slopes of the equivalent ranges

    Raises InputError and FileError: a record without speed or torque, steps above 1 s, a train that two signals do not determine.
    """
    made = drivetrain_of(drivetrain, overrides)
    train = expand(made, fidelity)
    signals = read_signals(data, read_mapping(mapping) if isinstance(mapping, str | os.PathLike) else mapping)
    found = torque_map(train, fidelity)
    torque, said = _torque(signals, train, found, efficiency)
    torque = torque + _braking(signals, train, found, said)
    record = guard(signals.time, np.stack([signals.speed, torque]))
    said = [*signals.remarks, *found.remarks, *said, *record.findings.remarks(), *_plausible(record, train, found)]
    if observer not in ("fir", "kalman"):
        raise InputError(f"observer = '{observer}'", where="observer", allowed="fir, kalman")
    filters, noise = _observer(record, found, optional(corner, "frequency", "corner"), signals.source)
    if observer == "kalman":
        filters, parts, more = _filtered(record, found, train, noise, signals.source)
    else:
        parts, more = _parts(record, filters, signals.source)
    said += [*_rate(filters, found), *more, *_left_out(train, signals.brake is not None)]
    attributes = _attributes(made, train, found, signals, record.findings, filters, said)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(output) if output is not None else Path(folder) / "books.nc"
        channels = write_books(path, found, parts, filters.step, exponents, attributes)
    counted = sum(len(p.speed) for p in parts) * filters.step
    turns = sum(float(np.abs(p.speed).sum()) for p in parts) * filters.step / (2.0 * np.pi)
    two = {name: Coefficient(a, j) for name, (a, j) in found.two_numbers().items()}
    return LoadsFrom(
        train.name,
        signals.source,
        signals.begin,
        found.fidelity,
        counted,
        filters.interval,
        filters.corner,
        found.first_mode,
        noise,
        turns,
        Path(output) if output is not None else None,
        record.findings,
        two,
        channels,
        remarks=[*train_remarks(train.notes), *said],
    )


def _torque(signals: Signals, train: Train, found: TorqueMap, efficiency: float | None) -> tuple[Float, list[str]]:
    """Torque of the generator [N m], measured or from its power, and what is to be said of it."""
    if efficiency is not None and not 0.0 < efficiency <= 1.0:
        raise InputError(
            f"efficiency = {efficiency:g}: power over mechanical power of the generator. Allowed: above 0, at most 1",
            where="efficiency",
        )
    speed = signals.speed
    if signals.torque is not None:
        if signals.power is None:
            return signals.torque, []
        mechanical = np.nansum(signals.torque * speed)
        share = float(np.nansum(signals.power) / mechanical) if mechanical else float("nan")
        words = f"torque is used, power is not; power is {share:.4g} of torque times speed"
        odd = not 0.8 < share < 1.02
        return signals.torque, [warning(f"{words}: units or signs do not go together") if odd else Remark(words)]
    if efficiency is None:
        raise InputError(
            f"{signals.source}: power without torque needs the efficiency of the generator (--efficiency 0.944): the torque is P / (efficiency speed)",
            where=signals.source,
            allowed="efficiency above 0, at most 1",
        )
    assert signals.power is not None
    least = _STANDING * abs(train.speed) * found.ratio if train.speed else _STANDING * float(np.nanmax(np.abs(speed)))
    slow = np.abs(speed) < least
    torque = np.where(slow, 0.0, signals.power / (efficiency * np.where(slow, 1.0, speed)))
    said: list[str] = [Remark(f"torque is power over {efficiency:g} times speed")]
    if slow.any():
        said.append(
            assumed(f"no torque below {least:.3g} rad/s, in {int(slow.sum())} rows, where power does not give it")
        )
    return np.where(np.isnan(signals.power), np.nan, torque), said


def _plausible(record: Guarded, train: Train, found: TorqueMap) -> list[str]:
    """Warnings where unit or sign of a signal are likely others."""
    speed, torque = record.values
    said: list[str] = []
    rated = abs(train.speed) * found.ratio if train.speed else 0.0
    if rated and np.abs(speed).max() > _TOO_FAST * rated:
        said.append(
            warning(
                f"generator_speed reaches {np.abs(speed).max():.4g} rad/s, the operating speed is {rated:.4g} rad/s: is it in rpm? "
                "Say so in the heading: generator_speed [rpm]"
            )
        )
    if float(torque @ speed) < 0.0:
        said.append(
            warning("torque times speed is negative in the mean: is generator_torque positive when generating?")
        )
    return said


def _observer(record: Guarded, found: TorqueMap, corner: float | None, source: str) -> tuple[Observer, float]:
    """The filters for a record, and the noise of its speed [rad/s]. Raises InputError where its rows are too far apart."""
    interval = record.findings.interval
    if interval > LONGEST * (1.0 + 1e-6):
        raise InputError(
            f"{source}: a row every {interval:.4g} s; the slope of speed needs one every {LONGEST:g} s or more often, cycles 10 a second. "
            "Means over minutes hold no load cycles. Allowed: 10 to 50 rows a second",
            where=source,
            allowed="10 to 50 rows a second",
        )
    begin, end = max(record.stretches, key=lambda s: s.end - s.begin)
    noise = noise_of(record.values[0, begin:end])
    if corner is not None:
        if not 0.0 < corner * interval <= HIGHEST:
            raise InputError(
                f"corner = {corner:g} Hz: the signals have {1.0 / interval:.4g} rows a second. Allowed: up to {HIGHEST / interval:.4g} Hz",
                where="corner",
                allowed=f"above 0, at most {HIGHEST / interval:.4g} Hz",
            )
        return Observer.design(interval, corner), noise
    size = float(np.sqrt(np.mean(record.values[1] ** 2)))
    inertia = float(np.nanmax(np.abs(found.inertia)))
    return Observer.design(interval, corner_for(interval, noise, inertia, size, found.first_mode)), noise


def _rate(observer: Observer, found: TorqueMap) -> list[str]:
    """What the rate of the signals leaves out."""
    if not np.isfinite(found.first_mode) or observer.corner >= _ABOVE_MODE * found.first_mode:
        return []
    return [
        warning(
            f"signals are seen up to {observer.corner:.3g} Hz, the first torsional mode of the free train is at {found.first_mode:.3g} Hz: its cycles "
            "are lost. Do not use equivalent ranges and cycles; levels and their duration are right to a few percent"
        )
    ]


def _parts(record: Guarded, observer: Observer, source: str) -> tuple[list[Observed], list[str]]:
    """Observed stretches, and what is to be said of the rest. Raises InputError where none is long enough."""
    parts, short = [], 0
    for begin, end in record.stretches:
        speed, torque = record.values[:, begin:end]
        seen = observer.observe(torque, speed)
        if len(seen.torque):
            parts.append(seen)
        else:
            short += end - begin
    reach = observer.reach
    if not parts:
        raise InputError(
            f"{source}: no stretch without a gap has {2 * reach} rows, which the slope of speed needs", where=source
        )
    said: list[str] = [warning(f"{short} rows lie in stretches too short for the slope of speed: not counted")] * bool(
        short
    )
    where = f"of every stretch without a gap ({len(parts)} of them)"
    said.append(Remark(f"the first and last {reach} rows {where} have no slope of speed: not counted"))
    return parts, said


def _braking(signals: Signals, train: Train, found: TorqueMap, said: list[str]) -> Float | float:
    """Torque of the brake [N m at the generator], against its turning, where a signal says that it is closed.

    At a standstill it holds what the rotor gives, which is not known: nothing is added. Raises InputError where the train has no one brake.
    """
    if signals.brake is None:
        return 0.0
    brakes = [c for c in train.couplings.values() if c.type == "brake" and c.parameters.get("capacity")]
    bodies = {c.name: [b for b in c.between if train.ratios.get(b)] for c in brakes}
    if len(brakes) != 1 or len(bodies[brakes[0].name]) != 1:
        raise InputError(
            f"{signals.source}: the signal brake needs one brake with a capacity between a turning body and the housing in {train.name}; there are "
            f"{listed(list(bodies)) or 'none'}",
            where="brake",
            allowed="elements: [{type: brake, between: [generator, housing], capacity: {torque: ...}}]",
        )
    body = bodies[brakes[0].name][0]
    ratio = abs(train.ratios[body]) / found.ratio
    capacity = float(brakes[0].parameters["capacity"])
    if body != found.generator and ratio < 1.0 - 1e-9:
        said.append(
            warning(
                f"brake '{brakes[0].name}' is not on the generator's shaft: sections between both are off while it is closed"
            )
        )
    least = (
        _STANDING * abs(train.speed) * found.ratio
        if train.speed
        else _STANDING * float(np.nanmax(np.abs(signals.speed)))
    )
    turning = np.abs(signals.speed) > least
    closed = np.clip(np.nan_to_num(signals.brake), 0.0, 1.0)
    rows = int((turning & (closed > 0.0)).sum())
    said.append(
        Remark(
            f"brake '{brakes[0].name}' is closed in {rows} rows while the train turns: {capacity * ratio:.5g} N m at the generator are added"
        )
    )
    held = int((~turning & (closed > 0.0)).sum())
    if held:
        said.append(
            assumed(
                f"no torque of the brake in {held} rows in which it holds the train still: what it holds is not known"
            )
        )
    return np.where(turning, closed * capacity * ratio * np.sign(signals.speed), 0.0)


def _filtered(
    record: Guarded, found: TorqueMap, train: Train, noise: float, source: str
) -> tuple[Observer, list[Observed], list[str]]:
    """Stretches behind a Kalman filter tuned on the longest of them; values are those of the samples.

    Raises InputError where the filter does not fit the record, or the train has no first mode.
    """
    if not np.isfinite(found.first_mode) or not train.speed:
        raise InputError(
            f"{source}: a Kalman filter needs a first torsional mode and an operating speed",
            where="observer",
            allowed="observer fir",
        )
    behind = float(np.nanmax(found.inertia))
    square = found.ratio**2
    rated = abs(train.torque) if train.torque else found.ratio * float(np.abs(record.values[1]).max())
    masses = TwoMasses.of_mode(
        (found.whole - behind) * square,
        behind * square,
        found.first_mode,
        found.first_damping,
        found.ratio,
        rated,
        abs(train.speed),
    )
    interval = record.findings.interval
    begin, end = max(record.stretches, key=lambda s: s.end - s.begin)
    filtered = tuned(masses, interval, noise, record.values[1, begin:end], record.values[0, begin:end])
    settle = round(_SETTLING / interval)
    parts, innovations = [], []
    for begin, end in record.stretches:
        if end - begin > 2 * settle:
            part, seen = observed(filtered, record.values[1, begin:end], record.values[0, begin:end], behind)
            parts.append(Observed(*(x[settle:] for x in part)))
            innovations.append(seen.innovation[settle:])
    if not parts:
        raise InputError(
            f"{source}: no stretch without a gap lasts {2 * _SETTLING:g} s, which the filter needs", where=source
        )
    worst = proved(innovations)
    said: list[str] = [
        Remark(
            f"loads by a Kalman filter on two masses: its innovation correlates with its past by {worst:.2f} at most ({WHITE:g} are allowed)"
        ),
        Remark(f"the first {_SETTLING:g} s of every stretch set the filter in: not counted"),
        warning("values are those of the samples alone: peaks between them are not seen"),
    ]
    plain = np.zeros((1, 2))
    return Observer(interval, 0.5 / interval, plain, plain), parts, said


def _left_out(train: Train, brake: bool) -> Iterator[str]:
    """What the signals do not hold."""
    yield assumed(
        "nothing slips: friction of couplings is not in the signals"
        if brake
        else "brakes are open and nothing slips: their torque is not in the signals"
    )
    if any(m.loss is not None for m in train.meshes.values()):
        yield assumed("losses of the gearbox are left out: the generator's torque is passed on without loss")


def _attributes(
    made: Drivetrain,
    train: Train,
    found: TorqueMap,
    signals: Signals,
    findings: Findings,
    observer: Observer,
    said: list[str],
) -> dict[str, Fact]:
    """Facts that the file of a run has too, and those of the record."""
    case = find_case(made, None) if made.cases else None
    facts = {} if case is None else {"case_json": json.dumps(case.model_dump(mode="json"), default=str)}
    return {
        "drivetrain": train.name,
        "drivetrain_text": made.text,
        "overrides": list(made.overrides),
        "drivetrain_json": json.dumps(made.raw, default=str),
        "case": f"signals of {signals.source}",
        **facts,
        "fidelity": found.fidelity,
        "law": "linear",
        "method": "two numbers of each load",
        "method_reason": "loads are a sum of the generator's torque and the slope of its speed",
        "tolerance": 0.0,
        "corner_hz": observer.corner,
        "rows": findings.rows,
        "rows_accepted": findings.accepted,
        "gaps": findings.gaps,
        "gap_s": findings.gap_time,
        "begin": signals.begin,
        "notes": [*train_remarks(train.notes), *said],
        "time_is": "counted time, gaps left out",
        "describe_json": json.dumps({"train": train_record(train)}, default=str),
        "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "gearwright_version": __version__,
    }
