"""Shafts with dimensions become chains of beams between massless nodes, for bodies with six motions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from gearwright.remarks import assumed
from gearwright.stiffness.beam import Beam
from gearwright.train.train import HOUSING, Bearing, Body, Segment, Shaft, Train

from .motion import AssemblyError

#: places along a shaft closer than this are one node [m]
CLOSE = 1e-9


def divide_shafts(train: Train) -> tuple[Train, list[str]]:
    """The train with every shaft that can bend divided at its steps and bearings; and notes.

    A shaft bends if it has dimensions and both its ends are bodies with mass (or the housing); otherwise it only
    twists, which is noted. New bodies ``<shaft>.node1`` carry no mass of their own; the parts are
    ``<shaft>.part1``, with ``parent`` the shaft, and one segment each. Bearings of the shaft hold the nodes.
    """
    bodies, shafts, bearings = dict(train.bodies), {}, dict(train.bearings)
    ratios = dict(train.ratios)
    notes: list[str] = []
    for shaft in train.shafts.values():
        if not shaft.segments:
            shafts[shaft.name] = shaft
            continue
        light = [n for n in shaft.between if n != HOUSING and not _heavy(train.bodies[n])]
        if light:
            shafts[shaft.name], said = _twisting(shaft, light)
            notes += said
            continue
        parts, places = _parts(shaft)
        nodes = [shaft.between[0], *(f"{shaft.name}.node{i + 1}" for i in range(len(parts) - 1)), shaft.between[1]]
        first = next((n for n in shaft.between if n != HOUSING), HOUSING)
        for name in nodes[1:-1]:
            if name in bodies:
                raise AssemblyError(f"shaft '{shaft.name}' needs the name '{name}' for a node, which is taken")
            if train.ratios:
                ratios[name] = train.ratios.get(first, 0.0)
            place = train.bodies[first].place
            bodies[name] = Body(name=name, role="shaft", inertia=0.0, mass=0.0, floating=True, place=place)
        shafts.update((part.name, part) for part in _divided(shaft, parts, places, nodes))
        for bearing in shaft.bearings:
            x = bearing.x
            node = min(range(len(nodes)), key=lambda j: abs(places[j] - x))
            if nodes[node] == HOUSING:
                raise AssemblyError(f"bearing '{bearing.name}' of shaft '{shaft.name}' sits on the housing's end")
            bearings[bearing.name] = _moved(bearing, nodes[node])
    return replace(train, bodies=bodies, shafts=shafts, bearings=bearings, ratios=ratios), notes


def _twisting(shaft: Shaft, light: list[str]) -> tuple[Shaft, list[str]]:
    """A shaft that only twists, since the bodies ``light`` carry nothing; and notes."""
    lost = f"; its bearings ({', '.join(b.name for b in shaft.bearings)}) are left out" if shaft.bearings else ""
    notes = [f"shaft '{shaft.name}' only twists, since '{light[0]}' has no mass or is fixed{lost}"]
    half = 0.5 * sum(shaft_mass(shaft))
    left, right = (0.0 if n == HOUSING or n in light else half for n in shaft.between)
    if left or right:
        heavy = shaft.between[0 if left else 1]
        notes.append(
            assumed(
                f"shaft '{shaft.name}' only twists: half of its {2.0 * half:.4g} kg rests on '{heavy}', the other half on "
                f"what holds '{light[0]}', which the model does not have"
            )
        )
    return replace(shaft, segments=(), bearings=(), gauges=(), hung=(left, right)), notes


def _divided(shaft: Shaft, parts: list[Segment], places: list[float], nodes: list[str]) -> Iterator[Shaft]:
    """The parts of a shaft between its nodes."""
    compliance = sum(_twist(shaft, s) for s in parts)
    for i, part in enumerate(parts):
        last = i == len(parts) - 1
        ends = (shaft.spline == "first" and i == 0) or (shaft.spline == "second" and last)
        # a torsional stiffness that the file gives holds for the whole shaft, whatever its dimensions make
        damping = shaft.damping
        if damping.value is not None:
            damping = replace(damping, value=damping.value * compliance / _twist(shaft, part))
        yield replace(
            shaft,
            name=shaft.name if len(parts) == 1 else f"{shaft.name}.part{i + 1}",
            between=(nodes[i], nodes[i + 1]),
            torsional=shaft.torsional * compliance / _twist(shaft, part),
            damping=damping,
            parent=shaft.name,
            segments=(part,),
            bearings=(),
            consistent=0.0,
            lateral=None,
            spline=shaft.spline if ends else None,
            gauges=tuple(g - places[i] for g in shaft.gauges if _within(g, places, i)),
            offset=shaft.offset if last else (0.0, 0.0),
            angle=shaft.angle if last else (0.0, 0.0),
        )


def shaft_mass(shaft: Shaft) -> list[float]:
    """Mass of each segment of a shaft [kg]."""
    return [shaft.density * s.length * 0.25 * math.pi * (s.diameter**2 - s.bore**2) for s in shaft.segments]


def beam_of(shaft: Shaft) -> Beam:
    """The beam of a divided shaft's part."""
    part = shaft.segments[0]
    return Beam(part.length, part.diameter, part.bore, shaft.young, shaft.shear, shaft.density)


def _heavy(body: Body) -> bool:
    return body.mass is not None and not body.fixed


def _moved(bearing: Bearing, node: str) -> Bearing:
    return replace(bearing, between=(node, bearing.between[1]), x=0.0)


def _parts(shaft: Shaft) -> tuple[list[Segment], list[float]]:
    """Segments cut at the bearings, and the places of all nodes from the first end on."""
    steps = [0.0]
    for segment in shaft.segments:
        steps.append(steps[-1] + segment.length)
    places = sorted([*steps, *(b.x for b in shaft.bearings)])
    nodes = [places[0]]
    for x in places[1:]:
        if x - nodes[-1] > CLOSE:
            nodes.append(x)
    parts = []
    for a, b in zip(nodes, nodes[1:], strict=False):
        middle = 0.5 * (a + b)
        inside = next(i for i in range(len(shaft.segments)) if steps[i] <= middle < steps[i + 1])
        parts.append(replace(shaft.segments[inside], length=b - a))
    return parts, nodes


def _twist(shaft: Shaft, part: Segment) -> float:
    return part.length / (shaft.shear * (part.diameter**4 - part.bore**4))


def _within(x: float, places: list[float], i: int) -> bool:
    last = i == len(places) - 2
    return places[i] <= x < places[i + 1] or (last and x >= places[i + 1] - CLOSE)
