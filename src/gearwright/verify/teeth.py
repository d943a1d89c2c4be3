"""Teeth: geometry, stiffness and contact of S0 (papers P2, P3, tables of the 500 kW stage) and of the literature."""

from __future__ import annotations

import dataclasses
import math
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from gearwright.geometry.gear import Gear, Steel
from gearwright.geometry.pair import GearPair

from .framework import REGISTRY

computes, literature = REGISTRY.computes, REGISTRY.literature

_STEEL = Steel(210e9, 0.3)
#: half width that P2 keeps for all its curves [m]
_HALF = 74.5e-6
_A20 = math.radians(20.0)


def _p2() -> GearPair:
    return GearPair.closed(
        Gear(21, 4e-3, rim=25e-3, face_width=20e-3, material=_STEEL),
        Gear(49, 4e-3, rim=32.5e-3, face_width=20e-3, material=_STEEL),
    )


def _p2_planetary() -> tuple[GearPair, GearPair]:
    """Sun/planet and planet/ring of 21/36/93, M 10; the ring's rim is 50 mm thick."""
    more = {"face_width": 0.21, "material": _STEEL}
    planet = Gear(36, 10e-3, rim=0.1, **more)  # type: ignore[arg-type]
    ring = Gear(93, 10e-3, ring=True, rim=0.465 + 0.0125 + 0.05, **more)  # type: ignore[arg-type]
    return GearPair.closed(Gear(21, 10e-3, rim=0.085, **more), planet), GearPair.closed(planet, ring)  # type: ignore[arg-type]


# --- P2: geometry and Hertz ------------------------------------------------------------------------------------------


@computes("S0.p2.a", "S0.p2.a_min", "S0.p2.a_max")
def _half_widths() -> dict[str, float]:
    from gearwright.stiffness import hertz

    pair = _p2()
    at, steels = pair.path.pitch_point, (_STEEL, _STEEL)
    wide = [GearPair.closed(pair.one, Gear(z, 4e-3)) for z in (17, 147)]
    found = [hertz.half_width_at_pressure(p, 1.5e9, at, steels) for p in wide]
    a = float(hertz.half_width(pair, 1000.0 / 20e-3, at, steels))
    return {"S0.p2.a": 1e6 * a, "S0.p2.a_min": 1e6 * found[0], "S0.p2.a_max": 1e6 * found[1]}


@computes("S0.p2.s1max", "S0.p2.s1min", "S0.p2.sc", "S0.p2.eps", "S0.p2.sd", "S0.p2.eps.sp", "S0.p2.eps.pr")
def _p2_geometry() -> dict[str, float]:
    pair, (outer, inner) = _p2(), _p2_planetary()
    p = pair.path
    return {
        "S0.p2.s1max": 1e3 * p.end, "S0.p2.s1min": 1e3 * p.start, "S0.p2.sc": 1e3 * p.s_c, "S0.p2.eps": p.contact_ratio,
        "S0.p2.sd": 1e3 * p.base_pitch, "S0.p2.eps.sp": outer.contact_ratio, "S0.p2.eps.pr": inner.contact_ratio,
    }  # fmt: skip


@computes("S0.p2.wplanet")
def _planet_speed() -> float:
    import gearwright as gw

    edits = [f"stages.stage1.{w}.{k}" for w, z in (("sun", 21), ("planet", 36), ("ring", 93))
             for k in (f"teeth={z}", "profile_shift=0")]  # fmt: skip
    train = gw.expand(gw.load("nordtank-500kw", [*edits, "stages.stage1.carrier.pin_diameter=570 mm"]))
    return 2.86 * train.ratios["stage1.planet1"]


# --- P2: stiffness ---------------------------------------------------------------------------------------------------


def _printed(pair: GearPair, one: tuple[float, float], two: tuple[float, float]) -> Any:
    """A pair with the parabolas that P2 prints [N/mm, N/mm³]."""
    from gearwright.stiffness.cycle import PairStiffness
    from gearwright.stiffness.tooth import parabolic_tooth

    teeth = [parabolic_tooth(g, 1e3 * c0, 1e9 * c1, _HALF) for g, (c0, c1) in ((pair.one, one), (pair.two, two))]
    return PairStiffness(pair, teeth[0], teeth[1], _HALF)


