"""Reactions of motions that a fidelity leaves out have the inertia of what they carry, with the right sign (C40)."""

import numpy as np
import pytest

import gearwright as gw
from gearwright.results import Result

STIFF = {"stiffness": 1e11, "damping": {"ratio": 0.3}}
SPRUNG = {"stiffness": 1e10, "damping": {"ratio": 0.3}}
#: four planets of 1.5 t on pins of 186 mm: most of what the pins carry is their inertia
TRAIN = {
    "name": "ramp", "bodies": [{"name": "rotor", "inertia": "500 kg m^2"}, {"name": "machine", "inertia": "3 kg m^2"}],
    "stages": [{
        "name": "p", "type": "planetary", "planets": 4, "module": "6 mm", "pressure_angle": "20 deg", "face_width": "100 mm",
        "sun": {"teeth": 28, "mass": "15 kg", "inertia": "0.06 kg m^2"}, "planet": {"teeth": 34, "mass": "1500 kg", "inertia": "0.11 kg m^2"},
        "ring": {"teeth": 96, "mass": "80 kg", "inertia": "8 kg m^2", "fixed": True},
        "carrier": {"mass": "60 kg", "inertia": "3 kg m^2", "inertia_includes_planets": False},
        "meshes": {"sun_planet": SPRUNG, "ring_planet": SPRUNG},
        "bearings": {"sun": {**STIFF, "stiffness": 1e6}, "carrier": STIFF, "planet": STIFF},
    }],
    "shafts": [
        {"name": "in", "between": ["rotor", "p.carrier"], "torsional_stiffness": "3e9 N m/rad", "damping": {"ratio": 0.3}},
        {"name": "out", "between": ["p.sun", "machine"], "torsional_stiffness": "1e8 N m/rad", "damping": {"ratio": 0.3}},
    ],
    "operating": {"input": "rotor", "output": "machine", "speed": "20 rpm", "torque": "20 kN m"}, "model": {"law": "linear"},
    "cases": [{"name": "ramp", "duration": "0.3 s", "discard": "0.2 s", "start": "operating", "record": ["bearings", "bodies", "meshes"],
               "output_interval": "1 ms", "loads": [{"on": "rotor", "torque": "20 kN m"}]}],
}  # fmt: skip


def pins(fidelity, folder):
    """Mean force of a planet on its pin [N] along the radius and across it, and the acceleration of the rotor [rad/s^2]."""
    run = gw.simulate(gw.load(TRAIN), "ramp", fidelity=fidelity, output=folder / f"{fidelity}.nc")
    with Result.open(run.result_file) as result:
        late = result.time > 0.2  # what the start left has died out
        speed = np.polyfit(result.time[late], np.asarray(result.series("rotor", "speed").values)[late], 1)[0]
    both = [np.asarray(run.channels[f"p.planet1_bearing.force_{axis}"]["mean"]) for axis in "yz"]
    assert run.channels["p.planet1_bearing.force"]["mean"] == pytest.approx(float(np.hypot(*both)), rel=1e-6)
    mean = {axis: run.channels[f"p.planet1_bearing.force_{axis}"]["mean"] for axis in "yz"}
    return mean["y"], mean["z"], speed


def test_pins_of_planets_under_a_speed_ramp(tmp_path):
    """Newton for rotor and carrier: the pins take T - (J_rotor + J_carrier) a. Torsional has it from pushes less inertia, planar
    from springs; the wrong sign of the inertia would give 17 kN less."""
    (radial, across, ramp), planar = pins("torsional", tmp_path), pins("planar", tmp_path)
    assert ramp == pytest.approx(25.9, abs=0.1)
    arm = 4 * 0.5 * (28 + 34) * 6e-3
    assert abs(across) == pytest.approx((20e3 - (500.0 + 3.0) * ramp) / arm, rel=1e-4)
    assert (radial, across) == pytest.approx(planar[:2], rel=1e-5, abs=0.1)
    inertia = 1500.0 * 0.186 * ramp
    assert inertia > 0.5 * abs(across)
