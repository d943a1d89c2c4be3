"""A structured mesh of quadrilaterals of one tooth on its ring, refined where the tooth is loaded.

Two blocks. The tooth, from half-way up the fillet to the tip: rows are arcs about the gear's centre, columns run
from the loaded flank to the other one. The ring under it, from the root circle (and the lower half of the fillets)
to the clamped bore: columns are radial. The blocks meet half-way up the fillet because the fillet leaves the root
circle tangentially: a tooth cut off at the root circle would end in corners of zero angle.

Rows crowd about the loaded point and columns about the loaded flank, with at least four rows over the contact.
Angles count from the tooth's middle, the loaded flank on the positive side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gearwright.arrays import Float
from gearwright.geometry.gear import Gear, GeometryError
from gearwright.geometry.outline import half_tooth

#: how the gear is held: its bore (or rim), the root arc under the tooth, a straight line between the fillets' feet
HOLDS = ("bore", "root", "root line")


@dataclass(frozen=True)
class Profile:
    """The half tooth by its length from the root: radius, half angle, and where flank and upper part begin."""

    length: Float
    radius: Float
    angle: Float
    flank: float  # length at which the involute begins
    split: float  # length at which the tooth block begins

    def at(self, length: Float) -> tuple[Float, Float]:
        """Radius and half angle at lengths from the root."""
        return np.interp(length, self.length, self.radius), np.interp(length, self.length, self.angle)


@dataclass(frozen=True)
class ToothMesh:
    """Nodes ``points`` (2, n) [m], quadrilaterals ``cells`` (4, m); node numbers along the loaded side of the tooth
    block (``flank``, upwards) with their ``length`` from the root [m], along its fillet (``fillet``, from the root
    circle) and of the held edge."""

    points: Float
    cells: NDArray[np.int64]
    flank: NDArray[np.int64]
    length: Float
    fillet: NDArray[np.int64]
    held: NDArray[np.int64]


def profile(gear: Gear) -> Profile:
    """The half tooth of a gear along its length."""
    half = half_tooth(gear, flank=240, fillet=160)
    x, y = half.points
    length = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))])
    # the block begins where the fillet has turned half-way from the root circle to the flank
    slope = np.arctan2(np.abs(np.diff(half.radius)), half.radius[:-1] * np.abs(np.diff(half.angle)))
    top = slope[half.join - 1]
    split = int(np.argmax(slope[: half.join] > 0.5 * top)) + 1 if half.join > 2 else half.join
    return Profile(length, half.radius, half.angle, float(length[half.join]), float(length[split]))


def _graded(start: float, stop: float, first: float, growth: float, largest: float) -> Float:
    """Points from start to stop whose steps grow from ``first`` to ``largest``, stretched to end on ``stop``."""
    span = abs(stop - start)
    if span < 1e-15:
        return np.array([start])
    steps, total, h = [], 0.0, first
    while total < span:
        steps.append(min(h, largest))
        total += steps[-1]
        h *= growth
    if len(steps) > 1 and total - span > 0.5 * steps[-1]:
        steps.pop()
    x = np.concatenate([[0.0], np.cumsum(steps)])
    return np.asarray(start + (stop - start) * x / x[-1])


def tooth_mesh(
    gear: Gear, shape: Profile, load: float, width: float, hold: str = "bore", fine: float = 1.0
) -> ToothMesh:
    """Mesh for a load centred at ``load`` (length from the root along the profile [m]) of half ``width`` [m].

    ``fine``: steps are divided by it. Raises GeometryError where the bore leaves no rim.
    """
    m, growth = gear.module, 1.0 + 0.6 / fine
    part, largest = 0.5 * width / fine, 0.3 * m / fine
    end = float(shape.length[-1])
    core = np.arange(-round(2 * fine), round(2 * fine) + 1) * part
    core = load + core * (width / abs(core[0]))
    low = shape.split if hold == "bore" else 0.0
    below = _graded(core[0], low, part, growth, largest)[::-1]
    above = _graded(core[-1], end, part, growth, largest)
    rows = np.concatenate([below[:-1], core, above[1:]])
    radius, angle = shape.at(rows)
    thick = 2.0 * float(np.interp(load, shape.length, shape.radius * shape.angle))
    u = _graded(0.0, 1.0, part / thick, growth, 0.14 / fine)
    across = 1.0 - 2.0 * u
    r = np.repeat(radius[:, None], len(u), axis=1)
    phi = angle[:, None] * across[None, :]
    if hold != "bore":
        x, y = r * np.sin(phi), r * np.cos(phi)
        if hold == "root line":  # rows turn from the straight line into arcs up to the middle of the fillet
            share = np.clip(1.0 - rows / shape.split, 0.0, 1.0)[:, None]
            y += share * ((radius * np.cos(angle))[:, None] - y)
        number = np.arange(x.size).reshape(x.shape)
        fillet = number[rows <= shape.flank * (1.0 + 1e-9), 0]
        return ToothMesh(np.array([x.ravel(), y.ravel()]), _cells(number), number[:, 0], rows, fillet, number[0])
    return _with_ring(gear, shape, r, phi, rows, (part, growth, largest))


def _with_ring(
    gear: Gear, shape: Profile, r: Float, phi: Float, rows: Float, steps: tuple[float, float, float]
) -> ToothMesh:
    assert gear.rim is not None
    root, bore = gear.root_radius, gear.rim
    depth = bore - root if gear.ring else root - bore
    if depth <= 0.0:
        raise GeometryError(
            f"{gear.name}: {'an outer' if gear.ring else 'a bore'} diameter of {2e3 * bore:.5g} mm leaves no rim "
            f"{'outside' if gear.ring else 'inside'} the root circle of {2e3 * root:.5g} mm"
        )
    _, growth, largest = steps
    foot = np.linspace(0.0, shape.split, 1 + math.ceil(min(0.5 * shape.split / steps[0], 1.5 / (growth - 1.0) + 2)))[
        :-1
    ]
    foot_radius, foot_angle = shape.at(foot)
    first = float(foot_angle[0] - foot_angle[1])
    half_turn = math.pi
    far = _graded(float(foot_angle[0]), half_turn, first, growth, max(0.3, first))
    # the ring's upper edge, counter to the angle: from the far side, up the loaded flank's fillet, over, and back
    edge_angle = np.concatenate([far[::-1][:-1], foot_angle, phi[0], -foot_angle[::-1], -far[1:]])
    edge_radius = np.concatenate(
        [np.full(len(far) - 1, root), foot_radius, r[0], foot_radius[::-1], np.full(len(far) - 1, root)]
    )
    down = _graded(0.0, 1.0, min(0.5, 0.12 * gear.module / depth), growth, max(0.25, 0.5 * gear.module / depth))
    ring_r = edge_radius[None, :] + (bore - edge_radius)[None, :] * down[:, None]
    ring_phi = np.repeat(edge_angle[None, :], len(down), axis=0)
    begin = len(far) - 1 + len(foot)  # column of the ring under the loaded flank
    columns, across = len(edge_angle), phi.shape[1]
    # number the ring's nodes (its first and last column are the same place), then the tooth's rows above the edge
    number = np.arange(len(down) * (columns - 1)).reshape(len(down), columns - 1)
    number = np.concatenate([number, number[:, :1]], axis=1)
    total = len(down) * (columns - 1)
    upper = total + np.arange((len(rows) - 1) * across).reshape(len(rows) - 1, across)
    tooth = np.concatenate([number[:1, begin : begin + across], upper], axis=0)
    radii = np.concatenate([ring_r[:, :-1].ravel(), r[1:].ravel()])
    angles = np.concatenate([ring_phi[:, :-1].ravel(), phi[1:].ravel()])
    points = np.array([radii * np.sin(angles), radii * np.cos(angles)])
    fillet = np.concatenate([number[0, begin - len(foot) : begin + 1], upper[rows[1:] <= shape.flank * (1 + 1e-9), 0]])
    return ToothMesh(
        points,
        np.concatenate([_cells(number), _cells(tooth)], axis=1),
        tooth[:, 0],
        rows,
        fillet,
        np.unique(number[-1]),
    )


def _cells(number: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.array(
        [number[:-1, :-1].ravel(), number[:-1, 1:].ravel(), number[1:, 1:].ravel(), number[1:, :-1].ravel()]
    )
