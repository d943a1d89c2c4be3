"""Machine code as files: written once, loaded without the compiler that made it.

A file holds a checksum, one line that says what the function returns, and an object file of this machine. It is
written beside its place and moved there, so that it is whole or absent; what does not match its checksum is made
again. Two processes that need the same function at the same time do not both compile it: one waits for the other.
"""

from __future__ import annotations

import ctypes
import gc
import hashlib
import os
import platform
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock, local
from typing import Any

from gearwright._version import __version__
from gearwright.parts import whole
from gearwright.progress import stage

from .cache import cache_folder

#: ``make(symbol) -> (object code, what the function returns)``
Maker = Callable[[str], tuple[bytes, str]]

#: seconds to wait for another process that compiles the same function; then it is compiled here too
PATIENCE = 120.0


def elsewhere(path: Path) -> bool:
    """Whether another process is going to make a file: :mod:`.ahead` puts its own answer here."""
    return False


_LOADING = Lock()
_CLOCK = local()


#: settings of the compiler that change what it makes
_SETTINGS = (
    "CPU_NAME",
    "CPU_FEATURES",
    "ENABLE_AVX",
    "LOOP_VECTORIZE",
    "SLP_VECTORIZE",
    "BOUNDSCHECK",
    "DEBUGINFO",
    "DISABLE_INTEL_SVML",
    "LLVM_REFPRUNE_PASS",
    "USE_LLVMLITE_MEMORY_MANAGER",
)
#: file in the working folder from which the compiler takes settings as well
_SETTINGS_FILE = Path(".numba_config.yaml")


def root() -> Path | None:
    """Folder of all compiled code of this version; None where nothing can be kept."""
    return cache_folder(edition())


def edition() -> str:
    """Version of this package."""
    return __version__


def processor() -> tuple[str, str]:
    """Name and features of the processor that machine code is made for: this one's, or numba's own settings."""
    import llvmlite.binding as llvm

    name, features = (os.environ.get(f"NUMBA_CPU_{word}") for word in ("NAME", "FEATURES"))
    if os.environ.get("GEARWRIGHT_OBJECTS") and (known := _FAMILIES.get(platform.machine())):
        return known[0], ""
    if name in (None, "", "host"):
        return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten() if features is None else features
    return str(name), features or ""


