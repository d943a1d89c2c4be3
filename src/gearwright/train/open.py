"""Opens drivetrain files: reads them and checks that what they name is there and fits together."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from gearwright.parts import whole
from gearwright.schema.campaigns import added_member
from gearwright.schema.file import Drivetrain
from gearwright.schema.places import Values
from gearwright.schema.read import read_drivetrain, with_changes

from .expand import check


def load(
    source: str | Path | Values | Drivetrain,
    overrides: Iterable[str] | Values = (),
    case: str | None = None,
) -> Drivetrain:
    """Read a drivetrain.

    Parameters
    ----------
    source : path of a file, name of a shipped example, a mapping in the form of a file, or a Drivetrain (to
        apply overrides to)
    overrides : ``"path=value"`` strings, or a mapping of paths to values. ``stages.0.planets=5`` and
        ``stages.stage1.planets=5`` are the same, and so are ``cases.rated.loads.0.torque=...`` and, where the case ``rated``
        is meant, ``loads.0.torque=...``
    case : the case that paths of a case mean; default: the first one

    Raises
    ------
    DrivetrainError : with every problem of the file at once where that is possible.
    """
    drivetrain = read_drivetrain(source, overrides, case)
    check(drivetrain)
    return drivetrain


def edit(path: str | Path, changes: Values) -> str:
    """Change values of a file by path; comments and order are kept. Returns the new text.

    The changed file is checked first: if it is wrong, :class:`DrivetrainError` is raised and nothing written.
    """
    file, new, drivetrain = with_changes(path, changes)
    check(drivetrain)
    with whole(file) as part:
        part.write_text(new, encoding="utf-8")
    return new


def with_member(drivetrain: Drivetrain, case: str, identifier: str, values: Values) -> Drivetrain:
    """The drivetrain with one more case (:func:`gearwright.schema.campaigns.added_member`), checked.

    Raises DrivetrainError for a path that leads nowhere and for values that do not fit.
    """
    made = added_member(drivetrain, case, identifier, values)
    check(made)
    return made
