"""Ratings of gears, losses, scuffing and shafts: worked examples of standards and of universities, a public report, recomputations."""

from __future__ import annotations

import dataclasses
import math
from functools import cache

import numpy as np

from gearwright.geometry.gear import Gear, Steel
from gearwright.geometry.pair import GearPair
from gearwright.rating import din743, din3990, losses, scuffing
from gearwright.rating import iso6336_bending as root
from gearwright.rating import iso6336_rating as iso
from gearwright.rating import load_factors as k
from gearwright.rating.micropitting import micropitting
from gearwright.rating.sliding import MeshLoad, local_loss_factor, loss_factor
from gearwright.train.expand import expand
from gearwright.train.open import load
from gearwright.train.teeth import tooth_pair

from .registry import computes, computes_each
from .teeth import analytic_shares

_A20 = math.radians(20.0)
_RPM = math.pi / 30.0

# --- ISO/TR 6336-30, example 1 ---------------------------------------------------------------------------------------


@cache
def _tr30() -> tuple[GearPair, float]:
    """The pair and its nominal force [N]."""
    beta, width = math.radians(15.8), 0.1
    one = Gear(17, 8e-3, _A20, beta, 0.145, dedendum=1.4, tip_given=79.83e-3, face_width=width)
    two = Gear(103, 8e-3, _A20, beta, 0.0, dedendum=1.4, tip_given=436.1775e-3, face_width=width)
    return GearPair(one, two, 0.5), 9000.0 / one.reference_radius


@cache
def _tr30_dynamic() -> k.DynamicFactor:
    pair, force = _tr30()
    return k.dynamic_factor(k.DynamicFacts(pair, 360.0 * _RPM, force / 0.1, 5, relief=70e-6))


@cache
def _tr30_face() -> k.FaceLoad:
    pair, force = _tr30()
    stiff = k.face_stiffness(pair, force / 0.1)
    made = k.manufacturing_misalignment(pair, 0.1, 5)
    return k.face_load_by_c(
        k.MisalignmentFacts(force / 0.1 * _tr30_dynamic().value, 0.1, 2.0 * pair.one.reference_radius, stiff, made)
    )


@computes("R.kv.tr30")
def _kv() -> float:
    return _tr30_dynamic().value


@computes("R.kv.tr30.parts")
def _kv_parts() -> dict[str, float]:
    d = _tr30_dynamic()
    return {
        "N": d.resonance_ratio,
        "m_red": 1e-3 * d.reduced_mass,
        "B_p": d.pitch_part,
        "B_f": d.profile_part,
        "B_k": d.relief_part,
        "n_E1": d.resonance_speed / _RPM,
    }


@computes("R.khbeta.tr30")
def _khbeta() -> dict[str, float]:
    f = _tr30_face()
    return {
        "f_sh": 1e6 * f.deflection,
        "f_ma": 1e6 * f.manufacture,
        "F_bx": 1e6 * f.initial,
        "F_by": 1e6 * f.effective,
        "K_Hb": f.value,
    }


@computes("R.kfbeta.tr30")
def _kfbeta() -> float:
    pair, _ = _tr30()
    return k.face_load_factor_bending(1.16, 0.1, pair.one.tip_radius - pair.one.root_radius)


@computes("R.khalpha.tr30")
def _khalpha() -> list[float]:
    pair, force = _tr30()
    found = k.transverse_factors(pair, force / 0.1 * _tr30_dynamic().value * _tr30_face().value, 5)
    return [found.contact, found.formula]


@computes("R.z.tr30")
def _z() -> dict[str, float]:
    pair, force = _tr30()
    z = iso.contact_factors(pair)
    nominal = 1e-6 * iso.nominal_contact_stress(pair, force, z, 0.1)
    stress = nominal * math.sqrt(_tr30_dynamic().value * 1.16)
    return {
        "Z_H": z.zone,
        "Z_E": z.elasticity,
        "Z_eps": z.contact_ratio,
        "Z_beta": z.helix,
        "sigma_H0": nominal,
        "sigma_H": stress,
    }


# --- DIN 3990-11 -----------------------------------------------------------------------------------------------------


