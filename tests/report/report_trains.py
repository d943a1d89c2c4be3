"""Trains for the tests of the report, spelled out by hand."""

from __future__ import annotations

import math

from gearwright.train.train import HOUSING, Bearing, Body, Machine, Mesh, Note, Shaft, Train


def planetary(stage: str, teeth: tuple[int, int, int], planets: int = 3, helix: float = 0.0):
    """Bodies, meshes and bearings of one stage with a fixed ring."""
    zs, zp, zr = teeth
    radius = (zs + zp) / 200.0
    bodies = {
        f"{stage}.{role}": Body(f"{stage}.{role}", role, stage, 10.0, 100.0, fixed=role == "ring", place=(0, 0))
        for role in ("sun", "ring", "carrier")
    }
    meshes, bearings = {}, {}
    for i in range(1, planets + 1):
        name = f"{stage}.planet{i}"
        angle = 2 * math.pi * (i - 1) / planets
        bodies[name] = Body(name, "planet", stage, 1.0, 50.0, on=f"{stage}.carrier", pin_radius=radius, angle=angle)
        for kind, internal, between in (
            ("sun", False, (f"{stage}.sun", name)),
            ("ring", True, (name, f"{stage}.ring")),
        ):
            mesh = f"{stage}.{kind}_planet{i}"
            sizes = (zp, zr) if internal else (zs, zp)
            meshes[mesh] = Mesh(
                mesh,
                between,
                (sizes[0] / 200.0, sizes[1] / 200.0),
                internal=internal,
                on=f"{stage}.carrier",
                teeth=sizes,
                helix_angle=helix,
                stage=stage,
            )
        pin = f"{name}_bearing"
        bearings[pin] = Bearing(pin, (name, f"{stage}.carrier"), stage=stage)
    for role in ("sun", "carrier"):
        name = f"{stage}.{role}_bearing"
        bearings[name] = Bearing(name, (f"{stage}.{role}", HOUSING), stage=stage)
    return bodies, meshes, bearings


def parallel(stage: str, teeth: tuple[int, int]):
    """Bodies, mesh and bearings of a wheel and its pinion."""
    bodies = {
        f"{stage}.{role}": Body(f"{stage}.{role}", role, stage, 1.0, 100.0, place=(0, 0))
        for role in ("wheel", "pinion")
    }
    mesh = Mesh(
        f"{stage}.mesh",
        (f"{stage}.wheel", f"{stage}.pinion"),
        (teeth[0] / 200, teeth[1] / 200),
        teeth=teeth,
        helix_angle=0.24,
        stage=stage,
    )
    bearings = {f"{name}_bearing": Bearing(f"{name}_bearing", (name, HOUSING), stage=stage) for name in bodies}
    return bodies, {mesh.name: mesh}, bearings


def three_stage(name: str = "grc-750kw") -> Train:
    """Rotor, planetary stage, two parallel stages, generator: the train of the GRC gearbox."""
    parts = [planetary("stage1", (21, 39, 99), helix=0.13), parallel("stage2", (82, 23)), parallel("stage3", (88, 22))]
    bodies = {"rotor": Body("rotor", "rotor", inertia=1e6), "generator": Body("generator", "machine", inertia=65.0)}
    meshes: dict[str, Mesh] = {}
    bearings: dict[str, Bearing] = {}
    for part in parts:
        bodies |= part[0]
        meshes |= part[1]
        bearings |= part[2]
    shafts = {
        shaft: Shaft(shaft, between, stiffness)
        for shaft, between, stiffness in (
            ("LSS", ("rotor", "stage1.carrier"), 3.7e7),
            ("ISS", ("stage1.sun", "stage2.wheel"), 5e7),
            ("IMS", ("stage2.pinion", "stage3.wheel"), 1.5e7),
            ("HSS", ("stage3.pinion", "generator"), 5e5),
        )
    }
    return Train(
        name,
        bodies,
        meshes,
        bearings,
        shafts,
        {},
        {"generator": Machine("generator", "induction", "generator")},
        input="rotor",
        output="generator",
        speed=2.325,
        torque=322.6e3,
        notes=(Note("derived", "stage1", "pin radius from tooth numbers"),),
        stages={"stage1": {"type": "planetary"}, "stage2": {"type": "parallel"}, "stage3": {"type": "parallel"}},
    )


def two_planetary() -> Train:
    """Two planetary stages joined by a rigid shaft (carrier of the second is the sun of the first), one pair."""
    one, two = planetary("low", (21, 51, 123), 4), planetary("high", (20, 35, 91), 3)
    three = parallel("pair", (97, 23))
    bodies = one[0] | two[0] | three[0]
    bodies["hub"] = Body("hub", "rotor", inertia=1e6)
    bodies["generator"] = Body("generator", "machine", inertia=500.0)
    shafts = {
        "main": Shaft("main", ("hub", "low.carrier"), 1e8),
        "quill": Shaft("quill", ("low.sun", "high.carrier"), 1e8),
        "hollow": Shaft("hollow", ("high.sun", "pair.wheel"), 1e8),
        "high-speed": Shaft("high-speed", ("pair.pinion", "generator"), 1e6),
    }
    return Train(
        "nrel-5mw-gallego",
        bodies,
        one[1] | two[1] | three[1],
        one[2] | two[2] | three[2],
        shafts,
        {},
        {"generator": Machine("generator", "constant", "generator")},
        input="hub",
        stages={"low": {}, "high": {}, "pair": {}},
    )


def two_mass() -> Train:
    """Rotor and generator on one spring."""
    return Train(
        "nrel-5mw-two-mass",
        {"rotor": Body("rotor", "rotor", inertia=4e7), "generator": Body("generator", "machine", inertia=5e6)},
        {},
        {},
        {"main": Shaft("main", ("rotor", "generator"), 8.7e8)},
        {},
        {"generator": Machine("generator", "series", "generator")},
        input="rotor",
    )


def plain_bodies() -> Train:
    """A branch, a pair of wheels outside any stage, and a shaft of many elements."""
    bodies = {name: Body(name, "body", inertia=1.0) for name in ("drive", "fork", "left", "right", "gear", "load")}
    bodies |= {f"rod.{i}": Body(f"rod.{i}", "shaft", inertia=0.1) for i in (1, 2)}
    mesh = Mesh("pair", ("right", "gear"), (0.1, 0.2), teeth=(20, 40))
    shafts = {
        "input": Shaft("input", ("drive", "fork"), 1.0),
        "to_left": Shaft("to_left", ("fork", "left"), 1.0),
        "to_right": Shaft("to_right", ("fork", "right"), 1.0),
        "rod.1": Shaft("rod.1", ("gear", "rod.1"), 1.0, parent="rod"),
        "rod.2": Shaft("rod.2", ("rod.1", "rod.2"), 1.0, parent="rod"),
        "rod.3": Shaft("rod.3", ("rod.2", "load"), 1.0, parent="rod"),
    }
    return Train("plain", bodies, {"pair": mesh}, {}, shafts, {}, {}, input="drive")
