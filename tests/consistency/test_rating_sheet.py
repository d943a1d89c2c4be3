"""The rating sheet: its own numbers multiply to its stresses, a mirrored train has the same sheet, nothing is silently 1."""

import json
import math
import re
import zipfile
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from typer.testing import CliRunner

from gearwright.analyses.rating_sheet import rating_sheet
from gearwright.cli import app
from gearwright.figures.markup import unpacked
from gearwright.pages.page import report
from gearwright.pages.rating_page import rating_page, rating_report, symbol
from gearwright.running.run import simulate
from gearwright.train.open import load

DATA = Path(__file__).parents[1] / "data"
SHORT = ["cases.0.duration=0.4 s", "life.gears.0.face_load=null"]
MIRROR = [
    "operating.speed=-47 rpm", "operating.torque=-20 kN m", "cases.0.loads.0.torque=-20 kN m",
    "cases.0.loads.1.torque=-1348.9736070381232 N m", "machines.0.parameters.torque=100 N m",
]  # fmt: skip
OIL = """
life:
  title: {project: mirror, author: A. Smith}
  oil: {viscosity: 320, viscosity_100: 24.5, density: 890 kg/m^3, temperature: 65, scuffing_stage: 12, pressure_viscosity: 16, micropitting_ratio: 0.2}
  housing: {area: 8, air: 25}
  gears: [{on: "*", treatment: case_hardened, grade: MQ, rim: 30 mm}]
  shafts: [{on: main, diameter: 120 mm, din743: {tensile: 1100 MPa, yield_point: 900 MPa, notch: {type: shoulder, radius: 6 mm, depth: 10 mm}}}]
  bearings: [{on: "q.*_bearing", dynamic_rating: 200 kN, static_rating: 300 kN, type: cylindrical}]
"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    place = tmp_path_factory.mktemp("sheet")
    for name, edits in (("a", []), ("b", MIRROR)):
        simulate(load(DATA / "mirror-train.yaml", [*SHORT, *edits]), "steady", output=place / f"{name}.nc")
    (place / "ratings.yaml").write_text(OIL)
    return place


@pytest.fixture(scope="module")
def sheet(runs):
    return rating_sheet(runs / "a.nc", runs / "ratings.yaml")


def values(pair, name):
    row = pair.row(name)
    return np.array([f.value for f in row.figures], float) * np.ones(2)


def test_printed_factors_multiply_to_the_printed_stresses(sheet):
    """A reader with a pocket calculator (MPa, N/mm^2): the courses behind the sheet are straight between 200 forces, good to 1e-3."""
    assert len(sheet.pairs) == 3  # four sun meshes, four ring meshes and the parallel stage
    for pair in sheet.pairs:
        flank = next(b for b in pair.blocks if b.title == "Load factors, flank").rows
        root = next(b for b in pair.blocks if b.title == "Load factors, root").rows

        def product(rows, names):
            found = np.ones(2)
            for name in names:
                row = next(r for r in rows if r.symbol == name)
                found = found * np.array([f.value for f in row.figures], float)
            return found

        common = ("K_A", "K_gamma", "K_v")
        stress = (
            values(pair, "Z_B,D") * values(pair, "sigma_H0") * np.sqrt(product(flank, (*common, "K_Hbeta", "K_Halpha")))
        )
        assert values(pair, "sigma_H") == pytest.approx(stress, rel=2e-3)
        bent = values(pair, "sigma_F0") * product(root, (*common, "K_Fbeta", "K_Falpha"))
        assert values(pair, "sigma_F") == pytest.approx(bent, rel=2e-3)
        # contact stress at the pitch point from the printed geometry: F_t [N], d [mm], b [mm]
        force, d, b = 1e3 * values(pair, "F_t")[0], values(pair, "d")[0], values(pair, "b").min()
        u = values(pair, "z")[1] / values(pair, "z")[0] * (-1.0 if pair.heads[1] == "Ring" else 1.0)
        z = math.prod(values(pair, name)[0] for name in ("Z_H", "Z_E", "Z_eps", "Z_beta"))
        assert values(pair, "sigma_H0")[0] == pytest.approx(z * math.sqrt(force / (d * b) * (u + 1.0) / u), rel=1e-9)
        strength = values(pair, "sigma_Hlim")
        for name in ("Z_L", "Z_v", "Z_R", "Z_W", "Z_X", "Z_NT"):
            strength = strength * values(pair, name)
        assert values(pair, "sigma_HG") == pytest.approx(strength, rel=1e-9)
        assert values(pair, "S_H") == pytest.approx(strength / values(pair, "sigma_H"), rel=1e-9)
        foot = values(pair, "sigma_FE")
        for name in ("Y_M", "Y_deltarelT", "Y_RrelT", "Y_X", "Y_NT"):
            foot = foot * values(pair, name)
        assert values(pair, "sigma_FG") == pytest.approx(foot, rel=1e-9)


def test_a_mirrored_train_has_the_same_sheet(runs, sheet):
    """Turned and loaded the other way; level bins begin elsewhere, so that a force may be read half a bin off (1e-4)."""
    one, two = sheet, rating_sheet(runs / "b.nc", runs / "ratings.yaml")
    assert [p.name for p in one.pairs] == [p.name for p in two.pairs]
    for p, q in zip(one.pairs, two.pairs, strict=True):
        for r, s in zip(p.rows(), q.rows(), strict=True):
            assert (r.name, r.symbol, r.least) == (s.name, s.symbol, s.least)
            for f, g in zip(r.figures, s.figures, strict=True):
                assert (f.origin, f.value is None) == (g.origin, g.value is None), r.name
                if f.value is not None and math.isfinite(f.value):
                    assert g.value == pytest.approx(f.value, rel=2e-3, abs=1e-9), (p.name, r.name)
    assert [f.part for f in one.failures] == [f.part for f in two.failures]


def test_factors_have_their_least_values_and_both_methods(sheet):
    """C4: law linear, so K_v is method B and 1.05 at least, K_gamma the table's for four planets, K_Hbeta method C and 1.15 at least."""
    for pair in sheet.pairs:
        assert values(pair, "K_v").min() >= 1.05 and values(pair, "K_Hbeta").min() >= 1.15
        assert (
            values(pair, "K_v,B")[0] > 1.0
            and values(pair, "K_Hbeta,C")[0] > 1.0
            and values(pair, "C_beta,cure")[0] > 0.0
        )
        assert pair.row("K_v,sim").blank and pair.row("K_Hbeta,B").blank
    planetary = [p for p in sheet.pairs if "planet" in p.name]
    assert all(values(p, "K_gamma")[0] == 1.25 and not p.row("K_gamma").figures[0].checked for p in planetary)