@cache
def _din11() -> tuple[GearPair, float]:
    """The pair of the worked example, and its nominal force [N] of 1500 kW at 275.2/min."""
    beta = math.radians(7.0)
    one = Gear(
        23, 16e-3, _A20, beta, 0.313, dedendum=1.4, tool_tip=0.25, face_width=0.48
    )  # the protuberance is the root's
    two = Gear(113, 16e-3, _A20, beta, -0.071, dedendum=1.25, tool_tip=0.25, face_width=0.48)
    return GearPair.closed(one, two), 1500e3 / (275.2 * _RPM) / one.reference_radius


@cache
def _din11_dynamic() -> float:
    pair, force = _din11()
    return din3990.dynamic_factor_c(pair, 275.2 * _RPM, 1.25 * force / 0.48, 6)


@cache
def _din11_face() -> k.FaceLoad:
    pair, force = _din11()
    place = k.PinionPlace("e", span=1.125, offset=0.169875, shaft=0.37)
    unit = 1.25 * force / 0.48 * _din11_dynamic()
    # DIN 3990-11 has 20 N/(mm um) for c_gamma
    return k.face_load_by_c(
        k.MisalignmentFacts(
            unit,
            0.48,
            2.0 * pair.one.reference_radius,
            20e9,
            10e-6,
            limits=(1500e6, 740e6),
            treatments=("case_hardened", "through_hardened"),
            place=place,
            proven_pattern=True,
        )
    )


@computes("R.din11.kv")
def _din11_kv() -> float:
    return _din11_dynamic()


def _din11_bending() -> float:
    pair, _ = _din11()
    return k.face_load_factor_bending(_din11_face().value, 0.48, _height(pair.one))


def _height(gear: Gear) -> float:
    return abs(gear.tip_radius - gear.root_radius)


@computes("R.din11.khbeta")
def _din11_khbeta() -> dict[str, float]:
    f = _din11_face()
    return {
        "F_t": _din11()[1],
        "f_sh": 1e6 * f.deflection,
        "F_bx": 1e6 * f.initial,
        "y_b": 1e6 * f.running_in,
        "F_by": 1e6 * f.effective,
        "K_Hb": f.value,
        "K_Fb": _din11_bending(),
    }


@computes("R.din11.sh")
def _din11_sh() -> dict[str, float]:
    pair, force = _din11()
    z = dataclasses.replace(iso.contact_factors(pair), helix=din3990.helix_factor(pair))
    nominal = 1e-6 * iso.nominal_contact_stress(pair, force, z, 0.48)
    stress = nominal * math.sqrt(1.25 * _din11_dynamic() * _din11_face().value)
    hardening, size, oil = iso.work_hardening_factor(266.0), iso.size_factor_pitting(16e-3, "case_hardened"), 0.92
    return {
        "Z_H": z.zone,
        "Z_eps": z.contact_ratio,
        "Z_beta": z.helix,
        "Z_W2": hardening,
        "Z_X1": size,
        "sigma_H0": nominal,
        "sigma_H": stress,
        "S_H1": 1500.0 * oil * size / stress,
        "S_H2": 740.0 * oil * hardening / stress,
    }


@computes("R.din11.sf")
def _din11_sf() -> dict[str, float]:
    pair, force = _din11()
    found: dict[str, float] = {"Y_eps": din3990.contact_ratio_factor(pair), "Y_beta": din3990.root_helix_factor(pair)}
    factors = 1.25 * _din11_dynamic() * _din11_bending()
    for i, (tool, strength, treatment) in enumerate(
        ((root.Protuberance(0.4, 0.02), 860.0, "case_hardened"), (None, 590.0, "through_hardened"))
    ):
        y = din3990.tip_loaded_root(pair, i, tool)
        nominal = 1e-6 * force / (0.48 * 16e-3) * y.form * y.stress_correction * found["Y_eps"] * found["Y_beta"]
        size = root.size_factor(16e-3, treatment)
        found |= {
            f"Y_Fa{i + 1}": y.form,
            f"Y_Sa{i + 1}": y.stress_correction,
            f"Y_X{i + 1}": size,
            f"sigma_F{i + 1}": nominal * factors,
            f"S_F{i + 1}": strength * size / (nominal * factors),
        }
    return found


