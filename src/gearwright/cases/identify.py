"""Fit of stiffness and damping to measured frequencies, and modes from a record."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import BeforeValidator, Field, ValidationError

from gearwright.drivetrain import DrivetrainError, load
from gearwright.drivetrain.base import Section
from gearwright.drivetrain.complaints import problems_of
from gearwright.drivetrain.read import parse_file
from gearwright.drivetrain.units import Frequency, PositiveNumber, Share, any_si
from gearwright.life.identification import IdentificationError, decay, spectrum_peak


class Target(Section):
    """A measured mode: ``mode`` of the model (1 is the lowest elastic one, at the start of the fit), its ``frequency``, and
    ``damping`` ratio if known; ``uncertainty`` and ``damping_uncertainty`` are their relative standard deviations."""

    mode: Annotated[int, Field(strict=True, ge=1)]
    frequency: Annotated[Frequency, Field(gt=0.0)]
    damping: Share | None = None
    uncertainty: PositiveNumber = 0.01
    damping_uncertainty: PositiveNumber = 0.1


class Fit(Section):
    """A fit file: ``vary`` holds paths of the drivetrain with [lowest, highest] allowed values."""

    name: str = "fit"
    drivetrain: str
    fidelity: str | None = None
    held: Annotated[list[str], BeforeValidator(lambda v: [v] if isinstance(v, str) else v)] = []
    vary: dict[str, tuple[Any, Any]] = Field(min_length=1)
    targets: list[Target] = Field(min_length=1)


def identify_fit(source: str | Path) -> dict[str, Any]:
    """Fit the values of a file to its targets by least squares in their logarithms.

    Modes are followed by their shapes (MAC with those at the start). The standard deviations of the fitted values follow from those
    of the targets and the sensitivity at the end; a value that no target depends on is refused. Raises DrivetrainError or
    IdentificationError.
    """
    from scipy.optimize import least_squares

    from gearwright.solve.modes import mac

    from .analyse import modes

    file = Path(source)
    raw = parse_file(file)
    try:
        fit = Fit.model_validate(raw)
    except ValidationError as error:
        raise DrivetrainError.of(problems_of(error, raw, Fit), str(file)) from None
    beside = file.parent / fit.drivetrain
    base = str(beside) if beside.is_file() else fit.drivetrain
    paths = list(fit.vary)
    bounds = np.array([[_positive(p, v) for v in fit.vary[p]] for p in paths])
    if (bounds[:, 0] >= bounds[:, 1]).any():
        raise IdentificationError("vary: the lowest value must lie below the highest")
    start = np.sqrt(bounds[:, 0] * bounds[:, 1])

    def solved(values: Any) -> Any:
        edits = [f"{p}={float(v)!r}" for p, v in zip(paths, values, strict=True)]
        return modes(load(base, edits), fidelity=fit.fidelity, held=fit.held)

    first = solved(start)
    elastic = np.flatnonzero(first.frequencies_hz > 1e-6 * first.frequencies_hz.max())
    wanted = [t.mode - 1 for t in fit.targets]
    if max(wanted) >= len(elastic):
        raise IdentificationError(f"target mode {max(wanted) + 1}: the model has {len(elastic)} elastic modes")
    shapes = elastic[wanted]

    def matched(found: Any) -> tuple[Any, Any]:
        """Modes of a solution that belong to the targets, each once, and their MAC."""
        from scipy.optimize import linear_sum_assignment

        table = np.asarray(mac(first.modes, found.modes))[shapes]
        rows, columns = linear_sum_assignment(-table)
        return columns[np.argsort(rows)], table[rows, columns]

    def residuals(logs: Any) -> Any:
        found = solved(np.exp(logs))
        places, _ = matched(found)
        rest = []
        for target, i in zip(fit.targets, places, strict=True):
            rest.append((found.frequencies_hz[i] / target.frequency - 1.0) / target.uncertainty)
            if target.damping is not None:
                rest.append((found.damping_ratios[i] / target.damping - 1.0) / target.damping_uncertainty)
        return np.array(rest)

    count = len(fit.targets) + sum(t.damping is not None for t in fit.targets)
    if count < len(paths):
        raise IdentificationError(
            f"{len(paths)} values cannot be found from {count} measured ones; fix some, or measure more"
        )
    # differences of 1e-4 in the logarithms: eigenvalues are good to 1e-10
    done = least_squares(
        residuals,
        np.log(start),
        bounds=tuple(np.log(bounds.T)),
        diff_step=np.full(len(paths), 1e-4),
        xtol=1e-10,
        ftol=1e-12,
    )
    jacobian = np.asarray(done.jac, float)
    sensitivity = np.linalg.norm(jacobian, axis=0)
    for path, size in zip(paths, sensitivity, strict=True):
        if size < 1e-6:
            raise IdentificationError(f"no target depends on {path}: it cannot be found from them")
    normal = jacobian.T @ jacobian
    if np.linalg.cond(normal) > 1e12:
        raise IdentificationError(
            "the targets do not tell the values apart: only a combination of them is found; fix one"
        )
    covariance = np.linalg.inv(normal)
    errors = np.sqrt(np.diag(covariance))
    values = np.exp(done.x)
    end = solved(values)
    places, macs = matched(end)
    at_bound = [
        bool(min(abs(x - math.log(b)) for b in limits) < 1e-6) for x, limits in zip(done.x, bounds, strict=True)
    ]
    return {
        "kind": "fit", "name": fit.name, "drivetrain": fit.drivetrain, "evaluations": int(done.nfev),
        "chi_square": float(2.0 * done.cost), "freedom": count - len(paths),
        "values": [
            {"path": p, "value": float(v), "relative_error": float(e), "start": float(s), "at_bound": b}
            for p, v, e, s, b in zip(paths, values, errors, start, at_bound, strict=True)
        ],
        "correlation": covariance / np.outer(errors, errors),
        "modes": [
            {"mode": t.mode, "target_hz": t.frequency, "frequency_hz": float(end.frequencies_hz[i]),
             "target_damping": t.damping, "damping_ratio": float(end.damping_ratios[i]), "mac": float(m)}
            for t, i, m in zip(fit.targets, places, macs, strict=True)
        ],
    }  # fmt: skip


def _positive(path: str, value: Any) -> float:
    found = any_si(value)
    if isinstance(found, bool) or not isinstance(found, (int, float)) or not found > 0.0:
        raise IdentificationError(f"vary.{path}: '{value}' is not a positive number or quantity")
    return float(found)


def identify_record(path: str | Path, channel: str, *, begin: float | None = None, end: float | None = None,
                    method: str = "decay", band: tuple[float, float] | None = None, final: float | None = None) -> dict[str, Any]:  # fmt: skip
    """A mode from a channel of a result or of a recorded file, between two times [s].

    ``method`` is decay or spectrum. Raises IdentificationError, or what reading the file raises.
    """
    file = Path(path)
    if file.suffix == ".nc":
        from gearwright.results import Result

        with Result.open(file) as result:
            found = result.series(channel)
            time, values, unit = result.time, np.asarray(found.values, float), str(found.attrs.get("units", ""))
    else:
        from gearwright.interchange.read import series

        time, values, unit = series(file, channel)
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
        mode = decay(values[kept], interval, final=final)
    elif method == "spectrum":
        mode = spectrum_peak(values[kept], interval, band)
    else:
        raise IdentificationError(f"method must be decay or spectrum, got '{method}'")
    facts: Mapping[str, Any] = vars(mode)
    return {"kind": "record", "channel": channel, "unit": unit, "from": float(time[kept][0]), "to": float(time[kept][-1]), **facts,
            "undamped": mode.undamped}  # fmt: skip


__all__ = ["Fit", "Target", "identify_fit", "identify_record"]
