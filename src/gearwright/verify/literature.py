"""Literature benchmarks of modes, trains and wind gearboxes: LIT.1, LIT.2, LIT.3 and LIT.9."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .framework import REGISTRY
from .torsional_planar import frequencies

literature = REGISTRY.literature

_LIN_PARKER = "Lin and Parker, J. Vib. Acoust. 121 (1999) 316, Table 1"
_ROTATIONAL = {
    3: [0, 1475.7, 1930.3, 2658.3, 7462.8, 11775.3],
    4: [0, 1536.5, 1970.6, 2625.7, 7773.6, 13071.1],
    5: [0, 1567.4, 2006.1, 2614.8, 8065.4, 14253.1],
}
_TRANSLATIONAL = {
    3: [743.2, 1102.4, 1896.0, 2276.4, 6986.3, 9647.9],
    4: [727.3, 1091.2, 1892.8, 2342.5, 7189.9, 10437.6],
    5: [710.0, 1072.0, 1888.1, 2425.3, 7382.4, 11172.3],
}
_PLANET = [1808.2, 5963.8, 6981.7]


def _spectrum(rotational: list[float], translational: list[float], planet: list[float], n: int) -> list[float]:
    return sorted([*rotational, *(2 * translational), *((n - 3) * planet)])


def _declare_lin_parker(n: int) -> None:
    value = _spectrum(_ROTATIONAL[n], _TRANSLATIONAL[n], _PLANET, n)

    @literature(f"LIT.1.1.N{n}", value, "Hz", _LIN_PARKER, rel=5e-4, abs=0.4)
    def _frequencies() -> list[float]:
        return frequencies("lin-parker-1999", "planar", [f"stages.0.planets={n}"])


for _n in (3, 4, 5):
    _declare_lin_parker(_n)


_STRUCTURE = "6 rotational, 6 double translational, 3 planet modes of multiplicity N - 3, independent of N"


@literature("LIT.1.1.structure", _STRUCTURE, "-", _LIN_PARKER)
def _structure() -> str:
    import gearwright as gw
    from gearwright.cases import ModalAnalysis

    planet: list[np.ndarray] = []
    for n in (3, 4, 5):
        over = [f"stages.0.planets={n}"]
        found = gw.modes(gw.load("lin-parker-1999", over), fidelity="planar", law="linear")
        k = np.array(found.kinds)
        counts = {kind: int((k == kind).sum()) for kind in set(k)}
        if counts.get("rigid", 0) + counts.get("rotational", 0) != 6 or counts.get("translational", 0) != 12:
            return f"N = {n}: {counts}"
        if counts.get("planet", 0) != 3 * (n - 3):
            return f"N = {n}: {counts}"
        assert isinstance(found, ModalAnalysis)
        shapes = found.modes.shapes
        central = [i for i, c in enumerate(found.system.coordinates) if ".planet" not in c]
        rotations = [i for i in central if found.system.coordinates[i].endswith("rotation")]
        scale = np.abs(shapes).max(axis=0)
        if n > 3:
            planet.append(np.unique(np.round(np.asarray(found.frequencies_hz)[k == "planet"], 1)))
            if (np.abs(shapes[np.ix_(central, k == "planet")]) / scale[k == "planet"]).max() > 1e-6:
                return f"N = {n}: central bodies move in a planet mode"
        if (np.abs(shapes[np.ix_(rotations, k == "translational")]) / scale[k == "translational"]).max() > 1e-6:
            return f"N = {n}: central bodies turn in a translational mode"
    if not np.allclose(planet[0], planet[1], atol=0.1):
        return "planet modes depend on N"
    return _STRUCTURE


_COOLEY = "Cooley and Parker, J. Vib. Acoust. 134 (2012), Table 1"
_COOLEY_ROTATIONAL = {
    3: [0.9296, 1.090, 1.358, 1.931, 5.566, 7.741], 4: [0.9077, 1.046, 1.317, 2.013, 5.809, 8.383],
    5: [0.8802, 1.019, 1.281, 2.090, 6.030, 8.986],
}  # fmt: skip
_COOLEY_TRANSLATIONAL = {
    3: [0.7432, 1.018, 1.265, 1.487, 4.976, 6.282], 4: [0.7199, 1.001, 1.317, 1.481, 5.153, 6.488],
    5: [0.6992, 0.9863, 1.344, 1.496, 5.317, 6.693],
}  # fmt: skip


def _declare_cooley(n: int) -> None:
    value = _spectrum(_COOLEY_ROTATIONAL[n], _COOLEY_TRANSLATIONAL[n], [0.9617, 4.320, 5.672], n)

    @literature(f"LIT.1.2.N{n}", value, "-", _COOLEY, rel=1e-3, note="one unit of the last of four printed digits")
    def _ratios() -> list[float]:
        scale = math.sqrt(10e6 / 1.86) / (2 * math.pi)
        found = frequencies("cooley-parker-2012", "planar", [f"stages.0.planets={n}"])
        return [f / scale for f in found]


for _n in (3, 4, 5):
    _declare_cooley(_n)


@literature("LIT.1.3", [0.0, 4516.6359, 4516.6359, 4516.6359, 5024.0521, 6231.0166], "rad/s",
            "closed form after Kahraman, J. Sound Vib. 173 (1994) 125", rel=1e-8, abs=1e-4)  # fmt: skip
def _closed_form() -> list[float]:
    import gearwright as gw

    # M_c = I/(r_c cos a)^2 with the planets' mass in it, m_p = I_p/r_bp^2, M_s = I_s/r_bs^2: any radii serve
    rs, rp = 0.06, 0.1
    stage = {
        "name": "stage", "type": "planetary", "planets": 4, "pressure_angle": math.radians(20),
        "sun": {"base_radius": rs, "inertia": 400 * rs**2}, "planet": {"base_radius": rp, "inertia": 250 * rp**2},
        "ring": {"base_radius": rs + 2 * rp, "inertia": 1.0, "fixed": True},
        "carrier": {"inertia": 900 * (rs + rp) ** 2},
        "meshes": {"sun_planet": {"stiffness": 2.1e9}, "ring_planet": {"stiffness": 3.0e9}},
    }  # fmt: skip
    found = gw.modes(gw.load({"name": "closed form", "stages": [stage]}), fidelity="torsional", law="linear")
    return [2 * math.pi * f for f in found.frequencies_hz]


_FRISWELL = "Friswell et al., Dynamics of Rotating Machines (2010), chapter 9"


def _discs(inertias: list[float], stiffness: list[float]) -> Any:
    bodies = [{"name": f"disc{i + 1}", "inertia": j} for i, j in enumerate(inertias)]
    shafts = [
        {"name": f"shaft{i + 1}", "between": [f"disc{i + 1}", f"disc{i + 2}"], "torsional_stiffness": k}
        for i, k in enumerate(stiffness)
    ]
    return {"name": "discs", "bodies": bodies, "shafts": shafts}


def _torsional(drivetrain: dict[str, Any]) -> list[float]:
    import gearwright as gw

    return [float(f) for f in gw.modes(gw.load(drivetrain), fidelity="torsional", law="linear").frequencies_hz]


@literature("LIT.2.1", [0.0, 176.1], "Hz", _FRISWELL, abs=0.1)
def _two_discs() -> list[float]:
    return _torsional(_discs([211.4, 8.3], [9.775e6]))


@literature("LIT.2.2", [0.0, 81.21, 141.21, 378.95, 536.36], "Hz", _FRISWELL, abs=0.01)
def _five_discs() -> list[float]:
    return _torsional(_discs([3.5e-3, 3.5e-3, 3.5e-3, 0.15, 0.05], [12e3, 12e3, 14e3, 10e3]))


def _pair(name: str, first: str, second: str, radii: list[float]) -> dict[str, Any]:
    # a gear pair as stiff as the printed rigid one: the modes below are those of the shafts
    return {"name": name, "type": "mesh", "between": [first, second], "base_radius": radii, "stiffness": 1e14}


@literature(
    "LIT.2.3", [0.0, 425.4, 634.1, 3247.2], "Hz", _FRISWELL, abs=0.1, note="the rigid pair as a mesh of 1e14 N/m"
)
def _geared() -> list[float]:
    bodies = [("motor", 400e-6), ("gear1", 25e-6), ("gear2", 25e-6), ("rotor1", 700e-6), ("rotor2", 700e-6)]
    drivetrain = {
        "name": "geared", "bodies": [{"name": n, "inertia": j} for n, j in bodies],
        "elements": [_pair("pair", "gear1", "gear2", [0.05, 0.05])],
        "shafts": [
            {"name": "a", "between": ["motor", "gear1"], "torsional_stiffness": 10e3},
            {"name": "b", "between": ["gear1", "rotor1"], "torsional_stiffness": 5e3},
            {"name": "c", "between": ["gear2", "rotor2"], "torsional_stiffness": 5e3},
        ],
    }  # fmt: skip
    return _torsional(drivetrain)[:4]


@literature(
    "LIT.2.4", [0.0, 10.304, 20.479, 24.423], "Hz", _FRISWELL, abs=0.001, note="rigid pairs as meshes of 1e14 N/m"
)
def _branched() -> list[float]:
    g = 68e9
    polar = math.pi / 32
    k_in, k_out = g * polar * 0.20**4 / 2.5, g * polar * 0.25**4 / 3.5
    bodies = [("input", 3200), ("twin", 400), ("pinion1", 800), ("pinion2", 800), ("end1", 450), ("end2", 450)]
    drivetrain = {
        "name": "branched", "bodies": [{"name": n, "inertia": j} for n, j in bodies],
        "elements": [_pair("p1", "twin", "pinion1", [0.5, 0.8]), _pair("p2", "twin", "pinion2", [0.5, 0.8])],
        "shafts": [
            {"name": "a", "between": ["input", "twin"], "torsional_stiffness": k_in},
            {"name": "b", "between": ["pinion1", "end1"], "torsional_stiffness": k_out},
            {"name": "c", "between": ["pinion2", "end2"], "torsional_stiffness": k_out},
        ],
    }  # fmt: skip
    return _torsional(drivetrain)[:4]


def drill_string(elements: int) -> list[float]:
    """First four elastic frequencies [Hz] of the drill string with consistent torsional elements (LIT 2.5)."""
    drivetrain = {
        "name": "drill string", "materials": {"pipe": {"young": 195e9, "poisson": 0.3, "shear": 75e9, "density": 8000}},
        "bodies": [{"name": "top", "inertia": 200.0}, {"name": "bit", "inertia": 10.0}],
        "shafts": [{"name": "string", "between": ["top", "bit"], "length": 800.0, "diameter": 0.78, "bore": 0.65,
                    "material": "pipe", "elements": elements}],
    }  # fmt: skip
    return _torsional(drivetrain)[1:5]


_DRILL = [1.9417, 4.0719, 6.5437, 9.1547, 1.9225, 3.9187, 6.0625, 8.4185, 1.9106, 3.8232, 5.7394, 7.6613, 2.0]


@literature("LIT.2.5", _DRILL, "Hz, order", "exact continuous solution; consistent-mass elements", abs=1e-4, rel=5e-3,
            note="5, 8 and 50 elements; the last figure is the order of convergence of the first mode")  # fmt: skip
def _drill_string() -> list[float]:
    coarse, middle, fine = (drill_string(n)[0] for n in (10, 20, 40))
    order = math.log2((coarse - middle) / (middle - fine))
    return [*drill_string(5), *drill_string(8), *drill_string(50), order]


_JONKMAN = "NREL/TP-500-38060 (2009)"


@literature("LIT.3.1.free", 2.223, "Hz", _JONKMAN, abs=0.001)
def _free() -> float:
    return frequencies("nrel-5mw-two-mass", "torsional")[1]


@literature("LIT.3.1.fixed", 0.753, "Hz", _JONKMAN, abs=0.001)
def _fixed() -> float:
    import gearwright as gw

    found = gw.modes(gw.load("nrel-5mw-two-mass"), fidelity="torsional", law="linear", held=("generator",))
    return float(found.frequencies_hz[0])


@literature("LIT.3.1.damping", 6.213e6, "N m s/rad", _JONKMAN, rel=2e-4)
def _damping() -> float:
    import gearwright as gw

    found = gw.modes(gw.load("nrel-5mw-two-mass"), fidelity="torsional", law="linear")
    return 6.215e6 * 0.05 / float(found.damping_ratios[1])


_NEJAD = "Nejad et al., Wind Energy 19 (2016) 1089"


def _described(name: str) -> dict[str, Any]:
    import gearwright as gw

    return gw.describe(gw.expand(gw.load(name)))


def _mesh_frequencies(name: str, speed: str) -> list[float]:
    import gearwright as gw

    data = gw.describe(gw.expand(gw.load(name, [f"operating.speed={speed}"])))
    return [abs(f) for f in data["mesh_frequencies_hz"].values()]


@literature("LIT.3.2.ratio", 96.354, "-", _NEJAD, abs=0.001)
def _nejad_ratio() -> float:
    return abs(_described("nrel-5mw-nejad")["speed_ratio"])


@literature("LIT.3.2.frequencies", [11.293, 74.033, 466.35], "Hz", _NEJAD, rel=1e-4)
def _nejad_frequencies() -> list[float]:
    return _by_stage("nrel-5mw-nejad", "12.1 rpm")


def _by_stage(name: str, speed: str) -> list[float]:
    """One mesh frequency per stage, in order."""
    import gearwright as gw

    data = gw.describe(gw.expand(gw.load(name, [f"operating.speed={speed}"])))
    found: dict[str, float] = {}
    for mesh, f in data["mesh_frequencies_hz"].items():
        found.setdefault(mesh.split(".")[0], abs(f))
    return list(found.values())


@literature("LIT.3.3.modes", [0, 2.029, 93.13, 126.38, 197.80, 275.33, 306.02, 306.02, 504.09, 605.11, 1736.0], "Hz",
            "data of the 5 MW gearbox of S1 chapter 5", rel=2e-4, abs=0.05)  # fmt: skip
def _gallego() -> list[float]:
    return frequencies("nrel-5mw-gallego", "torsional")


@literature("LIT.3.3.ratio", 97.01, "-", "data of the 5 MW gearbox of S1 chapter 5", abs=0.01)
def _gallego_ratio() -> float:
    return abs(_described("nrel-5mw-gallego")["speed_ratio"])


_OYAGUE = "Oyague, NREL/TP-5000-47773 (2011)"


@literature("LIT.3.4.ratio", 81.49, "-", _OYAGUE, abs=0.01)
def _grc_ratio() -> float:
    return abs(_described("grc-750kw")["speed_ratio"])


@literature("LIT.3.4.frequencies", [36.30, 171.8, 657.4], "Hz", _OYAGUE, rel=5e-4)
def _grc_frequencies() -> list[float]:
    return _by_stage("grc-750kw", "22 rpm")


_WANG = "Wang, Nejad, Moan, Wind Energy 23 (2020)"


@literature("LIT.3.5.ratio", 50.033, "-", _WANG, abs=0.001)
def _dtu_ratio() -> float:
    """Ratio of the teeth that the file holds as data (no mesh is modelled there), by the train's kinematics."""
    import gearwright as gw

    facts = gw.load("dtu-10mw").raw["bodies"][1]["data"]["stages"]
    stages: list[dict[str, Any]] = []
    for i, f in enumerate(facts):
        members = ("sun", "planet", "ring") if f["type"] == "planetary" else ("wheel", "pinion")
        shifts = dict(zip(members, f["profile_shift"], strict=True))
        stage = {k: f[k] for k in ("type", "module", "pressure_angle", "helix_angle", "centre_distance")}
        stage |= {m: {"teeth": f[m], "profile_shift": shifts[m]} for m in members} | {"name": f"stage{i + 1}"}
        if f["type"] == "planetary":
            stage["planets"] = f["planets"]
            stage["ring"]["fixed"] = True
        stages.append(stage)
    joints = [("stage1.sun", "stage2.carrier"), ("stage2.sun", "stage3.wheel")]
    shafts = [{"name": f"shaft{i}", "between": list(b), "rigid": True} for i, b in enumerate(joints)]
    operating = {"input": "stage1.carrier", "output": "stage3.pinion"}
    train = gw.expand(gw.load({"name": "teeth", "stages": stages, "shafts": shafts, "operating": operating}))
    return abs(gw.describe(train)["speed_ratio"])


