"""The exponential engine: exact for the constant part, a small implicit system for the forces of laws.

Over a step the deviation of every law force from its linear reference,

    f(t) = law(d, dv, z, ..) - k_ref d - c_ref dv  ~  w_0 P_0 + w_1 P_1 + w_2 P_2

is the least-squares projection on Legendre polynomials, with the deflections as quadratics through the start, the
middle and the end of the step, which the exact propagator gives as linear functions of the w. The fixed point in
the 3 m numbers w is iterated; switches, corners and gaps are found inside the step and the integrals are cut
there, so the method keeps its fourth order through them and never stops at one. Neither strong damping nor high
frequencies of the constant part limit the step. Inputs are projected the same way, which is exact for the
pieces of a signal up to the order of the method. Source: numerics page 2, section 2.

The third coefficient w_3, which is left out, measures the error: a step whose indicator exceeds the tolerance is
repeated with half the length, a quiet one is followed by one of twice the length.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil, floor, inf, log2, pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.system import Block, Channel, Diverged, Source, State, System

from .exponential_modes import Blocks, Defective, Reference, blocks, reference

Float = NDArray[np.float64]

#: Halvings of the first step before a run is given up.
_DEEPER = 8
#: Longest step in units of the sample interval, as a power of two.
_LONGEST = 5


@dataclass
class Plan:
    """What :meth:`ExponentialEngine.prepare` found; ``statistics`` grow with every :meth:`advance`."""

    system: System
    channels: tuple[Channel, ...]
    interval: float
    form: Blocks
    model: Any
    tables: Any
    output: Any
    book: Any
    control: Float
    #: longest step [s]
    step: float
    #: steps, passes of the fixed point, rejected steps, largest error indicator
    statistics: dict[str, float] = field(default_factory=lambda: {"steps": 0, "passes": 0, "rejected": 0, "indicator": 0.0})


class ExponentialEngine:
    """Fourth-order exponential integrator in the space of the rows of laws.

    Parameters
    ----------
    step : fixed step [s]; rounded to the sample interval times or over a power of two, and halved only where the
        fixed point fails. None lets the tolerance rule.
    """

    name = "exponential"

    def __init__(self, step: float | None = None):
        if step is not None and not step > 0.0:
            raise ValueError(f"a step must be positive, got {step:g} s")
        self.step = step

    def refuses(self, system: System) -> str | None:
        """A sentence if this engine cannot serve the system, and which one can."""
        s = system.shape
        if s.hard:
            return f"the exponential engine takes no rigid rows ('{system.rows[int(system.arrays.hard[0])]}'); choose explicit"
        if s.friction:
            return f"the exponential engine takes no friction rows ('{system.rows[int(system.arrays.fric[0])]}'); choose explicit"
        if len(system.arrays.gaddr):
            return f"the exponential engine takes no moving rows ('{system.rows[int(system.arrays.grow[0])]}'); choose explicit"
        for name, law in zip(system.blocks, system.laws, strict=True):
            if law.states:
                return f"the law of '{name}' has states of its own, which the exponential engine does not step; choose explicit"
        return None

    def prepare(self, system: System, channels: tuple[Channel, ...], interval: float, tolerance: float) -> Plan:
        """Modes, tables and channel maps.

        ``interval`` is the sample interval [s], ``tolerance`` the error wanted, relative to the largest deflection.
        Raises ValueError if the engine refuses the system or no reference model has a full set of modes.
        """
        from .exponential_kernels import Tables
        from .exponential_tables import fill_dense, fill_tables

        refusal = self.refuses(system)
        if refusal:
            raise ValueError(refusal)
        if not (interval > 0.0 and tolerance > 0.0):
            raise ValueError(f"sample interval and tolerance must be positive, got {interval:g} s and {tolerance:g}")
        form, chosen = _form(system)
        wanted = self.step if self.step is not None else longest_step(system, form)
        finer = min(floor(log2(wanted / interval) + 1e-9), _LONGEST) if wanted < inf else _LONGEST
        deeper = _DEEPER
        deepest = max(0, deeper - finer)
        coarsest = deepest + finer
        step = interval * 2.0**finer
        steps = step / 2.0 ** np.arange(coarsest + 1)
        model = _model(system, form, chosen)
        nb, forces, rows = len(form.a), len(model.own), model.c.shape[1]
        slots = len(steps) + 1
        tables = Tables(
            steps=np.append(steps, 0.0),
            half=np.zeros((slots, nb, 8)),
            full=np.zeros((slots, nb, 8)),
            response=np.zeros((slots, 3 * forces, 2 * rows)),
            third=np.zeros((slots, forces)),
            weight=np.zeros((slots, forces)),
            dense=np.zeros((max(2 ** (finer + 1) - finer - 2, 0) if finer > 0 else 0, nb, 8)),
        )
        n = len(steps)
        fill_tables(model.a, model.b, model.c, model.own, steps, tables.half[:n], tables.full[:n],
                    tables.response[:n], tables.third[:n], tables.weight[:n])  # fmt: skip
        for power in range(1, finer + 1):
            place = 2**power - power - 1
            theta = np.arange(1, 2**power) / 2**power
            fill_dense(model.a, interval * 2.0**power, theta, tables.dense[place : place + len(theta)])
        allowed = inf if self.step is not None else tolerance
        control = np.array([deepest, coarsest, coarsest, allowed, min(1e-4, 0.1 * tolerance)], float)
        return Plan(
            system=system, channels=tuple(channels), interval=interval, form=form, model=model, tables=tables,
            output=_output(system, form, tuple(channels)), book=_book(system, form), control=control, step=step,
        )  # fmt: skip

    def advance(self, plan: Plan, state: State, steps: int) -> Block:
        """Move ``state`` by ``steps`` sample intervals; channel values at the end of each.

        Raises Diverged (with time and row) if the fixed point fails at the shortest step or a value is not finite.
        """
        from .exponential_kernels import COUNTS, advance

        system, form, book = plan.system, plan.form, plan.book
        y, xp = _to_blocks(system, form, state)
        base = _base(plan.model, system, state)
        out = np.zeros((steps, len(plan.channels)))
        count = np.zeros(COUNTS)
        for part in (book.law_work, book.law_heat, book.spring_heat, book.input_work, book.reaction):
            part[:] = 0.0
        springs = system.spring_rows
        before = state.deflections(system)[0][springs]
        status = advance(
            plan.model, plan.tables, book, plan.output, system.landings, np.array([state.t, plan.interval]), y, base,
            state.phi, state.phi_low, xp, state.modes, plan.control, count, out,
        )  # fmt: skip
        for i, key in enumerate(("steps", "passes", "rejected")):
            plan.statistics[key] += int(count[i])
        plan.statistics["indicator"] = max(plan.statistics["indicator"], float(count[3]))
        begin = state.t
        if status:
            rows = [int(i) for i in plan.model.own]
            row = system.rows[rows[int(count[5])]] if rows else ""
            raise Diverged(
                f"no step is short enough for row '{row}' at {count[4]:.6g} s", float(count[4]), row
            )
        state.t = begin + steps * plan.interval
        _from_blocks(system, form, y, xp, state)
        after = state.deflections(system)[0][springs]
        arrays = system.arrays
        heat = np.zeros(system.shape.rows)
        heat[plan.model.own] = book.law_heat
        damped = np.flatnonzero(arrays.c) + springs.start
        heat[damped] = book.spring_heat
        state.row_heat += arrays.chat * heat
        state.row_work[plan.model.own] += book.law_work
        constant = 0.5 * arrays.k * (after**2 - before**2) + arrays.f0 * (after - before)
        state.row_work[springs] += constant + arrays.c * heat[springs]
        state.input_work += book.input_work
        state.reaction_work[sorted(system.prescribed)] += book.reaction
        return Block(begin + plan.interval * np.arange(1, steps + 1), out)


def _form(system: System) -> tuple[Blocks, Reference]:
    """Blocks of the reference model; a defective group is stepped around with slightly more reference damping."""
    for scale in (1.0, 1.01, 1.05):
        chosen = reference(system, scale)
        try:
            return blocks(system, *chosen.matrices(system)), chosen
        except Defective as error:
            reason = str(error)
    raise ValueError(f"{reason}; choose explicit")


def longest_step(system: System, form: Blocks) -> float:
    """``min(1.5/w, 1/(3 f))``: w the highest mode below 30 % damping in the rows of laws, f the highest mesh frequency."""
    limits = [inf]
    rows = _law_rows(system)
    if len(rows) and len(form.omega):
        shapes = form.row_shapes[rows]
        compliance = shapes**2 / np.maximum(form.omega, 1e-6 * form.omega.max()) ** 2
        takes = (compliance > 0.01 * np.maximum(compliance.sum(axis=1, keepdims=True), 1e-300)).any(axis=0)
        light = form.gamma < 0.6 * form.omega
        if (takes & light).any():
            limits.append(1.5 / float(form.omega[takes & light].max()))
    frequency = mesh_frequency(system)
    if frequency > 0.0:
        limits.append(1.0 / (3.0 * frequency))
    return min(limits)


def mesh_frequency(system: System) -> float:
    """Highest rate of a law's phase [cycles/s] at the initial speeds; zero without phases."""
    best = 0.0
    rates = np.asarray(system.D @ system.v0)
    for block, law in enumerate(system.laws):
        if law.senses and law.period:
            best = max(best, float(abs(rates[system.sense_rows(block).start])) / law.period)
    return best


