"""A mesh as laws see it: its stiffness from whatever the file says, and what the constructor of a law is given."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gearwright.errors import AssemblyError
from gearwright.train.train import Mesh

from .mesh_cycle import _value, constant_curve, fourier_curve, level_curve, mirrored, sampled_curve, shifted

#: segments (start, width [cycles], cubic cells) of a stiffness over the mesh cycle
Curve = list[tuple[float, float, np.ndarray]]


def mean_stiffness(mesh: Mesh) -> float:
    """Mean transverse stiffness of a mesh [N/m], from whatever is known.

    Raises AssemblyError that names the missing fact.
    """
    s = mesh.stiffness
    if s.mean is not None:
        return s.mean
    if s.two_pairs is not None and s.one_pair is not None:
        fraction = _two_pair_fraction(mesh)
        return fraction * s.two_pairs + (1.0 - fraction) * s.one_pair
    if s.table is not None:
        x, k = np.array(s.table).T
        return float(np.trapezoid(np.append(k, k[0]), np.append(x, x[0] + 1.0)))
    raise AssemblyError(f"mesh '{mesh.name}' has no stiffness: give a value, two levels or a table over the cycle")


def _two_pair_fraction(mesh: Mesh) -> float:
    if mesh.contact_ratio is None:
        raise AssemblyError(f"mesh '{mesh.name}' has two stiffness levels but no contact_ratio")
    fraction = mesh.contact_ratio - 1.0
    if not 0.0 < fraction < 1.0:
        raise AssemblyError(
            f"mesh '{mesh.name}': a contact ratio of {mesh.contact_ratio:g} has no alternation of two and one pairs; "
            f"two levels need a value between 1 and 2"
        )
    return fraction


def stiffness_curve(mesh: Mesh, spur: bool = False) -> Curve:
    """Stiffness over the mesh cycle from entry on [N/m].

    A helical mesh takes the spur course averaged over the overlap, unless ``spur`` asks for the spur course.
    Levels follow from a mean and a contact ratio with equal pairs: one pair has mean / contact ratio.
    """
    s = mesh.stiffness
    overlap = 0.0 if spur else mesh.overlap_ratio
    if mesh.helix_angle and not overlap and not spur and s.table is None and s.fourier is None:
        raise AssemblyError(
            f"mesh '{mesh.name}' is helical, but its overlap ratio is not known: give face_width and module, or "
            f"overlap_ratio, or ask for the spur course with model.helical: spur"
        )
    if s.fourier is not None:
        return fourier_curve(mean_stiffness(mesh), s.fourier)
    if s.table is not None:
        corners = s.corners
        x, k = np.array(s.table).T
        grid = np.arange(len(x)) / len(x)
        values = k if np.allclose(x, grid, atol=1e-9) else np.interp(grid, x, k, period=1.0)
        return _averaged(sampled_curve(values, corners), overlap)
    if s.two_pairs is not None and s.one_pair is not None:
        curve = level_curve(s.two_pairs, s.one_pair, _two_pair_fraction(mesh))
    else:
        mean = mean_stiffness(mesh)
        if mesh.contact_ratio is None:
            raise AssemblyError(
                f"mesh '{mesh.name}' has a mean stiffness only; law periodic needs its "
                f"contact_ratio, two levels or a table"
            )
        pairs = math.floor(mesh.contact_ratio)
        fraction = mesh.contact_ratio - pairs
        one = mean / mesh.contact_ratio
        levels = level_curve((pairs + 1) * one, pairs * one, fraction) if fraction > 1e-9 else constant_curve(mean)
        return _averaged(levels, overlap)
    return _averaged(curve, overlap)


def coast_curve(mesh: Mesh, curve: Curve, spur: bool = False) -> Curve:
    """The course of the drive flank's stiffness on the coast flank, over the same phase: run through backwards from the end of
    contact, which a helical mesh reaches later by its overlap."""
    return shifted(mirrored(curve, contact_length(mesh, spur)), mesh.coast_phase - mesh.phase)


def carried_curve(mesh: Mesh, spur: bool = False) -> Curve:
    """Stiffness over the mesh cycle [N/m] of the flank that carries the load."""
    curve = stiffness_curve(mesh, spur)
    return coast_curve(mesh, curve, spur) if mesh.coasts else curve


def _averaged(curve: Curve, overlap: float) -> Curve:
    """Moving mean over ``overlap`` cycles: the teeth of a helical wheel enter one after the other."""
    if overlap <= 0.0:
        return curve
    n, fine = 256, 64
    x = (np.arange(n * fine) + 0.5) / (n * fine)
    k = np.empty(n * fine)
    for i, at in enumerate(x):
        k[i] = value_at(curve, at)
    integral = np.concatenate([[0.0], np.cumsum(k)]) / (n * fine)
    total = integral[-1]
    grid = np.arange(n) / n
    edges = np.arange(n * fine + 1) / (n * fine)

    def primitive(at: np.ndarray) -> np.ndarray:
        turns = np.floor(at)
        return turns * total + np.interp(at - turns, edges, integral)

    values = (primitive(grid) - primitive(grid - overlap)) / overlap
    return sampled_curve(values, ())


def value_at(curve: Curve, phase: float) -> float:
    """Stiffness [N/m] of a course at a phase in cycles."""
    _, cells, width, local = _value(curve, phase)
    u = local / width * len(cells)
    j = min(int(u), len(cells) - 1)
    c = cells[j]
    u -= j
    return float(c[0] + u * (c[1] + u * (c[2] + u * c[3])))


def contact_length(mesh: Mesh, spur: bool = False) -> float:
    """Cycles from the begin of a pair's contact to its end; where no contact ratio is known, one."""
    length = mesh.contact_ratio if mesh.contact_ratio is not None else 1.0
    return length if spur or mesh.stiffness.fourier is not None else length + mesh.overlap_ratio


