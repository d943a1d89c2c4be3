"""Power spectral densities at the counting rate: against SciPy, Parseval, a sine's amplitude, and teeth in a run."""

import numpy as np
import pytest
from scipy import signal

import gearwright as gw
from gearwright.errors import DrivetrainError
from gearwright.results import Recorder, ResultError
from gearwright.results.welch import Densities, Welch
from gearwright.schema.case_lookup import find_case
from gearwright.system import Block, Channel


def densities(x, resolution, interval, sizes, rows=None):
    found = Welch(range(len(x)) if rows is None else rows, resolution, interval)
    start = 0
    for size in sizes:
        found.add(np.ascontiguousarray(x), start, start + size)
        start += size
    return found


def noise(channels, samples):
    return np.random.default_rng(5).normal(size=(channels, samples)) + 3.0


@pytest.mark.parametrize("sizes", [[5000], [1, 99, 100, 2800, 2000], [7] * 714])
def test_it_is_what_scipy_makes_of_the_whole_series(sizes):
    x = noise(11, 5000)
    found = densities(x[:, : sum(sizes)], 5.0, 1e-3, sizes)
    assert found.samples == 200
    frequency, value = signal.welch(x[:, : sum(sizes)], 1e3, nperseg=200)
    np.testing.assert_allclose(found.frequency, frequency, rtol=1e-12)
    np.testing.assert_allclose(found.density(), value, rtol=1e-9, atol=1e-15)


def test_sum_of_the_lines_is_the_variance():
    """White noise of variance 1: 200 000 samples give it within 1/sqrt(100 000), five times that is allowed."""
    x = noise(2, 200_000)
    found = densities(x, 10.0, 1e-4, [200_000])
    np.testing.assert_allclose(found.density().sum(axis=1) * 10.0, 1.0, rtol=5 / np.sqrt(1e5))


def test_amplitude_of_a_sine():
    """On a line: A^2/2 spread over the noise bandwidth of the window, 1.5 lines, of which the middle one has all of it."""
    k = np.arange(40_000)
    x = 7.0 + 2.5 * np.sin(2 * np.pi * 0.125 * k)[None]
    found = densities(x, 1e4 / 4000, 1e-4, [40_000])
    at = int(np.argmax(found.density()[0]))
    assert found.frequency[at] == pytest.approx(1250.0)
    assert np.sqrt(3.0 * found.frequency[1] * found.density()[0, at]) == pytest.approx(2.5, rel=1e-12)


def test_a_short_run_is_one_segment():
    found = Welch([0], 1.0, 1e-3, 0.3)
    found.add(noise(1, 300), 0, 300)
    assert (found.samples, found.segments) == (300, 1)


def test_too_fine_lines_are_refused_with_what_is_possible(tmp_path):
    channels = [Channel("shaft", f"s{i}", "torque", "N m", "", ()) for i in range(60)]
    with pytest.raises(
        ResultError, match=r"0\.001 Hz apart need too much memory; at this counting interval they may be 0\.019 Hz"
    ):
        Recorder(tmp_path / "run.nc", channels, (), 1e-4, spectra=Densities(("shaft",), 1e-3))


def test_in_the_file(tmp_path):
    """Of the kinds asked for, without the discarded part; others have none, and say so."""
    channels = [Channel("shaft", "a", "torque", "N m", "", ()), Channel("mesh", "m", "force", "N", "", ())]
    x = noise(2, 3000)
    x[:, :500] = 1e6
    recorder = Recorder(tmp_path / "run.nc", channels, (), 1e-3, 0.1, discard=0.5, spectra=Densities(("mesh",), 10.0))
    for first in range(0, 3000, 700):
        part = slice(first, first + 700)
        recorder.append(Block((np.arange(3000)[part] + 1) * 1e-3, x[:, part].T))
    recorder.finish()
    with gw.Result.open(tmp_path / "run.nc") as result:
        found = result.density("m.force")
        np.testing.assert_allclose(found.value, signal.welch(x[1, 500:], 1e3, nperseg=100)[1], rtol=1e-6, atol=1e-12)
        assert "49 segments of 0.1 s" in found.method
        assert result.dataset["mesh_force_density"].attrs["units"] == "(N)^2/Hz"
        with pytest.raises(ResultError, match="no density of 'a.torque'"):
            result.density("a.torque")


@pytest.mark.slow
def test_teeth_are_seen_where_the_stored_series_ends_long_before(tmp_path):
    """A line at the tooth frequency (660 Hz), within the spacing of lines; the stored series ends at 25 Hz."""
    from gearwright.figures import figures
    from gearwright.figures.reading import Run

    overrides = ["cases.torque-ramp.counting_interval=0.2 ms", "cases.torque-ramp.output_interval=20 ms", "cases.torque-ramp.discard=1 s",
                 "cases.torque-ramp.spectra={of: [meshes], resolution: 2 Hz}", "model.helical=spur"]  # fmt: skip
    done = gw.simulate("grc-750kw", "torque-ramp", law="periodic", duration=3.0, output=tmp_path / "run.nc",
                       overrides=overrides)  # fmt: skip
    with gw.Result.open(done.result_file) as result:
        run = Run(result)
        name = next(c for c in result.channels if c.startswith("stage3.") and c.endswith(".force"))
        found = result.density(name)
        away = np.abs(found.frequency - run.mesh_frequencies()["stage3"])
        assert found.value[away <= 2.0].max() > 100.0 * np.median(found.value[(away > 10.0) & (away < 60.0)])
        figure = figures.spectrum_figure(run, "mesh", "force", "Tooth force")
        assert figure.spec["layout"]["xaxis"]["range"][1] == pytest.approx(np.log10(2500.0))
        assert "at the counting rate" in figure.note


def test_spectra_of_what_is_not_recorded():
    """C59: it blocks its case, and is listed where the file is described or another case of it runs."""
    given = gw.load("grc-750kw", ["cases.torque-ramp.spectra={of: [bodies]}"])
    with pytest.raises(DrivetrainError, match="cases.torque-ramp.spectra.of.*spectra of bodies need them in 'record'"):
        find_case(given, "torque-ramp")
    others = [case.name for case in given.cases if case.name != "torque-ramp"]
    assert find_case(given, others[0]).name == others[0]
    assert any("'torque-ramp' cannot run" in text for text in gw.describe(given).warnings)


def test_spectra_of_what_the_base_of_a_case_records():
    """The base records bodies; a case that takes that over may have their spectra."""
    given = gw.load({
        "name": "two", "bodies": [{"name": "a", "inertia": 1.0}, {"name": "b", "inertia": 1.0}],
        "shafts": [{"name": "s", "between": ["a", "b"], "torsional_stiffness": 1e4}],
        "operating": {"input": "a", "output": "b", "speed": 1.0},
        "cases": [{"name": "base", "duration": 1.0, "record": ["bodies"]},
                  {"name": "more", "base": "base", "spectra": {"of": ["bodies"]}}],
    })  # fmt: skip
    assert find_case(given, "more").spectra.of == ["bodies"]
