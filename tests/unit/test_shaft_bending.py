"""Bending of shafts on the rating sheet: statics by hand, in a planar and a spatial run of one spur pair."""

import math

import numpy as np
import pytest
import yaml

from gearwright.analyses.rating_sheet import rating_sheet
from gearwright.rating.ratings import LifeInputError
from gearwright.rating.shaft_bending import beyond_section, shared
from gearwright.running.run import simulate
from gearwright.train.open import load

pytestmark = pytest.mark.slow

TORQUE, SPEED = 500.0, 30.0
LEFT, RIGHT = 150.0, 250.0  # mm from the wheel
PAIR = f"""
name: pair
stages:
  - name: s
    type: parallel
    module: 5 mm
    pressure_angle: 20 deg
    centre_distance: 150 mm
    face_width: 60 mm
    wheel: {{teeth: 20, mass: 3 kg, inertia: 0.004 kg m^2}}
    pinion: {{teeth: 40, mass: 12 kg, inertia: 0.06 kg m^2}}
    mesh: {{stiffness: 8e8 N/m, damping: {{ratio: 5 %}}}}
    bearings:
      wheel:
        - {{name: A, stiffness: 1e9 N/m, axial_stiffness: 1e9 N/m, x: -{LEFT} mm, damping: {{ratio: 5 %}}}}
        - {{name: B, stiffness: 3e9 N/m, x: {RIGHT} mm, damping: {{ratio: 5 %}}}}
      pinion:
        - {{name: A, stiffness: 1e9 N/m, axial_stiffness: 1e9 N/m, x: -150 mm, damping: {{ratio: 5 %}}}}
        - {{name: B, stiffness: 1e9 N/m, x: 150 mm, damping: {{ratio: 5 %}}}}
bodies: [{{name: motor, inertia: 0.5 kg m^2}}]
shafts: [{{name: drive, between: [motor, s.wheel], torsional_stiffness: 5e5 N m/rad, damping: {{ratio: 2 %}}}}, {{name: out, between: [s.pinion, brake], torsional_stiffness: 1e6 N m/rad, damping: {{ratio: 2 %}}}}]
machines: [{{name: brake, type: constant, inertia: 2 kg m^2, parameters: {{torque: {2 * TORQUE} N m}}}}]
operating: {{input: motor, output: brake, speed: {SPEED} rad/s, torque: {TORQUE} N m}}
cases: [{{name: still, duration: 0.3 s, discard: 0.1 s, loads: [{{on: motor, torque: {TORQUE} N m}}, {{on: brake, torque: {2 * TORQUE} N m, slope: -50 N m s/rad}}]}}]
"""


def test_two_bearings_share_by_the_lever_rule_and_three_hold_the_balance():
    force = np.array([[3e3, -1e3], [4e3, 2e3]])
    two = shared(force, [-0.2, 0.3], np.ones((2, 2)))
    assert two[0] == pytest.approx(0.6 * force) and two[1] == pytest.approx(0.4 * force)
    assert np.hypot(*beyond_section(two, [-0.2, 0.3], 1e-12))[0] == pytest.approx(5e3 * 0.2 * 0.3 / 0.5)
    places = [-0.35, 0.3, 0.4]
    three = shared(force, places, np.array([[1e9, 1e9], [2e9, 5e8], [3e9, 1e9]]))
    assert three.sum(axis=0) == pytest.approx(force)
    assert np.einsum("n,nkt->kt", places, three) == pytest.approx(np.zeros((2, 2)), abs=1e-9)
    # a section between the two bearings on the right feels the outer one alone
    assert beyond_section(three, places, 0.35) == pytest.approx(0.05 * three[2])


@pytest.mark.parametrize("fidelity", ["planar", "spatial"])
def test_bending_of_a_pinion_shaft_is_that_of_statics(tmp_path, fidelity):
    """Normal force T/r_b across a beam on two bearings: M = F a (L - s)/L at s right of the wheel. The springs of the planar model share by
    stiffness alone, so their sum has to be shared anew."""
    force = TORQUE / (0.05 * math.cos(math.radians(20.0)))
    (tmp_path / "pair.yaml").write_text(f"{PAIR}model: {{fidelity: {fidelity}, law: linear}}\n")
    simulate(load(tmp_path / "pair.yaml"), "still", output=tmp_path / "pair.nc")
    for section in (1.0, 100.0, -60.0):
        part = {"on": "drive", "diameter": "60 mm", "at": f"{section} mm", "of": "s.wheel",
                "din743": {"tensile": "1100 MPa", "yield_point": "900 MPa", "notch": {"type": "key"}}}  # fmt: skip
        life = {"years": 20, "gears": [{"on": "*"}], "shafts": [part]}
        (tmp_path / "life.yaml").write_text(yaml.safe_dump({"life": life}))
        table = next(
            t for t in rating_sheet(tmp_path / "pair.nc", tmp_path / "life.yaml").parts if t.title[:6] == "Shafts"
        )
        row = dict(zip(table.heads, table.rows[0], strict=True))
        span = LEFT + RIGHT
        want = 1e-3 * force * (LEFT * (RIGHT - section) if section > 0 else RIGHT * (LEFT + section)) / span
        assert 1e3 * row["M_b in kN m"] == pytest.approx(want, rel=3e-3), section
        assert row["M_b by"] == f"run, {section:g} mm of s.wheel" and row["S_D"] < 1e3
    for wrong, words in (({"of": "s.weel"}, "no body 's.weel'"), ({"of": None}, "put a gauge there")):
        life["shafts"] = [{**part, **wrong}]
        (tmp_path / "life.yaml").write_text(yaml.safe_dump({"life": life}))
        with pytest.raises(LifeInputError, match=words):
            rating_sheet(tmp_path / "pair.nc", tmp_path / "life.yaml")