#: families of processors that a wheel has machine code for: name, and the features that it needs
_FAMILIES = {
    "x86_64": ("x86-64-v3", ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")),
    "aarch64": ("generic", ()),
}


@cache
def family() -> str | None:
    """Family of processors that this one belongs to, with the system: ``x86-64-v3-linux``; None where a wheel carries no
    machine code for it, or numba is told to compile for another one."""
    import llvmlite.binding as llvm

    name, needed = _FAMILIES.get(
        {"AMD64": "x86_64", "arm64": "aarch64"}.get(platform.machine(), platform.machine()), ("", ())
    )
    features = llvm.get_host_cpu_features()
    told = os.environ.get("NUMBA_CPU_NAME") or name
    if not name or told != name or not all(features.get(word, False) for word in needed):
        return None
    return f"{name}-{platform.machine()}-{platform.system()}".lower()


@cache
def machine() -> str:
    """What machine code depends on beside its source: compiler and its settings, interpreter, processor."""
    import llvmlite.binding as llvm

    parts = [f"{name} {version(name)}" for name in ("numba", "llvmlite")]
    parts += [platform.python_version(), llvm.get_process_triple(), *processor()]
    parts += [f"{name}={os.environ[f'NUMBA_{name}']}" for name in _SETTINGS if f"NUMBA_{name}" in os.environ]
    with suppress(OSError):
        parts.append(_SETTINGS_FILE.read_text(encoding="utf-8", errors="replace"))
    return " ".join(parts)


@cache
def version(package: str) -> str:
    """Version of an installed package, without importing it; empty where it is not installed (machine code of a wheel needs no
    compiler)."""
    found = find_spec(package)
    if found is None:
        return ""
    if found.origin is not None:
        # the folder beside it says so in its name; the library that asks every installed package is ten times slower
        for folder in Path(found.origin).parent.parent.glob(f"{package}-*.dist-info"):
            return folder.name.removesuffix(".dist-info").partition("-")[2]
    from importlib.metadata import version as installed

    return installed(package)


def function(path: Path | None, symbol: str, make: Maker) -> tuple[int, str]:
    """Address of a function and what it returns, from its file or, where there is none, from ``make``."""
    found = None if path is None else _read(path)
    if found is None:
        with _counted():
            found = _made(make, symbol) if path is None else _file(path, symbol, make)
    return _load(found[0], symbol), found[1]


def waited() -> float:
    """Seconds that this thread has spent so far on machine code that was not on disk: compiling it, or waiting for it."""
    return float(getattr(_CLOCK, "seconds", 0.0))


def charge(seconds: float) -> None:
    """Count as such the time that this thread has waited for another one of this process to compile."""
    _CLOCK.seconds = waited() + seconds


@contextmanager
def _counted() -> Iterator[None]:
    """Add the time inside to that of this thread; once where one function needs another."""
    if getattr(_CLOCK, "running", False):
        yield
        return
    begin, _CLOCK.running = time.perf_counter(), True
    try:
        with stage("compiling machine code"):
            yield
    finally:
        _CLOCK.running = False
        _CLOCK.seconds = waited() + time.perf_counter() - begin


def _file(path: Path, symbol: str, make: Maker) -> tuple[bytes, str]:
    found = _read(path)
    deadline = time.monotonic() + PATIENCE
    while found is None and elsewhere(path) and time.monotonic() < deadline:
        time.sleep(0.01)
        found = _read(path)
    if found is None:
        with _alone(path):
            found = _read(path)  # another process may have been quicker
            if found is None:
                found = _made(make, symbol)
                _write(path, *found)
    return found


def _made(make: Maker, symbol: str) -> tuple[bytes, str]:
    """Compile. The collector of cycles would go through the compiler's millions of objects again and again: it waits."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        return make(symbol)
    finally:
        if collecting:
            gc.enable()


def file(path: Path | None, symbol: str, make: Maker) -> None:
    """Make the file of a function, for other processes, unless it is there or somebody is at work on it."""
    if path is not None and untouched(path):
        _file(path, symbol, make)


def untouched(path: Path | None) -> bool:
    """Whether a file is missing and nobody is at work on it."""
    if path is None or path.is_file():
        return False
    try:
        import fcntl

        with open(_lock(path), "wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        return True
    return True


def _read(path: Path) -> tuple[bytes, str] | None:
    try:
        whole = path.read_bytes()
    except OSError:
        return None
    digest, rest = whole[:32], whole[32:]
    if hashlib.sha256(rest).digest() != digest:
        return None
    result, _, code = rest.partition(b"\n")
    return code, result.decode()


def _write(path: Path, code: bytes, result: str) -> None:
    rest = result.encode() + b"\n" + code
    with suppress(OSError), whole(path) as part:  # a cache that cannot be written costs time, not the run
        part.write_bytes(hashlib.sha256(rest).digest() + rest)


def _lock(path: Path) -> Path:
    return path.with_suffix(".lock")


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold a lock on a file that is to be made; it ends with the process. Where there is none, all compile."""
    try:
        import fcntl

        lock = open(_lock(path), "wb")  # noqa: SIM115  closed below
    except (ImportError, OSError):
        yield
        return
    with lock:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(0.01)
            except OSError:  # a file system without locks
                break
        yield


@cache
def _engine() -> Any:
    import llvmlite.binding as llvm

    with suppress(RuntimeError):  # newer versions do it by themselves and say so
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
    return llvm.create_mcjit_compiler(
        llvm.parse_assembly(""), llvm.Target.from_default_triple().create_target_machine()
    )


def _load(code: bytes, symbol: str) -> int:
    """Link an object file into this process; returns the address of its function."""
    import llvmlite.binding as llvm

    with _LOADING:
        engine = _engine()
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        engine.finalize_object()
        return int(engine.get_function_address(symbol))


def resolvable(name: str) -> bool:
    """Whether a function of the C library can be found when machine code that calls it is loaded."""
    return hasattr(ctypes.CDLL(None), name) if os.name == "posix" else hasattr(ctypes.cdll.msvcrt, name)
