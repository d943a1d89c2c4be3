"""Cases of a drivetrain: finding one by name, taking over from its base, applying what it sets."""

from __future__ import annotations

import copy
from contextlib import suppress
from functools import reduce

from gearwright.errors import NOTHING, DrivetrainError, Problem, listed, nearest
from gearwright.remarks import warning

from .campaigns import added_member, member_named, members
from .cases import Case
from .file import Drivetrain
from .paths import merged, set_value
from .read import from_mapping, placed


def _by_name(drivetrain: Drivetrain, name: str, path: str) -> Case:
    for case in drivetrain.cases:
        if case.name == name:
            return case
    names = [case.name for case in drivetrain.cases]
    file = str(drivetrain.file) if drivetrain.file else None
    if not names:
        raise DrivetrainError.of(
            [Problem("the file has no cases", path, name or NOTHING, "cases: with a name and a duration each")], file
        )
    ids, grids = _members(drivetrain) if path == "cases" else ([], [])
    allowed = listed(names) + (f"; or a case of a campaign: {', '.join(grids)}" if grids else "")
    raise DrivetrainError.of([Problem("unknown case", path, name, allowed, nearest(name, [*names, *ids]))], file)


def _members(drivetrain: Drivetrain) -> tuple[list[str], list[str]]:
    """Ids of all cases of campaigns, and a phrase per campaign: its first id and how many there are."""
    ids: list[str] = []
    phrases = []
    for campaign in drivetrain.campaigns:
        found = [identifier for identifier, _ in members(campaign)]
        ids += found
        phrases.append(found[0] + (f" ({len(found)} of them)" if len(found) > 1 else ""))
    return ids, phrases


def _first(drivetrain: Drivetrain) -> str:
    """The case that is meant where none is named: the first one; of a set-up the first one with wind, since cases that it
    includes with its drivetrain have loads and no wind."""
    if drivetrain.turbine is not None:
        for case in drivetrain.cases:
            if whole_case(drivetrain, case.name).wind:
                return case.name
    return drivetrain.cases[0].name


def find_case(drivetrain: Drivetrain, name: str | None = None) -> Case:
    """The case ``name`` (None: the first one, of a set-up the first one with wind) with what it takes over from its ``base``, its bases included.

    Mappings are joined (``wind``, ``speeds``, ``set``), anything else the case says replaces the base's. Raises DrivetrainError for
    a case whose parts do not go together; the other cases of the file run all the same (:func:`case_warnings`).
    """
    case = whole_case(drivetrain, name)
    problem = _contradiction(case)
    if problem is not None:
        raise DrivetrainError.of([placed(problem, drivetrain)], str(drivetrain.file) if drivetrain.file else None)
    return case


def case_warnings(drivetrain: Drivetrain, besides: str | None = None) -> list[str]:
    """A warning for every case of the file that cannot run as it stands, but for the case ``besides``."""
    found: list[str] = []
    for case in drivetrain.cases:
        if case.name == besides:
            continue
        with suppress(DrivetrainError):  # what it builds on is said where it runs
            problem = _contradiction(whole_case(drivetrain, case.name))
            if problem is not None:
                found.append(warning(f"case '{case.name}' cannot run: {problem.message}. Allowed: {problem.allowed}"))
    return found


def _contradiction(case: Case) -> Problem | None:
    """What in a case does not go together with the rest of it."""
    for what in case.spectra.of if case.spectra is not None else ():
        if what not in case.record:
            return Problem(
                f"spectra of {what} need them in 'record'",
                f"cases.{case.name}.spectra.of",
                what,
                f"one of {', '.join(case.record)}",
            )
    return None


def whole_case(drivetrain: Drivetrain, name: str | None = None) -> Case:
    """A case with what it takes over, unchecked."""
    if name is None:
        if not drivetrain.cases:
            return _by_name(drivetrain, "", "cases")
        name = _first(drivetrain)
    if not isinstance(name, str):
        raise DrivetrainError(
            f'the name of a case is text, not {name!r}; overrides belong to the drivetrain: load(NAME, ["path=value", ...])'
        )
    if all(case.name != name for case in drivetrain.cases):
        # the id of a case of a campaign means that case, with its values
        found = member_named(drivetrain, name)
        if found is not None:
            return whole_case(added_member(drivetrain, found[0].case, name, found[1]), name)
    chain: list[Case] = []
    while name is not None:
        case = _by_name(drivetrain, name, f"cases.{chain[-1].name}.base" if chain else "cases")
        if case in chain:
            raise DrivetrainError.of(
                [Problem("the bases of this case go round in a circle", f"cases.{case.name}.base", case.base)],
                str(drivetrain.file) if drivetrain.file else None,
            )
        chain.append(case)
        name = case.base
    fields = reduce(merged, ({key: getattr(case, key) for key in case.model_fields_set} for case in reversed(chain)))
    fields.update(name=chain[0].name, base=chain[0].base)
    return Case.model_construct(_fields_set=set(fields), **fields)


def with_case(drivetrain: Drivetrain, name: str | None = None) -> Drivetrain:
    """The drivetrain with the values that a case sets; the drivetrain itself if it sets none."""
    case = whole_case(drivetrain, name)
    if not case.set:
        return drivetrain
    raw = copy.deepcopy(drivetrain.raw)
    for path, value in case.set.items():
        set_value(raw, path, value, f"cases.{case.name}.set")
    return from_mapping(raw, drivetrain.file, drivetrain.text, drivetrain.overrides)
