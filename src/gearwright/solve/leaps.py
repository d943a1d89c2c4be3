"""Jumps of forces between samples: which channels can jump, and both limits of those that did.

A law whose stiffness jumps, or whose damping acts from the touch of two flanks on, has a force that jumps while its deflection
and the motion cannot. A grid of samples sees neither limit, however fine it is, so engines hand both to whoever counts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gearwright.arrays import Float
from gearwright.system import Channel, Leaps, Source, System

#: change of a channel, as a part of its value, above which it is a jump
LEAST = 1e-6
#: part of a channel by which it has to go beyond both samples between them to be told
BEYOND = 1e-4
#: memory for the jumps of a chunk [numbers]
ROOM = 4_000_000


class Jumpers(NamedTuple):
    """Force rows (r,) of laws that may jump, and the channels (c,) that consist of them by ``matrix`` (c, r)."""

    rows: NDArray[np.int64]
    channels: NDArray[np.int64]
    matrix: Float

    def room(self, steps: int) -> int:
        """Events of a chunk of samples that there is room for."""
        return max(min(2 * steps + 1024, ROOM // (2 * max(len(self.rows), 1))), 1) if len(self.channels) else 0

    def leaps(self, at: NDArray[np.int64], before: Float, after: Float) -> Leaps | None:
        """Jumps of channels by the forces (events, r) before and after events that come before samples ``at``, ascending."""
        return self.chosen(at, before @ self.matrix.T, after @ self.matrix.T)

    def chosen(self, at: NDArray[np.int64], before: Float, after: Float) -> Leaps | None:
        """The same by values of the channels (events, c)."""
        event, which = np.nonzero(np.abs(after - before) > LEAST * np.maximum(np.abs(after), np.abs(before)))
        if not len(event):
            return None
        return Leaps(at[event], self.channels[which], before[event, which], after[event, which])


def jumpers(system: System, channels: tuple[Channel, ...]) -> Jumpers:
    """What may jump of some channels of a system: those that are forces of one law with pieces, and nothing else."""
    law_of = {
        row: i
        for i, law in enumerate(system.laws)
        if law.guard is not None or law.pieces is not None or law.course is not None
        for row in range(system.shape.rows)[system.law_rows(i)]
    }
    found = []
    for number, channel in enumerate(channels):
        forces = {index for source, index, _ in channel.terms if source == Source.FORCE}
        alone = len(channel.terms) == sum(source == Source.FORCE for source, _, _ in channel.terms)
        if (
            forces
            and alone
            and len({law_of.get(index, -1 - index) for index in forces}) == 1
            and forces <= law_of.keys()
        ):
            found.append((number, channel.terms))
    rows = sorted({index for _, terms in found for _, index, _ in terms})
    matrix = np.zeros((len(found), len(rows)))
    for i, (_, terms) in enumerate(found):
        for _, index, coefficient in terms:
            matrix[i, rows.index(index)] += coefficient
    return Jumpers(np.array(rows, np.int64), np.array([n for n, _ in found], np.int64), matrix)


def between(lines: Float, at: NDArray[np.int64], values: Float) -> Leaps | None:
    """What channels are at instants between samples ``lines`` (k, n), where it is beyond both of them: values (e, n) at instants that
    come before samples ``at``, ascending."""
    last, following = lines[np.maximum(at - 1, 0)], lines[at]
    low, high = np.minimum(last, following), np.maximum(last, following)
    beyond = np.maximum(values - high, low - values)
    event, which = np.nonzero(beyond > BEYOND * np.maximum(np.abs(high), np.abs(low)))
    if not len(event):
        return None
    found = values[event, which]
    return Leaps(at[event], which, found, found)
