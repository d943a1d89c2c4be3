"""Steady blade element momentum: one bracketed residual per element, tables, operating points, sensitivities.

The residual in the inflow angle (Ning, Wind Energy 17, 2014) has one root per bracket, so that bisection cannot
fail; Prandtl's tip and hub loss, Buhl's correction for heavily loaded discs. Cone and tilt enter through the
speeds of an element, ``U cos(tilt) cos(cone)`` and ``w r cos(cone)``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gearwright.kernels import hot, kernel
from gearwright.kernels.places import cell_of

from .airfoils import POINTS, tables
from .model import Turbine, TurbineError
from .table import Performance

Float = NDArray[np.floating]

#: bisections: 60 halve a right angle to round-off
_HALVINGS = 60


class Blade(NamedTuple):
    """Elements and polars of one rotor as 1-D arrays; ``par`` = [blades, tip radius, hub radius, cos cone,
    cos tilt, sin tilt, sin cone, air density]."""

    radius: Float
    width: Float
    chord: Float
    twist: Float
    foil: NDArray[np.int64]
    lift: Float
    drag: Float
    attached: Float
    separated: Float
    attachment: Float
    par: Float


@lru_cache(maxsize=8)
def blade(turbine: Turbine, density: float = 1.225) -> Blade:
    """The arrays of a turbine's rotor; made once per turbine, not to be changed."""
    par = np.array(
        [
            turbine.blades,
            turbine.tip_radius,
            turbine.hub_radius,
            math.cos(turbine.cone),
            math.cos(turbine.tilt),
            math.sin(turbine.tilt),
            math.sin(turbine.cone),
            density,
        ]
    )
    if not len(turbine.element_radius):
        # a rotor by table: no element is ever asked
        one = np.ones(1)
        return Blade(one, one, one, one, np.zeros(1, np.int64), one, one, one, one, one, par)
    polars = tables(turbine)
    foil = np.array([polars.names.index(p) for p in turbine.element_polar], np.int64)
    return Blade(
        turbine.element_radius,
        turbine.element_width,
        turbine.element_chord,
        turbine.element_twist,
        foil,
        polars.lift,
        polars.drag,
        polars.attached,
        polars.separated,
        polars.attachment,
        par,
    )


@hot
def look_up(table, foil, angle):  # type: ignore[no-untyped-def]
    """Value of a polar at an angle of attack [rad], any number of turns off."""
    x = angle * (180.0 / np.pi)
    x = x - 360.0 * np.floor((x + 180.0) / 360.0)
    p = (x + 180.0) * 2.0
    i = cell_of(p, POINTS - 1)
    w = p - i
    b = foil * POINTS + i
    return table[b] + w * (table[b + 1] - table[b])


@hot
def loss(sine, r, tip, hub, blades):  # type: ignore[no-untyped-def]
    """Prandtl's factor of tip and hub, not below 0.05."""
    s = max(abs(sine), 1e-6)
    ft = np.exp(-min(0.5 * blades * (tip - r) / (r * s), 500.0))
    fh = np.exp(-min(0.5 * blades * (r - hub) / (hub * s), 500.0))
    return max(np.arccos(ft) * np.arccos(fh) * (4.0 / (np.pi * np.pi)), 0.05)


@hot
def wake_flow(a, f):  # type: ignore[no-untyped-def]
    """Speed over the wind that carries the momentum of an annulus away, ``CT / (4 F a)``, at an induction factor.

    Momentum theory up to a = 0.4, Buhl's curve above (NREL/TP-500-36834, 2005, equation 18):
    ``CT = 8/9 + (4 F - 40/9) a + (50/9 - 4 F) a^2``. The one law of heavily loaded discs, steady and over time.
    """
    if a <= 0.4:
        return 1.0 - a
    return (8.0 / 9.0 + (4.0 * f - 40.0 / 9.0) * a + (50.0 / 9.0 - 4.0 * f) * a * a) / (4.0 * f * a)


