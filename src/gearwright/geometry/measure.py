"""Sizes by which the thickness of teeth is measured: over a span of teeth, over pins or balls.

Everything from the involutes at the base circle: a span touches two flanks, so it is a sum of base pitches and a thickness at the base
circle; a ball touches two flanks of a space, so its centre lies on the involutes that are parallel to them at its radius.
Source: ISO 21771, clauses on span size and on the dimension over balls.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from . import involute
from .gear import Gear, GeometryError


@dataclass(frozen=True)
class Span:
    """Size [m] ``over`` so many teeth (of a ring: the spaces between), where it touches the flanks: ``diameter`` [m]; ``width``: least face width [m] that holds
    the plates of helical teeth."""

    over: int
    size: float
    diameter: float
    width: float


@dataclass(frozen=True)
class Pins:
    """Size [m] over two balls (pins of spur teeth) of a ``pin`` diameter [m], of a ring between them; where they touch the flanks:
    ``contact`` diameter [m]; ``centre``: diameter of their centres [m]."""

    pin: float
    size: float
    contact: float
    centre: float


def _base_helix(gear: Gear) -> float:
    return involute.base_helix(gear.pressure_angle, abs(gear.helix_angle))


def span_over(gear: Gear, over: int) -> Span:
    """Span size over a number of teeth of an external gear, or of the spaces of a spur ring.

    ``W_k = (k - 1) p_bn + s_bn``. Raises GeometryError for rings with helical teeth, and where it meets no involute.
    """
    if gear.ring and gear.helix_angle:
        raise GeometryError(f"{gear.name}: helical teeth of a ring have no span size; measure them between balls")
    helix = _base_helix(gear)
    pitch = 2.0 * math.pi * gear.base_radius / gear.teeth
    base = 2.0 * gear.base_half_angle * gear.base_radius  # of a ring: the width of its space
    along = (over - 1) * pitch + base
    # transverse the flanks are touched half of it from the tangent point; the plates lie along the base helix
    reach = 0.5 * along * math.cos(helix) ** 2
    diameter = 2.0 * math.hypot(gear.base_radius, reach)
    return Span(over, along * math.cos(helix), diameter, along * math.cos(helix) * math.sin(helix))


def span(gear: Gear) -> Span:
    """Span size over the number of teeth that touches nearest to the shifted reference circle. Raises GeometryError where no number
    of teeth touches the involute between form and tip circle."""
    middle = gear.reference_radius + (-gear.shift if gear.ring else gear.shift) * gear.module
    ends = sorted((gear.radius(gear.form_arc), gear.tip_radius))
    found = [span_over(gear, k) for k in range(1, gear.teeth // 2 + 1)]
    inside = [s for s in found if ends[0] <= 0.5 * s.diameter <= ends[1]]
    if not inside:
        raise GeometryError(f"{gear.name}: no span of teeth touches the involute between form and tip circle")
    return min(inside, key=lambda s: abs(0.5 * s.diameter - middle))


def pin_at(gear: Gear, radius: float) -> float:
    """Diameter [m] of the ball that touches the flanks of a space at a radius. Raises GeometryError where there is none."""
    flank = gear.arc(radius) / gear.base_radius  # tangent of the pressure angle
    if gear.ring:
        centre = math.tan(flank - gear.base_half_angle) if flank > gear.base_half_angle else -1.0
    else:
        angle = flank + math.pi / gear.teeth - gear.base_half_angle
        centre = math.tan(angle) if angle < 0.5 * math.pi else -1.0
    found = 2.0 * gear.base_radius * math.cos(_base_helix(gear)) * abs(centre - flank)
    if centre < 0.0 or found <= 0.0:
        raise GeometryError(f"{gear.name}: no ball touches both flanks of a space at {2e3 * radius:.5g} mm")
    return found


def pins(gear: Gear, pin: float | None = None) -> Pins:
    """Size over balls of a diameter [m]; None: the ball that touches at the shifted reference circle, up to the next 0.25 mm.

    Spur teeth may be measured over pins. Raises GeometryError where the ball touches no involute.
    """
    if pin is None:
        middle = gear.reference_radius + (-gear.shift if gear.ring else gear.shift) * gear.module
        pin = 0.25e-3 * math.ceil(pin_at(gear, middle) / 0.25e-3 - 1e-6)
    turned = pin / (2.0 * gear.base_radius * math.cos(_base_helix(gear)))
    value = gear.base_half_angle - turned if gear.ring else gear.base_half_angle - math.pi / gear.teeth + turned
    if value <= 0.0:
        side = "large" if gear.ring else "small"
        raise GeometryError(f"{gear.name}: a ball of {1e3 * pin:.4g} mm is too {side}: it touches no involute")
    alpha = involute.inverse_inv(value)
    radius = gear.base_radius / math.cos(alpha)
    flank = math.tan(alpha) + (turned if gear.ring else -turned)
    contact = gear.radius(gear.base_radius * flank) if flank > 0.0 else 0.0
    ends = sorted((gear.radius(gear.form_arc), gear.tip_radius))
    if not ends[0] <= contact <= ends[1]:
        raise GeometryError(
            f"{gear.name}: a ball of {1e3 * pin:.4g} mm touches at {2e3 * contact:.5g} mm, outside the involute from "
            f"{2e3 * ends[0]:.5g} to {2e3 * ends[1]:.5g} mm"
        )
    across = radius * (1.0 if gear.teeth % 2 == 0 else math.cos(0.5 * math.pi / gear.teeth))
    size = 2.0 * across - pin if gear.ring else 2.0 * across + pin
    return Pins(pin, size, 2.0 * contact, 2.0 * radius)