def test_what_is_missing_is_named_and_never_one(sheet, runs):
    """Without oil there is no scuffing, film or loss; with it all are there. Protuberance and core are blanks."""
    bare = rating_sheet(runs / "a.nc")
    for name in ("S_B", "h_min", "lambda_GF", "P_VZ"):
        assert all(p.row(name).blank for p in bare.pairs) and all(values(p, name)[0] > 0.0 for p in sheet.pairs), name
    # the integral method has no X_eps for tip contact ratios above 1: then the blank says so
    assert all("X_eps" in row.blank or row.figures[0].value > 0.0 for row in (p.row("S_int") for p in sheet.pairs))
    words = " / ".join(bare.blanks)
    assert "life.oil" in words and "protuberance" in words and "static_rating" in words and "DIN 743" in words
    assert values(sheet.pairs[0], "S_lambda")[0] == pytest.approx(values(sheet.pairs[0], "lambda_GF")[0] / 0.2)
    rims = sheet.pairs[0].row("Y_B").figures
    assert rims[0].origin == "derived" and bare.pairs[0].row("Y_B").figures[0].origin == "assumed"


def test_failures_come_first_and_tables_hold_the_life(sheet):
    margins = [f.margin for f in sheet.findings]
    assert margins == sorted(margins) and sheet.failures == [f for f in sheet.findings if f.margin < 1.0]
    if sheet.failures:
        assert sheet.failures[0].part in sheet.verdict
    hours = sheet.rating.hours
    for table in sheet.loads:
        if table.title.startswith("Load duration"):
            at = table.heads.index("Hours")
            assert sum(row[at] for row in table.rows) == pytest.approx(hours, rel=1e-6), table.title
    shafts = next(t for t in sheet.parts if t.title.startswith("Shafts"))
    main = next(r for r in shafts.rows if r[0] == "main")
    torque = abs(main[shafts.heads.index("T_max in kN m")])
    assert main[shafts.heads.index("τ_max in MPa")] == pytest.approx(16e6 * torque / (math.pi * 120.0**3), rel=1e-9)
    assert next(r for r in shafts.rows if r[0] == "high_speed")[shafts.heads.index("S_D")] is None


