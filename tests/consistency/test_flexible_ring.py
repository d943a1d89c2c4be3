"""Rings and housings that bend while planets turn in them: fidelity spatial against closed forms of a thin ring, against the
rigid ring, against frames that stand, and by what a spring gives back over a turn."""

import math

import numpy as np
import pytest

import gearwright as gw
from gearwright.analyses.static_loads import channel_values
from gearwright.assembly import AssemblyError, Inputs, Load, Push, assemble
from gearwright.errors import DrivetrainError
from gearwright.laws.ring_mesh import cardinal, ring_mesh
from gearwright.schema.read import from_mapping
from gearwright.solve.choose import engine
from gearwright.solve.steady.static import equilibrium
from gearwright.stiffness.beam import Beam, beam_mass, beam_stiffness
from gearwright.system import State, constant

RADIUS, ALPHA = 0.5, math.radians(20.0)  # 100 teeth of 10 mm, pitch circle of the ring
GROUND = 1e9  # what holds each rigid motion of the ring [N/m, N m/rad by the mean of its nodes]


def ring_matrices(beam, nodes, per=4, ground=GROUND):
    """Stiffness and mass of a ring of ``nodes * per`` straight beams in the plane x = 0, condensed statically to its nodes;
    its six rigid motions, and nothing else of it, are held by ``ground``."""
    count = nodes * per
    k, m = np.zeros((2, 6 * count, 6 * count))
    at = [2 * math.pi * i / count for i in range(count)]
    for i in range(count):
        a = at[i] + math.pi / count + math.pi / 2  # direction of the chord
        t = np.array([[0.0, math.cos(a), math.sin(a)], [0.0, -math.sin(a), math.cos(a)], [1.0, 0.0, 0.0]])
        both = np.kron(np.eye(4), t)
        j = (i + 1) % count
        place = np.r_[6 * i : 6 * i + 6, 6 * j : 6 * j + 6]
        k[np.ix_(place, place)] += both.T @ beam_stiffness(beam) @ both
        m[np.ix_(place, place)] += both.T @ beam_mass(beam) @ both
    kept = np.concatenate([np.arange(6 * i, 6 * i + 6) for i in range(0, count, per)])
    rest = np.setdiff1d(np.arange(6 * count), kept)
    down = np.zeros((6 * count, len(kept)))
    down[kept] = np.eye(len(kept))
    down[rest] = -np.linalg.solve(k[np.ix_(rest, rest)], k[np.ix_(rest, kept)])
    k, m = down.T @ k @ down, down.T @ m @ down
    places = [(0.0, RADIUS * math.cos(a), RADIUS * math.sin(a)) for a in at[::per]]
    rigid = np.zeros((6 * nodes, 6))
    for i, (x, y, z) in enumerate(places):
        rigid[6 * i : 6 * i + 6] = np.eye(6)
        rigid[6 * i : 6 * i + 3, 3:] = [[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]]
    # held at the displacements of the nodes: couples on nodes would bend the ring between them
    weighed = rigid * np.tile([1.0, 1.0, 1.0, 0.0, 0.0, 0.0], nodes)[:, None]
    mean = np.linalg.solve(weighed.T @ rigid, weighed.T)
    return 0.5 * (k + k.T) + ground * mean.T @ mean, 0.5 * (m + m.T), places


def chord(nodes, per=4):
    return 2 * RADIUS * math.sin(math.pi / (nodes * per))


def file(tmp_path, ring=None, nodes=24, damping=None, model=None, top=None, **stage):
    """A planetary stage, three planets, whose ring is a reduced body of beams (``ring``) or rigid and fixed."""
    held = {"stiffness": 1e9, "axial_stiffness": 1e8, "tilt_stiffness": 1e7}
    raw = {
        "name": "ringed",
        "stages": [{
            "name": "s", "type": "planetary", "planets": 3, "module": "10 mm", "pressure_angle": "20 deg",
            "sun": {"teeth": 20, "mass": 25.0, "inertia": 0.12}, "planet": {"teeth": 40, "mass": 90.0, "inertia": 1.9},
            "ring": {"teeth": 100, "mass": 300.0, "inertia": 70.0, "fixed": True},
            "carrier": {"mass": 200.0, "inertia": 9.0, "inertia_includes_planets": False},
            "meshes": {"sun_planet": {"stiffness": 1e9}, "ring_planet": {"stiffness": 1.2e9}},
            "bearings": {"sun": held, "carrier": held,
                         "planet": {"stiffness": 5e8, "axial_stiffness": 1e8, "tilt_stiffness": 1e7}}, **stage,
        }],
        "machines": [{"name": "generator", "type": "constant", "drives": ["s.sun"], "parameters": {"torque": 0.0}}],
        "operating": {"input": "s.carrier", "output": "s.sun", "speed": 1.0, "torque": 1e4},
        "model": {"fidelity": "spatial", "law": "linear", "frames": "turning", **(model or {})}, **(top or {}),
    }  # fmt: skip
    if ring is not None:
        k, m, places = ring_matrices(ring, nodes)
        more = {} if damping is None else {"damping": damping * k}
        np.savez(tmp_path / "ring.npz", stiffness=k, mass=m, **more)
        raw["reduced_bodies"] = [{
            "name": "rim", "matrices": str(tmp_path / "ring.npz"), "nodes": [f"n{i + 1}" for i in range(nodes)],
            "places": [list(p) for p in places], "teeth": {"of": "s.ring"},
        }]  # fmt: skip
    return from_mapping(raw)


