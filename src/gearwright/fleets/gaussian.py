"""Gaussian processes of a few hundred points: a smooth function of several features with noise, and its error bar.

Squared exponential with a length for each feature, constant mean, white noise; lengths, size and noise by the largest marginal likelihood.
Source: Rasmussen and Williams, Gaussian Processes for Machine Learning (2006), algorithms 2.1 and 5.1, equation 5.12.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize
from threadpoolctl import threadpool_limits

from gearwright.arrays import Float

#: bounds of the logarithms: lengths in standard deviations of a feature, noise over size
_LENGTHS, _NOISE = (-1.5, 4.0), (-6.0, 0.5)


@dataclass(frozen=True)
class Shape:
    """Lengths (d,) in units of the features, noise (standard deviation over that of the function)."""

    lengths: Float
    noise: float


@dataclass(frozen=True)
class Process:
    """A fitted process: points (n, d) and weights; ``predict`` gives mean and standard deviation of new observations, noise included."""

    shape: Shape
    points: Float
    mean: float
    weights: Float
    inverse: Float
    size: float

    @classmethod
    def fitted(cls, points: Float, values: Float, shape: Shape) -> Process:
        """With given lengths and noise; the size follows from the values."""
        covariance = kernel(points, points, shape.lengths) + (shape.noise**2 + 1e-10) * np.eye(len(points))
        inverse = np.asarray(np.linalg.inv(covariance), float)
        mean = float(inverse.sum(axis=0) @ values / inverse.sum())
        weights = inverse @ (values - mean)
        size = math.sqrt(max(float((values - mean) @ weights) / len(values), 1e-300))
        return cls(shape, points, mean, weights, inverse, size)

    def predict(self, points: Float) -> tuple[Float, Float]:
        """Mean and standard deviation (k,) at points (k, d)."""
        across = kernel(points, self.points, self.shape.lengths)
        variance = 1.0 + self.shape.noise**2 - np.einsum("ij,jk,ik->i", across, self.inverse, across, optimize=True)
        return self.mean + across @ self.weights, self.size * np.sqrt(np.maximum(variance, self.shape.noise**2))

    def left_out(self, values: Float) -> tuple[Float, Float]:
        """Mean and standard deviation (n,) at every point by a process that does not know it."""
        diagonal = np.diag(self.inverse)
        return values - self.weights / diagonal, self.size / np.sqrt(diagonal)


def kernel(one: Float, other: Float, lengths: Float) -> Float:
    """Squared exponential (n, m)."""
    a, b = one / lengths, other / lengths
    squares = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1)[None, :] - 2.0 * a @ b.T
    return np.asarray(np.exp(-0.5 * np.maximum(squares, 0.0)))


def best_shape(points: Float, values: Float) -> Shape:
    """Lengths and noise of the largest marginal likelihood, from features of unit deviation; the size is taken out of it in closed form."""
    n, d = points.shape
    about = values - values.mean()

    def lack(x: Float) -> tuple[float, Float]:
        lengths, noise = np.exp(x[:d]), np.exp(2.0 * x[d])
        k = kernel(points, points, lengths)
        factor = cho_factor(k + (noise + 1e-10) * np.eye(n), lower=True)
        weights = cho_solve(factor, about)
        size = about @ weights / n
        inverse = cho_solve(factor, np.eye(n))
        inner = np.outer(weights, weights) / size - inverse
        slopes = np.empty(d + 1)
        for i in range(d):
            squares = (points[:, i, None] - points[None, :, i]) ** 2 / lengths[i] ** 2
            slopes[i] = -0.5 * np.sum(inner * k * squares)
        slopes[d] = -np.trace(inner) * noise
        return 0.5 * n * np.log(size) + float(np.log(np.diag(factor[0])).sum()), slopes

    start = np.r_[np.full(d, 1.0), -1.5]
    bounds = [_LENGTHS] * d + [_NOISE]
    with threadpool_limits(1):  # threads of small matrices wait for each other
        found = minimize(lack, start, jac=True, bounds=bounds, method="L-BFGS-B", options={"maxiter": 200})
    return Shape(np.exp(found.x[:d]), float(np.exp(found.x[d])))