def test_bending_of_a_shaft_adds_its_square_to_the_circle_of_din_743(runs, sheet):
    """1/S_D^2 is the sum of squares of the loads over what they may be: so bending counts by its square; S_F falls too."""
    found = []
    for moment in (1.0, 2.0, 3.0):
        text = OIL.replace("depth: 10 mm}}", f"depth: 10 mm}}, bending: {moment} kN m}}")
        (runs / "bent.yaml").write_text(text)
        table = next(t for t in rating_sheet(runs / "a.nc", runs / "bent.yaml").parts if t.title.startswith("Shafts"))
        row = dict(zip(table.heads, next(r for r in table.rows if r[0] == "main"), strict=True))
        assert row["M_b in kN m"] == moment
        found.append((row["S_D"] ** -2, row["S_F"]))
    (one, free), (two, some), (three, most) = found
    assert (
        (three - two) / (two - one) == pytest.approx((9 - 4) / (4 - 1), rel=1e-9) and two > one and free > some > most
    )
    # the bar at 1 kN m, 32 M/(pi d^3), over 0.5 x 1100 MPa, some tenth less by size, over 2 to 4 for notch and size
    assert 110 < 32e6 / (math.pi * 120**3) / math.sqrt((two - one) / 3) < 275


def test_losses_say_what_was_not_counted(sheet):
    table = next(t for t in sheet.parts if t.title.startswith("Losses"))
    assert "Not counted" in table.note and "bearings, seals, churning" in table.note and "Oil temperature" in table.note
    lost = sum(row[-1] for row in table.rows if row[-1] is not None)
    power = 20e3 * 47 * math.pi / 30 / 1e3
    assert 0.003 < lost / power < 0.05


def test_losses_are_those_of_the_rated_load_whatever_the_record(runs):
    """A flagship run at 60 % of its torque: the parallel stage loses what 5 MW lose, and the friction is that of the full load."""
    part = [
        "model.law=linear",
        "model.fidelity=torsional",
        "cases.part-load.duration=0.1 s",
        "cases.part-load.discard=0 s",
    ]
    part += ["cases.part-load.loads.0.torque=2367.594 kN m", "cases.part-load.loads.1.torque=24.571789 kN m"]
    part += ["cases.part-load.set={operating.torque: 3945.9903 kN m}"]
    simulate(load("nrel-5mw-nejad", part), "part-load", output=runs / "part.nc")
    found = rating_sheet(runs / "part.nc").balance
    mesh = next(x for x in found.losses if x.name.startswith("stage3"))
    assert found.power == pytest.approx(5e6, rel=1e-3) and mesh.transmitted == pytest.approx(5e6, rel=5e-3)


def test_losses_of_bearings_seals_and_churning_where_they_are_given(runs):
    """Palmgren in N mm and 1/min, seals with d in mm: recomputed by hand; nothing is left out, so the efficiency is that of all."""
    text = OIL.replace(
        "type: cylindrical", "type: cylindrical, mean_diameter: 85 mm, no_load_friction: 2, load_friction: 0.0003"
    )
    text = text.replace("  gears:", "  churning: 150 W\n  seals: [{on: main, diameter: 120 mm, count: 2}]\n  gears:")
    text = text.replace('on: "q.*_bearing"', 'on: "*"')
    (runs / "whole.yaml").write_text(text)
    found = rating_sheet(runs / "a.nc", runs / "whole.yaml")
    known = {x.kind: x.watts for x in found.balance.losses if x.kind != "tooth friction"}
    nu = (
        10**10 ** float(np.interp(np.log10(338.15), np.log10([313.15, 373.15]), np.log10(np.log10([320.8, 25.3]))))
        - 0.8
    )
    want = 0.0
    for part in found.rating.components:
        if hasattr(part, "equivalent_load"):
            rpm = part.mean_speed * 30 / math.pi
            newton_mm = 1e-7 * 2 * max(nu * rpm, 2000.0) ** (2 / 3) * 85**3 + 3e-4 * part.equivalent_load * 85
            want += part.count * 1e-3 * newton_mm * rpm * math.pi / 30
    assert known["bearings"] == pytest.approx(want, rel=1e-3) and want > 1.0
    assert known["seals"] == pytest.approx(2 * 7.69e-6 * 120**2 * 47) and known["churning"] == 150.0
    assert found.balance.missing == [] and len(found.balance.counted) == 4
    assert found.balance.efficiency == pytest.approx(1 - found.balance.total / (20e3 * 47 * math.pi / 30))


