"""Damping: what is hardly damped is warned of (C6), and where damping comes from is said truly (C7)."""

import re
from pathlib import Path

import numpy as np
import pytest

import gearwright as gw
from gearwright.results.damping import damping_shares

GEARBOX = str(Path(__file__).parents[1] / "data" / "gearbox-2mw.yaml")
UNDAMPED = ["model.damping=null"]

PAIR = """
name: pair
operating: {{input: rotor, output: generator, speed: 60 rpm, torque: 1 kN m}}
bodies:
  - {{name: rotor, inertia: 100 kg m^2}}
stages:
  - name: s
    type: parallel
    module: 5 mm
    pressure_angle: 20 deg
    wheel: {{teeth: 100, inertia: 1 kg m^2}}
    pinion: {{teeth: 20, inertia: 0.1 kg m^2}}
    mesh: {{stiffness: 1e9 N/m, damping: {{ratio: 5 %}}}}
shafts:
  - {{name: slow, between: [rotor, s.wheel], torsional_stiffness: 1e4 N m/rad{slow}}}
  - {{name: fast, between: [s.pinion, generator], torsional_stiffness: 1e6 N m/rad, damping: {{ratio: 5 %}}}}
machines:
  - {{name: generator, type: constant, inertia: 2 kg m^2, parameters: {{torque: -200 N m}}}}
"""


def pair(tmp_path: Path, slow: str = "") -> str:
    file = tmp_path / "pair.yaml"
    file.write_text(PAIR.format(slow=slow))
    return str(file)


def test_a_run_without_damping_warns_of_the_first_mode(tmp_path) -> None:
    """C6: the recorded speed turns the rotor, so that nothing damps the first mode; its loads are fifteen times those with 3 %."""
    run = gw.simulate(GEARBOX, "recorded", duration=2.0, overrides=[*UNDAMPED, "discard=0 s"], output=tmp_path / "r.nc")
    (told,) = [w for w in run.warnings if "hardly any damping" in w]
    # ring of 96 teeth at rest, carrier at 18 rpm: 96 * 0.3 = 28.8 Hz
    assert "28.8 Hz" in told and "(0 %)" in told
    damped = gw.simulate(GEARBOX, "recorded", duration=2.0, overrides=["discard=0 s"], output=tmp_path / "d.nc")
    assert not [w for w in damped.warnings if "hardly any damping" in w]


def test_half_a_per_cent_is_where_the_warning_ends(tmp_path) -> None:
    """A rotor of 100 kg m^2 on a shaft of 1e4 N m/rad against 1 + 25 (0.1 + 2) = 53.5 kg m^2 swings at 2.69 Hz, below the
    100 Hz of the mesh; a damper of c gives the ratio c/2 / sqrt(k J) with J the reduced inertia."""
    inertia = 1.0 / (1.0 / 100.0 + 1.0 / 53.5)
    critical = 2.0 * np.sqrt(1e4 * inertia)
    for share, warns in ((0.0045, True), (0.0055, False)):
        file = pair(tmp_path, f", damping: {share * critical:.6g} N m s/rad")
        told = [w for w in gw.modes(file).warnings if "hardly any damping" in w]
        assert bool(told) == warns
    assert "100 Hz" in gw.modes(pair(tmp_path)).warnings[0]


def test_a_slip_generator_is_named_as_what_damps_and_no_other_damping_is_advised() -> None:
    """C7: the file has 3 % of every mode; the slip curve of the generator (its slope 1/(s J) of the first mode) makes it 36 %."""
    found = gw.modes(GEARBOX)
    (told,) = [n for n in found.notes if "20 % damping" in n]
    assert not [w for w in found.warnings if "damping" in w]
    assert re.search(r"comes from generator 9\d %", told)
    assert "modal" not in told and "proportional" not in told
    # what is said holds: without the machine the mode has the 3 % of the file
    free = gw.modes(gw.load(GEARBOX, ["machines.0.type=constant", "machines.0.parameters={torque: -11 kN m}"]))
    first = free.damping_ratios[np.flatnonzero(free.frequencies_hz > 1.0)[0]]
    assert first == pytest.approx(0.03, rel=1e-6)


def test_shares_of_the_damping_are_those_of_the_dampers(tmp_path) -> None:
    """The ratio of a mode is the sum over its dampers of phi^T C phi / (2 omega): two models, each with one damper, have the parts of
    the whole."""
    both = gw.modes(pair(tmp_path, ", damping: 200 N m s/rad"))
    mode = int(np.flatnonzero(both.frequencies_hz > 0.5)[0])
    shares = damping_shares(both.system, both.modes.shapes[:, mode])
    omega, shape = 2.0 * np.pi * both.frequencies_hz[mode], both.modes.shapes[:, mode]
    names = list(both.system.coordinates)
    twist = shape[names.index("rotor.rotation")] - shape[names.index("s.wheel.rotation")]
    mass = shape @ both.modes.mass @ shape
    own = 200.0 * twist**2 / (2.0 * omega * mass)
    assert shares["slow"] == pytest.approx(own / both.damping_ratios[mode], rel=1e-3)
    assert sum(shares.values()) == pytest.approx(1.0, abs=0.03)


def test_damping_in_proportion_to_stiffness_is_named_with_its_element(tmp_path) -> None:
    """A damper of 0.02 s times the stiffness: the ratio is 0.02 omega / 2, above 20 % from 3.2 Hz on."""
    found = gw.modes(pair(tmp_path, ", damping: {stiffness_proportional: 20 ms}"))
    assert not [w for w in found.warnings if "hardly" in w]
    heavy = gw.modes(pair(tmp_path, ", damping: {stiffness_proportional: 200 ms}"))
    (told,) = [w for w in heavy.warnings if "20 % damping" in w]
    assert "comes from slow" in told and "grows with frequency" in told