@computes("R.din11.mel")
def _mel() -> float:
    """A university exercise after the same standard: roughness hobbed (0.85), K_Hbeta given."""
    beta = math.radians(15.0)
    one, two = (Gear(z, 3e-3, _A20, beta, x, face_width=0.04) for z, x in ((17, 0.2), (38, -0.2)))
    pair, speed = GearPair.closed(one, two), 1274.11764705882363 * _RPM
    force = 7.3e3 / speed / one.reference_radius
    z = dataclasses.replace(iso.contact_factors(pair), helix=din3990.helix_factor(pair))
    dynamic = din3990.dynamic_factor_c(pair, speed, 1.1 * force / 0.04, 6)
    stress = 1e-6 * iso.nominal_contact_stress(pair, force, z, 0.04) * math.sqrt(1.1 * dynamic * 1.3)
    return 1300.0 * 0.85 / stress


# --- the 5 MW gearbox ------------------------------------------------------------------------------------------------


@computes_each("R.nejad.*")
def _nejad(stage: str) -> dict[str, float]:
    """At rated torque, solid discs, one planet's mass beside the sun's."""
    train = expand(load("nrel-5mw-nejad-source"))
    mesh = train.meshes[f"{stage}.mesh" if f"{stage}.mesh" in train.meshes else f"{stage}.sun_planet1"]
    pair, width = tooth_pair(mesh), mesh.face_width or 0.0
    carrier = train.ratios[mesh.on] if mesh.on is not None else 0.0
    speed = (train.speed or 0.0) * (train.ratios[mesh.between[0]] - carrier)
    planets = sum(m.stage == mesh.stage and not m.internal for m in train.meshes.values())
    torque = (train.torque or 0.0) / abs(train.ratios[mesh.between[0]])
    force = torque / planets / pair.one.reference_radius
    unit = force / width
    best = k.ideal_relief(pair, unit)
    plain, relieved = (k.dynamic_factor(k.DynamicFacts(pair, speed, unit, 6, relief=c)) for c in (0.0, best))
    share = k.transverse_factors(pair, unit * 1.1 * 1.15 * plain.value, 6).contact
    return {
        "v": abs(speed) * pair.one.reference_radius,
        "N": plain.resonance_ratio,
        "K_v_C_a_0": plain.value,
        "K_v_C_a_opt": relieved.value,
        "K_Halpha": share,
        "sigma_H0": 1e-6 * iso.nominal_contact_stress(pair, force, iso.contact_factors(pair), width),
        "H_V": loss_factor(pair),
    }


@cache
def _kisssoft(stage: str, name: str) -> tuple[GearPair, float, float]:
    """Pair, face width and nominal force of a mesh of the gearbox as its source prints it."""
    train = expand(load("nrel-5mw-nejad-source"))
    mesh = train.meshes[f"{stage}.{name}"]
    sun = train.meshes.get(f"{stage}.sun_planet1", mesh)
    first = tooth_pair(sun).one if sun is not mesh or mesh.on else tooth_pair(mesh).one
    torque = (train.torque or 0.0) / abs(train.ratios[sun.between[0]])
    return tooth_pair(mesh), mesh.face_width or 0.0, torque / (3.0 if mesh.on else 1.0) / first.reference_radius


_MESHES = (
    ("stage1", "sun_planet1"),
    ("stage1", "ring_planet1"),
    ("stage2", "sun_planet1"),
    ("stage2", "ring_planet1"),
    ("stage3", "mesh"),
)


def _root_stress(stage: str, name: str, which: int) -> float:
    pair, width, force = _kisssoft(stage, name)
    return 1e-6 * root.nominal_root_stress(force, width, pair.one.module, root.root_factors(pair, which))


@computes("R.kisssoft.flank")
def _kisssoft_flank() -> list[float]:
    found = [_kisssoft(*mesh) for mesh in _MESHES]
    return [1e-6 * iso.nominal_contact_stress(p, force, iso.contact_factors(p), width) for p, width, force in found]


@computes("R.kisssoft.root")
def _kisssoft_root() -> list[float]:
    pairs = [("stage1", "sun_planet1"), ("stage2", "sun_planet1")]
    suns = [_root_stress(*mesh, which) for mesh in pairs for which in (0, 1)]
    return [*suns, *(_root_stress(s, "ring_planet1", 0) for s in ("stage1", "stage2"))]


