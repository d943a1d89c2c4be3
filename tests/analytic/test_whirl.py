"""Whirl against closed forms: a disc on one bearing (Jeffcott), an overhung disc with its gyroscopic moment, damping that turns."""

import math

import numpy as np
import pytest

import gearwright as gw
from gearwright.analyses.whirl import WhirlMode
from gearwright.errors import DrivetrainError
from gearwright.schema.read import from_mapping
from gearwright.stiffness.beam import Beam

RPM = 30.0 / math.pi
MASS, STIFFNESS, DAMPING = 120.0, 3e7, 9e3
OMEGA, RATIO = math.sqrt(STIFFNESS / MASS), DAMPING / (2.0 * math.sqrt(STIFFNESS * MASS))
EXCITED = 4e-3


def jeffcott(speed=200.0, **bearing):
    """A disc on one bearing that is alike in all directions."""
    return from_mapping({
        "name": "jeffcott", "bodies": [{"name": "disc", "mass": MASS, "inertia": 2.0}, {"name": "drive", "inertia": 1.0}],
        "shafts": [{"name": "drive_shaft", "between": ["drive", "disc"], "torsional_stiffness": 1e6}],
        "elements": [{"type": "bearing", "name": "support", "between": ["disc", "housing"], "stiffness": STIFFNESS, "damping": DAMPING, **bearing}],
        "operating": {"input": "drive", "output": "disc", "speed": speed},
        "model": {"fidelity": "spatial", "law": "linear"},
    })  # fmt: skip


@pytest.fixture(scope="module")
def disc():
    return gw.whirl(
        jeffcott(),
        speeds=np.linspace(20.0, 900.0, 23),
        unbalance={"disc": f"{EXCITED} kg m at 40 deg"},
        factors=[0.25, 1.0, 4.0],
    )


def test_unbalance_of_a_disc_on_a_bearing(disc):
    """r/e = w^2 / (w_n^2 - w^2 + 2 i zeta w_n w): amplitude, phase behind the unbalance, a circle that runs forward."""
    (found,) = disc.unbalance
    w = np.asarray(found.speeds_rpm) / RPM
    want = EXCITED / MASS * w**2 / (OMEGA**2 - w**2 + 2j * RATIO * OMEGA * w) * np.exp(1j * math.radians(40.0))
    s = found["disc"]
    y = np.asarray(s.y_amplitude) * np.exp(1j * np.radians(s.y_phase_deg))
    z = np.asarray(s.z_amplitude) * np.exp(1j * np.radians(s.z_phase_deg))
    assert np.abs(y / want - 1.0).max() < 1e-10
    assert np.abs(z / (-1j * want) - 1.0).max() < 1e-10
    assert np.asarray(s.minor) == pytest.approx(s.major, rel=1e-9)
    assert found.forces["support"] == pytest.approx(np.abs(want * (STIFFNESS + 1j * w * DAMPING)), rel=1e-9)
    peak = found.peaks[0]
    assert peak.major == pytest.approx(
        EXCITED / MASS / (2 * RATIO * math.sqrt(1 - RATIO**2)), rel=4e-3
    )  # of the speeds computed
    y, z = found.orbit("disc", peak.speed_rpm)
    assert np.hypot(y, z) == pytest.approx(np.full(73, peak.major), rel=1e-9)


def test_decrement_critical_speed_and_its_map(disc):
    """Logarithmic decrement 2 pi zeta / sqrt(1 - zeta^2); the critical speed goes with the root of the stiffness."""
    lateral = [m for m in disc.modes if m.where == "disc" and m.whirl not in ("torsional", "axial")]
    assert len(lateral) == 2
    for mode in lateral:
        assert mode.log_decrement == pytest.approx(2 * math.pi * RATIO / math.sqrt(1 - RATIO**2), rel=1e-9)
        assert mode.frequency_hz == pytest.approx(OMEGA * math.sqrt(1 - RATIO**2) / (2 * math.pi), rel=1e-9)
        assert mode.damping_ratio == pytest.approx(RATIO, rel=1e-9)
    critical = [c for c in disc.critical_speeds if c.whirl not in ("torsional", "axial")]
    assert [c.speed_rpm for c in critical] == pytest.approx([OMEGA * RPM] * 2, rel=1e-9)
    assert critical[0].margin == pytest.approx(OMEGA / 200.0 - 1.0, rel=1e-9)
    (one,) = disc.maps
    for factor, speeds in zip(one.factors, one.speeds_rpm, strict=True):
        assert sum(abs(n - OMEGA * RPM * math.sqrt(factor)) < 1e-6 * n for n in speeds) == 2
    assert disc.stiffnesses == {"support.y": STIFFNESS, "support.z": STIFFNESS}


