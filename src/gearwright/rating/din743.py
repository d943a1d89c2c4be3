"""Strength of a shaft's section after DIN 743: notch, size and surface factors, safety against fatigue and yield.

Stresses in pascals, lengths in metres, forces in newtons, moments in N m. Four examinations of universities, recomputed, hold
the factors of shoulders, keys, cross holes and grooves (``gearwright verify D``); what is from memory is named in
``docs/standards.md``. The units of the standard (N/mm^2, mm) are kept inside its formulas.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

from .iso6336_rating import MPA, RatingError

#: least safety of the standard
LEAST = 1.2
#: kinds of steel; those with an own fall of strength with the diameter
KINDS = ("structural", "fine_grained", "case_hardened_crnimo", "case_hardened", "heat_treated", "nitrided")


@dataclass(frozen=True)
class ShaftSteel:
    """A steel by its test bar: ``tensile`` and ``yield_point`` [Pa], and its kind (one of KINDS)."""

    tensile: float
    yield_point: float
    kind: str = "heat_treated"

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise RatingError(f"steel '{self.kind}': there are {', '.join(KINDS)}")


def technical_size(kind: str, diameter: float, tensile: bool) -> float:
    """K_1 of strength (``tensile``) or yield point of a part that is heat-treated at a diameter [m] up to 500 mm."""
    d = 1e3 * diameter
    if kind == "nitrided" or (tensile and kind in ("structural", "fine_grained")):
        low, slope, reference, least = 100.0, 0.23, 100.0, 0.89
    elif kind in ("structural", "fine_grained"):
        low, slope, reference, least = 32.0, 0.26, 32.0, 0.75
    elif kind == "case_hardened_crnimo" or (tensile and kind == "heat_treated"):
        low, slope, reference, least = 16.0, 0.26, 16.0, 0.67
    elif kind == "case_hardened":
        low, slope, reference, least = 16.0, 0.41, 16.0, 0.60
    else:
        low, slope, reference, least = 16.0, 0.34, 16.0, 0.57
    if d <= low:
        return 1.0
    return max(1.0 - slope * math.log10(d / reference), least)


def geometric_size(diameter: float) -> float:
    """K_2 in bending and torsion of a diameter [m]: ``1 - 0.2 lg(d/7.5)/lg 20``, 0.8 from 150 mm on."""
    d = 1e3 * diameter
    return 1.0 if d <= 7.5 else max(1.0 - 0.2 * math.log10(d / 7.5) / math.log10(20.0), 0.8)


def notch_size(diameter: float, notch: float) -> float:
    """K_3 of a measured notch factor at a diameter [m]."""
    d = 1e3 * diameter
    if d <= 7.5:
        return 1.0
    return 1.0 - 0.2 * math.log10(notch) * min(math.log10(d / 7.5) / math.log10(20.0), 1.0)


def surface(roughness: float, tensile: float) -> float:
    """K_F sigma of a roughness R_z [m] and a strength [Pa] of the part: ``1 - 0.22 lg R_z (lg(sigma_B/20) - 1)``."""
    return 1.0 - 0.22 * math.log10(max(1e6 * roughness, 1.0)) * (math.log10(min(tensile / MPA, 2000.0) / 20.0) - 1.0)


def shear_surface(factor: float) -> float:
    """K_F tau of K_F sigma."""
    return 0.575 * factor + 0.425


@dataclass(frozen=True)
class NotchFactors:
    """Notch factors beta in tension, bending, torsion; shape factors or, where they are measured, again beta (``for_yield``);
    surface factors (K_F sigma, K_F tau); whether the notch goes around the shaft."""

    tension: float
    bending: float
    torsion: float
    for_yield: tuple[float, float]
    surface: tuple[float, float]
    around: bool


class Notch(Protocol):
    """A notched section."""

    @property
    def diameter(self) -> float:
        """Of the section [m]."""
        ...

    def factors(self, part: Part) -> NotchFactors:
        """Notch factors in a part."""
        ...

    def stresses(self, force: float, bending: float, torsion: float) -> tuple[float, float, float]:
        """Nominal stresses [Pa] of a force [N] and moments [N m]."""
        ...


@dataclass(frozen=True)
class Part:
    """What surrounds a notch: strength and yield point [Pa] at the part's size, roughness R_z [m], a hard surface layer."""

    tensile: float
    yield_point: float
    roughness: float
    hard_layer: bool = False


