"""Loaded flanks whose modifications are free: transmission error and load across the face, with their derivatives by every number.

At every phase of the cycle linear springs behind gaps balance the load, so an error of pair j moves the gears by its share of the
stiffness that touches (the envelope theorem)::

    d delta/dp = sum_j w_j d e_j/dp,      w_j = k_j / sum of k over the pairs that touch

and the whole gradient costs one balance. The statics are those of :mod:`.ste`: pairs in slices of the face, half widths that follow
the load, tip corners that wait beyond the path of contact.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from gearwright.arrays import Float
from gearwright.geometry.gear import Gear

from . import hertz
from .cycle import PairStiffness
from .ste import corner_gap, taken_off

#: rounds in which half widths follow the load, and steps of one balance
ROUNDS, STEPS = 8, 60


@dataclass(frozen=True)
class Shape:
    """What is taken off the working flank of a wheel [m].

    ``amount`` at the tip, over ``length`` of the arc s before it (``power`` 1 linear, 2 parabolic); ``crowning`` at the ends of the
    face; ``slope`` of the end at larger x over the other; ``bias``: at the tip of the end at larger x and at the root of the other
    one, as much left standing at the two other corners.
    """

    amount: float = 0.0
    length: float = 0.0
    power: int = 1
    crowning: float = 0.0
    slope: float = 0.0
    bias: float = 0.0


def changed(shape: Shape, numbers: Mapping[str, float]) -> Shape:
    """A shape with other values of some of :data:`FREE`."""
    return Shape(**{**vars(shape), **numbers})


#: numbers of a shape by which derivatives are taken, in their order
FREE = ("amount", "length", "crowning", "slope", "bias")


@dataclass(frozen=True, eq=False)
class Carried:
    """A mesh that carries a load through one cycle.

    Attributes
    ----------
    force : along the line of action [N]
    error : (phases,) approach of the gears [m]; ``by`` (phases, 10) its derivatives by the numbers of both shapes, :data:`FREE` of
        wheel one, then of wheel two
    line : (slices,) load per width of every slice, mean over the cycle [N/m]; ``line_by`` (slices, 10)
    springs : (phases, slices, pairs) force of each slice of each pair [N]
    """

    force: float
    error: Float
    by: Float
    line: Float
    line_by: Float
    springs: Float

    @property
    def swing(self) -> float:
        """Peak to peak of the error [m]."""
        return float(np.ptp(self.error))

    @property
    def edges(self) -> Float:
        """(slices + 2,) Load per width [N/m] with that at both edges of the face, from the two slices next to each."""
        return _with_edges(self.line)

    @property
    def edges_by(self) -> Float:
        """(slices + 2, 10) Derivatives of :attr:`edges`."""
        return _with_edges(self.line_by)

    @property
    def face_load(self) -> float:
        """K_Hbeta: largest load per width, mean over the cycle, over its mean across the face."""
        return float(self.edges.max() / self.line.mean())


def _with_edges(values: Float) -> Float:
    if len(values) < 2:
        return values
    ends = 1.5 * values[[0, -1]] - 0.5 * values[[1, -2]]
    return np.concatenate([ends[:1], values, ends[1:]])


def plain(gear: Gear) -> Gear:
    """A gear without what a :class:`Shape` says of it."""
    return replace(gear, relief=None, lead_crowning=0.0, lead_slope=0.0, bias=0.0)


def shape_of(gear: Gear) -> Shape:
    """What a gear has of a :class:`Shape`."""
    amount, length, power = 0.0, 0.0, 1
    if gear.relief is not None:
        amount, length = gear.relief.amount, abs(gear.tip_arc - gear.arc(gear.relief.start))
        power = 2 if gear.relief.shape == "parabolic" else 1
    return Shape(amount, length, power, gear.lead_crowning, gear.lead_slope, gear.bias)


class Flanks:
    """The teeth of a mesh over one cycle, without what shapes say of them; ``sample`` phases, ``slices`` of the face.

    ``rising``: pairs enter at the start of the path; ``tilt`` in :meth:`carry` is the misalignment over the face width [m], the end
    at larger x pressed less; ``overlap`` [cycles] by which that end is ahead.
    """

    def __init__(self, stiff: PairStiffness, rising: bool, overlap: float, samples: int = 128, slices: int = 1):
        pair, p = stiff.pair, stiff.pair.path
        self.stiff, self.slices = stiff, slices
        self.width = stiff.face_width / slices
        self.place = (np.arange(slices) + 0.5) / slices - 0.5
        span, reach = (p.end - p.start) / p.base_pitch, 0.5 * abs(overlap)
        pairs = np.arange(math.floor(-reach) - 1, math.ceil(span + reach) + 2)
        x = (np.arange(samples) / samples)[:, None, None] + (self.place * overlap)[None, :, None] + pairs
        self.arc = p.start + x * p.base_pitch if rising else p.end - x * p.base_pitch
        near = np.clip(self.arc, p.start, p.end)
        outside = np.abs(self.arc - near) > 1e-12
        gap = np.where(outside, corner_gap(pair, self.arc), 0.0)
        bare = replace(pair, one=plain(pair.one), two=plain(pair.two))
        gap = gap + taken_off(bare, near, self.place[None, :, None])
        # pairs that touch nowhere in the cycle whatever the load does within reason are left out
        self.kept = np.flatnonzero(np.isfinite(gap).any(axis=(0, 1)))
        self.arc, near, gap = (a[:, :, self.kept] for a in (self.arc, near, gap))
        self.gap = np.where(np.isfinite(gap), gap, 1.0)  # a metre: never touched
        self.compliance = np.asarray(stiff.compliance(near)) / self.width
        steels = stiff.steels
        soft = steels[0].plane + steels[1].plane
        s2 = np.asarray(stiff.mate(near))
        self.softer = 2.0 * soft / math.pi / self.width  # compliance per natural logarithm of the half width
        radius = near * s2 / (s2 - near if pair.internal else near + s2) / math.cos(pair.base_helix)
        self.hertz = 4.0 / math.pi * soft * np.maximum(radius, 0.0) / self.width / stiff.half_width**2
        self.near = near
        self.tip = [np.abs(g.tip_arc - s) for g, s in ((pair.one, near), (pair.two, s2))]
        self.height = [g.height(s) for g, s in ((pair.one, near), (pair.two, s2))]

    def carry(self, force: float, shapes: tuple[Shape, Shape], tilt: float = 0.0, gradient: bool = True) -> Carried:
        """The mesh under a load [N] with shapes of both wheels."""
        face = self.place[None, :, None]
        gap, parts = self.gap + tilt * face, []
        for shape, tip, height in zip(shapes, self.tip, self.height, strict=True):
            length = max(shape.length, 1e-12)
            x = np.clip(1.0 - tip / length, 0.0, None)
            profile = x**shape.power
            gap = gap + shape.amount * profile + shape.crowning * 4.0 * face**2 + shape.slope * face
            gap = gap + shape.bias * 2.0 * face * height
            if gradient:
                steep = x if shape.power == 2 else np.where(x > 0.0, 1.0, 0.0)
                by_length = shape.amount * shape.power * steep * tip / length**2
                parts += [profile, by_length, 4.0 * face**2 + 0.0 * x, face + 0.0 * x, 2.0 * face * height]
        error, springs, k = self._balance(force, gap)
        touched = np.where(springs > 0.0, k, 0.0)
        line = springs.sum(axis=2).mean(axis=0) / self.width
        if not gradient:
            return Carried(force, error, np.zeros((0, 0)), line, np.zeros((0, 0)), springs)
        share = touched / touched.sum(axis=(1, 2), keepdims=True)
        by = np.stack([(share * part).sum(axis=(1, 2)) for part in parts], axis=1)
        own = np.stack([(touched * part).sum(axis=2) for part in parts], axis=2)
        line_by = (touched.sum(axis=2)[:, :, None] * by[:, None, :] - own).mean(axis=0) / self.width
        return Carried(force, error, by, line, line_by, springs)

    def pressure(self, found: Carried) -> Float:
        """(phases, slices, pairs) Hertz pressure [Pa]."""
        return np.asarray(hertz.pressure(self.stiff.pair, found.springs / self.width, self.near, self.stiff.steels))

    def _balance(self, force: float, gap: Float) -> tuple[Float, Float, Float]:
        """Approach (phases,), force and tangent stiffness of every spring: half widths follow the loads, the approach by Newton from
        above, where the force is convex."""
        c, springs = self.compliance, np.zeros_like(gap)
        error = np.zeros(len(gap))
        k = 1.0 / c
        for _ in range(ROUNDS):
            error = _approach(force, gap, k, error if error.any() else None)
            springs = np.maximum(error[:, None, None] - gap, 0.0) * k
            # a load below a millionth keeps the half width of a millionth, as in the statics of :mod:`.ste`
            square = np.maximum(self.hertz * np.maximum(springs, 1e-6 * force), 1e-6)
            c = self.compliance - 0.5 * self.softer * np.log(square)
            k = 1.0 / c
        error = _approach(force, gap, k, error)
        springs = np.maximum(error[:, None, None] - gap, 0.0) * k
        # an approach C(F) F: dC/dF = -softer/(2 F), so the tangent compliance is C - softer/2
        return error, springs, 1.0 / (c - 0.5 * self.softer)


def _approach(force: float, gap: Float, k: Float, guess: Float | None) -> Float:
    """Approach at which springs behind gaps carry a force together, phase by phase."""
    least = gap.min(axis=(1, 2))
    if guess is None:
        stiffest = k.max(axis=(1, 2))
        error = least + 4.0 * force / stiffest * k.shape[1]
    else:
        error = np.maximum(guess, least + 1e-12)
    for _ in range(STEPS):
        on = gap < error[:, None, None]
        carrying = np.where(on, k, 0.0)
        new = (force + (carrying * gap).sum(axis=(1, 2))) / carrying.sum(axis=(1, 2))
        done = np.abs(new - error) <= 1e-13 * np.abs(new) + 1e-18
        error = np.maximum(new, least + 1e-15)
        if done.all():
            break
    return error
