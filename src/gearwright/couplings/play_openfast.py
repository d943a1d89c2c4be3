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
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from gearwright.controllers.swap import LENGTH, Measured, fill, read_demand
from gearwright.errors import CouplingError

from .cp_rotor import CpRotor
from .played_rotor import PlayedRotor, Way, march


@dataclass(frozen=True)
class Settings:
    """What is played: the library and its input file, where the ``result`` goes; power coefficients ``cp`` over tip speed ``ratios`` and
    ``pitches`` [rad] of a rotor of a radius [m]; inertia [kg m^2], speed [rad/s] and pitch [rad] at the start, interval and duration [s],
    ``wind`` ([time, speed] pairs), ``blades`` (those of :class:`PlayedRotor`: blades, stiffness, damping), the ``way`` of stepping;
    ``status`` lists (call, status) to send instead, ``die`` ends the program at a call, ``hang`` stops calling there for ``hang_s``."""

    library: str
    infile: str
    ratios: Sequence[float]
    pitches: Sequence[float]
    cp: Sequence[Sequence[float]]
    radius: float
    inertia: float
    speed: float
    pitch: float
    interval: float
    duration: float
    wind: Sequence[Sequence[float]]
    result: str = ""
    blades: Mapping[str, float] = field(default_factory=dict)
    way: Way = "loose"
    status: Sequence[tuple[int, int]] = ()
    die: int | None = None
    hang: int | None = None
    hang_s: float = 60.0


@dataclass(frozen=True)
class Played:
    """What came of it: rows of time, speed, pitch, torque; what the library said, and whether it ``failed`` (negative: at which time);
    calls and the time of one, and whether the last call left the outputs as they were."""

    rows: list[list[float]]
    message: str
    failed: int
    at: float | None = None
    calls: int = 0
    per_call_us: float = 0.0
    per_call_cpu_us: float = 0.0
    last_call_leaves_outputs: bool = False


class _Caller:
    """The library and what it demanded last: pitch [rad], torque [N m]; azimuth [rad] and rows of time, speed, pitch, torque."""

    def __init__(self, settings: Settings):
        self.settings = settings
        self.function = ctypes.CDLL(settings.library).DISCON
        self.function.restype = None
        self.interval, self.pitch, self.torque, self.azimuth = settings.interval, settings.pitch, 0.0, 0.0
        self.swap = np.zeros(LENGTH, np.float32)
        self.failure = ctypes.c_int(0)
        self.message = ctypes.create_string_buffer(256)
        self.name = settings.infile.encode()
        self.texts = ctypes.create_string_buffer(self.name, 1024), ctypes.create_string_buffer(b"out", 1024)
        self.winds = np.array(settings.wind, float)
        self.status = {int(k): int(v) for k, v in settings.status}
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
        if self.settings.die == k:
            os._exit(9)
        if self.settings.hang == k:
            time.sleep(self.settings.hang_s)
        self.send(self.status.get(k, 0 if k == 0 else 1), t, speed)
        if self.failure.value < 0:
            raise CouplingError(f"{t!r}")
        demand = read_demand(self.swap)
        self.torque, self.pitch = demand.torque, demand.collective
        self.azimuth = (self.azimuth + self.interval * speed) % (2.0 * np.pi)
        if k:
            self.rows.append([t, speed, self.pitch, self.torque])
        return self.torque


def play(settings: Settings) -> Played:
    """Run and return the series."""
    ratios, pitches, cp = (np.array(x, float) for x in (settings.ratios, settings.pitches, settings.cp))
    rotor = CpRotor(ratios, pitches, cp, settings.radius)
    h = settings.interval
    body = PlayedRotor(settings.inertia - settings.blades.get("blades", 0.0), **settings.blades)
    steps = round(settings.duration / h)
    call = _Caller(settings)

    def air(t: float, speed: float) -> float:
        return rotor.torque(call.wind(t), speed, call.pitch)

    start = body.start(settings.speed, air(0.0, settings.speed))
    try:
        made = march(body, call, air, start, h, steps, settings.way)
    except CouplingError as ended:
        return Played(call.rows, call.said, call.failure.value, at=float(str(ended)))
    for row, speed in zip(call.rows, made[:, 1], strict=True):
        row[1] = float(speed)  # the true one
    untouched = call.swap.copy()
    call.send(-1, steps * h, float(made[-1, 1]))
    outputs = slice(40, 48)  # records 41 to 48
    same = bool(np.array_equal(untouched[outputs], call.swap[outputs]))
    calls = steps + 2
    each, busy = 1e6 * call.spent / calls, 1e6 * call.worked / calls
    return Played(call.rows, call.said, call.failure.value, None, calls, each, busy, same)


if __name__ == "__main__":
    given = Settings(**json.loads(Path(sys.argv[1]).read_text()))
    made = play(given)
    Path(given.result).write_text(json.dumps(asdict(made)))
    sys.exit(0 if made.failed >= 0 else 1)