@computes("S0.p2.Kc_s1min", "S0.p2.Kc_max_s1_14.700", "S0.p2.Kc_s1max", "S0.p2.Kg_s1min",
          "S0.p2.Kg_s1max_-_sd_two-pair_side", "S0.p2.Kg_mean_over_one_pitch", "S0.p2.R1.a", "S0.p2.R1.b")  # fmt: skip
def _sharing() -> dict[str, float]:
    stiff = _printed(_p2(), (7.776e5, -884.4), (7.589e5, -257.4))
    p = stiff.pair.path
    ends = stiff.over_cycle(np.array([0.0, stiff.leaving - 1e-12]))
    return {
        "S0.p2.Kc_s1min": 1e-3 * float(stiff.single(p.start)), "S0.p2.Kc_max_s1_14.700": 1e-3 * float(stiff.single(14.7e-3)),
        "S0.p2.Kc_s1max": 1e-3 * float(stiff.single(p.end)), "S0.p2.Kg_s1min": 1e-3 * ends.stiffness[0],
        "S0.p2.Kg_s1max_-_sd_two-pair_side": 1e-3 * ends.stiffness[1], "S0.p2.Kg_mean_over_one_pitch": 1e-3 * stiff.mean,
        "S0.p2.R1.a": ends.share[0, 0], "S0.p2.R1.b": ends.share[1, 0],
    }  # fmt: skip


@computes("S0.p2.Kmean.sp", "S0.p2.Kmean.pr")
def _printed_means() -> dict[str, float]:
    outer, inner = _p2_planetary()
    sun, planet, ring = (9.607e6, -1752.0), (8.441e6, -743.7), (-2.909e6, 393.0)
    return {
        "S0.p2.Kmean.sp": 1e-3 * _printed(outer, sun, planet).mean,
        "S0.p2.Kmean.pr": 1e-3 * _printed(inner, planet, ring).mean,
    }


@computes("S0.p2.K1fe")
def _clamped() -> float:
    from gearwright.stiffness.fe import loaded_tooth

    pair = _p2()
    return 1e-3 * 20e-3 / loaded_tooth(pair.one, pair.path.pitch_point, _HALF, "root line", fine=2.0).compliance


@computes("S0.p2.timoshenko")
def _cantilever() -> float:
    """Length 1.25 M, height pi M/2, E/(1 - nu²), shear factor 5/6."""
    length, height, width = 5e-3, 2e-3 * math.pi, 20e-3
    bending = length**3 * _STEEL.plane / (3.0 * width * height**3 / 12.0)
    shear = length / (5.0 / 6.0 * _STEEL.young / (2.0 * (1.0 + _STEEL.poisson)) * width * height)
    return 1e-3 / (bending + shear)


@computes(*(f"S0.p2.fe.{c}.{g}" for c in ("c0", "c1")
            for g in ("z21_bore_50", "z49_bore_65", "sun_z21_bore_170", "planet_z36_bore_200", "ring")))  # fmt: skip
def _fits() -> dict[str, float]:
    """Parabolas through the program's elements over the path of contact."""
    from gearwright.stiffness.tooth import tooth_stiffness

    pair, (outer, inner) = _p2(), _p2_planetary()
    found: dict[str, float] = {}
    for name, gear, ends in (
        ("z21_bore_50", pair.one, (pair.path.start, pair.path.end)),
        ("z49_bore_65", pair.two, (pair.mate_arc(pair.path.start), pair.mate_arc(pair.path.end))),
        ("sun_z21_bore_170", outer.one, (outer.path.start, outer.path.end)),
        ("planet_z36_bore_200", inner.one, (inner.one.form_arc, inner.path.end)),
        ("ring", inner.two, (inner.mate_arc(inner.path.start), inner.mate_arc(inner.path.end))),
    ):
        c0, c1, _ = tooth_stiffness(gear, "fe", _HALF).fit(arcs=np.linspace(*ends, 41))
        found |= {f"S0.p2.fe.c0.{name}": 1e-3 * c0, f"S0.p2.fe.c1.{name}": 1e-9 * c1}
    return found


