"""Eight blocks of a law at once against the law of one block: meshes by table, clearances, weights in turning frames."""

import ctypes

import numpy as np
import pytest

from gearwright.laws.clearance import clearance, uneven_clearance
from gearwright.laws.mesh_by_table import DifferentTeeth, mesh_by_table
from gearwright.laws.turning import turning_gravity
from gearwright.stiffness.mesh_table import mesh_table
from gearwright.targets.mesh import FORCE, one_mesh

RNG = np.random.default_rng(11)
ROWS = 3


def pointer(array):
    return array.ctypes.data_as(ctypes.POINTER(ctypes.c_int64 if array.dtype == np.int64 else ctypes.c_double))


def mesh(alike, backlash):
    """A mesh of its own load, places, damping and, where they differ, teeth; some of them cracked."""
    table = mesh_table(one_mesh(), FORCE * RNG.uniform(0.5, 2.0), alike=alike, phases=int(RNG.choice([256, 320])))
    different = None
    if not alike:
        deviation = tuple(tuple(RNG.normal(0.0, 1e-5, z)) for z in RNG.integers(3, 40, 2))
        left = tuple(tuple(RNG.uniform(0.7, 1.0, len(wheel))) for wheel in deviation)
        different = DifferentTeeth(deviation, left, tuple(RNG.integers(-20, 20, 4)))
    return mesh_by_table(
        table, 1e5 * RNG.uniform(), backlash=backlash, coast_shift=RNG.uniform(-1.0, 1.0), different=different
    )


def mesh_rows(backlash):
    """Loaded on either flank or neither, some beyond the table, over many cycles."""
    drive = RNG.normal(5e-5, 1e-4) * RNG.choice([1.0, 20.0], p=[0.98, 0.02])
    phase = RNG.uniform(-300.0, 300.0)
    return [drive, phase, 0.0] if backlash is None else [drive, -drive + RNG.choice([0.0, 4e-4]), phase]


def turning_rows():
    """Angles from rest to a day of turns, right angles among them; deflections within and beyond a clearance."""
    angle = RNG.choice(
        [RNG.uniform(-1.0, 1.0) * 10.0 ** RNG.uniform(-3.0, 5.9), 0.5 * np.pi * RNG.integers(-1000, 1000)]
    )
    return [*RNG.normal(0.0, 5e-5, 2), angle]


KINDS = {
    "teeth alike": (lambda: mesh(True, 2e-4), lambda: mesh_rows(2e-4), 2),
    "teeth alike, flanks joined": (lambda: mesh(True, None), lambda: mesh_rows(None), 1),
    "teeth that differ": (lambda: mesh(False, 2e-4), lambda: mesh_rows(2e-4), 2),
    "teeth that differ, flanks joined": (lambda: mesh(False, None), lambda: mesh_rows(None), 1),
    "weight": (lambda: turning_gravity(*RNG.normal(0.0, 1e4, 2)), turning_rows, 2),
    "clearance": (lambda: clearance(1e9, 1e5 * RNG.uniform(), 6e-5 * RNG.uniform()), turning_rows, 2),
    "clearance, stiffer one way": (
        lambda: uneven_clearance((1.7e9, 1e8 * RNG.normal(), 1.1e9), (1e5, 2e5), 6e-5 * RNG.uniform(), turning=True),
        turning_rows, 2,
    ),
}  # fmt: skip


def alone(law, d, dv):
    f, none = np.zeros(ROWS), np.zeros(1)
    law.force.ctypes(0.0, *map(pointer, (d, dv, np.array(law.parameters), none, none)), 0, pointer(f), pointer(none))
    return f[: law.rows]


def together(laws, d, dv):
    """Forces (8, rows) and the blocks that are left."""
    where, f, none = ROWS * np.arange(8), np.zeros(8 * ROWS + 8), np.zeros(8)
    every = np.concatenate([*(law.parameters for law in laws), np.zeros(4)])
    first = np.cumsum([0, *(len(law.parameters) for law in laws[:-1])])
    columns = np.array([law.parameters[: law.columns] for law in laws]).T.copy()
    padded = [np.append(x.ravel(), np.zeros(8)) for x in (d, dv)]
    left = laws[0].together[0].ctypes(
        *map(pointer, (where, where, first)), 0.0, *map(pointer, (*padded, columns, every, f, none)), 0
    )  # fmt: skip
    return f[: 8 * ROWS].reshape(8, ROWS), left


@pytest.mark.parametrize("kind", KINDS)
def test_eight_at_once_are_eight_times_one(kind):
    made, drawn, rows = KINDS[kind]
    laws = [made() for _ in range(8)]
    assert {law.together for law in laws} == {laws[0].together} != {None}
    loaded = left_over = 0
    for _ in range(300):
        d, dv = np.array([drawn() for _ in range(8)]), RNG.normal(0.0, 1e-2, (8, ROWS))
        forces, left = together(laws, d, dv)
        for i, law in enumerate(laws):
            expected = alone(law, d[i], dv[i])
            if (left >> i) & 1:
                left_over += 1
                continue
            loaded += (expected != 0.0).any()
            # round-off of the parts of each sum, of which the ones of a mesh are as large as a part of its load
            scale = max(np.abs(expected).max(), 1e-3 * FORCE if "teeth" in kind else 0.0)
            np.testing.assert_allclose(forces[i, :rows], expected, rtol=0.0, atol=1e-12 * scale)
    assert loaded > 400
    assert left_over < 200 if "teeth" in kind else left_over == 0


@pytest.mark.parametrize("kind", [k for k in KINDS if k != "clearance"])
@pytest.mark.parametrize("value", [np.nan, np.inf, 1e300])
def test_a_phase_or_angle_that_is_no_number_is_left_to_the_law(kind, value):
    made, drawn, rows = KINDS[kind]
    laws, d = [made() for _ in range(8)], np.array([drawn() for _ in range(8)])
    d[:, 0] = 1e-5
    d[[1, 6], rows if "joined" not in kind else 1] = value
    assert together(laws, d, np.zeros((8, ROWS)))[1] & 0b01000010 == 0b01000010
