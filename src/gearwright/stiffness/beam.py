"""Timoshenko beam element between two nodes with six motions each.

Motions of a node in the order x, y, z, rotation (about x), tilt_y, tilt_z; the beam lies along x, so that a slope
``dy/dx`` is ``+tilt_z`` and a slope ``dz/dx`` is ``-tilt_y``. With ``Phi = 12 E I / (k G A L^2)`` a bending plane has
two deformations that do not feel each other, the change of slope and the mean slope against the chord,

    kappa = theta_2 - theta_1,              k = E I / L
    gamma = (theta_1 + theta_2)/2 - chord,  k = 12 E I / (L (1 + Phi))

which together are the textbook 4 x 4 matrix; a system takes them as rows. Source: J. S. Przemieniecki, Theory of
Matrix Structural Analysis (1968), section 5.6; mass: R. Davis, R. D. Henshell, G. B. Warburton, J. Sound Vib. 22
(1972) 475-487 (shape functions with shear).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gearwright.arrays import Float

MOTIONS = ("x", "y", "z", "rotation", "tilt_y", "tilt_z")


@dataclass(frozen=True)
class Beam:
    """A round bar or tube: length, outer and inner diameter [m], moduli [Pa], density [kg/m^3]."""

    length: float
    diameter: float
    bore: float = 0.0
    young: float = 206e9
    shear: float = 206e9 / 2.6
    density: float = 7850.0

    @property
    def area(self) -> float:
        """Cross-section [m^2]."""
        return 0.25 * math.pi * (self.diameter**2 - self.bore**2)

    @property
    def second_moment(self) -> float:
        """Second moment of area about a diameter [m^4]; the polar one is twice it."""
        return math.pi / 64.0 * (self.diameter**4 - self.bore**4)

    @property
    def shear_coefficient(self) -> float:
        """Cowper's coefficient of a round tube (J. Appl. Mech. 33 (1966) 335), Poisson's ratio
        from the moduli, between 0 and 0.5."""
        nu = min(max(self.young / (2.0 * self.shear) - 1.0, 0.0), 0.5)
        m = self.bore / self.diameter
        square = (1.0 + m * m) ** 2
        return 6.0 * (1.0 + nu) * square / ((7.0 + 6.0 * nu) * square + (20.0 + 12.0 * nu) * m * m)

    @property
    def phi(self) -> float:
        """Shear flexibility 12 E I / (k G A L^2)."""
        stiff = self.shear_coefficient * self.shear * self.area * self.length**2
        return 12.0 * self.young * self.second_moment / stiff


class Deformation(NamedTuple):
    """A deformation of a beam that stands alone: ``chord (y2 - y1)/L + first theta_1 + second theta_2`` in each
    bending plane, with its stiffness [N m/rad]."""

    name: str
    stiffness: float
    chord: float
    first: float
    second: float


def beam_deformations(beam: Beam, hinge: str | None = None) -> tuple[Deformation, ...]:
    """Bending deformations of a beam, the same in both planes; ``hinge`` ``first`` or ``second`` frees that slope."""
    bend = beam.young * beam.second_moment / beam.length
    if hinge is None:
        return (
            Deformation("bending", bend, 0.0, -1.0, 1.0),
            Deformation("shear", 12.0 * bend / (1.0 + beam.phi), -1.0, 0.5, 0.5),
        )
    slopes = (0.0, 1.0) if hinge == "first" else (1.0, 0.0)
    return (Deformation("shear", 3.0 * bend / (1.0 + 0.25 * beam.phi), -1.0, *slopes),)


def uniform_load(beam: Beam, hinge: str | None = None) -> tuple[tuple[float, float], tuple[float, float]]:
    """What a load of 1 N/m along a beam does at its ends: (force [N], moment of the sense of a slope [N m]) of both.

    ``L/2`` and ``L^2/12`` between two ends that turn with their nodes, whatever the shear; with a ``hinge`` at one end the other
    takes more than half of the force, and the hinge no moment (a propped beam, its shear flexibility included).
    """
    length, shear = beam.length, 1.0 + 0.25 * beam.phi
    if hinge is None:
        return (0.5 * length, length**2 / 12.0), (0.5 * length, -(length**2) / 12.0)
    light = length * (0.375 + 0.125 * beam.phi) / shear
    ends = (light, 0.0), (length - light, -0.125 * length**2 / shear)
    return ends if hinge == "first" else ((ends[1][0], -ends[1][1]), ends[0])


def deformation_rows(length: float, one: Deformation) -> tuple[Float, Float]:
    """Rows (12,) of a deformation about z (motions y, tilt_z) and about y (motions z, tilt_y)."""
    about_z, about_y = np.zeros(12), np.zeros(12)
    about_z[[1, 7, 5, 11]] = -one.chord / length, one.chord / length, one.first, one.second
    about_y[[2, 8, 4, 10]] = one.chord / length, -one.chord / length, one.first, one.second
    return about_z, about_y


def beam_stiffness(beam: Beam) -> Float:
    """Stiffness matrix (12, 12): axial, torsion, two bending planes with shear."""
    k = np.zeros((12, 12))
    for stiff, i in ((beam.young * beam.area, 0), (2.0 * beam.shear * beam.second_moment, 3)):
        row = np.zeros(12)
        row[i], row[i + 6] = -1.0, 1.0
        k += stiff / beam.length * np.outer(row, row)
    for one in beam_deformations(beam):
        for row in deformation_rows(beam.length, one):
            k += one.stiffness * np.outer(row, row)
    return k


def beam_mass(beam: Beam) -> Float:
    """Consistent mass matrix (12, 12) with rotary inertia, of the shape functions with shear."""
    length, phi = beam.length, beam.phi
    points, weights = np.polynomial.legendre.leggauss(4)
    mass = np.zeros((12, 12))
    for point, weight in zip(points, weights, strict=True):
        s = 0.5 * (1.0 + point)
        w = 0.5 * length * weight * beam.density
        deflection, slope = _shapes(s, length, phi)
        for field, size in ((0, beam.area), (3, 2.0 * beam.second_moment)):
            row = np.zeros(12)
            row[field], row[field + 6] = 1.0 - s, s
            mass += w * size * np.outer(row, row)
        for places, signs in (((1, 5, 7, 11), (1.0, 1.0, 1.0, 1.0)), ((2, 4, 8, 10), (1.0, -1.0, 1.0, -1.0))):
            for shape, size in ((deflection, beam.area), (slope, beam.second_moment)):
                row = np.zeros(12)
                row[list(places)] = shape * np.array(signs)
                mass += w * size * np.outer(row, row)
    return mass


def beam_slopes(beam: Beam) -> list[tuple[float, Float]]:
    """How the cross-sections of a beam tilt, as a sum of squares: pairs (inertia about a diameter [kg m^2], row over y1, tilt_z1,
    y2, tilt_z2) of the shape functions with shear. Their rotary inertia is the sum of inertia times row^T row, their
    gyroscopic moments are those of as many thin discs with twice that inertia about x."""
    points, weights = np.polynomial.legendre.leggauss(4)
    total = np.zeros((4, 4))
    for point, weight in zip(points, weights, strict=True):
        _, slope = _shapes(0.5 * (1.0 + point), beam.length, beam.phi)
        total += 0.5 * beam.length * weight * beam.density * beam.second_moment * np.outer(slope, slope)
    return mass_rows(total)


def _shapes(s: float, length: float, phi: float) -> tuple[Float, Float]:
    """Deflection and slope of the cross-section at ``s`` (0 to 1) for unit (y1, theta1, y2, theta2)."""
    c = 1.0 / (1.0 + phi)
    deflection = c * np.array(
        [
            1.0 + phi - phi * s - 3.0 * s**2 + 2.0 * s**3,
            length * ((1.0 + 0.5 * phi) * s - (2.0 + 0.5 * phi) * s**2 + s**3),
            phi * s + 3.0 * s**2 - 2.0 * s**3,
            length * (-0.5 * phi * s - (1.0 - 0.5 * phi) * s**2 + s**3),
        ]
    )
    slope = c * np.array(
        [
            6.0 / length * (s**2 - s),
            1.0 + phi - (4.0 + phi) * s + 3.0 * s**2,
            6.0 / length * (s - s**2),
            -(2.0 - phi) * s + 3.0 * s**2,
        ]
    )
    return deflection, slope


def mass_rows(mass: Float) -> list[tuple[float, Float]]:
    """A positive semi-definite matrix as a sum of squares: pairs (value, row).

    Scaled to unit diagonal first, so that lengths and angles count alike. Raises ValueError for a negative matrix.
    """
    size = np.sqrt(np.maximum(np.diag(mass), 0.0))
    scale = np.where(size > 0.0, size, 1.0)
    values, vectors = np.linalg.eigh(mass / np.outer(scale, scale))
    if len(values) and values[0] < -1e-9 * max(values[-1], 1e-300):
        raise ValueError(f"the matrix is not positive: least eigenvalue {values[0]:.3g} of its scaled form")
    return [(float(v), vector * scale) for v, vector in zip(values, vectors.T, strict=True) if v > 1e-12 * values[-1]]
