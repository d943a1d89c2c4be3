"""Shipped examples: their numbers against the printed ones, recomputed here from the sources' formulas."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from scipy.optimize import brentq
from scipy.signal import cont2discrete, lfilter

import gearwright
from gearwright.assembly import assemble
from gearwright.interchange import read, select
from gearwright.running.prepare import prepare
from gearwright.schema.file import Drivetrain
from gearwright.schema.read import read_drivetrain
from gearwright.solve.steady.modes import Modes, modes
from gearwright.solve.steady.static import equilibrium
from gearwright.train.expand import expand
from gearwright.train.open import load

FOLDER = Path(gearwright.__file__).parent / "examples"
RECORD = FOLDER / "data" / "nrel-5mw-18ms.outb"
NAMES = (
    "cooley-parker-2012", "dtu-10mw", "grc-750kw", "grc-750kw-source", "lin-parker-1999", "nordtank-500kw",
    "nordtank-500kw-source", "nordtank-500kw-full", "nordtank-500kw-full-source", "nordtank-500kw-two-level",
    "nrel-5mw-gallego", "nrel-5mw-gallego-source", "nrel-5mw-medium-speed-gearbox",
    "nrel-5mw-medium-speed-gearbox-source", "nrel-5mw-nejad", "nrel-5mw-nejad-ideal", "nrel-5mw-nejad-source",
    "nrel-5mw-two-mass", "s0-small-planetary",
)  # fmt: skip
#: small rigs of single effects, tested with their law
RIGS = (
    "cracked-tooth",
    "elastic-lossy-1dof",
    "elastic-lossy-3dof",
    "elastic-lossy-profile",
    "spur-pair-hertz",
    "wind-gearbox-hertz",
    "tooth-wedging",
    "two-shaft-outer-ring-defect",
    "kahraman-oscillator",
)


def example(name: str) -> Drivetrain:
    """The file as the schema reads it, joined over those it includes; nothing is derived."""
    return read_drivetrain(name)


#: rigid trains, held against closed forms in tests/analytic/test_power_flow.py
TRAINS = ["simple-planetary", "ravigneaux", "simpson", "wolfrom", "split-ring-256", "zf-4hp14", "zf-4hp18", "zf-4hp22",
          "tracked-steering", "four-flywheels"]  # fmt: skip


def stage(name: str, index: int) -> Any:
    return example(name).stages[index]


def test_all_are_there() -> None:
    texts = {path.stem: path.read_text() for path in FOLDER.glob("*.yaml")}
    # set-ups and mechanisms have tests of their own: tests/consistency/test_setup.py, tests/multibody
    drivetrains = {
        name for name, text in texts.items() if "\nturbine:" not in text and "fidelity: multibody" not in text
    }
    # a rig for its bearings: tests/consistency/test_bearing_defect.py
    assert drivetrains == {*NAMES, *RIGS, *TRAINS, "two-shaft-outer-ring-defect", "geared-rotors"}


@pytest.mark.parametrize("name", NAMES)
def test_each_says_what_it_is_and_can_be_run_without_more(name: str) -> None:
    file = example(name)
    assert file.name == name
    assert file.source and len(file.source) > 40
    assert file.assumed and file.claims and file.not_claimed
    assert file.model.fidelity and file.model.law
    assert file.operating.input and file.operating.output and file.operating.speed is not None
    assert file.cases and file.cases[0].duration and file.cases[0].loads
    for case in file.cases:
        for value in (*case.speeds.values(), *(applied.torque for applied in case.loads)):
            if value is not None and value.file is not None:
                select(read(FOLDER / value.file.path, [value.file.channel]), value.file.channel)


# ---------------------------------------------------------------- 500 kW: stiffness over the cycle


def involute(angle: float) -> float:
    return math.tan(angle) - angle


def path_of_contact() -> dict[str, tuple[float, float, float]]:
    """(s at the start, s at the end, s_c) [mm] of both meshes from teeth and shifts, S0 digest section 5."""
    module, alpha = 10.0, math.radians(20.0)
    teeth, shift = (20, 35, 91), (0.582, 0.419, -0.84)
    sun, planet, ring = (module * z * math.cos(alpha) / 2.0 for z in teeth)
    tip_sun, tip_planet = (module * (z / 2.0 + 1.0 + x) for z, x in zip(teeth[:2], shift[:2], strict=True))
    tip_ring = module * (91 / 2.0 - 1.0 + 0.84)

    def working(z: int, x: float) -> float:
        return brentq(lambda a: z * (involute(a) - involute(alpha)) / (2.0 * math.tan(alpha)) - x, 0.1, 0.8)

    outer = (sun + planet) * math.tan(working(55, shift[0] + shift[1]))
    inner = (ring - planet) * math.tan(working(35 - 91, shift[1] + shift[2]))
    reach = math.sqrt(tip_planet**2 - planet**2)
    return {
        "sun_planet": (outer - reach, math.sqrt(tip_sun**2 - sun**2), outer),
        "ring_planet": (math.sqrt(tip_ring**2 - ring**2) - inner, reach, inner),
    }


def pair(mesh: str, s: float, s_c: float) -> float:
    """Two teeth in series [N/m] at s [mm]: the fits of the S0 digest, section 7, half width 0.0745 mm."""
    planet = 9.6845e6 - 741.06 * (s_c - s if mesh == "sun_planet" else s) ** 2
    other = 1.2509e7 - 1789.3 * s**2 if mesh == "sun_planet" else -4.9540e6 + 384.95 * (s + s_c) ** 2
    return 1e3 / (1.0 / planet + 1.0 / other)


@pytest.mark.parametrize(
    ("mesh", "mean", "two", "one", "ratio"),
    [
        ("sun_planet", 4.746e9, 6.176e9, 3.471e9, 1.4713),
        ("ring_planet", 5.075e9, 5.934e9, 3.257e9, 1.6793),
    ],
)
def test_nordtank_stiffness_over_the_cycle(mesh: str, mean: float, two: float, one: float, ratio: float) -> None:
    low, high, s_c = path_of_contact()[mesh]
    pitch = math.pi * 10.0 * math.cos(math.radians(20.0))
    assert (high - low) / pitch == pytest.approx(ratio, abs=5e-5)
    facts = getattr(stage("nordtank-500kw", 0).meshes, mesh)
    assert facts.contact_ratio == ratio
    assert facts.stiffness.corners == pytest.approx([0.0, (high - low) / pitch - 1.0], abs=1e-6)

    def course(phase: float) -> float:  # a pair enters at the end of the path, s falls
        places = [high - (phase + k) * pitch for k in range(3)]
        return sum(pair(mesh, s, s_c) for s in places if s >= low)

    for phase, value in facts.stiffness.table:
        assert value == pytest.approx(course(phase), rel=2e-6)
    x = (np.arange(20000) + 0.5) / 20000
    k = np.array([course(p) for p in x])
    border = (high - low) / pitch - 1.0
    assert k.mean() == pytest.approx(mean, rel=1.1e-4)  # printed in the digest
    assert facts.stiffness.mean == pytest.approx(k.mean(), rel=1e-5)
    levels = getattr(stage("nordtank-500kw-two-level", 0).meshes, mesh).stiffness
    assert (levels.two_pairs, levels.one_pair) == (two, one)
    assert k[x < border].mean() == pytest.approx(two, rel=1e-4)
    assert k[x >= border].mean() == pytest.approx(one, rel=1e-4)


def test_nordtank_torques_balance() -> None:
    for name in ("nordtank-500kw", "nordtank-500kw-two-level"):
        carrier, sun = (applied.torque.constant for applied in example(name).cases[0].loads)  # type: ignore[union-attr]
        assert carrier + sun * (1 + 91 / 20) == pytest.approx(0.0, abs=1e-4 * carrier)


def test_nordtank_full_keeps_the_bodies_of_the_source() -> None:
    first, second, third = example("nordtank-500kw-full").stages
    machine = example("nordtank-500kw-full").machines[0]
    assert first.sun.inertia + second.wheel.inertia == pytest.approx(3.58)  # body 4
    assert first.sun.mass + second.wheel.mass == pytest.approx(145)
    assert second.pinion.inertia + third.wheel.inertia == pytest.approx(0.41)  # body 7
    assert second.pinion.mass + third.wheel.mass == pytest.approx(31)
    assert third.pinion.inertia + machine.inertia == pytest.approx(118)  # body 8
    ratio = (1 + 91 / 20) * 81 / 20 * 72 / 29
    assert ratio == pytest.approx(55.80621, abs=1e-5)
    for item, distance in ((second, 370.0), (third, 265.0)):
        teeth = item.wheel.teeth + item.pinion.teeth
        assert item.module * 1e3 * teeth / 2 / math.cos(item.helix_angle) == pytest.approx(distance, abs=0.1)


# ---------------------------------------------------------------- small planetary stage


@pytest.mark.parametrize(("planets", "printed"), [(1, -100.92), (2, -58.73), (3, -41.17), (4, -31.69)])
def test_small_stage_turns_by_the_printed_angle(planets: int, printed: float) -> None:
    item = stage("s0-small-planetary", 0)
    carrier = item.carrier.inertia if planets > 1 else 0.4112  # the bar of one planet, as the file says
    planet = item.planet.mass * item.carrier.pin_radius**2 + 1.5**2 * item.planet.inertia
    total = carrier + planets * planet + 36.0 * item.sun.inertia
    # -4 N m for 2 s, then 3 s at constant speed
    assert math.degrees(-4.0 / total * (2.0 + 2.0 * 3.0)) == pytest.approx(printed, abs=0.015)


# ---------------------------------------------------------------- 5 and 10 MW


def test_two_mass_frequencies() -> None:
    file = example("nrel-5mw-two-mass")
    rotor, generator = (body.inertia[0] for body in file.bodies)  # type: ignore[index]
    shaft = file.shafts[0]
    k, c = shaft.torsional_stiffness, shaft.damping.value  # type: ignore[union-attr]
    reduced = rotor * generator / (rotor + generator)
    assert generator == pytest.approx(97**2 * 534.116, rel=1e-9)
    assert math.sqrt(k / reduced) / (2 * math.pi) == pytest.approx(2.2227, rel=2e-4)
    assert math.sqrt(k / rotor) / (2 * math.pi) == pytest.approx(0.753, abs=5e-4)
    assert c / (2 * math.sqrt(k * reduced)) == pytest.approx(0.05, abs=1e-4)


def test_gallego_geometry() -> None:
    first, second, third = example("nrel-5mw-gallego").stages
    cosine = math.cos(math.radians(20.0))
    printed = (
        (first.sun, 556.68), (first.planet, 1033.8), (first.ring, 556.68 + 2 * 1033.8), (second.wheel, 1814.8),
        (second.pinion, 509.0), (third.wheel, 1177.4), (third.pinion, 1177.4 / 4.7618),
    )  # fmt: skip
    for wheel, pitch_diameter in printed:
        assert wheel.base_diameter == pytest.approx(pitch_diameter * cosine * 1e-3, rel=1e-8)
    ratio = (1 + first.ring.base_diameter / first.sun.base_diameter) * (
        second.wheel.base_diameter / second.pinion.base_diameter
    ) * (third.wheel.base_diameter / third.pinion.base_diameter)  # fmt: skip
    assert ratio == pytest.approx(97.014, abs=5e-4)
    # the shaft of the recorded case leaves the compliance of the reference turbine: locked-rotor sum of the chain
    case = example("nrel-5mw-gallego").cases[0]
    assert case.set == {"shafts.main.torsional_stiffness": "1.0604e9 N m/rad"}
    assert total_compliance("nrel-5mw-gallego", 1.0604e9) == pytest.approx(1 / 867.637e6, rel=1e-3)


def total_compliance(name: str, main: float) -> float:
    """Compliance of the whole train seen from the rotor [rad/(N m)]: springs in series, speeds as factors."""
    file = example(name)
    first, second, third = file.stages
    r = {k: getattr(first, k).base_diameter / 2 for k in ("sun", "planet", "ring")}
    speed1 = 1 + r["ring"] / r["sun"]
    speed2 = speed1 * second.wheel.base_diameter / second.pinion.base_diameter
    speed3 = speed2 * third.wheel.base_diameter / third.pinion.base_diameter
    shafts = {shaft.name: shaft.torsional_stiffness for shaft in file.shafts}
    # unit torque at the rotor: torque 1/speed behind each stage; energy of each spring
    compliance = 1 / main
    force = 1 / (3 * (r["sun"] + r["ring"]))  # of each mesh: torque / (N (r_s + r_r)), the same at sun and ring
    compliance += 3 * force**2 * sum(
        1 / getattr(first.meshes, mesh).stiffness.mean for mesh in ("sun_planet", "ring_planet")
    )  # fmt: skip
    compliance += 1 / (speed1**2 * shafts["sun"]) + 1 / (speed2**2 * shafts["intermediate"])
    compliance += 1 / (speed3**2 * shafts["high_speed"])
    for item, before in ((second, speed1), (third, speed2)):
        compliance += 1 / (before * item.wheel.base_diameter / 2) ** 2 / item.mesh.stiffness.mean
    return compliance


@pytest.mark.parametrize(
    ("name", "ratio"), [("nrel-5mw-medium-speed-gearbox-source", 61.975), ("nrel-5mw-medium-speed-gearbox", 62.149)]
)
def test_medium_speed_ratio_and_shafts(name: str, ratio: float) -> None:
    first, second, third = example(name).stages
    closing = first.sun.base_radius + 2 * first.planet.base_radius
    assert first.ring.base_radius == pytest.approx(closing)
    steps = [
        1 + first.ring.base_radius / first.sun.base_radius,
        second.wheel.base_radius / second.pinion.base_radius,
        third.wheel.base_radius / third.pinion.base_radius,
    ]
    assert math.prod(steps) == pytest.approx(ratio, abs=5e-4)
    pins = closing - first.planet.base_radius
    radius = pins / math.cos(first.pressure_angle)
    assert 3 * first.planet.mass * radius**2 < first.carrier.inertia  # the printed inertia holds the planets
    own = np.cumprod(steps)
    there = np.cumprod([1 + 2624.28 / 556.68, 1814.8 / 509, 4.7618])
    shafts = {shaft.name: shaft.torsional_stiffness for shaft in example(name).shafts}
    for name, k, a, b in zip(("sun", "intermediate", "high_speed"), (4.21e8, 4.64e9, 3.58e7), there, own, strict=True):
        assert shafts[name] == pytest.approx(k * (a / b) ** 2, rel=1e-4)


def iso_single_stiffness(z1: float, z2: float, x1: float, x2: float) -> float:
    """Theoretical single stiffness c'_th [N/(mm um)] of ISO 6336-1 method B; a ring has z2 = infinity."""
    q = 0.04723 + 0.15551 / z1 + 0.25791 / z2 - 0.00635 * x1 - 0.11654 * x1 / z1 - 0.00193 * x2
    q += -0.24188 * x2 / z2 + 0.00529 * x1**2 + 0.00182 * x2**2
    return 1.0 / q


