"""Loads of two sources side by side: results, campaigns, fidelities; or channels of one source against one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from gearwright.campaigns.comparison import Loads, Ratio, doubts
from gearwright.campaigns.comparison import compare as ratios_of
from gearwright.units import optional

from .base import ASIDE, Analysis, Picture, Table, result_file_of
from .picture import Curve


@dataclass(frozen=True, repr=False, eq=False)
class Comparison(Analysis):
    """Ratios of loads, second source over first, by channel, group of runs and figure (``mean``, ``std``, ``max``, ``del_m``)."""

    ratios: Sequence[Ratio]
    first: Loads = field(metadata=ASIDE)
    second: Loads = field(metadata=ASIDE)
    against: str | None = field(default=None, metadata=ASIDE)

    @property
    def title(self) -> str:
        """Both sources."""
        if self.against is None:
            return f"{self.second.name} over {self.first.name}"
        return f"{self.second.name}: channels over {self.against} of {self.first.name}"

    def shown(self) -> Iterator[Table | str]:
        """A row a channel and group, a column a figure."""
        rows: dict[tuple[str, str], dict[str, float]] = {}
        for r in self.ratios:
            group = ", ".join(str(v) for v in r.group.values())
            rows.setdefault((r.second_channel, group), {})[r.figure] = r.ratio
        heads = list(dict.fromkeys(r.figure for r in self.ratios))
        yield Table(
            self.title,
            ["channel", "group", *heads],
            [[name, group, *(values.get(h) for h in heads)] for (name, group), values in rows.items()],
        )

    def picture(self) -> Picture:
        """Every ratio by channel."""
        curves = []
        for figure in dict.fromkeys(r.figure for r in self.ratios):
            own = [r for r in self.ratios if r.figure == figure and r.ratio == r.ratio]
            curves.append(Curve(figure, [r.second_channel for r in own], [r.ratio for r in own], "points"))
        return Picture("channel", "second over first", curves)


def compare(
    first: Any,
    second: Any = None,
    channels: Sequence[str] = (),
    *,
    against: str | None = None,
    arm: float | str | None = None,
) -> Comparison:
    """Compare the loads of two sources, group by group.

    Parameters
    ----------
    first, second : results (paths, Results or Runs) or folders of campaigns; without ``second``, ``against`` names a channel of
        ``first``
    channels : shell patterns; none: all forces and torques that both have
    against : compare each of ``channels`` (second) with this channel (first), such as the planet bearings with the
        kinematic estimate ``stage1.planet_bearing_kinematic.force``
    arm : length [m, or text with a unit] over which the torque ``against`` is compared with forces: for planet bearings N r_c

    Groups are matched by the values that both grids vary. Raises CampaignError for a channel or group that is missing.
    """
    length = optional(arm, "length", "--arm")
    other = None if second is None else result_file_of(second)
    a, b, ratios = ratios_of(result_file_of(first), other, channels, against=against, arm=length)
    return Comparison(ratios, a, b, against, remarks=doubts(a, b))
