"""B2, B11, B16: what is computed once is kept where it can be; a cache that cannot be made costs time, never the run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import gearwright
from gearwright import progress
from gearwright.kernels import cache
from gearwright.kernels.cache import cache_folder
from tests.sweeps import sample

SOURCES = str(Path(gearwright.__file__).parents[1])
#: compiles one small function and uses it; 3 and 4 are the legs of the triangle
PROGRAM = """
import sys
from gearwright.kernels.places import whole_of
from gearwright.results.counters import Counters
import numpy as np
counters = Counters(1, [0], [1.0])
counters.add(np.array([[0.0], [3.0], [-1.0], [0.0]]))
print("mean", whole_of(2.75), counters.counts().mean[0])
"""


@pytest.fixture
def said(monkeypatch):
    """The sentences that the program says of itself; what is remembered of folders is forgotten before and after."""
    heard = []
    monkeypatch.setattr(progress, "teller", heard.append)
    cache._base.cache_clear()
    yield heard
    cache._base.cache_clear()


def child(tmp_path, program=PROGRAM, **environment):
    """Run the program with only these variables beside those that Python needs."""
    kept = {k: v for k, v in os.environ.items() if k in ("PATH", "LD_LIBRARY_PATH")} | {"PYTHONPATH": SOURCES}
    environment = {k: str(v) for k, v in environment.items() if v is not None}
    return subprocess.run([sys.executable, "-c", program], env={**kept, **environment}, capture_output=True, text=True,
                          timeout=300, cwd=tmp_path)  # fmt: skip


def test_the_users_cache_is_used_and_nothing_is_said(said, tmp_path, monkeypatch):
    monkeypatch.setenv("GEARWRIGHT_CACHE_DIR", str(tmp_path))
    assert cache_folder("teeth") == tmp_path / "gearwright" / "teeth" and (tmp_path / "gearwright" / "teeth").is_dir()
    monkeypatch.delenv("GEARWRIGHT_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "x"))
    assert cache_folder("a", "b") == tmp_path / "x" / "gearwright" / "a" / "b"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert cache_folder("c") == tmp_path / "home" / ".cache" / "gearwright" / "c"
    assert said == []


@pytest.mark.parametrize("nowhere", ["/proc/none", "file", "file/below"])
def test_a_cache_that_cannot_be_made_is_a_temporary_one_said_once(said, tmp_path, monkeypatch, nowhere):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("GEARWRIGHT_CACHE_DIR", nowhere if nowhere.startswith("/") else str(tmp_path / nowhere))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for part in ("teeth", "built", "teeth"):
        assert cache_folder(part) == tmp_path / f"gearwright-{os.getuid()}" / part
    assert len(said) == 1 and "GEARWRIGHT_CACHE_DIR" in said[0]


def test_a_temporary_folder_of_somebody_else_is_not_trusted(said, tmp_path, monkeypatch):
    """Code is loaded from there: a folder that others can write is no place for it, and nothing is kept at all."""
    monkeypatch.setenv("GEARWRIGHT_CACHE_DIR", "/proc/none")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    spare = tmp_path / f"gearwright-{os.getuid()}"
    spare.mkdir()
    spare.chmod(0o777)
    assert cache_folder("teeth") is None
    assert "every run compiles anew" in said[0]
    spare.rmdir()
    cache._base.cache_clear()
    (tmp_path / "elsewhere").mkdir()
    spare.symlink_to(tmp_path / "elsewhere")
    assert cache_folder("teeth") is None


def test_a_filled_cache_that_cannot_be_written_still_serves(said, tmp_path, monkeypatch):
    monkeypatch.setenv("GEARWRIGHT_CACHE_DIR", str(tmp_path))
    (tmp_path / "gearwright" / "teeth").mkdir(parents=True)
    monkeypatch.setattr(os, "access", lambda *_: False)  # as on a read-only disk; for root, every folder can be written
    assert cache_folder("teeth") == tmp_path / "gearwright" / "teeth"
    assert "what is in it is used" in said[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    "environment", sample([{"GEARWRIGHT_CACHE_DIR": "/proc/none"}, {"HOME": "/proc", "NUMBA_DISABLE_JIT": "1"}], 1)
)
def test_the_program_runs_without_a_cache(tmp_path, environment):
    """A second process finds what the first has kept in the temporary folder."""
    done = child(tmp_path, TMPDIR=tmp_path, **environment)
    assert done.stdout == "mean 2 0.5\n" and done.returncode == 0, done.stderr[-2000:]
    assert done.stderr.count("GEARWRIGHT_CACHE_DIR") == 1
    assert list((tmp_path / f"gearwright-{os.getuid()}").rglob("*.o"))


def test_a_user_without_name_and_home(said, tmp_path, monkeypatch):
    """As in a container with ``--user``: Python then knows no home at all (its documentation of Path.home)."""

    def home():
        raise RuntimeError("Could not determine home directory.")

    for name in ("GEARWRIGHT_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", home)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert cache_folder("teeth") == tmp_path / f"gearwright-{os.getuid()}" / "teeth"
    assert len(said) == 1 and "this user has no name" in said[0]


def _key(tmp_path, **environment):
    program = "from gearwright.kernels import compiled, places; print(compiled.cache_directory(compiled.Path(places.__file__)).name)"
    done = child(tmp_path, program, GEARWRIGHT_CACHE_DIR=tmp_path / "kept", **environment)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.strip()


@pytest.mark.slow
def test_machine_code_for_another_processor_has_another_key(tmp_path):
    """B11: code made with ``NUMBA_CPU_NAME`` is never loaded without it, and the other way round."""
    settings = [
        {},
        {"NUMBA_CPU_NAME": "generic"},
        {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""},
        {"NUMBA_LOOP_VECTORIZE": "0"},
    ]
    keys = [_key(tmp_path, **s) for s in settings]
    (tmp_path / ".numba_config.yaml").write_text("loop_vectorize: 0\n")
    keys.append(_key(tmp_path))
    assert all(key.startswith("kernels-") for key in keys) and len(set(keys)) == len(keys)
    (tmp_path / ".numba_config.yaml").unlink()
    assert (
        _key(tmp_path, NUMBA_DISABLE_JIT="1", NUMBA_NUM_THREADS="1", NUMBA_OPT="0") == keys[0]
    )  # which change no code


@pytest.mark.slow
def test_numba_switched_off_is_as_it_was_for_others(tmp_path):
    """Ours are compiled; a function of the user's own is not, as they asked."""
    program = PROGRAM + "import numba; f = numba.njit(lambda x: x); print(hasattr(f, 'py_func'))"
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1", "GEARWRIGHT_CACHE_DIR": str(tmp_path), "PYTHONPATH": SOURCES}
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, timeout=300)
    assert done.stdout == "mean 2 0.5\nFalse\n", done.stderr[-2000:]


def test_a_library_is_built_where_nothing_is_kept(said, tmp_path, monkeypatch):
    from gearwright.couplings import compiler

    monkeypatch.setattr(compiler, "cache_folder", lambda *_, **__: None)
    compiler._passing.cache_clear()
    made = []

    def build(path: Path) -> Path:
        made.append(path)
        path.write_text("code")
        return path

    assert compiler.kept("plant-1", build).is_file() and compiler.kept("plant-1", build) == made[0] and len(made) == 1
