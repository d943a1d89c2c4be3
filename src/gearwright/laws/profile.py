"""Stiffness and damping over the circumference of wheels: tooth-by-tooth variation, a cracked or a missing tooth.

A profile is a periodic cubic spline over one turn of a wheel (piecewise cubic cells of equal width); a mesh has the
product of both wheels'. :func:`profiled` gives any law of a mesh such profiles: its elastic force times the product. A
positive factor changes neither the phase nor, where the damping is scaled too, the instants of contact: meshes with
backlash have their whole force scaled (S4 (36)), meshes always in contact keep their constant damping (decisions).
Source: S4 (35), (36); the torque that a stiffness over an angle asks for is left out, as there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gearwright.kernels import force, guard, hot
from gearwright.kernels.law_functions import law_force, law_guard
from gearwright.kernels.places import cell_of
from gearwright.kernels.pointers import shift
from gearwright.system import Law


@hot
def profile_at(turn, p, first, cells):  # type: ignore[no-untyped-def]
    """Value at ``turn`` (unbounded, in turns) of the profile whose cells begin at ``p[first]``; 1 without cells."""
    if cells == 0:
        return 1.0
    x = (turn - np.floor(turn)) * cells
    cell = cell_of(x, cells)
    x -= cell
    i = first + 4 * cell
    return p[i] + x * (p[i + 1] + x * (p[i + 2] + x * p[i + 3]))


def tooth_profile(teeth: int, factors: Mapping[int, float], width: float = 1.5) -> np.ndarray:
    """Stiffness over one turn of a wheel with some teeth softer or stiffer than the rest, as equidistant factors.

    Parameters
    ----------
    teeth : number of teeth
    factors : tooth number (0 is at angle zero, rising with the angle) -> stiffness over that of a sound tooth while
        it carries; 0.6 for a crack, small values for a tooth that is gone
    width : teeth over which the tooth is felt, about the contact ratio; the dip is a raised cosine of that width

    Returns (32 * teeth,). Raises ValueError for a tooth that the wheel does not have or a negative factor.
    """
    n = 32 * teeth
    profile = np.ones(n)
    x = np.arange(n) / 32.0
    for tooth, factor in factors.items():
        if not 0 <= int(tooth) < teeth:
            raise ValueError(f"tooth {tooth} of a wheel with {teeth} teeth: they count from 0 to {teeth - 1}")
        if not factor >= 0.0:
            raise ValueError(f"tooth {tooth} has the stiffness factor {factor:g}; it must not be negative")
        away = (x - int(tooth) + 0.5 * teeth) % teeth - 0.5 * teeth
        window = np.where(np.abs(away) < 0.5 * width, 0.5 + 0.5 * np.cos(2.0 * np.pi * away / width), 0.0)
        profile *= 1.0 + (factor - 1.0) * window
    return profile


def sine_profile(periods: int, amplitude: float, phase: float = 0.0) -> np.ndarray:
    """``1 + amplitude sin(2 pi periods turn + phase)`` over one turn, 64 points per period."""
    if periods < 1:
        raise ValueError(f"a profile has at least one period per turn, got {periods}")
    turn = np.arange(64 * periods) / (64 * periods)
    return 1.0 + amplitude * np.sin(2.0 * np.pi * periods * turn + phase)


def spline(samples: Sequence[float]):  # type: ignore[no-untyped-def]
    """Periodic cubic spline over one turn through equidistant samples from angle zero on."""
    from scipy.interpolate import CubicSpline

    y = np.asarray(samples, float)
    return CubicSpline(np.arange(len(y) + 1) / len(y), np.append(y, y[0]), bc_type="periodic")


def profile_cells(samples: Sequence[float]) -> np.ndarray:
    """Cubic cells (cells, 4), local coordinate 0..1, of a profile; none for none.

    Raises ValueError for fewer than 4 samples and for a spline that is not positive throughout.
    """
    n = len(samples)
    if n == 0:
        return np.zeros((0, 4))
    if n < 4:
        raise ValueError(f"a profile over the circumference has at least 4 points, got {n}")
    coefficients = spline(samples).c[::-1] / (float(n) ** np.arange(4))[:, None]
    fine = sum(coefficients[k][:, None] * np.linspace(0.0, 1.0, 9) ** k for k in range(4))
    if not np.min(fine) > 0.0:
        raise ValueError(
            f"a profile over the circumference must stay positive between its points too; the least is {np.min(fine):g}"
        )
    return np.ascontiguousarray(coefficients.T)


# Parameters of a profiled law: 0 address of the inner force, 1 of the inner guard, 2 force rows, 3 first of the two
# turns among the rows, 4 and 5 first cell and number of cells of wheel 1, 6 and 7 of wheel 2, 8 first parameter of the
# inner law, 9 and 10 damping of the rows that is not scaled. Addresses are below 2^53 and so exact as real numbers.
_HEAD = 11


@force
def profiled_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """The forces of the inner law, but for their constant damping, times the product of both profiles."""
    turns = int(p[3])
    law_force(int(p[0]), t, d, dv, shift(p, int(p[8])), z, s, mode, f, zd)
    scale = profile_at(d[turns], p, int(p[4]), int(p[5])) * profile_at(d[turns + 1], p, int(p[6]), int(p[7]))
    for row in range(int(p[2])):
        damper = p[9 + row] * dv[row]
        f[row] = scale * (f[row] - damper) + damper


@guard
def profiled_guard(t, d, dv, p, z, s, mode, g):  # type: ignore[no-untyped-def]
    """The guard of the inner law: a positive factor changes neither contact nor phase."""
    return law_guard(int(p[1]), t, d, dv, shift(p, int(p[8])), z, s, mode, g)


@force
def spring_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters: k, c."""
    f[0] = p[0] * d[0] + p[1] * dv[0]


