"""Plots of a result for notebooks: matplotlib axes or a plotly figure of stored series."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gearwright.errors import optional

from .layout import ChannelRow, ResultError

if TYPE_CHECKING:
    import xarray

Float = NDArray[np.float64]
BACKENDS = ("matplotlib", "plotly")
#: A load whose unit a person reads in thousands.
_READ = {"N": ("kN", 1e-3), "N m": ("kN m", 1e-3), "W": ("kW", 1e-3), "Pa": ("MPa", 1e-6), "m": ("µm", 1e6)}


def plot(
    time: Float, series: Mapping[str, xarray.DataArray], quantity: str, backend: str = "matplotlib", axes: Any = None
) -> Any:
    """Channels (xarray DataArrays by name) over time [s]; returns the matplotlib axes or the plotly figure.

    All channels share one unit. Raises ResultError for an unknown backend or mixed units.
    """
    if backend not in BACKENDS:
        raise ResultError(f"there is no backend '{backend}'; there are {', '.join(BACKENDS)}")
    units = {str(s.attrs.get("units", "")) for s in series.values()}
    if len(units) > 1:
        raise ResultError(f"one plot has one unit, these channels have {', '.join(sorted(units))}: plot them apart")
    given = units.pop()
    unit, factor = _READ.get(given, (given, 1.0))
    label = f"{quantity.replace('_', ' ')} [{unit}]"
    if backend == "plotly":
        go = optional("plotly.graph_objects", "plots", "a figure of plotly")
        figure = go.Figure(
            [go.Scattergl(x=time, y=factor * s.values, name=name, mode="lines") for name, s in series.items()]
        )
        figure.update_layout(xaxis_title="time [s]", yaxis_title=label, template="plotly_white", hovermode="x unified")
        return figure
    if axes is None:
        plt = optional("matplotlib.pyplot", "plots", "a plot")
        axes = plt.subplots(figsize=(9.0, 3.6), layout="constrained")[1]
    for name, s in series.items():
        axes.plot(time, factor * s.values, label=name, linewidth=1.0)
    axes.set_xlabel("time [s]")
    axes.set_ylabel(label)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    return axes


def html(facts: Sequence[str], table: Sequence[ChannelRow]) -> str:
    """What was run, and every channel with its statistics, as a table."""
    rows = ""
    for row in table:
        unit, factor = _READ.get(row.unit, (row.unit, 1.0))
        values = "".join(
            f"<td>{factor * x:.4g}</td>" for x in (row.mean, row.standard_deviation, row.minimum, row.maximum)
        )
        rows += f"<tr><td style='text-align:left'>{escape(row.name)}</td><td>{escape(unit)}</td>{values}</tr>"
    head = "<th>channel</th><th>unit</th><th>mean</th><th>standard deviation</th><th>minimum</th><th>maximum</th>"
    return (
        f"<p>{escape(' · '.join(fact for fact in facts if fact))}</p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    )
