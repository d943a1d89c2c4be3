"""The bearing with a damaged outer ring (digest S2 section 11): impacts at the calculated rate, envelope, pulses."""

import json
import math

import numpy as np
import pytest
from typer.testing import CliRunner

from gearwright.analyses.envelope import EnvelopeError
from gearwright.analyses.envelope import envelope as analysed
from gearwright.bearings.orders import passing_orders
from gearwright.cli import app
from gearwright.figures.markup import unpacked
from gearwright.results import Result
from gearwright.results.envelope import comb, diagnose, envelope, envelope_spectrum, judge, shock_pulses
from gearwright.running.run import simulate


@pytest.fixture(scope="module")
def damaged(tmp_path_factory):
    return simulate("two-shaft-outer-ring-defect", output=tmp_path_factory.mktemp("defect") / "damaged.nc").result_file


def test_impacts_come_at_the_calculated_rate(damaged):
    data = analysed(damaged, "right_support.acceleration_z")
    # 14 rollers of 10 mm on 50 mm at 10 turns a second: Z/2 f (1 - d/D) = 56 Hz; one second of record
    assert data.pulses.per_second == pytest.approx(56.0, abs=0.5)
    assert data.pulses.median_interval == pytest.approx(1 / 56, abs=1e-4)
    best = data.combs[0]
    assert best.name == "lower_right_bearing BPFO"
    assert best.frequency_hz == pytest.approx(56.0, abs=0.1)
    # every pulse follows an element at the defect: within the ring-down of 8 ms of a contact that lasts 1.5 ms
    passes, pulses = data.passes["lower_right_bearing"], data.pulses.times
    behind = [np.min(np.abs(p - passes)) for p in pulses]
    assert max(behind) < 4e-3


def test_plain_spectrum_hides_the_rate(damaged):
    # the digest: search the comb, not the first line; the largest lines are high multiples of 56 Hz
    from gearwright.results.spectra import amplitude_spectrum

    with Result.open(damaged) as result:
        x = np.asarray(result.series("right_support.acceleration_z"))[result.time >= 0.2]
        plain = amplitude_spectrum(x - x.mean(), result.interval)
    top = plain.frequency[np.argmax(plain.value)]
    assert top > 3 * 56 and abs(top / 56 - round(top / 56)) < 0.02


def test_pit_in_the_load_zone_is_found_and_a_sound_bearing_is_quieter(tmp_path):
    levels, strength = {}, {}
    for case in ("pit", "sound"):
        run = simulate("two-shaft-outer-ring-defect", case, output=tmp_path / f"{case}.nc")
        assert run.energy_error < 1e-9
        data = analysed(run.result_file, "right_support.acceleration_y")
        levels[case] = data.root_mean_square
        strength[case] = {c.name: c.strength for c in data.combs}["lower_right_bearing BPFO"]
        if case == "pit":
            assert data.combs[0].name == "lower_right_bearing BPFO"
            # a roller strikes as it enters and as it leaves: one or two pulses a pass
            passes = data.pulses.per_second / 56
            assert passes == pytest.approx(round(passes), abs=0.04) and 1 <= round(passes) <= 2
    assert levels["pit"] > 10 * levels["sound"]
    assert strength["pit"] > strength["sound"]


def test_harmonics_of_a_damage_are_named_as_that(damaged):
    """C59: elements of the faster bearing pass its outer ring at 112 and its inner ring at 168 Hz, twice and three times 56 Hz:
    combs without a line of their own, and 84 Hz has every second one from 56 Hz."""
    data = analysed(damaged, "right_support.acceleration_z")
    what = {c.name: c.what for c in data.combs}
    assert data.found == ["lower_right_bearing BPFO"] and what["lower_right_bearing BPFO"] == "found"
    assert (
        what["upper_right_bearing BPFO"] == what["upper_right_bearing BPFI"] == "harmonic of lower_right_bearing BPFO"
    )
    assert what["lower_right_bearing BPFI"] == "shares lines with lower_right_bearing BPFO"


def test_nothing_is_found_in_a_sound_bearing(tmp_path):
    """C47: its stiffness varies as elements pass, some hundredths of m/s^2 in a record without noise; a level says what counts."""
    run = simulate("two-shaft-outer-ring-defect", "sound", output=tmp_path / "sound.nc")
    data = analysed(run.result_file, "right_support.acceleration_z")
    assert data.found == [] and data.level == 0.1
    assert "0.1 m/s^2" in data.assumed[0]
    strongest = data.combs[0]
    assert strongest.level == pytest.approx(float(np.sqrt(np.sum(strongest.amplitudes**2)))) and strongest.level < 0.1
    result = CliRunner().invoke(app, ["envelope", str(run.result_file), "--channel", "right_support.acceleration_z"])
    assert result.exit_code == 0 and "nothing found" in result.stdout
    # asked for, it is there
    assert "lower_right_bearing BPFO" in analysed(run.result_file, "right_support.acceleration_z", level=1e-3).found
    # the force of a bearing: 2 % of its mean
    assert analysed(run.result_file, "lower_right_bearing.force").found == []


def test_a_record_begun_behind_its_end_is_one_sentence(damaged):
    with pytest.raises(EnvelopeError, match=r"0 samples from 5 s on; the record runs from .* to 1.2 s"):
        analysed(damaged, "right_support.acceleration_z", begin=5.0)


