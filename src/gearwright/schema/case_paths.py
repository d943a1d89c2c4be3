"""One language for the places of values: in ``--set``, in what a case sets, and in what campaigns and studies vary.

A place is a path from the top of the file (``stages.stage1.planets``, ``cases.rated.loads.0.torque``), or, where one case is
meant, a path from the top of that case (``loads.0.torque``, ``wind.mean``). Both ways are understood everywhere.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence

from .cases import Case
from .file import Drivetrain
from .paths import set_value, spelled, step
from .places import JSON, Values, groups


def of_a_case(path: str) -> bool:
    """Whether a path begins in a case: with a key that a case has and a file has not."""
    head = path.split(".", 1)[0]
    return head in Case.model_fields and head not in Drivetrain.model_fields


def in_file(raw: Values, path: str, case: str | None = None) -> str:
    """The path from the top of the file: of ``case`` (a campaign's for the id of one of its runs; default: the case that runs where
    none is named) where it begins in a case. That case is spelled out in ``raw``, so that what it takes over can be changed."""
    cases = groups(raw.get("cases"))
    if not of_a_case(path) or not cases:
        return path
    names = [str(c.get("name")) for c in cases]
    chosen = case if case in names else _of_campaign(raw, case)
    if chosen is None:
        windy = [n for n in names if spelled_out(cases, n).get("wind")] if raw.get("turbine") else []
        chosen = (windy or names)[0]
    place = names.index(chosen)
    whole = {**spelled_out(cases, chosen), "base": None}
    if cases[place].get("base"):
        cases[place].update(whole)
    return f"cases.{place}.{path}"


def win_over_cases(raw: Values, path: str, value: JSON) -> None:
    """Take what an override gives out of what cases ``set``, in place: the word of the user wins over that of a case."""
    wanted = spelled(raw, path)
    for case in groups(raw.get("cases")):
        values = case.get("set")
        if not isinstance(values, dict):
            continue
        for key in list(values):
            own = spelled(raw, str(key))
            if own[: len(wanted)] == wanted:
                del values[key]
            elif wanted[: len(own)] == own:
                inside = ".".join(map(str, wanted[len(own) :]))
                if isinstance(values[key], (dict, list)):
                    set_value(values[key], inside, copy.deepcopy(value))
                else:
                    del values[key]


def in_case(cases: Sequence[Values], path: str, case: str) -> str | None:
    """The path from the top of ``case``; None where it leads elsewhere."""
    parts = path.split(".")
    if parts[0] in Case.model_fields:
        return path
    found = step(list(cases), "cases", parts[1:]) if parts[0] == "cases" and len(parts) > 1 else None
    if found is None or str(cases[found[0]].get("name")) not in _chain(cases, case):
        return None
    return ".".join(parts[1 + found[1] :]) or None


def _chain(cases: Sequence[Values], case: str) -> list[str]:
    """A case and its bases."""
    chain = [case]
    while (base := next((c.get("base") for c in cases if c.get("name") == chain[-1]), None)) and base not in chain:
        chain.append(str(base))
    return chain


def _of_campaign(raw: Values, identifier: str | None) -> str | None:
    """The case of the campaign that an id begins with."""
    for campaign in groups(raw.get("campaigns")):
        if identifier is not None and identifier.startswith(f"{campaign.get('name')}-"):
            return str(campaign.get("case"))
    return None


def spelled_out(cases: Sequence[Values], name: str) -> dict[str, JSON]:
    """A case as written, joined over its bases; empty where there is none of that name."""
    made: dict[str, JSON] = {}
    for one in reversed(_chain(cases, name)):
        made = _joined(made, next((c for c in cases if c.get("name") == one), {}))
    return made


def _joined(base: Values, top: Values) -> dict[str, JSON]:
    result = copy.deepcopy(dict(base))
    for key, value in top.items():
        old = result.get(key)
        both = isinstance(old, Mapping) and isinstance(value, Mapping)
        result[key] = _joined(old, value) if both else copy.deepcopy(value)  # type: ignore[arg-type]
    return result
