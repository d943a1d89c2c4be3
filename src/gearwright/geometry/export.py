"""The outline of a gear as DXF, SVG or CSV. Lengths in millimetres, the gear's centre at the origin."""

from __future__ import annotations

from pathlib import Path

from gearwright.parts import whole

from .gear import Gear, GeometryError
from .outline import outline


def as_csv(gear: Gear) -> str:
    """Points of the closed outline, one a line."""
    points = 1e3 * outline(gear)
    return "x_mm,y_mm\n" + "".join(f"{x:.6f},{y:.6f}\n" for x, y in points.T)


def as_svg(gear: Gear) -> str:
    """The outline with tip, reference, base and bore (or rim) circles; one unit is a millimetre."""
    points = 1e3 * outline(gear)
    path = "M" + "L".join(f"{x:.4f} {-y:.4f}" for x, y in points.T) + "Z"
    radius = 1e3 * max(gear.root_radius, gear.tip_radius, gear.rim or 0.0)
    side, line = 1.04 * radius, radius / 500.0
    circles = [
        (gear.reference_radius, f'stroke-dasharray="{8 * line:.3f} {3 * line:.3f} {line:.3f} {3 * line:.3f}"'),
        (gear.base_radius, f'stroke-dasharray="{4 * line:.3f} {3 * line:.3f}"'),
    ]
    if gear.rim is not None:
        circles.append((gear.rim, ""))
    drawn = "".join(
        f'<circle r="{1e3 * r:.4f}" fill="none" stroke="#777" stroke-width="{0.6 * line:.3f}" {dash}/>'
        for r, dash in circles
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-side:.3f} {-side:.3f} {2 * side:.3f} {2 * side:.3f}">'
        f"<title>{gear.name}: {gear.teeth} teeth, module {1e3 * gear.module:g} mm</title>{drawn}"
        f'<path d="{path}" fill="none" stroke="#123" stroke-width="{line:.3f}" stroke-linejoin="round"/></svg>\n'
    )


def as_dxf(gear: Gear) -> str:
    """A drawing in DXF R12: the outline as closed polyline on layer OUTLINE, circles on layer CIRCLES."""
    lines = [
        "0",
        "SECTION",
        "2",
        "HEADER",
        "9",
        "$ACADVER",
        "1",
        "AC1009",
        "0",
        "ENDSEC",
        "0",
        "SECTION",
        "2",
        "ENTITIES",
    ]
    lines += ["0", "POLYLINE", "8", "OUTLINE", "66", "1", "70", "1", "10", "0.0", "20", "0.0", "30", "0.0"]
    for x, y in (1e3 * outline(gear)).T:
        lines += ["0", "VERTEX", "8", "OUTLINE", "10", f"{x:.6f}", "20", f"{y:.6f}", "30", "0.0"]
    lines += ["0", "SEQEND", "8", "OUTLINE"]
    for r in (gear.reference_radius, gear.base_radius, *([gear.rim] if gear.rim is not None else [])):
        lines += ["0", "CIRCLE", "8", "CIRCLES", "10", "0.0", "20", "0.0", "30", "0.0", "40", f"{1e3 * r:.6f}"]
    return "\n".join([*lines, "0", "ENDSEC", "0", "EOF"]) + "\n"


_FORMATS = {".dxf": as_dxf, ".svg": as_svg, ".csv": as_csv}


def write_outline(gear: Gear, path: Path) -> Path:
    """Write the outline in the format of the file's suffix. Raises GeometryError for another suffix."""
    writer = _FORMATS.get(path.suffix.lower())
    if writer is None:
        raise GeometryError(f"'{path.name}': an outline is written as {', '.join(_FORMATS)}")
    with whole(path) as part:
        part.write_text(writer(gear), encoding="ascii")
    return path
