"""What a turbine of this program keeps of the drivetrain's mode when its controller is another's library: damping and amplitude against three
masses (blades on their edgewise spring, hub, generator) written out, over the interval at which the library is asked."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import xarray
from scipy.optimize import curve_fit

import gearwright as gw
from gearwright.couplings.played_rotor import PlayedRotor
from gearwright.interchange.openfast_deck import turbine_of
from gearwright.turbine.table import read_rosco
from tests.consistency.test_openfast_bridge import three_masses

CC = shutil.which("cc") or shutil.which("gcc")
pytestmark = pytest.mark.skipif(CC is None, reason="no C compiler")
TABLE = Path(__file__).parents[1] / "data" / "turbine" / "Cp_Ct_Cq.NREL5MW.txt"
GAIN, SWING, END = 2.3, 300.0, 24.0  # N m s^2, N m at the fast shaft; s: the library shakes the machine until then

SOURCE = """
#include <math.h>
/* torque = gain speed^2, and a swing of a frequency until a time; pitch stays as it is */
void DISCON(float *s, int *fail, char *in, char *out, char *msg) {{
  *fail = 0;
  s[46] = (float)({gain} * s[19] * s[19] + (s[1] < {end} ? {swing} * sin({w} * (double)s[1]) : 0.0));
  s[44] = s[3];
  s[27] = 0;
}}
"""


def masses(speed: float, air: float, machine: float) -> tuple[np.ndarray, float]:
    """The three masses with what the air's torque and the machine's change by with speed [N m s/rad]; the inertia of the machine."""
    a, column, inertia = three_masses(PlayedRotor.of_turbine(turbine_of("nrel-5mw")))
    a = a.astype(float)
    a[2, 2] += air * column[2]
    a[4, 4] -= machine / inertia
    return a, inertia


def lowest(a: np.ndarray) -> complex:
    return complex(min((x for x in np.linalg.eigvals(a) if x.imag > 1.0), key=abs))


def swinging(t: np.ndarray, amplitude: float, damping: float, w: float, phase: float, *line: float) -> np.ndarray:
    """A mode that dies out over a mean that goes its way."""
    return amplitude * np.exp(-damping * t) * np.cos(w * t + phase) + np.polyval(line, t)


@pytest.mark.parametrize(("interval", "allowed"), [(0.0125, 0.02), (0.02, 0.05)])
def test_a_library_keeps_damping_and_amplitude_of_the_mode(tmp_path: Path, interval: float, allowed: float) -> None:
    """8 m/s on the rotor table of ROSCO, aerodynamics exchanged every 20 ms: first the library shakes the machine at the mode's frequency,
    then the shaft rings out. Slopes of the torques: 2 T/w of the machine, Q/w (dlnCq/dln lambda) of the air."""
    a, _ = masses(1.0, -2e6, 4e6)
    w = lowest(a).imag
    (tmp_path / "c.c").write_text(SOURCE.format(gain=GAIN, swing=SWING, end=END, w=w))
    subprocess.run(
        [str(CC), "-shared", "-fPIC", "-o", str(tmp_path / "c.so"), str(tmp_path / "c.c"), "-lm"], check=True
    )
    path = tmp_path / "setup.yaml"
    path.write_text(
        f"name: shaken\ninclude: [nrel-5mw-ideal]\nturbine:\n  rotor: {{flexible_blades: true, tower: false, tower_shadow: false, aero_step: 20 ms, table: {TABLE}}}\n"
        f"  controller: {{type: library, library: {tmp_path / 'c.so'}, interval: {interval:g} s}}\n"
        f"machines:\n  - {{name: machine, parameters: {{lag: 1 ms}}}}\n"
        f"cases:\n  - {{name: shaken, duration: 32 s, discard: 1 s, output_interval: 10 ms, wind: {{type: steady, mean: 8 m/s, shear: 0}}, record: [shafts, machines, turbine]}}\n"
    )
    run = gw.simulate(path, "shaken", output=tmp_path / "r.nc")
    with xarray.open_dataset(run.result_file) as data:
        t = data["time"].values
        torque = data["shaft_torque"].sel(shaft="main").values * np.sign(
            float(data["shaft_torque"].sel(shaft="main")[-1])
        )
        speed = float(np.nanmax(data["machine_speed"].values[:, t > 28.0].mean(axis=1)))
    # closed form at the point where the run stands
    read = read_rosco(TABLE)
    ratio, pitch = speed * 63.0 / 8.0, 0.0
    cp = np.array([np.interp(pitch, read.pitches, row) for row in np.asarray(read.cp)])
    around = np.interp([0.995 * ratio, 1.005 * ratio], read.ratios, cp) / [0.995, 1.005]
    air_slope = torque[t > 28.0].mean() / speed * (around[1] - around[0]) / (0.01 * around.mean())
    machine_slope = 2.0 * GAIN * 97.0**3 * speed
    a, inertia = masses(speed, air_slope, machine_slope)
    mode = lowest(a)
    # ring-down
    late = (t > END + 0.5) & (t < 31.5)
    guess = (2e5, -mode.real, mode.imag, 0.0, 0.0, 0.0, torque[late].mean())
    fit, _ = curve_fit(swinging, t[late] - END, torque[late], guess, maxfev=20000)
    # a torque that is held lags by half an interval: 2 T/w times that stands beside the inertia of the machine, 0.8 % of it at 20 ms
    assert fit[2] == pytest.approx(mode.imag, rel=0.005)
    assert fit[1] == pytest.approx(-mode.real, rel=allowed)
    # steady swing under a torque of 97 times the swing at the machine: what the shaft carries turns the machine beside it
    push = np.zeros(5)
    push[4] = -97.0 * SWING / inertia
    x = np.linalg.solve(1j * w * np.eye(5) - a, push)
    wanted = abs(inertia * (1j * w * x[4]) + 97.0 * SWING + machine_slope * x[4])
    shaken = (t > END - 10.0 * 2.0 * np.pi / w) & (t < END)
    basis = np.stack([np.cos(w * t[shaken]), np.sin(w * t[shaken]), np.ones(shaken.sum()), t[shaken]], axis=1)
    found = np.hypot(*np.linalg.lstsq(basis, torque[shaken], rcond=None)[0][:2])
    assert found == pytest.approx(wanted, rel=allowed)
