"""Sources inside an FMU, laws as C, model exchange, numbers of all types: against compiled laws, closed forms, scipy and native runs."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from gearwright.controllers.fmu_import import Fmu, unpack
from gearwright.couplings.c_translation import PRELUDE, NoC, Translation
from gearwright.couplings.fmu import binary_folder, export_fmu
from gearwright.couplings.plant import Stepper, make_plant
from gearwright.couplings.rows_source import no_source
from gearwright.kernels import force, guard

fmpy = pytest.importorskip("fmpy")
COMPILER = shutil.which("cc") or shutil.which("gcc")
pytestmark = pytest.mark.skipif(COMPILER is None, reason="no C compiler")

GEARBOX = "nrel-5mw-gallego"
#: as strict as a foreign compiler may be
STRICT = [
    "-std=c99",
    "-Wall",
    "-Wextra",
    "-Wno-unused-parameter",
    "-Wno-unused-function",
    "-pedantic",
    "-Werror",
    "-O2",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sources")


@pytest.fixture(scope="module", params=["2.0", "3.0"])
def gearbox(request: pytest.FixtureRequest, folder: Path) -> Path:
    return export_fmu(
        GEARBOX, folder / f"gearbox-{request.param}.fmu", version=request.param, law="periodic", tolerance=1e-8
    ).path


# --- laws as C ----------------------------------------------------------------------------------------------


def _library(translation: Translation, folder: Path, name: str) -> ctypes.CDLL:
    """Translated functions as a library of their own."""
    heads = "#include <math.h>\n#include <stdint.h>\n#include <stdlib.h>\n"
    source = folder / f"{name}.c"
    source.write_text(
        heads
        + PRELUDE
        + "\n".join(translation.texts).replace("static void gw", "void gw").replace("static int64_t gw", "int64_t gw")
    )
    library = folder / f"{name}.so"
    subprocess.run([str(COMPILER), *STRICT, "-fPIC", "-shared", "-o", str(library), str(source), "-lm"], check=True)
    return ctypes.CDLL(str(library))


@pytest.mark.parametrize(("example", "fidelity", "law"), [
    (GEARBOX, "torsional", "periodic"), (GEARBOX, "torsional", "two_level"), (GEARBOX, "planar", "periodic"),
    ("nrel-5mw-nejad", "torsional", "periodic"), ("nordtank-500kw", "torsional", "periodic"),
])  # fmt: skip
def test_translated_laws_are_the_compiled_ones(folder: Path, example: str, fidelity: str, law: str) -> None:
    """One text through two compilers: forces at ten states about the operating point, to rounding."""
    plant = make_plant(example, fidelity, law)
    system = plant.system
    d0, v0 = plant.state.deflections(system)
    signals = np.array([float(s.coefficients[0, 0]) for s in system.signals])
    translation = Translation()
    names = {id(one): (translation.law(one.force), one.guard and translation.law(one.guard)) for one in system.laws}
    library = _library(translation, folder, f"laws-{example}-{fidelity}-{law}")
    random = np.random.default_rng(7)
    pointer = ctypes.POINTER(ctypes.c_double)
    assert system.laws
    for block, one in enumerate(system.laws):
        rows = slice(system.law_rows(block).start, system.law_rows(block).start + one.rows + one.senses)
        own, own_guard = names[id(one)]
        par = np.array(one.parameters, float)
        for _ in range(10):
            d = d0[rows] * random.uniform(-1.0, 3.0, one.rows + one.senses)
            d[one.rows :] += random.uniform(-50.0, 50.0, one.senses)
            v = v0[rows] + random.normal(0.0, 1e-3, one.rows + one.senses)
            wanted = system.law_force(block, d, v, signals)
            arrays = [
                np.ascontiguousarray(x, float) for x in (d, v, par, np.zeros(1), signals, np.zeros(len(d)), np.zeros(1))
            ]
            p = [x.ctypes.data_as(pointer) for x in arrays]
            mode = 0
            if own_guard:
                margin = np.zeros(2)
                function = getattr(library, own_guard)
                function.restype = ctypes.c_int64
                function.argtypes = [ctypes.c_double, *[pointer] * 5, ctypes.c_int64, pointer]
                mode = function(0.0, *p[:5], -(1 << 62), margin.ctypes.data_as(pointer))
            function = getattr(library, own)
            function.argtypes = [ctypes.c_double, *[pointer] * 5, ctypes.c_int64, pointer, pointer]
            function(0.0, *p[:5], mode, p[5], p[6])
            assert np.allclose(arrays[5][: one.rows], wanted, rtol=1e-9, atol=1e-9 * max(np.abs(wanted).max(), 1.0))


@force
def _whole_numbers(t, d, dv, p, z, s, mode, f, zd):
    a, b = mode // 3, mode % 3
    a, b = b, a
    f[0] = a + 10 * b
    f[1] = -7 // 2 + (-7) % 3 + d[0] // 2.0 + d[0] % 2.0
    total = 0
    for i in range(2, 5):
        if i == 3:
            continue
        total += i
    while total > 5:
        total -= 4
    f[2] = total if d[0] > 0.0 and not d[1] > 0.0 else min(d[0], d[1], 4)


def test_whole_numbers_round_down_and_names_change_together(folder: Path) -> None:
    """Python's rules, by Python itself: division and remainder of negative numbers, exchange in one line, chained minimum."""
    translation = Translation()
    name = translation.law(_whole_numbers)
    library = _library(translation, folder, "whole")
    pointer = ctypes.POINTER(ctypes.c_double)
    for mode, first, second in ((-8, -3.5, 1.0), (7, 3.5, -1.0), (-1, 9.0, 8.0)):
        d, found, wanted = np.array([first, second]), np.zeros(3), np.zeros(3)
        p = [d.ctypes.data_as(pointer)] * 5
        function = getattr(library, name)
        function.argtypes = [ctypes.c_double, *[pointer] * 5, ctypes.c_int64, pointer, pointer]
        function(0.0, *p, mode, found.ctypes.data_as(pointer), d.ctypes.data_as(pointer))
        _whole_numbers.python(0.0, d, d, d, d, d, mode, wanted, d)
        assert found.tolist() == wanted.tolist()


