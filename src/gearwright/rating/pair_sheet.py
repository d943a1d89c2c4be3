"""All facts and factors of one gear pair for the rating sheet, every number with where it comes from."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gearwright.geometry.gear import Gear
from gearwright.geometry.pair import GearPair
from gearwright.schema.life import GearLife, OilFacts

from . import iso6336_bending as root_of
from .figure import Figure
from .gear_rating import Flank, LoadFactors, MeshStress, Role
from .iso6336_rating import contact_factors, life_curve, nominal_contact_stress
from .losses import mesh_friction, mesh_loss
from .mesh_facts import MeshFacts
from .micropitting import micropitting
from .oil import Oil
from .scuffing import FZG_TORQUE, flash, integral, mean_friction
from .sheet_rows import SheetBlock, SheetRow, both, one, said
from .sliding import MeshLoad, local_loss_factor, loss_factor

MPA, MM, UM, KN = 1e-6, 1e3, 1e6, 1e-3
#: safety against scuffing that wind practice asks for (IEC 61400-4)
SCUFFING = 1.3
_DEGREE = 180.0 / math.pi


@dataclass(frozen=True)
class Side:
    """One gear of the pair on the flank that the mesh loads: ``flank`` and ``root`` with the ``repetitions`` of the records, ``extreme``
    largest force [N] and the record it comes from; the same of the other flank where something loads it."""

    flank: Flank
    root: Flank
    repetitions: Mapping[str, float]
    extreme: tuple[float, str]
    back: tuple[Flank, Flank] | None = None

    def loads(self, part: Flank) -> tuple[float, float]:
        """Safety and load cycles over the life."""
        cycles = sum(float(s.amounts.sum()) * self.repetitions[name] for name, s in part.spectra.items())
        return part.safety(self.repetitions), cycles

    def damage(self, part: Flank, factor: float, counted: bool = False) -> float:
        """Damage over the life with a factor on all stresses: of the load bins (every tooth pass a cycle from zero), or of the counted
        ranges of the mesh force."""
        spectra = part.counted if counted else part.spectra
        return sum(self.repetitions[n] * part.strength.damage(factor * s.levels, s.amounts) for n, s in spectra.items())


@dataclass(frozen=True)
class PairCase:
    """What a pair's sheet is made of: mesh stresses and facts, both sides, nominal force [N] and torque [N m] of gear one, names, what the
    file says of strength and oil, ``backlash`` [m] of the file (None: what the shifts leave) and ``hand`` of gear one (+1 right)."""

    name: str
    heads: tuple[str, str]
    stress: MeshStress
    made: MeshFacts
    sides: tuple[Side, Side]
    mesh: str
    nominal: float
    entry: GearLife
    oil: OilFacts | None = None
    nominal_words: str = ""
    backlash: float | None = None
    hand: int = 1

    @property
    def pair(self) -> GearPair:
        """The gears."""
        return self.stress.pair

    @property
    def tangential(self) -> float:
        """Nominal force at the reference circle [N]."""
        return self.nominal * math.cos(self.pair.one.transverse_angle)


def pair_blocks(case: PairCase) -> list[SheetBlock]:
    """The groups of a pair's page in their order."""
    flank, root = _equivalents(case, "flank"), _equivalents(case, "root")
    return [
        SheetBlock("Geometry", _geometry(case), case.heads),
        SheetBlock("Tool, quality, oil", _quality(case), case.heads),
        SheetBlock("Load", _load(case), case.heads),
        SheetBlock("Material", _material(case), case.heads),
        SheetBlock("Load factors, flank", _factors(case, flank, "H"), case.heads),
        SheetBlock("Flank, ISO 6336-2, -6", _flank(case, flank), case.heads),
        SheetBlock("Load factors, root", _factors(case, root, "F"), case.heads),
        SheetBlock("Root, ISO 6336-3, -6", _root(case, root), case.heads),
        SheetBlock("Extreme load", _static(case), case.heads),
        SheetBlock("Scuffing, film, losses", _tribology(case), case.heads),
    ]


