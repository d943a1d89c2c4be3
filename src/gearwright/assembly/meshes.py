"""Rows and laws of gear meshes."""

from __future__ import annotations

import math

import numpy as np

from gearwright.laws.backlash import backlash
from gearwright.laws.mesh_cycle import (
    constant_curve,
    fourier_curve,
    level_curve,
    mesh_cycle,
    mirrored,
    sampled_curve,
    shifted,
)
from gearwright.laws.two_level import two_level
from gearwright.records import dataclass
from gearwright.system import Law, Row, Spring
from gearwright.train.train import Mesh

from .inputs import contact_length
from .motion import AssemblyError, Motions, Terms, add

#: laws a mesh can be given, and what they take
LAWS = ("rigid", "linear", "periodic", "tooth_contact")
#: overlap ratio above which a helical mesh has no two levels (decisions)
SPUR_OVERLAP = 0.2


def _direction(angle: float) -> tuple[float, float]:
    return -math.sin(angle), math.cos(angle)


def working_angle(motions: Motions, mesh: Mesh) -> float | None:
    """Working pressure angle [rad] of a placed mesh; None without a place.

    Where the base radii and the centre distance give the same angle as the train states (to 1e-6), their exact
    one is taken, so that a rigid rotation of the train gives zero deflection to round-off. Where they disagree
    (printed data that do not fit) the stated angle holds: a placed mesh is the projection alone.
    """
    if mesh.angle is None:
        return None
    span = abs(mesh.base_radius[1] - mesh.base_radius[0]) if mesh.internal else sum(mesh.base_radius)
    first, second = (motions.train.bodies[name] for name in mesh.between)
    planet = first if first.on is not None else second
    distance = None
    if planet.on is not None and planet.pin_radius is not None and mesh.on == planet.on:
        distance = planet.pin_radius
    elif first.place is not None and second.place is not None:
        distance = math.dist(first.place, second.place)
    if not distance:
        return mesh.pressure_angle
    stated = mesh.pressure_angle
    if stated is not None and abs(math.cos(stated) * distance / span - 1.0) > 1e-6:
        return stated
    if span > distance:
        raise AssemblyError(
            f"mesh '{mesh.name}': base radii {mesh.base_radius[0]:g} and {mesh.base_radius[1]:g} m do not fit the "
            f"centre distance {distance:g} m"
        )
    return math.acos(span / distance)


def line_angle(motions: Motions, mesh: Mesh) -> float | None:
    """Working pressure angle [rad] of the flank that the rows of a mesh describe: of the other flank it leans the other way."""
    alpha = working_angle(motions, mesh)
    return -alpha if mesh.coasts and alpha is not None else alpha


def flank_row(motions: Motions, mesh: Mesh, flank: int) -> Terms:
    """Row of one flank along its line of action, positive where the flank is pressed.

    ``flank`` is +1 for the positive-facing flank of wheel 1, -1 for the other. External pair, psi the direction
    from wheel 1 to wheel 2, e(b) = (-sin b, cos b)::

        delta = s [ e(psi - s alpha) . (x_1 - x_2) + r_1 th_1 + r_2 th_2 ]

    internal pair (1 planet, 2 ring, psi from the ring to the planet)::

        delta = s [ e(psi - s alpha) . (x_1 - x_2) + r_1 th_1 - r_2 th_2 ]

    A wheel that keeps no translation is carried by its support, which brings in the carrier's rotation. Wheels
    without a place (a train given by tooth numbers) have their rotations seen from the carrier, which is the same
    projection with the mesh's own sum or difference of base radii. Source: S1 digest 4.2 (general form). Where a mesh
    coasts without backlash, the row is that of the other flank with the opposite sign: negative where that flank is pressed.
    """
    r1, r2 = mesh.base_radius
    second = -r2 if (mesh.internal or mesh.same_sense) else r2
    row: Terms = {}
    add(row, motions.rotation(mesh.between[0]), flank * r1)
    add(row, motions.rotation(mesh.between[1]), flank * second)
    places = [motions.translation(name) for name in mesh.between]
    alpha = line_angle(motions, mesh)
    if mesh.angle is not None and alpha is not None:
        ey, ez = _direction(mesh.angle - flank * alpha)
        for sign, (y, z) in zip((flank, -flank), places, strict=True):
            add(row, y, sign * ey)
            add(row, z, sign * ez)
        if mesh.on is None or any(motions.train.bodies[n].pin_radius for n in mesh.between):
            return row
    elif any(motions.keeps(name, "y") for name in mesh.between):
        missing = "azimuth" if mesh.angle is None else "pressure_angle"
        raise AssemblyError(f"mesh '{mesh.name}' has no {missing}; fidelity {motions.fidelity} needs its place")
    if mesh.on is not None:
        add(row, motions.rotation(mesh.on), -flank * (r1 + second))
    return row


