"""What the benchmarks share: figures, clocks, error measure, the machine they ran on."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float64]


@dataclass(frozen=True)
class Figure:
    """One measured number. ``goal`` is a bound, ``sense`` says on which side of it the number should lie."""

    name: str
    value: float
    unit: str = ""
    goal: float | None = None
    sense: str = "<"
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None without a goal."""
        if self.goal is None:
            return None
        return self.value < self.goal if self.sense == "<" else self.value > self.goal


def timed(function: Callable[[], Any], repeats: int = 1) -> tuple[float, Any]:
    """Processor seconds of the calling thread (least of ``repeats``) and the last value.

    Processor time, not the wall clock: other work on the machine then disturbs a ratio little.
    """
    best, value = np.inf, None
    for _ in range(repeats):
        begin = time.thread_time()
        value = function()
        best = min(best, time.thread_time() - begin)
    return float(best), value


@dataclass(frozen=True)
class Child:
    """What a command of the program took."""

    output: str
    wall: float
    processor: float
    memory: float


def child(arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> Child:
    """Run ``gearwright ARGUMENTS`` in a process of its own: wall and processor time [s], peak memory [MB].

    Raises RuntimeError with the messages of a command that fails.
    """
    changed = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | dict(environment or {})
    command = [sys.executable, "-c", "from gearwright.cli import main; main()", *arguments]
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as messages:
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=messages, env=changed)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        messages.seek(0)
        if process.returncode:
            raise RuntimeError(f"gearwright {' '.join(arguments)} failed: {messages.read()}")
        return Child(out.read(), wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def undiscarded(name: str, overrides: Sequence[str] = (), case: str | None = None) -> Any:
    """A drivetrain of which a case (None: the first) discards nothing: a benchmark steps a part of what it runs."""
    from gearwright.train.open import load

    chosen = case or load(name, overrides).cases[0].name
    return load(name, (*overrides, f"cases.{chosen}.discard=0 s"))


def relative_error(got: Float, reference: Float) -> float:
    """RMS difference of mesh deflections over the RMS fluctuation of the reference; columns are meshes."""
    fluctuation = reference - reference.mean(axis=0)
    return float(np.sqrt(np.mean((got - reference) ** 2) / np.mean(fluctuation**2)))


def machine() -> str:
    """Class of the machine: processor, cores, system, Python and the libraries that count."""
    import numba
    import scipy

    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="ignore") as file:
            found = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
        model = found[0] if found else model
    except OSError:
        pass
    return (
        f"{model}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}, "
        f"NumPy {np.__version__}, SciPy {scipy.__version__}, numba {numba.__version__}"
    )


def lines(figures: Sequence[Figure]) -> list[str]:
    """A Markdown table of figures."""
    head = ["| figure | value | goal | met |", "|---|---:|---:|---|"]
    return head + [f"| {f.name} | {number(f.value)} {f.unit} | {_goal(f)} | {_met(f)} |" for f in figures]


def number(x: float) -> str:
    """Four digits at most, no exponent where a plain number is short."""
    if x == 0.0 or not np.isfinite(x):
        return f"{x:g}"
    if 1e-3 <= abs(x) < 1e5:
        return f"{x:.{max(0, 3 - int(np.floor(np.log10(abs(x)))) - 1)}f}"
    return f"{x:.1e}"


def _goal(f: Figure) -> str:
    return "" if f.goal is None else f"{f.sense} {f.goal:g}"


def _met(f: Figure) -> str:
    return {None: "", True: "yes", False: "**no**"}[f.met]