# --- facts -----------------------------------------------------------------------------------------------------------


def _of(gears: tuple[Gear, Gear], what: str, scale: float = 1.0) -> list[Figure]:
    found = []
    for gear in gears:
        value = getattr(gear, what)
        found.append(Figure.missing(what.replace("_", " ")) if value is None else Figure.given(scale * value))
    return found


def _geometry(case: PairCase) -> list[SheetRow]:
    pair = case.pair
    gears = (pair.one, pair.two)
    derived = Figure.derived
    first = round(2.0 * math.pi / pair.angular_pitch)
    tips = [
        derived(MM * 2.0 * g.tip_radius) if g.tip_given is None else Figure.given(MM * 2.0 * g.tip_given) for g in gears
    ]
    roots = [
        derived(MM * 2.0 * g.root_radius) if g.root_given is None else Figure.given(MM * 2.0 * g.root_given)
        for g in gears
    ]
    backlash = (
        derived(MM * pair.backlash, "what shifts and centre distance leave")
        if case.backlash is None
        else Figure.given(MM * case.backlash)
    )
    return [
        both("Teeth", "z", [Figure.given(first), Figure.given(round(first * pair.ratio))]),
        one("Normal module", "m_n", Figure.given(MM * pair.one.module), "mm"),
        one("Pressure angle", "alpha_n", Figure.given(_DEGREE * pair.one.pressure_angle), "°"),
        one("Helix angle", "beta", Figure.given(_DEGREE * abs(pair.one.helix_angle)), "°"),
        said("Hand of the helix", _hands(case)),
        both("Profile shift", "x", _of(gears, "shift")),
        both("Face width", "b", _of(gears, "face_width", MM), "mm"),
        one("Centre distance", "a", Figure.given(MM * pair.distance), "mm"),
        one("Working angle", "alpha_wt", derived(_DEGREE * pair.working_angle), "°"),
        both("Reference dia.", "d", [derived(MM * 2.0 * g.reference_radius) for g in gears], "mm"),
        both("Base diameter", "d_b", [derived(MM * 2.0 * g.base_radius) for g in gears], "mm"),
        both("Tip diameter", "d_a", tips, "mm"),
        both("Root diameter", "d_f", roots, "mm"),
        both("Tip thickness", "s_a", [derived(MM * g.tip_thickness) for g in gears], "mm"),
        both("Tip clearance", "c", [derived(MM * c) for c in pair.tip_clearances], "mm"),
        one("Backlash", "j_bn", backlash, "mm"),
        one("Contact ratio", "eps_alpha", derived(pair.contact_ratio)),
        one("Overlap ratio", "eps_beta", derived(pair.overlap_ratio)),
        one("Total ratio", "eps_gamma", derived(pair.contact_ratio + pair.overlap_ratio)),
    ]


def _hands(case: PairCase) -> str:
    """Hands of both gears; wheels of an internal pair have the same."""
    if case.pair.one.helix_angle == 0.0:
        return "spur"
    first, second = ("right", "left") if case.hand >= 0 else ("left", "right")
    return f"{first}, {first if case.pair.internal else second}"