@guard
def _lists(t, d, dv, p, z, s, mode, g):
    g[0] = sum([1.0, 2.0])
    return mode


def test_what_has_no_translation_is_named() -> None:
    with pytest.raises(NoC, match=r"'_lists', line \d+: List has no translation"):
        Translation().law(_lists)


# --- sources ----------------------------------------------------------------------------------------------


def test_a_foreign_compiler_makes_the_same_unit(gearbox: Path, tmp_path: Path) -> None:
    """The archive without its binary, compiled strictly from its own list of files with nothing else at hand: the same outputs."""
    unpack(gearbox, tmp_path / "open")
    root = ET.parse(tmp_path / "open" / "modelDescription.xml").getroot()
    name = root.find("CoSimulation").get("modelIdentifier")
    three = root.get("fmiVersion") == "3.0"
    if three:
        build = ET.parse(tmp_path / "open" / "sources" / "buildDescription.xml").getroot()
        files = [f.get("name") for f in build.iter("SourceFile")]
    else:
        files = [f.get("name") for f in root.find("ModelExchange").iter("File")]
        assert files == [f.get("name") for f in root.find("CoSimulation").iter("File")]
    shutil.rmtree(tmp_path / "open" / "binaries")
    made = tmp_path / "open" / "binaries" / binary_folder("3.0" if three else "2.0")
    made.mkdir(parents=True)
    library = made / f"{name}{'.dylib' if sys.platform == 'darwin' else '.so'}"
    done = subprocess.run([str(COMPILER), *STRICT, "-fPIC", "-shared", "-o", str(library), *files, "-lm"], env={"PATH": "/usr/bin:/bin"},
                          cwd=tmp_path / "open" / "sources", capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(tmp_path / "again.fmu", "w") as archive:
        for path in (tmp_path / "open").rglob("*"):
            if path.is_file():
                archive.write(path, path.relative_to(tmp_path / "open").as_posix())
    runs = []
    for unit_path in (gearbox, tmp_path / "again.fmu"):
        with Fmu(unit_path) as unit:
            unit.start()
            rows = []
            for i in range(10):
                unit.step(0.01, {"rotor_torque": 4e6 + 1e5 * i})
                rows.append(unit.get(["main.torque", "stage3.mesh.force", "generator.speed"]))
            runs.append(rows)
    assert np.allclose(runs[0], runs[1], rtol=1e-9)


def test_without_a_compiler_the_sources_go_out_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    made = export_fmu("nrel-5mw-two-mass", tmp_path / "x.fmu")
    assert not made.binary and not made.bound
    names = zipfile.ZipFile(tmp_path / "x.fmu").namelist()
    assert "sources/model.c" in names and not [n for n in names if n.startswith("binaries")]


def test_what_has_no_translation_goes_out_as_machine_code(folder: Path) -> None:
    over = ["machines.generator.type=dfig", "machines.generator.parameters={data: nrel-5mw}"]
    made = export_fmu(GEARBOX, folder / "dfig.fmu", fidelity="torsional", generator="grid", overrides=over)
    assert "'complex' has no translation" in made.bound and made.binary and not made.exchange
    names = zipfile.ZipFile(made.path).namelist()
    assert not [n for n in names if n.startswith("sources")] and [n for n in names if n.startswith("binaries")]
    assert export_fmu(GEARBOX, folder / "driven.fmu", law="linear", rotor="speed").exchange is False
    rigid = make_plant("grc-750kw", "rigid")
    assert "is rigid" in no_source(rigid.system, [p.signal for p in rigid.ports])


# --- steps of strongly damped trains ------------------------------------------------------------------------


def test_strong_damping_keeps_the_tolerance(folder: Path) -> None:
    """Exponential steps against the explicit engine a thousand times finer, meshes whose damping decays within a microsecond: forces
    within twice the tolerance of 1e-3, root mean square."""
    path = export_fmu("nrel-5mw-gallego-source", folder / "damped.fmu", law="periodic", tolerance=1e-3).path
    plant = make_plant("nrel-5mw-gallego-source", None, "periodic")
    names = ["main.torque", "intermediate.torque", "stage1.sun_planet1.force", "stage3.mesh.force"]
    native = Stepper(plant, 0.01, 1e-6, channels=[plant.channel(n) for n in names], method="explicit")
    start = [p.start for p in plant.ports]
    inputs = [[start[0] * (1.0 + 0.1 * np.sin(0.2 * i)), start[1] * (0.7 if i > 15 else 1.0)] for i in range(30)]
    wanted = np.array([native.step(row) for row in inputs])
    with Fmu(path) as unit:
        unit.start()
        had = []
        for row in inputs:
            unit.step(0.01, dict(zip([p.name for p in plant.ports], row, strict=True)))
            had.append(unit.get(names))
    error = np.sqrt(((np.array(had) - wanted) ** 2).mean(axis=0) / (wanted**2).mean(axis=0))
    assert error.max() < 2e-3


# --- model exchange ------------------------------------------------------------------------------------------


def _exchanged(path: Path, outputs: list[str], stop: float, tolerance: float, **start: float) -> np.ndarray:
    """Run by fmpy's integrator (CVode), which knows nothing of our steps."""
    return fmpy.simulate_fmu(str(path), fmi_type="ModelExchange", solver="CVode", relative_tolerance=tolerance, stop_time=stop,
                             output_interval=0.01, record_events=False, start_values=start, output=outputs)  # fmt: skip


@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_springs_in_foreign_hands_swing_as_the_closed_form(folder: Path, version: str) -> None:
    """Two masses on a spring under a torque that steps at the start: positions of both in closed form."""
    from gearwright.train.expand import expand
    from gearwright.train.open import load

    path = export_fmu("nrel-5mw-two-mass", folder / f"two-{version}.fmu", version=version).path
    train = expand(load("nrel-5mw-two-mass"))
    (shaft,) = train.shafts.values()
    a, b = train.bodies[train.input].inertia, train.bodies[train.output].inertia
    torque = train.torque
    found = _exchanged(path, [f"{shaft.name}.torque"], 2.0, 1e-10, rotor_torque=1.3 * torque, generator_torque=torque,
                       **{f"{shaft.name}.damping": 0.0})  # fmt: skip
    k = shaft.torsional
    omega = np.sqrt(k * (1 / a + 1 / b))
    # the twist swings about its new mean from the old one, at rest
    mean = (1.3 * torque / a + torque / b) / (k * (1 / a + 1 / b))
    wanted = k * (mean + (torque / k - mean) * np.cos(omega * found["time"]))
    assert np.allclose(found[f"{shaft.name}.torque"], wanted, rtol=1e-5)


MASTER = r"""#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
/* a master of its own: FMI 3.0 model exchange by the classical Runge-Kutta method; arguments: library, token, reference and value of
   parameters and inputs in pairs up to "-", output, step, steps */
#define GET(type, name, ...) type (*name)(__VA_ARGS__) = (type (*)(__VA_ARGS__))dlsym(l, "fmi3" #name)
int main(int n, char **a) {
  void *l = dlopen(a[1], RTLD_NOW);
  if (!l) return puts(dlerror()), 1;
  GET(void *, InstantiateModelExchange, const char *, const char *, const char *, bool, bool, void *, void *);
  GET(int, SetFloat64, void *, const uint32_t *, size_t, const double *, size_t);
  GET(int, GetFloat64, void *, const uint32_t *, size_t, double *, size_t);
  GET(int, EnterInitializationMode, void *, bool, double, double, bool, double);
  GET(int, ExitInitializationMode, void *);
  GET(int, UpdateDiscreteStates, void *, bool *, bool *, bool *, bool *, bool *, double *);
  GET(int, EnterContinuousTimeMode, void *);
  GET(int, GetNumberOfContinuousStates, void *, size_t *);
  GET(int, GetContinuousStates, void *, double *, size_t);
  GET(int, SetContinuousStates, void *, const double *, size_t);
  GET(int, GetContinuousStateDerivatives, void *, double *, size_t);
  GET(int, SetTime, void *, double);
  GET(void, FreeInstance, void *);
  void *c = InstantiateModelExchange("master", a[2], "", false, false, NULL, NULL);
  if (!c) return 2;
  int at = 3;
  for (; a[at][0] != '-'; at += 2) {
    uint32_t r = (uint32_t)atoi(a[at]);
    double v = atof(a[at + 1]);
    if (SetFloat64(c, &r, 1, &v, 1)) return 3;
  }
  uint32_t out = (uint32_t)atoi(a[at + 1]);
  double h = atof(a[at + 2]), next, y;
  size_t m;
  bool f[5];
  if (EnterInitializationMode(c, false, 0, 0, false, 0) || ExitInitializationMode(c)) return 4;
  if (UpdateDiscreteStates(c, f, f + 1, f + 2, f + 3, f + 4, &next) || EnterContinuousTimeMode(c)) return 5;
  if (GetNumberOfContinuousStates(c, &m)) return 6;
  double *x = malloc(6 * m * sizeof(double)), *k = x + m, *z = x + 5 * m;
  static const double part[] = {0, 0.5, 0.5, 1};
  if (GetContinuousStates(c, x, m)) return 7;
  for (int i = 0; i < atoi(a[at + 3]); i++) {
    for (int s = 0; s < 4; s++) {
      for (size_t j = 0; j < m; j++) z[j] = x[j] + h * part[s] * (s ? k[(s - 1) * m + j] : 0.0);
      if (SetTime(c, h * (i + part[s])) || SetContinuousStates(c, z, m) || GetContinuousStateDerivatives(c, k + s * m, m)) return 8;
    }
    for (size_t j = 0; j < m; j++) x[j] += h / 6 * (k[j] + 2 * k[m + j] + 2 * k[2 * m + j] + k[3 * m + j]);
  }
  if (SetContinuousStates(c, x, m) || GetFloat64(c, &out, 1, &y, 1)) return 9;
  printf("%.15g", y);
  FreeInstance(c);
  return n < 0;
}
"""


def test_a_second_master_without_python(folder: Path, tmp_path: Path) -> None:
    """A C program of its own integrates the unit by FMI 3.0 (steps of 1 ms, an error of some 1e-9 at 1.7 Hz): two masses in closed form."""
    from gearwright.train.expand import expand
    from gearwright.train.open import load

    path = export_fmu("nrel-5mw-two-mass", folder / "master.fmu", version="3.0").path
    train = expand(load("nrel-5mw-two-mass"))
    (shaft,) = train.shafts.values()
    a, b, k = train.bodies[train.input].inertia, train.bodies[train.output].inertia, shaft.torsional
    unpack(path, tmp_path / "open")
    description = fmpy.read_model_description(str(tmp_path / "open"))
    reference = {v.name: str(v.valueReference) for v in description.modelVariables}
    (library,) = (p for p in (tmp_path / "open" / "binaries").rglob("*") if p.is_file())
    (tmp_path / "master.c").write_text(MASTER)
    program = tmp_path / "master"
    subprocess.run([str(COMPILER), "-O2", "-o", str(program), str(tmp_path / "master.c"), "-ldl"], check=True)
    given = {f"{shaft.name}.damping": 0.0, "rotor_torque": 1.3 * train.torque, "generator_torque": train.torque}
    pairs = [text for name, value in given.items() for text in (reference[name], repr(float(value)))]
    done = subprocess.run([str(program), str(library), description.instantiationToken, *pairs, "-", reference[f"{shaft.name}.torque"],
                           "1e-3", "1500"], capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stdout
    omega = np.sqrt(k * (1 / a + 1 / b))
    mean = (1.3 * train.torque / a + train.torque / b) / (k * (1 / a + 1 / b))
    assert float(done.stdout) == pytest.approx(k * (mean + (train.torque / k - mean) * np.cos(omega * 1.5)), rel=1e-7)


def test_teeth_that_part_are_events_of_model_exchange(folder: Path) -> None:
    """The generator drives with three times its torque: flanks part and meet on the other side. CVode with events at 1e-7, our explicit steps at 1e-8:
    two ways through a dozen contacts stay within 5e-4 of the largest force."""
    path = export_fmu(
        GEARBOX, folder / "parts.fmu", law="periodic", outputs=("stage3.mesh.force", "generator.speed")
    ).path
    names = ["stage3.mesh.force", "generator.speed"]
    found = fmpy.simulate_fmu(str(path), fmi_type="ModelExchange", solver="CVode", relative_tolerance=1e-7, stop_time=0.05,
                              output_interval=0.001, record_events=False, start_values={"generator_torque": -1.3e5}, output=names)  # fmt: skip
    plant = make_plant(GEARBOX, None, "periodic")
    native = Stepper(
        plant, 0.001, 1e-8, channels=[plant.channel(n) for n in [*names, "stage3.mesh.coast_force"]], method="explicit"
    )
    wanted = np.array([native.step([plant.ports[0].start, -1.3e5]) for _ in range(50)])
    coast = wanted[:, 2]
    assert (coast > 0.0).any() and (coast == 0.0).any()  # the flanks have changed
    had = np.array([found[n][1:51] for n in names]).T
    assert (np.abs(had - wanted[:, :2]).max(axis=0) < 5e-4 * np.abs(wanted[:, :2]).max(axis=0)).all()


def test_states_and_derivatives_are_those_of_the_equations(gearbox: Path) -> None:
    """The derivatives that a unit gives, integrated by scipy over 2 ms, are where its own co-simulation arrives."""
    unzipped = fmpy.extract(str(gearbox))
    description = fmpy.read_model_description(unzipped)
    three = description.fmiVersion == "3.0"
    from fmpy.fmi2 import FMU2Model
    from fmpy.fmi3 import FMU3Model

    model = (FMU3Model if three else FMU2Model)(guid=description.guid, unzipDirectory=unzipped, instanceName="x",
                                                modelIdentifier=description.modelExchange.modelIdentifier)  # fmt: skip
    model.instantiate()
    if not three:
        model.setupExperiment(startTime=0.0)
    model.enterInitializationMode()
    model.exitInitializationMode()
    n = description.numberOfContinuousStates
    x, rate = (ctypes.c_double * n)(), (ctypes.c_double * n)()
    model.getContinuousStates(x, n)
    derivatives = model.getContinuousStateDerivatives if three else model.getDerivatives

    def motion(t: float, y: np.ndarray) -> np.ndarray:
        model.setTime(t)
        model.setContinuousStates((ctypes.c_double * n)(*y), n)
        derivatives(rate, n)
        return np.array(rate)

    start = np.array(x)
    end = solve_ivp(motion, (0.0, 2e-3), start, rtol=1e-10, atol=1e-14, method="DOP853").y[:, -1]
    states = [u.variable for u in description.derivatives]
    names = [v.derivative.name for v in states]
    model.terminate()
    model.freeInstance()
    shutil.rmtree(unzipped, ignore_errors=True)
    with Fmu(gearbox) as unit:
        unit.start()
        assert np.allclose(unit.get(names), start, rtol=1e-12, atol=1e-18)
        unit.step(2e-3)
        had, moved = unit.get(names), np.abs(end - start)
    n = sum(not name.endswith(".rate") for name in names)
    # the unit's own steps keep deflections to 1e-8 of the nominal ones, speeds to as much as such deflections swing at
    assert np.abs(had[:n] - end[:n]).max() < 1e-6 * moved[:n].max()
    assert np.abs(had[n:] - end[n:]).max() < 1e-4 * moved[n:].max()
