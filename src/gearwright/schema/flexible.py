"""Schema of reduced finite-element bodies: a housing, ring or carrier as matrices on a few nodes."""

from typing import Self

from pydantic import Field, model_validator

from gearwright.units import Length, problem

from .base import Section
from .parts import Bearing


class Mount(Bearing):
    """A bearing between a node of a reduced body and the standing frame: torque arm, bedplate, bushing; of a body that
    rides ``on`` a carrier, between a node and that carrier's hub."""

    node: str


class Teeth(Section):
    """Teeth of a ring that sit on a reduced body: the ring (fixed in its stage, which the body holds instead) and the nodes
    around it that carry them, evenly spaced; all nodes if none are named."""

    of: str
    nodes: list[str] = []


class ReducedBody(Section):
    """A body reduced to a few nodes by another program (fidelity spatial).

    ``matrices``: a file with ``mass``, ``stiffness`` and, if wanted, ``damping`` in SI units (.npz), square and
    symmetric: six motions x, y, z, rotation, tilt_y, tilt_z of every node in the order of ``nodes``, then any
    number of internal (modal) coordinates. Bearings that say ``support: <name>.<node>`` stand on a node; ``mounts``
    hold nodes to the standing frame.

    ``on`` a carrier: the body turns with it, ``places`` [m] are those of its nodes from the carrier's centre, and planets
    with ``support: <name>.pin`` stand on its nodes ``pin1``, ``pin2``, ...

    ``teeth``: it is the ring of a stage, or a housing with the ring in it; ``places`` [m] are those of its nodes from the
    ring's centre.
    """

    name: str = Field(min_length=1)
    matrices: str
    nodes: list[str] = Field(min_length=1)
    mounts: list[Mount] = []
    on: str | None = None
    places: list[tuple[Length, Length, Length]] = []
    teeth: Teeth | None = None

    @model_validator(mode="after")
    def _known_nodes(self) -> Self:
        if len(set(self.nodes)) != len(self.nodes):
            raise problem("two nodes of a reduced body have the same name")
        if self.on is not None and self.teeth is not None:
            raise problem("a reduced body that rides on a carrier is no ring that stands: give on or teeth, not both")
        placed = self.on is not None or self.teeth is not None
        if placed != bool(self.places) or (self.places and len(self.places) != len(self.nodes)):
            what = "with teeth" if self.teeth is not None else "on a carrier"
            raise problem(f"a reduced body {what} has one place for every node", "places: [[x, y, z], ...]")
        for node in self.teeth.nodes if self.teeth is not None else []:
            if node not in self.nodes:
                raise problem(f"there is no node '{node}' for teeth", ", ".join(self.nodes))
        for mount in self.mounts:
            if mount.node not in self.nodes:
                raise problem(f"there is no node '{mount.node}' for a mount", ", ".join(self.nodes))
        return self