def loaded(source, torque=1e4, pushes=()):
    """System under a torque at the carrier and what balances it at the sun (ratio 6)."""
    train = gw.expand(source, "spatial")
    loads = Load("s.carrier", constant(torque)), Load("s.sun", constant(-torque / 6.0))
    return assemble(train, None, None, Inputs(loads, pushes=pushes))


THIN = Beam(chord(24), 2e-3, young=2.1e15, shear=8e14, density=1e4)


@pytest.mark.parametrize("nodes, error", [(12, 7e-2), (24, 6e-3)])
@pytest.mark.parametrize("turn", [0.0, 0.07, 1.234])
def test_thin_ring_under_three_planets(tmp_path, nodes, error, turn):
    """A thin ring that does not stretch, three equal loads with a radial part F sin(alpha) and a tangential F cos(alpha): waves
    n = 3, 6, 9, ... (Timoshenko, Vibration Problems, ring in its plane: energy pi E I (n^2 - 1)^2 w^2 / (2 R^3), tangential
    amplitude w/n), so along the line of action at each planet

        delta = 3 F R^3 / (pi E I) sum (sin^2 + cos^2/n^2) / (n^2 - 1)^2  +  its rotation as a whole

    wherever the planets are. For radial loads alone the sum is Roark's (Table 9.2, case 7). The waves that the nodes cannot
    carry are left out: of 12 nodes all from n = 6 on (5 % of the sum), of 24 from n = 12 on (0.4 %)."""
    beam = Beam(chord(nodes), THIN.diameter, young=THIN.young, shear=THIN.shear, density=THIN.density)
    system = loaded(file(tmp_path, beam, nodes), 100.0)
    found = equilibrium(system, tolerance=1e-3, phi=np.array([turn]))
    values = channel_values(system, found)
    n = 3.0 * np.arange(1, 200)
    sums = (1.0 / (n**2 - 1.0) ** 2).sum(), (1.0 / (n * (n**2 - 1.0)) ** 2).sum()
    third = math.pi / 3.0  # half the angle between the loads
    roark = 0.5 * ((third + math.sin(third) * math.cos(third)) / (2 * math.sin(third) ** 2) - 1.0 / third)
    assert 3.0 / math.pi * sums[0] == pytest.approx(roark, rel=1e-6)
    s, c = math.sin(ALPHA) ** 2, math.cos(ALPHA) ** 2
    bent = 3.0 * RADIUS**3 / (math.pi * beam.young * beam.second_moment) * (s * sums[0] + c * sums[1])
    turned = 3.0 * c * RADIUS**2 / GROUND
    force = 100.0 * (1.0 - 1.0 / 6.0) / (3.0 * RADIUS * math.cos(ALPHA))
    for i in (1, 2, 3):
        mesh = f"s.ring_planet{i}"
        assert abs(values[f"{mesh}.force"]) == pytest.approx(force, rel=1e-3)
        # what the planet moves against the ring at rest, less what the teeth give
        ring = values[f"{mesh}.deflection"] / values[f"{mesh}.force"] - 1.0 / 1.2e9
        assert bent > 20 * turned
        assert ring == pytest.approx(bent + turned, rel=error)


