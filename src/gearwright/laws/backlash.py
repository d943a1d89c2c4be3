"""Constant mesh stiffness on two flanks with a gap between them.

    F_drive = max(0, k d + c dv)  for d > 0,      F_coast = max(0, k (d' - j) + c dv')  for d' > j

with ``d`` and ``d'`` the deflections of the drive and coast rows and ``j`` the normal backlash. Where a gap
exists a flank never pulls (decisions: damping). Source: physics notes 5 and 6; LIT 5.4 caps its damping in
another way, which :mod:`gearwright.laws.play` reproduces.
"""

from gearwright.kernels import START, force, guard
from gearwright.system import Law, Pieces


@force
def backlash_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters: k, c, backlash j. Mode bit 0: drive flank touches; bit 1: coast flank touches."""
    f[0] = p[0] * d[0] + p[1] * dv[0] if mode & 1 else 0.0
    f[1] = p[0] * (d[1] - p[2]) + p[1] * dv[1] if mode & 2 else 0.0


@guard
def backlash_guard(t, d, dv, p, z, s, mode, g):  # type: ignore[no-untyped-def]
    """Margin: distance to contact of a free flank, force over stiffness of a touching one."""
    if mode == START:
        return (1 if d[0] > 0.0 else 0) + (2 if d[1] > p[2] else 0)
    drive = d[0] + p[1] / p[0] * dv[0] if mode & 1 else -d[0]
    coast = d[1] - p[2] + p[1] / p[0] * dv[1] if mode & 2 else p[2] - d[1]
    if drive <= coast:
        g[0] = drive
        g[1] = dv[0] if mode & 1 else -dv[0]
        return mode ^ 1
    g[0] = coast
    g[1] = dv[1] if mode & 2 else -dv[1]
    return mode ^ 2


def backlash(stiffness: float, damping: float, gap: float) -> Law:
    """Two flanks with a normal backlash ``gap`` [m] between them, ``stiffness`` [N/m], ``damping`` [N s/m].

    Two force rows: drive and coast flank. Raises ValueError for a stiffness that is not positive, negative
    damping or a negative gap.
    """
    if not (stiffness > 0 and damping >= 0 and gap >= 0):
        raise ValueError(f"backlash needs a positive stiffness, got {stiffness:g}, {damping:g}, gap {gap:g}")

    def energy(d, dv, z, mode):  # type: ignore[no-untyped-def]
        return 0.5 * stiffness * (max(d[0], 0.0) ** 2 + max(d[1] - gap, 0.0) ** 2)

    return Law(
        force=backlash_force,
        guard=backlash_guard,
        parameters=(stiffness, damping, gap),
        rows=2,
        mean=((stiffness, 0.0), (damping, 0.0)),
        pieces=Pieces((), ((stiffness,), (stiffness,)), (damping, damping), (0.0, gap)),
        energy=energy,
        label="mesh with backlash",
        source="physics notes 5, 6",
    )
