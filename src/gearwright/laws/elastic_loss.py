"""Elastic mesh that loses and sticks at its contact point: two half springs in series with the loss between them.

Two wheels A and B push on a massless contact point ``y`` through a spring and damper each. With ``u_A``, ``u_B``
the displacements of the wheels along the line of action and ``F_A``, ``F_B`` the forces of the two sides::

    F_A = k_A (y - u_A) + c_A (v - du_A)        F_B = k_B (u_B - y) + c_B (du_B - v)

    the contact moves:  a_B F_A = a_A F_B,  a = 1 + kappa on the driving side, 1 - kappa on the driven side
    it sticks:          v = 0

with ``kappa = (1 - eta)/(1 + eta)``, so that the driven side receives ``eta`` times the force of the driving side.
The law has no peak of sticking, therefore its mode follows from the state: each sign of ``v`` and each driving side
is tried, the one that agrees with itself holds, and if none does the contact sticks. ``v`` is continuous in the
state, so no event is needed and nothing chatters.

The block works on two rows, the mesh row ``u_A - u_B`` and the rolling row ``(u_A + u_B)/2``, because the work of the
pair is ``N d(u_A - u_B) + R d((u_A + u_B)/2)`` with the normal force ``N = -(F_A + F_B)/2`` and the loss force
``R = F_B - F_A``. The mesh row carries the translations of both centres, which so feel equal and opposite forces; the
rolling row carries rotations relative to the carrier, which so feels the reaction of the loss. The own state is
``y - (u_A + u_B)/2``: it stays small however far the wheels roll.

Source: S4, sections 3 and 4, with k_A = k_B = 2 k (springs in series; the printed (8) has k/2) and the errata of its
digest; physics note 12 for the forces on the centres.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from gearwright.system import Law, force


@force
def elastic_loss_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters: k_A, k_B, c_A, c_B, points of the efficiency table, then per wheel: place, cells of its profile.

    p[9..] holds the table in triples (speed, kappa_1, kappa_2), then the cubic cells of the profiles.
    """
    scale = 1.0
    for wheel in range(2):
        cells = int(p[6 + 2 * wheel])
        if cells:
            x = d[2 + wheel]
            x = (x - math.floor(x)) * cells
            cell = min(int(x), cells - 1)
            x -= cell
            i = int(p[5 + 2 * wheel]) + 4 * cell
            scale *= p[i] + x * (p[i + 1] + x * (p[i + 2] + x * p[i + 3]))
    ka, kb, ca, cb = scale * p[0], scale * p[1], scale * p[2], scale * p[3]
    roll = abs(dv[1])
    points = int(p[4])
    j = 0
    while j < points - 1 and roll > p[9 + 3 * (j + 1)]:
        j += 1
    i = 9 + 3 * j
    k1, k2 = p[i + 1], p[i + 2]
    if j < points - 1 and roll > p[i]:
        part = (roll - p[i]) / (p[i + 3] - p[i])
        k1 += part * (p[i + 4] - k1)
        k2 += part * (p[i + 5] - k2)
    fa = ka * (z[0] - 0.5 * d[0]) - ca * (dv[1] + 0.5 * dv[0])
    fb = -kb * (z[0] + 0.5 * d[0]) + cb * (dv[1] - 0.5 * dv[0])
    v = 0.0
    for side in range(2):
        aa = 1.0 + k1 if side == 0 else 1.0 - k2
        ab = 1.0 - k1 if side == 0 else 1.0 + k2
        w = (aa * fb - ab * fa) / (ab * ca + aa * cb)
        # F_g = (F_A + F_B)/2: A drives where F_g v < 0, B where F_g v > 0
        power = (fa + fb + (ca - cb) * w) * w
        if (side == 0 and power < 0.0) or (side == 1 and power > 0.0):
            v = w
    fa += ca * v
    fb -= cb * v
    f[0] = -0.5 * (fa + fb)
    f[1] = fb - fa
    zd[0] = v - dv[1]


def tooth_profile(teeth: int, factors: Mapping[int, float], width: float = 1.5) -> np.ndarray:
    """Stiffness over one turn of a wheel with some teeth softer or stiffer than the rest, as equidistant factors.

    Parameters
    ----------
    teeth : number of teeth
    factors : tooth number (0 is at angle zero, rising with the angle) -> stiffness over that of a sound tooth while
        it carries; 0.6 for a crack, small values for a tooth that is gone
    width : teeth over which the tooth is felt, about the contact ratio; the dip is a raised cosine of that width

    Returns (32 * teeth,). Raises ValueError for a tooth that the wheel does not have or a negative factor.
    """
    n = 32 * teeth
    profile = np.ones(n)
    x = np.arange(n) / 32.0
    for tooth, factor in factors.items():
        if not 0 <= int(tooth) < teeth:
            raise ValueError(f"tooth {tooth} of a wheel with {teeth} teeth: they count from 0 to {teeth - 1}")
        if not factor >= 0.0:
            raise ValueError(f"tooth {tooth} has the stiffness factor {factor:g}; it must not be negative")
        away = (x - int(tooth) + 0.5 * teeth) % teeth - 0.5 * teeth
        window = np.where(np.abs(away) < 0.5 * width, 0.5 + 0.5 * np.cos(2.0 * np.pi * away / width), 0.0)
        profile *= 1.0 + (factor - 1.0) * window
    return profile


