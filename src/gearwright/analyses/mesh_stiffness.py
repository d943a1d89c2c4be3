"""Stiffness of a stage's meshes: over the cycle by finite elements or the fast estimate, or its mean by ISO 6336."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gearwright.errors import DrivetrainError, listed, nearest
from gearwright.geometry.gear import GeometryError
from gearwright.progress import each
from gearwright.stiffness import iso_stiffness
from gearwright.stiffness.curves import over_cycle
from gearwright.stiffness.resolve import METHODS, usual_method
from gearwright.train.teeth import sound_pair
from gearwright.train.train import Mesh

from .base import Analysis, Column, Numbers, Picture, Table
from .gear import stage_meshes
from .picture import Curve


@dataclass(frozen=True, repr=False, eq=False)
class MeshStiffness(Analysis):
    """Stiffness of the meshes of a stage by a ``method``: by mesh the ``mean`` [N/m], and over the cycle ``phase``, ``stiffness``,
    ``share`` of each pair, extremes, and stresses at the operating torque; ``iso6336`` gives the mean and its parts."""

    name: str
    stage: str
    method: str
    unit: str
    meshes: Mapping[str, Numbers]

    @property
    def title(self) -> str:
        """Train, stage and method."""
        return f"{self.name}, {self.stage} ({self.method})"

    def shown(self) -> Iterator[Table | str]:
        """Mean and extremes, sharing, stresses."""
        yield from self._of_the_standard() if self.method == "iso6336" else self._over_the_cycle()

    def _of_the_standard(self) -> Iterator[Table | str]:
        rows = [
            [
                name,
                mesh["mean"],
                *(1e-9 * mesh[k] for k in ("single", "mesh", "mesh_beta")),
                mesh["face_width"],
                mesh["contact_ratio"],
            ]
            for name, mesh in self.meshes.items()
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
        rows, stressed = [], False
        for name, mesh in self.meshes.items():
            loaded = mesh.get("under_load") or {}
            root = loaded.get("largest_root_stress")
            stressed = stressed or root is not None
            rows.append(
                [
                    name,
                    mesh["mean"],
                    mesh.get("highest"),
                    mesh.get("lowest"),
                    mesh["contact_ratio"],
                    _range(mesh["share"]),
                    loaded.get("largest_pressure"),
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
        for name, mesh in self.meshes.items():
            loaded = mesh.get("under_load")
            if loaded is not None:
                what = ", and principal tension along the fillets of first / second wheel" if stressed else ""
                yield (
                    f"{name}: largest stress over the cycle under {1e-3 * loaded['force']:.4g} kN, the operating force: Hertz{what}"
                )
            yield f"{name}: {mesh['half_width_source']}"
            for tooth in mesh["teeth"]:
                fit = tooth["fit"]
                yield (
                    f"{name}, {tooth['gear']}: K = {fit['c0']:.4e} {fit['c1']:+.4e} s^2 [N/m, s in m], "
                    f"residual {100 * fit['residual']:.1f} %"
                )

    def picture(self) -> Picture | str:
        """Stiffness over the mesh cycle."""
        if self.method == "iso6336":
            return "the standard gives a mean stiffness, no course over the cycle"
        curves = [Curve(name, np.asarray(m["phase"]), np.asarray(m["stiffness"])) for name, m in self.meshes.items()]
        return Picture("position in the mesh cycle", "mesh stiffness [N/m]", curves)


def _range(share: Any) -> str:
    """Smallest and largest share of the force on a pair that touches."""
    touching = [float(x) for row in share for x in row if x is not None and float(x) > 0.0]
    return f"{min(touching):.2f} to {max(touching):.2f}" if touching else ""


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


def _iso(mesh: Mesh) -> dict[str, Any]:
    pair = sound_pair(mesh)
    if pair.face_width is None:
        raise GeometryError(f"mesh '{mesh.name}': missing 'face_width'")
    k = iso_stiffness(pair)
    return {
        "mean": k.mesh * pair.face_width,
        "theoretical_single": k.theoretical,
        "single": k.single,
        "mesh": k.mesh,
        "mesh_beta": k.mesh_beta,
        "blank_factor": k.factor_blank,
        "rack_factor": k.factor_rack,
        "virtual_teeth": [z if math.isfinite(z) else None for z in k.virtual_teeth],
        "contact_ratio": pair.contact_ratio,
        "face_width": pair.face_width,
    }
