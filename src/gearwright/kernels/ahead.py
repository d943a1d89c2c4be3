"""Compiling in a second process what this one needs next: on two processors a first run waits half as long.

The second process is an ordinary one that is told names and kinds of arguments, writes object files and ends. Nothing
depends on it: what it is at work on is waited for (:mod:`.native`), and this process meanwhile compiles others of the
list, so that both come to its end together.
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
#: the one that still takes functions
_open: list[Any] = []
#: functions that were handed out and the kinds of their arguments, in the order in which they are needed
_handed: list[tuple[Function | Compiled, list[Any]]] = []


def early() -> None:
    """Start the second process where this version has never compiled anything: it reads the compiler's own modules
    while this process still reads its input. It ends with this process if it is told nothing."""
    folder = native.root()
    if not _open and _helpful() and folder is not None and not any(folder.glob("kernels-*")):
        with suppress(OSError):
            _open.append(_start())


def ahead(functions: Iterable[tuple[Function | Compiled, tuple[Any, ...]]], more: bool = False) -> bool:
    """Compile functions, each for arguments like those given, in a second process; the last is made first.

    Give them in the order in which they are needed, so that both processes meet in the middle. With ``more``, the
    process then waits for those of the next call: what is known to be needed need not wait for what is not known yet.
    Does nothing, and returns False, if fewer than two are missing, there is one processor, or this is no plain Python
    program.
    """
    missing = [(f, f.kinds(*arguments)) for f, arguments in functions if not f.kept(*arguments)]
    missing = [(f, kinds) for f, kinds in missing if _importable(f)]
    if not _open and (len(missing) < 2 or not _helpful()):
        return False
    wanted = [[f.__module__, f.__name__, _plain(kinds)] for f, kinds in reversed(missing)]
    try:
        process = _open.pop() if _open else _start()
        process.stdin.write(json.dumps(wanted).encode() + b"\n")
        process.stdin.flush()
        if more:
            _open.append(process)
        else:
            process.stdin.close()
    except OSError:
        return False
    _handed.extend(missing)
    native.meanwhile = _share
    return True


def _share() -> bool:
    """Compile one of the functions that were handed out and that nobody is at work on; False if there is none."""
    while _handed:
        function, kinds = _handed.pop(0)
        if native.untouched(function.place(kinds)[0]):
            function.make(kinds)
            return True
    return False


def _start() -> Any:
    import subprocess

    process = subprocess.Popen(
        [sys.executable, "-c", _CODE], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps(sys.path).encode() + b"\n")
    process.stdin.flush()
    _started[:] = [p for p in _started if p.poll() is None] + [process]
    return process


def serve() -> None:
    """What the second process does."""
    import_module("gearwright.kernels.build")
    for line in sys.stdin:
        for module, name, kinds in json.loads(line):
            getattr(import_module(module), name).make(_kinds(kinds))


def _helpful() -> bool:
    """Whether there is a processor for a second process, and this is a plain Python program that can start one."""
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
