"""The reference controller in compiled form, with starts and stops.

Speed filter, torque by region with rate limit, gain-scheduled pitch PI with anti-windup; a floor under the pitch
angle makes starts (the floor comes down) and stops (it rises), so that one law serves them all.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from gearwright.kernels import hot
from gearwright.kernels.places import cell_of

from .bem import OperatingPoint, torque_line
from .model import Controller, Turbine

Float = NDArray[np.floating]

#: places in the state: filtered speed, integral, pitch, pitch rate, torque reference, region, pitch floor, band-pass
#: (2), pitch reference, torque before the damper; pitch and torque that a controller outside asks for
(FILTERED, INTEGRAL, PITCH, RATE, TORQUE, REGION, FLOOR, BAND, BAND_RATE, REFERENCE, BASE, ASKED_PITCH, ASKED_TORQUE,
 STATES) = range(14)  # fmt: skip
#: numbers of the regions in the results
REGIONS = {
    0: "start",
    1: "1",
    2: "1.5",
    3: "2",
    4: "2.5",
    5: "3",
    6: "stop",
    7: "tripped",
    8: "outside",
    9: "fixed speed",
}
#: places in the schedule of a run: start-up begins [s], its pitch rate [rad/s], normal stop, its pitch rate, loss of
#: generator torque, feathering, its pitch rate, brake, its capacity [N m, machine shaft], rise [s], tanh slope [s/rad]
#: or 0 for a brake that sticks
(
    START,
    START_RATE,
    STOP,
    STOP_RATE,
    TRIP,
    FEATHER,
    FEATHER_RATE,
    BRAKE,
    BRAKE_TORQUE,
    BRAKE_RISE,
    BRAKE_SLOPE,
    SCHEDULE,
) = range(12)


#: place in the parameters: 1 if a controller outside asks for pitch and torque
OUTSIDE = 25
#: place in the parameters: 1 if an induction machine on the grid holds the speed
HELD = 26


def parameters(turbine: Turbine, controller: Controller | None = None) -> Float:
    """The controller's numbers for :func:`control`."""
    c = controller or turbine.controller
    slope, start, crossing = torque_line(turbine if controller is None else _with(turbine, c))
    second = c.second_order_pitch or (0.0, 0.0)
    return np.array([
        c.filter_corner, c.cut_in_speed, c.region_2_speed, c.region_2_gain, c.rated_speed, slope, start, crossing,
        c.rated_power, c.maximum_torque, c.maximum_torque_rate, c.region_3_pitch, c.pitch_kp, c.pitch_ki,
        c.pitch_halving, c.pitch_speed, c.minimum_pitch, c.maximum_pitch, c.pitch_rate, float(c.constant_torque),
        second[0], second[1], c.damper_gain, c.damper_frequency, c.damper_ratio, 0.0,
        float(c.fixed_speed),
    ])  # fmt: skip


def _with(turbine: Turbine, controller: Controller) -> Turbine:
    from dataclasses import replace

    return replace(turbine, controller=controller)


def start_state(controller: Controller, point: OperatingPoint, generator_speed: float) -> Float:
    """State of the controller at a steady point."""
    state = np.zeros(STATES)
    state[FILTERED] = generator_speed
    state[PITCH] = state[REFERENCE] = point.pitch
    if controller.pitch_ki > 0.0 and point.region == "3":
        state[INTEGRAL] = point.pitch * (1.0 + point.pitch / controller.pitch_halving) / controller.pitch_ki
    state[TORQUE] = state[BASE] = point.torque * point.speed / generator_speed
    if controller.fixed_speed:
        state[TORQUE] = state[BASE] = controller.rated_torque
    state[REGION] = {v: k for k, v in REGIONS.items()}[point.region]
    return state


def parked_state(controller: Controller) -> Float:
    """State of the controller before a start: blades feathered, no torque."""
    state = np.zeros(STATES)
    state[PITCH] = state[REFERENCE] = state[FLOOR] = controller.maximum_pitch
    return state


