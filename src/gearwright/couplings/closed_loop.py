"""A controller closed over a rotor and a plant in one loop: what the self-test of the bridge compares with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.controllers.ratio import Controller
from gearwright.controllers.swap import Measured
from gearwright.errors import CouplingError

from .cp_rotor import CpRotor
from .library import LibraryStepper

Float = NDArray[np.float64]
#: times per interval that the aerodynamic torque is renewed
INNER = 20


@dataclass(frozen=True)
class LoopRun:
    """Series over ``time`` of rotor speed [rad/s], pitch [rad], generator torque [N m] and electrical power [W]."""

    time: Float
    speed: Float
    pitch: Float
    torque: Float
    power: Float
    shaft: Float


def monolithic(
    rotor: CpRotor,
    controller: Controller,
    wind: Callable[[float], float],
    plant: Any,
    *,
    interval: float,
    duration: float,
    pitch: float,
) -> LoopRun:
    """Rotor inside the plant (rotor torque comes in): the aerodynamic torque is renewed :data:`INNER` times per interval.

    What a bridge splits in two programs, in one.
    """
    names = (f"{plant.rotor}.speed", f"{plant.machine}.speed", shaft_channel(plant))
    stepper = LibraryStepper(plant, channels=[plant.channel(n) for n in names])
    values = stepper.start()
    torque, azimuth = plant.ports[1].start, 0.0
    sense = np.sign(plant.ratio)
    steps = round(duration / interval)
    out = np.zeros((steps, 6))
    h = interval / INNER
    for k in range(steps):
        t = k * interval
        omega, generator = float(values[0]), float(values[1]) * sense
        power = torque * generator
        demand = controller.step(
            Measured(
                time=t,
                interval=interval,
                rotor_speed=omega,
                generator_speed=generator,
                pitch=(pitch,) * 3,
                generator_torque=torque,
                shaft_power=power,
                electrical_power=power,
                wind_speed=wind(t),
                azimuth=azimuth,
            )
        )
        torque, pitch = demand.torque, demand.collective
        azimuth = (azimuth + interval * omega) % (2.0 * np.pi)
        for i in range(INNER):
            # speed extrapolated to the middle of the inner step by what it did in the last one
            aero = rotor.torque(wind(t + (i + 0.5) * h), float(values[0]), pitch)
            values = stepper.step((aero, torque), h)
        out[k] = t + interval, values[0], pitch, torque, torque * values[1] * sense, values[2]
    controller.close(Measured(time=duration, interval=interval))
    stepper.close()
    return LoopRun(*out.T)


def shaft_channel(plant: Any) -> str:
    """The shaft beside the rotor."""
    for c in plant.system.channels:
        if c.kind == "shaft" and c.quantity == "torque":
            row = c.terms[0][1]
            line = plant.system.D[row]
            if plant.system.coordinates.index(f"{plant.rotor}.rotation") in line.indices:
                return str(c.name)
    raise CouplingError(f"no shaft stands beside '{plant.rotor}'")
