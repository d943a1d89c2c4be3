"""A program that plays OpenFAST: a rotor with a table of power coefficients that calls the bridge at every step.

    python -m gearwright.couplings.play_openfast SETTINGS.json

One inertia, or hub and blades on springs, stepped as OpenFAST steps its own rotor (:mod:`gearwright.couplings.played_rotor`). Used by the
self-test and by tests, which kill it.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from gearwright.controllers.swap import LENGTH, Measured, fill, read_demand
from gearwright.errors import CouplingError

from .cp_rotor import CpRotor
from .played_rotor import PlayedRotor, march


class _Caller:
    """The library and what it demanded last: pitch [rad], torque [N m]; azimuth [rad] and rows of time, speed, pitch, torque."""

    def __init__(self, settings: Mapping[str, Any]):
        self.function = ctypes.CDLL(settings["library"]).DISCON
        self.function.restype = None
        self.interval, self.pitch, self.torque, self.azimuth = settings["interval"], settings["pitch"], 0.0, 0.0
        self.swap = np.zeros(LENGTH, np.float32)
        self.failure = ctypes.c_int(0)
        self.message = ctypes.create_string_buffer(256)
        self.name = settings["infile"].encode()
        self.texts = ctypes.create_string_buffer(self.name, 1024), ctypes.create_string_buffer(b"out", 1024)
        self.winds = np.array(settings["wind"], float)
        self.status = {int(k): int(v) for k, v in settings.get("status", [])}
        self.die, self.hang, self.hang_s = settings.get("die"), settings.get("hang"), settings.get("hang_s", 60.0)
        self.rows: list[list[float]] = []
        self.spent, self.worked, self.said = 0.0, 0.0, ""

    def wind(self, t: float) -> float:
        """Wind speed [m/s] at a time."""
        return float(np.interp(t, self.winds[:, 0], self.winds[:, 1]))

    def send(self, status: int, t: float, speed: float) -> None:
        """One call."""
        seen = Measured(
            time=t,
            interval=self.interval,
            rotor_speed=speed,
            generator_speed=speed,
            pitch=(self.pitch,) * 3,
            azimuth=self.azimuth,
        )
        seen.generator_torque, seen.wind_speed, seen.electrical_power = self.torque, self.wind(t), self.torque * speed
        fill(self.swap, status, seen)
        self.swap[48], self.swap[49], self.swap[50] = len(self.message), len(self.name), 3
        begin, busy = time.perf_counter(), time.thread_time()
        pointer = self.swap.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
        self.function(pointer, ctypes.byref(self.failure), *self.texts, self.message)
        self.spent += time.perf_counter() - begin
        self.worked += time.thread_time() - busy
        self.said = self.message.value.decode("utf-8", "replace") or self.said

    def __call__(self, t: float, speed: float) -> float:
        """The torque that the library asks for at a time, told the rotor's speed."""
        k = round(t / self.interval)
        if self.die == k:
            os._exit(9)
        if self.hang == k:
            time.sleep(self.hang_s)
        self.send(self.status.get(k, 0 if k == 0 else 1), t, speed)
        if self.failure.value < 0:
            raise CouplingError(f"{t!r}")
        demand = read_demand(self.swap)
        self.torque, self.pitch = demand.torque, demand.collective
        self.azimuth = (self.azimuth + self.interval * speed) % (2.0 * np.pi)
        if k:
            self.rows.append([t, speed, self.pitch, self.torque])
        return self.torque


def play(settings: dict[str, Any]) -> dict[str, Any]:
    """Run and return the series. Settings: library, infile, table (ratios, pitches, cp, radius), inertia, speed, pitch,
    interval, duration, wind ([time, speed] pairs), ``blades`` (those of :class:`PlayedRotor`: blades, stiffness, damping), ``way`` of
    stepping; ``status`` lists (call, status) to send instead, ``die`` ends the program at a call, ``hang`` stops calling there."""
    table = settings["table"]
    ratios, pitches, cp = (np.array(table[k], float) for k in ("ratios", "pitches", "cp"))
    rotor = CpRotor(ratios, pitches, cp, table["radius"])
    h, blades = settings["interval"], settings.get("blades", {})
    body = PlayedRotor(settings["inertia"] - blades.get("blades", 0.0), **blades)
    steps = round(settings["duration"] / h)
    call = _Caller(settings)

    def air(t: float, speed: float) -> float:
        return rotor.torque(call.wind(t), speed, call.pitch)

    start = body.start(settings["speed"], air(0.0, settings["speed"]))
    try:
        made = march(body, call, air, start, h, steps, settings.get("way", "loose"))
    except CouplingError as ended:
        return {"failed": call.failure.value, "message": call.said, "at": float(str(ended)), "rows": call.rows}
    for row, speed in zip(call.rows, made[:, 1], strict=True):
        row[1] = float(speed)  # the true one
    untouched = call.swap.copy()
    call.send(-1, steps * h, float(made[-1, 1]))
    outputs = slice(40, 48)  # records 41 to 48
    same = bool(np.array_equal(untouched[outputs], call.swap[outputs]))
    calls = steps + 2
    return {
        "rows": call.rows,
        "message": call.said,
        "calls": calls,
        "per_call_us": 1e6 * call.spent / calls,
        "per_call_cpu_us": 1e6 * call.worked / calls,
        "last_call_leaves_outputs": same,
        "failed": call.failure.value,
    }


if __name__ == "__main__":
    given = json.loads(Path(sys.argv[1]).read_text())
    made = play(given)
    Path(given["result"]).write_text(json.dumps(made))
    sys.exit(0 if made.get("failed", 0) >= 0 else 1)