def _quality(case: PairCase) -> list[SheetRow]:
    """Tool, accuracy, modifications, surfaces, oil."""
    gears, figures, entry, oil = (case.pair.one, case.pair.two), case.made.figures, case.entry, case.oil
    relief = [
        Figure.derived(0.0, "no tip relief in the file") if g.relief is None else Figure.given(UM * g.relief.amount)
        for g in gears
    ]
    tools = {s: [_scaled(figures[f"{s}{i}"], MM) for i in (1, 2)] for s in ("pr", "q")}
    warm = None if oil is None else oil.temperature
    stage = None if oil is None else oil.scuffing_stage
    return [
        both("Rack addendum", "h_aP", _of(gears, "addendum"), "mₙ"),
        both("Rack dedendum", "h_fP", _of(gears, "dedendum"), "mₙ"),
        both(
            "Rack tip radius",
            "rho_fP",
            [Figure.derived(g.fillet_radius if g.ring else g.rounding) for g in gears],
            "mₙ",
        ),
        both("Protuberance", "pr", tools["pr"], "mm"),
        both("Grinding stock", "q", tools["q"], "mm"),
        one("Grade, ISO 1328", "", _given(entry, "accuracy", entry.accuracy)),
        both("Tip relief", "C_a", relief, "µm"),
        both("Lead crowning", "C_beta", _of(gears, "lead_crowning", UM), "µm"),
        one("Roughness, flank", "R_z", _given(entry, "roughness", UM * entry.roughness), "µm"),
        one("Roughness, root", "R_z", _given(entry, "root_roughness", UM * entry.root_roughness), "µm"),
        one("Oil at 40 °C", "nu_40", _given(entry, "viscosity", entry.viscosity), "mm²/s"),
        one("Oil at work", "theta_oil", _known(warm, "life.oil: temperature"), "°C"),
        one("FZG stage", "", _known(stage, "scuffing_stage of the oil (FZG A/8.3/90)")),
    ]


def _known(value: float | None, what: str) -> Figure:
    return Figure.missing(what) if value is None else Figure.given(value)


def _scaled(figure: Figure, scale: float) -> Figure:
    return (
        figure if figure.value is None else Figure(scale * figure.value, figure.origin, figure.method, figure.checked)
    )


def _given(section: GearLife, key: str, value: float) -> Figure:
    """From the file where it says so, else the section's default, which is assumed."""
    return Figure.given(value) if key in section.model_fields_set else Figure.assumed(value, f"give {key}")


def _load(case: PairCase) -> list[SheetRow]:
    force, speed = case.tangential, case.stress.speed
    torque = [force * g.reference_radius for g in (case.pair.one, case.pair.two)]
    speeds = [speed, speed / case.pair.ratio]
    words = case.nominal_words
    return [
        one("Mesh power", "P", Figure.derived(1e-3 * torque[0] * speed, words), "kW"),
        both("Torque", "T", [Figure.derived(KN * t, words) for t in torque], "kN m"),
        both(
            "Speed",
            "n",
            [Figure.derived(s * 30.0 / math.pi, "against the carrier, operating point") for s in speeds],
            "1/min",
        ),
        one("Nominal force", "F_t", Figure.derived(KN * force, words), "kN"),
        one("Line speed", "v", Figure.derived(case.stress.velocity), "m/s"),
        both(
            "Load cycles",
            "N_L",
            [Figure.derived(1e-6 * side.loads(side.flank)[1], "all meshes of the flank") for side in case.sides],
            "10⁶",
        ),
        said("Loaded flank", "; ".join(s.flank.name or "only one" for s in case.sides)),
    ]


def _material(case: PairCase) -> list[SheetRow]:
    entry, facts, figures = case.entry, case.made.facts, case.made.figures
    origin = figures["sigma_Hlim"]
    hard = entry.surface_hardness
    treatment = entry.treatment.replace("_", "-") + ("" if entry.pitting_limit is not None else f", {entry.grade}")
    root = figures["sigma_Flim"]
    return [
        said("Treatment", treatment),
        one(
            "Surface",
            "",
            Figure.given(hard)
            if hard
            else Figure.missing("surface_hardness")
            if entry.pitting_limit is None
            else Figure.missing("surface_hardness (the limits are given)"),
            "HV",
        ),
        one(
            "Core",
            "",
            Figure.given(entry.core_hardness) if entry.core_hardness else Figure.missing("core_hardness"),
            "HRC",
        ),
        both(
            "Flank limit",
            "sigma_Hlim",
            [Figure(MPA * s, origin.origin, origin.method, origin.checked) for s in facts.pitting_limit],
            "MPa",
        ),
        both(
            "Root strength",
            "sigma_FE",
            [Figure(MPA * 2.0 * s, root.origin, root.method, root.checked) for s in facts.bending_limit],
            "MPa",
        ),
    ]


