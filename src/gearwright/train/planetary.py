"""Planetary stages spelled out: sun, planets, ring, carrier; assembly, pin radius, phases."""

from __future__ import annotations

import math
from typing import Any

from gearwright.geometry import involute
from gearwright.geometry.phase import MeshTeeth, planetary_phases, relative_phase, wrap
from gearwright.schema.file import PlanetaryStage
from gearwright.schema.parts import Bearing as BearingFacts
from gearwright.schema.parts import Material

from .bench import STEEL, Bench
from .members import HANDS, bearings, member, rack_of, twice
from .pair import CLOSE, Pair, Rack, Size, disagreeing, mesh, natural_angle, pair_at, set_phase, size
from .train import HOUSING, Mesh
from .train import Stage as TrainStage


def planetary(bench: Bench, stage: PlanetaryStage, name: str) -> None:
    """Expand a planetary stage: sun, planets, ring, carrier; two meshes and a bearing per planet."""
    path = f"stages.{name}"
    rack = rack_of(stage)
    sun = size(bench, rack, stage.sun, stage.face_width, f"{path}.sun")
    planet = size(bench, rack, stage.planet, stage.face_width, f"{path}.planet")
    for key, value in (("lead_slope", stage.planet.lead_slope), ("bias", stage.planet.bias)):
        if value:
            bench.wrong(
                "a planet works with both flanks, one in each mesh",
                f"{path}.planet.{key}",
                value,
                f"{key} of the sun or the ring",
            )
    ring = size(bench, rack, stage.ring, stage.face_width, f"{path}.ring", ring=True)
    if sun is None or planet is None or ring is None:
        return
    if len({sun.by_teeth, planet.by_teeth, ring.by_teeth}) > 1:
        bench.wrong(
            "some wheels have a base circle, others only teeth", path, allowed="a module, or base_diameter of all three"
        )
        return
    angles = _planet_angles(bench, stage, sun, ring, path)
    pin, outer, inner = _pin(bench, stage, rack, (sun, planet, ring), path)
    if angles is None or outer is None or inner is None:
        return
    if pin is not None and planet.tip_radius is not None:
        _neighbours(bench, angles, pin, planet.tip_radius, path)
    _members(bench, stage, name, (sun, planet, ring), angles, pin)
    _carrier_inertia(bench, stage, name, path)
    _meshes(bench, stage, name, rack, (outer, inner), angles)
    _one_frequency(bench, path, sun, ring)
    _planet_bearings(bench, stage, name, path, planet, pin, len(angles))
    supported = (
        ("sun", stage.bearings.sun, sun.base_radius),
        ("ring", stage.bearings.ring, ring.base_radius),
        ("carrier", stage.bearings.carrier, pin),
    )
    for role, facts, radius in supported:
        body = f"{name}.{role}"
        bearings(bench, facts, body, body, HOUSING, name, radius, f"{path}.bearings.{role}")
    bench.stages[name] = TrainStage(
        "planetary",
        {role: f"{name}.{role}" for role in ("carrier", "sun", "ring")},
        planets=tuple(f"{name}.planet{i + 1}" for i in range(len(angles))),
        angles=tuple(angles),
        pin_radius=pin,
        inertia_includes_planets=bool(stage.carrier.inertia_includes_planets),
        teeth=(sun.teeth, planet.teeth, ring.teeth),
        module=stage.module,
        base_radii=(sun.base_radius, planet.base_radius, ring.base_radius),
        pins=stage.carrier.pins,
        pin_material=_flexible(bench, stage, path),
        wall=stage.carrier.second_wall,
    )
    bench.phases.append(
        lambda meshes: _planetary_phases(bench, meshes, name, rack, outer, inner, planet, angles, stage)
    )


def _members(
    bench: Bench,
    stage: PlanetaryStage,
    name: str,
    wheels: tuple[Size, Size, Size],
    angles: list[float],
    pin: float | None,
) -> None:
    """Add carrier, sun, planets on their pins and ring."""
    path = f"stages.{name}"
    sun, planet, ring = wheels

    def wheel(role: str, of: Size, **placed: Any) -> None:
        diameter = twice(of.reference_radius)
        facts = getattr(stage, role)
        member(bench, name, role, facts, of.base_radius, stage, f"{path}.{role}", diameter=diameter, **placed)

    member(bench, name, "carrier", stage.carrier, pin, None, f"{path}.carrier")
    wheel("sun", sun)
    for i, angle in enumerate(angles):
        wheel("planet", planet, name=f"{name}.planet{i + 1}", on=f"{name}.carrier", pin_radius=pin, angle=angle)
    wheel("ring", ring)
    for role in ("sun", "ring"):
        bench.coaxial.append((f"{name}.carrier", f"{name}.{role}", (0.0, 0.0)))
    if stage.place is not None:
        bench.places[f"{name}.carrier"] = stage.place


