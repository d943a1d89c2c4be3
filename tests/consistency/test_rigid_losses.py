"""Losses of rigid trains that vary with speed, that are switched by S3's machine, and redundant meshes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import gearwright as gw
from gearwright.analyses.power_flow import power_flow
from gearwright.errors import DrivetrainError
from gearwright.results import energy_book
from gearwright.running.prepare import prepare
from gearwright.running.start import initial_state
from gearwright.schema.read import from_mapping
from gearwright.solve.runge_kutta.engine import ExplicitEngine
from gearwright.train.open import load


def lines_of(
    prepared: Any, interval: float, steps: int, tolerance: float = 1e-9
) -> tuple[Any, dict[str, Any], Any, Any]:
    """Time, channels by name, counters and energy book of a run."""
    system, engine, state = prepared.system, ExplicitEngine(), initial_state(prepared)
    start = state.copy()
    plan = engine.prepare(system, system.channels, interval, tolerance)
    t, block, _ = engine.advance(plan, state, steps)
    got = {c.name: block[:, i] for i, c in enumerate(system.channels)}
    return t, got, plan.statistics, energy_book(system, start, state)


# --- efficiency over speed, two directions ----------------------------------------------------------------------

TABLE = [["0 rad/s", 0.80, 0.70], ["20 rad/s", 0.95, 0.90], ["60 rad/s", 0.97, 0.94]]


def _pair(internal: bool, law: str = "rigid", **mesh: Any) -> Any:
    """Wheels of 20 and 50 teeth; wheel 1 drives for one second, then its torque turns and wheel 2 drives it."""
    torque = {"step": {"from": 40.0, "to": -30.0, "at": 1.0}}
    return from_mapping({
        "name": "pair", "bodies": [{"name": "a", "inertia": 0.5}, {"name": "b", "inertia": 4.0}],
        "elements": [{"name": "m", "type": "mesh", "between": ["a", "b"], "teeth": [20, 50], "internal": internal,
                      "loss": {"efficiency": {"table": TABLE}}, **mesh}],
        "model": {"fidelity": "rigid" if law == "rigid" else "torsional", "law": law},
        "operating": {"input": "a", "output": "b", "speed": 0.0},
        "cases": [{"name": "c", "duration": 1.8, "start": "rest", "loads": [{"on": "a", "torque": torque}], "record": ["bodies"]}],
    })  # fmt: skip


def _reference(internal: bool) -> Any:
    """Speed of wheel 1 by Newton's law for each wheel, integrated by scipy over each smooth stretch."""
    ratio = 0.4 if internal else -0.4
    x, one, two = np.array([[0.0, 0.80, 0.70], [20.0, 0.95, 0.90], [60.0, 0.97, 0.94]]).T

    def kappa(eta: Any) -> Any:
        return (1.0 - eta) / (1.0 + eta)

    def rate(t: float, w: Any) -> Any:
        # tooth force F per tooth: J1 a = T - F r1 (1 +- k), J2 ratio a = sign F r2 (1 -+ k); k is interpolated
        drives = t <= 1.0
        k = np.interp(abs(w[0]), x, kappa(one if drives else two)) * (1.0 if drives else -1.0)
        factor = (1.0 + k) / (1.0 - k)  # torque at wheel 1 per torque it gives without loss
        torque = 40.0 if drives else -30.0
        return [torque / (0.5 + 4.0 * ratio**2 * factor)]

    first = solve_ivp(rate, (0.0, 1.0), [0.0], rtol=1e-11, atol=1e-12, dense_output=True, max_step=0.01)
    second = solve_ivp(
        lambda t, w: rate(max(t, 1.0 + 1e-12), w), (1.0, 1.8), first.y[:, -1], rtol=1e-11, atol=1e-12,
        dense_output=True, max_step=0.01,
    )  # fmt: skip
    return lambda t: np.where(t <= 1.0, first.sol(np.minimum(t, 1.0))[0], second.sol(np.maximum(t, 1.0))[0])


@pytest.mark.parametrize("internal", [False, True])
def test_efficiency_over_speed_in_motion(internal: bool) -> None:
    t, got, _, book = lines_of(prepare(_pair(internal), "c"), 0.01, 180)
    np.testing.assert_allclose(got["a.speed"], _reference(internal)(t), rtol=2e-7, atol=1e-7)
    # the heat of a step is summed by the weights of the method: no better than its tolerance where k has kinks
    assert book.error < 1e-9
    assert got["m.friction_torque"] @ got["m.friction_speed"] > 0.0


