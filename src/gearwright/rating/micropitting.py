"""Lubricant film along the path of contact and its ratio to the roughness (ISO/TS 6336-22, groups from memory)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .sliding import MeshLoad

Float = NDArray[np.float64]


@dataclass(frozen=True)
class Film:
    """Least film [m] and where (arc of gear one [m]), largest film [m], least lambda_GF, ``pressure`` least and largest [Pa]; the
    safety S_lambda, None without the oil's own permissible lambda."""

    least: float
    at: float
    most: float
    ratio: float
    pressure: tuple[float, float]
    safety: float | None


def film(load: MeshLoad, viscosity: float, pressure_viscosity: float, sliding: float = 1.0) -> tuple[Float, Float]:
    """Points of the path [m] and the least film thickness there [m].

    ``h = 1600 rho G^0.6 U^0.7 W^-0.13 S_GF^0.22`` with G = 1e6 alpha E_r, U = eta v_S/(2000 E_r rho), W = 2 pi p^2/E_r^2 in N/mm^2, mm,
    N s/m^2 and um. ``viscosity`` dynamic at the contact's bulk temperature [Pa s], ``pressure_viscosity`` alpha [1/Pa], ``sliding`` S_GF
    (1: the flash in the inlet is left out).
    """
    s = load.arcs
    v1, v2 = load.speeds(s)
    _, _, rho = load.radii(s)
    rho = 1e3 * rho / math.cos(load.pair.base_helix)
    modulus, pressure = 1e-6 * load.modulus, 1e-6 * load.pressure(s)
    material = 1e6 * pressure_viscosity * modulus
    speed = viscosity * (v1 + v2) / (2000.0 * modulus * rho)
    weight = 2.0 * math.pi * pressure**2 / modulus**2
    return s, 1e-6 * 1600.0 * rho * material**0.6 * speed**0.7 * weight**-0.13 * sliding**0.22


def micropitting(
    load: MeshLoad,
    viscosity: float,
    pressure_viscosity: float,
    roughness: float,
    permissible: float | None = None,
    sliding: float = 1.0,
) -> Film:
    """Film, lambda and safety of a pair; ``roughness`` mean R_a of both flanks [m], ``permissible`` lambda_GFP of the oil."""
    s, h = film(load, viscosity, pressure_viscosity, sliding)
    worst = int(np.argmin(h))
    ratio = float(h[worst]) / roughness
    p = load.pressure(s)
    safety = None if permissible is None else ratio / permissible
    return Film(float(h[worst]), float(s[worst]), float(h.max()), ratio, (float(p.min()), float(p.max())), safety)