def sine_profile(periods: int, amplitude: float, phase: float = 0.0) -> np.ndarray:
    """``1 + amplitude sin(2 pi periods turn + phase)`` over one turn, 64 points per period."""
    if periods < 1:
        raise ValueError(f"a profile has at least one period per turn, got {periods}")
    turn = np.arange(64 * periods) / (64 * periods)
    return 1.0 + amplitude * np.sin(2.0 * np.pi * periods * turn + phase)


def elastic_loss(
    stiffness: float,
    damping: float,
    efficiency: tuple[float, float] = (1.0, 1.0),
    table: Sequence[tuple[float, float, float]] = (),
    profiles: tuple[Sequence[float], Sequence[float]] = ((), ()),
) -> Law:
    """Elastic lossy mesh.

    Parameters
    ----------
    stiffness, damping : of the whole mesh along the line of action [N/m], [N s/m]; each half has twice of both
    efficiency : of the mesh where A drives, where B drives, in (0, 1]
    table : (rolling speed [m/s], efficiency A drives, efficiency B drives), rising speeds, instead of ``efficiency``;
        kappa is linear between and constant beyond. The rolling speed is that of the wheels at the line of action,
        |du_A + du_B|/2
    profiles : stiffness and damping over one turn of A and of B, equidistant factors from angle zero on (at least 4),
        joined by a periodic spline; the mesh has the product of both. Empty: 1

    The block has two force rows, ``u_A - u_B`` (positive where the drive flanks are pressed) and ``(u_A + u_B)/2``,
    and with a profile two sense rows, the turns of A and of B. The force of the first row is the normal force, that
    of the second the loss force (positive: opposes forward motion); the dissipated power is the loss force times the
    contact's speed plus the heat of the half dampers.

    Raises ValueError for a stiffness or damping that is not positive (without damping a massless contact point has
    no velocity), efficiencies outside (0, 1], tables that do not rise, profiles that are not positive.
    """
    if not (stiffness > 0.0 and damping > 0.0):
        raise ValueError(
            f"a mesh with its loss at the contact point needs positive stiffness and damping, got {stiffness:g} N/m and "
            f"{damping:g} N s/m: the damping sets the speed of the massless contact point"
        )
    rows = [tuple(map(float, row)) for row in table] or [(0.0, float(efficiency[0]), float(efficiency[1]))]
    for _, *values in rows:
        for eta in values:
            if not 0.0 < eta <= 1.0:
                raise ValueError(f"a mesh efficiency is in (0, 1], got {eta:g}")
    speeds = [row[0] for row in rows]
    if speeds[0] < 0.0 or any(b <= a for a, b in zip(speeds, speeds[1:], strict=False)):
        raise ValueError(f"the speeds of an efficiency table rise from zero or above, got {speeds}")
    header = [2.0 * stiffness, 2.0 * stiffness, 2.0 * damping, 2.0 * damping, float(len(rows))]
    body = [x for speed, one, two in rows for x in (speed, (1.0 - one) / (1.0 + one), (1.0 - two) / (1.0 + two))]
    for samples in profiles:
        cells = _cells(samples)
        header += [float(9 + len(body)), float(len(cells))]
        body += cells.ravel().tolist()

    def energy(d, dv, z, mode):  # type: ignore[no-untyped-def]
        k = 2.0 * stiffness
        for samples, turn in zip(profiles, d[2:], strict=False):
            if len(samples):
                k *= float(_spline(samples)(turn % 1.0))
        return 0.5 * k * ((z[0] - 0.5 * d[0]) ** 2 + (z[0] + 0.5 * d[0]) ** 2)

    return Law(
        force=elastic_loss_force,
        parameters=(*header, *body),
        rows=2,
        senses=2 if any(len(p) for p in profiles) else 0,
        states=(0.0,),
        mean=((stiffness, 0.0), (damping, 0.0)),
        energy=energy,
        label="elastic mesh with loss at the contact point",
        source="S4",
    )


def _spline(samples: Sequence[float]):  # type: ignore[no-untyped-def]
    from scipy.interpolate import CubicSpline

    y = np.asarray(samples, float)
    return CubicSpline(np.arange(len(y) + 1) / len(y), np.append(y, y[0]), bc_type="periodic")


def _cells(samples: Sequence[float]) -> np.ndarray:
    """Cubic cells (cells, 4), local coordinate 0..1, of a periodic profile."""
    n = len(samples)
    if n == 0:
        return np.zeros((0, 4))
    if n < 4:
        raise ValueError(f"a profile over the circumference has at least 4 points, got {n}")
    coefficients = _spline(samples).c[::-1] / (float(n) ** np.arange(4))[:, None]
    fine = sum(coefficients[k][:, None] * np.linspace(0.0, 1.0, 9) ** k for k in range(4))
    if not np.min(fine) > 0.0:
        raise ValueError(
            f"a profile over the circumference must stay positive between its points too; the least is {np.min(fine):g}"
        )
    return np.ascontiguousarray(coefficients.T)