# --- 500 kW ------------------------------------------------------------------------------------------------------------


def _n500() -> tuple[GearPair, GearPair]:
    sun, planet = Gear(20, 10e-3, shift=0.582), Gear(35, 10e-3, shift=0.419)
    ring = Gear(91, 10e-3, shift=-0.84, ring=True)
    return GearPair.closed(sun, planet), GearPair.closed(planet, ring)


@computes(*(f"S0.n500.{k}.{m}" for k in ("aw", "centre", "eps") for m in ("sp", "pr")),
          *(f"S0.n500.{m}.{k}" for m in ("sp", "pr") for k in ("smin", "switch", "end", "pitch")))  # fmt: skip
def _n500_geometry() -> dict[str, float]:
    found: dict[str, float] = {}
    for m, pair in zip(("sp", "pr"), _n500(), strict=True):
        p = pair.path
        found |= {
            f"S0.n500.aw.{m}": math.degrees(pair.working_angle), f"S0.n500.centre.{m}": 1e3 * pair.distance,
            f"S0.n500.eps.{m}": p.contact_ratio, f"S0.n500.{m}.smin": 1e3 * p.start,
            f"S0.n500.{m}.switch": 1e3 * (p.end - p.base_pitch), f"S0.n500.{m}.end": 1e3 * (p.start + p.base_pitch),
            f"S0.n500.{m}.pitch": 1e3 * p.pitch_point,
        }  # fmt: skip
    return found


@computes("S0.n500.ratio.planetary")
def _n500_ratio() -> float:
    import gearwright as gw

    return abs(gw.describe(gw.expand(gw.load("nordtank-500kw")))["speed_ratio"])


@computes("S0.n500.ratio.total")
def _n500_total() -> float:
    import gearwright as gw

    return abs(gw.describe(gw.expand(gw.load("nordtank-500kw-full")))["speed_ratio"])


@computes("S0.n500.phase.1", "S0.n500.phase.2", "S0.n500.phase.3")
def _n500_phases() -> dict[str, float]:
    """Phases of the planets' sun meshes against the first, by the contact's arc (S0 5.1); the ring's are the same
    (checked). The program counts from the entry of a pair, against the arc where that falls."""
    import gearwright as gw
    from gearwright.stiffness.resolve import rising

    meshes = gw.expand(gw.load("nordtank-500kw")).meshes
    found: dict[str, float] = {}
    for i in (1, 2, 3):
        both = [
            (meshes[f"stage1.{k}_planet{i}"].phase - meshes[f"stage1.{k}_planet1"].phase) % 1.0 for k in ("sun", "ring")
        ]
        if abs(math.remainder(both[0] - both[1], 1.0)) > 1e-9:
            raise ValueError(f"planet {i}: phase {both[0]:g} at the sun and {both[1]:g} at the ring")
        phase = both[0] if rising(meshes["stage1.sun_planet1"]) else -both[0]
        found[f"S0.n500.phase.{i}"] = phase % 1.0 if abs(math.remainder(phase, 1.0)) > 1e-9 else 0.0
    return found


