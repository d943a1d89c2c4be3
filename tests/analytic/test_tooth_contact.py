"""Law tooth_contact against closed forms, brute-force flanks, energy and the statics of its source (S2 digest)."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import lambertw

from gearwright.analyses.describe import describe
from gearwright.assembly import AssemblyError, assemble
from gearwright.assembly.contact import balance, contact
from gearwright.geometry.gear import Gear, Relief, Steel
from gearwright.geometry.pair import GearPair
from gearwright.laws.tooth_contact import Teeth, look, tooth_contact
from gearwright.laws.tooth_contact_pair import phi
from gearwright.stiffness.resolve import mesh_pair_stiffness
from gearwright.stiffness.ste import corner_gap, transmission_error
from gearwright.train.expand import expand
from gearwright.train.open import load
from gearwright.train.teeth import tooth_pair

NO_RELIEF = ["stages.pair.pinion.tip_relief=null", "stages.pair.wheel.tip_relief=null"]


def spur(sets=(), **change):
    train = expand(load("spur-pair-hertz", list(sets)))
    made = contact(train.meshes["pair.mesh"], train, lambda k: 0.0)
    data = replace(made.data, **change) if change else made.data
    return made, data, tooth_contact(data, False, made.stiffness, 0.0)


def ring_data(**change):
    train = expand(load("nordtank-500kw", [
        f"stages.stage1.meshes.{m}.stiffness={{from: analytic}}" for m in ("sun_planet", "ring_planet")
    ]))  # fmt: skip
    made = contact(train.meshes["stage1.ring_planet1"], train, lambda k: 0.0)
    return made, replace(made.data, **change) if change else made.data


def test_contact_table_is_lamberts_function():
    # phi ln(1/phi) = u below a twentieth, far beyond elastic; cubic cells of a sixteenth of an octave: remainder h^4/384
    # times the fourth derivative, h = u/16 and that about 2 phi/(u^4 ln(1/u)): 2e-8 and less the smaller u
    u = np.logspace(-69.0, -1.3, 20011)
    exact = -u / np.real(lambertw(-u, -1))
    got = np.array([phi(v) for v in u])
    assert np.abs(got / exact - 1.0).max() < 2e-8
    assert math.isnan(phi(0.37))  # beyond 1/e there is no force


def test_force_of_a_pair_is_roarks():
    # delta of (17), (18) of S2 at any place of the path, from the force the law gives
    _, _, law = spur(NO_RELIEF)
    steel, width = Steel(), 0.04
    ce = 2.0 * (1.0 - steel.poisson**2) / steel.young
    line = 0.12 * math.sin(math.radians(20.0))
    for phase, delta in ((0.3, 2.0e-6), (0.8, 5e-6), (0.05, 1e-7)):
        seen = look(law, delta, phase)
        for s1, f, p in zip(seen.arc, seen.force, seen.pressure, strict=True):
            r1, r2 = s1, line - s1
            b = math.sqrt(16.0 * f * ce * r1 * r2 / (r1 + r2) / (math.pi * width))
            roark = f * ce / (math.pi * width) * (2.0 / 3.0 + math.log(4.0 * r1 / b) + math.log(4.0 * r2 / b))
            assert roark == pytest.approx(delta, rel=1e-7)
            assert p == pytest.approx(4.0 * f / (math.pi * width * b), rel=1e-9)


def test_series_compliance_needs_no_iteration():
    made, data, law = spur([*NO_RELIEF, "stages.pair.mesh.stiffness={from: analytic}"])
    k, kf0 = data.contact
    for phase in (0.1, 0.5, 0.9):
        delta, _ = balance(law, made.load, phase)
        seen = look(law, delta, phase)
        x = (2.0 * seen.arc - sum(data.path)) / (data.path[1] - data.path[0])
        c = np.polynomial.polynomial.polyval(np.clip(x, -1.0, 1.0), data.compliance)
        again = k * seen.force * np.log(kf0 / (k * seen.force)) + c * seen.force
        assert again == pytest.approx(seen.overlap, rel=1e-7)


def test_statics_of_s2():
    made, _, law = spur(NO_RELIEF)
    force = 200.0 / made.pair.one.base_radius * made.pair.one.teeth / made.pair.two.teeth  # 200 N m on the pinion
    force = 200.0 / made.pair.two.base_radius
    one, stiff = balance(law, force, 0.8)
    two, _ = balance(law, force, 0.3)
    # S2 digest, section 7 (printed digits)
    assert force == pytest.approx(5320.89, rel=1e-6)
    assert one == pytest.approx(4.591e-6, rel=1e-4) and two == pytest.approx(2.4252e-6, rel=1e-4)
    assert stiff == pytest.approx(1.2618e9, rel=1e-3)
    assert look(law, two, 0.3).force / force == pytest.approx([0.5, 0.5], rel=1e-9)


def gradient(law, d, step=1e-9):
    """Derivatives of the stored energy by every row, travel moving the phase with it; central differences."""
    rows = law.rows
    parameters = law.parameters
    along = parameters[15] * parameters[14]

    def energy(at):
        at = at.copy()
        at[rows] += (at[2] - d[2]) / along
        return look(law, at).energy

    got = []
    for j in (0, 1, 2, *range(5, rows)):
        h = step * (100.0 if j == 2 else 1.0)
        up, down = d.copy(), d.copy()
        up[j] += h
        down[j] -= h
        got.append((energy(up) - energy(down)) / (2.0 * h))
    return np.array(got)


def forces(law, d):
    import ctypes

    from gearwright.laws.tooth_contact import tooth_contact_force

    values = [np.ascontiguousarray(x, float) for x in (d, np.zeros(len(d)), law.parameters, [0.0], [0.0])]
    f = np.zeros(law.rows)
    pointer = [x.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for x in (*values, f, np.zeros(1))]
    tooth_contact_force.ctypes(0.0, *pointer[:5], 0, *pointer[5:])
    return f[[0, 1, 2, *range(5, law.rows)]]


@pytest.mark.parametrize("internal", [False, True])
def test_force_is_the_gradient_of_the_energy(internal):
    """With relief, crowning, slices, bias, errors, pits, cracks and displaced centres: what makes pair changes lossless."""
    rng = np.random.default_rng(5)
    if internal:
        made, data = ring_data()
    else:
        made, data, _ = spur(["stages.pair.mesh.stiffness={from: analytic}"])
    z1, z2 = data.teeth
    low, high = data.path
    wheel = [
        Teeth(tuple(2e-6 * rng.standard_normal(z)), tuple(1e-10 * rng.random(z)), tuple(2e-6 * rng.random(z)), arcs)
        for z, arcs in ((z1, (low + 0.3 * (high - low), low + 0.7 * (high - low))), (z2, (0.0, 1.0)))
    ]
    data = replace(
        data, different=(wheel[0], wheel[1]), slices=3, overlap=0.4, crown=1e-6,
        lack=tuple(replace(w, amount=5e-6, begin=w.tip - 0.004 * w.side, crowning=1e-6, power=k + 1, bias=3e-6 - 4e-6 * k)
                   for k, w in enumerate(data.lack)),
    )  # fmt: skip
    law = tooth_contact(data, True, made.stiffness, 0.0)
    scale = made.deflection
    checked = 0
    for _ in range(60):
        x, y = 2e-4 * rng.standard_normal(2)
        d = np.array([0.0, 0.0, 0.0, 0.0, 0.0, x, y, 50.0 * rng.random()])
        side = int(rng.random() < 0.3)
        # press the flank although the centres moved: the deflection beyond the linear row is of second order
        d[side] = (data.backlash if side else 0.0) + scale * (1.0 + 2.0 * rng.random())
        d[1 - side] = data.backlash - d[side] - 1e-3
        f = forces(law, d)
        if abs(f[side]) < 1.0:
            continue
        slope = gradient(law, d)
        size = np.array([f[side], f[side], 3e-3 * f[side], f[side], f[side]])
        # differences of 1 nm over kinks between slices: a few 1e-5 of the force
        assert np.abs(slope - f) / size == pytest.approx(np.zeros(5), abs=2e-3)
        checked += 1
    assert checked > 30


@pytest.mark.parametrize("hand", ["left", "right"])
def test_a_bias_is_that_of_the_transmission_error(hand):
    """Helical teeth with a bias at either wheel: how much nearer the wheels come over the mesh cycle, against the statics of springs in
    the order of their gaps, which know no law. What the bias changes is compared, since the statics iterate the contact of every load."""
    edits = {
        "stages.pair.helix_angle": "15 deg", "stages.pair.centre_distance": None, "stages.pair.hand": hand,
        "stages.pair.mesh.stiffness": {"from": "analytic"}, "model.face_slices": 41,
    }  # fmt: skip
    found = []
    for bias in ({}, {"stages.pair.wheel.bias": 6e-6, "stages.pair.pinion.bias": 2e-6}):
        train = expand(load("spur-pair-hertz", {**edits, **bias}))
        mesh = train.meshes["pair.mesh"]
        made = contact(mesh, train, lambda k: 0.0)
        law = tooth_contact(made.data, False, made.stiffness, 0.0)
        stiff = mesh_pair_stiffness(mesh, train, "analytic")[0]
        ahead = mesh.overlap_ratio * mesh.hand * mesh.phase_direction
        error = transmission_error(stiff, 5000.0 * stiff.pair.one.base_radius, samples=24, overlap=ahead,
                                   rising=mesh.sigma * mesh.phase_direction > 0)  # fmt: skip
        found.append((np.array([balance(law, 5000.0, phase)[0] for phase in error.phase]), error.error))
    law, statics = found[1][0] - found[0][0], found[1][1] - found[0][1]
    assert np.ptp(statics) > 0.1e-6
    assert law == pytest.approx(statics, abs=0.03 * np.abs(statics).max())


@pytest.mark.parametrize("internal", [False, True])
def test_tip_corner_beyond_the_path_is_the_true_one(internal):
    made, data = ring_data() if internal else spur(NO_RELIEF)[:2]
    pair, (start, end) = made.pair, data.path
    for wheel, at, sign in ((data.lack[0], end, 1.0), (data.lack[1], start, -1.0)):
        x = np.linspace(0.1, 1.0, 10) * 0.9 * data.beyond
        exact = corner_gap(pair, at + sign * x)
        c = wheel.corner
        fitted = x**2 * (c[0] + c[1] * x + c[2] * x**2)
        kept = np.isfinite(exact) & (exact < 8.0 * made.deflection)
        # the fit is weighted by 1/gap; the last coefficient left out of e(x) is of order (x/p)^5
        assert fitted[kept] == pytest.approx(exact[kept], rel=2e-3, abs=1e-3 * made.deflection)


def test_corner_of_physics_notes():
    """Gaps of 35/91 and 20/40 from drawn flanks (physics notes 7): um at mm beyond the path."""
    pair = GearPair(Gear(20, 4e-3), Gear(40, 4e-3), 0.12)
    gaps = corner_gap(pair, pair.path.start - np.array([0.1e-3, 0.3e-3, 0.6e-3]))
    # those are shortest distances, these the turning that closes the gap: 3e-3 apart at 0.6 mm
    assert 1e6 * gaps == pytest.approx([0.376, 3.307, 12.91], rel=3e-3)
    made, _ = ring_data()
    low = corner_gap(made.pair, made.pair.path.start - np.array([0.3e-3, 1e-3, 2e-3]))
    high = corner_gap(made.pair, made.pair.path.end + np.array([0.3e-3, 1e-3, 2e-3]))
    assert 1e6 * low == pytest.approx([0.0905, 1.0126, 4.0888], rel=2e-3)
    assert 1e6 * high == pytest.approx([0.0830, 0.9223, 3.6889], rel=2e-3)


@pytest.mark.parametrize("internal", [False, True])
def test_displaced_centres_follow_the_true_line_of_action(internal):
    """Deflection of both flanks from the closed forms of a moved pair (S2 digest 3, involute functions of both
    positions), and the sum of the gaps: the backlash of the new centre distance."""
    made, data = ring_data(backlash=1e-4) if internal else spur(NO_RELIEF, backlash=1e-4)[:2]
    from gearwright.laws.tooth_contact_centres import place

    law = tooth_contact(data, True, 1e9, 0.0)
    p = np.array(law.parameters)
    rb1, rb2 = data.base_radii
    r, kind = rb2 + (-rb1 if internal else rb1), -1.0 if internal else 1.0
    a0 = data.distance
    rng = np.random.default_rng(1)
    for _ in range(20):
        x, y = 3e-4 * rng.standard_normal(2)
        a, chi = math.hypot(a0 + x, y), math.atan2(y, a0 + x)

        def inv(distance):
            alpha = math.acos(r / distance)
            return math.tan(alpha) - alpha

        moved = {}
        for coast, sign in ((False, data.sigma), (True, -data.sigma)):
            whole = -kind * (sign * r * chi + r * (inv(a) - inv(a0)))
            linear = -kind * (sign * r * y / a0 + math.sqrt(1.0 - (r / a0) ** 2) * x)
            got = place(p, coast, x, y)
            # the fifth order is left out: the series end where both wheels just touch a common line, at a = r; that of
            # (1 + z)^(3/2) has the fifth coefficient 0.012, that of the root the fourth 0.04
            near = 1.0 - r / a0
            z = math.hypot(x, y) / a0 / near
            left_out = 2.0 * 0.012 * a0 * near**1.5 * z**5
            assert got[0] + linear == pytest.approx(whole, abs=1e-14 + left_out)
            moved[coast] = whole
            assert got[2] == pytest.approx(math.sqrt(a * a - r * r), abs=1e-14 + 2.0 * 0.04 * a0 * near**0.5 * z**4)
        assert moved[False] + moved[True] == pytest.approx(-2.0 * kind * r * (inv(a) - inv(a0)), abs=1e-14)


def test_reversal_crosses_exactly_the_backlash():
    made, data, law = spur(NO_RELIEF)
    assert data.backlash == pytest.approx(1e-4)
    assert len(look(law, -0.999e-4, 0.3).force) == 0
    seen = look(law, -1e-4 - 3e-6, 0.3)
    assert set(seen.flank) == {1} and seen.overlap == pytest.approx(3e-6, rel=1e-9)


def test_tooth_errors_come_back_with_their_tooth():
    made, data, _ = spur(NO_RELIEF)
    z1, z2 = data.teeth
    none = Teeth((0.0,) * z2, (0.0,) * z2, (0.0,) * z2)
    one = Teeth(tuple(1e-5 if i == 7 else 0.0 for i in range(z1)), (0.0,) * z1, (0.0,) * z1)
    law = tooth_contact(replace(data, different=(one, none)), False, made.stiffness, 0.0)
    plain = tooth_contact(data, False, made.stiffness, 0.0)
    for turn in (-2, 0, 3):
        for n in range(z1):
            a, b = (look(w, 3e-6, turn * z1 + n + 0.8) for w in (law, plain))
            if n == 7:
                assert a.overlap - b.overlap == pytest.approx([1e-5])
            elif n == 6:
                continue  # the protruding tooth already touches by its corner
            else:
                assert a.force[a.pair == n + turn * z1] == pytest.approx(b.force[b.pair == n + turn * z1])


def test_relief_matched_to_the_load():
    """Static transmission error with c = delta_1 over the whole double zone: 0.130 um (S2 digest 7)."""
    made, _, law = spur()
    force = 200.0 / made.pair.two.base_radius
    d = np.array([balance(law, force, x, 4e-6)[0] for x in np.linspace(0.0, 1.0, 201)])
    assert 1e6 * np.ptp(d) == pytest.approx(0.130, rel=0.05)


def test_helical_slices_carry_the_whole():
    """Many slices of a spur gear are the spur gear; a helical pair's mean is that of its spur section."""
    made, data, law = spur(NO_RELIEF)
    sliced = tooth_contact(replace(data, slices=7), False, made.stiffness, 0.0)
    for phase, delta in ((0.3, 2e-6), (0.8, 4e-6)):
        assert look(sliced, delta, phase).force.sum() == pytest.approx(look(law, delta, phase).force.sum(), rel=1e-12)
    helical = tooth_contact(replace(data, slices=80, overlap=1.0), False, made.stiffness, 0.0)
    phases = (np.arange(400) + 0.5) / 400
    mean = np.mean([look(law, 3e-6, x).force.sum() for x in phases])
    # the ripple of an overlap of one cycle is what 80 slices leave of it
    assert [look(helical, 3e-6, x).force.sum() for x in (0.0, 0.3, 0.7)] == pytest.approx([mean] * 3, rel=5e-3)