def test_nejad_ring_stiffness_by_iso_6336() -> None:
    # the formula gives the published values of the sun meshes
    assert iso_single_stiffness(19, 17, 0.617, 0.802) == pytest.approx(18.829, abs=5e-4)
    assert iso_single_stiffness(18, 36, 0.389, 0.504) == pytest.approx(18.199, abs=5e-4)
    for index in (0, 1):
        item = stage("nrel-5mw-nejad-source", index)
        alpha, module = math.radians(20.0), item.module
        planet, ring = (module * w.teeth * math.cos(alpha) / 2 for w in (item.planet, item.ring))
        working = math.acos((ring - planet) / item.centre_distance)
        s_c = (ring - planet) * math.tan(working)
        path = math.sqrt(item.planet.tip_diameter**2 / 4 - planet**2)
        path -= math.sqrt(item.ring.tip_diameter**2 / 4 - ring**2) - s_c
        contact = path / (math.pi * module * math.cos(alpha))
        single = 0.78 * iso_single_stiffness(
            item.planet.teeth, math.inf, item.planet.profile_shift, item.ring.profile_shift
        )
        stiffness = single * (0.75 * contact + 0.25) * item.ring.face_width * 1e9
        assert item.meshes.ring_planet.stiffness.mean == pytest.approx(stiffness, rel=2e-4)
        # shifts close the centre distance (the ring's in the convention z_r < 0)
        total = item.planet.profile_shift + item.ring.profile_shift
        teeth = item.planet.teeth - item.ring.teeth
        assert teeth * (involute(working) - involute(alpha)) / (2 * math.tan(alpha)) == pytest.approx(total, abs=2e-3)


