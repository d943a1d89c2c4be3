"""The page of a power flow: picture, words and tables, one section for every case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gearwright.figures.power_picture import power_picture
from gearwright.figures.tables import Table, numbers, words
from gearwright.remarks import remarks_in

from .blocks import Block, Drawing, Listing, Section, remark_lists
from .document import Page


def picture_blocks(flow: Mapping[str, Any]) -> list[Block]:
    """Picture, what its colours say, and the power flow in words."""
    svg = power_picture(flow)
    note = (
        "Arrows are as wide as their power; blue up to the throughput, ochre beyond it (inner power), red what is lost. "
        "Boxes are bodies, rounded ones meshes, clutches and shafts; dotted lines carry torque but no power. Equal planets "
        "are drawn once."
    )
    said = f"Power from {flow['input'] or 'the bodies that drive'} to {flow['output'] or 'those that are driven'}"
    return [*([] if svg is None else [Drawing(svg, said, note)]), Listing(list(flow["words"]))]


def _tables(flow: Mapping[str, Any], key: str) -> list[Block]:
    members = [[m["name"], m["speed"], m["torque"], m["power"], m["part"]] for m in flow["members"]]
    meshes = [
        [m["name"], m["on"] or "housing", m["torque"], m["torque_second"], m["rolling_power"], m["loss"]]
        for m in flow["meshes"]
    ]
    columns = [*words("Body"), *numbers("Speed [rad/s]", "Torque [N m]", "Power [W]"), *words("Part")]
    heads = numbers("Torque on wheel 1 [N m]", "Torque on wheel 2 [N m]", "Rolling power [W]", "Loss [W]")
    blocks: list[Block] = [
        Table(f"{key}-bodies", "Bodies", columns, members, note="Power: positive into the train."),
        Table(f"{key}-meshes", "Meshes", [*words("Mesh", "Seen from"), *heads], meshes),
    ]
    if joints := [[j["name"], j["type"], j["torque"], j["capacity"]] for j in flow["joints"]]:
        heads = [*words("Joint", "Type"), *numbers("Torque", "Capacity", unit="N m")]
        blocks.append(Table(f"{key}-joints", "Joints", heads, joints))
    return blocks


def write_power_page(flows: Sequence[Any], output: str | Path) -> Path:
    """Write the page of one or more power flows (:class:`gearwright.analyses.power_flow.PowerFlow`)."""
    sections = []
    for i, flow in enumerate(f.to_dict() for f in flows):
        key = f"flow{i + 1}"
        blocks = [*picture_blocks(flow), *_tables(flow, key), *remark_lists(remarks_in(flow))]
        sections.append(Section(key, str(flow["case"] or "Power flow"), blocks))
    first = flows[0]
    facts = [f"input {first.input}", f"output {first.output}"] if first.input else []
    return Page(f"Power flow of {first.name}", first.name, sections, facts).write(output)
