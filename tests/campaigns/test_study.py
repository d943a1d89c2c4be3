"""Studies: samples that are what they say, effects with a closed form, messages."""

import json
import subprocess
import sys

import numpy as np
import pytest

from gearwright.campaigns import effects, read_table, run_campaign, study_plan
from gearwright.campaigns.study import output_of, read_study, samples_of
from gearwright.errors import DrivetrainError
from gearwright.units import any_si

TEXT = """
name: peaks
drivetrain: quick.yaml
case: base
vary:
  loads.0.torque.step.to: {uniform: [1 MN m, 3 MN m]}
  shafts.main.damping: {lognormal: [3e6 N m s/rad, 0.2]}
method: latin_hypercube
samples: 8
seed: 4
outputs: [main.torque.max, main.torque.mean]
"""


@pytest.fixture
def write(quick):
    def made(text=TEXT, name="study.yaml"):
        path = quick.parent / name
        path.write_text(text)
        return path

    return made


def test_latin_hypercube_has_one_sample_in_every_stratum(write):
    rows = samples_of(read_study(write()))
    torque = np.array([any_si(row["loads.0.torque.step.to"]) for row in rows])
    assert sorted(np.floor((torque - 1e6) / 2e6 * 8).astype(int)) == list(range(8))
    from scipy.stats import lognorm

    u = lognorm(0.2, scale=3e6).cdf([any_si(row["shafts.main.damping"]) for row in rows])
    assert sorted(np.floor(u * 8).astype(int)) == list(range(8))
    assert rows == samples_of(read_study(write()))
    assert rows != samples_of(read_study(write(TEXT.replace("seed: 4", "seed: 5"))))


def test_more_samples_of_a_monte_carlo_keep_the_first_ones(write):
    few = samples_of(read_study(write(TEXT.replace("latin_hypercube", "monte_carlo"))))
    more = samples_of(
        read_study(write(TEXT.replace("latin_hypercube", "monte_carlo").replace("samples: 8", "samples: 20")))
    )
    assert more[:8] == few


def test_grid_takes_every_combination(write):
    text = TEXT.replace("{uniform: [1 MN m, 3 MN m]}", "{from: 1 MN m, to: 3 MN m, steps: 3}")
    text = text.replace("{lognormal: [3e6 N m s/rad, 0.2]}", "[3e6 N m s/rad, 6e6 N m s/rad]")
    rows = samples_of(read_study(write(text.replace("latin_hypercube", "grid").replace("samples: 8\n", ""))))
    assert [any_si(row["loads.0.torque.step.to"]) for row in rows] == [1e6, 1e6, 2e6, 2e6, 3e6, 3e6]
    assert [row["shafts.main.damping"] for row in rows[:2]] == ["3e6 N m s/rad", "6e6 N m s/rad"]


def test_indices_of_a_product(write):
    """The mean torque is the torque times a factor that does not depend on damping: T alone explains it."""
    plan = study_plan(write(TEXT.replace("latin_hypercube", "sensitivity")))
    assert len(plan.items) == 8 * (2 + 2)
    # Ishigami's function stands in for the runs: its indices are known in closed form
    from gearwright.campaigns.sensitivity import _sobol, _sobol_by_scipy
    from gearwright.campaigns.study import Spread, Study

    count, pi = 1024, float(np.pi)
    vary = {x: Spread.model_validate({"uniform": [-pi, pi]}) for x in "abc"}
    study = Study(name="i", drivetrain="x", vary=vary, method="sensitivity", samples=count, outputs=["y.max"])
    rows = samples_of(study)
    x = np.array([[r[k] for k in "abc"] for r in rows])
    y = np.sin(x[:, 0]) + 7 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])
    stand_in = type("P", (), {"paths": list("abc"), "facts": {"samples": count, "seed": 1}})
    # Ishigami and Homma (1990): first order 0.3139, 0.4424, 0; total 0.5576, 0.4424, 0.2437
    for found in (_sobol(stand_in, dict(zip("abc", x.T, strict=True)), y), _sobol_by_scipy("abc", count, y)):
        for name, first, total in (("a", 0.3139, 0.5576), ("b", 0.4424, 0.4424), ("c", 0.0, 0.2437)):
            assert found[name].first == pytest.approx(first, abs=0.04)
            assert found[name].total == pytest.approx(total, abs=0.04)
            assert found[name].first_interval[0] <= found[name].first <= found[name].first_interval[1]