def test_the_first_page_of_a_run_says_what_is_lowest_and_never_a_bare_efficiency(runs, sheet, tmp_path):
    """The numbers of the sheet: verdict, lowest safety, efficiency with what it counts and what it does not."""
    html = unescape(report(runs / "a.nc", tmp_path / "a.html", sheet).read_text(encoding="utf-8"))
    first, failed = sheet.findings[0], sheet.failures
    assert f"{first.part} fails first" in html if failed else f"Lowest: {first.part}, {first.mode}" in html
    assert ("Requirement not met" in html) == bool(failed)
    words = html[html.index("Efficiency, tooth friction only") :][:600]
    assert "not counted: bearings, seals, churning" in words
    assert float(re.search(r">([\d.]+)\u202f%", words).group(1)) == pytest.approx(
        100 * sheet.balance.efficiency, rel=2e-4
    )
    rows = json.loads(unpacked(html, "data"))["tables"]["lowest"]["rows"]
    assert [row[0].lstrip("0123456789 ") for row in rows[: len(failed[:8])]] == [f.part for f in failed[:8]]
    unrated = report(runs / "a.nc", tmp_path / "b.html", "nothing is known").read_text(encoding="utf-8")
    assert "Not rated" in unrated and "nothing is known" in unrated and "no loss is counted" in unrated


def test_the_page_is_one_file_that_folds_and_prints(sheet):
    page = rating_page(sheet)
    assert "<script" not in page and "http" not in page.replace("http://www.w3.org", "")
    assert "@media print" in page and "max-width:760px" in page and "not given" in page
    assert page.count('class="pair"') == 3 and "K</i><sub>Hβ</sub>" in page and "A. Smith" in page
    assert len(page) < 1_000_000
    assert str(symbol("sigma_Hlim")) == "<i>σ</i><sub>Hlim</sub>" and str(symbol("K_Fbeta")) == "<i>K</i><sub>Fβ</sub>"


def test_the_workbook_holds_the_same_numbers(sheet, tmp_path):
    file = rating_report(sheet, tmp_path / "rating.xlsx")
    with zipfile.ZipFile(file) as packed:
        assert packed.testzip() is None
        trees = {name: ElementTree.fromstring(packed.read(name)) for name in packed.namelist()}
    space = {"m": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}
    names = [s.get("name") for s in trees["xl/workbook.xml"].iterfind(".//m:sheet", space)]
    assert names[:2] == ["Title", "Requirements"] and all(len(n) <= 31 for n in names) and len(set(names)) == len(names)
    numbers = [float(v.text) for v in trees["xl/worksheets/sheet3.xml"].iterfind(".//m:v", space)]
    assert all(any(abs(v - n) < 1e-12 * abs(v) for n in numbers) for v in values(sheet.pairs[0], "S_H"))


def test_the_command_writes_both_and_refuses_what_cannot_be(runs, tmp_path):
    run = CliRunner()
    for name in ("s.html", "s.xlsx"):
        made = run.invoke(app, ["life", str(runs / "a.nc"), "--sheet", "-o", str(tmp_path / name)])
        assert made.exit_code == 0 and (tmp_path / name).stat().st_size > 10_000, made.output
    for wrong in (["-o", str(tmp_path / "l.xlsx")], ["--sheet", "--by", "wind.class"]):
        made = run.invoke(app, ["life", str(runs / "a.nc"), *wrong])
        assert made.exit_code == 2 and "sheet" in made.output


#: what no file of the flagship can say: the oil's own film ratio, a law with mesh dynamics, slices of the face; X_eps of a ring whose path has no part before the pitch point
OPEN = {"S_lambda", "K_v,sim", "K_Hbeta,B", "S_int"}
#: everything turned round: speed, torques, hand, the side of the last stage and the sense of pin errors (weight would not turn, it is left out of both)
TURNED = [
    "operating.speed=-12.1 rpm", "operating.torque=-3945.9903 kN m", "cases.rated.loads.0.torque=-3945.9903 kN m",
    "cases.rated.loads.1.torque=-40.952981 kN m", "machines.generator.parameters.torque=-40.952981 kN m",
    "stages.stage3.hand=left", "stages.stage3.azimuth=180 deg",
    "stages.stage1.pin_errors=[[0 um, -40 um], [0 um, 0 um], [0 um, 0 um]]", "stages.stage2.pin_errors=[[0 um, -25 um], [0 um, 0 um], [0 um, 0 um]]",
]  # fmt: skip


