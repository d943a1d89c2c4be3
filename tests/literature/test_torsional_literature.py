"""Natural frequencies against printed tables: systems written as bare rows.

Sources: Friswell, Penny, Garvey, Lees, Dynamics of Rotating Machines (2010), chapter 9, as coded in openTorsion;
Lin and Parker, J. Vib. Acoust. 121 (1999), Table 1; Kahraman, J. Sound Vib. 173 (1994); NREL/TP-500-38060;
Bathe, Finite Element Procedures, section 9.
"""

import numpy as np
import pytest

from gearwright.analyses.modal import classify
from gearwright.solve.steady.modes import modes
from gearwright.system import Builder, Provenance, Spring
from gearwright.train.train import Body, Train


def torsional(inertias, shafts):
    """Discs ``{name: J}`` joined by ``(row, k)`` springs."""
    b = Builder()
    for name, inertia in inertias.items():
        b.coordinate(name)
        b.inertia(inertia, {name: 1.0})
    for i, (row, k) in enumerate(shafts):
        b.row(f"shaft{i}.torsion", row, Spring(k))
    return b.build(Provenance())


def line(inertias, stiffness):
    names = [f"d{i}" for i in range(len(inertias))]
    pairs = zip(names[:-1], names[1:], strict=True)
    return torsional(
        dict(zip(names, inertias, strict=True)),
        [({a: 1.0, b: -1.0}, k) for (a, b), k in zip(pairs, stiffness, strict=True)],
    )


@pytest.mark.parametrize(
    ("inertias", "stiffness", "printed", "digit"),
    [
        ([211.4, 8.3], [9.775e6], [0, 176.1], 0.05),  # LIT 2.1
        ([3.5e-3, 3.5e-3, 3.5e-3, 0.15, 0.05], [12e3, 12e3, 14e3, 10e3],  # LIT 2.2
         [0, 81.21, 141.21, 378.95, 536.36], 0.005),
    ],
)  # fmt: skip
def test_discs_in_line(inertias, stiffness, printed, digit):
    found = modes(line(inertias, stiffness))
    assert found.frequencies_hz[0] == 0.0
    np.testing.assert_allclose(found.frequencies_hz, printed, atol=digit)


def test_geared_pair_one_motor_two_rotors():
    """LIT 2.3: a 1:1 pair is one inertia; the wheel on each side of it carries a rotor."""
    system = torsional(
        {"motor": 400e-6, "gears": 2 * 25e-6, "rotor1": 700e-6, "rotor2": 700e-6},
        [
            ({"motor": 1, "gears": -1}, 10e3),
            ({"rotor1": 1, "gears": -1}, 5e3),
            ({"rotor2": 1, "gears": 1}, 5e3),
        ],
    )
    np.testing.assert_allclose(modes(system).frequencies_hz, [0, 425.4, 634.1, 3247.2], atol=0.05)


def test_branched_train():
    """LIT 2.4: the input gear (R 0.5 m) drives two gears of R 0.8 m, each with a shaft and an end inertia."""
    g = 68e9
    k_in = g * np.pi / 32 * 0.20**4 / 2.5
    k_out = g * np.pi / 32 * 0.25**4 / 3.5
    ratio = 0.5 / 0.8
    b = Builder()
    for name in ("input", "gear", "end1", "end2"):
        b.coordinate(name)
    b.inertia(3200.0, {"input": 1})
    b.inertia(2 * 200.0, {"gear": 1})
    b.inertia(2 * 800.0, {"gear": ratio})
    for end in ("end1", "end2"):
        b.inertia(450.0, {end: 1})
        b.row(f"{end}.torsion", {end: 1, "gear": ratio}, Spring(k_out))
    b.row("in.torsion", {"input": 1, "gear": -1}, Spring(k_in))
    found = modes(b.build(Provenance()))
    np.testing.assert_allclose(found.frequencies_hz, [0, 10.304, 20.479, 24.423], atol=5e-4)


