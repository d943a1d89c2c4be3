"""Rigid trains with losses: power flow of S3's trains and transmissions, sticking gears of S3 and LIT.5."""

from __future__ import annotations

from typing import Any

import numpy as np

from .framework import REGISTRY

computes, literature = REGISTRY.computes, REGISTRY.literature


def _flow(name: str, case: str | None = None, *overrides: str) -> Any:
    from gearwright.cases.powerflow import power_flow

    return power_flow(name, case, overrides=list(overrides))


@computes("S3.basic.willis.ring_fixed", "S3.basic.willis.carrier_fixed", "S3.basic.torques")
def _willis() -> dict[str, Any]:
    free = _flow("simple-planetary", None, "model.loss=none", "operating.torque=1 N m")
    return {
        "S3.basic.willis.ring_fixed": _flow("simple-planetary", None, "operating.fixed=ring").ratio,
        "S3.basic.willis.carrier_fixed": _flow("simple-planetary", None, "operating.fixed=carrier").ratio,
        "S3.basic.torques": [free.torque(f"set.{n}") for n in ("sun", "ring", "carrier")],
    }


_MEMBERS = {"s": "sun", "r": "ring", "c": "carrier"}
_INVERSIONS = ("s.r.c", "r.s.c", "s.c.r", "c.s.r", "r.c.s", "c.r.s")


@computes(*(f"S3.basic.eta.{i.replace('.', '_')}" for i in _INVERSIONS))
def _inversions() -> dict[str, float]:
    found = {}
    for letters in _INVERSIONS:
        into, _, fixed = (_MEMBERS[x] for x in letters.split("."))
        flow = _flow("simple-planetary", None, f"operating.input={into}", f"operating.fixed={fixed}")
        found[f"S3.basic.eta.{letters.replace('.', '_')}"] = flow.efficiency
    return found


_BOXES = {
    "zf4hp22_large": ("zf-4hp22", ("first", "second", "fourth", "reverse")),
    "zf4hp14": ("zf-4hp14", ("first", "second", "overdrive", "reverse")),
    "zf4hp18": ("zf-4hp18", ("first", "second", "overdrive", "reverse")),
    "aod": ("ravigneaux", ("first", "second", "overdrive", "reverse")),
}


@computes(*(f"S3.{box}.{what}" for box in _BOXES for what in ("ratios", "efficiencies")))
def _gearboxes() -> dict[str, list[float]]:
    found = {}
    for box, (name, gears) in _BOXES.items():
        flows = [_flow(name, gear) for gear in gears]
        found[f"S3.{box}.ratios"] = [f.ratio for f in flows]
        found[f"S3.{box}.efficiencies"] = [f.efficiency for f in flows]
    return found


@computes(*(f"S3.{n}.{w}" for n in ("wolfrom", "wolfrom_negative") for w in ("ratio", "eta_forward", "eta_backward")))
def _wolfrom() -> dict[str, float]:
    found = {}
    for name, teeth in (("wolfrom", "[27, 78]"), ("wolfrom_negative", "[33, 84]")):
        change = f"elements.planet_ring2.teeth={teeth}"
        forward = _flow("wolfrom", "forward", change)
        found[f"S3.{name}.ratio"] = forward.ratio
        found[f"S3.{name}.eta_forward"] = forward.efficiency
        found[f"S3.{name}.eta_backward"] = _flow("wolfrom", "backward", change).efficiency
    return found


@computes(
    "S3.split_ring_256.ratio", "S3.split_ring_256.eta", "S3.split_ring_256.eta_0.993", "S3.split_ring_256.self_lock"
)
def _split_ring() -> dict[str, float]:
    flow = _flow("split-ring-256", "forward")
    data = _run("split-ring-256", "stuck")
    return {
        "S3.split_ring_256.ratio": flow.ratio, "S3.split_ring_256.eta": flow.efficiency,
        "S3.split_ring_256.eta_0.993": flow.efficiency,
        "S3.split_ring_256.self_lock": float(np.abs(data["body_speed"].values).max()),
    }  # fmt: skip


# --- sticking gears ------------------------------------------------------------------------------------


def _run(drivetrain: Any, case: str) -> Any:
    import tempfile
    from pathlib import Path

    import gearwright as gw

    with tempfile.TemporaryDirectory() as folder:
        done = gw.simulate(drivetrain, case, output=Path(folder) / "run.nc")
        with gw.Result.open(done.result_file) as result:
            return result.dataset.load()


