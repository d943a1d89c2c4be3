"""Rolling bearings whose force comes from their elements, at fidelities planar and spatial."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gearwright.bearings.ratings import geometry_of
from gearwright.bearings.types import BearingGeometry
from gearwright.laws.roller_bearing import BearingDefect, roller_bearing
from gearwright.system import Law, Row, Source
from gearwright.train.train import HOUSING, Bearing

from .motion import AssemblyError, Terms, add

if TYPE_CHECKING:
    from .work import Assembly

SPATIAL = ("x", "y", "z", "tilt_y", "tilt_z")
PLANAR = ("y", "z")


def bearing_geometry(bearing: Bearing) -> BearingGeometry:
    """Geometry of a rolling bearing. Raises AssemblyError naming the bearing."""
    assert bearing.rolling is not None
    try:
        return geometry_of(bearing.rolling)[0]
    except ValueError as error:
        raise AssemblyError(f"bearing '{bearing.name}': {error}") from None


def carries_inner(bearing: Bearing, on: str | None) -> bool:
    """Whether the body (not its support) carries the inner ring: a planet on its pin carries the outer one."""
    given = None if bearing.rolling is None else bearing.rolling.inner
    if given is not None:
        return given == "body"
    return not (on is not None and on in bearing.between)


def rolling_block(
    work: Assembly, bearing: Bearing, body: str, support: str, terms: dict[str, Terms], offsets: tuple[float, float]
) -> dict[str, list[tuple[Source, str, float]]]:
    """Attach the law of a rolling bearing to the relative motions ``terms`` of its body; its forces by motion.

    Raises AssemblyError for facts that describe no bearing, or stiffness that was to be found at the operating point
    before.
    """
    inner = carries_inner(bearing, work.train.bodies[body].on)
    spatial = "x" in terms
    names = SPATIAL if spatial else PLANAR
    law, geometry = rolling_law(bearing, inner, _damping(work, bearing), spatial)
    off = dict(zip(PLANAR, offsets, strict=True))
    rows = [Row(f"{bearing.name}.{m}", terms[m], off.get(m, 0.0)) for m in names]
    senses = [
        Row(f"{bearing.name}.{name}", row)
        for name, row in turning(work, geometry, body, support, inner).items()
        if name == "cage" or law.senses > 1
    ]
    work.builder.block(bearing.name, rows, law, senses)
    return {m: [(Source.FORCE, f"{bearing.name}.{m}", 1.0)] for m in names if terms[m]}


def rolling_law(
    bearing: Bearing, inner: bool, damping: tuple[float, float], spatial: bool
) -> tuple[Law, BearingGeometry]:
    """Law of a rolling bearing, and its geometry; ``damping``: radial dashpot [N s/m], time in proportion to stiffness [s].

    Raises AssemblyError for facts that describe no bearing, or stiffness that was to be found at the operating point before.
    """
    facts = bearing.rolling
    if facts is None or facts.law != "nonlinear":
        raise AssemblyError(
            f"bearing '{bearing.name}' has no stiffness yet: that of its rolling elements is found at the operating point "
            f"(gearwright.running.rolling.with_rolling), or choose rolling.law: nonlinear"
        )
    geometry = bearing_geometry(bearing)
    try:
        law = roller_bearing(
            geometry,
            spatial=spatial,
            inner=inner,
            damping=damping[0],
            proportional=damping[1],
            first_angle=facts.first_angle,
            defects=[BearingDefect(**d.model_dump()) for d in facts.defects],
            mean=bearing.element_mean,
        )
    except ValueError as error:
        raise AssemblyError(f"bearing '{bearing.name}': {error}") from None
    return law, geometry


def turns_read(geometry: BearingGeometry, inner: bool, law: Law) -> tuple[tuple[float, float], ...]:
    """What a law reads of its body's rotation against the support, per radian: cage in pitches; with defects both rings and the
    elements' spin. The same as :func:`turning` where the frame is the support's."""
    g = geometry.gamma
    cage = 0.5 * (1.0 - g if inner else 1.0 + g) * geometry.per_row / (2.0 * math.pi)
    spin = 0.5 * geometry.pitch_diameter / geometry.element_diameter * (1.0 - g * g)
    every = (cage, 1.0 if inner else 0.0, 0.0 if inner else 1.0, -spin if inner else spin)
    return tuple((ratio, 0.0) for ratio in every[: law.senses])


def turning(work: Assembly, geometry: BearingGeometry, body: str, support: str, inner: bool) -> dict[str, Terms]:
    """Rotations that the law reads, without slip: cage in pitches, both rings and the elements' spin [rad]."""
    motions = work.motions
    frame = motions.frame[body]
    ground: Terms = motions.rotation(frame) if frame is not None else {}
    rings = []
    for name in (body, support) if inner else (support, body):
        ring = dict(motions.rotation(name)) if name != HOUSING else {}
        rings.append(add(ring, ground, -1.0))
    g = geometry.gamma
    cage = add(add({}, rings[0], 0.5 * (1.0 - g)), rings[1], 0.5 * (1.0 + g))
    ratio = 0.5 * geometry.pitch_diameter / geometry.element_diameter * (1.0 - g * g)
    spin = add(add({}, rings[0], -ratio), rings[1], ratio)
    pitches = geometry.per_row / (2.0 * math.pi)
    rows = {"cage": add({}, cage, pitches), "inner": rings[0], "outer": rings[1], "spin": spin}
    return {name: {c: v for c, v in row.items() if v != 0.0} for name, row in rows.items()}


def _damping(work: Assembly, bearing: Bearing) -> tuple[float, float]:
    if work.train.damping:
        return 0.0, float(work.train.damping.stiffness_proportional or 0.0)
    if bearing.damping.ratio is not None:
        raise AssemblyError(
            f"bearing '{bearing.name}': rolling.law nonlinear has no single stiffness to which damping.ratio refers; give "
            f"damping as a value (N s/m) or {{stiffness_proportional: ...}}"
        )
    return bearing.damping.value or 0.0, bearing.damping.stiffness_proportional or 0.0
