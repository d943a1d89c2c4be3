"""``gearwright gear``, ``gearwright stiffness`` and ``gearwright ste``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from gearwright.console import File, Json, Set, mendable, number, print_figures, say, table, writes

Stage = Annotated[str | None, typer.Option(help="Name of the stage; needed where there are several.")]
Page = Annotated[
    Path | None,
    typer.Option("-o", "--output", callback=writes(".html"), help="Write the pictures as one page (.html)."),
]
Method = Annotated[str, typer.Option(help="Where the stiffness comes from: fe, iso6336 or analytic.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(gear)
    app.command()(stiffness)
    app.command()(ste)


def gear(
    file: File, stage: Stage = None, set_: Set = None, json: Json = False,
    output: Annotated[Path | None, typer.Option("-o", "--output", callback=writes(".dxf", ".svg", ".csv", ".html"), help="Write every wheel's outline (.dxf, .svg or .csv), or the pictures as one page (.html).")] = None,
    page: Annotated[Path | None, typer.Option("--page", callback=writes(".html"), help="Write the pictures as one page (.html), beside outlines.")] = None,
) -> None:  # fmt: skip
    """Show the geometry of a stage's teeth: circles, contact ratios, phases, clearances, warnings."""
    with mendable():
        from gearwright.analyses.teeth import gear_of_file, write_outlines
        from gearwright.pages.teeth_page import teeth_page

        data = gear_of_file(file, stage, set_ or ())
        drawn = output is not None and output.suffix.lower() == ".html"
        written = write_outlines(file, stage, set_ or (), output) if output is not None and not drawn else []
        for target in (output if drawn else None, page):
            if target is not None:
                written.append(teeth_page(file, stage, target, set_ or (), flanks_alone=True))
        if json:
            print_figures(data)
            return
        for name, mesh in data["meshes"].items():
            _gear_table(name, mesh)
        for path in written:
            say(f"wrote {path}")


def _gear_table(name: str, mesh: dict[str, Any]) -> None:
    one, two = mesh["gears"]
    rows = [["teeth", str(one["teeth"]), str(two["teeth"])]]
    for label, key, factor in (
        ("profile shift", "profile_shift", 1.0), ("reference diameter mm", "reference_diameter", 1e3),
        ("base diameter mm", "base_diameter", 1e3), ("tip diameter mm", "tip_diameter", 1e3),
        ("root diameter mm", "root_diameter", 1e3), ("involute from diameter mm", "form_diameter", 1e3),
        ("tip thickness mm", "tip_thickness", 1e3),
    ):  # fmt: skip
        rows.append([label, number(factor * one[key], 7), number(factor * two[key], 7)])
    for label, key in (("tip clearance mm", "tip_clearances"), ("path to fillet mm", "fillet_margins")):
        rows.append([label, *(number(1e3 * x, 5) for x in mesh[key])])
    table(name, ["", one["body"], two["body"]], rows)
    p = mesh["path"]
    overlap = f" in the transverse section, overlap ratio {mesh['overlap_ratio']:.4f}" if mesh["overlap_ratio"] else ""
    say(
        f"contact ratio {mesh['transverse_contact_ratio']:.4f}{overlap}, working pressure angle "
        f"{mesh['working_pressure_angle_deg']:.4f} deg, centre distance {1e3 * mesh['centre_distance']:.6g} mm, "
        f"backlash {round(1e6 * mesh['normal_backlash'], 3) + 0.0:.4g} um along the line of action"
    )
    regions = ", ".join(f"{1e3 * r['from']:.3f} to {1e3 * r['to']:.3f} ({r['pairs']})" for r in mesh["regions"])
    say(f"path of contact, arc on {one['body']}: {1e3 * p['start']:.3f} to {1e3 * p['end']:.3f} mm, pairs: {regions}")
    phases = ", ".join(f"{k.rsplit('.', 1)[-1]} {v['drive']:.4f}" for k, v in mesh["phases"].items())
    say(f"phases: {phases}")
    for c in mesh["findings"]:
        say(f"{c['level']}: {c['message']}; {c['cure']}")


def stiffness(
    file: File, stage: Stage = None, method: Method = "fe", set_: Set = None, json: Json = False, output: Page = None,
) -> None:  # fmt: skip
    """Find the stiffness of a stage's meshes over the cycle, load sharing, and stresses at operating torque."""
    with mendable():
        from gearwright.analyses.teeth import stiffness_of_file
        from gearwright.pages.teeth_page import teeth_page

        data = stiffness_of_file(file, stage, method, set_ or ())
        if output is not None:
            teeth_page(file, stage, output, set_ or (), method if method != "iso6336" else "fe")
        if json:
            print_figures(data)
            return
        (_iso_table if method == "iso6336" else _curves_table)(data)


