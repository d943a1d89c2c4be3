"""Scene of a mechanism: bodies with large rotations, as simple shapes from their inertia, joints and pitch radii.

Every body moves by its own position and Euler parameters; nothing is magnified, because nothing is elastic. The
scene's z axis points against gravity.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gearwright.figures.palette import COLOURS
from gearwright.figures.reading import Run
from gearwright.running.mechanism_result import BodyFacts, Facts, JointFacts

from .records import ArrowRecord, BodyRecord, Scene, SimpleShape, Track
from .tracks import blocks, double, peaks, quantised

Array = NDArray[np.floating[Any]]
_SHADES = ("carrier", "planet1", "sun", "planet2", "planet3", "shaft", "machine")


def scene_of_mechanism(
    name: str,
    facts: Facts,
    time: Array,
    position: Array,
    euler: Array,
    forces: Mapping[str, Array],
    most_bytes: int,
    case: str = "",
) -> Scene:
    """Scene of bodies over time.

    ``facts`` as ``mechanism_json`` of a result has them; position (samples, bodies, 3) [m] and euler (samples, bodies,
    4) global; forces: joint to (samples, 3) [N], global, on the body that ``held`` names.
    """
    bodies, joints = facts["bodies"], facts["joints"]
    upright = _upright(facts.get("gravity") or (0.0, 0.0, 0.0))
    count = len(time)
    size = blocks(count, max(int(most_bytes / (2 * (7 * len(bodies) + 4 * len(forces)) + 8)), 16))
    picked = slice(None, None, size)
    turned: Any = _turned(upright, position[picked]), _multiplied(_quaternion(upright), _continuous(euler[picked]))
    reach = float(max(np.ptp(turned[0].reshape(-1, 3), axis=0).max(), max(_extent(b, joints) for b in bodies)))
    numbers = {b["name"]: i for i, b in enumerate(bodies)}
    free = {
        b["name"]: {
            **{axis: quantised(turned[0][:, i, k]) for k, axis in enumerate("xyz")},
            **{f"e{k}": quantised(turned[1][:, i, k]) for k in range(4)},
        }
        for i, b in enumerate(bodies)
    }
    arrows: list[ArrowRecord] = []
    tracks: dict[str, dict[str, Track]] = {}
    for joint in joints:
        held = joint["bodies"][0] if joint["bodies"][0] in numbers else joint["bodies"][1]
        if joint["name"] not in forces or held not in numbers:
            continue
        side = 0 if held == joint["bodies"][0] else 1
        arrows.append(
            {
                "name": joint["name"],
                "body": numbers[held],
                "point": joint["points"][side],
                "gear": joint["kind"] == "gear",
            }
        )
        force = forces[joint["name"]] @ upright.T
        tracks[joint["name"]] = {
            **{f"force_{axis}": quantised(force[picked, k]) for k, axis in enumerate("xyz")},
            "force": quantised(peaks(np.linalg.norm(force, axis=1), size)[: len(time[picked])]),
        }
    step = float(time[size] - time[0]) if count > size else 1.0
    return {
        "format": 1, "name": name, "size": 0.35 * reach, "case": case, "fidelity": "multibody",
        "bodies": [_body(b, k) for k, b in enumerate(bodies)],
        "free": {"shapes": [_shapes(b, joints, reach) for b in bodies], "arrows": arrows},
        "discs": [], "meshes": [], "carriers": [], "rods": [], "ends": [], "bearings": [], "housing": [], "views": [],
        "shafts": [], "modes": [],
        "play": {"start": float(time[0]), "step": step, "count": len(time[picked]), "block": size, "steady": False,
                 "turned": [double(np.zeros(len(time[picked])))], "deviation": {}, "free": free,
                 "force": {"bearing": tracks}, "source": "", "relative": False},
        "notes": ["Wheels have their pitch radii; other bodies are boxes with the inertia of the file. Arrows are the "
                  "forces of joints on the body they hold."],
    }  # fmt: skip


def scene_of_mechanism_run(run: Run, most_bytes: int) -> Scene | None:
    """Scene of a mechanism's result; None where it has no shapes or no series."""
    stored_facts = run.json("mechanism_json")
    if not isinstance(stored_facts, dict) or len(run.times) < 2:
        return None
    facts = cast(Facts, stored_facts)

    def stored(kind: str, quantity: str, part: str, element: str) -> np.ndarray:
        values = run.result.values(f"{kind}_{quantity}_{part}", (run.elements(kind).index(element), run.part))
        return np.asarray(values)

    names = [b["name"] for b in facts["bodies"]]
    position, euler = (
        np.stack([np.stack([stored("body", what, part, n) for n in names]).T for part in parts], axis=2)
        for what, parts in (("position", "xyz"), ("euler", "0123"))
    )
    forces = {
        joint: np.stack([stored("bearing", "force", a, joint) for a in "xyz"], axis=1)
        for joint in run.elements("bearing")
    }
    return scene_of_mechanism(
        str(run.attribute("drivetrain")),
        facts,
        run.times,
        position,
        euler,
        forces,
        most_bytes,
        str(run.attribute("case") or ""),
    )


