"""A turbine on its own: rotor, two or three masses, tower, reference controller, in one compiled loop.

The drivetrain is the shaft spring of the turbine's data; with a gearbox see :mod:`gearwright.running.setup`. The
mechanics step semi-implicitly; the aerodynamics run every few steps and are extrapolated between.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from gearwright.kernels import hot, kernel

from . import bem, tower
from . import controller as control_room
from .controller import (
    BRAKE,
    BRAKE_RISE,
    BRAKE_SLOPE,
    BRAKE_TORQUE,
    FEATHER,
    FEATHER_RATE,
    PITCH,
    REGION,
    START,
    START_RATE,
    STOP,
    STOP_RATE,
    TORQUE,
    TRIP,
    brake_capacity,
    control,
)
from .model import Controller, Turbine, TurbineError, load
from .rotor import OUTPUTS, aero, make, wake_of
from .wind import Wind, hub_wind, steady

Float = NDArray[np.floating]

#: channels of a run: name, unit
CHANNELS = (
    ("wind_speed", "m/s"), ("rotor_wind", "m/s"), ("rotor_speed", "rad/s"), ("generator_speed", "rad/s"),
    ("pitch", "rad"), ("generator_torque", "N m"), ("electrical_power", "W"), ("low_speed_shaft_torque", "N m"),
    ("aerodynamic_torque", "N m"), ("thrust", "N"), ("tower_fore_aft", "m"), ("tower_side_side", "m"),
    ("hub_force_y", "N"), ("hub_force_z", "N"), ("hub_moment_y", "N m"), ("hub_moment_z", "N m"), ("region", "1"),
    ("brake_torque", "N m"), ("tower_base_moment_y", "N m"), ("tower_base_moment_x", "N m"), ("azimuth", "rad"),
)  # fmt: skip


@dataclass(frozen=True)
class Schedule:
    """Events of a run: times [s] after its begin, pitch rates [rad/s]; None: does not happen.

    ``start`` begins from standstill with feathered blades; ``stop`` feathers slowly and lets the torque follow the
    speed; ``trip`` takes the generator's torque away; ``feather`` pitches out; ``brake`` acts on the machine shaft with
    ``brake_torque`` [N m] after ``brake_rise`` seconds, sticking, or as tanh(slope w) with ``brake_slope`` [s/rad] of
    the rotor speed.
    """

    start: float | None = None
    start_rate: float = math.radians(2.0)
    stop: float | None = None
    stop_rate: float = math.radians(2.0)
    trip: float | None = None
    feather: float | None = None
    feather_rate: float = math.radians(8.0)
    brake: float | None = None
    brake_torque: float | None = None
    brake_rise: float | None = None
    brake_slope: float = 0.0

    def array(self, turbine: Turbine) -> Float:
        """The schedule in compiled form."""
        s = control_room.quiet_schedule()
        for place, value in (
            (START, self.start),
            (STOP, self.stop),
            (TRIP, self.trip),
            (FEATHER, self.feather),
            (BRAKE, self.brake),
        ):
            if value is not None:
                s[place] = value
        s[START_RATE], s[STOP_RATE], s[FEATHER_RATE] = self.start_rate, self.stop_rate, self.feather_rate
        s[BRAKE_TORQUE] = turbine.brake_torque if self.brake_torque is None else self.brake_torque
        s[BRAKE_RISE] = turbine.brake_rise if self.brake_rise is None else self.brake_rise
        s[BRAKE_SLOPE] = self.brake_slope
        return s


@dataclass(frozen=True)
class TurbineRun:
    """Series of a run, by channel, on ``time`` (n,); energies of the run [J]."""

    time: Float
    channels: dict[str, Float]
    units: dict[str, str]
    wall_s: float
    energy: dict[str, float] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Float:
        return self.channels[name]

    def after(self, discard: float) -> TurbineRun:
        """The run without its first seconds."""
        keep = self.time >= discard
        return TurbineRun(
            self.time[keep], {k: v[keep] for k, v in self.channels.items()}, self.units, self.wall_s, self.energy
        )

    def statistics(self) -> dict[str, dict[str, float]]:
        """Mean, standard deviation, minimum, maximum of every channel."""
        return {
            k: {"mean": float(v.mean()), "std": float(v.std()), "min": float(v.min()), "max": float(v.max())}
            for k, v in self.channels.items()
        }


@hot
def _blow(rotor, wake, now, old, first, t, dt, azimuth, speed, pitch, forward, sideways):  # type: ignore[no-untyped-def]
    """Loads of the rotor into ``now``, those before into ``old``; at the first step both are the same."""
    for j in range(OUTPUTS):
        old[j] = now[j]
    aero(rotor, wake, t, dt, azimuth, speed, pitch, forward, sideways, now)
    if first:
        for j in range(OUTPUTS):
            old[j] = now[j]


@hot
def _tower_step(towers, pull, push, dt, xf, xs, vf, vs):  # type: ignore[no-untyped-def]
    """Positions and speeds of the two tower modes after a step under their forces, semi-implicit."""
    vf += dt * (pull - towers[1] * vf - towers[2] * xf) / towers[0]
    xf += dt * vf
    vs += dt * (push - towers[6] * vs - towers[7] * xs) / towers[5]
    xs += dt * vs
    return xf, xs, vf, vs


@hot
def _braked(schedule, t, dt, ratio, jg, free, speed):  # type: ignore[no-untyped-def]
    """Torque of the brake at the rotor's speed level [N m], for a machine of speed ``free`` without it and ``speed`` before."""
    capacity = brake_capacity(schedule, t) * ratio
    if not capacity > 0.0:
        return 0.0
    if schedule[BRAKE_SLOPE] > 0.0:
        return capacity * np.tanh(schedule[BRAKE_SLOPE] * speed)
    return min(max(free * jg / dt, -capacity), capacity)


