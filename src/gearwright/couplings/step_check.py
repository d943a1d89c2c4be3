"""What the exchange with OpenFAST keeps of the drivetrain's mode, over the step: the host of the bridge and a rotor with blades on springs
in two programs, against both in one set of equations that is solved without any step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.controllers.swap import LENGTH, Demand, Measured, fill, read_demand
from gearwright.errors import CouplingError
from gearwright.interchange.openfast_deck import turbine_of
from gearwright.progress import each
from gearwright.turbine import TurbineError

from .gearbox_host import GearboxHost
from .plant import Plant, make_plant
from .played_rotor import PlayedRotor, Way, march

Float = NDArray[np.float64]
#: steps that decks have [s]
STEPS = (0.003125, 0.00625, 0.0125, 0.02)
#: ways of stepping that are compared
WAYS: tuple[Way, ...] = ("loose", "tight")
#: swing of the air's torque as a part of its mean
SWING = 0.02


@dataclass(frozen=True)
class StepRow:
    """One step of one way of stepping: frequency [Hz], damping ratio and amplitude of the shaft torque [N m], and what they differ by
    from the closed form (parts of it; damping: of its value). ``stable`` is false where the swing grew without end."""

    way: str
    step_s: float
    stable: bool
    frequency_hz: float
    damping_ratio: float
    amplitude: float
    frequency_error: float
    damping_error: float
    amplitude_error: float


@dataclass(frozen=True)
class StepCheck:
    """Rows over steps and ways, and the mode by closed form: frequency [Hz], damping ratio, amplitude of the shaft torque [N m] under
    a torque of the air that swings at its frequency."""

    drivetrain: str
    turbine: str
    rotor: PlayedRotor
    frequency_hz: float
    damping_ratio: float
    amplitude: float
    rows: tuple[StepRow, ...]


@dataclass(frozen=True)
class OneSystem:
    """Rotor and drivetrain in one linear system ``M q'' + C q' + K q = p air``; ``line`` over (q, q') is the torque of the shaft."""

    mass: Float
    damping: Float
    stiffness: Float
    acts: Float
    line: Float

    @classmethod
    def of(cls, plant: Plant, rotor: PlayedRotor) -> OneSystem:
        """The rotor's body gets the hub's inertia; the blades hang on it."""
        m, k, c = (np.array(x) for x in plant.system.linear())
        n, hub = len(m), plant.system.coordinates.index(f"{plant.rotor}.rotation")
        line = np.concatenate([k[hub], [0.0], c[hub], [0.0]]) if rotor.blades else np.concatenate([k[hub], c[hub]])
        m[hub, hub] = rotor.hub
        if not rotor.blades:
            return cls(m, c, k, np.eye(n)[hub], line)
        m, c, k = (np.pad(x, (0, 1)) for x in (m, c, k))
        m[n, n] = rotor.blades
        between = np.ix_([hub, n], [hub, n])
        c[between] += rotor.damping * np.array([[1.0, -1.0], [-1.0, 1.0]])
        k[between] += rotor.stiffness * np.array([[1.0, -1.0], [-1.0, 1.0]])
        return cls(m, c, k, np.eye(n + 1)[n], line)

    def matrix(self) -> Float:
        """``A`` of ``dx/dt = A x`` over (q, q')."""
        n = len(self.mass)
        return np.block(
            [[np.zeros((n, n)), np.eye(n)], [-np.linalg.solve(self.mass, np.hstack([self.stiffness, self.damping]))]]
        )

    def modes(self) -> NDArray[np.complex128]:
        """Eigenvalues of the modes that swing, the lowest first."""
        found = np.linalg.eigvals(self.matrix())
        found = found[found.imag > 1e-3 * np.abs(found).max() ** 0.5]
        return np.asarray(found[np.argsort(np.abs(found))])

    def response(self, w: float) -> float:
        """Amplitude of the shaft's torque over that of the air's at a frequency [rad/s]."""
        q = np.linalg.solve(self.stiffness + 1j * w * self.damping - w * w * self.mass, self.acts)
        return float(abs(self.line @ np.concatenate([q, 1j * w * q])))


class _Held:
    """A controller that asks for one torque."""

    def __init__(self, torque: float):
        self.torque = torque

    def step(self, measured: Measured) -> Demand:
        return Demand((0.0, 0.0, 0.0), self.torque)

    def close(self, measured: Measured | None = None) -> None:
        """Nothing to end."""


def called(host: GearboxHost, step: float) -> Callable[[float, float], float]:
    """The host as a controller library: time [s] and speed [rad/s] in, torque [N m] out, in the numbers of the swap array."""
    swap = np.zeros(LENGTH, np.float32)

    def call(t: float, speed: float) -> float:
        status = 0 if t == 0.0 else 1
        fill(swap, status, Measured(time=t, interval=step, rotor_speed=speed, generator_speed=speed))
        host(status, swap)
        return read_demand(swap).torque

    return call


def check_steps(
    drivetrain: Any,
    turbine: str | Path = "nrel-5mw",
    *,
    fidelity: str | None = None,
    steps: Sequence[float] = STEPS,
    overrides: Any = (),
) -> StepCheck:
    """Frequency, damping and amplitude of the lowest mode of rotor and drivetrain across the exchange, over its step.

    Parameters
    ----------
    drivetrain, fidelity, overrides : as everywhere; meshes by their mean stiffness (law linear)
    turbine : name of a turbine or main file of a deck; its blades swing in their edgewise mode
    steps : of the exchange [s]

    Raises CouplingError for a drivetrain that does not fit and a turbine that is none.
    """
    try:
        blades = turbine_of(turbine)
    except TurbineError as error:
        raise CouplingError(str(error)) from None
    rotor = PlayedRotor.of_turbine(blades)
    plant = make_plant(drivetrain, fidelity, "linear", overrides=overrides)
    one = OneSystem.of(plant, rotor)
    modes = one.modes()
    if not len(modes):
        raise CouplingError(f"'{plant.drivetrain.name}' and its rotor have no mode that swings")
    mode = modes[0]
    mean = plant.ports[0].start
    amplitude = SWING * mean * one.response(abs(mode))
    rows = [
        _row(drivetrain, fidelity, overrides, plant, rotor, modes, amplitude, step, way)
        for way, step in each("step size", [(way, step) for way in WAYS for step in steps])
    ]
    return StepCheck(
        plant.drivetrain.name,
        blades.name,
        rotor,
        float(abs(mode)) / (2.0 * np.pi),
        float(-mode.real / abs(mode)),
        amplitude,
        tuple(rows),
    )


def _row(
    drivetrain: Any,
    fidelity: str | None,
    overrides: Any,
    plant: Plant,
    rotor: PlayedRotor,
    modes: NDArray[np.complex128],
    amplitude: float,
    step: float,
    way: Way,
) -> StepRow:
    """Swing up at the mode's frequency until it is steady, then let it ring down."""
    mode = modes[0]
    w, rate = abs(mode), -mode.real
    mean, speed = (
        plant.ports[0].start,
        float(plant.system.v0[plant.system.coordinates.index(f"{plant.rotor}.rotation")]),
    )
    up = min(7.0 / max(rate, 1e-9), 400.0 / w)
    # modes above have died away against the one that is looked at
    others = [-m.real for m in modes[1:] if -m.real > 1.2 * rate]
    wait = min(7.0 / (min(others) - rate), 2.0 / rate) if others else 0.0
    seen = min(20.0 * np.pi / w, 2.5 / max(rate, 1e-9))
    host = GearboxHost(drivetrain, _Held(plant.ports[1].start), fidelity=fidelity, law="linear", overrides=overrides)
    with np.errstate(over="ignore", invalid="ignore"):
        try:
            made = march(
                rotor,
                called(host, step),
                lambda t, speed: mean * (1.0 + (SWING * np.sin(w * t) if t < up else 0.0)),
                rotor.start(speed, mean),
                step,
                int((up + wait + seen) / step),
                way,
            )
        except CouplingError:
            made = np.full((1, 3), np.inf)
    t, torque = made[:, 0], made[:, 2]
    swing = np.abs(torque - mean)
    if not np.isfinite(torque).all() or swing.max() > 20.0 * amplitude:
        return StepRow(way, step, False, *[float("nan")] * 6)
    steady = (t > up - 8.0 * np.pi / w) & (t < up)
    had = _amplitude(t[steady], torque[steady], w)
    found = _ring(t[t > up + wait], torque[t > up + wait], mode)
    zeta, want = -found.real / abs(found), rate / w
    return StepRow(
        way,
        step,
        True,
        float(abs(found)) / (2.0 * np.pi),
        float(zeta),
        had,
        float(abs(found) / w - 1.0),
        float(zeta / want - 1.0),
        had / amplitude - 1.0,
    )


def _amplitude(t: Float, x: Float, w: float) -> float:
    base = np.column_stack([np.cos(w * t), np.sin(w * t), np.ones_like(t), t - t.mean()])
    a, b = np.linalg.lstsq(base, x, rcond=None)[0][:2]
    return float(np.hypot(a, b))


def _ring(t: Float, x: Float, near: complex) -> complex:
    """The eigenvalue of a swing that dies away, by least squares from one nearby."""
    from scipy.optimize import least_squares

    t = t - t[0]
    scale = float(np.std(x))

    def rest(p: Float) -> Float:
        wave = np.exp((p[0] + 1j * p[1]) * t)
        base = np.column_stack([wave.real, wave.imag, np.ones_like(t), t])
        return np.asarray((base @ np.linalg.lstsq(base, x, rcond=None)[0] - x) / scale)

    found = least_squares(
        rest, [near.real, near.imag], x_scale=[abs(near.real), abs(near.imag)], xtol=1e-12, ftol=1e-12
    )
    return complex(*found.x)
