"""The outline of a tooth as the rack tool cuts it: involute, fillet by envelope, root and tip arcs.

The fillet is the envelope of :mod:`.trochoid`. A half tooth is given by radius and half angle from the tooth's middle, from the root to the tip.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gearwright.arrays import Float

from . import involute
from .gear import Gear, GeometryError
from .trochoid import envelope


@dataclass(frozen=True)
class HalfTooth:
    """Half of a tooth: ``radius`` [m] and half ``angle`` [rad] of points from root to tip; ``join`` is the index
    where the fillet ends and the involute begins, ``undercut`` says whether the fillet cuts into the flank."""

    radius: Float
    angle: Float
    join: int
    undercut: bool

    @property
    def points(self) -> Float:
        """Points (2, n) with the tooth along +y, this half at positive x [m]."""
        return np.array([self.radius * np.sin(self.angle), self.radius * np.cos(self.angle)])


def half_tooth(gear: Gear, flank: int = 60, fillet: int = 40) -> HalfTooth:
    """The half tooth of a gear with ``flank`` points on the involute and ``fillet`` points below.

    Raises GeometryError for a pointed tooth.
    """
    if gear.tip_thickness <= 0.0:
        raise GeometryError(
            f"{gear.name}: the tooth is pointed before its tip circle of {2e3 * gear.tip_radius:.5g} mm (thickness "
            f"{1e3 * gear.tip_thickness:.3g} mm); {pointed_cure(gear)}"
        )
    undercut, begin = gear.undercut, gear.form_arc
    if gear.ring:
        radius, angle = _ring_fillet(gear, fillet)
    else:
        radius, angle = envelope(gear.tool, np.linspace(0.0, gear.fillet_end, fillet))
        if undercut:
            _refuse_cut_off(gear, angle)
        if undercut or gear.root_given is not None:  # its end is the flank's begin to the last digit
            radius = _moved(radius, gear.root_radius, gear.radius(begin))
            angle = angle + gear.half_angle(gear.radius(begin)) - angle[-1]
    s = np.sqrt(np.linspace(begin**2, gear.tip_arc**2, flank + 1))[1:]
    r = np.hypot(gear.base_radius, s)
    alpha = np.arctan(s / gear.base_radius)
    psi = gear.base_half_angle - (np.tan(alpha) - alpha)
    return HalfTooth(
        np.concatenate([radius, r]),
        np.concatenate([angle, math.pi / gear.teeth - psi if gear.ring else psi]),
        len(radius) - 1,
        undercut,
    )


def pointed_cure(gear: Gear) -> str:
    """What would give a pointed tooth a tip: the largest tip diameter with 0.2 modules left."""
    from scipy.optimize import brentq

    want = 0.2 * gear.module
    low, high = (gear.tip_radius, gear.root_radius) if gear.ring else (gear.base_radius, gear.tip_radius)
    if (gear.thickness(low) - want) * (gear.thickness(high) - want) > 0.0:
        return "a smaller profile shift cures it"
    r = float(brentq(lambda r: gear.thickness(r) - want, low, high))
    return f"a tip diameter of {2e3 * r:.5g} mm leaves 0.2 modules"


def _moved(radius: Float, root: float, end: float) -> Float:
    """The fillet's radii stretched between a root circle and the radius where the flank begins."""
    return np.asarray(end - (radius[-1] - radius) * (end - root) / (radius[-1] - radius[0]))


def _refuse_cut_off(gear: Gear, angle: Float) -> None:
    """Raise GeometryError where undercut leaves nothing of a flank, or of a tooth."""
    if gear.form_arc < gear.tip_arc and angle.min() > 0.0:
        return
    what = "whole tooth off" if angle.min() <= 0.0 else "whole flank away"
    raise GeometryError(
        f"{gear.name}: the fillet cuts the {what}; a profile shift of at least {gear.minimum_shift:.3f} avoids undercut"
    )


def _ring_fillet(gear: Gear, n: int) -> tuple[Float, Float]:
    rho, s = gear.ring_fillet
    centre = gear.root_radius - rho
    psi = gear.base_half_angle - rho / gear.base_radius - involute.inv(math.acos(gear.base_radius / centre))
    # angle about the circle's centre: from the radial (root) to the normal of the flank
    end = math.pi / 2 - math.atan(gear.arc(centre) / gear.base_radius)
    turn = np.linspace(0.0, end, n)
    along, across = centre + rho * np.cos(turn), rho * np.sin(turn)
    radius = np.hypot(along, across)
    return radius, math.pi / gear.teeth - (psi + np.arctan2(across, along))


def outline(gear: Gear, flank: int = 60, fillet: int = 40, arcs: int = 12, relief: bool = True) -> Float:
    """Closed outline (2, n) of the whole gear in its transverse section, a tooth along +y [m].

    ``relief`` shows the tip relief and profile crowning on the flank (micrometres, seen in a drawing program only).
    """
    half = half_tooth(gear, flank, fillet)
    radius, angle = half.radius.copy(), half.angle.copy()
    if relief and (gear.relief is not None or gear.profile_crowning):
        for i in range(half.join, len(radius)):
            s = gear.arc(radius[i])
            angle[i] -= gear.modification(s) / gear.base_radius  # along the normal: the same on every involute
    pitch = 2.0 * math.pi / gear.teeth
    tip = np.linspace(-angle[-1], angle[-1], arcs)[1:-1]
    one_angle = np.concatenate([-angle, tip, angle[::-1]])
    one_radius = np.concatenate([radius, np.full(len(tip), radius[-1]), radius[::-1]])
    root = np.linspace(angle[0], pitch - angle[0], arcs)[1:-1] if 0.5 * pitch - angle[0] > 1e-9 else np.empty(0)
    one_angle = np.concatenate([one_angle, root])
    one_radius = np.concatenate([one_radius, np.full(len(root), radius[0])])
    turned = (one_angle[None, :] + pitch * np.arange(gear.teeth)[:, None]).ravel()
    radii = np.tile(one_radius, gear.teeth)
    return np.array([radii * np.sin(turned), radii * np.cos(turned)])