@kernel
def _run(rotor, wake, cpar, cx, schedule, chain, x, towers, dt, each, steps, store, out, book, room):  # type: ignore[no-untyped-def]
    """Step the turbine; ``x`` = azimuth, three speeds, two twists, tower positions and speeds (referred to the rotor).

    ``chain`` = [flexible inertia, hub, generator (referred), edge spring, damper, shaft spring, damper, ratio,
    generator efficiency, tower on]; ``towers`` = mass, damping, stiffness, slope, lever of fore-aft, side-side, height.
    ``book`` gathers work: aerodynamic, generator, brake, shaft damping, edge damping, thrust on the tower; ``room`` (3, largest of OUTPUTS and 8): workspace.
    """
    jf, jh, jg, kf, cf, ks, cs, ratio, eta, has_tower = (
        chain[0], chain[1], chain[2], chain[3], chain[4], chain[5], chain[6], chain[7], chain[8], chain[9]
    )  # fmt: skip
    two = kf <= 0.0
    azimuth, wf, wh, wg, ef, es = x[0], x[1], x[2], x[3], x[4], x[5]
    xf, xs, vf, vs = x[6], x[7], x[8], x[9]
    sf, slope_f, lever_f = towers[2], towers[3], towers[4]
    ss, slope_s, lever_s = towers[7], towers[8], towers[9]
    height = towers[10]
    now, old, series = room[0], room[1], room[2]
    row = 0
    for k in range(steps):
        t = k * dt
        fraction = (k % each) / each
        if k % each == 0:
            _blow(rotor, wake, now, old, k == 0, t, each * dt, azimuth, wf, cx[PITCH], vf * lever_f, vs * lever_s)
        control(cpar, cx, schedule, t, dt, wg * ratio)
        torque = now[0] + fraction * (now[0] - old[0])
        thrust = now[1] + fraction * (now[1] - old[1])
        side = now[2] + fraction * (now[2] - old[2])
        shaft = ks * es + cs * (wh - wg)
        edge = 0.0 if two else kf * ef + cf * (wf - wh)
        generator = cx[TORQUE] * ratio
        # mechanics, semi-implicit
        if two:
            free = wh + dt * (torque - shaft) / (jh + jf)
            book[0] += 0.5 * dt * torque * (free + wh)
            wh = free
            wf = wh
        else:
            free = wf + dt * (torque - edge) / jf
            book[0] += 0.5 * dt * torque * (free + wf)
            wf = free
            wh += dt * (edge - shaft) / jh
        free = wg + dt * (shaft - generator) / jg
        brake = _braked(schedule, t, dt, ratio, jg, free, wg)
        free -= dt * brake / jg
        book[1] += 0.5 * dt * generator * (free + wg)
        book[2] += 0.5 * dt * brake * (free + wg)
        wg = free
        book[3] += dt * cs * (wh - wg) ** 2
        book[4] += dt * cf * (wf - wh) ** 2
        es += dt * (wh - wg)
        if not two:
            ef += dt * (wf - wh)
        azimuth += dt * wf
        if has_tower > 0.0:
            pull = thrust * lever_f + now[4] * slope_f
            roll = shaft - shaft / ratio + cx[TORQUE] + brake / ratio
            push = side * lever_s + roll * slope_s
            xf, xs, vf, vs = _tower_step(towers, pull, push, dt, xf, xs, vf, vs)
            book[5] += dt * thrust * lever_f * vf
        if not (abs(wg) < 1e3 and abs(wh) < 1e3):
            return row
        if (k + 1) % store == 0:
            hub = hub_wind(rotor.air, t, series)
            values = out[row]
            values[0], values[1], values[2], values[3] = hub, now[6], wh, wg * ratio
            values[4], values[5], values[6] = cx[PITCH], cx[TORQUE], cx[TORQUE] * wg * ratio * eta
            values[7], values[8], values[9] = ks * es + cs * (wh - wg), torque, thrust
            values[10], values[11] = xf, xs
            values[12], values[13], values[14], values[15] = now[2], now[3], now[4], now[5]
            values[16], values[17] = cx[REGION], brake / ratio
            values[18] = thrust * height + now[4] if has_tower == 0.0 else sf * xf * height
            values[19] = -side * height + shaft if has_tower == 0.0 else -ss * xs * height
            values[20] = azimuth
            row += 1
    x[0], x[1], x[2], x[3], x[4], x[5] = azimuth, wf, wh, wg, ef, es
    x[6], x[7], x[8], x[9] = xf, xs, vf, vs
    return row