def drill_string(elements):
    """LIT 2.5 with consistent inertia J/6 [[2, 1], [1, 2]] per element."""
    area = np.pi / 32 * (0.78**4 - 0.65**4)
    length = 800.0 / elements
    inertia = 8000.0 * area * length
    b = Builder()
    for i in range(elements + 1):
        b.coordinate(f"n{i}")
    b.inertia(200.0, {"n0": 1})
    b.inertia(10.0, {f"n{elements}": 1})
    for i in range(elements):
        # J/6 [[2, 1], [1, 2]] = J/4 (a + b)^2 + J/12 (a - b)^2
        b.inertia(inertia / 4, {f"n{i}": 1, f"n{i + 1}": 1})
        b.inertia(inertia / 12, {f"n{i}": 1, f"n{i + 1}": -1})
        b.row(f"e{i}.torsion", {f"n{i}": 1, f"n{i + 1}": -1}, Spring(75e9 * area / length))
    return b.build(Provenance())


def drill_string_exact(count):
    """Roots of the wave equation with end inertias, in Hz (closed form, not the code)."""
    from scipy.optimize import brentq

    area = np.pi / 32 * (0.78**4 - 0.65**4)
    speed = np.sqrt(75e9 / 8000.0)

    def ends(w):
        x, z = w * 800.0 / speed, area * np.sqrt(75e9 * 8000.0)
        a, c = 200.0 * w / z, 10.0 * w / z
        return (1 - a * c) * np.sin(x) + (a + c) * np.cos(x)

    grid = np.linspace(1.0, 2 * np.pi * 10, 4000)
    values = ends(grid)
    roots = [
        brentq(ends, p, q, xtol=1e-14)
        for p, q, f, h in zip(grid, grid[1:], values, values[1:], strict=False)
        if f * h < 0
    ]
    return np.array(roots[:count]) / (2 * np.pi)


def test_drill_string():
    np.testing.assert_allclose(drill_string_exact(4), [1.91033, 3.82066, 5.73100, 7.64133], atol=6e-6)
    printed = {
        5: [1.9417, 4.0719, 6.5437, 9.1547],
        8: [1.9225, 3.9187, 6.0625, 8.4185],
        50: [1.9106, 3.8232, 5.7394, 7.6613],
    }
    for elements, values in printed.items():
        np.testing.assert_allclose(modes(drill_string(elements)).frequencies_hz[1:5], values, atol=1e-4)


def test_drill_string_converges_with_second_order():
    exact = drill_string_exact(4)
    error = [modes(drill_string(n)).frequencies_hz[1:5] - exact for n in (25, 50, 100)]
    assert (np.array(error) > 0).all()  # consistent mass bounds from above
    order = np.log2(np.array(error[:-1]) / np.array(error[1:]))
    np.testing.assert_allclose(order, 2.0, atol=0.02)


def fixed_ring_stage(n, k_sp, k_rp, m_c, m_p, m_s):
    b = Builder()
    for name, mass in [("carrier", m_c), ("sun", m_s), *((f"planet{i}", m_p) for i in range(n))]:
        b.coordinate(name)
        b.inertia(mass, {name: 1})
    for i in range(n):
        b.row(f"sun_planet{i}.drive", {"sun": 1, f"planet{i}": 1, "carrier": -1}, Spring(k_sp))
        b.row(f"ring_planet{i}.drive", {f"planet{i}": 1, "carrier": 1}, Spring(k_rp))
    return b.build(Provenance())


@pytest.mark.parametrize("n", [1, 3, 4, 6])
def test_fixed_ring_stage_closed_form(n):
    """LIT 1.3, rows as they are printed there: u_s + u_p - u_c and u_p + u_c."""
    k_sp, k_rp, m_c, m_p, m_s = 2.1e9, 3.0e9, 900.0, 250.0, 400.0
    k = k_sp + k_rp
    b = n * k / m_c + k / m_p + n * k_sp / m_s
    c = n**2 * k_sp * k_rp * (4 / (m_c * n * m_p) + 1 / (m_c * m_s) + 1 / (n * m_p * m_s))
    root = np.sqrt(b * b - 4 * c)
    expected = np.sort(np.sqrt([0.0, (b - root) / 2, (b + root) / 2] + [k / m_p] * (n - 1)))
    found = modes(fixed_ring_stage(n, k_sp, k_rp, m_c, m_p, m_s))
    np.testing.assert_allclose(2 * np.pi * found.frequencies_hz, expected, rtol=1e-9)
    if n == 4:
        np.testing.assert_allclose(expected, [0, *[4516.6359] * 3, 5024.0521, 6231.0166], atol=1e-4)


