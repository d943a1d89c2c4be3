"""Probability of failure: FORM (HL-RF of our own, and openturns), sampling as a check, and series systems; shares of
variance by openturns.

Every variable goes through its standard normal score: ``x_i = F_i^-1(Phi(z_i))``, ``z = L u`` with the Cholesky factor
of their correlation. Source: S1 section 6.10; Hasofer and Lind (1974), Rackwitz and Fiessler (1978); Ditlevsen (1979).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from .limit_state import LimitState, ReliabilityError, Variable

Float = NDArray[np.float64]


class Space:
    """A limit state in standard normal space."""

    def __init__(self, state: LimitState):
        self.state = state
        self.marginals = [v.frozen() for v in state.variables.values()]
        self.lower = np.linalg.cholesky(state.scores)
        self.evaluations = 0

    def point(self, u: Float) -> Float:
        """Values of the variables (..., n) at ``u`` (..., n)."""
        z = u @ self.lower.T
        x = np.empty_like(z)
        for i, marginal in enumerate(self.marginals):
            # both tails keep their digits: the upper one through the survival function
            zi = z[..., i]
            x[..., i] = np.where(zi > 0.0, marginal.isf(ndtr(-zi)), marginal.ppf(ndtr(zi)))
        return x

    def value(self, u: Float) -> Float:
        """g at ``u`` (..., n)."""
        self.evaluations += int(np.prod(u.shape[:-1], initial=1))
        return self.state.value(self.point(u))

    def slope(self, u: Float, step: float = 1e-4) -> tuple[float, Float]:
        """g and its gradient at ``u`` (n,), by central differences."""
        n = len(u)
        moved = np.concatenate([u[None, :], u + step * np.eye(n), u - step * np.eye(n)])
        g = self.value(moved)
        if not np.isfinite(g).all():
            raise ReliabilityError(f"limit state '{self.state.name}' is not finite near {self._words(u)}")
        return float(g[0]), (g[1 : n + 1] - g[n + 1 :]) / (2.0 * step)

    def _words(self, u: Float) -> str:
        return ", ".join(f"{k} {v:.6g}" for k, v in zip(self.state.names, self.point(u), strict=True))


@dataclass(frozen=True)
class Form:
    """What FORM finds.

    ``beta`` reliability index (negative if the mean point fails), ``probability`` of failure Phi(-beta); ``alpha``
    direction of the design point in independent standard space by variable (unit length, positive: a larger value
    fails; S1 prints its magnitudes as importance factors), ``design`` the design point; ``engine`` openturns or hlrf.
    """

    beta: float
    probability: float
    alpha: dict[str, float]
    design: dict[str, float]
    evaluations: int
    iterations: int
    engine: str

    @property
    def importance(self) -> dict[str, float]:
        """Squares of ``alpha``: shares of the variance, their sum is 1."""
        return {name: a * a for name, a in self.alpha.items()}


def _start(space: Space) -> tuple[float, Float]:
    """g and its gradient at the medians. Raises ReliabilityError where there is no slope to follow."""
    g, slope = space.slope(np.zeros(len(space.state.names)))
    if float(np.linalg.norm(slope)) > 1e-9 * abs(g):
        return g, slope
    sides = space.value(np.concatenate([s * np.eye(len(slope)) for s in (3.0, -3.0)]))
    if np.all(np.abs(sides - g) <= 1e-9 * abs(g)):
        raise ReliabilityError(f"limit state '{space.state.name}' does not change with its variables")
    raise ReliabilityError(
        f"limit state '{space.state.name}' has no slope at the medians of its variables ({space._words(np.zeros(len(slope)))}), as one that is "
        "symmetric about them (x^2, abs(x)): FORM has no direction to go. Write each side as a limit state of its own (x < limit, -x < "
        "limit) in one file, which adds them up as a series, or shift a variable"
    )


def hlrf(state: LimitState, tolerance: float = 1e-7, most: int = 200) -> Form:
    """FORM by the iteration of Hasofer, Lind, Rackwitz and Fiessler with a step rule (Zhang and Der Kiureghian 1995).

    Raises ReliabilityError if it does not converge or the limit state is flat.
    """
    space = Space(state)
    u = np.zeros(len(state.names))
    g, slope = _start(space)
    scale = abs(g) if g != 0.0 else 1.0
    mean_fails = g < 0.0
    for iteration in range(1, most + 1):
        norm = float(np.linalg.norm(slope))
        if norm == 0.0:
            raise ReliabilityError(
                f"limit state '{state.name}' does not change with its variables near {space._words(u)}"
            )
        direction = (slope @ u - g) / norm**2 * slope - u
        # a merit function that falls along the direction bounds the step
        penalty = 2.0 * max(float(np.linalg.norm(u)) / norm, 1e-12) + 10.0 / norm
        before = 0.5 * float(u @ u) + penalty * abs(g)
        part = 1.0
        while True:
            trial = u + part * direction
            g_trial = float(space.value(trial))
            if math.isfinite(g_trial) and 0.5 * float(trial @ trial) + penalty * abs(g_trial) < before or part < 1e-4:
                break
            part *= 0.5
        u = trial
        g, slope = space.slope(u)
        norm = float(np.linalg.norm(slope))
        unit = slope / norm if norm > 0.0 else slope
        across = u - (u @ unit) * unit
        if abs(g) <= tolerance * scale and float(np.linalg.norm(across)) <= 1e-5 * max(1.0, float(np.linalg.norm(u))):
            return _form(space, u, unit, -1.0 if mean_fails else 1.0, iteration, "hlrf")
    raise ReliabilityError(
        f"FORM of '{state.name}' did not converge in {most} steps; check that it fails anywhere near {space._words(u)}"
    )


def _form(space: Space, u: Float, unit: Float, sign: float, iterations: int, engine: str) -> Form:
    beta = sign * float(np.linalg.norm(u))
    names = space.state.names
    design = {k: float(v) for k, v in zip(names, space.point(u), strict=True)}
    alpha = {k: float(-a) for k, a in zip(names, unit, strict=True)}
    return Form(beta, float(ndtr(-beta)), alpha, design, space.evaluations, iterations, engine)


def has_openturns() -> bool:
    """Whether openturns can be imported."""
    from importlib.util import find_spec

    return find_spec("openturns") is not None


def openturns_form(state: LimitState) -> Form:
    """FORM by openturns (Abdo and Rackwitz) with its distributions and a normal copula.

    Raises ReliabilityError without the package (extra ``reliability``), or if it does not converge.
    """
    if not has_openturns():
        raise ReliabilityError("openturns is not installed: pip install gearwright[reliability]")
    import openturns as ot

    _start(Space(state))
    marginals = ot.DistributionCollection([_as_openturns(ot, v) for v in state.variables.values()])
    matrix = state.scores
    n = len(state.names)
    if n > 1 and np.any(matrix != np.eye(n)):
        correlation = ot.CorrelationMatrix(n)
        for i in range(n):
            for j in range(i):
                correlation[i, j] = float(matrix[i, j])
        joint = ot.JointDistribution(marginals, ot.NormalCopula(correlation))
    else:
        joint = ot.JointDistribution(marginals)
    count = [0]

    def rows(x: Any) -> Any:
        points = np.asarray(x, float)
        count[0] += len(points)
        return state.value(points)[:, None]

    function = ot.PythonFunction(n, 1, func=lambda x: [float(state.value(np.asarray(x, float)))], func_sample=rows)
    event = ot.ThresholdEvent(ot.CompositeRandomVector(function, ot.RandomVector(joint)), ot.Less(), 0.0)
    solver = ot.AbdoRackwitz()
    start = [float(v.frozen().mean()) for v in state.variables.values()]
    if hasattr(solver, "setMaximumCallsNumber"):
        solver.setMaximumCallsNumber(10_000)
    for name in ("Absolute", "Relative", "Residual", "Constraint"):
        getattr(solver, f"setMaximum{name}Error")(1e-8)
    try:
        solver.setStartingPoint(start)
        found = ot.FORM(solver, event) if _new_form(ot) else ot.FORM(solver, event, start)
        found.run()
        result = found.getResult()
    except (RuntimeError, TypeError) as error:
        words = " ".join(str(error).split())[:120]
        raise ReliabilityError(
            f"FORM of '{state.name}' found no design point. Try the other engine (--engine hlrf), and check that the limit state fails "
            f"anywhere and has no jump ({type(error).__name__} of openturns: {words})"
        ) from None
    u = np.asarray(result.getStandardSpaceDesignPoint(), float)
    space = Space(state)
    length = float(np.linalg.norm(u))
    beta = float(result.getHasoferReliabilityIndex()) * (
        -1.0 if result.getIsStandardPointOriginInFailureSpace() else 1.0
    )
    x = np.asarray(result.getPhysicalSpaceDesignPoint(), float)
    unit = -u / length * math.copysign(1.0, beta) if length > 0.0 else space.slope(u)[1]
    names = state.names
    return Form(
        beta,
        float(ndtr(-beta)),
        {k: float(-a) for k, a in zip(names, unit, strict=True)},
        {k: float(v) for k, v in zip(names, x, strict=True)},
        count[0],
        int(result.getOptimizationResult().getIterationNumber()),
        "openturns",
    )


def _new_form(ot: Any) -> bool:
    """Since 1.25 the starting point belongs to the solver."""
    return tuple(int(p) for p in ot.__version__.split(".")[:2]) >= (1, 25)


def _as_openturns(ot: Any, variable: Any) -> Any:
    p = variable.parameters
    if variable.form == "uniform":
        return ot.Uniform(p["low"], p["high"])
    if variable.form == "weibull":
        scale, shape = variable.weibull
        return ot.WeibullMin(scale, shape, 0.0)
    if variable.form == "gumbel" and "location" in p:
        return ot.Gumbel(p["scale"], p["location"])
    mean, std = variable.moments
    if variable.form == "normal":
        return ot.Normal(mean, std)
    if variable.form == "gamma":
        return ot.Gamma((mean / std) ** 2, mean / std**2, 0.0)
    parameters = ot.LogNormalMuSigma(mean, std, 0.0) if variable.form == "lognormal" else ot.GumbelMuSigma(mean, std)
    return ot.ParametrizedDistribution(parameters)


@dataclass(frozen=True)
class Share:
    """What one variable has of the variance of an output: Sobol indices with their intervals.

    ``first`` alone, ``total`` together with the others; intervals as (low, high).
    """

    first: float
    first_interval: tuple[float, float]
    total: float
    total_interval: tuple[float, float]


def sobol_shares(design: ArrayLike, output: ArrayLike, count: int, *, seed: int = 0, level: float = 0.9) -> list[Share]:
    """Sobol indices of every variable by openturns (Saltelli's estimators, bootstrap of 500).

    Parameters
    ----------
    design : (count (d + 2), d) samples in Saltelli's order: A, B, then A with column j of B for each j
    output : (count (d + 2),) values of the output
    level : confidence of the intervals; ``seed`` of their bootstrap

    Raises ReliabilityError without the package (extra ``reliability``).
    """
    if not has_openturns():
        raise ReliabilityError("openturns is not installed: pip install gearwright[reliability]")
    import openturns as ot

    ot.RandomGenerator.SetSeed(seed)
    y = np.asarray(output, float)
    made = ot.SaltelliSensitivityAlgorithm(ot.Sample(np.asarray(design, float)), ot.Sample(y[:, None]), count)
    made.setUseAsymptoticDistribution(False)
    made.setBootstrapSize(500)
    made.setConfidenceLevel(level)
    first, total = made.getFirstOrderIndicesInterval(), made.getTotalOrderIndicesInterval()
    rows = zip(
        made.getFirstOrderIndices(),
        first.getLowerBound(),
        first.getUpperBound(),
        made.getTotalOrderIndices(),
        total.getLowerBound(),
        total.getUpperBound(),
        strict=True,
    )
    return [Share(float(s), (float(a), float(b)), float(t), (float(c), float(d))) for s, a, b, t, c, d in rows]


def form(state: LimitState, engine: str | None = None) -> Form:
    """FORM: ``engine`` openturns or hlrf; None: openturns where it is installed."""
    if engine not in (None, "openturns", "hlrf"):
        raise ReliabilityError(f"engine must be openturns or hlrf, got '{engine}'")
    use = engine or ("openturns" if has_openturns() else "hlrf")
    return openturns_form(state) if use == "openturns" else hlrf(state)


@dataclass(frozen=True)
class Sampled:
    """A probability by sampling, with its standard error; ``beta`` is -Phi^-1 of it (not a number for none or all)."""

    probability: float
    error: float
    samples: int
    method: str

    @property
    def beta(self) -> float:
        """Generalised reliability index."""
        return float(-ndtri(self.probability)) if 0.0 < self.probability < 1.0 else math.nan


def monte_carlo(state: LimitState, samples: int = 100_000, seed: int = 0) -> Sampled:
    """Plain sampling; its error is ``sqrt(p (1 - p) / N)`` (for no failure at all: 1/N)."""
    space, rng, failed, left = Space(state), np.random.default_rng(seed), 0, _count(samples)
    while left > 0:
        size = min(left, 200_000)
        failed += int(np.count_nonzero(space.value(rng.standard_normal((size, len(state.names)))) < 0.0))
        left -= size
    p = failed / samples
    return Sampled(p, math.sqrt(p * (1.0 - p) / samples) if failed else 1.0 / samples, samples, "monte carlo")


def importance_sampling(
    state: LimitState, samples: int = 100_000, seed: int = 0, around: Form | None = None
) -> Sampled:
    """Sampling about the design point with unit variance (``around``: of which FORM; None: hlrf)."""
    found = around if around is not None else hlrf(state)
    space, rng = Space(state), np.random.default_rng(seed)
    centre = found.beta * np.array([found.alpha[name] for name in state.names])
    total = square = 0.0
    left = _count(samples)
    while left > 0:
        size = min(left, 200_000)
        u = centre + rng.standard_normal((size, len(centre)))
        weight = np.where(space.value(u) < 0.0, np.exp(0.5 * centre @ centre - u @ centre), 0.0)
        total, square, left = total + float(weight.sum()), square + float(weight @ weight), left - size
    p = total / samples
    return Sampled(p, math.sqrt(max(square / samples - p * p, 0.0) / samples), samples, "importance sampling")


def _count(samples: int) -> int:
    if samples < 100:
        raise ReliabilityError(f"{samples} samples say nothing: at least 100")
    return samples


def sweep(
    state: LimitState, constant: str, values: Sequence[float], engine: str | None = None
) -> list[tuple[float, Form]]:
    """FORM over values of one constant (the rating C of S1 Fig. 6-5)."""
    return [(float(v), form(state.changed(**{constant: float(v)}), engine)) for v in values]


@dataclass(frozen=True)
class Series:
    """A series system: it fails when any part does.

    ``probability`` of the multinormal of the linearised limit states; ``low, high`` Ditlevsen's bounds; ``independent``
    as if the parts had nothing in common; ``correlation`` (parts, parts) between the safety margins.
    """

    names: tuple[str, ...]
    forms: tuple[Form, ...]
    probability: float
    low: float
    high: float
    independent: float
    correlation: Float

    @property
    def beta(self) -> float:
        """Reliability index of the system."""
        return float(-ndtri(self.probability))


def series_system(states: Sequence[LimitState], engine: str | None = None) -> Series:
    """A series of limit states; variables of the same name are the same quantity.

    Raises ReliabilityError if one name means two distributions, or correlations across the parts are given.
    """
    if not states:
        raise ReliabilityError("a series system needs at least one limit state")
    known: dict[str, Variable] = {}
    for state in states:
        for name, variable in state.variables.items():
            if known.setdefault(name, variable) != variable:
                raise ReliabilityError(f"variable '{name}' has two distributions in the series")
    names = list(known)
    forms = tuple(form(s, engine) for s in states)
    # directions in one independent space: the Cholesky factor of each part is undone by its own correlation
    directions = []
    for state, found in zip(states, forms, strict=True):
        alpha = np.array([found.alpha[n] for n in state.names])
        scores = np.linalg.cholesky(state.scores) @ alpha  # of the standard normal scores z
        row = np.zeros(len(names))
        row[[names.index(n) for n in state.names]] = np.linalg.solve(state.scores, scores)
        directions.append(row)
    joint = np.eye(len(names))
    for state in states:
        place = [names.index(n) for n in state.names]
        joint[np.ix_(place, place)] = state.scores
    rows = np.array(directions)
    correlation = np.clip(rows @ joint @ rows.T, -1.0, 1.0)
    np.fill_diagonal(correlation, 1.0)
    betas = np.array([f.beta for f in forms])
    single = ndtr(-betas)
    pairs = np.array(
        [[_both(betas[i], betas[j], correlation[i, j]) for j in range(len(betas))] for i in range(len(betas))]
    )
    order = np.argsort(-single)
    low = high = float(single[order[0]])
    for k in range(1, len(order)):
        before = pairs[order[k], order[:k]]
        low += max(0.0, float(single[order[k]] - before.sum()))
        high += float(single[order[k]] - before.max())
    return Series(
        tuple(s.name for s in states),
        forms,
        _any(betas, correlation, low, high),
        low,
        min(high, 1.0),
        float(-np.expm1(np.log1p(-single).sum())),
        correlation,
    )


def _both(one: float, two: float, rho: float) -> float:
    """Probability that two standard normal margins are below -one and -two (Plackett's integral over the correlation)."""
    from scipy.integrate import quad

    if rho >= 1.0 - 1e-12:
        return float(ndtr(-max(one, two)))
    if rho <= -1.0 + 1e-12:
        return float(max(0.0, ndtr(-one) - ndtr(two)))

    def density(angle: float) -> float:
        s, c = math.sin(angle), math.cos(angle)
        return math.exp(-(one * one + two * two - 2.0 * one * two * s) / (2.0 * c * c))

    found = quad(density, 0.0, math.asin(rho), epsabs=0.0, epsrel=1e-10, limit=200)[0]
    return float(ndtr(-one) * ndtr(-two) + found / (2.0 * math.pi))


def _any(betas: Float, correlation: Float, low: float, high: float) -> float:
    """Probability that any of several margins fails: the multinormal, kept inside Ditlevsen's bounds."""
    from scipy.stats import multivariate_normal

    if len(betas) == 1 or high - low <= 1e-12 * high:
        return high
    if len(betas) == 2:
        return low  # two parts: the bounds meet but for rounding
    with np.errstate(all="ignore"):
        safe = float(
            multivariate_normal.cdf(
                betas, cov=correlation, allow_singular=True, maxpts=2_000_000, abseps=1e-4 * high, releps=0.0
            )
        )
    return min(max(1.0 - safe, low), high)
