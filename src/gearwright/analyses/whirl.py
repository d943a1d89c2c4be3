"""Whirl of the shafts of a train: modes over speed with their sense, critical speeds, response to unbalance and mesh."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from gearwright.errors import DrivetrainError, listed, nearest
from gearwright.progress import each
from gearwright.remarks import assumed, warning
from gearwright.running.inputs import body_named
from gearwright.units import in_si

from .base import ASIDE, Analysis, Column, Picture, Table, drivetrain_of, quantities
from .campbell import Excitation
from .picture import Curve
from .whirl_forced import (
    GRADE,
    ForcedResponse,
    mesh_responses,
    read_errors,
    read_unbalances,
    unbalance_responses,
    unbalances_of_grade,
)
from .whirl_model import Sense, WhirlModel, decrement, whirl_model

Float = NDArray[np.float64]
Complex = NDArray[np.complex128]

RPM = 30.0 / math.pi
#: distance from the operating speed within which critical speeds are printed
NEAR = 0.3
#: orders of mesh frequencies; modes that are shown whatever excites them
HARMONICS, LOWEST = 3, 8
#: factors on the stiffness of bearings of the map, where nobody gave any
FACTORS = "0.01 to 100 in 33"


@dataclass(frozen=True)
class WhirlMode:
    """A damped mode at one speed: ``forward`` is its share of forward less backward motion (-1 to 1), ``where`` the body that moves most."""

    frequency_hz: float
    log_decrement: float
    damping_ratio: float
    whirl: Sense
    forward: float
    where: str


@dataclass(frozen=True)
class WhirlCurve:
    """A mode followed over the speeds of the input."""

    frequencies_hz: Sequence[float]
    log_decrements: Sequence[float]
    whirls: Sequence[Sense]


@dataclass(frozen=True)
class CriticalSpeed:
    """Speed of the input at which a line of excitation meets an undamped frequency; decrement of the damped mode there, ``margin`` to
    the operating speed."""

    line: str
    order: float
    speed_rpm: float
    frequency_hz: float
    whirl: Sense
    forward: float
    log_decrement: float | None
    where: str
    margin: float | None


@dataclass(frozen=True)
class CriticalSpeedMap:
    """Undamped critical speeds of the input for one line, over a factor on the radial stiffness of all bearings.

    ``speeds_rpm`` has a row for each factor, ascending; ``whirls`` likewise.
    """

    line: str
    order: float
    factors: Sequence[float]
    speeds_rpm: Sequence[Sequence[float]]
    whirls: Sequence[Sequence[Sense]]


@dataclass(frozen=True, repr=False, eq=False)
class Whirl(Analysis):
    """Whirl of a train: ``modes`` at ``speed_rpm``, ``curves`` over ``speeds_rpm``, ``critical_speeds`` of all lines (ascending),
    ``maps`` of the shafts' own lines, ``unbalance`` and ``mesh`` responses; ``stiffnesses`` [N/m] of the bearings' rows that the maps
    change."""

    name: str
    speed_rpm: float
    operating_rpm: float | None
    modes: Sequence[WhirlMode]
    speeds_rpm: Sequence[float]
    curves: Sequence[WhirlCurve]
    lines: Sequence[Excitation]
    critical_speeds: Sequence[CriticalSpeed]
    maps: Sequence[CriticalSpeedMap]
    unbalance: Sequence[ForcedResponse]
    mesh: Sequence[ForcedResponse]
    stiffnesses: Mapping[str, float]
    model: WhirlModel = field(kw_only=True, metadata=ASIDE)

    def shown(self) -> Iterator[Table | str]:
        """Modes, critical speeds near the operating speed, largest orbits and forces."""
        columns: list[object] = [
            Column("", "Hz", 5),
            "whirl",
            Column("log decrement"),
            Column("damping", "%", 3),
            Column("forward", "%", 3),
            "largest at",
        ]
        rows = [[m.frequency_hz, m.whirl, m.log_decrement, m.damping_ratio, m.forward, m.where] for m in self.modes]
        yield Table(f"Modes of {self.name} at {self.speed_rpm:.5g} rpm of the input", columns, rows)
        near = [c for c in self.critical_speeds if c.margin is None or abs(c.margin) <= NEAR]
        where = "" if self.operating_rpm is None else f" within {100 * NEAR:.0f} % of {self.operating_rpm:.5g} rpm"
        columns = [
            "line",
            Column("speed", "1/min", 5),
            Column("frequency", "Hz", 5),
            "whirl",
            Column("log decrement"),
            "largest at",
            Column("margin", "%", 3),
        ]
        criticals = [[c.line, c.speed_rpm, c.frequency_hz, c.whirl, c.log_decrement, c.where, c.margin] for c in near]
        yield Table(
            f"Critical speeds of the input{where}, {len(near)} of {len(self.critical_speeds)}", columns, criticals
        )
        for found, of in ((self.unbalance, "unbalance"), (self.mesh, "transmission error")):
            rows = [
                [r.line, p.station, p.speed_rpm, p.frequency_hz, p.major, p.phase_deg]
                for r in found
                for p in r.peaks[:3]
            ]
            if rows:
                columns = [
                    "line",
                    "body",
                    Column("speed", "1/min", 5),
                    Column("frequency", "Hz", 5),
                    Column("half axis", "um"),
                    Column("phase of y", "°", 4),
                ]
                yield Table(f"Largest orbits under {of}", columns, rows)

    def picture(self) -> Picture:
        """Frequencies over speed by their whirl, and the lines of the shafts."""
        curves = []
        for sense in dict.fromkeys(w for c in self.curves for w in c.whirls):
            places = [
                (n, f)
                for c in self.curves
                for n, f, w in zip(self.speeds_rpm, c.frequencies_hz, c.whirls, strict=True)
                if w == sense
            ]
            curves.append(Curve(sense, [n for n, _ in places], [f for _, f in places], "points"))
        for line in self.lines:
            if line.kind == "shaft":
                curves.append(Curve(line.name, self.speeds_rpm, [line.order * n / 60.0 for n in self.speeds_rpm]))
        return Picture("input speed [rpm]", "frequency [Hz]", curves)


def whirl(
    drivetrain: Any,
    *,
    speeds: str | Sequence[float | str] | None = None,
    unbalance: Mapping[str, str | float] | None = None,
    grade: str | float | None = None,
    transmission_error: Mapping[str, str | float | Sequence[float | str]] | None = None,
    stations: Sequence[str] = (),
    factors: str | Sequence[float] | None = None,
    rotating_damping: bool = False,
    case: str | None = None,
    overrides: Sequence[str] = (),
) -> Whirl:
    """Whirl of the shafts of a drivetrain, at fidelity spatial with gyroscopic moments and mean mesh stiffnesses.

    Parameters
    ----------
    drivetrain : a Drivetrain, a path or the name of an example
    speeds : of the input, ascending (rad/s, or ``"0 rpm to 3000 rpm in 31"``); default: up to 1.3 times the operating speed
    unbalance : by body ``"500 g mm"`` or ``"500 g mm at 90 deg"`` [kg m]; the angle counts from +y towards +z, about +x
    grade : balance grade [m/s] of every body instead, ``"6.3 mm/s"``; without either that one is assumed
    transmission_error : by mesh or stage its amplitude [m], or a list by mesh harmonics, ``"2 um, 0.5 um"``; without it 1 um
    stations : bodies and nodes of shafts whose response is wanted; default: those that move most
    factors : on the radial stiffness of all bearings, for the map of critical speeds
    rotating_damping : the damping of shafts in bending turns with them (internal damping), which can make whirl unstable
    case : the model as this case has it

    Raises DrivetrainError for what is not there, or a train that has no input.
    """
    if unbalance is not None and grade is not None:
        raise DrivetrainError("unbalance and grade say the same: give one")
    at = None if speeds is None else np.asarray(quantities(speeds, "rotational speed", "speeds"))
    if at is not None and (len(at) < 2 or at[0] < 0.0 or (np.diff(at) <= 0.0).any()):
        raise DrivetrainError(
            "speeds: at least two are wanted, from zero on and ascending, such as '0 rpm to 3000 rpm in 31'"
        )
    steps = _factors(factors)
    level = GRADE if grade is None else in_si(grade, "speed", "grade")
    if not level > 0.0:
        raise DrivetrainError(f"grade = {grade}: a balance grade is above zero, such as '6.3 mm/s'")
    made = drivetrain_of(drivetrain, overrides, case)
    with threadpool_limits(1):  # threads of small products fight each other
        model = whirl_model(made, rotating_damping, HARMONICS, None if at is None else float(at[-1]))
        at = np.linspace(0.0, 1.3 * (model.operating or 0.0), 27) if at is None else at
        shown = model.operating or float(at[-1])
        of_body = read_unbalances(model.train, unbalance)
        said = list(model.remarks)
        if of_body is None:
            of_body = unbalances_of_grade(model, level, shown)
            if grade is None:
                said.append(
                    assumed(f"unbalance of grade G {1e3 * level:g} (ISO 21940-11) in every body, all at one angle")
                )
        errors, more = read_errors(model.train, transmission_error)
        found = _computed(model, made.name, (at, shown, steps), of_body, errors, _stations(model, stations))
    unstable = [m for m in found.modes if m.log_decrement < -1e-9]
    if unstable:
        said.append(
            warning(
                f"at {found.speed_rpm:.5g} rpm whirl of {unstable[0].frequency_hz:.5g} Hz grows by itself: its logarithmic decrement is "
                f"{unstable[0].log_decrement:.3g}"
            )
        )
    return replace(found, remarks=(*said, *more))


def _factors(given: str | Sequence[float] | None) -> Float:
    """Factors on stiffnesses; a range of them is spaced evenly on a logarithmic axis. Raises DrivetrainError for zero and below."""
    wanted = FACTORS if given is None else given
    found = np.asarray(quantities(wanted, "number", "factors"))
    if (found <= 0.0).any():
        raise DrivetrainError("factors: stiffnesses of bearings are multiplied by them; each is above zero")
    return np.geomspace(found[0], found[-1], len(found)) if isinstance(wanted, str) and " to " in wanted else found


def _computed(
    model: WhirlModel,
    name: str,
    places: tuple[Float, float, Float],
    unbalances: Mapping[str, complex],
    errors: Mapping[str, Sequence[float]],
    stations: Sequence[str],
) -> Whirl:
    """All of it; ``places``: speeds of the input, the one at which modes are shown [rad/s], factors on stiffnesses."""
    at, shown, steps = places
    top = float(at[-1])
    highest = (
        max(3.0 * line.order if line.kind == "shaft" else line.order for line in model.lines) * top / (2.0 * math.pi)
    )
    critical = _critical_speeds(model, top)
    dense = {line.name: _dense(at, [c for c in critical if c.line == line.name]) for line in model.lines}
    rows = _bearing_rows(model)
    return Whirl(
        name,
        shown * RPM,
        None if model.operating is None else model.operating * RPM,
        _modes(model, shown, highest),
        (at * RPM).tolist(),
        _curves(model, at, highest),
        model.lines,
        critical,
        _maps(model, rows, steps, top),
        unbalance_responses(model, unbalances, dense, stations),
        mesh_responses(model, errors, dense, stations),
        _held_by(model, rows),
        model=model,
    )


def _stations(model: WhirlModel, names: Sequence[str]) -> list[str]:
    """Full names of stations. Raises DrivetrainError for others."""
    known = [s.name for s in model.stations]
    found = [name if name in known else body_named(model.train, name, "station") for name in names]
    for name in found:
        if name not in known:
            meant = nearest(name, known)
            hint = f" Did you mean '{meant}'?" if meant else ""
            raise DrivetrainError(
                f"station '{name}' does not move across its axis. Stations: {listed(known, 20)}.{hint}"
            )
    return found


def _modes(model: WhirlModel, speed: float, highest: float) -> list[WhirlMode]:
    """Damped modes up to a frequency, the lowest ones anyway."""
    poles, shapes = model.rotor.poles(speed)
    return [
        WhirlMode(float(p.imag) / (2.0 * math.pi), decrement(p), float(-p.real / abs(p)), *model.named(x))
        for i, (p, x) in enumerate(zip(poles, shapes.T, strict=True))
        if i < LOWEST or p.imag <= 2.0 * math.pi * highest
    ]


def _curves(model: WhirlModel, speeds: Float, highest: float) -> list[WhirlCurve]:
    """Damped modes followed over the speeds by their shapes; those that stay above the highest frequency are left out."""
    from scipy.optimize import linear_sum_assignment

    tracks: list[list[tuple[complex, Sense]]] = []
    last = np.zeros((0, 0), complex)
    mass = model.rotor.system.mass.toarray()
    for speed in each("speed", list(speeds)):
        poles, shapes = model.rotor.poles(float(speed))
        shapes = shapes / np.sqrt(np.real(np.einsum("ik,ij,jk->k", shapes.conj(), mass, shapes)))
        if not tracks:
            keep = int(np.searchsorted(poles.imag, 2.0 * math.pi * 1.5 * highest))
            tracks = [[] for _ in range(keep)]
            order = np.arange(keep)
        else:
            alike = np.abs(last.conj().T @ mass @ shapes) ** 2
            before = np.array([t[-1][0].imag for t in tracks])
            apart = np.abs(np.log(np.abs(poles.imag[None, :]) / before[:, None]))
            order = linear_sum_assignment(np.minimum(apart, 2.0) - alike)[1]
        last = shapes[:, order]
        for track, i in zip(tracks, order, strict=False):
            track.append((poles[i], model.named(shapes[:, i])[0]))
    limit = 2.0 * math.pi * highest
    return [
        WhirlCurve(
            [float(p.imag) / (2.0 * math.pi) for p, _ in track], [decrement(p) for p, _ in track], [w for _, w in track]
        )
        for i, track in enumerate(tracks)
        if len(track) == len(speeds) and (i < LOWEST or min(p.imag for p, _ in track) <= limit)
    ]


def _critical_speeds(model: WhirlModel, top: float) -> list[CriticalSpeed]:
    """Critical speeds of all lines up to a speed of the input [rad/s]."""
    found = []
    for line in each("line", list(model.lines)):
        values, shapes = model.rotor.critical_speeds(line.order)
        for value, shape in zip(values[values <= top], shapes[:, values <= top].T, strict=True):
            margin = None if model.operating is None else float(value) / model.operating - 1.0
            sense, share, where = model.named(shape)
            found.append(
                CriticalSpeed(
                    line.name,
                    line.order,
                    float(value) * RPM,
                    line.order * float(value) / (2.0 * math.pi),
                    sense,
                    share,
                    _damped_there(model, float(value), line.order * float(value), shape),
                    where,
                    margin,
                )
            )
    return sorted(found, key=lambda c: c.speed_rpm)


def _damped_there(model: WhirlModel, speed: float, frequency: float, shape: Complex) -> float | None:
    """Logarithmic decrement of the damped mode like a shape; None where none swings like it."""
    poles, shapes = model.rotor.poles(speed)
    close = np.flatnonzero(np.abs(poles.imag - frequency) <= 0.3 * frequency)
    if not len(close):
        return None
    mass = model.rotor.system.mass.toarray()
    x = shapes[:, close]
    alike = np.abs(shape.conj() @ mass @ x) ** 2 / np.real(np.einsum("ik,ij,jk->k", x.conj(), mass, x))
    best = close[int(np.argmax(alike / np.real(shape.conj() @ mass @ shape)))]
    return decrement(poles[best])


def _dense(speeds: Float, critical: Sequence[CriticalSpeed]) -> Float:
    """Speeds for a response: those given without zero, and some about each damped critical speed, as close as its peak is narrow."""
    found = [speeds[speeds > 0.0]]
    for c in critical:
        ratio = abs(c.log_decrement or 0.0) / (2.0 * math.pi)
        if ratio > 1e-5:
            center = c.speed_rpm / RPM
            around = center * (1.0 + ratio * np.array([-8.0, -4.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 4.0, 8.0]))
            found.append(around[(around > 0.0) & (around <= speeds[-1])])
    return np.unique(np.concatenate(found))


def _bearing_rows(model: WhirlModel) -> list[int]:
    """Rows of the radial directions of bearings on shafts and wheels."""
    system, train = model.rotor.system, model.train
    names = {c.element for c in system.channels if c.kind == "bearing"} | set(train.bearings)
    ends = tuple(f"{name}{tail}" for name in names for tail in (".y", ".z", ".axis1", ".axis2"))
    first = system.spring_rows.start
    return [i for i, row in enumerate(system.rows) if i >= first and row.endswith(ends) and row in ends]


def _held_by(model: WhirlModel, rows: Sequence[int]) -> dict[str, float]:
    """Stiffness [N/m] of rows by their names."""
    return {model.rotor.system.rows[i]: float(model.rotor.row_stiffness[i, i]) for i in rows}


def _maps(model: WhirlModel, rows: Sequence[int], factors: Float, top: float) -> list[CriticalSpeedMap]:
    """Critical speeds of the shafts' own lines over a factor on the stiffness of bearings, up to twice the highest speed."""
    lines = [line for line in model.lines if line.kind == "shaft"]
    if not rows:
        return []
    found: dict[str, list[tuple[list[float], list[Sense]]]] = {line.name: [] for line in lines}
    for factor in each("stiffness", list(factors)):
        changed = model.rotor.stiffened(rows, float(factor))
        for line in lines:
            values, shapes = changed.critical_speeds(line.order)
            inside = values <= 2.0 * top
            senses = [model.named(x)[0] for x in shapes[:, inside].T]
            found[line.name].append(((values[inside] * RPM).tolist(), senses))
    return [
        CriticalSpeedMap(
            line.name, line.order, factors.tolist(), [v for v, _ in found[line.name]], [s for _, s in found[line.name]]
        )
        for line in lines
    ]
