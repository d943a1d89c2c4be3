"""Modes, ratios and static loads of the torsional and planar models: S1 sections 3 to 6 and 9."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .framework import REGISTRY

computes = REGISTRY.computes


def frequencies(name: str, fidelity: str, overrides: Sequence[str] = ()) -> list[float]:
    """Natural frequencies [Hz] of an example."""
    import gearwright as gw

    return [float(f) for f in gw.modes(gw.load(name, overrides), fidelity=fidelity, law="linear").frequencies_hz]


def kinds(name: str, fidelity: str, overrides: Sequence[str] = ()) -> list[str]:
    """Kinds of the modes of an example."""
    import gearwright as gw

    return list(gw.modes(gw.load(name, overrides), fidelity=fidelity, law="linear").kinds)


@computes("S1.planar_lin_parker_n3")
def _n3() -> list[float]:
    return frequencies("lin-parker-1999", "planar")


@computes("S1.planar_lin_parker_n4")
def _n4() -> list[float]:
    return frequencies("lin-parker-1999", "planar", ["stages.0.planets=4"])


@computes("S1.planar_lin_parker_n5")
def _n5() -> list[float]:
    return frequencies("lin-parker-1999", "planar", ["stages.0.planets=5"])


@computes("S1.planar_mode_multiplicity")
def _multiplicity() -> str:
    for n in (3, 4, 5):
        over = [f"stages.0.planets={n}"]
        f, k = frequencies("lin-parker-1999", "planar", over), kinds("lin-parker-1999", "planar", over)
        if k.count("rigid") + k.count("rotational") != 6 or k.count("planet") != 3 * (n - 3):
            return f"N = {n}: {k}"
        translational = [x for x, kind in zip(f, k, strict=True) if kind == "translational"]
        pairs = np.array(translational).reshape(-1, 2)
        if len(translational) != 12 or np.abs(np.diff(pairs, axis=1)).max() > 1e-6 * max(translational):
            return f"N = {n}: translational modes are not double"
    return "rotational 1, translational 2, planet N-3"


@computes("S1.torsional_lp_k_ru_1e9", "S1.torsional_table_3_5_peeters", "S1.torsional_table_3_5_s1_code")
def _torsional() -> list[float]:
    return frequencies("lin-parker-1999", "torsional")


@computes("S1.torsional_planet_pair")
def _pair() -> float:
    return _torsional()[3]


_RING_FIXED = ["stages.stage1.ring.fixed=true"]


def _alone(name: str, stage: int, overrides: Sequence[str]) -> Any:
    """One stage of an example by itself: no shafts, no other stages, no machines."""
    import gearwright as gw

    raw = {**gw.load(name).raw}
    one = {
        "name": f"{name}, stage {stage + 1} alone", "stages": [raw["stages"][stage]],
        **{k: raw[k] for k in ("materials",) if k in raw},
    }  # fmt: skip
    return gw.load(one, overrides)


def _alone_frequencies(name: str, stage: int, fidelity: str, overrides: Sequence[str]) -> list[float]:
    import gearwright as gw

    found = gw.modes(_alone(name, stage, overrides), fidelity=fidelity, law="linear")
    return [float(f) for f in found.frequencies_hz]


@computes("S1.grc_torsional_ring_fixed")
def _grc_ring_fixed() -> list[float]:
    over = [*_RING_FIXED, "stages.stage1.planet.inertia=0.4", "stages.stage1.carrier.inertia_includes_planets=true"]
    return _alone_frequencies("grc-750kw", 0, "torsional", over)


@computes("S1.grc_parallel_1_free_pair")
def _grc_1() -> float:
    return _alone_frequencies("grc-750kw", 1, "torsional", [])[1]


@computes("S1.grc_parallel_2_free_pair")
def _grc_2() -> float:
    # the target was computed with base diameters rounded as its table prints them
    over = ["stages.stage3.wheel.base_diameter=0.42458", "stages.stage3.pinion.base_diameter=0.10614"]
    return _alone_frequencies("grc-750kw", 2, "torsional", over)[1]


@computes("S1.mw5_ch4_parallel_1_free_pair")
def _mw5_1() -> float:
    over = ["stages.stage2.wheel.base_radius=0.752", "stages.stage2.pinion.base_radius=0.180"]
    return _alone_frequencies("nrel-5mw-medium-speed-gearbox", 1, "torsional", over)[1]


@computes("S1.mw5_ch4_parallel_2_free_pair")
def _mw5_2() -> float:
    over = ["stages.stage3.wheel.base_radius=0.600", "stages.stage3.pinion.base_radius=0.1993"]
    return _alone_frequencies("nrel-5mw-medium-speed-gearbox", 2, "torsional", over)[1]


@computes("S1.mw5_ch4_torsional_ring_fixed_sun_side")
def _mw5_planetary() -> list[float]:
    # printed sun radius, ring radius that fits it (S1 digest section 9), carrier inertia with planets as printed
    over = [
        *_RING_FIXED, "stages.stage1.sun.base_radius=0.4304", "stages.stage1.ring.base_radius=1.6904",
        "stages.stage1.carrier.inertia_includes_planets=true",
    ]  # fmt: skip
    return _alone_frequencies("nrel-5mw-medium-speed-gearbox", 0, "torsional", over)


_GRC_PLANAR = [
    *_RING_FIXED, "stages.stage1.planet.mass=87", "stages.stage1.sun.mass=102", "stages.stage1.carrier.mass=null",
    "stages.stage1.bearings.planet.stiffness=2e9", "stages.stage1.bearings.sun.stiffness=1e8",
    "stages.stage1.bearings.carrier=[]", "stages.stage1.bearings.ring=[]",
    "stages.stage1.carrier.inertia_includes_planets=false",
]  # fmt: skip


@computes("S1.grc_planar_jp_0_4")
def _grc_04() -> list[float]:
    return _alone_frequencies("grc-750kw", 0, "planar", [*_GRC_PLANAR, "stages.stage1.planet.inertia=0.4"])


@computes("S1.grc_planar_jp_3_2")
def _grc_32() -> list[float]:
    return _alone_frequencies("grc-750kw", 0, "planar", [*_GRC_PLANAR, "stages.stage1.planet.inertia=3.2"])


@computes("S1.grc_planar_mode_types_jp_0_4")
def _grc_types() -> str:
    import gearwright as gw

    drivetrain = _alone("grc-750kw", 0, [*_GRC_PLANAR, "stages.stage1.planet.inertia=0.4"])
    letters = {"rigid": "R", "rotational": "R", "translational": "T", "planet": "P"}
    found = gw.modes(drivetrain, fidelity="planar", law="linear").kinds
    return "".join(letters.get(kind, "?") for kind in found)


@computes("S1.mw5_ch5_planar")
def _mw5_ch5() -> list[float]:
    over = [*_RING_FIXED, "stages.stage1.carrier.mass=null", "stages.stage1.bearings.carrier=[]",
            "stages.stage1.bearings.ring=[]"]  # fmt: skip
    return _alone_frequencies("nrel-5mw-gallego", 0, "planar", over)


@computes("S1.mesh_row_translation_invariance")
def _invariance() -> float:
    """Largest mesh row rate under a common translation of all bodies, relative to the row."""
    import gearwright as gw

    worst = 0.0
    for name in ("lin-parker-1999", "grc-750kw"):
        system = gw.assemble(gw.expand(gw.load(name)), "planar", "linear")
        for axis in ("y", "z"):
            move = np.array([1.0 if c.endswith(f".{axis}") else 0.0 for c in system.coordinates])
            for i, row in enumerate(system.rows):
                if row.endswith(".drive"):
                    worst = max(worst, abs(float((system.D[i] @ move)[0])))
    return worst


@computes("S1.planetary_kinematic_null_vector")
def _null_vector() -> float:
    """Largest mesh row rate under the kinematic motion (1, 1 - z_r/z_p, 1 + z_r/z_s), per unit carrier motion."""
    import gearwright as gw

    system = gw.assemble(gw.expand(gw.load("s0-small-planetary", ["stages.0.planets=3"])), "torsional", "linear")
    speeds = {"carrier": 1.0, "sun": 1.0 + 100 / 20, "planet": 1.0 - 100 / 40}
    motion = np.zeros(system.shape.coordinates)
    for i, c in enumerate(system.coordinates):
        member = c.split(".")[-2].rstrip("0123456789")
        motion[i] = speeds[member]
    meshes = [i for i, row in enumerate(system.rows) if row.endswith(".drive")]
    return float(np.abs(system.D[meshes] @ motion).max())


def _equilibrium_loads(
    name: str, loads: dict[str, float], overrides: Sequence[str] = (), fidelity: str = "planar"
) -> Any:
    """Static channel values of an example under torques by body."""
    import gearwright as gw

    return gw.static_loads(gw.load(name, overrides), loads, fidelity=fidelity)


@computes("S1.planet_pin_force_static_mw5_ch5")
def _pin_force() -> float:
    torque = 97 * 43093.55
    found = _equilibrium_loads("nrel-5mw-gallego", {"rotor": torque})
    # T/(N r_c) is the tangential part of the pin load
    return _tangential(found, "nrel-5mw-gallego")


def _tangential(found: dict[str, float], name: str) -> float:
    import gearwright as gw

    train = gw.expand(gw.load(name))
    planet = train.bodies["stage1.planet1"]
    y, z = found["stage1.planet1_bearing.force_y"], found["stage1.planet1_bearing.force_z"]
    return abs(-math.sin(planet.angle) * y + math.cos(planet.angle) * z)


@computes("S1.grc_rated_pin_load")
def _grc_pin() -> float:
    torque = 750e3 / (22.199 * 2 * math.pi / 60)
    return _tangential(_equilibrium_loads("grc-750kw", {"rotor": torque}), "grc-750kw")


@computes("S1.grc_planetary_ratio", "S1.grc_total_ratio", "S1.grc_base_diameters_mm", "S1.grc_pin_radius")
def _grc_kinematics() -> dict[str, Any]:
    import gearwright as gw

    train = gw.expand(gw.load("grc-750kw"))
    data = gw.describe(train)
    mesh = {m.name: m for m in train.meshes.values()}
    sun, planet = mesh["stage1.sun_planet1"].base_radius
    ring = mesh["stage1.ring_planet1"].base_radius[1]
    return {
        "S1.grc_planetary_ratio": train.ratios["stage1.sun"] / train.ratios["stage1.carrier"],
        "S1.grc_total_ratio": abs(data["speed_ratio"]),
        "S1.grc_base_diameters_mm": [2e3 * planet, 2e3 * sun, 2e3 * ring],
        "S1.grc_pin_radius": 1e3 * (train.bodies["stage1.planet1"].pin_radius or math.nan),
    }


@computes("S1.mw5_ch5_total_ratio")
def _mw5_ratio() -> float:
    import gearwright as gw

    return abs(gw.describe(gw.expand(gw.load("nrel-5mw-gallego")))["speed_ratio"])


@computes("S1.mw5_ch4_total_ratio_printed")
def _mw5_ch4_ratio() -> float:
    import gearwright as gw

    return abs(gw.describe(gw.expand(gw.load("nrel-5mw-medium-speed-gearbox")))["speed_ratio"])


@computes("S1.nrel5mw_free_free", "S1.nrel5mw_free_free_s1", "S1.s1_low_shaft_mode")
def _two_mass() -> float:
    return frequencies("nrel-5mw-two-mass", "torsional", ["bodies.rotor.inertia=38759227"])[1]


@computes("S1.nrel5mw_zeta")
def _zeta() -> float:
    import gearwright as gw

    found = gw.modes(gw.load("nrel-5mw-two-mass", ["bodies.rotor.inertia=38759227"]), fidelity="torsional")
    return float(found.damping_ratios[1])


@computes("S1.beta_gb_for_5pct_at_2_48")
def _beta() -> float:
    return 2 * 0.05 / (2 * math.pi * 2.48)


@computes("S1.aex_torsional_chain")
def _aex() -> list[float]:
    return frequencies("nrel-5mw-gallego", "torsional")[:6]


@computes("S1.lss_inertia_appendix_a")
def _lss_inertia() -> float:
    """Inertia of the machine seen from the rotor, as the assembled train has it."""
    import gearwright as gw

    system = gw.assemble(gw.expand(gw.load("nrel-5mw-two-mass")), "torsional", "linear")
    rotor = system.coordinates.index("rotor.rotation")
    u = system.u[0] / system.u[0, rotor]
    total = float(u @ (system.mass @ u))
    return total - float(system.mass[rotor, rotor])
