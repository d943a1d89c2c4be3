"""Run-up and coast-down: order map of a channel, and its resonances with the modes that they meet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.results import Result
from gearwright.results.file import Attribute
from gearwright.results.order_table import OrderTable, orders_of_result
from gearwright.results.sound import reading

from .base import Analysis, Column, Picture, Table, result_file_of
from .modes_of_result import modal_of_result
from .picture import Curve

Float = NDArray[np.float64]


@dataclass(frozen=True, repr=False, eq=False)
class OrderMap(Analysis, OrderTable):
    """Order map of a channel over a shaft's turns, and its resonances."""

    @property
    def title(self) -> str:
        """Channel and shaft."""
        return f"{self.channel} over {self.shaft}"

    def shown(self) -> Iterator[Table | str]:
        """The resonances."""
        rows = [
            [
                f"{r.line} (at the {r.at})" if r.at else str(r.line),
                r.order,
                r.speed_rpm,
                r.frequency_hz,
                r.amplitude,
                r.factor,
                r.mode,
                r.mode_frequency_hz,
                r.energy_share,
                "" if r.margin is None else f"{100 * r.margin:+.0f} %",
            ]
            for r in self.resonances
        ]
        columns = [
            "line",
            "order",
            Column("", "1/min"),
            Column("frequency", "Hz"),
            Column("amplitude", self.unit),
            "factor",
            "mode",
            Column("mode", "Hz"),
            "energy share",
            "margin",
        ]
        columns[2] = Column("rpm")
        yield Table(f"Resonances of {self.title}", columns, rows)

    def picture(self) -> Picture:
        """The map, amplitude on a logarithmic scale."""
        floor = 1e-4 * float(np.nanmax(self.amplitude[:, 1:])) or 1.0
        levels = np.log10(np.maximum(self.amplitude, floor))
        axes = Curve("", self.order, self.speed_rpm)
        return Picture(
            "order [-]", f"speed of {self.shaft} [rpm]", [axes], levels, f"log10 of the amplitude in {self.unit}"
        )


def orders(
    result: Any, channel: str | None = None, shaft: str | None = None, revolutions: int | None = None
) -> OrderMap:
    """Order map of a channel over a shaft's turns, and its resonances; the run has to change its speed.

    Parameters
    ----------
    result : a path, Result or Run; what the case discards is left out
    channel : ``element.quantity``; default: the largest tooth load, else the largest load of another kind
    shaft : body whose turns count; default: the input
    revolutions : turns per block of the map; default: as many as the lowest mesh order passes a mode in, 2 to 16

    Raises OrderError for a channel, shaft or speed that is not there, or a shaft that hardly changes its speed.
    """
    path = result_file_of(result)
    with reading(path), Result.open(path) as opened:
        model = modal_of_result(opened.attributes)
    return order_map_of(path, channel, shaft, revolutions, model)


def order_map_of(
    path: Any,
    channel: str | None = None,
    shaft: str | None = None,
    revolutions: int | None = None,
    model: Mapping[str, Attribute] | None = None,
) -> OrderMap:
    """As :func:`orders`, with modes and Campbell diagram of the result as JSON that somebody has already."""
    return OrderMap(**vars(orders_of_result(path, channel, shaft, revolutions, model)))