# --- factors ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Equivalent:
    """Constant load that makes the same safety in as many cycles as the spectrum: K_A over the nominal force, factors there."""

    application: float
    factors: LoadFactors
    safety: float
    cycles: float
    strength: float


def _equivalents(case: PairCase, which: str) -> list[_Equivalent | None]:
    found: list[_Equivalent | None] = []
    for side in case.sides:
        part = side.flank if which == "flank" else side.root
        safety, cycles = side.loads(part)
        course = part.courses[case.mesh]
        if not math.isfinite(safety) or cycles <= 0.0 or case.nominal <= 0.0:
            found.append(None)
            continue
        strength = _strength_at(part, cycles)
        force = float(np.interp(strength / safety, course.stress, course.grid))
        own = case.made.facts.factors.application
        tangential = force * math.cos(case.pair.one.transverse_angle)
        found.append(
            _Equivalent(own * force / case.nominal, case.stress.load_factors(tangential), safety, cycles, strength)
        )
    return found


def _strength_at(part: Flank, cycles: float) -> float:
    """Stress [Pa] that is endured for so many cycles."""
    n, s = np.log(part.strength.cycles_at), np.log(part.strength.stresses)
    return float(np.exp(np.interp(math.log(max(cycles, 1.0)), n, s)))


def _each(
    found: Sequence[_Equivalent | None],
    value: Callable[[_Equivalent], float],
    method: str = "",
    origin: Figure | None = None,
) -> list[Figure]:
    made = []
    for one_ in found:
        if one_ is None:
            made.append(Figure.missing("no load on this flank"))
        elif origin is not None and origin.origin != "derived":
            made.append(Figure(value(one_), origin.origin, origin.method, origin.checked))
        else:
            made.append(Figure.derived(value(one_), method or (origin.method if origin else "")))
    return made


def _factors(case: PairCase, found: Sequence[_Equivalent | None], letter: str) -> list[SheetRow]:
    figures = case.made.figures
    rows = [
        both(
            "Application",
            "K_A",
            _each(
                found,
                lambda e: e.application,
                "equivalent load of the spectrum over the nominal force (ISO 6336-6)",
                figures["K_A"] if figures["K_A"].origin == "given" else None,
            ),
        ),
        both("Mesh load", "K_gamma", _mesh_load(case, found)),
    ]
    if letter == "H" and "K_gamma simulated" in figures:
        rows.append(one("Mesh load (run)", "K_gamma,sim", figures["K_gamma simulated"]))
    rows.append(both("Dynamic", "K_v", _each(found, lambda e: e.factors.dynamic, origin=figures["K_v"])))
    if letter == "H":
        rows += _dynamic_beside(case)
        rows += [
            both("Face load", "K_Hbeta", _each(found, lambda e: e.factors.face, origin=figures["K_Hbeta"])),
            *_face_beside(case),
            both(
                "Transverse",
                "K_Halpha",
                _each(found, lambda e: e.factors.transverse, "method B", figures.get("K_Halpha")),
            ),
        ]
    else:
        rows += [
            both(
                "Face load",
                "K_Fbeta",
                _each(found, lambda e: e.factors.face_bending, "from K_Hbeta and h/b", figures.get("K_Fbeta")),
            ),
            both(
                "Transverse",
                "K_Falpha",
                _each(found, lambda e: e.factors.transverse_bending, "method B", figures.get("K_Falpha")),
            ),
        ]
    return rows


