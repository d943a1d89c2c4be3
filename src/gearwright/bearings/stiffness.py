"""Loads and 6 x 6 tangent stiffness of a rolling bearing from its geometry.

Motions, loads and matrix are in the order x (shaft axis), y, z, rotation, tilt_y, tilt_z: displacement of the inner
ring against the outer one, load that the bearing takes from the inner ring. Rolling element j sits at the angle psi_j
from y towards z. Rollers keep their contact angle; the contact angle of balls follows the displacement. Rollers may
be cut into slices with a profile, as ISO/TS 16281 has it. The rotation is free: its row and column are zero.

Source: T. C. Lim, R. Singh, J. Sound Vib. 139 (1990) 179-199, in the form of digest S1 section 5; ISO/TS 16281:2008.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from gearwright.arrays import Float
from gearwright.bearings.sums import ball_bearing, roller_bearing

#: exponents of the contact law, and of line contact in the standard's slices
ROLLER_EXPONENT = 10.0 / 9.0
BALL_EXPONENT = 1.5


class Support(ABC):
    """What one row and a set of rows have in common: everything that follows from :meth:`evaluate`."""

    # what a start of the search for a displacement needs to know
    pitch_radius: float
    clearance: float
    stiff_elements: float
    exponent: float

    @abstractmethod
    def evaluate(self, displacement: ArrayLike) -> tuple[Float, Float, Float]:
        """Load (6) [N, N m], tangent stiffness (6, 6) and load of each element (Z) [N] at a displacement (6) [m, rad].

        Raises ValueError for a displacement that is not six finite numbers.
        """

    def load(self, displacement: ArrayLike) -> Float:
        """Load (6) [N, N m] at a displacement."""
        return self.evaluate(displacement)[0]

    def stiffness(self, displacement: ArrayLike) -> Float:
        """Tangent stiffness (6, 6) at a displacement."""
        return self.evaluate(displacement)[1]

    def under_load(
        self,
        load: ArrayLike,
        motions: tuple[int, ...] = (1, 2),
        tolerance: float = 1e-10,
        held: ArrayLike | None = None,
    ) -> Float:
        """Displacement (6) at which the bearing carries a load in the given motions; the others stay as ``held`` (zero).

        Newton's method from a displacement towards the load, with halved steps where the error would grow. Raises
        ValueError when the bearing cannot carry the load in these motions: a cylindrical one has no axial stiffness,
        and rollers without slices touch on one line each, so that their moments follow from the forces (add slices, or
        leave the tilts held).
        """
        wanted = np.asarray(load, float)
        if wanted.shape != (6,) or not np.isfinite(wanted).all():
            raise ValueError("the load of a bearing is six finite numbers: forces x, y, z and moments about x, y, z")
        free = list(motions)
        rest = [i for i in range(6) if i not in free and wanted[i] != 0.0]
        if rest:
            raise ValueError(f"the load has parts in the motions {rest}, which are held at zero; add them to 'motions'")
        # metres and radians on one scale
        scale = np.array([1.0, 1.0, 1.0, 1.0, self.pitch_radius, self.pitch_radius])
        size = float(np.linalg.norm(wanted / scale))
        d = np.zeros(6) if held is None else np.array(held, float)
        d[free] = 0.0
        if size == 0.0 and not d.any():
            return d
        if size == 0.0:  # a held tilt alone: forces are measured against what it takes
            size = float(np.linalg.norm(self.load(d) / scale)) or 1.0
        start = max(self.clearance, 0.0) + (4.0 * size / self.stiff_elements) ** (1.0 / self.exponent)
        d[free] = (start * wanted / scale / size / scale)[free]
        s = scale[free]
        found, matrix, _ = self.evaluate(d)
        error = (found - wanted)[free] / s
        for _ in range(200):
            if np.linalg.norm(error) <= tolerance * size:
                return d
            tangent = matrix[np.ix_(free, free)] / np.outer(s, s)
            step = -np.linalg.lstsq(tangent, error, rcond=1e-12)[0] / s
            fraction = 1.0
            while fraction > 1e-6:
                trial = d.copy()
                trial[free] += fraction * step
                found, matrix, _ = self.evaluate(trial)
                new = (found - wanted)[free] / s
                if np.linalg.norm(new) < np.linalg.norm(error):
                    break
                fraction /= 2.0
            else:
                break
            d, error = trial, new
        raise ValueError("the bearing finds no displacement that carries this load in these motions")


@dataclass(frozen=True)
class RollingBearing(Support):
    """One row of rolling elements.

    elements : their number Z
    pitch_radius : distance [m] of the element centres from the axis
    constant : K_n of ``Q = K_n delta^n`` of an element between both rings [N/m^n]
    contact_angle : a_0 [rad], 0 cylindrical (or deep-groove), pi/2 thrust; positive takes a positive axial load,
        negative a negative one
    clearance : radial clearance r_L [m] on one side, half of the diametral play; negative is preload
    first_angle : psi of the first element [rad]
    centre_distance : A_0 [m] of the groove centres of a ball bearing, ``(f_i + f_o - 1) D_w``; zero for rollers
    slices, length, profile : number of slices of a roller, its effective length [m], and how much the ends are set
        back: a slice at s is lowered by ``profile (2 s / L)^2`` [m] (one surface; both count)
    logarithmic : the profile is ``profile ln(1 / (1 - (2 s / L)^2))`` instead (ISO/TS 16281 takes 0.00035 D_we)
    offset : axial place [m] of the row's centre from the point whose displacement is meant

    Raises ValueError for numbers that describe no bearing.
    """

    elements: int
    pitch_radius: float
    constant: float
    contact_angle: float = 0.0
    clearance: float = 0.0
    first_angle: float = 0.0
    centre_distance: float = 0.0
    slices: int = 1
    length: float = 0.0
    profile: float = 0.0
    logarithmic: bool = False
    offset: float = 0.0

    def __post_init__(self) -> None:
        if self.elements < 2:
            raise ValueError(f"a bearing has at least two rolling elements, got {self.elements}")
        for name in ("pitch_radius", "constant"):
            if not getattr(self, name) > 0.0:
                raise ValueError(f"{name} of a bearing must be positive, got {getattr(self, name):g}")
        if not abs(self.contact_angle) <= math.pi / 2.0:
            raise ValueError(f"contact_angle {self.contact_angle:g} rad: from -pi/2 to pi/2")
        if self.centre_distance < 0.0 or self.profile < 0.0:
            raise ValueError("centre_distance and profile must not be negative")
        if self.slices < 1 or (self.slices > 1 and not self.length > 0.0):
            raise ValueError("slices need a positive effective length, and their number is at least 1")
        if self.is_ball and self.slices > 1:
            raise ValueError("balls have no slices")
        if self.profile > 0.0 and self.slices == 1:
            raise ValueError("a profile needs slices")

    @property
    def is_ball(self) -> bool:
        """Whether the contact angle follows the displacement."""
        return self.centre_distance > 0.0

    @property
    def exponent(self) -> float:  # type: ignore[override]
        """n of the contact law."""
        return BALL_EXPONENT if self.is_ball else ROLLER_EXPONENT

    @property
    def stiff_elements(self) -> float:  # type: ignore[override]
        """``Z K_n``."""
        return self.elements * self.constant

    @cached_property
    def slice_places(self) -> Float:
        """Middle of each slice along the roller (slices) [m]."""
        return self.length * ((np.arange(self.slices) + 0.5) / self.slices - 0.5)

    @cached_property
    def slice_profile(self) -> Float:
        """How much each slice is set back, both surfaces together (slices) [m]."""
        if self.profile == 0.0:
            return np.zeros(self.slices)
        square = (2.0 * self.slice_places / self.length) ** 2
        return 2.0 * self.profile * (-np.log1p(-square) if self.logarithmic else square)

    def evaluate(self, displacement: ArrayLike) -> tuple[Float, Float, Float]:
        """As :meth:`Support.evaluate`."""
        load, stiffness, slices = self.in_slices(displacement)
        return load, stiffness, slices[:, 0] if self.slices == 1 else slices.sum(axis=1)

    def in_slices(self, displacement: ArrayLike) -> tuple[Float, Float, Float]:
        """Load, stiffness and the load of every slice (Z, slices) [N]."""
        d = np.ascontiguousarray(displacement, float)
        # a sum is finite where all its parts are
        if d.shape != (6,) or not math.isfinite(d.sum()):
            raise ValueError("the displacement of a bearing is six finite numbers: x, y, z, rotation, tilt_y, tilt_z")
        room = np.zeros(42 + self.elements * self.slices)
        load, stiffness, elements = room[:6], room[6:42], room[42:]
        r, a, gap, first = self.pitch_radius, self.contact_angle, self.clearance, self.first_angle
        if self.is_ball:
            ball_bearing(
                d, r, self.constant, a, gap, first, self.offset, self.centre_distance, load, stiffness, elements
            )
        else:
            roller_bearing(
                d,
                r,
                self.constant,
                a,
                gap,
                first,
                self.offset,
                self.slice_places,
                self.slice_profile,
                load,
                stiffness,
                elements,
            )
        return load, stiffness.reshape(6, 6), elements.reshape(self.elements, self.slices)

    def stribeck_factor(self, radial_load: float) -> float:
        """Largest element load times their number over the load, ``Q_max Z / F_r``, under a radial load [N] along y."""
        if not radial_load > 0.0:
            raise ValueError(f"radial load must be positive, got {radial_load:g}")
        d = self.under_load([0.0, radial_load, 0.0, 0.0, 0.0, 0.0])
        return float(self.evaluate(d)[2].max() * self.elements / radial_load)


@dataclass(frozen=True)
class BearingRows(Support):
    """Rows of rolling elements on one shaft that move together: double-row and spherical bearings, pairs.

    ``count`` equal sets of these rows stand side by side and share the load: stiffness and load are multiplied, element
    loads are those of one set. Raises ValueError without a row.
    """

    rows: tuple[RollingBearing, ...]
    count: int = 1

    def __post_init__(self) -> None:
        if not self.rows or self.count < 1:
            raise ValueError("a bearing has at least one row")

    @property
    def pitch_radius(self) -> float:  # type: ignore[override]
        """Of the first row."""
        return self.rows[0].pitch_radius

    @property
    def clearance(self) -> float:  # type: ignore[override]
        """Largest of the rows."""
        return max(row.clearance for row in self.rows)

    @property
    def exponent(self) -> float:  # type: ignore[override]
        """n of the contact law."""
        return self.rows[0].exponent

    @property
    def stiff_elements(self) -> float:  # type: ignore[override]
        """``Z K_n`` of all rows."""
        return self.count * sum(row.stiff_elements for row in self.rows)

    def evaluate(self, displacement: ArrayLike) -> tuple[Float, Float, Float]:
        """As :meth:`Support.evaluate`; the elements of the rows follow each other."""
        parts = [row.evaluate(displacement) for row in self.rows]
        load = self.count * np.sum([p[0] for p in parts], axis=0)
        stiffness = self.count * np.sum([p[1] for p in parts], axis=0)
        return load, stiffness, np.concatenate([p[2] for p in parts])


def line_constant(length: float) -> float:
    """K_n [N/m^(10/9)] of a steel roller of an effective length [m] between both rings: ``35 948 L^(8/9)`` in N and mm.

    Source: ISO/TS 16281:2008.
    """
    if not length > 0.0:
        raise ValueError(f"effective length must be positive, got {length:g}")
    return float(35948.0 * (1e3 * length) ** (8.0 / 9.0) * 1e3**ROLLER_EXPONENT)