@dataclass(frozen=True)
class _Round:
    """A solid, or hollow (``bore`` [m]), round section."""

    diameter: float
    bore: float = 0.0

    def stresses(self, force: float, bending: float, torsion: float) -> tuple[float, float, float]:
        """Nominal stresses [Pa]."""
        d, inner = self.diameter, self.bore
        area, w = math.pi / 4.0 * (d**2 - inner**2), math.pi / 32.0 * (d**4 - inner**4) / d
        return force / area, bending / w, torsion / (2.0 * w)


#: constants A, B, C, z of the shape factors in tension, bending, torsion
_SHOULDER = ((0.62, 3.5, 0.0, 0.0), (0.62, 5.8, 0.2, 3.0), (3.4, 19.0, 1.0, 2.0))
_GROOVE = ((0.22, 1.37, 0.0, 0.0), (0.20, 2.75, 0.0, 0.0), (0.70, 10.3, 0.0, 0.0))


@dataclass(frozen=True)
class Filleted(_Round):
    """A shoulder or a round groove: ``radius`` r and ``depth`` t [m] below a larger diameter d + 2 t."""

    radius: float = 0.0
    depth: float = 0.0
    groove: bool = False

    def shape_factors(self) -> tuple[float, float, float]:
        """alpha in tension, bending, torsion: ``1 + 1/sqrt(A r/t + 2 B r/d (1 + 2 r/d)^2 + C (r/t)^z d/D)``."""
        r, t, d = self.radius, self.depth, self.diameter
        if not (r / t >= 0.03 and d / (d + 2.0 * t) <= 0.98):
            raise RatingError("a shoulder or groove needs r/t of at least 0.03 and d/D of at most 0.98")
        found = []
        for a, b, c, z in _GROOVE if self.groove else _SHOULDER:
            term = a * r / t + 2.0 * b * r / d * (1.0 + 2.0 * r / d) ** 2 + c * (r / t) ** z * d / (d + 2.0 * t)
            found.append(1.0 + 1.0 / math.sqrt(term))
        return found[0], found[1], found[2]

    def factors(self, part: Part) -> NotchFactors:
        """beta = alpha/n with the support n of the stress gradient ``2.3 (1 + phi)/r`` (shoulder), ``2 (1 + phi)/r`` (groove)."""
        r, t, d = 1e3 * self.radius, 1e3 * self.depth, 1e3 * self.diameter
        phi = 1.0 / (4.0 * math.sqrt(t / r) + 2.0) if d / (d + 2.0 * t) > 0.67 else 0.0
        steep, flat = (2.0, 1.0) if self.groove else (2.3, 1.15)
        gradients = (steep * (1.0 + phi) / r, steep * (1.0 + phi) / r, flat / r)
        return _supported(self.shape_factors(), gradients, part, True)


@dataclass(frozen=True)
class CrossHole(_Round):
    """A hole of a ``radius`` [m] across the shaft."""

    radius: float = 0.0

    def factors(self, part: Part) -> NotchFactors:
        """Closed forms of the shape factors over 2 r/d."""
        r, d, x = 1e3 * self.radius, 1e3 * self.diameter, 2.0 * self.radius / self.diameter
        shape = (3.0 - x, 3.0 + 1.4 * x - 2.8 * math.sqrt(x), 2.023 - 1.125 * math.sqrt(x))
        return _supported(shape, (2.3 / r, 2.3 / r + 2.0 / d, 1.15 / r + 2.0 / d), part, False)

    def stresses(self, force: float, bending: float, torsion: float) -> tuple[float, float, float]:
        """Nominal stresses of the section without the hole [Pa]."""
        d, r = self.diameter, self.radius
        return (
            force / (math.pi * d**2 / 4.0 - 2.0 * r * d),
            bending / (math.pi * d**3 / 32.0 - r * d**2 / 3.0),
            torsion / (math.pi * d**3 / 16.0 - r * d**2 / 3.0),
        )


