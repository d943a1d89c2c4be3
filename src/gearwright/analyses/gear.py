"""Geometry of the teeth of a stage."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gearwright.errors import DrivetrainError, listed, nearest
from gearwright.figures.format import alike, named
from gearwright.geometry.export import write_outline
from gearwright.geometry.gear import Gear
from gearwright.geometry.pair import Check
from gearwright.train.expand import expand
from gearwright.train.teeth import tooth_pair
from gearwright.train.train import Mesh, Train

from .base import Analysis, Column, Picture, Table, drivetrain_of
from .picture import Curve


def stage_meshes(
    source: Any, stage: str | None, overrides: Sequence[str] = (), mesh: str | None = None
) -> tuple[Train, list[Mesh]]:
    """The train, and one mesh of each kind of a stage (of the first planet), or the mesh asked for.

    Raises DrivetrainError with the names there are.
    """
    train = expand(drivetrain_of(source, overrides))
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


@dataclass(frozen=True)
class PathFacts:
    """Path of contact as arcs on the first wheel [m]."""

    start: float
    end: float
    pitch_point: float
    length_between_tangents: float


@dataclass(frozen=True)
class Region:
    """A part of the path of contact with a number of pairs."""

    begin: float = field(metadata=named("from"))
    to: float
    pairs: int


@dataclass(frozen=True)
class Phases:
    """Phases of a mesh on both flanks [cycles], and how they were found."""

    drive: float
    coast: float
    source: str


@dataclass(frozen=True)
class ReliefFacts:
    """Tip relief: amount [m] at the tip, diameter [m] where it begins, shape."""

    amount: float
    start_diameter: float
    shape: str


@dataclass(frozen=True)
class GearFacts:
    """A wheel of a mesh; m, angles in degrees."""

    body: str
    teeth: int
    module: float
    ring: bool
    pressure_angle_deg: float
    helix_angle_deg: float
    profile_shift: float
    face_width: float | None
    reference_diameter: float
    base_diameter: float
    tip_diameter: float
    root_diameter: float
    form_diameter: float
    tip_thickness: float
    thickness_at_reference: float
    rim_diameter: float | None
    relief: ReliefFacts | None


@dataclass(frozen=True)
class ToothGeometry:
    """Teeth of a mesh; m, angles in degrees."""

    between: tuple[str, str]
    internal: bool
    centre_distance: float
    working_pressure_angle_deg: float
    working_radii: tuple[float, float]
    transverse_contact_ratio: float
    overlap_ratio: float
    total_contact_ratio: float
    base_pitch: float
    path: PathFacts
    regions: Sequence[Region]
    normal_backlash: float
    tip_clearances: tuple[float, float]
    fillet_margins: tuple[float, float]
    trochoid_margin: float | None
    phases: Mapping[str, Phases]
    gears: tuple[GearFacts, GearFacts]
    findings: Sequence[Check]


@dataclass(frozen=True, repr=False, eq=False)
class GearGeometry(Analysis):
    """Geometry of a stage's teeth: by mesh circles, thicknesses, path of contact, regions, ratios, phases, findings; m, angles in
    degrees."""

    name: str
    stage: str
    unit: str
    meshes: Mapping[str, ToothGeometry]

    @property
    def title(self) -> str:
        """Train and stage."""
        return f"{self.name}, {self.stage}"

    def shown(self) -> Iterator[Table | str]:
        """Both gears of every mesh, contact ratio, path, phases, findings."""
        for name, mesh in self.meshes.items():
            one, two = mesh.gears
            rows: list[list[Any]] = [["teeth", one.teeth, two.teeth]]
            rows += [[label, *(factor * getattr(gear, key) for gear in mesh.gears)] for label, key, factor in _OF_GEARS]
            rows += [
                [label, *(f"{1e3 * x:.5g}" for x in found)]
                for label, found in (
                    ("tip clearance mm", mesh.tip_clearances),
                    ("path to fillet mm", mesh.fillet_margins),
                )
            ]
            yield Table(name, ["", *(Column(gear.body, "", 7) for gear in (one, two))], rows)
            yield from _sentences(mesh)

    def picture(self) -> Picture:
        """Pairs in contact over the path."""
        curves = []
        for name, mesh in self.meshes.items():
            x = [1e3 * v for r in mesh.regions for v in (r.begin, r.to)]
            curves.append(Curve(name, x, [r.pairs for r in mesh.regions for _ in range(2)]))
        return Picture("arc on the first wheel [mm]", "pairs in contact", curves)


_OF_GEARS = (
    ("profile shift", "profile_shift", 1.0),
    ("reference diameter mm", "reference_diameter", 1e3),
    ("base diameter mm", "base_diameter", 1e3),
    ("tip diameter mm", "tip_diameter", 1e3),
    ("root diameter mm", "root_diameter", 1e3),
    ("involute from diameter mm", "form_diameter", 1e3),
    ("tip thickness mm", "tip_thickness", 1e3),
)


def _sentences(mesh: ToothGeometry) -> Iterator[str]:
    p, first = mesh.path, mesh.gears[0].body
    overlap = f" in the transverse section, overlap ratio {mesh.overlap_ratio:.4f}" if mesh.overlap_ratio else ""
    yield (
        f"contact ratio {mesh.transverse_contact_ratio:.4f}{overlap}, working pressure angle "
        f"{mesh.working_pressure_angle_deg:.4f} deg, centre distance {1e3 * mesh.centre_distance:.6g} mm, "
        f"backlash {round(1e6 * mesh.normal_backlash, 3) + 0.0:.4g} um along the line of action"
    )
    regions = ", ".join(f"{1e3 * r.begin:.3f} to {1e3 * r.to:.3f} ({r.pairs})" for r in mesh.regions)
    yield f"path of contact, arc on {first}: {1e3 * p.start:.3f} to {1e3 * p.end:.3f} mm, pairs: {regions}"
    yield "phases: " + ", ".join(f"{name.rsplit('.', 1)[-1]} {at.drive:.4f}" for name, at in mesh.phases.items())
    yield from (f"{c.level}: {c}" for c in mesh.findings)


def gear(drivetrain: Any, stage: str | None = None, *, overrides: Sequence[str] = ()) -> GearGeometry:
    """Geometry of the teeth of a stage; ``stage`` is needed where there are several. Raises DrivetrainError or GeometryError."""
    train, meshes = stage_meshes(drivetrain, stage, overrides)
    found = {}
    for mesh in meshes:
        pair = tooth_pair(mesh)
        p = pair.path
        like = [m for m in train.meshes.values() if m.stage == mesh.stage and m.internal == mesh.internal]
        found[mesh.name] = alike(
            ToothGeometry,
            pair,
            between=mesh.between,
            centre_distance=pair.distance,
            working_pressure_angle_deg=math.degrees(pair.working_angle),
            transverse_contact_ratio=pair.contact_ratio,
            total_contact_ratio=pair.contact_ratio + pair.overlap_ratio,
            base_pitch=p.base_pitch,
            path=PathFacts(p.start, p.end, p.pitch_point, p.s_c),
            regions=[Region(*region) for region in pair.regions],
            normal_backlash=pair.backlash,
            phases={m.name: Phases(m.phase, m.coast_phase, m.phase_source) for m in like},
            gears=(_gear(pair.one, mesh.between[0]), _gear(pair.two, mesh.between[1])),
            findings=pair.checks(),
        )
    unit = "SI: m, m/m, N; angles in degrees"
    return GearGeometry(train.name, str(meshes[0].stage), unit, found)


def _gear(gear: Gear, body: str) -> GearFacts:
    relief = gear.relief
    return alike(
        GearFacts,
        gear,
        body=body,
        pressure_angle_deg=math.degrees(gear.pressure_angle),
        helix_angle_deg=math.degrees(gear.helix_angle),
        profile_shift=gear.shift,
        reference_diameter=2.0 * gear.reference_radius,
        base_diameter=2.0 * gear.base_radius,
        tip_diameter=2.0 * gear.tip_radius,
        root_diameter=2.0 * gear.root_radius,
        form_diameter=2.0 * gear.radius(gear.form_arc),
        thickness_at_reference=gear.thickness(max(gear.reference_radius, gear.base_radius)),
        rim_diameter=None if gear.rim is None else 2.0 * gear.rim,
        relief=None if relief is None else ReliefFacts(relief.amount, 2.0 * relief.start, relief.shape),
    )


def write_outlines(
    drivetrain: Any, target: str | Path, stage: str | None = None, *, overrides: Sequence[str] = ()
) -> list[Path]:
    """Outline of every wheel of a stage as ``target`` with the wheel's name before the suffix (dxf, svg, csv)."""
    target = Path(target)
    _, meshes = stage_meshes(drivetrain, stage, overrides)
    gears: dict[str, Gear] = {}
    for mesh in meshes:
        pair = tooth_pair(mesh)
        for gear in (pair.one, pair.two):
            gears.setdefault(gear.name, gear)
    return [write_outline(g, target.with_name(f"{target.stem}-{name}{target.suffix}")) for name, g in gears.items()]