def _mesh_load(case: PairCase, found: Sequence[_Equivalent | None]) -> list[Figure]:
    """K_gamma on the recorded force: what the run has not in it."""
    figure, own = case.made.figures["K_gamma"], case.made.facts.factors.mesh_load
    text = figure.method + (
        f"; the recorded forces hold {(figure.value or 1.0) / own:.4g} of it"
        if abs((figure.value or 1.0) - own) > 1e-9
        else ""
    )
    return [
        Figure(own, figure.origin, text, figure.checked) if e is not None else Figure.missing("no load on this flank")
        for e in found
    ]


def _unit(case: PairCase) -> float:
    f = case.made.facts.factors
    return case.tangential * f.mesh_load / case.stress.width


def _dynamic_beside(case: PairCase) -> list[SheetRow]:
    """Method B and the run's own dynamic factor, at the nominal force."""
    rows = []
    facts = case.made.facts.factors
    if not (case.pair.internal and facts.layout != "held ring") and case.tangential > 0.0:
        b = case.stress.dynamic_by_b(_unit(case))
        words = f"N {b.resonance_ratio:.4g}, {b.region}; B_p {b.pitch_part:.3g}, B_f {b.profile_part:.3g}, B_k {b.relief_part:.3g}"
        rows.append(one("Dynamic (method B)", "K_v,B", Figure.derived(b.value, words)))
    own = case.made.figures.get("K_v simulated")
    rows.append(one("Dynamic (run)", "K_v,sim", own or Figure.missing("a law with mesh dynamics: the run has none")))
    return rows


def _face_beside(case: PairCase) -> list[SheetRow]:
    """Method C with its misalignments and the crowning that cures it, and what a spatial run says, at the nominal force."""
    rows = []
    if case.tangential > 0.0:
        k = case.stress.load_factors(case.tangential)
        c = case.stress.face_by_c(_unit(case) * k.dynamic)
        f = case.made.figures.get("f_ma")
        rows = [
            one("Face load (method C)", "K_Hbeta,C", Figure.derived(c.value, "method C at the nominal force")),
            one("Deflection", "f_sh", Figure.derived(UM * c.deflection), "µm"),
            one(
                "Manufacture",
                "f_ma",
                Figure(UM * c.manufacture, f.origin, f.method) if f else Figure.derived(UM * c.manufacture),
                "µm",
            ),
            one("Run in", "F_betay", Figure.derived(UM * c.effective), "µm"),
            one(
                "Curing crowning",
                "C_beta,cure",
                Figure.derived(UM * c.crowning, f"leaves K_Hbeta {c.crowned:.4g}"),
                "µm",
            ),
        ]
    own = case.made.figures.get("K_Hbeta simulated")
    rows.append(
        one(
            "Face load (run)",
            "K_Hbeta,B",
            own or Figure.missing("a spatial run with slices of the face (method B)"),
        )
    )
    return rows


# --- stresses --------------------------------------------------------------------------------------------------------


def _roles(case: PairCase) -> list[Role]:
    return [side.flank.roles[case.mesh] for side in case.sides]


