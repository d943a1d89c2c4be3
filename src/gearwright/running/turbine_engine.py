"""A set-up whose gearbox is not made of springs alone: an engine steps the drivetrain, the turbine goes along with it.

Any law and engine: stiffness that varies, backlash, tooth contact. Turbine, machine and control are the engine's companion:
it calls them at the begin of every exchange step, and they write torques linear over the step into the signals that the
engine reads. All of it is one compiled loop.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.errors import DrivetrainError
from gearwright.kernels.vectors import hold
from gearwright.machines.stepping import electric
from gearwright.remarks import Remark, assumed
from gearwright.solve.choose import choose
from gearwright.solve.companion import Companion
from gearwright.solve.steady.static import NoEquilibrium, equilibrium
from gearwright.system import Block, Channel, Diverged, Law, Signal, State, System, constant, joined
from gearwright.turbine import beside
from gearwright.turbine import exchange as places

from .chunks import opening
from .setup import INPUTS, SetUp, electric_machine, moving
from .start import CONTACT_BALANCE
from .turbine_channels import beside_channels, width
from .turbine_start import balance_of, start_of

Float = NDArray[np.float64]

#: exchange step [s]: extrapolating the machine's speed over it errs by some 1e-4 of the fluctuation of the torque
EXCHANGE = 2e-3
#: part of the torque in the mean wind that presses teeth with backlash together before a start: of less of it gravity makes a
#: position that is hardly determined
PRESSED = 0.05


class EngineRun:
    """Turbine, machine and tower around an engine; the same verbs as the modal loop."""

    per: int

    def __init__(
        self,
        setup: SetUp,
        counting: float,
        channels: tuple[Channel, ...],
        method: str | None = None,
        tolerance: float = 1e-6,
        exchange: float | None = None,
    ):
        if setup.schedule.brake is not None and setup.brake_element is None and setup.schedule.brake_slope <= 0.0:
            raise ValueError("prepare the set-up with stepped=True: its brake has to be a row of the drivetrain")
        self.setup, self.channels = setup, channels
        #: what is to be told beside the result
        self.remarks: tuple[Remark, ...] = ()
        system = setup.system
        if system.shape.rigid != 1:
            raise DrivetrainError(
                f"a turbine needs a train that turns as a whole; this one has {system.shape.rigid} rigid motions"
            )
        self.h = counting
        self.engine, self.reason = choose(system, counting, tolerance, method, accompanied=True)
        self.per = max(round((exchange or EXCHANGE) / counting), 1)
        if self.engine.name == "exponential":
            # its steps are powers of two of the sample interval and end at an exchange
            self.per = 2 ** round(math.log2(self.per))
        self.step = self.per * counting
        names = (f"{setup.rotor_body}.rotation", f"{setup.machine.body}.rotation")
        self.points = [system.coordinates.index(n) for n in names]
        self.sense = math.copysign(1.0, setup.ratio)
        self._start()
        torques, later = self._torques(0.0 if self.parked else self.point.torque), self._torques(self.point.torque)
        # the same arrays, and signals that hold the torques of the begin for those who ask the signals themselves
        self.state = self._state(_with(system, {k: constant(v) for k, v in torques.items()}))
        system = _with(system, {k: moving(v, later[k]) for k, v in torques.items()})
        self.begin = self.state.copy()
        self.brake = self._brake_channels()
        self.system, self.tolerance = system, tolerance
        self.plan = self.engine.prepare(system, (*channels, *self.brake), counting, tolerance)
        self._accompany()
        self.columns = beside_channels(setup, self.machine, True, False)[1]
        #: why the run stopped, once it did
        self.failure: Diverged | None = None

    def _brake_channels(self) -> tuple[Channel, ...]:
        """Torque of the brake on its shaft, recorded beside what the case asks for: the housing takes it."""
        if self.setup.brake_element is None:
            return ()
        return tuple(c for c in self.setup.system.channels if c.name == "brake.torque")

    def _start(self) -> None:
        setup = self.setup
        begin = start_of(setup, self.step)
        self.point, self.rotor, self.wake, self.cx = begin.point, begin.rotor, begin.wake, begin.cx
        self.tower, self.cpar, self.schedule, self.parked = begin.tower, begin.cpar, begin.schedule, begin.parked
        self.loop = places.empty()
        s = self.loop.scalar
        s[:] = begin.scalar
        torque, speed = self.point.torque / abs(setup.ratio), self.point.speed * abs(setup.ratio)
        if self.parked:
            torque, speed = 0.0, setup.turbine.controller.cut_in_speed
        else:
            s[places.SPEED_BLADES], s[places.SPEED_MACHINE] = self.point.speed, self.sense * speed
            s[places.MACHINE] = torque
        law, parts, lag = electric_machine(setup.machine, torque, speed, self.sense)
        self.machine = electric(law, max(math.ceil(parts * self.step / 1e-3), 1))
        towered = bool(setup.rotor.tower)
        self.scalars = np.array(
            [
                self.sense,
                lag,
                setup.turbine.generator_efficiency,
                float(towered),
                0.0,
                setup.ratio,
                self.step,
            ]
        )
        self.grid = setup.grid.time, setup.grid.table
        self.each = max(round(setup.rotor.aero_step / self.step), 1)

    def _torques(self, torque: float) -> dict[str, float]:
        """Inputs at a torque of the rotor."""
        return {INPUTS[0]: torque, INPUTS[1]: -self.sense * torque / abs(self.setup.ratio), INPUTS[2]: 0.0}

    def _state(self, system: System) -> State:
        """Equilibrium under the torques of the begin, turning or at rest."""
        # rows that carry work along the way (tooth contact) leave what their damping takes
        balance = 1e-6 if all(law.holds is None for law in system.laws) else CONTACT_BALANCE
        if self.parked:
            return self._still(replace(system, v0=np.zeros(system.shape.coordinates)), balance)
        # at the speed of the mean wind, which below rated is not the operating speed of the drivetrain
        turning = system.v0 * (self.point.speed / float(system.v0[self.points[0]]))
        found = equilibrium(replace(system, v0=turning), tolerance=balance)
        return State.start(system, q=found.q, v=turning)

    def _still(self, system: System, balance: float) -> State:
        """Equilibrium at rest; where flanks would lie loose, they are pressed by a part of the torque to come: all that this reaches."""
        if not any(_open_at_rest(law) for law in system.laws):
            try:
                return State.start(
                    system, q=equilibrium(system, tolerance=balance, allow_acceleration=True).q, v=system.v0
                )
            except NoEquilibrium:
                pass
        torque = PRESSED * self.point.torque
        pressed = _with(system, {k: constant(v) for k, v in self._torques(torque).items()})
        self.remarks = (
            assumed(
                f"nothing loads the train at standstill, where its teeth would lie loose: it begins on its drive flanks, pressed by "
                f"{torque * 1e-3:.4g} kN m at '{self.setup.rotor_body}', {PRESSED:.0%} of the torque in the mean wind, and let go at once"
            ),
        )
        return State.start(
            system, q=equilibrium(pressed, tolerance=balance, allow_acceleration=True, allow_loose=True).q, v=system.v0
        )

    def _accompany(self) -> None:
        """Let the turbine go along with the engine."""
        setup, system = self.setup, self.setup.system
        position, speed = (np.zeros((3, system.shape.coordinates)) for _ in range(2))
        position[2], speed[2] = self._roll()
        for k, point in enumerate(self.points):
            speed[k, point] = 1.0
        names = list(system.signal_names)
        pieces = [int(system.arrays.sptr[names.index(n)]) if n in names else -1 for n in INPUTS]
        self.series, self.values = np.zeros(8), np.zeros((1, width(self.machine)))
        self._arrays = beside.flat(
            self.rotor,
            self.wake,
            self.cpar,
            self.cx,
            self.schedule,
            self.loop,
            self.scalars,
            self.machine,
            *self.grid,
            *self.tower,
            self.series,
            self.values,
            system.arrays.sstart,
            system.arrays.scoef,
        )
        self.data = np.append(beside.words(self._arrays), [self.each, *pieces, 0])
        row = -1
        if setup.brake_element is not None and self.engine.name == "explicit":
            row = system.rows.index(f"{setup.brake_element}.torsion")
        self.sight = position, speed
        self.turbine = beside.turbine_beside
        self.close_at, self.values_at = beside.CLOSE, 4 * beside.VALUES
        self.engine.accompany(self.plan, Companion(self.turbine, self.data, self.per, position, speed, row))

    def _roll(self) -> tuple[Float, Float]:
        """Torque of the train on its housing over position and speed."""
        setup, system = self.setup, self.setup.system
        q, v = np.zeros(system.shape.coordinates), np.zeros(system.shape.coordinates)
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
                q, v = q + sign * system.arrays.k[row - first] * d, v + sign * system.arrays.c[row - first] * d
        return q, v

    def advance(self, steps: int, turbine: bool = False) -> tuple[Block, Float]:
        """``steps`` exchange steps: channel values at every sample, the turbine's values at every step.

        With ``turbine`` the columns that :attr:`columns` makes of the latter stand in the block as well, behind the channels and
        the same for all samples of a step.
        Fewer steps come back where the drivetrain diverges, with the reason in :attr:`failure`.
        """
        kept = [a.copy() if isinstance(a, np.ndarray) and a.flags.writeable else None for a in self._moving()]
        before = self.state.copy()
        values = np.zeros((steps, width(self.machine)))
        self.data[self.values_at : self.values_at + 3] = values.ctypes.data, *values.shape
        self.loop.scalar[places.ROW] = 0.0
        try:
            block = self.engine.advance(self.plan, self.state, steps * self.per)
        except Diverged as error:
            for array, old in zip(self._moving(), kept, strict=True):
                array[...] = old
            self.state.__dict__.update(before.__dict__)
            return self._beginning(steps, turbine, error)
        self._close(block)
        # no sum of roundings
        self.state.t = float(self.loop.scalar[places.STEP]) * self.step
        count = len(self.channels)
        if not turbine and block.lines.shape[1] == count:
            return block, values
        columns = self.columns(values, block.time[self.per - 1 :: self.per]) if turbine else values[:, :0]
        lines = np.empty((count + columns.shape[1], len(block.time)))
        lines[:count] = block.lines[:, :count].T
        hold(np.ascontiguousarray(columns), self.per, lines[count:])
        return block._replace(lines=lines.T), values

    def _moving(self) -> list[Any]:
        """Arrays of the turbine that a step changes."""
        machine = self.machine
        arrays = self.setup.system.arrays
        return [
            *self.wake,
            self.cx,
            *self.loop,
            machine.state,
            machine.rates,
            machine.torque,
            machine.mode,
            arrays.sstart,
            arrays.scoef,
        ]

    def _beginning(self, steps: int, turbine: bool, error: Diverged) -> tuple[Block, Float]:
        """What comes before the end of a run that diverges, by halving."""
        if steps == 1:
            self.failure = error
            none = np.zeros((0, width(self.machine)))
            more = self.columns(none, np.zeros(0)).shape[1] if turbine else 0
            return Block(np.zeros(0), np.zeros((0, len(self.channels) + more))), none
        one = self.advance(steps // 2, turbine)
        if self.failure is not None:
            return one
        two = self.advance(steps - steps // 2, turbine)
        return joined(one[0], two[0]), np.vstack([one[1], two[1]])

    def _close(self, block: Block) -> None:
        """Close the last step with the state that it led to."""
        import ctypes

        position, speed = self.sight
        watched = position @ self.state.q + speed @ self.state.v
        if self.brake:
            watched[2] -= float(block.lines[-1, -1])
        self.data[self.close_at] = 1
        self.turbine.ctypes(
            self.data.ctypes.data_as(ctypes.POINTER(ctypes.c_int64)),
            self.state.t,
            watched.ctypes.data_as(ctypes.POINTER(ctypes.c_double)),
        )
        self.data[self.close_at] = 0

    def opening(self) -> Float | None:
        """Values of the channels with which the run begins; to be asked before it does."""
        return opening(self.engine, self.system, self.channels, self.h, self.tolerance, self.begin)

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
        book[:3] = done[INPUTS[0]], done[INPUTS[1]], done.get(INPUTS[2], 0.0)
        if self.setup.brake_element is not None:
            row = self.setup.system.rows.index(f"{self.setup.brake_element}.torsion")
            book[2] = -float(self.state.row_work[row])
        return balance_of(self.setup, self.loop, self.point)


def _open_at_rest(law: Law) -> bool:
    """Whether a law has a flank that does not touch where nothing loads it."""
    return law.mean is not None and any(law.mean[0]) and not all(law.mean[0])


def _with(system: System, signals: Mapping[str, Signal]) -> System:
    """The system with other signals by name; its arrays stay the same."""
    return replace(
        system, signals=tuple(signals.get(n, x) for n, x in zip(system.signal_names, system.signals, strict=True))
    )