def _demo(name: str, inertia: float, teeth: tuple[int, int], efficiency: float, duration: float, loads: list[Any],
          start: str = "rest", friction: dict[str, float] | None = None, speed: float = 0.0) -> Any:  # fmt: skip
    """A gear of the Modelica Standard Library's LossyGearDemo as a file; the second wheel of demo 1 and 2 is 1.5 times."""
    from gearwright.drivetrain import load

    second = inertia * (1.5 if teeth[0] != teeth[1] else 1.0)
    elements: list[dict[str, Any]] = [
        {"name": "m", "type": "mesh", "between": ["a", "b"], "teeth": list(teeth), "same_sense": True,
         "loss": {"efficiency": efficiency}},
    ]  # fmt: skip
    if friction is not None:
        elements.append({"name": "f", "type": "bearing", "between": ["a", "housing"], "friction": friction})
    return load({
        "name": name, "bodies": [{"name": "a", "inertia": inertia}, {"name": "b", "inertia": second}],
        "elements": elements, "model": {"fidelity": "rigid", "law": "rigid"},
        "operating": {"input": "a", "output": "b", "speed": speed},
        "cases": [{"name": "c", "duration": duration, "start": start, "record": ["bodies"], "output_interval": 1e-4,
                   "counting_interval": 1e-4, "loads": loads}],
    })  # fmt: skip


_SINE = [
    {"on": "a", "torque": {"sine": {"amplitude": 10.0, "frequency": 1.0}}},
    {"on": "b", "torque": {"ramp": {"from": -10.0, "to": -8.75, "at": 0.0, "over": 0.5}}},
]


def _speed_of_b(data: Any) -> tuple[Any, Any]:
    return data["time"].values, np.asarray(data["body_speed"].sel(body="b").values, float)


def _at(t: Any, series: Any, time: float) -> float:
    return float(series[np.searchsorted(t, time - 1e-9)])


_DEMO_1 = ("S3.lossygear1.w2_max", "S3.lossygear1.w2_min", "S3.lossygear1.w2_end", "S3.lossygear1.phi2_first_stuck",
           "S3.lossygear1.phi2_second_stuck", "S3.lossygear1.phi2_end", "S3.lossygear1.mode_switch_times",
           "S24.msl_lossygear_demo1_event_times", "S24.msl_lossygear_demo1_min_speed_1")  # fmt: skip


@computes(*_DEMO_1)
def _first_demo() -> dict[str, Any]:
    drivetrain = _demo("demo1", 1.0, (20, 40), 0.5, 0.5, _SINE)
    data = _run(drivetrain, "c")
    t, w = _speed_of_b(data)
    angle = np.asarray(data["body_angle"].sel(body="b").values, float)
    times = _switches(drivetrain)
    return {
        "S3.lossygear1.w2_max": float(w.max()), "S3.lossygear1.w2_min": float(w.min()),
        "S3.lossygear1.w2_end": float(w[-1]), "S3.lossygear1.phi2_first_stuck": _at(t, angle, 0.1),
        "S3.lossygear1.phi2_second_stuck": _at(t, angle, 0.4), "S3.lossygear1.phi2_end": float(angle[-1]),
        "S3.lossygear1.mode_switch_times": times, "S24.msl_lossygear_demo1_event_times": times,
        "S24.msl_lossygear_demo1_min_speed_1": 2.0 * float(w.min()),
    }  # fmt: skip


def _switches(drivetrain: Any, tolerance: float = 1e-8) -> list[float]:
    """Instants at which the loss of the gear changes its state, by bisection over runs that end ever closer."""
    from gearwright.cases.run import initial_state, prepare
    from gearwright.solve.explicit import ExplicitEngine

    prepared = prepare(drivetrain, "c")
    system, engine = prepared.system, ExplicitEngine()
    found = []
    for near in (0.0805, 0.1995, 0.3713, 0.4645):
        state = initial_state(prepared)
        engine.advance(engine.prepare(system, system.channels, near - 0.003, tolerance), state, 1)
        mode, low, high = state.friction[0], 0.0, 0.006
        while high - low > 1e-8:
            middle = 0.5 * (low + high)
            later = state.copy()
            engine.advance(engine.prepare(system, system.channels, middle, tolerance), later, 1)
            low, high = (low, middle) if later.friction[0] != mode else (middle, high)
        found.append(near - 0.003 + high)
    return found


