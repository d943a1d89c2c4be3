"""Every tooth pair of a mesh in contact by itself: load sharing, contact loss, impact, backlash, tip corners.

Rows of the block: ``drive`` and ``coast`` (deflections along the lines of action), ``travel`` (the arc of wheel 1
by which its drive flank has moved along the path of contact), ``pressure`` and ``wedge`` (nothing moves along
them: their forces are the largest contact pressure [MPa] and the smaller of the two flank forces [N], larger
than zero only where a tooth is wedged), in `planar` also ``radial`` and ``across`` (displacement of the centres
against each other along the line of centres and across it). Sense: the mesh phase. Faces that tilt and friction between
the flanks add rows of :mod:`.tooth_contact_wide`.

Deflections follow the true line of action of the displaced centres. With ``a, chi`` distance and direction::

    delta = +-(r1 th1 +- r2 th2 -+ R chi) -+ R (inv(alpha) - inv(alpha_0)),   cos(alpha) = R/a,  R = rb2 +- rb1

The rows carry the linear part, the law adds the rest and its gradient, so that the whole is the gradient of one
stored energy: without damping no energy is created or lost when pairs change, centres move or flanks are relieved.
Damping: ``F (1 + chi d(delta)/dt)``, never negative (S2 digest 8.2). Source: S2; physics notes 7.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gearwright.kernels import force, hot
from gearwright.kernels.pointers import always_inline, noinline
from gearwright.system import Law

from . import tooth_contact_pair as P
from .tooth_contact_centres import centre_terms, place
from .tooth_contact_face import face_rule
from .tooth_contact_face_lanes import tooth_contact_faces, tooth_contact_slanted_force
from .tooth_contact_lanes import sliced, tooth_contact_foresee, tooth_contact_together
from .tooth_contact_pair import flank, pair, pair_energy, pairs, pressure
from .tooth_contact_plain import plain, tooth_contact_ahead
from .tooth_contact_wide import tooth_contact_wide_force

#: force rows without and with those of the centres
ROWS, PLANAR_ROWS = 5, 7
#: rows more where the face tilts, and where flanks rub
TILT_ROWS, RUB_ROWS = 3, 2
#: cells of the course of the teeth's compliance along the path
COURSE = 128
#: pairs and slices that a look lists at most
MOST = 400


@hot
def whole(p, d, dv, f, flank):  # type: ignore[no-untyped-def]
    """Forces of all rows, both flanks, each by the compiled function ``flank``; returns the heat [W]."""
    noinline()
    rows, length = 5, p[P.L0]
    planar = p[P.PLANAR] != 0.0
    x, y, vx, vy, radial, across = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    if planar:
        rows, x, y, vx, vy = 7, d[5], d[6], dv[5], dv[6]
    more, lift, mx, my, sx, sy, lx, ly = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    along, top, lost = 0.0, 0.0, 0.0
    slack = p[P.REACH] + 40.0 * (x * x + y * y) / p[P.A0]
    for side in range(2):
        coast = side == 1
        sign = -1.0 if coast else 1.0
        if d[side] + slack <= (p[P.GAP] if coast else 0.0):
            f[side] = 0.0
            continue
        if planar:
            more, lift, length, mx, my, sx, sy, lx, ly = place(p, coast, x, y)
        delta = d[side] + more
        phase = d[rows]
        if coast:
            delta -= p[P.GAP]
            phase += p[P.COAST]
        speed, rate, rate_length = dv[side] + mx * vx + my * vy, sign * dv[2] + sx * vx + sy * vy, lx * vx + ly * vy
        total, on_arc, on_length, heat, peak = flank(p, coast, phase, lift, length, delta, speed, rate, rate_length)
        f[side] = total
        along += sign * on_arc
        radial += total * mx + on_arc * sx + on_length * lx
        across += total * my + on_arc * sy + on_length * ly
        top = max(top, peak * length)
        lost += heat
    f[2] = along
    f[3] = 1e-6 * math.sqrt(top * p[P.PRESS])
    f[4] = min(f[0], f[1])
    if planar:
        f[5] = radial
        f[6] = across
    return lost


@force
def tooth_contact_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters as numbered in :mod:`.tooth_contact_pair`; rows and sense as in this module's text."""
    always_inline()
    planar = p[P.PLANAR] != 0.0
    x, y = 0.0, 0.0
    if planar:
        x, y = d[5], d[6]
    # what displaced centres add to a deflection is of second order: a flank further apart needs no look
    slack = p[P.REACH] + p[P.SECOND] * (x * x + y * y)
    if p[P.PLAIN] == 0.0 or d[1] + slack > p[P.GAP]:
        heat = whole(p, d, dv, f, flank)
    else:
        f[1] = 0.0
        f[4] = 0.0
        heat = plain(p, d, dv, planar, x, y, f)
    if p[P.CHI] != 0.0:
        zd[0] = heat


