"""Figures against closed forms: spectra, orders, sharing, counts."""

from __future__ import annotations

import base64
import math

import numpy as np
import pytest
import report_samples as samples

from gearwright.figures import figures
from gearwright.figures.campbell import Campbell, campbell_figure, closest
from gearwright.figures.reading import Run, family
from gearwright.figures.sharing import carrier_angle, filter_edge, mesh_cycles, planet_meshes
from gearwright.results import Result


@pytest.fixture
def run(sample):
    with Result.open(sample) as result:
        yield Run(result)


def f32(value: dict) -> np.ndarray:
    return np.frombuffer(base64.b64decode(value["f32"]), "<f4").astype(float)


def test_amplitude_of_a_sine_is_its_amplitude():
    """3 kN at 5 Hz beside a mean of 100 kN shows as 3 kN at 5 Hz."""
    t = np.arange(40_000) / 200.0
    frequency, amplitude, _ = figures.amplitude_spectrum(100.0 + 3.0 * np.sin(2 * math.pi * 5.0 * t), 1 / 200.0)
    top = int(np.argmax(amplitude))
    assert frequency[top] == pytest.approx(5.0, abs=frequency[1] - frequency[0])
    assert amplitude[top] == pytest.approx(3.0, rel=0.02)


def test_thinning_keeps_the_highest_lines():
    """Every peak of every group of lines survives at its own frequency."""
    x = np.arange(1, 100_001) * 0.01
    y = np.random.default_rng(0).random(len(x))
    y[77_777] = 5.0
    tx, ty = figures.thinned(x, y, 500)
    assert len(tx) <= 501 and np.all(np.diff(tx) > 0)
    assert x[77_777] in tx and ty.max() == 5.0


def test_mesh_frequencies_are_ring_teeth_times_carrier_turns(run):
    """Planetary stage with a fixed ring: z_r n_c; then every pair by its wheel's speed."""
    turns = run.input_speed() / (2 * math.pi)
    found = run.mesh_frequencies()
    assert found["stage1"] == pytest.approx(99 * turns)
    assert found["stage2"] == pytest.approx(82 * (1 + 99 / 21) * turns)
    assert found["stage3"] == pytest.approx(88 * (1 + 99 / 21) * 82 / 23 * turns)


def test_ticks_of_mesh_orders_do_not_crowd():
    """Harmonics in range, none on top of another, the fundamental first."""
    ticks = figures.mesh_ticks({"a": 10.0, "b": 20.1}, 1.0, 45.0)
    assert [label for _, label in ticks] == ["a", "b", "3× a", "2× b"]


def test_sharing_of_known_shares(run):
    """Planets that carry 0.98, 1.05, 0.97 of the mean: Kγ of mean loads is 1.05."""
    from gearwright.results.derive import load_sharing

    assert planet_meshes(run) == {"stage1": [f"stage1.sun_planet{i}" for i in (1, 2, 3)]}
    forces = [run.series("mesh", "force", e) for e in planet_meshes(run)["stage1"]]
    assert load_sharing(forces).mean == pytest.approx(max(samples.SHARES), rel=2e-3)


def test_carrier_angle_is_the_integral_of_its_speed(run):
    """Speed times time to within the turbulence of the sample (3 % of 3 %)."""
    angle = carrier_angle(run, "stage1")
    assert angle[0] == 0.0
    mean = float(run.series("body", "speed", "stage1.carrier").mean())
    assert angle[-1] == pytest.approx(mean * (run.times[-1] - run.times[0]), rel=1e-3)


def test_one_carrier_turn_has_as_many_mesh_cycles_as_the_fixed_ring_has_teeth(run):
    """99 for every sun mesh of the GRC stage; a pair has no carrier."""
    assert mesh_cycles(run, "stage1.sun_planet2") == 99
    assert mesh_cycles(run, "stage2.mesh") is None