def _body(body: BodyFacts, number: int) -> BodyRecord:
    return {
        "name": body["name"],
        "role": "body",
        "stage": None,
        "fixed": False,
        "share": [0.0],
        "place": [0.0, 0.0],
        "on": -1,
        "pin": [0.0, 0.0],
        "frame": -1,
        "colour": list(COLOURS[_SHADES[number % len(_SHADES)]]),
    }


def _shapes(body: BodyFacts, joints: Sequence[JointFacts], reach: float) -> list[SimpleShape]:
    """Wheels where gears act, otherwise a box; struts to the joints. All in body axes."""
    found: list[SimpleShape] = []
    turn = _matrix(body["euler"])
    thin = 0.012 * reach
    for joint in joints:
        if body["name"] not in joint["bodies"]:
            continue
        side = joint["bodies"].index(body["name"])
        point = joint["points"][side]
        if joint["radius"] and joint["axis"]:
            ring = side == 1 and (joint["internal"] or joint["radius"][1] < 0.0)
            axis = turn.T @ _unit(joint["axis"])
            found.append(
                {
                    "kind": "disc",
                    "at": point,
                    "axis": axis.tolist(),
                    "radius": abs(joint["radius"][side]),
                    "width": 0.05 * reach,
                    "ring": ring,
                }
            )
        else:
            found.append({"kind": "ball", "at": point, "radius": 1.6 * thin})
            if np.linalg.norm(point) > 3.0 * thin:
                found.append({"kind": "strut", "from": [0.0, 0.0, 0.0], "to": list(point), "radius": thin})
    wheels = {(s["radius"], tuple(np.round(s["at"], 9))) for s in found if s["kind"] == "disc"}
    kept: list[SimpleShape] = []
    for shape in found:
        if shape["kind"] == "disc":
            key = (shape["radius"], tuple(np.round(shape["at"], 9)))
            if key not in wheels:
                continue  # a wheel that meshes with several is drawn once
            wheels.discard(key)
        kept.append(shape)
    edges = _cuboid(body)
    slender = max(edges) > 4.0 * sorted(edges)[1]
    # a body that holds others far from its centre is its struts; a box would hide them
    if not any(s["kind"] == "disc" for s in kept) and (slender or not any(s["kind"] == "strut" for s in kept)):
        kept.insert(0, {"kind": "box", "size": [max(x, 2.0 * thin) for x in edges]})
    return kept


def _cuboid(body: BodyFacts) -> list[float]:
    """Edges of the box with this mass and these inertias."""
    total, m = sum(body["inertia"]), body["mass"]
    return [math.sqrt(max(6.0 * (total - 2.0 * i), 0.0) / m) for i in body["inertia"]]


def _extent(body: BodyFacts, joints: Sequence[JointFacts]) -> float:
    radii = [
        2.0 * abs(j["radius"][j["bodies"].index(body["name"])])
        for j in joints
        if j["radius"] and body["name"] in j["bodies"]
    ]
    return max([*radii, max(_cuboid(body))])


def _unit(x: Any) -> Array:
    return np.asarray(x, float) / np.linalg.norm(x)


def _matrix(e: Sequence[float]) -> Array:
    a, b, c, d = e
    return np.array(
        [
            [1 - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (b * d + a * c)],
            [2 * (b * c + a * d), 1 - 2 * (b * b + d * d), 2 * (c * d - a * b)],
            [2 * (b * d - a * c), 2 * (c * d + a * b), 1 - 2 * (b * b + c * c)],
        ]
    )


def _upright(gravity: Sequence[float]) -> Array:
    """Rotation that puts the direction against gravity upright; none without gravity."""
    if not np.linalg.norm(gravity) > 0.0:
        return np.eye(3)
    up = -_unit(gravity)
    across = np.array([1.0, 0.0, 0.0]) if abs(up[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    first = _unit(across - (across @ up) * up)
    return np.stack([first, np.cross(up, first), up])


def _quaternion(turn: Array) -> Array:
    """Euler parameters of a rotation matrix."""
    from scipy.spatial.transform import Rotation

    x, y, z, w = Rotation.from_matrix(turn).as_quat()
    return np.array([w, x, y, z])


def _turned(turn: Array, position: Array) -> Array:
    return np.asarray(position @ turn.T, float)


def _multiplied(p: Array, q: Array) -> Array:
    """Product of Euler parameters p (4) with q (..., 4)."""
    a, b, c, d = p
    w, x, y, z = (q[..., k] for k in range(4))
    return np.stack(
        [
            a * w - b * x - c * y - d * z,
            a * x + b * w + c * z - d * y,
            a * y - b * z + c * w + d * x,
            a * z + b * y - c * x + d * w,
        ],
        axis=-1,
    )


def _continuous(euler: Array) -> Array:
    """The sign of the parameters that is nearest to the sample before, so that they can be interpolated."""
    flips = np.sign(np.einsum("sbk,sbk->sb", euler[1:], euler[:-1]))
    flips = np.where(flips == 0.0, 1.0, flips)
    sign = np.concatenate([np.ones((1, euler.shape[1])), np.cumprod(flips, axis=0)])
    return np.asarray(euler * sign[:, :, None])
