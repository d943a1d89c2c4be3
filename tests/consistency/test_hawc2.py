"""Interfaces for HAWC2: both libraries driven by hosts written here, the in-process adapter by a stand-in."""

from __future__ import annotations

import ctypes
import math
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import curve_fit

from gearwright.couplings.exchange import SpeedExchange
from gearwright.couplings.hawc2 import (
    Hawc2Run,
    build_body,
    build_external,
    build_external_plant,
    build_type2,
    explained,
)
from gearwright.couplings.library import LibraryStepper
from gearwright.couplings.plant import Plant, at_the_joint, make_plant
from gearwright.couplings.played_rotor import PlayedRotor, march
from gearwright.errors import CouplingError
from gearwright.system import Builder, Provenance, Source, Spring, State

pytestmark = pytest.mark.skipif(shutil.which("cc") is None and shutil.which("gcc") is None, reason="no C compiler")

TWO_MASS = "nrel-5mw-two-mass"


def two_mass() -> tuple[float, float, float, float]:
    """Inertias, stiffness, damping of the two-mass drivetrain."""
    from gearwright.train.expand import expand
    from gearwright.train.open import load

    train = expand(load(TWO_MASS))
    (shaft,) = train.shafts.values()
    c = (
        shaft.damping.value
        if shaft.damping.value is not None
        else (shaft.damping.stiffness_proportional or 0) * shaft.torsional
    )
    return train.bodies[train.input].inertia, train.bodies[train.output].inertia, shaft.torsional, c


class Type2:
    """A host that calls a type-2 DLL."""

    def __init__(self, path: Path):
        self.library: Any = ctypes.CDLL(str(path))
        self.out = np.zeros(100)

    def call(self, name: str, *values: float) -> np.ndarray:
        pointer = ctypes.POINTER(ctypes.c_double)
        given = np.array(values)
        getattr(self.library, name)(given.ctypes.data_as(pointer), self.out.ctypes.data_as(pointer))
        return self.out.copy()


@pytest.mark.parametrize("step", [0.0125, 0.02])
def test_type2_keeps_the_mode(tmp_path: Path, step: float) -> None:
    """Free swings of two masses, the first by Newmark's method as HAWC2 steps: frequency and damping of the closed form."""
    build_type2(TWO_MASS, tmp_path / "two.so", speed=1.2, torque=1e6)
    host = Type2(tmp_path / "two.so")
    assert host.call("dll_update", 0.0, 1.2, 1e6)[2] != 0  # before init
    assert host.call("dll_init", step, 1.2, 1e6)[0] == 0
    first, second, k, c = two_mass()
    inverse = 1 / first + 1 / second
    omega, zeta = math.sqrt(k * inverse), 0.5 * c * math.sqrt(inverse / k)

    def call(t: float, speed: float) -> float:
        if t == 0.0:
            return 1e6
        out = host.call("dll_update", t - step, speed, 1e6)
        assert out[2] == 0
        assert np.array_equal(host.call("dll_update", t - step, speed, 1e6), out)  # the same time, the same answer
        return float(out[0])

    made = march(PlayedRotor(first), call, lambda t, w: 1.3e6 if t > 0.1 else 1e6, np.array([1.2]), step, round(8.0 / step),
                 "tight", 0)  # fmt: skip
    keep = made[:, 0] > 0.1 + 1.5 * step
    t, moments = made[keep, 0], made[keep, 2]

    def swing(t: Any, mean: float, a: float, b: float, rate: float, w: float) -> Any:
        return mean + np.exp(-rate * t) * (a * np.cos(w * t) + b * np.sin(w * t))

    fit, _ = curve_fit(swing, t, moments, p0=[np.mean(moments), 1e5, 1e5, zeta * omega, omega * math.sqrt(1 - zeta**2)])
    assert fit[3] / math.hypot(fit[3], fit[4]) == pytest.approx(zeta, rel=0.005)
    # the rotor has a ninth of the swing, its period alone is longer by (w h)^2/12; lines between the speeds, as much again
    assert math.hypot(fit[3], fit[4]) == pytest.approx(omega, rel=0.25 * (omega * step) ** 2 / 12 + 1e-4)
    assert fit[0] == pytest.approx((1e6 / second + 1.3e6 / first) / inverse, rel=1e-3)


