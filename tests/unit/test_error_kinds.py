"""Every error that the package raises by a class of its own is a GearwrightError of one of three kinds."""

import importlib
import pickle
import sys
from pathlib import Path

import pytest

import gearwright as gw
from gearwright.errors import FileError, GearwrightError, InputError, Problem, RunError
from gearwright.units import UnitError

ROOT = Path(gw.__file__).parent


def _classes() -> list[type[Exception]]:
    """Exception classes that modules of the package define, private ones too."""
    for path in ROOT.rglob("*.py"):
        if path.stem != "__main__":
            name = ".".join(("gearwright", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
            importlib.import_module(name)
    found: set[type[Exception]] = set()
    waiting: list[type[Exception]] = [Exception]
    while waiting:
        for kind in waiting.pop().__subclasses__():
            if kind not in found:
                found.add(kind)
                waiting.append(kind)
    ours = (k for k in found if k.__module__.startswith("gearwright") and k.__module__ in sys.modules)
    return sorted(ours, key=lambda k: k.__qualname__)


def test_every_error_has_one_base_and_one_of_three_kinds():
    kinds = (InputError, RunError, FileError)
    ours = [kind for kind in _classes() if kind is not GearwrightError]
    assert len(ours) > 30
    stray = [f"{k.__module__}.{k.__name__}" for k in ours if sum(issubclass(k, kind) for kind in kinds) != 1]
    assert not stray
    builtin = [k.__name__ for k in ours if k is not FileError and not issubclass(k, (ValueError, RuntimeError))]
    assert not builtin, "older programs catch ValueError or RuntimeError"


def test_the_public_errors_are_of_these_kinds():
    assert issubclass(gw.DrivetrainError, gw.InputError)
    assert issubclass(gw.ResultError, gw.FileError)
    assert issubclass(gw.RunError, gw.GearwrightError)
    with pytest.raises(gw.GearwrightError):
        gw.load("no-such-drivetrain")


def test_place_and_hint_come_with_the_error():
    error = gw.DrivetrainError.of([Problem("unknown case", "cases", "x", "one of a, b", "a")], "f.yaml")
    assert (error.where, error.allowed, error.meant) == ("cases", "one of a, b", "a")
    assert UnitError("'Nm' is not a known unit", meant="N m").meant == "N m"
    sent = pickle.loads(pickle.dumps(error))  # campaigns send errors between processes
    assert (str(sent), sent.where, sent.problems) == (str(error), error.where, error.problems)
