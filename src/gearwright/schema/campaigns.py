"""Campaigns: the cases of a grid, their ids, and each of them as a case of the drivetrain."""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Any

from pydantic import ValidationError

from gearwright.errors import NOTHING, DrivetrainError, Problem, listed, nearest

from .case_paths import in_case, spelled_out
from .cases import Campaign, Case
from .complaints import problems_of
from .file import Drivetrain
from .paths import set_value
from .places import Values, group, groups
from .read import from_mapping

_SAFE = re.compile(r"[^A-Za-z0-9.+_-]+")


def find_campaign(drivetrain: Drivetrain, name: str | None = None) -> Campaign:
    """A campaign of a file by name; None: the only one.

    Raises DrivetrainError if there is none of that name, or several to choose from.
    """
    names = [campaign.name for campaign in drivetrain.campaigns]
    file = str(drivetrain.file) if drivetrain.file else None
    if not names:
        raise DrivetrainError.of([Problem("the file has no campaigns", "campaigns", name or NOTHING)], file)
    if name is None and len(names) > 1:
        raise DrivetrainError.of([Problem("which campaign?", "campaigns", NOTHING, listed(names))], file)
    for campaign in drivetrain.campaigns:
        if name in (None, campaign.name):
            return campaign
    raise DrivetrainError.of(
        [Problem("unknown campaign", "campaigns", name, listed(names), nearest(str(name), names))], file
    )


def members(campaign: Campaign) -> Iterator[tuple[str, Values]]:
    """Id and values by path of every case of a campaign, in the order of its grid, the last path fastest.

    An id is the name of the campaign and one word per path: ``normal-17ms-seed1``, ``lvrt-quebec-25ms-seed3``.
    """
    choices = []
    for path, values in campaign.grid.items():
        labelled = values.items() if isinstance(values, Mapping) else ((_label(path, v), v) for v in values)
        choices.append([(path, str(label), value) for label, value in labelled])
    for chosen in product(*choices):
        yield "-".join([campaign.name, *(label for _, label, _ in chosen)]), {p: v for p, _, v in chosen}


def _label(path: str, value: Any) -> str:
    """Word of a value in an id: ``17 m/s`` is ``17ms``, a seed 1 is ``seed1``, ``quebec`` stays."""
    text = _SAFE.sub("", str(value)) or "none"
    if isinstance(value, (bool, int, float)):
        return f"{path.rsplit('.', 1)[-1]}{text}"
    return text


def member_named(drivetrain: Drivetrain, identifier: str) -> tuple[Campaign, Values] | None:
    """The campaign and the values that the id of a case means, or None."""
    for campaign in drivetrain.campaigns:
        if identifier.startswith(f"{campaign.name}-"):
            for known, values in members(campaign):
                if known == identifier:
                    return campaign, values
    return None


def added_member(drivetrain: Drivetrain, case: str, identifier: str, values: Values) -> Drivetrain:
    """The drivetrain with one more case: ``case`` and all that it takes over, with ``values`` put in; references are unchecked.

    Paths are those of a case (``wind.mean``, ``events.0.at``; ``cases.NAME.wind.mean`` is the same), or of the drivetrain
    (``stages.stage1.sun.inertia``): those become values that the case sets. Raises DrivetrainError for a path
    that leads nowhere and for values that do not fit.
    """
    raw = copy.deepcopy(drivetrain.raw)
    cases = groups(raw.get("cases"))
    taken = {**spelled_out(cases, case), "name": identifier, "base": None}
    for path, value in values.items():
        own = in_case(cases, path, case)
        if own is not None:
            set_value(taken, own, copy.deepcopy(value), f"case '{identifier}'")
        else:
            taken["set"] = {**group(taken.get("set")), path: copy.deepcopy(value)}
    raw["cases"] = [*cases, taken]
    return from_mapping(raw, drivetrain.file, drivetrain.text, drivetrain.overrides)


#: runs of one campaign
MOST = 1_000_000


def grid_problems(drivetrain: Drivetrain, campaign: Campaign) -> list[Problem]:
    """What is wrong with the values of a campaign's grid: those of the case are read as the case would be, one by one."""
    path = f"campaigns.{campaign.name}.grid"
    if math.prod(len(values) for values in campaign.grid.values()) > MOST:
        return [Problem(f"this grid makes more than {MOST} runs", path)]
    found: list[Problem] = []
    cases = groups(drivetrain.raw["cases"])
    case = spelled_out(cases, campaign.case)
    for key, values in campaign.grid.items():
        own = in_case(cases, key, campaign.case)
        if own is None:
            continue  # a value of the drivetrain: read when the campaign begins
        for value in list(values.values() if isinstance(values, Mapping) else values)[:200]:
            changed = copy.deepcopy(case)
            try:
                set_value(changed, own, copy.deepcopy(value), path)
                Case.model_validate({**changed, "base": None})
            except DrivetrainError as error:
                found += error.problems
            except ValidationError as error:
                found += [replace(p, path=f"{path}.{key}", line=None) for p in problems_of(error, changed, Case)]
    return found
