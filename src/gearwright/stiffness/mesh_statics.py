"""The statics of a mesh from what the train knows of it: teeth, stiffness, load of reference; and how long pairs take up load
where no teeth are known."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from gearwright.geometry.gear import GeometryError
from gearwright.geometry.pair import GearPair
from gearwright.remarks import assumed
from gearwright.train.teeth import sound_pair
from gearwright.train.train import Mesh, Stiffness, Train

from .cycle import PairStiffness
from .mesh_table import SLICES, MeshTable, PairStatics, mesh_table
from .resolve import ASSUMED_LOAD, METHODS, mesh_pair_stiffness, nominal_force, rising
from .ste import corner_gap

#: a pair is followed this far beyond its path [base pitches], in steps of one over
BEYOND, STEPS = 0.4, 4000
#: take-up of a pair [base pitches] where nothing of the teeth is known
TAKE_UP = 0.05


class Reference(NamedTuple):
    """Load that a mesh is computed for: ``force`` along the line of action [N], and a sentence where it was assumed."""

    force: float
    said: str


def reference_load(mesh: Mesh, train: Train) -> Reference | None:
    """Load of a mesh at the operating point, or an assumed one; None where neither a torque nor a face width is known."""
    force = nominal_force(mesh, train)
    if force is not None and force > 0.0 and math.isfinite(force):
        return Reference(force, "")
    if mesh.face_width is None:
        return None
    force = ASSUMED_LOAD * mesh.face_width
    return Reference(
        force,
        assumed(f"mesh '{mesh.name}': no operating torque reaches it; its teeth are taken under {1e-3 * force:.4g} kN"),
    )


def course_given(s: Stiffness) -> bool:
    """Whether the file gives the course of the stiffness itself: a table or harmonics."""
    return s.fourier is not None or (s.table is not None and s.source not in METHODS)


def levels_given(s: Stiffness) -> bool:
    """Whether the stiffness is known in two levels."""
    return s.two_pairs is not None and s.one_pair is not None and not course_given(s)


def teeth_of(mesh: Mesh) -> GearPair | None:
    """The true teeth of a mesh whose stiffness goes with them; None where they are not known or make no gear."""
    s = mesh.stiffness
    if course_given(s) or levels_given(s) or (s.mean is None and s.source not in METHODS):
        return None
    try:
        return sound_pair(mesh)
    except (GeometryError, ValueError):
        return None


def statics(mesh: Mesh, train: Train, load: float) -> PairStatics:
    """One pair of teeth of a mesh along its way, under a load of reference [N].

    By finite elements or formulas the stiffness is that of the teeth at every place; from a mean it is constant, and scaled so that
    the mesh has that mean under the load. Raises GeometryError for what is missing or impossible.
    """
    pair = sound_pair(mesh)
    key = (str(mesh.wheels), mesh.centre_distance, rising(mesh), mesh.stiffness, _overlap(mesh, train), load)
    return _statics(key, _Facts(mesh, train, pair))


class _Facts:
    """What the statics are made of, equal for every use: the key is what tells them apart."""

    def __init__(self, mesh: Mesh, train: Train, pair: GearPair):
        self.mesh, self.train, self.pair = mesh, train, pair

    def __hash__(self) -> int:
        return 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Facts)


def _overlap(mesh: Mesh, train: Train) -> float:
    """Cycles by which the end of the face at larger x is ahead of the other."""
    if not mesh.helix_angle or train.model.helical == "spur":
        return 0.0
    hand = mesh.hand or (-1 if mesh.internal else 1)
    return mesh.overlap_ratio * hand * mesh.phase_direction


@lru_cache(maxsize=64)
def _statics(key: tuple[object, ...], facts: _Facts) -> PairStatics:
    mesh, train, pair = facts.mesh, facts.train, facts.pair
    load = float(key[-1])  # type: ignore[arg-type]
    p, s = pair.path, mesh.stiffness
    span = (p.end - p.start) / p.base_pitch
    travel = np.linspace(-BEYOND, span + BEYOND, round((span + 2.0 * BEYOND) * STEPS) + 1)
    arc = p.start + travel * p.base_pitch if rising(mesh) else p.end - travel * p.base_pitch
    near = np.clip(arc, p.start, p.end)
    grid = np.linspace(p.start, p.end, 2001)
    taken = np.interp(near, grid, [pair.modification(float(x)) for x in grid])
    gap = taken + np.where((travel >= 0.0) & (travel <= span), 0.0, corner_gap(pair, arc))
    crown = pair.one.lead_crowning + pair.two.lead_crowning
    overlap = _overlap(mesh, train)
    slices = SLICES if overlap or crown else 1
    if s.source in ("fe", "analytic"):
        stiff: PairStiffness = mesh_pair_stiffness(mesh, train, s.source)[0]
        k = np.asarray(stiff.single(near))
        return PairStatics(travel, k, gap, span, overlap, crown, slices=slices)
    if s.mean is None:
        raise GeometryError(f"mesh '{mesh.name}' has no stiffness: give a value, two levels or a table over the cycle")
    flat = PairStatics(travel, np.full_like(travel, s.mean / max(span, 1.0)), gap, span, overlap, crown, slices=slices)
    return flat.for_mean(s.mean, load)


@lru_cache(maxsize=64)
def table_of(pair: PairStatics, load: float, alike: bool, place: float, width: float) -> MeshTable:
    """Table of a part of the face; equal meshes share it. ``place`` and ``width`` in face widths; the load [N] is that of the
    whole face."""
    return mesh_table(pair.part(place, width), load * width, alike)


class TakeUp(NamedTuple):
    """Base pitches over which a pair takes up its load, and what that was found from."""

    width: float
    why: str


def take_up_by_rule(mesh: Mesh, train: Train, pair_stiffness: float) -> TakeUp:
    """Take-up ``sqrt(F0 / (k K)) / p_b`` with the corner gap ``K x^2`` of the teeth; :data:`TAKE_UP` where they or a load are not
    known."""
    load = reference_load(mesh, train)
    try:
        pair = sound_pair(mesh)
    except (GeometryError, ValueError):
        pair = None
    if load is None or pair is None:
        return TakeUp(
            TAKE_UP, "by rule, as its teeth are not known" if pair is None else "by rule, as no load reaches it"
        )
    p = pair.path
    x = 0.05 * p.base_pitch
    with np.errstate(all="ignore"):
        gaps = [float(corner_gap(pair, at)) for at in (p.start - x, p.end + x)]
    firm = max((g for g in gaps if math.isfinite(g) and g > 0.0), default=0.0) / x**2
    if firm == 0.0:
        return TakeUp(TAKE_UP, "by rule, as no tip corner meets its mate")
    width = math.sqrt(load.force / (pair_stiffness * firm)) / p.base_pitch
    return TakeUp(min(width, 0.4), f"its tip corners under {1e-3 * load.force:.4g} kN")


__all__ = ["Reference", "TakeUp", "course_given", "levels_given", "reference_load", "statics", "table_of", "take_up_by_rule",
           "teeth_of"]  # fmt: skip
