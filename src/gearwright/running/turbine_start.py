"""Where a run of a set-up begins, whoever steps its drivetrain: steady point of the wind, or standstill before a start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.turbine import bem, controller, tower
from gearwright.turbine import exchange as places
from gearwright.turbine.rotor import Rotor, Wake, make, wake_of

from .setup import SetUp, initial_azimuth, starting_point
from .setup_assumed import density_of

Float = NDArray[np.floating]


@dataclass(frozen=True)
class Begin:
    """Rotor, wake, controller, tower and schedule of a run at its begin, in the form of the compiled loop.

    ``parked``: at a standstill with feathered blades. ``scalar``: the loop's scalars, speeds of the drivetrain left out.
    """

    point: bem.OperatingPoint
    parked: bool
    rotor: Rotor
    wake: Wake
    cpar: Float
    cx: Float
    schedule: Float
    tower: tuple[Float, Float]
    scalar: Float


def start_of(setup: SetUp, step: float) -> Begin:
    """The begin of a run with exchange steps [s]."""
    turbine, options = setup.turbine, setup.rotor
    parked = setup.schedule.start is not None
    point = starting_point(setup)
    wind: Any = make(
        turbine,
        setup.wind,
        density=density_of(options),
        shadow=options.tower_shadow,
        stall=options.dynamic_stall,
        skew=options.skewed_wake,
    )
    wake = wake_of(turbine, point)
    modes = tower.fore_aft(turbine), tower.side_side(turbine)
    scalar = np.zeros(places.SCALARS)
    if parked:
        cx = controller.parked_state(turbine.controller)
        for array in (wake.inner, wake.axial, wake.quasi, wake.tangential):
            array[:] = 0.0
    else:
        cx = controller.start_state(turbine.controller, point, point.speed * abs(setup.ratio))
        scalar[places.FORE] = point.thrust * modes[0].lever / modes[0].stiffness
        scalar[places.SIDE] = point.torque * modes[1].slope / modes[1].stiffness
        scalar[places.FORE_FORCE] = point.thrust * modes[0].lever
        scalar[places.SIDE_FORCE] = point.torque * modes[1].slope
    scalar[places.AZIMUTH] = initial_azimuth(setup, 0.0 if parked else point.speed)
    return Begin(
        point,
        parked,
        wind,
        wake,
        controller.parameters(turbine),
        cx,
        setup.schedule.array(turbine),
        places.tower_rows(modes, turbine.hub_height, step),
        scalar,
    )


def balance_of(setup: SetUp, loop: places.Loop, point: bem.OperatingPoint) -> dict[str, float]:
    """Works of the turbine [J]: aerodynamics, machine, brake, tower (in, heat, change of energy)."""
    book, s = loop.book, loop.scalar
    fore, side = tower.fore_aft(setup.turbine), tower.side_side(setup.turbine)
    stored = 0.0
    for i, mode in enumerate((fore, side)):
        stored += 0.5 * mode.mass * s[places.FORE_SPEED + i] ** 2 + 0.5 * mode.stiffness * s[places.FORE + i] ** 2
    if setup.schedule.start is None:
        stored -= 0.5 * (point.thrust * fore.lever) ** 2 / fore.stiffness
        stored -= 0.5 * (point.torque * side.slope) ** 2 / side.stiffness
    return {
        "aerodynamic": float(book[0]),
        "machine": float(book[1]),
        "brake": float(book[2]),
        "tower_input": float(book[3] + book[4]),
        "tower_heat": float(book[5]),
        "tower_stored": float(stored),
    }
