"""Mesh stiffness over the cycle from the teeth of a pair: pairs in parallel, load sharing, stresses.

The phase is 0 where a pair enters; with ``rising`` it enters at the start of the path (gear one drives), otherwise
at its end. All stiffnesses [N/m] are along the line of action in the transverse section, for the smaller face width.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gearwright.arrays import Float
from gearwright.geometry.gear import GeometryError, Steel
from gearwright.geometry.pair import GearPair

from . import hertz
from .tooth import ToothStiffness, tooth_stiffness


@dataclass(frozen=True)
class PairStiffness:
    """A pair with the compliance of both teeth. ``half_width`` [m] is constant along the path, as S0 has it."""

    pair: GearPair
    one: ToothStiffness
    two: ToothStiffness
    half_width: float

    @property
    def face_width(self) -> float:
        """The smaller face width [m]; GeometryError without one."""
        width = self.pair.face_width
        if width is None:
            raise GeometryError(f"{self.pair.one.name} and {self.pair.two.name}: missing 'face_width'")
        return width

    @property
    def steels(self) -> tuple[Steel, Steel]:
        """Materials of both gears."""
        return self.one.steel, self.two.steel

    def mate(self, s1: Any) -> Any:
        """Arc of gear two."""
        return self.pair.path.s_c + s1 if self.pair.internal else self.pair.path.s_c - s1

    def compliance(self, s1: Any, half_width: Any = None) -> Any:
        """Compliance of one pair of teeth per width [m per N/m] at arcs ``s1``; None: the constant half width."""
        a = self.half_width if half_width is None else half_width
        return self.one.compliance(s1, a) + self.two.compliance(self.mate(np.asarray(s1)), a)

    def single(self, s1: Any) -> Any:
        """Stiffness of one pair of teeth [N/m]."""
        return self.face_width / self.compliance(s1)

    def share(self, s1: float) -> float:
        """Part of the mesh force on the pair of teeth at arc ``s1`` of gear one: its stiffness over that of all pairs."""
        p = self.pair.path
        steps = np.arange(-math.ceil(p.contact_ratio), math.ceil(p.contact_ratio) + 1)
        s = s1 + steps * p.base_pitch
        there = s[((s >= p.start) & (s <= p.end)) | (steps == 0)]
        return float(self.single(s1) / np.sum(self.single(there)))

    @cached_property
    def mean(self) -> float:
        """Mean of the mesh stiffness over the cycle [N/m]: the pair's, integrated along the path, by the base pitch."""
        p = self.pair.path
        x, w = np.polynomial.legendre.leggauss(24)
        s = 0.5 * (p.start + p.end) + 0.5 * (p.end - p.start) * x
        return float(0.5 * (p.end - p.start) * (w @ self.single(s)) / p.base_pitch)

    def arcs(self, phase: Float, rising: bool) -> Float:
        """Arcs ``s1`` (phases, pairs) of the pairs in contact, NaN where there is none."""
        p = self.pair.path
        travelled = (phase[:, None] + np.arange(math.ceil(p.contact_ratio - 1e-9))) * p.base_pitch
        s = p.start + travelled if rising else p.end - travelled
        return np.where(travelled <= (p.end - p.start) * (1.0 + 1e-12), s, np.nan)

    def over_cycle(self, phase: Float, rising: bool = True, force: float | None = None) -> Cycle:
        """Stiffness, sharing and stresses at phases; ``force`` [N] is the whole mesh force.

        With a force the half width of each pair follows its own load (a few rounds of sharing); without, it is
        constant and stresses are zero.
        """
        s = self.arcs(np.asarray(phase, float), rising)
        inside = ~np.isnan(s)
        at = np.where(inside, s, self.pair.path.pitch_point)
        k = np.where(inside, self.single(at), 0.0)
        share = k / k.sum(axis=1, keepdims=True)
        load = np.zeros_like(k)
        if force is not None:
            for _ in range(12):
                load = share * force / self.face_width
                a = np.where(inside, hertz.half_width(self.pair, load, at, self.steels), 1.0)
                k = np.where(inside, self.face_width / self.compliance(at, np.maximum(a, 1e-9)), 0.0)
                share = k / k.sum(axis=1, keepdims=True)
            load = share * force / self.face_width
        root = None
        stress = self.one.root(at), self.two.root(self.mate(at))
        if force is not None and stress[0] is not None and stress[1] is not None:
            root = np.array([np.where(inside, load * r, 0.0) for r in stress])
        peak = np.where(inside, hertz.pressure(self.pair, load, at, self.steels), 0.0)
        return Cycle(np.asarray(phase, float), s, k.sum(axis=1), k, share, load * self.face_width, peak, root)

    @property
    def leaving(self) -> float:
        """Phase at which a pair leaves contact, in [0, 1)."""
        return self.pair.contact_ratio % 1.0


@dataclass(frozen=True)
class Cycle:
    """Over the phases (n,), pairs (n, j): ``arc`` [m], ``stiffness`` of the mesh and of each pair [N/m], ``share``,
    ``force`` [N], Hertz ``pressure`` [Pa], and fillet ``root_stress`` (2, n, j) [Pa] of both gears (``fe``)."""

    phase: Float
    arc: Float
    stiffness: Float
    pair_stiffness: Float
    share: Float
    force: Float
    pressure: Float
    root_stress: Float | None


def pair_stiffness(
    pair: GearPair, method: str, half_width: float, cache: bool = True, fine: float | None = None
) -> PairStiffness:
    """Both teeth of a pair by ``fe`` or ``analytic``. Raises GeometryError for impossible gears or missing data."""
    pair.refuse_impossible()
    more = {} if fine is None else {"fine": fine}
    teeth = [tooth_stiffness(g, method, half_width, cache=cache, **more) for g in (pair.one, pair.two)]
    return PairStiffness(pair, teeth[0], teeth[1], half_width)
