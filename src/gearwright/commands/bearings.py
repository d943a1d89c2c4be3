"""``gearwright bearing`` and ``gearwright envelope``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from gearwright.console import (
    Band,
    Fidelity,
    File,
    Json,
    Set,
    mendable,
    number,
    print_figures,
    say,
    say_remarks,
    table,
    writes,
)
from gearwright.remarks import Remark, assumed, sorted_remarks

Quantity = Annotated[str | None, typer.Option(help="Load that replaces the one of the file, such as '90 kN'.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(bearing)
    app.command()(envelope)


def bearing(
    file: File, radial: Quantity = None, axial: Quantity = None,
    speed: Annotated[str | None, typer.Option(help="Speed of the inner ring against the outer ring, such as '31.46 rpm'.")] = None,
    fidelity: Fidelity = None, set_: Set = None, json: Json = False,
    matrix: Annotated[bool, typer.Option("--matrix", help="Print the whole stiffness matrix too.")] = False,
    output: Annotated[Path | None, typer.Option("-o", "--output", callback=writes(".html"), help="Write a page with the load zones (.html).")] = None,
) -> None:  # fmt: skip
    """Rate the rolling bearings of a drivetrain or a bearing file: stiffness, element loads, contact stress, life, frequencies."""
    with mendable():
        from gearwright.analyses.bearing import bearings_of_file

        given = {"radial": radial, "axial": axial, "speed": speed}
        data = bearings_of_file(file, set_ or (), fidelity, {k: v for k, v in given.items() if v is not None})
        data = {**data, **sorted_remarks(_remarks(data["bearings"]))}
        page = None
        if output is not None:
            from gearwright.pages.bearing_page import bearing_page

            page = bearing_page(data, output)
        if json:
            print_figures({**data, "page": page})
            return
        found = data["bearings"]
        table(f"Bearings of {data['name']} ({data['operating']})",
              ["bearing", "type", "radial kN", "axial kN", "rpm", "loaded", "Q max kN", "Stribeck", "Hertz MPa", "IEC MPa"],
              [_load_row(name, b) for name, b in found.items()])  # fmt: skip
        table("Stiffness at this load",
              ["bearing", "ky N/m", "kz N/m", "kx N/m", "tilt y N m/rad", "tilt z N m/rad", "displacement um"],
              [_stiffness_row(name, b) for name, b in found.items()])  # fmt: skip
        table("Life of one bearing",
              ["bearing", "C kN", "P kN", "L10 Mrev", "L10h h", "modified h", "P ref kN", "reference h", "S0"],
              [_life_row(name, b) for name, b in found.items()])  # fmt: skip
        table("Passing frequencies",
              ["bearing", "elements", "BPFO Hz", "BPFI Hz", "BSF Hz", "FTF Hz", "orders BPFO", "BPFI", "BSF", "FTF"],
              [[name, _elements(b["geometry"]), *(number(b["frequencies"]["hz"][k], 5) for k in ("bpfo", "bpfi", "bsf", "ftf")),
                *(number(b["frequencies"]["orders"][k], 5) for k in ("bpfo", "bpfi", "bsf", "ftf"))]
               for name, b in found.items()])  # fmt: skip
        say_remarks(data)
        if matrix:
            for name, b in found.items():
                order = b["stiffness"]["order"]
                rows = [
                    [motion, *(number(float(x), 5) for x in row)]
                    for motion, row in zip(order, b["stiffness"]["matrix"], strict=True)
                ]
                table(f"Stiffness of {name}, N/m, N/rad, N m/rad", ["", *order], rows)
        if page is not None:
            say(f"page: {page}")


def _load_row(name: str, b: dict[str, Any]) -> list[str]:
    contact, load = b["contact"], b["load"]
    line = contact.get("iec_61400_4") or {}
    kind = b["type"].replace("_", "-") + (f" x {load['count']}" if load["count"] > 1 else "")
    return [
        name, kind, number(1e-3 * load["radial"]), number(1e-3 * load["axial"]), number(load["speed"] * 9.549296585513721),
        f"{contact['loaded_elements']}", number(1e-3 * contact["largest_element_load"]), number(contact["stribeck_factor"]),
        number(1e-6 * max(contact["pressure_inner"], contact["pressure_outer"])),
        number(1e-6 * line["largest_pressure"]) if line else "",
    ]  # fmt: skip


def _elements(geometry: dict[str, Any]) -> str:
    """Number of elements of a row, and whether somebody gave it."""
    return f"{geometry['elements']}" + (
        "" if geometry["elements_given"] or not geometry["estimated"] else " (estimated)"
    )


def _stiffness_row(name: str, b: dict[str, Any]) -> list[str]:
    k, d = b["stiffness"]["matrix"], b["stiffness"]["displacement"]
    moved = float((d[0] ** 2 + d[1] ** 2 + d[2] ** 2) ** 0.5)
    return [name, *(number(float(k[i, i])) for i in (1, 2, 0, 4, 5)), number(1e6 * moved)]


def _life_row(name: str, b: dict[str, Any]) -> list[str]:
    life = b["life"]
    return [
        name, number(1e-3 * b["ratings"]["dynamic"]), number(1e-3 * life["equivalent_load"]),
        number(life["basic_life_million_turns"]), number(life["basic_life_hours"], 5),
        number(life["modified_life_hours"], 5), number(1e-3 * life["reference_load"]),
        number(life["reference_life_hours"], 5), number(life["static_safety"]),
    ]  # fmt: skip


def _remarks(found: dict[str, Any]) -> list[str]:
    """Remarks under the tables; what holds for several bearings is said once."""
    said: dict[str, list[str]] = {}
    for name, b in found.items():
        for note in _notes(b):
            said.setdefault(note, []).append(name)
    made: list[str] = []
    for note, names in said.items():
        which = names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
        made.append(Remark(f"{which}: {note}", getattr(note, "kind", "notes")))
    return made


def _notes(b: dict[str, Any]) -> list[str]:
    notes: list[str] = []
    which = [w for w in ("dynamic", "static") if b["ratings"][f"{w}_source"] != "given"]
    if which:
        notes.append(assumed(f"{' and '.join(which)} rating from its geometry; give the catalogue's"))
    g, life = b["geometry"], b["life"]
    if g["estimated"]:
        notes.append(assumed(f"{g['estimate']}; stiffness is good to some ten per cent"))
    if life["reference_profile"]:
        notes.append(assumed(f"reference life with {life['reference_profile']}, since the file gives no slices"))
    line = b["contact"].get("iec_61400_4") or {}
    if line.get("utilisation") is not None:
        notes.append(f"line contact at {line['utilisation']:.3g} of its limit")
    if life.get("modified_life_needs"):
        notes.append(f"the modified life needs {life['modified_life_needs']}")
    return notes


def envelope(
    result: Annotated[Path, typer.Argument(help="The result (.nc) of a run.")],
    channel: Annotated[str, typer.Option(help="Channel as element.quantity, such as right_support.acceleration_z.")],
    band: Band = None,
    begin: Annotated[float | None, typer.Option("--from", help="Time from which on it counts, in s. Without it: as the case discards.")] = None,
    threshold: Annotated[float, typer.Option(help="What is a pulse: so many times the median of the envelope.")] = 3.0,
    level: Annotated[float | None, typer.Option(help="Level from which on a comb counts, in the channel's unit. Without it: 0.1 m/s^2, or 2 % of the mean.")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", callback=writes(".html"), help="Write series, pulses and spectrum as a page (.html).")] = None,
    json: Json = False,
) -> None:  # fmt: skip
    """Look for bearing damage in a channel: envelope spectrum and shock pulses against the passing frequencies."""
    with mendable():
        from gearwright.analyses.envelope import envelope_of_result, found_words
        from gearwright.pages.envelope_page import envelope_page

        data = envelope_of_result(result, channel, band, begin, threshold, level)
        if output is not None:
            envelope_page(data, output)
        if json:
            print_figures({k: v for k, v in data.items() if k not in ("time", "series", "envelope")})
            return
        rows = [
            [
                c["name"],
                number(c["nominal_hz"], 6),
                number(c["frequency_hz"], 6),
                number(c["strength"]),
                number(c["level"], 3),
                c["what"],
            ]
            for c in data["combs"]
        ]
        head = ["name", "nominal Hz", "in the record Hz", "strength", f"level {data['unit']}", "what"]
        table(f"Combs in the envelope of {channel}", head, rows)
        say(found_words(data))
        pulses = data["pulses"]
        say(
            f"{pulses['per_second']:.4g} pulses per second above {threshold:g} times the median of the envelope, "
            f"median interval {number(1e3 * (pulses['median_interval'] or float('nan')), 5)} ms"
        )
        say(
            f"root mean square {data['root_mean_square']:.4g} {data['unit']}, crest factor {number(data['crest_factor'])}, "
            f"kurtosis {number(data['kurtosis'])}; {data['method']}"
        )
        say_remarks(data)
