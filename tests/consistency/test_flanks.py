"""C27: a mesh whose flanks cannot part and whose force goes through zero is said, with the time that the loop counted; C9: slices."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gearwright as gw
from gearwright.errors import AssemblyError
from gearwright.geometry import backlash_by_rule
from gearwright.remarks import sorted_remarks
from gearwright.results.flank_watch import FlankCount, FlankWatch
from gearwright.running.flanks import flanks_of
from gearwright.running.prepare import prepare, remarks_of
from gearwright.schema.read import from_mapping
from gearwright.stiffness.curves import largest_pressure, sliced
from gearwright.stiffness.resolve import mesh_pair_stiffness
from gearwright.stiffness.ste import transmission_error
from gearwright.system import Channel
from gearwright.train.expand import expand

BASE_RADIUS = 0.5 * 41 * 3e-3 * math.cos(math.radians(20.0))


def swinging(amplitude: str, **mesh: Any) -> Any:
    """A pair driven by 100 N m with a swing on top of it, far below its own frequency."""
    torque = {"sine": {"amplitude": amplitude, "frequency": "2 Hz", "mean": "100 N m"}}
    return from_mapping({
        "name": "pair",
        "stages": [{"type": "parallel", "name": "pair", "module": "3 mm", "pressure_angle": "20 deg", "face_width": "30 mm",
                    "wheel": {"teeth": 41, "inertia": "1e-3 kg m^2"}, "pinion": {"teeth": 41, "inertia": "1e-3 kg m^2"},
                    "centre_distance": "123 mm", "mesh": {"stiffness": "1e8 N/m", "damping": {"ratio": "5 %"}, **mesh}}],
        "model": {"fidelity": "torsional", "law": "linear"},
        "operating": {"input": "pair.wheel", "output": "pair.pinion", "speed": "10 rpm", "torque": "100 N m"},
        "cases": [{"name": "swing", "duration": "1 s", "record": ["meshes"],
                   "loads": [{"on": "pair.wheel", "torque": torque}, {"on": "pair.pinion", "torque": torque}]}],
    })  # fmt: skip


def test_a_mesh_that_pulls_is_said_with_time_and_worst_force(tmp_path: Path) -> None:
    """The force is the torque over the base radius: 100 + 300 sin x is below zero for acos(1/3)/pi of the time, at worst -200 N m."""
    run = gw.simulate(swinging("300 N m"), "swing", output=tmp_path / "r.nc")
    assert set(run.pulling) == {"pair.mesh"}
    assert run.pulling["pair.mesh"]["worst_n"] == pytest.approx(-200.0 / BASE_RADIUS, rel=0.02)
    assert run.pulling["pair.mesh"]["time_s"] == pytest.approx(math.acos(1.0 / 3.0) / math.pi, rel=0.02)
    said = [text for text in run.warnings if "pull" in text]
    assert len(said) == 1 and "pair.mesh" in said[0] and f"{1e3 * backlash_by_rule(0.123, 3e-3):.3g} mm" in said[0]
    assert run.to_dict()["pulling"] == run.pulling
    with gw.Result.open(run.result_file) as result:
        assert said[0] in result.warnings


def test_a_mesh_that_stays_loaded_and_one_with_backlash_are_quiet(tmp_path: Path) -> None:
    for amplitude, more in (("50 N m", {}), ("300 N m", {"backlash": "0.1 mm"})):
        run = gw.simulate(swinging(amplitude, **more), "swing", output=tmp_path / "r.nc")
        assert run.pulling == {} and not [text for text in run.warnings if "pull" in text]


def watched(*pieces: Any, quantities: tuple[str, ...] = ("force", "drive_force", "coast_force")) -> Any:
    """Counts of one mesh whose channels take these values (channels, samples), piece after piece, a sample a millisecond."""
    watch = FlankWatch([Channel("mesh", "m", q, "N", "", ()) for q in quantities])
    first = 0
    for piece in pieces:
        watch.add(np.array(piece, float), np.zeros((0, len(piece[0]))), first)
        first += len(piece[0])
    return watch.counts(1e-3, 0.0).get("m", {})


def test_what_is_counted_does_not_depend_on_how_a_run_is_cut() -> None:
    """Six samples: carries, carries on both sides (2 on the lesser one), is free for two, and again free for one."""
    drive, coast = np.array([9.0, 8.0, 0.0, 0.0, 7.0, 0.0]), np.array([0.0, 2.0, 0.0, 0.0, 0.0, 0.0])
    both = np.array([drive - coast, drive, coast])
    for cut in (6, 1, 3, 5):
        counts = watched(both[:, :cut], both[:, cut:])
        assert counts["wedge"] == FlankCount(pytest.approx(1e-3), pytest.approx(1 / 6), 1, 2.0, pytest.approx(1e-3))
        assert counts["lift_off"] == FlankCount(
            pytest.approx(3e-3), pytest.approx(0.5), 2, pytest.approx(2e-3), pytest.approx(2e-3)
        )


def test_round_off_below_zero_is_no_pulling() -> None:
    assert set(watched([[5e3, -1e-6, 5e3]], quantities=("force",))) == {"above"}
    assert flanks_of({"pair.mesh": watched([[5e3, -1e-6, 5e3]], quantities=("force",))}) == {}
    pulls = flanks_of({"pair.mesh": watched([[5e3, -1e3, 5e3, -2e3]], quantities=("force",))})["pair.mesh"]["pulls"]
    assert (pulls.worst, pulls.events, pulls.share) == (-2e3, 2, 0.5)


def test_a_mesh_with_backlash_lifts_off_and_that_is_noted(tmp_path: Path) -> None:
    """The torque is below zero for acos(1/3)/pi of the second, in two swings; between them the teeth cross their backlash four times."""
    run = gw.simulate(swinging("300 N m", backlash="0.1 mm"), "swing", output=tmp_path / "r.nc")
    found = run.flanks["pair.mesh"]
    assert set(found) == {"lifts_off"} and found["lifts_off"]["events"] >= 4
    assert 0.0 < found["lifts_off"]["worst"] <= found["lifts_off"]["time_s"] < 0.5
    assert [text for text in run.notes if "lifts off" in text] and run.warnings == []
    page = gw.write_report(run.result_file, tmp_path / "r.html").read_text()
    assert "What flanks did" in page


@pytest.mark.parametrize("law", ["linear", "two_level", "rigid"])
def test_every_law_whose_flanks_stay_together_says_that_they_pull(law: str, tmp_path: Path) -> None:
    d = swinging("300 N m", stiffness="1e8 N/m", contact_ratio=1.6)
    run = gw.simulate(d, "swing", law=law, duration=0.5, output=tmp_path / "r.nc")
    worst = (
        run.flanks["pair.mesh"]["pulls"]["worst"] * BASE_RADIUS
    )  # stiffness that jumps swings about the load on top of it
    assert -400.0 < worst < -190.0


def test_a_helical_course_is_the_spur_course_over_the_slices_of_its_face() -> None:
    """C9: an overlap of one whole cycle leaves no course at all; the mean is that of the spur course."""
    steel = "materials.steel={young: 206 GPa, poisson: 0.3, density: 7850 kg/m^3}"
    train = expand(gw.load("nrel-5mw-nejad", ["stages.2.material=steel", steel]))
    mesh = train.meshes["stage3.mesh"]
    stiff, _ = mesh_pair_stiffness(mesh, train, "analytic")
    phase = np.arange(256) / 256
    spur, course = stiff.over_cycle(phase, True).stiffness, sliced(stiff, phase, True)
    assert stiff.pair.overlap_ratio == pytest.approx(1.42, abs=0.01)
    assert course.mean() == pytest.approx(spur.mean(), rel=5e-3)
    assert np.ptp(course) < 0.35 * np.ptp(spur)  # 0.42 of a cycle is left of the window
    force = 255.9e3
    alone = stiff.over_cycle(phase, True, force).pressure
    sheet = transmission_error(stiff, force * stiff.pair.one.base_radius)
    assert largest_pressure(stiff, alone, force, True) == pytest.approx(sheet.pressure.max(), rel=2e-3)  # what ste says


def test_a_train_of_rigid_bodies_says_it_too(tmp_path: Path) -> None:
    d = swinging("300 N m")
    run = gw.simulate(d, "swing", fidelity="multibody", law="linear", duration=0.5, output=tmp_path / "r.nc")
    assert [text for text in run.warnings if "pull" in text] and "at least 0.141 mm" in run.warnings[-1]
    assert run.to_dict()["flanks"] == run.flanks
    # forces of a mechanism are those on the first wheel
    assert abs(run.flanks["pair.mesh"]["pulls"]["worst"]) == pytest.approx(200.0 / BASE_RADIUS, rel=0.05)


#: what the wheel of the pairs below bears: for acos(1/3)/pi of the time it drives the pinion
REVERSING = {"sine": {"amplitude": "600 N m", "frequency": "100 Hz", "mean": "200 N m"}}


def _hertz(tmp_path: Path, fidelity: str) -> Any:
    """What flanks of spur-pair-hertz did on the bearings of spur-pair-joints while the torque reverses three times."""
    raw: dict[str, Any] = gw.load("spur-pair-hertz").raw
    stage = {
        **raw["stages"][0],
        "bearings": {w: {"stiffness": "2e8 N/m", "damping": "3e4 N s/m"} for w in ("wheel", "pinion")},
    }
    for wheel, mass in (("wheel", "6 kg"), ("pinion", "2 kg")):
        stage[wheel] = {**stage[wheel], "mass": mass}
    case = {"name": "reversing", "duration": "0.03 s", "start": "rest", "speeds": {"pair.pinion": "600 rpm"},
            "loads": [{"on": "pair.wheel", "torque": REVERSING}], "output_interval": "10 us"}  # fmt: skip
    d = from_mapping({**raw, "stages": [stage], "cases": [case]})
    return gw.simulate(d, fidelity=fidelity, law="tooth_contact", output=tmp_path / f"{fidelity}.nc").flanks[
        "pair.mesh"
    ]


def _joints(tmp_path: Path) -> Any:
    """The same of spur-pair-joints."""
    raw: dict[str, Any] = gw.load("spur-pair-joints").raw
    case = {**raw["cases"][0], "output_interval": "10 us", "loads": [{"on": "wheel", "torque": REVERSING}]}
    return gw.simulate(from_mapping({**raw, "cases": [case]}), output=tmp_path / "joints.nc").flanks["mesh"]


def test_a_pair_lifts_off_alike_at_planar_as_a_train_of_rigid_bodies_and_spelled_out_in_joints(tmp_path: Path) -> None:
    """A crossing of the backlash takes some 0.7 ms; times at planar stand on its own grid, and the joints begin at another place."""
    planar = _hertz(tmp_path, "planar")
    assert set(planar) == {"lifts_off"} and planar["lifts_off"]["events"] >= 6
    for found in (_hertz(tmp_path, "multibody"), _joints(tmp_path)):
        assert set(found) == {"lifts_off"}
        assert found["lifts_off"]["time_s"] == pytest.approx(planar["lifts_off"]["time_s"], rel=0.05)
        assert found["lifts_off"]["worst"] == pytest.approx(planar["lifts_off"]["worst"], rel=0.02)


def test_a_backlash_beyond_the_tip_clearance_is_warned_of() -> None:
    """Module 10 mm, tip clearance 2.5 mm: centres that come so much closer use up 2 x 2.5 sin(20 degrees) = 1.71 mm of backlash."""
    for backlash, said in (("1.6 mm", False), ("1.8 mm", True)):
        sets = [f"stages.0.meshes.{m}.backlash={backlash}" for m in ("sun_planet", "ring_planet")]
        warned = sorted_remarks(remarks_of(prepare(gw.load("tooth-wedging", sets), "idle")))["warnings"]
        assert bool([text for text in warned if "bottom" in text]) == said


def _jammed(law: str, **more: Any) -> Any:
    """The pair with its teeth known; its full teeth leave no backlash at 123 mm = 41 x 3 mm."""
    d = swinging("50 N m", contact_ratio=None, **more)
    return from_mapping({**d.raw, "model": {"fidelity": "torsional", "law": law}})


@pytest.mark.parametrize("law", ["tooth_contact", "periodic"])
def test_teeth_without_a_backlash_get_that_of_the_rule_and_it_is_said(law: str) -> None:
    """C28: 2/3 (0.06 + 0.0005 x 123 + 0.03 x 3) mm = 0.141 mm of ISO/TR 10064-2."""
    made = prepare(_jammed(law), "swing")
    said = sorted_remarks(remarks_of(made))["assumed"]
    assert [text for text in said if "0.141 mm" in text and "ISO/TR 10064-2" in text and "pair.mesh" in text]
    assert "pair.mesh.coast" in made.system.rows  # the flanks part
    given = sorted_remarks(remarks_of(prepare(_jammed(law, backlash="0 mm"), "swing")))["assumed"]
    assert not [text for text in given if "10064" in text]  # the file's word, zero too


def test_teeth_that_jam_are_refused(tmp_path: Path) -> None:
    """Wheels of 41 teeth at 122.8 mm: 2 x 0.2 mm sin(20 degrees) = 0.137 mm too thick for it along the line of action."""
    d = _jammed("tooth_contact")
    raw = {**d.raw, "stages": [{**d.raw["stages"][0], "centre_distance": "122.8 mm"}]}
    with pytest.raises(AssemblyError, match=r"pair.mesh.*teeth jam.*-1[34]\d.* um.*122.8 mm.*backlash"):
        gw.simulate(from_mapping(raw), "swing", output=tmp_path / "r.nc")


def test_the_gearbox_of_the_source_does_not_wedge_at_rated(tmp_path: Path) -> None:
    """C28: rounding of the printed shifts left -5.4 um, on which seven meshes wedged with 134 kN."""
    done = gw.simulate(
        "nrel-5mw-nejad-source", "rated", fidelity="planar", law="tooth_contact", duration=0.2, output=tmp_path / "r.nc"
    )
    assert done.wedged == {} and done.flanks == {}
