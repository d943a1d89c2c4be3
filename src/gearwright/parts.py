"""Files that are being written: beside their place, hidden, named by the process that writes them.

A process that was killed leaves its part behind; the next one that writes into the folder sweeps those of processes of this
machine that are no more. Of other machines, which may share the folder, only what nobody has touched for a day.
"""

from __future__ import annotations

import os
import platform
import re
import time
from contextlib import suppress
from pathlib import Path

#: ``.name.process@machine.part``
_NAME = re.compile(r"^\..+\.(\d+)@([^@]*)\.part$")
#: after so many seconds without a change a part of another machine belongs to nobody
_AGE = 86400.0


def part_of(path: Path) -> Path:
    """Where this process writes what becomes ``path``; in the same folder, so that it can be put in place at once."""
    return path.with_name(f".{path.name}.{os.getpid()}@{machine()}.part")


def sweep(folder: Path) -> None:
    """Remove parts of dead processes from a folder."""
    with suppress(OSError):
        for entry in os.scandir(folder):
            found = _NAME.match(entry.name)
            if found and not _alive(int(found[1]), found[2], entry):
                with suppress(OSError):
                    os.unlink(entry.path)


def machine() -> str:
    """Name of this machine, as it may stand in a file name."""
    return re.sub(r"[^A-Za-z0-9.-]", "-", platform.node())[:40]


def _alive(process: int, where: str, entry: os.DirEntry[str]) -> bool:
    if where != machine() or os.name == "nt":
        with suppress(OSError):
            return time.time() - entry.stat().st_mtime < _AGE
        return True
    return lives(process)


def lives(process: int) -> bool:
    """Whether a process of this machine is there; taken to be where that cannot be asked."""
    if os.name == "nt":  # a signal of 0 would end a process there
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # of another user
    return True
