"""A turbine controller outside the compiled loop of a set-up: a Bladed-style library or an FMU.

The loop keeps the actuator, feathering and the loss of the generator; pitch and torque are asked for every ``interval``.
Every run has an instance of its own, so that the runs of a campaign share nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import reduce
from typing import Any

import numpy as np

from gearwright.controllers.ratio import Controller, at_ratio
from gearwright.errors import CouplingError, listed, nearest
from gearwright.schema.setup import TurbineController
from gearwright.system import Block, joined
from gearwright.turbine import exchange as places
from gearwright.turbine.controller import ASKED_PITCH, ASKED_TORQUE, OUTSIDE, PITCH, TORQUE

from .bladed import BladedController
from .fmu_import import Fmu
from .swap import Demand, Measured

#: interval of a controller that gives none [s]
INTERVAL = 0.01


class FmuController:
    """An FMU as a controller: ``inputs`` maps names of :class:`Measured` to the FMU's inputs, ``pitch`` [rad] and ``torque``
    [N m] name its outputs."""

    def __init__(self, file: Any, inputs: Mapping[str, str], pitch: str, torque: str):
        known = Measured.__dataclass_fields__
        for name in inputs:
            if name not in known:
                meant = nearest(name, list(known))
                hint = f" Did you mean '{meant}'?" if meant else ""
                raise CouplingError(f"nothing named '{name}' is measured; there are {listed(list(known), 40)}.{hint}")
        self._unit = Fmu(file)
        self._inputs, self._outputs = dict(inputs), [pitch, torque]
        self._begun = False
        self.messages: list[str] = []
        try:
            self._unit.check([*self._inputs.values(), pitch, torque])
        except CouplingError:
            self._unit.close()
            raise

    def _values(self, measured: Measured) -> dict[str, float]:
        made = {}
        for name, variable in self._inputs.items():
            value = getattr(measured, name)
            made[variable] = float(value[0] if isinstance(value, tuple) else value)
        return made

    def step(self, measured: Measured) -> Demand:
        """One call: the FMU advances by the interval with what is measured."""
        values = self._values(measured)
        if not self._begun:
            self._unit.start(values, measured.time)
            self._begun = True
        else:
            self._unit.step(measured.interval, values)
        pitch, torque = self._unit.get(self._outputs)
        if not (math.isfinite(pitch) and math.isfinite(torque)):
            raise CouplingError(f"the FMU asks for torque {torque} and pitch {pitch} at {measured.time:.6g} s")
        return Demand((float(pitch),) * 3, float(torque))

    def close(self, measured: Measured | None = None) -> None:
        """End it."""
        self._unit.close()


def make_controller(facts: TurbineController, resolve: Any) -> Controller:
    """The controller of a file, at the gear ratio it is made for: ``{type: library, library: libdiscon.so, input: DISCON.IN}`` or ``{type: fmu, file: ...}``.

    Raises CouplingError for what is missing.
    """

    def needed(value: str | None, name: str) -> str:
        if not value:
            raise CouplingError(f"turbine.controller of type {facts.type} needs '{name}'")
        return value

    if facts.type == "library":
        library = resolve(needed(facts.library, "library"))
        return BladedController(library, facts.input and resolve(facts.input), facts.procedure or "DISCON")
    pitch, torque = needed(facts.pitch, "pitch"), needed(facts.torque, "torque")
    return FmuController(resolve(needed(facts.file, "file")), facts.inputs or {}, pitch, torque)


class Outside:
    """A run of a set-up whose controller is outside; the same verbs as the run itself."""

    def __init__(self, run: Any, facts: TurbineController, resolve: Any):
        interval = facts.interval or INTERVAL
        self.run = run
        own = abs(run.setup.ratio)
        self.controller, self.remarks = at_ratio(
            make_controller(facts, resolve), facts.ratio or run.setup.turbine_ratio, own
        )
        self.every = max(round(interval / run.step), 1)
        run.cpar[OUTSIDE] = 1.0
        run.cx[ASKED_PITCH], run.cx[ASKED_TORQUE] = run.cx[PITCH], run.cx[TORQUE]
        self._wind = run.setup.wind.mean
        self._tower = np.zeros(2)
        self.measured = Measured()
        #: what the controller reported in a call that still returned what came before
        self.failure: CouplingError | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.run, name)

    def advance(self, steps: int, turbine: bool = False) -> tuple[Block, Any]:
        """As the run's own, with the controller asked at its instants."""
        blocks: list[Block] = []
        tables: list[Any] = []
        done = 0
        while done < steps:
            number = int(self.run.loop.scalar[places.STEP])
            if number % self.every == 0:
                try:
                    self._ask(number)
                except CouplingError as error:
                    if not blocks:
                        raise
                    self.failure = error  # what was computed before goes first
                    break
            some = min(steps - done, self.every - number % self.every)
            block, values = self.run.advance(some, turbine)
            blocks.append(block)
            tables.append(values)
            done += some
            if len(values):
                self._wind = float(values[-1, 0])
            if len(values) < some:
                break
        return reduce(joined, blocks), np.vstack(tables)

    def _ask(self, number: int) -> None:
        run, setup = self.run, self.run.setup
        s, cx = run.loop.scalar, run.cx
        if hasattr(run, "linear"):
            rotor, machine = float(s[places.OMEGA]) * float(run.linear.ratio[0]), float(s[places.SPEED_MACHINE])
            if number == 0:
                machine = rotor * setup.ratio
        else:
            rotor, machine = (float(v) for v in run.state.v[run.points])
        generator, torque, pitch = run.sense * machine, float(s[places.MACHINE]), float(cx[PITCH])
        interval = self.every * run.step
        speeds = np.array([s[places.FORE_SPEED], s[places.SIDE_SPEED]])
        bend = (speeds - self._tower) / interval
        self._tower = speeds
        power = torque * generator
        limits = setup.turbine.controller
        self.measured = Measured(
            time=number * run.step,
            interval=interval,
            rotor_speed=rotor,
            generator_speed=generator,
            pitch=(pitch,) * 3,
            generator_torque=torque,
            shaft_power=power,
            electrical_power=setup.turbine.generator_efficiency * power,
            wind_speed=self._wind,
            azimuth=float(s[places.AZIMUTH] % (2.0 * math.pi)),
            fore_aft_acceleration=float(bend[0]),
            side_side_acceleration=float(bend[1]),
            pitch_limits=(limits.minimum_pitch, limits.maximum_pitch),
            pitch_rates=(-limits.pitch_rate, limits.pitch_rate),
        )
        demand = self.controller.step(self.measured)
        cx[ASKED_PITCH], cx[ASKED_TORQUE] = demand.collective, demand.torque

    def close(self) -> None:
        """The last call of the controller; it is removed."""
        self.controller.close(self.measured)
