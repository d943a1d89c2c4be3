"""FORM, sampling and series systems against closed forms and against openturns."""

import math

import numpy as np
import pytest
from scipy import stats

from gearwright.rating.limit_state import Expression, LimitState, ReliabilityError, Variable, limit_states
from gearwright.rating.reliability import (
    form,
    hlrf,
    importance_sampling,
    monte_carlo,
    openturns_form,
    series_system,
    sweep,
)

R = Variable("normal", {"mean": 200, "std": 20})
S = Variable("normal", {"mean": 100, "std": 30})


def linear(name="margin", load="S", variable=S, correlation=()):
    return LimitState(name, {"R": R, load: variable}, Expression.of(f"R - {load}"), correlation=correlation)


@pytest.mark.parametrize("rho", [0.0, 0.5, -0.7])
@pytest.mark.parametrize("engine", ["hlrf", "openturns"])
def test_linear_margin_of_correlated_normals(rho, engine):
    """beta = (mR - mS) / sqrt(sR^2 + sS^2 - 2 rho sR sS)."""
    state = linear(correlation=[("R", "S", rho)] if rho else [])
    want = 100 / math.sqrt(20**2 + 30**2 - 2 * rho * 20 * 30)
    assert form(state, engine).beta == pytest.approx(want, rel=1e-6)


def test_product_of_lognormals_is_exact():
    """ln of a product of lognormals is normal; mean and variance of the logarithms from mean and cov."""
    cov = {"a": 0.1, "b": 0.3}
    state = LimitState("product", {k: Variable("lognormal", {"mean": 1, "cov": c}) for k, c in cov.items()},
                       Expression.of("2 - a * b"))  # fmt: skip
    z = {k: math.log1p(c**2) for k, c in cov.items()}
    want = (math.log(2) + 0.5 * sum(z.values())) / math.sqrt(sum(z.values()))
    assert hlrf(state).beta == pytest.approx(want, rel=1e-6)
    assert openturns_form(state).beta == pytest.approx(want, rel=1e-6)
    # the design point lies on the limit state, and importance sampling agrees (standard error below 1 %)
    found = hlrf(state)
    assert found.design["a"] * found.design["b"] == pytest.approx(2.0, rel=1e-6)
    sampled = importance_sampling(state, 40_000, around=found)
    assert abs(sampled.probability - stats.norm.sf(want)) < 4 * sampled.error < 0.1 * sampled.probability


@pytest.mark.parametrize("form_", ["gumbel", "weibull", "gamma", "uniform"])
def test_own_iteration_and_openturns_agree(form_):
    parameters = {"low": 50, "high": 150} if form_ == "uniform" else {"mean": 100, "std": 30}
    state = linear(variable=Variable(form_, parameters), correlation=[("R", "S", 0.3)])
    one, two = hlrf(state), openturns_form(state)
    assert one.beta == pytest.approx(two.beta, rel=1e-5)
    assert one.alpha["S"] == pytest.approx(two.alpha["S"], abs=1e-3)


@pytest.mark.parametrize("form_", ["normal", "lognormal", "gumbel", "weibull", "gamma"])
def test_distributions_have_the_moments_they_were_given(form_):
    frozen = Variable(form_, {"mean": 3.0, "cov": 0.4}).frozen()
    assert frozen.mean() == pytest.approx(3.0, rel=1e-9)
    assert frozen.std() == pytest.approx(1.2, rel=1e-9)


def test_a_mean_point_that_fails_has_a_negative_index():
    state = LimitState("weak", {"R": R, "S": S}, Expression.of("S - R"))
    assert hlrf(state).beta == pytest.approx(-2.7735, abs=1e-4)
    assert openturns_form(state).beta == pytest.approx(-2.7735, abs=1e-4)
    assert monte_carlo(state, 20_000).probability == pytest.approx(stats.norm.cdf(2.7735), abs=0.002)


def test_series_of_two_equals_the_bivariate_normal():
    """Two margins that share R: P = 2 Phi(-b) - Phi2(-b, -b; rho) with rho = sR^2 / (sR^2 + sS^2)."""
    system = series_system([linear("one"), linear("two", "T")], "hlrf")
    beta, rho = 100 / math.sqrt(1300), 400 / 1300
    both = stats.multivariate_normal(cov=[[1, rho], [rho, 1]]).cdf([-beta, -beta])
    want = 2 * stats.norm.sf(beta) - both
    assert system.correlation[0, 1] == pytest.approx(rho, rel=1e-5)
    # the cdf of scipy is good to about 1e-6 absolute here
    assert system.probability == pytest.approx(want, abs=2e-6)
    assert system.low <= system.probability <= system.high <= system.independent * 1.0001