_TIMES_1 = [0.080477, 0.199520, 0.371343, 0.464539]


@literature("LIT.5.1.times", _TIMES_1, "s", "Modelica Standard Library, LossyGearDemo1", abs=2e-6)
def _lit_times() -> list[float]:
    return [float(x) for x in _first_demo()["S3.lossygear1.mode_switch_times"]]


@literature("LIT.5.1.values", [-0.00111689, 0.00569809, 0.0131812, 0.000208358, -0.0162619], "rad, rad/s",
            "Modelica Standard Library, LossyGearDemo1", rel=1e-4, note="phi(0.1), w(0.25), w(0.3), phi(0.4), w(0.5) of side b")  # fmt: skip
def _lit_values() -> list[float]:
    data = _run(_demo("demo1", 1.0, (20, 40), 0.5, 0.5, _SINE), "c")
    t, w = _speed_of_b(data)
    angle = np.asarray(data["body_angle"].sel(body="b").values, float)
    return [_at(t, angle, 0.1), _at(t, w, 0.25), _at(t, w, 0.3), _at(t, angle, 0.4), float(w[-1])]


_FRICTION = {"torque": 0.5, "viscous": 0.5}


@literature("LIT.5.2.values", [-0.00876991, 0.000420504, -0.00962428], "rad/s",
            "Modelica Standard Library, LossyGearDemo2", rel=5e-3, note="w of side b at 0.05, 0.25, 0.5 s")  # fmt: skip
def _lit_second() -> list[float]:
    t, w = _speed_of_b(_run(_demo("demo2", 1.0, (20, 40), 0.5, 0.5, _SINE, friction=_FRICTION), "c"))
    return [_at(t, w, 0.05), _at(t, w, 0.25), float(w[-1])]


@literature("LIT.5.2.times", [0.0635911, 0.230374, 0.308307], "s",
            "Modelica Standard Library, LossyGearDemo2", abs=2e-4,
            note="from samples every 0.1 ms: at rest or not. The fourth instant, 0.456243 s, is a change of the gear's own "
                 "state while the bearing still holds: which of the two sticks is not unique")  # fmt: skip
def _lit_second_times() -> list[float]:
    t, w = _speed_of_b(_run(_demo("demo2", 1.0, (20, 40), 0.5, 0.5, _SINE, friction=_FRICTION), "c"))
    still = np.abs(w) < 1e-9
    moved = np.flatnonzero(still[1:] != still[:-1])
    return [float(t[i + 1]) for i in moved if t[i + 1] > 0.01][:3]


@literature("LIT.5.3", [500.0, 0.02, 0.1], "rad/s^2, s, rad", "Modelica Standard Library, LossyGearDemo3", rel=1e-2,
            note="deceleration, instant of rest (samples every 0.1 ms), angle at the end, where it sticks for good")  # fmt: skip
def _lit_third() -> list[float]:
    data = _third_demo()
    t, w = data["time"].values, np.asarray(data["body_speed"].sel(body="a").values, float)
    rest = float(t[np.argmax(np.abs(w) < 1e-9)])
    slope = float((w[50] - w[150]) / (t[150] - t[50]))
    return [slope, rest, float(data["body_angle"].sel(body="a").values[-1])]


@computes("S24.msl_lossygear_demo3_stop_time")
def _stop_time() -> float:
    data = _third_demo()
    t, w = data["time"].values, np.asarray(data["body_speed"].sel(body="a").values, float)
    # the straight line through two samples before the stop meets zero
    i, j = np.searchsorted(t, 0.005), np.searchsorted(t, 0.015)
    return float(t[j] + w[j] * (t[j] - t[i]) / (w[i] - w[j]))


def _third_demo() -> Any:
    load = [{"on": "b", "torque": {"step": {"from": 0.0, "to": 1.0, "at": 0.5}}}]
    return _run(_demo("demo3", 0.001, (20, 20), 0.25, 1.0, load, "operating", {"torque": 0.625}, 10.0), "c")


# --- S3 Fig. 6: four flywheels, a spring, a lossy mesh ---------------------------------------------------


@computes("S3.fig6.half_cycle_amplitude_ratio", "S3.fig6.half_period", "S3.fig6.energy_after_6s",
          "S3.fig6.sign_switches_per_period", "S3.fig6.loss_at_zero_relative_power")  # fmt: skip
