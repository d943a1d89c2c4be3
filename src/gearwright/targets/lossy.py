"""Elastic meshes that lose and stick (S4), and the spring with play of LIT.5."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from gearwright.laws.elastic_loss import elastic_loss
from gearwright.solve.runge_kutta.engine import ExplicitEngine
from gearwright.system import Law, State, System

from .registry import computes, computes_each
from .shared import Array, call_law, own, record, series, system_of
from .target import Value

#: The 3-DOF figures of S4 and its digest are those of its printed forces on the centres, which differ by the loss.
_PRINTED = ["elements.mesh.loss.forces=printed"]
#: fidelity by the number of degrees of freedom of a wheel
_FIDELITY = {"1dof": "torsional", "3dof": "planar"}


@cache
def _system(name: str, dof: str) -> tuple[System, Law]:
    system = system_of(name, _FIDELITY[dof], overrides=() if name == "elastic-lossy-1dof" else _PRINTED)
    return system, system.laws[system.blocks.index("mesh")]


# --- the compiled law by its address ---------------------------------------------------------------------------------


def _settled(law: Law, d: Any, roll: float) -> Array:
    """Forces once the contact keeps up with wheels that roll at a speed [m/s] with deflections held."""
    z = np.zeros(1)
    step = 0.1 * law.parameters[2] / law.parameters[0]
    for _ in range(400):
        force, rates = call_law(law, d, [0.0, roll], z)
        z = z + step * rates[:1]
    return force


def _stuck_tangent(law: Law) -> Array:
    """Derivative of both forces with respect to the deflection and the roll while the contact stands."""
    columns = []
    for step in 1e-8 * np.eye(2):
        # moving the roll by x with a contact that stands is moving the contact by -x against the wheels
        up, down = (call_law(law, [1e-4 + s * step[0], 0.0], [0.0, 0.0], [-s * step[1]])[0] for s in (1.0, -1.0))
        assert up[3] == 0.0 == down[3], "the contact moves"
        columns.append((up[:2] - down[:2]) / 2e-8)
    return np.array(columns).T


def _moving_tangent(law: Law) -> Array:
    """The same while the contact moves and keeps up: A drives forward."""
    up, down = (_settled(law, [1e-4 + s * 1e-7], 1.0) for s in (1.0, -1.0))
    return np.column_stack([(up[:2] - down[:2]) / 2e-7, np.zeros(2)])


def _frequencies(system: System, tangent: Array, springs: dict[str, float] | None = None) -> Array:
    """Frequencies [Hz] of rotations and of translations along the line of action, mesh block by its tangent.

    ``springs``: torsional stiffness [N m/rad] to the housing, by body.
    """
    d = system.D[[system.rows.index("mesh.drive"), system.rows.index("mesh.roll")]].toarray()
    stiffness = system.spring_matrices()[0] + d.T @ tangent @ d
    for body, k in (springs or {}).items():
        i = system.coordinates.index(f"{body}.rotation")
        stiffness[i, i] += k
    basis = []
    for body in ("A", "B"):
        for kept in ([f"{body}.rotation"], [f"{body}.y", f"{body}.z"]):
            if not set(kept) <= set(system.coordinates):
                continue
            column = np.zeros(len(system.coordinates))
            for i in map(system.coordinates.index, kept):
                column[i] = 1.0 if len(kept) == 1 else d[0, i]
            basis.append(column)
    b = np.array(basis).T
    values = np.linalg.eigvals(np.linalg.solve(b.T @ system.mass.toarray() @ b, b.T @ stiffness @ b))
    return np.sort(np.sqrt(np.maximum(values.real, 0.0))) / (2.0 * math.pi)


@computes(
    "S24.s4_fig7_*",
    "stuck_fA_1dof",
    "stuck_fB_1dof",
    "stuck_frequency_ratio_A_over_B",
    "stuck_lowest_fA_3dof",
    "stuck_lowest_fB_3dof",
    "sliding_f_1dof",
    "sliding_f_3dof",
)
def _figure_7() -> dict[str, float]:
    one, law = _system("elastic-lossy-1dof", "1dof")
    three, law_3 = _system("elastic-lossy-3dof", "3dof")
    # the load spring of 1 N m/rad is part of the model and shifts B by 1e-4 of its frequency at most
    b, a = _frequencies(one, _stuck_tangent(law))
    b3, a3, *_ = _frequencies(three, _stuck_tangent(law_3))
    return {
        "stuck_fA_1dof": a,
        "stuck_fB_1dof": b,
        "stuck_frequency_ratio_A_over_B": a / b,
        "stuck_lowest_fA_3dof": a3,
        "stuck_lowest_fB_3dof": b3,
        "sliding_f_1dof": _frequencies(one, _moving_tangent(law))[1],
        "sliding_f_3dof": float(_frequencies(three, _moving_tangent(law_3))[1]),
    }


_BOUNDARIES = {"A_coupled_B_free": {}, "both_coupled": {"B": 20e3}, "no_coupling": {"A": -20e3}}


@computes_each("S24.s4_fig9_eigenfrequencies_*")
def _figure_9(name: str) -> list[float]:
    dof, _, boundary = name.partition("_")
    system, law = _system("elastic-lossy-profile", dof)
    hertz = _frequencies(system, _moving_tangent(law), _BOUNDARIES[boundary])
    # a free turn comes out as the root of a rounding error
    return [float(x) if x > 1e-6 * hertz.max() else 0.0 for x in hertz]


@computes("S24.s4_contact_efficiency_quadrants")
def _quadrants() -> list[float]:
    law = elastic_loss(1e6, 10.0, (0.8, 0.6))
    found = []
    for forward, drives in ((1, "A"), (1, "B"), (-1, "A"), (-1, "B")):
        f = _settled(law, [(1 if drives == "A" else -1) * forward * 1e-4], 2.0 * forward)
        sides = (f[0] + 0.5 * f[1], f[0] - 0.5 * f[1])
        found.append(sides[1] / sides[0] if drives == "A" else sides[0] / sides[1])
    return found


@computes("S24.s4_loss_share_per_wheel")
def _loss_share() -> float:
    system, _ = _system("elastic-lossy-1dof", "1dof")
    roll = np.abs(system.D[system.rows.index("mesh.roll")].toarray().ravel()) / np.array([0.3, 0.1])
    return float(roll[0] / roll.sum())


@computes("S24.s4_stateless_mode_mismatches")
def _stateless() -> int:
    """Random states in which the mode that the law takes differs from that of the machine (32) to (34)."""
    rng = np.random.default_rng(4)
    wrong = 0
    for _ in range(40):
        eta = rng.uniform(0.2, 0.99, 2)
        kappa = (1.0 - eta) / (1.0 + eta)
        law = elastic_loss(1e6, 10.0, (float(eta[0]), float(eta[1])))
        for _ in range(500):
            d, dv, z = [1e-4 * rng.normal()], rng.normal(size=2) * (0.1, 3.0), [0.5e-4 * rng.normal()]
            f, _ = call_law(law, d, dv, z)
            fa = 2e6 * (z[0] - d[0] / 2) - 20.0 * (dv[1] + dv[0] / 2)
            fb = -2e6 * (z[0] + d[0] / 2) + 20.0 * (dv[1] - dv[0] / 2)
            upper = sum(kappa[0 if x < 0.0 else 1] * abs(x) for x in (fa, fb))
            lower = -sum(kappa[1 if x < 0.0 else 0] * abs(x) for x in (fa, fb))
            mode = 1.0 if fb - fa > upper else (-1.0 if fb - fa < lower else 0.0)
            wrong += int(f[3] != mode)
    return wrong


@computes("S24.s4_profile_product_stiffness_peak_to_peak")
def _product() -> float:
    _, law = _system("elastic-lossy-profile", "1dof")
    turns = np.linspace(0.0, 1.0 / 60.0, 241)
    forces = [float(call_law(law, [1e-5, 0.0, 0.0, 0.0, 0.0, turn, turn], [])[0][0]) for turn in turns]
    return float((max(forces) - min(forces)) / np.mean(forces[:-1]))


@computes("S24.s4_tooth_frequency_2000rpm_60teeth")
def _tooth_frequency() -> float:
    """60 periods of the profile per turn of wheel A, whose turns the law reads in the assembled system."""
    system, _ = _system("elastic-lossy-profile", "1dof")
    rates = np.asarray(system.D @ system.v0)
    return float(abs(rates[system.rows.index("mesh.turn_1")]) * 60.0)


# --- runs from the files ---------------------------------------------------------------------------------------------


def _case(name: str, duration: float, interval: float, **more: str) -> list[str]:
    """Overrides of a case: its duration and intervals [s]."""
    values = {
        "duration": f"{duration} s",
        "output_interval": f"{interval} s",
        "counting_interval": f"{interval} s",
    } | more
    return [f"cases.{name}.{key}={value}" for key, value in values.items()]


@computes("S24.s4_fig7_*", "stuck_time_share_10Nm_1Hz", "first_stuck_interval")
def _sticking() -> dict[str, Value]:
    data = record("elastic-lossy-1dof", overrides=_case("sine", 3, 1e-4))
    t, stuck = data["time"].values, series(data, "mesh_contact_state", mesh="mesh") == 0.0
    begin = next(i for i in range(len(t)) if t[i] > 0.1 and stuck[i : i + 200].all())
    end = begin + int(np.argmin(stuck[begin:]))
    return {
        "stuck_time_share_10Nm_1Hz": float(stuck[t > 0.0].mean()),
        "first_stuck_interval": [float(t[begin]), float(t[end])],
    }


@computes_each("S24.s4_fig9_meshforce_amplitude_over_5pct_static_*")
def _forced(name: str) -> float:
    fidelity = _FIDELITY[name.partition("_")[0]]
    data = record("elastic-lossy-profile", overrides=_case("constant-speed", 0.4, 2e-5), fidelity=fidelity)
    t, force = data["time"].values, series(data, "mesh_force", mesh="mesh")
    late = t > t[-1] - 0.1
    angle = 2.0 * math.pi * 2000.0 * t[late]
    waves = np.column_stack([np.ones(late.sum()), np.cos(angle), np.sin(angle)])
    mean, a, b = np.linalg.lstsq(waves, force[late], rcond=None)[0]
    return float(math.hypot(a, b) / (0.05 * abs(mean)))


@computes("S24.s4_dummy_mass_1e-4kg_max_speed_diff_over_peak")
def _dummy_mass() -> float:
    """Wheel speeds against two springs with a rigid lossy gear of 0.1 g between them."""
    sets = ["cases.sine.duration=0.5 s", "cases.sine.record=[meshes, bodies]", "cases.sine.output_interval=1e-4 s"]
    runs = record("elastic-lossy-1dof", overrides=sets), record(own("rigid-gear-between-springs"))
    elastic, rigid = (np.array([series(run, "body_speed", body=b) for b in "AB"]) for run in runs)
    n = min(elastic.shape[1], rigid.shape[1])
    return float(np.abs(elastic[:, :n] - rigid[:, :n]).max() / np.abs(elastic).max())


@computes("LIT.5.4")
def _backlash() -> list[float]:
    """Angle and speed of the mass, from half a turn against the spring, at 0.1, 0.2, 0.3, 0.5, 0.7 and 1 s."""
    system = system_of(own("spring-with-play"))
    engine = ExplicitEngine()
    plan = engine.prepare(system, system.channels, 0.1, 1e-8)
    state = State.start(system, q=np.array([0.5 * math.pi]))
    found = []
    for step in range(1, 11):
        engine.advance(plan, state, 1)
        if step in (1, 2, 3, 5, 7, 10):
            found += [float(state.q[0]), float(state.v[0])]
    return found
