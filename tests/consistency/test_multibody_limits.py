"""Mechanisms in shared limits: small motions equal fidelity spatial, rigid rows are the limit of stiff ones."""

import math

import numpy as np
import pytest

import gearwright as gw
from gearwright.multibody import Body, Joint, Mechanism, linearise
from gearwright.schema.read import from_mapping

RADII, ALPHA = (0.12, 0.2), math.radians(20.0)
MASS, INERTIA = (40.0, 90.0), ((0.3, 0.2, 0.2), (1.8, 1.0, 1.0))
MESH, RADIAL, TILT, TWIST = 4e8, 3e8, 5e6, 2e6


def _mechanism(mesh_stiffness):
    """Two spur wheels on bushings, mesh as an elastic row; x along the shafts."""
    bodies = [
        Body("a", MASS[0], INERTIA[0], (0.0, 0.0, 0.0)),
        Body("b", MASS[1], INERTIA[1], (0.0, sum(RADII), 0.0)),
    ]
    joints = [
        Joint("bushing", f"{name}_bushing", name, "housing", axis=(1, 0, 0), stiffness=RADIAL, angular_stiffness=TILT)
        for name in ("a", "b")
    ]
    gear = Joint("gear", "mesh", "a", "b", axis=(1, 0, 0), radius=RADII, pressure_angle=ALPHA, flank=1,
                 stiffness=mesh_stiffness)  # fmt: skip
    return Mechanism(bodies, [*joints, gear])


def _train(fidelity):
    bodies = [
        {"name": name, "mass": f"{MASS[i]} kg", "inertia": [f"{x} kg m^2" for x in INERTIA[i]],
         "place": ["0 m" if i == 0 else f"{sum(RADII)} m", "0 m"]}
        for i, name in enumerate("ab")
    ]  # fmt: skip
    bearings = [
        {"name": f"{name}_bearing", "type": "bearing", "between": [name, "housing"], "stiffness": RADIAL,
         "axial_stiffness": RADIAL, "tilt_stiffness": TILT, "torsional_stiffness": TILT}
        for name in "ab"
    ]  # fmt: skip
    mesh = {"name": "mesh", "type": "mesh", "between": ["a", "b"], "azimuth": "0 deg", "pressure_angle": ALPHA,
            "base_radius": [r * math.cos(ALPHA) for r in RADII], "stiffness": MESH}  # fmt: skip
    return from_mapping({
        "name": "pair", "bodies": bodies, "elements": [*bearings, mesh],
        "model": {"fidelity": fidelity, "law": "linear", "face_slices": 1},
    })  # fmt: skip


def test_small_motions_of_a_mechanism_are_those_of_spatial():
    """Two wheels, twelve freedoms, one row along the line of action: the same eigenvalues from both assemblies.
    Central differences in the linearisation: 1e-6 of the frequencies."""
    ours = linearise(_mechanism(MESH)).frequencies_hz
    spatial = gw.modes(_train("spatial"), fidelity="spatial", law="linear").frequencies_hz
    assert len(ours) == len(spatial) == 12
    assert np.sort(ours) == pytest.approx(np.sort(spatial), rel=1e-5)


def _torsional(mesh_stiffness):
    """Two wheels that turn, each held by a torsion spring; the mesh a row."""
    bodies = [Body("a", MASS[0], INERTIA[0]), Body("b", MASS[1], INERTIA[1], (0.0, sum(RADII), 0.0))]
    joints = []
    for name in ("a", "b"):
        joints += [
            Joint("revolute", f"{name}_shaft", name, "housing", axis=(1, 0, 0)),
            Joint("torsion_spring", f"{name}_spring", name, "housing", axis=(1, 0, 0), angular_stiffness=TWIST),
        ]
    joints.append(Joint("gear", "mesh", "a", "b", axis=(1, 0, 0), radius=RADII, pressure_angle=ALPHA, flank=1,
                        stiffness=mesh_stiffness))  # fmt: skip
    return linearise(Mechanism(bodies, joints)).frequencies_hz


def test_rigid_rows_are_the_limit_of_stiff_ones():
    """Rigid: one freedom, w^2 = (k_a r_b^2 + k_b r_a^2) / (I_a r_b^2 + I_b r_a^2). The elastic model approaches it with
    order one in 1/k: each tenfold stiffness leaves a tenth of the difference."""
    a, b = RADII
    closed = math.sqrt(TWIST * (b * b + a * a) / (INERTIA[0][0] * b * b + INERTIA[1][0] * a * a)) / (2 * math.pi)
    rigid = _torsional(None)
    assert len(rigid) == 1 and rigid[0] == pytest.approx(closed, rel=1e-6)
    errors = [abs(min(_torsional(k)) - closed) for k in (1e9, 1e10, 1e11)]
    assert errors[0] / errors[1] == pytest.approx(10.0, rel=0.05)
    assert errors[1] / errors[2] == pytest.approx(10.0, rel=0.05)


