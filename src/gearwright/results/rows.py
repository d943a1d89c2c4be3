"""What is told of a channel of a result: a row of its table, its statistics."""

from __future__ import annotations

from typing import Required, TypedDict

#: a channel: where it belongs, its unit, statistics at the counting rate, damage equivalent ranges by exponent where it is counted
ChannelRow = TypedDict("ChannelRow", {
    "name": Required[str], "kind": Required[str], "element": Required[str], "quantity": Required[str], "unit": Required[str],
    "minimum": Required[float], "maximum": Required[float], "mean": Required[float], "standard_deviation": Required[float],
    "time_of_minimum": Required[float], "time_of_maximum": Required[float], "del": dict[float, float],
}, total=False)  # fmt: skip


class Summary(TypedDict):
    """Statistics of a channel at the counting rate, in its unit."""

    mean: float
    std: float
    min: float
    max: float
    unit: str


__all__ = ["ChannelRow", "Summary"]
