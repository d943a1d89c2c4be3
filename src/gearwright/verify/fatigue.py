"""Counting and equivalent loads: LIT.8.1 to 8.4."""

from __future__ import annotations

import numpy as np

from .framework import REGISTRY

literature = REGISTRY.literature

_SERIES = [-2, 1, -3, 5, -1, 3, -4, 4, -2]


@literature(
    "LIT.8.1", [3, -0.5, 0.5, 4, -1, 0.5, 4, 1, 1, 8, 1, 0.5, 9, 0.5, 0.5, 8, 0, 0.5, 6, 1, 0.5, 10.3040, 9.58741, 8.82000],
    "range, mean, count; equivalent range", "ASTM E1049-85", abs=5e-5,
    note="cycles in order, then the equivalent range of one reference cycle for m = 3, 4, 10",
)  # fmt: skip
def _astm() -> list[float]:
    from gearwright.life import damage_equivalent_range, rainflow

    cycles = rainflow(_SERIES)
    order = sorted(zip(cycles.ranges, cycles.means, cycles.counts, strict=True))
    want = sorted([(3, -0.5, 0.5), (4, -1, 0.5), (4, 1, 1), (8, 1, 0.5), (9, 0.5, 0.5), (8, 0, 0.5), (6, 1, 0.5)])
    if [tuple(map(float, c)) for c in order] != [tuple(map(float, w)) for w in want]:
        return [float(x) for c in order for x in c]
    printed = [(3, -0.5, 0.5), (4, -1, 0.5), (4, 1, 1), (8, 1, 0.5), (9, 0.5, 0.5), (8, 0, 0.5), (6, 1, 0.5)]
    equivalent = [damage_equivalent_range(cycles, m, reference_cycles=1.0) for m in (3, 4, 10)]
    return [float(x) for c in printed for x in c] + equivalent


@literature("LIT.8.2", [5, 9, 3, 4, 10, 2, 5, 11, 4, 3, 10, 6, 4, 8, 1, 12, 4, 7, 2, 12, 1, 9, 4, 6], "reversals",
            "ASTM four-point variant, test data of fatpack", abs=0.0, note="closed cycles, then the residue")  # fmt: skip
def _four_point() -> list[float]:
    from gearwright.life import rainflow

    reversals = [4, 7, 2, 10, 5, 9, 3, 4, 2, 12, 5, 11, 1, 4, 3, 10, 6, 12, 4, 8, 1, 9, 4, 6]
    found = rainflow(reversals, residue="ignore")
    pairs = [float(x) for pair in zip(found.begin, found.end, strict=True) for x in pair]
    return [*pairs, *(float(x) for x in found.residue)]


@literature("LIT.8.3", [9.5106, 10.0], "unit of the series", "closed form 2 A (f/f_eq)^(1/m)", rel=1e-3,
            note="A 5, 1 Hz, m 10, 10 s: from 10 points per period (2 A sin 72 deg), and finely sampled")  # fmt: skip
def _sine() -> list[float]:
    from gearwright.life import damage_equivalent_range, rainflow

    found = []
    for points in (10, 1000):
        t = np.arange(10 * points + 1) / points
        cycles = rainflow(5 * np.sin(2 * np.pi * t), residue="repeat")
        found.append(damage_equivalent_range(cycles, 10, duration=10.0))
    return found


@literature("LIT.8.4", [3.10998, 3.36359, 3.81271, 4.56523], "standard deviations", "Rayleigh ranges", rel=0.02,
            note="m 3, 4, 6, 10; from 4e5 narrow-band cycles: the sampling scatter of m 10 is about 1 %")  # fmt: skip
def _narrow_band() -> list[float]:
    from gearwright.life import damage_equivalent_range, rainflow

    generator = np.random.default_rng(8)
    n, per_cycle = 400_000, 32
    # a narrow-band process: a carrier with a slowly varying complex Gaussian envelope
    slow = n // 50
    envelope = generator.standard_normal((2, slow + 2))
    t = np.arange(n * per_cycle // 8) / per_cycle
    x = np.linspace(0.0, slow / 8, len(t))
    a, b = (np.interp(x, np.arange(slow + 2), e) for e in envelope)
    series = a * np.cos(2 * np.pi * t) + b * np.sin(2 * np.pi * t)
    cycles = rainflow(series / series.std(), residue="half")
    return [damage_equivalent_range(cycles, m, reference_cycles=cycles.total) for m in (3, 4, 6, 10)]