def test_stiff_ring_is_the_rigid_one(tmp_path):
    """Frequencies of planets that turn in a stout ring are those of the fixed rigid ring; what is left is its compliance, a
    tenth as much for ten times the stiffness."""
    plain = gw.modes(file(tmp_path)).frequencies_hz
    errors = []
    for young in (2.1e12, 2.1e13):
        stout = Beam(chord(8), 0.2, young=young, shear=young / 2.6, density=100.0)
        k, m, _ = ring_matrices(stout, 8, ground=young)
        made = file(tmp_path, stout, 8)
        np.savez(tmp_path / "ring.npz", stiffness=k, mass=m)
        errors.append(np.abs(gw.modes(made).frequencies_hz[1 : len(plain)] / plain[1:] - 1.0).max())
    assert errors[1] < 2e-3 and errors[1] == pytest.approx(0.1 * errors[0], rel=0.05)


@pytest.mark.parametrize("law", ["linear", "periodic"])
def test_planets_that_stand_are_those_that_turn(tmp_path, law):
    """At rest both frames are one: 8 nodes for three planets, so that two of these lie between nodes."""
    found, loads = [], []
    for frames in ("frozen", "turning"):
        made = file(tmp_path, Beam(chord(8), 0.05), 8, model={"frames": frames, "law": law}, face_width=0.1)
        found.append(gw.modes(made).frequencies_hz)
        loads.append(gw.static_loads(made, {"s.carrier": 1e4}))
    assert found[0][:60] == pytest.approx(found[1][:60], rel=1e-6, abs=1e-3)
    for name in loads[1]:
        if name.startswith("s.") and name.endswith(("_force", "force_y", "force_z", "face_moment", "moment_y")):
            assert loads[1][name] == pytest.approx(loads[0][name], rel=1e-6, abs=1e-2), name


def test_standing_planets_in_contact_pair_by_pair(tmp_path):
    """Law tooth_contact takes the rows of standing planets as every law does: loads of the linear law to the difference of
    the mesh stiffnesses, which statics do not feel in three equal planets."""
    made = file(tmp_path, Beam(chord(16), 0.08), 16, model={"frames": "frozen"}, face_width=0.1)
    loads = gw.static_loads(made, {"s.carrier": 1e4}, law="tooth_contact")
    force = 1e4 * (5.0 / 6.0) / (3.0 * RADIUS * math.cos(ALPHA))
    for i in (1, 2, 3):
        assert abs(loads[f"s.ring_planet{i}.force"]) == pytest.approx(force, rel=1e-3)


def test_nothing_is_lost_or_won_on_the_way_round(tmp_path):
    """Half a radian of an undamped train in a ring that one node holds as well: the work that the rows of a travelling mesh take
    is the change of its energy k d^2/2, to the error of the engine (tolerance 1e-7 of the loads); by its rows alone
    hundreds of times that goes through it. The mesh forces are those of the equilibrium at each place."""
    made = file(tmp_path, Beam(chord(8), 0.12), 8)
    k, m, _ = ring_matrices(Beam(chord(8), 0.12), 8)
    k[1, 1] += 3e7  # node 1, to the right
    np.savez(tmp_path / "ring.npz", stiffness=k, mass=m, damping=2e-5 * k)
    system = loaded(made)
    wanted = tuple(c for c in system.channels if c.name == "s.ring_planet2.force")
    state = State.start(system, q=equilibrium(system, tolerance=1e-3).q)
    first = state.copy()
    run = engine("explicit")
    block = run.advance(run.prepare(system, wanted, 1e-3, 1e-7), state, 500)
    d0, d1 = first.deflections(system)[0], state.deflections(system)[0]
    assert d1[system.rows.index("s.ring_planet1.place")] == pytest.approx(0.5, rel=1e-2)
    for i, law in enumerate(system.laws):
        rows = system.law_rows(i)
        assert law.energy is not None
        gained = law.energy(d1[rows], None, None, 0) - law.energy(d0[rows], None, None, 0)
        through = np.abs(state.row_work[rows]).max()
        assert abs(gained - state.row_work[rows].sum()) < 1e-4 * through
    place = np.interp(0.4, [0.0, 0.5], [0.0, d1[system.rows.index("s.ring_planet1.place")]])
    still = channel_values(system, equilibrium(system, tolerance=1e-2, phi=np.array([place])))
    assert block.lines[400, 0] == pytest.approx(still[wanted[0].name], rel=5e-3)