@force
def tooth_contact_sliced_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """As :func:`tooth_contact_force`, for a face cut into slices of plain teeth."""
    heat = whole(p, d, dv, f, sliced)
    if p[P.CHI] != 0.0:
        zd[0] = heat


@force
def tooth_contact_look(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Pair by pair instead of in sum: ``f[0]`` energy [J], ``f[1]`` number of touching pairs (and slices) listed, then
    each: flank (0 drive, 1 coast), number of the pair, slice, arc of wheel 1, overlap, elastic force, pressure."""
    rows, tilts, x, y = int(p[P.SENSE]), int(p[P.TILT]), 0.0, 0.0
    if p[P.PLANAR] != 0.0:
        x, y = d[5], d[6]
    count = 0
    f[0] = 0.0
    for side in range(2):
        coast = side == 1
        more, lift, length = 0.0, 0.0, p[P.L0]
        if p[P.PLANAR] != 0.0:
            more, lift, length, _, _, _, _, _, _ = place(p, coast, x, y)
        delta = d[side] + more
        bent = p[P.FACE] * d[tilts + side] if tilts > 0 else 0.0
        phase = d[rows]
        if coast:
            delta -= p[P.GAP]
            phase += p[P.COAST]
        up = -p[P.RISING] if coast else p[P.RISING]
        origin = p[P.START] if up > 0.0 else p[P.END]
        slices = int(p[P.SLICES])
        for k in range(slices):
            middle = (k + 0.5) / slices - 0.5
            at = phase + middle * p[P.OVERLAP]
            n = np.ceil(at - (p[P.END] - p[P.START] + p[P.BEYOND]) / p[P.PITCH])
            for _ in range(pairs(p, at, n)):
                s1 = origin + up * (at - n) * p[P.PITCH] + lift
                s2 = length - s1 if p[P.KIND] > 0.0 else length + s1
                deep = delta + middle * bent - p[P.CROWN] * 4.0 * middle * middle
                got = pair(p, coast, n, s1, s2, deep, 2.0 * middle)
                if got[1] > 0.0:
                    f[0] += pair_energy(p, got[0], got[1])
                    if count < MOST:
                        o = 2 + 7 * count
                        f[o], f[o + 1], f[o + 2], f[o + 3] = side, n, k, s1
                        f[o + 4], f[o + 5], f[o + 6] = got[0], got[1], pressure(p, s1, s2, got[1])
                        count += 1
                n += 1.0
    f[1] = count


class Touching(NamedTuple):
    """Pairs that touch at one instant, one entry each: ``flank`` (0 drive, 1 coast), ``pair`` (its number since phase
    zero), ``slice``, ``arc`` of wheel 1 [m], ``overlap`` [m], elastic ``force`` [N], ``pressure`` [Pa]; ``energy`` [J]
    stored in all of them."""

    flank: Any
    pair: Any
    slice: Any
    arc: Any
    overlap: Any
    force: Any
    pressure: Any
    energy: float


def look(law: Law, d: Any, phase: float | None = None) -> Touching:
    """The touching pairs of a tooth contact law at deflections ``d`` of its rows (drive, coast, travel, pressure, wedge,
    [radial, across,] [...,] phase). ``look(law, delta, phase)`` takes the drive deflection alone, nothing else displaced."""
    import ctypes

    if phase is not None:
        d = [float(d), -float(d), *[0.0] * (law.rows - 2), phase]
    values = np.ascontiguousarray(d, float)
    rates, rest, out = np.zeros(len(values)), np.zeros(1), np.zeros(2 + 7 * MOST)
    parameters = np.ascontiguousarray(law.parameters, float)
    pointer = [
        x.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for x in (values, rates, parameters, rest, rest, out, rest)
    ]
    tooth_contact_look.ctypes(0.0, *pointer[:5], 0, *pointer[5:])
    found = out[2 : 2 + 7 * int(out[1])].reshape(-1, 7)
    which = found[:, :3].astype(int).T
    return Touching(which[0], which[1], which[2], found[:, 3], found[:, 4], found[:, 5], found[:, 6], float(out[0]))


@dataclass(frozen=True)
class Lack:
    """What one wheel's flank lacks: ``side`` +1 with the tip at its larger arc (-1: a ring), ``tip`` and ``begin`` of
    relief (arcs [m]), relief ``amount`` at the tip [m] with exponent ``power`` (1 or 2), profile ``crowning`` [m] over
    the arcs ``flank``, ``corner`` coefficients of ``x² (c0 + c1 x + c2 x²)`` beyond the tip; ``bias`` [m] at the tip of the end at
    larger x and at the lower end of ``flank`` of the other, as much left standing at the other two corners."""

    side: float
    tip: float
    begin: float
    amount: float = 0.0
    power: int = 1
    crowning: float = 0.0
    flank: tuple[float, float] = (0.0, 1.0)
    corner: tuple[float, float, float] = (0.0, 0.0, 0.0)
    bias: float = 0.0

    def numbers(self) -> list[float]:
        """Parameters of the law: polynomials over the arc beyond the tip, ``x = side (s - tip)``."""
        edge = self.side * (self.begin - self.tip)
        low, high = self.flank
        middle, half = 0.5 * (low + high), 0.5 * (high - low)
        x = np.polynomial.Polynomial([0.0, 1.0])
        crowned = self.crowning / half**2 * (self.side * x + (self.tip - middle)) ** 2
        relieved = crowned
        if self.amount:
            relieved = crowned + self.amount * ((x - edge) / -edge) ** self.power
        cornered = float(relieved(0.0)) + x**2 * np.polynomial.Polynomial(self.corner)

        def coefficients(polynomial: Any, count: int) -> list[float]:
            found = polynomial.coef.tolist()[:count]
            return found + [0.0] * (count - len(found))

        return [
            self.side,
            self.tip,
            edge,
            *coefficients(crowned, 3),
            *coefficients(relieved, 3),
            *coefficients(cornered, 5),
            self.bias,
            self.bias / half,
        ]


@dataclass(frozen=True)
class Teeth:
    """Teeth that differ: ``deviation`` [m] by which each tooth's drive flank stands out, extra ``compliance`` [m/N] of
    cracked ones over the whole face, depth [m] of a ``pit`` on the drive flank of each, over arcs ``pit_arcs``."""

    deviation: tuple[float, ...]
    compliance: tuple[float, ...]
    pit: tuple[float, ...]
    pit_arcs: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class ContactData:
    """All that the law needs, in numbers; made by :func:`gearwright.assembly.contact.contact_data`.

    ``base_radii``, ``distance``; ``internal`` with wheel 2 a ring; ``sigma``, ``rising``, ``coast_shift`` (phase of the
    coast flank less that of the drive flank) as in the train's mesh; ``path`` (start, end) on wheel 1, ``pitch``;
    ``contact`` (C_E/(pi L), K F0) of the whole face [m/N, m] or None for teeth given by a stiffness;
    ``pressure_scale`` 1/(pi L C_E); ``compliance`` coefficients [m/N] of the whole face over
    ``x = (2 s - start - end)/(end - start)``, ascending; ``lack`` of both wheels; ``chi`` [s/m]; ``backlash`` [m];
    ``beyond`` [m]; ``slices``, ``overlap`` (negative where the end at smaller x is ahead), ``crown``; ``teeth`` (z1, z2)
    and ``offsets`` (drive 1, 2, coast 1, 2), with ``different`` data of both wheels; ``face_width`` [m] where the face
    tilts; ``friction`` coefficient between flanks, ``creep`` [m/s] the sliding speed about which it changes its sign.
    """

    base_radii: tuple[float, float]
    distance: float
    internal: bool
    sigma: int
    rising: bool
    coast_shift: float
    path: tuple[float, float]
    pitch: float
    contact: tuple[float, float] | None
    pressure_scale: float
    compliance: tuple[float, ...]
    lack: tuple[Lack, Lack]
    chi: float = 0.0
    backlash: float = 0.0
    beyond: float = 0.0
    slices: int = 1
    overlap: float = 0.0
    crown: float = 0.0
    teeth: tuple[int, int] = (1, 1)
    offsets: tuple[int, int, int, int] = (0, 0, 0, 0)
    different: tuple[Teeth, Teeth] | None = None
    corners: tuple[float, ...] = ()
    face_width: float = 0.0
    friction: float = 0.0
    creep: float = 1e-2

    @property
    def plain(self) -> bool:
        """Whether teeth are all alike, equally stiff along their path and without bias."""
        return self.different is None and len(self.compliance) == 1 and not self.biased

    @property
    def biased(self) -> bool:
        """Whether a flank has a bias."""
        return any(w.bias for w in self.lack)

    def numbers(self, planar: bool, tilts: bool = False) -> tuple[float, ...]:
        """Parameters of the law, in the order of :mod:`.tooth_contact_pair`."""
        first = PLANAR_ROWS if planar else ROWS
        rubs = first + (TILT_ROWS if tilts else 0)
        last = rubs + (RUB_ROWS if self.friction else 0)
        r = self.base_radii[1] + (-self.base_radii[0] if self.internal else self.base_radii[0])
        start, end = self.path
        n = self.slices
        whole = np.polynomial.Polynomial(self.compliance)
        course: list[float] = []
        if self.contact is None:
            k, unit_of, size = 0.0, 0.0, 1.0 / (n * float(whole(0.0)))
        else:
            k = self.contact[0] * n
            unit = self.contact[0]
            reference = float(whole(0.0)) / unit
            unit_of = math.exp(-reference) / self.contact[1]
            size = math.exp(reference) * self.contact[1] / k
            if len(self.compliance) > 1:
                course = _course(whole / unit)
        width = self.face_width * (n / math.sqrt(n * n - 1.0) if n > 1 else 1.0)
        reach = sum(abs(w.bias) for w in self.lack)
        data: list[float] = []
        if self.different is not None:
            reach += sum(max(map(abs, w.deviation), default=0.0) for w in self.different)
            for w in self.different:
                for e, q, pit in zip(w.deviation, w.compliance, w.pit, strict=True):
                    data += [e, math.exp(-q / unit) if k else q * n, pit]
            data += [*self.different[0].pit_arcs, *self.different[1].pit_arcs]
        long = math.sqrt(self.distance**2 - r**2)
        kind = -1.0 if self.internal else 1.0
        return (
            k, unit_of, self.chi, self.backlash, reach, self.pressure_scale * n,
            self.base_radii[0], self.distance, long, r, kind, float(self.sigma),
            start, end, self.pitch, 1.0 if self.rising else -1.0, self.coast_shift, self.beyond,
            1.0 if planar else 0.0, float(n), self.overlap, self.crown,
            size, float(P.COUNT + len(data) if course else 0), COURSE / (end - start),
            *self.lack[0].numbers(), *self.lack[1].numbers(),
            float(self.teeth[0]), float(self.teeth[1]), *map(float, self.offsets), float(P.COUNT if data else 0),
            float(last), float(first if tilts else 0), float(rubs if self.friction else 0),
            width, self.friction, self.creep,
            *centre_terms(self.distance, r), 40.0 / self.distance,
            1.0 if not (data or self.biased) and (tilts or n == 1 and not self.crown) else 0.0,
            *face_rule(n, 0.0 if self.overlap or self.crown else width), *data, *course,
        )  # fmt: skip


def _course(compliance: Any) -> list[float]:
    """``exp(-(c - c_ref))`` along the path (compliance over -1..1 in units of K): number of cells, coefficients, end."""
    x = np.linspace(-1.0, 1.0, COURSE + 1)
    value = np.exp(float(compliance(0.0)) - compliance(x))
    slope = -value * compliance.deriv()(x) * 2.0 / COURSE
    rise = np.diff(value)
    cells = np.stack(
        [value[:-1], slope[:-1], 3.0 * rise - 2.0 * slope[:-1] - slope[1:], slope[:-1] + slope[1:] - 2.0 * rise], axis=1
    )
    return [float(COURSE), *cells.ravel().tolist(), float(value[-1])]


def _force(data: ContactData, tilts: bool) -> Any:
    """The force function for such teeth: slices of teeth that are all alike go eight at a time."""
    several = data.plain and data.slices > 1
    if tilts or data.friction:
        eight = tilts and several and not data.friction and (data.overlap or data.crown)
        return tooth_contact_slanted_force if eight else tooth_contact_wide_force
    return tooth_contact_sliced_force if several else tooth_contact_force


def tooth_contact(data: ContactData, planar: bool, stiffness: float, damping: float, tilts: bool = False) -> Law:
    """Law of one mesh; ``stiffness`` and ``damping`` are the mean tangents of the drive row under load, for modes.

    ``tilts``: with the rows of a face that tilts. Raises ValueError for data that no contact has.
    """
    if data.path[1] <= data.path[0] or not stiffness > 0.0 or data.chi < 0.0:
        raise ValueError("tooth contact needs a path of contact, a positive stiffness and damping that is not negative")
    if data.contact is None and not (len(data.compliance) == 1 and data.compliance[0] > 0.0):
        raise ValueError("teeth without contact data need one compliance of their own")
    if tilts and not data.face_width > 0.0:
        raise ValueError("a face that tilts needs its width")
    if data.friction < 0.0 or not data.creep > 0.0:
        raise ValueError("friction between flanks is not negative, and the speed about which it turns is positive")
    rows = (PLANAR_ROWS if planar else ROWS) + TILT_ROWS * tilts + RUB_ROWS * (data.friction > 0.0)
    mean = np.zeros((2, rows))
    mean[:, 0] = stiffness, damping
    holds = [True, True, *[False] * (rows - 2)]
    if tilts:
        first = PLANAR_ROWS if planar else ROWS
        mean[:, first] = np.array([stiffness, damping]) * data.face_width**2 / 12.0
        holds[first] = holds[first + 1] = True
    parameters = data.numbers(planar, tilts)
    heat = ("damping",) * (data.chi > 0.0) + ("friction",) * (data.friction > 0.0)
    wide = tilts or data.friction > 0.0
    beside: tuple[Any, ...] | None = None
    if planar and data.plain and not data.friction:
        if tilts and parameters[P.RULE]:
            beside = (tooth_contact_faces,)
        elif data.slices == 1 and not tilts:
            beside = tooth_contact_together, tooth_contact_foresee
    law = Law(
        force=_force(data, tilts),
        parameters=parameters,
        rows=rows,
        senses=1,
        mean=(tuple(mean[0].tolist()), tuple(mean[1].tolist())),
        corners=data.corners,
        states=(0.0,) * len(heat),
        heat=heat,
        parametric=False,
        holds=tuple(holds),
        ahead=None if wide else tooth_contact_ahead,
        together=beside,
        label="tooth contact pair by pair",
        source="S2; physics notes 7",
    )

    def energy(d, dv, z, mode):  # type: ignore[no-untyped-def]
        return look(law, d).energy

    return law._replace(energy=energy)
