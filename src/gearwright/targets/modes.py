"""Modes, ratios and static loads of trains, torsional and planar: S1 sections 3 to 6 and 9, LIT.1, LIT.2, LIT.3 and LIT.9."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

import gearwright as gw
from gearwright.analyses.modes import ModalAnalysis
from gearwright.schema.places import JSON, groups
from gearwright.solve.modal.engine import ExactEngine
from gearwright.system import Builder, Channel, Provenance, Source, Spring, State, constant

from .registry import computes, computes_each
from .shared import Overrides, frequencies, modal, own, speed_ratio, system_of
from .target import Value, target

# --- Lin and Parker, Cooley and Parker ------------------------------------------------------------------------------


@cache
def _lin_parker(planets: int) -> ModalAnalysis:
    return modal("lin-parker-1999", "planar", [f"stages.0.planets={planets}"])


@computes_each("S1.planar_lin_parker_n*", "3", "4", "5")
@computes_each("LIT.1.1.N*")
def _planar(planets: str) -> list[float]:
    return [float(f) for f in _lin_parker(int(planets)).frequencies_hz]


@computes_each("LIT.1.2.N*")
def _cooley_parker(planets: str) -> list[float]:
    scale = math.sqrt(10e6 / 1.86) / (2 * math.pi)
    return [f / scale for f in frequencies("cooley-parker-2012", "planar", [f"stages.0.planets={planets}"])]


@computes("S1.planar_mode_multiplicity")
def _multiplicity() -> str:
    for n in (3, 4, 5):
        found = _lin_parker(n)
        k = list(found.kinds)
        if k.count("rigid") + k.count("rotational") != 6 or k.count("planet") != 3 * (n - 3):
            return f"N = {n}: {k}"
        translational = found.frequencies_hz[np.array(k) == "translational"]
        if len(translational) != 12 or np.abs(np.diff(translational.reshape(-1, 2))).max() > 1e-6 * translational.max():
            return f"N = {n}: translational modes are not double"
    return "rotational 1, translational 2, planet N-3"


@computes("LIT.1.1.structure")
def _structure() -> Value:
    planet: list[Any] = []
    for n in (3, 4, 5):
        found = _lin_parker(n)
        k, names = np.array(found.kinds), found.system.coordinates
        counts = {kind: int((k == kind).sum()) for kind in set(k)}
        three = [
            counts.get("rigid", 0) + counts.get("rotational", 0),
            counts.get("translational", 0),
            counts.get("planet", 0),
        ]
        if three != [6, 12, 3 * (n - 3)]:
            return f"N = {n}: {counts}"
        shapes = np.abs(found.modes.shapes) / np.abs(found.modes.shapes).max(axis=0)
        central = [i for i, name in enumerate(names) if ".planet" not in name]
        turning = [i for i in central if names[i].endswith("rotation")]
        if n > 3:
            planet.append(np.unique(np.round(np.asarray(found.frequencies_hz)[k == "planet"], 1)))
            if shapes[np.ix_(central, k == "planet")].max() > 1e-6:
                return f"N = {n}: central bodies move in a planet mode"
        if shapes[np.ix_(turning, k == "translational")].max() > 1e-6:
            return f"N = {n}: central bodies turn in a translational mode"
    return (
        target("LIT.1.1.structure").value if np.allclose(planet[0], planet[1], atol=0.1) else "planet modes depend on N"
    )


@computes("S1.torsional_*", "lp_k_ru_1e9", "table_3_5_peeters", "table_3_5_s1_code")
def _torsional() -> list[float]:
    return frequencies("lin-parker-1999", "torsional")


@computes("S1.torsional_planet_pair")
def _pair() -> float:
    return _torsional()[3]


# --- closed forms and discs on shafts -------------------------------------------------------------------------------


@computes("LIT.1.3")
def _equal_planets() -> list[float]:
    return [2 * math.pi * f for f in frequencies(own("equal-planets"), "torsional")]


_DISCS = {"1": "two-discs", "2": "five-discs", "3": "geared-rotors", "4": "branched-rotors"}


@computes_each("LIT.2.*", *_DISCS)
def _discs(number: str) -> list[float]:
    name = _DISCS[number]
    return frequencies(own(name), "torsional")[: 4 if "rotors" in name else None]


def drill_string(elements: int) -> list[float]:
    """First four elastic frequencies [Hz] of the drill string with consistent torsional elements."""
    return frequencies(own("drill-string"), "torsional", [f"shafts.string.elements={elements}"])[1:5]


@computes("LIT.2.5")
def _drill_string() -> list[float]:
    coarse, middle, fine = (drill_string(n)[0] for n in (10, 20, 40))
    order = math.log2((coarse - middle) / (middle - fine))
    return [*drill_string(5), *drill_string(8), *drill_string(50), order]


@computes("LIT.9")
def _bathe() -> list[float]:
    """The two-mass example by the exact engine: M = diag(2, 1), K = [[6, -2], [-2, 4]], load (0, 10)."""
    builder = Builder()
    for name, mass, stiffness in (("u1", 2.0, 4.0), ("u2", 1.0, 2.0)):
        builder.coordinate(name)
        builder.inertia(mass, {name: 1.0})
        builder.row(f"ground of {name}", {name: 1.0}, Spring(stiffness))
    builder.row("between", {"u1": 1.0, "u2": -1.0}, Spring(2.0))
    builder.signal("load", constant(10.0))
    builder.input("u2", "load")
    system = builder.build(Provenance("Bathe"))
    channels = tuple(Channel("body", f"u{i + 1}", "x", "m", "", ((Source.POSITION, i, 1.0),)) for i in (0, 1))
    engine = ExactEngine()
    block = engine.advance(engine.prepare(system, channels, 0.28, 1e-8), State.start(system), 12)
    return [float(x) for step in (1, 2, 4, 8, 12) for x in block.lines[step - 1]]


# --- the 5 MW turbine in two masses, gearboxes by their teeth --------------------------------------------------------

_RATIOS = {"2": "nrel-5mw-nejad-source", "3": "nrel-5mw-gallego-source", "4": "grc-750kw-source"}


@computes("LIT.3.1.*")
def _two_masses() -> dict[str, float]:
    found = modal("nrel-5mw-two-mass", "torsional")
    return {
        "free": float(found.frequencies_hz[1]),
        "fixed": frequencies("nrel-5mw-two-mass", "torsional", held=("generator",))[0],
        "damping": 6.215e6 * 0.05 / float(found.damping_ratios[1]),
    }


@computes_each("LIT.3.*", "2.ratio", "3.ratio", "4.ratio")
def _ratio(name: str) -> float:
    return speed_ratio(_RATIOS[name[0]])


@computes_each("LIT.3.*", "2.frequencies", "4.frequencies")
def _mesh_frequencies(name: str) -> list[float]:
    """One mesh frequency per stage, in order."""
    speed = {"2": "12.1 rpm", "4": "22 rpm"}[name[0]]
    data = gw.describe(gw.expand(gw.load(_RATIOS[name[0]], [f"operating.speed={speed}"])))
    by_stage = {mesh.split(".")[0]: abs(f) for mesh, f in reversed(list(data.mesh_frequencies_hz.items()))}
    return [by_stage[stage] for stage in sorted(by_stage)]


@computes("LIT.3.3.modes")
def _gallego() -> list[float]:
    return frequencies("nrel-5mw-gallego-source", "torsional")


@computes("LIT.3.5.*")
def _dtu() -> dict[str, float]:
    """The ratio is that of the teeth that the file holds as data (no mesh is modelled there), by the train's kinematics."""
    stages: list[JSON] = []
    data: Any = gw.load("dtu-10mw").bodies[1].data  # the teeth as the file has them, columns by stage
    for i in range(3):
        planetary = data["type"][i] == "planetary"
        facts = ("type", "module", "pressure_angle", "helix_angle", "centre_distance", *["planets"] * planetary)
        stage: dict[str, JSON] = {"name": f"stage{i + 1}", **{key: data[key][i] for key in facts}}
        members = ("sun", "planet", "ring") if planetary else ("wheel", "pinion")
        for m, teeth, shift in zip(members, data["teeth"][i], data["profile_shift"][i], strict=True):
            stage[m] = {"teeth": teeth, "profile_shift": shift} | ({"fixed": True} if m == "ring" else {})
        stages.append(stage)
    joints = [("stage1.sun", "stage2.carrier"), ("stage2.sun", "stage3.wheel")]
    shafts: list[JSON] = [{"name": f"shaft{i}", "between": list(b), "rigid": True} for i, b in enumerate(joints)]
    operating = {"input": "stage1.carrier", "output": "stage3.pinion"}
    train = gw.expand(gw.load({"name": "teeth", "stages": stages, "shafts": shafts, "operating": operating}))
    return {
        "ratio": abs(gw.describe(train).speed_ratio or 0.0),
        "free": frequencies("dtu-10mw", "torsional")[1],
        "fixed": frequencies("dtu-10mw", "torsional", held=("generator",))[0],
    }


