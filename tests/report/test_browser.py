"""The page in a real browser: it draws, zooms, downloads, fits, prints, and runs nothing of the files'."""

from __future__ import annotations

import csv
import io
import shutil
from dataclasses import replace

import numpy as np
import pytest
import report_samples as samples
from report_samples import grc
from test_page import EVIL

from gearwright.pages.page import report
from gearwright.results import Result

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine"),
]
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
TOOTH = "time-mesh-force"


@pytest.fixture(scope="module")
def browser():
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def address(sample, tmp_path_factory) -> str:
    return report(sample, tmp_path_factory.mktemp("browser") / "report.html").as_uri()


@pytest.fixture(scope="module")
def shared(browser, address):
    """One page for the tests that leave it as they found it."""
    page = open_page(browser, address)
    yield page
    page.close()


@pytest.fixture(scope="module")
def narrow(browser, address):
    """The page on a telephone."""
    page = open_page(browser, address, 390)
    yield page
    page.close()


@pytest.fixture
def page(shared):
    """The shared page, whole run, 1280 wide."""
    shared.set_viewport_size({"width": 1280, "height": 900})
    shared.evaluate("Report.zoom('time', null)")
    return shared


def open_page(browser, address, width=1280, **options):
    """The page, drawn to the end, with everything it said and asked for."""
    page = browser.new_page(viewport={"width": width, "height": 900}, **options)
    page.said, page.asked = [], []
    page.on("console", lambda message: page.said.append(message.text))
    page.on("pageerror", lambda error: page.said.append(str(error)))
    page.on("request", lambda request: page.asked.append(request.url))
    page.goto(address)
    page.wait_for_selector("html[data-ready=yes]", timeout=60_000)
    return page


def drawn(page, key: str) -> list[dict]:
    """Traces of a figure as they are on the screen."""
    return page.evaluate(
        """key => Report.charts.get(key).node.data.map(t => ({name: t.name, x: Array.from(t.x || []),
           y: Array.from(t.y || []), visible: t.visible, fill: t.fill, line: t.line, meta: t.meta}))""",
        key,
    )


@pytest.mark.parametrize("widths", [(390, 360, 639), (1280, 768, 1100, 1920)])
def test_draws_everything_quietly_and_fits(shared, narrow, widths):
    """No message, no request, every figure drawn, nothing wider than the window."""
    page = narrow if widths[0] == 390 else shared
    assert page.said == []
    assert [url for url in page.asked if not url.startswith(("file:", "data:", "blob:"))] == []
    charts = page.locator(".chart")
    assert charts.count() > 15
    assert page.locator(".chart[data-drawn=yes] svg.main-svg").count() >= charts.count()
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        visible = page.locator("svg.scheme:visible")
        assert visible.count() == 1
        box = visible.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width
        # the smallest print of the scheme can be read
        size = visible.evaluate("s => 12 * s.getBoundingClientRect().width / s.viewBox.baseVal.width")
        assert size >= 9.0
    assert page.said == []


def test_zoom_shows_every_stored_sample_and_no_peak_is_lost(page, sample):
    """Zoomed out: highest drawn value is the highest stored one. Zoomed in: the samples themselves."""
    with Result.open(sample) as result:
        times = result.dataset["time"].values
        labels = [str(e) for e in result.dataset["mesh"].values]
        stored = result.dataset["mesh_force"].values[labels.index("stage1.sun_planet2")] * 1e-3
        block_high = result.dataset["mesh_force_high"].values[labels.index("stage2.mesh")] * 1e-3
    span = float(stored.max() - stored.min())
    mine = [t for t in drawn(page, TOOTH) if t["name"] == "stage1.sun_planet2" and t["x"]]
    assert len(mine) == 2, "a band has a low and a high edge"
    assert max(mine[1]["y"]) == pytest.approx(float(stored.max()), abs=2e-5 * span)
    assert min(mine[0]["y"]) == pytest.approx(float(stored.min()), abs=2e-5 * span)
    # the spike of one computed step is in the pale band behind
    assert max(max(t["y"]) for t in drawn(page, TOOTH) if t["y"] and t["y"][0] is not None) >= block_high.max() - 1e-3
    page.evaluate("Report.zoom('time', [20.0, 25.0])")
    mine = [t for t in drawn(page, TOOTH) if t["name"] == "stage1.sun_planet2" and t["x"]]
    assert len(mine) == 1, "a line is one trace"
    inside = (times > 20.01) & (times < 24.99)
    x, y = np.array(mine[0]["x"]), np.array(mine[0]["y"])
    keep = (x > 20.01) & (x < 24.99)
    assert x[keep] == pytest.approx(times[inside], abs=1e-6)
    assert y[keep] == pytest.approx(stored[inside], abs=2e-5 * span)