def test_type2_keeps_the_mode_of_blades_on_springs(tmp_path: Path) -> None:
    """Three masses, the two of the rotor by Newmark's method: the share of the hub is small, so an exchange that lags shows."""
    from gearwright.turbine import load

    rotor = PlayedRotor.of_turbine(load("nrel-5mw"))
    _, machine, k, c = two_mass()
    kb, cb, b, h = rotor.stiffness, rotor.damping, rotor.blades, rotor.hub
    a = np.array([[0, 0, 1, -1, 0], [0, 0, 0, 1, -1], [-kb / b, 0, -cb / b, cb / b, 0],
                  [kb / h, -k / h, cb / h, -(cb + c) / h, c / h], [0, k / machine, 0, c / machine, -c / machine]])  # fmt: skip
    mode = min((x for x in np.linalg.eigvals(a) if x.imag > 1.0), key=abs)
    build_type2(TWO_MASS, tmp_path / "two.so", speed=1.2, torque=1e6)
    for step, allowed in ((0.0125, 0.02), (0.02, 0.05)):
        host = Type2(tmp_path / "two.so")
        host.call("dll_init", step, 1.2, 1e6)
        made = march(rotor, lambda t, w, host=host, step=step: 1e6 if t == 0 else float(host.call("dll_update", t - step, w, 1e6)[0]),
                     lambda t, w: 1e6 + (2e5 * math.sin(abs(mode) * t) if t < 4.0 else 0.0), rotor.start(1.2, 1e6), step,
                     round(14.0 / step), "tight", 0)  # fmt: skip
        keep = made[:, 0] > 8.0
        t, moments = made[keep, 0] - 8.0, made[keep, 2]

        def swing(t: Any, mean: float, a: float, b: float, rate: float, w: float) -> Any:
            return mean + np.exp(-rate * t) * (a * np.cos(w * t) + b * np.sin(w * t))

        fit, _ = curve_fit(swing, t, moments, p0=[1e6, 1e5, 1e5, -mode.real, mode.imag])
        assert fit[3] == pytest.approx(-mode.real, rel=allowed) and fit[4] == pytest.approx(mode.imag, rel=0.003)


def test_type2_is_the_native_drivetrain(tmp_path: Path) -> None:
    names = build_type2("nrel-5mw-gallego", tmp_path / "g.so", law="periodic", outputs=["stage1.sun_planet1.force"])
    assert names[3] == "stage1.sun_planet1.force"
    plant = at_the_joint(make_plant("nrel-5mw-gallego", law="periodic", rotor="speed"))
    native = LibraryStepper(plant, channels=[plant.channel(n) for n in ("rotor.torque", "generator.speed", names[3])],
                            interval=0.02)  # fmt: skip
    host = Type2(tmp_path / "g.so")
    start = [p.start for p in plant.ports]
    wanted = SpeedExchange(native, "step before", start[0])
    assert host.call("dll_init", 0.01, *start)[0] == 0
    for i in range(20):
        speed, torque = start[0] * (1 + 1e-4 * i), start[1] * (0.9 if i > 5 else 1.0)
        values = wanted.step(speed, torque, 0.01)
        out = host.call("dll_update", 0.01 * i, speed, torque)
        # the same code from the same state: bits may differ where machine code is shared differently, no more
        assert np.allclose(out[[0, 1, 3]], values, rtol=1e-9)


