"""The report of a result, with what its bearings and teeth are rated at, of a campaign, or of a study."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gearwright.analyses.base import result_file_of
from gearwright.analyses.rating_sheet import record_sheet
from gearwright.campaigns import CampaignError, Folder

from .campaign_page import campaign_report
from .page import report
from .study_page import study_report


def write_report(result: Any, output: str | Path | None = None) -> Path:
    """Write the HTML report of a result, or of the folder of a campaign or study; by default beside the result, or into the folder.

    ``result`` is a path, a Result or a Run. Bearings and teeth are rated where the drivetrain says enough. Raises ResultError for
    a file that is missing, cut off or not a result.
    """
    place = result_file_of(result)
    if place.is_dir():
        kind = Folder(place).plan().kind
        if kind == "design":
            raise CampaignError(
                f"{place} is the folder of a design: its page is {place}/design.html, which the same design command writes"
            )
        of_folder = study_report if kind == "study" else campaign_report
        return of_folder(place, Path(output or place / "report.html"))
    return report(place, output or place.with_suffix(".html"), record_sheet(place))
