"""From the start of a process to its result: warm, and with an empty cache of compiled code."""

from __future__ import annotations

import compileall
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import gearwright

from .common import Child, Figure, child

TITLE = "A process from its start to the result of P1 (`gearwright run nordtank-500kw-two-level --duration 30 --json`)"


def measure(quick: bool = False) -> list[Figure]:
    """Least of several warm starts, one cold start, and the import of the package alone."""
    # bytecode as an installed package has it, whatever PYTHONDONTWRITEBYTECODE says
    compileall.compile_dir(str(Path(gearwright.__file__).parent), quiet=2)
    figures = [Figure("import gearwright", _import(), "s", 0.5)]
    with tempfile.TemporaryDirectory() as folder:
        cache = {"GEARWRIGHT_CACHE_DIR": str(Path(folder) / "cache")}

        def run() -> Child:
            duration = "0.1" if quick else "30"
            path = str(Path(folder) / "p1.nc")
            return child(["run", "nordtank-500kw-two-level", "--duration", duration, "--json", "-o", path], cache)

        if not quick:
            cold = run()
            figures += [
                Figure("cold (everything compiled)", cold.wall, "s", 8.0),
                Figure("cold, processor time", cold.processor, "s"),
            ]
        warm = [run() for _ in range(1 if quick else 5)]
    best = min(warm, key=lambda c: c.wall)
    return [
        *figures, Figure("warm", best.wall, "s", 1.0), Figure("warm, processor time", best.processor, "s"),
        Figure("warm, peak memory", best.memory, "MB"),
    ]  # fmt: skip


def _import() -> float:
    def once() -> float:
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", "import gearwright"], check=True)
        return time.perf_counter() - begin

    return min(once() for _ in range(3))
