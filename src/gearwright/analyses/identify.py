"""Fit of stiffness and damping to measured frequencies, and modes from a record."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BeforeValidator, Field, ValidationError

from gearwright.analyses.identification import IdentificationError, Mode, decay, spectrum_peak
from gearwright.errors import DrivetrainError
from gearwright.figures.format import named
from gearwright.interchange.read import series
from gearwright.results import Result
from gearwright.running.run import simulate
from gearwright.schema.base import Section
from gearwright.schema.complaints import problems_of
from gearwright.schema.read import parse_file
from gearwright.solve.steady.modes import mac
from gearwright.train.open import load
from gearwright.units import Frequency, PositiveNumber, Share, UnitError, any_si, in_one_unit, in_si, optional

from .base import BESIDE, Analysis, Column, Picture, Table, result_file_of
from .modes import modes
from .picture import Curve


class Target(Section):
    """A measured mode: ``mode`` of the model (1 is the lowest elastic one, at the start of the fit), its ``frequency``, and
    ``damping`` ratio if known; ``uncertainty`` and ``damping_uncertainty`` are their relative standard deviations."""

    mode: Annotated[int, Field(strict=True, ge=1)]
    frequency: Annotated[Frequency, Field(gt=0.0)]
    damping: Share | None = None
    uncertainty: PositiveNumber = 0.01
    damping_uncertainty: PositiveNumber = 0.1


class Record(Section):
    """A measured record that a case of the drivetrain should give: ``channel`` of the file ``path``, against the channel
    ``computed`` (default: of the same name) of ``case``, from ``begin`` to ``end`` [s of the run]. ``shift`` is the time of the
    record at which the run starts. ``uncertainty``: standard deviation of a sample over that of the record; samples count as
    independent, so give fewer ``samples`` where the error is slow."""

    path: str
    channel: str
    computed: str | None = None
    case: str | None = None
    begin: float = 0.0
    end: float = Field(gt=0.0)
    shift: float = 0.0
    uncertainty: PositiveNumber = 0.05
    samples: Annotated[int, Field(strict=True, ge=16)] = 400


class Fit(Section):
    """A fit file: ``vary`` holds paths of the drivetrain with [lowest, highest] allowed values; measured are modes
    (``targets``), a ``record``, or both."""

    name: str = "fit"
    drivetrain: str
    fidelity: str | None = None
    held: Annotated[list[str], BeforeValidator(lambda v: [v] if isinstance(v, str) else v)] = []
    vary: dict[str, tuple[Any, Any]] = Field(min_length=1)
    targets: list[Target] = []
    record: Record | None = None


@dataclass(frozen=True)
class FittedValue:
    """A value found [SI], its relative standard error, where the search began, and whether it stands at a bound."""

    path: str
    value: float
    relative_error: float
    start: float
    at_bound: bool


@dataclass(frozen=True)
class FittedMode:
    """A measured mode beside that of the fitted drivetrain; ``mac`` compares its shape with that at the start."""

    mode: int
    target_hz: float
    frequency_hz: float
    target_damping: float | None
    damping_ratio: float
    mac: float


@dataclass(frozen=True)
class Agreement:
    """How a fitted run meets the record: correlation, and root mean square of the difference over the spread of the record."""

    correlation: float
    rms_over_spread: float


@dataclass(frozen=True, repr=False, eq=False)
class ModelFit(Analysis):
    """Values of a drivetrain fitted to measured modes or a record, and their ``correlation``."""

    name: str
    drivetrain: str
    evaluations: int
    chi_square: float
    freedom: int
    values: Sequence[FittedValue]
    correlation: NDArray[np.float64]
    modes: Sequence[FittedMode]
    record: Agreement | None
    kind: str = "fit"

    def shown(self) -> Iterator[Table | str]:
        """Values, modes, the record."""
        rows: list[list[Any]] = [
            [
                v.path,
                f"{v.value:.5g}",
                f"{100 * v.relative_error:.2g} %",
                v.start,
                "at its bound" if v.at_bound else "",
            ]
            for v in self.values
        ]
        yield Table(f"{self.name}: fitted values (SI)", ["value", "fitted", "standard error", "start", ""], rows)
        if self.modes:
            columns = [
                "mode",
                Column("measured", "Hz", 5),
                Column("fitted", "Hz", 5),
                Column("measured damping", "%", 3),
                Column("fitted", "%", 3),
                Column("MAC with the start", "", 3),
            ]
            rows = [[m.mode, m.target_hz, m.frequency_hz, m.target_damping, m.damping_ratio, m.mac] for m in self.modes]
            yield Table("Modes", columns, rows)
        if self.record is not None:
            met = self.record
            yield f"record: correlation {met.correlation:.5g}, difference {100 * met.rms_over_spread:.3g} % of its spread"
        yield f"chi-square {self.chi_square:.4g} with {self.freedom} degrees of freedom, {self.evaluations} evaluations"

    def picture(self) -> Picture | str:
        """Frequencies measured and fitted."""
        if not self.modes:
            return "no modes were measured; the record is in its own file"
        modes = [m.mode for m in self.modes]
        curves = [
            Curve("measured", modes, [m.target_hz for m in self.modes], "points"),
            Curve("fitted", modes, [m.frequency_hz for m in self.modes], "points"),
        ]
        return Picture("mode", "frequency [Hz]", curves)


@dataclass(frozen=True, repr=False, eq=False)
class RecordedMode(Analysis):
    """A mode found in a channel of a record, between the times ``begin`` and ``end`` [s]: a :class:`Mode`."""

    channel: str
    unit: str
    begin: float = field(metadata=named("from"))
    end: float = field(metadata=named("to"))
    mode: Mode = field(metadata=BESIDE)
    kind: str = "record"

    @property
    def title(self) -> str:
        """The channel."""
        return self.channel

    @property
    def frequency(self) -> float:
        """Damped frequency [Hz]."""
        return self.mode.frequency

    @property
    def damping_ratio(self) -> float:
        """Damping ratio."""
        return self.mode.damping_ratio

    def shown(self) -> Iterator[Table | str]:
        """The mode with its intervals."""
        m = self.mode
        rests = f"spectrum, {m.swings} lines"
        if m.method == "decay":
            rests = f"decay, {m.swings} half swings above the noise, {100 * m.share:.0f} % of the record explained"
        yield (
            f"{self.channel}, {self.begin:g} to {self.end:g} s: {m.frequency:.5g} +- {2 * m.frequency_error:.2g} Hz, "
            f"damping {100 * m.damping_ratio:.4g} +- {200 * m.damping_error:.2g} % (95 of 100 records; {rests})"
        )

    @property
    def tables(self) -> list[Table]:
        """The mode as a row."""
        keys = ("frequency", "frequency_error", "damping_ratio", "damping_error")
        columns = [
            Column("frequency", "Hz", 6),
            Column("standard error", "Hz"),
            "damping ratio",
            "standard error of it",
        ]
        return [Table(f"Mode in {self.channel}", columns, [[getattr(self.mode, k) for k in keys]])]


def identify(
    source: str | Path | Any,
    channel: str | None = None,
    *,
    begin: float | str | None = None,
    end: float | str | None = None,
    method: str = "decay",
    band: tuple[float | str, float | str] | None = None,
    final: float | None = None,
) -> ModelFit | RecordedMode:
    """Frequency and damping of a mode in a record, or stiffness and damping of a drivetrain from measured modes or a record.

    Parameters
    ----------
    source : a fit file (.yaml), a result (path, Result or Run), or another program's file
    channel : of the record; it is needed for all but a fit file, which takes none of the rest either
    begin, end : of the stretch [s]
    method : ``decay`` (one decaying swing fitted to the stretch) or ``spectrum`` (the peak of the density)
    band : what counts of the record [Hz]
    final : value that the swing is about; None: found too

    Raises IdentificationError, DrivetrainError, or what reading the file raises.
    """
    file = result_file_of(source)
    if file.suffix in (".yaml", ".yml"):
        if channel or band or begin is not None or end is not None:
            raise DrivetrainError("--channel, --from, --to and --band belong to records, not to a fit file")
        return identify_fit(file)
    if channel is None:
        raise DrivetrainError("--channel names the series of the record (gearwright inspect lists them)")
    within = None if band is None else (in_si(band[0], "frequency", "band"), in_si(band[1], "frequency", "band"))
    at = optional(begin, "time", "begin"), optional(end, "time", "end")
    return identify_record(file, channel, begin=at[0], end=at[1], method=method, band=within, final=final)


def identify_fit(source: str | Path) -> ModelFit:
    """Fit the values of a file to measured modes or a measured record by least squares in their logarithms.

    Modes are followed by their shapes (MAC with those at the start). The standard deviations of the fitted values follow from those
    of the targets and the sensitivity at the end; a value that no target depends on is refused. Raises DrivetrainError or
    IdentificationError.
    """
    from scipy.optimize import least_squares

    file = Path(source)
    raw = parse_file(file)
    try:
        fit = Fit.model_validate(raw)
    except ValidationError as error:
        raise DrivetrainError.of(problems_of(error, raw, Fit), str(file)) from None
    search = _Search(fit, file.parent)
    paths = list(fit.vary)
    if search.count < len(paths):
        raise IdentificationError(
            f"{len(paths)} values cannot be found from {search.count} measured ones; fix some, or measure more"
        )
    done = least_squares(
        search.residuals,
        np.log(search.start),
        bounds=tuple(np.log(search.bounds.T)),
        # differences of 1e-4 in the logarithms: eigenvalues are good to 1e-10; a run is repeatable to its tolerance only
        diff_step=np.full(len(paths), 1e-4 if fit.record is None else 1e-3),
        xtol=1e-10,
        ftol=1e-12,
    )
    covariance = _covariance(np.asarray(done.jac, float), paths)
    errors = np.sqrt(np.diag(covariance))
    values = np.exp(done.x)
    return ModelFit(
        name=fit.name,
        drivetrain=fit.drivetrain,
        evaluations=int(done.nfev),
        chi_square=float(2.0 * done.cost),
        freedom=search.count - len(paths),
        values=search.fitted(done.x, errors),
        correlation=covariance / np.outer(errors, errors),
        modes=search.modes_at(values),
        record=None if search.measured is None else search.measured.agreement(values),
    )


def _covariance(jacobian: NDArray[np.float64], paths: Sequence[str]) -> NDArray[np.float64]:
    """Covariance of the fitted logarithms. Raises IdentificationError where the targets do not determine them."""
    for path, size in zip(paths, np.linalg.norm(jacobian, axis=0), strict=True):
        if size < 1e-6:
            raise IdentificationError(f"no target depends on {path}: it cannot be found from them")
    normal = jacobian.T @ jacobian
    if np.linalg.cond(normal) > 1e12:
        raise IdentificationError(
            "the targets do not tell the values apart: only a combination of them is found; fix one"
        )
    return np.asarray(np.linalg.inv(normal))


class _Search:
    """A fit under way: the drivetrain at any values, and what it misses of the measured.

    ``bounds`` (values, 2) and ``start`` in the units of the file, ``count`` of the measured numbers.
    """

    def __init__(self, fit: Fit, folder: Path):
        self.fit = fit
        beside = folder / fit.drivetrain
        self.base = str(beside) if beside.is_file() else fit.drivetrain
        limits = {p: _limits(p, ends) for p, ends in fit.vary.items()}
        self.units = {p: unit for p, (_, unit) in limits.items()}
        self.bounds = np.array([ends for ends, _ in limits.values()])
        if (self.bounds[:, 0] >= self.bounds[:, 1]).any():
            raise IdentificationError("vary: the lowest value must lie below the highest")
        self.start = np.sqrt(self.bounds[:, 0] * self.bounds[:, 1])
        if not fit.targets and fit.record is None:
            raise IdentificationError("nothing measured: give targets (modes), a record, or both")
        self.measured = None if fit.record is None else _Measured(fit, folder, self.base, self.units)
        self.first = self.solved(self.start)
        elastic = np.flatnonzero(self.first.frequencies_hz > 1e-6 * self.first.frequencies_hz.max())
        wanted = [t.mode - 1 for t in fit.targets]
        if wanted and max(wanted) >= len(elastic):
            raise IdentificationError(f"target mode {max(wanted) + 1}: the model has {len(elastic)} elastic modes")
        self.shapes = elastic[np.array(wanted, int)]
        self.count = len(fit.targets) + sum(t.damping is not None for t in fit.targets)
        self.count += 0 if fit.record is None else fit.record.samples

    def solved(self, values: Any) -> Any:
        """Modes of the drivetrain at some values."""
        edits = _edits(self.units, values)
        return modes(load(self.base, edits), fidelity=self.fit.fidelity, held=self.fit.held)

    def matched(self, found: Any) -> tuple[Any, Any]:
        """Modes of a solution that belong to the targets, each once, and their MAC."""
        from scipy.optimize import linear_sum_assignment

        table = np.asarray(mac(self.first.modes, found.modes))[self.shapes]
        rows, columns = linear_sum_assignment(-table)
        return columns[np.argsort(rows)], table[rows, columns]

    def residuals(self, logs: Any) -> NDArray[np.float64]:
        """Differences from the measured over their standard deviations, at logarithms of the values."""
        rest: list[float] = [] if self.measured is None else self.measured.residuals(np.exp(logs))
        if not self.fit.targets:
            return np.array(rest)
        found = self.solved(np.exp(logs))
        places, _ = self.matched(found)
        for target, i in zip(self.fit.targets, places, strict=True):
            rest.append((found.frequencies_hz[i] / target.frequency - 1.0) / target.uncertainty)
            if target.damping is not None:
                rest.append((found.damping_ratios[i] / target.damping - 1.0) / target.damping_uncertainty)
        return np.array(rest)

    def fitted(self, logs: Any, errors: Any) -> list[FittedValue]:
        """The values found."""
        return [
            FittedValue(
                path,
                _si(np.exp(logs)[i], unit),
                float(errors[i]),
                _si(self.start[i], unit),
                bool(min(abs(logs[i] - math.log(b)) for b in self.bounds[i]) < 1e-6),
            )
            for i, (path, unit) in enumerate(self.units.items())
        ]

    def modes_at(self, values: Any) -> list[FittedMode]:
        """The measured modes beside those of the drivetrain at some values."""
        if not self.fit.targets:
            return []
        end = self.solved(values)
        return [
            FittedMode(t.mode, t.frequency, float(f), t.damping, float(z), float(likeness))
            for t, i, likeness in zip(self.fit.targets, *self.matched(end), strict=True)
            for f, z in [(end.frequencies_hz[i], end.damping_ratios[i])]
        ]


class _Measured:
    """The record of a fit, and runs against it."""

    def __init__(self, fit: Fit, folder: Path, base: str, units: dict[str, str]):
        record = fit.record
        assert record is not None
        self.record, self.base, self.fidelity, self.units = record, base, fit.fidelity, units
        beside = folder / record.path
        time, values, _ = _series(beside if beside.is_file() else Path(record.path), record.channel)
        if not record.begin < record.end:
            raise IdentificationError(f"record: begin ({record.begin:g} s) must lie before end ({record.end:g} s)")
        self.at = np.linspace(record.begin, record.end, record.samples)
        local = time - record.shift
        if local[0] > record.begin + 1e-9 or local[-1] < record.end - 1e-9:
            raise IdentificationError(
                f"record: {record.path} covers {local[0]:g} to {local[-1]:g} s of the run, not {record.begin:g} to {record.end:g} s"
            )
        self.values = np.interp(self.at, local, values)
        self.spread = float(self.values.std())
        if not self.spread > 0.0:
            raise IdentificationError(f"record: channel {record.channel} does not vary between the times")

    def computed(self, values: Any) -> Any:
        """The computed channel at the samples, for some values of the fit."""
        import tempfile

        edits = _edits(self.units, values)
        with tempfile.TemporaryDirectory() as folder:
            run = simulate(
                load(self.base, edits),
                self.record.case,
                fidelity=self.fidelity,
                duration=self.record.end,
                output=Path(folder) / "fit.nc",
            )
            with Result.reading(run.result_file) as result:
                found = result.series(self.record.computed or self.record.channel)
                return np.interp(self.at, result.time, np.asarray(found.values, float))

    def residuals(self, values: Any) -> list[float]:
        """Differences over the standard deviation of a sample."""
        return list((self.computed(values) - self.values) / (self.record.uncertainty * self.spread))

    def agreement(self, values: Any) -> Agreement:
        """How well the fitted run meets the record."""
        computed = self.computed(values)
        rms = float(np.sqrt(np.mean((computed - self.values) ** 2)))
        return Agreement(float(np.corrcoef(computed, self.values)[0, 1]), rms / self.spread)


def _limits(path: str, values: Sequence[Any]) -> tuple[list[float], str]:
    """Lowest and highest value of a path, in the unit of the first, and that unit: it goes along to the place in the file."""
    try:
        found, unit = in_one_unit(values)
    except UnitError as error:
        raise IdentificationError(f"vary.{path}: {error}") from None
    if not min(found) > 0.0:
        raise IdentificationError(f"vary.{path}: '{values[0]}' is not a positive number or quantity")
    return found, unit


def _edits(units: Mapping[str, str], values: Any) -> list[str]:
    """Edits of a file that set paths to values in their units."""
    return [f"{path}={float(v)!r} {unit}".rstrip() for (path, unit), v in zip(units.items(), values, strict=True)]


def _si(value: float, unit: str) -> float:
    return float(any_si(f"{float(value)!r} {unit}".rstrip()))


def _series(file: Path, channel: str) -> tuple[Any, Any, str]:
    """Time, values and unit of a channel of a result, or of another program's file."""
    if file.suffix == ".nc":
        with Result.reading(file) as result:
            found = result.series(channel)
            return result.time, np.asarray(found.values, float), str(found.attrs.get("units", ""))

    return series(file, channel)


