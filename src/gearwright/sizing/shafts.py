"""Shafts by their torsional stress, carriers as discs, and the bearings of main shaft, carriers, wheels and pinions by the loads they know."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gearwright.errors import DrivetrainError

from .bearings import Chosen, least_bearing
from .ratings import MESH_LOAD, Ratings
from .stage import Stage

#: load of bearings that does the damage of the whole life, over that at rated torque
BEARING_LOAD = 0.75
#: diameters of shafts are whole numbers of BAR, bores of their bearings of BORE [m]
BAR, BORE = 5e-3, 10e-3
#: shear stress [Pa] of main shaft, of sun shafts, of shafts with wheels; length over diameter of main and sun shafts
MAIN_STRESS, SUN_STRESS, WHEEL_STRESS = 55e6, 30e6, 20e6
MAIN_LENGTH, SUN_LENGTH = 2.9, 1.5
#: places of the main bearings along the main shaft, and half the width of a carrier over the face width of its wheels
MAIN_SEATS, CARRIER_HALF = (0.15, 0.85), 0.7
#: mass of a rotor per power [kg/W], density of steel [kg/m^3], gravity [m/s^2]
ROTOR_MASS, DENSITY, GRAVITY = 22e-3, 7830.0, 9.81


@dataclass(frozen=True)
class Shaft:
    """A round bar between two bodies; ``stress`` is the torsional stress at rated torque [Pa]."""

    name: str
    between: tuple[str, str]
    diameter: float
    length: float
    stress: float
    spline: bool

    @property
    def mass(self) -> float:
        """Mass of the bar [kg]."""
        return DENSITY * math.pi / 4.0 * self.diameter**2 * self.length


@dataclass(frozen=True)
class Seat:
    """A bearing of a body of the train or of the main shaft: ``body``, place along it [m], whether it also holds it along the axis."""

    body: str
    place: float
    locating: bool
    bearing: Chosen


@dataclass(frozen=True)
class Carrier:
    """Mass [kg] and inertia [kg m^2] of a carrier without its planets."""

    mass: float
    inertia: float


def bearing_hours(ratings: Ratings) -> float:
    """Life at rated load [h] that bearings are chosen for: the wanted hours at :data:`BEARING_LOAD` of it."""
    return float(ratings.margins.hours * BEARING_LOAD ** (10.0 / 3.0))


def ends(number: int, planets: int) -> tuple[str, str]:
    """Bodies of a stage on its slow and fast side."""
    return (
        (f"stage{number}.carrier", f"stage{number}.sun")
        if planets
        else (f"stage{number}.wheel", f"stage{number}.pinion")
    )


def _bar(torque: float, stress: float) -> float:
    """Diameter [m] of a round bar under a torque [N m] at a shear stress [Pa], up to whole steps."""
    return BAR * math.ceil((16.0 * torque / (math.pi * stress)) ** (1.0 / 3.0) / BAR)


def shafts_of(ratings: Ratings, stages: Sequence[Stage]) -> Iterator[Shaft]:
    """Main shaft, shafts between the stages, high-speed shaft."""

    def shaft(name: str, between: tuple[str, str], torque: float, stress: float, slender: float, spline: bool) -> Shaft:
        d = _bar(torque, stress)
        return Shaft(name, between, d, 10e-3 * round(slender * d / 10e-3), 16.0 * torque / (math.pi * d**3), spline)

    torque = ratings.torque
    yield shaft("main", ("rotor", ends(1, ratings.layout[0])[0]), torque, MAIN_STRESS, MAIN_LENGTH, False)
    for i, stage in enumerate(stages, 1):
        torque /= stage.ratio
        planets = stage.duty.planets
        fast = ends(i, planets)[1]
        if i == len(stages):
            yield shaft("high_speed", (fast, "generator"), torque, WHEEL_STRESS, 4.0, False)
        else:
            slow = ends(i + 1, ratings.layout[i])[0]
            stress, slender = (SUN_STRESS, SUN_LENGTH) if planets else (WHEEL_STRESS, 1.0)
            yield shaft(f"shaft{i}", (fast, slow), torque, stress, slender, bool(planets))


def carrier_of(stage: Stage) -> Carrier | None:
    """A disc of radius ``a + 0.75 r_p``, 0.45 of the face wide: two walls and their webs; None for a parallel stage."""
    if not stage.duty.planets:
        return None
    radius = stage.distance + 0.75 * stage.pairs[0].two.reference_radius
    mass = DENSITY * math.pi * radius**2 * 0.45 * stage.rack.width
    return Carrier(mass, 0.5 * mass * radius**2)


def seats_of(
    ratings: Ratings, stages: Sequence[Stage], shafts: Sequence[Shaft], carriers: Sequence[Carrier | None]
) -> Iterator[Seat]:
    """Bearings of the main shaft, of carriers, and of the wheels and pinions of parallel stages: two each.

    Raises DrivetrainError where none of the plan lives long enough.
    """
    yield from _main_seats(ratings, shafts[0])
    for i, (stage, carrier) in enumerate(zip(stages, carriers, strict=True), 1):
        both = shafts[i - 1 : i + 1]
        if carrier is None:
            yield from _wheel_seats(i, stage, both, bearing_hours(ratings))
        else:
            yield from _carrier_seats(i, stage, carrier, both, ratings.margins.hours)


def _least(body: str, kinds: Sequence[str], bore: float, load: float, speed: float, hours: float) -> Chosen:
    """The lightest bearing of the first type that lives long enough. Raises DrivetrainError."""
    for kind in kinds:
        found = least_bearing(kind, bore, load, speed, hours)
        if found is not None:
            return found
    raise DrivetrainError(
        f"{body}: no rolling bearing with a bore of {1e3 * bore:.0f} mm lives {hours:.0f} h under {1e-3 * load:.4g} kN; "
        f"a smaller ratio or fewer hours"
    )


def bore_of(shaft: Shaft) -> float:
    """Bore [m] of the bearings on a shaft: its diameter, up to whole steps."""
    return BORE * math.ceil(shaft.diameter / BORE - 1e-9)


def main_loads(ratings: Ratings, main: Shaft) -> tuple[float, float]:
    """Loads [N] of the main bearings from the weights of rotor and shaft alone, positive upwards, on a beam on two props."""
    one, two = (share * main.length for share in MAIN_SEATS)
    weights = ((ROTOR_MASS * ratings.power, 0.0), (main.mass, 0.5 * main.length))
    second = GRAVITY * sum(m * (x - one) for m, x in weights) / (two - one)
    return GRAVITY * sum(m for m, _ in weights) - second, second


def _main_seats(ratings: Ratings, main: Shaft) -> Iterator[Seat]:
    """Spherical roller bearings of the main shaft, which weights load through the whole life; the one at the gearbox locates it."""
    for share, load in zip(MAIN_SEATS, main_loads(ratings, main), strict=True):
        found = _least(
            "main shaft", ("spherical",), bore_of(main), abs(load), ratings.rotor_speed, ratings.margins.hours
        )
        yield Seat(main.name, round(share * main.length, 2), share == MAIN_SEATS[-1], found)


def carrier_load(stage: Stage, carrier: Carrier, shafts: Sequence[Shaft]) -> float:
    """Load [N] of both bearings of a carrier: the weights of carrier, planets, sun and half of the ``shafts`` on both sides, and what is
    left of the planets' pin forces where one of them carries K_gamma times the mean and the others share the rest."""
    n = stage.duty.planets
    wheel = [
        DENSITY * math.pi * g.reference_radius**2 * stage.rack.width for g in (stage.pairs[0].one, stage.pairs[0].two)
    ]
    weight = GRAVITY * (carrier.mass + wheel[0] + n * wheel[1] + 0.5 * sum(s.mass for s in shafts))
    return weight + 2.0 * stage.force * (MESH_LOAD[n] - 1.0) * n / (n - 1.0)


