"""Measures of the voltage dips of a campaign: area over the curve (S1 Fig. 5-14) and what rings the train.

S1 orders grid codes by the area ``int (1 - V) dt``. For a given train the size of the ringing is another number,

    w_1 |int (1 - V(t)) exp(j w_1 t) dt|,

with ``w_1`` its first torsional mode (machines page, section 2): it explains why the shortest dip loads the train most.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass

import numpy as np

from gearwright.assembly import assemble
from gearwright.machines import Grid
from gearwright.running.grid import GRID_EVENTS, grid_of
from gearwright.running.setup import is_setup, prepare_setup
from gearwright.schema.case_lookup import find_case
from gearwright.schema.places import Values
from gearwright.solve.steady.modes import modes
from gearwright.train.expand import expand

from .plan import Plan


@dataclass(frozen=True)
class Dip:
    """A dip: ``area`` [p.u. s], ``ringing`` [p.u.] at ``frequency_hz`` of the train, ``depth`` [p.u.], ``values`` of the grid."""

    values: Values
    area: float
    ringing: float
    depth: float
    frequency_hz: float


def area_over(grid: Grid) -> float:
    """Integral of what a voltage lacks to 1 [p.u. s]."""
    return float(np.trapezoid(1.0 - grid.voltage, grid.time))


def ringing(grid: Grid, frequency: float) -> float:
    """``w |int (1 - V) exp(j w t) dt|`` [p.u.] of a piecewise linear voltage at a frequency [Hz], exactly."""
    w = 2.0 * math.pi * frequency
    total = 0.0 + 0.0j
    lack = 1.0 - grid.voltage
    for t0, t1, a, b in zip(grid.time[:-1], grid.time[1:], lack[:-1], lack[1:], strict=True):
        if t1 > t0:
            slope = (b - a) / (t1 - t0)
            # integral of (a + slope (t - t0)) exp(j w t), by parts
            end, begin = np.exp(1j * w * t1), np.exp(1j * w * t0)
            total += (b * end - a * begin) / (1j * w) + slope * (end - begin) / w**2
    return float(w * abs(total))


def dips_of(plan: Plan) -> list[Dip]:
    """Every voltage dip that a campaign's grid varies, in its order; empty where it varies none.

    The frequency is that of the first elastic torsional mode of the set-up (or drivetrain).
    """
    paths = [p for p in plan.group if p.startswith("events.")]
    found: dict[str, Dip] = {}
    frequency = math.nan
    for identifier, values in plan.items.items():
        chosen = {p: values[p] for p in paths}
        key = json.dumps(chosen, default=str)
        if key in found:
            continue
        grid = _grid(plan, identifier)
        if grid is None or grid.voltage.min() > 0.999:
            continue
        if math.isnan(frequency):
            frequency = _first_mode(plan, identifier)
        first = grid.time[np.flatnonzero(grid.voltage < 0.999)[0]]
        moved = Grid(grid.time - first, grid.voltage, grid.frequency, grid.negative)
        found[key] = Dip(chosen, area_over(grid), ringing(moved, frequency), float(1.0 - grid.voltage.min()), frequency)
    return list(found.values())


def _grid(plan: Plan, identifier: str) -> Grid | None:
    case = find_case(plan.member(identifier), identifier)
    if not any(event.type in GRID_EVENTS for event in case.events):
        return None
    # the frequency of the machine is not asked: a step of frequency is no dip
    return grid_of(case, 50.0, f"case '{identifier}'", lambda low, high, place: low)


def _first_mode(plan: Plan, identifier: str) -> float:
    """First elastic mode [Hz] of the torsional train, with the rotor of the turbine in it."""
    drivetrain = plan.member(identifier)
    if is_setup(drivetrain):
        train = prepare_setup(drivetrain, identifier, fidelity="torsional", law="linear").train
    else:
        train = expand(drivetrain, "torsional")
    found = modes(assemble(train, "torsional", "linear")).frequencies_hz
    return float(found[found > 1e-3][0])
