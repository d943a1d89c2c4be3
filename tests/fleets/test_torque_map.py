"""The two numbers of every load: against printed fits, against kinematics and inertias alone, against another fidelity."""

import numpy as np
import pytest

import gearwright as gw
from gearwright.errors import InputError
from gearwright.fleets.torque_map import torque_map
from gearwright.train.expand import expand

#: of the 5 MW gearbox with a ratio of 97, fitted by least squares to runs of version 0.1.0 (another path: simulation and
#: regression): load per torque (five digits) and inertia [kg m^2] (fits scatter by 0.1 %)
FITTED = {
    "high_speed.torque": (1.0000, 502.0),
    "stage3.mesh.force": (8.6078, 511.2),
    "intermediate.torque": (-4.7618, 528.3),
    "stage2.mesh.force": (19.911, 530.2),
    "sun.torque": (16.978, 541.8),
    "stage1.sun_planet1.force": (21.637, 542.0),
    "stage1.ring_planet1.force": (21.637, 542.5),
    "stage1.planet1_bearing.force": (40.664, 542.6),
    "main.torque": (97.014, 543.3),
}
MEDIUM = {
    "main.torque": (61.975, 1341.5),
    "high_speed.torque": (1.0, 1308.4),
    "stage1.planet1_bearing.force": (17.999, 1341.4),
}


@pytest.mark.parametrize(
    "name, fitted", [("nrel-5mw-gallego-source", FITTED), ("nrel-5mw-medium-speed-gearbox-source", MEDIUM)]
)
def test_both_numbers_are_those_of_fits_to_runs(name, fitted):
    found = torque_map(expand(gw.load(name))).two_numbers()
    for channel, (a, inertia) in fitted.items():
        assert found[channel][0] == pytest.approx(a, rel=5e-5), channel
        assert found[channel][1] == pytest.approx(inertia, rel=1.2e-3), channel


@pytest.mark.parametrize("fidelity", ["torsional", "planar"])
def test_the_inertia_of_the_main_shaft_is_that_of_all_behind_it(fidelity):
    """Sum I (n / n_g)^2 of all bodies but the rotor, and of the masses of the planets on their circle: no stiffness in it."""
    train = expand(gw.load("nrel-5mw-gallego-source"), fidelity)
    behind = 0.0
    for b in train.bodies.values():
        if b.name == train.input or b.fixed or b.inertia is None:
            continue
        behind += b.count * b.inertia * (train.ratios[b.name] / train.ratios["generator"]) ** 2
        if b.on is not None and not train.stages[b.stage].inertia_includes_planets:
            behind += b.count * b.mass * (b.pin_radius * train.ratios[b.on] / train.ratios["generator"]) ** 2
    a, inertia = torque_map(train, fidelity).two_numbers()["main.torque"]
    assert inertia == pytest.approx(behind, rel=1e-6)
    assert a == pytest.approx(train.ratios["generator"], rel=1e-9)


def test_powers_through_the_train_are_equal():
    """Without losses every shaft passes torque times speed of the generator."""
    train = expand(gw.load("nrel-5mw-gallego"))
    found = torque_map(train).two_numbers()
    for shaft in ("main", "sun", "intermediate", "high_speed"):
        ratio = train.ratios[train.shafts[shaft].between[0]] / train.ratios["generator"]
        assert abs(found[f"{shaft}.torque"][0] * ratio) == pytest.approx(1.0, rel=1e-6), shaft


def test_static_loads_are_the_first_number():
    """Another analysis: the equilibrium under a torque on the rotor."""
    torque = 1e6
    static = gw.static_loads("nrel-5mw-gallego", {"rotor": torque})
    train = expand(gw.load("nrel-5mw-gallego"))
    for channel, (a, _) in torque_map(train).two_numbers().items():
        if channel in static:
            assert static[channel] == pytest.approx(a * torque / train.ratios["generator"], rel=1e-6, abs=1.0), channel


def test_the_first_mode_is_that_of_the_train():
    """2.029 Hz free-free, as published for this gearbox and as the analysis of modes has it."""
    found = torque_map(expand(gw.load("nrel-5mw-gallego-source")))
    modes = np.asarray(gw.modes("nrel-5mw-gallego-source", fidelity="torsional").frequencies_hz)
    assert found.first_mode == pytest.approx(modes[modes > 1e-3].min(), rel=1e-6)


def test_what_the_map_leaves_out_is_said():
    """A gearbox as built: backlash, errors, clearances, weight, another law."""
    train = expand(gw.load("nrel-5mw-nejad"))
    said = " ".join(torque_map(train).remarks)
    for word in ("instead of the file's law", "backlash", "weight", "not in proportion"):
        assert word in said


def test_a_train_that_two_signals_do_not_determine_is_refused():
    with pytest.raises(InputError, match="does not follow"):
        torque_map(expand(gw.load("slider-crank")))
