"""From a drivetrain file to the teeth of a stage: geometry, stiffness, transmission error as plain data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gearwright.errors import DrivetrainError, listed, nearest
from gearwright.geometry.gear import Gear, GeometryError
from gearwright.progress import each
from gearwright.train.expand import expand
from gearwright.train.open import load
from gearwright.train.teeth import sound_pair, tooth_pair
from gearwright.train.train import Mesh, Train


def stage_meshes(
    file: str, stage: str | None, overrides: Sequence[str] = (), mesh: str | None = None
) -> tuple[Train, list[Mesh]]:
    """The train, and one mesh of each kind of a stage (of the first planet), or the mesh asked for.

    Raises DrivetrainError with the names there are.
    """
    train = expand(load(file, overrides))
    stages = list(dict.fromkeys(m.stage for m in train.meshes.values() if m.stage is not None))
    if stage is None and len(stages) == 1:
        stage = stages[0]
    if not stages:
        raise DrivetrainError(f"'{train.name}' has no gear stage: its file lists no 'stages' and no mesh of one")
    if stage is None:
        raise DrivetrainError(f"which stage? choose with --stage: {listed(stages)}")
    if stage not in stages:
        meant = nearest(stage, stages)
        hint = f" Did you mean '{meant}'?" if meant else ""
        raise DrivetrainError(f"there is no gear stage '{stage}'. Stages: {listed(stages)}.{hint}")
    found = [m for m in train.meshes.values() if m.stage == stage and (m.on is None or m.name.endswith("planet1"))]
    if mesh is not None:
        short = {m.name.removeprefix(f"{stage}.").removesuffix("1"): m for m in found}
        short |= {m.name: m for m in found} | {m.name.removeprefix(f"{stage}."): m for m in found}
        if mesh not in short:
            kinds = list(dict.fromkeys(m.name.removeprefix(f"{stage}.").removesuffix("1") for m in found))
            raise DrivetrainError(f"stage '{stage}' has no mesh '{mesh}'; it has {listed(kinds)}")
        found = [short[mesh]]
    return train, found


# --- gear --------------------------------------------------------------------------------------------------------------


def gear_of_file(file: str, stage: str | None, overrides: Sequence[str] = ()) -> dict[str, Any]:
    """Geometry of a stage's meshes: circles, thicknesses, path, regions, ratios, phases, findings."""
    train, meshes = stage_meshes(file, stage, overrides)
    found = {}
    for mesh in meshes:
        pair = tooth_pair(mesh)
        p = pair.path
        like = [m for m in train.meshes.values() if m.stage == mesh.stage and m.internal == mesh.internal]
        found[mesh.name] = {
            "between": mesh.between, "internal": pair.internal, "centre_distance": pair.distance,
            "working_pressure_angle_deg": math.degrees(pair.working_angle), "working_radii": pair.working_radii,
            "transverse_contact_ratio": pair.contact_ratio, "overlap_ratio": pair.overlap_ratio,
            "total_contact_ratio": pair.contact_ratio + pair.overlap_ratio, "base_pitch": p.base_pitch,
            "path": {"start": p.start, "end": p.end, "pitch_point": p.pitch_point, "length_between_tangents": p.s_c},
            "regions": [{"from": a, "to": b, "pairs": n} for a, b, n in pair.regions],
            "normal_backlash": pair.backlash, "tip_clearances": pair.tip_clearances,
            "fillet_margins": pair.fillet_margins, "trochoid_margin": pair.trochoid_margin,
            "phases": {m.name: {"drive": m.phase, "coast": m.coast_phase, "source": m.phase_source} for m in like},
            "gears": [_gear(pair.one, mesh.between[0]), _gear(pair.two, mesh.between[1])],
            "findings": [
                {"level": c.level, "what": c.what, "value": c.value, "limit": c.limit, "unit": c.unit,
                 "message": c.message, "cure": c.cure}
                for c in pair.checks()
            ],
        }  # fmt: skip
    return {"name": train.name, "stage": meshes[0].stage, "unit": "SI: m, m/m, N; angles in degrees", "meshes": found}


def _gear(gear: Gear, body: str) -> dict[str, Any]:
    return {
        "body": body, "teeth": gear.teeth, "module": gear.module, "ring": gear.ring,
        "pressure_angle_deg": math.degrees(gear.pressure_angle), "helix_angle_deg": math.degrees(gear.helix_angle),
        "profile_shift": gear.shift, "face_width": gear.face_width, "reference_diameter": 2.0 * gear.reference_radius,
        "base_diameter": 2.0 * gear.base_radius, "tip_diameter": 2.0 * gear.tip_radius,
        "root_diameter": 2.0 * gear.root_radius, "form_diameter": 2.0 * gear.radius(gear.form_arc),
        "tip_thickness": gear.tip_thickness, "thickness_at_reference": gear.thickness(max(gear.reference_radius, gear.base_radius)),
        "rim_diameter": None if gear.rim is None else 2.0 * gear.rim,
        "relief": None if gear.relief is None else {
            "amount": gear.relief.amount, "start_diameter": 2.0 * gear.relief.start, "shape": gear.relief.shape},
    }  # fmt: skip


