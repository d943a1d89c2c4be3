"""Turbine and drivetrain in one compiled loop: aerodynamics, tower, controller, machine, brake, modal drivetrain.

The exchange step (1 ms) goes: aerodynamics (every n-th step, extrapolated), controller, machine first with its torque at
the end of the step, brake, then the drivetrain exactly with torques linear over the step. The loop keeps the modes at
the begin of every step; samples within steps are a product of matrices afterwards, since ``z(tau) = z + A1(tau) z' + A2(tau)
b u'`` is linear in them. Source: numerics page 2, section 5.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gearwright.arrays import Float
from gearwright.kernels import hot, kernel, summed

from .controller import BRAKE, BRAKE_SLOPE, brake_capacity, control
from .exchange import (
    AZIMUTH,
    MACHINE,
    OMEGA,
    PHI,
    RATIO,
    RESPONSE,
    SENSE,
    SPEED_BLADES,
    SPEED_MACHINE,
    SPEED_RATE,
    STEP,
    blow,
    brake_by,
    move_on,
    regularised,
    report,
)


class Stepper(NamedTuple):
    """The modal drivetrain over one exchange step, kept modes side by side: real parts (modes), then imaginary ones of
    the oscillating modes.

    ``rate, push_*, constant``: ``z' = rate z + push u + constant``. ``hold`` = A1, ``grow_*`` = A2 push of blades and
    machine. Rows over these parts: ``speed`` (3) of blades, machine and brake, ``mean`` and ``lever`` (2 each) the integrals of
    ``A1 speed`` and ``tau A1 speed``, ``mean_brake`` that of the brake, ``roll`` torque on the housing.
    Numbers: ``growth`` (speed by 2): integrals of ``A2 push speed``, ``growth_lever`` with tau; ``rest`` (9) of ``roll`` over
    inputs, slopes, one, omega, phi; ``rigid`` (4), ``ratio`` (3), ``fast`` (3, 7) as of :class:`~gearwright.turbine.linear.Modal`.
    """

    rate_r: Float
    rate_i: Float
    push_0: Float
    push_1: Float
    push_2: Float
    constant: Float
    hold_r: Float
    hold_i: Float
    grow_0: Float
    grow_1: Float
    speed_0: Float
    speed_1: Float
    speed_2: Float
    mean_0: Float
    mean_1: Float
    mean_2: Float
    lever_0: Float
    lever_1: Float
    roll: Float
    rest: Float
    growth: Float
    growth_lever: Float
    rigid: Float
    ratio: Float
    fast: Float
    oscillating: int


@summed
def dot(a, b, n):  # type: ignore[no-untyped-def]
    """Sum of products over n numbers."""
    total = 0.0
    for j in range(n):
        total += a[j] * b[j]
    return total


@hot
def by_factor(fr, fi, x, out, nm, osc):  # type: ignore[no-untyped-def]
    """``out += f x`` mode by mode."""
    for j in range(nm):
        out[j] += fr[j] * x[j]
    for j in range(osc):
        out[j] -= fi[j] * x[nm + j]
        out[nm + j] += fr[j] * x[nm + j] + fi[j] * x[j]


@hot
def _braked(modal, schedule, setup, scalar, z, zd, before, ends, rates, motion, t, step):  # type: ignore[no-untyped-def]
    """Torque of the brake that just stops the machine at the end of the step, within its capacity, and the speed of the
    modes at the brake at its begin.

    ``z`` and ``zd`` are the modes and their slopes, ``before`` the modes again, which are put back; ``ends`` and ``rates`` the
    torque of blades and machine at the end and its slopes, ``motion`` rotation, acceleration and jerk of the whole train.
    """
    n = modal.push_0.shape[0]
    nm = n - modal.oscillating
    sh = dot(modal.speed_2, z, n)
    for j in range(n):
        z[j] += modal.grow_0[j] * rates[0] + modal.grow_1[j] * rates[1]
    by_factor(modal.hold_r, modal.hold_i, zd, z, nm, modal.oscillating)
    if schedule[BRAKE_SLOPE] > 0.0:
        brake = regularised(schedule, t + step, scalar[SPEED_MACHINE], setup[RATIO])
    else:
        fast = modal.fast
        capacity = brake_capacity(schedule, t + step)
        free = modal.ratio[2] * (motion[0] + step * (motion[1] + 0.5 * step * motion[2])) + dot(modal.speed_2, z, n)
        free += fast[2, 0] * ends[0] + fast[2, 1] * ends[1] + fast[2, 3] * rates[0] + fast[2, 4] * rates[1] + fast[2, 6]
        brake = -min(max(free / setup[RESPONSE], -capacity), capacity)
    for j in range(n):
        z[j] = before[j]
        zd[j] += modal.push_2[j] * brake
    return brake, sh


@hot
def _way(c0, c1, c2, step, mean, lever, growth, growth_lever, zd, n, ua, um):  # type: ignore[no-untyped-def]
    """Angle of a shaft over the step and its first moment in time, from its speed ``c0 + c1 tau + c2 tau^2`` and the modes."""
    half, third = 0.5 * step * step, step * step * step / 3.0
    way = c0 * step + c1 * half + c2 * third + dot(mean, zd, n) + growth[0] * ua + growth[1] * um
    moment = c0 * half + c1 * third + c2 * half * half + dot(lever, zd, n)
    moment += growth_lever[0] * ua + growth_lever[1] * um
    return way, moment


@hot
def _moved(modal, loop, z, zd, torques, rates, motion, speeds, step):  # type: ignore[no-untyped-def]
    """Turn the train over the step: azimuth, the work of blades, machine and brake, rotation of the whole train.

    ``z`` the modes at the end, ``zd`` their slopes at the begin; ``torques`` of blades, machine and brake at the begin, ``rates``
    slopes of the first two, ``motion`` acceleration and jerk of the whole train, ``speeds`` those of the modes at the three
    places at the begin. Returns the speeds of blades and machine at the end [rad/s].
    """
    fast, ratio, growth, growth_lever = modal.fast, modal.ratio, modal.growth, modal.growth_lever
    scalar, book = loop.scalar, loop.book
    n = modal.push_0.shape[0]
    a0, m0, brake = torques
    ua, um = rates
    acceleration, jerk = motion
    sb, sg, sh = speeds
    omega = scalar[OMEGA]
    # speeds are c0 + c1 tau + c2 tau^2 and those of the modes; ways and their first moments are exact
    f0 = fast[0, 0] * a0 + fast[0, 1] * m0 + fast[0, 2] * brake + fast[0, 3] * ua + fast[0, 4] * um + fast[0, 6]
    f1 = fast[1, 0] * a0 + fast[1, 1] * m0 + fast[1, 2] * brake + fast[1, 3] * ua + fast[1, 4] * um + fast[1, 6]
    r0, r1 = fast[0, 0] * ua + fast[0, 1] * um, fast[1, 0] * ua + fast[1, 1] * um
    c0, c1, c2 = ratio[0] * omega + f0 + sb, ratio[0] * acceleration + r0, 0.5 * ratio[0] * jerk
    way, moment = _way(c0, c1, c2, step, modal.mean_0, modal.lever_0, growth[0], growth_lever[0], zd, n, ua, um)
    book[0] += a0 * way + ua * moment
    scalar[AZIMUTH] += way
    c0, c1, c2 = ratio[1] * omega + f1 + sg, ratio[1] * acceleration + r1, 0.5 * ratio[1] * jerk
    way, moment = _way(c0, c1, c2, step, modal.mean_1, modal.lever_1, growth[1], growth_lever[1], zd, n, ua, um)
    book[1] += m0 * way + um * moment
    if brake != 0.0:
        f2 = fast[2, 0] * a0 + fast[2, 1] * m0 + fast[2, 2] * brake + fast[2, 3] * ua + fast[2, 4] * um + fast[2, 6]
        c0, c1 = ratio[2] * omega + f2 + sh, ratio[2] * acceleration + fast[2, 0] * ua + fast[2, 1] * um
        half, third = 0.5 * step * step, step * step * step / 3.0
        way = c0 * step + c1 * half + 0.5 * ratio[2] * jerk * third + dot(modal.mean_2, zd, n)
        book[2] += brake * (way + growth[2, 0] * ua + growth[2, 1] * um)
    # the end of the step
    scalar[PHI] += step * (omega + step * (0.5 * acceleration + step * jerk / 6.0))
    scalar[OMEGA] = omega + step * (acceleration + 0.5 * step * jerk)
    blades = ratio[0] * scalar[OMEGA] + f0 + r0 * step + dot(modal.speed_0, z, n)
    machine = ratio[1] * scalar[OMEGA] + f1 + r1 * step + dot(modal.speed_1, z, n)
    return blades, machine


@kernel
def run(rotor, wake, cpar, cx, schedule, modal, loop, setup, machine, grid_time, grid_value, tower, tower2, step, each, steps,
        states, rates, turbine, room):  # type: ignore[no-untyped-def]  # fmt: skip
    """Advance ``steps`` exchange steps; returns the steps that stayed finite.

    ``modal`` is a :class:`Stepper` whose inputs are blades, machine, brake; ``machine`` an
    :class:`~gearwright.machines.stepping.Electric`; ``tower`` and ``tower2`` of :func:`~gearwright.turbine.exchange.tower_rows`.
    Writes, for every step, at its begin ``states`` (parts, then inputs (3), slopes of blades and machine, 1, omega, phi) and
    ``rates`` (their derivatives, then the slopes), and the ``turbine``'s channels at its end, then the states of the machine as
    far as there is room. ``room`` (3, largest of parts and 8): workspace.
    """
    rigid, rest = modal.rigid, modal.rest
    push_0, push_1, constant = modal.push_0, modal.push_1, modal.constant
    grow_0, grow_1 = modal.grow_0, modal.grow_1
    zr, zi, scalar, air, inputs = loop.zr, loop.zi, loop.scalar, loop.air, loop.inputs
    osc = modal.oscillating
    nm = zr.shape[0]
    n = nm + osc
    sense = setup[SENSE]
    series, z, zd = room[0], room[1], room[2]
    for j in range(nm):
        z[j] = zr[j]
    for j in range(osc):
        z[nm + j] = zi[j]
    done = steps
    for k in range(steps):
        number = np.int64(scalar[STEP])
        t = number * step
        omega = scalar[OMEGA]
        blow(rotor, wake, cx, loop, tower, each, step)
        control(cpar, cx, schedule, t, step, sense * scalar[SPEED_MACHINE])
        before, after = brake_by(machine, setup, schedule, cx, scalar[MACHINE], t, step, scalar[SPEED_MACHINE],
                                 scalar[SPEED_RATE], grid_time, grid_value)  # fmt: skip
        a0, a1 = air[2, 0], air[2, 0] + air[3, 0] * step
        m0, m1 = -sense * before, -sense * after
        ua, um = (a1 - a0) / step, (m1 - m0) / step
        # the modes at the begin, what they would be at the end without a brake
        for j in range(n):
            states[k, j] = z[j]
            zd[j] = push_0[j] * a0 + push_1[j] * m0 + constant[j]
        by_factor(modal.rate_r, modal.rate_i, z, zd, nm, osc)
        sb, sg = dot(modal.speed_0, z, n), dot(modal.speed_1, z, n)
        acceleration = rigid[0] * a0 + rigid[1] * m0 + rigid[3]
        jerk = rigid[0] * ua + rigid[1] * um
        brake, sh = 0.0, 0.0
        if t >= schedule[BRAKE]:
            brake, sh = _braked(modal, schedule, setup, scalar, z, zd, states[k], (a1, m1), (ua, um),
                                (omega, acceleration, jerk), t, step)  # fmt: skip
            acceleration += rigid[2] * brake
        for j in range(n):
            z[j] += grow_0[j] * ua + grow_1[j] * um
            rates[k, j] = zd[j]
        by_factor(modal.hold_r, modal.hold_i, zd, z, nm, osc)
        rates[k, n], rates[k, n + 1] = ua, um
        states[k, n], states[k, n + 1], states[k, n + 2], states[k, n + 3], states[k, n + 4] = a0, m0, brake, ua, um
        states[k, n + 5], states[k, n + 6], states[k, n + 7] = 1.0, omega, scalar[PHI]
        end_b, end_g = _moved(modal, loop, z, zd, (a0, m0, brake), (ua, um), (acceleration, jerk), (sb, sg, sh), step)
        scalar[MACHINE] = after
        scalar[SPEED_RATE] = (end_g - scalar[SPEED_MACHINE]) / step
        scalar[SPEED_BLADES], scalar[SPEED_MACHINE] = end_b, end_g
        scalar[STEP] = number + 1
        inputs[0], inputs[1], inputs[2], inputs[3], inputs[4] = a1, m1, brake, ua, um
        if not (abs(end_g) < 1e4 and abs(end_b) < 1e3):
            done = k
            break
        housing = dot(modal.roll, z, n) + rest[0] * a1 + rest[1] * m1 + rest[2] * brake + rest[3] * ua + rest[4] * um
        housing += rest[6] + rest[7] * scalar[OMEGA] + rest[8] * scalar[PHI]
        # the nacelle takes what gearbox housing, stator and brake take
        reaction = housing - m1 - brake
        move_on(loop, tower, tower2, setup, step, reaction)
        end = t + step
        report(
            rotor, cx, loop, tower, setup, machine, t, end, end_g, reaction, grid_time, grid_value, series, turbine, k
        )
    for j in range(nm):
        zr[j] = z[j]
    for j in range(osc):
        zi[j] = z[nm + j]
    return done
