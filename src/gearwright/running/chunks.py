"""Chunks of a run, and what is left of the one in which it diverges."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.system import Block, Channel, Diverged, Leaps, State, System

#: part of a counting interval after which a run has begun
AT_ONCE = 1e-6


def sound_chunk(engine: Any, plan: Any, state: State, steps: int, interval: float) -> Iterator[Block]:
    """One chunk of a run; where it diverges, its sound beginning comes first, and then the error.

    How far it is sound the error says; where a shorter run diverges too, for it may choose other steps, the way is
    shortened. What comes to an end slowly is so run through a few times, not once per halving of the chunk.
    """
    before = state.copy()
    try:
        block = engine.advance(plan, state, steps)
    except Diverged as error:
        found, sound = error, steps
    else:
        yield block
        return
    for part in (1.0, 0.98, 0.5):
        state.__dict__.update(before.copy().__dict__)
        sound = min(int(part * (found.time - before.t) / interval), sound - 1)
        if sound < 1:
            break
        try:
            block = engine.advance(plan, state, sound)
        except Diverged:
            continue
        yield block
        break
    else:
        state.__dict__.update(before.__dict__)
    raise found


def opening(
    engine: Any, system: System, channels: tuple[Channel, ...], interval: float, tolerance: float, state: State
) -> NDArray[np.float64] | None:
    """Values of channels (channels,) with which a run begins that is sampled every ``interval``; None where the engine cannot begin.

    Where nothing is discarded they are counted: a sample that stands an interval later would make the extremes of a start depend on it.
    """
    plan = engine.prepare(system, channels, AT_ONCE * interval, tolerance)
    try:
        return np.asarray(engine.advance(plan, state.copy(), 1).lines[0])
    except Diverged:
        return None


def after_opening(values: NDArray[np.float64], block: Block) -> Block:
    """A block with the values (channels,) that a run begins with before its first sample, as leaps that go nowhere."""
    count = len(values)
    leaps = [(np.zeros(count, np.int64), np.arange(count), values, values)]
    if block.leaps is not None:
        leaps.append(block.leaps)
    return block._replace(leaps=Leaps(*(np.concatenate(parts) for parts in zip(*leaps, strict=True))))


def diverged(error: Exception, kept: Path | None) -> str:
    """What a run says that diverged, and where what came before is kept."""
    where = f"; what was computed before is in {kept}" if kept else "; nothing had been computed before"
    return f"the run diverged: {error}{where}"