def test_command_and_page(damaged, tmp_path):
    page = tmp_path / "envelope.html"
    result = CliRunner().invoke(
        app, ["envelope", str(damaged), "--channel", "right_support.acceleration_z", "-o", str(page), "--json"]
    )
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["combs"][0]["name"] == "lower_right_bearing BPFO"
    assert "elements pass the defect" in unpacked(page.read_text(), "data")
    wrong = CliRunner().invoke(app, ["envelope", str(damaged), "--channel", "right_support.acceleration_x"])
    assert wrong.exit_code == 2 and "Did you mean" in wrong.stderr
    wrong = CliRunner().invoke(
        app, ["envelope", str(damaged), "--channel", "right_support.acceleration_z", "--band", "100,90000"]
    )
    assert wrong.exit_code == 2 and "half the sampling rate" in wrong.stderr


# --- the tools alone, on signals known in closed form ------------------------------------------------------------------


def ringing(rates, amplitudes, noise=0.02, interval=1e-4, samples=40000):
    """Impacts at some rates [Hz], each ringing at 1500 Hz."""
    t = np.arange(samples) * interval
    x = noise * np.random.default_rng(4).standard_normal(samples)
    for rate, amplitude in zip(rates, amplitudes, strict=True):
        for hit in np.arange(0.01, t[-1], 1 / rate):
            late = t - hit
            x += np.where(late >= 0, amplitude * np.exp(-np.abs(late) / 3e-3) * np.sin(2 * np.pi * 1500 * late), 0.0)
    return envelope_spectrum(x, interval)


def test_two_damages_are_two_and_their_multiples_none():
    names = {"outer": 37.0, "inner": 61.0, "twice": 74.0, "thrice": 111.0, "half": 18.5, "elsewhere": 47.3}
    spectrum = ringing((37.0, 61.0), (1.0, 0.6))
    verdicts = judge(spectrum, diagnose(spectrum, names), 0.01)
    assert {name for name, v in verdicts.items() if v.found} == {"outer", "inner"}
    assert (verdicts["twice"].of, verdicts["twice"].multiple) == ("outer", 2)
    assert (verdicts["thrice"].of, verdicts["thrice"].multiple) == ("outer", 3)
    assert not verdicts["elsewhere"].found and not verdicts["half"].found
    assert not any(v.found for v in judge(spectrum, diagnose(spectrum, names), 10.0).values())


def test_impacts_at_the_double_rate_are_not_the_single_one():
    """Where only the even lines are there, the comb at half the rate is not found."""
    spectrum = ringing((74.0,), (1.0,))
    verdicts = judge(spectrum, diagnose(spectrum, {"single": 37.0, "double": 74.0}), 0.01)
    assert verdicts["double"].found and not verdicts["single"].found


def test_envelope_of_a_modulated_tone():
    t = np.arange(20000) * 1e-4
    x = (1.0 + 0.4 * np.cos(2 * np.pi * 7 * t)) * np.sin(2 * np.pi * 900 * t) + 5 * np.sin(2 * np.pi * 11 * t)
    e = envelope(x, 1e-4, (500, 1300))
    np.testing.assert_allclose(e, 1.0 + 0.4 * np.cos(2 * np.pi * 7 * t), atol=1e-9)
    spectrum = envelope_spectrum(x, 1e-4, (500, 1300))
    assert spectrum.value[np.argmin(abs(spectrum.frequency - 7))] == pytest.approx(0.4, rel=1e-6)


def test_comb_and_pulses_of_ringing_impacts():
    interval, rate = 1e-4, 37.0
    t = np.arange(40000) * interval
    x = 0.02 * np.random.default_rng(4).standard_normal(len(t))
    hits = np.arange(0.01, t[-1], 1 / rate)
    for hit in hits:
        late = t - hit
        x += np.where(late >= 0, np.exp(-np.abs(late) / 3e-3) * np.sin(2 * np.pi * 1500 * late), 0.0)
    spectrum = envelope_spectrum(x, interval)
    found = comb(spectrum, 36.9)
    assert found.frequency == pytest.approx(rate, abs=0.05)
    assert found.strength > 20 * comb(spectrum, 41.3).strength
    times, _ = shock_pulses(x, interval, least_distance=0.5 / rate)
    assert len(times) == len(hits)
    np.testing.assert_allclose(times, hits, atol=1e-3)
    with pytest.raises(ValueError, match="longer record"):
        comb(spectrum, 0.5)
    with pytest.raises(ValueError, match="half the sampling rate"):
        envelope(x, interval, (100, 6000))


def test_orders_of_the_drive_end_bearing():
    # SKF 6205 of the Case Western set (LIT 7.4): 9 balls of 0.3126 in on 1.537 in
    found = passing_orders(9, 0.3126, 1.537)
    assert (found.outer, found.inner, found.spin, found.element, found.cage) == pytest.approx(
        (3.5848, 5.4152, 2.3567, 4.7134, 0.3983), abs=5e-5
    )
    # outer + inner = Z; both rings alike: nothing passes, the cage goes with them
    assert found.outer + found.inner == pytest.approx(9)
    assert found.frequencies(10.0, 10.0)["ftf"] == pytest.approx(10 / (2 * math.pi))
