"""A user's own law of meshes: from file, command and Python, at every fidelity; permission; what does not fit is said plainly."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import gearwright as gw
from gearwright.schema.mesh_laws import LAWS
from gearwright.train.expand import expand
from gearwright.train.open import load

LAW = '''
import gearwright as gw

open({marker!r}, "a").write("imported ")

@gw.force
def line(t, d, dv, p, z, s, mode, f, zd):
    """F = k d + c dv."""
    f[0] = p[0] * d[0] + p[1] * dv[0]

def linear(mesh):
    k, c = mesh.stiffness, mesh.damping
    return gw.Law(force=line, parameters=(k, c), mean=((k,), (c,)), damping=(c,), smooth=True, label="straight")

@gw.force
def cubic(t, d, dv, p, z, s, mode, f, zd):
    """F = k d (1 + (d/d0)^2) + c dv."""
    x = d[0] / p[1]
    f[0] = p[0] * d[0] * (1.0 + x * x) + p[2] * dv[0]

def stiffening(mesh):
    k, c = mesh.stiffness, mesh.damping
    return gw.Law(force=cubic, parameters=(k, 2e-5, c), mean=((k,), (c,)), damping=(c,), smooth=True, label="stiffening")

@gw.force
def phased(t, d, dv, p, z, s, mode, f, zd):
    """A stiffness that swings with the mesh phase, the first sense row."""
    f[0] = p[0] * (1.0 + 0.2 * math.cos(2.0 * math.pi * d[1])) * d[0]

def swinging(mesh):
    return gw.Law(force=phased, parameters=(mesh.stiffness,), senses=1, mean=((mesh.stiffness,), (0.0,)), smooth=True)

import math
'''
#: shipped drivetrains whose meshes are linear springs, by fidelity
TRAINS = [("nrel-5mw-gallego", "torsional"), ("grc-750kw", "planar"), ("grc-750kw", "spatial")]
CASES = {"nrel-5mw-gallego": "rated", "grc-750kw": "rated"}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "ownlaw.py").write_text(LAW.format(marker=str(tmp_path / "marker")))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _system(name, fidelity, law):
    return gw.assemble(expand(load(name), fidelity), fidelity, law)


def _own(folder, name):
    from gearwright.laws.registry import allowed

    return allowed(f"ownlaw:{name}", [f"ownlaw:{name}"], folder, True)


@pytest.mark.parametrize("name, fidelity", TRAINS)
def test_an_own_law_that_is_linear_is_law_linear(folder, name, fidelity):
    """The linear model to 1e-12, and the force of every mesh at any motion: k d + c dv of the rows that law linear has."""
    usual, own = _system(name, fidelity, "linear"), _system(name, fidelity, _own(folder, "linear"))
    assert own.shape.laws > usual.shape.laws and own.provenance.law == "ownlaw:linear"
    for ours, theirs in zip(own.linear(), usual.linear(), strict=True):
        assert np.abs(ours - theirs).max() <= 1e-12 * np.abs(theirs).max()
    q = 1e-6 * np.random.default_rng(1).standard_normal(len(own.coordinates))
    row = {row: i for i, row in enumerate(usual.rows)}
    for block, law in enumerate(own.laws):
        if law.label == "straight":
            i = own.law_rows(block).start
            d = (own.D @ q)[i : i + 1]
            spring = float(usual.arrays.k[row[own.rows[i]] - (usual.shape.rows - usual.shape.springs)])
            assert own.law_force(block, d, np.zeros(1), np.zeros(1))[0] == pytest.approx(spring * d[0], rel=1e-12)


@pytest.mark.parametrize("name, fidelity", TRAINS)
def test_runs_of_an_own_law_close_their_energy_at_every_fidelity(folder, name, fidelity):
    """The explicit engine: the linear one gives what law linear gives; the stiffening one carries the same mean load."""
    common = {"fidelity": fidelity, "duration": 0.1, "method": "explicit", "tolerance": 1e-10}
    usual = gw.simulate(name, CASES[name], law="linear", output="usual.nc", **common)
    own = gw.simulate(name, CASES[name], law="ownlaw:linear", allow_code=True, output="own.nc", **common)
    cubic = gw.simulate(name, CASES[name], law="ownlaw:stiffening", allow_code=True, output="cubic.nc", **common)
    assert own.energy_error < 1e-5 and cubic.energy_error < 1e-5
    largest = max(abs(c["max"]) for c in usual.channels.values() if c["unit"] == "N")
    for channel, values in usual.channels.items():
        if values["unit"] == "N":
            for key in ("mean", "min", "max"):
                assert own.channels[channel][key] == pytest.approx(values[key], abs=1e-6 * largest)
    with gw.Result.open("usual.nc") as one, gw.Result.open("cubic.nc") as two:
        for mesh in [str(x) for x in one.dataset["mesh"].values]:
            (force, d), (cubed, x) = (
                [float(np.mean(r.series(f"{mesh}.{q}").values)) for q in ("force", "deflection")] for r in (one, two)
            )
            if fidelity == "spatial":  # two slices that tilt against each other
                assert abs(x) < abs(d) and cubed == pytest.approx(force, rel=1e-3)
            else:
                assert cubed == pytest.approx(force / d * x * (1.0 + (x / 2e-5) ** 2), rel=1e-4)
    assert own.attributes["law"] == "ownlaw:linear"
    with gw.Result.open("own.nc") as result:
        assert result.attributes["law"] == "ownlaw:linear"
        assert json.loads(result.attributes["own_laws_json"])["ownlaw:linear"] == (folder / "ownlaw.py").read_text()


def test_a_mechanism_of_a_train_takes_an_own_law_too(folder):
    """Fidelity multibody, whose steps are fixed: the linear one is law linear to round-off of many steps, the other one is not."""
    common = {"fidelity": "multibody", "duration": 0.02}
    usual = gw.simulate("nordtank-500kw", law="linear", output="usual.nc", **common)
    own = gw.simulate("nordtank-500kw", law="ownlaw:linear", allow_code=True, output="own.nc", **common)
    cubic = gw.simulate("nordtank-500kw", law="ownlaw:stiffening", allow_code=True, output="cubic.nc", **common)
    loads = {name: c["max"] for name, c in usual.channels.items() if c["unit"] == "N"}
    largest = max(loads.values())
    for name, most in loads.items():
        assert own.channels[name]["max"] == pytest.approx(most, abs=1e-9 * largest)
    assert max(abs(cubic.channels[name]["max"] - most) for name, most in loads.items()) > 1e-6 * largest
    with gw.Result.open("own.nc") as result:
        assert result.attributes["law"] == "ownlaw:linear" and "def linear(mesh)" in result.attributes["own_laws_json"]


FILE = """
name: pair
model: {{fidelity: torsional, law: {law}}}
stages:
  - {{name: s, type: parallel, module: 3 mm, pressure_angle: 20 deg, face_width: 30 mm, azimuth: 0 deg,
      wheel: {{teeth: 40, inertia: 0.02}}, pinion: {{teeth: 20, inertia: 0.002}},
      mesh: {{stiffness: 2e8, damping: 100{mesh}}}}}
