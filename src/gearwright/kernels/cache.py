"""The folder of what is computed once and kept: machine code, built libraries, stiffness of teeth.

It lies below ``$GEARWRIGHT_CACHE_DIR``, else ``$XDG_CACHE_HOME``, else ``~/.cache``. Where that cannot be made or written (a
container without a home, a read-only disk, the home of somebody else), below the folder for temporary files, in a folder
that this user alone can write; where there is none either, nothing is kept. That is said once. A cache costs time when it
is missing, never the run.
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from gearwright.progress import tell

_VARIABLES = ("GEARWRIGHT_CACHE_DIR", "XDG_CACHE_HOME", "HOME", "TMPDIR", "TEMP", "TMP")


def cache_folder(*parts: str, mode: int = 0o777) -> Path | None:
    """Folder for one kind of kept things, made if it is not there (with ``mode``); None where nothing can be kept.

    ``parts`` are names below ``gearwright`` in the user's cache. It can be read; where it cannot be written any more (a
    filled cache on a read-only disk) what is there still serves.
    """
    base = _base(*(os.environ.get(name) for name in _VARIABLES), os.getpid())
    if base is None:
        return None
    folder = base.joinpath(*parts)
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True, mode=mode)
    return folder if folder.is_dir() else None


@lru_cache(maxsize=8)
def _base(*_: object) -> Path | None:
    """The folder ``gearwright`` below which all is kept, for the present environment and process."""
    wanted, why = _wanted()
    if wanted is not None:
        why = _unusable(wanted)
        if not why:
            return wanted
        if _filled(wanted):
            _say(
                f"{wanted} cannot be written ({why}): what is in it is used, what is missing is made anew in every run"
            )
            return wanted
    spare = _spare()
    cure = "set GEARWRIGHT_CACHE_DIR to a folder that can be written"
    what = (
        f"machine code cannot be kept in {wanted} ({why})" if wanted else f"there is no folder for machine code ({why})"
    )
    _say(f"{what}: it is kept in {spare}; {cure}" if spare else f"{what}: every run compiles anew; {cure}")
    return spare


def _wanted() -> tuple[Path | None, str]:
    chosen = os.environ.get("GEARWRIGHT_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(chosen) if chosen else Path.home() / ".cache") / "gearwright", ""
    except RuntimeError:  # no HOME, and no name of this user
        return None, "no HOME, and this user has no name"


def _unusable(folder: Path) -> str:
    """Why a folder cannot be made or written; empty if it can."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            return "no right to write"
    except (OSError, ValueError) as error:
        return (getattr(error, "strerror", None) or str(error)).lower()
    return ""


def _filled(folder: Path) -> bool:
    try:
        return any(folder.iterdir())
    except OSError:
        return False


def _spare() -> Path | None:
    """A folder of this user below that for temporary files. Code is loaded from it: nobody else may write there."""
    try:
        user = str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
        folder = Path(tempfile.gettempdir()) / f"gearwright-{user}"
        folder.mkdir(exist_ok=True, mode=0o700)
        facts = os.lstat(folder)
    except OSError:
        return None
    own = not hasattr(os, "getuid") or facts.st_uid == os.getuid() and not facts.st_mode & 0o022
    return folder if stat.S_ISDIR(facts.st_mode) and own and os.access(folder, os.W_OK | os.X_OK) else None


def _say(text: str) -> None:
    """Once in a program: processes that work for another one are silent."""
    process = sys.modules.get("multiprocessing.process")
    if process is None or process.parent_process() is None:
        tell(text)
