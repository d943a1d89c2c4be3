"""What an assembly takes by itself where the file is silent: no damping, no backlash."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from gearwright.errors import listed
from gearwright.geometry.gear import GeometryError
from gearwright.remarks import assumed, warning
from gearwright.train.teeth import tooth_pair
from gearwright.train.train import Coupling, Damping, Train

from .losses import in_series


def undamped(train: Train, fidelity: str, law: str) -> list[str]:
    """Sentences on damping that nobody gave, and on damping of elements that the model's replaces."""
    silent: list[str] = []
    given: list[str] = []
    for name, dampings in _elastic(train, fidelity, law):
        (given if any(map(_said, dampings)) else silent).append(name)
    if train.damping:
        return [f"model.damping stands in place of the damping given for {listed(given, 4)}"] if given else []
    if not silent:
        return []
    if not given:
        return [assumed("no damping is given, neither of the model nor of any element: the model is undamped")]
    return [assumed(f"no damping is given for {listed(silent, 6)}: taken as 0")]


def _elastic(train: Train, fidelity: str, law: str) -> Iterator[tuple[str, Iterable[Damping | None]]]:
    """Every element with stiffness at a fidelity, and the dampings that the file may give it."""
    across = fidelity in ("planar", "spatial", "multibody")
    if law != "rigid":
        for mesh in train.meshes.values():
            if not in_series(mesh):
                yield mesh.name, (mesh.damping,)
    for bearing in train.bearings.values():
        radial = across and (bearing.stiffness is not None or bearing.by_elements)
        if radial or bearing.torsional or (fidelity == "spatial" and (bearing.matrix or bearing.axial or bearing.tilt)):
            yield bearing.name, (bearing.damping, bearing.torsional_damping)
    for shaft in train.shafts.values():
        if shaft.torsional:
            yield shaft.parent or shaft.name, (shaft.damping,)
    for coupling in train.couplings.values():
        if coupling.type == "spring":
            yield coupling.name, _of_spring(coupling)


def _of_spring(coupling: Coupling) -> Iterator[Damping | None]:
    for key in ("damping", "torsional_damping"):
        found = coupling.parameters.get(key)
        yield found if found is None or isinstance(found, Damping) else Damping(float(found))


def _said(damping: Damping | None) -> bool:
    return damping is not None and any(
        x is not None for x in (damping.value, damping.ratio, damping.stiffness_proportional)
    )


def bottoming(train: Train, fidelity: str) -> list[str]:
    """A warning of meshes whose tips meet the roots of their mates before their flanks hold the centres apart.

    Centres that come closer by x take 2 x sin(alpha_wt) of the backlash; both flanks carry when it is used up, which is counted as
    wedging. A mesh bottoms first where its tip clearance is smaller than that x.
    """
    if fidelity not in ("planar", "spatial", "multibody"):
        return []
    found = []
    for mesh in train.meshes.values():
        try:
            pair = tooth_pair(mesh) if mesh.backlash else None
        except (GeometryError, ValueError):
            continue
        if pair is not None and min(pair.tip_clearances) < (mesh.backlash or 0.0) / (
            2.0 * math.sin(pair.working_angle)
        ):
            found.append(mesh.name)
    if not found:
        return []
    return [
        warning(
            f"{listed(found, 4)}: with this backlash tips bottom in the roots of their mates before both flanks carry where centres come closer, "
            f"and roots push nothing in the model: less backlash, or more tip clearance"
        )
    ]


def without_backlash(train: Train, law: str) -> list[str]:
    """A sentence on meshes whose flanks never part, since nobody gave their backlash."""
    names = [mesh.name for mesh in train.meshes.values() if mesh.backlash is None and not in_series(mesh)]
    if law not in ("periodic", "two_level") or not names:
        return []
    what = "both flanks touch at once" if law == "periodic" else "the flanks never part, and pull"
    return [assumed(f"no backlash is given for {listed(names, 4)}: {what} where the torque turns")]
