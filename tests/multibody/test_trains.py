"""Trains as mechanisms: the same modes and forces as torsional and planar where those hold, energy kept with teeth in contact."""

import numpy as np
import pytest

import gearwright as gw
from gearwright.errors import AssemblyError, DrivetrainError
from gearwright.multibody import Mechanism, MultibodyError, linearise, rows, simulate
from gearwright.multibody.reactions import reactions_over_time
from gearwright.multibody.table import look
from gearwright.results import Result
from gearwright.running.mechanism import mechanism_of, step_of
from gearwright.running.run import simulate as simulate_case
from gearwright.train.expand import expand
from gearwright.train.open import load


def pair_file(law, undamped=False, **mesh):
    """A spur pair 20/40 on bearings of one stiffness, the wheel above and beside the pinion."""
    ratio = {} if undamped else {"damping": {"ratio": 0.05}}
    bearing = {"stiffness": 2e8, **ratio}
    stage = {
        "name": "pair", "type": "parallel", "module": "4 mm", "pressure_angle": "20 deg", "azimuth": "35 deg", "material": "steel",
        "pinion": {"teeth": 20, "face_width": "40 mm", "mass": 2, "inertia": 0.01, "bore": "30 mm"},
        "wheel": {"teeth": 40, "face_width": "40 mm", "mass": 6, "inertia": 0.02, "bore": "60 mm"},
        "mesh": {"stiffness": {"from": "analytic"}, "backlash": "0.1 mm", **ratio, **mesh},
        "bearings": {"pinion": bearing, "wheel": bearing},
    }  # fmt: skip
    return load({
        "name": "pair", "materials": {"steel": {"young": "206 GPa", "poisson": 0.3}}, "stages": [stage],
        "model": {"fidelity": "multibody", "law": law},
        "operating": {"input": "pair.pinion", "output": "pair.wheel", "speed": "600 rpm", "torque": "200 N m"},
        "cases": [{"name": "steady", "duration": 0.04, "start": "equilibrium", "output_interval": 1e-4, "counting_interval": 1e-4,
                   "loads": [{"on": "pair.pinion", "torque": "200 N m"}, {"on": "pair.wheel", "torque": "400 N m"}]}],
    })  # fmt: skip


def at_rest(file, law="linear"):
    """The mechanism of a train without its loads and speeds."""
    made = mechanism_of(file, None, (), 0.01, law)[0]
    return Mechanism(made.bodies, made.joints)


@pytest.mark.parametrize("name", ["s0-small-planetary", "nordtank-500kw"])
def test_modes_are_those_of_torsional(name):
    """Planets carried around, ring meshes, shafts: without bearing stiffness every centre is fixed to its seat. Central
    differences leave 1e-8 of the frequencies."""
    want = gw.modes(name, fidelity="torsional", law="linear").frequencies_hz
    made = at_rest(load(name, ["model.fidelity=multibody", "model.damping=null"]))
    found = np.sort(linearise(made, made.copy()).frequencies_hz)
    assert found[found > 1e-3] == pytest.approx(np.sort(want[want > 1e-3]), rel=1e-7)


def test_modes_are_those_of_planar():
    """All bodies of the 750 kW gearbox on their bearings: damped poles |s| of twelve bodies in the plane."""
    want = gw.modes("grc-750kw-source", fidelity="planar", law="linear").frequencies_hz
    made = at_rest(load("grc-750kw-source", ["model.fidelity=multibody"]))
    found = np.sort(linearise(made, made.copy()).frequencies_hz)
    # poles of damped modes; damping that is not proportional moves |s| by zeta^2, 1e-4 for 1 %
    assert found[found > 1e-3] == pytest.approx(np.sort(want[want > 1e-3]), rel=2e-4)


def normal_forces(file, mesh, **options):
    """Normal force of a mesh over time as fidelity multibody has it."""
    made, drivetrain, case, length = mechanism_of(file, None, (), **options)
    run = simulate(made, length, step_of(made, drivetrain), case.output_interval)
    assert max(run.position_error, run.velocity_error) < 1e-10
    _, _, teeth = reactions_over_time(run, [mesh], [mesh])
    return run, teeth[:, 0, 0]