operating: {{input: s.wheel, output: s.pinion, speed: 100 rpm, torque: 200 N m}}
cases:
  - {{name: c, duration: 0.05, start: equilibrium, loads: [{{on: s.wheel, torque: 200 N m}}, {{on: s.pinion, torque: 100 N m}}]}}
"""


def _file(folder, law="linear", mesh=""):
    path = folder / "pair.yaml"
    path.write_text(FILE.format(law=law, mesh=mesh))
    return path


def test_the_closed_form_of_the_cubic_spring_stands_at_rest(folder):
    """k d (1 + (d/d0)^2) = T / r with the base radius 60 mm cos 20 degrees: its one real root by Cardano."""
    run = gw.simulate(_file(folder, "ownlaw:stiffening"), allow_code=True, tolerance=1e-10, output="c.nc")
    force, k, d0 = 200.0 / (0.060 * np.cos(np.radians(20.0))), 2e8, 2e-5
    a, b = d0**2, -force * d0**2 / k
    root = np.sqrt(b * b / 4.0 + a**3 / 27.0)
    expected = np.cbrt(-b / 2.0 + root) + np.cbrt(-b / 2.0 - root)
    with gw.Result.open("c.nc") as result:
        series = np.asarray(result.series("s.mesh.deflection").values)
    assert series == pytest.approx(expected, rel=3e-6)  # the loads balance to 1e-6 at the start of a run
    assert run.channels["s.mesh.force"]["mean"] == pytest.approx(force, rel=1e-6)


def test_file_command_and_python_give_the_same_run(folder):
    path = _file(folder)
    python = gw.simulate(path, law="ownlaw:stiffening", allow_code=True, output="python.nc")
    from_file = gw.simulate(_file(folder, "ownlaw:stiffening"), allow_code=True, output="file.nc")
    by_mesh = gw.simulate(_file(folder, "linear", ", law: ownlaw:stiffening"), allow_code=True, output="mesh.nc")
    sys.path.insert(0, str(folder))
    try:
        import ownlaw

        passed = gw.simulate(_file(folder), law=ownlaw.stiffening, output="passed.nc")
        one = gw.simulate(_file(folder), law=ownlaw.stiffening(_Mesh()), output="one.nc")
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop("ownlaw", None)
    _file(folder)
    command = subprocess.run(
        [sys.executable, "-m", "gearwright", "run", "pair.yaml", "--law", "ownlaw:stiffening", "--allow-code", "--json", "-o", "command.nc"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    expected = python.channels["s.mesh.force"]
    for found in (from_file, by_mesh, passed, one):
        assert found.channels["s.mesh.force"] == expected
    assert json.loads(command.stdout)["channels"]["s.mesh.force"] == expected
    assert passed.attributes["law"] == "ownlaw:stiffening" and one.attributes["law"] == "own: stiffening"
    assert by_mesh.attributes["law"] == "linear" and "ownlaw:stiffening" in by_mesh.attributes["own_laws_json"]


class _Mesh:
    stiffness, damping = 2e8, 100.0


def test_without_permission_nothing_is_imported_and_one_message_says_what_to_do(folder):
    path = _file(folder, "ownlaw:stiffening")
    with pytest.raises(gw.AssemblyError, match="code of its own.*--allow-code.*allow_code=True"):
        gw.simulate(path)
    for words in (["run"], ["modes"], ["run", "--law", "ownlaw:linear"]):
        done = subprocess.run(
            [sys.executable, "-m", "gearwright", words[0], "pair.yaml", *words[1:]], capture_output=True, text=True
        )
        assert done.returncode == 2 and "--allow-code" in done.stderr and done.stderr.count("\n") <= 3, done
    described = gw.describe(load(path))
    assert any("ownlaw:stiffening is code of its own" in remark for remark in described.remarks)
    gw.simulate(path, law="linear", output="linear.nc")
    assert not (folder / "marker").exists()
    run = gw.simulate(path, allow_code=True, output="own.nc")
    (folder / "marker").unlink()
    gw.write_report(run.result_file, folder / "page.html")
    assert not (folder / "marker").exists() and "ownlaw:stiffening" in (folder / "page.html").read_text()


def test_a_phase_that_a_law_reads_is_that_of_the_mesh(folder):
    """200 N m at 1e8 N/m mean stiffness: the force swings with the 40 teeth of the wheel at 100 rpm, 66.7 Hz."""
    run = gw.simulate(
        _file(folder), law="ownlaw:swinging", allow_code=True, fidelity="torsional", duration=0.3, output="s.nc"
    )
    with gw.Result.open(run.result_file) as result:
        force = np.asarray(result.series("s.mesh.force").values)
        time = np.asarray(result.time)
    spectrum = np.abs(np.fft.rfft((force - force.mean()) * np.hanning(len(force))))
    frequency = np.fft.rfftfreq(len(force), time[1] - time[0])
    mesh = 100.0 / 60.0 * 40.0
    near = np.abs(frequency - mesh) < 5.0
    assert spectrum[near].max() > 20.0 * np.median(spectrum)


WRONG = {
    "def law(): return None": "called with one argument",
    "def law(mesh, more): return None": "called with one argument",
    "def law(mesh): pass": "returns nothing",
    "def law(mesh): return 3.0": "returns float; it has to return a gw.Law",
    "def law(mesh): return 1 / 0": "fails with ZeroDivisionError",
    "def law(mesh): return gw.Law(force=lambda t: t, parameters=())": "write @gw.force above its def",
    "def law(mesh): return gw.Law(force=good, parameters=(1.0,), rows=3)": "3 force rows and 0 sense rows",
    "def law(mesh): return gw.Law(force=good, parameters=(float('nan'),))": "not finite",
    "def law(mesh): return gw.Law(force=good, parameters=('x',))": "are numbers",
    "def law(mesh): return gw.Law(force=good, parameters=(1.0,), mean=((1.0, 2.0), (0.0, 0.0)))": "two of 1 numbers",
    "def law(mesh): return gw.Law(force=good, parameters=())": r"uses p\[0\], but there are 0 parameters",
    "def law(mesh): return gw.Law(force=silent, parameters=())": r"f\[0\] of its force 'silent' is not written at d\[0\] = -",
    "def law(mesh): return gw.Law(force=memory, parameters=())": "may not allocate",
    "law = 3.0": "is no function and no Law",
    "def lax(mesh): pass": "has no 'law'. Did you mean 'lax'",
    "this is no Python": "invalid syntax",
    "import nowhere_to_be_found": "needs the module 'nowhere_to_be_found'",
    "raise SystemExit(1)": "cannot be imported: SystemExit",
    "@gw.force\ndef law(t, d, dv): pass": r"has the parameters \(t, d, dv\); the force of a law has these 9",
}
GOOD = """
import numpy as np
import gearwright as gw

