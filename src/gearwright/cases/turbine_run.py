"""One run of a set-up: turbine, drivetrain, machine and brake in one loop, counted and stored like any run."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from gearwright.system import Block, Channel, Source, State
from gearwright.turbine import bem, controller, coupled, rotor, tower
from gearwright.turbine.linear import Linear, reduce, refusal

from .run import (
    VALUES,
    Prepared,
    Progress,
    Run,
    RunError,
    _attributes,
    _reference,
    _summary,
    derived_channels,
    intervals,
    recorded_channels,
)
from .setup import INPUTS, SetUp, initial_azimuth, prepare_setup

Float = NDArray[np.float64]

#: longest exchange step between turbine, machine and drivetrain [s]
EXCHANGE = 1e-3


class CoupledRun:
    """The loop of a set-up, with everything between Python and the compiled code."""

    def __init__(self, setup: SetUp, counting: float, channels: tuple[Channel, ...], exchange: float = EXCHANGE):
        self.setup = setup
        self.h = counting
        self.per = max(round(exchange / counting), 1)
        self.step = self.per * counting
        points = (f"{setup.rotor_body}.rotation", f"{setup.machine.body}.rotation")
        self.linear: Linear = reduce(setup.system, INPUTS, points)
        self.modal = self.linear.modal
        self.width = 2 * self.modal.rate.shape[1] + len(INPUTS) + 3
        self.lines = self.linear.lines(channels)
        self.sense = math.copysign(1.0, setup.ratio)
        self._start()
        rate = self.modal.rate[0] + 1j * self.modal.rate[1]
        short, long = np.exp(rate * self.h), np.exp(rate * self.step)
        self.factors = np.ascontiguousarray([short.real, short.imag, long.real, long.imag])
        self.gram = np.zeros((self.width - len(INPUTS) - 3,) * 2)
        self._roll()
        push = self.modal.push[0, 2] + 1j * self.modal.push[1, 2]
        over = self.modal.speed[0, 1] + 1j * self.modal.speed[1, 1]
        response = float(np.real(over * push * (long - 1.0) / rate).sum())
        response += self.modal.ratio[1] * self.modal.rigid[2] * self.step
        towered = bool(setup.options.get("tower", True))
        self.scalars = np.array([self.sense, setup.lag, setup.turbine.generator_efficiency, float(towered), response,
                                 self.roll_constant])  # fmt: skip
        time_, value = setup.voltage
        self.grid = np.array(time_), np.array(value)
        each = float(setup.options.get("aero_step", 0.02))
        self.each = max(round(each / self.step), 1)
        self.x0 = np.concatenate([self.loop.zr, self.loop.zi])
        self.u0 = self.loop.inputs.copy()
        self.phi0 = 0.0

    def _start(self) -> None:
        setup = self.setup
        turbine = setup.turbine
        options = setup.options
        starting = setup.schedule.start is not None
        point = bem.operating_point(turbine, setup.wind.mean)
        self.point = point
        self.rotor = rotor.make(turbine, setup.wind, shadow=bool(options.get("tower_shadow", True)),
                                stall=bool(options.get("dynamic_stall", False)),
                                skew=bool(options.get("skewed_wake", True)))  # fmt: skip
        self.wake = rotor.wake_of(turbine, point)
        self.loop = coupled.empty(self.modal)
        s = self.loop.scalar
        modal = self.modal
        aero = 0.0 if starting else point.torque
        machine = -(modal.rigid[0] * aero + modal.rigid[3]) / modal.rigid[1]
        self.loop.inputs[:] = aero, machine, 0.0
        z = self.linear.steady(self.loop.inputs)
        self.loop.zr[:], self.loop.zi[:] = z.real, z.imag
        modes = tower.fore_aft(turbine), tower.side_side(turbine)
        self.tower = coupled.tower_rows(modes, turbine.hub_height, self.step)
        if starting:
            self.cx = controller.parked_state(turbine.controller)
            for array in (self.wake.inner, self.wake.axial, self.wake.quasi, self.wake.tangential):
                array[:] = 0.0
        else:
            speed = point.speed * turbine.gear_ratio
            self.cx = controller.start_state(turbine.controller, point, speed)
            s[coupled.OMEGA] = point.speed / modal.ratio[0]
            s[coupled.MACHINE] = -self.sense * machine
            s[coupled.FORE] = point.thrust * modes[0].lever / modes[0].stiffness
            s[coupled.SIDE] = point.torque * modes[1].slope / modes[1].stiffness
            s[coupled.FORE_FORCE] = point.thrust * modes[0].lever
            s[coupled.SIDE_FORCE] = point.torque * modes[1].slope
        s[coupled.AZIMUTH] = initial_azimuth(setup, 0.0 if starting else point.speed)
        self.cpar = controller.parameters(turbine)
        self.schedule = setup.schedule.array(turbine)

    def _roll(self) -> None:
        """The torque of the train on its housing: that of the main shaft less that of the machine's shaft."""
        train, system = self.setup.train, self.setup.system
        names = {}
        for shaft in train.shafts.values():
            if self.setup.hub_body in shaft.between and self.setup.rotor_body != self.setup.hub_body and \
                    self.setup.rotor_body in shaft.between:  # fmt: skip
                continue
            if self.setup.hub_body in shaft.between:
                names["main"] = (shaft.name, 1.0 if shaft.between[0] == self.setup.hub_body else -1.0)
            if self.setup.machine.body in shaft.between:
                names["machine"] = (shaft.name, -1.0 if shaft.between[1] == self.setup.machine.body else 1.0)
        wanted = [(c, sign) for key, (name, sign) in names.items() for c in system.channels
                  if c.kind == "shaft" and c.element == name and c.quantity == "torque"]  # fmt: skip
        nm = self.modal.rate.shape[1]
        row = np.zeros(self.width)
        if wanted:
            made = self.linear.lines(tuple(c for c, _ in wanted))
            row = made @ np.array([sign for _, sign in wanted])
        self.roll = np.ascontiguousarray([row[:nm], row[nm : 2 * nm]])
        self.roll_constant = float(row[2 * nm + len(INPUTS)])

    def advance(self, steps: int) -> tuple[Block, Float]:
        """``steps`` exchange steps: the channel values at every sample, the turbine's values at every step."""
        begin = float(self.loop.scalar[coupled.STEP]) * self.step
        samples = np.empty((steps * self.per, self.width))
        values = np.zeros((steps, len(coupled.CHANNELS)))
        x = np.concatenate([self.loop.zr, self.loop.zi])
        done = coupled.run(
            self.rotor, self.wake, self.cpar, self.cx, self.schedule, self.modal, self.loop, self.scalars, *self.grid,
            *self.tower, self.roll, self.h, self.per, self.each, steps, self.factors, samples, values,
        )  # fmt: skip
        samples, values = samples[: done * self.per], values[:done]
        ends = samples[self.per - 1 :: self.per, : len(x)]
        self.gram += self.step * (ends.T @ ends)
        if done:
            self.gram += 0.5 * self.step * (np.outer(x, x) - np.outer(ends[-1], ends[-1]))
        time_ = begin + self.h * np.arange(1.0, done * self.per + 1.0)
        return Block(time_, samples @ self.lines), values

    def start_state(self) -> State:
        """State of the drivetrain at the begin."""
        omega = float(self.loop.scalar[coupled.OMEGA])
        return self.linear.state(self.x0, omega, 0.0, 0.0)

    def end_state(self) -> State:
        """State of the drivetrain now, with the book of the run."""
        loop, system = self.loop, self.setup.system
        x = np.concatenate([loop.zr, loop.zi])
        t = float(loop.scalar[coupled.STEP]) * self.step
        state = self.linear.state(x, float(loop.scalar[coupled.OMEGA]), float(loop.scalar[coupled.PHI]), t)
        gram = self.gram.copy()
        share = self.step**2 / 12.0
        for sign, at, inputs in ((-1.0, x, loop.inputs), (1.0, self.x0, self.u0)):
            rate = self.linear.derivative(at, inputs)
            gram += sign * share * (np.outer(rate, at) + np.outer(at, rate))
        push = np.hstack([self.modal.push[0], self.modal.push[1]])
        for i in range(len(INPUTS)):
            gram += share * (np.outer(push[i], loop.jumps[i]) + np.outer(loop.jumps[i], push[i]))
        rows = self.linear.rate_rows()
        state.row_heat[system.spring_rows] = system.arrays.c * np.einsum("ij,jk,ik->i", rows, gram, rows)
        before = self.linear.state(self.x0, 0.0, 0.0, 0.0)
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
        """Works of the turbine [J]: aerodynamics, machine, brake, tower (in, heat, change of energy)."""
        book, s = self.loop.book, self.loop.scalar
        fore, side = tower.fore_aft(self.setup.turbine), tower.side_side(self.setup.turbine)
        stored = 0.0
        for i, mode in enumerate((fore, side)):
            stored += 0.5 * mode.mass * s[coupled.FORE_SPEED + i] ** 2 + 0.5 * mode.stiffness * s[coupled.FORE + i] ** 2
        point = self.point
        if self.setup.schedule.start is None:
            stored -= 0.5 * (point.thrust * fore.lever) ** 2 / fore.stiffness
            stored -= 0.5 * (point.torque * side.slope) ** 2 / side.stiffness
        return {
            "aerodynamic": float(book[0]), "machine": float(book[1]), "brake": float(book[2]),
            "tower_input": float(book[3] + book[4]), "tower_heat": float(book[5]), "tower_stored": float(stored),
        }  # fmt: skip