def test_a_long_run_keeps_peaks_and_the_samples_about_the_largest(browser, sample, tmp_path, monkeypatch):
    """A page too small for all samples: bands elsewhere, the stored samples about the focus."""
    import gearwright.pages.page as module

    whole = module.Store
    monkeypatch.setattr(module, "Store", lambda times, channels: whole(times, channels, budget=60_000))
    page = open_page(browser, report(sample, tmp_path / "small.html").as_uri())
    assert page.said == []
    assert "minimum and maximum of every" in page.locator("#series").inner_text()
    with Result.open(sample) as result:
        times = result.dataset["time"].values
        row = [str(e) for e in result.dataset["mesh"].values].index("stage1.sun_planet2")
        stored = result.dataset["mesh_force"].values[row].astype(float) * 1e-3
    tolerance = 2e-5 * float(np.ptp(stored))

    def mine() -> list[dict]:
        return [t for t in drawn(page, TOOTH) if t["name"] == "stage1.sun_planet2" and t["x"]]

    assert max(mine()[1]["y"]) == pytest.approx(stored.max(), abs=tolerance)
    focus = page.evaluate(f"Report.charts.get('{TOOTH}').spec.focus")
    page.evaluate(f"Report.zoom('time', [{focus - 0.2}, {focus + 0.2}])")
    assert len(mine()) == 1
    y = np.interp(times[np.abs(times - focus) < 0.19], mine()[0]["x"], mine()[0]["y"])
    assert y == pytest.approx(stored[np.abs(times - focus) < 0.19], abs=10 * tolerance)
    away = 10.0 if focus > 30.0 else 50.0
    page.evaluate(f"Report.zoom('time', [{away}, {away + 4.0}])")
    assert len(mine()) == 2
    inside = stored[(times >= away) & (times <= away + 4.0)]
    assert max(mine()[1]["y"]) >= inside.max() - tolerance
    assert min(mine()[0]["y"]) <= inside.min() + tolerance
    page.close()


