"""What a train is, as plain data for the command line and the report: given, derived, warned about."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from gearwright.remarks import sorted_remarks, train_remarks

from .kinematics import mesh_frequency, speeds
from .train import Bearing, Machine, Mesh, Stiffness, Train


def describe(train: Train) -> dict[str, Any]:
    """Everything a reader of the file should see, JSON-able, SI unless the key says otherwise.

    Keys: ``name, input, output, held``, ``ratio`` (input / output speed), ``speed_ratio`` (output / input),
    ``operating, model, gravity, bodies, meshes, contact_points, bearings, shafts, couplings, machines, stages, mass, alias``,
    ``mesh_frequencies_hz`` and ``shaft_frequencies_hz`` by name, and lists of sentences ``derived,
    assumed, notes, warnings``. Speeds and frequencies are those of the operating point, None (or empty) without one.
    """
    now = speeds(train)
    at_output = train.ratios.get(train.output) if train.output else None
    meshes = {name: _mesh(mesh, now, train) for name, mesh in train.meshes.items()}
    derived = [f"{n.where}: {n.message}" for n in train.notes if n.level == "derived"]
    power = None if train.speed is None or train.torque is None else train.speed * train.torque
    return _plain({
        "name": train.name, "input": train.input, "output": train.output, "held": train.held,
        "ratio": None if not at_output else 1.0 / at_output, "speed_ratio": at_output,
        "operating": {"speed": train.speed, "speed_rpm": _rpm(train.speed), "torque": train.torque, "power": power},
        "model": train.model.model_dump(exclude={"damping"}),
        "gravity": None if train.gravity is None else {"vector": train.gravity},
        "bodies": {name: _body(b, now, train) for name, b in train.bodies.items()},
        "meshes": meshes, "bearings": train.bearings, "shafts": train.shafts, "couplings": train.couplings,
        "machines": train.machines, "stages": _stages(train, meshes), "mass": _total_mass(train), "alias": train.alias,
        "contact_points": sum(m["contact_points"] or 0 for m in meshes.values()) or None,
        "mesh_frequencies_hz": {n: m["mesh_frequency"] for n, m in meshes.items() if m["mesh_frequency"] is not None},
        "shaft_frequencies_hz": {n: abs(w) / (2.0 * math.pi) for n, w in now.items() if w},
        "derived": derived, **sorted_remarks([*train_remarks(train.notes), *_hunting(train)]),
    })  # fmt: skip


def _body(b: Any, now: dict[str, float], train: Train) -> dict[str, Any]:
    speed = now.get(b.name)
    return {
        "role": b.role,
        "stage": b.stage,
        "inertia": b.inertia,
        "mass": b.mass,
        "count": b.count,
        "on": b.on,
        "pin_radius": b.pin_radius,
        "angle_deg": math.degrees(b.angle),
        "place": b.place,
        "fixed": b.fixed,
        "speed_ratio": train.ratios.get(b.name),
        "speed": speed,
        "speed_rpm": _rpm(speed),
    }


def _rpm(speed: float | None) -> float | None:
    return None if speed is None else speed * 30.0 / math.pi


def _mesh(mesh: Mesh, now: dict[str, float], train: Train) -> dict[str, Any]:
    frequency = mesh_frequency(mesh, now)
    order = mesh_frequency(mesh, train.ratios) * 2.0 * math.pi
    common = math.gcd(*mesh.teeth) if mesh.teeth else None
    return {
        "between": mesh.between,
        "on": mesh.on,
        "stage": mesh.stage,
        "internal": mesh.internal,
        "teeth": mesh.teeth,
        "base_radius": None if mesh.by_teeth else mesh.base_radius,
        "module": mesh.module,
        "pressure_angle_deg": None if mesh.pressure_angle is None else math.degrees(mesh.pressure_angle),
        "helix_angle_deg": math.degrees(mesh.helix_angle),
        "face_width": mesh.face_width,
        "sigma": mesh.sigma,
        "phase": mesh.phase,
        "coast_phase": mesh.coast_phase,
        "phase_source": mesh.phase_source,
        "contact_ratio": mesh.contact_ratio,
        "contact_ratio_given": mesh.contact_ratio_given,
        "contact_ratio_derived": None if mesh.path is None else mesh.path.contact_ratio,
        "overlap_ratio": mesh.overlap_ratio,
        "contact_points": contact_points(mesh),
        "stiffness": {k: v for k, v in dataclasses.asdict(mesh.stiffness).items() if v},
        "mean_stiffness": mean_stiffness(mesh.stiffness, mesh.contact_ratio),
        "damping": {k: v for k, v in dataclasses.asdict(mesh.damping).items() if v is not None},
        "backlash": mesh.backlash,
        "loss": mesh.loss,
        "mesh_frequency": None if math.isnan(frequency) else frequency,
        "order": None if math.isnan(order) else order,
        "common_divisor": common,
        "hunting_tooth": None if common is None else common == 1,
        "turns_to_repeat": None if not mesh.teeth or not common else [z // common for z in reversed(mesh.teeth)],
    }


def contact_points(mesh: Mesh) -> int | None:
    """Places where teeth of a mesh can touch at once: both flanks, as many pairs as the contact ratio rounded up."""
    return None if mesh.contact_ratio is None else 2 * math.ceil(mesh.contact_ratio - 1e-9)


def mean_stiffness(stiffness: Stiffness, contact_ratio: float | None) -> float | None:
    """Mean over the mesh cycle [N/m]: given, or of the two levels, or of the table by trapezoids; None if not known."""
    if stiffness.mean is not None:
        return stiffness.mean
    if stiffness.two_pairs is not None and stiffness.one_pair is not None and contact_ratio is not None:
        share = contact_ratio - 1.0
        return share * stiffness.two_pairs + (1.0 - share) * stiffness.one_pair
    if stiffness.table:
        points = list(stiffness.table)
        if points[-1][0] < 1.0 + points[0][0]:
            points.append((1.0 + points[0][0], points[0][1]))
        area = sum((b[0] - a[0]) * 0.5 * (a[1] + b[1]) for a, b in zip(points, points[1:], strict=False))
        return area / (points[-1][0] - points[0][0])
    return None


#: what is told of a stage of a type
_OF_STAGE: dict[str, tuple[str, ...]] = {
    "planetary": ("pin_radius", "inertia_includes_planets", "teeth", "module", "base_radii"),
    "parallel": ("teeth", "module", "centre_distance", "base_radii", "internal"),
    "direct": (),
}


def _stages(train: Train, meshes: dict[str, Any]) -> dict[str, Any]:
    made = {}
    for name, stage in train.stages.items():
        entry = {key: getattr(stage, key) for key in ("type", *_OF_STAGE[stage.type])}
        entry["members"] = dict(stage.members)
        first, last = ("carrier", "sun") if stage.type == "planetary" else ("wheel", "pinion")
        if stage.type == "planetary":
            zs, _, zr = stage.teeth
            n = entry["planets"] = len(stage.planets)
            entry["members"]["planets"] = stage.planets
            if stage.pins is not None and (steel := stage.pin_material) is not None:
                entry["pins"] = {
                    **stage.pins.model_dump(exclude={"material"}),
                    "young": steel.young,
                    "shear": steel.shear_modulus,
                    "density": steel.density,
                }
            if stage.wall is not None:
                entry["wall"] = stage.wall.model_dump()
            entry["angles_deg"] = [math.degrees(a) for a in stage.angles]
            if zs is not None and zr is not None:
                entry["assembly"] = {"sum": zs + zr, "per_planet": (zs + zr) / n, "whole": (zs + zr) % n == 0}
                entry["in_phase"] = zs % n == 0 and zr % n == 0
        ends = [train.ratios.get(stage.members.get(role, "")) for role in (first, last)]
        if ends[0] and ends[1]:
            entry["speed_ratio"] = ends[1] / ends[0]
        entry["mesh_frequency"] = next((m["mesh_frequency"] for m in meshes.values() if m["stage"] == name), None)
        made[name] = entry
    return made


def _hunting(train: Train) -> list[str]:
    """Pairs whose teeth always meet the same mates (common divisor of the tooth numbers)."""
    found: dict[tuple[Any, ...], str] = {}
    for mesh in train.meshes.values():
        if mesh.teeth is None or mesh.stage is None or (mesh.stage, mesh.teeth) in found:
            continue
        common = math.gcd(*mesh.teeth)
        if common > 1:
            z1, z2 = mesh.teeth
            found[mesh.stage, mesh.teeth] = (
                f"{mesh.name}: no hunting tooth, {z1} and {z2} share the divisor {common}: a tooth meets only "
                f"{z2 // common} of its mate's {z2} teeth"
            )
    return list(found.values())


def _total_mass(train: Train) -> float | None:
    known = [b.mass * b.count for b in train.bodies.values() if b.mass is not None]
    return sum(known) if known else None


def _plain(value: Any) -> Any:
    """Lists, mappings, numbers and strings only; not-a-number becomes None."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        own = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
        if isinstance(value, Bearing) and (mean := own.pop("element_mean")) is not None and value.rolling is not None:
            own["rolling"] = {**value.rolling.model_dump(exclude_none=True), "mean": mean}
        if isinstance(value, Machine):
            more = {key: own.pop(key) for key in ("efficiency", "pedal", "magnetic_pull", "drives")}
            said = {} if value.parameters is None else value.parameters.model_dump(exclude_none=True, by_alias=True)
            own["parameters"] = {**said, **{key: item for key, item in more.items() if item not in (None, ())}}
        value = own
    if hasattr(value, "model_dump"):  # a section of the file that a part carries along
        value = value.model_dump(exclude_none=True, by_alias=True)
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
