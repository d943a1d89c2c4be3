"""A turbine around a made gearbox: rotor, tower and controller of the NREL 5 MW turbine, scaled, and the set-up that joins them.

The rotor is geometrically similar, as large as gives the rated power at the rated wind and the rated speed that are asked for; what
follows is scaled so that the ratios that shape its loads stay: frequencies over the rotor's, torques over the rated one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from gearwright.errors import DrivetrainError
from gearwright.parts import whole
from gearwright.turbine.bem import performance
from gearwright.turbine.model import Controller, EdgeMode, Mode, Turbine, load, save
from gearwright.turbine.tower import fore_aft, side_side

from .gearbox import Gearbox
from .shafts import ROTOR_MASS
from .write import SHEAR, generator_inertia, main_damping, rotor_inertia

#: turbine that is scaled
REFERENCE = "nrel-5mw"
#: density of air [kg/m^3]
AIR = 1.225
#: radii over that of the reference between which a rotor is looked for
SMALLEST, LARGEST = 0.02, 4.0
#: torque of the brake at the generator over its rated torque (the set-up of the reference has 88.66 over 43.09 kN m)
BRAKE = 2.06


@dataclass(frozen=True)
class Scaled:
    """A scaled turbine, and by which rule each of its values follows: name, value in words, rule."""

    turbine: Turbine
    rules: Sequence[tuple[str, str, str]]


def radius_of(reference: Turbine, power: float, speed: float) -> float:
    """Radius [m] of the similar rotor that takes a power [W] out of the reference's rated wind at a speed [rad/s] and zero pitch.

    Raises DrivetrainError where none does.
    """
    from scipy.optimize import brentq

    wind = reference.rated_wind

    def left(scale: float) -> float:
        ratio = speed * scale * reference.tip_radius / wind
        cp = float(performance(reference, np.array([ratio]), np.zeros(1))[0][0, 0])
        return math.log(0.5 * AIR * math.pi * (scale * reference.tip_radius) ** 2 * max(cp, 1e-6) * wind**3 / power)

    # the similar rotor at its own best tip speed ratio is where the search begins; more radius always gives more there
    first = math.sqrt(power / 5.0e6)
    low, high = 0.75 * first, 1.9 * first
    if left(low) > 0.0 or left(high) < 0.0:
        raise DrivetrainError(
            f"no rotor like that of {reference.name} gives {1e-6 * power:.4g} MW at {speed * 30.0 / math.pi:.4g} rpm in a wind of "
            f"{wind:g} m/s: the tip would be too {'slow' if left(high) < 0.0 else 'fast'}; another rotor speed does"
        )
    return float(brentq(left, low, high, xtol=1e-6)) * reference.tip_radius


def scaled(box: Gearbox, reference: Turbine | None = None) -> Scaled:
    """The reference turbine scaled to the ratings of a gearbox. Raises DrivetrainError."""
    old = reference or load(REFERENCE)
    r = box.ratings
    radius = radius_of(old, r.power, r.rotor_speed)
    s = radius / old.tip_radius
    w = r.rotor_speed * old.gear_ratio / old.controller.pitch_speed  # of the rotors' rated speeds
    inertia, mass = rotor_inertia(r), ROTOR_MASS * r.power
    heavy = inertia / (old.rotor_inertia * s**2)
    nacelle = mass * old.nacelle_mass / old.rotor_mass
    main = box.shafts[0]
    stiffness = SHEAR * math.pi * main.diameter**4 / (32.0 * main.length)
    edge = (
        None
        if old.edge is None
        else EdgeMode(
            old.edge.mass * heavy,
            old.edge.coupling * heavy * s,
            old.edge.stiffness * heavy * w**2,
            old.edge.damping_ratio,
        )
    )
    made = replace(
        old,
        name=f"{r.name}-turbine",
        source=f"gearwright new, scaled from {old.name}: {old.source}",
        tip_radius=radius,
        hub_radius=old.hub_radius * s,
        overhang=old.overhang * s,
        hub_height=old.hub_height * s,
        element_radius=old.element_radius * s,
        element_width=old.element_width * s,
        element_chord=old.element_chord * s,
        rotor_inertia=inertia,
        rotor_mass=mass,
        nacelle_mass=nacelle,
        edge=edge,
        tower_height=old.tower_height * s,
        tower_base_diameter=old.tower_base_diameter * s,
        tower_top_diameter=old.tower_top_diameter * s,
        top_to_shaft=old.top_to_shaft * s,
        gear_ratio=box.ratio,
        generator_inertia=generator_inertia(r),
        shaft_stiffness=stiffness,
        shaft_damping=main_damping(box),
        brake_torque=BRAKE * r.torque / box.ratio,
        controller=_controller(old, box, s, w, inertia),
        notes=(),
    )
    made = replace(made, fore_aft=_tower(old, made, True, s, w), side_side=_tower(old, made, False, s, w))
    rules = list(_rules(old, made, s, w, heavy))
    said = f"scaled from {old.name}; the rule of every value stands at the head of the set-up that names this file"
    return Scaled(replace(made, notes=(said,)), rules)


def _tower(old: Turbine, new: Turbine, along: bool, s: float, w: float) -> Mode | None:
    """A tower mode whose frequency over that of the rotor is the reference's."""
    own = old.fore_aft if along else old.side_side
    if own is None:
        return None
    mode = Mode(own.tower_mass * s**3, 1.0, own.top_slope / s, own.damping_ratio)
    made = replace(new, fore_aft=mode, side_side=mode)
    mass = (fore_aft(made) if along else side_side(made)).mass
    before = (fore_aft(old) if along else side_side(old)).frequency_hz
    return replace(mode, stiffness=mass * (2.0 * math.pi * before * w) ** 2)