def phase_row(motions: Motions, mesh: Mesh) -> Terms:
    """Mesh phase in cycles, rising when the train turns forward: z_1/(2 pi) times wheel 1 seen from the carrier."""
    teeth = mesh.teeth[0] if mesh.teeth else None
    if teeth is None:
        raise AssemblyError(f"mesh '{mesh.name}' has no tooth numbers; law periodic needs them for the mesh phase")
    row: Terms = {}
    factor = mesh.phase_direction * teeth / (2.0 * math.pi)
    add(row, motions.rotation(mesh.between[0]), factor)
    if mesh.on is not None:
        add(row, motions.rotation(mesh.on), -factor)
    return row


def turn_row(motions: Motions, mesh: Mesh, which: int) -> Terms:
    """Turns of one wheel seen from the carrier, for errors once per revolution."""
    row: Terms = {}
    add(row, motions.rotation(mesh.between[which]), 1.0 / (2.0 * math.pi))
    if mesh.on is not None:
        add(row, motions.rotation(mesh.on), -1.0 / (2.0 * math.pi))
    return row


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


Curve = list[tuple[float, float, np.ndarray]]


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
    from gearwright.laws.mesh_cycle import _value

    n, fine = 256, 64
    x = (np.arange(n * fine) + 0.5) / (n * fine)
    k = np.empty(n * fine)
    for i, at in enumerate(x):
        _, cells, width, local = _value(curve, at)
        u = local / width * len(cells)
        j = min(int(u), len(cells) - 1)
        c = cells[j]
        u -= j
        k[i] = c[0] + u * (c[1] + u * (c[2] + u * c[3]))
    integral = np.concatenate([[0.0], np.cumsum(k)]) / (n * fine)
    total = integral[-1]
    grid = np.arange(n) / n
    edges = np.arange(n * fine + 1) / (n * fine)

    def primitive(at: np.ndarray) -> np.ndarray:
        turns = np.floor(at)
        return turns * total + np.interp(at - turns, edges, integral)

    values = (primitive(grid) - primitive(grid - overlap)) / overlap
    return sampled_curve(values, ())


@dataclass(frozen=True)
class MeshAct:
    """What a mesh becomes: a spring, or a law on one flank row or two."""

    spring: Spring | None
    law: Law | None
    two_flanks: bool
    senses: tuple[Row, ...]


def mesh_act(motions: Motions, mesh: Mesh, law: str, damping: float, spur: bool = False) -> MeshAct:
    """Act of one mesh for the law asked for; ``damping`` [N s/m] along the line of action.

    Raises AssemblyError if a fact that the law needs is missing.
    """
    bases = {e.base for e in mesh.excitation}
    senses = (
        [Row(f"{mesh.name}.phase", phase_row(motions, mesh), mesh.phase)]
        if law == "periodic" or "mesh" in bases
        else []
    )
    if not senses and bases:
        senses = [Row(f"{mesh.name}.phase", turn_row(motions, mesh, 0), 0.0)]
    position = {"mesh": 0}
    for base, which in (("first", 0), ("second", 1)):
        if base in bases:
            position[base] = len(senses)
            senses.append(Row(f"{mesh.name}.turn_{base}", turn_row(motions, mesh, which), 0.0))
    excitations = [(position[e.base], e.order, e.amplitude, e.phase) for e in mesh.excitation]
    if law == "linear":
        k = mean_stiffness(mesh)
        if mesh.backlash is None and not excitations:
            return MeshAct(Spring(k, damping), None, False, ())
        if not excitations:
            assert mesh.backlash is not None
            return MeshAct(None, backlash(k, damping, mesh.backlash), True, ())
        curve = constant_curve(k)
        made = mesh_cycle(curve, damping, backlash=mesh.backlash, excitations=excitations, senses=len(senses))
        return MeshAct(None, made, mesh.backlash is not None, tuple(senses))
    curve = carried_curve(mesh, spur)
    levels = all(len(c) == 1 for _, _, c in curve)
    if mesh.backlash is None and not mesh.coasts and not excitations and levels and len(curve) == 2:
        (_, fraction, two), (_, _, one) = curve
        made = two_level(float(two[0, 0]), float(one[0, 0]), damping, fraction)
    else:
        coast = coast_curve(mesh, curve, spur) if mesh.backlash is not None else None
        made = mesh_cycle(
            curve, damping, coast=coast, backlash=mesh.backlash, excitations=excitations, senses=len(senses)
        )
    return MeshAct(None, made, mesh.backlash is not None, tuple(senses))


def _value_at(curve: Curve, x: float) -> float:
    from gearwright.laws.mesh_cycle import _value

    _, cells, width, local = _value(curve, x)
    u = local / width * len(cells)
    j = min(int(u), len(cells) - 1)
    c = cells[j]
    u -= j
    return float(c[0] + u * (c[1] + u * (c[2] + u * c[3])))
