"""Tips that touch the roots of their mates are counted in the loop: time and depth follow from the motion of the centres alone."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

import gearwright as gw
from gearwright.schema.read import from_mapping

MODULE = 3e-3
#: a rack with addendum 1 and dedendum 1.25 at the sum of the pitch radii
CLEARANCE = 0.25 * MODULE
#: the force over the stiffness of the bearing, and the part of a swing that lies beyond the clearance
TRAVEL = 1e-3
SHARE = math.acos(CLEARANCE / TRAVEL) / math.pi


def pushed(
    load: dict[str, Any], *, internal: bool = False, width: str = "30 mm", backlash: str = "1 mm", **model: str
) -> Any:
    """A pair at rest without torque whose pinion, on a bearing of 1e6 N/m and 1e6 N m/rad, bears a load far below its frequencies."""
    more = {"axial_stiffness": "1e6 N/m", "tilt_stiffness": "1e6 N m/rad"} if model["fidelity"] == "spatial" else {}
    return from_mapping({
        "name": "pair",
        "materials": {"steel": {"young": "206 GPa", "poisson": 0.3}},
        "stages": [{"type": "parallel", "name": "pair", "module": "3 mm", "pressure_angle": "20 deg", "face_width": width,
                    "internal": internal, "centre_distance": "90 mm" if internal else "123 mm",
                    "wheel": {"teeth": 101 if internal else 41, "mass": "1 kg", "inertia": "1e-3 kg m^2"},
                    "pinion": {"teeth": 41, "mass": "1 kg", "inertia": "1e-3 kg m^2"},
                    "mesh": {"stiffness": "1e7 N/m", "damping": {"ratio": "5 %"}, "backlash": backlash, "contact_ratio": 1.6},
                    "bearings": {"wheel": {"stiffness": "1e9 N/m", "damping": {"ratio": "20 %"}},
                                 "pinion": {"stiffness": "1e6 N/m", "damping": {"ratio": "2 %"}, **more}}}],
        "model": model,
        "operating": {"input": "pair.wheel", "output": "pair.pinion", "speed": "1 rpm", "torque": "1 N m"},
        "cases": [{"name": "push", "duration": "1 s", "record": ["meshes"], "start": "rest", "output_interval": "0.2 ms",
                   "loads": [{"on": "pair.pinion", **load}]}],
    })  # fmt: skip


def swing(amplitude: float, unit: str) -> dict[str, Any]:
    """Two swings a second."""
    return {"sine": {"amplitude": f"{amplitude} {unit}", "frequency": "2 Hz"}}


def since(at: float, first: float, period: float) -> float:
    """How far a time is from one of a series."""
    return abs((at - first + 0.5 * period) % period - 0.5 * period)


@pytest.mark.parametrize("internal", [False, True])
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(("fidelity", "law"), [("spatial", "linear"), ("spatial", "periodic"), ("multibody", "linear")])
def test_centres_that_swing_beyond_the_tip_clearance_bottom_for_the_time_of_a_sine(
    fidelity: str, law: str, sign: int, internal: bool, tmp_path: Path
) -> None:
    """1 mm sin(4 pi t) is beyond 0.75 mm for acos(0.75)/pi of the time, by 0.25 mm at most, a quarter or three quarters of a swing
    after its begin: a pinion bottoms towards its wheel, at -y, one in a ring away from its centre, at +y."""
    load = {"force": ["0 N", swing(sign * 1e6 * TRAVEL, "N"), "0 N"]}
    d = pushed(load, internal=internal, fidelity=fidelity, law=law)
    run = gw.simulate(d, "push", output=tmp_path / "r.nc")
    found = run.flanks["pair.mesh"]["bottoms"]
    assert found["events"] == 2 and found["share"] == pytest.approx(SHARE, rel=0.01)
    assert found["time_s"] == pytest.approx(SHARE, rel=0.01)
    assert found["worst"] == pytest.approx(TRAVEL - CLEARANCE, rel=0.02)
    assert since(found["at_s"], 0.125 if (sign > 0) == internal else 0.375, 0.5) < 5e-3


def test_it_is_said_in_terminal_result_and_report(tmp_path: Path) -> None:
    load = {"force": ["0 N", swing(1e6 * TRAVEL, "N"), "0 N"]}
    run = gw.simulate(pushed(load, fidelity="spatial", law="periodic"), "push", output=tmp_path / "r.nc")
    said = [text for text in run.warnings if text.startswith("tips bottom in pair.mesh")]
    assert len(said) == 1 and "0.25" in said[0] and "mm deep, 2 times, 0.23 s" in said[0]
    assert run.to_dict()["flanks"] == run.flanks and said[0] in run.to_dict()["warnings"]
    with gw.Result.open(run.result_file) as result:
        assert said[0] in result.warnings and not [name for name in result.channels if "tip_clearance" in name]
    assert "tips touch the roots of their mates" in gw.write_report(run.result_file, tmp_path / "r.html").read_text()


def test_a_wheel_that_tilts_bottoms_at_both_ends_of_its_face_by_turns(tmp_path: Path) -> None:
    """A pinion 300 mm wide that tilts by 1/150 rad moves its ends by 1 mm in the plane of the axes, one closer and one apart: twice
    the time of a wheel that moves as a whole. Across that plane it changes no clearance."""
    tilt = swing(1e6 * TRAVEL / 0.15, "N m")
    for moment, events in ((["0 N m", tilt], 4), ([tilt, "0 N m"], 0)):
        d = pushed({"moment": moment}, width="300 mm", fidelity="spatial", law="linear")
        run = gw.simulate(d, "push", output=tmp_path / "r.nc")
        found = run.flanks["pair.mesh"].get("bottoms")
        assert (found["events"] if found else 0) == events
        if found:
            assert found["share"] == pytest.approx(2.0 * SHARE, rel=0.01)
            assert found["worst"] == pytest.approx(TRAVEL - CLEARANCE, rel=0.03)


@pytest.mark.parametrize("fidelity", ["spatial", "multibody"])
def test_flanks_between_which_a_force_presses_the_centres_wedge(fidelity: str, tmp_path: Path) -> None:
    """Centres that come closer by x take 2 x sin(20 degrees) of the backlash j. Then each flank bears N = k (x sin(20 degrees) - j/2), and
    the force is k_b x + 2 N sin(20 degrees), whichever way it began."""
    force, bearing, sine, gap = 100.0, 1e6, math.sin(math.radians(20.0)), 0.05e-3
    load = {"force": ["0 N", swing(force, "N"), "0 N"]}
    run = gw.simulate(
        pushed(load, backlash="0.05 mm", fidelity=fidelity, law="linear"), "push", output=tmp_path / "r.nc"
    )
    assert set(run.flanks["pair.mesh"]) == {"wedges", "lifts_off"}
    found = run.flanks["pair.mesh"]["wedges"]
    closer = (force + 1e7 * gap * sine) / (bearing + 2.0 * 1e7 * sine**2)
    assert found["worst"] == pytest.approx(1e7 * (closer * sine - 0.5 * gap), rel=0.03)
    assert found["share"] == pytest.approx(math.acos(bearing * 0.5 * gap / sine / force) / math.pi, rel=0.02)


#: how far the weight lets the planet hang in its bearing
HANGS = 0.3125e-3


def carried(**model: Any) -> Any:
    """A planet of 10 kg on a bearing of 313.9 kN/m, whose weight swings it along its arm in a turn of its carrier a second; the tip
    clearance is a quarter of the module."""
    return from_mapping({
        "name": "planet",
        "stages": [{"type": "planetary", "name": "gear", "planets": 1, "module": "1 mm", "pressure_angle": "20 deg", "face_width": "20 mm",
                    "sun": {"teeth": 60, "inertia": "1e-4 kg m^2"},
                    "planet": {"teeth": 60, "mass": "10 kg", "inertia": "1e-3 kg m^2"},
                    "ring": {"teeth": 180, "fixed": True},
                    "carrier": {"inertia": "1 kg m^2", "inertia_includes_planets": False},
                    "meshes": {mesh: {"stiffness": "1e7 N/m", "backlash": "0.5 mm", "damping": {"ratio": "5 %"}}
                               for mesh in ("sun_planet", "ring_planet")},
                    "bearings": {"planet": {"stiffness": f"{98.1 / HANGS} N/m", "damping": {"ratio": "5 %"}}}}],
        "model": {"fidelity": "planar", "law": "linear", "gravity": True, **model},
        "operating": {"input": "gear.carrier", "output": "gear.sun", "speed": "60 rpm", "torque": "1 N m"},
        "cases": [{"name": "turn", "duration": "3 s", "discard": "1 s", "speeds": {"gear.carrier": "60 rpm"},
                   "output_interval": "0.2 ms"}],
    })  # fmt: skip


@pytest.mark.parametrize(("fidelity", "gyroscopic"), [("planar", False), ("planar", True), ("multibody", False)])
def test_a_heavy_planet_on_a_soft_bearing_bottoms_in_ring_and_sun_by_turns(
    fidelity: str, gyroscopic: bool, tmp_path: Path
) -> None:
    """Weight over stiffness is 1.25 tip clearances: the planet bottoms in the ring when it hangs below the sun, and in the sun half a
    turn later. What it is thrown outwards (a mechanism always has it), w^2 r over the stiffness per mass, favours the ring."""
    d = carried(gyroscopic=True) if gyroscopic else carried()
    run = gw.simulate(d, "turn", fidelity=fidelity, output=tmp_path / "r.nc")
    outward = 0.0 if (fidelity, gyroscopic) == ("planar", False) else (2.0 * math.pi) ** 2 * 60e-3 / 9.81 * HANGS
    for mesh, way in (("ring", 1.0), ("sun", -1.0)):
        found = run.flanks[f"gear.{mesh}_planet1"].get("bottoms")
        room = 0.25e-3 - way * outward
        if room > HANGS:
            assert found is None
            continue
        assert found["events"] == 2 and found["share"] == pytest.approx(math.acos(room / HANGS) / math.pi, rel=0.01)
        assert found["worst"] == pytest.approx(HANGS - room, rel=0.03)
        assert since(found["at_s"], -0.25 * way, 1.0) < 0.02