def _controller(old: Turbine, box: Gearbox, s: float, w: float, inertia: float) -> Controller:
    """The reference controller for other speeds, torques and a rotor of another inertia."""
    c, r = old.controller, box.ratings
    n = box.ratio / old.gear_ratio
    speed = w * n  # of the generators' rated speeds
    torque = r.torque / box.ratio / c.rated_torque
    # loop of speed and pitch: its frequency over the rotor's, its damping and the pitch power derivative over power stay
    whole_inertia = (inertia + generator_inertia(r) * box.ratio**2) / (
        old.rotor_inertia + old.generator_inertia * old.gear_ratio**2
    )
    gain = whole_inertia * w**2 / (n * r.power / c.rated_power)
    return replace(
        c,
        filter_corner=c.filter_corner * w,
        cut_in_speed=c.cut_in_speed * speed,
        region_2_speed=c.region_2_speed * speed,
        region_2_gain=c.region_2_gain * s**5 / n**3,
        rated_speed=c.rated_speed * speed,
        rated_power=r.power,
        maximum_torque=c.maximum_torque * torque,
        maximum_torque_rate=c.maximum_torque_rate * torque * w,
        pitch_kp=c.pitch_kp * gain,
        pitch_ki=c.pitch_ki * gain * w,
        pitch_speed=c.pitch_speed * speed,
        pitch_rate=c.pitch_rate * w,
    )


def _rules(old: Turbine, new: Turbine, s: float, w: float, heavy: float) -> Iterator[tuple[str, str, str]]:
    """What each scaled value is and by which rule."""
    c = new.controller
    yield (
        "tip_radius",
        f"{new.tip_radius:.4g} m",
        f"similar rotor (blade shape, profiles) with the rated power at {old.rated_wind:g} m/s, the rated speed and zero pitch; lengths of "
        f"rotor, tower and nacelle with it, times {s:.4g}",
    )
    yield "hub_height", f"{new.hub_height:.4g} m", f"length, {old.hub_height:g} m times {s:.4g}"
    yield "rotor_inertia", f"{new.rotor_inertia:.5g} kg m^2", "that of the gearbox file (constant of inertia H)"
    yield "rotor_mass", f"{new.rotor_mass:.4g} kg", "22 kg/kW, as the reference"
    yield "nacelle_mass", f"{new.nacelle_mass:.4g} kg", "over the rotor's mass as the reference"
    yield (
        "edge",
        f"{new.edge.mass:.4g} kg" if new.edge else "none",
        f"blade mass with the rotor's inertia over length squared, times {heavy:.4g}; frequency over the rotor's speed kept",
    )
    yield (
        "fore_aft, side_side",
        f"{fore_aft(new).frequency_hz:.4g} Hz, {side_side(new).frequency_hz:.4g} Hz",
        f"tower's mass times {s:.4g}^3, frequency over the rotor's speed kept (soft-stiff between 1P and 3P)",
    )
    yield "gear_ratio", f"{new.gear_ratio:.6g}", "that of the gearbox"
    yield "generator_inertia", f"{new.generator_inertia:.4g} kg m^2", "that of the gearbox file"
    yield (
        "shaft_stiffness",
        f"{new.shaft_stiffness:.4g} N m/rad",
        "main shaft of the gearbox file, used without its gearbox only",
    )
    yield (
        "brake_torque",
        f"{new.brake_torque:.4g} N m",
        f"{BRAKE:g} of the rated torque at the generator, as the set-up of the reference",
    )
    yield (
        "controller speeds",
        f"rated {c.pitch_speed * 30.0 / math.pi:.5g} rpm",
        "over the rated speed of the generator as the reference",
    )
    yield (
        "region_2_gain",
        f"{c.region_2_gain:.4g} N m s^2/rad^2",
        f"k ~ R^5/N^3 at the same best tip speed ratio: {s:.4g}^5 over the ratio's cube",
    )
    yield (
        "rated_power",
        f"{1e-6 * c.rated_power:.4g} MW",
        f"rated power of the gearbox, at the shaft; {new.generator_efficiency:g} of it electrical",
    )
    yield (
        "maximum_torque, rate",
        f"{c.maximum_torque:.4g} N m",
        f"over the rated torque as the reference, its rate times {w:.4g} more",
    )
    yield (
        "pitch_kp, pitch_ki",
        f"{c.pitch_kp:.4g} s, {c.pitch_ki:.4g}",
        "loop of the same damping, its frequency over the rotor's speed kept: kp ~ J w^2/(N P), ki ~ J w^3/(N P)",
    )
    yield (
        "filter_corner, pitch_rate",
        f"{math.degrees(c.pitch_rate):.4g} deg/s",
        f"times {w:.4g}, with the rotor's speed",
    )
    yield "winds", f"{new.cut_in_wind:g} to {new.cut_out_wind:g} m/s", "as the reference"


