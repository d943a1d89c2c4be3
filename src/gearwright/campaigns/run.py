"""Run a campaign: what is missing in its folder is worked on, and everything is summed up in one table."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gearwright.progress import stage, tell

from .folder import Folder
from .line import Line
from .owner import owned
from .plan import Plan
from .table import write_table
from .workers import Processes, Serial, Workers

#: called with (finished, of how many, failed, the last line)
Progress = Callable[[int, int, int, Line], None]


@dataclass(frozen=True)
class Outcome:
    """What a campaign left behind.

    ``cases`` runs of the plan, ``done`` finished ones, ``computed`` those of them that this call worked on,
    ``failed`` their ids and messages, ``simulated_s`` seconds simulated by this call in ``wall_s`` seconds.
    """

    folder: Path
    name: str
    cases: int
    done: int
    computed: int
    failed: dict[str, str]
    simulated_s: float
    wall_s: float
    table: Path

    @property
    def real_time_factor(self) -> float:
        """Simulated time over wall time."""
        return self.simulated_s / self.wall_s if self.wall_s > 0 else 0.0


def run_campaign(
    plan: Plan,
    folder: str | Path,
    *,
    jobs: int = 1,
    workers: Workers | None = None,
    progress: Progress | None = None,
    retry_failed: bool = True,
    wait: bool = False,
) -> Outcome:
    """Work on every run of a plan that its folder does not hold yet, then write the table.

    Parameters
    ----------
    plan : of :func:`campaign_plan` or :func:`study_plan`
    folder : made if it is not there; one that holds the same plan is gone on with
    jobs : processes on this machine; one means this process
    workers : somewhere else to work, instead of ``jobs``
    progress : called after every run
    retry_failed : work again on what failed before
    wait : for another process that works in the folder, instead of CampaignError

    The results do not depend on the order, the number of jobs or the place of work. Raises CampaignError if the
    campaign as a whole cannot go on, with everything finished kept.
    """
    place = Folder(Path(folder))
    with owned(place.path, wait):
        place.begin(plan)
        damaged = place.drop_damaged(plan)
        if damaged:
            tell(
                f"{place.path}: damaged lines of {len(damaged)} runs, computed again: {', '.join(damaged[:10])}{' ...' * (len(damaged) > 10)}"
            )
        return _run(plan, place, jobs, workers, progress, retry_failed)


def _run(
    plan: Plan, place: Folder, jobs: int, workers: Workers | None, progress: Progress | None, retry_failed: bool
) -> Outcome:
    begin = time.perf_counter()
    missing = [i for i in plan.items if not place.done(i)]
    if not retry_failed:
        missing = [i for i in missing if not (place.failed / f"{i}.json").is_file()]
    finished, failed = len(plan.items) - len(missing), 0
    computed, simulated = 0, 0.0
    at_work = workers or (Serial() if jobs <= 1 or len(missing) <= 1 else Processes(min(jobs, len(missing))))
    try:
        with stage("run", len(plan.items)) as going:
            going.at(finished)
            for line in at_work.lines(plan, missing, place.path):
                place.keep(line)
                if line["status"] == "done":
                    finished += 1
                    computed += 1
                    simulated += line.get("duration_s", 0.0)
                else:
                    failed += 1
                if progress is not None:
                    progress(finished, len(plan.items), failed, line)
                going.at(finished + failed)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"interrupted; {finished} of {len(plan.items)} runs are kept in {place.path}, the same command goes on from there"
        ) from None
    finally:
        table = write_table(place, plan)
    failures = {line["id"]: line["error"] for line in place.failures(plan)}
    return Outcome(
        place.path,
        plan.name,
        len(plan.items),
        finished,
        computed,
        failures,
        simulated,
        time.perf_counter() - begin,
        table,
    )
