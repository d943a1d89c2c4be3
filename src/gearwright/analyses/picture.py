"""The picture of an analysis: a few curves, bars or a map over two axes, drawn with matplotlib or as a plotly figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from numpy.typing import NDArray

from gearwright.errors import DrivetrainError, optional

BACKENDS = ("matplotlib", "plotly")


@dataclass(frozen=True)
class Curve:
    """One curve: its name in the legend, values over ``x``, and how they are drawn."""

    name: str
    x: Sequence[Any] | NDArray[Any]
    y: Sequence[Any] | NDArray[Any]
    drawn: Literal["line", "points", "bars"] = "line"


@dataclass(frozen=True)
class Picture:
    """Curves over two named axes, or with ``z`` a map of colours: ``z[row of y][column of x]``, ``of`` names what it shows."""

    x: str
    y: str
    curves: Sequence[Curve] = ()
    z: Any = None
    of: str = ""
    logarithmic: bool = False

    def drawn(self, backend: str = "matplotlib", axes: Any = None) -> Any:
        """Matplotlib axes, or a plotly figure. Raises DrivetrainError for another backend."""
        if backend not in BACKENDS:
            raise DrivetrainError(f"there is no backend '{backend}'; there are {', '.join(BACKENDS)}")
        return self._plotly() if backend == "plotly" else self._matplotlib(axes)

    def _plotly(self) -> Any:
        go = optional("plotly.graph_objects", "plots", "a figure of plotly")
        figure = go.Figure()
        for c in self.curves:
            if self.z is not None:
                figure.add_trace(go.Heatmap(x=c.x, y=c.y, z=self.z, colorbar={"title": {"text": self.of}}))
            elif c.drawn == "bars":
                figure.add_trace(go.Bar(x=c.x, y=c.y, name=c.name))
            else:
                mode = "lines" if c.drawn == "line" else "markers"
                figure.add_trace(go.Scatter(x=c.x, y=c.y, name=c.name, mode=mode))
        figure.update_layout(xaxis_title=self.x, yaxis_title=self.y, template="plotly_white")
        if self.logarithmic:
            figure.update_yaxes(type="log")
        return figure

    def _matplotlib(self, axes: Any) -> Any:
        if axes is None:
            plt = optional("matplotlib.pyplot", "plots", "a plot")
            axes = plt.subplots(figsize=(9.0, 4.2), layout="constrained")[1]
        for c in self.curves:
            if self.z is not None:
                mesh = axes.pcolormesh(c.x, c.y, self.z, shading="nearest")
                axes.figure.colorbar(mesh, ax=axes, label=self.of)
            elif c.drawn == "bars":
                axes.bar(c.x, c.y, label=c.name)
            else:
                axes.plot(c.x, c.y, "-" if c.drawn == "line" else "o", label=c.name, linewidth=1.2, markersize=4)
        axes.set_xlabel(self.x)
        axes.set_ylabel(self.y)
        if any(c.drawn == "bars" and len(c.x) and isinstance(c.x[0], str) for c in self.curves):
            axes.tick_params(axis="x", labelrotation=90)
        if self.logarithmic:
            axes.set_yscale("log")
        if self.z is None and 1 < len(self.curves) <= 20:
            axes.legend(frameon=False)
        return axes