def _four_flywheels() -> dict[str, float]:
    from gearwright.cases.run import initial_state, prepare
    from gearwright.results import energy_book
    from gearwright.solve.explicit import ExplicitEngine

    prepared = prepare(_load("four-flywheels"), "let-go")
    system, engine, interval = prepared.system, ExplicitEngine(), 1e-3
    plan, state = engine.prepare(system, system.channels, interval, 1e-8), initial_state(prepared)
    start = state.copy()
    t, lines = engine.advance(plan, state, 6010)
    got = {c.name: lines[:, i] for i, c in enumerate(system.channels)}
    torque = got["spring.torque"]
    turns = [i for i in range(1, len(t) - 1) if (torque[i] - torque[i - 1]) * (torque[i + 1] - torque[i]) < 0.0]
    peaks = [_vertex(t[i - 1 : i + 2], torque[i - 1 : i + 2]) for i in turns[:4]]
    ratios = [abs(b[1] / a[1]) for a, b in zip([(0.01, torque[0]), *peaks], peaks, strict=False)]
    heat = -energy_book(system, start, state).terms["friction pair"]
    power = got["pair.friction_torque"] * got["pair.friction_speed"]
    # sign of the offset: of the product of tooth force and rate, over one period; it changes at turning points and between
    half, first = peaks[1][0] - peaks[0][0], peaks[0][0]
    inside = np.sign(got["pair.torque_first"] * got["pair.friction_speed"])
    inside = inside[(t > first + 0.25 * half) & (t < first + 2.25 * half)]
    # wound and at rest, nothing flows; the tooth force is round-off then, and so is the loss
    still = float(np.abs(power[t < 0.01]).max())
    return {
        "S3.fig6.half_cycle_amplitude_ratio": float(np.mean(ratios)), "S3.fig6.half_period": half,
        "S3.fig6.energy_after_6s": 5.0 - heat,
        "S3.fig6.sign_switches_per_period": float((inside[1:] != inside[:-1]).sum()),
        "S3.fig6.loss_at_zero_relative_power": still if still > 1e-15 * float(power.max()) else 0.0,
    }  # fmt: skip


def _load(name: str) -> Any:
    from gearwright.drivetrain import load

    return load(name)


def _vertex(t: Any, x: Any) -> tuple[float, float]:
    """Turning point of the parabola through three points."""
    c = np.polyfit(t - t[1], x, 2)
    at = -c[1] / (2.0 * c[0])
    return float(t[1] + at), float(np.polyval(c, at))


@computes("S3.fig6.total_angular_momentum")
def _momentum() -> float:
    from gearwright.cases.run import initial_state, prepare
    from gearwright.solve.explicit import ExplicitEngine

    prepared = prepare(_load("four-flywheels"), "let-go")
    engine, state = ExplicitEngine(), initial_state(prepared)
    engine.advance(engine.prepare(prepared.system, (), 1e-3, 1e-6), state, 6010)
    return float((prepared.system.mass @ state.v).sum())


@computes("S3.zf4hp22_small.ratios", "S3.zf4hp22_small.efficiencies")
def _small_engines() -> dict[str, list[Any]]:
    """The 4HP22 for small engines: input set 41/73; the overdrive has no number to compare with."""
    change = ("elements.sun_a.teeth=[41, 16]", "elements.a_ring.teeth=[16, 73]")
    flows = [_flow("zf-4hp22", gear, *change) for gear in ("first", "second", "reverse")]
    ratios, efficiencies = [f.ratio for f in flows], [f.efficiency for f in flows]
    return {
        "S3.zf4hp22_small.ratios": [*ratios[:2], None, ratios[2]],
        "S3.zf4hp22_small.efficiencies": [*efficiencies[:2], None, efficiencies[2]],
    }


def _sine(amplitude: float, frequency: float) -> dict[str, Any]:
    return {"sine": {"amplitude": amplitude, "frequency": frequency}}


def _steering(loads: dict[str, Any], duration: float) -> Any:
    """Steering gear of S3, an offset of 0.1 tooth in every mesh, all members turning, under torques by body."""
    from gearwright.cases.run import prepare
    from gearwright.drivetrain import load

    case = {"name": "swing", "duration": duration, "start": "operating", "initial": {"G": 100.0, "BF_L": 80.0, "BF_R": 120.0},
            "loads": [{"on": body, "torque": torque} for body, torque in loads.items()]}  # fmt: skip
    losses = {
        f"elements.{m}.loss": {"force_pole_offset": 0.1}
        for m in ("GH", "AB_L", "AB_R", "FE_L", "FE_R", "CD_L", "CD_R", "EE")
    }
    return prepare(load("tracked-steering", {"machines": [], **losses, "cases": [case]}))