def test_a_loaded_start_is_steady_and_carries_what_planar_carries():
    """The 5 MW gearbox under rated torque: springs wound up, planets carried around by their pins at full speed. With constant
    stiffness nothing may swing (1e-5 of the force; the anisotropic bearings of the source turn under the planets)."""
    file = load("nrel-5mw-nejad-source", ["model.fidelity=multibody"])
    made, drivetrain, _, _ = mechanism_of(file, None, (), 0.01, "linear")
    assert not any("no loaded position" in note for note in made.notes)
    run = simulate(made, 0.01, step_of(made, drivetrain), 1e-3)
    meshes = ["stage1.sun_planet1", "stage1.ring_planet2", "stage2.sun_planet3", "stage3.mesh"]
    _, _, teeth = reactions_over_time(run, meshes, meshes)
    force = np.abs(teeth[:, :, 0])
    assert np.ptp(force, axis=0) == pytest.approx(np.zeros(4), abs=1e-5 * force.max())
    # balance of torques: what the rotor brings, less what speeds the whole up (45 ppm of it a second squared), on three planets
    train = expand(file, "planar")
    mesh = train.meshes["stage1.ring_planet1"]
    sun = train.meshes["stage1.sun_planet1"]
    arm = mesh.base_radius[1] + sun.base_radius[0]  # lever of both meshes of a planet about the axis of the carrier
    assert force[0, :2].sum() / 2 * 3 * arm == pytest.approx(3945.9903e3, rel=1e-3)


def test_tooth_contact_is_that_of_planar(tmp_path):
    """Teeth pair by pair, centres that give way: two formulations (rows in fixed axes with terms of higher order there, the true line of
    centres here) and two integrations. planar starts from the balance of the mean stiffness; once its swing has died down
    both are in the same cycle, to two thousandths of it."""
    _, ours = normal_forces(pair_file("tooth_contact"), "pair.mesh")
    run = simulate_case(pair_file("tooth_contact"), fidelity="planar", output=tmp_path / "a.nc", tolerance=1e-5)
    with Result.open(run.result_file) as result:
        want = result.series("pair.mesh", "force").values
    assert len(want) == len(ours) - 1 == 400
    late = slice(250, None)
    assert np.ptp(want[late]) > 0.1 * want.mean()
    assert np.abs(np.abs(ours[1:]) - want)[late].max() < 4e-3 * np.ptp(want[late])


def stored(made, place):
    """Energy of elastic rows and laws at a place [J]."""
    work = made.work()
    look(made.arrays, place, work)
    total, seen = 0.0, set()
    for k, row in enumerate(made.rows):
        if not row.elastic:
            continue
        if row.law is None:
            total += 0.5 * made.arrays.par[k, rows.STIFFNESS] * work.phi[k] ** 2
        elif row.joint not in seen:
            seen.add(row.joint)
            count = row.law.rows + row.law.senses
            total += row.law.energy(work.d[k : k + count].copy(), work.dv[k : k + count].copy(), np.zeros(0), 0)
    return total


def test_teeth_in_contact_keep_the_energy():
    """Undamped, twenty mesh cycles from a loaded start whose loads then vanish: the teeth let go, cross their backlash and
    strike both flanks. What is lost is the error of fixed steps where pairs touch, and it falls with the step."""
    file = pair_file("tooth_contact", undamped=True)
    made = mechanism_of(file, None, (), 0.02)[0]
    free = Mechanism(made.bodies, made.joints)
    start = made.copy()
    before = free.kinetic_energy(start.v) + stored(free, start)
    elastic = stored(free, start)
    lost = []
    for step in (2e-6, 5e-7):
        run = simulate(free, 0.1, step, 1e-3, start=start)
        assert run.velocity[:, 0, 3].std() > 0.0
        lost.append(abs(free.kinetic_energy(run.end.v) + stored(free, run.end) - before) / elastic)
    assert lost[0] < 2e-2 and lost[1] < 0.5 * lost[0] + 1e-4


def test_what_is_not_computed_is_refused():
    with pytest.raises(MultibodyError, match="choose planar or spatial"):
        mechanism_of(load("elastic-lossy-3dof", ["model.fidelity=multibody"]), None, (), 0.01)
    with pytest.raises(MultibodyError, match="the mesh 'GH' has no place"):
        mechanism_of(load("tracked-steering", ["model.fidelity=multibody"]), None, (), 0.01)
    with pytest.raises(AssemblyError, match="there is no law 'quadratic'; choose rigid, linear"):
        mechanism_of(load("s0-small-planetary", ["model.fidelity=multibody"]), None, (), 0.01, "quadratic")
    with pytest.raises(DrivetrainError, match="for the meshes of a train"):
        mechanism_of(load("slider-crank"), None, (), 0.01, "linear")
