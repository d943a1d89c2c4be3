"""Power spectral densities of channels of a result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.errors import InputError
from gearwright.results import Result
from gearwright.units import optional

from .base import Analysis, Column, Picture, Table, result_file_of
from .picture import Curve

Float = NDArray[np.float64]
#: largest lines of a channel in the table
_LINES = 5


@dataclass(frozen=True, repr=False, eq=False)
class Spectra(Analysis):
    """Power spectral density by channel over ``frequency`` [Hz], in the square of the channel's unit per Hz; ``methods`` say how."""

    name: str
    frequency: Float
    density: Mapping[str, Float]
    units: Mapping[str, str]
    methods: Mapping[str, str]

    def shown(self) -> Iterator[Table | str]:
        """The largest peaks of every channel."""
        for channel, density in self.density.items():
            inner = density[1:-1]
            peaks = np.flatnonzero((inner > density[:-2]) & (inner >= density[2:])) + 1
            largest = peaks[np.argsort(-density[peaks])][:_LINES]
            rows = [[float(self.frequency[i]), float(density[i])] for i in largest]
            yield Table(
                f"Peaks of {channel}",
                [Column("frequency", "Hz", 5), Column("density", f"({self.units[channel]})^2/Hz")],
                rows,
            )
            yield self.methods[channel]

    def picture(self) -> Picture:
        """Density over frequency."""
        curves = [Curve(name, self.frequency[1:], density[1:]) for name, density in self.density.items()]
        return Picture("frequency [Hz]", "power spectral density", curves, logarithmic=True)


def spectra(result: Any, channels: str | Sequence[str], *, segment: float | str | None = None) -> Spectra:
    """Power spectral densities of stored series of a result.

    Parameters
    ----------
    result : a path, Result or Run
    channels : ``element.quantity``, one or several
    segment : length of Welch's segments [s, or text with a unit]; default: an eighth of the record

    Raises InputError without a channel, ResultError for one that is not there.
    """
    names = [channels] if isinstance(channels, str) else list(channels)
    if not names:
        raise InputError("spectra needs a channel, such as 'main.torque'")
    length = optional(segment, "time", "segment")
    path = result_file_of(result)
    with Result.open(path) as opened:
        found = {name: opened.psd(name, segment=length) for name in names}
        units = {name: str(opened.series(name).attrs.get("units", "")) for name in names}
    first = next(iter(found.values()))
    density = {name: np.asarray(s.value) for name, s in found.items()}
    return Spectra(
        path.stem, np.asarray(first.frequency), density, units, {name: s.method for name, s in found.items()}
    )
