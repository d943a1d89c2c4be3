"""Stiffness of a tooth by plane-strain finite elements, by its elastic energy.

The tooth with its ring, clamped at the bore, carries a Hertz pressure of half width ``a`` about the flank point at
arc ``s``. Its stiffness is the force by the displacement conjugate to it, ``K = F^2 / U`` with ``U = f.u`` the sum
of strain and stress energy (S0 digest section 7, paper P2). Biquadratic elements on the mesh of
:mod:`.tooth_mesh`; scikit-fem does the assembly and is imported here alone.

Other half widths need no other computation: away from the contact the fields do not depend on how the pressure is
spread, so that the displacement under a Hertz pressure falls by ``2 (1 - nu²)/(pi E) ln(a/a_ref)`` per unit load.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.arrays import Float
from gearwright.geometry.gear import Gear, GeometryError, Steel

from .tooth_mesh import HOLDS, Profile, ToothMesh, profile, tooth_mesh


@dataclass(frozen=True)
class Loaded:
    """A tooth under a unit load per width (1 N/m) at one point.

    Attributes
    ----------
    arc : ``s`` of the load [m]
    half_width : of the pressure [m]
    compliance : displacement conjugate to the load [m per N/m]
    root_stress, root_radius : largest tensile stress along the loaded side's fillet [Pa per N/m], where [m]
    points, cells, displacement, mises : nodes (2, n) [m], quadrilaterals (4, m), displacements (2, n), von Mises
        stress at the nodes [Pa per N/m]
    """

    arc: float
    half_width: float
    compliance: float
    root_stress: float
    root_radius: float
    points: Float
    cells: NDArray[np.int64]
    displacement: Float
    mises: Float


def needs(gear: Gear) -> Steel:
    """The material of a gear; GeometryError naming whatever the elements miss."""
    lacks = []
    if gear.rim is None:
        lacks.append("'outer_diameter' (its rim)" if gear.ring else "'bore'")
    if gear.material is None:
        lacks.append("'material' (young, poisson)")
    if lacks:
        instead = "; method analytic does without" if gear.material is not None else ""
        raise GeometryError(f"{gear.name}: finite elements need {' and '.join(lacks)}{instead}")
    assert gear.material is not None
    return gear.material


def loaded_tooth(
    gear: Gear,
    arc: float,
    half_width: float,
    hold: str = "bore",
    fine: float = 1.0,
    pressure: str = "hertz",
    shape: Profile | None = None,
) -> Loaded:
    """One load position. ``hold``: ``bore``, or the tooth alone clamped at its ``root`` arc or ``root line``;
    ``pressure``: ``hertz`` or ``uniform``; ``fine`` divides the element sizes.

    Raises GeometryError for missing data, or a point off the involute.
    """
    if hold not in HOLDS:
        raise ValueError(f"a tooth is held at its {', '.join(HOLDS)}, not at '{hold}'")
    if hold == "bore":
        steel = needs(gear)
    elif gear.material is None:
        raise GeometryError(f"{gear.name}: finite elements need 'material' (young, poisson)")
    else:
        steel = gear.material
    shape = shape or profile(gear)
    radius = gear.radius(arc)
    rising = slice(None) if not gear.ring else slice(None, None, -1)
    centre = float(np.interp(radius, shape.radius[rising], shape.length[rising]))
    lowest, highest = shape.flank - 1e-6 * gear.module, float(shape.length[-1]) + 1e-6 * gear.module
    if not lowest <= centre <= highest or not _inside(gear, radius):
        raise GeometryError(f"{gear.name}: a radius of {1e3 * radius:.5g} mm is not on its involute flank")
    centre = min(max(centre, half_width), float(shape.length[-1]) - 1.001 * half_width)
    made = tooth_mesh(gear, shape, centre, half_width, hold, fine)
    return _solve(gear, steel, made, shape, arc, centre, half_width, pressure)


def _inside(gear: Gear, radius: float) -> bool:
    low, high = sorted((gear.tip_radius, gear.root_radius))
    return low * (1 - 1e-9) <= radius <= high * (1 + 1e-9)


def _solve(
    gear: Gear, steel: Steel, made: ToothMesh, shape: Profile, arc: float, centre: float, a: float, pressure: str
) -> Loaded:
    from scipy.sparse.linalg import splu
    from skfem import Basis, ElementQuad2, ElementVector, MeshQuad
    from skfem.models.elasticity import lame_parameters

    scale = gear.module  # lengths in modules and E = 1: the numbers of the sparse solve stay near one
    mesh = MeshQuad(made.points / scale, made.cells, validate=False)
    lam, mu = lame_parameters(1.0, steel.poisson)
    basis = Basis(mesh, ElementVector(ElementQuad2()), intorder=4)

    stiff = _stiffness(basis, lam, mu)
    force = _load(basis, mesh, made, centre, a, pressure, scale)
    fixed = np.isin(np.arange(mesh.p.shape[1]), made.held)
    inside = _edge_dofs(basis, mesh, fixed)
    free = np.setdiff1d(np.arange(stiff.shape[0]), inside)
    u = np.zeros(stiff.shape[0])
    matrix = stiff[free][:, free].tocsc()
    u[free] = splu(matrix, permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True}, diag_pivot_thresh=0.0).solve(
        force[free]
    )
    compliance = float(force @ u) / steel.young
    # stresses at the corners of the elements, averaged at the nodes
    corner = Basis(
        mesh,
        ElementVector(ElementQuad2()),
        quadrature=(np.array([[0.0, 1.0, 1.0, 0.0], [0.0, 0.0, 1.0, 1.0]]), np.ones(4)),
    )
    g = corner.interpolate(u).grad
    exx, eyy, exy = g[0, 0], g[1, 1], 0.5 * (g[0, 1] + g[1, 0])
    sxx, syy, sxy = lam * (exx + eyy) + 2 * mu * exx, lam * (exx + eyy) + 2 * mu * eyy, 2 * mu * exy
    count = np.bincount(mesh.t.T.ravel(), minlength=mesh.p.shape[1])
    nodal = [np.bincount(mesh.t.T.ravel(), s.ravel(), mesh.p.shape[1]) / count / scale for s in (sxx, syy, sxy)]
    x, y, xy = nodal
    z = steel.poisson * (x + y)
    mises = np.sqrt(0.5 * ((x - y) ** 2 + (y - z) ** 2 + (z - x) ** 2) + 3.0 * xy**2)
    here = made.points[:, made.flank[int(np.argmin(np.abs(made.length - centre)))]]
    away = np.hypot(*(made.points[:, made.fillet] - here[:, None]))
    # the tension beside the contact itself is not a root stress
    at = made.fillet[away > min(max(0.2 * gear.module, 4.0 * a), 0.6 * away.max())]
    principal = 0.5 * (x + y)[at] + np.hypot(0.5 * (x - y)[at], xy[at])
    worst = int(np.argmax(principal))
    displacement = u[basis.nodal_dofs] / steel.young
    return Loaded(
        arc,
        a,
        compliance,
        float(principal[worst]),
        float(np.hypot(*made.points[:, at[worst]])),
        made.points,
        made.cells,
        displacement,
        mises,
    )


def _stiffness(basis: Any, lam: float, mu: float) -> Any:
    """Stiffness matrix: all elements' B'DB by one product (a form called per pair of functions takes ten times as
    long)."""
    from scipy.sparse import coo_matrix

    grad = np.array([basis.basis[i][0].grad for i in range(basis.Nbfun)])  # (function, component, axis, cell, point)
    strain = np.array([grad[:, 0, 0], grad[:, 1, 1], grad[:, 0, 1] + grad[:, 1, 0]])
    law = np.array([[lam + 2.0 * mu, lam, 0.0], [lam, lam + 2.0 * mu, 0.0], [0.0, 0.0, mu]])
    root = np.linalg.cholesky(law).T
    b = np.einsum("ab,bicq,cq->cqai", root, strain, np.sqrt(np.broadcast_to(basis.dx, strain.shape[2:])), optimize=True)
    b = b.reshape(b.shape[0], -1, basis.Nbfun)
    blocks = b.transpose(0, 2, 1) @ b
    dofs = basis.element_dofs.T
    rows = np.repeat(dofs, basis.Nbfun, axis=1).ravel()
    columns = np.tile(dofs, (1, basis.Nbfun)).ravel()
    return coo_matrix((blocks.ravel(), (rows, columns)), shape=(basis.N, basis.N)).tocsr()


def _load(basis: Any, mesh: Any, made: ToothMesh, centre: float, a: float, pressure: str, scale: float) -> Float:
    """Consistent nodal forces of a unit load pressing on the loaded flank."""
    nodes, length = made.flank, made.length
    at, weight = np.polynomial.legendre.leggauss(12)
    at, weight = 0.5 * (at + 1.0), 0.5 * weight
    t = length[:-1, None] + np.diff(length)[:, None] * at
    x = (t - centre) / a
    p = np.sqrt(np.maximum(1.0 - x**2, 0.0)) if pressure == "hertz" else 1.0 * (np.abs(x) <= 1.0)
    edge = np.diff(mesh.p[:, nodes], axis=1)
    shapes = np.array([(1.0 - at) * (1.0 - 2.0 * at), at * (2.0 * at - 1.0), 4.0 * at * (1.0 - at)])
    share = np.einsum("eq,q,kq->ke", p, weight, shapes)
    normal = np.array([edge[1], -edge[0]])  # times the edge's length
    normal *= np.where(normal[0] < 0.0, -1.0, 1.0)  # outwards of the loaded side
    force = np.zeros(basis.N)
    middles = _edge(mesh, nodes)
    for axis in (0, 1):
        np.add.at(force, basis.nodal_dofs[axis, nodes[:-1]], -share[0] * normal[axis])
        np.add.at(force, basis.nodal_dofs[axis, nodes[1:]], -share[1] * normal[axis])
        np.add.at(force, basis.facet_dofs[axis, middles], -share[2] * normal[axis])
    total = np.einsum("ke,ae->a", share, normal)
    return np.asarray(force / np.hypot(*total))


def _edge(mesh: Any, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Facets along a chain of nodes."""
    pairs = np.sort(np.array([nodes[:-1], nodes[1:]]), axis=0)
    key = mesh.facets[0].astype(np.int64) * mesh.p.shape[1] + mesh.facets[1]
    order = np.argsort(key)
    wanted = pairs[0] * mesh.p.shape[1] + pairs[1]
    return np.asarray(order[np.searchsorted(key[order], wanted)])


def _edge_dofs(basis: Any, mesh: Any, held: NDArray[np.bool_]) -> NDArray[np.int64]:
    facets = np.nonzero(held[mesh.facets].all(axis=0))[0]
    facets = np.intersect1d(facets, mesh.boundary_facets())
    return np.concatenate([basis.nodal_dofs[:, held].ravel(), basis.facet_dofs[:, facets].ravel()])


def compliances(gear: Gear, arcs: Float, half_width: float, fine: float = 1.0) -> tuple[Float, Float]:
    """Compliance [m per N/m] and largest fillet stress [Pa per N/m] of a tooth at each arc."""
    shape = profile(gear)
    found = [loaded_tooth(gear, float(s), half_width, fine=fine, shape=shape) for s in arcs]
    return np.array([f.compliance for f in found]), np.array([f.root_stress for f in found])


def shift_of_width(steel: Steel, half_width: Any, reference: float) -> Any:
    """Change of the compliance [m per N/m] from a reference half width to another."""
    return -2.0 * steel.plane / math.pi * np.log(np.asarray(half_width) / reference)
