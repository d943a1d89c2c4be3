"""Derivatives of frequencies, damping, loads and equivalent loads: closed forms against numbers from elsewhere and differences."""

import numpy as np
import pytest
from typer.testing import CliRunner

import gearwright as gw
from gearwright.analyses.sensitivity import Shaking
from gearwright.cli import app
from gearwright.solve.steady.sensitivity import Matrices, Output, spectral

CHAIN = {
    "name": "chain",
    "bodies": [
        {"name": "rotor", "inertia": "3.876e7 kg m^2"},
        {"name": "carrier", "inertia": "3e5 kg m^2"},
        {"name": "generator", "inertia": "5e6 kg m^2"},
    ],
    "shafts": [
        {"name": "main", "between": ["rotor", "carrier"], "torsional_stiffness": "8.676e8 N m/rad", "damping": "2e6 N m s/rad"},
        {"name": "fast", "between": ["carrier", "generator"], "torsional_stiffness": "2e10 N m/rad", "damping": "4e6 N m s/rad"},
    ],
    "model": {"fidelity": "torsional", "law": "linear"},
}  # fmt: skip


def series(k):
    """Stiffness (or damping) matrix of springs one after the other."""
    e = -np.diff(np.eye(len(k) + 1), axis=0)
    return (e.T * np.asarray(k, float)) @ e


def test_equivalent_load_of_the_5_mw_chain_under_a_random_torque():
    """Four inertias under S = 1e10/(1 + (w/2)^2), m = 4: 0.282483, -0.447945, 1.090547 (differences of another program)."""
    inertia, k, c = [3.876e7, 3e5, 1e5, 534.116 * 97**2], [8.676e8, 2e10, 3.37e9], [2e6, 4e6, 6e5]
    damping = series(c)
    damping[0, 0] += 1e5
    own, none = Matrices(np.diag(inertia), damping, series(k)), np.zeros((4, 4))
    first = series([1.0, 0.0, 0.0])
    changes = [
        Matrices(none, none, k[0] * first),
        Matrices(none, c[0] * first, none),
        Matrices(np.diag([0, 0, 0, inertia[3]]), none, none),
    ]
    row = np.array([[1.0, -1.0, 0.0, 0.0]])
    rows = [Output(x * row, 0.0 * row) for x in (k[0], 0.0, 0.0)]
    w = np.linspace(0.05, 60.0, 12001)
    found = spectral(own, changes, np.eye(4)[0], Output(k[0] * row, 0.0 * row), rows, w, 1e10 / (1.0 + (w / 2.0) ** 2))
    assert found.equivalent_change(4.0)[0] == pytest.approx([0.282483, -0.447945, 1.090547], abs=2e-5)  # the grid's


def test_frequencies_move_by_half_the_shares_of_energy():
    """d ln f/d ln k is half the share of strain energy, d ln f/d ln J minus half that of kinetic energy."""
    found = gw.sensitivity(CHAIN)
    table = found.table
    for i, mode in enumerate(found.modes):
        for name, path in (("main", "shafts.main.torsional_stiffness"), ("fast", "shafts.fast.torsional_stiffness")):
            half = 0.5 * table.element_energy[mode - 1, table.elements.index(name)]
            assert found.frequency[i][found.numbers.index(path)] == pytest.approx(half, abs=1e-7)
        for name in table.bodies:
            half = -0.5 * table.body_energy[mode - 1, table.bodies.index(name)]
            assert found.frequency[i][found.numbers.index(f"bodies.{name}.inertia")] == pytest.approx(half, abs=1e-7)


@pytest.mark.parametrize(
    ("file", "fidelity", "path"),
    [
        (CHAIN, "torsional", "shafts.main.damping"),
        (CHAIN, "torsional", "bodies.generator.inertia"),
        ("nrel-5mw-nejad-ideal", "torsional", "shafts.main.diameter"),  # a shaft's own damping ratio follows it
        ("lin-parker-1999", "planar", "stages.stage.planet.mass"),  # frequencies of two modes each
        ("lin-parker-1999", "planar", "stages.stage.bearings.planet.stiffness"),
    ],
)
def test_against_differences_of_modes(file, fidelity, path):
    """Central differences of what ``modes`` finds on both sides: half of 1e-6 of their step squared is left."""
    found = gw.sensitivity(file, path, fidelity=fidelity)
    base = gw.load(file)
    number = found.values[0]
    value, unit = float(number.split()[0]), number.partition(" ")[2]
    ends = [
        gw.modes(base, fidelity=fidelity, law="linear", overrides=[f"{path}={value * factor!r} {unit}"])
        for factor in (1.0 - 1e-3, 1.0 + 1e-3)
    ]
    rigid = found.modes[0] - 1
    low, high = (np.asarray(e.frequencies_hz)[rigid:] for e in ends)
    assert np.ravel(found.frequency) == pytest.approx((high - low) / 2e-3 / found.frequencies_hz, abs=3e-6)
    low, high = (np.asarray(e.damping_ratios)[rigid:] for e in ends)
    if np.isfinite(found.damping).all():
        assert np.ravel(found.damping) == pytest.approx((high - low) / 2e-3 / found.damping_ratios, abs=1e-5)


