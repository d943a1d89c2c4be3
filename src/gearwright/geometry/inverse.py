"""Questions turned round: what makes a wanted backlash or overlap."""

from __future__ import annotations

import math
from dataclasses import dataclass

from . import involute
from .gear import GeometryError
from .pair import GearPair


@dataclass(frozen=True)
class Backlash:
    """One backlash in its measures [m]: ``along`` the transverse line of action (what a file says), ``normal`` to the flanks,
    ``circumferential`` at the working circles, ``radial`` of the centres."""

    along: float
    normal: float
    circumferential: float
    radial: float


def measures(pair: GearPair, along: float) -> Backlash:
    """The measures of a backlash along the transverse line of action [m]. Source: ISO 21771."""
    around = along / math.cos(pair.working_angle)
    return Backlash(along, along * math.cos(pair.base_helix), around, around / (2.0 * math.tan(pair.working_angle)))


def allowance_for(pair: GearPair, along: float) -> float:
    """Sum of the thickness allowances of both wheels [m] that makes a backlash along the transverse line of action [m].

    An allowance moves a flank by ``A cos(alpha_n)/cos(beta_b)`` along that line, whatever the distance.
    """
    given = pair.one.thickness_allowance + pair.two.thickness_allowance
    return given - (along - pair.backlash) * math.cos(pair.base_helix) / math.cos(pair.one.pressure_angle)


def distance_for(pair: GearPair, along: float) -> float:
    """Centre distance [m] at which these wheels have a backlash along the transverse line of action [m]; of an internal pair a smaller one.

    With the thicknesses at the base circles, ``j = 2 r_b1 pi/z_1 + 2 r_m inv(alpha_w) - s_b1 - s_b2`` has one root: the involute function of the working angle. Raises
    GeometryError where no distance makes it.
    """
    one, two = pair.one, pair.two
    reach = two.base_radius - one.base_radius if pair.internal else one.base_radius + two.base_radius
    # the backlash is linear in inv(alpha_w), and its slope is twice the reach, towards the other side of a ring
    slope = (-2.0 if pair.internal else 2.0) * reach
    value = involute.inv(pair.working_angle) + (along - pair.backlash) / slope
    if value <= 0.0:
        raise GeometryError(
            f"{one.name} and {two.name}: no centre distance makes a backlash of {1e6 * along:.4g} um with these teeth"
        )
    return reach / math.cos(involute.inverse_inv(value))


def helix_for(pair: GearPair, overlap: float) -> float:
    """Helix angle [rad] with which the face width makes an overlap ratio. Raises GeometryError without a width, or beyond 60 degrees."""
    width = pair.face_width
    if width is None:
        raise GeometryError(f"{pair.one.name} and {pair.two.name}: missing 'face_width'")
    sine = overlap * math.pi * pair.one.module / width
    if not 0.0 <= sine < math.sin(math.radians(60.0)):
        raise GeometryError(
            f"{pair.one.name} and {pair.two.name}: no helix below 60 deg makes an overlap of {overlap:g} with a face of "
            f"{1e3 * width:.5g} mm and module {1e3 * pair.one.module:.4g} mm; a wider face or a smaller module does"
        )
    return math.asin(sine)


def width_for(pair: GearPair, overlap: float) -> float | None:
    """Face width [m] that makes an overlap ratio with the helix that there is; None for straight teeth."""
    sine = math.sin(abs(pair.one.helix_angle))
    return overlap * math.pi * pair.one.module / sine if sine else None
