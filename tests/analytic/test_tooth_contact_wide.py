"""Tooth contact across a face that tilts, and friction between the flanks of every pair."""

import ctypes
import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gearwright as gw
from gearwright.assembly import AssemblyError, assemble
from gearwright.assembly.contact import contact
from gearwright.assembly.losses import mesh_loss
from gearwright.errors import DrivetrainError
from gearwright.geometry.pair import pair_from_facts
from gearwright.laws import tooth_contact_pair as P
from gearwright.laws.tooth_contact import Lack, look, tooth_contact
from gearwright.results import Result
from gearwright.results.section_loads import face_load_factor
from gearwright.running.run import simulate
from gearwright.stiffness.iso6336 import iso_stiffness
from gearwright.train.expand import expand
from gearwright.train.open import load

DOCS = Path(__file__).parents[2] / "docs"
STEEL = {"young": "206 GPa", "poisson": 0.3}


def pair_file(**more):
    """A spur pair 20/40 on bearings that hold everything, at fidelity spatial."""
    bearing = {"stiffness": 1e9, "axial_stiffness": 1e9, "tilt_stiffness": 1e7, "damping": {"ratio": 0.05}}
    stage = {
        "name": "pair", "type": "parallel", "module": "4 mm", "pressure_angle": "20 deg", "azimuth": "0 deg", "material": "steel",
        "pinion": {"teeth": 20, "face_width": "40 mm", "mass": 2, "inertia": 0.01, **more.pop("pinion", {})},
        "wheel": {"teeth": 40, "face_width": "40 mm", "mass": 6, "inertia": 0.02},
        "mesh": {"stiffness": {"from": "analytic"}, "backlash": "0.1 mm", "damping": {"ratio": 0.05}, **more.pop("mesh", {})},
        "bearings": {"pinion": bearing, "wheel": bearing}, **more,
    }  # fmt: skip
    for wheel, bore in (("pinion", "30 mm"), ("wheel", "60 mm")):
        stage[wheel] = {"bore": bore, **stage[wheel]}
    return {
        "name": "face", "materials": {"steel": STEEL}, "stages": [stage], "model": {"fidelity": "spatial", "law": "tooth_contact"},
        "operating": {"input": "pair.pinion", "output": "pair.wheel", "speed": "600 rpm", "torque": "200 N m"},
        "cases": [{"name": "steady", "duration": 0.03, "start": "equilibrium", "speeds": {"pair.pinion": "600 rpm"},
                   "loads": [{"on": "pair.wheel", "torque": "400 N m"}]}],
    }  # fmt: skip


def forces(law, d, dv):
    values = [np.ascontiguousarray(x, float) for x in (d, dv, law.parameters, [0.0, 0.0], [0.0])]
    f, zd = np.zeros(law.rows + law.senses), np.zeros(2)
    pointer = [x.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for x in (*values, f, zd)]
    law.force.ctypes(0.0, *pointer[:5], 0, *pointer[5:])
    return f, zd


def simple(internal=False, **more):
    """Data of a contact without modifications, teeth of a constant stiffness."""
    if internal:
        train = expand(load("tooth-wedging"))
        made = contact(train.meshes["gear.ring_planet1"], train)
    else:
        train = expand(load(pair_file()))
        made = contact(train.meshes["pair.mesh"], train)
    return made, replace(made.data, **more)