def test_efficiency_over_speed_of_an_elastic_mesh_is_that_of_the_rigid_one() -> None:
    """The elastic mesh unwinds within some 0.2 ms when the torque turns, at 28 rad/s^2: 6e-3 rad/s of 10."""
    stiff = {"stiffness": "2e8 N/m", "damping": "2e4 N s/m", "module": "4 mm", "pressure_angle": "20 deg"}
    t, got, _, _ = lines_of(prepare(_pair(False, "linear", **stiff), "c"), 1e-3, 1800, 1e-5)
    late = (t > 0.2) & ((t < 1.0) | (t > 1.1))
    np.testing.assert_allclose(got["a.speed"][late], _reference(False)(t)[late], rtol=2e-5, atol=6e-3)


def test_a_table_of_one_efficiency_is_that_efficiency() -> None:
    change = "stages.set.meshes.sun_planet.loss"
    plain = load("simple-planetary", [f"{change}={{efficiency: [0.98, 0.97]}}"])
    table = load(
        "simple-planetary", [f"{change}={{efficiency: {{table: [[0 rad/s, 0.98, 0.97], [10 rad/s, 0.98, 0.97]]}}}}"]
    )
    runs = [lines_of(prepare(d), 0.01, 50, 1e-8)[1] for d in (plain, table)]
    for name, values in runs[0].items():
        if name.endswith("deflection"):
            continue  # round-off of a rigid mesh
        # the same numbers by factors of every evaluation and by maps of the pattern
        np.testing.assert_allclose(runs[1][name], values, rtol=1e-9, atol=1e-9 * np.abs(values).max(initial=0.1))


# --- S3's machine ------------------------------------------------------------------------------------------------


def _switched(name: str, case: str, *overrides: str, width: str = "1e-6 W") -> Any:
    return prepare(load(name, ["model.loss=switch", f"model.hysteresis={width}", *overrides]), case)


def test_switched_losses_of_four_flywheels_lose_the_same_part_each_half_swing() -> None:
    """S3 Fig. 6: amplitude ratio sqrt(a_release/a_charge) = 0.993113 and the energy left are those of the sticking law."""
    t, got, counts, book = lines_of(_switched("four-flywheels", "let-go"), 1e-3, 6010, 1e-8)
    torque = got["spring.torque"]
    turns = np.flatnonzero((torque[1:-1] - torque[:-2]) * (torque[2:] - torque[1:-1]) < 0.0) + 1
    # the parabola through three samples of a swing of 0.1 s meets its peak to some 1e-6
    peaks = [float(np.abs(torque[i]) + (torque[i + 1] - torque[i - 1]) ** 2 / 8 / abs(torque[i + 1] - 2 * torque[i] + torque[i - 1]))
             for i in turns[:5]]  # fmt: skip
    ratios = np.array(peaks[1:]) / np.array(peaks[:-1])
    np.testing.assert_allclose(ratios, 0.993113, atol=2e-5)
    assert book.error < 1e-9
    stuck = lines_of(prepare(load("four-flywheels"), "let-go"), 1e-3, 6010, 1e-8)[3]
    assert book.terms["friction pair"] == pytest.approx(stuck.terms["friction pair"], rel=1e-6)
    # two sign changes of the power per half swing, each over the place of no offset, and the landing of the load
    assert counts["events"] < 2 * 2 * len(turns) + 6


def test_a_switched_differential_running_straight_has_no_friction_inside() -> None:
    """S3, section 10: at zero relative power the offset is zero, so the smallest difference of loads turns the gear.

    The sticking law holds it up to a ratio of the loads of 1.027.
    """
    case = {"name": "loads", "duration": 0.02, "start": "operating", "initial": {"G": 10.0, "BF_L": 10.0, "BF_R": 10.0}, "record": ["bodies"],
            "loads": [{"on": "A_L", "torque": 20.2}, {"on": "A_R", "torque": 20.0}, {"on": "H", "torque": -7.0}]}  # fmt: skip
    found = {}
    for loss in ("stick", "switch"):
        model = {"fidelity": "rigid", "law": "rigid", "loss": loss, **({"hysteresis": 1e3} if loss == "switch" else {})}
        # a wide hysteresis, so that the places stay at zero: the gear moves as without losses inside
        prepared = prepare(load("tracked-steering", {"machines": [], "cases": [case], "model": model}))
        got = lines_of(prepared, 2e-3, 10)[1]
        found[loss] = abs(got["BF_L.speed"][-1] - got["BF_R.speed"][-1])
    assert found["stick"] < 1e-9
    free = prepare(
        load(
            "tracked-steering",
            {"machines": [], "cases": [case], "model": {"fidelity": "rigid", "law": "rigid", "loss": "none"}},
        )
    )
    got = lines_of(free, 2e-3, 10)[1]
    assert found["switch"] == pytest.approx(abs(got["BF_L.speed"][-1] - got["BF_R.speed"][-1]), rel=1e-9)


