"""The gearbox inside a bridge: what the host does at every call of the other program.

The other program keeps rotor and tower, gear ratio 1, no generator inertia, a rigid shaft. At each call the rotor's
speed comes in and is held over the step; controller and drivetrain go first, and the torque of the shaft at the *end*
of the step goes back. Handing back that of its start would take away damping (S1 digest section 10).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from gearwright.controllers.ratio import Controller
from gearwright.controllers.swap import Demand, Measured, Swap, read_measured, write_demand
from gearwright.errors import CouplingError
from gearwright.results import Recorder
from gearwright.results.channels import recorded_channels
from gearwright.system import Block, Channel, Source

from .library import LibraryStepper
from .plant import Plant, make_plant

#: what the other program measures and the host records: quantity, unit
SEEN = (
    ("rotor_speed", "rad/s"), ("pitch", "rad"), ("pitch_demand", "rad"), ("torque_reference", "N m"), ("wind_speed", "m/s"),
    ("azimuth", "rad"), ("electrical_power", "W"), ("yaw_error", "rad"), ("tower_top_acceleration_x", "m/s^2"),
    ("tower_top_acceleration_y", "m/s^2"), ("root_moment_out_of_plane_1", "N m"), ("root_moment_out_of_plane_2", "N m"),
    ("root_moment_out_of_plane_3", "N m"),
)  # fmt: skip


class GearboxHost:
    """A handler for :class:`~gearwright.couplings.bridge.BridgeHost`.

    Parameters
    ----------
    drivetrain, fidelity, law, overrides : as everywhere; the model needs compliance beside the rotor
    controller : what asks for pitch and generator torque; it sees the generator's own shaft
    output : result file of the gearbox's channels and of what the other program measured; None: nothing is written
    efficiency : of the generator, for the measured electrical power
    record : kinds of channels, as in cases
    """

    def __init__(self, drivetrain: Any, controller: Controller, *, fidelity: str | None = None, law: str | None = None,
                 output: Path | None = None, efficiency: float = 1.0, overrides: Any = (), tolerance: float = 1e-6,
                 record: tuple[str, ...] = ("shafts", "machines", "meshes", "bearings")):  # fmt: skip
        # once now, so that a file that does not fit is refused before the other program starts
        self._make = lambda speed, torque: make_plant(
            drivetrain, fidelity, law, rotor="speed", speed=speed, torque=torque, overrides=overrides
        )
        self.plant: Plant = self._make(None, None)
        if self.plant.system.provenance.law == "rigid":
            raise CouplingError(
                "a rigid drivetrain cannot be coupled by speed and torque; choose law linear or periodic"
            )
        self.ratio, self._sense = abs(self.plant.ratio), float(np.sign(self.plant.ratio))
        self.controller, self.output, self.efficiency, self._tolerance = controller, output, efficiency, tolerance
        self._channels = recorded_channels(self.plant.system, record)
        self._reaction = f"{_element(self.plant)}.torque"
        # compiled now: the other program must not wait for it
        self._stepper: LibraryStepper | None = LibraryStepper(self.plant, tolerance)
        self._recorder: Any = None
        self._values = np.zeros(0)
        self._demand: Demand | None = None
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
        if status == 0 or self._demand is None:
            self._begin(m)
        elif m.time < self._t - 0.5 * m.interval:
            # called again for the same step (corrections): the same answer
            assert self._demand is not None
            self._answer(swap, self._demand)
            return 0, ""
        generator = float(self._values[1]) * self._sense
        torque = 0.0 if self._demand is None else self._demand.torque
        power = torque * generator
        m.generator_speed, m.generator_torque, m.shaft_power = generator, torque, power
        m.electrical_power, m.shaft_torque = self.efficiency * power, self.shaft
        demand = self.controller.step(m)
        if self._demand is None:
            # the operating point of the first call: in equilibrium under the torque that the controller asks for
            self._place(m, demand.torque)
        assert self._stepper is not None
        self._demand = demand
        # single precision carries time and interval: one interval is always the same number
        step = m.interval if abs(m.time - self._t) < 0.01 * m.interval else m.time + m.interval - self._t
        self._values = self._stepper.step((m.rotor_speed, demand.torque), step)
        self._t += step
        self._stepper.t = self._t
        self.shaft = float(self._values[0])
        self.steps += 1
        self._record(m, demand)
        self._answer(swap, demand)
        return 0, demand.message

    def _answer(self, swap: Swap, demand: Demand) -> None:
        # the generator of the other program stands at the rotor: what brakes it is the shaft
        write_demand(swap, Demand(demand.pitch, self.shaft, demand.yaw_rate, demand.brake))

    def _begin(self, m: Measured) -> None:
        self._values = np.array([0.0, m.rotor_speed * self.ratio * self._sense])
        self._demand = None
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
        self._stepper = LibraryStepper(self.plant, self._tolerance, [*numbers, *self._numbers], m.interval)
        self._values = self._stepper.start((m.rotor_speed, torque), m.time)
        self._t = m.time

    def _record(self, m: Measured, demand: Demand) -> None:
        if self.output is None:
            return
        if self._recorder is None:
            seen = tuple(Channel("turbine", "turbine", n, u, "as the other program says", ((Source.ONE, 0, 0.0),))
                         for n, u in SEEN)  # fmt: skip
            self._recorder = Recorder(
                self.output, (*self._channels, *seen), (), m.interval, m.interval,
                attributes={"drivetrain": self.plant.drivetrain.name, "case": "coupled",
                            "fidelity": self.plant.system.provenance.fidelity, "law": self.plant.system.provenance.law,
                            "method": "bridge", "method_reason": "torque at the end of the step", "notes": self.plant.remarks},
            )  # fmt: skip
            self._rows: list[np.ndarray] = []
            self._times: list[float] = []
            self._count = 0
        top = m.fore_aft_acceleration, m.side_side_acceleration
        row = [m.rotor_speed, m.pitch[0], demand.collective, demand.torque, m.wind_speed, m.azimuth, m.electrical_power,
               m.yaw_error, *top, *m.root_out_of_plane]  # fmt: skip
        self._count += 1
        self._rows.append(np.concatenate([self._values[2:], row]))
        self._times.append(self._count * m.interval)
        if len(self._rows) >= 1024:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._recorder.append(Block(np.array(self._times), np.array(self._rows)))
            self._rows, self._times = [], []

    def finish(self, attributes: dict[str, Any] | None = None) -> Path | None:
        """Complete the result file; None if there is none."""
        if self._recorder is None:
            return None
        self._flush()
        return Path(self._recorder.finish(None, attributes or {}))

    def abort(self, reason: str) -> Path | None:
        """Keep what was recorded of a run that failed."""
        self.controller.close()
        if self._recorder is None:
            return None
        self._flush()
        kept = self._recorder.abort(reason)
        return Path(kept) if kept else None


def _element(plant: Plant) -> str:
    """Name under which the torque that drives the rotor is recorded: its machine's, or its own."""
    speeds = [
        c for c in plant.system.channels if c.kind == "machine" and c.quantity == "torque" and "reaction" in c.sign
    ]
    if not speeds:
        raise CouplingError("the rotor's torque is not among the channels")
    return speeds[0].element
