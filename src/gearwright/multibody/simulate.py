"""A run of a mechanism and what it leaves behind."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.kernels.native import waited
from gearwright.progress import stage

from . import motion, rows
from . import slots as T
from .analysis import choose_flanks
from .elements import MultibodyError
from .mechanism import JointReactions, Mechanism, Place
from .table import fill, look, table

Float = NDArray[np.floating[Any]]
#: step of time unless the model says otherwise [s]
STEP = 1e-3


@dataclass(frozen=True)
class Motion:
    """Samples of a run.

    time (samples); position (samples x bodies x 3) [m] global; euler (x 4); velocity (x 6): translation global
    [m/s], spin in body axes [rad/s]; acceleration likewise; multipliers (samples x rows); position_error,
    velocity_error: largest values left in any row over the run; wall_s: time of the loop; end: the last state;
    work: of all forces [J], by the weights of the method; largest_energy: kinetic, over all steps [J].
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
    end: Place
    work: float = 0.0
    largest_energy: float = 0.0

    @property
    def energy_error(self) -> float:
        """What kinetic energy gained beside the work of all forces, over the largest energy or work between."""
        m = self.mechanism
        gained = m.kinetic_energy(self.end.v) - m.kinetic_energy(self.velocity[0])
        size = max(self.largest_energy, abs(self.work))
        return abs(gained - self.work) / size if size > 0.0 else 0.0

    def place(self, sample: int = -1) -> Place:
        """State of a sample; a run can go on from the last one."""
        if sample in (-1, len(self.time) - 1):
            return Place(*(x.copy() for x in self.end))
        m = self.mechanism
        place = m.copy()
        place.r[:-1], place.p[:-1] = self.position[sample], self.euler[sample]
        place.v[:-1] = self.velocity[sample]
        return place

    def reactions(self, sample: int = -1) -> dict[str, JointReactions]:
        """Reactions of every joint at a sample (see :meth:`Mechanism.reactions`)."""
        return self.mechanism.reactions(self.place(sample), self.multipliers[sample], float(self.time[sample]))

    def energy(self) -> Float:
        """Kinetic energy and that of gravity [J], per sample (elastic elements not included)."""
        m = self.mechanism
        return np.array(
            [m.kinetic_energy(v) + m.potential_energy(r) for r, v in zip(self.position, self.velocity, strict=True)]
        )


class Interrupted(KeyboardInterrupt):
    """A run was stopped; ``motion`` is what was computed before."""

    def __init__(self, motion: Motion):
        super().__init__(f"interrupted at {motion.time[-1]:.6g} s")
        self.motion = motion