def test_what_is_missing_is_named():
    with pytest.raises(AssemblyError, match="missing 'face_width'.*missing 'material'"):
        sets = ["stages.pair.pinion.face_width=null", "stages.pair.wheel.face_width=null", "stages.pair.material=null"]
        train = expand(load("spur-pair-hertz", sets))
        assemble(train)
    train = expand(load("spur-pair-hertz", ["stages.pair.mesh.excitation={base: mesh, order: 1, amplitude: 1 um}"]))
    with pytest.raises(AssemblyError, match="take 'excitation' out"):
        assemble(train)


def test_pair_of_the_train_is_the_pair_of_the_law():
    made, data, _ = spur()
    pair = tooth_pair(expand(load("spur-pair-hertz")).meshes["pair.mesh"])
    assert data.path == (pair.path.start, pair.path.end) and isinstance(pair.one.relief, Relief)
    assert brentq(lambda s: pair.modification(s) - 1e-6, pair.path.pitch_point, pair.path.end) > pair.path.pitch_point


def test_all_contacts_of_the_wind_gearbox_are_counted():
    data = describe(expand(load("wind-gearbox-hertz")))
    assert data.contact_points == 38  # S2 5.2
    assert data.speed_ratio * 10.0 == pytest.approx(1499.85)  # 6 x 5.05 x 4.95


