"""One gear as it is cut: rack tool, circles, tooth thickness, flank, fillet and modifications.

SI, angles in radians. Everything is in the transverse section; heights are normal modules, as on a drawing.
Flank points are named by their base-circle arc ``s`` (roll angle times base radius; the radius of curvature of
the flank as well): ``r = sqrt(r_b² + s²)``. A ring's profile shift has the sign of S0 (positive lets its teeth
grow inwards, as :mod:`.involute` says); its space is the tooth of the external gear of the opposite shift.

Source: S0 digest section 7 (rack envelope), ISO 21771.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from gearwright.errors import InputError

from . import involute
from .trochoid import Tool, undercut_end


class GeometryError(InputError):
    """A gear or pair that cannot be made: the message says which number is wrong and what would cure it."""


@dataclass(frozen=True)
class Relief:
    """Tip relief: ``amount`` [m] normal to the flank at the tip circle, zero at radius ``start`` [m], in
    between ``linear`` or ``parabolic`` over the arc ``s``."""

    amount: float
    start: float
    shape: str = "linear"

    def depth(self, gear: Gear, s: float) -> float:
        """Material taken off at arc ``s`` [m]."""
        begin, tip = gear.arc(self.start), gear.tip_arc
        x = (s - begin) / (tip - begin)
        if gear.ring:  # the tip of a ring is where its arc is smallest
            x = (begin - s) / (begin - tip)
        if x <= 0.0:
            return 0.0
        return self.amount * (x if self.shape == "linear" else x * x)


@dataclass(frozen=True)
class Steel:
    """Elastic data: Young's modulus [Pa], Poisson's ratio."""

    young: float = 206e9
    poisson: float = 0.3

    @property
    def plane(self) -> float:
        """Plane-strain compliance ``(1 - nu²)/E`` [1/Pa]."""
        return (1.0 - self.poisson**2) / self.young


@dataclass(frozen=True)
class Gear:
    """An involute gear.

    Attributes
    ----------
    teeth, module : number of teeth; normal module [m]
    pressure_angle, helix_angle : normal pressure angle of the rack, helix at the reference circle
    shift : profile shift in modules
    ring : internal teeth
    face_width : [m]; None if not known
    addendum, dedendum : of the tooth and of the tool's tip, in modules
    tool_tip : tip rounding of the tool in modules: ``standard`` (the clearance ``dedendum - addendum`` is all
        rounding), ``full`` (one radius from flank to flank), or a number
    tip_given, root_given : radii [m] that win over those of addendum and dedendum
    shortening : added to the addendum [m], usually negative
    thickness_allowance : added to the normal tooth thickness at the reference circle [m], negative for backlash
    fillet_radius : of a ring's root, in modules (a rack cannot make one)
    rim : radius of the bore of an external gear, of the outside of a ring [m]; None if not known
    material : elastic data; None if not known
    relief, profile_crowning, lead_crowning : modifications; crownings [m]
    lead_slope : taken off the working flank at the end of the face at larger x, over the other end [m]
    bias : taken off at the tip of the end at larger x and at the root of the other, as much left standing at the other two corners [m]
    """

    teeth: int
    module: float
    pressure_angle: float = math.radians(20.0)
    helix_angle: float = 0.0
    shift: float = 0.0
    ring: bool = False
    face_width: float | None = None
    addendum: float = 1.0
    dedendum: float = 1.25
    tool_tip: str | float = "standard"
    tip_given: float | None = None
    root_given: float | None = None
    shortening: float = 0.0
    thickness_allowance: float = 0.0
    fillet_radius: float = 0.2
    rim: float | None = None
    material: Steel | None = None
    relief: Relief | None = None
    profile_crowning: float = 0.0
    lead_crowning: float = 0.0
    lead_slope: float = 0.0
    bias: float = 0.0
    name: str = field(default="gear", compare=False)

    def __post_init__(self) -> None:
        if not 0.0 < self.pressure_angle < math.radians(45.0) or abs(self.helix_angle) >= math.radians(60.0):
            raise GeometryError(
                f"{self.name}: a pressure angle of {math.degrees(self.pressure_angle):g} deg with a helix of "
                f"{math.degrees(self.helix_angle):g} deg makes no gear; common are 20 deg and 0 to 30 deg"
            )

    # --- circles -------------------------------------------------------------------------------------------

    @property
    def transverse_module(self) -> float:
        """``m_n / cos(beta)`` [m]."""
        return involute.transverse_module(self.module, self.helix_angle)

    @property
    def transverse_angle(self) -> float:
        """Transverse pressure angle of the rack."""
        return involute.transverse_angle(self.pressure_angle, self.helix_angle)

    @property
    def reference_radius(self) -> float:
        """``m_t z / 2`` [m]."""
        return 0.5 * self.teeth * self.transverse_module

    @property
    def virtual_number(self) -> float:
        """Teeth of the spur gear in the normal section, ``z/cos(beta)^3``."""
        return self.teeth / math.cos(self.helix_angle) ** 3

    @property
    def base_radius(self) -> float:
        """[m]"""
        return involute.base_radius(self.teeth, self.module, self.pressure_angle, self.helix_angle)

    @property
    def base_pitch(self) -> float:
        """Transverse base pitch [m]."""
        return involute.base_pitch(self.module, self.pressure_angle, self.helix_angle)

    @property
    def tip_radius(self) -> float:
        """[m]"""
        if self.tip_given is not None:
            return self.tip_given
        return involute.tip_radius(
            self.teeth, self.module, self.shift, self.helix_angle, self.addendum, self.shortening, self.ring
        )

    @property
    def cut_shift(self) -> float:
        """Profile shift of the cut flank: the nominal one with the thickness allowance [modules]."""
        return self.shift + self.thickness_allowance / (2.0 * self.module * math.tan(self.pressure_angle))

    @property
    def root_radius(self) -> float:
        """[m]"""
        if self.root_given is not None:
            return self.root_given
        depth = self.module * (self.dedendum - self.cut_shift)
        return self.reference_radius + depth if self.ring else self.reference_radius - depth

    # --- flank ---------------------------------------------------------------------------------------------

    def arc(self, radius: float) -> float:
        """Base-circle arc ``s`` of the flank point at a radius (0 inside the base circle) [m]."""
        return math.sqrt(max(radius**2 - self.base_radius**2, 0.0))

    def radius(self, s: float) -> float:
        """Radius of the flank point at arc ``s`` [m]."""
        return math.hypot(self.base_radius, s)

    @property
    def tip_arc(self) -> float:
        """``s`` at the tip [m]."""
        return self.arc(self.tip_radius)

    @property
    def base_half_angle(self) -> float:
        """Half angle at the base circle of the tooth (external), of the space (ring)."""
        x = -self.cut_shift if self.ring else self.cut_shift
        return involute.half_tooth_angle(self.teeth, x, self.pressure_angle, self.helix_angle)

    def half_angle(self, radius: float) -> float:
        """Half angle of the tooth at a radius on the involute, seen from the gear's centre."""
        ratio = self.base_radius / radius
        alpha = math.acos(ratio) if ratio < 1.0 else 0.0
        psi = self.base_half_angle - involute.inv(alpha)
        return math.pi / self.teeth - psi if self.ring else psi

    def thickness(self, radius: float) -> float:
        """Transverse tooth thickness (arc) at a radius [m]."""
        return 2.0 * radius * self.half_angle(radius)

    @property
    def tip_thickness(self) -> float:
        """Transverse tooth thickness at the tip circle [m]."""
        return self.thickness(self.tip_radius)

    # --- tool ----------------------------------------------------------------------------------------------

    @property
    def rounding(self) -> float:
        """Tip rounding of the rack tool in modules, normal section.

        Raises GeometryError where the tool has no room for it.
        """
        a = self.pressure_angle
        full = (0.25 * math.pi - self.dedendum * math.tan(a)) * math.cos(a) / (1.0 - math.sin(a))
        if self.tool_tip == "full":
            return full
        if self.tool_tip == "standard":
            return min((self.dedendum - self.addendum) / (1.0 - math.sin(a)), full)
        radius = float(self.tool_tip)
        if not 0.0 <= radius <= full * (1.0 + 1e-9):
            raise GeometryError(f"{self.name}: a tool tip radius of {radius:g} modules is not between 0 and {full:.4f}")
        return radius

    @property
    def straight(self) -> float:
        """Height above the reference line up to which the tool's flank is straight, in modules."""
        return self.dedendum - self.rounding * (1.0 - math.sin(self.pressure_angle))

    @property
    def tool(self) -> Tool:
        """The rack that cuts the gear."""
        return Tool(
            self.teeth,
            self.cut_shift,
            self.transverse_module,
            self.pressure_angle,
            self.helix_angle,
            self.dedendum,
            self.rounding,
            self.straight,
        )

    @property
    def tool_arc(self) -> float:
        """``s`` of the flank point that the end of the rack's straight flank cuts [m]; negative: it undercuts the tooth."""
        height = self.module * (self.straight - self.cut_shift)
        return self.base_radius * math.tan(self.transverse_angle) - height / math.sin(self.transverse_angle)

    @property
    def undercut(self) -> bool:
        """Whether the tool's rounding cuts into the involute. A root circle that is given is not the tool's: none."""
        return not self.ring and self.root_given is None and self.tool_arc < 0.0

    @cached_property
    def _cut(self) -> tuple[float, float]:
        if not self.undercut:
            return 1.0, max(self.tool_arc, 0.0)
        t, radius = undercut_end(self.tool, self.base_radius, self.base_half_angle)
        return t, self.arc(radius)

    @property
    def fillet_end(self) -> float:
        """``t`` of :func:`.trochoid.envelope` where the fillet of an external tooth meets the involute."""
        return self._cut[0]

    @property
    def form_arc(self) -> float:
        """``s`` where the involute of the tooth begins (external) or ends (ring) at the fillet, undercut or not [m]."""
        return self.ring_fillet[1] if self.ring else self._cut[1]

    @property
    def ring_fillet(self) -> tuple[float, float]:
        """Fillet radius [m] of a ring and the arc ``s`` where it meets the flank.

        The circle touches the root circle and the flank; its centre lies on the involute that is parallel to
        the flank. Where the space is too narrow the radius is the largest that fits.
        """
        rb, psi, root = self.base_radius, self.base_half_angle, self.root_radius
        rho = self.fillet_radius * self.module

        def centre_angle(rho: float) -> float:
            r = root - rho
            return psi - rho / rb - involute.inv(math.acos(min(rb / r, 1.0)))

        if centre_angle(rho) < 0.0:
            from scipy.optimize import brentq

            if centre_angle(0.0) <= 0.0:
                raise GeometryError(
                    f"{self.name}: the spaces of the ring are pointed before the root circle of "
                    f"{2e3 * root:.4g} mm; a smaller dedendum or another profile shift cures it"
                )
            rho = float(brentq(centre_angle, 0.0, rho))
        return rho, math.sqrt((root - rho) ** 2 - rb**2) + rho

    @property
    def minimum_shift(self) -> float:
        """Profile shift below which a rack undercuts the teeth [modules]."""
        lead = 0.5 * self.teeth / math.cos(self.helix_angle) * math.sin(self.transverse_angle) ** 2
        return self.straight - lead

    def modification(self, s: float) -> float:
        """Material taken off the flank at arc ``s`` [m]: tip relief and profile crowning."""
        depth = self.relief.depth(self, s) if self.relief is not None else 0.0
        if self.profile_crowning:
            low, high = sorted((self.form_arc, self.tip_arc))
            x = (2.0 * s - low - high) / (high - low)
            depth += self.profile_crowning * x * x
        return depth

    def height(self, s: Any) -> Any:
        """Place on the involute at arcs ``s``: -1 at its lower end, 1 at the tip."""
        return (2.0 * s - self.form_arc - self.tip_arc) / (self.tip_arc - self.form_arc)