@gw.force
def good(t, d, dv, p, z, s, mode, f, zd):
    f[0] = p[0] * d[0]

@gw.force
def silent(t, d, dv, p, z, s, mode, f, zd):
    if d[0] >= 0.0:
        f[0] = d[0]

@gw.force
def memory(t, d, dv, p, z, s, mode, f, zd):
    f[0] = np.zeros(2)[0]

"""


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_what_does_not_fit_is_said_in_one_sentence(folder, text):
    (folder / "wrong.py").write_text(GOOD + text + "\n")
    with pytest.raises(gw.AssemblyError, match=WRONG[text]) as refused:
        gw.simulate(_file(folder), law="wrong:law", allow_code=True)
    assert "law 'wrong:law'" in str(refused.value) and "\n" not in str(refused.value)


def test_a_module_that_is_nowhere_is_said_with_the_folders(folder):
    with pytest.raises(gw.AssemblyError, match="there is no module 'nowhere' in '.*', and none on Python's path"):
        gw.simulate(_file(folder), law="nowhere:law", allow_code=True)


def test_an_edited_law_counts_in_the_same_session(folder):
    """And a module of the same name elsewhere, and one that is loaded already, stay what they are."""
    import json as kept

    (folder / "json.py").write_text((folder / "ownlaw.py").read_text())
    gw.simulate(_file(folder), law="json:linear", allow_code=True, output="a.nc")
    assert sys.modules["json"] is kept
    (folder / "edited.py").write_text(
        GOOD + "def law(mesh): return gw.Law(force=good, parameters=(1e8,), mean=((1e8,), (0.0,)))\n"
    )
    first = gw.simulate(_file(folder), law="edited:law", allow_code=True, output="a.nc")
    (folder / "edited.py").write_text((folder / "edited.py").read_text().replace("1e8", "2e8"))
    second = gw.simulate(_file(folder), law="edited:law", allow_code=True, output="b.nc")
    with gw.Result.open(first.result_file) as a, gw.Result.open(second.result_file) as b:
        one, two = (r.series("s.mesh.deflection").values[0] for r in (a, b))
    assert float(one) == pytest.approx(2.0 * float(two), rel=1e-9)
    assert not list(Path(folder).glob("__pycache__"))


def test_where_another_force_is_made_of_a_mesh_an_own_law_is_refused(folder):
    with pytest.raises(gw.AssemblyError, match="transmission error .*law ownlaw:linear would not see"):
        gw.simulate(
            _file(folder, "ownlaw:linear", ", excitation: {base: mesh, order: 1, amplitude: 1e-6}"), allow_code=True
        )
    with pytest.raises(gw.AssemblyError, match="cannot be assembled at fidelity rigid"):
        gw.simulate(_file(folder), law="ownlaw:linear", fidelity="rigid", allow_code=True)
    with pytest.raises(gw.AssemblyError, match="beside linear, periodic or another own one"):
        gw.simulate(_file(folder, "rigid", ", law: ownlaw:linear"), allow_code=True)


def test_the_table_of_laws_is_what_engines_and_fidelities_take():
    """Words, methods and fidelities against what assembly and engines do with a pair that has all that laws need."""
    from gearwright.schema.read import from_mapping
    from gearwright.solve.choose import NAMES, engine

    train = {
        "name": "pair", "model": {"gravity": False},
        "stages": [{"name": "s", "type": "parallel", "module": 3e-3, "pressure_angle": "20 deg", "face_width": 0.03, "azimuth": 0.0,
                    "wheel": {"teeth": 40, "inertia": 0.02, "mass": 5.0}, "pinion": {"teeth": 20, "inertia": 0.002, "mass": 1.0},
                    "mesh": {"stiffness": {"from": "iso6336"}, "contact_ratio": 1.6},
                    "bearings": {w: {"stiffness": 1e8, "axial_stiffness": 1e8, "tilt_stiffness": 1e5} for w in ("wheel", "pinion")}}],
        "operating": {"input": "s.wheel", "output": "s.pinion", "speed": 10.0, "torque": 200.0},
    }  # fmt: skip
    for word, law in LAWS.items():
        for fidelity in ("rigid", "torsional", "planar", "spatial"):
            try:
                system = gw.assemble(expand(from_mapping(train), fidelity), fidelity, word)
            except gw.AssemblyError as error:
                assert fidelity not in law.fidelities, (word, fidelity, error)
                continue
            assert fidelity in law.fidelities, (word, fidelity)
            if fidelity == "torsional":
                assert {name for name in NAMES if not engine(name).refuses(system)} == set(law.methods), word