@computes("S1.*", "nrel5mw_free_free", "nrel5mw_free_free_s1", "s1_low_shaft_mode", "nrel5mw_zeta")
def _rotor_of_s1() -> dict[str, float]:
    over = ["bodies.rotor.inertia=38759227"]
    free = frequencies("nrel-5mw-two-mass", "torsional", over)[1]
    zeta = gw.modes(gw.load("nrel-5mw-two-mass", over), fidelity="torsional").damping_ratios[1]
    return {
        "nrel5mw_free_free": free,
        "nrel5mw_free_free_s1": free,
        "s1_low_shaft_mode": free,
        "nrel5mw_zeta": float(zeta),
    }


@computes("S1.beta_gb_for_5pct_at_2_48")
def _beta() -> float:
    return 2 * 0.05 / (2 * math.pi * 2.48)


@computes("S1.lss_inertia_appendix_a")
def _lss_inertia() -> float:
    """Inertia of the machine seen from the rotor, as the assembled train has it."""
    system = system_of("nrel-5mw-two-mass", "torsional", "linear")
    rotor = system.coordinates.index("rotor.rotation")
    u = system.u[0] / system.u[0, rotor]
    return float(u @ (system.mass @ u)) - float(system.mass[rotor, rotor])


# --- single stages of S1 ---------------------------------------------------------------------------------------------


