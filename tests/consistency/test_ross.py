"""Shafts that whirl against ROSS, an independent rotordynamics package: frequencies, decrements, unbalance and mesh response.

The numbers of ROSS 2.3.0 stand in ``tests/data/ross-2.3.0.json``; where ROSS is installed, they are computed anew in the same run.
"""

import json
import math
from pathlib import Path

import numpy as np
import pytest
import ross_rotors as rotors

import gearwright as gw
from gearwright.schema.read import from_mapping

ROSS = json.loads((Path(__file__).parents[1] / "data" / "ross-2.3.0.json").read_text())
#: four digits are asked for; the matrices are the same, so that eight are there
DIGITS = 1e-8


def high_speed(speed, damping=rotors.DAMPING):
    """The high-speed shaft of ``ross_rotors`` as a drivetrain."""
    lengths, diameters, disc = rotors.LENGTHS, rotors.DIAMETERS, rotors.DISC
    seats = [{"name": name, "x": x, "stiffness": k, "axial_stiffness": 1e9, "damping": damping}
             for name, x, k in zip("ab", (lengths[0], sum(lengths[:-1])), rotors.RADIAL, strict=True)]  # fmt: skip
    return from_mapping({
        "name": "high-speed",
        "bodies": [{"name": "left", "inertia": [1e-9] * 3, "mass": 1e-9},
                   {"name": "disc", "inertia": [disc["polar"], disc["across"], disc["across"]], "mass": disc["mass"]}],
        "materials": {"steel": {"young": rotors.YOUNG, "density": rotors.DENSITY, "poisson": 0.3}},
        "shafts": [{"name": "shaft", "between": ["left", "disc"], "material": "steel", "bearings": seats,
                    "sections": [{"length": x, "diameter": d} for x, d in zip(lengths, diameters, strict=True)]}],
        "operating": {"input": "left", "output": "disc", "speed": speed or 1.0},
        "model": {"fidelity": "spatial", "law": "linear"},
    })  # fmt: skip


@pytest.fixture(scope="module")
def shaft():
    unbalance = {"disc": f"{rotors.UNBALANCE} kg m at {math.degrees(rotors.PHASE)} deg"}
    return gw.whirl(
        high_speed(600.0), speeds=[400.0, 900.0, 1100.0], unbalance=unbalance, factors=[1.0], stations=["disc"]
    )


@pytest.fixture(scope="module")
def pair():
    unbalance = {"disc": f"5e-3 kg m at {math.degrees(rotors.PHASE)} deg"}
    return gw.whirl("geared-rotors", speeds=rotors.PAIR_SPEEDS, unbalance=unbalance, factors=[1.0],
                    stations=["disc", "gears.wheel", "gears.pinion"], transmission_error={"gears": "1 um"})  # fmt: skip


def poles(found, speed, most, across):
    """Frequencies [Hz] and decrements up to a frequency; with ``across`` of lateral modes alone."""
    values, shapes = found.model.rotor.poles(speed)
    return [
        (p.imag / (2 * math.pi), -2 * math.pi * p.real / p.imag)
        for p, x in zip(values, shapes.T, strict=True)
        if p.imag <= 2 * math.pi * most and not (across and found.model.named(x)[0] in ("torsional", "axial"))
    ]


def at(response, speeds):
    """Places of speeds [rad/s] among those computed."""
    computed = np.asarray(response.speeds_rpm) * math.pi / 30.0
    return [int(np.abs(computed - w).argmin()) for w in speeds]


@pytest.mark.parametrize("speed", rotors.SPEEDS)
def test_whirl_of_the_high_speed_shaft(shaft, speed):
    """Bending modes with their gyroscopic split and the decrements of damped bearings: both packages have the same matrices, mass,
    stiffness and gyroscopic moments of beams from the same shape functions."""
    want = [
        row for row in ROSS["shaft"][str(speed)] if abs(row[1]) > 1e-6
    ]  # without twist and shift, which nothing damps there
    assert np.array(poles(shaft, speed, 500.0, across=True)) == pytest.approx(np.array(want), rel=DIGITS)


def test_unbalance_of_the_high_speed_shaft(shaft):
    """Amplitude and phase of both directions of the disc, below, near and above its critical speeds."""
    places = at(shaft.unbalance[0], (400.0, 900.0, 1100.0))
    amplitudes, phases = orbit_errors(shaft.unbalance[0]["disc"], places, ROSS["shaft_unbalance"])
    assert amplitudes < DIGITS and phases < 1e-6


@pytest.mark.parametrize("speed", (0.0, *rotors.PAIR_SPEEDS))
def test_modes_of_a_geared_pair(pair, speed):
    """Bending, torsion and axial motion of both shafts, coupled by the mesh; the pinion turns against the wheel."""
    found = np.array(poles(pair, speed, 180.0, across=False))
    assert found == pytest.approx(np.array(ROSS["pair"][str(speed)]), rel=DIGITS)


def test_unbalance_of_a_geared_pair(pair):
    places = at(pair.unbalance[0], rotors.PAIR_SPEEDS)
    amplitudes, phases = orbit_errors(pair.unbalance[0]["disc"], places, ROSS["pair_unbalance"])
    assert amplitudes < DIGITS and phases < 1e-6


def test_mesh_excitation_of_a_geared_pair(pair):
    """Transmission error at the mesh frequency, against ROSS's own matrices."""
    found = pair.mesh[0]
    places = at(found, rotors.PAIR_SPEEDS)
    for i, want in zip(places, ROSS["pair_mesh"], strict=True):
        wheel, pinion = found["gears.wheel"], found["gears.pinion"]
        mine = [s.y_amplitude[i] if axis == "y" else s.z_amplitude[i] for s in (wheel, pinion) for axis in "yz"]
        assert mine == pytest.approx(want, rel=1e-6)  # far above all modes that matter


def orbit_errors(station, places, rows):
    """Largest relative error of the amplitudes in y and z, and largest error of the phases [deg]."""
    amplitudes, phases = [], []
    for i, (y, y_phase, z, z_phase) in zip(places, rows, strict=True):
        amplitudes += [abs(station.y_amplitude[i] / y - 1.0), abs(station.z_amplitude[i] / z - 1.0)]
        for mine, want in ((station.y_phase_deg[i], y_phase), (station.z_phase_deg[i], z_phase)):
            phases.append(abs(math.remainder(mine - want, 360.0)))
    return max(amplitudes), max(phases)


def test_ross_says_what_is_written_here():
    """Where ROSS is installed: the numbers of the file are those that it gives."""
    ross = rotors.imported()
    if ross is None:
        pytest.skip("no ROSS, or one that does not fit its plotting library")
    found = rotors.numbers(ross)
    assert found.keys() == ROSS.keys()
    _equal(found, ROSS)


def _equal(found, want):
    if isinstance(want, dict):
        assert found.keys() == want.keys()
        for key, value in want.items():
            _equal(found[key], value)
    else:
        assert np.array(found) == pytest.approx(np.array(want), rel=1e-8, abs=1e-12)
