"""Rolling bearings by type: what a drawing or a catalogue says becomes rows of rolling elements.

Cylindrical, full-complement, tapered and spherical roller bearings; deep-groove and angular-contact ball bearings; one
or two rows. Source: ISO/TS 16281:2008 (contact constants, profile); T. A. Harris, Rolling Bearing Analysis.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from gearwright.bearings.stiffness import BearingRows, RollingBearing, line_constant
from gearwright.stiffness.hertz import PointContact, line_pressure, point_contact

#: types, and whether their elements are balls
TYPES: Mapping[str, bool] = {
    "cylindrical": False,
    "full_complement": False,
    "tapered": False,
    "spherical": False,
    "deep_groove": True,
    "angular_contact": True,
}
#: how two rows stand to each other: contact lines meeting outside (O), inside (X), or both the same way
ARRANGEMENTS = ("back_to_back", "face_to_face", "tandem")
#: logarithmic profile of ISO/TS 16281 as a share of the roller's diameter
LOGARITHMIC = 0.00035

_ANGLED = ("tapered", "spherical", "angular_contact")


@dataclass(frozen=True)
class BearingGeometry:
    """A rolling bearing.

    type : one of :data:`TYPES`
    element_diameter : D_w [m] of the balls or rollers (mean diameter of tapered ones)
    pitch_diameter : D_pw [m]
    elements : Z per row; a full complement counts itself
    element_length : effective length L_we [m] of the rollers
    contact_angle : a_0 [rad]; deep-groove and cylindrical bearings have none
    play : radial internal clearance [m], the full diametral play of the catalogue; negative is preload
    rows, arrangement, spread : 1 or 2 rows, how they stand, and the distance [m] of their centres; a spherical bearing
        has two that need neither
    count : equal bearings side by side that share the load
    slices, profile : slices of a roller, and ``logarithmic``, or the crowning [m] of its ends, or 0
    osculation : groove radius over ball diameter (f_i, f_o)
    constant : K_n of ``Q = K_n delta^n`` [N/m^n] where it is known; default by ISO/TS 16281 (steel)
    young, poisson : of rings and elements

    Raises ValueError for numbers that describe no bearing.
    """

    type: str
    element_diameter: float
    pitch_diameter: float
    elements: int | None = None
    element_length: float | None = None
    contact_angle: float = 0.0
    play: float = 0.0
    rows: int = 1
    arrangement: str = "back_to_back"
    spread: float = 0.0
    count: int = 1
    slices: int = 1
    profile: float | str = 0.0
    osculation: tuple[float, float] = (0.52, 0.53)
    constant: float | None = None
    young: float = 206e9
    poisson: float = 0.3

    def __post_init__(self) -> None:
        if self.type not in TYPES:
            raise ValueError(f"there is no bearing type '{self.type}'; types: {', '.join(TYPES)}")
        if not 0.0 < self.element_diameter < self.pitch_diameter:
            raise ValueError(
                f"element_diameter {self.element_diameter:g} m must be positive and below pitch_diameter "
                f"{self.pitch_diameter:g} m"
            )
        if self.is_ball and (self.slices > 1 or self.profile):
            raise ValueError("balls have neither slices nor a profile")
        if not self.is_ball and not (self.element_length and self.element_length > 0.0):
            raise ValueError(f"a {self.word} bearing needs element_length, the effective length of its rollers")
        if self.type in _ANGLED and not 0.0 < self.contact_angle < math.pi / 2.0:
            raise ValueError(f"a {self.word} bearing needs a contact_angle between 0 and 90 degrees")
        if self.type not in _ANGLED and self.contact_angle != 0.0:
            raise ValueError(f"a {self.word} bearing has no contact_angle; tapered or angular_contact ones have")
        if self.arrangement not in ARRANGEMENTS:
            raise ValueError(f"there is no arrangement '{self.arrangement}'; choose one of {', '.join(ARRANGEMENTS)}")
        if self.rows not in (1, 2):
            raise ValueError(f"a bearing has one or two rows, got {self.rows}; for several side by side give count")
        if self.elements is None and self.type != "full_complement":
            raise ValueError(f"a {self.word} bearing needs the number of its elements")
        most = self.most_elements
        if self.elements is not None and not 2 <= self.elements <= most:
            raise ValueError(
                f"{self.elements} elements of {1e3 * self.element_diameter:g} mm do not fit on a pitch diameter of "
                f"{1e3 * self.pitch_diameter:g} mm: from 2 to {most}"
            )
        if isinstance(self.profile, str) and self.profile != "logarithmic":
            raise ValueError(f"profile '{self.profile}': 'logarithmic', or the crowning of the ends as a length")
        if self.profile and self.slices == 1:
            raise ValueError("a profile needs slices (ISO/TS 16281 asks for 30 or more)")

    @property
    def word(self) -> str:
        """The type for people."""
        return self.type.replace("_", "-")

    @property
    def is_ball(self) -> bool:
        """Whether the elements are balls."""
        return TYPES[self.type]

    @property
    def most_elements(self) -> int:
        """Elements that fit side by side on the pitch circle of one row."""
        return int(math.pi / math.asin(self.element_diameter / self.pitch_diameter) + 1e-9)

    @property
    def per_row(self) -> int:
        """Z of one row."""
        return self.elements or self.most_elements

    @property
    def row_count(self) -> int:
        """Rows of one bearing."""
        return 2 if self.type == "spherical" else self.rows

    @property
    def gamma(self) -> float:
        """``D_w cos(a_0) / D_pw``."""
        return self.element_diameter * math.cos(self.contact_angle) / self.pitch_diameter

    @property
    def compliance(self) -> float:
        """``2 (1 - nu^2) / E`` [1/Pa]."""
        return 2.0 * (1.0 - self.poisson**2) / self.young

    def race_contact(self, outer: bool) -> PointContact:
        """Contact of a ball with a groove. Raises ValueError for rollers."""
        if not self.is_ball:
            raise ValueError("rollers touch along a line")
        sign = -1.0 if outer else 1.0
        f, curved = self.osculation[int(outer)], sign * self.gamma / (1.0 - sign * self.gamma)
        if not f > 0.5:
            raise ValueError(f"osculation {f:g}: the groove must be larger than the ball, above 0.5")
        total = 2.0 + curved - 0.5 / f
        return point_contact(2.0 * total / self.element_diameter, (curved + 0.5 / f) / total, self.compliance)

    def race_curvature(self, outer: bool) -> float:
        """Sum of the curvatures [1/m] of a roller and a raceway."""
        sign = -1.0 if outer else 1.0
        return 2.0 / (self.element_diameter * (1.0 - sign * self.gamma))

    def contact_pressure(self, load: float, outer: bool = False) -> float:
        """Largest pressure [Pa] of an element under a load [N], the load spread evenly along a roller."""
        if self.is_ball:
            return self.race_contact(outer).pressure(load)
        assert self.element_length is not None
        return line_pressure(load / self.element_length, self.race_curvature(outer), self.compliance)

    @property
    def contact_constant(self) -> float:
        """K_n [N/m^n] of an element between both rings."""
        if self.constant is not None:
            return self.constant
        if self.is_ball:
            inner, outer = (self.race_contact(o).stiffness for o in (False, True))
            return float((inner ** (-2.0 / 3.0) + outer ** (-2.0 / 3.0)) ** -1.5)
        assert self.element_length is not None
        # the standard's constant is that of steel; another modulus scales the contact
        return line_constant(self.element_length) * self.young / 206e9

    @property
    def free_contact_angle(self) -> float:
        """Contact angle [rad] of the unloaded ball bearing: play gives a deep-groove one an angle."""
        if not self.is_ball:
            return self.contact_angle
        reach = self.centre_distance * math.cos(self.contact_angle) - 0.5 * max(self.play, 0.0)
        return math.acos(min(max(reach / self.centre_distance, -1.0), 1.0))

    @property
    def centre_distance(self) -> float:
        """A_0 [m] of the groove centres of a ball bearing."""
        return (sum(self.osculation) - 1.0) * self.element_diameter if self.is_ball else 0.0

    def bearing(self) -> BearingRows:
        """The rows, ready to be asked for loads and stiffness about the bearing's centre."""
        radius = 0.5 * self.pitch_diameter
        profile = LOGARITHMIC * self.element_diameter if self.profile == "logarithmic" else float(self.profile)
        one = {
            "elements": self.per_row,
            "pitch_radius": radius,
            "constant": self.contact_constant,
            "clearance": 0.5 * self.play,
            "centre_distance": self.centre_distance,
            "slices": self.slices,
            "length": self.element_length or 0.0,
            "profile": profile,
            "logarithmic": self.profile == "logarithmic",
        }
        a = self.contact_angle
        if self.type == "spherical":
            # the lines of contact pass through the centre of the outer sphere: tilting moves no roller
            lever = radius * math.tan(a)
            places = [(a, lever), (-a, -lever)]
        elif self.rows == 1:
            places = [(a, 0.0)]
        else:
            half = 0.5 * self.spread
            places = {
                "back_to_back": [(a, -half), (-a, half)],
                "face_to_face": [(-a, -half), (a, half)],
                "tandem": [(a, -half), (a, half)],
            }[self.arrangement]
        made = tuple(RollingBearing(contact_angle=angle, offset=place, **one) for angle, place in places)  # type: ignore[arg-type]
        return BearingRows(made, self.count)
