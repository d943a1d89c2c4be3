"""Writes a plant as plain C for any compiler: its rows as tables, its laws translated. See ``c/rows.h``.

What the files in ``c`` cannot step (rigid rows, friction rows, rows that move, laws without a translation, signals that vary by
themselves) is refused with the reason; such a plant goes out as machine code (:mod:`gearwright.couplings.model_source`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from gearwright.kernels import Compiled
from gearwright.solve.exponential.engine import mesh_frequency
from gearwright.solve.runge_kutta import table as T
from gearwright.system import System

from .c_tables import array, number
from .c_translation import PRELUDE, NoC, Translation
from .plant import Plant

#: steps per period of the highest mesh frequency at the coarsest
PER_PERIOD = 3.0
#: part of the largest force that counts as the size of a small one, in what both do to the speeds
SMALL = 0.01
#: error of the forces that a step may show over the tolerance: what is left of it after the step is a thirtieth
SHOWN = 1.0


def no_source(system: System, ports: Sequence[int]) -> str:
    """Why a system whose signals vary at ``ports`` alone has no sources; empty where it has."""
    s = system.shape
    if s.hard:
        return f"row '{system.rows[int(system.arrays.hard[0])]}' is rigid"
    if s.friction:
        return f"row '{system.rows[int(system.arrays.fric[0])]}' sticks and slips"
    if len(system.arrays.grow):
        return f"row '{system.rows[int(system.arrays.grow[0])]}' moves"
    for i, signal in enumerate(system.signals):
        rates = {
            system.signal_names.index(f"rate of {system.signal_names[j]}")
            for j in ports
            if f"rate of {system.signal_names[j]}" in system.signal_names
        }
        if i not in {*ports, *rates} and (
            signal.sine[0] or np.abs(signal.coefficients[:, 1:]).max(initial=0.0) > 1e-29
        ):
            return f"the signal '{system.signal_names[i]}' varies by itself"
    try:
        _translate(system)
    except NoC as error:
        return f"a law has no translation: {error}"
    return ""


def _translate(system: System) -> tuple[Translation, dict[Compiled, str]]:
    made, names = Translation(), {}
    for law in system.laws:
        for function in (law.force, law.guard, law.opens):
            if function is not None and function not in names:
                names[function] = made.law(function)
    return made, names


def write_rows(plant: Plant, table: T.Table, tolerance: float, outputs: Sequence[int]) -> str:
    """The tables and laws of a plant as C. Raises NoC where a law has no translation."""
    system = plant.system
    translation, names = _translate(system)
    lines = ['#include "rows.h"', "", "#include <math.h>", "#include <stdlib.h>", ""]
    if translation.texts:
        lines += [PRELUDE, *translation.texts]
    lines += _sizes(system)
    rows = system.D.scipy.tocsr()
    lines += _sparse("gw_rows_of", rows)
    lines += _sparse("gw_accelerations_of", force_map(system))
    sums = system.lines(tuple(system.channels[i] for i in outputs))
    lines += _sparse(
        "gw_lines",
        sp.csr_matrix(
            (sums.coef, sums.idx.astype(np.int32), sums.ptr.astype(np.int32)),
            shape=(len(outputs), int(sums.base[-1]) + 1 + system.shape.rigid),
        ),
    )
    a, size = system.arrays, 2 * system.shape.coordinates + system.shape.states
    weights = table.arrays[T.WEIGHT][:size]
    signals = [float(a.scoef[4 * int(a.sptr[i])]) for i in range(len(system.signals))]
    for name, values in (
        ("offsets", a.off),
        ("rho", a.rho),
        ("u", a.u),
        ("projection", table.arrays[T.PROJECTION]),
        ("a0", table.arrays[T.ACC0]),
        ("k", a.k),
        ("c", a.c),
        ("f0", a.f0),
        ("signal_values", signals),
        ("weights", weights),
        ("start_state", np.concatenate([plant.state.q, plant.state.v, plant.state.z])),
    ):
        lines.append(array(f"gw_{name}", values))
    lines += _laws(system, names)
    lines += _driven(system, table)
    frequency = mesh_frequency(system)
    longest = 1.0 / (PER_PERIOD * frequency) if frequency > 0.0 else 1e6
    for name, value in (("tolerance", tolerance), ("shown", SHOWN), ("longest", longest), ("fastest", fastest(system))):
        lines.append(f"const double gw_{name} = {number(value)};")
    lines.append(f"const int gw_is_smooth = {int(steps_smoothly(system))};")
    return "\n".join(lines) + "\n"


def steps_smoothly(system: System) -> bool:
    """Whether all laws are without jumps and states, so that exponential steps serve."""
    return not system.shape.states and all(law.guard is None for law in system.laws)


def fastest(system: System) -> float:
    """Largest eigenvalue [1/s] of the linear reference."""
    mass, stiffness, damping = (m[np.ix_(system.free, system.free)] for m in system.linear())
    n = len(mass)
    inverse = np.linalg.inv(mass)
    first = np.block([[np.zeros((n, n)), np.eye(n)], [-inverse @ stiffness, -inverse @ damping]])
    return float(np.abs(np.linalg.eigvals(first)).max(initial=0.0))


def force_map(system: System) -> Any:
    """What a force of every row does to the accelerations, negative: ``M^-1 D^T``, sparse (n, m)."""
    a, n, m = system.arrays, system.shape.coordinates, system.shape.rows
    columns = sp.csc_matrix((a.cval, a.crow.astype(np.int32), a.cptr.astype(np.int32)), shape=(m, n)).T
    inverse = sp.csr_matrix((a.minv, a.midx.astype(np.int32), a.mptr.astype(np.int32)), shape=(n, n))
    made = (inverse @ columns).tocsr()
    made.sort_indices()
    made.data[np.abs(made.data) <= 1e-290] = 0.0
    made.eliminate_zeros()
    return made


def _sizes(system: System) -> list[str]:
    s = system.shape
    sizes = {
        "n": s.coordinates,
        "m": s.rows,
        "states": s.states,
        "springs": s.springs,
        "signals": len(system.signals),
        "rigid": s.rigid,
        "laws": s.laws,
        "driven_count": len(system.prescribed),
    }
    return [f"const int gw_{name} = {value};" for name, value in sizes.items()]


def _sparse(name: str, matrix: Any) -> list[str]:
    return [
        array(f"{name}_begin", matrix.indptr, "static int"),
        array(f"{name}_column", matrix.indices, "static int"),
        array(f"{name}_value", matrix.data, "static double"),
        f"const gw_sparse {name} = {{{name}_begin, {name}_column, {name}_value}};",
    ]


def _laws(system: System, names: dict[Compiled, str]) -> list[str]:
    lines, entries = [], []

    def called(function: Compiled | None) -> str:
        return "NULL" if function is None else names[function]

    shared: dict[tuple[float, ...], str] = {}
    for i, (law, (k, c)) in enumerate(zip(system.laws, system.law_gradients(), strict=True)):
        key = tuple(law.parameters)
        if key not in shared:
            shared[key] = f"parameters{i}"
            lines.append(array(shared[key], law.parameters, "static double").replace("static const", "static", 1))
        lines += [array(f"stiffness{i}", k.ravel(), "static double"), array(f"damping{i}", c.ravel(), "static double")]
        a = system.arrays
        entries.append(
            f"  {{{names[law.force]}, {called(law.guard)}, {called(law.opens)}, {int(a.lrow[i])}, {law.rows}, {law.senses}, "
            f"{int(a.lz[i])}, {shared[key]}, stiffness{i}, damping{i}}}, /* {system.blocks[i]} */"
        )
    return [*lines, "const gw_law gw_law_table[] = {", *(entries or ["  {0}"]), "};"]


def _driven(system: System, table: T.Table) -> list[str]:
    lines, entries = [], []
    begin, which, value = (table.arrays[slot] for slot in (T.PJP, T.PJI, T.PJV))
    for p, (coordinate, signal) in enumerate(system.prescribed.items()):
        along = np.zeros(system.shape.coordinates)
        along[coordinate] = 1.0
        for e in range(int(begin[p]), int(begin[p + 1])):
            along[int(which[e])] += value[e]
        lines.append(array(f"along{p}", along, "static double"))
        entries.append(f"{{{coordinate}, {signal}, along{p}}}")
    return [*lines, f"const gw_driven gw_driven_table[] = {{{', '.join(entries) or '{0}'}}};"]
