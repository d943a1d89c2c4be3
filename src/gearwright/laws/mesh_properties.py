"""A mesh as laws see it: its stiffness from whatever the file says, and what the constructor of a law is given."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from gearwright.errors import AssemblyError
from gearwright.geometry.gear import GeometryError
from gearwright.remarks import assumed
from gearwright.stiffness.mesh_table import MeshTable, PairStatics
from gearwright.stiffness.resolve import (
    Reference,
    course_given,
    levels_given,
    reference_load,
    statics,
    table_of,
    take_up_by_rule,
    teeth_of,
)
from gearwright.train.train import Mesh, Train

from .mesh_by_table import DifferentTeeth
from .mesh_cycle import (
    _value,
    constant_curve,
    fourier_curve,
    level_curve,
    mirrored,
    ramped_curve,
    sampled_curve,
    shifted,
)

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
        raise AssemblyError(_no_overlap(mesh))
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


class Smooth(NamedTuple):
    """A smooth course of the stiffness of the drive flank over the cycle and what was taken for it: ``length`` [cycles] from the
    begin of a pair's contact to its end; sentences; the load [N] that a course under load belongs to."""

    curve: Curve
    length: float
    said: tuple[str, ...] = ()
    reference: float | None = None


def smooth_course(mesh: Mesh, train: Train, spur: bool = False, part: tuple[float, float] = (0.0, 1.0)) -> Smooth:
    """Course of a mesh for laws that are linear in the deflection: as the file gives it, else the secant stiffness of its teeth
    under the load of reference, else levels with the take-up of a pair as a ramp between them.

    ``part``: middle and width of the part of the face, in face widths. Raises AssemblyError that names what is missing.
    """
    s, share = mesh.stiffness, part[1]
    if course_given(s):
        return Smooth(_times(stiffness_curve(mesh, spur), share), contact_length(mesh, spur))
    found = toothed(mesh, train)
    if found is not None:
        load, pair = found
        loaded = table_of(pair, load.force, True, *part).loaded
        said = (load.said,) if load.said else ()
        return Smooth(sampled_curve(loaded.secant.tolist(), ()), pair.span, said, load.force)
    return _trapezoid(mesh, train, spur, share)


def carried(mesh: Mesh, course: Smooth) -> Curve:
    """The course of the flank that carries the load."""
    if not mesh.coasts:
        return course.curve
    return shifted(mirrored(course.curve, course.length), mesh.coast_phase - mesh.phase)


def toothed(mesh: Mesh, train: Train) -> tuple[Reference, PairStatics] | None:
    """Load of reference and statics of a mesh whose teeth are known; None without teeth or load."""
    if teeth_of(mesh) is None:
        return None
    load = reference_load(mesh, train)
    if load is None:
        return None
    if mesh.helix_angle and not mesh.overlap_ratio and train.model.helical != "spur":
        raise AssemblyError(_no_overlap(mesh))
    try:
        return load, statics(mesh, train, load.force)
    except (GeometryError, ValueError, ArithmeticError) as error:
        raise AssemblyError(f"mesh '{mesh.name}': {error}") from None


