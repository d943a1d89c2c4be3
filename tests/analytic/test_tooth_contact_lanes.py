"""Eight meshes at once against the law of one mesh, and the instructions it is made of against arithmetic."""

import ctypes
from dataclasses import replace

import numpy as np
import pytest

from gearwright.assembly.contact import contact
from gearwright.kernels import kernel
from gearwright.kernels.pointers import f8, i8
from gearwright.kernels.simd import bits, blocks, choose, least, put, put_blocks, put_each, root, rows, size, whole
from gearwright.laws.tooth_contact import look, tooth_contact
from gearwright.train.expand import expand
from gearwright.train.open import load

REAL, WORD = ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_int64)


def pointer(array):
    return array.ctypes.data_as(WORD if array.dtype == np.int64 else REAL)


def eight_laws():
    """External and internal meshes, with and without contact data, relief, damping; eight different ones."""
    hertz = expand(load("spur-pair-hertz"))
    bare = expand(load("spur-pair-hertz", ["stages.pair.pinion.tip_relief=null", "stages.pair.wheel.tip_relief=null"]))
    stage = expand(load("nordtank-500kw", [
        f"stages.stage1.meshes.{m}.stiffness={{from: iso6336}}" for m in ("sun_planet", "ring_planet")
    ]))  # fmt: skip
    found = []
    for train, name in (
        (hertz, "pair.mesh"), (bare, "pair.mesh"), (stage, "stage1.sun_planet1"), (stage, "stage1.ring_planet1"),
    ):  # fmt: skip
        made = contact(train.meshes[name], train, lambda k: 1e-4 * k)
        soft = replace(made.data, contact=None, compliance=(1.0 / made.stiffness,))
        found += [tooth_contact(data, True, made.stiffness, 1.0) for data in (made.data, soft)]
    assert len({law.parameters for law in found}) == 8 and all(law.together is not None for law in found)
    return found


def random_rows(laws, rng, reach, apart=5e-5):
    """Deflections of the drive flank about ``reach``, centres displaced, coast flanks ``apart`` by more than that."""
    d, dv = np.zeros((8, 8)), np.zeros((8, 8))
    for i in range(8):
        drive = rng.normal(reach, reach)
        d[i] = drive, -drive - apart, rng.normal(0, 1e-3), 0, 0, *rng.normal(0, 2e-5, 2), rng.uniform(-300.0, 300.0)
        dv[i] = *rng.normal(0, 1e-3, 2), rng.normal(0, 10.0), 0, 0, *rng.normal(0, 1e-3, 2), 1000.0
    return d, dv


def alone(law, d, dv):
    f, heat = np.zeros(8), np.zeros(1)
    parameters, none = np.array(law.parameters), np.zeros(1)
    law.force.ctypes(0.0, *map(pointer, (d, dv, parameters, none, none)), 0, pointer(f), pointer(heat))
    return f, heat[0]


def together(laws, d, dv, reports):
    where, states = 8 * np.arange(8), np.arange(8)
    f, heat = np.zeros((8, 8)), np.zeros(8)
    table = np.array([law.parameters for law in laws]).T.copy()
    left = laws[0].together[0].ctypes(
        *map(pointer, (where, states, states)), 0.0, *map(pointer, (d, dv, table, table, f, heat)), reports
    )  # fmt: skip
    return f, heat, left, table, where


def test_eight_meshes_at_once_are_eight_times_one():
    laws, rng = eight_laws(), np.random.default_rng(4)
    loaded = wedged = 0
    for reach, apart in ((1e-6, 5e-5), (1e-5, 5e-5), (4e-5, 5e-5), (1e-5, -6e-4), (1e-5, -3e-4)):
        for _ in range(150):
            d, dv = random_rows(laws, rng, reach, apart)
            f, heat, left, table, where = together(laws, d, dv, 1)
            assert left == 0
            for i, law in enumerate(laws):
                expected, lost = alone(law, d[i], dv[i])
                loaded += expected[0] > 0.0
                wedged += expected[4] > 0.0
                # products of some ten factors, fused or not: round-off of the largest part of each sum
                scale = 1e-12 * (np.abs(expected[:3]).max() + 1.0)
                np.testing.assert_allclose(f[i], expected, rtol=1e-10, atol=scale)
                assert heat[i] == pytest.approx(lost, rel=1e-9, abs=scale)
            bends = []
            for law, one, rate in zip(laws, d, dv, strict=True):
                g, parameters, none = np.array([1e-7, 0.0]), np.array(law.parameters), np.zeros(1)
                law.ahead.ctypes(0.0, *map(pointer, (one, rate, parameters, none, none)), 0, pointer(g))
                bends.append(g[0])
            first = laws[0].together[1].ctypes(pointer(where), 1e-7, *map(pointer, (d, dv, table)))
            assert first == pytest.approx(min(bends), rel=1e-7)
    assert loaded > 3000 and wedged > 100


