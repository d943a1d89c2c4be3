"""Grid faults and emergency stops of S1 chapter 5: orders and levels of loads, co-simulation. Short runs, two seeds."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

import numpy as np

from .framework import REGISTRY

computes = REGISTRY.computes

#: winds of the tables [m/s]; seeds; instant of the fault and length watched after it [s]
_WINDS, _SEEDS, _AT, _WATCHED = (9.4, 11.4, 13.4, 25.0), (1, 2), 60.0, 12.0
#: radius of the planets' pins of the gearbox [m]: pin load of a planet = shaft torque/(3 r)
_PIN = 0.79524
_CODES = {"QB": "quebec", "DK": "denmark", "US": "usa", "IR": "ireland"}


def _loop(wind: float, seed: int, overrides: list[str]) -> Any:
    import gearwright as gw
    from gearwright.cases.setup import prepare_setup
    from gearwright.cases.turbine_run import CoupledRun

    drivetrain = gw.load(
        "nrel-5mw", [f"cases.normal.wind.mean={wind} m/s", f"cases.normal.wind.seed={seed}", *overrides]
    )
    setup = prepare_setup(drivetrain, "normal", fidelity="torsional", law="linear", duration=_AT + _WATCHED)
    wanted = ("main.torque", "generator.speed")
    found = {c.name: c for c in setup.system.channels}
    return CoupledRun(setup, 1e-3, tuple(found[name] for name in wanted))


def _faults(wind: float, seed: int, limits: bool) -> dict[str, float]:
    """Largest load of a planet's pin [MN] within the time watched, by code; one run up to the fault serves all."""
    from gearwright.cases.grid import grid_profile
    from gearwright.machines import Grid

    loop = _loop(wind, seed, [] if limits else ["machines.generator.parameters={data: nrel-5mw, limits: none}"])
    loop.advance(round(_AT / loop.step))
    made = {}
    for short, code in _CODES.items():
        after = copy.deepcopy(loop)
        time, voltage = grid_profile(code)
        grid = Grid.through([0.0, _AT, *(_AT + t for t in time)], [1.0, 1.0, *voltage])
        after.grid = grid.time, grid.table
        block, _ = after.advance(round(_WATCHED / loop.step))
        made[short] = float(block.lines[:, 0].max()) / (3.0 * _PIN) / 1e6
    return made


@cache
def _means(wind: float, limits: bool) -> dict[str, float]:
    runs = [_faults(wind, seed, limits) for seed in _SEEDS]
    return {code: float(np.mean([r[code] for r in runs])) for code in _CODES}


@computes(*(f"S1.table_5_5_planetary_{code}" for code in _CODES))
def _table() -> dict[str, list[float]]:
    """Without limits of the converter, as S1 (its 103 kA and 6.5 MW never act)."""
    return {f"S1.table_5_5_planetary_{code}": [_means(v, False)[code] for v in _WINDS] for code in _CODES}


@cache
def _stop(wind: float, delay: float) -> tuple[float, float]:
    """Largest load of a pin [MN] and time to standstill [s] of an emergency stop whose brake bites after a delay."""
    event = (f"cases.normal.events=[{{at: {_AT} s, type: grid_loss, pitch_delay: 0 s, pitch_rate: 9 deg/s}}, "
             f"{{at: {_AT} s, type: brake, on: hss_brake, rise: 0 s, delay: {delay} s}}]")  # fmt: skip
    block, _ = (loop := _loop(wind, 1, [event])).advance(round((_AT + _WATCHED) / 1e-3))
    assert loop.step == 1e-3
    late = block.time > _AT
    fast = np.abs(block.lines[:, 1]) > 0.01 * abs(block.lines[0, 1])
    return float(block.lines[late, 0].max()) / (3.0 * _PIN) / 1e6, float(block.time[fast].max()) - _AT


@computes("S1.table_5_7_planetary")
def _stops() -> list[float]:
    """The brake bites 0.25 s after the loss of torque: half a period of the mode, which S1's level needs."""
    return [_stop(v, 0.25)[0] for v in _WINDS]


@computes("S1.stop_time")
def _standstill() -> list[float]:
    times = [_stop(v, 0.25)[1] for v in _WINDS]
    return [min(times), max(times)]


@computes("S1.extreme_load_ordering")
def _order() -> str:
    """Means at rated wind with the limits of the converter; USA and Ireland within 10 % of each other."""
    m, stop = _means(11.4, True), _stop(11.4, 0.25)[0]
    close = abs(m["US"] - m["IR"]) < 0.1 * m["US"]
    if stop > m["QB"] > m["DK"] > max(m["US"], m["IR"]) and close:
        return "stop > Quebec > Denmark > USA ~ Ireland"
    return ", ".join(f"{k} {v:.3g} MN" for k, v in {"stop": stop, **m}.items())


@computes("S1.cosim_zeta_start_of_step", "S1.cosim_zeta_end_of_step")
def _exchange() -> dict[str, Any]:
    from gearwright.turbine.coupler import Coupler

    coupler = Coupler.of_ratio(3.8768e7, 534.116 * 97.0**2, 8.67637e8, 0.05)
    steps = (0.005, 0.02, 0.05)
    ends = [coupler.damping_ratio(h, "end") for h in (*steps, 0.1)]
    return {
        "S1.cosim_zeta_start_of_step": {f"{h:g}": coupler.damping_ratio(h, "begin") for h in steps},
        # the one farthest from nominal
        "S1.cosim_zeta_end_of_step": max(ends, key=lambda z: abs(z - 0.05)),
    }  # fmt: skip
