"""Steady power flow of a drivetrain at its operating point: speeds, torques, powers, losses, efficiency, in words."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from gearwright.assembly.losses import MeshLoss, drag_facts, losses_of
from gearwright.assembly.rigid import compliances, followers
from gearwright.errors import DrivetrainError, listed
from gearwright.remarks import assumed, train_remarks
from gearwright.running.inputs import body_named
from gearwright.schema.case_lookup import find_case, with_case
from gearwright.solve.steady.powerflow import Drag, Flow, Loss, PowerFlowError, rank_of, solve_flow, solve_speeds
from gearwright.train.expand import expand
from gearwright.train.kinematics import mesh_row, rows_of
from gearwright.train.train import HOUSING, Train
from gearwright.units import optional

from .base import Analysis, Column, Picture, Table, drivetrain_of, quantities
from .picture import Curve

#: part of the throughput below which a power is round-off
NO_POWER = 1e-12


@dataclass(frozen=True)
class Member:
    """A body: speed [rad/s], torque from outside [N m], power it takes in [W], and its part in the flow."""

    name: str
    speed: float
    torque: float
    power: float
    part: str


@dataclass(frozen=True)
class MeshFlow:
    """A mesh: force along the line of action [N], None where no radius is known; torques [N m] that wheels 1 and 2 put
    into the mesh, loss included, positive about +x; rolling power [W] (as seen from the carrier, positive from wheel 1 to
    wheel 2, half the loss taken off) and loss [W]. ``powers`` [W] go from the mesh to each body it touches; with the loss
    they add up to nothing."""

    name: str
    between: tuple[str, str]
    on: str | None
    force: float | None
    torque: float
    rolling_power: float
    loss: float
    powers: dict[str, float] = field(default_factory=dict)
    torque_second: float = 0.0


@dataclass(frozen=True)
class Joint:
    """An engaged brake, clutch or one-way clutch, or a shaft: torque from its first to its second end [N m].

    ``capacity`` [N m] of a brake or clutch; ``slips`` if the torque is beyond it; ``powers`` [W] to its ends."""

    name: str
    type: str
    torque: float
    capacity: float | None = None
    slips: bool = False
    powers: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, repr=False, eq=False)
class PowerFlow(Analysis):
    """The steady power flow of an operating point.

    ``ratio`` is input over output speed, ``speed_ratio`` output over input speed; ``efficiency`` output over input power,
    None where the drive locks itself or nothing is transmitted; where further bodies give or take power (a split),
    of all that goes out over all that comes in. ``members``, ``meshes``, ``joints``: see the classes. ``coupling_powers`` [W] by carrier:
    power the meshes on it give to it as a whole. ``circulation``: meshes whose rolling power exceeds the
    throughput, with the factor. ``balance``: leftovers of powers, torques and speeds, for checking.
    """

    name: str
    case: str | None
    input: str | None
    output: str | None
    held: tuple[str, ...]
    ratio: float | None
    efficiency: float | None
    self_locking: bool
    formal_efficiency: float | None
    input_power: float
    output_power: float
    loss: float
    freedom: int
    redundant_rows: int
    members: tuple[Member, ...]
    meshes: tuple[MeshFlow, ...]
    joints: tuple[Joint, ...]
    drags: dict[str, float]
    coupling_powers: dict[str, float]
    circulation: dict[str, float]
    balance: dict[str, float | None]
    words: tuple[str, ...] = field(default_factory=tuple)
    #: redundant meshes that were left out (model.redundant: drop); weights [N/m, or equal] of the split among the
    #: meshes where redundant ones share
    dropped: tuple[str, ...] = ()
    weights: dict[str, float] = field(default_factory=dict)
    speed_ratio: float | None = None

    def speed(self, body: str) -> float:
        """Speed of a body [rad/s]."""
        return next(m.speed for m in self.members if m.name == body)

    def torque(self, body: str) -> float:
        """Torque from outside on a body [N m]."""
        return next(m.torque for m in self.members if m.name == body)

    def shown(self) -> Iterator[Table | str]:
        """Bodies, meshes, joints, and what the flow says in words."""
        speed, torque, power = Column("speed", "rad/s", 6), Column("torque", "N m", 6), Column("power", "W", 6)
        yield Table(
            f"Power flow of {self.name}",
            ["body", speed, torque, power, ""],
            [[m.name, m.speed, m.torque, m.power, m.part] for m in self.members],
        )
        turned = [Column(f"torque {n}", "N m", 6) for n in (1, 2)]
        yield Table(
            "Meshes",
            ["mesh", "seen from", *turned, Column("rolling power", "W", 6), Column("loss", "W")],
            [[m.name, m.on or "housing", m.torque, m.torque_second, m.rolling_power, m.loss] for m in self.meshes],
        )
        if self.joints:
            yield Table(
                "Joints",
                ["joint", "type", torque, Column("capacity", "N m")],
                [[j.name, j.type, j.torque, j.capacity] for j in self.joints],
            )
        yield from self.words

    def picture(self) -> Picture:
        """Power that every body takes in."""
        moving = [m for m in self.members if m.power]
        bars = Curve("power", [m.name for m in moving], [m.power for m in moving], "bars")
        return Picture("body", "power taken in [W]", [bars])


@dataclass(frozen=True, repr=False, eq=False)
class PowerFlows(Analysis):
    """The power flows of all cases that set something (gears), one after the other."""

    flows: tuple[PowerFlow, ...]

    @property
    def title(self) -> str:
        """The drivetrain."""
        return self.flows[0].name

    def shown(self) -> Iterator[Table | str]:
        """One line a case."""
        rows = [
            [
                str(f.case),
                str(f.input),
                str(f.output),
                f.ratio,
                "locks itself" if f.self_locking else f"{100 * f.efficiency:.3f} %" if f.efficiency is not None else "",
            ]
            for f in self.flows
        ]
        yield Table("Power flow", ["case", "from", "to", Column("ratio in/out", "", 6), "efficiency"], rows)

    def picture(self) -> Picture:
        """Efficiency by case."""
        known = [f for f in self.flows if f.efficiency is not None]
        bars = Curve("efficiency", [str(f.case) for f in known], [100 * (f.efficiency or 0.0) for f in known], "bars")
        return Picture("case", "efficiency [%]", [bars])


@dataclass(frozen=True, repr=False, eq=False)
class EfficiencyMap(Analysis):
    """Efficiency over input speed and torque: ``efficiency[i][j]`` at ``speeds_rad_s[i]``, ``torques_nm[j]``, None where the drive
    locks itself or drag takes more than comes in."""

    name: str
    case: str | None
    input: str | None
    output: str | None
    speeds_rad_s: tuple[float, ...]
    torques_nm: tuple[float, ...]
    efficiency: tuple[tuple[float | None, ...], ...]

    def shown(self) -> Iterator[Table | str]:
        """A row a speed."""
        rows = [
            [f"{w:g}", *("-" if e is None else f"{100 * e:.3f} %" for e in line)]
            for w, line in zip(self.speeds_rad_s, self.efficiency, strict=True)
        ]
        yield Table("Efficiency", ["input speed rad/s", *(f"{t:g} N m" for t in self.torques_nm)], rows)

    def picture(self) -> Picture:
        """A map, or a curve where speed or torque alone varies."""
        values = 100.0 * np.array(self.efficiency, float)
        speed, torque = "input speed [rad/s]", "input torque [N m]"
        if min(values.shape) > 1:
            return Picture(speed, torque, [Curve("", self.speeds_rad_s, self.torques_nm)], values.T, "efficiency [%]")
        over, what = (self.speeds_rad_s, speed) if len(self.speeds_rad_s) > 1 else (self.torques_nm, torque)
        return Picture(what, "efficiency [%]", [Curve("efficiency", over, values.ravel().tolist())])


@dataclass(frozen=True)
class _Model:
    """Numbers of a train for the solver."""

    train: Train
    names: list[str]
    elements: list[str]
    rows: Any
    compliance: Any
    losses: dict[str, MeshLoss]
    drags: list[Drag]
    tables: list[tuple[Any, tuple[tuple[float, float], ...], str]]
    redundant: list[str]
    dropped: list[str]

    def number(self, body: str) -> int:
        return self.names.index(body)


def _model(train: Train, locked: Sequence[str]) -> _Model:
    names = list(train.bodies)
    rows = {n: r for n, r in rows_of(train.meshes, train.shafts, train.couplings).items() if r}
    for name, mesh in train.meshes.items():
        rows[name] = {body: mesh.sigma * c for body, c in mesh_row(mesh).items()}
    fixed = {b.name for b in train.bodies.values() if b.fixed}
    redundant = followers({name: {b: c for b, c in rows[name].items() if b not in fixed} for name in train.meshes})
    dropped = redundant if train.model.redundant == "drop" else []
    rows = {name: row for name, row in rows.items() if name not in dropped}
    for name in locked:
        first, second = train.couplings[name].between
        rows[name] = {b: s for b, s in ((first, 1.0), (second, -1.0)) if b != HOUSING}
    losses = losses_of({name: mesh for name, mesh in train.meshes.items() if name not in dropped})
    if train.model.loss == "none":
        losses = {}
    weights = compliances(train)
    # other rows never share with meshes: any weight of their size, and of any size where there are no meshes
    soft = sum(weights.values()) / len(weights) if weights else 1.0
    compliance = [weights.get(name, soft) for name in rows]
    drags, tables = [], []
    if train.model.loss != "none":
        for c in train.couplings.values():
            if c.type == "drag":
                viscous = c.parameters.get("viscous")
                row = _vector(names, {b: s for b, s in zip(c.between, (1.0, -1.0), strict=True) if b != HOUSING})
                drags.append(
                    Drag(
                        row,
                        float(c.parameters.get("torque") or 0.0),
                        float(getattr(viscous, "value", viscous) or 0.0),
                        c.name,
                    )
                )
        for b in train.bearings.values():
            if b.friction:
                constant, viscous, table = drag_facts(b.friction, b.name)
                row = _vector(names, {n: s for n, s in zip(b.between, (1.0, -1.0), strict=True) if n != HOUSING})
                drags.append(Drag(row, constant, viscous, b.name))
                if table:
                    tables.append((row, table, b.name))
    matrix = np.array([_vector(names, row) for row in rows.values()]).reshape(len(rows), len(names))
    return _Model(train, names, list(rows), matrix, np.array(compliance), losses, drags, tables, redundant, dropped)


def _vector(names: list[str], row: dict[str, float]) -> Any:
    out = np.zeros(len(names))
    for body, value in row.items():
        out[names.index(body)] += value
    return out


@dataclass(frozen=True)
class _Point:
    """An operating point by member numbers."""

    input: str | None
    output: str | None
    held: tuple[str, ...]
    speeds: dict[int, float]
    torques: dict[int, float]
    unknown: tuple[int, ...]


def _central(train: Train) -> list[str]:
    """Bodies that can be in- or output: not on a carrier, in order."""
    return [b.name for b in train.bodies.values() if b.on is None and not b.fixed]


def _output(model: _Model, operating: Any, input: str | None, held: Sequence[str]) -> str | None:
    train = model.train
    if operating.output:
        return train.output
    left = [n for n in _central(train) if n != input and n not in held]
    left = [n for n in left if train.bodies[n].role != "planet"]
    if len(left) <= 1:
        return left[0] if left else None
    machines = [m.body for m in train.machines.values() if m.body in left]
    if len(machines) == 1:
        return machines[0]
    roles = [
        n for n in left if train.bodies[n].role in ("sun", "ring", "carrier", "wheel", "pinion", "rotor", "machine")
    ]
    if len(roles) == 1:
        return roles[0]
    if train.output in left and not any(train.couplings):
        return train.output
    raise PowerFlowError(f"operating.output must say which body is the output: {listed(left, 12)} could be")


def _point(model: _Model, operating: Any, speed: float | None, torque: float | None) -> _Point:
    train = model.train
    held = _held(train, operating)
    several = bool(operating.speeds or operating.torques or operating.reactions)
    input = train.input if (operating.input or not several) else None
    if input in held:
        raise PowerFlowError(f"the input '{input}' is held (operating.fixed)")
    output = _output(model, operating, input, held) if operating.output or not several else None
    speed = operating.speed if speed is None else speed
    torque = operating.torque if torque is None else torque
    speeds = {model.number(h): 0.0 for h in held}
    if input is not None and (not several or speed is not None):
        speeds[model.number(input)] = 1.0 if speed is None else speed
    speeds |= _given_speeds(model, operating, held)
    torques: dict[int, float] = {}
    if input is not None and (torque is not None or not several):
        sign = -1.0 if speeds.get(model.number(input), 1.0) < 0.0 else 1.0
        torques[model.number(input)] = sign if torque is None else torque
    torques |= _given_torques(model, operating, held)
    reactions = [body_named(train, n, "operating.reactions") for n in operating.reactions]
    ends = [body for body in (output, input) if body is not None]
    unknown = [model.number(b) for b in dict.fromkeys([*held, *reactions, *ends])]
    return _Point(input, output, held, speeds, torques, tuple(i for i in unknown if i not in torques))


def _held(train: Train, operating: Any) -> tuple[str, ...]:
    """Bodies that stand: fixed ones, those of ``operating.fixed``, and those that engaged brakes hold."""
    fixed = [b.name for b in train.bodies.values() if b.fixed]
    named = [body_named(train, n, "operating.fixed") for n in operating.fixed]
    return tuple(dict.fromkeys([*fixed, *named, *train.held]))


def _given_speeds(model: _Model, operating: Any, held: tuple[str, ...]) -> dict[int, float]:
    """Speeds of ``operating.speeds`` by member number [rad/s]."""
    given = {body_named(model.train, n, "operating.speeds"): v for n, v in operating.speeds.items()}
    for body, value in given.items():
        if body in held and value != 0.0:
            raise PowerFlowError(f"'{body}' is held and given a speed of {value:g} rad/s: leave one out")
    return {model.number(body): value for body, value in given.items()}


def _given_torques(model: _Model, operating: Any, held: tuple[str, ...]) -> dict[int, float]:
    """Torques of ``operating.torques`` by member number [N m]."""
    given = {body_named(model.train, n, "operating.torques"): v for n, v in operating.torques.items()}
    for body in given:
        if body in held:
            raise PowerFlowError(f"'{body}' is held, so its torque is a result; leave operating.torques.{body} away")
    return {model.number(body): value for body, value in given.items()}


def _solve(model: _Model, point: _Point) -> Flow:
    w = solve_speeds(model.rows, model.names, point.speeds)
    losses = []
    for name, loss in model.losses.items():
        mesh = model.train.meshes[name]
        rate = mesh.sigma * _vector(model.names, loss.rate)
        carrier = w[model.number(mesh.on)] if mesh.on else 0.0
        mu1, mu2 = loss.at(w[model.number(mesh.between[0])] - carrier)
        losses.append(Loss(model.elements.index(name), rate, mu1, mu2, name))
    drags = list(model.drags)
    for row, table, name in model.tables:
        speed = abs(float(row @ w))
        extra = float(np.interp(speed, *np.array(table).T))
        drags.append(Drag(row, extra, 0.0, name))
    return solve_flow(
        model.rows, model.names, model.compliance, losses, drags, point.speeds, point.torques, point.unknown
    )


def _with_one_ways(
    train: Train, operating: Any, speed: float | None, torque: float | None
) -> tuple[_Model, _Point, Flow]:
    """The flow with those one-way clutches locked that must be: all that lock push the right way, all others overrun."""
    one_ways = [c for c in train.couplings.values() if c.type == "one_way"]
    problem: Exception | None = None
    for count in range(len(one_ways), -1, -1):
        for chosen in itertools.combinations(one_ways, count):
            model = _model(train, [c.name for c in chosen])
            try:
                point = _point(model, operating, speed, torque)
                flow = _solve(model, point)
            except PowerFlowError as error:
                problem = problem or error
                continue
            size = max(np.abs(flow.forces).max(initial=0.0), 1e-300)
            # the first body may overrun in the positive sense: a lock carries only what would turn it backwards
            fits = all(flow.forces[model.elements.index(c.name)] <= 1e-9 * size for c in chosen)
            top = max(np.abs(flow.speeds).max(initial=0.0), 1e-300)
            for c in one_ways:
                first, second = (0.0 if b == HOUSING else flow.speeds[model.number(b)] for b in c.between)
                fits = fits and (c in chosen or first - second >= -1e-9 * top)
            if fits:
                return model, point, flow
    if problem is not None:
        raise problem
    raise PowerFlowError("the one-way clutches of this train find no state that fits: check their direction")


def power_flow(
    drivetrain: Any,
    case: str | None = None,
    *,
    overrides: Sequence[str] = (),
    speed: float | str | None = None,
    torque: float | str | None = None,
) -> PowerFlow:
    """Steady power flow at the operating point of a drivetrain.

    Parameters
    ----------
    drivetrain : a Drivetrain, a file, or the name of a shipped example
    case : a case whose ``set`` is applied (a gear: engaged clutches and brakes); None: the file as it is
    overrides : ``path=value`` edits
    speed, torque : of the input [rad/s, N m], or text with a unit; default: those of the file, else 1 rad/s and 1 N m forward

    Raises DrivetrainError, AssemblyError or PowerFlowError, each with what to change.
    """
    drivetrain = drivetrain_of(drivetrain, overrides, case)
    speed, torque = optional(speed, "rotational speed", "speed"), optional(torque, "torque", "torque")
    applied = with_case(drivetrain, case) if case is not None else drivetrain
    train = expand(applied, "rigid")
    model, point, flow = _with_one_ways(train, applied.operating, speed, torque)
    said = [*train_remarks(train.notes), *_taken(model, applied.operating, speed, torque)]
    return replace(_report(model, point, flow, case), remarks=said)


def _taken(model: _Model, operating: Any, speed: float | None, torque: float | None) -> list[str]:
    """Speed and torque that neither the file nor the call gives, and losses that nobody gave."""
    said: list[str] = []
    if not (operating.speeds or operating.torques or operating.reactions):
        if speed is None and operating.speed is None:
            said.append(assumed("the input turns at 1 rad/s"))
        if torque is None and operating.torque is None:
            said.append(assumed("the input torque is 1 N m forward"))
    lossless = [name for name in model.train.meshes if name not in model.losses and name not in model.dropped]
    if lossless and model.train.model.loss != "none":
        said.append(assumed(f"no loss is given for {listed(lossless, 4)}: none is taken"))
    return said


def _report(model: _Model, point: _Point, flow: Flow, case: str | None) -> PowerFlow:
    train, names = model.train, model.names
    power = flow.torques * flow.speeds
    taken = float(power[power > 0.0].sum())
    given = -float(power[power < 0.0].sum())
    throughput = max(taken, given)
    figures = _figures(model, point, flow, power, taken, given)
    meshes = _mesh_flows(model, flow)
    circulation = {
        m.name: abs(m.rolling_power) / throughput
        for m in meshes
        if throughput > 0.0 and abs(m.rolling_power) > throughput * (1 + 1e-9)
    }
    members = [
        Member(n, float(w), float(t), float(p) + 0.0, _part(model, point, flow, i, float(p), throughput))
        for i, (n, w, t, p) in enumerate(zip(names, flow.speeds, flow.torques, power, strict=True))
    ]
    weights = {}
    if model.redundant and not model.dropped:
        weights = {name: 1.0 / c for name, c in compliances(train).items()}
    result = PowerFlow(
        name=train.name,
        case=case,
        input=point.input,
        output=point.output,
        held=point.held,
        ratio=figures.ratio,
        efficiency=figures.efficiency,
        self_locking=figures.self_locking,
        formal_efficiency=figures.formal,
        input_power=taken,
        output_power=given,
        loss=float(flow.losses.sum() + flow.drags.sum()),
        freedom=len(names) - rank_of(model.rows),
        redundant_rows=flow.redundant,
        members=tuple(members),
        meshes=meshes,
        joints=_joints(model, flow),
        drags=_drag_heat(model, flow),
        coupling_powers=_coupling_powers(model, flow),
        circulation=circulation,
        balance=_balance(model, flow, power),
        dropped=tuple(model.dropped),
        weights=weights,
        speed_ratio=figures.speed_ratio,
    )
    return replace(result, words=tuple(_words(result)))


class _Figures(NamedTuple):
    """Ratios and efficiencies of a flow, None where it has none."""

    ratio: float | None = None
    speed_ratio: float | None = None
    efficiency: float | None = None
    formal: float | None = None
    self_locking: bool = False


def _figures(model: _Model, point: _Point, flow: Flow, power: Any, taken: float, given: float) -> _Figures:
    """Ratios between the ends, and the efficiency between them or, where power is split, of all that comes in."""
    whole = given / taken if taken > 0.0 else None
    if point.input is None or point.output is None:
        return _Figures(efficiency=whole, formal=whole)
    i, o = model.number(point.input), model.number(point.output)
    first, last = float(flow.speeds[i]), float(flow.speeds[o])
    ratios = (first / last if last != 0.0 else None, last / first if first != 0.0 else None)
    least = NO_POWER * max(taken, given)
    if any(abs(p) > least for k, p in enumerate(power) if k not in (i, o)):
        return _Figures(*ratios, whole, whole)
    forward = power[i] >= 0.0
    source, sink = (power[i], power[o]) if forward else (power[o], power[i])
    if source > 0.0:
        formal, locking = float(-sink / source), bool(sink > least)
        return _Figures(*ratios, None if locking else formal, formal, locking)
    return _Figures(*ratios, self_locking=bool(forward and power[o] > 0.0))


def _given_by(model: _Model, flow: Flow, row: int) -> dict[str, float]:
    """Power that a row gives to every body it touches [W]."""
    return {
        model.names[i]: -float(flow.felt[row, i] * flow.forces[row] * flow.speeds[i])
        for i in np.flatnonzero(flow.felt[row])
    }


def _mesh_flows(model: _Model, flow: Flow) -> tuple[MeshFlow, ...]:
    """Force, torques and powers of every mesh; nothing for one that was left out."""
    lost = {name: float(loss) for name, loss in zip(model.losses, flow.losses, strict=True)}
    found = []
    for name, mesh in model.train.meshes.items():
        if name in model.dropped:
            found.append(MeshFlow(name, mesh.between, mesh.on, None if mesh.by_teeth else 0.0, 0.0, 0.0, 0.0))
            continue
        k = model.elements.index(name)
        first = model.number(mesh.between[0])
        carrier = flow.speeds[model.number(mesh.on)] if mesh.on else 0.0
        rolling = float(model.rows[k, first] * flow.forces[k] * (flow.speeds[first] - carrier))
        one, two = (float(flow.felt[k, model.number(body)] * flow.forces[k]) for body in mesh.between)
        force = None if mesh.by_teeth else float(flow.forces[k])
        powers = _given_by(model, flow, k)
        found.append(MeshFlow(name, mesh.between, mesh.on, force, one, rolling, lost.get(name, 0.0), powers, two))
    return tuple(found)


def _coupling_powers(model: _Model, flow: Flow) -> dict[str, float]:
    """Power that the meshes on a carrier give to it as a whole [W]."""
    found: dict[str, float] = {}
    for name, mesh in model.train.meshes.items():
        if mesh.on and name not in model.dropped:
            k, c = model.elements.index(name), model.number(mesh.on)
            found[mesh.on] = found.get(mesh.on, 0.0) - float(model.rows[k, c] * flow.forces[k] * flow.speeds[c])
    return found


def _joints(model: _Model, flow: Flow) -> tuple[Joint, ...]:
    """Torques of shafts, engaged brakes and clutches, and which of them would slip."""
    found = []
    for k, name in enumerate(model.elements):
        if name in model.train.meshes:
            continue
        joint = model.train.couplings.get(name)
        torque = float(flow.forces[k])
        capacity = joint.parameters.get("capacity") if joint and joint.type in ("brake", "clutch") else None
        slips = capacity is not None and abs(torque) > capacity * (1 + 1e-9)
        found.append(Joint(name, joint.type if joint else "shaft", torque, capacity, slips, _given_by(model, flow, k)))
    return tuple(found)


def _drag_heat(model: _Model, flow: Flow) -> dict[str, float]:
    """Heat of drags by element [W]."""
    names = [d.name for d in model.drags] + [name for _, _, name in model.tables]
    found: dict[str, float] = {}
    for name, heat in zip(names, flow.drags, strict=True):
        found[name] = found.get(name, 0.0) + float(heat)
    return found


def _balance(model: _Model, flow: Flow, power: Any) -> dict[str, float | None]:
    """Leftovers of powers and speeds, relative, and the sum of torques [N m] where nothing leans on the housing."""
    train = model.train
    framed = any(m.on is None for m in train.meshes.values())
    framed = framed or any(HOUSING in c.between for c in train.couplings.values())
    framed = framed or any(HOUSING in b.between for b in train.bearings.values())
    size = float(np.abs(power).sum()) + float(flow.losses.sum())
    residual = float(power.sum() - flow.losses.sum() - flow.drags.sum())
    speeds = np.abs(model.rows) @ np.abs(flow.speeds)
    drift = np.abs(model.rows @ flow.speeds) / np.where(speeds > 0, speeds, 1.0)
    return {
        "power": abs(residual) / size if size > 0.0 else 0.0,
        "torque_sum": None if framed else float(flow.torques.sum()),
        "speeds": float(drift.max(initial=0.0)),
    }


def _part(model: _Model, point: _Point, flow: Flow, i: int, power: float, scale: float) -> str:
    name = model.names[i]
    if name in point.held:
        return "held"
    if abs(power) > NO_POWER * scale:
        return "gives power to the train" if power > 0.0 else "takes power from the train"
    if flow.speeds[i] == 0.0:
        return "stands and holds its torque" if abs(flow.torques[i]) > 1e-9 * np.abs(flow.torques).max() else "stands"
    return "turns with it"


def _split_words(r: PowerFlow) -> list[str]:
    """Which power goes where, if more than two bodies give or take some; or if it all goes past the output."""
    least = NO_POWER * max(r.input_power, r.output_power)
    giving = [m for m in r.members if m.power > least]
    taking = [m for m in r.members if m.power < -least]
    ends = {r.input, r.output}
    if all(m.name in ends for m in (*giving, *taking)) or not giving:
        return []
    given = ", ".join(f"{m.name} {m.power:.5g} W" for m in giving)
    taken = (
        ", ".join(f"{m.name} {-m.power:.5g} W ({-100.0 * m.power / r.input_power:.4g} %)" for m in taking) or "nobody"
    )
    out = [f"power comes from {given}; it goes to {taken}"]
    if r.output is not None and all(m.name != r.output for m in (*giving, *taking)):
        speed, torque = r.speed(r.output), r.torque(r.output)
        why = f"it stands still and holds {torque:.5g} N m" if speed == 0.0 else "it has no torque"
        out.append(f"none of it goes through the output {r.output}: {why}")
    return out


def _words(r: PowerFlow) -> list[str]:
    out = []
    if r.ratio is not None and r.speed_ratio is not None:
        out.append(
            f"ratio {r.ratio:.6g} from {r.input} to {r.output} (input over output speed; speed ratio output/input "
            f"{r.speed_ratio:.6g})"
        )
    elif r.speed_ratio is not None:
        out.append(f"{r.output} stands still: speed ratio output/input 0")
    if r.self_locking:
        out.append(
            f"self-locking: with {r.input} driving, the losses take more than it brings, so {r.output} would have to be "
            f"driven as well; at rest the train stays where it is"
        )
    out += _split_words(r)
    if r.efficiency is not None:
        out.append(f"efficiency {100 * r.efficiency:.4g} %: {r.loss:.4g} W of {r.input_power:.4g} W are lost")
    if r.circulation:
        name, factor = max(r.circulation.items(), key=lambda item: item[1])
        out.append(
            f"the rolling power of mesh {name} is {factor:.4g} times the throughput: inner power that loads the teeth and is "
            f"lost in proportion" + (f" ({len(r.circulation)} meshes above 1)" if len(r.circulation) > 1 else "")
        )
    held = [m for m in r.members if m.part == "held" and m.torque]
    out += [f"{m.name} is held with {m.torque:.6g} N m" for m in held]
    for j in r.joints:
        if j.slips and j.capacity is not None:
            out.append(
                f"{j.type} {j.name} would slip: it has to hold {abs(j.torque):.4g} N m, its capacity is {j.capacity:g} N m"
            )
    if r.redundant_rows:
        out.append(
            f"{r.redundant_rows} rows are redundant (several planets): their forces share by stiffness, and with losses "
            f"the torques depend on that share"
        )
    if r.dropped:
        out.append(
            f"redundant meshes left out (model.redundant: drop): {', '.join(r.dropped)}; the others carry their load"
        )
    return out


def efficiency_map(
    drivetrain: Any, speeds: Any = None, torques: Any = None, case: str | None = None, *, overrides: Sequence[str] = ()
) -> EfficiencyMap:
    """Efficiency over input speeds and torques.

    Parameters
    ----------
    speeds, torques : numbers in rad/s and N m, texts with a unit, or one text: ``"10 rpm, 20 rpm"``, ``"10 rpm to 90 rpm in 9"``;
        None: that of the operating point
    case : whose settings hold, such as the gear it engages
    """
    made = drivetrain_of(drivetrain, overrides)
    operating = (with_case(made, case) if case else made).operating
    w = [operating.speed or 1.0] if speeds is None else quantities(speeds, "rotational speed", "--speeds")
    t = [operating.torque or 1.0] if torques is None else quantities(torques, "torque", "--torques")
    flows = [[power_flow(made, case, speed=x, torque=y) for y in t] for x in w]
    first = flows[0][0]
    values = tuple(tuple(f.efficiency for f in line) for line in flows)
    return EfficiencyMap(first.name, case, first.input, first.output, tuple(w), tuple(t), values, remarks=first.remarks)


def power_flows(drivetrain: Any, *, overrides: Sequence[str] = ()) -> PowerFlows:
    """Power flow of every case that sets something (gears). Raises DrivetrainError where none does."""
    made = drivetrain_of(drivetrain, overrides)
    cases = [c.name for c in made.cases if find_case(made, c.name).set]
    if not cases:
        raise DrivetrainError(f"'{made.name}' has no case that sets anything, so there is nothing to compare")
    return PowerFlows(tuple(power_flow(made, name) for name in cases))
