"""A gearbox as a drivetrain file in which every value says by which rule it was chosen."""

from __future__ import annotations

import math
from collections.abc import Iterator

from gearwright.geometry.involute import backlash_by_rule
from gearwright.rating.iso6336_rating import FLANK_LINE
from gearwright.stiffness.iso6336 import iso_stiffness

from .gearbox import Gearbox
from .rated import MODIFICATION, REVERSED
from .ratings import MESH_LOAD, Ratings, words_of
from .shafts import BEARING_LOAD, ROTOR_MASS, SUN_STRESS, WHEEL_STRESS, Seat, bearing_hours
from .stage import Stage, distance_step

#: constants of inertia H = J w^2/(2 P) [s] of the rotor, of generators above and below 1000 1/min
ROTOR_INERTIA, FAST_GENERATOR, SLOW_GENERATOR = 6.0, 0.7, 0.2
#: damping ratios of meshes, bearings, shafts, and of the first mode by the dashpot of the main shaft, which damps a mode of that
#: shaft alone some ten times as much: 5 %, as in the NREL turbine, would stop it from swinging
MESH_DAMPING, BEARING_DAMPING, SHAFT_DAMPING, MAIN_DAMPING = 0.05, 0.05, 0.02, 0.01
#: damping ratio of the bending of the main shaft; the rotor, which tilts on it at some 2 Hz, keeps hardly any of it
BENDING_DAMPING = 0.02
#: what air does to a rotor that nods and yaws: speed of the tips [m/s], solidity, slope of lift, density [kg/m^3], and what unsteady
#: lift keeps of the steady one at 1 to 3 Hz (Theodorsen)
TIP_SPEED, SOLIDITY, LIFT_SLOPE, AIR, UNSTEADY = 80.0, 0.04, 5.7, 1.225, 0.7
#: shear modulus of steel [Pa]
SHEAR = 206e9 / 2.6
#: rim of a ring beyond its roots [modules]
RING_RIM = 3.5
#: axial stiffness of planets and wheels on what locates them [N/m]
AXIAL = 5e8


def _si(value: float, unit: str, digits: int = 6) -> str:
    """A value with a unit, without needless digits."""
    rounded = float(f"{value:.{digits}g}") + 0.0  # no negative zero
    return f"{rounded:.{max(digits, 6)}g} {unit}"


def _percent(value: float) -> str:
    return f"{100.0 * value:g} %"


def _mm(value: float, digits: int = 6) -> str:
    return _si(1e3 * value, "mm", digits)


def generator_inertia(ratings: Ratings) -> float:
    """Inertia of the generator [kg m^2] by its constant of inertia."""
    fast = ratings.generator_speed > 1000.0 * math.pi / 30.0
    return 2.0 * (FAST_GENERATOR if fast else SLOW_GENERATOR) * ratings.power / ratings.generator_speed**2


def rotor_inertia(ratings: Ratings) -> float:
    """Inertia of the rotor [kg m^2] by its constant of inertia, or that of the ratings."""
    h = ROTOR_INERTIA if ratings.inertia_constant is None else ratings.inertia_constant
    return 2.0 * h * ratings.power / ratings.rotor_speed**2


def air_damping(ratings: Ratings) -> float:
    """Damping [N m s/rad] of the rotor's nodding and yawing by its air: blade elements of a rotor of solidity s, whose sections move
    out of its plane by r w, give ``c = pi/16 rho s C_La W R^5`` at the speed W, R by the speed of the tips; times what unsteady
    lift keeps."""
    radius = TIP_SPEED / ratings.rotor_speed
    return UNSTEADY * math.pi / 16.0 * AIR * SOLIDITY * LIFT_SLOPE * ratings.rotor_speed * radius**5


def relief(stage: Stage) -> float:
    """Tip relief of both wheels [m]: ``F_bt / (b c_gamma_alpha)`` at rated torque."""
    pair = stage.pairs[0]
    force = stage.force / math.cos(pair.one.transverse_angle)
    return force / (stage.rack.width * iso_stiffness(pair, load=stage.force / stage.rack.width).mesh)


