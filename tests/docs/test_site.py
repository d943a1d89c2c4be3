"""Generated pages name what the program has; scripts of the gallery draw, and what they draw is right."""

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]


def _hooks():
    spec = importlib.util.spec_from_file_location("site_hooks", ROOT / "docs" / "hooks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


HOOKS = _hooks()


def test_command_reference_has_every_command_with_its_options():
    text = HOOKS.commands()
    for name in ("run", "modes", "campaign", "verify", "examples copy", "turbine import"):
        assert f"## `gearwright {name}`" in text
    assert "| `--set` `PATH=VALUE` | Change a value of the file for this command; may be repeated. |" in text


def _tables(text):
    """Rows of the tables of keys of a page, by heading."""
    heading = ""
    for line in text.splitlines():
        if line.startswith("## "):
            heading = line[3:]
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 6 and cells[0].startswith("`"):
            yield heading, cells


@pytest.fixture(scope="module")
def pages():
    """The pages of keys, by their path."""
    return HOOKS.key_reference.pages()


@pytest.fixture(scope="module")
def rows(pages):
    """Heading and cells of every row of the pages of keys."""
    return [(heading, cells) for text in pages.values() for heading, cells in _tables(text)]


def test_every_section_and_key_of_the_schema_stands_once_in_the_reference(rows):
    from gearwright.schema.file import json_schema

    schema = json_schema()
    # sections for several dimensions (a step of a torque, of a force) are shown once
    parts = {name.split("_of_")[0]: part for name, part in schema["$defs"].items()} | {"Drivetrain": schema}
    mappings = {n: next((f for f in p.get("anyOf", [p]) if f.get("properties")), None) for n, p in parts.items()}
    wanted = sorted(key for part in mappings.values() if part for key in part["properties"])
    assert sorted(cells[0].strip("`") for _, cells in rows) == wanted
    assert len({heading for heading, _ in rows}) == sum(part is not None for part in mappings.values())


def test_every_key_has_a_sentence_a_unit_or_kind_a_default_and_an_example(rows):
    for heading, (key, sentence, kind, _, default, example) in rows:
        assert all((len(sentence) > 3, kind, default, example)), f"{heading}: {key}"
        assert "a number in" not in sentence and "; default" not in sentence, f"{heading}: {key}: {sentence}"
    module = next(cells for heading, cells in rows if heading == "Planetary stage" and cells[0] == "`module`")
    assert module[2:5] == ["m", "positive", "none"] and module[5].endswith("mm`")
    angle = next(cells for heading, cells in rows if heading == "Planetary stage" and cells[0] == "`helix_angle`")
    assert angle[2] == "rad" and angle[3].startswith("-60 to 60 deg")


def test_examples_of_keys_are_valid_by_the_schema():
    """The schema is held against the reader in tests/unit/test_json_schema.py."""
    import jsonschema

    reference = HOOKS.key_reference
    parts = reference.schema()["$defs"]
    for (section, key), value in reference.examples().items():
        node = {**reference.sections()[section]["properties"][key], "$defs": parts}
        assert jsonschema.Draft202012Validator(node).is_valid(value), f"{section}.{key}: {value}"


def test_pages_of_keys_are_no_longer_than_a_section_can_be(pages):
    """One page had all 844 keys on 48 500 pixels; now a page has at most 120 of them."""
    assert len(pages) == 12
    assert all(len(list(_tables(text))) <= 120 for text in pages.values())


def test_every_example_and_public_name_is_listed():
    import gearwright as gw

    text = HOOKS.examples()
    assert all(f"## {name}\n" in text for name in gw.examples())
    pages = HOOKS.python_reference.pages()
    text = "\n".join(pages.values())
    assert all(f"## gw.{name}\n" in text for name in gw.__all__ if not name.startswith("_"))
    # with the objects that functions give, their fields and methods
    for words in (
        "## gw.Run\n",
        "| `result_file` |",
        "## gw.PowerFlow\n",
        "| `efficiency` |",
        "Result.open(",
        "gives |",
    ):
        assert words in text
    for file, anchor in re.findall(r"\(([\w-]+\.md)#([\w-]+)\)", pages["reference/python/index.md"]):
        lines = pages[f"reference/python/{file}"].splitlines()
        assert anchor in {
            HOOKS.key_reference.key_sections.anchor(line.lstrip("# ")) for line in lines if line.startswith("## ")
        }


def test_every_channel_of_the_table_is_in_the_reference():
    from gearwright.system.channels import CHANNELS

    text = HOOKS.channels()
    assert all(f"| `{name}` |" in text for quantities in CHANNELS.values() for name in quantities)
    assert "| `force` | mesh force, transverse line of action | N | counted |" in text


def test_every_law_of_meshes_is_in_the_reference():
    from gearwright.schema.mesh_laws import LAWS

    text = HOOKS.laws()
    assert all(f"| `{word}` | {law.help} |" in text for word, law in LAWS.items()) and "`module:name`" in text


def test_the_map_of_contributing_names_files_that_there_are():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| a")]
    assert len(rows) >= 12
    for row in rows:
        folder = ""
        for name in re.findall(r"`([\w./-]+\.(?:py|md|yml|yaml)|(?:src|tests|docs)[\w./-]*/)`", row):
            if name.endswith("FAMILY.yaml"):
                name = name.replace("FAMILY.yaml", "")
            # a bare name stands in the folder of the one before
            path = ROOT / (name if "/" in name or (ROOT / name).exists() else f"{folder}/{name}")
            assert path.exists(), f"{row.split('|')[1]}: {name}"
            folder = str(path.parent.relative_to(ROOT)) if path.is_file() else name


PROSE = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


def test_files_that_pages_name_are_there():
    """All but those of former versions, which the last section of the design page lists."""
    checked = 0
    for page in PROSE:
        text = page.read_text(encoding="utf-8").partition("<!-- walks -->")[0]
        for name in re.findall(r"`((?:[\w-]+/)+[\w.-]+\.(?:py|yaml|json|md|csv))`", text):
            places = [ROOT / name, ROOT / "src" / "gearwright" / name, ROOT / "docs" / name]
            assert any(place.exists() for place in places) or "FAMILY" in name, f"{page.name}: {name}"
            checked += 1
    assert checked > 50


# --- what the scripts of the gallery draw ------------------------------------------------------------


def _mesh_frequency(data):
    # 22.1 rpm of the carrier and a ring of 99 teeth (Guo and Keller 2011): 99 * 22.1 / 60 Hz
    order = next(line.order for line in data.lines if line.order > 90)
    assert order == pytest.approx(99.0)


def _shaft_torque(run):
    # the rated 5 MW at 12.1 rpm are 4.18 MN m at full efficiency; the record runs at rated power
    assert run.channels["main.torque"]["mean"] == pytest.approx(4.18e6, rel=0.06)


def _stiffness(found):
    fine, fast = found["fe"].mean, found["analytic"].mean
    assert fast == pytest.approx(fine, rel=0.15)
    assert found["fe"].contact_ratio == pytest.approx(1.4713, abs=2e-3)  # S0, P3


def _contact_pressure(data):
    plain, relieved = (v[:, 1] for v in data.values())
    # relief: no peak beyond that of one pair alone under the whole load at the end of its zone (S2 digest, 7: the
    # pressure falls from 1214 to 688 MPa along the path); without: a peak at entry
    assert relieved.max() < 800.0 < 900.0 < plain.max()


def _transmission_error(data):
    mesh = data.meshes["stage1.sun_planet1"]
    # nearly a spring: the mean grows with torque, a little less than in proportion because contact stiffens
    assert 1.8 < mesh.mean[1] / mesh.mean[0] < 2.0


def _sticking(run):
    # the largest torque of the drive over the base radius, half of it lost on the way: 10 N m / 0.3 m = 33.3 N
    assert run.channels["mesh.force"]["max"] < 1.5 * 10 / 0.3


def _gears(flows):
    # published ratios of the ZF 4HP22
    assert [round(flow.ratio, 3) for flow in flows[:4]] == [2.479, 1.479, 1.0, 0.728]


def _small_planetary(found):
    # P3 T1c and T10a: angles after 5 s as printed, tolerances of the digest
    assert found["final"]["flexible"] == pytest.approx([-100.25, -58.40, -40.96, -31.54], abs=0.02)
    assert found["final"]["rigid"] == pytest.approx([-100.92, -58.73, -41.17, -31.69], abs=0.015)
    assert found["damped"] == pytest.approx([-41.127, -41.143, -41.157, -41.164], abs=0.005)


def _levels(means):
    # P3: 272 kN on the single rigid sun mesh, a third of it on each of three
    assert means.pop("rigid, one planet") == pytest.approx(272.0, rel=1e-3)
    assert list(means.values()) == pytest.approx([272.0 / 3.0] * 4, rel=5e-3)


def _own_law(found):
    # closed forms of both laws, single precision of stored series; the teeth part, and the book of energy closes
    for (deflection, force, error), growth in zip(found.values(), (0.0, 1e12), strict=True):
        x = np.maximum(deflection.astype(float), 0.0)
        expected = 39.4784176e6 * x * (1.0 + growth * x**2)
        assert np.abs(force - expected).max() < 1e-6 * force.max()
        assert error < 1e-5 and deflection.min() < -1e-7


def _forms(found):
    """Rated torque 3946 kN m at 829.48 kN a mesh. Linear forms and tooth contact against the table, with the margins that the
    tutorial names; twice a load, to 5 % of other vibration, is the peak after a spring under it gets twice as stiff at once."""
    mean, (deviation, largest) = 829.48, found.pop("table")
    assert found.pop("square wave")[1] == pytest.approx(2.0 * mean, rel=0.05)
    assert found["tooth contact"] == (pytest.approx(deviation, rel=0.08), pytest.approx(largest, rel=0.02))
    assert all(mean < peak < 1.2 * mean for _, peak in found.values())


MEANING = {
    "mesh_forms": _forms,
    "own_law": _own_law,
    "small_planetary": _small_planetary, "nordtank_levels": _levels,
    "campbell": _mesh_frequency, "recorded_load": _shaft_torque, "tooth_stiffness": _stiffness,
    "contact_pressure": _contact_pressure, "transmission_error": _transmission_error, "sticking_gear": _sticking, "gear_efficiency": _gears,
}  # fmt: skip


@pytest.mark.parametrize("script", HOOKS.scripts(), ids=lambda p: p.stem)
def test_gallery(script, tmp_path, monkeypatch):
    import matplotlib

    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    space = {"__name__": script.stem, "__file__": str(script)}
    exec(compile(script.read_text(encoding="utf-8"), str(script), "exec"), space)
    path = tmp_path / "picture.png"
    found = space["draw"](path)
    assert path.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert path.stat().st_size > 10_000
    MEANING[script.stem](found)


def test_gallery_page_shows_every_script():
    text = HOOKS.gallery()
    assert all(f"(gallery/{script.stem}.png)" in text for script in HOOKS.scripts())
