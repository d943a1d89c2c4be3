"""``gearwright inspect``: what stands in the file, by numbers that the file was written from."""

import json
import math
from importlib.resources import files
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gearwright.cli import app


def _inspect(*arguments):
    return CliRunner().invoke(app, ["inspect", *map(str, arguments)])


def test_a_table_with_known_statistics(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("time (s),Torque (kN-m),Speed (rpm)\n0,1,10\n1,3,10\n2,1,10\n3,3,10\n")
    data = json.loads(_inspect(path, "--json").output)
    assert (data["samples"], data["sampling_s"], data["uniform_sampling"], data["end_s"]) == (4, 1.0, True, 3.0)
    torque = data["channels"]["Torque"]
    assert (torque["unit"], torque["mean"], torque["std"], torque["min"], torque["max"]) == ("kN m", 2.0, 1.0, 1.0, 3.0)
    assert "Speed" in _inspect(path).output


def test_the_shipped_record():
    path = files("gearwright") / "examples" / "data" / "nrel-5mw-18ms.outb"
    data = json.loads(_inspect(path, "--channel", "RotSpeed", "--json").output)
    speed = data["channels"]["RotSpeed"]
    assert list(data["channels"]) == ["RotSpeed"] and speed["unit"] == "rpm"
    # above rated wind the controller holds 12.1 rpm (Jonkman et al. 2009)
    assert math.isclose(speed["mean"], 12.1, rel_tol=0.02)


def test_messages(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("time,Torque\n0,1\n1,2\n")
    done = _inspect(path, "--channel", "Torqe")
    assert done.exit_code == 2
    assert _inspect(tmp_path / "none.csv").exit_code == 2
    (tmp_path / "b.xyz").write_text("?")
    assert _inspect(tmp_path / "b.xyz").exit_code == 2


#: but for operating data, whose columns of time have other names and clocks go back (tests/fleets reads them), and models
SAMPLES = sorted(
    p for p in (Path(__file__).parents[1] / "data").rglob("*")
    if p.is_file() and p.suffix not in (".md", ".py", ".yaml", ".json") and ".rexs" not in p.name and "LICENSE" not in p.name
    and not {"sketches", "version-0.1.0", "scada"} & set(p.parts)
)  # fmt: skip


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.name)
def test_every_sample(path):
    done = _inspect(path, "--json")
    assert done.exit_code == 0, done.output
    data = json.loads(done.output)
    assert data["source"].removesuffix(path.suffix)[:4] == path.stem[:4] and data["format"] and data["channels"]
    for channel in data["channels"].values():
        bounds = channel.get("min"), channel.get("max")  # neither of what holds text or no finite value
        assert channel["unit"] and ("value" in channel or None in bounds or bounds[0] <= bounds[1])
    name = next(iter(data["channels"]))
    shown = _inspect(path).output
    assert data["format"] in shown and name.split()[0][:8] in shown


def test_options_of_a_mann_box():
    path = Path(__file__).parents[1] / "data" / "turbine" / "MannBox_2x4x8.bin"
    data = json.loads(_inspect(path, "--points", "4x4x4", "--spacing", "2,3,3", "--json").output)
    assert data["dimensions"]["x"] == {"size": 4, "unit": "m", "first": 0.0, "last": 6.0}
    assert _inspect(path, "--points", "4x4").exit_code == 2
