"""A train that is turned and loaded the other way is the mirror image: everything but signs stays the same (C19)."""

from pathlib import Path

import numpy as np
import pytest

from gearwright.results.result import Result
from gearwright.running.run import simulate

DATA = Path(__file__).parent.parent / "data"
MIRRORED = (
    "operating.speed=-47 rpm", "operating.torque=-20 kN m", "cases.0.loads.0.torque=-20 kN m",
    "cases.0.loads.1.torque=-1348.9736070381232 N m",
)  # fmt: skip


def loads(fidelity: str, law: str, overrides: tuple[str, ...], path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Mesh forces and magnitudes of bearing forces over time."""
    simulate(DATA / "mirror-train.yaml", fidelity=fidelity, law=law, overrides=overrides, duration=0.4, output=path)
    with Result.open(path) as result:
        return np.asarray(result.dataset["mesh_force"]), np.asarray(result.dataset["bearing_force"])


@pytest.mark.parametrize("law, accurate", [("linear", 1e-6), ("two_level", 1e-6), ("periodic", 1e-4)])
@pytest.mark.parametrize("fidelity", ["torsional", "planar"])
def test_without_backlash_the_mirror_image_is_exact(fidelity: str, law: str, accurate: float, tmp_path: Path) -> None:
    """One row serves both flanks: line of action and course of the stiffness are those of the flank that carries.

    Results are stored in single precision; of law periodic steps are chosen by an estimate, whose last digits differ.
    """
    forward = loads(fidelity, law, (), tmp_path / "forward.nc")
    backward = loads(fidelity, law, MIRRORED, tmp_path / "backward.nc")
    assert law == "linear" or forward[0].std() > 400.0
    np.testing.assert_allclose(backward[0], -forward[0], rtol=accurate)
    np.testing.assert_allclose(backward[1], forward[1], rtol=accurate, atol=accurate * forward[1].max())
