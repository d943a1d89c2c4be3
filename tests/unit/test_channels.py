"""Every channel of a model stands in one table, with the unit and the counting that the model gives it."""

import numpy as np
import pytest

import gearwright as gw
from gearwright.results.channels import derived_channels
from gearwright.running.mechanism import mechanism_of
from gearwright.running.mechanism_result import _motions, _reactions, _teeth
from gearwright.running.prepare import prepare
from gearwright.running.setup import prepare_setup
from gearwright.running.turbine_channels import turbine_channels
from gearwright.system.channels import CHANNELS
from gearwright.units import DIMENSIONS, to_si

MODELS = [
    ("grc-750kw", "torsional"), ("grc-750kw", "planar"), ("grc-750kw", "spatial"), ("nrel-5mw-nejad-source", None), ("tooth-wedging", None),
    ("elastic-lossy-3dof", None), ("tracked-steering", None), ("zf-4hp14", None), ("spur-pair-hertz", None), ("simple-planetary", None),
]  # fmt: skip


def differing(channels):
    """Channels that the table does not have, or has with another unit or counting."""
    wrong = []
    for c in channels:
        known = CHANNELS[c.kind].get(c.quantity)
        if known is None or (known.unit, known.counted) != (c.unit, c.counted) or not known.long_name:
            wrong.append((c.name, c.unit, c.counted, known))
    return wrong


@pytest.mark.parametrize(("name", "fidelity"), MODELS)
def test_channels_of_trains_are_those_of_the_table(name, fidelity):
    made = prepare(gw.load(name), fidelity=fidelity, duration=1.0)
    assert not differing([*made.system.channels, *derived_channels(made.system.channels, made.train)])


def test_channels_of_a_turbine_and_its_machine_are_those_of_the_table():
    setup = prepare_setup(gw.load("nrel-5mw"), None, fidelity="torsional", law="linear", duration=1.0, stepped=True)
    assert not differing([*setup.system.channels, *turbine_channels()])


def test_channels_of_mechanisms_are_those_of_the_table():
    mechanism = mechanism_of("spur-pair-joints")[0]
    joints = list(dict.fromkeys(row.joint for row in mechanism.rows))
    assert not differing([*_motions(mechanism), *_reactions(mechanism, joints), *_teeth(["a"])])


def test_units_are_units():
    """Every unit reads as a quantity of SI with factor 1, by the reader of files."""
    units = {q.unit for of in CHANNELS.values() for q in of.values()} - {"1", "var", "Wb", "N/m", "1/m"}
    factors = {unit: [] for unit in units}
    for unit in units:
        for dimension in DIMENSIONS.values():
            try:
                factors[unit].append(to_si(f"1 {unit}", dimension))
            except ValueError:
                continue
    assert all(1.0 in found for found in factors.values()), factors


def test_a_result_says_what_a_channel_is(tmp_path):
    run = gw.simulate("spur-pair-hertz", duration=0.02, output=tmp_path / "a.nc")
    with gw.Result.open(run.result_file) as result:
        force = result.series("pair.mesh.force")
        assert force.attrs["long_name"] == "mesh force, transverse line of action" and force.attrs["units"] == "N"
        assert np.isfinite(force).all()
