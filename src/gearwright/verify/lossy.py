"""Elastic meshes that lose and stick (S4), and the spring with play of LIT.5."""

from __future__ import annotations

import ctypes
import math
from functools import cache
from typing import Any

import numpy as np

from .framework import REGISTRY

computes, literature = REGISTRY.computes, REGISTRY.literature


def _system(name: str, fidelity: str, **changes: Any) -> Any:
    from gearwright.assembly import assemble
    from gearwright.drivetrain import expand, load

    return assemble(expand(load(name, changes)), fidelity)


def _run(name: str, fidelity: str | None = None, **changes: Any) -> Any:
    import tempfile
    from pathlib import Path

    import gearwright as gw

    overrides = [f"{path}={value}" for path, value in changes.items()]
    with tempfile.TemporaryDirectory() as folder:
        done = gw.simulate(name, fidelity=fidelity, output=Path(folder) / "run.nc", overrides=overrides)
        with gw.Result.open(done.result_file) as result:
            return result.dataset.load()


# --- the compiled law by its address ------------------------------------------------------------------------


def _call(law: Any, d: Any, dv: Any, z: Any) -> tuple[Any, Any]:
    """Forces (normal, loss), reports and rates of the states, as the engines get them."""
    f, zd = np.zeros(law.rows + law.senses), np.zeros(len(law.states))
    pointer = ctypes.POINTER(ctypes.c_double)
    size = law.rows + law.senses
    arrays = [np.zeros(size), np.zeros(size), np.array(law.parameters), np.zeros(len(law.states)), np.zeros(1)]
    arrays[0][: len(d)], arrays[1][: len(dv)], arrays[3][: len(z)] = d, dv, z
    given = [x.ctypes.data_as(pointer) for x in arrays]
    law.force.ctypes(0.0, *given, 0, f.ctypes.data_as(pointer), zd.ctypes.data_as(pointer))
    return f, zd


def _settled(law: Any, d: Any, roll: float) -> Any:
    """Forces once the contact keeps up with wheels that roll at a speed [m/s] with deflections held."""
    z = np.zeros(1)
    step = 0.1 * law.parameters[2] / law.parameters[0]
    for _ in range(400):
        f, zd = _call(law, d, [0.0, roll], z)
        z = z + step * zd[:1]
    return f


def _frequencies(system: Any, tangent: Any, more: dict[str, float] | None = None, drop: tuple[str, ...] = ()) -> Any:
    """Frequencies [Hz] of rotations and of translations along the line of action, mesh block by its tangent.

    ``more``: torsional springs to the housing; ``drop``: coordinates that are held.
    """
    rows = [system.rows.index("mesh.drive"), system.rows.index("mesh.roll")]
    d = system.D[rows].toarray()
    stiffness, _ = system.spring_matrices()
    stiffness = stiffness + d.T @ tangent @ d
    for name, k in (more or {}).items():
        i = system.coordinates.index(f"{name}.rotation")
        stiffness[i, i] += k
    basis = []
    for body in ("A", "B"):
        for kept in ([f"{body}.rotation"], [f"{body}.y", f"{body}.z"]):
            if not set(kept) <= set(system.coordinates) or kept[0] in drop:
                continue
            column = np.zeros(len(system.coordinates))
            for name in kept:
                i = system.coordinates.index(name)
                column[i] = 1.0 if len(kept) == 1 else d[0, i]
            basis.append(column)
    b = np.array(basis).T
    mass = b.T @ system.mass.toarray() @ b
    values = np.linalg.eigvals(np.linalg.solve(mass, b.T @ stiffness @ b))
    return np.sort(np.sqrt(np.maximum(values.real, 0.0))) / (2.0 * math.pi)


def _stuck_tangent(law: Any) -> Any:
    """Derivative of both forces with respect to the deflection and the roll while the contact stands."""
    pressed = np.array([1e-4, 0.0])
    columns = []
    for j in range(2):
        step = np.zeros(2)
        step[j] = 1e-8
        # moving the roll by x with a contact that stands is moving the contact by -x against the wheels
        up, down = (_call(law, [pressed[0] + s * step[0], 0.0], [0.0, 0.0], [-s * step[1]])[0] for s in (1.0, -1.0))
        assert up[3] == 0.0 == down[3], "the contact moves"
        columns.append((up[:2] - down[:2]) / 2e-8)
    return np.array(columns).T