def identify_record(
    path: str | Path,
    channel: str,
    *,
    begin: float | None = None,
    end: float | None = None,
    method: str = "decay",
    band: tuple[float, float] | None = None,
    final: float | None = None,
) -> RecordedMode:
    """A mode from a channel of a result or of a recorded file, between two times [s].

    ``method`` is decay or spectrum, ``band`` [Hz] what counts of the record. Intervals hold the truth in 95 of 100 records. Raises IdentificationError, or what reading the file raises.
    """
    time, values, unit = _series(Path(path), channel)
    kept = (time >= (begin if begin is not None else -np.inf)) & (time <= (end if end is not None else np.inf))
    if kept.sum() < 16:
        raise IdentificationError(
            f"{int(kept.sum())} samples between the times; the record runs from {time[0]:g} to {time[-1]:g} s"
        )
    steps = np.diff(time[kept])
    if steps.max() > 1.001 * steps.min() + 1e-12:
        raise IdentificationError(f"the samples are not even in time ({steps.min():g} to {steps.max():g} s)")
    interval = float(steps.mean())
    if method == "decay":
        mode = decay(values[kept], interval, final=final, band=band)
    elif method == "spectrum":
        mode = spectrum_peak(values[kept], interval, band)
    else:
        raise IdentificationError(f"method must be decay or spectrum, got '{method}'")
    return RecordedMode(channel, unit, float(time[kept][0]), float(time[kept][-1]), mode)
