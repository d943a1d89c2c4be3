"""C33: planets that share a load are found by what rides on what, whatever bodies and meshes are called."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gearwright as gw
from gearwright.results.planet_sharing import largest_of_each, largest_per_turn
from gearwright.schema.read import from_mapping
from gearwright.train.expand import expand
from gearwright.train.kinematics import planet_groups
from gearwright.train.open import load


def _spelled_out(stiffness: tuple[float, ...], law: str = "linear", **rack: Any) -> Any:
    """Sun anna, ring ida, carrier otto; planets and meshes without a pattern in their names."""
    rack = rack or {"module": "5 mm", "pressure_angle": "20 deg"}
    names = ["tom", "dick", "harry"]
    meshes = []
    for name, k in zip(names, stiffness, strict=True):
        common = {"type": "mesh", "on": "otto", "stiffness": k, **rack}
        meshes += [{"name": f"from {name}", "between": ["anna", name], "teeth": [30, 20], **common},
                   {"name": f"{name} out", "between": [name, "ida"], "teeth": [20, 70], "internal": True, **common}]  # fmt: skip
    return from_mapping({
        "name": "set", "bodies": [{"name": "anna", "inertia": 0.1}, {"name": "ida", "inertia": 1.0}, {"name": "otto", "inertia": 1.0},
                                  *({"name": n, "inertia": 0.01, "on": "otto"} for n in names)],
        "elements": meshes, "model": {"fidelity": "rigid" if law == "rigid" else "torsional", "law": law},
        "operating": {"input": "anna", "output": "otto", "fixed": "ida", "speed": 10.0, "torque": 100.0},
        "cases": [{"name": "c", "duration": 0.2, "record": ["meshes", "bodies"], **({"start": "operating"} if law == "rigid" else {}),
                   "loads": [{"on": "anna", "torque": 100.0}, {"on": "otto", "torque": -1000.0 / 3.0}, {"on": "ida", "torque": 700.0 / 3.0}]}],
    })  # fmt: skip


def test_groups_of_trains_spelled_out_of_stages_and_of_ravigneaux() -> None:
    assert planet_groups(expand(_spelled_out((1e8, 1e8, 1e8)))) == {
        "otto": ("otto", ("from tom", "from dick", "from harry"))
    }
    stage = planet_groups(expand(load("nordtank-500kw")))
    assert list(stage) == ["stage1"] and stage["stage1"][1] == tuple(f"stage1.sun_planet{i}" for i in (1, 2, 3))
    assert planet_groups(expand(load("zf-4hp22"))) == {}  # one planet stands for all


def test_the_stiffest_planet_carries_most(tmp_path: Path) -> None:
    """Planets in parallel between one sun and one ring share as their stiffness: K_gamma = 2/((1 + 1 + 2)/3) = 1.5."""
    done = gw.simulate(_spelled_out((1e8, 1e8, 2e8)), "c", output=tmp_path / "r.nc")
    with gw.Result.open(done.result_file) as result:
        sharing = result.load_sharing("otto")
    assert sharing.mean == pytest.approx(1.5, rel=1e-6)
    page = gw.write_report(done.result_file, tmp_path / "r.html").read_text()
    assert "Load sharing of otto" in page and "harry" in page
    assert "No stage with several planets" not in page


def test_planets_known_by_teeth_share_torques(tmp_path: Path) -> None:
    d = _spelled_out((1e8, 1e8, 2e8), "rigid", module=None)
    done = gw.simulate(d, "c", output=tmp_path / "r.nc")
    with gw.Result.open(done.result_file) as result:
        assert result.load_sharing("otto").mean == pytest.approx(1.5, rel=1e-6)
    assert "Load sharing of otto" in gw.write_report(done.result_file, tmp_path / "r.html").read_text()


def test_shares_of_a_run_are_told_with_the_table_of_the_standard(tmp_path: Path) -> None:
    """Mean shares add to the number of planets, both rows of a planet's bearing carry alike (planar), measured ones stand beside."""
    done = gw.simulate("grc-750kw", "rated", duration=3.0, output=tmp_path / "r.nc")
    told = done.to_dict()["load_sharing"]["stage1"]
    assert sum(told["mean"]) == pytest.approx(3.0) and len(told["planets"]) == 3
    assert (
        told["largest_mean"] == pytest.approx(max(told["mean"])) == pytest.approx(1.0, abs=1e-6)
    )  # no errors, no weight
    assert told["turns"] == pytest.approx(3.0 * 22.198856707 / 60.0, rel=1e-3)
    assert told["per_turn"] == pytest.approx(1.0, abs=1e-3)
    assert told["table"] == 1.10 and "IEC 61400-4" in told["table_source"]
    assert sum(told["rows"]["bearing"]) == pytest.approx(3.0)
    assert max(told["per_turn_of"]) == told["per_turn"] and len(told["per_turn_of"]) == 3
    assert told["rows_per_turn"]["bearing"] == pytest.approx([1.0, 1.0, 1.0], abs=2e-3)
    assert [row[0] for row in told["measured"]] == [1.16, 1.08, 1.10]
    with gw.Result.open(done.result_file) as result:
        assert "per_turn" in str(result.attributes["load_sharing"])
    line = done.sharing_lines()[0]
    assert "per carrier turn 1.000" in line and "1.10 (to be checked against IEC 61400-4)" in line and "1.16" in line
    page = gw.write_report(done.result_file, tmp_path / "r.html").read_text()
    assert "per carrier turn 1.000" in page and "rows of their bearings, stage1" in page


def test_largest_share_of_a_turn_is_that_of_forces_averaged_in_each_place() -> None:
    """1 + a cos of the carrier's angle for one planet, its opposite for another: 1 + a, less what a place averages away."""
    angle = np.linspace(0.0, 4.0 * np.pi, 40_001)
    ripple = 0.3 * np.sin(72 * angle)  # a mesh cycle is a place, and averages out
    forces = np.array([1 + 0.1 * np.cos(angle) + ripple, 1 - 0.1 * np.cos(angle) + ripple, 1 + 0.0 * angle + ripple])
    assert largest_per_turn(forces, angle, 72) == pytest.approx(1.1, abs=1e-3)
    assert largest_of_each(forces, angle, 72) == pytest.approx((1.1, 1.1, 1.0), abs=1e-3)