def _flank(case: PairCase, found: Sequence[_Equivalent | None]) -> list[SheetRow]:
    figures, facts, derived = case.made.figures, case.made.facts, Figure.derived
    z = contact_factors(case.pair, flank_line=facts.flank_line)
    nominal = MPA * nominal_contact_stress(case.pair, case.tangential, z, case.stress.width)
    strengths = [role.contact for role in _roles(case)]
    least = case.entry.safety_pitting
    rows = [
        one("Zone", "Z_H", derived(z.zone)),
        one("Elasticity", "Z_E", derived(z.elasticity), "√MPa"),
        one("Contact ratio", "Z_eps", derived(z.contact_ratio)),
        one("Helix", "Z_beta", derived(z.helix, "1/sqrt(cos beta), ISO 6336-2:2006 and later")),
        both("Single contact", "Z_B,D", [derived(v, "", facts.flank_line == 1.0) for v in z.single_pair]),
        one("Flank line", "f_ZCa", figures["f_ZCa"]),
        one("Nominal stress", "sigma_H0", derived(nominal), "MPa"),
        both("Stress", "sigma_H", _each(found, lambda e: MPA * e.strength / e.safety), "MPa"),
        both("Lubricant", "Z_L", [derived(s.lubricant) for s in strengths]),
        both("Speed", "Z_v", [derived(s.speed) for s in strengths]),
        both("Roughness", "Z_R", [derived(s.roughness) for s in strengths]),
        both("Hardening", "Z_W", [derived(s.hardening) for s in strengths]),
        both(
            "Size",
            "Z_X",
            [Figure(s.size, figures["Z_X"].origin, figures["Z_X"].method, figures["Z_X"].checked) for s in strengths],
        ),
        both(
            "Life",
            "Z_NT",
            [
                derived(e.strength / s.reference) if e else Figure.missing("no load")
                for e, s in zip(found, strengths, strict=True)
            ],
        ),
        both("Strength", "sigma_HG", _each(found, lambda e: MPA * e.strength), "MPa"),
        both("Safety", "S_H", _each(found, lambda e: e.safety), least=least),
        both(f"Damage {least:g}, bins", "D_H", [derived(side.damage(side.flank, least)) for side in case.sides]),
        both(
            f"Damage {least:g}, rainflow",
            "D_H,rf",
            [
                derived(side.damage(side.flank, least, True), "ranges of the mesh force, not of a tooth")
                for side in case.sides
            ],
        ),
    ]
    return [*rows, *_other_flank(case, 0, "S_H", least)]


def _other_flank(case: PairCase, at: int, symbol: str, least: float) -> list[SheetRow]:
    """The flank that takes the loads of the other sign, with its own spectrum."""
    if not any(side.back for side in case.sides):
        return [said("Other flank", "not loaded")]
    found = [
        Figure.derived(side.loads(side.back[at])[0], "own spectrum") if side.back else Figure.missing("no load")
        for side in case.sides
    ]
    return [both("Other flank", symbol, found, least=least)]


def _root(case: PairCase, found: Sequence[_Equivalent | None]) -> list[SheetRow]:
    facts, derived, figures = case.made.facts, Figure.derived, case.made.figures
    roles = _roles(case)
    y = [role.root for role in roles]
    rims = [case.stress.rim_factors(which) for which in (0, 1)]
    nominal = [
        MPA * root_of.nominal_root_stress(case.tangential, case.stress.width, case.pair.one.module, f) * r[0] * r[1]
        for f, r in zip(y, rims, strict=True)
    ]
    rim = [
        Figure.assumed(1.0, "solid wheel; give rim") if facts.rims[i] is None else derived(rims[i][0], "", False)
        for i in (0, 1)
    ]
    treatment, module = facts.treatment, case.pair.one.module
    least = case.entry.safety_bending
    mean = [
        Figure.given(s.root.mean_stress)
        if figures.get("Y_M") and s.root.alternating
        else derived(
            s.root.mean_stress,
            "from the stresses of both flanks" if s.root.alternating else "bent one way",
            not s.root.alternating,
        )
        for s in case.sides
    ]
    rows = [
        both("Form", "Y_F", [derived(f.form) for f in y]),
        both("Stress correction", "Y_S", [derived(f.stress_correction) for f in y]),
        both("Helix", "Y_beta", [derived(f.helix) for f in y]),
        both("Rim", "Y_B", rim),
        both("Deep tooth", "Y_DT", [derived(r[1], "", r[1] == 1.0) for r in rims]),
        both("Nominal stress", "sigma_F0", [derived(v) for v in nominal], "MPa"),
        both("Stress", "sigma_F", _each(found, lambda e: MPA * e.strength / e.safety), "MPa"),
        one("Test gear", "Y_ST", Figure.standard(2.0, "in sigma_FE", True)),
        both("Mean stress", "Y_M", mean),
        both(
            "Notch",
            "Y_deltarelT",
            [derived(root_of.notch_sensitivity(f.notch, facts.bending_limit[i], treatment)) for i, f in enumerate(y)],
        ),
        one("Surface", "Y_RrelT", derived(root_of.surface_factor(facts.root_roughness, treatment))),
        one("Size", "Y_X", derived(root_of.size_factor(module, treatment))),
        both(
            "Life",
            "Y_NT",
            [
                derived(e.strength / (role.bending_reference * s.root.mean_stress)) if e else Figure.missing("no load")
                for e, role, s in zip(found, roles, case.sides, strict=True)
            ],
        ),
        both("Strength", "sigma_FG", _each(found, lambda e: MPA * e.strength), "MPa"),
        both("Safety", "S_F", _each(found, lambda e: e.safety), least=least),
        both(f"Damage {least:g}, bins", "D_F", [derived(side.damage(side.root, least)) for side in case.sides]),
        both(
            f"Damage {least:g}, rainflow",
            "D_F,rf",
            [
                derived(side.damage(side.root, least, True), "ranges of the mesh force, not of a tooth")
                for side in case.sides
            ],
        ),
    ]
    return [*rows, *_other_flank(case, 1, "S_F", least)]


