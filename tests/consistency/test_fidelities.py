"""One file, several fidelities: where both must agree they do."""

import numpy as np
import pytest

import gearwright as gw
from gearwright.assembly import AssemblyError

STIFF = [
    "stages.stage.bearings.sun.stiffness=1e15", "stages.stage.bearings.ring.stiffness=1e15",
    "stages.stage.bearings.carrier.stiffness=1e15", "stages.stage.bearings.planet.stiffness=1e15",
]  # fmt: skip


def test_planar_with_stiff_supports_is_torsional():
    stiff = gw.modes(gw.load("lin-parker-1999", STIFF), fidelity="planar", law="linear").frequencies_hz
    plain = gw.modes("lin-parker-1999", fidelity="torsional", law="linear").frequencies_hz
    assert stiff[: len(plain)] == pytest.approx(plain, rel=2e-5, abs=1e-3)


def test_the_torsional_limit_needs_every_support_stiff():
    """Physics notes 9: with a soft sun the double mode stays away from the torsional one."""
    soft = [s for s in STIFF if "sun" not in s]
    found = gw.modes(gw.load("lin-parker-1999", soft), fidelity="planar", law="linear").frequencies_hz
    plain = gw.modes("lin-parker-1999", fidelity="torsional", law="linear").frequencies_hz
    double = plain[3]
    assert np.abs(found - double).min() > 0.01 * double


@pytest.mark.parametrize("fidelity", ["torsional", "planar"])
def test_planet_bearing_carries_torque_over_pin_radius(fidelity):
    """Both fidelities: tangential pin load T/(N r_c); in torsional it is the reaction of a dropped motion."""
    torque = 322.6e3
    loads = gw.static_loads("grc-750kw", {"rotor": torque}, fidelity=fidelity)
    train = gw.expand(gw.load("grc-750kw"))
    for i in (1, 2, 3):
        planet = train.bodies[f"stage1.planet{i}"]
        y, z = loads[f"stage1.planet{i}_bearing.force_y"], loads[f"stage1.planet{i}_bearing.force_z"]
        tangential = -np.sin(planet.angle) * y + np.cos(planet.angle) * z
        assert abs(tangential) == pytest.approx(torque / (3 * planet.pin_radius), rel=1e-9)


def test_static_loads_agree_between_fidelities():
    torsional = gw.static_loads("grc-750kw", {"rotor": 322.6e3}, fidelity="torsional")
    planar = gw.static_loads("grc-750kw", {"rotor": 322.6e3}, fidelity="planar")
    for name, value in torsional.items():
        if name.endswith((".force", "LSS.torque", "ISS.torque", "IMS.torque", "HSS.torque")):
            assert planar[name] == pytest.approx(value, rel=1e-6), name


def test_bearings_of_one_body_share_its_load_in_torsional_as_in_planar():
    """Two or three bearings of a planet, wheel or pinion, of different stiffness across and along: parallel springs on one
    motion. At rest both fidelities carry the same torque by the same rows, so nothing else can differ."""
    torque = {"rotor": 3946e3}
    plain, planar = (gw.static_loads("nrel-5mw-nejad-source", torque, fidelity=f) for f in ("torsional", "planar"))
    shared = [f"stage3.wheel_IMS_{c}" for c in "ABC"] + [f"stage3.pinion_HS_{c}" for c in "ABC"]
    shared += [f"stage{s}.planet{i}_{b}PL_{c}" for s, b in ((1, ""), (2, "IMS_")) for i in (1, 2, 3) for c in "AB"]
    whole = max(abs(planar[f"{name}.force_z"]) for name in shared)
    for name in shared:
        for axis in "yz":
            # stiffness makes the centres of the planar wheels move a little, never the directions of its rows
            assert plain[f"{name}.force_{axis}"] == pytest.approx(planar[f"{name}.force_{axis}"], abs=1e-6 * whole)


@pytest.mark.parametrize("name", ["grc-750kw", "lin-parker-1999", "nrel-5mw-gallego", "nrel-5mw-nejad-source"])
@pytest.mark.parametrize("fidelity", ["torsional", "planar"])
def test_rigid_motion_moves_no_mesh(name, fidelity):
    """A rotation of the whole train at its kinematic ratios: every mesh and shaft row stays at zero."""
    system = gw.assemble(gw.expand(gw.load(name)), fidelity, "linear")
    assert system.shape.rigid == 1
    u = system.u[0]
    holding = [i for i, r in enumerate(system.rows) if r.endswith((".drive", ".torsion")) or "bearing" in r]
    scale = np.abs(system.D[holding]) @ np.abs(u)
    assert (np.abs(system.D[holding] @ u) <= 1e-12 * scale).all()


def test_the_turbine_loads_the_flanks_that_separate():
    """S1 digest 4.2: the radial pin force of the 500 kW stage is +3.48 kN, outward."""
    loads = gw.static_loads(
        "nordtank-500kw-two-level", {"stage1.carrier": 141.86e3}, fidelity="torsional", law="linear"
    )
    train = gw.expand(gw.load("nordtank-500kw-two-level"))
    planet = train.bodies["stage1.planet1"]
    y, z = loads["stage1.planet1_bearing.force_y"], loads["stage1.planet1_bearing.force_z"]
    radial = np.cos(planet.angle) * y + np.sin(planet.angle) * z
    assert radial == pytest.approx(3.48e3, rel=0.01)
    for mesh in ("sun_planet1", "ring_planet1"):
        assert loads[f"stage1.{mesh}.force"] == pytest.approx(90.67e3, rel=1e-3)


def test_anisotropic_support_of_a_turning_member_is_named():
    system = gw.assemble(gw.expand(gw.load("nrel-5mw-nejad-source")), "planar", "linear")
    assert any("PLC_A" in note and "half a turn" in note for note in system.provenance.notes)


def test_mass_without_support_is_an_error_that_names_the_body():
    with pytest.raises(AssemblyError, match=r"stage\.sun.*no bearing holds it"):
        gw.assemble(gw.expand(gw.load("s0-small-planetary")), "planar", "linear")
