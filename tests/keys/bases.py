"""Small files in which every section of a drivetrain stands once, and the ways in which each is computed."""

from __future__ import annotations

import copy
from typing import Any

TORSIONAL, PLANAR, SPATIAL = ("torsional", "linear"), ("planar", "linear"), ("spatial", "linear")
RIGID, PERIODIC, CONTACT = ("rigid", "rigid"), ("torsional", "periodic"), ("planar", "tooth_contact")
SPATIAL_CONTACT = ("spatial", "tooth_contact")

_SUPPORT = {"stiffness": 1e9, "axial_stiffness": 5e8, "tilt_stiffness": 1e7, "damping": {"ratio": 0.02}}

STAGES: dict[str, Any] = {
    "name": "stages",
    "materials": {"steel": {"young": 206e9, "poisson": 0.3, "density": 7830.0}},
    "bodies": [{"name": "rotor", "inertia": 1e5}],
    "stages": [
        {
            "name": "p", "type": "planetary", "planets": 3, "module": 0.01, "pressure_angle": "20 deg", "face_width": 0.2,
            "material": "steel", "helix_angle": "8 deg", "hand": "right", "x": 0.5,
            "sun": {"teeth": 21, "mass": 200.0, "inertia": 2.0},
            "planet": {"teeth": 39, "bore": 0.2},
            "ring": {"teeth": 99, "mass": 900.0, "inertia": 300.0, "outer_diameter": 1.2},
            "carrier": {"inertia": 250.0, "mass": 800.0, "inertia_includes_planets": False},
            "meshes": {"sun_planet": {"stiffness": {"mean": 3e9}, "damping": {"ratio": 0.03}, "contact_ratio": 1.6},
                       "ring_planet": {"stiffness": 3.5e9, "damping": {"ratio": 0.03}, "contact_ratio": 1.7}},
            "bearings": {"carrier": dict(_SUPPORT), "planet": dict(_SUPPORT), "sun": dict(_SUPPORT),
                         "ring": {**_SUPPORT, "torsional_stiffness": 1e10}},
        },
        {
            "name": "g", "type": "parallel", "module": 0.008, "pressure_angle": "20 deg", "face_width": 0.15, "material": "steel",
            "azimuth": "30 deg", "x": 1.5,
            "wheel": {"teeth": 81, "mass": 250.0, "inertia": 14.0}, "pinion": {"teeth": 23, "mass": 40.0, "inertia": 0.2},
            "mesh": {"stiffness": {"two_pairs": 3e9, "one_pair": 2e9}, "contact_ratio": 1.6, "damping": {"value": 1e5}},
            "bearings": {"wheel": dict(_SUPPORT), "pinion": dict(_SUPPORT)},
        },
    ],
    "shafts": [
        {"name": "low", "between": ["rotor", "p.carrier"], "torsional_stiffness": 5e8, "damping": {"value": 1e5}},
        {"name": "middle", "between": ["p.sun", "g.wheel"], "length": 1.0, "diameter": 0.2, "material": "steel"},
    ],
    "machines": [{"name": "generator", "type": "slip", "inertia": 50.0, "mass": 500.0,
                  "parameters": {"synchronous_speed": 157.0, "rated_slip": 0.02, "rated_power": 1e6}}],
    "model": {"fidelity": "torsional", "law": "linear"},
    "operating": {"input": "rotor", "output": "generator", "speed": 7.8, "torque": 1e5},
    "cases": [{"name": "c", "duration": 2.0, "discard": 0.1, "start": "operating", "record": ["meshes", "bearings", "shafts", "machines", "bodies"],
               "loads": [{"on": "rotor", "torque": 1e5}]}],
}  # fmt: skip
STAGES["shafts"].append(
    {"name": "fast", "between": ["g.pinion", "generator"], "torsional_stiffness": 1e6, "damping": {"ratio": 0.01}}
)

SPELLED: dict[str, Any] = {
    "name": "spelled",
    "bodies": [
        {"name": "motor", "inertia": 1.0, "mass": 50.0},
        {"name": "a", "inertia": 0.5, "mass": 20.0, "place": [0.0, 0.0], "x": 0.2},
        {"name": "b", "inertia": 4.0, "mass": 60.0, "x": 0.2},
        {"name": "disc", "length": 0.1, "diameter": 0.4, "bore": 0.05},
        {"name": "load", "inertia": 8.0},
    ],
    "elements": [
        {"name": "m", "type": "mesh", "between": ["a", "b"], "teeth": [20, 50], "module": 0.005, "pressure_angle": "20 deg",
         "face_width": 0.05, "azimuth": 0.3, "stiffness": 5e8, "damping": {"ratio": 0.05}},
        {"name": "ba", "type": "bearing", "between": ["a", "housing"], **_SUPPORT},
        {"name": "bb", "type": "bearing", "between": ["b", "housing"], **_SUPPORT},
        {"name": "sp", "type": "spring", "between": ["b", "disc"], "torsional_stiffness": 1e5, "torsional_damping": 10.0},
        {"name": "da", "type": "damper", "between": ["load", "housing"], "torsional_damping": 5.0},
        {"name": "br", "type": "brake", "between": ["load", "housing"], "capacity": {"torque": 100.0, "rise": 0.1}, "engaged": False},
        {"name": "dr", "type": "drag", "between": ["disc", "housing"], "torque": 1.0, "viscous": 0.1},
        {"name": "ow", "type": "one_way", "between": ["load", "disc"]},
    ],
    "shafts": [
        {"name": "s1", "between": ["motor", "a"], "torsional_stiffness": 2e5, "damping": {"ratio": 0.01}, "bending_stiffness": 1e8},
        {"name": "s2", "between": ["disc", "load"], "length": 0.5, "diameter": 0.05, "bore": 0.01, "elements": 3},
    ],
    "machines": [{"name": "m1", "type": "constant", "drives": "motor", "parameters": {"torque": 50.0}}],
    "gravity": {"acceleration": 9.81, "tilt": 0.05},
    "model": {"fidelity": "torsional", "law": "linear"},
    "operating": {"input": "motor", "output": "load", "speed": 100.0, "torque": 50.0},
    "cases": [{"name": "c", "duration": 1.0, "start": "operating", "record": ["meshes", "bearings", "shafts", "machines", "bodies"],
               "loads": [{"on": "load", "torque": 100.0, "slope": -1.0}],
               "events": [{"at": 0.5, "set": "br.engaged", "to": True}]}],
}  # fmt: skip

