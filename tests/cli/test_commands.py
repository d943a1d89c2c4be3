"""Every command as a user calls it: figures, JSON, exit codes, messages."""

import ast
import json
import math

import pytest
from typer.testing import CliRunner

from gearwright.cli import app

runner = CliRunner()


def call(*arguments):
    return runner.invoke(app, [str(a) for a in arguments], catch_exceptions=False)


def data(*arguments):
    result = call(*arguments)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_modes_of_lin_parker_with_five_planets():
    found = data("modes", "lin-parker-1999", "--fidelity", "planar", "--set", "stages.0.planets=5", "--json")
    assert len(found["frequencies_hz"]) == 24
    assert found["frequencies_hz"][1] == pytest.approx(710.0, rel=1e-3)
    assert found["damping_ratios"][0] is None
    assert found["kinds"].count("planet") == 6


def test_modes_of_the_5_mw_gearbox():
    found = data("modes", "nrel-5mw-gallego", "--fidelity", "torsional", "--json")
    assert found["frequencies_hz"][1] == pytest.approx(2.029, abs=1e-3)
    assert any("20 % damping" in w for w in found["warnings"])


def test_modes_table_is_for_people():
    text = call("modes", "nrel-5mw-two-mass").stdout
    assert "frequency Hz" in text and "2.22" in text and "rigid" in text


def test_run_prints_what_is_fixed(tmp_path):
    found = data("run", "nordtank-500kw-two-level", "--duration", "2", "--json", "-o", tmp_path / "a.nc")
    assert set(found) >= {
        "duration_s",
        "wall_s",
        "real_time_factor",
        "method",
        "result_file",
        "energy_error",
        "channels",
    }
    assert found["duration_s"] == pytest.approx(2.0)
    assert found["energy_error"] < 1e-6
    mesh = found["channels"]["stage1.sun_planet1.force"]
    assert set(mesh) == {"mean", "std", "min", "max", "unit"}
    # 272 kN of the rigid stage over three planets (S0 P3)
    assert mesh["mean"] == pytest.approx(90.7e3, rel=0.01)


def test_recorded_run_meets_the_recorded_torque(tmp_path):
    found = data("run", "nrel-5mw-two-mass", "--case", "recorded-18ms", "--json", "-o", tmp_path / "r.nc")
    assert found["recorded_torque_correlation"] > 0.99
    assert found["computed_torque_std"] == pytest.approx(174.5e3, rel=2e-3)


def test_report_of_a_run(tmp_path):
    call("run", "nrel-5mw-two-mass", "--duration", "5", "--set", "discard=0 s", "-o", tmp_path / "a.nc")
    assert call("report", tmp_path / "a.nc", "-o", tmp_path / "a.html").exit_code == 0
    page = (tmp_path / "a.html").read_text()
    assert "<svg" in page and "nrel-5mw-two-mass" in page


def test_describe_says_what_was_derived():
    found = data("describe", "nrel-5mw-gallego-source", "--json")
    assert found["speed_ratio"] == pytest.approx(97.014, abs=1e-3)
    assert found["ratio"] == pytest.approx(1 / 97.014, rel=1e-4)
    assert found["model"]["degrees_of_freedom"] == 11
    assert any("232.348" in w for w in found["warnings"])
    assert "stage1.planet2" in call("describe", "nrel-5mw-gallego").stdout


def test_schema_is_a_json_schema():
    found = data("schema")
    assert found["$schema"].endswith("schema") and "stages" in found["properties"]


def test_examples_list_show_copy(tmp_path):
    names = [e["name"] for e in data("examples", "list", "--json")]
    assert {"lin-parker-1999", "nrel-5mw-gallego", "nordtank-500kw", "dtu-10mw"} <= set(names)
    assert "Lin" in call("examples", "show", "lin-parker-1999").stdout
    assert call("examples", "copy", "nrel-5mw-two-mass", tmp_path).exit_code == 0
    assert (tmp_path / "nrel-5mw-two-mass.yaml").exists() and list((tmp_path / "data").iterdir())
    again = call("examples", "copy", "nrel-5mw-two-mass", tmp_path)
    assert again.exit_code == 2 and "exists already" in again.stderr


def test_verify_gives_every_field():
    rows = data("verify", "LIT.3.1", "--json")
    assert {r["id"] for r in rows} == {"LIT.3.1.free", "LIT.3.1.fixed", "LIT.3.1.damping"}
    assert all(r["status"] == "pass" and math.isfinite(r["error"]) for r in rows)


def test_unknown_prefix_names_the_families():
    result = call("verify", "XY")
    assert result.exit_code == 2 and "LIT" in result.stderr


def test_a_command_alone_is_the_command_of_the_whole_program():
    """What is imported for one command has the options, the help and the order of the whole."""
    import typer

    from gearwright.commands import COMMANDS, application

    whole = typer.main.get_command(app)
    assert sorted(whole.commands) == sorted(name for names in COMMANDS.values() for name in names)
    for names in COMMANDS.values():
        part = typer.main.get_command(application(names[0]))
        assert sorted(part.commands) == sorted(names)
        for name in names:
            alone = runner.invoke(application(name), [name, "--help"]).output
            assert alone == runner.invoke(app, [name, "--help"]).output


@pytest.mark.parametrize("arguments, code, text", [
    (["--version"], 0, "gearwright 0."), (["rnu"], 2, "'run'"), (["run", "--durtion", "1", "x"], 2, "--duration"),
    (["examples", "list"], 0, "lin-parker-1999"), (["--help"], 0, "powerflow"),
])  # fmt: skip
def test_the_process_finds_its_command(arguments, code, text):
    """By the entry of the installed script, in a process of its own."""
    import subprocess
    import sys

    done = subprocess.run([sys.executable, "-m", "gearwright", *arguments], capture_output=True, text=True)
    assert done.returncode == code
    assert text in done.stdout + done.stderr


def test_a_run_whose_code_is_compiled_imports_what_it_uses(tmp_path):
    """Libraries whose imports would take longer than the run, and sections of the schema that its file does not have. What is
    left at the end is not searched for cycles, which takes a tenth of such a process."""
    import subprocess
    import sys

    code = (
        "import sys, gc\n"
        "from gearwright.cli import main\n"
        f"sys.argv = ['gearwright', 'run', 'nordtank-500kw-two-level', '--duration', '0.5', '-o', {str(tmp_path / 'a.nc')!r}]\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n"
        "print(gc.get_freeze_count(), gc.get_stats()[2]['collections'])\n"
        "print(sorted(sys.modules))\n"
    )
    for _ in range(2):  # the first may have to compile
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    *_, collector, modules = done.stdout.splitlines()
    left, searches = map(int, collector.split())
    assert left > 10_000 and searches == 0
    imported = set(ast.literal_eval(modules))
    assert not {"numba", "scipy", "xarray", "pint"} & imported
    schema = {name.rpartition(".")[2] for name in imported if name.startswith("gearwright.schema.")}
    assert schema & {"flexible", "life"} == set()
