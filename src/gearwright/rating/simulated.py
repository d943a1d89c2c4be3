"""What a run says where ISO 6336 has K_v, K_gamma and K_Hbeta."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gearwright.results import Result
from gearwright.results.planet_sharing import planet_sharing
from gearwright.results.section_loads import face_load_factor
from gearwright.results.store import STATISTICS
from gearwright.train.kinematics import planet_groups
from gearwright.train.train import Mesh, Train

Float = NDArray[np.float64]

#: laws without mesh dynamics: their mesh forces hold no load that the teeth make
WITHOUT_DYNAMICS = ("linear", "rigid")


@dataclass(frozen=True)
class Simulated:
    """Factors of the meshes of a run by name.

    ``dynamic``: largest force over the largest mean of a mesh cycle, for laws with mesh dynamics; ``sharing``: largest share of a planet, in
    the mean or per carrier turn; ``face``: largest over mean load along the face, of mean force and mean moment. ``laws`` of the meshes.
    """

    laws: Mapping[str, str]
    fidelity: str
    dynamic: Mapping[str, float]
    sharing: Mapping[str, float]
    face: Mapping[str, float]
    means: Mapping[str, float]

    @property
    def level(self) -> float:
        """Largest mean force [N] of a mesh, by which the run that stands for a campaign is chosen."""
        return max(self.means.values(), default=0.0)

    def has_dynamics(self, mesh: str) -> bool:
        """Whether the law of a mesh makes dynamic loads."""
        return self.laws.get(mesh, "linear") not in WITHOUT_DYNAMICS


#: a record of which nothing but its loads is known
NOTHING = Simulated({}, "", {}, {}, {}, {})


def simulated(result: Result, train: Train) -> Simulated:
    """The factors that an opened result holds."""
    law, fidelity = str(result.attributes.get("law", "linear")), str(result.attributes.get("fidelity", ""))
    names = result.elements("mesh") if "mesh" in result.quantities else ()
    laws = {name: (train.meshes[name].law or law) for name in names if name in train.meshes}
    stored = result.file.variables
    discard = float(result.attributes.get("discard_s", 0.0))
    keep = result.time > discard + 1e-9 if "time" in stored else np.zeros(0, bool)
    dynamic: dict[str, float] = {}
    forces: dict[str, Float] = {}
    for i, name in enumerate(names):
        if name not in laws or "mesh_force" not in stored or not keep.any():
            continue
        forces[name] = np.asarray(result.values("mesh_force", i), float)[keep]
        if laws[name] in WITHOUT_DYNAMICS:
            continue
        row = result.values("mesh_force_statistic")[i]
        peak = max(abs(float(row[STATISTICS.index(which)])) for which in ("minimum", "maximum"))
        level = _largest_mean(forces[name], _cycle(train, train.meshes[name]) / result.interval)
        if math.isfinite(peak) and level > 0.0:
            dynamic[name] = max(peak / level, 1.0)
    means = {name: float(np.abs(f).mean()) for name, f in forces.items()}
    return Simulated(
        laws, fidelity, dynamic, _sharing(result, train, forces, discard), _faces(result, train, law), means
    )


def _cycle(train: Train, mesh: Mesh) -> float:
    """Time of a mesh cycle [s] at the operating point, 0 where it is not known."""
    if mesh.teeth is None:
        return 0.0
    carrier = train.ratios.get(mesh.on, 0.0) if mesh.on is not None else 0.0
    turns = abs((train.speed or 0.0) * (train.ratios.get(mesh.between[0], 0.0) - carrier)) / (2.0 * math.pi)
    return 1.0 / (turns * mesh.teeth[0]) if turns > 0.0 else 0.0


def _largest_mean(series: Float, samples: float) -> float:
    """Largest magnitude of the running mean over a mesh cycle of so many samples (one at least)."""
    n = min(max(round(samples), 1), len(series))
    sums = np.concatenate([[0.0], np.cumsum(series)])
    return float(np.abs(sums[n:] - sums[:-n]).max(initial=0.0) / n)


def _sharing(result: Result, train: Train, meshes: Iterable[str], discard: float) -> dict[str, float]:
    """Largest share of a planet, in the mean or per carrier turn, for all meshes on a carrier whose planets share a load."""
    groups = planet_groups(train)
    largest: dict[str, float] = {}
    for name, shares in planet_sharing(result, train, discard).items():
        carrier = groups[name][0]
        largest[carrier] = max(largest.get(carrier, 1.0), shares.largest_mean, shares.per_turn or 1.0)
    carriers = {name: train.meshes[name].on for name in meshes}
    return {name: largest[on] for name, on in carriers.items() if on is not None and on in largest}


def _faces(result: Result, train: Train, law: str) -> dict[str, float]:
    """K_Hbeta of every mesh whose force has a moment along the face and whose face width is known."""
    if "mesh_face_moment_statistic" not in result.file.variables or "mesh_force_statistic" not in result.file.variables:
        return {}
    mean = STATISTICS.index("mean")
    force, moment = result.values("mesh_force_statistic"), result.values("mesh_face_moment_statistic")
    slices = train.model.face_slices or 2
    found: dict[str, float] = {}
    for i, name in enumerate(result.elements("mesh")):
        mesh = train.meshes.get(name)
        if mesh is None or mesh.face_width is None or not np.isfinite([force[i][mean], moment[i][mean]]).all():
            continue
        lifts = lifts_off(mesh.law or law, slices, mesh.backlash is not None)
        found[name] = float(face_load_factor(force[i][mean], moment[i][mean], mesh.face_width, lifts))
    return found


def lifts_off(law: str, slices: int, backlash: bool) -> bool:
    """Whether a model lets a part of the face lift off: contact of teeth, or more than two slices that only push (a law with mesh
    dynamics, or any with backlash)."""
    return law == "tooth_contact" or (slices > 2 and (backlash or law not in WITHOUT_DYNAMICS))
