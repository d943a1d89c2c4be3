"""Stiffness of a stage's meshes: over the cycle by finite elements or the fast estimate, or its mean by ISO 6336."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.errors import DrivetrainError, listed, nearest
from gearwright.figures.format import alike
from gearwright.geometry.gear import GeometryError
from gearwright.progress import each
from gearwright.stiffness import iso_stiffness
from gearwright.stiffness.curves import MeshCurve, over_cycle
from gearwright.stiffness.resolve import METHODS, usual_method
from gearwright.train.teeth import sound_pair
from gearwright.train.train import Mesh

from .base import Analysis, Column, Picture, Table
from .gear import stage_meshes
from .picture import Curve


@dataclass(frozen=True)
class IsoMesh:
    """Mean stiffness of a mesh [N/m] by ISO 6336-1, method B, and its parts, as
    :class:`gearwright.stiffness.iso6336.IsoStiffness` has them."""

    mean: float
    theoretical_single: float
    single: float
    mesh: float
    mesh_beta: float
    blank_factor: float
    rack_factor: float
    virtual_teeth: tuple[float, float]
    contact_ratio: float
    face_width: float


@dataclass(frozen=True, repr=False, eq=False)
class MeshStiffness(Analysis):
    """Stiffness of the meshes of a stage by a ``method``: by mesh the ``mean`` [N/m], and over the cycle ``phase``, ``stiffness``,
    ``share`` of each pair, extremes, and stresses at the operating torque; ``iso6336`` gives the mean and its parts."""

    name: str
    stage: str
    method: str
    unit: str
    meshes: Mapping[str, MeshCurve | IsoMesh]

    @property
    def title(self) -> str:
        """Train, stage and method."""
        return f"{self.name}, {self.stage} ({self.method})"

    def shown(self) -> Iterator[Table | str]:
        """Mean and extremes, sharing, stresses."""
        yield from self._of_the_standard() if self.method == "iso6336" else self._over_the_cycle()

    def _of_the_standard(self) -> Iterator[Table | str]:
        rows = [
            [name, k.mean, 1e-9 * k.single, 1e-9 * k.mesh, 1e-9 * k.mesh_beta, k.face_width, k.contact_ratio]
            for name, k in self.meshes.items()
            if isinstance(k, IsoMesh)
        ]
        columns = [
            "mesh",
            Column("mean", "N/m", 5),
            *(Column(k, "", 5) for k in ("c' N/(mm um)", "c_gamma_alpha", "c_gamma_beta")),
            Column("face width", "mm", 5),
            Column("contact ratio", "", 5),
        ]
        yield Table(f"Mesh stiffness of {self.stage} (ISO 6336-1, method B)", columns, rows)
        yield "mean: c_gamma_alpha times the face width; the standard has no course over the cycle and ignores the load"

    def _over_the_cycle(self) -> Iterator[Table | str]:
        curves = {name: mesh for name, mesh in self.meshes.items() if isinstance(mesh, MeshCurve)}
        rows, stressed = [], False
        for name, mesh in curves.items():
            loaded = mesh.under_load
            root = loaded.largest_root_stress if loaded else None
            stressed = stressed or root is not None
            rows.append(
                [
                    name,
                    mesh.mean,
                    mesh.highest,
                    mesh.lowest,
                    mesh.contact_ratio,
                    _range(mesh.share),
                    loaded.largest_pressure if loaded else None,
                    *([] if root is None else [" / ".join(f"{1e-6 * float(r):.4g}" for r in root)]),
                ]
            )
        columns = [
            "mesh",
            *(Column(k, u, 5) for k, u in (("mean", "N/m"), ("highest", ""), ("lowest", ""), ("contact ratio", ""))),
            "share of one pair",
            Column("Hertz", "MPa"),
            *["root MPa"] * stressed,
        ]
        yield Table(f"Mesh stiffness of {self.stage} ({self.method})", columns, rows)
        for name, mesh in curves.items():
            if loaded := mesh.under_load:
                what = ", and principal tension along the fillets of first / second wheel" if stressed else ""
                yield (
                    f"{name}: largest stress over the cycle under {1e-3 * loaded.force:.4g} kN, the operating force: Hertz{what}"
                )
            yield f"{name}: {mesh.half_width_source}"
            for tooth in mesh.teeth:
                fit = tooth.fit
                yield (
                    f"{name}, {tooth.gear}: K = {fit.c0:.4e} {fit.c1:+.4e} s^2 [N/m, s in m], "
                    f"residual {100 * fit.residual:.1f} %"
                )

    def picture(self) -> Picture | str:
        """Stiffness over the mesh cycle."""
        curves = [Curve(name, m.phase, m.stiffness) for name, m in self.meshes.items() if isinstance(m, MeshCurve)]
        if not curves:
            return "the standard gives a mean stiffness, no course over the cycle"
        return Picture("position in the mesh cycle", "mesh stiffness [N/m]", curves)


def _range(share: NDArray[np.float64]) -> str:
    """Smallest and largest share of the force on a pair that touches."""
    touching = share[share > 0.0]
    return f"{touching.min():.2f} to {touching.max():.2f}" if len(touching) else ""


def mesh_stiffness(
    drivetrain: Any, stage: str | None = None, *, method: str | None = None, overrides: Sequence[str] = ()
) -> MeshStiffness:
    """Stiffness of a stage's meshes.

    Parameters
    ----------
    drivetrain : a Drivetrain, a path or the name of an example
    stage : needed where there are several
    method : ``fe``, ``analytic``, or ``iso6336``; None: ``fe``, or ``analytic`` for gears without a bore or outer diameter

    Raises DrivetrainError or GeometryError.
    """
    if method is not None and method not in METHODS:
        meant = nearest(method, METHODS)
        raise DrivetrainError(
            f"there is no method '{method}': {listed(METHODS)}." + (f" Did you mean '{meant}'?" if meant else "")
        )
    train, meshes = stage_meshes(drivetrain, stage, overrides)
    remarks: list[str] = []
    method = method or usual_method(meshes, remarks)
    found = {m.name: (_iso(m) if method == "iso6336" else over_cycle(m, train, method)) for m in each("mesh", meshes)}
    return MeshStiffness(train.name, str(meshes[0].stage), method, "N/m, Pa, N, m", found, remarks=remarks)


def _iso(mesh: Mesh) -> IsoMesh:
    pair = sound_pair(mesh)
    if pair.face_width is None:
        raise GeometryError(f"mesh '{mesh.name}': missing 'face_width'")
    k = iso_stiffness(pair)
    return alike(
        IsoMesh,
        k,
        pair,
        mean=k.mesh * pair.face_width,
        theoretical_single=k.theoretical,
        blank_factor=k.factor_blank,
        rack_factor=k.factor_rack,
    )