def _moving_tangent(law: Any) -> Any:
    """The same while the contact moves and keeps up: A drives forward."""
    up, down = (_settled(law, [1e-4 + s * 1e-7], 1.0) for s in (1.0, -1.0))
    return np.column_stack([(up[:2] - down[:2]) / 2e-7, np.zeros(2)])


#: The 3-DOF figures of S4 and its digest are those of its printed forces on the centres, which differ by the loss.
_PRINTED = {"elements.mesh.loss.forces": "printed"}


@computes("S24.s4_fig7_stuck_fA_1dof", "S24.s4_fig7_stuck_fB_1dof", "S24.s4_fig7_stuck_frequency_ratio_A_over_B",
          "S24.s4_fig7_stuck_lowest_fA_3dof", "S24.s4_fig7_stuck_lowest_fB_3dof", "S24.s4_fig7_sliding_f_1dof")  # fmt: skip
def _fig_7() -> dict[str, float]:
    one = _system("elastic-lossy-1dof", "torsional")
    three = _system("elastic-lossy-3dof", "planar", **_PRINTED)
    # the load spring of 1 N m/rad is part of the model and shifts B by 1e-4 of its frequency at most
    b, a = _frequencies(one, _stuck_tangent(one.laws[0]))
    b3, a3, *_ = _frequencies(three, _stuck_tangent(three.laws[0]))
    _, sliding = _frequencies(one, _moving_tangent(one.laws[0]))
    return {
        "S24.s4_fig7_stuck_fA_1dof": a, "S24.s4_fig7_stuck_fB_1dof": b,
        "S24.s4_fig7_stuck_frequency_ratio_A_over_B": a / b, "S24.s4_fig7_stuck_lowest_fA_3dof": a3,
        "S24.s4_fig7_stuck_lowest_fB_3dof": b3, "S24.s4_fig7_sliding_f_1dof": sliding,
    }  # fmt: skip


@literature("S24.s4_fig7_sliding_f_3dof", 220.0, "Hz", "S4 digest sect. 8, lowest bearing mode while the contact moves", abs=0.5,
            note="forces on the centres as S4 prints them, bearings of 1e6 N/m")  # fmt: skip
def _sliding_3dof() -> float:
    three = _system("elastic-lossy-3dof", "planar", **_PRINTED)
    return float(_frequencies(three, _moving_tangent(three.laws[0]))[1])


_BOUNDARIES = {"A_coupled_B_free": {}, "both_coupled": {"B": 20e3}, "no_coupling": {"A": -20e3}}


@computes(*(f"S24.s4_fig9_eigenfrequencies_{n}dof_{b}" for n in (1, 3) for b in _BOUNDARIES))
def _fig_9() -> dict[str, Any]:
    found = {}
    for n, fidelity in ((1, "torsional"), (3, "planar")):
        system = _system("elastic-lossy-profile", fidelity, **_PRINTED)
        law = system.laws[system.blocks.index("mesh")]
        for name, more in _BOUNDARIES.items():
            hertz = _frequencies(system, _moving_tangent(law), more)
            # a free turn comes out as the root of a rounding error
            rigid = 1e-6 * max(hertz)
            found[f"S24.s4_fig9_eigenfrequencies_{n}dof_{name}"] = [float(x) if x > rigid else 0.0 for x in hertz]
    return found


@computes("S24.s4_contact_efficiency_quadrants", "S24.s4_loss_share_per_wheel")
def _quadrants() -> dict[str, Any]:
    from gearwright.laws.elastic_loss import elastic_loss

    law = elastic_loss(1e6, 10.0, (0.8, 0.6))
    found = []
    for forward, drives in ((1, "A"), (1, "B"), (-1, "A"), (-1, "B")):
        pressed = (1 if drives == "A" else -1) * forward * 1e-4
        f = _settled(law, [pressed], 2.0 * forward)
        sides = (f[0] + 0.5 * f[1], f[0] - 0.5 * f[1])
        found.append(sides[1] / sides[0] if drives == "A" else sides[0] / sides[1])
    system = _system("elastic-lossy-1dof", "torsional")
    roll = np.abs(system.D[system.rows.index("mesh.roll")].toarray().ravel()) / np.array([0.3, 0.1])
    return {"S24.s4_contact_efficiency_quadrants": found, "S24.s4_loss_share_per_wheel": float(roll[0] / roll.sum())}