def _carrier_seats(
    number: int, stage: Stage, carrier: Carrier, shafts: Sequence[Shaft], hours: float
) -> Iterator[Seat]:
    """Full-complement bearings on both sides of a carrier, whose bore is the diameter of its slow shaft; the one behind locates it."""
    body = ends(number, stage.duty.planets)[0]
    load = 0.5 * carrier_load(stage, carrier, shafts)
    found = _least(body, ("full_complement",), bore_of(shafts[0]), load, stage.duty.speed, hours)
    place = 1e-3 * round(1e3 * (CARRIER_HALF * stage.rack.width + 0.5 * found.width))
    yield Seat(body, -place, False, found)
    yield Seat(body, place, True, found)


def _wheel_seats(number: int, stage: Stage, shafts: Sequence[Shaft], hours: float) -> Iterator[Seat]:
    """Bearings of wheel and pinion of a parallel stage: two each, outside of the teeth."""
    pair, b, duty = stage.pairs[0], stage.rack.width, stage.duty
    alpha, beta = pair.working_angle, stage.rack.helix
    radial, axial = stage.force * math.tan(alpha), stage.force * math.tan(beta)
    slow, fast = ends(number, 0)
    for body, gear, shaft, speed in (
        (slow, pair.two, shafts[0], duty.speed),
        (fast, pair.one, shafts[1], duty.speed * stage.ratio),
    ):
        bore = min(bore_of(shaft), BORE * (math.floor(2.0 * gear.root_radius / BORE) - 1))
        span = 1.2 * b
        for _ in range(3):  # the span follows the width of the bearing
            tipped = axial * gear.reference_radius / span
            load = math.hypot(0.5 * stage.force, 0.5 * radial + tipped)
            found = _least(body, ("cylindrical", "full_complement"), bore, load, speed, hours)
            span = b + found.width + 0.02
        place = 1e-3 * round(500.0 * span)
        yield Seat(body, -place, False, found)
        yield Seat(body, place, True, found)