def _law_rows(system: System) -> NDArray[np.int64]:
    """Force rows of all laws."""
    parts = [np.arange(r.start, r.stop) for r in (system.law_rows(b) for b in range(system.shape.laws))]
    return np.concatenate(parts).astype(np.int64) if parts else np.zeros(0, np.int64)


def _watched_coordinates(system: System) -> list[int]:
    """Coordinates whose motion the energy book needs: under an input, or coupled by mass to a prescribed one."""
    fixed = set(system.prescribed)
    wanted = {int(i) for i in system.arrays.bi} - fixed
    mass = system.mass.tocsr()
    for p in fixed:
        wanted |= {int(i) for i in mass[p].indices} - fixed
    return sorted(wanted)


def _accelerations(system: System) -> dict[int, int]:
    """Signal number of the acceleration of every prescribed coordinate, as the builder laid it out."""
    return {int(i): int(u) for i, u in zip(system.arrays.bi, system.arrays.bu, strict=True) if int(i) in system.prescribed}


def _motions(system: System, form: Blocks) -> tuple[Float, Float]:
    """Positions and speeds (n, Y) of all coordinates as functions of y: elastic and free rigid part."""
    free = system.free
    position = np.zeros((system.shape.coordinates, form.elastic.shape[1]))
    speed = np.zeros_like(position)
    position[free] = form.shapes @ form.elastic + form.rigid_shapes @ form.rigid
    speed[free] = form.shapes @ form.elastic_rate + form.rigid_shapes @ form.rigid_rate
    return position, speed


