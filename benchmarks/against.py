"""Speed of stepping against another checkout, both in turns in the same minutes.

    python -m benchmarks.against ../older [--only WORD] [--times N] [--cold]

A process per checkout holds the prepared models; a run of one is followed by the same run of the other, so that whatever else
the machine does meets both. The figure is the ratio of the least processor times, older over this: 1 is as fast, more is faster. ``--cold``
adds a first run with an empty cache of machine code: wall time, processor time of all its processes, peak memory of the largest.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

HERE = Path(__file__).resolve().parents[1]
#: the ratio that a rebuilt room must keep
GOAL = 0.9


@dataclass(frozen=True)
class Stepping:
    """A model, and how long it is stepped with samples every millisecond: some tenths of a processor second."""

    name: str
    file: str
    seconds: float
    case: str | None = None
    fidelity: str | None = None
    law: str | None = None
    edits: tuple[str, ...] = ()
    tolerance: float = 1e-3
    method: str | None = None
    turbine: bool = False


CASES = (
    Stepping("two levels", "nordtank-500kw-two-level", 300.0, method="exact"),
    Stepping("nejad, planar, constant", "nrel-5mw-nejad", 10.0, "rated", "planar", "linear"),
    Stepping("gallego, constant", "nrel-5mw-gallego", 600.0, law="linear", method="exact"),
    Stepping("grc, planar, constant", "grc-750kw", 600.0, "torque-ramp", method="exact"),
    Stepping("spur pair, contact", "spur-pair-hertz", 40.0, law="tooth_contact", method="explicit"),
    Stepping("grc, planar, contact", "grc-750kw", 8.0, "rated", "planar", "tooth_contact", ("model.helical=spur",), 3e-2, "explicit"),
    Stepping("nejad, spatial, periodic", "nrel-5mw-nejad", 5.0, "rated", "spatial", "periodic", ("model.frames=frozen",), 5e-3),
    Stepping("turbine and gearbox, constant", "nrel-5mw", 40.0, "normal", "planar", "linear", turbine=True),
)  # fmt: skip


# --- the process of a checkout: run as a script, with the package of that checkout on its path -------------------------------------------


def _stepped(case: Stepping) -> Any:
    """A function that steps the case once from its start."""
    import gearwright as gw

    if case.turbine:
        target = Path(tempfile.mkdtemp()) / "run.nc"
        made = gw.load(case.file, ["cases.normal.discard=0 s"])
        return lambda: gw.simulate(
            made, case.case, law=case.law, fidelity=case.fidelity, duration=case.seconds, output=target
        )
    try:
        from gearwright.results.channels import recorded_channels
        from gearwright.running.prepare import prepare
        from gearwright.running.start import initial_state
        from gearwright.solve.choose import choose
    except ImportError:  # the rooms before 0.2.0
        from gearwright.cases.run import initial_state, prepare, recorded_channels  # type: ignore[import-not-found, no-redef]

        from gearwright.solve.choose import choose
    prepared = prepare(gw.load(case.file, case.edits), case.case, law=case.law, fidelity=case.fidelity)
    channels = recorded_channels(prepared.system, prepared.case.record)
    start = initial_state(prepared)
    engine = choose(prepared.system, 1e-3, case.tolerance, case.method)[0]

    def run() -> None:
        plan, state = engine.prepare(prepared.system, channels, 1e-3, case.tolerance), start.copy()
        left = round(case.seconds / 1e-3)
        while left:
            steps = min(8192, left)
            engine.advance(plan, state, steps)
            left -= steps

    return run


def serve(lines: IO[str]) -> None:
    """For every line with the number of a case: run it, answer with its processor seconds. The first run of each is not timed."""
    from threadpoolctl import threadpool_limits

    made: dict[int, Any] = {}
    with threadpool_limits(1):
        for line in lines:
            i = int(line)
            if i not in made:
                made[i] = _stepped(CASES[i])
                made[i]()
            begin = time.process_time()
            made[i]()
            print(f"took {time.process_time() - begin}", flush=True)


# --- the driver --------------------------------------------------------------------------------------------------------------------------


@dataclass
class Checkout:
    """A tree of the project and the process that steps its models."""

    folder: Path
    times: list[float] = field(default_factory=list)
    process: subprocess.Popen[str] | None = None

    def environment(self) -> dict[str, str]:
        """That of its processes: its package first."""
        return {**os.environ, "PYTHONPATH": str(self.folder / "src")}

    def took(self, case: int) -> float:
        """Processor seconds of one run."""
        if self.process is None:
            self.process = subprocess.Popen([sys.executable, str(HERE / "benchmarks" / "against.py"), "--serve"], text=True,
                                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self.environment(), cwd=self.folder)  # fmt: skip
        assert self.process.stdin is not None and self.process.stdout is not None
        print(case, file=self.process.stdin, flush=True)
        for line in self.process.stdout:
            if line.startswith("took "):
                return float(line.split()[1])
        raise RuntimeError(f"{self.folder}: the process ended")

    def cold(self) -> tuple[float, float, float]:
        """Wall time [s], processor time [s] and peak memory [MB] of a first run with an empty cache."""
        with tempfile.TemporaryDirectory() as folder:
            given = self.environment() | {"GEARWRIGHT_CACHE_DIR": f"{folder}/cache"}
            given.pop("PYTHONDONTWRITEBYTECODE", None)
            words = ["run", "nordtank-500kw-two-level", "--duration", "30", "--json", "-o", f"{folder}/p1.nc"]
            begin = time.perf_counter()
            process = subprocess.Popen([sys.executable, "-c", "from gearwright.cli import main; main()", *words], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL, env=given)  # fmt: skip
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                raise RuntimeError(f"{self.folder}: the first run failed")
            return time.perf_counter() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main(arguments: list[str] | None = None) -> int:
    """Print a table of ratios; exit code 1 if one is below the goal."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.against", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("older", type=Path, nargs="?", help="folder of the other checkout")
    parser.add_argument("--only", default="", metavar="WORD", help="cases whose name holds this")
    parser.add_argument("--times", type=int, default=5, help="runs of each case in each checkout; the least counts")
    parser.add_argument("--cold", action="store_true", help="first runs with an empty cache too")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.serve:
        serve(sys.stdin)
        return 0
    if given.older is None:
        parser.error("which checkout? Give its folder")
    older, this = Checkout(given.older.resolve()), Checkout(HERE)
    print("| stepping | older [s] | this [s] | older / this |\n|---|---:|---:|---:|", flush=True)
    lost = []
    for i, case in enumerate(CASES):
        if given.only in case.name:
            pairs = [(older.took(i), this.took(i)) for _ in range(given.times)]
            before, now = (min(column) for column in zip(*pairs, strict=True))
            lost += [case.name] if before / now < GOAL else []
            print(f"| {case.name} | {before:.3f} | {now:.3f} | {before / now:.2f} |", flush=True)
    for each in (older, this):
        if each.process is not None and each.process.stdin is not None:
            each.process.stdin.close()
            each.process.wait()
    if given.cold:
        found = {name: [round(x, 1) for x in each.cold()] for name, each in (("older", older), ("this", this))}
        print(f"\nfirst run, empty cache: wall [s], processor [s], peak memory [MB]: {json.dumps(found)}")
    if lost:
        print("\nbelow " + f"{GOAL:g}: " + ", ".join(lost))
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