def _alone(name: str, stage: int, fidelity: str, overrides: Overrides) -> ModalAnalysis:
    """Modes of one stage of an example by itself: no shafts, no other stages, no machines."""
    raw = gw.load(name).raw
    one = {"name": f"{name}, stage {stage + 1} alone", "stages": [groups(raw["stages"])[stage]]}
    return modal(one | {k: raw[k] for k in ("materials", "allow") if k in raw}, fidelity, overrides)


def _stage_settings(stage: int, **values: Any) -> list[str]:
    """Overrides of a stage: ``ring__fixed="true"`` sets its ``ring.fixed``."""
    return [f"stages.stage{stage}.{key.replace('__', '.')}={value}" for key, value in values.items()]


_GRC, _MW5_4, _MW5_5 = "grc-750kw-source", "nrel-5mw-medium-speed-gearbox-source", "nrel-5mw-gallego-source"
_GRC_PLANAR = _stage_settings(
    1,
    ring__fixed="true",
    planet__mass=87,
    sun__mass=102,
    carrier__mass="null",
    bearings__planet__stiffness="2e9",
    bearings__sun__stiffness="1e8",
    bearings__carrier="[]",
    bearings__ring="[]",
    carrier__inertia_includes_planets="false",
)


@computes("S1.*", "grc_torsional_ring_fixed", "mw5_ch4_torsional_ring_fixed_sun_side")
def _ring_fixed() -> dict[str, list[float]]:
    shared = {"ring__fixed": "true", "carrier__inertia_includes_planets": "true"}
    grc = _stage_settings(1, planet__inertia=0.4, **shared)
    # printed sun radius, ring radius that fits it (S1 digest section 9), carrier inertia with planets as printed
    mw5 = _stage_settings(1, sun__base_radius=0.4304, ring__base_radius=1.6904, **shared)
    return {
        "grc_torsional_ring_fixed": list(_alone(_GRC, 0, "torsional", grc).frequencies_hz),
        "mw5_ch4_torsional_ring_fixed_sun_side": list(_alone(_MW5_4, 0, "torsional", mw5).frequencies_hz),
    }


#: radii of the third stage of the first are those of its table's base diameters, rounded as printed there
_PAIRS = {
    "grc_parallel_1": (_GRC, 2, []),
    "grc_parallel_2": (_GRC, 3, _stage_settings(3, wheel__base_diameter=0.42458, pinion__base_diameter=0.10614)),
    "mw5_ch4_parallel_1": (_MW5_4, 2, _stage_settings(2, wheel__base_radius=0.752, pinion__base_radius="0.180")),
    "mw5_ch4_parallel_2": (_MW5_4, 3, _stage_settings(3, wheel__base_radius="0.600", pinion__base_radius=0.1993)),
}


@computes_each("S1.*", *(f"{name}_free_pair" for name in _PAIRS))
def _free_pair(name: str) -> float:
    example, stage, overrides = _PAIRS[name.removesuffix("_free_pair")]
    return float(_alone(example, stage - 1, "torsional", overrides).frequencies_hz[1])