def lin_parker(n):
    """LIT 1.1 by the rows of the S1 digest 4.4 in carrier-fixed axes; u = r theta, inertia I/r^2."""
    alpha = np.radians(24.6)
    b = Builder()
    data = {"sun": (0.40, 0.39), "ring": (2.35, 3.00), "carrier": (5.43, 6.29)}
    data |= {f"planet{i}": (0.66, 0.61) for i in range(n)}
    for name, (mass, inertia) in data.items():
        for part, value in (("rotation", inertia), ("y", mass), ("z", mass)):
            b.coordinate(f"{name}.{part}")
            b.inertia(value, {f"{name}.{part}": 1})
    for body in ("sun", "ring", "carrier"):
        for part in "yz":
            b.row(f"{body}_bearing.{part}", {f"{body}.{part}": 1}, Spring(1e8))
    b.row("ring_bearing.rotation", {"ring.rotation": 1}, Spring(1e9))
    for i in range(n):
        psi, p = 2 * np.pi * i / n, f"planet{i}"
        for mesh, mate, angle, turn in (("sun", "sun", psi - alpha, 1), ("ring", "ring", psi + alpha, -1)):
            b.row(
                f"{mesh}_{p}.drive",
                {
                    f"{mate}.y": -np.sin(angle), f"{mate}.z": np.cos(angle), f"{mate}.rotation": 1,
                    f"{p}.y": np.sin(angle), f"{p}.z": -np.cos(angle), f"{p}.rotation": turn,
                },
                Spring(5e8),
            )  # fmt: skip
        b.row(f"{p}_bearing.y", {f"{p}.y": 1, "carrier.y": -1, "carrier.rotation": np.sin(psi)}, Spring(1e8))
        b.row(f"{p}_bearing.z", {f"{p}.z": 1, "carrier.z": -1, "carrier.rotation": -np.cos(psi)}, Spring(1e8))
    return b.build(Provenance())


ROTATIONAL = {
    3: [0, 1475.7, 1930.3, 2658.3, 7462.8, 11775.3],
    4: [0, 1536.5, 1970.6, 2625.7, 7773.6, 13071.1],
    5: [0, 1567.4, 2006.1, 2614.8, 8065.4, 14253.1],
}
TRANSLATIONAL = {
    3: [743.2, 1102.4, 1896.0, 2276.4, 6986.3, 9647.9],
    4: [727.3, 1091.2, 1892.8, 2342.5, 7189.9, 10437.6],
    5: [710.0, 1072.0, 1888.1, 2425.3, 7382.4, 11172.3],
}
PLANET = [1808.2, 5963.8, 6981.7]


@pytest.mark.parametrize("n", [3, 4, 5])
def test_lin_parker(n):
    expected = np.sort(ROTATIONAL[n] + 2 * TRANSLATIONAL[n] + (n - 3) * PLANET)
    found = modes(lin_parker(n))
    assert found.frequencies_hz[0] == 0.0
    np.testing.assert_allclose(found.frequencies_hz, expected, rtol=5e-4, atol=0.06)


def lin_parker_train(n):
    """The bodies the kinds are about."""
    bodies = {name: Body(name, name, "stage") for name in ("sun", "ring", "carrier")}
    for i in range(n):
        bodies[f"planet{i}"] = Body(
            f"planet{i}", "planet", "stage", on="carrier", pin_radius=0.0884, angle=2 * np.pi * i / n
        )
    return Train("lin-parker", bodies, {}, {}, {}, {}, {})