def _trapezoid(mesh: Mesh, train: Train, spur: bool, share: float) -> Smooth:
    """Levels of the stiffness with ramps between them, as long as a pair takes up its load."""
    s = mesh.stiffness
    overlap = 0.0 if spur else mesh.overlap_ratio
    if levels_given(s):
        assert s.two_pairs is not None and s.one_pair is not None
        fraction = _two_pair_fraction(mesh)
        high, low, pair = s.two_pairs, s.one_pair, s.one_pair
        width, why = take_up_by_rule(mesh, train, pair)
        width = min(width, 0.9 * (1.0 - fraction))
        levels = "its two levels"
    else:
        mean = mean_stiffness(mesh)
        if mesh.contact_ratio is None:
            raise AssemblyError(
                f"mesh '{mesh.name}' has a mean stiffness only; law periodic needs its contact_ratio, two levels or a table"
            )
        whole = math.floor(mesh.contact_ratio + 1e-9)
        fraction = max(mesh.contact_ratio - whole, 0.0)
        width, why = take_up_by_rule(mesh, train, mean / mesh.contact_ratio)
        width = min(width, 0.9 * (1.0 - fraction))
        pair = mean / (mesh.contact_ratio + width)
        high, low = (whole + 1) * pair, whole * pair
        levels = f"{whole + 1} and {whole} equal pairs"
    if mesh.helix_angle and not overlap and not spur:
        raise AssemblyError(_no_overlap(mesh))
    curve = _averaged(ramped_curve(high, low, fraction, width), overlap)
    said = assumed(
        f"mesh '{_kind(mesh)}': its stiffness goes between {levels} by ramps of {width:.3g} base pitches, over which a pair takes "
        f"up its load ({why})"
    )
    return Smooth(_times(curve, share), contact_length(mesh, spur), (said,))


def _no_overlap(mesh: Mesh) -> str:
    return (
        f"mesh '{mesh.name}' is helical, but its overlap ratio is not known: give face_width and module, or overlap_ratio, or ask "
        f"for the spur course with model.helical: spur"
    )


def _kind(mesh: Mesh) -> str:
    """Name of a mesh without the number of its planet: the meshes of all planets are alike."""
    return mesh.name.rstrip("0123456789") if mesh.on else mesh.name


def _times(curve: Curve, factor: float) -> Curve:
    return curve if factor == 1.0 else [(start, width, factor * cells) for start, width, cells in curve]


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
    train : the drivetrain, whose operating point gives the load of reference; None for a mesh that stands alone
    part : middle and width of the part of the face, in face widths
    whole : the mesh of the whole face, where ``mesh`` has a share of its stiffness
    different : teeth that differ from the others
    said : sentences of the law on what it took, for the lists of the run
    references : load [N] that a law is linear about, by mesh
    """

    mesh: Mesh
    damping: float = 0.0
    share: float = 1.0
    spur: bool = False
    excitations: tuple[tuple[int, float, float, float], ...] = ()
    senses: int = 0
    train: Train | None = None
    part: tuple[float, float] = (0.0, 1.0)
    whole: Mesh | None = None
    different: DifferentTeeth | None = None
    said: list[str] = field(default_factory=list)
    references: dict[str, float] = field(default_factory=dict)

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

    @property
    def form(self) -> str:
        """How law periodic has the force: ``table``, ``secant`` or ``ste``."""
        return "secant" if self.train is None else self.train.model.mesh_form

    @property
    def toothed(self) -> tuple[Reference, MeshTable, MeshTable | None] | None:
        """Load of reference of the whole face, the table of this part of it, and of its coast flank where that differs; None
        without teeth or load, or where the file gives the course."""
        mesh = self.whole or self.mesh
        found = None if self.train is None else toothed(mesh, self.train)
        if found is None:
            return None
        load, pair = found
        place, width = self.part
        alike = self.different is None
        table = table_of(pair, load.force, alike, place, width)
        other = None
        # crowning and bias lie the other way along the way of the coast flank
        if place and (pair.bias is not None or (pair.crown and pair.overlap)):
            turned = table_of(pair, load.force, alike, -place, width)
            other = replace(turned, shift=table.shift, scale=table.scale)
        return load, table, other

    @property
    def smooth(self) -> Smooth:
        """Smooth course of the stiffness of this part of the face. Raises AssemblyError that names what is missing."""
        if self.train is None:
            return Smooth(self.course, contact_length(self.mesh, self.spur))
        return smooth_course(self.whole or self.mesh, self.train, self.spur, self.part)

    def stiffness_at(self, phase: float) -> float:
        """Stiffness [N/m] at a mesh phase [cycles]. Raises AssemblyError that names what is missing."""
        return value_at(self.course, phase)