def test_series_of_four_against_sampling():
    states = [linear(f"part {k}", k, Variable("normal", {"mean": 110, "std": 40})) for k in "ABCD"]
    system = series_system(states, "hlrf")
    rng = np.random.default_rng(1)
    r = rng.normal(200, 20, 400_000)
    failed = np.zeros(len(r), bool)
    for _ in states:
        failed |= r < rng.normal(110, 40, len(r))
    p = failed.mean()
    assert abs(system.probability - p) < 4 * math.sqrt(p / len(r))
    assert system.low <= system.probability <= system.high


def test_sweep_rises_with_the_rating():
    state = LimitState("life", {"P": Variable("normal", {"mean": 1, "cov": 0.1})}, lambda P, C: C / P - 1, {"C": 1.2})
    betas = [f.beta for _, f in sweep(state, "C", [1.2, 1.3, 1.5], "hlrf")]
    # C/P < 1 where P > C: beta = (C - 1) / 0.1
    assert betas == pytest.approx([2.0, 3.0, 5.0], rel=1e-5)


@pytest.mark.parametrize(("edit", "message"), [
    ({"variables": {"R": {"normal": {"mean": 1, "std": 0}}}}, "std of a normal distribution must be positive"),
    ({"variables": {"R": {"lognormal": {"mean": -1, "std": 1}}}}, "mean of a lognormal distribution must be positive"),
    ({"variables": {"R": {"weibul": {"mean": 1, "std": 1}}}}, "there are normal, lognormal"),
    ({"variables": {"R": {"normal": {"mean": 1}}}}, "is given by mean and std, or mean and cov"),
    ({"limit_state": "R - load"}, "neither a variable nor a constant"),
    ({"limit_state": "R - __import__('os').getpid()"}, "only sqrt"),
    ({"limit_state": "R - (lambda: 1)"}, "is not allowed"),
    ({"limit_state": "R -"}, "is not an expression"),
    ({"limit_state": "nowhere_at_all:g"}, "nowhere_at_all"),
    ({"correlation": [["R", "T", 0.5]]}, "no such variable"),
    ({"correlation": [["R", "S", 1.5]]}, "between -1 and 1"),
    ({"sweep": {"D": [1]}}, "which is no constant"),
    ({"constants": {"C": "12 flurbs"}}, "is not a number or a quantity"),
    ({"limt_state": "R"}, "did you mean 'limit_state'"),
])  # fmt: skip
def test_refusals_name_the_place(edit, message):
    raw = {"name": "x", "constants": {"C": "1 kN"}, "limit_state": "R - S + 0 * C",
           "variables": {"R": {"normal": {"mean": 2, "std": 1}}, "S": {"normal": {"mean": 1, "std": 1}}}}  # fmt: skip
    for key, value in edit.items():
        raw[key] = {**raw["variables"], **value} if key == "variables" else value
    with pytest.raises(ReliabilityError, match=message.replace("(", r"\(")):
        limit_states(raw)


def test_what_never_fails_does_not_converge():
    state = LimitState("safe", {"R": R}, Expression.of("1 + exp(-(R/20)**2) + 0 * R"))
    with pytest.raises(ReliabilityError, match="did not converge|does not change"):
        hlrf(state)


@pytest.mark.parametrize("engine", ["hlrf", "openturns"])
def test_a_symmetric_limit_state_is_told_what_to_do(engine):
    """B12. g = 9 - x^2 has no slope at the median; its two sides as a series fail with 2 Phi(-3)."""
    x = {"x": Variable("normal", {"mean": 0, "std": 1})}
    with pytest.raises(ReliabilityError, match="symmetric.*each side as a limit state of its own") as error:
        form(LimitState("both", x, Expression.of("9 - x**2")), engine)
    assert "\n" not in str(error.value) and "Traceback" not in str(error.value) and "openturns" not in str(error.value)
    sides = [LimitState("up", x, Expression.of("3 - x")), LimitState("down", x, Expression.of("3 + x"))]
    assert series_system(sides, engine).probability == pytest.approx(2 * stats.norm.sf(3.0), rel=1e-6)


@pytest.mark.parametrize("engine", ["hlrf", "openturns"])
def test_a_constant_limit_state_is_named(engine):
    with pytest.raises(ReliabilityError, match="does not change with its variables"):
        form(LimitState("flat", {"x": Variable("normal", {"mean": 1, "std": 1})}, Expression.of("9 + 0 * x")), engine)


def test_bounds_of_a_series_are_called_those_of_form(capsys, tmp_path):
    """C51: FORM's planes fail with another probability than the limit states themselves; the line says whose bounds it shows."""
    from gearwright.commands.life import reliability

    (tmp_path / "two.yaml").write_text(
        "name: two\nvariables: {R: {normal: {mean: 200, std: 20}}, S: {normal: {mean: 100, std: 30}}}\n"
        "limit_states: {one: R - S, again: 2 * R - 2 * S}\n"
    )
    reliability(str(tmp_path / "two.yaml"), samples=1000, seed=0, engine="hlrf", json=False)
    assert "bounds of FORM" in capsys.readouterr().out
