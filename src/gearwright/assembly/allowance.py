"""Backlash of meshes whose flanks part and of which the file gives none: an allowance of the teeth by rule, said."""

from __future__ import annotations

from dataclasses import replace

from gearwright.errors import AssemblyError, listed
from gearwright.geometry import GearPair, backlash_by_rule
from gearwright.geometry.gear import GeometryError
from gearwright.remarks import assumed
from gearwright.stiffness.resolve import reference_load, teeth_of
from gearwright.train.teeth import tooth_pair
from gearwright.train.train import Mesh, Train

from .losses import in_series

#: part of the module up to which teeth without an allowance may be too thick for their centre distance: rounding of printed shifts
ROUNDING = 1e-2


def allowed_backlash(mesh: Mesh, pair: GearPair) -> float:
    """Normal backlash [m] of a mesh of which the file gives none.

    What an allowance of the tooth thickness leaves at the working centre distance; of full teeth at least that of ISO/TR 10064-2,
    by which they are then thinned. Raises AssemblyError for teeth that are too thick for the centre distance.
    """
    thinned = bool(pair.one.thickness_allowance or pair.two.thickness_allowance)
    if pair.backlash < 0.0 and (thinned or pair.backlash < -ROUNDING * pair.one.module):
        cure = "more thickness_allowance" if thinned else "profile shifts that close the pair"
        raise AssemblyError(
            f"mesh '{mesh.name}': its teeth jam: they leave {1e6 * pair.backlash:.4g} um of backlash at the centre distance of "
            f"{1e3 * abs(pair.distance):.6g} mm; {cure}, a larger centre distance, or the backlash itself (backlash: 0 mm and more)"
        )
    return pair.backlash if thinned else max(pair.backlash, backlash_by_rule(pair.distance, pair.one.module))


def with_backlash(train: Train, law: str) -> tuple[Train, list[str]]:
    """The train in which meshes of laws that know their teeth have a backlash, and what was assumed of it.

    Raises AssemblyError as :func:`allowed_backlash`.
    """
    meshes, taken = dict(train.meshes), dict[float, list[str]]()
    for name, mesh in train.meshes.items():
        pair = _wanting(mesh, train, mesh.law or law)
        if pair is not None:
            found = allowed_backlash(mesh, pair)
            meshes[name] = replace(mesh, backlash=found)
            taken.setdefault(float(f"{found:.9g}"), []).append(name)
    said: list[str] = [
        assumed(
            f"no backlash is given for {listed(names, 6)}: {1e3 * value:.3g} mm, {_why(train.meshes[names[0]], value)}"
        )
        for value, names in taken.items()
    ]
    return replace(train, meshes=meshes), said


def _wanting(mesh: Mesh, train: Train, law: str) -> GearPair | None:
    """The teeth of a mesh whose backlash is wanted: of laws by whose teeth flanks part, where the file gives none."""
    if mesh.backlash is not None or in_series(mesh) or mesh.circumference:
        return None
    if any(one.rim is not None and one.rim.ring in mesh.between for one in train.reduced.values()):
        return None  # a ring that bends takes one row for both flanks
    try:
        if law == "tooth_contact":
            return tooth_pair(mesh)
        if law == "periodic" and train.model.mesh_form == "table" and reference_load(mesh, train) is not None:
            return teeth_of(mesh)
    except (GeometryError, ValueError, ArithmeticError):
        pass  # said where the law needs the teeth
    return None


def _why(mesh: Mesh, value: float) -> str:
    try:
        pair = tooth_pair(mesh)
        least = backlash_by_rule(pair.distance, pair.one.module)
    except (GeometryError, ValueError):
        return "what the teeth leave"
    if abs(value - least) < 1e-9:
        return "the least of ISO/TR 10064-2 at centre distance and module"
    return "what the teeth leave"
