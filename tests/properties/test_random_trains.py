"""Random rigid trains with losses against a dense KKT solution that is written here from S3's equations.

A mesh of wheels ``i`` and ``j`` on carrier ``c`` with tooth numbers as radii; rates ``C w = 0`` and torques ``-Cm^T F`` with::

    external   C = [r_i, r_j, -(r_i + r_j)]     Cm = [r_i + f, r_j - f, -(r_i + r_j)]
    internal   C = [r_i, -r_j, r_j - r_i]       Cm = [r_i + f, -(r_j + f), r_j - r_i]

and the offset ``f = d sign(F r_i (w_i - w_c))``: the signs are found by trying all of them.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from gearwright.running.prepare import prepare
from gearwright.running.start import initial_state
from gearwright.schema.read import from_mapping
from gearwright.solve.runge_kutta.engine import ExplicitEngine


class RandomTrain:
    """Planets on one or two carriers, each between a wheel and a ring of its own or a shared sun."""

    def __init__(self, seed: int, sine: bool = False):
        rng = np.random.default_rng(seed)
        carriers = [f"arm{i}" for i in range(rng.integers(1, 3))]
        planets = int(rng.integers(len(carriers), 4))
        self.meshes: list[tuple[str, str, str, int, int, bool, float]] = []
        names = [*carriers, "sun"]
        for p in range(planets):
            arm, planet, other = carriers[p % len(carriers)], f"planet{p}", f"other{p}"
            names += [planet, other]
            zp, zo, zs = (int(x) for x in rng.integers(15, 40, 3))
            internal = bool(rng.random() < 0.5)
            offset = float(rng.uniform(0.05, 0.3))
            self.meshes.append(("sun", planet, arm, 20 + zs, zp, False, offset))
            self.meshes.append((planet, other, arm, zp, zo + (60 if internal else 0), internal, offset))
        self.names = names
        self.inertia = dict(zip(names, 10.0 ** rng.uniform(-3.0, 1.0, len(names)), strict=True))  # four decades
        self.torque = dict(zip(names, rng.uniform(-50.0, 50.0, len(names)), strict=True))
        c, _, _ = self.matrices(np.zeros(len(self.meshes)))
        _, _, right = np.linalg.svd(c)
        null = right[len(self.meshes) :]
        self.w0 = null.T @ rng.uniform(-300.0, 300.0, len(null))
        loads = []
        for body, t in self.torque.items():
            loads.append({"on": body, "torque": {"sine": {"amplitude": t, "frequency": 0.37}} if sine else t})
        self.drivetrain = from_mapping({
            "name": "random", "bodies": [self._body(n) for n in names],
            "elements": [
                {"name": f"m{k}", "type": "mesh", "between": [i, j], "on": arm, "teeth": [zi, zj], "internal": inner,
                 "loss": {"force_pole_offset": offset}}
                for k, (i, j, arm, zi, zj, inner, offset) in enumerate(self.meshes)
            ],
            "model": {"fidelity": "rigid", "law": "rigid"}, "operating": {"input": "sun", "speed": 1.0},
            "cases": [{"name": "c", "duration": 1.0, "start": "operating", "loads": loads, "record": ["bodies", "meshes"],
                       "initial": dict(zip(names, (float(x) for x in self.w0), strict=True))}],
        })  # fmt: skip

    def _body(self, name: str) -> dict[str, Any]:
        arm = next((m[2] for m in self.meshes if name in m[:2] and name.startswith("planet")), None)
        return {"name": name, "inertia": float(self.inertia[name]), **({"on": arm} if arm else {})}

    def matrices(self, signs: Any) -> tuple[Any, Any, Any]:
        """Rate rows, torque rows for signs of the offsets, rows of the rates ``r_i (w_i - w_c)`` (all meshes x bodies)."""
        shape = len(self.meshes), len(self.names)
        c, felt, rolling = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        for k, (i, j, arm, zi, zj, internal, d) in enumerate(self.meshes):
            a, b, h = (self.names.index(x) for x in (i, j, arm))
            f = d * signs[k]
            c[k, a], c[k, b], c[k, h] = (zi, -zj, zj - zi) if internal else (zi, zj, -zi - zj)
            felt[k, a], felt[k, b], felt[k, h] = (
                (zi + f, -(zj + f), zj - zi) if internal else (zi + f, zj - f, -zi - zj)
            )
            rolling[k, a], rolling[k, h] = zi, -zi
        return c, felt, rolling

    def solve(self, w: Any) -> tuple[Any, Any]:
        """Accelerations and forces at given speeds, all meshes rolling."""
        n, m = len(self.names), len(self.meshes)
        torque = np.array([self.torque[x] for x in self.names])
        mass = np.diag([self.inertia[x] for x in self.names])
        found = []
        for signs in itertools.product((1.0, -1.0), repeat=m):
            c, felt, rolling = self.matrices(signs)
            x = np.linalg.solve(
                np.block([[mass, felt.T], [c, np.zeros((m, m))]]), np.concatenate([torque, np.zeros(m)])
            )
            if (np.sign(x[n:] * (rolling @ w)) == signs).all():
                found.append((x[:n], x[n:]))
        assert len(found) == 1, "the signs of the losses are not unique"
        return found[0]


def _lines(train: RandomTrain, interval: float, steps: int) -> tuple[Any, dict[str, Any], Any]:
    prepared = prepare(train.drivetrain, "c")
    system, engine = prepared.system, ExplicitEngine()
    plan = engine.prepare(system, system.channels, interval, 1e-8)
    state = initial_state(prepared)
    block = engine.advance(plan, state, steps)
    return prepared, {c.name: np.asarray(block[1])[:, i] for i, c in enumerate(system.channels)}, (plan, state)


@pytest.mark.parametrize("seed", range(16))
def test_accelerations_forces_and_balances(seed: int) -> None:
    train = RandomTrain(seed)
    _, got, _ = _lines(train, 1e-4, 20)
    torque = np.array([train.torque[x] for x in train.names])
    inertia = np.array([train.inertia[x] for x in train.names])
    checked = 0
    for sample in (0, 9, 19):
        w = np.array([got[f"{x}.speed"][sample] for x in train.names])
        a = np.array([got[f"{x}.acceleration"][sample] for x in train.names])
        c, _, rolling = train.matrices(np.zeros(len(train.meshes)))
        size = np.abs(c) @ np.abs(w)
        assert (np.abs(c @ w) <= 1e-12 * size).all()
        # no mesh on the frame: torques from outside accelerate the train as a whole
        assert abs(torque.sum() - inertia @ a) <= 1e-11 * np.abs(inertia * a).sum()
        if (np.abs(rolling @ w) < 1e-3 * (np.abs(rolling) @ np.abs(w))).any():
            continue  # a mesh at rest may stick: no sign to try
        expected, forces = train.solve(w)
        # the KKT matrix of inertias over four decades is solved to some 1e-12 of the largest
        np.testing.assert_allclose(inertia * a, inertia * expected, atol=1e-9 * np.abs(inertia * expected).max())
        # the work of each mesh by its own torques, minus what is lost: nothing left over
        signs = np.sign(forces * (rolling @ w))
        lost = float(np.sum(forces * (train.matrices(signs)[1] @ w)))
        heat = sum(
            float(got[f"m{k}.friction_torque"][sample] * got[f"m{k}.friction_speed"][sample])
            for k in range(len(forces))
        )
        powers = np.concatenate([torque * w, -inertia * a * w, [-heat]])
        assert abs(powers.sum()) <= 1e-12 * np.abs(powers).sum()
        assert heat == pytest.approx(lost, rel=1e-7) and heat >= 0.0
        checked += 1
    assert checked


@pytest.mark.parametrize("seed", [2, 7])
def test_drift_over_a_hundred_thousand_steps(seed: int) -> None:
    """Speeds stay on the rows within round-off of their parts, and the sum of angular momentum follows the torques."""
    train = RandomTrain(seed, sine=True)
    _, _, (plan, state) = _lines(train, 1e-2, 100_000)
    assert plan.statistics["steps"] >= 100_000
    c, _, _ = train.matrices(np.zeros(len(train.meshes)))
    w = np.array(state.v)
    assert (np.abs(c @ w) <= 1e-10 * np.maximum(np.abs(c) @ np.abs(w), 1.0)).all()
    assert plan.statistics["fallbacks"] == 0
