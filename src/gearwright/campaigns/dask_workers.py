"""Runs of a campaign as tasks of a Dask cluster.

A task is the plan and an id, what comes back is a line. The plan travels with each task, so the scheduler alone can
give a task to another worker, also when all workers are lost at once: data scattered to the workers would be lost with
the last of them. Results are written by the workers into the campaign's folder on a common file system, or come back as
bytes on request. A run may be worked on twice, which changes nothing: results and lines appear whole, and both are the
same.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gearwright.campaigns.folder import CampaignError, write_atomic
from gearwright.campaigns.plan import Plan
from gearwright.campaigns.work import work_on

from .line import Line
from .plan import PlanRecord

if TYPE_CHECKING:
    from distributed import Client

#: tasks in flight per thread of the workers: enough that none waits, few enough that the driver's memory is flat
IN_FLIGHT = 3
#: how often a run is given to another worker when its worker was lost
RETRIES = 4
#: seconds without any worker after which the campaign stops
PATIENCE = 300.0


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise CampaignError(
            "a cluster needs the packages of the extra 'cluster': pip install 'gearwright[cluster]'"
        ) from None
    return distributed


#: a plan on its way to a worker, behind its fingerprint
Sent = tuple[str, PlanRecord]


def _plan(data: Sent) -> Plan:
    """The plan on a worker, made once per process."""
    key, plan = data
    if key not in _PLANS:
        _PLANS.clear()
        _PLANS[key] = Plan.from_json(plan)
    return _PLANS[key]


_PLANS: dict[str, Plan] = {}


def _task(data: Sent, identifier: str, folder: str | None) -> tuple[Line, bytes | None]:
    """Work on one run, on a worker: its line, and its result where there is no common folder."""
    plan = _plan(data)
    if folder is not None:
        if not (Path(folder) / "campaign.json").is_file():
            line: Line = {
                "id": identifier,
                "values": dict(plan.items[identifier]),
                "status": "failed",
                "kind": "NoFolder",
                "error": f"a worker does not see {folder}: put the folder on a file system that all workers share, "
                "or use --return-results",
            }
            return line, None
        return work_on(plan, identifier, Path(folder)), None
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "results").mkdir()
        line = work_on(plan, identifier, Path(place))
        result = Path(place) / "results" / f"{identifier}.nc"
        return line, result.read_bytes() if result.is_file() else None


class DaskWorkers:
    """Workers of a Dask cluster, through its client.

    ``return_results``: results come back to the driver, for workers that do not see its folder.
    """

    def __init__(self, client: Client, return_results: bool = False, patience: float = PATIENCE):
        self.client = client
        self.return_results = return_results
        self.patience = patience

    def lines(self, plan: Plan, identifiers: Iterable[str], folder: Path) -> Iterator[Line]:
        """Lines of the runs as they become ready. Raises CampaignError if the scheduler or all workers are lost."""
        distributed = _distributed()
        client = self.client
        data: Sent = (plan.fingerprint, plan.to_json())
        target = None if self.return_results else str(folder.resolve())
        waiting = iter(identifiers)
        names: dict[str, str] = {}

        def submit(identifier: str) -> Any:
            future = client.submit(
                _task,
                data,
                identifier,
                target,
                pure=False,
                retries=RETRIES,
                key=f"{plan.name}-{identifier}-{plan.fingerprint[:8]}",
            )
            names[str(future.key)] = identifier
            return future

        try:
            self._wait_for_workers()
            ready = distributed.as_completed()
            while len(names) < self._width() and (identifier := next(waiting, None)) is not None:
                ready.add(submit(identifier))
            while names:
                try:
                    # the patience is for a cluster without workers, not for a long run
                    future = _next(ready, self.patience, self._alive)
                except TimeoutError:
                    raise CampaignError(
                        f"the cluster has had no worker for {self.patience:g} s; what is finished stays, run the same "
                        "command again when there are workers"
                    ) from None
                identifier = names.pop(str(future.key))
                yield self._line(plan, identifier, future, folder)
                while len(names) < self._width() and (identifier := next(waiting, "")):
                    ready.add(submit(identifier))
        except OSError as error:
            raise CampaignError(
                f"the scheduler is gone ({_cause(error)}); what is finished stays, run the same command again "
                "when it is back"
            ) from None
        finally:
            client.cancel(
                [distributed.Future(key, client) for key in names]
            ) if names and client.status == "running" else None

    def _wait_for_workers(self) -> None:
        try:
            self.client.wait_for_workers(1, timeout=self.patience)
        except TimeoutError:
            raise CampaignError(f"the cluster has no workers (waited {self.patience:g} s)") from None

    def _alive(self) -> bool:
        """Whether the cluster has workers. Raises OSError if its scheduler is gone."""
        if self.client.status != "running":
            raise OSError("connection lost")
        return bool(self.client.nthreads())

    def _width(self) -> int:
        return max(IN_FLIGHT * sum(self.client.nthreads().values()), IN_FLIGHT)

    def _line(self, plan: Plan, identifier: str, future: Any, folder: Path) -> Line:
        if future.status == "cancelled":
            raise OSError("its tasks were cancelled")
        if future.status == "error":
            error = future.exception()
            if isinstance(error, CampaignError):
                raise error
            return {
                "id": identifier,
                "values": dict(plan.items[identifier]),
                "status": "failed",
                "kind": type(error).__name__,
                "error": f"its worker failed: {error}",
            }
        line: Line
        line, content = future.result()
        if content is not None:
            write_atomic(folder / "results" / f"{identifier}.nc", content)
        return line


def _next(ready: Any, patience: float, alive: Any) -> Any:
    """The next finished task; TimeoutError after ``patience`` seconds in which there was no worker."""
    import time

    since = time.monotonic()
    while True:
        if ready.queue.qsize() or not ready.futures:
            return next(ready)
        if alive():
            since = time.monotonic()
        elif time.monotonic() - since > patience:
            raise TimeoutError
        time.sleep(0.02)


@contextmanager
def connect(address: str, return_results: bool = False) -> Iterator[DaskWorkers]:
    """Workers of the cluster whose scheduler is at ``tcp://HOST:PORT``.

    Raises CampaignError if there is none.
    """
    distributed = _distributed()
    try:
        client = distributed.Client(address, timeout=10)
    except (OSError, ValueError) as error:
        raise CampaignError(f"no scheduler answers at {address} ({_cause(error)})") from None
    with _quiet(), client:
        yield DaskWorkers(client, return_results)


@contextmanager
def _quiet() -> Iterator[None]:
    """No words of the library about a connection that it has lost: our own message says so."""
    loggers = [logging.getLogger(f"distributed.{name}") for name in ("batched", "client", "core", "comm", "utils")]
    before = [one.level for one in loggers]
    for one in loggers:
        one.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for one, level in zip(loggers, before, strict=True):
            one.setLevel(level)


@contextmanager
def slurm_cluster(options: str, return_results: bool = False) -> Iterator[DaskWorkers]:
    """Workers as jobs of Slurm, started for this campaign and ended with it.

    ``options``: ``jobs=20,cores=4,memory=8GB,walltime=02:00:00,queue=short``; ``jobs`` is their number, the rest goes
    to dask-jobqueue's SLURMCluster. Raises CampaignError for options that it does not know.
    """
    _distributed()
    from dask_jobqueue import SLURMCluster

    words = dict(_pair(part, options) for part in options.split(",") if part.strip())
    try:
        count = int(words.pop("jobs", "1"))
    except ValueError:
        raise CampaignError(f"--slurm: jobs is a number, not '{words.get('jobs')}'") from None
    given = {k: int(v) if v.isdigit() else v for k, v in words.items()}
    arguments = {"cores": 1, "memory": "2GB", "processes": given.get("cores", 1), **given}  # one run per process
    # the scheduler has to be reached by the workers; its page is for this machine alone
    page = {"dashboard_address": "127.0.0.1:0"}
    try:
        cluster = SLURMCluster(scheduler_options=page, **arguments)  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise CampaignError(f"--slurm: {error}") from None
    with _quiet(), cluster:
        cluster.scale(jobs=count)
        with _distributed().Client(cluster) as client:
            yield DaskWorkers(client, return_results)


def _pair(part: str, options: str) -> tuple[str, str]:
    key, equals, value = part.strip().partition("=")
    if not equals:
        raise CampaignError(
            f"--slurm: '{part.strip()}' in '{options}' is not name=value; like jobs=20,cores=4,memory=8GB"
        )
    return key, value


def _cause(error: BaseException) -> str:
    """What lies below an error, in words of the system."""
    while error.__cause__ is not None or error.__context__ is not None:
        error = error.__cause__ or error.__context__ or error
    words = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return str(words).lower() if isinstance(error, OSError) and error.strerror else str(words)
