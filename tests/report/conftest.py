"""One result file for all tests of the report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import report_samples as samples
import report_trains as trains

from gearwright.train.train import Train


def grc() -> Train:
    """The GRC train with its ratios."""
    train = trains.three_stage()
    return replace(train, ratios=samples.ratios(train))


@pytest.fixture(scope="session")
def sample(tmp_path_factory) -> Path:
    """A run of 60 s at 200 Hz, stored at 40 Hz."""
    return samples.write_result(tmp_path_factory.mktemp("report") / "sample.nc", grc())
