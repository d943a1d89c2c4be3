"""Plots of a result for notebooks: matplotlib axes or a plotly figure of stored series."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .layout import ResultError

if TYPE_CHECKING:
    from .result import Result

BACKENDS = ("matplotlib", "plotly")
#: A load whose unit a person reads in thousands.
_READ = {"N": ("kN", 1e-3), "N m": ("kN m", 1e-3), "W": ("kW", 1e-3), "Pa": ("MPa", 1e-6), "m": ("µm", 1e6)}


def plot(result: Result, names: Sequence[str], backend: str = "matplotlib", axes: Any = None) -> Any:
    """Channels over time; returns the matplotlib axes or the plotly figure.

    All channels share one unit. Raises ResultError for an unknown channel or backend, none at all, or mixed units.
    """
    if backend not in BACKENDS:
        raise ResultError(f"there is no backend '{backend}'; there are {', '.join(BACKENDS)}")
    if not names:
        raise ResultError(f"name a channel to plot; there are {', '.join(result.channels)}")
    series = {name: result.series(name) for name in names}
    units = {str(s.attrs.get("units", "")) for s in series.values()}
    if len(units) > 1:
        raise ResultError(f"one plot has one unit, these channels have {', '.join(sorted(units))}: plot them apart")
    given = units.pop()
    unit, factor = _READ.get(given, (given, 1.0))
    label = f"{result.channels[names[0]][2].replace('_', ' ')} [{unit}]"
    time = result.time
    if backend == "plotly":
        import plotly.graph_objects as go

        figure = go.Figure(
            [go.Scattergl(x=time, y=factor * s.values, name=name, mode="lines") for name, s in series.items()]
        )
        figure.update_layout(xaxis_title="time [s]", yaxis_title=label, template="plotly_white", hovermode="x unified")
        return figure
    if axes is None:
        import matplotlib.pyplot as plt

        axes = plt.subplots(figsize=(9.0, 3.6), layout="constrained")[1]
    for name, s in series.items():
        axes.plot(time, factor * s.values, label=name, linewidth=1.0)
    axes.set_xlabel("time [s]")
    axes.set_ylabel(label)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    return axes


def html(result: Result) -> str:
    """The result as a table: what was run, and every channel with its statistics."""
    from html import escape

    facts = [str(result.attributes.get(k, "")) for k in ("drivetrain", "case", "fidelity", "law", "method")]
    time = result.time
    if len(time):
        facts.append(f"{time[0]:g} to {time[-1]:g} s every {result.interval:g} s")
    if result.incomplete:
        facts.append(f"incomplete: {result.incomplete}")
    rows = ""
    for row in result.table():
        unit, factor = _READ.get(row["unit"], (row["unit"], 1.0))
        values = "".join(
            f"<td>{factor * row[k]:.4g}</td>" for k in ("mean", "standard_deviation", "minimum", "maximum")
        )
        rows += f"<tr><td style='text-align:left'>{escape(row['name'])}</td><td>{escape(unit)}</td>{values}</tr>"
    head = "<th>channel</th><th>unit</th><th>mean</th><th>standard deviation</th><th>minimum</th><th>maximum</th>"
    return (
        f"<p>{escape(' · '.join(fact for fact in facts if fact))}</p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    )


__all__ = ["BACKENDS", "html", "plot"]
