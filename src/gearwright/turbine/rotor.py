"""The rotor over time: blade elements at their own azimuth, induction per annulus with a memory.

Per step: local wind, angle, polar and force of every element of every blade; the quasi-steady induction as the
mean over the blades; dynamic inflow (Oye's two filters, exact over the step); a skewed wake for yaw and tilt;
dynamic stall on request. Freezing the wake at the passing frequency of the blades is what makes the shaft torque
right: the wake takes some ten seconds. Source: turbine and load-case specification, section 2.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gearwright.kernels import hot

from .bem import Blade, OperatingPoint, blade, look_up, loss, wake_flow
from .model import Turbine
from .table import Table, off, table_loads
from .table import make as make_table
from .wind import Air, Wind, sample_field, sample_profile, sample_series

Float = NDArray[np.floating]

#: what :func:`aero` writes
TORQUE, THRUST, FORCE_Y, FORCE_Z, MOMENT_Y, MOMENT_Z, WIND, OUTPUTS = 0, 1, 2, 3, 4, 5, 6, 8


class Rotor(NamedTuple):
    """Everything constant that the aerodynamics of a run needs. ``site`` = [hub height, overhang, tower radius at
    the base and at the top, tower height, shadow 0/1, dynamic stall 0/1, skewed wake 0/1]; ``table`` is switched off
    where the rotor has blade elements."""

    blade: Blade
    air: Air
    site: Float
    table: Table


class Wake(NamedTuple):
    """State of the aerodynamics: induced speeds by annulus, attachment by blade and element, scratch."""

    inner: Float
    axial: Float
    quasi: Float
    tangential: Float
    attached: Float
    mean: Float
    work: Float


def make(
    turbine: Turbine, wind: Wind, *, density: float = 1.225, shadow: bool = True, stall: bool = False, skew: bool = True
) -> Rotor:
    """The rotor of a turbine in a wind; ``stall`` switches dynamic stall on."""
    site = np.array(
        [
            turbine.hub_height,
            turbine.overhang,
            0.5 * turbine.tower_base_diameter,
            0.5 * turbine.tower_top_diameter,
            turbine.tower_height,
            float(shadow),
            float(stall),
            float(skew),
        ]
    )
    by_table = turbine.performance
    table = off() if by_table is None else make_table(by_table, turbine.tip_radius, density)
    return Rotor(blade(turbine, density), wind.arrays(), site, table)


def wake_of(turbine: Turbine, point: OperatingPoint) -> Wake:
    """The wake of a steady point."""
    n = len(turbine.element_radius)
    mean = np.array([max(point.wind * math.cos(turbine.tilt), 1.0), 0.0])
    return Wake(
        point.axial.copy(),
        point.axial.copy(),
        point.axial.copy(),
        point.tangential.copy(),
        np.full(turbine.blades * n, -1.0),
        mean,
        np.zeros(8),
    )


@hot
def shadow_factor(site, x, y, z):  # type: ignore[no-untyped-def]
    """Speed behind the front of the tower over the free speed: potential flow around a cylinder."""
    if z >= site[4] or z < 0.0:
        return 1.0
    radius = site[2] + (site[3] - site[2]) * z / site[4]
    d = x * x + y * y
    if d <= radius * radius:
        return 0.0
    return 1.0 - radius * radius * (x * x - y * y) / (d * d)


@hot
def _by_table(rotor, t, azimuth, speed, pitch, forward, work, out):  # type: ignore[no-untyped-def]
    """Loads of a rotor that is a table, in the wind that its blades meet, weighted by radius."""
    bl, air, site = rotor.blade, rotor.air, rotor.site
    flow, profile, apar, size = air.flow, air.profile, air.par, air.size
    tip, cosc, sinc, sint = bl.par[1], bl.par[3], bl.par[6], bl.par[5]
    blades = np.int64(bl.par[0])
    sample_series(air, t, work)
    base, direction, vertical, horizontal = work[0], work[1], work[2], work[3]
    total, weight = 0.0, 0.0
    for i in range(9):
        r = (0.15 + 0.1 * i) * tip
        for b in range(blades):
            psi = azimuth + 2.0 * np.pi * b / blades
            sp, cp = np.sin(psi), np.cos(psi)
            z = site[0] + r * cosc * cp
            y = -r * cosc * sp
            u = base * sample_profile(profile, apar[3], size[4], z)
            u += (vertical * (z - site[0]) + horizontal * y) / (2.0 * tip)
            u += sample_field(flow, apar, size, t, r, psi)
            if site[5] > 0.0 and cp < 0.0:
                u *= shadow_factor(site, site[1] + r * (sinc - sint * cp), y, z)
            total += r * u
            weight += r
    met = total / weight
    table_loads(rotor.table, met * np.cos(direction) - forward, speed, pitch, out)
    for i in range(2, 6):
        out[i] = 0.0
    out[6] = met
    return out[0]


@hot
def _skewed(site, mean, crosswise, upwards, through):  # type: ignore[no-untyped-def]
    """Strength of the skewed wake and the direction of the in-plane wind, from the wind across and through the disc [m/s]."""
    cross = np.sqrt(crosswise * crosswise + upwards * upwards)
    if not (site[7] > 0.0 and cross > 1e-6):
        return 0.0, 0.0, 0.0
    a_mean = min(max(mean[1], 0.0), 0.5)
    chi = (0.6 * a_mean + 1.0) * np.arctan(cross / through)
    return 15.0 * np.pi / 32.0 * np.tan(0.5 * min(chi, 1.2)), crosswise / cross, upwards / cross


@hot
def _stalled(bl, state, k, foil, angle, static, lag):  # type: ignore[no-untyped-def]
    """Lift of an element whose flow attaches with a lag: ``static`` is where its attachment would settle."""
    if state[k] < 0.0:
        state[k] = static
    state[k] = static + (state[k] - static) * lag
    part = state[k]
    if static > 0.999 and part > 0.999:
        return look_up(bl.lift, foil, angle)
    return part * look_up(bl.attached, foil, angle) + (1.0 - part) * look_up(bl.separated, foil, angle)


@hot
def _induced(wake, par, i, r, chord, un, cn, ct, sine, dt):  # type: ignore[no-untyped-def]
    """Move the induction of annulus ``i`` on by ``dt``, from means over the blades: normal wind, force coefficients times
    speed squared, sine of the inflow angle. Returns the axial induction factor before."""
    tip = par[1]
    w = wake.axial[i]
    f = loss(sine, r, tip, par[2], par[0])
    solidity = par[0] * chord / (2.0 * np.pi * r)
    a = w / un if abs(un) > 0.3 else 0.0
    # the swirl is carried by what flows through the disc, the thrust by the wake of a heavily loaded disc too
    induced = solidity * cn / (4.0 * f * max(abs(un) * wake_flow(a, f), 0.3))
    swirl = solidity * ct / (4.0 * f * max(abs(un - w), 0.3))
    # induced speeds beyond the wind itself have no meaning; they occur at standstill and feather only
    induced = min(max(induced, -0.5 * abs(un)), 1.5 * abs(un))
    swirl = min(max(swirl, -0.5 * abs(un)), 0.5 * abs(un))
    slow = 1.1 * tip / (wake.mean[0] * (1.0 - 1.3 * min(max(a, 0.0), 0.5)))
    fast = (0.39 - 0.26 * (r / tip) ** 2) * slow
    rate = (induced - wake.quasi[i]) / dt
    wake.quasi[i] = induced
    target = induced + 0.6 * slow * rate
    before = wake.inner[i]
    wake.inner[i] = target + (before - target) * np.exp(-dt / slow)
    middle = 0.5 * (before + wake.inner[i])
    decay = np.exp(-dt / fast)
    wake.axial[i] = middle + (w - middle) * decay
    wake.tangential[i] = swirl + (wake.tangential[i] - swirl) * decay
    return a


@hot
def aero(rotor, wake, t, dt, azimuth, speed, pitch, forward, sideways, out):  # type: ignore[no-untyped-def]
    """Loads of the rotor at ``t`` into ``out``; the wake moves on by ``dt``.

    ``azimuth`` [rad] of blade 1 (0 up), ``speed`` [rad/s], ``pitch`` [rad], velocity of the hub ``forward`` (with
    the wind) and ``sideways`` (to the left) [m/s]. Force and moment are those on the hub in x downwind, y left, z up:
    ``out`` = torque, thrust, y and z force, y and z moment, wind mean over the rotor.
    """
    if rotor.table.par[0] > 0.0:
        return _by_table(rotor, t, azimuth, speed, pitch, forward, wake.work, out)
    bl, air, site = rotor.blade, rotor.air, rotor.site
    radius, width, chord, twist, foil, par = bl.radius, bl.width, bl.chord, bl.twist, bl.foil, bl.par
    flow, profile, apar, size = air.flow, air.profile, air.par, air.size
    axial, tangential, mean, work = wake.axial, wake.tangential, wake.mean, wake.work
    blades = np.int64(par[0])
    tip, cosc, cost, sint, sinc, density = par[1], par[3], par[4], par[5], par[6], par[7]
    hub_height = site[0]
    sample_series(air, t, work)
    base, direction, vertical, horizontal, lateral, upward = work[0], work[1], work[2], work[3], work[4], work[5]
    cosd, sind = np.cos(direction), np.sin(direction)
    # in-plane wind of the disc, for the skewed wake and the tangential speed
    crosswise = base * sind + lateral * cosd - sideways
    upwards = base * cosd * sint + upward * cost
    through = max(base * cosd * cost, 1.0)
    skew, ey, ez = _skewed(site, mean, crosswise, upwards, through)
    torque, thrust, fy, fz, my, mz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    wind_sum, weight, induction = 0.0, 0.0, 0.0
    n = radius.shape[0]
    for i in range(n):
        r = radius[i]
        c = chord[i]
        area = c * width[i]
        cn_sum, ct_sum, un_sum, sine_sum = 0.0, 0.0, 0.0, 0.0
        for b in range(blades):
            psi = azimuth + 2.0 * np.pi * b / blades
            sp, cp = np.sin(psi), np.cos(psi)
            z = hub_height + r * cosc * cp
            y = -r * cosc * sp
            u = base * sample_profile(profile, apar[3], size[4], z)
            u += (vertical * (z - hub_height) + horizontal * y) / (2.0 * tip)
            u += sample_field(flow, apar, size, t, r, psi)
            if site[5] > 0.0 and cp < 0.0:
                u *= shadow_factor(site, site[1] + r * (sinc - sint * cp), y, z)
            un = u * cosd * cost * cosc
            w = axial[i] * (1.0 + skew * (r / tip) * (-sp * ey + cp * ez))
            vn = un - forward * cosc - w
            vt = speed * r * cosc + tangential[i] + crosswise * cp + upwards * sp
            phi = np.arctan2(vn, vt)
            angle = phi - twist[i] - pitch
            cd = look_up(bl.drag, foil[i], angle)
            v2 = vn * vn + vt * vt
            if site[6] > 0.0:
                static = look_up(bl.attachment, foil[i], angle)
                lag = np.exp(-dt * np.sqrt(v2) / (4.0 * c))
                cl = _stalled(bl, wake.attached, b * n + i, foil[i], angle, static, lag)
            else:
                cl = look_up(bl.lift, foil[i], angle)
            s, co = np.sin(phi), np.cos(phi)
            cn, ct = cl * co + cd * s, cl * s - cd * co
            q = 0.5 * density * v2 * area
            normal, along = q * cn, q * ct
            torque += along * r * cosc
            thrust += normal * cosc
            fy -= along * cp
            fz -= along * sp
            my += r * normal * cp
            mz += r * normal * sp
            cn_sum += v2 * cn
            ct_sum += v2 * ct
            un_sum += un
            sine_sum += s
            wind_sum += u * r * width[i]
            weight += r * width[i]
        a = _induced(wake, par, i, r, c, un_sum / blades, cn_sum / blades, ct_sum / blades, sine_sum / blades, dt)
        induction += a / n
    out[0], out[1], out[2], out[3], out[4], out[5] = torque, thrust, fy, fz, my, mz
    out[6] = wind_sum / weight
    mean[0] = max(out[6] * cost, 1.0)
    mean[1] = induction
    return torque
