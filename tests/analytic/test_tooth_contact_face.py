"""Teeth that are all alike across a face: the loops written for speed against slices one by one, and against plain teeth."""

import ctypes
from dataclasses import replace

import numpy as np
import pytest

from gearwright.assembly.contact import contact
from gearwright.laws import tooth_contact_pair as P
from gearwright.laws.tooth_contact import tooth_contact
from gearwright.laws.tooth_contact_face import EVEN, face_rule
from gearwright.laws.tooth_contact_wide import tooth_contact_wide_force
from gearwright.train.expand import expand
from gearwright.train.open import load


@pytest.mark.parametrize("slices", [5, 9, 14, 41])
def test_rule_is_exact_for_sums_of_fifth_degree(slices):
    """Sums over slices of polynomials, and of their moments up to the fourth degree, from four points."""
    end, inner, at_end, within = face_rule(slices, 0.8)
    x = 0.8 * ((np.arange(slices) + 0.5) / slices - 0.5)
    assert end == pytest.approx(x[-1], rel=1e-15)
    polynomial = np.polynomial.Polynomial([0.3, -1.2, 4.0, 2.5, -7.0, 11.0])
    four = at_end * (polynomial(end) + polynomial(-end)) + within * (polynomial(inner) + polynomial(-inner))
    assert four == pytest.approx(polynomial(x).sum(), rel=1e-13)


def pointer(x):
    return x.ctypes.data_as(ctypes.POINTER(ctypes.c_int64 if x.dtype == np.int64 else ctypes.c_double))


def forces(law, d, dv, parameters=None):
    values = [np.ascontiguousarray(x, float) for x in (d, dv, parameters or law.parameters, [0.0], [0.0])]
    f, zd = np.zeros(law.rows + law.senses), np.zeros(2)
    force = law.force if parameters is None else tooth_contact_wide_force
    force.ctypes(0.0, *map(pointer, values), 0, pointer(f), pointer(zd))
    return f, zd[0]


def made(source, **more):
    train = expand(load("wind-gearbox-hertz"))
    mesh = next(m for m in train.meshes.values() if m.internal == (source == "ring"))
    found = contact(mesh, train)
    soft = (found.data.compliance[0] or 1e-10, 2e-11, 3e-11) if source == "course" else found.data.compliance
    alone = {"contact": None, "compliance": (1.0 / found.stiffness,)} if source == "spring" else {"compliance": soft}
    data = replace(found.data, slices=9, backlash=2e-5, face_width=0.3, chi=2e-2, **alone, **more)
    return found, data


def places(law, found, data, tilt, seed):
    """Deflections and rates with both flanks near, centres displaced and the face tilted."""
    rng = np.random.default_rng(seed)
    for _ in range(300):
        d, dv = np.zeros(law.rows + 1), np.zeros(law.rows + 1)
        d[5:7], dv[5:7] = 5e-5 * rng.standard_normal(2), 1e-2 * rng.standard_normal(2)
        d[0] = found.deflection * (2.0 * rng.random() - 0.3)
        d[1] = data.backlash * 1.5 * rng.random() - (d[0] if rng.random() < 0.5 else 0.0)
        d[7:9] = tilt * found.deflection / data.face_width * rng.standard_normal(2)
        dv[0], dv[1], dv[2] = 1e-2 * rng.standard_normal(), -1e-2, 1.5
        dv[7:9] = 1e-2 * rng.standard_normal(2)
        d[law.rows] = 40.0 * rng.random()
        yield d, dv


@pytest.mark.parametrize("source", ["hertz", "course", "spring", "ring"])
@pytest.mark.parametrize("more", [{}, {"overlap": 0.8}, {"crown": 3e-6}])
def test_alike_teeth_as_slices_one_by_one(source, more):
    """Against the loop for teeth of any kind. Where four slices stand for nine the sixth derivative of ``delta^1.1`` over the
    touching part leaves 1e-5 of the force (see EVEN); elsewhere both are the same sums."""
    found, data = made(source, **more)
    law = tooth_contact(data, True, found.stiffness, 0.0, tilts=True)
    slow = list(law.parameters)
    slow[P.PLAIN] = 0.0
    assert law.parameters[P.PLAIN] == 1.0
    assert (law.parameters[P.RULE] > 0.0) == (not more)
    carried = 0
    for d, dv in places(law, found, data, 0.7, 11):
        (f, heat), (g, warm) = forces(law, d, dv), forces(law, d, dv, slow)
        size = g[0] + g[1]
        carried += size > 0.0
        near = 2e-5 * max(size, 1e-9)
        assert f[:3] == pytest.approx(g[:3], abs=near)
        assert f[4:7] == pytest.approx(g[4:7], abs=near)
        assert f[7:9] == pytest.approx(g[7:9], abs=near * data.face_width)
        assert f[[3, 9, 10]] == pytest.approx(g[[3, 9, 10]], rel=1e-4)
        assert heat == pytest.approx(warm, abs=1e-4 * abs(warm) + 1e-9)
    assert carried > 100
    assert 0.0 < EVEN < 1.0