def test_switched_and_sticking_losses_agree_where_everything_slides() -> None:
    drive = [
        lines_of(prepare(load("zf-4hp22", [f"model.loss={x}"]), "second"), 0.01, 100)[1] for x in ("stick", "switch")
    ]
    for name in ("turbine.speed", "output.speed"):
        np.testing.assert_allclose(drive[1][name], drive[0][name], rtol=1e-10)


def test_a_switched_gear_creeps_within_its_hysteresis_where_a_sticking_one_stands() -> None:
    """Self-locking: 100 N m on ring 2 of the split ring. The machine shuttles; power stays within its width."""
    width = 5.0
    t, got, counts, book = lines_of(_switched("split-ring-256", "stuck", width=f"{width} W"), 1e-3, 30, 1e-7)
    # energy of the motion is bounded by the width: no power above it lasts; the sticking law has none at all
    loss = (1.0 - 0.993) / (1.0 + 0.993)  # friction over tooth force
    power = got["planet_ring2.friction_torque"] * got["planet_ring2.friction_speed"] / loss
    assert counts["events"] > 10 and np.abs(power).max() < 1.01 * width
    assert book.error < 1e-6
    assert np.abs(got["carrier.speed"]).max() < 1.0


def test_switched_loss_of_an_elastic_mesh() -> None:
    """Steady drive of a linear mesh: the force of the loss is mu times the normal force on the sliding side."""
    d = _pair(False, "linear", stiffness="2e7 N/m", damping="2e3 N s/m", module="4 mm", pressure_angle="20 deg",
              loss={"efficiency": [0.9, 0.8]})  # fmt: skip
    d = from_mapping(
        {**d.raw, "model": {"fidelity": "torsional", "law": "linear", "loss": "switch", "hysteresis": 1e-3}}
    )
    t, got, _, book = lines_of(prepare(d, "c"), 1e-3, 1800, 1e-6)
    push, rub, rate = got["m.force"], got["m.friction_force"], got["m.friction_rate"]
    late = (t > 0.3) & (t < 1.0)
    np.testing.assert_allclose(rub[late], push[late] * (0.1 / 1.9), rtol=1e-12)
    late = t > 1.2
    np.testing.assert_allclose(rub[late], np.abs(push[late]) * np.sign(rate[late]) * (0.2 / 1.8), rtol=1e-12)
    assert (rub * rate >= -1e-3).all() and book.error < 1e-8


def test_width_of_the_hysteresis_is_asked_for_or_taken_from_the_operating_power() -> None:
    with pytest.raises(gw.AssemblyError, match=r"model\.hysteresis"):
        prepare(load("four-flywheels", ["model.loss=switch"]), "let-go")
    with pytest.raises(DrivetrainError, match="hysteresis is for loss: switch"):
        load("four-flywheels", ["model.hysteresis=1 W"])
    system = prepare(load("simpson", ["model.loss=switch"]), "first").system
    np.testing.assert_allclose(system.arrays.fhys, 1e-6 * 100.0 * 100.0)


# --- redundant meshes --------------------------------------------------------------------------------------------


