"""One exchange step of everything but the drivetrain: aerodynamics, controller, machine, tower, channels.

Whoever steps the drivetrain calls these parts in this order: at the begin of a step :func:`blow` (aerodynamics every n-th
step, extrapolated), the controller and :func:`brake_by` the machine, which goes first, with its torque at the end of the
step; after the step :func:`tower_step` and :func:`report`. Source: numerics page 2, section 5.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gearwright.arrays import Float
from gearwright.kernels import hot
from gearwright.machines.stepping import electric_step, from_left, from_right

from .controller import BRAKE_SLOPE, PITCH, REGION, TORQUE, TRIP, brake_capacity
from .rotor import OUTPUTS, aero
from .tower import TowerMode
from .wind import hub_wind

#: turbine channels of the loop, in its order
CHANNELS = (
    "wind_speed", "rotor_wind", "pitch", "region", "torque_reference", "electrical_power", "thrust", "tower_fore_aft",
    "tower_side_side", "hub_force_y", "hub_force_z", "hub_moment_y", "hub_moment_z", "tower_base_moment_y",
    "tower_base_moment_x", "voltage", "tower_top_moment_x", "tower_top_moment_y", "shaft_bending_y", "shaft_bending_z",
)  # fmt: skip

#: number of these channels: behind them stand the states of the machine
TURBINE = len(CHANNELS)

#: places in the scalars of the loop's state
(
    PHI,
    OMEGA,
    AZIMUTH,
    MACHINE,
    FORE,
    SIDE,
    FORE_SPEED,
    SIDE_SPEED,
    FORE_FORCE,
    SIDE_FORCE,
    STEP,
    SPEED_BLADES,
    SPEED_MACHINE,
    SPEED_RATE,
    OPEN,
    ROW,
    SCALARS,
) = range(17)
#: places in the book: work of aerodynamics, machine, brake; work of thrust and roll on the tower, heat in the tower
BOOKED = 6
#: places in the set-up of a loop: sense of the machine, its lag [s], efficiency, tower 0/1, speed response of the braked body
#: to a unit brake torque over a step (modal loop), speed of the machine over that of the rotor, exchange step [s]
SENSE, LAG, EFFICIENCY, TOWERED, RESPONSE, RATIO, EXCHANGE, SETUP = range(8)


class Loop(NamedTuple):
    """State of the loop besides rotor, wake and controller: modes, scalars, aerodynamics (now, before, applied,
    slope), inputs and slopes at the end of the last step, book."""

    zr: Float
    zi: Float
    scalar: Float
    air: Float
    inputs: Float
    book: Float


def empty(modes: int = 1) -> Loop:
    """A loop's state, to be filled; ``modes`` of a drivetrain in modal form, one where an engine steps it."""
    return Loop(
        np.zeros(modes), np.zeros(modes), np.zeros(SCALARS), np.zeros((4, OUTPUTS)), np.zeros(5), np.zeros(BOOKED)
    )


@hot
def blow(rotor, wake, cx, loop, tower, each, step):  # type: ignore[no-untyped-def]
    """Aerodynamics of the step that begins, every ``each`` steps; between, torque and loads go on along a line."""
    scalar, air = loop.scalar, loop.air
    number = np.int64(scalar[STEP])
    if number % each != 0:
        return
    now, old, applied, slope = air[0], air[1], air[2], air[3]
    for i in range(OUTPUTS):
        old[i] = now[i]
    aero(
        rotor,
        wake,
        number * step,
        each * step,
        scalar[AZIMUTH],
        scalar[SPEED_BLADES],
        cx[PITCH],
        scalar[FORE_SPEED] * tower[0, 8],
        scalar[SIDE_SPEED] * tower[1, 8],
        now,
    )
    for i in range(OUTPUTS):
        if number == 0:
            old[i] = now[i]
            applied[i] = now[i]
        slope[i] = (2.0 * now[i] - old[i] - applied[i]) / (each * step)


@hot
def brake_by(machine, setup, schedule, cx, before, t, step, speed, rate, grid_time, grid_value):  # type: ignore[no-untyped-def]
    """Braking torque of the machine at the begin and the end of a step; ``before`` that at the end of the step before.

    ``speed`` of its shaft and the ``rate`` with which it is extrapolated. Without torque when the breaker is open: lost, or
    nothing asked (start, end of a stop).
    """
    sense, lag = setup[SENSE], setup[LAG]
    if t >= schedule[TRIP] or (cx[TORQUE] == 0.0 and machine.address != 0):
        return 0.0, 0.0
    if machine.address != 0:
        begin = electric_step(machine, t, step, speed, rate, cx[TORQUE], grid_time, grid_value, sense)
        return begin, sense * machine.torque[0]
    asked = cx[TORQUE] * from_left(grid_time, grid_value, 0, t + step)
    if lag <= 0.0:
        return cx[TORQUE] * from_right(grid_time, grid_value, 0, t), asked
    return before, asked + (before - asked) * np.exp(-step / lag)


@hot
def regularised(schedule, t, speed, ratio):  # type: ignore[no-untyped-def]
    """Torque of a brake by tanh (S1 eq. 5.3), whose slope belongs to the speed of the rotor: ``speed`` over ``ratio``."""
    return -brake_capacity(schedule, t) * np.tanh(schedule[BRAKE_SLOPE] * speed / ratio)