def _meshes(
    bench: Bench, stage: PlanetaryStage, name: str, rack: Rack, pairs: tuple[Pair, Pair], angles: list[float]
) -> None:
    """Add the two meshes of every planet; remarks of the first planet stand for all."""
    hand = HANDS[stage.hand]
    path = f"stages.{name}"
    made: list[Mesh] = []
    quiet = len(bench.notes)
    for i, angle in enumerate(angles):
        planet = f"{name}.planet{i + 1}"
        kinds = (
            ("sun_planet", pairs[0], (f"{name}.sun", planet), hand),
            ("ring_planet", pairs[1], (planet, f"{name}.ring"), -hand),
        )
        for kind, pair, ends, turned in kinds:
            facts, where = getattr(stage.meshes, kind), f"{path}.meshes.{kind}"
            of_planet = f"{name}.{kind}{i + 1}"
            on = f"{name}.carrier"
            made.append(
                mesh(bench, rack, pair, facts, of_planet, ends, where, on=on, angle=angle, hand=turned, stage=name)
            )
        if i == 0:
            quiet = len(bench.notes)
        del bench.notes[quiet:]
    for one in made:
        if bench.new_element(one.name, path):
            bench.meshes[one.name] = one


def _one_frequency(bench: Bench, path: str, sun: Size, ring: Size) -> None:
    """Refuse a stage whose sun and ring meshes would have two frequencies: at rest of the ring, a turn of the carrier passes
    ``z_s r_r / r_s`` teeth of the sun and ``z_r`` of the ring."""
    if sun.by_teeth or sun.teeth is None or ring.teeth is None:
        return
    by_sun, by_ring = sun.teeth * ring.base_radius / sun.base_radius, float(ring.teeth)
    if abs(by_sun - by_ring) > CLOSE * by_ring:
        what = f"a turn of the carrier passes {by_sun:.5g} teeth in the sun meshes and {by_ring:.5g} in the ring meshes"
        disagreeing(bench, path, f"{what}, so that one stage has two mesh frequencies", "the circles")


def _flexible(bench: Bench, stage: PlanetaryStage, path: str) -> Material | None:
    """Material of the pins of a carrier that bends; what contradicts itself in pins and second wall is a problem."""
    pins, wall = stage.carrier.pins, stage.carrier.second_wall
    if wall is not None and pins is None and not wall.x:
        bench.wrong("missing: 'x', the place of the second wall, where no pins reach it", f"{path}.carrier.second_wall")
    if wall is not None and pins is not None and pins.walls == 1:
        bench.wrong("pins of one wall do not reach a second one", f"{path}.carrier.pins", 1, "walls: 2")
    if pins is None:
        return None
    steel = bench.material(pins.material, f"{path}.carrier.pins") or STEEL
    if pins.material is None:
        bench.note(
            "assumed", f"{path}.carrier.pins", f"steel of {1e-9 * steel.young:g} GPa and {steel.density:g} kg/m³"
        )
    return steel


def _planet_bearings(
    bench: Bench, stage: PlanetaryStage, name: str, path: str, planet: Size, pin: float | None, count: int
) -> None:
    errors = stage.pin_errors or [(0.0, 0.0)] * count
    if len(errors) != count:
        bench.wrong(
            f"there are {count} planets and {len(errors)} pin errors", f"{path}.pin_errors", allowed="one pair each"
        )
        return
    for i in range(count):
        body = f"{name}.planet{i + 1}"
        facts = stage.bearings.planet or [BearingFacts()]
        bearings(
            bench, facts, body, body, f"{name}.carrier", name, planet.base_radius, f"{path}.bearings.planet", errors[i]
        )


