"""Many runs: a campaign of load cases with its extreme loads, a study of values with what they do to its outputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gearwright.campaigns import (
    Effect,
    Folder,
    Options,
    Plan,
    campaign_plan,
    effects,
    extremes,
    read_table,
    run_campaign,
    study_plan,
)
from gearwright.campaigns.line import Ultimate
from gearwright.campaigns.run import Progress
from gearwright.figures.format import alike
from gearwright.units import optional

from .base import ASIDE, Analysis, Column, Picture, Table
from .picture import Curve

#: called with (finished, of how many, failed, the last line)


@dataclass(frozen=True, repr=False, eq=False)
class _Runs(Analysis):
    """What many runs left in their folder: how many are done, which failed, and the table of them."""

    name: str
    folder: Path
    cases: int
    done: int
    computed: int
    failed: Mapping[str, str]
    simulated_s: float
    wall_s: float
    real_time_factor: float
    table: Path

    @property
    def closing(self) -> list[str]:
        """How many runs are done, how fast they were, where their table is."""
        failed = f", {len(self.failed)} failed (see {self.folder}/failed)" if self.failed else ""
        kept = self.done - self.computed
        before = f", {kept} of them before" if kept else ""
        said = [f"{self.done} of {self.cases} runs done{before}{failed}"]
        if self.computed:
            factor = self.real_time_factor
            times = f"{factor:.0f}" if factor >= 10.0 else f"{factor:.2g}"
            said.append(f"{self.simulated_s:g} s simulated in {self.wall_s:.1f} s ({times} times real time)")
        return [*said, f"table: {self.table}"]

    def outputs(self) -> Any:
        """The table of all runs as a pandas DataFrame: an id, the values that vary, and every figure."""
        import pandas

        return pandas.DataFrame(read_table(self.folder))


@dataclass(frozen=True, repr=False, eq=False)
class CampaignRuns(_Runs):
    """A campaign: ``extremes`` are the ultimate loads by channel and group, ``design`` the mean of the runs' largest times the
    ``partial_factor``."""

    partial_factor: float
    extremes: Sequence[Ultimate]

    def shown(self) -> Iterator[Table | str]:
        """The largest design loads: forces and torques, one row per channel, the group that governs."""
        scale = {"N": ("kN", 1e-3), "N m": ("kN m", 1e-3)}
        governing: dict[str, Ultimate] = {}
        for row in self.extremes:
            known = governing.get(row["channel"])
            if row["unit"] in scale and (known is None or row["design"] > known["design"]):
                governing[row["channel"]] = row
        rows = []
        for name, row in governing.items():
            unit, factor = scale[row["unit"]]
            where = ", ".join(str(v) for v in row["group"].values())
            rows.append(
                [
                    name,
                    unit,
                    *(factor * x for x in (row["mean"], row["min"], row["max"], row["mean_of_max"], row["design"])),
                    where,
                ]
            )
        if rows:
            columns = ["channel", "unit", "mean", "min", "max", "mean of max", "design", "at"]
            yield Table(f"Extreme loads of {self.name} (partial factor {self.partial_factor:g})", columns, rows)

    def picture(self) -> Picture | str:
        """Design loads by channel."""
        if not self.tables:
            return "no run is finished, so there are no extreme loads"
        rows = self.tables[0].rows
        return Picture(
            "channel", "design load [kN, kN m]", [Curve("design", [r[0] for r in rows], [r[6] for r in rows], "bars")]
        )


@dataclass(frozen=True, repr=False, eq=False)
class StudyRuns(_Runs):
    """A study: ``effects`` of the values that vary on its outputs, as rank correlations and Sobol indices with 90 % intervals."""

    effects: Sequence[Effect]
    plan: Plan = field(metadata=ASIDE)

    def shown(self) -> Iterator[Table | str]:
        """Every effect."""
        rows = [
            [
                e.output,
                e.path,
                e.rank_correlation,
                _share(e.first, e.first_interval),
                _share(e.total, e.total_interval),
            ]
            for e in self.effects
        ]
        columns = ["output", "value", Column("rank correlation", "", 2), "first order", "total"]
        yield Table(f"Effects in {self.name}, Sobol indices with 90 % intervals", columns, rows)

    def picture(self) -> Picture | str:
        """Rank correlations."""
        if not self.effects:
            return "no run is finished, so there are no effects"
        curves = []
        for output in dict.fromkeys(e.output for e in self.effects):
            own = [e for e in self.effects if e.output == output]
            curves.append(Curve(output, [e.path for e in own], [e.rank_correlation for e in own], "bars"))
        return Picture("value", "rank correlation", curves)


def _share(index: float | None, interval: tuple[float, float] | None) -> str:
    """A Sobol index and its interval, which says how many of its digits mean anything."""
    if index is None or interval is None:
        return ""
    return f"{index:.2f} ({interval[0]:.2f} to {interval[1]:.2f})"


def campaign(
    source: Any,
    folder: str | Path,
    *,
    campaign: str | None = None,
    setup: str | None = None,
    only: Sequence[str] = (),
    fidelity: str | None = None,
    law: str | None = None,
    duration: float | str | None = None,
    overrides: Sequence[str] = (),
    jobs: int = 1,
    workers: Any = None,
    progress: Progress | None = None,
    wait: bool = False,
) -> CampaignRuns:
    """Run many load cases into a folder: one result file and one table row per case; the same call goes on after an interruption.

    Parameters
    ----------
    source : a file or example with campaigns, or the name of a shipped campaign
    folder : to write to
    campaign : which one of the file; ``setup``: of a shipped campaign, instead of nrel-5mw; ``only``: patterns of ids
    fidelity, law, duration, overrides : as of :func:`gearwright.simulate`
    jobs : runs at a time on this machine; ``workers``: others (:mod:`gearwright.campaigns`)
    wait : for another process that works in this folder

    Runs that fail are in ``failed``. Raises CampaignError or DrivetrainError.
    """
    options = Options(fidelity=fidelity, law=law, duration=optional(duration, "time", "duration"))
    plan = campaign_plan(source, campaign, setup=setup, overrides=overrides, only=only, options=options)
    return campaign_of(plan, folder, jobs, workers, progress, wait)


def campaign_of(
    plan: Plan,
    folder: str | Path,
    jobs: int = 1,
    workers: Any = None,
    progress: Progress | None = None,
    wait: bool = False,
) -> CampaignRuns:
    """Run the plan of a campaign; as :func:`campaign`."""
    outcome = run_campaign(plan, Path(folder), jobs=jobs, workers=workers, progress=progress, wait=wait)
    kept = Folder(Path(folder))
    return alike(
        CampaignRuns,
        outcome,
        partial_factor=plan.partial_factor,
        extremes=extremes(kept, plan),
        remarks=list(kept.remarks(plan)),
    )


def study(
    source: Any,
    folder: str | Path,
    *,
    fidelity: str | None = None,
    law: str | None = None,
    duration: float | str | None = None,
    overrides: Sequence[str] = (),
    jobs: int = 1,
    workers: Any = None,
    progress: Progress | None = None,
    wait: bool = False,
) -> StudyRuns:
    """Run a case over chosen or drawn values of its file into a folder, and find what the values do; options as of
    :func:`campaign`."""
    options = Options(fidelity=fidelity, law=law, duration=optional(duration, "time", "duration"))
    plan = study_plan(source, overrides=overrides, options=options)
    return study_of(plan, folder, jobs, workers, progress, wait)


def study_of(
    plan: Plan,
    folder: str | Path,
    jobs: int = 1,
    workers: Any = None,
    progress: Progress | None = None,
    wait: bool = False,
) -> StudyRuns:
    """Run the plan of a study; as :func:`study`."""
    outcome = run_campaign(plan, Path(folder), jobs=jobs, workers=workers, progress=progress, wait=wait)
    columns = read_table(Path(folder))
    found = effects(plan, columns) if columns["id"] else []
    return alike(StudyRuns, outcome, effects=found, plan=plan, remarks=list(Folder(Path(folder)).remarks(plan)))
