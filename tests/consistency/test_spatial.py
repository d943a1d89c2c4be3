"""Fidelity spatial against closed forms of statics, beams and rotors, and against the fidelity planar."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import gearwright as gw
from gearwright.assembly import AssemblyError, Drive, Inputs, Push, assemble
from gearwright.assembly.face_rows import base_helix, slice_row
from gearwright.assembly.motion import Motions
from gearwright.results.section_loads import face_load_factor, rotating_frame
from gearwright.schema.read import from_mapping
from gearwright.solve.steady.modes import modes as solve_modes
from gearwright.solve.steady.static import equilibrium
from gearwright.stiffness.beam import Beam, beam_mass, beam_stiffness
from gearwright.system import constant

STEEL = Beam(1.0, 0.1)


def stiff(stage, members, value=1e14):
    """Overrides that hold every member of a stage along x and in tilt."""
    return [
        f"stages.{stage}.bearings.{m}.{key}={value}" for m in members for key in ("axial_stiffness", "tilt_stiffness")
    ]


PLANETARY = ("sun", "ring", "carrier", "planet")


@pytest.mark.parametrize("name, sets", [
    ("lin-parker-1999", stiff("stage", PLANETARY)),
    ("grc-750kw", stiff("stage1", PLANETARY) + stiff("stage2", ("wheel", "pinion")) + stiff("stage3", ("wheel", "pinion"))),
])  # fmt: skip
def test_stiff_along_x_and_in_tilt_is_planar(name, sets):
    """Spur and helical: what remains is the planar model. 1e14 against mesh stiffnesses of 4e9: 4e-5 in k."""
    found = gw.modes(gw.load(name, sets), fidelity="spatial", law="linear")
    plain = gw.modes(name, fidelity="planar", law="linear").frequencies_hz
    assert len(found.frequencies_hz) > len(plain)
    assert found.frequencies_hz[: len(plain)] == pytest.approx(plain, rel=1e-4, abs=1e-3)


def test_planar_data_give_the_planar_model():
    """Without a stiffness along x or in tilt, members follow their supports there."""
    found = gw.modes("lin-parker-1999", fidelity="spatial").frequencies_hz
    assert found == pytest.approx(gw.modes("lin-parker-1999", fidelity="planar").frequencies_hz, rel=1e-9, abs=1e-6)


# --- helical rows ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def held_grc():
    sets = stiff("stage1", PLANETARY, 1e9) + stiff("stage2", ("wheel", "pinion"), 1e9)
    sets += stiff("stage3", ("wheel", "pinion"), 1e9)
    return gw.load("grc-750kw", [*sets, "stages.stage1.hand=right", "stages.stage2.hand=left", "stages.stage3.hand=right",
                                 "stages.stage1.face_width=0.23", "stages.stage2.face_width=0.17",
                                 "stages.stage3.face_width=0.15"])  # fmt: skip


@pytest.mark.parametrize("mesh", ["stage1.sun_planet2", "stage1.ring_planet3", "stage2.mesh", "stage3.mesh"])
@pytest.mark.parametrize("flank", [1, -1])
def test_a_mesh_feels_no_motion_of_its_wheels_as_one_body(held_grc, mesh, flank):
    """Six motions of space, both wheels together: the row of every slice stays at zero (forces in balance)."""
    train = gw.expand(held_grc, "spatial")
    motions = Motions.of(train, "spatial")
    m = train.meshes[mesh]
    assert base_helix(m) != 0.0
    row = slice_row(motions, m, flank, 0.05)
    first, second = (train.bodies[n] for n in m.between)
    if m.on:
        centres = [np.array([b.pin_radius * math.cos(b.angle), b.pin_radius * math.sin(b.angle)]) if b.pin_radius
                   else np.zeros(2) for b in (first, second)]  # fmt: skip
    else:
        centres = [np.array(b.place) for b in (first, second)]
    size = sum(abs(v) for v in row.values())
    for kind in range(6):
        total = 0.0
        for name, (cy, cz) in zip(m.between, centres, strict=True):
            rotation, shift = np.zeros(3), np.zeros(3)
            (rotation if kind >= 3 else shift)[kind % 3] = 1.0
            shift = shift + np.cross(rotation, [0.0, cy, cz])
            values = dict(zip(("x", "y", "z", "rotation", "tilt_y", "tilt_z"), [*shift, *rotation], strict=True))
            total += sum(row.get(f"{name}.{motion}", 0.0) * v for motion, v in values.items())
        assert abs(total) < 1e-9 * size, (mesh, kind)


def test_thrust_of_helical_wheels(held_grc):
    """Decisions: a right-hand driving wheel that turns positive is pushed towards +x; F_a = T tan(beta_b) / r_b."""
    torque = 322.6e3
    loads = gw.static_loads(held_grc, {"rotor": torque}, fidelity="spatial")
    train = gw.expand(held_grc, "spatial")
    helix = 0.0
    for name in ("stage2.mesh", "stage3.mesh"):
        m = train.meshes[name]
        tan_b = math.tan(m.helix_angle) * math.cos(math.atan(math.tan(math.radians(20)) / math.cos(m.helix_angle)))
        driven = train.ratios[m.between[0]] > 0  # the wheel drives; with the sense of rotation the thrust turns
        sign = (1.0 if driven else -1.0) * (1.0 if m.hand > 0 else -1.0)
        helix = sign * tan_b * loads[f"{name}.force"]
        assert loads[f"{name}.axial_force"] == pytest.approx(helix, rel=1e-9)
        wheel, pinion = (f"{name.split('.')[0]}.{role}_bearing.force_x" for role in ("wheel", "pinion"))
        assert loads[wheel] == pytest.approx(helix, rel=1e-6)
        assert loads[pinion] == pytest.approx(-helix, rel=1e-6)
    # planets: the thrusts of sun and ring mesh cancel, and make a tilting moment instead
    for i in (1, 2, 3):
        assert abs(loads[f"stage1.planet{i}_bearing.force_x"]) < 1e-6 * abs(helix)
        pair = loads[f"stage1.sun_planet{i}.axial_force"], loads[f"stage1.ring_planet{i}.axial_force"]
        assert pair[1] == pytest.approx(pair[0], rel=1e-6)


def test_moment_of_a_helical_pair_is_in_balance(held_grc):
    """Wheel and pinion together: bearing forces and moments of both balance the pair's torques (moments about y, z)."""
    loads = gw.static_loads(held_grc, {"rotor": 322.6e3}, fidelity="spatial")
    train = gw.expand(held_grc, "spatial")
    total = np.zeros(3)
    size = 0.0
    for role in ("wheel", "pinion"):
        name = f"stage3.{role}_bearing"
        y, z = train.bodies[f"stage3.{role}"].place
        force = np.array([loads[f"{name}.force_{a}"] for a in "xyz"])
        moment = np.array([0.0, loads[f"{name}.moment_y"], loads[f"{name}.moment_z"]])
        total += np.cross([0.0, y, z], force) + moment
        size += np.abs(moment).sum()
    assert np.abs(total[1:]).max() < 1e-6 * size


