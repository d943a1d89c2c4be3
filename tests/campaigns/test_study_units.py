"""C49: a quantity keeps its unit until the place that knows which dimension it has."""

from pathlib import Path

import numpy as np
import pytest

from gearwright.campaigns.study import read_study, samples_of, study_plan
from gearwright.errors import DrivetrainError
from gearwright.schema.case_lookup import with_case
from gearwright.units import any_si

PATH = "shafts.main.torsional_stiffness"


def _study(folder: Path, spread: str, method: str = "latin_hypercube", path: str = PATH) -> Path:
    file = folder / "study.yaml"
    samples = "" if method == "grid" else "samples: 8\n"
    file.write_text(
        f"name: s\ndrivetrain: nrel-5mw-two-mass\nvary:\n  {path}: {spread}\nmethod: {method}\n{samples}outputs: [main.torque.max]\n"
    )
    return file


@pytest.mark.parametrize(
    ("spread", "method", "path", "said"),
    [
        ("{uniform: [1 kg, 2 kg]}", "latin_hypercube", PATH, "'kg' is mass, a torsional stiffness is wanted"),
        ("{from: 1 kg, to: 2 kg, steps: 3}", "grid", PATH, "'kg' is mass"),
        ("{uniform: [1 kg, 2 kg]}", "sobol", "shafts.main.damping", "'kg' is mass"),
        ("{normal: [8.7e8 N m/rad, 4 kg]}", "sobol", PATH, "measure different things"),
        ("{normal: [8.7e8 N m/rad, 4e7]}", "sobol", PATH, "measure different things"),
        ("{lognormal: [8.7e8 N m/rad, 4 kg]}", "sobol", PATH, "'kg' is mass, a number is wanted"),
    ],
)
def test_a_spread_of_something_else_is_refused(tmp_path: Path, spread: str, method: str, path: str, said: str) -> None:
    with pytest.raises(DrivetrainError, match=said):
        study_plan(_study(tmp_path, spread, method, path))


def test_values_drawn_are_those_of_the_distribution_in_its_unit(tmp_path: Path) -> None:
    """Quarters of a uniform distribution from 0.8 to 0.9 GN m/rad: one Latin-hypercube sample in each eighth."""
    rows = samples_of(read_study(_study(tmp_path, "{uniform: [0.8 GN m/rad, 900 MN m/rad]}")))
    values = np.sort([any_si(row[PATH]) for row in rows])
    np.testing.assert_array_equal(np.floor((values - 8e8) / 1.25e7), np.arange(8))
    assert all(str(row[PATH]).endswith("GN m/rad") for row in rows)
    plain = samples_of(read_study(_study(tmp_path, "{uniform: [0.8e9, 0.9e9]}")))
    np.testing.assert_allclose(np.sort([row[PATH] for row in plain]), values, rtol=1e-12)


def test_a_speed_in_revolutions_stays_one(tmp_path: Path) -> None:
    """C1 by the way of a study: 10 to 12 1/min of a rotational speed are 1.05 to 1.26 rad/s."""
    plan = study_plan(_study(tmp_path, "{from: 10 1/min, to: 12 1/min, steps: 2}", "grid", "operating.speed"))
    speeds = [with_case(plan.member(i), i).operating.speed for i in plan.items]
    assert speeds == pytest.approx([10.0 * np.pi / 30.0, 12.0 * np.pi / 30.0])
