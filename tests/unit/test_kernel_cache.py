"""The cache of compiled code: a change anywhere below a kernel must recompile it."""

import importlib
import pkgutil
import time
from pathlib import Path

import pytest

import gearwright
from gearwright.kernels import Compiled, Function, native
from gearwright.kernels.sources import cache_directory, sources


def _modules():
    for info in pkgutil.walk_packages(gearwright.__path__, "gearwright."):
        if not info.name.endswith("__main__"):
            yield importlib.import_module(info.name)


def _file(function) -> Path:
    return Path(function.__code__.co_filename).resolve()


def test_every_compiled_function_depends_on_the_files_of_all_that_it_calls():
    checked = 0
    for module in _modules():
        for value in vars(module).values():
            if isinstance(value, Function):
                function = value.py_func
            elif isinstance(value, Compiled):
                function = value.python
            else:
                continue
            below = sources(_file(function))
            for name in function.__code__.co_names:
                called = function.__globals__.get(name)
                if isinstance(called, Function):
                    assert _file(called.py_func) in below, f"{function.__qualname__} calls {name}"
                    checked += 1
    assert checked > 50


def test_a_changed_import_changes_the_directory(tmp_path, monkeypatch):
    monkeypatch.setenv("GEARWRIGHT_CACHE_DIR", str(tmp_path))
    first, second = tmp_path / "first.py", tmp_path / "second.py"
    first.write_text("from gearwright.kernels import kernel\n")
    second.write_text("from gearwright.kernels import (\n    kernel,\n)\nimport math\n")
    assert cache_directory(first) != cache_directory(second)
    assert cache_directory(first).parent == tmp_path / "gearwright" / gearwright.__version__
    below = Path(gearwright.__file__).parent / "kernels" / "law_functions.py"
    assert below in sources(second)


def test_engines_do_not_recompile_for_a_change_in_a_law():
    package = Path(gearwright.__file__).parent
    below = sources(package / "solve" / "modal" / "engine.py")
    assert package / "kernels" / "compiled.py" in below
    assert not any({"laws", "schema", "train"} & set(path.relative_to(package).parts) for path in below)


def test_time_of_compiling_is_counted_once_and_not_for_what_is_on_disk(tmp_path, monkeypatch):
    """A function that needs another one takes the time of both; the next one finds its file."""
    monkeypatch.setattr(native, "_load", lambda code, symbol: 0)

    def inner(symbol):
        time.sleep(0.05)
        return b"code", "d"

    def outer(symbol):
        native.function(None, "inner", inner)
        time.sleep(0.05)
        return b"code", "d"

    before, begin = native.waited(), time.perf_counter()
    native.function(tmp_path / "outer.o", "outer", outer)
    assert 0.1 <= native.waited() - before <= time.perf_counter() - begin
    before = native.waited()
    native.function(tmp_path / "outer.o", "outer", outer)
    assert native.waited() == before
    native.charge(0.25)
    assert native.waited() == pytest.approx(before + 0.25)
