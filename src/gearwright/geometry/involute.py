"""Involute geometry of gear pairs: angles, centre distance, path of contact, contact ratio.

SI, angles in radians, tooth numbers positive for both kinds of pair; the profile shift of a ring has the sign
of its source (S0): positive moves the reference profile away from the ring's centre, so that
``x_planet + x_ring`` of an internal pair enters like a difference of tooth numbers with ``z_ring < 0``.

Helical gears are treated in the transverse plane: module ``m_t = m_n / cos(beta)``, angle
``tan(alpha_t) = tan(alpha_n) / cos(beta)``, shifts and addenda in normal modules.

Source: S0 digest section 5; ISO 21771 for the helical relations.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


def inv(angle: float) -> float:
    """Involute function ``tan(a) - a``."""
    return math.tan(angle) - angle


def inverse_inv(value: float) -> float:
    """The angle in [0, pi/2) whose involute function is ``value`` (>= 0), to round-off.

    Newton's method from the series ``a = (3 v)^(1/3)``; raises ``ValueError`` for a negative value.
    """
    if value < 0.0:
        raise ValueError(f"no angle has the involute function {value:g}; it must not be negative")
    if value == 0.0:
        return 0.0
    cube = (3.0 * value) ** (1.0 / 3.0)
    angle = cube / (1.0 + cube * cube * 0.13333) if value < 1.0 else math.pi / 2.0 - 1.0 / (value + math.pi / 2.0)
    for _ in range(50):
        step = (inv(angle) - value) / math.tan(angle) ** 2
        angle = min(max(angle - step, 1e-12), math.pi / 2.0 - 1e-12)
        if abs(step) <= 2e-16 * angle:
            break
    return angle


def transverse_module(module: float, helix_angle: float = 0.0) -> float:
    """Transverse module of a normal one [m]."""
    return module / math.cos(helix_angle)


def transverse_angle(pressure_angle: float, helix_angle: float = 0.0) -> float:
    """Transverse pressure angle of a normal one."""
    return math.atan(math.tan(pressure_angle) / math.cos(helix_angle))


def base_helix(pressure_angle: float, helix_angle: float) -> float:
    """Helix angle on the base cylinder: ``sin(b_b) = sin(b) cos(alpha_n)``."""
    return math.asin(math.sin(helix_angle) * math.cos(pressure_angle))


def base_radius(teeth: int, module: float, pressure_angle: float, helix_angle: float = 0.0) -> float:
    """Base radius ``m_t z cos(alpha_t) / 2`` [m] from normal module and pressure angle."""
    angle = transverse_angle(pressure_angle, helix_angle)
    return 0.5 * teeth * transverse_module(module, helix_angle) * math.cos(angle)


def base_pitch(module: float, pressure_angle: float, helix_angle: float = 0.0) -> float:
    """Transverse base pitch ``pi m_t cos(alpha_t)`` [m]."""
    return math.pi * transverse_module(module, helix_angle) * math.cos(transverse_angle(pressure_angle, helix_angle))


def working_angle_from_shifts(
    teeth: tuple[int, int],
    shifts: tuple[float, float],
    pressure_angle: float,
    helix_angle: float = 0.0,
    internal: bool = False,
) -> float:
    """Transverse working angle of a pair without backlash from its profile shifts.

    ``inv a_w = inv a_t + 2 tan(a_n) (x1 + x2) / (z1 + z2)``, with ``z2 < 0`` for a ring (S0 section 5). Raises
    ``ValueError`` where no such angle exists.
    """
    total = teeth[0] + (-teeth[1] if internal else teeth[1])
    if internal and total >= 0:
        raise ValueError(f"a ring of {teeth[1]} teeth does not go around a wheel of {teeth[0]}; it needs more teeth")
    value = inv(transverse_angle(pressure_angle, helix_angle))
    value += 2.0 * math.tan(pressure_angle) * (shifts[0] + shifts[1]) / total
    return inverse_inv(value)


def backlash_by_rule(distance: float, module: float) -> float:
    """Least normal backlash of a gear pair of metal that works at ordinary speeds and temperatures [m].

    distance : centre distance, of a ring and a planet by its amount [m]; module : normal module [m]
    ``j_bn,min = 2/3 (0.06 + 0.0005 a + 0.03 m_n)``, all in mm. Source: ISO/TR 10064-2, annex on backlash.
    Raises ValueError for a module that is not above zero.
    """
    if not module > 0.0:
        raise ValueError(f"backlash by rule needs a normal module above 0, not {module:g} m")
    return 2.0 / 3.0 * (60e-6 + 0.0005 * abs(distance) + 0.03 * module)


def shift_sum(
    teeth: tuple[int, int],
    working_angle: float,
    pressure_angle: float,
    helix_angle: float = 0.0,
    internal: bool = False,
) -> float:
    """Sum of the profile shifts ``x1 + x2`` that closes a pair without backlash at a working angle."""
    total = teeth[0] + (-teeth[1] if internal else teeth[1])
    change = inv(working_angle) - inv(transverse_angle(pressure_angle, helix_angle))
    return total * change / (2.0 * math.tan(pressure_angle))


def centre_distance(base_radii: tuple[float, float], working_angle: float, internal: bool = False) -> float:
    """Centre distance ``(rb1 + rb2) / cos(a_w)``, internal ``(rb2 - rb1) / cos(a_w)`` [m]."""
    return _reach(base_radii, internal) / math.cos(working_angle)


def working_angle(base_radii: tuple[float, float], distance: float, internal: bool = False) -> float:
    """Working angle of a pair from base radii and centre distance; ``ValueError`` if they cannot mesh."""
    reach = _reach(base_radii, internal)
    if internal and reach <= 0.0:
        raise ValueError(
            f"the base radius of the ring ({1e3 * base_radii[1]:.6g} mm) must be larger than that of the wheel in it "
            f"({1e3 * base_radii[0]:.6g} mm)"
        )
    if reach >= distance:
        what = "difference" if internal else "sum"
        raise ValueError(
            f"the {what} of the base radii ({1e3 * reach:.6g} mm) must be less than the centre distance "
            f"({1e3 * distance:.6g} mm)"
        )
    return math.acos(reach / distance)


def _reach(base_radii: tuple[float, float], internal: bool) -> float:
    return base_radii[1] - base_radii[0] if internal else base_radii[0] + base_radii[1]


def tip_radius(
    teeth: int,
    module: float,
    shift: float = 0.0,
    helix_angle: float = 0.0,
    addendum: float = 1.0,
    shortening: float = 0.0,
    ring: bool = False,
) -> float:
    """Tip radius [m]: ``m_t z/2 + m (addendum + x) + shortening``; ring ``m_t z/2 - m (addendum + x)``.

    ``shortening`` is ``k m_n``, usually negative (shorter teeth); none by default, as S0 has it.
    """
    reference = 0.5 * teeth * transverse_module(module, helix_angle)
    height = module * (addendum + shift) + shortening
    return reference - height if ring else reference + height


def half_tooth_angle(teeth: int, shift: float, pressure_angle: float, helix_angle: float = 0.0) -> float:
    """Half tooth angle at the base circle, ``(pi/2 + 2 x tan a_n)/z + inv a_t`` (external teeth)."""
    angle = transverse_angle(pressure_angle, helix_angle)
    return (0.5 * math.pi + 2.0 * shift * math.tan(pressure_angle)) / teeth + inv(angle)


@dataclass(frozen=True)
class Path:
    """The path of contact, by the base-circle arc ``s`` of wheel 1 (internal pair: the planet).

    Attributes
    ----------
    s_c : length between the tangent points: ``s1 + s2`` (external) or ``s_ring - s_planet`` (internal) [m]
    start, end : smallest and largest ``s`` in contact [m]
    pitch_point : ``s`` at the pitch point [m]
    base_pitch : [m]
    """

    s_c: float
    start: float
    end: float
    pitch_point: float
    base_pitch: float

    @property
    def contact_ratio(self) -> float:
        """Transverse contact ratio."""
        return (self.end - self.start) / self.base_pitch


def path_of_contact(
    base_radii: tuple[float, float],
    tip_radii: tuple[float, float],
    angle: float,
    pitch: float,
    internal: bool = False,
) -> Path:
    """Path of contact between the tips, from base and tip radii, working angle and base pitch.

    External: ``s_min = s_c - sqrt(ra2² - rb2²)``, ``s_max = sqrt(ra1² - rb1²)``; internal (wheel 1 the planet):
    ``s_min = sqrt(ra_r² - rb_r²) - s_c`` (S0 section 5). No contact begins before the tangent point of wheel 1,
    and that of an external wheel 2 bounds the end. Raises ``ValueError`` if a tip lies inside its base circle.
    """
    for name, tip, base in zip(("wheel 1", "wheel 2"), tip_radii, base_radii, strict=True):
        if tip <= base:
            raise ValueError(f"the tip radius of {name} ({tip:.6g} m) lies inside its base circle ({base:.6g} m)")
    reach1 = math.sqrt(tip_radii[0] ** 2 - base_radii[0] ** 2)
    reach2 = math.sqrt(tip_radii[1] ** 2 - base_radii[1] ** 2)
    s_c = _reach(base_radii, internal) * math.tan(angle)
    start = reach2 - s_c if internal else s_c - reach2
    end = reach1 if internal else min(reach1, s_c)
    return Path(s_c, max(start, 0.0), end, base_radii[0] * math.tan(angle), pitch)


def overlap_ratio(face_width: float, helix_angle: float, module: float) -> float:
    """Overlap ratio ``b sin(beta) / (pi m_n)``."""
    return face_width * math.sin(abs(helix_angle)) / (math.pi * module)