def test_nejad_ratio() -> None:
    first, second, third = example("nrel-5mw-nejad-source").stages
    ratio = (1 + first.ring.teeth / first.sun.teeth) * (1 + second.ring.teeth / second.sun.teeth)
    assert ratio * third.wheel.teeth / third.pinion.teeth == pytest.approx(96.354, abs=5e-4)


def test_dtu_frequencies_and_ratio() -> None:
    file = example("dtu-10mw")
    rotor, generator = file.bodies
    k = file.shafts[0].torsional_stiffness
    assert k and rotor.inertia and generator.inertia
    free = math.sqrt(k * (1 / rotor.inertia[0] + 1 / generator.inertia[0])) / (2 * math.pi)
    assert free == pytest.approx(4.0025, abs=5e-5)
    assert math.sqrt(k / rotor.inertia[0]) / (2 * math.pi) == pytest.approx(0.6119, abs=5e-5)
    (sun1, _, ring1), (sun2, _, ring2), (wheel, pinion) = generator.data["teeth"]
    ratio = (1 + ring1 / sun1) * (1 + ring2 / sun2) * wheel / pinion
    assert ratio == pytest.approx(50.033, abs=5e-4)


def test_grc_ratio_and_rated_torque() -> None:
    file = example("grc-750kw")
    first, second, third = file.stages
    ratio = (1 + first.ring.teeth / first.sun.teeth) * second.wheel.teeth / second.pinion.teeth
    ratio *= third.wheel.teeth / third.pinion.teeth
    assert ratio == pytest.approx(81.4907, abs=1e-4)
    p = file.machines[0].parameters
    rated_speed = p.synchronous_speed * (1 + p.rated_slip)
    assert rated_speed * 30 / math.pi == pytest.approx(1809)  # printed
    assert file.operating.speed == pytest.approx(rated_speed / ratio, rel=1e-4)
    assert file.operating.torque == pytest.approx(p.rated_power / rated_speed * ratio, rel=1e-4)


