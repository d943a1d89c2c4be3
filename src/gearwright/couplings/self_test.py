"""The bridge tried without OpenFAST: the real library, called by a program that plays OpenFAST, against one loop."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
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
from .play_openfast import Played, Settings

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
    settings = Settings(
        str(bridge_library()),
        str(infile),
        rotor.ratios.tolist(),
        rotor.pitches.tolist(),
        rotor.cp.tolist(),
        rotor.radius,
        inertia,
        speed,
        pitch,
        interval,
        duration,
        wind,
        str(folder / "played.json"),
        **more,
    )
    path = folder / "settings.json"
    path.write_text(json.dumps(asdict(settings)))
    return path


def player(settings: Path) -> subprocess.Popen[str]:
    """Start the program that plays OpenFAST."""
    return subprocess.Popen(
        [sys.executable, "-m", "gearwright.couplings.play_openfast", str(settings)],
        text=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@dataclass(frozen=True)
class Figures:
    """What is compared of the last three quarters: means and standard deviations of rotor speed and shaft torque, mean pitch."""

    rotor_speed_rpm: float
    rotor_speed_std_rpm: float
    shaft_torque_kNm: float
    shaft_torque_std_kNm: float
    pitch_deg: float

    @classmethod
    def of(cls, run: LoopRun, last: float) -> Figures:
        """Those of the last seconds of a run."""
        keep = run.time >= run.time[-1] - last
        speed, shaft = run.speed[keep], run.shaft[keep]
        return cls(
            float(speed.mean() * 30 / np.pi),
            float(speed.std() * 30 / np.pi),
            float(shaft.mean() / 1e3),
            float(shaft.std() / 1e3),
            float(np.degrees(run.pitch[keep].mean())),
        )


@dataclass(frozen=True)
class SelfTest:
    """The bridge against one loop: figures of both, differences of the shaft's torque (of its swing) and of the speed, time of a call
    [us] in all, in the host and in the caller."""

    drivetrain: str
    duration_s: float
    interval_s: float
    calls: int
    one_loop: Figures
    bridge: Figures
    shaft_torque_rms_difference: float
    largest_speed_difference: float
    last_call_leaves_outputs: bool
    call_us: float
    host_us: float
    caller_us: float


def run_self_test(
    drivetrain: Any = "nrel-5mw-gallego",
    *,
    fidelity: str | None = None,
    law: str | None = None,
    interval: float = 0.0125,
    duration: float = 25.0,
) -> SelfTest:
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
    with tempfile.TemporaryDirectory(prefix="gearwright-self-test-") as name:
        folder = Path(name)
        controller = BuiltinController(turbine, point)
        gearbox = GearboxHost(drivetrain, controller, fidelity=fidelity, law=law)
        with BridgeHost(first=120.0, patience=120.0) as host:
            settings = settings_of(
                rotor,
                host,
                folder,
                inertia=inertia,
                speed=point.speed,
                interval=interval,
                duration=duration,
                pitch=point.pitch,
            )
            child = player(settings)
            try:
                host.serve(gearbox, child)
                child.wait(30.0)
            finally:
                child.kill()
                child.wait()
            busy = host.busy / max(host.calls, 1)
        played = Played(**json.loads((folder / "played.json").read_text()))
    rows = np.array(played.rows)
    if played.failed < 0 or not len(rows):
        raise CouplingError(f"the bridge failed: {played.message}")
    # the caller's speed and the torque that it was given belong to one time, the end of a step
    bridge = LoopRun(rows[:, 0], rows[:, 1], rows[:, 2], rows[:, 3] * 0.0, rows[:, 3] * 0.0, rows[:, 3])
    plant = make_plant(drivetrain, fidelity, law, speed=point.speed, torque=point.torque)
    winds = np.array(WIND)
    one = monolithic(rotor, BuiltinController(turbine, point), lambda t: float(np.interp(t, winds[:, 0], winds[:, 1])),
                     plant, interval=interval, duration=duration, pitch=point.pitch)  # fmt: skip
    mine, theirs = Figures.of(one, 0.75 * duration), Figures.of(bridge, 0.75 * duration)
    swing = max(mine.shaft_torque_std_kNm, 1e-9)
    return SelfTest(
        probe.drivetrain.name,
        duration,
        interval,
        played.calls,
        mine,
        theirs,
        float(np.sqrt(np.mean((bridge.shaft - one.shaft) ** 2)) / 1e3 / swing),
        float(np.abs(bridge.speed / one.speed - 1.0).max()),
        played.last_call_leaves_outputs,
        played.per_call_us,
        1e6 * busy,
        played.per_call_cpu_us,
    )
