"""Sections on the model: what is assumed, bodies and stiffness, modes and Campbell diagram."""

from __future__ import annotations

import math
from typing import Any

from gearwright.analyses.modes_of_result import StoredModes
from gearwright.figures.book import Book
from gearwright.figures.campbell import campbell_figure, crossings_table
from gearwright.figures.format import number
from gearwright.figures.palette import colour_token
from gearwright.figures.reading import mesh_frequency
from gearwright.figures.tables import Table, numbers, share_bar, words
from gearwright.remarks import remarks_in, train_remarks, warning
from gearwright.running.mechanism_result import Facts as MechanismShapes
from gearwright.schema.places import Values
from gearwright.train.train import Train

from .blocks import Block, Facts, Fold, Listing, Words, missing, remark_lists

# --- what is assumed -----------------------------------------------------------------------------------------


def assumed(book: Book) -> list[Block]:
    """What the file itself says about its data: source, assumptions, limits; and what the run assumed, noted, warns of."""
    source, problem = _file_facts(str(book.run.attribute("drivetrain_text", "")))
    blocks: list[Block] = [missing(problem)] if problem else []
    if source.get("source"):
        blocks.append(Words(f"Source of the data: {source['source']}."))
    for key, lead in (
        ("assumed", "The file assumes, since it was not measured or published:"),
        ("claims", "The file claims:"),
        ("not_claimed", "The file does not claim:"),
    ):
        entries = source.get(key)
        if isinstance(entries, str):
            entries = [entries]
        if isinstance(entries, list) and entries:
            blocks.append(Listing([str(entry) for entry in entries], lead))
        elif key == "assumed" and not problem:
            blocks.append(Words("The drivetrain file names no assumption."))
    return blocks + remark_lists(_remarks(book))


def _remarks(book: Book) -> list[str]:
    """The remarks of the run; those of older results stand in the description of their train too."""
    run = book.run
    said = remarks_in(run.attributes)
    said += train_remarks(run.train.notes if run.train else ())
    known = {str(remark) for remark in said}
    older = (run.json("describe_json") or {}).get("warnings", [])
    return said + [warning(str(entry)) for entry in older if str(entry) not in known]


def _file_facts(source: str) -> tuple[Values, str]:
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


def model(book: Book) -> list[Block]:
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
    if train is not None:
        return [Facts(pairs), *_train_blocks(train, run.input_speed())]
    if mechanism := run.json("mechanism_json"):
        return [Facts(pairs), *_mechanism_tables(mechanism)]
    sentence = "The result does not hold the expanded drivetrain (describe_json), so its bodies and stiffnesses are "
    return [Facts(pairs), missing(sentence + "not listed.")]


def _train_blocks(train: Train, speed: float | None) -> list[Block]:
    """Tables of a train; ``speed``: mean of the input over the run [rad/s]."""
    rows: list[list[Any]] = [
        [
            body.name,
            "fixed" if body.fixed else body.role,
            body.inertia,
            body.mass,
            None if train.speed is None or body.name not in train.ratios else train.ratios[body.name] * train.speed,
        ]
        for body in train.bodies.values()
    ]
    heads = numbers("Inertia [kg m^2]", "Mass [kg]", "Operating speed [rad/s]")
    blocks: list[Block] = [Table("bodies", "Bodies", [*words("Body", "Role"), *heads], rows)]
    if stiffness := _stiffness_rows(train):
        heads = numbers("Stiffness [N/m]", "Torsional stiffness [N m/rad]")
        columns = [*words("Element", "What"), *heads, *words("Source")]
        blocks.append(Table("stiffness", "Stiffness and where it comes from", columns, stiffness))
    if train.meshes:
        blocks.append(_mesh_table(train, speed))
    if derived := [f"{note.where}: {note.message}" for note in train.notes if note.level == "derived"]:
        blocks.append(Fold(f"Derived values ({len(derived)})", [Listing(derived)]))
    return blocks


def _mechanism_tables(mechanism: MechanismShapes) -> list[Block]:
    """Bodies and joints of a mechanism."""
    bodies = [[b["name"], b["mass"], *b["inertia"]] for b in mechanism["bodies"]]
    inertia = numbers(*(f"Inertia about its {axis}" for axis in "xyz"), unit="kg m^2")
    blocks: list[Block] = [Table("bodies", "Bodies", [*words("Body"), *numbers("Mass [kg]"), *inertia], bodies)]
    if joints := [[j["name"], j["kind"], *j["bodies"]] for j in mechanism["joints"]]:
        blocks.append(Table("joints", "Joints and gear rows", words("Joint", "Type", "Body", "Mate"), joints))
    return blocks


def _stiffness_rows(train: Train) -> list[list[Any]]:
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


def _mesh_table(train: Train, speed: float | None) -> Table:
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
        *words("Mesh", "Teeth"),
        *numbers("Contact ratio", "Working pressure angle [deg]", "Phase [cycles]"),
        *words("Phase from"),
        *numbers("Mesh frequency [Hz]"),
    ]
    return Table("meshes", "Meshes", columns, rows, note="Mesh frequencies at the mean speed of the run.")


# --- modes ---------------------------------------------------------------------------------------------------


def modes(book: Book) -> list[Block]:
    """Table of modes with energies, and the Campbell diagram."""
    run = book.run
    data = run.json("modes_json")
    if not data and run.json("mechanism_json"):
        return []  # its modes change with its position: `gearwright modes` has those of the start
    blocks: list[Block] = []
    if data:
        try:
            blocks.append(_modes_table(book, StoredModes.read(data)))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            blocks.append(missing(f"The modes in the result cannot be read ({error!r})."))
    else:
        blocks.append(missing("The result holds no modes (attribute modes_json)."))
    campbell = book.campbell
    if isinstance(campbell, str):
        return [*blocks, missing(campbell)]
    blocks.append(campbell_figure(campbell) or missing("The Campbell diagram has no speeds."))
    return [*blocks, crossings_table(campbell.crossings)] if campbell.crossings else blocks


def _modes_table(book: Book, found: StoredModes) -> Table:
    train = book.run.train

    def token(element: str) -> str:
        kind = next((k for k in ("mesh", "bearing", "shaft") if element in book.run.elements(k)), "body")
        return colour_token("shaft" if train is not None and element in train.shafts else kind, element, train)

    rows: list[list[Any]] = [
        [i + 1, f, 100.0 * d if math.isfinite(d) else None, kind]
        for i, (f, d, kind) in enumerate(zip(found.frequencies_hz, found.damping_ratios, found.kinds, strict=True))
    ]
    columns = [*numbers("Mode", "Frequency [Hz]", "Damping ratio [%]"), *words("Kind")]
    case = book.run.json("case_json")
    held = list(case.get("speeds") or ()) if isinstance(case, dict) else []
    note = found.note or ""
    if held:
        note = f"Of the model of this case: the speed of {', '.join(held)} is prescribed, so it takes no part in a mode. {note}"
    bars = [share_bar(shares, token) for shares in found.energies]
    return Table("modes", "Modes", columns, rows, note=note.rstrip(), bars=bars, bars_head="Strain energy")
