"""Limit states: uncertain variables, constants, and a function that is negative where a part fails.

As a file::

    name: planet-bearing
    constants: {n: 31.46, C: 2090 kN, p: 10/3, required: 1e5}
    variables:
      P: {normal: {mean: 267.9 kN, cov: 0.0066}}
      chi_aero: {lognormal: {mean: 1, cov: 0.10}}
    limit_state: 1e6 / (60 n) ...        # an expression, or module:function
    correlation: [[P, chi_aero, 0.3]]
    sweep: {C: [1980 kN, 2090 kN]}

In Python the same is :class:`LimitState` with a function of keyword arguments (arrays) in place of the expression.
"""

from __future__ import annotations

import ast
import importlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.errors import DrivetrainError, InputError, Problem, listed, nearest
from gearwright.schema.places import Values
from gearwright.schema.read import parse_file
from gearwright.units import any_si

Float = NDArray[np.float64]

#: parameters of every distribution: ways to give it
DISTRIBUTIONS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "normal": (("mean", "std"), ("mean", "cov")),
    "lognormal": (("mean", "std"), ("mean", "cov")),
    "gumbel": (("mean", "std"), ("mean", "cov"), ("location", "scale")),
    "weibull": (("mean", "std"), ("mean", "cov"), ("scale", "shape")),
    "gamma": (("mean", "std"), ("mean", "cov")),
    "uniform": (("low", "high"),),
}


class ReliabilityError(InputError):
    """A limit state that cannot be: a distribution, an expression, a correlation."""


@dataclass(frozen=True)
class Variable:
    """An uncertain quantity: ``form`` (normal, lognormal, gumbel, weibull, gamma, uniform) and its parameters.

    Parameters are ``mean`` with ``std`` or ``cov`` (standard deviation over mean), ``location`` and ``scale`` of a
    Gumbel distribution of maxima, ``scale`` and ``shape`` of a Weibull distribution from zero, or ``low`` and ``high``.
    """

    form: str
    parameters: Mapping[str, float]

    def __post_init__(self) -> None:
        if self.form not in DISTRIBUTIONS:
            raise ReliabilityError(f"no distribution '{self.form}'; there are {', '.join(DISTRIBUTIONS)}")
        ways = DISTRIBUTIONS[self.form]
        if not any(set(way) == set(self.parameters) for way in ways):
            wanted = ", or ".join(" and ".join(way) for way in ways)
            raise ReliabilityError(
                f"a {self.form} distribution is given by {wanted}, not by {', '.join(self.parameters)}"
            )
        for key, value in self.parameters.items():
            if not math.isfinite(value):
                raise ReliabilityError(f"{key} of a {self.form} distribution is not finite")
            if key in ("std", "cov", "scale", "shape") and not value > 0.0:
                raise ReliabilityError(f"{key} of a {self.form} distribution must be positive, got {value:g}")
        if self.form in ("lognormal", "weibull", "gamma") and not self.parameters.get("mean", 1.0) > 0.0:
            raise ReliabilityError(
                f"the mean of a {self.form} distribution must be positive, got {self.parameters['mean']:g}"
            )
        if self.form == "uniform" and not self.parameters["low"] < self.parameters["high"]:
            raise ReliabilityError("a uniform distribution needs low below high")
        if "cov" in self.parameters and self.parameters["mean"] == 0.0:
            raise ReliabilityError("a cov says nothing of a variable with mean zero: give its std")

    @property
    def moments(self) -> tuple[float, float]:
        """Mean and standard deviation as given; Raises KeyError for other parameters."""
        p = self.parameters
        return p["mean"], p["std"] if "std" in p else p["cov"] * abs(p["mean"])

    def frozen(self) -> Any:
        """The distribution as one of scipy."""
        from scipy import stats

        p = self.parameters
        if self.form == "uniform":
            return stats.uniform(p["low"], p["high"] - p["low"])
        if self.form == "gumbel":
            if "location" in p:
                return stats.gumbel_r(p["location"], p["scale"])
            mean, std = self.moments
            scale = std * math.sqrt(6.0) / math.pi
            return stats.gumbel_r(mean - np.euler_gamma * scale, scale)
        if self.form == "weibull":
            scale, shape = self.weibull
            return stats.weibull_min(shape, scale=scale)
        mean, std = self.moments
        if self.form == "normal":
            return stats.norm(mean, std)
        if self.form == "gamma":
            return stats.gamma((mean / std) ** 2, scale=std**2 / mean)
        spread = math.sqrt(math.log1p((std / mean) ** 2))
        return stats.lognorm(spread, scale=mean * math.exp(-0.5 * spread**2))

    @property
    def weibull(self) -> tuple[float, float]:
        """Scale and shape of a Weibull distribution."""
        if "scale" in self.parameters:
            return self.parameters["scale"], self.parameters["shape"]
        from scipy.optimize import brentq
        from scipy.special import gammaln

        mean, std = self.moments
        wanted = math.log1p((std / mean) ** 2)
        shape = brentq(lambda k: gammaln(1 + 2 / k) - 2 * gammaln(1 + 1 / k) - wanted, 0.05, 1e4)
        return mean / math.gamma(1.0 + 1.0 / shape), float(shape)

    @property
    def words(self) -> str:
        """In words."""
        return f"{self.form}, " + ", ".join(f"{k} {v:.6g}" for k, v in self.parameters.items())


