"""Controller libraries: a small one written in C here, and ROSCO where its package is installed."""

from __future__ import annotations

import importlib.metadata
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gearwright.controllers.bladed import BladedController
from gearwright.controllers.ratio import Controller
from gearwright.controllers.swap import Measured
from gearwright.couplings.closed_loop import LoopRun
from gearwright.couplings.cp_rotor import CpRotor
from gearwright.errors import CouplingError
from gearwright.turbine.table import read_rosco

CC = shutil.which("cc") or shutil.which("gcc")
pytestmark = pytest.mark.skipif(CC is None, reason="no C compiler")

SOURCE = """
#include <math.h>
#include <stdio.h>
#include <string.h>
/* torque = gain speed^2 from its input file, pitch as measured; counts its calls, stops when the file says so */
static int calls = 0;
static double gain = 0, stop = 1e9, wrong = 1e9;
void DISCON(float *s, int *fail, char *in, char *out, char *msg) {
  int status = (int)s[0];
  *fail = 0;
  if (status == 0) {
    char name[1024];
    memcpy(name, in, (size_t)s[49]);
    name[(int)s[49]] = 0;
    FILE *f = fopen(name, "r");
    calls = 0;
    if (!f || fscanf(f, "%lf %lf %lf", &gain, &stop, &wrong) < 1) {
      *fail = -1;
      snprintf(msg, (size_t)s[48], "no gain in '%s'", name);
      return;
    }
    fclose(f);
    snprintf(msg, (size_t)s[48], "gain %g", gain);
  }
  if (status == -1) { s[46] = -5; return; }
  calls++;
  s[46] = (float)(gain * s[19] * s[19]);
  s[44] = s[3];
  s[27] = 0;
  s[119] = (float)calls;
  if (s[1] >= stop) { *fail = -1; snprintf(msg, (size_t)s[48], "told to stop"); }
  if (s[1] >= wrong) s[46] = NAN;
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("controller")
    (folder / "c.c").write_text(SOURCE)
    subprocess.run([str(CC), "-shared", "-fPIC", "-o", str(folder / "libc.so"), str(folder / "c.c"), "-lm"], check=True)
    return folder / "libc.so"


def infile(folder: Path, text: str) -> Path:
    path = folder / f"{abs(hash(text))}.in"
    path.write_text(text)
    return path


def test_instances_share_nothing(library: Path, tmp_path: Path) -> None:
    with (
        BladedController(library, infile(tmp_path, "2.0 1e9 1e9")) as one,
        BladedController(library, infile(tmp_path, "3.0 1e9 1e9")) as two,
    ):
        for _ in range(3):
            first = one.step(Measured(generator_speed=10.0, pitch=(0.1, 0.1, 0.1)))
        second = two.step(Measured(generator_speed=10.0))
        assert (first.torque, second.torque) == (200.0, 300.0) and first.collective == pytest.approx(0.1)
        assert one.swap[119] == 3 and two.swap[119] == 1
        assert one.messages == ["gain 2"] and two.messages == ["gain 3"]
        folder = one._folder
        assert folder.is_dir() and folder.stat().st_mode & 0o077 == 0
    assert not folder.exists()


def test_failures_are_named(library: Path, tmp_path: Path) -> None:
    with pytest.raises(CouplingError, match="no controller library"):
        BladedController(tmp_path / "none.so")
    (tmp_path / "text.so").write_text("no library")
    with pytest.raises(CouplingError, match="can be loaded here"):
        BladedController(tmp_path / "text.so")
    with pytest.raises(CouplingError, match="no function OTHER"):
        BladedController(library, procedure="OTHER")
    with pytest.raises(CouplingError, match="no input file"):
        BladedController(library, tmp_path / "none.in")
    with BladedController(library, infile(tmp_path, "nothing")) as c, pytest.raises(CouplingError, match="no gain in"):
        c.step(Measured())
    with BladedController(library, infile(tmp_path, "1 2.0 1e9")) as c:
        c.step(Measured(time=0.0))
        with pytest.raises(CouplingError, match="stopped at 2 s: told to stop"):
            c.step(Measured(time=2.0))
    with BladedController(library, infile(tmp_path, "1 1e9 1.0")) as c:
        c.step(Measured(time=0.0))
        with pytest.raises(CouplingError, match="asks for torque nan"):
            c.step(Measured(time=1.0))


def test_one_mass_settles_where_power_balances(library: Path, tmp_path: Path) -> None:
    """Cp constant over speed: rho/2 A Cp V^3 = K n^3 w^3, known in closed form."""
    rotor = CpRotor(np.array([0.0, 30.0]), np.array([-1.0, 2.0]), np.full((2, 2), 0.45), 63.0)
    run = one_mass(rotor, BladedController(library, infile(tmp_path, "2.3 1e9 1e9")), lambda t: 8.0, inertia=4.4e6,
                   ratio=97.0, speed=0.9, interval=0.05, duration=60.0)  # fmt: skip
    power = 0.5 * 1.225 * np.pi * 63.0**2 * 0.45 * 8.0**3
    assert run.speed[-1] == pytest.approx((power / (2.3 * 97.0**3)) ** (1 / 3), rel=1e-4)
    assert run.power[-1] == pytest.approx(power, rel=1e-3)


def one_mass(rotor: CpRotor, controller: Controller, wind: Callable[[float], float], *, inertia: float, ratio: float,
             efficiency: float = 1.0, speed: float, pitch: float = 0.0, interval: float = 0.02, duration: float = 300.0,
             pitch_rate: float = np.radians(8.0)) -> LoopRun:  # fmt: skip
    """Rotor and generator as one inertia [kg m^2 about the rotor axis], classical Runge-Kutta, demands held.

    The actuator reaches the demanded pitch within its rate [rad/s].
    """
    steps = round(duration / interval)
    out = np.zeros((steps, 6))
    omega, torque, azimuth = speed, 0.0, 0.0
    for k in range(steps):
        t = k * interval
        power = torque * omega * ratio
        demand = controller.step(Measured(
            time=t, interval=interval, rotor_speed=omega, generator_speed=omega * ratio, pitch=(pitch,) * 3,
            generator_torque=torque, shaft_power=power, electrical_power=efficiency * power, wind_speed=wind(t),
            azimuth=azimuth, pitch_limits=(0.0, float(np.pi / 2)), pitch_rates=(-pitch_rate, pitch_rate),
        ))  # fmt: skip
        torque = demand.torque
        most = pitch_rate * interval
        pitch += float(np.clip(demand.collective - pitch, -most, most))

        def rate(w: float, at: float, pitch: float = pitch, torque: float = torque) -> float:
            return (rotor.torque(wind(at), w, pitch) - ratio * torque) / inertia

        h = interval
        a = rate(omega, t)
        b = rate(omega + 0.5 * h * a, t + 0.5 * h)
        c = rate(omega + 0.5 * h * b, t + 0.5 * h)
        d = rate(omega + h * c, t + h)
        azimuth = (azimuth + h * omega) % (2.0 * np.pi)
        omega += h / 6.0 * (a + 2.0 * b + 2.0 * c + d)
        out[k] = t + h, omega, pitch, torque, efficiency * torque * omega * ratio, ratio * torque
    controller.close(Measured(time=duration, interval=interval, rotor_speed=omega, generator_speed=omega * ratio))
    return LoopRun(*out.T)


def setup(folder: Path, controller: str, wind: str = "8 m/s") -> Path:
    path = folder / "setup.yaml"
    path.write_text(
        f"name: outside\ninclude: [nrel-5mw]\nturbine:\n  data: nrel-5mw\n  attach: rotor\n"
        f"  rotor: {{flexible_blades: true, tower: true, aero_step: 0.02 s}}\n  controller: {controller}\n"
        f"model: {{fidelity: torsional, law: linear}}\ncases:\n  - name: steady\n    duration: 12 s\n    discard: 6 s\n"
        f"    wind: {{type: steady, mean: {wind}}}\n    record: [shafts, machines, turbine]\n"
    )
    return path


def run(path: Path, folder: Path, **more: Any) -> Any:
    import xarray as xr

    import gearwright as gw

    made = gw.simulate(path, "steady", output=folder / "run.nc", **more)
    with xr.open_dataset(made.result_file) as data:
        return data.load(), made


def test_library_in_a_set_up(library: Path, tmp_path: Path) -> None:
    """Region 2 of the reference controller is K w^2: a library that asks for the same gives the same run."""
    from gearwright.couplings.builtin import referred
    from gearwright.turbine import load

    gain = referred(load("nrel-5mw"), 97.0141).controller.region_2_gain
    inside, _ = run(setup(tmp_path, "{type: reference}"), tmp_path)
    infile_ = infile(tmp_path, f"{gain:.12g} 1e9 1e9")
    outside, made = run(
        setup(tmp_path, f"{{type: library, library: {library}, input: {infile_}, interval: 2 ms}}"), tmp_path
    )
    # the library sees the speed unfiltered: both swing a little about the same mean
    for name in ("machine_speed", "turbine_electrical_power", "turbine_torque_reference"):
        a, b = (
            inside[name].values[..., inside.time > 6.0].mean(-1),
            outside[name].values[..., outside.time > 6.0].mean(-1),
        )
        assert np.allclose(a, b, rtol=3e-3, equal_nan=True), name
    assert made.energy_error < 1e-5
    assert set(np.unique(outside["turbine_region"].values[..., 100:])) == {8.0}


def test_a_library_made_for_97_to_1_does_not_run_away_with_an_ideal_gearbox(library: Path, tmp_path: Path) -> None:
    """C23: the same library, gain K w^2 of a machine behind 97:1, on the train of ratio 97 and on one of ratio 1."""
    from gearwright.turbine import load

    gain = load("nrel-5mw").controller.region_2_gain
    control = f"{{type: library, library: {library}, input: {infile(tmp_path, f'{gain:.12g} 1e9 1e9')}}}"
    geared, _ = run(setup(tmp_path, control), tmp_path)
    path = setup(tmp_path, control)
    path.write_text(path.read_text().replace("include: [nrel-5mw]", "include: [nrel-5mw-ideal]"))
    ideal, made = run(path, tmp_path)

    def late(data: Any, name: str) -> Any:  # each result has its own output interval
        return data[name].values[..., data.time > 6.0]

    a, b = (float(late(data, "turbine_electrical_power").mean()) for data in (geared, ideal))
    assert b == pytest.approx(a, rel=6e-3)
    fast, speed = (float(np.nanmax(late(data, "machine_speed").mean(-1))) for data in (geared, ideal))
    assert speed == pytest.approx(fast / 97.0141, rel=2e-3)
    # what it asks for stands at the machine: ratio 1, so the torque of the fast shaft times 97
    asked = float(late(ideal, "turbine_torque_reference").mean())
    assert asked == pytest.approx(97.0 * gain * (97.0 * speed) ** 2, rel=5e-3)
    assert any("ratio 97" in text for text in made.attributes["assumed"])


def test_a_library_made_for_the_train_says_so_with_its_ratio(library: Path, tmp_path: Path) -> None:
    """C23: turbine.controller.ratio is the one that the controller is made for."""
    from gearwright.turbine import load

    gain = load("nrel-5mw").controller.region_2_gain * 97.0**3  # K w^2 of the rotor's own speed
    control = f"{{type: library, library: {library}, input: {infile(tmp_path, f'{gain:.12g} 1e9 1e9')}, ratio: 1}}"
    path = setup(tmp_path, control)
    path.write_text(path.read_text().replace("include: [nrel-5mw]", "include: [nrel-5mw-ideal]"))
    found, made = run(path, tmp_path)
    late = found.time > 6.0
    speed, asked = (
        float(np.nanmax(found[n].values[..., late].mean(-1))) for n in ("machine_speed", "turbine_torque_reference")
    )
    assert asked == pytest.approx(gain * speed**2, rel=5e-3)
    assert not any("is made for" in text for text in (*made.attributes["assumed"], *made.attributes["notes"]))


def test_library_that_stops(library: Path, tmp_path: Path) -> None:
    import gearwright as gw

    infile_ = infile(tmp_path, "1.0 4.0 1e9")
    path = setup(tmp_path, f"{{type: library, library: {library}, input: {infile_}}}")
    with pytest.raises(gw.RunError, match="stopped at 4 s: told to stop") as caught:
        run(path, tmp_path)
    assert caught.value.result_file is not None and caught.value.result_file.exists()


@pytest.mark.parametrize(
    ("controller", "said"),
    [
        ("{type: rosco}", "Allowed: reference, fixed-speed, library, fmu"),
        ("{type: library}", "needs 'library'"),
        ("{type: library, libary: x.so}", "Did you mean 'library'"),
        ("{type: library, library: none.so}", "no controller library"),
        ("{type: fmu, file: none.fmu, pitch: p, torque: q}", "no file"),
        (
            "{type: fmu, file: none.fmu, pitch: p, torque: q, inputs: {generator_sped: w}}",
            "Did you mean 'generator_speed'",
        ),
    ],
)
def test_bad_controllers(tmp_path: Path, controller: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        run(setup(tmp_path, controller), tmp_path)


def rosco() -> tuple[Path, Path, Path] | None:
    """ROSCO's library, input file and table of its installed package, which is not imported."""
    try:
        files = importlib.metadata.files("rosco") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    found = [Path(str(f.locate())) for f in files]
    wanted = ("lib/libdiscon.so", "NREL-5MW/DISCON.IN", "NREL-5MW/Cp_Ct_Cq.NREL5MW.txt")
    hits = [next((f for f in found if str(f).endswith(w)), None) for w in wanted]
    return None if None in hits else (hits[0], hits[1], hits[2])  # type: ignore[return-value]


