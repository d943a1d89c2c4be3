"""A campaign that takes a second: two masses, a step of torque, five seconds."""

import pytest

FILE = """
name: quick
bodies: [{name: rotor, inertia: 4e7 kg m^2}, {name: generator, inertia: 5e6 kg m^2}]
shafts: [{name: main, between: [rotor, generator], torsional_stiffness: 8.7e8 N m/rad, damping: 6e6 N m s/rad}]
machines: [{name: machine, type: constant, drives: generator, parameters: {torque: 0 N m}}]
model: {fidelity: torsional, law: linear}
operating: {input: rotor, output: generator, speed: 12 rpm, torque: 0 N m}
cases:
  - {name: base, duration: 5 s, discard: 1 s, exponents: [4], counting_interval: 0.01 s, output_interval: 0.01 s,
     loads: [{on: rotor, torque: {step: {from: 0 N m, to: 1 MN m, at: 2 s}}}]}
  - {name: stepped, base: base}
campaigns:
  - name: steps
    case: stepped
    grid:
      loads.0.torque.step.to: [1 MN m, 2 MN m, 4 MN m]
      shafts.main.damping: {soft: 3e6 N m s/rad, hard: 6e6 N m s/rad}
    partial_factor: 1.35
"""


@pytest.fixture(scope="session")
def quick(tmp_path_factory):
    """File of the campaign."""
    path = tmp_path_factory.mktemp("campaign") / "quick.yaml"
    path.write_text(FILE)
    return path