def _iso_table(data: dict[str, Any]) -> None:
    rows = [
        [name, number(mesh["mean"], 5), *(number(1e-9 * mesh[k], 5) for k in ("single", "mesh", "mesh_beta")),
         number(1e3 * mesh["face_width"], 5), number(mesh["contact_ratio"], 5)]
        for name, mesh in data["meshes"].items()
    ]  # fmt: skip
    table(f"Mesh stiffness of {data['stage']} (ISO 6336-1, method B)",
          ["mesh", "mean N/m", "c' N/(mm um)", "c_gamma_alpha", "c_gamma_beta", "face width mm", "contact ratio"], rows)  # fmt: skip
    say("mean: c_gamma_alpha times the face width; the standard has no course over the cycle and ignores the load")


def _curves_table(data: dict[str, Any]) -> None:
    rows, stressed = [], False
    for name, mesh in data["meshes"].items():
        loaded = mesh.get("under_load") or {}
        root = loaded.get("largest_root_stress")
        stressed = stressed or root is not None
        rows.append([
            name, number(mesh["mean"], 5), number(mesh.get("highest"), 5), number(mesh.get("lowest"), 5),
            number(mesh["contact_ratio"], 5), *_range(mesh["share"]), number(_times(loaded.get("largest_pressure"), 1e-6)),
            *([] if root is None else [" / ".join(number(1e-6 * float(r)) for r in root)]),
        ])  # fmt: skip
    head = ["mesh", "mean N/m", "highest", "lowest", "contact ratio", "share of one pair", "Hertz MPa"]
    table(f"Mesh stiffness of {data['stage']} ({data['method']})", head + ["root MPa"] * stressed, rows)
    for name, mesh in data["meshes"].items():
        loaded = mesh.get("under_load")
        if loaded is not None:
            what = ", and principal tension along the fillets of first / second wheel" if stressed else ""
            say(
                f"{name}: largest stress over the cycle under {1e-3 * loaded['force']:.4g} kN, the operating force: Hertz{what}"
            )
        say(f"{name}: {mesh['half_width_source']}")
        for tooth in mesh["teeth"]:
            fit = tooth["fit"]
            say(
                f"{name}, {tooth['gear']}: K = {fit['c0']:.4e} {fit['c1']:+.4e} s^2 [N/m, s in m], "
                f"residual {100 * fit['residual']:.1f} %"
            )


def _range(share: Any) -> list[str]:
    """Smallest and largest share of the force on a pair that touches."""
    touching = [float(x) for row in share for x in row if x is not None and float(x) > 0.0]
    return [f"{min(touching):.2f} to {max(touching):.2f}" if touching else ""]


def _times(value: Any, factor: float) -> float | None:
    return None if value is None else factor * float(value)


def ste(
    file: File, stage: Stage = None,
    torque: Annotated[list[str] | None, typer.Option(help="Torque on the first wheel of the mesh, such as '25 kN m'; may be repeated.")] = None,
    method: Annotated[str, typer.Option(help="Where the stiffness comes from: fe or analytic.")] = "fe",
    mesh: Annotated[str | None, typer.Option(help="Which mesh: sun_planet or ring_planet. Without it: all of the stage.")] = None,
    set_: Set = None, json: Json = False, output: Page = None,
) -> None:  # fmt: skip
    """Find the static transmission error under load, with modifications: mean, swing and mesh harmonics over torque."""
    with mendable():
        from gearwright.analyses.teeth import ste_of_file
        from gearwright.pages.teeth_page import teeth_page

        data = ste_of_file(file, stage, torque or (), method, mesh, set_ or ())
        if output is not None:
            teeth_page(file, stage, output, set_ or (), method, torque or (), mesh)
        if json:
            print_figures(data)
            return
        for name, found in data["meshes"].items():
            rows = [
                [number(1e-3 * t, 5), number(1e-3 * f, 5), number(1e6 * m), number(1e6 * p),
                 *(number(1e6 * float(h), 3) for h in hs[:4]), number(1e-6 * q)]
                for t, f, m, p, hs, q in zip(
                    found["torque"], found["force"], found["mean"], found["peak_to_peak"], found["harmonics"],
                    found["largest_pressure"], strict=True,
                )
            ]  # fmt: skip
            table(f"Transmission error of {name}, torque on {found['wheel']}",
                  ["kN m", "force kN", "mean um", "peak-peak um", "1st um", "2nd um", "3rd um", "4th um", "Hertz MPa"], rows)  # fmt: skip
