"""Sections that not every result has."""

import numpy as np

import gearwright as gw
from gearwright.analyses.orders import OrderMap
from gearwright.pages.section_orders import order_figure


def test_orders_of_a_run_up_stand_in_the_report(tmp_path):
    """The first mode (37.4 Hz) is met by the mesh order, 91 per turn of the carrier: at 37.4 * 60 / 91 = 24.7 rpm."""
    run = gw.simulate("nordtank-500kw-two-level", "run-up", output=tmp_path / "up.nc")
    page = gw.write_report(run.result_file, tmp_path / "up.html").read_text()
    assert "Order map of stage1." in page and "2 x mesh stage1" in page


def test_a_speed_that_wanders_has_bands_and_no_resonances():
    """Blocks in the order of time are no axis of a map: bands of speed are, each with the largest of its blocks."""
    rng = np.random.default_rng(1)
    speed = 12.0 + rng.uniform(-2.0, 2.0, 200)
    amplitude = np.outer(speed, np.ones(5))
    made = OrderMap("c", "N", "rotor", "", 4, np.arange(5.0), speed, np.arange(200.0), amplitude, [])
    (trace,) = order_figure(made).spec["data"]
    assert (np.diff(trace["y"]) > 0).all() and min(trace["y"]) > speed.min() and max(trace["y"]) < speed.max()
    # the largest of a band is within half a band's width of its middle, here the speed itself [kN on screen]
    found = 1e3 * 10.0 ** np.array([row[1] if row[1] is not None else np.nan for row in trace["z"]])
    width = trace["y"][1] - trace["y"][0]
    assert np.nanmax(np.abs(found - trace["y"])) < 0.5 * width + 0.03


def test_a_shaft_that_reverses_has_a_report_without_an_order_map(tmp_path):
    """The input of the oscillator swings about rest: there are no turns to count orders over."""
    run = gw.simulate("kahraman-oscillator", duration=0.5, output=tmp_path / "a.nc")
    page = gw.write_report(run.result_file, tmp_path / "a.html").read_text()
    assert "No order map" in page and "must turn in one sense" in page


def test_a_steady_run_says_why_it_has_no_order_map(tmp_path):
    run = gw.simulate("nordtank-500kw-two-level", "steady", duration=2.0, output=tmp_path / "a.nc")
    page = gw.write_report(run.result_file, tmp_path / "a.html").read_text()
    assert "hardly changes its speed: no order map" in page
