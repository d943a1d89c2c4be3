"""Kinds, energies and Campbell diagram on trains small enough to know the answer."""

import numpy as np
import pytest

from gearwright.analyses.campbell import Excitation, campbell, excitation_lines
from gearwright.analyses.modal import classify
from gearwright.laws.gyroscopic import gyroscopic
from gearwright.results.damping import damping_shares
from gearwright.solve.steady.modes import modes
from gearwright.system import Builder, Provenance, Row, Spring
from gearwright.train.train import Body, Mesh, Shaft, Train


def torsional_stage(n=3, shaft=1e5):
    """Rotor on a shaft, carrier, planets in a fixed ring, sun; rows in base-circle displacements."""
    b = Builder()
    inertias = {"rotor": 5e4, "carrier": 900.0, "sun": 400.0} | {f"planet{i}": 250.0 for i in range(n)}
    for name, inertia in inertias.items():
        b.coordinate(f"{name}.rotation")
        b.inertia(inertia, {f"{name}.rotation": 1})
    b.row("LSS.torsion", {"rotor.rotation": 1, "carrier.rotation": -1}, Spring(shaft, 20.0))
    for i in range(n):
        planet = f"planet{i}.rotation"
        b.row(f"sun_planet{i}.drive", {"sun.rotation": 1, planet: 1, "carrier.rotation": -1}, Spring(2.1e9))
        b.row(f"ring_planet{i}.drive", {planet: 1, "carrier.rotation": 1}, Spring(3.0e9))
    bodies = {
        "rotor": Body("rotor", "rotor"),
        "carrier": Body("carrier", "carrier", "stage1"),
        "sun": Body("sun", "sun", "stage1"),
    }
    meshes = {}
    for i in range(n):
        name = f"planet{i}"
        bodies[name] = Body(name, "planet", "stage1", on="carrier", angle=2 * np.pi * i / n)
        for wheel, teeth in (("sun", (20, 35)), ("ring", (35, 90))):
            pair = ("sun", name) if wheel == "sun" else (name, "ring")
            meshes[f"{wheel}_{name}"] = Mesh(
                f"{wheel}_{name}", pair, (1.0, 1.0), on="carrier", teeth=teeth, stage="stage1"
            )
    bodies["ring"] = Body("ring", "ring", "stage1", fixed=True)
    ratios = {"rotor": 1.0, "carrier": 1.0, "sun": 5.5, "ring": 0.0} | {f"planet{i}": 1 - 90 / 35 for i in range(n)}
    train = Train("stage", bodies, meshes, {}, {"LSS": Shaft("LSS", ("rotor", "carrier"), shaft)}, {}, {},
                  input="rotor", speed=1.5, ratios=ratios)  # fmt: skip
    return b.build(Provenance()), train


def test_kinds_of_a_torsional_stage():
    system, train = torsional_stage()
    table = classify(modes(system), system, train)
    assert table.kinds == ("rigid", "shaft", "planet", "planet", "rotational", "rotational")
    np.testing.assert_array_equal(table.multiplicity, [1, 1, 2, 2, 1, 1])
    shaft = table.elements.index("LSS")
    assert table.element_energy[1, shaft] > 0.99
    np.testing.assert_allclose(table.element_energy[1:].sum(axis=1), 1.0)
    np.testing.assert_allclose(table.body_energy.sum(axis=1), 1.0)
    planet = [table.bodies.index(f"planet{i}") for i in range(3)]
    np.testing.assert_allclose(table.body_energy[2:4][:, planet].sum(axis=1), 1.0)
    assert max(table.energies()[1].items(), key=lambda item: item[1])[0] == "LSS" and np.isnan(
        table.modes.damping_ratios[0]
    )


def test_pole_map_and_what_damps():
    system, train = torsional_stage()
    table = classify(modes(system), system, train)
    poles = table.pole_map()
    assert all(p.imag >= 0 for p in poles)
    first = min((p for p in poles if p.imag > 0), key=lambda p: p.imag)
    assert first.frequency_hz == pytest.approx(table.modes.frequencies_hz[1], rel=1e-4)
    assert first.damping_ratio == pytest.approx(table.modes.damping_ratios[1], rel=1e-6)
    b = Builder()
    for name in ("a", "b"):
        b.coordinate(f"{name}.rotation")
        b.inertia(1.0, {f"{name}.rotation": 1})
    b.row("s.torsion", {"a.rotation": 1, "b.rotation": -1}, Spring(1e4, 100.0))
    heavy = b.build(Provenance())
    bodies = {n: Body(n) for n in "ab"}
    found = classify(modes(heavy), heavy, Train("t", bodies, {}, {}, {}, {}, {}))
    (mode,) = np.flatnonzero(found.modes.frequencies_hz > 1.0)
    assert found.modes.frequencies_hz[mode] == pytest.approx(np.sqrt(2e4) / (2 * np.pi))
    assert found.modes.damping_ratios[mode] == pytest.approx(100 / np.sqrt(2e4))
    assert damping_shares(heavy, found.modes.shapes[:, mode]) == {"s": 1.0}