def _row_maps(form: Blocks) -> tuple[Float, Float]:
    """Deflections and rates (m, Y) of all rows as functions of y, exact zeros of rigid rates kept."""
    return (
        form.row_shapes @ form.elastic + form.row_rates @ form.rigid,
        form.row_shapes @ form.elastic_rate + form.row_rates @ form.rigid_rate,
    )


def _model(system: System, form: Blocks, chosen: Reference) -> Any:
    from .exponential_kernels import DECLARED, SMOOTH, WALK, Model

    a, n = system.arrays, system.shape.coordinates
    own = _law_rows(system)
    law_rows = int(system.shape.rows - system.shape.springs)
    fixed = sorted(system.prescribed)
    position, speed = _row_maps(form)
    placed, moved = _motions(system, form)
    follows = form.follows
    into = np.hstack([form.from_elastic_rate, form.from_rigid_rate])
    motions = np.hstack([form.row_shapes, form.row_rates])

    # watched values
    damped = np.flatnonzero(a.c) + system.spring_rows.start
    coordinates = _watched_coordinates(system)
    touching = _touching(system)
    every = np.arange(law_rows)
    z = np.vstack([position[every], speed[every], speed[damped], placed[coordinates], moved[coordinates],
                   position[touching], speed[touching]])  # fmt: skip
    prescribed = np.zeros((len(fixed), 0))
    rest_position = [form.row_follows[every], 0 * form.row_follows[every], 0 * form.row_follows[damped],
                     follows[coordinates], 0 * follows[coordinates], form.row_follows[touching],
                     0 * form.row_follows[touching]]  # fmt: skip
    rest_speed = [0 * rest_position[0], form.row_follows[every], form.row_follows[damped], 0 * follows[coordinates],
                  follows[coordinates], 0 * rest_position[5], form.row_follows[touching]]  # fmt: skip
    del prescribed
    zrho = np.zeros((system.shape.rigid, len(z)))
    zrho[:, :law_rows] = system.rho[:, :law_rows]

    # forcing by signals, by one and by prescribed positions
    signals = len(system.signals)
    sources = np.zeros((signals + 1 + len(fixed), len(form.omega) + form.row_rates.shape[1]))
    free = system.free
    shapes = np.zeros((n, sources.shape[1]))
    shapes[free] = np.hstack([form.shapes, form.rigid_shapes])
    for i, u, v in zip(a.bi, a.bu, a.bv, strict=True):
        if int(i) not in system.prescribed:
            sources[int(u)] += v * shapes[int(i)]
    k, c = chosen.matrices(system)
    accelerations = _accelerations(system)
    inertia = shapes[free].T @ system.mass.toarray()[np.ix_(free, free)] @ follows[free]
    drag = motions.T @ c @ form.row_follows
    push = motions.T @ k @ form.row_follows
    for j, p in enumerate(fixed):
        sources[accelerations[p]] -= inertia[:, j]
        sources[system.prescribed[p]] -= drag[:, j]
        sources[signals + 1 + j] -= push[:, j]
    constant = k @ a.off
    constant[system.spring_rows] += a.f0
    sources[signals] -= motions.T @ constant

    kind, points, cut, cutrow, cutlevel, cutperiod = [], [], [0], [], [], []
    for block, law in enumerate(system.laws):
        row = system.law_rows(block).start
        sense = row + law.rows
        levels: list[tuple[int, float, float]] = []
        free_of_gaps = law.pieces is not None and all(gap is None for gap in law.pieces.gap)
        if law.guard is not None and not free_of_gaps:
            kind.append(WALK)
        else:
            if law.senses:
                phases = law.pieces.boundaries if law.pieces is not None else law.corners
                levels += [(sense, float(phase), law.period or 1.0) for phase in phases]
            if law.pieces is not None:
                levels += [(row + j, float(gap), 0.0) for j, gap in enumerate(law.pieces.gap) if gap is not None]
            kind.append(DECLARED if levels else SMOOTH)
        points.append(3 if law.pieces is not None else 4)
        cutrow += [level[0] for level in levels]
        cutlevel += [level[1] for level in levels]
        cutperiod += [level[2] for level in levels]
        cut.append(len(cutrow))
    sizes = [law.rows**2 for law in system.laws]
    varying = [i for i, s in enumerate(system.signals) if s.sine[0] or s.coefficients[:, 1:].any() or np.ptp(s.coefficients[:, 0])]
    return Model(
        a=_f(form.a), b=_f(-(into @ motions[own].T).T), c=_f(position[every].T), z=_f(z.T),
        zx=_f(np.vstack(rest_position).T), zv=_f(np.vstack(rest_speed).T), zrho=_f(zrho),
        forcing=_f(sources @ into.T), own=_i(own),
        laddr=_i(a.laddr), lguard=_i(a.lguard), lrow=_i(a.lrow), lnf=_i(a.lnf), lns=_i(a.lns), lp=_i(a.lp),
        par=_f(a.par if len(a.par) else [0.0]), kind=_i(kind), points=_i(points),
        kref=_f(np.concatenate([m.ravel() for m in chosen.stiffness]) if sizes else []),
        cref=_f(np.concatenate([m.ravel() for m in chosen.damping]) if sizes else []),
        kptr=_i(np.cumsum([0, *sizes])), cut=_i(cut), cutrow=_i(cutrow), cutlevel=_f(cutlevel), cutperiod=_f(cutperiod),
        sptr=a.sptr, sstart=a.sstart, scoef=a.scoef, ssin=a.ssin, sdt=a.sdt,
        varying=_i(varying), speed=_i([system.prescribed[p] for p in fixed]),
        rigid=_f(form.rigid), from_rigid=_f(form.from_rigid), free_rigid=_f(form.free_rigid), held=_f(form.held),
        rest=_f(form.rest),
    )  # fmt: skip