def simulate(m: Mechanism, duration: float, step: float = 1e-3, output_interval: float | None = None,
             limit: float = 1e-11, start: Place | None = None,
             progress: Callable[[float, float], None] | None = None) -> Motion:  # fmt: skip
    """Run a mechanism from its start.

    Parameters
    ----------
    duration, step : [s]; the step is made to divide the output interval
    output_interval : between samples [s]; default some thousand samples
    limit : what the projection may leave in a row [m, m/s, rad, rad/s]; rows stabilised by Baumgarte are left alone

    Raises MultibodyError where rows become singular or the run diverges, with the time, and Interrupted, a
    KeyboardInterrupt with the part before, when it is stopped.
    """
    interval = float(min(output_interval or max(step, duration / 2000.0), duration))
    every = max(1, int(np.ceil(interval / step - 1e-9)))
    h = interval / every
    samples = max(1, round(duration / interval))
    state = start if start is not None else m.copy()
    state = Place(*(x.copy() for x in state))
    choose_flanks(m, state)
    _refuse_steps(m, state, h)
    arrays = m.arrays._replace(par=m.arrays.par.copy())  # flanks change on the way
    n, count, work = len(m.bodies), max(len(m.rows), 1), m.work()
    shape = (samples + 1, n)
    r, p, v, acc = (np.zeros((*shape, c)) for c in (3, 4, 6, 6))
    lam, worst = np.zeros((samples + 1, count)), np.zeros(4)
    chunk = max(1, min(samples, 20000 // every))
    H, outputs = table(arrays, state, work), (r, p, v, acc, lam)
    fill(H, T.WORST, [worst])
    motion.loop.make(motion.loop.kinds(H, 0.0, h, 0, 1, float(limit), True))  # compiling is no time of the run
    begin, begun = time.perf_counter(), waited()
    done = 0

    def so_far() -> Motion:
        wall, end = time.perf_counter() - begin - (waited() - begun), done + 1
        return Motion(
            m,
            np.arange(end) * interval,
            r[:end],
            p[:end],
            v[:end],
            acc[:end],
            lam[:end],
            float(worst[0]),
            float(worst[1]),
            wall,
            state,
            float(worst[2]),
            float(worst[3]),
        )

    try:
        with stage("simulated", duration, "s") as going:
            while done < samples:
                many = min(chunk, samples - done)
                fill(H, T.OUT_R, [x[done : done + many + 1] for x in outputs])
                made = motion.loop(H, done * interval, h, many * every, every, float(limit), not m.stabilised)
                if made < many * every:
                    at = done * interval + max(made, 0) * h
                    gaps = np.abs(np.nan_to_num(work.phi[: m.arrays.rigid], nan=np.inf))
                    where = f"; the largest gap is in joint '{m.rows[int(np.argmax(gaps))].joint}'" if len(gaps) else ""
                    if len(m.arrays.pressed):
                        where += (
                            "; losses of rigid meshes may be so large that no tooth force agrees with its own friction"
                        )
                    raise MultibodyError(
                        f"the run stopped at {at:.6g} s: the rows are singular or cannot be met with steps of {h:g} s{where}"
                    )
                done += many
                going.at(done * interval)
                if progress is not None:
                    progress(done * interval, duration)
    except KeyboardInterrupt:
        if done:
            raise Interrupted(so_far()) from None
        raise
    return so_far()


def fastest(m: Mechanism, state: Place) -> tuple[float, str]:
    """Largest rate [1/s] at which an elastic row alone swings or decays, and its joint."""
    work = m.work()
    look(m.arrays, state, work, 0.0, False)
    found, name = 0.0, ""
    for k in range(m.arrays.rigid, len(m.rows)):
        row, par = m.rows[k], m.arrays.par[k]
        entries = work.jac[k].reshape(3, 6)
        mobility = sum(
            float(np.sum(entries[slot] ** 2 * m.arrays.inverse[b]))
            for slot, b in enumerate(row.bodies)
            if b < len(m.bodies)
        )
        stiffness, damping = par[rows.STIFFNESS], par[rows.DAMPING]
        if row.law is not None and row.law.mean is not None and not row.sense:
            at = sum(other.joint == row.joint for other in m.rows[:k])
            stiffness, damping = (values[min(at, len(values) - 1)] for values in row.law.mean)
        fast = max(np.sqrt(max(stiffness, 0.0) * mobility), damping * mobility)
        if fast > found:
            found, name = float(fast), row.joint
    return found, name


def default_step(m: Mechanism) -> float:
    """Step [s] where none is given: a millisecond, or less where a row alone would swing by more than a quarter of a radian in it
    (beside others a row swings up to twice as fast; the method's error per radian is 1e-4 then), or where a law asks for less."""
    fast, _ = fastest(m, m.start)
    longest = min([STEP, *(seconds for seconds, _ in m.longest)])
    return min(longest, 0.25 / fast) if fast > 0.0 else longest


def _refuse_steps(m: Mechanism, state: Place, step: float) -> None:
    """Raise MultibodyError where a row alone swings or decays too fast for the step (the limit of the method is 2.78)."""
    for longest, name in m.longest:
        if step > longest * (1.0 + 1e-9):
            raise MultibodyError(
                f"'{name}' cannot be followed in steps of {step:g} s; give a model.step of {longest:.2g} s or less"
            )
    fast, name = fastest(m, state)
    if fast * step > 2.7:
        raise MultibodyError(
            f"joint '{name}' is too stiff for steps of {step:g} s: alone it has {fast:.4g} 1/s; give a model.step below "
            f"{1.0 / fast:.2g} s, or make it rigid"
        )