@computes("R.kisssoft.root.helical")
def _kisssoft_helical() -> list[float]:
    """The edition of 2006: Y_beta without 1/cos^3, and no f_eps (2019, full overlap: eps_alphan^-1/2)."""
    pair, _, _ = _kisssoft("stage3", "mesh")
    share = (pair.contact_ratio / math.cos(pair.base_helix) ** 2) ** -0.5
    edition = math.cos(pair.one.helix_angle) ** 3 / share
    return [_root_stress("stage3", "mesh", which) * edition for which in (0, 1)]


# --- factors from memory ---------------------------------------------------------------------------------------------


@computes("R.ym")
def _ym() -> dict[str, float]:
    m = root.mean_stress_ratio("case_hardened", 2.0)
    found = {f"R {r:g}": root.mean_stress_factor(r, m) for r in (-1.2, -1.0, -0.6)}
    return {**found, "R -1.2, M 0.4": root.mean_stress_factor(-1.2, 0.4)}


@computes("R.yb")
def _yb() -> list[float]:
    external = [root.rim_factor(s, 1.0, 1.0, False) for s in (0.6, 0.8, 1.0, 1.2)]
    return [*external, *(root.rim_factor(s, 1.0, 1.0, True) for s in (2.0, 2.5, 3.0, 3.5))]


@computes("R.fzca")
def _fzca() -> list[float]:
    pair, _ = _tr30()
    return [
        iso.contact_factors(pair, flank_line=iso.FLANK_LINE[w]).single_pair[0]
        for w in ("none", "experience", "analysis")
    ]


# --- FZG gears C14 ---------------------------------------------------------------------------------------------------


@cache
def _c14() -> MeshLoad:
    """200 N m on the pinion at 1500/min."""
    one = Gear(16, 4.5e-3, _A20, shift=0.1817, face_width=14e-3, tip_given=41.318e-3, rim=15e-3, material=Steel())
    two = Gear(24, 4.5e-3, _A20, shift=0.1715, face_width=14e-3, tip_given=59.272e-3, rim=15e-3, material=Steel())
    return MeshLoad(GearPair(one, two, 91.5e-3), 1500.0 * _RPM, 200.0 / one.base_radius / 14e-3)


@computes("L.hv.c14")
def _hv() -> dict[str, float]:
    return {"eps_alpha": _c14().pair.contact_ratio, "H_V": loss_factor(_c14().pair)}


@computes("L.mu.c14")
def _mu() -> dict[str, float]:
    """Power from the local loss factor, the load shared by the analytic stiffness of the teeth as the report has it."""
    c14 = _c14()
    friction = losses.mesh_friction(c14, 13.28, 0.36e-6, 0.846)
    local = local_loss_factor(c14, analytic_shares(c14.pair, c14.arcs, 200e-6))
    force = c14.unit_load * 14e-3
    return {
        "mu": friction,
        "P_loss_W": force * c14.base_speed * friction * local,
        "F_bt": force,
        "v_sigma_C": c14.sum_speed,
        "rho_C": 1e3 * c14.pitch_radius,
    }


@computes("L.film.c14")
def _film() -> list[float]:
    found = micropitting(_c14(), 13.28e-3, 20.47e-9, 0.36e-6)
    return [1e6 * found.least, 1e6 * found.most, *(1e-6 * p for p in found.pressure)]


@computes("S.flash.c14")
def _flash() -> float:
    return float(scuffing.flash_temperature(_c14(), 0.0449)[1].max())


@computes("S.integral.c14")
def _integral() -> dict[str, float]:
    found = scuffing.integral(_c14(), 0.0449, 60.0, None, 32.0, contact_angle=1.0)
    s, course = scuffing.flash_temperature(_c14(), 0.0449)
    mean = float(np.trapezoid(course, s) / (s[-1] - s[0]))
    return {"theta_flaE": found.tip, "X_eps": found.ratio, "theta_flaint": found.mean, "mean_of_flash_along_path": mean}