def test_excitation_orders():
    _, train = torsional_stage()
    lines = {line.name: line for line in excitation_lines(train, harmonics=2, blades=3)}
    assert lines["1P"].order == 1.0 and lines["3P"].order == 3.0
    assert lines["shaft sun"].order == pytest.approx(5.5)
    assert lines["shaft planet0"].order == pytest.approx(55 / 35)
    mesh = lines["mesh stage1"]
    assert mesh.order == pytest.approx(90.0)  # ring teeth per turn of the carrier
    assert set(mesh.elements) == set(train.meshes)
    assert lines["2 x mesh stage1"].order == pytest.approx(180.0)
    assert lines["1P"].elements == ("LSS",)
    assert mesh.frequency_hz(2 * np.pi) == pytest.approx(90.0)


def test_blades_pass_only_where_there_are_blades():
    """C13: a motor at the input has no 3P; its own turn is that of a shaft. Two blades pass at 2P."""
    _, train = torsional_stage()
    without = {line.name: line for line in excitation_lines(train)}
    assert "3P" not in without and "1P" not in without
    assert without[f"shaft {train.input}"].order == 1.0
    two = {line.name for line in excitation_lines(train, blades=2)}
    assert {"1P", "2P"} <= two and "3P" not in two


def test_crossings_of_constant_frequencies():
    system, train = torsional_stage()
    table = classify(modes(system), system, train)
    f = table.modes.frequencies_hz
    found = campbell(system, train, np.linspace(0.0, 100.0, 5), blades=3)
    assert np.shape(found.frequencies_hz) == (6, 5)
    mesh = [c for c in found.crossings if c.line == "mesh stage1"]
    assert sorted(c.mode for c in mesh) == [2, 3, 4, 5, 6]
    for c in mesh:
        assert c.speed_rpm == pytest.approx(60 * f[c.mode - 1] / 90.0, rel=1e-12)
        assert c.margin == pytest.approx(c.speed_rpm * np.pi / 30 / 1.5 - 1.0)
        assert c.frequency_hz == pytest.approx(f[c.mode - 1])
    shares = [c.share for c in found.crossings]
    assert shares == sorted(shares, reverse=True)
    assert {c.mode: c.share for c in mesh}[2] < 0.01  # the shaft mode is not in the meshes
    assert {c.mode: c.share for c in mesh}[3] == pytest.approx(1.0)
    rotor = next(c for c in found.crossings if c.line == "1P" and c.mode == 2)
    assert rotor.share > 0.99


def test_campbell_follows_speed():
    """A mass of 20 rad/s in a turning frame: 20 -+ W meets an order 2 line at W = 20/3 and 20."""
    b = Builder()
    for name, mass in (("frame.rotation", 10.0), ("m.y", 1.0), ("m.z", 1.0)):
        b.coordinate(name)
        b.inertia(mass, {name: 1})
    rows = [Row("m.inertia_y", {"m.y": 1}), Row("m.inertia_z", {"m.z": 1})]
    senses = [Row("m.dy", {"m.y": 1}), Row("m.dz", {"m.z": 1}), Row("m.angle", {"frame.rotation": 1})]
    b.block("m.inertia", rows, gyroscopic(1.0, 0.0, 0.0), senses)
    for part in "yz":
        b.row(f"support.{part}", {f"m.{part}": 1}, Spring(400.0))
    system = b.build(Provenance())
    train = Train("t", {"frame": Body("frame"), "m": Body("m")}, {}, {}, {}, {}, {}, input="frame",
                  ratios={"frame": 1.0, "m": 2.0})  # fmt: skip
    found = campbell(system, train, np.linspace(1.0, 19.0, 10), blades_orders())
    assert found.operating_rpm is None
    speeds = np.asarray(found.speeds_rpm) * np.pi / 30
    np.testing.assert_allclose(2 * np.pi * np.asarray(found.frequencies_hz[1]), 20 - speeds, rtol=1e-6)
    np.testing.assert_allclose(2 * np.pi * np.asarray(found.frequencies_hz[2]), 20 + speeds, rtol=1e-6)
    met = {(c.mode, c.line): c.speed_rpm * np.pi / 30 for c in found.crossings}
    assert met[(2, "two")] == pytest.approx(20 / 3, rel=1e-6)
    assert met[(3, "three")] == pytest.approx(10.0, rel=1e-6)
    assert found.crossings[0].margin is None


def blades_orders():
    return [Excitation("two", 2.0), Excitation("three", 3.0, ("support",))]


def test_campbell_refuses_what_it_cannot_draw():
    system, train = torsional_stage()
    with pytest.raises(ValueError, match="ascending"):
        campbell(system, train, [2.0, 1.0])
    with pytest.raises(ValueError, match="no speed ratios"):
        campbell(system, Train("bare", train.bodies, {}, {}, {}, {}, {}), [1.0, 2.0])