def test_speed_controller_is_a_pid():
    """Against SciPy at tight tolerance with the controller written anew: a step of the load on one inertia."""
    from scipy.integrate import solve_ivp

    from gearwright.laws.speed_control import speed_control
    from gearwright.solve.runge_kutta.engine import ExplicitEngine
    from gearwright.system import Builder, Provenance, Row, Source, State, constant

    inertia, kp, ki, kd, tf, limit, load_torque = 2.0, 5.0, 40.0, 0.3, 0.02, 6.0, -4.0
    builder = Builder()
    builder.coordinate("body")
    builder.inertia(inertia, {"body": 1.0})
    builder.input("body", builder.signal("load", constant(load_torque)))
    wanted = builder.signal("wanted", constant(3.0))
    builder.block("control", [Row("row", {"body": 1.0})],
                  speed_control(kp, ki, kd, tf, limit, builder.signal_number(wanted)))  # fmt: skip
    builder.channel("body", "body", "speed", "rad/s", "", [(Source.SPEED, "body", 1.0)])
    system = builder.build(Provenance("", "", "", ()))
    engine = ExplicitEngine()
    plan = engine.prepare(system, None, 0.05, 1e-8)
    got = engine.advance(plan, State.start(system), 40).lines[:, 0]

    def right(t, y):
        v, z, ef = y
        e = 3.0 - v
        torque = kp * e + z + kd * (e - ef) / tf
        held = min(max(torque, -limit), limit)
        return [(held + load_torque) / inertia, ki * e + (held - torque) * ki / kp, (e - ef) / tf]

    times = 0.05 * np.arange(1, 41)
    exact = solve_ivp(right, (0.0, 2.0), [0.0, 0.0, 0.0], t_eval=times, rtol=1e-9, atol=1e-11, max_step=1e-3).y[0]
    assert got == pytest.approx(exact, abs=2e-4)


