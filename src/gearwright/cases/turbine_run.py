"""One run of a set-up: turbine, drivetrain, machine and brake in one loop, counted and stored like any run."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from gearwright.couplings import CouplingError
from gearwright.machines.stepping import electric
from gearwright.system import Block, Channel, Diverged, Source, State
from gearwright.turbine import controller, coupled, rotor, tower
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
from .setup import INPUTS, SetUp, electric_machine, initial_azimuth, prepare_setup, starting_point
from .turbine_engine import EngineRun, balance_of

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
        bodies = (setup.rotor_body, setup.machine.body, setup.brake_body)
        points = tuple(f"{body}.rotation" for body in bodies)
        self.linear: Linear = reduce(setup.system, INPUTS, points, counting)
        self.modal = self.linear.modal
        self.lines = self.linear.lines(channels)
        self.sense = math.copysign(1.0, setup.ratio)
        self._start()
        torque = float(self.loop.scalar[coupled.MACHINE])
        speed = self.point.speed * abs(setup.ratio)
        if setup.schedule.start is not None:
            torque, speed = 0.0, setup.turbine.controller.cut_in_speed
        law, parts, self.lag = electric_machine(setup.machine, torque, speed, self.sense)
        self.machine = electric(law, max(math.ceil(parts * self.step / 1e-3), 1))
        rate = self.modal.rate_r + 1j * self.modal.rate_i
        short, long = np.exp(rate * self.h), np.exp(rate * self.step)
        self.factors = np.ascontiguousarray([short.real, short.imag, long.real, long.imag])
        self.rows, self.dampers = self.linear.damper_rows()
        self.heat = np.zeros(len(self.dampers))
        self.roll = self._roll()
        push = self.modal.push_2r + 1j * self.modal.push_2i
        over = self.modal.third_r + 1j * self.modal.third_i
        response = float(np.real(over * push * (long - 1.0) / rate).sum()) + self.modal.fast[2, 2]
        response += self.modal.ratio[2] * self.modal.rigid[2] * self.step
        towered = bool(setup.options.get("tower", True))
        self.scalars = np.array([self.sense, self.lag, setup.turbine.generator_efficiency, float(towered), response])
        self.grid = setup.grid.time, setup.grid.table
        each = float(setup.options.get("aero_step", 0.02))
        self.each = max(round(each / self.step), 1)
        self.x0 = self.last = self._vector()

    def _vector(self) -> Float:
        """The vector of a sample now."""
        loop = self.loop
        slopes = np.append(loop.inputs[3:], 0.0)
        scalar = loop.scalar
        return self.linear.vector(loop.zr + 1j * loop.zi, loop.inputs[:3], slopes, float(scalar[coupled.OMEGA]),
                                  float(scalar[coupled.PHI]))  # fmt: skip

    def _start(self) -> None:
        setup = self.setup
        turbine = setup.turbine
        options = setup.options
        starting = setup.schedule.start is not None
        point = starting_point(setup)
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
        self.loop.inputs[:3] = aero, machine, 0.0
        z = self.linear.steady(self.loop.inputs[:3])
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
        q = self.linear.motion()[1] @ self._vector()
        for place, point_name in ((coupled.SPEED_BLADES, 0), (coupled.SPEED_MACHINE, 1)):
            s[place] = q[setup.system.coordinates.index(self.linear.points[point_name])]
        s[coupled.AZIMUTH] = initial_azimuth(setup, 0.0 if starting else point.speed)
        self.cpar = controller.parameters(turbine)
        self.schedule = setup.schedule.array(turbine)

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

    def advance(self, steps: int) -> tuple[Block, Float]:
        """``steps`` exchange steps: the channel values at every sample, the turbine's values at every step."""
        begin = float(self.loop.scalar[coupled.STEP]) * self.step
        width = self.linear.width
        samples = np.empty(steps * self.per * width)
        values = np.zeros((steps, len(coupled.CHANNELS)))
        done = coupled.run(
            self.rotor, self.wake, self.cpar, self.cx, self.schedule, self.modal, self.loop, self.scalars, self.machine,
            *self.grid,
            *self.tower, self.roll, self.h, self.per, self.each, steps, self.factors, samples, values,
        )  # fmt: skip
        table, values = samples.reshape(-1, width)[: done * self.per], values[:done]
        if done:
            rates = table[self.per - 1 :: self.per] @ self.rows.T
            edge = 0.5 * ((self.rows @ self.last) ** 2 - rates[-1] ** 2)
            self.heat += self.step * (np.einsum("ij,ij->j", rates, rates) + edge)
            self.last = table[-1].copy()
        time_ = begin + self.h * np.arange(1.0, done * self.per + 1.0)
        return Block(time_, table @ self.lines), values

    def grown(self) -> str:
        """What left all bounds when the loop stopped: a machine's states or a speed."""
        setup, scalar = self.setup, self.loop.scalar
        own = self.machine.state[-(len(self.machine.state) // 5) :]
        if self.machine.address and not (np.abs(own) < 1e12).all():
            return f"the states of machine '{setup.machine.name}' grow without bound"
        speeds = {
            setup.rotor_body: float(scalar[coupled.SPEED_BLADES]),
            setup.machine.body: float(scalar[coupled.SPEED_MACHINE]),
        }
        worst = max(speeds, key=lambda b: abs(speeds[b]) if math.isfinite(speeds[b]) else math.inf)
        return f"the speed of '{worst}' grows without bound ({speeds[worst]:.4g} rad/s)"

    def start_state(self) -> State:
        """State of the drivetrain at the begin."""
        return self.linear.state(self.x0, 0.0)

    def end_state(self) -> State:
        """State of the drivetrain now, with the book of the run."""
        loop, system = self.loop, self.setup.system
        x = self._vector()
        state = self.linear.state(x, float(loop.scalar[coupled.STEP]) * self.step)
        # trapezoids with end corrections, at the ends of the run and where an input jumps
        share, heat = self.step**2 / 12.0, self.heat.copy()
        for sign, at in ((-1.0, x), (1.0, self.x0)):
            heat += sign * share * 2.0 * (self.rows @ self.linear.derivative(at)) * (self.rows @ at)
        kept, osc = self.modal.kept, self.modal.oscillating
        for i in range(len(INPUTS)):
            jump = np.zeros(self.linear.width)
            push = self.linear.push[i, :kept]
            jump[:kept], jump[kept : kept + osc] = push.real, push.imag[:osc]
            heat += share * 2.0 * (self.rows @ jump) * (self.rows @ loop.jumps[i])
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

    setup = prepare_setup(drivetrain, case, fidelity=fidelity, law=law, duration=duration,
                          stepped=method not in (None, "coupled"))  # fmt: skip
    modal = method in (None, "coupled") and refusal(setup.system) is None
    if method == "coupled" and not modal:
        raise DrivetrainError(f"method 'coupled' takes springs only: {refusal(setup.system)}")
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
    loop: Any
    if modal:
        loop = CoupledRun(setup, counting, channels)
        name, how = "coupled", "springs in modal form"
    else:
        loop = EngineRun(setup, counting, channels, method, tolerance or setup.drivetrain.model.tolerance or 1e-6)
        name, how = loop.engine.name, loop.reason
    facts = dict(setup.drivetrain.turbine.get("controller") or {})
    if facts.get("type", "reference") not in ("reference", "fixed-speed"):
        from gearwright.couplings.outside import Outside

        if setup.schedule.start is not None or setup.schedule.stop is not None:
            raise DrivetrainError(f"case '{chosen.name}': a controller outside decides itself when to start and stop")
        loop = Outside(loop, facts, setup.drivetrain.resolve)
    start = loop.start_state()
    path = Path(output) if output is not None else Path(f"{drivetrain.name}-{chosen.name}.nc")
    reason = (f"{how}; torques linear over exchange steps of {loop.step * 1e3:g} ms, aerodynamics every "
              f"{loop.each * loop.step * 1e3:g} ms")  # fmt: skip
    attributes = _attributes(prepared, name, reason, tolerance or 1e-6)
    attributes.update(turbine=setup.turbine.name, wind=setup.wind.description, regions=str(controller.REGIONS))
    recorder = Recorder(
        path, (*channels, *extra), derived_channels(channels, setup.train), counting, storing,
        exponents=tuple(chosen.exponents), reference_frequency=_reference(chosen, setup.duration), discard=chosen.discard,
        attributes=attributes,
    )  # fmt: skip
    total = max(round(setup.duration / loop.step), 1)
    chunk = max(VALUES // ((2 * len(channels) + len(extra) + 60) * loop.per), 64)
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
                if getattr(loop, "failure", None) is not None:
                    raise loop.failure
                if len(values) < steps:
                    raise ResultError(f"{loop.grown()} at {done * loop.step:.6g} s")
                if progress is not None:
                    progress(done * loop.step, setup.duration)
    except (Diverged, ResultError) as error:
        kept = recorder.abort(str(error), energy_book(setup.system, start, loop.end_state()))
        where = f"; what was computed before is in {kept}" if kept else ""
        raise RunError(f"the run diverged: {error}{where}", kept) from None
    except CouplingError as error:
        kept = recorder.abort(str(error), energy_book(setup.system, start, loop.end_state()))
        where = f"; what was computed before is in {kept}" if kept else ""
        raise RunError(f"{error}{where}", kept) from None
    except KeyboardInterrupt:
        recorder.abort(f"interrupted at {done * loop.step:.6g} s", energy_book(setup.system, start, loop.end_state()))
        raise
    finally:
        if hasattr(loop, "close"):
            loop.close()
    wall = time.perf_counter() - begin
    book = energy_book(setup.system, start, loop.end_state())
    figures = {"duration_s": done * loop.step, "wall_s": wall, "real_time_factor": done * loop.step / wall,
               "energy_error": book.error, **{f"work_{k}": v for k, v in loop.balance().items()}}  # fmt: skip
    recorder.finish(book, figures)
    return Run(path, name, reason, done * loop.step, wall, book.error, _summary(path), {**attributes, **figures})
