"""Page of modified flanks: what is taken off, swing over torque, Harris map, contact before and after, tolerances, the run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gearwright.figures.figures import HUES, Figure, axis, heatmap, layout, line, plot
from gearwright.figures.tables import Column, Table, numbers, words
from gearwright.sizing.flank_maps import Pressed, harris, pressed, relief_map
from gearwright.sizing.flank_run import Moved
from gearwright.sizing.modified import Loaded, Modification
from gearwright.stiffness.flanks import Carried
from gearwright.stiffness.quietest import Scene

from .blocks import Beside, Block, Section, Words
from .document import Page


def write_modify_page(found: Modification, path: str | Path) -> Path:
    """Write the page of a :class:`gearwright.sizing.modified.Modification`."""
    sections = [Section("flanks", "Modifications", [_wheels(found), _tolerance(found), *_forms(found)])]
    heaviest = _heaviest(found)
    for i, (mesh, (scene, before, after)) in enumerate(heaviest.items()):
        of = [x for x in found.loads if x.mesh == mesh]
        blocks: list[Block] = [_loads(mesh, of), *_swing(mesh, of), *_harris(found, scene)]
        blocks += [
            Words(
                "Contact: largest Hertz pressure over the mesh cycle at the largest torque, over the flank of the first wheel."
            )
        ]
        blocks += [Beside(_contact(mesh, scene, before, after))]
        sections.append(Section(f"mesh{i + 1}", mesh, blocks))
    if found.runs is not None:
        sections.append(Section("run", "In motion", _run(found.runs)))
    best = max(found.loads, key=lambda x: x.swing_after)
    plain = max(x.swing_without for x in found.loads)
    facts = [
        f"largest swing {1e6 * best.swing_after:.3g} µm, {1e6 * plain:.3g} µm without",
        f"largest K_Hbeta {max(x.face_after for x in found.loads):.4g}, {max(x.face_without for x in found.loads):.4g} without",
        f"stiffness of teeth by {found.method}",
    ]
    title = f"{found.title}: modified flanks"
    return Page(title, found.name, sections, facts, head=title, remarks=found.remarks).write(path)


def _heaviest(found: Modification) -> dict[str, tuple[Scene, Carried, Carried]]:
    """Of every mesh the scene of the largest load, at the misalignment in the middle."""
    by_mesh: dict[str, list[tuple[Scene, Carried, Carried]]] = {}
    for scene, before, after in found.scenes():
        by_mesh.setdefault(scene.mesh, []).append((scene, before, after))
    chosen = {}
    for mesh, scenes in by_mesh.items():
        top = max(s.force for s, _, _ in scenes)
        heavy = sorted((x for x in scenes if x[0].force == top), key=lambda x: x[0].tilt)
        chosen[mesh] = heavy[len(heavy) // 2]
    return chosen


def _wheels(found: Modification) -> Table:
    columns = [
        *words("Wheel", "Form"),
        *numbers("Relief µm", "From diameter mm", "Length on the flank mm", "Crowning µm", "Lead slope µm", "Bias µm"),
    ]
    rows = [
        [
            f.wheel,
            f.form if f.amount else "none",
            1e6 * f.amount,
            1e3 * f.start if f.amount else None,
            1e3 * f.length if f.amount else None,
        ]
        + [1e6 * x for x in (f.crowning, f.slope, f.bias)]
        for f in found.wheels
    ]
    note = "Lead slope: taken off at the end at larger x over the other. Length: of the base-circle arc from the start of the relief to the tip."
    return Table("flanks-table", "What is taken off the flanks", columns, rows, note=note)


def _tolerance(found: Modification) -> Table:
    columns = [*words("What is off"), *numbers("By µm", "Largest swing µm", "Largest K_Hbeta")]
    rows = [[c.what, 1e6 * c.deviation if c.deviation else None, 1e6 * c.swing, c.face] for c in found.tolerance]
    worst = max(range(len(rows)), key=lambda i: found.tolerance[i].swing)
    return Table("tolerance-table", "What a tolerance costs", columns, rows, governing=worst if worst else None)


def _forms(found: Modification) -> list[Block]:
    if len(found.forms) < 2:
        return []
    rows = [[f.form, 1e6 * f.swing, f.face, f.evaluations] for f in found.forms]
    columns = [*words("Form"), *numbers("Largest swing µm", "Largest K_Hbeta", "Evaluations")]
    return [Table("forms-table", "Forms of relief that were tried", columns, rows)]


def _loads(mesh: str, of: Sequence[Loaded]) -> Table:
    names = (
        "Torque [N m]",
        "Skew µm",
        "Swing plain µm",
        "Before µm",
        "After µm",
        "K_Hbeta plain",
        "K before",
        "K after",
    )
    columns = [*numbers(*names), Column("Pressure before", "Pa"), Column("Pressure after", "Pa")]
    rows = [
        [
            x.torque,
            *(1e6 * v for v in (x.tilt, x.swing_without, x.swing_before, x.swing_after)),
            x.face_without,
            x.face_before,
            x.face_after,
            x.pressure_before,
            x.pressure_after,
        ]
        for x in of
    ]
    note = "Torque on the first wheel of the mesh. Plain: without what is free; before: as the file has it."
    return Table(f"loads-{mesh}", "Swing of the transmission error, K_Hbeta, Hertz pressure", columns, rows, note=note)


def _swing(mesh: str, of: Sequence[Loaded]) -> list[Block]:
    """Swing and K_Hbeta over torque: the largest over misalignments."""
    torques = sorted({x.torque for x in of})

    def largest(what: str) -> list[float]:
        return [max(getattr(x, what) for x in of if x.torque == t) for t in torques]

    found: list[Block] = []
    for key, title, factor in (("swing", "swing of the transmission error [µm]", 1e6), ("face", "K_Hbeta [-]", 1.0)):
        if key == "face" and max(x.face_without for x in of) < 1.001:
            continue
        traces = [
            line(name, torques, [factor * v for v in largest(f"{key}_{what}")], colour, mode="lines+markers")
            for name, what, colour in (
                ("plain", "without", "ink/0.5"),
                ("before", "before", "wheel"),
                ("after", "after", "sun"),
            )
        ]
        drawn = layout(
            "torque on the first wheel [N m]", axis(title, rangemode="tozero" if key == "swing" else "normal")
        )
        says = "Swing" if key == "swing" else "K_Hbeta"
        found.append(plot(f"{mesh}-{key}", f"{says} over torque, the largest of the misalignments.", traces, drawn))
    return found


def _harris(found: Modification, scene: Scene) -> list[Block]:
    """Errors over the cycle by load, and swing over load and relief."""
    curves = harris(scene, found.before, found.after)
    blocks: list[Block] = []
    for name, errors in (("before", curves.before), ("after", curves.after)):
        traces = [
            line(f"{t:.5g} N m", curves.phase.tolist(), (1e6 * e).tolist(), HUES[i % len(HUES)])
            for i, (t, e) in enumerate(zip(curves.torque, errors, strict=True))
        ]
        says = f"Transmission error over the mesh cycle by torque, {name}."
        drawn = layout("mesh cycle from entry of a pair", "approach [µm]")
        blocks.append(plot(f"{scene.mesh}-errors-{name}", says, traces, drawn))
    pair: list[Block] = [Beside(blocks)]
    if not any(found.after[key].amount for key in scene.wheels):
        return pair
    chosen = relief_map(scene, found.after)
    trace = heatmap(chosen.torque.tolist(), (100.0 * chosen.parts).tolist(), (1e6 * chosen.swing).tolist(), "µm")
    drawn = layout("torque on the first wheel [N m]", "relief [% of the chosen one]", 380)
    says = "Harris map: swing over torque and amount of the relief; along its valley the error is even."
    return [*pair, plot(f"{scene.mesh}-harris", says, [trace], drawn)]


def _contact(mesh: str, scene: Scene, before: Carried, after: Carried) -> list[Figure]:
    """The flank before and after, in the same colours."""
    pictures = [pressed(scene.flanks, c) for c in (before, after)]
    top = 1e-6 * max(float(np.nanmax(p.pressure)) for p in pictures)
    return [
        _flank(f"{mesh}-contact-{name}", f"Contact {name}.", picture, top)
        for name, picture in zip(("before", "after"), pictures, strict=True)
    ]


def _flank(key: str, says: str, found: Pressed, top: float) -> Figure:
    values: Any = (1e-6 * found.pressure).tolist()
    values = [[None if x != x else x for x in row] for row in values]
    trace = heatmap((1e3 * found.arc).tolist(), (100.0 * found.place).tolist(), values, "MPa", zmin=0.0, zmax=top)
    return plot(key, says, [trace], layout("arc of the flank [mm]", "place on the face [%]", 300))


def _run(runs: Moved) -> list[Block]:
    """Forces before and after: figures, and the last cycles."""
    columns = [
        *words("Mesh"),
        *numbers(
            "Mean [N]", "Deviation before [N]", "Deviation after [N]", "Peak over mean before", "Peak over mean after"
        ),
    ]
    rows = [
        [m.mesh, m.mean_after, m.deviation_before, m.deviation_after, m.peak_before, m.peak_after] for m in runs.meshes
    ]
    note = f"Case {runs.case}, {runs.duration:g} s, fidelity {runs.fidelity}, law {runs.law}, by the same engine before and after."
    blocks: list[Block] = [Table("run-table", "Mesh force in motion", columns, rows, note=note)]
    time = (1e3 * (runs.time - runs.time[0])).tolist()
    for m in runs.meshes:
        traces = [
            line(name, time, (1e-3 * forces[m.mesh]).tolist(), colour)
            for name, forces, colour in (("before", runs.before, "wheel"), ("after", runs.after, "sun"))
        ]
        drawn = layout("time [ms]", "mesh force [kN]")
        blocks.append(
            plot(f"{m.mesh}-force", f"Force of {m.mesh} over the last mesh cycles of the run.", traces, drawn)
        )
    return blocks
