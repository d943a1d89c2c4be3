"""Mesh phase from tooth numbers, tooth thickness and places (S0 digest section 5.1).

The phase counts mesh cycles: it is 0 where a pair enters contact on the loaded flank (there the region of
two pairs begins) and rises while the train turns forward. At time zero::

    s = rb1 (sigma theta + psi_b + a_w)            of wheel 1's tooth, modulo the base pitch p_b
    phase = (s - s_min) / p_b  where s rises (wheel 1 drives),  (s_max - s) / p_b  where it falls

with ``theta`` the angle of a tooth centre of wheel 1 from the direction to its mate (from the outward radial
at a ring), ``psi_b`` its half tooth angle at the base, ``sigma`` +1 if its positive-facing flank is loaded.
The other flank has ``sigma`` reversed and enters at the other end of the same path.

Angles of helical gears are those of the plane in the middle of the face.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .involute import Path, half_tooth_angle


@dataclass(frozen=True)
class MeshTeeth:
    """One kind of mesh: what its phase depends on. ``forward`` is the sign of wheel 1's rotation seen from the
    carrier while the train turns forward; ``sigma`` as above."""

    teeth: tuple[int, int]
    shift: float  # of wheel 1, in modules
    base_radius: float  # of wheel 1 [m]
    working_angle: float  # transverse [rad]
    path: Path
    sigma: int
    forward: int


def _arc(mesh: MeshTeeth, theta: float, pressure_angle: float, helix_angle: float, flank: int) -> float:
    """Base-circle arc of the contact on one flank (``flank`` +1 loaded, -1 the other), modulo the base pitch."""
    psi = half_tooth_angle(mesh.teeth[0], mesh.shift, pressure_angle, helix_angle)
    return mesh.base_radius * (flank * mesh.sigma * theta + psi + mesh.working_angle)


def phase_from_arc(mesh: MeshTeeth, s: float, flank: int = 1) -> float:
    """Phase in [0, 1) of a contact at arc ``s`` of wheel 1."""
    rising = flank * mesh.sigma * mesh.forward > 0
    distance = s - mesh.path.start if rising else mesh.path.end - s
    return wrap(distance / mesh.path.base_pitch)


def flank_phases(mesh: MeshTeeth, theta: float, pressure_angle: float, helix_angle: float = 0.0) -> tuple[float, float]:
    """Phase of the loaded and of the other flank for a tooth centre at ``theta``."""
    return (
        phase_from_arc(mesh, _arc(mesh, theta, pressure_angle, helix_angle, 1), 1),
        phase_from_arc(mesh, _arc(mesh, theta, pressure_angle, helix_angle, -1), -1),
    )


def tooth_angle(mesh: MeshTeeth, phase: float, pressure_angle: float, helix_angle: float = 0.0) -> float:
    """Angle ``theta`` of the tooth of wheel 1 whose loaded flank stands at a phase: inverse of the above."""
    rising = mesh.sigma * mesh.forward > 0
    distance = phase * mesh.path.base_pitch
    s = mesh.path.start + distance if rising else mesh.path.end - distance
    psi = half_tooth_angle(mesh.teeth[0], mesh.shift, pressure_angle, helix_angle)
    return mesh.sigma * (s / mesh.base_radius - psi - mesh.working_angle)


def mate_tooth_angle(
    mesh: MeshTeeth,
    theta: float,
    mate_shift: float,
    mate_radius: float,
    pressure_angle: float,
    helix_angle: float = 0.0,
) -> float:
    """Angle of a tooth of the mate of an external pair, from the direction of wheel 2 to wheel 1, in contact on
    the loaded flank: ``s1 + s2 = s_c`` modulo the base pitch."""
    s2 = mesh.path.s_c - _arc(mesh, theta, pressure_angle, helix_angle, 1)
    psi = half_tooth_angle(mesh.teeth[1], mate_shift, pressure_angle, helix_angle)
    return mesh.sigma * (s2 / mate_radius - psi - mesh.working_angle)


def planetary_phases(
    sun: MeshTeeth,
    ring: MeshTeeth,
    planet_shift: float,
    planet_angles: Sequence[float],
    pressure_angle: float,
    helix_angle: float = 0.0,
) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Phases ``((sun, sun coast), (ring, ring coast))`` of every planet.

    The sun is turned so that the loaded flank of the first planet's sun mesh is at phase zero. ``sun`` is the
    sun-planet mesh (wheel 1 the sun), ``ring`` the ring-planet mesh (wheel 1 the planet).
    """
    first = tooth_angle(sun, 0.0, pressure_angle, helix_angle)
    phases = []
    for angle in planet_angles:
        theta_sun = first - (angle - planet_angles[0])
        theta_in = mate_tooth_angle(sun, theta_sun, planet_shift, ring.base_radius, pressure_angle, helix_angle)
        theta_out = theta_in + math.pi
        phases.append(
            (
                flank_phases(sun, theta_sun, pressure_angle, helix_angle),
                flank_phases(ring, theta_out, pressure_angle, helix_angle),
            )
        )
    return phases


def relative_phase(teeth: int, angle: float, forward: int) -> float:
    """Phase of a planet's mesh relative to that of the planet at angle zero, from the tooth number of the
    central wheel (sun or ring) alone: ``-forward z angle / (2 pi)``, ``forward`` of wheel 1."""
    return wrap(-forward * teeth * angle / (2.0 * math.pi))


def wrap(phase: float) -> float:
    """A phase brought into [0, 1); rounding just below 1 becomes 0."""
    fraction = phase - math.floor(phase)
    return 0.0 if fraction > 1.0 - 1e-12 else fraction + 0.0
