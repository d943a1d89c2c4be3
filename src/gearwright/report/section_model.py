"""Sections on the model: what is assumed, bodies and stiffness, modes and Campbell diagram."""

from __future__ import annotations

import math
from typing import Any

from gearwright.remarks import remarks_in, train_remarks, warning

from .book import Book, missing, remark_lists
from .campbell import campbell_figure, crossings_of, crossings_table
from .format import number, text
from .palette import colour_token
from .reading import mesh_frequency
from .tables import Column, Table, facts, share_bar

# --- what is assumed -----------------------------------------------------------------------------------------


def assumed(book: Book) -> str:
    """What the file itself says about its data: source, assumptions, limits; and what the run assumed, noted, warns of."""
    source, problem = _file_facts(str(book.run.attribute("drivetrain_text", "")))
    html = ""
    if problem:
        html += missing(problem)
    if source.get("source"):
        html += f"<p>Source of the data: {text(source['source'])}.</p>"
    for key, lead in (
        ("assumed", "The file assumes, since it was not measured or published:"),
        ("claims", "The file claims:"),
        ("not_claimed", "The file does not claim:"),
    ):
        entries = source.get(key)
        if isinstance(entries, str):
            entries = [entries]
        if isinstance(entries, list) and entries:
            html += f"<p>{lead}</p><ul>" + "".join(f"<li>{text(entry)}</li>" for entry in entries) + "</ul>"
        elif key == "assumed" and not problem:
            html += "<p>The drivetrain file names no assumption.</p>"
    return html + remark_lists(_remarks(book))


def _remarks(book: Book) -> list[str]:
    """The remarks of the run; those of older results stand in the description of their train too."""
    run = book.run
    said = remarks_in(run.dataset.attrs)
    said += train_remarks(run.train.notes if run.train else ())
    known = {str(remark) for remark in said}
    older = (run.json("describe_json") or {}).get("warnings", [])
    return said + [warning(str(entry)) for entry in older if str(entry) not in known]


def _file_facts(source: str) -> tuple[dict[str, Any], str]:
    if not source.strip():
        return {}, "The result does not hold the text of its drivetrain file (attribute drivetrain_text)."
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        facts = YAML(typ="safe", pure=True).load(source)
    except (YAMLError, ValueError, RecursionError) as error:
        return {}, f"The text of the drivetrain file cannot be read: {str(error).splitlines()[0]}"
    return (facts, "") if isinstance(facts, dict) else ({}, "The text of the drivetrain file is not a mapping.")


# --- model ---------------------------------------------------------------------------------------------------


def model(book: Book) -> str:
    """Fidelity, degrees of freedom, bodies, stiffness and its sources, derived values."""
    run = book.run
    describe = run.json("describe_json") or {}
    train = run.train
    degrees = run.attribute("degrees_of_freedom", describe.get("degrees_of_freedom", "not stated"))
    pairs = [
        ("Fidelity", str(run.attribute("fidelity", "not stated"))),
        ("Law", str(run.attribute("law", "not stated"))),
        ("Degrees of freedom", str(degrees)),
        ("Method", str(run.attribute("method", "not stated"))),
    ]
    if run.attribute("method_reason"):
        pairs.append(("Why this method", str(run.attribute("method_reason"))))
    html = facts(pairs)
    if train is None and (mechanism := run.json("mechanism_json")):
        return html + _mechanism_tables(book, mechanism)
    if train is None:
        return html + missing(
            "The result does not hold the expanded drivetrain (describe_json), so its bodies and stiffnesses are "
            "not listed."
        )
    speed = train.speed
    rows: list[list[Any]] = [
        [
            body.name,
            "fixed" if body.fixed else body.role,
            body.inertia,
            body.mass,
            None if speed is None or body.name not in train.ratios else train.ratios[body.name] * speed,
        ]
        for body in train.bodies.values()
    ]
    columns = [
        Column("Body", words=True),
        Column("Role", words=True),
        Column("Inertia", "kg m^2"),
        Column("Mass", "kg"),
        Column("Operating speed", "rad/s"),
    ]
    html += book.table(Table("bodies", "Bodies", columns, rows))
    stiffness = _stiffness_rows(book)
    if stiffness:
        columns = [Column("Element", words=True), Column("What", words=True), Column("Stiffness", "N/m")]
        columns += [Column("Torsional stiffness", "N m/rad"), Column("Source", words=True)]
        html += book.table(Table("stiffness", "Stiffness and where it comes from", columns, stiffness))
    if train.meshes:
        html += _mesh_table(book)
    derived = [note for note in train.notes if note.level == "derived"]
    if derived:
        items = "".join(f"<li>{text(note.where)}: {text(note.message)}</li>" for note in derived)
        html += f"<details><summary>Derived values ({len(derived)})</summary><ul>{items}</ul></details>"
    return html


def _mechanism_tables(book: Book, mechanism: dict[str, Any]) -> str:
    """Bodies and joints of a mechanism."""
    bodies: list[list[Any]] = [[b["name"], b["mass"], *b["inertia"]] for b in mechanism["bodies"]]
    columns = [Column("Body", words=True), Column("Mass", "kg")]
    columns += [Column(f"Inertia about its {axis}", "kg m^2") for axis in "xyz"]
    joints: list[list[Any]] = [[j["name"], j["kind"], *j["bodies"]] for j in mechanism["joints"]]
    heads = [Column(word, words=True) for word in ("Joint", "Type", "Body", "Mate")]
    return book.table(Table("bodies", "Bodies", columns, bodies)) + (
        book.table(Table("joints", "Joints and gear rows", heads, joints)) if joints else ""
    )