# --- beams -------------------------------------------------------------------------------------------------


def rotor(sections, bodies, bearings, **more):
    """A shaft between two bodies as a drivetrain."""
    return from_mapping({
        "name": "rotor", "bodies": bodies, "elements": [{"type": "bearing", **b} for b in bearings],
        "shafts": [{"name": "shaft", "between": [bodies[0]["name"], bodies[1]["name"]], "sections": sections, **more}],
        "model": {"fidelity": "spatial", "law": "linear"},
    })  # fmt: skip


def test_beam_matrix_is_that_of_the_textbook():
    beam = Beam(1.3, 0.2, 0.05)
    k, ei, length, phi = beam_stiffness(beam), beam.young * beam.second_moment, 1.3, beam.phi
    c = ei / length**3 / (1 + phi)
    plane = np.ix_([1, 5, 7, 11], [1, 5, 7, 11])
    wanted = c * np.array([
        [12, 6 * length, -12, 6 * length], [6 * length, (4 + phi) * length**2, -6 * length, (2 - phi) * length**2],
        [-12, -6 * length, 12, -6 * length], [6 * length, (2 - phi) * length**2, -6 * length, (4 + phi) * length**2],
    ])  # fmt: skip
    assert k[plane] == pytest.approx(wanted, rel=1e-12)
    # rigid motions: no force, and the mass and inertia of the bar about its first end
    rigid = np.zeros((12, 6))
    for j in range(6):
        rotation, shift = np.zeros(3), np.zeros(3)
        (rotation if j >= 3 else shift)[j % 3] = 1.0
        for end, x in ((0, 0.0), (6, length)):
            rigid[end : end + 3, j] = shift + np.cross(rotation, [x, 0.0, 0.0])
            rigid[end + 3 : end + 6, j] = rotation
    assert np.abs(k @ rigid).max() < 1e-9 * np.abs(k).max()
    m = rigid.T @ beam_mass(beam) @ rigid
    mass = beam.density * beam.area * length
    across = beam.density * beam.second_moment * length + mass * length**2 / 3
    assert np.diag(m) == pytest.approx(
        [mass, mass, mass, 2 * beam.density * beam.second_moment * length, across, across], rel=1e-12
    )


