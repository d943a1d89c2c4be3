"""Results and modes in a notebook: tables and plots of what they hold."""

from __future__ import annotations

import numpy as np
import pytest

import gearwright
from gearwright.results import Result, ResultError


@pytest.fixture(scope="module")
def result(sample):
    with Result.open(sample) as opened:
        yield opened


def test_plots_show_the_stored_series(result):
    """Both kinds of plot hold the samples of the file in kN; channels of two units do not share a plot."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    name = next(n for n in result.channels if n.endswith("force"))
    expected = 1e-3 * result.series(name).values
    axes = result.plot(name)
    assert np.array_equal(axes.lines[0].get_ydata(), expected) and "[kN]" in axes.get_ylabel()
    figure = result.plot(name, backend="plotly")
    assert np.array_equal(figure.data[0].y, expected) and "[kN]" in figure.layout.yaxis.title.text
    torque = next(n for n in result.channels if n.endswith("torque"))
    for message, call in (
        ("one unit", lambda: result.plot(name, torque)),
        ("no channel", lambda: result.plot("nothing.here")),
        ("name a channel", lambda: result.plot()),
        ("matplotlib, plotly", lambda: result.plot(name, backend="paper")),
    ):
        with pytest.raises(ResultError, match=message):
            call()


def test_tables_list_channels_and_modes(result):
    """One row a channel, one a mode."""
    html = result._repr_html_()
    assert html.count("<tr>") == 1 + len(result.table()) and all(name in html for name in result.channels)
    found = gearwright.modes("s0-small-planetary")
    html = found._repr_html_()
    assert html.count("<tr>") == 1 + len(found.frequencies_hz) and f"{found.frequencies_hz[-1]:.6g}" in html