def simulate(turbine: str | Turbine = "nrel-5mw", wind: Wind | None = None, *, duration: float = 660.0, masses: int = 3,
             tower_modes: bool = True, step: float = 0.01, aero_step: float = 0.02, interval: float = 0.05,
             schedule: Schedule | None = None, controller: Controller | None = None, shadow: bool = True,
             stall: bool = False, skew: bool = True, density: float = 1.225, azimuth: float = 0.0,
             start_wind: float | None = None) -> TurbineRun:  # fmt: skip
    """Ten minutes of a turbine with the drivetrain of its data file.

    Parameters
    ----------
    turbine : name, file or Turbine
    wind : what :mod:`gearwright.turbine.wind` makes; default steady 12 m/s
    masses : 2 (rigid rotor) or 3 (with the collective edgewise mode)
    step, aero_step, interval : of mechanics, aerodynamics and output [s]
    schedule : start, stop, trip, brake
    controller : instead of the turbine's own
    azimuth : of blade 1 at the begin [rad]
    start_wind : wind of the steady state that the run starts from; default the mean of the wind

    Raises TurbineError for wind that ends before the run, a turbine of fixed speed, and a run that grows without bound.
    """
    machine = load(turbine)
    if controller is not None:
        machine = replace(machine, controller=controller)
    if machine.controller.fixed_speed:
        raise TurbineError(
            f"turbine '{machine.name}' has no torque control: its induction machine holds the speed; run a set-up with one"
        )
    air = wind if wind is not None else steady(machine, 12.0)
    air.covers(duration)
    if masses not in (2, 3):
        raise TurbineError(f"a drivetrain of its own has 2 or 3 masses, not {masses}")
    if masses == 3 and machine.edge is None:
        raise TurbineError(f"turbine '{machine.name}' gives no edgewise mode: three masses need one")
    events = (schedule or Schedule()).array(machine)
    c, ratio = machine.controller, machine.gear_ratio
    point = bem.operating_point(machine, air.mean if start_wind is None else start_wind, density)
    rotor = make(machine, air, density=density, shadow=shadow, stall=stall, skew=skew)
    wake = wake_of(machine, point)
    fore, side = tower.fore_aft(machine), tower.side_side(machine)
    chain = _chain(machine, masses, tower_modes)
    if schedule is not None and schedule.start is not None:
        x: Float = np.zeros(10)
        cx = control_room.parked_state(c)
        for array in (wake.inner, wake.axial, wake.quasi, wake.tangential):
            array[:] = 0.0
    else:
        x = _steady_state(machine, point, chain, fore, side)
        cx = control_room.start_state(c, point, point.speed * ratio)
    x[0] = azimuth
    towers = np.array([fore.mass, fore.damping, fore.stiffness, fore.slope, fore.lever, side.mass, side.damping,
                       side.stiffness, side.slope, side.lever, machine.hub_height])  # fmt: skip
    steps = round(duration / step)
    each, store = max(round(aero_step / step), 1), max(round(interval / step), 1)
    out = np.zeros((steps // store, len(CHANNELS)))
    book = np.zeros(6)
    begin = time.perf_counter()
    kinetic = _kinetic(chain, x)
    rows = _run(rotor, wake, control_room.parameters(machine), cx, events, chain, x, towers, step, each, steps, store,
                out, book, np.zeros((3, max(OUTPUTS, 8))))  # fmt: skip
    wall = time.perf_counter() - begin
    if rows < len(out):
        raise TurbineError(
            f"the run of '{machine.name}' grows without bound at {rows * store * step:g} s: speeds beyond 1000 rad/s"
        )
    at = (1.0 + np.arange(len(out))) * store * step
    names = [name for name, _ in CHANNELS]
    energy = dict(
        zip(("aerodynamic", "generator", "brake", "shaft_damping", "edge_damping", "tower"), book.tolist(), strict=True)
    )
    energy["kinetic_and_elastic_change"] = _kinetic(chain, x) - kinetic
    return TurbineRun(at, {n: out[:, i].copy() for i, n in enumerate(names)}, dict(CHANNELS), wall, energy)


def _chain(machine: Turbine, masses: int, tower_modes: bool) -> Float:
    """Numbers of the drivetrain of a turbine's data, in the order of :func:`_run`."""
    flexible = machine.flexible_inertia if masses == 3 else 0.0
    return np.array(
        [
            flexible,
            machine.rotor_inertia - flexible,
            machine.generator_inertia * machine.gear_ratio**2,
            machine.edge_stiffness if masses == 3 else 0.0,
            machine.edge_damping if masses == 3 else 0.0,
            machine.shaft_stiffness,
            machine.shaft_damping,
            machine.gear_ratio,
            machine.generator_efficiency,
            float(tower_modes),
        ]
    )


def _steady_state(
    machine: Turbine, point: bem.OperatingPoint, chain: Float, fore: tower.TowerMode, side: tower.TowerMode
) -> Float:
    """State of drivetrain and tower at a steady point, in the order of :func:`_run`."""
    x = np.zeros(10)
    spring, tower_modes = chain[3], chain[9]
    x[1:4] = point.speed
    x[4] = point.torque / spring if spring else 0.0
    x[5] = point.torque / machine.shaft_stiffness
    if tower_modes:
        x[6] = point.thrust * fore.lever / fore.stiffness
        x[7] = point.torque * side.slope / side.stiffness
    return x


def _kinetic(chain: Float, x: Float) -> float:
    if chain[3] <= 0.0:
        kinetic = 0.5 * (chain[0] + chain[1]) * x[2] ** 2
    else:
        kinetic = 0.5 * (chain[0] * x[1] ** 2 + chain[1] * x[2] ** 2)
    return float(kinetic + 0.5 * chain[2] * x[3] ** 2 + 0.5 * chain[3] * x[4] ** 2 + 0.5 * chain[5] * x[5] ** 2)
