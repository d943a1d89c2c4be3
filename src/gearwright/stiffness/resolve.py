"""What a train knows of a mesh becomes numbers: ``stiffness: {from: fe}`` a mean and a table over the mesh cycle; its teeth the
statics of one pair under the load of reference; and how long pairs take up load where no teeth are known."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from gearwright.geometry.gear import GeometryError, Steel
from gearwright.geometry.pair import GearPair
from gearwright.remarks import assumed
from gearwright.train.teeth import sound_pair, tooth_pair
from gearwright.train.train import Mesh, Note, Stiffness, Train

from . import hertz
from .cycle import PairStiffness, pair_stiffness
from .fe import needs
from .iso6336 import iso_stiffness
from .mesh_table import SLICES, MeshTable, PairStatics, mesh_table
from .ste import along_the_face, corner_gap

#: methods that :func:`resolve` knows
METHODS = ("fe", "iso6336", "analytic", "hertz")
#: load per width [N/m] for the contact's half width where no operating torque is known
ASSUMED_LOAD = 3e5
#: points of the table over one cycle
POINTS = 64
#: a pair is followed this far beyond its path [base pitches], in steps of one over
BEYOND, STEPS = 0.4, 4000
#: take-up of a pair [base pitches] where nothing of the teeth is known
TAKE_UP = 0.05


def rising(mesh: Mesh) -> bool:
    """Whether a pair enters at the start of the path (``s1`` of gear one grows as the train turns forward)."""
    return mesh.sigma * mesh.phase_direction > 0


def nominal_force(mesh: Mesh, train: Train) -> float | None:
    """Mesh force along the line of action [N] at the operating torque, lossless and shared equally; None if unknown.

    The power of the input leaves through the pitch points of all meshes of the first wheel of the stage.
    """
    if train.torque is None or train.input is None:
        return None
    source = mesh
    if mesh.on is not None:  # the planet's two mesh forces are equal: take the mesh whose central wheel turns
        siblings = [m for m in train.meshes.values() if m.stage == mesh.stage and m.on == mesh.on]
        moving = [m for m in siblings if _central_speed(m, train)]
        if not moving:
            return None
        source = next((m for m in moving if m.internal == mesh.internal), moving[0])
    speed = _central_speed(source, train)
    if not speed:
        return None
    wheel = 1 if source.internal and source.on is not None else 0
    power = abs(train.torque * train.ratios.get(train.input, 1.0))
    sharing = [m for m in train.meshes.values() if m.stage == source.stage and m.internal == source.internal]
    count = len(sharing) if source.on is not None else 1
    return power / (count * source.base_radius[wheel] * abs(speed))


def _central_speed(mesh: Mesh, train: Train) -> float | None:
    """Speed ratio of the sun or ring of a planetary mesh, of wheel one of another."""
    name = mesh.between[1] if mesh.internal and mesh.on is not None else mesh.between[0]
    return train.ratios.get(name)


def contact_half_width(pair: GearPair, mesh: Mesh, train: Train) -> tuple[float, str]:
    """Half width [m] that the teeth are computed with, and a sentence saying where it comes from."""
    if mesh.stiffness.half_width is not None:
        return mesh.stiffness.half_width, f"half width {1e6 * mesh.stiffness.half_width:.4g} um as given"
    for gear in (pair.one, pair.two):
        if gear.material is None:
            raise GeometryError(f"mesh '{mesh.name}': {gear.name}: missing 'material' (young, poisson)")
    assert pair.one.material is not None and pair.two.material is not None
    steels: tuple[Steel, Steel] = (pair.one.material, pair.two.material)
    force, width = nominal_force(mesh, train), pair.face_width
    if force is None or width is None:
        load, source = ASSUMED_LOAD, f"under an assumed {1e-3 * ASSUMED_LOAD:g} N/mm"
    else:
        load, source = force / width, f"under the operating {1e-3 * force:.4g} kN"
    a = float(hertz.half_width(pair, load, pair.path.pitch_point, steels))
    return a, f"half width {1e6 * a:.4g} um, Hertz at the pitch point {source}"


def mesh_pair_stiffness(mesh: Mesh, train: Train, method: str) -> tuple[PairStiffness, str]:
    """Both teeth of a mesh by ``fe`` or ``analytic``, and a sentence on the half width. Raises GeometryError."""
    pair = tooth_pair(mesh)
    try:
        if method == "fe":  # everything that is missing in one message
            for gear in (pair.one, pair.two):
                needs(gear)
        a, sentence = contact_half_width(pair, mesh, train)
        return pair_stiffness(pair, method, a), sentence
    except GeometryError as error:
        text = str(error)
        raise GeometryError(text if text.startswith("mesh ") else f"mesh '{mesh.name}': {text}") from None


def usual_method(meshes: Iterable[Mesh], remarks: list[str]) -> str:
    """``fe`` where the gears have what finite elements need, else ``analytic``, which is said in ``remarks``."""
    for mesh in meshes:
        pair = tooth_pair(mesh)
        for gear in (pair.one, pair.two):
            if gear.rim is None and gear.material is not None:
                what = "outer_diameter" if gear.ring else "bore"
                remarks.append(
                    assumed(
                        f"stiffness of teeth by method analytic: {gear.name} has no {what}, which finite elements need"
                    )
                )
                return "analytic"
    return "fe"


class Toothed(NamedTuple):
    """A mesh with what its teeth give way by, and a sentence on their half width."""

    mesh: Mesh
    stiff: PairStiffness
    said: str

    @property
    def pair(self) -> GearPair:
        """The two gears."""
        return self.stiff.pair


def toothed(mesh: Mesh, train: Train, method: str) -> Toothed:
    """A mesh with its teeth by ``fe`` or ``analytic``. Raises GeometryError for what is missing or impossible."""
    return Toothed(mesh, *mesh_pair_stiffness(mesh, train, method))


def blind(mesh: Mesh) -> bool:
    """Whether the stiffness of a mesh is given as levels or as a course over the cycle, so that no law sees its flanks."""
    return course_given(mesh.stiffness) or levels_given(mesh.stiffness)


def resolve(mesh: Mesh, train: Train) -> tuple[Stiffness, float | None, str]:
    """Stiffness of a mesh by its method, the contact ratio that belongs to it, and a sentence on what was done.

    ``fe`` and ``analytic`` give a mean and a table with corners where pairs enter and leave; ``iso6336`` the mean.
    A mesh that has numbers keeps them. Raises GeometryError naming what is missing, or what makes the gears
    impossible.
    """
    s = mesh.stiffness
    if s.source not in METHODS or s.mean is not None or s.table is not None or s.two_pairs is not None:
        return s, mesh.contact_ratio, ""
    if s.source == "iso6336":
        pair = sound_pair(mesh)
        if pair.face_width is None:
            raise GeometryError(f"mesh '{mesh.name}': missing 'face_width'")
        found = iso_stiffness(pair, mesh.contact_ratio)
        mean = found.mesh * pair.face_width
        ratio = mesh.contact_ratio if mesh.contact_ratio is not None else pair.contact_ratio
        return dataclasses.replace(s, mean=mean), ratio, f"stiffness {mean:.5g} N/m by ISO 6336-1 method B"
    if s.source == "hertz":
        return _contact_alone(mesh, train)
    stiff, sentence = mesh_pair_stiffness(mesh, train, s.source)
    grid = np.arange(POINTS) / POINTS
    values = stiff.over_cycle(grid, rising(mesh)).stiffness
    corners = tuple(sorted({0.0, round(stiff.leaving, 12)}))
    table = tuple(zip(grid.tolist(), values.tolist(), strict=True))
    what = {"fe": "finite elements", "analytic": "formulas"}[s.source]
    return (
        dataclasses.replace(s, mean=stiff.mean, table=table, corners=corners),
        stiff.pair.contact_ratio,
        f"stiffness {stiff.mean:.5g} N/m on average by {what} ({sentence})",
    )


def _contact_alone(mesh: Mesh, train: Train) -> tuple[Stiffness, float | None, str]:
    """Secant stiffness of pairs that give way by Roark's contact alone (S2): with one pair under the load, with
    ``n`` pairs under the ``n``-th part each, averaged over the cycle."""
    s, pair = mesh.stiffness, sound_pair(mesh)
    width = pair.face_width
    if missing := pair.lacking():
        raise GeometryError(f"mesh '{mesh.name}': {missing} (stiffness from hertz)")
    assert pair.one.material is not None and pair.two.material is not None and width is not None
    force = nominal_force(mesh, train)
    load = ASSUMED_LOAD * width if force is None else force
    k = (pair.one.material.plane + pair.two.material.plane) / (math.pi * width)
    reach = pair.distance * math.sin(pair.working_angle) * math.exp(2.0 / 3.0) / k
    ratio = pair.contact_ratio
    few = max(math.floor(ratio), 1)
    low, high = (n / (k * math.log(n * reach / load)) for n in (few, few + 1))
    mean = low + (ratio - few) * (high - low)
    under = f"{1e-3 * load:.4g} kN" + ("" if force is not None else " (assumed)")
    sentence = f"stiffness {mean:.5g} N/m on average, contact alone under {under}"
    if few == 1 and ratio > 1.0:
        return dataclasses.replace(s, two_pairs=high, one_pair=low), ratio, sentence
    return dataclasses.replace(s, mean=mean), ratio, sentence


def resolved(train: Train) -> Train:
    """The train with every mesh's stiffness in numbers; equal meshes are computed once. Raises GeometryError."""
    todo = [m for m in train.meshes.values() if m.stiffness.source in METHODS]
    if not todo:
        return train
    done: dict[tuple[object, ...], tuple[Stiffness, float | None, str]] = {}
    meshes, notes = dict(train.meshes), list(train.notes)
    for mesh in todo:
        key = (mesh.stage, mesh.internal, mesh.base_radius, mesh.stiffness, rising(mesh), mesh.wheels)
        if key not in done:
            done[key] = resolve(mesh, train)
            if done[key][2]:
                notes.append(Note("derived", mesh.name, done[key][2]))
        stiffness, ratio, _ = done[key]
        meshes[mesh.name] = dataclasses.replace(mesh, stiffness=stiffness, contact_ratio=ratio)
    return dataclasses.replace(train, meshes=meshes, notes=tuple(notes))