# --- across the face --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("internal", [False, True])
def test_force_is_the_gradient_of_the_energy_with_a_face_that_tilts(internal):
    made, data = simple(internal, slices=5, overlap=-0.3, crown=1e-6, chi=0.0)
    law = tooth_contact(data, True, made.stiffness, 0.0, tilts=True)
    rng = np.random.default_rng(3)
    along = data.pitch if data.rising else -data.pitch

    def energy(d):
        at = d.copy()
        at[law.rows] += d[2] / along  # the travel turns the wheels
        return look(law, at).energy

    checked = 0
    for _ in range(40):
        d = np.zeros(law.rows + 1)
        d[5:7] = 1e-4 * rng.standard_normal(2)
        d[7:9] = 2.0 * made.deflection / data.face_width * rng.standard_normal(2)
        d[law.rows] = 30.0 * rng.random()
        side = int(rng.random() < 0.3)
        d[side] = (data.backlash if side else 0.0) + made.deflection * (1.0 + 2.0 * rng.random())
        d[1 - side] = data.backlash - d[side] - 1e-3
        f, _ = forces(law, d, np.zeros(len(d)))
        if f[side] < 1.0:
            continue
        for j, size in ((0, 1.0), (1, 1.0), (2, 3e-3), (5, 1.0), (6, 1.0), (7, data.face_width), (8, data.face_width)):
            h = 1e-9 / min(size, 1.0) if j != 2 else 1e-7
            up, down = d.copy(), d.copy()
            up[j] += h
            down[j] -= h
            slope = (energy(up) - energy(down)) / (2.0 * h)
            # differences over kinks where a slice begins to touch
            assert slope == pytest.approx(f[j], abs=3e-3 * f[side] * size)
        checked += 1
    assert checked > 20


def test_straight_teeth_share_the_load_as_the_closed_form_says():
    """KHbeta of a linear distribution and of one that lifts off at one end, from force and moment of the law."""
    free = (0.0, 0.0, 0.0)
    made, data = simple(contact=None, compliance=(2e-9,), chi=0.0, slices=41, beyond=0.0)
    lack = tuple(Lack(w.side, w.tip, w.begin, corner=free) for w in data.lack)
    law = tooth_contact(replace(data, lack=lack, face_width=0.04), False, 1e9, 0.0, tilts=True)
    single = 0.5 * ((data.path[1] - data.path[0]) / data.pitch - 1.0 + 1.0)
    assert 0.0 < (data.path[1] - data.path[0]) / data.pitch - 1.0 < single < 1.0  # one pair carries there
    for tilt, partly in ((2e-4, False), (-1.5e-4, False), (8e-4, True)):
        d = np.zeros(law.rows + 1)
        d[0], d[1], d[5], d[-1] = 5e-6, -1.0, tilt, single
        f, _ = forces(law, d, np.zeros(len(d)))
        assert f[5] * tilt > 0.0
        expected = float(face_load_factor(f[0], f[5], 0.04))
        # the end slice is a 41st of the face: its mean lies half a slice from the edge
        assert f[law.rows] == pytest.approx(expected, rel=0.03)
        assert f[7] == pytest.approx(f[law.rows] * f[0] / 0.04, rel=1e-12)
        assert (expected > 2.0) == partly
    # stiffness against a tilt: k b^2 / 12 of the whole face
    stiff = 1.0 / 2e-9
    d = np.zeros(law.rows + 1)
    d[0], d[1], d[5], d[-1] = 5e-6, -1.0, 1e-5, single
    assert forces(law, d, np.zeros(len(d)))[0][5] == pytest.approx(stiff * 0.04**2 / 12.0 * 1e-5, rel=1e-9)


def test_static_loads_know_what_the_law_reports(tmp_path):
    """C29: the face load factor stands in the place of a sense row, which no statics looked at: it was 0. It is that of force
    and moment in closed form (ends of the face are a few per cent stiffer), line load times width over force, and what a
    run has."""
    file = pair_file(mesh={"misalignment": "10 um", "stiffness": {"from": "analytic"}})
    loads = gw.static_loads(load(file), {"pair.pinion": 200.0})
    factor = loads["pair.mesh.face_load_factor"]
    closed = float(face_load_factor(loads["pair.mesh.force"], loads["pair.mesh.face_moment"], 0.04))
    assert closed > 1.1 and factor == pytest.approx(closed, rel=0.08)
    run = simulate(load(file), output=tmp_path / "run.nc")
    assert factor == pytest.approx(run.channels["pair.mesh.face_load_factor"]["mean"], rel=0.03)