def _static(case: PairCase) -> list[SheetRow]:
    """Strength at the largest force of all records: static life factors, no influence of oil, size and surface."""
    facts, treatment = case.made.facts, case.made.facts.treatment
    flank, root, ratio = [], [], []
    for which, side in enumerate(case.sides):
        force, _ = side.extreme
        if not force > 0.0:
            flank.append(Figure.missing("no load"))
            root.append(Figure.missing("no load"))
            ratio.append(Figure.missing("no load"))
            continue
        role = side.flank.roles[case.mesh]
        z, y = (life_curve(treatment, mode, facts.long_life)[0][1] for mode in ("pitting", "bending"))
        contact, bent = (
            float(p.courses[case.mesh].at(p.courses[case.mesh].sense * force)) for p in (side.flank, side.root)
        )
        notch = root_of.static_notch_sensitivity(role.root.stress_correction, facts.bending_limit[which], treatment)
        mean = 1.0
        if side.root.alternating:
            m = root_of.mean_stress_ratio(treatment, role.root.stress_correction, static=True)
            mean = root_of.mean_stress_factor(-1.2, m)
        flank.append(
            Figure.derived(facts.pitting_limit[which] * z * role.contact.hardening / contact, f"Z_NT {z:g}", False)
        )
        root.append(
            Figure.derived(
                2.0 * facts.bending_limit[which] * y * notch * mean / bent,
                f"Y_NT {y:g}, Y_deltarelT {notch:.3f}, Y_M {mean:.3f}",
                False,
            )
        )
        ratio.append(Figure.derived(force / case.nominal if case.nominal > 0.0 else math.nan))
    return [
        said("Case", "; ".join(dict.fromkeys(side.extreme[1] for side in case.sides))),
        both("Force over nominal", "", ratio),
        both("Flank, static", "S_H,st", flank, least=case.entry.static_pitting),
        both("Root, static", "S_F,st", root, least=case.entry.static_bending),
    ]


# --- oil -------------------------------------------------------------------------------------------------------------


def mesh_load(case: PairCase) -> MeshLoad:
    """The mesh with its nominal load and the factors of the flank."""
    k = case.stress.load_factors(case.tangential)
    return MeshLoad(case.pair, case.stress.speed, case.nominal * k.flank / case.stress.width)