def _supported(
    shape: tuple[float, float, float], gradients: tuple[float, float, float], part: Part, around: bool
) -> NotchFactors:
    power = -0.7 if part.hard_layer else -(0.33 + part.yield_point / MPA / 712.0)
    beta = []
    for alpha, gradient in zip(shape, gradients, strict=True):
        beta.append(alpha / min(1.0 + math.sqrt(gradient) * 10.0**power, alpha))
    rough = surface(part.roughness, part.tensile)
    return NotchFactors(beta[0], beta[1], beta[2], shape[:2], (rough, shear_surface(rough)), around)


#: measured notches: diameter of the test bars [mm], beta in tension, bending, torsion over sigma_B [MPa], whether it goes around,
#: and the roughness [um] of the bars where beta holds it (0: beta holds all)
def _key(s: float) -> tuple[float, float, float]:
    base = 3.0 * (s / 1000.0) ** 0.38
    return base, base, 0.56 * base + 0.1


def _press_fit(s: float) -> tuple[float, float, float]:
    base = 2.7 * (s / 1000.0) ** 0.43
    return base, base, 0.65 * base


def _v_groove(s: float) -> tuple[float, float, float]:
    bending = 0.0923 * s / 100.0 + 0.985
    return 0.109 * s / 100.0 + 1.074, bending, 0.8 * bending


#: toothed shafts: share of (beta* - 1) in bending and torsion, beta* = exp(4.2e-7 sigma_B^2)
_TOOTHED = {"spline": (0.45, 1.0), "serration": (0.65, 1.0), "involute_spline": (0.49, 0.75)}


def _toothed(kind: str, s: float) -> tuple[float, float, float]:
    bend, twist = _TOOTHED[kind]
    excess = math.exp(4.2e-7 * s**2) - 1.0
    return 1.0 + bend * excess, 1.0 + bend * excess, 1.0 + twist * excess


@dataclass(frozen=True)
class Measured(_Round):
    """A notch with measured factors: ``key`` (two: ``keys``), ``press_fit``, ``v_groove``, ``spline``, ``serration``, ``involute_spline``."""

    kind: str = "key"

    def factors(self, part: Part) -> NotchFactors:
        """beta of the test bars, referred to the diameter by K_3."""
        s = part.tensile / MPA
        bar, rough = 40.0, 0.0
        if self.kind in ("key", "keys"):
            beta = tuple(b * (1.15 if self.kind == "keys" else 1.0) for b in _key(s))
        elif self.kind == "press_fit":
            beta = _press_fit(s)
        elif self.kind == "v_groove":
            beta, bar, rough = _v_groove(s), 15.0, 20.0
        elif self.kind in _TOOTHED:
            beta = _toothed(self.kind, s)
        else:
            raise RatingError(f"notch '{self.kind}': there are key, keys, press_fit, v_groove, {', '.join(_TOOTHED)}")
        own = [b * notch_size(1e-3 * bar, b) / notch_size(self.diameter, b) for b in beta]
        ground = (1.0, 1.0)
        if rough:
            f, g = surface(part.roughness, part.tensile), surface(1e-6 * rough, part.tensile)
            ground = (f / g, shear_surface(f) / shear_surface(g))
        around = self.kind in ("press_fit", "v_groove")
        return NotchFactors(own[0], own[1], own[2], (own[0], own[1]), ground, around)


@dataclass(frozen=True)
class ShaftLoads:
    """Mean, amplitude and largest value of the force [N], bending and torsion [N m] at the section."""

    force: tuple[float, float, float] = (0.0, 0.0, 0.0)
    bending: tuple[float, float, float] = (0.0, 0.0, 0.0)
    torsion: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class ShaftSafety:
    """Safeties S_D against fatigue and S_F against yield, and the factors behind them (tension, bending, torsion)."""

    fatigue: float
    yielding: float
    technical_size: tuple[float, float]
    geometric_size: float
    notch: tuple[float, float, float]
    surface: tuple[float, float]
    total: tuple[float, float, float]
    mean: tuple[float, float]
    endurance: tuple[float, float, float]
    flow: tuple[float, float, float]
    amplitudes: tuple[float, float, float]
    largest: tuple[float, float, float]