def test_face_load_factor_of_a_misaligned_pair_side_by_side():
    """Method C (straight face that lifts off), beams with slices, and contact of true teeth: the table of docs/life.md.

    The stiffness of both closed forms is ISO 6336-1's of the pair: c_gamma_beta, 0.85 c_gamma_alpha, in method C, c_gamma_alpha (the model's) beside
    it; they share nothing with the statics of the other columns but the geometry."""
    rows = re.findall(r"^\| (\d+) um \|([^\n]+)\|$", (DOCS / "life.md").read_text(encoding="utf-8"), re.M)
    assert len(rows) == 5
    own = 0.0
    wide = {"stiffness": 1e12, "axial_stiffness": 1e12, "tilt_stiffness": 1e12, "damping": {"ratio": 0.05}}
    for width, rest in rows:
        printed = [float(x) for x in rest.split("|")]
        file = pair_file(
            mesh={"misalignment": f"{width} um", "stiffness": {"from": "iso6336"}},
            bearings=dict.fromkeys(("pinion", "wheel"), wide),
        )
        found = []
        for law in ("linear", "tooth_contact"):
            train = load(file, [f"model.law={law}", "model.face_slices=41"])
            loads = gw.static_loads(train, {"pair.pinion": 200.0})
            force, moment = loads["pair.mesh.force"], loads["pair.mesh.face_moment"]
            law_has = loads.get("pair.mesh.face_load_factor")
            found.append(law_has if law_has is not None else float(face_load_factor(force, moment, 0.04)))
        mesh = expand(load(file)).meshes["pair.mesh"]
        unit = 200.0 / (2e-3 * 20 * math.cos(math.radians(20.0))) / 0.04
        stiff = iso_stiffness(pair_from_facts(mesh.wheels, mesh.centre_distance), load=unit)
        by_c, closed = (
            1.0 + x if x <= 1.0 else 2.0 * math.sqrt(x)
            for x in (float(width) * 1e-6 * c / (2.0 * unit) for c in (stiff.mesh_beta, stiff.mesh))
        )
        # slices that only push are the closed form; so are true teeth with their own stiffness at this instant, two pairs in contact,
        # which the smallest misalignment shows
        own = own or (found[1] - 1.0) / float(width)
        x = own * float(width)
        assert found[0] == pytest.approx(closed, rel=0.005)
        assert found[1] == pytest.approx(1.0 + x if x <= 1.0 else 2.0 * math.sqrt(x), rel=0.02)
        assert printed == pytest.approx([by_c, closed, *found], abs=0.006)


def test_spatial_without_a_tilt_is_planar(tmp_path):
    found = {}
    for fidelity in ("planar", "spatial"):
        run = simulate(load(pair_file()), fidelity=fidelity, output=tmp_path / f"{fidelity}.nc")
        assert run.energy_error < 1e-6
        with Result.open(run.result_file) as result:
            found[fidelity] = result.series("pair.mesh", "force").values
    # a spur pair in the middle of its bearings tilts nothing: two integrations at the default tolerance
    assert found["spatial"] == pytest.approx(found["planar"], rel=2e-4)


def test_misalignment_and_crowning_across_the_face(tmp_path):
    """The moment of a misaligned face against springs in a row, and crowning takes the load from the end."""
    file = pair_file(mesh={"misalignment": "10 um", "stiffness": {"from": "analytic"}})

    def mean(name, sets, fidelity="spatial"):
        return simulate(load(file, sets), fidelity=fidelity, output=tmp_path / f"{name}.nc").channels

    plain = mean("plain", ())
    crowned = mean("crowned", ["stages.pair.pinion.lead_crowning=3 um"])
    moment = plain["pair.mesh.face_moment"]["mean"]
    train = expand(load(file))
    stiff = contact(train.meshes["pair.mesh"], train).stiffness * 0.04**2 / 12.0
    # the face gives way in series with the tilts of both wheels; the ends of the face are stiffer than its middle under load
    assert moment == pytest.approx(-stiff * 10e-6 / 0.04 / (1.0 + stiff * 2.0 / 1e7), rel=0.05)
    assert plain["pair.mesh.face_load_factor"]["mean"] > crowned["pair.mesh.face_load_factor"]["mean"] > 1.1
    assert plain["pair.mesh.line_load"]["max"] > crowned["pair.mesh.line_load"]["max"]
    # the same flanks without anything that tilts: the whole misalignment stays
    held = mean("held", (), "torsional")
    assert held["pair.mesh.face_moment"]["mean"] < moment < 0.0