@pytest.fixture(scope="module")
def flagships(tmp_path_factory):
    """The flagship's sheet from a short run, and that of the same gearbox with hands and loads turned round."""
    place, found = tmp_path_factory.mktemp("flagship"), []
    short = [
        "model.law=linear",
        "model.fidelity=torsional",
        "model.gravity=false",
        "model.tolerance=1e-7",
        "cases.rated.duration=0.1 s",
        "cases.rated.discard=0 s",
    ]
    for name, edits in (("a", []), ("b", TURNED)):
        (place / name).mkdir()
        simulate(load("nrel-5mw-nejad", [*short, *edits]), "rated", output=place / name / "run.nc")
        found.append(rating_sheet(place / name / "run.nc"))
    return found


def test_the_flagship_has_no_blank_factor_that_data_could_fill(flagships):
    """Its section life gives steel, tool, oil, seals, dips and notches: every symbol of every pair has a number but for the named few."""
    found = flagships[0]
    assert len(found.pairs) == 5
    assert {row.symbol for pair in found.pairs for row in pair.rows() if row.blank} == OPEN
    assert [p.name for p in found.pairs if p.row("S_int").blank] == ["stage2, planet and ring, 3 meshes"]
    # the five nominal contact stresses of two independent computations (targets R.nejad): 760, 573 and 571 MPa, at rated torque
    stresses = [values(pair, "sigma_H0")[0] for pair in found.pairs if "ring" not in pair.name]
    assert stresses == pytest.approx([759.9, 573.4, 570.8], rel=0.01)
    assert all(values(pair, "K_gamma")[0] <= 1.10 + 1e-9 for pair in found.pairs)
    shafts = next(t for t in found.parts if t.title.startswith("Shafts"))
    assert all(row[shafts.heads.index("S_F")] > 1.2 for row in shafts.rows)
    bearings = next(t for t in found.parts if t.title.startswith("Bearings"))
    for head in ("C₀/P₀", "a₁ a_ISO"):
        assert all(row[bearings.heads.index(head)] is not None for row in bearings.rows), head
    assert found.balance.missing == ["churning"] and "of planets and carriers" in found.balance.losses[-1].name
    # the cooler takes what keeps the oil at the temperature that film and scuffing are computed at
    assert found.balance.oil == pytest.approx(65.0, abs=5.0)


def test_the_flagship_run_mirrored_has_the_same_sheet(flagships):
    """Turned and loaded the other way with the other hands: all is equal but for the place of level bins (the range of a steady run is 1e-5 of its load)."""
    one, two = flagships
    assert [p.name for p in one.pairs] == [p.name for p in two.pairs] and one.verdict == two.verdict
    compared = 0
    for p, q in zip(one.pairs, two.pairs, strict=True):
        for r, s in zip(p.rows(), q.rows(), strict=True):
            assert (r.name, r.symbol, r.least) == (s.name, s.symbol, s.least)
            assert r.words == s.words or r.name == "Hand of the helix"
            for f, g in zip(r.figures, s.figures, strict=True):
                assert (f.origin, f.value is None) == (g.origin, g.value is None), r.name
                if f.value is not None and math.isfinite(f.value):
                    compared += 1
                    assert g.value == pytest.approx(f.value, rel=2e-5, abs=1e-9), (p.name, r.name)
    assert compared > 500
    for t, u in zip(one.parts, two.parts, strict=True):
        for r, s in zip(t.rows, u.rows, strict=True):
            mine, other = ([abs(x) for x in row if isinstance(x, float)] for row in (r, s))
            assert other == pytest.approx(mine, rel=1e-4, abs=1e-6), (t.title, r[0])


