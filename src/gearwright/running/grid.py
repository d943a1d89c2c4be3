"""What the grid does in a case: faults of grid codes, own profiles, levels, steps of frequency, asymmetric faults."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gearwright.errors import DrivetrainError
from gearwright.machines import Grid, sequences
from gearwright.remarks import warning
from gearwright.system import Signal

#: grid codes: lowest voltage [p.u.], its duration, recovery time [s] (S1 Table 5.1)
GRID_CODES = {
    "quebec": (0.0, 0.15, 0.18),
    "ireland": (0.15, 0.625, 3.0),
    "usa": (0.15, 0.625, 2.3),
    "denmark": (0.25, 0.1, 1.0),
}

#: events of a grid
GRID_EVENTS = ("grid_fault", "grid_voltage", "frequency_step")


def grid_profile(code: str, recovery_level: float = 1.0) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Times after the fault [s] and voltages [p.u.] of a grid code of S1 Table 5.1; straight lines between."""
    lowest, held, recovery = GRID_CODES[code]
    return (0.0, held, held + recovery), (lowest, lowest, recovery_level)


def grid_of(case: Any, nominal: float, where: str, drawn: Callable[[float, float, str], float] | None = None) -> Grid:
    """The grid of a case's events.

    ``nominal`` [Hz] is the frequency of the machine (0: it has none); ``drawn(low, high, place)`` draws the instant of a
    fault. A later event replaces what an earlier one says of the same quantity from its own time on.
    Raises DrivetrainError for unknown keys and profiles that do not start at the operating point.
    """
    voltage: list[tuple[float, float]] = [(0.0, 1.0)]
    negative: list[tuple[float, float]] = [(0.0, 0.0)]
    frequency: list[tuple[float, float]] = [(0.0, 1.0)]
    for number, event in sorted(enumerate(case.events), key=lambda item: item[1].at):
        if event.type not in GRID_EVENTS:
            continue
        place = f"{where}, events.{number}"
        at = event.at
        if event.type == "frequency_step":
            _frequency(frequency, event, nominal, place)
        elif event.type == "grid_voltage":
            _follow(voltage, at, _levels(event, place))
        else:
            if event.drawn_between is not None:
                low, high = event.drawn_between
                if low > high:
                    raise DrivetrainError(f"{place}: drawn_between is [earliest, latest] instant of the fault")
                if drawn is None:
                    raise DrivetrainError(f"{place}: drawn_between needs wind with a seed")
                at = drawn(low, high, place)
            if at <= 0.0:
                raise DrivetrainError(
                    f"{place}: a fault at {at:g} s does not start at the operating point; let it come later, or give a "
                    f"voltage that holds from the start (type grid_voltage)"
                )
            _fault(voltage, negative, at, event, place)
    return _joined(voltage, negative, frequency)


def _follow(points: list[tuple[float, float]], at: float, more: list[tuple[float, float]]) -> None:
    """Let a table follow ``more`` (times after ``at``) from ``at`` on; a jump there if the values differ."""
    if at <= 0.0:
        points[:] = [(t, v) for t, v in more]
        return
    table = np.array(points)
    before = Grid.through(table[:, 0], table[:, 1]).at(at)[0]
    points[:] = [p for p in points if p[0] < at] + [(at, float(before))] + [(at + t, v) for t, v in more]


def _frequency(points: list[tuple[float, float]], event: Any, nominal: float, place: str) -> None:
    if event.frequency is None:
        raise DrivetrainError(f"{place}: a frequency step needs frequency, that after it (in Hz)")
    if not nominal:
        raise DrivetrainError(
            f"{place}: the machine does not feel the frequency of the grid (a converter stands between)"
        )
    to, over = event.frequency / nominal, event.over or 0.0
    if not 0.5 < to < 1.5:
        raise DrivetrainError(
            f"{place}: a frequency between half and one and a half times nominal ({nominal:g} Hz) is needed, got "
            f"{event.frequency:g} Hz"
        )
    table = np.array(points)
    before = float(Grid.through(table[:, 0], table[:, 1]).at(event.at)[0])
    _follow(points, max(event.at, 1e-12), [(0.0, before), (over, to)] if over > 0.0 else [(0.0, to)])


def _levels(event: Any, place: str) -> list[tuple[float, float]]:
    if (event.level is None) == (event.table is None):
        raise DrivetrainError(f"{place}: a grid_voltage has either level or table [[s after the event, p.u.], ...]")
    points = [(0.0, event.level)] if event.table is None else list(event.table)
    _start(points, place)
    return points