# ---------------------------------------------------------------- the record


def test_record_and_what_it_says_of_the_drivetrain() -> None:
    """The reference drivetrain, driven by the recorded rotor speed and generator torque, must give the recorded
    torque in the shaft: this is what the examples drive and compare with. Integrated here by itself."""
    record = read(RECORD, ["RotSpeed", "GenTq", "RotTorq"])
    assert record.sizes["time"] == 6001
    assert float(record.time[0]) == 60.0 and float(record.time[-1]) == pytest.approx(660.0, abs=1e-4)
    assert [record[n].attrs["units"] for n in record.data_vars] == ["rpm", "kN m", "kN m"]
    torque = record["GenTq"].values
    assert torque.min() == torque.max() == pytest.approx(43.094, abs=5e-4)
    file = example("nrel-5mw-two-mass")
    inertia = file.bodies[1].inertia[0]  # type: ignore[index]
    k, c = file.shafts[0].torsional_stiffness, file.shafts[0].damping.value  # type: ignore[union-attr]
    assert k and c
    time = record.time.values - 60.0
    fine = np.linspace(0.0, time[-1], 300001)  # 2 ms
    acceleration = CubicSpline(time, record["RotSpeed"].values * math.pi / 30)(fine, 1)
    given = acceleration + torque[0] * 1e3 * 97 / inertia
    # torque over acceleration (c s + k)/(s^2 + c/J s + k/J), held linearly between samples, from its steady state
    b, a, _ = cont2discrete(([c, k], [1.0, c / inertia, k / inertia]), fine[1], "foh")
    shaft = given[0] * inertia + lfilter(b.ravel(), a, given - given[0])
    kept = time >= 60.0
    computed, recorded = shaft[::50][kept], record["RotTorq"].values[kept] * 1e3
    assert recorded.std() == pytest.approx(175.3e3, abs=50)
    assert computed.std() == pytest.approx(174.5e3, abs=100)
    assert np.corrcoef(computed, recorded)[0, 1] > 0.995


