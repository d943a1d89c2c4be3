"""C26: nothing of a start reaches what a run counts: cases begin periodic, discard what they say, or by the rule."""

from __future__ import annotations

from pathlib import Path

import pytest

import gearwright as gw
from gearwright.errors import DrivetrainError
from gearwright.running.prepare import prepare
from gearwright.running.setup import prepare_setup
from gearwright.schema.case_lookup import find_case, with_case
from gearwright.schema.file import Drivetrain
from gearwright.train.expand import expand
from tests.sweeps import shipped

TWO_LEVELS = "nordtank-500kw-two-level"


def _largest(tmp_path: Path, *sets: str) -> float:
    done = gw.simulate(gw.load(TWO_LEVELS, [*sets]), "steady", duration=5.0, output=tmp_path / "r.nc")
    return float(done.channels["stage1.sun_planet1.force"]["max"])


def test_extremes_after_the_discard_by_rule_are_those_of_the_motion_that_repeats(tmp_path: Path) -> None:
    """A start on the periodic motion has no transient at all; from equilibrium of mean stiffness the first second has a fifth more."""
    repeating = _largest(tmp_path, "cases.0.start=periodic")
    assert _largest(tmp_path) == pytest.approx(repeating, rel=2e-3)
    assert _largest(tmp_path, "cases.0.discard=0 s") > 1.15 * repeating


def test_the_rule_is_said_with_what_is_left() -> None:
    """Slowest mode of the meshes, 134.7 Hz with 0.56 %: ln(100)/(2 pi f z) = 0.97 s; periodic and rest count at once."""
    made = prepare(gw.load(TWO_LEVELS), "steady")
    assert made.case.discard == pytest.approx(0.97)
    assert any("0.97 s are not counted" in text and "down to 1 %" in text for text in made.notes)
    for start in ("periodic", "rest"):
        assert prepare(gw.load(TWO_LEVELS, [f"cases.0.start={start}"]), "steady").case.discard == 0.0
    assert prepare(gw.load(TWO_LEVELS), "steady", duration=0.5).case.discard == pytest.approx(0.1)  # a fifth
    # constant stiffness begins where it stays
    assert prepare(gw.load("nrel-5mw-gallego"), "rated").case.discard == 0.0


def test_the_rule_ends_before_what_the_case_is_about() -> None:
    loads = "cases.0.loads.0.torque={step: {from: 141.86 kN m, to: 150 kN m, at: 0.3 s}}"
    assert prepare(gw.load(TWO_LEVELS, [loads]), "steady").case.discard == pytest.approx(0.3)
    start_up = prepare_setup(gw.load("grc-750kw-turbine"), "start-up", duration=5.0)
    assert start_up.case.discard == 0.0


@pytest.mark.parametrize("duration", [None, 0.4])
def test_a_discard_that_leaves_nothing_is_one_error(tmp_path: Path, duration: float | None) -> None:
    d = gw.load(TWO_LEVELS, ["cases.0.discard=0.5 s", "cases.0.duration=0.5 s"])
    with pytest.raises(
        DrivetrainError, match=r"discard \(0.5 s\) leaves nothing of the duration \(0\.[45] s\).*--duration"
    ):
        gw.simulate(d, "steady", duration=duration, output=tmp_path / "r.nc")
    with pytest.raises(DrivetrainError, match=r"discard \(60 s\) leaves nothing"):
        gw.simulate("nrel-5mw", "normal", duration=30.0, output=tmp_path / "r.nc")


def test_a_mechanism_discards_too(tmp_path: Path) -> None:
    """A pendulum let go at 45 degrees is fastest at the bottom, 0.5 s later."""
    whole = gw.simulate("pendulum-revolute", "from45", duration=1.0, output=tmp_path / "a.nc").channels
    late = gw.simulate(
        "pendulum-revolute", "from45", duration=1.0, overrides=["discard=0.9 s"], output=tmp_path / "b.nc"
    ).channels
    name = max((n for n in whole if ".spin_" in n), key=lambda n: whole[n]["std"])
    assert late[name]["std"] < 0.5 * whole[name]["std"]


def shipped_cases() -> list[tuple[Drivetrain, str, str]]:
    """Cases of the shipped gearboxes of wind turbines and of the turbines around them, with drivetrain and its name."""
    kinds = ("nrel-5mw", "grc-750kw", "nordtank-500kw")
    names = [name for name in gw.examples() if name.startswith(kinds)]
    return [(shipped(name), name, case.name) for name in names for case in shipped(name).cases]


def test_shipped_cases_do_not_count_their_start() -> None:
    """Every case gives its discard, or leaves it to the rule; none counts a turbine's first second but where it starts up."""
    for drivetrain, name, case in shipped_cases():
        found = find_case(drivetrain, case)
        starts = any(event.type == "start" for event in found.events)
        if found.discard == 0.0:
            assert starts or found.start in ("periodic", "rest"), (name, case)


def test_events_of_shipped_cases_run_with_backlash() -> None:
    """C27: stops, dips, start-ups and gusts; but for the cases that say of themselves that flanks never part, for campaigns."""
    for drivetrain, name, case in shipped_cases():
        found = find_case(drivetrain, case)
        gust = found.wind is not None and found.wind.type == "eog"
        if not (found.events or gust) or case.endswith("-linear") or name.endswith(("-ideal", "two-mass")):
            continue
        meshes = expand(with_case(drivetrain, case)).meshes
        assert all(mesh.backlash is not None for mesh in meshes.values()), (name, case)
