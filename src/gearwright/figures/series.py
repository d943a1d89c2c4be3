"""Time series on the page: compact, and without losing a peak.

A channel is stored as 16-bit integers in blocks, each block with its own offset and step, so that the error is at
most 1/130000 of the range *within the block*. If all channels in full would make the page too large, they are kept
as minimum and maximum of short buckets, and in full within windows about the extremes.
"""

from __future__ import annotations

import base64
import math

import numpy as np
from numpy.typing import NDArray

from gearwright.schema.places import JSON

Array = NDArray[np.float64]
BLOCK = 2048
_STEPS = 65534  # 65535 marks a gap
#: Characters of base64 that all time series of a page may take.
BUDGET = 1_350_000
_PER_SAMPLE = 8.0 / 3.0


def float32(values: Array | list[float]) -> dict[str, str]:
    """An array for a figure, as base64 of little-endian float32."""
    return {"f32": base64.b64encode(np.asarray(values, dtype="<f4").tobytes()).decode()}


def float64(values: Array) -> dict[str, str]:
    """An array that must stay exact (times), as base64 of little-endian float64."""
    return {"f64": base64.b64encode(np.asarray(values, dtype="<f8").tobytes()).decode()}


def quantised(values: Array) -> dict[str, JSON]:
    """16-bit blocks: ``low`` and ``step`` per block of :data:`BLOCK` values, ``q`` the integers; 65535 is a gap."""
    count = len(values)
    blocks = max(-(-count // BLOCK), 1)
    padded = np.full(blocks * BLOCK, np.nan)
    padded[:count] = np.where(np.isfinite(values), values, np.nan)
    table = padded.reshape(blocks, BLOCK)
    gap = np.isnan(table)
    low = np.where(gap, np.inf, table).min(axis=1)
    high = np.where(gap, -np.inf, table).max(axis=1)
    empty = gap.all(axis=1)
    low[empty], high[empty] = 0.0, 0.0
    step = (high - low) / _STEPS
    safe = np.where(step > 0.0, step, 1.0)
    q = np.where(gap, 65535, np.rint((np.where(gap, 0.0, table) - low[:, None]) / safe[:, None]))
    return {
        "n": count,
        "block": BLOCK,
        "low": float64(low),
        "step": float64(step),
        "q": base64.b64encode(q.reshape(-1)[:count].astype("<u2").tobytes()).decode(),
    }


def buckets(values: Array, size: int) -> Array:
    """Minimum and maximum of every ``size`` values, alternating; the last bucket may be short."""
    count = -(-len(values) // size)
    padded = np.full(count * size, np.nan)
    padded[: len(values)] = values
    table = padded.reshape(count, size)
    gap = np.isnan(table)
    pairs = np.empty((count, 2))
    pairs[:, 0] = np.where(gap, np.inf, table).min(axis=1)
    pairs[:, 1] = np.where(gap, -np.inf, table).max(axis=1)
    pairs[~np.isfinite(pairs)] = np.nan
    return pairs.reshape(-1)


class Store:
    """Channels of a page and how densely they are kept.

    Parameters
    ----------
    times : of the stored series [s]
    channels : how many channels the page will have
    budget : characters of base64 for all of them
    """

    def __init__(self, times: Array, channels: int, budget: int = BUDGET) -> None:
        self.times = times
        self.payload: dict[str, JSON] = {}
        full = len(times) * channels * _PER_SAMPLE
        self.bucket = 1 if full <= budget else math.ceil(2.0 * full / (0.8 * budget))
        self.window = 0
        if self.bucket > 1:
            self.window = int(0.2 * budget / _PER_SAMPLE / max(channels, 1))
        steps = np.diff(times)
        self.step = float((times[-1] - times[0]) / (len(times) - 1)) if len(times) > 1 else 0.0
        self.even = len(times) < 2 or bool(np.allclose(steps, self.step, rtol=1e-6, atol=1e-9 * abs(times[-1])))

    def axis(self) -> dict[str, JSON]:
        """Where the samples stand in time."""
        if self.even:
            return {"start": float(self.times[0]) if len(self.times) else 0.0, "step": self.step}
        return {"times": float64(self.times)}

    def add(self, key: str, values: Array, focus: float | None = None) -> str:
        """Keep a channel (units of the screen); in full about ``focus`` [s] where the page cannot hold all of it."""
        record: dict[str, JSON] = {"bucket": self.bucket, "count": len(values)}
        record["data"] = quantised(values if self.bucket == 1 else buckets(values, self.bucket))
        if self.window:
            middle = len(values) // 2
            if focus is not None and math.isfinite(focus):
                middle = int(np.searchsorted(self.times, focus))
            start = max(min(middle - self.window // 2, len(values) - self.window), 0)
            record["detail"] = {"from": start, "data": quantised(values[start : start + self.window])}
        self.payload[key] = record
        return key

    def add_envelope(self, key: str, times: Array, low: Array, high: Array) -> str:
        """Keep lows and highs on their own coarse times."""
        self.payload[key] = {"times": float32(times), "low": float32(low), "high": float32(high)}
        return key

    def sentence(self) -> str:
        """How the page keeps its series, for the reader."""
        rate = 1.0 / self.step if self.step else 0.0
        if self.bucket == 1:
            return f"The page holds every stored sample ({rate:.6g} per second): zoom in to see them."
        return (
            f"Stored at {rate:.6g} samples per second; the page holds minimum and maximum of every "
            f"{self.bucket * self.step * 1e3:.4g} ms, and every sample within {self.window * self.step:.4g} s about "
            "each figure's largest value. The result file holds all of them."
        )
