"""Channels of a set-up beside those of its drivetrain: the turbine's own, and the electrical side of its machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.machines import Dfig, Induction
from gearwright.machines.stepping import Electric
from gearwright.system import Channel, Source
from gearwright.system.channels import CHANNELS
from gearwright.turbine import exchange as places
from gearwright.turbine.exchange import TURBINE

from .setup import SetUp, _machine_data

Float = NDArray[np.float64]
#: electrical quantities
_ELECTRICAL = ("stator_current", "rotor_current", "rotor_flux", "stator_power", "reactive_power", "link_voltage")


def width(machine: Electric) -> int:
    """Columns of a loop's values: the turbine's channels and the states of the machine."""
    return TURBINE + (len(machine.state) // 5 if machine.address else 0)


def turbine_channels() -> tuple[Channel, ...]:
    """Channels of the turbine itself."""
    sign = "x downwind, y left looking downwind, z up"
    return tuple(
        Channel("turbine", "turbine", name, known.unit, sign, ((Source.ONE, 0, 0.0),), known.counted)
        for name, known in ((name, CHANNELS["turbine"][name]) for name in places.CHANNELS)
    )


def electrical(setup: SetUp, states: Float, voltage: Float, frequency: Float) -> dict[str, Float]:
    """Currents [A, peak], flux of the rotor [Wb], powers [W, var; + out of the machine] of states (steps, states)."""
    data: Any = _machine_data(setup.machine)
    if data is None:
        return {}
    found = {
        k: np.asarray(v, float) for k, v in data.quantities(states, voltage, frequency).items() if k in _ELECTRICAL
    }
    if isinstance(data, (Dfig, Induction)):
        found["rotor_flux"] = np.hypot(states[:, 0], states[:, 1])
    return found


def beside_channels(
    setup: SetUp, machine: Electric, turbine: bool, machines: bool
) -> tuple[tuple[Channel, ...], Callable[..., Float]]:
    """Channels beside the drivetrain's, and the function ``(values, times)`` that makes their columns.

    ``machines`` adds currents, fluxes and powers of an electrical machine; they are zero while its breaker is open.
    """
    count = width(machine) - TURBINE
    names: list[str] = []
    if machines and count:
        names = list(electrical(setup, machine.state[-count:][None], np.ones(1), np.ones(1)))
    sign = "currents and fluxes are peak values; powers are positive out of the machine"
    made = turbine_channels() if turbine else ()
    made += tuple(
        Channel(
            "machine", setup.machine.name, name, CHANNELS["machine"][name].unit, sign, ((Source.ONE, 0, 0.0),), False
        )
        for name in names
    )

    def columns(values: Float, times: Float) -> Float:
        parts = [values[:, :TURBINE]] if turbine else []
        if names:
            frequency = np.interp(times, setup.grid.time, setup.grid.table[:, 1])
            found = electrical(setup, values[:, TURBINE:], values[:, 15], frequency)
            closed = values[:, 4] != 0.0  # nothing is asked: the breaker is open
            parts.append(np.column_stack([np.where(closed, found[name], 0.0) for name in names]))
        return np.hstack(parts) if parts else np.zeros((len(values), 0))

    return made, columns
