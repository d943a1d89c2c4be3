"""Writes a plant as C: as rows and translated laws for any compiler (:mod:`.rows_source`) or, where that cannot be, as the table of the
explicit engine with the object code of what it calls."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gearwright.errors import CouplingError
from gearwright.kernels import Compiled
from gearwright.solve.runge_kutta import table as T
from gearwright.solve.runge_kutta.engine import ExplicitEngine
from gearwright.solve.runge_kutta.fill import needed
from gearwright.solve.runge_kutta.together import groups

from .c_tables import array, number, text
from .compiler import SOURCES, build_shared
from .machine_code import LOOP, object_code, symbol
from .plant import Plant
from .rows_source import no_source, write_rows

#: C files that step a plant from plain C, and one that brings its machine code
ROWS, MACHINE = ("rows.c", "explicit.c", "exponential.c"), ("engine.c", "runtime.c")
#: headers of both
HEADERS = ("engine.h", "rows.h", "fmi.h")

#: slots that the C wrapper knows, in the order of gw_slot_numbers
_NUMBERS = (
    "N",
    "M",
    "NZ",
    "NY",
    "NR",
    "CHANNELS",
    "RIGID",
    "Y",
    "KS",
    "RS",
    "VAL",
    "SSTART",
    "SCOEF",
    "STACK",
    "LBASE",
    "CFLAGS",
    "EVALUATE",
    "PHI",
    "PROJECTION",
    "U",
)


@dataclass(frozen=True)
class Parameter:
    """A number that may be changed before the start: place in a slot's array, or the speed of the rotor (slot -1)."""

    name: str
    unit: str
    description: str
    slot: int
    entry: int
    value: float


@dataclass(frozen=True)
class Model:
    """A plant as C source, the files of ``c`` that step it, and the object code that goes with it: none where the source is whole;
    ``bound`` says why it is not."""

    source: str
    parts: tuple[str, ...]
    objects: dict[str, bytes]
    parameters: tuple[Parameter, ...]
    outputs: tuple[int, ...]
    bound: str = ""


def write_model(
    plant: Plant,
    tolerance: float = 1e-6,
    interval: float = 1e-3,
    outputs: tuple[int, ...] | None = None,
) -> Model:
    """The plant as C.

    Parameters
    ----------
    tolerance : of the engine, relative to the nominal deflection
    interval : longest first step [s]
    outputs : numbers of the channels to bring out; default: all
    """
    system = plant.system
    engine = ExplicitEngine()
    reason = engine.refuses(system)
    if reason:
        raise CouplingError(reason)
    numbers = tuple(range(len(system.channels))) if outputs is None else outputs
    state = plant.state.copy()
    plan = engine.prepare(system, tuple(system.channels[i] for i in numbers), interval, tolerance)
    engine.weigh(plan, state)
    table = plan.table
    parameters = _parameters(plant)
    bound = no_source(system, [p.signal for p in plant.ports])
    if not bound:
        ends = [(p.signal, -1 if p.rate is None else p.rate) for p in plant.ports]
        changed = {-1: -1, T.K: 0, T.C: 1}
        source = write_rows(plant, table, tolerance, numbers) + _common(
            plant, table, ends, [changed[p.slot] for p in parameters], parameters, numbers
        )
        return Model(source, ROWS, {}, parameters, numbers)
    engine.enter(plan, state)
    # laws that foresee where they bend save steps; a unit of its own does without
    table.size(T.AHEADS, 0)
    table.put(T.AHEAD_ADDR, np.zeros(1), np.int64)
    for address in (0, 1):  # the engine writes its own
        table.arrays[T.TOGETHER][address::4] = 0
    functions = _functions(plant, tolerance)
    used = {f for _, _, f in functions} | {LOOP}
    source = _source(plant, table, functions, numbers) + _common(
        plant,
        table,
        [
            (int(system.arrays.sptr[p.signal]), -1 if p.rate is None else int(system.arrays.sptr[p.rate]))
            for p in plant.ports
        ],
        [p.slot for p in parameters],
        parameters,
        numbers,
    )
    return Model(source, MACHINE, {symbol(f): object_code(f) for f in used}, parameters, numbers, bound)


