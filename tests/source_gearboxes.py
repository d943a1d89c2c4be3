"""Set-ups on the gearbox that their source prints: what a page computed from that data is held against it, not against the
shipped gearbox, whose damping, teeth and ratio are this package's own choice."""

import tempfile
from pathlib import Path

import gearwright as gw
from gearwright.schema.read import example_path


def on_source(name, overrides=()):
    """The shipped set-up ``name`` with NAME-source in place of the gearbox NAME that it includes."""
    text = example_path(name).read_text(encoding="utf-8")
    (line,) = (line for line in text.splitlines() if line.startswith("include: ["))
    gearbox = line.removeprefix("include: [").removesuffix("]")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{name}.yaml"
        file.write_text(text.replace(line, f"include: [{gearbox}-source]"), encoding="utf-8")
        return gw.load(file, overrides)