@computes("S3.rigid.power_balance_rel", "S3.rigid.drift_1e5_projection")
def _long_run() -> dict[str, float]:
    """Steering gear of S3 with losses under loads that swing, 1e5 steps of 10 ms: energy left over, rates of the rows."""
    from gearwright.cases.run import initial_state
    from gearwright.results import energy_book
    from gearwright.solve.explicit import ExplicitEngine

    prepared = _steering({"H": _sine(5.0, 0.11), "A_L": _sine(9.0, 0.37), "A_R": _sine(-7.0, 0.23)}, 1000.0)
    system, engine, state = prepared.system, ExplicitEngine(), initial_state(prepared)
    start = state.copy()
    engine.advance(engine.prepare(system, (), 1e-2, 1e-6), state, 100_000)
    # rates of the meshes in m/s, with one millimetre of radius a tooth
    rates = 1e-3 * np.asarray(system.D[system.arrays.hard.astype(int)] @ state.v)
    return {"S3.rigid.power_balance_rel": energy_book(system, start, state).error,
            "S3.rigid.drift_1e5_projection": float(np.abs(rates).max())}  # fmt: skip


@computes("S3.rigid.drift_1e5_no_projection")
def _drift() -> float:
    """Largest rate of a mesh [m/s] after 1e5 steps of 1 ms of the steering gear, run up to some 1e4 rad/s.

    The engine projects between steps where samples are taken or states change: one sample at the end and loads that
    let no loss change its sign leave none.
    """
    from gearwright.cases.run import initial_state
    from gearwright.solve import explicit_table as T
    from gearwright.solve.explicit import ExplicitEngine

    prepared = _steering({"H": 60.0, "A_L": -9.6, "A_R": -9.0}, 100.0)
    system, engine, state = prepared.system, ExplicitEngine(), initial_state(prepared)
    engine.advance(engine.prepare(system, (), 1e-2, 1e-6), state, 10)  # all losses find their signs
    plan = engine.prepare(system, (), 100.0, 1e-6)
    plan.table.arrays[T.CARRY][3] = 1e-3
    engine.advance(plan, state, 1)
    made = plan.statistics
    if made["steps"] < 100_000 or made["events"]:
        raise RuntimeError(f"not 1e5 steps without an event: {made}")
    return 1e-3 * float(np.abs(system.D[system.arrays.hard.astype(int)] @ state.v).max())


@computes("S3.rigid.torque_balance")
def _torque_balance() -> float:
    """Largest sum of outside torques and d'Alembert torques [N m] of a train that touches no frame, in motion.

    Simpson train without its brakes, losses included, under torques that swing: 200 instants of 10 s.
    """
    from gearwright.cases.run import initial_state, prepare
    from gearwright.drivetrain import load
    from gearwright.solve.explicit import ExplicitEngine

    loads = {"sun": 3.0, "ring_a": -20.0, "carrier_b": 30.0}
    drivetrain = _load("simpson")
    elements = [e for e in drivetrain.raw["elements"] if e["type"] == "mesh"]
    case = {"name": "swing", "duration": 10.0, "start": "operating", "initial": {"sun": 50.0, "output": -20.0}, "record": ["bodies"],
            "loads": [{"on": b, "torque": _sine(t, 0.2 + 0.1 * i)} for i, (b, t) in enumerate(loads.items())]}  # fmt: skip
    prepared = prepare(
        load("simpson", {"elements": elements, "operating": {"input": "sun", "speed": 50.0}, "cases": [case]})
    )
    system, engine, state = prepared.system, ExplicitEngine(), initial_state(prepared)
    channels = {c.name: i for i, c in enumerate(system.channels)}
    lines = np.asarray(engine.advance(engine.prepare(system, system.channels, 0.05, 1e-8), state, 200).lines)
    inertia = system.mass.diagonal()
    total = np.zeros(len(lines))
    for name, value in zip(system.coordinates, inertia, strict=True):
        total -= value * lines[:, channels[f"{name.removesuffix('.rotation')}.acceleration"]]
    time = 0.05 * np.arange(1, 201)
    total += sum(t * np.sin(2 * np.pi * (0.2 + 0.1 * i) * time) for i, t in enumerate(loads.values()))
    return float(np.abs(total).max())
