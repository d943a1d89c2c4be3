"""Gears of a mechanism with true teeth: a ``pair`` as in a parallel stage, with the laws of fidelity ``planar``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gearwright.errors import DrivetrainError
from gearwright.multibody import Body, Joint, Mechanism, MultibodyError
from gearwright.multibody.elements import matrix
from gearwright.schema.places import JSON, Values, group
from gearwright.schema.read import from_mapping
from gearwright.train.expand import expand
from gearwright.train.train import Mesh

from .assemble import _coordinates, _in_numbers, _inertias
from .inputs import Inputs
from .motion import AssemblyError, Motions
from .multibody_meshes import loss_joint, mesh_joint
from .work import Assembly

#: the centres of the mechanism may be off those of the pair by this part of the distance
OFF = 1e-6


@dataclass(frozen=True)
class PairGear:
    """A gear with true teeth: its joint, and what its loss and its place are checked with."""

    joint: Joint
    mesh: Mesh
    work: Assembly

    def loss(self, step: float) -> Joint | None:
        """Friction of the mesh, for steps [s] of a length."""
        made = loss_joint(self.work, self.mesh, step)
        if made is None:
            return None
        j = self.joint
        return replace(
            made, name=f"{j.name}_loss", first=j.first, second=j.second, axis=j.axis, carrier=j.carrier, press=j.name
        )

    def check(self, m: Mechanism) -> None:
        """Raise MultibodyError where the centres are not where the pair has them."""
        wanted = self.mesh.centre_distance
        if wanted is None:
            return
        place = m.start
        axis = np.asarray(self.joint.axis, float)
        axis /= np.linalg.norm(axis)
        row = next(r for r in m.rows if r.joint == self.joint.name)
        ends = [place.r[b] + matrix(place.p[b]) @ row.local[3 * i : 3 * i + 3] for i, b in enumerate(row.bodies[:2])]
        gap = ends[0] - ends[1]
        found = float(np.linalg.norm(gap - axis * (axis @ gap)))
        if abs(found - wanted) > OFF * wanted:
            raise MultibodyError(
                f"gear '{self.joint.name}': its wheels stand {1e3 * found:.6g} mm apart, the teeth of its pair belong to "
                f"{1e3 * wanted:.6g} mm; move the bodies (assembly), or give pair.centre_distance with the profile shifts for it"
            )


def pair_gear(drivetrain: Any, e: Any, bodies: Sequence[Body], axis: tuple[float, float, float]) -> PairGear:
    """The joint of a gear element with a ``pair``. Raises MultibodyError with what the pair lacks."""
    name, law = e.name, e.acting
    facts = e.pair.model_dump(by_alias=True, exclude_unset=True)
    torque = facts.pop("torque", None)
    order = ("pinion", "wheel") if e.internal else ("wheel", "pinion")
    for key, role, body in zip(("first", "second"), order, e.between, strict=True):
        facts[role] = {**_inertia(bodies, body, axis, name), **facts.pop(key)}
    facts["mesh"] = {**_roles(facts.get("mesh") or {}, order), **_mesh_facts(e)}
    full = [f"{name}.{role}" for role in order]
    raw = {
        "name": name,
        "materials": {k: m.model_dump(exclude_none=True) for k, m in drivetrain.materials.items()},
        "stages": [{"name": name, "type": "parallel", "azimuth": 0.0, **facts, "internal": e.internal}],
        "operating": {"input": full[0], "output": full[1], "speed": 1.0, "torque": 1.0 if torque is None else torque},
        "model": {
            k: v for k in ("loss", "face_slices", "helical", "tip_contact") if (v := getattr(drivetrain.model, k, None))
        },
    }
    try:
        train = expand(from_mapping(raw), "planar")
        if torque is None:
            train = replace(train, torque=None)
        train = train if law == "tooth_contact" else _in_numbers(train)
        mesh = train.meshes[f"{name}.mesh"]
        if e.flank:
            if torque is not None and e.flank != mesh.sigma:
                raise MultibodyError(
                    f"gear '{name}': flank {e.flank} is not the one that a torque of {torque} presses; give one of both"
                )
            mesh = replace(mesh, sigma=e.flank)
        if mesh.skew:
            raise MultibodyError(f"gear '{name}': a misalignment or lead_slope is not known to gears of a mechanism")
        motions = Motions(train, "planar", dict.fromkeys(train.bodies, ("rotation",)), dict.fromkeys(train.bodies))
        work = Assembly(train, motions, law, Inputs())
        _coordinates(work)
        _inertias(work)
        made = mesh_joint(work, mesh)
    except (DrivetrainError, AssemblyError) as error:
        text = str(error).replace(f"stages.{name}.{order[0]}", "first").replace(f"stages.{name}.{order[1]}", "second")
        raise MultibodyError(f"gear '{name}', its pair: {text}") from None
    joint = replace(made, name=name, first=e.between[0], second=e.between[1], axis=axis, carrier=e.carrier)
    return PairGear(joint, mesh, work)


def _mesh_facts(e: Any) -> dict[str, JSON]:
    """What the element says of its mesh, in the words of a stage."""
    found: dict[str, JSON] = {}
    for key in ("stiffness", "damping", "backlash", "contact_ratio"):
        value = getattr(e, key)
        if value is not None:
            found[key] = value.model_dump(exclude_none=True, by_alias=True) if hasattr(value, "model_dump") else value
    if e.phase:
        found["phase"] = e.phase
    return found


def _roles(facts: Values, order: tuple[str, str]) -> dict[str, JSON]:
    """Facts by wheel, ``first`` and ``second`` turned into the roles of the stage."""
    roles = dict(zip(("first", "second"), order, strict=True))
    return {
        key: {roles.get(k, k): v for k, v in group(value).items()} if key in ("pitch_error", "profile") else value
        for key, value in facts.items()
    }


def _inertia(bodies: Sequence[Body], end: str, axis: tuple[float, float, float], gear: str) -> dict[str, float]:
    """Mass and inertia about the axis of a wheel: what a damping ratio refers to."""
    body = next((b for b in bodies if b.name == end or b.name == end.rsplit(".", 1)[0]), None)
    if body is None:
        raise MultibodyError(f"gear '{gear}': '{end}' is no body; a gear with a pair is between two bodies")
    unit = np.asarray(axis, float) / math.sqrt(sum(x * x for x in axis))
    own = matrix(np.asarray(body.euler, float) / np.linalg.norm(body.euler)).T @ unit
    return {"mass": body.mass, "inertia": float(np.sum(own**2 * np.asarray(body.inertia)))}