@computes("S24.s4_stateless_mode_mismatches")
def _stateless() -> int:
    """Random states in which the mode that the law takes differs from that of the machine (32) to (34)."""
    from gearwright.laws.elastic_loss import elastic_loss

    rng = np.random.default_rng(4)
    wrong = 0
    for _ in range(40):
        eta = rng.uniform(0.2, 0.99, 2)
        kappa = (1.0 - eta) / (1.0 + eta)
        law = elastic_loss(1e6, 10.0, (float(eta[0]), float(eta[1])))
        for _ in range(500):
            d, dv, z = [1e-4 * rng.normal()], rng.normal(size=2) * (0.1, 3.0), [0.5e-4 * rng.normal()]
            f, _ = _call(law, d, dv, z)
            fa = 2e6 * (z[0] - d[0] / 2) - 20.0 * (dv[1] + dv[0] / 2)
            fb = -2e6 * (z[0] + d[0] / 2) + 20.0 * (dv[1] - dv[0] / 2)
            upper = sum(kappa[0 if x < 0.0 else 1] * abs(x) for x in (fa, fb))
            lower = -sum(kappa[1 if x < 0.0 else 0] * abs(x) for x in (fa, fb))
            mode = 1.0 if fb - fa > upper else (-1.0 if fb - fa < lower else 0.0)
            wrong += int(f[3] != mode)
    return wrong


@computes("S24.s4_profile_product_stiffness_peak_to_peak")
def _product() -> float:
    system = _system("elastic-lossy-profile", "torsional")
    law = system.laws[system.blocks.index("mesh")]
    turns = np.linspace(0.0, 1.0 / 60.0, 241)
    forces = [_settled_at(law, turn) for turn in turns]
    return float((max(forces) - min(forces)) / np.mean(forces[:-1]))


def _settled_at(law: Any, turn: float) -> float:
    return float(_call(law, [1e-5, 0.0, 0.0, 0.0, 0.0, turn, turn], np.zeros(2), np.zeros(1))[0][0])


@computes("S24.s4_tooth_frequency_2000rpm_60teeth")
def _tooth_frequency() -> float:
    """60 periods of the profile per turn of wheel A, whose turns the law reads in the assembled system."""
    system = _system("elastic-lossy-profile", "torsional")
    rates = np.asarray(system.D @ system.v0)
    return float(abs(rates[system.rows.index("mesh.turn_1")]) * 60.0)


# --- runs from the files ------------------------------------------------------------------------------------


@cache
def _three_periods() -> tuple[Any, Any]:
    data = _run("elastic-lossy-1dof", **{
        "cases.sine.duration": "3 s", "cases.sine.output_interval": "1e-4 s", "cases.sine.counting_interval": "1e-4 s",
    })  # fmt: skip
    return data["time"].values, np.asarray(data["mesh_contact_state"].sel(mesh="mesh").values, float)


@computes("S24.s4_fig7_stuck_time_share_10Nm_1Hz", "S24.s4_fig7_first_stuck_interval")
def _sticking() -> dict[str, Any]:
    t, state = _three_periods()
    stuck = state == 0.0
    begin = next(i for i in range(len(t)) if t[i] > 0.1 and stuck[i : i + 200].all())
    end = begin + int(np.argmin(stuck[begin:]))
    return {
        "S24.s4_fig7_stuck_time_share_10Nm_1Hz": float(stuck[t > 0.0].mean()),
        "S24.s4_fig7_first_stuck_interval": [float(t[begin]), float(t[end])],
    }


@computes("S24.s4_fig9_meshforce_amplitude_over_5pct_static_1dof_2000rpm",
          "S24.s4_fig9_meshforce_amplitude_over_5pct_static_3dof_2000rpm")  # fmt: skip
def _forced() -> dict[str, float]:
    found = {}
    for n, fidelity in ((1, "torsional"), (3, "planar")):
        data = _run("elastic-lossy-profile", fidelity, **{
            "cases.constant-speed.duration": "0.4 s", "cases.constant-speed.output_interval": "2e-5 s",
            "cases.constant-speed.counting_interval": "2e-5 s",
        })  # fmt: skip
        t, f = data["time"].values, np.asarray(data["mesh_normal_force"].sel(mesh="mesh").values, float)
        late = t > t[-1] - 0.1
        angle = 2.0 * math.pi * 2000.0 * t[late]
        waves = np.column_stack([np.ones(late.sum()), np.cos(angle), np.sin(angle)])
        mean, a, b = np.linalg.lstsq(waves, f[late], rcond=None)[0]
        key = f"S24.s4_fig9_meshforce_amplitude_over_5pct_static_{n}dof_2000rpm"
        found[key] = float(math.hypot(a, b) / (0.05 * abs(mean)))
    return found