def _two_planets(stiffness: tuple[float, float], **model: Any) -> Any:
    """Sun, ring and arm with two planets; the meshes of the second have a stiffness of their own."""
    names = ["sun", "ring", "arm", "p1", "p2"]
    meshes = []
    for k, value in zip((1, 2), stiffness, strict=True):
        common = {"type": "mesh", "on": "arm", "stiffness": value}
        meshes += [{"name": f"s{k}", "between": ["sun", f"p{k}"], "teeth": [30, 20], "loss": {"efficiency": 0.9}, **common},
                   {"name": f"r{k}", "between": [f"p{k}", "ring"], "teeth": [20, 70], "internal": True, "loss": {"efficiency": 0.95}, **common}]  # fmt: skip
    return from_mapping({
        "name": "two", "bodies": [{"name": n, "inertia": 0.1, **({"on": "arm"} if n[0] == "p" else {})} for n in names],
        "elements": meshes, "model": {"fidelity": "rigid", "law": "rigid", **model},
        "operating": {"input": "sun", "fixed": "ring", "output": "arm", "speed": 100, "torque": 10},
        "cases": [{"name": "c", "duration": 0.1, "start": "operating", "loads": [{"on": "sun", "torque": 10}], "record": ["meshes", "bodies"]}],
    })  # fmt: skip


def test_redundant_meshes_share_by_stiffness_and_the_result_holds_the_weights(tmp_path: Any) -> None:
    """Equal planets of unlike stiffness: a rigid train in the limit of elastic ones shares 3 to 1."""
    flow = power_flow(_two_planets((3e8, 1e8)))
    force = {m.name: m.torque for m in flow.meshes}
    assert force["s1"] / force["s2"] == pytest.approx(3.0, rel=1e-9)
    assert flow.weights == pytest.approx({"s1": 3e8, "r1": 3e8, "s2": 1e8, "r2": 1e8}) and flow.dropped == ()
    done = gw.simulate(_two_planets((3e8, 1e8)), "c", output=tmp_path / "r.nc")
    assert done.attributes["redundant_rows"] == ["r2.drive"]
    with gw.Result.open(done.result_file) as result:
        assert '"s1": 3' in result.attributes["share_weights_json"]
    assert any("r2 share the load" in note and "mean stiffness" in note for note in done.attributes["notes"])


def test_redundant_meshes_are_dropped_on_request(tmp_path: Any) -> None:
    """As published models do it: one planet carries all, and speeds, torques and efficiency stay."""
    shared, dropped = power_flow(_two_planets((1e8, 1e8))), power_flow(_two_planets((1e8, 1e8), redundant="drop"))
    assert dropped.dropped == ("r2",) and dropped.efficiency == pytest.approx(shared.efficiency, rel=1e-12)
    force = {m.name: m.torque for m in dropped.meshes}
    assert force["s1"] == pytest.approx(2.0 * shared.meshes[0].torque, rel=1e-12)
    assert force["r2"] == 0.0 and abs(force["s2"]) < 1e-12
    assert any("left out" in words for words in dropped.words)
    done = gw.simulate(_two_planets((1e8, 1e8), redundant="drop"), "c", output=tmp_path / "r.nc")
    assert any("left out" in note and "r2" in note for note in done.attributes["notes"])
    assert "r2.torque_first" not in done.channels and "redundant_rows" not in done.attributes


# --- many rows that break loose together -------------------------------------------------------------------------


@pytest.mark.parametrize("case", ["reference", "slow"])
def test_a_differential_breaks_loose_in_few_steps(case: str) -> None:
    """All eight losses of the steering gear leave their hold within microseconds when its brake takes hold."""
    over = 1.0 if case == "reference" else 5.0
    changes = [f"elements.{m}.teeth=[60, 20]" for m in ("GH", "AB_L", "AB_R")] + [
        "machines.engine.pedal=0.4", "cases.reference.initial={vehicle.speed: 5 m/s}",
        f"cases.{case}.events=[{{at: 0 s, set: brake_R.capacity, to: {{ramp: {{from: 0, to: 400, over: {over} s}}}}}}]",
    ]  # fmt: skip
    counts = lines_of(prepare(load("tracked-steering", changes), case), 1e-3, 2000, 1e-6)[2]
    assert counts["steps"] < 5000 and counts["fallbacks"] == 0


# --- instants of sticking and rolling ----------------------------------------------------------------------------


