"""Turbine, machine and control as the companion of an engine that steps the drivetrain: one exchange step per call.

At a call the step before is closed with the speeds that it led to (tower, channels), and the next one begins:
aerodynamics, controller, machine, whose torques go into the signals that the engine reads, linear over the step.
The engine knows nothing of it; all arrays travel as words: address and three lengths each, in the order of :data:`PARTS`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.kernels import hot
from gearwright.kernels.views import line, plane, whole
from gearwright.machines.stepping import Electric
from gearwright.solve.companion import beside

from .bem import Blade
from .controller import BRAKE, BRAKE_SLOPE, control
from .exchange import (
    AZIMUTH,
    EXCHANGE,
    MACHINE,
    OPEN,
    RATIO,
    ROW,
    SENSE,
    SPEED_BLADES,
    SPEED_MACHINE,
    SPEED_RATE,
    STEP,
    Loop,
    blow,
    brake_by,
    move_on,
    regularised,
    report,
)
from .rotor import Rotor, Wake
from .table import Table
from .wind import Air

#: what travels, in order: fields of nested tuples follow each other
PARTS = (
    Blade._fields,
    Air._fields,
    ("site", *Table._fields),
    Wake._fields,
    ("cpar", "cx", "schedule"),
    Loop._fields,
    ("setup",),
    Electric._fields,
    ("grid_time", "grid_value", "tower", "tower2", "series", "values", "start", "coefficient"),
)
#: places of single words behind them: steps between aerodynamics, first pieces of the signals of blades, machine and brake
#: (-1: none), 1: close the last step only
ARRAYS = sum(len(p) for p in PARTS)
_, AIR_AT, SITE_AT, WAKE_AT, CONTROL_AT, LOOP_AT, SETUP_AT, ELECTRIC_AT, REST_AT = (
    sum(len(p) for p in PARTS[:i]) for i in range(len(PARTS))
)
#: place of the turbine's channels among the arrays
VALUES = ARRAYS - 3
WORDS = 4 * ARRAYS
EACH, BLADES_AT, MACHINE_AT, BRAKE_AT, CLOSE, SIZE = range(WORDS, WORDS + 6)


def words(parts: Iterable[Any]) -> NDArray[np.int64]:
    """The words of arrays and numbers in order; the arrays must be contiguous and live as long as the words."""
    made: list[int] = []
    for part in parts:
        if isinstance(part, tuple):
            raise TypeError("flatten tuples first")
        if isinstance(part, np.ndarray):
            if not part.flags.c_contiguous:
                raise ValueError("an array that travels by its address has to be contiguous")
            made += [part.ctypes.data, *part.shape, *([0] * (3 - part.ndim))]
        else:
            made += [int(part), 0, 0, 0]
    return np.array(made, np.int64)


def flat(*parts: Any) -> list[Any]:
    """Nested tuples in order of their fields."""
    made: list[Any] = []
    for part in parts:
        made += flat(*part) if isinstance(part, tuple) else [part]
    return made


@beside
def turbine_beside(T, t, watched):  # type: ignore[no-untyped-def]
    """One exchange step of everything but the drivetrain; ``watched`` = speeds of blades and machine, torque on the housing."""
    a = AIR_AT
    blade = Blade(
        line(T, 0),
        line(T, 1),
        line(T, 2),
        line(T, 3),
        whole(T, 4),
        line(T, 5),
        line(T, 6),
        line(T, 7),
        line(T, 8),
        line(T, 9),
        line(T, 10),
    )
    wind = Air(line(T, a), line(T, a + 1), line(T, a + 2), line(T, a + 3), whole(T, a + 4))
    a = SITE_AT
    rotor = Rotor(blade, wind, line(T, a), Table(line(T, a + 1), line(T, a + 2), line(T, a + 3)))
    a = WAKE_AT
    wake = Wake(
        line(T, a), line(T, a + 1), line(T, a + 2), line(T, a + 3), line(T, a + 4), line(T, a + 5), line(T, a + 6)
    )
    a = CONTROL_AT
    cpar, cx, schedule = line(T, a), line(T, a + 1), line(T, a + 2)
    a = LOOP_AT
    loop = Loop(line(T, a), line(T, a + 1), line(T, a + 2), plane(T, a + 3), line(T, a + 4), line(T, a + 5))
    setup = line(T, SETUP_AT)
    a = ELECTRIC_AT
    machine = Electric(T[4 * a], T[4 * a + 4], line(T, a + 2), line(T, a + 3), line(T, a + 4), line(T, a + 5), line(T, a + 6),
                       line(T, a + 7), line(T, a + 8), T[4 * a + 36], whole(T, a + 10), line(T, a + 11), line(T, a + 12))  # fmt: skip
    a = REST_AT
    grid_time, grid_value, tower, tower2 = line(T, a), plane(T, a + 1), plane(T, a + 2), plane(T, a + 3)
    series, values, start, coefficient = line(T, a + 4), plane(T, a + 5), line(T, a + 6), line(T, a + 7)
    scalar, air, inputs = loop.scalar, loop.air, loop.inputs
    step, each = setup[EXCHANGE], T[EACH]
    number = np.int64(scalar[STEP])
    if scalar[OPEN] > 0.0:
        # the step before led here
        scalar[AZIMUTH] += 0.5 * step * (scalar[SPEED_BLADES] + watched[0])
        scalar[SPEED_RATE] = (watched[1] - scalar[SPEED_MACHINE]) / step
        scalar[SPEED_BLADES], scalar[SPEED_MACHINE] = watched[0], watched[1]
        reaction = watched[2] - inputs[1] - inputs[2]
        move_on(loop, tower, tower2, setup, step, reaction)
        begun = (number - 1) * step
        report(rotor, cx, loop, tower, setup, machine, begun, begun + step, watched[1], reaction, grid_time, grid_value, series, values,
               np.int64(scalar[ROW]))  # fmt: skip
        scalar[ROW] += 1.0
        scalar[OPEN] = 0.0
    if T[CLOSE] != 0:
        return
    now, sense = number * step, setup[SENSE]
    blow(rotor, wake, cx, loop, tower, each, step)
    control(cpar, cx, schedule, now, step, sense * scalar[SPEED_MACHINE])
    before, after = brake_by(
        machine,
        setup,
        schedule,
        cx,
        scalar[MACHINE],
        now,
        step,
        scalar[SPEED_MACHINE],
        scalar[SPEED_RATE],
        grid_time,
        grid_value,
    )
    scalar[MACHINE] = after
    inputs[0], inputs[1], inputs[2] = air[2, 0] + air[3, 0] * step, -sense * after, 0.0
    inputs[3], inputs[4] = air[3, 0], -sense * (after - before) / step
    write(start, coefficient, T[BLADES_AT], now, air[2, 0], inputs[3])
    write(start, coefficient, T[MACHINE_AT], now, -sense * before, inputs[4])
    if T[BRAKE_AT] >= 0:
        if now >= schedule[BRAKE] and schedule[BRAKE_SLOPE] > 0.0:
            inputs[2] = regularised(schedule, now + step, scalar[SPEED_MACHINE], setup[RATIO])
        write(start, coefficient, T[BRAKE_AT], now, inputs[2], 0.0)
    scalar[STEP] = number + 1
    scalar[OPEN] = 1.0


@hot
def write(start, coefficient, piece, t, value, slope):  # type: ignore[no-untyped-def]
    """A signal from ``t`` on: its first piece, and the second, which never comes."""
    start[piece] = t
    for p in range(piece, piece + 2):
        coefficient[4 * p] = value
        coefficient[4 * p + 1] = slope
