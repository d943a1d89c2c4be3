"""B1: no compiled function takes a place in a table from a number that it has not checked.

A table read at a place that is none ends the process, so whatever could do it runs in a process of its own: this file is
also the program of that process, named by the word after it.
"""

import ast
import itertools
import math
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import gearwright
from gearwright.kernels.places import MOST, cell_of, whole_of, within_cells
from gearwright.results.counters import CountError, Counters

SOURCE = Path(gearwright.__file__).parent
#: zero, denormals, what overflows when squared, what no integer holds, what is no number
BAD = (0.0, -0.0, 5e-324, -1e-308, 1e18, -1e18, 1e300, -1e308, math.inf, -math.inf, math.nan)


# --- the conversion itself ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "x, cell",
    [(0.0, 0), (-0.0, 0), (5e-324, 0), (2.999, 2), (3.0, 3), (6.99, 6), (7.0, 6), (1e308, 6), (math.inf, 6),
     (-1e-308, 0), (-math.inf, 0), (math.nan, 0)],
)  # fmt: skip
def test_a_place_is_always_one_of_the_table(x, cell):
    assert cell_of(x, 7) == cell_of(x, 7.0) == cell
    assert math.floor(within_cells(x, 7.0)) == cell


@pytest.mark.parametrize(
    "x, whole", [(2.5, 2), (-0.5, -1), (-3.0, -3), (1e308, MOST), (-math.inf, -MOST), (math.nan, -MOST)]
)
def test_a_number_of_cycles_fits_an_integer(x, whole):
    assert whole_of(x) == whole


_COMPILED = {"kernel", "hot", "summed", "fused", "force", "guard", "together", "foreseer", "projector", "liner", "evaluator",
             "stepper"}  # fmt: skip
_CONVERSIONS = {"int", "int8", "int16", "int32", "int64", "intp", "uint8", "uint16", "uint32", "uint64"}
#: they return integers when compiled; np.floor and np.ceil return real numbers
_HIDDEN = {"math.floor", "math.ceil", "math.trunc", "floor", "ceil", "trunc", "round"}
#: conversions of numbers that we wrote ourselves as whole ones, or have checked a line before
_OURS = {
    "int(mode >> 2)", "int(mode % segments)", "int(place[m])", "np.int32(0)", "np.int32(place[i] <= bin)", "int(z1)", "int(z1 + z2)",
    "int(cells)", "int(cells - 1.0)", "int(within_cells(x, cells))", "int(x if x < MOST else MOST)",
    "np.int32(within_cells(value * inverse - first, bins))", "np.uint16(level_of(x[i], inverse, first, bins))",
    "int(level_of(least, inverse, lower, level_bins))", "int(level_of(most, inverse, lower, level_bins))",
    "np.int64(scalar[STEP])", "np.int64(SLOTS - 1)", "int(p[b + 3] + 4.0 * cell)", "int(f8(H[T.COUNT])[6])", "int(f8(law[T.USED])[2])", "int(known[2])", "int(leap[3 * q + 1])",
}  # fmt: skip


def _of_parameter(call):
    """A single entry of a table of parameters, counts or offsets, which we wrote: ``int(p[3])``, ``np.int64(par[1])``."""
    (what,) = call.args
    tables = {"p", "c", "par", "bl.par", "first", "forces", "senses", "ip", "iz", "sptr"}
    return isinstance(what, ast.Constant) or isinstance(what, ast.Subscript) and ast.unparse(what.value) in tables


def _conversions():
    marked = re.compile(rf"^\s*@.*\b({'|'.join(_COMPILED)})\b", re.MULTILINE)
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for function in ast.walk(ast.parse(text)) if marked.search(text) else ():
            if not isinstance(function, ast.FunctionDef):
                continue
            if not {ast.unparse(d).split("(")[0].split(".")[-1] for d in function.decorator_list} & _COMPILED:
                continue
            for call in ast.walk(function):
                if isinstance(call, ast.Call) and len(call.args) == 1:
                    name = ast.unparse(call.func)
                    if name.split(".")[-1] in _CONVERSIONS and not name.startswith("types.") or name in _HIDDEN:
                        yield f"{path.relative_to(SOURCE)}, {function.name}: {ast.unparse(call)}", call


def test_no_compiled_function_converts_a_real_number_by_itself():
    """All but parameters go through ``cell_of`` or ``whole_of``; math.floor and math.ceil convert too, np.floor does not."""
    found = dict(_conversions())
    assert len(found) > 30  # the search sees them
    wrong = [where for where, call in found.items() if not _of_parameter(call) and ast.unparse(call) not in _OURS]
    assert not wrong, "use gearwright.kernels.places:\n" + "\n".join(wrong)


