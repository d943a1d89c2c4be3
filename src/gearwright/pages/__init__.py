"""HTML pages: the report of a run, and the page of every analysis."""

from typing import TYPE_CHECKING

from gearwright.lazy import face

if TYPE_CHECKING:
    from .bearing_page import write_bearing_page as write_bearing_page
    from .campbell_page import write_campbell_page as write_campbell_page
    from .compare_page import compare_report as compare_report
    from .design_page import write_design_page as write_design_page
    from .efficiency_page import write_efficiency_page as write_efficiency_page
    from .envelope_page import write_envelope_page as write_envelope_page
    from .fleet_page import fleet_report as fleet_report
    from .life_page import life_by_report as life_by_report
    from .life_page import life_report as life_report
    from .modify_page import write_modify_page as write_modify_page
    from .power_page import write_power_page as write_power_page
    from .rating_page import life_written as life_written
    from .section_orders import write_order_page as write_order_page
    from .sensitivity_page import write_sensitivity_page as write_sensitivity_page
    from .study_page import study_report as study_report
    from .sweep_page import write_sweep_page as write_sweep_page
    from .teeth_page import write_teeth_page as write_teeth_page
    from .tooth_page import tooth_report as tooth_report
    from .viewer.view import render as render
    from .viewer.view import write_view as write_view

_MODULES = {
    "bearing_page": ("write_bearing_page",),
    "campbell_page": ("write_campbell_page",),
    "compare_page": ("compare_report",),
    "design_page": ("write_design_page",),
    "efficiency_page": ("write_efficiency_page",),
    "envelope_page": ("write_envelope_page",),
    "fleet_page": ("fleet_report",),
    "life_page": ("life_by_report", "life_report"),
    "modify_page": ("write_modify_page",),
    "power_page": ("write_power_page",),
    "rating_page": ("life_written",),
    "section_orders": ("write_order_page",),
    "sensitivity_page": ("write_sensitivity_page",),
    "study_page": ("study_report",),
    "sweep_page": ("write_sweep_page",),
    "teeth_page": ("write_teeth_page",),
    "tooth_page": ("tooth_report",),
    "viewer.view": ("render", "write_view"),
}

__getattr__, __dir__ = face(__name__, _MODULES)