@pytest.mark.skipif(rosco() is None, reason="ROSCO is not installed (pip install --no-deps rosco)")
@pytest.mark.parametrize(
    ("wind", "speed", "pitch", "wanted"),
    [
        (8.0, 0.95, 0.0, {"rotor_speed": 7.5 * 8.0 / 63.0, "electrical_power": 1.720e6}),
        (
            15.0,
            1.267,
            0.18,
            {"rotor_speed": 1.2671, "generator_torque": 43094.0, "pitch_deg": 10.34, "electrical_power": 5e6},
        ),
    ],
)
def test_rosco_with_its_table(wind: float, speed: float, pitch: float, wanted: dict[str, float]) -> None:
    """Figures measured with ROSCO 2.10 and a rotor of one mass: within 0.5 % (issue, section 3)."""
    found = rosco()
    assert found is not None
    library, infile_, table = found
    read = read_rosco(table)
    rotor = CpRotor(*(np.asarray(x, np.float64) for x in (read.ratios, read.pitches, read.cp)), 63.0)
    run = one_mass(rotor, BladedController(library, infile_), lambda t: wind, ratio=97.0,
                   inertia=38677056.0 + 534.116 * 97.0**2, efficiency=0.944, speed=speed, pitch=pitch, interval=0.0125,
                   duration=150.0)  # fmt: skip
    keep = run.time >= run.time[-1] - 20.0
    made = {"rotor_speed": run.speed[keep].mean(), "pitch_deg": np.degrees(run.pitch[keep].mean()),
            "generator_torque": run.torque[keep].mean(), "electrical_power": run.power[keep].mean()}  # fmt: skip
    for name, value in wanted.items():
        assert made[name] == pytest.approx(value, rel=5e-3), name


