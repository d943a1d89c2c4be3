"""Mechanisms: the gearbox of eight bodies, a slider-crank and a planetary stage by joints, against Exudyn and S1."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from .common import Figure, timed

TITLE = "Mechanisms (fidelity `multibody`)"
#: S1 Table 3.4: a planetary stage by joints, 10 s, without stabilisation [s]; the least of its times
S1_SECONDS = 0.5155 * 60.0


def measure(quick: bool = False) -> list[Figure]:
    """Times and errors of our loop, and of Exudyn at a like or larger error."""
    figures = [*_eight_bodies(60.0 if quick else 600.0), *_planetary(10.0)]
    try:
        import exudyn
    except ImportError:
        return [*figures, Figure("Exudyn is not installed", np.nan)]
    figures += _stage(exudyn, 10.0)
    return [*figures, *_crank(exudyn, 2.0 if quick else 10.0), *_plane_train(exudyn, 2.0 if quick else 10.0)]


def _made(name: str, duration: float, overrides: tuple[str, ...] = ()) -> tuple[Any, float]:
    from gearwright.running.mechanism import mechanism_of

    made, drivetrain, _, _ = mechanism_of(name, None, overrides, duration)
    return made, float(drivetrain.model.step or 1e-3)


def _eight_bodies(duration: float) -> list[Figure]:
    from gearwright.multibody import simulate

    made, step = _made("nordtank-8-bodies", duration)
    simulate(made, 0.2, step, 0.1)
    seconds, run = timed(lambda: simulate(made, duration, step, 0.1))
    short = min(duration, 60.0)
    fine = simulate(made, short, step / 4, 0.1)
    error = float(np.abs(run.position[: len(fine.position)] - fine.position).max())
    label = f"`nordtank-8-bodies`, 47 rows, {duration:g} s"
    return [
        Figure(f"{label}: times real time", duration / seconds, "", 50.0, ">"),
        Figure(f"{label}: largest error of a row", max(run.position_error, run.velocity_error), "m, m/s", 1e-10),
        Figure(f"{label}: positions against a quarter of the step, {short:g} s", error, "m"),
    ]


def _planetary(duration: float) -> list[Figure]:
    from gearwright.multibody import simulate

    made, step = _made("planetary-joints", duration)
    simulate(made, 10 * step, step)
    seconds, run = timed(lambda: simulate(made, duration, step, 0.01))
    label = f"`planetary-joints`, {duration:g} s in steps of {1e3 * step:g} ms"
    return [
        Figure(label, seconds, "s"),
        Figure(f"{label}: largest error of a row", run.position_error, "m"),
        Figure("time printed in S1 Table 3.4 (10 s, not stabilised, fails near 2 s) over ours", S1_SECONDS / seconds),
    ]


def _stage(exudyn: Any, duration: float) -> list[Figure]:
    from gearwright.multibody import simulate

    from .exudyn_mechanism import run_stage

    made, step = _made("planetary-joints", duration)
    name = [b.name for b in made.bodies].index("planet1")
    arm, turned = float(np.linalg.norm(made.start.r[name])), 1.2 * np.arange(round(duration / 0.1) + 1) * 0.1
    # it turns freely: a circle at constant speed
    exact = arm * np.stack([np.cos(turned), np.sin(turned)], axis=1)
    long = 4.0 * step  # the step may be longer: projection meets the rows at any, and order four leaves little
    seconds, ours = timed(lambda: simulate(made, duration, long, 0.1), 3)
    at, gap, taken = run_stage(exudyn, made, 1.2, duration, step, round(0.1 / step))
    many = min(len(at), len(exact))
    label = "Exudyn, plane model of `planetary-joints`, positions met (index 3)"
    return [
        Figure(f"`planetary-joints`, {duration:g} s in steps of {1e3 * long:g} ms", seconds, "s"),
        Figure("its largest error of a row", ours.position_error, "m", 1e-10),
        Figure("its planet 1 against the circle it moves on", float(np.abs(ours.position[:many, name, 1:] - exact[:many]).max()), "m"),
        Figure(f"{label}, steps of {1e3 * step:g} ms: time over that", taken / seconds, "", 1.0, ">"),
        Figure("its pin's largest gap", gap, "m"),
        Figure("its planet 1 against the circle", float(np.abs(at[:many] - exact[:many]).max()), "m"),
    ]  # fmt: skip


def _crank(exudyn: Any, duration: float) -> list[Figure]:
    from gearwright.multibody import simulate

    from .exudyn_mechanism import run

    made, _ = _made("slider-crank", duration)
    fine = simulate(made, duration, 2.5e-4, 0.01).position
    simulate(made, 0.02, 2e-3, 0.01)
    figures = []
    own = None
    for step in (5e-3, 2e-3):
        seconds, ours = timed(partial(simulate, made, duration, step, 0.01))
        own = own or seconds
        error = float(np.abs(ours.position - fine).max())
        figures += [Figure(f"`slider-crank`, {duration:g} s, steps of {1e3 * step:g} ms", seconds, "s"),
                    Figure("its positions against steps of 0.25 ms", error, "m")]  # fmt: skip
    for step in (1e-3, 2.5e-4):
        other, _ = _made("slider-crank", duration)
        _, position, seconds = run(exudyn, other, duration, step, round(0.01 / step))
        many = min(len(position), len(fine))
        error = float(np.abs(position[:many] - fine[:many]).max())
        figures += [
            Figure(f"Exudyn, steps of {1e3 * step:g} ms: time over ours of 5 ms", seconds / float(own or np.nan), "", 1.0, ">"),
            Figure("its positions against ours of 0.25 ms", error, "m"),
        ]  # fmt: skip
    return figures


def _plane_train(exudyn: Any, duration: float) -> list[Figure]:
    from gearwright.multibody import simulate

    from .exudyn_mechanism import run_train

    made, step = _made("nordtank-8-bodies", duration)
    seconds, ours = timed(lambda: simulate(made, duration, step, 0.05))
    name = [b.name for b in made.bodies].index("planet1")
    other, _ = _made("nordtank-8-bodies", duration)

    def torque(t: float) -> float:
        return 141.86e3 + 15e3 * float(np.sin(2.0 * np.pi * 1.3659 * t))

    _, _, planet, taken = run_train(exudyn, other, torque, 1000.0, 157.0796327, 2.8607, duration, 1e-3, 50)
    error = float(np.abs(planet - ours.position[:, name, :2]).max())
    return [
        Figure("Exudyn, plane model of the eight bodies (7 of 47 rows), steps of 1 ms: time over ours in space",
               taken / seconds),
        Figure("position of a planet, between the two", error, "m", 1e-4),
    ]  # fmt: skip