def written(box: Gearbox) -> str:
    """The text of the drivetrain file."""
    lines = [*_head(box), *_bodies(box.ratings)]
    lines.append("stages:")
    for i, stage in enumerate(box.stages, 1):
        lines += _planetary(box, i, stage) if stage.duty.planets else _parallel(box, i, stage)
    lines += [*_shafts(box), *_machine(box), *_cases(box), *_life(box)]
    return "\n".join(lines) + "\n"


def _head(box: Gearbox) -> Iterator[str]:
    r, m = box.ratings, box.ratings.margins
    rpm = 30.0 / math.pi
    yield (
        f"# {_si(1e-6 * r.power, 'MW')}, {_si(r.rotor_speed * rpm, 'rpm')} to {_si(r.generator_speed * rpm, 'rpm')}: a gearbox of "
        f"{words_of(r.layout)} by sizing rules. No such gearbox was built."
    )
    yield "# Each value says by which rule it was chosen; a size at the limits of its rating is a lower bound."
    yield f"name: {r.name}"
    yield "source: gearwright new, rules of docs/new.md; ratios of least gear volume (Willis 1963), teeth rated by ISO 6336-2, -3"
    yield "assumed:"
    yield (
        f"  - load factors K_A {m.application:g}, K_v {m.dynamic:g}, K_Hbeta {m.face_load:g}, K_gamma by the number of planets; wanted "
        f"S_H {m.pitting * m.reserve:.3g}, S_F {m.bending * m.reserve:.3g} at rated torque for {m.hours:.0f} h"
    )
    yield "  - steel 18CrNiMo7-6, case-hardened, grade MQ (strength to be checked against ISO 6336-5)"
    yield (
        f"  - f_ZCa {FLANK_LINE[MODIFICATION]:g} ({MODIFICATION}), since the relief is by formula; profile analysis (f_ZCa 1) once an analysis "
        "of the contact has set it"
    )
    yield f"  - bearings by dimension series and estimated rating, for {BEARING_LOAD:g} of the rated load; axial seats {AXIAL:.0e} N/m"
    yield (
        f"  - damping ratio of meshes {_percent(MESH_DAMPING)}, bearings {_percent(BEARING_DAMPING)}, shafts {_percent(SHAFT_DAMPING)}; main shaft "
        f"{_percent(MAIN_DAMPING)} of critical of the first mode"
    )
    yield "  - inertia of rotor and generator by constants of inertia, carriers as discs"
    yield (
        f"  - bearings of main shaft and carriers for {m.hours:.0f} h under weights, those of carriers also under what K_gamma leaves unbalanced, a "
        "lower bound, since no load of the wind but torque is known"
    )
    yield f"claims: [ratio {box.ratio:.6g}]"
    yield ""
    yield "materials:"
    yield "  steel: {young: 206 GPa, poisson: 0.3, density: 7830 kg/m^3}"
    yield ""


def _bodies(r: Ratings) -> Iterator[str]:
    j, h = rotor_inertia(r), ROTOR_INERTIA if r.inertia_constant is None else r.inertia_constant
    yield "bodies:"
    yield (
        f"  - {{name: rotor, inertia: [{_si(j, 'kg m^2', 5)}, {_si(0.503 * j, 'kg m^2', 5)}, {_si(0.503 * j, 'kg m^2', 5)}], mass: "
        f"{_si(ROTOR_MASS * r.power, 'kg', 4)}}}    # H = {h:g} s; 22 kg/kW; half the inertia across"
    )
    yield ""


def _rack(stage: Stage) -> Iterator[str]:
    yield f"    module: {_mm(stage.rack.module)}    # the nearest of ISO 54 to what S_H and S_F ask"
    yield "    pressure_angle: 20 deg"
    if stage.rack.helix:
        yield f"    helix_angle: {_si(math.degrees(stage.rack.helix), 'deg')}"
        yield "    hand: right"
    yield f"    centre_distance: {_mm(stage.distance)}    # up in steps of {_mm(distance_step(stage.rack.module))} from a sum of shifts of {0.8 if stage.duty.planets else 0.6:g}"


def allowance(stage: Stage, pair: int = 0) -> float:
    """Thickness allowance of each wheel of a mesh [m]: half of the backlash by rule, along the reference circle."""
    j = backlash_by_rule(stage.distance, stage.rack.module)
    return -0.5e-6 * math.ceil(1e6 * j / math.cos(stage.pairs[pair].one.pressure_angle))


