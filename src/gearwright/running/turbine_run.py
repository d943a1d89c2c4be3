"""One run of a set-up: turbine, drivetrain, machine and brake in one loop, counted and stored like any run."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.controllers.outside import Outside
from gearwright.errors import DrivetrainError
from gearwright.kernels.ahead import ahead
from gearwright.kernels.native import waited
from gearwright.kernels.vectors import MOST, WIDTH, hold, multiply_out, tiles
from gearwright.machines.stepping import electric
from gearwright.results import EnergyBook, ResultError, energy_book
from gearwright.results.channels import recorded_channels, watched_channels
from gearwright.results.damping import damping_warnings
from gearwright.schema.file import Drivetrain
from gearwright.schema.places import JSON
from gearwright.schema.setup import TurbineController
from gearwright.system import Block, Channel, State
from gearwright.turbine import controller, coupled
from gearwright.turbine import exchange as places
from gearwright.turbine.linear import Linear, reduce, refusal
from gearwright.turbine.modal_step import brake_response, sample_matrix, squares, stepper

from .chunks import after_opening
from .facts import attributes_of, shared_load
from .intervals import interval_remarks, intervals
from .model import Options, Progress, Run
from .prepare import Prepared, remarks_of
from .record import recorded, recorder_of
from .setup import INPUTS, SetUp, electric_machine, prepare_setup
from .turbine_channels import beside_channels, width
from .turbine_engine import EngineRun
from .turbine_start import balance_of, start_of

Float = NDArray[np.float64]

#: values that three chunks at work may hold in memory
VALUES = 2**20
#: longest exchange step between turbine, machine and drivetrain [s]
EXCHANGE = 1e-3


class CoupledRun:
    """The loop of a set-up, with everything between Python and the compiled code."""

    def __init__(self, setup: SetUp, counting: float, channels: tuple[Channel, ...], exchange: float = EXCHANGE):
        self.setup = setup
        self.h = counting
        self.per = min(max(round(exchange / counting), 1), WIDTH)
        self.step = self.per * counting
        bodies = (setup.rotor_body, setup.machine.body, setup.brake_body)
        points = tuple(f"{body}.rotation" for body in bodies)
        self.linear: Linear = reduce(setup.system, INPUTS, points, counting)
        self.stepper = stepper(self.linear, self.step, self._roll())
        lines = sample_matrix(self.linear, counting, self.per, self.linear.lines(channels))
        self.parts, self.lines = lines.shape[1], tiles(lines)
        self.channels = channels
        self.sense = math.copysign(1.0, setup.ratio)
        self._start()
        torque = float(self.loop.scalar[places.MACHINE])
        speed = self.point.speed * abs(setup.ratio)
        if setup.schedule.start is not None:
            torque, speed = 0.0, setup.turbine.controller.cut_in_speed
        law, parts, self.lag = electric_machine(setup.machine, torque, speed, self.sense)
        self.machine = electric(law, max(math.ceil(parts * self.step / 1e-3), 1))
        self.rows, self.dampers = self.linear.damper_rows()
        self.moments = np.zeros((self.rows.shape[1],) * 2)
        towered = bool(setup.rotor.tower)
        ratio = float(self.linear.ratio[1] / self.linear.ratio[0])
        response = brake_response(self.linear, self.step)
        self.scalars = np.array(
            [
                self.sense,
                self.lag,
                setup.turbine.generator_efficiency,
                float(towered),
                response,
                ratio,
                self.step,
            ]
        )
        self.grid = setup.grid.time, setup.grid.table
        each = setup.rotor.aero_step
        self.each = max(round(each / self.step), 1)
        self.x0 = self._vector()
        self.columns = beside_channels(setup, self.machine, True, False)[1]

    def _vector(self) -> Float:
        """The vector of a sample now."""
        loop = self.loop
        slopes = np.append(loop.inputs[3:], 0.0)
        scalar = loop.scalar
        return self.linear.vector(
            loop.zr + 1j * loop.zi, loop.inputs[:3], slopes, float(scalar[places.OMEGA]), float(scalar[places.PHI])
        )

    def _start(self) -> None:
        setup, linear = self.setup, self.linear
        begin = start_of(setup, self.step)
        self.point, self.rotor, self.wake, self.cx = begin.point, begin.rotor, begin.wake, begin.cx
        self.tower, self.cpar, self.schedule = begin.tower, begin.cpar, begin.schedule
        self.loop = places.empty(linear.kept)
        s = self.loop.scalar
        s[:] = begin.scalar
        aero = 0.0 if begin.parked else self.point.torque
        machine = -(linear.rigid[0] * aero + linear.rigid[3]) / linear.rigid[1]
        self.loop.inputs[:3] = aero, machine, 0.0
        z = linear.steady(self.loop.inputs[:3])
        self.loop.zr[:], self.loop.zi[:] = z.real, z.imag
        if not begin.parked:
            s[places.OMEGA] = self.point.speed / linear.ratio[0]
            s[places.MACHINE] = -self.sense * machine
        v = linear.motion()[1] @ self._vector()
        for place, point in ((places.SPEED_BLADES, 0), (places.SPEED_MACHINE, 1)):
            s[place] = v[setup.system.coordinates.index(linear.points[point])]

    def _roll(self) -> Float:
        """The torque of the train on its housing over a sample: that of the main shaft less that of the machine's."""
        setup = self.setup
        train, system = setup.train, setup.system
        wanted = []
        for shaft in train.shafts.values():
            ends = set(shaft.between)
            if ends == {setup.rotor_body, setup.hub_body}:
                continue
            found = [
                c for c in system.channels if c.kind == "shaft" and c.element == shaft.name and c.quantity == "torque"
            ]
            if setup.hub_body in ends:
                wanted.append((found[0], 1.0 if shaft.between[0] == setup.hub_body else -1.0))
            if setup.machine.body in ends:
                wanted.append((found[0], -1.0 if shaft.between[1] == setup.machine.body else 1.0))
        if not wanted:
            return np.zeros(self.linear.width)
        return self.linear.lines(tuple(c for c, _ in wanted)) @ np.array([sign for _, sign in wanted])

    def advance(self, steps: int, turbine: bool = False) -> tuple[Block, Float]:
        """``steps`` exchange steps: the channel values at every sample, the turbine's values at every step.

        With ``turbine`` the columns that :attr:`columns` makes of the latter stand in the block as well, behind the channels and
        the same for all samples of a step.
        """
        begin = float(self.loop.scalar[places.STEP]) * self.step
        # rows of tiles may be read beyond the last step
        states = np.zeros((steps + MOST, self.parts))
        rates = np.empty((steps, self.rows.shape[1]))
        values = np.zeros((steps, width(self.machine)))
        done = coupled.run(
            self.rotor, self.wake, self.cpar, self.cx, self.schedule, self.stepper, self.loop, self.scalars, self.machine,
            *self.grid, *self.tower, self.step, self.each, steps, states, rates, values,
            np.zeros((3, max(self.parts, 8))),
        )  # fmt: skip
        rates, values = rates[:done], values[:done]
        self.moments += rates.T @ rates
        time_ = begin + self.h * np.arange(1.0, done * self.per + 1.0)
        beside = self.columns(values, time_[self.per - 1 :: self.per]) if turbine else values[:, :0]
        return Block(time_, self._samples(states, done, beside)), values

    def _samples(self, states: Float, done: int, beside: Float) -> Float:
        """Channels of all samples of ``done`` steps, contiguous by channel."""
        channels = len(self.channels)
        lines = np.empty((channels + beside.shape[1], done * self.per))
        where = np.stack([np.arange(done) * self.per, np.full(done, self.per)], axis=1)
        multiply_out(
            states.ravel(), self.parts, self.lines, where, 0, self.per, np.empty(MOST * WIDTH), lines[:channels]
        )
        hold(np.ascontiguousarray(beside), self.per, lines[channels:])
        return lines.T

    def grown(self) -> str:
        """What left all bounds when the loop stopped: a machine's states or a speed."""
        setup, scalar = self.setup, self.loop.scalar
        own = self.machine.state[-(len(self.machine.state) // 5) :]
        if self.machine.address and not (np.abs(own) < 1e12).all():
            return f"the states of machine '{setup.machine.name}' grow without bound"
        speeds = {
            setup.rotor_body: float(scalar[places.SPEED_BLADES]),
            setup.machine.body: float(scalar[places.SPEED_MACHINE]),
        }
        worst = max(speeds, key=lambda b: abs(speeds[b]) if math.isfinite(speeds[b]) else math.inf)
        return f"the speed of '{worst}' grows without bound ({speeds[worst]:.4g} rad/s)"

    def opening(self) -> Float:
        """Values of the channels with which the run begins."""
        return np.asarray(self.x0 @ self.linear.lines(self.channels))

    def start_state(self) -> State:
        """State of the drivetrain at the begin."""
        return self.linear.state(self.x0, 0.0)

    def end_state(self) -> State:
        """State of the drivetrain now, with the book of the run."""
        loop, system = self.loop, self.setup.system
        x = self._vector()
        state = self.linear.state(x, float(loop.scalar[places.STEP]) * self.step)
        heat = squares(self.linear, self.step, self.rows, self.moments)
        springs = np.arange(system.shape.rows)[system.spring_rows]
        state.row_heat[springs[self.dampers]] = system.arrays.c[self.dampers] * heat
        before = self.start_state()
        moved = state.q - before.q + np.array(system.u[0]) * state.phi[0]
        for j, (coordinate, signal, b) in enumerate(
            zip(system.arrays.bi, system.arrays.bu, system.arrays.bv, strict=True)
        ):
            name = system.signal_names[int(signal)]
            if name in INPUTS:
                state.input_work[j] = loop.book[INPUTS.index(name)]
            else:
                state.input_work[j] = b * float(system.signals[int(signal)](0.0)) * moved[coordinate]
        return state

    def balance(self) -> dict[str, float]:
        """Works of the turbine [J]."""
        return balance_of(self.setup, self.loop, self.point)


class TurbineModel:
    """A case of a set-up made ready; see :class:`gearwright.running.model.Model`."""

    def __init__(self, drivetrain: Drivetrain, case: str | None, options: Options):
        self._before = waited()
        method = options.method
        setup = prepare_setup(
            drivetrain,
            case,
            fidelity=options.fidelity,
            law=options.law,
            duration=options.duration,
            stepped=method not in (None, "coupled"),
        )
        refused = refusal(setup.system)
        self.modal = method in (None, "coupled") and refused is None
        if method == "coupled" and not self.modal:
            raise DrivetrainError(f"method 'coupled' takes springs only: {refused}")
        self.setup, self.method, self.tolerance = setup, method, options.tolerance
        counting, self.storing = intervals(setup.system, setup.case, setup.duration)
        # turbine and train exchange at samples
        self.counting = self.storing / math.ceil(self.storing / min(counting, EXCHANGE) - 1e-9)
        notes = (*setup.notes, *interval_remarks(setup.system, setup.case, self.counting, setup.duration))
        self.prepared = Prepared(
            setup.drivetrain, setup.train, setup.case, setup.system, setup.inputs, setup.duration, notes
        )
        self.channels = recorded_channels(setup.system, setup.case.record)
        if not self.channels and "turbine" not in setup.case.record:
            raise DrivetrainError(
                f"case '{setup.case.name}' records nothing that fidelity {setup.system.provenance.fidelity} has"
            )
        self.channels += watched_channels(setup.system, setup.case.record)
        self.path = Path(f"{drivetrain.name}-{setup.case.name}.nc")

    def run(self, output: Path | None, progress: Progress | None) -> Run:
        """Run the case and write its result file."""
        setup, chosen = self.setup, self.setup.case
        loop: Any
        needed: list[Any] = []
        if self.modal:
            loop = CoupledRun(setup, self.counting, self.channels)
            name, how = "coupled", "springs in modal form"
        else:
            allowed = self.tolerance or setup.drivetrain.model.tolerance or 1e-6
            loop = EngineRun(setup, self.counting, self.channels, self.method, allowed)
            name, how, needed = loop.engine.name, loop.reason, loop.engine.compiled(setup.system, allowed)
        extra, loop.columns = beside_channels(
            setup, loop.machine, "turbine" in chosen.record, "machines" in chosen.record
        )
        facts = setup.drivetrain.turbine.controller
        if facts is not None and facts.type in ("library", "fmu"):
            if setup.schedule.start is not None or setup.schedule.stop is not None:
                raise DrivetrainError(
                    f"case '{chosen.name}': a controller outside decides itself when to start and stop"
                )
            loop = outside(loop, facts, setup.drivetrain.resolve)
        reason = (
            f"{how}; torques linear over exchange steps of {loop.step * 1e3:g} ms, aerodynamics every "
            f"{loop.each * loop.step * 1e3:g} ms"
        )
        notes = [
            *remarks_of(self.prepared),
            *getattr(loop, "remarks", ()),
            *damping_warnings(setup.system, setup.train),
        ]
        attributes = attributes_of(self.prepared, name, reason, self.tolerance or 1e-6, notes)
        attributes.update(turbine=setup.turbine.name, wind=setup.wind.description, regions=str(controller.REGIONS))
        output = output or self.path
        recorder = recorder_of(output, self.prepared, self.channels, extra, self.counting, self.storing)
        recorder.describe(attributes)
        ahead([*needed, *recorder.compiled()])
        going = _Loop(setup, loop, name, reason, attributes, notes, sum(c.stored for c in self.channels), len(extra))
        return recorded(going, recorder, self._before, progress)


def outside(loop: Any, facts: TurbineController, resolve: Any) -> Any:
    """The loop with a controller of others; imported by those who have one."""
    return Outside(loop, facts, resolve)


class _Loop:
    """The loop of a set-up on its way through a case; see :class:`gearwright.running.record.Stepped`."""

    def __init__(
        self,
        setup: SetUp,
        loop: Any,
        method: str,
        reason: str,
        attributes: dict[str, JSON],
        notes: list[str],
        channels: int,
        extra: int,
    ):
        self.method, self.reason, self.attributes, self.notes = method, reason, attributes, notes
        self.duration = setup.duration
        self.setup, self.loop, self.start, self.extra = setup, loop, loop.start_state(), extra
        self.train = setup.train
        self.steps, self.total = 0, max(round(setup.duration / loop.step), 1)
        self.longest = max(VALUES // ((2 * channels + extra + 60) * loop.per), 64)

    @property
    def time(self) -> float:
        """Simulated so far [s]."""
        return float(self.steps * self.loop.step)

    @property
    def finished(self) -> bool:
        """Whether the duration is reached."""
        return self.steps >= self.total

    def chunk(self) -> Iterator[Block]:
        """Samples of the next chunk."""
        steps = min(self.longest, self.total - self.steps)
        first = self.loop.opening() if self.steps == 0 and not self.setup.case.discard else None
        block, values = self.loop.advance(steps, turbine=bool(self.extra))
        yield block if first is None else after_opening(first, block)
        self.steps += len(values)
        if getattr(self.loop, "failure", None) is not None:
            raise self.loop.failure
        if len(values) < steps:
            raise ResultError(f"{self.loop.grown()} at {self.time:.6g} s")

    def book(self) -> EnergyBook:
        """The energy book up to now."""
        return energy_book(self.setup.system, self.start, self.loop.end_state())

    def figures(self) -> dict[str, float]:
        """Works of the turbine [J]."""
        return {f"work_{k}": v for k, v in self.loop.balance().items()}

    def compared(self, path: Path) -> dict[str, float | str]:
        """A turbine's train is compared with nothing; its planets share a load."""
        made = self.setup
        return {**shared_load(made.drivetrain, made.train, made.case.discard, path)}

    def close(self) -> None:
        """End a controller of others."""
        if hasattr(self.loop, "close"):
            self.loop.close()
