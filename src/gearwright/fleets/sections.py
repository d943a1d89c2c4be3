"""The loads of a gearbox gathered by the inertia behind them: what has one inertia has one history, and differs by a factor alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gearwright.arrays import Float

from .torque_map import TorqueMap

#: inertias that differ by less than this part share one history
SAME = 3e-3


@dataclass(frozen=True)
class Section:
    """A load: ``factor`` (N or N m per N m of the generator) times the history number ``group``."""

    kind: str
    element: str
    quantity: str
    unit: str
    factor: float
    group: int


@dataclass(frozen=True)
class Sections:
    """Loads by name, and the inertia (g,) [kg m^2] of every history ``T + J alpha``, referred to the generator; from the least on."""

    inertias: Float
    members: Mapping[str, Section]

    @property
    def whole(self) -> int:
        """The history with all of the train behind it."""
        return len(self.inertias) - 1


#: of a gearbox that nobody described: the torque of the generator alone
GENERATOR = Sections(np.zeros(1), {"generator.torque": Section("machine", "generator", "torque", "N m", 1.0, 0)})


def sections_of(found: TorqueMap) -> Sections:
    """The loads of a train by the two numbers of each: those that are counted, forces of bearings by magnitude."""
    two = found.two_numbers()
    kinds = {c.name: (c.kind, c.element, c.quantity, c.unit) for c in found.channels}
    kinds |= {d.name: (d.kind, d.element, d.quantity, d.unit) for d in found.derived if d.operation == "norm"}
    own = {n: v for n, v in two.items() if n in kinds and kinds[n][2] in ("force", "torque")}
    if not own:
        return GENERATOR
    groups: list[list[float]] = []
    for inertia in sorted(j for _, j in own.values()):
        if not groups or inertia > groups[-1][0] * (1.0 + SAME) + 1e-12:
            groups.append([])
        groups[-1].append(inertia)
    tops = np.array([g[-1] for g in groups])
    members = {
        name: Section(*kinds[name], factor, int(np.searchsorted(tops, inertia)))
        for name, (factor, inertia) in own.items()
    }
    return Sections(np.array([0.5 * (g[0] + g[-1]) for g in groups]), members)
