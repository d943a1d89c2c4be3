"""Turbine and drivetrain in one compiled loop: aerodynamics, tower, controller, machine, brake, modal drivetrain.

The exchange step (1 ms) goes: aerodynamics (every n-th step, extrapolated), controller, machine first with
its torque at the end of the step, brake, then the drivetrain exactly with torques linear over the step. Samples
between the ends of a step come from the same closed form. Source: numerics page 2, section 5.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gearwright.machines.stepping import electric_step, from_left, from_right
from gearwright.system import hot, kernel

from .controller import BRAKE, BRAKE_SLOPE, PITCH, REGION, TORQUE, TRIP, brake_capacity, control
from .linear import Modal
from .rotor import OUTPUTS, aero
from .tower import TowerMode
from .wind import hub_wind

Float = NDArray[np.float64]

#: turbine channels of the loop: quantity, unit
CHANNELS = (
    ("wind_speed", "m/s"), ("rotor_wind", "m/s"), ("pitch", "rad"), ("region", "1"), ("torque_reference", "N m"),
    ("electrical_power", "W"), ("thrust", "N"), ("tower_fore_aft", "m"), ("tower_side_side", "m"),
    ("hub_force_y", "N"), ("hub_force_z", "N"), ("hub_moment_y", "N m"), ("hub_moment_z", "N m"),
    ("tower_base_moment_y", "N m"), ("tower_base_moment_x", "N m"), ("voltage", "1"),
)  # fmt: skip

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
    SCALARS,
) = range(15)
#: places in the book: work of aerodynamics, machine, brake; work of thrust and roll on the tower, heat in the tower
BOOKED = 6


class Loop(NamedTuple):
    """State of the loop besides rotor, wake and controller: modes, scalars, aerodynamics (now, before, applied,
    slope), inputs and slopes at the end of the last step, book, sums of input jumps times state."""

    zr: Float
    zi: Float
    scalar: Float
    air: Float
    inputs: Float
    book: Float
    jumps: Float


@kernel
def run(rotor, wake, cpar, cx, schedule, modal, loop, setup, machine, grid_time, grid_value, tower, tower2, roll, h, per,
        each, steps, factors, samples, turbine):  # type: ignore[no-untyped-def]  # fmt: skip
    """Advance ``steps`` exchange steps of ``per`` samples of ``h`` seconds; returns the steps that stayed finite.

    ``setup`` = [sense of the machine, its lag, efficiency, tower 0/1, speed response of the braked body to a unit brake torque
    over a step]; ``machine`` a :class:`~gearwright.machines.stepping.Electric`; points of ``modal``: blades, machine, brake. ``factors`` (4, modes) = exp(rate h), exp(rate step); ``roll`` the
    torque of the train on the gearbox housing over the vector of a sample. ``tower`` (2, 12) and ``tower2`` (2, 2):
    fore-aft and side-side as of :func:`tower_rows`. ``samples`` (steps per, width) flattened, ``turbine`` (steps, channels).
    """
    lr, li, inverse = modal.rate_r, modal.rate_i, modal.inverse
    b0r, b0i, b1r, b1i, b2r, b2i = (
        modal.push_0r, modal.push_0i, modal.push_1r, modal.push_1i, modal.push_2r, modal.push_2i
    )  # fmt: skip
    gr, gi = modal.constant_r, modal.constant_i
    sr, si, tr, ti = modal.first_r, modal.first_i, modal.second_r, modal.second_i
    hubr, hubi = modal.third_r, modal.third_i
    rigid, ratio, fast, osc = modal.rigid, modal.ratio, modal.fast, modal.oscillating
    zr, zi, scalar, air, inputs, book, jumps = (
        loop.zr, loop.zi, loop.scalar, loop.air, loop.inputs, loop.book, loop.jumps
    )  # fmt: skip
    now, old, applied, slope = air[0], air[1], air[2], air[3]
    nm = zr.shape[0]
    base = nm + osc
    width = base + 9
    step = per * h
    sense, lag, eta, towered, response = setup[0], setup[1], setup[2], setup[3], setup[4]
    series = np.zeros(8)
    p0r, p0i, p1r, p1i = np.zeros(nm), np.zeros(nm), np.zeros(nm), np.zeros(nm)
    hr, hi = np.zeros(nm), np.zeros(nm)
    er, ei, fr, fi = factors[0], factors[1], factors[2], factors[3]
    lever_f, lever_s, height = tower[0, 8], tower[1, 8], tower[0, 11]
    decay = np.exp(-step / lag) if lag > 0.0 else 0.0
    start = np.zeros(3)
    for k in range(steps):
        number = np.int64(scalar[STEP])
        t = number * step
        omega = scalar[OMEGA]
        vb, vg = scalar[SPEED_BLADES], scalar[SPEED_MACHINE]
        if number % each == 0:
            for i in range(OUTPUTS):
                old[i] = now[i]
            aero(rotor, wake, t, each * step, scalar[AZIMUTH], vb, cx[PITCH], scalar[FORE_SPEED] * lever_f,
                 scalar[SIDE_SPEED] * lever_s, now)  # fmt: skip
            for i in range(OUTPUTS):
                if number == 0:
                    old[i] = now[i]
                    applied[i] = now[i]
                slope[i] = (2.0 * now[i] - old[i] - applied[i]) / (each * step)
        control(cpar, cx, schedule, t, step, sense * vg)
        # machine first: its torque at the end of the step
        before = scalar[MACHINE]
        if t >= schedule[TRIP] or (cx[TORQUE] == 0.0 and machine.address != 0):
            # open breaker: lost, or nothing asked (start, end of a stop)
            before = 0.0
            after = 0.0
        elif machine.address != 0:
            before = electric_step(machine, t, step, vg, scalar[SPEED_RATE], cx[TORQUE], grid_time, grid_value, sense)
            after = sense * machine.torque[0]
        else:
            asked = cx[TORQUE] * from_left(grid_time, grid_value, 0, t + step)
            after = asked + (before - asked) * decay
            if lag <= 0.0:
                before = cx[TORQUE] * from_right(grid_time, grid_value, 0, t)
        a0, a1 = applied[0], applied[0] + slope[0] * step
        m0, m1 = -sense * before, -sense * after
        ua, um = (a1 - a0) / step, (m1 - m0) / step
        # modes: particular solution linear in time
        for j in range(nm):
            xr = b0r[j] * ua + b1r[j] * um
            xi = b0i[j] * ua + b1i[j] * um
            p1r[j] = -(xr * lr[j] + xi * li[j]) * inverse[j]
            p1i[j] = -(xi * lr[j] - xr * li[j]) * inverse[j]
            xr = p1r[j] - b0r[j] * a0 - b1r[j] * m0 - gr[j]
            xi = p1i[j] - b0i[j] * a0 - b1i[j] * m0 - gi[j]
            p0r[j] = (xr * lr[j] + xi * li[j]) * inverse[j]
            p0i[j] = (xi * lr[j] - xr * li[j]) * inverse[j]
        acceleration = rigid[0] * a0 + rigid[1] * m0 + rigid[3]
        jerk = rigid[0] * ua + rigid[1] * um
        # brake: the torque that just stops the machine, within its capacity
        brake = 0.0
        if t >= schedule[BRAKE]:
            capacity = brake_capacity(schedule, t + step)
            if schedule[BRAKE_SLOPE] > 0.0:
                brake = -capacity * np.tanh(schedule[BRAKE_SLOPE] * vg / ratio[1] * ratio[0])
            else:
                free = ratio[2] * (omega + step * (acceleration + 0.5 * step * jerk))
                free += fast[2, 0] * a1 + fast[2, 1] * m1 + fast[2, 3] * ua + fast[2, 4] * um + fast[2, 6]
                for j in range(nm):
                    xr, xi = zr[j] - p0r[j], zi[j] - p0i[j]
                    yr = xr * fr[j] - xi * fi[j] + p0r[j] + p1r[j] * step
                    yi = xr * fi[j] + xi * fr[j] + p0i[j] + p1i[j] * step
                    free += hubr[j] * yr - hubi[j] * yi
                brake = -min(max(free / response, -capacity), capacity)
            if brake != 0.0:
                for j in range(nm):
                    p0r[j] -= (b2r[j] * lr[j] + b2i[j] * li[j]) * inverse[j] * brake
                    p0i[j] -= (b2i[j] * lr[j] - b2r[j] * li[j]) * inverse[j] * brake
                acceleration += rigid[2] * brake
        # jumps of inputs, for the heat in the dampers
        start[0], start[1], start[2] = a0, m0, brake
        for i in range(3):
            jump = start[i] - inputs[i]
            if jump != 0.0 and number > 0:
                o = max((k * per - 1), 0) * width
                if k > 0:
                    for j in range(width):
                        jumps[i, j] += jump * samples[o + j]
        # speeds and accelerations of blades and machine at the start, for the work of the inputs
        fb = fast[0, 0] * a0 + fast[0, 1] * m0 + fast[0, 2] * brake + fast[0, 3] * ua + fast[0, 4] * um + fast[0, 6]
        fg = fast[1, 0] * a0 + fast[1, 1] * m0 + fast[1, 2] * brake + fast[1, 3] * ua + fast[1, 4] * um + fast[1, 6]
        rate_b, rate_g = fast[0, 0] * ua + fast[0, 1] * um, fast[1, 0] * ua + fast[1, 1] * um
        fh, rate_h = 0.0, fast[2, 0] * ua + fast[2, 1] * um
        if brake != 0.0:
            fh = fast[2, 0] * a0 + fast[2, 1] * m0 + fast[2, 2] * brake + fast[2, 3] * ua + fast[2, 4] * um + fast[2, 6]
        vh, acch = ratio[2] * omega + fh, ratio[2] * acceleration + rate_h
        vb, vg = ratio[0] * omega + fb, ratio[1] * omega + fg
        accb, accg = ratio[0] * acceleration + rate_b, ratio[1] * acceleration + rate_g
        for j in range(nm):
            xr, xi = zr[j] - p0r[j], zi[j] - p0i[j]
            hr[j], hi[j] = xr, xi
            vb += sr[j] * zr[j] - si[j] * zi[j]
            vg += tr[j] * zr[j] - ti[j] * zi[j]
            yr = lr[j] * xr - li[j] * xi + p1r[j]
            yi = lr[j] * xi + li[j] * xr + p1i[j]
            accb += sr[j] * yr - si[j] * yi
            accg += tr[j] * yr - ti[j] * yi
            if brake != 0.0:
                vh += hubr[j] * zr[j] - hubi[j] * zi[j]
                acch += hubr[j] * yr - hubi[j] * yi
        # samples
        o = 0
        for s in range(per):
            tau = (s + 1) * h
            o = (k * per + s) * width
            for j in range(osc):
                xr = hr[j] * er[j] - hi[j] * ei[j]
                xi = hr[j] * ei[j] + hi[j] * er[j]
                hr[j], hi[j] = xr, xi
                samples[o + j] = xr + p0r[j] + p1r[j] * tau
                samples[o + nm + j] = xi + p0i[j] + p1i[j] * tau
            for j in range(osc, nm):
                hr[j] *= er[j]
                samples[o + j] = hr[j] + p0r[j] + p1r[j] * tau
            b = o + base
            samples[b], samples[b + 1], samples[b + 2] = a0 + ua * tau, m0 + um * tau, brake
            samples[b + 3], samples[b + 4], samples[b + 5], samples[b + 6] = ua, um, 0.0, 1.0
            samples[b + 7] = omega + tau * (acceleration + 0.5 * tau * jerk)
            samples[b + 8] = scalar[PHI] + tau * (omega + tau * (0.5 * acceleration + tau * jerk / 6.0))
        scalar[OMEGA], scalar[PHI] = samples[o + base + 7], samples[o + base + 8]
        acceleration += step * jerk
        end_b = ratio[0] * scalar[OMEGA] + fb + rate_b * step
        end_g = ratio[1] * scalar[OMEGA] + fg + rate_g * step
        acc_b, acc_g = ratio[0] * acceleration + rate_b, ratio[1] * acceleration + rate_g
        end_h, acc_h = ratio[2] * scalar[OMEGA] + fh + rate_h * step, ratio[2] * acceleration + rate_h
        for j in range(nm):
            zr[j] = samples[o + j]
            if j < osc:
                zi[j] = samples[o + nm + j]
            yr = lr[j] * hr[j] - li[j] * hi[j] + p1r[j]
            yi = lr[j] * hi[j] + li[j] * hr[j] + p1i[j]
            end_b += sr[j] * zr[j] - si[j] * zi[j]
            end_g += tr[j] * zr[j] - ti[j] * zi[j]
            acc_b += sr[j] * yr - si[j] * yi
            acc_g += tr[j] * yr - ti[j] * yi
            if brake != 0.0:
                end_h += hubr[j] * zr[j] - hubi[j] * zi[j]
                acc_h += hubr[j] * yr - hubi[j] * yi
        housing = 0.0
        for j in range(width):
            housing += roll[j] * samples[o + j]
        twelfth = step * step / 12.0
        book[0] += 0.5 * step * (a0 * vb + a1 * end_b) + twelfth * (ua * (vb - end_b) + a0 * accb - a1 * acc_b)
        book[1] += 0.5 * step * (m0 * vg + m1 * end_g) + twelfth * (um * (vg - end_g) + m0 * accg - m1 * acc_g)
        if brake != 0.0:
            book[2] += brake * (0.5 * step * (vh + end_h) + twelfth * (acch - acc_h))
        scalar[AZIMUTH] += 0.5 * step * (vb + end_b)
        scalar[MACHINE] = after
        scalar[SPEED_RATE] = (end_g - scalar[SPEED_MACHINE]) / step
        scalar[SPEED_BLADES], scalar[SPEED_MACHINE] = end_b, end_g
        scalar[STEP] = number + 1
        inputs[0], inputs[1], inputs[2] = a1, m1, brake
        inputs[3], inputs[4] = ua, um
        for i in range(OUTPUTS):
            applied[i] += slope[i] * step
        if not (abs(end_g) < 1e4 and abs(end_b) < 1e3):
            return k
        # tower, exact for a force linear in time; the nacelle takes what gearbox housing, stator and brake take
        thrust, side = applied[1], applied[2]
        reaction = housing - m1 - brake
        _tower_step(tower, tower2, scalar, book, step, thrust * lever_f + applied[4] * tower[0, 9],
                    side * lever_s + reaction * tower[1, 9], towered)  # fmt: skip
        turbine[k, 0] = hub_wind(rotor.air, t, series)
        turbine[k, 1], turbine[k, 2], turbine[k, 3], turbine[k, 4] = now[6], cx[PITCH], cx[REGION], cx[TORQUE]
        turbine[k, 5] = eta * after * sense * end_g
        turbine[k, 6], turbine[k, 7], turbine[k, 8] = thrust, scalar[FORE], scalar[SIDE]
        turbine[k, 9], turbine[k, 10], turbine[k, 11], turbine[k, 12] = side, applied[3], applied[4], applied[5]
        turbine[k, 13] = tower[0, 7] * scalar[FORE] * height if towered > 0.0 else thrust * height + applied[4]
        turbine[k, 14] = -tower[1, 7] * scalar[SIDE] * height if towered > 0.0 else reaction - side * height
        turbine[k, 15] = from_left(grid_time, grid_value, 0, t + step)
    return steps


@kernel
def exchange(rotor, wake, cpar, cx, schedule, loop, setup, machine, grid_time, grid_value, tower, tower2, step, parts,
             each, points, housing, torque, values):  # type: ignore[no-untyped-def]  # fmt: skip
    """What happens between two advances of an engine that steps the drivetrain itself: one exchange step of the rest.

    ``points`` = speed of blades and machine and their rates; controller and machine take ``parts`` steps with the machine's
    speed extrapolated. Writes torques on blades and machine at the begin and the end of the step into ``torque`` (4) and
    the turbine's channels into ``values``; the tower moves on with the torque ``housing`` of the train on its housing.
    """
    scalar, air = loop.scalar, loop.air
    now, old, applied, slope = air[0], air[1], air[2], air[3]
    sense, lag, eta, towered = setup[0], setup[1], setup[2], setup[3]
    lever_f, lever_s, height = tower[0, 8], tower[1, 8], tower[0, 11]
    number = np.int64(scalar[STEP])
    t = number * step
    vb, vg, rate_g = points[0], points[1], points[3]
    if number % each == 0:
        for i in range(OUTPUTS):
            old[i] = now[i]
        aero(rotor, wake, t, each * step, scalar[AZIMUTH], vb, cx[PITCH], scalar[FORE_SPEED] * lever_f,
             scalar[SIDE_SPEED] * lever_s, now)  # fmt: skip
        for i in range(OUTPUTS):
            if number == 0:
                old[i] = now[i]
                applied[i] = now[i]
            slope[i] = (2.0 * now[i] - old[i] - applied[i]) / (each * step)
    h = step / parts
    begin, after = 0.0, scalar[MACHINE]
    for part in range(parts):
        tau = t + part * h
        speed = vg + rate_g * part * h
        control(cpar, cx, schedule, tau, h, sense * speed)
        before = after
        if tau >= schedule[TRIP] or (cx[TORQUE] == 0.0 and machine.address != 0):
            before, after = 0.0, 0.0
        elif machine.address != 0:
            before = electric_step(machine, tau, h, speed, rate_g, cx[TORQUE], grid_time, grid_value, sense)
            after = sense * machine.torque[0]
        else:
            asked = cx[TORQUE] * from_left(grid_time, grid_value, 0, tau + h)
            if lag > 0.0:
                after = asked + (before - asked) * np.exp(-h / lag)
            else:
                before, after = cx[TORQUE] * from_right(grid_time, grid_value, 0, tau), asked
        if part == 0:
            begin = before
    scalar[MACHINE] = after
    torque[0], torque[1] = applied[0], applied[0] + slope[0] * step
    torque[2], torque[3] = -sense * begin, -sense * after
    for i in range(OUTPUTS):
        applied[i] += slope[i] * step
    thrust, side = applied[1], applied[2]
    reaction = housing - torque[3]
    _tower_step(tower, tower2, scalar, loop.book, step, thrust * lever_f + applied[4] * tower[0, 9],
                side * lever_s + reaction * tower[1, 9], towered)  # fmt: skip
    scalar[AZIMUTH] += step * (vb + 0.5 * step * points[2])
    scalar[STEP] = number + 1
    values[0] = hub_wind(rotor.air, t, torque[4:])
    values[1], values[2], values[3], values[4] = now[6], cx[PITCH], cx[REGION], cx[TORQUE]
    values[5] = eta * after * sense * (vg + rate_g * step)
    values[6], values[7], values[8] = thrust, scalar[FORE], scalar[SIDE]
    values[9], values[10], values[11], values[12] = side, applied[3], applied[4], applied[5]
    values[13] = tower[0, 7] * scalar[FORE] * height if towered > 0.0 else thrust * height + applied[4]
    values[14] = -tower[1, 7] * scalar[SIDE] * height if towered > 0.0 else reaction - side * height
    values[15] = from_left(grid_time, grid_value, 0, t + step)


@hot
def _tower_step(tower, tower2, scalar, book, step, pull, push, towered):  # type: ignore[no-untyped-def]
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


def bare() -> Loop:
    """The state of a loop whose drivetrain is stepped by an engine."""
    return Loop(np.zeros(1), np.zeros(1), np.zeros(SCALARS), np.zeros((4, OUTPUTS)), np.zeros(5), np.zeros(BOOKED),
                np.zeros((3, 1)))  # fmt: skip


def empty(modal: Modal) -> Loop:
    """A loop's state, to be filled."""
    nm = modal.kept
    return Loop(np.zeros(nm), np.zeros(nm), np.zeros(SCALARS), np.zeros((4, OUTPUTS)), np.zeros(5), np.zeros(BOOKED),
                np.zeros((3, nm + modal.oscillating + 9)))  # fmt: skip


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
        first[i] = [*e[0, :2], *e[1, :2], e[0, 2], e[1, 2], mode.damping, mode.stiffness, mode.lever, mode.slope,
                    mode.mass, hub_height]  # fmt: skip
        second[i] = e[:2, 3] / step
    return first, second