def _touching(system: System) -> NDArray[np.int64]:
    """Spring rows that act on prescribed coordinates, once per coordinate."""
    rows = system.D.toarray()
    found = [r for p in sorted(system.prescribed) for r in range(system.shape.rows)[system.spring_rows] if rows[r, p] != 0.0]
    return np.array(found, np.int64)


def _book(system: System, form: Blocks) -> Any:
    from .exponential_kernels import Book

    a = system.arrays
    fixed = sorted(system.prescribed)
    own = _law_rows(system)
    coordinates = _watched_coordinates(system)
    accelerations = _accelerations(system)
    pseudo = set(accelerations.values())
    inputs = [
        -1 if int(i) in system.prescribed or int(u) in pseudo else coordinates.index(int(i))
        for i, u in zip(a.bi, a.bu, strict=True)
    ]
    rows = system.D.toarray()
    row, of, by, k, c, f = [], [], [], [], [], []
    for j, p in enumerate(fixed):
        for place, r in enumerate(own):
            if rows[r, p] != 0.0:
                row.append(place)
                of.append(j)
                by.append(rows[r, p])
                k.append(0.0)
                c.append(0.0)
                f.append(0.0)
    touching = _touching(system)
    at = 0
    for j, p in enumerate(fixed):
        for r in range(system.shape.rows)[system.spring_rows]:
            if rows[r, p] != 0.0:
                spring = r - system.spring_rows.start
                row.append(-1 - at)
                of.append(j)
                by.append(rows[r, p])
                k.append(a.k[spring])
                c.append(a.c[spring])
                f.append(a.f0[spring] + a.k[spring] * a.off[r])
                at += 1
    mass = system.mass.toarray()
    pairs = [(j, coordinates.index(i), mass[p, i]) for j, p in enumerate(fixed) for i in coordinates if mass[p, i] != 0.0]
    damped = int(np.count_nonzero(a.c))
    return Book(
        chat_springs=_i([len(coordinates), len(touching)]), inputs=_i(inputs), signal=_i(a.bu), coefficient=_f(a.bv),
        reaction_row=_i(row), reaction_of=_i(of), reaction_by=_f(by), reaction_k=_f(k), reaction_c=_f(c), reaction_f=_f(f),
        own_mass=_f(mass[np.ix_(fixed, fixed)]), couple_of=_i([x[0] for x in pairs]), couple_with=_i([x[1] for x in pairs]),
        couple_mass=_f([x[2] for x in pairs]), acceleration=_i([accelerations[p] for p in fixed]),
        law_work=np.zeros(len(own)), law_heat=np.zeros(len(own)), spring_heat=np.zeros(damped),
        input_work=np.zeros(system.shape.inputs), reaction=np.zeros(len(fixed)),
    )  # fmt: skip


