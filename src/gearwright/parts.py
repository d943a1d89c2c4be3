"""Files that are being written: beside their place, hidden, named by the process that writes them.

A process that was killed leaves its part behind; the next one that writes into the folder sweeps those of processes of this
machine that are no more. Of other machines, which may share the folder, only what nobody has touched for a day.
"""

from __future__ import annotations

import errno
import os
import platform
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

#: ``.name.process@machine.part``
_NAME = re.compile(r"^\..+\.(\d+)@([^@]*)\.part$")
#: after so many seconds without a change a part of another machine belongs to nobody
_AGE = 86400.0


def part_of(path: Path) -> Path:
    """Where this process writes what becomes ``path``; in the same folder, so that it can be put in place at once."""
    return path.with_name(f".{path.name}.{os.getpid()}@{machine()}.part")


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A file is there whole or not at all: ``with whole(path) as part: part.write_text(...)``.

    What was written to ``part`` takes the place of ``path`` when the work inside ends well; otherwise it is taken away and
    the file that was there stays. The folder is made. Raises OSError with the path and the true reason.
    """
    target = Path(os.path.realpath(path))
    part = part_of(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        sweep(target.parent)
        yield part
        os.replace(part, target)
    except OSError as error:
        if error.filename not in (None, str(part)):
            raise
        raise OSError(
            error.errno or errno.EIO, os.strerror(error.errno) if error.errno else str(error), str(path)
        ) from None
    except RuntimeError as error:  # of a library that does not pass the reason on
        reason = why_not(part)
        if reason is None or type(error).__module__.startswith("gearwright"):
            raise
        raise OSError(*reason, str(path)) from None
    finally:
        drop(part)


def why_not(part: Path) -> tuple[int, str] | None:
    """Number and words of why no more can be written to a file that is to be dropped (the disk is full, a quota, a limit of the
    size of files); None if it can. Asked where a library says no more than that it failed."""
    try:
        with open(part, "ab") as file:
            file.write(bytes(1 << 20))
    except OSError as error:
        return error.errno or errno.EIO, error.strerror or str(error)
    return None


def drop(part: Path) -> None:
    """Take a part away and give its room back, even if a library still has it open."""
    with suppress(OSError):
        os.truncate(part, 0)
    with suppress(OSError):
        part.unlink(missing_ok=True)


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
