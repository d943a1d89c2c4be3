"""What a user writes by mistake on the command line and in files: files to write, times with units, words, tables."""

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gearwright.cli import app
from gearwright.schema.read import example_path

runner = CliRunner()


@pytest.fixture()
def place(tmp_path, monkeypatch):
    """A folder with a drivetrain file, a folder, and nothing else."""
    shutil.copy(example_path("nordtank-500kw-two-level"), tmp_path / "train.yaml")
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def kept(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its content."""
    return {str(p.relative_to(folder)): p.read_bytes() if p.is_file() else b"" for p in sorted(folder.rglob("*"))}


def refused(place: Path, *arguments: str) -> str:
    before = kept(place)
    result = runner.invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 2, result.output
    assert kept(place) == before, "a refused command writes nothing"
    return result.stderr


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["run", "train.yaml", "-o", "train.yaml"], ["'train.yaml'", "another kind", "Did you mean 'train.nc'"]),
        (["run", "train.yaml", "-o", "loads"], ["'loads'", "Did you mean 'loads.nc'"]),
        (["run", "train.yaml", "-o", "folder"], ["'folder': is a folder", ".nc"]),
        (["run", "train.yaml", "-o", "train.yaml/loads.nc"], ["train.yaml' is a file, not a folder"]),
        (["run", "train.yaml", "-o", ""], ["is a folder"]),
        (["gear", "train.yaml", "--page", "folder"], ["'folder': is a folder", ".html"]),
        (["gear", "train.yaml", "-o", "teeth.png"], ["'teeth.png'", ".dxf, .svg, .csv"]),
        (["stiffness", "train.yaml", "-o", "teeth.pdf"], ["Did you mean 'teeth.html'"]),
        (["modes", "train.yaml", "-o", "folder"], ["is a folder"]),
        (["report", "loads.nc", "-o", "other.nc"], ["another kind", "Did you mean 'other.html'"]),
        (["compare", "a.nc", "b.nc", "-o", "c.txt"], ["another kind", "Did you mean 'c.html'"]),
        (["campaign", "train.yaml", "-o", "train.yaml"], ["is a file; a folder"]),
    ],
)
def test_a_file_to_write_that_cannot_be_one(place, arguments, words):
    message = refused(place, *arguments)
    assert all(word in message for word in words), message


@pytest.mark.parametrize("text", ["-1", "0 s", "nan", "inf", "1,5", "2 kg", "long"])
def test_a_duration_that_is_none_is_refused_with_what_is_allowed(place, text):
    message = refused(place, "run", "train.yaml", "--duration", text)
    assert message.count("\n") == 1 and f"--duration = {text}" in message and "Allowed" in message


def test_a_duration_that_cannot_be_meant(place):
    assert "samples, more than 1e+11" in refused(place, "run", "train.yaml", "--duration", "1e12")


def test_a_duration_may_have_a_unit(place):
    result = runner.invoke(app, ["run", "train.yaml", "--duration", "20 ms", "--json", "-o", "new/loads.nc"])
    assert result.exit_code == 0, result.output
    assert '"duration_s": 0.02' in result.stdout and (place / "new" / "loads.nc").is_file()


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--fidelity", "planer"], ["--fidelity = planer", "torsional, planar", "Did you mean 'planar'"]),
        (["--law", "perodic"], ["--law = perodic", "Did you mean 'periodic'"]),
        (["--method", "exat"], ["'exat'", "Did you mean 'exact'"]),
    ],
)
def test_misspelt_words(place, arguments, words):
    message = refused(place, "run", "train.yaml", *arguments)
    assert all(word in message for word in words), message


@pytest.mark.parametrize(
    "content, line",
    [
        ("time,T\n0,1\n1,\n40,3\n", "channel T is nan in row 2 of 3 (line 3)"),
        ("time;T [kN m]\n0;1,5\n40;\n", "channel T is nan in row 2 of 2 (line 3)"),
        (
            "time,T [bananas]\n0,1\n40,2\n",
            "channel T: 'bananas' is not a known unit. Allowed: a torque, such as in N m",
        ),
        ("time,Tq\n0,1\n40,2\n", "no channel 'T'; did you mean Tq"),
    ],
)
def test_a_table_with_a_mistake(place, content, line):
    text = (place / "train.yaml").read_text()
    old = "{on: stage1.carrier, torque: 141.86 kN m}"
    assert old in text
    (place / "train.yaml").write_text(
        text.replace(old, "{on: stage1.carrier, torque: {file: {path: load.csv, channel: T}}}")
    )
    (place / "load.csv").write_text(content)
    message = refused(place, "run", "train.yaml", "--duration", "1")
    assert "load.csv" in message and line in message


def test_a_result_is_not_exported_onto_itself(place):
    (place / "loads.csv").write_text("time,T\n0,1\n1,2\n")
    assert "is the source itself" in refused(place, "export", "loads.csv", "-o", "loads.csv")


def test_a_drivetrain_is_no_result(place):
    assert "gearwright run train.yaml" in refused(place, "report", "train.yaml")
    (place / "loads.nc").write_bytes(b"")
    assert "Did you mean 'loads.nc'" in refused(place, "report", "load.nc")


def test_the_name_of_a_file_without_its_suffix(place):
    assert "Did you mean 'train.yaml'" in refused(place, "gear", "train")


def test_a_young_modulus_without_its_unit(place):
    message = refused(place, "stiffness", "spur-pair-hertz", "--set", "materials.steel.young=206")
    assert "materials.steel.young = 206" in message and "206 GPa" in message


def test_a_torque_that_no_tooth_could_carry(place):
    message = refused(place, "ste", "spur-pair-hertz", "--method", "analytic", "--torque", "1e9 N m")
    assert "module 4 mm" in message and "smaller torque" in message