@pytest.mark.parametrize("source", ["hertz", "spring"])
def test_face_that_does_not_tilt_is_one_slice(source):
    """Straight teeth without a tilt or a misalignment carry as the plain law says, evenly."""
    found, data = made(source)
    wide = tooth_contact(data, True, found.stiffness, 0.0, tilts=True)
    plain = tooth_contact(replace(data, slices=1), True, found.stiffness, 0.0)
    for d, dv in places(wide, found, data, 0.0, 5):
        dv[7:9] = 0.0
        f, heat = forces(wide, d, dv)
        g, warm = forces(plain, np.delete(d, [7, 8, 9]), np.delete(dv, [7, 8, 9]))
        assert f[:7] == pytest.approx(g[:7], rel=1e-9, abs=1e-9)
        assert heat == pytest.approx(warm, rel=1e-9, abs=1e-9)
        assert f[7:9] == pytest.approx([0.0, 0.0], abs=1e-9 * max(f[0], f[1], 1.0))
        if f[0] > 0.0 and f[1] == 0.0:
            assert f[10] == pytest.approx(1.0, rel=1e-12)
            assert f[9] == pytest.approx(f[0] / data.face_width, rel=1e-9)


@pytest.mark.parametrize("source", ["hertz", "spring", "ring"])
@pytest.mark.parametrize("tilt", [0.05, 0.4])
def test_eight_faces_at_once_are_eight_times_one(source, tilt):
    """The same formulas in vectors: round-off apart; what lifts off on a part of the face is left to the law."""
    found, data = made(source)
    laws = [
        tooth_contact(replace(data, backlash=data.backlash * (1.0 + 0.1 * i)), True, found.stiffness, 0.0, tilts=True)
        for i in range(8)
    ]
    assert {law.together for law in laws} == {laws[0].together} != {None}
    table = np.array([law.parameters for law in laws]).T.copy()
    where, states, taken = 11 * np.arange(8), np.arange(8), 0
    courses = [list(places(law, found, data, tilt, 3 + i)) for i, law in enumerate(laws)]
    for k in range(60):
        d, dv = (np.concatenate([course[k][j] for course in courses]) for j in (0, 1))
        for reports in (0, 1):
            f, heat = np.full(88, np.nan), np.full(8, np.nan)
            left = laws[0].together[0].ctypes(
                *map(pointer, (where, states, states)), 0.0, *map(pointer, (d, dv, table, table, f, heat)), reports
            )  # fmt: skip
            shown = slice(None) if reports else [0, 1, 2, 5, 6, 7, 8]
            for i, law in enumerate(laws):
                if (left >> i) & 1:
                    continue
                taken += 1
                own, warm = forces(law, d[11 * i : 11 * i + 11], dv[11 * i : 11 * i + 11])
                size = max(own[0], own[1], 1e-9)
                assert f[11 * i : 11 * i + 11][shown] == pytest.approx(own[shown], rel=1e-9, abs=1e-11 * size)
                assert heat[i] == pytest.approx(warm, rel=1e-9, abs=1e-11 * size)
    assert taken > (800 if tilt < 0.1 else 300)


def test_a_phase_that_is_no_number_is_left_to_the_law():
    found, data = made("hertz")
    law = tooth_contact(data, True, found.stiffness, 0.0, tilts=True)
    table, d = np.array([law.parameters] * 8).T.copy(), np.zeros(88)
    d[11 * 3 + 10], d[11 * 5] = np.nan, np.nan
    f, heat = np.zeros(88), np.zeros(8)
    where, states = 11 * np.arange(8), np.arange(8)
    left = law.together[0].ctypes(
        *map(pointer, (where, states, states)), 0.0, *map(pointer, (d, np.zeros(88), table, table, f, heat)), 0
    )  # fmt: skip
    assert left & 0b101000 == 0b101000
