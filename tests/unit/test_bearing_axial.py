"""Axial loads of bearings enter the life, by the factors given or by those of the type, or it is said that they do not (C10)."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from gearwright.bearings.factors import BearingKind
from gearwright.bearings.iso281 import equivalent_load
from gearwright.bearings.ratings import geometry_of, static_rating
from gearwright.cli import app
from gearwright.rating.components import Bearing
from gearwright.rating.ratings import rated
from gearwright.rating.records import Load, Record
from gearwright.schema.bearing import Rolling
from gearwright.schema.life import Life
from gearwright.train.expand import expand
from gearwright.train.open import load

RADIAL, AXIAL = 303e3, 90e3


def loaded(axial=AXIAL):
    return Load("bearing", "N", np.array([RADIAL]), np.array([600.0]), np.array([2.0]), np.zeros(0), np.zeros(0), {},
                (RADIAL, RADIAL), None if axial is None else np.array([axial]))  # fmt: skip


def life(entry, axial=AXIAL, data=None):
    """The rating of the wheel's bearing of a pair under 303 kN, 90 kN along the axis."""
    edits = [] if data is None else [f"stages.0.bearings.wheel.data={data}"]
    train = expand(
        load(
            "spur-pair-hertz", ["stages.0.bearings={wheel: {stiffness: 1e9 N/m}, pinion: {stiffness: 1e9 N/m}}", *edits]
        )
    )
    record = Record("r", {"pair.wheel_bearing": loaded(axial)}, 600.0, 1.0, 0.1, "half", 2.0, None)
    facts = Life.model_validate({"bearings": [] if entry is None else [{"on": ["pair.wheel_bearing"], **entry}]})
    components, _, notes = rated(train, facts, record, 1.0)
    bearing = next(c for c in components if isinstance(c, Bearing))
    return float(bearing.equivalent(record.loads["pair.wheel_bearing"])[0]), notes


@pytest.mark.parametrize("where", ["section life", "data of the bearing"])
def test_an_axial_load_without_a_factor_is_said(where):
    given = {"dynamic_rating": "1000 kN"}
    load_, notes = life(given) if where == "section life" else life(None, data="{dynamic_rating: 1e6}")
    assert load_ == RADIAL
    said = [n for n in notes if "axial loads (up to 90 kN beside 303 kN)" in n]
    assert len(said) == 1 and said[0].kind == "assumed"
    assert any("taken as roller bearings" in n for n in notes)


def test_given_factors_hold_beyond_their_limit():
    """A catalogue's X and Y make less of a small axial load than the radial load alone: below e that is the equivalent load."""
    given = {"dynamic_rating": "1000 kN", "radial_factor": 0.67, "axial_factor": 0.5, "contact": "roller"}
    assert 0.67 * RADIAL + 0.5 * AXIAL < RADIAL
    assert life(given)[0] == RADIAL
    assert equivalent_load(300e3, 30e3, radial_factor=0.4, axial_factor=1.7) == 300e3
    assert equivalent_load(300e3, 200e3, radial_factor=0.4, axial_factor=1.7) == pytest.approx(460e3)


def test_given_factors_are_used_and_nothing_is_said():
    load_, notes = life({"dynamic_rating": "1000 kN", "radial_factor": 0.4, "axial_factor": 2.5, "contact": "roller"})
    assert load_ == pytest.approx(0.4 * RADIAL + 2.5 * AXIAL) and load_ > RADIAL and not notes


@pytest.mark.parametrize(("facts", "want"), [
    # ISO 281, table 8: e = 1.5 tan a; beyond e X 0.4 and Y 0.4 cot a (one row), 0.67 and 0.67 cot a (two rows); below e 1 and
    # 0 (one row), 1 and 0.45 cot a (two rows). 90 of 303 kN is 0.297
    ({"type": "tapered", "contact_angle": "10 deg"}, 0.4 * RADIAL + 0.4 / math.tan(math.radians(10)) * AXIAL),
    ({"type": "tapered", "contact_angle": "20 deg"}, RADIAL),
    ({"type": "spherical", "contact_angle": "10 deg"}, 0.67 * RADIAL + 0.67 / math.tan(math.radians(10)) * AXIAL),
    ({"type": "spherical", "contact_angle": "12 deg"}, RADIAL + 0.45 / math.tan(math.radians(12)) * AXIAL),
    # table 3, 25 degrees: e 0.68
    ({"type": "angular_contact", "contact_angle": "25 deg"}, RADIAL),
])  # fmt: skip
def test_the_type_gives_the_factors(facts, want):
    load_, notes = life({"dynamic_rating": "1000 kN", **facts})
    assert load_ == pytest.approx(want) and not notes