@computes("S24.s4_dummy_mass_1e-4kg_max_speed_diff_over_peak")
def _dummy_mass() -> float:
    """Wheel speeds against two springs with a rigid lossy gear of 0.1 g between them."""
    elastic = _run("elastic-lossy-1dof", **{"cases.sine.duration": "0.5 s", "cases.sine.record": "[meshes, bodies]",
                                            "cases.sine.output_interval": "1e-4 s"})  # fmt: skip
    rigid = _run(_with_dummy(1e-4))
    speeds = [np.array([x["body_speed"].sel(body=b).values for b in "AB"], float) for x in (elastic, rigid)]
    n = min(s.shape[1] for s in speeds)
    return float(np.abs(speeds[0][:, :n] - speeds[1][:, :n]).max() / np.abs(speeds[0]).max())


def _with_dummy(mass: float) -> Any:
    from gearwright.drivetrain import load

    spring = {"type": "spring"}
    return load({
        "name": "dummy-mass",
        "bodies": [{"name": "A", "inertia": 4e-3}, {"name": "a", "inertia": 0.5 * mass * 0.3**2},
                   {"name": "b", "inertia": 0.5 * mass * 0.1**2}, {"name": "B", "inertia": 1e-3}],
        "elements": [
            {"name": "first", "between": ["A", "a"], "torsional_stiffness": 2e6 * 0.09,
             "torsional_damping": f"{20.0 * 0.09} N m s/rad", **spring},
            {"name": "second", "between": ["b", "B"], "torsional_stiffness": 2e6 * 0.01,
             "torsional_damping": f"{20.0 * 0.01} N m s/rad", **spring},
            {"name": "gear", "type": "mesh", "between": ["a", "b"], "base_radius": [0.3, 0.1], "same_sense": True,
             "loss": {"efficiency": 0.5}},
            {"name": "load", "between": ["B", "housing"], "torsional_stiffness": 1.0, **spring},
        ],
        "model": {"fidelity": "torsional", "law": "rigid"},
        "cases": [{"name": "sine", "duration": 0.5, "output_interval": 1e-4, "counting_interval": 1e-4,
                   "record": ["meshes", "bodies"],
                   "loads": [{"on": "A", "torque": {"sine": {"amplitude": 10.0, "frequency": 1.0}}}]}],
    })  # fmt: skip


# --- literature: spring with play ---------------------------------------------------------------------------

_PLAY = [
    0.249836, 52.8937, -0.961836, 12.0025, 0.231503, -26.9842, -0.309958, -17.2284, -0.030656, -10.9997, -0.155581, -7.02294,
]  # fmt: skip


@literature("LIT.5.4", _PLAY, "rad, rad/s", "Modelica Standard Library, Backlash (ElastoBacklash)", rel=5e-5,
            note="angle and speed at 0.1, 0.2, 0.3, 0.5, 0.7, 1 s")  # fmt: skip
def _backlash() -> list[float]:
    from gearwright.assembly import assemble
    from gearwright.drivetrain import expand, load
    from gearwright.solve.explicit import ExplicitEngine
    from gearwright.system import State

    system = assemble(expand(load({
        "name": "play", "bodies": [{"name": "mass", "inertia": 5.0}],
        "elements": [{"name": "stop", "type": "spring", "between": ["mass", "housing"], "torsional_stiffness": 20e3,
                      "torsional_damping": "50 N m s/rad", "play": 0.25 * math.pi}],
        "model": {"fidelity": "torsional", "law": "linear"},
    })))  # fmt: skip
    engine = ExplicitEngine()
    plan = engine.prepare(system, system.channels, 0.1, 1e-8)
    state = State.start(system, q=np.array([0.5 * math.pi]))
    found = []
    for step in range(1, 11):
        engine.advance(plan, state, 1)
        if step in (1, 2, 3, 5, 7, 10):
            found += [float(state.q[0]), float(state.v[0])]
    return found