@dataclass(frozen=True)
class MeshProperties:
    """A mesh as a law sees it: along the line of action in the transverse plane, in SI.

    Attributes
    ----------
    mesh : the mesh of the drivetrain spelled out: its wheels (``between``), tooth numbers, helix angle, face width, base radii, ...
    damping : along the line of action [N s/m]
    share : part of the face that the block of rows stands for: 1, or less where fidelity spatial cuts the face into slices;
        ``stiffness``, its course and ``damping`` are those of the share. A law with a force of its own multiplies it by this
    spur : a helical mesh takes the course of the spur gear (``model.helical: spur``)
    excitations : transmission errors (sense row, order, amplitude [m], phase [rad]), for the laws of this package
    senses : rows that those are read from, the mesh phase first
    """

    mesh: Mesh
    damping: float = 0.0
    share: float = 1.0
    spur: bool = False
    excitations: tuple[tuple[int, float, float, float], ...] = ()
    senses: int = 0

    @property
    def name(self) -> str:
        """Name of the mesh, ``stage1.sun_planet2``."""
        return self.mesh.name

    @property
    def stiffness(self) -> float:
        """Mean stiffness over the mesh cycle [N/m]. Raises AssemblyError where the file has none."""
        return mean_stiffness(self.mesh)

    @property
    def backlash(self) -> float | None:
        """Normal backlash [m]; None where the file has none: one row then serves both flanks."""
        return self.mesh.backlash

    @property
    def contact_ratio(self) -> float | None:
        """Transverse contact ratio; None where it is not known."""
        return self.mesh.contact_ratio

    @property
    def phase(self) -> float:
        """Mesh phase at time zero [cycles]: 0 where a pair enters contact. The sense row of a law has it already."""
        return self.mesh.phase

    @property
    def course(self) -> Curve:
        """Stiffness over the mesh cycle [N/m] of the flank that carries, as segments of cubics.

        Raises AssemblyError that names what is missing.
        """
        return carried_curve(self.mesh, self.spur)

    def stiffness_at(self, phase: float) -> float:
        """Stiffness [N/m] at a mesh phase [cycles]. Raises AssemblyError that names what is missing."""
        return value_at(self.course, phase)
