"""Teeth: geometry, stiffness and contact of S0 (papers P2, P3, tables of the 500 kW stage) and of the literature."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

import gearwright as gw
from gearwright.geometry.gear import Gear, Steel
from gearwright.geometry.pair import GearPair
from gearwright.stiffness import hertz, iso_stiffness
from gearwright.stiffness.cycle import PairStiffness
from gearwright.stiffness.fe import loaded_tooth
from gearwright.stiffness.hertz import largest_mises
from gearwright.stiffness.resolve import rising
from gearwright.stiffness.tooth import parabolic_tooth, tooth_stiffness

from .registry import computes, computes_each
from .shared import record, series, speed_ratio

_STEEL = Steel(210e9, 0.3)
#: half width that P2 keeps for all its curves [m]
_HALF = 74.5e-6
_A20 = math.radians(20.0)


def _p2() -> GearPair:
    def gear(teeth: int, rim: float) -> Gear:
        return Gear(teeth, 4e-3, rim=rim, face_width=20e-3, material=_STEEL)

    return GearPair.closed(gear(21, 25e-3), gear(49, 32.5e-3))


def _p2_planetary() -> tuple[GearPair, GearPair]:
    """Sun/planet and planet/ring of 21/36/93, M 10; the ring's rim is 50 mm thick."""

    def gear(teeth: int, rim: float, ring: bool = False) -> Gear:
        return Gear(teeth, 10e-3, ring=ring, rim=rim, face_width=0.21, material=_STEEL)

    sun, planet, ring = gear(21, 0.085), gear(36, 0.1), gear(93, 0.465 + 0.0125 + 0.05, ring=True)
    return GearPair.closed(sun, planet), GearPair.closed(planet, ring)


def analytic_shares(pair: GearPair, arcs: np.ndarray, half_width: float) -> np.ndarray:
    """Share of the load of one pair at arcs of gear one, by the analytic stiffness of both teeth."""
    one, two = (tooth_stiffness(gear, "analytic", half_width) for gear in (pair.one, pair.two))
    both = PairStiffness(pair, one, two, half_width)
    return np.array([both.share(float(s)) for s in arcs])


# --- P2: geometry and Hertz ------------------------------------------------------------------------------------------


@computes("S0.p2.*", "a", "a_min", "a_max")
def _half_widths() -> dict[str, float]:
    pair, steels = _p2(), (_STEEL, _STEEL)
    at = pair.path.pitch_point
    least, largest = (
        hertz.half_width_at_pressure(GearPair.closed(pair.one, Gear(z, 4e-3)), 1.5e9, at, steels) for z in (17, 147)
    )
    a = float(hertz.half_width(pair, 1000.0 / 20e-3, at, steels))
    return {"a": 1e6 * a, "a_min": 1e6 * least, "a_max": 1e6 * largest}


@computes("S0.p2.*", "s1max", "s1min", "sc", "eps", "sd", "eps.sp", "eps.pr")
def _p2_geometry() -> dict[str, float]:
    p, (outer, inner) = _p2().path, _p2_planetary()
    return {
        "s1max": 1e3 * p.end,
        "s1min": 1e3 * p.start,
        "sc": 1e3 * p.s_c,
        "sd": 1e3 * p.base_pitch,
        "eps": p.contact_ratio,
        "eps.sp": outer.contact_ratio,
        "eps.pr": inner.contact_ratio,
    }


@computes("S0.p2.wplanet")
def _planet_speed() -> float:
    wheels = {"sun": 21, "planet": 36, "ring": 93}
    edits = [f"stages.stage1.{w}.{k}" for w, z in wheels.items() for k in (f"teeth={z}", "profile_shift=0")]
    train = gw.expand(gw.load("nordtank-500kw-source", [*edits, "stages.stage1.carrier.pin_diameter=570 mm"]))
    return 2.86 * train.ratios["stage1.planet1"]


# --- P2: stiffness ---------------------------------------------------------------------------------------------------


