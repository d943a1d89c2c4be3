"""Sections that not every result has."""

import gearwright as gw


def test_orders_of_a_run_up_stand_in_the_report(tmp_path):
    """The first mode (37.4 Hz) is met by the mesh order, 91 per turn of the carrier: at 37.4 * 60 / 91 = 24.7 rpm."""
    run = gw.simulate("nordtank-500kw-two-level", "run-up", output=tmp_path / "up.nc")
    page = gw.write_report(run.result_file, tmp_path / "up.html").read_text()
    assert "Order map of stage1." in page and "2 x mesh stage1" in page


def test_a_steady_run_says_why_it_has_no_order_map(tmp_path):
    run = gw.simulate("nordtank-500kw-two-level", "steady", duration=2.0, output=tmp_path / "a.nc")
    page = gw.write_report(run.result_file, tmp_path / "a.html").read_text()
    assert "hardly changes its speed: no order map" in page