def test_what_only_reports_is_left_out_where_nobody_asks():
    laws, rng = eight_laws(), np.random.default_rng(5)
    d, dv = random_rows(laws, rng, 2e-5)
    with_, without = together(laws, d, dv, 1)[0], together(laws, d, dv, 0)[0]
    assert (with_[:, 3] > 0.0).any() and not without[:, 3].any()
    assert (np.delete(with_, 3, axis=1) == np.delete(without, 3, axis=1)).all()


def test_a_phase_that_is_no_number_is_left_to_the_law():
    laws, rng = eight_laws(), np.random.default_rng(6)
    d, dv = random_rows(laws, rng, 1e-5)
    assert together(laws, d, dv, 0)[2] == 0
    d[0, 7] = d[5, 7] = np.nan
    assert together(laws, d, dv, 0)[2] == 0b100001


@pytest.mark.parametrize("planar", [False, True])
def test_eight_slices_at_once_are_the_slices_one_by_one(planar):
    # 13 slices with lead crowning; the pair by pair look at the same law has its own loop over slices and pairs
    train, rng = expand(load("spur-pair-hertz")), np.random.default_rng(8)
    made = contact(train.meshes["pair.mesh"], train, lambda k: 0.0)
    for overlap in (1.3, -0.4, 0.0):
        data = replace(made.data, slices=13, overlap=overlap, crown=4e-6, chi=0.0)
        law = tooth_contact(data, planar, made.stiffness, 0.0)
        assert law.force is not tooth_contact(made.data, planar, made.stiffness, 0.0).force
        for _ in range(60):
            d = np.zeros(law.rows + 1)
            d[0], d[1], d[-1] = rng.uniform(-2e-6, 2e-5), -1e-4, rng.uniform(-50.0, 50.0)
            if planar:
                d[5:7] = rng.normal(0.0, 2e-5, 2)
            seen, (f, _) = look(law, d), alone(law, d, np.zeros_like(d))
            assert f[0] == pytest.approx(seen.force.sum(), rel=1e-12, abs=1e-9)
            assert f[3] == pytest.approx(1e-6 * max(seen.pressure, default=0.0), rel=1e-12)
            # the force along every row is the slope of the energy
            for row, step in ((0, 1e-9), (5, 1e-9), (6, 1e-9)) if planar else ((0, 1e-9),):
                up, down = d.copy(), d.copy()
                up[row] += step
                down[row] -= step
                slope = (look(law, up).energy - look(law, down).energy) / (2.0 * step)
                # curvature of the contact over the step and where slices touch within it
                assert f[row] == pytest.approx(slope, rel=2e-4, abs=2e-4 * made.load + 1e-2)


@kernel
def arithmetic(a, places, out):  # type: ignore[no-untyped-def]
    p, result = rows(f8(a.ctypes.data)), f8(out.ctypes.data)
    x, y = p[0], p[1]
    put(result, 0, x + 2.0 * y - x / y)
    put(result, 1, choose((x > y) & ~(x <= 0.0) | (y >= 1.0), -x, 7.0))
    put(result, 2, whole(x))
    put(result, 3, root(size(y)))
    turned = blocks(f8(a.ctypes.data), i8(places.ctypes.data))
    for i in range(8):
        put(result, 4 + i, turned[i])
    put_blocks(f8(out.ctypes.data), i8(places.ctypes.data), turned)
    put_each(result, i8(places.ctypes.data), x)
    return least(y), bits(x < y)


def test_eight_numbers_count_like_one():
    rng = np.random.default_rng(7)
    a = rng.normal(0.0, 3.0, (30, 8))
    places = np.array([96, 104, 120, 112, 144, 136, 160, 176])
    out = np.zeros((30, 8))
    low, word = arithmetic(a, places, out)
    x, y = a[0], a[1]
    assert np.allclose(out[0], x + 2.0 * y - x / y, rtol=1e-14, atol=1e-14)
    assert (out[1] == np.where((x > y) & (x > 0.0) | (y >= 1.0), -x, 7.0)).all()
    assert (out[2] == np.floor(x)).all() and np.allclose(out[3], np.sqrt(np.abs(y)), rtol=1e-15)
    read = np.array([a.ravel()[p : p + 8] for p in places])
    assert (out[4:12] == read.T).all()
    for p, line, first in zip(places, read, x, strict=True):
        assert (out.ravel()[p + 1 : p + 8] == line[1:]).all() and out.ravel()[p] == first
    assert low == y.min() and word == int(((x < y) << np.arange(8)).sum())