def test_samples_that_the_filter_guessed_are_left_out(run):
    """A jump at the end of a run is felt by the stored samples before it, and only so far."""
    from gearwright.results.filter import Decimator

    x = np.zeros((4000, 1))
    x[-1] = 1.0
    decimator = Decimator(5, 1)
    stored = np.concatenate([decimator.add(x), decimator.finish()])[:, 0]
    touched = len(stored) - int(np.flatnonzero(np.abs(stored) > 1e-9)[0])
    assert touched <= filter_edge(run) <= touched + 2


def test_governing_is_one_of_each_family(run):
    """The largest mesh of the sun, of the ring, and of each pair come before the second planet."""
    first = figures.governing(run, "mesh", "force", 4)
    assert {family(e) for e in first} == {"stage1.sun_planet", "stage1.ring_planet", "stage2.mesh", "stage3.mesh"}
    assert first[0] == "stage1.sun_planet2"


def test_duration_curve_ends_at_the_counted_time(run):
    """All of the counted time lies above the lowest level; it falls to nothing at the highest."""
    figure = figures.duration_figure(run, "shaft", "torque", "Torque")
    trace = next(t for t in figure.spec["data"] if t["name"] == "LSS")
    x, y = f32(trace["x"]), f32(trace["y"])
    assert x.max() == pytest.approx(run.attribute("counted_duration_s"), rel=1e-6)
    assert np.all(np.diff(x) <= 0) and np.all(np.diff(y) >= 0)
    row = run.statistics("shaft", "torque")["LSS"]
    assert y.min() <= row["minimum"] * 1e-3 and y.max() >= row["maximum"] * (1e-3 - 1e-9)


def test_range_spectrum_counts_all_cycles(run):
    """The curve starts at the number of all counted cycles and ends at the largest range."""
    figure = figures.rainflow_figure(run, "mesh", "force", "Force")
    trace = next(t for t in figure.spec["data"] if t["name"] == "stage2.mesh")
    total = run.result.values("mesh_force_cycles", run.elements("mesh").index("stage2.mesh"))
    assert f32(trace["x"]).max() == pytest.approx(np.nansum(total), rel=1e-6)
    row = run.statistics("mesh", "force")["stage2.mesh"]
    assert f32(trace["y"]).max() * 1e3 >= (row["maximum"] - row["minimum"]) * (1 - 1e-6)


def test_closest_crossing_carries_energy():
    """A near crossing without energy does not count; values that are not numbers are unknown."""
    crossings = Campbell.read(
        {
            "crossings": [
                {"mode": 1, "line": "1P", "speed_rpm": 10.0, "frequency_hz": 1.0, "share": 0.001, "margin": 0.0},
                {"mode": 2, "line": "3P", "speed_rpm": 10.0, "frequency_hz": 1.0, "share": 0.4, "margin": -0.2},
                {
                    "mode": 3,
                    "line": "6P",
                    "speed_rpm": 10.0,
                    "frequency_hz": 1.0,
                    "share": math.nan,
                    "margin": math.nan,
                },
                {"mode": 4, "line": "9P", "speed_rpm": None, "frequency_hz": 1.0},
            ]
        }
    ).crossings
    assert len(crossings) == 3 and crossings[2].share is None
    assert closest(crossings) == 1


def test_campbell_rays_have_the_slope_of_their_order():
    """Order 99 at 30 rpm is 49.5 Hz; steep orders end at the top."""
    data = Campbell.read(
        {
            "speeds_rpm": [0, 30],
            "frequencies_hz": [[40.0, 40.0], [900.0, 900.0]],
            "lines": [{"name": "mesh", "order": 99}, {"name": "high", "order": 9900}],
            "crossings": [
                {"mode": 1, "line": "mesh", "speed_rpm": 24.2, "frequency_hz": 40.0, "share": 1, "margin": 0.1}
            ],
            "operating_rpm": 22.0,
        }
    )
    figure = campbell_figure(data)
    rays = [t for t in figure.spec["data"] if t["name"] == "excitation orders"]
    assert rays[0]["y"][1] / rays[0]["x"][1] == pytest.approx(99 / 60)
    assert rays[1]["y"][1] == pytest.approx(46.0) and rays[1]["x"][1] < 30
    assert "not drawn: 1" in figure.note