def spring_law(stiffness: float, damping: float) -> Law:
    """``k d + c dv`` as a law, to be given profiles; meshes without any are springs, which need no law."""
    return Law(
        force=spring_force,
        parameters=(stiffness, damping),
        mean=((stiffness,), (damping,)),
        damping=(damping,),
        energy=lambda d, dv, z, mode: 0.5 * stiffness * d[0] ** 2,
        label="constant mesh stiffness",
        source="S4",
    )


def profiled(law: Law, profiles: tuple[Sequence[float], Sequence[float]]) -> Law:
    """A law of a mesh whose stiffness and damping follow profiles over one turn of each wheel.

    Two more sense rows than the law has: the turns of wheel 1 and of wheel 2. Raises ValueError for profiles that are
    not positive throughout, and for laws with states (the series form has profiles of its own).
    """
    if law.states:
        raise ValueError(f"the law '{law.label}' has states; it takes no profile from outside")
    cells = [profile_cells(samples) for samples in profiles]
    first = _HEAD
    begins = []
    for one in cells:
        begins += [float(first), float(len(one))]
        first += one.size
    guarded = law.guard
    damping = (*law.damping, 0.0, 0.0)[:2]
    turns = law.rows + law.senses
    head = (
        float(law.force.address),
        float(guarded.address if guarded is not None else 0),
        float(law.rows),
        float(turns),
        *begins,
        float(first),
        *damping,
    )

    def energy(d, dv, z, mode):  # type: ignore[no-untyped-def]
        scale = 1.0
        for samples, turn in zip(profiles, d[turns : turns + 2], strict=True):
            if len(samples):
                scale *= float(spline(samples)(turn % 1.0))
        assert law.energy is not None
        return scale * law.energy(d, dv, z, mode)

    return law._replace(
        force=profiled_force,
        guard=profiled_guard if guarded is not None else None,
        parameters=(*head, *cells[0].ravel().tolist(), *cells[1].ravel().tolist(), *law.parameters),
        senses=law.senses + 2,
        pieces=None,
        energy=energy if law.energy is not None else None,
        label=f"{law.label}, over the circumference",
    )
