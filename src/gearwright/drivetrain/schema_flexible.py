"""Schema of reduced finite-element bodies: a housing, ring or carrier as matrices on a few nodes."""

from typing import Self

from pydantic import Field, model_validator

from .base import Section
from .schema_parts import Bearing
from .units import Length, problem


class Mount(Bearing):
    """A bearing between a node of a reduced body and the standing frame: torque arm, bedplate, bushing; of a body that
    rides ``on`` a carrier, between a node and that carrier's hub."""

    node: str


class ReducedBody(Section):
    """A body reduced to a few nodes by another program (fidelity spatial).

    ``matrices``: a file with ``mass``, ``stiffness`` and, if wanted, ``damping`` in SI units (.npz), square and
    symmetric: six motions x, y, z, rotation, tilt_y, tilt_z of every node in the order of ``nodes``, then any
    number of internal (modal) coordinates. Bearings that say ``support: <name>.<node>`` stand on a node; ``mounts``
    hold nodes to the standing frame.

    ``on`` a carrier: the body turns with it, ``places`` [m] are those of its nodes from the carrier's centre, and planets
    with ``support: <name>.pin`` stand on its nodes ``pin1``, ``pin2``, ...
    """

    name: str = Field(min_length=1)
    matrices: str
    nodes: list[str] = Field(min_length=1)
    mounts: list[Mount] = []
    on: str | None = None
    places: list[tuple[Length, Length, Length]] = []

    @model_validator(mode="after")
    def _known_nodes(self) -> Self:
        if len(set(self.nodes)) != len(self.nodes):
            raise problem("two nodes of a reduced body have the same name")
        if (self.on is None) != (not self.places) or (self.places and len(self.places) != len(self.nodes)):
            raise problem("a reduced body on a carrier has one place for every node", "places: [[x, y, z], ...]")
        for mount in self.mounts:
            if mount.node not in self.nodes:
                raise problem(f"there is no node '{mount.node}' for a mount", ", ".join(self.nodes))
        return self
