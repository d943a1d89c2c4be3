"""Time series on the page: what is kept and how exactly."""

from __future__ import annotations

import base64

import numpy as np
import pytest

from gearwright.figures.series import BLOCK, Store, buckets, quantised


def decoded(data: dict) -> np.ndarray:
    """What the page makes of a quantised channel, written anew."""
    q = np.frombuffer(base64.b64decode(data["q"]), "<u2").astype(float)
    low = np.frombuffer(base64.b64decode(data["low"]["f64"]), "<f8")
    step = np.frombuffer(base64.b64decode(data["step"]["f64"]), "<f8")
    block = np.arange(len(q)) // data["block"]
    return np.where(q == 65535, np.nan, low[block] + step[block] * q)


def test_error_is_small_against_the_range_of_each_block():
    """A block of small ripple beside one with a large jump keeps its own resolution; gaps stay gaps."""
    rng = np.random.default_rng(1)
    values = rng.normal(size=3 * BLOCK + 17)
    values[:BLOCK] *= 1e-6
    values[5], values[2 * BLOCK] = np.nan, 1e6
    back = decoded(quantised(values))
    assert np.array_equal(np.isnan(back), np.isnan(values))
    for start in range(0, len(values), BLOCK):
        part, got = values[start : start + BLOCK], back[start : start + BLOCK]
        span = np.nanmax(part) - np.nanmin(part)
        assert np.nanmax(np.abs(part - got)) <= 0.5001 * span / 65534
        assert np.nanmax(got) == pytest.approx(np.nanmax(part), rel=1e-12)


def test_constant_and_empty_blocks():
    """No division by a range of zero."""
    assert decoded(quantised(np.full(10, 3.5))) == pytest.approx(np.full(10, 3.5))
    assert np.isnan(decoded(quantised(np.full(10, np.nan)))).all()


def test_buckets_keep_every_peak():
    """Minimum and maximum of each bucket, the short last one included."""
    values = np.random.default_rng(2).normal(size=1003)
    pairs = buckets(values, 10).reshape(-1, 2)
    assert len(pairs) == 101
    for i, (low, high) in enumerate(pairs):
        part = values[10 * i : 10 * i + 10]
        assert (low, high) == (part.min(), part.max())


def test_a_page_that_would_be_too_large_keeps_peaks_and_the_window_about_the_focus():
    """Budget kept; every sample about the focus, minimum and maximum elsewhere."""
    times = np.arange(200_000) * 1e-3
    values = np.sin(times) + 0.1 * np.random.default_rng(3).normal(size=len(times))
    store = Store(times, channels=4, budget=400_000)
    assert store.bucket > 1
    for i in range(4):
        store.add(f"c{i}", values, focus=123.4)
    size = sum(len(c["data"]["q"]) + len(c["detail"]["data"]["q"]) for c in store.payload.values())
    assert size < 400_000
    record = store.payload["c0"]
    kept = decoded(record["data"])
    assert np.nanmax(kept) == pytest.approx(values.max(), abs=1e-4)
    start, detail = record["detail"]["from"], decoded(record["detail"]["data"])
    assert start < 123_400 < start + len(detail)
    assert detail == pytest.approx(values[start : start + len(detail)], abs=1e-4)


def test_uneven_times_are_kept_as_they_are():
    """Equal steps are stored as start and step, others one by one."""
    assert set(Store(np.arange(5) * 0.1, 1).axis()) == {"start", "step"}
    assert set(Store(np.array([0.0, 0.1, 0.3]), 1).axis()) == {"times"}