def _start(points: list[tuple[float, float]], place: str) -> None:
    if points[0][0] != 0.0 or any(b[0] < a[0] for a, b in zip(points[:-1], points[1:], strict=True)):
        raise DrivetrainError(f"{place}: a voltage profile starts at 0 s after the event, and its times ascend")


def _fault(
    voltage: list[tuple[float, float]], negative: list[tuple[float, float]], at: float, event: Any, place: str
) -> None:
    phases = event.phases or 3
    if event.profile is not None:
        points = list(event.profile)
        _start(points, place)
    elif event.code is None:
        raise DrivetrainError(f"{place}: a grid_fault has a code ({', '.join(GRID_CODES)}) or a profile")
    else:
        level = 1.0 if event.recovery_level is None else event.recovery_level
        points = list(zip(*grid_profile(event.code, level), strict=True))
    pairs = [(t, sequences(v, phases)) for t, v in points]
    _follow(voltage, at, [(t, p[0] if phases < 3 else v) for (t, p), (_, v) in zip(pairs, points, strict=True)])
    _follow(negative, at, [(t, p[1] if phases < 3 else 0.0) for t, p in pairs])


def _joined(*tables: list[tuple[float, float]]) -> Grid:
    """Tables on one axis of times; a time at which one of them jumps stands twice."""
    times: list[float] = []
    for t in sorted({t for table in tables for t, _ in table}):
        times += [t, t] if any([x for x, _ in table].count(t) > 1 for table in tables) else [t]
    columns = []
    for table in tables:
        points = np.array(table)
        one = Grid.through(points[:, 0], np.maximum(points[:, 1], 0.0))
        right = one.at(np.array(times))[0]
        for i, t in enumerate(times):
            if i + 1 < len(times) and times[i + 1] == t:
                here = [v for x, v in table if x == t]
                right[i] = here[0] if here else right[i]
        columns.append(right)
    voltage, negative, frequency = columns
    return Grid(np.array(times), voltage, frequency, negative)


def grid_signals(grid: Grid) -> tuple[Signal, Signal, Signal]:
    """Voltage, frequency and negative sequence as signals, landed on at every corner."""
    made = []
    for value in (grid.voltage, grid.frequency, grid.negative):
        if np.ptp(value) == 0.0:
            made.append(Signal(np.zeros(1), np.array([[float(value[0]), 0.0, 0.0, 0.0]])))
            continue
        start, rows = [], []
        for i, t in enumerate(grid.time):
            last = i + 1 == len(grid.time)
            if not last and grid.time[i + 1] == t:
                continue
            rise = 0.0 if last else (value[i + 1] - value[i]) / (grid.time[i + 1] - t)
            start.append(float(t))
            rows.append([float(value[i]), float(rise), 0.0, 0.0])
        made.append(Signal(np.array(start), np.array(rows), landings=np.unique(grid.time)))
    return made[0], made[1], made[2]


def third_order(name: str, grid: Grid) -> list[str]:
    """What holds of a third-order DFIG in the dips of a grid, by kind of fault and quantity: numbers of the machines page,
    nrel-5mw-gallego-source, third against fifth order, dips of 0.15 s to 0 p.u."""
    found: list[str] = []
    # two sequences: a fault of one or two phases to V has V_2 = (1 - V)/3
    uneven = grid.negative > 1e-9
    even = float(grid.voltage[~uneven].min(initial=1.0))
    phase = 1.0 - 3.0 * float(grid.negative.max())
    if even < 0.7:
        found.append(
            f"machine '{name}': third order in a dip of all phases to {even:.3g} p.u.: without the stator's transient the mean torque is too "
            f"small in the dip, so shaft maxima are conservative (nrel-5mw-gallego-source in a dip of 0.15 s to nothing, times rated, third "
            f"against fifth order: slow shaft 2.15 against 1.41, "
            f"fast shaft 2.07 against 1.54), and the air-gap torque is not (1.2 against 4.1); parameters: {{order: 5}} has it"
        )
    if phase < 0.7:
        found.append(
            warning(
                f"machine '{name}': third order in an asymmetric dip to {phase:.3g} p.u.: the stator's transient is left out, which loads the "
                f"fast shaft (nrel-5mw-gallego-source in a dip of 0.15 s to nothing, times rated, third against "
                f"fifth order: one phase 1.08 against 1.21, two phases 1.42 against 1.42) and the "
                f"air gap (2.1 against 3.1, 1.4 against 4.7); the slow shaft holds (1.09 against 1.10, 1.45 against 1.22) and the mean torque "
                f"within 12 % once the transient is over; parameters: {{order: 5}} has it"
            )
        )
    return found