# --- statics of the teeth --------------------------------------------------------------------------------------------


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
    the mesh with parallel flanks has that mean under the load. Raises GeometryError for what is missing or impossible.
    """
    pair = sound_pair(mesh)
    made_of = str(mesh.wheels), mesh.centre_distance, mesh.stiffness, mesh.misalignment
    key = (*made_of, rising(mesh), overlap_of(mesh, train), load)
    return _statics(key, _Facts(mesh, train, pair))


def skewed(pair: GearPair, mesh: Mesh) -> GearPair:
    """The teeth of a mesh with its misalignment as a lead slope of the first wheel, which parts the flanks just so."""
    if not mesh.misalignment:
        return pair
    return dataclasses.replace(
        pair, one=dataclasses.replace(pair.one, lead_slope=pair.one.lead_slope + mesh.misalignment)
    )


class _Facts:
    """What the statics are made of, equal for every use: the key is what tells them apart."""

    def __init__(self, mesh: Mesh, train: Train, pair: GearPair):
        self.mesh, self.train, self.pair = mesh, train, pair

    def __hash__(self) -> int:
        return 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Facts)


def overlap_of(mesh: Mesh, train: Train) -> float:
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
    slope = pair.one.lead_slope + pair.two.lead_slope + mesh.misalignment
    bias = None
    if pair.one.bias or pair.two.bias:
        bias = pair.one.bias * pair.one.height(near) + pair.two.bias * pair.two.height(pair.mate_arc(near))
    overlap = overlap_of(mesh, train)
    slices = SLICES if overlap or along_the_face(skewed(pair, mesh)) else 1
    if s.source in ("fe", "analytic"):
        stiff: PairStiffness = mesh_pair_stiffness(mesh, train, s.source)[0]
        k = np.asarray(stiff.single(near))
        return PairStatics(travel, k, gap, span, overlap, crown, slope, bias, slices=slices)
    if s.mean is None:
        raise GeometryError(f"mesh '{mesh.name}' has no stiffness: give a value, two levels or a table over the cycle")
    k = np.full_like(travel, s.mean / max(span, 1.0))
    flat = PairStatics(travel, k, gap, span, overlap, crown, bias=bias, slices=slices).for_mean(s.mean, load)
    return dataclasses.replace(flat, slope=slope)


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
