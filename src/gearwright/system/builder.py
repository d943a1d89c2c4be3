"""The only way to make a :class:`~gearwright.system.system.System`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gearwright.kernels import Compiled

from .acts import (
    BuildError,
    Coefficients,
    Friction,
    Hard,
    Row,
    Spring,
    checked_frictions,
    checked_springs,
    f8,
    friction_arrays,
    hard_arrays,
    law_arrays,
    moving_arrays,
    spring_arrays,
    u4,
)
from .arrays import Arrays, Shape
from .channel import Channel, Source
from .law import Law
from .signals import Signal, constant, pack
from .sparse import Sparse, groups
from .system import Provenance, System


class Builder:
    """Collects coordinates, inertias, rows, blocks, inputs and channels, and checks them when it builds.

    ``floating`` acts belong to the caller: nothing here knows of gears.
    """

    def __init__(self) -> None:
        self._coordinates: dict[str, int] = {}
        self._scale: list[float] = []
        self._mass: list[tuple[float, dict[str, float]]] = []
        self._masses: list[tuple[list[str], Any]] = []
        self._signals: dict[str, Signal] = {}
        self._rows: dict[str, tuple[Row, Spring | Hard | Friction]] = {}
        self._blocks: dict[str, tuple[list[Row], list[Row], Law]] = {}
        self._moving: list[tuple[list[str], Compiled, tuple[float, ...]]] = []
        self._inputs: list[tuple[str, str, float]] = []
        self._prescribed: dict[str, str] = {}
        self._channels: list[tuple[Channel, tuple[tuple[Source, str, float], ...]]] = []

    # --- declaration ---------------------------------------------------------------------------------

    def coordinate(self, name: str, scale: float = 1.0) -> str:
        """Declare a velocity coordinate; ``scale`` is a length: 1 for a translation, a radius for a rotation."""
        if name in self._coordinates:
            raise BuildError(f"coordinate '{name}' exists already")
        self._coordinates[name] = len(self._coordinates)
        self._scale.append(scale)
        return name

    def inertia(self, mass: float, row: Coefficients) -> None:
        """Add kinetic energy ``mass/2 (row . v)^2``."""
        if not mass >= 0.0:
            raise BuildError(f"inertia of {sorted(row)} is {mass:g}; it must not be negative")
        if mass > 0.0:
            self._mass.append((mass, dict(row)))

    def inertias(self, names: Sequence[str], matrix: Any) -> None:
        """Add kinetic energy ``v M v / 2`` of a symmetric matrix over coordinates."""
        self._masses.append((list(names), matrix))

    def signal(self, name: str, signal: Signal) -> str:
        """Register a signal under a name."""
        if name in self._signals:
            raise BuildError(f"signal '{name}' exists already")
        self._signals[name] = signal
        return name

    def has_signal(self, name: str) -> bool:
        """Whether a signal of that name is registered."""
        return name in self._signals

    def signal_number(self, name: str) -> int:
        """Place of a registered signal among those that laws read."""
        return list(self._signals).index(name)

    def row(self, name: str, coefficients: Coefficients, act: Spring | Hard | Friction, off: float = 0.0) -> str:
        """Add one row with its act."""
        self._new_row_name(name)
        self._rows[name] = (Row(name, dict(coefficients), off), act)
        return name

    def block(self, name: str, rows: Sequence[Row], law: Law, senses: Sequence[Row] = ()) -> str:
        """Attach a law to a block of force rows followed by its sense rows."""
        if name in self._blocks:
            raise BuildError(f"block '{name}' exists already")
        if len(rows) != law.rows or len(senses) != law.senses:
            raise BuildError(
                f"law '{law.label}' of block '{name}' wants {law.rows} force rows and {law.senses} sense rows, "
                f"got {len(rows)} and {len(senses)}"
            )
        for row in (*rows, *senses):
            self._new_row_name(row.name)
        self._blocks[name] = (list(rows), list(senses), law)
        return name

    def geometry(self, rows: Sequence[str], function: Compiled, parameters: Iterable[float]) -> None:
        """Let a geometry function rewrite the coefficients of rows declared before.

        The coefficients given at declaration fix the pattern: entry order of the function is row by row, in
        the order of the row's coefficients by coordinate number.
        """
        self._moving.append((list(rows), function, tuple(parameters)))

    def input(self, coordinate: str, signal: str, coefficient: float = 1.0) -> None:
        """Apply ``coefficient * signal`` as a generalised force on a coordinate."""
        self._inputs.append((coordinate, signal, coefficient))

    def prescribe(self, coordinate: str, speed: str) -> None:
        """Let a coordinate follow a speed signal; what that takes is a reaction."""
        self._prescribed[coordinate] = speed

    def channel(
        self,
        kind: str,
        element: str,
        quantity: str,
        unit: str,
        sign: str,
        terms: Iterable[tuple[Source, str, float]],
        counted: bool = False,
    ) -> None:
        """Add a channel; terms name rows, coordinates, states (``block:number``) or signals."""
        self._channels.append((Channel(kind, element, quantity, unit, sign, (), counted), tuple(terms)))

    def _new_row_name(self, name: str) -> None:
        if name in self._rows or any(name == r.name for f, s, _ in self._blocks.values() for r in (*f, *s)):
            raise BuildError(f"row '{name}' exists already")

    # --- building ------------------------------------------------------------------------------------

    def build(self, provenance: Provenance, speeds: Mapping[str, float] | None = None) -> System:
        """Check and flatten everything; ``speeds`` are initial speeds by coordinate."""
        if not self._coordinates:
            raise BuildError("a system needs at least one coordinate")
        order = self._ordered_rows()
        number = {row.name: i for i, (row, _) in enumerate(order)}
        rows = self._row_matrix([row for row, _ in order])
        mass = self._mass_matrix()
        signals, signal_number = self._all_signals()
        prescribed = {self._coordinates[c]: signal_number[s] for c, s in self._prescribed.items()}

        hard = [(r, a) for r, a in self._rows.values() if isinstance(a, Hard)]
        friction = [(r, a) for r, a in self._rows.values() if isinstance(a, Friction)]
        springs = [(r, a) for r, a in self._rows.values() if isinstance(a, Spring)]
        laws = [law for _, _, law in self._blocks.values()]
        checked_frictions(friction)
        checked_springs(springs)

        first = u4([number[(f + s)[0].name] for f, s, _ in self._blocks.values()])
        inverse, inputs = self._inverse_mass(mass, prescribed, signals, signal_number)
        rigid = _rigid_motions(rows, self._holding(order), np.array(self._scale))
        columns = _force_columns(rows, [kind != "sense" for _, kind in order], prescribed)
        sptr, sstart, scoef, ssin, sdt = pack(signals)
        arrays = Arrays(
            ptr=u4(rows.indptr),
            idx=u4(rows.indices),
            val=f8(rows.data),
            off=f8([row.off for row, _ in order]),
            cptr=u4(columns.indptr),
            crow=u4(columns.indices),
            cval=f8(columns.data),
            **spring_arrays([a for _, a in springs]),
            **hard_arrays(hard, number, signal_number),
            **friction_arrays(friction, number, signal_number),
            **law_arrays(laws, first),
            **moving_arrays(self._moving, number),
            mptr=u4(inverse.indptr),
            midx=u4(inverse.indices),
            minv=f8(inverse.data),
            bi=u4([i for i, _, _ in inputs]),
            bu=u4([u for _, u, _ in inputs]),
            bv=f8([b for _, _, b in inputs]),
            sptr=sptr,
            sstart=sstart,
            scoef=scoef,
            ssin=ssin,
            sdt=sdt,
            u=f8(rigid.ravel()),
            rho=f8(_rigid_rates(rows, rigid).ravel()),
            chat=self._constant_damping(number, first),
            qscale=f8(1.0 / np.array(self._scale)),
        )
        z0 = f8([z for law in laws for z in law.states])
        parts = (self._coordinates, order, laws, hard, friction, springs, z0, signals, inputs, rigid)
        sizes = (len(part) for part in parts)
        return System(
            arrays=arrays,
            shape=Shape(*sizes),
            coordinates=tuple(self._coordinates),
            rows=tuple(number),
            blocks=tuple(self._blocks),
            laws=tuple(laws),
            signals=tuple(signals),
            signal_names=tuple(signal_number),
            mass=mass,
            prescribed=prescribed,
            v0=self._start_speeds(speeds or {}, prescribed, signals),
            z0=z0,
            landings=_landings(signals),
            channels=self._resolve_channels(number, signal_number, arrays.lz),
            provenance=provenance,
        )

    def _constant_damping(self, number: Mapping[str, int], first: Any) -> Any:
        """Damping of every row that does not vary."""
        damping = np.zeros(len(number))
        for (_, _, law), begin in zip(self._blocks.values(), first, strict=True):
            if law.damping:
                damping[int(begin) : int(begin) + law.rows] = law.damping
        for row, act in self._rows.values():
            if isinstance(act, Spring):
                damping[number[row.name]] = act.c
        return damping

    def _start_speeds(self, speeds: Mapping[str, float], prescribed: Mapping[int, int], signals: list[Signal]) -> Any:
        """Speeds of the coordinates at the start; prescribed ones have those of their signals."""
        v0 = np.zeros(len(self._coordinates))
        for name, value in speeds.items():
            v0[self._coordinates[name]] = value
        for column, which in prescribed.items():
            v0[column] = float(signals[which](0.0))
        return v0

    def _ordered_rows(self) -> list[tuple[Row, str]]:
        order: list[tuple[Row, str]] = []
        for forces, senses, _ in self._blocks.values():
            order += [(r, "law") for r in forces] + [(r, "sense") for r in senses]
        for kind in (Hard, Friction, Spring):
            order += [(r, kind.__name__.lower()) for r, a in self._rows.values() if isinstance(a, kind)]
        return order

    def _holding(self, order: list[tuple[Row, str]]) -> Any:
        """Rows that hold a motion elastically or hard: those whose rates are zero in a rigid motion."""
        hold = []
        for row, kind in order:
            keep = kind == "law"
            if kind == "law":
                forces, _, law = next(b for b in self._blocks.values() if any(r.name == row.name for r in b[0]))
                keep = law.holds is None or law.holds[forces.index(row)]
                if law.mean is not None:
                    keep = keep and any(law.mean[0])
            if kind == "spring":
                keep = self._rows[row.name][1].k > 0.0  # type: ignore[union-attr]
            if kind == "hard":
                keep = self._rows[row.name][1].rate is None  # type: ignore[union-attr]
            hold.append(keep)
        return np.array(hold, bool)

    def _row_matrix(self, rows: list[Row]) -> Sparse:
        data, indices, pointers = [], [], [0]
        of_laws = {r.name for forces, senses, _ in self._blocks.values() for r in (*forces, *senses)}
        for row in rows:
            entries = sorted(
                (self._number(c, row.name), value)
                for c, value in row.coefficients.items()
                if value != 0.0 or self._is_moving(row.name)
            )
            # a law may read a motion that the model leaves out: it stays zero
            if not entries and row.name not in of_laws:
                raise BuildError(f"row '{row.name}' has no entry: it moves with nothing")
            for column, value in entries:
                if not np.isfinite(value):
                    raise BuildError(f"row '{row.name}' has a coefficient that is not finite")
                indices.append(column)
                data.append(float(value))
            pointers.append(len(indices))
        return Sparse(data, indices, pointers, (len(rows), len(self._coordinates)))

    def _is_moving(self, name: str) -> bool:
        return any(name in group for group, _, _ in self._moving)

    def _number(self, coordinate: str, where: str) -> int:
        if coordinate not in self._coordinates:
            raise BuildError(f"row '{where}' uses the coordinate '{coordinate}', which does not exist")
        return self._coordinates[coordinate]

    def _mass_matrix(self) -> Sparse:
        n = len(self._coordinates)
        entries: dict[tuple[int, int], float] = {}
        for value, row in self._mass:
            for a, ca in row.items():
                for b, cb in row.items():
                    place = self._coordinates[a], self._coordinates[b]
                    entries[place] = entries.get(place, 0.0) + value * ca * cb
        for names, values in self._masses:
            index = [self._coordinates[name] for name in names]
            for i, j in zip(*np.nonzero(values), strict=True):
                place = index[i], index[j]
                entries[place] = entries.get(place, 0.0) + float(values[i, j])
        massless = [name for name, i in self._coordinates.items() if entries.get((i, i), 0.0) <= 0.0]
        if massless:
            raise BuildError(f"no inertia moves with {', '.join(massless)}")
        return Sparse.of({place: value for place, value in entries.items() if value != 0.0}, (n, n))

    def _inverse_mass(
        self, mass: Sparse, prescribed: dict[int, int], signals: list[Signal], numbers: dict[str, int]
    ) -> tuple[Sparse, list[tuple[int, int, float]]]:
        """Inverse of the free block; a prescribed coordinate gets its acceleration as an input of unit mass."""
        n = mass.shape[0]
        inputs: list[tuple[int, int, float]] = []
        for coordinate, signal, coefficient in self._inputs:
            column = self._number(coordinate, "an input")
            if column not in prescribed:
                inputs.append((column, numbers[signal], coefficient))
        fixed = set(prescribed)
        inverse: dict[tuple[int, int], float] = {}
        count, label = groups(mass)
        dense = mass.toarray()
        for component in range(count):
            members = [i for i in np.flatnonzero(label == component) if i not in fixed]
            if members:
                values = np.linalg.inv(dense[np.ix_(members, members)])
                values = 0.5 * (values + values.T)
                for a, i in enumerate(members):
                    for b, j in enumerate(members):
                        if values[a, b] != 0.0:
                            inverse[int(i), int(j)] = float(values[a, b])
        for column, which in prescribed.items():
            name = f"rate of {list(numbers)[which]}"
            if name not in numbers:
                numbers[name] = len(signals)
                signals.append(signals[which].derivative())
            inverse[column, column] = 1.0
            inputs.append((column, numbers[name], 1.0))
            for row in range(n):
                coupling = dense[row, column]
                if row not in fixed and coupling != 0.0:
                    inputs.append((row, numbers[name], -float(coupling)))
        return Sparse.of(inverse, (n, n)), inputs

    def _all_signals(self) -> tuple[list[Signal], dict[str, int]]:
        if not self._signals:
            self._signals["zero"] = constant(0.0)  # compiled loops want at least one
        return list(self._signals.values()), {name: i for i, name in enumerate(self._signals)}

    def _resolve_channels(self, rows: dict[str, int], signals: dict[str, int], lz: Any) -> tuple[Channel, ...]:
        blocks = {name: i for i, name in enumerate(self._blocks)}
        resolved = []
        for channel, terms in self._channels:
            found = []
            for source, name, coefficient in terms:
                if source is Source.FORCE:
                    index = rows[name]
                elif source in (Source.POSITION, Source.SPEED, Source.ACCELERATION):
                    index = self._coordinates[name]
                elif source is Source.STATE:
                    block, _, which = name.partition(":")
                    index = int(lz[blocks[block]]) + int(which or 0)
                elif source is Source.SIGNAL:
                    index = signals[name]
                else:
                    index = int(name or 0)
                found.append((source, index, float(coefficient)))
            resolved.append(replace(channel, terms=tuple(found)))
        seen: set[tuple[str, str, str]] = set()
        for channel in resolved:
            key = (channel.kind, channel.element, channel.quantity)
            if key in seen:
                raise BuildError(f"channel '{channel.name}' exists twice")
            seen.add(key)
        return tuple(resolved)


def _landings(signals: list[Signal]) -> Any:
    """Times after the start at which any signal bends or jumps [s]."""
    times = np.unique(np.concatenate([s.landings for s in signals])) if signals else np.zeros(0)
    return times[times > 0.0]


def _rigid_rates(rows: Sparse, rigid: Any) -> Any:
    """Rate (r, m) of every row per unit of every rigid motion, zero where it is round-off."""
    rho = np.zeros((len(rigid), rows.shape[0]))
    size = abs(rows) @ np.abs(rigid.T) if len(rigid) else np.zeros((rows.shape[0], 0))
    for i, u in enumerate(rigid):
        rate = rows @ u
        rho[i] = np.where(np.abs(rate) <= 1e-12 * size[:, i], 0.0, rate)
    return rho


def _force_columns(rows: Sparse, is_force: list[bool], prescribed: Mapping[int, int]) -> Sparse:
    """The force map by columns: entries of rows that carry force on coordinates that feel it."""
    acts = np.array(is_force, bool)[rows.rows] & ~np.isin(rows.indices, list(prescribed)) & (rows.data != 0.0)
    return Sparse.of_rows(rows.data[acts], rows.indices[acts], rows.rows[acts], rows.shape).T


def _rigid_motions(rows: Any, holding: Any, scale: Any) -> Any:
    """Basis (r, n) of the motions that move no holding row, from kinematics alone.

    Reduced so that each motion has one reference coordinate of value 1 that the others leave at rest, and
    refined once so that row rates are zero to round-off. The first coordinate that can serve is taken.
    """
    n = rows.shape[1]
    matrix = rows[np.flatnonzero(holding)].toarray() / scale[None, :] if holding.any() else np.zeros((1, n))
    size = np.linalg.norm(matrix, axis=1, keepdims=True)
    matrix = matrix / np.where(size > 0, size, 1.0)
    _, values, right = np.linalg.svd(matrix, full_matrices=True)
    rank = int((values > 1e-10 * max(values[0], 1.0)).sum()) if len(values) else 0
    basis = right[rank:]
    motions: list[Any] = []
    for column in range(n):
        if not len(basis):
            break
        pivot = np.abs(basis[:, column]).argmax()
        if abs(basis[pivot, column]) < 1e-6 * np.abs(basis).max():
            continue
        u = basis[pivot] / basis[pivot, column]
        basis = np.delete(basis, pivot, axis=0)
        basis = basis - np.outer(basis[:, column], u)
        motions = [m - m[column] * u for m in motions] + [u]
    if not motions:
        return np.zeros((0, n))
    u = np.array(motions)
    u[np.abs(u) < 1e-13 * np.abs(u).max(axis=1, keepdims=True)] = 0.0
    for _ in range(2):
        correction, *_ = np.linalg.lstsq(matrix, matrix @ u.T, rcond=1e-12)
        u = u - correction.T
    u[np.abs(u) < 1e-14 * np.abs(u).max(axis=1, keepdims=True)] = 0.0
    return u / scale[None, :] / np.array([(m / scale)[np.flatnonzero(m)[0]] for m in u])[:, None]