@pytest.mark.skipif(rosco() is None, reason="ROSCO is not installed (pip install --no-deps rosco)")
@pytest.mark.parametrize("wind", [8.0, 15.0])
def test_rosco_with_the_built_in_rotor(tmp_path: Path, wind: float) -> None:
    """Tip speed ratio 7.5 within 0.1; power within 2 % of what the controller's own table of coefficients (made with
    AeroDyn) gives at this wind, 1.720 MW; pitch within 0.2 deg of blade elements."""
    from gearwright.turbine import bem, load

    found = rosco()
    assert found is not None
    path = setup(tmp_path, f"{{type: library, library: {found[0]}, input: {found[1]}}}", f"{wind:g} m/s, shear: 0.2")
    path.write_text(path.read_text().replace("duration: 12 s", "duration: 90 s"))
    data, _ = run(path, tmp_path)
    late = data.time.values > 65.0

    def mean(name: str) -> float:
        return float(data[name].values[0, late].mean())

    if wind == 8.0:
        rotor = float(np.nanmin(data["machine_speed"].values[:, late].mean(axis=1)))
        assert rotor * 63.0 / wind == pytest.approx(7.5, abs=0.1)
        assert mean("turbine_electrical_power") == pytest.approx(1.720e6, rel=0.02)
    else:
        assert np.degrees(mean("turbine_pitch")) == pytest.approx(
            np.degrees(bem.operating_point(load("nrel-5mw"), wind).pitch), abs=0.2
        )