@hot
def induction(k, f):  # type: ignore[no-untyped-def]
    """Induction factor of an annulus from ``k = solidity cn / (4 F sin^2 phi)``: the inverse of :func:`wake_flow`.

    ``a wake_flow(a, f) = k (1 - a)^2``, solved (Ning, Wind Energy 17, 2014, equation 18).
    """
    if k <= 2.0 / 3.0:
        return k / (1.0 + k) if k != -1.0 else -1e6
    g1 = 2.0 * f * k - (10.0 / 9.0 - f)
    g2 = 2.0 * f * k - f * (4.0 / 3.0 - f)
    g3 = 2.0 * f * k - (25.0 / 9.0 - 2.0 * f)
    root = np.sqrt(max(g2, 1e-12))
    return 1.0 - 0.5 / root if abs(g3) < 1e-6 else (g1 - root) / g3


@hot
def _residual(phi, pitch, un, ut, r, chord, twist, foil, lift, drag, par, out):  # type: ignore[no-untyped-def]
    """Residual at an inflow angle; axial and tangential induction factor into ``out[0:2]``."""
    s, c = np.sin(phi), np.cos(phi)
    angle = phi - twist - pitch
    cl, cd = look_up(lift, foil, angle), look_up(drag, foil, angle)
    cn, ct = cl * c + cd * s, cl * s - cd * c
    f = loss(s, r, par[1], par[2], par[0])
    solidity = par[0] * chord / (2.0 * np.pi * r)
    k = solidity * cn / (4.0 * f * s * s)
    kt = solidity * ct / (4.0 * f * s * c)
    a = induction(k, f) if phi > 0.0 else (k / (k - 1.0) if k > 1.0 else 0.0)
    out[0] = a
    out[1] = kt / (1.0 - kt) if kt != 1.0 else 1e6
    swirl = c * un / ut * (1.0 - kt)
    if phi <= 0.0:
        return s * (1.0 - k) - swirl
    return s / (1.0 - a) - swirl if a != 1.0 else -swirl


@hot
def _solve(pitch, un, ut, r, chord, twist, foil, lift, drag, par, out):  # type: ignore[no-untyped-def]
    """Inflow angle of one element; its induction factors into ``out[0:2]``.

    The residual stands in the text once, for the compiler's sake: brackets are tried and halved by one loop.
    """
    eps = 1e-6
    bracket = 0
    lo, hi, flo = eps, 0.5 * np.pi, 0.0
    phi = lo
    wanted = 0  # 0: value at the lower end, 1: at the upper end, 2: halving
    for _ in range(_HALVINGS + 6):
        f = _residual(phi, pitch, un, ut, r, chord, twist, foil, lift, drag, par, out)
        if wanted == 0:
            flo = f
            wanted = 1
            phi = hi
            continue
        if wanted == 1:
            if flo * f > 0.0 and bracket < 2:
                bracket += 1
                if bracket == 1:
                    lo, hi = -0.25 * np.pi, -eps
                else:
                    lo, hi = 0.5 * np.pi, np.pi - eps
                wanted = 0
                phi = lo
                continue
            wanted = 2
        elif f * flo > 0.0:
            lo, flo = phi, f
        else:
            hi = phi
        phi = 0.5 * (lo + hi)
    return phi