@computes("S0.n500.angle", "S0.n500.F.flex", "S0.n500.own.mean")
def _n500_run() -> dict[str, float]:
    """2.5 s at 2.86 rad/s from preloaded meshes, stiffness from the program's own elements."""
    import gearwright as gw

    edits = [
        f"stages.stage1.meshes.{m}.stiffness={{from: fe, half_width: 0.0745 mm}}" for m in ("sun_planet", "ring_planet")
    ]
    edits.append("cases.0.record=[meshes, bodies]")
    with tempfile.TemporaryDirectory() as folder:
        run = gw.simulate("nordtank-500kw", duration=2.5, overrides=edits, output=Path(folder) / "run.nc")
        with gw.Result.open(run.result_file) as result:
            data = result.dataset.load()
    force = data["mesh_normal_force"].sel(mesh="stage1.sun_planet1").values
    mean = 1e-3 * abs(float(force[len(force) * 3 // 5 :].mean()))
    angle = abs(math.degrees(float(data["body_angle"].sel(body="stage1.carrier").values[-1])))
    return {"S0.n500.angle": angle, "S0.n500.F.flex": mean, "S0.n500.own.mean": mean}


@computes("S0.hertz.sp.230")
def _hertz_stress() -> float:
    from gearwright.stiffness import hertz

    outer, _ = _n500()
    peak = hertz.pressure(outer, 230e3 / 3.0 / 0.21, outer.path.pitch_point, (_STEEL, _STEEL))
    return 0.65e-6 * float(peak)


@computes("S0.hertz.factor")
def _hertz_factor() -> float:
    from gearwright.stiffness.hertz import largest_mises

    return largest_mises(0.3)[0]


# --- 5 MW reference gearbox --------------------------------------------------------------------------------------------

_NEJAD = "Nejad et al. 2016, Table V"
_STAGES: tuple[tuple[int, int, float, tuple[int, ...], tuple[float, ...], float, float], ...] = (
    (45, 0, 0.491, (19, 17, 56), (0.617, 0.802, -0.501), -10.861, 863.0),
    (21, 0, 0.550, (18, 36, 93), (0.389, 0.504, 0.117), -1.75, 584.0),
    (14, 10, 0.360, (24, 95), (0.480, 0.669), -0.938, 861.0),
)
_TIPS = ((978.84, 905.44, 2475.09), (432.85, 815.66, 1906.07), (380.75, 1395.37))


@cache
def _nejad_gears(stage: int) -> tuple[Gear, ...]:
    m, beta, width, teeth, shifts, short, _ = _STAGES[stage]
    return tuple(
        Gear(z, 1e-3 * m, _A20, math.radians(beta), x, ring=i == 2, face_width=width,
             shortening=0.0 if i == 2 else 1e-3 * short)
        for i, (z, x) in enumerate(zip(teeth, shifts, strict=True))
    )  # fmt: skip


@cache
def _nejad_pair(stage: int) -> GearPair:
    one, two = (
        dataclasses.replace(g, tip_given=0.5e-3 * tip)
        for g, tip in zip(_nejad_gears(stage)[:2], _TIPS[stage][:2], strict=True)
    )
    return GearPair(one, two, 1e-3 * _STAGES[stage][6])


def _diameters(stage: int, which: str) -> list[float]:
    return [2e3 * getattr(g, f"{which}_radius") for g in _nejad_gears(stage)]


@literature("LIT.3.2.geometry.1", [855, 765, 2520, 803.437, 718.865, 2368.025], "mm", _NEJAD, abs=6e-4,
            note="reference and base diameters")  # fmt: skip
def _geometry_1() -> list[float]:
    return _diameters(0, "reference") + _diameters(0, "base")


@literature("LIT.3.2.geometry.2", [378, 756, 1953, 355.204, 710.408, 1835.220], "mm", _NEJAD, abs=6e-4,
            note="reference and base diameters")  # fmt: skip
def _geometry_2() -> list[float]:
    return _diameters(1, "reference") + _diameters(1, "base")


@literature("LIT.3.2.geometry.3", [341.183, 1350.517, 320.026, 1266.770], "mm", _NEJAD, abs=6e-4,
            note="reference and base diameters")  # fmt: skip
def _geometry_3() -> list[float]:
    return _diameters(2, "reference") + _diameters(2, "base")


def _tips_and_roots(stage: int) -> list[float]:
    return _diameters(stage, "tip") + _diameters(stage, "root")


_ROUND = "the printed shifts have three digits: 2 m 5e-4 on a diameter"


@literature("LIT.3.2.tips.1", [978.84, 905.44, 2475.09, 798.06, 724.66], "mm", _NEJAD, abs=0.05, note=_ROUND)
def _tips_1() -> list[float]:
    return _tips_and_roots(0)[:5]


@literature("LIT.3.2.ring_root.1", 2677.51, "mm", _NEJAD, status="erratum",
            note="its own shift of -0.501 and the rack's dedendum give 2677.59 mm, as for the other rings")  # fmt: skip
def _ring_root() -> float:
    return _tips_and_roots(0)[5]


@literature("LIT.3.2.tips.2", [432.85, 815.66, 1906.07, 341.85, 724.66, 2000.57], "mm", _NEJAD, abs=0.025, note=_ROUND)
def _tips_2() -> list[float]:
    return _tips_and_roots(1)


@literature("LIT.3.2.tips.3", [380.75, 1395.37, 319.63, 1334.25], "mm", _NEJAD, abs=0.02, note=_ROUND)
def _tips_3() -> list[float]:
    return _tips_and_roots(2)


@literature("LIT.3.2.angles", [28.118, 24.170, 22.856], "deg", _NEJAD, abs=6e-4, note="working angles, transverse")
def _angles() -> list[float]:
    return [math.degrees(_nejad_pair(i).working_angle) for i in range(3)]


@literature("LIT.3.2.contact_ratios", [1.1147, 1.3704, 1.4627, 1.4213], "-", _NEJAD, abs=1.01e-4,
            note="transverse, of the printed tip circles; last: overlap of stage 3")  # fmt: skip
def _contact_ratios() -> list[float]:
    return [*(_nejad_pair(i).contact_ratio for i in range(3)), _nejad_pair(2).overlap_ratio]


_ISO = "ISO 6336-1 method B; values of the 5 MW gearbox as coded in gfsReboucas/Drivetrain"


def _iso(stage: int) -> list[float]:
    from gearwright.stiffness import iso_stiffness

    found = iso_stiffness(_nejad_pair(stage), as_given=True)
    return [1e-9 * found.theoretical, 1e-9 * found.single, 1e-9 * found.mesh]


@literature("LIT.3.2.stiffness.1", [18.829, 14.687, 15.950], "N/(mm um)", _ISO, rel=1e-4,
            note="the source takes the sun (19 teeth) as the formula's gear 1 though the planet (17) is the smaller")  # fmt: skip
def _stiffness_1() -> list[float]:
    return _iso(0)


@literature("LIT.3.2.stiffness.2", [18.199, 14.195, 18.138], "N/(mm um)", _ISO, rel=1e-4)
def _stiffness_2() -> list[float]:
    return _iso(1)


@literature("LIT.3.2.stiffness.3", [20.052, 15.403, 20.747], "N/(mm um)", _ISO, rel=1e-4)
def _stiffness_3() -> list[float]:
    return _iso(2)


@literature("LIT.6.1", [7.832e9, 9.976e9, 7.469e9], "N/m", _ISO, rel=1e-4, note="c_gamma_alpha times face width")
def _mesh_means() -> list[float]:
    return [1e9 * _iso(i)[2] * _STAGES[i][2] for i in range(3)]


@literature("LIT.6.2.stiffness", [17.85584, 12.37047, 17.4672, 14.8471], "N/(mm um)",
            "ISO/TR 6336-30:2017 example 1, with the tip diameters 159.66 and 872.355 mm", rel=2e-4)  # fmt: skip
def _worked_example() -> list[float]:
    from gearwright.stiffness import iso_stiffness

    beta = math.radians(15.8)
    one = Gear(17, 8e-3, _A20, beta, 0.145, dedendum=1.4, tip_given=79.83e-3)
    two = Gear(103, 8e-3, _A20, beta, 0.0, dedendum=1.4, tip_given=436.1775e-3)
    found = iso_stiffness(GearPair(one, two, 0.5))
    return [1e-9 * k for k in (found.theoretical, found.single, found.mesh, found.mesh_beta)]
