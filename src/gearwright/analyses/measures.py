"""What a design is judged by: mass, lives, safeties, frequencies, margins, efficiency, loads, and how they change with its numbers.

Lives and safeties are those of the rated load: the static equilibrium under the operating torque, by :mod:`gearwright.rating`. Changes
of frequencies and of static loads are closed forms (:mod:`gearwright.analyses.neighbours`); what follows from a load by a formula
(a life, a safety) and what needs none (a mass) is evaluated on both sides of the number, with the loads there to first order.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gearwright.errors import DrivetrainError, listed, nearest
from gearwright.rating.components import Bearing
from gearwright.rating.gear_rating import Flank
from gearwright.rating.ratings import rated
from gearwright.rating.records import Load, Record
from gearwright.schema.file import Drivetrain
from gearwright.schema.life import Life
from gearwright.schema.numbers import FileNumber
from gearwright.solve.steady.modes import modes
from gearwright.solve.steady.sensitivity import damped, damping_changes, frequency_changes, pole_changes
from gearwright.solve.steady.static import moved_equilibria
from gearwright.train.teeth import known_pair
from gearwright.train.train import Train

from .campbell import excitation_lines
from .life import speed_reference
from .modal import ModalTable, classify
from .modes import blades_of
from .neighbours import Assembled, Model, Pair, assembled, loads_of, matrices_of, neighbours, static_of
from .power_flow import power_flow

#: share of a mode's strain energy in what an excitation shakes, from which on their meeting counts as a resonance
SHARE = 0.1
#: mass of a rolling bearing over that of a solid ring of its size (catalogues of cylindrical roller bearings: 0.75 to 0.85)
BEARING_FILL = 0.8
#: density of steel where no material is given [kg/m^3]
STEEL = 7850.0
#: roles of bodies that belong to no gearbox
_OUTSIDE = ("rotor", "generator", "machine")
#: measures that are one word, and what each is
WORDS = {
    "mass": "gearbox without rotor and machines [kg]",
    "margin": "least distance of a mode from what shakes it at the operating speed, over that frequency [-]",
    "efficiency": "of the power flow at the operating point [-]",
}
#: measures that name something behind a point
NAMED = ("life", "safety", "frequency", "damping", "load", "rim")


@dataclass(frozen=True)
class Values:
    """Measures by name, and per name their changes per relative change of every free number."""

    values: Mapping[str, float]
    slopes: Mapping[str, Sequence[float]]


@dataclass(frozen=True)
class Seen:
    """A model at its operating point: loads by name; ``facts`` of its ratings."""

    drivetrain: Drivetrain
    train: Train
    loads: Mapping[str, float]
    facts: Life


def measure(
    drivetrain: Drivetrain, free: Sequence[Sequence[FileNumber]], names: Sequence[str], fidelity: str | None = None
) -> Values:
    """Measures of a drivetrain and their changes with ``free``, each some numbers that move together.

    Raises DrivetrainError for a measure that the file cannot have, and for numbers that cannot move.
    """
    rigid = (fidelity or drivetrain.model.fidelity) == "rigid"
    model = Model.of(drivetrain, fidelity, "rigid" if rigid else "linear")
    with_loads = any(name.partition(".")[0] in ("life", "safety", "load") for name in names)
    base = assembled(model, with_loads)
    pairs = [neighbours(model, base, numbers) for numbers in free]
    explicit = [n for n in names if n.partition(".")[0] not in ("frequency", "damping", "margin")]
    modal = [n for n in names if n not in explicit]
    values, slopes = _explicit(model, base, pairs, explicit)
    if modal:
        found, moved = _modal(drivetrain, base, pairs, modal)
        values.update(found)
        slopes.update(moved)
    return Values(values, slopes)


# --- what follows from loads and dimensions ----------------------------------------------------------------


def _explicit(
    model: Model, base: Assembled, pairs: Sequence[Pair], names: Sequence[str]
) -> tuple[dict[str, float], dict[str, list[float]]]:
    """Values by formula, and by the formula on both sides of every number."""
    equilibrium = static_of(base)
    if equilibrium is None and any(n.partition(".")[0] in ("life", "safety", "load") for n in names):
        raise DrivetrainError(
            f"{model.drivetrain.name}: lives, safeties and loads need an operating point with input, output, speed and torque"
        )
    facts = model.drivetrain.life or Life()
    loads = {} if equilibrium is None or base.loaded is None else loads_of(base.loaded, equilibrium)
    own = formulas(Seen(model.drivetrain, base.train, loads, facts), names)
    slopes: dict[str, list[float]] = {name: [] for name in names}
    for pair in pairs:
        ends: list[dict[str, float]] = [{}, {}]
        if equilibrium is not None and base.loaded is not None and pair.low.loaded and pair.high.loaded:
            low, high = moved_equilibria(base.loaded, equilibrium, pair.low.loaded, pair.high.loaded)
            ends = [loads_of(pair.low.loaded, low), loads_of(pair.high.loaded, high)]
        both = [
            formulas(Seen(end.drivetrain, end.train, found, facts), names)
            for end, found in zip((pair.low, pair.high), ends, strict=True)
        ]
        for name in names:
            slopes[name].append((both[1][name] - both[0][name]) / (2.0 * pair.step))
    return own, slopes


def formulas(seen: Seen, names: Sequence[str]) -> dict[str, float]:
    """Values of measures that need no solution. Raises DrivetrainError for what the model has not."""
    lives: dict[str, float] = {}
    if any(n.partition(".")[0] in ("life", "safety") for n in names):
        lives = ratings(seen)
    found: dict[str, float] = {}
    for name in names:
        head, _, rest = name.partition(".")
        if head == "mass":
            found[name] = gearbox_mass(seen.train)
        elif head == "efficiency":
            found[name] = _efficiency(seen.drivetrain)
        elif head == "rim":
            found[name] = _named(rims(seen.train), rest, name)
        elif head == "load":
            found[name] = abs(_named(seen.loads, rest, name))
        else:
            found[name] = _rating(lives, name)
    return found


def _named(known: Mapping[str, float], name: str, whole: str) -> float:
    if name not in known:
        meant = nearest(name, known)
        head = whole.partition(".")[0]
        hint = f"; did you mean '{head}.{meant}'?" if meant else ""
        raise DrivetrainError(f"wish '{whole}': there is no such {head}; there are {listed(list(known), 12)}{hint}")
    return known[name]


def _rating(lives: Mapping[str, float], name: str) -> float:
    """A life or a safety by name; the least of all whose names begin so."""
    known = {n: v for n, v in lives.items() if n == name or n.startswith(f"{name}.")}
    if name.startswith("safety.") and not known:
        # of a mode whatever the part, or of a part whatever the mode
        word = name.removeprefix("safety.")
        known = {n: v for n, v in lives.items() if n.startswith("safety.") and n.endswith(f".{word}")}
    if not known:
        same = [n for n in lives if n.partition(".")[0] == name.partition(".")[0]]
        return _named({n.partition(".")[2]: lives[n] for n in same}, name.partition(".")[2], name)
    return min(known.values())


def ratings(seen: Seen) -> dict[str, float]:
    """Lives of bearings [h] and safeties of teeth at the operating load: ``life.PART``, ``safety.PART.pitting`` or ``.bending``."""
    reference, scale = speed_reference(seen.train)
    if reference is None:
        raise DrivetrainError(f"{seen.train.name}: lives need operating.speed")
    record = at_rest(seen, reference[1])
    facts = seen.facts.model_copy(update={"shafts": []})
    components, _, _ = rated(seen.train, facts, record, scale, alone=True)
    found: dict[str, float] = {}
    hours = 8766.0 * seen.facts.years * seen.facts.availability
    for part in components:
        if not all(n in record.loads for n in part.elements):
            continue
        dose = part.dose(record.loads, record.name)
        if isinstance(part, Bearing):
            load = record.loads[part.elements[0]]
            factor = part.modification(float(part.equivalent(load)[0]), float(load.speed[0]) * abs(part.ratio))
            if dose.damage > 0.0:
                found[f"life.{part.element}"] = (factor or 1.0) / dose.damage
        elif isinstance(part, Flank) and part.loaded and not part.back:
            word = "bending" if "bending" in part.mode else "pitting"
            safety = part.safety({record.name: hours})
            key = f"safety.{part.element}.{word}"
            found[key] = min(found.get(key, math.inf), safety)
    return found


def at_rest(seen: Seen, speed: float) -> Record:
    """An hour at the operating load and reference speed [rad/s], nothing swinging."""
    loads: dict[str, Load] = {}
    none = np.zeros(0)
    for name, value in seen.loads.items():
        element, _, quantity = name.rpartition(".")
        kind = "shaft" if quantity == "torque" else "mesh" if element in seen.train.meshes else "bearing"
        level, hour, turning = np.array([value]), np.array([3600.0]), np.array([speed])
        loads[element] = Load(
            kind, "N m" if kind == "shaft" else "N", level, hour, turning, none, none, {}, (value, value)
        )
    return Record("rated", loads, 3600.0, 1.0, 1.0, "half", speed, None)


def gearbox_mass(train: Train) -> float:
    """Mass [kg] of the bodies with a mass, of shafts with dimensions and of rolling bearings with dimensions; rotor and machines, which
    are no gearbox, left out."""
    machines = {m.body for m in train.machines.values()} | {train.input, train.output}
    total = sum(
        b.mass or 0.0
        for b in train.bodies.values()
        if b.role not in _OUTSIDE and (b.name not in machines or b.stage is not None)
    )
    total += sum(_rings(train).values())
    for shaft in train.shafts.values():
        total += sum(
            (shaft.density or STEEL) * math.pi / 4.0 * (s.diameter**2 - s.bore**2) * s.length for s in shaft.segments
        )
    for bearing in train.bearings.values():
        r = bearing.rolling
        if r is not None and r.bore and r.outside_diameter and r.width:
            ring = math.pi / 4.0 * (r.outside_diameter**2 - r.bore**2) * r.width
            total += BEARING_FILL * STEEL * ring * (r.count or 1)
    if not total > 0.0:
        raise DrivetrainError(f"{train.name}: mass is not known: no body has one")
    return total


def _rings(train: Train) -> dict[str, float]:
    """Masses [kg] of rings that are fixed and have an outside diameter: from their reference circle to the outside."""
    found: dict[str, float] = {}
    for mesh in train.meshes.values():
        pair = known_pair(mesh) if mesh.internal and mesh.face_width else None
        rim = None if pair is None else pair.two.rim
        body = train.bodies.get(mesh.between[1])
        if pair is not None and rim is not None and mesh.face_width and (body is None or body.mass is None):
            area = math.pi * (rim**2 - pair.two.reference_radius**2)
            found[mesh.between[1]] = STEEL * area * mesh.face_width
    return found


def rims(train: Train) -> dict[str, float]:
    """Rims of wheels with a bore, between bore and roots, in modules, by body."""
    found: dict[str, float] = {}
    for mesh in train.meshes.values():
        pair = known_pair(mesh)
        if pair is None:
            continue
        for body, gear in zip(mesh.between, (pair.one, pair.two), strict=True):
            if gear.rim is not None:
                found[body] = abs(gear.root_radius - gear.rim) / gear.module
    return found


def _efficiency(drivetrain: Drivetrain) -> float:
    found = power_flow(drivetrain).efficiency
    if found is None:
        raise DrivetrainError(f"{drivetrain.name}: the power flow has no efficiency")
    if abs(found - 1.0) < 1e-12:
        raise DrivetrainError(
            f"{drivetrain.name}: no mesh of the file loses anything (loss), so that its efficiency says nothing"
        )
    return found


# --- what follows from modes -------------------------------------------------------------------------------


def _modal(
    drivetrain: Drivetrain, base: Assembled, pairs: Sequence[Pair], names: Sequence[str]
) -> tuple[dict[str, float], dict[str, list[float]]]:
    """Frequencies, damping and margins with their closed changes."""
    table = classify(modes(base.free), base.free, base.train)
    own = matrices_of(base.free)
    changes = [pair.matrices() for pair in pairs]
    f = np.asarray(table.modes.frequencies_hz)
    moved = [frequency_changes(table.modes, c) for c in changes]
    poles = damped(table.modes, own) if any(n.startswith("damping") for n in names) else None
    values: dict[str, float] = {}
    slopes: dict[str, list[float]] = {}
    for name in names:
        head, _, rest = name.partition(".")
        if head == "margin":
            mode, line, values[name] = nearest_resonance(drivetrain, base.train, table)
            sign = 1.0 if f[mode] >= line else -1.0
            slopes[name] = [sign * float(m[mode]) / line for m in moved]
            continue
        mode = _mode(rest, name, table)
        if poles is None or head == "frequency":
            values[name], slopes[name] = float(f[mode]), [float(m[mode]) for m in moved]
            continue
        j = poles.of_mode[mode]
        if j < 0:
            raise DrivetrainError(f"wish '{name}': mode {rest} has no oscillating pole")
        values[name] = float(-poles.values[j].real / abs(poles.values[j]))
        slopes[name] = [float(damping_changes(poles, pole_changes(poles, own, c))[mode]) for c in changes]
    return values, slopes


def _mode(word: str, name: str, table: ModalTable) -> int:
    """Place of a mode by its number among the elastic ones, from 1."""
    elastic = [i for i, f in enumerate(table.modes.frequencies_hz) if i >= table.modes.rigid and f > 0.0]
    if not word.isdigit() or not 1 <= int(word) <= len(elastic):
        raise DrivetrainError(f"wish '{name}': write the number of an elastic mode, 1 to {len(elastic)}")
    return elastic[int(word) - 1]


def nearest_resonance(drivetrain: Drivetrain, train: Train, table: ModalTable) -> tuple[int, float, float]:
    """Mode, frequency of the excitation [Hz] and distance over that frequency, of the mode that lies nearest to what shakes it.

    Only excitations that put :data:`SHARE` of the mode's strain energy into what they shake count. Raises DrivetrainError
    without an operating speed.
    """
    if not train.speed or not train.ratios or train.input is None:
        raise DrivetrainError(f"{train.name}: a margin needs operating.input and operating.speed")
    best: tuple[float, int, float] | None = None
    for line in excitation_lines(train, blades=blades_of(drivetrain, train)[0]):
        places = [table.elements.index(e) for e in line.elements if e in table.elements]
        at = line.frequency_hz(train.speed)
        for mode, f in enumerate(table.modes.frequencies_hz):
            if f > 0.0 and float(table.element_energy[mode, places].sum()) >= SHARE:
                found = (abs(f / at - 1.0), mode, at)
                best = found if best is None or found < best else best
    if best is None:
        raise DrivetrainError(f"{train.name}: nothing shakes any mode, a margin means nothing")
    return best[1], best[2], best[0]