def _output(system: System, form: Blocks, channels: tuple[Channel, ...]) -> Any:
    """Channels as a linear map of what the loop has at a sample."""
    from .exponential_kernels import Output

    a, s = system.arrays, system.shape
    fixed = sorted(system.prescribed)
    free = system.free
    own = _law_rows(system)
    springs = system.spring_rows
    ny, signals = form.elastic.shape[1], len(system.signals)
    # one column per source: y, law forces, signals, prescribed positions, phi, one
    parts = np.cumsum([0, ny, len(own), signals, len(fixed), s.rigid, 1])
    y, force, signal, prescribed, phi, one = (slice(parts[i], parts[i + 1]) for i in range(6))
    width = int(parts[-1])

    q = np.zeros((s.coordinates, width))
    q[free, y] = form.shapes @ form.elastic
    q[fixed, prescribed] = form.rest
    v = np.zeros((s.coordinates, width))
    v[free, y] = form.shapes @ form.elastic_rate + form.rigid_shapes @ form.rigid_rate
    speed = np.zeros((len(fixed), signals))
    for j, p in enumerate(fixed):
        speed[j, system.prescribed[p]] = 1.0
    v[:, signal] += form.follows @ speed
    amount = np.zeros((s.rigid, width))
    amount[:, y] = form.free_rigid @ form.rigid
    amount[:, prescribed] = form.held
    amount[:, phi] = np.eye(s.rigid)
    position, rate = _row_maps(form)
    d = np.zeros((s.rows, width))
    d[:, y] = position
    d[:, prescribed] = form.row_follows
    d[:, phi] = system.rho.T
    d[:, one] = a.off[:, None]
    dv = np.zeros((s.rows, width))
    dv[:, y] = rate
    dv[:, signal] = form.row_follows @ speed
    f = np.zeros((s.rows, width))
    f[own, force] = np.eye(len(own))
    f[springs] = a.k[:, None] * d[springs] + a.c[:, None] * dv[springs]
    f[springs, one] += a.f0[:, None]
    load = np.zeros((s.coordinates, width))
    for i, u, b in zip(a.bi, a.bu, a.bv, strict=True):
        load[int(i), signal.start + int(u)] += b
    columns = system.D.toarray()
    columns[:, fixed] = 0.0
    load -= columns.T @ f
    inverse = _inverse_mass(system)
    table = {
        Source.FORCE: f, Source.POSITION: q, Source.SPEED: v, Source.ACCELERATION: inverse @ load, Source.RIGID: amount,
        Source.SIGNAL: np.eye(signals, width, signal.start), Source.ONE: np.eye(1, width, one.start),
    }  # fmt: skip
    lines = np.zeros((len(channels), width))
    for j, channel in enumerate(channels):
        for source, index, coefficient in channel.terms:
            lines[j] += coefficient * table[source][index]
    columns_of = lines.T
    return Output(*(_f(columns_of[part]) for part in (y, force, signal, prescribed, phi)), _f(columns_of[one][0]))


