"""One owner of a campaign's folder at a time: two that work in one would take each other's files away.

The owner holds a lock of the operating system on ``.owner`` in the folder, writes who it is into it, and touches it as long as
it lives. A lock goes with its process; on another machine of a shared disk, where locks may not reach, the touch tells.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from gearwright.parts import lives, machine
from gearwright.progress import tell

from .folder import CampaignError

#: file in the folder of a campaign
NAME = ".owner"
#: seconds between two touches, and after which an owner on another machine is taken for dead
TOUCH, PATIENCE = 15.0, 120.0
#: seconds between two looks while waiting
LOOK = 1.0


class Owner(NamedTuple):
    """Who works in a folder: machine, process, since when [s since 1970]."""

    host: str
    process: int
    begun: float

    def __str__(self) -> str:
        return f"process {self.process} on {self.host}, {_age(time.time() - self.begun)}"


@contextmanager
def owned(folder: Path, wait: bool = False) -> Iterator[None]:
    """Own a folder for the work inside.

    A folder whose owner has died is taken over, which is said. Raises CampaignError with the owner and its age if one is at
    work; with ``wait`` it waits for its end instead.
    """
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / NAME
    with open(os.open(place, os.O_RDWR | os.O_CREAT, 0o644), "r+b") as file:
        waited = False
        while (there := _at_work(file)) is not None:
            if not wait:
                raise CampaignError(
                    f"{folder} is being worked on by {there}. Wait for it (--wait), end it, or choose another folder"
                )
            if not waited:
                tell(f"{folder} is being worked on by {there}: waiting for its end")
            waited = True
            time.sleep(LOOK)
        dead = _read(file)
        if dead is not None:
            tell(f"{folder}: {dead} has ended before its work was done: taken over")
        _write(file, json.dumps(Owner(machine(), os.getpid(), time.time())._asdict()).encode())
        end = threading.Event()
        threading.Thread(target=_touch, args=(place, end), daemon=True).start()
        try:
            yield
        finally:
            end.set()
            _write(file, b"")


def _at_work(file: Any) -> Owner | None:
    """The owner that lives, or None; then the lock is held where there are locks."""
    locked = _lock(file)
    there = _read(file)
    if locked is False:
        return there or Owner("this machine", 0, time.time())
    if (
        there is None
        or there.host == machine()
        and (locked or there.process == os.getpid() or not lives(there.process))
    ):
        return None
    if there.host != machine() and time.time() - os.fstat(file.fileno()).st_mtime > PATIENCE:
        return None
    if locked:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_UN)
    return there


def _lock(file: Any) -> bool | None:
    """Whether the lock is ours; None where the file system has none."""
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        return None
    return True


def _read(file: Any) -> Owner | None:
    file.seek(0)
    try:
        facts = json.loads(file.read())
        return Owner(str(facts["host"]), int(facts["process"]), float(facts["begun"]))
    except (ValueError, KeyError, TypeError):
        return None


def _write(file: Any, content: bytes) -> None:
    with suppress(OSError):  # a full disk: the lock holds all the same
        file.seek(0)
        file.truncate()
        file.write(content)
        file.flush()


def _touch(place: Path, end: threading.Event) -> None:
    while not end.wait(TOUCH):
        with suppress(OSError):
            os.utime(place)


def _age(seconds: float) -> str:
    if seconds < 120.0:
        return f"since {max(seconds, 0.0):.0f} s"
    return f"since {seconds / 60.0:.0f} min" if seconds < 7200.0 else f"since {seconds / 3600.0:.1f} h"