def test_stepped_cantilever():
    """Deflection by the unit-load integral over two sections, shear included; section loads by statics."""
    parts = [{"length": 0.6, "diameter": 0.12}, {"length": 0.4, "diameter": 0.08, "bore": 0.03}]
    drivetrain = rotor(
        parts,
        [{"name": "root", "inertia": 1.0, "mass": 1e3}, {"name": "tip", "inertia": 1.0, "mass": 10.0}],
        [
            {
                "name": "clamp",
                "between": ["root", "housing"],
                "stiffness": 1e16,
                "axial_stiffness": 1e16,
                "tilt_stiffness": 1e16,
            }
        ],
        gauges=[0.2],
    )
    train = gw.expand(drivetrain, "spatial")
    force = 1000.0
    push = Push("tip", "y", constant(force)), Push("tip", "x", constant(500.0))
    system = assemble(train, inputs=Inputs(drives=(Drive("root", constant(0.0)),), pushes=push))
    found = equilibrium(system)
    one, two = Beam(0.6, 0.12), Beam(0.4, 0.08, 0.03)

    def bend(beam, near, far):  # integral of s^2 ds/EI over the distances from the load
        return (near**3 - far**3) / (3 * beam.young * beam.second_moment)

    shear = sum(b.length / (b.shear_coefficient * b.shear * b.area) for b in (one, two))
    wanted = force * (bend(one, 1.0, 0.4) + bend(two, 0.4, 0.0) + shear)
    q = dict(zip(system.coordinates, found.q, strict=True))
    assert q["tip.y"] == pytest.approx(wanted, rel=1e-6)  # the clamp gives way by 1e-7 of it
    assert q["tip.x"] == pytest.approx(500.0 * sum(b.length / (b.young * b.area) for b in (one, two)), rel=1e-6)
    from gearwright.analyses.static_loads import channel_values

    loads = channel_values(system, found)
    assert loads["clamp.force_y"] == pytest.approx(force, rel=1e-9)
    assert loads["clamp.moment_z"] == pytest.approx(force * 1.0, rel=1e-9)
    # of the root's part on the tip's part: they hold against the load at the tip
    assert loads["shaft.gauge1.shear_y"] == pytest.approx(-force, rel=1e-9)
    assert loads["shaft.gauge1.moment_z"] == pytest.approx(-force * 0.8, rel=1e-9)
    assert loads["shaft.gauge1.force_x"] == pytest.approx(-500.0, rel=1e-9)


def chain(count, length, diameter, speed_ratio_mass=1e-9):
    """A simply supported uniform shaft of ``count`` sections, its end bodies practically without mass."""
    tiny = {"inertia": speed_ratio_mass, "mass": speed_ratio_mass}
    held = {"stiffness": 1e13}
    return rotor(
        [{"length": length / count, "diameter": diameter} for _ in range(count)],
        [{"name": "left", **tiny}, {"name": "right", **tiny}],
        [{"name": "a", "between": ["left", "housing"], **held, "axial_stiffness": 1e13},
         {"name": "b", "between": ["right", "housing"], **held}],
    )  # fmt: skip


def test_frequencies_of_a_simply_supported_timoshenko_beam():
    """Closed form (sine shapes): EI b^4 - rho A w^2 - rho I (1 + E/kG) b^2 w^2 + rho^2 I/(kG) w^4 = 0."""
    length, d = 2.0, 0.3
    beam = Beam(length, d)
    bending = []
    for count in (12, 24):
        found = gw.modes(chain(count, length, d), fidelity="spatial")
        bending.append([f for f, p in zip(found.frequencies_hz, found.table.parts, strict=True) if p[1] > 0.5][:6])
        assert bending[-1][::2] == pytest.approx(bending[-1][1::2], rel=1e-6)  # two planes
    # elements with shear converge with the square of their length: extrapolated from two lengths
    # (errors of 6e-3 and 1.6e-3 of the third leave some 1e-4)
    limit = (4.0 * np.array(bending[1]) - np.array(bending[0])) / 3.0
    rho, e, kg = beam.density, beam.young, beam.shear_coefficient * beam.shear
    for n in (1, 2, 3):
        b = n * math.pi / length
        a4 = rho**2 * beam.second_moment / kg
        a2 = -(rho * beam.area + rho * beam.second_moment * (1 + e / kg) * b**2)
        a0 = e * beam.second_moment * b**4
        w = math.sqrt((-a2 - math.sqrt(a2**2 - 4 * a4 * a0)) / (2 * a4))
        assert limit[2 * (n - 1)] == pytest.approx(w / (2 * math.pi), rel=3e-4)


