"""C27: a mesh whose flanks cannot part and whose force goes through zero is said, with the time that the loop counted; C9: slices."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gearwright as gw
from gearwright.geometry import backlash_by_rule
from gearwright.running.flanks import pulling
from gearwright.schema.read import from_mapping
from gearwright.stiffness.curves import largest_pressure, sliced
from gearwright.stiffness.resolve import mesh_pair_stiffness
from gearwright.stiffness.ste import transmission_error
from gearwright.train.expand import expand

BASE_RADIUS = 0.5 * 41 * 3e-3 * math.cos(math.radians(20.0))


def swinging(amplitude: str, **mesh: Any) -> Any:
    """A pair driven by 100 N m with a swing on top of it, far below its own frequency."""
    torque = {"sine": {"amplitude": amplitude, "frequency": "2 Hz", "mean": "100 N m"}}
    return from_mapping({
        "name": "pair",
        "stages": [{"type": "parallel", "name": "pair", "module": "3 mm", "pressure_angle": "20 deg", "face_width": "30 mm",
                    "wheel": {"teeth": 41, "inertia": "1e-3 kg m^2"}, "pinion": {"teeth": 41, "inertia": "1e-3 kg m^2"},
                    "centre_distance": "123 mm", "mesh": {"stiffness": "1e8 N/m", "damping": {"ratio": "5 %"}, **mesh}}],
        "model": {"fidelity": "torsional", "law": "linear"},
        "operating": {"input": "pair.wheel", "output": "pair.pinion", "speed": "10 rpm", "torque": "100 N m"},
        "cases": [{"name": "swing", "duration": "1 s", "record": ["meshes"],
                   "loads": [{"on": "pair.wheel", "torque": torque}, {"on": "pair.pinion", "torque": torque}]}],
    })  # fmt: skip


def test_a_mesh_that_pulls_is_said_with_time_and_worst_force(tmp_path: Path) -> None:
    """The force is the torque over the base radius: 100 + 300 sin x is below zero for acos(1/3)/pi of the time, at worst -200 N m."""
    run = gw.simulate(swinging("300 N m"), "swing", output=tmp_path / "r.nc")
    assert set(run.pulling) == {"pair.mesh"}
    assert run.pulling["pair.mesh"]["worst_n"] == pytest.approx(-200.0 / BASE_RADIUS, rel=0.02)
    assert run.pulling["pair.mesh"]["time_s"] == pytest.approx(math.acos(1.0 / 3.0) / math.pi, rel=0.02)
    said = [text for text in run.warnings if "pull" in text]
    assert len(said) == 1 and "pair.mesh" in said[0] and f"{1e3 * backlash_by_rule(0.123, 3e-3):.3g} mm" in said[0]
    assert run.to_dict()["pulling"] == run.pulling
    with gw.Result.open(run.result_file) as result:
        assert said[0] in result.warnings


def test_a_mesh_that_stays_loaded_and_one_with_backlash_are_quiet(tmp_path: Path) -> None:
    for amplitude, more in (("50 N m", {}), ("300 N m", {"backlash": "0.1 mm"})):
        run = gw.simulate(swinging(amplitude, **more), "swing", output=tmp_path / "r.nc")
        assert run.pulling == {} and not [text for text in run.warnings if "pull" in text]


def test_round_off_below_zero_is_no_pulling() -> None:
    train = expand(swinging("50 N m"))
    assert pulling(train, "linear", {"pair.mesh": (0.1, -1e-6, 5e3)}) == {}
    assert pulling(train, "tooth_contact", {"pair.mesh": (0.1, -5e3, 5e3)}) == {}


def test_a_helical_course_is_the_spur_course_over_the_slices_of_its_face() -> None:
    """C9: an overlap of one whole cycle leaves no course at all; the mean is that of the spur course."""
    steel = "materials.steel={young: 206 GPa, poisson: 0.3, density: 7850 kg/m^3}"
    train = expand(gw.load("nrel-5mw-nejad", ["stages.2.material=steel", steel]))
    mesh = train.meshes["stage3.mesh"]
    stiff, _ = mesh_pair_stiffness(mesh, train, "analytic")
    phase = np.arange(256) / 256
    spur, course = stiff.over_cycle(phase, True).stiffness, sliced(stiff, phase, True)
    assert stiff.pair.overlap_ratio == pytest.approx(1.42, abs=0.01)
    assert course.mean() == pytest.approx(spur.mean(), rel=5e-3)
    assert np.ptp(course) < 0.35 * np.ptp(spur)  # 0.42 of a cycle is left of the window
    force = 255.9e3
    alone = stiff.over_cycle(phase, True, force).pressure
    sheet = transmission_error(stiff, force * stiff.pair.one.base_radius)
    assert largest_pressure(stiff, alone, force, True) == pytest.approx(sheet.pressure.max(), rel=2e-3)  # what ste says
