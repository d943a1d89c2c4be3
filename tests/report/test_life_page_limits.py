"""C39: a life is shown as far as a number is worth it, axes are clamped, margins below 1 are marked."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

import gearwright as gw
from gearwright.analyses.life import BearingPart, life_of
from gearwright.cli import app
from gearwright.figures.markup import unpacked
from gearwright.pages.life_page import life_report

STEADY = Path(__file__).parents[1] / "data" / "steady-life.yaml"


@pytest.fixture(scope="module")
def life(tmp_path_factory):
    result = gw.simulate(str(STEADY), duration=1.5, output=tmp_path_factory.mktemp("life") / "r.nc").result_file
    return result, life_of(result)


def page(data, path):
    html = life_report(data, path).read_text(encoding="utf-8")
    kept = json.loads(unpacked(html, "data"))
    return html[: html.index('<script type="application/gzip"')], kept


def changed(data, *damages):
    """The first parts with other damages; their lives and margins follow: years over damage, and 1 over damage."""
    rows = []
    for row, damage in zip(data.components, damages, strict=False):
        bearing = isinstance(row, BearingPart)
        more = {"load_margin": 1.0 / damage, "life_hours": 175_320.0 / damage} if bearing else {}
        rows.append(replace(row, damage=damage, life_years=20.0 / damage, margin=1.0 / damage, **more))
    return replace(data, components=rows)


def test_no_life_of_ten_to_the_43_years(life, tmp_path):
    body, kept = page(changed(life[1], 2.5, 1e-3, 3e-43), tmp_path / "l.html")
    assert "e+4" not in body and "e-4" not in body and "e43" not in body
    assert ">\u202f1e6" in body.replace("&gt;", ">") and "<\u202f1e-9" in body.replace("&lt;", "<")
    low, high = kept["figures"]["ranking"]["layout"]["xaxis"]["range"]
    assert -10.0 <= low < high <= 3.0
    assert min(kept["figures"]["ranking"]["data"][0]["x"]) >= 1e-9
    # a download holds what was computed
    assert 3e-43 in [row[2] for row in kept["tables"]["ranking"]["rows"]]


def test_margins_below_one_are_marked_and_others_are_not(life, tmp_path):
    body, _ = page(changed(life[1], 2.5, 0.5), tmp_path / "l.html")
    ranking = re.search(r'id="table-ranking".*?</table>', body, re.DOTALL).group(0)
    assert [float(x) for x in re.findall(r'class="short">.*?▼ ([\d.]+)<', ranking)] == [pytest.approx(0.4)]
    assert "▼ below 1" in body
    lives = re.search(r'id="table-bearing-lives".*?</table>', body, re.DOTALL).group(0)
    assert lives.count('class="short"') == 2  # life margin and load margin of the first bearing


def test_a_part_that_lasts_is_not_said_to_fail_after_a_number_of_years(life, tmp_path):
    body, _ = page(changed(life[1], 1e-12), tmp_path / "l.html")
    assert "after more than 1e6 years" in body and "nothing to draw" in body


def test_the_terminal_marks_margins_too(life):
    def shown(*more):
        return CliRunner().invoke(app, ["life", str(life[0]), *more]).stdout

    assert "* below 1" not in shown() and "> 1e6" in shown()
    row = next(line for line in shown("--years", "60").splitlines() if "planet1_bearing" in line)
    # 60 years are three times the damage: 1.28 becomes 0.43
    assert re.search(r"0\.4\d+ \*", row) and "* below 1: not enough" in shown("--years", "60")
