"""The work on one run of a campaign, wherever it happens: simulate, store, sum up in one line."""

from __future__ import annotations

import errno
import math
import time
import traceback
from pathlib import Path
from pkgutil import resolve_name

from gearwright.errors import RunError
from gearwright.results import Result
from gearwright.running.run import simulate

from .folder import CampaignError, Folder, file_checksum
from .line import Figures, Line
from .plan import Plan

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG}


def work_on(plan: Plan, identifier: str, folder: Path) -> Line:
    """Run one case of a plan; its result goes into ``folder``; returns its line, or a note of why it failed.

    Only what stops the whole campaign is raised: CampaignError for a disk that is full.
    """
    if plan.task:
        task: Line = resolve_name(plan.task)(plan, identifier, folder)
        return task
    begin = time.perf_counter()
    line: Line = {"id": identifier, "values": dict(plan.items[identifier]), "status": "done"}
    place = Folder(folder).results / f"{identifier}.nc"
    options = plan.options
    try:
        drivetrain = plan.member(identifier)
        run = simulate(
            drivetrain,
            identifier,
            fidelity=options.fidelity,
            law=options.law,
            duration=options.duration,
            method=options.method,
            tolerance=options.tolerance,
            output=place,
        )
        channels, numbers = figures(place)
        line = {
            **line,
            "channels": channels,
            "numbers": numbers,
            "method": run.method,
            "duration_s": run.duration_s,
            "energy_error": run.energy_error,
            "assumed": run.assumed,
            "notes": run.notes,
            "warnings": run.warnings,
            "result": place.name,
            "checksum": file_checksum(place),
        }
    except OSError as error:
        if error.errno in _FULL:
            raise CampaignError(
                f"{place.parent}: {error.strerror}; what is finished stays, run the same command "
                "again when there is room"
            ) from None
        line = _failed(line, error)
    except RunError as error:
        kind = "diverged" if type(error) is RunError else type(error).__name__
        line = {**line, "status": "failed", "error": str(error), "kind": kind}
    except Exception as error:
        line = _failed(line, error)
    line["run"] = {
        "wall_s": time.perf_counter() - begin,
        "finished": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }
    return line


def _failed(line: Line, error: Exception) -> Line:
    """The line with a failure; a message of ours says all, anything else comes with its traceback."""
    kind = type(error).__name__
    line = {**line, "status": "failed", "error": str(error) or kind, "kind": kind}
    ours = type(error).__module__.startswith("gearwright")
    return line if ours else {**line, "traceback": traceback.format_exc()}


def figures(path: Path) -> tuple[dict[str, Figures], str]:
    """Statistics and damage equivalent loads of every channel of a result file, and a hash of its numbers.

    The hash is the SHA-256 of all variables: two runs are the same when it is.
    """
    channels: dict[str, Figures] = {}
    with Result.open(path) as result:
        for row in result.table():
            if math.isnan(row.mean):
                continue
            values: Figures = {
                "min": row.minimum,
                "max": row.maximum,
                "mean": row.mean,
                "std": row.standard_deviation,
                "time_of_min": row.time_of_minimum,
                "time_of_max": row.time_of_maximum,
                "kind": row.kind,
                "unit": row.unit,
            }
            if row.equivalents:
                values["del"] = {f"{m:g}": x for m, x in row.equivalents.items()}
            channels[row.name] = values
        return channels, result.digest()
