"""The page of a power flow: picture, words and tables, one section for every case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gearwright.remarks import remarks_in

from .book import remark_lists
from .page import document, write_page
from .power_picture import picture_block
from .sheet import Sheet, heading
from .tables import Column, Table


def _tables(sheet: Sheet, flow: Mapping[str, Any], key: str) -> str:
    members = [[m["name"], m["speed"], m["torque"], m["power"], m["part"]] for m in flow["members"]]
    meshes = [
        [m["name"], m["on"] or "housing", m["torque"], m["torque_second"], m["rolling_power"], m["loss"]]
        for m in flow["meshes"]
    ]
    html = sheet.table(
        Table(f"{key}-bodies", "Bodies", [Column("Body", words=True), Column("Speed", "rad/s"), Column("Torque", "N m"),
              Column("Power", "W"), Column("Part", words=True)], members, note="Power: positive into the train.")
    )  # fmt: skip
    html += sheet.table(
        Table(f"{key}-meshes", "Meshes", [Column("Mesh", words=True), Column("Seen from", words=True),
              Column("Torque on wheel 1", "N m"), Column("Torque on wheel 2", "N m"), Column("Rolling power", "W"), Column("Loss", "W")], meshes)
    )  # fmt: skip
    if flow["joints"]:
        joints = [[j["name"], j["type"], j["torque"], j["capacity"]] for j in flow["joints"]]
        html += sheet.table(
            Table(f"{key}-joints", "Joints", [Column("Joint", words=True), Column("Type", words=True),
                  Column("Torque", "N m"), Column("Capacity", "N m")], joints)
        )  # fmt: skip
    return html


def power_page(flows: Sequence[Any], output: str | Path) -> Path:
    """Write the page of one or more power flows (:class:`gearwright.cases.powerflow.PowerFlow`)."""
    sheet = Sheet()
    sections = []
    for i, flow in enumerate(f.as_dict() for f in flows):
        title = str(flow["case"] or "Power flow")
        key = f"flow{i + 1}"
        sections.append((key, title, picture_block(flow) + _tables(sheet, flow, key) + remark_lists(remarks_in(flow))))
    first = flows[0]
    facts = [f"input {first.input}", f"output {first.output}"] if first.input else []
    title = f"Power flow of {first.name}"
    html = document(title, first.name, heading(title, facts), sections, sheet.figures, sheet.tables)
    return write_page(html, Path(output))
