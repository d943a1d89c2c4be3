"""A mesh whose place travels around an elastic ring: a planet that turns in a ring of finite elements that stands.

    d = d_0 + sum h(x - x_j) g_j,     F = k(phase) d + c d'

``d_0`` is what the planet brings, ``g_j`` what the mesh would feel of the ring if it stood at node ``j`` (at angle
``x_j = 2 pi j / N``). Between the nodes the trigonometric polynomial through all of them holds, whose cardinal function is

    h(x) = sin(N x/2) / (N tan(x/2))  (N even),     sin(N x/2) / (N sin(x/2))  (N odd)

It reproduces rigid motions and every shape below N/2 waves, and the sum of all ``h`` is one. Every row carries ``F`` times
the change of ``d`` with it: a node its share ``h``, the angle ``F dd/dx``, so nothing is lost or won on the way round.
Source: A. Zygmund, Trigonometric Series, chapter X (interpolating polynomials); virtual work.
"""

import math
from collections.abc import Sequence

import numpy as np

from gearwright.kernels import START, force, fused, guard
from gearwright.kernels.places import cell_of, whole_of, within_cells
from gearwright.system import Law

from .mesh_cycle import mesh_cycle

# Parameters: those of mesh_cycle with 0: number of nodes, 2: angle of the mesh from node 1 where the angle row is zero [rad];
# 3: number of segments, 6...: their start, width, cells, offset of the curve


@fused
def share(n, x):  # type: ignore[no-untyped-def]
    """Cardinal function ``h`` of ``n`` nodes at angle ``x`` from its node, and ``dh/dx``."""
    u = 0.5 * (x - 2.0 * math.pi * np.floor(x / (2.0 * math.pi) + 0.5))
    even = 2.0 * np.floor(0.5 * n) == n
    if abs(u) * n < 1e-4:
        bend = (n * n + 2.0 if even else n * n - 1.0) / 6.0
        return 1.0 - bend * u * u, -bend * u
    s, c = math.sin(u), math.cos(u)
    wave, slope = math.sin(n * u) / n, math.cos(n * u)
    if even:
        return wave * c / s, 0.5 * (slope * c - wave / s) / s
    return wave / s, 0.5 * (slope - wave * c / s) / s


@force
def ring_mesh_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Rows: the planet's part, the nodes, the angle [rad]; sense: mesh phase, where the stiffness varies."""
    n = int(p[0])
    pitch = 2.0 * math.pi / n
    x = p[2] + d[n + 1]
    deflection, slope, rate = d[0], 0.0, dv[0]
    for j in range(n):
        h, dh = share(p[0], x - j * pitch)
        deflection += h * d[1 + j]
        slope += dh * d[1 + j]
        rate += h * dv[1 + j]
    rate += slope * dv[n + 1]
    segments = int(p[3])
    b, at = 6, 0.0
    if segments > 1:
        whole = np.floor((mode + 0.5) / segments)
        b += 5 * cell_of(mode - whole * segments, segments)
        at = d[n + 2] - whole - p[b]
    elif p[b + 2] > 1.0:
        at = d[n + 2] - p[b]
        at -= np.floor(at)
    at *= p[b + 2] / p[b + 1]
    cell = within_cells(np.floor(at), p[b + 2])
    at -= cell
    i = int(p[b + 3] + 4.0 * cell)
    total = (p[i] + at * (p[i + 1] + at * (p[i + 2] + at * p[i + 3]))) * deflection + p[1] * rate
    f[0], f[n + 1] = total, total * slope
    for j in range(n):
        h, dh = share(p[0], x - j * pitch)
        f[1 + j] = total * h


@guard
def ring_mesh_guard(t, d, dv, p, z, s, mode, g):  # type: ignore[no-untyped-def]
    """Mode: piece of the unbounded phase; the margin is the phase left in it [cycles]."""
    n, segments = int(p[0]), int(p[3])
    phase, rate = d[n + 2], dv[n + 2]
    if mode == START:
        cycle = whole_of(phase - p[6])
        j = segments - 1
        while j > 0 and phase - cycle < p[6 + 5 * j]:
            j -= 1
        return cycle * segments + j
    b = 6 + 5 * (mode % segments)
    low = mode // segments + p[b]
    if rate >= 0.0:
        g[0] = low + p[b + 1] - phase
        g[1] = -rate
        return mode + 1
    g[0] = phase - low
    g[1] = rate
    return mode - 1


def ring_mesh(
    curve: list[tuple[float, float, np.ndarray]], damping: float, nodes: int, first: float, phased: bool
) -> Law:
    """A mesh on an elastic ring.

    Parameters
    ----------
    curve : stiffness over the mesh cycle, made by the functions of ``mesh_cycle`` [N/m over cycles]
    damping : constant, along the line of action [N s/m]
    nodes : number of nodes, evenly spaced in the sense of the angle
    first : angle of the mesh from node 1 where the angle row is zero [rad]
    phased : whether a sense row, the mesh phase, follows; without it the stiffness is constant

    ``nodes + 2`` force rows: the planet's part, the nodes, the angle of the planet's frame seen from the ring's. No diagonal
    mean: linear analyses take the planet where it stands. Raises ValueError for fewer than three nodes and for a
    stiffness that is not positive.
    """
    if nodes < 3:
        raise ValueError(f"a ring needs at least three nodes, got {nodes}")
    plain = mesh_cycle(curve, damping)
    p = list(plain.parameters)
    p[0], p[2] = float(nodes), first

    def energy(d, dv, z, mode):  # type: ignore[no-untyped-def]
        deflection = d[0] + cardinal(nodes, angles + d[nodes + 1]) @ d[1 : nodes + 1]
        assert plain.energy is not None
        phase = d[nodes + 2] if phased else 0.5
        return plain.energy([deflection, phase], [0.0, 0.0], z, mode if mode == START else mode << 2)

    mean = plain.mean[0][0] if plain.mean else 0.0
    angles = first - 2.0 * math.pi * np.arange(nodes) / nodes

    def tangent(d):  # type: ignore[no-untyped-def]
        way = np.concatenate([[1.0], cardinal(nodes, angles + d[nodes + 1]), [0.0]])
        way[-1] = cardinal(nodes, angles + d[nodes + 1], 1) @ d[1 : nodes + 1]
        return mean * np.outer(way, way), damping * np.outer(way, way)

    segments = int(p[3])
    if not phased and (segments > 1 or len(curve[0][2]) > 1):
        raise ValueError("a stiffness that varies over the mesh cycle needs the phase")
    return Law(
        force=ring_mesh_force,
        guard=ring_mesh_guard if segments > 1 else None,
        parameters=tuple(p),
        rows=nodes + 2,
        senses=1 if phased else 0,
        energy=energy,
        corners=plain.corners,
        places=plain.places,
        smooth=segments == 1,
        holds=(True, *[False] * (nodes + 1)),
        tangent=tangent,
        label="mesh that travels around an elastic ring",
        source="virtual work; Zygmund, Trigonometric Series, chapter X",
    )


def cardinal(nodes: int, x: Sequence[float] | np.ndarray, derivative: int = 0) -> np.ndarray:
    """Cardinal functions at angles ``x`` [rad] from their nodes, as a sum of waves, or their first derivative."""
    waves = np.arange(nodes // 2 + 1)[:, None]
    weight = np.where((waves == 0) | (2 * waves == nodes), 1.0, 2.0) / nodes
    angle = waves * np.asarray(x, float)
    return (weight * (-waves * np.sin(angle) if derivative else np.cos(angle))).sum(axis=0)
