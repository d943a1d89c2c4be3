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
    work = end.row_work - start.row_work
    heat = end.row_heat - start.row_heat
    d0, v0 = start.deflections(system)
    d1, v1 = end.deflections(system)
    kinds = {channel.element: channel.kind for channel in system.channels}
    terms: dict[str, float] = {}

    def book(name: str, value: float) -> None:
        terms[name] = terms.get(name, 0.0) + float(value)

    done = end.input_work - start.input_work
    for i in range(system.shape.inputs):
        book(f"input {system.signal_names[int(a.bu[i])]}", done[i])
    for coordinate in system.prescribed:
        reaction = end.reaction_work - start.reaction_work
        book(f"prescribed {system.coordinates[coordinate]}", reaction[coordinate])

    stored, held = 0.0, [0.0, 0.0]
    first = system.spring_rows.start
    for j in range(system.shape.springs):
        row = first + j
        one, two = (0.5 * a.k[j] * d[row] ** 2 for d in (d0, d1))
        held[0], held[1] = held[0] + one, held[1] + two
        gained = two - one
        stored += gained
        if a.f0[j] != 0.0:
            book(f"machine {system.rows[row]}", gained - work[row])
        else:
            book(f"damping {_kind(system.rows[row], kinds)}", -heat[row])

    for block, law in enumerate(system.laws):
        rows = system.law_rows(block)
        lost = float(heat[rows].sum()) if law.damping else 0.0
        rest = float(work[rows].sum()) - lost
        if lost:
            book(f"damping {_kind(system.blocks[block], kinds)}", -lost)
        for name, gained in zip(law.heat, _heat(system, block, start, end), strict=True):
            whose = (_kind if name == "damping" else _element)(system.blocks[block], kinds)
            book(f"{name} {whose}", -gained)
            rest -= gained
        if law.energy is None:
            book(f"law {system.blocks[block]}", -rest)
            continue
        one, two = _law_energy(system, block, start, d0, v0), _law_energy(system, block, end, d1, v1)
        held[0], held[1] = held[0] + one, held[1] + two
        gained = two - one
        stored += gained
        if law.parametric:
            # without a sense nothing but its own deflection varies the law: what is missing has become heat
            book("parametric" if law.senses else f"damping {_kind(system.blocks[block], kinds)}", gained - rest)
    for row in a.fric.astype(np.int64):
        book(f"friction {_element(system.rows[row], kinds)}", -work[row])
    if len(a.hard):
        book("constraints", -work[a.hard.astype(np.int64)].sum())
    book("stored", -stored)
    impact = float(end.impact[0] - start.impact[0])
    if impact:
        book("impact", -impact)
    moving = system.kinetic_energy(start.v), system.kinetic_energy(end.v)
    book("kinetic", moving[0] - moving[1])
    if sum(abs(x) for x in terms.values()) < ROUND_OFF * max(moving):
        terms = dict.fromkeys(terms, 0.0)  # a train that runs free: what the terms say is how numbers are rounded
    between = 0.0 if before is None else max([before.largest, *(abs(x) for x in before.terms.values())])
    return EnergyBook(terms, max(between, *(a + b for a, b in zip(moving, held, strict=True))))


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
    arrays = [np.ascontiguousarray(x if len(x) else [0.0], float) for x in
              (d, dv, np.array(law.parameters), z, signals, np.zeros(2))]  # fmt: skip
    *given, margin = [x.ctypes.data_as(pointer) for x in arrays]
    return int(law.guard.ctypes(state.t, *given, START, margin))
