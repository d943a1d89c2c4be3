"""Roses of bearing loads: sectors against a force that turns, the figure in the page."""

import numpy as np
import pytest

from gearwright.figures.markup import unpacked
from gearwright.figures.rose import SECTORS, sectors


def test_a_force_that_turns_evenly_fills_every_sector():
    angle = (np.arange(7200) + 0.5) * 2 * np.pi / 7200
    largest, share = sectors(3.0 * np.cos(angle), 3.0 * np.sin(angle))
    assert largest == pytest.approx(3.0) and share == pytest.approx(1.0 / SECTORS)


def test_a_steady_force_fills_one_sector_and_gaps_are_left_out():
    y, z = np.array([2.0, 2.0, np.nan, 2.0]), np.array([0.1, 0.1, 0.1, np.nan])
    largest, share = sectors(y, z)
    assert largest.max() == pytest.approx(np.hypot(2.0, 0.1)) and np.count_nonzero(largest) == 1
    assert share[0] == 1.0  # atan(0.05) is 2.9 degrees, in the first five


def test_the_page_has_it(sample, tmp_path):
    from gearwright.pages.write import write_report

    page = write_report(sample, tmp_path / "p.html").read_text(encoding="utf-8")
    assert "rose-bearing" in page and "Directions of bearing loads" in page


def test_extremes_with_what_acted_at_the_same_time(sample):
    """Every extreme stands in its own column as counted; what acts with it is the stored series at its time."""
    from gearwright.figures.reading import Run
    from gearwright.pages.extremes_table import channels, dynamic_table, extremes_table
    from gearwright.results import Result

    with Result.open(sample) as result:
        run = Run(result)
        table = extremes_table(run)
        chosen = channels(run)
        assert len(table.columns) == len(chosen) + 2 and len(table.rows) == 2 * len(chosen)
        kind, quantity, element = chosen[0]
        row = run.statistics(kind, quantity)[element]
        assert table.rows[0][1:3] == [row["time_of_maximum"], row["maximum"]]
        other = run.series(*chosen[1])
        assert table.rows[0][3] == pytest.approx(np.interp(row["time_of_maximum"], run.times, other))
        for mesh, mean, peak, factor, _ in dynamic_table(run).rows:
            found = run.statistics("mesh", "force")[mesh]
            assert factor == pytest.approx(
                max(abs(found["maximum"]), abs(found["minimum"])) / abs(found["mean"])
            ) and peak >= abs(mean)


def test_ratings_of_a_run_stand_in_its_report(tmp_path):
    """The bearing with a catalogue rating is rated, what is missing is said with its place, once for equal reasons."""
    from gearwright import simulate, write_report
    from gearwright.train.open import load

    run = simulate(load("nrel-5mw-medium-speed-gearbox"), case="rated", duration=2.0, output=tmp_path / "a.nc")
    html = write_report(run.result_file, tmp_path / "a.html").read_text(encoding="utf-8")
    assert "Rating life of bearings (ISO 281)" in html and "stage1.planet1_bearing (200/420)" in html
    # in the table and in its download
    assert html.count("tooth geometry (module, teeth, face width)") == 1
    assert unpacked(html, "data").count("tooth geometry (module, teeth, face width)") == 1
