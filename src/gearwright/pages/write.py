"""The report of a result, with what its bearings and teeth are rated at."""

from __future__ import annotations

from pathlib import Path

from gearwright.analyses.life import record_ratings

from .page import report


def write_report(result: str | Path, output: str | Path | None = None) -> Path:
    """Write the HTML report of a result file; by default beside it. Bearings and teeth are rated where the drivetrain says
    enough.

    Raises ResultError for a file that is missing, cut off or not a result.
    """
    return report(result, output or Path(result).with_suffix(".html"), record_ratings(result))