def _wheel(name: str, teeth: int, shift: float, stage: Stage, more: str) -> str:
    return (
        f"    {name + ':':8} {{material: steel, teeth: {teeth}, profile_shift: {shift:.4f}, face_width: {_mm(stage.rack.width)}, "
        f"thickness_allowance: {_mm(allowance(stage), 4)}{more}}}"
    )


def _relief(stage: Stage) -> str:
    return f", tip_relief: {{amount: {_si(1e6 * relief(stage), 'um', 2)}}}"


def _planetary(box: Gearbox, number: int, stage: Stage) -> Iterator[str]:
    bearing, carrier = box.planet_bearings[number - 1], box.carriers[number - 1]
    assert bearing is not None and carrier is not None
    sun, planet, ring = stage.wheels
    yield f"  - name: stage{number}    # ratio {stage.ratio:.4g}, S_H {stage.pitting:.3f}, S_F {stage.bending:.2f}; {box.governs(number - 1)} governs"
    yield "    type: planetary"
    yield f"    planets: {stage.duty.planets}"
    yield from _rack(stage)
    short, cut = stage.shortening
    tips = f", tip_shortening: {_mm(short, 4)}"
    yield (
        _wheel("sun", sun[1], stage.shifts[0], stage, f"{tips}, floating: true{_relief(stage)}")
        + "    # equal sliding at both ends of the path"
    )
    yield _wheel("planet", planet[1], stage.shifts[1], stage, f"{tips}, bore: {_mm(bearing.outside)}{_relief(stage)}")
    outer = 2.0 * stage.pairs[1].two.root_radius + 2.0 * RING_RIM * stage.rack.module
    yield (
        _wheel(
            "ring",
            ring[1],
            stage.shifts[2],
            stage,
            f", fixed: true, tip_shortening: {_mm(cut, 4)}, outer_diameter: {_mm(outer, 4)}",
        )
        + f"    # rim {RING_RIM:g} modules"
    )
    yield (
        f"    carrier: {{mass: {_si(carrier.mass, 'kg', 4)}, inertia: {_si(carrier.inertia, 'kg m^2', 4)}, "
        f"inertia_includes_planets: false}}    # disc of a + 0.75 r_p, 0.45 b"
    )
    yield "    meshes:"
    for mesh in ("sun_planet", "ring_planet"):
        yield f"      {mesh + ':':12} {{stiffness: {{from: iso6336}}, damping: {{ratio: {_percent(MESH_DAMPING)}}}}}"
    yield "    bearings:"
    yield from _pair(box, number, "carrier", "; weights and K_gamma, no load of the wind")
    yield (
        f"      planet:  {{rolling: {{type: full_complement, bore: {_mm(bearing.bore)}, outside_diameter: {_mm(bearing.outside)}, width: "
        f"{_mm(bearing.width)}, dynamic_rating: {_si(1e-3 * bearing.dynamic, 'kN', 4)}, static_rating: "
        f"{_si(1e-3 * bearing.static, 'kN', 4)}, count: {bearing.count}}}, axial_stiffness: {AXIAL:.0e} N/m, damping: "
        f"{{ratio: {_percent(BEARING_DAMPING)}}}}}    # series {bearing.series}, L10 {bearing.life:.0f} h at rated load"
    )


def _parallel(box: Gearbox, number: int, stage: Stage) -> Iterator[str]:
    pinion, wheel = stage.wheels
    yield f"  - name: stage{number}    # ratio {stage.ratio:.4g}, S_H {stage.pitting:.3f}, S_F {stage.bending:.2f}; {box.governs(number - 1)} governs"
    yield "    type: parallel"
    yield from _rack(stage)
    before = sum(1 for s in box.stages[: number - 1] if not s.duty.planets)
    yield f"    azimuth: {180 * (before % 2)} deg"
    tips = f", tip_shortening: {_mm(stage.shortening[0], 4)}"
    yield _wheel("wheel", wheel[1], stage.shifts[1], stage, tips + _relief(stage))
    yield (
        _wheel("pinion", pinion[1], stage.shifts[0], stage, tips + _relief(stage))
        + "    # equal sliding at both ends of the path"
    )
    yield f"    mesh: {{stiffness: {{from: iso6336}}, damping: {{ratio: {_percent(MESH_DAMPING)}}}}}"
    yield "    bearings:"
    for name in ("wheel", "pinion"):
        yield from _pair(box, number, name, "")


