"""The gearbox inside a bridge: what the host does at every call of the other program.

The other program keeps rotor and tower, gear ratio 1, no generator inertia, a rigid shaft. At each call it tells the rotor's
speed and gets the torque of the shaft at the time of the call (:mod:`gearwright.couplings.exchange`); the turbine controller goes
behind the gearbox, and what it asks for holds until it is asked again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.controllers.ratio import Controller
from gearwright.controllers.swap import Demand, Measured, Swap, read_measured, write_demand
from gearwright.errors import CouplingError
from gearwright.results import Recorder
from gearwright.results.channels import recorded_channels
from gearwright.schema.places import Values
from gearwright.system import Block, Channel, Source

from .exchange import SpeedExchange, Told
from .library import LibraryStepper
from .plant import Plant, at_the_joint, make_plant, reaction_of

Float = NDArray[np.float64]
#: what the other program measures and the host records: quantity, unit
SEEN = (
    ("rotor_speed", "rad/s"),
    ("pitch", "rad"),
    ("pitch_demand", "rad"),
    ("torque_reference", "N m"),
    ("wind_speed", "m/s"),
    ("azimuth", "rad"),
    ("electrical_power", "W"),
    ("yaw_error", "rad"),
    ("tower_top_acceleration_x", "m/s^2"),
    ("tower_top_acceleration_y", "m/s^2"),
    ("root_moment_out_of_plane_1", "N m"),
    ("root_moment_out_of_plane_2", "N m"),
    ("root_moment_out_of_plane_3", "N m"),
)

#: of the drivetrain's own steps, relative
_TOLERANCE = 1e-6


class GearboxHost:
    """A handler for :class:`~gearwright.couplings.bridge.BridgeHost`.

    Parameters
    ----------
    drivetrain, fidelity, law, overrides : as everywhere; the model needs compliance beside the rotor
    controller : what asks for pitch and generator torque; it sees the generator's own shaft
    output : result file of the gearbox's channels and of what the other program measured; None: nothing is written
    efficiency : of the generator, for the measured electrical power
    told : what the other program tells of the rotor's speed
    every : time between calls of the controller [s]; None: at every call
    """

    def __init__(
        self,
        drivetrain: Any,
        controller: Controller,
        *,
        fidelity: str | None = None,
        law: str | None = None,
        output: Path | None = None,
        efficiency: float = 1.0,
        overrides: Any = (),
        told: Told = "parabola",
        every: float | None = None,
    ):
        # once now, so that a file that does not fit is refused before the other program starts
        self._make = lambda speed, torque: at_the_joint(
            make_plant(drivetrain, fidelity, law, rotor="speed", speed=speed, torque=torque, overrides=overrides)
        )
        self.plant: Plant = self._make(None, None)
        _refuse_stiff(self.plant)
        self.ratio, self._sense = abs(self.plant.ratio), float(np.sign(self.plant.ratio))
        self.controller, self.output, self.efficiency = controller, output, efficiency
        self._channels = recorded_channels(self.plant.system, ("shafts", "machines", "meshes", "bearings"))
        self._reaction = f"{reaction_of(self.plant)}.torque"
        # compiled now: the other program must not wait for it
        self._stepper: LibraryStepper | None = LibraryStepper(self.plant, _TOLERANCE)
        self._told, self._every = told, every
        self._exchange: SpeedExchange | None = None
        self._recorder: Any = None
        self._values = np.zeros(0)
        self._demand: Demand | None = None
        self._next = 0.0  # when the controller is asked again
        self._waiting: list[float] | None = None  # what the other program told at the last call, not yet recorded
        self._t = 0.0
        self.steps = 0
        self.shaft = 0.0

    def __call__(self, status: int, swap: Swap) -> tuple[int, str]:
        """One call of the other program; see :class:`BridgeHost`."""
        if status == -1:
            self.controller.close()
            return 0, "Gearwright: the run is complete"
        if status not in (0, 1, 2):
            return -1, f"Gearwright cannot do what status {status} asks (checkpoints and restarts are not supported)"
        m = read_measured(swap)
        m.interval = float(f"{m.interval:.6g}")
        if not (m.interval > 0.0 and np.isfinite([m.time, m.interval, m.rotor_speed]).all()):
            raise CouplingError(f"time {m.time}, interval {m.interval} and rotor speed {m.rotor_speed} are not usable")
        if status == 0 or self._demand is None or self._exchange is None:
            self._begin(m)
        elif m.time < self._t + 0.5 * m.interval:
            # called again for the same step (corrections): the same answer
            self._answer(swap, self._demand)
            return 0, ""
        else:
            # single precision carries time and interval: one interval is always the same number
            step = m.time - self._t
            step = m.interval if abs(step - m.interval) < 0.01 * m.interval else step
            self._values = self._exchange.step(m.rotor_speed, self._demand.torque, step)
            self._keep(self._exchange.settled)
            self._t += step
            self.shaft = float(self._values[0])
        demand = self._asked(m)
        if self._exchange is None:
            # the operating point of the first call: in equilibrium under the torque that the controller asks for
            self._place(m, demand.torque)
        else:
            self._waiting = self._row(m, demand)
        self._demand = demand
        self.steps += 1
        self._answer(swap, demand)
        return 0, demand.message

    def _asked(self, m: Measured) -> Demand:
        """What the controller asks for: what it asked for before, until its next call is due."""
        generator = float(self._values[1]) * self._sense
        torque = 0.0 if self._demand is None else self._demand.torque
        power = torque * generator
        m.generator_speed, m.generator_torque, m.shaft_power = generator, torque, power
        m.electrical_power, m.shaft_torque = self.efficiency * power, self.shaft
        if self._demand is not None and m.time < self._next - 0.5 * m.interval:
            return self._demand
        interval = m.interval
        m.interval = self._every or interval
        self._next = m.time + m.interval
        demand = self.controller.step(m)
        m.interval = interval
        return demand

    def _answer(self, swap: Swap, demand: Demand) -> None:
        # the generator of the other program stands at the rotor: what brakes it is the shaft
        write_demand(swap, Demand(demand.pitch, self.shaft, demand.yaw_rate, demand.brake))

    def _begin(self, m: Measured) -> None:
        self._values = np.array([0.0, m.rotor_speed * self.ratio * self._sense])
        self._demand = self._exchange = self._waiting = None
        self.shaft = 0.0
        self._t = m.time

    def _place(self, m: Measured, torque: float) -> None:
        """The drivetrain at the speed met, loaded by a generator torque."""
        if self._stepper is not None:
            self._stepper.close()
        self.plant = self._make(m.rotor_speed, torque * self.ratio)
        names = [self._reaction, f"{self.plant.machine}.speed"]
        numbers = [self.plant.channel(n) for n in names]
        known = {c.name: i for i, c in enumerate(self.plant.system.channels)}
        self._numbers = [known[c.name] for c in self._channels]
        self._stepper = LibraryStepper(self.plant, _TOLERANCE, [*numbers, *self._numbers], m.interval)
        self._values = self._stepper.start((m.rotor_speed, torque), m.time)
        self._exchange = SpeedExchange(self._stepper, self._told, m.rotor_speed)
        self.shaft = float(self._values[0])
        self._interval = m.interval

    def _row(self, m: Measured, demand: Demand) -> list[float]:
        """What the other program told, in the order of ``SEEN``."""
        top = m.fore_aft_acceleration, m.side_side_acceleration
        return [
            m.rotor_speed,
            m.pitch[0],
            demand.collective,
            demand.torque,
            m.wind_speed,
            m.azimuth,
            m.electrical_power,
            m.yaw_error,
            *top,
            *m.root_out_of_plane,
        ]

    def _keep(self, settled: Float | None) -> None:
        """Record the last call, with the drivetrain's values once the rotor's speed at that time is known."""
        if self.output is None or self._waiting is None or settled is None:
            return
        if self._recorder is None:
            seen = tuple(
                Channel("turbine", "turbine", n, u, "as the other program says", ((Source.ONE, 0, 0.0),))
                for n, u in SEEN
            )
            self._recorder = Recorder(
                self.output,
                (*self._channels, *seen),
                (),
                self._interval,
                self._interval,
                attributes={
                    "drivetrain": self.plant.drivetrain.name,
                    "case": "coupled",
                    "fidelity": self.plant.system.provenance.fidelity,
                    "law": self.plant.system.provenance.law,
                    "method": "bridge",
                    "method_reason": "torque at the time of the call",
                    "notes": self.plant.remarks,
                },
            )
            self._rows: list[np.ndarray] = []
            self._times: list[float] = []
            self._count = 0
        self._count += 1
        self._rows.append(np.concatenate([settled[2:], self._waiting]))
        self._times.append(self._count * self._interval)
        self._waiting = None
        if len(self._rows) >= 1024:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._recorder.append(Block(np.array(self._times), np.array(self._rows)))
            self._rows, self._times = [], []

    def finish(self, attributes: Values | None = None) -> Path | None:
        """Complete the result file; None if there is none."""
        self._keep(self._values)
        if self._recorder is None:
            return None
        self._flush()
        return Path(self._recorder.finish(None, attributes or {}))

    def abort(self, reason: str) -> Path | None:
        """Keep what was recorded of a run that failed."""
        self._keep(self._values)
        self.controller.close()
        if self._recorder is None:
            return None
        self._flush()
        kept = self._recorder.abort(reason)
        return Path(kept) if kept else None


def _refuse_stiff(plant: Plant) -> None:
    """Raise CouplingError where the rotor stands on no spring: its speed would then leave no torque to compute. Rigid meshes behind a shaft
    that twists are fine."""
    system = plant.system
    reaction = system.channels[plant.channel(f"{reaction_of(plant)}.torque")]
    rows = [index for source, index, _ in reaction.terms if source is Source.FORCE]
    stiff = set(system.arrays.hard.astype(int))
    stiffness = system.row_stiffness()
    if stiff.intersection(rows) or not any(stiffness[row] > 0.0 for row in rows):
        raise CouplingError(
            f"'{plant.rotor}' stands on no spring, so its speed leaves no torque to compute: give the shaft beside it a torsional stiffness "
            "(shafts: torsional_stiffness, or its diameter and length); meshes may be rigid"
        )
