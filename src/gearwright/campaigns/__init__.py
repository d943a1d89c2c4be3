"""Many runs: campaigns of load cases and studies of values, here, on all cores, or on a cluster."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .folder import CampaignError, Folder
    from .plan import Options, Plan, campaign_plan
    from .run import Outcome, run_campaign
    from .sensitivity import Effect, effects
    from .study import study_plan
    from .table import extremes, read_table

_PLACES = {
    "CampaignError": "folder", "Folder": "folder", "Options": "plan", "Plan": "plan", "campaign_plan": "plan",
    "Outcome": "run", "run_campaign": "run", "extremes": "table", "read_table": "table",
    "Effect": "sensitivity", "effects": "sensitivity", "study_plan": "study",
}  # fmt: skip

__all__ = ["CampaignError", "Effect", "Folder", "Options", "Outcome", "Plan", "campaign_plan", "effects", "extremes",
           "read_table", "run_campaign", "study_plan"]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'gearwright.campaigns' has no attribute '{name}'")
    return getattr(import_module(f"gearwright.campaigns.{_PLACES[name]}"), name)
