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

from collections.abc import Sequence

from gearwright.kernels import force
from gearwright.system import Law

from .profile import profile_at, profile_cells, spline

# Sense rows: three that report (speed of the contact, its state, power lost in it), then the turns of the wheels.
_REPORTS = 3


@force
def elastic_loss_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters: k_A, k_B, c_A, c_B, points of the efficiency table, then per wheel: place, cells of its profile.

    p[9..] holds the table in triples (speed, kappa_1, kappa_2), then the cubic cells of the profiles.
    """
    scale = 1.0
    for wheel in range(2):
        cells = int(p[6 + 2 * wheel])
        if cells:
            scale *= profile_at(d[5 + wheel], p, int(p[5 + 2 * wheel]), cells)
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
    lost = (fb - fa) * v
    f[0] = -0.5 * (fa + fb)
    f[1] = fb - fa
    f[2] = v
    f[3] = 1.0 if v > 0.0 else (-1.0 if v < 0.0 else 0.0)
    f[4] = lost
    zd[0] = v - dv[1]
    one = zd[0] - 0.5 * dv[0]
    two = zd[0] + 0.5 * dv[0]
    zd[1] = lost
    zd[2] = ca * one * one + cb * two * two


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

    The block has two force rows, ``u_A - u_B`` (positive where the drive flanks are pressed) and ``(u_A + u_B)/2``.
    The force of the first is the normal force, that of the second the loss force (positive: opposes forward motion).
    Three sense rows report: the speed of the contact [m/s], its state (-1 moves backward, 0 sticks, 1 moves forward)
    and the power lost in it [W]. With a profile two more follow, the turns of A and of B. Two states integrate heat:
    the loss of the contact and that of the half dampers.

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
        cells = profile_cells(samples)
        header += [float(9 + len(body)), float(len(cells))]
        body += cells.ravel().tolist()

    def energy(d, dv, z, mode):  # type: ignore[no-untyped-def]
        k = 2.0 * stiffness
        for samples, turn in zip(profiles, d[2 + _REPORTS :], strict=False):
            if len(samples):
                k *= float(spline(samples)(turn % 1.0))
        return 0.5 * k * ((z[0] - 0.5 * d[0]) ** 2 + (z[0] + 0.5 * d[0]) ** 2)

    return Law(
        force=elastic_loss_force,
        parameters=(*header, *body),
        rows=2,
        senses=_REPORTS + (2 if any(len(p) for p in profiles) else 0),
        states=(0.0, 0.0, 0.0),
        mean=((stiffness, 0.0), (damping, 0.0)),
        energy=energy,
        heat=("friction", "damping"),
        parametric=any(len(p) for p in profiles),
        label="elastic mesh with loss at the contact point",
        source="S4",
    )