@pytest.mark.parametrize("n", [3, 4, 5])
def test_lin_parker_structure(n):
    """Six simple rotational, six double translational, three planet modes of multiplicity N - 3 (LIT 1.1)."""
    system = lin_parker(n)
    table = classify(modes(system), system, lin_parker_train(n))
    found = {
        kind: table.modes.frequencies_hz[[k == kind for k in table.kinds]]
        for kind in ("rigid", "rotational", "translational", "planet")
    }
    np.testing.assert_allclose(found["rigid"], [0.0])
    np.testing.assert_allclose(found["rotational"], ROTATIONAL[n][1:], rtol=5e-4)
    np.testing.assert_allclose(found["translational"], np.repeat(TRANSLATIONAL[n], 2), rtol=5e-4)
    np.testing.assert_allclose(found["planet"], np.repeat(PLANET, n - 3), rtol=5e-4)
    # no class leaks into another: the structure is exact
    best = table.parts.max(axis=1)
    np.testing.assert_allclose(best[1:], 1.0, atol=1e-9)
    shape = {name: table.modes.shapes[i] for i, name in enumerate(system.coordinates)}
    for i, kind in enumerate(table.kinds):
        moved = [abs(shape[f"{b}.{p}"][i]) for b in ("sun", "ring", "carrier") for p in "yz"]
        turned = [abs(shape[f"{b}.rotation"][i]) for b in ("sun", "ring", "carrier")]
        if kind == "rotational":
            assert max(moved) < 1e-6
        elif kind == "translational":
            assert max(turned) < 1e-6
        elif kind == "planet":
            assert max(moved + turned) < 1e-6


def nrel_5mw(fixed_generator=False):
    """LIT 3.1, referred to the low-speed shaft."""
    b = Builder()
    b.coordinate("rotor")
    b.inertia(3.876e7, {"rotor": 1})
    b.coordinate("generator")
    b.inertia(534.116, {"generator": 97.0})
    b.row("shaft.torsion", {"rotor": 1, "generator": -1}, Spring(867_637_000.0, 6_215_000.0))
    if fixed_generator:
        from gearwright.system import constant

        b.prescribe("generator", b.signal("still", constant(0.0)))
    return b.build(Provenance())


def test_nrel_5mw_two_masses():
    free, fixed = modes(nrel_5mw()), modes(nrel_5mw(fixed_generator=True))
    np.testing.assert_allclose(free.frequencies_hz, [0, 2.223], atol=5e-4)
    np.testing.assert_allclose(fixed.frequencies_hz, [0.753], atol=5e-4)
    # 6.213e6 N m s/rad is 5 % of the free-free mode
    np.testing.assert_allclose(free.damping_ratios[1], 0.05 * 6.215 / 6.213, rtol=2e-4)


def test_bathe_frequencies():
    """LIT 9: squared frequencies 2 and 5."""
    b = Builder()
    b.coordinate("u1")
    b.coordinate("u2")
    b.inertia(2.0, {"u1": 1})
    b.inertia(1.0, {"u2": 1})
    b.row("k1.x", {"u1": 1}, Spring(4.0))
    b.row("k2.x", {"u1": 1, "u2": -1}, Spring(2.0))
    b.row("k3.x", {"u2": 1}, Spring(2.0))
    found = modes(b.build(Provenance()))
    np.testing.assert_allclose((2 * np.pi * found.frequencies_hz) ** 2, [2.0, 5.0], rtol=1e-14)


def test_bathe_exact_column():
    """LIT 9: response to a constant force on u2 from rest, by the modes (the exact column, 5 decimals)."""
    b = Builder()
    b.coordinate("u1")
    b.coordinate("u2")
    b.inertia(2.0, {"u1": 1})
    b.inertia(1.0, {"u2": 1})
    for name, row, k in (("a", {"u1": 1}, 4.0), ("b", {"u1": 1, "u2": -1}, 2.0), ("c", {"u2": 1}, 2.0)):
        b.row(f"{name}.x", row, Spring(k))
    found = modes(b.build(Provenance()))
    w = 2 * np.pi * found.frequencies_hz
    load = found.shapes.T @ np.array([0.0, 10.0])
    printed = {
        1: (0.00251, 0.38188),
        2: (0.03807, 1.41160),
        4: (0.48603, 4.09356),
        8: (2.86081, 4.27665),
        12: (1.15723, 2.48876),
    }
    for step, values in printed.items():
        u = found.shapes @ (load / w**2 * (1 - np.cos(w * 0.28 * step)))
        np.testing.assert_allclose(u, values, atol=5.1e-6)
