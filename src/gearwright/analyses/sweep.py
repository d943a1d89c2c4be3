"""A case swept up and down in frequency: what nonlinear meshes answer depends on where they come from.

Either the frequency of the case's sine loads, or the speed of its driven body (and so the mesh frequency), goes up step
by step and down again, every step starting where the one before ended. Between the first and the last sample of each
step's last periods: peak-to-peak and rms of every mesh's deflection, and the share of time without contact.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from gearwright.errors import DrivetrainError
from gearwright.figures.format import finite, named
from gearwright.progress import each
from gearwright.running.prepare import prepare
from gearwright.running.start import initial_state
from gearwright.solve.choose import choose
from gearwright.system import Signal, System
from gearwright.system.signals import pack

from .base import ASIDE, Analysis, Column, Picture, Table, drivetrain_of, quantities
from .picture import Curve

Float = NDArray[np.float64]
#: change from one step to the next that is a jump, by the larger of both answers; difference of both ways that counts
JUMP, APART = 0.3, 0.05


@dataclass(frozen=True)
class Jump:
    """Where the answer of a mesh leaps: between two frequencies [Hz], peak-to-peak before and after [m]."""

    mesh: str
    direction: str
    between: tuple[float, float]
    before: float
    after: float


@dataclass(frozen=True, repr=False, eq=False)
class Sweep(Analysis):
    """Answers of the meshes over frequency.

    ``frequency`` (n,) ascending [Hz]; ``up`` and ``down`` hold by quantity (``peak_to_peak`` [m], ``rms`` [m] of the
    deflection about its mean, ``loss`` share of time without contact) arrays (n, meshes).
    """

    of: Literal["load", "speed"]
    meshes: tuple[str, ...]
    frequency: Float = field(metadata=named("frequency_hz"))
    up: dict[str, Float]
    down: dict[str, Float]
    method: str
    name: str = field(default="", metadata=ASIDE)
    TOLD: ClassVar = ("jumps",)

    @property
    def jumps(self) -> list[Jump]:
        """Leaps of the peak-to-peak values in both directions."""
        found = []
        for direction, answers in (("up", self.up), ("down", self.down)):
            order = np.arange(len(self.frequency))
            order = order if direction == "up" else order[::-1]
            f, all_ = self.frequency[order], answers["peak_to_peak"][order]
            for j, mesh in enumerate(self.meshes):
                y = all_[:, j]
                for i in range(len(y) - 1):
                    larger = max(y[i], y[i + 1])
                    smooth = abs(y[i] - y[i - 1]) if i else 0.0
                    if abs(y[i + 1] - y[i]) > max(JUMP * larger, 3.0 * smooth):
                        found.append(
                            Jump(mesh, direction, (float(f[i]), float(f[i + 1])), float(y[i]), float(y[i + 1]))
                        )
        return found

    def bistable(self, mesh: str) -> list[tuple[float, float]]:
        """Ranges of frequency [Hz] in which the two ways differ."""
        j = self.meshes.index(mesh)
        a, b = self.up["peak_to_peak"][:, j], self.down["peak_to_peak"][:, j]
        apart = np.abs(a - b) > APART * np.maximum(a, b)
        edges = np.flatnonzero(np.diff(np.concatenate([[False], apart, [False]]).astype(int)))
        return [
            (float(self.frequency[i]), float(self.frequency[j - 1]))
            for i, j in zip(edges[::2], edges[1::2], strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        """As the command prints it: a row of ``up`` and ``down`` is a mesh."""
        ways = {"up": self.up, "down": self.down}
        return {
            **super().to_dict(),
            **{way: finite({k: v.T for k, v in answers.items()}) for way, answers in ways.items()},
            "bistable": finite({m: self.bistable(m) for m in self.meshes}),
        }

    def shown(self) -> Iterator[Table | str]:
        """Every mesh: both ways over frequency, its jumps, and where there are two answers."""
        way = [Column("p-p", "um"), Column("rms", "um"), "no contact"]
        heads = [Column("", "Hz", 6), Column("up: p-p", "um"), *way[1:], Column("down: p-p", "um"), *way[1:]]
        for j, mesh in enumerate(self.meshes):
            rows = [
                [float(f), *(float(w[k][i, j]) for w in (self.up, self.down) for k in ("peak_to_peak", "rms", "loss"))]
                for i, f in enumerate(self.frequency)
            ]
            yield Table(f"{mesh}, deflection", heads, rows)
            for jump in self.jumps:
                if jump.mesh == mesh:
                    a, b = sorted(jump.between)
                    yield (
                        f"  jump on the way {jump.direction} between {a:.6g} and {b:.6g} Hz: "
                        f"{1e6 * jump.before:.4g} to {1e6 * jump.after:.4g} um peak to peak"
                    )
            for a, b in self.bistable(mesh):
                yield f"  two answers from {a:.6g} to {b:.6g} Hz"

    def picture(self) -> Picture:
        """Peak-to-peak deflection both ways."""
        curves = [
            Curve(f"{mesh}, {way}", self.frequency, answers["peak_to_peak"][:, j])
            for j, mesh in enumerate(self.meshes)
            for way, answers in (("up", self.up), ("down", self.down))
        ]
        return Picture(f"{self.of} frequency [Hz]", "deflection, peak to peak [m]", curves)


def sweep(
    drivetrain: Any,
    case: str | None,
    frequencies: str | Sequence[float | str],
    of: Literal["load", "speed"] | None = None,
    *,
    fidelity: str | None = None,
    law: str | None = None,
    settle: int = 200,
    measure: int = 20,
    samples: int = 128,
    tolerance: float = 1e-4,
    overrides: Sequence[str] = (),
) -> Sweep:
    """Sweep a case up and down.

    Parameters
    ----------
    drivetrain, case : a Drivetrain, a path or the name of an example, and one of its cases; None: the first
    frequencies : ascending [Hz], or one text, ``"400 Hz to 900 Hz in 61"``: of the sine loads, or the mesh frequency of the first mesh
    of : what is swept; default: the sine loads where the case has any, else the speed
    settle, measure : periods that each step runs before, and that it measures
    samples : per period

    Raises DrivetrainError for a case that has neither sine loads nor a driven body, or frequencies that do not rise.
    """
    f = np.asarray(quantities(frequencies, "frequency", "frequencies"), float)
    if len(f) < 2 or not (f[0] > 0.0 and (np.diff(f) > 0.0).all()):
        raise DrivetrainError("a sweep needs at least two rising frequencies above zero")
    if settle < 1 or measure < 1 or samples < 16:
        raise DrivetrainError("a sweep needs at least one period to settle and one to measure, and 16 samples a period")
    made = drivetrain_of(drivetrain, overrides, case)
    prepared = prepare(made, case, fidelity=fidelity, law=law, duration=1.0)
    system = prepared.system
    sines = [i for i, s in enumerate(system.signals) if s.sine[0] != 0.0]
    driven = list(system.prescribed.values())
    of = of or ("load" if sines else "speed")
    if of == "load" and not sines:
        raise DrivetrainError("this case has no sine load whose frequency could be swept; give one, or sweep the speed")
    if of == "speed" and not driven:
        raise DrivetrainError("this case drives no body at a speed (speeds: {BODY: ...}); sweep the load, or give one")
    meshes = tuple(dict.fromkeys(c.element for c in system.channels if c.kind == "mesh" and c.quantity == "deflection"))
    names = {(c.element, c.quantity): c for c in system.channels if c.kind == "mesh"}
    channels = tuple(names[(m, q)] for m in meshes for q in ("deflection", "force"))
    if not meshes:
        raise DrivetrainError("there is no mesh whose answer could be swept")
    base = _mesh_hz(prepared) if of == "speed" else 0.0
    if of == "speed" and not base > 0.0:
        raise DrivetrainError(
            "the case stands still: its driven speed times the teeth gives the mesh frequency to start from"
        )
    chosen, _ = choose(system, 1.0 / (samples * float(f[0])), tolerance)
    at_first = _at(system, sines, of, float(f[0]), base, {})
    state = initial_state(dataclasses.replace(prepared, system=at_first))
    answers: list[dict[str, Float]] = []
    turning = at_first.v0
    phases: dict[int, float] = {i: system.signals[i].sine[2] for i in sines}
    for direction in each("direction", (range(len(f)), range(len(f) - 1, -1, -1))):
        kept = {k: np.zeros((len(f), len(meshes))) for k in ("peak_to_peak", "rms", "loss")}
        for i in each("frequency", direction):
            here = _at(system, sines, of, float(f[i]), base, phases)
            state.v += here.v0 - turning  # the swing stays as it is
            turning = here.v0
            state.t = 0.0
            interval = 1.0 / (samples * float(f[i]))
            plan = chosen.prepare(here, channels, interval, tolerance)
            chosen.advance(plan, state, settle * samples)
            lines = chosen.advance(plan, state, measure * samples).lines
            d, force = lines[:, 0::2], lines[:, 1::2]
            kept["peak_to_peak"][i] = np.ptp(d, axis=0)
            kept["rms"][i] = d.std(axis=0)
            kept["loss"][i] = (np.abs(force) <= 1e-9 * np.abs(force).max(axis=0, initial=1e-300)).mean(axis=0)
            for j in sines:
                phases[j] = math.remainder(phases[j] + 2.0 * math.pi * float(f[i]) * state.t, 2.0 * math.pi)
        answers.append(kept)
    return Sweep(of, meshes, f, answers[0], answers[1], chosen.name, made.name)


def _mesh_hz(prepared: Any) -> float:
    """Mesh frequency of the first mesh at the initial speeds [Hz]."""
    system = prepared.system
    mesh = next(iter(prepared.train.meshes.values()))
    if mesh.teeth is None:
        raise DrivetrainError(f"mesh '{mesh.name}' has no teeth; its mesh frequency is not known")
    speed = dict(zip(system.coordinates, system.v0, strict=True))
    first = speed.get(f"{mesh.between[0]}.rotation", 0.0) - (speed.get(f"{mesh.on}.rotation", 0.0) if mesh.on else 0.0)
    return abs(first) * mesh.teeth[0] / (2.0 * math.pi)


def _at(system: System, sines: list[int], of: str, frequency: float, base: float, phases: dict[int, float]) -> System:
    """The system at one frequency: sines of it, or driven speeds, and loads over speed, that belong to it."""
    signals = list(system.signals)
    a, v0 = system.arrays, system.v0
    f0 = a.f0
    if of == "load":
        for i in sines:
            amplitude, _, phase, start = signals[i].sine
            signals[i] = dataclasses.replace(
                signals[i], sine=(amplitude, 2.0 * math.pi * frequency, phases.get(i, phase), start)
            )
    else:
        factor = frequency / base
        for i in set(system.prescribed.values()):
            signals[i] = _times(signals[i], factor)
        v0 = v0 * factor
        f0 = a.f0.copy()
        for j in range(system.shape.springs):
            if ".slope" in system.rows[system.spring_rows.start + j]:
                f0[j] *= factor
    sptr, sstart, scoef, ssin, sdt = pack(signals)
    arrays = a._replace(sptr=sptr, sstart=sstart, scoef=scoef, ssin=ssin, sdt=sdt, f0=f0)
    return dataclasses.replace(system, arrays=arrays, signals=tuple(signals), v0=v0)


def _times(signal: Signal, factor: float) -> Signal:
    amplitude, rate, phase, start = signal.sine
    return dataclasses.replace(
        signal, coefficients=signal.coefficients * factor, sine=(amplitude * factor, rate, phase, start)
    )