@pytest.mark.parametrize("fidelity", ["torsional", "planar", "spatial"])
def test_helical_teeth_in_motion(fidelity, tmp_path):
    """Mean force and thrust from the torque; slices over the face leave less of the ripple than the spur section has."""
    sets = ["stages.pair.helix_angle=25 deg"]
    spread, runs = {}, {}
    for helical in ("averaged", "spur"):
        run = simulate(load(pair_file(), [*sets, f"model.helical={helical}"]), fidelity=fidelity,
                       output=tmp_path / f"{helical}.nc")  # fmt: skip
        with Result.open(run.result_file) as result:
            values = np.asarray(result.series("pair.mesh", "force").values)
        spread[helical], runs[helical] = values.std(), run
        assert run.energy_error < 1e-6
    assert spread["averaged"] < 0.6 * spread["spur"]
    train = expand(load(pair_file(), sets))
    mesh = train.meshes["pair.mesh"]
    force = runs["averaged"].channels["pair.mesh.force"]["mean"]
    # over six cycles of a mean that is not settled to the last digit
    wheel = mesh.base_radius[mesh.between.index("pair.wheel")]
    assert force == pytest.approx(400.0 / wheel, rel=5e-3)
    if fidelity == "spatial":
        thrust = runs["averaged"].channels["pair.mesh.axial_force"]["mean"]
        # tan(beta_b) = tan(beta) cos(alpha_t)
        transverse = math.atan(math.tan(math.radians(20.0)) / math.cos(math.radians(25.0)))
        assert abs(thrust) == pytest.approx(force * math.tan(math.radians(25.0)) * math.cos(transverse), rel=1e-6)


def test_a_hand_says_which_end_of_the_face_enters_first():
    """Right-hand teeth are ahead at +x where the wheel turns positively (a screw: x = p theta)."""
    for hand, sign in (("right", 1.0), ("left", -1.0)):
        train = expand(load(pair_file(helix_angle="25 deg", hand=hand)))
        mesh = train.meshes["pair.mesh"]
        made = contact(mesh, train)
        assert made.data.overlap * mesh.phase_direction * sign > 0.0
        assert abs(made.data.overlap) == pytest.approx(mesh.overlap_ratio)


def test_a_face_without_a_width_is_asked_for():
    wheels = ("stages.pair.pinion.face_width=null", "stages.pair.wheel.face_width=null")
    train = expand(load(pair_file(mesh={"stiffness": "3e8 N/m"}), list(wheels)))
    with pytest.raises(AssemblyError, match="missing 'face_width': its face tilts"):
        assemble(train, "spatial", "tooth_contact")