def _rolling(seat: Seat) -> str:
    """Keys of a bearing that say what it is."""
    b = seat.bearing
    angle = f", contact_angle: {_si(math.degrees(b.contact_angle), 'deg')}" if b.contact_angle else ""
    return (
        f"rolling: {{type: {b.type}{angle}, bore: {_mm(b.bore)}, outside_diameter: {_mm(b.outside)}, width: {_mm(b.width)}, dynamic_rating: "
        f"{_si(1e-3 * b.dynamic, 'kN', 4)}, static_rating: {_si(1e-3 * b.static, 'kN', 4)}}}"
    )


def _named(box: Gearbox, number: int, name: str) -> Iterator[tuple[str, Seat]]:
    """Bearings of a body of a stage, with their names: W2A, W2B."""
    for seat, letter in zip((s for s in box.seats if s.body == f"stage{number}.{name}"), "AB", strict=False):
        yield f"{name[0].upper()}{number}{letter}", seat


def _pair(box: Gearbox, number: int, name: str, known: str) -> Iterator[str]:
    """The two bearings of a carrier, wheel or pinion; ``known``: what their loads are, where that has to be said."""
    yield f"      {name}:"
    for own, seat in _named(box, number, name):
        axial = f", axial_stiffness: {AXIAL:.0e} N/m" if seat.locating else ""
        said = f"series {seat.bearing.series}, L10 {seat.bearing.life:.0f} h at rated load{known}" + (
            "; the axial force goes through a ball bearing beside it" if axial else ""
        )
        yield (
            f"        - {{name: {own}, {_rolling(seat)}{axial}, x: {_mm(seat.place)}, damping: {{ratio: {_percent(BEARING_DAMPING)}}}}}    # {said}"
        )


def main_damping(box: Gearbox) -> float:
    """Dashpot of the main shaft [N m s/rad]: a part of critical of rotor and generator on that shaft."""
    r, main = box.ratings, box.shafts[0]
    k = SHEAR * math.pi * main.diameter**4 / (32.0 * main.length)
    one, two = rotor_inertia(r), generator_inertia(r) * box.ratio**2
    return 2.0 * MAIN_DAMPING * math.sqrt(k * one * two / (one + two))


def _shafts(box: Gearbox) -> Iterator[str]:
    yield ""
    yield "shafts:"
    for shaft in box.shafts:
        known = f"name: {shaft.name}, between: [{shaft.between[0]}, {shaft.between[1]}], material: steel, diameter: {_mm(shaft.diameter)}, length: {_mm(shaft.length)}"
        stress = f"{1e-6 * shaft.stress:.0f} MPa at rated torque"
        if shaft.name == "main":
            bearings = ", ".join(
                f"{{name: MB_{letter}, {_rolling(seat)}, {f'axial_stiffness: {AXIAL:.0e} N/m, ' if seat.locating else ''}x: {_mm(seat.place)}, "
                f"damping: {{ratio: {_percent(BEARING_DAMPING)}}}}}"
                for letter, seat in zip("AB", (s for s in box.seats if s.body == shaft.name), strict=True)
            )
            bearings += f", {{name: air, tilt_stiffness: 1 kN m/rad, torsional_damping: {_si(air_damping(box.ratings), 'N m s/rad', 3)}, x: 0 mm}}"
            yield f"  - {{{known}, damping: {_si(main_damping(box), 'N m s/rad', 4)}, bending_damping: {{ratio: {_percent(BENDING_DAMPING)}}}, bearings: [{bearings}]}}    # {stress}, length 2.9 d; bearings live {box.ratings.margins.hours:.0f} h under the weights of rotor and shaft; air: what the blades take from nodding and yawing of the rotor"
            continue
        spline = ", spline: second" if shaft.spline else ""
        rule = SUN_STRESS if shaft.spline else WHEEL_STRESS
        yield f"  - {{{known}{spline}, damping: {{ratio: {_percent(SHAFT_DAMPING)}}}}}    # {stress}; rule {1e-6 * rule:.0f} MPa"