TEETH: dict[str, Any] = {
    "name": "teeth",
    "materials": {"steel": {"young": 206e9, "poisson": 0.3, "density": 7830.0}},
    "stages": [{
        "name": "g", "type": "parallel", "module": 0.008, "pressure_angle": "20 deg", "face_width": 0.15, "material": "steel", "azimuth": "30 deg",
        "wheel": {"teeth": 81, "mass": 250.0, "inertia": 14.0}, "pinion": {"teeth": 23, "mass": 40.0, "inertia": 0.2},
        "mesh": {"stiffness": {"from": "analytic", "half_width": 3e-4}, "damping": {"value": 1e5}},
        "bearings": {"wheel": dict(_SUPPORT), "pinion": dict(_SUPPORT)},
    }],
    "model": {"fidelity": "torsional", "law": "periodic", "damping": {"stiffness_proportional": 1e-6}},
    "operating": {"input": "g.wheel", "output": "g.pinion", "speed": 7.8, "torque": 1e4},
    "cases": [{"name": "c", "duration": 1.0, "start": "operating", "loads": [{"on": "g.wheel", "torque": 1e4}]}],
}  # fmt: skip

BEAM: dict[str, Any] = {
    "name": "beam",
    "bodies": [{"name": "a", "inertia": 1.0, "mass": 20.0}, {"name": "b", "inertia": 2.0, "mass": 30.0}],
    "shafts": [{"name": "s", "between": ["a", "b"], "sections": [{"length": 0.4, "diameter": 0.08, "bore": 0.01}, {"length": 0.3, "diameter": 0.1}],
                "bearings": [{"x": 0.1, **_SUPPORT}, {"x": 0.6, **_SUPPORT}], "misalignment": {"offset": [1e-5, 0.0], "angle": [0.0, 1e-5]}}],
    "gravity": {"acceleration": 9.81, "tilt": 0.05},
    "model": {"fidelity": "spatial", "law": "linear", "gravity": True},
    "operating": {"input": "a", "output": "b", "speed": 30.0},
    "cases": [{"name": "c", "duration": 1.0, "start": "operating",
               "loads": [{"on": "a", "torque": {"step": {"from": 0.0, "to": 5.0, "at": 0.1}}, "force": [1.0, 2.0, 3.0], "moment": [1.0, 2.0]},
                         {"on": "b", "control": {"speed": 30.0, "proportional": 5.0}}],
               "spectra": {"of": ["shafts"]}}],
}  # fmt: skip

SPLIT: dict[str, Any] = {
    "name": "split",
    "bodies": [{"name": "sun", "inertia": 0.1}, {"name": "ring", "inertia": 1.0}, {"name": "arm", "inertia": 1.0},
               {"name": "planet", "on": "arm", "inertia": 0.01, "count": 3}],
    "elements": [{"name": "in", "type": "mesh", "on": "arm", "between": ["sun", "planet"], "teeth": [30, 20]},
                 {"name": "out", "type": "mesh", "on": "arm", "between": ["planet", "ring"], "teeth": [20, 70], "internal": True}],
    "machines": [{"name": "e", "type": "table", "drives": "sun", "parameters": {"table": [[0.0, 10.0], [100.0, 5.0]]}}],
    "model": {"fidelity": "rigid", "law": "rigid"},
    "operating": {"input": "arm", "output": "ring", "speeds": {"arm": 10.0, "ring": 2.0}, "torques": {"arm": 5.0}, "reactions": ["sun", "ring"]},
    "cases": [{"name": "c", "duration": 1.0, "start": "operating", "record": ["bodies", "meshes"],
               "loads": [{"on": "arm", "torque": {"sine": {"amplitude": 5.0, "frequency": 1.0}}},
                         {"on": "ring", "torque": {"ramp": {"from": 0.0, "to": 5.0, "over": 0.5}}},
                         {"on": "sun", "torque": {"table": {"rows": [[0.0, 1.0], [0.5, 3.0], [1.0, 2.0]]}}}]}],
}  # fmt: skip

LOSSY: dict[str, Any] = copy.deepcopy(SPELLED)
LOSSY["elements"][0]["loss"] = {"efficiency": 0.98}
LOSSY["elements"][1]["friction"] = {"torque": 2.0, "viscous": 0.01}
LOSSY["model"] = {"fidelity": "rigid", "law": "rigid"}

#: base -> file, ways
WAYS: dict[str, tuple[dict[str, Any], tuple[Any, ...]]] = {
    "spelled": (SPELLED, (TORSIONAL, "flow", RIGID, PLANAR, PERIODIC, SPATIAL, CONTACT)),
    "lossy": (LOSSY, (RIGID, "flow", TORSIONAL)),
    "split": (SPLIT, (RIGID, "flow")),
    "beam": (BEAM, (SPATIAL, TORSIONAL, PLANAR)),
    "teeth": (TEETH, (PERIODIC, PLANAR, CONTACT)),
    "stages": (STAGES, (TORSIONAL, PLANAR, "flow", SPATIAL, PERIODIC)),
}
