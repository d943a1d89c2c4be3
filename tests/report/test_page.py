"""The page as text: sections, what is missing, escapes, one file."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
import report_samples as samples
from report_samples import grc

from gearwright.figures.book import Book
from gearwright.figures.reading import Run
from gearwright.figures.record import train_record
from gearwright.figures.series import Store
from gearwright.pages.document import show
from gearwright.pages.page import page, report
from gearwright.pages.section_model import assumed
from gearwright.pages.sections import SECTIONS
from gearwright.results import ResultError

ROOT = Path(samples.__file__).parents[2] / "src" / "gearwright"
EVIL = '<script>window.hacked=1</script>"><img src=x onerror="window.hacked=1">{{}}'


class Outline(HTMLParser):
    """Tags, ids and text outside scripts and styles."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict]] = []
        self.words: list[str] = []
        self._skip = 0

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._skip += tag in ("script", "style")

    def handle_endtag(self, tag):
        self._skip -= tag in ("script", "style")

    def handle_data(self, data):
        if not self._skip:
            self.words.append(data)


def outline(html: str) -> Outline:
    parser = Outline()
    parser.feed(html)
    return parser


@pytest.fixture(scope="module")
def html(sample, tmp_path_factory) -> str:
    target = tmp_path_factory.mktemp("page") / "deep" / "report.html"
    assert report(sample, target) == target
    return target.read_text(encoding="utf-8")