_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "sqrt": np.sqrt,
    "exp": np.exp,
    "log": np.log,
    "log10": np.log10,
    "abs": np.abs,
    "min": np.minimum,
    "max": np.maximum,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "where": np.where,
}
_NODES = (ast.Expression, ast.BinOp, ast.UnaryOp, ast.Call, ast.Name, ast.Constant, ast.Compare, ast.Add, ast.Sub, ast.Mult,
          ast.Div, ast.Pow, ast.USub, ast.UAdd, ast.Load, ast.Lt, ast.LtE, ast.Gt, ast.GtE)  # fmt: skip


@dataclass(frozen=True)
class Expression:
    """Arithmetic over names, checked when it is made: ``+ - * / **``, comparisons, and ``sqrt exp log min where ...``.

    Nothing else of the language is accepted. Raises ReliabilityError.
    """

    text: str
    names: frozenset[str] = frozenset()
    _code: Any = field(default=None, compare=False, repr=False)

    @classmethod
    def of(cls, text: str) -> Expression:
        """From the text."""
        try:
            tree = ast.parse(str(text).strip().replace("^", "**"), mode="eval")
        except SyntaxError as error:
            raise ReliabilityError(f"'{text}' is not an expression ({error.msg})") from None
        names, called = set(), set()
        for node in ast.walk(tree):
            if not isinstance(node, _NODES):
                raise ReliabilityError(
                    f"'{text}': {type(node).__name__} is not allowed; arithmetic and {', '.join(_FUNCTIONS)} are"
                )
            if isinstance(node, ast.Constant) and (
                isinstance(node.value, bool) or not isinstance(node.value, (int, float))
            ):
                raise ReliabilityError(f"'{text}': {node.value!r} is not a number")
            if isinstance(node, ast.Call):
                if not isinstance(node.func, ast.Name) or node.func.id not in _FUNCTIONS or node.keywords:
                    raise ReliabilityError(f"'{text}': only {', '.join(_FUNCTIONS)} can be called")
                called.add(node.func.id)
            elif isinstance(node, ast.Name):
                names.add(node.id)
        return cls(str(text), frozenset(names - called), compile(tree, "<limit state>", "eval"))

    def __call__(self, **values: Any) -> Any:
        with np.errstate(all="ignore"):
            return eval(self._code, {"__builtins__": {}}, {**_FUNCTIONS, **values})  # only nodes checked in `of`