class External:
    """A host in the manner of S1 appendix A: a shaft of its own, Newmark's method, multipliers for the conditions."""

    def __init__(self, path: Path, inertia: float = 0.0):
        self.library: Any = ctypes.CDLL(str(path))
        n, constant, outputs = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
        self.library.esys_init(ctypes.byref(n), ctypes.byref(constant), ctypes.byref(outputs))
        self.n, self.outputs, self.inertia = n.value, outputs.value, inertia
        self.q, self.v, self.a = np.zeros(self.n), np.zeros(self.n), np.zeros(self.n)
        self.library.esys_initial(self.p(self.q), self.p(self.v))
        number = ctypes.c_int(0)
        self.angle, self.speed, self.rate, self.multiplier = np.zeros(1), 0.0, 0.0, 0.0
        self.ask(1, number)
        self.conditions = number.value
        self.ask(2, number)
        self.place = number.value - 1
        if self.conditions:
            self.speed = self.v[self.place]
            self.ask(3, number)
        self.t = 0.0

    @staticmethod
    def p(x: np.ndarray) -> Any:
        return x.ctypes.data_as(ctypes.POINTER(ctypes.c_double))

    def ask(self, task: int, number: Any) -> None:
        self.library.cons_init(
            ctypes.byref(ctypes.c_int(task)), ctypes.byref(number), self.p(self.angle), self.p(self.q)
        )

    def residual(self, t: float, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        out = np.zeros(self.n)
        self.library.esys_residual(ctypes.byref(ctypes.c_double(t)), self.p(q), self.p(v), self.p(a), self.p(out))
        return out

    def matrices(self, t: float, q: np.ndarray, v: np.ndarray) -> list[np.ndarray]:
        m = [np.zeros((self.n, self.n)) for _ in range(3)]
        self.library.esys_update(ctypes.byref(ctypes.c_double(t)), self.p(q), self.p(v), *(self.p(x) for x in m))
        return m

    def settle(self, torque: float) -> None:
        """Accelerations at the start."""
        mass = self.matrices(self.t, self.q, self.v)[0]
        rest = self.residual(self.t, self.q, self.v, np.zeros(self.n))
        moving = np.diag(mass) > 0
        if not self.conditions:
            self.a[moving] = np.linalg.solve(mass[np.ix_(moving, moving)], -rest[moving])
            return
        both = mass.copy()
        both[self.place, self.place] += self.inertia
        rest[self.place] -= torque
        self.a = np.linalg.solve(both, -rest)
        self.rate = self.a[self.place]

    def step(self, h: float, torque: float = 0.0, beta: float = 0.25, gamma: float = 0.5) -> None:
        n, nc = self.n, self.conditions
        t = self.t + h
        q, v, a = self.q + h * self.v + 0.5 * h * h * self.a, self.v + h * self.a, self.a.copy()
        x, w, r = self.angle + h * self.speed + 0.5 * h * h * self.rate, self.speed + h * self.rate, self.rate
        lam = self.multiplier
        for _ in range(12):
            b = self.residual(t, q, v, a)
            m, c, k = self.matrices(t, q, v)
            s = np.zeros((n + 2, n + 2)) if nc else np.zeros((n, n))
            s[:n, :n] = m / (beta * h * h) + c * gamma / (beta * h) + k
            rest = np.zeros(len(s))
            rest[:n] = -b
            if nc:
                g, by_host, ours = np.zeros(1), np.zeros(1), np.zeros(n)
                self.library.cons_update(ctypes.byref(ctypes.c_double(t)), self.p(x), self.p(q), self.p(g), self.p(by_host),
                                         self.p(ours))  # fmt: skip
                s[n, n] = self.inertia / (beta * h * h)
                s[n, n + 1], s[n + 1, n] = by_host[0], by_host[0]
                s[:n, n + 1], s[n + 1, :n] = ours, ours
                rest[:n] -= ours * lam
                rest[n] = -(self.inertia * r - torque + by_host[0] * lam)
                rest[n + 1] = -g[0]
            # scales differ by many powers of ten
            row, column = 1 / np.abs(s).max(axis=1), 1.0
            scaled = s * row[:, None]
            column = 1 / np.abs(scaled).max(axis=0)
            d = column * np.linalg.solve(scaled * column, rest * row)
            q, v, a = q + d[:n], v + gamma / (beta * h) * d[:n], a + d[:n] / (beta * h * h)
            if nc:
                x, w, r, lam = x + d[n], w + gamma / (beta * h) * d[n], r + d[n] / (beta * h * h), lam + d[n + 1]
            if np.abs(d[:n]).max() < 1e-13 * max(np.abs(q).max(), 1e-3):
                break
        self.q, self.v, self.a, self.t = q, v, a, t
        self.angle, self.speed, self.rate, self.multiplier = x, w, r, lam

    def output(self) -> np.ndarray:
        out = np.zeros(self.outputs)
        self.library.esys_output(
            ctypes.byref(ctypes.c_double(self.t)), self.p(self.q), self.p(self.v), self.p(self.a), self.p(out)
        )
        return out


def lone(builder: Builder, speeds: dict[str, float], q: list[float]) -> Plant:
    system = builder.build(Provenance("test", "test", "linear"), speeds)
    return Plant(None, system, (), State.start(system, q=np.array(q)), "x", "x", 1.0)


def test_external_spring_and_mass(tmp_path: Path) -> None:
    builder = Builder()
    builder.coordinate("x")
    builder.inertia(3.0, {"x": 1.0})
    builder.row("spring", {"x": 1.0}, Spring(1200.0, 0.0))
    builder.channel("shaft", "spring", "force", "N", "pull", [(Source.FORCE, "spring", 1.0)])
    build_external_plant(lone(builder, {"x": 0.0}, [0.01]), tmp_path / "s.so", "x")
    host = External(tmp_path / "s.so")
    m, c, k = host.matrices(0.0, host.q, host.v)
    assert (m[0, 0], c[0, 0]) == (3.0, 0.0) and k[0, 0] == pytest.approx(1200.0, rel=1e-9)
    assert host.residual(0.0, np.array([0.02]), np.array([1.0]), np.array([5.0]))[0] == pytest.approx(15.0 + 24.0)
    host.conditions = 0
    host.settle(0.0)
    h, had, force = 1e-3, [], []
    for _ in range(500):
        host.step(h)
        had.append(host.q[0])
        force.append(host.output()[0])
    t = h * np.arange(1, 501)
    # Newmark's period is longer by (w h)^2 / 12: 3e-5 of 10 rad here
    assert np.allclose(had, 0.01 * np.cos(20.0 * t), atol=0.01 * 4e-4)
    assert np.allclose(force, 1200.0 * np.array(had), rtol=1e-12)


def test_external_free_rigid_body(tmp_path: Path) -> None:
    """Turning about the middle axis, which tumbles: energy and angular momentum in space are kept; Euler by scipy."""
    inertia = np.array([1.0, 2.0, 3.0])
    w0 = [0.1, 2.0, 0.1]
    build_body(tmp_path / "body.so", 10.0, inertia, [1.0, 0.0, 0.0, *w0], gravity=(0.0, 0.0, 9.81))
    host = External(tmp_path / "body.so")
    assert host.n == 10 and host.conditions == 0
    host.settle(0.0)
    energy = host.output()[0]
    for _ in range(1000):
        host.step(2e-3)

    def motion(t: float, y: np.ndarray) -> list[float]:
        w, (e0, e1, e2, e3) = y[:3], y[3:]
        j = inertia
        turn = [
            (j[1] - j[2]) * w[1] * w[2] / j[0],
            (j[2] - j[0]) * w[2] * w[0] / j[1],
            (j[0] - j[1]) * w[0] * w[1] / j[2],
        ]
        return [*turn, 0.5 * (-e1 * w[0] - e2 * w[1] - e3 * w[2]), 0.5 * (e0 * w[0] + e2 * w[2] - e3 * w[1]),
                0.5 * (e0 * w[1] + e3 * w[0] - e1 * w[2]), 0.5 * (e0 * w[2] + e1 * w[1] - e2 * w[0])]  # fmt: skip

    exact = solve_ivp(motion, (0, 2.0), [*w0, 1, 0, 0, 0], rtol=1e-11, atol=1e-13).y[:, -1]
    # second order in 2 rad/s times 2 ms, over 4 rad and a tumble
    assert np.allclose(host.v[3:6], exact[:3], atol=2e-3)
    assert np.allclose(host.q[6:], exact[3:], atol=2e-3)
    out = host.output()
    assert out[0] == pytest.approx(energy, rel=1e-4) and out[4] == pytest.approx(1.0, abs=1e-4)
    assert host.q[:3] == pytest.approx([2.0, 0.0, 0.5 * 9.81 * 4.0], rel=1e-6)


def test_external_concentrated_inertia(tmp_path: Path) -> None:
    """S1's example: 5 025 497.444 kg m^2 on a shaft that starts at 0.5 rad/s; both turn as one, the multiplier is known."""
    builder = Builder()
    builder.coordinate("x.rotation")
    builder.inertia(97.0**2 * 534.116, {"x.rotation": 1.0})
    builder.channel("body", "x", "speed", "rad/s", "+x", [(Source.SPEED, "x.rotation", 1.0)])
    build_external_plant(lone(builder, {"x.rotation": 0.5}, [0.0]), tmp_path / "c.so", "x.rotation")
    host = External(tmp_path / "c.so", inertia=3.876e7)
    assert host.conditions == 1 and host.place == 0
    host.settle(1e6)
    for _ in range(100):
        host.step(0.02, 1e6)
    rate = 1e6 / (3.876e7 + 5025497.444)
    assert host.v[0] == pytest.approx(0.5 + 2.0 * rate, rel=1e-9)
    assert host.angle[0] == pytest.approx(0.5 * 2.0 + 0.5 * rate * 4.0, rel=1e-9)
    assert abs(host.multiplier) == pytest.approx(5025497.444 * rate, rel=1e-8)


def test_external_full_gearbox(tmp_path: Path) -> None:
    """The gearbox on the host's shaft against the same train in one, with both inertias in its rotor."""
    plant = build_external("nrel-5mw-gallego", tmp_path / "g.so")
    column = plant.system.coordinates.index(f"{plant.rotor}.rotation")
    own = float(plant.system.mass[column, column])
    host = External(tmp_path / "g.so", inertia=1e7)
    assert host.place == column
    start = make_plant("nrel-5mw-gallego").ports[0].start
    host.settle(start)
    name = plant.channel("main.torque")
    h, had = 0.002, []
    for i in range(500):
        host.step(h, start * (1.1 if i >= 50 else 1.0))
        had.append(host.output()[name])
    both = make_plant("nrel-5mw-gallego", overrides=[f"bodies.{_number('rotor')}.inertia={own + 1e7}"])
    one = LibraryStepper(both, channels=[both.channel("main.torque")])
    wanted = [one.step((start * (1.1 if i >= 50 else 1.0), both.ports[1].start), h)[0] for i in range(500)]
    # the jump falls into a step: Newmark spreads it, and its period errs by (w h)^2/12 = 7e-5 for the first mode
    assert np.allclose(had, wanted, atol=0.01 * 0.1 * start)
    assert np.std(np.array(had) - np.array(wanted)) < 2e-3 * 0.1 * start


def _number(name: str) -> int:
    from gearwright.train.open import load

    return [b["name"] for b in load("nrel-5mw-gallego").raw["bodies"]].index(name)


def test_external_refuses_what_switches(tmp_path: Path) -> None:
    with pytest.raises(CouplingError, match="switches, and here HAWC2 integrates"):
        build_external("nrel-5mw-gallego", tmp_path / "x.so", law="two_level")


class StandIn:
    """HAWC2's in-process functions around one inertia."""

    def __init__(self, inertia: float, torque: float, step: float):
        self.inertia, self.torque, self.h = inertia, torque, step
        self.speed, self.moment, self.before, self.calls = 1.2, 0.0, -1e6, []

    def read_input(self, path: str) -> None:
        if path == "unlicensed.htc":
            raise RuntimeError("error 111")
        self.calls.append("read_input")

    def init(self) -> None:
        self.calls.append("init")

    def add_sensor(self, text: str) -> int:
        self.calls.append(text)
        return 1

    def get_sensor_values(self, numbers: list[int]) -> list[float]:
        assert numbers == [1]
        return [self.speed]

    def set_variable_sensor_value(self, number: int, value: float) -> None:
        assert number == 3
        self.moment = value

    def step(self) -> None:
        # as Newmark's method: the moment of the step before at its begin, the one that is set now at its end
        self.speed += self.h * (self.torque + 0.5 * (self.moment + self.before)) / self.inertia
        self.before = self.moment

    def close(self) -> None:
        self.calls.append("close")


def test_in_process_adapter() -> None:
    """Against the closed form of two masses: they speed up together, the shaft carries the second's share."""
    first, second, _, _ = two_mass()
    h2 = StandIn(first, 1.3e6, 0.02)
    run = Hawc2Run(h2, TWO_MASS, step=0.02, torque_variable=3, generator_torque=lambda speed, t: 1e6)
    with pytest.raises(CouplingError, match="begin comes before"):
        run.step()
    run.begin("model.htc")
    made = run.run(20.0)
    run.close()
    assert h2.calls == ["read_input", "constraint bearing1 shaft_rot 2 only 2", "init", "close"]
    assert made[-1, 0] == pytest.approx(20.0)
    rate = 0.3e6 / (first + second)
    assert made[-1, 2] == pytest.approx(1.2 + 20.0 * rate, rel=3e-5)
    assert made[-100:, 1].mean() == pytest.approx(1e6 + second * rate, rel=2e-5)


def test_licence_is_named() -> None:
    with pytest.raises(CouplingError, match="needs a licence"):
        Hawc2Run(StandIn(1.0, 0.0, 0.02), TWO_MASS, step=0.02, generator_torque=lambda w, t: 0.0).begin(
            "unlicensed.htc"
        )
    assert "licence" in explained("No valid license file") and "licence" not in explained("node missing")
