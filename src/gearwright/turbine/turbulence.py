"""Turbulence on a polar grid: Veers' method, solved by azimuthal harmonics.

In a homogeneous field the coherence of points on rings depends on the difference of their azimuths only, so
that the matrix of a frequency is block-circulant: one small matrix per azimuthal harmonic is factored instead of
one large matrix per frequency, and the second-order statistics on the grid stay exact.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .model import TurbineError

Float = NDArray[np.floating]

#: integral scales over Lambda_1 and deviations over s1 of the three components (Kaimal, IEC 61400-1)
_SCALES = (8.1, 2.7, 0.66)
_DEVIATIONS = (1.0, 0.8, 0.5)
#: isotropic scale and deviation of the von Karman model over Lambda_1, s1
_KARMAN_SCALE = 3.5


class Field(NamedTuple):
    """``field`` (time, ring, azimuth), ring 0 the hub; lateral and upward components at the hub (time)."""

    field: Float
    lateral: Float
    upward: Float


def spectrum(
    frequency: Float, mean: float, deviation: float, scale: float, kind: str = "kaimal", component: int = 0
) -> Float:
    """One-sided spectral density [m^2/s] of a component (0 along, 1 lateral, 2 upward); ``scale`` is Lambda_1.

    Raises TurbineError for a spectrum other than ``kaimal`` and ``karman``.
    """
    f = np.asarray(frequency, float)
    if kind == "kaimal":
        time = _SCALES[component] * scale / mean
        s = _DEVIATIONS[component] * deviation
        return s**2 * 4.0 * time / (1.0 + 6.0 * f * time) ** (5.0 / 3.0)
    if kind == "karman":
        time = _KARMAN_SCALE * scale / mean
        x = (f * time) ** 2
        if component == 0:
            return deviation**2 * 4.0 * time / (1.0 + 71.0 * x) ** (5.0 / 6.0)
        return deviation**2 * 2.0 * time * (1.0 + 189.0 * x) / (1.0 + 71.0 * x) ** (11.0 / 6.0)
    raise TurbineError(f"spectrum '{kind}' is not one of kaimal, karman")


def coherence(frequency: Float, distance: Float, mean: float, scale: float) -> Float:
    """Coherence of the along-wind component of two points a distance [m] apart (IEC 61400-1)."""
    return np.exp(-12.0 * np.hypot(frequency * distance / mean, 0.12 * distance / (_SCALES[0] * scale)))


def make_field(
    mean: float,
    deviation: float,
    scale: float,
    duration: float,
    interval: float,
    spacing: float,
    rings: int,
    azimuths: int,
    random: np.random.Generator,
    kind: str = "kaimal",
    scaled: bool = False,
) -> Field:
    """A field of at least ``duration`` seconds, periodic in time, on the hub and ``rings`` rings.

    ``scaled`` multiplies the field so that the hub point has exactly the deviation.
    """
    if azimuths % 2 or azimuths < 4:
        raise TurbineError(f"the number of azimuths is even and at least 4, got {azimuths}")
    n = 2 * math.ceil(duration / interval / 2.0)
    f = np.arange(1, n // 2 + 1) / (n * interval)
    df = f[0]
    along = np.zeros((n // 2 + 1, rings + 1, azimuths), complex)
    radius = spacing * np.arange(rings + 1)
    angle = 2.0 * np.pi / azimuths * np.arange(azimuths)
    distance = np.sqrt(
        np.maximum(
            radius[:, None, None] ** 2
            + radius[None, :, None] ** 2
            - 2.0 * radius[:, None, None] * radius[None, :, None] * np.cos(angle),
            0.0,
        )
    )
    half = azimuths // 2
    for begin in range(0, len(f), 256):
        part = f[begin : begin + 256]
        c = np.fft.rfft(coherence(part[:, None, None, None], distance, mean, scale), axis=-1).real
        c = np.moveaxis(c, -1, 1) + 1e-9 * azimuths * np.eye(rings + 1)
        factor = np.linalg.cholesky(c)
        z = random.standard_normal((len(part), azimuths, rings + 1, 2)).view(complex)[..., 0] * math.sqrt(0.5)
        number = np.arange(azimuths)
        number = np.where(number <= half, number, azimuths - number)
        x = (factor[:, number] @ z.view(float).reshape(*z.shape, 2)).copy().view(complex)[..., 0]
        x = np.fft.ifft(x, axis=1) * math.sqrt(azimuths)
        size = np.sqrt(spectrum(part, mean, deviation, scale, kind) * df / 2.0)
        along[1 + begin : 1 + begin + len(part)] = np.moveaxis(x, 1, 2) * size[:, None, None]
    # a complex normal number of unit variance: u = 2 Re sum c exp(i w t), whose variance is the sum of S df
    field = np.fft.irfft(along, n, axis=0) * n
    others = []
    for component in (1, 2):
        z = random.standard_normal((n // 2, 2)).view(complex)[:, 0] * math.sqrt(0.5)
        c = np.zeros(n // 2 + 1, complex)
        c[1:] = np.sqrt(spectrum(f, mean, deviation, scale, kind, component) * df / 2.0) * z
        others.append(np.fft.irfft(c, n) * n)
    if scaled:
        share = deviation / float(np.std(field[:, 0, 0]))
        field *= share
        others = [x * share for x in others]
    return Field(np.ascontiguousarray(field), *others)