@dataclass(frozen=True)
class LimitState:
    """Failure is ``function(**constants, **variables) < 0``; arrays go in, an array comes out.

    ``correlation`` holds (name, name, value) of the standard normal scores of two variables: the correlation itself of
    normal ones, that of the logarithms of lognormal ones. Raises ReliabilityError for what does not fit together.
    """

    name: str
    variables: Mapping[str, Variable]
    function: Callable[..., Any]
    constants: Mapping[str, float] = field(default_factory=dict)
    correlation: Sequence[tuple[str, str, float]] = ()
    description: str = ""
    text: str = ""

    def __post_init__(self) -> None:
        if not self.variables:
            raise ReliabilityError(f"limit state '{self.name}' has no uncertain variables")
        both = set(self.variables) & set(self.constants)
        if both:
            raise ReliabilityError(f"'{sorted(both)[0]}' is a variable and a constant of '{self.name}'")
        if isinstance(self.function, Expression):
            known = set(self.variables) | set(self.constants)
            unknown = sorted(self.function.names - known)
            if unknown:
                meant = nearest(unknown[0], known)
                raise ReliabilityError(
                    f"limit state '{self.name}' uses '{unknown[0]}', which is neither a variable nor a "
                    f"constant ({', '.join(sorted(known))})" + (f"; did you mean '{meant}'?" if meant else "")
                )
            idle = sorted(set(self.variables) - self.function.names)
            if idle:
                raise ReliabilityError(f"variable '{idle[0]}' does not occur in limit state '{self.name}'")
        np.linalg.cholesky(self.scores)  # refuses what is no correlation

    @property
    def names(self) -> tuple[str, ...]:
        """Variables in order."""
        return tuple(self.variables)

    @property
    def scores(self) -> Float:
        """Correlation matrix of the standard normal scores (n, n)."""
        names = self.names
        found = np.eye(len(names))
        for first, second, value in self.correlation:
            for one in (first, second):
                if one not in names:
                    raise ReliabilityError(f"correlation of '{one}': no such variable; there are {', '.join(names)}")
            if first == second or not -1.0 < value < 1.0:
                raise ReliabilityError(
                    f"correlation of {first} and {second}: two variables and a value between -1 and 1"
                )
            i, j = names.index(first), names.index(second)
            found[i, j] = found[j, i] = value
        if np.linalg.eigvalsh(found).min() <= 1e-12:
            raise ReliabilityError("the correlations contradict each other: their matrix is not positive definite")
        return found

    def value(self, x: Any) -> Float:
        """g at points (..., n) of the variables."""
        x = np.asarray(x, float)
        found = self.function(**self.constants, **{name: x[..., i] for i, name in enumerate(self.names)})
        return np.broadcast_to(np.asarray(found, float), x.shape[:-1])

    def changed(self, **constants: float) -> LimitState:
        """The same with other values of constants. Raises ReliabilityError for one that is not there."""
        for name in constants:
            if name not in self.constants:
                raise ReliabilityError(f"no constant '{name}' in '{self.name}'; there are {', '.join(self.constants)}")
        return replace(self, constants={**self.constants, **constants})


@dataclass(frozen=True)
class LimitFile:
    """What a file holds: limit states (several make a series system), and a sweep of one constant."""

    name: str
    states: tuple[LimitState, ...]
    sweep: Mapping[str, tuple[float, ...]]
    description: str = ""


def shipped() -> list[str]:
    """Names of the limit states that come with the program."""
    return sorted(file.stem for file in (Path(__file__).parent / "examples").glob("*.yaml"))


def read_limit_states(source: str | Path) -> LimitFile:
    """Read a file, or a shipped one by name. Raises ReliabilityError or DrivetrainError (not a readable file)."""
    file = Path(source).expanduser()
    if not file.is_file():
        if str(source) not in shipped():
            raise DrivetrainError.of(
                [
                    Problem(
                        "no such file",
                        "",
                        str(source),
                        "a file, or " + listed(shipped()),
                        nearest(str(source), shipped()),
                    )
                ]
            )
        file = Path(__file__).parent / "examples" / f"{source}.yaml"
    try:
        return limit_states(parse_file(file), file.parent)
    except ReliabilityError as error:
        raise ReliabilityError(f"{file}: {error}") from None


_KEYS = (
    "name",
    "description",
    "source",
    "assumed",
    "constants",
    "variables",
    "limit_state",
    "limit_states",
    "correlation",
    "sweep",
)


