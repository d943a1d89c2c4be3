"""Grid faults and emergency stops of S1 chapter 5: orders and levels of loads, co-simulation. Short runs, two seeds."""

from __future__ import annotations

import copy
from functools import cache

import numpy as np

from gearwright.machines import Grid
from gearwright.running.grid import grid_profile

from .coupler import Coupler
from .registry import computes
from .shared import coupled
from .target import Value

#: winds of the tables [m/s]; seeds; instant of the fault and length watched after it [s]
_WINDS, _SEEDS, _AT, _WATCHED = (9.4, 11.4, 13.4, 25.0), (1, 2), 60.0, 12.0
#: radius of the planets' pins of the gearbox [m]: pin load of a planet = shaft torque/(3 r)
_PIN = 0.79524
_CODES = {"QB": "quebec", "DK": "denmark", "US": "usa", "IR": "ireland"}


def _pin_load(torque: float) -> float:
    """Load of a planet's pin [MN] under a torque of the main shaft [N m]."""
    return torque / (3.0 * _PIN) / 1e6


def _faults(wind: float, seed: int, limits: bool) -> dict[str, float]:
    """Largest load of a planet's pin [MN] within the time watched, by code; one run up to the fault serves all."""
    overrides = [] if limits else ["machines.generator.parameters={data: nrel-5mw, limits: none}"]
    loop = coupled("nrel-5mw", wind, seed, _AT + _WATCHED, ("main.torque",), overrides)
    loop.advance(round(_AT / loop.step))
    made = {}
    for short, code in _CODES.items():
        after = copy.deepcopy(loop)
        time, voltage = grid_profile(code)
        grid = Grid.through([0.0, _AT, *(_AT + t for t in time)], [1.0, 1.0, *voltage])
        after.grid = grid.time, grid.table
        block, _ = after.advance(round(_WATCHED / loop.step))
        made[short] = _pin_load(float(block.lines[:, 0].max()))
    return made


@cache
def _means(wind: float, limits: bool) -> dict[str, float]:
    runs = [_faults(wind, seed, limits) for seed in _SEEDS]
    return {code: float(np.mean([r[code] for r in runs])) for code in _CODES}


@computes("S1.table_5_5_planetary_*")
def _table() -> dict[str, list[float]]:
    """Without limits of the converter, as S1 (its 103 kA and 6.5 MW never act)."""
    return {code: [_means(v, False)[code] for v in _WINDS] for code in _CODES}


@cache
def _stop(wind: float) -> tuple[float, float]:
    """Largest load of a pin [MN] and time to standstill [s] of an emergency stop.

    The brake bites 0.25 s after the loss of torque: half a period of the mode, which S1's level needs.
    """
    events = [
        f"{{at: {_AT} s, type: grid_loss, pitch_delay: 0 s, pitch_rate: 9 deg/s}}",
        f"{{at: {_AT} s, type: brake, on: hss_brake, rise: 0 s, delay: 0.25 s}}",
    ]
    overrides = [f"cases.normal.events=[{', '.join(events)}]"]
    loop = coupled("nrel-5mw", wind, 1, _AT + _WATCHED, ("main.torque", "generator.speed"), overrides)
    block, _ = loop.advance(round((_AT + _WATCHED) / loop.step))
    torque, speed = block.lines.T
    fast = np.abs(speed) > 0.01 * abs(speed[0])
    return _pin_load(float(torque[block.time > _AT].max())), float(block.time[fast].max()) - _AT


@computes("S1.*", "table_5_7_planetary", "stop_time")
def _stops() -> dict[str, list[float]]:
    loads, times = zip(*(_stop(v) for v in _WINDS), strict=True)
    return {"table_5_7_planetary": list(loads), "stop_time": [min(times), max(times)]}


@computes("S1.extreme_load_ordering")
def _order() -> str:
    """Means at rated wind with the limits of the converter; USA and Ireland within 10 % of each other."""
    m, stop = _means(11.4, True), _stop(11.4)[0]
    close = abs(m["US"] - m["IR"]) < 0.1 * m["US"]
    if stop > m["QB"] > m["DK"] > max(m["US"], m["IR"]) and close:
        return "stop > Quebec > Denmark > USA ~ Ireland"
    return ", ".join(f"{k} {v:.3g} MN" for k, v in {"stop": stop, **m}.items())


@computes("S1.cosim_zeta_*")
def _exchange() -> dict[str, Value]:
    coupler = Coupler.of_ratio(3.8768e7, 534.116 * 97.0**2, 8.67637e8, 0.05)
    begins = {f"{h:g}": coupler.damping_ratio(h, "begin") for h in (0.005, 0.02, 0.05)}
    ends = [coupler.damping_ratio(h, "end") for h in (0.005, 0.02, 0.05, 0.1)]
    # of the ends the one farthest from nominal
    return {"start_of_step": begins, "end_of_step": max(ends, key=lambda z: abs(z - 0.05))}