def _demo_1_by_hand() -> tuple[list[float], float]:
    """Instants and last speed of LossyGearDemo1: wheel b drives backward (1/eta = 2), wheel a forward (eta = 0.5).

    (1.5 + 4 k) dw/dt = -10 + 2.5 t + 2 k 10 sin 2 pi t, integrated by hand; it rolls again where that leaves zero.
    """
    from scipy.optimize import brentq

    def speed(k: float, t0: float, t: float) -> float:
        turn = 2.0 * np.pi

        def integral(x: float) -> float:
            return float(-10.0 * x + 1.25 * x * x - 20.0 * k * np.cos(turn * x) / turn)

        return (integral(t) - integral(t0)) / (1.5 + 4.0 * k)

    def pull(k: float, t: float) -> float:
        return float(-10.0 + 2.5 * t + 20.0 * k * np.sin(2.0 * np.pi * t))

    first = brentq(lambda t: speed(2.0, 0.0, t), 0.06, 0.1, xtol=1e-14)
    second = brentq(lambda t: pull(0.5, t), 0.15, 0.25, xtol=1e-14)
    third = brentq(lambda t: speed(0.5, second, t), 0.3, 0.4, xtol=1e-14)
    fourth = brentq(lambda t: pull(2.0, t), 0.45, 0.48, xtol=1e-14)
    return [first, second, third, fourth], speed(2.0, fourth, 0.5)


@pytest.mark.parametrize("tolerance", [1e-2, 1e-6, 1e-10])
def test_instants_of_lossy_gear_demo_1_are_exact_at_any_tolerance(tolerance: float) -> None:
    """The engine finds them to a billionth of a step: not the tolerance but the bisection here (1e-8 s) is what is seen."""
    from gearwright.targets import rigid

    times, end = _demo_1_by_hand()
    drivetrain = rigid.lossy_gear()
    np.testing.assert_allclose(rigid.switch_times(drivetrain, tolerance), times, rtol=0.0, atol=2e-8)
    got = lines_of(prepare(drivetrain), 0.05, 10, tolerance)[1]
    assert got["b.speed"][-1] == pytest.approx(end, abs=1e-8)


# --- bad input -----------------------------------------------------------------------------------------------------


def test_bad_losses_are_refused_with_the_name_of_the_mesh() -> None:
    base = _pair(False).raw

    def changed(loss: Any, inertia: float = 4.0) -> Any:
        mesh = {**base["elements"][0], "loss": loss}
        bodies = [base["bodies"][0], {"name": "b", "inertia": inertia}]
        return prepare(from_mapping({**base, "elements": [mesh], "bodies": bodies}), "c")

    for loss, words in (
        (
            {"efficiency": {"table": [["0 rad/s", 0.9], ["5 rad/s", 1.2]]}},
            r"elements.m.loss.efficiency.*1.2 is outside of the range above 0 up to 1",
        ),
        ({"efficiency": {"table": [["5 rad/s", 0.9], ["2 rad/s", 0.8]]}}, "mesh 'm'.*rise"),
        ({"efficiency": -0.3}, "elements.m.loss.efficiency = -0.3.*must be positive"),
        ({"efficiency": 0.9, "fraction": 0.1}, "mesh 'm'.*exactly one"),
        ({"force_pole_offset": -1.0}, "elements.m.loss.force_pole_offset.*not be negative"),
        ({"force_pole_offset": 21.0}, "mesh 'm'.*not unique"),
    ):
        with pytest.raises((gw.AssemblyError, DrivetrainError), match=words):
            changed(loss)


def _stepped(offset: float) -> Any:
    """A light arm and a light planet between two heavy wheels: friction of both meshes acts on the planet."""
    names, inertia = ("arm", "sun", "planet", "other"), (0.031, 63.0, 0.0022, 820.0)
    meshes = [("s", "sun", "planet", 78, 19), ("o", "planet", "other", 25, 88)]
    return from_mapping({
        "name": "light", "bodies": [{"name": n, "inertia": j, **({"on": "arm"} if n == "planet" else {})} for n, j in zip(names, inertia, strict=True)],
        "elements": [{"name": n, "type": "mesh", "between": [i, j], "on": "arm", "teeth": [zi, zj], "loss": {"force_pole_offset": offset}}
                     for n, i, j, zi, zj in meshes],
        "model": {"fidelity": "rigid", "law": "rigid"}, "operating": {"input": "sun", "speed": 10.0},
        "cases": [{"name": "c", "duration": 0.01, "start": "operating", "initial": {"sun": 10.0, "arm": 1.0}, "loads": [{"on": "sun", "torque": 1.0}],
                   "record": ["bodies"]}],
    })  # fmt: skip