def quiet_schedule() -> Float:
    """A schedule without events."""
    schedule = np.full(SCHEDULE, math.inf)
    schedule[[START_RATE, STOP_RATE, FEATHER_RATE]] = np.radians([2.0, 2.0, 8.0])
    schedule[[BRAKE_TORQUE, BRAKE_RISE, BRAKE_SLOPE]] = 0.0
    schedule[START] = -math.inf
    return schedule


@hot
def _follow(p, x, schedule, t, dt):  # type: ignore[no-untyped-def]
    """What is left of the controller when one outside asks: actuator with its rate, feathering, loss of the generator."""
    torque = max(x[ASKED_TORQUE], 0.0)
    region = 8.0
    limit = p[18]
    if t >= schedule[TRIP]:
        torque = 0.0
        region = 7.0
    wanted = x[ASKED_PITCH]
    if t >= schedule[FEATHER]:
        limit = max(limit, schedule[FEATHER_RATE])
        x[FLOOR] = min(max(x[FLOOR], x[PITCH]) + schedule[FEATHER_RATE] * dt, p[17])
        wanted = max(wanted, x[FLOOR])
    x[TORQUE] = x[BASE] = torque
    x[REFERENCE] = wanted
    x[RATE] = min(max((wanted - x[PITCH]) / dt, -limit), limit)
    x[PITCH] += dt * x[RATE]
    x[REGION] = region
    return torque


@hot
def _held(p, x, schedule, t, dt, speed):  # type: ignore[no-untyped-def]
    """A turbine whose speed an induction machine holds: a breaker and, for stops, the blades.

    The torque "asked" is the rated one while the breaker is closed: the machine gives what its curve says.
    """
    rated = p[8] / p[15]
    torque = x[BASE]
    region = 9.0
    stopping = t >= schedule[STOP]
    if t < schedule[START]:
        torque = 0.0
        region = 0.0
    elif torque <= 0.0 and not stopping:
        region = 0.0
        if speed >= p[1]:
            torque = rated
    if stopping:
        region = 6.0
        if speed <= p[1]:
            torque = 0.0
    if t >= schedule[TRIP]:
        torque = 0.0
        region = 7.0
    x[TORQUE] = x[BASE] = torque
    limit = p[18]
    wanted = p[16]
    if t < schedule[START]:
        wanted = p[17]
    elif stopping or t >= schedule[FEATHER]:
        limit = schedule[FEATHER_RATE] if t >= schedule[FEATHER] else schedule[STOP_RATE]
        wanted = p[17]
    x[REFERENCE] = wanted
    x[RATE] = min(max((wanted - x[PITCH]) / dt, -limit), limit)
    x[PITCH] = min(max(x[PITCH] + dt * x[RATE], p[16]), p[17])
    x[REGION] = region
    return torque


@hot
def _by_region(p, x, w):  # type: ignore[no-untyped-def]
    """Torque of the region [N m] at a filtered speed, and the number of the region."""
    rated = p[8] / p[15] if p[19] > 0.0 else p[8] / max(w, 1.0)
    if w >= p[4] or (x[PITCH] >= p[11] and x[FLOOR] <= 0.0 and w > p[1]):
        return rated, 5.0
    if w <= p[1]:
        return 0.0, 1.0
    if w < p[2]:
        return p[3] * p[2] * p[2] * (w - p[1]) / (p[2] - p[1]), 2.0
    if w < p[7]:
        return p[3] * w * w, 3.0
    return p[5] * (w - p[6]), 4.0


@hot
def _damped(p, x, torque, dt, speed):  # type: ignore[no-untyped-def]
    """A torque with that of the drivetrain damper, which follows the band-passed speed."""
    f, ratio = p[23], p[24]
    # band-pass by semi-implicit Euler in sub-steps of a tenth of its period at most
    parts = cell_of(dt * f * 2.0, 1e6) + 1
    h = dt / parts
    for _ in range(parts):
        x[BAND_RATE] += h * (2.0 * ratio * f * (speed - x[BAND_RATE]) - f * f * x[BAND])
        x[BAND] += h * x[BAND_RATE]
    return max(torque + p[22] * x[BAND_RATE], 0.0)


