"""The folder of a run whose caller names no file: below that for temporary files, and gone with the run."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path


class RunFolder:
    """A folder that is removed when nothing refers to this object any more, at the latest when the process ends."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="gearwright-"))
        self._removal = weakref.finalize(self, shutil.rmtree, self.path, True)

    def keep(self) -> None:
        """Leave what a run wrote that did not end well: its message names the file; an empty folder goes."""
        if any(self.path.iterdir()):
            self._removal.detach()
