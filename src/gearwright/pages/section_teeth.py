"""The teeth of the train: flanks at work with the line of action; stiffness over the cycle, transmission error, stress."""

from __future__ import annotations

from gearwright.figures.book import Book
from gearwright.figures.drawing import COLOURS, Line, curves
from gearwright.figures.format import number
from gearwright.stiffness.curves import errors_over_torque, over_cycle
from gearwright.stiffness.resolve import nominal_force
from gearwright.train.teeth import tooth_pair
from gearwright.train.train import Mesh, Train

from .blocks import Block, Drawing, Heading, Listing, Words, missing
from .teeth import element_pictures, error_pictures, flanks, stiffness_pictures


def teeth(book: Book) -> list[Block]:
    """One picture a kind of mesh (that of the first planet); what is not known of a mesh is said."""
    train = book.run.train
    if train is None and book.run.json("mechanism_json"):
        return []  # rows between pitch circles, without teeth
    if train is None or not train.meshes:
        return [missing("The result holds no gear meshes.")]
    blocks: list[Block] = []
    unknown = []
    for name, mesh in train.meshes.items():
        if mesh.on is not None and not name.endswith("planet1"):
            continue
        try:
            pair = tooth_pair(mesh)
        except ValueError:
            unknown.append(name)
            continue
        blocks += [Heading(name), *flanks(pair)]
        if findings := [str(c) for c in pair.checks()]:
            blocks.append(Listing(findings))
        table = mesh.stiffness.table
        if mesh.stiffness.source in ("fe", "analytic"):
            blocks += _computed(mesh, train, mesh.stiffness.source)
        elif table:
            x, k = [p[0] for p in table] + [1.0], [1e-9 * p[1] for p in table] + [1e-9 * table[0][1]]
            line = Line("mesh", x, k, COLOURS[0])
            blocks.append(Drawing(curves([line], "mesh cycle from entry of a pair", "stiffness [kN/µm]")))
            if mesh.stiffness.mean is not None:
                blocks.append(Words(f"Mean {number(1e-9 * mesh.stiffness.mean)} kN/µm."))
    if unknown:
        blocks.append(missing(f"No tooth geometry of {', '.join(unknown)}: module, pressure angle and teeth give it."))
    return blocks


def _computed(mesh: Mesh, train: Train, method: str) -> list[Block]:
    """Stiffness over the cycle, transmission error over torque and the stressed elements of teeth computed by a method."""
    try:
        data = over_cycle(mesh, train, method)
        blocks = stiffness_pictures(data, method)
        if nominal_force(mesh, train):
            blocks += error_pictures(errors_over_torque(mesh, train, method))
        return blocks + (element_pictures(tooth_pair(mesh), data) if method == "fe" else [])
    except ValueError as error:
        return [missing(f"No curves of {mesh.name} by {method}: {error}")]
