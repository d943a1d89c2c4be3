"""A system on its lower modes and attachment vectors, before any engine.

The modes of the mean model below a cut are joined by what the dropped ones give statically to every force that may
act: rows of laws and inputs (attachment vectors, mass-orthonormal, of the residual flexibility). Static loads are then
exact, and loads below the cut over two and a half nearly so, while the highest frequency, which sets the step of every
engine, is gone. Source: R. J. Craig, Int. J. Analyt. Exp. Modal Anal. 2 (1987) 59-72.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy.linalg as la

from gearwright.arrays import Float
from gearwright.system import Builder, Row, Source, Spring, System

from .modes import free_motions

#: part of the coordinates beyond which modes and attachment vectors, which couple all rows with all, save nothing
PAYS = 0.7


def reduce_system(system: System, cut_hz: float) -> System:
    """The system on its rigid motions, its modes up to ``cut_hz`` and attachment vectors.

    Rows, laws, signals and channels keep their names; coordinates are the reference coordinates of the rigid
    motions, then ``mode1``, ... and ``attachment1``, ...  The system itself comes back where that saves too little.
    Raises ValueError for a system with prescribed speeds, hard or friction rows or moving rows, and for a cut that is not
    positive.
    """
    _refuse(system, cut_hz)
    basis, names = _basis(system, cut_hz)
    if len(names) > PAYS * system.shape.coordinates:
        return system
    lines = np.asarray(system.D @ basis)
    lines[:, : len(system.u)] = system.rho.T  # what a rigid motion does to rows is known exactly
    return on_basis(
        system,
        basis,
        names,
        lines,
        f"reduced to {len(names)} coordinates: modes to {cut_hz:g} Hz and attachment vectors",
    )


def on_basis(
    system: System, basis: Float, names: list[str], lines: Float, note: str, rest: Float | None = None
) -> System:
    """The system in coordinates ``names`` with positions ``q = basis x + rest`` and rows ``lines`` (m, coordinates).

    Rows, laws, signals and channels keep their names. Hard, friction and moving rows are not taken over: refuse them before.
    """
    size = 1.0 / system.arrays.qscale
    scale = np.abs(basis * size[:, None]).max(axis=0)
    builder = Builder()
    for name, one in zip(names, scale, strict=True):
        builder.coordinate(name, float(one))
    mass = basis.T @ (system.mass @ basis)
    mass[np.abs(mass) <= 1e-14 * np.sqrt(np.outer(np.diag(mass), np.diag(mass)))] = 0.0
    builder.inertias(names, 0.5 * (mass + mass.T))
    rates = {f"rate of {system.signal_names[s]}" for s in system.prescribed.values()}
    for name, signal in zip(system.signal_names, system.signals, strict=True):
        if name not in rates:
            builder.signal(name, signal)
    rest = np.zeros(system.shape.coordinates) if rest is None else rest
    rows = _rows(system, lines, names, rest)
    a = system.arrays
    for b, law in enumerate(system.laws):
        force, sense = system.law_rows(b), system.sense_rows(b)
        builder.block(system.blocks[b], rows[force], law, rows[sense])
    for i, row in enumerate(rows[system.spring_rows]):
        k, c = float(a.k[i]), float(a.c[i])
        builder.row(row.name, row.coefficients, Spring(k, c, -float(a.f0[i]) / c if c else 0.0, k < 0.0), row.off)
    for column, speed in system.prescribed.items():
        builder.prescribe(system.coordinates[column], system.signal_names[speed])
    for i, s, value in zip(a.bi, a.bu, a.bv, strict=True):
        if system.signal_names[int(s)] in rates:
            continue  # the inertia of what follows a prescribed speed is found anew
        for name, share in zip(names, basis[int(i)], strict=True):
            if share:
                builder.input(name, system.signal_names[int(s)], float(value * share))
    _channels(builder, system, basis, names, rest)
    speeds = np.linalg.solve(mass, basis.T @ (system.mass @ system.v0))
    provenance = replace(system.provenance, notes=(*system.provenance.notes, note))
    return builder.build(provenance, {n: float(v) for n, v in zip(names, speeds, strict=True)})


def _refuse(system: System, cut_hz: float) -> None:
    s = system.shape
    for present, what in (
        (bool(system.prescribed), "speeds that are prescribed"),
        (bool(s.hard), "rigid rows"),
        (bool(s.friction), "friction"),
        (len(system.arrays.grow) > 0, "moving rows"),
    ):
        if present:
            raise ValueError(f"a model with {what} cannot be reduced to its lower modes")
    if not cut_hz > 0.0:
        raise ValueError(f"the frequency up to which modes are kept must be positive, got {cut_hz:g} Hz")


def _basis(system: System, cut_hz: float) -> tuple[Float, list[str]]:
    """Columns (n, r): rigid motions as they are, modes, attachment vectors; and their names."""
    free = free_motions(system)
    _, stiffness, _ = system.linear(v=system.v0)
    elastic = free.elastic
    square, x = la.eigh(elastic.T @ (0.5 * (stiffness + stiffness.T)) @ elastic)
    shapes = elastic @ x
    keep = square <= (2.0 * np.pi * cut_hz) ** 2
    dropped = shapes[:, ~keep]
    sources = [system.D[system.law_rows(b)].toarray().T for b in range(system.shape.laws)]
    loads = np.zeros((system.shape.coordinates, len(system.arrays.bi)))
    loads[system.arrays.bi.astype(np.int64), np.arange(len(system.arrays.bi))] = 1.0
    response = (dropped.T @ np.hstack([*sources, loads])) / square[~keep][:, None]
    length = np.linalg.norm(response, axis=0)
    response = response[:, length > 0.0] / length[length > 0.0]
    left, values, _ = np.linalg.svd(response, full_matrices=False)
    vectors = left[:, values > 1e-6 * values.max(initial=1.0)]
    rigid = system.u
    names = [system.coordinates[int(np.flatnonzero(u)[0])] for u in rigid]
    names += [f"mode{i + 1}" for i in range(int(keep.sum()))]
    names += [f"attachment{i + 1}" for i in range(vectors.shape[1])]
    return np.hstack([rigid.T, shapes[:, keep], dropped @ vectors]), names


def _rows(system: System, lines: Float, names: list[str], rest: Float) -> list[Row]:
    """Rows in the new coordinates, without what round-off leaves."""
    floor = 1e-14 * np.abs(lines).max(axis=1, keepdims=True)
    values = np.where(np.abs(lines) < floor, 0.0, lines)
    return [
        Row(row, {n: float(v) for n, v in zip(names, line, strict=True) if v != 0.0}, float(off))
        for row, line, off in zip(system.rows, values, system.arrays.off + system.D @ rest, strict=True)
    ]


def _channels(builder: Builder, system: System, basis: Float, names: list[str], rest: Float) -> None:
    motions = (Source.POSITION, Source.SPEED, Source.ACCELERATION)
    for channel in system.channels:
        terms: list[tuple[Source, str, float]] = []
        combined = {source: np.zeros(len(names)) for source in motions}
        for source, index, value in channel.terms:
            if source in motions:
                combined[source] += value * basis[index]
                if source is Source.POSITION and rest[index]:
                    terms.append((Source.ONE, "0", value * float(rest[index])))
            elif source is Source.FORCE:
                terms.append((source, system.rows[index], value))
            elif source is Source.SIGNAL:
                terms.append((source, system.signal_names[index], value))
            elif source is Source.STATE:
                block = int(np.searchsorted(system.arrays.lz, index, side="right")) - 1
                terms.append((source, f"{system.blocks[block]}:{index - int(system.arrays.lz[block])}", value))
            else:
                terms.append((source, str(index), value))
        for source, line in combined.items():
            terms += [(source, n, float(v)) for n, v in zip(names, line, strict=True) if v != 0.0]
        builder.channel(
            channel.kind, channel.element, channel.quantity, channel.unit, channel.sign, terms, channel.counted
        )
