"""A recorded series as a signal: what the samples hold is kept, between them too."""

import math

import numpy as np
import pytest

from gearwright.errors import DrivetrainError
from gearwright.running.overtime import Recordings, band_limited, to_signal
from gearwright.schema.values import OverTime
from gearwright.system import signals


def test_hermite_repeats_a_cubic_exactly():
    rng = np.random.default_rng(3)
    x = np.sort(rng.uniform(0, 4, 7))
    polynomial = np.polynomial.Polynomial([1.0, -2.0, 0.3, 0.7])
    signal = signals.hermite(x, polynomial(x), polynomial.deriv()(x))
    t = np.linspace(x[0], x[-1], 200)
    np.testing.assert_allclose(signal(t), polynomial(t), rtol=1e-12)
    assert signal([x[0] - 1, x[-1] + 1]) == pytest.approx(polynomial(x[[0, -1]]))


@pytest.mark.parametrize("share", [0.1, 0.5, 0.8, 1.0])
def test_band_limited_series_between_its_samples(share):
    """Cosines about the start repeat under the mirror, so the interpolant is known in closed form."""
    count, step = 65, 0.25
    time = np.arange(count) * step
    frequency = round(share * (count - 1)) / (2 * (count - 1) * step)
    signal = band_limited(time, 3 + 2 * np.cos(2 * math.pi * frequency * time))
    t = np.linspace(0, time[-1], 4001)
    # cubics on a grid 8 times finer: (2 pi f h)^4 / 384 of the amplitude
    allowed = 2 * (2 * math.pi * frequency * step / 8) ** 4 / 384 + 1e-12
    assert np.abs(signal(t) - 3 - 2 * np.cos(2 * math.pi * frequency * t)).max() <= 1.01 * allowed


def test_band_limited_refuses_an_uneven_series(tmp_path):
    (tmp_path / "a.csv").write_text("time (s),Torque (N m)\n0,1\n1,2\n3,3\n4,5\n")
    item = OverTime[float].model_validate(
        {"file": {"path": "a.csv", "channel": "Torque", "interpolation": "band_limited"}}
    )
    with pytest.raises(DrivetrainError, match="needs a uniform series, cubic or linear do not"):
        to_signal(item, Recordings(lambda name: tmp_path / name), dimension="torque")
