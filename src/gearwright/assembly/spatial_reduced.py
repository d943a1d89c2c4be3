"""Reduced finite-element bodies: their nodes become bodies without mass of their own, their matrices rows."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gearwright.stiffness.beam import MOTIONS, mass_rows
from gearwright.system import Source, Spring, constant
from gearwright.train.train import HOUSING, Body, Reduced, Train

from .motion import AssemblyError, Terms

if TYPE_CHECKING:
    from .work import Assembly


def add_nodes(train: Train) -> Train:
    """The train with the nodes of its reduced bodies, and bearings moved to the nodes that support them."""
    if not train.reduced:
        return train
    bodies, bearings, ratios = dict(train.bodies), dict(train.bearings), dict(train.ratios)
    for one in train.reduced.values():
        for i, node in enumerate(one.nodes):
            name = f"{one.name}.{node}"
            if name in bodies:
                raise AssemblyError(f"reduced body '{one.name}' needs the name '{name}' for a node, which is taken")
            bodies[name] = Body(name=name, inertia=0.0, mass=0.0, floating=True)
            if one.on is not None:
                x, y, z = one.places[i]
                ratios[name] = ratios.get(one.on, 0.0)
                bodies[name] = replace(
                    bodies[name], on=one.on, pin_radius=math.hypot(y, z), angle=math.atan2(z, y), x=bodies[one.on].x + x
                )
        bearings |= {b.name: b for b in one.mounts}
    for name, bearing in bearings.items():
        support = bearing.support
        if support is not None:
            if support not in bodies:
                raise AssemblyError(f"bearing '{name}' stands on '{support}', which is no node of a reduced body")
            body = bearing.between[1] if bearing.between[0] == HOUSING else bearing.between[0]
            # at the node, wherever that is
            bearings[name] = replace(bearing, between=(body, support), support_x=0.0)
    return replace(train, bodies=bodies, bearings=bearings, ratios=ratios if train.ratios else train.ratios)


def is_node(train: Train, name: str) -> bool:
    """Whether a body is a node of a reduced body."""
    return any(name == f"{one.name}.{node}" for one in train.reduced.values() for node in one.nodes)


def _terms(one: Reduced, row: np.ndarray) -> Terms:
    names = [f"{one.name}.{node}.{motion}" for node in one.nodes for motion in MOTIONS]
    names += [f"{one.name}.mode{i + 1}" for i in range(len(row) - len(names))]
    floor = 1e-13 * float(np.abs(row).max())
    return {name: float(c) for name, c in zip(names, row, strict=True) if abs(c) > floor}


def reduced_coordinates(work: Assembly) -> None:
    """Internal coordinates of all reduced bodies."""
    for one in work.train.reduced.values():
        for i in range(len(one.mass) - 6 * len(one.nodes)):
            work.builder.coordinate(f"{one.name}.mode{i + 1}")


def reduced_inertias(work: Assembly) -> None:
    """Mass matrices as sums of squares."""
    for one in work.train.reduced.values():
        mass = np.array(one.mass)
        try:
            rows = mass_rows(mass)
        except ValueError as error:
            raise AssemblyError(f"mass of reduced body '{one.name}': {error}") from None
        if len(rows) < len(mass):
            raise AssemblyError(
                f"the mass of reduced body '{one.name}' has rank {len(rows)} of {len(mass)}: condense what has no mass first"
            )
        for value, row in rows:
            work.put(value, _terms(one, row))


def reduced_weights(work: Assembly, gravity: tuple[float, float, float]) -> None:
    """Weight of all reduced bodies: what their mass resists where all nodes fall together, which leaves fixed-interface
    modes at rest."""
    for one in work.train.reduced.values():
        nodes = 6 * len(one.nodes)
        fall = np.zeros(len(one.mass))
        if one.on is not None and work.motions.frame[f"{one.name}.{one.nodes[0]}"] is not None:
            work.note(f"reduced body '{one.name}' turns with '{one.on}': its weight is left out")
            continue
        for axis in range(3):
            fall[axis:nodes:6] = gravity[axis]
        force = np.array(one.mass) @ fall
        for name, value in _terms(one, force).items() if force.any() else ():
            signal = work.builder.signal(f"weight of {name}", constant(value))
            work.builder.input(name, signal)


def reduced_rows(work: Assembly) -> None:
    """Stiffness and damping matrices as eigen-rows, and the motion of the nodes as channels (with the bodies')."""
    for one in work.train.reduced.values():
        for label, matrix in (("stiffness", one.stiffness), ("damping", one.damping)):
            if matrix is None:
                continue
            try:
                rows = mass_rows(np.array(matrix))
            except ValueError as error:
                raise AssemblyError(f"{label} of reduced body '{one.name}': {error}") from None
            for i, (value, row) in enumerate(rows):
                size = float(np.abs(row).max())
                terms = _terms(one, row / size)
                if label == "stiffness":
                    beta = float(work.train.damping.stiffness_proportional or 0.0) if work.train.damping else 0.0
                    spring = Spring(value * size**2, beta * value * size**2)
                else:
                    spring = Spring(0.0, value * size**2)
                work.builder.row(f"{one.name}.{label}{i + 1}", terms, spring)
        for i in range(len(one.mass) - 6 * len(one.nodes)):
            name = f"{one.name}.mode{i + 1}"
            sign = "amplitude of an internal coordinate"
            work.builder.channel("body", one.name, f"mode{i + 1}", "1", sign, [(Source.POSITION, name, 1.0)])
