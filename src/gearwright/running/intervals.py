"""How often a run counts and stores, what it discards, and what such a grid of samples cannot see."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from gearwright.errors import DrivetrainError
from gearwright.remarks import Remark, assumed, warning
from gearwright.schema.cases import Case
from gearwright.solve.steady.modes import Modes, modes
from gearwright.system import System
from gearwright.system.signals import Signal

#: stored samples of a run, unless the case says otherwise
STORED = 30_000
#: samples of a run above which its time cannot be meant: three years at 1 kHz
MOST_SAMPLES = 1e11
#: output interval over the duration above which nothing would be stored
LONGEST = 10.0
#: counted samples below which there are no statistics
FEWEST = 10
#: samples of a period of a mode that a mesh shakes, and while teeth take up their load; part of a mode's energy in such meshes
#: above which they shake it
PER_SHAKEN, PER_RAMP, SHARE = 20.0, 8.0, 0.01
#: shortest interval [s] for meshes that vary smoothly, and for those that jump and shake the highest modes
SMOOTH, JUMPING = 1e-4, 5e-5
#: samples of a period of a mode that laws bend, part of its energy in them above which they do, shortest interval [s] for it: with ten an
#: extreme is missed by (pi/10)^2/6, 1.6 %, on average
PER_BENT, BENT, FINEST = 10.0, 0.1, 1e-5
#: samples of a period below which its extremes are missed by a quarter and more
PER_PERIOD = 4.0
#: discard by rule: part of its begin to which a transient comes down, longest time [s], largest part of the run; part of the lowest
#: mesh frequency below which a mode is not shaken by meshes
LEFT, LONGEST_DISCARD, PART_DISCARD, FAR_BELOW = 0.01, 1.0, 0.2, 0.2
#: a counting interval of a case over that by rule above which it is said
FAR_COARSER = 2.5
#: part of a load's changes that may be lost between two samples before it is said
LOST = 0.1


def refuse_discard(case: Case, duration: float | None) -> None:
    """Raise DrivetrainError where a case discards all of its duration, or all of a duration [s] that a call gives."""
    length = duration if duration is not None else case.duration
    if case.discard is not None and length is not None and case.discard >= length:
        raise DrivetrainError(
            f"case '{case.name}': discard ({case.discard:g} s) leaves nothing of the duration ({length:g} s); let it run for more "
            f"than {case.discard:g} s (--duration), or discard less (--set 'discard=0 s' counts all of it)"
        )


def discarded(system: System, case: Case, duration: float, driven: bool = False) -> tuple[Case, tuple[Remark, ...]]:
    """The case with its discard: its own, or by rule, and what is to be said of that.

    The rule discards where a run begins beside the motion that it keeps: where meshes or bearings go with their phase and begin at
    the equilibrium of their means, with loads that come at once at ``operating``, with a turbine (``driven``). It waits until the
    slowest mode that this shakes has come down to ``LEFT`` of its begin, for ``LONGEST_DISCARD`` and ``PART_DISCARD`` of the run at
    most, and not beyond the first event, jump of a load or begin of a ramp of speed. A start at ``rest`` or ``periodic`` counts from its first instant.
    """
    if case.discard is not None:
        return case, ()
    how, slowest = _shaken_at_start(system, case, driven)
    ramps = [speed.ramp.at for speed in case.speeds.values() if speed.ramp is not None]
    most = min(
        [
            LONGEST_DISCARD,
            PART_DISCARD * duration,
            *(e.at for e in case.events),
            *map(float, system.landings[:1]),
            *ramps,
        ]
    )
    found = _slowest_above(system, slowest) if how and most > 0.0 else None
    if found is None:
        return case.model_copy(update={"discard": 0.0}), ()
    rate, frequency = found
    wanted = _two_digits(min(most, -math.log(LEFT) / rate if rate > 0.0 else math.inf))
    said = assumed(
        f"case '{case.name}' gives no discard: its first {wanted:g} s are not counted, as it begins {how}; the slowest mode that this "
        f"shakes ({frequency:.3g} Hz) is then down to {100.0 * math.exp(-rate * wanted):.2g} % of its begin"
    )
    return case.model_copy(update={"discard": wanted}), (said,)


def _shaken_at_start(system: System, case: Case, driven: bool) -> tuple[str, float]:
    """How a run begins beside the motion that it keeps (empty where it does not), and the frequency [Hz] of the slowest mode that
    this shakes: meshes leave those far below their lowest frequency alone, which follow it with 1/(25 - 1) of their static answer."""
    if case.start in ("rest", "periodic") or any(event.type == "start" for event in case.events):
        return "", 0.0
    if driven:
        return "in steady wind", 0.0
    if case.start == "operating":
        return "with its loads at once", 0.0
    rates = np.abs(np.asarray(system.D @ system.v0))
    turning = [
        float(rates[system.sense_rows(block).start]) / law.period
        for block, law in enumerate(system.laws)
        if law.senses and law.period
    ]
    if any(turning):
        return "at the equilibrium of mean stiffness", FAR_BELOW * min(f for f in turning if f)
    return "", 0.0


def _slowest_above(system: System, least: float) -> tuple[float, float] | None:
    """Rate of decay [1/s] and frequency [Hz] of the slowest mode at ``least`` Hz or above that swings; None without any."""
    try:
        found = modes(system)
    except ValueError:  # a rigid train under a prescribed speed has no modes
        return None
    ratio = np.nan_to_num(found.damping_ratios, nan=2.0)
    swings = (ratio < 1.0) & (found.frequencies_hz > max(least, 1e-6))
    if not swings.any():
        return None
    rates = np.where(swings, 2.0 * math.pi * np.maximum(ratio, 0.0) * found.frequencies_hz, math.inf)
    k = int(rates.argmin())
    return float(rates[k]), float(found.frequencies_hz[k])


def _two_digits(value: float) -> float:
    """A positive number cut to two digits."""
    digits = 1 - math.floor(math.log10(value))
    return round(math.floor(value * 10.0**digits * (1 + 1e-12)) / 10.0**digits, digits)


def intervals(system: System, case: Any, duration: float) -> tuple[float, float]:
    """Counting and storing interval [s] of a run: from the case, or from the model's frequencies.

    Counting takes ten samples per period of the highest mode below 30 % damping, but not more than 10 kHz and
    not less than 1 kHz; of modes below critical damping that have more than a tenth of their energy in laws (teeth, backlash, clearance,
    rolling elements), whose impacts shake them, ten samples per period up to 100 kHz, and twenty of sines that are put in. Where the stiffness of meshes varies over their phase it takes at least twenty per period of any mode
    below critical damping that has more than a hundredth of its energy in such a mesh, and eight while teeth take up their
    load, up to 10 kHz, 20 kHz where the stiffness jumps, or 100 kHz where pairs of teeth touch one by one; what jumps between samples is counted whatever the interval. Storing keeps some thirty thousand
    samples. Both are 1, 2 or 5 times a power of ten. A series stored more often than it would be counted is counted as often.
    Raises DrivetrainError for a run without end, and one of which the case discards all but a few samples.
    """
    counting, storing = case.counting_interval, case.output_interval
    if counting is None:
        counting = _automatic(system, duration)
    if duration / counting > MOST_SAMPLES:
        raise DrivetrainError(
            f"{duration:g} s at a counting interval of {counting:g} s are {duration / counting:.1e} samples, more than "
            f"{MOST_SAMPLES:.0e}; give a shorter --duration, or a longer counting_interval"
        )
    if storing is None:
        storing = max(counting, nice(duration / STORED))
    elif storing > LONGEST * duration:
        raise DrivetrainError(
            f"case '{case.name}': an output_interval of {storing:g} s stores nothing of a run of {duration:g} s; give a shorter one"
        )
    # a whole number of counted samples for every stored one
    counting = storing / max(math.ceil(storing / counting - 1e-9), 1)
    left = duration - (case.discard or 0.0)
    if left < min(FEWEST * counting, (1.0 - PART_DISCARD) * duration * (1 - 1e-9)):
        raise DrivetrainError(
            f"case '{case.name}': discard ({case.discard:g} s) leaves {left:.3g} s of {duration:g} s, less than {FEWEST} counting intervals "
            f"of {counting:g} s: nothing could be counted; discard less, or run longer (--duration)"
        )
    return counting, storing


def _automatic(system: System, duration: float) -> float:
    waves = _waves(system)
    if not system.row_stiffness().any():
        return nice(min(duration / STORED * 10, 1e-3, waves))
    found = modes(system)
    lively = _lively(found)
    top = lively[-1] if lively else 10.0
    wanted = min(max(0.1 / top, 1e-4), 1e-3, _shaken(system, found), _bent(system, found), waves)
    return min(nice(wanted), duration / 10)


def _waves(system: System) -> float:
    """Interval [s] that follows the sines of inputs, which samples may meet at the same places of every period."""
    top = max((abs(s.sine[1]) for s in system.signals if s.sine[0]), default=0.0) / (2.0 * math.pi)
    return max(1.0 / (PER_SHAKEN * top), FINEST) if top else math.inf


def _bent(system: System, found: Modes) -> float:
    """Interval [s] that follows the modes of springs that are laws; infinite without any."""
    rows = [row for block in range(len(system.laws)) for row in range(system.shape.rows)[system.law_rows(block)]]
    swings = (np.nan_to_num(found.damping_ratios, nan=2.0) < 1.0) & (found.frequencies_hz > 0.0)
    bent = found.frequencies_hz[swings & (found.strain_shares[:, rows].sum(axis=1) > BENT)]
    return max(1.0 / (PER_BENT * float(bent.max())), FINEST) if len(bent) else math.inf


def _shaken(system: System, found: Modes) -> float:
    """Interval [s] that sees what meshes whose stiffness varies do to the train; infinite without any."""
    rates = _faster(system) * np.abs(np.asarray(system.D @ system.v0))
    rows, ramps, least, touching = [], [math.inf], SMOOTH, False
    for block, law in enumerate(system.laws):
        if not (law.senses and (law.corners or law.course or law.pieces)):
            continue
        turns = float(rates[system.sense_rows(block).start]) / (law.period or 1.0)
        if turns <= 0.0:
            continue
        rows += list(range(system.shape.rows)[system.law_rows(block)])
        touching = touching or (
            law.pieces is None and law.course is None
        )  # pairs of teeth bend their force as they come and go
        bends = law.corners or (law.course.boundaries if law.course else ())
        if law.leaps:
            least = JUMPING
        elif len(bends) > 1:
            corners = np.sort(bends)
            ramps.append(float(np.diff(np.append(corners, corners[0] + 1.0)).min()) / turns)
    if not rows:
        return math.inf
    swings = (np.nan_to_num(found.damping_ratios, nan=2.0) < 1.0) & (found.frequencies_hz > 0.0)
    shaken = found.frequencies_hz[swings & (found.strain_shares[:, rows].sum(axis=1) > SHARE)]
    period = 1.0 / (PER_SHAKEN * float(shaken.max())) if len(shaken) else math.inf
    return min(max(min(ramps) / PER_RAMP, least), max(period, FINEST if touching else least))


def _faster(system: System) -> float:
    """Largest over the first speed of what is driven by a speed, for meshes of a run-up; 1 where nothing is."""
    found = [1.0]
    for coordinate, number in system.prescribed.items():
        signal, first = system.signals[number], abs(float(system.v0[coordinate]))
        found += [
            float(np.abs(signal(signal.start[np.isfinite(signal.start)])).max(initial=0.0)) / first if first else 1.0
        ]
    return max(found)


def _lively(found: Modes) -> list[float]:
    """Frequencies [Hz] of the modes below 30 % damping, ascending, rigid ones among them as 0."""
    return [float(f) for f in found.frequencies_hz[np.nan_to_num(found.damping_ratios, nan=1.0) < 0.3]]


def nice(value: float) -> float:
    """Largest of 1, 2, 5 times a power of ten that does not exceed ``value``."""
    power = 10.0 ** math.floor(math.log10(value) + 1e-12)
    for factor in (5.0, 2.0):
        if factor * power <= value * (1 + 1e-12):
            return factor * power
    return power


def interval_remarks(system: System, case: Any, counting: float, duration: float) -> tuple[Remark, ...]:
    """Warnings of what a counting interval that the case chose cannot see: its loads, the first elastic mode, the meshes.

    Statistics, cycles and damage are those of the samples; the engine steps as finely as it needs.
    """
    if case.counting_interval is None:
        return ()
    made = []
    wanted = _automatic(system, duration)
    if counting > FAR_COARSER * wanted:
        made.append(
            Remark(
                f"counted every {counting:g} s, as the case says; the modes, meshes and inputs of the model ask for {wanted:g} s: extremes, "
                f"cycles and damage of what swings faster are too low"
            )
        )
    if counting < case.counting_interval * (1 - 1e-9) and case.output_interval is not None:
        made.append(
            Remark(f"counted every {counting:g} s, as often as it is stored, not every {case.counting_interval:g} s")
        )
    missed = missed_of(dict(zip(system.signal_names, system.signals, strict=True)), counting, duration)
    made += [
        warning(
            f"counting_interval {counting:g} s misses {100.0 * share:.0f} % of the changes of '{name}': extremes, cycles and damage between "
            f"the samples are lost; choose a shorter one, or none"
        )
        for name, share in missed.items()
    ]
    if system.row_stiffness().any():
        first = next((f for f in _lively(modes(system)) if f > 0.0), None)
        if first is not None and counting * first * PER_PERIOD > 1.0:
            made.append(
                warning(
                    f"counting_interval {counting:g} s has {1.0 / (counting * first):.2g} samples in a period of the first elastic mode "
                    f"({first:.4g} Hz): its extremes, cycles and damage are lost; choose {nice(0.1 / first):g} s or less, or none"
                )
            )
    return tuple(made)


def missed_of(inputs: Mapping[str, Signal], interval: float, duration: float) -> dict[str, float]:
    """Part of the changes of every signal that lies between samples: rms of its distance from the lines through the samples
    over its standard deviation. Only those above ``LOST``."""
    samples = np.arange(0.0, duration + 0.5 * interval, interval)
    samples = samples[:20_000]
    fine = (
        np.linspace(0.0, samples[-1], 20 * (len(samples) - 1) + 1)
        if len(samples) > 1
        else np.linspace(0.0, duration, 401)
    )
    found = {}
    for name, signal in inputs.items():
        value = np.asarray(signal(fine), float)
        size = float(value.std())
        if not size > 1e-9 * float(np.abs(value).max(initial=0.0)):
            continue
        seen = np.interp(fine, samples, np.asarray(signal(samples), float))
        lost = float(np.sqrt(np.mean((value - seen) ** 2))) / size
        if lost > LOST:
            found[name] = min(lost, 1.0)
    return found
