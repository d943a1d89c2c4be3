"""Every analysis is one object: what a command prints is what its Python call gives, and every object shows itself (B3)."""

import dataclasses
import json
import math
import re
import shlex
from pathlib import Path

import every_command
import pytest
from typer.testing import CliRunner

import gearwright as gw
from gearwright.analyses.base import Analysis
from gearwright.cli import app
from gearwright.targets import verify

DATA = every_command.DATA
LIFE = DATA / "steady-life.yaml"
BEARING = DATA / "bearing-6206.yaml"

#: what two runs of the same command have different
CLOCKS = ("wall_s", "compile_s", "real_time_factor", "result_file", "folder", "table", "computed", "simulated_s", "output", "page",
          "report", "bytes")  # fmt: skip

#: command line, and the call that gives the same; in the folder of :func:`place`
PAIRS = {
    "describe nrel-5mw-nejad-source": lambda: gw.describe("nrel-5mw-nejad-source"),
    "describe slider-crank": lambda: gw.describe("slider-crank"),
    "modes grc-750kw --fidelity torsional --speed '22 rpm'": lambda: gw.modes("grc-750kw", fidelity="torsional", speed="22 rpm"),
    "modes nrel-5mw-two-mass --mac nrel-5mw-two-mass": lambda: gw.modes("nrel-5mw-two-mass", mac="nrel-5mw-two-mass"),
    "modes slider-crank": lambda: gw.modes("slider-crank"),
    "whirl geared-rotors --speeds '500 rpm to 1500 rpm in 3' --factors '0.5, 1' --unbalance 'disc=500 g mm at 90 deg' --station disc "
    "--transmission-error 'gears=2 um, 0.5 um'":
        lambda: gw.whirl("geared-rotors", speeds=["500 rpm", "1000 rpm", "1500 rpm"], factors=[0.5, 1.0], stations=["disc"],
                         unbalance={"disc": "500 g mm at 90 deg"}, transmission_error={"gears": [2e-6, 0.5e-6]}),
    "powerflow wolfrom": lambda: gw.power_flow("wolfrom"),
    "powerflow zf-4hp22 --case second": lambda: gw.power_flow("zf-4hp22", "second"),
    "powerflow zf-4hp22 --cases": lambda: gw.power_flows("zf-4hp22"),
    "powerflow wolfrom --speeds '10 rpm, 20 rpm' --torques '1 N m to 9 N m in 3'":
        lambda: gw.efficiency_map("wolfrom", ["10 rpm", "20 rpm"], [1.0, 5.0, 9.0]),
    "gear nordtank-500kw --stage stage1": lambda: gw.gear("nordtank-500kw", "stage1"),
    "stiffness nordtank-500kw --stage stage1 --method analytic": lambda: gw.mesh_stiffness("nordtank-500kw", "stage1", method="analytic"),
    "stiffness nordtank-500kw --stage stage1 --method iso6336": lambda: gw.mesh_stiffness("nordtank-500kw", "stage1", method="iso6336"),
    "ste nordtank-500kw --stage stage1 --method analytic --torque '5 kN m'":
        lambda: gw.transmission_error("nordtank-500kw", "stage1", method="analytic", torques=5e3),
    "gear nordtank-500kw --stage stage1 --measure --centre-distance '284 mm' --backlash '0.3 mm' --overlap 1.2 --speed '30 rpm'":
        lambda: gw.gear_answers("nordtank-500kw", "stage1", measure=True, centre_distance="284 mm", backlash="0.3 mm", overlap=1.2, speed="30 rpm"),
    "gear --ratio 4 --planets 4 --within '1 %'": lambda: gw.tooth_numbers(4.0, planets=4, within="1 %"),
    "modify spur-pair-hertz --method analytic --form linear --torque '200 N m' --scatter '5 um' --free crowning":
        lambda: gw.modify("spur-pair-hertz", method="analytic", form="linear", torques=200.0, scatter="5 um", free=["crowning"]),
    "sweep kahraman-oscillator --case c --from '820 Hz' --to '920 Hz' --steps 3 --settle 5 --measure 5":
        lambda: gw.sweep("kahraman-oscillator", "c", [820.0, "870 Hz", 920.0], settle=5, measure=5),
    f"bearing {BEARING} --radial '5 kN'": lambda: gw.bearing(BEARING, radial=5e3),
    "bearing nrel-5mw-medium-speed-gearbox --fidelity planar": lambda: gw.bearing("nrel-5mw-medium-speed-gearbox", fidelity="planar"),
    "turbine steady": lambda: gw.steady_operation(),
    "loads-from signals.csv quick.yaml": lambda: gw.loads_from("signals.csv", "quick.yaml"),
    "machine nrel-5mw": lambda: gw.machine("nrel-5mw"),
    "machine grc-750kw --set machines.generator.type=induction":
        lambda: gw.machine("grc-750kw", overrides=["machines.generator.type=induction"]),
    "reliability planet-bearing --samples 1000 --engine hlrf": lambda: gw.reliability("planet-bearing", samples=1000, engine="hlrf"),
    "run quick.yaml --case base -o again.nc": lambda: gw.simulate("quick.yaml", "base"),
    "run slider-crank --duration '20 ms' -o crank.nc": lambda: gw.simulate("slider-crank", duration=0.02),
    f"life run.nc --ratings {LIFE} --years 25": lambda: gw.life("run.nc", LIFE, years=25),
    "tooth-stress run.nc p.sun_planet1 --strength '1200 MPa,5e7,13,800 MPa'":
        lambda: gw.tooth_stress("run.nc", "p.sun_planet1", strength="1200 MPa,5e7,13,800 MPa"),
    "orders up.nc --channel main.torque": lambda: gw.orders("up.nc", "main.torque"),
    "envelope run.nc --channel main.torque --from 0.2": lambda: gw.envelope("run.nc", "main.torque", begin="0.2 s"),
    "identify base.nc --channel main.torque --from 2.05 --to 4.5":
        lambda: gw.identify("base.nc", "main.torque", begin=2.05, end="4.5 s"),
    "compare run.nc run.nc --channel '*.torque'": lambda: gw.compare("run.nc", "run.nc", ["*.torque"]),
    "inspect base.nc": lambda: gw.inspect("base.nc"),
    "export base.nc --channel main.torque -o one.csv --from 1": lambda: gw.export("base.nc", "two.csv", ["main.torque"], start="1 s"),
    "campaign quick.yaml -o steps": lambda: gw.campaign("quick.yaml", "steps-too"),
    "study study.yaml -o damping": lambda: gw.study("study.yaml", "damping-too"),
    "view nordtank-500kw -o view.html": lambda: gw.view("nordtank-500kw"),
    "verify S0.two_gear": lambda: verify(["S0.two_gear"]),
}  # fmt: skip
#: commands that print a list, and the key of the object's data that holds it
LISTS = {"turbine": "points", "compare": "ratios", "verify": "outcomes", "powerflow": "flows"}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with the files that the calls read."""
    folder = tmp_path_factory.mktemp("python")
    (folder / "quick.yaml").write_text(every_command.TRAIN)
    (folder / "study.yaml").write_text(every_command.STUDY)
    gw.simulate(LIFE, duration="1.5 s", output=folder / "run.nc")
    for case in ("base", "up"):
        gw.simulate(folder / "quick.yaml", case, output=folder / f"{case}.nc")
    rows = "".join(f"{0.05 * i:.2f},{1.25 + 0.01 * (i % 7)},{1e6 + 1e3 * (i % 5)}\n" for i in range(400))
    (folder / "signals.csv").write_text(f"time,generator_speed,generator_torque\n{rows}")
    return folder


@pytest.fixture(autouse=True)
def inside(place, monkeypatch):
    monkeypatch.chdir(place)


def without_clocks(data):
    if isinstance(data, dict):
        return {k: without_clocks(v) for k, v in data.items() if k not in CLOCKS}
    return [without_clocks(v) for v in data] if isinstance(data, list) else data


def as_json(data):
    """What a JSON reader gets of it."""
    return json.loads(
        json.dumps(data, default=lambda x: x.tolist() if hasattr(x, "tolist") else str(x)).replace("NaN", "null")
    )


@pytest.mark.parametrize("line", PAIRS)
def test_the_call_gives_what_the_command_prints(line):
    """And its object shows itself."""
    words = shlex.split(line)
    done = CliRunner().invoke(app, [*words, "--json"])
    assert done.exit_code == 0, done.output
    printed = json.loads(done.stdout)
    found = PAIRS[line]()
    data = as_json(found.to_dict())
    if isinstance(printed, list):
        data = data[LISTS[words[0]]]
    assert without_clocks(data) == without_clocks(printed)
    if words[0] not in ("run", "view"):
        check_it_shows_itself(found)


MORE = {
    "campbell": lambda: gw.campbell("grc-750kw", fidelity="torsional"),
    "static loads": lambda: gw.static_loads("nrel-5mw-two-mass", {"rotor": "4 MN m"}),
    "spectra": lambda: gw.spectra("base.nc", "main.torque", segment="1 s"),
}


@pytest.mark.parametrize("name", MORE)
def test_objects_without_a_command_show_themselves(name):
    check_it_shows_itself(MORE[name]())


def check_it_shows_itself(found):
    """Short repr, JSON, tables in SI, a plot of both kinds or why there is none, and a table for notebooks."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    pyplot.close("all")
    assert isinstance(found, Analysis)
    assert 0 < len(repr(found)) < 500 and "\n" not in repr(found)
    json.dumps(found.to_dict(), allow_nan=False)
    frame = found.to_dataframe()
    assert list(frame.columns) and len(frame) == len(found.tables[0].rows)
    page = found._repr_html_()
    assert "<" in page and page.count("<table>") == page.count("</table>")
    assert all(isinstance(sentence, str) for kind in (found.assumed, found.notes, found.warnings) for sentence in kind)
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.remarks = ()
    if isinstance(found.picture(), str):
        with pytest.raises(gw.DrivetrainError, match=re.escape(found.picture())):
            found.plot()
    else:
        assert found.plot().get_xlabel()
        assert found.plot("plotly").data
        with pytest.raises(gw.DrivetrainError, match="no backend"):
            found.plot("gnuplot")