# --- an overhung disc ----------------------------------------------------------------------------------------------

LENGTH, DIAMETER, DISC, POLAR, ACROSS = 0.6, 0.05, 60.0, 2.4, 1.2
BEAM = Beam(LENGTH, DIAMETER, density=1e-3)


def overhung(polar=POLAR, across=ACROSS, damping=0.0, outside=0.0, mass=DISC):
    """A disc at the end of a light shaft that turns in a clamp."""
    clamp = {"stiffness": 1e14, "axial_stiffness": 1e14, "tilt_stiffness": 1e14}
    return from_mapping({
        "name": "overhung",
        "bodies": [{"name": "root", "mass": 1.0, "inertia": [1.0, 1.0, 1.0]}, {"name": "disc", "mass": mass, "inertia": [polar, across, across]}],
        "materials": {"light": {"density": 1e-3}},
        "shafts": [{"name": "arm", "between": ["root", "disc"], "length": LENGTH, "diameter": DIAMETER, "material": "light",
                    **({"damping": {"stiffness_proportional": damping}} if damping else {})}],
        "elements": [{"type": "bearing", "name": "clamp", "between": ["root", "housing"], **clamp}]
                    + ([{"type": "bearing", "name": "drag", "between": ["disc", "housing"], "stiffness": 1e-3, "damping": outside}] if outside else []),
        "operating": {"input": "root", "output": "disc", "speed": 100.0},
        "model": {"fidelity": "spatial", "law": "linear"},
    })  # fmt: skip


def stiffness():
    """Of the tip of a clamped beam with shear against deflection and slope: inverse of its flexibility."""
    ei, phi = BEAM.young * BEAM.second_moment, BEAM.phi
    return np.linalg.inv(
        [[LENGTH**3 / (3 * ei) * (1 + phi / 4), LENGTH**2 / (2 * ei)], [LENGTH**2 / (2 * ei), LENGTH / ei]]
    )


def whirling(speed):
    """Roots w of (k11 - m w^2)(k22 - J_t w^2 + J_p W w) - k12^2 = 0: positive ones run forward."""
    (a, b), (_, d) = stiffness()
    first, second = np.polynomial.Polynomial([a, 0.0, -DISC]), np.polynomial.Polynomial([d, POLAR * speed, -ACROSS])
    return np.sort((first * second - b * b).roots().real)


@pytest.mark.parametrize("speed", [50.0, 400.0])
def test_forward_and_backward_of_an_overhung_disc(speed):
    found = gw.whirl(overhung(), speeds=[0.0, speed], overrides=[f"operating.speed={speed}"], factors=[1.0])
    signed = sorted(
        2 * math.pi * m.frequency_hz * (1.0 if m.whirl == "forward" else -1.0)
        for m in _every(found, speed) if m.whirl in ("forward", "backward") and m.where == "disc"
    )  # fmt: skip
    assert signed == pytest.approx(whirling(speed), rel=2e-6)  # the clamp is not rigid, the shaft not massless


def _every(found, speed):
    """All modes of the disc at a speed, those above the highest excitation too."""
    poles, shapes = found.model.rotor.poles(speed)
    return [
        WhirlMode(float(p.imag) / (2 * math.pi), 0.0, 0.0, *found.model.named(x))
        for p, x in zip(poles, shapes.T, strict=True) if p.imag < 1e5
    ]  # fmt: skip


def test_a_thin_disc_has_one_forward_critical_speed():
    """With J_p > J_t the second forward mode stays ahead of the speed: one forward and two backward critical speeds, from
    (k11 - m w^2)(k22 - (J_t - J_p) w^2) = k12^2 forward and with J_t + J_p backward."""
    (a, b), (_, d) = stiffness()
    found = gw.whirl(overhung(), speeds=[0.0, 5000.0], factors=[1.0])
    for sense, inertia in (("forward", ACROSS - POLAR), ("backward", ACROSS + POLAR)):
        squares = np.roots([DISC * inertia, -(DISC * d + inertia * a), a * d - b * b])
        want = sorted(math.sqrt(x) * RPM for x in squares if x > 0.0)
        got = [c.speed_rpm for c in found.critical_speeds if c.whirl == sense]
        assert got == pytest.approx(want, rel=2e-6)


