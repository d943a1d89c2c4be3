"""Report: figures, scheme of the train, one HTML page.

``report`` is loaded when it is first used: every run writes a train's record, and only the page needs xarray.
"""

from typing import TYPE_CHECKING, Any

from .record import train_record
from .scheme import scheme

if TYPE_CHECKING:
    from .page import report

__all__ = ["report", "scheme", "train_record"]


def __getattr__(name: str) -> Any:
    if name == "report":
        from .page import report

        globals()[name] = report
        return report
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