def turbine_channels() -> tuple[Channel, ...]:
    """Channels of the turbine itself."""
    sign = "x downwind, y left looking downwind, z up"
    counted = {
        "thrust",
        "hub_moment_y",
        "hub_moment_z",
        "tower_base_moment_y",
        "tower_base_moment_x",
        "electrical_power",
    }
    return tuple(
        Channel("turbine", "turbine", name, unit, sign, ((Source.ONE, 0, 0.0),), name in counted)
        for name, unit in coupled.CHANNELS
    )


def simulate_setup(drivetrain: Any, case: str | None = None, *, fidelity: str | None = None, law: str | None = None,
                   duration: float | None = None, method: str | None = None, tolerance: float | None = None,
                   output: str | Path | None = None, progress: Progress | None = None) -> Run:  # fmt: skip
    """Run one case of a set-up and write its result file; as :func:`gearwright.simulate`.

    Raises DrivetrainError, TurbineError, AssemblyError (input to be mended), RunError (diverged; the part before is kept).
    """
    from gearwright.drivetrain import DrivetrainError
    from gearwright.results import Recorder, ResultError, energy_book

    setup = prepare_setup(drivetrain, case, fidelity=fidelity, law=law, duration=duration)
    why = refusal(setup.system)
    if why is not None:
        raise DrivetrainError(
            f"a turbine drives trains with constant stiffness and one rigid rotation: {why}; use --law linear"
        )
    if method not in (None, "coupled"):
        raise DrivetrainError(f"a set-up runs by method 'coupled', not '{method}'")
    prepared = Prepared(
        setup.drivetrain, setup.train, setup.case, setup.system, setup.inputs, setup.duration, setup.notes
    )
    chosen = setup.case
    counting, storing = intervals(setup.system, chosen, setup.duration)
    channels = recorded_channels(setup.system, chosen.record)
    extra = turbine_channels() if "turbine" in chosen.record else ()
    if not channels and not extra:
        raise DrivetrainError(
            f"case '{chosen.name}' records nothing that fidelity {setup.system.provenance.fidelity} has"
        )
    loop = CoupledRun(setup, counting, channels)
    start = loop.start_state()
    path = Path(output) if output is not None else Path(f"{drivetrain.name}-{chosen.name}.nc")
    reason = (f"springs in modal form, torques linear over exchange steps of {loop.step * 1e3:g} ms, aerodynamics every "
              f"{loop.each * loop.step * 1e3:g} ms")  # fmt: skip
    attributes = _attributes(prepared, "coupled", reason, tolerance or 1e-6)
    attributes.update(turbine=setup.turbine.name, wind=setup.wind.description, regions=str(controller.REGIONS))
    recorder = Recorder(
        path, (*channels, *extra), derived_channels(channels, setup.train), counting, storing,
        exponents=tuple(chosen.exponents), reference_frequency=_reference(chosen, setup.duration), discard=chosen.discard,
        attributes=attributes,
    )  # fmt: skip
    total = max(round(setup.duration / loop.step), 1)
    chunk = max(VALUES // ((len(channels) + len(extra) + loop.width) * loop.per), 64)
    begin = time.perf_counter()
    done = 0
    try:
        with threadpool_limits(1):
            while done < total:
                steps = min(chunk, total - done)
                block, values = loop.advance(steps)
                lines = block.lines
                if extra:
                    lines = np.hstack([lines, np.repeat(values, loop.per, axis=0)])
                recorder.append(Block(block.time, lines))
                done += len(values)
                if len(values) < steps:
                    raise ResultError(f"speeds grow without bound at {done * loop.step:.6g} s")
                if progress is not None:
                    progress(done * loop.step, setup.duration)
    except ResultError as error:
        kept = recorder.abort(str(error), energy_book(setup.system, start, loop.end_state()))
        where = f"; what was computed before is in {kept}" if kept else ""
        raise RunError(f"the run diverged: {error}{where}", kept) from None
    except KeyboardInterrupt:
        recorder.abort(f"interrupted at {done * loop.step:.6g} s", energy_book(setup.system, start, loop.end_state()))
        raise
    wall = time.perf_counter() - begin
    book = energy_book(setup.system, start, loop.end_state())
    figures = {"duration_s": done * loop.step, "wall_s": wall, "real_time_factor": done * loop.step / wall,
               "energy_error": book.error, **{f"work_{k}": v for k, v in loop.balance().items()}}  # fmt: skip
    recorder.finish(book, figures)
    return Run(path, "coupled", reason, done * loop.step, wall, book.error, _summary(path), {**attributes, **figures})
