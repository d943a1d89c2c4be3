"""What the flanks of meshes did in a run that real flanks do not: they pulled."""

from __future__ import annotations

import json
from collections.abc import Mapping

from gearwright.errors import listed
from gearwright.geometry import backlash_by_rule
from gearwright.remarks import Remark, warning
from gearwright.train.train import Mesh, Train

#: part of a mesh's largest force below which rounding and damping may turn its sign
LITTLE = 1e-3


def pulling(train: Train, law: str, forces: Mapping[str, tuple[float, float, float]]) -> dict[str, dict[str, float]]:
    """Meshes without backlash whose force went through zero, as flanks that cannot part pull: time on the lesser side [s], the
    force there that is worst [N].

    ``forces``: time below zero [s], least and largest force [N] by mesh, counted in the loop. Meshes of law ``tooth_contact`` part.
    """
    found = {}
    for name, (time, least, most) in forces.items():
        mesh = train.meshes.get(name)
        if mesh is None or mesh.backlash is not None or (mesh.law or law) == "tooth_contact":
            continue
        lesser = min(-least, most)
        if lesser > LITTLE * max(-least, most):
            found[name] = {"time_s": time, "worst_n": least if -least <= most else most}
    return found


def pulling_remarks(train: Train, found: Mapping[str, Mapping[str, float]]) -> list[Remark]:
    """A warning of meshes that pulled, the worst one by name, with the backlash that a rule gives it."""
    if not found:
        return []
    worst = max(found, key=lambda name: abs(found[name]["worst_n"]))
    figures = found[worst]
    return [
        warning(
            f"{listed(list(found), 4)}: no backlash is given, so the flanks never part, and the teeth pull where the force goes through "
            f"zero; the worst is {worst}, {figures['worst_n'] / 1e3:.4g} kN, below zero for {figures['time_s']:.3g} s; "
            f"give {_rule(train.meshes[worst])}"
        )
    ]


def _rule(mesh: Mesh) -> str:
    if mesh.centre_distance is None or mesh.module is None:
        return "it a backlash"
    return (
        f"it a backlash, by ISO/TR 10064-2 at least {1e3 * backlash_by_rule(mesh.centre_distance, mesh.module):.3g} mm"
    )


def flank_figures(
    train: Train, law: str, notes: list[str], forces: Mapping[str, tuple[float, float, float]]
) -> dict[str, str]:
    """Figures of flanks that pulled for the file of a run; its remarks grow by what is to be said of them."""
    found = pulling(train, law, forces)
    notes.extend(pulling_remarks(train, found))
    return {"pulling_json": json.dumps(found)} if found else {}


__all__ = ["flank_figures", "pulling", "pulling_remarks"]
