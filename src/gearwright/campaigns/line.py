"""What is kept of a run of a campaign and of groups of runs: the lines of its folder and the rows of its tables, as JSON has them."""

from __future__ import annotations

from typing import Required, TypedDict

from gearwright.schema.places import Values

#: of a channel over a run: extremes and their times [s], mean, standard deviation, equivalent ranges by exponent; SI
Figures = TypedDict(
    "Figures",
    {
        "min": Required[float],
        "max": Required[float],
        "mean": Required[float],
        "std": Required[float],
        "time_of_min": float,
        "time_of_max": float,
        "kind": str,
        "unit": Required[str],
        "del": dict[str, float],
    },
    total=False,
)


class Line(TypedDict, total=False):
    """A run that is finished (``status`` done), or why it failed (``error``, ``kind``).

    Of a design: its ``measures``, and ``slopes``, their changes with every free number."""

    id: Required[str]
    status: Required[str]
    values: Values
    channels: dict[str, Figures]
    numbers: str
    measures: dict[str, float]
    slopes: dict[str, list[float]]
    method: str
    duration_s: float
    energy_error: float
    assumed: list[str]
    notes: list[str]
    warnings: list[str]
    result: str
    checksum: str
    seal: str
    run: dict[str, float | str]
    error: str
    kind: str
    traceback: str


class Ultimate(TypedDict):
    """Ultimate loads of a channel over a group of runs, see :func:`gearwright.campaigns.table.extremes`."""

    group: Values
    channel: str
    unit: str
    kind: str
    runs: int
    max: float
    max_id: str
    min: float
    min_id: str
    mean_of_max: float
    mean_of_upper_half: float
    characteristic: float
    design: float
    mean: float
    std: float


#: damage equivalent range of a channel over a group of runs
Fatigue = TypedDict(
    "Fatigue", {"channel": str, "unit": str, "kind": str, "exponent": float, "group": Values, "del": float}
)
