"""Machine code that a wheel brings: looked up before the cache, by sources and family of processors; other systems are faked."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

import gearwright
from gearwright.kernels import native, sources

ROOT = Path(gearwright.__file__).parents[2]


@pytest.fixture
def fresh(monkeypatch):
    """Answers about this machine are asked anew, here and by whoever comes after."""
    caches = (native.family, sources.shipped_directory, sources.cache_directory)
    for cached in caches:
        cached.cache_clear()
    monkeypatch.delenv("NUMBA_CPU_NAME", raising=False)
    yield monkeypatch
    monkeypatch.undo()
    for cached in caches:
        cached.cache_clear()


V3 = ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")


@pytest.mark.parametrize(
    ("machine", "system", "features", "family"),
    [
        ("x86_64", "Linux", V3, "x86-64-v3-x86_64-linux"),
        ("AMD64", "Windows", V3, "x86-64-v3-amd64-windows"),
        ("arm64", "Darwin", (), "generic-arm64-darwin"),
        ("aarch64", "Linux", (), "generic-aarch64-linux"),
        ("x86_64", "Linux", V3[1:], None),
        ("riscv64", "Linux", (), None),
    ],
)
def test_a_processor_belongs_to_a_family_or_to_none(fresh, machine, system, features, family):
    """Object files differ by system, and a processor without AVX2 may not be given code that needs it."""
    import llvmlite.binding as llvm

    fresh.setattr(platform, "machine", lambda: machine)
    fresh.setattr(platform, "system", lambda: system)
    fresh.setattr(llvm, "get_host_cpu_features", lambda: dict.fromkeys(features, True))
    assert native.family() == family
    assert family is None or not set(family) & set('<>:"/\\|?* ')


def test_who_tells_the_compiler_its_processor_gets_no_shipped_code(fresh):
    fresh.setenv("NUMBA_CPU_NAME", "generic")
    assert native.family() is None or native.family().startswith("generic")


def test_shipped_code_is_found_by_its_sources_alone(fresh, tmp_path):
    """The folder is named by a hash of the sources: neither the versions of Python and numba, nor the place, come into it."""
    family = native.family()
    if family is None:
        pytest.skip("this processor has no family")
    source = Path(gearwright.__file__).parent / "results" / "counters.py"
    fresh.setenv("GEARWRIGHT_OBJECTS", str(tmp_path))
    made = sources.cache_directory(source)
    assert made is not None and made.parent == tmp_path / family
    fresh.delenv("GEARWRIGHT_OBJECTS")
    fresh.setattr(sources, "SHIPPED", tmp_path)
    fresh.setattr(native, "version", lambda package: "9.9")
    assert sources.shipped_directory(source) == made
    other = tmp_path / "own.py"
    other.write_text("from gearwright.kernels import kernel\n")
    assert sources.shipped_directory(other) is None


def test_a_file_without_locks_is_made_by_everybody(monkeypatch, tmp_path):
    """Windows has no fcntl: who cannot wait compiles too, and the file that appears is whole."""
    monkeypatch.setitem(sys.modules, "fcntl", None)
    made = []

    def make(symbol):
        made.append(symbol)
        return b"code", "d"

    path = tmp_path / "f.o"
    assert native.untouched(path)
    assert native._file(path, "f", make) == (b"code", "d") == native._file(path, "f", make)
    assert made == ["f"]


@pytest.mark.parametrize(("system", "machine", "tag"), [
    ("linux", "x86_64", "py3-none-manylinux_2_17_x86_64"), ("darwin", "arm64", "py3-none-macosx_11_0_arm64"),
    ("win32", "AMD64", "py3-none-win_amd64"),
])  # fmt: skip
def test_a_wheel_with_machine_code_names_its_system(monkeypatch, tmp_path, system, machine, tag):
    pytest.importorskip("hatchling")
    monkeypatch.syspath_prepend(str(ROOT / "release"))
    from hatch_hook import MachineCode

    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    hook = MachineCode(str(tmp_path), {}, None, None, "", "wheel")
    data: dict = {"pure_python": True}
    hook.initialize("standard", data)
    assert data == {"pure_python": True}  # nothing compiled: a wheel for every system
    folder = tmp_path / "src" / "gearwright" / "kernels" / "objects" / "x"
    folder.mkdir(parents=True)
    (folder / "a.o").write_bytes(b"")
    hook.initialize("standard", data)
    assert data == {"pure_python": False, "tag": tag}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nordtank-500kw-two-level", pytest.param("spur-pair-hertz", marks=pytest.mark.long)])
def test_machine_code_is_found_without_the_compiler(name, tmp_path):
    """A run whose code is on disk goes on where numba is not installed."""
    family = native.family()
    if family is None:
        pytest.skip("this processor has no family")
    objects = tmp_path / "objects"
    run = ["run", name, "--duration", "0.01", "-o", str(tmp_path / "a.nc")]
    first = {**os.environ, "GEARWRIGHT_OBJECTS": str(objects)}
    subprocess.run([sys.executable, "-m", "gearwright", *run], check=True, capture_output=True, env=first, cwd=tmp_path)
    program = (
        "import sys, pathlib; sys.modules['numba'] = None\n"
        "from gearwright.kernels import sources\n"
        f"sources.SHIPPED = pathlib.Path({str(objects)!r})\n"
        f"from gearwright import cli; sys.argv = ['gearwright', *{run!r}]; cli.main()\n"
    )
    empty = {k: v for k, v in os.environ.items() if k != "GEARWRIGHT_OBJECTS"} | {
        "GEARWRIGHT_CACHE_DIR": str(tmp_path / "empty")
    }
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=empty, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert not list((tmp_path / "empty").rglob("*.o"))