def test_zoom_is_linked_and_has_buttons(page):
    """Dragging one figure moves all of them; the toolbar goes to the largest value and back."""
    ranges = "() => [...Report.charts.values()].filter(c => c.spec.group).map(c => c.node.layout.xaxis.range)"
    figure = page.locator(f'.chart[data-figure="{TOOTH}"]')
    figure.scroll_into_view_if_needed()
    box = figure.locator(".nsewdrag").first.bounding_box()
    page.mouse.move(box["x"] + 0.25 * box["width"], box["y"] + 0.5 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"], steps=5)
    page.mouse.up()
    page.wait_for_timeout(300)
    found = page.evaluate(ranges)
    assert len(found) >= 6
    assert found[0][0] == pytest.approx(15.0, abs=1.0) and found[0][1] == pytest.approx(30.0, abs=1.0)
    assert all(r == pytest.approx(found[0]) for r in found)
    page.get_by_role("button", name="Zoom all figures to the largest tooth load").press("Enter")
    focus = page.evaluate(f"Report.charts.get('{TOOTH}').spec.focus")
    low, high = page.evaluate(ranges)[0]
    assert low <= focus <= high and high - low < 7.0
    page.get_by_role("button", name="Show the whole run").click()
    low, high = page.evaluate(ranges)[-1]
    assert high - low > 59.0


def test_legend_shows_more_elements(page):
    """A channel that waits in the legend is drawn when it is asked for."""
    name = "stage1.ring_planet1"
    assert all(t["visible"] == "legendonly" for t in drawn(page, TOOTH) if t["name"] == name)
    item = page.locator(f'.chart[data-figure="{TOOTH}"] .legend .traces', has_text=name).first
    item.scroll_into_view_if_needed()
    box = item.locator(".legendtoggle").bounding_box()
    page.mouse.click(box["x"] + 10, box["y"] + box["height"] / 2)
    page.wait_for_timeout(600)
    assert any(len(t["x"]) > 100 for t in drawn(page, TOOTH) if t["name"] == name)


def test_tables_download_as_csv_in_si(page, sample):
    """The file holds SI at full precision, with units in the head."""
    with page.expect_download() as waiting:
        page.locator("#table-loads-mesh-force button.csv").click()
    assert waiting.value.suggested_filename == "grc-750kw-loads-mesh-force.csv"
    rows = list(csv.reader(io.StringIO(waiting.value.path().read_text(encoding="utf-8"))))
    assert rows[0][:2] == ["Element", "Minimum [N]"]
    with Result.open(sample) as result:
        table = result.dataset["mesh_force_statistic"].values
    for row, want in zip(rows[1:], table, strict=True):
        assert float(row[1]) == want[0] and float(row[2]) == want[2] and float(row[3]) == want[1]


def test_formulas_in_names_are_defused(page):
    """A cell that a spreadsheet would compute begins with an apostrophe."""
    got = page.evaluate("""Report.csv({head: ["a"], rows: [["=1+1"], ['say "x", y'], [-1.5], [null]]})""")
    assert got == 'a\r\n\'=1+1\r\n"say ""x"", y"\r\n-1.5\r\n\r\n'


def test_scripts_in_names_do_nothing(browser, tmp_path):
    """Names, texts and labels of figures that are script: shown as they are."""
    train = grc()
    machine = replace(train.machines["generator"], type=EVIL)
    train = replace(train, name=EVIL, machines={"generator": machine})
    path = samples.write_result(tmp_path / "evil.nc", train, duration=10.0, case=EVIL, prefix=EVIL)
    page = open_page(browser, report(path, tmp_path / "evil.html").as_uri())
    assert page.said == []
    assert page.evaluate("window.hacked") is None
    assert page.locator("h1").inner_text() == EVIL
    assert page.locator("main img").count() == 0
    page.close()


def test_small_screens_have_a_menu_for_keys(narrow):
    """Opened by Enter, closed by Escape; the rail is there on large screens."""
    page = narrow
    menu, entry = page.locator("button.menu"), page.locator("nav a", has_text="Load tables")
    assert not entry.is_visible()
    menu.press("Enter")
    assert entry.is_visible() and menu.get_attribute("aria-expanded") == "true"
    page.keyboard.press("Escape")
    assert not entry.is_visible()
    page.set_viewport_size({"width": 1280, "height": 900})
    assert entry.is_visible() and not menu.is_visible()


def test_dark_page_light_print(page):
    """Colours follow the reader; paper is light and everything is on it."""
    page.emulate_media(color_scheme="dark")
    ink = "Report.charts.get('spectrum-shaft-torque').node.layout.font.color"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 24, 29)"
    assert page.evaluate(ink) == "#e8ebef"
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(ink) == "#1b2330"
    assert page.evaluate("[...document.querySelectorAll('details')].every(d => d.open)")
    widths = page.evaluate("[...document.querySelectorAll('.chart svg.main-svg')].map(s => s.clientWidth)")
    assert max(widths) <= 660
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(ink) == "#e8ebef"
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.emulate_media(media="screen", color_scheme="light")