def _stiffness_rows(book: Book) -> list[list[Any]]:
    train = book.run.train
    assert train is not None
    rows: list[list[Any]] = []
    for mesh in train.meshes.values():
        s = mesh.stiffness
        if s.two_pairs is not None and s.one_pair is not None:
            source = f"two levels: {number(s.two_pairs)} and {number(s.one_pair)} N/m"
        elif s.table is not None:
            source = f"table of {len(s.table)} points over the mesh cycle"
        elif s.fourier is not None:
            source = f"Fourier series of {len(s.fourier)} orders"
        elif s.source is not None:
            source = f"computed ({s.source})"
        else:
            source = "given, constant" if s.mean is not None else "not given"
        rows.append([mesh.name, "mesh", s.mean, None, source])
    for bearing in train.bearings.values():
        block = bearing.stiffness
        if block is None and bearing.torsional is None:
            continue
        source = "given"
        if block is not None and (block[0][0] != block[1][1] or block[0][1] or block[1][0]):
            source = f"given, z: {number(block[1][1])} N/m"
            source += ", coupled" if block[0][1] or block[1][0] else ""
        rows.append([bearing.name, "bearing", None if block is None else block[0][0], bearing.torsional, source])
    for shaft in train.shafts.values():
        rows.append([shaft.name, "shaft", shaft.lateral, shaft.torsional, f"{shaft.between[0]} to {shaft.between[1]}"])
    return rows


def _mesh_table(book: Book) -> str:
    run = book.run
    train = run.train
    assert train is not None
    speed = run.input_speed()
    rows: list[list[Any]] = [
        [
            mesh.name,
            "" if mesh.teeth is None else f"{mesh.teeth[0]} / {mesh.teeth[1]}",
            mesh.contact_ratio,
            None if mesh.pressure_angle is None else math.degrees(mesh.pressure_angle),
            mesh.phase,
            mesh.phase_source,
            None if speed is None else mesh_frequency(mesh, train, speed),
        ]
        for mesh in train.meshes.values()
    ]
    columns = [
        Column("Mesh", words=True),
        Column("Teeth", words=True),
        Column("Contact ratio"),
        Column("Working pressure angle", "deg"),
        Column("Phase", "cycles"),
        Column("Phase from", words=True),
        Column("Mesh frequency", "Hz"),
    ]
    note = "Mesh frequencies at the mean speed of the run."
    return book.table(Table("meshes", "Meshes", columns, rows, note=note))


# --- modes ---------------------------------------------------------------------------------------------------


def modes(book: Book) -> str:
    """Table of modes with energies, and the Campbell diagram."""
    run = book.run
    data = run.json("modes_json")
    html = ""
    if not data and run.json("mechanism_json"):
        return ""  # its modes change with its position: `gearwright modes` has those of the start
    try:
        html += _modes_table(book, data) if data else missing("The result holds no modes (attribute modes_json).")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        html += missing(f"The modes in the result cannot be read ({error!r}).")
    campbell = run.json("campbell_json")
    if not campbell:
        return html + missing("The result holds no Campbell diagram (attribute campbell_json).")
    try:
        figure = campbell_figure(campbell)
        crossings = crossings_of(campbell)
        table = book.table(crossings_table(crossings)) if crossings else ""
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        return html + missing(f"The Campbell diagram in the result cannot be read ({error!r}).")
    return html + (book.figure(figure) or missing("The Campbell diagram has no speeds.")) + table


def _modes_table(book: Book, data: dict[str, Any]) -> str:
    frequencies = data["frequencies_hz"]
    damping = data.get("damping_ratios") or [None] * len(frequencies)
    kinds = data.get("kinds") or [""] * len(frequencies)
    energies = data.get("energies") or [{}] * len(frequencies)
    train = book.run.train
    tokens: dict[str, str] = {}
    for shares in energies:
        for element in shares:
            kind = next((k for k in ("mesh", "bearing", "shaft") if element in book.run.elements(k)), "body")
            if train is not None and element in train.shafts:
                kind = "shaft"
            tokens[element] = colour_token(kind, element, train)
    rows: list[list[Any]] = [
        [i + 1, f, None if d is None else 100.0 * d, kind]
        for i, (f, d, kind) in enumerate(zip(frequencies, damping, kinds, strict=True))
    ]
    columns = [Column("Mode"), Column("Frequency", "Hz"), Column("Damping ratio", "%"), Column("Kind", words=True)]
    bars = [share_bar(shares, tokens) for shares in energies]
    case = book.run.json("case_json")
    held = list(case.get("speeds") or ()) if isinstance(case, dict) else []
    note = ""
    if held:
        note = (
            f"Of the model of this case: the speed of {', '.join(held)} is prescribed, so it takes no part in a mode."
        )
    table = Table("modes", "Modes", columns, rows, extra=bars, extra_head="Strain energy", note=note)
    return book.table(table)