def _printed(pair: GearPair, one: tuple[float, float], two: tuple[float, float]) -> PairStiffness:
    """A pair with the parabolas that P2 prints [N/mm, N/mm³]."""
    teeth = [parabolic_tooth(g, 1e3 * c0, 1e9 * c1, _HALF) for g, (c0, c1) in ((pair.one, one), (pair.two, two))]
    return PairStiffness(pair, teeth[0], teeth[1], _HALF)


@computes(
    "S0.p2.*",
    "Kc_s1min",
    "Kc_max_s1_14.700",
    "Kc_s1max",
    "Kg_s1min",
    "Kg_s1max_-_sd_two-pair_side",
    "Kg_mean_over_one_pitch",
    "R1.a",
    "R1.b",
)
def _sharing() -> dict[str, float]:
    stiff = _printed(_p2(), (7.776e5, -884.4), (7.589e5, -257.4))
    p = stiff.pair.path
    ends = stiff.over_cycle(np.array([0.0, stiff.leaving - 1e-12]))
    return {
        "Kc_s1min": 1e-3 * float(stiff.single(p.start)),
        "Kc_max_s1_14.700": 1e-3 * float(stiff.single(14.7e-3)),
        "Kc_s1max": 1e-3 * float(stiff.single(p.end)),
        "Kg_s1min": 1e-3 * ends.stiffness[0],
        "Kg_s1max_-_sd_two-pair_side": 1e-3 * ends.stiffness[1],
        "Kg_mean_over_one_pitch": 1e-3 * stiff.mean,
        "R1.a": ends.share[0, 0],
        "R1.b": ends.share[1, 0],
    }


@computes("S0.p2.Kmean.*")
def _printed_means() -> dict[str, float]:
    outer, inner = _p2_planetary()
    sun, planet, ring = (9.607e6, -1752.0), (8.441e6, -743.7), (-2.909e6, 393.0)
    return {"sp": 1e-3 * _printed(outer, sun, planet).mean, "pr": 1e-3 * _printed(inner, planet, ring).mean}


@computes("S0.p2.K1fe")
def _clamped() -> float:
    pair = _p2()
    return 1e-3 * 20e-3 / loaded_tooth(pair.one, pair.path.pitch_point, _HALF, "root line", fine=2.0).compliance


@computes("S0.p2.timoshenko")
def _cantilever() -> float:
    """Length 1.25 M, height pi M/2, E/(1 - nu²), shear factor 5/6."""
    length, height, width = 5e-3, 2e-3 * math.pi, 20e-3
    bending = length**3 * _STEEL.plane / (3.0 * width * height**3 / 12.0)
    shear = length / (5.0 / 6.0 * _STEEL.young / (2.0 * (1.0 + _STEEL.poisson)) * width * height)
    return 1e-3 / (bending + shear)


@cache
def _fit(gear: str) -> tuple[float, float]:
    """Parabola [N/mm, N/mm³] through the program's elements over the path of contact."""
    pair, (outer, inner) = _p2(), _p2_planetary()
    wheel, ends = {
        "z21_bore_50": (pair.one, (pair.path.start, pair.path.end)),
        "z49_bore_65": (pair.two, (pair.mate_arc(pair.path.start), pair.mate_arc(pair.path.end))),
        "sun_z21_bore_170": (outer.one, (outer.path.start, outer.path.end)),
        "planet_z36_bore_200": (inner.one, (inner.one.form_arc, inner.path.end)),
        "ring": (inner.two, (inner.mate_arc(inner.path.start), inner.mate_arc(inner.path.end))),
    }[gear]
    c0, c1, _ = tooth_stiffness(wheel, "fe", _HALF).fit(arcs=np.linspace(*ends, 41))
    return 1e-3 * c0, 1e-9 * c1


@computes_each("S0.p2.fe.*")
def _coefficient(name: str) -> float:
    which, _, gear = name.partition(".")
    return _fit(gear)[("c0", "c1").index(which)]


# --- 500 kW ----------------------------------------------------------------------------------------------------------


