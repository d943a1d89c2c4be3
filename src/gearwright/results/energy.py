"""The energy book of a run: where the work of the inputs went, and whether the sums close."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gearwright.kernels import START
from gearwright.system import State, System

Float = NDArray[np.float64]

#: Part of the kinetic energy below which nothing was done: a few units of its last place.
ROUND_OFF = 1e-15


@dataclass(frozen=True)
class EnergyBook:
    """Terms [J], positive where energy is supplied to the motion; ``largest`` is the largest energy or work met between."""

    terms: Mapping[str, float]
    largest: float = 0.0

    @property
    def closure(self) -> float:
        """What the terms leave over [J]; zero but for the errors of integration."""
        return float(sum(self.terms.values()))

    @property
    def error(self) -> float:
        """Closure relative to the largest energy or work between, whichever is larger; zero if nothing moved."""
        size = max([self.largest, *(abs(x) for x in self.terms.values())])
        return abs(self.closure) / size if size > 0.0 else 0.0


def energy_book(system: System, start: State, end: State, before: EnergyBook | None = None) -> EnergyBook:
    """Book of the motion between two states of one run.

    ``before`` is a book from the same start to some instant between: what was large there counts for the error.

    Terms, in this order (those without a cause in the system are left out):

    - ``input <signal>``: work of an input, summed over the coordinates it acts on
    - ``prescribed <coordinate>``: work of what makes a coordinate follow its speed
    - ``machine <row>``: work of a row with a speed offset, ``c (dv - v0)`` (slope of a machine or load)
    - ``damping <kind>``: heat in constant dampers, by kind of element
    - ``friction <element>``: heat of a mesh loss, brake, clutch, drag or bearing friction; laws that keep account of
      their own heat (the mesh that loses in series, a vehicle) add theirs by its name
    - ``constraints``: work of hard rows
    - ``law <block>``: work of a law that stores nothing it can tell (a machine), heat of its damper apart
    - ``parametric``: what stiffness that varies by itself puts in, with the heat of dampers that vary with it
    - ``stored``: energy of springs and of laws, negative when it grew
    - ``impact``: lost in locking
    - ``kinetic``: kinetic energy, negative when it grew

    Springs enter by their stored energy and heat, not by the work the engine integrated: where the two differ,
    the book does not close.
    """
    a = system.arrays
    motion = _Motion(system, start, end)
    done = end.input_work - start.input_work
    for i in range(system.shape.inputs):
        motion.book(f"input {system.signal_names[int(a.bu[i])]}", done[i])
    reaction = end.reaction_work - start.reaction_work
    for coordinate in system.prescribed:
        motion.book(f"prescribed {system.coordinates[coordinate]}", reaction[coordinate])
    motion.book_springs()
    for block in range(len(system.laws)):
        motion.book_law(block)
    for row in a.fric.astype(np.int64):
        motion.book(f"friction {motion.element(system.rows[row])}", -motion.work[row])
    if len(a.hard):
        motion.book("constraints", -motion.work[a.hard.astype(np.int64)].sum())
    motion.book("stored", -motion.gained)
    impact = float(end.impact[0] - start.impact[0])
    if impact:
        motion.book("impact", -impact)
    moving = system.kinetic_energy(start.v), system.kinetic_energy(end.v)
    motion.book("kinetic", moving[0] - moving[1])
    terms = motion.terms
    if sum(abs(x) for x in terms.values()) < ROUND_OFF * max(moving):
        terms = dict.fromkeys(terms, 0.0)  # a train that runs free: what the terms say is how numbers are rounded
    between = 0.0 if before is None else max([before.largest, *(abs(x) for x in before.terms.values())])
    return EnergyBook(terms, max(between, *(k + s for k, s in zip(moving, motion.stored, strict=True))))


class _Motion:
    """The motion between two states whose terms are gathered: ``stored`` energy at both [J], and what it ``gained``."""

    def __init__(self, system: System, start: State, end: State):
        self.system, self.start, self.end = system, start, end
        self.work = end.row_work - start.row_work
        self.heat = end.row_heat - start.row_heat
        self.before, self.after = start.deflections(system), end.deflections(system)
        self.kinds = {channel.element: channel.kind for channel in system.channels}
        self.terms: dict[str, float] = {}
        self.stored, self.gained = [0.0, 0.0], 0.0

    def book(self, name: str, value: float) -> None:
        """Add to a term."""
        self.terms[name] = self.terms.get(name, 0.0) + float(value)

    def store(self, one: float, two: float) -> float:
        """Count energy that is stored at the start and at the end; what it gained."""
        self.stored[0] += one
        self.stored[1] += two
        self.gained += two - one
        return two - one

    def kind(self, row: str) -> str:
        """Kind of the element a row belongs to."""
        return _kind(row, self.kinds)

    def element(self, row: str) -> str:
        """Element that a row belongs to."""
        return _element(row, self.kinds)

    def book_springs(self) -> None:
        """Heat of constant dampers, work of rows with a speed offset, energy of springs."""
        a, rows, first = self.system.arrays, self.system.rows, self.system.spring_rows.start
        for j in range(self.system.shape.springs):
            row = first + j
            one, two = (0.5 * a.k[j] * d[row] ** 2 for d in (self.before[0], self.after[0]))
            gained = self.store(one, two)
            if a.f0[j] != 0.0:
                self.book(f"machine {rows[row]}", gained - self.work[row])
            else:
                self.book(f"damping {self.kind(rows[row])}", -self.heat[row])

    def book_law(self, block: int) -> None:
        """Heat, energy and the rest of the work of a law."""
        system, law, name = self.system, self.system.laws[block], self.system.blocks[block]
        rows = system.law_rows(block)
        lost = float(self.heat[rows].sum()) if law.damping else 0.0
        rest = float(self.work[rows].sum()) - lost
        if lost:
            self.book(f"damping {self.kind(name)}", -lost)
        for heat, gained in zip(law.heat, _heat(system, block, self.start, self.end), strict=True):
            self.book(f"{heat} {self.kind(name) if heat == 'damping' else self.element(name)}", -gained)
            rest -= gained
        if law.energy is None:
            self.book(f"law {name}", -rest)
            return
        one, two = (
            _law_energy(system, block, self.start, *self.before),
            _law_energy(system, block, self.end, *self.after),
        )
        gained = self.store(one, two)
        if law.parametric:
            # without a sense nothing but its own deflection varies the law: what is missing has become heat
            self.book("parametric" if law.senses else f"damping {self.kind(name)}", gained - rest)


def _heat(system: System, block: int, start: State, end: State) -> list[float]:
    """What the heat states of a law have gathered between two states [J]."""
    last = int(system.arrays.lz[block + 1])
    which = slice(last - len(system.laws[block].heat), last)
    return [float(x) for x in end.z[which] - start.z[which]]


def _element(row: str, kinds: Mapping[str, str]) -> str:
    """Name of the element a row belongs to: the longest element name that begins the row's name, or the row's."""
    name = row
    while name not in kinds and "." in name:
        name = name.rpartition(".")[0]
    return name if name in kinds else row


def _kind(row: str, kinds: Mapping[str, str]) -> str:
    """Kind of the element a row belongs to: the longest element name that begins the row's name."""
    return kinds.get(_element(row, kinds), "other")


def _law_energy(system: System, block: int, state: State, d: Float, dv: Float) -> float:
    law = system.laws[block]
    first = int(system.arrays.lrow[block])
    rows = slice(first, first + law.rows + law.senses)
    states = slice(int(system.arrays.lz[block]), int(system.arrays.lz[block + 1]))
    mode = int(state.modes[block])
    if mode == START:
        mode = _first_mode(system, block, state, d[rows], dv[rows], state.z[states])
    assert law.energy is not None
    return float(law.energy(d[rows], dv[rows], state.z[states], mode))


def _first_mode(system: System, block: int, state: State, d: Float, dv: Float, z: Float) -> int:
    """Mode of a law whose guard was not asked yet."""
    law = system.laws[block]
    if law.guard is None:
        return 0
    signals = np.array([float(s(state.t)) for s in system.signals] or [0.0])
    pointer = ctypes.POINTER(ctypes.c_double)
    arrays = [
        np.ascontiguousarray(x if len(x) else [0.0], float)
        for x in (d, dv, np.array(law.parameters), z, signals, np.zeros(2))
    ]
    *given, margin = [x.ctypes.data_as(pointer) for x in arrays]
    return int(law.guard.ctypes(state.t, *given, START, margin))
