"""A6: the Campbell page has the report's style, and a table of crossings ranked by energy."""

import json
import re

import gearwright as gw
from gearwright.figures.markup import unpacked
from gearwright.pages.campbell_page import write_campbell_page


def test_crossings_are_ranked_by_energy_and_are_crossings(tmp_path):
    data = gw.modes("grc-750kw", fidelity="torsional")
    page = tmp_path / "c.html"
    write_campbell_page(data, page)
    html = page.read_text(encoding="utf-8")
    body = html[: html.index('<script type="application/gzip"')]
    assert "<h2" in body and "Content-Security-Policy" in body and "Campbell diagram of grc-750kw" in body
    table = re.search(r"<table.*?</table>", body, re.DOTALL).group(0)
    assert "Energy share" in table and "Margin to operating speed" in table
    kept = json.loads(unpacked(html, "data"))
    rows = kept["tables"]["crossings"]["rows"]
    share = [row[4] for row in rows]
    assert share == sorted(share, reverse=True) and share[0] > 50.0
    # a crossing is where the order meets the frequency: f = order n / 60
    orders = {line.name: line.order for line in data.campbell.lines}
    for line, _, frequency, speed, *_ in rows[:5]:
        assert abs(abs(orders[line]) * speed / 60.0 / frequency - 1.0) < 1e-3
    for sentence in data.warnings:
        assert sentence.split(":")[0] in body
