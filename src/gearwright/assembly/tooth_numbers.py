"""Teeth by number: which tooth is in which pair, and what is different with some of them."""

from __future__ import annotations

import math
from typing import Any

from gearwright.geometry import involute
from gearwright.geometry.gear import GeometryError
from gearwright.geometry.pair import GearPair
from gearwright.geometry.phase import MeshTeeth, mate_tooth_angle, tooth_angle
from gearwright.laws.mesh_by_table import DifferentTeeth
from gearwright.stiffness.mesh_statics import teeth_of
from gearwright.stiffness.resolve import rising
from gearwright.train.teeth import tooth_pair
from gearwright.train.train import Mesh, Train


def tooth_numbers(mesh: Mesh, train: Train, pair: GearPair) -> tuple[int, int, int, int]:
    """Numbers of the teeth in pair zero: of wheel 1 and 2 on the drive flank, then on the coast flank.

    Teeth are counted as they come while the train turns forward. Tooth 0 of the sun and of the ring is in pair 0 of
    their mesh with the first planet, tooth 0 of a planet in pair 0 of its mesh with the sun.
    """
    p = pair.path
    z1, z2 = pair.one.teeth, pair.two.teeth
    one = two = 0
    if mesh.on is not None and mesh.angle is not None:
        siblings = [
            m
            for m in train.meshes.values()
            if m.stage == mesh.stage and m.on == mesh.on and m.internal == mesh.internal
        ]
        first = siblings[0]
        turn = mesh.angle - (first.angle or 0.0)
        wheel, forward = (z2, mesh.phase_direction) if mesh.internal else (z1, mesh.phase_direction)
        number = -round(forward * wheel * turn / (2.0 * math.pi) + mesh.phase - first.phase)
        if mesh.internal:
            two = number
            one = _planet_tooth(mesh, train, pair)
        else:
            one = number
    psi = involute.half_tooth_angle(z1, pair.one.shift, pair.one.pressure_angle, pair.one.helix_angle)
    both = (2.0 * pair.one.base_radius * (psi + pair.working_angle) - p.start - p.end) / p.base_pitch
    up = 1 if rising(mesh) else -1
    shift = round(mesh.coast_phase - mesh.phase + up * both)
    return one, two, one - shift, two - shift + up


def _planet_tooth(mesh: Mesh, train: Train, pair: GearPair) -> int:
    """Tooth of a planet in pair zero of its ring mesh."""
    planet = mesh.between[0]
    sun = next((m for m in train.meshes.values() if not m.internal and m.between[1] == planet), None)
    if sun is None:
        return 0
    outer = tooth_pair(sun)
    kinds = [
        MeshTeeth(
            (q.one.teeth, q.two.teeth), q.one.shift, q.one.base_radius, q.working_angle, q.path, m.sigma,
            m.phase_direction,
        )
        for m, q in ((sun, outer), (mesh, pair))
    ]  # fmt: skip
    a, b = pair.one.pressure_angle, pair.one.helix_angle
    theta_sun = tooth_angle(kinds[0], sun.phase, a, b)
    theta = mate_tooth_angle(kinds[0], theta_sun, outer.two.shift, outer.two.base_radius, a, b) + math.pi
    theta = math.remainder(theta, 2.0 * math.pi)
    psi = involute.half_tooth_angle(pair.one.teeth, pair.one.shift, a, b)
    s = pair.one.base_radius * (mesh.sigma * theta + psi + pair.working_angle)
    travelled = (s - pair.path.start if rising(mesh) else pair.path.end - s) / pair.path.base_pitch
    return -round(mesh.phase - travelled)


def different_teeth(mesh: Mesh, train: Train, said: list[str]) -> DifferentTeeth | None:
    """Deviations and cracks of single teeth for law periodic; None where all teeth are alike or no teeth are known. ``said`` takes
    a sentence on what only law tooth_contact has."""
    facts, pair = mesh.teeth_different, None
    if facts:
        pair = teeth_of(mesh)
    if not facts or pair is None:
        return None
    deviation: list[tuple[float, ...]] = []
    left: list[tuple[float, ...]] = []
    for gear, one in zip((pair.one, pair.two), facts, strict=True):
        given = one.get("deviations", ())
        if given and len(given) != gear.teeth:
            raise GeometryError(f"{gear.name} has {gear.teeth} teeth, pitch_error gives {len(given)} deviations")
        found, parts = _of_wheel(gear.name, gear.teeth, given, one.get("teeth", ()))
        if any(tooth.get("pit_depth") for tooth in one.get("teeth", ())):
            said.append(
                f"mesh '{mesh.name}': law periodic leaves out the pits of {gear.name}; law tooth_contact has them"
            )
        deviation.append(found)
        left.append(parts)
    return DifferentTeeth((deviation[0], deviation[1]), (left[0], left[1]), tooth_numbers(mesh, train, pair))


def _of_wheel(name: str, teeth: int, given: Any, single: Any) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Deviations [m] and remaining parts of the stiffness of the teeth of a wheel."""
    deviation, left = [float(x) for x in given] or [0.0] * teeth, [1.0] * teeth
    for tooth in single:
        i = tooth["tooth"]
        if i >= teeth:
            raise GeometryError(f"{name} has teeth 0 to {teeth - 1}; pitch_error names tooth {i}")
        deviation[i] += tooth.get("deviation", 0.0)
        left[i] *= 1.0 - float(tooth.get("crack") or 0.0)
    return tuple(deviation), tuple(left)


__all__ = ["different_teeth", "tooth_numbers"]