@hot
def move_on(loop, tower, tower2, setup, step, reaction):  # type: ignore[no-untyped-def]
    """The end of a step: loads of the rotor at it, both tower modes, under the torque ``reaction`` that the nacelle takes."""
    scalar, air = loop.scalar, loop.air
    applied, slope = air[2], air[3]
    for i in range(OUTPUTS):
        applied[i] += slope[i] * step
    pull = applied[1] * tower[0, 8] + applied[4] * tower[0, 9]
    push = applied[2] * tower[1, 8] + reaction * tower[1, 9]
    tower_step(tower, tower2, scalar, loop.book, step, pull, push, setup[TOWERED])


@hot
def tower_step(tower, tower2, scalar, book, step, pull, push, towered):  # type: ignore[no-untyped-def]
    """Both tower modes over a step, exact for a force linear in time; work and heat into the book."""
    for i in range(2):
        f1 = pull if i == 0 else push
        x, v, f0 = scalar[FORE + i], scalar[FORE_SPEED + i], scalar[FORE_FORCE + i]
        scalar[FORE_FORCE + i] = f1
        if towered <= 0.0:
            continue
        bend = f1 - f0
        mass, drag, spring = tower[i, 10], tower[i, 6], tower[i, 7]
        acc0 = (f0 - drag * v - spring * x) / mass
        xn = tower[i, 0] * x + tower[i, 1] * v + tower[i, 4] * f0 + tower2[i, 0] * bend
        vn = tower[i, 2] * x + tower[i, 3] * v + tower[i, 5] * f0 + tower2[i, 1] * bend
        acc1 = (f1 - drag * vn - spring * xn) / mass
        book[3 + i] += 0.5 * step * (f0 * v + f1 * vn) + step / 12.0 * (
            bend * (v - vn) + step * (f0 * acc0 - f1 * acc1)
        )
        book[5] += drag * (0.5 * step * (v * v + vn * vn) + step * step / 6.0 * (v * acc0 - vn * acc1))
        scalar[FORE + i], scalar[FORE_SPEED + i] = xn, vn


@hot
def report(rotor, cx, loop, tower, setup, machine, t, end, speed, reaction, grid_time, grid_value, series, values, k):  # type: ignore[no-untyped-def]
    """The turbine's channels of the step from ``t`` to ``end`` into row ``k``, and the states of the machine; ``speed`` of the
    machine at its end."""
    scalar, air = loop.scalar, loop.air
    towered, height = setup[TOWERED], tower[0, 11]
    thrust, side = air[2, 1], air[2, 2]
    values[k, 0] = hub_wind(rotor.air, t, series)
    values[k, 1], values[k, 2], values[k, 3], values[k, 4] = air[0, 6], cx[PITCH], cx[REGION], cx[TORQUE]
    values[k, 5] = setup[EFFICIENCY] * scalar[MACHINE] * setup[SENSE] * speed
    values[k, 6], values[k, 7], values[k, 8] = thrust, scalar[FORE], scalar[SIDE]
    values[k, 9], values[k, 10], values[k, 11], values[k, 12] = side, air[2, 3], air[2, 4], air[2, 5]
    values[k, 13] = tower[0, 7] * scalar[FORE] * height if towered > 0.0 else thrust * height + air[2, 4]
    values[k, 14] = -tower[1, 7] * scalar[SIDE] * height if towered > 0.0 else reaction - side * height
    values[k, 15] = from_left(grid_time, grid_value, 0, end)
    # at the top of the tower: what the rotor's forces and the torque on the nacelle give, without weight and inertia
    arm = rotor.site[0] - rotor.site[4]
    values[k, 16], values[k, 17] = reaction - side * arm, thrust * arm + air[2, 4]
    # bending of the main shaft at the hub, in the frame that turns with blade 1 (z along it)
    turned, across = np.cos(scalar[AZIMUTH]), np.sin(scalar[AZIMUTH])
    values[k, 18] = air[2, 4] * turned + air[2, 5] * across
    values[k, 19] = air[2, 5] * turned - air[2, 4] * across
    n = values.shape[1] - TURBINE
    for i in range(n):
        values[k, TURBINE + i] = machine.state[4 * n + i]


def tower_rows(modes: tuple[TowerMode, TowerMode], hub_height: float, step: float) -> tuple[Float, Float]:
    """Exact step of two oscillators under a force linear in time.

    First array (2, 12): transition (4), response of position and speed to a constant unit force (2), damping,
    stiffness, lever, slope, mass, hub height. Second (2, 2): response to a force that grows to one over the step.
    """
    from scipy.linalg import expm

    first, second = np.zeros((2, 12)), np.zeros((2, 2))
    for i, mode in enumerate(modes):
        # position, speed, force, slope of the force
        a = np.zeros((4, 4))
        a[0, 1] = 1.0
        a[1, :3] = -mode.stiffness / mode.mass, -mode.damping / mode.mass, 1.0 / mode.mass
        a[2, 3] = 1.0
        e = expm(a * step)
        first[i] = [
            *e[0, :2],
            *e[1, :2],
            e[0, 2],
            e[1, 2],
            mode.damping,
            mode.stiffness,
            mode.lever,
            mode.slope,
            mode.mass,
            hub_height,
        ]
        second[i] = e[:2, 3] / step
    return first, second
