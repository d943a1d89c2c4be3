"""Many runs: campaigns of load cases and studies of values, here, on all cores, or on a cluster."""

from typing import TYPE_CHECKING

from gearwright.lazy import face

if TYPE_CHECKING:
    from .folder import CampaignError, Folder
    from .plan import Options, Plan, campaign_plan
    from .records import record_plan
    from .run import Outcome, run_campaign
    from .sensitivity import Effect, effects
    from .study import study_plan
    from .table import extremes, read_table

_MODULES = {
    "folder": ("CampaignError", "Folder"),
    "plan": ("Options", "Plan", "campaign_plan"),
    "records": ("record_plan",),
    "run": ("Outcome", "run_campaign"),
    "sensitivity": ("Effect", "effects"),
    "study": ("study_plan",),
    "table": ("extremes", "read_table"),
}

__getattr__, __dir__ = face(__name__, _MODULES)

__all__ = [
    "CampaignError",
    "Effect",
    "Folder",
    "Options",
    "Outcome",
    "Plan",
    "campaign_plan",
    "effects",
    "extremes",
    "read_table",
    "record_plan",
    "run_campaign",
    "study_plan",
]
