"""What is done with a result of our own needs no extra package (A3), and no channel has to be named (A7)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import gearwright as gw

#: packages of the extra ``files``, which read what other programs write
EXTRAS = ("h5py", "nptdms", "asammdf", "pyuff")


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    place = tmp_path_factory.mktemp("own")
    return gw.simulate("spur-pair-hertz", duration=0.02, output=place / "pair.nc").result_file


@pytest.mark.parametrize(
    "given",
    [["inspect"], ["export", "-o", "x.csv"], ["export", "-o", "x.nc"], ["report", "-o", "x.html"]],
    ids=" ".join,
)
def test_results_are_read_without_the_extras(given, result, tmp_path):
    for name in EXTRAS:
        (tmp_path / f"{name}.py").write_text("raise ImportError('not installed')\n")
    source = str(Path(gw.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), source])}
    done = subprocess.run(
        [sys.executable, "-m", "gearwright", given[0], str(result), *given[1:]], cwd=tmp_path, env=environment,
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    if given == ["inspect"]:
        assert "pair.mesh.force" in done.stdout


def test_orders_take_the_mesh_with_the_largest_load_without_a_channel(tmp_path):
    """A7: the largest extreme of all mesh forces of the result."""
    from gearwright.results.order_table import governing_channel

    run = gw.simulate("grc-750kw", "rated", fidelity="torsional", duration=0.5, output=tmp_path / "r.nc")
    loads = {
        n: max(abs(c["min"]), abs(c["max"]))
        for n, c in run.channels.items()
        if n.endswith(".force") and n.replace(".force", ".deflection") in run.channels
    }
    assert governing_channel(run.result_file) == max(loads, key=loads.__getitem__)


def test_a_result_without_meshes_has_its_shaft_torque_taken(tmp_path):
    from gearwright.results.order_table import governing_channel

    run = gw.simulate("nrel-5mw-two-mass", overrides=["discard=0 s"], duration=0.5, output=tmp_path / "r.nc")
    assert governing_channel(run.result_file) == "main.torque"