def test_shafts_side_by_side_share_a_torque_by_their_stiffness():
    """Stiffnesses 1, 1.2, 0.9: d ln F_1/d ln k_1 = 1 - 1/3.1 = 0.677419, of the others -1/3.1."""
    three = {
        **CHAIN,
        "bodies": [CHAIN["bodies"][0], CHAIN["bodies"][2]],
        "shafts": [
            {"name": f"s{i}", "between": ["rotor", "generator"], "torsional_stiffness": f"{k}e8 N m/rad"}
            for i, k in ((1, 1.0), (2, 1.2), (3, 0.9))
        ],
        "operating": {"input": "rotor", "output": "generator", "speed": "12 rpm", "torque": "4 MN m"},
    }
    found = gw.sensitivity(three, "shafts.s1")
    loads = dict(zip(found.loads, found.load[:, 0], strict=True))
    assert loads["s1.torque"] == pytest.approx(1.0 - 1.0 / 3.1, abs=1e-7)
    assert [loads["s2.torque"], loads["s3.torque"]] == pytest.approx([-1.0 / 3.1] * 2, abs=1e-7)


def test_static_loads_with_contacts_against_differences():
    """With backlash, clearances and pin errors the loads bend with the numbers: the tangent is that of the equilibrium."""
    path, torque = "stages.stage1.bearings.planet.PL_A.stiffness", {"rotor": 3945.9903e3}
    found = gw.sensitivity("nrel-5mw-nejad", path, fidelity="planar")
    low, high = (
        gw.static_loads("nrel-5mw-nejad", torque, law="linear", overrides=[f"{path}={9.4e9 * f!r} N/m"])
        for f in (1.0 - 1e-3, 1.0 + 1e-3)
    )
    for bearing in ("stage1.planet1_PL_A", "stage1.planet1_PL_B"):
        ends = [np.hypot(x[f"{bearing}.force_y"], x[f"{bearing}.force_z"]) for x in (low, high)]
        change = np.log(ends[1] / ends[0]) / 2e-3
        assert abs(change) > 0.1
        assert dict(zip(found.loads, found.load[:, 0], strict=True))[f"{bearing}.force"] == pytest.approx(
            change, abs=1e-4
        )


def test_a_random_torque_in_words_and_the_largest_influence():
    """A soft shaft between two large masses: below resonance its torque is J_2/(J_1 + J_2) of what shakes, whatever the shaft."""
    two = {**CHAIN, "bodies": [CHAIN["bodies"][0], CHAIN["bodies"][2]],
           "shafts": [{"name": "main", "between": ["rotor", "generator"], "torsional_stiffness": "8.676e8 N m/rad", "damping": "2e8 N m s/rad"}]}  # fmt: skip
    found = gw.sensitivity(two, shaking="rotor: 300 kN m, 0.005 Hz, m 10")
    s = found.spectral
    assert s.shaking == Shaking("rotor", 3e5, 0.005, 10.0)
    share = 5e6 / (5e6 + 3.876e7)
    assert s.deviation[0] == pytest.approx(
        3e5 * share, rel=0.03
    )  # what lies beyond the band and above the shaft's corner
    change = dict(zip(found.numbers, s.equivalent[0], strict=True))
    assert change["bodies.generator.inertia"] == pytest.approx(1.0 - share, rel=0.05)


@pytest.mark.parametrize(
    ("of", "said"),
    [
        ("shafts.main.torsional_stifness", "shafts.main.torsional_stiffness"),
        ("shafts", None),
        ("model.fidelity", "no number, but 'torsional'"),
    ],
)
def test_paths_that_lead_to_no_number_say_which_is_near(of, said):
    if said is None:
        assert len(gw.sensitivity(CHAIN, of).numbers) == 4
        return
    with pytest.raises(gw.DrivetrainError, match=said):
        gw.sensitivity(CHAIN, of)


def test_what_cannot_move_alone_says_why():
    with pytest.raises(gw.DrivetrainError, match=r"teeth cannot move alone|no such number|whole"):
        gw.sensitivity("nrel-5mw-nejad-ideal", "stages.stage1.sun.teeth")
    with pytest.raises(gw.DrivetrainError, match="no linear model"):
        gw.sensitivity("zf-4hp22", fidelity="rigid")


def test_the_command_writes_a_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(
        app, ["modes", "nrel-5mw-two-mass", "--sensitivity", "--shaking", "rotor: 300 kN m, 0.3 Hz", "-o", "s.html"]
    )
    assert result.exit_code == 0, result.output
    assert "shafts.main.torsional_stiffness" in result.output
    assert "moves the frequency" in (tmp_path / "s.html").read_text()
    wrong = CliRunner().invoke(app, ["modes", "nrel-5mw-two-mass", "--of", "shafts"])
    assert wrong.exit_code == 2 and "--sensitivity" in wrong.output
