"""Campbell diagram: natural frequencies over rotor speed against what excites them, and where they meet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gearwright.figures.campbell import Campbell, Crossing, Line
from gearwright.progress import each
from gearwright.solve.steady.modes import modes, speed_matrices
from gearwright.system import System
from gearwright.train.train import HOUSING, Bearing, Coupling, Mesh, Shaft, Train

from .base import ASIDE, Analysis, Column, Picture, Table
from .modal import ModalTable, classify
from .picture import Curve

Float = NDArray[np.float64]
RPM = 30.0 / np.pi


@dataclass(frozen=True)
class Excitation(Line):
    """A line of ``kind`` ``rotor`` (1P, blade passing: only with blades), ``shaft`` or ``mesh``; ``harmonic`` counts from 1."""

    kind: str = ""
    harmonic: int = 1

    def frequency_hz(self, speed: float) -> float:
        """Frequency [Hz] at an input speed [rad/s]."""
        return self.order * abs(speed) / (2 * np.pi)


@dataclass(frozen=True, repr=False, eq=False)
class CampbellDiagram(Analysis, Campbell):
    """Frequencies over input speed up to 1.2 times the operating speed, excitation lines, and where they meet.

    ``frequencies_hz`` has a row for every mode and a column for every speed; ``lines`` have ``name``, ``order`` (cycles per turn of
    the input) and the ``elements`` they shake; ``crossings`` are ranked by the share of the mode's energy in these elements,
    ``margin`` is their distance from the operating speed.
    """

    name: str = field(default="", metadata=ASIDE)

    def shown(self) -> Iterator[Table | str]:
        """The crossings."""
        columns = [
            "line",
            Column("order", "", 5),
            "mode",
            "kind",
            Column("frequency", "Hz", 5),
            Column("speed", "1/min", 5),
            Column("energy share", "%", 3),
            Column("margin", "%", 3),
        ]
        rows = [
            [c.line, c.order, c.mode, c.kind, c.frequency_hz, c.speed_rpm, c.share, c.margin] for c in self.crossings
        ]
        yield Table(f"Crossings of {self.name}", columns, rows)

    def picture(self) -> Picture:
        """Frequencies and lines over speed."""
        curves = [Curve(f"mode {i + 1}", self.speeds_rpm, f) for i, f in enumerate(self.frequencies_hz)]
        top = max((max(f) for f in self.frequencies_hz), default=0.0)
        for line in self.lines:
            y = [line.order * n / 60.0 for n in self.speeds_rpm]
            curves.append(Curve(line.name, self.speeds_rpm, [v if v <= 1.1 * top else None for v in y]))
        return Picture("input speed [rpm]", "frequency [Hz]", curves)


def excitation_lines(train: Train, harmonics: int = 3, blades: int | None = None) -> tuple[Excitation, ...]:
    """Excitations of a train: with ``blades`` 1P and blade passing at the input, every shaft speed, every mesh frequency.

    Orders count per turn of the input. A mesh frequency is the tooth number of a wheel times its speed seen
    from the carrier; meshes of one frequency make one line. Bodies that turn as the input does belong to its line.

    Raises ValueError if the train has no kinematics (``Train.ratios``).
    """
    if not train.ratios or train.input is None:
        raise ValueError(f"train '{train.name}' has no input or no speed ratios: its excitation orders are not known")
    base = abs(train.ratios.get(train.input, 1.0)) or 1.0
    at_input = _touching(train, [train.input])
    lines = [Excitation(f"shaft {train.input}", 1.0, at_input, "shaft")]
    if blades:
        lines = [Excitation(f"{n}P", float(n), at_input, "rotor") for n in sorted({1, blades})]
    for order, names in _equal({name: abs(r) / base for name, r in train.ratios.items() if name in train.bodies}):
        if order > 1e-9 and abs(order - 1.0) > 1e-9:
            lines.append(Excitation(f"shaft {names[0]}", order, _touching(train, names), "shaft"))
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
            lines.append(
                Excitation(f"{h} x mesh {stage}" if h > 1 else f"mesh {stage}", h * order, tuple(names), "mesh", h)
            )
    return tuple(lines)


def campbell(
    system: System,
    train: Train,
    speeds: ArrayLike,
    lines: Sequence[Excitation] | None = None,
    at_rest: ModalTable | None = None,
    blades: int | None = None,
    said: Sequence[str] = (),
) -> CampbellDiagram:
    """Campbell diagram of a system assembled from ``train``.

    Parameters
    ----------
    speeds : (p,) input speeds [rad/s], ascending, positive
    lines : excitations; None: those of :func:`excitation_lines`
    at_rest : the classified modes of the system standing still, if they are known
    blades : of the rotor at the input, which make blade passing an excitation; None: it has none
    said : remarks on the system

    Raises ValueError for speeds that do not ascend.
    """
    at = np.asarray(speeds, float)
    if at.ndim != 1 or len(at) < 2 or at[0] < 0 or (np.diff(at) <= 0).any():
        raise ValueError("a Campbell diagram needs at least two ascending, positive speeds")
    lines = excitation_lines(train, blades=blades) if lines is None else lines
    if _depends_on_speed(system, train, at[-1]):
        tables = [
            classify(modes(system, speed=_amount(system, train, float(w))), system, train)
            for w in each("speed", list(at))
        ]
    else:
        tables = [at_rest or classify(modes(system), system, train)] * len(at)
    frequencies = np.array([t.modes.frequencies_hz for t in tables])
    operating = abs(train.speed) if train.speed else None
    crossings = [c for line in lines for c in _crossings(line, at, frequencies, tables, train.speed)]
    crossings.sort(key=lambda c: (-(c.share or 0.0), c.speed_rpm))
    return CampbellDiagram(
        [float(x) * RPM for x in at],
        frequencies.T.tolist(),
        [Line(x.name, x.order, x.elements) for x in lines],
        crossings,
        operating and operating * RPM,
        train.name,
        remarks=said,
    )


def _crossings(
    line: Excitation, speeds: Float, frequencies: Float, tables: Sequence[ModalTable], operating: float | None
) -> list[Crossing]:
    """Where the line meets a mode, frequencies linear between the speeds."""
    found = []
    distance = frequencies - np.array([line.frequency_hz(speed) for speed in speeds])[:, None]
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
            frequency = float(line.frequency_hz(speed))
            found.append(
                Crossing(mode + 1, line.name, line.order, speed * RPM, frequency, share, margin, table.kinds[mode])
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
    groups: tuple[Mapping[str, Mesh | Bearing | Shaft | Coupling], ...] = (
        train.meshes,
        train.bearings,
        train.shafts,
        train.couplings,
    )
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