# --- friction ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("internal", [False, True])
def test_friction_of_a_pair_is_coulombs_at_its_point_of_contact(internal):
    """Both material points and both moments from the geometry of the plane: the force on wheel one is opposite to its
    sliding over wheel two, with arms from the centres; the power of all forces is the heat."""
    mu = 0.06
    if internal:
        made, data = simple(True, friction=mu, chi=0.0)
    else:
        made, data = simple(friction=mu, chi=0.0)
    law = tooth_contact(data, True, made.stiffness, 0.0)
    rb1 = data.base_radii[0]
    rb2 = data.base_radii[1]
    alpha = made.pair.working_angle
    rng = np.random.default_rng(11)
    seen = 0
    for trial in range(40):
        coast = int(trial % 4 == 3)
        s = -data.sigma if coast else data.sigma
        w1, w2, vx, vy = 60.0 * rng.standard_normal(), 30.0 * rng.standard_normal(), *(0.2 * rng.standard_normal(2))
        # rows: external flank (r1 th1 + r2 th2), internal (r1 th1 - r2 th2); centres along and across (frame of gear one)
        second = -1.0 if internal else 1.0
        u1, u2 = data.sigma * rb1 * w1, data.sigma * second * rb2 * w2
        d = np.zeros(law.rows + 1)
        d[coast] = (data.backlash if coast else 0.0) + made.deflection
        d[1 - coast] = -1.0
        d[-1] = 20.0 * rng.random()
        dv = np.zeros(law.rows + 1)
        dv[2], dv[law.rows - 2], dv[5], dv[6] = u1, u2, vx, vy
        f, zd = forces(law, d, dv)
        smooth = list(law.parameters)
        smooth[P.MU] = 0.0
        rubbed = f - forces(law._replace(parameters=tuple(smooth)), d, dv)[0]
        touching = look(law, d)
        # external: centre two at +a; internal: gear one at +a from the ring's centre. Relative motion is that of gear two
        # (external) or gear one (internal) away from the other
        o1, o2 = (
            (np.array([data.distance, 0.0]), np.zeros(2)) if internal else (np.zeros(2), np.array([data.distance, 0.0]))
        )
        v1, v2 = (np.array([vx, vy]), np.zeros(2)) if internal else (np.zeros(2), np.array([vx, vy]))
        n = np.array([math.sin(alpha), s * math.cos(alpha)])
        t1 = o1 + rb1 * np.array([math.cos(alpha), -s * math.sin(alpha)])
        across = np.array([-n[1], n[0]])
        torque1 = torque2 = power = 0.0
        force1 = np.zeros(2)
        for arc, push in zip(touching.arc, touching.force, strict=True):
            at = t1 + arc * n
            speed = [v + w * np.array([-(at - o)[1], (at - o)[0]]) for v, w, o in ((v1, w1, o1), (v2, w2, o2))]
            sliding = float((speed[0] - speed[1]) @ across)
            drag = -mu * push * sliding / math.hypot(sliding, data.creep) * across
            force1 += drag
            torque1 += (at - o1)[0] * drag[1] - (at - o1)[1] * drag[0]
            torque2 -= (at - o2)[0] * drag[1] - (at - o2)[1] * drag[0]
            power -= drag @ (speed[0] - speed[1])
        # rows push back: generalised force -f on what each row measures
        size = mu * touching.force.sum()
        assert -rubbed[2] * data.sigma * rb1 == pytest.approx(torque1, abs=1e-9 * size)
        assert -rubbed[law.rows - 2] * data.sigma * second * rb2 == pytest.approx(torque2, abs=1e-9 * size)
        moved = force1 if internal else -force1
        assert -rubbed[5:7] == pytest.approx(moved, abs=1e-9 * size)
        assert rubbed[0] == rubbed[1] == 0.0  # the normal force stays the normal force
        assert f[law.rows - 1] == pytest.approx(power, rel=1e-9) and zd[0] == f[law.rows - 1] >= 0.0
        seen += len(touching.force) > 0
    assert seen == 40


def test_friction_turns_at_the_pitch_point():
    made, data = simple(friction=0.05, chi=0.0)
    law = tooth_contact(data, False, made.stiffness, 0.0)
    low, high = data.path
    at = (made.pair.path.pitch_point - low) / data.pitch
    at = at if data.rising else (high - made.pair.path.pitch_point) / data.pitch
    turn = 10.0 * (1.0 if data.rising else -1.0)  # the arc of the contact grows or shrinks with the phase
    signs = []
    for off in (-0.02, 0.02):
        d = np.zeros(law.rows + 1)
        d[0], d[1], d[-1] = 4e-6, -1.0, at + off
        dv = np.zeros(law.rows + 1)
        dv[2], dv[law.rows - 2] = turn, -turn
        alone = look(law, d)
        assert len(alone.force) == 1
        signs.append(float(forces(law, d, dv)[0][2]))
    assert signs[0] * signs[1] < 0.0


