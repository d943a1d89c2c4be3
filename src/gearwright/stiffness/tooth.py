"""The stiffness of one tooth over its flank, by finite elements or by formulas, kept on disk.

Compliance is per face width and holds for a Hertz pressure of a reference half width; other half widths shift it
by a logarithm (see :mod:`.fe`). Between the computed points the stiffness is a polynomial in the arc ``s``.
"""

from __future__ import annotations

import hashlib
import json
import math
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from gearwright.arrays import Float
from gearwright.geometry.gear import Gear, GeometryError, Steel
from gearwright.kernels.cache import cache_folder
from gearwright.parts import whole

from .analytic import compliances
from .fe import compliances as elements
from .fe import needs, shift_of_width

#: methods that know a tooth
METHODS = ("fe", "analytic")
#: number of points on the flank, degree of the polynomial, refinement of the elements
POINTS, DEGREE, FINE = 8, 5, 1.5
#: half width of the computed loads, and how far the outermost points stay from fillet and tip [modules]: at the tip
#: the corner itself would give way, which no polynomial follows
REFERENCE, INSET, TIP_INSET = 0.02, 0.05, 0.06
#: raised when the elements or formulas change, so that old results on disk are not read
EDITION = 1


@dataclass(frozen=True)
class ToothStiffness:
    """Compliance of a tooth over its flank.

    Attributes
    ----------
    gear, method : what was computed, and how
    half_width : reference half width of the pressure [m]
    arcs, compliances : points ``s`` [m] and compliance there [m per N/m]
    root_stress : largest tensile stress in the fillet per load and width [Pa per N/m] at the points (``fe`` only)
    """

    gear: Gear
    method: str
    half_width: float
    arcs: Float
    compliances: Float
    root_stress: Float | None = None

    @property
    def steel(self) -> Steel:
        """Material of the gear."""
        assert self.gear.material is not None
        return self.gear.material

    @cached_property
    def polynomial(self) -> Any:
        """Stiffness per width [N/m²] at the reference half width as a numpy polynomial in ``s`` [m].

        The stiffness is close to a parabola in ``s``, its inverse is not: hence the polynomial is the stiffness.
        """
        domain = (float(self.arcs.min()), float(self.arcs.max()))
        return np.polynomial.Polynomial.fit(self.arcs, 1.0 / self.compliances, DEGREE, domain=domain)

    def compliance(self, s: Any, half_width: Any = None) -> Any:
        """Compliance [m per N/m] at arcs ``s`` [m]; beyond the flank that of its end."""
        low, high = self.polynomial.domain
        root, tip = INSET * self.gear.module, TIP_INSET * self.gear.module
        rest = (tip, root) if self.gear.ring else (root, tip)  # what the points leave free up to the flank's ends
        c = 1.0 / self.polynomial(np.clip(s, low - rest[0], high + rest[1]))
        if half_width is None:
            return c
        return c - 2.0 * self.steel.plane / math.pi * np.log(np.asarray(half_width) / self.half_width)

    def stiffness(self, s: Any, half_width: Any = None) -> Any:
        """Stiffness [N/m] of the tooth over its face width. GeometryError without a face width."""
        if self.gear.face_width is None:
            raise GeometryError(f"{self.gear.name}: missing 'face_width'")
        return self.gear.face_width / self.compliance(s, half_width)

    def fit(self, half_width: float | None = None, arcs: Float | None = None) -> tuple[float, float, float]:
        """``K = c0 + c1 s²`` [N/m, N/m³] by least squares over the flank, and the largest residual over the mean K."""
        s = self.arcs if arcs is None else arcs
        k = self.stiffness(s, half_width)
        a = np.column_stack([np.ones(len(s)), s**2])
        c, *_ = np.linalg.lstsq(a, k, rcond=None)
        return float(c[0]), float(c[1]), float(np.abs(a @ c - k).max() / k.mean())

    def root(self, s: Any) -> Any:
        """Largest tensile fillet stress [Pa per N/m]; None for a method without stresses."""
        if self.root_stress is None:
            return None
        fitted = np.polynomial.Polynomial.fit(self.arcs, self.root_stress, DEGREE)
        return fitted(np.clip(s, float(self.arcs.min()), float(self.arcs.max())))