def set_up(box: Gearbox, made: Scaled, gearbox_file: str, data_file: str) -> str:
    """The text of the set-up: the gearbox in the turbine, cases and campaigns."""
    return "\n".join(_lines(box, made, gearbox_file, data_file)) + "\n"


def _lines(box: Gearbox, made: Scaled, gearbox_file: str, data_file: str) -> Iterator[str]:
    r, turbine = box.ratings, made.turbine
    torque = BRAKE * r.torque / box.ratio
    yield f"# A turbine around {r.name}: rotor, tower and controller scaled from {REFERENCE}. No such turbine was built."
    yield "# Every scaled value and its rule:"
    for name, value, rule in made.rules:
        yield f"#   {name}: {value}; {rule}"
    yield f"name: {turbine.name}"
    yield f"source: gearwright new; scaled from the turbine of NREL/TP-500-38060 ({REFERENCE}), rules of docs/new.md"
    yield f"include: [{gearbox_file}]"
    yield "assumed:"
    yield f"  - everything that {r.name} assumes"
    yield f"  - turbine scaled from {REFERENCE}, each value by the rule that stands above and in {data_file}"
    yield "  - machine whose torque follows the controller with a lag of 0.02 s"
    yield f"  - brake {BRAKE:g} of the rated torque on the fast shaft, rise 0.6 s"
    yield "claims: [order of loads over wind speed and events]"
    yield "not_claimed: [absolute loads, blade flap and torsion]"
    yield ""
    yield "turbine:"
    yield f"  data: {data_file}"
    yield "  attach: rotor"
    yield "  rotor: {flexible_blades: true, tower: true, aero_step: 0.02 s}"
    yield "  controller: {type: reference}"
    yield "machines:"
    yield "  - {name: generator, type: ideal, parameters: {lag: 0.02 s}}"
    yield "elements:"
    yield (
        f"  - {{name: hss_brake, type: brake, between: [generator, housing], capacity: {{torque: {1e-3 * torque:.6g} kN m, rise: 0.6 s}}, "
        f"engaged: false}}"
    )
    yield ""
    yield "model: {fidelity: planar, law: linear}"
    yield ""
    yield "cases:"
    yield "  - name: normal"
    yield "    description: Ten minutes of normal turbulence"
    yield "    duration: 660 s"
    yield "    discard: 60 s"
    yield "    wind: {type: ntm, class: IIA, mean: 13 m/s, shear: 0.2, seed: 1}"
    yield "    record: [meshes, bearings, shafts, machines, turbine]"
    yield "  - name: emergency-stop"
    yield "    description: Loss of torque, brake and pitch to feather at once"
    yield "    base: normal"
    yield "    duration: 100 s"
    yield (
        "    events: [{at: 80 s, type: grid_loss, pitch_delay: 0 s, pitch_rate: "
        f"{min(9.0 * turbine.controller.pitch_rate / math.radians(8.0), 20.0):.3g} deg/s}}, {{at: 80 s, type: brake, on: hss_brake}}]"
    )
    yield ""
    yield "campaigns:"
    yield "  - name: normal"
    yield "    case: normal"
    yield "    grid:"
    yield "      wind.mean: [5 m/s, 7 m/s, 9 m/s, 11 m/s, 13 m/s, 15 m/s, 17 m/s, 19 m/s, 21 m/s, 23 m/s, 25 m/s]"
    yield "      wind.seed: [1, 2, 3, 4, 5, 6]"
    yield "    use: fatigue"


def write_turbine(box: Gearbox, gearbox_file: Path) -> list[Path]:
    """Write the turbine's data and the set-up beside the gearbox file: ``NAME-turbine.json`` and ``NAME-turbine.yaml``."""
    made = scaled(box)
    data, target = (gearbox_file.with_name(f"{gearbox_file.stem}-turbine{end}") for end in (".json", ".yaml"))
    save(made.turbine, data)
    with whole(target) as part:
        part.write_text(set_up(box, made, gearbox_file.name, data.name), encoding="utf-8")
    return [data, target]
