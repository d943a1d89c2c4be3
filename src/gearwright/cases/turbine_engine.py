"""A set-up whose gearbox is not made of springs alone: an engine steps the drivetrain between exchange steps.

Any law and engine: stiffness that varies, backlash, tooth contact. The torques of rotor and machine are linear over an
exchange step; they are written into the pieces of their signals, which the engine reads.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.drivetrain import DrivetrainError
from gearwright.machines.stepping import electric
from gearwright.solve.choose import choose
from gearwright.solve.static import equilibrium
from gearwright.system import Block, Channel, State, constant
from gearwright.turbine import bem, controller, coupled, rotor, tower

from .setup import INPUTS, SetUp, electric_machine, initial_azimuth, moving, starting_point

Float = NDArray[np.float64]

#: exchange steps [s] in production and in cases with events: extrapolating the machine's speed errs by some 0.3 % and
#: 0.1 % of the fluctuation of the torque, and every step costs a call of the engine
EXCHANGE, EXCHANGE_EVENTS = 10e-3, 5e-3


class EngineRun:
    """Turbine, machine and tower around an engine; the same verbs as the modal loop."""

    per: int

    def __init__(self, setup: SetUp, counting: float, channels: tuple[Channel, ...], method: str | None = None,
                 tolerance: float = 1e-6, exchange: float | None = None):  # fmt: skip
        if setup.schedule.brake is not None and setup.brake_element is None:
            raise ValueError("prepare the set-up with stepped=True: its brake has to be a row of the drivetrain")
        if setup.schedule.brake_slope > 0.0 and setup.brake_element is not None:
            raise DrivetrainError(
                f"case '{setup.case.name}': a brake by tanh (slope) needs constant stiffness; leave slope out or use --law linear"
            )
        if setup.schedule.start is not None:
            raise DrivetrainError(f"case '{setup.case.name}': a start-up needs constant stiffness; use --law linear")
        self.setup, self.channels = setup, channels
        system = setup.system
        if system.shape.rigid != 1:
            raise DrivetrainError(
                f"a turbine needs a train that turns as a whole; this one has {system.shape.rigid} rigid motions"
            )
        self.h = counting
        if exchange is None:
            exchange = EXCHANGE_EVENTS if setup.case.events else EXCHANGE
        self.per = max(round(exchange / counting), 1)
        self.step = self.per * counting
        self.engine, self.reason = choose(system, counting, tolerance, method)
        self.places = [4 * int(system.arrays.sptr[system.signal_names.index(name)]) for name in INPUTS[:2]]
        names = (f"{setup.rotor_body}.rotation", f"{setup.machine.body}.rotation")
        self.points = [system.coordinates.index(n) for n in names]
        self.sense = math.copysign(1.0, setup.ratio)
        self._start()
        # the same arrays, and signals that hold the torques of the begin for those who ask the signals themselves
        torques = {INPUTS[0]: self.point.torque, INPUTS[1]: -self.sense * self.point.torque / abs(setup.ratio)}
        system = replace(system, signals=tuple(
            constant(torques[n]) if n in torques else x for n, x in zip(system.signal_names, system.signals, strict=True)
        ))  # fmt: skip
        self.state = State.start(system, q=equilibrium(system).q)
        system = replace(system, signals=tuple(
            moving(torques[n]) if n in torques else x for n, x in zip(system.signal_names, system.signals, strict=True)
        ))  # fmt: skip
        self.begin = self.state.copy()
        self.brake = self._brake_channels()
        self.plan = self.engine.prepare(system, (*channels, *self.brake), counting, tolerance)
        if self.engine.name == "exponential":
            # this engine keeps a copy of the signals; the loop rewrites them, so it has to read the system's own
            from gearwright.solve import exponential_slots as slots

            self.plan.table.bind(slots.SSTART, system.arrays.sstart)
            self.plan.table.bind(slots.SCOEF, system.arrays.scoef)
        self.rows = self._roll()
        self.rates = np.zeros(2)
        self.held = 0.0

    def _brake_channels(self) -> tuple[Channel, ...]:
        """Torque of the brake on its shaft, recorded beside what the case asks for: the housing takes it."""
        if self.setup.brake_element is None:
            return ()
        return tuple(c for c in self.setup.system.channels if c.name == "brake.torque")

    def _start(self) -> None:
        setup, turbine, options = self.setup, self.setup.turbine, self.setup.options
        self.point = point = starting_point(setup)
        self.rotor = rotor.make(turbine, setup.wind, shadow=bool(options.get("tower_shadow", True)),
                                stall=bool(options.get("dynamic_stall", False)),
                                skew=bool(options.get("skewed_wake", True)))  # fmt: skip
        self.wake = rotor.wake_of(turbine, point)
        self.loop = coupled.bare()
        speed = point.speed * abs(setup.ratio)
        torque = point.torque / abs(setup.ratio)
        self.cx = controller.start_state(turbine.controller, point, speed)
        s = self.loop.scalar
        s[coupled.MACHINE] = torque
        law, parts, lag = electric_machine(setup.machine, torque, speed, self.sense)
        self.parts = max(round(self.step / 1e-3), 1)
        self.machine = electric(law, max(math.ceil(parts * self.step / self.parts / 1e-3), 1))
        modes = tower.fore_aft(turbine), tower.side_side(turbine)
        self.tower = coupled.tower_rows(modes, turbine.hub_height, self.step)
        s[coupled.FORE] = point.thrust * modes[0].lever / modes[0].stiffness
        s[coupled.SIDE] = point.torque * modes[1].slope / modes[1].stiffness
        s[coupled.FORE_FORCE] = point.thrust * modes[0].lever
        s[coupled.SIDE_FORCE] = point.torque * modes[1].slope
        s[coupled.AZIMUTH] = initial_azimuth(setup, point.speed)
        self.cpar = controller.parameters(turbine)
        self.schedule = setup.schedule.array(turbine)
        towered = bool(options.get("tower", True))
        self.scalars = np.array([self.sense, lag, turbine.generator_efficiency, float(towered), 0.0])
        self.grid = setup.grid.time, setup.grid.table
        self.each = max(round(float(options.get("aero_step", 0.02)) / self.step), 1)
        self._write(point.torque, 0.0, -self.sense * torque, 0.0, 0.0)

    def _write(self, a: float, rate_a: float, m: float, rate_m: float, t: float) -> None:
        """Torques at a time and their slopes, into the pieces of their signals."""
        arrays = self.setup.system.arrays
        for place, value, slope in zip(self.places, (a, m), (rate_a, rate_m), strict=True):
            for piece in (place, place + 4):
                arrays.scoef[piece], arrays.scoef[piece + 1] = value, slope
            arrays.sstart[place // 4] = t

    def _roll(self) -> tuple[Float, Float, float]:
        """Torque of the train on its housing over position and speed, and its constant part."""
        setup, system = self.setup, self.setup.system
        q, v, one = np.zeros(system.shape.coordinates), np.zeros(system.shape.coordinates), 0.0
        first = system.spring_rows.start
        for shaft in setup.train.shafts.values():
            ends, name = set(shaft.between), f"{shaft.name}.torsion"
            if ends == {setup.rotor_body, setup.hub_body} or name not in system.rows:
                continue
            row = system.rows.index(name)
            sign = 0.0
            if setup.hub_body in ends:
                sign += 1.0 if shaft.between[0] == setup.hub_body else -1.0
            if setup.machine.body in ends:
                sign += -1.0 if shaft.between[1] == setup.machine.body else 1.0
            if sign and row >= first:
                d = system.D[row].toarray()[0]
                k, c = system.arrays.k[row - first], system.arrays.c[row - first]
                q, v, one = q + sign * k * d, v + sign * c * d, one + sign * float(system.arrays.f0[row - first])
        return q, v, one

    def advance(self, steps: int) -> tuple[Block, Float]:
        """``steps`` exchange steps: channel values at every sample, the turbine's values at every step."""
        values = np.zeros((steps, len(coupled.CHANNELS)))
        torque, points = np.zeros(12), np.zeros(4)
        blocks: list[Any] = []
        state = self.state
        rq, rv, one = self.rows
        for k in range(steps):
            t = state.t
            points[:2], points[2:] = state.v[self.points], self.rates
            housing = float(rq @ state.q + rv @ state.v) + one + self.held
            coupled.exchange(self.rotor, self.wake, self.cpar, self.cx, self.schedule, self.loop, self.scalars, self.machine,
                             *self.grid, *self.tower, self.step, self.parts, self.each, points, housing, torque,
                             values[k])  # fmt: skip
            a0, a1, m0, m1 = torque[:4]
            self._write(a0, (a1 - a0) / self.step, m0, (m1 - m0) / self.step, t)
            block = self.engine.advance(self.plan, state, self.per)
            if self.brake:
                self.held = -float(block.lines[-1, -1])
                block = Block(block.time, block.lines[:, :-1])
            blocks.append(block)
            self.rates = (state.v[self.points] - points[:2]) / self.step
            state.t = float(self.loop.scalar[coupled.STEP]) * self.step  # no sum of roundings
        time = np.concatenate([b.time for b in blocks])
        return Block(time, np.vstack([b.lines for b in blocks])), values

    def start_state(self) -> State:
        """State of the drivetrain at the begin."""
        return self.begin

    def end_state(self) -> State:
        """State of the drivetrain now, with the book of the run."""
        return self.state

    def balance(self) -> dict[str, float]:
        """Works of the turbine [J]; see the modal loop."""
        names = self.setup.system.signal_names
        done = {
            names[int(s)]: float(w) for s, w in zip(self.setup.system.arrays.bu, self.state.input_work, strict=True)
        }
        book = self.loop.book
        book[:3] = done[INPUTS[0]], done[INPUTS[1]], 0.0
        if self.setup.brake_element is not None:
            row = self.setup.system.rows.index(f"{self.setup.brake_element}.torsion")
            book[2] = -float(self.state.row_work[row])
        return balance_of(self.setup, self.loop, self.point)


def balance_of(setup: SetUp, loop: coupled.Loop, point: bem.OperatingPoint) -> dict[str, float]:
    """Works of the turbine [J]: aerodynamics, machine, brake, tower (in, heat, change of energy)."""
    book, s = loop.book, loop.scalar
    fore, side = tower.fore_aft(setup.turbine), tower.side_side(setup.turbine)
    stored = 0.0
    for i, mode in enumerate((fore, side)):
        stored += 0.5 * mode.mass * s[coupled.FORE_SPEED + i] ** 2 + 0.5 * mode.stiffness * s[coupled.FORE + i] ** 2
    if setup.schedule.start is None:
        stored -= 0.5 * (point.thrust * fore.lever) ** 2 / fore.stiffness
        stored -= 0.5 * (point.torque * side.slope) ** 2 / side.stiffness
    return {
        "aerodynamic": float(book[0]), "machine": float(book[1]), "brake": float(book[2]),
        "tower_input": float(book[3] + book[4]), "tower_heat": float(book[5]), "tower_stored": float(stored),
    }  # fmt: skip
