"""The benchmarks import, list themselves and run; how fast they are is not asked here."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _repository_on_path(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))


def test_every_benchmark_imports_and_is_listed():
    listed = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--list"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    names = import_module("benchmarks.__main__").NAMES
    for name in names:
        module = import_module(f"benchmarks.{name}")
        assert callable(module.measure)
        assert f"{name} " in listed
    files = {p.stem for p in (ROOT / "benchmarks").glob("*.py")} - {
        "__init__",
        "__main__",
        "against",
        "choice",
        "common",
        "contact_points",
        "exudyn_mechanism",
        "fleet_demo",
        "fleet_tables",
        "mesh_forms",
        "tolerance",
        "twolevel",
    }
    assert files == set(names)


def test_unknown_name_is_refused_with_the_known_ones(capsys):
    with pytest.raises(SystemExit) as stop:
        import_module("benchmarks.__main__").main(["p2"])
    assert stop.value.code == 2
    assert "exudyn_peer" in capsys.readouterr().err


def test_independent_equations_agree_with_the_exact_engine():
    figures = import_module("benchmarks.p1").measure(quick=True)
    errors = {f.name: f for f in figures if f.unit == "" and f.goal == 1e-6}
    assert len(errors) == 1
    assert all(f.met for f in errors.values())
    assert all(f.value > 1.0 for f in figures if "over that of" in f.name and np.isfinite(f.value))


def test_page_keeps_its_head(tmp_path):
    main = import_module("benchmarks.__main__")
    page = tmp_path / "performance.md"
    page.write_text(f"# Performance\n\nWords.\n\n{main.MARKER}\n\nold\n", encoding="utf-8")
    main._write(page, ["new"])
    assert page.read_text(encoding="utf-8") == f"# Performance\n\nWords.\n\n{main.MARKER}\n\nnew\n"