@hot
def _pitched(p, x, schedule, t, dt, error, region):  # type: ignore[no-untyped-def]
    """Pitch for an error of the speed: PI with a gain that falls with the angle, the floor under it, the actuator.

    Returns the region, which is that of a start while the floor comes down.
    """
    gain = 1.0 / (1.0 + x[PITCH] / p[14])
    x[INTEGRAL] += dt * error
    high = p[17] / (gain * p[13])
    low = p[16] / (gain * p[13])
    x[INTEGRAL] = min(max(x[INTEGRAL], low), high)
    wanted = gain * (p[12] * error + p[13] * x[INTEGRAL])
    # the floor under the pitch
    limit = p[18]
    if t < schedule[START]:
        x[FLOOR] = p[17]
        x[INTEGRAL] = 0.0
        region = 0.0
    elif t >= schedule[STOP] or t >= schedule[FEATHER]:
        rate = schedule[FEATHER_RATE] if t >= schedule[FEATHER] else schedule[STOP_RATE]
        x[FLOOR] = min(max(x[FLOOR], x[PITCH]) + rate * dt, p[17])
        limit = max(limit, rate)
    elif x[FLOOR] > 0.0:
        x[FLOOR] = max(x[FLOOR] - schedule[START_RATE] * dt, 0.0)
        region = 0.0
    wanted = min(max(max(wanted, x[FLOOR]), p[16]), p[17])
    x[REFERENCE] = wanted
    if p[20] > 0.0:
        accel = p[20] * p[20] * (wanted - x[PITCH]) - 2.0 * p[21] * p[20] * x[RATE]
        x[RATE] = min(max(x[RATE] + dt * accel, -limit), limit)
    else:
        x[RATE] = min(max((wanted - x[PITCH]) / dt, -limit), limit)
    x[PITCH] = min(max(x[PITCH] + dt * x[RATE], p[16]), p[17])
    return region


@hot
def control(p, x, schedule, t, dt, speed):  # type: ignore[no-untyped-def]
    """One step of the controller: ``speed`` [rad/s] of the generator in, pitch and torque in ``x`` out."""
    if p[25] > 0.0:
        return _follow(p, x, schedule, t, dt)
    if p[26] > 0.0:
        return _held(p, x, schedule, t, dt, speed)
    x[FILTERED] += (1.0 - np.exp(-dt * p[0])) * (speed - x[FILTERED])
    w = x[FILTERED]
    torque, region = _by_region(p, x, w)
    if t >= schedule[STOP]:
        # a stop must not hold the power while the speed falls: below rated the parabola through the rated point
        torque = min(torque, p[8] / p[4] ** 3 * w * w)
        region = 6.0
        if w <= p[1]:
            torque = 0.0
    torque = min(max(torque, 0.0), p[9])
    step = p[10] * dt
    torque = min(max(torque, x[BASE] - step), x[BASE] + step)
    x[BASE] = torque
    if p[22] > 0.0 and p[23] > 0.0:
        torque = _damped(p, x, torque, dt, speed)
    if t >= schedule[TRIP]:
        torque = 0.0
        x[BASE] = 0.0
        region = 7.0
    x[TORQUE] = torque
    x[REGION] = _pitched(p, x, schedule, t, dt, w - p[15], region)
    return x[TORQUE]


@hot
def brake_capacity(schedule, t):  # type: ignore[no-untyped-def]
    """Torque that the brake can give at a time [N m, machine shaft]."""
    if t < schedule[BRAKE]:
        return 0.0
    if schedule[BRAKE_RISE] <= 0.0:
        return schedule[BRAKE_TORQUE]
    return schedule[BRAKE_TORQUE] * min((t - schedule[BRAKE]) / schedule[BRAKE_RISE], 1.0)
