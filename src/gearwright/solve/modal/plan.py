"""Preparation of the exact engine: what it refuses, its arrays, its channels as matrices."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.arrays import Float
from gearwright.kernels.vectors import MOST
from gearwright.solve.companion import Companion
from gearwright.solve.leaps import Jumpers, jumpers
from gearwright.system import Channel, System

from . import places as at
from .arrays import BLOCK, LEAST, Layout, Pool, Work, addresses
from .energy import Ledger, Totals
from .model import Combination, Defective, LawRow, Reduction, combine, reduce, slow_limit

#: Memory for combinations [bytes]; the least recently used one makes room.
POOL_BYTES = 256e6
#: Number of visits recorded before they are summed up.
RECORDS = 16384


@dataclass
class Plan:
    """Everything prepared for one system, set of channels and sample interval."""

    system: System
    model: Reduction
    channels: tuple[Channel, ...]
    interval: float
    layout: Layout
    pool: Pool
    work: Work
    signals: tuple[NDArray[Any], ...]
    table: NDArray[np.int64]  # addresses of all these arrays and of the compiled parts
    batch: int
    slots: int
    combinations: list[Combination | None]
    ledgers: list[Ledger | None]
    lines: list[Any]
    block_lines: Float | None  # channels of a block, of the one combination of a linear model
    static_lines: Float
    force_lines: Float
    rigid_lines: Float
    changes: Float  # (slots, n, n) sums of changes of w w^T
    shifts: Float  # (slots, n) sums of changes of w
    slow: float
    #: combinations made so far, those made again after they had to leave included
    made: int = 0
    companion: Companion | None = None
    sums: Totals = field(init=False)

    @cached_property
    def jumpers(self) -> Jumpers:
        """Channels that may jump."""
        return jumpers(self.system, self.channels)


def reduced(system: System, channels: tuple[Channel, ...]) -> Reduction:
    """Split the motion; raises ValueError with the sentence of a refusal."""
    s = system.shape
    if s.hard:
        raise ValueError("The exact engine knows no rigid rows; choose the explicit engine.")
    if s.friction:
        raise ValueError("The exact engine knows no friction rows; choose the explicit engine.")
    if len(system.arrays.grow):
        raise ValueError("The exact engine needs constant geometry, and some rows move; choose the explicit engine.")
    if s.states:
        raise ValueError("The exact engine knows no states of laws; choose the explicit engine.")
    other = "choose the exponential or the explicit engine."
    for law in system.laws:
        if law.pieces is None:
            raise ValueError(f"The law '{law.label}' is not linear in pieces, as the exact engine needs it; {other}")
    if len(system.prescribed) > 1:
        raise ValueError(f"The exact engine follows at most one prescribed speed; {other}")
    for coordinate in system.prescribed:
        if not s.rigid or not np.abs(system.u[:, coordinate]).max() > 0.0:
            name = system.coordinates[coordinate]
            raise ValueError(f"The prescribed coordinate '{name}' is part of no rigid motion; {other}")
    try:
        model = reduce(system, channels)
        combine(model, 0)
    except Defective as error:
        raise ValueError(f"The exact engine finds no eigenvectors: {error}; {other}") from error
    except ValueError as error:
        raise ValueError(f"The exact engine cannot take this system: {error}; {other}") from error
    stiff = [r.row for r in model.rows if max(r.stiffness) > 0.0]
    if s.rigid and np.abs(system.rho[:, stiff]).max(initial=0.0) > 0.0:
        raise ValueError(f"A law with stiffness holds what its mean calls free; {other}")
    return model


def make_plan(model: Reduction, channels: tuple[Channel, ...], interval: float) -> Plan:
    """Workspace of a run: the pool of modal sets, the scratch of the loop, what the channels take; nothing is
    allocated later but the chunks of output. ``interval`` [s] is that of the samples."""
    system = model.system
    layout = _layout(model, interval)
    n, free, nu, ns, ne, nq = (int(layout.size[i]) for i in (0, 1, 2, 3, 6, 7))
    weight = 8 * (3 * n * n + n * (ne + 4 * nu + 4 * ns + 4 * nq + 8)) + 64 * n
    slots = int(max(4, min(model.possible, 65536, POOL_BYTES // weight)))
    mask = (1 << (4 * slots).bit_length()) - 1
    pool = Pool(
        modes=np.zeros(4 * slots, np.int64),
        special=np.zeros(slots * n, np.int64),
        bounds=np.zeros(2 * slots),
        **{name: np.zeros(slots * n) for name in ("lr", "li", "ir", "ii", "er", "ei", "fr", "fi")},
        **{name: np.zeros(slots * nu * n) for name in ("br", "bi")},
        **{name: np.zeros(slots * ns * n) for name in ("sar", "sai", "sbr", "sbi")},
        **{name: np.zeros(slots * n * n) for name in ("to_state", "to_modes")},
        sight=np.zeros(slots * n * ne),
        **{name: np.zeros(slots * nq * n) for name in ("tr", "ti", "qr", "qi")},
        hkey=np.full(mask + 1, -1, np.int64),
        hslot=np.zeros(mask + 1, np.int64),
        used=np.zeros(slots, np.int64),
        R=np.zeros(slots * nu * 2 * n),
        T=np.zeros(slots * nu),
    )
    width = n + free + 1 + nu
    batch = int(np.clip(2**18 // width, 256, 16384))
    # blocks of samples where there is one combination only: others switch too often
    block = BLOCK if model.possible == 1 else 0
    numbers = n + 4 * nu + 5 * nq + 1  # most numbers that a block begins with
    room = batch // LEAST + 1 + MOST if block else 0
    records = int(np.clip(2**18 // max(n, 1), 256, RECORDS))
    work = Work(
        state=np.zeros(n), psi=np.zeros(free), motion=np.zeros(16), number=np.zeros(11, np.int64),
        pieces=np.zeros(layout.size[at.N_PHASES], np.int64), cycles=np.zeros(layout.size[at.N_PHASES], np.int64),
        contacts=np.zeros(layout.size[at.N_GAPS], np.int64), pbase=np.zeros(layout.size[at.N_PHASES]),
        **{name: np.zeros(n) for name in ("w", "begun_at", "zr", "zi", "z0r", "z0i", "hr", "hi", "cr", "ci", "xr", "xi")},
        **{name: np.zeros(4 * n) for name in ("gr", "gi", "pr", "pi", "mr", "mi")},
        u=np.zeros(4 * nu), sines=np.zeros(4 * ns), ipoly=np.zeros(5 * nq), integrals=np.zeros(nq), integrals0=np.zeros(nq),
        events=np.zeros(ne), events0=np.zeros(ne), events1=np.zeros(ne), scratch=np.zeros(n + free),
        samples=np.zeros(batch * width), sample_slot=np.zeros(batch, np.int64),
        blocks=np.zeros(room * numbers), block_at=np.zeros(2 * room, np.int64),
        record=np.zeros(records * 2 * n), record_slot=np.zeros(records, np.int64), beside=np.zeros(4, np.int64),
        sight_of=np.zeros(3 * n), seen=np.zeros(3 + n),
        leap=np.zeros(2 * records * width), leap_slot=np.zeros(2 * records, np.int64), leap_at=np.zeros(records, np.int64),
    )  # fmt: skip
    layout.size[9:] = mask, records, block, numbers
    static, force, rigid = _line_matrices(model, channels)
    a = system.arrays
    signals = (a.sptr.astype(np.int64), a.sstart, a.scoef, a.ssin, a.sdt)
    return Plan(
        system=system, model=model, channels=channels, interval=interval, layout=layout, pool=pool, work=work, signals=signals,
        table=addresses(layout, pool, work, signals),
        batch=batch, slots=slots, combinations=[None] * slots, ledgers=[None] * slots, lines=[None] * slots,
        block_lines=None,
        static_lines=static, force_lines=force, rigid_lines=rigid, changes=np.zeros((slots, n, n)),
        shifts=np.zeros((slots, n)), slow=slow_limit([system.signals[i] for i in model.signal if i >= 0]),
    )  # fmt: skip


def _layout(model: Reduction, interval: float) -> Layout:
    system = model.system
    phases, gaps = model.phases, [r for r in model.rows if r.gap is not None]
    waves = [i for i, s in enumerate(model.signal) if s >= 0 and system.signals[s].sine[0] != 0.0]
    nodes, weights = np.polynomial.legendre.leggauss(12)
    released = min(model.ne, len(gaps))
    fastest = _fastest(model, gaps)
    senses = np.array([p.sense for p in phases], np.int64)

    def whole(values: Iterable[int]) -> Any:
        return np.array(list(values), np.int64)

    return Layout(
        size=whole([model.n, model.nr, model.ni, len(waves), len(phases), len(gaps),
                    2 * (len(phases) + len(gaps)), released + model.nr, model.theta_input, 0, 0, 0, 0]),
        real=np.array([interval, 2 * math.pi / fastest[0] / 16, 2 * math.pi / fastest[1] / 8]),
        signal=model.signal, sine_of=whole(waves.index(i) if i in waves else -1 for i in range(model.ni)),
        sine_input=whole(waves),
        pcount=whole(len(p.boundaries) for p in phases),
        pptr=np.cumsum([0] + [len(p.boundaries) for p in phases])[:-1].astype(np.int64),
        pedge=np.array([b for p in phases for b in p.boundaries], float),
        pmul=whole(p.multiplier for p in phases), poptional=whole(p.optional for p in phases),
        ppsi=np.ascontiguousarray(model.rho_f[senses].ravel()), ptheta=model.rho_b[senses].copy(),
        prow=senses,
        gphase=whole(phases.index(r.phase) if r.phase else -1 for r in gaps),
        gptr=np.cumsum([0] + [len(r.stiffness) for r in gaps])[:-1].astype(np.int64),
        glevel=np.array([k for r in gaps for k in r.stiffness], float),
        gdamping=np.array([r.damping for r in gaps], float),
        goff=np.array([system.arrays.off[r.row] - (r.gap or 0.0) for r in gaps], float),
        gmul=whole(r.multiplier for r in gaps), grow=whole(r.row for r in gaps),
        gauss=np.concatenate([0.5 * (nodes + 1.0), 0.5 * weights]),
    )  # fmt: skip


def _fastest(model: Reduction, gaps: list[LawRow]) -> tuple[float, float]:
    """Angular frequency of the fastest mode that takes part in the gap rows, and of the fastest of all."""
    k = model.k.copy()
    for row in model.rows:
        k[row.row] = max(row.stiffness)
    stiffness = (model.DE.T * k) @ model.DE
    if not len(stiffness):
        return 1.0, 1.0
    squares, shapes = np.linalg.eigh(stiffness)
    omega = np.sqrt(np.maximum(squares, 1e-12))
    if not gaps:
        return float(omega[-1]), float(omega[-1])
    # share of each mode in the speed with which a blow on the row moves it
    shares = (model.DE[[r.row for r in gaps]] @ shapes) ** 2
    shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1e-300)
    taking = np.flatnonzero(shares.max(axis=0) > 1e-4)
    return float(omega[taking[-1]]) if len(taking) else float(omega[-1]), float(omega[-1])


def _line_matrices(model: Reduction, channels: tuple[Channel, ...]) -> tuple[Float, Float, Float]:
    """Channels over ``[x, psi, theta, inputs]`` without row forces, per row force, and per initial phi."""
    system = model.system
    ne, nr, n, ni = model.ne, model.nr, model.n, model.ni
    lines = system.lines(channels)
    total = int(lines.base[-1])
    dense = np.zeros((len(channels), total))
    for i in range(len(channels)):
        for p in range(int(lines.ptr[i]), int(lines.ptr[i + 1])):
            dense[i, lines.idx[p]] += lines.coef[p]
    force, q, v, a, _, signals, phi, one = (dense[:, lines.base[i] : lines.base[i + 1]] for i in range(8))
    one_at = n + nr + 1
    static = np.zeros((len(channels), n + nr + 1 + ni))
    static[:, :ne] += q @ model.E
    static[:, ne:n] += v @ model.Vall
    if model.theta_input >= 0:
        static[:, one_at + model.theta_input] += v @ model.w
        static[:, one_at + model.rate_input] += a @ model.w
    static[:, one_at:] += a @ model.Vall @ model.push
    static[:, one_at] += one[:, 0]
    for i, number in enumerate(model.signal):
        if number >= 0 and i != model.theta_input:
            static[:, one_at + i] += signals[:, number]
    static[:, n : n + nr] += phi @ model.nf
    static[:, n + nr] += phi @ model.b
    force = force - a @ model.Vall @ model.Dv.T
    return static, force, phi