@hot
def rotor_loads(b, wind, speed, pitch, w, wt, frozen, out):  # type: ignore[no-untyped-def]
    """Torque, thrust [N m, N] of a rotor in uniform wind into ``out[0:2]``, induced speeds into ``w, wt``.

    With ``frozen`` the given induced speeds are kept: the wake does not follow.
    """
    radius, width, chord, twist, foil, lift, drag, par = (
        b.radius,
        b.width,
        b.chord,
        b.twist,
        b.foil,
        b.lift,
        b.drag,
        b.par,
    )
    torque, thrust = 0.0, 0.0
    for i in range(radius.shape[0]):
        r = radius[i]
        un, ut = wind * par[4] * par[3], speed * r * par[3]
        if not frozen:
            _solve(pitch, un, ut, r, chord[i], twist[i], foil[i], lift, drag, par, out)
            w[i], wt[i] = out[0] * un, out[1] * ut
        vn, vt = un - w[i], ut + wt[i]
        phi = np.arctan2(vn, vt)
        angle = phi - twist[i] - pitch
        cl, cd = look_up(lift, foil[i], angle), look_up(drag, foil[i], angle)
        q = 0.5 * par[7] * (vn * vn + vt * vt) * chord[i] * width[i] * par[0]
        thrust += q * (cl * np.cos(phi) + cd * np.sin(phi)) * par[3]
        torque += q * (cl * np.sin(phi) - cd * np.cos(phi)) * r * par[3]
    out[0], out[1] = torque, thrust
    return torque


@kernel
def _table(b, wind, speeds, pitches, w, wt, frozen, out, torque, thrust):  # type: ignore[no-untyped-def]
    for i in range(speeds.shape[0]):
        for j in range(pitches.shape[0]):
            rotor_loads(b, wind, speeds[i], pitches[j], w, wt, frozen, out)
            torque[i, j], thrust[i, j] = out[0], out[1]


@dataclass(frozen=True)
class RotorState:
    """Steady rotor: torque [N m], thrust [N] and induced speeds [m/s] by element."""

    torque: float
    thrust: float
    axial: Float
    tangential: Float


def rotor(
    turbine: Turbine, wind: float, speed: float, pitch: float, *, density: float = 1.225, wake: RotorState | None = None
) -> RotorState:
    """The rotor in steady uniform wind [m/s] at a speed [rad/s] and pitch [rad]; ``wake`` freezes the induction."""
    if turbine.performance is not None:
        loads = turbine.performance.loads(turbine.tip_radius, density, wind, speed, pitch)
        return RotorState(*loads, *np.zeros((2, len(turbine.element_radius))))
    b = blade(turbine, density)
    n = len(b.radius)
    w, wt = (np.zeros(n), np.zeros(n)) if wake is None else (wake.axial.copy(), wake.tangential.copy())
    torque, thrust = np.zeros((1, 1)), np.zeros((1, 1))
    _table(
        b,
        float(wind),
        np.array([float(speed)]),
        np.array([float(pitch)]),
        w,
        wt,
        wake is not None,
        np.zeros(2),
        torque,
        thrust,
    )
    return RotorState(float(torque[0, 0]), float(thrust[0, 0]), w, wt)


def performance(turbine: Turbine, ratios: Float, pitches: Float) -> tuple[Float, Float]:
    """Power and thrust coefficients over tip speed ratios and pitch angles [rad], both (ratios, pitches)."""
    if not len(turbine.element_radius):
        raise TurbineError(f"turbine '{turbine.name}' has no blade elements to make a table of")
    b = blade(turbine)
    ratios, pitches = np.asarray(ratios, float), np.asarray(pitches, float)
    torque, thrust = np.zeros((len(ratios), len(pitches))), np.zeros((len(ratios), len(pitches)))
    n, wind = len(b.radius), 10.0
    speeds = ratios * wind / turbine.tip_radius
    _table(b, wind, speeds, pitches, np.zeros(n), np.zeros(n), False, np.zeros(2), torque, thrust)
    force = 0.5 * b.par[7] * turbine.swept_area * wind**2
    return torque * speeds[:, None] / (force * wind), thrust / force


@dataclass(frozen=True)
class OperatingPoint:
    """A steady point of turbine and controller. Speed and torque of the rotor (low-speed) side."""

    wind: float
    speed: float
    pitch: float
    torque: float
    power: float
    thrust: float
    region: str
    axial: Float
    tangential: Float