def test_whirl_of_a_disc_at_the_end_of_a_shaft():
    """Gyroscopic split of an overhung disc: both whirls solve the 2 x 2 characteristic equation of the disc.

    The shaft's mass is made negligible (density 1e-3), so the flexibility of the cantilever and the inertia of the disc are
    all there is: (k_11 - m w^2)(k_22 - J_t w^2 + J_p W w) = k_12^2, w > 0 forward, w < 0 backward.
    """
    length, d, m, jp, jt = 0.5, 0.05, 20.0, 0.4, 0.22
    raw = rotor(
        [{"length": length, "diameter": d}],
        [{"name": "root", "inertia": 1e4, "mass": 1e4}, {"name": "disc", "inertia": [jp, jt, jt], "mass": m}],
        [{"name": "clamp", "between": ["root", "housing"], "stiffness": 1e14, "axial_stiffness": 1e14, "tilt_stiffness": 1e14}],
        material="light",
    ).raw  # fmt: skip
    drivetrain = from_mapping({**raw, "materials": {"light": {"density": 1e-3}}})
    drivetrain = gw.load(drivetrain, ["model.gyroscopic=true"])
    system = assemble(gw.expand(drivetrain, "spatial"))
    beam = Beam(length, d)
    c = beam.young * beam.second_moment / length**3 / (1 + beam.phi)
    k11, k12, k22 = 12 * c, -6 * length * c, (4 + beam.phi) * length**2 * c
    for speed in (0.0, 150.0, 400.0):
        found = solve_modes(system, speed)
        lateral = [f for f, shape in zip(found.frequencies_hz, found.shapes.T, strict=True)
                   if abs(shape[system.coordinates.index("disc.y")]) > 1e-3 * np.abs(shape).max() and f < 1e4]  # fmt: skip

        def equation(w, speed=speed):
            return (k11 - m * w * w) * (k22 - jt * w * w + jp * speed * w) - k12**2

        grid = np.linspace(-4000.0, 4000.0, 16001)
        values = np.array([equation(w) for w in grid])
        roots = [
            brentq(equation, grid[i], grid[i + 1], xtol=1e-10) for i in np.flatnonzero(values[1:] * values[:-1] < 0)
        ]
        wanted = sorted(abs(w) / (2 * math.pi) for w in roots)
        assert len(wanted) == 4
        for w in wanted:
            assert min(abs(f - w) for f in lateral) < 1e-5 * w, (speed, w, lateral)


def test_gyroscopic_split_of_a_rotating_shaft():
    """Simply supported Rayleigh shaft: (rho A + rho I b^2) w^2 - 2 rho I b^2 W w - EI b^4 = 0 (shear made stiff)."""
    length, d, n, speed = 1.0, 0.2, 16, 3000.0
    raw = chain(n, length, d).raw
    raw["shafts"][0]["material"] = "stiff"
    drivetrain = from_mapping({**raw, "materials": {"stiff": {"shear": "9e12 Pa"}}})
    system = assemble(gw.expand(gw.load(drivetrain, ["model.gyroscopic=true"]), "spatial"))
    beam = Beam(length, d)
    found = solve_modes(system, speed).frequencies_hz
    b = math.pi / length
    a, g, k = beam.density * (beam.area + beam.second_moment * b**2), beam.density * beam.second_moment * b**2, \
        beam.young * beam.second_moment * b**4  # fmt: skip
    for sign in (1.0, -1.0):
        w = (sign * g * speed + math.sqrt((g * speed) ** 2 + a * k)) / a
        # what is left of the shear: half of E I b^2 / (k G A), 3e-4
        assert np.abs(found - w / (2 * math.pi)).min() < 4e-4 * w / (2 * math.pi)


def test_magnetic_pull_softens():
    """A rotor on an isotropic bearing: w^2 = (k - pull) / m."""
    raw = {
        "name": "pull", "machines": [{"name": "generator", "type": "constant", "inertia": 500.0, "mass": 5000.0,
                                      "parameters": {"torque": 0.0}, "magnetic_pull": 2e8}],
        "elements": [{"type": "bearing", "name": "b", "between": ["generator", "housing"], "stiffness": 1e9}],
        "model": {"fidelity": "spatial", "law": "linear"},
    }  # fmt: skip
    found = gw.modes(from_mapping(raw), fidelity="spatial").frequencies_hz
    assert found[-2:] == pytest.approx(math.sqrt(8e8 / 5000.0) / (2 * math.pi), rel=1e-9)