@literature("LIT.3.5.free", 4.0025, "Hz", _WANG, abs=0.001)
def _dtu_free() -> float:
    return frequencies("dtu-10mw", "torsional")[1]


@literature("LIT.3.5.fixed", 0.6119, "Hz", _WANG, abs=0.0002)
def _dtu_fixed() -> float:
    import gearwright as gw

    found = gw.modes(gw.load("dtu-10mw"), fidelity="torsional", law="linear", held=("generator",))
    return float(found.frequencies_hz[0])


_BATHE = [
    0.00251, 0.38188, 0.03807, 1.41160, 0.48603, 4.09356, 2.86081, 4.27665, 1.15723, 2.48876,
]  # fmt: skip


@literature("LIT.9", _BATHE, "m", "Bathe, Finite Element Procedures, section 9 (exact columns)", abs=1e-5)
def _bathe() -> list[float]:
    """The two-mass example by the exact engine: M = diag(2, 1), K = [[6, -2], [-2, 4]], load (0, 10)."""
    from gearwright.solve import ExactEngine
    from gearwright.system import Builder, Channel, Provenance, Source, Spring, State, constant

    builder = Builder()
    builder.coordinate("u1")
    builder.coordinate("u2")
    builder.inertia(2.0, {"u1": 1.0})
    builder.inertia(1.0, {"u2": 1.0})
    builder.row("ground1", {"u1": 1.0}, Spring(4.0))
    builder.row("ground2", {"u2": 1.0}, Spring(2.0))
    builder.row("between", {"u1": 1.0, "u2": -1.0}, Spring(2.0))
    builder.signal("load", constant(10.0))
    builder.input("u2", "load")
    system = builder.build(Provenance("Bathe"))
    channels = tuple(Channel("body", f"u{i + 1}", "x", "m", "", ((Source.POSITION, i, 1.0),)) for i in (0, 1))
    engine = ExactEngine()
    plan = engine.prepare(system, channels, 0.28, 1e-8)
    block = engine.advance(plan, State.start(system), 12)
    return [float(x) for step in (1, 2, 4, 8, 12) for x in block.lines[step - 1]]
