"""What modes of a train and of a mechanism show alike: a row a mode, and frequencies over damping."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .base import Analysis, Column, Picture, Table
from .picture import Curve


@dataclass(frozen=True, repr=False, eq=False)
class ModeList(Analysis):
    """Modes: ``frequencies_hz``, ``damping_ratios``, ``kinds``, ``energies`` by element or body; ``energy`` says which energy."""

    frequencies_hz: Any
    damping_ratios: Any
    kinds: Sequence[str]
    energies: Sequence[Mapping[str, float]]
    energy = "strain"

    def shown(self) -> Iterator[Table | str]:
        """Frequency, damping, kind, and the two elements with most energy."""
        rows = []
        for i, (f, z) in enumerate(zip(self.frequencies_hz, self.damping_ratios, strict=True)):
            share = sorted(self.energies[i].items(), key=lambda item: -item[1])[:2]
            where = ", ".join(f"{name} {100 * value:.0f} %" for name, value in share)
            rows.append([i + 1, float(f), float(z), self.kinds[i], where])
        columns = [
            "mode",
            Column("frequency", "Hz", 6),
            Column("damping", "%"),
            "kind",
            f"{self.energy} energy in",
        ]
        yield Table(f"Modes of {self.title}", columns, rows)

    @property
    def title(self) -> str:
        """Name, fidelity and law."""
        facts = (getattr(self, key) for key in ("name", "fidelity", "law"))
        return "{} ({}, {})".format(*facts)

    def picture(self) -> Picture | str:
        """Damping over frequency, elastic modes."""
        f, z = np.asarray(self.frequencies_hz, float), 100.0 * np.asarray(self.damping_ratios, float)
        elastic = np.isfinite(z) & (f > 0.0)
        if not elastic.any():
            return "there is no elastic mode"
        return Picture(
            "frequency [Hz]", "damping [%]", [Curve("modes", f[elastic].tolist(), z[elastic].tolist(), "points")]
        )

    def __repr__(self) -> str:
        listed = ", ".join(f"{f:.4g}" for f in self.frequencies_hz[:8])
        more = ", ..." if len(self.frequencies_hz) > 8 else ""
        return f"{type(self).__name__}({len(self.frequencies_hz)} modes: {listed}{more} Hz)"