def _inverse_mass(system: System) -> Float:
    import scipy.sparse as sp

    a, n = system.arrays, system.shape.coordinates
    return sp.csr_matrix((a.minv, a.midx.astype(np.int32), a.mptr.astype(np.int32)), shape=(n, n)).toarray()


def _to_blocks(system: System, form: Blocks, state: State) -> tuple[Float, Float]:
    """Block coordinates and prescribed positions of a state."""
    free, fixed = system.free, sorted(system.prescribed)
    mass = system.mass[free][:, free]
    xp = state.q[fixed].copy()
    vp = np.array([float(system.signals[system.prescribed[p]](state.t)) for p in fixed])
    q = mass @ (state.q[free] - form.follows[free] @ xp)
    v = mass @ (state.v[free] - form.follows[free] @ vp)
    y = form.from_elastic @ (form.shapes.T @ q) + form.from_elastic_rate @ (form.shapes.T @ v)
    if form.rigid_shapes.shape[1]:
        y = y + form.from_rigid @ (form.rigid_shapes.T @ q) + form.from_rigid_rate @ (form.rigid_shapes.T @ v)
    return np.ascontiguousarray(y), xp


def _from_blocks(system: System, form: Blocks, y: Float, xp: Float, state: State) -> None:
    free, fixed = system.free, sorted(system.prescribed)
    vp = np.array([float(system.signals[system.prescribed[p]](state.t)) for p in fixed])
    state.q[free] = form.shapes @ (form.elastic @ y)
    state.q[fixed] = xp
    state.v[:] = form.follows @ vp if fixed else 0.0
    state.v[free] += form.shapes @ (form.elastic_rate @ y) + form.rigid_shapes @ (form.rigid_rate @ y)


def _base(model: Any, system: System, state: State) -> Float:
    """Constant part of the watched values: offsets and rigid motion of the rows of laws."""
    base = np.zeros(model.z.shape[1])
    rows = model.c.shape[1]
    base[:rows] = system.arrays.off[:rows] + state.phi @ system.rho[:, :rows]
    return base


def highest_eigenvalue(form: Blocks) -> float:
    """Largest magnitude of an eigenvalue of the reference model [1/s], for the choice of an engine."""
    return float(np.abs(form.eigenvalues).max(initial=0.0))


def _f(values: Any) -> Float:
    return np.ascontiguousarray(np.asarray(values, np.float64))


def _i(values: Any) -> NDArray[np.int64]:
    return np.ascontiguousarray(np.asarray(values).astype(np.int64) if len(values) else np.zeros(0, np.int64))


__all__ = ["ExponentialEngine", "Plan", "ceil", "longest_step", "mesh_frequency", "pi"]