# --- face, non-torque loads, refusals -------------------------------------------------------------------------


def test_tilt_stiffness_of_a_mesh(held_grc):
    """Two slices at the Gauss points resist a tilt with k b^2/12, many slices come close to it."""
    for count, rel in ((2, 1e-12), (20, 3e-3)):
        train = gw.expand(gw.load(held_grc, [f"model.face_slices={count}"]), "spatial")
        system = assemble(train, "spatial", "linear")
        rows = [i for i, r in enumerate(system.rows) if r.startswith("stage3.mesh.slice")]
        k = system.arrays.k[[i - (system.shape.rows - system.shape.springs) for i in rows]]
        d = system.D[rows].toarray()
        ty, tz = (system.coordinates.index(f"stage3.wheel.{m}") for m in ("tilt_y", "tilt_z"))
        spread = ((d[:, [ty, tz]] - d[:, [ty, tz]].mean(axis=0)) ** 2).sum(axis=1)
        assert len(rows) == count and k.sum() == pytest.approx(1.89e9, rel=1e-12)
        assert (k * spread).sum() == pytest.approx(1.89e9 * 0.15**2 / 12, rel=rel)


def test_misalignment_shifts_the_load_along_the_face():
    """Wheels that hardly tilt: the moment of the load is k b/12 times the misalignment over the face."""
    sets = stiff("stage3", ("wheel", "pinion"), 1e13) + stiff("stage2", ("wheel", "pinion"), 1e13)
    sets += stiff("stage1", PLANETARY, 1e13) + [
        "stages.stage3.face_width=0.15",
        "stages.stage3.mesh.misalignment=20 um",
    ]
    loads = gw.static_loads(gw.load("grc-750kw", sets), {"rotor": 322.6e3}, fidelity="spatial")
    plain = gw.static_loads(gw.load("grc-750kw", sets[:-1]), {"rotor": 322.6e3}, fidelity="spatial")
    moment = loads["stage3.mesh.face_moment"] - plain["stage3.mesh.face_moment"]
    assert moment == pytest.approx(-1.89e9 * 0.15 * 20e-6 / 12, rel=1e-3)
    factor = face_load_factor(loads["stage3.mesh.force"], loads["stage3.mesh.face_moment"], 0.15)
    assert 1.0 < factor < 3.0


def test_face_load_factor_of_a_lifting_face():
    """Triangular load over a length l: resultant at l/3 from its end, so e = b/2 - l/3; largest 2 F/l."""
    b, force = 0.2, 1000.0
    for length in (0.2, 0.15, 0.05):
        moment = force * (0.5 * b - length / 3)
        assert face_load_factor(force, moment, b) == pytest.approx(2.0 * b / length, rel=1e-12)
    assert face_load_factor(force, 0.0, b) == 1.0 and face_load_factor(0.0, 0.0, b) == 1.0
    assert face_load_factor(force, force * b, b) == np.inf
    # just outside the face nothing holds the moment, just inside a narrow triangle does
    assert face_load_factor(force, 0.501 * force * b, b) == np.inf
    assert face_load_factor(force, 0.499 * force * b, b) == pytest.approx(2.0 / (3.0 * 0.001), rel=1e-9)


def test_face_load_factor_of_slices_that_pull():
    """C29: springs in a row at a fixed misalignment phi carry F and M = k b phi b^2/12. Unilateral ones share F over the
    length l at which k phi l^2/2 = F, with k phi l at the end: found here by summing over a fine face."""
    b, force, k = 0.2, 1e5, 2e10  # stiffness per width [N/m^2]
    x = np.linspace(-b / 2, b / 2, 200_001)
    for phi in (1e-4, 4e-4, 3.0e-4, 2e-3):
        moment = k * phi * b**3 / 12.0
        low, high = -1e-2, 1e-2  # approach of the flanks at which the force is carried
        for _ in range(80):
            middle = 0.5 * (low + high)
            carried = np.trapezoid(np.maximum(k * (middle + phi * x), 0.0), x)
            low, high = (middle, high) if carried < force else (low, middle)
        want = k * (high + phi * b / 2) / (force / b)
        assert face_load_factor(force, moment, b, lifts=False) == pytest.approx(want, rel=1e-4)
    # u = 6 M/(F b) = 1.587: 2.52, where the lever of a model that lifts off would give 2.83
    moment = 1.5876 * force * b / 6.0
    assert face_load_factor(force, moment, b, lifts=False) == pytest.approx(2.52, abs=2e-3)
    assert face_load_factor(force, moment, b) == pytest.approx(2.83, abs=5e-3)


