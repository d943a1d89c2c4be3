"""Forces and tangents of all laws in one compiled loop, against single calls and against springs."""

import numpy as np
import pytest

from gearwright.running.prepare import prepare
from gearwright.solve.steady.rows import RowForces
from gearwright.solve.steady.static import equilibrium
from gearwright.train.open import load


@pytest.mark.parametrize(
    "model",
    [("nrel-5mw-nejad-source", "planar", "periodic"), ("nrel-5mw-nejad-source", "spatial", "tooth_contact"), ("wind-gearbox-hertz", "torsional", "tooth_contact")],
)  # fmt: skip
@pytest.mark.parametrize("average", [False, True])
def test_all_laws_at_once_are_their_single_calls(model, average):
    source, fidelity, law = model
    system = prepare(load(source), fidelity=fidelity, law=law).system
    rows = RowForces(system, 0.3, system.v0, np.full(system.shape.rigid, 0.2), average)
    d = rows.d0 + 2e-5 * np.random.default_rng(1).standard_normal(system.shape.rows)
    found = rows(d)
    stiffness = rows.stiffness(d)
    assert stiffness.shape == (system.shape.coordinates,) * 2
    for block in range(system.shape.laws):
        force, senses = system.law_rows(block), system.sense_rows(block)
        whole = slice(force.start, max(force.stop, senses.stop))
        total = np.zeros(force.stop - force.start)
        for shift, weight in zip(*rows._phases(block), strict=True):
            at = d[whole].copy()
            at[len(total) :] += shift
            total += weight * system.law_force(block, at, rows.dv[whole], rows.signals, 0.3)
        assert found[force] == pytest.approx(total, rel=1e-12, abs=1e-9 * max(np.abs(total).max(), 1.0))


def test_tangent_is_how_the_forces_change():
    """Work of a small displacement by the tangent and by the forces at its ends, at the equilibrium of a gearbox in contact."""
    system = prepare(
        load("nrel-5mw-nejad-source", ["model.frames=frozen"]), fidelity="spatial", law="tooth_contact"
    ).system
    found = equilibrium(system, tolerance=1e-3)
    rows = RowForces(system, 0.0, found.v, found.phi, True)
    matrix = system.D.toarray()
    tangent = rows.stiffness(rows.d0 + matrix @ found.q)
    rng = np.random.default_rng(2)
    for _ in range(5):
        step = 1e-9 * rng.standard_normal(len(found.q))
        up, down = (matrix.T @ rows(rows.d0 + matrix @ (found.q + s * step)) for s in (1.0, -1.0))
        # contact is curved: some ten-thousandths over a hundredth of a nanometre
        assert 0.5 * (up - down) == pytest.approx(tangent @ step, abs=2e-3 * np.abs(tangent @ step).max())
