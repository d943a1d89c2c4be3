"""The work on one run of a campaign, wherever it happens: simulate, store, sum up in one line."""

from __future__ import annotations

import errno
import math
import time
import traceback
from pathlib import Path
from typing import Any

from gearwright.errors import RunError
from gearwright.results import Result
from gearwright.running.run import simulate

from .folder import CampaignError, Folder, file_checksum
from .plan import Plan

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG}


def work_on(plan: Plan, identifier: str, folder: Path) -> dict[str, Any]:
    """Run one case of a plan; its result goes into ``folder``; returns its line, or a note of why it failed.

    Only what stops the whole campaign is raised: CampaignError for a disk that is full.
    """
    begin = time.perf_counter()
    line: dict[str, Any] = {"id": identifier, "values": dict(plan.items[identifier]), "status": "done"}
    place = Folder(folder).results / f"{identifier}.nc"
    options = plan.options
    try:
        drivetrain = plan.member(identifier)
        run = simulate(
            drivetrain, identifier, fidelity=options.fidelity, law=options.law, duration=options.duration,
            method=options.method, tolerance=options.tolerance, output=place,
        )  # fmt: skip
        line.update(figures(place), method=run.method, duration_s=run.duration_s, energy_error=run.energy_error)
        line.update(assumed=run.assumed, notes=run.notes, warnings=run.warnings)
        line.update(result=place.name, checksum=file_checksum(place))
    except OSError as error:
        if error.errno in _FULL:
            raise CampaignError(f"{place.parent}: {error.strerror}; what is finished stays, run the same command "
                                "again when there is room") from None  # fmt: skip
        line.update(_failed(error))
    except RunError as error:
        line.update(
            status="failed", error=str(error), kind="diverged" if type(error) is RunError else type(error).__name__
        )
    except Exception as error:
        line.update(_failed(error))
    line["run"] = {
        "wall_s": time.perf_counter() - begin,
        "finished": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }
    return line


def _failed(error: Exception) -> dict[str, Any]:
    """Note of a failure; a message of ours says all, anything else comes with its traceback."""
    ours = type(error).__module__.startswith("gearwright")
    note = {"status": "failed", "error": str(error) or type(error).__name__, "kind": type(error).__name__}
    return note if ours else {**note, "traceback": traceback.format_exc()}


def figures(path: Path) -> dict[str, Any]:
    """Statistics and damage equivalent loads of every channel of a result file, and a hash of its numbers.

    ``channels``: name to ``unit, kind, min, max, mean, std, time_of_min, time_of_max`` and ``del`` by exponent.
    ``numbers`` is the SHA-256 of all variables: two runs are the same when it is.
    """
    words = {"minimum": "min", "maximum": "max", "mean": "mean", "standard_deviation": "std",
             "time_of_minimum": "time_of_min", "time_of_maximum": "time_of_max"}  # fmt: skip
    channels: dict[str, dict[str, Any]] = {}
    with Result.open(path) as result:
        for row in result.table():
            if math.isnan(row["mean"]):
                continue
            values = {**{short: row[long] for long, short in words.items()}, "kind": row["kind"], "unit": row["unit"]}
            if "del" in row:
                values["del"] = {f"{m:g}": x for m, x in row["del"].items()}
            channels[row["name"]] = values
        return {"channels": channels, "numbers": result.digest()}


__all__ = ["figures", "work_on"]
