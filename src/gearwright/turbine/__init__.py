"""Wind turbine: wind, rotor, tower, reference controller; a turbine on its own and what a gearbox meets in it."""

from .model import Controller, Turbine, TurbineError, load, save, turbines
from .simulate import Schedule, TurbineRun, simulate

__all__ = ["Controller", "Schedule", "Turbine", "TurbineError", "TurbineRun", "load", "save", "simulate", "turbines"]