def generator_torque(turbine: Turbine, speed: float) -> float:
    """Torque [N m] that the reference controller asks at a steady generator speed [rad/s] and small pitch."""
    c = turbine.controller
    if c.fixed_speed:
        # the line of the slip through the rated point
        return c.rated_torque * (speed - c.cut_in_speed) / (c.pitch_speed - c.cut_in_speed)
    slope, start, crossing = torque_line(turbine)
    if speed <= c.cut_in_speed:
        return 0.0
    if speed < c.region_2_speed:
        end = c.region_2_gain * c.region_2_speed**2
        return end * (speed - c.cut_in_speed) / (c.region_2_speed - c.cut_in_speed)
    if speed < crossing:
        return c.region_2_gain * speed**2
    if speed < c.rated_speed:
        return slope * (speed - start)
    return c.rated_torque if c.constant_torque else c.rated_power / speed


def torque_line(turbine: Turbine) -> tuple[float, float, float]:
    """Region 2.5 of the torque law: slope [N m s/rad], synchronous speed, speed where it leaves region 2."""
    c = turbine.controller
    if c.fixed_speed:
        return 0.0, c.cut_in_speed, c.rated_speed
    start = c.rated_speed / (1.0 + 0.01 * c.slip_percent)
    slope = (c.rated_power / c.rated_speed) / (c.rated_speed - start)
    rest = slope * (slope - 4.0 * c.region_2_gain * start)
    if rest < 0.0:
        raise TurbineError(f"turbine '{turbine.name}': the torque law leaves region 2 nowhere; its gain is too large")
    return slope, start, (slope - math.sqrt(rest)) / (2.0 * c.region_2_gain)


def operating_point(
    turbine: Turbine, wind: float, density: float = 1.225, machine: Callable[[float], float] | None = None
) -> OperatingPoint:
    """Steady rotor speed, pitch and loads at a uniform wind speed [m/s].

    ``machine``: torque [N m] over speed [rad/s] of the machine that holds the speed of a fixed-speed turbine; None: the
    line of its rated slip. Raises TurbineError if the rotor cannot turn against the generator in that wind.
    """
    c, ratio = turbine.controller, turbine.gear_ratio
    if c.fixed_speed:
        return _held_point(turbine, wind, density, machine or (lambda w: generator_torque(turbine, w)))

    def surplus(speed: float, pitch: float, torque: float | None = None) -> float:
        asked = generator_torque(turbine, speed * ratio) if torque is None else torque
        return rotor(turbine, wind, speed, pitch, density=density).torque - asked * ratio

    held = c.pitch_speed / ratio
    full = c.rated_torque
    if surplus(held, c.minimum_pitch, full) > 0.0:
        pitches = np.linspace(c.minimum_pitch, math.radians(45.0), 91)
        values = [surplus(held, p, full) for p in pitches]
        last = max(i for i, x in enumerate(values) if x > 0.0)
        if last == len(values) - 1:
            raise TurbineError(f"turbine '{turbine.name}' cannot be held at rated speed in {wind:g} m/s")
        pitch = _root(lambda p: surplus(held, p, full), pitches[last], pitches[last + 1])
        speed, region = held, "3"
    else:
        speeds = np.linspace(0.2 * held, held, 161)
        values = [surplus(s, c.minimum_pitch) for s in speeds]
        falling = [i for i in range(len(values) - 1) if values[i] > 0.0 >= values[i + 1]]
        if not falling or speeds[falling[-1]] * ratio < c.cut_in_speed:
            raise TurbineError(
                f"turbine '{turbine.name}' does not turn its generator in {wind:g} m/s; cut-in is {turbine.cut_in_wind:g} m/s"
            )
        i = falling[-1]
        speed = _root(lambda s: surplus(s, c.minimum_pitch), speeds[i], speeds[i + 1])
        pitch, region = c.minimum_pitch, region_name(turbine, speed * ratio)
    found = rotor(turbine, wind, speed, pitch, density=density)
    return OperatingPoint(
        wind, speed, pitch, found.torque, found.torque * speed, found.thrust, region, found.axial, found.tangential
    )