def test_licence_lies_beside_the_record() -> None:
    text = (FOLDER / "data" / "LICENSE-Apache-2.0.txt").read_text()
    assert "Apache License" in text and "Version 2.0" in text
    readme = (FOLDER / "data" / "README.md").read_text()
    assert "Test3.outb" in readme and "pCrunch" in readme


# ---------------------------------------------------------------- expanded and assembled


@pytest.mark.parametrize(
    ("name", "ratio"),
    [
        ("grc-750kw", 81.4907), ("nrel-5mw-gallego", 97.0141), ("nrel-5mw-medium-speed-gearbox", 62.1488),
        ("nrel-5mw-medium-speed-gearbox-source", 61.9750), ("nrel-5mw-nejad", -96.3542),
        ("nrel-5mw-nejad-source", -96.3542), ("nordtank-500kw", 5.55), ("nordtank-500kw-full", 55.80621),
        ("s0-small-planetary", 6.0), ("lin-parker-1999", 1 + 275.0 / 77.4),
    ],
)  # fmt: skip
def test_ratio_of_the_expanded_train(name: str, ratio: float) -> None:
    train = expand(load(name))
    assert train.input and train.output
    assert train.ratios[train.output] / train.ratios[train.input] == pytest.approx(ratio, rel=1e-6)