def test_runs_table_effects_and_page(write, tmp_path):
    plan = study_plan(write())
    run_campaign(plan, tmp_path / "out", jobs=2)
    table = read_table(tmp_path / "out")
    torque = np.array(table["loads.0.torque.step.to"])
    # two masses under a step: the mean shaft torque is J2 / (J1 + J2) of it once the swing has died down
    mean = output_of(table, "main.torque.mean") / torque
    assert np.allclose(mean, mean[0], rtol=0.05)
    first = effects(plan, table)[0]
    assert (first.output, first.path) == ("main.torque.max", "loads.0.torque.step.to") and first.rank_correlation > 0.9
    end = subprocess.run(
        [sys.executable, "-m", "gearwright", "study", str(write()), "-o", str(tmp_path / "out"), "--json"],
        capture_output=True, check=True,
    )  # fmt: skip
    data = json.loads(end.stdout)
    assert data["computed"] == 0 and data["done"] == 8
    page = (tmp_path / "out" / "report.html").read_text()
    assert "Every run is a line" in page and "rank correlation" in page


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("main.torque.max", "main.torqe.max", "no such channel.*main.torque"),
        ("main.torque.max", "main.torque.maxx", "'maxx' is not a figure.*[Dd]id you mean 'max'"),
        ("samples: 8\n", "", "method latin_hypercube needs samples"),
        ("latin_hypercube", "grid", "a grid has no samples"),
        ("latin_hypercube", "latin_hypercub", "latin_hypercub"),
        ("latin_hypercube\nsamples: 8", "sobol\nsamples: 9", "power of two, got 9 samples.*8 or 16"),
        ("{uniform: [1 MN m, 3 MN m]}", "{uniform: [3 MN m, 1 MN m]}", "is not below"),
        ("0.2]}", "-0.2]}", "must be positive"),
        ("{uniform: [1 MN m, 3 MN m]}", "{uniform: [1 MN m, a lot]}", "a lot"),
        ("shafts.main.damping:", "shafts.main.dampin:", "dampin"),
        ("drivetrain: quick.yaml", "drivetrain: quik.yaml", "no such file.*quick"),
    ],
)
def test_messages(write, old, new, message):
    with pytest.raises(DrivetrainError, match=f"(?s){message}"):
        study_plan(write(TEXT.replace(old, new)))


def test_the_shipped_study_shows_a_quiet_and_a_loud_side(tmp_path):
    """Half a cycle from the phase of the teeth the two rows of meshes of a planet add up."""
    plan = study_plan("sun-ring-phase")
    assert len(plan.items) == 20
    from dataclasses import replace

    from gearwright.campaigns import Options

    few = {k: v for k, v in plan.items.items() if round(v["stages.stage1.meshes.ring_planet.phase"], 3) in (0.05, 0.55)}
    run_campaign(replace(plan, items=few, options=Options(duration=4.0)), tmp_path / "out")
    quiet, loud = output_of(read_table(tmp_path / "out"), "stage1.sun_planet1.force.std")
    assert loud > 1.5 * quiet


def test_rounding_is_no_effect():
    """C50: a steady load has a standard deviation of rounding; its ranks say nothing. A change beyond it keeps its rank."""
    from gearwright.campaigns.sensitivity import rounding_of, tied

    rng = np.random.default_rng(3)
    x = np.linspace(1.0, 2.0, 20)
    noise = 1e-9 * rng.random(20)
    table = {
        "id": [str(i) for i in range(20)], "a": x.tolist(), "main.torque|max": (18000.0 + noise).tolist(),
        "main.torque|min": (18000.0 - noise).tolist(), "main.torque|std": noise.tolist(), "main.torque|mean": (1000.0 * x**2).tolist(),
    }  # fmt: skip
    outputs = ("main.torque.std", "main.torque.range", "main.torque.max", "main.torque.mean")
    plan = type(
        "P",
        (),
        {
            "paths": ["a"],
            "facts": {"method": "latin_hypercube"},
            "items": dict.fromkeys(table["id"]),
            "outputs": outputs,
        },
    )
    found = {e.output: e.rank_correlation for e in effects(plan, table)}
    assert found == {**dict.fromkeys(outputs[:3]), "main.torque.mean": pytest.approx(1.0)}
    assert rounding_of(table, "main.torque.std") == pytest.approx(18e-6, rel=1e-6)
    # by hand: 1 and 1 + 1e-7 are one value, and so is what follows within the rounding of it
    assert tied([3.0, 1.0, 1.0 + 1e-7, np.nan, 3.5], 1e-6)[[0, 4]].tolist() == [3.0, 3.5]
    assert len(set(tied([1.0, 1.0 + 1e-7, 1.0 + 2e-7], 1e-6))) == 1


def test_indices_are_shares_with_intervals(write, tmp_path):
    """C50: eight samples say little, and the table shows it: intervals beside the indices, none outside 0 and 1."""
    plan = study_plan(write(TEXT.replace("latin_hypercube", "sensitivity")))
    run_campaign(plan, tmp_path / "out", jobs=2)
    for effect in effects(plan, read_table(tmp_path / "out")):
        for value, interval in ((effect.first, effect.first_interval), (effect.total, effect.total_interval)):
            assert 0.0 <= interval[0] <= interval[1] <= 1.0 and 0.0 <= value <= 1.0
    end = subprocess.run([sys.executable, "-m", "gearwright", "study", str(write(TEXT.replace("latin_hypercube", "sensitivity"))), "-o",
                          str(tmp_path / "out")], capture_output=True, check=True, text=True)  # fmt: skip
    assert "90 % intervals" in end.stdout and " to 1.00)" in end.stdout.replace("\n", " ")