def _planet_angles(bench: Bench, stage: PlanetaryStage, sun: Size, ring: Size, path: str) -> list[float] | None:
    """Angles of the planets; the assembly condition ``(z_s + z_r) psi / (2 pi)`` whole is checked."""
    total = sun.teeth + ring.teeth if sun.teeth is not None and ring.teeth is not None else None
    if isinstance(stage.planets, int):
        count = stage.planets
        angles = [stage.first_angle + 2.0 * math.pi * i / count for i in range(count)]
        if total is None or total % count == 0:
            return angles
        good = [360.0 / total * round(total * i / count) for i in range(count)]
        bench.wrong(
            f"{count} equally spaced planets cannot be assembled: ({sun.teeth} + {ring.teeth})/{count} = "
            f"{total / count:.4g} is not whole",
            f"{path}.planets",
            count,
            f"planets: [{', '.join(f'{a:.4f} deg' for a in good)}], or tooth numbers whose sum divides by {count}",
        )
        return None
    angles = list(stage.planets)
    if total is None:
        return angles
    for angle in angles[1:]:
        steps = (angle - angles[0]) * total / (2.0 * math.pi)
        if abs(steps - round(steps)) > 0.01:
            good_angle = math.degrees(angles[0]) + 360.0 / total * round(steps)
            off = steps - round(steps)
            bench.wrong(
                f"a planet at {math.degrees(angle):.4f} deg cannot be assembled: it is {off:+.3f} of a step of "
                f"360/({sun.teeth} + {ring.teeth}) deg off",
                f"{path}.planets",
                allowed=f"{good_angle:.4f} deg, the nearest one that fits",
            )
            return None
    return angles


def _neighbours(bench: Bench, angles: list[float], pin: float, tip: float, path: str) -> None:
    ordered = sorted(a % (2.0 * math.pi) for a in angles)
    gaps = [b - a for a, b in zip(ordered, ordered[1:] + [ordered[0] + 2.0 * math.pi], strict=True)]
    if len(angles) > 1 and 2.0 * pin * math.sin(0.5 * min(gaps)) < 2.0 * tip and min(gaps) < math.pi:
        bench.note("warning", path, "neighbouring planets overlap at their tips")


def _pin(
    bench: Bench, stage: PlanetaryStage, rack: Rack, wheels: tuple[Size, Size, Size], path: str
) -> tuple[float | None, Pair | None, Pair | None]:
    """Pin radius [m] and the two pairs, each with its own working angle."""
    sun, planet, ring = wheels
    given = _given_pin(bench, stage, path)
    if sun.by_teeth:
        bench.by_teeth(path)
        return given, Pair(sun, planet, False, None, None), Pair(planet, ring, True, None, None)
    said = {False: stage.meshes.sun_planet.pressure_angle, True: stage.meshes.ring_planet.pressure_angle}
    natural = _natural_angles(bench, rack, wheels, said, path)
    if natural is None:
        return None, None, None
    # pin radius that each mesh would choose by itself
    pins = {
        internal: involute.centre_distance((one.base_radius, two.base_radius), natural[internal], internal)
        for internal, one, two in ((False, sun, planet), (True, planet, ring))
        if internal in natural
    }
    pin = given if given is not None else pins.get(False, pins.get(True))
    if given is None and pin is not None:
        bench.note("derived", f"{path}.carrier", f"pin radius {1e3 * pin:.6g} mm from the sun-planet mesh")
    for internal, which in ((False, "sun"), (True, "ring")):
        if internal in pins and pin is not None and abs(pins[internal] - pin) > 1e-3 * pin:
            how = "given" if given is not None else "used"
            bench.note(
                "warning",
                f"{path}.carrier",
                f"the {which}-planet mesh would have a pin radius of {1e3 * pins[internal]:.6g} mm, "
                f"{1e3 * pin:.6g} mm is {how}",
            )
    pairs: list[Pair] = []
    for internal, one, two in ((False, sun, planet), (True, planet, ring)):
        where = f"{path}.meshes.{'ring' if internal else 'sun'}_planet"
        angle = natural.get(internal)
        by_file = said[internal] is not None or (rack.module is None and given is None)
        if pin is not None and not (by_file and angle is not None):
            try:
                angle = involute.working_angle((one.base_radius, two.base_radius), pin, internal)
            except ValueError as error:
                bench.wrong(f"this stage cannot be assembled: {error}", where)
                return None, None, None
        if angle is not None and rack.module is not None and rack.angle is not None and abs(angle - rack.angle) > 1e-6:
            bench.note("derived", where, f"working pressure angle {math.degrees(angle):.4f} deg")
        pairs.append(pair_at(bench, rack, one, two, internal, angle, pin, where))
    return pin, pairs[0], pairs[1]