@computes("S.blok")
def _blok() -> float:
    """Largest mean rise of a fast band source with half-elliptic heat, over ``q_mean sqrt(2 b/(B^2 v))``-like group of Blok.

    ``theta(x) = 1/(B sqrt(pi v)) int q(xi)/sqrt(x - xi) dxi`` for xi below x; with ``t = sqrt(x - xi)`` there is no singularity.
    """
    best = 0.0
    for x in np.linspace(0.0, 1.0, 2001):
        t = np.linspace(0.0, math.sqrt(x + 1.0), 4001)
        heat = np.sqrt(np.maximum(1.0 - (x - t**2) ** 2, 0.0))
        best = max(best, float(np.trapezoid(2.0 * heat, t)))
    # half width 1, total heat pi/2: theta/(Q/(B sqrt(v 2b))) is Blok's factor
    return best / math.sqrt(math.pi) / (math.pi / 2.0) * math.sqrt(2.0)


@computes("S.fzg.int")
def _fzg_integral() -> list[float]:
    return [scuffing.integral_scuffing_temperature(t, 220.0) for t in (302.0, 372.6, 450.1, 534.5)]


@computes("S.fzg.flash")
def _fzg_flash() -> list[float]:
    return [scuffing.flash_scuffing_temperature(stage) for stage in (8, 10, 12, 14)]


@computes("T.agma")
def _agma() -> list[float]:
    ball = losses.bearing_torque(0.28, 100e3, 600.0 * _RPM, 100.0, no_load=2.0, load_factor=3e-4)
    return [losses.agma_friction(60.0, 5.0, 5.0), losses.seal_torque(0.1), losses.seal_torque(0.1, "buna"), *ball]


# --- DIN 743 ---------------------------------------------------------------------------------------------------------


@computes("D.743.step")
def _step() -> dict[str, float]:
    notch = din743.Filleted(84e-3, radius=4e-3, depth=8e-3)
    loads = din743.ShaftLoads(
        (443341.5553, 0.0, 443341.5553), (23275.43165, 2909.428956, 26184.86061), (13965.25899, 0.0, 13965.25899)
    )
    s = din743.shaft_safety(notch, din743.ShaftSteel(1100e6, 900e6), loads, treated=0.1)
    shape = notch.shape_factors()
    support = [a / b for a, b in zip(shape, s.notch, strict=True)]
    return {
        "K1_B": s.technical_size[0],
        "K1_S": s.technical_size[1],
        "K2": s.geometric_size,
        "alpha_zd": shape[0],
        "alpha_b": shape[1],
        "alpha_t": shape[2],
        "n_zd": support[0],
        "n_b": support[1],
        "n_t": support[2],
        "K_sigma_b": s.total[1],
        "K_tau": s.total[2],
        "S_D": s.fatigue,
        "S_F": s.yielding,
    }


@computes("D.743.key")
def _key() -> dict[str, float]:
    loads = din743.ShaftLoads(bending=(0.0, 1402.294, 2524.1292), torsion=(1336.902, 0.0, 2406.4236))
    s = din743.shaft_safety(
        din743.Measured(60e-3, kind="key"),
        din743.ShaftSteel(750e6, 520e6),
        loads,
        treated=0.08,
        roughness=25e-6,
        constant_mean=False,
        hard_layer=True,
    )
    return {"beta_sb": s.notch[1], "beta_t": s.notch[2], "S_D": s.fatigue, "S_F": s.yielding}


@computes("D.743.hole")
def _hole() -> dict[str, float]:
    loads = din743.ShaftLoads(bending=(0.0, 1088.802, 2177.604), torsion=(596.831, 0.0, 1193.662))
    s = din743.shaft_safety(
        din743.CrossHole(50e-3, radius=2e-3),
        din743.ShaftSteel(570e6, 335e6, "structural"),
        loads,
        treated=0.08,
        roughness=25e-6,
        constant_mean=False,
    )
    return {"S_D": s.fatigue, "S_F": s.yielding}


@computes("D.743.notch")
def _notch() -> float:
    loads = din743.ShaftLoads((40e3, 0.0, 60e3), (12666.667, 0.0, 19000.0))
    return din743.shaft_safety(
        din743.Measured(60e-3, kind="v_groove"),
        din743.ShaftSteel(360e6, 235e6, "structural"),
        loads,
        treated=0.08,
        roughness=25e-6,
        constant_mean=False,
    ).yielding