def test_a_type_without_its_angle_is_said_and_data_may_give_it():
    """Letters of catalogues: TRB is a tapered bearing, a roller bearing; its factors need the contact angle."""
    load_, notes = life(None, data="{type: TRB, dynamic_rating: 1e6}")
    assert load_ == RADIAL and any("are not in the equivalent load" in n for n in notes)
    load_, notes = life(None, data="{type: TRB, dynamic_rating: 1e6, contact_angle: 10 deg}")
    assert load_ == pytest.approx(0.4 * RADIAL + 0.4 / math.tan(math.radians(10)) * AXIAL) and not notes


def test_raceways_that_take_no_axial_load_are_warned_of():
    load_, notes = life({"dynamic_rating": "1000 kN", "type": "cylindrical"})
    assert load_ == RADIAL and [n.kind for n in notes] == ["warnings"] and "lips" in notes[0]


def test_a_record_without_axial_forces_is_said():
    load_, notes = life({"dynamic_rating": "1000 kN", "type": "tapered", "contact_angle": "10 deg"}, axial=None)
    assert load_ == RADIAL and any("holds no axial forces" in n and n.kind == "assumed" for n in notes)


def test_one_of_two_bearings_has_half_of_both_forces():
    kind = BearingKind("tapered", math.radians(10))
    one, two = (Bearing("a", "", 1.0, 1e6, count=n, kind=kind) for n in (1, 2))
    assert two.equivalent(loaded())[0] == pytest.approx(0.5 * one.equivalent(loaded())[0])


def test_passing_frequencies_of_a_guessed_number_of_balls_say_so():
    """C15: 6206 has 9 balls of 9.525 mm on 46 mm: BPFO 4.5 (1 - 9.525/46) = 3.568. Its catalogue line alone does not say so;
    with the number the static rating gives the size (ISO 76), within 1 %."""
    file = str(Path(__file__).parents[1] / "data" / "bearing-6206.yaml")
    done = CliRunner().invoke(app, ["bearing", file])
    words = " ".join(done.stdout.split())
    assert done.exit_code == 0 and "8 (estimated)" in words
    assert "assumed: bearing-6206: 8 balls" in words and "BPFO, BPFI" in words
    told = json.loads(CliRunner().invoke(app, ["bearing", file, "--set", "bearing.elements=9", "--json"]).stdout)
    bearing = told["bearings"]["bearing-6206"]
    assert bearing["geometry"]["elements"] == 9
    assert bearing["frequencies"]["orders"]["bpfo"] == pytest.approx(4.5 * (1.0 - 9.525 / 46.0), rel=0.01)
    assert bearing["geometry"]["element_diameter"] == pytest.approx(9.525e-3, rel=0.02)
    assert any("the size estimated" in note for note in told["assumed"])
    drawn = ["bearing.elements=9", "bearing.element_diameter=9.525 mm", "bearing.pitch_diameter=46 mm"]
    told = json.loads(
        CliRunner().invoke(app, ["bearing", file, "--json", *[w for d in drawn for w in ("--set", d)]]).stdout
    )
    assert told["bearings"]["bearing-6206"]["frequencies"]["orders"]["bpfo"] == pytest.approx(3.568, abs=1e-3)
    assert not any("estimated" in note for note in told["assumed"])


def test_rollers_of_a_known_number_have_the_static_rating():
    facts = {"type": "cylindrical", "bore": 0.1, "outside_diameter": 0.18, "width": 0.046, "static_rating": 4.4e5}
    for elements in (None, 14, 17):
        assert static_rating(geometry_of(Rolling.model_validate({**facts, "elements": elements}))[0]) == pytest.approx(
            4.4e5, rel=1e-9
        )
