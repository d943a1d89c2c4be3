"""A program that plays OpenFAST: a rotor with a table of power coefficients that calls the bridge at every step.

    python -m gearwright.couplings.play_openfast SETTINGS.json

One inertia, Adams-Bashforth of second order with the demands held, as the structural module of OpenFAST steps its
generator degree of freedom. Used by the self-test and by tests, which kill it.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from gearwright.controllers.swap import LENGTH, Measured, fill, read_demand

from .cp_rotor import CpRotor


def play(settings: dict[str, Any]) -> dict[str, Any]:
    """Run and return the series. Settings: library, infile, table (ratios, pitches, cp, radius), inertia, speed, pitch,
    interval, duration, wind ([time, speed] pairs); ``status`` lists (call, status) to send instead, ``die`` ends the
    program at a call, ``hang`` stops calling there."""
    library: Any = ctypes.CDLL(settings["library"])
    function = library.DISCON
    function.restype = None
    table = settings["table"]
    rotor = CpRotor(
        np.array(table["ratios"], float),
        np.array(table["pitches"], float),
        np.array(table["cp"], float),
        table["radius"],
    )
    swap = np.zeros(LENGTH, np.float32)
    room = 256
    message = ctypes.create_string_buffer(room)
    name = settings["infile"].encode()
    infile, outname = ctypes.create_string_buffer(name, 1024), ctypes.create_string_buffer(b"out", 1024)
    failure = ctypes.c_int(0)
    winds = np.array(settings["wind"], float)
    h, inertia = settings["interval"], settings["inertia"]
    special = {int(k): int(v) for k, v in settings.get("status", [])}
    omega, pitch, azimuth, before = settings["speed"], settings["pitch"], 0.0, None
    steps = round(settings["duration"] / h)
    rows: list[list[float]] = []
    spent, worked, said = 0.0, 0.0, ""

    def call(status: int, t: float, torque: float) -> None:
        nonlocal spent, worked, said
        wind = float(np.interp(t, winds[:, 0], winds[:, 1]))
        fill(swap, status, Measured(
            time=t, interval=h, rotor_speed=omega, generator_speed=omega, pitch=(pitch,) * 3, generator_torque=torque,
            wind_speed=wind, azimuth=azimuth, electrical_power=torque * omega,
        ))  # fmt: skip
        swap[48], swap[49], swap[50] = room, len(name), 3
        begin, busy = time.perf_counter(), time.thread_time()
        function(swap.ctypes.data_as(ctypes.POINTER(ctypes.c_float)), ctypes.byref(failure), infile, outname, message)
        spent += time.perf_counter() - begin
        worked += time.thread_time() - busy
        said = message.value.decode("utf-8", "replace") or said

    torque = 0.0
    for k in range(steps):
        if settings.get("die") == k:
            os._exit(9)
        if settings.get("hang") == k:
            time.sleep(settings.get("hang_s", 60.0))
        t = k * h
        call(special.get(k, 0 if k == 0 else 1), t, torque)
        if failure.value < 0:
            return {"failed": failure.value, "message": said, "at": t, "rows": rows}
        demand = read_demand(swap)
        torque, pitch = demand.torque, demand.collective
        wind = float(np.interp(t, winds[:, 0], winds[:, 1]))
        # the shaft's torque is that of the end of the step and acts over all of it; the air is extrapolated
        air = rotor.torque(wind, omega, pitch) / inertia
        mean = air if before is None else 1.5 * air - 0.5 * before
        before = air
        azimuth = (azimuth + h * omega) % (2.0 * np.pi)
        omega += h * (mean - torque / inertia)
        rows.append([t + h, omega, pitch, torque])
    untouched = swap.copy()
    call(-1, steps * h, torque)
    outputs = slice(40, 48)  # records 41 to 48
    same = bool(np.array_equal(untouched[outputs], swap[outputs]))
    return {"rows": rows, "message": said, "calls": steps + 1, "per_call_us": 1e6 * spent / (steps + 1), "per_call_cpu_us": 1e6 * worked / (steps + 1),
            "last_call_leaves_outputs": same, "failed": failure.value}  # fmt: skip


if __name__ == "__main__":
    given = json.loads(Path(sys.argv[1]).read_text())
    made = play(given)
    Path(given["result"]).write_text(json.dumps(made))
    sys.exit(0 if made.get("failed", 0) >= 0 else 1)