def limit_states(raw: Values, folder: Path | None = None) -> LimitFile:
    """Limit states of a mapping as in a file. Raises ReliabilityError."""
    for key in raw:
        if key not in _KEYS:
            meant = nearest(str(key), _KEYS)
            raise ReliabilityError(
                f"unknown key '{key}'; allowed are {', '.join(_KEYS)}" + (f"; did you mean '{meant}'?" if meant else "")
            )
    name = str(raw.get("name", "limit state"))
    constants = {str(k): _number(v, f"constants.{k}") for k, v in _mapping(raw, "constants").items()}
    variables = {str(k): _variable(str(k), v) for k, v in _mapping(raw, "variables").items()}
    given = [key for key in ("limit_state", "limit_states") if key in raw]
    if len(given) != 1:
        raise ReliabilityError("give limit_state (one) or limit_states (name: expression, a series system)")
    functions = {name: raw["limit_state"]} if given == ["limit_state"] else _mapping(raw, "limit_states")
    triples = []
    rows = raw.get("correlation") or ()
    if not isinstance(rows, (list, tuple)):
        raise ReliabilityError("correlation: a list of [name, name, value] is wanted")
    for row in rows:
        if not isinstance(row, (list, tuple)) or len(row) != 3:
            raise ReliabilityError("a correlation is [name, name, value]")
        triples.append((str(row[0]), str(row[1]), _number(row[2], "correlation")))
    states = []
    for key, text in functions.items():
        function = _function(str(text), folder)
        own = variables
        if isinstance(function, Expression):
            own = {k: v for k, v in variables.items() if k in function.names} if len(functions) > 1 else variables
        pairs = [t for t in triples if len(functions) == 1 or (t[0] in own and t[1] in own)]
        states.append(LimitState(str(key), own, function, constants, pairs, str(raw.get("description", "")), str(text)))
    sweep = {}
    for key, values in _mapping(raw, "sweep").items():
        if key not in constants:
            raise ReliabilityError(
                f"sweep of '{key}', which is no constant; there are {', '.join(constants) or 'none'}"
            )
        if not isinstance(values, (list, tuple)) or not values:
            raise ReliabilityError(f"sweep.{key}: a list of values is wanted")
        sweep[str(key)] = tuple(_number(v, f"sweep.{key}") for v in values)
    return LimitFile(name, tuple(states), sweep, str(raw.get("description", "")))


def _mapping(raw: Values, key: str) -> Values:
    found = raw.get(key, {}) or {}
    if not isinstance(found, Mapping):
        raise ReliabilityError(f"{key}: name: value pairs are wanted")
    return found


def _number(value: Any, what: str) -> float:
    """A number, a quantity with unit, or an expression of numbers such as 10/3."""
    found = any_si(value)
    if isinstance(found, str):
        try:
            found = Expression.of(found)()
        except (ReliabilityError, NameError):
            raise ReliabilityError(f"{what}: '{value}' is not a number or a quantity") from None
    if isinstance(found, bool) or not isinstance(found, (int, float)) or not math.isfinite(found):
        raise ReliabilityError(f"{what}: '{value}' is not a number or a quantity")
    return float(found)


def _variable(name: str, value: Any) -> Variable:
    if not isinstance(value, Mapping) or len(value) != 1:
        raise ReliabilityError(f"variables.{name}: a distribution is wanted, such as {{normal: {{mean: 1, cov: 0.1}}}}")
    form, parameters = next(iter(value.items()))
    if not isinstance(parameters, Mapping):
        raise ReliabilityError(f"variables.{name}.{form}: parameters are wanted, such as {{mean: 1, cov: 0.1}}")
    numbers = {str(k): _number(v, f"variables.{name}.{k}") for k, v in parameters.items()}
    try:
        return Variable(str(form), numbers)
    except ReliabilityError as error:
        raise ReliabilityError(f"variables.{name}: {error}") from None


def _function(text: str, folder: Path | None) -> Callable[..., Any]:
    module, colon, name = text.partition(":")
    if not (colon and module.replace(".", "_").isidentifier() and name.isidentifier()):
        return Expression.of(text)
    import sys

    place = str(folder) if folder is not None else None
    if place is not None:
        sys.path.insert(0, place)
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise ReliabilityError(f"limit state '{text}': {error}") from None
    finally:
        if place is not None:
            sys.path.remove(place)
    if not callable(found):
        raise ReliabilityError(f"limit state '{text}' is not a function")
    return found
