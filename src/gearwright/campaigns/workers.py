"""Workers: where the runs of a campaign are worked on. Each yields lines as they become ready.

Runs are processes, not threads: the netCDF library may not be entered by two threads, a crash in one process leaves
the others alone, and what of a run is Python (reading, assembling, summing up) runs side by side too. The compiled
code is loaded from the same cache on disk.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Protocol

from gearwright.schema.places import Values

from .line import Line
from .plan import Plan, PlanRecord
from .work import work_on

#: how often a run is given to a new worker when its worker died
RETRIES = 2


class Workers(Protocol):
    """Something that works on runs."""

    def lines(self, plan: Plan, identifiers: Iterable[str], folder: Path) -> Iterator[Line]:
        """Lines of the runs, in the order in which they become ready."""
        ...


class Serial:
    """One run after the other, in this process."""

    def lines(self, plan: Plan, identifiers: Iterable[str], folder: Path) -> Iterator[Line]:
        """See :class:`Workers`."""
        for identifier in identifiers:
            yield work_on(plan, identifier, folder)


_PLAN: Plan | None = None


def _start(plan: PlanRecord, parent: int) -> None:
    """A worker reads the plan once; afterwards only ids travel."""
    global _PLAN
    import signal
    import threading
    import time

    for name in ("SIGINT", "SIGHUP"):  # Ctrl-C and a dropped line are the driver's business
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    os.nice(1)

    def watch() -> None:
        # a driver that was killed leaves no worker behind
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    _PLAN = Plan.from_json(plan)


def _work(identifier: str, values: Values, folder: str) -> Line:
    assert _PLAN is not None
    return work_on(replace(_PLAN, items={identifier: values}), identifier, Path(folder))


class Processes:
    """``jobs`` runs at a time, each in a process of its own. A run whose process dies is tried again.

    ``keep``: the processes stay for further items of the same plan, until :meth:`close`.
    """

    def __init__(self, jobs: int, keep: bool = False):
        self.jobs, self.keep = jobs, keep
        self._kept: ProcessPoolExecutor | None = None

    def close(self) -> None:
        """End the processes that were kept."""
        if self._kept is not None:
            self._kept.shutdown(wait=False, cancel_futures=True)
            self._kept = None

    def _pool(self, plan: Plan) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.jobs, get_context("spawn"), _start, (plan.to_json(), os.getpid()))

    def lines(self, plan: Plan, identifiers: Iterable[str], folder: Path) -> Iterator[Line]:
        """See :class:`Workers`."""
        waiting = iter(identifiers)
        again: list[str] = []
        tries: dict[str, int] = {}
        flying: dict[Future[Line], str] = {}
        pool, self._kept = self._kept or self._pool(plan), None
        try:
            while True:
                while len(flying) < 2 * self.jobs:
                    identifier = again.pop() if again else next(waiting, None)
                    if identifier is None:
                        break
                    flying[pool.submit(_work, identifier, plan.items[identifier], str(folder))] = identifier
                if not flying:
                    if self.keep:
                        self._kept = pool
                    return
                ready, _ = wait(flying, return_when=FIRST_COMPLETED)
                died = []
                for future in ready:
                    identifier = flying.pop(future)
                    try:
                        yield future.result()
                    except BrokenProcessPool:
                        died.append(identifier)
                if died:
                    # the pool does not tell which process was whose: all in flight go to a new pool
                    died += list(flying.values())
                    flying.clear()
                    pool.shutdown(wait=False, cancel_futures=True)
                    pool = self._pool(plan)
                    for identifier in died:
                        tries[identifier] = tries.get(identifier, 0) + 1
                        if tries[identifier] <= RETRIES:
                            again.append(identifier)
                        else:
                            yield {
                                "id": identifier,
                                "values": dict(plan.items[identifier]),
                                "status": "failed",
                                "error": f"its process died {tries[identifier]} times (out of memory?)",
                                "kind": "WorkerDied",
                            }
        except BaseException:  # what is at work is not waited for: its run begins again when the campaign goes on
            for process in active_children():
                process.terminate()
            raise
        finally:
            if self._kept is None:
                pool.shutdown(wait=False, cancel_futures=True)
