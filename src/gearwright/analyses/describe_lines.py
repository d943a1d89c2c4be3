"""A train's description as lines for a terminal."""

from __future__ import annotations

from typing import Any


def table_lines(head: list[str], rows: list[list[str]]) -> list[str]:
    """A table for a terminal, the first column to the left."""
    widths = [max(len(r[i]) for r in [head, *rows]) for i in range(len(head))]
    out = []
    for row in [head, *rows]:
        cells = [row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))]
        out.append("  " + "  ".join(cells).rstrip())
    return out


def _number(x: Any, factor: float = 1.0, digits: int = 5) -> str:
    return "" if x is None else f"{factor * x + 0.0:.{digits}g}"


def describe_lines(data: dict[str, Any], drivetrain: Any) -> list[str]:
    """Lines that say what a file holds, what was derived, and what to watch."""
    lines = [f"{data['name']}: {drivetrain.source or 'no source given'}"]
    operating = data["operating"]
    if data["input"]:
        point = f"input {data['input']}, output {data['output']}"
        if data["speed_ratio"]:
            point += f", speed ratio output/input {data['speed_ratio']:.6g}"
        if operating["speed_rpm"] is not None:
            point += f", {operating['speed_rpm']:.4g} rpm"
        if operating["torque"] is not None:
            point += f", {operating['torque'] / 1e3:.5g} kN m"
        if operating["power"]:
            point += f", {operating['power'] / 1e3:.5g} kW"
        lines.append(point)
    rows = [
        [name, b["role"], _number(b["mass"]), _number(b["inertia"]), _number(b["speed_ratio"], digits=6),
         _number(b["speed_rpm"]), "fixed" if b["fixed"] else (b["on"] or "")]
        for name, b in data["bodies"].items()
    ]  # fmt: skip
    lines += ["", "bodies", *table_lines(["", "role", "mass kg", "inertia kg m2", "speed/input", "rpm", "on"], rows)]
    if data["meshes"]:
        rows = [
            [name, "-".join(m["between"]), "/".join(map(str, m["teeth"])) if m["teeth"] else "",
             "/".join(f"{1e3 * r:.4g}" for r in m["base_radius"] or ()), _number(m["pressure_angle_deg"]),
             _number(m["contact_ratio"]), _number(m["mean_stiffness"], 1e-9), _number(m["mesh_frequency"]),
             f"{m['phase']:.4f} ({m['phase_source']})"]
            for name, m in data["meshes"].items()
        ]  # fmt: skip
        head = [
            "",
            "between",
            "teeth",
            "base radii mm",
            "angle deg",
            "contact ratio",
            "stiffness GN/m",
            "mesh Hz",
            "phase",
        ]
        lines += ["", "meshes", *table_lines(head, rows)]
        if data["contact_points"] and data["model"].get("law") == "tooth_contact":
            lines.append(f"  {data['contact_points']} contact points: both flanks, contact ratios rounded up")
    if data["bearings"]:
        rows = []
        for name, b in data["bearings"].items():
            k = b["stiffness"]
            rows.append([name, "-".join(b["between"]), _number(k[0][0] if k else None, 1e-9), _number(k[1][1] if k else None, 1e-9),
                         _number(b["torsional"])])  # fmt: skip
        lines += ["", "bearings", *table_lines(["", "between", "ky GN/m", "kz GN/m", "k about x N m/rad"], rows)]
    if data["shafts"]:
        rows = [
            [n, "-".join(s["between"]), _number(s["torsional"]), _number(s["lateral"])]
            for n, s in data["shafts"].items()
        ]
        lines += ["", "shafts", *table_lines(["", "between", "torsion N m/rad", "lateral N/m"], rows)]
    if data["derived"]:
        lines += ["", "derived", *(f"  {sentence}" for sentence in data["derived"])]
    if drivetrain.assumed:
        lines += ["", "assumed by the file", *(f"  {a}" for a in drivetrain.assumed)]
    if drivetrain.not_claimed:
        lines += ["", "not claimed: " + ", ".join(drivetrain.not_claimed)]
    lines.append("")
    return lines
