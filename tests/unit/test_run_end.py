"""The end of a run that diverges: what was sound is kept, and finding it takes a bounded number of runs."""

import numpy as np
import pytest

from gearwright.running.chunks import sound_chunk
from gearwright.system import Block, Builder, Diverged, Provenance, Spring, State


class Breaking:
    """An engine that cannot pass ``limit``; the longer the chunk, the earlier by ``early`` of it."""

    def __init__(self, limit, early=0.0):
        self.limit, self.early, self.calls = limit, early, 0

    def advance(self, plan, state, steps):
        self.calls += 1
        limit = self.limit - self.early / steps
        if state.t + steps * plan > limit:
            state.t = np.nan  # whatever an engine leaves behind
            raise Diverged(f"stops at {limit}", max(self.limit, 0.0))
        begin = state.t
        state.t += steps * plan
        return Block(begin + plan * np.arange(1.0, steps + 1), np.zeros((steps, 1)))


def _state():
    b = Builder()
    b.coordinate("x")
    b.inertia(1.0, {"x": 1.0})
    b.row("spring", {"x": 1.0}, Spring(1.0))
    return State.start(b.build(Provenance("one")))


@pytest.mark.parametrize(
    ("limit", "early", "least"), [(0.55, 0.0, 54), (0.55, 3.0, 27), (0.005, 0.0, 0), (0.55, 1e9, 0)]
)
def test_the_sound_beginning_is_kept(limit, early, least):
    engine, state, blocks = Breaking(limit, early), _state(), []
    with pytest.raises(Diverged, match="stops"):
        for block in sound_chunk(engine, 0.01, state, 4096, 0.01):
            blocks.append(block)
    assert sum(len(b.time) for b in blocks) >= least
    assert engine.calls <= 4
    assert state.t == pytest.approx(blocks[-1].time[-1] if blocks else 0.0)