def test_a_protuberance_thins_the_root_and_its_grinding_stock_gives_back(runs):
    """s_pr = pr - q of the tool (DIN 3990-3): the root section is thinner by about 2 s_pr/cos 30 deg, so the stress rises; pr = q is no undercut."""
    stress = {}
    for words in (
        "protuberance: 0 mm",
        "protuberance: 0.5 mm, grinding_stock: 0.2 mm",
        "protuberance: 0.3 mm, grinding_stock: 0.3 mm",
    ):
        (runs / "tool.yaml").write_text(OIL.replace("rim: 30 mm", f"rim: 30 mm, {words}"))
        pair = next(p for p in rating_sheet(runs / "a.nc", runs / "tool.yaml").pairs if "wheel" in p.name)
        stress[words], factors = values(pair, "sigma_F0"), (values(pair, "pr"), values(pair, "q"))
    plain, cut, ground = stress.values()
    assert (cut > 1.02 * plain).all() and (cut < 1.3 * plain).all() and ground == pytest.approx(plain, rel=1e-12)
    assert factors[0] == pytest.approx([0.3, 0.3]) and factors[1] == pytest.approx([0.3, 0.3])
    for words, why in (
        ("grinding_stock: 0.2 mm", "needs the protuberance"),
        ("protuberance: 0.1 mm, grinding_stock: 0.2 mm", "leaves a notch"),
    ):
        (runs / "tool.yaml").write_text(OIL.replace("rim: 30 mm", f"rim: 30 mm, {words}"))
        with pytest.raises(ValueError, match=why):
            rating_sheet(runs / "a.nc", runs / "tool.yaml")


def test_what_is_proven_names_its_proof(runs):
    """A validated simulation may replace the table of K_gamma; one that is not named, and factors below the least that nothing proves, are said."""
    for words, method, said in (
        ("proven: [K_gamma], proof: strain gages of the prototype", "proven by strain gages of the prototype", ""),
        ("proven: [K_gamma]", "by what the file does not say", "names no 'proof'"),
        ("K_gamma: 1.1", "which nothing proves", "K_gamma 1.1 as given, below the 1.25"),
    ):
        (runs / "proof.yaml").write_text(OIL.replace("rim: 30 mm", f"rim: 30 mm, {words}"))
        found = rating_sheet(runs / "a.nc", runs / "proof.yaml")
        figure = next(p for p in found.pairs if "ring" in p.name).row("K_gamma").figures[0]
        assert method in figure.method and figure.value < 1.25
        assert any(said in words for words in found.assumed) if said else not any("K_gamma" in w for w in found.assumed)


def test_wheels_that_dip_churn_by_the_formula_in_its_own_units(runs):
    """ISO/TR 14179-2 with mm and 10 m/s: wheel 40 mm deep, pinion 5 mm; the torque turns with the pinion. Planets have no formula, so they stay named."""
    text = OIL.replace(
        "  gears:",
        "  immersed: [{on: q.mesh, depths: [40 mm, 5 mm], hydraulic_length: 600 mm, height: 180 mm}]\n  gears:",
    )
    (runs / "immersed.yaml").write_text(text)
    found = rating_sheet(runs / "a.nc", runs / "immersed.yaml")
    pair = next(p for p in found.pairs if "wheel" in p.name)
    b, v, n = values(pair, "b").min(), values(pair, "v")[0], values(pair, "n").max()
    torque = (
        (4 * 40 / (3 * 180)) ** 1.5
        * 2
        * 180
        / 600
        * (0.063 * 45 / 10 + 0.0128 * (b / 10) ** 3)
        * math.exp((45 / 800 + 0.2) * v / 10)
    )
    churned = [x for x in found.balance.losses if x.kind == "churning"]
    assert churned[0].watts == pytest.approx(torque * n * math.pi / 30, rel=1e-6) and churned[1].watts is None
    assert "churning" in found.balance.counted and "churning" in found.balance.missing
    more = text.replace("  immersed:", "  churning: 150 W\n  immersed:")
    (runs / "immersed.yaml").write_text(more)
    others = [x for x in rating_sheet(runs / "a.nc", runs / "immersed.yaml").balance.losses if x.kind == "churning"]
    assert [x.watts for x in others] == [churned[0].watts, 150.0]
    for wrong, why in (("q.mash", "no rated mesh"), ("p.sun_planet1", "turns on a carrier")):
        (runs / "immersed.yaml").write_text(text.replace("on: q.mesh", f"on: {wrong}"))
        with pytest.raises(ValueError, match=why):
            rating_sheet(runs / "a.nc", runs / "immersed.yaml")
