"""Exported FMUs against native runs, closed forms and an own master; import and unpacking."""

from __future__ import annotations

import math
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from gearwright.controllers.fmu_import import Fmu, unpack
from gearwright.couplings.fmu import export_fmu
from gearwright.couplings.fmu_check import check_fmu
from gearwright.couplings.plant import make_plant
from gearwright.errors import CouplingError

fmpy = pytest.importorskip("fmpy")
pytestmark = pytest.mark.skipif(shutil.which("cc") is None and shutil.which("gcc") is None, reason="no C compiler")

TWO_MASS = "nrel-5mw-two-mass"
#: a machine whose law has complex numbers and so no translation
DFIG = ["machines.generator.type=dfig", "machines.generator.parameters={data: nrel-5mw}"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fmu")


@pytest.fixture(scope="module")
def gearbox(folder: Path) -> Path:
    return export_fmu("nrel-5mw-gallego", folder / "gearbox.fmu").path


@pytest.mark.parametrize(
    ("version", "law", "rotor"),
    [
        ("2.0", "linear", "torque"),
        ("3.0", "linear", "torque"),
        ("2.0", "periodic", "torque"),
        ("3.0", "periodic", "speed"),
    ],
)
def test_equals_the_native_run(folder: Path, version: str, law: str, rotor: str) -> None:
    path = folder / f"{law}-{rotor}-{version[0]}.fmu"
    # linear: exponential in C against the exact engine's modes, two ways to one solution. Periodic: exponential steps in C against
    # the explicit engine: each errs by its tolerance or a few of them, here 1e-10.
    native, tolerance = ("explicit", 1e-10) if law == "periodic" else ("exact", 1e-3)
    export_fmu("nrel-5mw-gallego", path, version=version, law=law, rotor=rotor, tolerance=tolerance)
    found = check_fmu(
        path,
        "nrel-5mw-gallego",
        law=law,
        rotor=rotor,
        duration=0.6,
        method=native if rotor == "torque" else None,
        tolerance=tolerance,
    )
    assert found.problems == []
    assert found.largest_difference < 1e-6, found.by_kind


@pytest.mark.long
def test_laws_that_go_together_do_so_in_a_unit_too(folder: Path) -> None:
    """Eight planar meshes to a call: the unit calls its own functions, not those of the process that wrote it."""
    path, given = folder / "planar.fmu", {"fidelity": "planar", "law": "periodic", "tolerance": 1e-6}
    export_fmu("nrel-5mw-nejad-source", path, **given)
    found = check_fmu(path, "nrel-5mw-nejad-source", duration=0.05, method="explicit", **given)
    assert found.problems == []
    assert found.by_kind["mesh"].difference < 2e-5  # steps begin anew every 10 ms: both err by the tolerance


@pytest.mark.parametrize(
    ("example", "kind", "tolerance"), [("nrel-5mw-gallego", "dfig", 1e-6), ("grc-750kw", "induction", 1e-9)]
)
def test_electrical_machine_inside_takes_the_voltage(folder: Path, example: str, kind: str, tolerance: float) -> None:
    """Same engine, other machine code, through a dip to 0.7; then a held voltage: the torque of an induction machine grows
    with the square of the voltage, so at equal torque the slip falls with it (small slip, a few per cent of its circuit)."""
    path, over = (
        folder / f"{kind}.fmu",
        [
            f"machines.generator.type={kind}",
            *(["machines.generator.parameters={data: nrel-5mw}"] if kind == "dfig" else []),
        ],
    )
    # at the default tolerance two paths of the same engine differ by it: 2e-6 at the fast modes of the 750 kW gearbox
    made = export_fmu(example, path, fidelity="torsional", generator="grid", tolerance=tolerance, overrides=over)
    assert made.inputs[1:] == (("voltage", "frequency") + (("torque_reference",) if kind == "dfig" else ()))
    found = check_fmu(path, example, fidelity="torsional", generator="grid", duration=0.3, method="explicit",
                      tolerance=tolerance, overrides=over)  # fmt: skip
    assert found.problems == [] and all(
        part.difference < 1e-6 for name, part in found.by_kind.items() if name != "bearing"
    ), found.by_kind
    if kind == "induction":
        plant = make_plant(example, "torsional", generator="grid", overrides=over)
        slips = {}
        for volt in (1.0, 0.95):
            with Fmu(path) as unit:
                torque = {"rotor_torque": plant.ports[0].start, "voltage": volt, "frequency": 1.0}
                unit.start(torque)
                for _ in range(600):
                    unit.step(0.01, torque)
                speed, braking = unit.get(["generator.speed", "generator.torque"])
            synchronous = 1800.0 * math.pi / 30.0
            slips[volt] = abs(speed) / synchronous - 1.0
            assert abs(braking) == pytest.approx(plant.ports[0].start / abs(plant.ratio), rel=1e-3)  # still settling
        assert slips[0.95] / slips[1.0] == pytest.approx(1.0 / 0.95**2, rel=0.03)


def test_two_masses_by_an_independent_right_hand_side(folder: Path) -> None:
    """Outputs of the FMU against scipy on the two equations of motion written down here."""
    path = export_fmu(TWO_MASS, folder / "two.fmu").path
    from gearwright.train.expand import expand
    from gearwright.train.open import load

    train = expand(load(TWO_MASS))
    (shaft,) = train.shafts.values()
    first, second = (train.bodies[b] for b in (train.input, train.output))
    assert shaft.damping.ratio is None
    k = shaft.torsional
    c = shaft.damping.value if shaft.damping.value is not None else (shaft.damping.stiffness_proportional or 0.0) * k
    ratio = train.ratios[train.output] / train.ratios[train.input]
    if abs(ratio - 1.0) > 1e-12:
        pytest.skip("the example has a gear now")
    with Fmu(path) as unit:
        start = train.torque or 1e6
        unit.start({"rotor_torque": start, "generator_torque": start})
        name = f"{shaft.name}.torque"
        had = []
        for i in range(200):
            unit.step(0.02, {"rotor_torque": start * (1.2 if i >= 20 else 1.0), "generator_torque": start})
            had.append(unit.get([name])[0])

    def motion(t: float, y: np.ndarray, torque: float) -> list[float]:
        twist, a, b = y
        pull = k * twist + c * (a - b)
        return [a - b, (torque - pull) / first.inertia, (pull - start) / second.inertia]

    w = train.speed or 0.0
    before, wanted = [start / k, w, w], []
    for i in range(200):
        torque = start * (1.2 if i >= 20 else 1.0)
        before = solve_ivp(motion, (0, 0.02), before, args=(torque,), rtol=1e-11, atol=1e-13, method="DOP853").y[:, -1]
        wanted.append(k * before[0] + c * (before[1] - before[2]))
    assert np.allclose(had, wanted, rtol=1e-8)


def test_master_closes_a_loop(gearbox: Path) -> None:
    """A speed controller in a master: the generator torque follows the speed; power in equals power out at the end."""
    from gearwright.train.expand import expand
    from gearwright.train.open import load

    train = expand(load("nrel-5mw-gallego"))
    ratio = abs(train.ratios[train.output] / train.ratios[train.input])
    rated = train.speed * ratio
    with Fmu(gearbox) as unit:
        unit.start({"rotor_torque": train.torque, "generator_torque": train.torque / ratio})
        speed = unit.get(["generator.speed"])[0]
        for _ in range(1000):
            wanted = 0.8 * train.torque / ratio + 3e4 * (speed - rated)
            unit.step(0.02, {"rotor_torque": 0.8 * train.torque, "generator_torque": wanted})
            speed, torque, rotor = unit.get(["generator.speed", "generator.torque", "rotor.speed"])
    assert speed == pytest.approx(rated, rel=1e-3)
    assert -torque * speed == pytest.approx(0.8 * train.torque * rotor, rel=2e-3)


def test_state_is_saved_and_taken_back(gearbox: Path) -> None:
    """Saved, stepped, taken back and stepped again: the same bits; serialised too."""
    names = ["main.torque", "high_speed.torque", "stage1.sun_planet1.force", "generator.speed"]
    with Fmu(gearbox) as unit:
        unit.start()
        for _ in range(5):
            unit.step(0.01, {"rotor_torque": 5e6})
        saved = unit.state()
        frozen = unit._unit.serializeFMUstate(saved[1])
        unit.step(0.013, {"rotor_torque": 1e6})
        first = unit.get(names)
        unit.restore(saved)
        unit.step(0.013, {"rotor_torque": 1e6})
        assert np.array_equal(first, unit.get(names))
        unit.restore((saved[0], unit._unit.deSerializeFMUstate(frozen)))
        unit.step(0.013, {"rotor_torque": 1e6})
        assert np.array_equal(first, unit.get(names))


def test_parameters_act(gearbox: Path) -> None:
    """A softer main shaft lowers the first mode as the two masses either side of it say."""
    from gearwright.train.expand import expand
    from gearwright.train.open import load

    train = expand(load("nrel-5mw-gallego"))
    ratio = abs(train.ratios[train.output] / train.ratios[train.input])
    k = train.shafts["main"].torsional / 100.0
    with Fmu(gearbox) as unit:
        unit.start(
            {"main.stiffness": k, "main.damping": 0.0, "start_speed": 1.0, "rotor_torque": 0.0, "generator_torque": 0.0}
        )
        assert unit.get(["rotor.speed"])[0] == pytest.approx(1.0, rel=1e-12)
        assert unit.get(["generator.speed"])[0] == pytest.approx(ratio, rel=1e-6)
        twist = []
        for _ in range(6000):
            unit.step(0.005)
            twist.append(unit.get(["main.twist"])[0])
    crossings = np.flatnonzero(np.diff(np.sign(np.array(twist) - np.mean(twist))))
    period = 2 * 0.005 * (crossings[-1] - crossings[0]) / (len(crossings) - 1)
    # everything behind the shaft as one inertia, referred to the rotor: planets with their pins, wheels, generator
    behind = 0.0
    for body in train.bodies.values():
        if body.name != train.input:
            behind += body.count * (body.inertia or 0.0) * train.ratios[body.name] ** 2
            if body.on and body.pin_radius and body.mass:
                behind += body.count * body.mass * body.pin_radius**2 * train.ratios[body.on] ** 2
    rotor = train.bodies[train.input].inertia
    stage = train.stages["stage1"]
    if stage.inertia_includes_planets:
        behind -= sum(b.count * b.mass * b.pin_radius**2 for b in train.bodies.values() if b.on)
    wanted = math.sqrt(k * (1 / rotor + 1 / behind)) / (2 * math.pi)
    # the gearbox's own compliance, a hundredth of this shaft's, lowers it by less than a percent
    assert 1 / period == pytest.approx(wanted, rel=0.01)


def test_runs_without_python(gearbox: Path, tmp_path: Path) -> None:
    """A C program loads the library, steps it, and no Python is in its address space."""
    unpack(gearbox, tmp_path)
    (library,) = (tmp_path / "binaries").rglob("*.so" if sys.platform == "linux" else "*.dylib")
    guid = [x for x in (tmp_path / "modelDescription.xml").read_text().split('"') if x.startswith("{")][0]
    (tmp_path / "host.c").write_text(
        """#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
int main(int n, char **a) {
  void *l = dlopen(a[1], RTLD_NOW);
  if (!l) { puts(dlerror()); return 1; }
  void *(*make)(const char *, int, const char *, const char *, const void *, int, int) = dlsym(l, "fmi2Instantiate");
  int (*setup)(void *, int, double, double, int, double) = dlsym(l, "fmi2SetupExperiment");
  int (*enter)(void *) = dlsym(l, "fmi2EnterInitializationMode"), (*leave)(void *) = dlsym(l, "fmi2ExitInitializationMode");
  int (*step)(void *, double, double, int) = dlsym(l, "fmi2DoStep");
  int (*get)(void *, const unsigned *, size_t, double *) = dlsym(l, "fmi2GetReal");
  if (make("x", 1, "{wrong}", "", 0, 0, 0)) return 2;
  void *c = make("x", 1, a[2], "", 0, 0, 0);
  if (!c || setup(c, 0, 0, 0, 0, 0) || enter(c) || leave(c)) return 3;
  for (int i = 0; i < 10; i++) if (step(c, 0.01 * i, 0.01, 1)) return 4;
  unsigned r = 1000; double x;
  if (get(c, &r, 1, &x)) return 5;
  if (step(c, 0.1, -1.0, 1) != 3 || step(c, 0.1, 0.0, 1) != 3) return 6;
  FILE *f = fopen("/proc/self/maps", "r"); char line[512];
  while (f && fgets(line, sizeof line, f)) if (strstr(line, "libpython")) return 7;
  printf("%.6g", x);
  return 0;
}
"""
    )
    subprocess.run(["cc", "-o", str(tmp_path / "host"), str(tmp_path / "host.c"), "-ldl"], check=True)
    done = subprocess.run([str(tmp_path / "host"), str(library), guid], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout
    assert math.isfinite(float(done.stdout))


@pytest.mark.parametrize("name", ["../outside", "/etc/outside", "a/../../outside", "C:\\outside", "..\\outside"])
def test_unpacking_stays_in_its_folder(tmp_path: Path, name: str) -> None:
    path = tmp_path / "bad.fmu"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(zipfile.ZipInfo(name), b"x")
    target = tmp_path / "in"
    target.mkdir()
    with pytest.raises(CouplingError, match="leads out"):
        unpack(path, target)
    assert [p.name for p in tmp_path.iterdir()] == ["bad.fmu", "in"] or not any(target.rglob("*"))
    assert not (tmp_path / "outside").exists()


def test_unpacking_refuses_links_and_damage(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("here")
    link.external_attr = 0o120777 << 16
    path = tmp_path / "link.fmu"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(CouplingError, match="link"):
        unpack(path, tmp_path / "a")
    (tmp_path / "text.fmu").write_text("no archive")
    with pytest.raises(CouplingError, match="no FMU"):
        unpack(tmp_path / "text.fmu", tmp_path / "b")
    with pytest.raises(CouplingError, match="no file"):
        unpack(tmp_path / "missing.fmu", tmp_path / "c")


def test_refusals(tmp_path: Path, gearbox: Path) -> None:
    with pytest.raises(CouplingError, match="2.0 and 3.0"):
        export_fmu(TWO_MASS, tmp_path / "x.fmu", version="1.0")
    with pytest.raises(CouplingError, match=r"\.fmu"):
        export_fmu(TWO_MASS, tmp_path / "x.zip")
    with pytest.raises(CouplingError, match="is of type constant: the grid comes in at an electrical machine"):
        export_fmu("nrel-5mw-gallego", tmp_path / "x.fmu", generator="grid")
    with pytest.raises(CouplingError, match="its 'torque' or the 'grid', not 'volts'"):
        export_fmu("nrel-5mw-gallego", tmp_path / "x.fmu", generator="volts")
    with pytest.raises(CouplingError, match="Did you mean 'main.torque'"):
        export_fmu("nrel-5mw-gallego", tmp_path / "x.fmu", outputs=["main.torqe"])
    with Fmu(gearbox) as unit:
        with pytest.raises(CouplingError, match="Did you mean 'main.torque'"):
            unit.get(["main.torqe"])
        unit.start()
        with pytest.raises(CouplingError, match="failed to step"):
            unit.step(0.01, {"rotor_torque": math.nan})


def test_no_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(CouplingError, match="needs a C compiler"):  # what has sources goes out without a binary
        export_fmu("nrel-5mw-gallego", tmp_path / "x.fmu", fidelity="torsional", generator="grid", overrides=DFIG)
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(CouplingError, match="no-such-compiler"):
        export_fmu(TWO_MASS, tmp_path / "x.fmu")


def test_fmu_as_a_controller() -> None:
    """The mapping of names and the interval, with a stand-in for the unit: what is measured goes in, what is asked comes out."""
    from gearwright.controllers.outside import FmuController
    from gearwright.controllers.swap import Measured

    class Unit:
        t, started = 0.0, {}

        def start(self, values: dict, t: float) -> None:
            self.started = dict(values)

        def step(self, h: float, values: dict) -> None:
            self.t += h
            self.started = dict(values)

        def get(self, names: list) -> list:
            return [0.1, 3.0 * self.started["w"]]

        def close(self) -> None: ...

    controller = FmuController.__new__(FmuController)
    controller._unit, controller._inputs, controller._outputs = (
        Unit(),
        {"generator_speed": "w", "pitch": "b"},
        ["p", "q"],
    )
    controller._begun, controller.messages = False, []
    for i in range(3):
        demand = controller.step(Measured(time=0.01 * i, generator_speed=100.0 + i, pitch=(0.2, 0.2, 0.2)))
    assert demand.torque == 306.0 and demand.collective == pytest.approx(0.1)
    assert controller._unit.t == pytest.approx(0.02) and controller._unit.started == {"w": 102.0, "b": 0.2}


def test_our_own_unit_as_a_controller(gearbox: Path) -> None:
    """A real FMU behind the same interface: its outputs are those of the unit stepped by hand."""
    from gearwright.controllers.outside import FmuController
    from gearwright.controllers.swap import Measured

    controller = FmuController(gearbox, {"generator_torque": "generator_torque"}, "main.twist", "high_speed.torque")
    with Fmu(gearbox) as unit:
        for i in range(4):
            demand = controller.step(Measured(time=0.01 * i, interval=0.01, generator_torque=4e4 + 100 * i))
            if i == 0:
                unit.start({"generator_torque": 4e4})
            else:
                unit.step(0.01, {"generator_torque": 4e4 + 100 * i})
            assert (demand.collective, demand.torque) == pytest.approx(
                tuple(unit.get(["main.twist", "high_speed.torque"]))
            )
    controller.close()


@pytest.mark.parametrize("role", ["machine", "load"])
def test_fmu_at_one_end(folder: Path, role: str) -> None:
    """A second two-mass drivetrain as an FMU hangs on the first: what they gain together is impulse over all inertias."""
    from gearwright.couplings.fmu_run import run_with_fmu
    from gearwright.train.expand import expand
    from gearwright.train.open import load

    unit = export_fmu(TWO_MASS, folder / "tail.fmu", rotor="speed").path
    train = expand(load(TWO_MASS))
    first, second = train.bodies[train.input].inertia, train.bodies[train.output].inertia
    machine = role == "machine"
    start = train.torque
    # the machine: what the tail's shaft takes; the load: the constant torque on the tail's generator, which brakes
    output = "rotor.torque" if machine else f"{next(iter(train.machines))}.torque"
    made = run_with_fmu(
        TWO_MASS, unit, role, torque=output, step=0.002, duration=4.0, output=folder / f"{role}.nc",
        inputs={f"{train.output if machine else train.input}.speed": "rotor_speed"},
        parameters={"generator_torque": 0.9 * start},
    )  # fmt: skip
    import xarray as xr

    with xr.open_dataset(made.result_file) as data:
        speed = (
            data["machine_speed"]
            .sel(machine=[m for m in data.machine.values if "machine" in str(m) or m == train.output][0])
            .values
        )
    rate = (speed[-1] - speed[len(speed) // 2]) / (0.002 * (len(speed) - 1 - len(speed) // 2))
    if machine:
        # rotor torque start, tail's generator 0.9 start; the tail's own rotor has a prescribed speed and no say
        assert rate == pytest.approx(0.1 * start / (first + 2 * second), rel=0.05)
    else:
        assert rate == pytest.approx(-1.9 * start / (first + second), rel=0.05)
    with pytest.raises(CouplingError, match="Did you mean"):
        run_with_fmu(TWO_MASS, unit, role, torque="rotor.torqe", inputs={}, duration=0.01, output=folder / "x.nc")
    with pytest.raises(CouplingError, match="machine or load"):
        run_with_fmu(TWO_MASS, unit, "brake", torque="rotor.torque", inputs={})


def test_an_angle_is_no_torque_and_unwired_inputs_are_named(folder: Path) -> None:
    """C59: units of the description are held against what a name is used for; what nothing feeds is said."""
    from gearwright.couplings.fmu_run import run_with_fmu

    unit = export_fmu(TWO_MASS, folder / "wired.fmu", rotor="speed").path
    facts = {"step": 0.01, "duration": 0.02, "output": folder / "wired.nc"}
    with pytest.raises(
        CouplingError, match=r"'main.twist' of 'wired.fmu' is in rad, no torque; outputs in N m: .*main.torque"
    ):
        run_with_fmu(TWO_MASS, unit, "machine", torque="main.twist", inputs={}, **facts)
    with pytest.raises(CouplingError, match="'rotor_speed' is no output"):
        run_with_fmu(TWO_MASS, unit, "machine", torque="rotor_speed", inputs={}, **facts)
    with pytest.raises(
        CouplingError, match=r"input 'generator_torque' of 'wired.fmu' is in N.m, channel 'rotor.speed' in rad/s"
    ):
        run_with_fmu(
            TWO_MASS, unit, "machine", torque="rotor.torque", inputs={"rotor.speed": "generator_torque"}, **facts
        )
    made = run_with_fmu(TWO_MASS, unit, "machine", torque="rotor.torque", inputs={}, **facts)
    assert [name for name in ("rotor_speed", "generator_torque") if any(f"'{name}'" in text for text in made.to_dict()["warnings"])] == [
        "rotor_speed", "generator_torque"]  # fmt: skip
    wired = run_with_fmu(TWO_MASS, unit, "machine", torque="rotor.torque", inputs={"generator.speed": "rotor_speed"},
                         parameters={"generator_torque": 1e4}, **facts)  # fmt: skip
    assert not [text for text in wired.to_dict()["warnings"] if "is not wired" in text]
