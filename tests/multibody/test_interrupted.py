"""A run of a mechanism that is stopped keeps the part before (B14)."""

from pathlib import Path

import numpy as np
import pytest

from gearwright import Result, simulate
from gearwright.train.open import load


def test_the_part_before_is_the_run_up_to_there(tmp_path: Path) -> None:
    def stop(time: float, duration: float) -> None:
        raise KeyboardInterrupt

    file = load("slider-crank", ["cases.0.output_interval=0.01 s"])
    whole, part = tmp_path / "whole.nc", tmp_path / "part.nc"
    simulate(file, duration=45.0, output=whole)
    with pytest.raises(KeyboardInterrupt, match=r"interrupted at .* s; what was computed is in .*part\.nc"):
        simulate(file, duration=45.0, output=part, progress=stop)
    with Result.open(whole) as all_of_it, Result.open(part) as some:
        count = len(some.time)
        assert 1 < count < len(all_of_it.time)
        assert "interrupted at" in str(some.incomplete) and all_of_it.incomplete is None
        np.testing.assert_array_equal(some.time, all_of_it.time[:count])
        np.testing.assert_array_equal(
            some.dataset["body_position_x"].values, all_of_it.dataset["body_position_x"].values[:, :count]
        )
    assert sorted(p.name for p in tmp_path.iterdir()) == ["part.nc", "whole.nc"]