def test_pairs_by_contact_alone_for_the_other_laws():
    """stiffness from hertz at laws linear and periodic: levels from the printed deflections of one and two pairs."""
    from gearwright.stiffness.resolve import resolved

    s = resolved(expand(load("spur-pair-hertz"))).meshes["pair.mesh"].stiffness
    assert s.one_pair == pytest.approx(5320.89 / 4.591e-6, rel=2e-4)
    assert s.two_pairs == pytest.approx(5320.89 / 2.4252e-6, rel=2e-4)


def test_errors_of_single_teeth_from_a_file():
    """The sketch's short form; a crack of half the stiffness; a wheel that is not there; too many deviations."""
    from gearwright.errors import DrivetrainError

    where = "stages.pair.mesh.pitch_error"
    _, data, law = spur([*NO_RELIEF, f"{where}={{wheel: {{tooth: 7, deviation: 10 um}}}}"])
    assert data.different is not None and data.different[0].deviation[7] == pytest.approx(1e-5)
    assert look(law, -5e-6, 7.8).force.sum() > 0.0 == look(law, -5e-6, 9.8).force.sum()
    _, _, law = spur([*NO_RELIEF, f"{where}={{pinion: [{{tooth: 3, crack: 50 %}}]}}"])
    load_ = 5320.89
    sound, cracked = (balance(law, load_, x)[0] for x in (2.8, 3.8))
    assert cracked == pytest.approx(2.0 * sound, rel=0.03)  # its compliance is that of the deepest single contact
    assert balance(law, load_, 23.8)[0] == pytest.approx(cracked, rel=1e-9)  # 20 teeth later again
    pit = "{pinion: {tooth: 0, pit: {depth: 20 um, start: 78 mm, end: 82 mm}}}"
    _, _, law = spur([*NO_RELIEF, f"{where}={pit}"])
    at = np.linspace(0.6, 1.0, 41)
    deepest = max(balance(law, load_, x)[0] for x in at)
    assert deepest > 1.9e-5 > max(balance(law, load_, 1.0 + x)[0] for x in at)
    with pytest.raises(DrivetrainError, match="no sun"):
        expand(load("spur-pair-hertz", [f"{where}={{sun: {{tooth: 7, deviation: 10 um}}}}"]))
    with pytest.raises(AssemblyError, match="teeth 0 to 19; pitch_error names tooth 20"):
        spur([f"{where}={{pinion: {{tooth: 20, deviation: 1 um}}}}"])


