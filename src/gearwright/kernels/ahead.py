"""Compiling in two processes beside this one what it needs next: a first run waits half as long, and the compiler's memory is not its own.

They are ordinary ones that are told names and kinds of arguments, write object files and end; one begins with what is needed
first, the other with what is needed last, so that both come to their end together. Nothing depends on them: where they have
ended without a file, this process compiles by itself.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from . import native
from .compiled import Compiled, Function

_CODE = "import gc, json, sys; gc.disable(); sys.path[:] = json.loads(sys.stdin.readline())\n\
from gearwright.kernels.ahead import serve; serve()"

#: processes started, kept until they have ended
_started: list[Any] = []
#: those that still take functions
_open: list[Any] = []
#: files of functions that were handed out
_handed: set[Path] = set()


def early() -> None:
    """Start the processes where this version has never compiled anything: they read the compiler's own modules
    while this process still reads its input. They end with this process if they are told nothing."""
    folder = native.root()
    if not _open and _helpful() and folder is not None and not any(folder.glob("kernels-*")):
        with suppress(OSError):
            _open.extend((_start(), _start()))


def ahead(functions: Iterable[tuple[Function | Compiled, tuple[Any, ...]]], more: bool = False) -> bool:
    """Compile functions, each for arguments like those given, in two processes beside this one.

    Give them in the order in which they are needed. With ``more``, the processes then wait for those of the next call: what
    is known to be needed need not wait for what is not known yet. Does nothing, and returns False, if fewer than two are
    missing, there is one processor, or this is no plain Python program.
    """
    missing = [(f, f.kinds(*arguments)) for f, arguments in functions if not f.kept(*arguments)]
    missing = [(f, kinds) for f, kinds in missing if _importable(f)]
    if not _open and (len(missing) < 2 or not _helpful()):
        return False
    wanted = [[f.__module__, f.__name__, _plain(kinds)] for f, kinds in missing]
    try:
        processes = _open[:] or [_start(), _start()]
        _open[:] = processes if more else []
        for process, names in zip(processes, (wanted, wanted[::-1]), strict=True):
            process.stdin.write(json.dumps(names).encode() + b"\n")
            process.stdin.flush()
            if not more:
                process.stdin.close()
    except OSError:
        return False
    _handed.update(path for f, kinds in missing if (path := f.place(kinds)[0]) is not None)
    native.elsewhere = _elsewhere
    return True


def _elsewhere(path: Path) -> bool:
    """Whether a process that still runs was told to make this file."""
    return path in _handed and any(process.poll() is None for process in _started)


def _start() -> Any:
    import subprocess

    # what numba makes on the way is never run there: it need not be optimised
    process = subprocess.Popen(
        [sys.executable, "-c", _CODE],
        env={**os.environ, "NUMBA_OPT": "0"},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps(sys.path).encode() + b"\n")
    process.stdin.flush()
    _started[:] = [p for p in _started if p.poll() is None] + [process]
    return process


def serve() -> None:
    """What each of the two processes does."""
    import_module("gearwright.kernels.build")
    for line in sys.stdin:
        for module, name, kinds in json.loads(line):
            getattr(import_module(module), name).make(_kinds(kinds))


def _helpful() -> bool:
    """Whether there is a processor for another process, and this is a plain Python program that can start one."""
    return _processors() > 1 and Path(sys.executable or "").name.startswith("python")


def _importable(function: Function | Compiled) -> bool:
    module = sys.modules.get(function.__module__)
    return getattr(module, "__name__", "") != "__main__" and getattr(module, function.__name__, None) is function


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _plain(kinds: list[Any]) -> list[Any]:
    """Kinds as JSON holds them: classes by name."""
    return [
        [f"{kind[0].__module__}:{kind[0].__qualname__}", kind[1]] if isinstance(kind[0], type) else kind
        for kind in kinds
    ]


def _kinds(plain: list[Any]) -> list[Any]:
    made: list[Any] = []
    for kind in plain:
        if isinstance(kind, list) and len(kind) == 2:
            module, _, name = kind[0].partition(":")
            made.append((getattr(import_module(module), name), kind[1]))
        else:
            made.append(tuple(kind) if isinstance(kind, list) else kind)
    return made
