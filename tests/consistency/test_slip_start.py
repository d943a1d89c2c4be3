"""C31: a train with a slip machine starts where machine and load balance; its machine can be tripped by an event."""

import math
from typing import Any

import numpy as np
import pytest

import gearwright as gw
from gearwright.errors import DrivetrainError
from gearwright.running.prepare import prepare
from gearwright.running.start import initial_state
from gearwright.schema.read import from_mapping
from gearwright.solve.runge_kutta.engine import ExplicitEngine

RPM = math.pi / 30.0
SLIP = {"synchronous_speed": "1800 rpm", "rated_slip": 0.03, "rated_power": "100 kW"}


def _pump(speed: str = "1740 rpm", torque: float = -400.0, machine: Any = None, **case: Any) -> Any:
    """A motor of 2 kg m^2 on a shaft with a pump of 1 kg m^2 that takes a torque."""
    return from_mapping({
        "name": "pump", "bodies": [{"name": "pump", "inertia": 1.0}],
        "machines": [{"name": "motor", "inertia": 2.0, **(machine or {"type": "slip", "parameters": SLIP})}],
        "shafts": [{"name": "s", "between": ["motor", "pump"], "torsional_stiffness": 1e5, "damping": {"ratio": 0.05}}],
        "operating": {"input": "motor", "output": "pump", "speed": speed},
        "cases": [{"name": "c", "duration": "1 s", "loads": [{"on": "pump", "torque": torque}], "record": ["shafts", "machines", "bodies"],
                   **case}],
    })  # fmt: skip


def _balance(torque: float) -> float:
    """Speed at which T = slope (w0 - w) carries the pump; slope = rated torque over rated slip."""
    w0 = 1800.0 * RPM
    slope = 100e3 / (w0 * 1.03) / (w0 * 0.03)
    return w0 + torque / slope


def test_the_start_finds_the_speed_of_the_machine_and_says_it(tmp_path: Any) -> None:
    prepared = prepare(_pump(), "c")
    state = initial_state(prepared)
    assert state.v == pytest.approx([_balance(-400.0)] * 2, rel=1e-9)
    done = gw.simulate(_pump(), "c", output=tmp_path / "r.nc")
    assert any("balance; the operating point says 182.2" in note for note in done.attributes["notes"])
    twist = done.channels["s.torque"]
    assert twist["min"] == pytest.approx(twist["max"], rel=1e-6) and abs(twist["mean"]) == pytest.approx(
        400.0, rel=1e-6
    )


def test_a_balance_far_away_or_none_is_refused_with_units_and_the_way_out() -> None:
    with pytest.raises(
        DrivetrainError, match=r"N m is left on 'pump.rotation'.*start: operating.*balances at \d+.*rpm"
    ):
        initial_state(prepare(_pump("1000 rpm"), "c"))
    constant = {"type": "constant", "parameters": {"torque": "300 N m"}}
    with pytest.raises(ValueError, match=r"-100 N m is left on .*rad/s\^2.*= 400 N m.*start: operating"):
        initial_state(prepare(_pump(machine=constant), "c"))


@pytest.mark.parametrize(
    "machine",
    [
        {"type": "slip", "parameters": SLIP},
        {"type": "table", "parameters": {"table": [["1700 rpm", "600 N m"], ["1800 rpm", "300 N m"]]}},
        {"type": "constant", "parameters": {"torque": "400 N m"}},
    ],
)
def test_a_tripped_machine_gives_nothing(machine: Any) -> None:
    """After the trip at 0.2 s the pump's 400 N m brake 3 kg m^2; connected again at 0.6 s the torque is back."""
    events = [{"at": "0.2 s", "set": "motor.engaged", "to": False}, {"at": "0.6 s", "set": "motor.engaged", "to": True}]
    prepared = prepare(_pump("1766.667 rpm", machine=machine, events=events), "c")
    system, engine, state = prepared.system, ExplicitEngine(), initial_state(prepared)
    plan = engine.prepare(system, system.channels, 1e-3, 1e-8)
    t, block, _ = engine.advance(plan, state, 999)
    got = {c.name: block[:, i] for i, c in enumerate(system.channels)}
    off = (t > 0.201) & (t < 0.599)
    assert np.abs(got["motor.torque"][off]).max() < 1e-9
    momentum = 2.0 * got["motor.speed"] + got["pump.speed"]
    rate = np.polyfit(t[off], momentum[off], 1)[0]
    assert rate == pytest.approx(-400.0, rel=1e-6)
    assert got["motor.torque"][t < 0.199][-1] == pytest.approx(400.0, rel=1e-3)
    assert got["motor.torque"][t > 0.601].min() > 100.0


def test_an_event_that_trips_what_a_load_stands_for_is_refused() -> None:
    events = [{"at": "0.2 s", "set": "motor.engaged", "to": False}]
    d = _pump(loads=[{"on": "motor", "torque": 400.0}, {"on": "pump", "torque": -400.0}], events=events)
    with pytest.raises(DrivetrainError, match="cannot set 'motor.engaged'"):
        prepare(d, "c")