def sense(box: Gearbox) -> int:
    """Sign of the generator's speed: each parallel stage turns it about."""
    return -1 if sum(1 for s in box.stages if not s.duty.planets) % 2 else 1


def _machine(box: Gearbox) -> Iterator[str]:
    r = box.ratings
    torque = -sense(box) * r.torque / box.ratio
    yield ""
    yield "machines:"
    yield (
        f"  - {{name: generator, type: constant, inertia: {_si(generator_inertia(r), 'kg m^2', 4)}, parameters: {{torque: "
        f"{_si(1e-3 * torque, 'kN m', 9)}}}}}    # by its constant of inertia"
    )
    yield ""
    yield "gravity: {tilt: 5 deg}"
    yield "model: {fidelity: planar, law: periodic, gravity: true}"
    yield ""
    yield (
        f"operating: {{input: rotor, output: generator, speed: {_si(r.rotor_speed * 30.0 / math.pi, 'rpm', 9)}, torque: "
        f"{_si(1e-3 * r.torque, 'kN m', 9)}}}    # no losses"
    )


def _cases(box: Gearbox) -> Iterator[str]:
    r = box.ratings
    out = -sense(box) * r.torque / box.ratio
    slope = -0.3 * r.torque / box.ratio / r.generator_speed
    yield ""
    yield "cases:"
    for name, share, said in (
        ("rated", 1.0, "Rated torque against a generator whose torque rises with speed"),
        ("part-load", 0.1, "A tenth of rated torque"),
        ("backwards", -1.0, "The generator drives with rated torque and the other flanks carry"),
    ):
        yield f"  - name: {name}"
        yield f"    description: {said}"
        yield "    duration: 65 s"
        yield "    discard: 5 s"
        yield "    loads:"
        yield f"      - {{on: rotor, torque: {_si(1e-3 * share * r.torque, 'kN m', 9)}}}"
        yield f"      - {{on: generator, torque: {_si(1e-3 * share * out, 'kN m', 9)}, slope: {_si(slope, 'N m s/rad', 3)}}}"


def _life(box: Gearbox) -> Iterator[str]:
    m, s = box.ratings.margins, box.ratings.strength
    yield ""
    yield "life:"
    yield f"  years: {m.hours / 8760.0:.6g}"
    yield "  gears:"
    for i, stage in enumerate(box.stages, 1):
        yield (
            f'    - {{on: "stage{i}.*", pitting_limit: {1e-6 * s.pitting:g} MPa, bending_limit: {1e-6 * s.bending:g} MPa, treatment: '
            f"{s.treatment}, K_A: {m.application:g}, K_v: {m.dynamic:g}, K_gamma: {MESH_LOAD[stage.duty.planets or 1]:g}, "
            f"K_Hbeta: {m.face_load:g}, Y_M: {REVERSED:g}, profile: {MODIFICATION}, safety_pitting: {m.pitting:g}, safety_bending: {m.bending:g}}}"
        )
    hours = math.floor(bearing_hours(box.ratings))
    yield "  bearings:"
    for i, bearing in enumerate(box.planet_bearings, 1):
        if bearing is not None:
            yield (
                f'    - {{on: "stage{i}.planet*_bearing", type: full_complement, dynamic_rating: {_si(1e-3 * bearing.dynamic, "kN", 4)}, '
                f"count: {bearing.count}, required: {hours} h}}    # {BEARING_LOAD:g} of rated load for {m.hours:.0f} h"
            )
    for i, stage in enumerate(box.stages, 1):
        for name in () if stage.duty.planets else ("wheel", "pinion"):
            own, seat = next(_named(box, i, name))
            yield f'    - {{on: "stage{i}.{name}_{own[:-1]}*", {_rating(seat)}, required: {hours} h}}'


def _rating(seat: Seat) -> str:
    return f"type: {seat.bearing.type}, dynamic_rating: {_si(1e-3 * seat.bearing.dynamic, 'kN', 4)}"