def test_teeth_wedge_under_their_weight_and_a_load_frees_them(tmp_path):
    from gearwright.running.run import simulate

    idle = simulate("tooth-wedging", "idle", duration=0.7, output=tmp_path / "idle.nc")
    # both flanks of a tooth carry many times what the torque asks for: 0.1 kN m / 3 / 94 mm = 0.35 kN
    assert max(idle.wedged.values()) > 2e3
    assert idle.energy_error < 1e-7
    loaded = simulate("tooth-wedging", "loaded", duration=0.6, output=tmp_path / "loaded.nc")
    assert loaded.wedged == {}


def test_a_thousand_undamped_mesh_cycles_create_no_energy():
    """What the loads put in is what the gears and teeth have more: the source's cut would have put in 8.6 J."""
    from gearwright.running.prepare import prepare
    from gearwright.running.start import initial_state
    from gearwright.solve.runge_kutta.engine import ExplicitEngine

    system = prepare(load("spur-pair-hertz", ["stages.pair.mesh.damping.ratio=0"])).system
    law = system.laws[0]
    assert law.states == ()  # nothing keeps account of a heat that is not there

    def energy(state):
        d, _ = state.deflections(system)
        return system.kinetic_energy(state.v) + look(law, d[: law.rows + 1]).energy

    engine = ExplicitEngine()
    plan = engine.prepare(system, (), 5e-3 / 20, 1e-4)
    state = initial_state(prepare(load("spur-pair-hertz", ["stages.pair.mesh.damping.ratio=0"])))
    before = energy(state)
    engine.advance(plan, state, 20 * 1000)
    created = energy(state) - before - state.input_work.sum() - state.reaction_work.sum()
    # tolerance 1e-4 leaves 1e-5 J a cycle (1e-6 leaves 2e-6): a thousandth of 8.6 mJ
    assert abs(created) < 1000 * 2.5e-5


def test_steps_end_where_a_pair_touches():
    """At one tolerance, foreseeing where pairs touch and let go leaves a smaller error of the force for as many steps."""
    from gearwright.running.prepare import prepare
    from gearwright.running.start import initial_state
    from gearwright.solve.runge_kutta.engine import ExplicitEngine

    prepared = prepare(load("spur-pair-hertz", NO_RELIEF))
    system, start = prepared.system, initial_state(prepared)
    blind = replace(system, laws=tuple(law._replace(ahead=None) for law in system.laws))
    channels = tuple(c for c in system.channels if c.quantity == "force")

    def force(model, tolerance):
        engine = ExplicitEngine()
        plan = engine.prepare(model, channels, 1e-4, tolerance)
        return engine.advance(plan, start.copy(), 500).lines[:, 0], plan.statistics["steps"]

    exact, _ = force(blind, 1e-9)
    (seeing, many), (unseeing, few) = force(system, 1e-3), force(blind, 1e-3)
    error, other = (np.sqrt(np.mean((x - exact) ** 2)) for x in (seeing, unseeing))
    # a bend within a step costs the second order of its length: measured factor 1.8, at 2 % more steps
    assert error < 0.75 * other and many < 1.1 * few
