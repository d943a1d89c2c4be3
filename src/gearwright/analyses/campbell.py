"""Campbell diagram: natural frequencies over rotor speed against what excites them, and where they meet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gearwright.progress import each
from gearwright.solve.steady.modes import modes, speed_matrices
from gearwright.system import System
from gearwright.train.train import HOUSING, Train

from .modal import ModalTable, classify

Float = NDArray[np.float64]
Matrices = Callable[[float], tuple[Float, Float]]


@dataclass(frozen=True)
class Line:
    """An excitation: ``order`` cycles per turn of the input (rotor); ``elements`` are what it shakes.

    ``kind`` is ``rotor`` (1P, blade passing: only with blades), ``shaft`` or ``mesh``; ``harmonic`` counts from 1.
    """

    name: str
    kind: str
    order: float
    harmonic: int
    elements: tuple[str, ...]

    def frequency_hz(self, speed: ArrayLike) -> Float:
        """Frequency [Hz] at input speeds [rad/s]."""
        return np.asarray(self.order * np.abs(np.asarray(speed, float)) / (2 * np.pi))


@dataclass(frozen=True)
class Resonance:
    """A crossing of a mode with an excitation.

    ``speed`` [rad/s] of the input; ``energy_share`` of the mode's strain energy in the elements that the line
    shakes; ``margin`` = speed / operating speed - 1 (None without an operating speed).
    """

    frequency_hz: float
    speed: float
    line: str
    order: float
    mode: int
    kind: str
    energy_share: float
    margin: float | None

    @property
    def speed_rpm(self) -> float:
        """Input speed in rpm."""
        return self.speed * 30.0 / np.pi

    def record(self) -> dict[str, Any]:
        """As a dictionary, for tables and JSON."""
        return {**self.__dict__, "speed_rpm": self.speed_rpm}


@dataclass(frozen=True)
class Campbell:
    """Frequencies over speed, excitation lines and their crossings.

    Attributes
    ----------
    speeds : (p,) input speeds [rad/s]
    frequencies_hz : (p, k), the same rows where speed changes nothing
    kinds : (k,) kind of every mode, at the first speed
    lines : excitations
    crossings : ranked by energy share, largest first
    operating_speed : [rad/s] or None
    """

    speeds: Float
    frequencies_hz: Float
    kinds: tuple[str, ...]
    lines: tuple[Line, ...]
    crossings: tuple[Resonance, ...]
    operating_speed: float | None

    def table(self, least_share: float = 0.0, within: float | None = None) -> list[dict[str, Any]]:
        """Resonance table: crossings with at least that energy share, and within that distance (a fraction)
        of the operating speed if ``within`` is given and there is one."""
        return [
            c.record()
            for c in self.crossings
            if c.energy_share >= least_share and (within is None or c.margin is None or abs(c.margin) <= within)
        ]


def excitation_lines(train: Train, harmonics: int = 3, blades: int | None = None) -> tuple[Line, ...]:
    """Excitations of a train: with ``blades`` 1P and blade passing at the input, every shaft speed, every mesh frequency.

    Orders count per turn of the input. A mesh frequency is the tooth number of a wheel times its speed seen
    from the carrier; meshes of one frequency make one line. Bodies that turn as the input does belong to its line.

    Raises ValueError if the train has no kinematics (``Train.ratios``).
    """
    if not train.ratios or train.input is None:
        raise ValueError(f"train '{train.name}' has no input or no speed ratios: its excitation orders are not known")
    base = abs(train.ratios.get(train.input, 1.0)) or 1.0
    at_input = _touching(train, [train.input])
    lines = [Line(f"shaft {train.input}", "shaft", 1.0, 1, at_input)]
    if blades:
        lines = [Line(f"{n}P", "rotor", float(n), 1, at_input) for n in sorted({1, blades})]
    for order, names in _equal({name: abs(r) / base for name, r in train.ratios.items() if name in train.bodies}):
        if order > 1e-9 and abs(order - 1.0) > 1e-9:
            lines.append(Line(f"shaft {names[0]}", "shaft", order, 1, _touching(train, names)))
    meshes = {}
    for mesh in train.meshes.values():
        if mesh.teeth is None or mesh.between[0] not in train.ratios:
            continue
        frame = train.ratios.get(mesh.on, 0.0) if mesh.on else 0.0
        meshes[mesh.name] = mesh.teeth[0] * abs(train.ratios[mesh.between[0]] - frame) / base
    for order, names in _equal(meshes):
        if order <= 1e-9:
            continue
        stage = train.meshes[names[0]].stage or names[0]
        for h in range(1, harmonics + 1):
            lines.append(Line(f"{h} x mesh {stage}" if h > 1 else f"mesh {stage}", "mesh", h * order, h, tuple(names)))
    return tuple(lines)


def campbell(
    system: System,
    train: Train,
    speeds: ArrayLike,
    orders: Sequence[Line] | int = 3,
    matrices: Matrices | None = None,
    at_rest: ModalTable | None = None,
    blades: int | None = None,
) -> Campbell:
    """Campbell diagram of a system assembled from ``train``.

    Parameters
    ----------
    speeds : (p,) input speeds [rad/s], ascending, positive
    orders : excitation lines, or how many mesh harmonics :func:`excitation_lines` shall draw
    matrices : function of the input speed that returns further gyroscopic and stiffness matrices (n, n); the
        terms that the system's own laws draw from speed are included without it
    at_rest : the classified modes of the system standing still, if they are known
    blades : of the rotor at the input, which make blade passing an excitation; None: it has none

    Raises ValueError for speeds that do not ascend.
    """
    at = np.asarray(speeds, float)
    if at.ndim != 1 or len(at) < 2 or at[0] < 0 or (np.diff(at) <= 0).any():
        raise ValueError("a Campbell diagram needs at least two ascending, positive speeds")
    lines = excitation_lines(train, orders, blades) if isinstance(orders, int) else tuple(orders)
    tables: list[ModalTable] = []
    if matrices is None and not _depends_on_speed(system, train, at[-1]):
        tables = [at_rest or classify(modes(system), system, train)] * len(at)
    else:
        for w in each("speed", list(at)):
            g, n = matrices(float(w)) if matrices else (None, None)
            found = modes(system, speed=_amount(system, train, float(w)), gyroscopic=g, stiffness=n)
            tables.append(classify(found, system, train))
    frequencies = np.array([t.modes.frequencies_hz for t in tables])
    crossings = [c for line in lines for c in _crossings(line, at, frequencies, tables, train.speed)]
    crossings.sort(key=lambda c: (-c.energy_share, c.speed))
    return Campbell(at, frequencies, tables[0].kinds, lines, tuple(crossings), train.speed)


def _crossings(
    line: Line, speeds: Float, frequencies: Float, tables: Sequence[ModalTable], operating: float | None
) -> list[Resonance]:
    """Where the line meets a mode, frequencies linear between the speeds."""
    found = []
    distance = frequencies - line.frequency_hz(speeds)[:, None]
    for mode in range(frequencies.shape[1]):
        if frequencies[:, mode].max() <= 0.0:
            continue
        d = distance[:, mode]
        for i in np.flatnonzero((d[:-1] > 0) != (d[1:] > 0)).tolist():
            part = d[i] / (d[i] - d[i + 1])
            speed = float(speeds[i] + part * (speeds[i + 1] - speeds[i]))
            table = tables[i] if part < 0.5 else tables[i + 1]
            share = sum(
                float(table.element_energy[mode, table.elements.index(e)]) for e in line.elements if e in table.elements
            )
            margin = speed / operating - 1.0 if operating else None
            found.append(
                Resonance(
                    float(line.frequency_hz(speed)),
                    speed,
                    line.name,
                    line.order,
                    mode,
                    table.kinds[mode],
                    share,
                    margin,
                )
            )
    return found


def _amount(system: System, train: Train, speed: float) -> float:
    """Speed of the reference coordinate of the first rigid motion at an input speed."""
    name = f"{train.input}.rotation"
    if name not in system.coordinates or not system.shape.rigid:
        return speed
    rate = system.u[0, system.coordinates.index(name)]
    return speed / rate if rate else speed


def _depends_on_speed(system: System, train: Train, speed: float) -> bool:
    if not system.shape.rigid:
        return False
    v = system.u[0] * _amount(system, train, speed)
    return any(m.any() for m in speed_matrices(system, v))


def _touching(train: Train, bodies: Sequence[str]) -> tuple[str, ...]:
    """Elements on any of the bodies."""
    wanted = set(bodies)
    groups: tuple[dict[str, Any], ...] = (train.meshes, train.bearings, train.shafts, train.couplings)
    return tuple(name for group in groups for name, item in group.items() if wanted & (set(item.between) - {HOUSING}))


def _equal(orders: dict[str, float]) -> list[tuple[float, list[str]]]:
    """Names grouped by order (relative 1e-6), ascending; in a group as they come."""
    groups: list[tuple[float, list[str]]] = []
    for name, order in sorted(orders.items(), key=lambda item: item[1]):
        if groups and abs(order - groups[-1][0]) <= 1e-6 * max(order, 1.0):
            groups[-1][1].append(name)
        else:
            groups.append((order, [name]))
    place = {name: i for i, name in enumerate(orders)}
    return [(order, sorted(names, key=place.__getitem__)) for order, names in groups]