# --- kernels in a process of their own ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "what",
    [
        pytest.param("laws", marks=pytest.mark.slow),
        "counters",
        pytest.param("turbine", marks=pytest.mark.slow),
        "signals",
    ],
)
def test_no_value_ends_the_process(what):
    done = subprocess.run([sys.executable, __file__, what], capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, f"{done.returncode}\n{done.stdout[-500:]}\n{done.stderr[-2000:]}"
    assert "done" in done.stdout


def _shipped_laws():
    """One law of each kind that the shipped drivetrains use, and those that none of them does."""
    from gearwright.laws.elastic_loss import elastic_loss
    from gearwright.laws.loaded_error import loaded_error
    from gearwright.laws.machine import torque_table
    from gearwright.laws.mesh_by_table import DifferentTeeth, mesh_by_table
    from gearwright.laws.mesh_cycle import level_curve, mesh_cycle
    from gearwright.laws.profile import profiled
    from gearwright.laws.ring_mesh import ring_mesh
    from gearwright.laws.rubbing import rubbing
    from gearwright.machines.engine import EngineMap, engine
    from gearwright.running.prepare import prepare
    from gearwright.stiffness.mesh_table import mesh_table
    from gearwright.targets.mesh import FORCE, one_mesh

    wavy = tuple(1.0 + 0.1 * np.sin(2.0 * np.pi * np.arange(8) / 8))
    yield torque_table([0.0, 100.0, 200.0], [0.0, 10.0, -5.0], 100.0)
    yield engine(EngineMap(full_load=((10.0, 100.0), (300.0, 50.0))), 0)
    yield engine(EngineMap(peak_torque=100.0, peak_speed=200.0, half_width=150.0), 0)
    yield rubbing([0.0, 1.0, 2.0], [1.0, 2.0, 3.0], 0.1)
    yield elastic_loss(1e8, 1e3, (0.9, 0.8), profiles=(wavy, wavy))
    pair = one_mesh()
    odd = DifferentTeeth(((0.0, 1e-5), (0.0, -1e-5, 0.0)), ((1.0, 0.7), (1.0,) * 3), (1, 0, 2, 3))
    yield mesh_by_table(mesh_table(pair, FORCE, phases=256), 1e5, excitations=((0, 1.0, 1e-6, 0.3),))
    yield mesh_by_table(mesh_table(pair, FORCE, phases=256), 1e5, backlash=2e-4)
    yield mesh_by_table(mesh_table(pair, FORCE, alike=False, phases=256), 1e5, backlash=1e-5, different=odd)
    yield loaded_error(pair.error(FORCE).error, FORCE, 1e5, pair.span, 0.2, 1e-4)
    mesh = mesh_cycle(level_curve(6e9, 3e9, 0.4), 1e3)
    yield mesh
    yield profiled(mesh, (wavy, wavy))
    yield ring_mesh([(0.0, 1.0, np.array([[2e8, 0.0, 0.0, 0.0]] * 4))], 0.0, 8, 0.3, True)
    yield ring_mesh(
        [(0.0, 0.4, np.array([[2e8, 0, 0, 0.0]])), (0.4, 0.6, np.array([[1e8, 0, 0, 0.0]]))], 0.0, 8, 0.3, True
    )
    for name, fidelity, law in (
        ("kahraman-oscillator", "torsional", "periodic"), ("nordtank-500kw-full", "torsional", "periodic"),
        ("nordtank-500kw-two-level", "torsional", "periodic"), ("nordtank-500kw-full", "torsional", "tooth_contact"),
        ("spur-pair-hertz", "torsional", "tooth_contact"), ("nrel-5mw-nejad-source", "planar", "periodic"),
        ("nrel-5mw-nejad-source", "torsional", "periodic"), ("nrel-5mw", "torsional", "periodic"),
        ("nrel-5mw-medium-speed", "torsional", "periodic"), ("tooth-wedging", "planar", "tooth_contact"),
        ("two-shaft-outer-ring-defect", "planar", "periodic"), ("cracked-tooth", None, None),
        ("wind-gearbox-hertz", "torsional", "tooth_contact"), ("nrel-5mw-nejad", "torsional", "two_level"),
    ):  # fmt: skip
        yield from prepare(gearwright.load(name), fidelity=fidelity, law=law).system.laws


def feed_laws():
    import ctypes

    from gearwright.kernels import START

    def pointer(x):
        return x.ctypes.data_as(ctypes.POINTER(ctypes.c_double))

    fed = {}
    for law in _shipped_laws():
        key = (law.force.__name__, getattr(law.guard, "__name__", ""), law.rows, len(law.parameters))
        if key in fed:
            continue
        fed[key] = 0
        n = law.rows + law.senses
        p = np.ascontiguousarray(law.parameters if len(law.parameters) else [0.0], float)
        z, s = np.zeros(max(len(law.states), 1)), np.ones(32)
        f, zd, g = np.zeros(n + 1), np.zeros(len(z)), np.zeros(2)
        places = [(slot, i) for slot in ("d", "dv") for i in (-1, *range(n))] + [("t", 0), ("z", 0)]
        for value, (slot, place) in itertools.product(BAD, places):
            for start in (1e-4, 0.37):
                t, d, dv, states = 0.1, np.full(n, start), np.full(n, 1e-3), z.copy()
                if slot == "t":
                    t = value
                else:
                    chosen = {"d": d, "dv": dv, "z": states}[slot]
                    chosen[place if place >= 0 else slice(None)] = value
                now = [pointer(x) for x in (d, dv, p, states, s)]
                mode = 0
                if law.guard is not None:
                    mode = law.guard.ctypes(t, *now, START, pointer(g))
                    law.guard.ctypes(t, *now, mode, pointer(g))
                law.force.ctypes(t, *now, mode, pointer(f), pointer(zd))
                fed[key] += 1
    names = {key[0] for key in fed}
    assert {
        "mesh_cycle_force",
        "tooth_contact_force",
        "floating_force",
        "floating_smooth_force",
        "mesh_by_table_force",
        "loaded_error_force",
        "roller_bearing_force",
        "profiled_force",
    } <= names, names


def feed_counters():
    rng = np.random.default_rng(7)
    noise = rng.normal(size=(3000, 1))
    decay = np.exp(-np.arange(3000.0))[:, None] * noise  # from 1 through all denormals to 0
    series = {
        "denormal noise": 1e-308 * noise, "least": 5e-324 * np.round(noise), "decay": decay, "growth": decay[::-1],
        "zeros": 0.0 * noise, "constant": 0.0 * noise + 7.25, "almost constant": 7.25 + 1e-15 * noise,
        "constant denormal": 0.0 * noise + 5e-324, "large": 1e149 * noise, "one": np.ones((1, 1)),
    }  # fmt: skip
    for name, x in series.items():
        counters = Counters(1, [0], [1.0, 4.0])
        for part in np.array_split(x, 7):
            if len(part):
                counters.add(part)
        c = counters.counts()
        assert c.samples_at_level.sum() == len(x), name  # every sample is in one bin
        assert c.cycles.sum() == c.range_mean.sum(), name
        assert c.minimum[0] == x.min() and c.maximum[0] == x.max(), name
        low = c.level_edges[0][np.flatnonzero(c.samples_at_level[0])]
        high = c.level_edges[0][np.flatnonzero(c.samples_at_level[0]) + 1]
        rounding = 1e-12 * (high - low).max()
        assert low.min() <= x.min() + rounding and x.max() <= high.max() + rounding, name  # and the bins hold them
        # the sum of all ranges is half the way up and down (denormal ranges keep few digits)
        way = np.abs(np.diff(x[:, 0])).sum()
        assert c.damage[0, 0] <= way and math.isfinite(c.damage[0, 0]), name
    for bad in (1e308, -1e160, math.inf, math.nan):
        for whole in (np.array([[bad]]), np.array([[0.0], [bad], [1.0]])):
            try:
                Counters(1, [0], [4.0]).add(whole)
            except CountError as error:
                assert error.sample == int(np.flatnonzero(whole[:, 0] == bad)[0] if bad == bad else len(whole) // 2)
            else:
                raise AssertionError(f"{bad} was counted")


def feed_turbine():
    from gearwright.turbine import load
    from gearwright.turbine import wind as air
    from gearwright.turbine.bem import blade, look_up

    turbine = load("nrel-5mw")
    arrays = air.turbulent(turbine, 12.0, 3, duration=20.0).arrays()
    foil = blade(turbine, 1.225)
    out = np.zeros(6)
    held = arrays.series.reshape(6, -1)
    for x in (*BAD, -0.25, -3.0, 1e7, -1e7):
        air.sample_series(arrays, x, out)
        if math.isfinite(x) and x < 0.0:
            np.testing.assert_array_equal(out, held[:, 0])  # held before the begin as behind the end
        if x > 1e6:
            np.testing.assert_array_equal(out, held[:, -1])
        air.sample_profile(arrays.profile, arrays.par[3], int(arrays.size[4]), x)
        for place in ((x, 30.0, 1.0), (5.0, x, 1.0), (5.0, 30.0, x), (x, x, x)):
            air.sample_field(arrays.flow, arrays.par, arrays.size, *place)
        for i in (0, 1):
            look_up(foil.lift, i, x)


def feed_signals():
    from gearwright.system.signals import find_piece, pack, table

    sptr, sstart, _, _, sdt = pack([table(np.arange(50) * 0.1, np.sin(np.arange(50.0)))])
    assert sdt[0] > 0.0
    last = int(sptr[1]) - 1
    for t in BAD:
        assert 0 <= find_piece(sptr, sstart, sdt, 0, t) <= last
    piece = find_piece(sptr, sstart, sdt, 0, 0.25)
    assert sstart[piece] <= 0.25 < sstart[piece + 1]


if __name__ == "__main__":
    globals()[f"feed_{sys.argv[1]}"]()
    print("done")
