"""Studies: a case of a drivetrain over chosen or drawn values of anything in its file.

A study file::

    name: damping
    drivetrain: nordtank-500kw-two-level      # a file (beside this one) or an example
    case: rated
    vary:
      stages.stage1.ring.phase: {from: 0, to: 1, steps: 21}        # grid
      shafts.main.torsional_stiffness: {normal: [8.7e8 N m/rad, 4e7 N m/rad]}
    method: latin_hypercube                   # grid, latin_hypercube, sobol, monte_carlo, sensitivity
    samples: 64
    seed: 1
    outputs: [main.torque.max, stage1.sun_planet1.force.del_6]
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import Field, JsonValue, ValidationError, model_validator

from gearwright.errors import DrivetrainError, Problem, listed, nearest
from gearwright.results.channels import derived_channels, recorded_channels
from gearwright.running.prepare import prepare
from gearwright.schema.base import Section
from gearwright.schema.campaigns import MOST
from gearwright.schema.case_lookup import find_case
from gearwright.schema.complaints import problems_of
from gearwright.schema.file import Drivetrain
from gearwright.schema.places import Values
from gearwright.schema.read import find, parse_file
from gearwright.system.former import known_channel, present
from gearwright.train.open import load
from gearwright.units import DIMENSIONS, UnitError, in_one_unit, problem, to_si

from .plan import Options, Plan

#: figures of a channel that a study can tabulate; and ``del_m`` for exponents of the case
FIGURES = ("min", "max", "mean", "std", "range")
_SHIPPED = Path(__file__).parent / "examples"
#: distributions whose second number is a shape
_SHAPED = ("lognormal", "weibull")
_FORMS = ("from", "uniform", "normal", "lognormal", "weibull", "gumbel")


class Spread(Section):
    """How a value varies: a list, steps ``from`` .. ``to``, or a distribution.

    ``uniform: [low, high]``, ``normal: [mean, standard deviation]``, ``lognormal: [median, standard deviation of the
    logarithm]``, ``weibull: [scale, shape]``, ``gumbel: [location, scale]`` (of maxima).
    """

    values: list[Any] | None = None
    from_: Any = Field(None, alias="from")
    to: Any = None
    steps: int | None = Field(None, ge=2, le=100_000)
    uniform: tuple[Any, Any] | None = None
    normal: tuple[Any, Any] | None = None
    lognormal: tuple[Any, Any] | None = None
    weibull: tuple[Any, Any] | None = None
    gumbel: tuple[Any, Any] | None = None

    @model_validator(mode="before")
    @classmethod
    def _list(cls, value: Any) -> Any:
        return {"values": list(value)} if isinstance(value, (list, tuple)) else value

    @model_validator(mode="after")
    def _one(self) -> Spread:
        given = [name for name in ("values", "from_", *_FORMS[1:]) if getattr(self, name) is not None]
        if len(given) != 1:
            raise problem(
                "a value varies in exactly one way", "a list, from/to/steps, or one of " + ", ".join(_FORMS[1:])
            )
        if given == ["values"] and not self.values:
            raise problem("the list of values is empty")
        if given == ["from_"] and (self.to is None or self.steps is None):
            raise problem("steps need from, to and steps", "{from: 0, to: 1, steps: 11}")
        if given == ["from_"]:
            self._numbers()
        if given[0] in _FORMS[1:]:
            first, second = self._numbers()[0]
            if given[0] == "uniform" and not first < second:
                raise problem(f"uniform: {first:g} is not below {second:g}")
            if given[0] != "uniform" and not second > 0.0:
                raise problem(f"{given[0]}: the second number must be positive, got {second:g}")
            if given[0] in ("lognormal", "weibull") and not first > 0.0:
                raise problem(f"{given[0]}: the first number must be positive, got {first:g}")
        return self

    @property
    def form(self) -> str:
        """``values``, ``from`` or the name of a distribution."""
        if self.values is not None:
            return "values"
        return "from" if self.from_ is not None else next(f for f in _FORMS[1:] if getattr(self, f) is not None)

    def listed(self) -> list[Any]:
        """Values of a list or of steps. Raises ValueError for a distribution."""
        if self.values is not None:
            return list(self.values)
        if self.form != "from":
            raise ValueError(self.form)
        (first, last), unit = self._numbers()
        return [_quantity(x, unit) for x in np.linspace(first, last, self.steps or 2)]

    def _numbers(self) -> tuple[tuple[float, float], str]:
        """The two numbers of steps or of a distribution, in the unit of the first; shapes have none.

        The unit goes along with every value drawn, to the place in the file that knows which dimension it has.
        """
        form = self.form
        pair = (self.from_, self.to) if form == "from" else getattr(self, form)
        try:
            if form in _SHAPED:
                (first,), unit = in_one_unit(pair[:1])
                return (first, to_si(pair[1], DIMENSIONS["number"])), unit
            (first, second), unit = in_one_unit(pair)
        except UnitError as error:
            raise problem(f"{form}: {error}") from None
        return (first, second), unit

    def quantile(self, u: Any) -> Any:
        """Values at probabilities: of the distribution, of a list as equally likely, of steps as uniform."""
        from scipy import stats

        u = np.asarray(u, float)
        if self.values is not None:
            place = np.minimum((u * len(self.values)).astype(int), len(self.values) - 1)
            return np.array([self.values[i] for i in place.ravel()], object).reshape(place.shape)
        (a, b), unit = self._numbers()
        if self.form == "from":
            return _quantities(a + u * (b - a), unit)
        frozen = {
            "uniform": lambda: stats.uniform(a, b - a),
            "normal": lambda: stats.norm(a, b),
            "lognormal": lambda: stats.lognorm(b, scale=a),
            "weibull": lambda: stats.weibull_min(b, scale=a),
            "gumbel": lambda: stats.gumbel_r(a, b),
        }[self.form]()
        return _quantities(frozen.ppf(u), unit)


def _quantity(value: Any, unit: str) -> Any:
    return f"{float(value)!r} {unit}" if unit else float(value)


def _quantities(values: Any, unit: str) -> Any:
    """Drawn numbers with the unit that they were given in, as text; without one as they are."""
    if not unit:
        return values
    return np.array([_quantity(x, unit) for x in np.ravel(values)], object).reshape(np.shape(values))


class Study(Section):
    """A study file."""

    name: str = Field(min_length=1, pattern=r"^[A-Za-z0-9._-]+$")
    drivetrain: str
    case: str | None = None
    description: str | None = None
    vary: dict[str, Spread] = Field(min_length=1)
    method: Literal["grid", "latin_hypercube", "sobol", "monte_carlo", "sensitivity"] = "grid"
    samples: int | None = Field(None, ge=1, le=MOST)
    seed: int = Field(0, ge=0, le=2**63)
    outputs: list[str] = Field(min_length=1)
    set: dict[str, JsonValue] = {}

    @model_validator(mode="after")
    def _fits(self) -> Study:
        if self.method == "grid":
            if self.samples is not None:
                raise problem("a grid has no samples: it takes every combination")
            for path, spread in self.vary.items():
                if spread.form not in ("values", "from"):
                    raise problem(
                        f"{path}: a grid needs values or steps, not a {spread.form} distribution",
                        "method: latin_hypercube, sobol, monte_carlo, sensitivity",
                    )
            if math.prod(len(s.values) if s.values is not None else s.steps or 2 for s in self.vary.values()) > MOST:
                raise problem(f"this grid makes more than {MOST} runs")
        elif self.samples is None:
            raise problem(f"method {self.method} needs samples")
        if self.method in ("sobol", "sensitivity") and self.samples is not None and self.samples & (self.samples - 1):
            raise problem(
                f"method {self.method} needs a power of two, got {self.samples} samples",
                f"{2 ** math.floor(math.log2(self.samples))} or {2 ** math.ceil(math.log2(self.samples))}",
            )
        return self


def study_examples() -> list[str]:
    """Names of the shipped studies."""
    return sorted(file.stem for file in _SHIPPED.glob("*.yaml"))


def study_file(path: str | Path) -> Path:
    """The file of a study: a path, or the name of a shipped one. Raises DrivetrainError."""
    file = Path(path).expanduser()
    if file.is_file():
        return file
    if str(path) in study_examples():
        return _SHIPPED / f"{path}.yaml"
    known = study_examples()
    raise DrivetrainError.of(
        [Problem("no such study file", "", str(path), "a file, or " + listed(known), nearest(str(path), known))]
    )


def read_study(path: str | Path) -> Study:
    """Read a study: a file, or the name of a shipped one. Raises DrivetrainError with file, place and what is allowed."""
    file = study_file(path)
    raw = parse_file(file)
    try:
        return Study.model_validate(raw)
    except ValidationError as error:
        raise DrivetrainError.of(problems_of(error, raw, Study), str(file)) from None


def samples_of(study: Study) -> list[Values]:
    """Values by path of every run of a study, in their order; the same for the same seed.

    ``sensitivity`` gives Saltelli's design: ``samples`` rows A, as many rows B, and per path the rows of A with that
    path's column from B: ``samples (paths + 2)`` runs in all.
    """
    from scipy.stats import qmc

    paths, spreads = list(study.vary), list(study.vary.values())
    if study.method == "grid":
        return [dict(zip(paths, row, strict=True)) for row in product(*(s.listed() for s in spreads))]
    count, size = study.samples or 1, len(paths)
    if study.method == "latin_hypercube":
        u = qmc.LatinHypercube(size, rng=np.random.default_rng(study.seed)).random(count)
    elif study.method == "sobol":
        u = qmc.Sobol(size, rng=np.random.default_rng(study.seed)).random(count)
    elif study.method == "monte_carlo":
        # one stream per run, so that more samples keep those that were there
        u = np.array([np.random.default_rng([study.seed, i]).random(size) for i in range(count)])
    else:
        both = qmc.Sobol(2 * size, rng=np.random.default_rng(study.seed)).random(count)
        a, b = both[:, :size], both[:, size:]
        mixed = [np.where(np.arange(size) == j, b, a) for j in range(size)]
        u = np.vstack([a, b, *mixed])
    u = np.clip(u, 1e-12, 1 - 1e-12)
    columns = [spread.quantile(u[:, j]) for j, spread in enumerate(spreads)]
    return [{p: _python(c[i]) for p, c in zip(paths, columns, strict=True)} for i in range(len(u))]


def _python(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def study_plan(path: str | Path, *, options: Options | None = None, overrides: Sequence[str] = ()) -> Plan:
    """The plan of a study file: one run per sample, ids ``name-0001``, ...

    ``overrides`` edit the drivetrain. Raises DrivetrainError.
    """
    study = read_study(path)
    source = find(study.drivetrain, study_file(path).parent)
    drivetrain = load(source, {**study.set, **dict(_pairs(overrides))} if overrides or study.set else (), study.case)
    case = find_case(drivetrain, study.case).name
    rows = samples_of(study)
    digits = max(4, len(str(len(rows))))
    items = {f"{study.name}-{i + 1:0{digits}d}": row for i, row in enumerate(rows)}
    plan = Plan(
        study.name,
        case,
        drivetrain.raw,
        items,
        str(drivetrain.file) if drivetrain.file else None,
        drivetrain.text,
        drivetrain.overrides,
        options or Options(),
        kind="study",
        outputs=tuple(study.outputs),
        facts={
            "drivetrain": drivetrain.name,
            "description": study.description,
            "method": study.method,
            "samples": study.samples,
            "seed": study.seed,
        },
    )
    plan.check()
    _check_outputs(plan)
    return plan


def _pairs(overrides: Sequence[str]) -> list[tuple[str, str]]:
    return [(text.partition("=")[0].strip(), text.partition("=")[2].strip()) for text in overrides]


def _check_outputs(plan: Plan) -> None:
    """Every output is a channel that the case records and a figure of it."""
    first = next(iter(plan.items))
    drivetrain: Drivetrain = plan.member(first)
    options = plan.options
    prepared = prepare(drivetrain, first, fidelity=options.fidelity, law=options.law, duration=options.duration)
    channels = recorded_channels(prepared.system, prepared.case.record)
    names = [c.name for c in channels] + [
        f"{d.element}.{d.quantity}" for d in derived_channels(channels, prepared.train)
    ]
    figures = [*FIGURES, *(f"del_{m:g}" for m in prepared.case.exponents)]
    for output in plan.outputs:
        name, _, figure = output.rpartition(".")
        name = known_channel(name, names)
        if name not in names:
            raise DrivetrainError.of(
                [
                    Problem(
                        "the case records no such channel", "outputs", output, listed(names, 12), nearest(name, names)
                    )
                ]
            )
        if figure not in figures:
            raise DrivetrainError.of(
                [
                    Problem(
                        f"'{figure}' is not a figure of a channel",
                        "outputs",
                        output,
                        ", ".join(figures),
                        nearest(figure, figures),
                    )
                ]
            )


def output_of(row: Mapping[str, Sequence[Any]], output: str) -> np.ndarray[Any, Any]:
    """Column of an output from the table of a study."""
    name, _, figure = present(output).rpartition(".")
    if figure == "range":
        return np.asarray(row[f"{name}|max"], float) - np.asarray(row[f"{name}|min"], float)
    return np.asarray(row[f"{name}|{figure}"], float)