def test_rigid_and_stiff_meshes_of_a_train_agree():
    """Fidelity rigid against torsional: a geared pair held by springs, law rigid and law linear ever stiffer."""

    def frequency(law, stiffness=None):
        mesh = {"name": "mesh", "type": "mesh", "between": ["a", "b"], "azimuth": "0 deg", "pressure_angle": ALPHA,
                "base_radius": [r * math.cos(ALPHA) for r in RADII]}  # fmt: skip
        if stiffness:
            mesh["stiffness"] = stiffness
        springs = [{"name": f"{n}_spring", "type": "spring", "between": [n, "housing"], "torsional_stiffness": TWIST}
                   for n in "ab"]  # fmt: skip
        file = from_mapping({
            "name": "pair", "bodies": [{"name": n, "inertia": INERTIA[i][0]} for i, n in enumerate("ab")],
            "elements": [mesh, *springs], "model": {"fidelity": "torsional", "law": law},
        })  # fmt: skip
        return min(f for f in gw.modes(file, law=law).frequencies_hz if f > 1.0)

    a, b = RADII
    closed = math.sqrt(TWIST * (b * b + a * a) / (INERTIA[0][0] * b * b + INERTIA[1][0] * a * a)) / (2 * math.pi)
    assert frequency("rigid") == pytest.approx(closed, rel=1e-9)
    errors = [abs(frequency("linear", k) - closed) for k in (1e9, 1e10, 1e11)]
    assert errors[0] / errors[1] == pytest.approx(10.0, rel=0.05)
    assert errors[1] / errors[2] == pytest.approx(10.0, rel=0.05)


MEMBERS = {"stage1": ("sun", "ring", "carrier", "planet"), "stage2": ("wheel", "pinion"), "stage3": ("wheel", "pinion")}


def test_spatial_goes_to_planar_with_order_one():
    """Axial and tilt stiffnesses ten times stiffer leave a tenth of the difference (grc-750kw, helical)."""
    plain = gw.modes("grc-750kw", fidelity="planar", law="linear").frequencies_hz[1:]
    errors = []
    for k in (1e12, 1e13):
        sets = [f"stages.{stage}.bearings.{member}.{key}={k:g}" for stage, names in MEMBERS.items() for member in names
                for key in ("axial_stiffness", "tilt_stiffness")]  # fmt: skip
        found = gw.modes(gw.load("grc-750kw", sets), fidelity="spatial", law="linear").frequencies_hz
        errors.append(np.abs(found[1 : len(plain) + 1] / plain - 1.0).max())
    assert errors[0] / errors[1] == pytest.approx(10.0, rel=0.2)


def test_planar_goes_to_torsional_with_order_one():
    """All supports, the sun's too, ten times stiffer leave a tenth of the difference (lin-parker-1999)."""
    plain = gw.modes("lin-parker-1999", fidelity="torsional", law="linear").frequencies_hz[1:]
    errors = []
    for k in (1e12, 1e13):
        sets = [f"stages.stage.bearings.{member}.stiffness={k:g}" for member in MEMBERS["stage1"]]
        found = gw.modes(gw.load("lin-parker-1999", sets), fidelity="planar", law="linear").frequencies_hz
        errors.append(max(np.abs(found / f - 1.0).min() for f in plain))
    assert errors[0] / errors[1] == pytest.approx(10.0, rel=0.2)


def test_multibody_rows_go_to_their_rigid_form_in_a_stage():
    """The planetary stage by joints on a spring at the sun: elastic gear rows against rigid ones, order one in 1/k."""
    from gearwright.running.mechanism import mechanism_of

    def frequency(k):
        sets = [] if k is None else [f"elements.{e}.stiffness={k:g}" for e in ("sun_planet1", "sun_planet2", "sun_planet3",
                                                                              "ring_planet1")]  # fmt: skip
        made = mechanism_of("planetary-joints", None, sets)[0]
        spring = Joint("torsion_spring", "spring", "sun", "housing", axis=(1, 0, 0), angular_stiffness=1e4)
        return linearise(Mechanism(made.bodies, [*made.joints, spring])).frequencies_hz[0]

    rigid = frequency(None)
    errors = [abs(frequency(k) - rigid) for k in (1e9, 1e10)]
    assert errors[0] / errors[1] == pytest.approx(10.0, rel=0.1)
