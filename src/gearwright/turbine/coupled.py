"""Turbine and drivetrain in one compiled loop: aerodynamics, tower, controller, machine, brake, modal drivetrain.

The exchange step (1 ms) goes: aerodynamics (every n-th step, extrapolated), controller, machine first with its torque at
the end of the step, brake, then the drivetrain exactly with torques linear over the step. The loop keeps the modes at
the begin of every step; samples within steps are a product of matrices afterwards, since ``z(tau) = z + A1(tau) z' + A2(tau)
b u'`` is linear in them. Source: numerics page 2, section 5.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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

Float = NDArray[np.float64]


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
    rigid, ratio, fast, rest = modal.rigid, modal.ratio, modal.fast, modal.rest
    push_0, push_1, push_2, constant = modal.push_0, modal.push_1, modal.push_2, modal.constant
    grow_0, grow_1 = modal.grow_0, modal.grow_1
    growth, growth_lever = modal.growth, modal.growth_lever
    zr, zi, scalar, air, inputs, book = loop.zr, loop.zi, loop.scalar, loop.air, loop.inputs, loop.book
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
    half, third = 0.5 * step * step, step * step * step / 3.0
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
            # the torque that just stops the machine, within its capacity
            sh = dot(modal.speed_2, z, n)
            for j in range(n):
                z[j] += grow_0[j] * ua + grow_1[j] * um
            by_factor(modal.hold_r, modal.hold_i, zd, z, nm, osc)
            if schedule[BRAKE_SLOPE] > 0.0:
                brake = regularised(schedule, t + step, scalar[SPEED_MACHINE], setup[RATIO])
            else:
                capacity = brake_capacity(schedule, t + step)
                free = ratio[2] * (omega + step * (acceleration + 0.5 * step * jerk)) + dot(modal.speed_2, z, n)
                free += fast[2, 0] * a1 + fast[2, 1] * m1 + fast[2, 3] * ua + fast[2, 4] * um + fast[2, 6]
                brake = -min(max(free / setup[RESPONSE], -capacity), capacity)
            for j in range(n):
                z[j] = states[k, j]
                zd[j] += push_2[j] * brake
            acceleration += rigid[2] * brake
        for j in range(n):
            z[j] += grow_0[j] * ua + grow_1[j] * um
            rates[k, j] = zd[j]
        by_factor(modal.hold_r, modal.hold_i, zd, z, nm, osc)
        rates[k, n], rates[k, n + 1] = ua, um
        states[k, n], states[k, n + 1], states[k, n + 2], states[k, n + 3], states[k, n + 4] = a0, m0, brake, ua, um
        states[k, n + 5], states[k, n + 6], states[k, n + 7] = 1.0, omega, scalar[PHI]
        # speeds are c0 + c1 tau + c2 tau^2 and those of the modes; ways and their first moments are exact
        f0 = fast[0, 0] * a0 + fast[0, 1] * m0 + fast[0, 2] * brake + fast[0, 3] * ua + fast[0, 4] * um + fast[0, 6]
        f1 = fast[1, 0] * a0 + fast[1, 1] * m0 + fast[1, 2] * brake + fast[1, 3] * ua + fast[1, 4] * um + fast[1, 6]
        r0, r1 = fast[0, 0] * ua + fast[0, 1] * um, fast[1, 0] * ua + fast[1, 1] * um
        c0, c1, c2 = ratio[0] * omega + f0 + sb, ratio[0] * acceleration + r0, 0.5 * ratio[0] * jerk
        way = c0 * step + c1 * half + c2 * third + dot(modal.mean_0, zd, n) + growth[0, 0] * ua + growth[0, 1] * um
        moment = c0 * half + c1 * third + c2 * half * half + dot(modal.lever_0, zd, n)
        moment += growth_lever[0, 0] * ua + growth_lever[0, 1] * um
        book[0] += a0 * way + ua * moment
        scalar[AZIMUTH] += way
        c0, c1, c2 = ratio[1] * omega + f1 + sg, ratio[1] * acceleration + r1, 0.5 * ratio[1] * jerk
        way = c0 * step + c1 * half + c2 * third + dot(modal.mean_1, zd, n) + growth[1, 0] * ua + growth[1, 1] * um
        moment = c0 * half + c1 * third + c2 * half * half + dot(modal.lever_1, zd, n)
        moment += growth_lever[1, 0] * ua + growth_lever[1, 1] * um
        book[1] += m0 * way + um * moment
        if brake != 0.0:
            f2 = fast[2, 0] * a0 + fast[2, 1] * m0 + fast[2, 2] * brake + fast[2, 3] * ua + fast[2, 4] * um + fast[2, 6]
            c0, c1 = ratio[2] * omega + f2 + sh, ratio[2] * acceleration + fast[2, 0] * ua + fast[2, 1] * um
            way = c0 * step + c1 * half + 0.5 * ratio[2] * jerk * third + dot(modal.mean_2, zd, n)
            book[2] += brake * (way + growth[2, 0] * ua + growth[2, 1] * um)
        # the end of the step
        scalar[PHI] += step * (omega + step * (0.5 * acceleration + step * jerk / 6.0))
        scalar[OMEGA] = omega + step * (acceleration + 0.5 * step * jerk)
        end_b = ratio[0] * scalar[OMEGA] + f0 + r0 * step + dot(modal.speed_0, z, n)
        end_g = ratio[1] * scalar[OMEGA] + f1 + r1 * step + dot(modal.speed_1, z, n)
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
        report(
            rotor,
            cx,
            loop,
            tower,
            setup,
            machine,
            t,
            t + step,
            end_g,
            reaction,
            grid_time,
            grid_value,
            series,
            turbine,
            k,
        )
    for j in range(nm):
        zr[j] = z[j]
    for j in range(osc):
        zi[j] = z[nm + j]
    return done
