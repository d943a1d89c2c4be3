"""Meshes of a member that floats between its planets, its translation condensed out (torsional fidelity).

A free sun without mass moves until the forces on it balance: with the directions ``n_i`` of the loaded lines
of action, ``sum F_i n_i = 0``. Eliminating its two translations x from ``F_i = k_i (d_i + n_i . x)`` gives

    F = k d - k n (sum k n n^T)^-1 sum k n d

so three planets carry the same force whatever their stiffnesses: together ``9 / sum(1/k_i)``. Stiffness goes in levels, or
smoothly over the phase, and then this holds at every instant. Damping acts on the rows as they are.
Source: physics notes 9 and 16.
"""

from collections.abc import Sequence

import numpy as np

from gearwright.kernels import START, force, guard
from gearwright.kernels.places import cell_of, whole_of
from gearwright.system import Law


@force
def floating_smooth_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters: planets, damping, cells; n_y, n_z per planet; then per cell four coefficients of every planet's stiffness."""
    n, cells = int(p[0]), p[2]
    x = d[n] - np.floor(d[n])
    x *= cells
    cell = cell_of(np.floor(x), cells)
    x -= cell
    base = 3 + 2 * n + 4 * n * cell
    a, b, c, g, h = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(n):
        o = base + 4 * i
        k = p[o] + x * (p[o + 1] + x * (p[o + 2] + x * p[o + 3]))
        ny, nz = p[3 + 2 * i], p[4 + 2 * i]
        f[i] = k
        a += k * ny * ny
        b += k * ny * nz
        c += k * nz * nz
        g += k * ny * d[i]
        h += k * nz * d[i]
    det = a * c - b * b
    across = -(c * g - b * h) / det
    along = -(a * h - b * g) / det
    for i in range(n):
        f[i] = f[i] * (d[i] + p[3 + 2 * i] * across + p[4 + 2 * i] * along) + p[1] * dv[i]


@force
def floating_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters: planets, damping, segments, edges.., then per segment and planet k, then n_y, n_z per planet."""
    n = int(p[0])
    segments = int(p[2])
    base = 3 + segments + n * int(mode % segments)
    direction = 3 + segments + n * segments
    a, b, c, g, h = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(n):
        k, ny, nz = p[base + i], p[direction + 2 * i], p[direction + 2 * i + 1]
        a += k * ny * ny
        b += k * ny * nz
        c += k * nz * nz
        g += k * ny * d[i]
        h += k * nz * d[i]
    det = a * c - b * b
    y = -(c * g - b * h) / det
    x = -(a * h - b * g) / det
    for i in range(n):
        f[i] = p[base + i] * (d[i] + p[direction + 2 * i] * y + p[direction + 2 * i + 1] * x) + p[1] * dv[i]


@guard
def floating_guard(t, d, dv, p, z, s, mode, g):  # type: ignore[no-untyped-def]
    """Mode counts the pieces of the unbounded phase that all meshes of the member share."""
    n = int(p[0])
    segments = int(p[2])
    phase, rate = d[n], dv[n]
    g[0] = 1.0
    g[1] = 0.0
    if mode == START:
        cycle = whole_of(phase - p[3])
        j = segments - 1
        while j > 0 and phase - cycle < p[3 + j]:
            j -= 1
        return cycle * segments + j
    if segments == 1:
        return mode
    j = mode % segments
    cycle_of = mode // segments
    low = cycle_of + p[3 + j]
    high = cycle_of + (p[3 + j + 1] if j + 1 < segments else p[3] + 1.0)
    if rate >= 0.0:
        g[0] = high - phase
        g[1] = -rate
        return mode + 1
    g[0] = phase - low
    g[1] = rate
    return mode - 1


def floating(edges: list[float], stiffness: np.ndarray, damping: float, directions: np.ndarray) -> Law:
    """All meshes of one floating member.

    Parameters
    ----------
    edges : (segments,) ascending fractions of the shared cycle at which some mesh changes its stiffness
    stiffness : (segments, planets) [N/m]
    damping : per mesh [N s/m]
    directions : (planets, 2) unit vectors of the lines of action on the member

    Rows: the planets' drive rows without the member's translation; one sense row: its mesh phase. Raises
    ValueError if the directions do not span the plane (fewer than two of them).
    """
    segments, n = stiffness.shape
    if n < 2 or abs(np.linalg.det(directions.T @ directions)) < 1e-9:
        raise ValueError("a floating member needs meshes in at least two directions")

    def energy(d, dv, z, mode):  # type: ignore[no-untyped-def]
        k = stiffness[int(mode) % segments]
        kn = k[:, None] * directions
        q = np.asarray(d[:n])
        return 0.5 * float(q @ (np.diag(k) - kn @ np.linalg.solve(directions.T @ kn, kn.T)) @ q)

    return Law(
        force=floating_force,
        guard=floating_guard if segments > 1 else None,
        parameters=(
            float(n),
            damping,
            float(segments),
            *edges,
            *stiffness.ravel().tolist(),
            *directions.ravel().tolist(),
        ),
        rows=n,
        senses=1,
        damping=(damping,) * n,
        energy=energy,
        corners=tuple(edges) if segments > 1 else (),
        period=1.0 if segments > 1 else 0.0,
        label="floating member",
        source="physics notes 9",
    )


def floating_smooth(stiffness: Sequence[np.ndarray], damping: float, directions: np.ndarray) -> Law:
    """All meshes of one floating member whose stiffness varies smoothly over the cycle.

    Parameters
    ----------
    stiffness : per planet (points,) values over the cycle that all share, beginning at zero [N/m]
    damping : per mesh [N s/m]
    directions : (planets, 2) unit vectors of the lines of action on the member

    Rows and sense as of :func:`floating`. Raises ValueError for directions that do not span the plane.
    """
    from scipy.interpolate import CubicSpline

    n, points = len(stiffness), len(stiffness[0])
    if n < 2 or abs(np.linalg.det(directions.T @ directions)) < 1e-9:
        raise ValueError("a floating member needs meshes in at least two directions")
    splines = [CubicSpline(np.arange(points + 1) / points, np.append(k, k[0]), bc_type="periodic") for k in stiffness]
    # coefficients over the local coordinate 0..1, ascending: (cells, planets, 4)
    cells = np.stack([s.c[::-1].T / float(points) ** np.arange(4) for s in splines], axis=1)
    mean = np.mean(stiffness, axis=1)

    def condensed(k: np.ndarray) -> np.ndarray:
        kn = k[:, None] * directions
        return np.asarray(np.diag(k) - kn @ np.linalg.solve(directions.T @ kn, kn.T))

    def energy(d, dv, z, mode):  # type: ignore[no-untyped-def]
        q = np.asarray(d[:n])
        k = np.array([float(s(d[n] % 1.0)) for s in splines])
        return 0.5 * float(q @ condensed(k) @ q)

    def tangent(d):  # type: ignore[no-untyped-def]
        return condensed(mean), damping * np.eye(n)

    return Law(
        force=floating_smooth_force,
        parameters=(float(n), damping, float(points), *directions.ravel().tolist(), *cells.ravel().tolist()),
        rows=n,
        senses=1,
        damping=(damping,) * n,
        energy=energy,
        places=points,
        smooth=True,
        tangent=tangent,
        label="floating member",
        source="physics notes 9",
    )
