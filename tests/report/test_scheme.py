"""The scheme of a drivetrain."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
import report_trains as trains

from gearwright.figures.record import train_from_record, train_record
from gearwright.figures.scheme import Mark, scheme
from gearwright.figures.scheme_layout import layout
from gearwright.schema.read import examples
from gearwright.train.expand import expand
from gearwright.train.open import load
from gearwright.train.train import HOUSING, Body, Coupling, Machine

ALL = [trains.three_stage, trains.two_planetary, trains.two_mass, trains.plain_bodies]
SVG = "{http://www.w3.org/2000/svg}"


def names_of(svg: str) -> list[str]:
    root = ET.fromstring(svg)
    return ["".join(t.itertext()) for t in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("upright", [False, True])
@pytest.mark.parametrize("build", ALL)
def test_is_svg_with_every_stage_shaft_and_body_labelled(build, upright):
    """Well-formed, titled, no number that is not one, names of everything that joins and is joined."""
    train = build()
    svg = scheme(train, upright)
    root = ET.fromstring(svg)
    assert root.get("role") == "img" and train.name in root.get("aria-label")
    assert root.find(f"{SVG}title") is not None and root.find(f"{SVG}desc") is not None
    assert "nan" not in svg and "inf" not in svg
    names = names_of(svg)
    for name in [*train.stages, *{s.parent or s.name for s in train.shafts.values()}, *train.machines]:
        assert name in names
    left, top, width, height = map(float, root.get("viewBox").split())
    for text in root.iter(f"{SVG}text"):
        assert left <= float(text.get("x")) <= left + width
        assert top <= float(text.get("y")) <= top + height


def test_tooth_numbers_and_planets_stand_in_the_caption():
    """What a reader looks for first."""
    names = names_of(scheme(trains.three_stage()))
    assert {"3 planets", "z 21 / 39 / 99", "z 82 / 23", "z 88 / 22", "induction"} <= set(names)


def test_stages_stand_in_order_of_the_power_flow():
    """From the rotor to the machine, nothing on top of anything."""
    plan = layout(trains.three_stage())
    assert [group.name for group in plan.groups] == ["rotor", "stage1", "stage2", "stage3", "generator"]
    for build in ALL:
        groups = layout(build()).groups
        for i, a in enumerate(groups):
            for b in groups[i + 1 :]:
                beside = a.x + a.slot <= b.x or b.x + b.slot <= a.x
                above = a.axis + a.span[0] >= b.axis + b.span[1] or b.axis + b.span[0] >= a.axis + a.span[1]
                assert beside or above, (a.name, b.name)


def test_drawn_radii_keep_the_ratio_of_teeth():
    """Sun to planet to ring, and wheel to pinion."""
    groups = {group.name: group for group in layout(trains.three_stage()).groups}
    radii = groups["stage1"].radii
    assert radii["sun"] / radii["planet"] == pytest.approx(21 / 39, rel=0.02)
    assert radii["ring"] == pytest.approx(radii["sun"] + 2 * radii["planet"])
    assert groups["stage2"].radii["first"] / groups["stage2"].radii["second"] == pytest.approx(82 / 23, rel=0.02)


def test_what_a_rigid_shaft_made_one_body_is_still_drawn():
    """Machine and rotor merged with a wheel and a carrier."""
    train = trains.three_stage()
    bodies = {name: body for name, body in train.bodies.items() if name != "generator"}
    shafts = {name: shaft for name, shaft in train.shafts.items() if name != "HSS"}
    merged = replace(
        train,
        bodies=bodies,
        shafts=shafts,
        machines={"generator": Machine("generator", "slip", "generator")},
        alias={"generator": "stage3.pinion"},
    )
    assert {"generator", "slip"} <= set(names_of(scheme(merged)))


def test_brakes_and_loops_do_not_stop_it():
    """A brake to the housing, a second path between two bodies, a body that hangs on nothing."""
    train = trains.plain_bodies()
    train.bodies["alone"] = Body("alone")
    couplings = {
        "brake": Coupling("brake", "brake", ("load", HOUSING)),
        "clutch": Coupling("clutch", "clutch", ("left", "right")),
    }
    svg = scheme(replace(train, couplings=couplings))
    assert "brake (brake)" in svg and "clutch" in svg and "alone" in names_of(svg)


def test_names_are_only_text():
    """A drivetrain named like a script stays a name."""
    evil = '<script>alert("1")</script>'
    train = trains.two_mass()
    machine = replace(train.machines["generator"], type=evil)
    svg = scheme(replace(train, name=evil, machines={"generator": machine}))
    root = ET.fromstring(svg)
    assert not list(root.iter(f"{SVG}script")) and not re.search(r"<script", svg)
    assert evil in root.find(f"{SVG}title").text


def test_record_keeps_what_is_drawn():
    """Through JSON and back the picture is the same, as are the facts that the page lists."""
    train = trains.three_stage()
    back = train_from_record(json.loads(json.dumps(train_record(train))))
    assert scheme(back) == scheme(train)
    assert back.meshes["stage2.mesh"].stiffness == train.meshes["stage2.mesh"].stiffness
    assert back.notes == train.notes and back.input == "rotor"


def test_record_keeps_the_pieces_of_a_shaft():
    """A result file carries the train as JSON: shafts come back with their segments and bearings as what they were."""
    train = expand(load("nrel-5mw-nejad-source"))
    back = train_from_record(json.loads(json.dumps(train_record(train))))
    assert any(shaft.segments for shaft in train.shafts.values())
    for name, shaft in train.shafts.items():
        assert back.shafts[name].segments == shaft.segments
        assert [b.name for b in back.shafts[name].bearings] == [b.name for b in shaft.bearings]


@pytest.mark.parametrize("name", examples())
def test_every_shipped_example_has_a_scheme(name):
    """One machine, every stage, every shaft of the file."""
    train = expand(load(name))
    names = names_of(scheme(train, upright=True))
    assert set(train.stages) <= set(names) and set(train.machines) <= set(names)


@pytest.mark.parametrize("upright", [False, True])
def test_marks_stand_beside_their_parts_in_order(upright):
    """A number for each part that is drawn, inside the picture; marks do not overlap, and no two lines cross."""
    train = trains.three_stage()
    bearing = next(b.name for b in train.bearings.values() if b.between[0] == "stage3.pinion")
    parts = [bearing, "stage1.sun", "stage1.planet1", "stage2.wheel", next(iter(train.shafts)), "nowhere"]
    svg = scheme(train, upright, [Mark(i, part, i == 1) for i, part in enumerate(parts, 1)])
    root = ET.fromstring(svg)
    left, top, width, height = map(float, root.get("viewBox").split())
    circles = [c for c in root.iter(f"{SVG}circle") if float(c.get("r")) > 5]
    places = [(float(c.get("cx")), float(c.get("cy"))) for c in circles]
    assert len(places) == 5 and "6" not in names_of(svg)
    assert all(
        left <= x - 10 and x + 10 <= left + width and top <= y - 10 and y + 10 <= top + height for x, y in places
    )
    assert [c.find(f"{SVG}title").text for c in circles if c.get("class") == "gw-fail"] == [
        f"1: {bearing}, falls short"
    ]
    along = 1 if upright else 0
    leads = [p.get("points") for p in root.iter(f"{SVG}polyline") if p.get("class") == "gw-lead"]
    ends = [[tuple(map(float, point.split(","))) for point in lead.split()] for lead in leads]
    starts, targets = ([end[i][along] for end in ends] for i in (0, 1))
    assert starts == sorted(starts) and targets == sorted(targets)
    assert min(b - a for a, b in zip(starts, starts[1:], strict=False)) >= 25.9
    assert scheme(train, upright) == scheme(train, upright, [Mark(1, "nowhere", True)])
