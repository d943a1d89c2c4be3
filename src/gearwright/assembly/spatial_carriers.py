"""Carriers that bend: pins as beams between the walls, a second wall of its own, for bodies with six motions.

A pin of the carrier's frame is a chain of beams from a point of the first wall (the carrier itself) past the seats of
the planet's bearings to a point of the second wall: the same body, or one that a web holds, so that the walls wind up
against each other and the planets tilt.
"""

from __future__ import annotations

import math
from dataclasses import replace

from gearwright.schema.parts import CarrierWall, Material, Pins
from gearwright.train.train import Bearing, Body, Damping, Segment, Shaft, Train

from .motion import AssemblyError

#: seats closer than this are one [m]
CLOSE = 1e-9


def flexible_carriers(train: Train) -> Train:
    """The train with the pins and second walls of its carriers as bodies, beams and bearings.

    New bodies ``<stage>.carrier_wall``, ``<stage>.pin1_seat1``, ...; beams ``<stage>.pin1`` or ``<stage>.pin1.part1``, ...;
    the web is a bearing ``<stage>.carrier_web``.
    Raises AssemblyError for pins that do not reach their bearings.
    """
    for name, stage in train.stages.items():
        pins, wall = stage.pins, stage.wall
        if pins is None and wall is None:
            continue
        if not stage.pin_radius:
            raise AssemblyError(f"'{name}': pins and walls of a carrier need the places of the planets: a pin_radius")
        carrier = stage.members["carrier"]
        reach = 0.5 * pins.length if pins is not None else 0.0 if wall is None else wall.x
        second = carrier
        if wall is not None:
            second = f"{name}.carrier_wall"
            train = _with_wall(train, wall, carrier, second, f"{name}.carrier_web", reach)
        if pins is not None and stage.pin_material is not None:
            for planet in stage.planets:
                train = _with_pin(train, pins, stage.pin_material, carrier, second, planet, name)
    return train


def _with_wall(train: Train, wall: CarrierWall, carrier: str, name: str, web: str, reach: float) -> Train:
    if train.bodies[carrier].fixed:
        raise AssemblyError(f"'{carrier}' is fixed: a second wall of it does nothing")
    whole = train.bodies[carrier]
    left = (whole.mass or 0.0) - wall.mass, (whole.inertia or 0.0) - wall.inertia
    if min(left) <= 0.0:
        raise AssemblyError(
            f"'{carrier}' has {whole.mass or 0.0:g} kg and {whole.inertia or 0.0:g} kg m^2 in all; its second wall alone is said "
            f"to have {wall.mass:g} kg and {wall.inertia:g} kg m^2"
        )
    rest = replace(whole, mass=left[0], inertia=left[1])
    body = Body(
        name,
        "body",
        train.bodies[carrier].stage,
        wall.inertia,
        wall.mass,
        on=carrier,
        x=train.bodies[carrier].x,
        length=0.0,
    )
    radial, damping = wall.stiffness, Damping(stiffness_proportional=wall.damping)
    bearing = Bearing(
        web,
        (name, carrier),
        None if radial is None else ((radial, 0.0), (0.0, radial)),
        wall.torsional_stiffness,
        axial=wall.axial_stiffness,
        tilt=(wall.tilt_stiffness,) * 2 if wall.tilt_stiffness else None,
        damping=damping,
        torsional_damping=damping,
        support_x=reach,
        stage=train.bodies[carrier].stage,
    )
    return replace(
        train,
        bodies={**train.bodies, carrier: rest, name: body},
        bearings={**train.bearings, web: bearing},
        ratios={**train.ratios, name: train.ratios.get(carrier, 0.0)} if train.ratios else train.ratios,
    )


def _with_pin(train: Train, pins: Pins, steel: Material, carrier: str, second: str, planet: str, stage: str) -> Train:
    item = train.bodies[planet]
    half, bodies, shafts, bearings = 0.5 * pins.length, dict(train.bodies), dict(train.shafts), dict(train.bearings)
    held = [b for b in bearings.values() if b.between == (planet, carrier)]
    seats = sorted({b.x for b in held})
    if not seats or seats[0] < -half + CLOSE or seats[-1] > half - CLOSE:
        raise AssemblyError(
            f"the pins of '{carrier}' reach from {-half:g} to {half:g} m beside the middle of the planets; the bearings of "
            f"'{planet}' at {', '.join(f'{s:g}' for s in seats) or 'no place'} m must lie between"
        )
    label = f"{stage}.pin{planet.rsplit('planet', 1)[1]}"
    ratios = dict(train.ratios)
    nodes = [f"{label}_seat{i + 1}" if len(seats) > 1 else f"{label}_seat" for i in range(len(seats))]
    for name, x in zip(nodes, seats, strict=True):
        bodies[name] = Body(
            name,
            "shaft",
            item.stage,
            0.0,
            0.0,
            on=carrier,
            pin_radius=item.pin_radius,
            angle=item.angle,
            x=item.x,
            floating=True,
        )
        if ratios:
            ratios[name] = ratios.get(carrier, 0.0)
        for b in held:
            if abs(b.x - x) < CLOSE:
                # the planet is held beside its middle, the pin at its own seat
                bearings[b.name] = replace(b, between=(planet, name), support_x=0.0)
    radius = float(item.pin_radius or 0.0)
    arm = (radius * math.cos(item.angle), radius * math.sin(item.angle))
    shift = item.x - train.bodies[carrier].x if item.x and train.bodies[carrier].x else 0.0
    ends: list[tuple[str, float, tuple[float, float, float]]] = [(carrier, -half, (shift - half, *arm))]
    ends += [(name, x, (0.0, 0.0, 0.0)) for name, x in zip(nodes, seats, strict=True)]
    if pins.walls == 2:
        # a wall of its own is described at its own middle
        ends.append((second, half, (shift + half if second == carrier else 0.0, *arm)))
    shear, young = steel.shear_modulus, steel.young
    for i, (one, two) in enumerate(zip(ends, ends[1:], strict=False)):
        name = label if len(ends) == 2 else f"{label}.part{i + 1}"
        if name in shafts:
            raise AssemblyError(f"'{carrier}' needs the name '{name}' for a pin, which is taken")
        segment = Segment(two[1] - one[1], pins.diameter, pins.bore)
        polar = math.pi / 32.0 * (segment.diameter**4 - segment.bore**4)
        shafts[name] = Shaft(
            name,
            (one[0], two[0]),
            shear * polar / segment.length,
            damping=Damping(stiffness_proportional=pins.damping),
            segments=(segment,),
            young=young,
            shear=shear,
            density=steel.density,
            eccentric=(one[2], two[2]),
            on=carrier,
            parent=label,
        )
    return replace(train, bodies=bodies, shafts=shafts, bearings=bearings, ratios=ratios)