def test_tables_are_in_si_with_their_units():
    """The 6206 under 5 kN: the frame has newtons where the terminal has kilonewtons."""
    found = gw.bearing(BEARING, radial="5 kN")
    frame = found.to_dataframe()
    assert frame["radial [N]"].item() == pytest.approx(5e3)
    assert found.tables[0].head[2] == "radial kN" and found.tables[0].cells[0][2] == "5"


def test_a_run_has_its_result_and_writes_nothing_unasked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "quick.yaml"
    file.write_text(every_command.TRAIN)
    run = gw.simulate(file, "base")
    assert [p.name for p in tmp_path.iterdir()] == ["quick.yaml"]
    assert run.result_file.is_file() and run.result_file.name == "quick-base.nc"
    assert "quick, base" in repr(run) and "<table>" in run._repr_html_()
    assert run.to_dataframe().loc["main.torque", "max"] == run.channels["main.torque"]["max"]
    result, written = run.result, run.result_file
    # a step of 1 MN m on a rotor of 4e7 and a generator of 5e6 kg m^2 leaves the generator's share in the shaft; the mean over the
    # last four swings of 2 pi / sqrt(8.7e8 / 4.444e6) = 0.449 s, which are still decaying
    torque = result.series("main.torque").values[result.time > 5.0 - 4 * 0.449]
    assert float(torque.mean()) == pytest.approx(1e6 * 5e6 / 4.5e7, rel=0.03)
    del run
    assert written.is_file() and math.isfinite(float(result.series("main.torque").values[0]))
    result.close()
    del result
    assert not written.parent.exists()


def test_results_go_in_as_paths_results_and_runs(place):
    run = gw.simulate("quick.yaml", "base")
    one = gw.spectra(run, "main.torque")
    with gw.Result.open(place / "base.nc") as opened:
        two = gw.spectra(opened, ["main.torque"])
    assert one.density["main.torque"] == pytest.approx(two.density["main.torque"])
    with pytest.raises(gw.DrivetrainError, match="as a Result or as a Run"):
        gw.spectra(3, "main.torque")
    assert Path(gw.write_report(run, "here.html")).is_file()
