"""Ten minutes of the planar 750 kW gearbox: constant stiffness, file with counters, two levels, memory."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from .common import Figure, child, relative_error, timed
from .twolevel import TwoLevel

TITLE = "Planar `grc-750kw` (32 degrees of freedom), 600 s"
#: Constant stiffness and the steady line of the machine.
CASE = "torque-ramp"
CHUNK = 8192


def measure(quick: bool = False) -> list[Figure]:
    """Engine time with constant and two-level stiffness, the whole command at 10 kHz, and its memory."""
    duration = 2.0 if quick else 600.0
    return [
        _engine("constant stiffness, exact engine, 1 kHz", duration, 1.0, (), None),
        *_two_levels(duration, 0.02 if quick else 0.2),
        *_command(duration),
        *_profile(4.0 if quick else 100.0),
        _memory(duration),
    ]


def _prepared(overrides: tuple[str, ...], law: str | None) -> tuple[Any, Any, Any]:
    from gearwright.results.channels import recorded_channels
    from gearwright.running.prepare import prepare
    from gearwright.running.start import initial_state
    from gearwright.train.open import load

    prepared = prepare(load("grc-750kw", overrides), CASE, law=law)
    channels = recorded_channels(prepared.system, prepared.case.record)
    return prepared.system, channels, initial_state(prepared)


def _engine(name: str, duration: float, goal: float, overrides: tuple[str, ...], law: str | None) -> Figure:
    """Time of the engine alone, preparation included, all channels of the case at 1 kHz."""
    from gearwright.solve.choose import engine

    system, channels, start = _prepared(overrides, law)
    exact = engine("exact")

    def whole(length: float) -> None:
        plan, state = exact.prepare(system, channels, 1e-3, 0.0), start.copy()
        left = round(length / 1e-3)
        while left:
            steps = min(CHUNK, left)
            exact.advance(plan, state, steps)
            left -= steps

    whole(0.01)
    return Figure(f"{name}: {duration:g} s", timed(lambda: whole(duration))[0], "s", goal)


def _two_levels(duration: float, window: float) -> list[Figure]:
    """Spur course on request; error of the mesh deflections against restarted DOP853."""
    from gearwright.solve.choose import engine

    overrides = ("model.helical=spur",)
    speed = _engine("two levels at all 8 meshes (`model.helical: spur`), exact engine, 1 kHz", duration, 15.0,
                    overrides, "periodic")  # fmt: skip
    system, _, start = _prepared(overrides, "periodic")
    channels = tuple(c for c in system.channels if c.kind == "mesh" and c.quantity == "deflection")
    problem = TwoLevel(system)
    times = np.linspace(1e-3, window, round(window / 1e-3))
    reference = problem.deflections(problem.reference(problem.start(start), times))
    exact = engine("exact")
    plan = exact.prepare(system, channels, 1e-3, 0.0)
    error = relative_error(np.asarray(exact.advance(plan, start.copy(), len(times)).lines), reference)
    name = f"two levels: error over {window:g} s, against DOP853 at 1e-12 restarted at switches"
    return [speed, Figure(name, error, "", 1e-4)]


def _command(duration: float) -> list[Figure]:
    """``gearwright run`` with counters at 10 kHz, wall time of stepping, counting and writing."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.nc"
        arguments = ["run", "grc-750kw", "--case", CASE, "--duration", f"{duration:g}", "--json", "-o", str(path),
                     "--set", f"cases.{CASE}.counting_interval=0.1 ms"]  # fmt: skip
        child(["run", "grc-750kw", "--case", CASE, "--duration", "1", "--json", "-o", str(path)])
        done = child(arguments)
        data = json.loads(done.output)
        size = path.stat().st_size / 1e6
    note = "wall time with two threads: engine and recorder work side by side"
    return [
        Figure(f"constant stiffness, counters at 10 kHz, file written: {duration:g} s", data["wall_s"], "s", 4.0,
               note=note),
        Figure("the same, the whole command: start, modes for the report, counters written", done.wall, "s"),
        Figure("the same, processor time of the whole process (start included)", done.processor, "s"),
        Figure("the same, size of the file", size, "MB"),
    ]  # fmt: skip


def _profile(duration: float) -> list[Figure]:
    """Processor time per sample at 10 kHz of the two threads: engine; derived channels, statistics, cycles and filter."""
    from time import thread_time

    from threadpoolctl import threadpool_limits

    from gearwright.results.channels import derived_channels
    from gearwright.results.counters import Counters
    from gearwright.results.derive import Extension
    from gearwright.results.filter import Decimator
    from gearwright.running.prepare import prepare
    from gearwright.solve.choose import engine
    from gearwright.train.open import load

    system, channels, state = _prepared((), None)
    derived = derived_channels(channels, prepare(load("grc-750kw"), CASE).train)
    every = [*channels, *derived]
    extension = Extension([c.name for c in channels], derived)
    counters = Counters(len(every), [i for i, c in enumerate(every) if c.counted], (3, 4, 6, 8, 10, 12))
    decimator = Decimator(200, len(every))
    exact, spent, samples = engine("exact"), dict.fromkeys(("engine", "derive", "count", "filter"), 0.0), 0
    with threadpool_limits(1):
        plan = exact.prepare(system, channels, 1e-4, 0.0)
        for chunk in range(round(duration / 1.024)):
            begin = thread_time()
            lines = exact.advance(plan, state, 10240).lines
            times = [thread_time() - begin, 0.0, 0.0, 0.0]
            for first in range(0, len(lines), 1024):
                marks = [thread_time()]
                room, column = decimator.room(1024)
                extension.extend(lines[first : first + 1024], room, column)
                marks.append(thread_time())
                counters.count(room, column, column + 1024)
                marks.append(thread_time())
                decimator.taken(1024)
                marks.append(thread_time())
                times = [t + d for t, d in zip(times, (0.0, *np.diff(marks)), strict=True)]
            if (
                2 * chunk * 1.024 > duration
            ):  # machine code is loaded, and blocks of the envelope are as long as in a long run
                samples += len(lines)
                spent = {key: spent[key] + t for key, t in zip(spent, times, strict=True)}
    names = {"engine": f"engine, {len(channels)} channels", "derive": f"copy and {len(derived)} derived channels",
             "count": f"statistics of {len(every)}, cycles and levels of {len(counters.counts().damage)} channels",
             "filter": "filter and decimation by 200"}  # fmt: skip
    return [
        Figure(f"the same, processor time per sample: {names[key]}", 1e9 * time / max(samples, 1), "ns")
        for key, time in spent.items()
    ]


def _memory(duration: float) -> Figure:
    """Peak memory of a run that stores every channel at 10 kHz."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = ["run", "grc-750kw", "--case", CASE, "--duration", f"{duration:g}", "--json", "-o", str(Path(folder) / "run.nc"),
                     "--set", f"cases.{CASE}.record=[meshes,bearings,shafts,machines,bodies]",
                     "--set", f"cases.{CASE}.counting_interval=0.1 ms", "--set", f"cases.{CASE}.output_interval=0.1 ms"]  # fmt: skip
        done = child(arguments)
    return Figure(
        f"every channel stored at 10 kHz, {duration:g} s: peak memory of the process", done.memory, "MB", 500.0
    )
