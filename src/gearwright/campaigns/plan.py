"""What a campaign is going to do: a drivetrain, a case, and the values of every run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from fnmatch import fnmatch
from functools import cached_property
from pathlib import Path
from typing import Any, TypedDict

from gearwright.errors import DrivetrainError, Problem, nearest
from gearwright.running.intervals import refuse_discard
from gearwright.schema.campaigns import find_campaign, members
from gearwright.schema.case_lookup import find_case
from gearwright.schema.case_paths import of_a_case
from gearwright.schema.file import Drivetrain
from gearwright.schema.places import Values, groups
from gearwright.schema.read import example_path, examples, from_mapping, parse_file
from gearwright.train.open import load, with_member

from .fleet_design import NAME, RUNS, fleet_design

#: set-up that the name of a shipped campaign means
DEFAULT_SETUP = "nrel-5mw"


@dataclass(frozen=True)
class Options:
    """What overrides the file in every run: as of :func:`gearwright.simulate`."""

    fidelity: str | None = None
    law: str | None = None
    method: str | None = None
    tolerance: float | None = None
    duration: float | None = None


class Facts(TypedDict, total=False):
    """What a plan says of its drivetrain and, of a study, of its samples."""

    drivetrain: str
    description: str | None
    method: str
    samples: int | None
    seed: int | None
    free: list[list[str]]
    campaign: str


class PlanRecord(TypedDict, total=False):
    """A plan as it is kept and as it travels to workers; ``task`` where its items are no runs of a case."""

    kind: str
    name: str
    case: str
    raw: Values
    file: str | None
    text: str
    overrides: list[str]
    options: Mapping[str, str | float | None]
    partial_factor: float
    use: str
    outputs: list[str]
    facts: Facts
    items: Mapping[str, Values]
    task: str


class Manifest(TypedDict):
    """What a folder says of its campaign."""

    layout: int
    gearwright_version: str
    fingerprint: str
    plan: PlanRecord


@dataclass(frozen=True)
class Plan:
    """A campaign or a study, ready to run anywhere: plain data, but for the files that the drivetrain names.

    ``raw`` is the drivetrain as a mapping with everything included; ``items`` the values by path of every run, by
    id; ``group`` the paths that tell groups of runs apart in tables (all but seeds); ``outputs`` figures that a
    study tabulates. ``task``: what works on an item, ``module:function`` with the arguments of
    :func:`gearwright.campaigns.work.work_on`; nothing: that one, a run of the case.
    """

    name: str
    case: str
    raw: Values
    items: Mapping[str, Values]
    file: str | None = None
    text: str = ""
    overrides: tuple[str, ...] = ()
    options: Options = Options()
    partial_factor: float = 1.0
    use: str = "fatigue"
    kind: str = "campaign"
    outputs: tuple[str, ...] = ()
    facts: Facts = field(default_factory=Facts)
    task: str = ""

    @cached_property
    def drivetrain(self) -> Drivetrain:
        """The drivetrain of the plan."""
        return from_mapping(self.raw, Path(self.file) if self.file else None, self.text, self.overrides)

    @property
    def paths(self) -> list[str]:
        """Paths that the runs vary."""
        return list(dict.fromkeys(path for values in self.items.values() for path in values))

    @property
    def group(self) -> list[str]:
        """Paths that tell groups apart: all but seeds; of recorded runs the mean wind speed."""
        if "mean_wind" in self.paths:
            return ["mean_wind"]
        return [path for path in self.paths if path.rsplit(".", 1)[-1] != "seed"]

    @property
    def fingerprint(self) -> str:
        """Hash of all that decides about the results; the version of the program is not part of it."""
        data = {key: value for key, value in self.to_json().items() if key not in ("text", "file")}
        # ratings and wind are used after the runs: changing them makes no other campaign
        if self.kind != "design":
            data["raw"] = {k: v for k, v in self.raw.items() if k != "life"}
            data["overrides"] = [o for o in self.overrides if o.partition("=")[0].split(".")[0] != "life"]
        return hashlib.sha256(json.dumps(data, sort_keys=True, default=str).encode()).hexdigest()

    def member(self, identifier: str) -> Drivetrain:
        """The drivetrain with the case of one run.

        Raises DrivetrainError for values that do not fit.
        """
        return with_member(self.drivetrain, self.case, identifier, self.items[identifier])

    def check(self) -> None:
        """Raise DrivetrainError for the first value of the plan that does not fit, before anything runs.

        Every value of every path is tried once, with the first values of the other paths.
        """
        seen: set[tuple[str, str]] = set()
        for identifier, values in self.items.items():
            fresh = {(path, json.dumps(value, default=str)) for path, value in values.items()} - seen
            if fresh:
                refuse_discard(find_case(self.member(identifier), identifier), self.options.duration)
                seen |= fresh
            if self.kind == "study":
                break  # sampled values differ in all runs; paths and units are those of the first

    def to_json(self) -> PlanRecord:
        """Plain data; :meth:`from_json` makes the same plan of it."""
        record: PlanRecord = {
            "kind": self.kind,
            "name": self.name,
            "case": self.case,
            "raw": self.raw,
            "file": self.file,
            "text": self.text,
            "overrides": list(self.overrides),
            "options": asdict(self.options),
            "partial_factor": self.partial_factor,
            "use": self.use,
            "outputs": list(self.outputs),
            "facts": self.facts,
            "items": {k: dict(v) for k, v in self.items.items()},
        }
        if self.task:
            record["task"] = self.task
        return record

    @classmethod
    def from_json(cls, data: PlanRecord) -> Plan:
        """The plan of plain data."""
        known: Any = dict(data)
        known.update(
            options=Options(**known["options"]), overrides=tuple(data["overrides"]), outputs=tuple(data["outputs"])
        )
        return cls(**known)


def campaign_plan(
    source: str | Path | Drivetrain,
    campaign: str | None = None,
    *,
    setup: str | None = None,
    options: Options | None = None,
    overrides: Sequence[str] = (),
    only: Sequence[str] = (),
) -> Plan:
    """The plan of a campaign.

    Parameters
    ----------
    source : a drivetrain or set-up with campaigns (file, example, or Drivetrain), or the name of a shipped campaign,
        which stands in the set-up ``nrel-5mw``, in ``setup``, or in the one example that has it
    campaign : which of the file's campaigns; None: the only one
    options : fidelity, law, method, tolerance, duration of every run
    overrides : ``path=value`` edits of the file
    only : shell patterns of ids; runs that match none are left out

    The campaign ``fleet`` is that of any set-up whose file has none of this name (:mod:`gearwright.campaigns.fleet_design`). Raises
    DrivetrainError.
    """
    if NAME in (campaign, str(source)) and (made := _fleet(source, campaign, setup)) is not None:
        return kept(fleet_plan(made, options=options, overrides=overrides), only)
    # a path of a case means the case of the campaign, which is known when the file is read
    of_case = [text for text in overrides if of_a_case(text.partition("=")[0].strip())]
    drivetrain, campaign = _find(source, campaign, setup, [text for text in overrides if text not in of_case])
    chosen = find_campaign(drivetrain, campaign)
    if of_case:
        drivetrain = load(drivetrain, of_case, chosen.case)
    items = dict(members(chosen))
    plan = Plan(
        chosen.name,
        chosen.case,
        drivetrain.raw,
        items,
        str(drivetrain.file) if drivetrain.file else None,
        drivetrain.text,
        drivetrain.overrides,
        options or Options(),
        chosen.partial_factor,
        chosen.use,
        facts={"drivetrain": drivetrain.name, "description": chosen.description},
    )
    plan = kept(plan, only)
    plan.check()
    return plan


def kept(plan: Plan, only: Sequence[str]) -> Plan:
    """The plan with the runs alone whose ids match. Raises DrivetrainError where none does."""
    if not only:
        return plan
    kept = {k: v for k, v in plan.items.items() if any(fnmatch(k, pattern) for pattern in only)}
    if not kept:
        raise DrivetrainError(
            f"no id of campaign '{plan.name}' matches {' or '.join(only)}; ids are like {next(iter(plan.items))}"
        )
    return replace(plan, items=kept)


def _fleet(source: str | Path | Drivetrain, campaign: str | None, setup: str | None) -> Drivetrain | None:
    """The set-up whose campaign ``fleet`` is meant, unless its own file has one."""
    named = str(source) == NAME and campaign in (None, NAME)
    if not named and campaign != NAME:
        return None
    made = load(setup or DEFAULT_SETUP) if named else source if isinstance(source, Drivetrain) else load(source)
    return None if NAME in [c.name for c in made.campaigns] else made


def fleet_plan(
    setup: Drivetrain, runs: int = RUNS, options: Options | None = None, overrides: Sequence[str] = ()
) -> Plan:
    """The plan of the campaign ``fleet`` of a set-up, torsional unless said otherwise. Raises DrivetrainError as :func:`fleet_design`."""
    design = fleet_design(setup, runs)
    made = load(setup, [*overrides, *design.edits])
    chosen = options or Options()
    plan = Plan(
        NAME,
        design.case,
        made.raw,
        design.items,
        str(made.file) if made.file else None,
        made.text,
        made.overrides,
        chosen if chosen.fidelity else replace(chosen, fidelity="torsional"),
        facts={
            "drivetrain": made.name,
            "description": "weather and operation of the field, independently of each other",
        },
    )
    plan.member(next(iter(design.items)))
    return plan


def _find(
    source: str | Path | Drivetrain, campaign: str | None, setup: str | None, overrides: Sequence[str]
) -> tuple[Drivetrain, str | None]:
    if isinstance(source, Drivetrain):
        return (load(source, overrides) if overrides else source), campaign
    name = str(source)
    if Path(name).expanduser().is_file() or name in examples():
        if setup is not None:
            raise DrivetrainError(f"'{name}' is a set-up itself; --setup goes with the name of a shipped campaign")
        return load(source, overrides), campaign
    place = setup or DEFAULT_SETUP
    if setup is not None or DEFAULT_SETUP in examples():
        drivetrain = load(place, overrides)
        known = [c.name for c in drivetrain.campaigns]
        if name in known and campaign in (None, name):
            return drivetrain, name
        others = _written_in(name) if setup is None and campaign in (None, name) else []
        if len(others) == 1:
            return load(others[0], overrides), name
        meant = nearest(name, [*known, *examples()])
        raise DrivetrainError.of(
            [Problem("neither a file, an example, nor a campaign of " + place, "", name, ", ".join(known), meant)]
        )
    return load(source, overrides), campaign


def _written_in(campaign: str) -> list[str]:
    """Examples whose own file (not one that they include) has a campaign of a name."""
    found = []
    for name in examples():
        if f"name: {campaign}" in example_path(name).read_text(encoding="utf-8"):
            own = groups(parse_file(example_path(name)).get("campaigns"))
            if any(c.get("name") == campaign for c in own):
                found.append(name)
    return found


def shipped() -> Iterator[tuple[str, str, int]]:
    """Example, campaign and number of runs of every campaign of the shipped examples."""
    for name in examples():
        text = example_path(name).read_text(encoding="utf-8")
        if "campaigns:" in text:
            for campaign in load(name).campaigns:
                yield name, campaign.name, sum(1 for _ in members(campaign))
