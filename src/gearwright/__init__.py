"""Gearwright: dynamics, loads and life of geared drivetrains.

    import gearwright as gw

    drivetrain = gw.load("nrel-5mw-gallego")
    print(gw.modes(drivetrain).frequencies_hz)
    run = gw.simulate(drivetrain, "recorded-18ms", duration=90)
    print(run.result.series("main.torque"))

Names are loaded when they are first used, so that importing the package is quick.
"""

from typing import TYPE_CHECKING

from ._version import __version__
from .lazy import face

#: public names by the module that has them
_MODULES = {
    "analyses.bearings": ("bearing",),
    "analyses.campaign": ("campaign", "study"),
    "analyses.compare": ("compare",),
    "analyses.copy_example": ("copy_example",),
    "analyses.describe": ("describe",),
    "analyses.design": ("design",),
    "analyses.envelope": ("envelope",),
    "analyses.files": ("export", "inspect"),
    "analyses.gear": ("gear", "write_outlines"),
    "analyses.identify": ("identify",),
    "analyses.life": ("life",),
    "analyses.rating_sheet": ("rating_sheet",),
    "analyses.machine": ("machine",),
    "analyses.mesh_stiffness": ("mesh_stiffness",),
    "analyses.modes": ("campbell", "modes"),
    "analyses.orders": ("orders",),
    "analyses.power_flow": ("PowerFlow", "PowerFlowError", "efficiency_map", "power_flow", "power_flows"),
    "analyses.reliability": ("reliability",),
    "analyses.sensitivity": ("sensitivity",),
    "analyses.spectra": ("spectra",),
    "analyses.static_loads": ("static_loads",),
    "analyses.sweep": ("sweep",),
    "analyses.tooth_stress": ("tooth_stress",),
    "analyses.transmission_error": ("transmission_error",),
    "analyses.whirl": ("whirl",),
    "analyses.turbine_steady": ("steady_operation",),
    "couplings.fmu": ("export_fmu",),
    "couplings.fmu_run": ("run_with_fmu",),
    "couplings.fmu_show": ("show_fmu",),
    "couplings.openfast": ("couple_openfast",),
    "fleets.loads_from": ("loads_from",),
    "fleets.run": ("fleet",),
    "fleets.training": ("surrogate",),
    "interchange.rexs": ("write_rexs_drivetrain",),
    "assembly": ("AssemblyError", "Drive", "Inputs", "Load", "assemble"),
    "errors": ("DrivetrainError", "FileError", "GearwrightError", "InputError", "RunError"),
    "interchange": ("ReadError", "read", "write"),
    "kernels": ("force", "guard"),
    "pages.viewer.view": ("render", "view"),
    "pages.write": ("write_report",),
    "results": ("Result", "ResultError"),
    "sizing.gear_answers": ("gear_answers",),
    "sizing.modify": ("modify",),
    "sizing.new": ("new",),
    "sizing.tooth_numbers": ("tooth_numbers",),
    "running.model": ("Run",),
    "running.run": ("simulate",),
    "schema.file": ("Drivetrain", "json_schema"),
    "schema.read": ("examples",),
    "laws.mesh_properties": ("MeshProperties",),
    "system": ("Law",),
    "train.expand": ("expand",),
    "train.open": ("load",),
}

if TYPE_CHECKING:
    from .analyses.bearings import bearing
    from .analyses.campaign import campaign, study
    from .analyses.compare import compare
    from .analyses.copy_example import copy_example
    from .analyses.describe import describe
    from .analyses.design import design
    from .analyses.envelope import envelope
    from .analyses.files import export, inspect
    from .analyses.gear import gear, write_outlines
    from .analyses.identify import identify
    from .analyses.life import life
    from .analyses.machine import machine
    from .analyses.mesh_stiffness import mesh_stiffness
    from .analyses.modes import campbell, modes
    from .analyses.orders import orders
    from .analyses.power_flow import PowerFlow, PowerFlowError, efficiency_map, power_flow, power_flows
    from .analyses.rating_sheet import rating_sheet
    from .analyses.reliability import reliability
    from .analyses.sensitivity import sensitivity
    from .analyses.spectra import spectra
    from .analyses.static_loads import static_loads
    from .analyses.sweep import sweep
    from .analyses.tooth_stress import tooth_stress
    from .analyses.transmission_error import transmission_error
    from .analyses.turbine_steady import steady_operation
    from .analyses.whirl import whirl
    from .assembly import AssemblyError, Drive, Inputs, Load, assemble
    from .couplings.fmu import export_fmu
    from .couplings.fmu_run import run_with_fmu
    from .couplings.fmu_show import show_fmu
    from .couplings.openfast import couple_openfast
    from .errors import DrivetrainError, FileError, GearwrightError, InputError, RunError
    from .fleets.loads_from import loads_from
    from .fleets.run import fleet
    from .fleets.training import surrogate
    from .interchange import ReadError, read, write
    from .interchange.rexs import write_rexs_drivetrain
    from .kernels import force, guard
    from .laws.mesh_properties import MeshProperties
    from .pages.viewer.view import render, view
    from .pages.write import write_report
    from .results import Result, ResultError
    from .running.model import Run
    from .running.run import simulate
    from .schema.file import Drivetrain, json_schema
    from .schema.read import examples
    from .sizing.gear_answers import gear_answers
    from .sizing.modify import modify
    from .sizing.new import new
    from .sizing.tooth_numbers import tooth_numbers
    from .system import Law
    from .train.expand import expand
    from .train.open import load

__all__ = [
    "__version__",
    "AssemblyError", "Drive", "Drivetrain", "DrivetrainError", "FileError", "GearwrightError", "InputError", "Inputs", "Law", "Load", "MeshProperties",
    "PowerFlow", "PowerFlowError", "ReadError", "Result", "ResultError", "Run", "RunError", "assemble", "bearing", "campaign",
    "campbell", "compare", "copy_example", "describe", "design", "efficiency_map", "envelope", "examples", "expand", "export", "fleet", "force", "gear", "gear_answers",
    "guard", "identify", "inspect", "json_schema", "life", "load", "loads_from", "machine", "mesh_stiffness", "modes", "modify", "new", "orders", "power_flow",
    "power_flows", "rating_sheet", "read", "reliability", "sensitivity", "simulate", "spectra", "static_loads", "study", "surrogate", "sweep", "tooth_numbers", "tooth_stress",
    "couple_openfast", "export_fmu", "render", "run_with_fmu", "show_fmu", "steady_operation", "transmission_error", "view", "whirl", "write",
    "write_outlines", "write_report", "write_rexs_drivetrain",
]  # fmt: skip


__getattr__, __dir__ = face(__name__, _MODULES)
