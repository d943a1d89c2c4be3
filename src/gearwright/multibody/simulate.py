"""A run of a mechanism and what it leaves behind."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import motion
from .analysis import choose_flanks
from .mechanism import Mechanism, MultibodyError, Place

Float = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Motion:
    """Samples of a run.

    time (samples); position (samples x bodies x 3) [m] global; euler (x 4); velocity (x 6): translation global
    [m/s], spin in body axes [rad/s]; acceleration likewise; multipliers (samples x rows); position_error,
    velocity_error: largest values left in any row over the run; wall_s: time of the loop.
    """

    mechanism: Mechanism
    time: Float
    position: Float
    euler: Float
    velocity: Float
    acceleration: Float
    multipliers: Float
    position_error: float
    velocity_error: float
    wall_s: float

    def place(self, sample: int = -1) -> Place:
        """State of a sample."""
        m = self.mechanism
        place = m.copy()
        place.r[:-1], place.p[:-1] = self.position[sample], self.euler[sample]
        place.v[:-1] = self.velocity[sample]
        return place

    def reactions(self, sample: int = -1) -> dict[str, dict[str, Any]]:
        """Reactions of every joint at a sample (see :meth:`Mechanism.reactions`)."""
        return self.mechanism.reactions(self.place(sample), self.multipliers[sample], float(self.time[sample]))

    def energy(self) -> Float:
        """Kinetic energy and that of gravity [J], per sample (elastic elements not included)."""
        m = self.mechanism
        return np.array([
            m.kinetic_energy(v) + m.potential_energy(r) for r, v in zip(self.position, self.velocity, strict=True)
        ])  # fmt: skip


def simulate(m: Mechanism, duration: float, step: float = 1e-3, output_interval: float | None = None,
             limit: float = 1e-11, start: Place | None = None,
             progress: Callable[[float, float], None] | None = None) -> Motion:  # fmt: skip
    """Run a mechanism from its start.

    Parameters
    ----------
    duration, step : [s]; the step is made to divide the output interval
    output_interval : between samples [s]; default some thousand samples
    limit : what the projection may leave in a row [m, m/s, rad, rad/s]; rows stabilised by Baumgarte are left alone

    Raises MultibodyError where rows become singular or the run diverges, with the time.
    """
    interval = min(output_interval or max(step, duration / 2000.0), duration)
    every = max(1, int(np.ceil(interval / step - 1e-9)))
    h = interval / every
    samples = max(1, round(duration / interval))
    state = start if start is not None else m.copy()
    state = Place(*(x.copy() for x in state))
    choose_flanks(m, state)
    n, count, work = len(m.bodies), max(len(m.rows), 1), m.work()
    shape = (samples + 1, n)
    r, p, v, acc = (np.zeros((*shape, c)) for c in (3, 4, 6, 6))
    lam, worst = np.zeros((samples + 1, count)), np.zeros(2)
    chunk = max(1, min(samples, 20000 // every))
    begin = time.perf_counter()
    done = 0
    while done < samples:
        many = min(chunk, samples - done)
        part = slice(done, done + many + 1)
        made = motion.run(m.arrays, state, work, done * interval, h, many * every, every, limit, not m.stabilised,
                          r[part], p[part], v[part], acc[part], lam[part], worst)  # fmt: skip
        if made < many * every:
            at = done * interval + made * h
            k = int(np.argmax(np.abs(np.nan_to_num(work.phi[: m.arrays.rigid], nan=np.inf)))) if m.rows else 0
            where = f"; the largest gap is in joint '{m.rows[k].joint}'" if m.rows else ""
            raise MultibodyError(
                f"the run stopped at {at:.6g} s: the rows are singular or cannot be met with steps of {h:g} s{where}"
            )
        done += many
        if progress is not None:
            progress(done * interval, duration)
    wall = time.perf_counter() - begin
    return Motion(m, np.arange(samples + 1) * interval, r, p, v, acc, lam, float(worst[0]), float(worst[1]), wall)
