"""What a file's electrical machine is: its rated point, poles, answer to dips, and what its control does to the train."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gearwright.assembly import Inputs, Load, assemble
from gearwright.assembly.machines import electric_facts, reference_torque
from gearwright.errors import DrivetrainError
from gearwright.machines import Dfig, Grid, Induction, Linear, Pmsg, linearise, run_alone
from gearwright.machines.closed import TorqueControl, closed_loop, nearest_mode, torsional_modes
from gearwright.machines.facts import ELECTRIC, MachineError, check, law_of, model_of, sub_steps
from gearwright.progress import each
from gearwright.running.grid import GRID_CODES, grid_profile
from gearwright.running.setup import prepare_setup
from gearwright.system import System, constant
from gearwright.train.expand import expand
from gearwright.train.train import Machine

from .base import BESIDE, OPTIONAL, Analysis, Column, Picture, Table, drivetrain_of
from .picture import Curve

#: frequency range in which the first torsional mode of a train is looked for [Hz]
_LOWEST = 0.2


@dataclass(frozen=True)
class RatedPoint:
    """Powers [W, var], currents [A], voltages [V] and slip at the rated point, those that the machine has; the breakdown torque [N m]."""

    shaft_power: float
    slip: float | None = field(default=None, metadata=OPTIONAL)
    electrical_power: float | None = field(default=None, metadata=OPTIONAL)
    stator_power: float | None = field(default=None, metadata=OPTIONAL)
    rotor_power: float | None = field(default=None, metadata=OPTIONAL)
    reactive_power_taken: float | None = field(default=None, metadata=OPTIONAL)
    stator_current_rms: float | None = field(default=None, metadata=OPTIONAL)
    rotor_current_rms: float | None = field(default=None, metadata=OPTIONAL)
    rotor_voltage_pu: float | None = field(default=None, metadata=OPTIONAL)
    voltage_peak: float | None = field(default=None, metadata=OPTIONAL)
    breakdown_torque: float | None = field(default=None, metadata=OPTIONAL)


@dataclass(frozen=True)
class StepAnswer:
    """Answer to a reference that falls by a fifth: times [s] after which 63 % are reached and 2 % are kept, overshoot as a share of the
    step, largest distance of the linear form from the machine over the step, at constant speed and with the speed swinging."""

    linear_difference: float
    time_63: float
    time_2_percent: float
    overshoot: float
    linear_difference_swinging: float


@dataclass(frozen=True)
class DipAnswer:
    """Torques through a voltage dip over that before, lost impulse [s], peak current over that before (None without states)."""

    first: float
    end_of_fault: float
    highest: float
    lowest: float
    lost_impulse_s: float
    current_peak: float | None = field(metadata=OPTIONAL)


@dataclass(frozen=True)
class ControlledMode:
    """The first torsional mode under a control."""

    control: str
    frequency_hz: float
    damping_ratio: float


@dataclass(frozen=True, repr=False, eq=False)
class MachineAnalysis(Analysis):
    """The electrical machine of a file.

    ``torque``, ``speed`` and the powers, currents and voltages in ``point`` are those of the rated point; ``poles`` [1/s] are real and
    imaginary parts at constant speed; ``step`` the answer to a reference that falls by a fifth; ``dips`` torques over that before,
    by grid code; ``modes`` the first torsional mode of the train, by itself and under torque controls.
    """

    machine: str
    model: str
    torque: float
    speed: float
    point: RatedPoint = field(metadata=BESIDE)
    poles: Sequence[Sequence[float]]
    step: StepAnswer | None = field(metadata=OPTIONAL)
    dips: Mapping[str, DipAnswer]
    modes: Sequence[ControlledMode]

    @property
    def title(self) -> str:
        """Name and model."""
        return f"{self.machine}: {self.model}"

    def shown(self) -> Iterator[Table | str]:
        """Rated point, poles, step, dips, modes."""
        yield self.title
        rows: list[list[Any]] = [["torque kN m", 1e-3 * self.torque], ["speed rad/s", self.speed]]
        rows += [
            [label, factor * x]
            for key, (label, factor) in _POINT.items()
            if (x := getattr(self.point, key)) is not None
        ]
        yield Table("Rated point", ["", ""], rows)
        if self.poles:
            rows = [[r, abs(i) or None] for r, i in self.poles if i >= 0.0]
            yield Table("Poles at constant speed, 1/s", ["real", "+- imaginary"], rows)
        if self.step is not None:
            rows = [[label, factor * getattr(self.step, key)] for key, label, factor in _STEP]
            yield Table("Reference falls by a fifth, constant speed", ["", Column("", "", 3)], rows)
        keys = ("first", "end_of_fault", "highest", "lowest", "lost_impulse_s", "current_peak")
        heads = ("first", "end of fault", "highest", "lowest", "lost, s", "current peak")
        rows = [[code, *(getattr(d, k) for k in keys)] for code, d in self.dips.items()]
        yield Table(
            "Voltage dips at constant speed: torque over that before",
            ["code", *(Column(h, "", 3) for h in heads)],
            rows,
        )
        if self.modes:
            rows = [[m.control, m.frequency_hz, m.damping_ratio] for m in self.modes]
            yield Table("First torsional mode", ["control", Column("", "Hz"), Column("damping ratio", "", 3)], rows)

    def picture(self) -> Picture | str:
        """Torque after each dip over that before."""
        codes = list(self.dips)
        found = ((key, [getattr(self.dips[c], key) for c in codes]) for key in ("lowest", "end_of_fault", "highest"))
        return Picture("grid code", "torque over that before", [Curve(key, codes, y, "points") for key, y in found])


#: figures of the rated point: what they are with the unit on screen, factor
_POINT: dict[str, tuple[str, float]] = {
    "slip": ("slip", 1.0),
    "shaft_power": ("power of the shaft kW", 1e-3),
    "electrical_power": ("power into the grid kW", 1e-3),
    "stator_power": ("of it by the stator kW", 1e-3),
    "rotor_power": ("of it by the rotor kW", 1e-3),
    "reactive_power_taken": ("reactive power taken kvar", 1e-3),
    "stator_current_rms": ("stator current A rms", 1.0),
    "rotor_current_rms": ("rotor current A rms", 1.0),
    "rotor_voltage_pu": ("rotor voltage p.u.", 1.0),
    "voltage_peak": ("phase voltage V peak", 1.0),
    "breakdown_torque": ("breakdown torque kN m", 1e-3),
}
_STEP = (
    ("time_63", "63 % after, ms", 1e3),
    ("time_2_percent", "inside 2 % after, ms", 1e3),
    ("overshoot", "overshoot, %", 100.0),
    ("linear_difference", "linear form off by, % of the step", 100.0),
    ("linear_difference_swinging", "the same, speed swinging by 2 %", 100.0),
)


def machine(drivetrain: Any, *, fidelity: str | None = None, overrides: Sequence[str] = ()) -> MachineAnalysis:
    """The electrical machine of a file: rated point, poles, dips of the grid codes at constant speed, damping of the train.

    ``drivetrain`` has an electrical machine, or is a set-up, whose rated point is that of its controller. Raises DrivetrainError
    or AssemblyError for what a user can mend.
    """
    made = drivetrain_of(drivetrain, overrides)
    if made.turbine is not None:
        own, data, torque, speed, system, controls = _of_setup(made, fidelity)
    else:
        own, data, torque, speed, system, controls = _of_train(made, fidelity)
    try:
        poles = check(data, torque, speed)
        law = law_of(data, torque, speed)
    except MachineError as error:
        raise DrivetrainError(f"machine '{own.name}': {error}") from None
    linear = linearise(law, speed, torque)
    step = _step(data, linear, torque, speed)
    return MachineAnalysis(
        own.name,
        model_of(data),
        torque,
        speed,
        _point(data, torque, speed),
        [[p.real, p.imag] for p in poles],
        step,
        _dips(data, torque, speed),
        _modes(system, own, linear, torque, speed, controls),
    )


def _of_setup(
    drivetrain: Any, fidelity: str | None
) -> tuple[Machine, Any, float, float, System, dict[str, TorqueControl]]:
    case = next((c.name for c in drivetrain.cases if c.wind), None)
    setup = prepare_setup(drivetrain, case, fidelity=fidelity or "torsional", law="linear", duration=10.0)
    if setup.machine.type not in ELECTRIC:
        raise DrivetrainError(
            f"machine '{setup.machine.name}' is {setup.machine.type}; equations are those of {', '.join(ELECTRIC)}"
        )
    c = setup.turbine.controller
    damped = {"damper_gain": c.damper_gain, "damper_frequency": c.damper_frequency, "damper_ratio": c.damper_ratio}
    kind: Any = "torque" if c.constant_torque else "filtered power"
    controls = {"control of the file": TorqueControl(kind, c.filter_corner, **damped)}
    if c.damper_gain:
        controls["the same without damper"] = TorqueControl(kind, c.filter_corner)
    return setup.machine, electric_facts(setup.machine), c.rated_torque, c.pitch_speed, setup.system, controls


def _of_train(
    drivetrain: Any, fidelity: str | None
) -> tuple[Machine, Any, float, float, System, dict[str, TorqueControl]]:
    train = expand(drivetrain, fidelity or "torsional")
    machines = [m for m in train.machines.values() if m.type in ELECTRIC]
    if len(machines) != 1:
        have = ", ".join(f"{m.name} ({m.type})" for m in train.machines.values()) or "none"
        raise DrivetrainError(
            f"this looks at one machine of type {', '.join(ELECTRIC)}; the file has {have}. "
            f"--set machines.NAME.type=induction makes one of a slip machine"
        )
    machine = machines[0]
    data = electric_facts(machine)
    speed = abs((train.speed or 0.0) * train.ratios.get(machine.body, 0.0))
    if not speed:
        raise DrivetrainError(f"machine '{machine.name}': operating.speed is needed")
    torque = reference_torque(train, machine)
    if isinstance(data, Induction):
        try:
            speed = (1.0 - data.slip_at(torque)) * data.speed / data.pole_pairs
        except ValueError as error:
            raise DrivetrainError(f"machine '{machine.name}': {error}") from None
    system = assemble(train, fidelity or "torsional", "linear", Inputs((Load(machine.body, constant(0.0)),)))
    return machine, data, torque, speed, system, {}


def _point(data: Dfig | Pmsg | Induction, torque: float, speed: float) -> RatedPoint:
    """Currents, voltages and powers at rest."""
    if isinstance(data, Pmsg):
        i_d, i_q = data.steady(torque, speed)[:2]
        we = data.pole_pairs * speed
        u_d = -data.resistance * i_d + we * data.inductance * i_q
        u_q = -data.resistance * i_q - we * data.inductance * i_d + we * data.flux
        return RatedPoint(
            torque * speed,
            stator_current_rms=math.hypot(i_d, i_q) / math.sqrt(2),
            voltage_peak=math.hypot(u_d, u_q),
            electrical_power=1.5 * (u_d * i_d + u_q * i_q),
        )
    if isinstance(data, Induction):
        full = replace(data, order=3)
        q = full.quantities(full.steady(speed))
        return RatedPoint(
            torque * speed,
            slip=1.0 - data.pole_pairs * speed / data.speed,
            breakdown_torque=data.breakdown(),
            stator_current_rms=float(q["stator_current"]) / math.sqrt(2),
            electrical_power=float(q["stator_power"]),
            reactive_power_taken=-float(q["reactive_power"]),
        )
    z = data.steady(torque, speed)
    rotor = complex(z[0], z[1])
    q, u_r = data.quantities(z), data.rotor_voltage(rotor, speed)
    into = 1.5 * (u_r * data.fluxes(rotor)[2].conjugate()).real
    return RatedPoint(
        torque * speed,
        slip=1.0 - data.pole_pairs * speed / data.speed,
        stator_current_rms=float(q["stator_current"]) / math.sqrt(2),
        rotor_current_rms=float(q["rotor_current"]) / math.sqrt(2),
        rotor_voltage_pu=abs(u_r) / data.voltage,
        stator_power=float(q["stator_power"]),
        rotor_power=-into,
        electrical_power=float(q["stator_power"]) - into,
    )


def _step(data: Dfig | Pmsg | Induction, linear: Linear, torque: float, speed: float) -> StepAnswer | None:
    """Answer of machine and linear form to a reference that falls by a fifth, at constant speed and with the speed swinging
    by 2 % at 2 Hz (S1 Fig. 3-19); None for a machine that takes no reference."""
    if isinstance(data, Induction):
        return None
    at, end, fall = 0.02, 0.62, 0.2 * torque
    time = np.linspace(0.0, end, 621)
    asked = np.where(time < at, torque, torque - fall)
    swinging = speed * (1.0 + 0.02 * np.sin(4.0 * math.pi * time))
    found: dict[str, float] = {}
    for name, shaft in (("linear_difference", np.full_like(time, speed)), ("linear_difference_swinging", swinging)):
        run = run_alone(
            law_of(data, torque, speed),
            speed,
            grid=Grid.steady(),
            duration=end,
            parts=sub_steps(data),
            shaft=(time, shaft),
            references=([0.0, at, at, end], [torque, torque, torque - fall, torque - fall]),
        )
        answer = np.interp(time, run.time, run.torque)
        change = np.zeros((len(time), 4))
        change[:, 0], change[:, 1] = asked - torque, shaft - speed
        tangent = torque + _answer(linear, time, change)
        # at the jump itself the two samples stand on either side of it
        away = np.abs(time - at) > 1.5e-3
        found[name] = float(np.abs(answer - tangent)[away].max() / fall)
        if name == "linear_difference":
            done = (torque - answer) / fall
            reached = np.flatnonzero(
                done >= 1.0 - math.exp(-1.0)
            )  # a slow machine may not get there in the time looked at
            found["time_63"] = float(time[reached[0]]) - at if len(reached) else math.nan
            outside = np.flatnonzero(np.abs(done - 1.0) > 0.02)
            settled = len(outside) and outside[-1] < len(time) - 1
            found["time_2_percent"] = float(time[outside[-1]]) - at if settled else math.nan
            found["overshoot"] = max(float(done.max()) - 1.0, 0.0)
    return StepAnswer(**found)


def _answer(linear: Linear, time: Any, inputs: Any) -> Any:
    """Output of a linear form for inputs (n, 4) on an even axis of times, linear between; a step falls between two samples."""
    from scipy import signal

    # states may be unlike in size by many decades: each by its own unit
    size = np.maximum(np.abs(linear.a).max(axis=1), 1e-12) ** 0.5
    a, b = linear.a * size / size[:, None], linear.b / size[:, None]
    lsim: Any = signal.lsim  # its type stubs want more of a system than it is
    _, y, _ = lsim((a, b, linear.c[None] * size, linear.d[None]), inputs, time, interp=False)
    return y


def _dips(data: Dfig | Pmsg | Induction, torque: float, speed: float) -> dict[str, DipAnswer]:
    """Answer to the grid codes at constant speed."""
    made = {}
    law = law_of(data, torque, speed)
    for code in each("dip", tuple(GRID_CODES)):
        time, voltage = grid_profile(code)
        at = 0.02
        grid = Grid.through([0.0, at, *(at + t for t in time)], [1.0, 1.0, *voltage])
        found = run_alone(law, speed, reference=torque, grid=grid, duration=at + time[-1] + 1.5, parts=sub_steps(data))
        ratio = found.torque / torque
        after = found.time >= at - 1e-9
        peak = None
        if law.states:
            level = grid.at(found.time)[0]
            q = data.quantities(found.states, level)
            current = np.asarray(q.get("rotor_current", q["stator_current"]))
            peak = float(current.max() / current[0])
        made[code] = DipAnswer(
            float(ratio[np.flatnonzero(np.abs(found.time - at) < 1e-9)[-1]]),
            float(ratio[np.flatnonzero(found.time <= at + time[1] + 1e-9)[-1]]),
            float(ratio[after].max()),
            float(ratio[after].min()),
            float(np.trapezoid(1.0 - ratio, found.time)),
            peak,
        )
    return made


def _modes(
    system: System, machine: Machine, linear: Linear, torque: float, speed: float, controls: dict[str, TorqueControl]
) -> list[ControlledMode]:
    """First torsional mode of the train by itself and under torque controls; empty for a train without one."""
    if system.shape.laws:
        return []
    alone = [m for m in torsional_modes(closed_loop(system, machine.body, None, torque, speed)) if m[0] > _LOWEST]
    if not alone:
        return []
    first = alone[0]
    rows = [ControlledMode("train alone", *first[:2])]
    forms = {"constant torque reference": TorqueControl(), **controls}
    if len(linear.a) > 4:  # a machine that follows a reference
        forms["constant power, no filter"] = TorqueControl("power")
    else:
        forms = {"on the grid": TorqueControl()}
    for name, control in forms.items():
        f, z = nearest_mode(closed_loop(system, machine.body, linear, torque, speed, control), first[0])
        rows.append(ControlledMode(name, f, z))
    return rows