def _tribology(case: PairCase) -> list[SheetRow]:
    load, oil = mesh_load(case), Oil.of(case.oil)
    roughness = case.entry.roughness / 6.0
    rows = [
        one("Loss factor", "H_V", Figure.derived(loss_factor(case.pair), "Ohlendorf, ISO/TR 14179-2")),
        one("Loss factor, local", "H_VL", Figure.derived(local_loss_factor(load), "share of the load along the path")),
    ]
    why = oil.lacks()
    if why:
        blank = Figure.missing(why)
        return [
            *rows,
            one("Loss of the mesh", "P_VZ", blank, "kW"),
            one("Scuffing, flash", "S_B", blank, least=SCUFFING),
            one("Scuffing, integral", "S_int", blank, least=SCUFFING),
            one("Film", "h_min", blank, "µm"),
            one("Film ratio", "lambda_GF", blank),
            one("Micropitting", "S_lambda", blank),
            said("Flank fracture", "left out: ISO/TS 6336-4 not at hand"),
        ]
    eta = oil.dynamic(oil.temperature)
    lost = mesh_loss(
        MeshLoad(case.pair, case.stress.speed, case.nominal / case.stress.width),
        case.stress.width,
        mesh_friction(load, 1e3 * eta, roughness),
    )
    friction = mean_friction(load, 1e3 * eta, roughness, oil.kind)
    rows += [
        one("Friction, losses", "mu_mz", Figure.derived(lost.friction)),
        one("Loss of the mesh", "P_VZ", Figure.derived(1e-3 * lost.power, "nominal load"), "kW"),
        one("Friction, scuffing", "mu_m", Figure.derived(friction, "", False)),
    ]
    return [
        *rows,
        *_scuffing(case, load, oil, friction),
        *_film(load, oil, eta, roughness),
        said("Flank fracture", "ISO/TS 6336-4 not at hand: left out"),
    ]


def _scuffing(case: PairCase, load: MeshLoad, oil: Oil, friction: float) -> list[SheetRow]:
    stage, missing = oil.stage, Figure.missing("scuffing_stage of the oil (FZG A/8.3/90)")
    heat = flash(load, friction, oil.temperature, stage)
    rows = [
        one("Flash temperature", "theta_fl", Figure.derived(heat.largest, "Blok", False), "K"),
        one("Contact temperature", "theta_B", Figure.derived(heat.contact, "", False), "°C"),
        one(
            "Scuffing, flash",
            "S_B",
            missing if heat.safety is None else Figure.derived(heat.safety, f"theta_S {heat.allowed:.0f} °C", False),
            least=SCUFFING,
        ),
    ]
    try:
        torque = None if stage is None else FZG_TORQUE.get(round(stage))
        mean = integral(load, friction, oil.temperature, torque, case.entry.viscosity)
    except ValueError as error:
        return [*rows, one("Scuffing, integral", "S_int", Figure.missing(str(error)), least=SCUFFING)]
    safety = missing if mean.safety is None else Figure.derived(mean.safety, f"theta_intS {mean.allowed:.0f} °C", False)
    return [
        *rows,
        one("Integral temperature", "theta_int", Figure.derived(mean.integral, "", False), "°C"),
        one("Scuffing, integral", "S_int", safety, least=SCUFFING),
    ]


def _film(load: MeshLoad, oil: Oil, eta: float, roughness: float) -> list[SheetRow]:
    if oil.pressure_viscosity is None:
        blank = Figure.missing("pressure_viscosity of the oil")
        return [
            one("Film", "h_min", blank, "µm"),
            one("Film ratio", "lambda_GF", blank),
            one("Micropitting", "S_lambda", blank),
        ]
    found = micropitting(load, eta, oil.pressure_viscosity, roughness, oil.permissible)
    safety = (
        Figure.missing("micropitting_ratio lambda_GFP of the oil")
        if found.safety is None
        else Figure.derived(found.safety, "", False)
    )
    return [
        one("Film", "h_min", Figure.derived(UM * found.least, "at oil temperature, S_GF 1", False), "µm"),
        one("Film ratio", "lambda_GF", Figure.derived(found.ratio, "", False)),
        one("Micropitting", "S_lambda", safety),
    ]