def test_rotor_loads_are_in_balance_at_every_section():
    """5 MW gearbox with thrust, weight and bending: moments at the gauge from the loads in front of it."""
    mx, force, moment = 3945.99e3, np.array([8e5, 1e5, -1.1e6]), np.array([2e6, 1e6])
    loads = gw.static_loads("nrel-5mw-nejad-source", {"rotor": mx}, fidelity="spatial", forces={"rotor": force},
                            moments={"rotor": moment})  # fmt: skip
    held = np.array([loads[f"main_INP_A.force_{a}"] for a in "yz"])  # of the shaft on its bearing
    # the rotor's air stands on the shaft as a little spring against tilting with a large damper
    tilted = np.array([loads[f"main_INP_A.moment_{a}"] + loads[f"main_air.moment_{a}"] for a in "yz"])
    before = force[1:] - held
    assert [loads[f"main.gauge1.shear_{a}"] for a in "yz"] == pytest.approx(before, rel=1e-9)
    # moments about the gauge at 1 m: rotor at -1 m, bearing at -0.7 m; r x F with r along x
    about_y = moment[0] - tilted[0] + 1.0 * force[2] - 0.7 * held[1]
    about_z = moment[1] - tilted[1] - 1.0 * force[1] + 0.7 * held[0]
    assert loads["main.gauge1.moment_y"] == pytest.approx(about_y, rel=1e-9)
    assert loads["main.gauge1.moment_z"] == pytest.approx(about_z, rel=1e-9)
    thrust = loads["main_INP_B.force_x"] + sum(loads[f"stage1.carrier_PLC_{s}.force_x"] for s in "AB")
    assert thrust == pytest.approx(force[0], rel=1e-3)  # the rest goes through planets and ring, soft along x
    share = [loads[f"stage1.sun_planet{i}.force"] for i in (1, 2, 3)]
    assert max(share) / np.mean(share) > 1.01  # bending reaches the planets


def test_turning_frame_sees_a_steady_moment_once_per_turn():
    angle = np.linspace(0.0, 2 * np.pi, 9)
    y, z = rotating_frame(np.full(9, 3.0), np.zeros(9), angle)
    assert y == pytest.approx(3 * np.cos(angle)) and z == pytest.approx(-3 * np.sin(angle))


def test_what_cannot_be_is_refused():
    with pytest.raises(AssemblyError, match=r"nothing holds .*rotor\.x.*axial_stiffness"):
        free = gw.load("nrel-5mw-nejad-source", ["shafts.main.bearings.1.axial_stiffness=0"])
        for bearing in ("0", "1"):
            free = gw.load(free, [f"stages.stage1.bearings.carrier.{bearing}.axial_stiffness=0"])
        train = gw.expand(gw.load(free, ["stages.stage1.bearings.planet.0.axial_stiffness=0",
                                         "stages.stage1.bearings.planet.1.axial_stiffness=0"]), "spatial")  # fmt: skip
        assemble(train, "spatial")
    with pytest.raises(AssemblyError, match="needs fidelity spatial"):
        gw.static_loads("nrel-5mw-nejad-source", {"rotor": 1e6}, fidelity="planar", forces={"rotor": (1.0, 0.0, 0.0)})
    with pytest.raises(AssemblyError, match="turning frame"):
        gw.static_loads(
            "nrel-5mw-nejad-source", {"rotor": 1e6}, fidelity="spatial", forces={"stage1.carrier": (0.0, 1.0, 0.0)}
        )
    with pytest.raises(AssemblyError, match="belong to no body"):
        assemble(
            gw.expand(gw.load("nrel-5mw-nejad-source", ["bodies.0.inertia=[38e6, 1e6, 1e6]"]), "spatial"), "spatial"
        )


# --- reduced bodies ----------------------------------------------------------------------------------------


