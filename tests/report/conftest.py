"""One result file for all tests of the report."""

from __future__ import annotations

from pathlib import Path

import pytest
import report_samples as samples
from report_samples import grc


@pytest.fixture(scope="session")
def sample(tmp_path_factory) -> Path:
    """A run of 60 s at 200 Hz, stored at 40 Hz."""
    return samples.write_result(tmp_path_factory.mktemp("report") / "sample.nc", grc())