def _held_point(turbine: Turbine, wind: float, density: float, machine: Callable[[float], float]) -> OperatingPoint:
    """The steady point where an induction machine holds the speed, on the rising side of its curve."""
    c, ratio = turbine.controller, abs(turbine.gear_ratio)

    def surplus(speed: float) -> float:
        return rotor(turbine, wind, speed, c.minimum_pitch, density=density).torque - machine(speed * ratio) * ratio

    speeds = c.cut_in_speed / ratio * (1.0 + np.linspace(-0.02, 0.3, 321))
    values = [surplus(float(s)) for s in speeds]
    falling = [i for i in range(len(values) - 1) if values[i] > 0.0 >= values[i + 1]]
    if not falling:
        raise TurbineError(
            f"turbine '{turbine.name}': its machine cannot hold the rotor in {wind:g} m/s: the torque is beyond the breakdown "
            f"torque, or the wind does not turn it"
        )
    speed = _root(surplus, float(speeds[falling[0]]), float(speeds[falling[0] + 1]))
    found = rotor(turbine, wind, speed, c.minimum_pitch, density=density)
    return OperatingPoint(
        wind,
        speed,
        c.minimum_pitch,
        found.torque,
        found.torque * speed,
        found.thrust,
        "fixed speed",
        found.axial,
        found.tangential,
    )


def region_name(turbine: Turbine, generator_speed: float) -> str:
    """Region of the torque law below rated: 1, 1.5, 2 or 2.5."""
    c = turbine.controller
    if generator_speed <= c.cut_in_speed:
        return "1"
    if generator_speed < c.region_2_speed:
        return "1.5"
    return "2" if generator_speed < torque_line(turbine)[2] else "2.5"


def table_of(turbine: Turbine) -> Performance:
    """Power and thrust coefficients of the blade elements: tip speed ratio 0.5 to 16, pitch -2 to 90 deg."""
    ratios = np.arange(0.5, 16.01, 0.25)
    pitches = np.radians(np.concatenate([np.arange(-2.0, 30.0, 0.5), np.arange(30.0, 90.1, 5.0)]))
    return Performance(ratios, pitches, *performance(turbine, ratios, pitches))


def best_point(turbine: Turbine) -> tuple[float, float, float]:
    """Largest power coefficient, its tip speed ratio and pitch [rad]."""
    ratios, pitches = np.arange(6.0, 10.0, 0.05), np.radians(np.arange(-2.0, 2.01, 0.1))
    cp, _ = performance(turbine, ratios, pitches)
    i, j = np.unravel_index(int(cp.argmax()), cp.shape)
    return float(cp[i, j]), float(ratios[i]), float(pitches[j])


def rated_wind(turbine: Turbine) -> float:
    """Wind speed [m/s] at which the rated mechanical power is reached at rated speed and fine pitch."""
    c = turbine.controller
    held = c.pitch_speed / turbine.gear_ratio

    def missing(wind: float) -> float:
        return rotor(turbine, wind, held, c.minimum_pitch).torque * held - c.rated_power

    return _root(missing, 0.6 * turbine.rated_wind, 1.4 * turbine.rated_wind)


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    """A zero between two places of different sign, by halving to round-off."""
    first = function(low)
    for _ in range(50):
        middle = 0.5 * (low + high)
        value = function(middle)
        if (value > 0.0) == (first > 0.0):
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def pitch_sensitivity(turbine: Turbine, wind: float) -> float:
    """Change of power with pitch [W/rad] at the operating point, the wake frozen."""
    point = operating_point(turbine, wind)
    wake = RotorState(point.torque, point.thrust, point.axial, point.tangential)
    step = math.radians(0.05)
    up, down = (rotor(turbine, wind, point.speed, point.pitch + s * step, wake=wake).torque for s in (1, -1))
    return (up - down) / (2 * step) * point.speed
