"""Force of a mesh over phase and deflection from the statics of its teeth, and what follows from it at one load.

Pairs of teeth stand side by side; each gives way by its own stiffness once the mesh has closed its gap (tip relief, crowning,
and beyond the path of contact the distance at which its tip corner waits)::

    F(phase, d) = sum_j k(x_j) max(d - g(x_j), 0),      x_j = phase - j      base pitches since pair j entered

with the face of a helical or crowned pair in slices, each at its own phase. The same statics give, under a load, the
transmission error ``delta(phase)`` (root of ``F = F0``), the secant stiffness ``F0/delta`` and the tangent, the stiffness of
the pairs that touch. Teeth are alike on both flanks and a pair runs through the coast flank's path from its other end:
``F_coast(x, d) = F_drive(length - x, d)``, so one table serves both. Source: S. Oh, K. Grosh, J. R. Barber, Journal of
Vibration and Acoustics 127 (2005), for the balance of energy; H. N. Oezguven, D. R. Houser, Journal of Sound and Vibration
121 (1988) 383-411 for the forms.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.arrays import Float

from .ste import _balance

#: places over the phase of a table at least and at most, and in the take-up of a pair under the reference load
PHASES, MOST_PHASES, IN_RAMP = 256, 1024, 40
#: places over the deflection
DEFLECTIONS = 64
#: a table reaches this many times the deflection under the reference load; beyond it goes on straight
REACH = 8.0
#: slices of a face that is helical or crowned
SLICES = 41


@dataclass(frozen=True, eq=False)
class PairStatics:
    """One pair of teeth along its way through the mesh, the drive flank's way.

    Attributes
    ----------
    travel : (n,) base pitches since entry, ascending in equal steps, from before 0 to beyond ``span``
    stiffness, gap : (n,) of the pair over the whole face [N/m], and what the mesh must close before it carries [m]
    span : contact ratio, where the path of contact ends
    overlap : cycles by which the end of the face at larger x is ahead of the other; ``crown``: lead crowning at the ends [m];
        ``slope``: taken off at the end at larger x over the other [m],
        of a part of the face within it (rows across a face have the rest as their offset)
    bias : (n,) or none: taken off at the end at larger x by the place on the profile, and left standing at the other end [m]
    place, width : middle and width of the part of the face that is meant, in face widths from its middle
    slices : of that part
    """

    travel: Float
    stiffness: Float
    gap: Float
    span: float
    overlap: float = 0.0
    crown: float = 0.0
    slope: float = 0.0
    bias: Float | None = None
    place: float = 0.0
    width: float = 1.0
    slices: int = 1

    def part(self, place: float, width: float) -> PairStatics:
        """The same teeth on a part of the face, with its share of the stiffness; its phase stays that of the whole face."""
        return replace(self, place=place, width=width)

    def scaled(self, factor: float) -> PairStatics:
        """The same teeth with another stiffness."""
        return replace(self, stiffness=factor * self.stiffness)

    @property
    def places(self) -> Float:
        """(slices,) Middles of the slices in face widths from the middle of the part."""
        return self.width * ((np.arange(self.slices) + 0.5) / self.slices - 0.5)

    @property
    def reach(self) -> float:
        """Base pitches that a pair is followed before its entry and beyond its exit, with its whole face."""
        return -float(self.travel[0]) + 0.5 * self.width * abs(self.overlap)

    def springs(self, travel: NDArray[Any]) -> tuple[Float, Float]:
        """Stiffness [N/m] and gap [m] of every slice of a pair: (..., slices) for ``travel`` (...) of the middle of the part."""
        at = np.asarray(travel)[..., None] + self.places * self.overlap
        k = np.interp(at, self.travel, self.stiffness) * (self.width / self.slices)
        with np.errstate(invalid="ignore"):
            g = np.interp(at, self.travel, self.gap, left=np.inf, right=np.inf)
        g = np.where(np.isnan(g), np.inf, g)
        across = self.place + self.places
        if self.bias is not None:
            g = g + 2.0 * across * np.interp(at, self.travel, self.bias)
        return k, g + self.crown * (2.0 * across) ** 2 + self.slope * self.places

    def of_phase(self, phase: Float) -> tuple[Float, Float]:
        """Stiffness and gap of all slices of all pairs near contact, (phases, springs)."""
        first, last = -math.ceil(self.reach), math.ceil(self.span + self.reach)
        x = np.asarray(phase, float)[:, None] + np.arange(first, last + 1)
        k, g = self.springs(x)
        return k.reshape(len(x), -1), g.reshape(len(x), -1)

    def force(self, phase: Float, d: Float) -> Float:
        """Force [N] at phases and deflections of equal shape (n,)."""
        k, g = self.of_phase(np.atleast_1d(phase))
        return np.asarray((k * np.maximum(np.atleast_1d(d)[:, None] - g, 0.0)).sum(axis=1))

    def error(self, force: float, phases: int = PHASES) -> Loaded:
        """The mesh over one cycle under a load [N]. Raises ValueError for one that is not positive."""
        if not force > 0.0:
            raise ValueError(f"the statics of a mesh need a positive load, not {force:g} N")
        phase = np.arange(phases) / phases
        k, g = self.of_phase(phase)
        delta, f = _balance(force, g[:, :, None], 1.0 / np.maximum(k, 1e-30)[:, :, None])
        touching = f[:, :, 0] > 0.0
        return Loaded(force, phase, delta, (k * touching).sum(axis=1))

    def for_mean(self, mean: float, force: float) -> PairStatics:
        """The same teeth, scaled so that the mean of the secant stiffness under a load [N] is ``mean`` [N/m]: a loaded mean is
        what standards give."""
        found, factor = self, 1.0
        for _ in range(30):
            ratio = mean / float(found.error(force, 512).secant.mean())
            factor *= ratio
            found = self.scaled(factor)
            if abs(ratio - 1.0) < 1e-9:
                break
        return found


@dataclass(frozen=True, eq=False)
class Loaded:
    """A mesh over one cycle under a load: ``phase`` (n,), ``error`` (n,) the approach of the gears [m], ``tangent`` (n,) the
    stiffness of the pairs that touch [N/m]."""

    force: float
    phase: Float
    error: Float
    tangent: Float

    @property
    def secant(self) -> Float:
        """(n,) Force over approach [N/m]."""
        return np.asarray(self.force / self.error)

    def harmonics(self, n: int = 5) -> Float:
        """Amplitudes [m] of the mesh harmonics 1 to ``n`` of the approach."""
        return np.asarray(2.0 * np.abs(np.fft.rfft(self.error))[1 : n + 1] / len(self.error))


@dataclass(frozen=True, eq=False)
class MeshTable:
    """Force of a flank over phase and deflection, as quadratic B-splines in both: smooth, never negative, rising with ``d``.

    Over the deflection the spline runs in ``u = d/(d + scale)``: places lie close where loads are small. Coefficients are forces
    at the deflections whose spline is ``d`` itself, so that what is straight in ``d`` comes out straight.

    Attributes
    ----------
    values : (deflections + 2, phases [+ 2]) coefficients [N]; those of one pair begin at travel ``first``
    scale : deflection [m] at which half of the places are used up
    span, first : contact ratio; travel [cycles] at which the table of one pair begins, 0 where pairs are summed
    phases : places in one cycle
    alike : whether the table holds the sum of all pairs (teeth are alike) or one pair
    shift : phase of the part of the face that is meant less that of the whole face [cycles]
    reference, statics : load [N] the table was made for, and the teeth it was made from
    """

    values: Float
    scale: float
    span: float
    first: float
    phases: int
    alike: bool
    shift: float
    reference: float
    statics: PairStatics

    @property
    def cells(self) -> int:
        """Cells over the deflection."""
        return len(self.values) - 2

    @property
    def top(self) -> float:
        """``u`` at which the table ends."""
        return REACH / (1.0 + REACH)

    @property
    def last(self) -> float:
        """Travel [cycles] at which the table of one pair ends."""
        return self.first + (self.values.shape[1] - 2) / self.phases

    @cached_property
    def ranges(self) -> Float:
        """(deflections, 2) First and last travel [cycles] at which a pair carries up to each cell over the deflection."""
        full = self.values != 0.0
        cells = full[:-2] | full[1:-1] | full[2:]
        begin = np.minimum.accumulate(np.where(cells.any(axis=1), cells.argmax(axis=1) - 2, cells.shape[1]))
        end = np.maximum.accumulate(np.where(cells.any(axis=1), cells.shape[1] - cells[:, ::-1].argmax(axis=1), 0))
        return self.first + np.clip(np.stack([begin, end], axis=1), 0, cells.shape[1] - 2) / self.phases

    @cached_property
    def loaded(self) -> Loaded:
        """The mesh under the reference load."""
        return self.statics.error(self.reference, max(self.phases, 512))

    def row(self, phase: float, coast: bool = False) -> Float:
        """(deflections + 2,) Coefficients over the deflection at a phase, all pairs alike."""
        x = phase + self.shift
        if coast:
            x = self.span - x
        if self.alike:
            return _weighted(self.values, (x - math.floor(x)) * self.phases)
        total = np.zeros(len(self.values))
        for n in range(math.ceil(x - self.last), math.floor(x - self.first) + 1):
            total += _weighted(self.values, (x - n - self.first) * self.phases)
        return total

    def force(self, phase: float, d: float, coast: bool = False) -> float:
        """Force [N] at a phase [cycles] and a deflection [m], as the compiled law has it."""
        return self._along(self.row(phase, coast), d)[0]

    def energy(self, phase: float, d: float, coast: bool = False) -> float:
        """Potential [J]: the force over the deflection, integrated from 0 to ``d`` at a phase."""
        return self._stored(self.row(phase, coast), d)

    def energy_of_pair(self, travel: float, d: float) -> float:
        """Potential [J] of one pair at a travel [cycles], in a table of one pair."""
        return self._stored(_weighted(self.values, (travel - self.first) * self.phases), d)

    def _stored(self, row: Float, d: float) -> float:
        if d <= 0.0:
            return 0.0
        x, w = np.polynomial.legendre.leggauss(4)
        most = self.scale * REACH
        u = min(d, most) / (min(d, most) + self.scale)
        edges = np.append(np.arange(math.ceil(u / self.top * self.cells)) * self.top / self.cells, u)
        middle, half = 0.5 * (edges[1:] + edges[:-1]), 0.5 * np.diff(edges)
        at = middle[:, None] + half[:, None] * x
        f = self._spline(row, at.ravel()).reshape(at.shape)
        total = float(np.sum(half[:, None] * w * f * self.scale / (1.0 - at) ** 2))
        if d > most:
            force, slope = self._along(row, most)
            total += force * (d - most) + 0.5 * slope * (d - most) ** 2
        return total

    def _spline(self, row: Float, u: Float) -> Float:
        y = np.clip(u / self.top * self.cells, 0.0, self.cells)
        j = np.minimum(y.astype(int), self.cells - 1)
        t = y - j
        return np.asarray(0.5 * (1.0 - t) ** 2 * row[j] + (0.5 + t * (1.0 - t)) * row[j + 1] + 0.5 * t * t * row[j + 2])

    def _along(self, row: Float, d: float) -> tuple[float, float]:
        """Force and slope at a deflection."""
        if d <= 0.0:
            return 0.0, 0.0
        most = self.scale * REACH
        held = min(d, most)
        u = held / (held + self.scale)
        y = min(u / self.top * self.cells, self.cells - 1e-9)
        j = int(y)
        t = y - j
        slope = (1.0 - t) * (row[j + 1] - row[j]) + t * (row[j + 2] - row[j + 1])
        slope *= self.cells / self.top * (1.0 - u) ** 2 / self.scale
        return float(self._spline(row, np.array([u]))[0] + slope * (d - held)), float(slope)

    def slope(self, phase: float, d: float, coast: bool = False) -> float:
        """Tangent stiffness [N/m] at a phase and a deflection."""
        return self._along(self.row(phase, coast), d)[1]


def _weighted(values: Float, y: float) -> Float:
    """Columns of coefficients weighted at ``y`` cells from the first."""
    j = min(max(int(y), 0), values.shape[1] - 3)
    t = y - j
    return np.asarray(values[:, j : j + 3] @ np.array([0.5 * (1.0 - t) ** 2, 0.5 + t * (1.0 - t), 0.5 * t * t]))


def places(scale: float, cells: int, top: float) -> Float:
    """(cells + 2,) Deflections [m] of the coefficients: middles of the cells over ``u``, one beyond either end."""
    u = (np.arange(cells + 2) - 0.5) * top / cells
    return np.asarray(scale * u / (1.0 - u))


def _through(values: Float) -> Float:
    """Coefficients of a quadratic spline through samples along the first axis, to the third order: what bends within a place or
    two is what excites the highest modes."""
    found = values.copy()
    found[1:-1] -= 0.125 * (values[2:] - 2.0 * values[1:-1] + values[:-2])
    return found


def take_up(statics: PairStatics, force: float) -> float:
    """Base pitches over which a pair takes up its load beyond the path, under a mesh force [N]: where the gap of its corner is
    what the mesh gives way."""
    delta = float(statics.error(force).error.mean())
    least = math.inf
    for side in (statics.travel < 0.0, statics.travel > statics.span):
        gap = statics.gap[side]
        near = np.abs(statics.travel[side] - (0.0 if statics.travel[side][0] < 0.0 else statics.span))
        base = float(gap[np.argmin(near)])
        inside = near[np.isfinite(gap) & (gap - base <= delta)]
        least = min(least, float(inside.max(initial=0.0)))
    return least


def mesh_table(
    statics: PairStatics, force: float, alike: bool = True, phases: int | None = None, deflections: int = DEFLECTIONS
) -> MeshTable:
    """Table of a flank for a reference load [N] of the part of the face that ``statics`` means.

    Without ``phases`` as many that the take-up of a pair has :data:`IN_RAMP` of them, which leaves more than ten under a tenth of the load.
    Raises ValueError for a load that is not positive.
    """
    if phases is None:
        phases = PHASES
        if abs(statics.overlap) * statics.width < 0.1:
            wanted = IN_RAMP / max(take_up(statics, force), 1e-3)
            phases = int(min(max(64 * math.ceil(wanted / 64), PHASES), MOST_PHASES))
    scale = float(statics.error(force).error.mean())
    top = REACH / (1.0 + REACH)
    d = places(scale, deflections, top)
    first = -math.ceil(statics.reach * phases) / phases
    count = math.ceil((statics.span + statics.reach - first) * phases)
    travel = first + (np.arange(-1, count + 1) + 0.5) / phases
    k, g = statics.springs(travel)
    values = np.zeros((deflections + 2, len(travel)))
    for i in range(1, deflections + 2):
        values[i] = (k * np.maximum(d[i] - g, 0.0)).sum(axis=1)
    values[0] = -values[1]
    values = _through(_through(values).T).T
    values[0] = -values[1]
    values[:, 0] = values[:, -1] = 0.0
    if alike:
        begin = math.floor(first * phases + 0.5)
        summed = np.zeros((deflections + 2, phases))
        for i in range(count):
            summed[:, (begin + i) % phases] += values[:, i + 1]
        values, first = np.column_stack([summed[:, -1], summed, summed[:, 0]]), 0.0
    return MeshTable(values, scale, statics.span, first, phases, alike, statics.place * statics.overlap, force, statics)
