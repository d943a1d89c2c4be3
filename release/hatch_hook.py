"""What hatch does to a wheel that carries machine code: its name says for which system, since object files are of one.

Without object files (``pip install .`` of a checkout) the wheel is pure Python, and a first run compiles.
"""

from __future__ import annotations

import platform
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

#: platform part of the name of a wheel. The object files call nothing but functions of the C mathematics library that every
#: version has, so the oldest Linux, macOS and Windows that Python itself runs on serve
TAGS = {
    ("linux", "x86_64"): "manylinux_2_17_x86_64", ("linux", "aarch64"): "manylinux_2_17_aarch64",
    ("darwin", "x86_64"): "macosx_11_0_x86_64", ("darwin", "arm64"): "macosx_11_0_arm64", ("win32", "AMD64"): "win_amd64",
    ("win32", "ARM64"): "win_arm64",
}  # fmt: skip


class MachineCode(BuildHookInterface):  # type: ignore[misc]
    """Names the platform of a wheel with object files."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatch before it collects the files."""
        objects = Path(self.root) / "src" / "gearwright" / "kernels" / "objects"
        if version != "editable" and any(objects.rglob("*.o")):
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{TAGS[sys.platform, platform.machine()]}"
