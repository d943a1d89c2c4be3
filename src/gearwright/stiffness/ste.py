"""Static transmission error under load, with modifications: what a gear designer looks at over torque.

At every phase of the cycle the gears approach by ``delta`` along the line of action until the pairs that touch carry
the force: ``F_j = (delta - e_j) / C_j(F_j)`` with ``e_j`` the material taken off where pair j meets (tip relief,
crowning, over the face in slices). Outside the path of contact a tooth's tip corner waits at the distance that the
true flanks leave (:func:`corner_gap`), so that pairs enter early under load, as they do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from gearwright.arrays import Float
from gearwright.geometry.pair import GearPair

from . import hertz
from .cycle import PairStiffness


def corner_gap(pair: GearPair, s1: Any) -> Any:
    """Distance [m], along the line of action, between flank and tip corner of a pair that would touch at ``s1``
    outside the path of contact; 0 on the path, infinite where the corner meets no involute of the mate.

    The flank of an undercut tooth has a corner at its lower end as well, which touches the mate's flank.

    The corner of the mate is put into place, and its distance from the involute, about the centre of the flank's
    gear, is an angle times the base radius: the exact way of turning that gear until they touch.
    """
    s = np.asarray(s1, float)
    p = pair.path
    gap = np.zeros_like(s)
    with np.errstate(invalid="ignore", divide="ignore"):
        for beyond, two_has_corner, own in ((s < p.start, True, pair.one), (s > p.end, False, pair.two)):
            met = _corner(pair, s, two_has_corner)
            if own.undercut:
                met = np.minimum(met, _corner(pair, s, not two_has_corner, at_tip=False))
            gap = np.where(beyond, met, gap)
    return gap


def _corner(pair: GearPair, s1: Float, two_has_corner: bool, at_tip: bool = True) -> Float:
    """:func:`corner_gap` of one gear's corner, that of its tip or of the lower end of its undercut flank."""
    one, two, a = pair.one, pair.two, pair.distance
    rb1, rb2, alpha = one.base_radius, two.base_radius, pair.working_angle
    # centre one at the origin, two at (a, 0), a ring's at (-a, 0); the line of action leaves the base circle of one
    # at the angle alpha from the direction to the mate's far side
    foot = rb1 * np.array([math.cos(alpha), math.sin(alpha)])
    along = np.array([math.sin(alpha), -math.cos(alpha)])
    point = foot[:, None] + along[:, None] * s1.ravel()
    centre = np.array([[-a if pair.internal else a], [0.0]])
    s2 = pair.path.s_c + s1.ravel() if pair.internal else pair.path.s_c - s1.ravel()
    flanks = ((np.zeros((2, 1)), rb1, s1.ravel(), one), (centre, rb2, s2, two))
    own, mate = (flanks[0], flanks[1]) if two_has_corner else (flanks[1], flanks[0])

    def turn(flank: Any, radius: Any, at: Any) -> Any:
        """Polar angle between the flank's points at arcs ``at`` and at a radius, about the gear's centre."""
        rb = flank[1]
        beta, gamma = np.arctan(at / rb), np.arccos(np.minimum(rb / radius, 1.0))
        return (np.tan(gamma) - gamma) - (np.tan(beta) - beta)

    def polar(flank: Any, where: Float) -> tuple[Float, Float]:
        d = where - flank[0]
        return np.hypot(d[0], d[1]), np.arctan2(d[1], d[0])

    # the string that draws each flank leaves its base circle clockwise: every flank opens counter-clockwise
    tip = mate[3].tip_radius if at_tip else mate[3].radius(mate[3].form_arc)
    _, angle = polar(mate, point)
    angle = angle + turn(mate, tip, mate[2])
    corner = mate[0] + tip * np.array([np.cos(angle), np.sin(angle)])
    radius, corner_angle = polar(own, corner)
    _, contact_angle = polar(own, point)
    flank_angle = contact_angle + turn(own, radius, own[2])
    off = np.remainder(corner_angle - flank_angle + math.pi, 2.0 * math.pi) - math.pi
    gap = np.abs(off) * own[1]
    begin = own[3].radius(own[3].form_arc) if own[3].undercut else own[1]
    return np.asarray(np.where(radius < begin * (1.0 - 1e-12), np.inf, gap).reshape(s1.shape))


def along_the_face(pair: GearPair) -> bool:
    """Whether modifications of a pair differ along its face."""
    return any(g.lead_crowning or g.lead_slope or g.bias for g in (pair.one, pair.two))


def taken_off(pair: GearPair, s1: Any, place: Any) -> Any:
    """Material taken off both flanks [m] where they meet at arcs ``s1`` on the path, at places of the face in face widths from its
    middle, larger x positive."""
    p = pair.path
    grid = np.linspace(p.start, p.end, 2001)  # modifications are smooth but for corners that a step of 1/2000 meets
    taken = np.interp(s1, grid, [pair.modification(float(x)) for x in grid])
    for gear, s in ((pair.one, s1), (pair.two, pair.mate_arc(s1))):
        if gear.lead_crowning or gear.lead_slope:
            taken = taken + gear.lead_crowning * (2.0 * place) ** 2 + gear.lead_slope * place
        if gear.bias:
            taken = taken + gear.bias * 2.0 * place * gear.height(s)
    return taken