@computes_each("S1.grc_planar_jp_*")
def _grc_planar(inertia: str) -> list[float]:
    overrides = [*_GRC_PLANAR, f"stages.stage1.planet.inertia={inertia.replace('_', '.')}"]
    return [float(f) for f in _alone(_GRC, 0, "planar", overrides).frequencies_hz]


@computes("S1.grc_planar_mode_types_jp_0_4")
def _grc_types() -> str:
    letters = {"rigid": "R", "rotational": "R", "translational": "T", "planet": "P"}
    found = _alone(_GRC, 0, "planar", [*_GRC_PLANAR, "stages.stage1.planet.inertia=0.4"])
    return "".join(letters.get(kind, "?") for kind in found.kinds)


@computes("S1.mw5_ch5_planar")
def _mw5_planar() -> list[float]:
    over = _stage_settings(1, ring__fixed="true", carrier__mass="null", bearings__carrier="[]", bearings__ring="[]")
    return [float(f) for f in _alone(_MW5_5, 0, "planar", over).frequencies_hz]


@computes("S1.aex_torsional_chain")
def _aex() -> list[float]:
    return frequencies(_MW5_5, "torsional")[:6]


# --- rows, ratios and pin loads --------------------------------------------------------------------------------------


def _mesh_rows(system: Any) -> Any:
    return system.D[[i for i, row in enumerate(system.rows) if row.endswith(".drive")]]


@computes("S1.mesh_row_translation_invariance")
def _invariance() -> float:
    """Largest mesh row rate under a common translation of all bodies, relative to the row."""
    worst = []
    for name in ("lin-parker-1999", _GRC):
        system = system_of(name, "planar", "linear")
        for axis in ("y", "z"):
            move = np.array([1.0 if c.endswith(f".{axis}") else 0.0 for c in system.coordinates])
            worst.append(float(np.abs(_mesh_rows(system) @ move).max()))
    return max(worst)


@computes("S1.planetary_kinematic_null_vector")
def _null_vector() -> float:
    """Largest mesh row rate under the kinematic motion (1, 1 - z_r/z_p, 1 + z_r/z_s), per unit carrier motion."""
    system = system_of("s0-small-planetary", "torsional", "linear", ["stages.0.planets=3"])
    speeds = {"carrier": 1.0, "sun": 1.0 + 100 / 20, "planet": 1.0 - 100 / 40, "ring": 0.0}
    motion = np.array([speeds[c.split(".")[-2].rstrip("0123456789")] for c in system.coordinates])
    return float(np.abs(_mesh_rows(system) @ motion).max())


def _pin_load(name: str, torque: float) -> float:
    """Tangential part of the first planet's pin load [N] under a rotor torque [N m]."""
    drivetrain = gw.load(name)
    found = gw.static_loads(drivetrain, {"rotor": torque}, fidelity="planar")
    angle = gw.expand(drivetrain).bodies["stage1.planet1"].angle
    y, z = (found[f"stage1.planet1_bearing.force_{axis}"] for axis in "yz")
    return abs(-math.sin(angle) * y + math.cos(angle) * z)


@computes("S1.*", "planet_pin_force_static_mw5_ch5", "grc_rated_pin_load")
def _pin_loads() -> dict[str, float]:
    return {
        "planet_pin_force_static_mw5_ch5": _pin_load(_MW5_5, 97 * 43093.55),
        "grc_rated_pin_load": _pin_load(_GRC, 750e3 / (22.199 * 2 * math.pi / 60)),
    }


@computes("S1.grc_*", "planetary_ratio", "total_ratio", "base_diameters_mm", "pin_radius")
def _grc_kinematics() -> dict[str, Value]:
    train = gw.expand(gw.load(_GRC))
    sun, planet = train.meshes["stage1.sun_planet1"].base_radius
    ring = train.meshes["stage1.ring_planet1"].base_radius[1]
    return {
        "planetary_ratio": train.ratios["stage1.sun"] / train.ratios["stage1.carrier"],
        "total_ratio": speed_ratio(_GRC),
        "base_diameters_mm": [2e3 * planet, 2e3 * sun, 2e3 * ring],
        "pin_radius": 1e3 * (train.bodies["stage1.planet1"].pin_radius or math.nan),
    }


@computes("S1.*", "mw5_ch5_total_ratio", "mw5_ch4_total_ratio_printed")
def _mw5_ratios() -> dict[str, float]:
    return {"mw5_ch5_total_ratio": speed_ratio(_MW5_5), "mw5_ch4_total_ratio_printed": speed_ratio(_MW5_4)}