def test_a_reduced_body_is_the_beam_it_was_made_of(tmp_path):
    """A bar reduced to its two ends by its own matrices, an internal coordinate beside: deflection and frequency."""
    beam = Beam(0.8, 0.1)
    k, m = np.zeros((13, 13)), np.zeros((13, 13))
    k[:12, :12], m[:12, :12] = beam_stiffness(beam), beam_mass(beam)
    k[12, 12], m[12, 12] = 2.0 * (2 * math.pi * 300.0) ** 2, 2.0
    np.savez(tmp_path / "bar.npz", stiffness=k, mass=m, damping=1e-5 * k)
    held = {"stiffness": 1e14, "axial_stiffness": 1e14, "tilt_stiffness": 1e14, "torsional_stiffness": 1e14}
    raw = {
        "name": "bar", "machines": [{"name": "wheel", "type": "constant", "inertia": 1.0, "mass": 50.0,
                                     "parameters": {"torque": 0.0}}],
        "reduced_bodies": [{"name": "bar", "matrices": str(tmp_path / "bar.npz"), "nodes": ["a", "b"],
                            "mounts": [{"node": "a", **held}]}],
        "elements": [{"type": "bearing", "name": "seat", "between": ["wheel", "housing"], "support": "bar.b",
                      "stiffness": 1e14, "axial_stiffness": 1e14, "tilt_stiffness": 1e14}],
        "model": {"fidelity": "spatial", "law": "linear"},
    }  # fmt: skip
    train = gw.expand(from_mapping(raw), "spatial")
    system = assemble(train, inputs=Inputs(pushes=(Push("wheel", "y", constant(1000.0)),)))
    found = equilibrium(system)
    q = dict(zip(system.coordinates, found.q, strict=True))
    shear = beam.shear_coefficient * beam.shear * beam.area
    assert q["wheel.y"] == pytest.approx(
        1000.0 * (0.8**3 / (3 * beam.young * beam.second_moment) + 0.8 / shear), rel=1e-4
    )
    frequencies = solve_modes(system)
    at = int(np.abs(frequencies.frequencies_hz - 300.0).argmin())
    assert frequencies.frequencies_hz[at] == pytest.approx(300.0, rel=1e-6)
    assert frequencies.damping_ratios[at] == pytest.approx(0.5e-5 * 2 * math.pi * 300.0, rel=1e-6)
    # at other fidelities the bearing stands on the housing
    assert not any(c.startswith("bar") for c in assemble(train, "planar").coordinates)


def test_a_bearing_stands_at_its_node(tmp_path):
    """A wheel on two seats, the one at +100 mm on the end of a bar, the other rigid: the bar gets half the force and no moment,
    and its end goes F/2 (L^3/3EI + L/kGA), twice the wheel's middle."""
    beam = Beam(0.8, 0.1)
    np.savez(tmp_path / "bar.npz", stiffness=beam_stiffness(beam), mass=beam_mass(beam))
    held = {"stiffness": 1e14, "axial_stiffness": 1e14, "tilt_stiffness": 1e14, "torsional_stiffness": 1e14}
    raw = {
        "name": "bar", "machines": [{"name": "wheel", "type": "constant", "inertia": 1.0, "mass": 50.0,
                                     "parameters": {"torque": 0.0}}],
        "reduced_bodies": [{"name": "bar", "matrices": str(tmp_path / "bar.npz"), "nodes": ["a", "b"],
                            "mounts": [{"node": "a", **held}]}],
        "elements": [
            {"type": "bearing", "name": "near", "between": ["wheel", "housing"], "support": "bar.b", "x": 0.1, "stiffness": 1e13},
            {"type": "bearing", "name": "far", "between": ["wheel", "housing"], "x": -0.1, "stiffness": 1e13,
             "axial_stiffness": 1e8},
        ],
        "model": {"fidelity": "spatial", "law": "linear"},
    }  # fmt: skip
    train = gw.expand(from_mapping(raw), "spatial")
    system = assemble(train, inputs=Inputs(pushes=(Push("wheel", "y", constant(1000.0)),)))
    q = dict(zip(system.coordinates, equilibrium(system).q, strict=True))
    shear = beam.shear_coefficient * beam.shear * beam.area
    end = 500.0 * (0.8**3 / (3 * beam.young * beam.second_moment) + 0.8 / shear)
    assert q["bar.b.y"] == pytest.approx(end, rel=1e-5)
    assert q["wheel.y"] == pytest.approx(0.5 * end, rel=1e-5)


