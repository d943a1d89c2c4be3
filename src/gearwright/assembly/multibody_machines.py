"""Machines, speed controllers, brakes and friction of bearings of a train as joints and loads of a mechanism."""

from __future__ import annotations

from collections.abc import Callable

from gearwright.laws.machine import torque_table
from gearwright.laws.rubbing import rubbing
from gearwright.laws.speed_control import speed_control
from gearwright.machines import Induction
from gearwright.machines.engine import EngineMap, engine
from gearwright.machines.facts import ELECTRIC, sub_steps
from gearwright.multibody import Joint, Load, MultibodyError
from gearwright.schema.losses import BearingFriction
from gearwright.schema.machines import ConstantParameters, EngineParameters, SlipParameters, TableParameters
from gearwright.system import Law, Signal, constant
from gearwright.train.train import HOUSING, Coupling, Machine

from .losses import drag_facts
from .machines import _slip_line, electric_facts, electric_law, reference_torque, say_assumed
from .motion import AssemblyError
from .work import Assembly

X = (1.0, 0.0, 0.0)
Table = tuple[list[float], list[float]]
#: the transition of friction about standstill is this many times wider than what a step moves it by
EASE = 4.0


class Machines:
    """Machines of a train and what drives its bodies beside them.

    ``table`` makes a table over time of a signal. Collects ``loads``, ``signals`` that laws read by number, and ``longest`` steps
    [s] that laws with states of their own can follow.
    """

    def __init__(self, work: Assembly, table: Callable[[Signal], Table]):
        self.work, self.table = work, table
        self.loads: list[Load] = []
        self.signals: list[Table] = []
        self.longest: list[tuple[float, str]] = []
        self._grid: tuple[int, int, int] | None = None

    def _signal(self, signal: Signal) -> int:
        self.signals.append(self.table(signal))
        return len(self.signals) - 1

    def _on(self, name: str, body: str, law: Law) -> Joint:
        return Joint("torsion_spring", name, body, HOUSING, axis=X, law=law)

    def controls(self) -> list[Joint]:
        """Speed controllers of loads, integral and filter in states."""
        made = []
        for i, load in enumerate(self.work.inputs.loads):
            c = load.control
            if c is None:
                continue
            reference = self._signal(c.speed)
            law = speed_control(c.proportional, c.integral, c.derivative, c.filter_time, c.limit, reference)
            name = f"{load.body}_control{i + 1}"
            self.longest.append((c.filter_time, name))
            made.append(self._on(name, load.body, law))
        return made

    def machines(self) -> list[Joint]:
        """Machines that no load or speed of the case stands for: constant torque and slip as loads, curves, engines and electrical
        machines as laws."""
        work, made = self.work, []
        taken = {x.body for x in work.inputs.loads} | {x.body for x in work.inputs.drives}
        for machine in work.train.machines.values():
            if machine.body in taken:
                continue
            if machine.name in work.inputs.engaged:
                raise AssemblyError(
                    f"machine '{machine.name}' is tripped by an event, which fidelity multibody does not compute; choose torsional, "
                    f"planar or spatial"
                )
            p, speed = machine.parameters, (work.train.speed or 0.0) * work.train.ratios.get(machine.body, 0.0)
            if isinstance(p, ConstantParameters) and p.torque is not None:
                self.loads.append(Load(machine.body, [0.0], [p.torque], moment=X))
            elif isinstance(p, SlipParameters):
                slope, synchronous = _slip_line(p, speed)
                self.loads.append(Load(machine.body, [0.0], [0.0], moment=X, slope=-slope, reference=synchronous))
            elif isinstance(p, TableParameters) and p.table:
                law = torque_table([x[0] for x in p.table], [x[1] for x in p.table], speed)
                made.append(self._on(machine.name, machine.body, law))
            elif isinstance(p, EngineParameters):
                made.append(self._on(machine.name, machine.body, self._engine(machine, p, speed)))
            elif machine.type in ELECTRIC:
                made.append(self._on(machine.name, machine.body, self._electric(machine, speed)))
        return made

    def _engine(self, machine: Machine, p: EngineParameters, speed: float) -> Law:
        if machine.name not in self.work.inputs.pedals:
            say_assumed(self.work, machine)
        position = 1.0 if machine.pedal is None else machine.pedal
        pedal = self._signal(self.work.inputs.pedals.get(machine.name, constant(position)))
        try:
            return engine(EngineMap.of(p), pedal, speed, position)
        except ValueError as error:
            raise AssemblyError(f"machine '{machine.name}' (engine_map): {error}") from None

    def _electric(self, machine: Machine, speed: float) -> Law:
        """The equations of an electrical machine, at rest at its operating point. Raises AssemblyError where it has none."""
        say_assumed(self.work, machine)
        data = electric_facts(machine)
        if not speed:
            raise AssemblyError(
                f"machine '{machine.name}': a {machine.type} needs operating.speed, from which it starts"
            )
        if self._grid is None:
            v, f, n = self.work.inputs.grid or (constant(1.0), constant(1.0), constant(0.0))
            self._grid = self._signal(v), self._signal(f), self._signal(n)
        torque, reference = 0.0, 0
        if not isinstance(data, Induction):
            wanted = self.work.inputs.references.get(machine.name, constant(reference_torque(self.work.train, machine)))
            torque, reference = float(wanted(0.0)), self._signal(wanted)
        law, said = electric_law(machine, data, torque, speed, reference, self._grid)
        self.work.note(said)
        self.longest.append((1e-3 / sub_steps(data), machine.name))
        return law

    def rubbing(self, coupling: Coupling, step: float) -> list[Joint]:
        """A brake, clutch or drag, for steps [s] of a length."""
        p, (one, two) = coupling.parameters, coupling.between
        ends = (one, two) if one != HOUSING else (two, one)
        viscous = 0.0
        if coupling.type == "drag":
            table: Table = ([0.0], [float(p.get("torque") or 0.0)])
            given = p.get("viscous")
            viscous = float(getattr(given, "value", given) or 0.0)
        else:
            capacity = self.work.inputs.capacities.get(coupling.name)
            full = float(p["capacity"]) if p.get("engaged", True) else 0.0
            table = self.table(capacity) if capacity is not None else ([0.0], [full])
        return [self._rub(coupling.name, ends, table, viscous, step)]

    def bearing_friction(self, name: str, ends: tuple[str, str], facts: BearingFriction, step: float) -> list[Joint]:
        """Friction torque of a bearing: constant, viscous, and what varies with the speed."""
        steady, viscous, table = drag_facts(facts, name)
        made = [self._rub(f"{name}_friction", ends, ([0.0], [steady]), viscous, step)] if steady or viscous else []
        if table:
            speeds = [-s for s, _ in reversed(table)] + [s for s, _ in table[1:]]
            torques = [x for _, x in reversed(table)] + [-x for _, x in table[1:]]
            law = torque_table(speeds, torques, 0.0)
            made.append(Joint("torsion_spring", f"{name}_over_speed", *ends, axis=X, law=law))
        return made

    def _rub(self, name: str, ends: tuple[str, str], table: Table, viscous: float, step: float) -> Joint:
        mass = self.work.mass
        mobility = sum(1.0 / mass[f"{b}.rotation"] for b in ends if f"{b}.rotation" in mass)
        if not mobility:
            raise MultibodyError(f"element '{name}' joins '{ends[0]}' and '{ends[1]}', and neither of them turns")
        creep = max(EASE * max(table[1]) * mobility * step, 1e-9)
        try:
            law = rubbing(*table, creep, viscous)
        except ValueError as error:
            raise AssemblyError(f"element '{name}': {error}") from None
        return Joint("torsion_spring", name, *ends, axis=X, law=law)
