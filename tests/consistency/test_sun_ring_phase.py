"""Stability of the planetary stage of the shipped study over the phase between ring and sun meshes, by Floquet's theory.

Monodromy of the stage at its operating speed, from matrix exponentials of the pieces written here; no engine takes part.
"""

import numpy as np
import pytest
import scipy.linalg as sl

from gearwright.running.prepare import prepare
from gearwright.running.run import simulate
from gearwright.train.open import load

LEVELS = "{two_pairs: 6.5e9 N/m, one_pair: 3.0e9 N/m}"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def study_run(phase: float):
    """One run of the shipped study."""
    meshes = "stages.stage1.meshes"
    edits = [f"{meshes}.{m}.{what}" for m in ("sun_planet", "ring_planet")
             for what in (f"stiffness={LEVELS}", "damping=0 N s/m")]  # fmt: skip
    return simulate("nordtank-500kw-two-level", "steady", duration=10.0, output="run.nc",
                    overrides=[*edits, f"{meshes}.ring_planet.phase={phase}"])  # fmt: skip


def largest_multiplier(phase: float, damping: float) -> float:
    """Largest Floquet multiplier over one mesh cycle but that of turning as a whole (one); damping as a factor."""
    meshes = "stages.stage1.meshes"
    edits = [f"{meshes}.sun_planet.stiffness={LEVELS}", f"{meshes}.ring_planet.stiffness={LEVELS}",
             f"{meshes}.ring_planet.phase={phase}"]  # fmt: skip
    system = prepare(load("nordtank-500kw-two-level", edits)).system
    inverse, rows, n = np.linalg.inv(system.mass.toarray()), system.D.toarray(), system.shape.coordinates
    constant = np.zeros((n, n))
    for i, row in enumerate(range(*system.spring_rows.indices(system.shape.rows))):
        constant += system.arrays.c[i] * np.outer(rows[row], rows[row])
    laws, cuts = [], {0.0, 1.0}
    for number, law in enumerate(system.laws):
        sense = system.sense_rows(number).start
        rate, start = float(rows[sense] @ system.v0), float(system.arrays.off[sense])
        edges = np.array(law.pieces.boundaries)
        laws.append(
            (rows[system.law_rows(number).start], edges, law.pieces.stiffness[0], law.pieces.damping[0], start, rate)
        )
        cuts |= {float((edge - start) * np.sign(rate) % 1.0) for edge in edges}
    whole = np.eye(2 * n)
    places = sorted(cuts)
    for begin, end in zip(places[:-1], places[1:], strict=True):
        stiffness, drag = np.zeros((n, n)), constant.copy()
        for row, edges, levels, c, start, rate in laws:
            here = start + np.sign(rate) * 0.5 * (begin + end)
            piece = np.searchsorted(edges, here - np.floor(here - edges[0]), side="right") - 1
            stiffness += levels[piece] * np.outer(row, row)
            drag += damping * c * np.outer(row, row)
        state = np.block([[np.zeros((n, n)), np.eye(n)], [-inverse @ stiffness, -inverse @ drag]])
        whole = sl.expm(state * (end - begin) / abs(laws[0][5])) @ whole
    found = np.linalg.eigvals(whole)
    return float(np.abs(found[np.abs(found - 1.0) > 1e-3]).max())


@pytest.mark.parametrize("phase", [0.07, 0.25, 0.42, 0.52, 0.75])
def test_the_damping_of_the_file_leaves_no_resonance(phase):
    assert largest_multiplier(phase, 1.0) < 0.93


def test_without_damping_the_phase_decides_in_a_run_as_in_theory():
    """Growth at 0.6 by more than a per cent a cycle, of which ten seconds have 414; hardly any at the phase of the teeth."""
    assert largest_multiplier(0.6, 0.0) > 1.01 and largest_multiplier(0.07, 0.0) < 1.004
    peaks = []
    for phase in (0.6, 0.07):
        run = study_run(phase)
        peaks.append(run.channels["stage1.sun_planet1.force"]["max"])
    assert peaks[0] > 10 * peaks[1]