def test_nordtank_phases_follow_from_the_teeth() -> None:
    """S0 digest 5.1 in the sense of the turbine: planets 0, 1/3, 2/3 on both meshes, ring minus sun 0.070."""
    meshes = expand(load("nordtank-500kw")).meshes
    sun = np.array([meshes[f"stage1.sun_planet{i}"].phase for i in (1, 2, 3)])
    ring = np.array([meshes[f"stage1.ring_planet{i}"].phase for i in (1, 2, 3)])
    for phase in (sun, ring):
        np.testing.assert_allclose((phase - phase[0]) % 1.0, [0.0, 1 / 3, 2 / 3], atol=1e-9)
    np.testing.assert_allclose((ring - sun) % 1.0, 0.070, atol=5e-4)


@pytest.mark.parametrize("name", NAMES)
def test_every_case_starts_from_balanced_loads(name: str) -> None:
    file = load(name)
    for case in file.cases:
        prepared = prepare(file, case.name)
        assert prepared.duration > 0.0
        held = any(
            load.control is not None for load in prepared.case.loads
        )  # a controller balances at the start of a run
        if prepared.case.start == "equilibrium" and not held:
            # raises if torques are out of balance; loose carriers under weight turn the forces' levers by 1e-4
            found = equilibrium(prepared.system, tolerance=1e-3 if name == "nrel-5mw-nejad" else 1e-6)
            assert np.isfinite(found.q).all()


def found_modes(name: str, fidelity: str, *overrides: str) -> Modes:
    return modes(assemble(expand(load(name, overrides), fidelity), fidelity, "linear"))


@pytest.mark.parametrize(
    ("planets", "rotational", "translational", "planet"),
    [
        (3, (0.9296, 1.090, 1.358, 1.931, 5.566, 7.741), (0.7432, 1.018, 1.265, 1.487, 4.976, 6.282), ()),
        (4, (0.9077, 1.046, 1.317, 2.013, 5.809, 8.383), (0.7199, 1.001, 1.317, 1.481, 5.153, 6.488),
         (0.9617, 4.320, 5.672)),
        (5, (0.8802, 1.019, 1.281, 2.090, 6.030, 8.986), (0.6992, 0.9863, 1.344, 1.496, 5.317, 6.693),
         (0.9617, 4.320, 5.672)),
    ],
)  # fmt: skip
def test_cooley_parker_modes(planets: int, rotational: Any, translational: Any, planet: Any) -> None:
    printed = sorted([*rotational, *translational * 2, *planet * (planets - 3)])
    found = found_modes("cooley-parker-2012", "planar", f"stages.0.planets={planets}")
    unit = math.sqrt(10e6 / 1.86) / (2 * math.pi)
    np.testing.assert_allclose(np.array(found.frequencies_hz) / unit, printed, rtol=6e-4)


def test_modes_of_the_turbines() -> None:
    gallego = found_modes("nrel-5mw-gallego", "torsional").frequencies_hz
    printed = [0, 2.029, 93.13, 126.38, 197.80, 275.33, 306.02, 306.02, 504.09, 605.11, 1736.0]
    np.testing.assert_allclose(gallego, printed, rtol=1e-4, atol=1e-6)
    medium = found_modes("nrel-5mw-medium-speed-gearbox-source", "torsional")
    assert medium.frequencies_hz[1] == pytest.approx(2.023, abs=5e-4)
    assert medium.damping_ratios[1] == pytest.approx(0.0461, abs=1e-4)
    stage500 = found_modes("nordtank-500kw-two-level", "torsional").frequencies_hz
    assert stage500[-1] == pytest.approx(731.6, abs=0.05)
    # the source estimates about 135 Hz for the mode that the third mesh harmonic comes close to
    assert stage500[1] == pytest.approx(135.0, abs=0.5)
    small = found_modes("s0-small-planetary", "torsional").frequencies_hz
    assert 1 / small[1] == pytest.approx(1.728, abs=1e-3)  # period [s]