@pytest.mark.parametrize(("offset", "unique"), [(0.2, True), (18.0, False)])
def test_losses_without_a_unique_force_are_refused(offset: float, unique: bool) -> None:
    """Counted by hand: patterns of loss signs that agree with their own forces, one for every load or not."""
    c = np.array([[-97.0, 78.0, 19.0, 0.0], [-113.0, 0.0, 25.0, 88.0]])
    slide = np.array([[0.0, 1.0, -1.0, 0.0], [0.0, 0.0, 1.0, -1.0]])
    inverse = 1.0 / np.array([0.031, 63.0, 0.0022, 820.0])
    rng, counts = np.random.default_rng(1), set()
    null = np.linalg.svd(c)[2][2:]
    for _ in range(400):
        w, torque = null.T @ rng.normal(size=2), rng.normal(size=4)
        fits = 0
        for signs in ((1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)):
            felt = c + offset * np.array(signs)[:, None] * slide
            force = np.linalg.solve(c * inverse @ felt.T, c @ (inverse * torque))
            fits += bool((np.sign(force * (slide @ w)) == signs).all())
        counts.add(fits)
    assert (counts == {1}) == unique
    if unique:
        prepare(_stepped(offset), "c")
        return
    with pytest.raises(gw.AssemblyError, match=r"loss of mesh '[so]' is so large that the forces .* not unique"):
        prepare(_stepped(offset), "c")


# --- losses from friction and geometry -----------------------------------------------------------------------------


@pytest.mark.parametrize("internal", [False, True])
def test_loss_from_friction_coefficient_and_geometry(internal: bool) -> None:
    """Coulomb friction on the path of contact, summed over one base pitch with the load shared by the pairs in contact.

    Gears of module 4 mm, 20 degrees, addendum of one module, by hand: length of approach and recess, sliding speed equal
    to the distance from the pitch point times the sum (difference, for a ring) of the turning speeds.
    """
    module, angle, mu, z1, z2 = 4.0, np.radians(20.0), 0.05, 24, 71
    sign = -1.0 if internal else 1.0
    r1, r2 = module * z1 / 2, module * z2 / 2
    tip1, tip2 = r1 + module, r2 + sign * module
    base = np.cos(angle)
    recess = np.sqrt(tip1**2 - (r1 * base) ** 2) - r1 * np.sin(angle)
    approach = sign * (np.sqrt(tip2**2 - (r2 * base) ** 2) - r2 * np.sin(angle))
    pitch = np.pi * module * base
    at = (np.arange(20_000) + 0.5) / 20_000 * pitch
    places = at[:, None] + pitch * np.arange(-3, 4)
    touching = (places > -approach) & (places < recess)
    share = touching / touching.sum(axis=1, keepdims=True)
    sliding = np.abs(places) * (1.0 + sign * r1 / r2)  # per unit speed of wheel 1
    fraction = mu * float((share * sliding).sum(axis=1).mean()) / (r1 * base)  # of the power F r_b1
    d = {
        "name": "pair", "bodies": [{"name": "a"}, {"name": "b"}],
        "elements": [{"name": "m", "type": "mesh", "between": ["a", "b"], "teeth": [z1, z2], "module": "4 mm", "pressure_angle": "20 deg",
                      "internal": internal, "face_width": "40 mm", "loss": {"friction_coefficient": mu}}],
        "model": {"fidelity": "rigid", "law": "rigid"}, "operating": {"input": "a", "output": "b", "speed": 10.0, "torque": 100.0},
    }  # fmt: skip
    found = power_flow(from_mapping(d)).meshes[0]
    # the loss is that part of the power of the tooth force at the pitch line; sums over 20 000 places
    assert found.loss == pytest.approx(fraction * abs(found.force) * r1 * 1e-3 * base * 10.0, rel=1e-4)


def test_losses_act_after_a_start_without_load():
    """At rest of all torques no tooth force has a sign; the losses begin with the first force, not never."""
    from gearwright.results import energy_book
    from gearwright.targets.rigid import sine, steering

    run = steering({"H": sine(5.0, 0.11), "A_L": sine(9.0, 0.37), "A_R": sine(-7.0, 0.23)}, 1.0)
    start = run.state.copy()
    run.advance(1e-2, 5, 1e-6)
    book = energy_book(run.system, start, run.state)
    meshes = [name for name in book.terms if name.startswith("friction") and "brake" not in name]
    assert len(meshes) == 8 and all(book.terms[name] < 0.0 for name in meshes)
    assert abs(book.error) < 1e-10
