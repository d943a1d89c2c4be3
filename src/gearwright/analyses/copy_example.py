"""Copies of shipped examples, to edit them."""

from __future__ import annotations

import shutil
from pathlib import Path

from gearwright.errors import DrivetrainError
from gearwright.schema.read import example_path
from gearwright.train.open import load


def copy_example(name: str, to: str | Path = ".") -> list[Path]:
    """Copy an example and the series it reads to a folder or file; refuses to overwrite."""
    source, to = example_path(name), Path(to)
    target = to / source.name if to.is_dir() or not to.suffix else to
    drivetrain = load(name)
    files = {source: target}
    for case in drivetrain.cases:
        values = [*case.speeds.values(), *(load.torque for load in case.loads if load.torque is not None)]
        for value in values:
            if value.form == "file":
                files[drivetrain.resolve(value.value.path)] = target.parent / value.value.path
    for destination in files.values():
        if destination.exists():
            raise DrivetrainError(f"{destination} exists already; copy to another folder")
    for origin, destination in files.items():
        destination.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(origin, destination)
    return list(files.values())
