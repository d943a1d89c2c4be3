"""Constant stiffness, moved by the transmission error of the loaded mesh: the classical linear excitation.

    F = k (d - e(x)) + c d',      e = delta(x; F0) - F0/k

with ``delta`` the approach of the gears under the load of reference (:mod:`gearwright.stiffness.mesh_table`) and ``k`` the mean of
``F0/delta``. Exact at rest under ``F0``; no parametric resonance. With backlash each flank has its own error and none pulls.
Source: H. N. Oezguven, D. R. Houser, Journal of Sound and Vibration 125 (1988) 71-83; Ph. Velex, M. Ajmi, Journal of Sound and
Vibration 298 (2006) 179-190.
"""

from __future__ import annotations

import numpy as np

from gearwright.kernels import force, fused
from gearwright.kernels.places import cell_of
from gearwright.system import Law

from .mesh_by_table import SETS_IN
from .mesh_cycle import mirrored, sampled_curve, shifted

# Parameters: force rows, stiffness, damping, backlash, 1/F_o, cells of the drive course, of the coast course, where each begins,
# phase at which each begins; then the courses, four coefficients a cell
ROWS, STIFFNESS, DAMPING, BACKLASH, ONSET = range(5)
COURSES, COUNT = 5, 9


@fused
def error_at(p, side, phase):  # type: ignore[no-untyped-def]
    """Error [m] of a flank."""
    cells = p[COURSES]
    x = phase - p[COURSES + 3 if side else COURSES + 2]
    x = (x - np.floor(x)) * cells
    cell = cell_of(np.floor(x), cells)
    x -= cell
    i = int(p[COURSES + 1]) + 4 * (cell + int(p[COURSES]) * side)
    return p[i] + x * (p[i + 1] + x * (p[i + 2] + x * p[i + 3]))


@force
def loaded_error_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters as numbered above; sense: mesh phase."""
    k, c = p[STIFFNESS], p[DAMPING]
    if p[ROWS] == 1.0:
        f[0] = k * (d[0] - error_at(p, 0, d[1])) + c * dv[0]
        return
    elastic = max(k * (d[0] - error_at(p, 0, d[2])), 0.0)
    f[0] = max(elastic + c * min(1.0, elastic * p[ONSET]) * dv[0], 0.0)
    elastic = max(k * (d[1] - error_at(p, 1, d[2]) - p[BACKLASH]), 0.0)
    f[1] = max(elastic + c * min(1.0, elastic * p[ONSET]) * dv[1], 0.0)


def loaded_error(
    approach: np.ndarray,
    load: float,
    damping: float,
    length: float,
    coast_shift: float,
    backlash: float | None = None,
    coasts: bool = False,
) -> Law:
    """Law of a mesh by its loaded transmission error.

    Parameters
    ----------
    approach : (phases,) of the gears over one cycle of the drive flank under ``load`` [m]
    load : of reference [N]
    damping : along the line of action [N s/m]
    length : contact ratio; ``coast_shift``: phase of the coast flank less that of the drive flank [cycles]
    backlash : normal backlash [m]; None joins the flanks (one row), of which the coast flank carries where the mesh ``coasts``
    """
    k = float((load / approach).mean())
    drive = sampled_curve((approach - load / k).tolist(), ())
    coast = shifted(mirrored(drive, length), coast_shift)
    if backlash is None and coasts:
        drive = [(start, width, -cells) for start, width, cells in coast]
    cells = float(len(drive[0][2]))
    rows = 1 if backlash is None else 2
    head = (
        float(rows),
        k,
        damping,
        backlash or 0.0,
        1.0 / (SETS_IN * load),
        cells,
        float(COUNT),
        drive[0][0],
        coast[0][0],
    )

    def error(side: int, phase: float) -> float:
        start, _, course = (drive, coast)[side][0]
        x = ((phase - start) % 1.0) * cells
        cell = min(int(x), len(course) - 1)
        x -= cell
        a, b, c, d = course[cell]
        return float(a + x * (b + x * (c + x * d)))

    def energy(d, dv, z, mode):  # type: ignore[no-untyped-def]
        if rows == 1:
            return 0.5 * k * (d[0] - error(0, d[1])) ** 2
        ends = d[0] - error(0, d[2]), d[1] - error(1, d[2]) - backlash
        return 0.5 * k * sum(max(x, 0.0) ** 2 for x in ends)

    return Law(
        force=loaded_error_force,
        parameters=(*head, *drive[0][2].ravel().tolist(), *coast[0][2].ravel().tolist()),
        rows=rows,
        senses=1,
        mean=((k,), (damping,)) if rows == 1 else ((k, 0.0), (damping, 0.0)),
        energy=energy,
        places=len(drive[0][2]),
        smooth=True,
        label="constant stiffness and loaded transmission error",
        source="Oezguven, Houser 1988",
    )
