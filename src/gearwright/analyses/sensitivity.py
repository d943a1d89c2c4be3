"""How frequencies, damping, static loads and spectral equivalent loads depend on the numbers of a file."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.errors import DrivetrainError, listed
from gearwright.progress import each
from gearwright.remarks import Remark, assumed, train_remarks
from gearwright.schema.numbers import FileNumber
from gearwright.solve.steady.modes import free_motions, modes
from gearwright.solve.steady.rows import row_matrices
from gearwright.solve.steady.sensitivity import (
    Matrices,
    Output,
    damped,
    damping_changes,
    frequency_changes,
    pole_changes,
    spectral,
)
from gearwright.system import Source, System
from gearwright.units import in_si, split

from .base import ASIDE, OPTIONAL, Analysis, Column, Picture, Table, drivetrain_of
from .modal import ModalTable, classify
from .neighbours import (
    Assembled,
    Model,
    Pair,
    assembled,
    chosen_numbers,
    load_changes,
    loads_of,
    matrices_of,
    neighbours,
    static_of,
)
from .picture import Curve

Float = NDArray[np.float64]

#: exponents of the equivalent loads of meshes, bearings and shafts where none is asked for
EXPONENT = 4.0
#: changes below this part of one percent per percent are not shown
FLOOR = 5e-4
#: rows of a table on a terminal
SHOWN_MODES, SHOWN_NUMBERS = 6, 4


@dataclass(frozen=True)
class Shaking:
    """A random torque on a body: its standard deviation [N m] and the corner [Hz] of its one-sided density
    ``S = S_0/(1 + (f/f_c)^2)``, which falls off from there on; ``exponent`` m of the equivalent load."""

    body: str
    deviation: float
    corner: float
    exponent: float = EXPONENT

    def density(self, w: Float) -> Float:
        """One-sided density [(N m)^2/(rad/s)] at circular frequencies [rad/s]."""
        corner = 2.0 * math.pi * self.corner
        return np.asarray(2.0 * self.deviation**2 / (math.pi * corner) / (1.0 + (w / corner) ** 2))


@dataclass(frozen=True)
class SpectralLoads:
    """Loads of a model that a random torque shakes: names, standard deviations, rates of upward crossings of the mean [1/s], and the
    relative change of each equivalent load (loads, numbers)."""

    shaking: Shaking
    channels: Sequence[str]
    deviation: Any
    rate: Any
    equivalent: Any


@dataclass(frozen=True, repr=False, eq=False)
class Sensitivity(Analysis):
    """Relative changes: percent per percent of a number of the file.

    ``numbers`` are the paths, ``values`` what the file has there. ``frequency`` and ``damping`` have a row for every elastic mode
    (``modes``: its number in :func:`gearwright.modes`) and a column for every number: ``d ln f/d ln p`` and ``d ln zeta/d ln p``
    (NaN where a mode has no damping). ``load`` has a row for every load of ``loads`` at the operating torque.
    """

    name: str
    fidelity: str
    law: str
    numbers: Sequence[str]
    values: Sequence[str]
    modes: Sequence[int]
    kinds: Sequence[str]
    frequencies_hz: Any
    damping_ratios: Any
    frequency: Any
    damping: Any
    loads: Mapping[str, float]
    load: Any
    spectral: SpectralLoads | None = field(default=None, metadata=OPTIONAL)
    table: ModalTable = field(kw_only=True, metadata=ASIDE)

    @property
    def title(self) -> str:
        """Name, fidelity and law."""
        return f"{self.name} ({self.fidelity}, {self.law})"

    def ranked(self, row: Any) -> list[tuple[str, float]]:
        """Numbers by the size of their influence in a row of ``frequency``, ``damping`` or ``load``, the largest first."""
        found = [(n, float(x)) for n, x in zip(self.numbers, row, strict=True) if np.isfinite(x) and abs(x) > FLOOR]
        return sorted(found, key=lambda item: -abs(item[1]))

    def strongest(self, rows: Any, most: int) -> list[int]:
        """Columns of the numbers with the largest influence on any row, as many as ``most``."""
        size = np.nan_to_num(np.abs(np.asarray(rows, float))).max(axis=0, initial=0.0)
        order = [int(j) for j in np.argsort(-size, kind="stable") if size[j] > FLOOR]
        return sorted(order[:most], key=lambda j: -size[j])

    def shown(self) -> Iterator[Table | str]:
        """For the lowest modes and the largest loads, the numbers that move them most."""
        columns = ["mode", Column("f", "Hz", 4), "number", Column("f", "%/%", 3), Column("damping", "%/%", 3)]
        rows: list[list[Any]] = []
        for i in range(min(len(self.modes), SHOWN_MODES)):
            for k, (number, change) in enumerate(self.ranked(self.frequency[i])[:SHOWN_NUMBERS]):
                own = float(self.damping[i][list(self.numbers).index(number)])
                head = [self.modes[i], float(self.frequencies_hz[i])] if k == 0 else ["", None]
                rows.append([*head, number, change, own if math.isfinite(own) else None])
        yield Table(f"Sensitivity of {self.title}", columns, rows)
        rows = []
        for i, name in enumerate(self.loads):
            for k, (number, change) in enumerate(self.ranked(self.load[i])[:2] if _first(name) else []):
                rows.append([name if k == 0 else "", number, change])
        if rows:
            yield Table("Static loads at the operating torque", ["load", "number", Column("load", "%/%", 3)], rows[:24])
        if self.spectral is not None:
            yield self._spectral_table(self.spectral)

    def _spectral_table(self, s: SpectralLoads) -> Table:
        rows: list[list[Any]] = []
        for i, name in enumerate(s.channels):
            for k, (number, change) in enumerate(self.ranked(s.equivalent[i])[:3] if _first(name) else []):
                rows.append([name if k == 0 else "", float(s.deviation[i]) if k == 0 else None, number, change])
        columns = ["load", Column("std", "SI", 4), "number", Column("DEL", "%/%", 3)]
        return Table(f"Equivalent loads, m = {s.shaking.exponent:g}, shaken at {s.shaking.body}", columns, rows[:24])

    def picture(self) -> Picture:
        """Influence of the strongest numbers on the lowest modes."""
        some = self.strongest(self.frequency[:SHOWN_MODES], 8)
        bars = [
            Curve(
                f"mode {self.modes[i]}, {self.frequencies_hz[i]:.3g} Hz",
                [self.numbers[j] for j in some],
                [float(self.frequency[i][j]) for j in some],
                "bars",
            )
            for i in range(min(len(self.modes), SHOWN_MODES))
        ]
        return Picture("number", "change of the frequency [% per %]", bars)


def sensitivity(
    drivetrain: Any,
    of: Sequence[str] | str = (),
    *,
    fidelity: str | None = None,
    law: str | None = None,
    shaking: Shaking | str | None = None,
    overrides: Sequence[str] = (),
) -> Sensitivity:
    """Derivatives of frequencies, damping, static loads and spectral equivalent loads with respect to numbers of the file.

    Closed forms (:mod:`gearwright.solve.steady.sensitivity`) of how the matrices change, which are assembled on both sides of
    every number. One number at a time: what the file states beside it stays (a mass that is given does not follow a diameter).

    Parameters
    ----------
    drivetrain : a Drivetrain, a path or the name of an example
    of : paths of numbers, of groups, or patterns (``shafts.*``); all numbers of the model without any
    fidelity : overrides the file's
    law : of the meshes; without it ``linear``, constant stiffness
    shaking : a random torque, :class:`Shaking` or text: ``"rotor: 300 kN m, 0.3 Hz"``, with ``", m 10"`` for the exponent
    overrides : ``path=value`` edits

    Raises DrivetrainError for paths that lead to no number, and where no number can move.
    """
    made = drivetrain_of(drivetrain, overrides)
    if (fidelity or made.model.fidelity) in ("multibody", "rigid"):
        raise DrivetrainError(
            f"fidelity {fidelity or made.model.fidelity} has no linear model to differentiate; take torsional, planar or spatial"
        )
    model = Model.of(made, fidelity, law or "linear")
    numbers = chosen_numbers(made, [of] if isinstance(of, str) else list(of))
    base = assembled(model)
    shaken = None if shaking is None else _shaking(shaking, base)
    pairs, refused = _pairs(model, base, numbers, bool(of))
    return _found(made, base, pairs, refused, shaken, law is None)


def _pairs(model: Model, base: Assembled, numbers: Sequence[FileNumber], strict: bool) -> tuple[list[Pair], list[str]]:
    """Neighbours for every number that can move, and why others cannot."""
    pairs: list[Pair] = []
    refused: list[str] = []
    for number in each("number", list(numbers)):
        try:
            pairs.append(neighbours(model, base, [number]))
        except DrivetrainError as error:
            if strict and len(numbers) == 1:
                raise
            refused.append(str(error))
    if not pairs:
        raise DrivetrainError(f"none of these numbers can move alone: {refused[0] if refused else 'there is none'}")
    return pairs, refused


def _found(
    made: Any, base: Assembled, pairs: list[Pair], refused: list[str], shaken: Shaking | None, silent: bool
) -> Sensitivity:
    """All derivatives."""
    table = classify(modes(base.free), base.free, base.train)
    found = table.modes
    elastic = [i for i in range(found.rigid, found.count) if found.frequencies_hz[i] > 0.0]
    own = matrices_of(base.free)
    poles = damped(found, own)
    changes = [pair.matrices() for pair in pairs]
    f = np.array([frequency_changes(found, c)[elastic] for c in changes]).T / found.frequencies_hz[elastic, None]
    ratios = _ratios(poles.values, poles.of_mode)[elastic]
    z = np.array([damping_changes(poles, pole_changes(poles, own, c))[elastic] for c in changes]).T / ratios[:, None]
    static = static_of(base)
    loads = {} if static is None or base.loaded is None else _lasting(loads_of(base.loaded, static))
    moved = [] if static is None else [load_changes(base, static, pair) for pair in pairs]
    load = np.array([[m[name] / value for m in moved] for name, value in loads.items()]).reshape(len(loads), len(pairs))
    keep = [j for j in range(len(pairs)) if _counts(f[:, j], z[:, j], load[:, j])]
    spectra = None if shaken is None else _spectral(base, own, pairs, changes, shaken, keep)
    said = [*train_remarks(base.train.notes), *base.free.provenance.notes, *_remarks(len(pairs), keep, refused, silent)]
    if static is None:
        said.append(
            Remark("no static loads: the file has no operating point (operating: {input, output, speed, torque})")
        )
    return Sensitivity(
        made.name,
        base.free.provenance.fidelity,
        base.free.provenance.law,
        [pairs[j].number.path for j in keep],
        [pairs[j].number.shown for j in keep],
        [i + 1 for i in elastic],
        [table.kinds[i] for i in elastic],
        np.asarray(found.frequencies_hz)[elastic],
        ratios,
        f[:, keep],
        z[:, keep],
        loads,
        load[:, keep],
        spectra,
        table=table,
        remarks=said,
    )


def _first(name: str) -> bool:
    """Whether a load is none of a further planet, which is as that of the first: tables show one of them."""
    return re.search(r"planet(?:[2-9]|\d\d)", name) is None


def _ratios(poles: Any, of_mode: Any) -> Float:
    """Damping ratio of the pole of every mode; NaN without one or without damping."""
    ratios = np.array([-poles[j].real / abs(poles[j]) if j >= 0 else np.nan for j in of_mode])
    return np.where(np.abs(ratios) > 1e-12, ratios, np.nan)


def _lasting(loads: Mapping[str, float]) -> dict[str, float]:
    """Loads that are no round-off of the largest of their kind."""
    most: dict[str, float] = {}
    for name, value in loads.items():
        kind = name.rpartition(".")[2]
        most[kind] = max(most.get(kind, 0.0), abs(value))
    return {n: v for n, v in loads.items() if abs(v) > 1e-6 * most[n.rpartition(".")[2]]}


def _counts(*columns: Float) -> bool:
    """Whether a number changes anything."""
    return any(np.nan_to_num(np.abs(c)).max(initial=0.0) > 1e-9 for c in columns)


def _remarks(asked: int, keep: Sequence[int], refused: Sequence[str], silent: bool) -> list[str]:
    said: list[str] = []
    if silent:
        said.append(
            assumed("law linear: meshes with their constant stiffness (law: the file's, where it is asked for)")
        )
    said.append(
        Remark(
            "the life of a roller bearing changes by -10/3 (balls -3), pitting safety by -1/2, root safety by -1 "
            "times what is said of its load"
        )
    )
    if asked > len(keep):
        said.append(Remark(f"{asked - len(keep)} of {asked} numbers change nothing here and are left out"))
    if refused:
        said.append(
            Remark(f"{len(refused)} numbers cannot move alone, as others of the file fix them: {listed(refused, 2)}")
        )
    return said


# --- spectra -----------------------------------------------------------------------------------------------


def _shaking(given: Shaking | str, base: Assembled) -> Shaking:
    """A random torque from its words. Raises DrivetrainError."""
    if isinstance(given, str):
        body, _, rest = given.partition(":")
        parts = [p.strip() for p in rest.split(",") if p.strip()]
        if len(parts) not in (2, 3) or (len(parts) == 3 and not parts[2].startswith("m ")):
            raise DrivetrainError(
                f"shaking '{given}': write BODY: DEVIATION, CORNER, such as 'rotor: 300 kN m, 0.3 Hz'"
            )
        exponent = EXPONENT if len(parts) == 2 else in_si(split(parts[2][2:])[0], "number", "m")
        deviation = in_si(parts[0], "torque", "deviation")
        corner = in_si(parts[1], "frequency", "corner")
        given = Shaking(body.strip(), deviation, corner, exponent)
    if given.deviation <= 0.0 or given.corner <= 0.0 or given.exponent < 1.0:
        raise DrivetrainError("a random torque has a positive deviation and corner, and an exponent of 1 or more")
    if f"{given.body}.rotation" not in base.free.coordinates:
        turning = [c.removesuffix(".rotation") for c in base.free.coordinates if c.endswith(".rotation")]
        raise DrivetrainError(f"no body '{given.body}' turns; there are {listed(turning, 12)}")
    return given


def _spectral(
    base: Assembled,
    own: Matrices,
    pairs: Sequence[Pair],
    changes: Sequence[Matrices],
    shaking: Shaking,
    keep: Sequence[int],
) -> SpectralLoads:
    """Loads under a random torque and their derivatives."""
    system = base.free
    basis = free_motions(system).basis
    load = basis.T @ np.eye(len(basis))[system.coordinates.index(f"{shaking.body}.rotation")]
    channels = [
        c for kind in ("shaft", "mesh") for c in system.channels if c.kind == kind and c.quantity in ("force", "torque")
    ]
    channels = [c for c in channels if all(s is Source.FORCE for s, _, _ in c.terms)]
    names = [c.name for c in channels]
    w = frequencies_of(classify(modes(system), system, base.train), shaking)
    moved = []
    for j in keep:
        low, high = (_outputs(end.free, names, basis) for end in (pairs[j].low, pairs[j].high))
        per = 0.5 / pairs[j].step
        moved.append(Output(per * (high.stiff - low.stiff), per * (high.damp - low.damp)))
    found = spectral(
        _onto(own, basis),
        [_onto(changes[j], basis) for j in keep],
        load,
        _outputs(system, names, basis),
        moved,
        w,
        shaking.density(w),
    )
    return SpectralLoads(shaking, names, found.deviation, found.rate, found.equivalent_change(shaking.exponent))


def frequencies_of(table: ModalTable, shaking: Shaking) -> Float:
    """Circular frequencies of the integration [rad/s]: from a fortieth of the corner to thirty times the larger of corner and first
    mode, close where a mode swings."""
    m = table.modes
    elastic = [(float(f), float(z)) for f, z in zip(m.frequencies_hz, m.damping_ratios, strict=True) if f > 1e-6]
    top = 30.0 * max(shaking.corner, elastic[0][0] if elastic else 0.0)
    grid = [np.geomspace(shaking.corner / 40.0, top, 300)]
    for f, z in elastic:
        if f < top:
            width = f * max(abs(z) if math.isfinite(z) else 1.0, 1e-4)
            grid.append(f + width * np.sinh(np.linspace(-3.5, 3.5, 41)))
    points = np.unique(np.concatenate(grid))
    return np.asarray(2.0 * math.pi * points[(points > 0.0) & (points <= top)])


def _outputs(system: System, names: Sequence[str], basis: Float) -> Output:
    """Rows of channels over the free motions."""
    k, c = row_matrices(system, None, None, 0.0)
    rows = system.D.toarray()
    weights = np.zeros((len(names), len(rows)))
    by = {channel.name: channel for channel in system.channels}
    for i, name in enumerate(names):
        for _, index, value in by[name].terms:
            weights[i, index] += value
    return Output(weights @ k @ rows @ basis, weights @ c @ rows @ basis)


def _onto(m: Matrices, basis: Float) -> Matrices:
    return Matrices(basis.T @ m.mass @ basis, basis.T @ m.damping @ basis, basis.T @ m.stiffness @ basis)
