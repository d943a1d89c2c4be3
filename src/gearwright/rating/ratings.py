"""From the section ``life`` and the catalogue data of a drivetrain to rated components, and what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatch

import numpy as np

from gearwright.bearings.contact_stress import LineContact
from gearwright.bearings.factors import BearingKind
from gearwright.bearings.ratings import geometry_of, ratings_of
from gearwright.bearings.types import TYPES
from gearwright.errors import InputError, listed, nearest
from gearwright.rating.bearing_facts import completed
from gearwright.rating.components import Bearing, Component, Shaft
from gearwright.rating.gear_rating import Flank, MeshStress, Role, rated_wheel
from gearwright.rating.iso6336_rating import RatingError
from gearwright.rating.mesh_facts import MeshFacts, mesh_facts
from gearwright.rating.miner import Strength
from gearwright.rating.oil import Oil
from gearwright.rating.records import Record
from gearwright.rating.simulated import NOTHING, Simulated
from gearwright.remarks import assumed, warning
from gearwright.schema.bearing import CatalogueData, Rolling
from gearwright.schema.life import BearingLife, BearingModification, GearLife, Life, LineContactFacts
from gearwright.train.teeth import tooth_pair
from gearwright.train.train import HOUSING, Mesh, Train
from gearwright.train.train import Bearing as Support
from gearwright.units import DIMENSIONS, UnitError, to_si


class LifeInputError(InputError):
    """Ratings, weights or records that do not fit together; the message says what is missing and where to get it."""


def rated(
    train: Train, facts: Life, record: Record, scale: float, run: Simulated = NOTHING, alone: bool = False
) -> tuple[list[Component], list[dict[str, str]], list[str]]:
    """Components of a record that can be rated, what is missing for the others, and what was assumed.

    ``scale`` is the ratio of the body whose speed the records hold; ``run`` what the runs say of dynamics and sharing; ``alone``: the components shall see no other loads than this record's
    few levels, whose stresses are enough. Raises LifeInputError for patterns that match nothing
    and speeds that are not known.
    """
    components: list[Component] = []
    bearings, notes = _bearings(train, facts, record, scale)
    components += bearings
    components += _shafts(facts, record)
    done = {c.element for c in components}
    meshes, missing = rated_meshes(train, facts, record, run)
    components += _gears(train, facts, record, scale, meshes, alone)
    for name in _shares(train, record):
        if name not in done:
            missing.append(
                {
                    "element": name,
                    "what": "dynamic_rating",
                    "where": "the maker's catalogue; put it into life.bearings, or as data: {dynamic_rating: ...} at the bearing",
                }
            )
    return components, missing, [*notes, *_axial_notes(bearings, record), *_gear_notes(facts, record, train, meshes)]


def supports(train: Train) -> dict[str, Support]:
    """Bearings of bodies by name, and those of shafts that hold something across, which turn with the first end of theirs."""
    held = {
        b.name: replace(b, between=(next(n for n in shaft.between if n != HOUSING), HOUSING))
        for shaft in train.shafts.values()
        for b in shaft.bearings
        if b.stiffness is not None or b.matrix is not None or b.rolling is not None
    }
    return {**train.bearings, **held}


def _matching(patterns: Sequence[str], known: Sequence[str], where: str) -> list[str]:
    found = [name for name in known if any(fnmatch(name, p) for p in patterns)]
    if not found:
        meant = nearest(patterns[0], known)
        raise LifeInputError(
            f"{where}: no element of the record matches {listed(patterns)}; there are {listed(known, 20)}"
            + (f"; did you mean '{meant}'?" if meant else "")
        )
    return found


def _bearings(train: Train, facts: Life, record: Record, scale: float) -> tuple[list[Bearing], list[str]]:
    shares = _shares(train, record)
    known, held = list(shares), supports(train)
    made: list[Bearing] = []
    given: set[str] = set()
    plain: list[str] = []
    computed: list[str] = []
    for i, entry in enumerate(facts.bearings):
        for name in _matching(entry.on, known, f"life.bearings.{entry.name or i}"):
            rolling, data = held[name].rolling, held[name].data
            kind = _kind(entry, rolling or data, name)
            known_type = kind is not None or (data is not None and data.type)
            contact = entry.contact or (_contact_of(kind, data) if known_type else None)
            if contact is None:
                plain.append(name)
            entry = entry.model_copy(update={"contact": contact or "roller"})
            made.append(_bearing(train, held[name], entry, scale, record, shares[name], kind))
            given.add(name)
    for name in known:
        rolling, data = held[name].rolling, held[name].data
        if name not in given and rolling:
            entry, kind = _of_rolling(name, rolling)
            if not rolling.dynamic_rating:
                computed.append(name)
            made.append(
                _bearing(train, held[name], entry, scale, record, shares[name], kind, "section rolling of the bearing")
            )
        elif name not in given and data is not None and data.dynamic_rating is not None:
            entry = BearingLife(
                on=[name],
                name=data.type or "",
                dynamic_rating=data.dynamic_rating,
                static_rating=data.static_rating,
                radial_factor=data.radial_factor,
                axial_factor=data.axial_factor,
            )
            kind = _kind(entry, data, name)
            if not (data.type or data.contact):
                plain.append(name)
            entry = entry.model_copy(update={"contact": _contact_of(kind, data)})
            made.append(_bearing(train, held[name], entry, scale, record, shares[name], kind, "data of the bearing"))
    oil = Oil.of(facts.oil)
    whole = [completed(bearing, held[bearing.element].data, oil) for bearing in made]
    made = [bearing for bearing, _ in whole]
    notes: list[str] = []
    said: dict[str, list[str]] = {}
    for bearing, taken in whole:
        for words in taken:
            said.setdefault(words, []).append(bearing.element)
    notes += [assumed(f"{listed(names, 4)}: {words}") for words, names in said.items()]
    if plain:
        notes.append(
            assumed(
                f"{listed(plain, 6)}: no type is given, taken as roller bearings (exponent 10/3 of the life); "
                "contact: ball is 3"
            )
        )
    if computed:
        notes.append(
            assumed(f"{listed(computed, 6)}: dynamic rating from its geometry (ISO 281); give the catalogue's")
        )
    return made, notes


#: types by the letters that catalogues and papers use, as words of this program
_LETTERS = {
    "CRB": "cylindrical",
    "TRB": "tapered",
    "SRB": "spherical",
    "DGBB": "deep_groove",
    "ACBB": "angular_contact",
}


def _type_of(data: Rolling | CatalogueData | None) -> str:
    word = (data.type or "" if data is not None else "").strip()
    return _LETTERS.get(word.upper(), word.lower().replace("-", "_").replace(" ", "_"))


def _contact_of(kind: BearingKind | None, data: CatalogueData | None) -> str:
    """Balls or rollers, from what is known of the type."""
    word = kind.type if kind is not None else _type_of(data)
    ball = TYPES.get(word, "ball" in word or (data is not None and data.contact == "ball"))
    return "ball" if ball else "roller"


def _kind(entry: BearingLife, data: Rolling | CatalogueData | None, name: str) -> BearingKind | None:
    """What the factors X and Y of a bearing follow from, or None where not enough is known of it."""
    if entry.type is None and isinstance(data, Rolling):
        try:
            geometry = geometry_of(data)[0]
            return BearingKind.of(geometry, entry.static_rating or ratings_of(data, geometry)[1])
        except ValueError:
            pass  # said where the section itself is used
    word = entry.type or _type_of(data)
    if word not in TYPES:
        return None
    angle = (
        entry.contact_angle
        if entry.contact_angle is not None
        else (data.contact_angle or 0.0 if data is not None else 0.0)
    )
    try:
        angle = to_si(angle, DIMENSIONS["angle"])
    except UnitError as error:
        raise LifeInputError(f"bearing '{name}': contact_angle: {error}{error.hint}") from None
    try:
        return BearingKind(
            word,
            float(angle),
            word == "spherical" or (data is not None and data.rows == 2),
            static_rating=entry.static_rating,
        )
    except ValueError:
        return None


def _axial_notes(bearings: Sequence[Bearing], record: Record) -> list[str]:
    """Axial loads that are in no equivalent load: assumed to be nothing where the factor is not known, said where no factor can
    help."""
    unknown: dict[str, tuple[float, float]] = {}
    lips: dict[str, tuple[float, float]] = {}
    silent: list[str] = []
    grooves = [
        b.element
        for b in bearings
        if b.kind is not None
        and b.kind.type == "deep_groove"
        and b.rates_axial
        and b.axial_factor is None
        and b.source != "section rolling of the bearing"
    ]
    for bearing in bearings:
        load = record.loads[bearing.elements[0]]
        if load.axial is None:
            silent.append(bearing.element)
            continue
        part = bearing.share / bearing.count
        axial, radial = float(load.axial.max(initial=0.0)) * part, float(np.abs(load.levels).max(initial=0.0)) * part
        if bearing.rates_axial or axial <= 1e-3 * radial:
            continue
        (unknown if bearing.kind is None or bearing.kind.takes_axial else lips)[bearing.element] = (axial, radial)
    notes: list[str] = []
    for found, make, why in (
        (
            unknown,
            assumed,
            "are not in the equivalent load, neither Y nor type and contact angle being given (Y is taken as 0); give "
            "axial_factor and radial_factor from the catalogue, or type and contact_angle",
        ),
        (
            lips,
            warning,
            "are not in the equivalent load: the raceways of cylindrical roller bearings take none; give axial_factor if "
            "their lips do, or another bearing that holds the shaft",
        ),
    ):
        if found:
            axial, radial = max(found.values())
            notes.append(
                make(
                    f"{listed(list(found), 6)}: axial loads (up to {1e-3 * axial:.4g} kN beside {1e-3 * radial:.4g} kN) {why}"
                )
            )
    if silent:
        notes.append(
            assumed(
                f"{listed(silent, 6)}: the record holds no axial forces of bearings, the equivalent load is the radial one"
            )
        )
    if grooves:
        notes.append(assumed(f"{listed(grooves, 6)}: f_0 of ISO 76 is not known, taken as 14 for the axial factor"))
    return notes


def _of_rolling(name: str, facts: Rolling) -> tuple[BearingLife, BearingKind | None]:
    """Catalogue data of a bearing from its ``rolling`` section; ratings that are not given follow from the geometry."""
    kind = None
    try:
        geometry = geometry_of(facts)[0]
        dynamic, static = ratings_of(facts, geometry)
        if facts.radial_factor is None and facts.axial_factor is None:
            kind = BearingKind.of(geometry, static)
    except ValueError as error:
        raise LifeInputError(f"bearing '{name}': {error}") from None
    oil, limit = facts.lubrication, facts.fatigue_limit
    line = None
    if not geometry.is_ball and geometry.element_length:
        factors = {} if facts.contact is None else facts.contact.model_dump(exclude_none=True)
        line = LineContactFacts(
            rollers=geometry.row_count * geometry.per_row,
            roller_diameter=geometry.element_diameter,
            effective_length=geometry.element_length,
            pitch_diameter=geometry.pitch_diameter,
            contact_angle=geometry.contact_angle,
            radial_factor=facts.static_radial_factor or 1.0,
            axial_factor=facts.static_axial_factor or 0.0,
            allowed=factors.pop("limit", None),
            **factors,
        )
    made = BearingLife(
        on=[name],
        name=facts.designation or facts.type,
        contact="ball" if geometry.is_ball else "roller",
        dynamic_rating=dynamic,
        static_rating=static,
        count=geometry.count,
        radial_factor=facts.radial_factor,
        axial_factor=facts.axial_factor,
        reliability=facts.reliability,
        line_contact=line,
        mean_diameter=geometry.pitch_diameter,
        modification=None
        if oil is None or limit is None
        else BearingModification(
            viscosity=oil.viscosity,
            contamination=oil.contamination,
            fatigue_limit=limit,
            pitch_diameter=geometry.pitch_diameter,
        ),
    )
    return made, kind


def _shares(train: Train, record: Record) -> dict[str, tuple[str, float]]:
    """Bearings with a load: the element that recorded it, and their share of it.

    Where a fidelity records one reaction of a body with several bearings (by the name of the first), they share it in
    proportion to their radial stiffness.
    """
    held = supports(train)
    recorded = [name for name, load in record.loads.items() if load.kind == "bearing" and name in held]
    found: dict[str, tuple[str, float]] = {}
    for name in recorded:
        if name not in train.bearings:  # of a shaft: each has its own load
            found[name] = (name, 1.0)
            continue
        body = train.bearings[name].between[0]
        family = [b for b in train.bearings.values() if b.between[0] == body]
        if len(family) > 1 and sum(b.name in recorded for b in family) == 1:
            stiffness = [sum(b.stiffness[i][i] for i in (0, 1)) if b.stiffness is not None else 0.0 for b in family]
            if min(stiffness) <= 0.0:
                stiffness = [1.0] * len(family)
            found.update({b.name: (name, k / sum(stiffness)) for b, k in zip(family, stiffness, strict=True)})
        else:
            found[name] = (name, 1.0)
    return found


def _bearing(
    train: Train,
    support: Support,
    entry: BearingLife,
    scale: float,
    record: Record,
    share: tuple[str, float],
    kind: BearingKind | None = None,
    source: str = "",
) -> Bearing:
    ratios = [train.ratios.get(body, 0.0) for body in support.between]
    if not train.ratios:
        raise LifeInputError(
            f"bearing '{support.name}': the train has no ratios (operating.fixed), so its speed is not known"
        )
    if not record.mean_speed > 0.0:
        raise LifeInputError(
            f"bearing '{support.name}': the record holds no speed and the drivetrain no operating.speed"
        )
    m = entry.modification
    return Bearing(
        support.name, entry.name or "", (ratios[0] - ratios[1]) / scale, entry.dynamic_rating, entry.contact or "roller", entry.count,
        entry.radial_factor, entry.axial_factor, entry.static_rating,
        entry.required / 3600.0 if entry.required is not None else None, entry.reliability,
        m.viscosity if m else None, m.pitch_diameter if m else None, m.contamination if m else None,
        m.fatigue_limit if m else None, _line(entry.line_contact),
        entry.line_contact.allowed if entry.line_contact else None, source or "section life", share[0], share[1], kind,
        kind.type if kind is not None else entry.type or _type_of(support.rolling or support.data), entry.mean_diameter,
    )  # fmt: skip


def _line(facts: LineContactFacts | None) -> LineContact | None:
    if facts is None:
        return None
    return LineContact(**facts.model_dump(exclude={"allowed"}))


_STRENGTH = (
    "the steel's treatment and grade (ISO 6336-5: case_hardened, MQ), or pitting_limit and bending_limit; put them into "
    "life.gears"
)


def entries_of(train: Train, facts: Life, record: Record) -> dict[str, GearLife]:
    """Entry of ``life.gears`` of every recorded mesh that has one. Raises LifeInputError for two of one mesh, or for none at all."""
    known = known_meshes(train, record)
    found: dict[str, GearLife] = {}
    for i, entry in enumerate(facts.gears):
        for name in _matching(entry.on, known, f"life.gears.{i}"):
            if name in found:
                raise LifeInputError(f"life.gears.{i}: mesh '{name}' has two entries")
            found[name] = entry
    return found


def known_meshes(train: Train, record: Record) -> list[str]:
    """Meshes whose load is recorded."""
    return [name for name, load in record.loads.items() if load.kind == "mesh" and name in train.meshes]


def rated_meshes(
    train: Train, facts: Life, record: Record, run: Simulated
) -> tuple[dict[str, MeshFacts], list[dict[str, str]]]:
    """Facts of all meshes that have a strength, and the meshes that lack something."""
    entries = entries_of(train, facts, record)
    missing = []
    found: dict[str, MeshFacts] = {}
    for name in known_meshes(train, record):
        mesh = train.meshes[name]
        if mesh.module is None or mesh.face_width is None or mesh.teeth is None:
            missing.append(
                {
                    "element": name,
                    "what": "tooth geometry (module, teeth, face width)",
                    "where": "the drawing; put it into the stage of the drivetrain file",
                }
            )
        elif name not in entries:
            missing.append({"element": name, "what": "the strength of the teeth", "where": _STRENGTH})
        else:
            try:
                found[name] = mesh_facts(train, mesh, tooth_pair(mesh), entries[name], run)
            except RatingError as error:
                raise LifeInputError(f"life.gears, mesh '{name}': {error}") from None
    return found, missing


def mesh_stress(train: Train, name: str, facts: MeshFacts) -> MeshStress:
    """Stresses of a mesh at the operating speed."""
    mesh = train.meshes[name]
    carrier = train.ratios.get(mesh.on, 0.0) if mesh.on is not None else 0.0
    speed = abs(train.speed or 0.0) * abs(train.ratios.get(mesh.between[0], 0.0) - carrier)
    # planets that differ by round-off are alike
    return MeshStress(tooth_pair(mesh), facts.facts, float(f"{speed:.10g}"))


def _gears(
    train: Train, facts: Life, record: Record, scale: float, meshes: Mapping[str, MeshFacts], alone: bool = False
) -> list[Flank]:
    """Flanks and roots of all wheels whose meshes have a strength."""
    entries = entries_of(train, facts, record)
    groups: dict[tuple[str, int, float, bool], dict[str, Role]] = {}
    for name, own in meshes.items():
        mesh = train.meshes[name]
        stress = mesh_stress(train, name, own)
        for which, body in enumerate(mesh.between):
            groups.setdefault((body, *_teeth_of(mesh, which)), {})[name] = Role(
                stress, which, _side(mesh, which), _sense(record, name)
            )
    made: list[Flank] = []
    gears = Counter(body for body, *_ in groups)
    for (body, *rest), roles in groups.items():
        teeth = (int(rest[0]), float(rest[1]), bool(rest[2]))
        first = train.meshes[next(iter(roles))]
        entry = entries[first.name]
        carrier = train.ratios.get(first.on, 0.0) if first.on is not None else 0.0
        mates = _mates(train, record, body, teeth)
        names, back = _flank_names(mates, f"{teeth[0]} teeth" if gears[body] > 1 else "")
        most = 1.05 * max(1.2 * max(record.loads[n].largest for n in roles), 1.0)
        levels = np.concatenate([np.abs(record.loads[n].levels) for n in roles])
        grid = np.unique([0.0, *levels, most]) if alone else np.linspace(0.0, most, 200)
        try:
            made += rated_wheel(
                body,
                roles,
                (train.ratios.get(body, 0.0) - carrier) / scale,
                names,
                not back,
                (entry.safety_pitting, entry.safety_bending),
                grid,
                back,
            )
        except RatingError as error:
            raise LifeInputError(
                f"{body} against {' and '.join(b for b in first.between if b != body)}: {error}"
            ) from None
    return made


def _gear_notes(facts: Life, record: Record, train: Train, meshes: Mapping[str, MeshFacts]) -> list[str]:
    """What the ratings of teeth take unasked: one sentence for all meshes that share it."""
    said: dict[str, list[str]] = {}
    entries = entries_of(train, facts, record)
    for name, own in meshes.items():
        entry = entries[name]
        words = list(own.taken)
        if entry.treatment.startswith("through_hardened"):
            words.append("0.2 % proof stress of the steel taken as twice bending_limit (notch sensitivity)")
        if not {"safety_pitting", "safety_bending"} & entry.model_fields_set:
            words.append(
                f"least safeties S_H {entry.safety_pitting:g} and S_F {entry.safety_bending:g} of wind practice (IEC 61400-4)"
            )
        if "accuracy" not in entry.model_fields_set:
            words.append(f"accuracy grade {entry.accuracy:g}")
        for word in words:
            said.setdefault(word, []).append(name)
    return [assumed(f"{listed(names, 4)}: {words}") for words, names in said.items()]


def _teeth_of(mesh: Mesh, which: int) -> tuple[int, float, bool]:
    """What tells the gears of one body apart: teeth, module, whether it is a ring."""
    assert mesh.teeth is not None and mesh.module is not None
    return mesh.teeth[which], mesh.module, mesh.internal and which == 1


def _side(mesh: Mesh, which: int) -> int:
    """Sense in which a positive force turns a wheel of a mesh, but for a sign that all meshes have in common."""
    return mesh.sigma * (-1 if which and (mesh.internal or mesh.same_sense) else 1)


def _sense(record: Record, mesh: str) -> int:
    """Sign of the mean force of a mesh; +1 where the record has none."""
    load = record.loads.get(mesh)
    return -1 if load is not None and float(np.sum(load.seconds * load.levels)) < 0.0 else 1


def _mates(train: Train, record: Record, body: str, teeth: tuple[int, float, bool]) -> dict[int, list[str]]:
    """Who loads a gear on which side as the record has it (mean mesh forces; forwards where it has none): mates by side."""
    found: dict[int, list[str]] = {}
    for mesh in train.meshes.values():
        if body not in mesh.between or mesh.teeth is None or mesh.module is None:
            continue
        which = mesh.between.index(body)
        if _teeth_of(mesh, which) != teeth:
            continue
        side = _side(mesh, which) * _sense(record, mesh.name)
        planets = mesh.on is not None and (mesh.internal or which == 1)
        mate = ("ring" if mesh.internal else "sun") if planets else mesh.between[1 - which]
        found.setdefault(side, []).append(mate)
    return found


def _flank_names(mates: Mapping[int, list[str]], gear: str) -> tuple[dict[int, str], int]:
    """Names of both flanks of a gear by side, and the side that nothing loads, 0 where both are loaded in turn (planets,
    idlers)."""
    if len(mates) > 1:
        words = {side: f"{' and '.join(dict.fromkeys(who))} flank" for side, who in mates.items()}
        return {side: f"{gear}, {word}" if gear else word for side, word in words.items()}, 0
    (front,) = mates
    return {front: gear, -front: f"{gear}, back flank" if gear else "back flank"}, -front


def _shafts(facts: Life, record: Record) -> list[Shaft]:
    known = [name for name, load in record.loads.items() if load.kind == "shaft"]
    made = []
    for i, entry in enumerate(facts.shafts):
        if entry.strength is None:
            _matching(entry.on, known, f"life.shafts.{i}")
            continue
        strength = Strength(
            tuple(p[0] for p in entry.strength.points),
            tuple(p[1] for p in entry.strength.points),
            entry.strength.beyond,
        )
        for name in _matching(entry.on, known, f"life.shafts.{i}"):
            made.append(Shaft(name, entry.diameter, entry.bore, entry.concentration, strength))
    return made