@dataclass(frozen=True)
class TransmissionError:
    """Static transmission error at one load.

    Attributes
    ----------
    force, torque : mesh force along the line of action [N], torque on gear one [N m]
    phase, error : (n,) over the cycle, [m]: approach of the gears along the line of action
    share : (n, j) load of each pair by the whole, ``arc`` (n, j) [m] where it meets (NaN: no tooth there)
    pressure : (n,) largest Hertz pressure of the phase [Pa]
    """

    force: float
    torque: float
    phase: Float
    error: Float
    share: Float
    arc: Float
    pressure: Float

    @property
    def mean(self) -> float:
        """[m]"""
        return float(self.error.mean())

    @property
    def peak_to_peak(self) -> float:
        """[m]"""
        return float(np.ptp(self.error))

    def harmonics(self, n: int = 6) -> Float:
        """Amplitudes [m] of mesh harmonics 1 to ``n``."""
        return np.asarray(2.0 * np.abs(np.fft.rfft(self.error))[1 : n + 1] / len(self.error))


def transmission_error(
    stiff: PairStiffness,
    torque: float,
    rising: bool = True,
    samples: int = 256,
    slices: int | None = None,
    corners: bool = True,
    constant_width: bool = False,
    overlap: float | None = None,
) -> TransmissionError:
    """Static transmission error over one cycle at a torque on gear one [N m].

    Parameters
    ----------
    samples : phases over the cycle
    slices : over the face width; None: 1 for a plain spur pair, else 41
    corners : whether teeth touch by their tip corners outside the path of contact
    constant_width : the half width of the pair instead of that of each load
    overlap : cycles by which the end of the face at larger x is ahead; None: the overlap ratio, for a hand that nothing asks for

    Raises ValueError for a torque that is not positive.
    """
    if torque <= 0.0:
        raise ValueError(f"a transmission error under load needs a positive torque, not {torque:g} N m")
    pair, p = stiff.pair, stiff.pair.path
    n_slices = slices or (41 if pair.one.helix_angle or along_the_face(pair) else 1)
    force = torque / pair.one.base_radius
    phase = np.arange(samples) / samples
    span = (p.end - p.start) / p.base_pitch
    extra = 1 if corners else 0
    place = (np.arange(n_slices) + 0.5) / n_slices - 0.5
    ahead = pair.overlap_ratio if overlap is None else overlap
    axial = place * ahead
    # travel of a pair in base pitches since entry: (phases, slices, pairs)
    first = math.floor(-0.5 * abs(ahead)) - extra
    last = math.ceil(span + 0.5 * abs(ahead)) + extra
    x = phase[:, None, None] + axial[None, :, None] + np.arange(first, last + 1)
    s = p.start + x * p.base_pitch if rising else p.end - x * p.base_pitch
    on_path = (s >= p.start - 1e-12) & (s <= p.end + 1e-12)
    near = np.clip(s, p.start, p.end)
    gap = np.where(on_path, 0.0, corner_gap(pair, s) if corners else np.inf)
    gap = gap + taken_off(pair, near, place[None, :, None])
    width = stiff.face_width / n_slices
    slope = stiff.compliance(near)
    c = slope / width
    delta, f = _balance(force, gap, c)
    if not constant_width:
        for _ in range(8):
            a = hertz.half_width(pair, np.maximum(f, 1e-6 * force) / width, near, stiff.steels)
            c = stiff.compliance(near, np.maximum(a, 1e-3 * stiff.half_width)) / width
            delta, f = _balance(force, gap, c)
    peak = hertz.pressure(pair, f / width, near, stiff.steels).max(axis=(1, 2))
    share = f.sum(axis=1) / force
    middle = s[:, n_slices // 2, :]
    kept = share.max(axis=0) > 0.0
    return TransmissionError(force, torque, phase, delta, share[:, kept], middle[:, kept], peak)


def _balance(force: float, gap: Float, c: Float) -> tuple[Float, Float]:
    """Approach (n,) and forces of springs with compliance ``c`` behind gaps that carry a force together.

    Springs are taken in the order of their gaps until the next one would not touch: exact, no iteration.
    """
    n = gap.shape[0]
    g, k = gap.reshape(n, -1), 1.0 / c.reshape(n, -1)
    order = np.argsort(g, axis=1)
    gs, ks = np.take_along_axis(g, order, 1), np.take_along_axis(k, order, 1)
    finite = np.isfinite(gs)
    ks, gs = np.where(finite, ks, 0.0), np.where(finite, gs, 0.0)
    delta = (force + np.cumsum(ks * gs, axis=1)) / np.maximum(np.cumsum(ks, axis=1), 1e-300)
    nexts = np.concatenate([np.where(finite, gs, np.inf)[:, 1:], np.full((n, 1), np.inf)], axis=1)
    which = np.argmax(delta <= nexts, axis=1)
    found = delta[np.arange(n), which]
    return found, (np.maximum(found[:, None] - g, 0.0) * k).reshape(gap.shape)