def _n500() -> dict[str, GearPair]:
    sun, planet = Gear(20, 10e-3, shift=0.582), Gear(35, 10e-3, shift=0.419)
    ring = Gear(91, 10e-3, shift=-0.84, ring=True)
    return {"sp": GearPair.closed(sun, planet), "pr": GearPair.closed(planet, ring)}


_PAIR_VALUES: dict[str, Callable[[GearPair], float]] = {
    "aw": lambda pair: math.degrees(pair.working_angle),
    "centre": lambda pair: 1e3 * pair.distance,
    "eps": lambda pair: pair.path.contact_ratio,
}
_PATH_VALUES: dict[str, Callable[[Any], float]] = {
    "smin": lambda p: 1e3 * p.start,
    "switch": lambda p: 1e3 * (p.end - p.base_pitch),
    "end": lambda p: 1e3 * (p.start + p.base_pitch),
    "pitch": lambda p: 1e3 * p.pitch_point,
}


@computes_each("S0.n500.*", *(f"{value}.{pair}" for value in _PAIR_VALUES for pair in ("sp", "pr")))
def _n500_pair(name: str) -> float:
    value, pair = name.split(".")
    return _PAIR_VALUES[value](_n500()[pair])


@computes_each("S0.n500.*", *(f"{pair}.{value}" for value in _PATH_VALUES for pair in ("sp", "pr")))
def _n500_path(name: str) -> float:
    pair, value = name.split(".")
    return _PATH_VALUES[value](_n500()[pair].path)


@computes("S0.n500.ratio.*")
def _n500_ratios() -> dict[str, float]:
    return {"planetary": speed_ratio("nordtank-500kw-source"), "total": speed_ratio("nordtank-500kw-full-source")}


@computes_each("S0.n500.phase.*")
def _n500_phase(planet: str) -> float:
    """Phase of a planet's sun mesh against the first, by the contact's arc (S0 5.1); the ring's is the same (checked).

    The program counts from the entry of a pair, against the arc where that falls.
    """
    meshes = gw.expand(gw.load("nordtank-500kw-source")).meshes
    sun, ring = (
        (meshes[f"stage1.{k}_planet{planet}"].phase - meshes[f"stage1.{k}_planet1"].phase) % 1.0
        for k in ("sun", "ring")
    )
    if abs(math.remainder(sun - ring, 1.0)) > 1e-9:
        raise ValueError(f"planet {planet}: phase {sun:g} at the sun and {ring:g} at the ring")
    phase = sun if rising(meshes["stage1.sun_planet1"]) else -sun
    return phase % 1.0 if abs(math.remainder(phase, 1.0)) > 1e-9 else 0.0


