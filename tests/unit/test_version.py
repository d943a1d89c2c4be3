"""One version everywhere; what version 0.1.0 wrote opens with a note; what was renamed since stands in the changelog."""

import json
import math
import re
import shutil
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

import gearwright as gw
from gearwright.cli import app
from gearwright.commands import FORMER
from gearwright.system import former as former_names

ROOT = Path(__file__).resolve().parents[2]
OLD = ROOT / "tests" / "data" / "version-0.1.0"
NOTE = "written by version 0.1.0 of Gearwright"
#: base radius of 41 teeth of 3 mm at 20 degrees; the mean torque of 200 N m over it is the mean mesh force
MEAN_FORCE = 200.0 / (0.5 * 41 * 3e-3 * math.cos(math.radians(20.0)))


def said(*words: object) -> str:
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    return result.output


def test_the_version_stands_alike_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    cited = re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    first = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert cited and first
    assert {project["project"]["version"], cited.group(1), first.group(1)} == {gw.__version__} == {"0.2.0"}


def test_a_result_of_the_first_version_opens_with_a_note() -> None:
    with gw.Result.open(OLD / "small-pair.nc") as result:
        assert [note for note in result.notes if NOTE in note]
        # a drive of 200 N m on average, and a part of a swing that the end of the record cuts off
        mean = result.dataset["mesh_force_statistic"].sel(mesh="pair.mesh", statistic="mean")
        assert float(mean) == pytest.approx(MEAN_FORCE, rel=2e-3)


def test_a_mesh_force_of_the_first_version_is_read_under_both_names() -> None:
    """What 0.1.0 called normal_force was always the force along the transverse line of action: the torque over the base radius."""
    with gw.Result.open(OLD / "small-pair.nc") as result:
        assert any("normal_force of a mesh is now called force" in note for note in result.notes)
        now = result.series("pair.mesh.force")
        before = result.series("pair.mesh.normal_force")
        assert (now == before).all() and (result.series("mesh", "normal_force", "pair.mesh") == now).all()
        assert "pair.mesh.normal_force" not in result.channels
    assert (
        former_names.present_variables(["mesh_normal_force", "mesh_tangential_force"])["mesh_normal_force"]
        == "mesh_normal_force"
    )
    table = gw.read(OLD / "small-pair.nc", ["*.normal_force"])
    assert (
        set(table.data_vars)
        == {"pair.mesh.force"}
        == set(gw.read(OLD / "small-pair.nc", ["pair.mesh.normal_force"]).data_vars)
    )


def test_a_former_name_of_a_channel_is_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said_now: list[str] = []
    monkeypatch.setattr(former_names, "_said", set())
    monkeypatch.setattr(former_names, "tell", said_now.append)
    assert former_names.known_channel("a.mesh.normal_force", {"a.mesh.force"}) == "a.mesh.force"
    assert former_names.known_channel("a.mesh.normal_force", {"a.mesh.force"}) == "a.mesh.force"
    assert said_now == [former_names.NOTE]
    for kept in ("a.mesh.normal_force", "a.mesh.abnormal_force"):  # a channel of that name, and one that ends alike
        assert former_names.known_channel(kept, {kept}) == kept
    assert len(said_now) == 1


def test_a_page_of_an_old_result_says_so(tmp_path: Path) -> None:
    assert "pair.mesh.force" in said("inspect", OLD / "small-pair.nc")
    said("report", OLD / "small-pair.nc", "-o", tmp_path / "page.html")
    assert NOTE in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_a_new_result_has_no_such_note(tmp_path: Path) -> None:
    run = gw.simulate(OLD / "small-pair.yaml", "swing", duration=0.1, output=tmp_path / "new.nc")
    assert run.attributes["gearwright_version"] == gw.__version__
    assert not [note for note in run.notes if "written by version" in note]


def test_a_campaign_of_the_first_version_goes_on_with_a_note(tmp_path: Path) -> None:
    folder = tmp_path / "swings"
    shutil.copytree(OLD / "swings", folder)
    shown = said("campaign", OLD / "small-pair.yaml", "--campaign", "swings", "-o", folder)
    assert "2 of 2 runs done, 2 of them before" in shown and NOTE in " ".join(shown.split())
    data = json.loads(said("campaign", OLD / "small-pair.yaml", "--campaign", "swings", "-o", folder, "--json"))
    assert data["computed"] == 0 and any(NOTE in note for note in data["notes"])


def test_every_former_option_stands_in_the_changelog_with_its_successor() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    for command, options in FORMER.items():
        for former, now in options.items():
            found = [r for r in rows if f"`{command}`" in r and former in r and now in r]
            assert found, f"{command}: {former} is now {now}"
