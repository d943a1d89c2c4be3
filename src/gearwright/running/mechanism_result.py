"""A run of a mechanism as a result file, like any other: channels of bodies, joints and teeth, counted and stored."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from gearwright._version import __version__
from gearwright.multibody.elements import GROUND
from gearwright.multibody.mechanism import Mechanism
from gearwright.multibody.reactions import flank_rows, held, tip_clearances
from gearwright.multibody.reactions import reactions_over_time as over_time
from gearwright.multibody.simulate import Motion
from gearwright.remarks import sorted_remarks
from gearwright.results.derive import Derived
from gearwright.results.store import Recorder, Summary
from gearwright.schema.file import Drivetrain
from gearwright.schema.places import JSON
from gearwright.system import Block, Channel

from .flanks import Allowance, flank_figures
from .model import MeanReaction

Float = NDArray[np.floating[Any]]
_AXES = ("x", "y", "z")


@dataclass(frozen=True)
class Written:
    """What a result file of a mechanism says: the mean reaction of every joint on its first body, statistics by channel, and
    attributes."""

    means: Mapping[str, MeanReaction]
    channels: dict[str, Summary]
    attributes: dict[str, JSON]


def write(
    done: Motion,
    path: Path,
    drivetrain: Drivetrain,
    case: Any,
    law: str = "rigid",
    stopped: str | None = None,
    own_laws: Mapping[str, str] | None = None,
    allowed: Mapping[str, Allowance] | None = None,
) -> Written:
    """Write a run as a result file, ``incomplete`` with the reason where it was ``stopped``; return what the file says.
    ``own_laws``: source texts of users' own laws by name; ``allowed``: what the file says of backlash, by gear.

    Kind ``body``: position [m] and velocity [m/s] in global axes, Euler parameters, spin [rad/s] in body axes. Kind
    ``bearing``: force [N] and moment [N m] of a joint on its first body (on the other, where the first is the ground),
    global axes, moment about the mass centre. Kind ``mesh``: forces of the teeth on the first wheel. Raises ResultError.
    """
    m = done.mechanism
    joints = list(dict.fromkeys(row.joint for row in m.rows))
    start = done.reactions(0)
    gears = [name for name in joints if start[name].teeth is not None]
    parting, clear = flank_rows(m, gears), tip_clearances(done, gears)
    channels = [*_motions(m), *_reactions(m, joints), *_teeth(gears), *_flanks(list(parting), list(clear))]
    derived = [
        Derived("bearing", name, "force", "N", "norm", tuple(f"{name}.force_{a}" for a in _AXES), counted=True)
        for name in joints
    ]
    # a row resists its flank with the negative of its multiplier, by its sign
    pressed = [-sign * done.multipliers[:, k] for pair in parting.values() for k, sign in pair]
    lines = np.column_stack([_lines(done, joints, gears), *pressed, *clear.values()])
    interval = float(done.time[1] - done.time[0])
    attributes = _attributes(done, drivetrain, case, law)
    if own_laws:
        attributes["own_laws_json"] = json.dumps(dict(own_laws))
    with Recorder(
        path,
        channels,
        derived,
        interval,
        interval * max(round(min(case.output_interval or interval, float(done.time[-1])) / interval), 1),
        attributes=attributes,
        exponents=tuple(case.exponents),
        discard=case.discard or 0.0,
        precision="double",
    ) as recorder:
        for first in range(0, len(lines), 8192):
            part = slice(first, first + 8192)
            recorder.append(Block(np.asarray(done.time[part], float), np.asarray(lines[part], float)))
        attributes |= flank_figures(allowed or {}, m.notes, recorder.flanks())
        attributes["notes"] = list(m.notes)
        recorder.describe(attributes)
        if stopped is not None:
            recorder.abort(stopped)
    counted = lines[round((case.discard or 0.0) / interval) :]
    mean = {c.name: float(x) for c, x in zip(channels, (counted if len(counted) else lines).mean(axis=0), strict=True)}
    reactions = {
        name: MeanReaction(
            _held(m, name),
            [mean[f"{name}.force_{a}"] for a in _AXES],
            [mean[f"{name}.moment_{a}"] for a in _AXES],
        )
        for name in joints
    }
    return Written(reactions, recorder.summary(), {**attributes, **sorted_remarks(m.notes)})


def _motions(m: Mechanism) -> list[Channel]:
    found = []
    for body in m.bodies:
        for quantity, unit, parts in (
            ("position", "m", _AXES),
            ("euler", "1", "0123"),
            ("velocity", "m/s", _AXES),
            ("spin", "rad/s", _AXES),
        ):
            sign = "body axes" if quantity == "spin" else "global axes"
            found += [Channel("body", body.name, f"{quantity}_{part}", unit, sign, ()) for part in parts]
    return found


def _reactions(m: Mechanism, joints: list[str]) -> list[Channel]:
    return [
        Channel("bearing", name, f"{quantity}_{a}", unit, f"on {_held(m, name)}, global axes", (), counted=True)
        for name in joints
        for quantity, unit in (("force", "N"), ("moment", "N m"))
        for a in _AXES
    ]


def _teeth(gears: list[str]) -> list[Channel]:
    return [
        Channel("mesh", name, quantity, "N", "on the first wheel", (), counted=True)
        for name in gears
        for quantity in ("force", "normal_force", "tangential_force", "radial_force", "axial_force")
    ]


def _flanks(parting: list[str], clear: list[str]) -> list[Channel]:
    """Forces of both flanks of gears that have a row for each, and how far tips stand from roots."""
    pressing = [
        Channel("mesh", name, f"{flank}_force", "N", "pressing is positive", ())
        for name in parting
        for flank in ("drive", "coast")
    ]
    sign = "radial, the lesser one of both wheels; below zero tips touch roots"
    return [*pressing, *(Channel("mesh", name, "tip_clearance", "m", sign, ()) for name in clear)]


def _held(m: Mechanism, joint: str) -> str:
    """The body on which the reactions of a joint are given."""
    return [*(b.name for b in m.bodies), GROUND][held(m, joint)]


def reactions_over_time(done: Motion) -> dict[str, Float]:
    """Force (samples, 3) of every joint on the body it is given on."""
    joints = list(dict.fromkeys(row.joint for row in done.mechanism.rows))
    force, _, _ = over_time(done, joints, [])
    return {name: force[:, k] for k, name in enumerate(joints)}


def _lines(done: Motion, joints: list[str], gears: list[str]) -> Float:
    """Channel values, sample by sample."""
    samples = len(done.time)
    motions = np.concatenate([done.position, done.euler, done.velocity], axis=2)
    force, moment, teeth = over_time(done, joints, gears)
    reactions = np.concatenate([force, moment], axis=2)
    normal, tangential, radial, _ = np.moveaxis(teeth, 2, 0)
    transverse = np.copysign(np.hypot(tangential, radial), normal)
    teeth = np.concatenate([transverse[..., None], teeth], axis=2)
    return np.concatenate([x.reshape(samples, -1) for x in (motions, reactions, teeth)], axis=1)


def _attributes(done: Motion, drivetrain: Drivetrain, case: Any, law: str) -> dict[str, JSON]:
    m = done.mechanism
    return {
        "drivetrain": drivetrain.name,
        "drivetrain_text": drivetrain.text,
        "overrides": list(drivetrain.overrides),
        "case": case.name,
        "case_json": json.dumps(case.model_dump(mode="json"), default=str),
        "fidelity": "multibody",
        "law": law,
        "method": "multibody",
        "method_reason": "rows of joints and gears met by projection at every step",
        "degrees_of_freedom": m.degrees_of_freedom,
        "rows": len(m.rows),
        "notes": list(m.notes),
        "position_error": done.position_error,
        "velocity_error": done.velocity_error,
        "energy_error": done.energy_error,
        "mechanism_json": json.dumps(shapes(m)),
        "gearwright_version": __version__,
        "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }


class BodyFacts(TypedDict):
    """A body of a mechanism: mass [kg], inertias [kg m2], points of its own axes [m], place [m] and Euler parameters at the start."""

    name: str
    mass: float
    inertia: list[float]
    points: dict[str, list[float]]
    position: list[float]
    euler: list[float]


class JointFacts(TypedDict):
    """A joint: its two bodies, its points on them [m], its axis, radii of a pair of teeth [m]."""

    name: str
    kind: str
    bodies: list[str]
    points: list[list[float]]
    axis: list[float] | None
    radius: list[float] | None
    internal: bool
    helix_angle: float


class Facts(TypedDict):
    """What a picture of a mechanism needs; ``mechanism_json`` of a result."""

    bodies: list[BodyFacts]
    joints: list[JointFacts]
    gravity: list[float]


def shapes(m: Mechanism) -> Facts:
    """What a picture of a mechanism needs: points and inertias of bodies, places, axes and radii of joints."""
    start = m.start
    names = [*(b.name for b in m.bodies), GROUND]
    joints: list[JointFacts] = []
    for joint in m.joints:
        row = next((r for r in m.rows if r.joint == joint.name), None)
        if row is None:
            continue
        joints.append(
            {
                "name": joint.name,
                "kind": joint.kind,
                "bodies": [names[b] for b in row.bodies[:2]],
                "points": [list(map(float, row.local[0:3])), list(map(float, row.local[3:6]))],
                "axis": None if joint.axis is None else [float(x) for x in joint.axis],
                "radius": None if joint.radius is None else [float(x) for x in joint.radius],
                "internal": joint.internal,
                "helix_angle": joint.helix_angle,
            }
        )
    return {
        "bodies": [
            {
                "name": b.name,
                "mass": b.mass,
                "inertia": [float(x) for x in b.inertia],
                "points": {k: [float(x) for x in p] for k, p in b.points.items()},
                "position": start.r[k].tolist(),
                "euler": start.p[k].tolist(),
            }
            for k, b in enumerate(m.bodies)
        ],
        "joints": joints,
        "gravity": [float(x) for x in m.arrays.gravity],
    }