@computes("S0.n500.*", "angle", "F.flex", "own.mean")
def _n500_run() -> dict[str, float]:
    """2.5 s at 2.86 rad/s from preloaded meshes, stiffness from the program's own elements."""
    meshes = ("sun_planet", "ring_planet")
    edits = [f"stages.stage1.meshes.{m}.stiffness={{from: fe, half_width: 0.0745 mm}}" for m in meshes]
    data = record("nordtank-500kw-source", overrides=[*edits, "cases.0.record=[meshes, bodies]"], duration=2.5)
    force = data["mesh_force"].sel(mesh="stage1.sun_planet1").values
    mean = 1e-3 * abs(float(force[len(force) * 3 // 5 :].mean()))
    angle = abs(math.degrees(series(data, "body_angle", body="stage1.carrier")[-1]))
    return {"angle": angle, "F.flex": mean, "own.mean": mean}


@computes("S0.hertz.sp.230")
def _hertz_stress() -> float:
    outer = _n500()["sp"]
    return 0.65e-6 * float(hertz.pressure(outer, 230e3 / 3.0 / 0.21, outer.path.pitch_point, (_STEEL, _STEEL)))


@computes("S0.hertz.factor")
def _hertz_factor() -> float:
    return largest_mises(0.3)[0]


# --- 5 MW reference gearbox (Nejad et al. 2016, Table V) -------------------------------------------------------------


@dataclass(frozen=True)
class _Stage:
    """A stage of the gearbox in mm and degrees; wheels in the order of the table, the ring last."""

    module: float
    helix: float
    width: float
    teeth: tuple[int, ...]
    shifts: tuple[float, ...]
    shortening: float
    distance: float
    tips: tuple[float, ...]

    def gears(self) -> list[Gear]:
        m, beta, width, short = 1e-3 * self.module, math.radians(self.helix), 1e-3 * self.width, 1e-3 * self.shortening
        ring = [i == 2 for i in range(len(self.teeth))]
        return [
            Gear(z, m, _A20, beta, x, ring=r, face_width=width, shortening=0.0 if r else short)
            for z, x, r in zip(self.teeth, self.shifts, ring, strict=True)
        ]

    def pair(self) -> GearPair:
        """Sun and planet, or wheel and pinion, with the printed tip circles."""
        both = zip(self.gears(), self.tips[:2], strict=False)
        one, two = (replace(gear, tip_given=0.5e-3 * tip) for gear, tip in both)
        return GearPair(one, two, 1e-3 * self.distance)

    def diameters(self, *which: str) -> list[float]:
        return [2e3 * getattr(gear, f"{w}_radius") for w in which for gear in self.gears()]

    def iso(self) -> list[float]:
        """Theoretical, single and mesh stiffness [N/(mm um)] by ISO 6336-1 method B."""
        found = iso_stiffness(self.pair(), as_given=True)
        return [1e-9 * found.theoretical, 1e-9 * found.single, 1e-9 * found.mesh]


_STAGES = {
    "1": _Stage(45, 0, 491, (19, 17, 56), (0.617, 0.802, -0.501), -10.861, 863.0, (978.84, 905.44, 2475.09)),
    "2": _Stage(21, 0, 550, (18, 36, 93), (0.389, 0.504, 0.117), -1.75, 584.0, (432.85, 815.66, 1906.07)),
    "3": _Stage(14, 10, 360, (24, 95), (0.480, 0.669), -0.938, 861.0, (380.75, 1395.37)),
}


@computes_each("LIT.3.2.geometry.*")
def _geometry(stage: str) -> list[float]:
    return _STAGES[stage].diameters("reference", "base")


@computes_each("LIT.3.2.tips.*")
def _tips(stage: str) -> list[float]:
    """Tips and roots, but for the root of the first ring, which is an erratum."""
    return _STAGES[stage].diameters("tip", "root")[: 5 if stage == "1" else None]


@computes("LIT.3.2.ring_root.1")
def _ring_root() -> float:
    return _STAGES["1"].diameters("root")[2]


@computes("LIT.3.2.*", "angles", "contact_ratios")
def _working() -> dict[str, list[float]]:
    pairs = [stage.pair() for stage in _STAGES.values()]
    return {
        "angles": [math.degrees(pair.working_angle) for pair in pairs],
        "contact_ratios": [*(pair.contact_ratio for pair in pairs), pairs[2].overlap_ratio],
    }


@computes_each("LIT.3.2.stiffness.*")
def _stiffness(stage: str) -> list[float]:
    return _STAGES[stage].iso()


@computes("LIT.6.1")
def _mesh_means() -> list[float]:
    return [1e9 * stage.iso()[2] * 1e-3 * stage.width for stage in _STAGES.values()]


@computes("LIT.6.2.stiffness")
def _worked_example() -> list[float]:
    beta = math.radians(15.8)
    one = Gear(17, 8e-3, _A20, beta, 0.145, dedendum=1.4, tip_given=79.83e-3)
    two = Gear(103, 8e-3, _A20, beta, 0.0, dedendum=1.4, tip_given=436.1775e-3)
    found = iso_stiffness(GearPair(one, two, 0.5))
    return [1e-9 * k for k in (found.theoretical, found.single, found.mesh, found.mesh_beta)]