@pytest.mark.parametrize("inside, outside", [(2e-5, 0.0), (2e-5, 15.0), (1e-5, 40.0)])
def test_damping_that_turns_with_the_shaft(inside, outside):
    """A point mass on a shaft of damping beta k, and c outside: whirl is stable up to W = w_n (1 + c / (beta k))."""
    flexible = 1.0 / stiffness_of_tip()
    threshold = math.sqrt(flexible / DISC) * (1.0 + outside / (inside * flexible))
    small = overhung(1e-6, 1e-6, inside, outside)

    def growth(speed):
        found = gw.whirl(
            small, speeds=[0.0, speed], factors=[1.0], rotating_damping=True, overrides=[f"operating.speed={speed}"]
        )
        mode = next(m for m in found.modes if m.whirl == "forward")
        return mode.log_decrement, found.warnings

    assert growth(0.99 * threshold)[0] > 0.0 > growth(1.01 * threshold)[0]
    assert growth(threshold)[0] == pytest.approx(0.0, abs=2e-4 * 2 * math.pi * inside * math.sqrt(flexible / DISC))
    assert any("grows by itself" in w for w in growth(1.01 * threshold)[1])
    still = gw.whirl(small, speeds=[0.0, 2 * threshold], factors=[1.0], overrides=[f"operating.speed={2 * threshold}"])
    assert min(m.log_decrement for m in still.modes) > -1e-9 and any(
        "as if they stood still" in a for a in still.assumed
    )


def stiffness_of_tip():
    """Flexibility of the tip of the shaft with shear [m/N]."""
    return LENGTH**3 / (3 * BEAM.young * BEAM.second_moment) * (1 + BEAM.phi / 4)


# --- a pair of gears -----------------------------------------------------------------------------------------------


def test_the_pinion_turns_the_other_way():
    """Where the mesh hardly holds, an unbalance of the pinion makes a circle in its own sense: forward, against +x."""
    held = {"stiffness": 1e8, "damping": 1e3}
    pair = from_mapping({
        "name": "pair",
        "stages": [{"name": "gears", "type": "parallel", "wheel": {"teeth": 60, "base_radius": 0.3, "mass": 200.0, "inertia": 9.0},
                    "pinion": {"teeth": 20, "base_radius": 0.1, "mass": 50.0, "inertia": 0.3}, "azimuth": 0.3, "pressure_angle": "20 deg",
                    "mesh": {"stiffness": 1e2}, "bearings": {"wheel": held, "pinion": held}}],
        "operating": {"input": "wheel", "output": "pinion", "speed": 40.0},
        "model": {"fidelity": "spatial", "law": "linear"},
    })  # fmt: skip
    found = gw.whirl(pair, unbalance={"pinion": "1 kg mm"}, factors=[1.0])
    (r,) = found.unbalance
    s = r["gears.pinion"]
    assert r.order == pytest.approx(3.0) and np.asarray(s.minor) == pytest.approx(s.major, rel=1e-4)
    behind = np.asarray(s.z_phase_deg) - np.asarray(s.y_phase_deg)
    assert np.mod(behind, 360.0) == pytest.approx(np.full(len(behind), 90.0), abs=1e-2)


@pytest.mark.parametrize("given, words", [
    ({"unbalance": {"dics": 1e-3}}, "Did you mean 'disc'"),
    ({"unbalance": {"disc": "5 kg"}}, "500 g mm"),
    ({"unbalance": {"disc": 1e-3}, "grade": 1e-3}, "give one"),
    ({"grade": 0.0}, "6.3 mm/s"),
    ({"speeds": [100.0, 50.0]}, "ascending"),
    ({"stations": ["drive"]}, "Stations: disc"),
    ({"transmission_error": {"gears": "1 um"}}, "no mesh or stage 'gears'"),
    ({"factors": [0.0, 1.0]}, "above zero"),
    ({"unbalance": {"drive": 1e-3}}, "Allowed: disc"),
])  # fmt: skip
def test_refusals(given, words):
    with pytest.raises(DrivetrainError, match=words):
        gw.whirl(jeffcott(), **given)


def test_without_an_operating_point():
    raw = dict(jeffcott().raw)
    del raw["operating"]
    with pytest.raises(DrivetrainError, match="operating"):
        gw.whirl(from_mapping(raw))