def _given_pin(bench: Bench, stage: PlanetaryStage, path: str) -> float | None:
    """Pin radius that the file gives, at the carrier or as centre distance [m]."""
    carrier, distance = stage.carrier, stage.centre_distance
    given = carrier.pin_radius if carrier.pin_radius is not None else (carrier.pin_diameter or 0.0) / 2.0 or None
    if given is None:
        return distance
    if distance is not None and abs(distance - given) > 1e-6 * given:
        bench.wrong("the centre distance is not the pin radius of the carrier", f"{path}.centre_distance", distance)
    return given


def _natural_angles(
    bench: Bench, rack: Rack, wheels: tuple[Size, Size, Size], said: dict[bool, float | None], path: str
) -> dict[bool, float] | None:
    """Working angle of the outer (False) and inner mesh, given or that of the profile shifts; None where they cannot close."""
    sun, planet, ring = wheels
    found: dict[bool, float] = {}
    for internal, one, two in ((False, sun, planet), (True, planet, ring)):
        angle = said[internal]
        if angle is None and rack.pressure_angle is not None:
            try:
                angle = natural_angle(rack, one, two, internal)
            except ValueError as error:
                bench.wrong(f"the profile shifts of this stage cannot be closed: {error}", f"{path}.meshes")
                return None
        if angle is not None:
            found[internal] = angle
    return found


def _carrier_inertia(bench: Bench, stage: PlanetaryStage, name: str, path: str) -> None:
    carrier = stage.carrier
    if stage.planet.mass is None or carrier.inertia_includes_planets is not None or carrier.fixed:
        return
    if carrier.inertia is None and carrier.equivalent_mass is None:
        return
    bench.wrong(
        "missing: 'inertia_includes_planets' says whether the carrier's inertia holds the planets' mass on their pins "
        "(N m_p r_c²), which must count once",
        f"{path}.carrier",
        allowed="inertia_includes_planets: true, or false",
    )


def _planetary_phases(
    bench: Bench,
    meshes: dict[str, Mesh],
    name: str,
    rack: Rack,
    outer: Pair,
    inner: Pair,
    planet: Size,
    angles: list[float],
    stage: PlanetaryStage,
) -> None:
    """Set the phases of a planetary stage's meshes, once flanks and directions are known."""
    sun_mesh, ring_mesh = meshes[f"{name}.sun_planet1"], meshes[f"{name}.ring_planet1"]
    exact = (
        outer.path is not None
        and inner.path is not None
        and outer.teeth is not None
        and inner.teeth is not None
        and rack.pressure_angle is not None
        and outer.pressure_angle is not None
        and inner.pressure_angle is not None
    )
    first, source = ((0.0, 0.0), (0.0, 0.0)), "teeth"
    zs, zr = outer.one.teeth, inner.two.teeth
    if exact:
        kinds = [
            MeshTeeth(p.teeth, p.one.shift, p.one.base_radius, p.pressure_angle, p.path, m.sigma, m.phase_direction)  # type: ignore[arg-type]
            for p, m in ((outer, sun_mesh), (inner, ring_mesh))
        ]
        (first,) = planetary_phases(kinds[0], kinds[1], planet.shift, angles[:1], rack.pressure_angle, rack.helix_angle)  # type: ignore[arg-type]
    else:
        source = "assumed"
        what = (
            "phases between the planets follow from tooth numbers; those between sun, ring and coast flanks are zero"
            if zs is not None and zr is not None
            else "no tooth numbers: all mesh phases are set to zero"
        )
        bench.note("assumed", f"stages.{name}.meshes", what)
    # from planet to planet by tooth numbers alone: given base circles need not fit the teeth to the last digit
    phases = []
    for angle in angles:
        turn = angle - angles[0]
        sun_step = ring_step = 0.0
        if zs is not None and zr is not None:
            sun_step = relative_phase(zs, turn, sun_mesh.phase_direction)
            ring_step = relative_phase(zr, turn, ring_mesh.phase_direction)
        phases.append(
            [(wrap(a + step), wrap(b + step)) for (a, b), step in zip(first, (sun_step, ring_step), strict=True)]
        )
    for i, both in enumerate(phases):
        for kind, (drive, coast) in zip(("sun_planet", "ring_planet"), both, strict=True):
            facts = getattr(stage.meshes, kind)
            key = f"{name}.{kind}{i + 1}"
            base = phases[0][0 if kind == "sun_planet" else 1]
            meshes[key] = set_phase(meshes[key], facts, drive, coast, source, base)