def write_outlines(file: str, stage: str | None, overrides: Sequence[str], target: Path) -> list[Path]:
    """Outline of every wheel of a stage as ``target`` with the wheel's name before the suffix (dxf, svg, csv)."""
    from gearwright.geometry.export import write_outline

    _, meshes = stage_meshes(file, stage, overrides)
    gears: dict[str, Gear] = {}
    for mesh in meshes:
        pair = tooth_pair(mesh)
        for gear in (pair.one, pair.two):
            gears.setdefault(gear.name, gear)
    return [write_outline(g, target.with_name(f"{target.stem}-{name}{target.suffix}")) for name, g in gears.items()]


# --- stiffness -----------------------------------------------------------------------------------------------------------


def stiffness_of_file(file: str, stage: str | None, method: str, overrides: Sequence[str] = ()) -> dict[str, Any]:
    """Stiffness of a stage's meshes by a method: over the cycle, mean, extremes, sharing, stresses at the operating
    torque. ``iso6336`` gives the mean and its parts."""
    from gearwright.stiffness.curves import over_cycle
    from gearwright.stiffness.resolve import METHODS

    if method not in METHODS:
        meant = nearest(method, METHODS)
        raise DrivetrainError(
            f"there is no method '{method}': {listed(METHODS)}." + (f" Did you mean '{meant}'?" if meant else "")
        )
    train, meshes = stage_meshes(file, stage, overrides)
    found = {m.name: (_iso(m) if method == "iso6336" else over_cycle(m, train, method)) for m in each("mesh", meshes)}
    return {"name": train.name, "stage": meshes[0].stage, "method": method, "unit": "N/m, Pa, N, m", "meshes": found}


def _iso(mesh: Mesh) -> dict[str, Any]:
    from gearwright.stiffness import iso_stiffness

    pair = sound_pair(mesh)
    if pair.face_width is None:
        raise GeometryError(f"mesh '{mesh.name}': missing 'face_width'")
    k = iso_stiffness(pair)
    return {
        "mean": k.mesh * pair.face_width, "theoretical_single": k.theoretical, "single": k.single, "mesh": k.mesh,
        "mesh_beta": k.mesh_beta, "blank_factor": k.factor_blank, "rack_factor": k.factor_rack,
        "virtual_teeth": [z if math.isfinite(z) else None for z in k.virtual_teeth],
        "contact_ratio": pair.contact_ratio, "face_width": pair.face_width,
    }  # fmt: skip


# --- transmission error ----------------------------------------------------------------------------------------------------


def ste_of_file(
    file: str, stage: str | None, torques: Sequence[str], method: str = "fe", mesh: str | None = None,
    overrides: Sequence[str] = (),
) -> dict[str, Any]:  # fmt: skip
    """Static transmission error of a stage's meshes over torque (on the first wheel of the mesh, of one mesh).

    ``torques``: quantities such as ``25 kN m``; none: eight steps up to twice the operating load.
    """
    from gearwright.stiffness.curves import errors_over_torque
    from gearwright.stiffness.resolve import nominal_force
    from gearwright.units import DIMENSIONS, UnitError, to_si

    if method not in ("fe", "analytic"):
        raise DrivetrainError(
            f"a transmission error needs the stiffness of teeth: --method fe or analytic, not '{method}'"
        )
    try:
        given = [float(to_si(t, DIMENSIONS["torque"])) for t in torques]
    except UnitError as error:
        raise DrivetrainError(f"--torque: {error}{error.hint}") from None
    bad = [t for t in given if t <= 0.0]
    if bad:
        raise DrivetrainError(f"--torque: {bad[0]:g} N m is not positive; the loaded flank is the working one")
    train, meshes = stage_meshes(file, stage, overrides, mesh)
    found = {}
    for one in each("mesh", meshes):
        if not given and nominal_force(one, train) is None:
            raise DrivetrainError("this train has no operating torque: give --torque, such as --torque '25 kN m'")
        found[one.name] = errors_over_torque(one, train, method, given)
    return {"name": train.name, "stage": meshes[0].stage, "method": method, "unit": "m, N m, N, Pa", "meshes": found}