@pytest.mark.parametrize("change, message", [
    ({"stiffness": np.eye(11)}, "nodes need square"), ({"mass": -np.eye(12)}, "not positive"),
    ({"mass": np.diag([1.0] * 11 + [0.0])}, "rank 11 of 12"), ({"stiffness": np.triu(np.ones((12, 12)))}, "not symmetric"),
])  # fmt: skip
def test_bad_matrices_of_a_reduced_body(tmp_path, change, message):
    np.savez(tmp_path / "bad.npz", **{"mass": np.eye(12), "stiffness": np.eye(12), **change})
    raw = {
        "name": "bad", "bodies": [{"name": "wheel", "inertia": 1.0}],
        "reduced_bodies": [{"name": "bar", "matrices": str(tmp_path / "bad.npz"), "nodes": ["a", "b"]}],
    }  # fmt: skip
    with pytest.raises(ValueError, match=message):
        assemble(gw.expand(from_mapping(raw), "spatial"), "spatial", "linear")


# --- reduction ---------------------------------------------------------------------------------------------


def test_reduced_model_keeps_low_modes_and_every_static_load():
    """Attachment vectors: static loads and deflections are those of the whole model, modes below the cut too."""
    from gearwright.analyses.static_loads import channel_values
    from gearwright.solve.steady.reduce import reduce_system

    train = gw.expand(gw.load("nrel-5mw-nejad-source", ["model.frames=frozen"]), "spatial")
    pushes = (Push("rotor", "y", constant(1e5)), Push("rotor", "tilt_y", constant(1e6)))
    loads = gw.assembly.Load("rotor", constant(3945.9903e3)), gw.assembly.Load("generator", constant(40.952981e3))
    whole = assemble(train, "spatial", "linear", Inputs(loads, pushes=pushes))
    # a heavily damped mode lies between 200 and 250 Hz (the high-speed shaft's mass on its pinion)
    small = reduce_system(whole, 250.0)
    assert small.shape.coordinates < 0.5 * whole.shape.coordinates and small.shape.rigid == 1
    one, two = solve_modes(whole), solve_modes(small)
    low = int((one.frequencies_hz < 150.0).sum())
    assert two.frequencies_hz[:low] == pytest.approx(one.frequencies_hz[:low], rel=1e-9, abs=1e-9)
    # the damping of the main shaft couples low modes to those left out: a second-order effect on their ratios
    assert two.damping_ratios[1:low] == pytest.approx(one.damping_ratios[1:low], rel=2e-2)
    wanted, found = (channel_values(s, equilibrium(s)) for s in (whole, small))
    assert list(wanted) == list(found)
    for name, value in wanted.items():
        if name.endswith(("force", "force_y", "force_z", "moment_y", "moment_z", "torque")):
            # loads of 1e5 to 4e6 N and N m
            assert found[name] == pytest.approx(value, rel=1e-7, abs=1e-1), name


def test_reduction_in_time_domain_follows_the_whole_model(tmp_path):
    """A shaft of 24 beams under a force that swings at 20 Hz, modes kept to 2.5 times 400 Hz: bearing loads agree."""
    raw = chain(24, 2.0, 0.1).raw
    raw |= {
        "bodies": [{"name": "left", "inertia": 1.0, "mass": 20.0}, {"name": "right", "inertia": 1.0, "mass": 20.0}],
        "cases": [{"name": "swing", "duration": 0.5, "record": ["bearings"], "counting_interval": 1e-3,
                   "loads": [{"on": "left", "force": [0.0, {"sine": {"amplitude": 1e4, "frequency": 20.0}}, 0.0],
                              "moment": [0.0, {"sine": {"amplitude": 1e3, "frequency": 33.0}}]}]}],
    }  # fmt: skip
    figures = []
    for i, model in enumerate(({}, {"highest_frequency": 400.0})):
        made = from_mapping({**raw, "model": {**raw["model"], **model, "damping": {"stiffness_proportional": 1e-5}}})
        done = gw.simulate(made, "swing", output=tmp_path / f"{i}.nc")
        assert done.energy_error < 1e-9
        figures.append((done.attributes["degrees_of_freedom"], done.channels["b.force_y"], done.channels["a.force_y"]))
    assert figures[1][0] < 0.3 * figures[0][0]
    for which in (1, 2):
        for key in ("max", "min", "std"):
            assert figures[1][which][key] == pytest.approx(figures[0][which][key], rel=5e-3)
    with pytest.raises(ValueError, match="must be greater than 0"):
        gw.load("nrel-5mw-nejad-source", ["model.highest_frequency=0"])


def test_prescribed_speeds_are_not_reduced():
    with pytest.raises(ValueError, match="prescribed"):
        gw.simulate(
            gw.load("nrel-5mw-two-mass", ["model.highest_frequency=10", "cases.0.discard=0 s"]),
            "recorded-18ms",
            duration=1.0,
        )