def test_loss_of_a_pair_with_friction_is_that_of_ohlendorf():
    """``loss = mu H_V``, H_V = pi (1/z1 + 1/z2)(1 - eps + eps1^2 + eps2^2), where pairs share the load equally."""
    free = (0.0, 0.0, 0.0)
    made, data = simple(contact=None, compliance=(2e-9,), chi=0.0, beyond=0.0, friction=0.05)
    lack = tuple(Lack(w.side, w.tip, w.begin, corner=free) for w in data.lack)
    law = tooth_contact(replace(data, lack=lack), False, 1e9, 0.0)
    low, high, pitch = *data.path, data.pitch
    middle = made.pair.path.pitch_point
    e1, e2 = (middle - low) / pitch, (high - middle) / pitch
    expected = 0.05 * math.pi * (1.0 / 20.0 + 1.0 / 40.0) * (1.0 - e1 - e2 + e1**2 + e2**2)
    lost = []
    for phase in (np.arange(2000) + 0.5) / 2000:
        d = np.zeros(law.rows + 1)
        d[0], d[1], d[-1] = 1e-6, -1.0, phase
        dv = np.zeros(law.rows + 1)
        dv[2], dv[law.rows - 2] = 10.0, -10.0
        f, _ = forces(law, d, dv)
        lost.append(f[law.rows - 1] / (f[0] * 10.0))
    # the sign turns over 0.01 m/s of up to 4 m/s
    assert np.mean(lost) == pytest.approx(expected, rel=2e-3)


def test_friction_in_a_run_and_its_book(tmp_path):
    sets = ["stages.pair.mesh.loss={sliding_friction: 0.06}"]
    run = simulate("spur-pair-hertz", overrides=sets, output=tmp_path / "rub.nc", duration=0.1)
    assert run.energy_error < 1e-6
    with Result.open(run.result_file) as result:
        names = [str(n) for n in result.dataset["energy_term"].values]
        book = dict(zip(names, np.asarray(result.dataset["energy"].values), strict=True))
        power = float(np.mean(result.series("pair.mesh", "friction_power").values))
    assert book["friction pair.mesh"] == pytest.approx(-power * 0.1, rel=0.02)  # mean of stored samples
    # of the same teeth, by the power flow: mu H_V where pairs share equally; relief takes load from the ends of the path,
    # where flanks slide most
    train = expand(load("spur-pair-hertz", sets))
    mean = mesh_loss(train.meshes["pair.mesh"])
    assert mean is not None
    part = mean.mu1 * (1.0 / 75.175e-3 + 1.0 / 37.588e-3)
    assert 0.7 * part < power / (400.0 * 300.0 * math.pi / 30.0) < part


def test_what_is_wrong_with_a_friction_is_said():
    for value, what in (("1.5", "0 to 0.99"), ("{coefficient: 0.1, at: 3}", "coefficient"), ("-0.1", "negative")):
        with pytest.raises((AssemblyError, DrivetrainError), match=what):
            assemble(expand(load("spur-pair-hertz", [f"stages.pair.mesh.loss={{sliding_friction: {value}}}"])))
    train = expand(load("spur-pair-hertz", ["stages.pair.mesh.loss={sliding_friction: 0.1, fraction: 0.01}"]))
    with pytest.raises(AssemblyError, match="take the other keys out"):
        assemble(train)
    with pytest.raises(DrivetrainError, match="sliding_friction"):
        load("spur-pair-hertz", ["stages.pair.mesh.loss={sliding: 0.1}"])
