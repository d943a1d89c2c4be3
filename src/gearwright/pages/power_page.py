"""The page of a power flow: picture, words and tables, one section for every case."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gearwright.analyses.power_flow import PowerFlow
from gearwright.figures.tables import Table, numbers, words

from .blocks import Block, Drawing, Listing, Section, remark_lists
from .document import Page
from .power_picture import power_picture


def picture_blocks(flow: PowerFlow) -> list[Block]:
    """Picture, what its colours say, and the power flow in words."""
    svg = power_picture(flow)
    note = (
        "Arrows are as wide as their power; blue up to the throughput, ochre beyond it (inner power), red what is lost. "
        "Boxes are bodies, rounded ones meshes, clutches and shafts; dotted lines carry torque but no power. Equal planets "
        "are drawn once."
    )
    said = f"Power from {flow.input or 'the bodies that drive'} to {flow.output or 'those that are driven'}"
    return [*([] if svg is None else [Drawing(svg, said, note)]), Listing(list(flow.words))]


def _tables(flow: PowerFlow, key: str) -> list[Block]:
    members = [[m.name, m.speed, m.torque, m.power, m.part] for m in flow.members]
    meshes = [[m.name, m.on or "housing", m.torque, m.torque_second, m.rolling_power, m.loss] for m in flow.meshes]
    columns = [*words("Body"), *numbers("Speed [rad/s]", "Torque [N m]", "Power [W]"), *words("Part")]
    heads = numbers("Torque on wheel 1 [N m]", "Torque on wheel 2 [N m]", "Rolling power [W]", "Loss [W]")
    blocks: list[Block] = [
        Table(f"{key}-bodies", "Bodies", columns, members, note="Power: positive into the train."),
        Table(f"{key}-meshes", "Meshes", [*words("Mesh", "Seen from"), *heads], meshes),
    ]
    if joints := [[j.name, j.type, j.torque, j.capacity] for j in flow.joints]:
        heads = [*words("Joint", "Type"), *numbers("Torque", "Capacity", unit="N m")]
        blocks.append(Table(f"{key}-joints", "Joints", heads, joints))
    return blocks


def write_power_page(flows: Sequence[PowerFlow], output: str | Path) -> Path:
    """Write the page of one or more power flows."""
    sections = []
    for i, flow in enumerate(flows):
        key = f"flow{i + 1}"
        blocks = [*picture_blocks(flow), *_tables(flow, key), *remark_lists(flow.remarks)]
        sections.append(Section(key, flow.case or "Power flow", blocks))
    first = flows[0]
    facts = [f"input {first.input}", f"output {first.output}"] if first.input else []
    return Page(f"Power flow of {first.name}", first.name, sections, facts).write(output)