@pytest.mark.parametrize("nodes", [3, 8, 11])
def test_every_row_carries_the_change_of_the_energy(nodes):
    """Force of every row against the energy's central difference, shares against the sum of waves."""
    random = np.random.default_rng(nodes)
    law = ring_mesh([(0.0, 1.0, np.array([[2e8, 0.0, 0.0, 0.0]]))], 0.0, nodes, 0.3, False)
    d = random.normal(size=nodes + 2)
    f = np.zeros(nodes + 2)
    call(law, d, f)
    for i in range(nodes + 2):
        step = np.eye(nodes + 2)[i] * 1e-5
        change = (law.energy(d + step, None, None, 0) - law.energy(d - step, None, None, 0)) / 2e-5
        assert f[i] == pytest.approx(change, rel=1e-6, abs=1e-3)
    at = 2.0 * math.pi * np.arange(nodes) / nodes
    assert cardinal(nodes, at) == pytest.approx(np.eye(nodes)[0], abs=1e-12)
    for waves in range((nodes + 1) // 2):  # a polynomial through the nodes is itself between them
        assert cardinal(nodes, 0.7 - at) @ np.cos(waves * at) == pytest.approx(math.cos(0.7 * waves), abs=1e-12)


def call(law, d, f, dv=None, mode=0):
    import ctypes

    pointer = ctypes.POINTER(ctypes.c_double)
    arrays = [
        np.ascontiguousarray(x, float)
        for x in (d, np.zeros(len(d)) if dv is None else dv, law.parameters, [0.0], [0.0])
    ]
    rates = np.zeros(1)
    given = [x.ctypes.data_as(pointer) for x in arrays]
    law.force.ctypes(0.0, *given, mode, f.ctypes.data_as(pointer), rates.ctypes.data_as(pointer))


def boxed(frames="turning", mount=(2e7, 6e7)):
    """Ring, carrier and sun of a stage seated in a box on arms that are softer one way than the other."""
    held = {"stiffness": 1e9, "axial_stiffness": 1e8, "tilt_stiffness": 1e7}
    stiff = {"stiffness": 5e9, "axial_stiffness": 5e9, "tilt_stiffness": 1e9, "torsional_stiffness": 1e9}
    damped = {"damping": {"value": 3e5}, "torsional_damping": {"value": 3e3}}
    seats = [
        ("ring_seat", "s.ring", stiff),
        ("sun_seat", "s.sun", held),
        ("carrier_seat", "s.carrier", {**held, "x": 0.1}),
    ]
    return from_mapping({
        "name": "boxed", "gravity": {"vector": [0.0, 0.0, 0.0]},
        "stages": [{
            "name": "s", "type": "planetary", "planets": 3, "module": "10 mm", "pressure_angle": "20 deg", "face_width": 0.1,
            "sun": {"teeth": 20, "mass": 25.0, "inertia": 0.12}, "planet": {"teeth": 40, "mass": 90.0, "inertia": 1.9},
            "ring": {"teeth": 100, "mass": 300.0, "inertia": 70.0},
            "carrier": {"mass": 200.0, "inertia": 9.0, "inertia_includes_planets": False},
            "meshes": {"sun_planet": {"stiffness": 1e9}, "ring_planet": {"stiffness": 1.2e9}},
            "bearings": {"planet": {"stiffness": 5e8, "axial_stiffness": 1e8, "tilt_stiffness": 1e7}},
        }],
        "bodies": [{"name": "box", "mass": 3000.0, "inertia": [800.0, 600.0, 600.0]}],
        "elements": [
            *({"type": "bearing", "name": n, "between": [b, "box"], **k, **damped} for n, b, k in seats),
            {"type": "bearing", "name": "arms", "between": ["box", "housing"], "stiffness": list(mount),
             "axial_stiffness": 2e7, "tilt_stiffness": [1e7, 2e7], "torsional_stiffness": 2e7, **damped},
        ],
        "machines": [{"name": "generator", "type": "constant", "drives": ["s.sun"], "parameters": {"torque": 0.0}}],
        "operating": {"input": "s.carrier", "output": "s.sun", "speed": 1.0, "torque": 1e4},
        "model": {"fidelity": "spatial", "law": "linear", "frames": frames},
    })  # fmt: skip


def test_box_that_moves_around_members_that_turn():
    """A force (20, -30) kN on the box: it stands still in the housing, at the force over the stiffness of its arms each way,
    while its ring is described in the turning frame, where that place goes backwards around. At rest the model is that of
    frozen frames."""
    found = [gw.modes(boxed(frames)).frequencies_hz for frames in ("frozen", "turning")]
    assert found[1] == pytest.approx(found[0], rel=1e-7, abs=1e-3)
    system = loaded(boxed(), pushes=(Push("box", "y", constant(2e4)), Push("box", "z", constant(-3e4))))
    index = system.coordinates.index
    turning = system.u[0] / system.u[0][index("s.carrier.rotation")]
    names = ("arms.force_y", "arms.force_z", "s.ring.y", "s.ring.z", "s.carrier.angle", "s.ring_planet1.force")
    wanted = tuple(next(c for c in system.channels if c.name == n) for n in names)
    state = State.start(system, q=equilibrium(system).q, v=turning)
    run = engine("explicit")
    lines = run.advance(run.prepare(system, wanted, 2e-3, 1e-6), state, 2500).lines
    y, z, angle = lines[1000:, 2], lines[1000:, 3], lines[1000:, 4]
    assert angle[-1] - angle[0] > 2.5
    # the start, where the ring moved with its frame, has died away; damping of the arms leaves 1e-4
    assert lines[1000:, 0] == pytest.approx(2e4, rel=1e-3) and lines[1000:, 1] == pytest.approx(-3e4, rel=1e-3)
    turned = (y + 1j * z) * np.exp(1j * angle)
    assert turned.real == pytest.approx(2e4 / 2e7, rel=2e-3) and turned.imag == pytest.approx(-3e4 / 6e7, rel=2e-3)
    force = 1e4 * (5.0 / 6.0) / (3.0 * RADIUS * math.cos(ALPHA))
    assert abs(lines[1000:, 5]) == pytest.approx(force, rel=5e-3)
    assert abs(lines[1000:, 5].mean()) == pytest.approx(force, rel=2e-4)


def test_weight_of_a_reduced_body(tmp_path):
    """All of it hangs in its mounts: a ring of beams, m = rho A 2 pi R."""
    beam = Beam(chord(8), 0.1)
    made = file(tmp_path, beam, 8, model={"gravity": True})
    train = gw.expand(made, "spatial")
    system = assemble(train)
    weight = sum(
        float(system.signals[i](0.0)) for i, name in enumerate(system.signal_names) if name.startswith("weight of rim")
    )
    assert weight == pytest.approx(-9.81 * beam.density * beam.area * chord(8) * 32, rel=1e-9)


@pytest.mark.parametrize("change, said", [
    ({"teeth": {"of": "s.sun"}}, "no ring of a planetary stage"),
    ({"teeth": {"of": "s.ring", "nodes": ["n1", "n2", "n4"]}}, "evenly spaced"),
    ({"teeth": {"of": "s.ring", "nodes": ["n1", "n2"]}}, "three or more"),
    ({"teeth": {"of": "s.ring", "nodes": ["n1", "n2", "n40"]}}, "no node 'n40'"),
    ({"places": []}, "one place for every node"),
    ({"on": "s.carrier"}, "on or teeth, not both"),
])  # fmt: skip
def test_bad_teeth_of_a_reduced_body(tmp_path, change, said):
    made = file(tmp_path, Beam(chord(8), 0.1), 8).raw
    with pytest.raises(DrivetrainError, match=said):
        gw.expand(from_mapping({**made, "reduced_bodies": [{**made["reduced_bodies"][0], **change}]}), "spatial")


def test_ring_that_is_not_fixed_is_refused(tmp_path):
    made = file(tmp_path, Beam(chord(8), 0.1), 8).raw
    stage = {**made["stages"][0], "ring": {"teeth": 100, "mass": 300.0, "inertia": 70.0}}
    with pytest.raises(DrivetrainError, match="is to be fixed"):
        gw.expand(from_mapping({**made, "stages": [stage]}), "spatial")


@pytest.mark.parametrize("law, mesh, said", [
    ("tooth_contact", {}, "law tooth_contact does not follow"), ("linear", {"backlash": 1e-4}, "has backlash"),
])  # fmt: skip
def test_what_does_not_travel_is_refused(tmp_path, law, mesh, said):
    meshes = {"sun_planet": {"stiffness": 1e9}, "ring_planet": {"stiffness": 1.2e9, **mesh}}
    with pytest.raises(AssemblyError, match=said):
        gw.modes(file(tmp_path, Beam(chord(8), 0.1), 8, meshes=meshes, face_width=0.1), law=law)


def test_bearings_that_cannot_turn_are_refused():
    made = boxed().raw
    seat = {**made["elements"][0], "clearance": 1e-4}
    with pytest.raises(AssemblyError, match="a clearance and joins 's.ring' and 'box'"):
        gw.modes(from_mapping({**made, "elements": [seat, *made["elements"][1:]]}))