def shaft_safety(
    notch: Notch,
    steel: ShaftSteel,
    loads: ShaftLoads,
    *,
    treated: float,
    roughness: float = 10e-6,
    constant_mean: bool = True,
    hard_layer: bool = False,
    hollow: bool = False,
    hardened: float = 1.0,
) -> ShaftSafety:
    """Safeties of a section.

    Parameters
    ----------
    treated : diameter [m] at which the part was heat-treated, d_eff
    roughness : R_z [m] of the surface
    constant_mean : case 1, an overload raises the amplitude at the same mean; else case 2, both grow together
    hard_layer, hollow : a hard surface layer; a hollow shaft (K_2F)
    hardened : K_V of the surface treatment
    """
    k1 = (technical_size(steel.kind, treated, True), technical_size(steel.kind, treated, False))
    part = Part(k1[0] * steel.tensile, k1[1] * steel.yield_point, roughness, hard_layer)
    factors = notch.factors(part)
    k2 = geometric_size(notch.diameter)
    total = tuple(
        (beta / k + 1.0 / rough - 1.0) / hardened
        for beta, k, rough in (
            (factors.tension, 1.0, factors.surface[0]),
            (factors.bending, k2, factors.surface[0]),
            (factors.torsion, k2, factors.surface[1]),
        )
    )
    # fatigue under alternating load: 0.4, 0.5 and 0.3 of the strength of the bar
    alternating = [share * part.tensile / k for share, k in zip((0.4, 0.5, 0.3), total, strict=True)]
    gamma = [_raised(a, factors.around and not hard_layer) for a in factors.for_yield]
    static = (1.0, 1.0, 1.0) if hard_layer else (1.0, 1.1, 1.0) if hollow else (1.0, 1.2, 1.2)
    flow = (
        static[0] * gamma[0] * part.yield_point,
        static[1] * gamma[1] * part.yield_point,
        static[2] * part.yield_point / math.sqrt(3.0),
    )
    means, amplitudes, largest = (
        notch.stresses(*(load[i] for load in (loads.force, loads.bending, loads.torsion))) for i in range(3)
    )
    normal = means[0] + means[1]
    combined = math.copysign(normal**2, normal) + 3.0 * means[2] ** 2
    sigma_mv = math.copysign(math.sqrt(abs(combined)), combined)
    tau_mv = max(sigma_mv, 0.0) / math.sqrt(3.0)
    endurance = tuple(
        _amplitude(constant_mean, mean, amplitude, yields, wk, wk / (2.0 * part.tensile - wk))
        for mean, amplitude, yields, wk in zip((sigma_mv, sigma_mv, tau_mv), amplitudes, flow, alternating, strict=True)
    )
    return ShaftSafety(
        _circle(amplitudes, endurance),
        _circle(largest, flow),
        k1,
        k2,
        (factors.tension, factors.bending, factors.torsion),
        factors.surface,
        (total[0], total[1], total[2]),
        (sigma_mv, tau_mv),
        (endurance[0], endurance[1], endurance[2]),
        flow,
        amplitudes,
        largest,
    )


def _raised(shape: float, around: bool) -> float:
    """gamma_F: yield point raised by the notch's three axes, of notches that go around the shaft."""
    if not around or shape < 1.5:
        return 1.0
    return 1.05 if shape < 2.0 else 1.10 if shape < 3.0 else 1.15


def _amplitude(constant: bool, mean: float, amplitude: float, yields: float, alternating: float, psi: float) -> float:
    """Amplitude [Pa] that is endured with a mean stress, up to the yield point."""
    if constant:
        if mean <= (yields - alternating) / (1.0 - psi):
            return alternating - psi * mean
        return yields - mean
    ratio = mean / amplitude if amplitude else math.inf if mean > 0.0 else 0.0
    if ratio <= (yields - alternating) / (alternating - yields * psi):
        return alternating / (1.0 + psi * ratio)
    return yields / (1.0 + ratio)


def _circle(stresses: tuple[float, ...], allowed: tuple[float, ...]) -> float:
    """1/sqrt((tension + bending)^2 + torsion^2), each over what it may be; infinite without a load."""
    share = [s / a if s else 0.0 for s, a in zip(stresses, allowed, strict=True)]
    total = math.hypot(share[0] + share[1], share[2])
    return 1.0 / total if total else math.inf