def build_model(model: Model, output: Path, wrappers: tuple[str, ...], exports: tuple[str, ...]) -> Path:
    """Compile a model with wrappers (names of files in ``c``) into a shared library with the names ``exports``."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="gearwright-model-") as name:
        folder = Path(name)
        (folder / "model.c").write_text(model.source)
        objects = []
        for key, code in model.objects.items():
            objects.append(folder / f"{key}.o")
            objects[-1].write_bytes(code)
        sources = [folder / "model.c", *(SOURCES / w for w in (*model.parts, *wrappers))]
        return build_shared(output, sources, objects, exports=exports)


def _functions(plant: Plant, tolerance: float) -> list[tuple[int, int, Compiled]]:
    """(slot, entry, function): entry -1 is the slot itself."""
    found = [(slot, -1, function) for slot, function in needed(plant.system, tolerance).items()]
    for i, law in enumerate(plant.system.laws):
        found.append((T.LADDR, i, law.force))
        if law.guard is not None:
            found.append((T.LGUARD, i, law.guard))
    for g, group in enumerate(groups(plant.system)):
        found.append((T.TOGETHER, 4 * g, (plant.system.laws[group[0]].together or ())[0]))
    if len(plant.system.arrays.grow):
        raise CouplingError("mechanisms (fidelity multibody) are not exported; choose torsional, planar or spatial")
    return found


def _parameters(plant: Plant) -> tuple[Parameter, ...]:
    system = plant.system
    rotor = f"{plant.rotor}.rotation"
    speed = float(system.v0[system.coordinates.index(rotor)]) if rotor in system.coordinates else 0.0
    made = [
        Parameter("start_speed", "rad/s", f"speed of {plant.rotor} at the start; all bodies turn with it", -1, 0, speed)
    ]
    first = system.spring_rows.start
    a = system.arrays
    for i in range(system.shape.springs):
        row = system.rows[first + i]
        if a.k[i] > 0.0 and a.f0[i] == 0.0 and row.endswith(".torsion"):
            element = row.removesuffix(".torsion")
            made.append(
                Parameter(f"{element}.stiffness", "N.m/rad", f"torsional stiffness of {element}", T.K, i, float(a.k[i]))
            )
            made.append(
                Parameter(f"{element}.damping", "N.m.s/rad", f"torsional damping of {element}", T.C, i, float(a.c[i]))
            )
    return tuple(made)


def _gains(plant: Plant, table: T.Table) -> Any:
    """Acceleration of every coordinate per unit of what acts at every port (torque, or rate of a speed)."""
    n = plant.system.shape.coordinates
    gain = np.zeros((len(plant.ports), n))
    driven = int(table.slots[T.DRIVEN])
    for place, port in enumerate(plant.ports):
        acts = port.signal if port.rate is None else port.rate
        for e in range(driven):
            if int(table.arrays[T.XU][e]) == acts:
                gain[place, int(table.arrays[T.XI][e])] += table.arrays[T.XV][e]
    return gain.ravel()


def _source(plant: Plant, table: T.Table, functions: list[tuple[int, int, Compiled]], outputs: tuple[int, ...]) -> str:
    """The table of the explicit engine."""
    system = plant.system
    lines = ['#include "engine.h"', ""]
    sizes = table.slots.copy()
    listed = []
    for slot, values in table.arrays.items():
        sizes[slot] = 0
        integer = values.dtype != np.float64
        name = "NULL"
        if slot in (T.LADDR, T.LGUARD):
            values = (np.asarray(values) != 0).astype(np.int64)  # the engine writes its own addresses
        if np.asarray(values).any():
            name = f"a{slot}"
            lines.append(array(name, values, "static int64_t" if integer else "static double"))
        listed.append(f"{{{slot},{int(integer)},{len(values)},{name}}}")
    for slot, entry, _ in functions:
        if entry < 0:
            sizes[slot] = 0
    names = {symbol(f) for _, _, f in functions}
    lines += [f"extern void {name}(void);" for name in sorted(names)]
    lines.append(f"const int gw_slots = {len(sizes)};")
    lines.append(array("gw_sizes", sizes, "int64_t"))
    lines.append(f"const gw_array gw_arrays[] = {{{','.join(listed)}}};")
    lines.append(f"const int gw_array_count = {len(listed)};")
    entries = ",".join(f"{{{slot},{entry},{symbol(f)}}}" for slot, entry, f in functions)
    lines.append(f"const gw_function gw_functions[] = {{{entries}}};")
    lines.append(f"const int gw_function_count = {len(functions)};")
    # the engine's own table has them in tiles for its vectors
    sums = system.lines(tuple(system.channels[i] for i in outputs))
    lines += [
        array("gw_line_ptr", sums.ptr, "int64_t"),
        array("gw_line_idx", sums.idx, "int64_t"),
        array("gw_line_coef", sums.coef),
    ]
    numbers = ",".join(
        str(getattr(T, name)) if name != "CFLAGS" or T.CFLAGS in table.arrays else "-1" for name in _NUMBERS
    )
    lines.append(f"const gw_slot_numbers gw_slot = {{{numbers}}};")
    return "\n".join(lines) + "\n"


def _common(
    plant: Plant,
    table: T.Table,
    ends: list[tuple[int, int]],
    slots: list[int],
    parameters: tuple[Parameter, ...],
    outputs: tuple[int, ...],
) -> str:
    """What both kinds of sources have: ports at ``ends`` (signal, rate), parameters in ``slots``, names."""
    system = plant.system
    ports = ", ".join(
        f"{{{text(p.name)}, {signal}, {rate}, {number(p.factor)}, {number(p.start)}}}"
        for p, (signal, rate) in zip(plant.ports, ends, strict=True)
    )
    made = ", ".join(
        f"{{{text(p.name)}, {slot}, {p.entry}, {number(p.value)}}}" for p, slot in zip(parameters, slots, strict=True)
    )
    lines = [
        f"const gw_port gw_ports[] = {{{ports}}};",
        f"const int gw_port_count = {len(plant.ports)};",
        f"const gw_parameter gw_parameters[] = {{{made}}};",
        f"const int gw_parameter_count = {len(parameters)};",
        f"const int gw_output_count = {len(outputs)};",
        array("gw_mass", np.asarray(system.mass.toarray())),
        array("gw_gain", _gains(plant, table)),
        f"const double gw_start_speed = {number(parameters[0].value)};",
        'const char gw_identity[] = "";',
        f"const char gw_row_names[] = {text(';'.join(system.rows))};",
    ]
    return "\n".join(lines) + "\n"