def test_every_section_and_four_linked_figures(html):
    """All sections that every run has, with unique ids; four cards that lead to them."""
    tags = outline(html).tags
    ids = [attrs["id"] for _, attrs in tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    assert {key for key, _, _ in SECTIONS} - {"powerflow", "contact", "flanks", "phases", "vehicle"} <= set(ids)
    cards = [attrs["href"][1:] for _, attrs in tags if attrs.get("class") == "card"]
    assert len(cards) == 4 and set(cards) <= set(ids)


def test_first_screen_says_what_governs(html):
    """Mesh, value and time of the largest tooth load; bearing, shaft, sharing, energy error."""
    words = " ".join("".join(outline(html).words).split())
    assert "grc-750kw" in words and "Case grc-dynamometer" in words and "2026-11-28" in words
    assert "stage1.sun_planet2" in words and "Kγ" in words and "DEL of the low-speed shaft" in words
    assert "LSS, torque, m = 4" in words and "Energy closes to" in words and "Not rated" in words


def test_one_file_without_a_network(html):
    """plotly once; nothing is loaded from anywhere; the policy names the scripts' hashes."""
    packed = re.findall(r'<script type="application/gzip" data-kind="text/javascript">([^<]+)</script>', html)
    scripts = [gzip.decompress(base64.b64decode(text)).decode() for text in packed]
    assert sum("plotly.js v" in script for script in scripts) == 1 and "plotly.js v" not in html
    for script in scripts:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in html
    assert not re.search(r'<(script|img|iframe)[^>]+src=|<link[^>]+href="(?!data:)', html.split("<script", 1)[0])
    assert "default-src 'none'" in html and "sha256-" in html
    assert len(html) < 4e6


def test_the_script_draws_every_kind_of_trace_that_pages_ask_for():
    """The bundle registers scatter (its core) and what its entry lists; a kind that is missing would draw nothing."""
    kinds = "scatter bar heatmap surface barpolar scatterpolar scattergl histogram histogram2d box violin contour pie mesh3d scatter3d " \
            "scatterpolargl table sankey waterfall funnel image candlestick ohlc volume cone splom parcoords treemap sunburst"  # fmt: skip
    pages = ROOT / "pages"
    sources = [p.read_text(encoding="utf-8") for room in ("figures", "pages") for p in (ROOT / room).rglob("*.py")]
    sources += [(pages / "assets" / name).read_text(encoding="utf-8") for name in ("report.js", "series.js")]
    asked = {kind for text in sources for kind in re.findall(r"[\"']?type[\"']?: [\"'](\w+)[\"']", text)} & set(
        kinds.split()
    )
    entry = (pages / "assets" / "plotly-entry.js").read_text(encoding="utf-8")
    assert asked == {"scatter", *re.findall(r"plotly\.js/lib/(?!core)(\w+)", entry)}
    assert "MIT" in (pages / "assets" / "plotly-LICENSE.txt").read_text(encoding="utf-8")


def test_figures_have_alternatives_and_tables_heads(html):
    """Alt text on every figure, captions and units in tables, a marked governing row."""
    tags = outline(html).tags
    charts = [attrs for _, attrs in tags if attrs.get("class") == "chart"]
    assert len(charts) > 15 and all(attrs["role"] == "img" and len(attrs["aria-label"]) > 20 for attrs in charts)
    assert html.count("<caption>") == html.count("<table>")
    assert "[kN]" in html and "[kN m]" in html and 'class="governing"' in html


def test_names_from_files_are_only_text(tmp_path):
    """Script in the names of drivetrain, case, machine, in the file's text and notes: shown, never run."""
    train = grc()
    machine = replace(train.machines["generator"], type=EVIL)
    train = replace(train, name=EVIL, machines={"generator": machine})
    path = samples.write_result(
        tmp_path / "evil.nc", train, duration=10.0, case=EVIL, method_reason=EVIL, incomplete=EVIL, notes=[EVIL]
    )
    html = report(path, tmp_path / "evil.html").read_text(encoding="utf-8")
    tags = outline(html).tags
    assert not [tag for tag, _ in tags if tag == "img"]
    assert not [attrs for _, attrs in tags if any(name.startswith("on") for name in attrs)]
    assert (
        sum(tag == "script" for tag, _ in tags) == 7
    )  # plotly, two of the page, the viewer, two of data, what unpacks them
    assert EVIL in "".join(outline(html).words)


def test_what_the_model_does_is_no_warning_too(tmp_path):
    """Older results list the notes of the model among the warnings of their description; each is said once, under its own head."""
    train, note = grc(), "the shaft only twists"
    described = json.dumps({"train": train_record(train), "warnings": [note, "a pair without a hunting tooth"]})
    attrs = {"describe_json": described, "notes": json.dumps([note])}
    run = Run(samples.bare_result(tmp_path / "noted.nc", **attrs))
    html = show(assumed(Book(run, Store(run.times, 1))))
    assert html.count(note) == 1 and html.index("Notes") < html.index(note) < html.index("Warnings")
    assert html.index("Warnings") < html.index("hunting tooth")


def test_an_empty_result_says_what_is_missing(tmp_path):
    """No section is silent, none fails."""
    run = Run(samples.bare_result(tmp_path / "empty.nc"))
    parser = outline(page(run).html())
    words = "".join(parser.words)
    for sentence in (
        "No scheme",
        "no modes",
        "no Campbell diagram",
        "no time series",
        "no statistics",
        "no energy book",
        "no cycle counts",
        "No stage with several planets",
        "does not hold the text of its drivetrain file",
    ):
        assert sentence in words


def test_broken_attributes_are_named(tmp_path):
    """JSON that is none, a train that is none, modes of the wrong shape, text that is no YAML."""
    attrs = {
        "describe_json": '{"train": {"bodies": 3}}',
        "modes_json": '{"frequencies_hz": [1, 2], "damping_ratios": [1]}',
        "campbell_json": "{",
        "drivetrain_text": "a: [1",
        "case_json": "[]",
    }
    html = page(Run(samples.bare_result(tmp_path / "broken.nc", **attrs))).html()
    words = "".join(outline(html).words)
    assert "cannot be read" in words and "campbell_json is not JSON" in words and "What could not be read" in words


def test_no_page_from_no_result(tmp_path):
    """A file that is cut off, or none at all, is one clear error and leaves nothing behind."""
    cut = tmp_path / "cut.nc"
    cut.write_bytes(b"\x89HDF\r\n\x1a\n123")
    for path in (cut, tmp_path / "none.nc"):
        with pytest.raises(ResultError, match=path.name):
            report(path, tmp_path / "out.html")
    assert not list(tmp_path.glob("*.html"))
