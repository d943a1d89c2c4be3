"""Dips of voltage: area and ringing against closed forms; waterfall of a known sine."""

import numpy as np
import pytest

import gearwright as gw
from gearwright.campaigns import campaign_plan
from gearwright.campaigns.dips import area_over, dips_of, ringing
from gearwright.machines import Grid
from gearwright.results.spectra import waterfall
from gearwright.running.grid import GRID_CODES, grid_profile
from gearwright.schema.case_lookup import find_case


def code(name):
    time, voltage = grid_profile(name)
    return Grid.through([-1.0, 0.0, *time], [1.0, 1.0, *voltage])


@pytest.mark.parametrize(("name", "area"), [("quebec", 0.240), ("ireland", 1.806), ("usa", 1.509), ("denmark", 0.450)])
def test_area_is_that_of_the_source(name, area):
    # S1 Table 5.1 with recovery to 1.0: areas of the digest, section 11.1
    assert area_over(code(name)) == pytest.approx(area, abs=6e-4)


@pytest.mark.parametrize("name", GRID_CODES)
def test_ringing_is_the_closed_form(name):
    # machines page, section 2: d_0 |exp(ja)(exp(jb) - 1)/(jb) - 1|, a = w tau, b = w rho
    lowest, held, recovery = GRID_CODES[name]
    for frequency in (1.659, 1.966):
        w = 2.0 * np.pi * frequency
        a, b = w * held, w * recovery
        wanted = (1.0 - lowest) * abs(np.exp(1j * a) * (np.exp(1j * b) - 1.0) / (1j * b) - 1.0)
        assert ringing(code(name), frequency) == pytest.approx(wanted, rel=1e-9)


def test_printed_ringing():
    printed = {"quebec": 1.80, "denmark": 0.76, "usa": 0.91, "ireland": 0.86}
    for name, value in printed.items():
        assert ringing(code(name), 1.966) == pytest.approx(value, abs=0.006)


def test_dips_of_the_shipped_campaign():
    plan = campaign_plan("lvrt", only=["lvrt-*-25ms-seed1"])
    found = {d.values["events.0.code"]: d for d in dips_of(plan)}
    assert list(found) == ["quebec", "denmark", "usa", "ireland"]
    # the order of S1's areas, and the reason why the smallest area loads most (three masses: 1.66 Hz)
    assert found["quebec"].area < found["denmark"].area < found["usa"].area < found["ireland"].area
    assert found["quebec"].frequency_hz == pytest.approx(1.66, abs=0.03)
    assert max(found.values(), key=lambda d: d.ringing) is found["quebec"]


def test_campaigns_without_dips_have_none():
    assert dips_of(campaign_plan("normal", only=["normal-25ms-seed1"])) == []
    assert find_case(gw.load("nrel-5mw"), None).name == "normal"


def test_waterfall_shows_a_sine_where_it_is():
    t = np.arange(0.0, 40.0, 0.02)
    x = 3.0 + 0.1 * t + np.where(t >= 20.0, 2.5 * np.sin(2 * np.pi * 1.75 * t), 0.0)
    found = waterfall(x, 0.02, 4.0, 0.5, start=100.0)
    line = int(np.argmin(np.abs(found.frequency - 1.75)))
    late, early = found.time > 124.0, found.time < 116.0
    # 1.75 Hz lies on a line of segments of 4 s: its amplitude, and nothing before it begins
    np.testing.assert_allclose(found.value[line, late], 2.5, rtol=2e-3)
    assert found.value[1:, early].max() < 1e-9
    with pytest.raises(ValueError, match="does not fit"):
        waterfall(x[:100], 0.02, 4.0, 0.5)


def test_campaigns_by_name():
    # in nrel-5mw, or in the one example whose file has it
    assert campaign_plan("grc-dynamometer").facts["drivetrain"] == "grc-750kw"
    assert len(campaign_plan("start-up").items) == len(campaign_plan("normal-stop").items) == 18
    with pytest.raises(
        gw.DrivetrainError, match="normal-5ms-seed1 \\(66 of them\\).*Did you mean 'lvrt-quebec-25ms-seed1'"
    ):
        find_case(gw.load("nrel-5mw"), "lvrt-quebek-25ms-seed1")