def parabolic_tooth(gear: Gear, c0: float, c1: float, half_width: float) -> ToothStiffness:
    """A tooth whose stiffness over its face width is a given parabola ``c0 + c1 s²`` [N/m, N/m³].

    Raises GeometryError where that is not positive up to the tip, or without face width and material.
    """
    if gear.face_width is None or gear.material is None:
        raise GeometryError(f"{gear.name}: a stiffness parabola needs 'face_width' and 'material'")
    arcs = np.linspace(*((gear.tip_arc, gear.arc(gear.root_radius)) if gear.ring else (0.0, gear.tip_arc)), 9)
    k = c0 + c1 * arcs**2
    if k.min() <= 0.0:
        raise GeometryError(f"{gear.name}: the parabola {c0:g} + {c1:g} s² is not positive over its tooth")
    return ToothStiffness(gear, "parabola", half_width, arcs, gear.face_width / k)


def flank_arcs(gear: Gear, n: int = POINTS) -> Float:
    """``n`` arcs over the involute flank, denser at its ends (Chebyshev-Lobatto), a hair inside them."""
    low, high = sorted((max(gear.form_arc, 0.02 * gear.module), gear.tip_arc))
    low, high = _inside(gear, low, high)
    if high <= low:
        raise GeometryError(f"{gear.name} has no involute flank between its fillet and its tip")
    x = -np.cos(np.pi * np.arange(n) / (n - 1))
    return np.asarray(0.5 * (low + high) + 0.5 * (high - low) * x)


def _inside(gear: Gear, low: float, high: float) -> tuple[float, float]:
    root, tip = INSET * gear.module, TIP_INSET * gear.module
    return (low + tip, high - root) if gear.ring else (low + root, high - tip)


def tooth_stiffness(
    gear: Gear, method: str, half_width: float, fine: float = FINE, cache: bool = True
) -> ToothStiffness:
    """Compliance of a gear's tooth over its flank at a half width [m].

    Raises GeometryError for missing material or rim (``fe``), ValueError for an unknown method.
    """
    if method not in METHODS:
        raise ValueError(f"a tooth's stiffness comes from {' or '.join(METHODS)}, not from '{method}'")
    if method == "analytic":
        if gear.material is None:
            raise GeometryError(f"{gear.name}: the stiffness of its teeth needs 'material' (young, poisson)")
        arcs = flank_arcs(gear, 25)
        return ToothStiffness(gear, method, half_width, arcs, compliances(gear, gear.material, arcs, half_width))
    steel = needs(gear)
    # one computation serves all half widths
    reference = REFERENCE * gear.module
    arcs = flank_arcs(gear)
    key = _key(gear, reference, fine)
    kept = _read(key) if cache else None
    if kept is None:
        c, root = elements(gear, arcs, reference, fine)
        if cache:
            _write(key, c, root)
    else:
        c, root = kept
    return ToothStiffness(gear, method, half_width, arcs, c + shift_of_width(steel, half_width, reference), root)


# --- on disk ----------------------------------------------------------------------------------------------------


def teeth_folder() -> Path | None:
    """Folder of computed teeth in the user's cache; None where nothing can be kept."""
    return cache_folder("teeth")


def _key(gear: Gear, reference: float, fine: float) -> str:
    facts = {
        k: v
        for k, v in asdict(gear).items()
        if k not in ("name", "relief", "face_width", "lead_crowning", "lead_slope", "bias", "profile_crowning")
    }
    text = json.dumps([EDITION, facts, reference, fine, POINTS], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _read(key: str) -> tuple[Float, Float] | None:
    folder = teeth_folder()
    if folder is None:
        return None
    try:
        data = json.loads((folder / f"{key}.json").read_text(encoding="ascii"))
        c, root = np.array(data["compliance"], float), np.array(data["root_stress"], float)
    except (OSError, ValueError, KeyError, TypeError):
        return None  # not there, or not ours: compute
    return (c, root) if c.shape == root.shape == (POINTS,) else None


def _write(key: str, c: Float, root: Float) -> None:
    """Keep a result; a folder that cannot be written costs only the time of the next computation."""
    folder = teeth_folder()
    if folder is None:
        return
    with suppress(OSError), whole(folder / f"{key}.json") as part:
        part.write_text(json.dumps({"compliance": c.tolist(), "root_stress": root.tolist()}), encoding="ascii")
