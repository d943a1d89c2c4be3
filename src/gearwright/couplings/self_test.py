"""The bridge tried without OpenFAST: the real library, called by a program that plays OpenFAST, against one loop."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from gearwright.errors import CouplingError
from gearwright.turbine import load
from gearwright.turbine.bem import operating_point

from .bridge import BridgeHost, bridge_library
from .builtin import BuiltinController, referred
from .closed_loop import LoopRun, monolithic
from .cp_rotor import CpRotor
from .gearbox_host import GearboxHost
from .plant import make_plant

#: wind over time: steady, then a step, so that the shaft swings
WIND = ((0.0, 12.0), (4.999, 12.0), (5.0, 14.0))


def settings_of(
    rotor: CpRotor,
    host: BridgeHost,
    folder: Path,
    *,
    inertia: float,
    speed: float,
    pitch: float,
    interval: float,
    duration: float,
    wind: Any = WIND,
    **more: Any,
) -> Path:
    """Settings of the program that plays OpenFAST, written to a file."""
    infile = host.write_infile(folder / "bridge.in")
    settings = {
        "library": str(bridge_library()),
        "infile": str(infile),
        "inertia": inertia,
        "speed": speed,
        "pitch": pitch,
        "interval": interval,
        "duration": duration,
        "wind": [list(w) for w in wind],
        "result": str(folder / "played.json"),
        "table": {
            "ratios": rotor.ratios.tolist(),
            "pitches": rotor.pitches.tolist(),
            "cp": rotor.cp.tolist(),
            "radius": rotor.radius,
        },
        **more,
    }
    path = folder / "settings.json"
    path.write_text(json.dumps(settings))
    return path


def player(settings: Path) -> subprocess.Popen[str]:
    """Start the program that plays OpenFAST."""
    return subprocess.Popen(
        [sys.executable, "-m", "gearwright.couplings.play_openfast", str(settings)],
        text=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def run_self_test(
    drivetrain: Any = "nrel-5mw-gallego",
    *,
    fidelity: str | None = None,
    law: str | None = None,
    interval: float = 0.0125,
    duration: float = 25.0,
) -> dict[str, Any]:
    """Run the bridge and the same system in one loop; differences of speed, torque and pitch.

    The last three quarters are compared: mean and standard deviation of rotor speed, shaft torque and pitch.
    Raises CouplingError if the bridge fails.
    """
    probe = make_plant(drivetrain, fidelity, law)
    turbine = referred(load("nrel-5mw"), probe.ratio)
    point = operating_point(turbine, WIND[0][1])
    rotor = CpRotor.of_turbine(turbine)
    inertia = float(
        probe.system.mass[
            probe.system.coordinates.index(f"{probe.rotor}.rotation"),
            probe.system.coordinates.index(f"{probe.rotor}.rotation"),
        ]
    )
    facts = {"interval": interval, "duration": duration, "pitch": point.pitch}
    with tempfile.TemporaryDirectory(prefix="gearwright-self-test-") as name:
        folder = Path(name)
        controller = BuiltinController(turbine, point)
        gearbox = GearboxHost(drivetrain, controller, fidelity=fidelity, law=law)
        with BridgeHost(first=120.0, patience=120.0) as host:
            settings = settings_of(rotor, host, folder, inertia=inertia, speed=point.speed, **facts)
            child = player(settings)
            try:
                host.serve(gearbox, child)
                child.wait(30.0)
            finally:
                child.kill()
                child.wait()
            busy = host.busy / max(host.calls, 1)
        played = json.loads((folder / "played.json").read_text())
    rows = np.array(played["rows"])
    if played["failed"] < 0 or not len(rows):
        raise CouplingError(f"the bridge failed: {played.get('message')}")
    # the caller's speed and the torque that it was given belong to one time, the end of a step
    bridge = LoopRun(rows[:, 0], rows[:, 1], rows[:, 2], rows[:, 3] * 0.0, rows[:, 3] * 0.0, rows[:, 3])
    plant = make_plant(drivetrain, fidelity, law, speed=point.speed, torque=point.torque)
    winds = np.array(WIND)
    one = monolithic(rotor, BuiltinController(turbine, point), lambda t: float(np.interp(t, winds[:, 0], winds[:, 1])),
                     plant, interval=interval, duration=duration, pitch=point.pitch)  # fmt: skip
    last = 0.75 * duration

    def figures(run: LoopRun) -> dict[str, float]:
        keep = run.time >= run.time[-1] - last
        return {
            "rotor_speed_rpm": float(run.speed[keep].mean() * 30 / np.pi),
            "rotor_speed_std_rpm": float(run.speed[keep].std() * 30 / np.pi),
            "shaft_torque_kNm": float(run.shaft[keep].mean() / 1e3),
            "shaft_torque_std_kNm": float(run.shaft[keep].std() / 1e3),
            "pitch_deg": float(np.degrees(run.pitch[keep].mean())),
        }

    mine, theirs = figures(one), figures(bridge)
    swing = max(mine["shaft_torque_std_kNm"], 1e-9)
    return {
        "drivetrain": probe.drivetrain.name,
        "duration_s": duration,
        "interval_s": interval,
        "calls": played["calls"],
        "one_loop": mine,
        "bridge": theirs,
        "shaft_torque_rms_difference": float(np.sqrt(np.mean((bridge.shaft - one.shaft) ** 2)) / 1e3 / swing),
        "largest_speed_difference": float(np.abs(bridge.speed / one.speed - 1.0).max()),
        "last_call_leaves_outputs": played["last_call_leaves_outputs"],
        "call_us": played["per_call_us"],
        "host_us": 1e6 * busy,
        "caller_us": played["per_call_cpu_us"],
    }
